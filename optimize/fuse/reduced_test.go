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

// TestPixelsAreReducedWhereTheyAreComputed: the stage that computes them has the name of the one that reduces them, behind a colon here, and what has memory nowhere else in braces.
func TestPixelsAreReducedWhereTheyAreComputed(t *testing.T) {
	const image = "image m: i32[H][W] border clamp = [src[y][x+1] for y, x]; "
	for _, c := range []struct {
		name, text string
		place      schedule.Placement
		floats     bool
		want       string
	}{
		{"a sum", image + `s = sum(m);`, schedule.Fuse, false, "sum_part: m {m} | sum | s"},
		{"a sum of squares", image + `s = sum(i64(m[y][x]) * m[y][x] for y in 0:H, x in 0:W);`, schedule.Fuse, false, "sum_part: m {m} | sum | s"},
		{"a sum that others read", image + `s = sum(m); dst = [m[y][x] for y, x];`, schedule.Fuse, false, "sum_part: m {m} | sum | s | m {m} dst"},
		{"stored for others", image + `s = sum(m); dst = [m[y][x] for y, x];`, schedule.Reduced, false, "sum_part: m | sum | s | dst"},
		{"stored for nobody", image + `s = sum(m);`, schedule.Reduced, false, "m | sum_part | sum | s | m: nothing else reads what it writes, so that fuse does this"},
		{"read by no sum", image + `dst = [m[y][x] for y, x];`, schedule.Reduced, false, "m | dst | m: nothing behind it reduces what it writes, and no more"},
		{"at another place", image + `s = sum(m[y][x+1] for y in 0:H, x in 0:W);`, schedule.Fuse, false,
			"m | sum_part | sum | s | m: with sum_part: sum_part reads a pixel of m that is not the one which is computed for its point"},
		{"with others", image + `s = sum(m[y][x] * at[y][x] for y in 0:H, x in 0:W);`, schedule.Fuse, false,
			"m | sum_part | sum | s | m: with sum_part: sum_part reads a pixel of at that is not the one which is computed for its point"},
		{"with its place", image + `s = sum(m[y][x] * x for y in 0:H, x in 0:W);`, schedule.Fuse, false, "m | sum_part | sum | s | m: with sum_part: sum_part depends on more than pixels"},
		{"some points", image + `s = sum(m[y][x] for y in 0:H, x in 0:W-1);`, schedule.Fuse, false, "m | sum_part | sum | s | m: with sum_part: sum_part takes other points"},
		{"floats in order", `image m: f32[H][W] = [f32(src[y][x+1]) for y, x]; f = sum(m);`, schedule.Fuse, false,
			"m | sum_part | sum | f | m: with sum_part: sum_part adds floats, in the order of the language"},
		{"floats in any order", `image m: f32[H][W] = [f32(src[y][x+1]) for y, x]; f = sum(m);`, schedule.Fuse, true, "sum_part: m {m} | sum | f"},
	} {
		diags, outs := &diag.List{}, ""
		for _, out := range []string{"s: i64", "f: f32", "dst: i32[H][W]"} {
			if name, _, _ := strings.Cut(out, ":"); strings.Contains(c.text, " "+name+" =") {
				outs += ", out " + out
			}
		}
		text := "pipeline p(in src: i32[H][W] border clamp, in at: i32[H][W] border clamp" + outs + ") {\n" + c.text + "\n}\n"
		p := sema.Check(parser.Parse(source.NewFile("p.img", text), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		q, refused := fuse.Apply(fuse.Needed(p.Pipelines[0]), fuse.Options{Unroll: 64, Floats: c.floats}, func(s *hast.Stage) schedule.Decisions {
			if s.Name == "m" {
				return schedule.Decisions{Place: c.place}
			}
			return schedule.Decisions{}
		})
		var got strings.Builder
		hast.WalkStages(q.Steps, func(_ []hast.Step, s *hast.Stage) {
			if s.Reduced != nil {
				got.WriteString(s.Reduced.Name + ": ")
			}
			for _, part := range s.Parts() {
				name := part.Name
				if part.Reduced != nil {
					name = "m"
				}
				got.WriteString(name + " ")
				for _, m := range s.Inner {
					if part.Fills(part.Body[0].(*hast.Store)) && m == part.Body[0].(*hast.Store).Image {
						got.WriteString("{" + m.Name + "} ")
					}
				}
			}
			got.WriteString("| ")
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
