package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// sample(a, fy, fx, mode) reads an image at fractional coordinates, which count pixel centres as integers. It is expanded into
// loads and arithmetic, so that border rules and proofs are those of any other read:
//
//	nearest   a[floor(fy + 0.5)][floor(fx + 0.5)]
//	linear    with i = floor(f) and t = f - i on each axis, from the last to the first: (1 - t)*p + t*q of the values p at i, q at i + 1
//
// The modes with more pixels, cubic and lanczos3, are in between.go. Subscripts on a name the coordinates of its first axes. Values and coordinates are f32, or f64 if the image or a coordinate is.

// furthest is where coordinates are cut off, so that i32 holds them and their neighbours; no image reaches as far.
const furthest = 1 << 30

// A sampling is a call of sample.
type sampling struct {
	image  *hast.Image
	rule   *hast.Rule
	leads  []hast.Expr // subscripts of the first axes
	coords []hast.Expr // fractional, of the others
	kind   types.Kind
	at     source.Span
}

func (e *env) sample(x *syntax.Call) operand {
	if e.where == onHost {
		return e.pixelOf((*env).sample, x)
	}
	if !e.noIteration(x) {
		return invalid(x.At)
	}
	if len(x.Args) < 3 {
		e.operands(x.Args)
		e.errorf(diag.ArgumentCount, x.At, "sample takes an image, a coordinate for each axis and a mode, not %s", plural(len(x.Args), "argument")).
			Note("write sample(src, fy, fx, linear)")
		return invalid(x.At)
	}
	s, m := e.sampledImage(x)
	last := len(x.Args) - 1
	coords := e.operands(x.Args[1:last])
	mode, ok := e.sampleMode(x.Args[last])
	if m == nil || !ok || !allValid(coords) || !m.img.Elem.IsValid() {
		return invalid(x.At)
	}
	if n := len(s.leads) + len(coords); n != m.img.Rank() {
		e.errorf(diag.ArgumentCount, x.At, "%s has %s, this names %d", m.img.Name, plural(m.img.Rank(), "axis", "axes"), n).
			Note("subscripts name the first axes, coordinates the others: sample(%s[0], fy, fx, linear)", m.img.Name)
		return invalid(x.At)
	}
	if !m.img.Elem.Kind.IsFloat() && !m.img.Elem.Kind.IsInt() {
		e.errorf(diag.WrongUse, x.At, "%s has pixels of %s, which are no numbers", m.img.Name, m.img.Elem)
		return invalid(x.At)
	}
	m.read = true
	if !e.readable(m, x) {
		return invalid(x.At)
	}
	if s.rule, ok = e.rule(m); !ok || !e.sampleCoords(s, coords) {
		return invalid(x.At)
	}
	index := append([]hast.Expr(nil), s.leads...)
	switch mode {
	case "nearest":
		return runtime(s.nearest(index))
	case "linear":
		return runtime(s.linear(index))
	}
	return runtime(s.weighed(e, mode))
}

// sampledImage is the image that sample reads, and the subscripts of its first axes.
func (e *env) sampledImage(x *syntax.Call) (*sampling, *imageEnt) {
	s := &sampling{at: x.At}
	m, subs := e.imageAndSubs(x.Args[0])
	if m == nil {
		errors := e.errors
		if o := e.operand(x.Args[0]); e.errors == errors && o.valid() {
			e.errorf(diag.WrongUse, x.Args[0].Span(), "sample takes an image first, this is %s", o.typ)
		}
		return s, nil
	}
	s.image = m.img
	for _, sub := range subs {
		if sub.Star || sub.Count != nil {
			e.errorf(diag.BadSubscript, sub.At, "sample takes single subscripts of the first axes")
			return s, nil
		}
		lead := e.expr(e.toIndex(e.operand(sub.Start)))
		if lead == nil {
			return s, nil
		}
		s.leads = append(s.leads, lead)
	}
	return s, m
}

// imageAndSubs is the image, or the level of a pyramid, that an expression begins with, and the subscripts behind it.
func (e *env) imageAndSubs(x syntax.Expr) (*imageEnt, []syntax.Sub) {
	base, subs := unchain(syntax.Unparen(x))
	p := e.barePyramid(base)
	if p == nil || len(subs) == 0 {
		return e.bareImage(base), subs
	}
	return e.level(p, subs[0]), subs[1:]
}

