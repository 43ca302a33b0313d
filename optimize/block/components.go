package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A Component is what a stage does for one component of its pixels, where it does the same for each of N: a body of scalars, whose reads of vectors stand for the component of them that is
// computed. A line of components then is what a line of pixels is elsewhere, with neighbours N places apart. Of any other stage, and of one whose pixels are scalars, it is the stage, and N is 1.
type Component struct {
	Of *hast.Stage
	N  int
}

// ByComponents is what a stage does for one component.
func ByComponents(s *hast.Stage) Component {
	all, n := Component{s, 1}, 0
	if s.Scan != nil || s.Where != nil || len(s.Fused) > 0 || len(s.Space.Vars) == 0 {
		return all
	}
	hast.EachStore(s.Body, func(st *hast.Store) { n = int(st.Image.Elem.Lanes) })
	if n < 2 {
		return all
	}
	c := &componentwise{n: n, x: s.Space.Vars[len(s.Space.Vars)-1], lets: map[*hast.Var]*hast.Var{}}
	out := *s
	if out.Body = c.body(s.Body); c.failed {
		return all
	}
	return Component{&out, n}
}

// Beside is what a stage does for each component of its pixels, where these lie side by side; else all that it does.
func (c Component) Beside(s *hast.Stage, what *Stage) Component {
	if c.N > 1 && (len(what.Direct) > 0 || what.Once || len(what.Outputs) == 0 || !sideBySide(what, c.N)) {
		return Component{s, 1}
	}
	return c
}

// sideBySide reports whether neighbours read and write neighbouring pixels of n components.
func sideBySide(what *Stage, n int) bool {
	next := func(p Place) bool { return p.X.Stride == 1 && p.X.Div == 0 && Channels(p.Image) == n }
	return !slices.ContainsFunc(what.Windows, func(w *Window) bool { return !next(w.Place) }) &&
		!slices.ContainsFunc(what.Outputs, func(o *Output) bool { return !next(o.Place) })
}

// InLanes is what each lane of wide values computes of a stage by rows: a component of a pixel, where these lie side by side in memory and are alike beside
// the image as well, else a pixel.
func (c Component) InLanes(s *hast.Stage, what *Stage) Component {
	turned := func(m *hast.Image) bool { return m.View != nil }
	if slices.ContainsFunc(what.Windows, func(w *Window) bool { return turned(w.Image) || !evenBeside(w.Rule) }) ||
		slices.ContainsFunc(what.Outputs, func(o *Output) bool { return turned(o.Image) }) {
		return Component{s, 1}
	}
	return c.Beside(s, what)
}

// evenBeside reports whether all components of what a rule gives beside the image are alike, or are those of some pixel.
func evenBeside(rule *hast.Rule) bool {
	if rule == nil || rule.Kind != hast.Constant {
		return true
	}
	switch v := rule.Value.(type) {
	case *hast.Const:
		return !slices.ContainsFunc(v.Words, func(w types.Word) bool { return w != v.Words[0] })
	case *hast.Splat:
		return true
	}
	return false
}

// A componentwise makes the body for one component.
type componentwise struct {
	n      int
	x      *hast.Var               // which counts pixels
	lets   map[*hast.Var]*hast.Var // those that are vectors, as scalars
	failed bool
}

func (c *componentwise) body(list []hast.Stmt) (out []hast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Define:
			if s.Var.Class != hast.Value || s.Init == nil {
				c.failed = true
				return nil
			}
			now := &hast.Define{Var: s.Var, Init: c.expr(s.Init), At: s.At}
			if s.Var.Type.IsVector() {
				own := *s.Var
				own.Type = s.Var.Type.WithLanes(1)
				c.lets[s.Var], now.Var = &own, &own
			}
			out = append(out, now)
		case *hast.Store:
			now := *s
			c.failed = c.failed || s.Updates() || s.Skip || int(s.Image.Elem.Lanes) != c.n
			now.Value = c.expr(s.Value)
			out = append(out, &now)
		default:
			c.failed = true
		}
	}
	return out
}

// expr is a value of one component. What is a scalar is the same for all of them: it must not know which pixel it is for, as what is read there does.
func (c *componentwise) expr(e hast.Expr) hast.Expr {
	t := e.Type()
	switch {
	case c.failed:
		return e
	case int(t.Lanes) == 1:
		return c.alike(e)
	case int(t.Lanes) != c.n:
		return c.fail(e)
	}
	typed := hast.Typed{T: t.WithLanes(1), At: e.Span()}
	switch e := e.(type) {
	case *hast.Const:
		return c.constant(e, typed)
	case *hast.Ref:
		if v := c.lets[e.Var]; v != nil {
			return hast.RefTo(v)
		}
	case *hast.Splat:
		if e.X.Type() == typed.T {
			return c.expr(e.X)
		}
	case *hast.Vec:
		if !slices.ContainsFunc(e.Parts[1:], func(p hast.Expr) bool { return !hast.Equal(p, e.Parts[0]) }) {
			return c.expr(e.Parts[0])
		}
	case *hast.Convert:
		return &hast.Convert{Typed: typed, X: c.expr(e.X), How: e.How}
	case *hast.Op:
		if r := e.Op.Info().Result; r != ops.Scalar && r != ops.Flag {
			out := &hast.Op{Typed: typed, Op: e.Op}
			for _, a := range e.Args {
				out.Args = append(out.Args, c.expr(a))
			}
			return out
		}
	case *hast.Select:
		return &hast.Select{Typed: typed, Cond: c.expr(e.Cond), Then: c.expr(e.Then), Else: c.expr(e.Else)}
	case *hast.Load:
		out := *e
		out.Typed = typed
		return &out
	case *hast.Window:
		out := *e
		out.Typed = typed
		return &out
	case *hast.Elem:
		out := &hast.Elem{Typed: typed, X: c.expr(e.X), InRange: e.InRange}
		for _, i := range e.Index {
			out.Index = append(out.Index, c.alike(i))
		}
		return out
	case *hast.Reduce:
		return c.reduce(e, typed)
	}
	return c.fail(e)
}

func (c *componentwise) fail(e hast.Expr) hast.Expr {
	c.failed = true
	return e
}

// alike is a scalar that is the same for all pixels of a line.
func (c *componentwise) alike(e hast.Expr) hast.Expr {
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load, *hast.Window:
			c.failed = true
		case *hast.Ref:
			c.failed = c.failed || e.Var == c.x || c.lets[e.Var] != nil
		}
	})
	return e
}

func (c *componentwise) constant(e *hast.Const, typed hast.Typed) hast.Expr {
	out := &hast.Const{Typed: typed, Name: e.Name}
	for k := 0; k < len(e.Words); k += c.n {
		pixel := e.Words[k : k+c.n]
		if slices.ContainsFunc(pixel[1:], func(w types.Word) bool { return w != pixel[0] }) {
			return c.fail(e)
		}
		out.Words = append(out.Words, pixel[0])
	}
	return out
}

func (c *componentwise) reduce(e *hast.Reduce, typed hast.Typed) hast.Expr {
	if e.Init != nil || e.Func != nil {
		return c.fail(e)
	}
	out := *e
	out.Typed, out.Elem = typed, c.expr(e.Elem)
	out.Space = hast.MapSpace(e.Space, c.alike)
	if e.Where != nil {
		out.Where = c.alike(e.Where)
	}
	return &out
}
