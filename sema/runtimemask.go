package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A mask that is given at run time, in k: mask f32[KH][KW], is an image that convolve, k[d] and d in k accept, too. Its centre
// is (KH / 2, KW / 2) like that of other masks. Its entries are not known here, so none is skipped.

// runtimeMask is the mask that an expression names, if it is given at run time; else nil.
func (e *env) runtimeMask(x syntax.Expr) *imageEnt {
	if m := e.bareImage(x); m != nil && m.mask {
		return m
	}
	return nil
}

// maskSpace runs over the offsets of a mask: axis by axis from -(n / 2) up to n - n / 2.
func (m *imageEnt) maskSpace(vars []*hast.Var, at source.Span) hast.Space {
	space := hast.Space{Vars: vars}
	for _, n := range m.img.Extent {
		half := quotient(n, 2, at)
		lo, hi := hast.Expr(nil), hast.Expr(nil)
		if k, ok := constInt(half); ok {
			lo, hi = intConst(-k, at), plus(n, -k, at)
		} else {
			lo = &hast.Op{Typed: typed(types.Scalar(types.I32), at), Op: ops.Neg, Args: []hast.Expr{half}}
			hi = binaryInt(ops.Sub, n, half, at)
		}
		space.Ranges = append(space.Ranges, hast.Range{Lo: lo, Hi: hi, Step: 1})
	}
	return space
}

// maskAt is the coefficient at an offset from the centre.
func (m *imageEnt) maskAt(offset []hast.Expr, at source.Span) hast.Expr {
	load := &hast.Load{Typed: typed(m.img.Elem, at), Image: m.img}
	for d, n := range m.img.Extent {
		x := sum(offset[d], quotient(n, 2, at), at)
		load.Index = append(load.Index, hast.Coord{X: x, Below: true, Above: true})
	}
	return load
}

// declareMaskOffset enters d of "d in k".
func (e *env) declareMaskOffset(s *span1, space *hast.Space, class hast.VarClass) {
	d := &offsetEnt{declared: declared{s.name.At}, of: s.mask, dims: make([]int, s.mask.img.Rank())}
	var vars []*hast.Var
	for _, axis := range axisNames[len(axisNames)-len(d.dims):] {
		v := &hast.Var{Name: s.name.Text + "_" + axis, Type: types.Scalar(types.I32), Class: class, At: s.name.At}
		vars = append(vars, v)
		d.axes = append(d.axes, runtime(ref(v, s.name.At)))
	}
	own := s.mask.maskSpace(vars, s.at)
	space.Vars = append(space.Vars, own.Vars...)
	space.Ranges = append(space.Ranges, own.Ranges...)
	e.declare(s.name, d)
}

// maskAlone reports a list in which other variables stand beside the offsets of a mask that is given at run time.
func (e *env) maskAlone(spans []*span1, at source.Span) bool {
	if len(spans) == 1 {
		return true
	}
	e.errorf(diag.BadIteration, at, "the offsets of a mask that is given at run time share a list with nothing else").
		Note("nest two reductions or loops")
	return false
}

// maskCoefficient is k[d] with d from "d in k", or from a domain or mask of the same extents.
func (e *env) maskCoefficient(m *imageEnt, d *offsetEnt, x syntax.Node) operand {
	m.read = true
	if !m.img.Elem.IsValid() {
		return invalid(x.Span())
	}
	if !d.fits(m) {
		e.errorf(diag.BadSubscript, x.Span(), "the offset is not one of %s: it does not come from %s, nor from a mask that is known to have its extents",
			m.img.Name, m.img.Name).Note("write for d in %s", m.img.Name)
		return invalid(x.Span())
	}
	offset := make([]hast.Expr, len(d.axes))
	for i, a := range d.axes {
		if offset[i] = e.expr(a); offset[i] == nil {
			return invalid(x.Span())
		}
	}
	coefficient := m.maskAt(offset, x.Span())
	if e.where == onHost {
		coefficient = e.onDevice(m.img.Name+"_pixel", coefficient, x.Span())
	}
	return runtime(coefficient)
}

// fits reports whether an offset is one of the mask m.
func (d *offsetEnt) fits(m *imageEnt) bool {
	if len(d.dims) != m.img.Rank() {
		return false
	}
	for i, n := range m.img.Extent {
		if d.of != nil {
			if !hast.Equal(d.of.img.Extent[i], n) {
				return false
			}
			continue
		}
		if k, ok := constInt(n); !ok || k != int64(d.dims[i]) {
			return false
		}
	}
	return true
}

// convolveMask is convolve(k, src[y][x]) with a mask that is given at run time.
func (e *env) convolveMask(x *syntax.Call, m *imageEnt) operand {
	m.read = true
	o := e.operand(x.Args[1])
	if !o.valid() || !m.img.Elem.IsValid() {
		return invalid(x.At)
	}
	px, ok := o.x.(*hast.Load)
	if !ok {
		e.errorf(diag.BadConvolve, o.at, "convolve with a mask that is given at run time takes a pixel second, this is %s", o.typ).
			Note("write convolve(%s, src[y][x]): the window has the extents of the mask", m.img.Name)
		return invalid(x.At)
	}
	if m.img.Rank() > px.Image.Rank() {
		e.errorf(diag.BadConvolve, x.At, "the mask %s has %s, more than %s, which has %d", m.img.Name, plural(m.img.Rank(), "axis", "axes"),
			px.Image.Name, px.Image.Rank())
		return invalid(x.At)
	}
	var vars []*hast.Var
	var offset []hast.Expr
	for _, a := range axisNames[len(axisNames)-m.img.Rank():] {
		v := &hast.Var{Name: "d" + a, Type: types.Scalar(types.I32), Class: hast.Loop, At: x.At}
		vars, offset = append(vars, v), append(offset, ref(v, x.At))
	}
	sample := *px
	sample.Index = append([]hast.Coord(nil), px.Index...)
	for d := range vars {
		axis := len(px.Index) - len(vars) + d
		sample.Index[axis] = hast.Coord{X: sum(px.Index[axis].X, offset[d], x.At), Below: true, Above: true}
	}
	args := []operand{runtime(m.maskAt(offset, x.At)), runtime(&sample)}
	info := ops.Mul.Info()
	kind, ok := e.operandKind(ops.Mul, info, "convolve", x, args)
	if !ok {
		return invalid(x.At)
	}
	t := types.Vector(kind, int(sample.T.Lanes))
	for i := range args {
		args[i] = e.splat(e.convert(args[i], kind, hast.Wrap), t)
	}
	product := e.build(ops.Mul, info, kind, t, x, args)
	if !product.valid() {
		return product
	}
	return runtime(&hast.Reduce{Typed: typed(t, x.At), Op: hast.Sum, Space: m.maskSpace(vars, x.At), Elem: product.x})
}
