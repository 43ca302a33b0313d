//go:build cgo

package cl

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	gocl "github.com/jgillich/go-opencl/cl"
)

// A Context is a context on one device with an in-order queue that measures its kernels.
type Context struct {
	device *Device

	mu      sync.Mutex // guards all below and every object made from the context
	context *gocl.Context
	queue   *gocl.CommandQueue
	objects map[releaser]struct{} // open programs, kernels and buffers
	running []launch              // since the last Wait
	times   []Timing              // of launches whose events were already taken
}

// A releaser is an object that a context keeps until it is closed.
type releaser interface{ release() }

type launch struct {
	kernel string
	event  *gocl.Event
}

// maxRunning bounds the events that are kept for Wait; drivers allow only so many.
const maxRunning = 1024

var errClosed = errors.New("the OpenCL context is closed")

// Open makes a context and a queue on a device that Devices has listed.
func Open(d *Device) (*Context, error) {
	if d == nil || d.raw.device == nil {
		return nil, errors.New("no OpenCL device to open: take one that Devices lists")
	}
	context, err := gocl.CreateContext([]*gocl.Device{d.raw.device})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d, wrap("clCreateContext", err))
	}
	owned(context)
	queue, err := context.CreateCommandQueue(d.raw.device, gocl.CommandQueueProfilingEnable)
	if err != nil {
		context.Release()
		return nil, fmt.Errorf("%s: %w", d, wrap("clCreateCommandQueue", err))
	}
	return &Context{device: d, context: context, queue: owned(queue), objects: map[releaser]struct{}{}}, nil
}

// Device is the device that the context is on.
func (c *Context) Device() *Device { return c.device }

// Close waits for what runs and releases the context and everything that was made from it. A second Close does nothing.
func (c *Context) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.context == nil {
		return nil
	}
	err := c.collect()
	for o := range c.objects {
		o.release()
	}
	c.objects = nil
	c.queue.Release()
	c.context.Release()
	c.context = nil
	return err
}

// lock takes the lock, unless the context is closed.
func (c *Context) lock() error {
	c.mu.Lock()
	if c.context == nil {
		c.mu.Unlock()
		return errClosed
	}
	return nil
}

// close releases one object and forgets it.
func (c *Context) close(o releaser) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, open := c.objects[o]; open {
		delete(c.objects, o)
		o.release()
	}
}

// Launch enqueues a kernel over a range with these arguments: *Buffer, Local, Bytes, and numbers of the parameter's size
// (int8 to int64, uint8 to uint64, float32, float64; not int, whose size varies). It does not wait.
func (c *Context) Launch(k *Kernel, r Range, args ...any) error {
	if err := c.lock(); err != nil {
		return err
	}
	defer c.mu.Unlock()
	if k == nil || k.kernel == nil || k.program.context != c {
		return errors.New("the kernel is closed or belongs to another context")
	}
	if err := r.check(); err != nil {
		return fmt.Errorf("kernel %s: %w", k.name, err)
	}
	if len(args) != k.parameters {
		return fmt.Errorf("kernel %s takes %d arguments, not %d", k.name, k.parameters, len(args))
	}
	for i, a := range args {
		if err := c.setArg(k.kernel, i, a); err != nil {
			return fmt.Errorf("kernel %s: argument %d: %w", k.name, i, err)
		}
	}
	if len(c.running) >= maxRunning {
		if err := c.collect(); err != nil {
			return err
		}
	}
	event, err := c.queue.EnqueueNDRangeKernel(k.kernel, r.Offset, r.Global, r.Local, nil)
	if err != nil {
		return fmt.Errorf("kernel %s over %v in groups of %v: %w", k.name, r.Global, r.Local, wrap("clEnqueueNDRangeKernel", err))
	}
	c.running = append(c.running, launch{k.name, owned(event)})
	return nil
}

// check refuses what OpenCL 1.2 does not allow, in words.
func (r Range) check() error {
	if n := len(r.Global); n < 1 || n > 3 {
		return fmt.Errorf("a launch has 1 to 3 dimensions, not %d", n)
	}
	for _, l := range []struct {
		name string
		v    []int
		low  int
	}{{"global size", r.Global, 1}, {"group size", r.Local, 1}, {"offset", r.Offset, 0}} {
		if l.v != nil && len(l.v) != len(r.Global) {
			return fmt.Errorf("the %s has %d dimensions and the global size %d", l.name, len(l.v), len(r.Global))
		}
		for _, n := range l.v {
			if n < l.low {
				return fmt.Errorf("the %s is %v; each must be at least %d", l.name, l.v, l.low)
			}
		}
	}
	for k := range r.Local {
		if r.Global[k]%r.Local[k] != 0 {
			return fmt.Errorf("the group size %v does not divide the global size %v", r.Local, r.Global)
		}
	}
	return nil
}

// setArg sets an argument by its bytes, which serves the types that go-opencl's SetArg has no case for, too.
func (c *Context) setArg(k *gocl.Kernel, index int, arg any) error {
	var b []byte
	switch v := arg.(type) {
	case *Buffer:
		if v == nil || v.memory == nil || v.context != c {
			return errors.New("the buffer is closed or belongs to another context")
		}
		return wrap("clSetKernelArg", k.SetArgBuffer(index, v.memory))
	case Local:
		if v < 1 {
			return fmt.Errorf("%d bytes of local memory; there must be 1 at least", int(v))
		}
		return wrap("clSetKernelArg", k.SetArgLocal(index, int(v)))
	case Bytes:
		b = v
	default:
		var err error
		if b, err = scalarBytes(arg); err != nil {
			return err
		}
	}
	if len(b) == 0 {
		return errors.New("no bytes")
	}
	return wrap("clSetKernelArg", k.SetArgUnsafe(index, len(b), unsafe.Pointer(&b[0])))
}

// Wait waits until all launches have ended and returns when each of those since the last Wait ran, in their order. An
// error is the first failure of one of them; the times are then not complete.
func (c *Context) Wait() ([]Timing, error) {
	if err := c.lock(); err != nil {
		return nil, err
	}
	defer c.mu.Unlock()
	err := c.collect()
	times := c.times
	c.times = nil
	return times, err
}

// collect waits, takes the times of what ran, and releases the events.
func (c *Context) collect() error {
	first := wrap("clFinish", c.queue.Finish())
	for _, l := range c.running {
		t, err := timing(l.event)
		if err == nil {
			c.times = append(c.times, t)
		} else if first == nil || errors.As(err, new(*kernelError)) {
			first = fmt.Errorf("kernel %s: %w", l.kernel, err)
		}
		l.event.Release()
	}
	c.running = nil
	return first
}

// A kernelError is a kernel that ended with an error, which says more than what clFinish returns for it.
type kernelError struct{ error }

func (e *kernelError) Unwrap() error { return e.error }

func timing(e *gocl.Event) (Timing, error) {
	if err := eventError(e, "running it"); err != nil {
		return Timing{}, &kernelError{err}
	}
	start, err := e.GetEventProfilingInfo(gocl.ProfilingInfoCommandStart)
	if err != nil {
		return Timing{}, wrap("clGetEventProfilingInfo", err)
	}
	end, err := e.GetEventProfilingInfo(gocl.ProfilingInfoCommandEnd)
	return Timing{start, end}, wrap("clGetEventProfilingInfo", err)
}
