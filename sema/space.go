package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// maxPoints bounds what is listed point by point: the offsets of a domain, the elements of a comprehension in a constant.
const maxPoints = maxElements

// A span1 is one iteration variable: lo, lo+step, ... below hi, or the offsets of a domain.
type span1 struct {
	name   syntax.Name
	lo, hi operand
	step   int64
	domain *constant // nil for a range
	mask   *imageEnt // of "d in k" with a mask that is given at run time
	at     source.Span
}

// isConst is true where every value of the variable is known.
func (s *span1) isConst() bool {
	return s.domain != nil || s.mask == nil && s.lo.con != nil && s.hi.con != nil
}

// values lists the values of a constant range.
func (s *span1) values() []int64 {
	lo, _ := s.lo.con.index()
	hi, _ := s.hi.con.index()
	var out []int64
	for v := int64(lo); (s.step > 0 && v < int64(hi)) || (s.step < 0 && v > int64(hi)); v += s.step {
		out = append(out, v)
	}
	return out
}

// iteration checks an iteration list: v in lo:hi:step and d in dom. over, where it is not nil, gives the range of a variable
// without one; axis numbers the variables.
func (e *env) iteration(vars []*syntax.Var, over *imageEnt) ([]*span1, bool) {
	spans := make([]*span1, len(vars))
	ok := true
	for i, v := range vars {
		s, valid := e.spanOf(v, over, i, vars)
		spans[i], ok = s, ok && valid
	}
	return spans, ok
}

func (e *env) spanOf(v *syntax.Var, over *imageEnt, axis int, vars []*syntax.Var) (*span1, bool) {
	s := &span1{name: v.Name, step: 1, at: v.At}
	switch {
	case v.Range == nil && over == nil:
		e.errorf(diag.BadIteration, v.At, "%s has no range", v.Name.Text).
			Note("write %s in lo:hi, or (...) over an image to take its extents", v.Name.Text)
		return s, false
	case v.Range == nil:
		lower := over.lower(axis)
		s.lo = constOperand(smallInt(lower), v.At)
		s.hi = e.hostOperand(plusOrSame(over.img.Extent[axis], lower, v.At), v)
		return s, s.hi.valid()
	case v.Range.Hi == nil:
		return s, e.domainOf(s, v)
	}
	if earlier := mentions(v.Range, vars); earlier != "" {
		e.errorf(diag.BadIteration, v.Range.At, "the range of %s depends on %s, which is of the same list", v.Name.Text, earlier).
			Note("nest a for, or say it with a condition")
		return s, false
	}
	s.lo, s.hi = e.bound(v.Range.Lo), e.bound(v.Range.Hi)
	ok := s.lo.valid() && s.hi.valid()
	if v.Range.Step != nil {
		n, valid := e.constInt(v.Range.Step, "the step of a range")
		if valid && n == 0 {
			e.errorf(diag.BadIteration, v.Range.Step.Span(), "the step of a range must not be 0")
			valid = false
		}
		s.step, ok = int64(n), ok && valid
	}
	return s, ok
}

// bound is one end of a range, an i32.
func (e *env) bound(x syntax.Expr) operand {
	o := e.operand(x)
	if !o.valid() {
		return o
	}
	return e.assign(o, types.Scalar(types.I32), "an end of a range")
}

// mentions finds a variable of the list in a range of the same list.
func mentions(r *syntax.Range, vars []*syntax.Var) string {
	found := ""
	visit(func(id *syntax.Ident) {
		for _, v := range vars {
			if v.Name.Text == id.Name {
				found = id.Name
			}
		}
	}, r.Lo, r.Hi, r.Step)
	return found
}

// domainOf reads the domain of "d in dom": a domain, or a mask.
func (e *env) domainOf(s *span1, v *syntax.Var) bool {
	if m := e.runtimeMask(v.Range.Lo); m != nil {
		m.read, s.mask = true, m
		return m.img.Elem.IsValid()
	}
	o := e.operand(v.Range.Lo)
	switch {
	case !o.valid():
		return false
	case o.con == nil || !o.typ.IsArray():
		d := e.errorf(diag.BadIteration, v.Range.At, "%s iterates over a range lo:hi or over a domain, this is %s", v.Name.Text, o.typ)
		if o.typ.IsScalar() {
			d.Note("write %s in 0:%s", v.Name.Text, excerpt(v.Range.At))
		}
		return false
	}
	s.domain = o.con
	return true
}

