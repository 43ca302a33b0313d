package normal

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/types"
)

// A product of an integer with a number, as an integer again,
//
//	sat<u8>(f32(s) * (1 / 256.0))
//
// is what integers come to by themselves: the nearest one, and of two the even one, is s + 127 and the lowest bit of s >> 8, shifted right by 8. The other way it is converted twice, one pixel
// at a time, where a word holds two sums. Results are the same to the bit.

// upperByte is by how many bits a sum of bytes is shifted that takes no operation where two are in a word: the byte above the lowest is what remains.
const upperByte = 8

// rounded are statements of which those that store or define such a conversion do so by integers. Conversions in what else is computed stay: the integer is computed before, which not all of that may be.
func (w wholer) rounded(list []hast.Stmt) (out []hast.Stmt) {
	for _, s := range list {
		s = hast.MapBodies(s, w.rounded)
		var of *hast.Define
		switch st := s.(type) {
		case *hast.Store:
			now := *st
			if of, now.Value = w.roundedValue(st.Value); now.Value != nil {
				s = &now
			}
		case *hast.Define:
			if st.Var.Class == hast.Value && st.Init != nil {
				now := *st
				if of, now.Init = w.roundedValue(st.Init); now.Init != nil {
					s = &now
				}
			}
		}
		if of != nil {
			out = append(out, of)
		}
		out = append(out, s)
	}
	return out
}

// roundedValue is what takes the place of such a conversion, and the definition of the integer that it is of, where that is named; nil where an expression stays.
func (w wholer) roundedValue(e hast.Expr) (of *hast.Define, value hast.Expr) {
	c, ok := e.(*hast.Convert)
	if !ok || c.How != hast.Saturate || !c.T.Kind.IsInt() || c.T.Kind.Bits() > 32 || !w.kind(c.X.Type()) {
		return nil, nil
	}
	whole, factor := w.scaled(c.X)
	if whole == nil || w.greatest(whole) > exactly {
		return nil, nil
	}
	if factor == 1 {
		return nil, &hast.Convert{Typed: c.Typed, X: whole, How: hast.Saturate}
	}
	v := &hast.Var{Name: "total", Type: whole.Type(), Class: hast.Value, At: c.At}
	nearest := w.nearest(hast.RefTo(v), w.interval(whole), factor)
	if nearest == nil {
		return nil, nil
	}
	return &hast.Define{Var: v, Init: whole, At: c.At}, &hast.Convert{Typed: c.Typed, X: nearest, How: hast.Saturate}
}

// scaled is an integer as a float, or its product with a number, as that integer and the number; nil for others.
func (w wholer) scaled(e hast.Expr) (whole hast.Expr, factor float64) {
	switch e := e.(type) {
	case *hast.Convert:
		return w.integerOfConvert(e), 1
	case *hast.Op:
		if e.Op != ops.Mul {
			return nil, 0
		}
		for i, a := range e.Args {
			k, number := a.(*hast.Const)
			of, sum := e.Args[1-i].(*hast.Convert)
			if number && sum && !slices.ContainsFunc(k.Words, func(x types.Word) bool { return x != k.Words[0] }) {
				return w.integerOfConvert(of), k.Words[0].Float()
			}
		}
	}
	return nil, 0
}

// nearest is the nearest integer to one of an interval times a factor, as f32 has that, and the even one of two; nil where it has no short form.
func (w wholer) nearest(x hast.Expr, iv interval.Interval, factor float64) hast.Expr {
	t := x.Type()
	number := func(n int64) hast.Expr { return integerOf(t, n, x) }
	part, exponent := math.Frexp(factor)
	if by := int64(1 - exponent); part == 0.5 && by > 0 && by <= 16 {
		if more := upperByte - by; w.blocks && more > 0 && inHalf(iv, more) {
			x, by = hast.Binary(ops.Mul, x, number(1<<more)), upperByte
		}
		odd := hast.Binary(ops.And, hast.Binary(ops.Shr, x, number(by)), number(1))
		return hast.Binary(ops.Shr, hast.Binary(ops.Add, hast.Binary(ops.Add, x, number(1<<(by-1)-1)), odd), number(by))
	}
	if d := int64(math.Round(1 / factor)); w.blocks && d > 1 && d%2 == 1 && isQuotient(iv, factor, d) {
		return hast.Binary(ops.Div, hast.Binary(ops.Add, x, number(d/2)), number(d))
	}
	return nil
}

// inHalf reports whether a half of a word holds an integer shifted left by so many bits, and what is added to it before it is shifted right again.
func inHalf(iv interval.Interval, by int64) bool {
	return (iv.Hi-min(iv.Lo, 0))<<by+1<<(upperByte-1) <= math.MaxUint16
}

// isQuotient reports whether the nearest integer to x * factor is (x + d / 2) / d for all x of an interval, which is not long.
func isQuotient(iv interval.Interval, factor float64, d int64) bool {
	if iv.Lo < 0 || iv.Hi > math.MaxUint16 {
		return false
	}
	for x := iv.Lo; x <= iv.Hi; x++ {
		if int64(math.RoundToEven(float64(float32(x)*float32(factor)))) != (x+d/2)/d {
			return false
		}
	}
	return true
}

// integerOf is a number in all components of a type of integers.
func integerOf(t types.Type, n int64, like hast.Expr) hast.Expr {
	return &hast.Const{Typed: hast.Typed{T: t, At: like.Span()}, Words: slices.Repeat([]types.Word{types.Int(n)}, t.Words())}
}
