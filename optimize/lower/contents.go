package lower

import (
	"imgc/hast"
	"imgc/hast/bounds"
	"imgc/interval"
	"imgc/ops"
)

// Scalars that the device computes are images of the pipeline, and so are the parts of reductions. What lies between two values of bytes is known to be of their
// size also where it has been in memory, so that products of it are exact and quotients by it short.

// contents bound what the pixels of local images may be: by all that stages store.
type contents struct {
	stores  map[*hast.Image][]hast.Expr
	unknown map[*hast.Image]bool // images that are updated
	values  map[*hast.Var]hast.Expr
	known   map[*hast.Image]interval.Interval
}

// contentsOf looks at the stages of a pipeline.
func contentsOf(p *hast.Pipeline) *contents {
	c := &contents{stores: map[*hast.Image][]hast.Expr{}, unknown: map[*hast.Image]bool{}, values: map[*hast.Var]hast.Expr{}, known: map[*hast.Image]interval.Interval{}}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if stage, ok := s.(*hast.Stage); ok {
			for _, part := range stage.Fused {
				hast.WalkBody(part.Body, c.note, nil)
			}
			hast.WalkBody(stage.Body, c.note, nil)
			if stage.Reduced != nil {
				hast.WalkBody(stage.Reduced.Body, c.note, nil)
			}
		}
	})
	return c
}

func (c *contents) note(s hast.Stmt) {
	switch s := s.(type) {
	case *hast.Store:
		c.unknown[s.Image] = c.unknown[s.Image] || s.Op != ops.None || s.Func != nil
		c.stores[s.Image] = append(c.stores[s.Image], s.Value)
	case *hast.Define:
		if s.Var.Class == hast.Value {
			c.values[s.Var] = s.Init
		}
	}
}

// in bounds the components of an image's pixels.
func (c *contents) in(m *hast.Image) interval.Interval {
	if iv, ok := c.known[m]; ok {
		return iv
	}
	all := interval.OfKind(m.Elem.Kind)
	c.known[m] = all // of what depends on itself nothing more is known
	if m.Dir != hast.Local || m.View != nil || m.Of != nil || c.unknown[m] || len(c.stores[m]) == 0 || !m.Elem.Kind.IsInt() {
		return all
	}
	iv := c.of(c.stores[m][0])
	for _, e := range c.stores[m][1:] {
		iv = iv.Join(c.of(e))
	}
	if m.Zero {
		iv = iv.Join(interval.Point(0))
	}
	c.known[m] = iv
	return iv
}

// of bounds what an expression computes.
func (c *contents) of(e hast.Expr) interval.Interval { return bounds.Of(e, c.knows) }

// knows bounds what stages read: lets, and pixels.
func (c *contents) knows(e hast.Expr) (interval.Interval, bool) {
	switch e := e.(type) {
	case *hast.Ref:
		if init := c.values[e.Var]; init != nil {
			return c.of(init), true
		}
	case *hast.Load:
		if e.Rule == nil { // else there may be what the rule has in its place
			return c.in(e.Image), true
		}
	}
	return interval.Interval{}, false
}
