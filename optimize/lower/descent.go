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

// A descent is a stage, with those fused with it, whose work-groups go down the rows of their tile (block.Descent). An item has some
// columns of the tile or beside it. It loads these of each row, some rows ahead; adds the row to all sums that it belongs to, as a strip
// does that computes sums by rows (stream.go); and computes its columns of the row of each part that has become complete. What
// neighbours read of a row lies in local memory, where the next row is written beside the one that is read. Items at the ends of the group
// compute what nobody needs rather than nothing, and sums that are not complete yet are used as if they were: without conditions the
// compiler has all of a round to order. Only where computing with any value could do harm, and where pixels are stored, conditions stand.
type descent struct {
	*strip
	down   *block.Descent
	tiling block.Tiling
	lane   kir.Expr // which of the group's blocks of columns the item has
	count  kir.Expr // rows of the tile that lie in the iteration
	rows   map[*block.Window]*descentRow
	order  []*descentRow
	parts  []*descentPart
}

// A descentRow is what an item holds of a window, or of what a part computes: its own columns, and where neighbours read them the group's.
type descentRow struct {
	*window
	shared *kir.Var      // two rows of the whole group, one after the other in turns; nil where nobody reads other columns than its own
	before int           // components of such a row before the group's first column
	loaded bool          // from memory
	x, y   *hast.Rule    // for columns and rows outside of the image
	of     *block.Window // in the group
}

// A descentPart computes one stage. Its strip is the descent's but for what the body of the stage reads and writes.
type descentPart struct {
	strip
	*block.Part
	keeps []*descentRow
}

// refuseDescent says why groups cannot go down the rows of their tiles.
func refuseDescent(looks *block.Looks, s *hast.Stage, d, full schedule.Decisions, most int) string {
	switch {
	case d.Local != schedule.Shared:
		return "direct and sweep exclude stream: a group that goes down rows has those that neighbours share in local memory"
	case d.Flat != 0 || d.Dot4 != 0 || d.Packed16 != 0 || d.Small > 0:
		return "local excludes flat, dot4, packed16 and small"
	case full.Stream%2 != 0:
		return "a group that goes down rows holds an even number of them: rows are written in two places by turns"
	case max(1, full.Item[1]) != max(1, full.Tile[1]):
		return "the items of a group that goes down rows go down all rows of its tile"
	case full.Item[0] > maxBlock:
		return fmt.Sprintf("its work-items compute %d columns, and the code for more than %d is not written out", full.Item[0], maxBlock)
	}
	down, why := looks.Down(s, full.Unroll)
	if why != "" {
		return why
	}
	t := tiling(full)
	if n := down.Items(t); n > maxGroup {
		return fmt.Sprintf("its tile takes %d work-items with what lies beside it, and a group has at most %d", n, maxGroup)
	}
	if bytes := down.LocalBytes(t); bytes > most {
		return fmt.Sprintf("its rows take %d bytes of local memory, and %d is the most", bytes, most)
	}
	return ""
}

// descends lowers a stage whose groups go down the rows of their tiles.
func (k *kernelBuilder) descends(s *hast.Stage) *kir.Launch {
	d := k.decided
	down, _ := k.looks().Down(s, d.Unroll)
	rows := max(1, d.Tile[1])
	t := &strip{kernelBuilder: k, stage: s, what: down.Last().Stage, item: [2]int{d.Tile[0], rows}, tall: rows, behind: down.Ahead, at: [2]kir.Expr{i32(0), i32(0)}}
	l := &descent{strip: t, down: down, tiling: tiling(d), rows: map[*block.Window]*descentRow{}}
	size := [2]int{down.Items(l.tiling), 1}
	t.shared = &size
	k.blocks = t
	items := t.grid()
	group := t.first[0]
	t.item = [2]int{d.Item[0], 1}
	decls := l.arrange()
	l.place(group)
	l.isWhole(group)
	l.either(func() { l.descend(true) }, func() { l.descend(false) })
	k.blocks = t
	return k.finish(s.Name, shape{items: items, group: [3]int{size[0], size[1], 1}, shared: decls})
}

