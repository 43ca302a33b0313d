package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// What instances have in common with their neighbours (block.Commons) a work-item computes once, for a block of columns of all its rows. It puts
// what these read into an array first, as the border rule has it, so that nothing after that knows the rule; then what instances have in
// common, for those beside the block, too, of which it takes a value; then the instances.

// kept is what is computed once for a block of columns.
type kept struct {
	*block.Commons
	of         map[*hast.Op]*block.Common
	tiles      map[*hast.Image]*held
	values     map[*block.Common]*held
	number     map[*block.Keep]int
	first, end kir.Expr // the block's columns: from first to below end; nil while no block is being lowered
	filled     bool     // the values of this block have been lowered
}

// held is an array of what a block reads, or of values of its instances, and of those beside it. Several values lie one after the other, so that all
// that an instance takes lies at fixed distances from one place.
type held struct {
	array *kir.Var
	y, x  block.Span // how far it reaches beyond the block
	block.Area
}

// refuseCommon says why what instances have in common cannot be kept, as the end of a sentence; "" where it can, or there is nothing.
func (t *Trials) refuseCommon(s *hast.Stage, d schedule.Decisions) string {
	c := t.commonsOf(s, d)
	if n := c.Bytes(d.Rows, d.Line); len(c.List) > 0 && n > mostTile {
		return fmt.Sprintf("what its instances have in common takes %d bytes of a thread's stack, and %d is the most", n, mostTile)
	}
	return ""
}

// findCommon finds what is kept where lines are decided.
func (r *rows) findCommon() {
	if r.decided.Line == 0 {
		return
	}
	var c *block.Commons
	if r.trial != nil {
		c = r.trial.commonsOf(r.stage, r.decided)
	} else {
		c = block.FindCommons(r.stage, r.decided.Unroll)
	}
	if len(c.List) == 0 || slices.ContainsFunc(c.Tiles, func(t *block.Tile) bool { return !wideMemory(t.Type.Kind) }) {
		return
	}
	k := &kept{Commons: c, of: map[*hast.Op]*block.Common{}, tiles: map[*hast.Image]*held{}, values: map[*block.Common]*held{}, number: map[*block.Keep]int{}}
	for _, t := range c.Tiles {
		h := r.hold("tile", t.Type, 1, t.Area(r.decided.Rows, r.decided.Line), t.Y, t.X)
		if from := t.Image.Elem.Kind; from.IsInt() && t.How == hast.Wrap {
			iv := interval.OfKind(from)
			r.body.bounds[h.array] = iv
			r.body.spans[h.array] = spanOfInts(iv)
		}
		k.tiles[t.Image] = h
	}
	for _, x := range c.List {
		if !wideMemory(x.Expr.T.Kind) {
			return
		}
		k.of[x.Expr] = x
		k.values[x] = r.hold("common", x.Expr.T, len(x.Keeps), x.Area(r.decided.Rows, r.decided.Line), x.Y, x.X)
		for i, keep := range x.Keeps {
			k.number[keep] = i
		}
	}
	r.common = k
}

// hold makes an array of so many values of a block, and of what lies beside it.
func (r *rows) hold(name string, t types.Type, values int, a block.Area, y, x block.Span) *held {
	array := &kir.Var{Name: name, Type: types.Scalar(t.Kind).Array(values * a.Rows * a.Columns), At: r.body.pos}
	return &held{array, y, x, a}
}

// heldAt is where an array has a value that lies so far from an instance at (y, x), which may be one beside the block.
func (r *rows) heldAt(h *held, value int, y, x kir.Expr, down, across int) kir.Expr {
	rows := exactly(ops.Mul, exactly(ops.Sub, y, r.y0), i32(int64(h.Columns)))
	place := convert(exactly(ops.Add, rows, exactly(ops.Sub, x, r.common.first)), types.I64)
	return add(r.body.once("place", place), i64(int64((value*h.Rows+down-h.y.Lo)*h.Columns+across-h.x.Lo)))
}

