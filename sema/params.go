package sema

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/syntax"
	"imgc/types"
)

var directions = map[syntax.Dir]hast.Dir{syntax.NoDir: hast.In, syntax.In: hast.In, syntax.Out: hast.Out, syntax.InOut: hast.InOut}

// params declares a pipeline's parameters and size names. Scalars come first: extents may use them.
func (e *env) params(list []*syntax.Param) {
	scalars := map[*syntax.Param]*varEnt{}
	for _, p := range list {
		if p.Type != nil && len(p.Type.Dims) == 0 {
			scalars[p] = e.scalarParam(p)
		}
	}
	e.sizes(list)
	for _, p := range list {
		param := &hast.Param{Name: p.Name.Text, Dir: directions[p.Dir], At: p.Name.At}
		if ent, ok := scalars[p]; ok {
			param.Scalar = ent.v
			param.Default = e.defaultValue(p, ent.v, e.scope.parent)
		} else if p.Type != nil {
			param.Image = e.imageParam(p)
		}
		e.pipe.p.Params = append(e.pipe.p.Params, param)
	}
	e.bindSizes()
	for _, o := range e.pipe.outs {
		if v := o.ent.v; e.device[v.Name] && v.Type.IsValid() {
			o.image = e.deviceImage(v.Name, v.Type.WithKind(keptAs(v.Type.Kind)), 1, v.At)
		}
	}
}

// scalarParam declares a scalar parameter.
func (e *env) scalarParam(p *syntax.Param) *varEnt {
	t := e.baseType(p.Type.Base)
	class := hast.ScalarIn
	if p.Dir == syntax.Out {
		class = hast.ScalarOut
	}
	switch {
	case p.Mask:
		e.errorf(diag.BadParameter, p.Type.At, "a mask has extents").Note("write in %s: mask %s[KH][KW]", p.Name.Text, p.Type.Base.Text)
		t = types.Type{}
	case p.Dir == syntax.InOut:
		e.errorf(diag.BadParameter, p.At, "the scalar %s is inout; a scalar parameter is in or out", p.Name.Text)
	case p.Border != nil:
		e.errorf(diag.BadParameter, p.Border.At, "%s is a scalar and has no border", p.Name.Text)
	case p.Dir == syntax.Out && p.Default != nil:
		e.errorf(diag.BadParameter, p.Default.Span(), "the out parameter %s has a default value; only in scalars have one", p.Name.Text)
	}
	ent := newVar(p.Name, t, class)
	ent.used = true
	if p.Dir == syntax.InOut {
		e.declare(p.Name, &badEnt{declared{p.Name.At}})
		return ent
	}
	e.declare(p.Name, ent)
	if class == hast.ScalarOut {
		e.pipe.outs = append(e.pipe.outs, &outScalar{ent: ent})
	}
	return ent
}

// defaultValue computes the default of a scalar parameter.
func (e *env) defaultValue(p *syntax.Param, v *hast.Var, home *scope) *types.Value {
	if p.Default == nil || p.Dir != syntax.In {
		return nil
	}
	inner := &env{checker: e.checker, scope: home, where: inConst}
	o := inner.assign(inner.operand(p.Default), v.Type, "the parameter "+v.Name)
	if !o.valid() {
		return nil
	}
	if o.con == nil {
		e.notConstant(o, "a default value")
		return nil
	}
	return &types.Value{Type: o.typ, Words: o.con.words()}
}

// sizes declares the size names: identifiers in the extents of parameters that name nothing else.
func (e *env) sizes(list []*syntax.Param) {
	for _, p := range list {
		if p.Type == nil {
			continue
		}
		if p.Mask && e.pipe.trial {
			e.maskSizes(p)
			continue
		}
		for _, d := range p.Type.Dims {
			visit(func(id *syntax.Ident) {
				if e.scope.find(id.Name) != nil || builtinValues[id.Name] != 0 {
					return
				}
				ent := scalarVar(syntax.Name{Place: id.Place, Text: id.Name}, hast.SizeVar)
				ent.used = true
				e.scope.names[id.Name] = ent
				e.pipe.p.Sizes = append(e.pipe.p.Sizes, &hast.Size{Var: ent.v})
			}, d.Lo, d.Hi)
		}
	}
}

// maskSizes keeps the sizes of a mask parameter from being reported: a kernel's calls give them as constants.
func (e *env) maskSizes(p *syntax.Param) {
	for _, d := range p.Type.Dims {
		visit(func(id *syntax.Ident) {
			if e.scope.find(id.Name) == nil {
				e.scope.names[id.Name] = &badEnt{declared{id.At}}
			}
		}, d.Lo, d.Hi)
	}
}

