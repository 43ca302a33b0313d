package lower

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Scalars that the device computes are images of the pipeline, and so are the parts of reductions. What lies between two values of bytes is known to be of their
// size also where it has been in memory, so that products of it are exact and quotients by it short.

// contents bound what the pixels of local images may be: by all that stages store.
type contents struct {
	stores  map[*hast.Image][]hast.Expr
	unknown map[*hast.Image]bool // images that are updated
	values  map[*hast.Var]hast.Expr
	known   map[*hast.Image]interval
}

// contentsOf looks at the stages of a pipeline.
func contentsOf(p *hast.Pipeline) *contents {
	c := &contents{stores: map[*hast.Image][]hast.Expr{}, unknown: map[*hast.Image]bool{}, values: map[*hast.Var]hast.Expr{}, known: map[*hast.Image]interval{}}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if stage, ok := s.(*hast.Stage); ok {
			for _, part := range stage.Fused {
				hast.WalkBody(part.Body, c.note, nil)
			}
			hast.WalkBody(stage.Body, c.note, nil)
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
func (c *contents) in(m *hast.Image) interval {
	if iv, ok := c.known[m]; ok {
		return iv
	}
	all := kindInterval(m.Elem.Kind)
	c.known[m] = all // of what depends on itself nothing more is known
	if m.Dir != hast.Local || m.View != nil || m.Of != nil || c.unknown[m] || len(c.stores[m]) == 0 || !m.Elem.Kind.IsInt() {
		return all
	}
	iv := c.of(c.stores[m][0])
	for _, e := range c.stores[m][1:] {
		iv = iv.join(c.of(e))
	}
	if m.Zero {
		iv = iv.join(point(0))
	}
	c.known[m] = iv
	return iv
}

// of bounds what an expression computes: of integers, by what it is made of.
func (c *contents) of(e hast.Expr) interval {
	all := kindInterval(e.Type().Kind)
	iv, ok := all, true
	switch e := e.(type) {
	case *hast.Const:
		if e.T.IsScalar() && e.T.Kind.IsInt() && e.T.Kind != types.U64 {
			iv = point(e.Words[0].Int())
		}
	case *hast.Ref:
		if init := c.values[e.Var]; init != nil {
			iv = c.of(init)
		}
	case *hast.Load:
		iv = c.loaded(e)
	case *hast.Select:
		iv = c.of(e.Then).join(c.of(e.Else))
	case *hast.Convert:
		if from := e.X.Type().Kind; e.How != hast.Bitcast && (from.IsInt() && from != types.U64 || from == types.Bool) {
			iv = c.of(e.X)
		}
	case *hast.Op:
		iv, ok = c.op(e)
	}
	if !ok || !iv.within(all) {
		return all
	}
	return iv
}

// loaded bounds a pixel, or what a rule has in its place.
func (c *contents) loaded(e *hast.Load) interval {
	if e.Rule != nil {
		return kindInterval(e.T.Kind)
	}
	return c.in(e.Image)
}

func (c *contents) op(e *hast.Op) (interval, bool) {
	if !e.T.IsScalar() || !e.T.Kind.IsInt() || len(e.Args) > len(operands{}) {
		return interval{}, false
	}
	args := make([]interval, len(e.Args))
	for i, a := range e.Args {
		if !a.Type().Kind.IsInt() {
			return interval{}, false
		}
		args[i] = c.of(a)
	}
	if !countFits(e.Op, e.T.Kind, args) {
		return interval{}, false
	}
	return opInterval(e.Op, args)
}
