package plan

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"imgc/archmodels"
	"imgc/diag"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/feature"
	"imgc/optimize/fuse"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/sema"
	"imgc/sema/sematest"
	"imgc/source"
)

// A timing is how long a schedule of a program took on a device.
type timing struct {
	schedule.Decisions
	microseconds float64
}

// floatMasks are convolutions with masks of so many rows that are not the product of a column and a row.
func floatMasks() string {
	var b strings.Builder
	for _, n := range []int{3, 5, 7, 9, 11, 15} {
		fmt.Fprintf(&b, "mask m%d: f32[%d][%d] = [1 + x*y + min(x, 2) for y in 0:%d, x in 0:%d];\n", n, n, n, n, n)
		fmt.Fprintf(&b, "pipeline f32_%dx%d(in src: f32[H][W], out dst: f32[H][W]) {\n", n, n)
		fmt.Fprintf(&b, "    iterate (y, x) over dst border clamp dst[y][x] = convolve(m%d, src[y][x]);\n}\n", n)
	}
	return b.String()
}

// measured reads a file of lines NAME: DECISIONS; MICROSECONDS, which says which programs it has in their order.
func measured(t *testing.T, path string) (names []string, times map[string][]timing) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	times = map[string][]timing{}
	for line := range strings.Lines(string(text)) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		decided, us, _ := strings.Cut(rest, "; ")
		value, err := strconv.ParseFloat(us, 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if times[name] == nil {
			names = append(names, name)
		}
		times[name] = append(times[name], timing{decisions(t, decided), value})
	}
	return names, times
}

// chains are the pipelines of testsuite/gpu/chains.img as stages of which each has all of its pipeline fused with it.
func chains(t *testing.T) map[string]*hast.Stage {
	t.Helper()
	text, err := os.ReadFile("../../testsuite/gpu/chains.img")
	if err != nil {
		t.Fatal(err)
	}
	p := sematest.Program(t, string(text))
	out := map[string]*hast.Stage{}
	for _, q := range p.Pipelines {
		g := fuse.Of(q, maxUnrolled)
		for _, s := range slices.Backward(g.Stages()) {
			g.Fuse(s)
		}
		last := g.Pipeline().Steps
		out[q.Name] = last[len(last)-1].(*hast.Stage)
	}
	return out
}

// maxUnrolled is the most points of sums in chains.
const maxUnrolled = 225

// TestChainsAreRankedAsMeasured does so for chains, each in one kernel: of the measured shapes that the planner thinks of, the one that it
// ranks first is within 10 % of the best.
func TestChainsAreRankedAsMeasured(t *testing.T) {
	m, err := archmodels.Load("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	size := func(*hast.Var) int64 { return 8192 }
	names, times := measured(t, "testdata/measured_chains_h200.txt")
	stages := chains(t)
	for _, name := range names {
		w := newWork(feature.OfStage(stages[name], false), m.WithUsual(), evaluator(size, nil))
		w.descends = kir.AllDescents
		list, _ := candidates(w, nil)
		planned := func(d schedule.Decisions) bool {
			return slices.ContainsFunc(list, func(c Candidate) bool {
				c.Resident = d.Resident // which the measured shapes had not
				return c.Decisions.Over(schedule.Decisions{Unroll: d.Unroll}) == d
			})
		}
		var best, first *timing
		for i := range times[name] {
			x := &times[name][i]
			if !planned(x.Decisions) {
				continue
			}
			if best == nil || x.microseconds < best.microseconds {
				best = x
			}
			if w.tooMuch(x.Decisions) == "" && (first == nil || w.cost(x.Decisions).Total() < w.cost(first.Decisions).Total()) {
				first = x
			}
		}
		if first == nil || first.microseconds > 1.1*best.microseconds {
			t.Errorf("%s: %v is ranked first, %v was best", name, first, best)
		}
	}
}

func decisions(t *testing.T, text string) schedule.Decisions {
	t.Helper()
	var diags diag.List
	program := "pipeline p(in src: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst dst[y][x] = src[y][x]; }\nschedule p { dst: " + text + "; }\n"
	file := parser.Parse(source.NewFile("s.img", program), &diags)
	list := schedule.Read(file, sema.Check(file, sema.Options{}, &diags), &diags)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", text, diags.Sorted()[0].Message)
	}
	return list[0].Stages[0].Decisions
}

// stagesOf adds the first stage of each pipeline of a program, by the name of the pipeline.
func stagesOf(t *testing.T, text string, into map[string]*hast.Stage) {
	t.Helper()
	for _, q := range sematest.Program(t, text).Pipelines {
		if s, ok := q.Steps[0].(*hast.Stage); ok {
			into[q.Name] = s
		}
	}
}

// TestTheModelRanksAsMeasured holds the cost model to what was measured: for at least four programs of five, the measured schedule that
// it ranks first is within 10 % of the best one, and so is every choice of the planner that was measured.
func TestTheModelRanksAsMeasured(t *testing.T) {
	kernels, err := os.ReadFile("../../testsuite/gpu/kernels.img")
	if err != nil {
		t.Fatal(err)
	}
	stages := map[string]*hast.Stage{}
	stagesOf(t, string(kernels), stages)
	stagesOf(t, floatMasks(), stages)
	m, err := archmodels.Load("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	to := Target{
		Model: m, Size: func(*hast.Var) int64 { return 8192 }, Fusing: fuse.Options{Unroll: lower.Defaults().Unroll},
		Legal: func(s *hast.Stage, d schedule.Decisions) string { return lower.Refuse(s, d, kir.Contract) },
	}
	names, times := measured(t, "testdata/measured_h200.txt")
	good := 0
	for _, name := range names {
		w := newWork(feature.OfStage(stages[name], false), m, evaluator(to.Size, nil))
		picked := choose(w, to).Picked.Decisions
		best, first, chosen := &times[name][0], (*timing)(nil), (*timing)(nil)
		for i := range times[name] {
			x := &times[name][i]
			if x.microseconds < best.microseconds {
				best = x
			}
			if x.Decisions == picked {
				chosen = x
			}
			if to.Legal(w.stage.Of, x.Decisions) != "" || w.tooMuch(x.Decisions) != "" {
				continue
			}
			if first == nil || w.cost(x.Decisions).Total() < w.cost(first.Decisions).Total() {
				first = x
			}
		}
		within := func(x *timing) bool { return x != nil && x.microseconds <= 1.1*best.microseconds }
		if within(first) {
			good++
		} else {
			t.Logf("%s: %v is ranked first, %v was best", name, first, best)
		}
		if chosen != nil && !within(chosen) {
			t.Errorf("%s: %v is chosen, %v was best", name, chosen, best)
		}
		if chosen == nil {
			t.Logf("%s: %s is chosen, which was not measured", name, picked)
		}
	}
	if 5*good < 4*len(names) {
		t.Errorf("%d of %d first ranks are within 10 %% of the best", good, len(names))
	}
}
