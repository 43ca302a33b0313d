package access

import (
	"math"

	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// Values of 64 bits have no interval to be held against: most of them are "any". So a sum of theirs may wrap around unnoticed, and is
// not the number that its terms add up to unless something says that it is small.

// cutLong is l where that is the value of 64 bits that is computed; else it is Unknown.
func (a *analysis) cutLong(l prove.Lin, full interval.Interval, s *scope) prove.Lin {
	iv := a.intervalOf(l)
	switch lo, hi := prove.K(told.Lo), prove.K(told.Hi); {
	case l.IsUnknown():
		return l
	case !iv.Within(full):
		return prove.Unknown
	case a.isWhole(l) || iv.Within(told):
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

// quotients bounds a division by a positive constant. What has no bound has that of 64 bits, with a sign or without, if it is a value of so many.
func (a *analysis) quotients(op ops.Op, d prove.Def, x interval.Interval) interval.Interval {
	by := interval.Point(d.Divisor)
	q := interval.Unbounded(op, x, by)
	if a.isWhole(d.Args[0]) {
		signed, _ := interval.Of(op, interval.All, by)
		q.Lo = max(q.Lo, signed.Lo)
		q.Hi = min(q.Hi, int64(min(math.MaxUint64/uint64(d.Divisor), math.MaxInt64)))
	}
	return q
}

// resigned is a value of 64 bits as another kind of 64 bits has it, Unknown where it may be another number there.
func (a *analysis) resigned(l prove.Lin, from, to types.Kind, how hast.How) prove.Lin {
	iv := a.intervalOf(l)
	switch {
	case from.IsUnsigned() == to.IsUnsigned(), to.IsUnsigned() && iv.Lo >= 0, to.IsSigned() && iv.Hi <= told.Hi:
		return l
	case to.IsUnsigned() && how == hast.Saturate:
		return a.sys.Max(l, prove.K(0))
	}
	return prove.Unknown
}
