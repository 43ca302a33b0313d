package device

import (
	"errors"
	"strings"
	"testing"
)

var listed = []*Info{
	{Name: "Broken One", Platform: "Acme OpenCL", Available: true},
	{Name: "Acme X100", Platform: "Acme OpenCL", Available: true, Compiler: true},
	{Name: "Acme X100", Platform: "Acme OpenCL", Available: true, Compiler: true},
	{Name: "Acme X1", Platform: "Acme OpenCL", Available: true, Compiler: true},
	{Name: "pthread-cpu", Platform: "Portable Computing Language", Available: true, Compiler: true},
}

func TestSelectChoosesTheDevice(t *testing.T) {
	for selector, want := range map[string]int{
		"": 1, "opencl": 1, "opencl:0": 0, "opencl:2": 2, "x100": 1, "acme x1": 3, "PTHREAD": 4, "portable": 4, "broken": 0,
	} {
		got, err := Select(listed, selector)
		if err != nil || got != listed[want] {
			t.Errorf("Select(%q) = %v, %v; want device %d, %v", selector, got, err, want, listed[want])
		}
	}
}

func TestSelectSaysWhyItChoosesNone(t *testing.T) {
	for selector, want := range map[string]string{
		"opencl:5":  "there is no device opencl:5; there are 5",
		"opencl:-1": "stands the number of a device, from 0",
		"opencl:":   "stands the number of a device, from 0",
		"acme":      `"acme" fits several devices: Broken One, Acme X100, Acme X100, Acme X1`,
		"CUDA":      "programs run through OpenCL here, for CUDA imgc build --target cuda writes a library; there are Broken One,",
		"nvidia":    `no device's name has "nvidia" in it; there are Broken One,`,
	} {
		got, err := Select(listed, selector)
		if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), want) {
			t.Errorf("Select(%q) = %v, %v; want an error with %q", selector, got, err, want)
		}
	}
}

func TestSelectWithoutUsableDevice(t *testing.T) {
	for _, list := range [][]*Info{nil, listed[:1]} {
		for _, selector := range []string{"", "opencl"} {
			if d, err := Select(list, selector); err == nil || errors.Is(err, ErrUnknown) {
				t.Errorf("Select(%q) of %d devices = %v, %v; want an error that no device can be used", selector, len(list), d, err)
			}
		}
	}
	if d, err := Select(nil, "acme"); err == nil || errors.Is(err, ErrUnknown) {
		t.Errorf("by name of no devices: %v, %v", d, err)
	}
}
