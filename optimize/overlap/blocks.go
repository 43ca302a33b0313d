package overlap

import (
	"maps"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// blocks is the stage over blocks.
func (b *blocking) blocks(list []*part) *hast.Stage {
	s := *b.stage
	n := len(s.Space.Vars) - 2
	lead := s.Space
	s.Space = hast.Space{Vars: append([]*hast.Var(nil), lead.Vars[:n]...), Ranges: append([]hast.Range(nil), lead.Ranges[:n]...)}
	s.Body = nil
	for k, v := range b.vars() {
		number := &hast.Var{Name: v.Name + "_block", Type: i32, Class: hast.Iterator, At: v.At}
		size := int64(b.size[k])
		count := hast.Binary(ops.Div, hast.Plus(b.end(k), size-1), hast.Int(size))
		s.Space.Vars = append(s.Space.Vars, number)
		s.Space.Ranges = append(s.Space.Ranges, hast.Range{Lo: hast.Int(0), Hi: count, Step: 1})
		s.Body = append(s.Body, b.let(b.first[k], hast.Binary(ops.Mul, hast.RefTo(number), hast.Int(size))))
		b.spans[v] = span{hi: size - 1, base: k}
	}
	other := hast.Renewed(b.body(list))
	b.inside = true
	inside := hast.Renewed(b.body(list))
	s.Body = append(s.Body, &hast.If{Cond: b.lies(), Then: inside, Else: other, At: s.At, Rare: true})
	return &s
}

// let is the definition of a value.
func (b *blocking) let(v *hast.Var, x hast.Expr) hast.Stmt {
	return &hast.Define{Var: v, Init: x, At: b.stage.At}
}

// body is what a block does: with arrays for what its instances keep, part after part.
func (b *blocking) body(list []*part) (out []hast.Stmt) {
	for _, p := range list {
		out = append(out, b.arraysOf(p)...)
	}
	for _, p := range list {
		switch {
		case p.let != nil:
			out = append(out, p.let)
		case p.loop != nil:
			b.bind(p.loop.Space)
			out = append(out, &hast.For{Space: p.loop.Space, Body: b.body(p.rounds), At: p.loop.At})
		case len(p.windows) > 0:
			out = append(out, b.shared(p)...)
		default:
			out = append(out, b.each(func(v, u *hast.Var) []hast.Stmt { return b.instance(p, hast.RefTo(v), hast.RefTo(u), nil) }))
		}
	}
	return out
}

// arraysOf are the arrays of what instances define in a part and keep.
func (b *blocking) arraysOf(p *part) (out []hast.Stmt) {
	for _, s := range p.each {
		if d, ok := s.(*hast.Define); ok && b.arrays[d.Var] != nil {
			out = append(out, b.array(b.arrays[d.Var]))
		}
	}
	return out
}

// array is the definition of an array each element of which is set before it is read.
func (b *blocking) array(v *hast.Var) hast.Stmt {
	return &hast.Define{Var: v, Later: true, At: b.stage.At}
}

// newArray is a variable for an array.
func (b *blocking) newArray(name string, t types.Type, dims ...int) *hast.Var {
	return &hast.Var{Name: name, Type: t.Array(dims...), Class: hast.Mutable, At: b.stage.At}
}

// loop runs f for the numbers from lo on below hi, written out.
func (b *blocking) loop(name string, lo, hi int, f func(v *hast.Var) []hast.Stmt) hast.Stmt {
	v := &hast.Var{Name: name, Type: i32, Class: hast.Loop, At: b.stage.At}
	s := hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: hast.Int(int64(lo)), Hi: hast.Int(int64(hi)), Step: 1}}}
	return &hast.For{Space: s, Body: f(v), Out: true, At: b.stage.At}
}

// each runs f for the instances of the block, by row and column in it.
func (b *blocking) each(f func(v, u *hast.Var) []hast.Stmt) hast.Stmt {
	return b.loop("v", 0, b.size[0], func(v *hast.Var) []hast.Stmt {
		return []hast.Stmt{b.loop("u", 0, b.size[1], func(u *hast.Var) []hast.Stmt { return f(v, u) })}
	})
}

// element is one of an array.
func element(array *hast.Var, index ...hast.Expr) hast.Expr {
	return &hast.Elem{Typed: hast.Typed{T: array.Type.Elem(), At: array.At}, X: hast.RefTo(array), Index: index, InRange: true}
}

// set gives an element of an array a value.
func (b *blocking) set(array *hast.Var, x hast.Expr, index ...hast.Expr) hast.Stmt {
	return &hast.Set{Var: array, Index: index, Value: x, At: b.stage.At}
}

