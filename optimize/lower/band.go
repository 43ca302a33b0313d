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

// Groups take scans along the lines of images by bands (block.Band): all items load the next columns of all lines of the band, neighbours next to each
// other, while some of them run a line each on the columns before, in local memory, and remember the pixels before; then all store what has come of these.
// The first instances of a line, which may read what border rules give, run on memory as they are written.

// A bander is a group's band while it is lowered.
type bander struct {
	*kernelBuilder
	*block.Band
	stage          *hast.Stage
	down           bool
	lines, columns int      // of a piece
	size           int      // items of the group
	run            int      // pixels of a line that an item reads at a time
	aligned        kir.Expr // whether lines start where runs may; nil where they do for certain
	pieces         map[*block.Piece]*piece
	list           []*piece
	item           kir.Expr
	first          kir.Expr // line of the band
	count          kir.Expr // lines of the scan
	along          *hast.Var
	lo, hi         kir.Expr // of it
	from, to       kir.Expr // what pieces write
	within         interval.Interval
	onPieces       []hast.Stmt // with variables in the places of what pieces have
}

// A piece is what a group has of an image.
type piece struct {
	*block.Piece
	buf    *buffer
	local  *kir.Var
	held   *kir.Var    // components on their way to it
	here   *hast.Var   // stands for the instance's pixel as it was
	before []*hast.Var // stand for those before, the latest first
	memory []*kir.Var

	run          int      // components that an item moves at once
	wide, high   int      // items side by side on a line, and lines of which items move runs at a time
	column, line kir.Expr // of the item's first run: its component, and the line in the band
}

// bandBytes is how many bytes of a line neighbouring items move at once: four lines of these are a subgroup's, and what each has of its line goes to local
// memory by banks that the others do not use.
const bandBytes = 128

// bandRun is how many components of a line an item reads at a time, before it computes any of them, in code that is written out: one after the other it would
// wait for local memory at each, wherever a compiler does not see that what it stores between lies elsewhere.
const bandRun = 64

// mostHeld is how many components an item may have on their way.
const mostHeld = 128

// refuseBand says why groups cannot take bands of a stage, as the end of a sentence; "" where they can.
func refuseBand(s *hast.Stage, d schedule.Decisions, most int) string {
	if d.Vector&(d.Vector-1) != 0 {
		return fmt.Sprintf("a memory access takes a power of two of bytes, not %d", d.Vector)
	}
	lines, columns, size := d.Band[0], d.Band[1], d.Band[2]
	d.Place, d.Band, d.Vector, d.Unroll, d.Resident = 0, [3]int{}, 0, 0, 0
	if d != (schedule.Decisions{}) {
		return "band stands with vector, unroll and resident alone"
	}
	x, why := block.AnalyzeBand(s)
	if why != "" {
		return why
	}
	switch {
	case slices.ContainsFunc([]int{lines, columns, size}, func(n int) bool { return n&(n-1) != 0 }):
		return "lines, columns and work-items of a band are powers of two"
	case size > maxGroup || size < lines || size > lines*columns:
		return fmt.Sprintf("a group has a work-item for each line of its band, at most one for each pixel, and at most %d", maxGroup)
	case x.Held(lines, columns, size) > mostHeld:
		return fmt.Sprintf("its work-items have %d components on their way, and %d is the most", x.Held(lines, columns, size), mostHeld)
	case x.LocalBytes(lines, columns) > most:
		return fmt.Sprintf("its bands take %d bytes of local memory, and %d is the most", x.LocalBytes(lines, columns), most)
	}
	return ""
}

