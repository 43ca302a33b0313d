package fuse_test

import (
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
	"imgc/optimize/singles"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// TestSiblingsOfReductionsReduceTheSamePixels: a reduction of another image does not run beside one whose pixels are reduced where they are computed, in
// whichever order they are put together. One of the same image does.
func TestSiblingsOfReductionsReduceTheSamePixels(t *testing.T) {
	const image = "image m: i32[H][W] = [src[y][x-3] + src[y][x] for y, x]; "
	for _, c := range []struct {
		name, body string
		joins      bool
	}{
		{"of what is read, before", "a = sum(src[y][x] & 7 for y in 0:H, x in 0:W); " + image + "b = min(m);", false},
		{"of what is read, behind", image + "a = sum(src[y][x] & 7 for y in 0:H, x in 0:W); b = min(m);", false},
		{"of both", image + "a = sum(src[y][x] & m[y][x] for y in 0:H, x in 0:W); b = min(m);", false},
		{"of what is computed", image + "a = sum(m[y][x] & 7 for y in 0:H, x in 0:W); b = min(m);", true},
	} {
		text := "pipeline p(in src: i32[H][W] border clamp, out a: i64, out b: i32) {\n" + c.body + "\n}\n"
		diags := &diag.List{}
		p := sema.Check(parser.Parse(source.NewFile("p.img", text), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		q, refused := fuse.Apply(fuse.Needed(singles.Join(p).Pipelines[0]), fuse.Options{Unroll: 64}, func(s *hast.Stage) schedule.Decisions {
			switch s.Name {
			case "m":
				return schedule.Decisions{Place: schedule.Fuse}
			case "sum_part":
				return schedule.Decisions{Place: schedule.Join}
			}
			return schedule.Decisions{}
		})
		reduced, lists := 0, 0
		hast.WalkStages(q.Steps, func(_ []hast.Step, s *hast.Stage) {
			if s.Reduced == nil {
				return
			}
			reduced, lists = reduced+1, len(block.Reductions(s.Reduced))
			if why := block.RefuseReduced(s, s.Reduced, false); why != "" {
				t.Errorf("%s: %s reduces what it cannot: %s", c.name, s.Name, why)
			}
		})
		if want := map[bool]int{true: 2, false: 1}[c.joins]; c.joins && (reduced != 1 || lists != want) {
			t.Errorf("%s: %d stages reduce, the last one %d times, want one with %d; %v", c.name, reduced, lists, want, refused)
		}
	}
}
