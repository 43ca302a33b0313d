package borders

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
)

// What is known of a coordinate by the axis of the image that it is one of: where it is kept inside, how, and where it is inside anyway.

// An axis is one of an image that is read.
type axis struct {
	first int64
	size  hast.Expr
	at    *ranges
}

// axis is one of an image, with lets of the host in its extent as they are in coordinates.
func (b *bordering) axis(m *hast.Image, k int) axis {
	size := b.values.value(m.Extent[k])
	if size == nil {
		size = m.Extent[k]
	}
	return axis{m.First(k), size, b.ranges}
}

// isFirst and isLast report whether an expression is the first or the last coordinate.
func (a axis) isFirst(e hast.Expr) bool { n, known := hast.Number(e); return known && n == a.first }

func (a axis) isLast(e hast.Expr) bool { return same(e, a.size, a.first-1) }

// clamped is the coordinate that the rule clamp is applied to.
func (a axis) clamped(e hast.Expr) folded {
	c := a.between(e)
	return folded{c, c.Below && c.Above}
}

// between is what a coordinate is kept between the first and the last one of. The extent is at least 1: there are no reads of views without pixels.
func (a axis) between(e hast.Expr) hast.Coord {
	switch x := e.(type) {
	case *hast.Select:
		if c, ok := a.chosen(x.Cond, false, x.Then, x.Else); ok {
			return c
		}
		if c, ok := a.chosen(x.Cond, true, x.Else, x.Then); ok {
			return c
		}
	case *hast.Op:
		switch x.Op {
		case ops.Max:
			if k := slices.IndexFunc(x.Args, a.isFirst); k >= 0 {
				c := a.between(x.Args[1-k])
				c.Below = true
				return c
			}
		case ops.Min:
			if k := slices.IndexFunc(x.Args, a.isLast); k >= 0 {
				c := a.between(x.Args[1-k])
				c.Above = true
				return c
			}
		case ops.Clamp:
			if a.isFirst(x.Args[1]) && a.isLast(x.Args[2]) {
				return hast.Coord{X: a.between(x.Args[0]).X, Below: true, Above: true}
			}
		}
	}
	return hast.Coord{X: e}
}

// chosen is between of an edge where a condition holds, or where it does not, and of another coordinate else: x < 0 ? 0 : x.
func (a axis) chosen(cond hast.Expr, not bool, edge, other hast.Expr) (c hast.Coord, ok bool) {
	beyond := a.at.atMost0(cond, not)
	if beyond == nil {
		return c, false
	}
	c = a.between(other)
	for _, x := range []hast.Expr{other, c.X} {
		if !a.at.exact(x) {
			continue
		}
		below, above := termsOf(x).minus(a.firstly()), a.lastly().minus(termsOf(x))
		switch {
		case beyond.near(below) && (a.isFirst(edge) || a.isFirstWhere(*beyond, edge)):
			c.Below = true
			return c, true
		case beyond.near(above) && (a.isLast(edge) || a.isLastWhere(*beyond, edge)):
			c.Above = true
			return c, true
		}
	}
	return c, false
}

// firstly and lastly are the first and the last coordinate.
func (a axis) firstly() terms { return terms{n: a.first} }

func (a axis) lastly() terms { return termsOf(a.size).plus(a.first - 1) }

// isFirstWhere reports whether a coordinate that is never below the first one is that where a sum is at most 0: in x > 0 ? x-1 : x it is 0.
func (a axis) isFirstWhere(beyond terms, e hast.Expr) bool {
	at, known := a.at.of(e)
	d, constant := beyond.minus(termsOf(e).minus(a.firstly())).constant()
	return known && at.Lo >= a.first && constant && d >= 0
}

// isLastWhere is the same of the last one.
func (a axis) isLastWhere(beyond terms, e hast.Expr) bool {
	d, constant := beyond.minus(a.lastly().minus(termsOf(e))).constant()
	return a.isCounter(e) && constant && d >= 0
}

// repeated is the coordinate that the rule repeat is applied to.
func (a axis) repeated(e hast.Expr) folded {
	if _, known := hast.Number(a.size); known || a.first != 0 { // remainders by numbers are cheap
		return folded{}
	}
	at, inside := a.turned(e)
	if at == nil || at == e {
		return folded{}
	}
	span, exact := a.at.of(at)
	return folded{hast.Coord{X: at, Below: !exact || span.Lo < 0, Above: !a.notAbove(at)}, inside}
}

