package fuse

import (
	"fmt"
	"slices"

	"imgc/hast"
)

// A stage whose images have to be in memory, since others read them that it cannot be fused with, or since they are levels of a pyramid of which others are named, may be a part of one of those that read
// them all the same: the group computes what it needs of them, and stores what lies below its blocks.

// Keep makes a stage a part of the first group behind it that reads what it writes and can have it; that stays in memory for all others that read it. Otherwise nothing changes, and Keep says why, as the
// end of a sentence.
func (g *Groups) Keep(s *hast.Stage) (why string) {
	x := g.of(s)
	into, why := g.keeping(x)
	for _, last := range into {
		if why = g.keep(x, last); why == "" {
			return ""
		}
	}
	return why
}

// Kept are a stage and the one at the end of the group that it is a part of in others, which Keep has made of these, with all that is fused with them here.
func (g *Groups) Kept(s *hast.Stage, in *Groups) (self, reader *hast.Stage) {
	return g.together(g.of(s)), g.together(g.stages[in.of(s).into[0].number])
}

// keep makes a stage a part of the group with a last stage, and what it writes stays in memory.
func (g *Groups) keep(x, last *stage) (why string) {
	for _, t := range g.members(last) {
		switch {
		case touches(x.written, t.written) || aliases(x.written, t.read):
			return fmt.Sprintf("%s touches what it writes in other ways than to read it", t.Name)
		case touches(x.read, t.written):
			return fmt.Sprintf("%s writes what it reads", t.Name)
		}
	}
	x.stays = true
	why = g.fuse(x, []*stage{last}, true)
	x.stays = why == ""
	return why
}

// aliases reports whether some images are not known to be others than those of a list, but for themselves.
func aliases(list, images []*hast.Image) bool {
	return slices.ContainsFunc(images, func(m *hast.Image) bool { return !slices.Contains(list, m) && touches(list, []*hast.Image{m}) })
}

// keeping are the last stages of the groups behind a stage that read what it writes, the first ones first. There are none where Fuse does the same.
func (g *Groups) keeping(x *stage) (into []*stage, why string) {
	if x.Scan != nil || len(x.into) != 1 || x.into[0] != x || len(x.beside)+len(x.parts) > 0 {
		return nil, "it runs step by step, or is fused already"
	}
	if into, why := g.targets(x); why == "" && len(into) == 1 {
		return nil, "nothing else needs what it writes, so that fuse does this"
	}
	for _, m := range x.written {
		u := g.uses[m.Base()]
		if m.View != nil || m.Scalar || u.other && !u.swapped || slices.Contains(u.readers, x.Stage) {
			return nil, fmt.Sprintf("%s is more than an image that stages write and read, or it reads it itself", m.Name)
		}
		for _, r := range u.readers {
			if y := g.of(r); same(y.list, x.list) && y.index > x.index {
				into = append(into, y.into...)
			}
		}
	}
	if len(into) == 0 {
		return nil, "nothing behind it reads what it writes"
	}
	return inOrder(into), ""
}
