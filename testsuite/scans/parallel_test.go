package scans

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/imagefile"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// A recurrence is the body of an iterate under scan(x) or scan(-x), written for one axis: b and c are given, a is kept or made. For
// more axes, the other indices are put before and behind that of x.
type recurrence struct {
	name, elem, rule, body string
}

// All of these run in parallel along x. Floats do so unless they have to be strict.
var recurrences = []recurrence{
	{"sums", "i32", "constant(7)", "a[x] = a[x-1] + b[x];"},
	{"small", "u8", "clamp", "a[x] = u8(a[x-1] + b[x] - c[x]);"},
	{"products", "u32", "constant(3)", "a[x] = b[x] * a[x-1];"},
	{"masked", "u16", "clamp", "a[x] = u16((a[x-1] | 4096) & (b[x] | 8192));"},
	{"bits", "u32", "clamp", "a[x] = a[x-1] | b[x] & c[x] & 0x10101;"},
	{"parity", "i64", "constant(5l)", "a[x] = a[x-1] ^ b[x];"},
	{"least", "i16", "repeat", "a[x] = min(a[x-1], b[x]);"},
	{"most", "f32", "clamp", "a[x] = max(b[x], a[x-1]);"},
	{"update", "u8", "constant(3)", "a[x] += a[x-1];"},
	{"first", "i32", "reflect", "a[x] = c[x]*a[x-1] + b[x];"},
	{"restarted", "i32", "constant(0)", "a[x] = b[x] > 1000000000 ? c[x] : a[x-1] + b[x];"},
	{"second", "i32", "reflect101", "a[x] = c[x]*a[x-1] + b[x]*a[x-2] + a[x];"},
	{"fourth", "u32", "repeat", "let v = a[x-1] + a[x-2]; let q = 2*v + b[x]; a[x] = q - v + a[x-4];"},
	{"pairs", "i32x2", "clamp", "a[x] = 5*a[x-1] - 7*a[x-2] + b[x];"},
	{"total", "f32", "clamp", "a[x] = a[x-1] + b[x];"},
	{"smooth", "f32", "clamp", "a[x] = 0.25*a[x] + 0.75*a[x-1];"},
	{"resonant", "f32", "constant(0)", "a[x] = 1.2*a[x-1] - 0.6*a[x-2] + b[x];"},
	{"colours", "f32x3", "clamp", "a[x] = b[x] + 0.5*(a[x-1] - b[x]);"},
	{"falling", "u8", "constant(200)", "a[x] = u8(max(b[x], a[x-1] - 4));"},
	{"distance", "u16", "constant(255)", "a[x] = b[x] > 60000 ? 0 : u16(min(a[x-1] + 1, 255));"},
	{"saturated", "i8x3", "clamp", "a[x] = sat<i8x3>(a[x-1] + b[x]);"},
	{"far", "i32", "constant(10000)", "a[x] = b[x] > 2000000000 ? 0 : min(a[x-1] + 1, 10000);"},
	{"limited", "i32", "clamp", "a[x] = min(a[x], a[x-1] + 1);"},
	{"kept", "i32", "clamp", "a[x] = clamp(a[x-1] + i32(i16(b[x])), b[x] >> 3, c[x] >> 3);"},
	{"unstable", "f32", "clamp", "a[x] = b[x] > 0 ? 3.0*a[x-1] : 0.125*a[x-1] + b[x];"},
}

// text is a pipeline of the recurrence among axes of names; along is the one of the scan.
func (r recurrence) text(name string, axes []string, along int, down bool) string {
	sign, toward := "", "-"
	if down {
		sign, toward = "-", "+"
	}
	before, behind := "", ""
	for i, v := range axes {
		switch {
		case i < along:
			before += "[" + v + "]"
		case i > along:
			behind += "[" + v + "]"
		}
	}
	body := r.body
	for _, m := range []string{"a", "b", "c"} {
		for _, d := range []string{"", "-1", "-2", "-4"} {
			inner := "[" + axes[along] + strings.ReplaceAll(d, "-", toward) + "]"
			body = strings.ReplaceAll(body, m+"[x"+d+"]", m+before+inner+behind)
		}
	}
	extent := ""
	for _, v := range axes {
		extent += "[" + strings.ToUpper(v) + "]"
	}
	return fmt.Sprintf("pipeline %s(in b: %s%s, in c: %s%s, inout a: %s%s) {\n    iterate (%s) over a scan(%s%s) border %s {\n        %s\n    }\n}\n",
		name, r.elem, extent, r.elem, extent, r.elem, extent, strings.Join(axes, ", "), sign, axes[along], r.rule, body)
}

