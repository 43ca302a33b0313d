package harness

import (
	"os"
	"strings"
	"testing"

	"imgc/device/cl"
	"imgc/pixels"
	"imgc/types"
)

// TestSimulationReportsWrongKernels shows that a clean report means something.
func TestSimulationReportsWrongKernels(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report, out, err := simulate(t, self, "-test.run=^TestWrongKernels$", "-test.v")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"Invalid write", "data race"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in the report:\n%s", want, report)
		}
	}
}

const wrongKernels = `
kernel void beyond(global int *a) { a[get_global_id(0) + 1] = 1; }
kernel void race(global int *a) { a[get_global_id(0) / 2] = get_global_id(0); }
`

// TestWrongKernels runs in the simulator's process.
func TestWrongKernels(t *testing.T) {
	if !UnderOclgrind() {
		t.Skip("TestSimulationReportsWrongKernels runs it in a process of its own")
	}
	devices, err := cl.Devices()
	if err != nil {
		t.Fatal(err)
	}
	c, err := cl.Open(devices[0])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	program, err := c.Build(wrongKernels, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"beyond", "race"} {
		k, err := program.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.Buffer(32)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Launch(k, cl.Range{Global: []int{8}, Local: []int{4}}, b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Wait(); err != nil {
		t.Fatal(err)
	}
}

func floats(values ...float64) *pixels.Image {
	m, _ := pixels.New(types.Scalar(types.F32), len(values))
	for i, v := range values {
		m.SetWord(i, types.Float(types.Round(types.F32, v)))
	}
	return m
}

func TestComparisonKeepsItsBounds(t *testing.T) {
	nan := floats(0).Word(0).Float()
	nan /= nan
	for _, c := range []struct {
		name      string
		got, want *pixels.Image
		bound     Bound
		equal     bool
	}{
		{"equal bits", floats(1, 2), floats(1, 2), Bound{}, true},
		{"any difference", floats(1, 2.0000002), floats(1, 2), Bound{}, false},
		{"NaN is NaN", floats(nan), floats(nan), Bound{}, true},
		{"NaN is no number", floats(nan), floats(1), Bound{Abs: 1e9}, false},
		{"within abs", floats(1.5), floats(1), Bound{Abs: 0.5}, true},
		{"beyond abs", floats(1.75), floats(1), Bound{Abs: 0.5}, false},
		{"within rel", floats(101), floats(100), Bound{Rel: 0.01}, true},
		{"beyond rel", floats(102), floats(100), Bound{Rel: 0.01}, false},
		{"within scale", floats(1, 100), floats(0, 100), Bound{Scale: 0.01}, true},
		{"beyond scale", floats(2, 100), floats(0, 100), Bound{Scale: 0.01}, false},
		{"around the modulus", floats(179), floats(0), Bound{Abs: 1, Modulus: 180}, true},
		{"off the modulus", floats(178), floats(0), Bound{Abs: 1, Modulus: 180}, false},
		{"few outliers", floats(1, 2, 3, 9), floats(1, 2, 3, 4), Bound{Outliers: 0.25}, true},
		{"many outliers", floats(1, 2, 8, 9), floats(1, 2, 3, 4), Bound{Outliers: 0.25}, false},
		{"other extents", floats(1, 2), floats(1, 2, 3), Bound{Abs: 9, Outliers: 1}, false},
		{"no image", nil, floats(1), Bound{Abs: 9, Outliers: 1}, false},
	} {
		if err := Compare(c.got, c.want, c.bound); (err == nil) != c.equal {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
