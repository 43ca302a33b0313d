package ops

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"imgc/types"
)

// formats has the smallest and the largest exponent of the float kinds' normal values.
var formats = map[types.Kind]struct{ low, high int }{
	types.F16: {-14, 15}, types.BF16: {-126, 127}, types.F32: {-126, 127}, types.F64: {-1022, 1023},
}

// nearest rounds the exact x to the float kind k by the definition: to a multiple of the last place of x, halves to even.
func nearest(k types.Kind, x *big.Rat) float64 {
	if x.Sign() == 0 {
		return 0
	}
	a := new(big.Rat).Abs(x)
	exponent := a.Num().BitLen() - a.Denom().BitLen()
	if a.Cmp(power(exponent)) < 0 {
		exponent--
	}
	place := max(exponent, formats[k].low) - k.Precision() + 1
	a.Quo(a, power(place))
	n, rest := new(big.Int).QuoRem(a.Num(), a.Denom(), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(a.Denom()) {
	case 1:
		n.Add(n, big.NewInt(1))
	case 0:
		n.Add(n, new(big.Int).And(n, big.NewInt(1)))
	}
	v := math.Ldexp(float64(n.Int64()), place)
	if v >= math.Ldexp(1, formats[k].high)*2 {
		v = math.Inf(1)
	}
	return math.Copysign(v, float64(x.Sign()))
}

// power is 2^n.
func power(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n))))
	if n < 0 {
		p.Inv(p)
	}
	return p
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// A source draws finite components of kind k with exponents from the whole range, or close to one another so that sums
// cancel and halves occur.
type source struct {
	*rand.Rand
	k types.Kind
}

func (s source) float() float64 {
	low, high := formats[s.k].low, formats[s.k].high
	exponent := low - s.k.Precision() + s.IntN(high-low+s.k.Precision())
	if s.IntN(2) == 0 {
		exponent = s.IntN(2*s.k.Precision()) - s.k.Precision()
	}
	bits := s.IntN(s.k.Precision()) + 1 // short significands make halves likely
	v := math.Ldexp(float64(1<<(bits-1)+s.Int64N(1<<(bits-1))), exponent-bits+1)
	if s.IntN(2) == 0 {
		v = -v
	}
	if v = types.Round(s.k, v); v == 0 {
		return s.float()
	}
	return v
}

var exactFloats = map[Op]func(a, b, c *big.Rat) *big.Rat{
	Add: func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) },
	Sub: func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) },
	Mul: func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) },
	Div: func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) },
	Fma: func(a, b, c *big.Rat) *big.Rat { p := new(big.Rat).Mul(a, b); return p.Add(p, c) },
	Sqrt: func(a, _, _ *big.Rat) *big.Rat {
		// 200 bits decide the rounding: a root of 53 bits is no half, and no nearer to one than about 2^-107 of it.
		root, _ := new(big.Float).SetPrec(200).Sqrt(new(big.Float).SetPrec(200).SetRat(a)).Rat(nil)
		return root
	},
	Fract: func(a, _, _ *big.Rat) *big.Rat {
		floor, _ := floorBig(a.Num(), a.Denom())
		return new(big.Rat).Sub(a, new(big.Rat).SetInt(floor))
	},
}

func TestBasicFloatOpsAreRoundedOnce(t *testing.T) {
	for op, exact := range exactFloats {
		for _, k := range floatKinds {
			random := source{rand.New(rand.NewPCG(8, uint64(k)<<8|uint64(op))), k}
			for range 5000 {
				a, b, c := random.float(), random.float(), random.float()
				if op == Sqrt {
					a = math.Abs(a)
				}
				want := nearest(k, exact(rat(a), rat(b), rat(c)))
				args := []types.Word{types.Float(a), types.Float(b), types.Float(c)}[:op.Info().Arity]
				if got := Eval(op, k, args...).Float(); got != want {
					t.Fatalf("%s of %s on %b, %b, %b = %b, want %b", op, k, a, b, c, got, want)
				}
			}
		}
	}
}

func TestFmaNextToTheMiddleBetweenTwoValues(t *testing.T) {
	for _, k := range floatKinds {
		last := math.Ldexp(1, 1-k.Precision())
		half, tiny, normal := last/2, math.Ldexp(1, formats[k].low/2), math.Ldexp(1, formats[k].low)
		for _, c := range []struct{ a, b, c float64 }{
			{1 + last, 1 + last, -1},          // cancels down to the low half of the product
			{tiny, tiny, 1}, {-tiny, tiny, 1}, // just above a value, just below
			{half, 1 + last, 1}, {half, 1 - half, 1}, // just above the middle over 1, just below
			{half, 1, 1}, {half, 1, 1 + last}, // the middle: down to an even value, up to one
			{last + last*last, 0.5, 1 + last},         // above the middle over an odd value
			{tiny, -tiny, normal}, {tiny, tiny, last}, // among the smallest values
		} {
			want := nearest(k, exactFloats[Fma](rat(c.a), rat(c.b), rat(c.c)))
			got := Eval(Fma, k, types.Float(c.a), types.Float(c.b), types.Float(c.c)).Float()
			if got != want {
				t.Errorf("fma of %s on %b, %b, %b = %b, want %b", k, c.a, c.b, c.c, got, want)
			}
		}
	}
}

