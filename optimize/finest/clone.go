package finest

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A cloner writes steps as they are at a place.
type cloner struct {
	*apart
	at     place
	vars   map[*hast.Var]hast.Expr
	levels int // how many levels there are known to be: 1, or 2 for more than one; 0 where nothing is known
}

func (a *apart) cloner(at place, levels int) *cloner {
	return &cloner{apart: a, at: at, vars: a.values(at), levels: levels}
}

// steps are the steps of a list as they are at the place, without those that are known not to be carried out.
func (c *cloner) steps(list []hast.Step) (out []hast.Step) {
	if i := slices.Index(list, hast.Step(c.traverse)); i >= 0 {
		return c.around(list, i)
	}
	for _, s := range list {
		out = append(out, c.step(s)...)
	}
	return out
}

func (c *cloner) step(s hast.Step) []hast.Step {
	switch s := s.(type) {
	case *hast.Stage:
		return []hast.Step{c.stage(s)}
	case *hast.IfHost:
		return c.branch(s)
	case *hast.ForHost:
		x := *s
		x.Range.Lo, x.Range.Hi = c.host(s.Range.Lo), c.host(s.Range.Hi)
		x.Var = c.own(s.Var)
		if x.Body = c.steps(s.Body); s.Settles != nil {
			x.Settles = c.image(s.Settles)
		}
		return []hast.Step{&x}
	case *hast.WhileHost:
		return []hast.Step{&hast.WhileHost{Cond: c.host(s.Cond), Body: c.steps(s.Body), At: s.At}}
	case *hast.Traverse:
		x := *s
		x.Body = hast.Into(c.steps(s.Body), s, &x)
		return []hast.Step{&x}
	case *hast.Descend:
		return []hast.Step{&hast.Descend{Of: s.Of, Times: c.host(s.Times), Between: c.steps(s.Between), At: s.At}}
	}
	return c.plain(s)
}

// plain is a step that has none inside.
func (c *cloner) plain(s hast.Step) []hast.Step {
	switch s := s.(type) {
	case *hast.DefineHost:
		x := *s
		x.Value = c.host(s.Value)
		x.Var = c.own(s.Var)
		return []hast.Step{&x}
	case *hast.SetHost:
		x := *s
		x.Var, x.Value = c.now(s.Var), c.host(s.Value)
		return []hast.Step{&x}
	case *hast.SetScalar:
		x := *s
		x.Value = c.host(s.Value)
		if s.From != nil {
			x.From = c.image(s.From)
		}
		return []hast.Step{&x}
	case *hast.Fetch:
		return []hast.Step{&hast.Fetch{Var: c.own(s.Var), From: c.image(s.From), At: s.At}}
	case *hast.Fresh:
		return []hast.Step{&hast.Fresh{Image: c.image(s.Image), At: s.At}}
	case *hast.Swap:
		return []hast.Step{&hast.Swap{A: c.image(s.A), B: c.image(s.B), At: s.At}}
	case *hast.FreshPyramid:
		if others := c.coarser[s.Pyramid]; others != nil {
			return []hast.Step{&hast.Fresh{Image: c.finest[s.Pyramid], At: s.At}, &hast.FreshPyramid{Pyramid: others, At: s.At}}
		}
	}
	return []hast.Step{s}
}

// branch is what is left of a condition once the level is known.
func (c *cloner) branch(s *hast.IfHost) []hast.Step {
	cond := c.host(s.Cond)
	if holds, known := Truth(cond); known && holds {
		return c.steps(s.Then)
	} else if known {
		return c.steps(s.Else)
	}
	return []hast.Step{&hast.IfHost{Cond: cond, Then: c.steps(s.Then), Else: c.steps(s.Else), At: s.At}}
}

// stage is a stage as it is at the place, with a name of its own.
func (c *cloner) stage(s *hast.Stage) *hast.Stage {
	name := c.name(s.Name)
	x := hast.MapStage(s, c.host, c.expr, c.image)
	x.Name = name
	return x
}

// name is what a stage is called: what it was, unless another one is.
func (c *cloner) name(name string) string {
	switch {
	case c.levels == 1:
		return c.free(name + "_alone")
	case c.at == first && c.stays[name]:
		return c.free(name + "_finest")
	case c.at == second:
		return c.free(name + "_second")
	}
	return name
}

// own is a variable that the steps declare: of a list that is there twice, each has its own.
func (c *cloner) own(v *hast.Var) *hast.Var {
	if c.at == outside || c.at == rest {
		return v
	}
	w := again(v)
	c.vars[v] = hast.RefTo(w)
	return w
}

// now is what a variable of the steps is.
func (c *cloner) now(v *hast.Var) *hast.Var {
	if x, ok := c.vars[v].(*hast.Ref); ok {
		return x.Var
	}
	return v
}

// expr is an expression with the images and the level's variables that there are at the place.
func (c *cloner) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Ref:
			return c.vars[e.Var]
		case *hast.Load:
			if m := c.image(e.Image); m != e.Image {
				return hast.Reading(e, m, c.expr)
			}
		case *hast.Window:
			if m := c.image(e.Image); m != e.Image {
				return hast.Reading(e, m, c.expr)
			}
		}
		return nil
	})
}

// host is a host expression as it is at the place.
func (c *cloner) host(e hast.Expr) hast.Expr {
	if e == nil {
		return nil
	}
	e = Folded(hast.Map(e, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok {
			return c.vars[r.Var]
		}
		return nil
	}))
	return Folded(hast.Map(e, c.known))
}

// known is what is known of the number of levels and the level at hand; nil where nothing is.
func (c *cloner) known(e hast.Expr) hast.Expr {
	if finer, counts := c.counts(e); counts && c.levels == 1 {
		return hast.Int(1 + finer)
	}
	op, ok := e.(*hast.Op)
	if !ok || op.Op != ops.Eq && op.Op != ops.Gt {
		return nil
	}
	for i, x := range op.Args {
		n, constant := hast.Number(op.Args[1-i])
		if !constant {
			continue
		}
		finer, counts := c.counts(x)
		below := c.at == rest && n <= 0 && hast.Equal(x, c.vars[c.traverse.Levels.Level])
		switch {
		case op.Op == ops.Eq && (below || counts && c.levels > 1 && n <= 1+finer):
			return &hast.Const{Typed: op.Typed, Words: []types.Word{types.Truth(false)}}
		case op.Op == ops.Gt && i == 0 && below:
			return &hast.Const{Typed: op.Typed, Words: []types.Word{types.Truth(true)}}
		}
	}
	return nil
}

// counts reports whether an expression is the number of the traverse's levels, or of those and the finer ones that are by themselves already, and how many these are.
func (c *cloner) counts(e hast.Expr) (finer int64, ok bool) {
	count := c.traverse.Levels.Count
	for finer < int64(c.traverse.Apart) && !hast.Equal(e, count) {
		count = withFiner(count)
		finer++
	}
	return finer, hast.Equal(e, count)
}
