package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// A fusion is a strip that computes several stages. Each work-item loads what all of them read of images in memory; then, row by
// row, it computes of every stage what later ones need, its block and a frame around it, so that of a stage of which the next one
// reads three rows no more than three are in use at a time; then it stores the block.
//
// What a stage reads outside of an image that an earlier one computed is what the border rule makes of that image, not of what that
// was computed from. The frame is first computed as if the images had no end, which harms nothing, and then replaced by pixels
// of the block. Where these pixels are does not depend on the work-item unless the block lies across the end of an image: such
// blocks, and others that are not whole, go a way of their own, in loops. A part of which no block holds what a rule takes (block.Part.Far) loads
// there what it reads from memory, for the instances that the rule takes.
type fusion struct {
	*strip
	group *block.Group
	tiles map[*block.Window]*window // and what is loaded
	parts []*fusedPart
	steps int                            // of the sweep
	words map[*block.Part]*block.Columns // where parts compute four instances at a time: in which columns
}

// A fusedPart computes the instances of one stage. Its strip is the group's but for what the body of the stage reads and writes.
type fusedPart struct {
	strip
	*block.Part
	keeps  []*window // its tiles
	folds  bool      // instances outside of the images are those that the border rule takes, wherever they are; else the nearest, and none that is read
	stores []*output // those of the fusion's outputs that it writes
	quads  *quads    // where four instances are computed at once
}

// fused lowers a stage with those that are fused with it.
func (k *kernelBuilder) fused(s *hast.Stage) *kir.Launch {
	items := k.fusedBlock(s)
	return k.finish(s.Name, shape{items: items, group: k.group(len(s.Space.Vars))})
}

// fusedBlock lowers the block of an item.
func (k *kernelBuilder) fusedBlock(s *hast.Stage) (items [3]kir.Expr) {
	f, items := k.newFusion(s)
	if g := f.group; g.Divided() != nil {
		f.inLoops()
	} else {
		f.byPlace(f.placing())
	}
	return items
}

// newFusion starts a kernel: it finds the item's block and what that loads, keeps and stores.
func (k *kernelBuilder) newFusion(s *hast.Stage) (f *fusion, items [3]kir.Expr) {
	g := block.Together(s, k.decided.Unroll)
	t := &strip{kernelBuilder: k, stage: s, what: g.Last().Stage, item: [2]int{k.decided.Item[0], max(1, k.decided.Item[1])}}
	t.anyShort = slices.ContainsFunc(g.Parts, func(p *block.Part) bool { return p.Short[1] > 0 })
	k.blocks = t
	items = t.grid()
	f = &fusion{strip: t, group: g, tiles: map[*block.Window]*window{}}
	k.computes(g)
	f.arrange()
	return f, items
}

// placing is what is done with a block by where it lies.
func (f *fusion) placing() placing {
	p := placing{fast: func() { f.apart(f.bounded(), f.block) }, slow: f.inLoops, conditions: f.regular()}
	p.margins, p.parted, p.movable = f.lineEnds()
	return p
}

// arrange decides the form of what is loaded, kept and stored.
func (f *fusion) arrange() {
	f.findWords()
	for _, w := range f.group.Windows {
		x := f.window(w)
		f.tiles[w] = x
		f.windows = append(f.windows, x)
	}
	for _, w := range f.group.Tiles {
		f.tiles[w] = f.tile(w)
	}
	for _, p := range f.group.Parts {
		for i, o := range p.Outputs {
			if p.Keeps == nil {
				out := f.output(o)
				out.packed = f.words[p] != nil && out.packs()
				f.outputs = append(f.outputs, out)
			} else if p.Stores[i] {
				out := f.kept(p, i)
				out.buf.v.Access |= kir.Writes
				f.outputs = append(f.outputs, out)
			}
		}
	}
}

// bounded are the windows and the tiles to which border rules apply.
func (f *fusion) bounded() (list []*window) {
	for _, w := range slices.Concat(f.group.Windows, f.group.Tiles) {
		if x := f.tiles[w]; x.near == nil {
			list = append(list, x)
		}
	}
	return list
}

// tile is what a part keeps of an image.
func (f *fusion) tile(t *block.Window) *window {
	w := f.around(t, 0)
	if w.rule == hast.Undefined && t.Rule != nil {
		w.rule = hast.Clamp
	}
	w.lead, w.trail = side{size: w.left * w.per}, side{size: w.right * w.per}
	if beside, ok := f.beside[t]; ok {
		w.lead.size, w.trail.size = -beside.From*w.per, (beside.To-w.width)*w.per
		w.packed = block.HoldsWords(t)
	}
	w.cols = w.lead.size + w.width*w.per + w.trail.size
	return w
}

