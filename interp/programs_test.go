package interp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/interp"
	"imgc/parser"
	"imgc/pixels"
	"imgc/sema"
	"imgc/source"
	"imgc/types"
)

// compile takes a program text to its one pipeline.
func compile(t *testing.T, text string) *hast.Pipeline {
	t.Helper()
	diags := &diag.List{}
	p := sema.Check(parser.Parse(source.NewFile("test.img", text), diags), sema.Options{}, diags)
	if p == nil {
		var all strings.Builder
		for _, d := range diags.Sorted() {
			fmt.Fprintf(&all, "%s: %s\n", d.Span, d.Message)
		}
		t.Fatalf("not accepted:\n%s%s", all.String(), text)
	}
	return p.Pipelines[0]
}

// image makes an image of the spelled type from its components.
func image(elem string, extent []int, values ...float64) *pixels.Image {
	e, ok := types.Parse(elem)
	if !ok {
		panic(elem)
	}
	m, err := pixels.New(e, extent...)
	if err != nil {
		panic(err)
	}
	for i, v := range values {
		m.SetWord(i, types.Convert(types.Float(v), types.F64, e.Kind))
	}
	return m
}

func values(m *pixels.Image) []float64 {
	list := make([]float64, m.Words())
	for i := range list {
		list[i] = types.Convert(m.Word(i), m.Elem.Kind, types.F64).Float()
	}
	return list
}

// count makes n values first, first+1, ...
func count(first, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = float64(first + i)
	}
	return list
}

