package gather_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/interp/interptest"
	"imgc/optimize/gather"
	"imgc/pixels"
	"imgc/sema/sematest"
	"imgc/types"
)

// inBlocks are stages that write blocks of dst, whose extent stands before.
var inBlocks = []struct{ name, dst, body string }{
	{"one value", "i32[3*H][2*W]", "iterate (y, x) over src dst[3*y : 3][2*x : 2] = src[y][x];"},
	{"products of matrices", "i32[2*H][2*W]", "iterate (y, x) over src dst[2*y : 2][2*x : 2] = P * src[y : 2][x : 2] * transpose(P);"},
	{"between pixels", "i32[H][W]", "iterate (y in -1 : (H+3)/4, x in -1 : (W+3)/4) border(dst: skip) dst[4*y + 2 : 4][4*x + 2 : 4] = Q * src[y:2][x:2] * transpose(Q);"},
	{"more blocks than there is room for", "i32[2*H - 1][W]", "iterate (y in -2 : H, x in 0 : W/3 + 1) border(dst: skip) dst[2*y + 1 : 2][3*x : 3] = src[y][x+1];"},
	{"inside", "i32[2*H][2*W]", "iterate (y in 1 : H, x in 0 : W - 1) dst[2*y - 1 : 2][2*x + 1 : 2] = src[y][x] * (2*y - x);"},
	{"one by one", "i32[2*H][W]", "iterate (y, x) over src { let c = src[y][x]; dst[2*y + 1][x] = c - src[y+1][x]; dst[2*y][x] = c; }"},
	{"forms of two rows", "i32[2*H][2*W]", "iterate (y, x) over src { let c = src[y][x]; dst[2*y][2*x] = c; dst[2*y][2*x+1] = c + src[y][x+1]; dst[2*y+1][2*x] = 7*c; dst[2*y+1][2*x+1] = 5*src[y][x+1]; }"},
	{"numbers of all places", "i32[2*H][3*W]", "iterate (y, x) over src { let c = src[y][x]; for (j in 0:1) dst[2*y][3*x] = c*2; dst[2*y][3*x] = c*3; dst[2*y][3*x+1] = c*5; dst[2*y][3*x+2] = c*4; dst[2*y+1][3*x] = c*9; dst[2*y+1][3*x+1] = c; dst[2*y+1][3*x+2] = c*8; }"},
	{"a large block", "i32[16*H][16*W]", "iterate (y, x) over src dst[16*y : 16][16*x : 16] = src[y][x] + 3;"},
	{"in loops", "i32[9*H][5*W]", "iterate (y, x) over src { let c = src[y][x]; for (j in 0:9) for (i in 0:5) dst[9*y + j][5*x + i] = c * (i + 2*j) - src[y+1][x]; }"},
	{"under conditions", "i32[2*H][W]", "iterate (y, x) over src { dst[2*y][x] = x > 0 ? in[y][x-1] : 3; dst[2*y + 1][x] = y > 0 ? in[y-1][x] : 4; }"},
	{"the last one wins", "i32[2*H][W]", "iterate (y, x) over src { dst[2*y][x] = 1; dst[2*y + 1][x] = src[y][x]; dst[2*y][x] = src[y+1][x]; }"},
	{"turned", "i32[3*W][2*H]", "iterate (y, x) over src dst[3*x : 3][2*y : 2] = src[y][x] + y;"},
	{"shuffled", "i32[2*(H/2)][2*(W/2)]", "iterate (y in 0 : H/2, x in 0 : W/2) dst[2*y : 2][2*x : 2] = transpose(src[2*y : 2][2*x : 2]) + src[2*y : 2][2*x : 2];"},
}

// pipelineOf is a pipeline with a stage over an image.
func pipelineOf(t *testing.T, dst, body string) *hast.Pipeline {
	t.Helper()
	body = strings.ReplaceAll(body, "in[", "src[")
	return sematest.Program(t, "const P: i32[2][2] = [[1, 2], [3, 5]]; const Q: i32[4][2] = [[7, 1], [5, 3], [3, 5], [1, 7]];\n"+
		"pipeline p(in src: i32[H][W] border clamp, out dst: "+dst+") { "+body+" }").Pipelines[0]
}