// inBands lowers a scan in groups of bands.
func (k *kernelBuilder) inBands(s *hast.Stage) *kir.Launch {
	b := k.body
	what, _ := block.AnalyzeBand(s)
	l := &bander{kernelBuilder: k, Band: what, stage: s, down: s.Scan.Down, along: s.Space.Vars[s.Scan.Axis]}
	l.lines, l.columns, l.size = k.decided.Band[0], k.decided.Band[1], k.decided.Band[2]
	items := l.place()
	r := s.Space.Ranges[s.Scan.Axis]
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	l.lo, l.hi = k.bound(l.along.Name+"_from", r.Lo), k.bound(l.along.Name+"_to", r.Hi)
	l.within = loopInterval(k.plan.hostInterval(r.Lo).Meet(limits), k.plan.hostInterval(r.Hi).Meet(limits), 1)
	l.from, l.to = l.lo, l.hi
	if l.down {
		l.to = b.op(i32T, ops.Sub, l.hi, i32(int64(l.Order)))
	} else {
		l.from = b.op(i32T, ops.Add, l.lo, i32(int64(l.Order)))
	}
	decls := l.declare()
	l.align()
	components := 0
	for _, x := range l.list {
		if x.Read {
			components += int(x.Image.Elem.Lanes)
		}
	}
	for l.run = min(32, l.columns); l.run > 1 && l.run*components > bandRun; {
		l.run /= 2
	}
	if l.Order > 0 {
		l.onLine(b.op(boolType, ops.Lt, l.item, i32(int64(l.lines))), l.head)
		b.emit(&kir.Barrier{Placed: b.placed(), Buffers: true})
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, l.from, l.to), Then: b.inside(false, l.pieceByPiece)})
	return k.finish(s.Name, shape{items: items, group: [3]int{l.size, 1, 1}, shared: decls})
}

// place declares the iteration variables but those along and across the lines of a band: groups are bands side by side in x.
func (l *bander) place() [3]kir.Expr {
	b, s := l.body, l.stage
	across := s.Across()
	last := len(across) - 1
	count := l.kernelBuilder.count(s.Space.Ranges[across[last]])
	bands := div(add(count, i64(int64(l.lines)-1)), i64(int64(l.lines)))
	items := l.apart(s, across[:last])
	items[0] = mul(bands, i64(int64(l.size)))
	item := b.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[item] = interval.Between(0, int64(l.size)-1)
	l.item = ref(item)
	named := func(name string, e kir.Expr, most int) kir.Expr {
		v := b.declare(name, i32T, false, e)
		b.bounds[v] = interval.Between(0, int64(most)-1)
		return ref(v)
	}
	l.count = l.scalar(s.Space.Vars[across[last]].Name+"_count", i32T, count, interval.Between(1, hast.MaxExtent))
	l.first = named("first", opExpr(i32T, ops.Mul, []kir.Expr{&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 0}, i32(int64(l.lines))}, true), hast.MaxExtent)
	return items
}

// apart declares variables of a stage of which each group has one value: those of the last one are groups in y, those of all others share z.
func (k *kernelBuilder) apart(s *hast.Stage, vars []int) [3]kir.Expr {
	b := k.body
	items := [3]kir.Expr{i64(1), i64(1), i64(1)}
	rest := kir.Expr(&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 2})
	for n := len(vars) - 1; n >= 0; n-- {
		v, r := s.Space.Vars[vars[n]], s.Space.Ranges[vars[n]]
		count := k.count(r)
		dim, index := 1, kir.Expr(&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 1})
		if n < len(vars)-1 {
			dim, index = 2, rest
			if n > 0 {
				steps := k.scalar(v.Name+"_count", i32T, count, interval.Between(1, hast.MaxExtent))
				index = b.op(i32T, ops.Rem, rest, steps)
				rest = b.once("z", b.op(i32T, ops.Div, rest, steps))
			}
		}
		items[dim] = mul(items[dim], count)
		k.iterator(v, r, index)
	}
	return items
}

