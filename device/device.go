package device

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"imgc/device/cl"
	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// A Device is an OpenCL device that programs can be compiled for. It runs one call at a time; calls from several goroutines
// take turns.
type Device struct {
	context *cl.Context
	turn    sync.Mutex // held by the call that runs
	rounds  int64      // the limit on loops of the host; 0 for the default

	hostClock atomic.Bool // the device's own times could not be
}

// ByHostClock reports whether times were measured by the host's clock, since the device's times of its kernels cannot be.
func (d *Device) ByHostClock() bool { return d.hostClock.Load() }

// DefaultRounds is how many rounds the host's loops in a while, and what it repeats, may make in one call before they are taken for
// endless: that takes seconds, and each round of a program that means it is a kernel at least.
const DefaultRounds = 1 << 16

// LimitRounds sets that limit for later calls; 0 is the default.
func (d *Device) LimitRounds(n int64) { d.rounds = n }

// Open opens the device that selector chooses; see Select.
func Open(selector string) (*Device, error) {
	list, err := List()
	if err != nil {
		return nil, err
	}
	info, err := Select(list, selector)
	if err != nil {
		return nil, err
	}
	return OpenInfo(info)
}

// OpenInfo opens a device that List has listed.
func OpenInfo(info *Info) (*Device, error) {
	context, err := cl.Open(info)
	if err != nil {
		return nil, err
	}
	return &Device{context: context}, nil
}

// Info is what the device says about itself.
func (d *Device) Info() *Info { return d.context.Device() }

// Close releases the device and all that was compiled for it. A second Close does nothing.
func (d *Device) Close() error { return d.context.Close() }

// A Program is a program compiled for a device.
type Program struct {
	device  *Device
	source  *kir.Program
	built   *cl.Program
	kernels map[*kir.Kernel]*cl.Kernel
	tables  map[*kir.Table]*cl.Buffer // what it has Filled
}

// Compile prints a program's kernels and has the driver compile them.
func (d *Device) Compile(p *kir.Program) (*Program, error) {
	printed, err := opencl.Emit(p, opencl.Options{})
	if err != nil {
		return nil, err
	}
	return d.Build(p, printed)
}

// Build has the driver compile kernels that opencl.Emit has printed from p.
func (d *Device) Build(p *kir.Program, printed *opencl.Output) (*Program, error) {
	out := &Program{device: d, source: p, kernels: map[*kir.Kernel]*cl.Kernel{}}
	if len(printed.Kernels) == 0 {
		return out, nil // no pipeline of the program computes anything
	}
	if printed.UsesFP64 && !d.Info().DoubleFP {
		return nil, fmt.Errorf("%s has no 64-bit floating-point arithmetic, which %s needs (f64)", d.Info().Name, p.Name)
	}
	if printed.UsesInt64Atomics && !d.Info().Has("cl_khr_int64_base_atomics") {
		return nil, fmt.Errorf("%s has no 64-bit atomic operations (cl_khr_int64_base_atomics), which %s needs for updates of 64-bit pixels", d.Info().Name, p.Name)
	}
	built, err := d.build(p, printed)
	if err != nil {
		return nil, err
	}
	out.built = built
	for _, k := range printed.Kernels {
		kernel, err := built.Kernel(k.Name)
		if err != nil {
			out.Close()
			return nil, err
		}
		out.kernels[k.Kernel] = kernel
	}
	if err := out.fill(); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// fill makes the buffers of the tables that kernels take as arguments.
func (p *Program) fill() error {
	p.tables = map[*kir.Table]*cl.Buffer{}
	for _, t := range p.source.Filled {
		data := stored(types.Value{Type: t.Var.Type, Words: t.Words})
		b, err := p.device.context.Buffer(len(data))
		if err != nil {
			return fmt.Errorf("%s: %w", t.Var.Name, err)
		}
		p.tables[t] = b
		if err := b.Write(0, data); err != nil {
			return fmt.Errorf("%s: %w", t.Var.Name, err)
		}
	}
	return nil
}

// Log is what the driver's compiler had to say, warnings mostly; a driver may keep them to itself.
func (p *Program) Log() string {
	if p.built == nil {
		return ""
	}
	return p.built.Log()
}

// build calls the driver's compiler. Where a strict program divides or takes roots in f32, the device has to round them correctly.
func (d *Device) build(p *kir.Program, printed *opencl.Output) (*cl.Program, error) {
	options := printed.BuildOptions
	if c := d.Info().ComputeCapability; printed.Capability != "" && c > 0 {
		options += fmt.Sprint(" ", printed.Capability, c)
	}
	if printed.RoundedDivide == "" || !dividesFloats(p) {
		return d.context.Build(printed.Source, options)
	}
	built, err := d.context.Build(printed.Source, options+" "+printed.RoundedDivide)
	var code *cl.Error
	if errors.As(err, &code) && code.Name() == "CL_INVALID_BUILD_OPTIONS" {
		return nil, fmt.Errorf("%s does not round divisions and square roots of f32 correctly, which %s needs with strict floating point: %w",
			d.Info().Name, p.Name, err)
	}
	return built, err
}

// dividesFloats reports whether a kernel or func divides or takes a root of floats: f16 is computed in f32, and a compiler may divide
// in f32 what is an f64 before and an f32 behind.
func dividesFloats(p *kir.Program) bool {
	found := false
	look := func(e kir.Expr) {
		if op, ok := e.(*kir.Op); ok && op.T.Kind.IsFloat() {
			found = found || op.Op == ops.Div || op.Op == ops.Sqrt
		}
	}
	for _, k := range p.Kernels {
		kir.WalkStmts(k.Body, nil, look)
	}
	for _, f := range p.Funcs {
		kir.WalkStmts(f.Body, nil, look)
	}
	return found
}

// Close releases the program. A second Close does nothing.
func (p *Program) Close() {
	for _, k := range p.kernels {
		k.Close()
	}
	for _, b := range p.tables {
		b.Close()
	}
	if p.built != nil {
		p.built.Close()
	}
}

// pipeline finds an entry point.
func (p *Program) pipeline(name string) (*kir.Pipeline, error) {
	for _, q := range p.source.Pipelines {
		if q.Name == name {
			return q, nil
		}
	}
	return nil, fmt.Errorf("%s has no pipeline %s", p.source.Name, name)
}
