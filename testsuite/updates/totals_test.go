package updates

import (
	"context"
	"fmt"
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

// atFixedPlaces has all instances update the same pixels, beside an image that they write, so that work-items may compute several of them. Conditions leave out some
// of them, and for small images all.
func atFixedPlaces(u update, k types.Kind) string {
	return fmt.Sprintf(`pipeline %[1]s(in src: u8[H][W] border clamp, inout one: %[2]s[2], inout pair: %[2]sx2[3], out dst: i32[H][W]) {
    iterate (y, x) over dst {
        let p = i32(src[y][x]);
        let v = %[3]s;
        one[1] %[4]s v;
        if (p %% 7 == 3) { one[0] %[4]s v; }
        if (p > 3 && x > 0) { pair[2] %[4]s %[2]sx2(v, %[2]s(1)); }
        dst[y][x] = p + src[y-1][x] - src[y][x+1];
    }
}
`, u.pipeline(k), k, u.value(k), u.op)
}

// A form is one in which work-items compute several instances, with the kinds that it is for.
type form struct {
	schedule.Decisions
	kinds []types.Kind
}

var (
	sideBySide = []types.Kind{types.I8, types.U8, types.I16, types.U16, types.I32, types.U32, types.F32, types.Bool}
	forms      = []form{
		{schedule.Decisions{Tile: [2]int{16, 4}, Item: [2]int{4, 2}}, kinds},
		{schedule.Decisions{Tile: [2]int{16, 8}, Item: [2]int{4, 4}, Local: schedule.Shared}, kinds},
		{schedule.Decisions{Rows: 2}, kinds},
		{schedule.Decisions{Rows: 2, Lanes: 8}, sideBySide},
		{schedule.Decisions{Rows: 1, Lanes: 16}, sideBySide},
	}
)

// TestUpdatesOfOnePixel holds updates that work-items make in variables of their own against the interpreter.
func TestUpdatesOfOnePixel(t *testing.T) {
	made := make([]int, len(forms))
	for i, u := range all {
		if u.op == "" {
			continue
		}
		for j := range 3 {
			n := (i + 2*j) % len(forms)
			t.Run(fmt.Sprintf("%s/%d", u.name, n), func(t *testing.T) { made[n] += updatesOfOnePixel(t, u, forms[n]) })
		}
	}
	for n, uses := range made {
		if uses == 0 {
			t.Errorf("in form %d every instance updates images by itself", n)
		}
	}
}

// updatesOfOnePixel runs an update of pixels of all kinds in a form, and returns how often work-items make it in variables.
func updatesOfOnePixel(t *testing.T, u update, f form) int {
	var text strings.Builder
	for _, k := range f.kinds {
		if u.takes(k) {
			text.WriteString(atFixedPlaces(u, k))
		}
	}
	p := harness.CompileWith(t, "fixed_"+u.name+".img", text.String(), imgc.Options{Decide: func(string, *hast.Stage) schedule.Decisions { return f.Decisions }})
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	built := harness.BuildPlain(t, p)
	for _, k := range f.kinds {
		if u.takes(k) {
			fixedCalls(t, p, built, u, k)
		}
	}
	return strings.Count(kernels.Output.Source, "one_here")
}

func fixedCalls(t *testing.T, p *imgc.Program, built *device.Program, u update, k types.Kind) {
	for _, s := range [][]int{{1, 1}, {5, 7}, {19, 33}} {
		t.Run(fmt.Sprintf("%s/%dx%d", k, s[0], s[1]), func(t *testing.T) {
			args := imgc.Args{Images: map[string]*pixels.Image{
				"src": harness.Input("src", harness.Random, types.Scalar(types.U8), s...), "one": before("one", types.Scalar(k), 2),
				"pair": before("pair", types.Vector(k, 2), 3),
			}}
			want := harness.Interpret(t, p, u.pipeline(k), copied(args))
			r, err := built.Run(context.Background(), u.pipeline(k), device.Args(copied(args)), device.Layout{})
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
		})
	}
}

// TestFlagsAreStored looks at what becomes of flags: no atomic update, and no copy of wider pixels.
func TestFlagsAreStored(t *testing.T) {
	p := harness.CompileWith(t, "flags.img", `pipeline flags(in src: u8[H][W], out marks: bool[256], out some: bool, out none: bool) {
    var seen = false;
    var clean = true;
    iterate (y, x) over src {
        marks[src[y][x]] |= y > x;
        seen |= src[y][x] == 7;
        clean &= src[y][x] != 7;
    }
    some = seen;
    none = clean;
}
`, imgc.Options{})
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"atomic", "_widen", "_narrow"} {
		if strings.Contains(kernels.Output.Source, word) {
			t.Errorf("the kernels of flags have %q:\n%s", word, kernels.Output.Source)
		}
	}
}
