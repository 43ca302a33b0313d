package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Where a device copies from memory to local memory by itself (kir.Assign), panels of pixels of 32 and 64 bits as they are in images are made so: registers that
// would hold what is on its way are left to accumulators. A panel that has steps side by side in memory has them side by side too, and items read several steps of an
// instance at a time; all others have a line for each step. Copies go by vectors where all lines of memory start at multiples of these, all of the tile lies in the iteration
// and all steps are there; elsewhere by single pixels, each at its own place.

// copies reports whether an operand comes from memory as it is, and can be dealt out to the items of a group by vectors.
func (p *paneled) copies(o *block.Operand) bool {
	l, one := o.Of.(*hast.Load)
	if p.plan == nil || !p.plan.opts.Copies || !one || o.Of.Type() != types.Scalar(l.Image.Elem.Kind) || l.Image.Elem.Kind.Bytes() < 4 {
		return false
	}
	if l.Rule != nil && (l.Rule.Kind == hast.Constant || l.Rule.Kind == hast.Formula) {
		return false
	}
	n, lanes := p.decided.Panels, p.copyLanes(o)
	return (!o.Runs || n%lanes == 0) && n*p.tile[o.Along]/lanes%p.decided.GroupItems() == 0
}

// copyLanes is how many pixels of an operand vectors have: what lies side by side and is read together.
func (p *paneled) copyLanes(o *block.Operand) int {
	most := kir.RunBytes / o.Of.Type().Kind.Bytes()
	if o.Runs {
		return most
	}
	return min(most, p.run[o.Along])
}

// layCopied finds the form of a panel that is copied. Its lines are a vector longer than what they hold.
func (x *panel) layCopied(p *paneled) {
	x.lies, x.lanes = x.Runs, p.copyLanes(x.Operand)
	lines, long := p.decided.Panels, p.tile[x.Along]
	if x.lies {
		lines, long = long, lines
	}
	x.wide = long/x.lanes + 1
	x.array.Type = types.Scalar(x.Of.Type().Kind).Array(2, lines, x.wide*x.lanes)
}

// elem is so many elements of a line from one on.
func (x *panel) elem(lanes int, turn, line, at kir.Expr) kir.Expr {
	return &kir.Elem{Typed: kir.Typed{T: x.array.Type.Elem().WithLanes(lanes)}, Var: x.array, Index: []kir.Expr{turn, line, at}}
}

// copiesVectors is the condition that vectors of all panels that are copied lie at multiples of what they take in memory; nil where pixels are copied one by one. It is the
// same for all items, since only the numbers of lines and vectors differ between them.
func (i *inner) copiesVectors() (cond kir.Expr) {
	b := i.body
	if !slices.ContainsFunc(i.staged, func(x *panel) bool { return x.copied }) {
		return nil
	}
	for _, x := range i.staged {
		if !x.copied {
			continue
		}
		buf := i.sideBySide(x)
		if buf == nil || x.lanes == 1 {
			return nil
		}
		line, at := i.spot(x, 0, x.lanes)
		load, ok := i.pixelFor(x, i.lo, line, at).(*kir.Load)
		if !ok {
			return nil
		}
		for _, n := range []kir.Expr{buf.pitch, load.Offset} {
			rest := opExpr(i64T, ops.And, []kir.Expr{n, i64(int64(x.lanes - 1))}, true)
			cond = b.and(cond, opExpr(boolType, ops.Eq, []kir.Expr{rest, i64(0)}, true))
		}
	}
	return cond
}

// sideBySide is the buffer of an operand whose pixels lie side by side in memory, along the steps or along its instances; nil where they may not.
func (i *inner) sideBySide(x *panel) *buffer {
	l := x.Of.(*hast.Load)
	m, last := l.Image, l.Image.Rank()-1
	along := i.variable(x.Along)
	if x.lies {
		along = i.loop.Inner()
	}
	buf := i.buffer(m, kir.Reads)
	own := []*hast.Var{i.what.X, i.loop.Inner()}
	if i.what.Y != nil {
		own = append(own, i.what.Y)
	}
	switch {
	case l.Rule != nil || m.View != nil || m.Of != nil || m.Ring || buf.origin != nil || buf.lineAxis != last-1 || buf.pitch == nil || buf.elem != buf.memory:
		return nil
	case !countsBy(l.Index[last].X, along, own):
		return nil
	}
	for _, c := range l.Index[:last] {
		if hast.Names(c.X, []*hast.Var{along}) {
			return nil
		}
	}
	return buf
}

// countsBy reports whether an expression is a variable, or that and what none of some variables, of which it is one, change.
func countsBy(e hast.Expr, v *hast.Var, own []*hast.Var) bool {
	if r, ok := e.(*hast.Ref); ok {
		return r.Var == v
	}
	o, ok := e.(*hast.Op)
	if !ok || len(o.Args) != 2 || o.Op != ops.Add && o.Op != ops.Sub {
		return false
	}
	x, y := o.Args[0], o.Args[1]
	return countsBy(x, v, own) && !hast.Names(y, own) || o.Op == ops.Add && countsBy(y, v, own) && !hast.Names(x, own)
}