// arrange decides the form of what is loaded, kept and stored.
func (l *descent) arrange() (decls []kir.Stmt) {
	enter := func(w *block.Window, loaded bool) {
		r := &descentRow{window: l.around(w, kir.Reads), loaded: loaded, of: w}
		if !loaded {
			r.window = l.around(w, 0)
		}
		r.left, r.right, r.lead, r.trail = 0, 0, side{chunk: 1}, side{chunk: 1}
		r.cols, r.rows = r.width*r.per, 1
		r.chunk = l.run(w.Image.Elem.Kind, r.cols)
		if r.x, r.y = l.down.Folds(w); loaded {
			r.rows = l.decided.Stream
			l.windows = append(l.windows, r.window)
		}
		if l.down.IsShared(w) {
			var components int
			r.before, components = l.down.LocalRow(l.tiling, w)
			r.shared = &kir.Var{Name: w.Image.Name + "_row", Type: types.Scalar(r.buf.elem.Kind).Array(2, r.before+components), Space: kir.Local, Floats: w.Floats, Spread: w.IsSpread()}
			decls = append(decls, &kir.Decl{Var: r.shared})
		}
		l.rows[w], l.order = r, append(l.order, r)
	}
	for _, w := range l.down.Windows {
		enter(w, true)
	}
	for _, w := range l.down.Tiles {
		enter(w, false)
	}
	for _, o := range l.what.Outputs {
		l.outputs = append(l.outputs, l.output(o))
	}
	return decls
}

// place finds the item's columns, and how many rows there are.
func (l *descent) place(group kir.Expr) {
	b := l.body
	left, _, _ := l.down.Columns(l.tiling)
	v := b.declare("lane", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}})
	b.bounds[v] = interval.Between(0, int64(l.shared[0])-1)
	l.lane = ref(v)
	own := b.op(i32T, ops.Sub, b.op(i32T, ops.Mul, l.lane, i32(int64(l.item[0]))), i32(int64(left*l.item[0])))
	l.first[0] = b.once("first", b.op(i32T, ops.Add, group, own))
	l.origin = b.once("origin", b.op(i32T, ops.Mul, l.lane, i32(int64(l.item[0]))))
	l.to[1] = i32(0)
	l.count = i32(int64(l.tall))
	if l.length != nil {
		l.count = l.length
	}
	l.count = b.once("rows", b.op(i32T, ops.Min, l.count, b.op(i32T, ops.Sub, l.end[1], l.first[1])))
}

// isWhole finds out whether all columns of the group lie inside of the images, where vectors may begin.
func (l *descent) isWhole(group kir.Expr) {
	b := l.body
	left, own, right := l.down.Columns(l.tiling)
	wide := func(blocks int) kir.Expr { return i32(int64(blocks * l.item[0])) }
	var all kir.Expr
	if cond := l.aligned(); cond != nil {
		all = cond
	}
	if left > 0 {
		all = b.and(all, b.op(boolType, ops.Ge, group, wide(left)))
	}
	if l.from[0] != nil {
		all = b.and(all, b.op(boolType, ops.Ge, group, l.from[0]))
	}
	all = b.and(all, b.op(boolType, ops.Le, b.op(i32T, ops.Add, group, wide(own)), l.end[0]))
	var extents []kir.Expr
	for _, w := range l.windows {
		extents = append(extents, l.extent(&w.tile))
	}
	if right > 0 && len(l.down.Parts) > 1 { // whose images, which are in no memory, are no larger than what is computed
		extents = append(extents, l.end[0])
	}
	seen := map[string]bool{}
	for _, n := range extents {
		if k := key(n, b.ids); !seen[k] {
			seen[k] = true
			all = b.and(all, b.op(boolType, ops.Le, b.op(i32T, ops.Add, group, wide(own+right)), n))
		}
	}
	l.whole = ref(b.declare("whole", boolType, false, b.and(all, l.foldsOnce())))
}

