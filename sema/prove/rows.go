package prove

import (
	"encoding/binary"
	"math"
)

// row is a linear expression over numbered columns: row[0] is the constant, row[i] the coefficient of column i.
type row []int64

// combination returns a*x + b*y, false on overflow.
func combination(a int64, x row, b int64, y row) (row, bool) {
	out := make(row, len(x))
	for i := range x {
		p, ok := mul(a, x[i])
		if !ok {
			return nil, false
		}
		if out[i], ok = mulAdd(p, y[i], b); !ok {
			return nil, false
		}
	}
	return out, true
}

// substituted replaces column v by an expression, which may contain v itself (a change of variable).
func (r row) substituted(v int, by row) (row, bool) {
	c := r[v]
	if c == 0 {
		return r, true
	}
	rest := append(row(nil), r...)
	rest[v] = 0
	return combination(1, rest, c, by)
}

// content is the greatest common divisor of the coefficients, 0 if there are none.
func (r row) content() int64 {
	g := int64(0)
	for _, c := range r[1:] {
		g = gcd(g, c)
	}
	return g
}

// appendKey appends what identifies the coefficients times sign.
func (r row) appendKey(key []byte, sign int64) []byte {
	for _, c := range r[1:] {
		key = binary.LittleEndian.AppendUint64(key, uint64(sign*c))
	}
	return key
}

// at evaluates the expression, false on overflow.
func (r row) at(values []int64) (int64, bool) {
	sum, ok := r[0], true
	for i := 1; i < len(r); i++ {
		if r[i] != 0 {
			if sum, ok = mulAdd(sum, r[i], values[i]); !ok {
				return 0, false
			}
		}
	}
	return sum, true
}

// divided divides coefficients and constant by g, the constant rounded down. For an inequality >= 0 over integers this
// loses nothing: 2*x - 3 >= 0 is x - 2 >= 0.
func (r row) divided(g int64) row {
	if g == 1 {
		return r
	}
	out := make(row, len(r))
	for i, c := range r {
		out[i] = floorDiv(c, g)
	}
	return out
}

// tightened puts inequalities (row >= 0) into lowest terms, keeps the tightest of parallel ones, and turns opposite ones
// that meet into equalities. ok is false if some contradict each other.
func tightened(ge []row) (inequalities, equalities []row, ok bool) {
	place := map[string]int{}
	var key []byte // of one row after the other
	for _, r := range ge {
		g := r.content()
		if g == 0 {
			if r[0] < 0 {
				return nil, nil, false
			}
			continue
		}
		r = r.divided(g)
		key = r.appendKey(key[:0], 1)
		i, parallel := place[string(key)]
		switch {
		case !parallel:
			place[string(key)] = len(inequalities)
			inequalities = append(inequalities, r)
		case r[0] < inequalities[i][0]:
			inequalities[i] = r
		}
	}
	kept := inequalities[:0:0]
	for i, r := range inequalities {
		key = r.appendKey(key[:0], -1)
		j, opposite := place[string(key)]
		if !opposite {
			kept = append(kept, r)
			continue
		}
		gap, fits := mulAdd(r[0], inequalities[j][0], 1)
		switch {
		case fits && gap < 0:
			return nil, nil, false
		case fits && gap == 0:
			if i < j {
				equalities = append(equalities, r)
			}
		default:
			kept = append(kept, r)
		}
	}
	return kept, equalities, true
}

// bounds splits inequalities by how they bound column v.
func bounds(ge []row, v int) (lower, upper, rest []row) {
	for _, r := range ge {
		switch {
		case r[v] > 0:
			lower = append(lower, r)
		case r[v] < 0:
			upper = append(upper, r)
		default:
			rest = append(rest, r)
		}
	}
	return lower, upper, rest
}

// nearestZero picks a value of column v between its bounds, given the values of all other columns.
func nearestZero(lower, upper []row, v int, values []int64) (int64, bool) {
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	values[v] = 0
	for _, r := range lower { // a*v + e >= 0
		e, ok := r.at(values)
		if !ok {
			return 0, false
		}
		lo = max(lo, -floorDiv(e, r[v]))
	}
	for _, r := range upper { // -b*v + e >= 0
		e, ok := r.at(values)
		if !ok {
			return 0, false
		}
		hi = min(hi, floorDiv(e, -r[v]))
	}
	return max(lo, min(hi, 0)), lo <= hi
}
