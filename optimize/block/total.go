package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// Updates of one pixel by all instances of a stage, as of a residual's largest term, would all meet in memory. Work-items that compute several instances
// can make them in variables of their own, and update the pixel once by what these come to: a total.
//
// A bool that a stage does no more to than |=, or than &=, is a flag: who changes it stores what all others who do would store, so that no update has to be
// atomic.

// Total reports whether a store is an update of one pixel by all instances of a stage, which work-items may make in variables of their own: constants say
// which pixel that is, it is there, and nothing else happens to the image. Of floats, sums made so are rounded in another order.
func Total(s *hast.Stage, st *hast.Store) bool {
	op, only := s.OnlyUpdate(st.Image.Base())
	joins := op != ops.Mul && op != ops.Ne // what some instances make of a pixel and what others do
	elsewhere := varies
	if op == ops.LOr || op == ops.LAnd { // what no instance sets is not touched, so that a place of the host need not be one of the image
		elsewhere = func(e hast.Expr) bool { return varies(e) && !ofHost(e) }
	}
	return only && joins && s.Scan == nil && !st.Alone && !st.Skip && !slices.ContainsFunc(st.Index, elsewhere) && fixed(st.Image)
}

// ofHost reports whether a place is a variable of the host.
func ofHost(e hast.Expr) bool {
	r, ok := e.(*hast.Ref)
	return ok && r.Var.Class.OfHost()
}

// Flag reports whether all that a stage does to an image, one with storage of its own, is to set its bools to one and the same value.
func Flag(s *hast.Stage, m *hast.Image) bool {
	op, only := s.OnlyUpdate(m)
	return only && (op == ops.LOr || op == ops.LAnd)
}

// fixed reports whether constants say where a view lies in the image with its storage.
func fixed(m *hast.Image) bool {
	return m.View == nil || fixed(m.View.Of) && !slices.ContainsFunc(m.View.Axes, func(a hast.ViewAxis) bool { return varies(a.First) })
}

func varies(e hast.Expr) bool {
	_, known := hast.Number(e)
	return !known
}
