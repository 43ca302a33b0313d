package cl

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Device is an OpenCL device and what it says about itself.
type Device struct {
	Platform string // name of the platform, "Portable Computing Language"
	Name     string
	Vendor   string
	VendorID int
	Version  string // of OpenCL, with the vendor's addition: "OpenCL 3.0 CUDA 12.4.89"
	C        string // the language's version: "OpenCL C 1.2 "
	Driver   string
	Type     DeviceType

	ComputeUnits int
	ClockMHz     int // 0 where the driver does not say
	AddressBits  int
	MaxGroup     int   // work-items in a group
	MaxItems     []int // work-items of a group in each dimension

	GlobalMem      int64 // bytes
	MaxAlloc       int64 // bytes of one buffer that every driver allows; some allow more
	LocalMem       int64 // bytes for each group
	DedicatedLocal bool  // local memory is faster than global memory, not a part of it
	UnifiedMem     bool  // host and device share memory
	ConstantMem    int64 // bytes of one constant buffer
	CacheLine      int   // bytes
	Cache          int64 // bytes of the last-level cache, as far as the driver knows

	Extensions []string // sorted
	DoubleFP   bool     // double is supported (cl_khr_fp64, or the optional feature of OpenCL 1.2)
	HalfFP     bool     // half arithmetic is supported (cl_khr_fp16)
	Available  bool
	Compiler   bool // it can build programs from source

	ComputeCapability int // of NVIDIA's devices: 61 for 6.1; 0 of others

	raw rawDevice
}

// Has reports whether the device names the extension.
func (d *Device) Has(extension string) bool {
	_, ok := slices.BinarySearch(d.Extensions, extension)
	return ok
}

// String is the name with the platform's.
func (d *Device) String() string { return fmt.Sprintf("%s (%s)", d.Name, d.Platform) }

// A DeviceType is a set of OpenCL's device types.
type DeviceType uint

const (
	CPU         DeviceType = 1 << 1
	GPU         DeviceType = 1 << 2
	Accelerator DeviceType = 1 << 3
	Custom      DeviceType = 1 << 4
)

func (t DeviceType) String() string {
	var names []string
	for _, n := range []struct {
		bit  DeviceType
		name string
	}{{CPU, "CPU"}, {GPU, "GPU"}, {Accelerator, "accelerator"}, {Custom, "custom"}} {
		if t&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	if names == nil {
		return "unknown"
	}
	return strings.Join(names, "+")
}

// A Range is the shape of a launch, one to three dimensions, x first.
type Range struct {
	Global []int // work-items, at least 1 in each dimension
	Local  []int // work-items of a group, which divide Global; nil leaves them to the driver
	Offset []int // of the global ids; nil is 0
}

// A Timing is when a kernel ran, in nanoseconds of the device's clock.
type Timing struct{ Start, End int64 }

// Duration is how long the kernel ran, without its time in the queue.
func (t Timing) Duration() time.Duration { return time.Duration(t.End - t.Start) }

// Limits is what a built kernel needs and allows on its context's device.
type Limits struct {
	MaxGroup   int   // work-items in a group
	Multiple   int   // group sizes should be multiples of this
	LocalMem   int64 // bytes of local memory for each group, without arguments of type Local
	PrivateMem int64 // bytes of private memory in memory, for each work-item, as far as the driver says
}

// Local is a kernel argument: so many bytes of local memory.
type Local int

// Bytes is a kernel argument of any scalar or vector type, by its bytes in the device's order: a half, a float4, a struct.
type Bytes []byte