// sampleMode is the mode at the end of a call of sample.
func (e *env) sampleMode(x syntax.Expr) (mode string, ok bool) {
	if id, isName := syntax.Unparen(x).(*syntax.Ident); isName {
		if _, known := filters[id.Name]; known {
			return id.Name, true
		}
	}
	e.errorf(diag.WrongUse, x.Span(), "the modes of sample are %s; this is %s", listed(filterNames), excerpt(x.Span()))
	return "", false
}

// sampleCoords brings the coordinates to the kind in which sample computes.
func (e *env) sampleCoords(s *sampling, coords []operand) bool {
	s.kind = types.F32
	for _, c := range coords {
		if c.con == nil && c.typ.Kind == types.F64 {
			s.kind = types.F64
		}
	}
	if s.image.Elem.Kind == types.F64 {
		s.kind = types.F64
	}
	for _, c := range coords {
		f := e.expr(e.assign(c, types.Scalar(s.kind), "a coordinate of sample"))
		if f == nil {
			return false
		}
		s.coords = append(s.coords, f)
	}
	return true
}

// scalar is an operator on the coordinates' kind.
func (s *sampling) scalar(op ops.Op, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: typed(types.Scalar(s.kind), s.at), Op: op, Args: args}
}

func (s *sampling) number(v float64) hast.Expr {
	return &hast.Const{Typed: typed(types.Scalar(s.kind), s.at), Words: []types.Word{types.Float(v)}}
}

// pixel is the index of a coordinate that is a whole number.
func (s *sampling) pixel(whole hast.Expr) hast.Expr {
	cut := s.scalar(ops.Clamp, whole, s.number(-furthest), s.number(furthest))
	return &hast.Convert{Typed: typed(types.Scalar(types.I32), s.at), X: cut}
}

// load is the pixel at an index, in the kind in which sample computes.
func (s *sampling) load(index []hast.Expr) hast.Expr {
	load := &hast.Load{Typed: typed(s.image.Elem, s.at), Image: s.image, Rule: s.rule}
	for _, i := range index {
		load.Index = append(load.Index, hast.Coord{X: i, Below: true, Above: true})
	}
	if s.image.Elem.Kind == s.kind {
		return load
	}
	return &hast.Convert{Typed: typed(s.image.Elem.WithKind(s.kind), s.at), X: load}
}

func (s *sampling) nearest(index []hast.Expr) hast.Expr {
	for _, f := range s.coords {
		index = append(index, s.pixel(s.scalar(ops.Floor, s.scalar(ops.Add, f, s.number(0.5)))))
	}
	return s.load(index)
}

// linear interpolates over all axes.
func (s *sampling) linear(index []hast.Expr) hast.Expr {
	axes := make([]between, len(s.coords))
	for k, f := range s.coords {
		axes[k] = s.between(f)
	}
	return s.interpolated(index, axes)
}

// A between says where a coordinate lies between two pixels. Its expressions are the same nodes wherever they are used, so that later phases see that they
// are computed once.
type between struct {
	near, far hast.Expr // the pixels' indices
	t, rest   hast.Expr // the weights of far and near
}

func (s *sampling) between(f hast.Expr) between {
	whole := s.scalar(ops.Floor, f)
	near, t := s.pixel(whole), s.scalar(ops.Sub, f, whole)
	return between{near, plus(near, 1, s.at), t, s.scalar(ops.Sub, s.number(1), t)}
}

// interpolated interpolates over the axes that index does not name yet.
func (s *sampling) interpolated(index []hast.Expr, axes []between) hast.Expr {
	if len(axes) == 0 {
		return s.load(index)
	}
	axis, inner := axes[0], axes[1:]
	p := s.interpolated(append(index[:len(index):len(index)], axis.near), inner)
	q := s.interpolated(append(index[:len(index):len(index)], axis.far), inner)
	t, rest := axis.t, axis.rest
	elem := typed(p.Type(), s.at)
	if elem.T.IsVector() {
		t, rest = &hast.Splat{Typed: elem, X: t}, &hast.Splat{Typed: elem, X: rest}
	}
	near := &hast.Op{Typed: elem, Op: ops.Mul, Args: []hast.Expr{rest, p}}
	far := &hast.Op{Typed: elem, Op: ops.Mul, Args: []hast.Expr{t, q}}
	return &hast.Op{Typed: elem, Op: ops.Add, Args: []hast.Expr{near, far}}
}
