package ops

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"imgc/types"
)

func bigInt(k types.Kind, w types.Word) *big.Int {
	if k.IsSigned() {
		return big.NewInt(w.Int())
	}
	return new(big.Int).SetUint64(w.Uint())
}

// wrapBig reduces v modulo the width of k into its range.
func wrapBig(k types.Kind, v *big.Int) types.Word {
	low := bigInt(k, types.Lowest(k))
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(k.Bits()))
	r := new(big.Int).Sub(v, low)
	r.Mod(r, modulus).Add(r, low)
	if k.IsSigned() {
		return types.Int(r.Int64())
	}
	return types.Uint(r.Uint64())
}

func flag(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// unlessZero is f, and 0 where the divisor is.
func unlessZero(f func(a, b *big.Int) *big.Int) func(k types.Kind, a, b *big.Int) *big.Int {
	return func(_ types.Kind, a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return new(big.Int)
		}
		return f(a, b)
	}
}

// floorBig is the floored quotient and remainder.
func floorBig(a, b *big.Int) (*big.Int, *big.Int) {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	return q, r
}

// The language's integer operators on unbounded integers; the result is wrapped afterwards.
var exactInts = map[Op]func(k types.Kind, a, b *big.Int) *big.Int{
	Neg:      func(_ types.Kind, a, _ *big.Int) *big.Int { return new(big.Int).Neg(a) },
	BitNot:   func(_ types.Kind, a, _ *big.Int) *big.Int { return new(big.Int).Not(a) },
	Abs:      func(_ types.Kind, a, _ *big.Int) *big.Int { return new(big.Int).Abs(a) },
	Sign:     func(_ types.Kind, a, _ *big.Int) *big.Int { return big.NewInt(int64(a.Sign())) },
	Add:      func(_ types.Kind, a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) },
	Sub:      func(_ types.Kind, a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) },
	Mul:      func(_ types.Kind, a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) },
	Div:      unlessZero(func(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) }),
	Rem:      unlessZero(func(a, b *big.Int) *big.Int { return new(big.Int).Rem(a, b) }),
	FloorDiv: unlessZero(func(a, b *big.Int) *big.Int { q, _ := floorBig(a, b); return q }),
	Mod:      unlessZero(func(a, b *big.Int) *big.Int { _, r := floorBig(a, b); return r }),
	And:      func(_ types.Kind, a, b *big.Int) *big.Int { return new(big.Int).And(a, b) },
	Or:       func(_ types.Kind, a, b *big.Int) *big.Int { return new(big.Int).Or(a, b) },
	Xor:      func(_ types.Kind, a, b *big.Int) *big.Int { return new(big.Int).Xor(a, b) },
	Shl:      func(k types.Kind, a, b *big.Int) *big.Int { return new(big.Int).Lsh(a, countBig(k, b)) },
	Shr:      func(k types.Kind, a, b *big.Int) *big.Int { return new(big.Int).Rsh(a, countBig(k, b)) },
	Eq:       func(_ types.Kind, a, b *big.Int) *big.Int { return flag(a.Cmp(b) == 0) },
	Ne:       func(_ types.Kind, a, b *big.Int) *big.Int { return flag(a.Cmp(b) != 0) },
	Lt:       func(_ types.Kind, a, b *big.Int) *big.Int { return flag(a.Cmp(b) < 0) },
	Le:       func(_ types.Kind, a, b *big.Int) *big.Int { return flag(a.Cmp(b) <= 0) },
	Gt:       func(_ types.Kind, a, b *big.Int) *big.Int { return flag(a.Cmp(b) > 0) },
	Ge:       func(_ types.Kind, a, b *big.Int) *big.Int { return flag(a.Cmp(b) >= 0) },
	Min: func(_ types.Kind, a, b *big.Int) *big.Int {
		if a.Cmp(b) < 0 {
			return a
		}
		return b
	},
	Max: func(_ types.Kind, a, b *big.Int) *big.Int {
		if a.Cmp(b) > 0 {
			return a
		}
		return b
	},
	Popcount: func(k types.Kind, a, _ *big.Int) *big.Int {
		ones := int64(0)
		for i := range k.Bits() {
			ones += int64(a.Bit(i)) // of a negative number big.Int gives the bits of two's complement
		}
		return big.NewInt(ones)
	},
	Clz: func(k types.Kind, a, _ *big.Int) *big.Int {
		zeros := int64(0)
		for i := k.Bits() - 1; i >= 0 && a.Bit(i) == 0; i-- {
			zeros++
		}
		return big.NewInt(zeros)
	},
}

func countBig(k types.Kind, n *big.Int) uint {
	return uint(new(big.Int).Mod(n, big.NewInt(int64(k.Bits()))).Uint64())
}

func checkInt(t *testing.T, op Op, k types.Kind, a, b types.Word) {
	want := wrapBig(resultKind(op, types.I64), exactInts[op](k, bigInt(k, a), bigInt(k, b)))
	if op.Info().Result == Same {
		want = wrapBig(k, exactInts[op](k, bigInt(k, a), bigInt(k, b)))
	}
	if got := Eval(op, k, []types.Word{a, b}[:op.Info().Arity]...); got != want {
		t.Fatalf("%s of %s on %v and %v = %#x, want %#x", op, k, bigInt(k, a), bigInt(k, b), got, want)
	}
}

func TestEveryIntegerOpHasAnExactReference(t *testing.T) {
	for _, op := range AllOps() {
		if _, ok := exactInts[op]; ok != (Defined(op, types.I32) && op != Clamp) {
			t.Errorf("%s: has a reference: %v", op, ok)
		}
	}
}

