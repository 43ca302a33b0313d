package feature_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/sema/sematest"
)

// pipeline compiles the pipeline p with a body, between declarations that the cases share.
func pipeline(t *testing.T, params, body string) *hast.Pipeline {
	t.Helper()
	text := `
mask gauss: i32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
mask cross: f32[3][3] = [[0.0, 0.2, 0.0], [0.2, 0.2, 0.2], [0.0, 0.2, 0.0]];
domain box[5][5];
func twice(x: f32): f32 = x + x;
pipeline p(` + params + `) { ` + body + ` }`
	return sematest.Program(t, text).Pipelines[0]
}

const (
	bytesIn  = "in src: u8[H][W], out dst: u8[H][W]"
	floatsIn = "in src: f32[H][W], out dst: f32[H][W]"
)

func TestFeaturesOfStages(t *testing.T) {
	for _, c := range []struct{ name, params, body, want string }{
		{"point", bytesIn, "iterate (y, x) over dst dst[y][x] = u8(255 - src[y][x]);",
			"point: reads src[y][x] (1), writes dst[y][x] (1); 2 logic"},
		{"convolution", bytesIn, "iterate (y, x) over dst border clamp dst[y][x] = u8(convolve(gauss, src[y][x]) / 16);",
			"local: reads src[y-1:y+1][x-1:x+1] clamp (9), writes dst[y][x] (1); 9 integer, 3 logic"},
		{"sparse mask", floatsIn, "iterate (y, x) over dst border reflect dst[y][x] = convolve(cross, src[y][x]);",
			"local: reads src[y-1:y+1][x-1:x+1] reflect (5), writes dst[y][x] (1); 5 fma"},
		{"written out", floatsIn, "iterate (y, x) over dst border clamp dst[y][x] = 0.25 * src[y][x-1] + 0.5 * src[y][x] + 0.25 * src[y][x+1];",
			"local: reads src[y][x-1:x+1] clamp (3), writes dst[y][x] (1); 3 fma"},
		{"half size", "in src: f32[2*H][2*W], out dst: f32[H][W]", "iterate (y, x) over dst dst[y][x] = src[2*y][2*x] + src[2*y+1][2*x+1];",
			"local: reads src[2*y:2*y+1][2*x:2*x+1] (2), writes dst[y][x] (1); 1 fma"},
		{"twice the size", "in src: f32[H][W], out dst: f32[2*H][2*W]", "iterate (y, x) over dst dst[y][x] = src[y / 2][x / 2];",
			"local: reads src[(y)/2][(x)/2] (1), writes dst[y][x] (1)"},
		{"transpose", "in src: f32[H][W], out dst: f32[W][H]", "iterate (y, x) over dst dst[y][x] = src[x][y];",
			"point: reads src[x][y] (1), writes dst[y][x] (1)"},
		{"mirror", floatsIn, "iterate (y, x) over dst dst[y][x] = src[y][W - 1 - x];",
			"point: reads src[y][host] (1), writes dst[y][x] (1)"},
		{"table", "in src: u8[H][W], in lut: f32[256], out dst: f32[H][W]", "iterate (y, x) over dst dst[y][x] = lut[src[y][x]];",
			"gather: reads src[y][x] (1), reads lut[?] (1), writes dst[y][x] (1)"},
		{"histogram", "in src: u8[H][W], out hist: u32[256]", "iterate (y, x) over src hist[src[y][x]] += 1u;",
			"scatter: reads src[y][x] (1), updates hist[?] (1); 1 logic"},
		{"function", floatsIn, "iterate (y, x) over dst dst[y][x] = twice(sqrt(src[y][x]));",
			"point: reads src[y][x] (1), writes dst[y][x] (1); 5 fma, 1 special"},
		{"domain", bytesIn, "iterate (y, x) over dst border clamp dst[y][x] = max(src[y + d.y][x + d.x] for d in box);",
			"local: reads src[y-2:y+2][x-2:x+2] clamp (25), writes dst[y][x] (1); 25 logic"},
		{"weights of places", floatsIn, "iterate (y, x) over dst border clamp dst[y][x] = sum(exp(-f32(d.y*d.y + d.x*d.x)) * src[y + d.y][x + d.x] for d in box);",
			"local: reads src[y-2:y+2][x-2:x+2] clamp (25), writes dst[y][x] (1); 25 fma"}, // constants, once the sum is written out
		{"weights of a call", floatsIn + ", in s: f32", "iterate (y, x) over dst border clamp dst[y][x] = sum(exp(-s * d.x) * src[y][x + d.x] for d in box);",
			"local: reads src[y][x-2:x+2] clamp (25), writes dst[y][x] (1); 200 fma, 1 logic, 25 special"},
		{"scan", floatsIn, "iterate (y, x) over dst scan(x) border constant(0) dst[y][x] = dst[y][x-1] + src[y][x];",
			"scan: reads dst[y][x-1] constant (1), reads src[y][x] (1), writes dst[y][x] (1); 1 fma"},
		{"whole line", "in src: f32[H][W], out dst: f32[H]", "iterate (y) over dst dst[y] = sum(src[y][k] for k in 0:W);",
			"global: reads src[y][host] (1), writes dst[y] (1); 1 fma; loops of unknown length"},
		{"from anywhere", "in src: f32[H][W], out dst: f32[H]", "iterate (y) over dst border clamp dst[y] = sum(src[y][k] for k in W:W + 3);",
			"point: reads src[y][host] clamp (3), writes dst[y] (1); 3 fma, 1 logic"},
	} {
		var got []string
		for _, s := range feature.Of(pipeline(t, c.params, c.body), false) {
			got = append(got, s.Text())
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, text, c.want)
		}
	}
}

