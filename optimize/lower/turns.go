package lower

import (
	"imgc/hast"
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
	within interval             // its values
	width  int                  // points of a block: a power of two
	stage  *hast.Stage          // whose instances are the points
	what   *block.Stage         // which windows the points read
	before func()               // a block, whose windows have been loaded
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
		t.before()
		k.takePoints(t, p, false)
		t.after()
		k.blocks = nil
	}
}

// takeParts takes the points of a block one by one, those that lie in the line.
func (k *kernelBuilder) takeParts(t *taker, p place, set func(place)) {
	set(p)
	t.before()
	k.takePoints(t, p, true)
	t.after()
}

func (k *kernelBuilder) takePoints(t *taker, p place, guard bool) {
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
			t.point(u)
			return
		}
		inside := b.op(boolType, ops.Lt, ref(v), t.hi)
		b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, func() { t.point(u) })})
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
	v := b.loopVar(t.v.Name+"0", t.within)
	at := ref(v)
	body := b.inside(false, func() {
		b.either(k.isWhole(t, at), func() { k.eachLine(t, s, at, lines) }, func() {
			b.loop(hast.Space{Vars: s.Vars[:last], Ranges: s.Ranges[:last]}, func() { k.takeParts(t, place{at: at}, func(place) {}) })
		})
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: start, Hi: t.hi, Step: int64(items * t.width), Body: body, Exact: true})
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
