package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// maxUnrolledStores bounds the pixels of a block that are written one by one; a larger block is written by a loop.
const maxUnrolledStores = 64

// A block is what dst[y : 4][x : 4 : 2] = m writes: runs of pixels, one run for each subscript with a colon.
type block struct {
	image *hast.Image
	axes  []hast.WindowAxis
	at    source.Span
	skip  bool   // of its pixels those outside of the image are dropped
	op    ops.Op // of dst[x : 4] += m; none of an assignment
}

// isBlock is true of a target with a subscript start : count.
func isBlock(subs []syntax.Sub) bool {
	for _, s := range subs {
		if s.Count != nil {
			return true
		}
	}
	return false
}

// blockOf checks the subscripts of a block of pixels that is written.
func (e *env) blockOf(m *imageEnt, t target) (block, bool) {
	b := block{image: m.img, at: t.at, axes: make([]hast.WindowAxis, len(t.subs))}
	ok := true
	for i, s := range t.subs {
		axis, valid := e.windowAxis(s)
		b.axes[i], ok = axis, ok && valid
	}
	if !ok {
		return b, false
	}
	count := 1
	for _, a := range b.axes {
		count *= a.Count
		if count > maxWindow {
			e.errorf(diag.BadExtent, t.at, "a block has at most %d pixels", maxWindow)
			return b, false
		}
	}
	return b, true
}

// shape is the type of the array that the block takes.
func (b *block) shape() types.Type {
	var dims []int
	for _, a := range b.axes {
		if a.Colon {
			dims = append(dims, a.Count)
		}
	}
	return b.image.Elem.Array(dims...)
}

// blockValue checks what a block is given: an array of its shape, or one pixel that fills it.
func (e *env) blockValue(b *block, m *imageEnt, t target, s *syntax.Assign) hast.Expr {
	o := e.operand(s.Value)
	if !o.valid() {
		return nil
	}
	if s.Op != "=" {
		if o = e.blockUpdate(b, m, o, t, s); !o.valid() {
			return nil
		}
	}
	return e.blockAssign(b, o)
}

// blockUpdate is what the pixels of a block are updated with, in the kind of the image.
func (e *env) blockUpdate(b *block, m *imageEnt, o operand, t target, s *syntax.Assign) operand {
	op, ok := e.updateOp(m, t, s)
	if !ok {
		return invalid(o.at)
	}
	b.op = op
	one := o
	if o.typ.IsArray() { // stands in for an element
		x := e.expr(o)
		if x == nil {
			return o
		}
		zeros := make([]hast.Expr, o.typ.Rank)
		for i := range zeros {
			zeros[i] = intConst(0, o.at)
		}
		one = runtime(elementAt(x, zeros, o.at))
	}
	value, ok := e.updates(m, one, t, s)
	switch {
	case !ok:
		return invalid(o.at)
	case !o.typ.IsArray():
		return value
	case value.typ.Kind != o.typ.Kind:
		return e.convert(o, value.typ.Kind, hast.Wrap)
	}
	return o
}

func (e *env) blockAssign(b *block, o operand) hast.Expr {
	t := b.shape()
	if !o.typ.IsArray() {
		t = b.image.Elem
	}
	return e.expr(e.assign(o, t, excerpt(b.at)))
}

// storeBlock is dst[y : 4][x : 4] = m in a body: the value is computed once, before the first of its pixels is written.
func (e *env) storeBlock(m *imageEnt, t target, s *syntax.Assign) []hast.Stmt {
	b, ok := e.blockOf(m, t)
	value := hast.Expr(nil)
	if ok {
		value = e.blockValue(&b, m, t, s)
	} else {
		e.operand(s.Value)
	}
	m.written = true
	b.skip = e.skips(m)
	e.stage.writes(m.img)
	if value == nil {
		return nil
	}
	var out []hast.Stmt
	for i := range b.axes {
		out = b.keep(out, &b.axes[i].Start.X, axisNames[len(axisNames)-len(b.axes)+i]+"_start")
	}
	out = b.keep(out, &value, "block")
	return append(out, b.stores(value)...)
}

// keep gives an expression that is not to be computed again a name.
func (b *block) keep(out []hast.Stmt, x *hast.Expr, name string) []hast.Stmt {
	if cheap(*x) {
		return out
	}
	v := &hast.Var{Name: name, Type: (*x).Type(), Class: hast.Value, At: b.at}
	out = append(out, &hast.Define{Var: v, Init: *x, At: b.at})
	*x = ref(v, b.at)
	return out
}

