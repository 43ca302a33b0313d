package pass

import (
	"slices"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// NVIDIA's assembler makes one saturating instruction of max(min(x, 1), 0) of floats, also where both belong to a sum or product, and that gives 0 for NaN, where min gives 1 (ptxas 12.0
// to 13.5, sm_75 to sm_120). What is not NaN and at least zero has the order of the integers that its bits are, so that the greater of it and 0 is the greater of two integers, which the
// assembler leaves alone, and which takes no longer. min(max(x, 0), 1) is 0 of NaN, as the instruction has it.

// clamps marks the Maxes with 0 of what may be the lesser of NaN and 1.
func clamps(p *kir.Program) {
	c := &clampsIn{values: map[*kir.Var][]kir.Expr{}, returned: map[*kir.Func][]kir.Expr{}}
	var found []*kir.Op
	eachBody(p, func(of *kir.Func, body []kir.Stmt) {
		eachValue(body, func(v *kir.Var, value kir.Expr) {
			if v == nil {
				c.returned[of] = append(c.returned[of], value)
			} else {
				c.values[v] = append(c.values[v], value)
			}
		})
		kir.WalkStmts(body, nil, func(e kir.Expr) {
			switch e := e.(type) {
			case *kir.Call:
				for i, v := range e.Func.Params {
					c.values[v] = append(c.values[v], e.Args[i])
				}
			case *kir.Op:
				if e.Op == ops.Max && kir.ByBits(e.T) {
					found = append(found, e)
				}
			}
		})
	})
	for _, max := range found {
		for i, x := range max.Args {
			if is(max.Args[1-i], 0) && c.capped(x, map[any]bool{}) && c.number(x, map[any]bool{}) {
				max.Short = true
			}
		}
	}
}

// clampsIn is what variables become in a program, and funcs return.
type clampsIn struct {
	values   map[*kir.Var][]kir.Expr
	returned map[*kir.Func][]kir.Expr
}

// is reports whether an expression is a number in all lanes, and of the sign of zeros that it has there.
func is(e kir.Expr, number float64) bool {
	if v, ok := e.(*kir.Vec); ok {
		return !slices.ContainsFunc(v.Parts, func(x kir.Expr) bool { return !is(x, number) })
	}
	c, ok := e.(*kir.Const)
	return ok && !slices.ContainsFunc(c.Words, func(w types.Word) bool { return w != types.Float(number) })
}

// sources are what a value is in the end: what is computed there, or read; nil for a value that has no others.
func (c *clampsIn) sources(e kir.Expr) (of any, list []kir.Expr) {
	switch e := e.(type) {
	case *kir.Ref:
		return e.Var, c.values[e.Var]
	case *kir.Elem:
		return e.Var, c.values[e.Var]
	case *kir.Call:
		return e.Func, c.returned[e.Func]
	case *kir.Select:
		return e, []kir.Expr{e.Then, e.Else}
	case *kir.Vec:
		return e, e.Parts
	case *kir.Lanes:
		return e, []kir.Expr{e.X}
	case *kir.Convert:
		if e.X.Type().Kind.IsFloat() {
			return e, []kir.Expr{e.X}
		}
	}
	return nil, nil
}

// capped reports whether a value may be the lesser of NaN and 1.
func (c *clampsIn) capped(e kir.Expr, seen map[any]bool) bool {
	if min, ok := e.(*kir.Op); ok && min.Op == ops.Min {
		for i, x := range min.Args {
			if is(x, 1) && !c.number(min.Args[1-i], map[any]bool{}) {
				return true
			}
		}
		return false
	}
	of, list := c.sources(e)
	if of == nil || seen[of] {
		return false
	}
	seen[of] = true
	return slices.ContainsFunc(list, func(x kir.Expr) bool { return c.capped(x, seen) })
}

// number reports whether a value is never NaN. What is seen again is what it would be without that.
func (c *clampsIn) number(e kir.Expr, seen map[any]bool) bool {
	switch e := e.(type) {
	case *kir.Const:
		return !slices.ContainsFunc(e.Words, func(w types.Word) bool { return w.Float() != w.Float() })
	case *kir.Op:
		return (e.Op == ops.Min || e.Op == ops.Max) && slices.ContainsFunc(e.Args, func(x kir.Expr) bool { return c.number(x, seen) })
	case *kir.Convert:
		if e.X.Type().Kind.IsInt() {
			return true
		}
	}
	of, list := c.sources(e)
	if of == nil || len(list) == 0 {
		return false
	}
	if seen[of] {
		return true
	}
	seen[of] = true
	return !slices.ContainsFunc(list, func(x kir.Expr) bool { return !c.number(x, seen) })
}
