package prove

import "cmp"

// verdict is what is known about a conjunction.
type verdict uint8

const (
	undecided verdict = iota
	infeasible
	feasible
)

// Limits of the work on one question. Beyond them the answer is undecided, never wrong.
const (
	maxCombinations = 150_000 // rows read and pairs of inequalities combined
	maxRows         = 1_500   // inequalities in one elimination step
	maxSplinters    = 128     // equalities tried for one inexact elimination
)

// omega decides conjunctions of linear equalities and inequalities over the integers, after W. Pugh, "The Omega test",
// 1991: equalities are solved by substitution, inequalities by Fourier-Motzkin elimination. Where an elimination is not
// exact over the integers, it is bracketed by the real shadow (no solution there: none at all) and the dark shadow (a
// solution there: one at all), and what is between is cut into splinters.
type omega struct {
	scopes []scope // of the columns; locals are eliminated first, so that parameters get their values first
	work   int     // rows and combinations left
	lossy  bool    // a row was dropped because it left the range of int64
}

// assignment says that a column that was substituted has the value of an expression over those that are left.
type assignment struct {
	column int
	by     row
}

// solve decides eq == 0 and ge >= 0; the values are those of a solution if the verdict is feasible. Because of dropped
// rows (overflow) a solution must still be checked by the caller.
func (o *omega) solve(eq, ge []row) (verdict, []int64) {
	if o.work -= len(eq) + len(ge); o.work < 0 {
		return undecided, nil
	}
	var undo []assignment
	for {
		var ok verdict
		if ge, undo, ok = o.solveEqualities(eq, ge, undo); ok != feasible {
			return ok, nil
		}
		var consistent bool
		if ge, eq, consistent = tightened(ge); !consistent {
			return infeasible, nil
		}
		if len(eq) == 0 {
			break
		}
	}
	found, values := o.solveInequalities(ge)
	if found != feasible {
		return found, nil
	}
	for i := len(undo) - 1; i >= 0; i-- {
		x, ok := undo[i].by.at(values)
		if !ok {
			return undecided, nil
		}
		values[undo[i].column] = x
	}
	return feasible, values
}

// solveEqualities substitutes until no equality is left. Its verdict is infeasible, undecided (overflow) or, if the
// inequalities have to say the rest, feasible.
func (o *omega) solveEqualities(eq, ge []row, undo []assignment) ([]row, []assignment, verdict) {
	for len(eq) > 0 {
		e := eq[0]
		g := e.content()
		switch {
		case g == 0 && e[0] != 0, g > 1 && e[0]%g != 0:
			return nil, nil, infeasible
		case g == 0:
			eq = eq[1:]
			continue
		}
		step := solvedFor(e.divided(g), o.scopes, nil)
		undo = append(undo, step)
		var ok1, ok2 bool
		eq, ok1 = substituteAll(eq, step)
		ge, ok2 = substituteAll(ge, step)
		if !ok1 || !ok2 {
			return nil, nil, undecided
		}
	}
	return ge, undo, feasible
}

// solvedFor takes one step of solving an equality in lowest terms. With a coefficient of 1 or -1 that column becomes the
// rest of the equality. Otherwise the column v with the smallest coefficient a makes place for
// t = v + sum floor(b/a)*w + floor(k/a), which leaves all other coefficients smaller than a, so that a 1 comes up soon.
// Of equal coefficients a local's is taken first. Columns in fixed are neither solved for nor made part of t.
func solvedFor(e row, scopes []scope, fixed []bool) assignment {
	v := 0
	for i := 1; i < len(e); i++ {
		if e[i] == 0 || fixed != nil && fixed[i] {
			continue
		}
		if v == 0 || cmp.Or(cmp.Compare(abs(e[i]), abs(e[v])), cmp.Compare(scopes[i], scopes[v])) < 0 {
			v = i
		}
	}
	by := make(row, len(e))
	switch a := e[v]; {
	case abs(a) == 1:
		for i := range e {
			by[i] = -a * e[i]
		}
		by[v] = 0
	default:
		sign := a / abs(a)
		for i := range e {
			if e[i] != 0 && (fixed == nil || i > 0 && !fixed[i]) {
				by[i] = -floorDiv(sign*e[i], abs(a))
			}
		}
		by[v] = 1
	}
	return assignment{v, by}
}

func substituteAll(rows []row, s assignment) ([]row, bool) {
	out := make([]row, len(rows))
	for i, r := range rows {
		var ok bool
		if out[i], ok = r.substituted(s.column, s.by); !ok {
			return nil, false
		}
	}
	return out, true
}

