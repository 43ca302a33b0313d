package sema

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// What the host computes by itself are operators, built-ins and conversions of sizes, scalars and constants. All else is computed
// on the device, where it may stay. Where the host has to know such a value, to decide or to count, it waits for it.

// computed reports whether an expression of a pipeline needs the device: because it reads pixels, or because the host has no means
// to compute it.
func computed(x hast.Expr) bool {
	parts, ok := hostParts(x)
	if !ok {
		return true
	}
	for _, p := range parts {
		if computed(p) {
			return true
		}
	}
	return false
}

// hostParts are the operands of an expression that the host can compute if it knows them.
func hostParts(x hast.Expr) (parts []hast.Expr, ok bool) {
	switch x := x.(type) {
	case *hast.Const, *hast.Ref:
		return nil, true
	case *hast.Op:
		return x.Args, x.Op != ops.Cross && x.Op != ops.Normalize && !x.T.IsArray()
	case *hast.Convert:
		return []hast.Expr{x.X}, !x.T.IsArray()
	case *hast.Splat:
		return []hast.Expr{x.X}, !x.T.IsArray()
	case *hast.Select:
		return []hast.Expr{x.Cond, x.Then, x.Else}, !x.T.IsArray()
	case *hast.Vec:
		return x.Parts, true
	case *hast.Swizzle:
		return []hast.Expr{x.X}, true
	case *hast.Call:
		_, ok := inlined(x)
		return x.Args, ok
	}
	return nil, false
}

// awaited is an expression as the host computes it, with values fetched from the device where it needs them; nil after an error.
func (e *env) awaited(x hast.Expr) hast.Expr {
	parts, ok := hostParts(x)
	if !ok {
		return e.fetched(x)
	}
	known := make([]hast.Expr, len(parts))
	for i, p := range parts {
		if known[i] = e.awaited(p); known[i] == nil {
			return nil
		}
	}
	switch x := x.(type) {
	case *hast.Op:
		return reduced(&hast.Op{Typed: x.Typed, Op: x.Op, Args: known})
	case *hast.Call:
		value, _ := inlined(&hast.Call{Typed: x.Typed, Func: x.Func, Args: known})
		return e.awaited(value)
	}
	return rebuilt(x, known)
}

// rebuilt is an expression with other operands.
func rebuilt(x hast.Expr, parts []hast.Expr) hast.Expr {
	switch x := x.(type) {
	case *hast.Op:
		return &hast.Op{Typed: x.Typed, Op: x.Op, Args: parts}
	case *hast.Convert:
		return &hast.Convert{Typed: x.Typed, X: parts[0], How: x.How}
	case *hast.Splat:
		return &hast.Splat{Typed: x.Typed, X: parts[0]}
	case *hast.Select:
		return &hast.Select{Typed: x.Typed, Cond: parts[0], Then: parts[1], Else: parts[2]}
	case *hast.Vec:
		return &hast.Vec{Typed: x.Typed, Parts: parts}
	case *hast.Swizzle:
		return &hast.Swizzle{Typed: x.Typed, X: parts[0], Lanes: x.Lanes}
	case *hast.Call:
		return &hast.Call{Typed: x.Typed, Func: x.Func, Args: parts}
	}
	return x
}

// reduced is an operator that makes a scalar of a vector, written out with operators on scalars, which is all that the host has.
func reduced(x *hast.Op) hast.Expr {
	b := arith{x.At}
	lane := func(v hast.Expr, l int) hast.Expr {
		return &hast.Swizzle{Typed: typed(types.Scalar(v.Type().Kind), x.At), X: v, Lanes: []int{l}}
	}
	join := func(op ops.Op, term func(l int) hast.Expr) hast.Expr {
		sum := term(0)
		for l := 1; l < int(x.Args[0].Type().Lanes); l++ {
			sum = b.op(sum.Type(), op, sum, term(l))
		}
		return sum
	}
	v := x.Args[0]
	square := func(l int) hast.Expr {
		return b.op(types.Scalar(v.Type().Kind), ops.Mul, lane(v, l), lane(x.Args[len(x.Args)-1], l))
	}
	switch x.Op {
	case ops.Any:
		return join(ops.LOr, func(l int) hast.Expr { return lane(v, l) })
	case ops.All:
		return join(ops.LAnd, func(l int) hast.Expr { return lane(v, l) })
	case ops.Dot:
		return join(ops.Add, square)
	case ops.Length:
		return b.op(x.T, ops.Sqrt, join(ops.Add, square))
	}
	return x
}

