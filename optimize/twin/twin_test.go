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

func TestFormsAreOfAnyValuesOfTheHost(t *testing.T) {
	const text = `pipeline p(in src: i32[H][W], in k: i32, in m: i32, in f: f32, out a: i32[H][W], out b: i32[H][W], out c: i32[H][W], out d: i32[H][W], out e: i32[H][W]) {
    a = [src[y][x] + k for y, x];
    b = [src[y][x] + m for y, x];
    c = [src[y][x] + W for y, x];
    d = [src[y][x] + i32(f) for y, x];
    e = [src[y][x] + k*m for y, x];
}`
	diags := &diag.List{}
	p := sema.Check(parser.Parse(source.NewFile("p.img", text), diags), sema.Options{}, diags)
	if p == nil || diags.HasErrors() {
		t.Fatal(diags.Sorted()[0].Message)
	}
	var keys twin.Keys
	first := p.Pipelines[0].Steps[0].(*hast.Stage)
	for i, alike := range []bool{true, true, false, false, false} {
		s := p.Pipelines[0].Steps[i].(*hast.Stage)
		if got := keys.Form(s) == keys.Form(first); got != alike {
			t.Errorf("stage %d has the form of the first: %v, want %v", i, got, alike)
		}
		if got := keys.Of(s, nil) == keys.Of(first, nil); got != (i == 0) {
			t.Errorf("stage %d does the same as the first: %v", i, got)
		}
	}
}
