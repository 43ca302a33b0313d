package kir

import (
	"fmt"

	"imgc/ops"
	"imgc/types"
)

// Eval computes a host expression over the values of host variables. It computes as package ops does, but for 64-bit integers:
// a sum, product or shift that leaves 64 bits, and an Exact conversion of a value that the target kind lacks, are errors,
// since sizes that large must be refused and not wrap. What a short-circuit or a Select does not choose is not computed.
func Eval(e Expr, env map[*Var]types.Value) (types.Value, error) {
	words, err := (&evaluator{env}).eval(e)
	if err != nil {
		return types.Value{}, err
	}
	return types.Value{Type: e.Type(), Words: words}, nil
}

type evaluator struct{ env map[*Var]types.Value }

func (ev *evaluator) eval(e Expr) ([]types.Word, error) {
	switch e := e.(type) {
	case *Const:
		return e.Words, nil
	case *Ref:
		v, ok := ev.env[e.Var]
		if !ok || len(v.Words) != e.T.Words() {
			return nil, fmt.Errorf("internal error: the host variable %s has no value of type %s", e.Var.Name, e.T)
		}
		return v.Words, nil
	case *Op:
		return ev.op(e)
	case *Convert:
		return ev.convert(e)
	case *Select:
		return ev.choose(e)
	case *Vec:
		return ev.vector(e)
	case *Lanes:
		x, err := ev.eval(e.X)
		if err != nil {
			return nil, err
		}
		words := make([]types.Word, len(e.Lanes))
		for i, l := range e.Lanes {
			words[i] = x[l]
		}
		return words, nil
	}
	return nil, fmt.Errorf("internal error: %T is no host expression", e)
}

func (ev *evaluator) op(e *Op) ([]types.Word, error) {
	if len(e.Args) != e.Op.Info().Arity || !ops.Defined(e.Op, e.Args[0].Type().Kind) {
		return nil, fmt.Errorf("internal error: %s has no meaning in a host expression", ExprText(e))
	}
	args := make([][]types.Word, len(e.Args))
	for i, a := range e.Args {
		words, err := ev.eval(a)
		if err != nil {
			return nil, err
		}
		args[i] = words
		if i == 0 && (e.Op == ops.LAnd && words[0] == 0 || e.Op == ops.LOr && words[0] != 0) {
			return words, nil
		}
	}
	t := e.Args[0].Type()
	if r := e.Op.Info().Result; r == ops.Scalar || r == ops.Flag || e.Op == ops.Cross || e.Op == ops.Normalize {
		return ops.EvalVector(e.Op, t.Kind, args[0], args[len(args)-1]), nil
	}
	words := make([]types.Word, t.Words())
	for i := range words {
		lane := make([]types.Word, len(args))
		for j, a := range args {
			lane[j] = a[i]
		}
		if t.Kind == types.I64 && leaves64[e.Op] != nil && leaves64[e.Op](lane) {
			return nil, fmt.Errorf("%s does not fit 64 bits", ExprText(e))
		}
		words[i] = ops.Eval(e.Op, t.Kind, lane...)
	}
	return words, nil
}

const minInt64 = -1 << 63

// leaves64 tells for the operators on i64 whether the true result lies outside.
var leaves64 = map[ops.Op]func(a []types.Word) bool{
	ops.Neg: func(a []types.Word) bool { return a[0].Int() == minInt64 },
	ops.Abs: func(a []types.Word) bool { return a[0].Int() == minInt64 },
	ops.Add: func(a []types.Word) bool {
		x, y := a[0].Int(), a[1].Int()
		return x^(x+y) < 0 && y^(x+y) < 0
	},
	ops.Sub: func(a []types.Word) bool {
		x, y := a[0].Int(), a[1].Int()
		return x^y < 0 && x^(x-y) < 0
	},
	ops.Mul:      func(a []types.Word) bool { return productLeaves64(a[0].Int(), a[1].Int()) },
	ops.Div:      func(a []types.Word) bool { return a[0].Int() == minInt64 && a[1].Int() == -1 },
	ops.FloorDiv: func(a []types.Word) bool { return a[0].Int() == minInt64 && a[1].Int() == -1 },
	ops.Shl: func(a []types.Word) bool {
		n := a[1].Uint() & 63
		return a[0].Int()<<n>>n != a[0].Int()
	},
}

func productLeaves64(x, y int64) bool {
	if x == 0 || y == 0 {
		return false
	}
	p := x * y
	return p/y != x || x == -1 && y == minInt64 || y == -1 && x == minInt64
}

func (ev *evaluator) convert(e *Convert) ([]types.Word, error) {
	in, err := ev.eval(e.X)
	if err != nil {
		return nil, err
	}
	from, to := e.X.Type().Kind, e.T.Kind
	out := make([]types.Word, len(in))
	for i, w := range in {
		switch {
		case e.How == Bitcast:
			out[i] = types.Bitcast(w, from, to)
		case e.How == Saturate:
			out[i] = types.Saturate(w, from, to)
		default:
			out[i] = types.Convert(w, from, to)
		}
		if e.Exact && from.IsInt() && to.IsInt() && types.Saturate(w, from, to) != types.Convert(w, from, to) {
			return nil, fmt.Errorf("%s is %s, which does not fit %s", ExprText(e.X), wordText(from, w), to)
		}
	}
	return out, nil
}

func (ev *evaluator) choose(e *Select) ([]types.Word, error) {
	cond, err := ev.eval(e.Cond)
	if err != nil {
		return nil, err
	}
	if len(cond) == 1 {
		if cond[0] != 0 {
			return ev.eval(e.Then)
		}
		return ev.eval(e.Else)
	}
	then, err := ev.eval(e.Then)
	if err != nil {
		return nil, err
	}
	els, err := ev.eval(e.Else)
	if err != nil {
		return nil, err
	}
	out := make([]types.Word, len(cond))
	for i, c := range cond {
		if out[i] = els[i]; c != 0 {
			out[i] = then[i]
		}
	}
	return out, nil
}

func (ev *evaluator) vector(e *Vec) ([]types.Word, error) {
	words := make([]types.Word, e.T.Lanes)
	for i := range words {
		part, err := ev.eval(e.Parts[min(i, len(e.Parts)-1)])
		if err != nil {
			return nil, err
		}
		words[i] = part[0]
	}
	return words, nil
}
