package kir

import (
	"math"
	"testing"
)

// TestShortDividend has the farthest reciprocals that are allowed for, 2.5 ulp from the divisor's, and the dividends at which quotients change.
func TestShortDividend(t *testing.T) {
	short := func(a int32, part float32) int32 {
		more := float32(math.Copysign(0.5, float64(a)))
		return int32((float32(a) + more) * part)
	}
	check := func(a, b int32) {
		part := 1 / float32(b)
		low, high := part, part
		for range 3 {
			low, high = math.Nextafter32(low, 0), math.Nextafter32(high, 1)
		}
		for _, r := range []float32{low, part, high} {
			if got := short(a, r); got != a/b {
				t.Fatalf("%d / %d is %d by %g, not %d", a, b, got, r, a/b)
			}
			if got := short(-a, r); got != -a/b {
				t.Fatalf("%d / %d is %d by %g, not %d", -a, b, got, r, -a/b)
			}
		}
	}
	for b := int32(1); b <= ShortInteger; b += 1 + b/3000 {
		for a := int64(0); a <= ShortDividend; a += int64(b) * (1 + a/int64(b)/500) {
			check(int32(a), b)
			if a > 0 {
				check(int32(a)-1, b)
			}
		}
		check(ShortDividend, b)
	}
}
