package access

import (
	"fmt"
	"math"
	"strings"

	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// hidden is a value of which an interval is known at best. The same computation on the same values is the same variable; a
// value that only the host's parameters go into is known at entry.
func (a *analysis) hidden(e hast.Expr, s *scope) prove.Lin {
	sym := &symbol{text: text(e), limits: a.hiddenLimits(e, s)}
	if s.once {
		sym.text = oneLine(e.Span(), sym.text) // not where the device keeps it
		return a.constantly(a.symbol(sym))
	}
	key := a.key(e, s)
	if key == "" {
		return a.ofHost(a.symbol(sym), s)
	}
	if l, ok := a.keyed[key]; ok {
		return l
	}
	if origin := a.hostForm(e, s); origin != nil {
		sym.origin = origin
	}
	l := a.symbol(sym)
	a.keyed[key] = l
	if sym.origin != nil {
		a.atEntry(l)
	}
	return a.ofHost(l, s)
}

// ofHost declares a value that the host computes to be one for all instances.
func (a *analysis) ofHost(l prove.Lin, s *scope) prove.Lin {
	if s.host {
		return a.constantly(l)
	}
	return l
}

// keyedSymbol is the variable of a computation, made with facts where it is met first.
func (a *analysis) keyedSymbol(key string, sym *symbol, facts func(v prove.Lin) []prove.Formula) prove.Lin {
	if l, ok := a.keyed[key]; ok {
		return l
	}
	l := a.symbol(sym)
	a.keyed[key] = l
	sym.facts = facts(l)
	return l
}

// hiddenLimits bounds a value by its type and by what is known of a few operators.
func (a *analysis) hiddenLimits(e hast.Expr, s *scope) interval.Interval {
	full := interval.OfKind(e.Type().Kind)
	switch e := e.(type) {
	case *hast.Convert:
		if e.How != hast.Bitcast && e.X.Type().IsScalar() && e.X.Type().Kind.IsFloat() {
			return a.converted(e, s).Meet(full)
		}
	case *hast.Elem:
		if c, ok := first(a.resolve(e.X, s)).(*hast.Const); ok && c.T.Kind.IsInt() {
			return constantLimits(c, 0).Meet(full)
		}
	case *hast.Swizzle:
		if c, _, _ := a.constantVectors(e, s); c != nil {
			return constantLimits(c, e.Lanes[0]).Meet(full)
		}
	case *hast.Op:
		return a.opLimits(e, s).Meet(full)
	case *hast.Reduce:
		return a.reductionLimits(e, s).Meet(full)
	}
	return full
}

func first(e hast.Expr, _ *scope) hast.Expr { return e }

// constantLimits is the range of a component of an array's elements, with the 0 that an index outside gives.
func constantLimits(c *hast.Const, lane int) interval.Interval {
	var iv interval.Interval
	for i := lane; i < len(c.Words); i += int(c.T.Lanes) {
		iv = iv.Join(interval.OfWord(c.T.Kind, c.Words[i]))
	}
	return iv
}

// opLimits bounds an operator that the prover has no formula for.
func (a *analysis) opLimits(e *hast.Op, s *scope) interval.Interval {
	k, full := e.Args[0].Type().Kind, interval.OfKind(e.T.Kind)
	switch e.Op {
	case ops.Popcount, ops.Clz:
		known := a.intervalOf(a.exact(e.Args[0], s)).Meet(interval.OfKind(k))
		iv, _ := interval.InKind(e.Op, k, known)
		return iv
	case ops.Div, ops.Rem, ops.FloorDiv, ops.Mod, ops.And, ops.Or, ops.Xor, ops.Shl, ops.Shr:
	default:
		return full
	}
	if !k.IsInt() {
		return full
	}
	x, y := a.intervalOf(a.exact(e.Args[0], s)), a.intervalOf(a.exact(e.Args[1], s))
	if x.Within(full) && y.Within(interval.OfKind(e.Args[1].Type().Kind)) {
		iv, _ := interval.InKind(e.Op, k, x, y)
		return iv
	}
	return interval.Unbounded(e.Op, x, y) // the host computes in 64 bits
}

// reductionLimits bounds a reduction by how many points it has, and by what its elements can be. Of an empty one, and of sums that may wrap around, only the kind is known.
func (a *analysis) reductionLimits(e *hast.Reduce, s *scope) interval.Interval {
	full := interval.OfKind(e.T.Kind)
	each, ok := a.elementLimits(e, s)
	if !ok {
		return full
	}
	switch points := a.pointsOf(e, s); e.Op {
	case hast.Sum, hast.Count:
		// An end that stands for numbers beyond 64 bits is no bound of what is computed in 64.
		if iv := interval.Unbounded(ops.Mul, points, each); iv.Within(full) && iv.Within(told) {
			return iv
		}
	case hast.Min, hast.Max, hast.Median:
		if points.Lo > 0 {
			return each.Meet(full)
		}
	}
	return full
}

// elementLimits bounds the elements that take part in a reduction, as they are put together: count adds up 0 for false and 1 for true. It is false where nothing is known.
func (a *analysis) elementLimits(e *hast.Reduce, s *scope) (iv interval.Interval, ok bool) {
	switch t := e.Elem.Type(); {
	case e.Op == hast.Count:
		return interval.Bool, true
	case !t.IsScalar() || !t.Kind.IsInt():
		return iv, false
	}
	inner := s.within(e)
	return a.bounded(e.Elem, a.exact(e.Elem, inner), inner), true
}

// pointsOf is how many points a reduction may have.
func (a *analysis) pointsOf(e *hast.Reduce, s *scope) interval.Interval {
	n := interval.Point(int64(len(e.Space.Points)))
	if e.Space.Points == nil {
		n = interval.Point(1)
		for _, r := range e.Space.Ranges {
			first, last := a.ends(r, s)
			count := interval.Unbounded(ops.Max, a.intervalOf(last.Sub(first).Plus(1)), interval.Point(0))
			if r.Step != 1 && r.Step != -1 {
				count.Lo = min(count.Lo, 1)
			}
			n = interval.Unbounded(ops.Mul, n, count)
		}
	}
	if e.Where != nil {
		n.Lo = 0
	}
	return n
}

// A span of floats; nan is set where the value may be NaN.
type floats struct {
	lo, hi float64
	nan    bool
}

var anyFloat = floats{math.Inf(-1), math.Inf(1), true}

// converted is the interval of a float converted to an integer kind: NaN gives 0, what is out of range saturates.
func (a *analysis) converted(e *hast.Convert, s *scope) interval.Interval {
	f := a.floatLimits(e.X, s)
	round := math.Trunc
	if e.How == hast.Saturate {
		round = math.RoundToEven
	}
	iv := interval.Between(integerPart(round(f.lo)), integerPart(round(f.hi)))
	if f.nan {
		iv = iv.Join(interval.Interval{})
	}
	return iv
}

func integerPart(f float64) int64 {
	switch {
	case f >= beyond:
		return interval.All.Hi
	case f <= -beyond:
		return interval.All.Lo
	}
	return int64(f)
}

// floatLimits bounds a float where clamp, min and max, or the range of an integer do.
func (a *analysis) floatLimits(e hast.Expr, s *scope) floats {
	x, at := a.resolve(e, s)
	switch x := x.(type) {
	case *hast.Const:
		if f := x.Words[0].Float(); x.T.IsScalar() && x.T.Kind.IsFloat() && !math.IsNaN(f) {
			return floats{f, f, false}
		}
	case *hast.Convert:
		return a.floatFrom(x, at)
	case *hast.Swizzle:
		if lane, at := a.laneOf(x, at); lane != nil {
			return a.floatLimits(lane, at)
		}
	case *hast.Op:
		return a.floatOp(x, at)
	}
	return anyFloat
}

// floatOp bounds an operator. What f16 and bf16 round is more than is followed.
func (a *analysis) floatOp(e *hast.Op, s *scope) floats {
	f := floatOps[e.Op]
	if !e.T.IsScalar() || f == nil && (roundedOps[e.Op] == nil || e.T.Kind.Bits() < 32 || !e.T.Kind.IsFloat()) {
		return anyFloat
	}
	args := make([]floats, len(e.Args))
	for i, arg := range e.Args {
		args[i] = a.floatLimits(arg, s)
	}
	if f != nil {
		return f(args)
	}
	if out, ok := roundedBy(e.Op, args); ok {
		return out
	}
	return anyFloat
}

// floatFrom is the range of a value converted to a float kind. Rounding to nearest keeps the order, so that it is enough to
// round the ends; of kinds that may overflow to infinity nothing is said.
func (a *analysis) floatFrom(e *hast.Convert, s *scope) floats {
	from := e.X.Type()
	if !from.IsScalar() || e.How == hast.Bitcast || e.T.Kind.Bits() < 32 {
		return anyFloat
	}
	switch {
	case from.Kind.IsInt() && from.Kind.Bits() <= 32:
		iv := a.intervalOf(a.exact(e.X, s))
		if e.T.Kind == types.F32 {
			return floats{float64(float32(iv.Lo)), float64(float32(iv.Hi)), false}
		}
		return floats{float64(iv.Lo), float64(iv.Hi), false}
	case from.Kind.IsFloat() && from.Kind.Bits() <= e.T.Kind.Bits():
		return a.floatLimits(e.X, s)
	}
	return anyFloat
}

// floatOps bounds operators that round nothing by the bounds of their operands.
var floatOps = map[ops.Op]func(x []floats) floats{
	ops.Floor: monotone(math.Floor),
	ops.Ceil:  monotone(math.Ceil),
	ops.Round: monotone(math.Round),
	ops.Trunc: monotone(math.Trunc),
	ops.Abs: func(x []floats) floats {
		most := math.Max(math.Abs(x[0].lo), math.Abs(x[0].hi))
		if x[0].lo > 0 || x[0].hi < 0 {
			return floats{math.Min(math.Abs(x[0].lo), math.Abs(x[0].hi)), most, x[0].nan}
		}
		return floats{0, most, x[0].nan}
	},
	ops.Min: lesser,
	ops.Max: greater,
	ops.Clamp: func(x []floats) floats {
		return lesser([]floats{greater([]floats{x[0], x[1]}), x[2]})
	},
}

func monotone(f func(float64) float64) func(x []floats) floats {
	return func(x []floats) floats { return floats{f(x[0].lo), f(x[0].hi), x[0].nan} }
}

// lesser and greater: NaN loses, so the result may be any value of the other operand where one may be NaN.
func lesser(x []floats) floats {
	p, q := x[0], x[1]
	hi := math.Min(p.hi, q.hi)
	if p.nan {
		hi = q.hi
	}
	if q.nan {
		hi = math.Max(hi, p.hi)
	}
	return floats{math.Min(p.lo, q.lo), hi, p.nan && q.nan}
}

func greater(x []floats) floats {
	p, q := x[0], x[1]
	lo := math.Max(p.lo, q.lo)
	if p.nan {
		lo = q.lo
	}
	if q.nan {
		lo = math.Min(lo, p.lo)
	}
	return floats{lo, math.Max(p.hi, q.hi), p.nan && q.nan}
}

// hostForm is the expression with the host's definitions substituted, nil if it is not computed from parameters alone.
func (a *analysis) hostForm(e hast.Expr, s *scope) hast.Expr {
	h := &hostwriter{s: s}
	form := h.rewrite(e)
	if h.failed {
		return nil
	}
	return form
}

// key names a computation by its operators and the values that go into it; "" where two computations that look the same may
// differ.
func (a *analysis) key(e hast.Expr, s *scope) string {
	k := &keywriter{a: a, s: s}
	k.expr(e)
	if k.failed {
		return ""
	}
	return k.String()
}

type keywriter struct {
	strings.Builder
	a      *analysis
	s      *scope
	failed bool
}

func (k *keywriter) all(name string, es ...hast.Expr) {
	k.WriteString(name + "(")
	for i, e := range es {
		if i > 0 {
			k.WriteString(", ")
		}
		k.expr(e)
	}
	k.WriteString(")")
}

func (k *keywriter) expr(e hast.Expr) {
	if k.failed || k.Len() > longest {
		k.failed = true
		return
	}
	switch e := e.(type) {
	case *hast.Const:
		fmt.Fprintf(k, "%v%v", e.T, e.Words)
	case *hast.Ref:
		k.ref(e)
	case *hast.Op:
		k.all(e.Op.String(), e.Args...)
	case *hast.Convert:
		k.all(fmt.Sprintf("%v.%d", e.T, e.How), e.X)
	case *hast.Select:
		k.all("?:", e.Cond, e.Then, e.Else)
	case *hast.Vec:
		k.all(e.T.String(), e.Parts...)
	case *hast.Swizzle:
		k.all(fmt.Sprint(e.Lanes), e.X)
	case *hast.Elem:
		k.all("element", append([]hast.Expr{e.X}, e.Index...)...)
	case *hast.Call:
		k.all(fmt.Sprintf("%p", e.Func), e.Args...)
	case *hast.Load:
		k.load(e)
	default:
		k.failed = true
	}
}

// ref names a variable by its value where that is known, else by the place that gave it its value.
func (k *keywriter) ref(e *hast.Ref) {
	if tracked(e.Var) && e.T.Kind != types.Bool {
		k.WriteString(k.a.variable(e.Var, k.s).String())
		return
	}
	fmt.Fprintf(k, "%p.%p", e.Var, definer(e.Var, k.s))
}

// load: pixels of an image that the stage does not write stay as they are.
func (k *keywriter) load(e *hast.Load) {
	if k.s.written[e.Image.Base()] {
		k.failed = true
		return
	}
	index := make([]hast.Expr, len(e.Index))
	for i, c := range e.Index {
		index[i] = c.X
	}
	k.all(fmt.Sprintf("%p.%p", e.Image, e.Rule), index...)
}
