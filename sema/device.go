package sema

import (
	"math"

	"imgc/hast"
	"imgc/hast/deal"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A device scalar is a value that a pipeline computes from pixels: a local image of one pixel. Later stages load it, so that the
// host never waits for it.

// deviceImage makes a local image of one axis for values that the device keeps.
func (e *env) deviceImage(name string, elem types.Type, pixels int64, at source.Span) *hast.Image {
	m := &hast.Image{Name: name, Dir: hast.Local, Elem: elem, Extent: []hast.Expr{intConst(pixels, at)}, Scalar: pixels == 1, At: at}
	e.inLevels(m)
	e.pipe.images = append(e.pipe.images, &imageEnt{declared: declared{at}, img: m, dir: hast.Local, usage: &usage{read: true, written: true}})
	return m
}

// loadAt loads a pixel of an image with one axis.
func loadAt(m *hast.Image, index hast.Expr, at source.Span) hast.Expr {
	return &hast.Load{Typed: typed(m.Elem, at), Image: m, Index: []hast.Coord{{X: index, Below: true, Above: true}}}
}

// onDevice keeps the value of an expression in a device scalar and returns what loads it.
func (e *env) onDevice(name string, x hast.Expr, at source.Span) hast.Expr {
	if load, ok := x.(*hast.Load); ok && e.pipe.scalars[load.Image] {
		return x // a var, which may change, is copied
	}
	m := e.deviceImage(name, x.Type(), 1, at)
	e.pipe.scalars[m] = true
	e.setDevice(m, x, at)
	return loadAt(m, intConst(0, at), at)
}

// setDevice adds a stage of one instance that gives a device scalar a value.
func (e *env) setDevice(m *hast.Image, x hast.Expr, at source.Span) {
	e.pixelStage(1, at, func(hast.Expr) []hast.Stmt { return nil }, store1{m, x})
}

// A store1 gives the pixel of an instance its value.
type store1 struct {
	image *hast.Image
	value hast.Expr
}

// pixelStage adds a stage of n instances, each of which writes its pixel of some images, after other statements.
func (e *env) pixelStage(n int64, at source.Span, before func(i hast.Expr) []hast.Stmt, stores ...store1) {
	st, _ := e.newStage(nil, at)
	v := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Iterator, At: at}
	st.node.Space = hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: intConst(0, at), Hi: intConst(n, at), Step: 1}}}
	st.node.Body = before(ref(v, at))
	for _, s := range stores {
		st.node.Body = append(st.node.Body, &hast.Store{Image: s.image, Index: []hast.Expr{ref(v, at)}, Value: s.value, At: at})
		st.writes(s.image)
	}
	e.addStage(st)
}

// readPixel is a[i][j] in a pipeline: a device scalar with what the pixel holds now.
func (e *env) readPixel(m *imageEnt, x *syntax.Index, subs []syntax.Sub) operand {
	_, inner := e.newStage(nil, x.At)
	o := inner.read(m, x, subs)
	pixel := e.expr(o)
	switch {
	case pixel == nil:
		return invalid(x.At)
	case pixel.Type().IsArray():
		return o // a window: the statement at hand reads it
	}
	return runtime(e.onDevice(m.img.Name+"_pixel", pixel, x.At))
}

// pixelOf is a built-in that reads pixels, in a pipeline: a device scalar with its value now.
func (e *env) pixelOf(f special, x *syntax.Call) operand {
	_, inner := e.newStage(nil, x.At)
	value := e.expr(f(inner, x))
	if value == nil {
		return invalid(x.At)
	}
	return runtime(e.onDevice(x.Fun.Text, value, x.At))
}

// deviceLet declares a let whose value the device computes.
func (e *env) deviceLet(s *syntax.Let, x hast.Expr) {
	if !e.onePixel(x) {
		e.declare(s.Name, &badEnt{declared{s.Name.At}})
		return
	}
	value := e.onDevice(s.Name.Text, x, s.At)
	if m := value.(*hast.Load).Image; !e.pipe.named[m] {
		m.Name = s.Name.Text
		e.pipe.named[m] = true
	}
	e.declare(s.Name, &valueEnt{declared{s.Name.At}, runtime(value)})
}

// setOut gives a scalar out that lives on the device a value. Memory that the caller can read has no bools and 16-bit floats.
func (e *env) setOut(o *outScalar, x hast.Expr, at source.Span) {
	kept := o.ent.v.Type.WithKind(keptAs(o.ent.v.Type.Kind))
	if x.Type() != kept {
		x = &hast.Convert{Typed: typed(kept, at), X: x}
	}
	e.setDevice(o.image, x, at)
}

