package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A Leg is a part of a stage's body that a work-item goes through with all instances of its block before any of them goes on. A loop over planes is one, in each
// round of which the item loads what its block reads of a plane: it holds the window of one plane at a time, and what each instance has accumulated.
//
// Statements keep their order but for those that do not depend on each other: loops over the same planes that need nothing of each other, as those of the sums of several outputs,
// are one loop. What an instance computes is the same, to the bit.
type Leg struct {
	Loop *hast.For // over planes; nil of statements outside of such loops
	// Parts need nothing of each other. All instances go through one before the next, so that what these have in common of one, as the weights of an output, is
	// not held meanwhile.
	Parts []*LegPart
}

// A LegPart is some statements of a leg.
type LegPart struct {
	Body []hast.Stmt
	// Takes are the variables of earlier legs that it names, and Leaves those that it changes, or defines for later ones.
	Takes, Leaves []*hast.Var
}

// inLegs is what blocks of a stage read and write where loops over planes are legs; nil where it has none, or nothing is gained: these are for images of which blocks have no
// windows otherwise, as what says.
func inLegs(s *hast.Stage, unroll int, what *Stage, allow func(*analysis)) *Stage {
	if s.Where != nil || len(s.Fused) > 0 || what.Once || what.Alone != "" || what.Y == nil || len(what.Direct) == 0 || readsWhatItWrites(s) {
		return nil
	}
	legs := legsOf(s.Body)
	if legs == nil {
		return nil
	}
	x := *s
	x.Body = nil
	var planes []*hast.Var
	for _, p := range legs {
		if p.Loop == nil {
			x.Body = append(x.Body, p.stmts()...)
			continue
		}
		x.Body = append(x.Body, p.Loop)
		planes = append(planes, p.Loop.Space.Vars[0])
	}
	out := analyze(&x, unroll, func(a *analysis) {
		allow(a)
		a.out.Scope.Planes = planes
	})
	if out.Once || !slices.ContainsFunc(out.Windows, func(w *Window) bool { return w.Plane(planes) != nil && slices.Contains(what.Direct, w.Image) }) {
		return nil
	}
	out.Legs, out.Flat = legs, false
	return out
}

// Plane is which of some variables says what plane a window is in; nil where none does.
func (w *Window) Plane(vars []*hast.Var) *hast.Var {
	for _, l := range w.Outer {
		if l.Var != nil && slices.Contains(vars, l.Var) {
			return l.Var
		}
	}
	return nil
}

// inParts is what with the outputs of an instance as parts of one leg, where they need nothing of each other and each has weights of its own, which are the same for all instances:
// a work-item would hold them all, or load them for each instance. Nil where there is nothing of the kind.
func inParts(s *hast.Stage, what *Stage) *Stage {
	if s.Where != nil || len(s.Fused) > 0 || what.Once || what.Alone != "" || what.Y == nil || len(what.Direct) == 0 || readsWhatItWrites(s) || !alikeForAll(s, what) {
		return nil
	}
	legs := []*Leg{{Parts: independent(s.Body)}}
	if len(legs[0].Parts) < 2 || linked(legs) == nil {
		return nil
	}
	out := *what
	out.Legs, out.Flat = legs, false
	return &out
}

// alikeForAll reports whether what no window covers is read at the same places by all instances of a block.
func alikeForAll(s *hast.Stage, what *Stage) bool {
	own, ok := []*hast.Var{what.X, what.Y}, true
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			ok = ok && (!slices.Contains(what.Direct, e.Image) || !slices.ContainsFunc(e.Index, func(c hast.Coord) bool { return hast.Names(c.X, own) }))
		case *hast.Window:
			ok = ok && !slices.Contains(what.Direct, e.Image)
		}
	})
	return ok
}

func readsWhatItWrites(s *hast.Stage) (found bool) {
	hast.EachStore(s.Body, func(st *hast.Store) { found = found || s.Loads(st.Image.Base()) })
	return found
}

// legsOf takes a body apart; nil where it has no loop over planes, or has arrays that several legs need.
func legsOf(body []hast.Stmt) []*Leg {
	list := loopsOfReductions(body)
	loops := make([]*hast.For, len(list)) // those over planes
	some := false
	for i, s := range list {
		if loops[i] = overPlanes(s); loops[i] != nil {
			list[i], some = loops[i], true
		}
	}
	if !some {
		return nil
	}
	return linked(gathered(list, loops))
}

// stmts are the statements of a leg.
func (p *Leg) stmts() (list []hast.Stmt) {
	for _, x := range p.Parts {
		list = append(list, x.Body...)
	}
	return list
}

