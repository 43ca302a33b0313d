package fuse

import (
	"slices"

	"imgc/hast"
)

// Needed is a pipeline without the stages that nobody needs, with those once that two places ask for, and with images that are written
// once: results are the same.
func Needed(p *hast.Pipeline) *hast.Pipeline {
	for {
		next := versions(common(dead(p)))
		if next == p {
			return p
		}
		p = next
	}
}

// dead is the pipeline without stages that only write local images which nobody else reads.
func dead(p *hast.Pipeline) *hast.Pipeline {
	g := Of(p, 0)
	gone := map[*hast.Image]bool{}
	idle := map[*hast.Stage]bool{}
	for _, s := range g.stages {
		unread := len(s.written) > 0
		for _, m := range s.written {
			unread = unread && g.unread(m)
		}
		if unread {
			idle[s.Stage] = true
			for _, m := range s.written {
				gone[m] = true
			}
		}
	}
	if len(idle) == 0 {
		return p
	}
	return g.replacing(gone, func(s *hast.Stage) []hast.Step {
		if idle[s] {
			return nil
		}
		return []hast.Step{s}
	})
}

// unread reports whether nobody reads an image but the one stage that writes it.
func (g *Groups) unread(m *hast.Image) bool {
	u := g.uses[m]
	if m.Dir != hast.Local || m.View != nil || !g.own(m) || u.other || len(u.writers) != 1 {
		return false
	}
	return !slices.ContainsFunc(u.readers, func(r *hast.Stage) bool { return r != u.writers[0] })
}

// replacing is the pipeline with each stage replaced by what f makes of it, without some images.
func (g *Groups) replacing(gone map[*hast.Image]bool, f func(*hast.Stage) []hast.Step) *hast.Pipeline {
	steps, _ := g.rewritten(g.pipeline.Steps, gone, f)
	return g.with(steps, gone)
}
