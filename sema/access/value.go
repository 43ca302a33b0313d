package access

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// longest bounds the text of a value; what is more involved is treated as unknown, so that chains of min and max do not
// explode.
const longest = 600

// integer is what an expression of an integer kind computes, modulo 2^bits of its kind: sums and products are not cut to the
// kind, so that an index that is in range as a number is in range as computed.
func (a *analysis) integer(e hast.Expr, s *scope) prove.Lin {
	if l, ok := s.values[e]; ok {
		return l
	}
	l := a.compute(e, s)
	if l.IsUnknown() || len(l.Terms()) > 0 && len(l.String()) > longest {
		l = a.hidden(e, s)
	}
	if s.values == nil {
		s.values = map[hast.Expr]prove.Lin{}
	}
	s.values[e] = l
	return l
}

// exact is the value of an expression of an integer kind. Where it may wrap around, it is the value modulo 2^bits.
// In a bound that the host computes, what may not fit gets a check instead.
func (a *analysis) exact(e hast.Expr, s *scope) prove.Lin {
	l := a.integer(e, s)
	if a.bound != nil && s.host {
		if !a.intervalOf(l).Within(interval.OfKind(e.Type().Kind)) {
			a.checks.fits(e, s, l, a.bound.what, a.bound.at)
		}
		return l
	}
	if s.host && e.Type().Kind == types.I32 {
		return l // the host computes in 64 bits
	}
	if c, ok := s.exacts[e]; ok {
		return c
	}
	if l = a.cut(l, e.Type().Kind, s); l.IsUnknown() {
		l = a.hidden(e, s)
	}
	if s.exacts == nil {
		s.exacts = map[hast.Expr]prove.Lin{}
	}
	s.exacts[e] = l
	a.claim(e, l, s)
	return l
}

// cut brings a number into the range of a kind as the kind's arithmetic does.
func (a *analysis) cut(l prove.Lin, k types.Kind, s *scope) prove.Lin {
	full := interval.OfKind(k)
	if k.Bits() == 64 {
		return a.cutLong(l, full, s)
	}
	if a.intervalOf(l).Within(full) {
		return l
	}
	lo, hi := prove.K(full.Lo), prove.K(full.Hi)
	if a.holds(s, prove.And{prove.GE(l, lo), prove.LE(l, hi)}) {
		return l
	}
	return a.sys.Mod(l.Plus(-full.Lo), 1<<k.Bits()).Plus(full.Lo)
}

// compute is integer without its memory; Unknown where nothing but the interval is known.
func (a *analysis) compute(e hast.Expr, s *scope) prove.Lin {
	if t := e.Type(); !t.IsScalar() || !t.Kind.IsInt() {
		return prove.Unknown
	}
	switch e := e.(type) {
	case *hast.Const:
		return constant(e.T.Kind, e.Words[0])
	case *hast.Ref:
		return a.variable(e.Var, s)
	case *hast.Op:
		if f := arithmetic[e.Op]; f != nil {
			return f(a, e.Args, s)
		}
	case *hast.Convert:
		return a.convert(e, s)
	case *hast.Select:
		then, els := s.given(e.Cond, true), s.given(e.Cond, false)
		return a.sys.Select(a.truth(e.Cond, s), a.integer(e.Then, then), a.integer(e.Else, els))
	case *hast.Swizzle:
		if lane, at := a.laneOf(e, s); lane != nil {
			return a.integer(lane, at)
		}
		if x, at := a.resolve(e.X, s); x != nil {
			if r, ok := x.(*hast.Reduce); ok {
				return a.placeOf(r, e.Lanes[0], at)
			}
		}
		if c, elem, at := a.constantVectors(e, s); c != nil {
			if i, ok := a.position(elem, at); ok {
				return constant(c.T.Kind, c.Words[i*int(c.T.Lanes)+e.Lanes[0]])
			}
		}
	case *hast.Load:
		if c := a.device[e.Image]; c != nil {
			return a.exact(c.value, c.scope)
		}
	case *hast.Reduce:
		return a.placeOf(e, 0, s)
	case *hast.Elem:
		return a.element(e, s)
	case *hast.Call:
		if value, at := inlined(e, s); value != nil {
			return a.integer(value, at)
		}
	}
	return prove.Unknown
}

