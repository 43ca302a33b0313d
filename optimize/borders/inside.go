package borders

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/hast/accumulate"
	"imgc/hast/evaluate"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

// What a program computes with pixels under the condition that they are inside of their image is done everywhere, with pixels under the border rule constant, where that says the same:
//
//	if (y+j >= 0 && y+j < H && x+i >= 0 && x+i < W) s += mask[j][i] * src[y+j][x+i];
//
// adds mask[j][i] * 0 where the pixel is outside. So the sum has the same terms for all instances, and is computed as sums are.

// A condition is one under which pixels are read: all of some sums are at most 0.
type condition []terms

// conditionOf takes a condition, or its contrary, apart; nil where it is of another form.
func (b *bordering) conditionOf(cond hast.Expr, not bool) condition {
	value := b.values.value(cond)
	if value == nil || !value.Type().IsScalar() {
		return nil
	}
	return b.ranges.allOf(value, not)
}

// allOf is that of a value.
func (r *ranges) allOf(cond hast.Expr, not bool) condition {
	x, ok := cond.(*hast.Op)
	switch {
	case !ok:
		return nil
	case x.Op == ops.Not:
		return r.allOf(x.Args[0], !not)
	case x.Op == ops.LAnd && !not || x.Op == ops.LOr && not:
		one, two := r.allOf(x.Args[0], not), r.allOf(x.Args[1], not)
		if one == nil || two == nil {
			return nil
		}
		return slices.Concat(one, two)
	}
	if at := r.atMost0(cond, not); at != nil {
		return condition{*at}
	}
	return r.unsignedBelow(x, not)
}

// unsignedBelow is that of u32(i) < u32(n), which is i >= 0 && i < n in one, as C programmers have it.
func (r *ranges) unsignedBelow(x *hast.Op, not bool) condition {
	op := x.Op
	if not {
		op = contrary[op]
	}
	var i, n hast.Expr
	switch op {
	case ops.Lt:
		i, n = r.unsigned(x.Args[0]), r.unsigned(x.Args[1])
	case ops.Gt:
		n, i = r.unsigned(x.Args[0]), r.unsigned(x.Args[1])
	}
	if i == nil || n == nil {
		return nil
	}
	if at, _ := r.of(n); at.Lo < 0 {
		return nil
	}
	return condition{terms{}.minus(termsOf(i)), termsOf(i).minus(termsOf(n)).plus(1)}
}

// unsigned is the exact integer that has been made one without a sign; nil where there is none.
func (r *ranges) unsigned(e hast.Expr) hast.Expr {
	if c, ok := e.(*hast.Convert); ok && c.T == types.Scalar(types.U32) && c.How == hast.Wrap && r.exact(c.X) {
		return c.X
	}
	return nil
}

// A freeing takes reads out of the condition that they are done under.
type freeing struct {
	*bordering
	cond   condition
	around func(t types.Type) []types.Word // what pixels outside are, by their type
	found  []*hast.Image                   // of reads for which the condition is that they are inside
	failed bool                            // there are others that may be outside where it does not hold
	lets   map[*hast.Var]hast.Expr         // what those under the condition are where it does not hold
	values map[*hast.Load]*hast.Const      // what the new reads are there
}

// expr is an expression whose reads need no condition.
func (f *freeing) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			return f.load(e)
		case *hast.Window:
			f.failed = true
		case *hast.Elem:
			f.failed = f.failed || e.InRange && !f.inRange(e)
		}
		return nil
	})
}

// inRange reports whether the indices of an element are in range everywhere, and not where the condition holds alone.
func (f *freeing) inRange(e *hast.Elem) bool {
	shape := e.X.Type().Shape()
	for k, x := range e.Index {
		value := f.bordering.values.value(x)
		if value == nil {
			return false
		}
		if at, exact := f.ranges.of(value); !exact || at.Lo < 0 || at.Hi >= int64(shape[k]) {
			return false
		}
	}
	return true
}

