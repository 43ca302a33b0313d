package ops

import (
	"math"
	"math/big"
	"sync"
)

// Go subtracts multiples of pi/4 with an absolute error that shows where the result is small, and its tangent leaves out a
// term of small angles. Here an angle is reduced to within half a right angle first, small ones by a pi/2 of 160 bits and
// others by as many digits as the largest float64 needs; Go's sine and cosine serve from there.
const largeAngle = 1 << 10

// anglePrecision leaves 200 bits after the point of the largest float64 divided by a right angle.
const anglePrecision = 1024 + 200

// rightAngleParts add up to pi/2.
var rightAngleParts = [3]float64{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}

// rightAngle is pi/2 by Machin's formula, pi = 16 arctan(1/5) - 4 arctan(1/239).
var rightAngle = sync.OnceValue(func() *big.Float {
	scale := uint(anglePrecision + 20)
	quarter := arctanInverse(5, scale)
	quarter.Lsh(quarter, 2).Sub(quarter, arctanInverse(239, scale)) // pi/4
	angle := new(big.Float).SetPrec(anglePrecision).SetInt(quarter)
	return angle.SetMantExp(angle, 1-int(scale))
})

// arctanInverse is arctan(1/n) 2^scale by its power series.
func arctanInverse(n int64, scale uint) *big.Int {
	total, power := new(big.Int), new(big.Int).Lsh(big.NewInt(1), scale)
	power.Quo(power, big.NewInt(n))
	for i := int64(1); power.Sign() != 0; i += 2 {
		term := new(big.Int).Quo(power, big.NewInt(i))
		if i%4 == 3 {
			term.Neg(term)
		}
		total.Add(total, term)
		power.Quo(power, big.NewInt(n*n))
	}
	return total
}

// reduce writes a finite x as a number of right angles, modulo 4, and a rest within half a right angle.
func reduce(x float64) (quadrant int, rest float64) {
	if math.Abs(x) > largeAngle {
		return reduceLarge(x)
	}
	turns := math.Round(x / rightAngleParts[0])
	r := extended{x, 0}
	for _, part := range rightAngleParts {
		r = r.add(extended{-turns, 0}.mul(extended{part, 0}))
	}
	return int(turns) & 3, r.hi
}

func reduceLarge(x float64) (quadrant int, rest float64) {
	turns := new(big.Float).SetPrec(anglePrecision).SetFloat64(x)
	turns.Quo(turns, rightAngle())
	half := big.NewFloat(math.Copysign(0.5, x))
	whole, _ := new(big.Float).SetPrec(anglePrecision).Add(turns, half).Int(nil)
	turns.Sub(turns, new(big.Float).SetPrec(anglePrecision).SetInt(whole))
	rest, _ = turns.Mul(turns, rightAngle()).Float64()
	return int(whole.And(whole, big.NewInt(3)).Int64()), rest
}

// isReduced is true of angles that need no reduction, and of those that have no sine.
func isReduced(x float64) bool { return !(math.Abs(x) > math.Pi/4) || math.IsInf(x, 0) }

func sin(x float64) float64 {
	if isReduced(x) {
		return math.Sin(x)
	}
	return quadrantSine(reduce(x))
}

func cos(x float64) float64 {
	if isReduced(x) {
		return math.Cos(x)
	}
	quadrant, rest := reduce(x)
	return quadrantSine(quadrant+1, rest)
}

func quadrantSine(quadrant int, rest float64) float64 {
	switch quadrant % 4 {
	case 0:
		return math.Sin(rest)
	case 1:
		return math.Cos(rest)
	case 2:
		return -math.Sin(rest)
	}
	return -math.Cos(rest)
}

func tan(x float64) float64 {
	if isReduced(x) {
		return math.Sin(x) / math.Cos(x)
	}
	quadrant, rest := reduce(x)
	return quadrantSine(quadrant, rest) / quadrantSine(quadrant+1, rest)
}

// asin and acos go by way of atan2, which keeps them accurate next to -1 and 1, where 1 - x or 1 + x is exact.

func asin(x float64) float64 { return math.Atan2(x, math.Sqrt((1-x)*(1+x))) }
func acos(x float64) float64 { return math.Atan2(math.Sqrt((1-x)*(1+x)), x) }

// atan2 has the sign of y even where y / x underflows.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }
