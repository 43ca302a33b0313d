package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// The items of a group that share points take them in turn: each takes blocks of neighbours on a line, so that it loads them by
// vectors and the items next to it load what lies next to that, and some such blocks at once, so that several loads are under way.
// A block that ends beyond the line, or that lies where vectors cannot be loaded, is taken point by point.

// A taker is what is done with blocks of points.
type taker struct {
	v      *hast.Var            // the variable that runs along the line
	lo, hi kir.Expr             // of it
	within interval.Interval    // its values
	width  int                  // points of a block: a power of two
	stage  *hast.Stage          // whose instances are the points
	what   *block.Stage         // which windows the points read
	before func(p place)        // a block, whose windows have been loaded
	point  func(place kir.Expr) // the variables have their values; place is that in the block
	after  func()               // a block
}

// A place is where a block starts: on which line, nil where there is one, and at which value of the variable along it.
type place struct{ line, at kir.Expr }

// turn is a block with its windows, which are not loaded yet; nil where the points read no windows.
func (k *kernelBuilder) turn(t *taker, p place) *strip {
	windows := *t.what
	windows.Outputs = nil // what is stored goes straight to memory
	if len(windows.Windows) == 0 {
		return nil
	}
	s := &strip{kernelBuilder: k, stage: t.stage, what: &windows, item: [2]int{t.width, 1}}
	s.first, s.end, s.at = [2]kir.Expr{p.at, i32(0)}, [2]kir.Expr{t.hi, nil}, [2]kir.Expr{i32(0), i32(0)}
	if p.line != nil {
		s.first[1] = p.line
	}
	s.turn = k.body.op(boolType, ops.Eq, k.body.op(i32T, ops.Rem, t.lo, i32(int64(t.width))), i32(0))
	return s
}

// takeWhole loads blocks and then takes their points.
func (k *kernelBuilder) takeWhole(t *taker, places []place, set func(place)) {
	strips := make([]*strip, len(places))
	for i, p := range places {
		set(p)
		if strips[i] = k.turn(t, p); strips[i] != nil {
			strips[i].arrange()
			strips[i].declare()
			strips[i].fetch(strips[i].fetchWhole)
		}
	}
	for i, p := range places {
		set(p)
		k.blocks = strips[i]
		t.before(p)
		k.takePoints(t, p, false)
		t.after()
		k.blocks = nil
	}
}

// takeParts takes the points of a block one by one, those that lie in the line.
func (k *kernelBuilder) takeParts(t *taker, p place, set func(place)) {
	set(p)
	t.before(p)
	k.takePoints(t, p, true)
	t.after()
}

func (k *kernelBuilder) takePoints(t *taker, p place, guard bool) {
	k.eachPoint(t, p, guard, t.point)
}

// eachPoint does something with each point of a block, those that lie in the line if they are guarded.
func (k *kernelBuilder) eachPoint(t *taker, p place, guard bool, point func(place kir.Expr)) {
	b := k.body
	b.unrolled("u", t.width, func(u kir.Expr) {
		if k.blocks != nil {
			k.blocks.at[0] = u
		}
		v := b.declare(t.v.Name, i32T, false, b.op(i32T, ops.Add, p.at, u))
		b.bounds[v] = t.within
		b.limits[v] = t.hi
		b.vars[t.v] = ref(v)
		if !guard {
			point(u)
			return
		}
		inside := b.op(boolType, ops.Lt, ref(v), t.hi)
		b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, func() { point(u) })})
	})
}

// either emits what is done where a condition, nil for always, holds, and where it does not.
func (b *body) either(cond kir.Expr, then, els func()) {
	if cond == nil {
		then()
		return
	}
	thenStmts, elseStmts := b.inside(false, then), b.inside(false, els)
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: thenStmts, Else: elseStmts})
}

