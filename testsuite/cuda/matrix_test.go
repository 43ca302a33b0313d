package cuda

import (
	"path/filepath"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// masks is a program of sums that matrix units compute: of weights of both kinds, wider than one product takes, of fewer rows than an item computes at once, two
// of them in one body, and in items of single rows and of four.
const masks = `
mask hill: i32[9][9] = [1 + min(4 - abs(y), 4 - abs(x)) for y in -4:5, x in -4:5];
mask slope: i32[5][7] = [y*37 - x*9 for y in -2:3, x in -3:4];
mask bright: i32[3][21] = [(y*50 + x*11) % 256 for y in 0:3, x in 0:21];
mask flat: i32[1][9] = [x + 1 for y in 0:1, x in 0:9];

pipeline single(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border clamp
        dst[y][x] = u8((convolve(hill, src[y][x]) + 82) / 165);
}
pipeline fours(in src: u8[H][W], out dst: i32[H][W]) {
    iterate (y, x) over dst border constant(77)
        dst[y][x] = convolve(slope, src[y][x]) - 3*src[y][x];
}
pipeline broad(in src: u8[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst border reflect101
        dst[y][x] = f32(sum(bright[j][i]*i32(src[y+j-1][x+i-3]) for j in 0:3, i in 0:21)) / 4;
}
pipeline both(in src: u8[H][W], out dst: u16[H][W]) {
    iterate (y, x) over dst border repeat
        dst[y][x] = u16(abs(convolve(slope, src[y][x])) / 8 + convolve(hill, src[y][x]) / 165);
}
pipeline row(in src: u8[H][W], out dst: i16[H][W]) {
    iterate (y, x) over dst border clamp
        dst[y][x] = i16(convolve(flat, src[y][x]));
}

schedule single { dst: tile(32, 32) item(4, 2) matrix unroll(512); }
schedule fours { dst: tile(64, 32) item(4, 8) matrix unroll(512); }
schedule broad { dst: tile(32, 64) item(4, 16) matrix unroll(512); }
schedule both { dst: tile(32, 64) item(8, 8) matrix unroll(512); }
schedule row { dst: tile(32, 32) item(4, 8) matrix unroll(512); }
`

// matrixUnits runs products of matrices as CUDA's devices lay them out, in tiles inside of the image, at its ends and beyond them.
func matrixUnits(t *testing.T, host *harness.Host) {
	p := harness.CompileWith(t, "masks.img", masks, imgc.Options{Mode: imgc.Strict})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	demo := host.Build(t, project, nil, "src/masks.c", "demo/main.c", "demo/image.c")
	dir := t.TempDir()
	from, to := filepath.Join(dir, "src.npy"), filepath.Join(dir, "dst.npy")
	for _, size := range [][2]int{{1, 1}, {70, 135}, {99, 144}} {
		src := harness.Input("src", harness.Random, p.Pipelines[0].Param("src").Type, size[0], size[1])
		if err := imagefile.Write(from, src, imagefile.Want{}); err != nil {
			t.Fatal(err)
		}
		for _, q := range p.Pipelines {
			want := harness.Interpret(t, p, q.Name, imgc.Args{Images: map[string]*pixels.Image{"src": src}}).Images["dst"]
			if got := ends(t, demo, []string{q.Name, from, to}, want); got != "" {
				t.Errorf("%s of %v: %s", q.Name, size, got)
			}
		}
	}
}
