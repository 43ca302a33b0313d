package probe

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"imgc/archmodels"
	"imgc/device/cl"
)

// small makes a probe quick: what it finds is then of no use, but all of it is found.
var small = Options{Bytes: 1 << 16, AtLeast: time.Microsecond, Repeats: 1}

func open(t *testing.T) *cl.Context {
	t.Helper()
	devices, err := cl.Devices()
	if err != nil {
		t.Skipf("no OpenCL device to measure: %v", err)
	}
	c, err := cl.Open(devices[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func generic(t *testing.T, d *cl.Device) *archmodels.Model {
	t.Helper()
	name := "generic-gpu"
	if d.Type == cl.CPU {
		name = "generic-cpu"
	}
	m, err := archmodels.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestADeviceIsMeasured(t *testing.T) {
	c := open(t)
	d := c.Device()
	m, err := Run(context.Background(), c, generic(t, d), small)
	if err != nil {
		t.Fatal(err)
	}
	back, err := archmodels.Parse("probed.yaml", []byte(m.Text()))
	if err != nil {
		t.Fatalf("%v\n%s", err, m.Text())
	}
	for _, f := range []*archmodels.Figure{
		&back.Bandwidth.Copy, &back.Bandwidth.Read, &back.Bandwidth.Fabric, &back.Bandwidth.Width1, &back.Bandwidth.Width16,
		&back.Launch.Fixed, &back.Launch.Dependent, &back.Launch.Host, &back.Rates.GlobalAtomics, &back.Rates.SpreadAtomics,
	} {
		if !f.Known || f.Source != measured || f.How != archmodels.Measured || f.Value <= 0 {
			t.Errorf("a figure that was not measured: %+v", *f)
		}
	}
	if f := back.Rates.FMA; d.ClockMHz > 0 && f.Source != measured {
		t.Errorf("the rate of multiply-adds was not measured: %+v", f)
	}
	if f := back.Rates.Units; int(f.Value) != d.ComputeUnits || f.Source != driver {
		t.Errorf("compute units %+v, the driver says %d", f, d.ComputeUnits)
	}
	t.Log("\n" + m.Text())
}

func TestAProbeCanBeStopped(t *testing.T) {
	c := open(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Run(ctx, c, generic(t, c.Device()), small); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestALostDeviceIsAnError(t *testing.T) {
	c := open(t)
	base := generic(t, c.Device())
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if m, err := Run(context.Background(), c, base, small); err == nil {
		t.Errorf("a model of a device that is closed: %s", m.Title)
	}
}

func TestTablesReachEachFigureOnce(t *testing.T) {
	m := &archmodels.Model{}
	seen := map[*archmodels.Figure]bool{}
	note := func(f *archmodels.Figure) {
		if seen[f] {
			t.Errorf("a figure is measured twice: number %d", len(seen))
		}
		seen[f] = true
	}
	for _, s := range copies {
		note(s.at(m))
	}
	for _, s := range reads {
		note(s.at(m))
	}
	for _, r := range rates {
		note(r.at(m))
	}
	for _, f := range byDriver {
		note(f.at(m))
	}
}

func TestChainsVisitEveryLine(t *testing.T) {
	const size, line = 8192, 64
	b, at, seen := chain(size, line), uint32(0), map[uint32]bool{}
	for range size / line {
		if seen[at] || at*4%line != 0 {
			t.Fatalf("%d comes again, or begins no line", at)
		}
		seen[at] = true
		at = binary.NativeEndian.Uint32(b[4*at:])
	}
	if at != 0 {
		t.Errorf("the chain ends at %d", at)
	}
}

func TestNamesOfModels(t *testing.T) {
	for device, want := range map[string]string{
		"NVIDIA H200": "nvidia-h200", "pthread-AMD EPYC 7B13": "pthread-amd-epyc-7b13", "Intel(R) Arc(TM) A770": "intel-r-arc-tm-a770", "(?)": "device",
	} {
		if got := nameOf(device); got != want {
			t.Errorf("%s: %s, want %s", device, got, want)
		}
	}
}
