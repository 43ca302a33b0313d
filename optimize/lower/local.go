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

// A sharedTile is a stage, with those fused with it, whose work-groups compute a tile together. All items load what the tile and the
// frame around it need of images in memory into local memory, neighbours next to each other, borders applied; wait for each other;
// compute of each fused stage what later ones need, again into local memory; and at last each item computes its own block of
// the tile. All that is read is in local memory then, where nothing is outside of an image any more: a pixel of the frame that is, was
// loaded, or computed, for the place that its border rule takes for it. An image of which instances read one pixel each, their own, is
// not there: it would only be moved once more.
type sharedTile struct {
	*fusion
	tiling block.Tiling
	own    [2]int      // instances of an item in x and y
	lane   [2]kir.Expr // of the item in its group
	size   [2]int      // items of the group
	looped bool        // the turns that items take are left loops
	atOnce int         // how many of them are written out, one behind the other, in a round of such a loop; 0 for all
}

// EveryLocal is the local memory that a group may take on every device of interest, in bytes.
const EveryLocal = 48 << 10

// refuseLocal says why work-groups cannot compute a stage by tiles in local memory.
func refuseLocal(looks *block.Looks, g *block.Group, d, full schedule.Decisions, most int) string {
	if why := refuseTogether(g, d, full); why != "" {
		return why
	}
	t := tiling(full)
	if why := refusePer(g, t.Tile, "tile"); why != "" {
		return why
	}
	if len(g.Staged(t)) == 0 && len(g.Tiles) == 0 {
		return "it reads nothing that others around an instance read, too, so that nothing would be in local memory"
	}
	for _, p := range g.Parts {
		if a, b := twoRules(p); a != nil {
			return fmt.Sprintf("%s and %s, which %s computes together, are read under different border rules", a.Name, b.Name, p.Of.Name)
		}
	}
	if m := g.Divided(); t.Sweep && m != nil {
		return m.Name + " is read at divided coordinates, which items that compute parts for themselves do not do"
	}
	if t.Direct && !slices.ContainsFunc(g.Parts, func(p *block.Part) bool { return t.FromMemory(g, p) }) {
		return "no stage that is fused with it can be computed in blocks from memory alone"
	}
	if t.Sweep {
		swept := looks.Swept(g, full.Unroll)
		if why := refuseFusion(swept, full); why != "" {
			return why
		}
		if m := readDirectly(swept, g.Kept(t)); m != nil {
			return m.Name + " is read at coordinates that items that compute parts for themselves do not find in tiles"
		}
	}
	if n := g.Items(t); n[0]*n[1] > maxGroup {
		return fmt.Sprintf("its tile takes %d work-items with what lies beside it, and a group has at most %d", n[0]*n[1], maxGroup)
	}
	if bytes := g.LocalBytes(t); bytes > most {
		return fmt.Sprintf("its tiles take %d bytes of local memory, and %d is the most", bytes, most)
	}
	return ""
}

// readDirectly is an image of some tiles that parts of a group read in other ways than by windows, as at divided coordinates that are none for the whole; nil where there is none.
func readDirectly(g *block.Group, tiles []*block.Window) *hast.Image {
	for _, p := range g.Parts {
		for _, w := range tiles {
			if slices.ContainsFunc(p.Direct, func(m *hast.Image) bool { return m.Base() == w.Image.Base() }) {
				return w.Image
			}
		}
	}
	return nil
}

// twoRules are two images of a part that are read under border rules of different kinds; nil where there are none.
func twoRules(p *block.Part) (a, b *hast.Image) {
	var first *block.Window
	for _, w := range p.Keeps {
		switch {
		case w.Rule == nil:
		case first == nil:
			first = w
		case first.Rule.Kind != w.Rule.Kind:
			return first.Image, w.Image
		}
	}
	return nil, nil
}

// sharedGroup is a stage with those fused with it as groups compute them by decisions. Items that compute parts for themselves read images as they lie.
func sharedGroup(looks *block.Looks, s *hast.Stage, d schedule.Decisions) *block.Group {
	if d.Local == schedule.Sweep {
		return looks.Together(s, d.Unroll)
	}
	return looks.Shared(s, d.Unroll)
}

// looks are those of groups as they lie in local memory.
func (k *kernelBuilder) looks() *block.Looks { return &block.Looks{Dense: k.plan.opts.DenseRGB} }

