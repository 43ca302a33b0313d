package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Groups that update copies take the instances in turn, line by line or in blocks; or are persistent (persistent.go).

// turns lowers the instances that fall to this item of one of so many groups: groups take lines of the last variable in turn, their items the
// places in a line.
func (k *kernelBuilder) turns(s *hast.Stage, item, number *kir.Var, size, groups int) {
	b, inner := k.body, func() { k.instance(s) }
	last := len(s.Space.Vars) - 1
	group := ref(number)
	across := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, group, i32(int64(size))), ref(item))
	if k.decided.Item[0] > 1 {
		k.blockTurns(s, across, size*groups, inner)
		return
	}
	count := k.scalar(s.Space.Vars[last].Name+"_count", i32T, k.rounds(s.Space.Ranges[last]), interval.Between(0, hast.MaxExtent))
	place := func(lo kir.Expr, step int) {
		v := b.loopVar("place", interval.Between(0, hast.MaxExtent-1))
		body := b.inside(false, func() {
			k.iterator(s.Space.Vars[last], s.Space.Ranges[last], ref(v))
			inner()
		})
		b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: lo, Hi: count, Step: int64(step), Body: body, Exact: true})
	}
	if size == 1 && last > 0 {
		place = func(kir.Expr, int) { k.inTurn(s, count, inner) }
	}
	if last == 0 {
		place(across, size*groups)
		return
	}
	line := b.loopVar("line", interval.Between(0, hast.MaxExtent-1))
	body := b.inside(false, func() {
		k.lineOf(s, ref(line))
		place(ref(item), size)
	})
	all := k.scalar("lines", i32T, k.lines(s), interval.Between(0, hast.MaxExtent))
	b.emit(&kir.For{Placed: b.placed(), Var: line, Lo: group, Hi: all, Step: int64(groups), Body: body, Exact: true})
}

// inTurn runs inner for a line of instances, neighbours with different copies.
func (k *kernelBuilder) inTurn(s *hast.Stage, count kir.Expr, inner func()) {
	b := k.body
	last, copies := len(s.Space.Vars)-1, int64(k.decided.Copies[0])
	one := func(at kir.Expr, which int64) {
		k.iterator(s.Space.Vars[last], s.Space.Ranges[last], at)
		k.copyOf = i32(which)
		inner()
	}
	whole := b.once("whole", b.op(i32T, ops.Mul, b.op(i32T, ops.Div, count, i32(copies)), i32(copies)))
	v := b.loopVar("place", interval.Between(0, hast.MaxExtent-1))
	round := b.inside(false, func() {
		for c := range copies {
			one(b.op(i32T, ops.Add, ref(v), i32(c)), c)
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: whole, Step: copies, Body: round, Exact: true})
	if copies > 1 {
		rest := b.inside(false, func() { one(ref(v), 0) })
		b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: whole, Hi: count, Step: 1, Body: rest})
	}
}

// lines is the number of lines along the last variable, a host value.
func (k *kernelBuilder) lines(s *hast.Stage) kir.Expr {
	n := kir.Expr(i64(1))
	for _, r := range s.Space.Ranges[:len(s.Space.Ranges)-1] {
		n = mul(n, atLeast0(k.count(r)))
	}
	return n
}

// atLeast0 is the number of values of a range that may end before it starts.
func atLeast0(n kir.Expr) kir.Expr { return opExpr(i64T, ops.Max, []kir.Expr{n, i64(0)}, true) }

// lineOf declares the variables before the last one for the line of a number.
func (k *kernelBuilder) lineOf(s *hast.Stage, number kir.Expr) {
	b := k.body
	for i := len(s.Space.Vars) - 2; i >= 0; i-- {
		index := number
		if i > 0 {
			count := k.scalar(s.Space.Vars[i].Name+"_count", i32T, k.rounds(s.Space.Ranges[i]), interval.Between(0, hast.MaxExtent))
			index = b.op(i32T, ops.Rem, number, count)
			number = b.once("rest", b.op(i32T, ops.Div, number, count))
		}
		k.iterator(s.Space.Vars[i], s.Space.Ranges[i], index)
	}
}

