package cl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
)

// eachDevice runs a test on every device there is, or skips it where there is none.
func eachDevice(t *testing.T, test func(*testing.T, *Device)) {
	t.Helper()
	devices, err := Devices()
	if err != nil {
		t.Skipf("no OpenCL device to test with: %v", err)
	}
	for _, d := range devices {
		t.Run(d.Name, func(t *testing.T) { test(t, d) })
	}
}

func open(t *testing.T, d *Device) *Context {
	t.Helper()
	c, err := Open(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// kernelOf builds a program of one kernel.
func kernelOf(t *testing.T, c *Context, name, source string) *Kernel {
	t.Helper()
	p := must[*Program](t)(c.Build(source, ""))
	return must[*Kernel](t)(p.Kernel(name))
}

func expect(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one with %q", parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not say %q", err, p)
		}
	}
}

const addSource = `kernel void add(global const float *a, global const float *b, global float *c, int n) {
	int i = get_global_id(0);
	if (i < n) c[i] = a[i] + b[i];
}`

func floatBytes(n int, f func(i int) float32) []byte {
	var b []byte
	for i := range n {
		b = binary.NativeEndian.AppendUint32(b, math.Float32bits(f(i)))
	}
	return b
}

// addVectors checks one addition of n elements from start to end.
func addVectors(c *Context, k *Kernel, n int) error {
	a, err1 := c.Buffer(4 * n)
	b, err2 := c.Buffer(4 * n)
	sum, err3 := c.Buffer(4 * n)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	defer a.Close()
	defer b.Close()
	defer sum.Close()
	got := make([]byte, 4*n)
	err := errors.Join(
		a.Write(0, floatBytes(n, func(i int) float32 { return float32(i) })),
		b.Write(0, floatBytes(n, func(i int) float32 { return float32(2 * i) })),
		c.Launch(k, Range{Global: []int{(n + 63) / 64 * 64}, Local: []int{64}}, a, b, sum, int32(n)),
		sum.Read(0, got))
	if err != nil {
		return err
	}
	if want := floatBytes(n, func(i int) float32 { return float32(3 * i) }); string(got) != string(want) {
		return errors.New("wrong sums")
	}
	return nil
}

func TestDevicesDescribeThemselves(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		t.Logf("%+v", *d)
		if d.Name == "" || d.Platform == "" || !strings.HasPrefix(d.Version, "OpenCL ") || d.Driver == "" || d.Type == 0 {
			t.Errorf("%s lacks text", d)
		}
		if d.ComputeUnits < 1 || d.MaxGroup < 1 || d.GlobalMem < 1 || d.MaxAlloc < 1 || d.LocalMem < 1 || len(d.MaxItems) < 3 {
			t.Errorf("%s lacks figures", d)
		}
		if d.Has("cl_khr_no_such_extension") || len(d.Extensions) > 0 && !d.Has(d.Extensions[0]) {
			t.Errorf("%s: Has is wrong", d)
		}
	})
}

func TestAddVectors(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		check(t, addVectors(c, kernelOf(t, c, "add", addSource), 1000))
	})
}

func TestBuildErrorHasTheWholeLog(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		var b strings.Builder
		for i := range 300 { // more than a megabyte, where go-opencl gives up
			fmt.Fprintf(&b, "#warning number %d %s\n", i, strings.Repeat("long ", 500))
		}
		b.WriteString("kernel void f(global int *p) { *p = no_such_name; }\n")
		_, err := c.Build(b.String(), "-DX=1")
		var build *BuildError
		if !errors.As(err, &build) {
			t.Fatalf("got %T: %v", err, err)
		}
		expect(t, err, "CL_BUILD_PROGRAM_FAILURE", "no_such_name", "-DX=1", c.Device().Name)
		if build.Err == nil || build.Err.Code != -11 {
			t.Errorf("code: %v", build.Err)
		}
		if strings.HasPrefix(c.Device().Platform, "Portable") && (len(build.Log) < 1<<20 || !strings.Contains(build.Log, "number 299 long")) {
			t.Errorf("the log has %d bytes and is not complete", len(build.Log))
		}
		if strings.ContainsRune(build.Log, 0) {
			t.Error("the log has a zero byte")
		}
		_, err = c.Build(addSource, "-no-such-option")
		expect(t, err, "-no-such-option")
		_, err = c.Build("", "")
		expect(t, err, "empty")
	})
}