// load is a read that needs no condition: under the rule constant, where the condition is that it is inside.
func (f *freeing) load(l *hast.Load) hast.Expr {
	index, ok := f.outside(l)
	switch {
	case ok && l.Image.View == nil && !f.left[l.Image]: // views may have no pixels
		words := f.around(l.Image.Elem)
		out := *l
		out.Index, out.Rule = index, f.known.constant(l.Image.Elem, words)
		f.found = append(f.found, l.Image)
		f.values[&out] = out.Rule.Value.(*hast.Const)
		return &out
	case !f.within(l):
		f.failed = true
	}
	return l
}

// outside are the coordinates of a read, with where they may be outside; false where the condition does not hold just if they are inside.
func (f *freeing) outside(l *hast.Load) ([]hast.Coord, bool) {
	if _, inside := l.Coordinates(); !inside {
		return nil, false
	}
	index, met := slices.Clone(l.Index), make([]bool, len(f.cond))
	for k := range index {
		x := f.bordering.values.value(index[k].X)
		if x == nil || !f.ranges.exact(x) {
			return nil, false
		}
		a := f.axis(l.Image, k)
		at := termsOf(x)
		below := f.meets(a.firstly().minus(at), met)
		above := f.meets(at.minus(a.lastly()), met)
		index[k] = hast.Coord{X: x, Below: below || !a.notBelow(x), Above: above || !a.notAbove(x)}
	}
	return index, !slices.Contains(met, false)
}

// meets reports whether that a sum is at most 0 is a part of the condition, and notes it.
func (f *freeing) meets(at terms, met []bool) (found bool) {
	for k, c := range f.cond {
		if d, constant := c.minus(at).constant(); constant && d == 0 {
			met[k], found = true, true
		}
	}
	return found
}

// within reports whether a read is allowed everywhere.
func (f *freeing) within(l *hast.Load) bool {
	for k, c := range l.Index {
		x := f.bordering.values.value(c.X)
		if x == nil || !f.ranges.exact(x) {
			return false
		}
		a := f.axis(l.Image, k)
		if !c.Below && !a.notBelow(x) || !c.Above && !a.notAbove(x) {
			return false
		}
	}
	return true
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

// constant is the rule constant with a pixel, the same for all that have it.
func (p *Borders) constant(t types.Type, words []types.Word) *hast.Rule {
	key := fmt.Sprint(t, words)
	if p.constants[key] == nil {
		p.constants[key] = &hast.Rule{Kind: hast.Constant, Value: &hast.Const{Typed: hast.Typed{T: t}, Words: words}}
	}
	return p.constants[key]
}

// beyond is what a freed expression is where the condition does not hold.
func (f *freeing) beyond(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			if c := f.values[e]; c != nil {
				return c
			}
		case *hast.Ref:
			if by := f.lets[e.Var]; by != nil {
				return by
			}
			if by := f.bordering.values.of[e.Var]; by != nil {
				return by
			}
		}
		return nil
	})
}

// always reports whether a value is known to be one for which a test holds, whatever the variables of loops around are.
func (b *bordering) always(e hast.Expr, test func(words []types.Word) bool) bool {
	var vars []*hast.Var
	closed := evaluate.Closed(e, func(v *hast.Var) bool {
		if _, known := b.ranges.known[v]; known && !slices.Contains(vars, v) {
			vars = append(vars, v)
		}
		return slices.Contains(vars, v)
	})
	if !closed {
		return false
	}
	points := b.ranges.box(vars)
	words, ok := evaluate.Over(e, vars, points)
	if !ok || len(points) == 0 {
		return false
	}
	n := len(words) / len(points)
	for k := range points {
		if !test(words[k*n : k*n+n]) {
			return false
		}
	}
	return true
}

