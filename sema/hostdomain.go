package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// The offsets of a domain in a pipeline: for counts them, and computes each from its number; an iterate runs over the box around
// them and leaves out what is no offset.

// maxHostOffsets bounds the offsets of a domain with holes that a loop of the host runs over: each is a case of an expression.
const maxHostOffsets = 4096

// forOffsets is for (d in dom) in a pipeline.
func (e *env) forOffsets(s *syntax.For, span *span1) {
	inner := e.nested()
	inner.loop, inner.again = true, true
	at := s.Var.At
	number := &hast.Var{Name: span.name.Text, Type: types.Scalar(types.I32), Class: hast.HostLoop, At: at}
	count, axes, ok := span.numbered(ref(number, at), at)
	if !ok {
		e.errorf(diag.BadExtent, at, "a loop of the host runs over at most %d offsets of a domain with holes, this has %d", maxHostOffsets, len(offsets(span.domain))).
			Note("in the body of an iterate it may run over more")
		count, axes = intConst(0, at), []hast.Expr{intConst(0, at)}
	}
	d := span.offset()
	var defines []hast.Step
	for i, axis := range axisNames[len(axisNames)-len(axes):] {
		v := &hast.Var{Name: span.name.Text + "_" + axis, Type: types.Scalar(types.I32), Class: hast.HostValue, At: span.name.At}
		defines = append(defines, &hast.DefineHost{Var: v, Value: axes[i], At: at})
		d.axes = append(d.axes, runtime(ref(v, span.name.At)))
	}
	inner.declare(span.name, d)
	body := inner.branch(s.Body)
	if count = e.awaited(count); count != nil {
		all := hast.Range{Lo: intConst(0, at), Hi: count, Step: 1}
		e.emit(&hast.ForHost{Var: number, Range: all, Body: append(defines, body...), At: s.At})
	}
}

// offset is what the name of the variable stands for, without the values of its parts.
func (s *span1) offset() *offsetEnt {
	d := &offsetEnt{declared: declared{s.name.At}, of: s.mask}
	if s.mask != nil {
		d.dims = make([]int, s.mask.img.Rank())
	} else {
		d.dims = s.domain.typ.Shape()
	}
	return d
}

// numbered is how many offsets there are, and the parts of offset number k. It is false where these are too many.
func (s *span1) numbered(k hast.Expr, at source.Span) (count hast.Expr, axes []hast.Expr, ok bool) {
	var extents []hast.Expr
	if s.mask != nil {
		extents = s.mask.img.Extent
	} else {
		points := offsets(s.domain)
		if len(points) != s.domain.typ.Len() {
			if len(points) > maxHostOffsets {
				return nil, nil, false
			}
			for axis := range s.domain.typ.Shape() {
				axes = append(axes, nth(k, points, 0, axis, at))
			}
			return intConst(int64(len(points)), at), axes, true
		}
		for _, n := range s.domain.typ.Shape() {
			extents = append(extents, intConst(int64(n), at))
		}
	}
	count = intConst(1, at)
	axes = make([]hast.Expr, len(extents))
	rest := k
	for i := len(extents) - 1; i >= 0; i-- {
		n := extents[i]
		coordinate := rest
		if i > 0 {
			coordinate = binaryInt(ops.Rem, rest, n, at)
			rest = binaryInt(ops.Div, rest, n, at)
		}
		axes[i] = binaryInt(ops.Sub, coordinate, quotient(n, 2, at), at)
		if c, isOne := constInt(count); isOne && c == 1 {
			count = n
		} else {
			count = binaryInt(ops.Mul, count, n, at)
		}
	}
	return count, axes, true
}

// nth is one coordinate of point number k of a list, the first of which has the number from.
func nth(k hast.Expr, points [][]int64, from, axis int, at source.Span) hast.Expr {
	if len(points) == 0 {
		return intConst(0, at)
	}
	same := true
	for _, p := range points {
		same = same && p[axis] == points[0][axis]
	}
	if same {
		return intConst(points[0][axis], at)
	}
	half := len(points) / 2
	t := types.Scalar(types.Bool)
	below := &hast.Op{Typed: typed(t, at), Op: ops.Lt, Args: []hast.Expr{k, intConst(int64(from+half), at)}}
	return &hast.Select{Typed: typed(types.Scalar(types.I32), at), Cond: below,
		Then: nth(k, points[:half], from, axis, at), Else: nth(k, points[half:], from+half, axis, at)}
}

// boxed makes the offsets of domains in the list of an iterate variables of their own, and adds to the stage the condition that they
// are offsets. The result has a variable for each axis.
func (e *env) boxed(st *stage, spans []*span1) (hast.Space, bool) {
	var space hast.Space
	for _, s := range spans {
		if s.domain == nil && s.mask == nil {
			one, ok := e.declareSpans([]*span1{s}, hast.Iterator, s.at)
			if !ok {
				return space, false
			}
			space.Vars, space.Ranges = append(space.Vars, one.Vars...), append(space.Ranges, one.Ranges...)
			continue
		}
		if s.mask != nil {
			e.declareMaskOffset(s, &space, hast.Iterator)
			continue
		}
		e.box(st, s, &space)
	}
	return space, true
}

// box is boxed of one constant domain.
func (e *env) box(st *stage, s *span1, space *hast.Space) {
	e.declareOffset(s, space, hast.Iterator)
	shape := s.domain.typ.Shape()
	vars := space.Vars[len(space.Vars)-len(shape):]
	index := make([]hast.Expr, len(shape))
	for i, n := range shape {
		half := int64(n / 2)
		space.Ranges = append(space.Ranges, hast.Range{Lo: intConst(-half, s.at), Hi: intConst(int64(n)-half, s.at), Step: 1})
		index[i] = plus(ref(vars[i], s.at), half, s.at)
	}
	points := offsets(s.domain)
	if len(points) == s.domain.typ.Len() {
		return
	}
	set := &hast.Const{Typed: typed(types.Scalar(types.Bool).Array(shape...), s.at), Words: make([]types.Word, s.domain.typ.Len())}
	for _, p := range points {
		at := 0
		for i, n := range shape {
			at = at*n + int(p[i]) + n/2
		}
		set.Words[at] = 1
	}
	st.restrict(elementAt(set, index, s.at))
}

// restrict adds a condition to the instances of a stage.
func (s *stage) restrict(cond hast.Expr) {
	if s.node.Where != nil {
		cond = &hast.Op{Typed: typed(types.Scalar(types.Bool), cond.Span()), Op: ops.LAnd, Args: []hast.Expr{s.node.Where, cond}}
	}
	s.node.Where = cond
}
