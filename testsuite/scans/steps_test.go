package scans

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

// crossing are scans whose lines are not apart: instances read what neighbours of the step before have written, or write what those behind read.
const crossing = `pipeline seam(in a: i32[H][W], out c: i32[H][W]) {
    iterate (y, x) over c border clamp scan(y)
        c[y][x] = a[y][x] + (y > 0 ? min(c[y-1][x-1 : 3]) : 0);
}

pipeline upward(in a: i32[H][W], out c: i32[H][W]) {
    c = a;
    iterate (y, x) over c border constant(3) scan(-y) where (a[y][x] % 3 != 0)
        c[y][x] = (c[y+1][x-2] ^ c[y+1][x+1]) + c[y-1][x];
}

pipeline columns(in a: i32[H][W], out c: i32[H][W]) {
    iterate (y, x) over c border reflect scan(x)
        c[y][x] = a[y][x] + (x > 0 ? max(c[y-1 : 3][x-1]) : y);
}

pipeline planes(in a: i32[H][W], out c: i32[4][H][W]) {
    iterate (z, y, x) over c border(c: repeat, a: clamp) scan(z)
        c[z][y][x] = z > 0 ? c[z-1][y+1][x] - c[z-1][y][x+1] + a[y+z][x] : a[y][x];
}

pipeline late(in a: i32[H][W], out c: i32[H][W], out seen: u32[5]) {
    c = a;
    iterate (y in 0:H:2, x in W - 1:-1:-2) border clamp scan(y) {
        let v = c[y][x] + c[y-1][x-1] - c[y+2][x+1];
        seen[mod(v, 5)] += 1;
        c[y][x] = v;
    }
}
`

// TestStepsOfGroups holds scans that a group runs against the interpreter.
func TestStepsOfGroups(t *testing.T) {
	for _, n := range []int{2, 7, 64} {
		stepsOfGroups(t, n, [][]int{{1, 1}, {1, 9}, {9, 1}, {7, 13}, {23, 70}})
	}
}

// stepsOfGroups has groups of n work-items run them.
func stepsOfGroups(t *testing.T, n int, sizes [][]int) {
	p := harness.CompileWith(t, "crossing.img", crossing, imgc.Options{Decide: func(_ string, s *hast.Stage) schedule.Decisions {
		if s.Scan == nil {
			return schedule.Decisions{}
		}
		return schedule.Decisions{Steps: n}
	}})
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(kernels.Output.Source, "CLK_GLOBAL_MEM_FENCE"); got != len(p.Pipelines) {
		t.Errorf("%d scans are run by groups, want %d", got, len(p.Pipelines))
	}
	built := harness.BuildPlain(t, p)
	for _, q := range p.Pipelines {
		for _, s := range sizes {
			t.Run(fmt.Sprintf("%d/%s/%dx%d", n, q.Name, s[0], s[1]), func(t *testing.T) {
				args := imgc.Args{Images: map[string]*pixels.Image{"a": harness.Input("a", harness.Random, types.Scalar(types.I32), s...)}}
				want := harness.Interpret(t, p, q.Name, args)
				r, err := built.Run(context.Background(), q.Name, device.Args(args), device.Layout{Pad: 1, Offset: 3})
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			})
		}
	}
}
