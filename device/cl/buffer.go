//go:build cgo

package cl

import (
	"fmt"
	"unsafe"

	gocl "github.com/jgillich/go-opencl/cl"
)

// A Buffer is memory of the device. What it holds at first is not defined.
type Buffer struct {
	context *Context
	memory  *gocl.MemObject
	size    int
}

// Buffer allocates size bytes, 1 at least.
func (c *Context) Buffer(size int) (*Buffer, error) {
	if size < 1 {
		return nil, fmt.Errorf("a buffer of %d bytes; there must be 1 at least", size)
	}
	if err := c.lock(); err != nil {
		return nil, err
	}
	defer c.mu.Unlock()
	if int64(size) > c.device.GlobalMem { // drivers that allocate at first use let this pass
		return nil, fmt.Errorf("a buffer of %d bytes is more than %s has (%d bytes)", size, c.device.Name, c.device.GlobalMem)
	}
	memory, err := c.context.CreateEmptyBuffer(gocl.MemReadWrite, size)
	if err != nil {
		return nil, fmt.Errorf("a buffer of %d bytes on %s, which promises %d in one: %w",
			size, c.device.Name, c.device.MaxAlloc, wrap("clCreateBuffer", err))
	}
	b := &Buffer{c, owned(memory), size}
	c.objects[b] = struct{}{}
	return b, nil
}

// Size is the number of bytes.
func (b *Buffer) Size() int { return b.size }

// Close releases the buffer. A second Close does nothing.
func (b *Buffer) Close() { b.context.close(b) }

func (b *Buffer) release() {
	b.memory.Release()
	b.memory = nil
}

// Write copies data into the buffer, after all that was launched, and waits for it.
func (b *Buffer) Write(offset int, data []byte) error {
	return b.transfer("clEnqueueWriteBuffer", "write", offset, len(data), func() (*gocl.Event, error) {
		return b.context.queue.EnqueueWriteBuffer(b.memory, true, offset, len(data), unsafe.Pointer(&data[0]), nil)
	})
}

// Read copies from the buffer into data, after all that was launched, and waits for it.
func (b *Buffer) Read(offset int, data []byte) error {
	return b.transfer("clEnqueueReadBuffer", "read", offset, len(data), func() (*gocl.Event, error) {
		return b.context.queue.EnqueueReadBuffer(b.memory, true, offset, len(data), unsafe.Pointer(&data[0]), nil)
	})
}

// Zero clears the whole buffer, after all that was launched. It does not wait.
func (b *Buffer) Zero() error {
	return b.transfer("clEnqueueFillBuffer", "clear", 0, b.size, func() (*gocl.Event, error) {
		zero := [1]byte{}
		return b.context.queue.EnqueueFillBuffer(b.memory, unsafe.Pointer(&zero[0]), len(zero), 0, b.size, nil)
	})
}

// Copy copies n bytes from another buffer of the context, or from elsewhere in this one, after all that was launched. It
// does not wait.
func (b *Buffer) Copy(offset int, from *Buffer, fromOffset, n int) error {
	if from == nil || from.context != b.context {
		return fmt.Errorf("copy from a buffer of another context")
	}
	return b.transfer("clEnqueueCopyBuffer", "copy", offset, n, func() (*gocl.Event, error) {
		if err := from.check("copy", fromOffset, n); err != nil {
			return nil, err
		}
		return b.context.queue.EnqueueCopyBuffer(from.memory, b.memory, fromOffset, offset, n, nil)
	})
}

// transfer checks the range and runs one command. No bytes are no command, as OpenCL 1.2 has none of that size.
func (b *Buffer) transfer(call, verb string, offset, n int, run func() (*gocl.Event, error)) error {
	if err := b.context.lock(); err != nil {
		return err
	}
	defer b.context.mu.Unlock()
	if err := b.check(verb, offset, n); err != nil || n == 0 {
		return err
	}
	event, err := run()
	if event != nil {
		owned(event).Release()
	}
	return wrap(call, err)
}

func (b *Buffer) check(verb string, offset, n int) error {
	switch {
	case b.memory == nil:
		return fmt.Errorf("%s a buffer that is closed", verb)
	case offset < 0 || n < 0 || offset > b.size-n:
		return fmt.Errorf("%s %d bytes at %d of a buffer of %d bytes", verb, n, offset, b.size)
	}
	return nil
}
