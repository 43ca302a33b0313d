package normal_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/interp/interptest"
	"imgc/optimize/normal"
	"imgc/pixels"
	"imgc/sema/sematest"
	"imgc/types"
)

// wholes are bodies of dst[y][x], and what is in the form that they take where neighbours are computed in blocks, and where they are not.
var wholes = []struct{ name, body, blocks, apart string }{
	{"a binomial", "convolve(tent / 16.0, src[y][x])", "(f32(sum((i32[3][3]{1 2 1 2 4 2 1 2 1}", ""},
	{"a binomial of its sum", "convolve(tent / sum(tent), src[y][x])", " * 0.0625)", ""},
	{"a slope", "convolve(slope, src[y][x])", "f32(sum((i32[3][3]{-1 0 1 -2 0 2 -1 0 1}", ""},
	{"a slope of signed bytes", "convolve(slope, few[y][x])", "f32(sum((i32[3][3]{", ""},
	{"nothing above zero", "sum(-1.0 * few[y+j][x] for j in -1:2)", "f32(sum((-1 * ", ""},
	{"large and small weights", "convolve(span, src[y][x])", "{1 32 64}", ""},
	{"a plain sum", "sum(f32(src[y+j][x+i]) for j in -1:2, i in -1:2)", "f32(sum(i32(src", ""},
	{"16 bits", "convolve(tent / 16.0, wide[y][x])", "f32(sum((i32[3][3]{", "f32[3][3]"},
	{"a column of 16 bits", "sum(bell[j+2] * wide[y+j][x] for j in -2:3)", "f32(sum((i32[5]{", "(bell["},
	{"colours", "convolve(tent / 16.0, rgb[y][x]).y", "f32[3][3]", "i32[3][3]"},
	{"written out", "f32(src[y-1][x]) + 2*src[y][x] + src[y+1][x]", "f32(((i32(src", ""},
	{"differences written out", "abs(f32(src[y-1][x]) - src[y+1][x]) + abs(f32(src[y][x-1]) - src[y][x+1])", "f32((abs((i32(src", ""},
	{"written out with a sign", "-f32(src[y-1][x]) - f32(src[y][x]) - f32(src[y+1][x])", "(-f32(src", ""},
	{"a distance", "hypot(convolve(slope, src[y][x]), convolve(transpose(slope), src[y][x]))", "sqrt((", ""},
	{"a distance of floats", "hypot(f32(x) / 3, convolve(slope, src[y][x]))", "hypot(", ""},

	{"no common unit", "sum(exp(f32(j)) * src[y+j][x] for j in -1:2)", "f32[3]{", ""},
	{"too large together", "sum(201.0 * wide[y+j][x+i] for j in -1:2, i in -1:2)", "sum((201.0 * ", ""},
	{"weights of 9 bits", "sum(weighty[j+1] * src[y+j][x] for j in -1:2)", "(weighty[", ""},
	{"products of pixels", "sum(f32(src[y+j][x]) * src[y+j][x] for j in -1:2)", "(f32(src", ""},
	{"floats", "convolve(tent / 16.0, real[y][x])", "f32[3][3]", ""},
	{"the same pixels as floats", "convolve(tent / 16.0, src[y][x]) + sum(sqrt(f32(src[y+j][x])) for j in -1:2)", "f32[3][3]", ""},
	{"many products of 16 bits", "convolve(rough, wide[y][x])", "(rough[", ""},
}

const wholeMasks = `mask tent: f32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
mask slope: f32[3][3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
mask span: f32[1][3] = [[0.015625, 0.5, 1]];
mask rough: f32[4][4] = [[1, 2, 3, 1], [5, 1, 1, 2], [2, 2, 1, 7], [1, 4, 1, 1]];
const bell: f32[5] = [1, 4, 6, 4, 1];
const weighty: f32[3] = [1, 257, 3];
`

// wholeProgram is the program with such a body.
func wholeProgram(t *testing.T, body string) *hast.Program {
	return sematest.Program(t, wholeMasks+"pipeline p(in src: u8[H][W] border clamp, in few: i8[H][W] border clamp, in wide: u16[H][W] border clamp, in rgb: u8x3[H][W] border clamp, "+
		"in real: f32[H][W] border clamp, out dst: f32[H][W]) { iterate (y, x) over dst dst[y][x] = "+body+"; }")
}

// inBlocks says of all pipelines that blocks of instances are computed together.
func inBlocks(string) bool { return true }

