package lower

import (
	"slices"
	"strings"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// byAlignment lowers a stage whose work-items share what they read, or move small integers, for images whose lines start where vectors may, and
// for all others in a kernel of its own, which moves the same components otherwise: what it needs besides would cost the first one registers.
// The library finds out which one to launch, or both, for parts of the image (moved.go).
func (k *kernelBuilder) byAlignment(s *hast.Stage, lower func(k *kernelBuilder, s *hast.Stage) *kir.Launch) []kir.Step {
	k.evenOnly = true
	k.columns = &kir.Var{Name: strings.ReplaceAll(s.Name, ".", "_") + "_columns", Type: i64T, Const: true, At: s.At}
	even := lower(k, s)
	if k.even == nil {
		return []kir.Step{even}
	}
	other := k.anywhere(s)
	if k.upTo == nil {
		return []kir.Step{&kir.IfHost{Cond: k.even, Then: []kir.Step{even}, Else: []kir.Step{lower(other, s)}}}
	}
	other.columns = k.columns
	return k.inParts(even, lower(other, s), other)
}

// anywhere starts the kernel for images whose lines start anywhere.
func (k *kernelBuilder) anywhere(s *hast.Stage) *kernelBuilder {
	other := k.plan.newKernel(s, k.decided)
	other.updates, other.fills, other.passes, other.loose = k.updates, k.fills, k.passes, true
	return other
}

// asksForAlignment reports whether a stage that stands alone has a kernel of its own for lines that start anywhere.
func asksForAlignment(what *block.Stage) bool {
	return what.Rows != nil || what.Shares() || movesByWords(what)
}

// movesByWords reports whether a stage reads or writes images of small integers, which go by words wherever their lines start.
func movesByWords(what *block.Stage) bool {
	small := func(p block.Place) bool { return p.Image.Elem.Kind.IsInt() && p.Image.Elem.Kind.Bytes() <= 2 }
	return slices.ContainsFunc(what.Windows, func(w *block.Window) bool { return small(w.Place) }) ||
		slices.ContainsFunc(what.Outputs, func(o *block.Output) bool { return small(o.Place) })
}

// loadLoose moves a row of components of an image that may start anywhere into a tile.
func (t *strip) loadLoose(w *window, r, at kir.Expr, col int, s side) {
	b := t.body
	index := []kir.Expr{r, i32(int64(col))}
	if w.packed {
		index[1] = i32(int64(col / 4))
	}
	shared := w.buf.v.Access&kir.Writes != 0 // words would have pixels in them that neighbours write
	if n := s.need[1] - s.need[0]; s.size > 0 && !shared && realigns(w.buf.elem.Kind, s.size, n) {
		b.emit(&kir.LoadRun{Placed: b.placed(), Var: w.array, Index: index, Buffer: w.buf.v, Offset: at, Count: s.size, Anywhere: true})
		return
	}
	component := func(k kir.Expr) kir.Expr {
		return &kir.Load{Typed: kir.Typed{T: types.Scalar(w.buf.elem.Kind)}, Buffer: w.buf.v, Offset: add(at, convert(k, i64T.Kind))}
	}
	if !w.packed {
		b.unrolled("i", s.need[1]-s.need[0], func(i kir.Expr) {
			i = b.op(i32T, ops.Add, i, i32(int64(s.need[0])))
			at := []kir.Expr{index[0], b.op(i32T, ops.Add, index[1], i)}
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: at, Value: component(i)})
		})
		return
	}
	for k := 0; k < s.size; k += 4 {
		bytes := [4]kir.Expr{}
		for i := range bytes {
			if k+i >= s.need[0] && k+i < s.need[1] {
				bytes[i] = component(i32(int64(k + i)))
			}
		}
		t.setWord(w, r, i32(int64((col+k)/4)), t.pack(bytes))
	}
}

// realigns reports whether a run of integers that lies anywhere is better loaded by words, of which it takes its own and the last components once
// more, than one by one, of which so many are needed.
func realigns(k types.Kind, run, needed int) bool {
	if !k.IsInt() || k.Bytes() > 2 || run*k.Bytes()%4 != 0 || run*k.Bytes() > kir.AnywhereBytes {
		return false
	}
	per := 4 / k.Bytes()
	return run/per+per-1 < needed
}

// storeLoose is the opposite, of a row of a tile from column col on.
func (t *strip) storeLoose(o *output, row, to kir.Expr, count int) {
	b := t.body
	if k := o.buf.elem.Kind; realigns(k, count, count) {
		index := []kir.Expr{row, i32(int64(o.lead))}
		if o.packed {
			index[1] = i32(int64(o.lead / 4))
		}
		b.emit(&kir.StoreRun{Placed: b.placed(), Buffer: o.buf.v, Offset: to, Var: o.array, Index: index, Count: count, Anywhere: true})
		return
	}
	b.unrolled("i", count, func(i kir.Expr) {
		value := t.component(&o.tile, row, b.op(i32T, ops.Add, i32(int64(o.lead)), i))
		b.emit(&kir.Store{Placed: b.placed(), Buffer: o.buf.v, Offset: add(to, convert(i, i64T.Kind)), Value: value})
	})
}
