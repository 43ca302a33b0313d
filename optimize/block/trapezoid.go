package block

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/types"
)

// The steps of a scan whose lines touch pixels together wait for each other, but an instance needs only what lies near it of the steps before. So a group can
// compute some steps of a piece of the line by itself, if it starts with so much more to either side as that needs (a trapezoid in the plane of the line and the
// steps): each step has a frame that is smaller by the reach of neighbours than that of the step before, and computes again what groups beside it compute, too.

// A Trapezoid is what such a scan reads and writes.
type Trapezoid struct {
	Along, Line int    // variables of the stage: of the scan, and the one along which neighbours lie
	Reach       [2]int // how far instances read what steps before have written: towards the first column, and towards the last
	Depth       int    // and by how many steps back
	States      []*State
	Old         []*Old // copies that are made before the scan
	Ring        int    // so many lines of a state are kept; 0 where all are
	Partial     bool   // there are columns of states without instances, which stay as they are
	// Ahead and then Early compute what does not depend on steps before, which can be done for several steps at once; Late is all else of the body. Early has what needs pixels that Ahead
	// reads: where a condition decides whether they are read, items would wait for those of each step before they read any of the next one, if they computed with them at once.
	Ahead, Early []*hast.Define
	Late         []hast.Stmt
	reads        map[*hast.Var]bool // what Ahead and Early compute of memory
}

// Frame is by how many columns, of both sides together, a line grows with each step before it.
func (x *Trapezoid) Frame() int { return x.Reach[0] + x.Reach[1] }

// A State is an image that steps write and later ones read.
type State struct {
	Image       *hast.Image
	Store       *hast.Store
	Along, Line int // axes
}

// AnalyzeTrapezoid takes a scan apart; why is the end of a sentence, "" where groups can compute pieces of some steps by themselves.
func AnalyzeTrapezoid(s *hast.Stage) (out *Trapezoid, why string) {
	switch {
	case s.Scan == nil:
		return nil, "it is no scan"
	case !s.Scan.Meet():
		return nil, "its lines along the scan touch no pixel together, so that each is a work-item's"
	case s.Where != nil || len(s.Fused) > 0 || s.Space.Points != nil:
		return nil, "it leaves out instances, or others are fused with it"
	case len(s.Space.Vars) < 2:
		return nil, "a step of it is one instance"
	}
	one := *s
	body, old := withOld(s)
	one.Body = body
	s = &one
	a := &cutting{stage: s, scope: knowing(s), out: &Trapezoid{Along: s.Scan.Axis, Line: -1, reads: map[*hast.Var]bool{}}, written: map[*hast.Image]*hast.Store{}, plain: map[*hast.Var]bool{}}
	for _, rule := range []func() string{a.stores, a.reads, a.ranges} {
		if why := rule(); why != "" {
			return nil, why
		}
	}
	a.extents()
	a.split()
	a.out.Old = old
	return a.out, ""
}

// knowing is a scope that knows the lets of a body and how far its loops and reductions go.
func knowing(s *hast.Stage) *Scope {
	ranges, lets := map[*hast.Var][2]int64{}, map[*hast.Var]hast.Expr{}
	space := func(of hast.Space) {
		for i, r := range Reaches(of, 1<<16) {
			ranges[of.Vars[i]] = r
		}
	}
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		switch st := st.(type) {
		case *hast.For:
			space(st.Space)
		case *hast.Define:
			if st.Var.Class == hast.Value && st.Init != nil {
				lets[st.Var] = st.Init
			}
		}
	}, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			space(r.Space)
		}
	})
	return &Scope{Iterators: s.Space.Vars, Lets: lets, Range: func(v *hast.Var) (lo, hi int64, ok bool) {
		r, ok := ranges[v]
		return r[0], r[1], ok
	}}
}

type cutting struct {
	stage   *hast.Stage
	scope   *Scope
	out     *Trapezoid
	written map[*hast.Image]*hast.Store // by the image with the storage
	plain   map[*hast.Var]bool          // lets of coordinates, for which no memory is read
}

// stores finds what is written.
func (a *cutting) stores() (why string) {
	hast.EachStore(a.stage.Body, func(st *hast.Store) {
		m := st.Image.Base()
		switch {
		case why != "":
		case st.Updates():
			why = "it updates pixels"
		case a.written[m] != nil:
			why = "it writes an image in two places"
		}
		a.written[m] = st
	})
	return why
}

// reads finds what is read of that: the states.
func (a *cutting) reads() (why string) {
	read := func(m *hast.Image, rule *hast.Rule, at func(axis int) (hast.Coord, int64)) {
		st := a.written[m.Base()]
		if why != "" || st == nil {
			return
		}
		var x *State
		if x, why = a.state(m, st); x == nil {
			return
		}
		for axis := range st.Index {
			c, span := at(axis)
			if why = a.coordinate(x, axis, c, span, rule); why != "" {
				return
			}
		}
	}
	hast.WalkBody(a.stage.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			read(e.Image, e.Rule, func(axis int) (hast.Coord, int64) { return e.Index[axis], 0 })
		case *hast.Window:
			read(e.Image, e.Rule, func(axis int) (hast.Coord, int64) {
				x := e.Axes[axis]
				if !x.Colon {
					return x.Start, 0
				}
				return x.Start, int64(x.Count-1) * int64(x.Stride)
			})
		}
	})
	if why == "" && a.out.Line < 0 {
		return "its steps read nothing beside their own place"
	}
	for _, x := range a.out.States {
		x.Line = slices.IndexFunc(x.Store.Index, func(e hast.Expr) bool { return isRef(e, a.stage.Space.Vars[max(a.out.Line, 0)]) })
	}
	return why
}

