package opencl

import (
	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

var atomicNames = map[ops.Op]string{
	ops.Add: "add", ops.Sub: "sub", ops.Mul: "mul", ops.Min: "min", ops.Max: "max", ops.And: "and", ops.Or: "or", ops.Xor: "xor",
}

// atomic updates one component. OpenCL has all but products for integers of 32 bits, and with the extension that compares and swaps
// 64 bits sums of those; the rest are loops around a compare-and-swap.
func atomic(u *clike.Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr {
	name := atomicNames[op]
	if (k == types.I32 || k == types.U32) && op != ops.Mul {
		return ctree.CallTo("atomic_"+name, place, value)
	}
	if (k == types.I64 || k == types.U64) && (op == ops.Add || op == ops.Sub) {
		return ctree.CallTo("atom_"+name, place, value)
	}
	return ctree.CallTo(u.Use("imgc_atomic_"+name+"_"+k.String()), place, value)
}

// quickAtomic adds floats to pixels in one instruction where the device has it, which takes subnormal numbers for zeros.
func quickAtomic(u *clike.Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr {
	if k == types.F32 && op == ops.Add {
		return ctree.CallTo(u.Use("imgc_quick_add_f32"), place, value)
	}
	return atomic(u, op, k, place, value)
}

// usesInt64Atomics reports whether a kernel updates components of 64 bits.
func usesInt64Atomics(p *kir.Program) bool {
	uses := false
	for _, k := range p.Kernels {
		kir.WalkStmts(k.Body, func(s kir.Stmt) {
			switch s := s.(type) {
			case *kir.Atomic:
				uses = uses || s.Buffer.Type.Kind.Bits() == 64
			case *kir.LastSum:
				uses = true
			}
		}, nil)
	}
	return uses
}

// What a lock guards is accessed by atomic functions, too, since no other access of OpenCL 1.2 sees what another work-group has
// written.

func sharedLoad(u *clike.Unit, k types.Kind, place ctree.Expr) ctree.Expr {
	return ctree.CallTo(u.Use("imgc_shared_load_"+k.String()), place)
}

func sharedStore(u *clike.Unit, k types.Kind, place, value ctree.Expr) ctree.Expr {
	return ctree.CallTo(u.Use("imgc_shared_store_"+k.String()), place, value)
}

func sharedAtomic(u *clike.Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr {
	return ctree.CallTo(u.Use("imgc_shared_"+atomicNames[op]+"_"+k.String()), place, value)
}
