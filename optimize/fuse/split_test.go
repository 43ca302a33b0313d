package fuse_test

import (
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// TestStagesAreSplitBetweenTheirReaders: those that read their own pixels alone, or by data, compute them; the others have the stage fused.
func TestStagesAreSplitBetweenTheirReaders(t *testing.T) {
	const head = "pipeline p(in src: i32[H][W] border clamp, out dst: i32[H][W], out half: i32[(H + 1)/2][(W + 1)/2], out h: i32[256]) {\n"
	for _, c := range []struct{ name, text, want string }{
		{"own pixels and a window", `image m: i32[H][W] border clamp = [src[y][x] for y, x]; half = [m[2*y - 1][2*x + 2] for y, x]; dst = [m[y][x] for y, x];`,
			"m half | dst"},
		{"data and a window", `image m: i32[H][W] border clamp = [src[y][x] for y, x]; half = [m[2*y - 1][2*x + 2] for y, x]; dst = [m[src[y][x]][x] for y, x];`,
			"m half | dst"},
		{"a histogram and a window", `image m: i32[H][W] border clamp = [src[y][x] & 255 for y, x]; iterate (y, x) over m h[clamp(m[y][x], 0, 255)] += 1; dst = [m[y - 1][x] for y, x];`,
			"h | m dst"},
		{"two windows", `image m: i32[H][W] border clamp = [src[y][x] for y, x]; half = [m[2*y - 1][2*x + 2] for y, x]; dst = [m[y][x - 1] for y, x];`,
			"m | half | dst | m: all that read it can have it fused, and none reads its own pixels alone"},
		{"own pixels", `image m: i32[H][W] border clamp = [src[y][x] for y, x]; dst = [m[y][x] for y, x];`,
			"m | dst | m: no stage that reads it at other places than its own can have it fused"},
		{"a mirror by data", `image m: i32[H][W] border reflect = [src[y][x] + x for y, x]; half = [m[2*y - 1][2*x + 2] for y, x]; dst = [m[y][src[y][x]] for y, x];`,
			"m | half | dst | m: it is read outside under reflect"},
	} {
		diags := &diag.List{}
		p := sema.Check(parser.Parse(source.NewFile("p.img", head+c.text+"\n}\n"), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		q, refused := fuse.Apply(fuse.Needed(p.Pipelines[0]), fuse.Options{Unroll: 64}, func(s *hast.Stage) schedule.Decisions {
			if s.Name == "m" {
				return schedule.Decisions{Place: schedule.Split}
			}
			return schedule.Decisions{}
		})
		var got strings.Builder
		hast.WalkSteps(q.Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				for _, part := range s.Parts() {
					got.WriteString(part.Name + " ")
				}
				got.WriteString("| ")
			}
		})
		for _, r := range refused {
			got.WriteString(r.Stage.Name + ": " + r.Why)
		}
		if s := strings.TrimSuffix(got.String(), " | "); s != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, s, c.want)
		}
		out := *p
		out.Pipelines = []*hast.Pipeline{q}
		if err := hast.Verify(&out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
