package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Where a stage does the same for each component of its pixels, the inner columns of a row are a line of components, whose neighbours along x lie one
// pixel apart. Lanes are components then, so that nothing has to be put together from pixels or taken apart: each access moves what lies side by side.

// findComponent finds what the stage does for one component, where lanes are to be components.
func (r *rows) findComponent() {
	r.one = block.Component{Of: r.stage, N: 1}
	switch d := r.decided; {
	case d.Lanes == 0 || d.Block > 0 || r.common != nil:
	case r.trial != nil: // which remembers what it finds of a component's sums
		r.one = r.trial.looks().ByComponents(r.stage).InLanes(r.stage, r.what)
	default:
		r.one = block.ByComponents(r.stage).InLanes(r.stage, r.what)
	}
}

// leastColumns is how many columns one step takes at least.
func (r *rows) leastColumns() int64 {
	n := max(r.decided.Lanes, r.decided.Block)
	return int64((n + r.one.N - 1) / r.one.N)
}

// componentSteps is steps where lanes are components.
func (r *rows) componentSteps(count int, from, to kir.Expr) {
	pixels := r.stage
	x := r.column(from)
	step, steps, run := r.runs(from, to)
	r.stage = r.one.Of
	r.sideBySide(step, func() *kir.Var {
		run()
		return x
	}, count, i32(0), steps)
	if r.stage, r.run = pixels, nil; r.why != "" && r.trial == nil { // which a trial finds beforehand
		r.eachOf(count, r.plain)
	}
}

// runs is how often lanes are filled with the components of some pixels of a row, and a loop's variable that counts this: a row may have more components than 32 bits
// count. What it returns as run declares, in the loop, where lanes begin; the last time overlaps the one before.
func (r *rows) runs(from, to kir.Expr) (step *kir.Var, steps kir.Expr, run func()) {
	b, n := r.body, i64(int64(r.decided.Lanes))
	end := b.once("components", r.inLine(exactly(ops.Sub, to, from)))
	steps = b.once("steps", convert(div(add(end, i64(int64(r.decided.Lanes-1))), n), types.I32))
	step = b.loopVar("step", interval.Between(0, hast.MaxExtent-1))
	return step, steps, func() {
		behind := mul(convert(ref(step), types.I64), n)
		r.run = b.declare("run", i64T, false, opExpr(i64T, ops.Min, []kir.Expr{behind, sub(end, n)}, true))
	}
}

// inLine is how many values so many columns of a line have.
func (r *rows) inLine(columns kir.Expr) kir.Expr {
	wide := convert(columns, types.I64)
	if r.one.N == 1 {
		return wide
	}
	return mul(wide, i64(int64(r.one.N)))
}

// fillComponents is fillWide where lanes are components.
func (r *rows) fillComponents(l *line, origin, from, to kir.Expr) {
	b := r.body
	at := b.declare("at", i32T, false, from)
	b.bounds[at] = interval.Between(-hast.MaxExtent, hast.MaxExtent)
	step, steps, run := r.runs(from, to)
	body := b.inside(false, func() {
		run()
		place := r.inLine(exactly(ops.Sub, ref(at), origin))
		r.eachOf(len(l.arrays), func() {
			value := b.convert(l.elem(), r.columnSum(l.maskSum, ref(at), true), kir.Wrap)
			b.emit(&kir.Store{Placed: b.placed(), Buffer: l.arrays[r.number], Offset: place, Value: value})
		})
	})
	w := r.widening(at)
	r.run = nil
	if w.all(body[1:]); w.why != "" {
		r.why = w.why
		return
	}
	b.emitAll(w.moved)
	b.emit(&kir.For{Placed: b.placed(), Var: step, Lo: i32(0), Hi: steps, Step: 1, Exact: true, Body: append(body[:1:1], w.out...)})
}

// fillPixel computes a column of a line by itself, component by component.
func (r *rows) fillPixel(l *line, origin, at kir.Expr) {
	b := r.body
	k := b.loopVar("component", interval.Between(0, int64(r.one.N)-1))
	body := b.inside(false, func() {
		r.run, r.single = k, true
		place := exactly(ops.Add, exactly(ops.Mul, exactly(ops.Sub, at, origin), i32(int64(r.one.N))), ref(k))
		r.eachOf(len(l.arrays), func() {
			value := b.convert(l.elem(), r.columnSum(l.maskSum, at, false), kir.Wrap)
			b.emit(&kir.Assign{Placed: b.placed(), Var: l.arrays[r.number], Index: []kir.Expr{place}, Value: value})
		})
		r.run, r.single = nil, false
	})
	b.emit(&kir.For{Placed: b.placed(), Var: k, Lo: i32(0), Hi: i32(int64(r.one.N)), Step: 1, Body: body})
}

// widening starts to turn the statements of a step; x is the first lane's column, or that of the pixel at which a line of components begins.
func (r *rows) widening(x *kir.Var) *widener {
	w := r.body.widening(x, r.decided.Lanes)
	if r.run != nil {
		w.run, w.each = ref(r.run), int64(r.one.N)
	}
	return w
}

// along is a place in memory for each lane where lanes are components: those of pixels that lie side by side do so, too.
func (w *widener) along(at wideValue) wideValue {
	switch {
	case w.run == nil || w.why != "":
		return at
	case at.wide() || at.grows != w.each:
		return w.refuse("it reads or writes components that do not lie side by side")
	}
	at.e, at.grows = add(at.e, w.run), 1
	return at
}

// componentOf is the type of what is read of a pixel: of one component, where lanes are components.
func (b *body) componentOf(t types.Type) types.Type {
	if b.kernel != nil && b.kernel.rows != nil && b.kernel.rows.run != nil {
		return t.WithLanes(1)
	}
	return t
}

// ofComponent is the place of the component that is computed by itself of a pixel in memory.
func (b *body) ofComponent(offset kir.Expr) kir.Expr {
	if b.kernel != nil && b.kernel.rows != nil && b.kernel.rows.single {
		return add(offset, convert(ref(b.kernel.rows.run), types.I64))
	}
	return offset
}
