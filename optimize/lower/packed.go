package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// refusePacked says why a stage cannot be computed in halves of words, as the end of a sentence; "" where it can: some value of bytes
// has to fit.
func refusePacked(s *hast.Stage, what *block.Stage, d schedule.Decisions) string {
	switch {
	case d.Flat != 0:
		return "packed16 is for rows, and flat makes one line of them"
	case d.Vector < 4 || !slices.ContainsFunc(what.Windows, func(w *block.Window) bool { return packs(w, d.Item[0]) }):
		return "packed16 is for bytes that neighbouring instances read, in work-items of a multiple of 4 columns"
	case !alike(s, what, d.Item[0]):
		return "packed16 is for instances that do nothing but compute scalars and store each to its own pixel"
	}
	c := census{Combiner: block.Combiner{Stage: what, Unroll: d.Unroll, Lets: map[*hast.Var]*block.Combination{}}}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			c.Lets[st.Var] = c.value(st.Init)
		case *hast.Store:
			c.value(st.Value)
		}
	}
	switch {
	case c.fit:
		return ""
	case c.widest.hi > c.widest.lo:
		return fmt.Sprintf("packed16 is for values that 16 bits hold, and its sums reach from %d to %d", c.widest.lo, c.widest.hi)
	}
	return "packed16 is for sums, differences and extremes of bytes, which it has not"
}

// A census looks at the combinations of bytes that a body computes.
type census struct {
	block.Combiner
	fit    bool
	widest interval // of those that do not fit
}

// value looks at an expression and what is in it.
func (c *census) value(e hast.Expr) *block.Combination {
	if found := c.Of(e); found != nil {
		iv := bounds(found)
		switch {
		case len(found.Taps) == 0:
		case holds(iv):
			c.fit = true
		case iv.hi-iv.lo > c.widest.hi-c.widest.lo:
			c.widest = iv
		}
		return found
	}
	if r, ok := e.(*hast.Reduce); ok {
		if points, ok := block.Points(r.Space, c.Unroll); ok && len(points) > 0 {
			c.Bind(r.Space.Vars, points[0])
		}
	}
	for _, x := range hast.Operands(e) {
		c.value(x)
	}
	return nil
}
