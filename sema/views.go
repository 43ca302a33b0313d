package sema

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A view is a part of an image, without a copy: src[y0 : h][x0 : w] starts at an index and has a number of pixels along each axis,
// a[k] is a plane. It is an image of its own in everything but its storage: subscripts start at 0, border rules fold at its edges.

// viewStmt declares a view of a pipeline.
func (e *env) viewStmt(s *syntax.View) {
	if call, ok := syntax.Unparen(s.Value).(*syntax.Call); ok && call.Fun.Text == "resample" {
		e.resampleView(s, call)
		return
	}
	of, subs, ok := e.viewed(s.Value)
	var m *imageEnt
	if ok {
		m = e.part(s.Name, of, subs, s.At)
	}
	if m == nil || !e.viewType(m, s) {
		if ok && s.Border != nil {
			e.ruleKind(s.Border)
		}
		e.declare(s.Name, &badEnt{declared{s.Name.At}})
		return
	}
	if s.Border != nil {
		e.ownRule(m, s.Border)
	}
	e.declare(s.Name, m)
}

// viewed is the image behind view v = src[...], and its subscripts.
func (e *env) viewed(x syntax.Expr) (*imageEnt, []syntax.Sub, bool) {
	m, subs := e.based(x)
	if m == nil {
		errors := e.errors
		if o := e.operand(x); e.errors == errors && o.valid() {
			e.errorf(diag.WrongUse, x.Span(), "a view is a part of an image, this is %s", o.typ).Note("write view v = src[y0 : h][x0 : w]")
		}
		return nil, nil, false
	}
	return m, subs, m.img.Elem.IsValid()
}

// part makes a view of an image; nil after an error. Axes without a subscript are kept whole, those with a single one are not kept.
func (e *env) part(name syntax.Name, of *imageEnt, subs []syntax.Sub, at source.Span) *imageEnt {
	switch {
	case of.mask:
		e.errorf(diag.WrongUse, at, "%s is a mask; views are of images", of.img.Name)
		return nil
	case len(subs) > of.img.Rank():
		e.errorf(diag.BadSubscript, at, "%s has %s, this has %s", of.img.Name, plural(of.img.Rank(), "axis", "axes"), plural(len(subs), "subscript"))
		return nil
	}
	img := &hast.Image{Name: name.Text, Dir: of.img.Dir, Elem: of.img.Elem, View: &hast.View{Of: of.img}, At: name.At}
	ok := true
	for k := range of.img.Extent {
		ok = e.viewAxis(img, of, subs, k, at) && ok
	}
	if !ok {
		return nil
	}
	if len(img.Extent) == 0 {
		e.errorf(diag.BadSubscript, at, "this is one pixel, and a view has axes").Note("let p = %s reads a pixel", of.example())
		return nil
	}
	if !slices.ContainsFunc(img.Lower, func(lo int64) bool { return lo != 0 }) {
		img.Lower = nil
	}
	m := &imageEnt{declared: declared{name.At}, img: img, dir: of.dir, usage: of.usage, resampled: of.resampled}
	m.inherit(of)
	if of.resampled != nil {
		of.resampled.kept = true
	}
	step := &hast.DefineView{Image: img, At: at}
	if e.in != nil {
		step.Within = e.in.calls
	}
	e.emit(step)
	return m
}

// viewAxis places a view along an axis of its image.
func (e *env) viewAxis(img *hast.Image, of *imageEnt, subs []syntax.Sub, k int, at source.Span) bool {
	if k >= len(subs) {
		lower := of.lower(k)
		img.View.Axes = append(img.View.Axes, hast.ViewAxis{First: intConst(lower, at), Kept: true})
		img.Extent, img.Lower = append(img.Extent, of.img.Extent[k]), append(img.Lower, lower)
		return true
	}
	s := subs[k]
	switch {
	case s.Star:
		e.errorf(diag.BadSubscript, s.At, "[*] stands in a border by formula only")
		return false
	case s.Stride != nil:
		e.operands([]syntax.Expr{s.Start, s.Count, s.Stride})
		e.errorf(diag.BadSubscript, s.At, "a view has all pixels from its first to its last, and no stride").
			Note("write a[2*i] where every second pixel is read")
		return false
	}
	first := e.hostValue(e.toIndex(e.operand(s.Start)))
	var extent hast.Expr
	if s.Count != nil {
		if extent = e.viewExtent(s.Count); extent == nil {
			return false
		}
	}
	if first == nil {
		return false
	}
	ax := hast.ViewAxis{First: e.now(img.Name+"_first", first, s.At), Kept: s.Count != nil}
	img.View.Axes = append(img.View.Axes, ax)
	if ax.Kept {
		img.Extent, img.Lower = append(img.Extent, extent), append(img.Lower, 0)
	}
	return true
}