// wholeImages are images for it, with the least and the greatest pixels, and zeros side by side.
func wholeImages(t *testing.T) map[string]*pixels.Image {
	t.Helper()
	images := map[string]*pixels.Image{}
	for name, of := range map[string]types.Type{"src": types.Scalar(types.U8), "few": types.Scalar(types.I8), "wide": types.Scalar(types.U16), "rgb": types.Vector(types.U8, 3), "real": types.Scalar(types.F32)} {
		m, err := pixels.New(of, 5, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Words() {
			v := types.Int(0)
			if i > 20 {
				v = types.Wrap(of.Kind, types.Int(int64(i*i*977)))
			}
			if of.Kind.IsFloat() {
				v = types.Float(float64(i*i%13) / 4)
			}
			m.SetWord(i, v)
		}
		m.SetWord(30, types.Highest(of.Kind))
		m.SetWord(32, types.Lowest(of.Kind))
		if of.Kind.IsFloat() {
			m.SetWord(30, types.Float(1e6))
			m.SetWord(32, types.Float(-1e6))
		}
		images[name] = m
	}
	return images
}

func TestSumsOfBytesAsFloatsAreOfIntegers(t *testing.T) {
	for _, c := range wholes {
		checkBlocks(t, c.name, wholeProgram(t, c.body), c.blocks, c.apart)
	}
}

// inEither are the options for programs whose instances are computed one by one, and in blocks.
var inEither = map[bool]normal.Options{false: {Exact: true}, true: {Exact: true, Blocks: inBlocks}}

// checkBlocks looks for what is to be in the form of a program where neighbours are computed in blocks, and where they are not, for which "" is the same.
func checkBlocks(t *testing.T, name string, p *hast.Program, blocks, apart string) {
	t.Helper()
	for together, want := range map[bool]string{true: blocks, false: cmp.Or(apart, blocks)} {
		out := normal.Program(p, inEither[together])
		if err := hast.Verify(out); err != nil {
			t.Errorf("%s: %v\n%s", name, err, hast.Dump(out))
		}
		text := hast.Dump(out)
		if text = text[strings.Index(text, "stage dst"):]; !strings.Contains(text, want) {
			t.Errorf("%s, blocks %v: want %s in\n%s", name, together, want, text)
		}
	}
}

// checkBits compares what a program makes of images in either form, and as it is.
func checkBits(t *testing.T, name string, p *hast.Program, images map[string]*pixels.Image) {
	t.Helper()
	args := interp.Args{Images: images}
	want := interptest.Words(t, p.Pipelines[0], args, "dst")
	for together, opts := range inEither {
		if got := interptest.Words(t, normal.Program(p, opts).Pipelines[0], args, "dst"); !slices.Equal(got, want) {
			t.Errorf("%s, blocks %v: %x, want %x", name, together, got, want)
		}
	}
}

// What comes out is the same to the bit, signs of zeros included.
func TestSumsOfIntegersKeepEveryBit(t *testing.T) {
	for _, c := range wholes {
		if c.name == "a distance" {
			continue // hypot is exact but for its last place
		}
		checkBits(t, c.name, wholeProgram(t, c.body), wholeImages(t))
	}
}

// Weights that are no multiples of a power of two are of one of them where results need not be exact.
func TestWeightsThatAreAlikeAreOneNumber(t *testing.T) {
	for _, c := range []struct {
		body, has string
		exact     bool
	}{
		{"sum(src[y+j][x+i] * (1 / 9.0) for j in -1:2, i in -1:2)", " * 0.11111111", false},
		{"sum(src[y+j][x+i] * (1 / 9.0) for j in -1:2, i in -1:2)", "(f32(src", true},
		{"convolve(tent / 15.0, src[y][x])", "i32[3][3]{1 2 1 2 4 2 1 2 1}", false},
		{"convolve(tent / 15.0, src[y][x])", "f32[3][3]{", true},
		{"sum((j + 1.1) * src[y+j][x] for j in -1:2)", "+ 1.1)", false},
	} {
		text := hast.Dump(normal.Program(wholeProgram(t, c.body), normal.Options{Exact: c.exact, Blocks: inBlocks}))
		if text = text[strings.Index(text, "stage dst"):]; !strings.Contains(text, c.has) {
			t.Errorf("%s, exact %v: want %s in\n%s", c.body, c.exact, c.has, text)
		}
	}
}
