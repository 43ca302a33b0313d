package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// TestTablesInBuffers has libraries for GPUs hand kernels constants of every kind, which work-items read at places of their own.
func TestTablesInBuffers(t *testing.T) {
	harness.Device(t)
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		elem, entry string
		of          types.Type
	}{
		{"u8", "u8(7 * i % 256)", types.Scalar(types.U8)},
		{"i16", "i16(300 * i - 20000)", types.Scalar(types.I16)},
		{"u32", "u32(i) * 16777259", types.Scalar(types.U32)},
		{"i64", "i64(i - 100) * 5000000000", types.Scalar(types.I64)},
		{"f32", "f32(i) / 3.0 - 7.0", types.Scalar(types.F32)},
		{"u8x3", "u8x3(u8(i), u8(255 - i), u8(i / 2))", types.Vector(types.U8, 3)},
		{"f32x2", "f32x2(f32(i), 0.5 - f32(i))", types.Vector(types.F32, 2)},
	} {
		t.Run(c.elem, func(t *testing.T) {
			text := fmt.Sprintf("const T: %[1]s[256] = [%[2]s for i in 0:256];\npipeline look(in src: u8[H][W], out dst: %[1]s[H][W]) {\n    dst = [T[src[y][x]] for y, x];\n}\n", c.elem, c.entry)
			p := harness.CompileWith(t, "look.img", text, imgc.Options{Mode: imgc.Strict, Arch: arch})
			project := harness.WriteProject(t, p, imgc.ProjectOptions{})
			if kernels, err := os.ReadFile(project.Path("kernels/look.cl")); err != nil || !strings.Contains(string(kernels), "restrict T") {
				t.Fatalf("no kernel takes T (%v):\n%s", err, kernels)
			}
			src := harness.Input("look", harness.Random, types.Scalar(types.U8), 19, 37)
			want := harness.Interpret(t, p, "look", imgc.Args{Images: map[string]*pixels.Image{"src": src}}).Images["dst"]
			dir := t.TempDir()
			in, out := filepath.Join(dir, "src.npy"), filepath.Join(dir, "dst.npy")
			if err := imagefile.Write(in, src, imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			harness.Command(t, dir, project.Demo(t), in, out)
			got, err := imagefile.Read(out, imagefile.Want{Elem: c.of, Rank: 2})
			if err != nil {
				t.Fatal(err)
			}
			if err := harness.Compare(got, want, harness.Bound{}); err != nil {
				t.Error(err)
			}
		})
	}
}
