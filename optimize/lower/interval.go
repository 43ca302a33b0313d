package lower

import (
	"math"
	"math/bits"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// An interval bounds an integer, both ends included. Values of u64 above MaxInt64 are not represented: kindInterval of u64 is
// everything, and nothing of u64 is ever inferred exact.
type interval struct{ lo, hi int64 }

var everything = interval{math.MinInt64, math.MaxInt64}

func point(v int64) interval { return interval{v, v} }

func (a interval) within(b interval) bool { return b.lo <= a.lo && a.hi <= b.hi }

// meet is the part that a and b share; a where they share nothing (the code is then dead).
func (a interval) meet(b interval) interval {
	m := interval{max(a.lo, b.lo), min(a.hi, b.hi)}
	if m.lo > m.hi {
		return a
	}
	return m
}

func (a interval) join(b interval) interval { return interval{min(a.lo, b.lo), max(a.hi, b.hi)} }

// kindInterval is every value of an integer kind; for bools 0 and 1, for floats everything.
func kindInterval(k types.Kind) interval {
	switch {
	case k == types.Bool:
		return interval{0, 1}
	case k == types.U64, !k.IsInt():
		return everything
	case k.IsUnsigned():
		return interval{0, 1<<k.Bits() - 1}
	}
	return interval{-1 << (k.Bits() - 1), 1<<(k.Bits()-1) - 1}
}

// opInterval bounds the mathematical result of an integer op, before it wraps; false where nothing is known, or where the
// result leaves 64 bits.
func opInterval(op ops.Op, a []interval) (interval, bool) {
	f := intervalOps[op]
	if f == nil {
		return everything, false
	}
	var in operands
	copy(in[:], a)
	return f(in)
}

// operands are the intervals of as many as an operator has that can be bounded. They are values, so that those of the many operators that are looked at
// need no memory.
type operands [3]interval

var intervalOps = map[ops.Op]func(operands) (interval, bool){
	ops.Neg: func(a operands) (interval, bool) { return corners(checkedSub, point(0), a[0]) },
	ops.Add: func(a operands) (interval, bool) { return corners(checkedAdd, a[0], a[1]) },
	ops.Sub: func(a operands) (interval, bool) { return corners(checkedSub, a[0], a[1]) },
	ops.Mul: func(a operands) (interval, bool) { return corners(checkedMul, a[0], a[1]) },
	ops.Div: func(a operands) (interval, bool) {
		if a[1].lo < 1 {
			return everything, false
		}
		return corners(func(x, y int64) (int64, bool) { return x / y, true }, a[0], a[1])
	},
	ops.FloorDiv: func(a operands) (interval, bool) {
		if a[1].lo < 1 {
			return everything, false
		}
		return corners(func(x, y int64) (int64, bool) { return ops.FloorQuotient(x, y), true }, a[0], a[1])
	},
	ops.Rem: func(a operands) (interval, bool) {
		if a[1].lo < 1 {
			return everything, false
		}
		m := a[1].hi - 1
		r := interval{-m, m}
		if a[0].lo >= 0 {
			r = interval{0, min(m, a[0].hi)}
		} else if a[0].hi <= 0 {
			r = interval{max(-m, a[0].lo), 0}
		}
		return r, true
	},
	ops.Mod: func(a operands) (interval, bool) { return interval{0, a[1].hi - 1}, a[1].lo >= 1 },
	ops.Min: func(a operands) (interval, bool) {
		return interval{min(a[0].lo, a[1].lo), min(a[0].hi, a[1].hi)}, true
	},
	ops.Max: func(a operands) (interval, bool) {
		return interval{max(a[0].lo, a[1].lo), max(a[0].hi, a[1].hi)}, true
	},
	ops.Clamp: func(a operands) (interval, bool) {
		return interval{min(max(a[0].lo, a[1].lo), a[2].lo), min(max(a[0].hi, a[1].hi), a[2].hi)}, true
	},
	ops.Abs: func(a operands) (interval, bool) {
		switch {
		case a[0].lo >= 0:
			return a[0], true
		case a[0].lo == math.MinInt64:
			return everything, false
		case a[0].hi <= 0:
			return interval{-a[0].hi, -a[0].lo}, true
		}
		return interval{0, max(-a[0].lo, a[0].hi)}, true
	},
	ops.Sign: func(operands) (interval, bool) { return interval{-1, 1}, true },
	ops.And: func(a operands) (interval, bool) {
		switch {
		case a[0].lo >= 0 && a[1].lo >= 0:
			return interval{0, min(a[0].hi, a[1].hi)}, true
		case a[0].lo >= 0:
			return interval{0, a[0].hi}, true
		case a[1].lo >= 0:
			return interval{0, a[1].hi}, true
		}
		return everything, false
	},
	ops.Or:  bitwise,
	ops.Xor: bitwise,
	ops.Shr: func(a operands) (interval, bool) {
		if a[1].lo < 0 || a[1].hi > 63 {
			return everything, false
		}
		return corners(func(x, y int64) (int64, bool) { return x >> y, true }, a[0], a[1])
	},
	ops.Shl: func(a operands) (interval, bool) {
		if a[1].lo < 0 || a[1].hi > 62 {
			return everything, false
		}
		return corners(func(x, y int64) (int64, bool) { return checkedMul(x, 1<<y) }, a[0], a[1])
	},
	ops.Popcount: func(operands) (interval, bool) { return interval{0, 64}, true },
	ops.Clz:      func(operands) (interval, bool) { return interval{0, 64}, true },
}

// bitwise bounds | and ^ of two values that are not negative by the bits that either has.
func bitwise(a operands) (interval, bool) {
	if a[0].lo < 0 || a[1].lo < 0 {
		return everything, false
	}
	n := bits.Len64(uint64(a[0].hi | a[1].hi))
	return interval{0, int64(1)<<n - 1}, n < 63
}

// corners bounds a function that is monotonic in each argument by its values at the ends.
func corners(f func(x, y int64) (int64, bool), a, b interval) (interval, bool) {
	r := interval{math.MaxInt64, math.MinInt64}
	for _, x := range [2]int64{a.lo, a.hi} {
		for _, y := range [2]int64{b.lo, b.hi} {
			v, ok := f(x, y)
			if !ok {
				return everything, false
			}
			r = interval{min(r.lo, v), max(r.hi, v)}
		}
	}
	return r, true
}

func checkedAdd(x, y int64) (int64, bool) {
	s := x + y
	return s, (s > x) == (y > 0)
}

func checkedSub(x, y int64) (int64, bool) {
	d := x - y
	return d, (d < x) == (y > 0)
}

func checkedMul(x, y int64) (int64, bool) {
	if x == 0 || y == 0 {
		return 0, true
	}
	p := x * y
	return p, p/y == x && !(x == -1 && y == math.MinInt64) && !(y == -1 && x == math.MinInt64)
}

// rangeOf bounds the integer that e computes; vars holds what is known of variables.
func rangeOf(e kir.Expr, vars map[*kir.Var]interval) interval {
	known := func(v *kir.Var) (interval, bool) {
		iv, ok := vars[v]
		return iv, ok
	}
	return rangeFrom(e, known, func(x kir.Expr) interval { return rangeOf(x, vars) })
}

// rangeFrom is rangeOf by what is known of variables, and of all elements of arrays, and of operands.
func rangeFrom(e kir.Expr, known func(*kir.Var) (interval, bool), of func(kir.Expr) interval) interval {
	k := e.Type().Kind
	all := kindInterval(k)
	if !k.IsInt() && k != types.Bool {
		return all
	}
	if v := kir.ValueOf(e); v != nil {
		if iv, ok := known(v); ok {
			return iv
		}
		return all
	}
	switch e := e.(type) {
	case *kir.Const:
		if len(e.Words) == 1 && k != types.U64 {
			return point(e.Words[0].Int())
		}
	case *kir.Op:
		if e.Args[0].Type().Kind.IsInt() {
			var room operands
			args := rangesOf(room[:0], e.Args, of)
			if iv, ok := opInterval(e.Op, args); ok && iv.within(all) && countFits(e.Op, k, args) {
				return iv
			}
		}
	case *kir.Convert:
		return rangeOfConvert(e, of(e.X))
	case *kir.Select:
		return of(e.Then).join(of(e.Else))
	case *kir.Vec:
		iv := of(e.Parts[0])
		for _, p := range e.Parts[1:] {
			iv = iv.join(of(p))
		}
		return iv
	case *kir.Lanes:
		return of(e.X)
	case *kir.GlobalID, *kir.GroupID:
		return interval{0, math.MaxInt32}
	}
	return all
}

// countFits reports whether the count of a shift, if op is one, lies below the width of kind k: others are taken modulo that.
func countFits(op ops.Op, k types.Kind, args []interval) bool {
	return op != ops.Shl && op != ops.Shr || args[1].within(interval{0, int64(k.Bits()) - 1})
}

// rangeOfConvert bounds what becomes of a value in iv.
func rangeOfConvert(e *kir.Convert, iv interval) interval {
	from, all := e.X.Type().Kind, kindInterval(e.T.Kind)
	switch {
	case from == types.Bool:
		return interval{0, 1}
	case !from.IsInt() || from == types.U64 || e.How == kir.Bitcast:
		return all
	case iv.within(all):
		return iv
	case e.How == kir.Saturate:
		return interval{min(max(iv.lo, all.lo), all.hi), max(min(iv.hi, all.hi), all.lo)}
	}
	return all
}

// rangesOf are the intervals of operands, where there is room.
func rangesOf(room []interval, args []kir.Expr, of func(kir.Expr) interval) []interval {
	for _, a := range args {
		room = append(room, of(a))
	}
	return room
}
