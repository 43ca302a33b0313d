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

// placed are the stages that remain of a pipeline with some of its stages in a place, each behind those that are fused with it, and then what was refused.
func placed(t *testing.T, name, text string, place schedule.Placement, of ...string) string {
	t.Helper()
	diags := &diag.List{}
	p := sema.Check(parser.Parse(source.NewFile("p.img", text), diags), sema.Options{}, diags)
	if p == nil || diags.HasErrors() {
		t.Fatalf("%s: %s", name, diags.Sorted()[0].Message)
	}
	q, refused := fuse.Apply(fuse.Needed(p.Pipelines[0]), fuse.Options{Unroll: 64}, func(s *hast.Stage) (d schedule.Decisions) {
		for _, n := range of {
			if s.Name == n {
				d.Place = place
			}
		}
		return d
	})
	var got strings.Builder
	hast.WalkStages(q.Steps, func(_ []hast.Step, s *hast.Stage) {
		for _, part := range s.Parts() {
			got.WriteString(part.Name + " ")
		}
		got.WriteString("| ")
	})
	for _, r := range refused {
		got.WriteString(r.Stage.Name + ": " + r.Why + "; ")
	}
	out := *p
	out.Pipelines = []*hast.Pipeline{q}
	if err := hast.Verify(&out); err != nil && len(q.Pyramids) == 0 { // what was a level of one is none that verify knows
		t.Errorf("%s: %v", name, err)
	}
	return strings.TrimRight(got.String(), " |;")
}

// TestStoredStagesArePartsOfTheFirstReader: others read what is in memory.
func TestStoredStagesArePartsOfTheFirstReader(t *testing.T) {
	const head = "pipeline p(in src: i32[H][W] border clamp, out dst: i32[H][W], out half: i32[(H + 1)/2][(W + 1)/2]) {\n"
	const image = "image m: i32[H][W] border clamp = [src[y][x + 1] & 255 for y, x]; "
	const swapped = "half = 0; image n: i32[H][W] border clamp = 1; image m: i32[H][W] border clamp; for (k in 0 : 3) { "
	const halve = "half = [m[2*y - 1][2*x + 2] for y, x]; "
	for _, c := range []struct{ name, text, want string }{
		{"windows", image + halve + `dst = [m[y][x - 1] for y, x];`, "m half | dst"},
		{"data behind", image + halve + `dst = [m[src[y][x]][x] for y, x];`, "m half | dst"},
		{"data before", image + `dst = [m[src[y][x]][x] for y, x]; ` + halve, "m | dst | half | m: dst needs what it writes before half runs"},
		{"another round", image + halve + `for (k in 0 : 3) dst = [m[y][x - k] for y, x];`, "m half | dst"},
		{"one reader", image + halve, "m | half | m: nothing else needs what it writes, so that fuse does this"},
		{"swapped for the next round", swapped + `m = [n[y][x + 1] for y, x]; dst = [m[y][x - 1] for y, x]; swap(m, n); }`, "half | n | m dst"},
		{"swapped before", swapped + `m = [n[y][x + 1] for y, x]; swap(m, n); dst = [m[y][x - 1] + n[y][x] for y, x]; }`, "half | n | m | dst | m: there are other steps between it and dst"},
		{"swapped, and a value", swapped + `m = [n[y][x + 1] for y, x]; dst = [m[y][x - 1] for y, x]; swap(m, n); if (m[0][0] > 7) break; }`,
			"half | n | m dst | m_pixel"},
		{"none behind it", image + `for (k in 0 : 3) dst = [m[y][x - k] for y, x];`, "m | dst | m: nothing behind it reads what it writes"},
	} {
		if got := placed(t, c.name, head+c.text+"\n}\n", schedule.Kept, "m"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestStagesStayBeforeADescent where coarser levels write what they read, or read what they write.
func TestStagesStayBeforeADescent(t *testing.T) {
	const head = "pipeline p(inout io: i32[H][W]) {\npyramid g: i32[H][W] border clamp levels 3; pyramid h: i32[H][W] levels 3; g[0] = io; traverse (g, h) { if (!g.bottom) {\n" +
		"image a: i32[g[0].height][g[0].width] border clamp;\n"
	const tail = "} else h[0] = [g[0][y][x] for y, x];\n}\nio = h[0]; }"
	for _, c := range []struct {
		name, text string
		place      schedule.Placement
		of, want   string
	}{
		{"what they write", `a = [g[+1][y/2][x/2] for y, x]; descend; h[0] = [a[y][x + 1] for y, x]; g[0] = [h[0][y][x] for y, x];`, schedule.Fuse, "a",
			"g | a | h | g_2 | h_2 | io | a: g_2 writes at coarser levels what it reads, before h runs"},
		{"what they write, inlined", `a = [g[+1][y/2][x/2] for y, x]; descend; h[0] = [a[y][x + 1] for y, x]; g[0] = [h[0][y][x] for y, x];`, schedule.Inline, "a",
			"g | a | h | g_2 | h_2 | io | a: g_2 writes at coarser levels what it reads, before h runs"},
		{"what they do not", `a = [g[0][y][x + 1] for y, x]; descend; h[0] = [a[y][x + 1] for y, x];`, schedule.Fuse, "a", "g | a h | h_2 | io"},
		{"what they read", `g[+1] = [g[0][2*y][2*x] for y, x]; descend; h[0] = [g[+1][y/2][x/2] for y, x];`, schedule.Kept, "g_2",
			"g | g_2 | h | h_2 | io | g_2: h_2 needs at coarser levels what it writes, before h runs"},
		{"before it", `g[+1] = [g[0][2*y][2*x] for y, x]; a = [g[+1][y/2][x/2] for y, x]; descend; h[0] = [a[y][x] for y, x];`, schedule.Kept, "g_2",
			"g | g_2 a | h | h_2 | io"},
	} {
		if got := placed(t, c.name, head+c.text+"\n"+tail, c.place, c.of); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestSiblingsOfALevelAreJoined as others are.
func TestSiblingsOfALevelAreJoined(t *testing.T) {
	const text = "pipeline p(inout io: i32[H][W]) { pyramid g: i32[H][W] border clamp levels 3; pyramid h: i32[H][W] levels 3; pyramid e: i32[H][W] levels 3; g[0] = io;\n" +
		"traverse (g, h, e) { e[0] = [g[0][y][x + 1] for y, x]; h[0] = [g[0][y + 1][x] for y, x]; descend; } io = [h[0][y][x] - e[0][y][x] for y, x]; }"
	if got := placed(t, "siblings", text, schedule.Join, "e"); got != "g | h | io" {
		t.Error(got)
	}
}
