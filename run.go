package imgc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"imgc/arguments"
	"imgc/interp"
	"imgc/pixels"
	"imgc/types"
)

// Args are the arguments of a run, by the name of the parameter: Images, Scalars and Sizes.
type Args = arguments.Args

// Results are what a run returns, by the name of the parameter.
type Results struct {
	Images  map[string]*pixels.Image // every out and inout image: the caller's own where it gave one
	Scalars map[string]types.Value   // every out scalar
}

// Times are the durations of several runs of a pipeline: of its kernels alone, with all data in place.
type Times struct {
	Runs            int
	Median, Minimum time.Duration
}

// Run runs a pipeline on a device. With an error nothing was written to the caller's images.
func (p *Program) Run(ctx context.Context, d *Device, pipeline string, args Args) (r Results, err error) {
	defer guard(&err, "running %s of %s on %s", pipeline, p.File(), d)
	q, err := p.Pipeline(pipeline)
	if err != nil {
		return Results{}, err
	}
	return d.run(ctx, p, q, args)
}

// Time measures so many runs of a pipeline after one that is not counted. It leaves the caller's images alone.
func (p *Program) Time(ctx context.Context, d *Device, pipeline string, args Args, runs int) (t Times, err error) {
	defer guard(&err, "timing %s of %s on %s", pipeline, p.File(), d)
	q, err := p.Pipeline(pipeline)
	if err != nil {
		return Times{}, err
	}
	if runs < 1 {
		return Times{}, usagef("%d runs cannot be timed; one at least", runs)
	}
	all, err := d.time(ctx, p, q, args, runs)
	if err != nil {
		return Times{}, err
	}
	return summary(all), nil
}

// summary is the median (of two in the middle, the mean) and the minimum.
func summary(all []time.Duration) Times {
	slices.Sort(all)
	n := len(all)
	return Times{Runs: n, Median: (all[(n-1)/2] + all[n/2]) / 2, Minimum: all[0]}
}

// reference runs a pipeline with the interpreter.
func reference(ctx context.Context, q *Pipeline, args Args, limits interp.Options) (Results, error) {
	r, err := interp.Run(ctx, q.typed, args, limits)
	return Results(r), interpError(err)
}

// timeReference times the interpreter: whole runs, since it has no kernels of their own.
func timeReference(ctx context.Context, q *Pipeline, args Args, runs int, limits interp.Options) (all []time.Duration, err error) {
	copied := args.Copied()
	for i := 0; i <= runs; i++ {
		start := time.Now()
		if _, err = reference(ctx, q, copied, limits); err != nil {
			return nil, err
		}
		if i > 0 {
			all = append(all, time.Since(start))
		}
	}
	return all, nil
}

// interpError sorts the interpreter's errors.
func interpError(err error) error {
	var call *interp.Error
	switch {
	case err == nil || isStop(err):
		return err
	case !errors.As(err, &call):
		return &InternalError{Doing: "running the reference interpreter", Fault: err}
	case call.Internal:
		fault := call.Message
		if call.At.IsValid() {
			fault = fmt.Sprintf("%s: %s", call.At, call.Message)
		}
		return &InternalError{Doing: "running " + call.Pipeline + " with the reference interpreter", Fault: fault}
	}
	return &CallError{Pipeline: call.Pipeline, Message: call.Message, At: call.At}
}