// maxInlined bounds the nodes of a call that the host computes.
const maxInlined = 200

// inlined is the value of a call in terms of its arguments, where the func decides and names values, and does nothing else: the host
// has no funcs.
func inlined(x *hast.Call) (hast.Expr, bool) {
	in := inliner{values: map[*hast.Var]hast.Expr{}, budget: maxInlined}
	for i, p := range x.Func.Params {
		in.values[p] = x.Args[i]
	}
	value := in.body(x.Func.Body)
	return value, value != nil
}

// An inliner writes the body of a func as one expression. What it returns is nil where that is not possible.
type inliner struct {
	values map[*hast.Var]hast.Expr
	budget int
}

func (in *inliner) body(list []hast.Stmt) hast.Expr {
	for i, s := range list {
		switch s := s.(type) {
		case *hast.Define:
			if in.values[s.Var] = in.expr(s.Init); in.values[s.Var] == nil {
				return nil
			}
		case *hast.Return:
			return in.expr(s.Value)
		case *hast.If:
			rest := list[i+1:]
			cond := in.expr(s.Cond)
			then, otherwise := in.body(slices.Concat(s.Then, rest)), in.body(slices.Concat(s.Else, rest))
			if cond == nil || then == nil || otherwise == nil {
				return nil
			}
			return &hast.Select{Typed: typed(then.Type(), s.At), Cond: cond, Then: then, Else: otherwise}
		default:
			return nil
		}
	}
	return nil
}

func (in *inliner) expr(x hast.Expr) hast.Expr {
	if r, ok := x.(*hast.Ref); ok {
		return in.values[r.Var]
	}
	parts, ok := hostParts(x)
	if in.budget--; !ok || in.budget < 0 {
		return nil
	}
	inner := make([]hast.Expr, len(parts))
	for i, p := range parts {
		if inner[i] = in.expr(p); inner[i] == nil {
			return nil
		}
	}
	return rebuilt(x, inner)
}

// fetched computes a value on the device and has the host wait for it. A value that cannot change is fetched once in a scope.
func (e *env) fetched(x hast.Expr) hast.Expr {
	if !e.onePixel(x) {
		return nil
	}
	at := x.Span()
	if k := x.Type().Kind; k == types.F16 || k == types.BF16 { // the host has them as f32
		wide := &hast.Convert{Typed: typed(x.Type().WithKind(types.F32), at), X: x}
		return &hast.Convert{Typed: typed(x.Type(), at), X: e.fetched(wide)}
	}
	from := e.scalarOf(x)
	if from == nil {
		from = e.onDevice("value", x, at).(*hast.Load).Image
	}
	for s := e.scope; s != nil; s = s.parent {
		if v := s.fetched[from]; v != nil {
			return ref(v, at)
		}
	}
	v := &hast.Var{Name: from.Name, Type: x.Type(), Class: hast.HostValue, At: at}
	e.emit(&hast.Fetch{Var: v, From: from, At: at})
	if e.pipe.scalars[from] {
		if e.scope.fetched == nil {
			e.scope.fetched = map[*hast.Image]*hast.Var{}
		}
		e.scope.fetched[from] = v
	}
	e.noteWait(at)
	return ref(v, at)
}

// scalarOf is the device scalar or var that an expression loads; nil if it is another.
func (e *env) scalarOf(x hast.Expr) *hast.Image {
	if load, ok := x.(*hast.Load); ok && (e.pipe.scalars[load.Image] || e.pipe.vars[load.Image]) {
		return load.Image
	}
	return nil
}

// onePixel reports a value that no pixel holds.
func (e *env) onePixel(x hast.Expr) bool {
	if t := x.Type(); t.IsArray() {
		e.errorf(diag.WrongUse, x.Span(), "this is %s; a pipeline computes scalars and vectors", t).
			Note("arrays are values of constants, funcs and bodies")
		return false
	}
	return true
}

// noteWait says, once, where the host waits.
func (e *env) noteWait(at source.Span) {
	if e.waits[at] {
		return
	}
	if e.waits == nil {
		e.checker.waits = map[source.Span]bool{}
	}
	e.waits[at] = true
	e.diags.Infof(diag.HostWaits, at, "here the host waits for the device, which computes %s", excerpt(at))
}
