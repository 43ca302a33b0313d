package updates

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// wideCounts update components of 64 bits, whose copies count in 32. What the last two add is so much that the host has to have
// them counted without copies, for all or for all but the smallest images.
const wideCounts = `pipeline count(in src: u8[H][W], inout bins: i64[16], inout sums: u64x2[3], inout less: u64[5]) {
    iterate (y, x) over src border(sums: skip) {
        let p = src[y][x];
        bins[p % 16] += 1;
        if (p > 99) {
            bins[p / 16] += i64(p);
        }
        sums[i32(p) % 5 - 1] += u64x2(1u, u64(src[y][x]));
        less[p % 5] -= u64(p);
    }
}

pipeline large(in src: u8[H][W], inout bins: i64[16], inout less: u64[5]) {
    iterate (y, x) over src {
        bins[src[y][x] % 16] += 2147483647;
        less[src[y][x] % 5] -= 2147483647;
    }
}

pipeline larger(in src: u8[H][W], inout bins: i64[16], inout less: u64[5]) {
    iterate (y, x) over src {
        bins[src[y][x] % 16] -= 3000000;
        less[src[y][x] % 5] += 40000000;
    }
}
`

func TestWideCountsInCopies(t *testing.T) {
	p := harness.CompileWith(t, "wide.img", wideCounts, inCopies(4, 32, 3, 8))
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(kernels.Output.Source, "_one_by_one("); n != len(p.Pipelines) {
		t.Errorf("%d kernels for many instances, and there are %d pipelines", n, len(p.Pipelines))
	}
	if n := strings.Count(kernels.Output.Source, " int less_copies["); n == 0 {
		t.Error("nothing is counted in copies")
	}
	built := harness.BuildPlain(t, p)
	for _, q := range p.Pipelines {
		for _, s := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", q.Name, s[0], s[1]), func(t *testing.T) {
				args := imgc.Args{Images: map[string]*pixels.Image{
					"src": harness.Input("src", harness.Random, types.Scalar(types.U8), s...), "bins": before("bins", types.Scalar(types.I64), 16),
					"less": before("less", types.Scalar(types.U64), 5),
				}}
				if q.Name == "count" {
					args.Images["sums"] = before("sums", types.Vector(types.U64, 2), 3)
				}
				want := harness.Interpret(t, p, q.Name, copied(args))
				r, err := built.Run(context.Background(), q.Name, device.Args(copied(args)), device.Layout{})
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			})
		}
	}
}
