package access

import (
	"math"

	"imgc/hast"
	"imgc/sema/prove"
	"imgc/types"
)

// Values of 64 bits have no interval to be held against: most of them are "any". So a sum of theirs may wrap around unnoticed, and is
// not the number that its terms add up to unless something says that it is small.

// cutLong is l where that is the value of 64 bits that is computed; else it is Unknown.
func (a *analysis) cutLong(l prove.Lin, full interval, s *scope) prove.Lin {
	iv := a.intervalOf(l)
	switch lo, hi := prove.K(-beyond+1), prove.K(beyond-1); {
	case l.IsUnknown():
		return l
	case !iv.within(full):
		return prove.Unknown
	case a.isWhole(l) || iv.lo > -beyond && iv.hi < beyond:
		return l
	case a.holds(s, prove.And{prove.GE(l, lo), prove.LE(l, hi)}):
		return l
	}
	return prove.Unknown
}

// isWhole reports whether l is a value as it was given, read or chosen, with no arithmetic that might have wrapped around.
func (a *analysis) isWhole(l prove.Lin) bool {
	if l.IsConstant() {
		return true
	}
	terms := l.Terms()
	if l.IsUnknown() || len(terms) != 1 || terms[0].Coef != 1 || l.Constant() != 0 {
		return false
	}
	d, ok := a.sys.Def(terms[0].Var)
	if !ok {
		return true
	}
	switch d.Op {
	case prove.Min, prove.Max, prove.Select:
		for _, arg := range d.Args {
			if !a.isWhole(arg) {
				return false
			}
		}
		return true
	case prove.FloorDiv, prove.TruncDiv:
		return a.isWhole(d.Args[0])
	}
	return false
}

// quotients bounds a division by a positive constant. What has no bound has that of 64 bits if it is a value of so many, else none.
func (a *analysis) quotients(d prove.Def, x interval, quotient func(n, d int64) int64) interval {
	q := interval{quotient(x.lo, d.Divisor), quotient(x.hi, d.Divisor)}
	whole := a.isWhole(d.Args[0])
	if x.lo <= -beyond {
		q.lo = -beyond
		if whole {
			q.lo = quotient(math.MinInt64, d.Divisor)
		}
	}
	if x.hi >= beyond {
		q.hi = beyond
		if whole {
			q.hi = limit(int64(min(math.MaxUint64/uint64(d.Divisor), math.MaxInt64)))
		}
	}
	return interval{limit(q.lo), q.hi}
}

// resigned is a value of 64 bits as another kind of 64 bits has it, Unknown where it may be another number there.
func (a *analysis) resigned(l prove.Lin, from, to types.Kind, how hast.How) prove.Lin {
	iv := a.intervalOf(l)
	switch {
	case from.IsUnsigned() == to.IsUnsigned(), to.IsUnsigned() && iv.lo >= 0, to.IsSigned() && iv.hi < beyond:
		return l
	case to.IsUnsigned() && how == hast.Saturate:
		return a.sys.Max(l, prove.K(0))
	}
	return prove.Unknown
}
