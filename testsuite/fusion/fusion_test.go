package fusion

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// rounds is how many rounds run, each under other rules and decisions: IMGC_FUSION=7 for all rules.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("IMGC_FUSION")); err == nil {
		return n
	}
	return 2
}

// sizes are H and W: one pixel, lines, less than the frames, primes, even ones, and widths that vectors divide.
var (
	sizes = [][2]int{{1, 1}, {1, 37}, {5, 2}, {2, 3}, {7, 3}, {13, 61}, {9, 64}, {10, 36}, {37, 48}}
	small = [][2]int{{1, 1}, {3, 5}, {2, 6}, {7, 32}}
)

// layouts are packed and odd.
var layouts = []device.Layout{{}, {Pad: 1, Offset: 7}}

func TestFusedStages(t *testing.T) {
	for round := range rounds() {
		t.Run(fmt.Sprint(round), func(t *testing.T) { runAll(t, round, sizes) })
	}
}

// TestFusedStagesUnderOclgrind has the simulator watch the accesses at small sizes.
func TestFusedStagesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedFusedStages there")
	}
	harness.SimulateTest(t, "TestSimulatedFusedStages")
}

// TestSimulatedFusedStages runs in the process that TestFusedStagesUnderOclgrind starts.
func TestSimulatedFusedStages(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestFusedStagesUnderOclgrind runs it in a process of its own")
	}
	for round := range rounds() {
		runAll(t, round+3, small)
	}
}

// decide makes up decisions: all stages are fused that can be, then some of them, inlined, joined or split, then all inlined, then all joined, then all split.
func decide(round int) func(pipeline string, s *hast.Stage) schedule.Decisions {
	blocks := harness.Blocks(uint64(round))
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := blocks(pipeline, s)
		h := fnv.New32()
		fmt.Fprint(h, round, pipeline, s.Name)
		d.Separate = schedule.Order(h.Sum32() % 3)
		d.Place = [...]schedule.Placement{schedule.Fuse, 0, schedule.Inline, schedule.Join, schedule.Split}[round%5]
		if d.Place == 0 {
			d.Place = [...]schedule.Placement{schedule.Root, schedule.Fuse, schedule.Fuse, schedule.Inline, schedule.Join, schedule.Split}[h.Sum32()%6]
		}
		return d
	}
}

// byRows are decisions for the same stages computed by rows, in tiles where they are fused, as processors do; it adds the pipelines that have such.
func byRows(round int, tiles map[string]bool) func(pipeline string, s *hast.Stage) schedule.Decisions {
	places, rows := decide(round), harness.Rows(uint64(round))
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := rows(pipeline, s)
		if len(s.Fused) > 0 && d.Rows > 0 {
			tiles[pipeline] = true
		}
		if d.Place = places(pipeline, s).Place; d.Place == schedule.Join { // processors take no siblings together
			d.Place = schedule.Fuse
		}
		return d
	}
}

// TestFusedStagesByRows has work-items compute tiles of fused stages by rows.
func TestFusedStagesByRows(t *testing.T) {
	tiles := map[string]bool{}
	for round := range rounds() {
		t.Run(fmt.Sprint(round), func(t *testing.T) { runUnder(t, round, byRows(round, tiles), append(sizes, [2]int{11, 150})) })
	}
	if len(tiles) < 5 {
		t.Errorf("tiles by rows in %v alone", tiles)
	}
}

// TestRowsOfFusedStagesUnderOclgrind has the simulator watch them.
func TestRowsOfFusedStagesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedRowsOfFusedStages there")
	}
	harness.SimulateTest(t, "TestSimulatedRowsOfFusedStages")
}

// TestSimulatedRowsOfFusedStages runs in the process that TestRowsOfFusedStagesUnderOclgrind starts.
func TestSimulatedRowsOfFusedStages(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestRowsOfFusedStagesUnderOclgrind runs it in a process of its own")
	}
	runUnder(t, 3, byRows(0, map[string]bool{}), small)
}

func runAll(t *testing.T, round int, sizes [][2]int) { runUnder(t, round, decide(round), sizes) }

// agree compares the pipelines of a program with the interpreter, for images of some sizes and in all layouts.
func agree(t *testing.T, p *imgc.Program, built *device.Program, sizes [][2]int) {
	t.Helper()
	for _, q := range p.Pipelines {
		for _, size := range sizes {
			args := arguments(q, size)
			want := harness.Interpret(t, p, q.Name, clone(args))
			for _, l := range layouts {
				same(t, built, q.Name, args, l, want, fmt.Sprintf("%s of %v with the layout %+v", q.Name, size, l))
			}
		}
	}
}

// runUnder runs the pipelines of a round under decisions.
func runUnder(t *testing.T, round int, decide func(pipeline string, s *hast.Stage) schedule.Decisions, sizes [][2]int) {
	opts := imgc.Options{Mode: imgc.Strict, Decide: decide}
	if only := os.Getenv("IMGC_FUSION_ONLY"); only != "" { // names of pipelines, with commas
		opts.Pipelines = strings.Split(only, ",")
	}
	p := harness.CompileWith(t, "fusion.img", program(round), opts)
	built := harness.BuildPlain(t, p)
	agree(t, p, built, sizes)
}

// arguments are images of a size, for H and W, with random contents.
func arguments(q *imgc.Pipeline, size [2]int) imgc.Args {
	h, w := size[0], size[1]
	args := imgc.Args{Images: map[string]*pixels.Image{}}
	values := map[string]int{
		"H": h, "W": w, "2*H": 2 * h, "2*W": 2 * w, "4*H": 4 * h, "4*W": 4 * w, "H + 4": h + 4, "W + 6": w + 6, "3": 3, "256": 256, "N": w, "K": 3,
	}
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
	return args
}

// equal compares what a pipeline makes of arguments on the device with what the interpreter does.
func equal(t *testing.T, p *imgc.Program, built *device.Program, pipeline string, args imgc.Args, layout device.Layout) {
	t.Helper()
	same(t, built, pipeline, args, layout, harness.Interpret(t, p, pipeline, clone(args)), pipeline)
}

// same compares what a pipeline makes of arguments on the device with what is wanted.
func same(t *testing.T, built *device.Program, pipeline string, args imgc.Args, layout device.Layout, want imgc.Results, what string) {
	t.Helper()
	got, err := built.Run(context.Background(), pipeline, device.Args(clone(args)), layout)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for name, m := range want.Images {
		if err := harness.Compare(got.Images[name], m, harness.Bound{}); err != nil {
			t.Errorf("%s: %s: %v", what, name, err)
		}
	}
}

func clone(args imgc.Args) imgc.Args {
	out := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: maps.Clone(args.Scalars)}
	for name, m := range args.Images {
		out.Images[name] = m.Clone()
	}
	return out
}
