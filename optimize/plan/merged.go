package plan

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
)

// Whether stages that sum windows, each by itself as a box filter that is called for many images, are one with the stage that reads a pixel of each. Pixels that several of them sum are loaded once then, and
// products of these are made where they are summed: of the 13 means of a guided filter with a guide of three colours nine are of products.

// A summing is a stage that reads what several others sum, its own pixel of each.
type summing struct {
	reader *hast.Stage
	sums   []*hast.Stage
}

// fewSums is how many such stages are worth looking at: planning takes longer for all of these ways.
const fewSums = 2

// summings are those of a pipeline, of stages of which nothing is decided.
func (t Target) summings(p *hast.Pipeline) (list []*summing) {
	k := t.known()
	groups := k.made.Of(p)
	free := func(s *hast.Stage) bool { return t.decided(s) == schedule.Decisions{} }
	sums := func(s *hast.Stage) bool {
		_, parts := k.made.Separate(p, s, schedule.RowsFirst)
		return len(parts) > 0 && !sumsBytes(parts)
	}
	for _, s := range groups.Stages() {
		_, into := groups.Into(s)
		if len(into) != 1 || !free(s) || !free(into[0]) || !fuse.OnceEach(into[0], s) || !sums(s) || sums(into[0]) {
			continue
		}
		at := slices.IndexFunc(list, func(x *summing) bool { return x.reader == into[0] })
		if at < 0 {
			at, list = len(list), append(list, &summing{reader: into[0]})
		}
		list[at].sums = append(list[at].sums, s)
	}
	return slices.DeleteFunc(list, func(x *summing) bool { return len(x.sums) < fewSums })
}

// mergeSums puts such stages, and products that these alone sum, into those that read them: from the last one up, as schedules have it.
func (g *grouper) mergeSums() {
	into, merged := map[string]string{}, map[string]string{} // the readers of sums, and of what has been merged
	for _, x := range g.target.summings(g.pipeline) {
		for _, s := range x.sums {
			into[s.Name] = x.reader.Name
		}
		merged[x.reader.Name] = x.reader.Name
	}
	for _, s := range slices.Backward(g.made.Stages(g.pipeline)) {
		reader := into[s.Name]
		if reader == "" && isProduct(s) && (g.target.decided(s) == schedule.Decisions{}) {
			reader = g.readBy(s, merged)
		}
		if reader != "" && g.merge(s, reader) {
			merged[s.Name] = reader
		}
	}
}

// readBy is what has what a stage writes alone, of some stages by what they are a part of; "" where others read it, too.
func (g *grouper) readBy(s *hast.Stage, merged map[string]string) (reader string) {
	groups := g.made.Of(g.pipeline)
	_, into := groups.Into(groups.Named(s.Name))
	for _, r := range into {
		if reader = merged[r.Name]; reader == "" {
			return ""
		}
	}
	return reader
}

// merge inlines a stage, and reports whether it could.
func (g *grouper) merge(s *hast.Stage, into string) bool {
	next, why := g.made.Inline(g.pipeline, g.made.Of(g.pipeline).Named(s.Name))
	if why != "" {
		return false
	}
	g.pipeline = next
	g.list = append(g.list, &Grouping{Stage: s, Tried: schedule.Inline, Place: schedule.Inline, Into: []string{into}, Why: "its sums are computed with others there"})
	return true
}
