package cuda

import (
	"fmt"

	"imgc/emit/ctree"
	"imgc/kir"
)

// field is a component of a built-in variable.
func field(variable string, dim int) ctree.Expr {
	return ctree.Dot(ctree.Name(variable), "xyz"[dim:dim+1])
}

func asInt(x ctree.Expr) ctree.Expr { return &ctree.Cast{Type: ctree.Base("int"), X: x} }

// block is a block's index in the grid. CUDA has at most 65535 blocks in all dimensions but the first: where a kernel has no third
// one, the host lets it count on in the second.
func block(k *kir.Kernel, dim int) ctree.Expr {
	own := field("blockIdx", dim)
	if dim != 1 || k == nil || usesDim(k, 2) {
		return own
	}
	return ctree.Op2("+", ctree.Op2("*", field("blockIdx", 2), field("gridDim", 1)), own)
}

// usesDim reports whether a kernel asks for its place in a dimension.
func usesDim(k *kir.Kernel, dim int) bool {
	found := k.Group[dim] > 1
	kir.WalkStmts(k.Body, nil, func(e kir.Expr) {
		switch e := e.(type) {
		case *kir.GlobalID:
			found = found || e.Dim == dim
		case *kir.GroupID:
			found = found || e.Dim == dim
		}
	})
	return found
}

// globalID is a thread's index in the grid. Where the block is known, so is its size.
func globalID(k *kir.Kernel, dim int) ctree.Expr {
	size := field("blockDim", dim)
	if k != nil {
		size = ctree.Lit(fmt.Sprint(k.Group[dim]))
	}
	if k != nil && k.Group[dim] == 1 {
		return asInt(block(k, dim))
	}
	return asInt(ctree.Op2("+", ctree.Op2("*", block(k, dim), size), field("threadIdx", dim)))
}
