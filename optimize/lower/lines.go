package lower

import (
	"fmt"
	"maps"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Lines that are prefixes are taken by groups, a line each: block after block of the line, of which each item has some neighbours.
// An item joins its own pixels, the group joins what its items have, and with what came before each item has its results. So every
// pixel is read once and written once, neighbours by neighbours.

// together is how many values one item joins in order while the others wait.
const together = 16

// refuseLines says why a group cannot take each line of a stage, as the end of a sentence; "" where it can.
func refuseLines(s *hast.Stage, d, full schedule.Decisions) string {
	width := full.Item[0]
	switch {
	case s.Scan == nil || s.Scan.Prefix == nil:
		return "its lines along the last variable are not prefixes of one operator, rising by one and with one store"
	case d.Tile[0] > 0 || d.Reduce > 0 || d.Copies[0] > 0 || d.Flat != 0 || d.Dot4 != 0 || d.Packed16 != 0:
		return "prefix stands with item and vector alone"
	case d.Prefix&(d.Prefix-1) != 0 || d.Prefix < 2:
		return fmt.Sprintf("a group of %d work-items is no power of two above 1", d.Prefix)
	case d.Item[1] > 1 || width&(width-1) != 0 || width > maxTurn:
		return fmt.Sprintf("items that share a line take a power of two of neighbours at once, up to %d", maxTurn)
	case full.Vector&(full.Vector-1) != 0:
		return fmt.Sprintf("a memory access takes a power of two of bytes, not %d", full.Vector)
	}
	what := block.AnalyzeLine(terms(s), full.Unroll)
	switch {
	case what.Alone != "":
		return what.Alone
	case len(what.Outputs) != 1 || what.Once:
		return "it writes no pixel at a fixed distance from the instance"
	}
	for _, w := range what.Windows {
		if w.Rule != nil && !block.AnyLine[w.Rule.Kind] {
			return w.Rule.Kind.String() + " borders are read point by point"
		}
	}
	return ""
}

// terms is a stage of prefixes without the scan: each instance computes what it adds to the pixels before.
func terms(s *hast.Stage) *hast.Stage {
	p := s.Scan.Prefix
	out := *s
	out.Scan = nil
	out.Body = hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(x hast.Expr) hast.Expr {
			if x == hast.Expr(p.Before) {
				return p.Neutral
			}
			return nil
		})
	})
	return &out
}

// A lineScan is a stage of prefixes while it is lowered.
type lineScan struct {
	*kernelBuilder
	prefix *hast.Prefix
	terms  *hast.Stage
	what   *block.Stage
	v      *hast.Var // along the lines
	elem   types.Type
	size   int // items of a group
	width  int // pixels of an item in a block
	lo, hi kir.Expr
	within interval.Interval
	carry  *kir.Var // what all blocks before come to
}

// scanLines lowers a stage of prefixes in groups of a size.
func (k *kernelBuilder) scanLines(s *hast.Stage, size, width int) shape {
	b, last := k.body, len(s.Space.Vars)-1
	l := &lineScan{kernelBuilder: k, prefix: s.Scan.Prefix, terms: terms(s), v: s.Space.Vars[last], size: size, width: width}
	l.what = block.AnalyzeLine(l.terms, k.decided.Unroll)
	l.elem = l.prefix.Before.T
	k.team = &team{size: size, groups: 1, parts: map[types.Kind]*kir.Var{}, used: map[types.Kind]int{}}
	maps.Copy(k.team.parts, k.free)
	items := k.teamGrid(across(s))
	r := s.Space.Ranges[last]
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	l.lo, l.hi = k.bound(l.v.Name+"_from", r.Lo), k.bound(l.v.Name+"_to", r.Hi)
	l.within = loopInterval(k.plan.hostInterval(r.Lo).Meet(limits), k.plan.hostInterval(r.Hi).Meet(limits), 1)
	some := b.inside(false, func() { l.line() })
	b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, l.lo, l.hi), Then: some})
	return shape{items: items, group: [3]int{size, 1, 1}, shared: k.team.decls}
}

