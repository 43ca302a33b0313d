package overlap

import (
	"fmt"
	"slices"

	"imgc/hast"
)

// A blocking is a stage whose instances are put into blocks.
type blocking struct {
	stage   *hast.Stage
	floats  bool               // they may be added in another order
	place   [2]*hast.Var       // the row and the column of a term
	uniform map[*hast.Var]bool // what is the same for all instances of a block
	size    [2]int             // of a block: rows and columns
	first   [2]*hast.Var       // of a block
	arrays  map[*hast.Var]*hast.Var
	spans   map[*hast.Var]span // what variables lie in
	edges   edges              // that blocks lie between whose reads need no border rules
	inside  bool               // such a block is being made
}

// Stage is a stage whose instances are blocks of so many columns and rows of those of another one; why says why there is none, as the end of a sentence. Floats says whether
// floats may be added in another order than the program's.
func Stage(s *hast.Stage, size [2]int, floats bool) (out *hast.Stage, why string) {
	b, list := find(s, floats)
	if b == nil {
		return nil, none
	}
	b.size = [2]int{size[1], size[0]}
	switch n := b.terms(list); {
	case size[0]*size[1] > mostHeld:
		return nil, fmt.Sprintf("blocks of %d x %d are of more than %d instances", size[0], size[1], mostHeld)
	case n > mostTerms:
		return nil, fmt.Sprintf("its blocks of %d x %d would compute %d terms, and the code for more than %d is not written out", size[0], size[1], n, mostTerms)
	}
	for _, a := range b.arrays {
		a.Type = a.Type.Array(b.size[0], b.size[1])
	}
	return b.blocks(list), ""
}

// none is said of stages that cannot be put into blocks.
const none = "it has no loop whose rounds compute sums over windows around each instance, of what is the same for all of them at a place"

// find finds what instances share; nil where that is nothing.
func find(s *hast.Stage, floats bool) (*blocking, []*part) {
	if !separate(s) {
		return nil, nil
	}
	b := &blocking{stage: s, floats: floats, uniform: map[*hast.Var]bool{}, arrays: map[*hast.Var]*hast.Var{}, spans: map[*hast.Var]span{}}
	for k, name := range [2]string{"row", "column"} {
		b.place[k] = &hast.Var{Name: name, Type: i32, Class: hast.Value, At: s.At}
		b.first[k] = &hast.Var{Name: b.vars()[k].Name + "0", Type: i32, Class: hast.Value, At: s.At}
	}
	for _, v := range s.Space.Vars[:len(s.Space.Vars)-2] {
		b.uniform[v] = true
	}
	list := b.parts(s.Body)
	if !slices.ContainsFunc(list, func(p *part) bool { return p.loop != nil }) || !fits(list) || !b.keep(list) {
		return nil, nil
	}
	return b, list
}

// windows are all that parts share.
func windows(list []*part) (all []*window) {
	for _, p := range list {
		all = append(append(all, p.windows...), windows(p.rounds)...)
	}
	return all
}

// separate reports whether the instances of a stage are over rows and columns from 0 on, and have nothing to do with each other: none reads what the stage writes.
func separate(s *hast.Stage) bool {
	n := len(s.Space.Vars)
	if s.Scan != nil || s.Where != nil || len(s.Fused) > 0 || n < 2 || !s.Space.Ranges[n-1].Counts() || !s.Space.Ranges[n-2].Counts() {
		return false
	}
	ok := true
	hast.EachStore(s.Body, func(st *hast.Store) { ok = ok && !st.Updates() && !s.Loads(st.Image.Base()) })
	return ok
}

// vars are the variables of rows and of columns, and ends what they lie below.
func (b *blocking) vars() [2]*hast.Var {
	return [2]*hast.Var(b.stage.Space.Vars[len(b.stage.Space.Vars)-2:])
}

func (b *blocking) end(k int) hast.Expr {
	return b.stage.Space.Ranges[len(b.stage.Space.Ranges)-2+k].Hi
}

// fits reports whether all sums of each part are over the same places, so that one pass over its rows computes them.
func fits(list []*part) bool {
	return !slices.ContainsFunc(list, func(p *part) bool {
		return slices.ContainsFunc(p.windows, func(w *window) bool { return !w.alike(p.windows[0]) }) || !fits(p.rounds)
	})
}

