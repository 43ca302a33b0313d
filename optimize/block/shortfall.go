package block

import (
	"imgc/hast"
	"imgc/ops"
)

// A scaled is the floor of (times*of + plus)/by, with by > 0; of is nil where that is a constant.
type scaled struct {
	of              hast.Expr
	times, plus, by int64
}

// farthestScale bounds the factors of a scaled and what they are multiplied with, so that nothing wraps.
const farthestScale = 1 << 12

// scaledOf takes an extent apart. An extent of another form is once itself.
func scaledOf(e hast.Expr) scaled {
	itself := scaled{of: e, times: 1, by: 1}
	if n, ok := hast.Number(e); ok {
		return scaled{plus: n, by: 1}.or(itself)
	}
	op, ok := e.(*hast.Op)
	if !ok || len(op.Args) != 2 {
		return itself
	}
	x, y := scaledOf(op.Args[0]), scaledOf(op.Args[1])
	if op.Op == ops.Mul && x.of == nil || op.Op == ops.Add && x.of == nil {
		x, y = y, x
	}
	if y.of != nil || y.by != 1 {
		return itself
	}
	switch c := y.plus; {
	case op.Op == ops.Add:
		x.plus += c * x.by
	case op.Op == ops.Sub:
		x.plus -= c * x.by
	case op.Op == ops.Mul && x.by == 1 && c > 0:
		x.times, x.plus = x.times*c, x.plus*c
	case (op.Op == ops.Div || op.Op == ops.FloorDiv) && c > 0: // of an extent, which has pixels, these are one
		x.by *= c
	default:
		return itself
	}
	return x.or(itself)
}

// or is the value as it was taken apart, or else as it is where numbers have become large.
func (x scaled) or(itself scaled) scaled {
	if x.times > farthestScale || x.by > farthestScale || x.plus > farthestScale || -x.plus > farthestScale {
		return itself
	}
	return x
}

// shortfall is by how many pixels at most an extent falls short of what n instances have below them in the steps of a span, where what is known of both bounds
// that. A pyramid's levels of (H + 1)/2 rows are read at every second row of H: there the last instance may have one row instead of two. Of H/2 rows
// that are read by two instances each the last one of an odd number has none.
func shortfall(extent, n hast.Expr, s Span) (int, bool) {
	m, k, known := inSteps(extent, n, s)
	if !known {
		return 0, false
	}
	stride, div := int64(s.Stride), int64(s.By())
	// extent >= (times*of + plus - (by - 1))/by, and n <= (times*of + plus)/by, and stride*n/div, rounded up, is at most (div - 1)/div more.
	least := div*k.by*(m.plus-m.by+1) - m.by*(stride*k.plus+(div-1)*k.by)
	return int(max(0, ops.FloorQuotient(-least, div*m.by*k.by))), true
}

// within reports whether an extent is known to have no more pixels than n instances have below them in the steps of a span.
func within(extent, n hast.Expr, s Span) bool {
	m, k, known := inSteps(extent, n, s)
	// extent <= (times*of + plus)/by, and n >= (times*of + plus - (by - 1))/by: then it is less than one pixel more than stride*n/div.
	stride, div := int64(s.Stride), int64(s.By())
	return known && div*k.by*m.plus-stride*m.by*(k.plus-k.by+1) < div*m.by*k.by
}

// inSteps are an extent and a number of instances taken apart, where they grow alike in the steps of a span.
func inSteps(extent, n hast.Expr, s Span) (m, k scaled, known bool) {
	m, k = scaledOf(extent), scaledOf(n)
	if (m.of == nil) != (k.of == nil) || m.of != nil && !hast.Equal(m.of, k.of) {
		return m, k, false
	}
	return m, k, int64(s.By())*k.by*m.times == int64(s.Stride)*m.by*k.times
}
