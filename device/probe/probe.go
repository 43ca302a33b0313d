package probe

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"time"

	"imgc/archmodels"
	"imgc/device/cl"
)

//go:embed kernels.cl
var source string

// Options bound what a probe takes. The zero value is the default.
type Options struct {
	Bytes   int           // of the buffers that no cache shall hold; by default four times the last cache, 64 MiB to 1 GiB
	AtLeast time.Duration // that a kernel which is measured runs; 2 ms by default
	Repeats int           // the least of so many runs counts; 7 by default
	// Progress, if not nil, is told what is measured next.
	Progress func(what string)
}

// The names of the sources of a model's figures.
const (
	measured = "PROBE"
	driver   = "DRIVER"
)

// A prober measures one device.
type prober struct {
	ctx      context.Context
	cl       *cl.Context
	device   *cl.Device
	model    *archmodels.Model
	opts     Options
	kernels  map[[2]string]*cl.Kernel // by options and name
	programs map[string]*cl.Program   // by options
}

// Run measures the device of a context. What it does not find out stands as in base, with its source. The model is for devices of
// this name. An error is the device's, or wraps ctx's cause.
func Run(ctx context.Context, c *cl.Context, base *archmodels.Model, opts Options) (*archmodels.Model, error) {
	p := &prober{ctx: ctx, cl: c, device: c.Device(), opts: opts, kernels: map[[2]string]*cl.Kernel{}, programs: map[string]*cl.Program{}}
	defer p.close()
	p.model = p.start(base)
	p.bound()
	for _, step := range []struct {
		name string
		run  func() error
	}{{"bandwidth", p.bandwidth}, {"rates", p.rates}, {"launches", p.launches}, {"caches", p.caches}} {
		if opts.Progress != nil {
			opts.Progress(step.name)
		}
		if err := step.run(); err != nil {
			return nil, fmt.Errorf("measuring %s: %w", step.name, err)
		}
	}
	return p.model, nil
}

// start is the model before anything is measured: base with what the driver says.
func (p *prober) start(base *archmodels.Model) *archmodels.Model {
	m, d := *base, p.device
	m.Name, m.Title, m.Notes, m.Inherit = nameOf(d.Name), d.Name, "Measured where the source says so; the rest is of "+base.Name+".", ""
	m.Vendor, m.Device = d.Vendor, "^"+regexp.QuoteMeta(d.Name)+"$"
	m.Sources = map[string]string{
		measured: fmt.Sprintf("measured by imgc probe on %s with driver %s", d, d.Driver),
		driver:   "what the driver says of the device",
	}
	for name, text := range base.Sources {
		if m.Sources[name] == "" {
			m.Sources[name] = text
		}
	}
	tell := func(f *archmodels.Figure, value float64, note string) {
		if value > 0 {
			*f = archmodels.Figure{Value: value, Known: true, Source: driver, How: archmodels.Vendor, Note: note}
		}
	}
	for _, t := range byDriver {
		tell(t.at(&m), t.value(d), t.note)
	}
	tell(lastLevel[m.Class](&m), float64(d.Cache), "")
	return &m
}

var unnamable = regexp.MustCompile(`[^a-z0-9._]+`)

// nameOf is a device's name as models have it.
func nameOf(device string) string {
	name := strings.Trim(unnamable.ReplaceAllString(strings.ToLower(device), "-"), "-.")
	if name == "" {
		return "device"
	}
	return name
}

// bound sets the options that were left out.
func (p *prober) bound() {
	o := &p.opts
	if o.Bytes == 0 {
		o.Bytes = int(min(max(4*p.device.Cache, 64<<20), 1<<30))
	}
	o.Bytes = int(min(int64(o.Bytes), p.device.MaxAlloc, p.device.GlobalMem/4))
	o.Bytes = 1 << (bits.Len(uint(o.Bytes)) - 1) // a power of two, which all shapes divide
	if o.AtLeast == 0 {
		o.AtLeast = 2 * time.Millisecond
	}
	if o.Repeats == 0 {
		o.Repeats = 7
	}
}

// set makes a figure one that was measured, to three digits.
func set(f *archmodels.Figure, value float64, note string) {
	if value <= 0 || math.IsInf(value, 0) || math.IsNaN(value) {
		return
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 3, 64), 64)
	if err != nil {
		rounded = value
	}
	*f = archmodels.Figure{Value: rounded, Known: true, Source: measured, How: archmodels.Measured, Note: note}
}

func (p *prober) close() {
	for _, k := range p.kernels {
		k.Close()
	}
	for _, q := range p.programs {
		q.Close()
	}
}

// kernel builds a kernel of kernels.cl, once.
func (p *prober) kernel(options, name string) (*cl.Kernel, error) {
	key := [2]string{options, name}
	if k := p.kernels[key]; k != nil {
		return k, nil
	}
	built := p.programs[options]
	if built == nil {
		var err error
		if built, err = p.cl.Build(source, options); err != nil {
			return nil, err
		}
		p.programs[options] = built
	}
	k, err := built.Kernel(name)
	if err != nil {
		return nil, err
	}
	p.kernels[key] = k
	return k, nil
}

// least is the least time of several runs of a kernel by the device's clock, in seconds, after one that is not counted.
func (p *prober) least(k *cl.Kernel, r cl.Range, args ...any) (float64, error) {
	best := math.Inf(1)
	for i := range p.opts.Repeats + 1 {
		t, err := p.once(k, r, args...)
		if err != nil {
			return 0, err
		}
		if i > 0 {
			best = min(best, t)
		}
	}
	return best, nil
}

func (p *prober) once(k *cl.Kernel, r cl.Range, args ...any) (float64, error) {
	if p.ctx.Err() != nil {
		return 0, context.Cause(p.ctx)
	}
	if err := p.cl.Launch(k, r, args...); err != nil {
		return 0, err
	}
	times, err := p.cl.Wait()
	if err != nil {
		return 0, err
	}
	return max(times[0].Duration().Seconds(), 1e-9), nil
}

// rounds is how often a kernel's loop runs until the kernel takes as long as is measured.
func (p *prober) rounds(launch func(rounds int32) (float64, error)) (int32, error) {
	for n := int32(16); ; n *= 4 {
		t, err := launch(n)
		if err != nil || t >= p.opts.AtLeast.Seconds() || n >= 1<<24 {
			return n, err
		}
	}
}
