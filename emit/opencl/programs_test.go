package opencl_test

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

func elem(v *kir.Var, index ...kir.Expr) kir.Expr {
	return &kir.Elem{Typed: kir.Typed{T: v.Type.Elem()}, Var: v, Index: index}
}

func choose(t types.Type, c, a, b kir.Expr) kir.Expr {
	return &kir.Select{Typed: kir.Typed{T: t}, Cond: c, Then: a, Else: b, Lazy: true}
}

func vec(t types.Type, parts ...kir.Expr) kir.Expr {
	return &kir.Vec{Typed: kir.Typed{T: t}, Parts: parts}
}

func lanes(x kir.Expr, l ...int) kir.Expr {
	return &kir.Lanes{Typed: kir.Typed{T: x.Type().WithLanes(len(l))}, X: x, Lanes: l}
}

func call(f *kir.Func, args ...kir.Expr) kir.Expr {
	return &kir.Call{Typed: kir.Typed{T: f.Result}, Func: f, Args: args}
}

func (w *writer) loop(v *kir.Var, lo, hi kir.Expr, step int64, body func()) {
	w.add(&kir.For{Placed: w.placed(), Var: v, Lo: lo, Hi: hi, Step: step, Body: w.nested(body)})
}

func (w *writer) when(c kir.Expr, then, els func()) {
	s := &kir.If{Placed: w.placed(), Cond: c, Then: w.nested(then)}
	if els != nil {
		s.Else = w.nested(els)
	}
	w.add(s)
}

func (w *writer) ret(e kir.Expr) { w.add(&kir.Return{Placed: w.placed(), Value: e}) }

func i32c(v int) kir.Expr { return num(types.I32, float64(v)) }

func f32c(v float64) kir.Expr { return num(types.F32, v) }

func program(name, text string, mode kir.Mode, funcs []*kir.Func, tables []*kir.Table, kernels ...*kir.Kernel) *kir.Program {
	file := source.NewFile(name+".img", text)
	return &kir.Program{Name: name, File: file, Mode: mode, Funcs: funcs, Tables: tables, Kernels: kernels}
}

func kernel(name string, w *writer, params ...*kir.Var) *kir.Kernel {
	return &kir.Kernel{Name: name, Params: params, Group: [3]int{64, 1, 1}, Body: w.stmts}
}

// arraysProgram has a table, arrays by value between funcs, loops whose bounds change or have wide steps, and an else-if.
func arraysProgram() *kir.Program {
	m33 := f32T.Array(3, 3)
	table := &kir.Table{Var: &kir.Var{Name: "weights", Type: m33, Space: kir.Constant, Const: true}}
	for i := range 9 {
		table.Words = append(table.Words, types.Float(float64(i)/16))
	}
	transpose := transposeFunc(m33)
	trace := traceFunc(m33)
	src, dst := buffer("src", types.F32, kir.Reads), buffer("dst", types.F32, kir.Writes)
	count := local("count", i32T)
	w := &writer{}
	x := w.let("x", gid(0))
	m, n := w.variable("m", m33, nil), w.variable("n", m33, nil)
	i, j := local("i", i32T), local("j", i32T)
	w.loop(i, i32c(0), i32c(3), 1, func() {
		w.loop(j, i32c(0), i32c(3), 1, func() {
			at := exact(ops.Add, i64T, wide(x), wide(exact(ops.Add, i32T, exact(ops.Mul, i32T, ref(i), i32c(3)), ref(j))))
			w.set(m, op(ops.Mul, f32T, elem(table.Var, ref(i), ref(j)), read(f32T, src, at)), ref(i), ref(j))
		})
	})
	w.add(&kir.CallInto{Placed: w.placed(), Func: transpose, Args: []kir.Expr{ref(m)}, Out: n})
	sum := w.variable("sum", f32T, f32c(0))
	last := w.variable("last", i32T, ref(count))
	w.loop(local("k", i32T), i32c(0), ref(last), 1, func() {
		w.set(last, exact(ops.Sub, i32T, ref(last), i32c(1)))
		w.set(sum, op(ops.Add, f32T, ref(sum), call(trace, ref(n))))
	})
	k := local("k", i32T)
	w.loop(k, ref(count), i32c(0), -2, func() {
		w.when(op(ops.Gt, boolT, ref(sum), f32c(100)), func() { w.add(&kir.Break{Placed: w.placed()}) }, func() {
			w.when(op(ops.Lt, boolT, ref(sum), f32c(0)), func() { w.add(&kir.Continue{Placed: w.placed()}) }, func() {
				w.set(sum, op(ops.Add, f32T, ref(sum), conv(f32T, kir.Wrap, false, ref(k))))
			})
		})
	})
	step := local("k", i32T)
	w.loop(step, i32c(0), ref(count), 4, func() { w.set(sum, op(ops.Mul, f32T, ref(sum), conv(f32T, kir.Wrap, false, ref(step)))) })
	w.store(dst, wide(x), ref(sum))
	return program("arrays", "", kir.Contract, []*kir.Func{transpose, trace}, []*kir.Table{table}, kernel("arrays_dst", w, src, dst, count))
}

