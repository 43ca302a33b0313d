package pyramids

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/imagefile"
	"imgc/testsuite/harness"
)

// refused are calls that no executor runs. They say why, the generated library in want and the others in want or in the longer own.
var refused = []struct {
	program
	n         int
	want, own string
}{
	{program{name: "none", scalars: scalars{"depth": 0}, text: `
pipeline none(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] levels depth;
    g[0] = a;
    a = g[0];
}`}, 4, "g would have 0 levels", "g would have 0 levels for depth = 0, but a pyramid has 1 to 31"},
	{program{name: "many", scalars: scalars{"depth": 32}, text: `
pipeline many(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] levels depth;
    g[0] = a;
    traverse (g) { descend; }
    a = g[0];
}`}, 4, "g would have 32 levels", "for depth = 32"},
	{program{name: "unequal", scalars: scalars{"depth": 2}, text: `
pipeline unequal(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] levels depth;
    pyramid h: i32[N] levels 3;
    g[0] = a;
    traverse (g, h) { h[0] = g[0]; descend; }
    a = h[0];
}`}, 4, "g and h need the same number of levels", ""},
	{program{name: "absent", scalars: scalars{"depth": 2}, text: `
pipeline absent(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] levels depth;
    g[2] = 0;
    a = [g[2][i/4] for i];
}`}, 4, "g needs depth >= 3, because g[2] is used", ""},
	{program{name: "short", scalars: scalars{"depth": 3}, text: `
border line(s[N]) {
    s[-1] = 2*s[0] - s[2];
} else clamp

pipeline short(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] border line levels depth;
    g[0] = a;
    traverse (g) {
        image b: i32[g[0].width] = [g[0][i-1] for i];
        g[0] = b;
        if (!g.bottom) g[+1] = [g[0][2*i] for i];
        descend;
    }
    a = g[0];
}`}, 5, "needs N_level >= 3 at every level", ""},
}

func TestCallsThatAreRefused(t *testing.T) {
	ref, err := imgc.OpenDevice("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refused {
		t.Run(r.name, func(t *testing.T) {
			r.images = []string{"a"}
			if r.own == "" {
				r.own = r.want
			}
			compiled := harness.Compile(t, r.name+".img", r.text, imgc.Strict)
			if _, err := compiled.Run(context.Background(), ref, r.name, r.args(r.n)); err == nil || !strings.Contains(err.Error(), r.own) {
				t.Errorf("the interpreter: %v, want %s", err, r.own)
			}
			_, err := harness.Build(t, compiled).Run(context.Background(), r.name, device.Args(r.args(r.n)), device.Layout{})
			if err == nil || !strings.Contains(err.Error(), r.own) {
				t.Errorf("the device: %v, want %s", err, r.own)
			}
			demo := harness.WriteProject(t, compiled, imgc.ProjectOptions{}).Demo(t)
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := imagefile.Write(path, line(r.n, 0), imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(demo, "--set", fmt.Sprintf("depth=%d", r.scalars["depth"]), path, path).CombinedOutput()
			if err == nil || !strings.Contains(string(out), r.want) {
				t.Errorf("the generated library: %v, want %s\n%s", err, r.want, out)
			}
		})
	}
}
