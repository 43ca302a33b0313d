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

// Blocks of instances whose loops read windows of which the host gives the extents (block.Slide). The instances of a row of the item lie side by side, and the innermost loop takes as many steps at a time: of
// each line that the item reads it has a piece twice as long, of which the second half is loaded in each round, by vectors where lines start at these, and is the first one in the next round. Rounds begin
// where vectors do, so that steps of the first and of the last one may be none of the loop.
//
// Items all of whose windows lie inside of the images have code of their own, without border rules; in that of the others coordinates are folded pixel by pixel.

// A windowed is what an item does with loops that read so.
type windowed struct {
	*paneled
	block *strip // of the item, for what it stores
	free  bool   // its windows lie inside of the images
	slid  map[*block.Slide]*slide
}

// A slide is what an item has of pixels that slide, in one of its loops.
type slide struct {
	*block.Slide
	buf   *buffer
	chunk int        // components of an access; 1 where the pieces begin anywhere
	rows  int        // lines that the item reads at a time
	held  []*kir.Var // the pieces of these lines
}

// slides reports whether the item has pieces of lines for windows that slide: where it takes as many steps at a time as it has instances side by side, a power of two.
func (p *paneled) slides() bool {
	n, d := p.item[0], p.decided
	return d.Local == 0 && d.Panels == n && n >= 2 && n <= kir.RunBytes && n&(n-1) == 0 && p.what.Slides()
}

// inWindows computes the item's instances.
func (p *paneled) inWindows() {
	w := &windowed{paneled: p, slid: map[*block.Slide]*slide{}}
	for _, l := range p.what.Loops {
		for _, s := range l.Slides {
			w.slid[s] = w.slide(l, s)
		}
	}
	w.block = w.itemBlock()
	p.body.either(p.body.and(w.inIteration(), w.inImages()), func() {
		w.free = true
		reducers := w.allLoops()
		w.free = false
		w.storeBlock(reducers)
	}, func() { p.rest(w.allLoops()) })
}

// slide decides how pixels are loaded.
func (w *windowed) slide(l *block.PanelLoop, of *block.Slide) *slide {
	m := of.Load.Image
	s := &slide{Slide: of, buf: w.buffer(m, kir.Reads), chunk: 1, rows: 1}
	if of.Rows {
		s.rows = w.item[1]
	}
	first := l.Slides[0]
	_, pixel, _ := block.Axes(m)
	vectors := of.Plain(w.what.X, l.Inner()) && first.Plain(w.what.X, l.Inner()) && key(w.column(l, of), w.ids) == key(w.column(l, first), w.ids)
	if vectors && s.buf.memory == s.buf.elem && m.Elem.Kind != types.Bool && s.buf.lineAxis == pixel-1 && pixel == m.Rank()-1 {
		for s.chunk*2*m.Elem.Kind.Bytes() <= kir.RunBytes && w.item[0]*int(m.Elem.Lanes)%(2*s.chunk) == 0 {
			s.chunk *= 2
		}
	}
	return s
}

// column is that of a plain slide where the instance and the step are 0.
func (w *windowed) column(l *block.PanelLoop, s *block.Slide) kir.Expr {
	_, pixel, _ := block.Axes(s.Load.Image)
	w.body.vars[w.what.X], w.body.vars[l.Inner()] = i32(0), i32(0)
	return w.body.expr(s.Load.Index[pixel].X)
}

// itemBlock is the item's instances as a block that stores what they write, and that knows where lines start.
func (w *windowed) itemBlock() *strip {
	what := *block.Analyze(w.stage, w.decided.Unroll)
	what.Windows, what.Legs, what.Rows = nil, nil, nil
	t := &strip{kernelBuilder: w.kernelBuilder, stage: w.stage, what: &what, item: w.item, tall: w.item[1], end: w.grid.end, from: w.grid.from, at: [2]kir.Expr{i32(0), i32(0)}, fast: true, allRows: true}
	for dim, list := range w.beside {
		t.first[dim] = list[0]
	}
	t.arrange()
	for _, l := range w.what.Loops {
		for _, s := range l.Slides {
			if x := w.slid[s]; x.chunk > 1 {
				t.windows = append(t.windows, &window{tile: tile{Place: block.Place{Image: s.Load.Image}, buf: x.buf, per: int(s.Load.Image.Elem.Lanes), chunk: x.chunk}, rule: hast.Undefined})
			}
		}
	}
	return t
}

