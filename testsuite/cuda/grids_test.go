package cuda

import (
	"fmt"
	"path/filepath"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// grids are kernels of two and three dimensions, in groups of few threads.
const grids = `
pipeline planes(in src: u8[D][H][W] border clamp, out dst: u8[D][H][W]) {
    iterate (z, y, x) over dst
        dst[z][y][x] = u8(src[z-1][y+1][x] + 3*x);
}
schedule planes { dst: tile(2, 1); }

pipeline blocks(in src: u8[D][H][W] border clamp, out dst: u8[D][H][W]) {
    iterate (z, y, x) over dst
        dst[z][y][x] = u8(src[z-1][y+1][x] + 3*x);
}
schedule blocks { dst: tile(4, 2) item(4, 1); }

pipeline rows(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = u8(src[y+1][x] + x);
}
schedule rows { dst: tile(2, 1); }

pipeline shared(in src: u8[H][W] border reflect101, out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = u8(sum(i32(src[y+v][x+u]) for v in -2:3, u in -2:3) / 25);
}
schedule shared { dst: tile(4, 4) item(2, 2) local; }

pipeline pairs(in src: u8[H][W] border reflect, out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = u8(src[y-1][x] + src[y+2][x+1]);
}
schedule pairs { dst: tile(4, 4) item(4, 2); }

pipeline patches(in src: u8[N][C][H][W], out dst: u8[N][C][H][W]) {
    iterate (n, c, y, x) over dst
        dst[n][c][y][x] = u8(src[n][c][H-1-y][x] + c);
}
schedule patches { dst: tile(1, 2); }
`

// manyBlocks runs kernels of which there are more than the 65535 blocks that a grid may have in all dimensions but the first, by themselves and
// as graphs.
func manyBlocks(t *testing.T, host *harness.Host) {
	p := harness.CompileWith(t, "grids.img", grids, imgc.Options{Mode: imgc.Strict})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	demo := host.Build(t, project, nil, "src/"+project.Name+".c", "demo/main.c", "demo/image.c")
	for _, call := range []struct {
		pipeline string
		extents  []int
	}{
		{"planes", []int{1, 65537, 1}}, {"planes", []int{2, 65537, 1}}, {"planes", []int{65537, 1, 3}}, {"blocks", []int{1, 131075, 3}},
		{"blocks", []int{65537, 3, 5}}, {"rows", []int{131071, 3}}, {"rows", []int{2, 65537}}, {"shared", []int{262146, 3}}, {"pairs", []int{262150, 5}}, {"patches", []int{21846, 3, 3, 1}},
	} {
		t.Run(fmt.Sprint(call.pipeline, call.extents), func(t *testing.T) {
			q, err := p.Pipeline(call.pipeline)
			if err != nil {
				t.Fatal(err)
			}
			args := imgc.Args{Images: map[string]*pixels.Image{"src": harness.Input("src", harness.Random, q.Param("src").Type, call.extents...)}}
			want := harness.Interpret(t, p, call.pipeline, args).Images["dst"]
			dir := t.TempDir()
			src, dst := filepath.Join(dir, "src.npy"), filepath.Join(dir, "dst.npy")
			if err := imagefile.Write(src, args.Images["src"], imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			for _, options := range [][]string{nil, {"--graph"}} {
				harness.Command(t, dir, demo, append(options, call.pipeline, src, dst)...)
				got, err := harness.ReadArray(dst, want)
				if err != nil {
					t.Fatal(err)
				}
				if err := harness.Compare(got, want, harness.Bound{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
