package lower

import (
	"imgc/hast"
	"imgc/interval"
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

// of bounds what an expression computes: of integers, by what it is made of.
func (c *contents) of(e hast.Expr) interval.Interval {
	switch e := e.(type) {
	case *hast.Const:
		if e.T.IsScalar() && e.T.Kind.IsInt() {
			return interval.OfWord(e.T.Kind, e.Words[0])
		}
	case *hast.Ref:
		if init := c.values[e.Var]; init != nil {
			return c.of(init)
		}
	case *hast.Load:
		return c.loaded(e)
	case *hast.Select:
		return c.of(e.Then).Join(c.of(e.Else))
	case *hast.Convert:
		return c.converted(e)
	case *hast.Op:
		return c.op(e)
	}
	return interval.OfKind(e.Type().Kind)
}

// loaded bounds a pixel, or what a rule has in its place.
func (c *contents) loaded(e *hast.Load) interval.Interval {
	if e.Rule != nil {
		return interval.OfKind(e.T.Kind)
	}
	return c.in(e.Image)
}

// converted bounds a conversion of an integer or a bool.
func (c *contents) converted(e *hast.Convert) interval.Interval {
	from, to := e.X.Type().Kind, e.T.Kind
	if e.How == hast.Bitcast || !from.IsInt() && from != types.Bool {
		return interval.OfKind(to)
	}
	if e.How == hast.Saturate {
		return c.of(e.X).Limit(interval.OfKind(to))
	}
	iv, _ := c.of(e.X).Convert(from, to)
	return iv
}

func (c *contents) op(e *hast.Op) interval.Interval {
	if !e.T.IsScalar() || !e.T.Kind.IsInt() {
		return interval.OfKind(e.T.Kind)
	}
	args := make([]interval.Interval, len(e.Args))
	for i, a := range e.Args {
		if !a.Type().Kind.IsInt() {
			return interval.OfKind(e.T.Kind)
		}
		args[i] = c.of(a)
	}
	iv, _ := interval.InKind(e.Op, e.Args[0].Type().Kind, args...)
	return iv
}