// inLocal lowers a stage with those that are fused with it, by tiles in local memory.
func (k *kernelBuilder) inLocal(s *hast.Stage) *kir.Launch {
	d := k.decided
	g := sharedGroup(k.looks(), s, d)
	t := &strip{kernelBuilder: k, stage: s, what: g.Last().Stage, item: [2]int{d.Tile[0], max(1, d.Tile[1])}, at: [2]kir.Expr{i32(0), i32(0)}}
	l := &sharedTile{fusion: &fusion{strip: t, group: g, tiles: map[*block.Window]*window{}}, tiling: tiling(d), own: [2]int{d.Item[0], max(1, d.Item[1])}}
	l.size = g.Items(l.tiling)
	t.shared = &l.size
	k.blocks = t
	k.computes(g)
	items := t.grid()
	decls := l.declare()
	if l.tiling.Sweep {
		l.sweepOwn()
	} else {
		l.partByPart()
	}
	k.blocks = t
	return k.finish(s.Name, shape{items: items, group: [3]int{l.size[0], l.size[1], 1}, shared: decls})
}

// partByPart computes all parts for the tile, each when the one before is complete, and the last one for the item's own block.
func (l *sharedTile) partByPart() {
	mine := l.ownBlock()
	l.fetch()
	stored := false
	for i, p := range l.parts {
		// What is computed from memory alone needs nothing of those before, unless these have stored what it reads. It is begun with them where it is straight code, which compilers
		// put in any order.
		alone := p.Keeps != nil && l.tiling.FromMemory(l.group, p.Part) && !stored && l.decided.Interior != 0
		if stored = slices.Contains(p.Stores, true); !alone && (i > 0 || len(l.windows) > 0) {
			l.wait()
		}
		if p.Keeps != nil {
			l.keep(p)
		} else {
			l.last(p, mine)
		}
	}
}

// wait has all items of the group wait for each other.
func (l *sharedTile) wait() { l.body.together(l.size[0] * l.size[1]) }

// lanes declares the place of the work-item in its group, of so many in x and y.
func (b *body) lanes(size [2]int) (lane [2]kir.Expr) {
	for dim, name := range []string{"lane_x", "lane_y"} {
		lane[dim] = i32(0)
		if size[dim] > 1 {
			v := b.declare(name, i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: dim})
			b.bounds[v] = interval.Between(0, int64(size[dim])-1)
			lane[dim] = ref(v)
		}
	}
	return lane
}

// declare makes the tiles in local memory, and connects what the bodies of the parts read and write to them.
func (l *sharedTile) declare() (decls []kir.Stmt) {
	b := l.body
	l.lane = b.lanes(l.size)
	for i, list := range [][]*block.Window{l.group.Staged(l.tiling), l.group.Kept(l.tiling)} {
		for _, w := range list {
			x := l.around(w, [2]kir.Access{kir.Reads, 0}[i])
			x.rows, x.lead.size, x.cols = l.group.LocalShape(l.tiling, w)
			x.chunk = 1
			x.array = &kir.Var{Name: w.Image.Name + "_tile", Type: types.Scalar(x.buf.elem.Kind).Array(x.rows, x.cols), Space: kir.Local, Floats: l.group.HoldsFloats(l.tiling, w), Spread: w.IsSpread()}
			decls = append(decls, &kir.Decl{Var: x.array})
			if l.tiles[w] = x; i == 0 {
				l.windows = append(l.windows, x)
			}
		}
	}
	for _, p := range l.group.Parts {
		if l.tiling.Sweep && !l.group.Shares(p) {
			continue
		}
		x := &fusedPart{strip: *l.strip, Part: p}
		x.stage, x.what, x.windows, x.outputs = p.Of, p.Stage, nil, nil
		for _, w := range p.Sources {
			x.windows = append(x.windows, l.tiles[w]) // nil where each instance loads its own pixel
		}
		for i := range p.Keeps {
			out := l.kept(p, i)
			if out.array = l.tiles[p.Keeps[i]].array; l.tiles[p.Keeps[i]].rule == hast.Constant {
				out.border = l.tiles[p.Keeps[i]]
			}
			x.outputs, x.keeps = append(x.outputs, out), append(x.keeps, l.tiles[p.Keeps[i]])
		}
		x.place0()
		l.parts = append(l.parts, x)
	}
	return decls
}

