package cuda

import (
	"fmt"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
)

// field is a component of a built-in variable.
func field(variable string, dim int) ctree.Expr {
	return ctree.Dot(ctree.Name(variable), "xyz"[dim:dim+1])
}

func asInt(x ctree.Expr) ctree.Expr { return &ctree.Cast{Type: ctree.Base("int"), X: x} }

// First is the last parameter of kernels that may be launched in parts, and FirstType its type: the place of a part's first block, in the second
// and the third dimension.
const (
	First     = ctree.HelperPrefix + "first"
	FirstType = "int2"
)

// grid says what the host does where there are more blocks than a grid may have: 65535 in all dimensions but the first. Where that has several
// threads, those beyond the last row do nothing, so that the third dimension may stand for the rest of the second one, and a few blocks more. A kernel
// of which blocks count those of the grid has to be one launch.
func grid(k *kir.Kernel) clike.Grid {
	switch deep := usesDim(k, 2); {
	case !deep && k.Group[1] > 1:
		return clike.CountsOn
	case (deep || usesDim(k, 1)) && !countsBlocks(k):
		return clike.InParts
	}
	return clike.OneLaunch
}

// countsBlocks reports whether blocks find out which is the last one.
func countsBlocks(k *kir.Kernel) (found bool) {
	kir.WalkStmts(k.Body, func(s kir.Stmt) {
		switch s.(type) {
		case *kir.LastGroup, *kir.LastSum, *kir.LastWaits, *kir.Leave:
			found = true
		}
	}, nil)
	return found
}

// block is a block's index among all of a launch.
func block(k *kir.Kernel, dim int) ctree.Expr {
	own := field("blockIdx", dim)
	switch how := grid(k); {
	case how == clike.InParts && dim > 0:
		return ctree.Op2("+", ctree.Dot(ctree.Name(First), "xy"[dim-1:dim]), own)
	case how == clike.CountsOn && dim == 1:
		return ctree.Op2("+", ctree.Op2("*", field("blockIdx", 2), field("gridDim", 1)), own)
	}
	return own
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

// globalID is a thread's index among all of a launch.
func globalID(k *kir.Kernel, dim int) ctree.Expr {
	if k.Group[dim] == 1 {
		return asInt(block(k, dim))
	}
	size := ctree.Lit(fmt.Sprint(k.Group[dim]))
	return asInt(ctree.Op2("+", ctree.Op2("*", block(k, dim), size), field("threadIdx", dim)))
}
