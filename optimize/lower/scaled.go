package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// Stages that read at divided coordinates, as in up[y][x] = down[y/2][x/2], compute blocks whose extents the divisor divides: which of
// the pixels below a block an instance reads, and what the rest of its coordinate is, is then known without knowing where the block is.

// isScaled reports whether windows of a strip lie at divided coordinates.
func (t *strip) isScaled() bool {
	return slices.ContainsFunc(t.what.Windows, func(w *block.Window) bool {
		return w.Y.By()*w.X.By() > 1 && w.Y.Divides(t.item[1]) && w.X.Divides(t.item[0])
	})
}

// inIteration are the conditions for all instances of a block to lie in the iteration.
func (t *strip) inIteration() (conds []kir.Expr) {
	b := t.body
	for dim, v := range [2]*hast.Var{t.what.X, t.what.Y} {
		if v != nil {
			conds = append(conds, b.op(boolType, ops.Le, b.op(i32T, ops.Add, t.first[dim], i32(int64(t.item[dim]))), t.end[dim]))
		}
	}
	return conds
}

// inBlock is the quotient or the rest of a coordinate by a number that divides blocks; nil where it is not one.
func (b *body) inBlock(e *hast.Op) kir.Expr {
	if b.kernel == nil || b.kernel.blocks == nil || !b.kernel.blocks.scaled || !b.kernel.blocks.fast || len(e.Args) != 2 || e.T != i32T {
		return nil
	}
	t := b.kernel.blocks
	by, ok := hast.Number(e.Args[1])
	rest := false
	switch e.Op {
	case ops.Div, ops.FloorDiv:
	case ops.Rem, ops.Mod:
		rest = true
	default:
		return nil
	}
	l, linear := t.scope().Linear(e.Args[0])
	if !ok || !linear || by < 1 || l.Div != 0 || !l.Single() || l.Lo < 0 || l.Stride < 1 || !slices.Contains(t.what.Scope.Divided, l.Var) {
		return nil
	}
	dim := 0
	if l.Var == t.what.Y {
		dim = 1
	}
	if l.Var != t.what.X && l.Var != t.what.Y || l.Stride*int64(t.item[dim])%by != 0 {
		return nil
	}
	at := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, t.at[dim], i32(l.Stride)), i32(l.Lo))
	if rest {
		return b.op(i32T, ops.Rem, at, i32(by))
	}
	below := t.below(block.Span{Stride: int(l.Stride), Div: int(by)}, t.first[dim])
	return b.op(i32T, ops.Add, below, b.op(i32T, ops.Div, at, i32(by)))
}
