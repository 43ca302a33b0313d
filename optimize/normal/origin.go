package normal

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
)

// fromZero is a pipeline whose images begin at 0 along each axis: what a program declares as [-2 : H+2] has H+4 pixels, the first of which is 0. Stages that
// write the whole of such an image count from 0 as well. So it is an image as others are for what comes behind, which fuses stages, for one.
// Images of parameters and of pyramids, those that are viewed or swapped, and those that scans touch, stay as they are, and so does a pipeline that has
// borders by formula, which look at images elsewhere.
func fromZero(p *hast.Pipeline) *hast.Pipeline {
	z := &zeroing{to: map[*hast.Image]*hast.Image{}}
	out := *p
	out.Images = nil
	for _, m := range p.Images {
		if m.Dir == hast.Local && m.Of == nil && m.View == nil && slices.ContainsFunc(m.Lower, func(n int64) bool { return n != 0 }) {
			x := *m
			x.Lower = nil
			z.to[m] = &x
		}
	}
	z.exclude(p)
	if len(z.to) == 0 || z.formulas {
		return p
	}
	for _, m := range p.Images {
		if to := z.to[m]; to != nil {
			m = to
		}
		out.Images = append(out.Images, m)
	}
	out.Steps = hast.MapSteps(p.Steps, z.step)
	return &out
}

// A zeroing is what becomes of the images of a pipeline.
type zeroing struct {
	to       map[*hast.Image]*hast.Image
	formulas bool // the pipeline has borders by formula
}

// exclude leaves out images that are known to others by where they begin.
func (z *zeroing) exclude(p *hast.Pipeline) {
	for _, m := range p.Images {
		if m.View != nil {
			delete(z.to, m.Base())
		}
	}
	leaveOut(p, z.to, z.look)
}

// leaveOut leaves out of images to be replaced those that steps know by more than their pixels: which are exchanged, viewed, or become scalars. It looks at each stage.
func leaveOut(p *hast.Pipeline, to map[*hast.Image]*hast.Image, look func(*hast.Stage)) {
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Swap:
			delete(to, s.A)
			delete(to, s.B)
		case *hast.DefineView:
			delete(to, s.Image.Base())
		case *hast.SetScalar:
			delete(to, s.From)
		case *hast.Fetch:
			delete(to, s.From)
		case *hast.Stage:
			look(s)
		}
	})
}

// look finds what a stage does that images which begin at 0 do not bear.
func (z *zeroing) look(s *hast.Stage) {
	s.EachRule(func(r *hast.Rule) { z.formulas = z.formulas || r.Kind == hast.Formula })
	see := func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			for _, c := range e.Index {
				z.near(e.Image, c)
			}
		case *hast.Window:
			for _, a := range e.Axes {
				z.near(e.Image, a.Start)
			}
		}
	}
	if s.Where != nil {
		hast.Walk(s.Where, see)
	}
	hast.WalkBody(s.Body, nil, see)
	if s.Scan != nil {
		s.EachRead(func(m *hast.Image) { delete(z.to, m) })
		hast.EachStore(s.Body, func(st *hast.Store) { delete(z.to, st.Image) })
	}
}

// near leaves an image out that is read at a coordinate that may lie so far outside that it is another one of 32 bits if it is counted from elsewhere: all
// but variables of iterations, and constants beside them.
func (z *zeroing) near(m *hast.Image, c hast.Coord) {
	if z.to[m] == nil || !c.Below && !c.Above {
		return
	}
	terms, sum := linear.Terms(c.X)
	if len(terms) > 1 || sum > hast.MaxExtent/2 || sum < -hast.MaxExtent/2 {
		delete(z.to, m)
		return
	}
	for _, t := range terms {
		if r, ok := t.X.(*hast.Ref); !ok || t.Minus || r.Var.Class != hast.Iterator {
			delete(z.to, m)
		}
	}
}

func (z *zeroing) step(s hast.Step) []hast.Step {
	switch s := s.(type) {
	case *hast.Fresh:
		if to := z.to[s.Image]; to != nil {
			return []hast.Step{&hast.Fresh{Image: to, At: s.At}}
		}
	case *hast.Stage:
		return []hast.Step{z.stage(s)}
	}
	return nil
}

