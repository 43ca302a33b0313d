//go:build cgo

package cl

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"testing"

	gocl "github.com/jgillich/go-opencl/cl"
)

func TestNothingKeepsAContextAlive(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		k := kernelOf(t, c, "add", addSource)
		check(t, addVectors(c, k, 100))
		_, err := c.Build("kernel void f( {", "")
		expect(t, err, "CL_BUILD_PROGRAM_FAILURE")
		_, err = k.program.Kernel("none")
		expect(t, err, "none")
		must[[]Timing](t)(c.Wait())
		for o := range c.objects {
			c.close(o)
		}
		c.queue.Release()
		n, err := references(c.context)
		if err != nil || n != 1 {
			t.Errorf("%d references to the context are left, not its own alone (%v)", n, err)
		}
		if c.queue, err = c.context.CreateCommandQueue(c.device.raw.device, 0); err != nil { // for Close
			t.Fatal(err)
		}
	})
}

func TestEveryErrorOfGoOpenCLHasACode(t *testing.T) {
	for err, code := range map[error]int{
		gocl.ErrDeviceNotFound: -1, gocl.ErrMemObjectAllocationFailure: -4, gocl.ErrOutOfResources: -5, gocl.ErrBuildProgramFailure: -11,
		gocl.ErrExecStatusErrorForEventsInWaitList: -14, gocl.ErrInvalidValue: -30, gocl.ErrInvalidKernelName: -46,
		gocl.ErrInvalidArgSize: -51, gocl.ErrInvalidWorkGroupSize: -54, gocl.ErrInvalidGlObject: -60, gocl.ErrInvalidBufferSize: -61,
		gocl.ErrInvalidGlobalWorkSize: -63, gocl.ErrInvalidDevicePartitionCount: -68, gocl.ErrOther(-9999): -9999,
	} {
		var e *Error
		if got := wrap("clX", err); !errors.As(got, &e) || e.Code != code {
			t.Errorf("%v is %v, want %d", err, got, code)
		}
	}
	if err := wrap("clX", gocl.ErrUnknown); err == nil || !errors.Is(err, gocl.ErrUnknown) {
		t.Errorf("ErrUnknown is %v", err)
	}
}

// The handles are found by the names of go-opencl's fields; a new version of it must not go unnoticed.
func TestHandlesAreFound(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		k := kernelOf(t, c, "add", addSource)
		for field, object := range map[string]any{"id": c.device.raw.device, "clContext": c.context, "clProgram": k.program.program, "clKernel": k.kernel} {
			if handle(object, field) == nil {
				t.Errorf("no handle %s in %T", field, object)
			}
		}
		if handle(c.context, "none") != nil {
			t.Error("a handle that is not there")
		}
	})
}

// A machine without a driver: the loader finds no vendor, in a process of its own.
func TestNoDriverIsAClearError(t *testing.T) {
	if os.Getenv("OCL_ICD_VENDORS") == os.DevNull {
		devices, err := Devices()
		if err == nil {
			t.Skipf("the loader does not heed OCL_ICD_VENDORS and finds %d devices", len(devices))
		}
		expect(t, err, "CL_PLATFORM_NOT_FOUND_KHR: no OpenCL driver is installed")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoDriverIsAClearError$")
	cmd.Env = append(os.Environ(), "OCL_ICD_VENDORS="+os.DevNull, "OCL_ICD_FILENAMES=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Drivers set up their devices when they are first asked, so each try is a process of its own. Without the lock of
// Devices PoCL crashes in about half of them, and names too few devices in the others.
func TestDevicesAreListedByManyAtOnce(t *testing.T) {
	const inner = "IMGC_LISTED_BY_MANY"
	if os.Getenv(inner) != "" {
		listAtOnce(t)
		return
	}
	for range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDevicesAreListedByManyAtOnce$")
		cmd.Env = append(os.Environ(), inner+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

func listAtOnce(t *testing.T) {
	var counts [8]int
	var together sync.WaitGroup
	start := make(chan struct{})
	for i := range counts {
		together.Go(func() {
			<-start
			devices, _ := Devices()
			counts[i] = len(devices)
		})
	}
	close(start)
	together.Wait()
	devices, _ := Devices()
	for _, n := range counts {
		if n != len(devices) {
			t.Fatalf("devices listed at once: %v, afterwards %d", counts, len(devices))
		}
	}
}
