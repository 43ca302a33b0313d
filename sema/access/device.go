package access

import "imgc/hast"

// A computed is a device scalar that one stage gives a value, before every stage that reads it. What is known of that value is what
// the expression says: it is evaluated once, so that what goes into it beside values of the host is the same for all instances of
// every stage.
type computed struct {
	value  hast.Expr
	scope  *scope
	region *region // where the stage stands; outside of it, it may not have run
}

// countStores says how many stores write each device scalar.
func countStores(p *hast.Pipeline) map[*hast.Image]int {
	stores := map[*hast.Image]int{}
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		if stage, ok := step.(*hast.Stage); ok {
			hast.WalkBody(stage.Body, func(st hast.Stmt) {
				if st, ok := st.(*hast.Store); ok && st.Image.Scalar {
					stores[st.Image]++
				}
			}, nil)
		}
	})
	return stores
}

// remember notes the value of a device scalar that a stage under s computes, unless a step before has dealt with it.
func (a *analysis) remember(stage *hast.Stage, s *scope, w *walker, before []touched) {
	if len(stage.Body) != 1 || stage.Where != nil {
		return
	}
	st, ok := stage.Body[0].(*hast.Store)
	if !ok || st.Updates() || st.Skip || !st.Image.Scalar || a.stores[st.Image] != 1 {
		return
	}
	for _, t := range before {
		if t.image == st.Image {
			return
		}
	}
	once := s.instance(&stage.Space, map[*hast.Image]bool{st.Image: true})
	once.once = true
	a.device[st.Image] = &computed{st.Value, once, w.region}
}

// forget drops what was computed in a region that ends.
func (a *analysis) forget(r *region) {
	for m, c := range a.device {
		if c.region == r {
			delete(a.device, m)
		}
	}
}