// inIteration is the condition that all instances of the item are some of the iteration, and that lines start where vectors may where the host does not ask.
func (w *windowed) inIteration() (cond kir.Expr) {
	b := w.body
	if cond = w.block.aligned(); w.loose {
		cond = nil
		for _, s := range w.slid {
			s.chunk = 1
		}
	}
	for dim, n := range w.item {
		if w.variable(dim) == nil {
			continue
		}
		cond = b.and(cond, b.op(boolType, ops.Le, b.op(i32T, ops.Add, w.beside[dim][0], i32(int64(n))), w.grid.end[dim]))
		if w.grid.from[dim] != nil {
			cond = b.and(cond, b.op(boolType, ops.Ge, w.beside[dim][0], w.grid.from[dim]))
		}
	}
	return cond
}

// inImages is the condition that all that is read in pieces lies inside of the images.
func (w *windowed) inImages() (cond kir.Expr) {
	b := w.body
	for _, l := range w.what.Loops {
		for _, s := range l.Slides {
			_, pixel, _ := block.Axes(s.Load.Image)
			extent := w.slid[s].buf.extent
			for k, c := range s.Load.Index {
				before, behind := int64(0), int64(0)
				if k == pixel {
					before, behind = int64(w.item[0]-1), int64(2*w.item[0]-1)
				} else if !c.Below && !c.Above && !s.Lazy {
					continue
				}
				least, most := w.end(l, s, k, true), w.end(l, s, k, false)
				cond = b.and(cond, b.op(boolType, ops.Ge, least, i32(before)))
				cond = b.and(cond, b.op(boolType, ops.Lt, b.op(i32T, ops.Add, most, i32(behind)), extent[k]))
			}
		}
	}
	return cond
}

// end is the least or the greatest of a slide's coordinates on an axis, at the item's first instance of each row.
func (w *windowed) end(l *block.PanelLoop, s *block.Slide, axis int, least bool) kir.Expr {
	b := w.body
	at := func(v *hast.Var, first, last func() kir.Expr) {
		if slope := s.Slopes[axis][v]; slope != 0 && (slope > 0) == least {
			b.vars[v] = first()
		} else if slope != 0 {
			b.vars[v] = last()
		}
	}
	w.stand(0, 0)
	if b.vars[w.what.X] = w.beside[0][0]; w.what.Y != nil {
		rows := w.at[1]
		at(w.what.Y, func() kir.Expr { return rows[0] }, func() kir.Expr { return rows[len(rows)-1] })
	}
	for i, v := range l.Space.Vars {
		r := l.Space.Ranges[i]
		at(v, func() kir.Expr { return b.expr(r.Lo) }, func() kir.Expr { return b.op(i32T, ops.Sub, b.expr(r.Hi), i32(1)) })
	}
	return b.once("end", b.expr(s.Load.Index[axis].X))
}

// allLoops takes the instances through all loops.
func (w *windowed) allLoops() (list []map[*hast.Reduce][]reducer) {
	for _, l := range w.what.Loops {
		if len(l.Slides) == 0 {
			list = append(list, w.together(l))
			continue
		}
		list = append(list, w.through(l, func(all map[*hast.Reduce][]reducer) {
			i := &slidingInner{inner: w.newInner(l, all), w: w}
			i.slide()
		}))
	}
	return list
}

// storeBlock computes the rest of the body of all instances of the item, and stores what they write in rows.
func (w *windowed) storeBlock(reducers []map[*hast.Reduce][]reducer) {
	t := w.block
	defer func(was kir.Rounds) { w.body.rounds = was }(w.body.rounds)
	w.body.rounds = kir.WrittenOut
	t.declareOutputs()
	w.blocks = t
	w.total()
	for v := range w.item[1] {
		for u := range w.item[0] {
			t.at = [2]kir.Expr{i32(int64(u)), i32(int64(v))}
			w.finished(u, v, reducers)
		}
	}
	clear(w.body.totals)
	t.at = [2]kir.Expr{i32(0), i32(0)}
	t.put(t.putWhole)
	w.blocks = nil
}

// A slidingInner is the innermost loop of some reductions that read windows.
type slidingInner struct {
	*inner
	w *windowed
}