// kept is what a part writes to a tile, as an output.
func (f *fusion) kept(p *block.Part, i int) *output {
	w := f.tiles[p.Keeps[i]]
	out := &output{tile: w.tile, own: p.Outputs[i].Place, lead: w.lead.size, top: -w.Y.First()}
	out.Place = out.own
	out.chunk = f.run(w.Image.Elem.Kind, w.width*w.per)
	return out
}

// declare makes the arrays of all parts, and connects what their bodies read and write to them.
func (f *fusion) declare() {
	for _, list := range [][]*block.Window{f.group.Windows, f.group.Tiles} {
		for _, w := range list {
			if x := f.tiles[w]; !x.held {
				f.declareWindow(x)
			}
		}
	}
	f.parts = nil
	next := 0
	for _, p := range f.group.Parts {
		x := &fusedPart{strip: *f.strip, Part: p}
		x.stage, x.what, x.windows, x.outputs = p.Of, p.Stage, nil, nil
		for i, o := range p.Outputs {
			switch out := (*output)(nil); {
			case p.Keeps == nil:
				out = f.outputs[next]
				next++
				f.array(&out.tile, o.Image.Name+"_new")
				x.outputs, x.stores = append(x.outputs, out), append(x.stores, out)
			default:
				out = f.kept(p, i)
				x.outputs = append(x.outputs, out)
				x.keeps = append(x.keeps, f.tiles[p.Keeps[i]])
				if p.Stores[i] {
					f.outputs[next].array = out.array
					x.stores = append(x.stores, f.outputs[next])
					next++
				}
			}
		}
		for _, w := range p.Sources {
			x.windows = append(x.windows, f.tiles[w])
		}
		x.place0()
		x.scaled()
		if x.inWords = f.words[p]; x.inWords != nil {
			x.quads = x.strip.quadsOf(p.Of, func(dim int) kir.Expr { x.place(dim); return nil }) // columns beside what is needed are computed, too
		}
		f.parts = append(f.parts, x)
	}
}

// place0 finds the part's instance for the block's first, and where its iteration ends.
func (p *fusedPart) place0() {
	for dim, s := range []block.Span{p.X, p.Y} {
		if s.Stride > 0 {
			p.first[dim] = p.below(s, p.first[dim])
		}
		if v := p.variable(dim); p.Keeps != nil && v != nil {
			p.end[dim] = p.bound(v.Name+"_to", p.rangeOf(v).Hi)
		}
	}
}

// scaled notes how the part's instances lie to those of the last one, for which windows are there.
func (p *fusedPart) scaled() { p.apartBy = [2]int{p.X.Stride, p.Y.Stride} }

func (p *fusedPart) variable(dim int) *hast.Var { return [2]*hast.Var{p.what.X, p.what.Y}[dim] }

// block computes a whole block.
func (f *fusion) block() {
	f.within = f.endsInside()
	defer func() { f.within = false }()
	f.declare()
	f.reduceBlock(f.sweep)
	if f.storesEarly() {
		return
	}
	for _, p := range f.parts {
		of := f.storing(p)
		for _, o := range p.stores {
			if !o.unstored {
				of.putWhole(o)
			}
		}
	}
}

// storing is the block that a part stores what it keeps from: its own instances, where these are others than those of the whole. Rows and columns of those
// may lie behind its images though the instances below which they lie are all in the iteration.
func (f *fusion) storing(p *fusedPart) *strip {
	if !p.Apart {
		return f.strip
	}
	of := p.strip
	of.item = [2]int{p.X.Covers(f.item[0]), max(1, p.Y.Covers(f.item[1]))}
	of.short = p.Short[1] > 0
	return &of
}

// storesEarly reports whether rows are stored as soon as they are computed, so that they need not be kept until the block is complete: of
// chains with so many stages that registers are what there is too little of. On an H200 the corners of Harris took 150 us instead of 176, masks of 7 and of 3
// in two steps, whose loads wait for stores then, 145 instead of 141 and 73.5 instead of 70.6, with NVIDIA's OpenCL 152 and 143, 95 and 83. Where
// rows may lie outside of the iteration, each store has a condition, which the loads of later rows do not pass.
func (f *fusion) storesEarly() bool {
	return f.decided.Interior != 0 && len(f.parts) > fewParts && f.reducing == nil
}

