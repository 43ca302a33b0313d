package cuda

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// planted is a program whose kernels get faults.
const planted = `
pipeline smooth(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    image down: u8[H][W] border clamp = [u8((src[y-1][x] + 2*src[y][x] + src[y+1][x]) / 4) for y, x];
    dst = [u8((down[y][x-1] + 2*down[y][x] + down[y][x+1]) / 4) for y, x];
}
schedule smooth { down: fuse; dst: tile(64, 16) item(8, 2) local; }

pipeline top(in src: u8[H][W], out dst: u8[1]) { dst[0] = max(src); }
pipeline place(in src: u8[H][W], out dst: i32x2) { dst = argmax(src); }
`

// TestWatchedKernelsEndAtFaults plants what a GPU traps at, or computes anything with, and what x86 takes for right.
func TestWatchedKernelsEndAtFaults(t *testing.T) {
	host := harness.WatchedCUDA(t)
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	p := harness.CompileWith(t, "planted.img", planted, imgc.Options{Mode: imgc.Strict, Arch: arch})
	src := harness.Input("src", harness.Random, p.Pipelines[0].Param("src").Type, 35, 72)
	wanted := map[string]*pixels.Image{}
	for _, name := range []string{"smooth", "top"} {
		wanted[name] = harness.Interpret(t, p, name, imgc.Args{Images: map[string]*pixels.Image{"src": src}}).Images["dst"]
	}
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	kernels, err := os.ReadFile(project.Path("kernels/planted.cu"))
	if err != nil {
		t.Fatal(err)
	}
	objects := host.Objects(t, project, nil, "src/planted.c", "demo/main.c", "demo/image.c")
	dir := t.TempDir()
	from, to := filepath.Join(dir, "src.npy"), filepath.Join(dir, "dst.npy")
	if err := imagefile.Write(from, src, imagefile.Want{}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, pipeline, text, fault, want string }{
		{"nothing", "smooth", ``, ``, ``},
		{"nothing", "top", ``, ``, ``},
		{"a vector where there is none", "smooth", `imgc_store_ints_u8x8\(dst \+ dst_at,`, `imgc_store_ints_u8x8(dst + dst_at + 4,`, "misaligned address"},
		{"a missing barrier", "smooth", `__syncthreads\(\);\n( +const bool inside)`, `$1`, "a race"},
		{"a barrier of a warp alone", "smooth", `__syncthreads\(\);\n( +const bool inside)`, "__syncwarp();\n$1", "a race"},
		{"pixels that nobody has written", "smooth", `(down_tile\[lane_y \* 2 \+ v\])(\[lane_x \* 8 \+ u \+ 15\])`, `${1}[lane_x * 8 + u + 14]`, otherPixels},
		{"a read behind an image", "smooth", `, H - 1\);`, `, H);`, "an access beside device memory"},
		{"a read before an image", "smooth", `min\(max\(y, 0\), H - 1\)`, `min(y, H - 1)`, "an access beside device memory"},
		{"a line that two blocks write", "smooth", `if \(y < H\) \{\n( +const long long dst_y)`, `if (y < H + 1) { const int y = first_2 + v < 16 ? first_2 + v : first_2 + v - 16;` + "\n$1", "a race of two writes"},
		{"nothing", "place", ``, ``, ``},
		{"a block that does not wait for the others", "place", `last = atomicInc\(counter, others\) == others`, `last = atomicAdd(counter, 1) == others`, "a race with a write"},
	} {
		t.Run(test.pipeline+"/"+test.name, func(t *testing.T) {
			plant(t, project.Path("kernels/planted.cu"), string(kernels), test.text, test.fault)
			demo := host.Link(t, project, objects)
			args := []string{test.pipeline, from}
			if wanted[test.pipeline] != nil {
				args = append(args, to)
			}
			if got := ends(t, demo, args, wanted[test.pipeline]); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("%q, wanted %q", got, test.want)
			}
		})
	}
}

// otherPixels is how a program ends that computes anything.
const otherPixels = "other pixels"

// ends says how a program ends: what it prints where it fails, otherPixels where its last argument is a file with others than wanted, else "".
func ends(t *testing.T, program string, args []string, wanted *pixels.Image) string {
	t.Helper()
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		return err.Error() + string(out)
	}
	if len(args) < 3 {
		return ""
	}
	got, err := harness.ReadArray(args[2], wanted)
	if err != nil {
		t.Fatal(err)
	}
	if harness.Compare(got, wanted, harness.Bound{}) != nil {
		return otherPixels
	}
	return ""
}

// plant writes a file with a text that is changed wherever it matches, which it has to do.
func plant(t *testing.T, path, text, pattern, fault string) {
	t.Helper()
	changed := text
	if pattern != "" {
		if changed = regexp.MustCompile(pattern).ReplaceAllString(text, fault); changed == text {
			t.Fatalf("%s is nowhere in\n%s", pattern, text)
		}
	}
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
}