// offsets lists the offsets of a domain: the positions of its non-zero entries, row by row, counted from the centre.
func offsets(dom *constant) [][]int64 {
	var out [][]int64
	lanes := int(dom.typ.Lanes)
	for i := range dom.typ.Len() {
		zero := true
		for _, n := range dom.nums[i*lanes : (i+1)*lanes] {
			zero = zero && n.isZero()
		}
		if zero {
			continue
		}
		rest := i
		point := make([]int64, dom.typ.Rank)
		for d := len(point) - 1; d >= 0; d-- {
			size := int(dom.typ.Dims[d])
			point[d] = int64(rest%size - size/2)
			rest /= size
		}
		out = append(out, point)
	}
	return out
}

// pointsOf lists the points of constant spans, the last fastest.
func (e *env) pointsOf(spans []*span1, at source.Span) ([][]int64, bool) {
	points := [][]int64{nil}
	for _, s := range spans {
		var own [][]int64
		if s.domain != nil {
			own = offsets(s.domain)
		} else {
			for _, v := range s.values() {
				own = append(own, []int64{v})
			}
		}
		if len(own)*len(points) > maxPoints {
			e.errorf(diag.BadExtent, at, "this iterates over more than %d points at compile time", maxPoints)
			return nil, false
		}
		next := make([][]int64, 0, len(own)*len(points))
		for _, p := range points {
			for _, o := range own {
				next = append(next, append(append([]int64(nil), p...), o...))
			}
		}
		points = next
	}
	return points, true
}

// declareSpans enters the variables of an iteration list that runs at run time and returns its space. class is that of the
// variables.
func (e *env) declareSpans(spans []*span1, class hast.VarClass, at source.Span) (hast.Space, bool) {
	space := hast.Space{}
	domains, ranges := false, false
	for _, s := range spans {
		domains = domains || s.domain != nil
		ranges = ranges || !s.isConst()
	}
	if domains && ranges {
		e.errorf(diag.BadIteration, at, "offsets of a domain and a range that is not constant cannot share a list").
			Note("nest two reductions or loops")
		return space, false
	}
	for _, s := range spans {
		if s.mask != nil {
			e.declareMaskOffset(s, &space, class)
			continue
		}
		if s.domain == nil {
			v := scalarVar(s.name, class)
			v.used = true
			e.declare(s.name, v)
			space.Vars = append(space.Vars, v.v)
			continue
		}
		e.declareOffset(s, &space, class)
	}
	if domains {
		points, ok := e.pointsOf(spans, at)
		space.Points = points
		if space.Points == nil {
			space.Points = [][]int64{}
		}
		return space, ok
	}
	if len(space.Ranges) > 0 {
		return space, e.maskAlone(spans, at)
	}
	for _, s := range spans {
		lo, hi := e.expr(s.lo), e.expr(s.hi)
		if lo == nil || hi == nil {
			return space, false
		}
		space.Ranges = append(space.Ranges, hast.Range{Lo: lo, Hi: hi, Step: s.step})
	}
	return space, true
}

func (e *env) declareOffset(s *span1, space *hast.Space, class hast.VarClass) {
	d := &offsetEnt{declared: declared{s.name.At}, dims: s.domain.typ.Shape()}
	for _, axis := range axisNames[len(axisNames)-len(d.dims):] {
		v := &hast.Var{Name: s.name.Text + "_" + axis, Type: types.Scalar(types.I32), Class: class, At: s.name.At}
		space.Vars = append(space.Vars, v)
		d.axes = append(d.axes, runtime(ref(v, s.name.At)))
	}
	e.declare(s.name, d)
}

// bindSpans enters the variables of an iteration list at one of its points, as constants.
func (e *env) bindSpans(spans []*span1, point []int64) {
	for _, s := range spans {
		if s.domain == nil {
			e.declare(s.name, &boundEnt{declared{s.name.At}, smallInt(point[0])})
			point = point[1:]
			continue
		}
		d := &offsetEnt{declared: declared{s.name.At}, dims: s.domain.typ.Shape()}
		for range d.dims {
			d.axes = append(d.axes, constOperand(smallInt(point[0]), s.name.At))
			point = point[1:]
		}
		e.declare(s.name, d)
	}
}

// unbound declares variables of a list that has been reported, so that its body says no more about them.
func (e *env) unbound(vars []*syntax.Var) *env {
	n := e.nested()
	for _, v := range vars {
		n.declare(v.Name, &badEnt{declared{v.At}})
	}
	return n
}
