package normal

import (
	"cmp"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

// forth is a scan whose variables count as the places do that it writes: u[H-1-i] = f(u[H-i]) under scan(i) is u[i] = f(u[i+1]) under scan(-i). So one form of each scan is
// left, of which later phases know how lines lie, and which pixels neighbouring instances have.
func forth(s *hast.Stage) *hast.Stage {
	if s.Scan == nil {
		return s
	}
	var back []int
	for axis, r := range s.Space.Ranges {
		if r.Step == 1 && goesBack(s, s.Space.Vars[axis]) {
			back = append(back, axis)
		}
	}
	if len(back) == 0 {
		return s
	}
	return reversed(s, back)
}

// goesBack reports whether all that a stage writes at places with a variable lies the further back the larger it is. Where the variable alone is a place along some axis, that says it: others may be slanted.
func goesBack(s *hast.Stage, v *hast.Var) bool {
	lets, some, all := hast.Values(s.Body), false, true
	hast.EachStore(s.Body, func(st *hast.Store) {
		alone, slanted := waysAlong(s, st, v, lets)
		if len(alone) == 0 {
			alone = slanted
		}
		some = some || len(alone) > 0
		all = all && !slices.ContainsFunc(alone, func(n int64) bool { return n > 0 })
	})
	return some && all
}

// waysAlong are how many pixels further along the axes of a store's image a place lies with a variable that is 1 more: where no other variable of the stage goes into the place, and elsewhere.
func waysAlong(s *hast.Stage, st *hast.Store, v *hast.Var, lets map[*hast.Var]hast.Expr) (alone, slanted []int64) {
	for _, i := range st.Index {
		var n, others int64
		parts, _ := linear.Parts(spelled(i, lets))
		for _, p := range parts {
			switch r, ok := p.X.(*hast.Ref); {
			case !ok:
			case r.Var == v:
				n = p.N
			case slices.Contains(s.Space.Vars, r.Var):
				others++
			}
		}
		switch {
		case n == 0:
		case others == 0:
			alone = append(alone, n)
		default:
			slanted = append(slanted, n)
		}
	}
	return alone, slanted
}

// spelled is an expression with what names stand for in their places.
func spelled(e hast.Expr, lets map[*hast.Var]hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok && lets[r.Var] != nil {
			return spelled(lets[r.Var], lets)
		}
		return nil
	})
}

// reversed is a copy of a stage some of whose variables, whose steps are 1, count from the other end; under a scan its instances come in the order in which they came.
func reversed(s *hast.Stage, axes []int) *hast.Stage {
	out, t := *s, reversal{map[*hast.Var]mirror{}, map[*hast.Var]hast.Expr{}}
	out.Space.Vars = slices.Clone(s.Space.Vars)
	for _, axis := range axes {
		v, r := *s.Space.Vars[axis], s.Space.Ranges[axis]
		t.mirrors[s.Space.Vars[axis]] = mirror{&v, linear.Plus(hast.Binary(ops.Add, r.Lo, r.Hi), -1), bounded(r)}
		out.Space.Vars[axis] = &v
		if s.Scan != nil && axis == s.Scan.Axis {
			scan := *s.Scan
			scan.Down = !scan.Down
			out.Scan = &scan
		}
	}
	if s.Where != nil {
		out.Where = t.expr(s.Where)
	}
	out.Body = hast.MapStmts(t.named(s.Body), t.expr)
	return &out
}

// A reversal are variables that take the place of others, and what names stand for that are nothing but one of them then.
type reversal struct {
	mirrors map[*hast.Var]mirror
	same    map[*hast.Var]hast.Expr
}

// named is a body with names of sums of variables that are made without other names. Those that are nothing but a variable, seen from the other end, vanish.
func (t reversal) named(body []hast.Stmt) []hast.Stmt {
	lets, sums := hast.Values(body), map[hast.Expr]hast.Expr{}
	for v, e := range lets {
		sum := spelled(e, lets)
		if !t.isPlace(sum) {
			continue
		}
		sums[e] = sum
		now := t.total(sum)
		if parts, _ := linear.Parts(now); len(parts) == 1 && parts[0].N == 1 {
			t.same[v] = now
		}
	}
	body = hast.MapStmts(body, func(e hast.Expr) hast.Expr { return cmp.Or(sums[e], e) })
	return hast.WithoutVars(body, func(v *hast.Var) bool { return t.same[v] != nil })
}

