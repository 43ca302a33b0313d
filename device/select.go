package device

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"imgc/device/cl"
)

// An Info is what a device says about itself.
type Info = cl.Device

// List returns the OpenCL devices in the order of the drivers. Where there is none, the error says why.
func List() ([]*Info, error) {
	list, err := cl.Devices()
	var code *cl.Error
	switch {
	case errors.As(err, &code) && code.Name() == "CL_PLATFORM_NOT_FOUND_KHR":
		return nil, errNoDriver
	case err == nil && len(list) == 0:
		return nil, cl.ErrNoDevice
	}
	return list, err
}

// errNoDriver is what the loader's code for "no platform" means.
var errNoDriver = errors.New("no OpenCL device: no OpenCL driver is installed")

// ErrUnknown is wrapped by the errors of selectors that choose no device.
var ErrUnknown = errors.New("no such device")

// A choiceError is a selector that chooses no device of a list.
type choiceError struct{ message string }

func (e *choiceError) Error() string { return e.message }
func (e *choiceError) Unwrap() error { return ErrUnknown }

func choicef(format string, args ...any) error { return &choiceError{fmt.Sprintf(format, args...)} }

// Select chooses a device of a list: "" or "opencl" is the first that can be used, "opencl:1" the second of the list, and
// anything else part of a device's name, in any case. Where a part fits devices of different names, the error lists them.
func Select(list []*Info, selector string) (*Info, error) {
	if selector == "" || selector == "opencl" {
		return firstUsable(list)
	}
	if digits, ok := strings.CutPrefix(selector, "opencl:"); ok {
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 {
			return nil, choicef("device %q: behind opencl: stands the number of a device, from 0", selector)
		}
		if n >= len(list) {
			return nil, choicef("there is no device opencl:%d; there are %d: %s", n, len(list), names(list))
		}
		return list[n], nil
	}
	return byName(list, selector)
}

func firstUsable(list []*Info) (*Info, error) {
	for _, d := range list {
		if d.Available && d.Compiler {
			return d, nil
		}
	}
	if len(list) > 0 {
		return nil, fmt.Errorf("no OpenCL device can be used now: each of these is not available or has no compiler: %s", names(list))
	}
	return nil, cl.ErrNoDevice
}

func byName(list []*Info, part string) (*Info, error) {
	var found []*Info
	same := true
	for _, d := range list {
		if strings.EqualFold(d.Name, part) {
			return d, nil
		}
		if strings.Contains(strings.ToLower(d.String()), strings.ToLower(part)) {
			found = append(found, d)
			same = same && d.Name == found[0].Name
		}
	}
	switch {
	case len(list) == 0:
		return nil, cl.ErrNoDevice
	case len(found) == 0 && strings.EqualFold(part, "cuda"):
		return nil, choicef("programs run through OpenCL here, for CUDA imgc build --target cuda writes a library; there are %s", names(list))
	case len(found) == 0:
		return nil, choicef("no device's name has %q in it; there are %s", part, names(list))
	case !same:
		return nil, choicef("%q fits several devices: %s", part, names(found))
	}
	return found[0], nil
}

// names lists devices for a message.
func names(list []*Info) string {
	parts := make([]string, len(list))
	for i, d := range list {
		parts[i] = d.Name
	}
	return strings.Join(parts, ", ")
}

// ErrNoOpenCL is what listing and opening devices return where the package was built without cgo.
var ErrNoOpenCL = cl.ErrNoCgo
