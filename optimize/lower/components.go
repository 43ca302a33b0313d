package lower

import (
	"imgc/hast"
	"imgc/ops"
)

// Updates by a func lock the pixel. Where the func treats each component by itself, and by an operator whose updates are atomic, no
// lock is needed: the components end up the same whatever their updates interleave with, and nobody looks in between.

// updateOps are the operators by which an update changes the components of a pixel; nil where a func does something else.
func updateOps(s *hast.Store) []ops.Op {
	lanes := int(s.Image.Elem.Lanes)
	if s.Func == nil {
		list := make([]ops.Op, lanes)
		for i := range list {
			list[i] = s.Op
		}
		return list
	}
	return componentOps(s.Func, lanes)
}

// componentOps are the operators of a func of two pixels that joins component by component; nil of any other.
func componentOps(f *hast.Func, lanes int) []ops.Op {
	if len(f.Params) != 2 || len(f.Body) != 1 || f.Result.IsArray() || f.Params[0].Type != f.Result || f.Params[1].Type != f.Result {
		return nil
	}
	kind := f.Result.Kind
	ret, ok := f.Body[0].(*hast.Return)
	if !ok || int(f.Result.Lanes) != lanes || kind.IsFloat() && kind.Bits() < 32 {
		return nil
	}
	list := make([]ops.Op, lanes)
	for i := range list {
		op, ok := componentOp(f, ret.Value, i, i)
		if !ok || !hast.Commutes(op, kind) {
			return nil
		}
		list[i] = op
	}
	return list
}

// componentOp is the operator that makes component k of a value, which becomes component lane of the result, from that component of both
// parameters.
func componentOp(f *hast.Func, e hast.Expr, k, lane int) (ops.Op, bool) {
	switch e := e.(type) {
	case *hast.Swizzle:
		return componentOp(f, e.X, e.Lanes[k], lane)
	case *hast.Vec:
		if part, k := partOf(e, k); part != nil {
			return componentOp(f, part, k, lane)
		}
	case *hast.Op:
		if len(e.Args) != 2 || e.T.Kind != f.Result.Kind {
			return ops.None, false
		}
		x, ok1 := paramLane(f, e.Args[0], k)
		y, ok2 := paramLane(f, e.Args[1], k)
		same := ok1 && ok2 && x.lane == lane && y.lane == lane && x.param != y.param
		return e.Op, same && e.Op != ops.Sub
	}
	return ops.None, false
}

type parameterLane struct{ param, lane int }

// paramLane is the component of a parameter that component k of a value is; false where it is none.
func paramLane(f *hast.Func, e hast.Expr, k int) (parameterLane, bool) {
	switch e := e.(type) {
	case *hast.Ref:
		for i, p := range f.Params {
			if p == e.Var {
				return parameterLane{i, k}, true
			}
		}
	case *hast.Swizzle:
		return paramLane(f, e.X, e.Lanes[k])
	case *hast.Vec:
		if part, k := partOf(e, k); part != nil {
			return paramLane(f, part, k)
		}
	}
	return parameterLane{}, false
}

// partOf is the part of a vector with component k, and which component of it that is; nil of a vector that repeats one part.
func partOf(v *hast.Vec, k int) (hast.Expr, int) {
	for _, p := range v.Parts {
		n := int(p.Type().Lanes)
		if k < n {
			return p, k
		}
		k -= n
	}
	return nil, 0
}
