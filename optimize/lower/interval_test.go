package lower

import (
	"math/rand/v2"
	"testing"

	"imgc/ops"
	"imgc/types"
)

// TestIntervalsHoldEveryResult computes ops on all values of small intervals.
func TestIntervalsHoldEveryResult(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func() interval {
		lo := rng.Int64N(41) - 20
		return interval{lo, lo + rng.Int64N(12)}
	}
	for op := range intervalOps {
		if op == ops.Popcount || op == ops.Clz {
			continue // of the width of a kind
		}
		for range 300 {
			args := make([]interval, op.Info().Arity)
			for i := range args {
				args[i] = pick()
			}
			got, ok := opInterval(op, args)
			if !ok {
				continue
			}
			each(args, nil, func(v []types.Word) {
				if r := ops.Eval(op, types.I64, v...).Int(); r < got.lo || r > got.hi {
					t.Fatalf("%s%v = %d is outside of %v, from %v", op, v, r, got, args)
				}
			})
		}
	}
}

func each(args []interval, v []types.Word, f func([]types.Word)) {
	if len(args) == len(v) {
		f(v)
		return
	}
	for x := args[len(v)].lo; x <= args[len(v)].hi; x++ {
		each(args, append(v[:len(v):len(v)], types.Int(x)), f)
	}
}

// TestIntervalsNoticeOverflow keeps results that leave 64 bits from being called known.
func TestIntervalsNoticeOverflow(t *testing.T) {
	big := interval{1 << 62, 1<<62 + 5}
	for _, c := range []struct {
		op   ops.Op
		args []interval
	}{
		{ops.Add, []interval{big, big}}, {ops.Mul, []interval{big, point(2)}}, {ops.Sub, []interval{{-1 << 63, 0}, point(1)}},
		{ops.Neg, []interval{{-1 << 63, 0}}}, {ops.Shl, []interval{big, point(3)}}, {ops.Abs, []interval{{-1 << 63, 0}}},
		{ops.Div, []interval{big, {-1, 4}}}, {ops.Rem, []interval{big, {0, 4}}},
	} {
		if iv, ok := opInterval(c.op, c.args); ok {
			t.Errorf("%s of %v is said to be in %v", c.op, c.args, iv)
		}
	}
}
