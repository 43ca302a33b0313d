package normal

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// inVectors is a pipeline whose images have vectors for pixels where the program has their components as an axis, u8x3[H][W] for u8[H][W][3]: the bytes are the same. What comes behind
// then knows pixels in one form alone. Images stay as they are of which some component is not known by its number, or is written without the others, and those that are viewed, exchanged,
// levels of pyramids, scanned, or read under a border by formula.
func inVectors(p *hast.Pipeline) *hast.Pipeline {
	x := &vectoring{to: map[*hast.Image]*hast.Image{}}
	for _, m := range p.Images {
		if n := components(m); n > 1 && m.Elem.IsScalar() && m.View == nil && m.Of == nil && m.Lower == nil {
			now := *m
			last := m.Rank() - 1
			now.Elem, now.Extent, now.Spread = m.Elem.WithLanes(int(n)), m.Extent[:last:last], m.Dir != hast.Local
			x.to[m] = &now
		}
	}
	if len(x.to) > 0 {
		leaveOut(p, x.to, x.look)
	}
	out := *p
	if len(x.to) == 0 {
		out.Steps = hast.MapSteps(p.Steps, x.step)
		return &out
	}
	out.Images = slices.Clone(p.Images)
	for k, m := range p.Images {
		out.Images[k] = x.now(m)
	}
	out.Params = slices.Clone(p.Params)
	for k, q := range p.Params {
		if q.Image != nil {
			now := *q
			now.Image = x.now(q.Image)
			out.Params[k] = &now
		}
	}
	out.Sizes = slices.Clone(p.Sizes)
	for k, s := range p.Sizes {
		now := *s
		now.Image = x.now(s.Image)
		out.Sizes[k] = &now
	}
	out.Steps = hast.MapSteps(p.Steps, x.step)
	return &out
}

// A vectoring is what becomes of the images of a pipeline.
type vectoring struct {
	to map[*hast.Image]*hast.Image
}

// now is what an image is then.
func (x *vectoring) now(m *hast.Image) *hast.Image {
	if to := x.to[m]; to != nil {
		return to
	}
	return m
}

// look leaves out images of which a stage does not take whole pixels, or components by their numbers.
func (x *vectoring) look(s *hast.Stage) {
	if s.Scan != nil {
		s.EachRead(func(m *hast.Image) { delete(x.to, m) })
		hast.EachStore(s.Body, func(st *hast.Store) { delete(x.to, st.Image) })
		return
	}
	each := loopOf(s)
	see := func(r *hast.Rule, m *hast.Image, last hast.Expr) {
		if r != nil && r.Kind == hast.Formula {
			delete(x.to, m)
			delete(x.to, r.Border.Image)
		}
		if numbers(last, m, each) == nil {
			delete(x.to, m)
		}
	}
	read := map[*hast.Image]bool{} // by a component that may be another one than that which is written
	visit := func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			last := e.Index[len(e.Index)-1].X
			see(e.Rule, e.Image, last)
			read[e.Image] = read[e.Image] || each == nil || !hast.IsVar(last, each.v)
		case *hast.Window:
			last := e.Axes[len(e.Axes)-1]
			see(e.Rule, e.Image, last.Start.X)
			if read[e.Image] = true; last.Colon {
				delete(x.to, e.Image)
			}
		}
	}
	if s.Where != nil {
		hast.Walk(s.Where, visit)
	}
	hast.WalkBody(s.Body, nil, visit)
	stored := x.stored(s.Body, each)
	hast.EachStore(s.Body, func(st *hast.Store) {
		if !stored[st.Image] || read[st.Image] {
			delete(x.to, st.Image)
		}
	})
}

// A loop is one over the components of pixels that is the body of a stage.
type loop struct {
	v    *hast.Var
	n    int // components
	body []hast.Stmt
}

// loopOf is the loop that a stage consists of; nil where it does not.
func loopOf(s *hast.Stage) *loop {
	if len(s.Body) != 1 {
		return nil
	}
	all, ok := s.Body[0].(*hast.For)
	if !ok || len(all.Space.Ranges) != 1 || !all.Space.Ranges[0].Counts() || slices.ContainsFunc(all.Body, leaves) {
		return nil
	}
	n, known := hast.Number(all.Space.Ranges[0].Hi)
	if !known || n < 2 || n > 4 {
		return nil
	}
	return &loop{all.Space.Vars[0], int(n), all.Body}
}

