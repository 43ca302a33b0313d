package cuda

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// large are kernels whose groups take more local memory than a kernel of CUDA's may declare: copies of a histogram, and tiles. Others copy
// to it without waiting.
const large = `
pipeline levels(in src: u16[H][W], out dst: u32[1024]) {
    iterate (y, x) over src
        dst[src[y][x] >> 6] += 1;
}
schedule levels { dst: copies(32, 64, 3); }

pipeline smooth(in src: u16[H][W] border clamp, out dst: i32[H][W]) {
    dst = [sum(i32(src[y+v][x+u]) for v in -4:5, u in -4:5) for y, x];
}
schedule smooth { dst: tile(128, 192) item(8, 8) unroll(81) local; }

pipeline tiles(in src: u16[H][W] border clamp, out dst: f32[H][W]) {
    image wide: f32[H][W] border clamp = [f32(src[y][x]) for y, x];
    image down: f32[H][W] border clamp = [wide[y-1][x] + 2*wide[y][x] + wide[y+1][x] for y, x];
    dst = [down[y][x-1] + 2*down[y][x] + down[y][x+1] for y, x];
}
schedule tiles { wide: root; down: fuse; dst: tile(32, 16) item(4, 2) local; }

pipeline small(in src: u16[H][W], out dst: u16[H][W]) { dst = [u16(src[y][x] & 255) for y, x]; }
`

// moreSharedMemory runs such kernels on a runtime that gives it to those that ask.
func moreSharedMemory(t *testing.T, host *harness.Host) {
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	p := harness.CompileWith(t, "large.img", large, imgc.Options{Mode: imgc.Strict, Arch: arch})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	demo := host.Build(t, project, nil, "src/"+project.Name+".c", "demo/main.c", "demo/image.c")
	for _, pipeline := range []string{"levels", "smooth", "tiles", "small"} {
		t.Run(pipeline, func(t *testing.T) {
			q, err := p.Pipeline(pipeline)
			if err != nil {
				t.Fatal(err)
			}
			args := imgc.Args{Images: map[string]*pixels.Image{"src": harness.Input("src", harness.Random, q.Param("src").Type, 37, 153)}}
			want := harness.Interpret(t, p, pipeline, args).Images["dst"]
			dir := t.TempDir()
			src, dst := filepath.Join(dir, "src.npy"), filepath.Join(dir, "dst.npy")
			if err := imagefile.Write(src, args.Images["src"], imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			harness.Command(t, dir, demo, pipeline, src, dst)
			got, err := harness.ReadArray(dst, want)
			if err != nil {
				t.Fatal(err)
			}
			if err := harness.Compare(got, want, harness.Bound{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTargetsRefuseWhatTheyHaveNoLocalMemoryFor tries targets with less.
func TestTargetsRefuseWhatTheyHaveNoLocalMemoryFor(t *testing.T) {
	for _, c := range []struct {
		arch   string
		target imgc.Target
		want   string
	}{
		{"", imgc.TargetOpenCL, "131072 bytes of local memory, and the target opencl has 49152"},
		{"nvidia-h200", imgc.TargetOpenCL, "131072 bytes of local memory, and nvidia-h200 under opencl has 49152"},
		{"nvidia-v100", imgc.TargetCUDA, "131072 bytes of local memory, and nvidia-v100 under cuda has 98304"},
		{"nvidia-h200", imgc.TargetCUDA, ""},
	} {
		opts := imgc.Options{}
		if c.arch != "" {
			arch, err := imgc.OpenArchitecture(c.arch)
			if err != nil {
				t.Fatal(err)
			}
			opts.Arch = arch
		}
		p := harness.CompileWith(t, "large.img", large, opts)
		_, err := p.Project(context.Background(), imgc.ProjectOptions{Targets: []imgc.Target{c.target}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %q", c.target, c.arch, err, c.want)
		}
	}
}

// TestKernelsWithMoreSharedMemoryCompile compiles them for the oldest architecture.
func TestKernelsWithMoreSharedMemoryCompile(t *testing.T) {
	p := harness.CompileWith(t, "large.img", large, imgc.Options{Mode: imgc.Strict})
	kernels := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}}).Path("kernels/large.cu")
	kit := harness.CUDA(t)
	kit.PTX(t, kit.Architectures(t)[0], kernels, kit.Quick(t)...)
}

// TestInlineInstructionsAssemble compiles kernels that have them, planned, to the end: nvcc passes them on to PTX unseen.
func TestInlineInstructionsAssemble(t *testing.T) {
	kit := harness.CUDA(t)
	known := kit.Architectures(t)
	for i, unit := range unitsOf(t, planned, []string{"testsuite/gpu/masks.img", "testsuite/gpu/kernels.img", "samples/basics/blend.img"}) {
		for _, arch := range []string{known[0], known[len(known)-1]} {
			t.Run(fmt.Sprintf("%s/%d", arch, i), func(t *testing.T) {
				t.Parallel()
				kit.Assemble(t, arch, unit, append(kit.Quick(t), "-Xptxas", "-O0")...)
			})
		}
	}
}