func TestLogOfASuccessfulBuildIsKept(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		p := must[*Program](t)(c.Build("#warning look here\nkernel void f(global int *p) { *p = 1; }", ""))
		if p.Log() != "" && !strings.Contains(p.Log(), "look here") { // a driver may keep warnings to itself
			t.Errorf("log: %q", p.Log())
		}
		_, err := p.Kernel("g")
		expect(t, err, "kernel g", "CL_INVALID_KERNEL_NAME")
	})
}

func TestArgumentsOfEveryType(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		for _, a := range []struct {
			typ string
			arg any
			out []byte
		}{
			{"char", int8(-5), []byte{0xfb}},
			{"uchar", uint8(250), []byte{250}},
			{"short", int16(-300), []byte{0xd4, 0xfe}},
			{"ushort", uint16(0xfedc), []byte{0xdc, 0xfe}},
			{"int", int32(-70000), []byte{0x90, 0xee, 0xfe, 0xff}},
			{"uint", uint32(0xfedcba98), []byte{0x98, 0xba, 0xdc, 0xfe}},
			{"long", int64(-1 << 40), []byte{0, 0, 0, 0, 0, 0xff, 0xff, 0xff}},
			{"ulong", uint64(1<<63 + 7), []byte{7, 0, 0, 0, 0, 0, 0, 0x80}},
			{"float", float32(1.5), []byte{0, 0, 0xc0, 0x3f}},
			{"double", float64(-2), []byte{0, 0, 0, 0, 0, 0, 0, 0xc0}},
			{"uchar4", Bytes{1, 2, 3, 4}, []byte{1, 2, 3, 4}},
			{"ushort", Bytes{0, 0x3c}, []byte{0, 0x3c}}, // the bits of a half
		} {
			if a.typ == "double" && !c.Device().DoubleFP {
				continue
			}
			k := kernelOf(t, c, "f", fmt.Sprintf("kernel void f(global %[1]s *p, %[1]s v) { p[get_global_id(0)] = v; }", a.typ))
			b := must[*Buffer](t)(c.Buffer(3 * len(a.out)))
			got := make([]byte, b.Size())
			check(t, b.Zero(), c.Launch(k, Range{Global: []int{2}, Offset: []int{1}}, b, a.arg), b.Read(0, got))
			if want := string(make([]byte, len(a.out))) + string(a.out) + string(a.out); string(got) != want {
				t.Errorf("%s: the kernel wrote %v", a.typ, got)
			}
		}
		k := kernelOf(t, c, "g", `kernel void g(local int *l, global int *p) {
		l[get_local_id(0)] = get_global_id(0); barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = l[3 - get_local_id(0)]; }`)
		b := must[*Buffer](t)(c.Buffer(32))
		got := make([]byte, 32)
		check(t, c.Launch(k, Range{Global: []int{8}, Local: []int{4}}, Local(16), b), b.Read(0, got))
		for i, want := range []byte{3, 2, 1, 0, 7, 6, 5, 4} {
			if got[4*i] != want {
				t.Errorf("local memory: item %d read %d", i, got[4*i])
			}
		}
	})
}