// leaves reports whether a statement may end the loop that it stands in, or a round of it.
func leaves(s hast.Stmt) bool {
	switch s := s.(type) {
	case *hast.Break, *hast.Continue:
		return true
	case *hast.If:
		return slices.ContainsFunc(s.Then, leaves) || slices.ContainsFunc(s.Else, leaves)
	}
	return false
}

// numbers are which components of an image a subscript is in each round of a loop over them, or anywhere. Nil where that is not known.
func numbers(last hast.Expr, m *hast.Image, each *loop) []int {
	return each.numbered(last, components(m))
}

// numbered are the values of a subscript, below n, in each round of a loop; without one it is the same anywhere.
func (l *loop) numbered(last hast.Expr, n int64) (list []int) {
	rounds := 1
	if l != nil {
		rounds = l.n
	}
	for k := range rounds {
		c, known := numbered(last, l, k)
		if !known || c < 0 || c >= n {
			return nil
		}
		list = append(list, int(c))
	}
	return list
}

// numbered is the value of a subscript in round k of a loop, if there is one.
func numbered(last hast.Expr, each *loop, k int) (int64, bool) {
	c := &block.Combiner{}
	if each != nil {
		c.Bind([]*hast.Var{each.v}, []int64{int64(k)})
	}
	return c.Constant(last)
}

// stored are the images of which a stage writes all components of a pixel, at one place each: one in each round of the loop over them, or one after the other.
func (x *vectoring) stored(list []hast.Stmt, each *loop) map[*hast.Image]bool {
	stores := map[*hast.Image][]*hast.Store{}
	in := list
	if each != nil {
		in = each.body
	}
	for _, s := range in {
		if st, ok := s.(*hast.Store); ok && !st.Updates() && !st.Skip {
			stores[st.Image] = append(stores[st.Image], st)
		}
	}
	found := map[*hast.Image]int{}
	hast.EachStore(list, func(st *hast.Store) { found[st.Image]++ })
	out := map[*hast.Image]bool{}
	for m, list := range stores {
		last := m.Rank() - 1
		whole := len(list) == found[m]
		if each != nil {
			whole = whole && len(list) == 1 && hast.IsVar(list[0].Index[last], each.v) && components(m) == int64(each.n)
		} else {
			seen := map[int64]bool{}
			for _, st := range list {
				k, known := numbered(st.Index[last], nil, 0)
				whole = whole && known && slices.EqualFunc(st.Index[:last], list[0].Index[:last], hast.Equal)
				seen[k] = true
			}
			whole = whole && int64(len(seen)) == components(m) && len(seen) == len(list)
		}
		out[m] = whole
	}
	return out
}

func (x *vectoring) step(s hast.Step) []hast.Step {
	switch s := s.(type) {
	case *hast.Fresh:
		if to := x.to[s.Image]; to != nil {
			return []hast.Step{&hast.Fresh{Image: to, At: s.At}}
		}
	case *hast.Stage:
		return []hast.Step{x.stage(s)}
	}
	return nil
}

// stage is a stage that reads and writes the images as they are then.
func (x *vectoring) stage(s *hast.Stage) *hast.Stage {
	each := loopOf(s)
	touched := x.touched(s)
	if !touched && !each.takes() {
		return s
	}
	out := *s
	if s.Where != nil {
		out.Where = x.expr(s.Where)
	}
	if each == nil {
		out.Body = x.written(hast.MapStmts(s.Body, x.expr))
		return &out
	}
	if out.Body = x.side(each); out.Body == nil {
		out.Body = x.written(hast.MapStmts(each.unrolled(), x.expr))
	}
	return &out
}

// takes reports whether a loop takes components of vectors by their numbers.
func (l *loop) takes() (found bool) {
	if l == nil {
		return false
	}
	hast.WalkBody(l.body, nil, func(e hast.Expr) {
		x, ok := e.(*hast.Elem)
		found = found || ok && componentsOf(x.X) != nil && hast.Names(x.Index[0], []*hast.Var{l.v})
	})
	return found
}