// declare makes what a group has of images, and variables for it in the body.
func (l *bander) declare() (decls []kir.Stmt) {
	b := l.body
	l.pieces = map[*block.Piece]*piece{}
	for _, p := range l.Pieces {
		x, name := &piece{Piece: p}, identifier(p.Image)
		l.pieces[p], l.list = x, append(l.list, x)
		access := kir.Access(0)
		if p.Read {
			access |= kir.Reads
		}
		if p.Store != nil {
			access |= kir.Writes
		}
		x.buf = l.buffer(p.Image, access)
		kind := types.Scalar(p.Image.Elem.Kind)
		x.local = &kir.Var{Name: name + "_piece", Type: kind.Array(l.lines, p.Row(l.columns)), Space: kir.Local}
		decls = append(decls, &kir.Decl{Var: x.local})
		l.share(x)
		if p.Read {
			x.here = &hast.Var{Name: name + "_here", Type: p.Image.Elem, Class: hast.Value}
			x.held = b.declare(name+"_next", kind.Array(l.lines*l.columns/l.size*int(p.Image.Elem.Lanes)), true, nil)
		}
		for n := range p.Order {
			v := &hast.Var{Name: fmt.Sprintf("%s_before%d", name, n+1), Type: p.Image.Elem, Class: hast.Mutable}
			x.before = append(x.before, v)
			m := b.declare(v.Name, v.Type, true, zero(v.Type))
			x.memory = append(x.memory, m)
			b.vars[v] = ref(m)
		}
	}
	l.onPieces = hast.MapStmts(l.stage.Body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			load, ok := e.(*hast.Load)
			if !ok {
				return nil
			}
			if p := l.Here[load]; p != nil {
				return &hast.Ref{Typed: load.Typed, Var: l.pieces[p].here}
			}
			if x, ok := l.Before[load]; ok {
				return &hast.Ref{Typed: load.Typed, Var: l.pieces[x.Piece].before[x.Distance-1]}
			}
			return nil
		})
	})
	return decls
}

// onLine runs f for the line of an item that has one.
func (l *bander) onLine(has kir.Expr, f func()) {
	b := l.body
	index := b.once("index", b.op(i32T, ops.Add, l.first, l.item))
	has = b.and(has, b.op(boolType, ops.Lt, index, l.count))
	b.emit(&kir.If{Placed: b.placed(), Cond: has, Then: b.inside(false, func() {
		l.onIndex(index)
		f()
	})})
}

// onIndex declares the variable across the lines of a band.
func (l *bander) onIndex(index kir.Expr) {
	across := l.stage.Across()
	i := across[len(across)-1]
	l.iterator(l.stage.Space.Vars[i], l.stage.Space.Ranges[i], index)
}

// at declares the variable along the scan.
func (l *bander) at(x kir.Expr) {
	b := l.body
	v := b.declare(l.along.Name, i32T, false, x)
	b.bounds[v], b.limits[v] = l.within, l.hi
	b.vars[l.along] = ref(v)
}

// head runs the first instances of a line on memory, and takes what the next ones remember.
func (l *bander) head() {
	b := l.body
	nth := func(n kir.Expr) kir.Expr {
		if l.down {
			return b.op(i32T, ops.Sub, b.op(i32T, ops.Sub, l.hi, i32(1)), n)
		}
		return b.op(i32T, ops.Add, l.lo, n)
	}
	v := b.loopVar("n", interval.Between(0, int64(l.Order)-1))
	some := b.op(i32T, ops.Min, i32(int64(l.Order)), b.op(i32T, ops.Sub, l.hi, l.lo))
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: some, Step: 1, Body: b.inside(false, func() {
		l.at(nth(ref(v)))
		b.stmts(l.stage.Body)
	})})
	b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, l.from, l.to), Then: b.inside(false, func() {
		for _, x := range l.list {
			for n, m := range x.memory {
				b.vars[l.along] = b.once("i", nth(i32(int64(l.Order-1-n))))
				x.buf.v.Access |= kir.Reads
				value := b.loadAt(x.buf, b.positions(x.Image, x.Index))
				b.emit(&kir.Assign{Placed: b.placed(), Var: m, Value: value})
			}
		}
	})})
}