// box are the points between the least and the greatest values of variables; nil where these are too many.
func (r *ranges) box(vars []*hast.Var) [][]int64 {
	points := [][]int64{nil}
	for _, v := range vars {
		at := r.known[v]
		if n := at.Hi - at.Lo + 1; n < 1 || n > int64(most/len(points)) {
			return nil
		}
		var more [][]int64
		for _, p := range points {
			for i := at.Lo; i <= at.Hi; i++ {
				more = append(more, append(slices.Clone(p), i))
			}
		}
		points = more
	}
	return points
}

// isZero reports whether a value is 0, of floats of either sign.
func (b *bordering) isZero(e hast.Expr) bool {
	t := e.Type()
	if b.always(e, func(words []types.Word) bool {
		return !slices.ContainsFunc(words, func(w types.Word) bool { return types.Convert(w, t.Kind, types.Bool).Truth() })
	}) {
		return true
	}
	switch x := e.(type) {
	case *hast.Convert:
		return b.isZero(x.X)
	case *hast.Splat:
		return b.isZero(x.X)
	case *hast.Op:
		switch x.Op {
		case ops.Mul:
			return t.Kind.IsInt() && slices.ContainsFunc(x.Args, b.isZero) // times infinity 0 is none
		case ops.Add, ops.Sub, ops.Neg:
			return !slices.ContainsFunc(x.Args, func(e hast.Expr) bool { return !b.isZero(e) })
		}
	}
	return false
}

// free takes reads out of a condition, where pixels outside are of some words.
func (b *bordering) free(under condition, around func(types.Type) []types.Word) *freeing {
	return &freeing{bordering: b, cond: under, around: around, lets: map[*hast.Var]hast.Expr{}, values: map[*hast.Load]*hast.Const{}}
}

// allOfWord are pixels whose components are made of a kind.
func allOfWord(word func(types.Kind) types.Word) func(types.Type) []types.Word {
	return func(t types.Type) []types.Word { return slices.Repeat([]types.Word{word(t.Kind)}, int(t.Lanes)) }
}

// arounds are the pixels outside that are tried: nothing, what is less than all others, and what is more.
var arounds = []func(types.Type) []types.Word{allOfWord(func(types.Kind) types.Word { return 0 }), allOfWord(types.Lowest), allOfWord(types.Highest)}

// chosen is a value that a condition chooses, as one with reads under constant; nil where it stays. Where it is added to a sum, a 0 may have either sign.
func (b *bordering) chosen(x *hast.Select, added bool) hast.Expr {
	for _, not := range []bool{false, true} {
		value, other := x.Then, x.Else
		if not {
			value, other = other, value
		}
		if out := b.chosenOf(x.Cond, not, value, other, added); out != nil {
			return out
		}
	}
	return nil
}

// chosenOf is that of a value where a condition, or its contrary, holds and another one where not, which is the same everywhere.
func (b *bordering) chosenOf(cond hast.Expr, not bool, value, other hast.Expr, added bool) hast.Expr {
	if !evaluate.Closed(other, func(*hast.Var) bool { return false }) {
		return nil
	}
	under := b.conditionOf(cond, not)
	words, ok := evaluate.Value(other)
	if under == nil || !ok {
		return nil
	}
	around := arounds[0]
	if pixel := pixelOf(value); pixel != nil {
		around = func(t types.Type) []types.Word { return converted(words, other.Type().Kind, t) }
	}
	f := b.free(under, around)
	out := f.expr(value)
	if f.failed || len(f.found) == 0 {
		return nil
	}
	there := f.beyond(out)
	if b.always(there, func(w []types.Word) bool { return slices.Equal(w, words) }) || (added || out.Type().Kind.IsInt()) && b.isZero(other) && b.isZero(there) {
		f.take()
		return out
	}
	return nil
}

// pixelOf is the read that a value is but for conversions; nil where it is none.
func pixelOf(e hast.Expr) *hast.Load {
	switch x := e.(type) {
	case *hast.Load:
		return x
	case *hast.Convert:
		return pixelOf(x.X)
	case *hast.Splat:
		return pixelOf(x.X)
	}
	return nil
}

