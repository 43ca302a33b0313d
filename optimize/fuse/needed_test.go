package fuse_test

import (
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/fuse"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

func TestStagesThatNobodyNeedsAreLeftOut(t *testing.T) {
	const head = `kernel blur(in u: i32[H][W], out v: i32[H][W]) {
    image rows: i32[H][W] border clamp;
    iterate (y, x) over rows border clamp
        rows[y][x] = u[y][x - 1] + u[y][x + 1];
    iterate (y, x) over v
        v[y][x] = rows[y - 1][x] + rows[y + 1][x];
}
pipeline p(in src: i32[H][W] border clamp, in other: i32[H][W], inout a: i32[H][W], out dst: i32[H][W]) {
`
	for _, c := range []struct{ name, text, want string }{
		{"dead", `image m: i32[H][W] = [2*src[y][x] for y, x]; dst = [src[y][x] for y, x];`, "dst"},
		{"dead in turn", `image m: i32[H][W] = [src[y][x] for y, x]; image n: i32[H][W] = [m[y][x] for y, x]; dst = [src[y][x] for y, x];`, "dst"},
		{"dead in a loop", `image m: i32[H][W]; dst = src; for (k in 0 : 3) { m = [src[y][x] + k for y, x]; }`, "dst"},
		{"needed by the host", `let n = sum(src[y][x] for (y, x) over src); image m: i32[H][W] = [2*src[y][x] for y, x]; dst = [i32(m[y][x] + n) for y, x];`, "sum_part n m dst"},
		{"two calls", `image m: i32[H][W]; blur(src, m); image n: i32[H][W]; blur(src, n); dst = [m[y][x] - n[y][x - 0] for y, x];`, "rows m dst"},
		{"two sums", `let m = sum(src[y][x] for (y, x) over src); let n = sum(src[i][j] for (i, j) over src); dst = [i32(m + n) + src[y][x] for y, x];`, "sum_part m dst"},

		{"of other images", `image m: i32[H][W]; blur(src, m); image n: i32[H][W]; blur(other, n); dst = [m[y][x] - n[y][x] for y, x];`, "rows m rows_2 n dst"},
		{"of an image that changes", `image m: i32[H][W] = [a[y][x] for y, x]; a = [src[y][x] for y, x]; image n: i32[H][W] = [a[y][x] for y, x]; dst = [m[y][x] - n[y][x] for y, x];`, "m a n dst"},
		{"that change", `image m: i32[H][W] = [src[y][x] for y, x]; image n: i32[H][W] = [src[y][x] for y, x]; n = [7 for y, x]; dst = [m[y][x] - n[y][x] for y, x];`, "m n_2 dst"},
		{"almost alike", `image m: i32[H][W] = [src[y][x] + 1 for y, x]; image n: i32[H][W] = [src[y][x] + 2 for y, x]; dst = [m[y][x] - n[y][x] for y, x];`, "m n dst"},
		{"other variables", `image m: i32[H][W] = [src[y][x] + y for y, x]; image n: i32[H][W] = [src[y][x] + x for y, x]; dst = [m[y][x] - n[y][x] for y, x];`, "m n dst"},
		{"in another round", `dst = src; for (k in 0 : 2) { image m: i32[H][W] = [dst[y][x] for y, x]; dst = [m[y][x] + k for y, x]; image n: i32[H][W] = [dst[y][x] for y, x]; dst = [n[y][x] - m[y][x] for y, x]; }`, "dst m dst_2 n dst_3"},
	} {
		diags := &diag.List{}
		p := sema.Check(parser.Parse(source.NewFile("p.img", head+c.text+"\n}\n"), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		q := fuse.Needed(p.Pipelines[0])
		var names []string
		hast.WalkSteps(q.Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				names = append(names, s.Name)
			}
		})
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		out := *p
		out.Pipelines = []*hast.Pipeline{q}
		if err := hast.Verify(&out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