// fewParts is how many stages a chain may have for all of its rows to be kept.
const fewParts = 2

// inLoops computes any block, pixel by pixel and part by part. The loops stay loops: written out they would hold all pixels of a part in
// registers, which the kernel would need for whole blocks, too.
func (f *fusion) inLoops() {
	b := f.body
	b.rounds = kir.Looped
	defer func() { b.rounds = kir.WrittenOut }()
	for _, w := range f.windows {
		w.held = false // loops would keep what is held out of registers
	}
	defer f.oneByOne()()
	f.declare()
	f.fetch(f.fetchPixels)
	for _, p := range f.parts {
		rows := func() {
			b.places("v", p.Y, f.item[1], func(at kir.Expr) { f.row(p, at) })
		}
		if p.Far != "" {
			p.folds = true
			p.fromMemoryAlone(rows)
			continue
		}
		rows()
		for _, w := range p.keeps {
			f.fold(w)
		}
	}
	f.reduceBlock(func() { b.unrolled("v", f.item[1], func(v kir.Expr) { f.reduceRow(v, false) }) })
	for _, p := range f.parts {
		of := f.storing(p)
		for _, o := range p.stores {
			if !o.unstored {
				of.putPixels(o)
			}
		}
	}
}

// rowsAhead is by how many rows of the block loads are ahead of what is computed: enough to wait for several at once. On an H200 one, two
// and three are alike, since the compiler there moves loads up by itself.
const rowsAhead = 2

// sweep computes the rows of all parts, each as soon as what it reads is there. In step t the last part computes row t of the
// block, and an earlier part the rows up to those that this one needs; the first steps have a negative t. Rows of memory are loaded
// some steps before.
func (f *fusion) sweep() {
	b := f.body
	computed, loaded := f.newest()
	first := 0
	for i, p := range f.parts {
		first = min(first, -((computed[i] - p.Y.Lo) / max(1, p.Y.Stride)))
	}
	for _, w := range f.windows {
		first = min(first, -((loaded[w] - w.Y.Lo) / max(1, w.Y.Stride)))
	}
	f.steps = f.item[1] - first
	ahead := min(rowsAhead, f.steps)
	windows := slices.DeleteFunc(slices.Clone(f.windows), func(w *window) bool { return w.held })
	loads, mends := make([]func(kir.Expr), len(windows)), make([]func(kir.Expr), len(windows))
	for i, w := range windows {
		loads[i], mends[i] = f.rowLoader(w)
		rows := min(w.Y.Stride*(ahead-1+first)+loaded[w], w.Y.Stride*(f.item[1]-1)+w.Y.Hi) - w.Y.Lo + 1
		if w.Y.Stride == 0 {
			f.fetchWhole(w)
		} else if rows > 0 {
			b.unrolled("v", rows, loads[i])
		}
	}
	b.unrolled("t", f.steps, func(t kir.Expr) {
		for i, w := range windows {
			if w.Y.Stride > 0 {
				f.rows(t, w.Y, loaded[w], first+ahead, func(at kir.Expr, _ int) { loads[i](b.op(i32T, ops.Add, at, i32(int64(-w.Y.Lo)))) })
			}
		}
		for i, w := range windows {
			if w.Y.Stride > 0 {
				f.rows(t, w.Y, loaded[w], first, func(at kir.Expr, _ int) { mends[i](b.op(i32T, ops.Add, at, i32(int64(-w.Y.Lo)))) })
			}
		}
		for i, p := range f.parts {
			f.rows(t, p.Y, computed[i], first, func(at kir.Expr, base int) {
				if f.row(p, at); p.Keeps == nil {
					f.reduceRow(at, true)
				}
				for _, w := range p.keeps {
					f.replaceEnds(w, t, at, base)
				}
				if f.storesEarly() {
					f.store(p, t, at, base)
				}
			})
		}
	})
}

