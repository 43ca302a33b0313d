package imgc

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"imgc/hast"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
	"imgc/optimize/tune"
	"imgc/pixels"
)

// A Tuned is the best schedule that Tune has found, and how long it takes.
type Tuned = tune.Outcome

// A TuneStep is a schedule that Tune has tried.
type TuneStep = tune.Step

// TuneOptions bound a search.
type TuneOptions struct {
	Budget time.Duration  // which the search keeps, but for a schedule that takes far longer than all before it; 0 for none
	Skip   int            // schedules that an earlier search has tried, whose best one is among the program's schedules
	Runs   int            // the least of so many runs is a schedule's time; 5 by default
	Step   func(TuneStep) // if not nil, hears of every schedule that was tried
}

// Tune looks for the fastest schedule of a pipeline on an OpenCL device by measuring it with these arguments. It begins with the schedule
// that the program has for the device, else with the planned one. The schedule that it returns is for devices of this kind: by the name
// of the architecture model where one was made for it, else by the device's. A schedule that the driver refuses is passed over.
func (p *Program) Tune(ctx context.Context, d *Device, pipeline string, args Args, opts TuneOptions) (t *Tuned, err error) {
	defer guard(&err, "tuning %s of %s on %s", pipeline, p.File(), d)
	q, err := p.Pipeline(pipeline)
	switch {
	case err != nil:
		return nil, err
	case d.IsReference():
		return nil, usagef("the reference interpreter has no schedules; name an OpenCL device, which imgc devices lists")
	}
	only := p.PlannedFor(extents(args.Sizes))
	if err := only.keep([]string{q.Name}); err != nil {
		return nil, err
	}
	model, made := ArchitectureOf(d.opened.Info())
	if p.options.Arch != nil {
		model = p.options.Arch
	}
	name := d.opened.Info().Name
	if made {
		name = model.Name
	}
	to := target{names: []string{d.String(), model.Name}, lang: TargetOpenCL, model: model}
	finish := func(t *Tuned) { t.Schedule.Pipeline, t.Schedule.Device = q.Name, name }
	clock := newBudget(opts.Budget)
	var first *schedule.Schedule
	t, err = tune.Search(tune.Problem{
		Plan: func(placed map[string]schedule.Placement) *plan.Plan { return only.planPlaced(to, placed) },
		Time: func(s *schedule.Schedule) (time.Duration, error) {
			if first == nil {
				first = s
			}
			return only.timeUnder(ctx, d, q.Name, args, s, max(opts.Runs, 5))
		},
		From: p.schedule(q.Name, to), Skip: opts.Skip,
		Step: func(s TuneStep) {
			if opts.Step != nil {
				own := *s.So.Schedule
				s.So.Schedule = &own
				finish(&s.So)
				opts.Step(s)
			}
		},
		Over: clock.over,
	})
	if err != nil {
		return nil, err
	}
	if first != nil && first.String() != t.Schedule.String() {
		if err := only.sameUnder(ctx, d, q.Name, args, first, t.Schedule); err != nil {
			return nil, err
		}
	}
	finish(t)
	return t, nil
}

// sameUnder fails where the only pipeline gives other pixels under one schedule than under another. Sums of floats may be added in another
// order, so floats may differ by a little of the largest of their image.
func (p *Program) sameUnder(ctx context.Context, d *Device, pipeline string, args Args, first, best *schedule.Schedule) error {
	var results [2]Results
	for i, s := range []*schedule.Schedule{first, best} {
		variant := p.under(s, pipeline)
		r, err := variant.Run(ctx, d, pipeline, args.Copied())
		d.forget(variant)
		if err != nil {
			return err
		}
		results[i] = r
	}
	for _, name := range slices.Sorted(maps.Keys(results[0].Images)) {
		if at := differs(results[0].Images[name], results[1].Images[name]); at >= 0 {
			return &DeviceError{fmt.Errorf("%s is wrong under the fastest schedule that was found: component %d is not what the first schedule "+
				"gives; nothing is written; please report this with the schedule:\n%s", name, at, best)}
		}
	}
	return nil
}

// differs is the first component in which two images differ; -1 where there is none.
func differs(a, b *pixels.Image) int {
	if bytes.Equal(a.Data, b.Data) {
		return -1
	}
	const share = 1e-3
	largest := 0.0
	if a.Elem.Kind.IsFloat() {
		for i := range a.Words() {
			if v := math.Abs(a.Word(i).Float()); v <= math.MaxFloat64 {
				largest = max(largest, v)
			}
		}
	}
	for i := range a.Words() {
		x, y := a.Word(i), b.Word(i)
		if !a.Elem.Kind.IsFloat() {
			if x != y {
				return i
			}
			continue
		}
		if u, v := x.Float(), y.Float(); u != v && !(math.IsNaN(u) && math.IsNaN(v)) && !(math.Abs(u-v) <= share*largest) {
			return i
		}
	}
	return -1
}

// under is the program with a schedule for one pipeline, whatever the device is called.
func (p *Program) under(s *schedule.Schedule, pipeline string) *Program {
	variant, own := *p, *s
	own.Pipeline, own.Device = pipeline, ""
	variant.schedules = append(slices.Clone(p.schedules), []*schedule.Schedule{&own})
	return &variant
}

// A budget ends a search before its time is over, rather than after it: a schedule is begun only where there is time for one that
// takes as long as the longest of those before. A driver that has begun to compile cannot be stopped.
type budget struct {
	end, asked time.Time
	longest    time.Duration
}

func newBudget(all time.Duration) *budget {
	if all <= 0 {
		return &budget{}
	}
	now := time.Now()
	return &budget{end: now.Add(all), asked: now}
}

// over is asked before each schedule.
func (b *budget) over() bool {
	if b.end.IsZero() {
		return false
	}
	now := time.Now()
	b.longest = max(b.longest, now.Sub(b.asked))
	b.asked = now
	return now.Add(b.longest).After(b.end)
}

func extents(sizes map[string]int) map[string]int64 {
	out := map[string]int64{}
	for name, n := range sizes {
		out[name] = int64(n)
	}
	return out
}

// planPlaced plans the only pipeline of a program, with some stages placed as it is said.
func (p *Program) planPlaced(to target, placed map[string]schedule.Placement) *plan.Plan {
	to.known = newPlanning(to.denseRGB())
	t := p.planTarget(to)
	t.Decided = func(s *hast.Stage) schedule.Decisions { return schedule.Decisions{Place: placed[s.Name]} }
	return plan.For(p.parallel(p.forms(to)).Pipelines[0], t)
}

// timeUnder is the least time of the only pipeline under a schedule.
func (p *Program) timeUnder(ctx context.Context, d *Device, pipeline string, args Args, s *schedule.Schedule, runs int) (time.Duration, error) {
	variant := p.under(s, pipeline)
	defer d.forget(variant)
	t, err := variant.Time(ctx, d, pipeline, args, runs)
	return t.Minimum, err
}