// pieceByPiece goes along the lines.
func (l *bander) pieceByPiece() {
	b := l.body
	wide := int64(l.columns)
	from := b.loopVar(l.along.Name+"0", interval.Between(l.within.Lo, l.within.Hi))
	loop := &kir.For{Placed: b.placed(), Var: from, Lo: l.lo, Hi: l.hi, Step: wide, Exact: true}
	next, more := b.op(i32T, ops.Add, ref(from), i32(wide)), kir.Expr(nil)
	if l.down {
		pieces := b.op(i32T, ops.Div, b.op(i32T, ops.Sub, b.op(i32T, ops.Sub, l.hi, i32(1)), l.lo), i32(wide))
		loop.Lo = b.once("last", b.op(i32T, ops.Add, l.lo, b.op(i32T, ops.Mul, pieces, i32(wide))))
		loop.Hi, loop.Step = b.op(i32T, ops.Sub, l.lo, i32(1)), -wide
		next = b.op(i32T, ops.Sub, ref(from), i32(wide))
		more = b.op(boolType, ops.Gt, ref(from), l.lo)
	} else {
		more = b.op(boolType, ops.Lt, next, l.hi)
	}
	l.fetch(loop.Lo)
	loop.Body = b.inside(false, func() {
		l.put()
		b.together(l.size)
		b.emit(&kir.If{Placed: b.placed(), Cond: more, Then: b.inside(false, func() { l.fetch(b.once("next", next)) })})
		l.onLine(b.op(boolType, ops.Lt, l.item, i32(int64(l.lines))), func() { l.onPiece(ref(from)) })
		b.together(l.size)
		l.store(ref(from))
		b.together(l.size)
	})
	b.emit(loop)
}

// share deals out the components of a piece to the items: runs of as many as an access moves where lines start at multiples of these, else one by one.
func (l *bander) share(x *piece) {
	b, m := l.body, x.Image
	n := l.columns * int(m.Elem.Lanes)
	x.run = 1
	if image := x.buf.image; !l.loose && m.Elem.Kind != types.Bool && image.LineAxis == m.Rank()-2 {
		x.run = max(1, min(l.decided.Vector, kir.RunBytes)/m.Elem.Kind.Bytes())
	}
	side := func() int { return n / x.run & -(n / x.run) } // runs that so many items may take side by side
	for n%x.run != 0 || side() < l.size/l.lines {
		x.run /= 2
	}
	most := l.size
	if x.run > 1 {
		most = min(l.size, max(l.size/l.lines, bandBytes/(x.run*m.Elem.Kind.Bytes())))
	}
	for x.wide = 1; x.wide < most && n/x.run%(2*x.wide) == 0; {
		x.wide *= 2
	}
	x.high = l.size / x.wide
	column := b.declare("column", i32T, false, b.op(i32T, ops.Mul, b.op(i32T, ops.Rem, l.item, i32(int64(x.wide))), i32(int64(x.run))))
	line := b.declare("line", i32T, false, b.op(i32T, ops.Div, l.item, i32(int64(x.wide))))
	b.bounds[column], b.bounds[line] = interval.Between(0, int64((x.wide-1)*x.run)), interval.Between(0, int64(x.high)-1)
	x.column, x.line = ref(column), ref(line)
}

