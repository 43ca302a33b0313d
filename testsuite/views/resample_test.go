package views

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// A resize makes dst of h x w pixels from src of H x W: the body of a pipeline, and the same in Python.
type resize struct {
	name, elem, result, text, python string
	near                             harness.Bound
	only                             func(H, W, h, w int) bool // the sizes at which they agree; nil for all
}

const resizeHead = `pipeline %s(in src: %s[H][W], out dst: %s[h][w]) {
    %s
}
`

const resizeShared = `
border straight(s[M][N]) {
    s[*][-1] = s[*][0];
    s[*][-2] = s[*][0];
} else clamp

kernel copied(in a: f32[n][m], out b: f32[n][m]) { b = a; }
kernel twice<T>(in a: T[n][m] border reflect, out b: T[k][l]) {
    view v: T[k][l] = resample(a, linear);
    b = v;
}
`

var (
	fine   = harness.Bound{Abs: 2e-3}
	whole  = harness.Bound{Abs: 1}
	larger = func(H, W, h, w int) bool { return h >= H && w >= W && h*w > 1 }
)

var resizes = []resize{
	{name: "nearest", elem: "u8", result: "u8", text: by("nearest"), python: "cv2.resize(src, (w, h), interpolation=cv2.INTER_NEAREST_EXACT)"},
	{name: "nearest_i64", elem: "i64", result: "i64", text: by("nearest"), python: "np.take(np.take(src, (2*np.arange(h) + 1)*H // (2*h), 0), (2*np.arange(w) + 1)*W // (2*w), 1)"},
	{name: "nearest_bool", elem: "bool", result: "bool", text: by("nearest"), python: "np.take(np.take(src, (2*np.arange(h) + 1)*H // (2*h), 0), (2*np.arange(w) + 1)*W // (2*w), 1)"},
	{name: "linear", elem: "u8", result: "u8", text: by("linear"), python: "whole(resample(src, h, w, 'linear'))", near: whole},
	{name: "linear_f32", elem: "f32", result: "f32", text: by("linear"), python: "cv2.resize(src, (w, h), interpolation=cv2.INTER_LINEAR)", near: fine},
	{name: "linear_f64", elem: "f64", result: "f64", text: by("linear"), python: "resample(src, h, w, 'linear')", near: harness.Bound{Abs: 1e-9}},
	{name: "linear_bytes", elem: "u8", result: "f32", text: by("linear"), python: "resample(src, h, w, 'linear').astype(np.float32)", near: fine},
	{name: "linear_vectors", elem: "u8x3", result: "f32x3", text: by("linear"), python: "resample(src, h, w, 'linear').astype(np.float32)", near: fine},
	{name: "cubic", elem: "f32", result: "f32", text: by("cubic"), python: "resample(src, h, w, 'cubic').astype(np.float32)", near: fine},
	{name: "cubic_bytes", elem: "u8x3", result: "u8x3", text: by("cubic"), python: "whole(resample(src, h, w, 'cubic'))", near: whole},
	{name: "lanczos", elem: "f32", result: "f32", text: by("lanczos3"), python: "resample(src, h, w, 'lanczos3').astype(np.float32)", near: fine},
	{name: "lanczos_f64", elem: "f64", result: "f64", text: by("lanczos3"), python: "resample(src, h, w, 'lanczos3')", near: harness.Bound{Abs: 1e-9}},
	{name: "lanczos_pillow", elem: "f32", result: "f32", only: larger,
		text: `view v: f32[h][w] = resample(src, lanczos3);
    iterate (y, x) over dst dst[y][x] = min(y, h-1-y)*H > 4*h && min(x, w-1-x)*W > 4*w ? v[y][x] : 0;`,
		python: `np.where(np.logical_and.outer(np.minimum(np.arange(h), h-1-np.arange(h))*H > 4*h, np.minimum(np.arange(w), w-1-np.arange(w))*W > 4*w),
    np.asarray(Image.fromarray(src).resize((w, h), Image.LANCZOS)), 0)`, near: fine},
	{name: "reflected", elem: "f32", result: "f32", text: "view s border reflect = src; " + from("s", "lanczos3"), python: "resample(src, h, w, 'lanczos3', 'reflect').astype(np.float32)", near: fine},
	{name: "reflected101", elem: "f32", result: "f32", text: "view s border reflect101 = src; " + from("s", "cubic"), python: "resample(src, h, w, 'cubic', 'reflect101').astype(np.float32)", near: fine},
	{name: "repeated", elem: "f32", result: "f32", text: "view s border repeat = src; " + from("s", "linear"), python: "resample(src, h, w, 'linear', 'repeat').astype(np.float32)", near: fine},
	{name: "constant", elem: "f32", result: "f32", text: "view s border constant(9) = src; " + from("s", "cubic"), python: "resample(src, h, w, 'cubic', 'constant', None, 9).astype(np.float32)", near: fine},
	{name: "formula", elem: "f32", result: "f32", text: "view s border straight = src; " + from("s", "lanczos3"), python: "resample(src, h, w, 'lanczos3').astype(np.float32)", near: fine},
	{name: "steps", elem: "f32", result: "f32", text: by("linear, 0.75, 1.5"), python: "resample(src, h, w, 'linear', 'clamp', (0.75, 1.5)).astype(np.float32)", near: fine},
	{name: "step_nearest", elem: "u8", result: "u8", text: by("nearest, 0.75, 1.25"), python: "resample(src, h, w, 'nearest', 'clamp', (0.75, 1.25)).astype(np.uint8)"},
	{name: "step_cubic", elem: "f32", result: "f32", text: by("cubic, 1, 0.25"), python: "resample(src, h, w, 'cubic', 'clamp', (1, 0.25)).astype(np.float32)", near: fine},
	{name: "step_lanczos", elem: "f32", result: "f32", text: by("lanczos3, 0.5, 1"), python: "resample(src, h, w, 'lanczos3', 'clamp', (0.5, 1)).astype(np.float32)", near: fine},
	{name: "sampled_cubic", elem: "f32", result: "f32", text: `iterate (y, x) over dst border(src: clamp)
        dst[y][x] = sample(src, (y + 0.5)*0.75 - 0.5, (x + 0.5)*1.25 - 0.5, cubic);`,
		python: "resample(src, h, w, 'cubic', 'clamp', (0.75, 1.25)).astype(np.float32)", near: fine},
	{name: "sampled_lanczos", elem: "u8x3", result: "u8x3", text: `iterate (y, x) over dst border(src: reflect101)
        dst[y][x] = sat<u8x3>(sample(src, (y + 0.5)*0.5 - 0.5, (x + 0.5)*1.5 - 0.5, lanczos3));`,
		python: "whole(resample(src, h, w, 'lanczos3', 'reflect101', (0.5, 1.5)))", near: whole},
	{name: "sampled_rows", elem: "f64", result: "f64", text: `iterate (y, x) over dst border(src: clamp)
        dst[y][x] = sample(src[min(y, H - 1)], (x + 0.5)*0.75 - 0.5, cubic) + 0 * sample(src, y, x, lanczos3);`,
		python: "np.take(resample(src, H, w, 'cubic', 'clamp', (1, 0.75)), np.minimum(np.arange(h), H-1), 0)", near: harness.Bound{Abs: 1e-9}},
	{name: "rows_alone", elem: "f32", result: "f32", text: "view v: f32[h][W] = resample(src, lanczos3); view u: f32[h][w] = resample(v, cubic); dst = u;",
		python: "resample(resample(src, h, W, 'lanczos3'), h, w, 'cubic').astype(np.float32)", near: fine},
	{name: "own_edges", elem: "f32", result: "f32", text: "view v: f32[h][w] border repeat = resample(src, linear); iterate (y, x) over dst dst[y][x] = v[y-1][x+2];",
		python: "np.roll(resample(src, h, w, 'linear'), (1, -2), (0, 1)).astype(np.float32)", near: fine},
	{name: "parts", elem: "f32", result: "f32", text: "view v: f32[2*h][w] = resample(src[0 : H], linear); view u = v[h : h]; dst = u;",
		python: "resample(src, 2*h, w, 'linear')[h:].astype(np.float32)", near: fine},
	{name: "changing", elem: "f32", result: "f32", text: `image t: f32[H][W] = src; view v: f32[h][w] = resample(t, linear); dst = v;
    for (i in 0:3) { iterate (y, x) over dst dst[y][x] += v[y][x]; t = [-t[y][x] + 1 for y, x]; }
    iterate (y, x) over dst dst[y][x] += v[y][x]; t = src; copied(v, dst);`,
		python: "resample(src, h, w, 'linear').astype(np.float32)", near: fine},
	{name: "levels", elem: "f32", result: "f32", text: `pyramid g: f32[H][W] levels 3; g[0] = src;
    traverse (g) {
        if (!g.top) { view d: f32[g[0].height][g[0].width] = resample(g[-1], cubic); g[0] = d; iterate (y, x) over d g[0][y][x] = 1 + d[y][x]; }
        descend;
    }
    view v: f32[h][w] = resample(g[2], linear); dst = v;`,
		python: "resample(1 + resample(1 + resample(src, (H+1)//2, (W+1)//2, 'cubic'), ((H+1)//2+1)//2, ((W+1)//2+1)//2, 'cubic'), h, w, 'linear').astype(np.float32)", near: fine},
	{name: "into_parts", elem: "f32", result: "f32", text: `view v: f32[h][w] = resample(src, cubic); view q = dst[0 : h][0 : w]; first: q = v; dst[0][0] = v[0][0]; view u: f32[h][w] = resample(dst, linear); dst = u;`,
		python: "resample(src, h, w, 'cubic').astype(np.float32)", near: fine},
	{name: "in_kernel", elem: "u8", result: "u8", text: "twice(src, dst);", python: "whole(resample(src, h, w, 'linear', 'reflect'))", near: whole},
	{name: "ranges", elem: "f32", result: "f32", text: `image t: f32[-2 : H-2][3 : W+3] border clamp = [src[y+2][x-3] for y, x]; view v: f32[1 : h+1][w] = resample(t, cubic);
    iterate (y, x) over dst dst[y][x] = v[y+1][x];`, python: "resample(src, h, w, 'cubic').astype(np.float32)", near: fine},
}

