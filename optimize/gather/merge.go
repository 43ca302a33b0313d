package gather

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

// merged is one expression that is each of some others in another place of a block; at says in which one each of them is. Those that have the same form become one of it, with sums
// with the phase or entries of tables for numbers; others are chosen by the phase.
func (g *gatherer) merged(list []hast.Expr, at []int) hast.Expr {
	if out := g.ofOneForm(list, at); out != nil {
		return out
	}
	return g.chosen(list, at)
}

// ofOneForm is merged for those of the same form; nil where they are not.
func (g *gatherer) ofOneForm(list []hast.Expr, at []int) hast.Expr {
	first := list[0]
	if !slices.ContainsFunc(list[1:], func(e hast.Expr) bool { return !same(e, first) }) {
		return first
	}
	t := first.Type()
	if slices.ContainsFunc(list, func(e hast.Expr) bool { return e.Type() != t }) {
		return nil
	}
	if t == i32 {
		if sum := g.sum(list, at); sum != nil {
			return sum
		}
	}
	if _, ok := first.(*hast.Const); ok {
		return g.number(list, at)
	}
	return g.ofParts(list, at)
}

// same reports whether two expressions are the same, their reads under the same conditions included: outside of images may be one and not the other.
func same(e, f hast.Expr) bool {
	return e == f || hast.Equal(e, f) && slices.Equal(outside(e), outside(f))
}

// outside says of all coordinates in an expression on which sides of the image they can be.
func outside(e hast.Expr) (list []bool) {
	hast.Walk(e, func(e hast.Expr) {
		if l, ok := e.(*hast.Load); ok {
			for _, c := range l.Index {
				list = append(list, c.Below, c.Above)
			}
		}
	})
	return list
}

// ofParts is ofOneForm for what has parts: the first one with each part made of those of all.
func (g *gatherer) ofParts(list []hast.Expr, at []int) hast.Expr {
	first := list[0]
	parts := make([][]hast.Expr, len(list))
	for i, e := range list {
		if !alike(e, first) {
			return nil
		}
		parts[i] = hast.Operands(e)
	}
	k, ok := -1, true
	out := hast.Map(first, func(e hast.Expr) hast.Expr {
		if k++; k == 0 || !ok {
			return nil
		}
		part := g.ofOneForm(column(parts, k-1), at)
		if ok = part != nil; !ok {
			return e
		}
		return part
	})
	if !ok {
		return nil
	}
	if load, is := out.(*hast.Load); is {
		return leaving(load, list)
	}
	return out
}

// column has a part of each of some expressions.
func column(parts [][]hast.Expr, k int) []hast.Expr {
	out := make([]hast.Expr, len(parts))
	for i, p := range parts {
		out[i] = p[k]
	}
	return out
}

// divides are operators whose second operand decides how long they take: by a number that is known they are short.
var divides = map[ops.Op]bool{ops.Div: true, ops.FloorDiv: true, ops.Rem: true, ops.Mod: true}

// alike reports whether two expressions are the same but for their parts, which are as many.
func alike(e, f hast.Expr) bool {
	switch x := e.(type) {
	case *hast.Op:
		y, ok := f.(*hast.Op)
		return ok && x.Op == y.Op && len(x.Args) == len(y.Args) && (!divides[x.Op] || hast.Equal(x.Args[1], y.Args[1]))
	case *hast.Convert:
		y, ok := f.(*hast.Convert)
		return ok && x.How == y.How
	case *hast.Splat:
		_, ok := f.(*hast.Splat)
		return ok
	case *hast.Select:
		_, ok := f.(*hast.Select)
		return ok
	case *hast.Vec:
		_, ok := f.(*hast.Vec)
		return ok
	case *hast.Swizzle:
		y, ok := f.(*hast.Swizzle)
		return ok && slices.Equal(x.Lanes, y.Lanes)
	case *hast.Call:
		y, ok := f.(*hast.Call)
		return ok && x.Func == y.Func
	case *hast.Elem:
		y, ok := f.(*hast.Elem)
		return ok && x.InRange == y.InRange
	case *hast.Load:
		y, ok := f.(*hast.Load)
		return ok && x.Image == y.Image && x.Rule == y.Rule
	}
	return false
}

// leaving is a read that is one of several, and may be outside where one of them may.
func leaving(e *hast.Load, list []hast.Expr) *hast.Load {
	out := *e
	out.Index = slices.Clone(e.Index)
	for _, f := range list {
		for k, c := range f.(*hast.Load).Index {
			out.Index[k].Below, out.Index[k].Above = out.Index[k].Below || c.Below, out.Index[k].Above || c.Above
		}
	}
	return &out
}

// sum is one of sums of integers that differ in a number alone, which are the same in any order; nil where they differ in more.
func (g *gatherer) sum(list []hast.Expr, at []int) hast.Expr {
	first, _ := linear.Terms(list[0])
	if len(first) == 0 {
		return nil
	}
	numbers := make([]hast.Expr, len(list))
	for i, e := range list {
		terms, n := linear.Terms(e)
		if numbers[i] = hast.Int(int64(int32(n))); !slices.EqualFunc(terms, first, func(a, b linear.Term) bool { return a.Minus == b.Minus && hast.Equal(a.X, b.X) }) {
			return nil
		}
	}
	number := g.number(numbers, at)
	if c, known := hast.Number(number); known {
		return linear.Sum(first, c)
	}
	return hast.Binary(ops.Add, linear.Sum(first, 0), number)
}

