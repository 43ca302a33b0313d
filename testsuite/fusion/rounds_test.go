package fusion

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
	"imgc/types"
)

// inRounds are pipelines with a loop over a stage and a swap, those whose rounds can be one first: with each border rule that lets stages be fused, in
// loops that start anywhere, of vectors, with other images beside, between images of the caller.
const inRounds = `
mask around: f32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 3]] / 18.0;
mask bell: i32[5][5] = [[1, 4, 6, 4, 1], [4, 16, 24, 16, 4], [6, 24, 36, 24, 6], [4, 16, 24, 16, 4], [1, 4, 6, 4, 1]];

pipeline nearest(inout u: f32[H][W], in n: i32) {
    image next: f32[H][W];
    for (i in 0:n) {
        iterate (y, x) over next border clamp next[y][x] = (u[y-1][x] + u[y+1][x] + u[y][x-1] + u[y][x+1]) / 4;
        swap(u, next);
    }
}
pipeline bytes(in src: u8[H][W], out dst: u8[H][W], in n: i32) {
    image next: u8[H][W];
    dst = src;
    for (i in 3:n+3) {
        next = [u8((convolve(bell, dst[y][x]) + 128) >> 8) for y, x] border clamp;
        swap(next, dst);
    }
}
pipeline mirrored(in src: f32[H][W], out dst: f32[H][W], in n: i32) {
    image u: f32[H][W] = src;
    image next: f32[H][W];
    for (i in 0:n) {
        next = [convolve(around, u[y][x]) for y, x] border reflect;
        swap(u, next);
    }
    dst = u;
}
pipeline outside(inout u: i32[H][W], in f: i32[H][W], in n: i32) {
    image next: i32[H][W];
    for (i in -n:0) {
        iterate (y, x) over next border constant(7) next[y][x] = u[y][x-1] / 2 + u[y+1][x] / 3 + f[y][x] / 5;
        swap(u, next);
    }
}
pipeline vectors(inout u: f32x2[H][W], in n: i32) {
    image next: f32x2[H][W];
    for (i in 0:n) {
        next = [(u[y][x-1].yx + u[y-1][x+1]) / 2 for y, x] border clamp;
        swap(u, next);
    }
}
pipeline halves(inout u: i32[H][W], in n: i32) {
    image next: i32[H][W];
    image middle: i32[H][W];
    for (i in 0:n) {
        iterate (y, x) over middle border clamp middle[y][x] = u[y][x-1] + 2*u[y][x+1];
        iterate (y, x) over next border clamp next[y][x] = (middle[y-1][x] - middle[y+1][x] + u[y][x]) / 2;
        swap(u, next);
    }
}
pipeline flows(inout u: f32[H][W], in still: f32[H][W], in n: i32) {
    image next: f32[H][W];
    for (i in 0:n) {
        image slope: f32x2[H][W] border clamp = [f32x2(u[y][x+1] - u[y][x-1], u[y+1][x] - u[y-1][x]) / 2 for y, x] border clamp;
        image share: f32[H][W] border reflect = [1 / (1 + dot(slope[y][x], slope[y][x])) for y, x];
        iterate (y, x) over next border clamp
            next[y][x] = u[y][x] + still[y][x]*share[y+1][x]*(slope[y][x+1].x - slope[y][x-1].x + slope[y+1][x].y - slope[y-1][x].y)/8;
        swap(u, next);
    }
}
pipeline across(inout u: i32[H][W], in n: i32) {
    image next: i32[H][W];
    for (i in 0:n) {
        next = [u[y][x-1] + 1 for y, x] border repeat;
        swap(u, next);
    }
}
pipeline counted(inout u: i32[H][W], in n: i32) {
    image next: i32[H][W];
    for (i in 0:n) {
        step: iterate (y, x) over next border clamp next[y][x] = u[y][x-1] + i;
        swap(u, next);
    }
}
pipeline kept(inout u: i32[H][W], out dst: i32[H][W], in n: i32) {
    image next: i32[H][W] = u;
    for (i in 0:n) {
        step: iterate (y, x) over next border clamp next[y][x] = u[y][x-1] + 1;
        swap(u, next);
    }
    dst = next;
}
pipeline shown(inout u: i32[H][W], out dst: i32[H][W], in n: i32) {
    image next: i32[H][W];
    image middle: i32[H][W] = 0;
    for (i in 0:n) {
        iterate (y, x) over middle border clamp middle[y][x] = u[y][x-1] + 2;
        step: iterate (y, x) over next border clamp next[y][x] = middle[y-1][x] - middle[y+1][x];
        swap(u, next);
    }
    dst = middle;
}
pipeline parts(inout u: i32[H][W], in n: i32) {
    image next: i32[H][W] = 0;
    for (i in 0:n) {
        step: iterate (y in 0:H, x in 0:W) where ((y + x) % 2 == 0) next[y][x] = u[y][x] + 1;
        swap(u, next);
    }
}
`

