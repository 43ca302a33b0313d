package relax

import (
	"math"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/normal"
	"imgc/types"
)

// Program is p with what its stages and functions compute rewritten. It does not change p.
func Program(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = make([]*hast.Pipeline, len(p.Pipelines))
	for i, q := range p.Pipelines {
		x := *q
		x.Steps = hast.MapStages(q.Steps, stage)
		out.Pipelines[i] = &x
	}
	return &out
}

// stage rewrites expression by expression, and then products across the lets that they are made of.
func stage(s *hast.Stage) *hast.Stage {
	r := &rewriter{parts: map[*hast.Var]*product{}}
	out := *s
	body := r.stmts(hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr { return expr(hast.Map(e, normal.WithoutZeros)) }))
	out.Body = append(r.lets, r.withoutUnread(body)...)
	return &out
}

// rules are what is tried on operators of floats whose operands are rewritten.
var rules = map[ops.Op]func(*hast.Op) hast.Expr{
	ops.Div: reciprocal,
	ops.Exp: power,
}

// expr is e rewritten, its operands first.
func expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		o, ok := e.(*hast.Op)
		if !ok || rules[o.Op] == nil || o.T.Kind != types.F32 || o.T.IsArray() {
			return nil
		}
		x := &hast.Op{Typed: o.Typed, Op: o.Op, Args: make([]hast.Expr, len(o.Args))}
		for i, a := range o.Args {
			x.Args[i] = expr(a)
		}
		return rules[o.Op](x)
	})
}

// reciprocal is x / s as x * (1 / s) where s is the same for all instances: the quotient is computed once.
func reciprocal(o *hast.Op) hast.Expr {
	x, s := o.Args[0], o.Args[1]
	if c, ok := number(s); ok {
		if r := 1 / c; finite(r) {
			return times(x, r)
		}
		return o
	}
	if !hast.SameForAll(s) || constant(x) {
		return o
	}
	one := &hast.Op{Typed: o.Typed, Op: ops.Div, Args: []hast.Expr{number32(o.Typed, 1), s}}
	return &hast.Op{Typed: o.Typed, Op: ops.Mul, Args: []hast.Expr{x, one}}
}

// power is exp(x) as exp2(x * log2(e)).
func power(o *hast.Op) hast.Expr {
	return &hast.Op{Typed: o.Typed, Op: ops.Exp2, Args: []hast.Expr{times(o.Args[0], math.Log2E)}}
}

// times is x * k.
func times(x hast.Expr, k float64) hast.Expr {
	at := hast.Typed{T: x.Type(), At: x.Span()}
	return &hast.Op{Typed: at, Op: ops.Mul, Args: []hast.Expr{x, number32(at, k)}}
}

// finite reports whether f32 has x without losing digits to underflow.
func finite(x float64) bool {
	const least = 0x1p-126
	return math.Abs(x) >= least && math.Abs(x) <= math.MaxFloat32
}

// number is the value of a constant all of whose components are equal.
func number(e hast.Expr) (float64, bool) {
	if s, ok := e.(*hast.Splat); ok {
		return number(s.X)
	}
	c, ok := e.(*hast.Const)
	if !ok || c.T.Kind != types.F32 || c.T.IsArray() {
		return 0, false
	}
	for _, w := range c.Words {
		if w != c.Words[0] {
			return 0, false
		}
	}
	return c.Words[0].Float(), true
}

// number32 is a constant of a scalar or vector type, all of whose components are v.
func number32(t hast.Typed, v float64) hast.Expr {
	words := make([]types.Word, t.T.Words())
	for i := range words {
		words[i] = types.Float(float64(float32(v)))
	}
	return &hast.Const{Typed: t, Words: words}
}

func constant(e hast.Expr) bool {
	_, ok := number(e)
	return ok
}