// cheap is true of what may be written again for every pixel of a block: constants, variables, and in i32 sums and products
// of these.
func cheap(x hast.Expr) bool {
	switch x := x.(type) {
	case *hast.Const, *hast.Ref:
		return true
	case *hast.Op:
		for _, a := range x.Args {
			if !cheap(a) {
				return false
			}
		}
		return x.T == types.Scalar(types.I32)
	}
	return false
}

// stores writes the pixels of a block, one by one or by a loop.
func (b *block) stores(value hast.Expr) []hast.Stmt {
	counts := b.counts()
	total := 1
	for _, n := range counts {
		total *= n
	}
	if total <= maxUnrolledStores {
		out := make([]hast.Stmt, 0, total)
		for i := range total {
			out = append(out, b.store(value, b.steps(counts, i)))
		}
		return out
	}
	var space hast.Space
	steps := make([]hast.Expr, len(counts))
	for i, n := range counts {
		v := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Loop, At: b.at}
		space.Vars = append(space.Vars, v)
		space.Ranges = append(space.Ranges, hast.Range{Lo: intConst(0, b.at), Hi: intConst(int64(n), b.at), Step: 1})
		steps[i] = ref(v, b.at)
	}
	return []hast.Stmt{&hast.For{Space: space, Body: []hast.Stmt{b.store(value, steps)}, At: b.at}}
}

// counts are the lengths of the runs.
func (b *block) counts() []int {
	var out []int
	for _, a := range b.axes {
		if a.Colon {
			out = append(out, a.Count)
		}
	}
	return out
}

// steps are the coordinates in the block of its pixel number i, row by row.
func (b *block) steps(counts []int, i int) []hast.Expr {
	out := make([]hast.Expr, len(counts))
	for d := len(counts) - 1; d >= 0; d-- {
		out[d] = intConst(int64(i%counts[d]), b.at)
		i /= counts[d]
	}
	return out
}

// store writes one pixel, at the steps of the runs.
func (b *block) store(value hast.Expr, steps []hast.Expr) hast.Stmt {
	s := &hast.Store{Image: b.image, Skip: b.skip, Op: b.op, Value: value, At: b.at}
	if value.Type().IsArray() {
		s.Value = elementAt(value, steps, b.at)
	}
	s.Index = b.index(steps)
	return s
}

// index is the pixel at the steps of the runs.
func (b *block) index(steps []hast.Expr) []hast.Expr {
	var index []hast.Expr
	for _, a := range b.axes {
		x := a.Start.X
		if a.Colon {
			x = sum(x, times(steps[0], int64(a.Stride), b.at), b.at)
			steps = steps[1:]
		}
		index = append(index, x)
	}
	return index
}

// writeBlock is a[0 : 4][0 : 4] = e in a pipeline: a stage with an instance for each pixel.
func (e *env) writeBlock(m *imageEnt, t target, s *syntax.Assign, label *syntax.Name) {
	b, ok := e.blockOf(m, t)
	if !ok {
		e.discard(s.Value)
		return
	}
	o := e.operand(s.Value)
	m.written = true
	w := whole{m: m, at: s.At}
	if s.Op != "=" {
		w.update, m.read = s, true
	}
	st, _ := e.newStage(label, s.At)
	var steps []hast.Expr
	for i := range b.axes {
		a := &b.axes[i]
		v := &hast.Var{Name: axisNames[len(axisNames)-len(b.axes)+i], Type: types.Scalar(types.I32), Class: hast.Iterator, At: t.at}
		st.node.Space.Vars = append(st.node.Space.Vars, v)
		st.node.Space.Ranges = append(st.node.Space.Ranges, hast.Range{Lo: intConst(0, t.at), Hi: intConst(int64(a.Count), t.at), Step: 1})
		if a.Colon {
			steps = append(steps, ref(v, t.at))
		}
	}
	if o = e.blockElement(&b, o, steps); !o.valid() {
		return
	}
	index := b.index(steps)
	value := w.pixelAt(e, index, o)
	if value == nil {
		return
	}
	st.node.Body = []hast.Stmt{&hast.Store{Image: m.img, Index: index, Value: value, At: s.At}}
	st.writes(m.img)
	e.addStage(st)
}

// blockElement is the value of one pixel of a block, of an array of its shape or one value for all.
func (e *env) blockElement(b *block, o operand, steps []hast.Expr) operand {
	if !o.valid() || !o.typ.IsArray() {
		return o
	}
	x := e.expr(e.assign(o, b.shape().WithKind(o.typ.Kind), excerpt(b.at)))
	if x == nil {
		return invalid(o.at)
	}
	one := runtime(elementAt(x, steps, o.at))
	one.at = o.at
	return one
}
