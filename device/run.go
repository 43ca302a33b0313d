package device

import (
	"context"
	"errors"
	"fmt"
	"time"

	"imgc/device/cl"
	"imgc/pixels"
	"imgc/types"
)

// Results are what a call returns, by the name of the parameter.
type Results struct {
	Images  map[string]*pixels.Image // every out and inout image: the caller's own where it gave one
	Scalars map[string]types.Value   // every out scalar
}

// Run runs a pipeline of the program. It writes to the caller's images at the end only: with an error, nothing has changed. Where
// the arguments do not fit, the error is an *Error; a cancelled ctx stops it between two kernels.
func (p *Program) Run(ctx context.Context, pipeline string, args Args, layout Layout) (r Results, err error) {
	err = p.prepared(ctx, pipeline, args, layout, func(c *call, mem *memory) error {
		if err := mem.upload(c); err != nil {
			return err
		}
		mem, _, err := p.play(ctx, c, mem, layout)
		if err := errors.Join(err, p.device.wait()); err != nil {
			return err
		}
		r, err = mem.download(c)
		return err
	})
	return r, err
}

// Time runs a pipeline once to warm up and then as often as runs says, with all data in place, and returns for each run how long
// its kernels took together by the device's clock. It leaves the caller's images alone.
func (p *Program) Time(ctx context.Context, pipeline string, args Args, runs int) (all []time.Duration, err error) {
	err = p.prepared(ctx, pipeline, args, Layout{}, func(c *call, mem *memory) error {
		if err := mem.upload(c); err != nil {
			return err
		}
		for i := range runs + 1 {
			t, err := p.timed(ctx, c, mem)
			if err != nil {
				return err
			}
			if i > 0 {
				all = append(all, t)
			}
		}
		return nil
	})
	return all, err
}

// prepared binds a call, and allocates its memory for the time of do.
func (p *Program) prepared(ctx context.Context, pipeline string, args Args, layout Layout, do func(*call, *memory) error) error {
	plan, err := p.pipeline(pipeline)
	if err != nil {
		return err
	}
	c, err := bind(plan, args)
	if err != nil {
		return err
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	p.device.turn.Lock() // the queue's events are those of one call
	defer p.device.turn.Unlock()
	mem, err := p.device.allocate(c, layout, p.source.Padding)
	if err != nil {
		return err
	}
	defer mem.release()
	return do(c, mem)
}

// wait waits for what runs, also after an error, and drops the times.
func (d *Device) wait() error {
	_, err := d.context.Wait()
	return err
}

// timed runs the plan and adds up the times of its kernels. Where the device's times cannot be, it is the time that the host has
// waited, launches included.
func (p *Program) timed(ctx context.Context, c *call, mem *memory) (time.Duration, error) {
	start := time.Now()
	_, launched, err := p.play(ctx, c, mem, Layout{})
	if err != nil {
		return 0, errors.Join(err, p.device.wait())
	}
	times, err := p.device.context.Wait()
	if err != nil {
		return 0, err
	}
	if len(times) != launched {
		return 0, fmt.Errorf("%s reported the times of %d kernels, of %d that ran", p.device.Info().Name, len(times), launched)
	}
	waited := time.Since(start)
	sum, ok := kernelTime(times, waited)
	if !ok {
		p.device.hostClock.Store(true)
		return waited, nil
	}
	return sum, nil
}

// kernelTime adds up times of kernels that ran one after the other. Some drivers report 0, or a clock that stands still; others
// count in units that they do not tell, so that the kernels take longer than the host has waited for them.
func kernelTime(times []cl.Timing, waited time.Duration) (sum time.Duration, ok bool) {
	const drift = 2 // how much faster a device's clock may be than the host's
	for _, t := range times {
		if t.End <= t.Start {
			return 0, false
		}
		sum += t.Duration()
	}
	return sum, sum <= drift*waited
}
