package opencl_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"imgc/types"
)

// samples is how many values, or tuples of values, of each kind the operators are tried on.
const samples = 4096

// special are values of kind k where operators and conversions have their special cases.
func special(k types.Kind) []types.Word {
	words := []types.Word{types.Lowest(k), types.Highest(k)}
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -7, 31, 32, 33, 63, 64, 0.5, -0.5, 1.5, 2.5, -2.5, 3.999, 100, 127, 128, 255, 256, -129,
		1e-7, 1e10, -1e10, math.Pi, math.NaN(), 0x1p-149, 0x1p-133, 0x1p-24, 65504, 65520, math.MaxFloat32, 0x1p-126, 1e300, 0x1p31, 0x1p32,
		0x1p63, 0x1p64, -0x1p31, -0x1p63, 1e-300, 0x1p-1074, 0x1p24 + 1, 0x1p53,
	} {
		words = append(words, types.Convert(types.Float(v), types.F64, k))
	}
	if k.IsInt() {
		words = append(words, types.Wrap(k, types.Lowest(k)+1), types.Wrap(k, types.Highest(k)-1))
	}
	return words
}

// random is a value of kind k: any bits, or a number of ordinary size.
func random(r *rand.Rand, k types.Kind) types.Word {
	switch {
	case k == types.Bool:
		return types.Word(r.IntN(2))
	case k.IsInt():
		return types.Wrap(k, types.Word(r.Uint64()>>r.IntN(64))*types.Int(int64(1-2*r.IntN(2))))
	case r.IntN(2) == 0:
		if w := types.FromBits(k, r.Uint64()); w.Float() == w.Float() {
			return w
		}
		return types.Float(math.NaN()) // not a signalling one
	}
	return types.Float(types.Round(k, r.NormFloat64()*math.Exp2(float64(r.IntN(12)-4))))
}

// tuples makes columns of operands: every pair of special values first, then random ones.
func tuples(k types.Kind, columns int) [][]types.Word {
	r := rand.New(rand.NewPCG(7, uint64(k)))
	cases := special(k)
	out := make([][]types.Word, columns)
	for i := range samples {
		for c := range columns {
			w := random(r, k)
			switch {
			case i < len(cases)*len(cases) && c == 0:
				w = cases[i%len(cases)]
			case i < len(cases)*len(cases) && c == 1:
				w = cases[i/len(cases)%len(cases)]
			case r.IntN(4) == 0:
				w = cases[r.IntN(len(cases))]
			}
			out[c] = append(out[c], w)
		}
	}
	return out
}

// apart is how many values of kind k lie between two words: 0 where they are equal, or both NaN.
func apart(k types.Kind, a, b types.Word) uint64 {
	if !k.IsFloat() {
		if a == b {
			return 0
		}
		return math.MaxUint64
	}
	x, y := a.Float(), b.Float()
	if x != x || y != y {
		if x != x && y != y {
			return 0
		}
		return math.MaxUint64
	}
	if a != b && x == y {
		return 1 // zeros of two signs
	}
	i, j := ordinal(k, a), ordinal(k, b)
	if i < j {
		i, j = j, i
	}
	return uint64(i - j)
}

// ordinal numbers the values of a float kind in their order.
func ordinal(k types.Kind, w types.Word) int64 {
	bits := types.Bits(k, w)
	sign := uint64(1) << (k.Bits() - 1)
	if bits&sign != 0 {
		return -int64(bits &^ sign)
	}
	return int64(bits)
}

// texts writes words for people.
func texts(k types.Kind, words []types.Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		switch {
		case k.IsFloat():
			parts[i] = fmt.Sprintf("%x (%g)", w.Float(), w.Float())
		case k.IsUnsigned():
			parts[i] = fmt.Sprint(w.Uint())
		default:
			parts[i] = fmt.Sprint(w.Int())
		}
	}
	return strings.Join(parts, ", ")
}
