package plan

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// settled are the values of what the host defines once, of scalars that callers need not give, and of what depends on the level of a pyramid:
// those at a level, the finest of which is 0.
func settled(p *hast.Pipeline, level int) map[*hast.Var]hast.Expr {
	values := map[*hast.Var]hast.Expr{}
	enter := func(l *hast.Levels) {
		for _, s := range l.Scaled {
			x := s.Finest
			for range level {
				x = over(x, s.Factor)
			}
			values[s.Var] = x
			for _, v := range s.Finer {
				x = times(x, s.Factor)
				values[v] = x
			}
		}
	}
	for _, f := range p.Pyramids {
		for _, l := range f.Over {
			enter(l)
		}
	}
	for _, q := range p.Params {
		if q.Default != nil {
			values[q.Scalar] = &hast.Const{Typed: hast.Typed{T: q.Default.Type}, Words: q.Default.Words}
		}
	}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Traverse:
			enter(s.Levels)
		case *hast.DefineHost:
			if s.Var.Class == hast.HostValue && s.Value != nil {
				values[s.Var] = s.Value
			}
		}
	})
	return values
}

func times(x hast.Expr, n int64) hast.Expr {
	by := &hast.Const{Typed: hast.Typed{T: x.Type(), At: x.Span()}, Words: []types.Word{types.Int(n)}}
	return &hast.Op{Typed: by.Typed, Op: ops.Mul, Args: []hast.Expr{x, by}}
}

// over is an extent divided by n, of which a pixel is left.
func over(x hast.Expr, n int64) hast.Expr {
	by := &hast.Const{Typed: hast.Typed{T: x.Type(), At: x.Span()}, Words: []types.Word{types.Int(n)}}
	one := &hast.Const{Typed: by.Typed, Words: []types.Word{types.Int(1)}}
	part := &hast.Op{Typed: by.Typed, Op: ops.Div, Args: []hast.Expr{x, by}}
	return &hast.Op{Typed: by.Typed, Op: ops.Max, Args: []hast.Expr{part, one}}
}

// evaluator computes host expressions for the sizes that are planned for. known are the values of other variables; what only a run
// can tell counts as 1.
func evaluator(size func(*hast.Var) int64, known map[*hast.Var]hast.Expr) func(hast.Expr) int64 {
	var eval func(e hast.Expr) int64
	eval = func(e hast.Expr) int64 {
		switch e := e.(type) {
		case *hast.Const:
			if e.T.IsScalar() && (e.T.Kind.IsInt() || e.T.Kind == types.Bool) {
				return e.Words[0].Int()
			}
		case *hast.Ref:
			if e.Var.Class == hast.SizeVar {
				return size(e.Var)
			}
			if x := known[e.Var]; x != nil {
				return eval(x)
			}
		case *hast.Convert:
			return eval(e.X)
		case *hast.Select:
			if eval(e.Cond) != 0 {
				return eval(e.Then)
			}
			return eval(e.Else)
		case *hast.Op:
			if info := e.Op.Info(); e.T.IsScalar() && info.Result == ops.Same || info.Result == ops.Truth {
				in := make([]types.Word, len(e.Args))
				for i, a := range e.Args {
					if !a.Type().IsScalar() || !a.Type().Kind.IsInt() {
						return 1
					}
					in[i] = types.Int(eval(a))
				}
				return ops.Eval(e.Op, types.I64, in...).Int()
			}
		}
		return 1
	}
	return eval
}
