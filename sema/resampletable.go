package sema

import (
	"math"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// The tables of resample are computed on the device, by a stage for each axis.

// table adds the stage that fills the tables of an axis.
func (a *axisTable) table(e *env, r *resampling) {
	st, _ := e.newStage(nil, a.at)
	v := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Iterator, At: a.at}
	st.node.Space = hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: intConst(0, a.at), Hi: a.first.Extent[0], Step: 1}}}
	b := &tableBody{axisTable: a, i: ref(v, a.at), nearest: r.filter.weights == nil}
	whole, part := b.byRatio(r)
	if len(r.steps) > 0 {
		whole, part = b.byStep(r.steps[a.axis])
	}
	b.store(a.first, plusOrSame(b.let("at", whole), -int64(r.filter.before), a.at), b.i)
	if !b.nearest {
		for k, w := range r.filter.weights(b, b.let("t", part)) {
			b.store(a.weights, w, intConst(int64(k), a.at), b.i)
		}
	}
	st.node.Body = b.stmts
	st.writes(a.first)
	e.addStage(st)
}

// A tableBody is the body of that stage.
type tableBody struct {
	*axisTable
	i       hast.Expr
	nearest bool
	stmts   []hast.Stmt
}

func (b *tableBody) let(name string, x hast.Expr) hast.Expr {
	v := &hast.Var{Name: name, Type: x.Type(), Class: hast.Value, At: b.at}
	b.stmts = append(b.stmts, &hast.Define{Var: v, Init: x, At: b.at})
	return ref(v, b.at)
}

func (b *tableBody) store(m *hast.Image, x hast.Expr, index ...hast.Expr) {
	b.stmts = append(b.stmts, &hast.Store{Image: m, Index: index, Value: x, At: b.at})
}

// long is an operation in i64, which holds twice the product of two extents.
func (b *tableBody) long(op ops.Op, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: typed(types.Scalar(types.I64), b.at), Op: op, Args: args}
}

func (b *tableBody) widen(x hast.Expr) hast.Expr {
	return &hast.Convert{Typed: typed(types.Scalar(types.I64), b.at), X: x}
}

func (b *tableBody) longConst(v int64) hast.Expr { return constOf(types.Scalar(types.I64), v, b.at) }

// byRatio is the position (i + 0.5)*N/n - 0.5 = ((2i + 1)*N - n) / 2n as a whole number and a fraction, without - 0.5 for nearest. Where the ratio does not
// depend on sizes, N and n are small numbers.
func (b *tableBody) byRatio(r *resampling) (whole, part hast.Expr) {
	extent, of := r.src.img.Extent[b.axis], r.view.img.Extent[b.axis]
	old, n := b.widen(extent), b.widen(of)
	if p, q, ok := ratio(extent, of); ok {
		old, n = b.longConst(p), b.longConst(q)
	}
	odd := b.long(ops.Add, b.long(ops.Mul, b.longConst(2), b.widen(b.i)), b.longConst(1))
	scaled := b.long(ops.Mul, odd, old)
	if !b.nearest {
		scaled = b.long(ops.Sub, scaled, n)
	}
	scaled = b.let("scaled", scaled)
	twice := b.let("twice", b.long(ops.Mul, b.longConst(2), n))
	down := b.let("down", b.long(ops.FloorDiv, scaled, twice))
	rest := b.long(ops.Sub, scaled, b.long(ops.Mul, down, twice))
	whole = &hast.Convert{Typed: typed(types.Scalar(types.I32), b.at), X: down}
	return whole, b.op(ops.Div, b.float(rest), b.float(twice))
}

// ratio is that of two extents, which are not 0, in lowest terms, where it does not depend on the size that they are multiples of.
func ratio(x, y hast.Expr) (p, q int64, ok bool) {
	v, a, m, okX := linear(x)
	w, b, n, okY := linear(y)
	if v == nil {
		a, m = m, 0
	}
	if w == nil {
		b, n = n, 0
	}
	if !okX || !okY || v != w || a*n != b*m || a < 1 || b < 1 {
		return 0, 0, false
	}
	r := b
	for p = a; r != 0; { // their greatest common divisor
		p, r = r, p%r
	}
	return a / p, b / p, true
}

