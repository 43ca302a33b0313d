package hast

import "imgc/ops"

// LeastFar is how large a number has to be for coordinates above it to count as far away: kernels may treat these as rare.
const LeastFar = 1 << 16

// Near is a choice by whether the variable v, which counts instances, is below a number that few images reach: what it is there, or else what it is far away.
func Near(v *Var, below *Const, near, far Expr) Expr {
	return &Select{Typed: Typed{near.Type(), far.Span()}, Cond: Compare(ops.Lt, RefTo(v), below), Then: near, Else: far}
}

// IsNear takes such a choice apart; ok is false of all others. What Else has then is for few instances, if any.
func (e *Select) IsNear() (v *Var, below int64, ok bool) {
	cond, isOp := e.Cond.(*Op)
	if !isOp || cond.Op != ops.Lt {
		return nil, 0, false
	}
	r, isRef := cond.Args[0].(*Ref)
	below, known := Number(cond.Args[1])
	if !isRef || !known || below < LeastFar || r.Var.Class != Iterator {
		return nil, 0, false
	}
	return r.Var, below, true
}