// TestPixelsAreTheSame runs stages, and what has an instance for each of their pixels, on images of several sizes.
func TestPixelsAreTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for _, c := range inBlocks {
		p := pipelineOf(t, c.dst, c.body)
		before := p.Steps[0].(*hast.Stage)
		if c.name == "numbers of all places" {
			before.Body = slices.DeleteFunc(before.Body, func(s hast.Stmt) bool { _, loop := s.(*hast.For); return loop })
		}
		after, why := gather.Stage(before)
		if why != "" {
			t.Errorf("%s: %s", c.name, why)
			continue
		}
		q := *p
		q.Steps = []hast.Step{after}
		if err := hast.Verify(&hast.Program{Pipelines: []*hast.Pipeline{&q}}); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		stores := 0
		hast.EachStore(after.Body, func(*hast.Store) { stores++ })
		if stores != 1 {
			t.Errorf("%s: %d stores", c.name, stores)
		}
		for _, extent := range [][2]int{{1, 1}, {2, 2}, {2, 5}, {3, 4}, {7, 3}, {16, 9}, {13, 22}} {
			args := interp.Args{Images: map[string]*pixels.Image{"src": random(t, rng, extent)}}
			if strings.Contains(c.dst, "/2)]") && (extent[0] < 2 || extent[1] < 2) {
				continue
			}
			want := interptest.Words(t, p, args, "dst")
			if got := interptest.Words(t, &q, args, "dst"); !slices.Equal(got, want) {
				t.Fatalf("%s, %v pixels: %v, want %v\n%s", c.name, extent, got, want, hast.Dump(&hast.Program{Pipelines: []*hast.Pipeline{&q}}))
			}
		}
	}
}

// random is an image of random numbers.
func random(t *testing.T, rng *rand.Rand, extent [2]int) *pixels.Image {
	t.Helper()
	m, err := pixels.New(types.Scalar(types.I32), extent[:]...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Words() {
		m.SetWord(i, types.Int(int64(rng.IntN(200)-100)))
	}
	return m
}

func TestWhatIsNoBlocksStays(t *testing.T) {
	for _, c := range []struct{ name, dst, body, why string }{
		{"single pixels", "i32[H][W]", "iterate (y, x) over dst dst[y][x] = src[y][x];", "its instances write single pixels"},
		{"gaps", "i32[3*H][W]", "iterate (y, x) over src { dst[3*y][x] = 1; dst[3*y + 2][x] = src[y][x]; }", "there are gaps between its blocks"},
		{"updates", "i32[2*H][W]", "iterate (y, x) over src { dst[2*y][x] += 1; dst[2*y + 1][x] += src[y][x]; }", "it does more than to write pixels of one image"},
		{"a loop that does more", "i32[32*H][W]", "iterate (y, x) over src for (j in 0:32) { let c = src[y][x] + j; dst[32*y + j][x] = c; }", "it computes in more than one step"},
		{"under a condition", "i32[2*H][W]", "iterate (y, x) over src { dst[2*y][x] = 1; if (x > 2) dst[2*y + 1][x] = src[y][x]; }", "it computes in more than one step"},
		{"halves of an image", "i32[2*H][W]", "iterate (y, x) over src { dst[y][x] = 1; dst[y + H][x] = src[y][x]; }", "its instances write no blocks"},
		{"a part that is not known", "i32[2*H][2*W]", "iterate (y in 0 : H/3, x in 0 : W) border(dst: skip) dst[2*y - 1 : 2][2*x + 1 : 2] = src[y][x];", "it is not known which pixels of dst its blocks are"},
		{"transforms", "i32[8*(H/8)][8*(W/8)]", "iterate (y in 0 : H/8, x in 0 : W/8) dst[8*y : 8][8*x : 8] = src[8*y : 8][8*x : 8] * src[0:8][0:8] * src[8*y : 8][8*x : 8];", "the pixels of a block are not computed one by one"},
	} {
		p := pipelineOf(t, c.dst, c.body)
		if _, why := gather.Stage(p.Steps[0].(*hast.Stage)); why != c.why {
			t.Errorf("%s: %q, want %q", c.name, why, c.why)
		}
	}
}

// TestNumbersOfPhases sees how the numbers of pixels in a block are found again.
func TestNumbersOfPhases(t *testing.T) {
	for _, c := range []struct{ name, dst, body, want string }{
		{"multiples of phases", "i32[2*H][2*W]", "iterate (y, x) over src dst[2*y : 2][2*x : 2] = src[y : 2][x : 2];", "src[((y / 2) + (y % 2))>][((x / 2) + (x % 2))>]@clamp"},
		{"tables along one axis", "i32[H][4*W]", "iterate (y, x) over src dst[y][4*x : 4] = src[y][x] * [3, 1, 7, 2];", "i32[4]{3 1 7 2}[(x % 4)]"},
		{"before the first one", "i32[H][W]", "iterate (y in 0:H, x in -1 : W/2) border(dst: skip) dst[y][2*x + 1 : 2] = src[y][x];", "src[y][(((x + 1) / 2) - 1)<]@clamp"},
	} {
		p := pipelineOf(t, c.dst, c.body)
		s, why := gather.Stage(p.Steps[0].(*hast.Stage))
		if why != "" {
			t.Fatalf("%s: %s", c.name, why)
		}
		q := *p
		q.Steps = []hast.Step{s}
		if text, want := hast.Dump(&hast.Program{Pipelines: []*hast.Pipeline{&q}}), c.want; !strings.Contains(text, want) {
			t.Errorf("%s: no %s in\n%s", c.name, want, text)
		}
	}
}
