package normal

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/hast/accumulate"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// summed is a list of statements in which loops that do nothing but to add up are sums, as C programmers write them:
//
//	var acc = 0.0;
//	for (d in bell) acc += bell[d] * src[y + d.y][x + d.x];
//
// is let acc = sum(...), and one of the least or the greatest of what it starts with and min(...), also where the loop leaves out points under a condition. Later phases separate these, compute them in words, and add up row by row. Sums begin with 0, so that the order of all additions is the loop's. A loop with several
// variables is a sum for each, since what they add is read or cheap, which neighbours share anyway; other loops stay, as those of bilateral filters, whose weights are computed once for all.
// Loops over whole lines, for (x in 0:W), are sums of anything, under conditions that pixels decide, too: groups share these, and what lets do not name is computed once.
func summed(list []hast.Stmt) []hast.Stmt {
	for i := range list {
		if next := sumsOf(list, i); next != nil {
			return summed(next)
		}
	}
	return list
}

// An accumulator is a variable that a loop adds to, or has the least or greatest of what it meets.
type accumulator struct {
	of   *hast.Var
	op   hast.ReduceOp
	at   int // its definition
	term hast.Expr
	cond hast.Expr // under which a point counts; nil for all

	counted [][]int64 // these points, with a condition
}

// sumsOf is the list with sums in the place of the loop at i; nil where that is none.
func sumsOf(list []hast.Stmt, i int) []hast.Stmt {
	loop, ok := list[i].(*hast.For)
	if !ok {
		return nil
	}
	space, body := accumulate.Nest(loop)
	points, known := block.Points(space, most)
	long := !known && space.Points == nil && ofSizes(space)
	if !long && len(points) < 2 {
		return nil
	}
	found := added(body, space, long)
	if len(found) == 0 {
		return nil
	}
	sums := map[*hast.Var]*hast.Var{}
	out := slices.Clone(list[:i])
	for k := range found {
		x := &found[k]
		if x.at = x.defined(list[:i]); x.at < 0 || accumulate.Changes(list, x.of) != 1 {
			return nil
		}
		if long {
			x.always()
		}
		if x.cond != nil {
			var some bool
			if x.counted, some = x.points(space); !some {
				return nil
			}
		}
		start := x.begins(list[x.at].(*hast.Define), out)
		v := *x.of
		v.Class = hast.Value
		sums[x.of] = &v
		out = append(out, &hast.Define{Var: &v, Init: x.over(space, start, loop), At: loop.At})
	}
	out = slices.DeleteFunc(out, func(s hast.Stmt) bool { return s == nil })
	return append(out, hast.MapStmts(list[i+1:], func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if r, ok := e.(*hast.Ref); ok && sums[r.Var] != nil {
				return hast.RefTo(sums[r.Var])
			}
			return nil
		})
	})...)
}

// added are the variables that a body adds to, each once, where it does nothing else but to define what it adds.
func added(body []hast.Stmt, space hast.Space, long bool) (found []accumulator) {
	lets := map[*hast.Var]hast.Expr{}
	known := func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if r, ok := e.(*hast.Ref); ok {
				return lets[r.Var]
			}
			return nil
		})
	}
	for _, st := range body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class != hast.Value || st.Init == nil || !cheap(st.Init, space.Vars) {
				return nil
			}
			lets[st.Var] = known(st.Init)
		case *hast.Set, *hast.If:
			x := accumulating(st, space.Vars, long)
			if x == nil || !long && !cheap(x.term, space.Vars) {
				return nil
			}
			if x.term = known(x.term); x.cond != nil {
				x.cond = known(x.cond)
			}
			found = append(found, *x)
		default:
			return nil
		}
	}
	var vars []*hast.Var
	for _, x := range found {
		vars = append(vars, x.of)
	}
	if slices.ContainsFunc(found, func(x accumulator) bool { return hast.Names(x.term, vars) || x.cond != nil && hast.Names(x.cond, vars) }) {
		return nil
	}
	return found
}

// accumulating is what a statement accumulates, in any case or under a condition; nil where it does anything else.
func accumulating(s hast.Stmt, vars []*hast.Var, long bool) *accumulator {
	switch s := s.(type) {
	case *hast.Set:
		return addedTo(s)
	case *hast.If:
		if len(s.Then) == 1 && len(s.Else) == 0 && (long || tells(s.Cond, vars)) {
			if x := accumulating(s.Then[0], vars, long); x != nil && x.cond == nil {
				x.cond = s.Cond
				return x
			}
		}
	}
	return nil
}

// tells reports whether a condition is of the point alone. Where it is of pixels, a choice takes as long in a sum as in the loop, or longer.
func tells(cond hast.Expr, vars []*hast.Var) bool {
	return evaluate.Closed(cond, func(v *hast.Var) bool { return slices.Contains(vars, v) })
}

