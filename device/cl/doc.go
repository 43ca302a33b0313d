// Package cl is what device/ needs of OpenCL 1.2: devices and what they can do, one context with one in-order queue on one
// of them, programs, kernels, buffers, launches and their times. Every failure is a Go error that carries OpenCL's name for
// it; nothing panics, and nothing is released behind the caller's back.
//
//	devices, err := cl.Devices()
//	ctx, err := cl.Open(devices[0])
//	defer ctx.Close()                               // releases all that was made from ctx
//	program, err := ctx.Build(source, "-cl-std=CL1.2")
//	kernel, err := program.Kernel("blur")
//	in, err := ctx.Buffer(len(bytes))
//	err = in.Write(0, bytes)
//	err = ctx.Launch(kernel, cl.Range{Global: []int{640, 480}}, in, out, int64(640), float32(1.5))
//	times, err := ctx.Wait()                        // of each launch since the last Wait
//	err = out.Read(0, result)
//
// A Context and what was made from it may be used from several goroutines; calls take turns. What is left open when a
// Context is closed is closed with it, and using a closed object is an error.
//
// The package binds github.com/jgillich/go-opencl. Where that falls short it calls OpenCL itself: build logs of any length,
// warnings of successful builds, strings of more than a kilobyte, the status of events and the memory of kernels. It
// takes go-opencl's finalizers away, which would release handles at the collector's whim and from another thread.
//
// It needs cgo and, on Linux, links with the ICD loader (libOpenCL.so.1); a driver is looked for when Devices is called.
// Built without cgo, every function returns ErrNoCgo. The package knows nothing else of the project.
package cl