// align has the kernel for lines of pieces that start where runs may, and notes when they do.
func (l *bander) align() {
	var all kir.Expr
	multiple := func(x kir.Expr, n int) {
		if c, ok := constInt(x); n == 1 || ok && c%int64(n) == 0 {
			return
		}
		rest := opExpr(i64T, ops.Rem, []kir.Expr{x, i64(int64(n))}, true)
		cond := opExpr(boolType, ops.Eq, []kir.Expr{rest, i64(0)}, true)
		if all != nil {
			cond = opExpr(boolType, ops.LAnd, []kir.Expr{all, cond}, true)
		}
		all = cond
	}
	ofCaller := false
	for _, x := range l.list {
		m := x.buf.image
		if m.Offset != nil {
			multiple(ref(m.Offset), x.run)
		}
		if m.Pitch != nil {
			multiple(ref(m.Pitch), x.run)
		}
		last := x.Image.Rank() - 1
		first := sub(l.plan.hostExpr(l.stage.Space.Ranges[l.stage.Scan.Axis].Lo), i64(x.Image.First(last)))
		multiple(mul(first, i64(int64(x.Image.Elem.Lanes))), x.run)
		ofCaller = ofCaller || x.Image.Base().Dir != hast.Local
	}
	switch {
	case all == nil:
	case l.evenOnly && ofCaller: // there is another kernel for all others
		l.even = all
	default:
		l.aligned = l.scalar("aligned", boolType, all, interval.Between(0, 1))
	}
}

// each runs line for the lines of a piece of which an item moves runs, and run for each of these: where it is among those that the item holds, and the
// component that it starts at.
func (l *bander) each(x *piece, line func(line kir.Expr, runs func(run func(at, column kir.Expr)))) {
	b := l.body
	turns := l.columns * int(x.Image.Elem.Lanes) / x.run / x.wide
	b.unrolled("v", l.lines/x.high, func(v kir.Expr) {
		line(b.op(i32T, ops.Add, x.line, b.op(i32T, ops.Mul, v, i32(int64(x.high)))), func(run func(at, column kir.Expr)) {
			b.unrolled("u", turns, func(u kir.Expr) {
				n := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, v, i32(int64(turns))), u)
				at := b.op(i32T, ops.Mul, n, i32(int64(x.run)))
				run(at, b.op(i32T, ops.Add, x.column, b.op(i32T, ops.Mul, u, i32(int64(x.wide*x.run)))))
			})
		})
	})
}

// eachOf runs f for the components of a run.
func (l *bander) eachOf(x *piece, at, column kir.Expr, f func(at, column kir.Expr)) {
	b := l.body
	b.unrolled("c", x.run, func(c kir.Expr) { f(b.op(i32T, ops.Add, at, c), b.op(i32T, ops.Add, column, c)) })
}

// component is the index of one in what is held, or in a line in local memory.
func (l *bander) component(x *piece, pixel kir.Expr, lane int) kir.Expr {
	b, lanes := l.body, int64(x.Image.Elem.Lanes)
	return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, pixel, i32(lanes)), i32(int64(lane)))
}

// start is the offset in memory of the line of a piece, at the pixel of a column. Other images may end before the scan does, whose instances read them
// under conditions: the line is one that they have.
func (l *bander) start(x *piece, from kir.Expr) kir.Expr {
	b := l.body
	l.at(from)
	coords := b.positions(x.Image, x.Index)
	for axis, c := range coords[:len(coords)-1] {
		if x.Store == nil {
			c, _ = b.fold(hast.Coord{Below: true, Above: true}, c, x.buf.extent[axis], hast.Clamp)
		}
		coords[axis] = b.once(coordName(c), c)
	}
	return b.once("start", b.offset(x.buf, coords))
}

// until is where the columns of a piece that have pixels end: where the scan does or the image.
func (l *bander) until(x *piece, end kir.Expr) kir.Expr {
	if x.Store != nil {
		return end
	}
	b, last := l.body, x.Image.Rank()-1
	return b.once("until", b.op(i32T, ops.Min, end, b.op(i32T, ops.Add, x.buf.extent[last], i32(x.Image.First(last)))))
}

