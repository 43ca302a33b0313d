package interval

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"imgc/ops"
	"imgc/types"
)

// edges are values at which kinds of integers begin and end, and those around 0.
var edges = []int64{
	math.MinInt64, math.MinInt64 + 1, -1 << 62, -1<<32 - 1, -1 << 32, math.MinInt32 - 1, math.MinInt32, math.MinInt32 + 1, -65536, -129, -128, -7, -2, -1,
	0, 1, 2, 3, 31, 32, 63, 64, 127, 128, 255, 256, 65535, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, 1 << 32, 1 << 62, math.MaxInt64 - 1, math.MaxInt64,
}

// A chooser has intervals between edges, and edges in them.
type chooser struct{ *rand.Rand }

func (c chooser) within(all Interval) Interval {
	for {
		x, y := edges[c.IntN(len(edges))], edges[c.IntN(len(edges))]
		if iv := (Interval{min(x, y), max(x, y)}); iv.Within(all) {
			return iv
		}
	}
}

func (c chooser) of(iv Interval) int64 {
	for {
		switch v := edges[c.IntN(len(edges))]; {
		case c.IntN(4) == 0:
			return [2]int64{iv.Lo, iv.Hi}[c.IntN(2)]
		case iv.Holds(v):
			return v
		}
	}
}

// rounds is how often operands of an operator are chosen.
const rounds = 8000

// TestKindsAtTheirEdges computes on values of kinds at their limits: what the operator gives lies in the interval, and where nothing is said to be cut, it is
// what it is of numbers.
func TestKindsAtTheirEdges(t *testing.T) {
	for _, k := range []types.Kind{types.I8, types.U8, types.I32, types.U32, types.I64, types.U64} {
		for _, op := range ruled() {
			c := chooser{rand.New(rand.NewPCG(uint64(k), uint64(op)))}
			for range rounds / 4 {
				args, words, numbers := c.operands(op, k)
				iv, exact := InKind(op, k, args...)
				got := numberOf(ops.Eval(op, k, words...), resultOf(op, k))
				if !holds(iv, got) {
					t.Fatalf("%s of %s%v is %v, outside of %v, from %v", op, k, numbers, got, iv, args)
				}
				if want := evaluate(op, numbers, k); exact && want.Cmp(got) != 0 && countFits(op, k, args) {
					t.Fatalf("%s of %s%v is %v and not %v, which is said to fit, from %v", op, k, numbers, got, want, args)
				}
			}
		}
	}
}

// operands are intervals in a kind, and values in them.
func (c chooser) operands(op ops.Op, k types.Kind) (args []Interval, words []types.Word, numbers []*big.Int) {
	for range op.Info().Arity {
		iv := c.within(OfKind(k))
		w := types.Wrap(k, types.Int(c.of(iv)))
		if k == types.U64 && iv.Hi == greatest && c.IntN(2) == 0 {
			w = types.Uint(math.MaxUint64 - uint64(c.IntN(3)))
		}
		args, words, numbers = append(args, iv), append(words, w), append(numbers, numberOf(w, k))
	}
	return args, words, numbers
}

func numberOf(w types.Word, k types.Kind) *big.Int {
	if k.IsUnsigned() {
		return new(big.Int).SetUint64(w.Uint())
	}
	return big.NewInt(w.Int())
}

func wordOf(n *big.Int, k types.Kind) types.Word {
	if k.IsUnsigned() {
		return types.Uint(n.Uint64())
	}
	return types.Int(n.Int64())
}

// holds reports whether an interval has a number, of any size: ends of 64 bits are none.
func holds(iv Interval, n *big.Int) bool {
	return (iv.Lo == least || n.Cmp(big.NewInt(iv.Lo)) >= 0) && (iv.Hi == greatest || n.Cmp(big.NewInt(iv.Hi)) <= 0)
}

// TestNumbersOfAnySize takes values far beyond 64 bits where an interval has no bound.
func TestNumbersOfAnySize(t *testing.T) {
	for _, op := range ruled() {
		if op == ops.Popcount || op == ops.Clz {
			continue // of kinds
		}
		c := chooser{rand.New(rand.NewPCG(7, uint64(op)))}
		for range rounds {
			var args []Interval
			var numbers []*big.Int
			for i := range op.Info().Arity {
				all := All
				if i == 1 && (op == ops.Shl || op == ops.Shr) {
					all = Interval{0, 63}
				}
				iv := c.within(all)
				n := big.NewInt(c.of(iv))
				if far := new(big.Int).Lsh(big.NewInt(1), uint(64+c.IntN(9))); c.IntN(2) == 0 {
					switch far.Add(far, big.NewInt(int64(c.IntN(3)))); {
					case iv.Hi == greatest:
						n = far
					case iv.Lo == least:
						n = far.Neg(far)
					}
				}
				args, numbers = append(args, iv), append(numbers, n)
			}
			if iv, got := Unbounded(op, args...), evaluate(op, numbers, types.I64); !holds(iv, got) {
				t.Fatalf("%s%v is %v, outside of %v, from %v", op, numbers, got, iv, args)
			}
		}
	}
}

// TestOverflowIsNoticed has Of know whether results leave 64 bits.
func TestOverflowIsNoticed(t *testing.T) {
	for _, op := range ruled() {
		c := chooser{rand.New(rand.NewPCG(9, uint64(op)))}
		for range rounds {
			args, _, numbers := c.operands(op, types.I64)
			if (op == ops.Shl || op == ops.Shr) && !args[1].Within(Interval{0, 63}) {
				continue
			}
			iv, ok := Of(op, args...)
			if got := evaluate(op, numbers, types.I64); ok && (!got.IsInt64() || !iv.Holds(got.Int64())) || !holds(iv, got) {
				t.Fatalf("%s%v is %v, outside of %v %v, from %v", op, numbers, got, iv, ok, args)
			}
		}
	}
}

