package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Extremes of bytes that lie in words. Of two halves of words the one with the greater upper byte is the greater one, whatever lies below, so that the extreme of the halves of words as they are has that of every second
// byte in its upper ones, and the extreme of the same words moved up by a byte that of the others: nothing is taken out of words before the end.

// halfExtremes are the extreme halves of words, and those of the same words moved up by a byte. What is compared is the byte and a number.
type halfExtremes struct {
	upper, lower kir.Expr
	plus         int64
}

// extremeOps are the operators by which reductions find extremes.
var extremeOps = map[hast.ReduceOp]ops.Op{hast.Min: ops.Min, hast.ArgMin: ops.Min, hast.Max: ops.Max, hast.ArgMax: ops.Max}

// shareExtremes finds the least or the greatest byte of blocks that lie in words by their halves where it can, and takes the points of others as they are taken otherwise.
func (b *body) shareExtremes(e *hast.Reduce, otherwise *sharer) *sharer {
	if b.kernel.decided.Packed16 == 0 || e.Op != hast.Min && e.Op != hast.Max {
		return otherwise
	}
	x := *otherwise
	var upper, lower, some *kir.Var // some is whether a block has been taken
	var found, any *halfExtremes    // of the block at hand, and of some block; nil for none
	x.begin = func() {
		otherwise.begin()
		upper, lower = b.declare("upper", u32T, true, noHalves(e.Op)), b.declare("lower", u32T, true, noHalves(e.Op))
		some = b.declare("some", boolType, true, zero(boolType))
	}
	x.before = func(p atHand) {
		if found = b.blockHalves(e, &halfExtremes{upper: ref(upper), lower: ref(lower)}); found == nil {
			otherwise.before(p)
			return
		}
		any = found
		set := func(v *kir.Var, value kir.Expr) { b.emit(&kir.Assign{Placed: b.placed(), Var: v, Value: value}) }
		set(upper, found.upper)
		set(lower, found.lower)
		set(some, intConst(types.Bool, 1))
	}
	x.point = func(place kir.Expr) {
		if found == nil {
			otherwise.point(place)
		}
	}
	x.after = func() {
		if found == nil {
			otherwise.after()
		}
	}
	x.join = func() kir.Expr {
		if any != nil {
			b.when(ref(some), func() {
				otherwise.step(b.extremeOf(e, &halfExtremes{ref(upper), ref(lower), any.plus}))
			})
		}
		return otherwise.join()
	}
	return &x
}

// noHalves is the extreme of no halves.
func noHalves(op hast.ReduceOp) kir.Expr {
	if extremeOps[op] == ops.Min {
		return uconst(0xffffffff)
	}
	return uconst(0)
}

// blockHalves are the extreme halves of the words of a block, and of those that there are before, nil for none; nil where it reads something else.
func (b *body) blockHalves(e *hast.Reduce, before *halfExtremes) *halfExtremes {
	t, width := b.kernel.blocks, b.kernel.team.width
	if t == nil || b.kernel.decided.Packed16 == 0 {
		return nil
	}
	of := t.combiner().Extreme(e, width)
	if of == nil {
		return nil
	}
	op, out := extremeOps[e.Op], before
	for u := 0; u < width; u += block.PerWord {
		word := t.fourAt(of.At, u)
		if of.Falls { // 255 less each byte
			word = b.op(u32T, ops.BitNot, word)
		}
		moved := b.op(u32T, ops.Shl, word, i32(8))
		if out == nil {
			out = &halfExtremes{upper: word, lower: moved}
		} else {
			out = &halfExtremes{upper: halvesOf(op, out.upper, word), lower: halvesOf(op, out.lower, moved)}
		}
	}
	if out.plus = of.Plus; of.Falls {
		out.plus -= 255
	}
	return out
}

// extremeOf is the extreme of what a reduction compares that halves are of.
func (b *body) extremeOf(e *hast.Reduce, have *halfExtremes) kir.Expr {
	op := extremeOps[e.Op]
	both := b.once("both", halvesOf(op, have.upper, have.lower))
	byteAt := func(bits int64) kir.Expr {
		return b.convert(i32T, b.op(u32T, ops.And, b.op(u32T, ops.Shr, both, i32(bits)), uconst(255)), kir.Wrap)
	}
	value := b.op(i32T, ops.Add, b.op(i32T, op, byteAt(24), byteAt(8)), i32(have.plus))
	return b.once("extreme", b.convert(e.Elem.Type(), value, kir.Wrap))
}
