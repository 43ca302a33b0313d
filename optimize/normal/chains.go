package normal

import (
	"imgc/hast"
	"imgc/hast/accumulate"
	"imgc/optimize/block"
)

// mostLinks is how many points of a loop are written out that adds to what a variable begins with.
const mostLinks = 25

// chained is a list of statements in which loops that add up from something else than 0 on, as from the bias of a layer, are written out, point by point: in this order, which sums would
// change, so that all later phases see that each point reads at a place of its own. Loops over planes are left, which items take plane by plane.
func chained(list []hast.Stmt) (out []hast.Stmt) {
	for _, s := range list {
		if links := linksOf(s); links != nil {
			out = append(out, links...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// linksOf are the rounds of a statement that is such a loop; nil where it is none.
func linksOf(s hast.Stmt) (out []hast.Stmt) {
	loop, ok := s.(*hast.For)
	if !ok || block.OverPlanes(s) {
		return nil
	}
	space, body := accumulate.Nest(loop)
	points, known := block.Points(space, mostLinks)
	if !known || len(added(body, space, false)) == 0 {
		return nil
	}
	for _, p := range points {
		out = append(out, round(body, space.Vars, p)...)
	}
	return out
}