// foldsOnce is the condition that one fold brings back all rows that are loaded of images that are mirrored or repeated; nil where none are. The last round loads
// rows as far behind the last one of the tile as all that is loaded ahead comes to, and the first one rows as far before its first one; those of an image that
// is read only above or below the instance lie so much further away.
func (l *descent) foldsOnce() (all kir.Expr) {
	b, seen, reach := l.body, map[string]bool{}, 0
	var folded []*descentRow
	for _, r := range l.order {
		if r.loaded && r.y != nil && foldsFar[r.y.Kind] {
			folded, reach = append(folded, r), max(reach, r.of.Y.Hi, -r.of.Y.Hi)
		}
	}
	far := i32(int64(l.down.Rounds(0) + 2*l.decided.Stream + reach))
	for _, r := range folded {
		n := l.height(r.window)
		k := key(n, b.ids)
		if seen[k] {
			continue
		}
		seen[k] = true
		last := b.op(i32T, ops.Sub, n, i32(1))
		all = b.and(all, b.op(boolType, ops.Gt, last, far))
		if rangeOf(l.first[1], b.bounds).Lo < 0 { // then the tile may begin before the image
			all = b.and(all, b.op(boolType, ops.Gt, b.op(i32T, ops.Add, last, l.first[1]), far))
		}
		if k != key(l.end[1], b.ids) { // then the tile ends elsewhere than the image
			all = b.and(all, b.op(boolType, ops.Lt, b.op(i32T, ops.Sub, l.end[1], n), b.op(i32T, ops.Sub, last, far)))
		}
	}
	return all
}

// foldsFar are the rules that take more than one fold to bring back a row that is far outside.
var foldsFar = map[hast.RuleKind]bool{hast.Reflect: true, hast.Reflect101: true, hast.Repeat: true}

// descend computes the tile, by vectors where it is whole.
func (l *descent) descend(whole bool) {
	b, held := l.body, l.decided.Stream
	l.fast = whole
	l.declare()
	b.unrolled("r", held, func(r kir.Expr) { l.loadAll(r, r) })
	i := b.loopVar("i", interval.Between(0, int64(l.down.Rounds(l.tall)+held)))
	body := b.inside(false, func() {
		b.unrolled("r", held, func(r kir.Expr) { l.round(b.op(i32T, ops.Add, ref(i), r), r) })
	})
	rounds := b.op(i32T, ops.Add, l.count, i32(int64(l.down.Rounds(0))))
	b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: rounds, Step: int64(held), Body: body, Exact: true})
}

// declare makes the arrays of an item, and connects what the bodies of the parts read and write to them.
func (l *descent) declare() {
	for _, r := range l.order {
		l.array(&r.tile, r.Image.Name+"_own")
	}
	for _, o := range l.outputs {
		l.array(&o.tile, o.Image.Name+"_new")
	}
	l.parts = nil
	for _, p := range l.down.Parts {
		x := &descentPart{strip: *l.strip, Part: p}
		x.stage, x.what, x.windows, x.rings, x.shared = p.Of, p.Stage, nil, nil, nil
		if p.Keeps != nil {
			x.outputs = nil
		}
		for i, t := range p.Keeps {
			r := l.rows[t]
			out := &output{tile: r.tile, own: p.Outputs[i].Place}
			out.Place = out.own
			x.outputs, x.keeps = append(x.outputs, out), append(x.keeps, r)
		}
		for k := range p.Reads() {
			w := *l.rows[p.Sources[k]].window
			if shared := l.rows[p.Sources[k]].shared; shared != nil {
				w.array, w.lead.size = shared, l.rows[p.Sources[k]].before
			} else {
				w.own = true
			}
			if k < len(p.Windows) {
				x.windows = append(x.windows, &w)
			} else {
				x.rings = append(x.rings, &w)
			}
		}
		for dim, v := range []*hast.Var{p.Stage.X, p.Stage.Y} {
			x.end[dim] = x.bound(v.Name+"_to", x.rangeOf(v).Hi)
		}
		if p.Rows != nil {
			x.sums = x.begin()
		}
		l.parts = append(l.parts, x)
	}
}

// loadAll loads the rows of a round into row r of the arrays.
func (l *descent) loadAll(round, r kir.Expr) {
	for _, w := range l.order {
		if w.loaded {
			l.load(w, round, r)
		}
	}
}

// row is the row of an image, or of instances, that a round comes to: so many rows from the one of the tile that it completes.
func (l *descent) row(round kir.Expr, hi int) kir.Expr {
	b := l.body
	return b.op(i32T, ops.Add, b.op(i32T, ops.Add, l.first[1], round), i32(int64(hi-l.down.Ahead)))
}

