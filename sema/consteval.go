package sema

import (
	"imgc/diag"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// constant computes the value of a const, mask or domain when it is first needed; nil after an error.
func (e *env) constant(k *constEnt) *constant {
	switch k.state {
	case done:
		return k.value
	case running:
		e.constantCycle(k)
		return nil
	}
	k.state = running
	e.computing = append(e.computing, k)
	inner := &env{checker: e.checker, scope: k.home, where: inConst}
	if k.kind == "domain" {
		k.value = inner.domain(k)
	} else {
		k.value = inner.declaredConstant(k)
	}
	e.computing = e.computing[:len(e.computing)-1]
	k.state = done
	return k.value
}

// constantCycle reports a constant that needs its own value.
func (e *env) constantCycle(k *constEnt) {
	from := len(e.computing) - 1
	for from > 0 && e.computing[from] != k {
		from--
	}
	cycle := e.computing[from:]
	d := e.errorf(diag.ConstantCycle, k.at, "the value of %s depends on itself", k.name)
	for i, c := range cycle {
		next := cycle[(i+1)%len(cycle)]
		d.NoteAt(c.at, "%s needs %s", c.name, next.name)
	}
}

// declaredConstant computes the value of a const or mask and brings it to the declared type, rounded once.
func (e *env) declaredConstant(k *constEnt) *constant {
	t := e.valueType(k.typ)
	o := e.operand(k.init)
	if k.typ != nil && !t.IsValid() || !o.valid() {
		return nil
	}
	if o.con == nil {
		e.notConstant(o, "the value of "+k.name)
		return nil
	}
	if k.kind == "mask" && !t.IsArray() {
		e.errorf(diag.ShapeMismatch, k.typ.At, "the mask %s has the type %s; a mask is an array", k.name, t).
			Note("write mask %s: %s[3][3] for 3 rows and 3 columns, or const for a single value", k.name, t)
		return nil
	}
	if k.typ != nil {
		if c := o.con; c.typ.Kind.IsFloat() && t.Kind.IsFloat() && c.fits(t.Kind) {
			soft := *c // a declaration rounds any float
			soft.soft = true
			o.con = &soft
		}
		if o = e.assign(o, t, k.kind+" "+k.name); !o.valid() {
			return nil
		}
	}
	if e.expr(o) == nil {
		return nil
	}
	named := *o.con
	named.name = k.name
	return &named
}

// domain computes a domain: an array of bools, numbers, or without a value of ones.
func (e *env) domain(k *constEnt) *constant {
	if len(k.dims) > types.MaxRank {
		e.errorf(diag.BadExtent, k.at, "a domain has at most %d extents", types.MaxRank)
		return nil
	}
	dims := make([]int, len(k.dims))
	ok := true
	for i, d := range k.dims {
		n, valid := e.extent(d)
		dims[i], ok = n, ok && valid
	}
	shape := types.Scalar(types.Bool).Array(dims...)
	if k.init == nil {
		if !ok || !e.checkSize(dims, k.dims[0]) {
			return nil
		}
		full := scalarBool(true).splat(shape)
		full.name = k.name
		return full
	}
	o := e.operand(k.init)
	if !ok || !o.valid() {
		return nil
	}
	if o.con == nil {
		e.notConstant(o, "the value of "+k.name)
		return nil
	}
	if !o.typ.IsArray() || o.typ.Lanes != 1 || !sameExtents(shape, o.typ) {
		d := e.errorf(diag.ShapeMismatch, o.at, "the domain %s has the extents %s, its value is %s", k.name, dimsText(dims), shapeText(o.typ))
		if o.typ.IsScalar() {
			d.Note("write domain %s%s; for every offset, or a list of 0 and other numbers, row by row, for those that count", k.name, dimsText(dims))
		}
		return nil
	}
	named := *o.con.wrap(types.Bool).reshaped(shape) // only zero or not matters
	named.name = k.name
	return &named
}

// An item is one point of a comprehension in a constant.
type item struct {
	point []int64
	value operand
}

// items computes a comprehension's expression at each of its points.
func (e *env) items(spans []*span1, elem syntax.Expr, at source.Span) ([]item, bool) {
	points, ok := e.pointsOf(spans, at)
	if !ok {
		return nil, false
	}
	list := make([]item, len(points))
	for i, p := range points {
		inner := e.nested()
		inner.bindSpans(spans, p)
		o := inner.operand(elem)
		if !o.valid() {
			return nil, false
		}
		if e.where == inConst && o.con == nil {
			e.notConstant(o, "a value computed here")
			return nil, false
		}
		list[i] = item{p, o}
	}
	return list, true
}

// maxUnrolled bounds the elements of a comprehension at run time, each of which is computed by code of its own.
const maxUnrolled = 1024

// comprehension is [e for ...] as an array: each element is computed with the iteration variables as constants.
func (e *env) comprehension(x *syntax.List) operand {
	if len(x.Elems) != 1 {
		e.errorf(diag.BadReduction, x.At, "a list takes one expression before for, not %d", len(x.Elems))
		return invalid(x.At)
	}
	spans, vars, ok := e.compSpans(x.For)
	if !ok {
		e.unbound(vars).operand(x.Elems[0])
		return invalid(x.At)
	}
	var dims []int
	count := 1
	for _, s := range spans {
		if !s.isConst() {
			e.errorf(diag.NotConstant, s.at, "an array has constant extents, so the range of %s must be constant", s.name.Text)
			return invalid(x.At)
		}
		own := spanDims(s)
		dims = append(dims, own...)
		for _, d := range own {
			count = min(count*d, maxElements+1)
		}
	}
	switch {
	case count == 0:
		e.errorf(diag.BadExtent, x.At, "this array has no elements")
		return invalid(x.At)
	case e.where != inConst && count > maxUnrolled:
		e.errorf(diag.BadExtent, x.At, "an array made at run time has at most %d elements", maxUnrolled)
		return invalid(x.At)
	case len(dims) > types.MaxRank:
		e.errorf(diag.BadExtent, x.At, "an array has at most %d extents, this has %d", types.MaxRank, len(dims))
		return invalid(x.At)
	}
	list, ok := e.items(spans, x.Elems[0], x.For.At)
	if !ok {
		return invalid(x.At)
	}
	if len(list) < count {
		list = spread(list, spans, dims)
	}
	elems := make([]operand, len(list))
	for i, it := range list {
		elems[i] = it.value
	}
	return e.array(x, elems, dims)
}

// spanDims are the extents that a variable contributes to an array: a domain's own.
func spanDims(s *span1) []int {
	if s.domain != nil {
		return s.domain.typ.Shape()
	}
	return []int{len(s.values())}
}

// spread puts the items of a comprehension over domains in their places among zeros.
func spread(list []item, spans []*span1, dims []int) []item {
	count := 1
	for _, d := range dims {
		count *= d
	}
	out := make([]item, count)
	zero := list0(list)
	for i := range out {
		out[i] = item{value: zero}
	}
	for _, it := range list {
		flat, axis := 0, 0
		for _, s := range spans {
			for range spanDims(s) {
				c := it.point[axis]
				if s.domain != nil {
					c += int64(dims[axis] / 2)
				} else {
					lo, _ := s.lo.con.index()
					c = (c - int64(lo)) / s.step
				}
				flat = flat*dims[axis] + int(c)
				axis++
			}
		}
		out[flat] = it
	}
	return out
}

// list0 is a zero of the shape of the items' values.
func list0(list []item) operand {
	if len(list) == 0 {
		return constOperand(smallInt(0), source.Span{})
	}
	v := list[0].value
	return constOperand(smallInt(0).splat(v.typ.WithKind(types.I32)), v.at)
}
