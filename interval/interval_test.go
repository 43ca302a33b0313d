package interval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"imgc/ops"
	"imgc/types"
)

// ruled are the operators of integers that have rules.
func ruled() (list []ops.Op) {
	for op, r := range rules {
		if r.bound != nil && ops.Defined(ops.Op(op), types.I64) {
			list = append(list, ops.Op(op))
		}
	}
	return list
}

func TestEveryOperatorOfIntegersHasARule(t *testing.T) {
	for _, op := range ops.AllOps() {
		if !ops.Defined(op, types.I64) && op != ops.Not && op != ops.LAnd && op != ops.LOr {
			continue
		}
		if int(op) >= len(rules) || rules[op].bound == nil {
			t.Errorf("%s has no rule", op)
		}
	}
}

// each calls f with all choices of values of intervals.
func each(args []Interval, v []types.Word, f func([]types.Word)) {
	if len(args) == len(v) {
		f(v)
		return
	}
	for x := args[len(v)].Lo; x <= args[len(v)].Hi; x++ {
		each(args, append(v[:len(v):len(v)], types.Int(x)), f)
	}
}

// smallIntervals are all of those from -n to n.
func smallIntervals(n int64) (all []Interval) {
	for lo := -n; lo <= n; lo++ {
		for hi := lo; hi <= n; hi++ {
			all = append(all, Interval{lo, hi})
		}
	}
	return all
}

// eachOperands calls f with operands of an operator: all pairs of small intervals, and some of three.
func eachOperands(op ops.Op, f func(args []Interval)) {
	small := smallIntervals(5)
	rng := rand.New(rand.NewPCG(3, uint64(op)))
	pick := func() Interval { return small[rng.IntN(len(small))] }
	switch op.Info().Arity {
	case 1:
		for _, a := range small {
			f([]Interval{a})
		}
	case 2:
		for _, a := range small {
			for _, b := range small {
				f([]Interval{a, b})
			}
		}
	default:
		for range 1000 {
			f([]Interval{pick(), pick(), pick()})
		}
	}
}

// loose are the operators whose rules do not give the least interval that there is: those of bits, whose ends are powers of two, and divisions.
var loose = map[ops.Op]bool{
	ops.And: true, ops.Or: true, ops.Xor: true, ops.Rem: true, ops.Mod: true, ops.Popcount: true, ops.Clz: true,
}

// refuted says for which operands the rule of an operator does not hold, of numbers of 64 bits and of i32 and u32; "" where it holds for all values of small
// intervals. Most rules leave nothing out, and have nothing beside.
func refuted(op ops.Op) (why string) {
	fail := func(format string, args ...any) {
		if why == "" {
			why = fmt.Sprintf(format, args...)
		}
	}
	eachOperands(op, func(args []Interval) {
		if why != "" || (op == ops.Shl || op == ops.Shr) && args[1].Lo < 0 {
			return
		}
		got, ok := Of(op, args...)
		if !ok {
			fail("%s of %v is not known", op, args)
		}
		hull := Interval{greatest, least}
		each(args, nil, func(v []types.Word) {
			r := ops.Eval(op, types.I64, v...).Int()
			if hull = hull.Join(Point(r)); !got.Holds(r) {
				fail("%s%v = %d is outside of %v, from %v", op, v, r, got, args)
			}
		})
		if got != hull && !loose[op] {
			fail("%s of %v lies in %v, and is said to lie in %v", op, args, hull, got)
		}
		for _, k := range []types.Kind{types.I32, types.U32} {
			if k.IsUnsigned() && slices.ContainsFunc(args, func(a Interval) bool { return a.Lo < 0 }) {
				continue
			}
			of, _ := InKind(op, k, args...)
			each(args, nil, func(v []types.Word) {
				if r := numberOf(ops.Eval(op, k, v...), resultOf(op, k)); !holds(of, r) {
					fail("%s of %s%v is %v, outside of %v, from %v", op, k, v, r, of, args)
				}
			})
		}
	})
	return why
}

func TestRulesHoldEveryResult(t *testing.T) {
	for _, op := range ruled() {
		if why := refuted(op); why != "" {
			t.Error(why)
		}
	}
}