// viewExtent is the number of pixels of a view along an axis; it may be 0.
func (e *env) viewExtent(x syntax.Expr) hast.Expr {
	o := e.operand(x)
	if n, ok := o.con.index(); ok && o.typ.IsScalar() && n < 0 {
		e.errorf(diag.BadExtent, o.at, "a number of pixels is at least 0, this is %d", n).
			Note("behind the colon stands how many there are: src[1 : H - 2] is all but the first and the last")
		return nil
	}
	return e.hostInt(o, "an extent")
}

// now is a host expression whose value does not change any more: with a variable in it that may, a let keeps what it is now.
func (e *env) now(name string, x hast.Expr, at source.Span) hast.Expr {
	if !varies(x) {
		return x
	}
	v := &hast.Var{Name: name, Type: x.Type(), Class: hast.HostValue, At: at}
	e.emit(&hast.DefineHost{Var: v, Value: x, At: at})
	return ref(v, at)
}

// varies reports whether a host expression reads a var.
func varies(x hast.Expr) bool {
	switch x := x.(type) {
	case *hast.Ref:
		return x.Var.Class == hast.HostMutable
	case *hast.Op:
		return slices.ContainsFunc(x.Args, varies)
	case *hast.Convert:
		return varies(x.X)
	case *hast.Splat:
		return varies(x.X)
	case *hast.Select:
		return varies(x.Cond) || varies(x.Then) || varies(x.Else)
	case *hast.Vec:
		return slices.ContainsFunc(x.Parts, varies)
	case *hast.Swizzle:
		return varies(x.X)
	}
	return false
}

// inherit gives a view the border rule of its image, applied to the view's own edges.
func (m *imageEnt) inherit(of *imageEnt) {
	m.rule, m.badRule = of.rule, of.badRule
	if of.rule == nil || of.rule.Kind != hast.Formula {
		return
	}
	m.rule = nil // a border by formula is made for an image
	if of.declaredRule != nil && of.img.Rank() == m.img.Rank() {
		of.ruleHome.ownRule(m, of.declaredRule)
	}
}

// viewType compares a view with the type that it is declared with.
func (e *env) viewType(m *imageEnt, s *syntax.View) bool {
	if s.Type == nil {
		return true
	}
	t := e.baseType(s.Type.Base)
	switch {
	case !t.IsValid():
		return false
	case t != m.img.Elem:
		e.errorf(diag.CopyMismatch, s.Type.At, "%s has pixels of %s, this is %s", m.img.View.Of.Name, m.img.Elem, t).
			Note("a view converts nothing; an image does: image %s: %s = ...", m.img.Name, s.Type.At.Text())
		return false
	case len(s.Type.Dims) != m.img.Rank():
		e.errorf(diag.CopyMismatch, s.Type.At, "%s has %s, this has %d", excerpt(s.Value.Span()), plural(m.img.Rank(), "axis", "axes"), len(s.Type.Dims))
		return false
	}
	for i, d := range s.Type.Dims {
		want, lower := hast.Expr(nil), int64(0)
		if d.Lo == nil {
			want = e.viewExtent(d.Hi)
		} else {
			want, lower = e.imageAxis(d)
		}
		if want == nil {
			return false
		}
		if lower != m.lower(i) {
			e.errorf(diag.BadExtent, d.At, "axis %d of this view starts at the index %d", i, m.lower(i))
			return false
		}
		if !e.sameView(m.img, i, want, d.At) {
			return false
		}
	}
	return true
}