// truths are comparisons by what Cmp gives.
var truths = map[ops.Op]func(c int) bool{
	ops.Lt: func(c int) bool { return c < 0 }, ops.Le: func(c int) bool { return c <= 0 }, ops.Gt: func(c int) bool { return c > 0 },
	ops.Ge: func(c int) bool { return c >= 0 }, ops.Eq: func(c int) bool { return c == 0 }, ops.Ne: func(c int) bool { return c != 0 },
}

// evaluate is an operator on numbers of any size; of counts of bits, in a kind.
func evaluate(op ops.Op, x []*big.Int, k types.Kind) *big.Int {
	out := new(big.Int)
	switch op {
	case ops.Neg:
		return out.Neg(x[0])
	case ops.BitNot:
		return out.Not(x[0])
	case ops.Add:
		return out.Add(x[0], x[1])
	case ops.Sub:
		return out.Sub(x[0], x[1])
	case ops.Mul:
		return out.Mul(x[0], x[1])
	case ops.Div, ops.Rem, ops.FloorDiv, ops.Mod:
		return divide(op, x[0], x[1])
	case ops.Min:
		return smaller(x[0], x[1])
	case ops.Max:
		return larger(x[0], x[1])
	case ops.Clamp:
		return smaller(larger(x[0], x[1]), x[2])
	case ops.Abs:
		return out.Abs(x[0])
	case ops.Sign:
		return big.NewInt(int64(x[0].Sign()))
	case ops.And:
		return out.And(x[0], x[1])
	case ops.Or:
		return out.Or(x[0], x[1])
	case ops.Xor:
		return out.Xor(x[0], x[1])
	case ops.Shl:
		return out.Lsh(x[0], uint(x[1].Uint64()&63))
	case ops.Shr:
		return out.Rsh(x[0], uint(x[1].Uint64()&63))
	case ops.Popcount, ops.Clz:
		return numberOf(ops.Eval(op, k, wordOf(x[0], k)), types.I32)
	}
	if truths[op](x[0].Cmp(x[1])) {
		return out.SetInt64(1)
	}
	return out
}

// divide is by any divisor, as the language has it.
func divide(op ops.Op, n, d *big.Int) *big.Int {
	q, r := new(big.Int), new(big.Int)
	if d.Sign() == 0 {
		return q
	}
	q.QuoRem(n, d, r)
	floors := op == ops.FloorDiv || op == ops.Mod
	if floors && r.Sign()*d.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
		r.Add(r, d)
	}
	if op == ops.Div || op == ops.FloorDiv {
		return q
	}
	return r
}

func smaller(x, y *big.Int) *big.Int {
	if x.Cmp(y) <= 0 {
		return x
	}
	return y
}

func larger(x, y *big.Int) *big.Int {
	if x.Cmp(y) >= 0 {
		return x
	}
	return y
}

// TestPlain lists what has no other form than a processor's.
func TestPlain(t *testing.T) {
	full := OfKind(types.I32)
	for _, c := range []struct {
		op   ops.Op
		k    types.Kind
		args []Interval
		want bool
	}{
		{ops.Add, types.I32, []Interval{full, Point(0)}, true}, {ops.Add, types.I32, []Interval{full, Point(1)}, false},
		{ops.Add, types.U32, []Interval{OfKind(types.U32), Point(1)}, true}, {ops.Sub, types.U64, []Interval{AtLeast(0), Point(1)}, true},
		{ops.Mul, types.I64, []Interval{AtLeast(0), Point(1)}, true}, {ops.Mul, types.I64, []Interval{AtLeast(0), Point(2)}, false},
		{ops.Sub, types.I64, []Interval{AtLeast(0), Point(1)}, true}, {ops.Neg, types.I32, []Interval{full}, false},
		{ops.Neg, types.I32, []Interval{Between(-math.MaxInt32, 5)}, true},
		{ops.Div, types.I32, []Interval{full, Between(1, 9)}, true}, {ops.Div, types.I32, []Interval{full, Between(0, 9)}, false},
		{ops.Mod, types.I32, []Interval{full, Between(-9, -1)}, false}, {ops.Rem, types.U32, []Interval{OfKind(types.U32), OfKind(types.U32)}, false},
		{ops.Shl, types.U32, []Interval{OfKind(types.U32), Between(0, 31)}, true}, {ops.Shl, types.U32, []Interval{OfKind(types.U32), Between(0, 32)}, false},
		{ops.Shr, types.I32, []Interval{full, Between(0, 31)}, true}, {ops.Shr, types.I32, []Interval{full, Between(-1, 31)}, false},
		{ops.Shl, types.I32, []Interval{Between(-1, 1), Between(0, 30)}, false}, {ops.Shl, types.I32, []Interval{Between(0, 1), Between(0, 30)}, true}, {ops.Shl, types.I32, []Interval{Between(0, 2), Between(0, 30)}, false},
		{ops.Abs, types.I32, []Interval{full}, false}, {ops.Xor, types.I32, []Interval{full, full}, true}, {ops.BitNot, types.I32, []Interval{full}, true},
		{ops.Lt, types.I32, []Interval{full, full}, true}, {ops.Popcount, types.I32, []Interval{full}, true},
	} {
		if got := Plain(c.op, c.k, c.args...); got != c.want {
			t.Errorf("%s of %s in %v is plain: %v", c.op, c.k, c.args, got)
		}
	}
}