// tiled reports whether all that is read of a window is read from a tile.
func (r *rows) tiled(w *block.Window) bool { return r.common != nil && r.common.Tile(w.Image) != nil }

// byCommon computes the inner columns of the item's rows, block by block.
func (r *rows) byCommon() {
	b, k := r.body, r.common
	declare := func(h *held) { b.emit(&kir.Decl{Placed: b.placed(), Var: h.array}) }
	for _, t := range k.Tiles {
		declare(k.tiles[t.Image])
	}
	for _, c := range k.List {
		declare(k.values[c])
	}
	start := b.loopVar("block", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	body := b.inside(false, func() {
		k.first = b.once("first", b.op(i32T, ops.Min, ref(start), b.op(i32T, ops.Sub, r.right, i32(int64(r.decided.Lanes)))))
		k.end = b.once("block_end", b.op(i32T, ops.Min, exactly(ops.Add, ref(start), i32(int64(r.decided.Line))), r.right))
		for _, t := range k.Tiles {
			r.fillTile(t)
		}
		for _, c := range k.List {
			for _, x := range c.Keeps {
				r.fillKeep(c, x)
			}
		}
		k.filled = true
		r.eachRow(func() { r.steps(1, k.first, k.end) })
		k.first, k.filled = nil, false
	})
	b.emit(&kir.For{Placed: b.placed(), Var: start, Lo: r.left, Hi: r.right, Step: int64(r.decided.Line), Body: body, Exact: true})
}

// fillRows runs f for the rows of a block, and of what lies beside it, with the columns of these: from one on to below another.
func (r *rows) fillRows(down, across block.Span, f func(y, from, to kir.Expr)) {
	b := r.body
	plus := func(e kir.Expr, n int) kir.Expr { return exactly(ops.Add, e, i32(int64(n))) }
	y := b.loopVar("y", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	stmts := b.inside(false, func() {
		f(ref(y), b.once("from", plus(r.common.first, across.Lo)), b.once("to", plus(r.common.end, across.Hi)))
	})
	b.emit(&kir.For{Placed: b.placed(), Var: y, Lo: plus(r.y0, down.Lo), Hi: plus(r.end, down.Hi), Step: 1, Body: stmts})
}

// fillAcross stores one of the values of an array for the columns from one on to below another, side by side; the last step overlaps the one before.
func (r *rows) fillAcross(h *held, number int, y, from, to kir.Expr, value func(x kir.Expr) kir.Expr) {
	b, n := r.body, int64(r.decided.Lanes)
	v := b.loopVar("v", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	var at *kir.Var
	step := b.inside(false, func() {
		at = b.declare("at", i32T, false, b.op(i32T, ops.Min, ref(v), exactly(ops.Sub, to, i32(n))))
		b.bounds[at] = interval.Between(-hast.MaxExtent, hast.MaxExtent)
		b.emit(&kir.Store{Placed: b.placed(), Buffer: h.array, Offset: r.heldAt(h, number, y, ref(at), 0, 0), Value: value(ref(at))})
	})
	w := b.widen(step[1:], at, int(n))
	if w.why != "" {
		r.why = w.why
		return
	}
	b.emitAll(w.moved)
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: from, Hi: to, Step: n, Exact: true, Body: append(step[:1:1], w.out...)})
}

// fillTile puts into an array what a block reads of an image.
func (r *rows) fillTile(t *block.Tile) {
	b, h := r.body, r.common.tiles[t.Image]
	line, column := &hast.Var{Name: "line", Type: i32T, Class: hast.Loop}, &hast.Var{Name: "column", Type: i32T, Class: hast.Loop}
	index := []hast.Coord{outside(line), outside(column)}
	pixel := func(x kir.Expr) kir.Expr {
		b.vars[column] = x
		return b.convert(t.Type, b.load(t.Image, index, t.Rule), kir.How(t.How))
	}
	r.inner = false
	r.fillRows(t.Y, t.X, func(y, from, to kir.Expr) {
		b.vars[line] = y
		first, end := r.inImage(t.Image, from, to)
		wide := r.enough(first, end, int64(r.decided.Lanes))
		r.filling = true
		r.fillAcross(h, 0, y, first, wide, pixel)
		r.filling = false
		r.beside(from, first, wide, to, func(x kir.Expr) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: h.array, Index: []kir.Expr{r.heldAt(h, 0, y, x, 0, 0)}, Value: pixel(x)})
		})
	})
	r.inner = true
}