// A counter is the variable of a stage that counts from 0 in place of one that counts from first.
type counter struct {
	of    *hast.Var
	first int64
}

// stage is a stage that reads and writes the images as they are then.
func (z *zeroing) stage(s *hast.Stage) *hast.Stage {
	out, counters := *s, z.counters(s)
	if len(counters) > 0 {
		out.Space.Vars, out.Space.Ranges = slices.Clone(s.Space.Vars), slices.Clone(s.Space.Ranges)
		for k, v := range s.Space.Vars {
			if c, ok := counters[v]; ok {
				r := s.Space.Ranges[k]
				out.Space.Vars[k] = c.of
				out.Space.Ranges[k].Lo, out.Space.Ranges[k].Hi = linear.Plus(r.Lo, -c.first), linear.Plus(r.Hi, -c.first)
			}
		}
	}
	one := func(e hast.Expr) hast.Expr { return z.expr(e, counters) }
	if s.Where != nil {
		out.Where = one(s.Where)
	}
	out.Body = hast.MapStmts(s.Body, one)
	hast.WalkBody(out.Body, func(st hast.Stmt) {
		if st, ok := st.(*hast.Store); ok {
			for k := range st.Index {
				st.Index[k] = z.place(st.Image, k, st.Index[k], len(counters) > 0)
			}
			st.Image = z.now(st.Image)
		}
	}, nil)
	return &out
}

// now is what an image is then.
func (z *zeroing) now(m *hast.Image) *hast.Image {
	if to := z.to[m]; to != nil {
		return to
	}
	return m
}

// place is a coordinate of an image as it is then; it is summed up where it may have a counter in it.
func (z *zeroing) place(m *hast.Image, axis int, x hast.Expr, counted bool) hast.Expr {
	switch {
	case z.to[m] != nil:
		return linear.Plus(x, -m.Lower[axis])
	case counted:
		return linear.Plus(x, 0)
	}
	return x
}

// counters are the variables of a stage that are to count from 0: those along axes of an image that it writes from its first index on.
func (z *zeroing) counters(s *hast.Stage) map[*hast.Var]counter {
	list := map[*hast.Var]counter{}
	hast.EachStore(s.Body, func(st *hast.Store) {
		if z.to[st.Image] == nil {
			return
		}
		for k, i := range st.Index {
			r, ok := i.(*hast.Ref)
			if !ok {
				continue
			}
			axis := slices.Index(s.Space.Vars, r.Var)
			if axis < 0 || st.Image.Lower[k] == 0 || s.Space.Ranges[axis].Step != 1 {
				continue
			}
			if first, known := hast.Number(s.Space.Ranges[axis].Lo); known && first == st.Image.Lower[k] && list[r.Var].of == nil {
				v := *r.Var
				list[r.Var] = counter{&v, first}
			}
		}
	})
	return list
}

// expr is an expression of the stage as it is then.
func (z *zeroing) expr(e hast.Expr, counters map[*hast.Var]counter) hast.Expr {
	place := func(m *hast.Image, axis int, x hast.Expr) hast.Expr {
		return z.place(m, axis, z.expr(x, counters), len(counters) > 0)
	}
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Ref:
			if c, ok := counters[e.Var]; ok {
				return linear.Plus(&hast.Ref{Typed: e.Typed, Var: c.of}, c.first)
			}
		case *hast.Load:
			x := *e
			x.Index = slices.Clone(e.Index)
			for k := range x.Index {
				x.Index[k].X = place(e.Image, k, e.Index[k].X)
			}
			x.Image = z.now(e.Image)
			return &x
		case *hast.Window:
			x := *e
			x.Axes = slices.Clone(e.Axes)
			for k := range x.Axes {
				x.Axes[k].Start.X = place(e.Image, k, e.Axes[k].Start.X)
			}
			x.Image = z.now(e.Image)
			return &x
		}
		return nil
	})
}