// A call is one pipeline with the extents that it is run at.
type call struct {
	r       recurrence
	name    string
	extents [][]int
}

// A suite is pipelines of one program.
type suite struct {
	calls []call
	text  string
}

func (s *suite) add(r recurrence, axes []string, along int, down bool, extents ...[]int) {
	name := fmt.Sprintf("%s_%d_%d", r.name, len(axes), along)
	if down {
		name += "_down"
	}
	s.calls = append(s.calls, call{r, name, extents})
	s.text += r.text(name, axes, along, down)
}

var axes = [][]string{1: {"x"}, 2: {"y", "x"}, 3: {"z", "y", "x"}}

// everyOne is every recurrence along one axis, there or back.
func everyOne() (s suite) {
	for i, r := range recurrences {
		s.add(r, axes[1], 0, i%2 == 1, []int{1}, []int{2}, []int{5}, []int{32}, []int{33}, []int{34}, []int{35}, []int{64}, []int{65}, []int{66},
			[]int{97}, []int{1009})
	}
	return s
}

// everyAxis is some recurrences along every axis of two and three.
func everyAxis() (s suite) {
	for i, r := range recurrences {
		if i%6 != 0 {
			continue
		}
		for along := range 2 {
			s.add(r, axes[2], along, i%4 == 2*along, []int{1, 1}, []int{33, 70}, []int{101, 5}, []int{3, 139})
		}
		for along := range 3 {
			s.add(r, axes[3], along, (i/6+along)%2 == 0, []int{1, 2, 3}, []int{37, 3, 2}, []int{2, 71, 3}, []int{3, 2, 103})
		}
	}
	return s
}

// relaxed is the recurrences whose rounding depends on the order.
func relaxed() (s suite) {
	for _, r := range recurrences {
		if r.rounds() {
			s.add(r, axes[1], 0, false, []int{2}, []int{33}, []int{66}, []int{1009})
			s.add(r, axes[2], 1, true, []int{3, 70})
		}
	}
	return s
}

// simulated is few pixels of the kinds of recurrences, for the simulator and the C project.
func simulated() (s suite) {
	for _, r := range recurrences {
		switch r.name {
		case "small", "second", "smooth", "restarted", "falling", "limited":
			s.add(r, axes[1], 0, false, []int{1}, []int{70})
			s.add(r, axes[2], 0, true, []int{68, 3})
		}
	}
	return s
}

// rounds reports whether the order of operations may show.
func (r recurrence) rounds() bool { return r.elem[0] == 'f' && r.name != "most" }

func (c call) args(t *testing.T, extent []int) imgc.Args {
	elem, ok := types.Parse(c.r.elem)
	if !ok {
		t.Fatal(c.r.elem)
	}
	args := imgc.Args{Images: map[string]*pixels.Image{}}
	for _, m := range []string{"a", "b", "c"} {
		args.Images[m] = harness.Input(c.name+m, harness.Random, elem, extent...)
	}
	return args
}

func (c call) bound(mode imgc.Mode) harness.Bound {
	if mode == imgc.Strict || !c.r.rounds() {
		return harness.Bound{}
	}
	return harness.Bound{Scale: 64 * 1009 * 0x1p-24}
}

// TestParallelScans holds parallel scans on a device against the interpreter, which goes from pixel to pixel.
func TestParallelScans(t *testing.T) {
	t.Run("every one", func(t *testing.T) { everyOne().onDevice(t, imgc.Strict) })
	t.Run("every axis", func(t *testing.T) { everyAxis().onDevice(t, imgc.Strict) })
	t.Run("relaxed", func(t *testing.T) { relaxed().onDevice(t, imgc.Contract) })
}

// lines is recurrences along the last axis, which groups can take if they are prefixes.
func lines() (s suite) {
	for _, r := range recurrences {
		s.add(r, axes[1], 0, false, []int{1}, []int{31}, []int{33}, []int{1009})
		s.add(r, axes[2], 1, false, []int{3, 70}, []int{33, 5})
	}
	return s
}