// either runs quick where all of a piece lies between two columns and its lines start where runs may, else slow.
func (l *bander) either(x *piece, from, lo, hi kir.Expr, quick, slow func()) {
	b := l.body
	if x.run == 1 {
		slow()
		return
	}
	whole := b.op(boolType, ops.Le, b.op(i32T, ops.Add, from, i32(int64(l.columns))), hi)
	if lo != nil {
		whole = b.and(b.op(boolType, ops.Ge, from, lo), whole)
	}
	if l.aligned != nil {
		whole = b.and(l.aligned, whole)
	}
	q := b.inside(false, quick)
	b.emit(&kir.If{Placed: b.placed(), Cond: whole, Then: q, Else: b.inside(false, slow)})
}

// fetch loads what items have of the pieces from a column on. Of images that the scan writes an item loads nothing that it will not store, for others would
// race with those who do.
func (l *bander) fetch(from kir.Expr) {
	for _, x := range l.list {
		if x.Read {
			l.fetchPiece(x, from)
		}
	}
}

func (l *bander) fetchPiece(x *piece, from kir.Expr) {
	b := l.body
	lines := func(line func(start, there kir.Expr, runs func(run func(at, column kir.Expr)))) {
		l.each(x, func(n kir.Expr, runs func(func(at, column kir.Expr))) {
			index := b.op(i32T, ops.Add, l.first, n)
			var there kir.Expr
			if x.Store != nil {
				index = b.once("index", index)
				there = b.op(boolType, ops.Lt, index, l.count)
			} else { // those behind the last one load what nobody uses
				index = b.op(i32T, ops.Min, index, b.op(i32T, ops.Sub, l.count, i32(1)))
			}
			l.onIndex(index)
			line(l.start(x, from), there, runs)
		})
	}
	place := func(start, column kir.Expr) kir.Expr { return add(start, convert(column, types.I64)) }
	end := l.until(x, l.hi)
	l.either(x, from, nil, end, func() {
		lines(func(start, there kir.Expr, runs func(func(at, column kir.Expr))) {
			load := b.inside(false, func() {
				runs(func(at, column kir.Expr) {
					b.emit(&kir.LoadRun{Placed: b.placed(), Var: x.held, Index: []kir.Expr{at}, Buffer: x.buf.v, Offset: place(start, column), Count: x.run})
				})
			})
			if there == nil {
				b.emitAll(load)
				return
			}
			b.emit(&kir.If{Placed: b.placed(), Cond: there, Then: load})
		})
	}, func() {
		t := kir.Typed{T: types.Scalar(x.Image.Elem.Kind)}
		lines(func(start, there kir.Expr, runs func(func(at, column kir.Expr))) {
			runs(func(at, column kir.Expr) {
				l.eachOf(x, at, column, func(at, column kir.Expr) {
					in := b.and(there, b.op(boolType, ops.Lt, l.pixelOf(x, from, column), end))
					value := &kir.Select{Typed: t, Cond: in, Then: &kir.Load{Typed: t, Buffer: x.buf.v, Offset: place(start, column)}, Else: zero(t.T), Lazy: true}
					b.emit(&kir.Assign{Placed: b.placed(), Var: x.held, Index: []kir.Expr{at}, Value: value})
				})
			})
		})
	})
}

// pixelOf is the column of the image that a component of a piece belongs to.
func (l *bander) pixelOf(x *piece, from, component kir.Expr) kir.Expr {
	b := l.body
	return b.op(i32T, ops.Add, from, b.op(i32T, ops.Div, component, i32(int64(x.Image.Elem.Lanes))))
}

// put moves what has been loaded to local memory.
func (l *bander) put() {
	b := l.body
	for _, x := range l.list {
		if !x.Read {
			continue
		}
		l.each(x, func(line kir.Expr, runs func(func(at, column kir.Expr))) {
			runs(func(at, column kir.Expr) {
				l.eachOf(x, at, column, func(at, column kir.Expr) {
					b.emit(&kir.Assign{Placed: b.placed(), Var: x.local, Index: []kir.Expr{line, column}, Value: b.elemOf(x.held, []kir.Expr{at})})
				})
			})
		})
	}
}