// instance is what the instance in a row and a column of the block does in a part, whose sums are known; nothing behind the end of the iteration.
func (b *blocking) instance(p *part, v, u hast.Expr, sums map[hast.Expr]hast.Expr) []hast.Stmt {
	by := map[*hast.Var]hast.Expr{}
	var out []hast.Stmt
	for k, at := range [2]hast.Expr{v, u} {
		own := *b.vars()[k]
		own.Class = hast.Value
		by[b.vars()[k]] = hast.RefTo(&own)
		out = append(out, b.let(&own, hast.Binary(ops.Add, hast.RefTo(b.first[k]), at)))
	}
	for kept, array := range b.arrays {
		by[kept] = element(array, v, u)
	}
	now := func(e hast.Expr) hast.Expr {
		return hast.Map(b.free(replaced(e, sums)), func(e hast.Expr) hast.Expr {
			if r, ok := e.(*hast.Ref); ok {
				return by[r.Var]
			}
			return nil
		})
	}
	list := b.keeping(hast.MapStmts(p.each, now), v, u)
	if b.inside {
		return append(out, list...)
	}
	var within hast.Expr
	for k, own := range b.vars() {
		within = hast.And(within, hast.Compare(ops.Lt, by[own], b.end(k)))
	}
	return append(out, &hast.If{Cond: within, Then: list, At: b.stage.At})
}

// replaced is an expression with what takes the place of some parts of it.
func replaced(e hast.Expr, by map[hast.Expr]hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr { return by[e] })
}

// keeping is a list of statements that set what instances keep in its arrays.
func (b *blocking) keeping(list []hast.Stmt, v, u hast.Expr) (out []hast.Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *hast.Define:
			if array := b.arrays[x.Var]; array != nil {
				s = b.set(array, x.Init, v, u)
			}
		case *hast.Set:
			if array := b.arrays[x.Var]; array != nil {
				s = b.set(array, x.Value, v, u)
			}
		}
		out = append(out, hast.MapBodies(s, func(list []hast.Stmt) []hast.Stmt { return b.keeping(list, v, u) }))
	}
	return out
}

// A pass is a way through the rows of terms of a block that computes the sums of a part.
type pass struct {
	*blocking
	part *part
	rows []*hast.Var // by window: the sums along all rows of terms
	down []*hast.Var // of integers those along the columns of rows that a window has, but for the row to come; nil of others
}

// shared computes the sums of a part, and does for each instance what the part does as soon as its sums are complete.
func (b *blocking) shared(p *part) (out []hast.Stmt) {
	w := p.windows[0]
	x := &pass{blocking: b, part: p}
	all := b.size[0] + w.tall() - 1
	for _, w := range p.windows {
		b.spans[b.place[0]] = span{lo: w.lo[0], hi: int64(b.size[0]-1) + w.hi[0]}
		b.spans[b.place[1]] = span{lo: w.lo[1], hi: int64(b.size[1]-1) + w.hi[1], base: 1}
		rows := b.newArray("rows", w.of.T, all, b.size[1])
		x.rows = append(x.rows, rows)
		out = append(out, b.array(rows))
		var down *hast.Var
		if w.of.T.Kind.IsInt() {
			down = b.newArray("down", w.of.T, b.size[1])
			out = append(out, &hast.Define{Var: down, Init: zeros(down.Type, b.stage.At), At: b.stage.At})
		}
		x.down = append(x.down, down)
	}
	if w.tall() > 1 {
		out = append(out, b.loop("v", 0, w.tall()-1, func(v *hast.Var) []hast.Stmt {
			return append(x.row(v), b.loop("u", 0, b.size[1], func(u *hast.Var) []hast.Stmt { return x.begin(v, u) }))
		}))
	}
	return append(out, b.loop("v", w.tall()-1, all, func(v *hast.Var) []hast.Stmt {
		return append(x.row(v), b.loop("u", 0, b.size[1], func(u *hast.Var) []hast.Stmt { return x.complete(v, u) }))
	}))
}

// row computes the sums along a row of terms.
func (x *pass) row(v *hast.Var) (out []hast.Stmt) {
	at := x.block(x.part.windows[0], 0, v)
	out = append(out, at)
	for k, w := range x.part.windows {
		terms := x.newArray("terms", w.of.T, x.size[1]+w.wide()-1)
		out = append(out, x.array(terms), x.loop("u", 0, x.size[1]+w.wide()-1, func(u *hast.Var) []hast.Stmt {
			column := x.block(w, 1, u)
			term := hast.Replaced(x.free(w.term), map[*hast.Var]hast.Expr{x.place[0]: hast.RefTo(at.Var), x.place[1]: hast.RefTo(column.Var)})
			return []hast.Stmt{column, x.set(terms, term, hast.RefTo(u))}
		}))
		out = append(out, x.along(x.rows[k], terms, w, v)...)
	}
	return out
}