// solveInequalities decides ge >= 0, in which no two rows are parallel.
func (o *omega) solveInequalities(ge []row) (verdict, []int64) {
	v, exact := o.cheapest(ge, nil)
	if v == 0 {
		return feasible, make([]int64, len(o.scopes))
	}
	lower, upper, rest := bounds(ge, v)
	extended := func(values []int64) bool {
		x, ok := nearestZero(lower, upper, v, values)
		values[v] = x
		return ok
	}
	real, ok := o.shadow(lower, upper, rest, v, false)
	if !ok {
		return undecided, nil
	}
	found, values := o.solve(nil, real)
	switch {
	case found == infeasible:
		return infeasible, nil
	case found == feasible && extended(values):
		return feasible, values
	case exact:
		return undecided, nil
	}
	dark, ok := o.shadow(lower, upper, rest, v, true)
	if !ok {
		return undecided, nil
	}
	inDark, values := o.solve(nil, dark)
	if inDark == feasible && extended(values) {
		return feasible, values
	}
	found, values = o.splinters(ge, lower, upper, v)
	if found == infeasible && inDark != infeasible {
		return undecided, nil
	}
	return found, values
}

// splinters looks for the solutions outside the dark shadow. Each has v within a small distance of one of its lower
// bounds: a*v + e = i for an i of 0 .. (a*b - a - b)/b, b being the largest coefficient of an upper bound.
func (o *omega) splinters(ge, lower, upper []row, v int) (verdict, []int64) {
	b := int64(1)
	for _, r := range upper {
		b = max(b, -r[v])
	}
	all, tried := infeasible, 0
	for _, r := range lower {
		a := r[v]
		ab, ok := mul(a, b)
		if !ok {
			return undecided, nil
		}
		for i := int64(0); i <= floorDiv(ab-a-b, b); i++ {
			if tried++; tried > maxSplinters {
				return undecided, nil
			}
			near := append(row(nil), r...)
			if near[0], ok = mulAdd(near[0], i, -1); !ok {
				return undecided, nil
			}
			switch found, values := o.solve([]row{near}, ge); found {
			case feasible:
				return feasible, values
			case undecided:
				all = undecided
			}
		}
	}
	return all, nil
}

// cheapest chooses the column to eliminate, 0 if no row has any: an exact elimination before an inexact one, a local
// before a parameter, then the one that leaves the fewest rows. Columns in fixed are not considered.
func (o *omega) cheapest(ge []row, fixed []bool) (best int, exact bool) {
	var bestCost int
	for v := 1; v < len(o.scopes); v++ {
		if fixed != nil && fixed[v] {
			continue
		}
		lower, upper, unitLower, unitUpper := 0, 0, true, true
		for _, r := range ge {
			switch {
			case r[v] > 0:
				lower++
				unitLower = unitLower && r[v] == 1
			case r[v] < 0:
				upper++
				unitUpper = unitUpper && r[v] == -1
			}
		}
		if lower+upper == 0 {
			continue
		}
		free := lower == 0 || upper == 0
		isExact, cost := free || unitLower || unitUpper, lower*upper-lower-upper
		better := isExact && !exact
		if isExact == exact {
			better = best == 0 || cmp.Or(cmp.Compare(o.scopes[v], o.scopes[best]), cmp.Compare(cost, bestCost)) < 0
		}
		if best == 0 || better {
			best, exact, bestCost = v, isExact, cost
		}
	}
	return best, exact
}

// shadow eliminates v: every lower bound with every upper bound, a*v + e >= 0 and -b*v + f >= 0 give b*e + a*f >= 0, or
// >= (a-1)*(b-1) for the dark shadow, under which an integer v is sure to exist. ok is false beyond the limits.
func (o *omega) shadow(lower, upper, rest []row, v int, dark bool) (out []row, ok bool) {
	pairs := len(lower) * len(upper)
	o.work -= pairs
	if o.work < 0 || pairs+len(rest) > maxRows {
		return nil, false
	}
	out = append(out, rest...)
	for _, l := range lower {
		for _, u := range upper {
			a, b := l[v], -u[v]
			r, fits := combination(b, l, a, u)
			if fits && dark {
				slack, small := mul(a-1, b-1)
				r[0], fits = mulAdd(r[0], slack, -1)
				fits = fits && small
			}
			switch {
			case fits:
				out = append(out, r)
			case dark:
				return nil, false // a missing row would make it too large
			default:
				o.lossy = true
			}
		}
	}
	return out, true
}

func abs(a int64) int64 { return max(a, -a) }
