package cl

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoCgo is what every function returns where the package was built without cgo.
var ErrNoCgo = errors.New("this imgc was built without cgo, so it has no OpenCL")

// ErrNoDevice is returned by Devices where drivers are installed but none of them has a device.
var ErrNoDevice = errors.New("no OpenCL device: the drivers installed here find none")

// An Error is a failure of an OpenCL function.
type Error struct {
	Call string // the function: "clEnqueueNDRangeKernel"
	Code int    // as in cl.h, negative
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Call, e.Name())
	if hint := hints[e.Code]; hint != "" {
		s += ": " + hint
	}
	return s
}

// Name is OpenCL's name for the code.
func (e *Error) Name() string {
	if n, ok := names[e.Code]; ok {
		return n
	}
	return fmt.Sprintf("OpenCL error %d", e.Code)
}

// A BuildError is a program that does not compile.
type BuildError struct {
	Device  string
	Options string
	Log     string // all that the compiler said
	Err     *Error
}

func (e *BuildError) Error() string {
	log := strings.TrimSpace(e.Log)
	if log == "" {
		log = "the compiler gives no reason"
	}
	with := ""
	if e.Options != "" {
		with = " with options " + e.Options
	}
	return fmt.Sprintf("%s on %s%s:\n%s", e.Err, e.Device, with, log)
}

func (e *BuildError) Unwrap() error { return e.Err }

// hints say what a code often means, where its name does not.
var hints = map[int]string{
	-1001: "no OpenCL driver is installed",
	-9999: "a kernel accessed memory outside its buffers; the driver answers nothing more in this process",
	-2:    "the device is there but cannot be used now",
	-4:    "the device has no memory left for a buffer",
	-5:    "the kernel needs more than the device has, or a kernel accessed memory outside its buffers",
	-6:    "the driver has no host memory left",
	-36:   "an earlier kernel may have failed",
	-51:   "the argument's size is not the parameter's",
	-52:   "an argument was not set",
}

// names are OpenCL's error codes, as the specification lists them.
var names = func() map[int]string {
	m := map[int]string{-1001: "CL_PLATFORM_NOT_FOUND_KHR", -9999: "CL_UNKNOWN_ERROR (NVIDIA, -9999)"}
	for first, list := range map[int]string{
		-1: `DEVICE_NOT_FOUND DEVICE_NOT_AVAILABLE COMPILER_NOT_AVAILABLE MEM_OBJECT_ALLOCATION_FAILURE OUT_OF_RESOURCES
			OUT_OF_HOST_MEMORY PROFILING_INFO_NOT_AVAILABLE MEM_COPY_OVERLAP IMAGE_FORMAT_MISMATCH IMAGE_FORMAT_NOT_SUPPORTED
			BUILD_PROGRAM_FAILURE MAP_FAILURE MISALIGNED_SUB_BUFFER_OFFSET EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
			COMPILE_PROGRAM_FAILURE LINKER_NOT_AVAILABLE LINK_PROGRAM_FAILURE DEVICE_PARTITION_FAILED KERNEL_ARG_INFO_NOT_AVAILABLE`,
		-30: `INVALID_VALUE INVALID_DEVICE_TYPE INVALID_PLATFORM INVALID_DEVICE INVALID_CONTEXT INVALID_QUEUE_PROPERTIES
			INVALID_COMMAND_QUEUE INVALID_HOST_PTR INVALID_MEM_OBJECT INVALID_IMAGE_FORMAT_DESCRIPTOR INVALID_IMAGE_SIZE
			INVALID_SAMPLER INVALID_BINARY INVALID_BUILD_OPTIONS INVALID_PROGRAM INVALID_PROGRAM_EXECUTABLE INVALID_KERNEL_NAME
			INVALID_KERNEL_DEFINITION INVALID_KERNEL INVALID_ARG_INDEX INVALID_ARG_VALUE INVALID_ARG_SIZE INVALID_KERNEL_ARGS
			INVALID_WORK_DIMENSION INVALID_WORK_GROUP_SIZE INVALID_WORK_ITEM_SIZE INVALID_GLOBAL_OFFSET INVALID_EVENT_WAIT_LIST
			INVALID_EVENT INVALID_OPERATION INVALID_GL_OBJECT INVALID_BUFFER_SIZE INVALID_MIP_LEVEL INVALID_GLOBAL_WORK_SIZE
			INVALID_PROPERTY INVALID_IMAGE_DESCRIPTOR INVALID_COMPILER_OPTIONS INVALID_LINKER_OPTIONS
			INVALID_DEVICE_PARTITION_COUNT INVALID_PIPE_SIZE INVALID_DEVICE_QUEUE INVALID_SPEC_ID MAX_SIZE_RESTRICTION_EXCEEDED`,
	} {
		for i, name := range strings.Fields(list) {
			m[first-i] = "CL_" + name
		}
	}
	return m
}()