// slide goes through the loop, some steps at a time.
func (i *slidingInner) slide() {
	b, n := i.body, int64(i.item[0])
	some := b.inside(false, func() {
		i.fixed()
		start := i.start()
		aligned := start != i.lo
		iv := interval.Between(i.iv.Lo-n, i.iv.Hi)
		i.declare()
		i.load(start, 0)
		v := b.loopVar("at", iv)
		b.loops++
		stmts := b.inside(false, func() {
			i.load(exactly(ops.Add, ref(v), i32(n)), int(n))
			i.steps(ref(v), aligned)
			i.shift()
		})
		b.loops--
		past := interval.Between(iv.Lo, iv.Hi+n)
		b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: start, Hi: i.hi, Step: n, Rounds: kir.Looped, Body: stmts, Exact: past.Within(interval.OfKind(types.I32))})
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: b.and(b.op(boolType, ops.Lt, i.lo, i.hi), i.exist()), Then: some})
}

// start is the step that the first round begins with: that at the last place before the loop's first one where a vector may begin.
func (i *slidingInner) start() kir.Expr {
	b := i.body
	first := i.loop.Slides[0]
	if !i.w.free || i.w.slid[first].chunk == 1 {
		return i.lo
	}
	column := i.w.column(i.loop, first)
	over := b.op(i32T, ops.And, b.op(i32T, ops.Add, i.lo, column), i32(int64(i.item[0]-1)))
	return b.once("start", b.op(i32T, ops.Sub, i.lo, over))
}

// declare makes the arrays of pieces.
func (i *slidingInner) declare() {
	for _, of := range i.loop.Slides {
		s := i.w.slid[of]
		s.held = nil
		for range s.rows {
			v := i.body.declare("piece", s.elem().Array(2*i.item[0]*int(of.Of.Type().Lanes)), true, nil)
			if s.elem().Kind != of.Of.Type().Kind {
				i.body.bounds[v] = interval.OfKind(of.Of.Type().Kind)
			}
			s.held = append(s.held, v)
		}
	}
}

// elem is the type of what pieces hold.
func (s *slide) elem() types.Type { return unpacked(types.Scalar(s.Of.Type().Kind)) }

// unpacked is the type in which a device computes with one: 32 bits for smaller integers, and for a bool.
func unpacked(t types.Type) types.Type {
	if t == boolType || t.Kind.IsInt() && t.Kind.Bits() < 32 {
		return t.WithKind(types.I32)
	}
	return t
}

// load loads halves of all pieces from pixel to on: what the first instance reads from a step on.
func (i *slidingInner) load(at kir.Expr, to int) {
	for _, of := range i.loop.Slides {
		s := i.w.slid[of]
		for v := range s.rows {
			i.stand(0, v)
			i.body.vars[i.what.X] = i.beside[0][0]
			if i.w.free {
				i.loadFree(s, v, at, to)
			} else {
				i.loadFolded(s, v, at, to)
			}
		}
	}
}

// loadFree loads half of a piece that lies inside of the image.
func (i *slidingInner) loadFree(s *slide, v int, at kir.Expr, to int) {
	b := i.body
	b.vars[i.loop.Inner()] = at
	var coords []kir.Expr
	for _, c := range s.Load.Index {
		x := b.expr(c.X)
		coords = append(coords, b.once(coordName(x), x))
	}
	lanes, per := int(s.Load.Image.Elem.Lanes), i.item[0]
	offset := b.once(s.buf.v.Name+"_at", b.offset(s.buf, coords))
	if s.Of == hast.Expr(s.Load) && s.elem().Kind == s.buf.elem.Kind {
		i.loadRuns(s, s.held[v], to*lanes, offset)
		return
	}
	loaded := b.declare("loaded", types.Scalar(s.buf.elem.Kind).Array(per*lanes), true, nil)
	i.loadRuns(s, loaded, 0, offset)
	for u := range per {
		parts := make([]kir.Expr, lanes)
		for c := range parts {
			parts[c] = b.elemOf(loaded, []kir.Expr{i32(int64(u*lanes + c))})
		}
		i.keep(s, v, to+u, joined(s.Load.T, parts))
	}
}