// by is the body that resamples src.
func by(mode string) string { return from("src", mode) }

func from(image, mode string) string {
	return "view v: TYPE[h][w] = resample(" + image + ", " + mode + "); dst = v;"
}

var resizeSizes = [][4]int{{1, 1, 1, 1}, {1, 1, 3, 5}, {1, 7, 1, 3}, {5, 1, 11, 2}, {7, 11, 13, 5}, {13, 17, 13, 17}, {13, 17, 26, 51}, {31, 37, 17, 53}, {6, 8, 3, 4}}

type resizeCall struct {
	resize
	name string
	args imgc.Args
	want imgc.Results
}

func resizeCalls(t *testing.T, most int) (*imgc.Program, []*resizeCall) {
	t.Helper()
	var b strings.Builder
	b.WriteString(resizeShared)
	for _, r := range resizes {
		text := strings.ReplaceAll(r.text, "TYPE", r.result)
		fmt.Fprintf(&b, resizeHead, r.name, r.elem, r.result, text)
	}
	p := harness.Compile(t, "resizes.img", b.String(), imgc.Strict)
	var list []*resizeCall
	for _, r := range resizes {
		pipeline, err := p.Pipeline(r.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range resizeSizes[:min(most, len(resizeSizes))] {
			if r.only != nil && !r.only(s[0], s[1], s[2], s[3]) {
				continue
			}
			c := &resizeCall{resize: r, name: fmt.Sprintf("%s/%dx%d_%dx%d", r.name, s[0], s[1], s[2], s[3])}
			src := harness.Input("src", harness.Random, pipeline.Param("src").Type, s[0], s[1])
			c.args = imgc.Args{Images: map[string]*pixels.Image{"src": src}, Sizes: map[string]int{"h": s[2], "w": s[3]}}
			c.want = harness.Interpret(t, p, r.name, c.args)
			list = append(list, c)
		}
	}
	return p, list
}

func TestResample(t *testing.T) {
	p, list := resizeCalls(t, 99)
	t.Run("device", func(t *testing.T) { runResizes(t, p, list) })
	t.Run("reference", func(t *testing.T) { compareResizes(t, list) })
}

// runResizes allows sin to differ between a device and the interpreter.
func runResizes(t *testing.T, p *imgc.Program, list []*resizeCall) {
	built := harness.Build(t, p)
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			r, err := built.Run(context.Background(), c.resize.name, device.Args(c.args), device.Layout{Pad: 1, Offset: 7})
			if err != nil {
				t.Fatal(err)
			}
			near := harness.Bound{}
			if strings.Contains(c.text, "lanczos3") {
				near = c.near
			}
			harness.CompareAll(t, r.Images, r.Scalars, c.want, near)
		})
	}
}

func compareResizes(t *testing.T, list []*resizeCall) {
	var cases []harness.ReferenceCase
	for _, c := range list {
		cases = append(cases, harness.ReferenceCase{
			Function: "views.resized", Images: []*pixels.Image{c.args.Images["src"]},
			Scalars: map[string]any{"text": c.python, "rows": c.args.Sizes["h"], "columns": c.args.Sizes["w"]}, Want: []*pixels.Image{c.want.Images["dst"]},
		})
	}
	for i, r := range harness.References(t, cases) {
		t.Run(list[i].name, func(t *testing.T) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if err := harness.Compare(list[i].want.Images["dst"], r.Images[0], list[i].near); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestResampleUnderOclgrind has the simulator watch the kernels.
func TestResampleUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedResample there")
	}
	harness.SimulateTest(t, "TestSimulatedResample")
}

// TestSimulatedResample runs in the process that TestResampleUnderOclgrind starts.
func TestSimulatedResample(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestResampleUnderOclgrind runs it in a process of its own")
	}
	p, list := resizeCalls(t, 5)
	runResizes(t, p, list)
}