// simulatedLines is a few of them for the simulator.
func simulatedLines() (s suite) {
	for _, r := range recurrences {
		if r.name == "small" || r.name == "restarted" || r.name == "most" {
			s.add(r, axes[2], 1, false, []int{2, 37})
		}
	}
	return s
}

// byGroups lets groups of n work-items take lines that are prefixes.
func byGroups(n, width int, mode imgc.Mode) imgc.Options {
	return imgc.Options{Mode: mode, Decide: func(string, *hast.Stage) schedule.Decisions {
		return schedule.Decisions{Prefix: n, Item: [2]int{width}}
	}}
}

// TestLinesByGroups has groups take the lines of prefixes, strictly where rounding does not depend on the order.
func TestLinesByGroups(t *testing.T) {
	for _, c := range []struct {
		mode     imgc.Mode
		n, width int
	}{{imgc.Strict, 8, 4}, {imgc.Contract, 32, 2}} {
		t.Run(fmt.Sprintf("%s/%d/%d", c.mode, c.n, c.width), func(t *testing.T) {
			s := lines()
			p := harness.CompileWith(t, "lines.img", s.text, byGroups(c.n, c.width, c.mode))
			kernels, err := p.OpenCL()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(kernels.Output.Source, "__local") {
				t.Error("no line is taken by a group")
			}
			s.compare(t, p, harness.BuildPlain(t, p), c.mode)
		})
	}
}

func (s suite) onDevice(t *testing.T, mode imgc.Mode) {
	p := harness.Compile(t, "parallel.img", s.text, mode)
	s.compare(t, p, harness.Build(t, p), mode)
}

// compare runs all calls on a device and holds them against the interpreter.
func (s suite) compare(t *testing.T, p *imgc.Program, built *device.Program, mode imgc.Mode) {
	for _, c := range s.calls {
		for i, extent := range c.extents {
			want := harness.Interpret(t, p, c.name, c.args(t, extent)).Images["a"]
			layout := []device.Layout{{}, {Pad: 3, Offset: 5}}[i%2]
			r, err := built.Run(context.Background(), c.name, device.Args(c.args(t, extent)), layout)
			if err != nil {
				t.Fatal(err)
			}
			if err := harness.Compare(r.Images["a"], want, c.bound(mode)); err != nil {
				t.Errorf("%s %v with the layout %+v: %v", c.name, extent, layout, err)
			}
		}
	}
}

func TestParallelScansUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedScans there")
	}
	harness.SimulateTest(t, "TestSimulatedScans")
}

// TestSimulatedScans runs in the process that TestParallelScansUnderOclgrind starts.
func TestSimulatedScans(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestParallelScansUnderOclgrind runs it in a process of its own")
	}
	simulated().onDevice(t, imgc.Contract)
	s := simulatedLines()
	p := harness.CompileWith(t, "lines.img", s.text, byGroups(8, 2, imgc.Contract))
	s.compare(t, p, harness.BuildPlain(t, p), imgc.Contract)
	stepsOfGroups(t, 4, [][]int{{1, 3}, {4, 9}})
	runBands(t, [3]int{4, 8, 16}, [][]int{{2, 4}, {5, 19}}, harness.BuildPlain)
	runAhead(t, 4, [][]int{{5, 6}, {8, 3}}, harness.BuildPlain)
	simulated().fetch(t, 4, imgc.Contract)
}

// TestGeneratedProject runs parallel scans through the C library that is made of them.
func TestGeneratedProject(t *testing.T) {
	harness.Device(t)
	s := simulated()
	p := harness.Compile(t, "parallel.img", s.text, imgc.Contract)
	demo := harness.WriteProject(t, p, imgc.ProjectOptions{}).Demo(t)
	for _, c := range s.calls {
		for _, extent := range c.extents {
			given, want := c.args(t, extent), harness.Interpret(t, p, c.name, c.args(t, extent)).Images["a"]
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name+".npy") }
			for name, m := range given.Images {
				if err := imagefile.Write(path(name), m, imagefile.Want{}); err != nil {
					t.Fatal(err)
				}
			}
			harness.Command(t, dir, demo, c.name, path("b"), path("c"), path("a"), path("result"))
			got, err := harness.ReadArray(path("result"), want)
			if err == nil {
				err = harness.Compare(got, want, c.bound(imgc.Contract))
			}
			if err != nil {
				t.Errorf("%s %v: %v", c.name, extent, err)
			}
		}
	}
}
