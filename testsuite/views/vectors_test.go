package views

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// vectors are pipelines on pixels of several components: temporaries, which are read through views at any column, exchanged with each other, and
// are the levels of a pyramid; and temporaries that change places with images of the caller's.
const vectors = `
pipeline own(in src: TYPE[H][W] border clamp, inout dst: TYPE[H][W]) {
    image half: TYPE[H][W] border clamp = src;
    image next: TYPE[H][W];
    image odd: TYPE[H][W+1] = [src[y][x] for y, x] border clamp;
    view part = odd[H/2 : H - H/2][W/3 : W - W/3];
    for (k in 0:3) {
        iterate (y, x) over next next[y][x] = max(half[y-1][x], half[y][x+2]);
        swap(half, next);
    }
    iterate (y, x) over dst border clamp dst[y][x] = max(min(dst[y][x], half[2*y - 3][3*x - W]), part[y][x-1]);
}

pipeline lent(in src: TYPE[H][W] border clamp, inout dst: TYPE[H][W] border clamp) {
    image taken: TYPE[H][W] border clamp = src;
    image third: TYPE[H][W] border clamp;
    for (k in 0:3) {
        iterate (y, x) over third third[y][x] = max(taken[y][x+1], dst[y-1][x]);
        swap(taken, third);
        swap(third, dst);
    }
}

pipeline levels(in src: TYPE[H][W], inout dst: TYPE[H][W]) {
    pyramid g: TYPE[H][W] border clamp levels 2;
    g[0] = src;
    traverse (g) {
        if (!g.top) iterate (y, x) over g[0] g[0][y][x] = max(g[-1][2*y][2*x], g[-1][2*y+1][2*x-1]);
        descend;
    }
    iterate (y, x) over dst dst[y][x] = min(g[0][y][x], g[1][y/2][x/2]);
}

// Tiles of what is fused, and what is left of blocks at the ends of lines.
pipeline chain(in src: TYPE[H][W] border clamp, inout dst: TYPE[H][W]) {
    image down: TYPE[H][W] = [max(src[y-1][x], src[y+1][x]) for y, x] border clamp;
    image wide: TYPE[H][W] = [max(down[y][x-1], down[y][x+1]) for y, x] border clamp;
    iterate (y, x) over dst border constant(TYPE(3)) dst[y][x] = min(wide[y][x], wide[y-1][x+1]);
}
`

// oneAccess are the types of pixels that one access of a target moves, others those that it does not.
var (
	oneAccess = []types.Type{
		types.Vector(types.F32, 2), types.Vector(types.F32, 4), types.Vector(types.U8, 2), types.Vector(types.U8, 4), types.Vector(types.I16, 2),
		types.Vector(types.I32, 4), types.Vector(types.F16, 2), types.Vector(types.BF16, 4), types.Vector(types.I64, 2),
	}
	others = []types.Type{types.Vector(types.F32, 3), types.Vector(types.U8, 3), types.Vector(types.I64, 4), types.Vector(types.F64, 4)}
)

// ways are decisions for the stages by chance: blocks, rows, and whatever is legal, some of it in tiles.
var ways = []func(pipeline string, s *hast.Stage) schedule.Decisions{
	harness.Blocks(4), harness.Rows(1), harness.Legal(2, imgc.Strict), harness.Legal(3, imgc.Strict),
}

// TestPixelsOfSeveralComponents runs them where the caller's images, and the lines of all images, start at odd places.
func TestPixelsOfSeveralComponents(t *testing.T) {
	for i, elem := range slices.Concat(oneAccess, others) {
		t.Run(elem.String(), func(t *testing.T) {
			runVectors(t, elem, nil, [][2]int{{1, 1}, {3, 5}, {7, 33}})
			runVectors(t, elem, ways[i%len(ways)], [][2]int{{3, 5}, {7, 33}, {12, 64}})
		})
	}
}

// TestPixelsOfSeveralComponentsUnderOclgrind has the simulator watch the accesses at small sizes.
func TestPixelsOfSeveralComponentsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedPixels there")
	}
	harness.SimulateTest(t, "TestSimulatedPixels")
}

// TestSimulatedPixels runs in the process that TestPixelsOfSeveralComponentsUnderOclgrind starts.
func TestSimulatedPixels(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestPixelsOfSeveralComponentsUnderOclgrind runs it in a process of its own")
	}
	for _, elem := range oneAccess {
		runVectors(t, elem, nil, [][2]int{{3, 5}})
	}
}

func runVectors(t *testing.T, elem types.Type, decide func(string, *hast.Stage) schedule.Decisions, sizes [][2]int) {
	text := strings.ReplaceAll(vectors, "TYPE", elem.String())
	p := harness.CompileWith(t, "vectors.img", text, imgc.Options{Mode: imgc.Strict, Decide: decide})
	built := harness.BuildPlain(t, p)
	for _, q := range p.Pipelines {
		for _, s := range sizes {
			args := func() imgc.Args {
				return imgc.Args{Images: map[string]*pixels.Image{
					"src": harness.Input("src", harness.Random, elem, s[:]...), "dst": harness.Input("dst", harness.Random, elem, s[:]...),
				}}
			}
			want := harness.Interpret(t, p, q.Name, args())
			for _, l := range []device.Layout{{}, {Pad: 1, Offset: 7}, {Pad: 3, Offset: 1}} {
				r, err := built.Run(context.Background(), q.Name, device.Args(args()), l)
				if err != nil {
					t.Fatal(err)
				}
				if err := harness.Compare(r.Images["dst"], want.Images["dst"], harness.Bound{}); err != nil {
					t.Errorf("%s of %v with the layout %v: %v", q.Name, s, l, err)
				}
			}
		}
	}
}

// TestOneAccessMovesAPixel looks for the accesses of pixels in kernels of one work-item for each: those of the library's own images are vectors, and those
// of images that may be the caller's are not.
func TestOneAccessMovesAPixel(t *testing.T) {
	for _, elem := range slices.Concat(oneAccess, others) {
		t.Run(elem.String(), func(t *testing.T) {
			p := harness.Compile(t, "vectors.img", strings.ReplaceAll(vectors, "TYPE", elem.String()), imgc.Strict)
			kernels, err := p.OpenCL()
			if err != nil {
				t.Fatal(err)
			}
			for name, own := range map[string]bool{
				"src": false, "dst": false, "taken": false, "third": false, "half_": true, "next": true, "odd": true, "g": true, "g_finer": true, "g_1": true,
			} {
				if got := aligned(kernels.Output.Source, name); got != (own && slices.Contains(oneAccess, elem)) {
					t.Errorf("aligned accesses of %s: %v", name, got)
				}
			}
		})
	}
}

// aligned reports whether a text reads or writes pixels of an image as vectors.
func aligned(text, image string) bool {
	access := fmt.Sprintf(`(\d \*\)\(|vloada_half\d\([^,]*, |vstorea_half\d\([^;]*, \w+, )%s \+ `, image)
	return regexp.MustCompile(access).MatchString(strings.Join(strings.Fields(text), " "))
}
