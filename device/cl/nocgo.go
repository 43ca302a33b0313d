//go:build !cgo

package cl

// The same API for builds without cgo: every function returns ErrNoCgo, so nothing below can be reached with a value.

type rawDevice struct{}

func (rawDevice) open() (*Context, error) { return nil, ErrNoCgo }

// A Context is a context on one device with an in-order queue that measures its kernels.
type Context struct{}

// A Program is source built for the context's device.
type Program struct{}

// A Kernel is an entry point of a program.
type Kernel struct{}

// A Buffer is memory of the device.
type Buffer struct{}

// Open returns ErrNoCgo.
func Open(d *Device) (*Context, error) {
	if d == nil {
		return nil, ErrNoCgo
	}
	return d.raw.open()
}

func Devices() ([]*Device, error)                                      { return nil, ErrNoCgo }
func (*Context) Device() *Device                                       { return nil }
func (*Context) Close() error                                          { return ErrNoCgo }
func (*Context) Build(source, options string) (*Program, error)        { return nil, ErrNoCgo }
func (*Context) Buffer(size int) (*Buffer, error)                      { return nil, ErrNoCgo }
func (*Context) Launch(*Kernel, Range, ...any) error                   { return ErrNoCgo }
func (*Context) Wait() ([]Timing, error)                               { return nil, ErrNoCgo }
func (*Program) Kernel(name string) (*Kernel, error)                   { return nil, ErrNoCgo }
func (*Program) Log() string                                           { return "" }
func (*Program) Close()                                                {}
func (*Kernel) Name() string                                           { return "" }
func (*Kernel) Parameters() int                                        { return 0 }
func (*Kernel) Limits() (Limits, error)                                { return Limits{}, ErrNoCgo }
func (*Kernel) Close()                                                 {}
func (*Buffer) Size() int                                              { return 0 }
func (*Buffer) Write(offset int, data []byte) error                    { return ErrNoCgo }
func (*Buffer) Read(offset int, data []byte) error                     { return ErrNoCgo }
func (*Buffer) Zero() error                                            { return ErrNoCgo }
func (*Buffer) Copy(offset int, from *Buffer, fromOffset, n int) error { return ErrNoCgo }
func (*Buffer) Close()                                                 {}