// spread runs f for the places 0..n-1 of an axis that are the item's: so many in a row, in turn with the other items.
func (l *sharedTile) spread(dim, n, each int, f func(at kir.Expr)) {
	b := l.body
	name := [2]string{"u", "v"}[dim]
	whole := l.turns(dim, n, each)
	if whole > 0 {
		l.rounds(whole/(l.size[dim]*each), func(r kir.Expr) {
			index := b.op(i32T, ops.Add, l.lane[dim], b.op(i32T, ops.Mul, r, i32(int64(l.size[dim]))))
			at := b.once(name+"0", b.op(i32T, ops.Mul, index, i32(int64(each))))
			b.unrolled(name, each, func(j kir.Expr) { f(b.op(i32T, ops.Add, at, j)) })
		})
	}
	rest := n - whole
	if rest == 0 {
		return
	}
	each = ceilDiv(rest, l.size[dim]) // all items have a part in what is left
	at := b.once(name+"0", b.op(i32T, ops.Add, i32(int64(whole)), b.op(i32T, ops.Mul, l.lane[dim], i32(int64(each)))))
	if rest%each == 0 {
		l.below(at, n, func() { b.unrolled(name, each, func(j kir.Expr) { f(b.op(i32T, ops.Add, at, j)) }) })
		return
	}
	b.unrolled(name, each, func(j kir.Expr) {
		at := b.once(name, b.op(i32T, ops.Add, at, j))
		l.below(at, n, func() { f(at) })
	})
}

// rounds runs f for each of so many turns of an item.
func (l *sharedTile) rounds(n int, f func(r kir.Expr)) {
	b := l.body
	several := func(name string, n int, form kir.Rounds, f func(r kir.Expr)) {
		within := b.rounds
		b.rounds = form
		b.unrolled(name, n, func(r kir.Expr) {
			b.rounds = within
			f(r)
			b.rounds = form
		})
		b.rounds = within
	}
	switch {
	case l.looped:
		several("round", n, kir.Looped, f)
	case l.atOnce == 0 || n <= l.atOnce:
		several("round", n, b.rounds, f)
	default:
		each := ceilDiv(n, ceilDiv(n, l.atOnce))
		several("rounds", n/each, kir.Looped, func(t kir.Expr) {
			first := b.once("first", b.op(i32T, ops.Mul, t, i32(int64(each))))
			several("round", each, b.rounds, func(r kir.Expr) { f(b.op(i32T, ops.Add, first, r)) })
		})
		several("round", n%each, b.rounds, func(r kir.Expr) { f(b.op(i32T, ops.Add, r, i32(int64(n-n%each)))) })
	}
}

// turns is how many of n places the items of an axis have together in turns in which all take so many.
func (l *sharedTile) turns(dim, n, each int) int {
	return n / (l.size[dim] * each) * l.size[dim] * each
}

// below runs f where a place is one of n.
func (l *sharedTile) below(at kir.Expr, n int, f func()) {
	b := l.body
	b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, at, i32(int64(n))), Then: b.inside(false, f)})
}

// edge runs f for the columns of a tile that are left behind the last turn in which all items of a line have some: too few for these,
// they are dealt out to all items of the group, row after row.
func (l *sharedTile) edge(cols, rows int, f func(u, v kir.Expr)) {
	whole := l.turns(0, cols, 1)
	rest := cols - whole
	if rest == 0 {
		return
	}
	l.deal(whole, rest, rows, f)
}

// deal runs f for the cells of a rectangle of so many columns, from one on, and rows, which are dealt out to all items of the group row after row.
func (l *sharedTile) deal(from, cols, rows int, f func(u, v kir.Expr)) {
	b, all, items := l.body, cols*rows, l.size[0]*l.size[1]
	index := b.op(i32T, ops.Add, l.lane[0], b.op(i32T, ops.Mul, l.lane[1], i32(int64(l.size[0]))))
	b.unrolled("round", ceilDiv(all, items), func(round kir.Expr) {
		i := b.once("cell", b.op(i32T, ops.Add, index, b.op(i32T, ops.Mul, round, i32(int64(items)))))
		width := i32(int64(cols))
		cell := func() {
			u := b.once("u", b.op(i32T, ops.Add, i32(int64(from)), b.op(i32T, ops.Rem, i, width)))
			f(u, b.once("v", b.op(i32T, ops.Div, i, width)))
		}
		if all%items == 0 && from == 0 {
			cell()
			return
		}
		l.below(i, all, cell)
	})
}

// fetch loads the windows.
func (l *sharedTile) fetch() {
	for _, w := range l.windows {
		if x := l.turnedBlocks(w); x != nil {
			x.fetch()
		} else {
			l.fetchEach(w)
		}
	}
}

