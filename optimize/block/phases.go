package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// Phases are an integer that grows alike from one period of an iteration variable v to the next, as x/2*2 + 1, x & ~1, x%4 and x/4*5 + x%4 do: it is
// Step*(v/n) and the entry v%n of a list of n. Of a constant the list has one entry, and there is no variable.
type Phases struct {
	Var  *hast.Var
	Step int64
	At   []Bounds
}

// Bounds are the least and the greatest value that an integer has.
type Bounds struct{ Lo, Hi int64 }

// longestPeriod is that of the values that are taken apart: no block of instances has more columns or rows.
const longestPeriod = 32

// Phases takes an expression of a variable that counts from 0 apart; false where it is of another form.
func (s *Scope) Phases(e hast.Expr) (Phases, bool) {
	if e.Type() != i32 {
		return Phases{}, false
	}
	switch e := e.(type) {
	case *hast.Const:
		c := e.Words[0].Int()
		return Phases{At: []Bounds{{c, c}}}.checked()
	case *hast.Ref:
		return s.phasesOf(e.Var)
	case *hast.Op:
		return s.phasesOfOp(e)
	}
	return Phases{}, false
}

func (s *Scope) phasesOf(v *hast.Var) (Phases, bool) {
	if slices.Contains(s.Iterators, v) {
		return Phases{Var: v, Step: 1, At: make([]Bounds, 1)}, slices.Contains(s.Divided, v)
	}
	if lo, hi, ok := s.Range(v); ok {
		return Phases{At: []Bounds{{lo, hi}}}.checked()
	}
	if e := s.Lets[v]; e != nil {
		return s.Phases(e)
	}
	return Phases{}, false
}

func (s *Scope) phasesOfOp(e *hast.Op) (Phases, bool) {
	if len(e.Args) != 2 {
		return Phases{}, false
	}
	x, ok := s.Phases(e.Args[0])
	if !ok { // and so without the second: of lets each of which names the one before twice, both would be looked at ever again
		return Phases{}, false
	}
	y, ok := s.Phases(e.Args[1])
	if !ok {
		return Phases{}, false
	}
	switch e.Op {
	case ops.Add:
		return x.plus(y, 1)
	case ops.Sub:
		return x.plus(y, -1)
	}
	c, number := y.number()
	if !number {
		if c, number = x.number(); !number || e.Op != ops.Mul && e.Op != ops.And {
			return Phases{}, false
		}
		x = y
	}
	return x.with(e.Op, c)
}

// number is the value of a constant.
func (p Phases) number() (int64, bool) {
	return p.At[0].Lo, p.Var == nil && p.At[0].Lo == p.At[0].Hi
}

// with is what an operator makes of a value and a number.
func (p Phases) with(op ops.Op, c int64) (Phases, bool) {
	switch op {
	case ops.Mul:
		return Phases{At: make([]Bounds, 1)}.plus(p, c)
	case ops.Shl:
		if c >= 0 && c < 16 {
			return p.with(ops.Mul, 1<<c)
		}
	case ops.Shr:
		if c >= 0 && c < 16 {
			return p.with(ops.FloorDiv, 1<<c)
		}
	case ops.Div: // no floor below 0, and Rem no distance from it
		if p.natural() {
			return p.over(c)
		}
	case ops.FloorDiv:
		return p.over(c)
	case ops.Rem:
		if p.natural() {
			return p.modulo(c)
		}
	case ops.Mod:
		return p.modulo(c)
	case ops.And:
		return p.masked(c)
	}
	return Phases{}, false
}

// natural reports whether the value is never negative.
func (p Phases) natural() bool {
	return p.Step >= 0 && !slices.ContainsFunc(p.At, func(b Bounds) bool { return b.Lo < 0 })
}

// stretched is the same with a list of n entries, a multiple of those that it has.
func (p Phases) stretched(n int) (Phases, bool) {
	have := len(p.At)
	if n > longestPeriod {
		return p, false
	}
	out := Phases{Var: p.Var, Step: p.Step * int64(n/have), At: make([]Bounds, n)}
	for i := range out.At {
		more := p.Step * int64(i/have)
		out.At[i] = Bounds{p.At[i%have].Lo + more, p.At[i%have].Hi + more}
	}
	return out, true
}

