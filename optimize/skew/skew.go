package skew

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Program is p with what scans carry along slanted lines stored by their steps. It does not change p.
func Program(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = nil
	for _, pl := range p.Pipelines {
		out.Pipelines = append(out.Pipelines, pipeline(pl))
	}
	return &out
}

// A skewer rewrites the scans of one pipeline.
type skewer struct {
	of, out *hast.Pipeline
	changed bool
}

func pipeline(p *hast.Pipeline) *hast.Pipeline {
	out := *p
	out.Images = slices.Clone(p.Images)
	k := &skewer{of: p, out: &out}
	out.Steps = hast.MapSteps(p.Steps, func(s hast.Step) []hast.Step {
		switch s := s.(type) {
		case *hast.Traverse: // images beside a level would have to be one for each level
			return []hast.Step{s}
		case *hast.Stage:
			return k.scan(s)
		}
		return nil
	})
	if !k.changed {
		return p
	}
	return &out
}

// image declares a local image beside another one.
func (k *skewer) image(m *hast.Image, suffix string, extent []hast.Expr) *hast.Image {
	out := &hast.Image{Name: m.Name + "_" + suffix, Dir: hast.Local, Elem: m.Elem, Extent: extent, At: m.At}
	taken := func(name string) bool {
		return slices.ContainsFunc(k.out.Images, func(m *hast.Image) bool { return m.Name == name })
	}
	for n := 2; taken(out.Name); n++ {
		out.Name = fmt.Sprintf("%s_%s_%d", m.Name, suffix, n)
	}
	k.out.Images = append(k.out.Images, out)
	return out
}

// scan are the steps that take the place of a stage, which may carry several images; nil where that is itself.
func (k *skewer) scan(s *hast.Stage) (list []hast.Step) {
	changed := false
	s = withPixels(s)
	for x := find(s); x != nil; x = find(s) {
		steps := k.rewritten(x)
		last := len(steps) - 1
		s = steps[last].(*hast.Stage)
		list = append(list, steps[:last]...)
		changed = true
	}
	if !changed {
		return nil
	}
	k.changed = true
	return append(list, s)
}

// mostPixels is how many pixels of a window are read one by one.
const mostPixels = 16

// withPixels is a stage that reads small windows of what it writes pixel by pixel.
func withPixels(s *hast.Stage) *hast.Stage {
	written := map[*hast.Image]bool{}
	hast.EachStore(s.Body, func(st *hast.Store) { written[st.Image] = true })
	out := *s
	out.Body = hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if w, ok := e.(*hast.Window); ok && written[w.Image] && w.T.Len() <= mostPixels {
				return hast.Pixels(w)
			}
			return nil
		})
	})
	return &out
}

// rewritten are the steps that take the place of a scan.
func (k *skewer) rewritten(x *slanted) []hast.Step {
	m := x.store.Image
	extent := []hast.Expr{hast.Int(ring)}
	for _, axis := range x.others() {
		extent = append(extent, m.Extent[axis])
	}
	w := &rewriter{slanted: x, carried: k.image(m, "steps", extent)}
	w.carried.Ring = true
	w.now = &hast.Var{Name: m.Name + "_now", Type: m.Elem, Class: hast.Mutable, At: x.store.At}
	w.old = func() *hast.Image {
		if w.before == nil {
			w.before = k.image(m, "before", m.Extent)
		}
		return w.before
	}
	s := *x.stage
	s.Space.Ranges = x.ranged
	k.out.Checks = slices.Concat(k.out.Checks, x.checks)
	keep := k.needed(x)
	s.Body = w.body(keep)
	if !keep && w.before == nil {
		k.drop(m)
	}
	if w.before == nil {
		return []hast.Step{&s}
	}
	kept := hast.CopyStage(w.before, m, w.before.Name, s.At)
	kept.Within = s.Within
	return []hast.Step{kept, &s}
}

// drop takes an image out that nothing uses any more; that it has extents is tested still.
func (k *skewer) drop(m *hast.Image) {
	if k.out.Declared == nil {
		k.out.Declared = k.of.Images
	}
	k.out.Images = slices.DeleteFunc(k.out.Images, func(n *hast.Image) bool { return n == m })
}

// needed reports whether the scan's image is read by others than the scan.
func (k *skewer) needed(x *slanted) bool {
	m := x.store.Image
	found := m.Dir != hast.Local
	hast.WalkSteps(k.of.Steps, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Stage:
			found = found || s.Name != x.stage.Name && touches(s, m)
		case *hast.SetScalar:
			found = found || s.From != nil && s.From.Base() == m
		case *hast.Fetch:
			found = found || s.From.Base() == m
		case *hast.Swap:
			found = found || s.A == m || s.B == m
		case *hast.DefineView:
			found = found || s.Image.Base() == m
		}
	})
	return found
}

// touches reports whether a stage reads or writes an image.
func touches(s *hast.Stage, m *hast.Image) bool {
	found := s.Loads(m)
	hast.EachStore(s.Body, func(st *hast.Store) { found = found || st.Image.Base() == m })
	s.EachRule(func(r *hast.Rule) { found = found || r.Border != nil && r.Border.Image == m })
	return found
}

// A rewriter makes the body of a scan that carries by steps.
type rewriter struct {
	*slanted
	carried *hast.Image        // by steps
	now     *hast.Var          // what the instance writes
	before  *hast.Image        // what was there before the scan; nil while nobody has read it
	old     func() *hast.Image // that, declared
}

