package lower

import (
	"testing"

	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/types"
)

// TestSumsLieInTheirBounds adds up terms at the ends of intervals, up to so many, as each kind computes them: every sum lies in what sumOf says.
func TestSumsLieInTheirBounds(t *testing.T) {
	for _, k := range []types.Kind{types.I8, types.U8, types.I16, types.I32, types.U32, types.I64, types.U64} {
		lo, hi := types.Lowest(k), types.Highest(k)
		ends := []types.Word{lo, hi, types.Int(0), types.Int(1), types.Int(3), types.Int(100)}
		e := &hast.Reduce{Typed: hast.Typed{T: types.Scalar(k)}, Op: hast.Sum}
		for _, p := range ends {
			for _, q := range ends {
				term := interval.OfWord(k, p).Join(interval.OfWord(k, q))
				for most := range 5 {
					claimed := sumOf(e, term, int64(most))
					for chosen := range 1 << most { // which of the two each term is
						sum := types.Word(0)
						for n := range most + 1 {
							if v := interval.OfWord(k, sum).Lo; !claimed.Holds(v) {
								t.Fatalf("%s: a sum of %d terms in %v is %d, outside of %v", k, n, term, v, claimed)
							}
							if n < most {
								sum = ops.Eval(ops.Add, k, sum, [2]types.Word{p, q}[chosen>>n&1])
							}
						}
					}
				}
			}
		}
	}
}
