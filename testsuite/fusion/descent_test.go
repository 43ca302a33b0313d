package fusion

import (
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// descents are chains whose groups can go down the rows of their tiles: each order of sums along rows and columns, images under each rule
// that such groups take, several parts behind each other, siblings, planes, vectors, bytes, and values that would harm where nobody needs them.
func descents() string {
	var b strings.Builder
	add := func(name, params, body string) { fmt.Fprintf(&b, "pipeline %s(%s) {\n%s}\n", name, params, body) }
	for i, rule := range []string{"clamp", "reflect", "reflect101", "undefined", "repeat", "constant(7)"} {
		inner := []string{"clamp", "reflect", "reflect101"}[i%3]
		params := fmt.Sprintf("in a: f32[H][W] border %s, out b: f32[H][W]", rule)
		add(fmt.Sprintf("columns_%d", i), params, fmt.Sprintf("image c: f32[H][W] border %s = [sum(a[y-2 : 5][x]) for y, x];\nb = [sum(c[y][x-3 : 5]) for y, x];\n", inner))
		add(fmt.Sprintf("rows_%d", i), params, fmt.Sprintf("image c: f32[H][W] border %s = [sum(a[y][x-1 : 4]) for y, x];\nb = [sum(c[y-3 : 6][x]) for y, x];\n", inner))
	}
	add("three", "in a: u8[H][W] border clamp, out b: i32[H][W]",
		"image c: u16[H][W] border reflect = [u16(sum(i32(a[y][x + d]) for d in -1:3)) for y, x];\nimage d: i32[H][W] = [sum(i32(c[y + e][x])*(e + 3) for e in -1:3) for y, x];\n"+
			"b = [d[y][x] - x - 2*y for y, x];\n")
	add("planes", "in a: f32[3][H][W] border clamp, out b: f32[3][H][W]",
		"image c: f32[3][H][W] border clamp = [sum(a[z][y-1 : 3][x]) for z, y, x];\nb = [sum(c[z][y][x-1 : 3]) for z, y, x];\n")
	add("colours", "in a: u8x3[H][W] border clamp, out b: f32x3[H][W]",
		"image c: f32x3[H][W] border clamp = [sum(f32x3(a[y + d][x]) for d in -1:2) for y, x];\nb = [sum(c[y][x + d] for d in -2:3) for y, x];\n")
	add("quotients", "in a: u8[H][W] border clamp, out b: i32[H][W]",
		"image c: i32[H][W] border clamp = [1000 / sum(1 + i32(a[y + d][x]) for d in -2:3) for y, x];\nb = [500 / (1 + sum(c[y][x-1 : 3])) for y, x];\n")
	add("enlarged", "in a: u8[H][W] border clamp, out b: i32[2*H][2*W]",
		"image c: u8[2*H][2*W] border reflect = [a[y/2][x/2 + 1] for y, x];\nb = [sum(i32(c[y-2 : 4][x-1 : 3])) for y, x];\n")
	add("alone", "in a: f32[H][W] border clamp, out b: f32[H][W]", "b = [sum(a[y + d][x + e] for d in -1:2, e in -1:2) for y, x];\n")
	return b.String()
}

// TestDescents has groups go down the rows of their tiles wherever they can.
func TestDescents(t *testing.T) {
	taken := map[string]bool{}
	opts := imgc.Options{Mode: imgc.Strict, Decide: func(name string, s *hast.Stage) schedule.Decisions {
		shape := [...][4]int{{8, 4, 30, 2}, {16, 2, 5, 4}, {4, 4, 300, 2}}[len(name)%3]
		d := schedule.Decisions{
			Tile: [2]int{shape[0], shape[2]}, Item: [2]int{shape[1], shape[2]}, Stream: shape[3], Rolled: 3, Local: schedule.Shared, Place: schedule.Fuse,
		}
		if why := lower.Refuse(s, d, kir.Strict); why != "" {
			return schedule.Decisions{Place: schedule.Fuse}
		}
		taken[name] = true
		return d
	}}
	p := harness.CompileWith(t, "descents.img", descents(), opts)
	built := harness.Build(t, p) // which asks for decisions
	for _, q := range p.Pipelines {
		if !taken[q.Name] {
			t.Errorf("%s does not go down rows", q.Name)
		}
	}
	agree(t, p, built, [][2]int{{1, 1}, {5, 2}, {13, 61}, {40, 64}})
}

// TestDescentsRefuseConstantBorders has a stage between that reads no rows as they come, so that only what reads it says what is outside.
func TestDescentsRefuseConstantBorders(t *testing.T) {
	const text = `pipeline p(in a: u8[H][W] border clamp, out b: i32[2*H][2*W]) {
    image c: u8[2*H][2*W] border constant(0) = [a[y/2][x/2] for y, x];
    b = [sum(i32(c[y-2 : 4][x-1 : 3])) for y, x];
}`
	down, why := schedule.Decisions{Tile: [2]int{16, 9}, Item: [2]int{4, 9}, Stream: 2, Local: schedule.Shared}, ""
	p := harness.CompileWith(t, "p.img", text, imgc.Options{Mode: imgc.Strict, Decide: func(_ string, s *hast.Stage) schedule.Decisions {
		if len(s.Fused) > 0 {
			why = lower.Refuse(s, down, kir.Strict)
		}
		return schedule.Decisions{Place: schedule.Fuse}
	}})
	if _, err := p.OpenCL(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(why, "constant border") {
		t.Errorf("groups go down the rows of what has a constant border: %q", why)
	}
}
