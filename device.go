package imgc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"imgc/device"
	"imgc/emit/opencl"
	"imgc/interp"
)

// A DeviceInfo is what an OpenCL device says about itself.
type DeviceInfo = device.Info

// Devices lists the OpenCL devices. Where there is none, the DeviceError says why.
func Devices() (list []*DeviceInfo, err error) {
	defer guard(&err, "listing devices")
	list, err = device.List()
	if err != nil {
		return nil, &DeviceError{err}
	}
	return list, nil
}

// reference names the interpreter among devices.
const referenceName = "ref"

// A Device is something that runs programs: the reference interpreter or an OpenCL device. It keeps what it has compiled until it
// is closed.
type Device struct {
	opened *device.Device // nil of the interpreter
	reason error          // why the interpreter was taken for want of a device
	limits interp.Options // of the interpreter

	mu       sync.Mutex
	compiled map[*Program]*device.Program
}

// OpenDevice opens the device that a selector names: "ref" is the interpreter, which is always there, "opencl" the first OpenCL
// device, "opencl:1" the second, anything else part of a device's name. "" is the first OpenCL device, or the interpreter where
// there is none; see Fallback.
func OpenDevice(selector string) (d *Device, err error) {
	defer guard(&err, "opening device %q", selector)
	if selector == referenceName {
		return &Device{}, nil
	}
	opened, err := device.Open(selector)
	switch {
	case err == nil:
		return &Device{opened: opened, compiled: map[*Program]*device.Program{}}, nil
	case selector == "":
		return &Device{reason: err}, nil
	case errors.Is(err, device.ErrUnknown):
		return nil, usagef("%v; ref is the reference interpreter", err)
	}
	return nil, &DeviceError{err}
}

// IsReference reports whether the device is the reference interpreter.
func (d *Device) IsReference() bool { return d.opened == nil }

// LimitLoops sets how many iterations the loops in a while, and what it repeats, may make before they are taken for endless: those
// of the host, and in the reference interpreter those of one instance of an iterate. 0 is the default, DefaultIterations in an
// instance and DefaultRounds on the host.
func (d *Device) LimitLoops(n int64) {
	d.limits.MaxSteps, d.limits.MaxRounds = n, n
	if !d.IsReference() {
		d.opened.LimitRounds(n)
	}
}

// The limits on loops in a while.
const (
	DefaultIterations = interp.DefaultSteps
	DefaultRounds     = device.DefaultRounds
)

// Fallback says why OpenDevice("") took the interpreter; nil where it was asked for, or another device was found.
func (d *Device) Fallback() error { return d.reason }

// String is the device's name, with the platform's.
func (d *Device) String() string {
	if d.IsReference() {
		return "the reference interpreter"
	}
	return d.opened.Info().String()
}

// Close releases the device.
func (d *Device) Close() error {
	if d.IsReference() {
		return nil
	}
	if err := d.opened.Close(); err != nil {
		return &DeviceError{err}
	}
	return nil
}

// program compiles a program for the device, once.
func (d *Device) program(p *Program) (*device.Program, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if done := d.compiled[p]; done != nil {
		return done, nil
	}
	kernels, err := p.openCL(opencl.Options{Version: Version()}, d.target(p))
	if err != nil {
		return nil, err
	}
	built, err := d.opened.Build(kernels.Program, kernels.Output)
	if err != nil {
		return nil, &DeviceError{err}
	}
	d.compiled[p] = built
	return built, nil
}

// target is an OpenCL device as what a program is compiled for.
func (d *Device) target(p *Program) target {
	to := p.target()
	if to.model == nil {
		to.model, _ = ArchitectureOf(d.opened.Info())
	}
	to.names = append(to.names, d.String(), to.model.Name)
	return to
}

// forget releases what was compiled of a program that will not run again.
func (d *Device) forget(p *Program) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if done := d.compiled[p]; done != nil {
		done.Close()
		delete(d.compiled, p)
	}
}

// interpreter is what the reference interpreter may use for a program.
func (d *Device) interpreter(p *Program) interp.Options {
	opts := d.limits
	opts.Externs, opts.Claims = p.options.Externs, p.claims
	return opts
}

func (d *Device) run(ctx context.Context, p *Program, q *Pipeline, args Args) (Results, error) {
	if d.IsReference() {
		return reference(ctx, q, args, d.interpreter(p))
	}
	built, err := d.program(p)
	if err != nil {
		return Results{}, err
	}
	r, err := built.Run(ctx, q.Name, args, device.Layout{})
	return Results(r), deviceError(err)
}

func (d *Device) time(ctx context.Context, p *Program, q *Pipeline, args Args, runs int) ([]time.Duration, error) {
	if d.IsReference() {
		return timeReference(ctx, q, args, runs, d.interpreter(p))
	}
	built, err := d.program(p)
	if err != nil {
		return nil, err
	}
	all, err := built.Time(ctx, q.Name, args, runs)
	return all, deviceError(err)
}

// deviceError sorts the errors of package device.
func deviceError(err error) error {
	var call *device.Error
	switch {
	case err == nil || isStop(err):
		return err
	case errors.As(err, &call):
		return &CallError{Pipeline: call.Pipeline, Message: call.Message, At: call.At}
	case errors.Is(err, device.ErrInternal):
		return &InternalError{Doing: "running a compiled program", Fault: err}
	}
	return &DeviceError{fmt.Errorf("%w", err)}
}

// ErrNoOpenCL is wrapped by the errors of an imgc that was built without OpenCL.
var ErrNoOpenCL = device.ErrNoOpenCL