// body is the scan's with a store in all instances of what is carried: of what the image is outside, or was before, where the guard does not hold. Its own store stays where keep is set, or a copy is.
func (w *rewriter) body(keep bool) (out []hast.Stmt) {
	at := w.store.At
	for _, st := range w.stage.Body {
		if st != hast.Stmt(w.guard) {
			out = append(out, w.reads(st, false))
			continue
		}
		guard := *w.guard
		init := w.unwritten()
		guard.Cond, guard.Then = hast.And(w.own(), w.reading(guard.Cond, false)), w.guarded(keep)
		out = append(out, &hast.Define{Var: w.now, Init: init, At: at}, &guard)
	}
	store := &hast.Store{Image: w.carried, Index: []hast.Expr{hast.RefTo(w.steps())}, Value: hast.RefTo(w.now), At: at}
	for _, axis := range w.others() {
		store.Index = append(store.Index, hast.RefTo(w.stage.Space.Vars[w.line(axis)]))
	}
	return append(out, store)
}

// unwritten is what an instance carries that writes no pixel.
func (w *rewriter) unwritten() hast.Expr {
	outside := w.outside()
	if !w.part {
		return outside
	}
	was := &hast.Load{Typed: hast.Typed{T: w.store.Image.Elem, At: w.store.At}, Image: w.old(), Rule: &hast.Rule{Kind: hast.Constant, Value: outside}}
	for axis, at := range w.at {
		was.Index = append(was.Index, hast.Coord{X: at.expr(), Below: axis == w.along, Above: axis == w.along})
	}
	return was
}

// own is the condition that the scan has an instance; nil where it has all.
func (w *rewriter) own() (cond hast.Expr) {
	for i, r := range w.stage.Space.Ranges {
		v, all := hast.RefTo(w.stage.Space.Vars[i]), w.ranged[i]
		if !hast.Equal(r.Lo, all.Lo) {
			cond = hast.And(cond, hast.Compare(ops.Ge, v, r.Lo))
		}
		if !hast.Equal(r.Hi, all.Hi) {
			cond = hast.And(cond, hast.Compare(ops.Lt, v, r.Hi))
		}
	}
	return cond
}

// guarded are the statements under the guard.
func (w *rewriter) guarded(keep bool) (out []hast.Stmt) {
	written := false
	for _, st := range w.guard.Then {
		if st != hast.Stmt(w.store) {
			out = append(out, w.reads(st, written))
			continue
		}
		written = true
		own := *w.reads(st, false).(*hast.Store)
		out = append(out, &hast.Set{Var: w.now, Value: own.Value, At: own.At})
		if own.Value = hast.RefTo(w.now); keep || w.before != nil {
			out = append(out, &own)
		}
	}
	return out
}

func (w *rewriter) reads(st hast.Stmt, written bool) hast.Stmt {
	return hast.MapStmts([]hast.Stmt{st}, func(e hast.Expr) hast.Expr { return w.reading(e, written) })[0]
}

// reading is an expression that reads what has been written in steps before from where it is carried, and all else from what was there before the scan, but for
// what the instance itself has written.
func (w *rewriter) reading(e hast.Expr, written bool) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		l, ok := e.(*hast.Load)
		if !ok || l.Image != w.store.Image {
			return nil
		}
		d, _ := w.distance(l)
		before, _ := w.isBefore(d)
		switch {
		case before:
			return w.earlier(l, d)
		case written && d.own():
			return hast.RefTo(w.now)
		}
		out := *l
		out.Image = w.old()
		return &out
	})
}

// earlier reads what was written so far away in an earlier step: where there is such an instance, which has written what the image is outside if its place is not in it.
func (w *rewriter) earlier(l *hast.Load, d distance) hast.Expr {
	out := &hast.Load{Typed: l.Typed, Image: w.carried}
	var inside hast.Expr
	index := func(variable int, by affine) {
		v, r := w.stage.Space.Vars[variable], w.ranged[variable]
		at := by.from(hast.RefTo(v))
		out.Index = append(out.Index, hast.Coord{X: at})
		lo, hi, _ := by.between(w.ranges)
		if lo < 0 {
			inside = hast.And(inside, hast.Compare(ops.Ge, at, r.Lo))
		}
		if hi > 0 {
			inside = hast.And(inside, hast.Compare(ops.Lt, at, r.Hi))
		}
	}
	index(w.stage.Scan.Axis, d.steps)
	for _, axis := range w.others() {
		index(w.line(axis), d.by[axis])
	}
	if l.Rule == nil {
		return out
	}
	return &hast.Select{Typed: l.Typed, Cond: inside, Then: out, Else: l.Rule.Value}
}

// outside is what the image is outside, for those who read that; zeros where nobody does.
func (x *slanted) outside() hast.Expr {
	t := x.store.Image.Elem
	var out hast.Expr = &hast.Const{Typed: hast.Typed{T: t, At: x.store.At}, Words: make([]types.Word, t.Words())}
	x.eachRead(func(e hast.Expr) {
		if l := e.(*hast.Load); l.Rule != nil && l.Rule.Kind == hast.Constant {
			d, _ := x.distance(l)
			if before, _ := x.isBefore(d); before {
				out = l.Rule.Value
			}
		}
	})
	return out
}
