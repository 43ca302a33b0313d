package separable_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"imgc/optimize/separable"
)

func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		mask        [][]int64
		column, row []int64 // nil where it is not separable
	}{
		{[][]int64{{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}, []int64{1, 2, 1}, []int64{1, 2, 1}},
		{[][]int64{{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}, []int64{-1, -2, -1}, []int64{1, 0, -1}},
		{[][]int64{{0, 0}, {0, 6}, {0, -9}}, []int64{0, 6, -9}, []int64{0, 1}},
		{[][]int64{{4, 6}, {6, 9}}, []int64{2, 3}, []int64{2, 3}},
		{[][]int64{{7}}, []int64{7}, []int64{1}},
		{[][]int64{{math.MinInt32, math.MinInt32}}, []int64{math.MinInt32}, []int64{1, 1}},
		{[][]int64{{0, 1, 0}, {1, 4, 1}, {0, 1, 0}}, nil, nil},
		{[][]int64{{0, 0}, {0, 0}}, nil, nil},
		{[][]int64{{1 << 40, 1 << 40}}, nil, nil},
	} {
		column, row, ok := separable.Integers(c.mask)
		if ok != (c.column != nil) || fmt.Sprint(column, row) != fmt.Sprint(c.column, c.row) {
			t.Errorf("%v: %v %v %v, want %v %v", c.mask, column, row, ok, c.column, c.row)
		}
	}
}

func TestProductsOfIntegersAreFoundAndOthersAreNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		h, w := 2+rng.IntN(5), 2+rng.IntN(5)
		a, b := vector(rng, h), vector(rng, w)
		m := make([][]int64, h)
		for y := range m {
			m[y] = make([]int64, w)
			for x := range m[y] {
				m[y][x] = a[y] * b[x]
			}
		}
		column, row, ok := separable.Integers(m)
		if nonzero := separable.Terms(a)*separable.Terms(b) > 0; ok != nonzero {
			t.Fatalf("%v: %v", m, ok)
		}
		for y := range column {
			for x := range row {
				if column[y]*row[x] != m[y][x] {
					t.Fatalf("%v: %v %v", m, column, row)
				}
			}
		}
		y, x := rng.IntN(h), rng.IntN(w)
		m[y][x]++
		if _, _, ok := separable.Integers(m); ok != (rank(m) == 1) {
			t.Fatalf("%v: %v, its rank is %d", m, ok, rank(m))
		}
	}
}

func vector(rng *rand.Rand, n int) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(rng.IntN(13) - 6)
	}
	return v
}

// rank tells 0, 1 and more apart: every minor of two rows and columns is 0 up to rank 1.
func rank(m [][]int64) int {
	some := 0
	for y := range m {
		for x := range m[y] {
			if m[y][x] != 0 {
				some = 1
			}
			for v := range y {
				for u := range x {
					if m[y][x]*m[v][u] != m[y][u]*m[v][x] {
						return 2
					}
				}
			}
		}
	}
	return some
}

func single(v float64) float64 { return float64(float32(v)) }

func TestFloats(t *testing.T) {
	gauss := func(n int, sigma float64) [][]float64 {
		m := make([][]float64, n)
		for y := range m {
			m[y] = make([]float64, n)
			for x := range m[y] {
				dy, dx := float64(y-n/2), float64(x-n/2)
				m[y][x] = single(math.Exp(-(dy*dy + dx*dx) / (2 * sigma * sigma)))
			}
		}
		return m
	}
	const ulps = 4 * 0x1p-24
	for _, c := range []struct {
		name      string
		mask      [][]float64
		tolerance float64
		want      bool
	}{
		{"a Gaussian", gauss(15, 2.5), ulps, true},
		{"a Gaussian, exactly", gauss(15, 2.5), 0, false},
		{"a box", [][]float64{{0.1, 0.1}, {0.1, 0.1}}, 0, true},
		{"a cross", [][]float64{{0, 1, 0}, {1, 1, 1}, {0, 1, 0}}, ulps, false},
		{"zeros in a row", [][]float64{{-1, -2}, {0, 0}, {1, 2}}, 0, true},
		{"zeros in a column", [][]float64{{0, 2, 1}, {0, 4, 2}}, 0, true},
		{"zeros", [][]float64{{0, 0}}, ulps, false},
		{"not finite", [][]float64{{1, math.Inf(1)}}, ulps, false},
		{"a sum of Gaussians", sum(gauss(5, 1), gauss(5, 2)), ulps, false},
	} {
		column, row, ok := separable.Floats(c.mask, single, c.tolerance)
		if ok != c.want {
			t.Errorf("%s: %v", c.name, ok)
		}
		for y := range column {
			if math.Signbit(column[y]) && column[y] == 0 {
				t.Errorf("%s: the factor of line %d is a negative zero, which counts as a term", c.name, y)
			}
			for x := range row {
				if v := c.mask[y][x]; math.Abs(column[y]*row[x]-v) > c.tolerance*math.Abs(v)+1e-300 {
					t.Errorf("%s: %g * %g for %g", c.name, column[y], row[x], v)
				}
			}
		}
	}
}

func sum(a, b [][]float64) [][]float64 {
	for y := range a {
		for x := range a[y] {
			a[y][x] = single(a[y][x] + b[y][x])
		}
	}
	return a
}

func TestBound(t *testing.T) {
	for _, c := range []struct {
		pass  []int64
		limit int64
		want  int64
	}{
		{[]int64{1, -4, 6, -4, 1}, 255, 16 * 255},
		{nil, 255, 0},
		{[]int64{math.MaxInt32, math.MaxInt32, math.MaxInt32}, math.MaxInt32, math.MaxInt64},
		{[]int64{1 << 31}, math.MaxInt64, math.MaxInt64},
	} {
		if got := separable.Bound(c.pass, c.limit); got != c.want {
			t.Errorf("%v of %d: %d, want %d", c.pass, c.limit, got, c.want)
		}
	}
}
