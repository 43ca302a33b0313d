package harness

import (
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/schedule"
	"imgc/sema/sematest"
)

// TestLegalFindsRareDecisions: chance alone finds hardly any of those that need several numbers to go together.
func TestLegalFindsRareDecisions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		has        func(schedule.Decisions) bool
	}{
		{"trapezoids", "pipeline p(in e: i32[H][W], out c: i32[H][W] border clamp) { iterate (y, x) over c scan(y) c[y][x] = e[y][x] + (y > 0 ? min(c[y-1][x-1 : 3]) : 0); }",
			func(d schedule.Decisions) bool { return d.Trapezoid[0] > 0 }},
		{"parts", "pipeline p(in a: u8[H][W], out h: u32[256]) { iterate (y, x) over a h[a[y][x]] += 1u; }", func(d schedule.Decisions) bool { return d.Parts > 1 }},
		{"persistent groups", "pipeline p(in a: u8[H][W] border clamp, out h: u32[256]) { iterate (y, x) over a h[max(a[y-1:3][x])] += 1u; }", schedule.Decisions.Persistent},
		{"persistent groups in words", "pipeline p(in a: u8[H][W] border clamp, out h: u32[256]) { iterate (y, x) over a h[max(a[y-1:3][x])] += 1u; }",
			func(d schedule.Decisions) bool { return d.Persistent() && d.Packed16 != 0 }},
		{"runs", "pipeline p(in a: u8[8*H][8*W], out m: u8[H][W]) { m = [max(a[8*y : 8][8*x : 8]) for y, x]; }", func(d schedule.Decisions) bool { return d.Runs > 0 }},
	} {
		steps := sematest.Program(t, c.text).Pipelines[0].Steps
		s := steps[len(steps)-1].(*hast.Stage)
		found := 0
		const seeds = 200
		for seed := range uint64(seeds) {
			if c.has(Legal(seed, kir.Strict)("p", s)) {
				found++
			}
		}
		if found < seeds/20 {
			t.Errorf("%s: %d of %d seeds", c.name, found, seeds)
		}
	}
}
