package borders

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/interval"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A ranges knows in which intervals variables of a stage and its loops lie.
type ranges struct {
	known map[*hast.Var]interval.Interval
	ends  map[*hast.Var]hast.Expr // of variables that count up: they are below
}

// newRanges knows the variables of a stage.
func newRanges(s *hast.Stage, sizes map[*hast.Var]interval.Interval) *ranges {
	r := &ranges{map[*hast.Var]interval.Interval{}, map[*hast.Var]hast.Expr{}}
	for v, at := range sizes {
		r.known[v] = at
	}
	r.bind(s.Space)
	return r
}

// ofSizes are the intervals of size names: extents have 1 to MaxExtent pixels.
func ofSizes(p *hast.Pipeline) map[*hast.Var]interval.Interval {
	out := map[*hast.Var]interval.Interval{}
	for _, m := range p.Images {
		if m.View != nil || m.Of != nil {
			continue
		}
		for _, extent := range m.Extent {
			v, times, more := multiple(extent)
			if v == nil || v.Class != hast.SizeVar {
				continue
			}
			at := interval.Between(ops.FloorQuotient(times-more, times), ops.FloorQuotient(hast.MaxExtent-more, times))
			if was, known := out[v]; known {
				at = at.Meet(was)
			}
			out[v] = at
		}
	}
	return out
}

// multiple takes an extent apart that is so many times a variable, and more.
func multiple(extent hast.Expr) (v *hast.Var, times, more int64) {
	all := termsOf(extent)
	if len(all.list) != 1 || all.list[0].Minus {
		return nil, 0, 0
	}
	times = 1
	x := all.list[0].X
	if p, ok := x.(*hast.Op); ok && p.Op == ops.Mul {
		k := slices.IndexFunc(p.Args, func(e hast.Expr) bool { _, known := hast.Number(e); return known })
		if k < 0 {
			return nil, 0, 0
		}
		times, _ = hast.Number(p.Args[k])
		x = p.Args[1-k]
	}
	r, ok := x.(*hast.Ref)
	if !ok || times < 1 {
		return nil, 0, 0
	}
	return r.Var, times, all.n
}

// bind notes what the variables of a space reach.
func (r *ranges) bind(s hast.Space) {
	reaches := block.Reaches(s, most)
	for k, v := range s.Vars {
		delete(r.known, v)
		delete(r.ends, v)
		switch {
		case v == nil:
		case reaches != nil:
			r.known[v] = interval.Between(reaches[k][0], reaches[k][1])
		case s.Points == nil:
			r.between(v, s.Ranges[k])
		}
	}
	if reaches == nil || s.Points != nil {
		return
	}
	for k, v := range s.Vars {
		if v != nil && s.Ranges[k].Step > 0 {
			r.ends[v] = s.Ranges[k].Hi
		}
	}
}

// between notes what one with bounds of the host reaches.
func (r *ranges) between(v *hast.Var, of hast.Range) {
	lo, okLo := r.of(of.Lo)
	hi, okHi := r.of(of.Hi)
	if !okLo || !okHi {
		return
	}
	at, runs := interval.Counting(lo, hi, of.Step)
	if !runs {
		at = lo // no matter what
	}
	if r.known[v] = at; of.Step > 0 {
		r.ends[v] = of.Hi
	}
}

// exact reports whether nothing in an integer wraps.
func (r *ranges) exact(e hast.Expr) bool { _, ok := r.of(e); return ok }

// i32 is what an integer of 32 bits may be.
var i32 = interval.OfKind(types.I32)

// of is what an integer lies in, if it has 32 bits and nothing in it wraps.
func (r *ranges) of(e hast.Expr) (at interval.Interval, ok bool) {
	if e.Type() != types.Scalar(types.I32) {
		return i32, false
	}
	switch x := e.(type) {
	case *hast.Const:
		return interval.OfWord(types.I32, x.Words[0]), true
	case *hast.Ref:
		if at, ok = r.known[x.Var]; ok {
			return at, true
		}
	case *hast.Select:
		then, okThen := r.where(x.Cond, false, x.Then)
		other, okElse := r.where(x.Cond, true, x.Else)
		return then.Join(other), okThen && okElse
	case *hast.Op:
		return r.result(x)
	}
	return i32, false
}

// result is what an operator of integers gives.
func (r *ranges) result(e *hast.Op) (at interval.Interval, ok bool) {
	args := make([]interval.Interval, len(e.Args))
	for k, x := range e.Args {
		if args[k], ok = r.of(x); !ok {
			return i32, false
		}
	}
	return interval.InKind(e.Op, types.I32, args...)
}

// where is what an integer lies in where a condition holds, or where it does not: x + W is less than W where x < 0.
func (r *ranges) where(cond hast.Expr, not bool, e hast.Expr) (at interval.Interval, ok bool) {
	x, isOp := e.(*hast.Op)
	if !isOp || x.Op != ops.Add && x.Op != ops.Sub {
		return r.of(e)
	}
	beyond := r.atMost0(cond, not)
	a, okA := r.of(x.Args[0])
	b, okB := r.of(x.Args[1])
	if beyond == nil || !okA || !okB {
		return r.of(e)
	}
	at, _ = interval.Of(x.Op, a, b)
	if up, ok := r.terms(termsOf(e).minus(*beyond)); ok {
		at.Hi = min(at.Hi, up.Hi)
	}
	if down, ok := r.terms(termsOf(e).minus(beyond.negated())); ok {
		at.Lo = max(at.Lo, down.Lo)
	}
	return at, at.Within(i32)
}

// terms is what a sum lies in.
func (r *ranges) terms(t terms) (at interval.Interval, ok bool) {
	at = interval.Point(t.n)
	for _, x := range t.list {
		of, ok := r.of(x.X)
		if !ok {
			return at, false
		}
		at = interval.Unbounded(linear.Sign(x.Minus), at, of)
	}
	return at, true
}

// A terms is a sum: of addends, and a number.
type terms struct {
	list []linear.Term
	n    int64
}

// termsOf is an integer of 32 bits as a sum.
func termsOf(e hast.Expr) terms {
	list, n := linear.Terms(e)
	return terms{list, n}
}

func (t terms) plus(n int64) terms { return terms{t.list, t.n + n} }

// minus is the difference of two sums, without what is in both.
func (t terms) minus(u terms) terms {
	out := terms{slices.Clone(t.list), t.n - u.n}
	for _, x := range u.list {
		if k := slices.IndexFunc(out.list, func(y linear.Term) bool { return y.Minus == x.Minus && hast.Equal(x.X, y.X) }); k >= 0 {
			out.list = slices.Delete(out.list, k, k+1)
			continue
		}
		out.list = append(out.list, linear.Term{X: x.X, Minus: !x.Minus})
	}
	return out
}

func (t terms) negated() terms { return terms{}.minus(t) }

// is reports whether two sums are the same.
func (t terms) is(u terms) bool {
	d, ok := t.minus(u).constant()
	return ok && d == 0
}

// constant is a sum that is a number.
func (t terms) constant() (int64, bool) { return t.n, len(t.list) == 0 }

// near reports whether a sum is another one, or 1 more.
func (t terms) near(u terms) bool {
	d, ok := t.minus(u).constant()
	return ok && (d == 0 || d == 1)
}

// same reports whether an integer is another one and a number more, modulo 2^32.
func same(x, y hast.Expr, n int64) bool {
	d, ok := termsOf(x).minus(termsOf(y)).constant()
	return ok && int32(d-n) == 0
}