// takeLines lowers the loops of one of some items over its points of a space: blocks of the last variable, of each the lines one after
// the other, and of the lines some at once.
func (k *kernelBuilder) takeLines(t *taker, s hast.Space, index kir.Expr, items, lines int) {
	b := k.body
	last := len(s.Vars) - 1
	t.lo, t.hi = b.expr(s.Ranges[last].Lo), b.expr(s.Ranges[last].Hi)
	t.within = loopInterval(rangeOf(t.lo, b.bounds), rangeOf(t.hi, b.bounds), 1)
	t.lo, t.hi = b.once(t.v.Name+"_from", t.lo), b.once(t.v.Name+"_to", t.hi)
	start := b.op(i32T, ops.Add, t.lo, b.op(i32T, ops.Mul, index, i32(int64(t.width))))
	many := func() {
		v := b.loopVar(t.v.Name+"0", t.within)
		at := ref(v)
		body := b.inside(false, func() {
			b.either(k.isWhole(t, at), func() { k.eachLine(t, s, at, lines) }, func() {
				b.loop(hast.Space{Vars: s.Vars[:last], Ranges: s.Ranges[:last]}, func() { k.takeParts(t, place{at: at}, func(place) {}) })
			})
		})
		b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: start, Hi: t.hi, Step: int64(items * t.width), Body: body, Exact: true})
	}
	few := k.fewLines(t, s, lines)
	if few == nil {
		many()
		return
	}
	b.either(few.are, func() { k.takeFew(t, few, start, int64(items*t.width)) }, many)
}

// isWhole is the condition that a block can be loaded by vectors, on any line; nil for always.
func (k *kernelBuilder) isWhole(t *taker, at kir.Expr) kir.Expr {
	s := k.turn(t, place{at: at})
	if s == nil {
		return k.body.once("whole", k.body.op(boolType, ops.Le, k.body.op(i32T, ops.Add, at, i32(int64(t.width))), t.hi))
	}
	s.arrange()
	s.conditions()
	return s.whole
}

// eachLine takes the blocks at one place of all lines.
func (k *kernelBuilder) eachLine(t *taker, s hast.Space, at kir.Expr, lines int) {
	b := k.body
	n := len(s.Vars) - 1 // variables that count the lines
	if n == 0 {
		p := place{at: at}
		if t.what.Y != nil {
			p.line = b.value(t.what.Y)
		}
		k.takeWhole(t, []place{p}, func(place) {})
		return
	}
	v, r := s.Vars[n-1], s.Ranges[n-1]
	set := func(p place) { b.vars[v] = p.line }
	b.loop(hast.Space{Vars: s.Vars[:n-1], Ranges: s.Ranges[:n-1]}, func() {
		lo, hi := b.expr(r.Lo), b.once(v.Name+"_to", b.expr(r.Hi))
		y := b.declare(v.Name+"0", i32T, true, lo)
		b.bounds[y] = loopInterval(rangeOf(lo, b.bounds), rangeOf(hi, b.bounds), r.Step)
		next := func(i int) kir.Expr { return b.op(i32T, ops.Add, ref(y), i32(int64(i)*r.Step)) }
		below := ops.Lt
		if r.Step < 0 {
			below = ops.Gt
		}
		take := func(count int) {
			body := b.inside(false, func() {
				places := make([]place, count)
				for i := range places {
					line := b.declare(v.Name, i32T, false, next(i))
					b.bounds[line] = b.bounds[y]
					places[i] = place{ref(line), at}
				}
				k.takeWhole(t, places, set)
				b.emit(&kir.Assign{Placed: b.placed(), Var: y, Value: next(count)})
			})
			b.emit(&kir.While{Placed: b.placed(), Cond: b.op(boolType, below, next(count-1), hi), Body: body})
		}
		if take(lines); lines > 1 {
			take(1)
		}
	})
}

// Few lines are one or two, as the parts have of small images, of which no block is left to be loaded beside the one at hand: an item would wait for
// each. Those of two places are then loaded together, each where there is one.
type fewLines struct {
	v    *hast.Var
	line [2]kir.Expr
	is   [2]kir.Expr // conditions: there is such a line
	are  kir.Expr    // there is no other one, and all blocks can be loaded by vectors
}