// sameView compares an extent of a view with the declared one: now, or by a check at entry.
func (e *env) sameView(m *hast.Image, axis int, want hast.Expr, at source.Span) bool {
	got := m.Extent[axis]
	if hast.Equal(got, want) {
		return true
	}
	g, okg := constInt(got)
	w, okw := constInt(want)
	if okg && okw {
		e.errorf(diag.CopyMismatch, at, "axis %d of %s has %d pixels, not %d", axis, m.Name, g, w)
		return false
	}
	e.entryCheck(&hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.Eq, Args: []hast.Expr{got, want}}, at,
		"the view %s does not have %s pixels on axis %d", m.Name, excerpt(at), axis)
	return true
}

// imageOf is the image that an expression of a pipeline names: by its name, or as a part of another one, as a[k], which becomes a
// view without a name. It is nil where the expression names none; after an error its type is invalid.
func (e *env) imageOf(x syntax.Expr) *imageEnt {
	if m := e.bareImage(x); m != nil {
		return m
	}
	of, subs := e.based(x)
	if of == nil || e.where != onHost || !of.img.Elem.IsValid() || len(subs) >= of.img.Rank() && !isBlock(subs) {
		return nil
	}
	if m := e.plane(of, subs, x.Span()); m != nil {
		return m
	}
	return &imageEnt{declared: declared{x.Span()}, img: &hast.Image{Name: of.img.Name}, dir: of.dir, usage: of.usage}
}

// isPart reports whether a place of a pipeline is a part of an image that is not a pixel, nor a block whose size is known.
func (e *env) isPart(m *imageEnt, subs []syntax.Sub) bool {
	if len(subs) == 0 || len(subs) > m.img.Rank() {
		return false
	}
	for _, s := range subs {
		if s.Count != nil && s.Stride == nil && !e.isConstant(s.Count) {
			return true
		}
	}
	return len(subs) < m.img.Rank()
}

// isConstant looks ahead whether an expression is known at compile time; one with an error is said to be.
func (e *env) isConstant(x syntax.Expr) bool {
	constant := true
	visit(func(id *syntax.Ident) {
		switch ent := e.scope.find(id.Name).(type) {
		case *varEnt, *imageEnt:
			constant = false
		case *valueEnt:
			constant = constant && ent.value.con != nil
		}
	}, x)
	return constant
}

// based is the image, be it a level of a pyramid, that an expression takes apart, and the subscripts behind it; nil if there is none.
func (e *env) based(x syntax.Expr) (*imageEnt, []syntax.Sub) {
	base, subs := unchain(syntax.Unparen(x))
	if p := e.barePyramid(base); p != nil && len(subs) > 0 {
		return e.level(p, subs[0]), subs[1:]
	}
	return e.bareImage(base), subs
}

// plane makes a view without a name of its own.
func (e *env) plane(of *imageEnt, subs []syntax.Sub, at source.Span) *imageEnt {
	name := of.img.Name
	for _, s := range subs {
		switch x := syntax.Unparen(s.Start).(type) {
		case *syntax.Ident:
			name += "_" + x.Name
		case *syntax.Lit:
			name += "_" + x.Text
		}
	}
	return e.part(syntax.Name{Place: syntax.Place{At: at}, Text: name}, of, subs, at)
}

// apart reports whether two parts of one image are seen to share no pixel: on some axis one ends before the other begins.
func apart(m, n *hast.Image) bool {
	if m.View == nil || n.View == nil || m.View.Of != n.View.Of {
		return false
	}
	return ends(m, n) || ends(n, m)
}

// ends reports whether m ends before n begins, on some axis.
func ends(m, n *hast.Image) bool {
	own := 0
	for k, ax := range m.View.Axes {
		end := plus(ax.First, 1, m.At)
		if ax.Kept {
			end = sum(ax.First, m.Extent[own], m.At)
			own++
		}
		begin := n.View.Axes[k].First
		if hast.Equal(end, begin) {
			return true
		}
		v, mul, add, ok := linear(end)
		w, mulw, addw, okw := linear(begin)
		if ok && okw && (v == w && mul == mulw || mul == 0 && mulw == 0) && add <= addw {
			return true
		}
	}
	return false
}
