package fuse

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// Stages that reduce what another one writes, each of its pixels once, may be a part of that one instead of the other way round: the group is over the instances that compute
// pixels, and reduces what they write at last (hast.Stage.Reduced).

// reduced makes the stage of a group that ends with a reduction: the one that computes what it reduces, the last of its parts, with the others fused with it.
func (g *Groups) reduced(last *stage) *hast.Stage {
	n := len(last.parts) - 1
	computes, by := last.parts[n], *last.Stage
	if len(last.beside) > 0 {
		by.Body = merged(last, last.beside)
	}
	out := *computes.Stage
	out.Name, out.Reduced, out.Inner = last.Name, &by, g.innerOf(computes)
	for _, p := range last.parts[:n] {
		out.Fused = append(out.Fused, g.made.over(p.Stage, out.Space.Vars))
		out.Inner = append(out.Inner, g.innerOf(p)...)
	}
	return &out
}

// Reduce makes a stage a part of the one that reduces what it writes, which stays in memory for all others that read it. Otherwise nothing changes, and Reduce says why, as
// the end of a sentence.
func (g *Groups) Reduce(s *hast.Stage) (why string) {
	x := g.of(s)
	into, others := g.reducing(x)
	switch {
	case len(into) == 0:
		return "nothing behind it reduces what it writes, and no more"
	case len(into) > 1:
		return "several stages reduce what it writes"
	case len(others) == 0:
		return "nothing else reads what it writes, so that fuse does this"
	}
	x.stays = true
	why = g.fuse(x, into, true)
	x.stays = why == ""
	return why
}

// Reduces are the stages at the ends of the groups that reduce what a stage writes.
func (g *Groups) Reduces(s *hast.Stage) (into []*hast.Stage) {
	x := g.of(s)
	list, others := g.reducing(x)
	if len(list) != 1 || len(others) == 0 {
		return nil
	}
	return []*hast.Stage{g.together(list[0])}
}

// reducing are the last stages of the groups that reduce what a stage writes, and the other ones that read it; none of the former where it is no stage that is fused.
func (g *Groups) reducing(x *stage) (into, others []*stage) {
	if x.Scan != nil || len(x.into) != 1 || x.into[0] != x || len(x.beside) > 0 || x.levels {
		return nil, nil
	}
	for _, m := range x.written {
		u := g.uses[m.Base()]
		if m.View != nil || m.Of != nil || u.other || len(u.writers) != 1 {
			return nil, nil
		}
		for _, r := range u.readers {
			y := g.of(r)
			if y == x {
				return nil, nil
			}
			list := &others
			if block.IsPart(r) && same(y.list, x.list) && y.index > x.index {
				list = &into
			}
			for _, last := range y.into {
				if !slices.Contains(*list, last) {
					*list = append(*list, last)
				}
			}
		}
	}
	return into, others
}
