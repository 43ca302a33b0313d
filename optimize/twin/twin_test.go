package twin_test

import (
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/twin"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

func TestTwinsDoTheSame(t *testing.T) {
	const head = `pipeline p(in src: i32[H][W] border clamp, in other: i32[H][W] border clamp, in bytes: u8[H][W] border clamp, in wide: i32[H][W + 1] border clamp,
    in k: i32, out dst: i32[H][W]) {
`
	for _, c := range []struct {
		name, x, y string // what two images are
		twins      bool
	}{
		{"of other images", "src[y][x - 1] + src[y][x + 1] for y, x", "other[y][x - 1] + other[y][x + 1] for y, x", true},
		{"by other names", "src[y][x] + y for y, x", "src[v][u] + v for v, u", true},
		{"other variables", "src[y][x] + y for y, x", "src[y][x] + x for y, x", false},
		{"other constants", "src[y][x] + 1 for y, x", "src[y][x] + 2 for y, x", false},
		{"one image or two", "src[y][x] + other[y][x] for y, x", "src[y][x] + src[y][x] for y, x", false},
		{"two images by turns", "src[y][x] - other[y][x] for y, x", "other[y][x] - src[y][x] for y, x", true},
		{"other components", "i32(src[y][x]) for y, x", "i32(bytes[y][x]) for y, x", false},
		{"other extents", "src[y][x] for y, x", "wide[y][x] for y, x", false},
		{"a value of the host", "src[y][x] + k for y, x", "other[y][x] + k for y, x", true},
		{"a value and a size", "src[y][x] + k for y, x", "src[y][x] + W for y, x", false},
		{"sums", "sum(src[y + i][x + j] for i in -1 : 2, j in -1 : 2) for y, x", "sum(other[y + j][x + i] for j in -1 : 2, i in -1 : 2) for y, x", true},
		{"sums over other ranges", "sum(src[y + i][x + j] for i in -1 : 2, j in -1 : 2) for y, x", "sum(src[y + i][x + j] for i in -1 : 2, j in -1 : 3) for y, x", false},
	} {
		diags := &diag.List{}
		text := head + "image a: i32[H][W] = [" + c.x + "]; image b: i32[H][W] = [" + c.y + "]; dst = [a[y][x] + b[y][x] for y, x];\n}\n"
		p := sema.Check(parser.Parse(source.NewFile("p.img", text), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		var keys twin.Keys
		var list []string
		hast.WalkSteps(p.Pipelines[0].Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				list = append(list, keys.Of(s, nil))
			}
		})
		if got := list[0] == list[1]; got != c.twins {
			t.Errorf("%s: twins %v, want %v", c.name, got, c.twins)
		}
	}
}

func TestTwinsAreOfOneSize(t *testing.T) {
	diags := &diag.List{}
	const text = `pipeline p(in src: i32[H][W], out dst: i32[H][W]) { dst = [src[y][x] for y, x]; }`
	s := sema.Check(parser.Parse(source.NewFile("p.img", text), diags), sema.Options{}, diags).Pipelines[0].Steps[0].(*hast.Stage)
	var keys twin.Keys
	sized := func(n int64) string { return keys.Of(s, func(hast.Expr) int64 { return n }) }
	three, again, four := sized(3), sized(3), sized(4)
	if three == four {
		t.Error("sizes are no part of the key")
	}
	if three != again {
		t.Error("a stage of one size has two keys")
	}
}