func constant(k types.Kind, w types.Word) prove.Lin {
	if k.IsUnsigned() && w.Uint() > beyond {
		return prove.Unknown
	}
	return prove.K(w.Int())
}

// resolve follows names to the expression that they stand for, and to the scope in which it was computed; nil if the value is
// not that of one expression.
func (a *analysis) resolve(e hast.Expr, s *scope) (hast.Expr, *scope) {
	for {
		if load, ok := e.(*hast.Load); ok && a.device[load.Image] != nil {
			e, s = a.device[load.Image].value, a.device[load.Image].scope
			continue
		}
		ref, ok := e.(*hast.Ref)
		if !ok {
			return e, s
		}
		def := definer(ref.Var, s)
		if def == nil {
			return nil, nil
		}
		switch f := def.frame.(type) {
		case assigned:
			if f.value == nil {
				return nil, nil
			}
			e, s = f.value, def.up
		case bound:
			e, s = f.argument(ref.Var), f.from
		default:
			return nil, nil
		}
	}
}

// inlined is the value that a func returns, if that is all it does beside definitions, and the scope in which to compute it.
func inlined(e *hast.Call, s *scope) (hast.Expr, *scope) {
	inner := s.enter(bound{e.Func.Params, e.Args, s})
	for _, st := range e.Func.Body {
		switch st := st.(type) {
		case *hast.Define:
			inner = inner.enter(assigned{st.Var, st.Init})
		case *hast.Return:
			return st.Value, inner
		default:
			return nil, nil
		}
	}
	return nil, nil
}

func (f bound) argument(v *hast.Var) hast.Expr {
	for i, p := range f.params {
		if p == v {
			return f.args[i]
		}
	}
	return nil
}

// definer is the scope whose frame gave v its value, nil for parameters and variables of funcs that are not inlined.
func definer(v *hast.Var, s *scope) *scope {
	for ; s != nil; s = s.up {
		switch f := s.frame.(type) {
		case assigned:
			if f.v == v {
				return s
			}
		case changed:
			if f.vars[v] {
				return s
			}
		case merged:
			if f.vars[v] {
				return s
			}
		case bound:
			if f.argument(v) != nil {
				return s
			}
		}
	}
	return nil
}

// variable is the value of an integer variable in a scope, modulo 2^bits.
func (a *analysis) variable(v *hast.Var, s *scope) prove.Lin {
	def := definer(v, s)
	if def == nil {
		return a.named(v, s)
	}
	if l, ok := def.variables[v]; ok {
		return l
	}
	l := prove.Unknown
	switch f := def.frame.(type) {
	case assigned:
		l = prove.K(0)
		if f.value != nil {
			l = a.integer(f.value, def.up)
		}
	case merged:
		l = a.sys.Select(a.truth(f.cond, def.up), a.variable(v, f.then), a.variable(v, f.els))
	case bound:
		l = a.integer(f.argument(v), f.from)
	}
	if l.IsUnknown() || len(l.String()) > longest {
		l = a.unknown(v)
		if def.host {
			a.constantly(l)
		}
	}
	if def.variables == nil {
		def.variables = map[*hast.Var]prove.Lin{}
	}
	def.variables[v] = l
	return l
}

// named is the value of a parameter, iterator or loop variable. An iterator is met here before its range where the scope was
// not turned into facts yet.
func (a *analysis) named(v *hast.Var, s *scope) prove.Lin {
	if l, ok := a.names[v]; ok {
		return l
	}
	a.path(s, false)
	if l, ok := a.names[v]; ok {
		return l
	}
	l := a.unknown(v)
	a.names[v] = l
	return l
}

// unknown is any value of v's type.
func (a *analysis) unknown(v *hast.Var) prove.Lin {
	return a.symbol(&symbol{text: v.Name, limits: interval.OfKind(v.Type.Kind)})
}

// element is an element of an array of constants, or of an array that is written out, at a constant index.
func (a *analysis) element(e *hast.Elem, s *scope) prove.Lin {
	x, at := a.resolve(e.X, s)
	i, ok := a.position(e, s)
	if !ok {
		return prove.Unknown
	}
	switch x := x.(type) {
	case *hast.Const:
		return constant(x.T.Kind, x.Words[i])
	case *hast.Array:
		return a.integer(x.Elems[i], at)
	}
	return prove.Unknown
}

