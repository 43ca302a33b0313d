package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// Stages that read at divided coordinates, as in up[y][x] = down[y/2][x/2], compute blocks whose extents the divisor divides: which of
// the pixels below a block an instance reads, and what the rest of its coordinate is, is then known without knowing where the block is. So it is with all that follows from
// quotients and remainders of coordinates by such numbers (block.Phases): pixels in pairs that share others, packed bits, mosaics.

// isScaled reports whether instances of a strip know where they are in periods of their coordinates: windows lie at divided ones, or something is computed with these.
func (t *strip) isScaled() bool {
	return t.phases || slices.ContainsFunc(t.what.Windows, func(w *block.Window) bool {
		return w.Y.By()*w.X.By() > 1 && w.Y.Divides(t.item[1]) && w.X.Divides(t.item[0])
	})
}

// hasPhases reports whether an expression of the body is that of a phase of blocks.
func (t *strip) hasPhases() (found bool) {
	scope := t.phased()
	hast.WalkBody(t.stage.Body, nil, func(e hast.Expr) {
		if x, ok := e.(*hast.Op); ok && !found {
			_, inPeriods := t.inPeriods(scope, x)
			_, _, inCommon := t.inCommon(scope, x)
			found = inPeriods || inCommon || t.repeats(scope, x)
		}
	})
	return found
}

// phased is the scope for phases: whatever windows are found with, blocks start at multiples of their extents. Those of bytes in words lie at no divided coordinates.
func (t *strip) phased() *block.Scope {
	scope := t.scope()
	scope.Divided = block.Counting(t.stage)
	return scope
}

// inPeriods takes a value apart that depends on quotients or remainders of one coordinate by numbers that divide blocks; false where it is none.
func (t *strip) inPeriods(scope *block.Scope, e hast.Expr) (block.Phases, bool) {
	p, ok := scope.Phases(e)
	return p, ok && p.InPeriods() && t.divides(p.Var, len(p.At))
}

// repeats reports whether a value is the same at the same place of any block, and not at all of its places.
func (t *strip) repeats(scope *block.Scope, e hast.Expr) bool {
	list, ok := scope.Repeats(e)
	varies := slices.ContainsFunc(list, func(p block.Period) bool { return p.Var != nil })
	return ok && varies && !slices.ContainsFunc(list, func(p block.Period) bool { return p.Var != nil && !t.divides(p.Var, p.N) })
}

// divides reports whether blocks begin at multiples of n of a variable. Where the places of a block are those of components, none of them is known to be that of a column.
func (t *strip) divides(v *hast.Var, n int) bool {
	return v == t.what.X && t.item[0]%n == 0 && t.sides() == 1 || v == t.what.Y && t.item[1]%n == 0
}

// inIteration are the conditions for the instances of a block to lie in the iteration: of all columns, and of all rows where those below the last one might do harm.
func (t *strip) inIteration() (conds []kir.Expr) {
	b := t.body
	for dim, v := range [2]*hast.Var{t.what.X, t.what.Y} {
		if v != nil && !t.overhangs(dim) {
			conds = append(conds, b.op(boolType, ops.Le, b.op(i32T, ops.Add, t.first[dim], i32(int64(t.item[dim]))), t.end[dim]))
		}
	}
	return conds
}

// overhangs reports whether whole blocks may lie across the end of the iteration on an axis: rows below the last one are loaded as other rows and are not stored, so that what is computed for
// them does not matter, as long as nothing rests on where instances can be in their periods: neither reads of images or arrays that are proved to be in range, nor what is done once.
func (t *strip) overhangs(dim int) bool {
	if dim == 0 || t.what.Once || len(t.what.Direct) > 0 || slices.Contains(t.windows, nil) || !t.plain() {
		return false
	}
	safe := true
	hast.WalkBody(t.stage.Body, func(s hast.Stmt) {
		set, ok := s.(*hast.Set)
		safe = safe && !(ok && len(set.Index) > 0)
	}, func(e hast.Expr) {
		at, ok := e.(*hast.Elem)
		safe = safe && !(ok && at.InRange && slices.ContainsFunc(at.Index, func(x hast.Expr) bool { return !isNumber(x) }))
	})
	return safe
}