// The product is the middle between two values, and c is too small for float64 to keep it beside the product: rounded there
// first, each of these sums would go to the even value.
func TestFmaDoesNotRoundTwice(t *testing.T) {
	for _, c := range []struct {
		k          types.Kind
		a, b, c    float64
		want, even float64
	}{
		{types.F32, 1 + 0x1p-12, 1 + 0x1p-12, 0x1p-80, 1 + 0x1p-11 + 0x1p-23, 1 + 0x1p-11},
		{types.F32, -1 - 0x1p-12, 1 + 0x1p-12, -0x1p-80, -1 - 0x1p-11 - 0x1p-23, -1 - 0x1p-11},
		{types.BF16, 1 + 0x1p-4, 1 + 0x1p-4, 0x1p-80, 1 + 0x1p-3 + 0x1p-7, 1 + 0x1p-3},
		{types.BF16, -1 - 0x1p-4, 1 + 0x1p-4, -0x1p-80, -1 - 0x1p-3 - 0x1p-7, -1 - 0x1p-3},
		{types.BF16, -1 - 0x1p-4, 1 + 0x1p-4, 0x1p-80, -1 - 0x1p-3, -1 - 0x1p-3},
	} {
		if got := Eval(Fma, c.k, types.Float(c.a), types.Float(c.b), types.Float(c.c)).Float(); got != c.want {
			t.Errorf("fma of %s on %b, %b, %b = %b, want %b", c.k, c.a, c.b, c.c, got, c.want)
		}
		if twice := types.Round(c.k, float64(c.a*c.b)+c.c); twice != c.even {
			t.Errorf("rounded twice, fma of %s on %b, %b, %b = %b, not %b", c.k, c.a, c.b, c.c, twice, c.even)
		}
	}
}

func TestFloatOpsByHand(t *testing.T) {
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		op   Op
		args []float64
		want float64
	}{
		{Neg, []float64{0}, negZero}, {Neg, []float64{inf}, -inf}, {Abs, []float64{negZero}, 0}, {Abs, []float64{-2.5}, 2.5},
		{Sign, []float64{nan}, 0}, {Sign, []float64{negZero}, negZero}, {Sign, []float64{-inf}, -1}, {Sign, []float64{0.25}, 1},
		{Min, []float64{nan, 1}, 1}, {Min, []float64{1, nan}, 1}, {Max, []float64{nan, nan}, nan}, {Max, []float64{nan, -inf}, -inf},
		{Min, []float64{0, negZero}, negZero}, {Max, []float64{negZero, 0}, 0}, {Min, []float64{-1, -2}, -2},
		{Clamp, []float64{nan, 1, 2}, 1}, {Clamp, []float64{5, 1, 2}, 2}, {Clamp, []float64{-5, 1, 2}, 1}, {Clamp, []float64{1.5, 1, 2}, 1.5},
		{Div, []float64{1, 0}, inf}, {Div, []float64{0, 0}, nan}, {Add, []float64{inf, -inf}, nan}, {Sub, []float64{1, 1}, 0},
		{Rem, []float64{-7, 2}, -1}, {Rem, []float64{7, -2}, 1}, {Rem, []float64{5.5, 2}, 1.5}, {Rem, []float64{1, 0}, nan},
		{Mod, []float64{-7, 2}, 1}, {Mod, []float64{7, -2}, -1}, {Mod, []float64{5.5, 2}, 1.5}, {Mod, []float64{1, 0}, nan},
		{Mod, []float64{-4, 2}, 0}, {Mod, []float64{4, -2}, negZero}, {Mod, []float64{-1, inf}, inf}, {Mod, []float64{inf, 2}, nan},
		{Floor, []float64{-1.5}, -2}, {Ceil, []float64{-1.5}, -1}, {Trunc, []float64{-1.5}, -1}, {Round, []float64{-1.5}, -2},
		{Round, []float64{0.5}, 1}, {Round, []float64{2.5}, 3}, {Round, []float64{-0.25}, negZero}, {Fract, []float64{-0.25}, 0.75},
		{Fract, []float64{2.75}, 0.75}, {Step, []float64{1, 0.5}, 0}, {Step, []float64{1, 1}, 1}, {Step, []float64{1, nan}, 1},
		{Sqrt, []float64{2.25}, 1.5}, {Sqrt, []float64{-1}, nan}, {Sqrt, []float64{negZero}, negZero}, {Rsqrt, []float64{0.25}, 2},
		{Rsqrt, []float64{0}, inf}, {Cbrt, []float64{-27}, -3}, {Exp, []float64{0}, 1}, {Exp, []float64{-inf}, 0},
		{Exp2, []float64{-3}, 0.125}, {Log, []float64{1}, 0}, {Log, []float64{0}, -inf}, {Log2, []float64{0.125}, -3},
		{Log2, []float64{8}, 3}, {Log2, []float64{-1}, nan}, {Log10, []float64{1000}, 3}, {Log10, []float64{0}, -inf},
		{Log10, []float64{inf}, inf}, {Log10, []float64{-1}, nan}, {Asin, []float64{negZero}, negZero}, {Asin, []float64{1.5}, nan},
		{Acos, []float64{1}, 0}, {Acos, []float64{-1.5}, nan}, {Sinh, []float64{-inf}, -inf}, {Cosh, []float64{-inf}, inf},
		{Tanh, []float64{inf}, 1}, {Pow, []float64{nan, 0}, 1}, {Pow, []float64{-2, 3}, -8}, {Pow, []float64{-1, inf}, 1},
		{Pow, []float64{-8, 0.5}, nan}, {Atan2, []float64{0, negZero}, math.Pi}, {Hypot, []float64{3, 4}, 5},
		{Hypot, []float64{nan, inf}, inf}, {Fma, []float64{2, 3, 4}, 10}, {Fma, []float64{inf, 0, 1}, nan},
		{Fma, []float64{inf, 1, 1}, inf}, {Fma, []float64{1, 1, nan}, nan}, {Fma, []float64{1, -1, 1}, 0},
		{Mix, []float64{2, 6, 0.25}, 3}, {Smoothstep, []float64{0, 4, 1}, 0.15625}, {Smoothstep, []float64{0, 4, 9}, 1},
		{Smoothstep, []float64{0, 4, -1}, 0}, {Smoothstep, []float64{0, 4, nan}, 0},
	} {
		for _, k := range floatKinds {
			args := make([]types.Word, len(c.args))
			for i, a := range c.args {
				args[i] = types.Float(a)
			}
			want := types.Round(k, c.want)
			got := Eval(c.op, k, args...).Float()
			if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
				t.Errorf("%s of %s on %v = %v, want %v", c.op, k, c.args, got, want)
			}
		}
	}
}