// loadRuns loads the components of as many pixels as the item has instances side by side into an array.
func (i *slidingInner) loadRuns(s *slide, into *kir.Var, first int, offset kir.Expr) {
	b := i.body
	for c := 0; c < i.item[0]*int(s.Load.Image.Elem.Lanes); c += s.chunk {
		index, from := []kir.Expr{i32(int64(first + c))}, add(offset, i64(int64(c)))
		if s.chunk > 1 {
			b.emit(&kir.LoadRun{Placed: b.placed(), Var: into, Index: index, Buffer: s.buf.v, Offset: from, Count: s.chunk})
			continue
		}
		x := &kir.Load{Typed: kir.Typed{T: types.Scalar(s.buf.elem.Kind)}, Buffer: s.buf.v, Offset: from}
		b.emit(&kir.Assign{Placed: b.placed(), Var: into, Index: index, Value: x})
	}
}

// keep computes what is held of a pixel, as number at of a piece.
func (i *slidingInner) keep(s *slide, v, at int, pixel kir.Expr) {
	b := i.body
	if s.Of != hast.Expr(s.Load) {
		b.given[s.Load] = pixel
		pixel = b.expr(s.Of)
		delete(b.given, s.Load)
	}
	lanes := int(s.Of.Type().Lanes)
	if lanes > 1 {
		pixel = b.once("pixel", pixel)
	}
	for c := range lanes {
		value := b.unpack(b.lane(pixel, c))
		b.emit(&kir.Assign{Placed: b.placed(), Var: s.held[v], Index: []kir.Expr{i32(int64(at*lanes + c))}, Value: value})
	}
}

// joined is a pixel of components.
func joined(t types.Type, parts []kir.Expr) kir.Expr {
	if len(parts) == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: t}, Parts: parts}
}

// loadFolded loads half of a piece pixel by pixel, each from where the border rule says. Some of them may be none that instances of the iteration read.
func (i *slidingInner) loadFolded(s *slide, v int, at kir.Expr, to int) {
	b := i.body
	_, pixel, _ := block.Axes(s.Load.Image)
	load := *s.Load
	load.Index = append([]hast.Coord(nil), s.Load.Index...)
	for k := range load.Index {
		if c := &load.Index[k]; k == pixel || s.Lazy {
			c.Below, c.Above = true, true
		}
	}
	for u := range i.item[0] {
		b.vars[i.loop.Inner()] = b.once("at", exactly(ops.Add, at, i32(int64(u))))
		i.keep(s, v, to+u, b.expr(&load))
	}
}

// steps takes the steps of a round, of which the first ones may come before the loop's where it is aligned, and the last ones behind. What instances share of them is loaded for all
// before the first is taken.
func (i *slidingInner) steps(at kir.Expr, aligned bool) {
	b := i.body
	type taken struct {
		place, cond kir.Expr
		values      func() []operandValues
	}
	var list []taken
	for k := range i.item[0] {
		step := b.once("at", exactly(ops.Add, at, i32(int64(k))))
		var cond kir.Expr
		if aligned {
			cond = b.op(boolType, ops.Ge, step, i.lo)
		}
		if k > 0 {
			cond = b.and(cond, b.op(boolType, ops.Lt, step, i.hi))
		}
		if cond != nil {
			cond = b.once("taken", cond)
		}
		list = append(list, taken{step, cond, i.loadsIf(cond, step)})
	}
	for k, t := range list {
		b.when(t.cond, func() {
			i.step(i.clamped(t.place))
			i.slid = func(u, v int) { i.give(u, v, k) }
			i.take(t.values())
		})
	}
}

// loadsIf loads what operands of a step need under a condition, nil for none, and returns what computes them where the step is taken. What is loaded is held as it is, so that no load waits for another one.
func (i *slidingInner) loadsIf(cond, step kir.Expr) (values func() []operandValues) {
	i.step(i.clamped(step))
	if cond == nil {
		list := i.loads()
		return func() []operandValues { return list }
	}
	var list []*heldOperand
	for _, o := range i.loop.Operands {
		if o.Steps {
			list = append(list, i.holdOperand(o))
		}
	}
	i.body.when(cond, func() {
		for _, h := range list {
			h.load()
		}
	})
	return func() (all []operandValues) {
		for _, h := range list {
			all = append(all, h.values())
		}
		return all
	}
}

// A heldOperand is an operand of a step that may be none of the loop: what it needs is loaded under a condition, and computed from under the same one.
type heldOperand struct {
	load   func()
	values func() operandValues
}