// plus is the value plus a factor times another.
func (p Phases) plus(q Phases, factor int64) (Phases, bool) {
	if p.Var != nil && q.Var != nil && p.Var != q.Var {
		return p, false
	}
	n := commonMultiple(len(p.At), len(q.At))
	x, okX := p.stretched(n)
	y, okY := q.stretched(n)
	if !okX || !okY {
		return p, false
	}
	if x.Var == nil {
		x.Var = y.Var
	}
	x.Step += factor * y.Step
	for i, b := range y.At {
		x.At[i].Lo += min(factor*b.Lo, factor*b.Hi)
		x.At[i].Hi += max(factor*b.Lo, factor*b.Hi)
	}
	return x.checked()
}

// over is the floor of the value divided by a number.
func (p Phases) over(c int64) (Phases, bool) {
	x, ok := p.inSteps(c)
	if !ok {
		return p, false
	}
	for i, b := range x.At {
		x.At[i] = Bounds{ops.FloorQuotient(b.Lo, c), ops.FloorQuotient(b.Hi, c)}
	}
	x.Step /= c
	return x.checked()
}

// modulo is the distance of the value from the next multiple of a number that is not greater.
func (p Phases) modulo(c int64) (Phases, bool) {
	x, ok := p.inSteps(c)
	if !ok {
		return p, false
	}
	for i, b := range x.At {
		if b.Lo != b.Hi {
			x.At[i] = Bounds{0, c - 1}
			continue
		}
		rest := b.Lo - c*ops.FloorQuotient(b.Lo, c)
		x.At[i] = Bounds{rest, rest}
	}
	x.Step = 0
	return x, true
}

// masked is the value without bits that a number does not have: without all but some of its last ones, or without some of these.
func (p Phases) masked(c int64) (Phases, bool) {
	if c < 0 {
		x, ok := p.masked(^c)
		if !ok {
			return p, false
		}
		return p.plus(x, -1)
	}
	x, ok := p.modulo(bitsOf(c))
	if !ok {
		return p, false
	}
	for i, b := range x.At {
		if b.Lo != b.Hi {
			return p, false
		}
		x.At[i] = Bounds{b.Lo & c, b.Lo & c}
	}
	return x, true
}

// inSteps is the same with a period for which the value grows by a multiple of a number.
func (p Phases) inSteps(c int64) (Phases, bool) {
	if c < 1 || c > farthest {
		return p, false
	}
	return p.stretched(len(p.At) * int(c/commonDivisor(abs(p.Step), c)))
}

func (p Phases) checked() (Phases, bool) {
	ok := abs(p.Step) <= farthest
	for _, b := range p.At {
		ok = ok && b.Lo >= -farthest && b.Hi <= farthest
	}
	return p, ok
}

func commonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func commonMultiple(a, b int) int { return a / gcd(a, b) * b }

// InPeriods reports whether a value is not the same distance from its variable for all instances: whether it knows quotients, or remainders.
func (p Phases) InPeriods() bool { return p.Var != nil && len(p.At) > 1 }

// A Period is for how many values of a variable a value begins anew.
type Period struct {
	Var *hast.Var
	N   int
}

// Repeats is for how many values of variables that count from 0 an expression begins anew, as (x + y)%2 does for two of both; false where it is not known to. Of what is
// the same for all values the variable is nil.
func (s *Scope) Repeats(e hast.Expr) (list []Period, ok bool) {
	if p, ok := s.Phases(e); ok {
		return []Period{{p.Var, len(p.At)}}, p.Var == nil || p.Step == 0
	}
	if let, ok := e.(*hast.Ref); ok && s.Lets[let.Var] != nil {
		return s.Repeats(s.Lets[let.Var])
	}
	op, ok := e.(*hast.Op)
	if !ok || op.T != i32 || len(op.Args) != 2 {
		return nil, false
	}
	c, number := hast.Number(op.Args[1])
	switch {
	case !number || c < 1:
	case op.Op == ops.Rem || op.Op == ops.Mod:
		list, ok = s.modulo(op.Args[0], c, op.Op == ops.Rem)
	case op.Op == ops.And:
		list, ok = s.modulo(op.Args[0], bitsOf(c), false)
	}
	if ok && list != nil {
		return list, true
	}
	x, ok := s.Repeats(op.Args[0])
	if !ok {
		return nil, false
	}
	y, ok := s.Repeats(op.Args[1])
	return append(x, y...), ok
}

