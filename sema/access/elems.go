package access

import (
	"fmt"

	"imgc/diag"
	"imgc/hast"
	"imgc/sema/prove"
)

// checkElems finds the indices into arrays that are proved to be in range. One that is outside for sure is a mistake.
func (a *analysis) checkElems(elems []*elem) {
	for _, e := range elems {
		if e.inRange != nil {
			*e.inRange = true
		}
	}
	for _, e := range elems {
		for k, index := range e.index {
			inside := a.elementIndex(e, k, index)
			if e.inRange != nil && !inside {
				*e.inRange = false
			}
		}
	}
}

func (a *analysis) elementIndex(e *elem, k int, index hast.Expr) bool {
	n := int64(e.extents[k])
	l := a.exact(index, e.scope)
	if l.IsConstant() {
		if at := l.Constant(); at < 0 || at >= n {
			d := a.diags.Errorf(diag.ElementOutside, spanOr(index.Span(), e.at), "index %d is outside of %s, which has the indices %s", at, e.text, elementRange(n))
			d.Note("an element outside reads as 0, which is hardly meant here")
			return false
		}
		return true
	}
	return a.proves(e.scope, prove.In(l, prove.K(0), prove.K(n)))
}

func elementRange(n int64) string {
	if n == 1 {
		return "0 only"
	}
	return fmt.Sprintf("0 to %d", n-1)
}
