package rotate

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/finest"
	"imgc/types"
)

// Refuse says why a traverse cannot be rotated, as the end of a sentence; "" where it can.
func Refuse(p *hast.Pipeline, t *hast.Traverse) string {
	if !slices.Contains(finest.Traverses(p), t) {
		return "its traverse is inside of another one"
	}
	if why := refuseDescents(t); why != "" {
		return why
	}
	f := partsOf(t)
	switch {
	case len(f.looks) == 0 && f.own == nil:
		return "its traverse does nothing of the next level by itself: neither before it descends, nor where that begins"
	case len(f.beside) == 0:
		return "what its traverse does right before it descends has nothing to do with what it does of the next level"
	}
	for _, look := range f.looks {
		if why := f.refuseLook(look, t); why != "" {
			return why
		}
	}
	return ""
}

// refuseDescents looks for other than one way down.
func refuseDescents(t *hast.Traverse) string {
	descents, inner := 0, false
	hast.WalkSteps(t.Body, func(s hast.Step) {
		switch s.(type) {
		case *hast.Descend:
			descents++
		case *hast.Traverse:
			inner = true
		}
	})
	down := slices.IndexFunc(t.Body, descends)
	if inner || descents != 1 || down < 0 {
		return "its traverse has others inside, or does not descend once, whatever its conditions"
	}
	if n, known := hast.Number(t.Body[down].(*hast.Descend).Times); !known || n != 1 {
		return "its traverse descends several times at a level"
	}
	return ""
}

// refuseLook looks at what all levels but the finest begin with: stages, of levels that are known by how far they are from the one at hand, and of nothing that the body declares.
func (f *parts) refuseLook(look *hast.IfHost, t *hast.Traverse) (why string) {
	if holds, known := finest.Truth(finest.Folded(hast.Map(coarser(look.Cond, t.Levels), below))); !known || !holds {
		return "not all levels but the finest begin with the same"
	}
	for _, step := range look.Then {
		s, ok := step.(*hast.Stage)
		if !ok {
			return "its traverse begins with more than stages"
		}
		if names(s, hast.Declared(t.Body)) {
			return fmt.Sprintf("%s takes values that each level has of its own", s.Name)
		}
		touches(s, func(m *hast.Image) bool {
			if w := f.refuseImage(m, t.Levels); w != "" {
				why = fmt.Sprintf("%s %s", m.Name, w)
			}
			return false
		})
		s.EachRule(func(r *hast.Rule) {
			if r.Border != nil {
				why = fmt.Sprintf("%s reads under a border by formula, which is for one image", s.Name)
			}
		})
	}
	return why
}

// refuseImage says why an image is none whose next level can be named instead.
func (f *parts) refuseImage(m *hast.Image, l *hast.Levels) string {
	switch {
	case m.View != nil:
		return "is a part of an image"
	case m.Of == nil:
		return ""
	case len(m.Of.Over) > 1 || m.Of.Own() != l || hast.LevelOf(m.Index).At != l.Level:
		return "is one level, whichever is at hand, or of another traverse"
	case m.Of.Used != nil:
		return "is not there at all levels"
	case slices.ContainsFunc(f.declared, func(s hast.Step) bool {
		x, fresh := s.(*hast.Fresh)
		return fresh && x.Image.Of == m.Of
	}):
		return "starts anew at each level"
	}
	return ""
}

// names reports whether one of some variables stands in a stage.
func names(s *hast.Stage, vars []*hast.Var) (found bool) {
	look := func(e hast.Expr) { found = found || hast.Names(e, vars) }
	for _, r := range s.Space.Ranges {
		look(r.Lo)
		look(r.Hi)
	}
	if s.Where != nil {
		look(s.Where)
	}
	hast.WalkBody(s.Body, nil, look)
	return found
}

// coarser is a condition at the next level.
func coarser(cond hast.Expr, l *hast.Levels) hast.Expr {
	return hast.Map(cond, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok && r.Var == l.Level {
			return hast.Plus(e, 1)
		}
		return nil
	})
}

// below says of the level under one that is at hand that it is none of those above: it is not 0, and more. Nil of what that says nothing of.
func below(e hast.Expr) hast.Expr {
	op, ok := e.(*hast.Op)
	if !ok || len(op.Args) != 2 {
		return nil
	}
	is := func(holds bool) hast.Expr {
		return &hast.Const{Typed: op.Typed, Words: []types.Word{types.Truth(holds)}}
	}
	least, isLevel := atLeast(op.Args[0])
	n, known := hast.Number(op.Args[1])
	switch {
	case !isLevel || !known:
	case op.Op == ops.Eq && n < least:
		return is(false)
	case (op.Op == ops.Ne || op.Op == ops.Gt) && n < least, op.Op == ops.Ge && n <= least:
		return is(true)
	case op.Op == ops.Le && n < least, op.Op == ops.Lt && n <= least:
		return is(false)
	}
	return nil
}

// atLeast is what a level and a number are at least.
func atLeast(e hast.Expr) (n int64, isLevel bool) {
	sum, ok := e.(*hast.Op)
	if !ok || sum.Op != ops.Add || len(sum.Args) != 2 {
		return 0, false
	}
	level, isRef := sum.Args[0].(*hast.Ref)
	n, known := hast.Number(sum.Args[1])
	return n, isRef && known && level.Var.Class == hast.HostLevel
}
