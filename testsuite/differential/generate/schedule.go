package generate

import (
	"fmt"
	"strings"
)

// label gives a stage of a pipeline a name for its schedule, and decides some of how it is mapped to a device.
func (g *generator) label(rank int, where string) string {
	if where != "" || !g.chance(25) || g.inKernel {
		return ""
	}
	name := g.name("stage")
	var items []string
	w, h := 1, 1
	if g.chance(60) {
		w, h = pick(g, []int{1, 2, 3, 4}), pick(g, []int{1, 2, 3})
		items = append(items, g.extents("item", rank, w, h))
	}
	if g.chance(60) {
		items = append(items, g.extents("tile", rank, w*pick(g, []int{1, 4, 8, 16}), h*pick(g, []int{1, 2, 4})))
	}
	if g.chance(40) {
		items = append(items, fmt.Sprintf("vector(%d)", pick(g, []int{1, 2, 4, 8, 16})))
	}
	if len(items) == 0 || g.chance(30) {
		items = append(items, fmt.Sprintf("unroll(%d)", pick(g, []int{1, 2, 4, 30})))
	}
	g.scheduled = append(g.scheduled, fmt.Sprintf("    %s: %s;\n", name, strings.Join(items, " ")))
	return name + ": "
}

// extents is a decision of one number for stages of one variable, else of two.
func (g *generator) extents(word string, rank, w, h int) string {
	if rank == 1 {
		return fmt.Sprintf("%s(%d)", word, w)
	}
	return fmt.Sprintf("%s(%d, %d)", word, w, h)
}

// schedule is the declaration of all decisions.
func (g *generator) schedule(pipeline string) string {
	if len(g.scheduled) == 0 {
		return ""
	}
	return fmt.Sprintf("schedule %s {\n%s}\n", pipeline, strings.Join(g.scheduled, ""))
}