// bitsOf is the least power of two that is greater than a number.
func bitsOf(c int64) int64 {
	n := int64(1)
	for n <= c {
		n *= 2
	}
	return n
}

// modulo is for how many values of its variables the remainder of a sum begins anew. Where that follows signs, all that is added has to be natural.
func (s *Scope) modulo(e hast.Expr, c int64, natural bool) ([]Period, bool) {
	if p, ok := s.Phases(e); ok {
		x, ok := p.inSteps(c)
		return []Period{{p.Var, len(x.At)}}, ok && (p.natural() || !natural)
	}
	if let, ok := e.(*hast.Ref); ok && s.Lets[let.Var] != nil {
		return s.modulo(s.Lets[let.Var], c, natural)
	}
	sum, ok := e.(*hast.Op)
	if !ok || sum.T != i32 || sum.Op != ops.Add && (sum.Op != ops.Sub || natural) {
		return nil, false
	}
	x, okX := s.modulo(sum.Args[0], c, natural)
	y, okY := s.modulo(sum.Args[1], c, natural)
	return append(x, y...), okX && okY
}

// mostBeside is how many places a block may read beside those that lie below it where it reads at places of all phases.
const mostBeside = 16

// Places is the span of coordinates in phases; false where a block would read but few of what lies between, where places do not go on, or step back.
func (p Phases) Places() (Span, bool) {
	n := int64(len(p.At))
	if !p.InPeriods() || p.Step < 1 || p.Step > maxStride*n {
		return Span{}, false
	}
	out := Span{Stride: int(p.Step), Lo: int(p.At[0].Lo), Hi: int(p.At[0].Hi), Div: int(n), Periodic: true}
	for _, b := range p.At {
		out.Lo, out.Hi = min(out.Lo, int(b.Lo)), max(out.Hi, int(b.Hi))
	}
	return out, out.Each() <= out.Stride+mostBeside
}

// periodic is the span of a coordinate in phases of a variable, from the first pixel of an axis on; false where it is none.
func (s *Scope) periodic(x hast.Expr, first int64, v *hast.Var) (Span, bool) {
	p, ok := s.Phases(x)
	if !ok || p.Var != v {
		return Span{}, false
	}
	out, ok := p.Places()
	out.Lo, out.Hi = out.Lo-int(first), out.Hi-int(first)
	return out, ok
}

// inPeriods is the span of blocks of n instances, which it divides.
func (s Span) inPeriods(n int) Span {
	return Span{Stride: s.Covers(n), Lo: s.First(), Hi: s.Last(n), Div: n, Periodic: true}
}

// period is for how many instances a span begins anew.
func (s Span) period() int {
	if s.Periodic {
		return s.Div
	}
	return s.By() / gcd(s.By(), s.Stride)
}

// Meet are two spans over blocks of the same size where places go on alike in both, and at least one of them is periodic.
func (s Span) Meet(t Span) (u, v Span, ok bool) {
	if !s.Periodic && !t.Periodic || s.Stride == 0 || s.Stride*t.By() != t.Stride*s.By() {
		return s, t, false
	}
	n := commonMultiple(s.period(), t.period())
	return s.inPeriods(n), t.inPeriods(n), n <= longestPeriod
}

// joined is the span of what either of two has; false where places do not go on alike.
func (s Span) joined(t Span) (Span, bool) {
	if s.alike(t) {
		return s.join(t), true
	}
	u, v, ok := s.Meet(t)
	return u.join(v), ok
}

// holds reports whether a span has the places of another one. Places of phases are only looked for where blocks begin at multiples of the period.
func (s Span) holds(t Span) bool {
	if s.alike(t) || !s.Periodic {
		return s.contains(t)
	}
	u, v, ok := s.Meet(t)
	return ok && s == u && u.contains(v)
}