// load loads the item's columns of a row.
func (l *descent) load(w *descentRow, round, r kir.Expr) {
	b := l.body
	rowed := *w.window
	if rowed.rule = hast.Undefined; w.y != nil {
		rowed.rule = w.y.Kind
	}
	y := b.once("y", l.row(round, w.of.Y.Hi))
	if l.fast {
		at := mul(convert(l.x(w.window), i64T.Kind), i64(int64(w.per)))
		if start := l.lineAt(&w.tile, l.foldedOnce(&rowed, y)); start != nil {
			at = add(start, at)
		}
		l.strip.load(w.window, r, b.once(w.Image.Name+"_at", at), 0, within(w.cols, w.chunk))
		if rowed.rule == hast.Constant {
			gone := b.or(b.op(boolType, ops.Lt, y, i32(0)), b.op(boolType, ops.Ge, y, l.height(w.window)))
			l.replaceRow(w.window, r, b.once("outside", gone))
		}
		return
	}
	line, folded := l.line(&rowed, y)
	b.unrolled("u", w.width, func(u kir.Expr) {
		x := b.op(i32T, ops.Add, l.x(w.window), u)
		if w.x != w.value && w.x != nil {
			x = b.foldedInto(w.x.Kind, x, l.extent(&w.tile))
		}
		l.pixels(w.window, line, folded, x, func(c int, value kir.Expr) {
			col := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(int64(w.per))), i32(int64(c)))
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: []kir.Expr{r, col}, Value: value})
		})
	})
}

// foldedInto is a coordinate that a rule has folded into 0..n-1; under rules that take no pixel for one outside it is the nearest.
func (b *body) foldedInto(rule hast.RuleKind, i, n kir.Expr) kir.Expr {
	if foldFuncs[rule] != nil {
		return b.once(coordName(i), b.foldedBy(rule, i, n))
	}
	return b.once(coordName(i), b.op(i32T, ops.Clamp, i, i32(0), b.op(i32T, ops.Sub, n, i32(1))))
}

// round takes one row of each window, which row r of the arrays hold, and computes one of each part, those behind first.
func (l *descent) round(round, r kir.Expr) {
	b := l.body
	turns := [2]kir.Expr{b.op(i32T, ops.Rem, r, i32(2)), b.op(i32T, ops.Rem, b.op(i32T, ops.Add, r, i32(1)), i32(2))}
	next := b.op(i32T, ops.Add, round, i32(int64(l.decided.Stream)))
	if len(l.down.Shared) > 0 {
		b.together(l.shared[0])
	}
	for lag := l.down.Lag(l.down.Last()); lag >= 0; lag-- {
		for _, p := range l.parts {
			if l.down.Lag(p.Part) == lag {
				p.useRows(l, r, turns[1])
				l.compute(p, b.op(i32T, ops.Sub, round, i32(int64(lag))), turns[0])
			}
		}
	}
	for _, w := range l.order {
		if w.loaded {
			if w.shared != nil {
				l.share(w, r, turns[0])
			}
			l.load(w, next, r)
		}
	}
}

// useRows has a part read the rows of a round: r of those that the item has loaded, and what was written to local memory in the round before.
func (p *descentPart) useRows(l *descent, r, before kir.Expr) {
	for k, w := range slices.Concat(p.windows, p.rings) {
		switch from := l.rows[p.Sources[k]]; {
		case from.shared != nil:
			w.use = before
		case from.loaded:
			w.use = r
		default:
			w.use = i32(0)
		}
	}
}

// share puts row r of an item's columns where its neighbours find them.
func (l *descent) share(w *descentRow, r, turn kir.Expr) {
	b := l.body
	b.unrolled("u", w.cols, func(u kir.Expr) {
		col := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, l.lane, i32(int64(w.cols))), b.op(i32T, ops.Add, u, i32(int64(w.before))))
		b.emit(&kir.Assign{Placed: b.placed(), Var: w.shared, Index: []kir.Expr{turn, col}, Value: b.elemOf(w.array, []kir.Expr{r, u})})
	})
}

// only runs f where a condition holds; nil always does.
func (l *descent) only(cond kir.Expr, f func()) {
	if cond == nil {
		f()
		return
	}
	b := l.body
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: b.inside(false, f)})
}