// imageParam declares an image parameter.
func (e *env) imageParam(p *syntax.Param) *hast.Image {
	if p.Mask && e.pipe.trial {
		e.declare(p.Name, &badEnt{declared{p.Name.At}})
		return nil
	}
	m := e.newImage(p.Name, p.Type, directions[p.Dir])
	m.written = p.Dir != syntax.Out
	m.mask = p.Mask
	if p.Mask {
		e.maskParam(m, p)
	}
	if p.Default != nil {
		e.errorf(diag.BadParameter, p.Default.Span(), "the image %s has a default value; only in scalars have one", p.Name.Text)
	}
	e.declare(p.Name, m)
	e.ownRule(m, p.Border)
	if e.pipe.trial && p.Border == nil {
		m.rule = &hast.Rule{Kind: hast.Undefined} // the rule of whatever image a call gives
	}
	return m.img
}

// maskParam checks what is asked of a mask beside what is of an image.
func (e *env) maskParam(m *imageEnt, p *syntax.Param) {
	switch {
	case p.Dir != syntax.In && p.Dir != syntax.NoDir:
		e.errorf(diag.BadParameter, p.At, "the mask %s is %s; a mask is in", p.Name.Text, m.img.Dir)
	case m.img.Elem.IsValid() && !m.img.Elem.IsScalar():
		e.errorf(diag.BadParameter, p.Type.At, "the coefficients of a mask are scalars, not %s", m.img.Elem)
	case m.img.Lower != nil:
		e.errorf(diag.BadParameter, p.Type.At, "a mask has extents and no index range; its offsets count from the centre")
	case p.Border != nil:
		e.errorf(diag.BadParameter, p.Border.At, "%s is a mask and has no border", p.Name.Text)
	}
}

// newImage resolves the type of an image; its element type is invalid after an error.
func (e *env) newImage(name syntax.Name, t *syntax.Type, dir hast.Dir) *imageEnt {
	img := &hast.Image{Name: name.Text, Dir: dir, Elem: e.baseType(t.Base), At: name.At}
	m := &imageEnt{declared: declared{name.At}, img: img, dir: dir, usage: &usage{}}
	ok := true
	switch {
	case len(t.Dims) == 0:
		e.errorf(diag.BadExtent, t.At, "the image %s has no extents", name.Text).Note("write %s: %s[H][W]", name.Text, t.Base.Text)
		ok = false
	case len(t.Dims) > types.MaxRank:
		e.errorf(diag.BadExtent, t.At, "an image has at most %d extents, this has %d", types.MaxRank, len(t.Dims))
		ok = false
	}
	for _, d := range t.Dims {
		x, lower := e.imageAxis(d)
		ok = ok && x != nil
		img.Extent = append(img.Extent, x)
		img.Lower = append(img.Lower, lower)
	}
	if !slices.ContainsFunc(img.Lower, func(lo int64) bool { return lo != 0 }) {
		img.Lower = nil
	}
	if !ok {
		img.Elem = types.Type{}
	} else {
		e.inLevels(img)
	}
	e.pipe.images = append(e.pipe.images, m)
	return m
}

// maxLower bounds the first index of an image, so that i32 holds every index.
const maxLower = 1 << 20

// imageAxis checks an extent [n], or an index range [lo : hi] with a constant lo. The extent is nil after an error.
func (e *env) imageAxis(d *syntax.Dim) (extent hast.Expr, lower int64) {
	if d.Lo == nil {
		return e.imageExtent(d.Hi), 0
	}
	n, ok := e.constInt(d.Lo, "the first index of an image")
	if ok && (n < -maxLower || n > maxLower) {
		e.errorf(diag.BadExtent, d.Lo.Span(), "the first index of an image is between -2^20 and 2^20, this is %d", n)
		ok = false
	}
	o := e.operand(d.Hi)
	if !ok || !o.valid() {
		return nil, 0
	}
	if hi, known := o.con.index(); known && hi <= n {
		e.errorf(diag.BadExtent, d.At, "an extent must be at least 1; from %d up to %d, without %d, there is no index", n, hi, hi)
		return nil, 0
	}
	hi := e.hostInt(o, "an extent")
	if hi == nil {
		return nil, 0
	}
	return plus(hi, -int64(n), d.At), int64(n)
}

