package interval

import (
	"fmt"
	"math"
	"testing"

	"imgc/ops"
	"imgc/types"
)

// narrow are all intervals between -5 and 5, and some at the ends of kinds.
func narrow(k types.Kind, op ops.Op, operand int) (all []Interval) {
	from, to := int64(-5), int64(5)
	if k.IsUnsigned() {
		from, to = 0, 9
	}
	for lo := from; lo <= to; lo++ {
		for hi := lo; hi <= to; hi++ {
			all = append(all, Interval{lo, hi})
		}
	}
	if full := OfKind(k); k.Bits() < 64 {
		all = append(all, Interval{full.Lo, full.Lo + 2}, Interval{full.Hi - 2, full.Hi})
	}
	return all
}

// refuted is an example of values in intervals for which a rule does not hold; "" where all values of all narrow intervals were tried.
func refuted(op ops.Op, k types.Kind) string {
	arity := op.Info().Arity
	lists := make([][]Interval, arity)
	for i := range lists {
		lists[i] = narrow(k, op, i)
		if arity == 3 {
			lists[i] = everyNth(lists[i], 9)
		}
	}
	args, words := make([]Interval, arity), make([]types.Word, arity)
	var in func(i int) string
	in = func(i int) string {
		if i < arity {
			for _, iv := range lists[i] {
				args[i] = iv
				if bad := in(i + 1); bad != "" {
					return bad
				}
			}
			return ""
		}
		claimed, _ := InKind(op, k, args...)
		var at func(i int) string
		at = func(i int) string {
			if i < arity {
				for v := args[i].Lo; v <= args[i].Hi; v++ {
					words[i] = types.Wrap(k, types.Int(v))
					if bad := at(i + 1); bad != "" {
						return bad
					}
				}
				return ""
			}
			if got := numberOf(ops.Eval(op, k, words...), resultOf(op, k)); !holds(claimed, got) {
				return fmt.Sprintf("%s of %s %v is %v, outside of %v, from %v", op, k, words, got, claimed, args)
			}
			return ""
		}
		return at(0)
	}
	return in(0)
}

func everyNth(all []Interval, n int) (some []Interval) {
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// TestAllValuesOfNarrowIntervals tries every value of every narrow interval, under every operator that has a rule. Then each rule is
// made wrong by one in turn, which has to be noticed.
func TestAllValuesOfNarrowIntervals(t *testing.T) {
	for _, op := range ruled() {
		for _, k := range []types.Kind{types.I32, types.U32, types.I64} {
			if bad := refuted(op, k); bad != "" {
				t.Error(bad)
			}
		}
		right := rules[op]
		for _, wrong := range []struct {
			end  string
			made func(Interval) Interval
		}{
			{"greatest", func(iv Interval) Interval { return Interval{iv.Lo, max(iv.Lo, iv.Hi-1)} }},
			{"least", func(iv Interval) Interval { return Interval{min(iv.Hi, iv.Lo+1), iv.Hi} }},
		} {
			rules[op].bound = func(in operands) (Interval, bool) {
				iv, ok := right.bound(in)
				if iv.Lo == math.MinInt64 || iv.Hi == math.MaxInt64 {
					return iv, ok
				}
				return wrong.made(iv), ok
			}
			found := refuted(op, types.I32) != ""
			rules[op] = right
			if !found && op != ops.Clz { // whose ends InKind finds by itself
				t.Errorf("%s: nothing is noticed where the %s value is one nearer than it is", op, wrong.end)
			}
		}
	}
}