// values evaluates extents where all sizes are n.
func values(n int64) func(hast.Expr) int64 {
	var eval func(hast.Expr) int64
	eval = func(e hast.Expr) int64 {
		switch e := e.(type) {
		case *hast.Const:
			return e.Words[0].Int()
		case *hast.Op:
			return eval(e.Args[0]) * eval(e.Args[1])
		}
		return n
	}
	return eval
}

func TestCompulsoryBytes(t *testing.T) {
	for _, c := range []struct {
		name, params, body string
		read, written      float64
	}{
		{"a window is read once", floatsIn, "iterate (y, x) over dst border clamp dst[y][x] = convolve(cross, src[y][x]);", 400, 400},
		{"two reads of an image are one", floatsIn, "iterate (y, x) over dst border (src: clamp) dst[y][x] = src[y][x] + src[x][y];", 400, 400},
		{"a table is read whole", "in src: u8[H][W], in lut: f32[8], out dst: f32[H][W]", "iterate (y, x) over dst border clamp dst[y][x] = lut[src[y][x]];", 100 + 32, 400},
		{"a corner is a corner", floatsIn, "iterate (y, x) over dst dst[y][x] = src[0][0];", 400, 400},
		{"an element of a product takes a whole vector", "in src: f32[3][H][W], out dst: f32[H][W]", "iterate (y, x) over dst dst[y][x] = ([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]] * src[0:3][y][x])[1];", 1200, 400},
		{"an update reads and writes", "in src: u8[H][W], inout sum: u32[4]", "iterate (y, x) over src sum[src[y][x] & 3] += 1u;", 100 + 16, 16},
	} {
		read, written := feature.Of(pipeline(t, c.params, c.body), false)[0].Bytes(values(10))
		if read != c.read || written != c.written {
			t.Errorf("%s: %g read, %g written; want %g, %g", c.name, read, written, c.read, c.written)
		}
	}
}

// TestConversionsCountByWhatTheyTake: of words to floats, and of floats to bytes that saturate, as words; all others between floats and integers as conversions.
func TestConversionsCountByWhatTheyTake(t *testing.T) {
	for _, c := range []struct {
		value       string
		words, rest float64
	}{
		{"f32(n[y][x])", 1, 0},
		{"f32(sat<u8>(f[y][x]))", 1, 1},
		{"f32(u8(f[y][x]))", 0, 2},
		{"f32(i32(f[y][x]))", 1, 1},
		{"f32(sat<u16>(f[y][x]))", 0, 2},
		{"f32(b[y][x])", 0, 1},
		{"f[y][x]", 0, 0},
	} {
		s := feature.Of(pipeline(t, "in n: i32[H][W], in f: f32[H][W], in b: u8[H][W], out dst: f32[H][W]", "iterate (y, x) over dst dst[y][x] = "+c.value+";"), false)[0]
		if words, rest := s.Ops[feature.ConvertWord], s.Ops[feature.Convert]; words != c.words || rest != c.rest {
			t.Errorf("%s: %v of words and %v others; want %v and %v", c.value, words, rest, c.words, c.rest)
		}
	}
}