// plain reports whether items compute blocks of one stage by themselves, all of whose rows are loaded first.
func (t *strip) plain() bool {
	return len(t.stage.Fused) == 0 && t.what.Rows == nil && t.what.Legs == nil && t.shared == nil && t.turn == nil && t.origin == nil
}

func isNumber(e hast.Expr) bool {
	_, ok := hast.Number(e)
	return ok
}

// inBlock is a value that depends on quotients or remainders of a coordinate by numbers that divide blocks, where the instance is in a whole block; nil where it is not one.
func (b *body) inBlock(e *hast.Op) kir.Expr {
	if b.kernel == nil || b.kernel.blocks == nil || !b.kernel.blocks.fast || e.T != i32T || !b.kernel.blocks.isScaled() {
		return nil
	}
	t, scope := b.kernel.blocks, b.kernel.blocks.phased()
	if t.repeats(scope, e) {
		return t.phase(e)
	}
	if p, ok := t.inPeriods(scope, e); ok {
		below := t.below(block.Span{Stride: int(p.Step), Div: len(p.At), Periodic: true}, t.first[t.dimension(p.Var)])
		return b.op(i32T, ops.Add, below, t.phase(e))
	}
	if l, by, ok := t.inCommon(scope, e); ok {
		dim := t.dimension(l.Var)
		first := b.op(i32T, e.Op, b.op(i32T, ops.Add, t.first[dim], i32(l.Lo)), i32(by))
		if e.Op == ops.Rem || e.Op == ops.Mod {
			return b.op(i32T, ops.Add, b.once("rest", first), t.at[dim])
		}
		return b.once("part", first)
	}
	return nil
}

// inCommon takes a quotient apart that all instances of a block have in common, or what is left then, since blocks are parts of what is divided by; false where it is none.
func (t *strip) inCommon(scope *block.Scope, e *hast.Op) (l block.Linear, by int64, ok bool) {
	if len(e.Args) != 2 || !slices.Contains([]ops.Op{ops.Div, ops.FloorDiv, ops.Rem, ops.Mod}, e.Op) {
		return l, 0, false
	}
	by, known := hast.Number(e.Args[1])
	l, linear := scope.Linear(e.Args[0])
	if !known || !linear || !l.Single() || t.sides() > 1 || l.Div != 0 || l.Stride != 1 || l.Lo < 0 || !slices.Contains(scope.Divided, l.Var) || l.Var != t.what.X && l.Var != t.what.Y {
		return l, by, false
	}
	n := int64(t.item[t.dimension(l.Var)])
	return l, by, n > 1 && by > n && by%n == 0 && l.Lo%n == 0
}

// dimension is 0 of the variable along lines, and 1 of the one over them.
func (t *strip) dimension(v *hast.Var) int {
	if v == t.what.Y {
		return 1
	}
	return 0
}

// phase is a value that depends on coordinates as that of an instance of the first block: where it is in periods, it is that of the instance of any, less what it is for the
// first one of the block.
func (t *strip) phase(e hast.Expr) kir.Expr {
	b := t.body
	switch e := e.(type) {
	case *hast.Ref:
		switch let := t.what.Scope.Lets[e.Var]; {
		case e.Var == t.what.X:
			return t.at[0]
		case e.Var == t.what.Y:
			return t.at[1]
		case let != nil:
			return t.phase(let)
		}
	case *hast.Op:
		args := make([]kir.Expr, len(e.Args))
		for i, x := range e.Args {
			args[i] = t.phase(x)
		}
		return b.op(i32T, e.Op, args...)
	}
	return b.expr(e)
}
