package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// Pixels beside the end of an axis that a border by formula makes of pixels within reach of that end, which a block there holds: no function looks at the image for them. They are computed
// under a condition, since few blocks have them.

// formula is the n-th pixel outside, as a formula makes it of those inside.
func (b *body) formula(e *block.End, n int, inside func(at int) kir.Expr) kir.Expr {
	value := hast.Map(e.Frames[n].Value, func(x hast.Expr) hast.Expr {
		load, ok := x.(*hast.Load)
		if !ok {
			return nil
		}
		at, _ := e.At(load)
		v := &hast.Var{Name: "inside", Type: load.T, Class: hast.Value, At: load.At}
		b.vars[v] = inside(at)
		return &hast.Ref{Typed: load.Typed, Var: v}
	})
	return b.expr(value)
}

// endOf is what a formula says of the pixels that a window reads left or right of the image; nil where it has no such form.
func (w *window) endOf(n int, right bool) *block.End {
	_, pixel, _ := block.Axes(w.Image)
	return block.EndOf(w.value, pixel, right, n)
}

// endByFormula has the n positions outside of the image on the left or the right be what a formula says, in row r, if they are there.
func (t *strip) endByFormula(w *window, r, outside kir.Expr, n int, right bool) {
	b, e := t.body, w.endOf(n, right)
	col := func(at int) int { // a pixel inside, so far from the end
		if right {
			at = w.width - 1 - at
		}
		return w.lead.size + at
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: outside, Then: b.inside(false, func() {
		values := map[int]kir.Expr{}
		for k := range n {
			x := b.formula(e, k, func(at int) kir.Expr { return t.component(&w.tile, r, i32(int64(col(at)))) })
			values[col(-1-k)] = b.once("outside", x)
		}
		t.setComponents(w, r, values)
	})})
}

// setComponents changes components of a row of a window.
func (t *strip) setComponents(w *window, r kir.Expr, values map[int]kir.Expr) {
	b := t.body
	for col := range w.cols {
		x, changed := values[col]
		switch {
		case changed && !w.packed:
			b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: []kir.Expr{r, i32(int64(col))}, Value: x})
		case changed && (col%block.PerWord == 0 || values[col-1] == nil): // once for each word
			var bytes [block.PerWord]kir.Expr
			first := col - col%block.PerWord
			for i := range bytes {
				if bytes[i] = values[first+i]; bytes[i] == nil {
					bytes[i] = t.byteAt(&w.tile, r, i32(int64(first+i)))
				}
			}
			t.setWord(w, r, i32(int64(first/block.PerWord)), t.pack(bytes))
		}
	}
}

// rowByFormula has row to of a tile be the n-th one outside, as a formula makes it of rows inside, if cond holds.
func (f *fusion) rowByFormula(w *window, e *block.End, n int, to, cond kir.Expr, rowAt func(at int) kir.Expr) {
	b := f.body
	pixel := func(col kir.Expr) kir.Expr {
		return b.once("outside", b.formula(e, n, func(at int) kir.Expr { return f.component(&w.tile, rowAt(at), col) }))
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: b.inside(false, func() {
		if !w.packed {
			b.unrolled("u", w.cols, func(u kir.Expr) {
				b.emit(&kir.Assign{Placed: b.placed(), Var: w.array, Index: []kir.Expr{to, u}, Value: pixel(u)})
			})
			return
		}
		b.unrolled("u", w.cols/block.PerWord, func(u kir.Expr) {
			var bytes [block.PerWord]kir.Expr
			for i := range bytes {
				bytes[i] = pixel(b.op(i32T, ops.Add, b.op(i32T, ops.Mul, u, i32(block.PerWord)), i32(int64(i))))
			}
			f.setWord(w, to, u, f.pack(bytes))
		})
	})})
}
