package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Extremes of bytes that lie in words. Of two halves of words the one with the greater upper byte is the greater one, whatever lies below, so that the extreme of the halves of words as they are has that of every second
// byte in its upper ones, and the extreme of the same words moved up by a byte that of the others: nothing is taken out of words before the end.

// halfExtremes are the extreme halves of words, and those of the same words moved up by a byte.
type halfExtremes struct{ upper, lower kir.Expr }

// extremeOps are the operators by which reductions find extremes.
var extremeOps = map[hast.ReduceOp]ops.Op{hast.Min: ops.Min, hast.ArgMin: ops.Min, hast.Max: ops.Max, hast.ArgMax: ops.Max}

// shareExtremes finds the least or the greatest byte of blocks that lie in words by their halves where it can, and takes the points of others as they are taken otherwise.
func (b *body) shareExtremes(e *hast.Reduce, otherwise *sharer) *sharer {
	if b.kernel.decided.Packed16 == 0 || e.Op != hast.Min && e.Op != hast.Max {
		return otherwise
	}
	x := *otherwise
	var have [2]*kir.Var
	var some *kir.Var // a block has been taken; nil where what is there before is the result of none
	words := false    // of the block at hand
	x.begin = func() {
		otherwise.begin()
		for i := range have {
			have[i] = b.declare("halves", u32T, true, noHalves(e.Op))
		}
		if e.T.Kind != types.U8 {
			some = b.declare("some", boolType, true, zero(boolType))
		}
	}
	x.before = func(p atHand) {
		found := b.blockHalves(e, &halfExtremes{ref(have[0]), ref(have[1])})
		if words = found != nil; !words {
			otherwise.before(p)
			return
		}
		for i, value := range []kir.Expr{found.upper, found.lower} {
			b.emit(&kir.Assign{Placed: b.placed(), Var: have[i], Value: value})
		}
		if some != nil {
			b.emit(&kir.Assign{Placed: b.placed(), Var: some, Value: intConst(types.Bool, 1)})
		}
	}
	x.point = func(place kir.Expr) {
		if !words {
			otherwise.point(place)
		}
	}
	x.after = func() {
		if !words {
			otherwise.after()
		}
	}
	x.join = func() kir.Expr {
		take := func() { otherwise.step(b.extremeByte(e, &halfExtremes{ref(have[0]), ref(have[1])})) }
		if some == nil {
			take()
		} else {
			b.when(ref(some), take)
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
	p, ok := t.combiner().Extreme(e, width)
	if !ok {
		return nil
	}
	op, u := extremeOps[e.Op], 0
	if before == nil {
		word := t.fourAt(p, 0)
		before, u = &halfExtremes{word, b.upByByte(word)}, 4
	}
	out := *before
	for ; u < width; u += 4 {
		word := t.fourAt(p, u)
		out.upper, out.lower = halvesOf(op, out.upper, word), halvesOf(op, out.lower, b.upByByte(word))
	}
	return &out
}

// upByByte is a word moved up by a byte.
func (b *body) upByByte(word kir.Expr) kir.Expr { return b.op(u32T, ops.Shl, word, i32(8)) }

// extremeByte is the extreme of the bytes that halves are of, in the type of what a reduction compares.
func (b *body) extremeByte(e *hast.Reduce, have *halfExtremes) kir.Expr {
	op := extremeOps[e.Op]
	both := b.once("both", halvesOf(op, have.upper, have.lower))
	byteAt := func(bits int64) kir.Expr {
		return b.convert(u8T, b.op(u32T, ops.And, b.op(u32T, ops.Shr, both, i32(bits)), uconst(255)), kir.Wrap)
	}
	return b.once("extreme", b.convert(e.Elem.Type(), b.op(u8T, op, byteAt(24), byteAt(8)), kir.Wrap))
}