// imageExtent checks one extent: a host expression of kind i32.
func (e *env) imageExtent(x syntax.Expr) hast.Expr {
	o := e.operand(x)
	if n, ok := o.con.index(); ok && o.typ.IsScalar() && n < 1 {
		e.errorf(diag.BadExtent, o.at, "an extent must be at least 1, this is %d", n)
		return nil
	}
	return e.hostInt(o, "an extent")
}

// hostInt is an extent, an end of an index range or a number of levels as a host expression of kind i32; nil after an error.
func (e *env) hostInt(o operand, what string) hast.Expr {
	if !o.valid() {
		return nil
	}
	if !o.typ.IsScalar() || !o.typ.Kind.IsInt() {
		e.errorf(diag.BadExtent, o.at, "%s is an integer, this is %s", what, o.typ).Note("write i32(%s)", excerpt(o.at))
		return nil
	}
	o = e.assign(o, types.Scalar(types.I32), what)
	v := e.expr(o)
	if v == nil {
		return nil
	}
	return e.atEntry(v, what)
}

// withoutLets writes a host expression in terms of sizes and scalar parameters alone, as extents are: storage is reserved
// before the first step, and so before any let has its value.
func (e *env) withoutLets(x hast.Expr) hast.Expr {
	if r, ok := x.(*hast.Ref); ok {
		if value, ok := e.pipe.lets[r.Var]; ok {
			return value
		}
		return x
	}
	parts, _ := hostParts(x)
	if len(parts) == 0 {
		return x
	}
	known := make([]hast.Expr, len(parts))
	for i, p := range parts {
		known[i] = e.withoutLets(p)
	}
	return rebuilt(x, known)
}

// bindSizes finds for each size name the first extent that is linear in it and in nothing else: h, 2*h, h+1.
func (e *env) bindSizes() {
	pending := map[*hast.Var]*hast.Size{}
	for _, s := range e.pipe.p.Sizes {
		pending[s.Var] = s
	}
	var bound []*hast.Size
	for _, p := range e.pipe.p.Params {
		if p.Image == nil {
			continue
		}
		for axis, x := range p.Image.Extent {
			v, mul, add, ok := linear(x)
			size := pending[v]
			if !ok || size == nil || mul < 1 {
				continue
			}
			size.Image, size.Axis, size.Mul, size.Add = p.Image, axis, mul, add
			bound = append(bound, size)
			delete(pending, v)
		}
	}
	for _, s := range e.pipe.p.Sizes {
		if pending[s.Var] != nil && e.extentsValid() {
			e.errorf(diag.UnboundSize, s.Var.At, "no extent gives the value of %s", s.Var.Name).
				Note("one extent of a parameter must be %s alone, or linear in it: 2*%s, %s + 1", s.Var.Name, s.Var.Name, s.Var.Name)
		}
	}
	e.pipe.p.Sizes = bound
}

// extentsValid is true where every parameter's extents were understood; else a size may be unbound for that reason alone.
func (e *env) extentsValid() bool {
	for _, m := range e.pipe.images {
		if !m.img.Elem.IsValid() {
			return false
		}
	}
	return true
}

// linear writes an i32 expression as mul*v + add with one variable, or none; false if it is not of that form.
func linear(x hast.Expr) (v *hast.Var, mul, add int64, ok bool) {
	switch x := x.(type) {
	case *hast.Const:
		n, ok := constInt(x)
		return nil, 0, n, ok
	case *hast.Ref:
		return x.Var, 1, 0, true
	case *hast.Op:
		if len(x.Args) != 2 {
			return nil, 0, 0, false
		}
		v, m1, a1, ok1 := linear(x.Args[0])
		w, m2, a2, ok2 := linear(x.Args[1])
		if !ok1 || !ok2 || v != nil && w != nil && v != w {
			return nil, 0, 0, false
		}
		if v == nil {
			v = w
		}
		return combine(x.Op, v, m1, a1, m2, a2)
	}
	return nil, 0, 0, false
}

func combine(op ops.Op, v *hast.Var, m1, a1, m2, a2 int64) (*hast.Var, int64, int64, bool) {
	switch {
	case op == ops.Add:
		return v, m1 + m2, a1 + a2, true
	case op == ops.Sub:
		return v, m1 - m2, a1 - a2, true
	case op == ops.Mul && m1 == 0:
		return v, a1 * m2, a1 * a2, true
	case op == ops.Mul && m2 == 0:
		return v, m1 * a2, a1 * a2, true
	}
	return nil, 0, 0, false
}