// Each program computes dst from src (or from sizes alone); the results are worked out by hand.
var programs = []struct {
	name string
	text string
	src  *pixels.Image
	args interp.Args
	want []float64
}{
	{
		name: "point operation with the width of i32",
		text: `pipeline p(in src: u8[W], out dst: i32[W]) { iterate (x) over dst dst[x] = src[x] * 16777216 - 1; }`,
		src:  image("u8", []int{4}, 0, 1, 127, 128),
		want: []float64{-1, 16777215, 2130706431, 2147483647},
	},
	{
		name: "conversions wrap and saturate",
		text: `pipeline p(in src: f32[W], out dst: i32[W][4]) { iterate (x) over src {
			dst[x][0] = u8(src[x]); dst[x][1] = sat<u8>(src[x]); dst[x][2] = i8(i32(src[x])); dst[x][3] = sat<i8>(i32(src[x])); } }`,
		src:  image("f32", []int{4}, -1.5, 2.5, 200.75, 1000),
		want: []float64{0, 0, -1, -1, 2, 2, 2, 2, 200, 201, -56, 127, 255, 255, -24, 127},
	},
	{
		name: "division truncates or floors, by zero it is 0",
		text: `pipeline p(in src: i32[W], in d: i32, out dst: i32[W][6]) { iterate (x) over src {
			let a = src[x]; dst[x][0] = a / d; dst[x][1] = a % d; dst[x][2] = floordiv(a, d); dst[x][3] = mod(a, d);
			dst[x][4] = a / (d - d); dst[x][5] = a >> 1; } }`,
		src:  image("i32", []int{2}, 7, -7),
		args: interp.Args{Scalars: map[string]types.Value{"d": types.Of(types.I32, types.Int(-2))}},
		want: []float64{-3, 1, -4, -1, 0, 3, 3, -1, 3, -1, 0, -4},
	},
	{
		name: "each border rule on its own parameter",
		text: `pipeline p(in src: u8[W], out dst: u8[W][5]) {
			iterate (x) over src border clamp dst[x][0] = src[x-2];
			iterate (x) over src border reflect dst[x][1] = src[x-2];
			iterate (x) over src border reflect101 dst[x][2] = src[x-2];
			iterate (x) over src border repeat dst[x][3] = src[x-2];
			iterate (x) over src border constant(9) dst[x][4] = src[x-2]; }`,
		src: image("u8", []int{3}, 1, 2, 3),
		want: []float64{
			1, 2, 3, 2, 9, // index -2
			1, 1, 2, 3, 9, // index -1
			1, 1, 1, 1, 1, // index 0
		},
	},
	{
		name: "separable blur, smaller than its mask",
		text: `mask taps: i32[1][5] = [[1, 4, 6, 4, 1]];
			pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
				image rows: i32[H][W] = [convolve(taps, src[y][x]) for y, x] border reflect101;
				iterate (y, x) over dst border reflect101
					dst[y][x] = u8((convolve(transpose(taps), rows[y][x]) + 128) / 256); }`,
		src: image("u8", []int{1, 3}, 0, 160, 80),
		// reflect101 of 0 160 80 is 80 160 | 0 160 80 | 160 0: sums of 1440, 1600 and 1760, and 16 times that over one row.
		want: []float64{90, 100, 110},
	},
	{
		name: "windows, strides and reductions",
		text: `pipeline p(in src: u8[H][W], out dst: i32[H][W][6]) { iterate (y, x) over src border constant(0) {
			let w = src[y-1 : 3][x-1 : 3];
			dst[y][x][0] = sum(w); dst[y][x][1] = max(w); dst[y][x][2] = min(w); dst[y][x][3] = median(w);
			dst[y][x][4] = i32(mean(w) * 9);
			dst[y][x][5] = sum(src[y][x : 2 : 2]); } }`,
		src: image("u8", []int{2, 2}, 1, 2, 3, 4),
		want: []float64{
			10, 4, 0, 0, 10, 1,
			10, 4, 0, 0, 10, 2,
			10, 4, 0, 0, 10, 3,
			10, 4, 0, 0, 10, 4,
		},
	},
	{
		name: "reductions over a domain and a range",
		text: `domain cross[3][3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]];
			pipeline p(in src: u8[H][W], out dst: i32[H][W][5]) { iterate (y, x) over src border clamp {
				dst[y][x][0] = max(src[y + d.y][x + d.x] for d in cross);
				dst[y][x][1] = count(src[y + d.y][x + d.x] > 4 for d in cross);
				dst[y][x][2] = sum(i * src[y][x] for i in 0 : 4);
				dst[y][x][3] = argmin(src[y][(x + i) % W] for i in 0 : 3);
				let m = argmax(src[y + d.y][x + d.x] for d in cross);
				dst[y][x][4] = 10 * m.y + m.x; } }`,
		src: image("u8", []int{2, 3}, 5, 1, 4, 3, 9, 2),
		want: []float64{
			5, 3, 30, 1, -10, 9, 2, 6, 0, 10, 4, 0, 24, 2, -10, // above the first row is that row again
			9, 2, 18, 2, 1, 9, 2, 54, 1, 0, 9, 1, 12, 0, -1,
		},
	},
	{
		name: "control flow",
		text: `pipeline p(in src: i32[W], out dst: i32[W]) { iterate (x) over dst {
			var n = src[x]; var steps = 0;
			while (n != 1) { if (n % 2 == 0) n = n / 2; else n = 3 * n + 1; steps += 1; if (steps > 100) break; }
			for (i in 0 : 10) { if (i % 2 == 0) continue; if (i > 5) break; steps += 1000; }
			dst[x] = steps; } }`,
		src:  image("i32", []int{3}, 1, 6, 27),
		want: []float64{3000, 3008, 3101},
	},
	{
		name: "funcs and fold",
		text: `func sq(a: i32): i32 = a * a;
			func horner(acc: i32, c: i32): i32 { if (acc < 0) return c; return 10 * acc + sq(c); }
			pipeline p(in src: i32[W], out dst: i32[W]) { iterate (x) over dst
				dst[x] = fold(horner, -1, src[x] + i for i in 0 : 3); }`,
		src:  image("i32", []int{2}, 1, 2),
		want: []float64{149, 306}, // 1, 1*10 + 4, 14*10 + 9; 2, 2*10 + 9, 29*10 + 16
	},
	{
		name: "matrix algebra",
		text: `const P: i32[2][2] = [[1, 2], [3, 4]];
			pipeline p(in src: i32[2*H][2*W], out dst: i32[H][W]) { iterate (y, x) over dst {
				let m = P * src[2*y : 2][2*x : 2] * transpose(P);
				dst[y][x] = m[0][1]; } }`,
		src:  image("i32", []int{2, 2}, 1, 0, 0, 1),
		want: []float64{11},
	},
	{
		name: "vectors and swizzles",
		text: `pipeline p(in src: u8x3[W], out dst: u8x3[W]) { iterate (x) over dst
			dst[x] = sat<u8x3>(i32x3(src[x].zyx) * 2 - 10); }`,
		src:  image("u8x3", []int{2}, 1, 2, 200, 100, 5, 6),
		want: []float64{255, 0, 0, 2, 0, 190},
	},
	{
		name: "where, strides and pixels that nothing writes",
		text: `pipeline p(in src: i32[W], out dst: i32[W]) { iterate (x in 0 : W : 2) where (src[x] > 2) dst[x] = src[x]; }`,
		src:  image("i32", []int{6}, 1, 2, 3, 4, 5, 6),
		want: []float64{0, 0, 3, 0, 5, 0},
	},
	{
		name: "sizes derived from sizes, host values and defaults",
		text: `pipeline p(in src: i32[H][W], out dst: i32[(H + 1) / 2][W - 1], in k: i32 = 3) {
			let n = H * W + k;
			iterate (y, x) over dst dst[y][x] = n * src[2*y][x + 1]; }`,
		src:  image("i32", []int{3, 2}, 1, 2, 3, 4, 5, 6),
		want: []float64{18, 54},
	},
	{
		name: "levels of a pyramid keep what was written",
		text: `pipeline p(in src: i32[W], out dst: i32[W]) {
			pyramid g: i32[W] border clamp levels 2;
			traverse (g) {
				if (g.top) g[0] = [src[x] + 1 for x]; else g[0] = [g[-1][2*x] + 10 * g[-1][2*x + 1] for x];
				descend;
			}
			dst = [g[0][x] + 100 * g[1][x / 2] for x]; }`,
		src:  image("i32", []int{4}, 0, 1, 2, 3),
		want: []float64{2101, 2102, 4303, 4304},
	},
	{
		name: "half precision rounds after each operation",
		text: `pipeline p(in src: f16[W], out dst: f16[W]) { iterate (x) over dst dst[x] = (src[x] + 1.0h) - src[x]; }`,
		src:  image("f16", []int{3}, 1000, 2048, 4096),
		want: []float64{1, 0, 0},
	},
}

