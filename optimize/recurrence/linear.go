package recurrence

import (
	"imgc/hast"
	"imgc/ops"
)

// A homogeneous is a linear recurrence without the terms that no pixel before goes into: c1 x[i-1] + ... + ck x[i-k].
type homogeneous struct {
	r     *recurrence
	state *state
	units []*hast.Var             // hold x[i-1], x[i-2], ...
	twins map[*hast.Var]*hast.Var // of lets that pixels before go into
}

// value is what stays of an expression that pixels before go into; nil where the expression is not linear in them, or computed in a
// kind in which that is not exact.
func (h *homogeneous) value(e hast.Expr) hast.Expr {
	switch e := e.(type) {
	case *hast.Load:
		if b, ok := h.r.back[e]; ok { // else pixels before say where it reads
			return ref(h.units[b.distance-1])
		}
	case *hast.Ref:
		return h.let(e.Var)
	case *hast.Convert:
		if !h.r.keeps(e, h.state, ops.Add) {
			return nil
		}
		return h.around(e, e.X)
	case *hast.Select:
		if h.pure(e.Cond) {
			return h.choice(e)
		}
	case *hast.Op:
		return h.op(e)
	case *hast.Call:
		if x := inlined(e); x != nil {
			return h.value(x)
		}
	}
	return nil
}

func (h *homogeneous) pure(e hast.Expr) bool { return h.r.sources(e) == 0 }

// part is value, and 0 of what no pixel before goes into.
func (h *homogeneous) part(e hast.Expr) hast.Expr {
	if h.pure(e) {
		return number(e.Type(), 0)
	}
	return h.value(e)
}

// around is e with the value of x, which stands in it, in its place.
func (h *homogeneous) around(e, x hast.Expr) hast.Expr {
	inner := h.value(x)
	if inner == nil {
		return nil
	}
	return hast.Map(e, func(y hast.Expr) hast.Expr {
		if y == x {
			return inner
		}
		return nil
	})
}

// let is the twin of a let. While the recurrence is looked at there are none yet.
func (h *homogeneous) let(v *hast.Var) hast.Expr {
	if twin := h.twins[v]; twin != nil {
		return ref(twin)
	}
	if x := h.r.lets[v]; x != nil {
		return h.value(x)
	}
	return nil
}

func (h *homogeneous) choice(e *hast.Select) hast.Expr {
	then, els := h.part(e.Then), h.part(e.Else)
	if then == nil || els == nil {
		return nil
	}
	return &hast.Select{Typed: e.Typed, Cond: e.Cond, Then: then, Else: els}
}

func (h *homogeneous) op(e *hast.Op) hast.Expr {
	k := e.T.Kind
	switch e.Op {
	case ops.Neg:
		return h.around(e, e.Args[0])
	case ops.Add, ops.Sub:
		return h.sum(e)
	case ops.Mul:
		if h.pure(e.Args[0]) {
			return h.around(e, e.Args[1])
		}
		if h.pure(e.Args[1]) {
			return h.around(e, e.Args[0])
		}
	case ops.Div:
		if k.IsFloat() && h.pure(e.Args[1]) {
			return h.around(e, e.Args[0])
		}
	case ops.Shl:
		if h.pure(e.Args[1]) {
			return h.around(e, e.Args[0])
		}
	case ops.Fma:
		return h.fused(e)
	case ops.Mix:
		if h.pure(e.Args[2]) {
			x, y := h.part(e.Args[0]), h.part(e.Args[1])
			if x != nil && y != nil {
				return op(ops.Mix, x, y, e.Args[2])
			}
		}
	}
	return nil
}

// sum leaves out the side that no pixel before goes into.
func (h *homogeneous) sum(e *hast.Op) hast.Expr {
	x, y := e.Args[0], e.Args[1]
	switch {
	case h.pure(y):
		return h.value(x)
	case h.pure(x) && e.Op == ops.Sub:
		if y = h.value(y); y != nil {
			return op(ops.Neg, y)
		}
		return nil
	case h.pure(x):
		return h.value(y)
	}
	if x, y = h.value(x), h.value(y); x == nil || y == nil {
		return nil
	}
	return op(e.Op, x, y)
}

// fused is fma(a, b, c), linear in c and in one of a and b.
func (h *homogeneous) fused(e *hast.Op) hast.Expr {
	a, b, c := e.Args[0], e.Args[1], h.part(e.Args[2])
	switch {
	case c == nil:
		return nil
	case h.pure(a) && h.pure(b):
		return c
	case h.pure(a):
		b = h.value(b)
	case h.pure(b):
		a = h.value(a)
	default:
		return nil
	}
	if a == nil || b == nil {
		return nil
	}
	return op(ops.Fma, a, b, c)
}

// inlined is the value of a func that is one expression, with the arguments in place of the parameters; nil of another func.
func inlined(e *hast.Call) hast.Expr {
	if len(e.Func.Body) != 1 {
		return nil
	}
	ret, ok := e.Func.Body[0].(*hast.Return)
	if !ok {
		return nil
	}
	args := map[*hast.Var]hast.Expr{}
	for i, p := range e.Func.Params {
		args[p] = e.Args[i]
	}
	return hast.Map(ret.Value, func(x hast.Expr) hast.Expr {
		if v, ok := x.(*hast.Ref); ok {
			return args[v.Var]
		}
		return nil
	})
}
