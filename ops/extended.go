package ops

import "math"

// Go's math package is not accurate enough in float64 for log2 and log10 near 1 and for pow: it may be hundreds of last
// places off. Here logarithms and exponentials are computed to about 60 bits, so that float64 results are rounded
// correctly but for rare cases, and exact ones such as pow(3, 2) or log10(1000) come out exact.

// An extended value is the unevaluated sum of two float64s, the second at most half a last place of the first (Dekker, A
// floating-point technique for extending the available precision, 1971).
type extended struct{ hi, lo float64 }

// sum is a + b exactly (Knuth's two-sum).
func sum(a, b float64) extended {
	s := a + b
	t := s - a
	return extended{s, (a - (s - t)) + (b - t)}
}

func (a extended) add(b extended) extended {
	s := sum(a.hi, b.hi)
	return sum(s.hi, s.lo+(a.lo+b.lo))
}

func (a extended) mul(b extended) extended {
	p := a.hi * b.hi
	return sum(p, math.FMA(a.hi, b.hi, -p)+(a.hi*b.lo+a.lo*b.hi))
}

func (a extended) div(b extended) extended {
	q := a.hi / b.hi
	rest := math.FMA(-q, b.hi, a.hi) + (a.lo - q*b.lo)
	return sum(q, rest/b.hi)
}

var (
	ln2   = extended{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ln10  = extended{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}
	third = extended{0x1.5555555555555p-2, 0x1.5555555555555p-56}
)

// logOf is the natural logarithm of a positive finite x. With x = m 2^k and s = (m - 1) / (m + 1) it is
// k ln 2 + 2 (s + s^3/3 + s^5/5 + ...), where m is between sqrt(1/2) and sqrt(2) and so s^2 below 0.03.
func logOf(x float64) extended {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := extended{m - 1, 0}.div(sum(m, 1))
	square := s.mul(s)
	tail := 0.0 // 1/5 + s^2/7 + s^4/9 + ..., for which float64 will do
	for n := 33.0; n >= 5; n -= 2 {
		tail = tail*square.hi + 1/n
	}
	series := s.add(s.mul(square).mul(third.add(extended{square.hi * tail, 0})))
	return extended{float64(k), 0}.mul(ln2).add(extended{2 * series.hi, 2 * series.lo})
}

// expOf is e^x rounded to float64. With x = k ln 2 + r it is 2^k (1 + r + r^2/2 + r^3/6 + ...).
func expOf(x extended) float64 {
	switch {
	case x.hi > 710:
		return math.Inf(1)
	case x.hi < -750:
		return 0
	}
	k := math.Round(x.hi / math.Ln2)
	r := x.add(extended{-k, 0}.mul(ln2))
	tail := 1.0 // 3! (1/3! + r/4! + r^2/5! + ...), for which float64 will do
	for n := 20.0; n > 3; n-- {
		tail = 1 + tail*r.hi/n
	}
	square := r.mul(r)
	head := r.add(extended{square.hi / 2, square.lo / 2})
	e := extended{1, 0}.add(head.add(extended{square.hi * r.hi * tail / 6, 0}))
	return math.Ldexp(e.hi, int(k))
}

// positive is true of the numbers that have a finite logarithm.
func positive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

func log(x float64) float64 {
	if !positive(x) {
		return math.Log(x)
	}
	return logOf(x).hi
}

func log2(x float64) float64 {
	if !positive(x) {
		return math.Log(x)
	}
	return logOf(x).div(ln2).hi
}

func log10(x float64) float64 {
	if !positive(x) {
		return math.Log(x)
	}
	return logOf(x).div(ln10).hi
}

func exp(x float64) float64 {
	if x != x {
		return x
	}
	return expOf(extended{x, 0})
}

// beyond is a power at which every number but 1 and -1 overflows or vanishes: float64 has none nearer to 1 than 2^-53.
const beyond = 0x1p64

// pow leaves zeros, infinities, NaN and what is not real to math.Pow, which treats them as C does.
func pow(x, y float64) float64 {
	whole := y == math.Trunc(y)
	if !positive(math.Abs(x)) || !positive(math.Abs(y)) || x < 0 && !whole {
		return math.Pow(x, y)
	}
	power := expOf(logOf(math.Abs(x)).mul(extended{max(-beyond, min(y, beyond)), 0}))
	if x < 0 && math.Mod(y, 2) != 0 {
		return -power
	}
	return power
}