// spot is the line, and the place in it, of what an item copies as its k-th so many pixels: neighbours have what lies side by side.
func (i *inner) spot(x *panel, k, pixels int) (line, at kir.Expr) {
	b, items := i.body, i.decided.GroupItems()
	per := (x.wide - 1) * x.lanes / pixels
	first, before := i.number, 0
	if k*items%per == 0 {
		before = k * items / per
	} else {
		first = exactly(ops.Add, first, i32(int64(k*items)))
	}
	line = exactly(ops.Add, b.once("long", b.op(i32T, ops.Div, first, i32(int64(per)))), i32(int64(before)))
	at = b.once("short", exactly(ops.Mul, b.op(i32T, ops.Rem, first, i32(int64(per))), i32(int64(pixels))))
	return line, at
}

// pixelFor is the pixel of an operand for a place of its panel, whose steps begin at one; beyond the last one, that again, unless all of them are there.
func (i *inner) pixelFor(x *panel, from, line, at kir.Expr) kir.Expr {
	b := i.body
	step, column := line, at
	if x.lies {
		step, column = at, line
	}
	step = exactly(ops.Add, from, step)
	if !i.vectors {
		step = b.op(i32T, ops.Min, step, b.op(i32T, ops.Sub, i.hi, i32(1)))
	}
	i.step(i.clamped(step))
	b.vars[i.variable(x.Along)] = i.within(x.Along, b.op(i32T, ops.Add, i.grid.first[x.Along], column))
	return b.expr(x.Of)
}

// copyAll copies what panels of a turn are to have of the steps from one on.
func (i *inner) copyAll(from, turn kir.Expr) {
	b := i.body
	pixels := func() {
		defer func(was bool) { i.vectors = was }(i.vectors)
		i.vectors = false
		for _, x := range i.staged {
			if x.copied {
				i.copyPixels(x, from, turn)
			}
		}
	}
	if !i.vectors {
		pixels()
		return
	}
	all := b.op(boolType, ops.Ge, exactly(ops.Sub, i.hi, from), i32(int64(i.decided.Panels)))
	b.either(all, func() {
		for _, x := range i.staged {
			if x.copied {
				i.copyVectors(x, from, turn)
			}
		}
	}, pixels)
}

// copyVectors copies a panel by vectors.
func (i *inner) copyVectors(x *panel, from, turn kir.Expr) {
	b := i.body
	for k := range i.copiesOf(x, x.lanes) {
		line, at := i.spot(x, k, x.lanes)
		whole := *i.pixelFor(x, from, line, at).(*kir.Load)
		whole.T, whole.Aligned = whole.T.WithLanes(x.lanes), true
		b.emit(&kir.Assign{Placed: b.placed(), Var: x.array, Index: []kir.Expr{turn, line, at}, Value: &whole, Copied: true})
	}
}

// copyPixels copies a panel pixel by pixel, in a loop: addresses of all of them would take the registers that copies spare.
func (i *inner) copyPixels(x *panel, from, turn kir.Expr) {
	b, count := i.body, i.copiesOf(x, 1)
	per := int64((x.wide - 1) * x.lanes)
	v := b.loopVar("k", interval.Between(0, int64(count)-1))
	stmts := b.inside(false, func() {
		number := b.once("number", exactly(ops.Add, i.number, exactly(ops.Mul, ref(v), i32(int64(i.decided.GroupItems())))))
		line, at := b.once("line", b.op(i32T, ops.Div, number, i32(per))), b.once("at", b.op(i32T, ops.Rem, number, i32(per)))
		value := i.pixelFor(x, from, line, at)
		b.emit(&kir.Assign{Placed: b.placed(), Var: x.array, Index: []kir.Expr{turn, line, at}, Value: value, Copied: true})
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: i32(int64(count)), Step: 1, Rounds: kir.Looped, Body: stmts, Exact: true})
}

// copiesOf is how many copies of so many pixels an item makes of a panel.
func (i *inner) copiesOf(x *panel, pixels int) int {
	return i.decided.Panels * i.tile[x.Along] / pixels / i.decided.GroupItems()
}

// alongSteps reads so many steps from one on of the item's instances in a panel that has them side by side.
func (i *inner) alongSteps(x *panel, turn, step kir.Expr, lanes int) operandValues {
	b, run := i.body, i.run[x.Along]
	out := operandValues{of: x.Operand}
	for k := range i.item[x.Along] {
		line := exactly(ops.Add, exactly(ops.Mul, i.lane[x.Along], i32(int64(run))), i32(int64(k/run*run*i.size[x.Along]+k%run)))
		out.values = append(out.values, b.once("shared", x.elem(lanes, turn, line, step)))
	}
	return out
}

// at is one lane of vectors.
func (o operandValues) at(b *body, lane int) operandValues {
	out := operandValues{of: o.of}
	for _, v := range o.values {
		if v.Type().IsVector() {
			v = b.lane(v, lane)
		}
		out.values = append(out.values, v)
	}
	return out
}