// byStep is the position (i + 0.5)*step - 0.5 in the same parts.
func (b *tableBody) byStep(step hast.Expr) (whole, part hast.Expr) {
	p := b.op(ops.Mul, b.op(ops.Add, b.float(b.i), b.number(0.5)), step)
	if !b.nearest {
		p = b.op(ops.Sub, p, b.number(0.5))
	}
	p = b.let("p", p)
	down := b.let("down", b.op(ops.Floor, p))
	cut := b.op(ops.Clamp, down, b.number(-furthest), b.number(furthest))
	return &hast.Convert{Typed: typed(types.Scalar(types.I32), b.at), X: cut}, b.op(ops.Sub, p, down)
}

// op is an operation in the kind of the weights.
func (a *axisTable) op(op ops.Op, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: typed(types.Scalar(a.kind), a.at), Op: op, Args: args}
}

func (a *axisTable) float(x hast.Expr) hast.Expr {
	return &hast.Convert{Typed: typed(types.Scalar(a.kind), a.at), X: x}
}

func (a *axisTable) number(v float64) hast.Expr {
	if a.kind == types.F32 {
		v = float64(float32(v))
	}
	return &hast.Const{Typed: typed(types.Scalar(a.kind), a.at), Words: []types.Word{types.Float(v)}}
}

func (a *tableBody) linear(t hast.Expr) []hast.Expr {
	return []hast.Expr{a.op(ops.Sub, a.number(1), t), t}
}

// cubic is Keys's kernel with a = -0.5 at the distances 1 + t, t, 1 - t and 2 - t, as polynomials in t.
func (a *tableBody) cubic(t hast.Expr) []hast.Expr {
	polynomial := func(c3, c2, c1, c0 float64) hast.Expr {
		x := a.op(ops.Add, a.op(ops.Mul, a.number(c3), t), a.number(c2))
		x = a.op(ops.Add, a.op(ops.Mul, x, t), a.number(c1))
		return a.op(ops.Add, a.op(ops.Mul, x, t), a.number(c0))
	}
	return []hast.Expr{
		polynomial(-0.5, 1, -0.5, 0), polynomial(1.5, -2.5, 0, 1), polynomial(-1.5, 2, 0.5, 0), polynomial(0.5, -0.5, 0, 0),
	}
}

const lanczosTaps = 6

// lanczos is sinc(d)*sinc(d/3) at the distances d = t + 2 - k, divided by the sum. sin(pi*d) is the same for all of them but for the
// sign, so that it cancels. On a pixel, which rounding makes of t = 0 and t = 1, that pixel alone counts.
func (a *tableBody) lanczos(t hast.Expr) []hast.Expr {
	test := func(op ops.Op, args ...hast.Expr) hast.Expr {
		return &hast.Op{Typed: typed(types.Scalar(types.Bool), a.at), Op: op, Args: args}
	}
	choose := func(c, x, y hast.Expr) hast.Expr {
		return &hast.Select{Typed: typed(types.Scalar(a.kind), a.at), Cond: c, Then: x, Else: y}
	}
	onPixel := a.let("on_pixel", test(ops.LOr, test(ops.Eq, t, a.number(0)), test(ops.Eq, t, a.number(1))))
	weights := make([]hast.Expr, lanczosTaps)
	var sum hast.Expr
	for k := range weights {
		d := a.let("d", a.op(ops.Add, t, a.number(float64(2-k))))
		sine := a.op(ops.Sin, a.op(ops.Mul, d, a.number(math.Pi/3)))
		if k%2 == 1 {
			sine = a.op(ops.Neg, sine)
		}
		alone := choose(test(ops.Eq, d, a.number(0)), a.number(1), a.number(0))
		weights[k] = a.let("w", choose(onPixel, alone, a.op(ops.Div, sine, a.op(ops.Mul, d, d))))
		if sum == nil {
			sum = weights[k]
		} else {
			sum = a.op(ops.Add, sum, weights[k])
		}
	}
	sum = a.let("sum", sum)
	for k, w := range weights {
		weights[k] = a.op(ops.Div, w, sum)
	}
	return weights
}