func TestWrongLaunchesAreErrors(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		k := kernelOf(t, c, "add", addSource)
		b := must[*Buffer](t)(c.Buffer(400))
		closed := must[*Buffer](t)(c.Buffer(4))
		closed.Close()
		closed.Close()
		other := must[*Buffer](t)(open(t, d).Buffer(4))
		line := Range{Global: []int{64}}
		for _, w := range []struct {
			err   error
			parts []string
		}{
			{c.Launch(k, line, b, b, b), []string{"kernel add takes 4 arguments, not 3"}},
			{c.Launch(k, line, b, b, b, 7), []string{"kernel add: argument 3", "type int"}},
			{c.Launch(k, line, b, b, b, nil), []string{"kernel add: argument 3"}},
			{c.Launch(k, line, b, b, b, Bytes{}), []string{"argument 3: no bytes"}},
			{c.Launch(k, line, b, b, b, int64(7)), []string{"argument 3: clSetKernelArg: CL_INVALID_ARG_SIZE"}},
			{c.Launch(k, line, b, closed, b, int32(7)), []string{"argument 1: the buffer is closed"}},
			{c.Launch(k, line, b, other, b, int32(7)), []string{"argument 1: the buffer is closed or belongs to another context"}},
			{c.Launch(k, line, b, (*Buffer)(nil), b, int32(7)), []string{"argument 1: the buffer is closed"}},
			{c.Launch(nil, line), []string{"kernel is closed"}},
			{c.Launch(k, Range{}, b, b, b, int32(7)), []string{"1 to 3 dimensions, not 0"}},
			{c.Launch(k, Range{Global: []int{0}}, b, b, b, int32(7)), []string{"global size is [0]"}},
			{c.Launch(k, Range{Global: []int{8}, Local: []int{3}}, b, b, b, int32(7)), []string{"[3] does not divide"}},
			{c.Launch(k, Range{Global: []int{8}, Local: []int{4, 2}}, b, b, b, int32(7)), []string{"group size has 2 dimensions"}},
			{c.Launch(k, Range{Global: []int{1 << 24}, Local: []int{1 << 24}}, b, b, b, int32(7)), []string{"kernel add over [16777216]", "clEnqueueNDRangeKernel: CL_INVALID_WORK_"}},
			{b.Write(0, make([]byte, 401)), []string{"write 401 bytes at 0 of a buffer of 400 bytes"}},
			{b.Read(400, make([]byte, 1)), []string{"read 1 bytes at 400 of a buffer of 400 bytes"}},
			{b.Read(-1, make([]byte, 1)), []string{"at -1"}},
			{b.Copy(0, b, 399, 2), []string{"copy 2 bytes at 399"}},
			{b.Copy(0, other, 0, 1), []string{"another context"}},
			{closed.Write(0, []byte{1}), []string{"closed"}},
		} {
			expect(t, w.err, w.parts...)
		}
		_, err := c.Buffer(0)
		expect(t, err, "0 bytes")
		_, err = c.Buffer(-1)
		expect(t, err, "-1 bytes")
		_, err = c.Buffer(math.MaxInt)
		expect(t, err, "a buffer of 9223372036854775807 bytes is more than", "has")
		_, err = Open(nil)
		expect(t, err, "no OpenCL device to open")
		check(t, b.Write(400, nil), b.Read(0, nil), addVectors(c, k, 10))
	})
}

func TestTransfersKeepToTheirPlace(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		a, b := must[*Buffer](t)(c.Buffer(8)), must[*Buffer](t)(c.Buffer(8))
		got := make([]byte, 8)
		check(t, a.Zero(), b.Zero(), a.Write(2, []byte{1, 2, 3}), b.Copy(5, a, 3, 2), b.Read(0, got))
		if string(got) != "\x00\x00\x00\x00\x00\x02\x03\x00" {
			t.Errorf("got %v", got)
		}
		check(t, a.Read(3, got[:1]))
		if got[0] != 2 {
			t.Errorf("read %v at 3", got[0])
		}
	})
}

