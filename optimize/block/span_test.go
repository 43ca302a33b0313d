package block

import (
	"testing"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// TestPlacesThroughDividedInstances: what a reader reads of instances at a span is in the composed span, and of plain instances that is exact.
func TestPlacesThroughDividedInstances(t *testing.T) {
	floor := func(a, b int) int { return int(ops.FloorQuotient(int64(a), int64(b))) }
	const n = 36 // instances of a block, a multiple of all divisors
	var spans []Span
	for _, s := range [][4]int{{1, 0, 0, 0}, {1, -1, 2, 0}, {2, -1, 3, 0}, {3, 0, 1, 0}, {1, 0, 0, 2}, {1, -1, 1, 2}, {1, -3, 2, 3}, {2, -1, 4, 3}, {3, 0, 2, 2}} {
		spans = append(spans, Span{Stride: s[0], Lo: s[1], Hi: s[2], Div: s[3]})
	}
	for _, w := range spans {
		for _, s := range spans {
			got := through(w, s)
			for first := 0; first < 3*n; first += n { // where blocks may begin
				lo, hi := 1<<20, -1<<20
				for at := range n {
					for q := floor(s.Stride*(first+at)+s.Lo, s.By()); q <= floor(s.Stride*(first+at)+s.Hi, s.By()); q++ {
						lo, hi = min(lo, floor(w.Stride*q+w.Lo, w.By())), max(hi, floor(w.Stride*q+w.Hi, w.By()))
					}
				}
				base := got.Stride * first / got.By()
				if base+got.First() > lo || base+got.Last(n) < hi {
					t.Errorf("%v through %v is %v: %d to %d of the block at %d, not %d to %d", w, s, got, base+got.First(), base+got.Last(n), first, lo, hi)
				}
				if exact := w.Stride == 1 || s.Div == 0 && w.Div == 0; exact && (base+got.First() != lo || base+got.Last(n) != hi) {
					t.Errorf("%v through %v is %v: %d to %d of the block at %d, and %d to %d are read", w, s, got, base+got.First(), base+got.Last(n), first, lo, hi)
				}
			}
		}
	}
	if got := through(Span{Stride: 2, Hi: 1}, Span{Stride: 1, Div: 2}); got.Stride != 1 || got.Div != 0 {
		t.Errorf("two pixels of each half are %v", got)
	}
}

// TestExtentsAgainstInstances holds what is said of extents against extents of all small sizes.
func TestExtentsAgainstInstances(t *testing.T) {
	size := &hast.Ref{Typed: hast.Typed{T: i32}, Var: &hast.Var{Name: "N", Type: i32}}
	number := func(n int64) hast.Expr {
		return &hast.Const{Typed: hast.Typed{T: i32}, Words: []types.Word{types.Int(n)}}
	}
	extent := func(times, more, by int64) hast.Expr {
		op := func(op ops.Op, x hast.Expr, n int64) hast.Expr {
			return &hast.Op{Typed: hast.Typed{T: i32}, Op: op, Args: []hast.Expr{x, number(n)}}
		}
		return op(ops.Div, op(ops.Add, op(ops.Mul, size, times), more), by)
	}
	for _, c := range []struct {
		extent, n [3]int64 // (a*N + b)/c
		span      Span
		short     int // -1 where nothing is known
		within    bool
	}{
		{[3]int64{1, 1, 2}, [3]int64{1, 0, 1}, Span{Stride: 1, Div: 2}, 0, true},
		{[3]int64{1, 0, 2}, [3]int64{1, 0, 1}, Span{Stride: 1, Div: 2}, 1, true},
		{[3]int64{1, 3, 2}, [3]int64{1, 0, 1}, Span{Stride: 1, Div: 2}, 0, false},
		{[3]int64{1, 2, 3}, [3]int64{1, 0, 1}, Span{Stride: 1, Div: 3}, 0, true},
		{[3]int64{1, -3, 3}, [3]int64{1, 0, 1}, Span{Stride: 1, Div: 3}, 2, true},
		{[3]int64{1, 0, 1}, [3]int64{2, 0, 1}, Span{Stride: 1, Div: 2}, 0, true},
		{[3]int64{3, 1, 2}, [3]int64{1, 0, 1}, Span{Stride: 3, Div: 2}, 0, true},
		{[3]int64{1, 1, 2}, [3]int64{1, 4, 1}, Span{Stride: 1, Div: 2}, 2, true},
		{[3]int64{1, 0, 1}, [3]int64{1, 1, 2}, Span{Stride: 2}, 1, true},
		{[3]int64{1, 0, 1}, [3]int64{1, 0, 1}, Span{Stride: 1, Div: 2}, -1, false},
	} {
		x, n := extent(c.extent[0], c.extent[1], c.extent[2]), extent(c.n[0], c.n[1], c.n[2])
		short, known := shortfall(x, n, c.span)
		if !known {
			short = -1
		}
		if short != c.short || within(x, n, c.span) != c.within {
			t.Errorf("%v of %v instances at %v: short by %d, within %v", c.extent, c.n, c.span, short, within(x, n, c.span))
		}
		for size := int64(3); known && size < 40; size++ {
			of := func(c [3]int64) int64 { return (c[0]*size + c[1]) / c[2] }
			below := -ops.FloorQuotient(-int64(c.span.Stride)*of(c.n), int64(c.span.By()))
			if have := of(c.extent); have < below-int64(short) || c.within && have > below {
				t.Errorf("%v of %v instances at %v: %d and %d of %d", c.extent, c.n, c.span, have, below, size)
			}
		}
	}
}