func transposeFunc(t types.Type) *kir.Func {
	m, out := local("m", t), variable("result", t)
	w := &writer{}
	i, j := local("i", i32T), local("j", i32T)
	w.loop(i, i32c(0), i32c(3), 1, func() {
		w.loop(j, i32c(0), i32c(3), 1, func() { w.set(out, elem(m, ref(j), ref(i)), ref(i), ref(j)) })
	})
	w.ret(nil)
	return &kir.Func{Name: "transposed", Params: []*kir.Var{m}, Out: out, Body: w.stmts}
}

func traceFunc(t types.Type) *kir.Func {
	m := local("m", t)
	w := &writer{}
	sum := op(ops.Add, f32T, op(ops.Add, f32T, elem(m, i32c(0), i32c(0)), elem(m, i32c(1), i32c(1))), elem(m, i32c(2), i32c(2)))
	w.ret(sum)
	return &kir.Func{Name: "trace", Params: []*kir.Var{m}, Result: f32T, Body: w.stmts}
}

// namesProgram has names that C, OpenCL or imgc keep for themselves, and names that clash.
func namesProgram() *kir.Program {
	src, dst := buffer("kernel", types.I32, kir.Reads), buffer("global", types.I32, kir.Writes)
	w := &writer{}
	x := w.let("float4", gid(0))
	a := w.let("_a", op(ops.Add, i32T, x, i32c(1)))
	b := w.let("a", read(i32T, src, wide(a)))
	c := w.let("a", op(ops.Add, i32T, b, i32c(1)))
	d := w.variable("imgc_div_i32", i32T, c)
	w.when(op(ops.Gt, boolT, c, i32c(7)), func() {
		inner := w.let("a", op(ops.Div, i32T, c, b))
		w.set(d, inner)
	}, func() {
		inner := w.let("inner", op(ops.Rem, i32T, c, b))
		w.set(d, inner)
	})
	w.store(dst, wide(x), ref(d))
	return program("names", "", kir.Contract, nil, nil, kernel("main", w, src, dst), kernel("main", &writer{}))
}

// halvesProgram stores half precision and bools, as scalars and vectors, and takes them as arguments.
func halvesProgram() *kir.Program {
	f16, bf16 := types.Scalar(types.F16), types.Scalar(types.BF16)
	h := buffer("h", types.F16, kir.Reads|kir.Writes)
	bf, flags := buffer("b", types.BF16, kir.Reads|kir.Writes), buffer("flags", types.Bool, kir.Reads|kir.Writes)
	gain, on, tint := local("gain", f16), local("on", boolT), local("tint", types.Vector(types.BF16, 3))
	w := &writer{}
	i := w.let("i", gid(0))
	x := w.let("x", op(ops.Add, f16, op(ops.Mul, f16, read(f16, h, wide(i)), ref(gain)), num(types.F16, 0.1)))
	w.store(h, wide(i), x)
	y := w.let("y", op(ops.Sqrt, bf16, read(bf16, bf, wide(i))))
	w.store(bf, wide(i), op(ops.Max, bf16, y, conv(bf16, kir.Wrap, false, x)))
	flag := read(boolT, flags, wide(i))
	w.store(flags, wide(i), op(ops.LAnd, boolT, flag, ref(on)))
	for _, v := range []struct {
		b *kir.Var
		k types.Kind
	}{{h, types.F16}, {bf, types.BF16}, {flags, types.Bool}} {
		t := types.Vector(v.k, 3)
		p := w.let("p", read(t, v.b, exact(ops.Mul, i64T, wide(i), num(types.I64, 3))))
		w.store(v.b, exact(ops.Mul, i64T, wide(i), num(types.I64, 3)), vec(t, lanes(p, 2), lanes(p, 1), lanes(p, 0)))
	}
	w.store(bf, wide(i), lanes(ref(tint), 1))
	return program("halves", "", kir.Strict, nil, nil, kernel("halves_h", w, h, bf, flags, gain, on, tint))
}

// vectorsProgram has arithmetic, choices and conversions of vectors.
func vectorsProgram() *kir.Program {
	f4, i4, b4 := types.Vector(types.F32, 4), types.Vector(types.I32, 4), types.Vector(types.Bool, 4)
	src, dst := buffer("src", types.U8, kir.Reads), buffer("dst", types.U8, kir.Writes)
	w := &writer{}
	x := w.let("x", gid(0))
	at := w.let("at", exact(ops.Mul, i64T, wide(x), num(types.I64, 4)))
	p := w.let("p", read(types.Vector(types.U8, 4), src, at))
	f := w.let("f", conv(f4, kir.Wrap, false, p))
	half := &kir.Const{Typed: kir.Typed{T: f4}, Words: []types.Word{types.Float(0.5), types.Float(0.5), types.Float(0.5), types.Float(0.5)}}
	g := w.let("g", op(ops.Mix, f4, f, op(ops.Mul, f4, f, half), vec(f4, lanes(f, 0))))
	n := w.let("n", op(ops.Add, i4, conv(i4, kir.Wrap, false, g), conv(i4, kir.Wrap, true, p)))
	q := w.let("q", op(ops.Div, i4, n, vec(i4, lanes(n, 3))))
	mask := w.let("mask", vec(b4, num(types.Bool, 1), op(ops.Lt, boolT, lanes(f, 1), f32c(2)), num(types.Bool, 0), lanes(conv(b4, kir.Wrap, false, n), 2)))
	r := w.let("r", &kir.Select{Typed: kir.Typed{T: i4}, Cond: mask, Then: q, Else: n})
	s := w.let("s", choose(i4, op(ops.Gt, boolT, x, i32c(3)), r, lanes(q, 3, 2, 1, 0)))
	w.store(dst, at, conv(types.Vector(types.U8, 4), kir.Saturate, false, s))
	return program("vectors", "", kir.Fast, nil, nil, kernel("vectors_dst", w, src, dst))
}

