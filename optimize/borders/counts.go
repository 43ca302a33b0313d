package borders

import (
	"maps"
	"slices"

	"imgc/hast"
	"imgc/hast/accumulate"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// How many pixels of a window are inside of an image is a product of how many are on each axis:
//
//	for (j in -2:3) for (i in -2:3) if (y+j >= 0 && y+j < H && x+i >= 0 && x+i < W) { s += src[y+j][x+i]; n += 1; }
//
// makes n (min(2, H-1-y) - max(-2, -y) + 1) * (min(2, W-1-x) - max(-2, -x) + 1). So a mean of what is inside is a sum of pixels under a rule, and a few operators.

// A count is a variable that a loop only adds a number to, under its condition.
type count struct {
	of *hast.Var
	by hast.Expr
}

// counted is a list of statements from a loop on, with counts in it taken out of it, and the statements before it, which define the counts; nil where there are none, or the loop keeps its
// condition without them.
func (b *bordering) counted(out, list []hast.Stmt) (before, now []hast.Stmt) {
	straightened, _ := straight(list[:1], false)
	loop, ok := straightened[0].(*hast.For)
	if !ok {
		return nil, nil
	}
	values := b.values
	defer func() { b.values = values }()
	b.values = values.branch()
	b.values.forget(list[:1])
	w := b.windowOf(loop)
	if w == nil {
		return nil, nil
	}
	counts := w.counts()
	if len(counts) == 0 {
		return nil, nil
	}
	n := b.pixels(w)
	if n == nil {
		return nil, nil
	}
	rest := hast.WithoutVars([]hast.Stmt{loop}, func(v *hast.Var) bool { return slices.ContainsFunc(counts, func(c count) bool { return c.of == v }) })
	b.values = values
	if len(rest) == 0 || b.keepsConditions(rest) {
		return nil, nil
	}
	return b.take(out, list, rest[0], counts, n)
}

// keepsConditions reports whether statements are under conditions still when their reads are under rules.
func (b *bordering) keepsConditions(list []hast.Stmt) bool {
	ruled, apart := maps.Clone(b.ruled), maps.Clone(b.apart)
	defer func() { b.ruled, b.apart = ruled, apart }()
	return hasConditions(b.inner(list))
}

// most bounds the points of windows that are counted.
const most = block.MostPoints

// A window is the loops of one, and what they do under a condition.
type window struct {
	loops []*hast.For
	cond  *hast.If
}

// windowOf is that of a loop in which nothing else is but lets and other loops, and one condition in the innermost.
func (b *bordering) windowOf(loop *hast.For) *window {
	w := &window{}
	for {
		w.loops = append(w.loops, loop)
		b.ranges.bind(loop.Space)
		n := len(loop.Body) - 1
		if n < 0 || slices.ContainsFunc(loop.Body[:n], func(s hast.Stmt) bool { return !isFree(s) }) {
			return nil
		}
		b.values.all(loop.Body[:n])
		switch x := loop.Body[n].(type) {
		case *hast.For:
			loop = x
			continue
		case *hast.If:
			if w.cond = x; len(x.Else) == 0 {
				return w
			}
		}
		return nil
	}
}

// counts are the variables that the condition of a window only adds a number to.
func (w *window) counts() (list []count) {
	for _, st := range w.cond.Then {
		s, ok := st.(*hast.Set)
		if !ok {
			continue
		}
		by, ok := accumulate.Summand(s).(*hast.Const)
		if !ok || !by.T.IsScalar() || by.T.Kind.IsFloat() && by.Words[0] != types.Float(1) || refersTo(w.loops[0], s.Var) != 1 {
			continue
		}
		list = append(list, count{s.Var, by})
	}
	return list
}

// refersTo is how often a statement reads a variable.
func refersTo(s hast.Stmt, v *hast.Var) (n int) {
	hast.WalkBody([]hast.Stmt{s}, nil, func(e hast.Expr) {
		if hast.IsVar(e, v) {
			n++
		}
	})
	return n
}

// A side is how far a variable of a loop goes.
type side struct{ lo, hi []hast.Expr }

// pixels are how many points of a window its condition holds at; nil where that is no product of how many values its variables have.
func (b *bordering) pixels(w *window) (all hast.Expr) {
	cond := b.conditionOf(w.cond.Cond, false)
	sides, points := b.sidesOf(w)
	if cond == nil || points > most {
		return nil
	}
	for _, at := range cond {
		if !b.bounds(at, sides) {
			return nil
		}
	}
	for _, loop := range w.loops {
		for _, v := range loop.Space.Vars {
			n := sides[v].length()
			if all == nil {
				all = n
			} else {
				all = hast.Binary(ops.Mul, all, n)
			}
		}
	}
	return all
}

// sidesOf are the ranges of the variables of a window, and how many points they have; more than most where that is not known.
func (b *bordering) sidesOf(w *window) (sides map[*hast.Var]*side, points int) {
	sides, points = map[*hast.Var]*side{}, 1
	for _, loop := range w.loops {
		list, known := block.Points(loop.Space, most/points)
		if !known || loop.Space.Points != nil {
			return nil, most + 1
		}
		points *= len(list)
		for k, r := range loop.Space.Ranges {
			lo, _ := hast.Number(r.Lo)
			hi, _ := hast.Number(r.Hi)
			if r.Step != 1 || points == 0 {
				return nil, most + 1
			}
			sides[loop.Space.Vars[k]] = &side{[]hast.Expr{hast.Int(lo)}, []hast.Expr{hast.Int(hi - 1)}}
		}
	}
	return sides, points
}

// bounds takes that a sum is at most 0 for a bound of the one variable in it; false where it is none.
func (b *bordering) bounds(at terms, sides map[*hast.Var]*side) bool {
	named := func(t linear.Term) bool {
		r, ok := t.X.(*hast.Ref)
		return ok && sides[r.Var] != nil
	}
	k := slices.IndexFunc(at.list, named)
	if k < 0 {
		return false
	}
	v := at.list[k]
	rest := terms{slices.Delete(slices.Clone(at.list), k, k+1), at.n}
	if slices.ContainsFunc(rest.list, func(t linear.Term) bool { return hast.Names(t.X, slices.Collect(maps.Keys(sides))) }) {
		return false
	}
	s := sides[v.X.(*hast.Ref).Var]
	if !v.Minus {
		rest = rest.negated()
	}
	bound := linear.Sum(rest.list, rest.n)
	if !b.ranges.exact(bound) {
		return false
	}
	if v.Minus {
		s.lo = append(s.lo, bound)
	} else {
		s.hi = append(s.hi, bound)
	}
	return true
}

// length is how many values there are.
func (s *side) length() hast.Expr {
	lo, hi := s.lo[0], s.hi[0]
	for _, x := range s.lo[1:] {
		lo = hast.Binary(ops.Max, lo, x)
	}
	for _, x := range s.hi[1:] {
		hi = hast.Binary(ops.Min, hi, x)
	}
	return hast.Binary(ops.Max, hast.Plus(hast.Binary(ops.Sub, hi, lo), 1), hast.Int(0))
}

// take is a list of statements from a loop on with counts in the place of those that the loop makes; nil where the loop keeps conditions without them.
func (b *bordering) take(out, list []hast.Stmt, loop hast.Stmt, counts []count, n hast.Expr) (before, now []hast.Stmt) {
	before = slices.Clone(out)
	lets := map[*hast.Var]hast.Expr{}
	for _, c := range counts {
		at := accumulate.DefinedAs0(before, c.of)
		if at < 0 || accumulate.Changes(b.stage.Body, c.of) != 1 {
			return nil, nil
		}
		v := *c.of
		v.Class = hast.Value
		lets[c.of] = hast.RefTo(&v)
		before = slices.Delete(before, at, at+1)
		now = append(now, &hast.Define{Var: &v, Init: c.times(n), At: loop.Span()})
	}
	now = append(now, loop)
	return before, append(now, hast.MapStmts(list[1:], func(e hast.Expr) hast.Expr { return hast.Replaced(e, lets) })...)
}

// times is a number that has been added so many times to 0.
func (c count) times(n hast.Expr) hast.Expr {
	if t := c.of.Type; t != n.Type() {
		n = &hast.Convert{Typed: hast.Typed{T: t, At: c.by.Span()}, X: n}
	}
	if one, known := hast.Number(c.by); c.of.Type.Kind.IsFloat() || known && one == 1 {
		return n // one by one
	}
	return hast.Binary(ops.Mul, c.by, n)
}
