package separable

import (
	"math"
	"math/bits"
)

// Integers factors a mask of integers, row by row, all rows of one length: m[y][x] = column[y] * row[x] for all y and x. The entries
// of row have no common divisor, and its first one that is not 0 is positive. False where the mask has not rank 1, a mask of
// zeros included, or where its entries do not fit 32 bits.
func Integers(m [][]int64) (column, row []int64, ok bool) {
	lead := -1
	for y := range m {
		for _, v := range m[y] {
			if v != int64(int32(v)) {
				return nil, nil, false
			}
			if v != 0 && lead < 0 {
				lead = y
			}
		}
	}
	if lead < 0 {
		return nil, nil, false
	}
	row, at := primitive(m[lead])
	column = make([]int64, len(m))
	for y := range m {
		column[y] = m[y][at] / row[at]
		for x, v := range m[y] {
			if column[y]*row[x] != v {
				return nil, nil, false
			}
		}
	}
	return column, row, true
}

// primitive is the shortest integer vector along v, which is not 0, and the place of its first entry that is not 0, positive.
func primitive(v []int64) (out []int64, at int) {
	var divisor int64
	at = -1
	for x, c := range v {
		divisor = gcd(divisor, max(c, -c))
		if c != 0 && at < 0 {
			at = x
		}
	}
	if v[at] < 0 {
		divisor = -divisor
	}
	out = make([]int64, len(v))
	for x, c := range v {
		out[x] = c / divisor
	}
	return out, at
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Tolerance is for Floats how far the products of the factors of a mask of h x w numbers of 32 bits may lie from its entries, relative to them. A sum of n products is within about n roundings of what it
// would be without any, of the sum of the magnitudes of its terms; that by rows has h + w of those h*w, and what is left is for the factors. A mask that has been divided by its sum takes up to
// nine: two of each entry, and one of the quotient of two.
func Tolerance(h, w int) float64 {
	return float64(min(max(h*w-h-w, leastRoundings), mostRoundings)) * 0x1p-24
}

// Entries that are products but for how they were rounded differ by fewer than mostRoundings; leastRoundings are those of an entry and of its two factors, and of their product.
const leastRoundings, mostRoundings = 4, 12

// Floats factors a mask of floats: |m[y][x] - column[y]*row[x]| <= tolerance * |m[y][x]| for all y and x, where round has been applied
// to the factors, for example to those of 32 bits, and the product is the exact one. An entry of 0 takes a factor of 0. The row is
// the mask's row of its largest entry, without change. False where no such factors are found, and where an entry is not finite.
func Floats(m [][]float64, round func(float64) float64, tolerance float64) (column, row []float64, ok bool) {
	py, px, most := 0, 0, 0.0
	for y := range m {
		for x, v := range m[y] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, false
			}
			if math.Abs(v) > most {
				py, px, most = y, x, math.Abs(v)
			}
		}
	}
	if most == 0 {
		return nil, nil, false
	}
	row = m[py]
	column = make([]float64, len(m))
	for y := range m {
		if m[y][px] != 0 { // else the factor is 0, and not the negative zero that a negative entry would give
			column[y] = round(m[y][px] / m[py][px])
		}
		for x, v := range m[y] {
			if !near(column[y], row[x], v, tolerance) {
				return nil, nil, false
			}
		}
	}
	return column, append([]float64(nil), row...), true
}

// near reports whether |a*b - v| <= tolerance*|v|. The difference is rounded once.
func near(a, b, v, tolerance float64) bool {
	return math.Abs(math.FMA(a, b, -v)) <= tolerance*math.Abs(v)
}

// Terms is how many products a pass has: the entries that are not 0.
func Terms[T int64 | float64](v []T) int {
	n := 0
	for _, c := range v {
		if c != 0 {
			n++
		}
	}
	return n
}

// Bound is the largest magnitude that a pass over values of magnitude at most limit can give, for the choice of the intermediate's
// kind; saturated at the largest int64.
func Bound(v []int64, limit int64) int64 {
	var sum uint64
	for _, c := range v {
		hi, lo := bits.Mul64(uint64(max(c, -c)), uint64(max(limit, -limit)))
		var carry uint64
		if sum, carry = bits.Add64(sum, lo, 0); hi != 0 || carry != 0 || sum > math.MaxInt64 {
			return math.MaxInt64
		}
	}
	return int64(sum)
}