// integersProgram has arithmetic that may wrap, in sums, shifts and mixed widths.
func integersProgram() *kir.Program {
	src, dst, sums := buffer("src", types.I32, kir.Reads), buffer("dst", types.I32, kir.Writes), buffer("sums", types.I64, kir.Writes)
	bits := buffer("bits", types.U32, kir.Reads)
	w := &writer{}
	x := w.let("x", gid(0))
	a, b := w.let("a", read(i32T, src, wide(x))), w.let("b", read(i32T, src, wide(exact(ops.Add, i32T, x, i32c(1)))))
	u := types.Scalar(types.U32)
	d := w.let("d", read(u, bits, wide(x)))
	wrapped := op(ops.Add, i32T, op(ops.Sub, i32T, op(ops.Mul, i32T, a, b), a), i32c(-2147483648))
	w.store(dst, wide(x), wrapped)
	w.store(dst, wide(x), op(ops.Shl, i32T, op(ops.Neg, i32T, a), b))
	w.store(dst, wide(x), op(ops.Shr, i32T, a, op(ops.And, i32T, b, i32c(3))))
	w.store(dst, wide(x), op(ops.Or, i32T, op(ops.And, i32T, a, i32c(255)), exact(ops.Shl, i32T, b, i32c(8))))
	w.store(dst, wide(x), op(ops.Abs, i32T, op(ops.Mod, i32T, a, op(ops.FloorDiv, i32T, b, i32c(3)))))
	w.store(dst, wide(x), conv(i32T, kir.Wrap, false, op(ops.Add, u, d, conv(u, kir.Wrap, true, op(ops.Popcount, i32T, d)))))
	w.store(sums, wide(x), op(ops.Add, i64T, op(ops.Mul, i64T, wide(a), wide(b)), num(types.I64, 1<<40)))
	w.store(sums, wide(x), exact(ops.Sub, i64T, wide(a), exact(ops.Mul, i64T, wide(b), num(types.I64, 3))))
	w.store(sums, wide(x), num(types.I64, -0x1p63))
	w.store(dst, wide(x), choose(i32T, op(ops.LOr, boolT, op(ops.LAnd, boolT, op(ops.Lt, boolT, a, b), op(ops.Ge, boolT, b, i32c(0))), op(ops.Eq, boolT, op(ops.Lt, boolT, a, i32c(1)), op(ops.Lt, boolT, b, i32c(1)))),
		op(ops.Min, i32T, a, b), choose(i32T, op(ops.Ne, boolT, a, b), a, b)))
	return program("integers", "", kir.Contract, nil, nil, kernel("integers_dst", w, src, dst, sums, bits))
}

// longProgram has a line that must be broken, and a table with rows that must be.
func longProgram() *kir.Program {
	src, dst := buffer("source_image", types.F32, kir.Reads), buffer("destination", types.F32, kir.Writes)
	table := &kir.Table{Var: &kir.Var{Name: "lookup", Type: types.Scalar(types.I32).Array(2, 40), Space: kir.Constant, Const: true}}
	flat := &kir.Table{Var: &kir.Var{Name: "ramp", Type: f32T.Array(30), Space: kir.Constant, Const: true}}
	for i := range 80 {
		table.Words = append(table.Words, types.Int(int64(i*i)))
	}
	for i := range 30 {
		flat.Words = append(flat.Words, types.Float(float64(float32(i)/7)))
	}
	w := &writer{}
	x := w.let("position", gid(0))
	var sum kir.Expr
	for i := range 7 {
		pixel := read(f32T, src, wide(exact(ops.Add, i32T, x, i32c(i))))
		weight := op(ops.Fma, f32T, pixel, elem(flat.Var, i32c(i)), conv(f32T, kir.Wrap, false, elem(table.Var, i32c(0), i32c(i))))
		term := op(ops.Mul, f32T, pixel, weight)
		if sum == nil {
			sum = term
		} else {
			sum = op(ops.Add, f32T, sum, term)
		}
	}
	w.store(dst, wide(x), sum)
	return program("long", "", kir.Contract, nil, []*kir.Table{table, flat}, kernel("long_destination", w, src, dst))
}