// state is that of an image which is written and read; nil where it cannot be one.
func (a *cutting) state(m *hast.Image, st *hast.Store) (x *State, why string) {
	for _, x := range a.out.States {
		if x.Image == m {
			return x, ""
		}
	}
	kind := m.Elem.Kind
	switch {
	case m.Base().Of != nil:
		return nil, "it reads and writes a level of a pyramid"
	case m != st.Image || m.View != nil || m.Lower != nil:
		return nil, "it reads or writes a part of an image that it does not read and write as a whole"
	case st.Skip || !slices.Contains(a.stage.Body, hast.Stmt(st)):
		return nil, "it writes what it reads under a condition, or in a loop"
	case kind == types.F16 || kind == types.BF16:
		return nil, "floats of 16 bits of its own are no lines of local memory"
	case len(st.Index) != len(a.stage.Space.Vars):
		return nil, "what it reads and writes has other axes than its instances"
	}
	x = &State{Image: m, Store: st}
	for i, v := range a.stage.Space.Vars {
		axis := slices.IndexFunc(st.Index, func(e hast.Expr) bool { return isRef(e, v) })
		if axis < 0 {
			return nil, "it writes what it reads elsewhere than at its own place"
		}
		if i == a.out.Along {
			x.Along = axis
		}
	}
	a.out.States = append(a.out.States, x)
	return x, ""
}

// coordinate looks at one of a read, or at one and those so far beyond it.
func (a *cutting) coordinate(x *State, axis int, c hast.Coord, span int64, rule *hast.Rule) string {
	l, ok := a.scope.Linear(c.X)
	own := x.Store.Index[axis].(*hast.Ref).Var
	if !ok || l.Var != own || l.Stride != 1 || l.Div != 0 {
		return "it reads what steps before have written at places that are no constant distances away"
	}
	lo, hi := l.Lo+min(span, 0), l.Hi+max(span, 0)
	outside := c.Below || c.Above
	kind := hast.Undefined
	if rule != nil {
		kind = rule.Kind
	}
	if axis == x.Along {
		if a.stage.Scan.Down {
			lo, hi = -hi, -lo
		}
		switch {
		case hi >= 0:
			return "it reads pixels of what it writes that no step before has written"
		case outside && kind != hast.Constant:
			return "the border rule of what it reads may take pixels of other steps"
		}
		a.out.Depth = max(a.out.Depth, int(-lo))
		return ""
	}
	if lo == 0 && hi == 0 {
		return ""
	}
	line := slices.Index(a.stage.Space.Vars, own)
	switch {
	case a.out.Line >= 0 && a.out.Line != line:
		return "it reads neighbours along two axes"
	case outside && (kind == hast.Repeat || kind == hast.Formula):
		return "the border rule of what it reads may take pixels from anywhere"
	}
	if kind == hast.Reflect || kind == hast.Reflect101 { // what lies outside is as far on the other side
		lo, hi = mirrored(c, lo, hi)
	}
	a.out.Line = line
	a.out.Reach[0], a.out.Reach[1] = max(a.out.Reach[0], int(-lo)), max(a.out.Reach[1], int(hi))
	return ""
}

// mirrored are the least and the greatest distance of pixels that a read at distances from lo to hi may take where a border rule folds what is outside: none is farther away than it would be outside.
func mirrored(c hast.Coord, lo, hi int64) (int64, int64) {
	from, to := lo, hi
	if c.Above {
		from = min(from, -hi)
	}
	if c.Below {
		to = max(to, -lo)
	}
	return from, to
}

// ranges looks at which instances there are.
func (a *cutting) ranges() string {
	for _, i := range []int{a.out.Along, a.out.Line} {
		if a.stage.Space.Ranges[i].Step != 1 {
			return "it leaves out pixels along the scan, or along the lines across"
		}
	}
	return ""
}

// extents looks at whether the instances of a step have all columns of the states, and how many lines these have.
func (a *cutting) extents() {
	for _, x := range a.out.States {
		if lines, _ := hast.Number(x.Image.Extent[0]); x.Image.Ring {
			a.out.Ring = int(lines)
		}
		a.out.Partial = a.out.Partial || !a.stage.Space.Ranges[a.out.Line].Covers(x.Image, x.Line)
	}
}

// LocalBytes is what a group of so many work-items has of the states in local memory, for so many steps at a time and those before that they read.
func (x *Trapezoid) LocalBytes(items, steps int) (bytes int) {
	for _, st := range x.States {
		bytes += (steps + x.Depth) * items * int(st.Image.Elem.Lanes) * kir.LocalComponent(st.Image.Elem.Kind)
	}
	return bytes
}
