package interp

import "imgc/hast"

// nodes is how much code an expression makes, roughly.
func nodes(e hast.Expr) (n int) {
	hast.Walk(e, func(e hast.Expr) {
		if w, ok := e.(*hast.Window); ok {
			n += w.T.Words()
		} else {
			n++
		}
	})
	return n
}
