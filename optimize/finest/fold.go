package finest

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Folded is a host expression with what is constant in it computed.
func Folded(e hast.Expr) hast.Expr {
	op, ok := e.(*hast.Op)
	if !ok {
		return e
	}
	x := &hast.Op{Typed: op.Typed, Op: op.Op}
	words, kind := []types.Word{}, types.Bool
	for _, arg := range op.Args {
		arg = Folded(arg)
		x.Args = append(x.Args, arg)
		if c, ok := arg.(*hast.Const); ok && c.T.IsScalar() {
			words, kind = append(words, c.Words[0]), c.T.Kind
		}
	}
	switch {
	case len(words) == len(x.Args) && (kind.IsInt() || kind == types.Bool):
		return &hast.Const{Typed: op.Typed, Words: []types.Word{ops.Eval(op.Op, kind, words...)}}
	case len(words) == 1 && op.Op.Lazy():
		return shortened(x)
	}
	return x
}

// shortened is a condition of two one of which is known.
func shortened(x *hast.Op) hast.Expr {
	for i, arg := range x.Args {
		known, ok := arg.(*hast.Const)
		switch {
		case !ok:
		case known.Words[0].Truth() == (x.Op == ops.LOr):
			return known
		default:
			return x.Args[1-i]
		}
	}
	return x
}

// Truth is what a condition is known to be; known is false where it is not.
func Truth(e hast.Expr) (holds, known bool) {
	c, ok := e.(*hast.Const)
	return ok && c.Words[0].Truth(), ok
}