// line lowers the loop over the blocks of a line.
func (l *lineScan) line() {
	b := l.body
	b.vars[l.v] = l.lo
	l.carry = b.declare("before", l.elem, true, b.expr(l.prefix.Before))
	parts := l.size / min(together, l.size)
	own, sums := l.team.room(b, l.elem, l.size+parts), l.team.room(b, l.elem, parts)
	block := b.loopVar(l.v.Name+"_block", l.within)
	body := b.inside(false, func() {
		at := b.declare(l.v.Name+"0", i32T, false, b.op(i32T, ops.Add, ref(block), b.op(i32T, ops.Mul, ref(l.team.item), i32(int64(l.width)))))
		b.bounds[at] = l.within
		l.block(ref(at), own, sums)
	})
	b.emit(&kir.For{Placed: b.placed(), Var: block, Lo: l.lo, Hi: l.hi, Step: int64(l.size * l.width), Body: body, Exact: true})
}

// join applies the operator to pixels, as the language does.
func (l *lineScan) join(x, y kir.Expr) kir.Expr {
	b := l.body
	wide := l.elem.WithKind(types.Promote(l.elem.Kind))
	return b.convert(l.elem, b.op(wide, l.prefix.Op, b.convert(wide, x, kir.Wrap), b.convert(wide, y, kir.Wrap)), kir.Wrap)
}

// block lowers one block of a group.
func (l *lineScan) block(at kir.Expr, own, sums column) {
	b := l.body
	s := l.strip(at)
	out := s.outputs[0]
	out.array = b.declare(out.Image.Name+"_new", types.Scalar(out.buf.elem.Kind).Array(1, l.width), true, nil)
	elem := func(u kir.Expr) kir.Expr { return b.elemOf(out.array, []kir.Expr{i32(0), u}) }
	set := func(u, value kir.Expr) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: out.array, Index: []kir.Expr{i32(0), u}, Value: value})
	}
	b.either(s.whole, func() {
		windows := *s
		windows.outputs = nil
		windows.declare()
		windows.fetch(windows.fetchWhole)
		l.blocks = &windows
		l.each(at, func(u kir.Expr) { set(u, l.term()) })
		l.blocks = nil
	}, func() {
		l.each(at, func(u kir.Expr) {
			set(u, b.expr(l.prefix.Neutral))
			b.emit(&kir.If{Placed: b.placed(), Cond: l.inLine(), Then: b.inside(false, func() { set(u, l.term()) })})
		})
	})
	for u := 1; u < l.width; u++ {
		set(i32(int64(u)), l.join(elem(i32(int64(u-1))), elem(i32(int64(u)))))
	}
	before := l.before(elem(i32(int64(l.width-1))), own, sums)
	b.unrolled("u", l.width, func(u kir.Expr) { set(u, l.join(before, elem(u))) })
	b.either(s.whole, func() { s.putWhole(out) }, func() {
		store := l.terms.Body[len(l.terms.Body)-1].(*hast.Store)
		for _, st := range l.terms.Body {
			if st, ok := st.(*hast.Store); ok {
				store = st
			}
		}
		l.each(at, func(u kir.Expr) {
			b.emit(&kir.If{Placed: b.placed(), Cond: l.inLine(), Then: b.inside(false, func() {
				buf := b.kernel.buffer(store.Image.Base(), kir.Writes)
				b.storePixel(buf, b.offset(buf, b.onBase(store.Image, b.positions(store.Image, store.Index))), elem(u))
			})})
		})
	})
}

// strip is the block with its windows and its output, none of them declared.
func (l *lineScan) strip(at kir.Expr) *strip {
	s := &strip{kernelBuilder: l.kernelBuilder, stage: l.terms, what: l.what, item: [2]int{l.width, 1}}
	s.first, s.end, s.at = [2]kir.Expr{at, i32(0)}, [2]kir.Expr{l.hi, nil}, [2]kir.Expr{i32(0), i32(0)}
	if l.what.Y != nil {
		s.first[1] = l.body.value(l.what.Y)
	}
	s.turn = l.body.op(boolType, ops.Eq, l.body.op(i32T, ops.Rem, l.lo, i32(int64(l.width))), i32(0))
	s.arrange()
	s.conditions()
	return s
}

