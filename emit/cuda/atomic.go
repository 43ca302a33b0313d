package cuda

import (
	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/ops"
	"imgc/types"
)

type atomicForm = func(u *clike.Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr

var (
	atomicNames = map[ops.Op]string{
		ops.Add: "Add", ops.Sub: "Sub", ops.Mul: "Mul", ops.Min: "Min", ops.Max: "Max", ops.And: "And", ops.Or: "Or", ops.Xor: "Xor",
	}
	supportWords = map[ops.Op]string{
		ops.Add: "add", ops.Sub: "sub", ops.Mul: "mul", ops.Min: "min", ops.Max: "max", ops.And: "and", ops.Or: "or", ops.Xor: "xor",
	}
	// hasAtomic lists the updates that CUDA has a function for from compute capability 3.5 on.
	hasAtomic = map[types.Kind]map[ops.Op]bool{
		types.I32: {ops.Add: true, ops.Sub: true, ops.Min: true, ops.Max: true, ops.And: true, ops.Or: true, ops.Xor: true},
		types.U32: {ops.Add: true, ops.Sub: true, ops.Min: true, ops.Max: true, ops.And: true, ops.Or: true, ops.Xor: true},
		types.I64: {ops.Min: true, ops.Max: true},
		types.U64: {ops.Add: true, ops.Min: true, ops.Max: true, ops.And: true, ops.Or: true, ops.Xor: true},
		types.F32: {ops.Add: true},
	}
)

// atomic updates one component by CUDA's function, else by one in support.
func atomic(u *clike.Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr {
	if hasAtomic[k][op] {
		return ctree.CallTo("atomic"+atomicNames[op], place, value)
	}
	return ctree.CallTo(u.Use("imgc_atomic_"+supportWords[op]+"_"+k.String()), place, value)
}

// strictAtomic does without atomicAdd of float, which takes subnormal numbers in global memory for zeros.
func strictAtomic(u *clike.Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr {
	if k == types.F32 && op == ops.Add {
		return ctree.CallTo(u.Use("imgc_atomic_add_f32"), place, value)
	}
	return atomic(u, op, k, place, value)
}

// What a lock guards is accessed past the caches that blocks have for themselves.

func sharedLoad(u *clike.Unit, _ types.Kind, place ctree.Expr) ctree.Expr {
	return ctree.CallTo(u.Use("imgc_shared_load"), place)
}

func sharedStore(u *clike.Unit, _ types.Kind, place, value ctree.Expr) ctree.Expr {
	return ctree.CallTo(u.Use("imgc_shared_store"), place, value)
}
