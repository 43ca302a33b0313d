package loops

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// Local is the local memory that the images of a loop may take, in bytes: every device of interest gives a group as much.
const Local = 48 << 10

// Of is the loop of a pipeline whose last stage is s, the outermost one, that a work-group can run; why says why there is none, as the end of a sentence.
func Of(p *hast.Pipeline, s *hast.Stage) (loop *hast.ForHost, why string) {
	why = "it is not the last stage of a loop of the host"
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		l, ok := step.(*hast.ForHost)
		if !ok || loop != nil || Last(l) != s {
			return
		}
		if why = Refuse(l); why == "" {
			loop = l
		}
	})
	return loop, why
}

// Last is the last stage of a loop and of those in it; nil where there is none.
func Last(l *hast.ForHost) *hast.Stage {
	list := Stages(l)
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// Stages are the stages of a loop and of those in it, in order.
func Stages(l *hast.ForHost) (list []*hast.Stage) {
	hast.WalkSteps(l.Body, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			list = append(list, s)
		}
	})
	return list
}

// Refuse says why no work-group can run a loop by itself, as the end of a sentence; "" where one can.
func Refuse(l *hast.ForHost) string {
	why := ""
	hast.WalkSteps([]hast.Step{l}, func(step hast.Step) {
		if why != "" {
			return
		}
		switch step := step.(type) {
		case *hast.ForHost:
			if step != l && turns(l, step.Range.Lo, step.Range.Hi) {
				why = "how often a loop in it runs depends on the round"
			}
		case *hast.IfHost:
			if turns(l, step.Cond) {
				why = "what it does depends on the round"
			}
		case *hast.Stage:
			why = alone(l, step)
		case *hast.Fresh:
			if step.Image.Zero {
				why = step.Image.Name + " starts with zeros in each round"
			}
		default:
			if step != hast.Step(Swap(l)) {
				why = "its loop does more than to run stages, and to swap two images at the end of a round"
			}
		}
	})
	return why
}

// Swap is what ends each round of a loop by exchanging two images; nil where nothing does.
func Swap(l *hast.ForHost) *hast.Swap {
	if len(l.Body) == 0 {
		return nil
	}
	s, ok := l.Body[len(l.Body)-1].(*hast.Swap)
	if !ok || s.A.Of != nil || s.B.Of != nil || viewed(l, s.A, s.B) {
		return nil
	}
	return s
}

// viewed reports whether stages of a loop touch images by way of a view.
func viewed(l *hast.ForHost, images ...*hast.Image) bool {
	found := false
	see := func(m *hast.Image) { found = found || m.View != nil && slices.Contains(images, m.Base()) }
	for _, s := range Stages(l) {
		s.EachRead(see)
		hast.EachStore(s.Body, func(st *hast.Store) { see(st.Image) })
	}
	return found
}

// alone says why the instances of a stage cannot be computed in turns by one work-group.
func alone(l *hast.ForHost, s *hast.Stage) string {
	if why := RefuseStage(s); why != "" {
		return why
	}
	for _, r := range s.Space.Ranges {
		if turns(l, r.Lo, r.Hi) {
			return "the space of " + s.Name + " depends on the round"
		}
	}
	return ""
}

// RefuseStage says why the instances of a stage cannot be computed in turns by one work-group, whatever loop it is in.
func RefuseStage(s *hast.Stage) (why string) {
	switch {
	case s.Scan != nil:
		return s.Name + " is a scan"
	case len(s.Fused) > 0 || len(s.Inner) > 0 || s.Reduced != nil:
		return s.Name + " has others fused with it"
	case len(s.Space.Vars) == 0:
		return s.Name + " has one instance"
	}
	hast.EachStore(s.Body, func(st *hast.Store) {
		if block.Meets(s, st) {
			why = s.Name + " updates pixels that instances share"
		}
	})
	return why
}

// turns reports whether expressions depend on the round of a loop, or of one in it.
func turns(l *hast.ForHost, list ...hast.Expr) bool {
	changed := append(variables(l.Body), l.Var)
	return slices.ContainsFunc(list, func(e hast.Expr) bool { return e != nil && hast.Names(e, changed) })
}

// A Touch is what a loop does to an image.
type Touch struct {
	Image *hast.Image
	// Before: the loop may read what the image has held before it, or leave it there. Writes: it may change the image.
	Before, Writes bool
}

// Touches are the images with storage of their own that the stages of a loop read or write, the first ones first.
func Touches(l *hast.ForHost) (list []*Touch) {
	at := map[*hast.Image]*Touch{}
	touch := func(m *hast.Image) *Touch {
		t := at[m.Base()]
		if t == nil {
			t = &Touch{Image: m.Base(), Before: true}
			at[t.Image], list = t, append(list, t)
		}
		return t
	}
	for _, s := range Stages(l) {
		s.EachRead(func(m *hast.Image) { touch(m) })
		always := slices.Contains(l.Body, hast.Step(s)) // in each round of the loop
		hast.EachStore(s.Body, func(st *hast.Store) {
			known := at[st.Image.Base()] != nil
			t := touch(st.Image)
			if t.Writes = true; !known && always && fills(s, st) {
				t.Before = false
			}
		})
	}
	if s := Swap(l); s != nil { // each is what the other was
		a, b := touch(s.A), touch(s.B)
		a.Writes, b.Writes = true, true
	}
	return list
}

// Formulas reports whether stages of a loop read images under borders by formula, whose functions look at images in memory.
func Formulas(l *hast.ForHost) (found bool) {
	for _, s := range Stages(l) {
		s.EachRule(func(r *hast.Rule) { found = found || r.Kind == hast.Formula })
	}
	return found
}

// fills reports whether a stage writes all pixels of an image by a store, and needs none for it.
func fills(s *hast.Stage, st *hast.Store) bool {
	return s.Where == nil && !st.Updates() && slices.Contains(s.Body, hast.Stmt(st)) && s.Fills(st)
}
