package lower

import (
	"imgc/interval"
	"imgc/kir"
	"imgc/types"
)

// rangeOf bounds the integer that e computes; vars holds what is known of variables.
func rangeOf(e kir.Expr, vars map[*kir.Var]interval.Interval) interval.Interval {
	known := func(v *kir.Var) (interval.Interval, bool) {
		iv, ok := vars[v]
		return iv, ok
	}
	return rangeFrom(e, known, func(x kir.Expr) interval.Interval { return rangeOf(x, vars) })
}

// rangeFrom is rangeOf by what is known of variables, and of all elements of arrays, and of operands.
func rangeFrom(e kir.Expr, known func(*kir.Var) (interval.Interval, bool), of func(kir.Expr) interval.Interval) interval.Interval {
	k := e.Type().Kind
	all := interval.OfKind(k)
	if !k.IsInt() && k != types.Bool {
		return all
	}
	if v := kir.ValueOf(e); v != nil {
		if iv, ok := known(v); ok {
			return iv
		}
		return all
	}
	switch e := e.(type) {
	case *kir.Const:
		if len(e.Words) == 1 {
			return interval.OfWord(k, e.Words[0])
		}
	case *kir.Op:
		if of0 := e.Args[0].Type().Kind; of0.IsInt() {
			var room [mostOperands]interval.Interval
			if iv, _ := interval.InKind(e.Op, of0, rangesOf(room[:0], e.Args, of)...); iv.Within(all) {
				return iv
			}
		}
	case *kir.Convert:
		return rangeOfConvert(e, of(e.X))
	case *kir.Select:
		return of(e.Then).Join(of(e.Else))
	case *kir.Vec:
		iv := of(e.Parts[0])
		for _, p := range e.Parts[1:] {
			iv = iv.Join(of(p))
		}
		return iv
	case *kir.Lanes:
		return of(e.X)
	case *kir.GlobalID, *kir.GroupID:
		return interval.Between(0, interval.OfKind(types.I32).Hi)
	}
	return all
}

// rangeOfConvert bounds what becomes of a value in iv.
func rangeOfConvert(e *kir.Convert, iv interval.Interval) interval.Interval {
	from, all := e.X.Type().Kind, interval.OfKind(e.T.Kind)
	switch {
	case from == types.Bool:
		return interval.Bool
	case !from.IsInt() || e.How == kir.Bitcast:
		return all
	case e.How == kir.Saturate:
		return iv.Limit(all)
	}
	iv, _ = iv.Convert(from, e.T.Kind)
	return iv
}

// mostOperands is how many an operator has at most.
const mostOperands = 3

// rangesOf are the intervals of operands, where there is room.
func rangesOf(room []interval.Interval, args []kir.Expr, of func(kir.Expr) interval.Interval) []interval.Interval {
	for _, a := range args {
		room = append(room, of(a))
	}
	return room
}
