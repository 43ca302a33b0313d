package lower

import (
	"imgc/hast"
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
	if d := r.decided; d.Lanes == 0 || d.Line > 0 || d.Block > 0 || r.common != nil {
		return
	}
	r.one = block.ByComponents(r.stage).InLanes(r.stage, r.what)
}

// leastColumns is how many columns one step takes at least.
func (r *rows) leastColumns() int64 {
	n := max(r.decided.Lanes, r.decided.Block)
	return int64((n + r.one.N - 1) / r.one.N)
}

// componentSteps is steps where lanes are components. A row may have more of these than 32 bits count, so that the loop counts steps.
func (r *rows) componentSteps(count int, from, to kir.Expr) {
	b, pixels, n := r.body, r.stage, i64(int64(r.decided.Lanes))
	x := r.column(from)
	size := convert(exactly(ops.Sub, to, from), types.I64)
	end := b.once("components", mul(size, i64(int64(r.one.N))))
	steps := b.once("steps", convert(div(add(end, i64(int64(r.decided.Lanes-1))), n), types.I32))
	step := b.loopVar("step", interval{0, hast.MaxExtent - 1})
	r.stage = r.one.Of
	r.sideBySide(step, func() *kir.Var {
		behind := mul(convert(ref(step), types.I64), n)
		r.run = b.declare("run", i64T, false, opExpr(i64T, ops.Min, []kir.Expr{behind, sub(end, n)}, true))
		return x
	}, count, i32(0), steps)
	if r.stage, r.run = pixels, nil; r.why != "" && r.trial == nil { // which a trial finds beforehand
		r.eachOf(count, r.plain)
	}
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
