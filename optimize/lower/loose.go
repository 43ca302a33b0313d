package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// byAlignment lowers a stage whose work-items share what they read, for images whose lines start where vectors may, and for all others in a
// kernel of its own, which moves the same components one by one: what it needs besides would cost the first one registers. The
// library finds out which one to launch.
func (k *kernelBuilder) byAlignment(s *hast.Stage, lower func(k *kernelBuilder, s *hast.Stage) *kir.Launch) kir.Step {
	k.evenOnly = true
	even := lower(k, s)
	if k.even == nil {
		return even
	}
	other := k.plan.newKernel(s, k.decided)
	other.shared, other.wide, other.loose = k.shared, k.wide, true
	return &kir.IfHost{Cond: k.even, Then: []kir.Step{even}, Else: []kir.Step{lower(other, s)}}
}

// loadLoose moves a run of components of an image that may start anywhere into a tile.
func (t *strip) loadLoose(w *window, index []kir.Expr, from kir.Expr, count int) {
	b := t.body
	component := func(k kir.Expr) kir.Expr {
		return &kir.Load{Typed: kir.Typed{T: types.Scalar(w.buf.elem.Kind)}, Buffer: w.buf.v, Offset: add(from, convert(k, i64T.Kind))}
	}
	if !w.packed {
		b.unrolled("i", count, func(i kir.Expr) {
			at := []kir.Expr{index[0], b.op(i32T, ops.Add, index[1], i)}
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: at, Value: component(i)})
		})
		return
	}
	b.unrolled("i", count/4, func(i kir.Expr) {
		var bytes [4]kir.Expr
		for k := range bytes {
			bytes[k] = component(b.op(i32T, ops.Add, b.op(i32T, ops.Mul, i, i32(4)), i32(int64(k))))
		}
		t.setWord(w, index[0], b.op(i32T, ops.Add, index[1], i), t.pack(bytes))
	})
}

// storeLoose is the opposite, of a row of a tile from column col on.
func (t *strip) storeLoose(o *output, row, to kir.Expr, col int) {
	b := t.body
	b.unrolled("i", o.chunk, func(i kir.Expr) {
		value := t.component(&o.tile, row, b.op(i32T, ops.Add, i32(int64(col)), i))
		b.emit(&kir.Store{Placed: b.placed(), Buffer: o.buf.v, Offset: add(to, convert(i, i64T.Kind)), Value: value})
	})
}
