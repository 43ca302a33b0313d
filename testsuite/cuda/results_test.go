package cuda

import (
	"path/filepath"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// results are values that kernels compute, of which one is used by another kernel.
const results = `
pipeline results(in src: u8[H][W], out total: i64, out place: i32x2, out top: u8, out dst: u8[H][W]) {
    let all = sum(src);
    total = all;
    place = argmax(src);
    top = max(src);
    dst = [u8(src[y][x] + all) for y, x];
}
`

// resultsInPlace gives addresses in device memory for them: kernels write them there where that is safe, and else they are copied.
func resultsInPlace(t *testing.T, host *harness.Host) {
	p := harness.CompileWith(t, "results.img", results, imgc.Options{Mode: imgc.Strict})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	caller, err := filepath.Abs(filepath.Join("testdata", "inplace.c"))
	if err != nil {
		t.Fatal(err)
	}
	harness.Command(t, "", host.Build(t, project, []string{"-DcudaMemcpyAsync=counted_copy"}, "src/"+project.Name+".c", caller))
}
