package singles

import "imgc/hast"

// drop removes the stores to scalars that nothing reads any more, and the scalars.
func drop(p *hast.Pipeline) {
	used := map[*hast.Image]bool{}
	see := func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Stage:
			for m, t := range touches(s) {
				used[m] = used[m] || t.reads || !single(s)
			}
		case *hast.SetScalar:
			used[s.From] = true
		case *hast.Fetch:
			used[s.From] = true
		case *hast.Fresh:
			used[s.Image] = true
		case *hast.Swap:
			used[s.A], used[s.B] = true, true
		case *hast.Traverse, *hast.Descend:
			hast.WalkSteps(hast.StepBodies(s)[0], func(s hast.Step) {
				if s, ok := s.(*hast.Stage); ok {
					for m := range touches(s) {
						used[m] = true
					}
				}
			})
		}
	}
	hast.WalkSteps(p.Steps, see)
	gone := map[*hast.Image]bool{}
	for _, m := range p.Images {
		gone[m] = m.Dir == hast.Local && m.Scalar && m.Of == nil && m.View == nil && !used[m]
	}
	for _, m := range p.Images { // what a view shows is needed
		if m.View != nil {
			gone[m.Base()] = false
		}
	}
	p.Steps = without(p.Steps, gone)
	var images []*hast.Image
	for _, m := range p.Images {
		if !gone[m] {
			images = append(images, m)
		}
	}
	p.Images = images
}

func without(list []hast.Step, gone map[*hast.Image]bool) (out []hast.Step) {
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Stage:
			if x := withoutStores(s, gone); x != nil {
				out = append(out, x)
			}
		case *hast.IfHost:
			x := *s
			x.Then, x.Else = without(s.Then, gone), without(s.Else, gone)
			out = append(out, &x)
		case *hast.ForHost:
			x := *s
			x.Body = without(s.Body, gone)
			out = append(out, &x)
		case *hast.WhileHost:
			x := *s
			x.Body = without(s.Body, gone)
			out = append(out, &x)
		default:
			out = append(out, s)
		}
	}
	return out
}

// withoutStores is a stage without its stores to some images; nil where nothing is left to do.
func withoutStores(s *hast.Stage, gone map[*hast.Image]bool) hast.Step {
	out := *s
	out.Body = nil
	writes, dropped := false, false
	for _, st := range s.Body {
		store, ok := st.(*hast.Store)
		if ok && gone[store.Image] {
			dropped = true
			continue
		}
		writes = writes || ok
		out.Body = append(out.Body, st)
	}
	switch {
	case !dropped:
		return s
	case !writes:
		return nil
	}
	return &out
}
