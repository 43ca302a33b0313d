package coarse

import (
	"cmp"
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/finest"
	"imgc/optimize/loops"
)

// Of is the traverse of a pipeline whose last stage is s, whose coarse levels a work-group can compute; why says why there is none, as the end of a sentence.
func Of(p *hast.Pipeline, s *hast.Stage) (t *hast.Traverse, why string) {
	why = "it is not the last stage of a traverse"
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		x, ok := step.(*hast.Traverse)
		if !ok || t != nil || Last(x) != s {
			return
		}
		if why = Refuse(p, x); why == "" {
			t = x
		}
	})
	return t, why
}

// Last is the last stage of a traverse; nil where there is none.
func Last(t *hast.Traverse) *hast.Stage {
	list := Stages(t)
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// Stages are the stages of a traverse, in order.
func Stages(t *hast.Traverse) (list []*hast.Stage) {
	hast.WalkStages(t.Body, func(_ []hast.Step, s *hast.Stage) { list = append(list, s) })
	return list
}

// Each are the stages of a traverse, those that are fused with others one by one where what they hand on is in memory, as a level that is stored and the next one do: a group that waits after each
// stage runs them in turn.
func Each(t *hast.Traverse) (list []*hast.Stage) {
	for _, s := range Stages(t) {
		list = append(list, each(s)...)
	}
	return list
}

func each(s *hast.Stage) (list []*hast.Stage) {
	if len(s.Inner) > 0 || s.Reduced != nil {
		return []*hast.Stage{s}
	}
	for _, part := range s.Parts() {
		if len(part.Body) > 0 { // else it is around the others
			list = append(list, part.Alone())
		}
	}
	return list
}

// families are the pyramids whose levels the stages of a traverse touch, the first ones first.
func families(t *hast.Traverse) (list []*hast.Pyramid) {
	touched(t, func(m *hast.Image) {
		if m.Of != nil && !slices.Contains(list, m.Of) {
			list = append(list, m.Of)
		}
	})
	return list
}

// touched calls f for each image that stages of a traverse read or write, as often as they do.
func touched(t *hast.Traverse, f func(*hast.Image)) {
	for _, s := range Each(t) {
		s.EachRead(f)
		hast.EachStore(s.Body, func(st *hast.Store) { f(st.Image) })
	}
}

// Refuse says why no work-group can compute the coarse levels of a traverse of a pipeline by itself, as the end of a sentence; "" where one can.
func Refuse(p *hast.Pipeline, t *hast.Traverse) string {
	if !slices.Contains(finest.Traverses(p), t) {
		return "its traverse is inside of another one"
	}
	for _, find := range []func(*hast.Traverse) string{refuseSteps, refuseImages, refuseValues} {
		if why := find(t); why != "" {
			return why
		}
	}
	return ""
}

// refuseSteps looks for steps that are no stages under conditions, and for other than one way down.
func refuseSteps(t *hast.Traverse) (why string) {
	descends := 0
	hast.WalkSteps(t.Body, func(step hast.Step) {
		if why != "" {
			return
		}
		switch step := step.(type) {
		case *hast.Stage:
			for _, s := range each(step) {
				why = cmp.Or(why, loops.RefuseStage(s))
			}
			if len(step.Fused) > 0 && step == Last(t) {
				why = cmp.Or(why, loops.RefuseStage(step))
			}
		case *hast.IfHost:
		case *hast.Descend:
			descends++
			if n, known := hast.Number(step.Times); !known || n != 1 {
				why = "its traverse descends several times at a level"
			}
		case *hast.Fresh:
			if step.Image.Zero {
				why = step.Image.Name + " starts with zeros at each level"
			}
		default:
			why = "its traverse does more than run stages and descend"
		}
	})
	if why == "" && descends != 1 {
		why = "its traverse does not descend once"
	}
	return why
}

// refuseImages looks for levels that are not known by how far they are from the one at hand.
func refuseImages(t *hast.Traverse) (why string) {
	touched(t, func(m *hast.Image) {
		base := m.Base()
		switch {
		case base.Of == nil:
		case m.View != nil:
			why = m.Name + " is a part of a level"
		case len(m.Of.Over) > 1:
			why = m.Of.Name + " is in several traverses"
		case hast.LevelOf(m.Index).At != t.Levels.Level:
			why = m.Name + " is one level, whichever is at hand"
		case m.Of.Own() != t.Levels:
			why = "another traverse goes through the same levels"
		case m.Of.Used != nil && hast.LevelOf(m.Index).Plus < 0:
			why = m.Name + " is not there at all levels, and is needed at a finer one"
		}
	})
	for _, s := range Each(t) {
		s.EachRule(func(r *hast.Rule) {
			if r.Kind == hast.Formula {
				why = s.Name + " reads under a border by formula, which is for one image"
			}
		})
	}
	return why
}

// refuseValues looks for values of the host that might not be there at some level: all are computed before the launch.
func refuseValues(t *hast.Traverse) (why string) {
	values(t, func(e hast.Expr) {
		if why == "" && !total(e) {
			why = "a value of the host that it needs at coarser levels might not be there"
		}
	})
	return why
}

// values calls f for each value of the host that the launch of a traverse takes.
func values(t *hast.Traverse, f func(hast.Expr)) {
	for _, p := range families(t) {
		if p.Used != nil {
			f(p.Used)
		}
	}
	touched(t, func(m *hast.Image) {
		if m.Of != nil {
			for _, x := range m.Extent {
				f(x)
			}
		}
	})
	hast.WalkSteps(t.Body, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.IfHost:
			f(s.Cond)
		case *hast.Stage:
			for _, part := range s.Parts() {
				for _, r := range part.Space.Ranges {
					f(r.Lo)
					f(r.Hi)
				}
			}
		}
	})
}

// total reports whether a value of the host has one whatever its variables are.
func total(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Ref, *hast.Convert, *hast.Select:
		case *hast.Op:
			switch e.Op {
			case ops.Shl, ops.Shr:
				ok = false
			case ops.Div, ops.Rem, ops.Mod, ops.FloorDiv:
				n, known := hast.Number(e.Args[1])
				ok = ok && known && n > 0
			}
		default:
			ok = false
		}
	})
	return ok
}

// Most is how many levels may be written out: code grows with them, and parameters of the kernel do.
const Most = 12

// maxParameters is how many bytes of parameters every device takes, and imageBytes how many an image needs: where it is, the distance of its lines, and
// extents.
const maxParameters, imageBytes = 1024, 24

// RefuseLevels says why a traverse cannot have so many levels written out, as the end of a sentence; "" where it can.
func RefuseLevels(t *hast.Traverse, levels int) string {
	switch n := images(t, levels); {
	case levels < 2 || levels > Most:
		return fmt.Sprintf("2 to %d coarse levels are computed together, not %d", Most, levels)
	case n*imageBytes > maxParameters:
		return fmt.Sprintf("a kernel of %d levels would need %d images", levels, n)
	}
	return ""
}

// images is how many images a kernel of so many levels has at most.
func images(t *hast.Traverse, levels int) int {
	type level struct {
		of   *hast.Pyramid
		plus int64
	}
	seen := map[level]bool{}
	others := map[*hast.Image]bool{}
	touched(t, func(m *hast.Image) {
		if m.Of == nil {
			others[m.Base()] = true
			return
		}
		for d := range levels {
			seen[level{m.Of, hast.LevelOf(m.Index).Plus + int64(d)}] = true
		}
	})
	return len(seen) + len(others)
}