// block is the definition of the row or the column of terms that a block looks at: none behind what the last instance does.
func (b *blocking) block(w *window, k int, number *hast.Var) *hast.Define {
	at := hast.Plus(hast.Binary(ops.Add, hast.RefTo(b.first[k]), hast.RefTo(number)), w.lo[k])
	if !b.inside {
		at = hast.Binary(ops.Min, at, hast.Plus(b.end(k), w.hi[k]-1))
	}
	v := *b.place[k]
	return &hast.Define{Var: &v, Init: at, At: b.stage.At}
}

// along adds terms up along their row, for each column of the block.
func (x *pass) along(rows, terms *hast.Var, w *window, v *hast.Var) []hast.Stmt {
	t := w.of.T
	if w.wide() == 1 || !t.Kind.IsInt() {
		return []hast.Stmt{x.loop("u", 0, x.size[1], func(u *hast.Var) []hast.Stmt {
			return []hast.Stmt{x.set(rows, chain(terms, u, 0, w.wide()), hast.RefTo(v), hast.RefTo(u))}
		})}
	}
	sum := &hast.Var{Name: "sum", Type: t, Class: hast.Mutable, At: x.stage.At}
	start := element(terms, hast.Int(0))
	for i := 1; i < w.wide()-1; i++ {
		start = hast.Binary(ops.Add, start, element(terms, hast.Int(int64(i))))
	}
	change := func(op ops.Op, at hast.Expr) hast.Stmt {
		return &hast.Set{Var: sum, Value: hast.Binary(op, hast.RefTo(sum), element(terms, at)), At: x.stage.At}
	}
	return []hast.Stmt{&hast.Define{Var: sum, Init: start, At: x.stage.At}, x.loop("u", 0, x.size[1], func(u *hast.Var) []hast.Stmt {
		return []hast.Stmt{
			change(ops.Add, hast.Plus(hast.RefTo(u), int64(w.wide()-1))), x.set(rows, hast.RefTo(sum), hast.RefTo(v), hast.RefTo(u)), change(ops.Sub, hast.RefTo(u)),
		}
	})}
}

// chain is the sum of n elements of an array from one on, each with the index that follows.
func chain(array *hast.Var, from *hast.Var, past, n int, rest ...hast.Expr) (sum hast.Expr) {
	for i := range n {
		one := element(array, append([]hast.Expr{hast.Plus(hast.RefTo(from), int64(past+i))}, rest...)...)
		if sum == nil {
			sum = one
		} else {
			sum = hast.Binary(ops.Add, sum, one)
		}
	}
	return sum
}

// begin adds the row at hand to sums that are not complete.
func (x *pass) begin(v, u *hast.Var) (out []hast.Stmt) {
	for k, down := range x.down {
		if down != nil {
			out = append(out, x.change(ops.Add, down, u, element(x.rows[k], hast.RefTo(v), hast.RefTo(u))))
		}
	}
	return out
}

// change changes an element of an array.
func (x *pass) change(op ops.Op, array, at *hast.Var, by hast.Expr) hast.Stmt {
	return x.set(array, hast.Binary(op, element(array, hast.RefTo(at)), by), hast.RefTo(at))
}

// complete takes the row at hand in, does what the instance does whose sums are complete, and takes the first of its rows out.
func (x *pass) complete(v, u *hast.Var) []hast.Stmt {
	past := 1 - x.part.windows[0].tall()
	out := x.begin(v, u)
	sums := map[hast.Expr]hast.Expr{}
	var after []hast.Stmt
	for k, w := range x.part.windows {
		value := chain(x.rows[k], v, past, w.tall(), hast.RefTo(u))
		if down := x.down[k]; down != nil {
			value = element(down, hast.RefTo(u))
			after = append(after, x.change(ops.Sub, down, u, element(x.rows[k], hast.Plus(hast.RefTo(v), int64(past)), hast.RefTo(u))))
		}
		sum := &hast.Var{Name: "sum", Type: w.of.T, Class: hast.Value, At: w.of.At}
		out, sums[w.of] = append(out, x.let(sum, value)), hast.RefTo(sum)
	}
	out = append(out, x.instance(x.part, hast.Plus(hast.RefTo(v), int64(past)), hast.RefTo(u), maps.Clone(sums))...)
	return append(out, after...)
}