// newest is up to which row of the block each part has computed, and each window and tile is there, when the last part computes row 0. That is
// as far as all together need, but farther where rows above the image are copies of rows that nobody would need so early: if one part
// reads rows y and y + 1 of an image whose pixels are those of row y - 1 of another, row 0 of the one waits for row 0 of the other,
// since row -1 is a copy of it.
func (f *fusion) newest() (computed []int, there map[*window]int) {
	computed, there = make([]int, len(f.parts)), map[*window]int{}
	for _, w := range slices.Concat(f.group.Windows, f.group.Tiles) {
		there[f.tiles[w]] = w.Y.Hi
	}
	for i, p := range slices.Backward(f.parts) {
		computed[i] = p.Y.Hi
		for _, w := range p.keeps {
			computed[i] = max(computed[i], there[w])
		}
		for k, r := range p.Reads() {
			w := p.windows[k]
			if w.Y.Stride == 0 {
				continue
			}
			there[w] = max(there[w], r.Y.Stride*computed[i]+r.Y.Hi)
			if from, copied := f.copiedAbove(r, p.Sources[k]); copied { // before the part computes row 0
				step := -ceilDiv(-computed[i], max(1, p.Y.Stride))
				there[w] = max(there[w], w.Y.Stride*step+from)
			}
		}
	}
	return computed, there
}

// copiedAbove is the lowest row of the block of which a copy lies above the image where the instances of row 0 read a tile; false where there is none.
func (f *fusion) copiedAbove(r, tile *block.Window) (row int, copied bool) {
	if f.interior || f.isFar(tile.Image) || !slices.Contains(f.group.Tiles, tile) || r.Rule == nil || r.Rule.Kind == hast.Constant || r.Y.Lo >= 0 {
		return 0, false
	}
	if f.group.IsStraight(tile.Image) {
		n := f.insideFor(tile, 1, max(0, -tile.Y.First()), 0)
		return n - 1, n <= tile.Y.Stride*f.item[1]
	}
	return mirrored(r.Rule, -r.Y.Lo) - 1, true
}

// store stores the row of a part that has been computed in step t: row at, which is the stride of the rows times t, plus base. Rows of the
// frame are the neighbours'.
func (f *fusion) store(p *fusedPart, t, at kir.Expr, base int) {
	of, per := f.storing(p), max(1, p.Y.Stride)
	f.during(t, ceilDiv(-base, per), ceilDiv(of.item[1]-base, per), func() {
		for _, o := range p.stores {
			of.putWholeRow(o, at)
		}
	})
}

// rows runs g for those rows of a span that are new in step t: the last of them is newest where t + first is 0. Each is s.Stride*t + base. Rows
// that the block does not need, behind s.Hi of its last row or between those of two instances, are none.
func (f *fusion) rows(t kir.Expr, s block.Span, newest, first int, g func(at kir.Expr, base int)) {
	b := f.body
	if s.Stride == 0 { // the one row that there is
		g(i32(0), 0)
		return
	}
	last := s.Hi + s.Stride*(f.item[1]-1)
	for k := s.Stride - 1; k >= 0; k-- {
		base := newest - k + s.Stride*first
		if !s.Reads(base) {
			continue
		}
		at := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, t, i32(int64(s.Stride))), i32(int64(base)))
		f.during(t, ceilDiv(s.Lo-base, s.Stride), ceilDiv(last+1-base, s.Stride), func() { g(at, base) })
	}
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

func floorDiv(a, b int) int { return int(ops.FloorQuotient(int64(a), int64(b))) }

// during runs g in the steps from lo to below hi.
func (f *fusion) during(t kir.Expr, lo, hi int, g func()) {
	b, n := f.body, f.steps
	if c, ok := constInt(t); ok {
		if int(c) >= lo && int(c) < hi {
			g()
		}
		return
	}
	var cond kir.Expr
	switch {
	case lo >= n || hi <= 0 || lo >= hi:
		return
	case hi-lo == 1:
		cond = b.op(boolType, ops.Eq, t, i32(int64(lo)))
	default:
		if lo > 0 {
			cond = b.op(boolType, ops.Ge, t, i32(int64(lo)))
		}
		if hi < n {
			cond = b.and(cond, b.op(boolType, ops.Lt, t, i32(int64(hi))))
		}
	}
	if cond == nil {
		g()
		return
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: b.inside(false, g)})
}

// row computes one row of a part, at a distance from the block's first.
func (f *fusion) row(p *fusedPart, at kir.Expr) {
	b := f.body
	p.kernelBuilder.blocks = &p.strip
	defer func() { p.kernelBuilder.blocks = f.strip }()
	p.at[1] = at
	inside := p.place(1)
	if p.quads != nil {
		p.quads.row()
		return
	}
	b.when(inside, func() {
		b.places("u", p.X, f.item[0], func(at kir.Expr) {
			p.at[0] = at
			b.when(p.place(0), p.compute)
		})
	})
}