// complete is the condition that the row of a part that a round comes to is one that is needed and has all its sums.
func (l *descent) complete(p *descentPart, round kir.Expr) (cond kir.Expr) {
	b := l.body
	if before := l.down.Ahead - (p.Part.Y.Hi - p.Part.Y.Lo); before > 0 {
		cond = b.op(boolType, ops.Ge, round, i32(int64(before)))
	}
	if p.Keeps == nil {
		cond = b.and(cond, b.op(boolType, ops.Lt, round, b.op(i32T, ops.Add, l.count, i32(int64(l.down.Ahead)))))
	}
	return cond
}

// inTile is the condition that the item's columns are of the tile, not beside it; nil where all are.
func (l *descent) inTile() (cond kir.Expr) {
	b := l.body
	left, own, right := l.down.Columns(l.tiling)
	if left > 0 {
		cond = b.op(boolType, ops.Ge, l.lane, i32(int64(left)))
	}
	if right > 0 {
		cond = b.and(cond, b.op(boolType, ops.Lt, l.lane, i32(int64(left+own))))
	}
	return cond
}

// compute adds the rows in use to a part's sums, and computes its row of a round.
func (l *descent) compute(p *descentPart, round, turn kir.Expr) {
	b := l.body
	p.kernelBuilder.blocks = &p.strip
	defer func() { p.kernelBuilder.blocks = l.strip }()
	if p.Rows != nil {
		p.addRow()
	}
	y, complete := l.row(round, p.Part.Y.Hi), l.complete(p, round)
	if p.Keeps != nil {
		l.only(b.unless(harmless(p), complete), func() { l.keep(p, y, turn) })
		return
	}
	needed := b.and(l.inTile(), complete)
	always := !p.what.Once && harmless(p)
	l.only(b.unless(always, needed), func() {
		p.y, p.first[1] = p.coordinate(1, b.foldedInto(hast.Clamp, y, p.end[1])), b.once("y", y)
		p.strip.compute()
		l.only(b.unless(!always, needed), func() {
			put := p.putPixels
			if l.fast {
				put = p.putWhole
			}
			p.put(put)
		})
	})
}

// unless is a condition where x does not hold, else none.
func (b *body) unless(x bool, cond kir.Expr) kir.Expr {
	if x {
		return nil
	}
	return cond
}

// harmless reports whether the body of a part does nothing with a value that some values do not allow: it divides by no integers that it
// computes, reads at no such places, and has no loops but those of its sums.
func harmless(p *descentPart) bool {
	ok := len(p.what.Direct) == 0
	hast.WalkBody(p.stage.Body, func(st hast.Stmt) {
		switch st.(type) {
		case *hast.While, *hast.For:
			ok = false
		}
	}, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Op:
			if e.T.Kind.IsInt() && (e.Op == ops.Div || e.Op == ops.Rem || e.Op == ops.Mod) {
				c, known := hast.Number(e.Args[1])
				ok = ok && known && c != 0
			}
		case *hast.Elem:
			if _, window := e.X.(*hast.Window); !window {
				ok = ok && !slices.ContainsFunc(e.Index, depends)
			}
		}
	})
	return ok
}

// depends reports whether an index is made of values that a body computes or reads, not of the coordinates of its sums alone.
func depends(index hast.Expr) (found bool) {
	hast.Walk(index, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Ref:
			found = found || e.Var.Class == hast.Value || e.Var.Class == hast.Mutable
		case *hast.Const, *hast.Op, *hast.Convert:
		default:
			found = true
		}
	})
	return found
}

// keep computes a row of what a part keeps for later ones. Instances outside of the image are those that their border rule takes for them.
func (l *descent) keep(p *descentPart, y, turn kir.Expr) {
	b := l.body
	rule := hast.Clamp
	if r := p.Rule(); r != nil {
		rule = r.Kind
	}
	p.y = p.coordinate(1, b.foldedInto(rule, y, p.end[1]))
	b.vars[p.what.Y] = p.y
	p.rounds(0, "u", func() {
		x := b.op(i32T, ops.Add, l.first[0], p.column())
		if !l.fast {
			x = b.foldedInto(rule, x, p.end[0])
		}
		b.vars[p.what.X] = p.coordinate(0, x)
		p.instance(p.stage)
	})
	for _, w := range p.keeps {
		if w.shared != nil {
			l.share(w, i32(0), turn)
		}
	}
}