// turned is an integer that is the same but for multiples of the extent, and whether the one given is inside for sure: without that it is inside where the program's word is that, or repeat is
// applied to it as well. It is nil where it may be another one.
func (a axis) turned(e hast.Expr) (at hast.Expr, inside bool) {
	switch x := e.(type) {
	case *hast.Op:
		if (x.Op == ops.Mod || x.Op == ops.Rem) && same(x.Args[1], a.size, 0) {
			return a.unturned(x.Args[0]), x.Op == ops.Mod
		}
	case *hast.Select:
		for _, not := range []bool{false, true} {
			edge, other := x.Then, x.Else
			if not {
				edge, other = other, edge
			}
			at, _ := a.turned(other)
			if beyond := a.at.atMost0(x.Cond, not); beyond != nil && at != nil && (a.turns(*beyond, edge, at) || a.turns(*beyond, edge, other)) {
				return at, false
			}
		}
	}
	return e, false
}

// turns reports whether where a sum is at most 0 one coordinate is another one with the extent, or without it, and nothing wraps: x - 1 + W of x - 1 below 0, or W - 1 of it where x is 0.
func (a axis) turns(beyond terms, edge, other hast.Expr) bool {
	if !a.at.exact(other) {
		return false
	}
	exact := a.at.exact(edge)
	size := termsOf(a.size)
	for _, turn := range []terms{size, size.negated()} {
		rest := termsOf(edge).minus(termsOf(other)).minus(turn)
		switch {
		case rest.is(terms{}):
			return exact || turn.is(size) && beyond.is(termsOf(other).plus(1)) // less than the extent, as it was below 0
		case rest.is(beyond) || rest.is(beyond.negated()):
			return exact && a.atLeast0(beyond)
		}
	}
	return false
}

// atLeast0 reports whether a sum is never below 0.
func (a axis) atLeast0(t terms) bool {
	if at, exact := a.at.of(linear.Sum(t.list, t.n)); exact && at.Lo >= 0 {
		return true
	}
	left := a.lastly().minus(t)
	return left.n == 0 && len(left.list) == 1 && !left.list[0].Minus && a.isCounter(left.list[0].X)
}

// unturned is a coordinate without the extent that programs add so that it is not below 0: y + j of y + j + H. It is nil where the sum may wrap, and be another coordinate under the rule.
func (a axis) unturned(e hast.Expr) hast.Expr {
	all := termsOf(e)
	k := slices.IndexFunc(all.list, func(t linear.Term) bool { return !t.Minus && hast.Equal(t.X, a.size) })
	if k < 0 {
		return e
	}
	rest := slices.Delete(slices.Clone(all.list), k, k+1)
	out := linear.Sum(rest, all.n)
	if !a.at.exact(e) && !a.fitsBehind(rest, all.n) {
		return nil
	}
	return out
}

// fitsBehind reports whether a sum is at most two coordinates behind the last one. With the extent it is at most 2^31 - 1 but where the extent is the greatest there is, of which 2^32 is a
// multiple, so that nothing changes where the sum wraps.
func (a axis) fitsBehind(list []linear.Term, n int64) bool {
	k := slices.IndexFunc(list, func(t linear.Term) bool { return !t.Minus && a.isCounter(t.X) })
	if k < 0 {
		return false
	}
	away := linear.Sum(slices.Delete(slices.Clone(list), k, k+1), n)
	at, exact := a.at.of(away)
	return exact && at.Hi <= 2 && a.at.exact(linear.Sum(list, n))
}

// isCounter reports whether a coordinate is a variable that counts up to the last one.
func (a axis) isCounter(e hast.Expr) bool {
	r, ok := e.(*hast.Ref)
	return ok && a.at.ends[r.Var] != nil && same(a.at.ends[r.Var], a.size, a.first)
}

// notBelow and notAbove report whether a coordinate is known not to be outside.
func (a axis) notBelow(e hast.Expr) bool {
	at, exact := a.at.of(e)
	return exact && at.Lo >= a.first
}

func (a axis) notAbove(e hast.Expr) bool {
	if n, known := hast.Number(a.size); known {
		at, exact := a.at.of(e)
		return exact && at.Hi < a.first+n
	}
	away := termsOf(e)
	k := slices.IndexFunc(away.list, func(t linear.Term) bool { return !t.Minus && a.isCounter(t.X) })
	if k < 0 {
		return false
	}
	at, exact := a.at.of(linear.Sum(slices.Delete(away.list, k, k+1), away.n))
	return exact && a.at.exact(e) && at.Hi <= 0
}