// outside is a coordinate that may lie on both sides of an image.
func outside(v *hast.Var) hast.Coord {
	return hast.Coord{X: &hast.Ref{Typed: hast.Typed{T: v.Type}, Var: v}, Below: true, Above: true}
}

// fillKeep computes a value for all instances of the block, and beside it, that others take it from.
func (r *rows) fillKeep(c *block.Common, x *block.Keep) {
	b := r.body
	vars := r.stage.Space.Vars
	r.fillRows(x.Y, x.X, func(y, from, to kir.Expr) {
		b.vars[vars[len(vars)-2]] = y
		b.bind(c.Loop.Space.Vars, x.Point)
		r.fillAcross(r.common.values[c], r.common.number[x], y, from, to, func(at kir.Expr) kir.Expr {
			b.vars[vars[len(vars)-1]] = at
			for _, d := range c.Lets {
				b.define(d)
			}
			return b.expr(c.Expr)
		})
	})
}

// bind makes a point's coordinates the values of variables.
func (b *body) bind(vars []*hast.Var, point []int64) {
	for i, v := range vars {
		b.vars[v] = i32(point[i])
	}
}

// inCommon is an expression by what a block's arrays have of it; nil where they have not.
func (b *body) inCommon(e hast.Expr) kir.Expr {
	if b.kernel == nil || b.kernel.rows == nil || b.kernel.rows.common == nil || b.kernel.rows.common.first == nil {
		return nil
	}
	r := b.kernel.rows
	switch e := e.(type) {
	case *hast.Op:
		return r.keptValue(e)
	case *hast.Convert:
		if l, ok := e.X.(*hast.Load); ok {
			return r.fromTile(l, e.T)
		}
	case *hast.Load:
		return r.fromTile(e, e.T)
	}
	return nil
}

// fromTile is what is read of an image by its tile; nil where this has it in another type, or not at all.
func (r *rows) fromTile(l *hast.Load, t types.Type) kir.Expr {
	tile := r.common.Tile(l.Image)
	if tile == nil || tile.Type != t {
		return nil
	}
	_, at := r.what.Find(r.scope, l.Image, l.Index, l.Rule)
	return r.taken(r.common.tiles[l.Image], 0, t, at.Y.Lo, at.X.Lo)
}

// keptValue is an expression as an instance has computed it; nil where none has.
func (r *rows) keptValue(e *hast.Op) kir.Expr {
	c := r.common.of[e]
	if c == nil || !r.common.filled {
		return nil
	}
	i := slices.IndexFunc(c.Points, func(p []int64) bool {
		for j, v := range c.Loop.Space.Vars {
			if n, ok := constInt(r.body.vars[v]); !ok || n != p[j] {
				return false
			}
		}
		return true
	})
	if i < 0 || c.Values[i].Keep == nil {
		return nil
	}
	v := c.Values[i]
	return r.taken(r.common.values[c], r.common.number[v.Keep], e.T, v.Y, v.X)
}

// taken is what an array has that lies so far from the instance at hand.
func (r *rows) taken(h *held, value int, t types.Type, down, across int) kir.Expr {
	vars := r.stage.Space.Vars
	y, x := r.body.vars[vars[len(vars)-2]], r.body.vars[vars[len(vars)-1]]
	return &kir.Load{Typed: kir.Typed{T: t}, Buffer: h.array, Offset: r.heldAt(h, value, y, x, down, across)}
}