// converted are words as those of a pixel.
func converted(words []types.Word, from types.Kind, to types.Type) []types.Word {
	out := make([]types.Word, to.Lanes)
	for k := range out {
		out[k] = types.Convert(words[min(k, len(words)-1)], from, to.Kind)
	}
	return out
}

// unconditional are statements without the condition that all pixels which they take in are inside; nil where it stays.
func (b *bordering) unconditional(s *hast.If) []hast.Stmt {
	if len(s.Else) > 0 {
		return nil
	}
	under := b.conditionOf(s.Cond, false)
	if under == nil {
		return nil
	}
	for _, around := range arounds {
		if out := b.freed(s.Then, b.free(under, around)); out != nil {
			return out
		}
	}
	return nil
}

// freed is a list of statements that need no condition: they change nothing where it does not hold.
func (b *bordering) freed(list []hast.Stmt, f *freeing) (out []hast.Stmt) {
	outer := b.values
	defer func() { b.values = outer }()
	b.values = outer.branch()
	for _, st := range list {
		switch x := st.(type) {
		case *hast.Define:
			if x.Var.Class != hast.Value || x.Init == nil {
				return nil
			}
			d := *x
			d.Init = f.expr(x.Init)
			f.lets[x.Var] = f.beyond(d.Init)
			out = append(out, &d)
		case *hast.Set:
			d := *x
			d.Value = f.expr(x.Value)
			if !b.staysAs(&d, f) {
				return nil
			}
			out = append(out, &d)
		default:
			return nil
		}
		if f.failed {
			return nil
		}
		b.values.pass(st)
	}
	if len(f.found) == 0 {
		return nil
	}
	f.take()
	return out
}

// take notes that reads are done without their condition.
func (f *freeing) take() {
	for _, m := range f.found {
		f.ruled[m] = true
	}
}

// staysAs reports whether a variable keeps its value by a statement where the condition does not hold.
func (b *bordering) staysAs(s *hast.Set, f *freeing) bool {
	if term := addendOf(s); term != nil {
		return (term.Type().Kind.IsInt() || b.onlyAdds(s.Var)) && b.isZero(f.beyond(term))
	}
	x, ok := s.Value.(*hast.Op)
	if !ok || len(s.Index) > 0 || x.Op != ops.Max && x.Op != ops.Min || !x.T.IsScalar() || !x.T.Kind.IsInt() {
		return false
	}
	k := slices.IndexFunc(x.Args, func(e hast.Expr) bool { return hast.IsVar(e, s.Var) })
	if k < 0 {
		return false
	}
	bound := b.bound(s.Var, x.Op)
	return b.always(f.beyond(x.Args[1-k]), func(w []types.Word) bool { return ops.Eval(x.Op, x.T.Kind, w[0], bound) == bound })
}

// bound is what an integer variable is never less than, where nothing but maxima are put into it, or never more than: what it begins with, or what no integer goes beyond.
func (b *bordering) bound(v *hast.Var, op ops.Op) types.Word {
	bound := types.Lowest(v.Type.Kind)
	if op == ops.Min {
		bound = types.Highest(v.Type.Kind)
	}
	only := true
	begins := bound
	hast.WalkBody(b.stage.Body, func(s hast.Stmt) {
		switch s := s.(type) {
		case *hast.Define:
			if c, ok := s.Init.(*hast.Const); ok && s.Var == v {
				begins = c.Words[0]
			}
		case *hast.Set:
			x, ok := s.Value.(*hast.Op)
			only = only && (s.Var != v || ok && x.Op == op && slices.ContainsFunc(x.Args, func(e hast.Expr) bool { return hast.IsVar(e, v) }))
		}
	}, nil)
	if only {
		return begins
	}
	return bound
}

// addendOf is what a statement adds to the variable that it changes, or takes from it; nil where it does anything else.
func addendOf(s *hast.Set) hast.Expr {
	if x, ok := s.Value.(*hast.Op); ok && x.Op == ops.Sub && hast.IsVar(x.Args[0], s.Var) {
		added := *s
		added.Value = &hast.Op{Typed: x.Typed, Op: ops.Add, Args: x.Args}
		return accumulate.Summand(&added)
	}
	return accumulate.Summand(s)
}