// addedTo is what a statement adds to the variable that it changes, or has it be the least or greatest of; nil where it does anything else.
func addedTo(s *hast.Set) *accumulator {
	if op, term := accumulate.Of(s); term != nil {
		return &accumulator{of: s.Var, op: op, term: term}
	}
	return nil
}

// cheap reports whether a value may be computed again for another sum: it is read, or made of what is read by additions and products, and of weights, which will be constants.
func cheap(e hast.Expr, vars []*hast.Var) bool {
	if evaluate.Closed(e, func(v *hast.Var) bool { return slices.Contains(vars, v) }) {
		return true
	}
	switch e := e.(type) {
	case *hast.Op:
		if e.Op != ops.Add && e.Op != ops.Sub && e.Op != ops.Mul && e.Op != ops.Neg {
			return false
		}
	case *hast.Ref, *hast.Load, *hast.Convert, *hast.Splat, *hast.Swizzle, *hast.Elem:
	default:
		return false
	}
	ok := true
	hast.EachOperand(e, func(x hast.Expr) { ok = ok && cheap(x, vars) })
	return ok
}

// defined is where a list defines the variable: as 0, and of the least or greatest as a number, or of integers as what never changes; -1 where it does not. Of pixels that are no numbers
// the least of none is one.
func (x *accumulator) defined(list []hast.Stmt) int {
	if x.op == hast.Sum {
		return accumulate.DefinedAs0(list, x.of)
	}
	return slices.IndexFunc(list, func(s hast.Stmt) bool {
		d, ok := s.(*hast.Define)
		return ok && d.Var == x.of && starts(d.Init)
	})
}

// begins is what the variable begins with, which its definition becomes a let of where it is no constant: what it reads may be written before the loop. A definition that is not needed is
// left out of a list.
func (x *accumulator) begins(d *hast.Define, list []hast.Stmt) hast.Expr {
	if _, number := d.Init.(*hast.Const); number || x.op == hast.Sum {
		list[x.at] = nil
		return d.Init
	}
	first := *d.Var
	first.Class = hast.Value
	list[x.at] = &hast.Define{Var: &first, Init: d.Init, At: d.At}
	return hast.RefTo(&first)
}

// starts reports whether the least or the greatest may start with a value.
func starts(e hast.Expr) bool {
	if e == nil || e.Type().Kind.IsInt() {
		return e != nil && constantIn(e) && cheap(e, nil)
	}
	c, number := e.(*hast.Const)
	return number && !slices.ContainsFunc(c.Words, func(w types.Word) bool { return math.IsNaN(w.Float()) })
}

// over is what a loop makes of the variable, which starts with a value, with variables of its own. Points that its condition leaves out are none of its points.
func (x *accumulator) over(space hast.Space, start hast.Expr, loop *hast.For) hast.Expr {
	own := map[*hast.Var]*hast.Var{}
	s := hast.Space{Ranges: space.Ranges, Points: space.Points}
	if x.cond != nil {
		s.Ranges, s.Points = nil, x.counted
	}
	for _, v := range space.Vars {
		w := *v
		own[v] = &w
		s.Vars = append(s.Vars, &w)
	}
	elem := hast.Map(x.term, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok && own[r.Var] != nil {
			return hast.RefTo(own[r.Var])
		}
		return nil
	})
	all := &hast.Reduce{Typed: hast.Typed{T: x.of.Type, At: loop.At}, Op: x.op, Space: s, Elem: elem}
	if x.op != hast.Sum {
		by := map[hast.ReduceOp]ops.Op{hast.Min: ops.Min, hast.Max: ops.Max}[x.op]
		return &hast.Op{Typed: all.Typed, Op: by, Args: []hast.Expr{start, all}}
	}
	if c := ofEntries(all); c != nil {
		return c
	}
	return all
}

// always has points where the condition does not hold add what changes nothing.
func (x *accumulator) always() {
	if x.cond != nil {
		u := update{op: x.op}
		x.term, x.cond = u.where(x.cond, x.term), nil
	}
}

// points are those at which the condition holds; false where that is not known.
func (x *accumulator) points(space hast.Space) (list [][]int64, known bool) {
	points, _ := block.Points(space, most)
	holds, known := evaluate.Over(x.cond, space.Vars, points)
	for i, p := range points {
		if known && holds[i] != 0 {
			list = append(list, p)
		}
	}
	return list, known && len(list) > 0
}

// ofEntries is a sum of entries of a constant array, as of the weights of a mask; nil where it is of anything else.
func ofEntries(r *hast.Reduce) hast.Expr {
	e, ok := r.Elem.(*hast.Elem)
	if !ok || !ofConstant(e) {
		return nil
	}
	c, total := e.X.(*hast.Const), types.Word(0)
	points, _ := block.Points(r.Space, most)
	for _, p := range points {
		at, known := block.EntryAt(e.Index, c.T.Shape(), r.Space.Vars, p)
		if !known {
			return nil
		}
		total = ops.Eval(ops.Add, r.T.Kind, total, c.Words[at])
	}
	return number(r.T, total, r)
}