// fetchEach loads a window, each pixel from where the border rule says. Items next to each other load pixels that lie next to each other in memory, of images
// that are turned, too.
func (l *sharedTile) fetchEach(w *window) {
	rows, cols := w.across()
	l.spread(1, rows, 1, func(v kir.Expr) {
		row, folded := l.line(w, l.placeOf(w, 1, v))
		l.spread(0, l.turns(0, cols, 1), 1, func(u kir.Expr) { l.stage(w, u, v, row, folded) })
	})
	l.edge(cols, rows, func(u, v kir.Expr) {
		row, folded := l.line(w, l.placeOf(w, 1, v))
		l.stage(w, u, v, row, folded)
	})
}

// placeOf is where what a tile needs of an image, along its lines or, with 1, over them, is in it at a distance from the first of it.
func (l *sharedTile) placeOf(w *window, dim int, at kir.Expr) kir.Expr {
	b := l.body
	var place kir.Expr
	if alongX := (dim == 0) != w.Turn.Swapped; alongX {
		place = b.op(i32T, ops.Add, l.x(w), b.op(i32T, ops.Sub, at, i32(int64(w.left))))
	} else {
		place = l.strip.row(w, at)
	}
	if from := w.Turn.From[dim]; from != nil {
		place = b.op(i32T, ops.Add, place, l.scalarOrConst(identifier(w.Image)+"_from", l.plan.hostExpr(from), l.plan.hostInterval(from)))
	}
	if !w.Turn.Back[dim] {
		return place
	}
	line, pixel, _ := block.Axes(w.Image)
	extent := l.extents(w.Image, w.buf)[[2]int{pixel, line}[dim]]
	return b.op(i32T, ops.Sub, b.op(i32T, ops.Sub, extent, i32(1)), place)
}

// stage loads the pixel of a row of the image for a place of a tile, so far along lines and over them.
func (l *sharedTile) stage(w *window, u, v, row kir.Expr, folded bool) {
	b := l.body
	x, index := l.placeOf(w, 0, u), l.inTile(w, u, v)
	l.pixels(w, row, folded, x, func(c int, value kir.Expr) {
		at := []kir.Expr{index[0], b.op(i32T, ops.Add, index[1], i32(int64(c)))}
		b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: at, Value: value})
	})
}

// keep computes what a part keeps for later ones, and stores what stays in memory.
func (l *sharedTile) keep(p *fusedPart) {
	p.kernelBuilder.blocks = &p.strip
	defer func() { p.kernelBuilder.blocks = l.strip }()
	if l.tiling.FromMemory(l.group, p.Part) {
		l.fromMemory(p)
	} else {
		l.fill(p)
	}
	if slices.Contains(p.Stores, true) {
		l.wait()
		l.storeAll(p)
	}
}

// storeAll writes the tiles of a part that stay in memory.
func (l *sharedTile) storeAll(p *fusedPart) {
	for i, o := range p.outputs {
		if p.Stores[i] {
			l.store(p, o)
		}
	}
}

// fill computes what a part keeps from local memory. Groups whose tiles and frames lie inside of the images need no border rules, so that
// the compiler sees which pixels neighbouring instances share.
func (l *sharedTile) fill(p *fusedPart) {
	b := l.body
	inside := l.inside(p)
	fast := b.inside(false, func() { l.compute(p, false) })
	slow := b.inside(false, func() {
		if p.Far == "" {
			l.compute(p, true)
			return
		}
		p.fromMemoryAlone(func() { l.compute(p, true) })
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: fast, Else: slow})
}

// along is how many instances of a part a tile takes on an axis.
func (l *sharedTile) along(s block.Span, dim int) int {
	return s.Count(l.item[dim])
}

// inside is the condition that all instances of a part that the tile takes are such.
func (l *sharedTile) inside(p *fusedPart) (cond kir.Expr) {
	b := l.body
	for dim, s := range []block.Span{p.X, p.Y} {
		if p.variable(dim) == nil {
			continue
		}
		first := b.op(i32T, ops.Add, p.first[dim], i32(int64(s.First())))
		if s.First() < 0 {
			cond = b.and(cond, b.op(boolType, ops.Ge, first, i32(0)))
		}
		cond = b.and(cond, b.op(boolType, ops.Le, b.op(i32T, ops.Add, first, i32(int64(l.along(s, dim)))), p.end[dim]))
	}
	return b.once("inside", cond)
}

