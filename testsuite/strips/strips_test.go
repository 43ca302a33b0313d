package strips

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/diag"
	"imgc/hast"
	"imgc/imagefile"
	"imgc/optimize/normal"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/pixels"
	"imgc/sema"
	"imgc/source"
	"imgc/testsuite/harness"
	"imgc/types"
)

// rounds is how often every program runs, each time under other rules and schedules: IMGC_STRIPS=6 for all rules.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("IMGC_STRIPS")); err == nil {
		return n
	}
	return 1
}

// TestBlocksOfInstances runs every program under random schedules.
func TestBlocksOfInstances(t *testing.T) {
	for seed := range rounds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { runAll(t, gpu, program(seed), harness.Blocks(uint64(seed)), sizes) })
	}
}

// TestBlocksUnderOclgrind has the simulator watch the accesses at small sizes.
func TestBlocksUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedBlocks there")
	}
	harness.SimulateTest(t, "TestSimulatedBlocks")
}

// TestSimulatedBlocks runs in the process that TestBlocksUnderOclgrind starts.
func TestSimulatedBlocks(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestBlocksUnderOclgrind runs it in a process of its own")
	}
	for seed := range rounds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { runAll(t, gpu, program(seed+3), harness.Blocks(100+uint64(seed)), small) })
	}
}

// sizes are H and W: one pixel, lines, less than the masks, primes, and widths that vectors divide.
var (
	sizes = [][2]int{{1, 1}, {1, 37}, {5, 2}, {7, 3}, {13, 61}, {9, 64}, {37, 48}}
	small = [][2]int{{1, 1}, {3, 5}, {7, 32}}
	// wide are for values of many lanes: as many, one more, and some rounds with an overlap.
	wide = [][2]int{{4, 32}, {5, 67}, {3, 150}}
	// steps are these and what is less than one step.
	steps = append([][2]int{{1, 1}, {5, 2}, {7, 3}, {9, 64}}, wide...)
)

// layouts are that of the architecture, which pads lines, odd, with lines of 61 components padded to 64, and without gaps.
var layouts = []device.Layout{{}, {Pad: 1, Offset: 7}, {Pad: 3, Offset: 16}, {Offset: 16}}

// The models for which stages are planned that have no decisions, and lines are padded.
const (
	gpu = "nvidia-h200"
	cpu = "pocl-cpu"
)

// runAll runs every pipeline of a program under made-up decisions.
func runAll(t *testing.T, arch, text string, decide decider, sizes [][2]int) {
	runUnder(t, arch, text, pinned(t, arch, text, decide), sizes)
}

// runUnder runs every pipeline of a program under schedules, at sizes and in layouts.
func runUnder(t *testing.T, arch, text, schedules string, sizes [][2]int) {
	p := compile(t, arch, text, &imgc.Text{Name: "schedule.img", Text: schedules})
	build := harness.BuildPlain
	if arch == cpu {
		build = harness.Build
	}
	built := build(t, p)
	runBuilt(t, p, schedules, sizes, func(int) *device.Program { return built })
}

// runCopies is runAll for a processor and copies of a pipeline under rules. The device's compiler optimizes every third, and leaves the others
// as they are, which takes it a third of the time: what it makes of a copy is no matter of the rule.
func runCopies(t *testing.T, text string, decide decider, sizes [][2]int) {
	schedules := pinned(t, cpu, text, decide)
	p := compile(t, cpu, text, &imgc.Text{Name: "schedule.img", Text: schedules})
	optimized, plain := harness.Build(t, p), harness.BuildPlain(t, p)
	runBuilt(t, p, schedules, sizes, func(i int) *device.Program {
		if i%3 == 0 {
			return optimized
		}
		return plain
	})
}

// runBuilt runs every pipeline, as it is built for its number.
func runBuilt(t *testing.T, p *imgc.Program, schedules string, sizes [][2]int, built func(i int) *device.Program) {
	t.Helper()
	for i, q := range p.Pipelines {
		for j, size := range sizes {
			args, ok := arguments(q, size)
			if !ok {
				continue
			}
			want := harness.Interpret(t, p, q.Name, clone(args))
			for _, l := range someLayouts(i + j) {
				got, err := built(i).Run(context.Background(), q.Name, device.Args(clone(args)), l)
				if err != nil {
					t.Fatalf("%s of %v with %+v: %v", q.Name, size, l, err)
				}
				for name, m := range want.Images {
					if err := harness.Compare(got.Images[name], m, harness.Bound{}); err != nil {
						t.Errorf("%s: %s of %v with the layout %+v: %v\n%s", q.Name, name, size, l, err, lineOf(schedules, q.Name))
					}
				}
			}
		}
	}
}

// someLayouts are all layouts, but under Oclgrind, which takes seconds for a call: there pipelines and sizes take turns at them.
func someLayouts(turn int) []device.Layout {
	if !harness.UnderOclgrind() {
		return layouts
	}
	turn %= len(layouts)
	return layouts[turn : turn+1]
}

// lineOf is the schedule of one pipeline.
func lineOf(schedules, pipeline string) string {
	_, rest, _ := strings.Cut(schedules, "schedule "+pipeline+" ")
	body, _, _ := strings.Cut(rest, "}")
	return body
}

