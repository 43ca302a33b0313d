package overlap_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/interp/interptest"
	"imgc/optimize/overlap"
	"imgc/pixels"
	"imgc/sema/sematest"
	"imgc/types"
)

// shared are bodies of stages over dst whose instances share sums.
var shared = []struct{ name, dst, body string }{
	{"a loop that adds up", "i32[H][W]", "var best = 10000; var bd = 0; for (d in 0:6) { var s = 0; for (j in -2:3) for (i in -1:2) s += abs(l[y+j][x+i] - r[y+j][x+i-d]); if (s < best) { best = s; bd = d; } } dst[y][x] = bd;"},
	{"a search", "i32[H][W]", "dst[y][x] = argmin(sum(l[y+j][x+i] ^ r[y+j+d][x+i] for j in 0:3, i in -2:1) for d in -2:3);"},
	{"a search in two variables", "i32x2[H][W]", "dst[y][x] = argmax(sum(l[y+j][x+i] * r[y+j+dy][x+i+dx] for j in -1:2, i in -1:2) for dy in 0:3, dx in -1:2);"},
	{"rounds that the caller says", "i32[H][W]", "dst[y][x] = argmin(sum(abs(l[y+j][x+i+n-d]) for j in -1:2, i in -1:2) for d in 0:n) + max(sum(abs(r[y+j][x+i] - l[y+j+d][x+i]) for j in -1:1, i in -1:2) for d in n-4:n);"},
	{"of no point perhaps", "i32[H][W]", "dst[y][x] = argmax(sum(l[y+j][x+i+d] - 2147483 for j in -1:2, i in -1:2) for d in 1:n-1);"},
	{"what lies behind alone", "i32[H][W]", "dst[y][x] = max(sum(abs(l[y+j][x+i+d] - r[y+j][x+i]) for j in 0:3, i in 0:3) for d in 0:4);"},
	{"what lies before alone", "i32[H][W]", "dst[y][x] = max(sum(abs(l[y+j][x+i-d] - r[y+j][x+i]) for j in -3:1, i in -3:1) for d in 0:4);"},
	{"columns first", "i32[H][W]", "dst[y][x] = max(sum(abs(l[y+j][x+i] - r[y+j][x+i-d]) for i in -1:3, j in -2:1) for d in 3:-2:-1);"},
	{"what depends on the instance around it", "i32[H][W]", "let c = l[y][x]; var v = c; for (d in 0:3) { let t = 2*d; let s = sum(r[y+j][x+i+t] for j in -1:2, i in -1:2); v = s > c ? v + s : v ^ d; } dst[y][x] = v - c;"},
	{"rounds in rounds, two sums and one behind", "i32[H][W]", "var v = 0; for (a in 0:3) { var w = 0; for (b in a:3) { let s = sum(l[y+j+a][x+i] for j in 0:2, i in 0:3); let t = sum(r[y+j][x+i-b] for j in 0:2, i in 0:3); w += s*b ^ t; } v = max(v, w); } dst[y][x] = v + sum(l[y+j][x+i] & 3 for j in 0:4, i in 0:2);"},
}

// stageOf is the one stage of a program with a body, and the program.
func stageOf(t *testing.T, dst, body string) (*hast.Program, *hast.Stage) {
	t.Helper()
	p := sematest.Program(t, "pipeline p(in l: i32[H][W] border clamp, in r: i32[H][W] border reflect, in n: i32, out dst: "+dst+") { iterate (y, x) over dst { "+body+" } }")
	return p, p.Pipelines[0].Steps[0].(*hast.Stage)
}

// TestBlocksComputeTheSame runs stages and blocks of theirs on images that are smaller than a block, no multiple of it, and larger than what blocks inside take.
func TestBlocksComputeTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for _, c := range shared {
		p, s := stageOf(t, c.dst, c.body)
		for _, size := range [][2]int{{4, 8}, {1, 16}, {3, 2}, {1, 1}} {
			before := hast.Dump(p)
			next, why := overlap.Stage(s, size, false)
			if why != "" {
				t.Errorf("%s: %s", c.name, why)
				continue
			}
			if hast.Dump(p) != before {
				t.Fatalf("%s: the program has changed", c.name)
			}
			q, pipeline := *p, *p.Pipelines[0]
			pipeline.Steps = []hast.Step{next}
			q.Pipelines = []*hast.Pipeline{&pipeline}
			if err := hast.Verify(&q); err != nil {
				t.Fatalf("%s: %v\n%s", c.name, err, hast.Dump(&q))
			}
			for _, extent := range [][2]int{{1, 1}, {2, 5}, {16, 4}, {17, 9}, {33, 29}} {
				args := arguments(t, rng, extent)
				args.Scalars = map[string]types.Value{"n": {Type: types.Scalar(types.I32), Words: []types.Word{types.Int(int64(rng.IntN(7)))}}}
				want := interptest.Words(t, p.Pipelines[0], args, "dst")
				if got := interptest.Words(t, &pipeline, args, "dst"); !slices.Equal(got, want) {
					t.Fatalf("%s, blocks of %v, %v pixels: %v, want %v\n%s", c.name, size, extent, got, want, hast.Dump(&q))
				}
			}
		}
	}
}

// arguments are two images of random numbers.
func arguments(t *testing.T, rng *rand.Rand, extent [2]int) interp.Args {
	t.Helper()
	args := interp.Args{Images: map[string]*pixels.Image{}}
	for _, name := range []string{"l", "r"} {
		m, err := pixels.New(types.Scalar(types.I32), extent[:]...)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Words() {
			m.SetWord(i, types.Int(int64(rng.IntN(200)-100)))
		}
		args.Images[name] = m
	}
	return args
}