// keep finds what instances keep from one part to another, which takes arrays; false where that is an array already.
func (b *blocking) keep(list []*part) bool {
	of, ok := map[*hast.Var]*part{}, true
	var defined func(list []*part)
	defined = func(list []*part) {
		for _, p := range list {
			for _, s := range p.each {
				if d, is := s.(*hast.Define); is {
					of[d.Var] = p
				}
			}
			defined(p.rounds)
		}
	}
	defined(list)
	var used func(list []*part)
	used = func(list []*part) {
		for _, p := range list {
			note := func(v *hast.Var) {
				if q := of[v]; q != nil && q != p {
					b.arrays[v] = &hast.Var{Name: v.Name, Type: v.Type, Class: hast.Mutable, At: v.At}
					ok = ok && !v.Type.IsArray()
				}
			}
			hast.WalkBody(p.each, func(s hast.Stmt) {
				if set, is := s.(*hast.Set); is {
					note(set.Var)
				}
			}, func(e hast.Expr) {
				if r, is := e.(*hast.Ref); is {
					note(r.Var)
				}
			})
			used(p.rounds)
		}
	}
	used(list)
	return ok
}

// Blocks are as wide as four bytes or two columns, so that the reads of neighbours lie in one line of a cache, and as high as registers and the length of the code allow. On an H200 squares of differences of floats
// in 7 x 7 at 32 places, 8192 x 8192, took 4.7 ms in CUDA (5.3 through OpenCL) in blocks of 2 x 8, 5.7 (6.7) of 2 x 4, 6.2 (6.3) of 1 x 8, 7.3 (7.0) of 1 x 12 and 9.6 (6.3) of 1 x 16; differences of bytes 3.1 (3.0)
// of 4 x 8, 3.3 (4.1) of 4 x 4, 3.5 (3.5) of 2 x 8, 3.6 (3.8) of 4 x 6, 3.9 (3.8) of 8 x 4 and 4.2 (4.8) of 2 x 16.
const (
	wideBytes = 4
	narrowest = 2    // columns
	mostTall  = 8    // rows
	tall      = 8    // rows that are worth code of any length
	mostHeld  = 64   // instances of any block
	mostKept  = 192  // values of 32 bits that a block is best to keep
	short     = 480  // terms that a part is best to compute
	mostTerms = 1200 // terms of any part: its code is written out
)

// Size is how many columns and rows blocks of a stage are best to have; none where its instances share nothing.
func Size(s *hast.Stage, floats bool) (size [2]int) {
	b, list := find(s, floats)
	if b == nil {
		return size
	}
	bytes := 1
	for _, w := range windows(list) {
		hast.Walk(w.term, func(e hast.Expr) {
			if l, ok := e.(*hast.Load); ok {
				bytes = max(bytes, l.Image.Elem.Bytes())
			}
		})
	}
	b.size[1] = max(narrowest, wideBytes/bytes)
	for _, limit := range [2]struct{ terms, rows int }{{short, tall}, {mostTerms, 2}} {
		for b.size[0] = mostTall; b.size[0] >= limit.rows; b.size[0] /= 2 {
			if b.terms(list) <= limit.terms && b.kept(list) <= mostKept {
				return [2]int{b.size[1], b.size[0]}
			}
		}
	}
	return size
}

// terms is how many terms the part of a block has that has most.
func (b *blocking) terms(list []*part) (most int) {
	for _, p := range list {
		n := 0
		for _, w := range p.windows {
			n += (b.size[0] + w.tall() - 1) * (b.size[1] + w.wide() - 1)
		}
		most = max(most, n, b.terms(p.rounds))
	}
	return most
}

// kept is how many values a block keeps: those of its instances, and the sums along the rows of windows.
func (b *blocking) kept(list []*part) int {
	return b.size[1] * (b.size[0]*(1+len(b.arrays)) + rowsKept(list))
}

// rowsKept are the rows of the windows of the part that has most.
func rowsKept(list []*part) (most int) {
	for _, p := range list {
		n := 0
		for _, w := range p.windows {
			n += w.tall()
		}
		most = max(most, n, rowsKept(p.rounds))
	}
	return most
}