func TestWaitGivesTheTimeOfEachLaunch(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		k := kernelOf(t, c, "spin", `kernel void spin(global uint *p, int n) {
		uint v = get_global_id(0); for (int i = 0; i < n; i++) v = v * 1664525u + 1013904223u; p[get_global_id(0)] = v; }`)
		b := must[*Buffer](t)(c.Buffer(4 * 64))
		const n = 1030 // more than are kept at once
		for range n {
			check(t, c.Launch(k, Range{Global: []int{64}}, b, int32(10)))
		}
		times := must[[]Timing](t)(c.Wait())
		if len(times) != n {
			t.Fatalf("%d times of %d launches", len(times), n)
		}
		for i, tm := range times {
			if tm.Start <= 0 || tm.End < tm.Start || tm.Duration() < 0 {
				t.Fatalf("launch %d ran from %d to %d", i, tm.Start, tm.End)
			}
			if i > 0 && tm.Start < times[i-1].Start {
				t.Fatalf("launch %d began before the one before it", i)
			}
		}
		if times := must[[]Timing](t)(c.Wait()); len(times) != 0 {
			t.Errorf("%d times of no launches", len(times))
		}
	})
}

func TestKernelLimits(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		k := kernelOf(t, c, "f", `kernel void f(global int *p) { local int l[100];
		l[get_local_id(0)] = p[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = l[0]; }`)
		l := must[Limits](t)(k.Limits())
		if l.MaxGroup < 1 || l.Multiple < 1 || l.LocalMem < 0 || l.PrivateMem < 0 {
			t.Errorf("%+v", l)
		}
		if k.Name() != "f" || k.Parameters() != 1 {
			t.Errorf("%s with %d parameters", k.Name(), k.Parameters())
		}
	})
}

func TestTwoContextsAndManyGoroutines(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		if d.Platform == "Oclgrind" {
			t.Skip("Oclgrind simulates one context at a time")
		}
		contexts := []*Context{open(t, d), open(t, d)}
		var wg sync.WaitGroup
		for i := range 8 {
			c := contexts[i%2]
			k := kernelOf(t, c, "add", addSource)
			wg.Go(func() {
				for n := 1; n < 40; n++ {
					if err := addVectors(c, k, n*17); err != nil {
						t.Errorf("goroutine %d: %v", i, err)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestClosedContextRefusesEverything(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		c := open(t, d)
		p := must[*Program](t)(c.Build(addSource, ""))
		k := must[*Kernel](t)(p.Kernel("add"))
		b := must[*Buffer](t)(c.Buffer(4))
		check(t, c.Close(), c.Close())
		_, e1 := c.Build(addSource, "")
		_, e2 := p.Kernel("add")
		_, e3 := k.Limits()
		_, e4 := c.Buffer(4)
		_, e5 := c.Wait()
		for _, err := range []error{e1, e2, e3, e4, e5, b.Write(0, []byte{1}), b.Zero(), c.Launch(k, Range{Global: []int{1}}, b, b, b, int32(1))} {
			expect(t, err, "closed")
		}
		b.Close()
		k.Close()
		p.Close()
	})
}

func TestErrorsCarryOpenCLNames(t *testing.T) {
	for code, name := range map[int]string{-1: "CL_DEVICE_NOT_FOUND", -11: "CL_BUILD_PROGRAM_FAILURE", -14: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
		-19: "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", -30: "CL_INVALID_VALUE", -54: "CL_INVALID_WORK_GROUP_SIZE", -63: "CL_INVALID_GLOBAL_WORK_SIZE",
		-68: "CL_INVALID_DEVICE_PARTITION_COUNT", -72: "CL_MAX_SIZE_RESTRICTION_EXCEEDED", -1001: "CL_PLATFORM_NOT_FOUND_KHR", -4242: "OpenCL error -4242"} {
		if got := (&Error{"clX", code}).Name(); got != name {
			t.Errorf("%d is %s, want %s", code, got, name)
		}
	}
	if got := (&Error{"clGetPlatformIDs", -1001}).Error(); got != "clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR: no OpenCL driver is installed" {
		t.Error(got)
	}
}