func TestProgramsGiveResultsWorkedOutByHand(t *testing.T) {
	for _, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			p := compile(t, c.text)
			args := c.args
			args.Images = map[string]*pixels.Image{"src": c.src}
			for _, workers := range []int{1, 2} {
				res, err := interp.Run(context.Background(), p, args, interp.Options{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if got := values(res.Images["dst"]); !slices.Equal(got, c.want) {
					t.Errorf("%d workers\n got %v\nwant %v", workers, got, c.want)
				}
			}
		})
	}
}

func TestEntryChecksOfProgramsSpeakOfSizes(t *testing.T) {
	text := `pipeline p(in src: i32[H][W], out dst: i32[H][W]) { iterate (y in 0 : H) dst[y][1] = src[y][2]; }`
	p := compile(t, text)
	_, err := interp.Run(context.Background(), p, interp.Args{Images: map[string]*pixels.Image{"src": image("i32", []int{2, 2})}}, interp.Options{})
	if err == nil || !strings.Contains(err.Error(), "W >= 3") {
		t.Errorf("got %v", err)
	}
	if _, err := interp.Run(context.Background(), p, interp.Args{Images: map[string]*pixels.Image{"src": image("i32", []int{2, 3})}}, interp.Options{}); err != nil {
		t.Error(err)
	}
}

func TestLoopsOfProgramsAreNamedByTheirPlace(t *testing.T) {
	p := compile(t, "pipeline p(in src: i32[W], out dst: i32[W]) { iterate (x) over dst {\n\tvar i = 0;\n\twhile (i >= 0) i = 0;\n\tdst[x] = i; } }")
	_, err := interp.Run(context.Background(), p, interp.Args{Images: map[string]*pixels.Image{"src": image("i32", []int{2})}},
		interp.Options{MaxSteps: 5000})
	if err == nil || !strings.HasPrefix(err.Error(), "test.img:3:2: p: this loop does not seem to end: one instance has made 5000 iterations") {
		t.Errorf("got %v", err)
	}
}

func TestRowsOfACountingImageAddUp(t *testing.T) {
	p := compile(t, `pipeline p(in src: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst border constant(0)
		dst[y][x] = src[y][x-1] + src[y-1][x]; }`)
	res, err := interp.Run(context.Background(), p, interp.Args{Images: map[string]*pixels.Image{"src": image("f32", []int{2, 3}, count(1, 6)...)}}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := values(res.Images["dst"]); !slices.Equal(got, []float64{0, 1, 2, 1, 6, 8}) {
		t.Errorf("got %v", got)
	}
}
