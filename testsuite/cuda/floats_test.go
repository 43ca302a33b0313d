package cuda

import (
	"path/filepath"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// floats is a program that loads integers of 8 and 16 bits by vectors and converts them.
const floats = `
pipeline floats(in a: u8[H][W], in b: i8[H][W], in c: u16[H][W], in d: i16[H][W], out fa: f32[H][W], out fb: f32[H][W], out fc: f32[H][W],
        out fd: f32[H][W]) {
    iterate (y, x) over fa fa[y][x] = f32(a[y][x]);
    iterate (y, x) over fb fb[y][x] = f32(b[y][x]);
    iterate (y, x) over fc fc[y][x] = f32(c[y][x]);
    iterate (y, x) over fd fd[y][x] = f32(d[y][x]);
}

schedule floats {
    fa: tile(64, 4) item(16, 1) vector(16);
    fb: tile(64, 4) item(8, 1) vector(16);
    fc: tile(64, 4) item(8, 1) vector(16);
    fd: tile(64, 4) item(4, 1) vector(16);
}
`

// floatsOfWords holds the floats that kernels planned for an H200 make of all such integers against C's.
func floatsOfWords(t *testing.T, host *harness.Host) {
	model, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	p := harness.CompileWith(t, "floats.img", floats, imgc.Options{Mode: imgc.Strict, Arch: model})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	caller, err := filepath.Abs(filepath.Join("testdata", "conversions.c"))
	if err != nil {
		t.Fatal(err)
	}
	harness.Command(t, "", host.Build(t, project, nil, "src/"+project.Name+".c", caller))
}