// pixel is what a piece has in local memory.
func (l *bander) pixel(x *piece, line, column kir.Expr) kir.Expr {
	return l.of(x, func(lane int) kir.Expr { return l.body.elemOf(x.local, []kir.Expr{line, l.component(x, column, lane)}) })
}

// of is a pixel of components.
func (l *bander) of(x *piece, component func(lane int) kir.Expr) kir.Expr {
	parts := make([]kir.Expr, x.Image.Elem.Lanes)
	for lane := range parts {
		parts[lane] = component(lane)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: x.Image.Elem}, Parts: parts}
}

// onPiece runs an item's line of the pieces from a column on: run after run, those that the scan does not fill by single instances.
func (l *bander) onPiece(from kir.Expr) {
	b := l.body
	wide := i32(int64(l.columns))
	begin := b.once("begin", b.op(i32T, ops.Max, b.op(i32T, ops.Sub, l.from, from), i32(0)))
	end := b.once("end", b.op(i32T, ops.Min, b.op(i32T, ops.Sub, l.to, from), wide))
	if l.down {
		begin, end = b.op(i32T, ops.Sub, wide, end), b.op(i32T, ops.Sub, wide, begin)
	}
	some := func(u0 kir.Expr) {
		next := b.op(i32T, ops.Add, u0, i32(int64(l.run)))
		whole := b.and(b.op(boolType, ops.Ge, u0, begin), b.op(boolType, ops.Le, next, end))
		all := b.inside(false, func() { l.onRun(from, u0) })
		u := b.loopVar("u", interval.Between(0, int64(l.columns)-1))
		single := b.inside(false, func() {
			column := l.nth(ref(u))
			l.instanceAt(from, column, func(x *piece) kir.Expr { return l.pixel(x, l.item, column) })
		})
		lo, hi := b.op(i32T, ops.Max, u0, begin), b.op(i32T, ops.Min, next, end)
		rest := &kir.For{Placed: b.placed(), Var: u, Lo: lo, Hi: hi, Step: 1, Rounds: kir.Looped, Body: single}
		b.emit(&kir.If{Placed: b.placed(), Cond: whole, Then: all, Else: []kir.Stmt{rest}})
	}
	if l.run == l.columns {
		some(i32(0))
		return
	}
	v := b.loopVar("u0", interval.Between(0, int64(l.columns-l.run)))
	body := b.inside(false, func() { some(ref(v)) })
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: wide, Step: int64(l.run), Rounds: kir.Looped, Body: body, Exact: true})
}

// nth is the column of a piece that is the u-th in the order of the scan.
func (l *bander) nth(u kir.Expr) kir.Expr {
	if l.down {
		return l.body.op(i32T, ops.Sub, i32(int64(l.columns)-1), u)
	}
	return u
}

// onRun runs so many instances of an item's line, of a piece from a column on, from the u0-th in the order of the scan on.
func (l *bander) onRun(from, u0 kir.Expr) {
	b, read := l.body, map[*piece]*kir.Var{}
	column := func(u kir.Expr) kir.Expr { return l.nth(b.op(i32T, ops.Add, u0, u)) }
	for _, x := range l.list {
		if !x.Read {
			continue
		}
		t := x.Image.Elem
		v := b.declare(identifier(x.Image)+"_run", types.Scalar(t.Kind).Array(l.run*int(t.Lanes)), true, nil)
		read[x] = v
		b.unrolled("u", l.run, func(u kir.Expr) {
			pixel := l.pixel(x, l.item, column(u))
			for lane := range int(t.Lanes) {
				b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: []kir.Expr{l.component(x, u, lane)}, Value: b.lane(pixel, lane)})
			}
		})
	}
	b.unrolled("u", l.run, func(u kir.Expr) {
		l.instanceAt(from, column(u), func(x *piece) kir.Expr {
			return l.of(x, func(lane int) kir.Expr { return b.elemOf(read[x], []kir.Expr{l.component(x, u, lane)}) })
		})
	})
}