// touched reports whether a stage reads or writes one of the images.
func (x *vectoring) touched(s *hast.Stage) (found bool) {
	s.EachRead(func(m *hast.Image) { found = found || x.to[m] != nil })
	hast.EachStore(s.Body, func(st *hast.Store) { found = found || x.to[st.Image] != nil })
	return found
}

// unrolled is what a loop does, round by round.
func (l *loop) unrolled() (list []hast.Stmt) {
	for k := range l.n {
		list = append(list, round(l.body, []*hast.Var{l.v}, []int64{int64(k)})...)
	}
	return list
}

// written is a body that stores whole pixels where it stores their components one by one.
func (x *vectoring) written(list []hast.Stmt) (out []hast.Stmt) {
	parts := map[*hast.Image][]hast.Expr{}
	for _, s := range list {
		st, ok := s.(*hast.Store)
		if !ok || x.to[st.Image] == nil {
			out = append(out, s)
			continue
		}
		m, last := st.Image, len(st.Index)-1
		if parts[m] == nil {
			parts[m] = make([]hast.Expr, components(m))
		}
		k, _ := numbered(st.Index[last], nil, 0)
		c := &hast.Var{Name: m.Name + "_" + string("xyzw"[k]), Type: m.Elem, Class: hast.Value, At: st.At}
		out = append(out, &hast.Define{Var: c, Init: st.Value, At: st.At})
		parts[m][k] = hast.RefTo(c)
		if !slices.Contains(parts[m], nil) {
			now := *st
			now.Image, now.Index = x.to[m], st.Index[:last:last]
			now.Value = &hast.Vec{Typed: hast.Typed{T: now.Image.Elem, At: st.At}, Parts: parts[m]}
			out = append(out, &now)
		}
	}
	return out
}

// expr is an expression that takes components out of the pixels that it reads.
func (x *vectoring) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			if x.to[e.Image] != nil {
				return component(x.load(e, x.expr), e.Index[len(e.Index)-1].X)
			}
		case *hast.Elem:
			if w, ok := e.X.(*hast.Window); ok && x.to[w.Image] != nil {
				return component(x.elem(e, x.expr), w.Axes[len(w.Axes)-1].Start.X)
			}
		}
		return nil
	})
}

// component is a component of a vector, by its number.
func component(pixel, number hast.Expr) hast.Expr {
	k, _ := numbered(number, nil, 0)
	return &hast.Swizzle{Typed: hast.Typed{T: pixel.Type().WithLanes(1), At: pixel.Span()}, X: pixel, Lanes: []int{int(k)}}
}

// load is a read of the whole pixel, with f applied to its coordinates.
func (x *vectoring) load(e *hast.Load, f func(hast.Expr) hast.Expr) *hast.Load {
	last := len(e.Index) - 1
	out := &hast.Load{Typed: e.Typed, Image: x.to[e.Image], Index: slices.Clone(e.Index[:last]), Rule: x.rule(e.Rule, x.to[e.Image])}
	out.T = out.Image.Elem
	for k := range out.Index {
		out.Index[k].X = f(out.Index[k].X)
	}
	return out
}

// elem is an element of a block of whole pixels.
func (x *vectoring) elem(e *hast.Elem, f func(hast.Expr) hast.Expr) *hast.Elem {
	w := e.X.(*hast.Window)
	last := len(w.Axes) - 1
	block := &hast.Window{Typed: w.Typed, Image: x.to[w.Image], Axes: slices.Clone(w.Axes[:last]), Rule: x.rule(w.Rule, x.to[w.Image])}
	block.T = w.T.WithLanes(int(block.Image.Elem.Lanes))
	for k := range block.Axes {
		block.Axes[k].Start.X = f(block.Axes[k].Start.X)
	}
	out := &hast.Elem{Typed: e.Typed, X: block, Index: slices.Clone(e.Index), InRange: e.InRange}
	out.T = block.Image.Elem
	for k := range out.Index {
		out.Index[k] = f(out.Index[k])
	}
	return out
}

// rule is a border rule of an image as it is then: around it are pixels of equal components.
func (x *vectoring) rule(r *hast.Rule, m *hast.Image) *hast.Rule {
	if r == nil || r.Kind != hast.Constant {
		return r
	}
	out := *r
	out.Value = splat(r.Value, m.Elem)
	return &out
}
