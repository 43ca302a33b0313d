package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/sema"
	"imgc/sema/sematest"
	"imgc/source"
)

// fused is what comes of a text with every stage fused that can be: for each stage that remains, the stages in it, and then what was
// refused.
func fused(t *testing.T, text string) (*hast.Program, string) {
	t.Helper()
	diags := &diag.List{}
	p := sema.Check(parser.Parse(source.NewFile("p.img", text), diags), sema.Options{}, diags)
	if p == nil || diags.HasErrors() {
		t.Fatal(diags.Sorted()[0].Message)
	}
	var b strings.Builder
	out := *p
	out.Pipelines = nil
	for _, q := range p.Pipelines {
		r, refused := fuse.Apply(q, fuse.Options{Unroll: 64}, func(*hast.Stage) schedule.Decisions { return schedule.Decisions{Place: schedule.Fuse} })
		out.Pipelines = append(out.Pipelines, r)
		hast.WalkSteps(r.Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				for _, part := range s.Parts() {
					b.WriteString(part.Name + " ")
				}
				b.WriteString("| ")
			}
		})
		for _, x := range refused {
			if x.Why != "nothing behind it reads what it writes" {
				b.WriteString(x.Stage.Name + ": " + x.Why + "; ")
			}
		}
	}
	return &out, strings.TrimSuffix(strings.TrimSuffix(b.String(), "; "), " | ")
}

