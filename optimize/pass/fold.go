package pass

import (
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// fold computes operators on constants, conversions of them and choices by them, by the table of operators that the interpreter
// computes with.
func fold(body []kir.Stmt) []kir.Stmt { return stmts(exprs(body, folded), taken) }

// taken is what a branch of a constant condition runs, unless nothing behind it would be reached.
func taken(s kir.Stmt) []kir.Stmt {
	branch, ok := s.(*kir.If)
	if !ok {
		return []kir.Stmt{s}
	}
	c, ok := number(branch.Cond)
	if !ok {
		return []kir.Stmt{s}
	}
	list := branch.Then
	if c == 0 {
		list = branch.Else
	}
	if n := len(list); n > 0 {
		switch list[n-1].(type) {
		case *kir.Break, *kir.Continue, *kir.Return:
			return []kir.Stmt{s}
		}
	}
	return list
}

func folded(e kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Op:
		return foldedOp(e)
	case *kir.Convert:
		if c, ok := e.X.(*kir.Const); ok && e.How != kir.Bitcast {
			return &kir.Const{Typed: e.Typed, Words: converted(c, e), Name: c.Name}
		}
	case *kir.Select:
		if c, ok := number(e.Cond); ok {
			if c != 0 {
				return e.Then
			}
			return e.Else
		}
	}
	return e
}

func converted(c *kir.Const, e *kir.Convert) []types.Word {
	out := make([]types.Word, len(c.Words))
	for i, w := range c.Words {
		if e.How == kir.Saturate {
			out[i] = types.Saturate(w, c.T.Kind, e.T.Kind)
		} else {
			out[i] = types.Convert(w, c.T.Kind, e.T.Kind)
		}
	}
	return out
}

func foldedOp(e *kir.Op) kir.Expr {
	if r := e.Op.Info().Result; r != ops.Same && r != ops.Truth || !e.Args[0].Type().IsScalar() {
		return e
	}
	in := make([]types.Word, len(e.Args))
	for i, a := range e.Args {
		c, ok := a.(*kir.Const)
		if !ok {
			return decided(withoutNeutral(e))
		}
		in[i] = c.Words[0]
	}
	return &kir.Const{Typed: e.Typed, Words: []types.Word{ops.Eval(e.Op, e.Args[0].Type().Kind, in...)}}
}

// neutral are the numbers that change nothing as the right operand of an integer operator.
var neutral = map[ops.Op]int64{ops.Add: 0, ops.Sub: 0, ops.Mul: 1, ops.Div: 1, ops.Shl: 0, ops.Shr: 0, ops.Or: 0, ops.Xor: 0}

func withoutNeutral(e *kir.Op) kir.Expr {
	if len(e.Args) != 2 || !e.T.Kind.IsInt() {
		return e
	}
	n, known := neutral[e.Op]
	if c, ok := number(e.Args[1]); ok && known && c == n && e.Args[0].Type() == e.T {
		return e.Args[0]
	}
	return e
}

// decided are conditions that come out the same whatever their operands are.
func decided(e kir.Expr) kir.Expr {
	op, ok := e.(*kir.Op)
	if !ok || len(op.Args) != 2 {
		return e
	}
	for i, other := range [2]int{1, 0} {
		if c, ok := number(op.Args[i]); ok && op.Op.Lazy() {
			if (c != 0) == (op.Op == ops.LAnd) {
				return op.Args[other]
			}
			return op.Args[i]
		}
	}
	return byKinds(op)
}

// comparisons are the operators that ranges may decide.
var comparisons = map[ops.Op]bool{ops.Lt: true, ops.Le: true, ops.Gt: true, ops.Ge: true, ops.Eq: true, ops.Ne: true}

// byKinds decides comparisons of integers that come out the same for all values of their kinds. Compilers warn of them: nvcc calls
// a comparison of a byte with a negative number pointless.
func byKinds(e *kir.Op) kir.Expr {
	if !comparisons[e.Op] || !isInteger(e.Args[0]) || !isInteger(e.Args[1]) {
		return e
	}
	iv, ok := interval.Of(e.Op, ofKinds(e.Args[0]), ofKinds(e.Args[1]))
	if !ok || iv.Lo != iv.Hi {
		return e
	}
	return &kir.Const{Typed: e.Typed, Words: []types.Word{types.Truth(iv.Lo != 0)}}
}

func isInteger(e kir.Expr) bool { return e.Type().IsScalar() && e.Type().Kind.IsInt() }

// ofKinds bounds an integer by its kind, and by the kinds that it has been converted from.
func ofKinds(e kir.Expr) interval.Interval {
	k := e.Type().Kind
	switch e := e.(type) {
	case *kir.Const:
		return interval.OfWord(k, e.Words[0])
	case *kir.Convert:
		from := e.X.Type().Kind
		switch {
		case e.How == kir.Bitcast || !isInteger(e.X):
		case e.How == kir.Saturate:
			return ofKinds(e.X).Limit(interval.OfKind(k))
		default:
			iv, _ := ofKinds(e.X).Convert(from, k)
			return iv
		}
	}
	return interval.OfKind(k)
}

// number is the value of a scalar constant that is an integer or a bool.
func number(e kir.Expr) (int64, bool) {
	c, ok := e.(*kir.Const)
	if !ok || !c.T.IsScalar() || !c.T.Kind.IsInt() && c.T.Kind != types.Bool {
		return 0, false
	}
	return c.Words[0].Int(), true
}

// saturate turns the conversion of clamp(x, lo, hi), of min(max(x, lo), hi) and of max(min(x, hi), lo), where lo and hi are the ends of
// the kind converted to, into one that saturates.
func saturate(body []kir.Stmt) []kir.Stmt {
	return exprs(body, func(e kir.Expr) kir.Expr {
		c, ok := e.(*kir.Convert)
		if !ok || c.How == kir.Bitcast || !c.T.IsScalar() || !c.T.Kind.IsInt() || c.T.Kind == types.U64 || !c.X.Type().Kind.IsInt() {
			return e
		}
		x := clamped(c.X, types.Lowest(c.T.Kind).Int(), types.Highest(c.T.Kind).Int())
		if x == nil || x.Type().Kind == types.U64 {
			return e
		}
		return &kir.Convert{Typed: c.Typed, X: x, How: kir.Saturate}
	})
}

// clamped is what an expression brings between lo and hi; nil where it does not.
func clamped(e kir.Expr, lo, hi int64) kir.Expr {
	op, ok := e.(*kir.Op)
	if !ok {
		return nil
	}
	is := func(e kir.Expr, n int64) bool {
		c, ok := number(e)
		return ok && c == n
	}
	bounded := func(outer, inner ops.Op, first, second int64) kir.Expr {
		in, ok := op.Args[0].(*kir.Op)
		if op.Op == outer && is(op.Args[1], first) && ok && in.Op == inner && is(in.Args[1], second) {
			return in.Args[0]
		}
		return nil
	}
	switch {
	case op.Op == ops.Clamp && is(op.Args[1], lo) && is(op.Args[2], hi):
		return op.Args[0]
	case op.Op == ops.Min:
		return bounded(ops.Min, ops.Max, hi, lo)
	case op.Op == ops.Max:
		return bounded(ops.Max, ops.Min, lo, hi)
	}
	return nil
}