// constantVectors is the array of constant vectors of which a component is taken, the element that is, and the scope of its index; nil if
// it is another value.
func (a *analysis) constantVectors(e *hast.Swizzle, s *scope) (*hast.Const, *hast.Elem, *scope) {
	x, at := a.resolve(e.X, s)
	elem, ok := x.(*hast.Elem)
	if !ok || !e.T.IsScalar() || !e.T.Kind.IsInt() {
		return nil, nil, nil
	}
	c, _ := first(a.resolve(elem.X, at)).(*hast.Const)
	return c, elem, at
}

// position is the number of the element that constant indices in range name.
func (a *analysis) position(e *hast.Elem, s *scope) (n int, ok bool) {
	for k, extent := range e.X.Type().Shape() {
		l := a.integer(e.Index[k], s)
		if !l.IsConstant() || l.Constant() < 0 || l.Constant() >= int64(extent) {
			return 0, false
		}
		n = n*extent + int(l.Constant())
	}
	return n, true
}

// convert is a conversion to an integer kind.
func (a *analysis) convert(e *hast.Convert, s *scope) prove.Lin {
	from, to := e.X.Type().Kind, e.T.Kind
	switch {
	case from == types.Bool:
		return a.sys.Select(a.truth(e.X, s), prove.K(1), prove.K(0))
	case !from.IsInt():
		return prove.Unknown
	case from.Bits() == 64 && to.Bits() == 64:
		return a.resigned(a.exact(e.X, s), from, to, e.How)
	case e.How == hast.Saturate:
		full := interval.OfKind(to)
		x := a.exact(e.X, s)
		switch {
		case a.intervalOf(x).Within(full):
			return x
		case to.Bits() == 64: // holds all that x may be, but for numbers below 0 where it has no sign
			return a.sys.Max(x, prove.K(full.Lo))
		}
		return a.sys.Clamp(x, prove.K(full.Lo), prove.K(full.Hi))
	case s.host && a.bound == nil && from != to:
		return a.cut(a.exact(e.X, s), to, s) // where it wraps, nothing that follows undoes it
	case from.Bits() >= to.Bits():
		return a.integer(e.X, s) // what wraps at from.Bits() wraps at to.Bits()
	}
	return a.exact(e.X, s)
}

// arithmetic computes integer operators; the results are right modulo 2^bits. What is not listed is unknown. It is filled by
// init because its functions come back to it through the expressions that they evaluate.
var arithmetic = map[ops.Op]func(a *analysis, args []hast.Expr, s *scope) prove.Lin{}

func init() {
	for op, f := range map[ops.Op]func(a *analysis, x []hast.Expr, s *scope) prove.Lin{
		ops.Neg:    func(a *analysis, x []hast.Expr, s *scope) prove.Lin { return a.integer(x[0], s).Neg() },
		ops.BitNot: func(a *analysis, x []hast.Expr, s *scope) prove.Lin { return a.integer(x[0], s).Neg().Plus(-1) },
		ops.Add: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			return a.integer(x[0], s).Add(a.integer(x[1], s))
		},
		ops.Sub: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			return a.integer(x[0], s).Sub(a.integer(x[1], s))
		},
		ops.Mul: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			return a.sys.Product(a.integer(x[0], s), a.integer(x[1], s))
		},
		ops.Abs: func(a *analysis, x []hast.Expr, s *scope) prove.Lin { return a.sys.Abs(a.exact(x[0], s)) },
		ops.Min: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			return a.sys.Min(a.exact(x[0], s), a.exact(x[1], s))
		},
		ops.Max: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			return a.sys.Max(a.exact(x[0], s), a.exact(x[1], s))
		},
		ops.Clamp: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			return a.sys.Clamp(a.exact(x[0], s), a.exact(x[1], s), a.exact(x[2], s))
		},
		ops.Sign: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			l, zero := a.exact(x[0], s), prove.K(0)
			return a.sys.Select(prove.GT(l, zero), prove.K(1), a.sys.Select(prove.LT(l, zero), prove.K(-1), zero))
		},
		ops.Div:      division{constant: (*analysis).quotient, quotient: true}.apply,
		ops.Rem:      division{constant: (*analysis).remainder}.apply,
		ops.FloorDiv: division{constant: (*analysis).floored, quotient: true, down: true}.apply,
		ops.Mod:      division{constant: (*analysis).modulo, down: true}.apply,
		ops.And:      func(a *analysis, x []hast.Expr, s *scope) prove.Lin { return a.bitAnd(x, s) },
		ops.Or:       func(a *analysis, x []hast.Expr, s *scope) prove.Lin { return a.bitSum(ops.Or, x, 1, s) },
		ops.Xor:      func(a *analysis, x []hast.Expr, s *scope) prove.Lin { return a.bitSum(ops.Xor, x, 2, s) },
		ops.Shl: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			if n, ok := a.shift(x, s); ok {
				return a.integer(x[0], s).Scale(1 << n)
			}
			return prove.Unknown
		},
		ops.Shr: func(a *analysis, x []hast.Expr, s *scope) prove.Lin {
			if n, ok := a.shift(x, s); ok {
				return a.sys.Shr(a.exact(x[0], s), n)
			}
			return prove.Unknown
		},
	} {
		arithmetic[op] = f
	}
}