// together are those of the pipelines whose rounds are one kernel.
var together = []string{"nearest", "bytes", "mirrored", "outside", "vectors", "halves", "flows"}

// besides are those of which so many rounds are one kernel besides: of two, the first reads memory alone, which a rule may take pixels from that lie far away.
var besides = map[int][]string{2: {"across"}}

// TestRoundsOfLoops runs some rounds as one, in blocks, by rows and one by one, where they are fewer than that, as many, and some that are left.
func TestRoundsOfLoops(t *testing.T) {
	for _, n := range []int{2, 3} {
		ways := map[string]func(pipeline string, s *hast.Stage) schedule.Decisions{
			"rows": harness.Rows(uint64(n)), "blocks": harness.Blocks(uint64(n)),
			"alone": func(string, *hast.Stage) schedule.Decisions { return schedule.Decisions{} },
		}
		for name, way := range ways {
			t.Run(fmt.Sprint(n, " ", name), func(t *testing.T) { roundsUnder(t, n, way) })
		}
	}
}

func roundsUnder(t *testing.T, n int, way func(pipeline string, s *hast.Stage) schedule.Decisions) {
	fused := map[string]bool{}
	opts := imgc.Options{Mode: imgc.Strict, Decide: func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := way(pipeline, s)
		d.Place, d.Rounds = schedule.Root, n
		if len(s.Fused) >= n-1 {
			fused[pipeline] = true
		}
		return d
	}}
	p := harness.CompileWith(t, "rounds.img", inRounds, opts)
	built := harness.BuildPlain(t, p)
	for _, q := range p.Pipelines {
		for rounds := range 6 {
			size := [][2]int{{1, 1}, {2, 37}, {13, 61}}[rounds%3]
			args := arguments(q, size)
			args.Scalars = map[string]types.Value{"n": types.Of(types.I32, types.Int(int64(rounds)))}
			t.Run(fmt.Sprint(q.Name, size, rounds), func(t *testing.T) { equal(t, p, built, q.Name, args, layouts[rounds%2]) })
		}
	}
	for _, name := range slices.Concat(together, besides[n]) {
		if !fused[name] {
			t.Errorf("%d rounds of %s are not one kernel", n, name)
		}
		delete(fused, name)
	}
	for name := range fused {
		t.Errorf("rounds of %s are one kernel", name)
	}
}

// TestRoundsThatCannotBeOne has a schedule ask for what the loops do not allow.
func TestRoundsThatCannotBeOne(t *testing.T) {
	for pipeline, why := range map[string]string{
		"counted": "it computes with i, which counts the rounds",
		"kept":    "next is needed elsewhere, too",
		"shown":   "middle is needed elsewhere, too",
		"parts":   "it does more than to write each pixel of next once",
	} {
		schedule := &imgc.Text{Name: "rounds_schedule.img", Text: fmt.Sprintf("schedule %s { step: rounds(2); }", pipeline)}
		result, err := imgc.Check(context.Background(), "rounds.img", inRounds, imgc.Options{Schedule: schedule})
		if err != nil {
			t.Fatal(err)
		}
		want := "step cannot be done 2 rounds at a time: " + why
		var text strings.Builder
		if err := diag.Text(&text, result.Diagnostics, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s: want %q, got %s", pipeline, want, text.String())
		}
	}
}
