package bounds

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/types"
)

// Of bounds what an expression of integers or bools computes, in each of its components; of others it says nothing. known is what is known of variables, pixels and whatever
// else the expression is made of beside operators; nil where that is nothing.
func Of(e hast.Expr, known func(hast.Expr) (interval.Interval, bool)) interval.Interval {
	k := e.Type().Kind
	if !k.IsInt() && k != types.Bool {
		return interval.OfKind(k)
	}
	switch e := e.(type) {
	case *hast.Const:
		return ofWords(k, e.Words)
	case *hast.Select:
		return Of(e.Then, known).Join(Of(e.Else, known))
	case *hast.Splat:
		return Of(e.X, known)
	case *hast.Swizzle:
		return Of(e.X, known)
	case *hast.Vec:
		iv := Of(e.Parts[0], known)
		for _, p := range e.Parts[1:] {
			iv = iv.Join(Of(p, known))
		}
		return iv
	case *hast.Convert:
		return ofConvert(e, known)
	case *hast.Op:
		return ofOp(e, known)
	}
	if known != nil {
		if iv, ok := known(e); ok {
			return iv
		}
	}
	return interval.OfKind(k)
}

// mostWords bounds the constants that are looked at.
const mostWords = 16

func ofWords(k types.Kind, words []types.Word) interval.Interval {
	if len(words) == 0 || len(words) > mostWords {
		return interval.OfKind(k)
	}
	iv := interval.OfWord(k, words[0])
	for _, w := range words[1:] {
		iv = iv.Join(interval.OfWord(k, w))
	}
	return iv
}

func ofConvert(e *hast.Convert, known func(hast.Expr) (interval.Interval, bool)) interval.Interval {
	from, to := e.X.Type().Kind, e.T.Kind
	if e.How == hast.Bitcast || !from.IsInt() && from != types.Bool || !to.IsInt() {
		return interval.OfKind(to)
	}
	iv := Of(e.X, known)
	if e.How == hast.Saturate {
		return iv.Limit(interval.OfKind(to))
	}
	iv, _ = iv.Convert(from, to)
	return iv
}

// mostOperands is how many an operator of integers has at most.
const mostOperands = 3

func ofOp(e *hast.Op, known func(hast.Expr) (interval.Interval, bool)) interval.Interval {
	of := e.Args[0].Type().Kind
	if !of.IsInt() && of != types.Bool || len(e.Args) > mostOperands {
		return interval.OfKind(e.T.Kind)
	}
	var in [mostOperands]interval.Interval
	for i, a := range e.Args {
		in[i] = Of(a, known)
	}
	iv, _ := interval.InKind(e.Op, of, in[:len(e.Args)]...)
	return iv
}
