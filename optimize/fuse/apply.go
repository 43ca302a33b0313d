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
	a := &applying{pipeline: p, opts: opts, decide: decide, rounds: map[string]bool{}, columns: map[string]bool{}, split: map[string]bool{}}
	a.gather()
	a.tabulate()
	a.severalRounds()
	stages := a.stages()
	later := a.separate(stages)
	a.overlap(stages)
	a.inline(stages)
	a.separateInlined(later)
	a.group()
	return a.pipeline, a.refused
}

// applying is a pipeline in which decisions become what they say, one kind of them after the other.
type applying struct {
	pipeline        *hast.Pipeline
	opts            Options
	decide          func(s *hast.Stage) schedule.Decisions
	rounds, columns map[string]bool // the names of stages that come of others, which are fused with what they come before
	split           map[string]bool // the names of stages that are fused with those readers that do not compute them
	refused         []Refusal
}

// refuse notes why something cannot be done to a stage; nothing where there is no reason.
func (a *applying) refuse(s *hast.Stage, what, why string) {
	if why != "" {
		a.refused = append(a.refused, Refusal{s, what, why})
	}
}

// stages are those of the pipeline as it is now.
func (a *applying) stages() []*hast.Stage { return Of(a.pipeline, a.opts.Unroll).Stages() }

// now is what has become of a stage.
func (a *applying) now(s *hast.Stage) *hast.Stage {
	return Of(a.pipeline, a.opts.Unroll).Named(s.Name)
}

func (a *applying) gather() {
	for _, s := range a.stages() {
		if a.decide(s).Gather != 0 {
			var why string
			a.pipeline, why = Gather(a.pipeline, s)
			a.refuse(s, "computed pixel by pixel", why)
		}
	}
}

func (a *applying) tabulate() {
	for _, s := range a.stages() {
		if a.decide(s).Table == 0 {
			continue
		}
		var table *hast.Stage
		if a.pipeline, table = Tabulate(a.pipeline, s); table == nil {
			a.refuse(s, "computed with tables", "it computes nothing that depends on one byte alone and takes longer than a look-up, or it is a scan, or a level of a pyramid")
		}
	}
}

func (a *applying) severalRounds() {
	for _, s := range a.stages() {
		n := a.decide(s).Rounds
		if n <= 1 {
			continue
		}
		next, parts, _, why := Rounds(a.pipeline, s, n)
		a.refuse(s, fmt.Sprintf("done %d rounds at a time", n), why)
		a.pipeline = next
		for _, part := range parts {
			a.rounds[part.Name] = true
		}
	}
}

// separate gives back the stages that have no sums yet: what has some may be inlined into them.
func (a *applying) separate(stages []*hast.Stage) (later []*hast.Stage) {
	for _, s := range slices.Backward(stages) {
		switch d := a.decide(s); {
		case d.Separate == 0:
		case d.Rounds > 1:
			a.refuse(s, "separated", "some rounds of it are done at a time")
		case !a.separated(s, d.Separate):
			later = append(later, s)
		}
	}
	return later
}

// separateInlined separates those stages that have got their sums from others.
func (a *applying) separateInlined(later []*hast.Stage) {
	for _, s := range later {
		if now := a.now(s); now == nil || !a.separated(now, a.decide(s).Separate) {
			a.refuse(s, "separated", "it has no sum over a window with a mask that is the product of a column and a row, and no least or greatest value of one")
		}
	}
}

// separated reports whether the sums of a stage could be separated.
func (a *applying) separated(s *hast.Stage, first schedule.Order) bool {
	next, parts := Separate(a.pipeline, s, first, a.opts.Floats)
	a.pipeline = next
	for _, part := range parts {
		a.columns[part.Name] = true
	}
	return len(parts) > 0
}

func (a *applying) overlap(stages []*hast.Stage) {
	for _, s := range stages {
		if size := a.decide(s).Overlap; size[0] > 0 && !a.rounds[s.Name] {
			var why string
			a.pipeline, why = Overlap(a.pipeline, a.now(s), size, a.opts.Floats)
			a.refuse(s, "in blocks", why)
		}
	}
}

// inline has readers compute stages themselves, all of them or some.
func (a *applying) inline(stages []*hast.Stage) {
	for _, s := range slices.Backward(stages) {
		var why string
		switch a.decide(s).Place {
		case schedule.Inline:
			a.pipeline, why = Inline(a.pipeline, a.now(s))
			a.refuse(s, "inlined", why)
		case schedule.Split:
			a.pipeline, _, _, why = Split(a.pipeline, a.now(s), a.opts.Unroll)
			a.refuse(s, "split", why)
			a.split[s.Name] = why == ""
		}
	}
}

// ways are how stages are put together in groups.
var ways = map[schedule.Placement]struct {
	what string // stages are then
	do   func(*Groups, *hast.Stage) (why string)
}{
	schedule.Fuse:    {"fused", (*Groups).Fuse},
	schedule.Reduced: {"reduced", (*Groups).Reduce},
	schedule.Kept:    {"kept", (*Groups).Keep},
	schedule.Join:    {"joined", (*Groups).Join},
}

// group puts stages together, and then says of loops and traverses whether work-groups can run them.
func (a *applying) group() {
	made := newParts(&block.Looks{})
	g := groupsOf(a.pipeline, a.opts, &made)
	for _, s := range slices.Backward(g.Stages()) {
		d := a.decide(s)
		place := d.Place
		if a.split[s.Name] {
			place = schedule.Fuse
		}
		switch way, grouped := ways[place]; {
		case a.columns[s.Name] && d.Alone(): // what comes of it reads it from memory
		case a.rounds[s.Name] || a.columns[s.Name] && place != schedule.Join:
			g.Fuse(s) // or else it runs by itself
		case grouped:
			a.refuse(s, way.what, way.do(g, s))
		}
	}
	a.pipeline = g.Pipeline()
	for _, s := range g.Stages() {
		a.refuseByGroups(s, g.Named(s.Name))
	}
}

// refuseByGroups says why a work-group cannot run the loop, or the coarse levels of the traverse, of which a stage is the last one, though that is decided.
func (a *applying) refuseByGroups(s, last *hast.Stage) {
	d := a.decide(s)
	if d.Loops[0] > 0 {
		_, why := loops.Of(a.pipeline, last)
		a.refuse(s, "the last one of a loop that a work-group runs", why)
	}
	if levels := d.Coarse[2]; levels > 0 {
		t, why := coarse.Of(a.pipeline, last)
		if t != nil {
			why = coarse.RefuseLevels(t, levels)
		}
		a.refuse(s, "the last one of a traverse whose coarse levels a work-group computes", why)
	}
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
