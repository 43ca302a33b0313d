//go:build cgo

package cl

// #cgo CFLAGS: -DCL_TARGET_OPENCL_VERSION=120
// #cgo linux windows LDFLAGS: -lOpenCL
// #cgo darwin LDFLAGS: -framework OpenCL
// #ifdef __APPLE__
// #include <OpenCL/cl.h>
// #else
// #include <CL/cl.h>
// #endif
import "C"

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	gocl "github.com/jgillich/go-opencl/cl"
)

// fail makes an Error of an own call's result.
func fail(call string, code C.cl_int) error {
	if code == C.CL_SUCCESS {
		return nil
	}
	return &Error{Call: call, Code: int(code)}
}

// wrap makes an Error of go-opencl's, which are values without their codes.
func wrap(call string, err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	var other gocl.ErrOther
	if errors.As(err, &other) {
		return &Error{Call: call, Code: int(other)}
	}
	if code, ok := codeOf(strings.TrimPrefix(err.Error(), "cl: ")); ok {
		return &Error{Call: call, Code: code}
	}
	return fmt.Errorf("%s: %w", call, err)
}

// codeOf finds the code of a name in go-opencl's spelling, "Invalid Work Group Size".
func codeOf(spelling string) (int, bool) {
	name := "CL_" + strings.ToUpper(strings.ReplaceAll(spelling, " ", "_"))
	for code, n := range names {
		if n == name {
			return code, true
		}
	}
	return 0, false
}

// handle takes OpenCL's handle out of an object of go-opencl, which has no function for that, for the calls that it lacks.
// The result is nil where the object has been released or go-opencl has changed; OpenCL answers with an error then.
func handle(object any, field string) unsafe.Pointer {
	f := reflect.ValueOf(object).Elem().FieldByName(field)
	if f.Kind() != reflect.Pointer {
		return nil
	}
	return f.UnsafePointer()
}

// owned takes go-opencl's finalizer off an object, so that only Release releases it.
func owned[T any](object *T) *T {
	if object != nil {
		runtime.SetFinalizer(object, nil)
	}
	return object
}

// text asks for a string of any length: first for its size, then for its bytes.
func text(call string, ask func(size C.size_t, value unsafe.Pointer, needed *C.size_t) C.cl_int) (string, error) {
	var n C.size_t
	if err := fail(call, ask(0, nil, &n)); err != nil || n == 0 {
		return "", err
	}
	b := make([]byte, n)
	if err := fail(call, ask(n, unsafe.Pointer(&b[0]), nil)); err != nil {
		return "", err
	}
	s, _, _ := strings.Cut(string(b), "\x00")
	return s, nil
}

func platformText(p *gocl.Platform, what C.cl_platform_info) (string, error) {
	id := C.cl_platform_id(handle(p, "id"))
	return text("clGetPlatformInfo", func(size C.size_t, value unsafe.Pointer, needed *C.size_t) C.cl_int {
		return C.clGetPlatformInfo(id, what, size, value, needed)
	})
}

func deviceText(d *gocl.Device, what C.cl_device_info) (string, error) {
	id := C.cl_device_id(handle(d, "id"))
	return text("clGetDeviceInfo", func(size C.size_t, value unsafe.Pointer, needed *C.size_t) C.cl_int {
		return C.clGetDeviceInfo(id, what, size, value, needed)
	})
}

// build compiles for one device. The log is what the compiler said, also where it succeeded.
func build(p *gocl.Program, d *gocl.Device, options string) (log string, err error) {
	program, id := C.cl_program(handle(p, "clProgram")), C.cl_device_id(handle(d, "id"))
	text0 := append([]byte(options), 0)
	err = fail("clBuildProgram", C.clBuildProgram(program, 1, &id, (*C.char)(unsafe.Pointer(&text0[0])), nil, nil))
	log, _ = text("clGetProgramBuildInfo", func(size C.size_t, value unsafe.Pointer, needed *C.size_t) C.cl_int {
		return C.clGetProgramBuildInfo(program, id, C.CL_PROGRAM_BUILD_LOG, size, value, needed)
	}) // a log that cannot be had does not matter where the build is fine, and is said to be empty where it is not
	return log, err
}

// kernelBytes asks for one of the cl_ulong values of a kernel.
func kernelBytes(k *gocl.Kernel, d *gocl.Device, what C.cl_kernel_work_group_info) (int64, error) {
	var n C.cl_ulong
	code := C.clGetKernelWorkGroupInfo(C.cl_kernel(handle(k, "clKernel")), C.cl_device_id(handle(d, "id")), what,
		C.size_t(unsafe.Sizeof(n)), unsafe.Pointer(&n), nil)
	return int64(n), fail("clGetKernelWorkGroupInfo", code)
}

// eventError is how a command failed after it had been enqueued; nil where it completed.
func eventError(e *gocl.Event, call string) error {
	var status C.cl_int
	code := C.clGetEventInfo(C.cl_event(handle(e, "clEvent")), C.CL_EVENT_COMMAND_EXECUTION_STATUS,
		C.size_t(unsafe.Sizeof(status)), unsafe.Pointer(&status), nil)
	if err := fail("clGetEventInfo", code); err != nil {
		return err
	}
	if status < 0 {
		return fail(call, status)
	}
	return nil
}

// references counts what refers to the context, itself included; the tests look for leaks by it.
func references(c *gocl.Context) (int, error) {
	var n C.cl_uint
	code := C.clGetContextInfo(C.cl_context(handle(c, "clContext")), C.CL_CONTEXT_REFERENCE_COUNT,
		C.size_t(unsafe.Sizeof(n)), unsafe.Pointer(&n), nil)
	return int(n), fail("clGetContextInfo", code)
}

const (
	kernelLocalMem   = C.CL_KERNEL_LOCAL_MEM_SIZE
	kernelPrivateMem = C.CL_KERNEL_PRIVATE_MEM_SIZE
)