// gathered has statements in as few legs as they can be in: each as early as what it depends on lets it.
func gathered(list []hast.Stmt, loops []*hast.For) (legs []*Leg) {
	level, last := levels(list, loops)
	for n := range last + 1 {
		var plain []hast.Stmt
		var over []*Leg
		for i, s := range list {
			switch {
			case level[i] != n:
			case loops[i] == nil:
				plain = append(plain, s)
			default:
				over = jammed(over, loops[i])
			}
		}
		if len(plain) > 0 {
			legs = append(legs, &Leg{Parts: independent(plain)})
		}
		legs = append(legs, over...)
	}
	return legs
}

// levels are how many loops over planes have to have ended before each statement, and the most of these.
func levels(list []hast.Stmt, loops []*hast.For) (level []int, last int) {
	uses := make([]used, len(list))
	level = make([]int, len(list))
	for i, s := range list {
		uses[i] = usedBy(s)
		for j := range i {
			if !uses[j].meets(uses[i]) {
				continue
			}
			if level[i] = max(level[i], level[j]); loops[j] != nil {
				level[i] = max(level[i], level[j]+1)
			}
		}
		last = max(last, level[i])
	}
	return level, last
}

// independent are statements by what they need of each other.
func independent(list []hast.Stmt) (parts []*LegPart) {
	for _, s := range list {
		u, own := usedBy(s), &LegPart{}
		parts = slices.DeleteFunc(parts, func(p *LegPart) bool {
			meets := usedBy(p.Body...).meets(u)
			if meets {
				own.Body = append(own.Body, p.Body...)
			}
			return meets
		})
		own.Body = append(own.Body, s)
		parts = append(parts, own)
	}
	return parts
}

// jammed is a list of loops over planes with one more, which is a part of one over the same planes where there is one.
func jammed(over []*Leg, l *hast.For) []*Leg {
	r := l.Space.Ranges[0]
	for _, p := range over {
		if q := p.Loop.Space.Ranges[0]; hast.Equal(r.Lo, q.Lo) && hast.Equal(r.Hi, q.Hi) && r.Step == q.Step {
			body := renamed(l.Body, l.Space.Vars[0], p.Loop.Space.Vars[0])
			p.Parts = append(p.Parts, &LegPart{Body: body})
			p.Loop.Body = append(slices.Clip(p.Loop.Body), body...)
			return over
		}
	}
	x := *l
	return append(over, &Leg{Loop: &x, Parts: []*LegPart{{Body: l.Body}}})
}

// linked says of legs what they take of each other; nil where that is an array.
func linked(legs []*Leg) []*Leg {
	of := map[*hast.Var]*LegPart{} // what defines a variable
	each := func(f func(p *LegPart, u used)) {
		for _, p := range legs {
			for _, x := range p.Parts {
				f(x, usedBy(x.Body...))
			}
		}
	}
	each(func(p *LegPart, _ used) {
		for _, s := range p.Body {
			if d, ok := s.(*hast.Define); ok {
				of[d.Var] = p
			}
		}
	})
	shared, arrays := map[*hast.Var]bool{}, false
	each(func(p *LegPart, u used) {
		for _, v := range u.order {
			if from := of[v]; from == nil || from == p {
				continue
			}
			shared[v] = true
			arrays = arrays || v.Type.IsArray()
			if p.Takes = append(p.Takes, v); u.written[v] {
				p.Leaves = append(p.Leaves, v)
			}
		}
	})
	each(func(p *LegPart, u used) {
		for _, v := range u.order {
			if of[v] == p && shared[v] {
				p.Leaves = append(p.Leaves, v)
			}
		}
	})
	if arrays {
		return nil
	}
	return legs
}

// OverPlanes reports whether a statement is a loop over the planes of an image.
func OverPlanes(s hast.Stmt) bool { return overPlanes(s) != nil }

// ReducesPlanes reports whether a reduction over planes and places in them is one that such a loop can do.
func ReducesPlanes(e *hast.Reduce) bool {
	_, loop := loopOf(e)
	return len(e.Space.Vars) > 1 && overPlanes(loop) != nil
}

