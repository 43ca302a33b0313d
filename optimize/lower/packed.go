package lower

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// refuseDots says why a stage has no dot products of four bytes, as the end of a sentence; "" where it has: some sum has to have weights
// of 8 bits.
func (t *Trials) refuseDots(s *hast.Stage, what *block.Stage, d schedule.Decisions) string {
	one := t.inWords(s, what)
	if !readsWords(what, one.N, d) {
		return "dot4 is for sums of bytes times constants of 8 bits, in work-items of a multiple of 4 columns"
	}
	for _, c := range t.sums(one.Of, what, d.Unroll) {
		if len(c.Taps) > 1 && c.EightBits() {
			return ""
		}
	}
	return "dot4 is for sums of bytes times constants of 8 bits, which it has not"
}

func (t *Trials) inWords(s *hast.Stage, what *block.Stage) block.Component {
	return t.looks().ByComponents(s).Beside(s, what)
}

// readsWords reports whether some bytes that work-items read are kept in words.
func readsWords(what *block.Stage, n int, d schedule.Decisions) bool {
	return d.Vector >= 4 && slices.ContainsFunc(what.Windows, func(w *block.Window) bool { return block.Packs(w, d.Item[0], n) })
}

// refuseHalves says why a stage has nothing to compute in halves of words, as the end of a sentence; "" where it has.
func (t *Trials) refuseHalves(s *hast.Stage, what *block.Stage, d schedule.Decisions) string {
	one := t.inWords(s, what)
	switch {
	case !readsWords(what, one.N, d):
		return "packed16 is for stages that read single bytes around each instance, in work-items of a multiple of 4 columns"
	case !one.Alike(what, d.Item[0]):
		return "packed16 is for bodies that define scalars and assign pixels of one component, or do so for each component alike, nothing else, for all instances"
	}
	return ""
}

// refuseFusedWords says why none of the stages of a group computes in words as decided, as the end of a sentence; "" where one does.
func (t *Trials) refuseFusedWords(g *block.Group, d, full schedule.Decisions) string {
	if d.Dot4+d.Packed16 == 0 {
		return ""
	}
	some, dotted := false, false
	if full.Vector >= block.PerWord {
		for i, c := range g.Words(full.Item[0]) {
			if c == nil {
				continue
			}
			some = true
			p := g.Parts[i]
			dotted = dotted || slices.ContainsFunc(t.sums(p.Of, p.Stage, full.Unroll), func(c *block.Combination) bool { return len(c.Taps) > 1 && c.EightBits() })
		}
	}
	switch {
	case !some:
		return "no stage of those that are fused reads single bytes around each instance, defines scalars and assigns pixels of one component, nothing else, in work-items of a multiple of 4 columns"
	case d.Dot4 != 0 && !dotted:
		return "dot4 is for sums of bytes times constants of 8 bits, which none of the stages that are fused has"
	}
	return ""
}