func TestFloatsCompareAsIEEE754Says(t *testing.T) {
	nan, zero, negZero, one := types.Float(math.NaN()), types.Float(0), types.Float(math.Copysign(0, -1)), types.Float(1)
	for _, c := range []struct {
		op   Op
		a, b types.Word
		want bool
	}{
		{Eq, zero, negZero, true}, {Ne, zero, negZero, false}, {Lt, negZero, zero, false}, {Le, negZero, zero, true},
		{Eq, nan, nan, false}, {Ne, nan, nan, true}, {Lt, nan, one, false}, {Le, nan, one, false}, {Gt, nan, one, false},
		{Ge, one, nan, false}, {Gt, one, zero, true}, {Ge, one, one, true}, {Lt, one, one, false}, {Lt, zero, one, true},
	} {
		if got := Eval(c.op, types.F32, c.a, c.b).Truth(); got != c.want {
			t.Errorf("%v %s %v is %v", c.a.Float(), c.op, c.b.Float(), got)
		}
	}
	inf := types.Float(math.Inf(-1))
	if !Eval(IsNan, types.F32, nan).Truth() || Eval(IsNan, types.F32, inf).Truth() {
		t.Error("isnan is wrong")
	}
	if !Eval(IsInf, types.F32, inf).Truth() || Eval(IsInf, types.F32, nan).Truth() || Eval(IsInf, types.F32, one).Truth() {
		t.Error("isinf is wrong")
	}
}

// In f16 every step of a formula shows.
func TestStepsOfAFormulaAreRoundedOneByOne(t *testing.T) {
	k := types.F16
	random := source{rand.New(rand.NewPCG(9, 9)), k}
	r := func(v float64) float64 { return types.Round(k, v) }
	differs := 0
	for range 10_000 {
		a, b, x := math.Mod(random.float(), 8), math.Mod(random.float(), 8), math.Mod(random.float(), 8)
		want := r(a + r(r(b-a)*x))
		if got := Eval(Mix, k, types.Float(a), types.Float(b), types.Float(x)).Float(); got != want {
			t.Fatalf("mix(%b, %b, %b) = %b, want %b", a, b, x, got, want)
		}
		if want != r(a+(b-a)*x) {
			differs++
		}
		if a == b {
			continue
		}
		s := min(max(r(r(x-a)/r(b-a)), 0), 1)
		want = r(r(s*s) * r(3-r(2*s)))
		if got := Eval(Smoothstep, k, types.Float(a), types.Float(b), types.Float(x)).Float(); got != want {
			t.Fatalf("smoothstep(%b, %b, %b) = %b, want %b", a, b, x, got, want)
		}
	}
	if differs == 0 {
		t.Error("no case tells steps from a single rounding")
	}
}

func TestFractJustBelowAnIntegerRoundsToOne(t *testing.T) {
	if got := Eval(Fract, types.F32, types.Float(-0x1p-30)).Float(); got != 1 {
		t.Errorf("fract(-2^-30) = %v", got)
	}
}
