package finest

import (
	"fmt"
	"slices"

	"imgc/hast"
)

// Refuse says why the finest level of a traverse cannot be by itself, as the end of a sentence; "" where it can.
func Refuse(p *hast.Pipeline, t *hast.Traverse) string {
	for _, find := range []func(*hast.Pipeline, *hast.Traverse) string{refuseShape, refuseOthers, refuseLooks} {
		if why := find(p, t); why != "" {
			return why
		}
	}
	return ""
}

// Uses reports whether stages outside of a traverse touch the finest level of its pyramids: they may be put together with what the traverse does
// there, once that is by itself.
func Uses(p *hast.Pipeline, t *hast.Traverse) bool {
	found := false
	inside := map[hast.Step]bool{}
	hast.WalkSteps(t.Body, func(s hast.Step) { inside[s] = true })
	hast.WalkSteps(p.Steps, func(s hast.Step) { found = found || isStage(s) && !inside[s] && usesFinest(s, t.Levels) })
	return found
}

// usesFinest reports whether a step touches the finest level of a pyramid of l.
func usesFinest(s hast.Step, l *hast.Levels) bool {
	found := false
	images(s, func(m *hast.Image) {
		if m.Of != nil && m.Of.Own() == l {
			n := hast.LevelOf(m.Index)
			found = found || n.At == nil && n.Plus == 0
		}
	})
	return found
}

// refuseShape looks at the steps of the traverse.
func refuseShape(p *hast.Pipeline, t *hast.Traverse) string {
	down, descends, inner := descent(t), 0, false
	hast.WalkSteps(t.Body, func(s hast.Step) {
		switch s.(type) {
		case *hast.Descend:
			descends++
		case *hast.Traverse:
			inner = true
		}
	})
	switch {
	case !slices.Contains(Traverses(p), t):
		return "its traverse is inside of another one"
	case inner:
		return "its traverse has others inside"
	case descends != 1 || down < 0:
		return "its traverse does not descend once, whatever its conditions"
	}
	if n, known := hast.Number(t.Body[down].(*hast.Descend).Times); !known || n != 1 {
		return "its traverse descends several times at a level"
	}
	if n, known := hast.Number(t.Levels.Count); known && n < 2 {
		return "its traverse has one level"
	}
	return ""
}

// refuseOthers looks at what else has to do with the levels.
func refuseOthers(p *hast.Pipeline, t *hast.Traverse) (why string) {
	for _, f := range p.Pyramids {
		if slices.Contains(f.Over, t.Levels) && len(f.Over) > 1 {
			return fmt.Sprintf("%s is in several traverses", f.Name)
		}
		for _, x := range f.Extent {
			if f.Own() == t.Levels && hast.Names(x, hast.Declared(t.Body)) {
				return fmt.Sprintf("an extent of %s is computed at each level", f.Name)
			}
		}
	}
	for _, m := range p.Images {
		if m.Of != nil && refersElsewhere(m, t.Levels) {
			return "another traverse goes through the same levels"
		}
		if base := m.Base(); m.View != nil && base.Of != nil && base.Of.Own() == t.Levels {
			return fmt.Sprintf("%s is a part of a level", m.Name)
		}
	}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		exprs(s, func(e hast.Expr) {
			if m, rule := ruled(e); rule != nil && rule.Border != nil && m.Of != nil && m.Of.Own() == t.Levels {
				why = fmt.Sprintf("%s has a border by formula, which is for one image", m.Name)
			}
		})
		if s, ok := s.(*hast.SwapPyramids); ok && (s.A.Own() == t.Levels || s.B.Own() == t.Levels) {
			why = fmt.Sprintf("%s and %s are swapped", s.A.Name, s.B.Name)
		}
	})
	return why
}

// refersElsewhere reports whether an image is named by the level at hand of l, and its pyramid is counted by another one, or the other way round:
// the last of several traverses counts a pyramid.
func refersElsewhere(m *hast.Image, l *hast.Levels) bool {
	at := hast.LevelOf(m.Index).At
	return at != nil && (at == l.Level) != (m.Of.Own() == l)
}

// ruled is the image that an expression reads, and its border rule.
func ruled(e hast.Expr) (*hast.Image, *hast.Rule) {
	switch e := e.(type) {
	case *hast.Load:
		return e.Image, e.Rule
	case *hast.Window:
		return e.Image, e.Rule
	}
	return nil, nil
}

// refuseLooks looks for steps that need a finer level: those at the beginning alone may, and the next one alone.
func refuseLooks(p *hast.Pipeline, t *hast.Traverse) (why string) {
	looks := looking(t)
	for i, s := range t.Body {
		reach := int64(0)
		if i < looks {
			reach = 1
		}
		hast.WalkSteps([]hast.Step{s}, func(s hast.Step) {
			images(s, func(m *hast.Image) {
				if m.Of == nil {
					return
				}
				if n := hast.LevelOf(m.Index); n.At == t.Levels.Level && n.Plus < -reach {
					why = fmt.Sprintf("%s is needed elsewhere than where the traverse begins and asks whether there is such a level", m.Name)
				}
			})
			exprs(s, func(e hast.Expr) {
				if r, ok := e.(*hast.Ref); ok && finer(t.Levels, r.Var) > reach {
					why = fmt.Sprintf("%s is needed elsewhere than where the traverse begins and asks whether there is such a level", r.Var.Name)
				}
			})
		})
	}
	return why
}

// finer is how many levels finer than the one at hand a variable speaks of.
func finer(l *hast.Levels, v *hast.Var) int64 {
	for _, s := range l.Scaled {
		if k := slices.Index(s.Finer, v); k >= 0 {
			return int64(k) + 1
		}
	}
	return 0
}

// images calls f for each image that a step names, but for those in steps inside of it.
func images(s hast.Step, f func(*hast.Image)) {
	switch s := s.(type) {
	case *hast.Stage:
		hast.EachStore(s.Body, func(w *hast.Store) { f(w.Image) })
	case *hast.SetScalar:
		if s.From != nil {
			f(s.From)
		}
	case *hast.Fetch:
		f(s.From)
	case *hast.Fresh:
		f(s.Image)
	case *hast.Swap:
		f(s.A)
		f(s.B)
	}
	exprs(s, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			f(e.Image)
		case *hast.Window:
			f(e.Image)
		}
	})
}

// exprs calls f for each expression in a step, but for those in steps inside of it.
func exprs(s hast.Step, f func(hast.Expr)) {
	walk := func(list ...hast.Expr) {
		for _, e := range list {
			if e != nil {
				hast.Walk(e, f)
			}
		}
	}
	switch s := s.(type) {
	case *hast.Stage:
		for _, r := range s.Space.Ranges {
			walk(r.Lo, r.Hi)
		}
		walk(s.Where)
		hast.WalkBody(s.Body, nil, f)
	case *hast.IfHost:
		walk(s.Cond)
	case *hast.ForHost:
		walk(s.Range.Lo, s.Range.Hi)
	case *hast.WhileHost:
		walk(s.Cond)
	case *hast.DefineHost:
		walk(s.Value)
	case *hast.SetHost:
		walk(s.Value)
	case *hast.SetScalar:
		walk(s.Value)
	case *hast.Descend:
		walk(s.Times)
	}
}