func TestStagesAreFusedWithAllThatReadThem(t *testing.T) {
	const head = "border line(s[M][N]) { s[*][+1] = 2*s[*][N - 1]; } else clamp\nborder far(s[M][N]) { s[-1][*] = 3*s[M - 1][*]; } else clamp\n" +
		"pipeline p(in src: i32[H][W] border clamp, in table: i32[9], inout a: i32[H][W], out dst: i32[H][W]) {\n"
	for _, c := range []struct{ name, text, want string }{
		{"a chain", `image m: i32[H][W] = [src[y][x + 1] for y, x]; image n: i32[H][W] border clamp = [m[y][x] for y, x]; dst = [n[y + 1][x] for y, x];`, "m n dst"},
		{"two readers", `image m: i32[H][W] = [src[y][x + 1] for y, x]; a = [m[y][x] for y, x]; dst = [m[y][x] + 1 for y, x];`, "m a | m dst"},
		{"a reader of a reader", `image m: i32[H][W] = [src[y][x + 1] for y, x]; image n: i32[H][W] = [2*m[y][x] for y, x]; dst = [m[y][x] + n[y][x] for y, x];`, "m n dst"},
		{"what is stored as well", `a = [src[y][x + 1] for y, x]; dst = [a[y][x] for y, x];`, "a dst"},
		{"twice as large", `image m: i32[2*H][2*W] = [src[y/2][x/2] for y, x]; dst = [m[2*y][2*x + 1] for y, x];`, "m dst"},

		{"far away", `image m: i32[H][W] border repeat = [src[y][x] for y, x]; dst = [m[y][x + 1] for y, x];`, "m dst"},
		{"farther", `image m: i32[H][W] = [src[y][x] for y, x]; image n: i32[H][W] border repeat = [m[y][x] for y, x]; dst = [n[y][x + 1] for y, x];`,
			"m | n dst | m: with dst: n is read under a border rule, repeat, that takes what no block of it holds, and computed of what is not in memory"},
		{"by formula", `image m: i32[H][W] border line = [src[y][x] for y, x]; dst = [m[y][x + 1] for y, x];`,
			"m dst"},
		{"by formula of what is fused", `image m: i32[H][W] = [src[y][x] for y, x]; image n: i32[H][W] border line = [m[y][x] for y, x]; dst = [n[y][x + 1] for y, x];`,
			"m | n dst | m: with dst: n is read under a border rule, formula, that takes what no block of it holds, and computed of what is not in memory"},
		{"by formula and another rule", `image m: i32[H][W]; image n: i32[H][W]; iterate (y, x) over m { m[y][x] = src[y][x]; n[y][x] = 2*src[y][x]; }
			iterate (y, x) over dst border(m: line, n: clamp) dst[y][x] = m[y][x + 1] + n[y][x - 1];`,
			"m | dst | m: with dst: m is read under a border rule, formula, that takes what no block of it holds, and n under another rule"},
		{"by two formulas", `image m: i32[H][W] = [src[y][x] for y, x]; iterate (y, x) over a border line a[y][x] = m[y][x + 1]; iterate (y, x) over dst border(m: far, a: clamp) dst[y][x] = m[y - 1][x] + a[y][x + 1];`,
			"m | a dst | m: with dst: m is read under two border rules"},
		{"by formula in steps", `image m: i32[H][W] border line = [src[y][x] for y, x]; iterate (y in 1 : H, x in 0 : W) dst[y][x] = m[y][x + 1];`,
			"m | dst | m: with dst: m is read beyond its borders, and not in steps from its first pixel on"},
		{"by data", `image m: i32[H][W] border clamp = [src[y][x] for y, x]; dst = [m[src[y][x]][x] for y, x];`,
			"m | dst | m: with dst: dst reads m at places that are not fixed by a distance from its instances"},
		{"in part", `image m: i32[H][W]; iterate (y in 0 : H, x in 0 : W / 2) m[y][x] = src[y][x]; dst = [m[y][x] for y, x];`,
			"m | dst | m: with dst: m does not compute the whole of m"},
		{"under a condition", `image m: i32[H][W]; iterate (y, x) over m where (src[y][x] > 0) m[y][x] = 1; dst = [m[y][x] for y, x];`,
			"m | dst | m: with dst: m does more than to write each pixel of its images once"},
		{"a line", `image m: i32[9] = [2*table[i] for i in 0 : 9]; dst = [src[y][x] + m[2] for y, x];`, "m | dst | m: with dst: m and dst run over spaces of 1 and 2 axes"},
		{"another space", `image m: i32[W][H] border clamp = [src[x][y] for y, x]; dst = [m[y][x + 1] for y, x];`, "m dst"},
		{"half as large", `image m: i32[2*H - 1][2*W] border clamp = [src[y/2][x/2] for y, x]; dst = [m[2*y - 1][2*x + 2] for y, x];`, "m dst"},
		{"enlarged", `image m: i32[(H + 1)/2][W/3 + 1] border reflect = [src[2*y][3*x] for y, x]; dst = [m[(y + 1)/2][x/3 - 1] for y, x];`, "m dst"},
		{"halved and enlarged", `a = [src[y][x + 1] for y, x]; image n: i32[2*H][2*W] = [a[y/2][x/2] for y, x]; dst = [n[2*y][2*x + 1] for y, x];`, "a n dst"},
		{"enlarged by two numbers", `image m: i32[H][W] = [src[y][x] for y, x]; dst = [m[y/2][x] - m[y/3][x] for y, x];`, "m | dst | m: with dst: m is read in steps that differ"},
		{"enlarged and not", `image m: i32[H][W] = [src[y][x] for y, x]; dst = [m[y/2][x] - m[y][x] for y, x];`, "m | dst | m: with dst: m is read in steps that differ"},
		{"enlarged from elsewhere", `image m: i32[H][W] = [src[y][x] for y, x]; iterate (y in 1 : H, x in 0 : W) dst[y][x] = m[y/2][x];`,
			"m | dst | m: with dst: dst reads m at places that are not fixed by a distance from its instances"},
		{"less than half", `image m: i32[H][W] border clamp = [src[y][x] for y, x]; dst = [m[2*y][x] for y, x];`, "m dst"},
		{"less than half of what is fused", `image m: i32[H][W] = [src[y][x] for y, x]; image n: i32[H][W] border clamp = [m[y][x] for y, x]; dst = [n[2*y][x] for y, x];`,
			"m | n dst | m: with dst: n is read beyond its borders, and nothing says that it is as large as dst reads it, and computed of what is not in memory"},
		{"two rules", `image m: i32[H][W] = [src[y][x] for y, x]; image n: i32[H][W]; iterate (y, x) over n border clamp n[y][x] = m[y][x + 1]; iterate (y, x) over dst border reflect dst[y][x] = m[y][x - 1] + n[y][x];`,
			"m | n dst | m: with dst: m is read under two border rules"},
		{"in place", `image m: i32[H][W] border clamp = [a[y][x + 1] for y, x] border clamp; a = [m[y][x - 1] for y, x];`,
			"m | a | m: with a: a writes a, which m reads in other places"},
		{"a write between", `image m: i32[H][W] = [a[y][x] for y, x]; a = [src[y][x] for y, x]; dst = [m[y][x] for y, x];`,
			"m | a | dst | m: a writes what it reads before dst runs"},
		{"another round", `image m: i32[H][W] = [src[y][x] for y, x]; for (k in 0 : 3) dst = [m[y][x] + k for y, x];`,
			"m | dst | m: dst reads m in another round or branch"},
		{"a swap", `image m: i32[H][W] = [src[y][x] for y, x]; swap(m, a); dst = [a[y][x] + m[y][x] for y, x];`,
			"m | dst | m: m is more than an image that it alone writes"},
	} {
		p, got := fused(t, head+c.text+"\n}\n")
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if err := hast.Verify(p); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestStagesAreInlinedWhereTheyAreRead(t *testing.T) {
	const head = "pipeline p(in src: i32[H][W] border clamp, in table: i32[9], inout a: i32[H][W], out dst: i32[H][W], out h: i32[256]) {\n"
	for _, c := range []struct{ name, text, want string }{
		{"by data", `image m: i32[H][W] border clamp = [src[y][x + 1] for y, x]; dst = [m[src[y][x]][x] for y, x];`, ""},
		{"far away", `image m: i32[H][W] border repeat = [src[y][x] for y, x]; dst = [m[y][x - 9] for y, x];`, ""},
		{"a histogram", `image m: i32[H][W] = [src[y][x] & 255 for y, x]; iterate (y, x) over m h[clamp(m[y][x], 0, 255)] += 1;`, ""},
		{"a sum", `image m: i32[H][W] = [2*src[y][x] for y, x]; image s: i32[H] = [sum(m[y][x] for x in 0 : W) for y]; dst = [s[y] for y, x];`, ""},
		{"a let", `image m: i32[H][W]; iterate (y, x) over m { let v = src[y][x] + x; m[y][x] = v * v; } dst = [m[y][x] for y, x];`, ""},

		{"a mirror", `image m: i32[H][W] border reflect = [src[y][x] for y, x]; dst = [m[y][x - 9] for y, x];`, ""},
		{"its own place beyond its end", `image t: i32[9] = [2*table[k] for k]; h = [t[k] for k] border reflect;`, ""},
		{"a mirror of what lies beside", `image m: i32[H][W] border reflect = [src[y][x + 1] for y, x]; dst = [m[y][x - 9] for y, x];`, "m: it is read outside under reflect"},
		{"a mirror of a place", `image m: i32[H][W] border reflect = [src[y][x] + x for y, x]; dst = [m[y][x - 9] for y, x];`, "m: it is read outside under reflect"},
		{"a mirror of a larger image", `image m: i32[H/2][W/2] border reflect = [src[y][x] for y, x]; dst = [m[y/2][x/2 - 9] for y, x];`, "m: it is read outside under reflect"},
		{"rows of a place", `image m: i32[H][W] border reflect = [src[y][x] + y for y, x]; dst = [m[y][x - 9] for y, x];`, ""},
		{"across a loop", `image m: i32[H][W] = [src[y][x] for y, x]; for (k in 0 : 3) h = [k for i]; dst = [m[y][x] for y, x];`, ""},
		{"a loop that writes, in place", `image m: i32[H][W] = [a[y][x] for y, x]; for (k in 0 : 3) iterate (y, x) over a a[y][x] = k; dst = [m[y][x] for y, x];`,
			"m: a writes what it reads before dst runs"},
		{"a loop", `image m: i32[H][W]; iterate (y, x) over m { var v = 0; for (k in 0 : 3) v += src[y][x] * k; m[y][x] = v; } dst = [m[y][x] for y, x];`, ""},
		{"a loop beside", `image m: i32[H][W] border clamp; iterate (y, x) over m { var v = 0; for (k in 0 : 3) v += src[y][x] * k; m[y][x] = v; } dst = [m[y][x + 1] for y, x];`,
			"m: it computes in more than one step"},
		{"its own pixel in place", `image m: i32[H][W] = [2*a[y][x] for y, x]; a = [m[y][x] for y, x];`, ""},
		{"twice in place", `image m: i32[H][W] = [src[y][x] for y, x]; m = [2*m[y][x] for y, x]; dst = [m[y][x] for y, x];`, ""},
		{"a part", `image m: i32[H][W]; iterate (y, x) over m where (src[y][x] > 0) m[y][x] = 1; dst = [m[y][x] for y, x];`,
			"m: its instances are not independent of each other, or not all run"},
		{"in place", `image m: i32[H][W] = [a[y][x + 1] for y, x] border clamp; a = [m[y][x] for y, x];`, "m: a writes what it reads"},
		{"what is stored", `a = [src[y][x] for y, x]; dst = [a[y][x] for y, x];`, "a: a has to be stored"},
	} {
		diags := &diag.List{}
		p := sema.Check(parser.Parse(source.NewFile("p.img", head+c.text+"\n}\n"), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		q, refused := fuse.Apply(fuse.Needed(p.Pipelines[0]), fuse.Options{Unroll: 64}, func(s *hast.Stage) schedule.Decisions {
			if s.Name == "dst" || s.Name == "h" || s.Name == "a" && strings.HasSuffix(c.name, "in place") {
				return schedule.Decisions{}
			}
			return schedule.Decisions{Place: schedule.Inline}
		})
		got := ""
		for _, r := range refused {
			got += r.Stage.Name + ": " + r.Why
		}
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		out := *p
		out.Pipelines = []*hast.Pipeline{q}
		if err := hast.Verify(&out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSiblingsAreJoined(t *testing.T) {
	const head = "pipeline p(in src: i32[H][W] border clamp, in other: i32[H][W], inout a: i32[H][W], out b: i32[H][W], out dst: i32[H][W], out s: i32[H], out r: i32[H]) {\n"
	for _, c := range []struct{ name, text, want string }{
		{"two", `b = [src[y][x + 1] for y, x]; dst = [src[y][x - 1] for y, x];`, "dst"},
		{"three", `a = [2*src[y][x] for y, x]; b = [src[y][x + 1] for y, x]; dst = [src[y][x - 1] for y, x];`, "dst"},
		{"what is computed", `image m: i32[H][W] border clamp = [2*other[y][x] for y, x]; b = [m[y][x + 1] for y, x]; dst = [m[y][x - 1] for y, x];`, "m | dst"},
		{"over the same points", `s = [sum(src[y][x] for x in 0 : W) for y]; r = [max(src[y][x] for x in 0 : W) for y];`, "r"},
		{"in place", `a = [a[y][x] + src[y][x] for y, x]; dst = [src[y][x] for y, x];`, "dst"},

		{"others", `b = [other[y][x] for y, x]; dst = [src[y][x] for y, x];`, "b | dst"},
		{"another space", `iterate (y in 0 : H, x in 0 : W / 2) b[y][x] = src[y][x]; dst = [src[y][x] for y, x];`, "b | dst | b: beside dst: b does not compute the whole of b"},
		{"over other points", `s = [sum(src[y][x] for x in 0 : W) for y]; r = [max(src[y][x] for x in 1 : W) for y];`, "s | r"},
		{"over points from lets", `iterate (y) over s { let from = y % 2; s[y] = sum(src[y][x] for x in from : W); } iterate (y) over r { let from = y % 3; r[y] = max(src[y][x] for x in from : W); }`, "s | r"},
		{"over the same points from lets", `iterate (y) over s { let from = y % 2; s[y] = sum(src[y][x] for x in from : W); } iterate (y) over r { let from = y % 2; r[y] = max(src[y][x] for x in from : W); }`, "r"},
		{"under a condition", `iterate (y, x) over b where (src[y][x] > 0) b[y][x] = 1; dst = [src[y][x] for y, x];`, "b | dst | b: not every instance runs"},
		{"a reader of it", `b = [src[y][x] for y, x]; dst = [src[y][x] + b[y][max(x - 1, 0)] for y, x];`, "b | dst | b: dst touches what b writes"},
		{"a reader of its own pixels", `b = [2*src[y][x + 1] for y, x]; dst = [b[y][x] + b[y][x]*b[y][x] for y, x];`, "dst"},
		{"a chain of these", `a = [src[y][x + 1] for y, x]; b = [a[y][x] + src[y][x] for y, x]; dst = [b[y][x] + a[y][x] for y, x];`, "dst"},
		{"a reader of its own pixels that writes them", `b = [2*src[y][x] for y, x]; b = [b[y][x] + src[y][x] for y, x];`, "b | b_2 | b: b_2 touches what b writes"},
		{"a write to what it reads", `b = [a[y][x + 1] for y, x] border clamp; a = [a[y][x] + 1 for y, x];`, "b | a | b: a writes what b reads"},
		{"a write between", `b = [src[y][x] + a[y][x] for y, x]; a = [other[y][x] for y, x]; dst = [src[y][x] for y, x];`, "b | a | dst | b: a writes what it reads before dst runs"},
		{"a reader between", `b = [src[y][x] for y, x]; a = [b[y][W - 1 - x] for y, x]; dst = [src[y][x] for y, x];`, "b | a | dst | b: a needs what it writes before dst runs"},
		{"another round", `b = [src[y][x] for y, x]; for (k in 0 : 3) dst = [src[y][x] + k for y, x];`, "b | dst"},
	} {
		diags := &diag.List{}
		p := sema.Check(parser.Parse(source.NewFile("p.img", head+c.text+"\n}\n"), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		q, refused := fuse.Apply(fuse.Needed(p.Pipelines[0]), fuse.Options{Unroll: 64}, func(*hast.Stage) schedule.Decisions { return schedule.Decisions{Place: schedule.Join} })
		var list []string
		hast.WalkSteps(q.Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				list = append(list, s.Name)
			}
		})
		for _, r := range refused {
			if !strings.HasPrefix(r.Why, "no stage behind it") {
				list = append(list, r.Stage.Name+": "+r.Why)
			}
		}
		if got := strings.Join(list, " | "); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		out := *p
		out.Pipelines = []*hast.Pipeline{q}
		if err := hast.Verify(&out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Stages at several scales are one with the instances of the coarsest, wherever that stands, and with the finer ones as parts that store what they keep.
func TestSiblingsAtSeveralScalesAreJoined(t *testing.T) {
	const head = "pipeline p(in src: i32[H][W] border clamp, out a: i32[H][W], out b: i32[H][W], out half: i32[(H + 1)/2][(W + 1)/2], out low: i32[H/2][W/2], out quarter: i32[(H + 3)/4][(W + 3)/4], out wide: i32[(H + 1)/2][W]) {\n"
	for _, c := range []struct{ name, text, want string }{
		{"the coarse one last", `a = [src[y][x] for y, x]; half = [src[2*y][2*x + 1] for y, x];`, "half: a, half over half"},
		{"the coarse one first", `half = [src[2*y][2*x + 1] for y, x]; a = [src[y][x] for y, x];`, "a: a, half over half"},
		{"two of each", `a = [src[y][x] for y, x]; half = [src[2*y][2*x] for y, x]; b = [src[y][x + 1] for y, x];`, "b: a, b, half over half"},
		{"three scales", `quarter = [src[4*y][4*x] for y, x]; a = [src[y][x] for y, x]; half = [src[2*y][2*x] for y, x];`, "half: a, half, quarter over quarter"},
		{"rows alone", `wide = [src[2*y][x] for y, x]; a = [src[y][x] for y, x];`, "a: a, wide over wide"},
		{"rounded down", `low = [src[2*y][2*x] for y, x]; a = [src[y][x] for y, x];`, "a: a, low over low"},
		{"parts of an image side by side", `image m: i32[3*H][W]; view upper = m[0 : H]; view lower = m[H : (H + 1)/2]; iterate (y, x) over upper upper[y][x] = src[y][x]; iterate (y in 0 : (H + 1)/2, x in 0 : W) lower[y][x] = src[2*y][x]; a = [m[2*y][x] for y, x];`,
			"lower: upper, lower over lower | a: a over a"},
		{"parts of an image that are not", `image m: i32[3*H][W]; view upper = m[0 : H]; view lower = m[H - 1 : (H + 1)/2]; iterate (y, x) over upper upper[y][x] = src[y][x]; iterate (y in 0 : (H + 1)/2, x in 0 : W) lower[y][x] = src[2*y][x]; a = [m[2*y][x] for y, x];`,
			"upper: upper over upper | lower: lower over lower | a: a over a"},
		{"a reader between", `half = [src[2*y][2*x] for y, x]; b = [half[y/2][x/2] + src[y][x] for y, x]; a = [src[y][x] for y, x];`, "half: half over half | a: b, a over a"},
	} {
		diags := &diag.List{}
		p := sema.Check(parser.Parse(source.NewFile("p.img", head+c.text+"\n}\n"), diags), sema.Options{}, diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		q, _ := fuse.Apply(fuse.Needed(p.Pipelines[0]), fuse.Options{Unroll: 64}, func(*hast.Stage) schedule.Decisions { return schedule.Decisions{Place: schedule.Join} })
		var list []string
		hast.WalkSteps(q.Steps, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				written := []string{}
				for _, part := range s.Parts() {
					hast.EachStore(part.Body, func(st *hast.Store) { written = append(written, st.Image.Name) })
				}
				list = append(list, fmt.Sprintf("%s: %s over %s", s.Name, strings.Join(written, ", "), written[len(written)-1]))
			}
		})
		if got := strings.Join(list, " | "); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		out := *p
		out.Pipelines = []*hast.Pipeline{q}
		if err := hast.Verify(&out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Sums are separated where their terms have no weights, and where their window starts beside the instance.
func TestPlainSumsAreSeparated(t *testing.T) {
	var diags diag.List
	p := sema.Check(parser.Parse(source.NewFile("t.img", `pipeline p(in src: i32[H][W], out dst: i32[H][W]) {
    iterate (y, x) over dst border clamp dst[y][x] = sum(src[y-1 : 3][x-2 : 4]);
}`), &diags), sema.Options{}, &diags)
	if diags.HasErrors() {
		t.Fatal(diags.Sorted()[0].Message)
	}
	q, parts := fuse.Separate(p.Pipelines[0], p.Pipelines[0].Steps[0].(*hast.Stage), schedule.RowsFirst, false)
	if len(parts) != 1 {
		t.Fatalf("%d stages of sums along rows, want one", len(parts))
	}
	p.Pipelines[0] = q
	text := hast.Dump(p)
	for _, want := range []string{"sum(src[y][((x - 2) + j)<>]@clamp for j in {0 1 2 3})", "sum(dst_row[((y - 1) + i)<>][x]@clamp for i in {0 1 2})"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestColumnsComeFirst separates several sums, of which one stage has all columns that are read under rules of one kind.
func TestColumnsComeFirst(t *testing.T) {
	const text = `pipeline p(in a: f32[H][W] border clamp, in b: f32[H][W] border reflect, out dst: f32[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = sum(a[y-1 : 3][x-2 : 4]) + sum(a[y+j][x+i] * a[y+j][x+i] for j in -1:2, i in -2:2) - sum(b[y-1 : 3][x-1 : 3]);
}`
	p := sematest.Program(t, text)
	q, parts := fuse.Separate(p.Pipelines[0], p.Pipelines[0].Steps[0].(*hast.Stage), schedule.ColumnsFirst, true)
	p.Pipelines[0] = q
	if err := hast.Verify(p); err != nil {
		t.Error(err)
	}
	dump := hast.Dump(p)
	if len(parts) != 2 || len(parts[0].Body) != 2 {
		t.Fatalf("%d stages of columns in\n%s", len(parts), dump)
	}
	for _, want := range []string{
		"dst_column[y][x] = sum(a[((y - 1) + i)<>][x]@clamp for i in {0 1 2})", "dst_column2[y][x] = sum((a[(y + j)<>][x]@clamp * a[(y + j)<>][x]@clamp) for j in {-1 0 1})",
		"dst_column3[y][x] = sum(b[", "sum(dst_column[y][((x - 2) + j)<>]@clamp for j in {0 1 2 3})", "sum(dst_column3[y][((x - 1) + j)<>]@reflect for j in {0 1 2})",
	} {
		if !strings.Contains(dump, want) {
			t.Errorf("no %s in\n%s", want, dump)
		}
	}
}

// Extremes are separated of any kinds and in any mode, where their windows are whole, and so are sums of vectors; what is outside of rows is what one pixel is.
func TestWhatIsSeparated(t *testing.T) {
	for _, c := range []struct {
		name, types, body string
		floats            bool
		want              []string // in the text; none where nothing is separated
	}{
		{"greatest floats", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "max(src[y-1:3][x-2:5])", false,
			[]string{"max(src[y][((x - 2) + j)<>]@clamp for j in {0 1 2 3 4})", "max(dst_row[((y - 1) + i)<>][x]@clamp for i in {0 1 2})"}},
		{"least of halves", "in src: f16[H][W] border reflect, out dst: f16[H][W]", "min(src[y-1:3][x-1:3])", false, []string{"dst_row: f16"}},
		{"a constant outside", "in src: u8[H][W] border constant(9), out dst: i32[H][W]", "max(i32(src[y+j][x+i]) - 3 for j in -1:2, i in -1:2)", false, []string{"constant((i32(u8(9)) - 3))"}},
		{"no whole window", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "max(src[y+d.y][x+d.x] for d in cross)", false, nil},
		{"vectors", "in src: f32x3[H][W] border clamp, out dst: f32x3[H][W]", "sum(src[y-1:3][x-1:3])", true, []string{"dst_row: f32x3"}},
		{"vectors in strict mode", "in src: f32x3[H][W] border clamp, out dst: f32x3[H][W]", "sum(src[y-1:3][x-1:3])", false, nil},
		{"weights of vectors", "in src: f32x2[H][W] border clamp, out dst: f32x2[H][W]", "convolve(bell, src[y][x])", true, []string{"dst_row: f32x2", "SPLAT f32x2("}},
		{"integers of vectors", "in src: u8x3[H][W] border constant(u8x3(1, 2, 3)), out dst: i32x3[H][W]", "sum(i32x3(src[y+j][x+i]) for j in -1:2, i in -1:2)", false, []string{"dst_row: u16x3", "constant(u16x3((SPLAT i32x3(3) * i32x3(u8x3{u8(1) u8(2) u8(3)}))))"}},
		{"bytes, whose rows 16 bits hold", "in src: u8[H][W] border clamp, out dst: i32[H][W]", "sum(src[y+j][x+i] * 257 for j in -1:2, i in 0:1) + sum(src[y+j][x+i] for j in -1:2, i in -1:2)", false,
			[]string{"dst_row: u16", "u16(sum(i32(src[y][(x + i)<>]@clamp) for i in {-1 0 1}))", "sum(i32(dst_row[(y + j)<>][x]@clamp) for j in {-1 0 1})"}},
		{"bytes, whose rows 16 bits do not hold", "in src: u8[H][W] border clamp, out dst: i32[H][W]", "convolve(ridge, src[y][x])", false, []string{"dst_row: i32"}},
		{"bytes with weights below 0", "in src: u8[H][W] border clamp, out dst: i32[H][W]", "convolve(slope, src[y][x])", false, []string{"dst_row: i32"}},
		{"bytes beside their squares", "in src: u8[H][W] border clamp, out dst: i32[H][W]", "sum(src[y-1:3][x-1:3]) + sum(src[y+j][x+i] * src[y+j][x+i] for j in -1:2, i in -1:2)", false, []string{"dst_row: i32", "dst_row2: i32"}},
		{"floats beside a constant", "in src: f32[H][W] border constant(2), out dst: f32[H][W]", "convolve(bell, src[y][x])", true, []string{"constant((8.0 * 2.0))"}},
		{"products of two images", "in src: i32[H][W] border clamp, in t: u8[H][W] border clamp, out dst: i32[H][W]", "sum(src[y+j][x+i] * t[y+j][x+i-1] for j in -1:2, i in -1:2)", false,
			[]string{"sum((src[y][(x + i)<>]@clamp * i32(t[y][((x - 1) + i)<]@clamp)) for i in {-1 0 1})", "sum(dst_row[(y + j)<>][x]@clamp"}},
		{"weights and squares", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "sum(bell[j+1][i+1] * src[y+j][x+i] * src[y+j][x+i] for j in -1:2, i in -1:2)", true, []string{"dst_row: f32"}},
		{"weights of rows and of columns", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "sum(bell[0][i+1] * src[y+j][x+i] * bell[j+1][1] for j in -1:2, i in -1:2)", true, []string{"dst_row: f32"}},
		{"numbers beside weights", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "sum(0.5 * bell[j+1][i+1] * src[y+j][x+i] * 3 for j in -1:2, i in -1:2)", true, []string{"sum((f32[3]{3.0 6.0 3.0}[(i - -1)] * src[y][(x + i)<>]@clamp)"}},
		{"differences", "in src: u8[H][W] border clamp, in t: u8[H][W] border clamp, out dst: i32[H][W]", "sum(abs(i32(src[y+j][x+i]) - i32(t[y+j][x+i])) for j in -1:2, i in -1:2)", false, []string{"dst_row: i32"}},
		{"rows of two images that are not beside each other", "in src: i32[H][W] border clamp, in t: i32[H][W] border clamp, out dst: i32[H][W]", "sum(src[y+j][x+i] * t[y+j+1][x+i] for j in -1:2, i in -1:2)", false, nil},
		{"images of two heights", "in src: i32[H][W] border clamp, in t: i32[K][W] border clamp, out dst: i32[H][W]", "sum(src[y+j][x+i] * t[y+j][x+i] for j in -1:2, i in -1:2)", false, nil},
		{"images that go on in two ways", "in src: i32[H][W] border clamp, in t: i32[H][W] border reflect, out dst: i32[H][W]", "sum(src[y+j][x+i] * t[y+j][x+i] for j in -1:2, i in -1:2)", false, nil},
		{"places that an instance finds", "in src: i32[H][W] border clamp, out dst: i32[H][W]", "max(sum(src[y+j][x+i+d] for j in -1:2, i in -1:2) for d in 0:4)", false, nil},
		{"products in their order", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "max(src[y+j][x+i] * (src[y+j][x+i] * 3) for j in -1:2, i in -1:2)", false,
			[]string{"max((src[y][(x + i)<>]@clamp * (src[y][(x + i)<>]@clamp * 3.0)) for i in {-1 0 1})"}},
		{"weights of 0, by which no NaN is 0", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "sum(edge[j+1][i+1] * src[y+j][x+i] for j in -1:2, i in -1:2)", true, []string{"for i in {-1 0 1})"}},
		{"weights of 0 that are left out", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "convolve(edge, src[y][x])", true, []string{"for dx in {-1 1})"}},
		{"differences of sums, which are one", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "convolve(bell, src[y][x]) - sum(src[y-2:5][x-1:3])", true,
			[]string{"sum(((part == 0) ? (f32[3]{0.5 1.0 0.5}[(i - -1)] * dst_row[(y + i)<>][x]@clamp)", "for i, part in {-2,1 -1,0 -1,1 0,0 0,1 1,0 1,1 2,1})"}},
		{"sums of differences", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "abs(sum(src[y-1:3][x-1:3]) - (sum(src[y-2:5][x-2:5]) - sum(src[y-3:7][x-3:7])))", true,
			[]string{"(part == 1) ? (f32[5]{-1.0 -1.0 -1.0 -1.0 -1.0}", "{-3,2 -2,1 -2,2 -1,0 -1,1 -1,2 0,0"}},
		{"differences of integers", "in src: i32[H][W] border clamp, out dst: i32[H][W]", "sum(src[y-1:3][x-1:3]) - sum(src[y-2:5][x-2:5])", true, []string{" - sum("}},
		{"sums whose rows lie apart by what the host knows", "in src: f32[H][W] border clamp, in k: i32, out dst: f32[H][W]", "sum(src[y-1:3][x-1:3]) - sum(src[y+k:3][x-1:3])", true, []string{" - sum("}},
		{"columns that a condition keeps inside", "in src: i32[H][W], out dst: i32[H][W]", "x > 0 && x < W - 1 && y > 0 && y < H - 1 ? sum(src[y-1:3][x-1:3]) : 0", false,
			[]string{"sum(src[y][((x - 1) + j)<>]@undefined for j in {0 1 2})", "sum(dst_row[((y - 1) + i)][x] for i in {0 1 2})"}},
		{"medians", "in src: f32[H][W] border clamp, out dst: f32[H][W]", "median(src[y-1:3][x-1:3])", false, nil},
	} {
		text := "mask ridge: i32[3][3] = [[1, 300, 1], [1, 300, 1], [2, 600, 2]]; mask slope: i32[3][3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]; mask bell: f32[3][3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; mask edge: f32[3][3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]; domain cross[3][3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]]; pipeline p(" + c.types + ") { iterate (y, x) over dst dst[y][x] = " + c.body + "; }"
		checkSeparated(t, c.name, text, c.floats, c.want)
	}
}

// Planes are separated each for itself; images that are not there when the entry is called have no rows.
func TestWhichPlanesAreSeparated(t *testing.T) {
	const floats = "in src: f32[C][H][W] border clamp, out dst: f32[C][H][W]"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"own planes", floats + ") { dst = [min(src[c][y-1:3][x-1:3]) for c, y, x]; }",
			[]string{"dst_row: f32[C][H][W]", "min(src[c][y][((x - 1) + j)<>]@clamp for j in {0 1 2})", "min(dst_row[c][((y - 1) + i)<>][x]@clamp for i in {0 1 2})"}},
		{"one plane", "in src: f32[4][H][W] border clamp, out dst: f32[H][W]) { dst = [min(src[2][y-1:3][x-1:3]) for y, x]; }", []string{"dst_row: f32[H][W]", "min(src[2][y][((x - 1) + j)<>]@clamp"}},
		{"an image for all planes", "in src: f32[C][H][W] border clamp, in t: f32[H][W] border clamp, out dst: f32[C][H][W]) { dst = [min(src[c][y+j][x+i] - t[y+j][x+i] for j in -1:2, i in -1:2) for c, y, x]; }",
			[]string{"min((src[c][y][(x + i)<>]@clamp - t[y][(x + i)<>]@clamp) for i in {-1 0 1})"}},
		{"other planes", floats + ") { dst = [min(src[C-1-c][y-1:3][x-1:3]) for c, y, x]; }", nil},
		{"planes of a window", floats + ") { dst = [min(src[c+k][y][x+i] for k in -1:2, i in -1:2) for c, y, x]; }", nil},
		{"a condition", floats + ") { dst = [c > 1 ? min(src[c][y-1:3][x-1:3]) : 0 for c, y, x]; }", []string{"min(src[c][y][((x - 1) + j)<>]@clamp for j in {0 1 2})"}},
		{"planes that a condition keeps inside", "in src: f32[2][H][W] border clamp, out dst: f32[3][H][W]) { dst = [c < 2 ? min(src[c][y-1:3][x-1:3]) : 0 for c, y, x]; }", nil},
		{"columns that the host counts", "in src: f32[H][W] border clamp, inout dst: f32[H][W], in n: i32) { iterate (y in 0:H, x in 0:n) dst[y][x] = min(src[y-1:3][x-1:3]); }", []string{"dst_row: f32[H][W]", "stage dst_row (y in 0:H, x in 0:W)"}},
		{"columns that the host counts, and others that are written", "in src: f32[H][W] border clamp, inout dst: f32[H][W], in n: i32) { iterate (y in 0:H, x in 0:n) dst[y][n-1-x] = min(src[y-1:3][x-1:3]); }", nil},
		{"what is inside", "in src: f32[H][W], out dst: f32[H][W]) { iterate (y in 1:H-1, x in 2:W-2) dst[y][x] = min(src[y-1:3][x-2:5]); }",
			[]string{"min(src[y][((x - 2) + j)<>]@undefined for j in {0 1 2 3 4})", "stage dst (y in 1:(H - 1), x in 2:(W - 2))", "min(dst_row[((y - 1) + i)][x] for i in {0 1 2})"}},
		{"every second one", floats + ") { iterate (c in 0:C, y in 0:H, x in 0:W:2) dst[c][y][x] = min(src[c][y-1:3][x-1:3]); }", nil},
		{"some planes", floats + ") { iterate (c in 1:C, y in 0:H, x in 0:W) dst[c][y][x] = min(src[c][y-1:3][x-1:3]); }", nil},
		{"a part", "in src: f32[H][W], in y0: i32, in x0: i32, out dst: f32[h][w]) { view v = src[y0:h][x0:w]; dst = [min(v[y-1:3][x-1:3]) for y, x] border clamp; }", []string{"dst_row: f32[h][w]", "min(v[y][((x - 1) + j)<>]@clamp"}},
		{"a part of as many rows as the host says", "in src: f32[H][W], in n: i32, out dst: f32[h][w]) { assume(n >= h); view v = src[0:n][0:w]; dst = [min(v[y-1:3][x-1:3]) for y, x] border clamp; }", nil},
	} {
		checkSeparated(t, c.name, "pipeline p("+c.text, false, c.want)
	}
}

// checkSeparated separates the last stage of a program and looks for lines of it; nil where there are to be no parts.
func checkSeparated(t *testing.T, name, text string, floats bool, wanted []string) {
	t.Helper()
	var diags diag.List
	p := sema.Check(parser.Parse(source.NewFile("t.img", text), &diags), sema.Options{}, &diags)
	if diags.HasErrors() {
		t.Fatal(name, diags.Sorted()[0].Message)
	}
	steps := p.Pipelines[0].Steps
	q, parts := fuse.Separate(p.Pipelines[0], steps[len(steps)-1].(*hast.Stage), schedule.RowsFirst, floats)
	p.Pipelines[0] = q
	if err := hast.Verify(p); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	dump := hast.Dump(p)
	if (len(parts) > 0) != (wanted != nil) {
		t.Errorf("%s: %d stages of rows in\n%s", name, len(parts), dump)
	}
	for _, want := range wanted {
		if !strings.Contains(dump, want) {
			t.Errorf("%s: no %s in\n%s", name, want, dump)
		}
	}
}