// blockTurns runs inner for the instances of one of so many items, by blocks of neighbours on a line, some at once: the blocks of all
// lines, one line after the other, fall to the items in turn.
func (k *kernelBuilder) blockTurns(s *hast.Stage, index kir.Expr, items int, inner func()) {
	b := k.body
	last := len(s.Space.Vars) - 1
	v, r, width := s.Space.Vars[last], s.Space.Ranges[last], int64(k.decided.Item[0])
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	perLine := opExpr(i64T, ops.Max, []kir.Expr{div(add(k.count(r), i64(width-1)), i64(width)), i64(1)}, true)
	allBlocks := mul(k.lines(s), div(add(atLeast0(k.count(r)), i64(width-1)), i64(width)))
	blocks := &blockCount{
		index: index, items: int64(items),
		each: k.scalar(v.Name+"_blocks", i32T, perLine, interval.Between(1, hast.MaxExtent)),
		all:  k.scalar("blocks", i32T, allBlocks, interval.Between(0, hast.MaxExtent)),
	}
	t := &taker{
		stage: s, v: v, lo: k.bound(v.Name+"_from", r.Lo), hi: k.bound(v.Name+"_to", r.Hi), width: int(width),
		within: loopInterval(k.plan.hostInterval(r.Lo).Meet(limits), k.plan.hostInterval(r.Hi).Meet(limits), 1),
		what:   block.Analyze(s, k.decided.Unroll), before: func(place) {}, after: func() {}, point: func(kir.Expr) { inner() },
	}
	if last > 0 {
		blocks.stepLines = k.scalar("step_lines", i32T, div(i64(int64(items)), perLine), interval.Between(0, hast.MaxExtent))
		blocks.stepBlocks = k.scalar("step_blocks", i32T, opExpr(i64T, ops.Rem, []kir.Expr{i64(int64(items)), perLine}, true), interval.Between(0, hast.MaxExtent))
	}
	blocks.start(b)
	if n := max(1, k.decided.Item[1]); n > 1 {
		k.takeBlocks(t, blocks, n)
	}
	k.takeBlocks(t, blocks, 1)
}

// takeBlocks takes blocks that fall to the item, so many at once, as long as there are as many.
func (k *kernelBuilder) takeBlocks(t *taker, blocks *blockCount, count int) {
	b, severalLines := k.body, blocks.line != nil
	body := b.inside(false, func() {
		places := make([]place, count)
		lines := make([]kir.Expr, count)
		var whole kir.Expr
		for i := range places {
			first := b.op(i32T, ops.Add, t.lo, b.op(i32T, ops.Mul, ref(blocks.place), i32(int64(t.width))))
			at := b.declare(t.v.Name+"0", i32T, false, first)
			b.bounds[at] = t.within
			places[i].at = ref(at)
			if severalLines {
				lines[i] = ref(b.declare("line", i32T, false, ref(blocks.line)))
			}
			whole = b.and(whole, orTrue(k.isWhole(t, places[i].at)))
			blocks.next(b)
		}
		set := func(p place) {
			for i := range places {
				if severalLines && places[i].at == p.at {
					k.lineOf(t.stage, lines[i])
				}
			}
		}
		for i := range places {
			if set(places[i]); t.what.Y != nil {
				places[i].line = b.value(t.what.Y)
			}
		}
		b.either(whole, func() { k.takeWhole(t, places, set) }, func() {
			for _, p := range places {
				k.takeParts(t, p, set)
			}
		})
	})
	ahead := b.op(i32T, ops.Add, ref(blocks.number), i32(int64(count-1)*blocks.items))
	b.emit(&kir.While{Placed: b.placed(), Cond: b.op(boolType, ops.Lt, ahead, blocks.all), Body: body})
}

func orTrue(cond kir.Expr) kir.Expr {
	if cond == nil {
		return intConst(types.Bool, 1)
	}
	return cond
}

// A blockCount counts the blocks that fall to an item, and the lines and the places in a line where they are, without divisions.
type blockCount struct {
	index                 kir.Expr // of the item
	items                 int64
	each, all             kir.Expr // blocks of a line, and of all
	stepLines, stepBlocks kir.Expr // from one block to the next; nil where there is one line
	number, line, place   *kir.Var
}

func (c *blockCount) start(b *body) {
	declare := func(name string, x kir.Expr) *kir.Var {
		v := b.declare(name, i32T, true, x)
		b.bounds[v] = interval.Between(0, hast.MaxExtent)
		return v
	}
	c.number = declare("block", c.index)
	if c.stepLines == nil {
		c.place = c.number
		return
	}
	c.line = declare("block_line", b.op(i32T, ops.Div, c.index, c.each))
	c.place = declare("block_place", b.op(i32T, ops.Rem, c.index, c.each))
}

func (c *blockCount) next(b *body) {
	set := func(v *kir.Var, x kir.Expr) { b.emit(&kir.Assign{Placed: b.placed(), Var: v, Value: x}) }
	set(c.number, b.op(i32T, ops.Add, ref(c.number), i32(c.items)))
	if c.stepLines == nil {
		return
	}
	set(c.line, b.op(i32T, ops.Add, ref(c.line), c.stepLines))
	set(c.place, b.op(i32T, ops.Add, ref(c.place), c.stepBlocks))
	over := b.op(boolType, ops.Ge, ref(c.place), c.each)
	b.emit(&kir.If{Placed: b.placed(), Cond: over, Then: b.inside(false, func() {
		set(c.place, b.op(i32T, ops.Sub, ref(c.place), c.each))
		set(c.line, b.op(i32T, ops.Add, ref(c.line), i32(1)))
	})})
}