func TestIntegerOpsOnEveryPairOfBytes(t *testing.T) {
	for op := range exactInts {
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			for _, k := range []types.Kind{types.I8, types.U8} {
				for a := range types.Word(256) {
					for b := range types.Word(256) {
						checkInt(t, op, k, types.Wrap(k, a), types.Wrap(k, b))
						if op.Info().Arity == 1 {
							break
						}
					}
				}
			}
		})
	}
}

func TestIntegerOpsAtTheEndsAndAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 7))
	for op := range exactInts {
		for _, k := range intKinds {
			values := []types.Word{0, 1, 2, 3, 7, 31, 32, 33, 63, 64, types.Int(-1), types.Int(-2), types.Int(-7)}
			values = append(values, types.Lowest(k), types.Lowest(k)+1, types.Highest(k), types.Highest(k)-1, types.Highest(k)>>1)
			for range 15 {
				values = append(values, types.Word(random.Uint64()>>random.IntN(64)))
			}
			for _, a := range values {
				for _, b := range values {
					checkInt(t, op, k, types.Wrap(k, a), types.Wrap(k, b))
				}
			}
		}
	}
}

func TestIntegerOpsByHand(t *testing.T) {
	const min32, max32 = math.MinInt32, math.MaxInt32
	for _, c := range []struct {
		op   Op
		k    types.Kind
		args []int64
		want int64
	}{
		{Add, types.I32, []int64{max32, 1}, min32},
		{Sub, types.U32, []int64{0, 1}, math.MaxUint32},
		{Mul, types.I32, []int64{65536, 65536}, 0},
		{Div, types.I32, []int64{-7, 2}, -3},
		{Div, types.I32, []int64{min32, -1}, min32},
		{Div, types.I64, []int64{math.MinInt64, -1}, math.MinInt64},
		{Div, types.U8, []int64{7, 0}, 0},
		{Rem, types.I32, []int64{-7, 2}, -1},
		{Rem, types.I32, []int64{min32, -1}, 0},
		{Rem, types.I32, []int64{7, 0}, 0},
		{FloorDiv, types.I32, []int64{-7, 2}, -4},
		{FloorDiv, types.I32, []int64{7, -2}, -4},
		{FloorDiv, types.I8, []int64{-128, -1}, -128},
		{FloorDiv, types.I32, []int64{7, 0}, 0},
		{Mod, types.I32, []int64{-7, 2}, 1},
		{Mod, types.I32, []int64{7, -2}, -1},
		{Mod, types.I32, []int64{-7, 0}, 0},
		{Shl, types.I32, []int64{1, 33}, 2},
		{Shl, types.I32, []int64{1, -1}, min32},
		{Shr, types.I32, []int64{-8, 1}, -4},
		{Shr, types.U32, []int64{8, 65}, 4},
		{Shl, types.I64, []int64{1, 33}, 1 << 33},
		{Abs, types.I32, []int64{min32}, min32},
		{Clamp, types.I32, []int64{5, 0, 3}, 3},
		{Clamp, types.I32, []int64{-5, 0, 3}, 0},
		{Clamp, types.I32, []int64{2, 0, 3}, 2},
		{Clamp, types.I32, []int64{2, 3, 0}, 0},
		{Clamp, types.U32, []int64{math.MaxUint32, 1, 9}, 9},
		{Popcount, types.I32, []int64{-1}, 32},
		{Popcount, types.U8, []int64{0xf1}, 5},
		{Clz, types.I32, []int64{0}, 32},
		{Clz, types.U64, []int64{1}, 63},
		{Clz, types.I8, []int64{-1}, 0},
	} {
		args := make([]types.Word, len(c.args))
		for i, a := range c.args {
			args[i] = types.Int(a)
		}
		if got := Eval(c.op, c.k, args...).Int(); got != c.want {
			t.Errorf("%s of %s on %v = %d, want %d", c.op, c.k, c.args, got, c.want)
		}
	}
}

// The count may have another kind than the left operand; its word need not be one of that kind.
func TestShiftCountsOfOtherKinds(t *testing.T) {
	for _, c := range []struct{ count, want types.Word }{
		{1, 2}, {types.Int(-31), 2}, {types.Uint(1<<63 + 1), 2}, {255, types.Int(math.MinInt32)},
	} {
		if got := Eval(Shl, types.I32, 1, c.count); got != c.want {
			t.Errorf("1 << %#x = %#x, want %#x", c.count, got, c.want)
		}
	}
}

func TestBoolOps(t *testing.T) {
	for _, c := range []struct {
		op   Op
		want [4]types.Word // of (0, 0), (0, 1), (1, 0), (1, 1)
	}{
		{LAnd, [4]types.Word{0, 0, 0, 1}}, {LOr, [4]types.Word{0, 1, 1, 1}},
		{Eq, [4]types.Word{1, 0, 0, 1}}, {Ne, [4]types.Word{0, 1, 1, 0}},
	} {
		for i, want := range c.want {
			if got := Eval(c.op, types.Bool, types.Word(i>>1), types.Word(i&1)); got != want {
				t.Errorf("%d %s %d = %d, want %d", i>>1, c.op, i&1, got, want)
			}
		}
	}
	if Eval(Not, types.Bool, 0) != 1 || Eval(Not, types.Bool, 1) != 0 {
		t.Error("! is not negation")
	}
}