// isPlace reports whether an expression is a sum of variables alone, and of one that counts from the other end.
func (t reversal) isPlace(e hast.Expr) bool {
	parts, _ := linear.Parts(e)
	return t.total(e) != nil && !slices.ContainsFunc(parts, func(p linear.Part) bool {
		r, ok := p.X.(*hast.Ref)
		return !ok || r.Var.Class == hast.Mutable
	})
}

// A mirror is a variable that counts from the other end: it and the one whose place it takes are together the first and the last value.
type mirror struct {
	v     *hast.Var
	sum   hast.Expr
	small bool // these are so small that comparing differences is comparing values
}

// smallest is how far the constants may be from 0 with which a small variable is compared.
const smallest = 1 << 20

// bounded reports whether a range begins at 0 and ends at an extent, which is at most hast.MaxExtent.
func bounded(r hast.Range) bool {
	end, ok := r.Hi.(*hast.Ref)
	return r.Counts() && ok && end.Var.Class == hast.SizeVar
}

// expr is an expression with the new variables.
func (t reversal) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok && t.same[r.Var] != nil {
			return t.same[r.Var]
		}
		return cmp.Or(t.comparison(e), t.total(e))
	})
}

// total is a sum of which a variable is a part, put together anew, so that nothing is left of what cancels out; nil for others.
func (t reversal) total(e hast.Expr) hast.Expr {
	if e.Type() != types.Scalar(types.I32) {
		return nil
	}
	parts, k := linear.Parts(e)
	if !slices.ContainsFunc(parts, func(p linear.Part) bool { return t.of(p.X) != nil }) {
		return nil
	}
	var out []linear.Part
	for _, p := range parts {
		if m := t.of(p.X); m != nil {
			out, k = linear.Added(out, k, m.sum, p.N)
			out, k = linear.Added(out, k, hast.RefTo(m.v), -p.N)
		} else {
			out, k = linear.Added(out, k, t.expr(p.X), p.N)
		}
	}
	return linear.Of(out, k)
}

// of is what takes the place of a variable; nil of other expressions.
func (t reversal) of(e hast.Expr) *mirror {
	if r, ok := e.(*hast.Ref); ok {
		if m, ok := t.mirrors[r.Var]; ok {
			return &m
		}
	}
	return nil
}

// comparison is the comparison of a variable with something as one of the variable in its place; nil of other expressions.
func (t reversal) comparison(e hast.Expr) hast.Expr {
	x, ok := e.(*hast.Op)
	if !ok || len(x.Args) != 2 || backwards[x.Op] == ops.None {
		return nil
	}
	for i, a := range x.Args {
		m, other := t.of(a), x.Args[1-i]
		if m == nil || t.of(other) != nil || !m.compares(x.Op, other) {
			continue
		}
		parts, k := linear.Parts(m.sum)
		args := []hast.Expr{hast.RefTo(m.v), hast.RefTo(m.v)}
		args[1-i] = linear.Of(linear.Added(parts, k, t.expr(other), -1))
		return &hast.Op{Typed: x.Typed, Op: backwards[x.Op], Args: args}
	}
	return nil
}

// compares reports whether differences with the sum compare as values do: always where they are to be equal, since these are so modulo 2^32, and else where nothing wraps.
func (m *mirror) compares(op ops.Op, other hast.Expr) bool {
	k, known := hast.Number(other)
	return op == ops.Eq || op == ops.Ne || m.small && known && -smallest < k && k < smallest
}

// backwards are what comparisons are of what counts from the other end.
var backwards = map[ops.Op]ops.Op{ops.Eq: ops.Eq, ops.Ne: ops.Ne, ops.Lt: ops.Gt, ops.Gt: ops.Lt, ops.Le: ops.Ge, ops.Ge: ops.Le}