// compute fills the tiles of a part; with folds, what lies outside of the images too.
func (l *sharedTile) compute(p *fusedPart, folds bool) {
	place := l.at
	if folds {
		place = l.fold
	}
	set := func(dim int, at kir.Expr) {
		p.to[dim] = l.body.op(i32T, ops.Add, at, i32(int64([2]block.Span{p.X, p.Y}[dim].First())))
		place(p, dim)
	}
	cols, rows := l.along(p.X, 0), l.along(p.Y, 1)
	// Items next to each other compute columns next to each other, and each of them some rows, which share what they read.
	l.spread(0, l.turns(0, cols, 1), 1, func(u kir.Expr) {
		set(0, u)
		l.spread(1, rows, l.own[1], func(v kir.Expr) {
			set(1, v)
			p.compute()
		})
	})
	l.edge(cols, rows, func(u, v kir.Expr) {
		set(0, u)
		set(1, v)
		p.compute()
	})
}

// at declares the iteration variable of a dimension at the place p.to of a tile.
func (l *sharedTile) at(p *fusedPart, dim int) {
	p.at[dim], p.beyond[dim] = p.to[dim], nil
	if p.variable(dim) != nil {
		l.iterate(p, dim, p.body.op(i32T, ops.Add, p.first[dim], p.to[dim]))
	}
}

// iterate declares the iteration variable of a dimension.
func (l *sharedTile) iterate(p *fusedPart, dim int, i kir.Expr) *kir.Var {
	b, v := p.body, p.variable(dim)
	x := b.declare(v.Name, i32T, false, i)
	b.bounds[x] = loopInterval(interval.Point(0), p.plan.hostInterval(p.rangeOf(v).Hi).Meet(interval.Between(0, hast.MaxExtent)), 1)
	b.limits[x] = p.end[dim]
	b.vars[v] = ref(x)
	return x
}

// fold is at where the place may be outside of the image: then the instance is at the place that stands for it, p.at. What lies further outside than anyone reads is like what is next to it.
func (l *sharedTile) fold(p *fusedPart, dim int) {
	if p.at[dim] = p.to[dim]; p.variable(dim) == nil {
		return
	}
	b := p.body
	p.beyond[dim] = nil
	i := b.op(i32T, ops.Add, p.first[dim], p.to[dim])
	rule, _, short := l.keptBy(p, dim)
	if rule == hast.Constant || rule == hast.Formula {
		i = b.once("i", i)
		p.beyond[dim] = b.beyondEnds(i, b.op(i32T, ops.Sub, p.end[dim], i32(1)))
	}
	x := l.iterate(p, dim, l.standsFor(p, dim, i))
	at := b.op(i32T, ops.Sub, ref(x), p.first[dim])
	loose := slices.ContainsFunc(p.keeps, func(w *window) bool { return l.group.Loose(w.Image, dim) })
	if short > 0 || loose { // for places that nobody reads what stands for them may be outside of the tile
		s := [2]block.Span{p.X, p.Y}[dim]
		at = b.op(i32T, ops.Clamp, at, i32(int64(s.First())), i32(int64(s.Last(l.item[dim]))))
	}
	p.at[dim] = b.once("at", at)
}

// keptBy is the border rule that what a part keeps is read by, how far behind its last place, and how many pixels the image may lack there of what its
// readers step through.
func (l *sharedTile) keptBy(p *fusedPart, dim int) (rule hast.RuleKind, behind, short int) {
	rule = hast.Clamp
	for _, w := range p.keeps {
		if w.value != nil {
			rule = w.value.Kind
			_, n := framed(&block.Window{Place: w.Place, Rule: w.value}, [2]block.Span{w.X, w.Y}[dim])
			behind, short = max(behind, n), max(short, l.group.Short(w.Image)[dim])
		}
	}
	return rule, behind, short
}

// standsFor is the place that stands for another one of a part, which may lie outside of its image; the nearest one where borders are constant or by formula.
func (l *sharedTile) standsFor(p *fusedPart, dim int, i kir.Expr) kir.Expr {
	b := p.body
	last := b.op(i32T, ops.Sub, p.end[dim], i32(1))
	rule, behind, short := l.keptBy(p, dim)
	switch rule {
	case hast.Reflect, hast.Reflect101:
		if p.Far == "" {
			i = b.op(i32T, ops.Min, i, b.op(i32T, ops.Add, last, i32(int64(behind+short))))
		}
		return b.foldedBy(rule, i, p.end[dim])
	case hast.Repeat:
		return b.foldedBy(rule, i, p.end[dim])
	}
	return b.op(i32T, ops.Clamp, i, i32(0), last)
}

