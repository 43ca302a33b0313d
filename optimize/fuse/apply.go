package fuse

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/coarse"
	"imgc/optimize/loops"
	"imgc/optimize/schedule"
)

// A Refusal says why a stage is not computed pixel by pixel, with tables, separated, fused, inlined, split or joined, or done some rounds at a time, though a schedule wants it.
type Refusal struct {
	Stage *hast.Stage
	What  string // it cannot be: "fused"
	Why   string // the end of a sentence
}

// Options are what fusing depends on besides decisions.
type Options struct {
	Unroll int  // reductions of at most so many points will be written out
	Floats bool // floats may be added in another order than the program's
	Rows   bool // work-items compute rows, as those of processors do, which find in their caches what they reduce: no stage reduces what it computes
}

// Apply has stages computed pixel by pixel and with tables, separates, inlines, splits, fuses and joins the stages of a pipeline for which their decisions say so, from the last one up; those that
// cannot be stay as they are.
func Apply(p *hast.Pipeline, opts Options, decide func(s *hast.Stage) schedule.Decisions) (*hast.Pipeline, []Refusal) {
	var refused []Refusal
	refuse := func(s *hast.Stage, what, why string) {
		if why != "" {
			refused = append(refused, Refusal{s, what, why})
		}
	}
	rounds, columns := map[string]bool{}, map[string]bool{} // stages that come of others, which are fused with what they come before
	for _, s := range Of(p, opts.Unroll).Stages() {
		if decide(s).Gather != 0 {
			q, why := Gather(p, s)
			refuse(s, "computed pixel by pixel", why)
			p = q
		}
	}
	for _, s := range Of(p, opts.Unroll).Stages() {
		if decide(s).Table != 0 {
			q, table := Tabulate(p, s)
			if table == nil {
				refuse(s, "computed with tables", "it computes nothing that depends on one byte alone and takes longer than a look-up, or it is a scan, or a level of a pyramid")
			}
			p = q
		}
	}
	for _, s := range Of(p, opts.Unroll).Stages() {
		if n := decide(s).Rounds; n > 1 {
			q, parts, _, why := Rounds(p, s, n)
			refuse(s, fmt.Sprintf("done %d rounds at a time", n), why)
			p = q
			for _, part := range parts {
				rounds[part.Name] = true
			}
		}
	}
	separate := func(s *hast.Stage, d schedule.Decisions) bool {
		q, parts := Separate(p, s, d.Separate, opts.Floats)
		p = q
		for _, part := range parts {
			columns[part.Name] = true
		}
		return len(parts) > 0
	}
	var later []*hast.Stage
	stages := Of(p, opts.Unroll).Stages()
	for _, s := range slices.Backward(stages) {
		d := decide(s)
		if d.Separate != 0 && d.Rounds > 1 {
			refuse(s, "separated", "some rounds of it are done at a time")
		} else if d.Separate != 0 && !separate(s, d) {
			later = append(later, s) // what has sums may be inlined into it
		}
	}
	for _, s := range stages {
		if size := decide(s).Overlap; size[0] > 0 && !rounds[s.Name] {
			q, why := Overlap(p, Of(p, opts.Unroll).Named(s.Name), size, opts.Floats)
			refuse(s, "in blocks", why)
			p = q
		}
	}
	split := map[string]bool{}
	for _, s := range slices.Backward(stages) {
		var why string
		switch now := Of(p, opts.Unroll).Named(s.Name); decide(s).Place {
		case schedule.Inline:
			p, why = Inline(p, now)
			refuse(s, "inlined", why)
		case schedule.Split:
			p, _, _, why = Split(p, now, opts.Unroll)
			refuse(s, "split", why)
			split[s.Name] = why == ""
		}
	}
	for _, s := range later {
		if now := Of(p, opts.Unroll).Named(s.Name); now == nil || !separate(now, decide(s)) {
			refuse(s, "separated", "it has no sum over a window with a mask that is the product of a column and a row, and no least or greatest value of one")
		}
	}
	made := newParts(&block.Looks{})
	g := groupsOf(p, opts, &made)
	for _, s := range slices.Backward(g.Stages()) {
		switch {
		case columns[s.Name] && decide(s).Alone(): // what comes of it reads it from memory
		case rounds[s.Name] || columns[s.Name] && decide(s).Place != schedule.Join:
			g.Fuse(s) // or else it runs by itself
		case decide(s).Place == schedule.Fuse || split[s.Name]:
			refuse(s, "fused", g.Fuse(s))
		case decide(s).Place == schedule.Reduced:
			refuse(s, "reduced", g.Reduce(s))
		case decide(s).Place == schedule.Kept:
			refuse(s, "kept", g.Keep(s))
		case decide(s).Place == schedule.Join:
			refuse(s, "joined", g.Join(s))
		}
	}
	p = g.Pipeline()
	for _, s := range g.Stages() {
		if decide(s).Loops[0] > 0 {
			_, why := loops.Of(p, g.Named(s.Name))
			refuse(s, "the last one of a loop that a work-group runs", why)
		}
		if levels := decide(s).Coarse[2]; levels > 0 {
			t, why := coarse.Of(p, g.Named(s.Name))
			if t != nil {
				why = coarse.RefuseLevels(t, levels)
			}
			refuse(s, "the last one of a traverse whose coarse levels a work-group computes", why)
		}
	}
	return p, refused
}

// Named is the stage of a name, as it is now.
func (g *Groups) Named(name string) *hast.Stage {
	for _, s := range g.stages {
		if s.Name == name {
			return s.Stage
		}
	}
	return nil
}
