package imgc

import (
	"context"
	"slices"
	"time"

	"imgc/hast"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
	"imgc/optimize/tune"
)

// A Tuned is the best schedule that Tune has found, and how long it takes.
type Tuned = tune.Outcome

// A TuneStep is a schedule that Tune has tried.
type TuneStep = tune.Step

// TuneOptions bound a search.
type TuneOptions struct {
	Budget time.Duration  // after which no schedule is begun; 0 for none
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
	end := time.Now().Add(opts.Budget)
	t, err = tune.Search(tune.Problem{
		Plan: func(placed map[string]schedule.Placement) *plan.Plan { return only.planPlaced(to, placed) },
		Time: func(s *schedule.Schedule) (time.Duration, error) {
			return only.timeUnder(ctx, d, q.Name, args, s, max(opts.Runs, 5))
		},
		From: p.schedule(q.Name, to), Skip: opts.Skip, Step: opts.Step,
		Over: func() bool { return opts.Budget > 0 && time.Now().After(end) },
	})
	if err != nil {
		return nil, err
	}
	t.Schedule.Pipeline, t.Schedule.Device = q.Name, name
	return t, nil
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
	variant, own := *p, *s
	own.Pipeline, own.Device = pipeline, "" // for whatever the device is called
	variant.schedules = append(slices.Clone(p.schedules), []*schedule.Schedule{&own})
	defer d.forget(&variant)
	t, err := variant.Time(ctx, d, pipeline, args, runs)
	return t.Minimum, err
}
