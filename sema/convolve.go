package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// convolve is convolve(m, src[y][x]) with the window of m's shape centred on the pixel, or convolve(m, window).
func (e *env) convolve(x *syntax.Call) operand {
	if e.where == onHost {
		return e.pixelOf((*env).convolve, x)
	}
	if !e.noIteration(x) {
		return invalid(x.At)
	}
	if len(x.Args) == 2 {
		if m := e.runtimeMask(x.Args[0]); m != nil {
			return e.convolveMask(x, m)
		}
		if e.imageForMask(x) {
			return invalid(x.At)
		}
	}
	args := e.operands(x.Args)
	if len(args) != 2 {
		e.errorf(diag.BadConvolve, x.At, "convolve takes a mask and a pixel or window, not %s", plural(len(args), "argument"))
		return invalid(x.At)
	}
	if !allValid(args) {
		return invalid(x.At)
	}
	m := args[0]
	if m.con == nil || !m.typ.IsArray() || m.typ.Lanes != 1 {
		e.notMask(m, args[1])
		return invalid(x.At)
	}
	points := offsets(m.con)
	vars := offsetVars(m.typ, x.At)
	sample, ok := e.sampleAt(x, m, args[1], vars)
	if !ok {
		return invalid(x.At)
	}
	return e.products(x, m, sample, hast.Space{Vars: vars, Points: points})
}

// imageForMask reports an image where the mask of a convolve stands.
func (e *env) imageForMask(x *syntax.Call) bool {
	id, ok := syntax.Unparen(x.Args[0]).(*syntax.Ident)
	if !ok {
		return false
	}
	m, ok := e.scope.find(id.Name).(*imageEnt)
	if !ok {
		return false
	}
	m.read = true
	d := e.errorf(diag.BadConvolve, id.At, "convolve takes a mask first, and %s is an image", id.Name)
	if other, isName := syntax.Unparen(x.Args[1]).(*syntax.Ident); isName {
		if k, ok := e.scope.find(other.Name).(*constEnt); ok && k.kind == "mask" {
			d.Note("write convolve(%s, %s)", other.Name, m.example())
			return true
		}
	}
	if m.dir == hast.In {
		d.Note("coefficients that the caller gives are a parameter of their own kind: in %s: mask %s[KH][KW]", id.Name, m.img.Elem)
	}
	return true
}

func (e *env) notMask(m, other operand) {
	d := e.errorf(diag.BadConvolve, m.at, "convolve takes a mask of constants first, this is %s", m.typ)
	switch {
	case other.con != nil && other.typ.IsArray():
		d.Note("the mask comes first: convolve(%s, %s)", excerpt(other.at), excerpt(m.at))
	case m.typ.IsArray():
		d.Note("write sum(... .* ...) where the coefficients are computed at run time")
	}
}

// offsetVars makes the variables of the sum, one for each axis of the mask.
func offsetVars(mask types.Type, at source.Span) []*hast.Var {
	var vars []*hast.Var
	for _, a := range axisNames[len(axisNames)-int(mask.Rank):] {
		vars = append(vars, &hast.Var{Name: "d" + a, Type: types.Scalar(types.I32), Class: hast.Loop, At: at})
	}
	return vars
}

// sampleAt is what the mask's coefficient at the offset of vars is multiplied with.
func (e *env) sampleAt(x *syntax.Call, m, o operand, vars []*hast.Var) (operand, bool) {
	switch px := o.x.(type) {
	case *hast.Load:
		return e.shifted(x, m, px, vars)
	case nil:
	default:
		if o.typ.IsArray() {
			return e.windowElement(x, m, o, vars)
		}
	}
	if o.typ.IsArray() {
		return e.windowElement(x, m, o, vars)
	}
	d := e.errorf(diag.BadConvolve, o.at, "convolve takes a pixel or a window second, this is a computed %s", o.typ)
	if c, ok := o.x.(*hast.Convert); ok {
		if _, pixel := c.X.(*hast.Load); pixel {
			d.Note("write convolve(%s, %s): the products are computed in a kind that holds both", excerpt(m.at), excerpt(c.X.Span()))
			return o, false
		}
	}
	d.Note("keep what is computed in an image, and convolve that; or write sum(... for d in %s)", excerpt(m.at))
	return o, false
}

