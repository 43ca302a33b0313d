package updates

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
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

// sizes of src: one pixel, lines, primes; more than a work-group.
var sizes = [][]int{{1, 1}, {1, 9}, {5, 1}, {5, 7}, {11, 13}, {37, 53}}

const few = 4 // sizes that Oclgrind runs

// A call is one pipeline at one size.
type call struct {
	update
	kind types.Kind
	name string
	args imgc.Args
	want imgc.Results
}

// copied is the arguments with images of their own, for runs that write them.
func copied(a imgc.Args) imgc.Args {
	images := map[string]*pixels.Image{}
	for name, m := range a.Images {
		images[name] = m.Clone()
	}
	a.Images = images
	return a
}

// before is what an image holds before the updates: small numbers, so that sums and products of floats are exact.
func before(name string, t types.Type, extent ...int) *pixels.Image {
	m := harness.Input(name, harness.Random, t, extent...)
	if t.Kind.IsFloat() {
		for i := range m.Words() {
			m.SetWord(i, types.Float(float64(1+i%5)))
		}
	}
	return m
}

func calls(t *testing.T, u update, most int) (*imgc.Program, []*call) {
	t.Helper()
	return callsWith(t, u, most, imgc.Options{Mode: imgc.Strict})
}

func callsWith(t *testing.T, u update, most int, opts imgc.Options) (*imgc.Program, []*call) {
	t.Helper()
	p := harness.CompileWith(t, "updates_"+u.name+".img", cmp.Or(u.text, u.program()), opts)
	var list []*call
	for _, k := range kinds {
		if !u.takes(k) {
			continue
		}
		for _, s := range sizes[:min(most, len(sizes))] {
			c := &call{update: u, kind: k, name: fmt.Sprintf("%s/%dx%d", k, s[0], s[1])}
			elem := types.Scalar(k)
			c.args.Images = map[string]*pixels.Image{
				"src":  harness.Input("src", harness.Random, types.Scalar(types.U8), s...),
				"bins": before("bins", elem, 7), "wide": before("wide", types.Vector(k, 3), 5),
				"part": before("part", elem, 6, 9), "own": before("own", elem, s...),
			}
			c.want = harness.Interpret(t, p, u.pipeline(k), copied(c.args))
			list = append(list, c)
		}
	}
	return p, list
}

// layouts are how images lie in device memory: packed, and with odd gaps between and before their lines.
var layouts = []device.Layout{{}, {Pad: 1, Offset: 7}}

func runAll(t *testing.T, built *device.Program, list []*call) {
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			for _, l := range layouts {
				r, err := built.Run(context.Background(), c.pipeline(c.kind), device.Args(copied(c.args)), l)
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, c.want, harness.Bound{})
			}
		})
	}
}

func TestUpdates(t *testing.T) {
	var everything []*call
	for _, u := range all {
		t.Run("device/"+u.name, func(t *testing.T) {
			p, list := calls(t, u, 99)
			everything = append(everything, list...)
			runAll(t, harness.Build(t, p), list)
		})
	}
	t.Run("reference", func(t *testing.T) { compareReferences(t, everything) })
}

// inCopies updates in copies wherever a stage allows it, from so many neighbouring instances at once.
func inCopies(copies, size, groups, width int) imgc.Options {
	return imgc.Options{Mode: imgc.Strict, Decide: func(string, *hast.Stage) schedule.Decisions {
		return schedule.Decisions{Copies: [3]int{copies, size, groups}, Item: [2]int{width}}
	}}
}

func TestUpdatesInCopies(t *testing.T) {
	made := 0
	for i, u := range all {
		t.Run(u.name, func(t *testing.T) {
			p, list := callsWith(t, u, 99, inCopies(4, 32, 3, []int{8, 1, 16}[i%3]))
			runAll(t, harness.BuildPlain(t, p), list)
			alone, list := callsWith(t, u, 99, inCopies(4, 1, 3, 1))
			runAll(t, harness.BuildPlain(t, alone), list)
			kernels, err := p.OpenCL()
			if err != nil {
				t.Fatal(err)
			}
			made += strings.Count(kernels.Output.Source, "__local")
		})
	}
	if made == 0 {
		t.Error("no image was updated in copies")
	}
}

// written are the images that a call updates, in the order of the parameters.
var written = []string{"bins", "wide", "part", "own"}

func compareReferences(t *testing.T, list []*call) {
	var cases []harness.ReferenceCase
	list = slices.DeleteFunc(list, func(c *call) bool { return c.kind == types.BF16 }) // which NumPy does not have
	for _, c := range list {
		k := harness.ReferenceCase{Function: "updates.update", Images: []*pixels.Image{c.args.Images["src"]}, Scalars: map[string]any{"name": c.update.name}}
		for _, w := range written {
			k.Images = append(k.Images, c.args.Images[w])
			k.Want = append(k.Want, c.want.Images[w])
		}
		cases = append(cases, k)
	}
	for i, r := range harness.References(t, cases) {
		c := list[i]
		t.Run(c.update.name+"/"+c.name, func(t *testing.T) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			for j, w := range written {
				if err := harness.Compare(c.want.Images[w], r.Images[j], harness.Bound{}); err != nil {
					t.Errorf("%s: %v", w, err)
				}
			}
		})
	}
}

// TestUpdatesUnderOclgrind has the simulator watch for races at small sizes.
func TestUpdatesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedUpdates there")
	}
	harness.SimulateTest(t, "TestSimulatedUpdates")
}

// TestSimulatedUpdates runs in the process that TestUpdatesUnderOclgrind starts.
func TestSimulatedUpdates(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestUpdatesUnderOclgrind runs it in a process of its own")
	}
	for _, u := range all {
		t.Run(u.name, func(t *testing.T) {
			p, list := calls(t, u, few)
			runAll(t, harness.Build(t, p), list)
			p, list = callsWith(t, u, 2, inCopies(4, 8, 2, 4))
			runAll(t, harness.Build(t, p), list)
			p, list = callsWith(t, u, 2, inCopies(2, 1, 2, 1))
			runAll(t, harness.Build(t, p), list)
			if u.op != "" {
				runInBins(t, u, 2, inBins(4, 8, 2, 4))
			}
			u.text = u.together()
			p, list = callsWith(t, u, 2, inParts(2, 8, 2, 4, 3, 0))
			runAll(t, harness.BuildPlain(t, p), list)
		})
	}
	runAllKept(t, 4, sizes[:few], harness.Build)
}

// TestGeneratedLibrariesUpdate runs the demo program of a generated project.
func TestGeneratedLibrariesUpdate(t *testing.T) {
	harness.Device(t)
	u := all[len(all)-1]
	p, list := calls(t, u, few)
	demo := harness.WriteProject(t, p, imgc.ProjectOptions{}).Demo(t)
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{c.pipeline(c.kind)}
			for _, name := range append([]string{"src"}, written...) {
				path := filepath.Join(dir, name+".npy")
				if err := imagefile.Write(path, c.args.Images[name], imagefile.Want{}); err != nil {
					t.Fatal(err)
				}
				args = append(args, path)
				if name != "src" { // what an inout image becomes goes to a file of its own
					args = append(args, filepath.Join(dir, name+"_after.npy"))
				}
			}
			harness.Command(t, dir, demo, args...)
			for _, name := range written {
				path := filepath.Join(dir, name+"_after.npy")
				got, err := harness.ReadArray(path, c.want.Images[name])
				if err != nil {
					t.Fatal(err)
				}
				if err := harness.Compare(got, c.want.Images[name], harness.Bound{}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}
