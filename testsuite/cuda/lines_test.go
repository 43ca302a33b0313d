package cuda

import (
	"path/filepath"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// lines is a program whose blocks end with few lines, by vectors and, where lines start anywhere, by words.
const lines = `
pipeline lines(in src: u8[H][W], in wide: u16[H][W], in far: f32[H][W], out dst: u8[H][W], out both: i16[H][W], out sums: f32[H][W],
        out half: u8[(H + 1)/2][(W + 1)/2]) {
    iterate (y, x) over dst border clamp
        dst[y][x] = u8((src[y-1][x-1] + 2*src[y][x] + src[y+1][x+1]) / 4);
    iterate (y, x) over both border clamp
        both[y][x] = i16(wide[y][x+2] / 2 - wide[y][x-1] / 2);
    image mid: f32[H][W];
    iterate (y, x) over mid border clamp
        mid[y][x] = far[y][x-1] + far[y+1][x];
    iterate (y, x) over sums border clamp
        sums[y][x] = mid[y][x+1] - mid[y-1][x];
    iterate (y, x) over half border clamp
        half[y][x] = u8((src[2*y-1][2*x] + src[2*y][2*x+1]) / 2);
}

schedule lines {
    dst: tile(32, 4) item(16, 2) vector(16) packed16;
    both: tile(32, 2) item(8, 1) vector(16);
    mid: fuse;
    sums: tile(16, 8) item(4, 4) vector(16) interior;
    half: tile(32, 4) item(8, 2) vector(16);
}
`

// linesAnywhere runs it on images of several widths, pitches and offsets, and holds it against sums in C.
func linesAnywhere(t *testing.T, host *harness.Host) {
	p := harness.CompileWith(t, "lines.img", lines, imgc.Options{Mode: imgc.Strict})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	caller, err := filepath.Abs(filepath.Join("testdata", "anywhere.c"))
	if err != nil {
		t.Fatal(err)
	}
	harness.Command(t, "", host.Build(t, project, nil, "src/"+project.Name+".c", caller))
}
