package plan

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// evaluator computes host expressions for the sizes that are planned for. What only a run can tell counts as 1.
func evaluator(size func(*hast.Var) int64) func(hast.Expr) int64 {
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