// keptAs is the kind in which the device keeps a scalar for the caller of the pipeline.
func keptAs(k types.Kind) types.Kind {
	switch k {
	case types.Bool:
		return types.I32
	case types.F16, types.BF16:
		return types.F32
	}
	return k
}

// readOuts ends the pipeline with the scalars that the device has computed.
func (e *env) readOuts() {
	for _, o := range e.pipe.outs {
		if o.image != nil {
			e.emit(&hast.SetScalar{Var: o.ent.v, From: o.image, At: o.ent.v.At})
		}
	}
}

// reduceImage is sum(src) and the like in a pipeline.
func (e *env) reduceImage(op hast.ReduceOp, m *imageEnt, x *syntax.Call) operand {
	_, inner := e.newStage(nil, x.At)
	m.read = true
	if !m.img.Elem.IsValid() || !inner.readable(m, x.Args[0]) {
		return invalid(x.At)
	}
	space := e.wholeSpace(m, x.At)
	load := &hast.Load{Typed: typed(m.img.Elem, x.Args[0].Span()), Image: m.img}
	for _, v := range space.Vars {
		v.Class = hast.Loop
		load.Index = append(load.Index, hast.Coord{X: ref(v, x.At), Below: true, Above: true})
	}
	return e.reduceOnDevice(inner.reduce(op, x, space, runtime(load)))
}

// reduceOnDevice makes stages of a reduction: one in which each instance reduces a part of the points, in order, and one that
// reduces what they found, in order. A fold is not split, since its start must count once.
func (e *env) reduceOnDevice(o operand) operand {
	r, ok := o.x.(*hast.Reduce)
	switch {
	case !ok:
		return invalid(o.at)
	case r.Op == hast.Median:
		return runtime(e.medianOnDevice(r))
	case r.Op == hast.Mean:
		sum, mean := meanBySum(r)
		return runtime(e.onDevice("mean", mean(e.split(sum, o.at)), o.at))
	}
	return runtime(e.split(widened(r), o.at))
}

// widened is a reduction in the kind that pipelines use: integers are summed, multiplied and counted in 64 bits.
func widened(r *hast.Reduce) *hast.Reduce {
	out := *r
	switch {
	case r.Op == hast.Count:
		out.Op = hast.Sum
	case r.Op != hast.Sum && r.Op != hast.Product || !r.T.Kind.IsInt():
		return r
	}
	kind := types.I64
	if r.T.Kind.IsUnsigned() {
		kind = types.U64
	}
	out.T = r.T.WithKind(kind)
	if r.Elem.Type().Kind != kind {
		out.Elem = &hast.Convert{Typed: typed(r.Elem.Type().WithKind(kind), r.Elem.Span()), X: r.Elem}
	}
	return &out
}

// meanBySum is the sum that a mean divides by the number of points, and the division. Integers are summed exactly.
func meanBySum(r *hast.Reduce) (*hast.Reduce, func(sum hast.Expr) hast.Expr) {
	at := r.At
	i64 := types.Scalar(types.I64)
	n := hast.PointCount(r.Space, at)
	sum := *r
	sum.Op = hast.Sum
	sum.T = r.T.WithKind(hast.SumKind(r.Elem.Type().Kind))
	sum.Elem = converted(r.Elem, sum.T, at)
	return &sum, func(total hast.Expr) hast.Expr {
		total = converted(total, r.T, at)
		var count hast.Expr = &hast.Convert{Typed: typed(types.Scalar(r.T.Kind), at), X: n}
		if !r.T.IsScalar() {
			count = &hast.Splat{Typed: typed(r.T, at), X: count}
		}
		some := &hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.Gt, Args: []hast.Expr{n, constOf(i64, 0, at)}}
		ratio := &hast.Op{Typed: typed(r.T, at), Op: ops.Div, Args: []hast.Expr{total, count}}
		return &hast.Select{Typed: typed(r.T, at), Cond: some, Then: ratio, Else: &hast.Const{Typed: typed(r.T, at), Words: make([]types.Word, r.T.Words())}}
	}
}

func constOf(t types.Type, v int64, at source.Span) hast.Expr {
	return &hast.Const{Typed: typed(t, at), Words: []types.Word{types.Int(v)}}
}