// store writes the tile of an image that stays in memory, without its frame.
func (l *sharedTile) store(p *fusedPart, o *output) {
	b := l.body
	first, end, cols, rows := l.first, l.end, l.item[0], l.item[1]
	if p.Apart {
		first, end, cols, rows = p.first, p.end, p.X.Covers(cols), max(1, p.Y.Covers(rows))
	}
	l.spread(1, rows, 1, func(v kir.Expr) {
		var y kir.Expr
		if l.what.Y != nil {
			y = b.op(i32T, ops.Add, first[1], v)
		}
		l.spread(0, cols, 1, func(u kir.Expr) {
			x := b.op(i32T, ops.Add, first[0], u)
			inside := b.op(boolType, ops.Lt, x, end[0])
			line := kir.Expr(nil)
			if l.what.Y != nil {
				inside = b.and(inside, b.op(boolType, ops.Lt, y, end[1]))
			}
			if l.lines(&o.tile) {
				line = y
			}
			b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, func() {
				at := mul(convert(x, types.I64), i64(int64(o.per)))
				if start := p.lineAt(&o.tile, line); start != nil {
					at = add(start, at)
				}
				o.buf.v.Access |= kir.Writes
				l.putComponents(o, o.per, func(c int) kir.Expr { return add(at, i64(int64(c))) }, func(c int) kir.Expr {
					col := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(o.per))), i32(int64(o.lead+c)))
					return b.elemOf(o.array, []kir.Expr{b.op(i32T, ops.Add, v, i32(int64(o.top))), col})
				})
			})})
		})
	})
}

// ownBlock is the item's block of the last part, as a strip stores it. What only its own instances read is loaded at once, by vectors
// where that can be, and stays in registers.
func (l *sharedTile) ownBlock() *strip {
	p := l.parts[len(l.parts)-1]
	b := p.body
	mine := p.strip
	mine.item, mine.windows, mine.outputs = l.own, nil, nil
	for dim, first := range p.first {
		if first != nil {
			corner := b.op(i32T, ops.Mul, l.lane[dim], i32(int64(l.own[dim])))
			mine.first[dim] = b.once("first", b.op(i32T, ops.Add, first, corner))
		}
	}
	for k, w := range p.Windows {
		if p.windows[k] == nil {
			x := mine.window(w)
			x.own = true
			mine.windows, p.windows[k] = append(mine.windows, x), x
		}
	}
	for _, o := range p.Outputs {
		mine.outputs = append(mine.outputs, mine.output(o))
	}
	mine.conditions()
	mine.declare()
	if len(mine.windows) > 0 {
		mine.either(func() { mine.fetch(mine.fetchWhole) }, func() { mine.fetch(mine.fetchPixels) })
	}
	return &mine
}

// last computes the item's block of the tile.
func (l *sharedTile) last(p *fusedPart, mine *strip) {
	b := p.body
	p.kernelBuilder.blocks = &p.strip
	p.outputs = mine.outputs
	if idle := l.size[0]*l.own[0] > l.item[0]; idle { // they had their part in what lies beside the tile
		beyond := b.op(boolType, ops.Ge, l.lane[0], i32(int64(l.item[0]/l.own[0])))
		b.emit(&kir.If{Placed: b.placed(), Cond: beyond, Then: []kir.Stmt{&kir.Return{Placed: b.placed()}}})
	}
	at := func(dim int, own kir.Expr) {
		corner := b.op(i32T, ops.Mul, l.lane[dim], i32(int64(l.own[dim])))
		p.to[dim], p.at[dim] = own, b.op(i32T, ops.Add, corner, own)
	}
	sums := p.moving(p.stage, l.own, at)
	defer sums.done()
	sums.compute(1)
	b.unrolled("v", l.own[1], func(v kir.Expr) {
		at(1, v)
		insideY := p.strip.place(1)
		sums.compute(0)
		b.unrolled("u", l.own[0], func(u kir.Expr) {
			at(0, u)
			inside := b.and(insideY, p.strip.place(0))
			sums.known(u, v)
			if inside == nil {
				p.instance(p.stage)
				return
			}
			b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, func() { p.instance(p.stage) })})
		})
	})
	mine.either(func() { mine.put(mine.putWhole) }, func() { mine.put(mine.putPixels) })
}
