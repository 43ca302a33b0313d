package imgc

import (
	"context"
	"errors"

	"imgc/archmodels"
	"imgc/device"
	"imgc/device/cl"
	"imgc/device/probe"
)

// Probe measures an OpenCL device, by a selector as OpenDevice takes it, and returns an architecture model of it: the one that fits it
// best, with those figures replaced that the driver tells and that kernels can find out. Progress, if not nil, is told what is
// measured next.
func Probe(ctx context.Context, selector string, progress func(what string)) (m *Architecture, err error) {
	defer guard(&err, "measuring device %q", selector)
	if selector == referenceName {
		return nil, usagef("the reference interpreter is no device that can be measured; name an OpenCL device, which imgc devices lists")
	}
	list, err := device.List()
	if err != nil {
		return nil, &DeviceError{err}
	}
	info, err := device.Select(list, selector)
	switch {
	case errors.Is(err, device.ErrUnknown):
		return nil, usagef("%v", err)
	case err != nil:
		return nil, &DeviceError{err}
	}
	c, err := cl.Open(info)
	if err != nil {
		return nil, &DeviceError{err}
	}
	defer c.Close()
	base, _ := ArchitectureOf(info)
	m, err = probe.Run(ctx, c, base, probe.Options{Progress: progress})
	switch {
	case isStop(err):
		return nil, err
	case err != nil:
		return nil, &DeviceError{err}
	}
	if _, err := archmodels.Parse(m.Name+".yaml", []byte(m.Text())); err != nil {
		return nil, &InternalError{Doing: "writing the model of " + info.String(), Fault: err}
	}
	return m, nil
}
