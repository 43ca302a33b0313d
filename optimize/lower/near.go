package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
)

// What is said of a stage may hold of instances that are near alone (hast.Near), as that floats are quotients of integers. A block is whole, then, where all of its
// instances are, and the code for whole blocks has no other choice; that for others does what the program says, and reads pixel by pixel.

// mayBeFar reports whether blocks have to be near to be whole.
func (t *strip) mayBeFar() bool { return len(t.what.Scope.Near) > 0 }

// near are the conditions for all instances of a block to be near.
func (t *strip) near() (conds []kir.Expr) {
	b := t.body
	for dim, v := range [2]*hast.Var{t.what.X, t.what.Y} {
		if below, known := t.what.Scope.Near[v]; known && v != nil {
			conds = append(conds, b.op(boolType, ops.Le, t.first[dim], i32(below-int64(t.item[dim]))))
		}
	}
	return conds
}

// isNear reports whether a choice is between what instances of the block at hand, which is whole, do near and what no instance of it does.
func (b *body) isNear(e *hast.Select) bool {
	if b.kernel == nil || b.kernel.blocks == nil || !b.kernel.blocks.fast {
		return false
	}
	v, below, ok := e.IsNear()
	return ok && b.kernel.blocks.what.Scope.IsNear(v, below)
}
