package lower

import (
	"math/bits"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
)

// folds are the lines that a group in a row folds over where the first axis may be shorter than it: a range that the host counts anew, as the blocks of a round of a Fourier transform, is one long
// at times, where all items of a group but the first would have nothing to do. The host says how far a group goes along x: a power of two.
type folds struct {
	shift kir.Expr    // 1 << shift items of a group go along x: a host value of 64 bits, up to most
	most  int64       // a group has 1 << most items
	items [2]kir.Expr // the places of the work-item along x and y
}

// fold declares the places of work-items in folds, where a stage has them.
func (k *kernelBuilder) fold(s *hast.Stage) {
	n, size := len(s.Space.Vars), k.group(len(s.Space.Vars))
	if !k.plan.opts.GPU || n < 2 || size[1] != 1 || size[0]&(size[0]-1) != 0 || !countedAnew(s.Space.Ranges[n-1]) {
		return
	}
	f := &folds{most: int64(bits.Len(uint(size[0])) - 1)}
	count := k.count(s.Space.Ranges[n-1])
	fold := i64(0)
	for i := range f.most { // the least power of two that is not below the count
		longer := opExpr(boolType, ops.Gt, []kir.Expr{count, i64(1 << i)}, true)
		fold = &kir.Select{Typed: kir.Typed{T: fold.Type()}, Cond: longer, Then: i64(i + 1), Else: fold}
	}
	v := &kir.Var{Name: "fold", Type: fold.Type(), Const: true}
	k.plan.emit(&kir.Let{Var: v, Value: fold})
	f.shift = ref(v)
	b := k.body
	shift := k.scalar("fold", i32T, f.shift, interval.Between(0, f.most))
	part := func(op ops.Op, x, y kir.Expr) kir.Expr { return opExpr(i32T, op, []kir.Expr{x, y}, true) }
	local := &kir.LocalID{Typed: kir.Typed{T: i32T}}
	along := b.once("along", part(ops.Shl, i32(1), shift))
	group := func(dim int) kir.Expr { return &kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: dim} }
	f.items[0] = part(ops.Add, part(ops.Shl, group(0), shift), part(ops.And, local, part(ops.Sub, along, i32(1))))
	f.items[1] = part(ops.Add, part(ops.Shl, group(1), part(ops.Sub, i32(f.most), shift)), part(ops.Shr, local, shift))
	k.folds = f
}

// countedAnew reports whether the number of values of a range is one that the host changes, or is told.
func countedAnew(r hast.Range) bool {
	found := false
	for _, e := range []hast.Expr{r.Lo, r.Hi} {
		hast.Walk(e, func(e hast.Expr) {
			x, ok := e.(*hast.Ref)
			found = found || ok && slices.Contains([]hast.VarClass{hast.ScalarIn, hast.HostMutable, hast.HostLoop}, x.Var.Class)
		})
	}
	return found
}

// inFolds are the work-items of a launch, given those of each dimension of the space.
func (k *kernelBuilder) inFolds(items [3]kir.Expr) [3]kir.Expr {
	f := k.folds
	if f == nil {
		return items
	}
	shifted := func(op ops.Op, n, by kir.Expr) kir.Expr { return opExpr(n.Type(), op, []kir.Expr{n, by}, true) }
	groups := func(n, shift kir.Expr) kir.Expr { // of 1 << shift each
		return shifted(ops.Shr, add(n, sub(shifted(ops.Shl, i64(1), shift), i64(1))), shift)
	}
	lines := sub(i64(f.most), f.shift)
	return [3]kir.Expr{mul(groups(items[0], f.shift), i64(1<<f.most)), groups(items[1], lines), items[2]}
}
