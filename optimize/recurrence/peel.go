package recurrence

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// A scan may do something else in its first step than in all others, as look for the best end that dynamic programming goes back from, or take a pixel that the others compare
// with. Where that is a reduction over so much of an image that work-items may share it, or lines without it can be cut into chunks, the first step is a stage of its own, and the others are
// left without a condition.

// peeled is the first step of a scan and the rest of it; nil where it stays as it is.
func (pl *planner) peeled(s *hast.Stage) (first, rest *hast.Stage) {
	if s.Scan == nil || s.Where != nil || len(s.Body) == 0 || !covers(s) {
		return nil, nil
	}
	lets := s.Body[:len(s.Body)-1]
	if !onlyValues(lets) {
		return nil, nil
	}
	cond, then, els := sides(s.Body[len(s.Body)-1])
	if cond == nil {
		return nil, nil
	}
	axis := s.Scan.Axis
	at := s.Space.Ranges[axis].Lo
	if s.Scan.Down {
		at = hast.Plus(s.Space.Ranges[axis].Hi, -1)
	}
	is, known := tells(cond, s.Space.Vars[axis], at, s.Scan.Down)
	if !known {
		return nil, nil
	}
	if !is {
		then, els = els, then
	}
	if len(then) == 0 || len(els) == 0 {
		return nil, nil
	}
	rest = restOf(s, slices.Concat(lets, els))
	if !reducesMuch(then) && !pl.cuts(rest) {
		return nil, nil
	}
	return pl.firstStep(s, at, hast.Renewed(slices.Concat(lets, then))), rest
}

// cuts reports whether lines are cut into chunks without their first step, and not taken as wholes: with it, instances would ask in each step which one it is, and read nothing ahead.
func (pl *planner) cuts(rest *hast.Stage) bool {
	r := find(rest, pl.opts.Mode)
	return r != nil && (pl.opts.Whole == nil || !pl.opts.Whole(pl.out.Name, r.line()))
}

// onlyValues reports whether statements do nothing but to name values.
func onlyValues(list []hast.Stmt) bool {
	return !slices.ContainsFunc(list, func(s hast.Stmt) bool {
		d, ok := s.(*hast.Define)
		return !ok || d.Var.Class != hast.Value
	})
}

// covers reports whether the steps of a scan are the pixels along an axis of what it writes: there is a first one then.
func covers(s *hast.Stage) (found bool) {
	r := s.Space.Ranges[s.Scan.Axis]
	hast.EachStore(s.Body, func(st *hast.Store) {
		for axis := range st.Image.Extent {
			found = found || st.Image.View == nil && r.Covers(st.Image, axis)
		}
	})
	return found
}

// sides are what a statement does where a condition holds, and where not; without a condition it does not depend on one.
func sides(s hast.Stmt) (cond hast.Expr, then, els []hast.Stmt) {
	switch s := s.(type) {
	case *hast.If:
		return s.Cond, s.Then, s.Else
	case *hast.Store:
		if x, ok := s.Value.(*hast.Select); ok && x.Cond.Type() == boolType {
			side := func(value hast.Expr) []hast.Stmt {
				one := *s
				one.Value = value
				return []hast.Stmt{&one}
			}
			return x.Cond, side(x.Then), side(x.Else)
		}
	}
	return nil, nil, nil
}

// tells reports whether a condition holds in the step at which a variable has its first value alone, or in all others; known where it is one of these.
func tells(cond hast.Expr, v *hast.Var, first hast.Expr, down bool) (is, known bool) {
	x, ok := cond.(*hast.Op)
	if !ok || len(x.Args) != 2 {
		return false, false
	}
	op, one, other := x.Op, x.Args[0], x.Args[1]
	if !hast.IsVar(one, v) {
		if one, other = other, one; turned[op] != 0 {
			op = turned[op]
		}
	}
	if !hast.IsVar(one, v) || !hast.Equal(other, first) {
		return false, false
	}
	switch op {
	case ops.Eq:
		return true, true
	case ops.Ne:
		return false, true
	case ops.Le, ops.Gt:
		return op == ops.Le, !down
	case ops.Ge, ops.Lt:
		return op == ops.Ge, down
	}
	return false, false
}

// turned are comparisons with their operands exchanged; others are the same.
var turned = map[ops.Op]ops.Op{ops.Lt: ops.Gt, ops.Gt: ops.Lt, ops.Le: ops.Ge, ops.Ge: ops.Le}

// reducesMuch reports whether statements have a reduction over more points than the program says.
func reducesMuch(list []hast.Stmt) (found bool) {
	hast.WalkBody(list, nil, func(e hast.Expr) {
		r, ok := e.(*hast.Reduce)
		found = found || ok && slices.ContainsFunc(r.Space.Ranges, func(r hast.Range) bool {
			_, lo := hast.Number(r.Lo)
			_, hi := hast.Number(r.Hi)
			return !lo || !hi
		})
	})
	return found
}

// firstStep is a stage of the instances of one step.
func (pl *planner) firstStep(s *hast.Stage, at hast.Expr, body []hast.Stmt) *hast.Stage {
	out, axis := *s, s.Scan.Axis
	out.Name, out.Scan = pl.name(s.Name, "first"), nil
	out.Body = hast.MapStmts(body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if hast.IsVar(e, s.Space.Vars[axis]) {
				return at
			}
			return nil
		})
	})
	out.Space = hast.Space{Vars: slices.Delete(slices.Clone(s.Space.Vars), axis, axis+1), Ranges: slices.Delete(slices.Clone(s.Space.Ranges), axis, axis+1)}
	if len(out.Space.Vars) == 0 {
		out.Space = oneInstance(s)
	}
	return &out
}

// restOf is a scan without its first step.
func restOf(s *hast.Stage, body []hast.Stmt) *hast.Stage {
	out, axis := *s, s.Scan.Axis
	out.Body, out.Space.Ranges = body, slices.Clone(s.Space.Ranges)
	r := &out.Space.Ranges[axis]
	if s.Scan.Down {
		r.Hi = hast.Plus(r.Hi, -1)
	} else {
		r.Lo = hast.Plus(r.Lo, 1)
	}
	return &out
}
