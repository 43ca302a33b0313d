//go:build cgo

package cl

import (
	"encoding/binary"
	"errors"
	"fmt"

	gocl "github.com/jgillich/go-opencl/cl"
)

// A Program is source built for the context's device.
type Program struct {
	context *Context
	program *gocl.Program
	log     string
}

// Build compiles OpenCL C. A program that does not compile is a *BuildError with the compiler's whole log.
func (c *Context) Build(source, options string) (*Program, error) {
	if source == "" {
		return nil, errors.New("the OpenCL program is empty")
	}
	if err := c.lock(); err != nil {
		return nil, err
	}
	defer c.mu.Unlock()
	program, err := c.context.CreateProgramWithSource([]string{source})
	if err != nil {
		return nil, wrap("clCreateProgramWithSource", err)
	}
	p := &Program{context: c, program: owned(program)}
	p.log, err = build(program, c.device.raw.device, options)
	if err != nil {
		program.Release()
		var code *Error
		errors.As(err, &code)
		return nil, &BuildError{c.device.Name, options, p.log, code}
	}
	c.objects[p] = struct{}{}
	return p, nil
}

// Log is what the compiler said about a program that it accepted.
func (p *Program) Log() string { return p.log }

// Close releases the program; its kernels stay. A second Close does nothing.
func (p *Program) Close() { p.context.close(p) }

func (p *Program) release() {
	p.program.Release()
	p.program = nil
}

// A Kernel is an entry point of a program.
type Kernel struct {
	program    *Program
	kernel     *gocl.Kernel
	name       string
	parameters int
}

// Kernel finds an entry point by its name.
func (p *Program) Kernel(name string) (*Kernel, error) {
	c := p.context
	if err := c.lock(); err != nil {
		return nil, err
	}
	defer c.mu.Unlock()
	if p.program == nil {
		return nil, errors.New("the OpenCL program is closed")
	}
	kernel, err := p.program.CreateKernel(name)
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", name, wrap("clCreateKernel", err))
	}
	n, err := owned(kernel).NumArgs()
	if err != nil {
		kernel.Release()
		return nil, fmt.Errorf("kernel %s: %w", name, wrap("clGetKernelInfo", err))
	}
	k := &Kernel{p, kernel, name, n}
	c.objects[k] = struct{}{}
	return k, nil
}

// Name is the kernel's name, Parameters the number of its parameters.
func (k *Kernel) Name() string    { return k.name }
func (k *Kernel) Parameters() int { return k.parameters }

// Close releases the kernel. A second Close does nothing.
func (k *Kernel) Close() { k.program.context.close(k) }

func (k *Kernel) release() {
	k.kernel.Release()
	k.kernel = nil
}

// Limits asks the driver what the kernel needs and allows.
func (k *Kernel) Limits() (Limits, error) {
	c := k.program.context
	if err := c.lock(); err != nil {
		return Limits{}, err
	}
	defer c.mu.Unlock()
	if k.kernel == nil {
		return Limits{}, errors.New("the kernel is closed")
	}
	var l Limits
	var errs [4]error
	d := c.device.raw.device
	l.MaxGroup, errs[0] = k.kernel.WorkGroupSize(d)
	l.Multiple, errs[1] = k.kernel.PreferredWorkGroupSizeMultiple(d)
	l.LocalMem, errs[2] = kernelBytes(k.kernel, d, kernelLocalMem)
	l.PrivateMem, errs[3] = kernelBytes(k.kernel, d, kernelPrivateMem)
	for _, err := range errs {
		if err != nil {
			return Limits{}, fmt.Errorf("kernel %s: %w", k.name, wrap("clGetKernelWorkGroupInfo", err))
		}
	}
	return l, nil
}

// scalarBytes is a number as the device holds it. Every OpenCL device in use has the host's byte order.
func scalarBytes(v any) ([]byte, error) {
	switch v.(type) {
	case int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64:
		return binary.Append(nil, binary.NativeEndian, v)
	}
	return nil, fmt.Errorf("a value of Go type %T cannot be a kernel argument; give int32, float32 and so on, or cl.Bytes", v)
}