// number is a number that is another one at each place: a sum of multiples of phases and a constant where integers are so, else an entry of a table.
func (g *gatherer) number(list []hast.Expr, at []int) hast.Expr {
	t := list[0].Type()
	var words []types.Word
	for _, e := range list {
		c, ok := e.(*hast.Const)
		if !ok {
			return nil
		}
		words = append(words, c.Words...)
	}
	switch {
	case !t.IsScalar() || t.Kind == types.Bool:
		return nil
	case t == i32:
		if e := g.affine(words, at); e != nil {
			return e
		}
	}
	return g.entry(t, words, at)
}

// affine is a sum of multiples of phases and a constant; nil where numbers are none.
func (g *gatherer) affine(words []types.Word, at []int) hast.Expr {
	base := g.place(at[0])
	coef := make([]int64, len(base))
	for i, p := range at {
		place := g.place(p)
		for k := range place {
			if other := slices.Clone(base); place[k] != base[k] {
				if other[k] = place[k]; slices.Equal(other, place) {
					coef[k] = (words[i].Int() - words[0].Int()) / (place[k] - base[k])
				}
			}
		}
	}
	n := words[0].Int()
	for k, c := range coef {
		n -= c * base[k]
	}
	for i, p := range at {
		sum := n
		for k, x := range g.place(p) {
			sum += coef[k] * x
		}
		if sum != words[i].Int() {
			return nil
		}
	}
	return g.multiples(coef, n)
}

// multiples are so many times the phases, and a number.
func (g *gatherer) multiples(coef []int64, n int64) hast.Expr {
	var out hast.Expr
	for k, c := range coef {
		switch {
		case c == 0:
		case out == nil:
			out = times(g.phases[k], c)
		default:
			out = hast.Binary(ops.Add, out, times(g.phases[k], c))
		}
	}
	if out == nil {
		return hast.Int(n)
	}
	return linear.Plus(out, n)
}

// entry is an entry of a table by the phases on which it depends.
func (g *gatherer) entry(t types.Type, words []types.Word, at []int) hast.Expr {
	var axes []int
	for k := range g.axes {
		if g.depends(words, at, k) {
			axes = append(axes, k)
		}
	}
	var dims []int
	var index []hast.Expr
	for _, k := range axes {
		dims, index = append(dims, int(g.axes[k].step)), append(index, g.phases[k])
	}
	table := &hast.Const{Typed: hast.Typed{T: t.Array(dims...)}}
	table.Words = make([]types.Word, table.T.Len())
	for i, p := range at {
		n, place := 0, g.place(p)
		for j, k := range axes {
			n = n*dims[j] + int(place[k])
		}
		table.Words[n] = words[i]
	}
	return &hast.Elem{Typed: hast.Typed{T: t}, X: table, Index: index, InRange: true}
}

// depends reports whether numbers differ at places that differ along one axis alone.
func (g *gatherer) depends(words []types.Word, at []int, k int) bool {
	seen := map[int]types.Word{} // by the place with the first phase along the axis
	for i, p := range at {
		place := g.place(p)
		own := p - int(place[k])*g.stride(k)
		if w, ok := seen[own]; ok && w != words[i] {
			return true
		}
		seen[own] = words[i]
	}
	return false
}

// place is where a pixel of a block lies, by its number.
func (g *gatherer) place(n int) []int64 {
	out := make([]int64, len(g.axes))
	for k := len(g.axes) - 1; k >= 0; k-- {
		out[k] = int64(n) % g.axes[k].step
		n /= int(g.axes[k].step)
	}
	return out
}

// stride is by how much the numbers of neighbours along an axis differ.
func (g *gatherer) stride(k int) int {
	n := 1
	for _, a := range g.axes[k+1:] {
		n *= int(a.step)
	}
	return n
}

// chosen is each of some expressions at its place, chosen by the phase along the first axis along which there are several.
func (g *gatherer) chosen(list []hast.Expr, at []int) hast.Expr {
	first := g.place(at[0])
	k := 0
	for !slices.ContainsFunc(at, func(p int) bool { return g.place(p)[k] != first[k] }) {
		k++
	}
	var out hast.Expr
	for p := g.axes[k].step - 1; p >= 0; p-- {
		var some []hast.Expr
		var where []int
		for i, q := range at {
			if g.place(q)[k] == p {
				some, where = append(some, list[i]), append(where, q)
			}
		}
		switch {
		case len(some) == 0:
		case out == nil:
			out = g.merged(some, where)
		default:
			out = &hast.Select{Typed: hast.Typed{T: list[0].Type(), At: list[0].Span()}, Cond: hast.Compare(ops.Eq, g.phases[k], hast.Int(p)), Then: g.merged(some, where), Else: out}
		}
	}
	return out
}