// instanceAt runs the instance of a column of the item's line, where pieces have its pixels as they were.
func (l *bander) instanceAt(from, column kir.Expr, here func(x *piece) kir.Expr) {
	b := l.body
	l.at(b.op(i32T, ops.Add, from, column))
	for _, x := range l.list {
		if !x.Read {
			continue
		}
		b.vars[x.here] = ref(b.declare(x.here.Name, x.Image.Elem, false, here(x)))
	}
	now := map[*piece]*kir.Var{}
	for i, s := range l.stage.Body {
		b.pos = s.Span()
		store, ok := s.(*hast.Store)
		if !ok {
			b.statement(l.onPieces[i])
			continue
		}
		x := l.list[slices.IndexFunc(l.list, func(x *piece) bool { return x.Store == store })]
		v := b.declare(identifier(x.Image)+"_now", x.Image.Elem, false, b.expr(l.onPieces[i].(*hast.Store).Value))
		for lane := range int(x.Image.Elem.Lanes) {
			index := []kir.Expr{l.item, l.component(x, column, lane)}
			b.emit(&kir.Assign{Placed: b.placed(), Var: x.local, Index: index, Value: b.lane(ref(v), lane)})
		}
		now[x] = v
	}
	for _, x := range l.list {
		for n := len(x.memory) - 1; n >= 0; n-- {
			value := ref(now[x])
			if n > 0 {
				value = ref(x.memory[n-1])
			}
			b.emit(&kir.Assign{Placed: b.placed(), Var: x.memory[n], Value: value})
		}
	}
}

// store writes what has come of the pieces from a column on.
func (l *bander) store(from kir.Expr) {
	for _, x := range l.list {
		if x.Store != nil {
			l.storePiece(x, from)
		}
	}
}

func (l *bander) storePiece(x *piece, from kir.Expr) {
	b := l.body
	lines := func(run func(line, to, column kir.Expr)) {
		l.each(x, func(line kir.Expr, runs func(func(at, column kir.Expr))) {
			index := b.once("index", b.op(i32T, ops.Add, l.first, line))
			b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, index, l.count), Then: b.inside(false, func() {
				l.onIndex(index)
				start := l.start(x, from)
				runs(func(_, column kir.Expr) { run(line, start, column) })
			})})
		})
	}
	place := func(start, column kir.Expr) kir.Expr { return add(start, convert(column, types.I64)) }
	l.either(x, from, l.from, l.to, func() {
		lines(func(line, start, column kir.Expr) {
			out := b.declare(identifier(x.Image)+"_out", types.Scalar(x.Image.Elem.Kind).Array(x.run), true, nil)
			l.eachOf(x, i32(0), column, func(at, column kir.Expr) {
				b.emit(&kir.Assign{Placed: b.placed(), Var: out, Index: []kir.Expr{at}, Value: b.elemOf(x.local, []kir.Expr{line, column})})
			})
			b.emit(&kir.StoreRun{Placed: b.placed(), Buffer: x.buf.v, Offset: place(start, column), Var: out, Index: []kir.Expr{i32(0)}, Count: x.run})
		})
	}, func() {
		lines(func(line, start, column kir.Expr) {
			l.eachOf(x, i32(0), column, func(_, column kir.Expr) {
				i := b.once("i", l.pixelOf(x, from, column))
				written := b.and(b.op(boolType, ops.Ge, i, l.from), b.op(boolType, ops.Lt, i, l.to))
				b.emit(&kir.If{Placed: b.placed(), Cond: written, Then: b.inside(false, func() {
					value := b.elemOf(x.local, []kir.Expr{line, column})
					b.emit(&kir.Store{Placed: b.placed(), Buffer: x.buf.v, Offset: place(start, column), Value: value})
				})})
			})
		})
	})
}
