package normal

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// A layer of a network, or a bank of filters, has an axis of outputs: iterate (o, y, x) over dst, where all outputs at a place are made of the same pixels. Layer by layer each of these
// is loaded as often as there are outputs, and weights say what each makes of it.

// mostReads is how many pixels an instance with all outputs may read, each as often as it does: there is code for each of them.
const mostReads = 640

// byOutputs is such a stage with an instance for all outputs of a place, which computes them one by one. Any other stage is left as it is. Integers are left, too: sums of these are computed in
// words, where code for one output is enough.
func byOutputs(s *hast.Stage) *hast.Stage {
	if s.Scan != nil || summing(s.Body) || slices.ContainsFunc(s.Body, leaves) {
		return s
	}
	axis := slices.IndexFunc(s.Space.Vars, func(v *hast.Var) bool { return countsOutputs(s, v) })
	if axis < 0 || !wide(s, axis) || len(s.Space.Vars) < 3 {
		return s
	}
	v := s.Space.Vars[axis]
	points, _ := block.Points(hast.Space{Vars: []*hast.Var{v}, Ranges: s.Space.Ranges[axis : axis+1]}, mostPixels)
	out := *s
	out.Space.Vars = slices.Delete(slices.Clone(s.Space.Vars), axis, axis+1)
	out.Space.Ranges = slices.Delete(slices.Clone(s.Space.Ranges), axis, axis+1)
	all, each := forAll(s.Body, v)
	out.Body = all
	for _, p := range points {
		out.Body = append(out.Body, round(each, []*hast.Var{v}, p)...)
	}
	return &out
}

// forAll are the lets of a body that are the same for all outputs, and those of reductions that are, and the rest of the body.
func forAll(body []hast.Stmt, v *hast.Var) (all, each []hast.Stmt) {
	own := []*hast.Var{v} // what may be another value for each output, or at another place of the body
	for _, s := range body {
		x := &extractor{takes: func(r *hast.Reduce, inside []*hast.Var) bool { return !hast.Names(r, slices.Concat(own, inside)) }}
		s = x.statement(s)
		all = append(all, x.lets...)
		if d, ok := s.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil && !hast.Names(d.Init, own) {
			all = append(all, d)
			continue
		}
		hast.WalkBody([]hast.Stmt{s}, func(s hast.Stmt) {
			if d, ok := s.(*hast.Define); ok {
				own = append(own, d.Var)
			}
		}, nil)
		each = append(each, s)
	}
	return all, each
}

// countsOutputs reports whether a variable counts outputs: there are few, each a pixel of its own and no component of one, and for all of them an instance reads the same pixels, several of an image of floats.
func countsOutputs(s *hast.Stage, v *hast.Var) bool {
	k := slices.Index(s.Space.Vars, v)
	n, known := block.TripCount(s.Space.Ranges[k])
	if !known || n < 2 || n > mostPixels || isComponent(s, v) || s.Where != nil && hast.Names(s.Where, []*hast.Var{v}) {
		return false
	}
	writes := true
	hast.EachStore(s.Body, func(st *hast.Store) {
		own := slices.ContainsFunc(st.Index, func(x hast.Expr) bool { r, ok := x.(*hast.Ref); return ok && r.Var == v })
		writes = writes && own && !st.Updates() && !st.Skip && !s.Loads(st.Image.Base())
	})
	if !writes {
		return false
	}
	c := &readCounter{of: v, beside: slices.Delete(slices.Clone(s.Space.Vars), k, k+1)}
	all, each := forAll(s.Body, v)
	c.stmts(all, 1)
	once := c.all
	c.all = 0
	c.stmts(each, 1)
	return c.same > 1 && !c.integers && once+c.all*int(n) <= mostReads
}

// A readCounter counts the pixels that an instance reads.
type readCounter struct {
	of       *hast.Var   // the variable of the outputs
	beside   []*hast.Var // the other variables of the space
	all      int         // pixels that are read
	same     int         // of them those that are the same for all outputs, and others for other instances
	integers bool        // of the latter some are
}

func (c *readCounter) stmts(list []hast.Stmt, times int) {
	for _, s := range list {
		exprs, bodies := hast.Parts(s)
		for _, e := range exprs {
			c.expr(e, times)
		}
		n := times
		if l, ok := s.(*hast.For); ok {
			n = times * c.points(l.Space)
		}
		for _, b := range bodies {
			c.stmts(b, n)
		}
	}
}

// points are how many a space has; more than there may be where that is not known.
func (c *readCounter) points(s hast.Space) int {
	points, known := block.Points(s, mostReads)
	if !known {
		return mostReads + 1
	}
	return len(points)
}

func (c *readCounter) expr(e hast.Expr, times int) {
	switch e := e.(type) {
	case *hast.Load:
		index := make([]hast.Expr, len(e.Index))
		for k, x := range e.Index {
			index[k] = x.X
		}
		c.read(e.Image, index, times)
	case *hast.Window:
		index := make([]hast.Expr, len(e.Axes))
		for k, x := range e.Axes {
			index[k] = x.Start.X
		}
		c.read(e.Image, index, times*e.T.Len())
	case *hast.Elem:
		if w, ok := e.X.(*hast.Window); ok { // one of its pixels
			index := make([]hast.Expr, len(w.Axes))
			for k, x := range w.Axes {
				index[k] = x.Start.X
			}
			c.read(w.Image, index, times)
			return
		}
	case *hast.Reduce:
		times *= c.points(e.Space)
	}
	hast.EachOperand(e, func(x hast.Expr) { c.expr(x, times) })
}

func (c *readCounter) read(m *hast.Image, index []hast.Expr, times int) {
	c.all = min(c.all+times, mostReads+1)
	names := func(vars ...*hast.Var) bool {
		return slices.ContainsFunc(index, func(x hast.Expr) bool { return hast.Names(x, vars) })
	}
	if !names(c.of) && names(c.beside...) {
		c.same += times
		c.integers = c.integers || m.Elem.Kind.IsInt()
	}
}
