package lower

import (
	"math"

	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// What is known of floats: spans follow them from integers, constants and clamps on, as intervals follow integers, and back into integers, so that a
// conversion that cannot leave its kind is plain, a clamp that changes nothing is left out, and the coordinate that it gives needs the border rule on those
// sides only that it can reach. A span excludes NaN. min and max, and so clamp, lose NaN; but compilers that may take it that there is none
// need not see to that, so that in fast mode the clamp of an unknown float is unknown.

// spanOf bounds the float that e computes.
func (b *body) spanOf(e kir.Expr) span {
	switch e := e.(type) {
	case *kir.Const:
		return spanOfConst(e)
	case *kir.Ref:
		return b.spans[e.Var]
	case *kir.Op:
		return b.spanOfOp(e)
	case *kir.Convert:
		return b.spanOfConvert(e)
	case *kir.Vec:
		s := b.spanOf(e.Parts[0])
		for _, p := range e.Parts[1:] {
			s = s.join(b.spanOf(p))
		}
		return s
	case *kir.Select:
		return b.spanOf(e.Then).join(b.spanOf(e.Else))
	case *kir.Lanes:
		return b.spanOf(e.X)
	}
	return span{}
}

func spanOfConst(c *kir.Const) span {
	if !c.T.Kind.IsFloat() {
		return span{}
	}
	s := bounded(c.Words[0].Float(), c.Words[0].Float())
	for _, w := range c.Words[1:] {
		s = s.join(bounded(w.Float(), w.Float()))
	}
	return s
}

func (b *body) spanOfConvert(e *kir.Convert) span {
	from, to := e.X.Type().Kind, e.T.Kind
	var s span
	switch {
	case e.How == kir.Bitcast || from == types.U64:
	case from.IsInt():
		s = spanOfInts(rangeOf(e.X, b.bounds))
	case from.IsFloat():
		s = b.spanOf(e.X)
	}
	switch to {
	case types.F32:
		return s.nearest()
	case types.F64:
		return s
	}
	return span{}
}

// exactFloats are the operators that round nothing.
var exactFloats = map[ops.Op]bool{
	ops.Neg: true, ops.Abs: true, ops.Min: true, ops.Max: true, ops.Clamp: true, ops.Floor: true, ops.Ceil: true, ops.Trunc: true,
}

func (b *body) spanOfOp(e *kir.Op) span {
	k := e.T.Kind
	if k != types.F32 && k != types.F64 || e.Args[0].Type().Kind != k {
		return span{}
	}
	args := make([]span, len(e.Args))
	for i, a := range e.Args {
		args[i] = b.spanOf(a)
	}
	if e.Op == ops.Clamp && !args[0].known && b.opts.Mode != kir.Fast {
		args[0] = span{math.Inf(-1), math.Inf(1), true} // a NaN gives what is clamped to
	}
	switch {
	case e.Op == ops.Div:
		return quotient(args[0], args[1])
	case exactFloats[e.Op]:
		return spanIn(e.Op, args)
	case k == types.F64 && e.Op != ops.Mul: // whose rounding float64 does not bound where compilers join a product and a sum
		return span{}
	case b.opts.Mode == kir.Fast:
		return reordered(e.Op, args)
	case k == types.F64:
		return spanIn(e.Op, args)
	}
	return spanIn(e.Op, args).nearest()
}

// quotient bounds a division by a power of two, which all devices round as a product; others are up to them.
func quotient(a, by span) span {
	if !a.known || !by.known || by.lo != by.hi || by.lo <= 0 {
		return span{}
	}
	if part, _ := math.Frexp(by.lo); part != 0.5 {
		return span{}
	}
	return product(a, bounded(1/by.lo, 1/by.lo)).nearest()
}

// reordered bounds sums and products in fast mode, where compilers may take them apart: what is not negative stays so, and with differences nothing is
// certain.
func reordered(op ops.Op, args []span) span {
	const part = 0x1p-16
	for _, a := range args {
		if op != ops.Mul && a.lo < 0 {
			return span{}
		}
	}
	switch op {
	case ops.Add, ops.Mul, ops.Fma:
		s := spanIn(op, args)
		if !s.known {
			return s
		}
		return bounded(s.lo-math.Abs(s.lo)*part, s.hi+math.Abs(s.hi)*part).nearest()
	}
	return span{}
}

// unclamped is a minimum, maximum or clamp of a float without the limits that it cannot reach; nil where it may reach them all. A zero has a sign, which
// comparisons do not tell: a limit that is zero stays where the operand may be.
func (b *body) unclamped(t types.Type, op ops.Op, args []kir.Expr) kir.Expr {
	if !t.IsScalar() || !t.Kind.IsFloat() || op != ops.Min && op != ops.Max && op != ops.Clamp {
		return nil
	}
	x := b.spanOf(args[0])
	if !x.known {
		return nil
	}
	low := op != ops.Min && below(b.spanOf(args[1]), x)
	high := op != ops.Max && below(x, b.spanOf(args[len(args)-1]))
	switch {
	case op != ops.Clamp && (low || high), low && high:
		return args[0]
	case low:
		return b.op(t, ops.Min, args[0], args[2])
	case high && below(b.spanOf(args[1]), b.spanOf(args[2])):
		return b.op(t, ops.Max, args[0], args[1])
	}
	return nil
}

// below reports whether all that lies in one span is below all in another, or equal and no zero.
func below(x, y span) bool {
	return x.known && y.known && (x.hi < y.lo || x.hi == y.lo && y.lo != 0)
}

// converted bounds the integer that a conversion of a float gives; false where that says no more than its kind does.
func (b *body) converted(x kir.Expr, to types.Kind, how kir.How) (iv interval.Interval, ok bool) {
	if !x.Type().Kind.IsFloat() || !to.IsInt() || to == types.U64 || how == kir.Bitcast {
		return iv, false
	}
	s, whole := b.spanOf(x), math.Trunc
	if how == kir.Saturate {
		whole = math.RoundToEven
	}
	if !s.known {
		return iv, false
	}
	iv = interval.Between(int64(whole(s.lo)), int64(whole(s.hi)))
	return iv, iv.Within(interval.OfKind(to))
}
