package sema

import (
	"math"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A device scalar is a value that a pipeline computes from pixels: a local image of one pixel. Later stages load it, so that the
// host never waits for it.

// computed reports whether an expression of a pipeline reads pixels.
func computed(x hast.Expr) bool {
	any := func(list ...hast.Expr) bool {
		for _, p := range list {
			if computed(p) {
				return true
			}
		}
		return false
	}
	switch x := x.(type) {
	case *hast.Load:
		return true
	case *hast.Op:
		return any(x.Args...)
	case *hast.Convert:
		return computed(x.X)
	case *hast.Splat:
		return computed(x.X)
	case *hast.Select:
		return any(x.Cond, x.Then, x.Else)
	case *hast.Vec:
		return any(x.Parts...)
	case *hast.Swizzle:
		return computed(x.X)
	case *hast.Call:
		return any(x.Args...)
	}
	return false
}

// deviceImage makes a local image of one axis for values that the device keeps.
func (e *env) deviceImage(name string, elem types.Type, pixels int64, at source.Span) *hast.Image {
	m := &hast.Image{Name: name, Dir: hast.Local, Elem: elem, Extent: []hast.Expr{intConst(pixels, at)}, At: at}
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
		return x
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

// stageValue is an operand for the body of a stage that a statement of the pipeline makes: a host expression, or one over device
// scalars. It is nil after an error.
func (e *env) stageValue(o operand) hast.Expr {
	if x := e.expr(o); x != nil && computed(x) {
		return x
	}
	return e.hostValue(o)
}

// readPixel is a[i][j] in a pipeline: a device scalar with what the pixel holds now.
func (e *env) readPixel(m *imageEnt, x *syntax.Index, subs []syntax.Sub) operand {
	if isBlock(subs) {
		e.notYet(x.At, "reading a window on the host").Note("windows are read in the body of an iterate")
		return invalid(x.At)
	}
	_, inner := e.newStage(nil, x.At)
	o := inner.read(m, x, subs)
	pixel := e.expr(o)
	if pixel == nil {
		return invalid(x.At)
	}
	return runtime(e.onDevice(m.img.Name+"_pixel", pixel, x.At))
}

// deviceLet declares a let whose value the device computes.
func (e *env) deviceLet(s *syntax.Let, x hast.Expr) {
	value := e.onDevice(s.Name.Text, x, s.At)
	if m := value.(*hast.Load).Image; !e.pipe.named[m] {
		m.Name = s.Name.Text
		e.pipe.named[m] = true
	}
	e.declare(s.Name, &valueEnt{declared{s.Name.At}, runtime(value)})
}

// setOut gives a scalar out a value that the device computes.
func (e *env) setOut(o *outScalar, x hast.Expr, at source.Span) {
	v := o.ent.v
	switch v.Type.Kind {
	case types.F16, types.BF16:
		e.notYet(at, "a scalar out of "+v.Type.String()+" that the device computes").Note("declare %s as f32", v.Name)
		return
	case types.Bool:
		x = &hast.Convert{Typed: typed(v.Type.WithKind(types.I32), at), X: x}
	}
	if o.image == nil {
		o.image = e.deviceImage(v.Name, x.Type(), 1, at)
	}
	if o.byHost {
		e.notYet(at, "a scalar out that the host sets first and the device later")
		return
	}
	e.setDevice(o.image, x, at)
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

// groups is into how many parts, along the first variable, a reduction is split.
const groups = 1024

// reduceOnDevice makes stages of a reduction: one in which each instance reduces a part of the points, in order, and one that
// reduces what they found, in order. A fold is not split, since its start must count once.
func (e *env) reduceOnDevice(o operand) operand {
	r, ok := o.x.(*hast.Reduce)
	if !ok {
		return invalid(o.at)
	}
	for _, bounds := range r.Space.Ranges {
		if !e.hostExpr(bounds.Lo) || !e.hostExpr(bounds.Hi) {
			return invalid(o.at)
		}
	}
	if r.Op == hast.Median {
		e.notYet(o.at, "the median of an image")
		return invalid(o.at)
	}
	var mean func(sum hast.Expr) hast.Expr
	if r.Op == hast.Mean {
		if r, mean = meanBySum(r); r == nil {
			e.notYet(o.at, "the mean over a range with a step or over a domain in a pipeline").Note("divide a sum by a count")
			return invalid(o.at)
		}
	} else {
		r = widened(r)
	}
	x := e.split(r, o.at)
	if mean != nil {
		x = e.onDevice("mean", mean(x), o.at)
	}
	return runtime(x)
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

// meanBySum is the sum that a mean divides by the number of points, and the division. Integers are summed exactly. It is nil where
// that number is not the product of distances.
func meanBySum(r *hast.Reduce) (*hast.Reduce, func(sum hast.Expr) hast.Expr) {
	at := r.At
	i64 := types.Scalar(types.I64)
	var n hast.Expr = &hast.Const{Typed: typed(i64, at), Words: []types.Word{types.Int(1)}}
	if r.Space.Points != nil {
		return nil, nil
	}
	for _, bounds := range r.Space.Ranges {
		if bounds.Step != 1 {
			return nil, nil
		}
		n = &hast.Op{Typed: typed(i64, at), Op: ops.Mul, Args: []hast.Expr{n, distance(bounds, at)}}
	}
	sum := *r
	sum.Op = hast.Sum
	if c, ok := r.Elem.(*hast.Convert); ok && c.X.Type().Kind.IsInt() {
		kind := types.I64
		if c.X.Type().Kind.IsUnsigned() && c.X.Type().Kind.Bits() >= 32 {
			kind = types.U64
		}
		sum.T = r.T.WithKind(kind)
		sum.Elem = &hast.Convert{Typed: typed(c.T.WithKind(kind), at), X: c.X}
		if c.X.Type().Kind == kind {
			sum.Elem = c.X
		}
	}
	return &sum, func(total hast.Expr) hast.Expr {
		if total.Type() != r.T {
			total = &hast.Convert{Typed: typed(r.T, at), X: total}
		}
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

// distance is max(hi - lo, 0) in i64.
func distance(r hast.Range, at source.Span) hast.Expr {
	i64 := types.Scalar(types.I64)
	wide := func(x hast.Expr) hast.Expr { return &hast.Convert{Typed: typed(i64, at), X: x} }
	d := &hast.Op{Typed: typed(i64, at), Op: ops.Sub, Args: []hast.Expr{wide(r.Hi), wide(r.Lo)}}
	return &hast.Op{Typed: typed(i64, at), Op: ops.Max, Args: []hast.Expr{d, constOf(i64, 0, at)}}
}

// split reduces in two stages and returns what loads the result.
func (e *env) split(r *hast.Reduce, at source.Span) hast.Expr {
	name := r.Op.String()
	if r.Op == hast.Fold || r.Space.Points != nil || r.Space.Ranges[0].Step != 1 {
		return e.onDevice(name, r, at)
	}
	part := *r
	part.Space.Ranges = append([]hast.Range(nil), r.Space.Ranges...)
	begin := func(i hast.Expr) []hast.Stmt {
		defines, bounds := partOf(r.Space.Ranges[0], i, at)
		part.Space.Ranges[0] = bounds
		return defines
	}
	if r.Op == hast.ArgMin || r.Op == hast.ArgMax {
		return e.splitArg(r, &part, begin, at)
	}
	parts := e.deviceImage(name+"_part", r.T, groups, at)
	e.pixelStage(groups, at, begin, store1{parts, &part})
	space, i := groupSpace(at)
	return e.onDevice(name, &hast.Reduce{Typed: r.Typed, Op: r.Op, Space: space, Elem: loadAt(parts, i, at)}, at)
}

// splitArg finds in each part the best value and where it is, then the first part with the best of them. A part of nothing but NaN
// is NaN.
func (e *env) splitArg(r, part *hast.Reduce, begin func(hast.Expr) []hast.Stmt, at source.Span) hast.Expr {
	name, t := r.Op.String(), r.Elem.Type()
	best := &hast.Reduce{Typed: typed(t, at), Op: map[hast.ReduceOp]hast.ReduceOp{hast.ArgMin: hast.Min, hast.ArgMax: hast.Max}[r.Op], Space: part.Space, Elem: r.Elem}
	var value hast.Expr = best
	if t.Kind.IsFloat() {
		isNumber := &hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.Not, Args: []hast.Expr{
			&hast.Op{Typed: typed(types.Scalar(types.Bool), at), Op: ops.IsNan, Args: []hast.Expr{r.Elem}}}}
		some := &hast.Reduce{Typed: typed(types.Scalar(types.Bool), at), Op: hast.Any, Space: part.Space, Elem: isNumber}
		value = &hast.Select{Typed: typed(t, at), Cond: some, Then: best, Else: &hast.Const{Typed: typed(t, at), Words: []types.Word{types.Float(math.NaN())}}}
	}
	places, values := e.deviceImage(name+"_part", r.T, groups, at), e.deviceImage(name+"_best", t, groups, at)
	e.pixelStage(groups, at, begin, store1{places, part}, store1{values, value})
	space, i := groupSpace(at)
	first := &hast.Reduce{Typed: typed(types.Scalar(types.I32), at), Op: r.Op, Space: space, Elem: loadAt(values, i, at)}
	group := e.onDevice(name+"_group", first, at)
	inRange := &hast.Op{Typed: typed(types.Scalar(types.I32), at), Op: ops.Clamp, Args: []hast.Expr{group, intConst(0, at), intConst(groups-1, at)}}
	return e.onDevice(name, loadAt(places, inRange, at), at)
}

// groupSpace runs over the parts.
func groupSpace(at source.Span) (hast.Space, hast.Expr) {
	v := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Loop, At: at}
	return hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: intConst(0, at), Hi: intConst(groups, at), Step: 1}}}, ref(v, at)
}

// partOf is part i of a range: lo + i*step up to lo + (i+1)*step, where step is the length over groups, rounded up.
func partOf(r hast.Range, i hast.Expr, at source.Span) ([]hast.Stmt, hast.Range) {
	i64, i32 := types.Scalar(types.I64), types.Scalar(types.I32)
	op := func(o ops.Op, args ...hast.Expr) hast.Expr { return &hast.Op{Typed: typed(i64, at), Op: o, Args: args} }
	var out []hast.Stmt
	define := func(name string, t types.Type, x hast.Expr) hast.Expr {
		v := &hast.Var{Name: name, Type: t, Class: hast.Value, At: at}
		out = append(out, &hast.Define{Var: v, Init: x, At: at})
		return ref(v, at)
	}
	length := define("length", i64, distance(r, at))
	step := define("step", i64, op(ops.Div, op(ops.Add, length, constOf(i64, groups-1, at)), constOf(i64, groups, at)))
	end := func(name string, k int64) hast.Expr {
		number := &hast.Convert{Typed: typed(i64, at), X: plus(i, k, at)}
		offset := op(ops.Clamp, op(ops.Mul, number, step), constOf(i64, 0, at), length)
		start := &hast.Convert{Typed: typed(i64, at), X: r.Lo}
		return define(name, i32, &hast.Convert{Typed: typed(i32, at), X: op(ops.Add, start, offset)})
	}
	from := end("first", 0)
	return out, hast.Range{Lo: from, Hi: end("end", 1), Step: 1}
}

// waits reports a value that only the device knows where the host needs it.
func (e *env) waits(x hast.Expr) *diag.Diagnostic {
	return e.notYet(x.Span(), "using a value that the device computes on the host").
		Note("such values may be assigned to scalar outs and pixels, and be used in every iterate")
}
