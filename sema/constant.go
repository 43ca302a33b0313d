package sema

import (
	"math"
	"math/big"

	"imgc/types"
)

// A constant is a value known at compile time. Integers are exact, floats are computed in f64; both are brought into a kind
// once, where a run-time operand or a declared type asks for it.
type constant struct {
	typ  types.Type
	soft bool   // made of literals without suffix: it takes the kind that its surroundings ask for
	nums []num  // elements row by row, lanes side by side
	name string // the const or mask that the value is of; "" after any arithmetic
}

// A num is one component: i where the kind is an integer or bool, f where it is a float.
type num struct {
	i *big.Int
	f float64
}

func intNum(v int64) num { return num{i: big.NewInt(v)} }

func boolNum(v bool) num {
	if v {
		return intNum(1)
	}
	return intNum(0)
}

// float is the component as an f64.
func (n num) float() float64 {
	if n.i == nil {
		return n.f
	}
	f, _ := new(big.Float).SetInt(n.i).Float64()
	return f
}

// isZero is true of 0, 0.0 and false.
func (n num) isZero() bool {
	if n.i != nil {
		return n.i.Sign() == 0
	}
	return n.f == 0
}

// scalarInt, scalarFloat and scalarBool make literals.
func scalarInt(v *big.Int) *constant {
	c := &constant{typ: types.Scalar(types.I32), soft: true, nums: []num{{i: v}}}
	return c.settle()
}

func smallInt(v int64) *constant { return scalarInt(big.NewInt(v)) }

func scalarFloat(v float64) *constant {
	c := &constant{typ: types.Scalar(types.F32), soft: true, nums: []num{{f: v}}}
	return c.settle()
}

func scalarBool(v bool) *constant {
	return &constant{typ: types.Scalar(types.Bool), nums: []num{boolNum(v)}}
}

// softInts and softFloats are the kinds that a soft constant has on its own: the first that holds it.
var (
	softInts   = []types.Kind{types.I32, types.I64, types.U64}
	softFloats = []types.Kind{types.F32, types.F64}
)

// settle gives a soft constant the kind that it has on its own.
func (c *constant) settle() *constant {
	if !c.soft || c.typ.Kind == types.Bool {
		return c
	}
	kinds := softInts
	if c.typ.Kind.IsFloat() {
		kinds = softFloats
	}
	for _, k := range kinds {
		c.typ.Kind = k
		if c.fits(k) {
			break
		}
	}
	return c
}

// fits is true where every component is in the range of the kind, which is of the same class. A float fits where it does
// not overflow; it may be rounded.
func (c *constant) fits(k types.Kind) bool {
	for _, n := range c.nums {
		if !n.fits(k) {
			return false
		}
	}
	return true
}

func (n num) fits(k types.Kind) bool {
	switch {
	case k.IsFloat():
		v := n.float()
		return math.IsInf(v, 0) || !math.IsInf(types.Round(k, v), 0)
	case n.i == nil:
		return false
	case k.IsUnsigned():
		return n.i.Sign() >= 0 && n.i.BitLen() <= k.Bits()
	case k.IsSigned():
		v := n.i
		if v.Sign() < 0 {
			v = new(big.Int).Not(v) // -2^n needs as many bits as 2^n - 1
		}
		return v.BitLen() < k.Bits()
	}
	return n.i.BitLen() <= 1 && n.i.Sign() >= 0
}

// takes is true where the constant may become kind k without being asked: k holds its values. Integers become any float
// kind, a float becomes an integer only where it is one exactly, a float with a kind of its own another only exactly.
func (c *constant) takes(k types.Kind) bool {
	own := c.typ.Kind
	switch {
	case own == k:
		return c.fits(k)
	case own == types.Bool || k == types.Bool:
		return types.Holds(own, k)
	case own.IsInt():
		return c.fits(k)
	case k.IsFloat():
		return types.Holds(own, k) || c.soft && c.fits(k) || c.exactly(k)
	}
	whole, ok := c.whole()
	return ok && whole.fits(k)
}

// exactly is true where the float kind k represents every component as it is.
func (c *constant) exactly(k types.Kind) bool {
	for _, n := range c.nums {
		if v := types.Round(c.typ.Kind, n.f); types.Round(k, v) != v && v == v {
			return false
		}
	}
	return true
}

// whole is a float constant as integers, where it is made of them.
func (c *constant) whole() (*constant, bool) {
	out := &constant{typ: c.typ.WithKind(types.I32), soft: true, nums: make([]num, len(c.nums))}
	for i, n := range c.nums {
		if n.f != math.Trunc(n.f) || math.IsInf(n.f, 0) {
			return nil, false
		}
		out.nums[i].i, _ = big.NewFloat(n.f).Int(nil)
	}
	return out.settle(), true
}