// TestTermsAreComputedOnce sees that a block inside of the images has no border rule, and as many reads as its windows have places together.
func TestTermsAreComputedOnce(t *testing.T) {
	_, s := stageOf(t, shared[0].dst, shared[0].body)
	next, why := overlap.Stage(s, [2]int{4, 8}, false)
	if why != "" {
		t.Fatal(why)
	}
	split := next.Body[len(next.Body)-1].(*hast.If)
	rules, reads := 0, 0
	count(split.Then, 1, func(times int, l *hast.Load) {
		reads += times
		if l.Rule != nil {
			rules++
		}
	})
	if want := 6 * 2 * (8 + 4) * (4 + 2); reads != want || rules > 0 {
		t.Errorf("%d reads, %d of them under a rule, want %d without\n", reads, rules, want)
	}
}

// count calls f for the reads in statements, with how often they are made.
func count(list []hast.Stmt, times int, f func(times int, l *hast.Load)) {
	for _, s := range list {
		n := times
		if l, ok := s.(*hast.For); ok {
			lo, _ := hast.Number(l.Space.Ranges[0].Lo)
			hi, _ := hast.Number(l.Space.Ranges[0].Hi)
			n *= int(hi - lo)
		}
		exprs, bodies := hast.Parts(s)
		for _, e := range exprs {
			hast.Walk(e, func(e hast.Expr) {
				if l, ok := e.(*hast.Load); ok {
					f(times, l)
				}
			})
		}
		for _, b := range bodies {
			count(b, n, f)
		}
	}
}

func TestWhatIsNotSharedStays(t *testing.T) {
	window := "for j in -1:2, i in -1:2)"
	for _, c := range []struct{ name, dst, body string }{
		{"a sum in no loop", "i32[H][W]", "dst[y][x] = sum(l[y+j][x+i] " + window + ";"},
		{"terms that look at the instance's pixel", "i32[H][W]", "dst[y][x] = max(sum(abs(l[y+j][x+i] - r[y][x]) + d " + window + " for d in 0:4);"},
		{"weights by place in the window", "i32[H][W]", "dst[y][x] = max(sum(i * l[y+j][x+i+d] " + window + " for d in 0:4);"},
		{"every second pixel", "i32[H/2][W/2]", "dst[y][x] = max(sum(l[2*y+j][2*x+i+d] " + window + " for d in 0:4);"},
		{"under a condition", "i32[H][W]", "var v = 0; for (d in 0:4) if (l[y][x] > d) v += sum(r[y+j][x+i+d] " + window + "; dst[y][x] = v;"},
		{"on one side of a choice", "i32[H][W]", "var v = 0; for (d in 0:4) v += l[y][x] > d ? sum(r[y+j][x+i+d] " + window + " : d; dst[y][x] = v;"},
		{"in a loop that may end early", "i32[H][W]", "var v = 0; for (d in 0:4) { let s = sum(r[y+j][x+i+d] " + window + "; if (s > 9) break; v += s; } dst[y][x] = v;"},
		{"in a loop whose rounds depend on pixels", "i32[H][W]", "var v = 0; for (d in 0:clamp(l[y][x], 0, 4)) v += sum(r[y+j][x+i+d] " + window + "; dst[y][x] = v;"},
		{"products", "i32[H][W]", "dst[y][x] = max(product(l[y+j][x+i+d] " + window + " for d in 0:4);"},
		{"floats that keep their order", "f32[H][W]", "dst[y][x] = max(sum(f32(l[y+j][x+i+d]) " + window + " for d in 0:4);"},
		{"arrays that the loop fills", "i32[H][W]", "var h: i32[4]; for (d in 0:4) h[d] = sum(l[y+j][x+i+d] " + window + "; dst[y][x] = h[1] + h[3];"},
	} {
		_, s := stageOf(t, c.dst, c.body)
		if next, _ := overlap.Stage(s, [2]int{4, 8}, false); next != nil {
			t.Errorf("%s: in blocks", c.name)
		}
		if size := overlap.Size(s, false); size != [2]int{} {
			t.Errorf("%s: of size %v", c.name, size)
		}
	}
}

func TestBlocksHaveSizes(t *testing.T) {
	_, s := stageOf(t, shared[0].dst, shared[0].body)
	for _, c := range []struct {
		size [2]int
		want string
	}{
		{[2]int{4, 8}, ""},
		{[2]int{8, 16}, "blocks of 8 x 16 are of more than"},
		{[2]int{1, 64}, ""},
	} {
		if _, why := overlap.Stage(s, c.size, false); !strings.HasPrefix(why, c.want) || c.want == "" && why != "" {
			t.Errorf("%v: %q, want %q", c.size, why, c.want)
		}
	}
	for radius, want := range map[int][2]int{2: {2, 8}, 8: {2, 8}, 12: {2, 8}, 16: {2, 2}, 20: {}} {
		_, s := stageOf(t, "i32[H][W]", fmt.Sprintf("dst[y][x] = max(sum(abs(l[y+j][x+i] - r[y+j][x+i-d]) for j in -%d:%d, i in -%d:%d) for d in 0:4);", radius, radius+1, radius, radius+1))
		if got := overlap.Size(s, false); got != want {
			t.Errorf("windows of the radius %d: %v, want %v", radius, got, want)
		}
	}
}