// onlyAdds reports whether a variable begins with 0 and is only added to, so that it is never the 0 to which adding 0 makes a difference: -0.
func (b *bordering) onlyAdds(v *hast.Var) bool {
	only := true
	hast.WalkBody(b.stage.Body, func(s hast.Stmt) {
		switch s := s.(type) {
		case *hast.Define:
			only = only && (s.Var != v || accumulate.IsZero(s.Init))
		case *hast.Set:
			only = only && (s.Var != v || addendOf(s) != nil)
		}
	}, nil)
	return only
}

// straight is a list of statements in a loop in which what is done under conditions is done under one that stands right around it: of if (c) continue; rest it is if (!c) rest, and of
// if (c) for (...) rest it is for (...) if (c) rest. Last says that the round ends behind the list.
func straight(list []hast.Stmt, last bool) (out []hast.Stmt, changed bool) {
	for i, s := range list {
		switch x := s.(type) {
		case *hast.If:
			if last && skips(x) {
				rest, _ := straight(list[i+1:], true)
				not := &hast.Op{Typed: hast.Typed{T: types.Scalar(types.Bool), At: x.At}, Op: ops.Not, Args: []hast.Expr{x.Cond}}
				rest, _ = guarded(not, rest, x)
				return append(out, rest...), true
			}
			if len(x.Else) == 0 {
				then, inner := straight(x.Then, last && i == len(list)-1)
				then, moved := guarded(x.Cond, then, x)
				out, changed = append(out, then...), changed || inner || moved
				continue
			}
		case *hast.For:
			body, inner := straight(x.Body, true)
			out, changed = append(out, &hast.For{Space: x.Space, Body: body, At: x.At}), changed || inner
			continue
		}
		out = append(out, s)
	}
	return out, changed
}

// skips reports whether a statement ends a round of a loop under a condition, and does nothing else.
func skips(s *hast.If) bool {
	if len(s.Then) != 1 || len(s.Else) > 0 {
		return false
	}
	_, ok := s.Then[0].(*hast.Continue)
	return ok
}

// guarded is a list of statements under a condition, which goes past lets without pixels into the loop or the condition that is all there is else.
func guarded(cond hast.Expr, list []hast.Stmt, at *hast.If) (out []hast.Stmt, moved bool) {
	if n := len(list) - 1; n >= 0 && !slices.ContainsFunc(list[:n], func(s hast.Stmt) bool { return !isFree(s) }) {
		switch x := list[n].(type) {
		case *hast.For:
			body, _ := guarded(cond, x.Body, at)
			return append(slices.Clone(list[:n]), &hast.For{Space: x.Space, Body: body, At: x.At}), true
		case *hast.If:
			if len(x.Else) == 0 {
				then, _ := guarded(hast.And(cond, x.Cond), x.Then, at)
				return append(slices.Clone(list[:n]), then...), true
			}
		}
	}
	return []hast.Stmt{&hast.If{Cond: cond, Then: list, At: at.At}}, false
}

// isFree reports whether a statement is a let that can be computed everywhere: it reads no pixels, nor elements that may be in range under a condition alone.
func isFree(s hast.Stmt) bool {
	d, ok := s.(*hast.Define)
	if !ok || d.Var.Class != hast.Value || d.Init == nil || !hast.Fixed(d.Init) {
		return false
	}
	free := true
	hast.Walk(d.Init, func(e hast.Expr) {
		_, element := e.(*hast.Elem)
		free = free && !element
	})
	return free
}

// hasConditions reports whether there are conditions among statements.
func hasConditions(list []hast.Stmt) (found bool) {
	hast.WalkBody(list, func(s hast.Stmt) {
		_, ok := s.(*hast.If)
		found = found || ok
	}, nil)
	return found
}