// fewLines are the lines of a space that are few, if the sizes are so; nil where items take one line at a time anyway.
func (k *kernelBuilder) fewLines(t *taker, s hast.Space, lines int) *fewLines {
	if len(s.Vars) != 2 || lines < 2 || len(t.what.Windows) == 0 || s.Ranges[0].Step < 1 {
		return nil
	}
	if n, ok := block.Moved(s.Ranges[0]); ok && n > 2 || k.holdsBytes(t) {
		return nil
	}
	b, v, r := k.body, s.Vars[0], s.Ranges[0]
	lo, hi := b.once(v.Name+"_from", b.expr(r.Lo)), b.once(v.Name+"_to", b.expr(r.Hi))
	bounds := loopInterval(rangeOf(lo, b.bounds), rangeOf(hi, b.bounds), r.Step)
	next := func(i int64) kir.Expr { return b.op(i32T, ops.Add, lo, i32(i*r.Step)) }
	few := &fewLines{v: v}
	for i := range few.line {
		line := b.declare(v.Name, i32T, false, next(int64(i)))
		b.bounds[line] = bounds
		few.line[i], few.is[i] = ref(line), b.op(boolType, ops.Lt, ref(line), hi)
	}
	whole := b.op(boolType, ops.Eq, b.op(i32T, ops.Rem, t.hi, i32(int64(t.width))), i32(0))
	few.are = b.and(b.op(boolType, ops.Ge, next(2), hi), b.and(whole, k.isWhole(t, t.lo)))
	return few
}

// holdsBytes reports whether blocks are loaded into arrays of single bytes: where conditions hang on that, compilers keep each in a register. Differences of 1920 x 1080 bytes took 10.7 us on an H200 by
// few lines, and 4.8 line by line.
func (k *kernelBuilder) holdsBytes(t *taker) bool {
	s := k.turn(t, place{at: t.lo})
	s.arrange()
	return slices.ContainsFunc(s.windows, func(w *window) bool { return w != nil && !w.packed && w.buf.elem.Kind.Bytes() == 1 })
}

// takeFew takes the points of few lines, two blocks of each at a time.
func (k *kernelBuilder) takeFew(t *taker, few *fewLines, start kir.Expr, step int64) {
	b := k.body
	v := b.loopVar(t.v.Name+"0", t.within)
	body := b.inside(false, func() {
		second := b.declare(t.v.Name+"1", i32T, false, b.op(i32T, ops.Add, ref(v), i32(step)))
		b.bounds[second] = interval.Between(t.within.Lo+step, t.within.Hi+step)
		conds := [2]kir.Expr{nil, b.op(boolType, ops.Lt, ref(second), t.hi)}
		var strips [2][2]*strip
		for i, at := range []*kir.Var{v, second} {
			for j := range few.line {
				b.vars[few.v] = few.line[j]
				strips[i][j] = k.turn(t, place{few.line[j], ref(at)})
				k.fetchIf(strips[i][j], b.and(conds[i], few.is[j]))
			}
		}
		for i, at := range []*kir.Var{v, second} {
			for j := range few.line {
				b.vars[few.v] = few.line[j]
				k.takeLoaded(t, place{few.line[j], ref(at)}, strips[i][j], b.and(conds[i], few.is[j]))
			}
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: start, Hi: t.hi, Step: 2 * step, Rounds: kir.Looped, Body: body, Exact: true})
}

// fetchIf loads a block where a condition holds, nil for always. Its array is cleared before: ptxas then has loads that wait together go to registers of their own,
// and not through one.
func (k *kernelBuilder) fetchIf(s *strip, cond kir.Expr) {
	s.arrange()
	s.declare()
	if cond != nil {
		s.fetch(s.clear)
	}
	k.body.when(cond, func() { s.fetch(s.fetchWhole) })
}

// takeLoaded takes the points of a block where a condition holds, nil for always.
func (k *kernelBuilder) takeLoaded(t *taker, p place, loaded *strip, cond kir.Expr) {
	k.body.when(cond, func() {
		k.blocks = loaded
		t.before(p)
		k.takePoints(t, p, false)
		t.after()
		k.blocks = nil
	})
}

// when emits what is done where a condition, nil for always, holds.
func (b *body) when(cond kir.Expr, then func()) {
	if cond == nil {
		then()
		return
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: b.inside(false, then)})
}

// clear sets the array of a window to zeros.
func (t *strip) clear(w *window) {
	b, elem := t.body, w.array.Type.Elem()
	cols := w.cols
	if w.packed {
		cols /= 4
	}
	for r := range w.rows {
		for c := range cols {
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: []kir.Expr{i32(int64(r)), i32(int64(c))}, Value: zero(elem)})
		}
	}
}