// TestWrongRulesAreNoticed makes each rule wrong by one, at either end.
func TestWrongRulesAreNoticed(t *testing.T) {
	for _, op := range ruled() {
		right := rules[op]
		for end, made := range map[string]func(Interval) Interval{
			"greatest": func(iv Interval) Interval { return Interval{iv.Lo, max(iv.Lo, iv.Hi-1)} },
			"least":    func(iv Interval) Interval { return Interval{min(iv.Hi, iv.Lo+1), iv.Hi} },
		} {
			rules[op].bound = func(in operands) (Interval, bool) {
				iv, ok := right.bound(in)
				return made(iv), ok
			}
			why := refuted(op)
			rules[op] = right
			if why == "" {
				t.Errorf("%s: nothing is noticed where the %s value is one nearer than it is", op, end)
			}
		}
	}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		op   ops.Op
		a, b Interval
		want Interval
	}{
		{ops.LAnd, Point(0), Bool, Point(0)}, {ops.LAnd, Point(1), Bool, Bool}, {ops.LOr, Point(1), Bool, Point(1)}, {ops.LOr, Point(0), Bool, Bool},
		{ops.Lt, Between(0, 3), Between(4, 9), Point(1)}, {ops.Lt, Between(0, 4), Between(4, 9), Bool}, {ops.Lt, Between(4, 5), Between(0, 4), Point(0)},
		{ops.Ge, AtLeast(7), Point(7), Point(1)}, {ops.Le, AtLeast(7), Point(7), Bool}, {ops.Eq, Point(greatest), Point(greatest), Bool},
	} {
		if got := Unbounded(c.op, c.a, c.b); got != c.want {
			t.Errorf("%v %s %v is %v, not %v", c.a, c.op, c.b, got, c.want)
		}
	}
	if got := Unbounded(ops.Not, Point(1)); got != Point(0) {
		t.Errorf("!1 is %v", got)
	}
}

// What is known of a few forms that programs are full of.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		op   ops.Op
		args []Interval
		want Interval
	}{
		{ops.And, []Interval{All, Between(0, 255)}, Between(0, 255)},
		{ops.And, []Interval{Between(-9, -5), Between(-20, -7)}, Between(-32, -7)},
		{ops.Or, []Interval{Between(5, 9), Between(2, 16)}, Between(5, 31)},
		{ops.Or, []Interval{Between(-9, -5), Between(0, 16)}, Between(-9, -1)},
		{ops.Xor, []Interval{Between(0, 200), Between(0, 3)}, Between(0, 255)},
		{ops.Xor, []Interval{Between(-8, -1), Between(0, 3)}, Between(-8, -1)},
		{ops.Rem, []Interval{Between(-3, 100), Point(8)}, Between(-3, 7)},
		{ops.Rem, []Interval{Between(2, 5), Between(6, 9)}, Between(2, 5)},
		{ops.Rem, []Interval{Between(-100, 100), Between(-4, 4)}, Between(-3, 3)},
		{ops.Mod, []Interval{Between(-3, 100), Between(1, 8)}, Between(0, 7)},
		{ops.Mod, []Interval{Between(0, 5), Between(-8, 8)}, Between(-7, 5)},
		{ops.Mod, []Interval{Between(0, 5), Point(0)}, Point(0)},
		{ops.Div, []Interval{Between(-100, 50), Between(0, 7)}, Between(-100, 50)},
		{ops.Div, []Interval{Between(-100, 50), Between(-2, 4)}, Between(-100, 100)},
		{ops.Div, []Interval{Between(7, 9), Point(0)}, Point(0)},
		{ops.FloorDiv, []Interval{Between(-7, 7), Point(2)}, Between(-4, 3)},
	} {
		if got, ok := Of(c.op, c.args...); !ok || got != c.want {
			t.Errorf("%s of %v is %v %v, not %v", c.op, c.args, got, ok, c.want)
		}
	}
}

func TestCounting(t *testing.T) {
	for _, c := range []struct {
		lo, hi, want Interval
		step         int64
		runs         bool
	}{
		{Between(0, 2), Between(5, 9), Between(0, 8), 1, true}, {Point(7), Between(-3, 0), Between(-2, 7), -2, true},
		{Point(3), Between(1, 3), Between(3, 2), 1, false}, {Point(3), All, AtLeast(3), 4, true}, {Point(3), Between(least, 2), Between(least, 3), -1, true},
	} {
		if got, runs := Counting(c.lo, c.hi, c.step); got != c.want || runs != c.runs {
			t.Errorf("from %v to %v by %d: %v %v, not %v %v", c.lo, c.hi, c.step, got, runs, c.want, c.runs)
		}
	}
}

func TestLimitsAndCuts(t *testing.T) {
	for _, c := range []struct{ got, want Interval }{
		{Between(-5, 300).Limit(OfKind(types.U8)), Between(0, 255)},
		{Between(-9, -5).Limit(OfKind(types.U8)), Point(0)},
		{Between(300, 400).Limit(OfKind(types.U8)), Point(255)},
		{Between(3, 5).Meet(Between(7, 9)), Between(3, 5)},
		{Between(256, 260).Wrap(types.U8), Between(0, 4)},
		{Between(255, 256).Wrap(types.U8), Between(0, 255)},
		{Between(-3, -1).Wrap(types.U32), Between(1<<32-3, 1<<32-1)},
		{Between(1<<31, 1<<31+7).Wrap(types.I32), Between(-1<<31, -1<<31+7)},
		{Between(-1<<31-7, -1<<31-1).Wrap(types.I32), Between(1<<31-7, 1<<31-1)},
		{Between(0, 1<<32).Wrap(types.U32), OfKind(types.U32)},
		{All.Wrap(types.I32), OfKind(types.I32)},
		{Between(-5, 3).Wrap(types.U64), AtLeast(0)},
		{Between(-5, 3).Wrap(types.I64), Between(-5, 3)},
	} {
		if c.got != c.want {
			t.Errorf("%v, not %v", c.got, c.want)
		}
	}
}