// TestPixelsOfHalvesAreWidened, where they are converted as they are read.
func TestPixelsOfHalvesAreWidened(t *testing.T) {
	for value, widened := range map[string]float64{"f32(h[y][x])": 1, "sum(f32(h[y : 3][x : 3]))": 9, "f32(h[y][x] * h[y][x])": 0, "f32(f[y][x])": 0} {
		s := feature.Of(pipeline(t, "in h: f16[H][W] border clamp, in f: f32[H][W], out dst: f32[H][W]", "iterate (y, x) over dst dst[y][x] = "+value+";"), false)[0]
		if got := s.Ops[feature.Widen]; got != widened {
			t.Errorf("%s: %v, want %v", value, got, widened)
		}
	}
}

// TestWhatSamplesShareCountsOnce, though it stands in the index of each pixel around the coordinate.
func TestWhatSamplesShareCountsOnce(t *testing.T) {
	s := feature.Of(pipeline(t, "in a: f32[D][H][W] border clamp, in z: f32[H][W], out b: f32[H][W]",
		"iterate (y, x) over b b[y][x] = sample(a, z[y][x] * 3, z[y][x] + 1, f32(x) / 8, linear);"), false)[0]
	if got := s.Ops[feature.Convert]; got != 3 { // of coordinates to integers
		t.Errorf("it counts %v conversions", got)
	}
	if got := s.Ops[feature.ConvertWord]; got != 1 { // of x
		t.Errorf("it counts %v conversions of words", got)
	}
	if got := s.Ops[feature.Memory]; got != 8+2+1 {
		t.Errorf("it counts %v reads and writes", got)
	}
}

// TestEachCallCounts, though the body of a func is one.
func TestEachCallCounts(t *testing.T) {
	s := feature.Of(pipeline(t, "in a: f32[W], out b: f32[W]", "iterate (x) over b b[x] = max(twice(a[x]), twice(a[W - 1 - x]));"), false)[0]
	if got := s.Ops[feature.FMA]; got != 2 {
		t.Errorf("it counts %v sums", got)
	}
}

// TestStatementsCountEachForItself, whose variables may have changed.
func TestStatementsCountEachForItself(t *testing.T) {
	s := feature.Of(pipeline(t, "in a: f32[W], out b: f32[W]", "iterate (x) over b { var s = a[x]; s *= s; s *= s; b[x] = s; }"), false)[0]
	if got := s.Ops[feature.FMA]; got != 2 {
		t.Errorf("it counts %v products", got)
	}
}

// TestWhatHardlyEverHappens sets a condition whose other side is not planned for against one whose is.
func TestWhatHardlyEverHappens(t *testing.T) {
	for _, c := range []struct {
		rare        bool
		want        string
		read, times float64
	}{
		{false, "global: reads a[0][x] (1), reads a[host][x] (1), writes d[x] (1); 2 fma, 1 logic; loops of unknown length", 64 * 64, 4},
		{true, "point: reads a[0][x] (1), reads a[host][x] (0), writes d[x] (1); 1 fma, 1 logic", 64, 4},
	} {
		p := pipeline(t, "in a: f32[H][W], out d: f32[W]", `iterate (x) over d {
			var s = a[0][x];
			if (s > 0) { s = s + s; } else { for (y in 0:H) s = s * 0.5 + a[y][x]; s = s + 1.0; }
			d[x] = s;
		}`)
		s := p.Steps[0].(*hast.Stage)
		hast.WalkBody(s.Body, func(st hast.Stmt) {
			if x, ok := st.(*hast.If); ok {
				x.Rare = c.rare
			}
		}, nil)
		f := feature.OfStage(s, false)
		if f.Text() != c.want {
			t.Errorf("rare %v:\n got %s\nwant %s", c.rare, f.Text(), c.want)
		}
		if read, _ := f.Bytes(values(64)); read != c.times*c.read {
			t.Errorf("rare %v: %v bytes are read, want %v", c.rare, read, c.times*c.read)
		}
	}
}