// each runs f for the pixels of an item.
func (l *lineScan) each(at kir.Expr, f func(u kir.Expr)) {
	b := l.body
	b.unrolled("u", l.width, func(u kir.Expr) {
		if l.blocks != nil {
			l.blocks.at[0] = u
		}
		v := b.declare(l.v.Name, i32T, false, b.op(i32T, ops.Add, at, u))
		b.bounds[v] = l.within
		b.limits[v] = l.hi
		b.vars[l.v] = ref(v)
		f(u)
	})
}

func (l *lineScan) inLine() kir.Expr { return l.body.op(boolType, ops.Lt, l.body.vars[l.v], l.hi) }

// term is what the instance at hand adds.
func (l *lineScan) term() kir.Expr {
	b := l.body
	var value kir.Expr
	for _, s := range l.terms.Body {
		if store, ok := s.(*hast.Store); ok {
			value = b.expr(store.Value)
			continue
		}
		b.statement(s)
	}
	return value
}

// before is what all pixels before the item's come to, of its block and of those before; it takes the group to the next block.
func (l *lineScan) before(total kir.Expr, own, sums column) kir.Expr {
	b, item := l.body, ref(l.team.item)
	part := min(together, l.size)
	parts := l.size / part
	// Parts lie one place apart, so that the items that scan them use different banks.
	place := b.once("place", b.op(i32T, ops.Add, item, b.op(i32T, ops.Div, item, i32(int64(part)))))
	own.put(place, total)
	b.emit(&kir.Barrier{Placed: b.placed()})
	// The first item of each part makes what its items have exclusive sums and leaves their total, then one does so of the totals.
	b.scanPart(l, item, parts, own, func(k int) kir.Expr {
		return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, item, i32(int64(part+1))), i32(int64(k)))
	}, part, func(sum kir.Expr) { sums.put(item, sum) })
	b.emit(&kir.Barrier{Placed: b.placed()})
	all := b.declare("all", l.elem, true, ref(l.carry))
	mine := b.declare("sum", l.elem, true, ref(l.carry))
	p := b.loopVar("part", interval.Between(0, int64(parts)-1))
	group := b.op(i32T, ops.Div, item, i32(int64(part)))
	loop := b.inside(false, func() {
		here := b.op(boolType, ops.Eq, ref(p), group)
		b.emit(&kir.If{Placed: b.placed(), Cond: here, Then: []kir.Stmt{&kir.Assign{Placed: b.placed(), Var: mine, Value: ref(all)}}})
		b.emit(&kir.Assign{Placed: b.placed(), Var: all, Value: l.join(ref(all), sums.get(ref(p)))})
	})
	b.emit(&kir.For{Placed: b.placed(), Var: p, Lo: i32(0), Hi: i32(int64(parts)), Step: 1, Body: loop})
	result := b.declare("sum", l.elem, false, l.join(ref(mine), own.get(place)))
	b.emit(&kir.Assign{Placed: b.placed(), Var: l.carry, Value: ref(all)})
	b.emit(&kir.Barrier{Placed: b.placed()}) // before the next block uses the memory
	return ref(result)
}

// scanPart has the first n items replace count values each by what those before come to; done gets what all of them come to.
func (b *body) scanPart(l *lineScan, item kir.Expr, n int, c column, place func(k int) kir.Expr, count int, done func(kir.Expr)) {
	then := b.inside(false, func() {
		sum := b.declare("sum", l.elem, true, b.expr(l.prefix.Neutral))
		for k := range count {
			here := b.once("here", c.get(place(k)))
			c.put(place(k), ref(sum))
			b.emit(&kir.Assign{Placed: b.placed(), Var: sum, Value: l.join(ref(sum), here)})
		}
		done(ref(sum))
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, item, i32(int64(n))), Then: then})
}
