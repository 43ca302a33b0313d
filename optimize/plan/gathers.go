package plan

import (
	"fmt"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
)

// Whether what is written in blocks is computed pixel by pixel.

// surelyGathered is the part of the time of a stage that writes blocks which computing pixel by pixel must save: both forms store the same, and what little is predicted between them nobody
// has measured.
const surelyGathered = 0.2

// group puts the stages of a pipeline together where that is decided, or cheaper, each that writes blocks in one of its two forms: blocks have in common what their pixels need,
// and pixels can be computed where they are read.
func group(p *hast.Pipeline, t Target, eval func(hast.Expr) int64) *grouper {
	k := t.known()
	t.Known = k // by all of these groupings
	gathered, stages := map[string]bool{}, k.made.Stages(p)
	for _, s := range stages {
		if t.decided(s).Gather == 0 {
			continue
		}
		next, why := k.made.Gather(p, s)
		p, gathered[s.Name] = next, why == ""
	}
	g := withTables(p, t, eval)
	var list []*Grouping
	for _, s := range stages {
		if d := t.decided(s); d.Place != 0 || d.Gather != 0 || t.Model.Class == archmodels.CPU { // whose rows go by pixels without phases
			continue
		}
		next, why := k.made.Gather(p, s)
		if why != "" || !fromFirstColumn(next, s.Name) {
			continue
		}
		other := withTables(next, t, eval)
		n := &Grouping{Stage: s, Gather: true, Together: other.total(), Apart: g.total()}
		if n.Taken = n.Together < n.Apart-surelyGathered*g.cost(s); n.Taken {
			p, g, gathered[s.Name] = next, other, true
		}
		list = append(list, n)
	}
	g.gathered = gathered
	for _, n := range g.list {
		n.Gathered = gathered[n.Stage.Name]
	}
	g.list = slices.Concat(list, g.list)
	return g
}

// fromFirstColumn reports whether the first instances of a stage write the first column. Where they write one behind it, blocks of them do not lie as vectors do, since phases are counted from
// the first instance: an image that is enlarged four times but for its edges (parac/upscale, to 32768 x 32768 on an H200) took 1.21 ms pixel by pixel, for which 0.41 are predicted, and 0.73 in blocks.
func fromFirstColumn(p *hast.Pipeline, name string) bool {
	first := true
	hast.WalkStages(p.Steps, func(_ []hast.Step, s *hast.Stage) {
		if s.Name == name {
			hast.EachStore(s.Body, func(st *hast.Store) {
				first = first && hast.IsVar(st.Index[len(st.Index)-1], s.Space.Vars[len(s.Space.Vars)-1])
			})
		}
	})
	return first
}

// gatherText says in which form a stage is, and why.
func (n *Grouping) gatherText() string {
	verb := "is not"
	if n.Taken {
		verb = "is"
	}
	return fmt.Sprintf("%s %s computed pixel by pixel: %.1f us so, %.1f us in blocks", n.Stage.Name, verb, n.Together*1e6, n.Apart*1e6)
}
