package sema

import (
	"fmt"
	"strconv"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// maxWindow bounds the pixels of a window and the elements of an array made by a comprehension at run time: more would not
// fit the registers and private memory of any device.
const maxWindow = 1 << 14

// windowCount names the count of start : count in messages.
const windowCount = "the count of a window"

// index checks a chain of subscripts: pixels and windows of images, elements of arrays, coefficients of masks.
func (e *env) index(x *syntax.Index) operand {
	base, subs := unchain(x)
	if id, ok := base.(*syntax.Ident); ok {
		if ent, ok := e.scope.find(id.Name).(*borderedEnt); ok {
			return e.borderedRead(ent, x, subs)
		}
	}
	for _, s := range subs {
		if s.Star {
			e.errorf(diag.BadSubscript, s.At, "[*] stands in a border by formula only")
			return invalid(x.At)
		}
	}
	if id, ok := base.(*syntax.Ident); ok {
		switch ent := e.scope.find(id.Name).(type) {
		case *pyramidEnt:
			return e.levelRead(ent, x, subs)
		case *imageEnt:
			if d, ok := e.offsetSubscript(subs); ok && ent.mask {
				return e.maskCoefficient(ent, d, x)
			}
			return e.read(ent, x, subs)
		case *offsetEnt:
			e.errorf(diag.BadSubscript, x.At, "%s is an offset; its parts are %s", id.Name, ent.example(id.Name))
			return invalid(x.At)
		}
	}
	o := e.operand(base)
	if !o.valid() {
		e.subscriptErrors(subs)
		return invalid(x.At)
	}
	return e.element(o, x, subs)
}

// subscriptErrors checks subscripts whose base has been reported, for what is wrong with them alone.
func (e *env) subscriptErrors(subs []syntax.Sub) {
	for _, s := range subs {
		for _, part := range []syntax.Expr{s.Start, s.Count, s.Stride} {
			if id, ok := part.(*syntax.Ident); ok && part != nil {
				if _, ok := e.scope.find(id.Name).(*offsetEnt); ok {
					continue
				}
			}
			e.operand(part)
		}
	}
}

// unchain takes a[i][j] apart into a and its subscripts in the order of the text.
func unchain(x syntax.Expr) (syntax.Expr, []syntax.Sub) {
	ix, ok := x.(*syntax.Index)
	if !ok {
		return x, nil
	}
	base, subs := unchain(ix.X)
	return base, append(subs, ix.Sub)
}

// element is one element of an array value, or a component of a vector.
func (e *env) element(o operand, x syntax.Node, subs []syntax.Sub) operand {
	if o.typ.IsVector() && len(subs) == 1 && subs[0].Count == nil {
		return e.component(o, x, e.toIndex(e.operand(subs[0].Start)))
	}
	if !o.typ.IsArray() {
		e.notIndexable(o, x)
		return invalid(x.Span())
	}
	if d, ok := e.offsetSubscript(subs); ok {
		return e.coefficient(o, d, x)
	}
	for _, s := range subs {
		if s.Count != nil {
			e.errorf(diag.BadSubscript, s.At, "a window start : count is of an image, not of the array %s", o.typ).
				Note("write [a[i] for i in lo:hi] for part of an array")
			return invalid(x.Span())
		}
	}
	if len(subs) != int(o.typ.Rank) {
		d := e.errorf(diag.BadSubscript, x.Span(), "an element of %s needs %s, not %d", o.typ, plural(int(o.typ.Rank), "subscript"), len(subs))
		if len(subs) < int(o.typ.Rank) {
			d.Note("write %s for this part of it", e.partOf(o.typ, x, len(subs)))
		}
		e.subscriptErrors(subs)
		return invalid(x.Span())
	}
	index := make([]operand, len(subs))
	for i, s := range subs {
		index[i] = e.toIndex(e.operand(s.Start))
	}
	if !allValid(index) {
		return invalid(x.Span())
	}
	return e.elementOf(o, x, index)
}

func (e *env) notIndexable(o operand, x syntax.Node) {
	d := e.errorf(diag.BadSubscript, x.Span(), "a value of type %s has no subscripts", o.typ)
	if o.typ.IsVector() {
		d.Note("the components of a vector are .x .y .z .w, or .r .g .b .a")
	}
}

// component is the component of a vector with a number: an element of the array of all of them.
func (e *env) component(o operand, x syntax.Node, number operand) operand {
	if !number.valid() {
		return invalid(x.Span())
	}
	n := int(o.typ.Lanes)
	k, known := number.con.index()
	if known && (k < 0 || k >= n) {
		e.errorf(diag.IndexRange, number.at, "component %d is outside 0 to %d of %s", k, n-1, o.typ)
		return invalid(x.Span())
	}
	if known {
		return e.swizzled(o, []int{k}, x.Span())
	}
	parts, index := e.lanesOf(o), e.expr(number)
	if parts[0] == nil || index == nil {
		return invalid(x.Span())
	}
	one := o.typ.WithLanes(1)
	all := &hast.Array{Typed: typed(one.Array(n), x.Span()), Elems: parts}
	return runtime(&hast.Elem{Typed: typed(one, x.Span()), X: all, Index: []hast.Expr{index}})
}

// elementOf takes the element at checked indices.
func (e *env) elementOf(o operand, x syntax.Node, index []operand) operand {
	flat, known := 0, true
	for d, ix := range index {
		n, ok := ix.con.index()
		known = known && ok
		if extent := int(o.typ.Dims[d]); ok && (n < 0 || n >= extent) {
			e.errorf(diag.IndexRange, ix.at, "index %d is outside 0 to %d of %s", n, extent-1, o.typ)
			return invalid(x.Span())
		}
		flat = flat*int(o.typ.Dims[d]) + n
	}
	if known && o.con != nil {
		return constOperand(o.con.element(flat), x.Span())
	}
	parts := make([]hast.Expr, len(index))
	for i, ix := range index {
		if parts[i] = e.expr(ix); parts[i] == nil {
			return invalid(x.Span())
		}
	}
	v := e.expr(o)
	switch {
	case v == nil:
		return invalid(x.Span())
	case known:
		return runtime(elementAt(v, parts, x.Span()))
	}
	return runtime(&hast.Elem{Typed: typed(o.typ.Elem(), x.Span()), X: v, Index: parts})
}

// subscript is what messages call one.
const subscript = "a subscript"

// toIndex brings a subscript to i32.
func (e *env) toIndex(o operand) operand {
	if !o.valid() {
		return o
	}
	if !o.typ.IsScalar() {
		e.errorf(diag.BadSubscript, o.at, "a subscript is an integer, this is %s", o.typ)
		return invalid(o.at)
	}
	return e.assign(o, types.Scalar(types.I32), subscript)
}

// offsetSubscript recognises m[d] with d from "d in dom".
func (e *env) offsetSubscript(subs []syntax.Sub) (*offsetEnt, bool) {
	if len(subs) != 1 || subs[0].Count != nil {
		return nil, false
	}
	id, ok := syntax.Unparen(subs[0].Start).(*syntax.Ident)
	if !ok {
		return nil, false
	}
	d, ok := e.scope.find(id.Name).(*offsetEnt)
	return d, ok
}

// coefficient is m[d], the element at an offset from the centre.
func (e *env) coefficient(o operand, d *offsetEnt, x syntax.Node) operand {
	if int(o.typ.Rank) != len(d.axes) {
		e.errorf(diag.BadSubscript, x.Span(), "the offset has %s, %s has %d", plural(len(d.axes), "part"), o.typ, o.typ.Rank)
		return invalid(x.Span())
	}
	if d.of != nil {
		e.errorf(diag.BadSubscript, x.Span(), "the offset comes from %s, which is given at run time, so %s may have no coefficient there",
			d.of.img.Name, o.typ)
		return invalid(x.Span())
	}
	index := make([]operand, len(d.axes))
	for i, a := range d.axes {
		size := int(o.typ.Dims[i])
		if size != d.dims[i] {
			e.errorf(diag.BadSubscript, x.Span(), "the domain has the extents %s, so %s has no coefficient at each of its offsets",
				dimsText(d.dims), o.typ)
			return invalid(x.Span())
		}
		if a.con != nil {
			n, _ := a.con.index()
			index[i] = constOperand(smallInt(int64(n+size/2)), a.at)
			continue
		}
		index[i] = runtime(plus(a.x, int64(size/2), x.Span()))
	}
	if index[0].con != nil {
		return e.elementOf(o, x, index)
	}
	parts := make([]hast.Expr, len(index))
	for i, ix := range index {
		parts[i] = ix.x
	}
	v := e.expr(o)
	if v == nil {
		return invalid(x.Span())
	}
	return runtime(elementAt(v, parts, x.Span()))
}

// partOf is what to write for the part of an array that its first subscripts name, as in [a[k][i] for i in 0:4].
func (e *env) partOf(t types.Type, x syntax.Node, named int) string {
	var ranges []string
	element := excerpt(x.Span())
	names := []string{"i", "j", "k", "l", "m", "n", "p", "q"}
	for _, n := range t.Dims[named:t.Rank] {
		for len(names) > 1 && e.scope.find(names[0]) != nil {
			names = names[1:]
		}
		element += "[" + names[0] + "]"
		ranges = append(ranges, fmt.Sprintf("%s in 0:%d", names[0], n))
		names = names[min(1, len(names)-1):]
	}
	return fmt.Sprintf("[%s for %s]", element, strings.Join(ranges, ", "))
}

func dimsText(dims []int) string {
	s := ""
	for _, d := range dims {
		s += fmt.Sprintf("[%d]", d)
	}
	return s
}

// read is a pixel or window of an image.
func (e *env) read(m *imageEnt, x *syntax.Index, subs []syntax.Sub) operand {
	m.read = true
	rank := m.img.Rank()
	if !m.img.Elem.IsValid() {
		e.subscriptErrors(subs)
		return invalid(x.At)
	}
	if len(subs) < rank {
		e.errorf(diag.BadSubscript, x.At, "this is a plane of %s, where a value is asked for", m.img.Name).
			Note("%s has %s; write %s for a pixel", m.img.Name, plural(rank, "axis", "axes"), m.completed(x.At, len(subs)))
		return invalid(x.At)
	}
	if e.where == onHost {
		return e.readPixel(m, x, subs)
	}
	if !e.readable(m, x) {
		e.subscriptErrors(subs)
		return invalid(x.At)
	}
	pixel := e.pixelOrWindow(m, x, subs[:rank])
	if !pixel.valid() || len(subs) == rank {
		if len(subs) > rank {
			e.subscriptErrors(subs[rank:])
		}
		return pixel
	}
	if !pixel.typ.IsArray() && (!pixel.typ.IsVector() || len(subs) > rank+1) {
		d := e.errorf(diag.BadSubscript, x.At, "%s has %s, this has %s", m.img.Name, plural(rank, "axis", "axes"), plural(len(subs), "subscript"))
		if pixel.typ.IsVector() {
			d.Note("one more is the number of a component of a pixel, which are .x .y .z .w, or .r .g .b .a, too")
		}
		return invalid(x.At)
	}
	return e.element(pixel, x, subs[rank:])
}

// readable reports a read of an out that nothing has written.
func (e *env) readable(m *imageEnt, x syntax.Node) bool {
	if s := e.stage; s != nil && (s.scanned || e.loop) && !m.written {
		s.early = append(s.early, earlyRead{m, x}) // an earlier step of the scan, or round of a loop, may have written it
		return true
	}
	return e.holdsSomething(m, x)
}

// holdsSomething reports a read of an out that nothing has written.
func (e *env) holdsSomething(m *imageEnt, x syntax.Node) bool {
	e.refresh(m)
	if m.dir == hast.Out && !m.written {
		if !m.warned {
			e.errorf(diag.OutRead, x.Span(), "%s is an out parameter, which holds nothing before it is written", m.img.Name).
				Note("make it inout to read what the caller passes, or write it in an earlier statement")
		}
		m.warned = true
		return false
	}
	if m.img.Dir == hast.Local && !m.written && !m.warned && !e.again {
		e.warnf(diag.NeverWritten, x.Span(), "nothing has written %s yet, so this reads zeros", m.img.Name)
		m.warned = true
	}
	return true
}

// pixelOrWindow is the read itself, with a subscript for each axis.
func (e *env) pixelOrWindow(m *imageEnt, x *syntax.Index, subs []syntax.Sub) operand {
	rule, ok := e.rule(m)
	axes := make([]hast.WindowAxis, len(subs))
	for i, s := range subs {
		axis, valid := e.windowAxis(s)
		axes[i], ok = axis, ok && valid
	}
	if !ok {
		return invalid(x.At)
	}
	return e.readAt(m.img, rule, axes, x.At)
}

// readAt is a read with checked subscripts: a pixel, or a window where one of them has a colon.
func (e *env) readAt(img *hast.Image, rule *hast.Rule, axes []hast.WindowAxis, at source.Span) operand {
	var dims []int
	coords := make([]hast.Coord, len(axes))
	for i, a := range axes {
		coords[i] = a.Start
		if a.Colon {
			dims = append(dims, a.Count)
		}
	}
	if dims == nil {
		return runtime(&hast.Load{Typed: typed(img.Elem, at), Image: img, Index: coords, Rule: rule})
	}
	t := img.Elem.Array(dims...)
	if t.Len() > maxWindow {
		e.errorf(diag.BadExtent, at, "a window has at most %d pixels, this has %d", maxWindow, t.Len())
		return invalid(at)
	}
	return runtime(&hast.Window{Typed: typed(t, at), Image: img, Axes: axes, Rule: rule})
}

// windowAxis checks one subscript of an image: a coordinate, or start : count (: stride).
func (e *env) windowAxis(s syntax.Sub) (hast.WindowAxis, bool) {
	if d, ok := e.offsetSubscript([]syntax.Sub{s}); ok {
		name := syntax.Unparen(s.Start).(*syntax.Ident).Name
		e.errorf(diag.BadSubscript, s.At, "%s is an offset and no coordinate", name).
			Note("add its parts to a coordinate: %s", d.coordinates(name))
		return hast.WindowAxis{}, false
	}
	start := e.toIndex(e.operand(s.Start))
	axis := hast.WindowAxis{Start: hast.Coord{X: e.expr(start), Below: true, Above: true}, Count: 1, Stride: 1, Colon: s.Count != nil}
	ok := axis.Start.X != nil
	if s.Count != nil {
		n, valid := e.countOf(s)
		axis.Count, ok = n, ok && valid
	}
	if s.Stride != nil {
		n, valid := e.positive(s.Stride, "the stride of a window")
		axis.Stride, ok = n, ok && valid
	}
	if axis.Count > maxWindow {
		e.errorf(diag.BadExtent, s.At, "a window has at most %d pixels", maxWindow)
		return axis, false
	}
	return axis, ok
}

// countOf is the count of a window. What stands there may be meant for the end, as slices have it elsewhere: then the message has the count.
func (e *env) countOf(s syntax.Sub) (int, bool) {
	from, first, ok := moved(s.Start)
	to, end, both := moved(s.Count)
	if _, runs := e.scope.find(from).(*varEnt); !runs || !ok || !both || from != to || end <= first {
		return e.positive(s.Count, windowCount)
	}
	e.errorf(diag.NotConstant, s.Count.Span(), "%s must be a constant", windowCount).
		Note("behind the colon stands how many pixels there are, not where they end: %s : %d", excerpt(s.Start.Span()), end-first)
	return 0, false
}

// moved is a name and what is added to it.
func moved(x syntax.Expr) (name string, by int, ok bool) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Ident:
		return x.Name, 0, true
	case *syntax.Binary:
		id, isName := syntax.Unparen(x.X).(*syntax.Ident)
		lit, isLit := syntax.Unparen(x.Y).(*syntax.Lit)
		if !isName || !isLit || x.Op != "+" && x.Op != "-" {
			return "", 0, false
		}
		n, err := strconv.Atoi(lit.Text)
		if x.Op == "-" {
			n = -n
		}
		return id.Name, n, err == nil
	}
	return "", 0, false
}

// coordinates is the usual way to add an offset to a pixel's coordinates: "[y + d.y][x + d.x]".
func (d *offsetEnt) coordinates(name string) string {
	s := ""
	for _, a := range axisNames[len(axisNames)-len(d.dims):] {
		s += fmt.Sprintf("[%s + %s.%s]", a, name, a)
	}
	return s
}

// positive computes a constant of at least 1.
func (e *env) positive(x syntax.Expr, purpose string) (int, bool) {
	n, ok := e.constInt(x, purpose)
	if ok && n < 1 {
		d := e.errorf(diag.BadSubscript, x.Span(), "%s must be at least 1, this is %d", purpose, n)
		if n < 0 && purpose == windowCount {
			d.Note("behind the colon stands how many pixels there are, not where they end")
		}
		return n, false
	}
	return n, ok
}