// holdOperand declares what is held of an operand: the pixels that it is computed of, if all instances share it and no condition says whether they are read, or its values.
func (i *slidingInner) holdOperand(o *block.Operand) *heldOperand {
	b, pixels := i.body, certainLoads(o.Of)
	if pixels == nil || o.Along >= 0 {
		var vars []*kir.Var
		for range i.instancesAlong(o) {
			vars = append(vars, b.holder(o.Of.Type()))
		}
		return &heldOperand{func() {
			for k, value := range i.inner.load(o).values {
				b.emit(&kir.Assign{Placed: b.placed(), Var: vars[k], Value: b.unpack(value)})
			}
		}, func() operandValues {
			x := operandValues{of: o}
			for _, v := range vars {
				x.values = append(x.values, b.packed(o.Of.Type(), ref(v)))
			}
			return x
		}}
	}
	vars := map[*hast.Load]*kir.Var{}
	for _, l := range pixels {
		vars[l] = b.holder(l.T)
	}
	return &heldOperand{func() {
		for _, l := range pixels {
			b.emit(&kir.Assign{Placed: b.placed(), Var: vars[l], Value: b.unpack(b.expr(l))})
		}
	}, func() operandValues {
		for _, l := range pixels {
			b.given[l] = b.packed(l.T, ref(vars[l]))
		}
		return operandValues{of: o, values: []kir.Expr{b.once("operand", b.expr(o.Of))}}
	}}
}

// certainLoads are the pixels that an expression reads, if it reads them whatever conditions say; else nil.
func certainLoads(e hast.Expr) (list []*hast.Load) {
	hast.MapCertain(e, func(e hast.Expr) hast.Expr {
		if l, ok := e.(*hast.Load); ok {
			list = append(list, l)
		}
		return nil
	})
	all := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			all = all && slices.Contains(list, e)
		case *hast.Window:
			all = false
		}
	})
	if !all {
		return nil
	}
	return list
}

// holder declares a variable for a value that is assigned to it where a condition says so. What is smaller than a register is held as an integer of 32 bits: compilers mask it again and again otherwise.
func (b *body) holder(t types.Type) *kir.Var {
	v := b.declare("operand", unpacked(t), true, zero(unpacked(t)))
	if t.Kind != v.Type.Kind {
		b.bounds[v] = interval.OfKind(t.Kind)
	}
	return v
}

// unpack is a value as a device computes with it.
func (b *body) unpack(e kir.Expr) kir.Expr {
	t := e.Type()
	if t == boolType {
		return &kir.Select{Typed: kir.Typed{T: i32T}, Cond: e, Then: i32(1), Else: i32(0)}
	}
	return b.convert(unpacked(t), e, kir.Wrap)
}

// packed is the opposite, of a type.
func (b *body) packed(t types.Type, e kir.Expr) kir.Expr {
	if t == boolType {
		return b.op(boolType, ops.Ne, e, i32(0))
	}
	return b.convert(t, e, kir.Wrap)
}

// give gives an instance what it reads at the k-th step of a round.
func (i *slidingInner) give(u, v, k int) {
	for _, of := range i.loop.Slides {
		for _, e := range of.All {
			i.body.given[e] = i.w.pixel(i.w.slid[of], u, v, k)
		}
	}
}

// shift makes the second half of each piece the first one.
func (i *slidingInner) shift() {
	b := i.body
	for _, of := range i.loop.Slides {
		half := i.item[0] * int(of.Of.Type().Lanes)
		for _, v := range i.w.slid[of].held {
			for k := range half {
				b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: []kir.Expr{i32(int64(k))}, Value: b.elemOf(v, []kir.Expr{i32(int64(half + k))})})
			}
		}
	}
}

// pixel is what an instance of the item has of what it reads at the k-th step of a round.
func (w *windowed) pixel(s *slide, u, v, k int) kir.Expr {
	t := s.Of.Type()
	parts := make([]kir.Expr, t.Lanes)
	for c := range parts {
		held := w.body.elemOf(s.held[min(v, s.rows-1)], []kir.Expr{i32(int64((u+k)*len(parts) + c))})
		parts[c] = w.body.packed(types.Scalar(t.Kind), held)
	}
	return joined(t, parts)
}