// shifted is the pixel moved by the offset. The mask's axes are the last ones of the image.
func (e *env) shifted(x *syntax.Call, m operand, px *hast.Load, vars []*hast.Var) (operand, bool) {
	rank := len(px.Index)
	extra := len(vars) - rank
	for d := 0; d < extra; d++ {
		if m.typ.Dims[d] != 1 {
			e.errorf(diag.BadConvolve, x.At, "the mask %s has more axes than %s, which has %d", m.typ, px.Image.Name, rank)
			return operand{}, false
		}
	}
	e.warnInterleaved(x, m, px)
	out := *px
	out.Index = append([]hast.Coord(nil), px.Index...)
	for d := max(0, extra); d < len(vars); d++ {
		axis := d - extra
		if m.typ.Dims[d] == 1 {
			continue // the only offset is 0
		}
		shift := sum(px.Index[axis].X, ref(vars[d], x.At), x.At)
		out.Index[axis] = hast.Coord{X: shift, Below: true, Above: true}
	}
	return runtime(&out), true
}

// warnInterleaved warns where a mask with fewer axes than the image would slide along colour components.
func (e *env) warnInterleaved(x *syntax.Call, m operand, px *hast.Load) {
	rank, last := px.Image.Rank(), len(px.Index)-1
	n, ok := constInt(px.Image.Extent[last])
	if int(m.typ.Rank) >= rank || m.typ.Dims[m.typ.Rank-1] == 1 || !ok || n > 4 {
		return
	}
	e.warnf(diag.MaskAxes, x.At, "the mask slides along the last %s of %s, of which the fastest has an extent of %d",
		plural(int(m.typ.Rank), "axis", "axes"), px.Image.Name, n).
		Note("a mask %s[1] slides along the axes before it", m.typ)
}

// windowElement is the element of a window at the offset.
func (e *env) windowElement(x *syntax.Call, m, o operand, vars []*hast.Var) (operand, bool) {
	if !sameExtents(m.typ, o.typ) {
		e.errorf(diag.BadConvolve, o.at, "the mask is %s, the window is %s; they need the same extents", m.typ, o.typ)
		return operand{}, false
	}
	index := make([]hast.Expr, m.typ.Rank)
	for d, v := range vars {
		index[d] = plus(ref(v, x.At), int64(m.typ.Dims[d]/2), x.At)
	}
	w := e.expr(o)
	if w == nil {
		return operand{}, false
	}
	if o.typ.Rank != m.typ.Rank {
		index = alignIndex(index, m.typ, o.typ, x.At)
	}
	return runtime(elementAt(w, index, x.At)), true
}

// products is the sum of coefficient times sample over the mask's non-zero entries.
func (e *env) products(x *syntax.Call, m, sample operand, space hast.Space) operand {
	info := ops.Mul.Info()
	kind, ok := e.operandKind(ops.Mul, info, "convolve", x, []operand{m, sample})
	if !ok {
		return invalid(x.At)
	}
	t := types.Vector(kind, int(sample.typ.Lanes))
	if len(space.Points) == 0 {
		return constOperand(fromWords(t, make([]types.Word, t.Words())), x.At)
	}
	mask := e.expr(e.coefficients(m, kind))
	if mask == nil {
		return invalid(x.At)
	}
	index := make([]hast.Expr, len(space.Vars))
	for d, v := range space.Vars {
		index[d] = plus(ref(v, x.At), int64(m.typ.Dims[d]/2), x.At)
	}
	coefficient := runtime(&hast.Elem{Typed: typed(types.Scalar(mask.Type().Kind), x.At), X: mask, Index: index, InRange: true})
	args := []operand{e.splat(e.convert(coefficient, kind, hast.Wrap), t), e.splat(e.convert(sample, kind, hast.Wrap), t)}
	product := e.build(ops.Mul, info, kind, t, x, args)
	if !product.valid() {
		return product
	}
	return runtime(&hast.Reduce{Typed: typed(t, x.At), Op: hast.Sum, Space: space, Elem: product.x})
}

// coefficients is the mask in its own kind, which keeps its name, or in the kind of the products where it has none.
func (e *env) coefficients(m operand, kind types.Kind) operand {
	if m.con.soft || m.con.name == "" {
		return e.toKind(m, kind)
	}
	return m
}
