//go:build cgo

package cl

// #ifdef __APPLE__
// #include <OpenCL/cl.h>
// #else
// #include <CL/cl.h>
// #endif
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"

	gocl "github.com/jgillich/go-opencl/cl"
)

type rawDevice struct{ device *gocl.Device }

// listing lets one goroutine at a time ask for devices: PoCL sets up its devices while it is first asked, and tells a
// second thread that asks meanwhile of devices without a handle, or of none.
var listing sync.Mutex

// Devices lists the devices of all platforms, in the order of the drivers. Where there is none it returns an error that
// says so; drivers that fail are passed over unless no other has a device. It may be called from several goroutines.
func Devices() (devices []*Device, err error) {
	listing.Lock()
	defer listing.Unlock()
	defer func() {
		if r := recover(); r != nil { // go-opencl panics on more than 32 platforms
			devices, err = nil, fmt.Errorf("listing OpenCL devices failed: %v", r)
		}
	}()
	platforms, err := gocl.GetPlatforms()
	if err != nil {
		return nil, wrap("clGetPlatformIDs", err)
	}
	var failures []error
	for _, p := range platforms {
		found, err := platformDevices(p)
		devices = append(devices, found...)
		if err != nil {
			failures = append(failures, err)
		}
	}
	switch {
	case len(devices) > 0:
		return devices, nil
	case len(failures) > 0:
		return nil, fmt.Errorf("no OpenCL device: %w", errors.Join(failures...))
	}
	return nil, ErrNoDevice
}

func platformDevices(p *gocl.Platform) ([]*Device, error) {
	platform, err := platformText(p, C.CL_PLATFORM_NAME)
	if err != nil {
		return nil, err
	}
	found, err := p.GetDevices(gocl.DeviceTypeAll)
	if err == gocl.ErrDeviceNotFound {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", platform, wrap("clGetDeviceIDs", err))
	}
	var devices []*Device
	var failures []error
	for _, raw := range found {
		if handle(raw, "id") == nil { // asking it for anything would crash in the loader of drivers
			failures = append(failures, fmt.Errorf("%s: clGetDeviceIDs told of a device without a handle", platform))
			continue
		}
		d, err := describe(raw)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", platform, err))
			continue
		}
		d.Platform = strings.TrimSpace(platform)
		devices = append(devices, d)
	}
	return devices, errors.Join(failures...)
}

// describe asks a device about itself. Only go-opencl's functions that return errors are used; the others panic.
func describe(raw *gocl.Device) (*Device, error) {
	q := &query{device: raw}
	d := &Device{
		Name:           q.text(C.CL_DEVICE_NAME),
		Vendor:         q.text(C.CL_DEVICE_VENDOR),
		VendorID:       q.uint(raw.GetInfoUint(C.CL_DEVICE_VENDOR_ID)),
		Version:        q.text(C.CL_DEVICE_VERSION),
		C:              q.text(C.CL_DEVICE_OPENCL_C_VERSION),
		Driver:         q.text(C.CL_DRIVER_VERSION),
		Type:           DeviceType(q.ulong(raw.GetInfoUlong(C.CL_DEVICE_TYPE))) & (CPU | GPU | Accelerator | Custom),
		ComputeUnits:   q.uint(raw.GetInfoUint(C.CL_DEVICE_MAX_COMPUTE_UNITS)),
		ClockMHz:       q.uint(raw.GetInfoUint(C.CL_DEVICE_MAX_CLOCK_FREQUENCY)),
		AddressBits:    q.uint(raw.GetInfoUint(C.CL_DEVICE_ADDRESS_BITS)),
		MaxGroup:       q.size(raw.GetInfoSize(C.CL_DEVICE_MAX_WORK_GROUP_SIZE)),
		MaxItems:       q.maxItems(),
		GlobalMem:      q.ulong(raw.GetInfoUlong(C.CL_DEVICE_GLOBAL_MEM_SIZE)),
		MaxAlloc:       q.ulong(raw.GetInfoUlong(C.CL_DEVICE_MAX_MEM_ALLOC_SIZE)),
		LocalMem:       q.ulong(raw.GetInfoUlong(C.CL_DEVICE_LOCAL_MEM_SIZE)),
		DedicatedLocal: q.uint(raw.GetInfoUint(C.CL_DEVICE_LOCAL_MEM_TYPE)) == C.CL_LOCAL,
		UnifiedMem:     q.flag(raw.GetInfoBool(C.CL_DEVICE_HOST_UNIFIED_MEMORY)),
		ConstantMem:    q.ulong(raw.GetInfoUlong(C.CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE)),
		CacheLine:      q.uint(raw.GetInfoUint(C.CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE)),
		Cache:          q.ulong(raw.GetInfoUlong(C.CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)),
		Extensions:     strings.Fields(q.text(C.CL_DEVICE_EXTENSIONS)),
		Available:      q.flag(raw.GetInfoBool(C.CL_DEVICE_AVAILABLE)),
		Compiler:       q.flag(raw.GetInfoBool(C.CL_DEVICE_COMPILER_AVAILABLE)),
		raw:            rawDevice{raw},
	}
	slices.Sort(d.Extensions)
	double, err := raw.GetInfoUlong(C.CL_DEVICE_DOUBLE_FP_CONFIG)
	d.DoubleFP = d.Has("cl_khr_fp64") || err == nil && double != 0
	d.HalfFP = d.Has("cl_khr_fp16")
	if d.Has("cl_nv_device_attribute_query") {
		d.ComputeCapability = 10*deviceUint(raw, computeCapabilityMajor) + deviceUint(raw, computeCapabilityMinor)
	}
	return d, q.err
}

// Of cl_nv_device_attribute_query.
const computeCapabilityMajor, computeCapabilityMinor = 0x4000, 0x4001

// deviceUint is a number that a device may leave out; 0 where it does.
func deviceUint(d *gocl.Device, what C.cl_device_info) int {
	var n C.cl_uint
	if C.clGetDeviceInfo(C.cl_device_id(handle(d, "id")), what, C.size_t(unsafe.Sizeof(n)), unsafe.Pointer(&n), nil) != C.CL_SUCCESS {
		return 0
	}
	return int(n)
}

// A query keeps the first error among the answers of a device.
type query struct {
	device *gocl.Device
	err    error
}

func (q *query) note(err error) {
	if q.err == nil {
		q.err = wrap("clGetDeviceInfo", err)
	}
}

func (q *query) uint(v uint, err error) int     { q.note(err); return int(v) }
func (q *query) size(v int, err error) int      { q.note(err); return v }
func (q *query) ulong(v int64, err error) int64 { q.note(err); return v }
func (q *query) flag(v bool, err error) bool    { q.note(err); return v }

func (q *query) text(what C.cl_device_info) string {
	s, err := deviceText(q.device, what)
	q.note(err)
	return strings.TrimSpace(s)
}

func (q *query) maxItems() []int {
	sizes := make([]C.size_t, max(q.uint(q.device.GetInfoUint(C.CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)), 1))
	q.note(fail("clGetDeviceInfo", C.clGetDeviceInfo(C.cl_device_id(handle(q.device, "id")), C.CL_DEVICE_MAX_WORK_ITEM_SIZES,
		C.size_t(len(sizes))*C.size_t(unsafe.Sizeof(sizes[0])), unsafe.Pointer(&sizes[0]), nil)))
	items := make([]int, len(sizes))
	for i, n := range sizes {
		items[i] = int(n)
	}
	return items
}
