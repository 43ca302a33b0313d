package views

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

func rule(name string) string   { return strings.Replace(neighbours, "RULE", name, 1) }
func padded(mode string) string { return strings.Replace(neighboursPython, "MODE", mode, 1) }

func program() string {
	var b strings.Builder
	b.WriteString(shared)
	for _, r := range rows {
		fmt.Fprintf(&b, head, r.name, r.elem, r.text)
	}
	return b.String()
}

var sizes = [][2]int{{1, 1}, {1, 7}, {6, 1}, {4, 5}, {13, 17}, {31, 37}}

const few = 4 // sizes that slow runs take

type call struct {
	row
	name string
	args imgc.Args
	want imgc.Results
}

func calls(t *testing.T, most int) (*imgc.Program, []*call) {
	t.Helper()
	p := harness.Compile(t, "views.img", program(), imgc.Strict)
	var list []*call
	for _, r := range rows {
		pipeline, err := p.Pipeline(r.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sizes[:most] {
			if min(s[0], s[1]) < r.least {
				continue
			}
			c := &call{row: r, name: fmt.Sprintf("%s/%dx%d", r.name, s[0], s[1]), args: imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}}}
			for name, extent := range map[string][]int{"src": s[:], "dst": s[:], "planes": {3, s[0], s[1]}, "cube": {3, s[0], s[1]}} {
				c.args.Images[name] = harness.Input(name, harness.Random, pipeline.Param(name).Type, extent...)
			}
			for name, v := range map[string]int{"a": s[0] / 2, "b": s[1] / 3} {
				c.args.Scalars[name] = types.Value{Type: types.Scalar(types.I32), Words: []types.Word{types.Int(int64(v))}}
			}
			c.want = harness.Interpret(t, p, r.name, c.copied())
			list = append(list, c)
		}
	}
	return p, list
}

// copied are arguments of their own for one run, which writes to them.
func (c *call) copied() imgc.Args {
	args := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: c.args.Scalars}
	for name, m := range c.args.Images {
		args.Images[name] = m.Clone()
	}
	return args
}

func runAll(t *testing.T, p *imgc.Program, list []*call) {
	built := harness.Build(t, p)
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			r, err := built.Run(context.Background(), c.row.name, device.Args(c.copied()), device.Layout{Pad: 1, Offset: 7})
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, r.Images, r.Scalars, c.want, harness.Bound{})
		})
	}
}

func TestViews(t *testing.T) {
	p, list := calls(t, len(sizes))
	t.Run("device", func(t *testing.T) { runAll(t, p, list) })
	t.Run("reference", func(t *testing.T) { compareReferences(t, list) })
}

var results = []string{"dst", "cube"}

func compareReferences(t *testing.T, list []*call) {
	var cases []harness.ReferenceCase
	for _, c := range list {
		one := harness.ReferenceCase{Function: "views.run", Scalars: map[string]any{"text": c.python}}
		for _, name := range []string{"src", "planes", "dst", "cube"} {
			one.Images = append(one.Images, c.args.Images[name])
		}
		for _, name := range results {
			one.Want = append(one.Want, c.want.Images[name])
		}
		cases = append(cases, one)
	}
	for i, r := range harness.References(t, cases) {
		t.Run(list[i].name, func(t *testing.T) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			for k, name := range results {
				if err := harness.Compare(list[i].want.Images[name], r.Images[k], harness.Bound{}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// TestViewsUnderOclgrind has the simulator watch the kernels.
func TestViewsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedViews there")
	}
	harness.SimulateTest(t, "TestSimulatedViews")
}

// TestSimulatedViews runs in the process that TestViewsUnderOclgrind starts.
func TestSimulatedViews(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestViewsUnderOclgrind runs it in a process of its own")
	}
	p, list := calls(t, few)
	runAll(t, p, list)
}

// TestGeneratedLibrariesHaveViews runs the demo program of a generated project.
func TestGeneratedLibrariesHaveViews(t *testing.T) {
	harness.Device(t)
	p, list := calls(t, few)
	demo := harness.WriteProject(t, p, imgc.ProjectOptions{}).Demo(t)
	for _, c := range list {
		if strings.HasSuffix(c.name, "/4x5") {
			t.Run(c.name, func(t *testing.T) { c.onDemo(t, demo) })
		}
	}
}

func (c *call) onDemo(t *testing.T, demo string) {
	dir := t.TempDir()
	args := []string{c.row.name}
	file := func(name string) string { return filepath.Join(dir, name+".npy") }
	for _, name := range []string{"src", "planes", "dst", "cube"} {
		if err := imagefile.Write(file(name), c.args.Images[name], imagefile.Want{}); err != nil {
			t.Fatal(err)
		}
		args = append(args, file(name))
		if slices.Contains(results, name) {
			args = append(args, file(name)) // what it is before, and after
		}
	}
	for _, name := range []string{"a", "b"} {
		args = append(args, "--set", fmt.Sprintf("%s=%d", name, c.args.Scalars[name].Words[0].Int()))
	}
	harness.Command(t, dir, demo, args...)
	for _, name := range results {
		got, err := harness.ReadArray(file(name), c.want.Images[name])
		if err != nil {
			t.Fatal(err)
		}
		if err := harness.Compare(got, c.want.Images[name], harness.Bound{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