func compile(t *testing.T, name, text string, schedules *imgc.Text) *imgc.Program {
	t.Helper()
	arch, err := imgc.OpenArchitecture(name)
	if err != nil {
		t.Fatal(err)
	}
	result, err := imgc.Check(context.Background(), "strips.img", text, imgc.Options{Mode: imgc.Strict, Schedule: schedules, Arch: arch})
	if err != nil {
		t.Fatal(err)
	}
	if result.Program == nil {
		var b strings.Builder
		diag.Text(&b, result.Diagnostics, diag.TextOptions{})
		t.Fatalf("%s\n%s", b.String(), schedules.Text)
	}
	return result.Program
}

// A decider makes up decisions for a stage.
type decider func(pipeline string, s *hast.Stage) schedule.Decisions

// pinned makes up decisions for every stage that it accepts.
func pinned(t *testing.T, arch, text string, decide decider) string {
	t.Helper()
	diags := &diag.List{}
	typed := sema.Check(parser.Parse(source.NewFile("strips.img", text), diags), sema.Options{}, diags)
	if typed == nil || diags.HasErrors() {
		var b strings.Builder
		diag.Text(&b, diags, diag.TextOptions{})
		t.Fatal(b.String())
	}
	var b strings.Builder
	gather := func(string) bool { return arch != cpu }                                               // processors compute updates, and what few instances reduce, as they are
	for _, p := range normal.Program(typed, normal.Options{Exact: true, Gather: gather}).Pipelines { // whose stages are those that schedules are of
		s := &schedule.Schedule{Pipeline: p.Name}
		hast.WalkSteps(p.Steps, func(step hast.Step) {
			if stage, ok := step.(*hast.Stage); ok {
				s.Stages = append(s.Stages, &schedule.Stage{Name: stage.Name, Decisions: decide(p.Name, stage)})
			}
		})
		b.WriteString(s.String())
	}
	return b.String()
}

// arguments are images of a size, for H and W, with random contents; false for extents that there are not.
func arguments(q *imgc.Pipeline, size [2]int) (imgc.Args, bool) {
	args := imgc.Args{Images: map[string]*pixels.Image{}, Sizes: map[string]int{}}
	values := map[string]int{"H": size[0], "W": size[1], "D": 3, "H + 2": size[0] + 2, "W + 5": size[1] + 5, "2*H": 2 * size[0], "2*W": 2 * size[1], "3": 3, "19": 19, "37": 37, "256": 256}
	for _, p := range q.Params {
		if !p.IsImage || !p.Takes() {
			continue
		}
		var extent []int
		for _, e := range p.Extent {
			extent = append(extent, values[e])
		}
		args.Images[p.Name] = harness.Input(q.Name+p.Name, harness.Random, p.Type, extent...)
	}
	if len(args.Images) == 0 {
		args.Sizes["H"], args.Sizes["W"] = size[0], size[1]
	}
	return args, q.Name != "inner" || size[0] > 2 && size[1] > 5
}

// TestRowsOfInstances runs every program with work-items that compute rows.
func TestRowsOfInstances(t *testing.T) {
	for seed := range rounds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			runAll(t, cpu, program(seed+1), harness.Rows(uint64(seed)), append(sizes, wide...))
		})
	}
}

// TestRowsUnderOclgrind has the simulator watch them.
func TestRowsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedRows there")
	}
	harness.SimulateTest(t, "TestSimulatedRows")
}

// TestSimulatedRows runs in the process that TestRowsUnderOclgrind starts.
func TestSimulatedRows(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestRowsUnderOclgrind runs it in a process of its own")
	}
	for seed := range rounds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			runAll(t, cpu, program(seed+4), harness.Rows(200+uint64(seed)), append(small, [2]int{5, 41}))
		})
	}
}

func clone(args imgc.Args) imgc.Args {
	out := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: args.Sizes}
	for name, m := range args.Images {
		out.Images[name] = m.Clone()
	}
	return out
}

// TestGeneratedLibrary runs the programs through the demo of a generated library, which chooses kernels by how images lie.
func TestGeneratedLibrary(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("tests the host's code")
	}
	harness.Device(t)
	text := program(1)
	p := compile(t, gpu, text, &imgc.Text{Name: "schedule.img", Text: pinned(t, gpu, text, harness.Blocks(41))})
	demo := harness.WriteProject(t, p, imgc.ProjectOptions{}).Demo(t)
	for _, q := range p.Pipelines {
		t.Run(q.Name, func(t *testing.T) {
			for _, size := range [][2]int{{7, 9}, {13, 64}} {
				args, ok := arguments(q, size)
				if ok && q.Name != "kinds" { // files hold bf16 in another way than the demo reads it
					onDemo(t, demo, q, args, harness.Interpret(t, p, q.Name, clone(args)))
				}
			}
		})
	}
}

// onDemo passes images as files and compares what the demo leaves there.
func onDemo(t *testing.T, demo string, q *imgc.Pipeline, args imgc.Args, want imgc.Results) {
	t.Helper()
	dir := t.TempDir()
	line := []string{}
	for name, n := range args.Sizes {
		line = append(line, "--set", fmt.Sprintf("%s=%d", name, n))
	}
	line = append(line, q.Name)
	for _, p := range q.Params {
		if !p.IsImage {
			continue
		}
		path := filepath.Join(dir, p.Name+".npy")
		if m := args.Images[p.Name]; m != nil {
			if err := imagefile.Write(path, m, imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
		}
		if line = append(line, path); p.Takes() && p.Returns() {
			line = append(line, path)
		}
	}
	harness.Command(t, dir, demo, line...)
	for name, m := range want.Images {
		got, err := harness.ReadArray(filepath.Join(dir, name+".npy"), m)
		if err == nil {
			err = harness.Compare(got, m, harness.Bound{})
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