// split reduces in two stages and returns what loads the result.
func (e *env) split(r *hast.Reduce, at source.Span) hast.Expr {
	name := r.Op.String()
	if r.Op == hast.Fold || r.Space.Points != nil {
		return e.onDevice(name, r, at)
	}
	part := *r
	part.Space.Ranges = append([]hast.Range(nil), r.Space.Ranges...)
	var of deal.Part
	begin := func(i hast.Expr) []hast.Stmt {
		of = deal.Of(r, i, at)
		part.Space.Ranges[0] = of.Range
		return of.Defines
	}
	if r.Op == hast.ArgMin || r.Op == hast.ArgMax {
		return e.splitArg(r, &part, begin, at)
	}
	part.Ways = deal.Ways(r)
	parts := e.deviceImage(name+"_part", deal.PassedOn(r.T), deal.Groups, at)
	e.pixelStage(deal.Groups, at, begin, store1{parts, converted(&part, parts.Elem, at)})
	parts.Dealt = of.Dealt
	space, i := deal.All(at)
	return e.onDevice(name, &hast.Reduce{Typed: r.Typed, Op: r.Op, Space: space, Elem: converted(loadAt(parts, i, at), r.T, at), Ways: part.Ways}, at)
}

// converted is an expression in another type, or of that type already.
func converted(x hast.Expr, t types.Type, at source.Span) hast.Expr {
	if x.Type() == t {
		return x
	}
	return &hast.Convert{Typed: typed(t, at), X: x}
}

// splitArg finds in each part the best value and where it is, then the first part with the best of them. A part of nothing but NaN
// is NaN.
func (e *env) splitArg(r, part *hast.Reduce, begin func(hast.Expr) []hast.Stmt, at source.Span) hast.Expr {
	name, t := r.Op.String(), r.Elem.Type()
	bounds := begin
	var lets []hast.Stmt
	begin = func(i hast.Expr) []hast.Stmt { return append(bounds(i), lets...) }
	best := &hast.Reduce{Typed: typed(t, at), Op: map[hast.ReduceOp]hast.ReduceOp{hast.ArgMin: hast.Min, hast.ArgMax: hast.Max}[r.Op], Space: part.Space, Elem: r.Elem}
	var value hast.Expr = best
	if t.Kind.IsFloat() {
		isNumber := &hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.Not, Args: []hast.Expr{
			&hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.IsNan, Args: []hast.Expr{r.Elem}}}}
		some := &hast.Reduce{Typed: typed(types.Scalar(types.Bool), at), Op: hast.Any, Space: part.Space, Elem: isNumber}
		let := func(name string, x hast.Expr) hast.Expr {
			v := &hast.Var{Name: name, Type: x.Type(), Class: hast.Value, At: at}
			lets = append(lets, &hast.Define{Var: v, Init: x, At: at})
			return ref(v, at)
		}
		found, numbers := let("found", best), let("numbers", some)
		value = &hast.Select{Typed: typed(t, at), Cond: numbers, Then: found, Else: &hast.Const{Typed: typed(t, at), Words: []types.Word{types.Float(math.NaN())}}}
	}
	places, values := e.deviceImage(name+"_part", r.T, deal.Groups, at), e.deviceImage(name+"_best", deal.PassedOn(t), deal.Groups, at)
	e.pixelStage(deal.Groups, at, begin, store1{places, part}, store1{values, converted(value, values.Elem, at)})
	space, i := deal.All(at)
	first := &hast.Reduce{Typed: typed(types.Scalar(types.I32), at), Op: r.Op, Space: space, Elem: loadAt(values, i, at)}
	group := e.onDevice(name+"_group", first, at)
	inRange := &hast.Op{Typed: typed(types.Scalar(types.I32), at), Op: ops.Clamp, Args: []hast.Expr{group, intConst(0, at), intConst(deal.Groups-1, at)}}
	return e.onDevice(name, inSpace(loadAt(places, inRange, at), r, at), at)
}

// inSpace cuts the result of an argmin or argmax to the values of its variables, and 0. It changes nothing; it says to the proofs what
// the memory that the parts went through does not.
func inSpace(x hast.Expr, r *hast.Reduce, at source.Span) hast.Expr {
	b, i32 := arith{at}, types.Scalar(types.I32)
	var lo, hi []hast.Expr
	for _, bounds := range r.Space.Ranges {
		first, last := bounds.Lo, plus(bounds.Hi, -1, at)
		if bounds.Step < 0 {
			first, last = plus(bounds.Hi, 1, at), bounds.Lo
		}
		if c, ok := first.(*hast.Const); ok {
			first = b.number(i32, min(c.Words[0].Int(), 0))
		} else {
			first = b.op(i32, ops.Min, first, b.number(i32, 0))
		}
		lo = append([]hast.Expr{first}, lo...) // the last variable is .x
		hi = append([]hast.Expr{b.op(i32, ops.Max, last, b.number(i32, 0))}, hi...)
	}
	if len(lo) == 1 {
		return b.op(i32, ops.Clamp, x, lo[0], hi[0])
	}
	vector := func(parts []hast.Expr) hast.Expr { return &hast.Vec{Typed: typed(r.T, at), Parts: parts} }
	return b.op(r.T, ops.Clamp, x, vector(lo), vector(hi))
}
