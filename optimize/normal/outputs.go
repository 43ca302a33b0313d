package normal

import (
	"slices"

	"imgc/hast"
	"imgc/hast/accumulate"
	"imgc/ops"
	"imgc/optimize/block"
)

// A layer of a network, or a bank of filters, has an axis of outputs: iterate (o, y, x) over dst, where all outputs at a place are made of the same pixels. Layer by layer each of these
// is loaded as often as there are outputs, and weights say what each makes of it.

// mostReads is how many pixels an instance with all outputs may read, each as often as it does: there is code for each of them.
const mostReads = 640

// mostSums is how many sums over planes an instance has under way at a time: with the windows of eight instances these are what registers hold.
const mostSums = 8

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
	v, r := s.Space.Vars[axis], s.Space.Ranges[axis]
	all, each := forAll(s.Body, v)
	n, _ := block.TripCount(r)
	together := outputsTogether(int(n), all, each, v, s.Space.Vars)
	out := *s
	out.Space.Vars, out.Space.Ranges = slices.Clone(s.Space.Vars), slices.Clone(s.Space.Ranges)
	at := func(i int64) hast.Expr { return hast.Int(i) }
	if together == int(n) {
		out.Space.Vars, out.Space.Ranges = slices.Delete(out.Space.Vars, axis, axis+1), slices.Delete(out.Space.Ranges, axis, axis+1)
	} else {
		some := *v
		out.Space.Vars[axis], out.Space.Ranges[axis] = &some, hast.Range{Lo: hast.Int(0), Hi: hast.Int(n / int64(together)), Step: 1}
		at = func(i int64) hast.Expr {
			return hast.Plus(hast.Binary(ops.Mul, hast.RefTo(&some), hast.Int(int64(together))), i)
		}
	}
	out.Body = with(all, v, at(0)) // which do not name it
	for i := range together {
		out.Body = append(out.Body, with(hast.Renewed(each), v, at(int64(i)))...)
	}
	return &out
}

// with is a list of statements with a value in the place of a variable.
func with(list []hast.Stmt, v *hast.Var, value hast.Expr) []hast.Stmt {
	return hast.MapStmts(list, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if r, ok := e.(*hast.Ref); ok && r.Var == v {
				return value
			}
			return nil
		})
	})
}

// outputsTogether is how many of n outputs an instance computes: all, or as many as share what is read without too much code, or too many sums that have begun; 1 where that is not worth it.
func outputsTogether(n int, all, each []hast.Stmt, v *hast.Var, vars []*hast.Var) int {
	c := &readCounter{of: v, beside: slices.DeleteFunc(slices.Clone(vars), func(w *hast.Var) bool { return w == v })}
	c.stmts(all, 1)
	once := c.all
	c.all = 0
	c.stmts(each, 1)
	most := mostPixels
	if c.planes {
		most = mostSums
	}
	if c.same < 2 || c.integers {
		return 1
	}
	for k := min(n, most); k > 1; k-- {
		if n%k == 0 && once+c.all*k <= mostReads {
			return k
		}
	}
	return 1
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
	if !known || n < 2 || !s.Space.Ranges[k].Counts() || isComponent(s, v) || s.Where != nil && hast.Names(s.Where, []*hast.Var{v}) {
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
	all, each := forAll(s.Body, v)
	return outputsTogether(int(n), all, each, v, s.Space.Vars) > 1
}

// A readCounter counts the pixels that an instance reads.
type readCounter struct {
	of       *hast.Var   // the variable of the outputs
	beside   []*hast.Var // the other variables of the space
	all      int         // pixels that are read
	same     int         // of them those that are the same for all outputs, and others for other instances
	integers bool        // of the latter some are
	planes   bool        // there are sums over planes, of which there is code for one plane
}

func (c *readCounter) stmts(list []hast.Stmt, times int) {
	for _, s := range list {
		exprs, bodies := hast.Parts(s)
		for _, e := range exprs {
			c.expr(e, times)
		}
		n := times
		if l, ok := s.(*hast.For); ok {
			space, _ := accumulate.Nest(l)
			n = times * c.points(l.Space, len(space.Vars) > 1 && block.OverPlanes(l))
		}
		for _, b := range bodies {
			c.stmts(b, n)
		}
	}
}

// points are how many a space has, those of a plane where the first variable counts planes; more than there may be where that is not known.
func (c *readCounter) points(s hast.Space, planes bool) int {
	if planes {
		c.planes = true
		s = hast.Space{Vars: s.Vars[1:], Ranges: s.Ranges[1:]}
	}
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
		times *= c.points(e.Space, block.ReducesPlanes(e))
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