// places runs f for the places that n instances read.
func (b *body) places(name string, s block.Span, n int, f func(at kir.Expr)) {
	if !s.Sparse() {
		b.unrolled(name, s.Count(n), func(i kir.Expr) { f(b.op(i32T, ops.Add, i, i32(int64(s.First())))) })
		return
	}
	b.unrolled(name, n, func(i kir.Expr) {
		first := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, i, i32(int64(s.Stride))), i32(int64(s.Lo)))
		b.unrolled("k", s.Each(), func(k kir.Expr) { f(b.op(i32T, ops.Add, first, k)) })
	})
}

// place declares the iteration variable of a dimension. Of a fused stage, instances that are none stand for the nearest one, or for the one that the border rule takes.
func (p *fusedPart) place(dim int) (inside kir.Expr) {
	if p.Keeps == nil {
		return p.strip.place(dim)
	}
	v := p.variable(dim)
	if v == nil {
		return nil
	}
	b := p.body
	i, last := b.op(i32T, ops.Add, p.first[dim], p.at[dim]), b.op(i32T, ops.Sub, p.end[dim], i32(1))
	switch p.beyond[dim] = nil; {
	case p.folds && p.ByFormula():
		i = b.once("i", i)
		p.beyond[dim] = b.beyondEnds(i, last)
		i = b.op(i32T, ops.Clamp, i, i32(0), last)
	case p.folds:
		i = b.foldedInto(p.ruleOf(), i, p.end[dim])
	default:
		i = b.op(i32T, ops.Clamp, i, i32(0), last)
	}
	x := b.declare(v.Name, i32T, false, i)
	b.bounds[x] = loopInterval(interval.Point(0), p.plan.hostInterval(p.rangeOf(v).Hi).Meet(interval.Between(0, hast.MaxExtent)), 1)
	b.limits[x] = p.end[dim]
	b.vars[v] = ref(x)
	return nil
}

// ruleOf is the border rule under which what a part keeps is read, of all of it the same.
func (p *fusedPart) ruleOf() hast.RuleKind {
	for _, w := range p.keeps {
		if w.value != nil {
			return w.value.Kind
		}
	}
	return hast.Clamp
}

// fromMemoryAlone has the instances of a part load what they read while g runs, if some of them are where the windows do not lie.
func (p *fusedPart) fromMemoryAlone(g func()) {
	if p.ByFormula() {
		g()
		return
	}
	held := p.windows
	p.windows = make([]*window, len(held))
	g()
	p.windows = held
}

// compute computes the instance at hand, or where it stands for a place outside what a border by formula says of that.
func (p *fusedPart) compute() {
	outside := p.outsideAt()
	if outside == nil || !p.ByFormula() {
		p.instance(p.stage)
		return
	}
	b := p.body
	inside := b.inside(false, func() { p.instance(p.stage) })
	b.emit(&kir.If{Placed: b.placed(), Cond: outside, Then: b.inside(false, p.byFormula), Else: inside})
}

// byFormula keeps what borders by formula say of the place at hand, which is outside of the images.
func (p *fusedPart) byFormula() {
	for i, w := range p.keeps {
		if w.value != nil {
			p.outsidePixel(w, p.outputs[i])
		}
	}
}

// outsidePixel does so for one image.
func (p *fusedPart) outsidePixel(w *window, o *output) {
	b, coords := p.body, p.outer(&w.tile)
	if p.lines(&w.tile) {
		coords = append(coords, p.position(1))
	}
	coords = append(coords, p.position(0))
	lanes := int(w.buf.elem.Lanes)
	for c := 0; c < w.per; c += lanes {
		at := coords
		if len(at) < w.Image.Rank() {
			at = append(slices.Clone(coords), i32(int64(c/lanes)))
		}
		pixel := b.outside(w.value.Border, at)
		if lanes > 1 {
			pixel = b.once("pixel", pixel)
		}
		for l := range lanes {
			b.emit(&kir.Assign{Placed: b.placed(), Var: o.array, Index: p.destination(o, o.own, c+l), Value: b.lane(pixel, l)})
		}
	}
}

// position is where the instance at hand is, whatever stands for it.
func (p *fusedPart) position(dim int) kir.Expr {
	at := p.at[dim]
	if p.to[dim] != nil {
		at = p.to[dim]
	}
	return p.body.op(i32T, ops.Add, p.first[dim], at)
}