// as is the constant with kind k for its own, which it takes.
func (c *constant) as(k types.Kind) *constant {
	if c.typ.Kind == k && !c.soft {
		return c
	}
	out := &constant{typ: c.typ.WithKind(k), nums: make([]num, len(c.nums))}
	if c.typ.Kind == k {
		out.name = c.name // a name stands for one value of one type
	}
	for i, n := range c.nums {
		switch {
		case k.IsFloat():
			out.nums[i].f = types.Round(k, n.float())
		case n.i == nil:
			out.nums[i].i, _ = big.NewFloat(n.f).Int(nil)
		default:
			out.nums[i].i = n.i
		}
	}
	return out
}

// word is a component in the canonical form of kind k, whose range it is in.
func (n num) word(k types.Kind) types.Word {
	switch {
	case k.IsFloat():
		return types.Float(types.Round(k, n.float()))
	case k.IsUnsigned():
		return types.Uint(n.i.Uint64())
	}
	return types.Int(n.i.Int64())
}

// words is the constant in canonical form; its components fit its kind.
func (c *constant) words() []types.Word {
	w := make([]types.Word, len(c.nums))
	for i, n := range c.nums {
		w[i] = n.word(c.typ.Kind)
	}
	return w
}

// fromWords is the inverse of words.
func fromWords(t types.Type, words []types.Word) *constant {
	c := &constant{typ: t, nums: make([]num, len(words))}
	for i, w := range words {
		c.nums[i] = fromWord(t.Kind, w)
	}
	return c
}

func fromWord(k types.Kind, w types.Word) num {
	switch {
	case k.IsFloat():
		return num{f: w.Float()}
	case k.IsUnsigned():
		return num{i: new(big.Int).SetUint64(w.Uint())}
	}
	return intNum(w.Int())
}

// lowBits is an integer modulo 2^64 as the word of a 64-bit kind.
func lowBits(v *big.Int) types.Word {
	mask := new(big.Int).SetUint64(math.MaxUint64)
	return types.Uint(mask.And(mask, v).Uint64())
}

// rounded is a float component as an f64 word, rounded where the constant has a kind of its own.
func (c *constant) rounded(n num) types.Word {
	if c.soft {
		return types.Float(n.f)
	}
	return types.Float(types.Round(c.typ.Kind, n.f))
}

// wrap is T(e) of the constant.
func (c *constant) wrap(k types.Kind) *constant {
	out := &constant{typ: c.typ.WithKind(k), nums: make([]num, len(c.nums))}
	for i, n := range c.nums {
		switch {
		case k.IsFloat():
			out.nums[i].f = types.Round(k, n.float())
		case k == types.Bool:
			out.nums[i] = boolNum(!n.isZero())
		case n.i != nil:
			out.nums[i] = fromWord(k, types.Wrap(k, lowBits(n.i)))
		default:
			out.nums[i] = fromWord(k, types.Convert(c.rounded(n), types.F64, k))
		}
	}
	return out
}

// saturate is sat<T>(e) of the constant.
func (c *constant) saturate(k types.Kind) *constant {
	if !k.IsInt() {
		return c.wrap(k)
	}
	out := &constant{typ: c.typ.WithKind(k), nums: make([]num, len(c.nums))}
	for i, n := range c.nums {
		switch {
		case n.i == nil:
			out.nums[i] = fromWord(k, types.Saturate(c.rounded(n), types.F64, k))
		case n.fits(k):
			out.nums[i] = n
		case n.i.Sign() < 0:
			out.nums[i] = fromWord(k, types.Lowest(k))
		default:
			out.nums[i] = fromWord(k, types.Highest(k))
		}
	}
	return out
}

// splat repeats a scalar, or an element over an array's elements, to fill the lanes and extents of shape.
func (c *constant) splat(shape types.Type) *constant {
	t := shape.WithKind(c.typ.Kind)
	if t == c.typ {
		return c
	}
	out := &constant{typ: t, soft: c.soft, nums: make([]num, t.Words())}
	for i := range out.nums {
		out.nums[i] = c.nums[i%len(c.nums)]
	}
	return out
}

// element is element i of an array, counted row by row.
func (c *constant) element(i int) *constant {
	lanes := int(c.typ.Lanes)
	return &constant{typ: c.typ.Elem(), soft: c.soft, nums: c.nums[i*lanes : (i+1)*lanes]}
}

// reshaped has the same elements in other extents.
func (c *constant) reshaped(t types.Type) *constant {
	return &constant{typ: t.WithKind(c.typ.Kind), soft: c.soft, nums: c.nums}
}

// index reads a scalar integer constant that fits an int32, as extents, counts and offsets must.
func (c *constant) index() (int, bool) {
	if c == nil || !c.typ.IsScalar() || c.typ.Kind == types.Bool {
		return 0, false
	}
	n := c.nums[0]
	if n.i == nil {
		whole, ok := c.whole()
		if !ok {
			return 0, false
		}
		n = whole.nums[0]
	}
	if !n.fits(types.I32) {
		return 0, false
	}
	return int(n.i.Int64()), true
}