// overPlanes is a statement that is a loop over the planes of an image, of one variable; nil of any other.
func overPlanes(s hast.Stmt) *hast.For {
	l, ok := s.(*hast.For)
	if !ok || l.Space.Points != nil || len(l.Space.Vars) == 0 || !onlyAccumulates(l.Body) {
		return nil
	}
	if n := len(l.Space.Vars); n > 1 {
		inner := &hast.For{Space: hast.Space{Vars: l.Space.Vars[1:], Ranges: l.Space.Ranges[1:]}, Body: l.Body, At: l.At}
		l = &hast.For{Space: hast.Space{Vars: l.Space.Vars[:1], Ranges: l.Space.Ranges[:1]}, Body: []hast.Stmt{inner}, At: l.At}
	}
	found := false
	hast.WalkBody(l.Body, nil, func(e hast.Expr) { found = found || inPlane(e, l.Space.Vars) })
	if !found {
		return nil
	}
	return l
}

// inPlane reports whether an expression reads a plane of an image that a variable says.
func inPlane(e hast.Expr, v []*hast.Var) bool {
	switch e := e.(type) {
	case *hast.Load:
		line, _, _ := Axes(e.Image)
		return slices.ContainsFunc(e.Index[:max(0, line)], func(c hast.Coord) bool { return hast.Names(c.X, v) })
	case *hast.Window:
		line, _, _ := Axes(e.Image)
		return slices.ContainsFunc(e.Axes[:max(0, line)], func(a hast.WindowAxis) bool { return hast.Names(a.Start.X, v) })
	}
	return false
}

// onlyAccumulates reports whether the body of a loop changes variables alone, and runs to its end.
func onlyAccumulates(body []hast.Stmt) bool {
	ok := true
	hast.WalkBody(body, func(s hast.Stmt) {
		switch s.(type) {
		case *hast.Define, *hast.Set, *hast.If, *hast.For:
		default:
			ok = false
		}
	}, nil)
	return ok
}

// loopsOfReductions is a body in which reductions over planes that every instance needs are loops before the statements that they are in.
func loopsOfReductions(body []hast.Stmt) (out []hast.Stmt) {
	for _, s := range body {
		take := func(e hast.Expr) hast.Expr {
			return hast.MapCertain(e, func(e hast.Expr) hast.Expr {
				r, ok := e.(*hast.Reduce)
				if !ok {
					return nil
				}
				start, loop := loopOf(r)
				if overPlanes(loop) == nil {
					return e
				}
				out = append(out, start, loop)
				return hast.RefTo(start.Var)
			})
		}
		switch s.(type) {
		case *hast.Define, *hast.Set, *hast.Store:
			s = hast.MapStmts([]hast.Stmt{s}, take)[0]
		}
		out = append(out, s)
	}
	return out
}

// accumulated are the operators by which a loop does what a reduction does.
var accumulated = map[hast.ReduceOp]ops.Op{hast.Sum: ops.Add, hast.Product: ops.Mul, hast.Min: ops.Min, hast.Max: ops.Max}

// loopOf is a sum, a product or an extreme as a loop that changes a variable, and that variable as it begins. The loop has variables of its own: reductions that have been
// put together share theirs, and what one of them reads would be taken for what the loop of another one has loaded. Nil, and a loop of nothing, where it is none of these.
func loopOf(e *hast.Reduce) (*hast.Define, *hast.For) {
	op, known := accumulated[e.Op]
	if !known || e.Ways > 0 || e.T.IsArray() || e.Elem.Type() != e.T {
		return nil, &hast.For{}
	}
	v := &hast.Var{Name: e.Op.String(), Type: e.T, Class: hast.Mutable, At: e.At}
	start := &hast.Const{Typed: e.Typed, Words: slices.Repeat([]types.Word{e.Op.Identity(e.T.Kind)}, e.T.Words())}
	body := []hast.Stmt{&hast.Set{Var: v, Value: &hast.Op{Typed: e.Typed, Op: op, Args: []hast.Expr{hast.RefTo(v), e.Elem}}, At: e.At}}
	if e.Where != nil {
		body = []hast.Stmt{&hast.If{Cond: e.Where, Then: body, At: e.At}}
	}
	own := e.Space
	own.Vars = make([]*hast.Var, len(e.Space.Vars))
	for k, v := range e.Space.Vars {
		w := *v
		own.Vars[k] = &w
		body = renamed(body, v, &w)
	}
	return &hast.Define{Var: v, Init: start, At: e.At}, &hast.For{Space: own, Body: body, At: e.At}
}

// renamed are statements with a variable in the place of another one.
func renamed(body []hast.Stmt, from, to *hast.Var) []hast.Stmt {
	return hast.MapStmts(body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if ref, ok := e.(*hast.Ref); ok && ref.Var == from {
				return hast.RefTo(to)
			}
			return nil
		})
	})
}
