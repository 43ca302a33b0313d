package updates

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// inBins updates in copies wherever a stage allows it, and has the last group write what all have found.
func inBins(copies, size, groups, width int) imgc.Options {
	return imgc.Options{Mode: imgc.Strict, Decide: func(_ string, s *hast.Stage) schedule.Decisions {
		d := schedule.Decisions{Copies: [3]int{copies, size, groups}, Item: [2]int{width}, Last: 1}
		if lower.Refuse(s, d, kir.Strict) != "" {
			d.Item[0] = 0
		}
		return d
	}}
}

// filled is an update's programs with what they update together filled before: with one value, with vectors that index values, and with such that
// other fills come behind.
func (u update) filled() string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(cmp.Or(u.text, u.program()), "\n") {
		if k, _, ok := strings.Cut(strings.TrimPrefix(line, "pipeline "+u.name+"_"), "("); ok && strings.HasPrefix(line, "pipeline ") {
			line += fmt.Sprintf("    bins = [%[1]s(90 - i) for i];\n    part = [%[1]s(9 * y + x) for y, x];\n    own = %[1]s(3);\n    wide = [%[1]sx3(%[1]s(i), %[1]s(7), %[1]s(100)) for i];\n", k)
		}
		b.WriteString(line)
	}
	return b.String()
}

// launches counts them in a pipeline of a program for OpenCL.
func launches(t *testing.T, p *imgc.Program, pipeline string) (n int) {
	t.Helper()
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range kernels.Program.Pipelines {
		if q.Name == pipeline {
			kir.WalkSteps(q.Steps, func(s kir.Step) {
				if _, ok := s.(*kir.Launch); ok {
					n++
				}
			})
		}
	}
	return n
}

// runInBins runs the integers of an update at so many sizes, and expects two launches where they are updated in copies: one fill is of an image that each instance updates
// for itself.
func runInBins(t *testing.T, u update, most int, opts imgc.Options) {
	u.floats, u.bools = "", ""
	u.text = u.filled()
	p, list := callsWith(t, u, most, opts)
	runAll(t, harness.BuildPlain(t, p), list)
	for _, k := range kinds {
		if n := launches(t, p, u.pipeline(k)); k.IsInt() && k.Bits() <= 32 && u.op != "*=" && n != 2 {
			t.Errorf("%s takes %d launches, not 2", k, n)
		}
	}
}

func TestUpdatesInBins(t *testing.T) {
	for i, u := range all {
		if u.op == "" {
			continue
		}
		t.Run(u.name, func(t *testing.T) {
			runInBins(t, u, 99, inBins(4, 32, 3, []int{8, 1, 16}[i%3]))
			runInBins(t, u, few, inBins(4, 1, 3, 1))
		})
	}
}

// TestWideCountsInBins has components of 64 bits, which have bins of 64 bits, and are filled by launches where they are counted without copies.
func TestWideCountsInBins(t *testing.T) {
	filled := strings.NewReplacer("inout", "out", "{\n    iterate", "{\n    bins = 5;\n    less = [u64(i) << 60u for i];\nMORE    iterate").Replace(wideCounts)
	filled = strings.Replace(filled, "MORE", "    sums = 1u;\n", 1)
	p := harness.CompileWith(t, "wide.img", strings.ReplaceAll(filled, "MORE", ""), inBins(4, 32, 3, 8))
	built := harness.BuildPlain(t, p)
	for _, q := range p.Pipelines {
		for _, s := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", q.Name, s[0], s[1]), func(t *testing.T) {
				args := imgc.Args{Images: map[string]*pixels.Image{"src": harness.Input("src", harness.Random, types.Scalar(types.U8), s...)}}
				want := harness.Interpret(t, p, q.Name, copied(args))
				r, err := built.Run(context.Background(), q.Name, device.Args(copied(args)), device.Layout{})
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			})
		}
	}
}