// shift is the count of a shift, which is taken modulo the width, if it is constant.
func (a *analysis) shift(x []hast.Expr, s *scope) (n uint, ok bool) {
	l := a.integer(x[1], s)
	n = uint(l.Constant()) % uint(x[0].Type().Kind.Bits())
	return n, l.IsConstant() && n < 62
}

// bitSum is a | b = a + b - (a & b), with common = 1, or a ^ b = a + b - 2 * (a & b), with common = 2. Where the bits of both say more than that sum, it is
// a value of its own, of which both are known.
func (a *analysis) bitSum(op ops.Op, x []hast.Expr, common int64, s *scope) prove.Lin {
	sum := a.integer(x[0], s).Add(a.integer(x[1], s)).Sub(a.bitAnd(x, s).Scale(common))
	l, m := a.exact(x[0], s), a.exact(x[1], s)
	if l.IsUnknown() || m.IsUnknown() {
		return sum
	}
	limits := interval.Unbounded(op, a.bounded(x[0], l, s), a.bounded(x[1], m, s))
	if !sum.IsUnknown() && a.intervalOf(sum).Within(limits) {
		return sum
	}
	key := op.String() + "(" + l.String() + ", " + m.String() + ")"
	return a.keyedSymbol(key, &symbol{text: text(x[0]) + " " + op.String() + " " + text(x[1]), limits: limits}, func(v prove.Lin) []prove.Formula {
		if sum.IsUnknown() {
			return nil
		}
		return []prove.Formula{prove.EQ(v, sum)}
	})
}

// bounded bounds the value l of an expression, also by what is known of its operator.
func (a *analysis) bounded(e hast.Expr, l prove.Lin, s *scope) interval.Interval {
	iv := a.intervalOf(l)
	if x, at := a.resolve(e, s); x != nil {
		if op, ok := x.(*hast.Op); ok {
			iv = iv.Meet(a.opLimits(op, at))
		}
	}
	return iv
}

// bitAnd knows masks, numbers that have no bit in common because one is a multiple of a power of two that is above the other, and that a & b is at most the
// smaller of two numbers that are not negative.
func (a *analysis) bitAnd(x []hast.Expr, s *scope) prove.Lin {
	l, m := a.exact(x[0], s), a.exact(x[1], s)
	switch {
	case m.IsConstant() && !l.IsUnknown():
		return a.sys.BitAnd(l, m.Constant())
	case l.IsConstant() && !m.IsUnknown():
		return a.sys.BitAnd(m, l.Constant())
	}
	p, q := a.bounded(x[0], l, s), a.bounded(x[1], m, s)
	switch {
	case l.IsUnknown() || m.IsUnknown() || p.Lo < 0 || q.Lo < 0:
		return prove.Unknown
	case q.Hi < l.PowerOfTwo() || p.Hi < m.PowerOfTwo():
		return prove.K(0)
	}
	key := "and(" + l.String() + ", " + m.String() + ")"
	return a.keyedSymbol(key, &symbol{
		text: text(x[0]) + " & " + text(x[1]), limits: interval.Between(0, min(p.Hi, q.Hi)),
	}, func(v prove.Lin) []prove.Formula { return []prove.Formula{prove.LE(v, l), prove.LE(v, m)} })
}
