package plan_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"imgc/archmodels"
	"imgc/diag"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/fuse"
	"imgc/optimize/lower"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
	"imgc/optimize/singles"
	"imgc/parser"
	"imgc/sema"
	"imgc/sema/sematest"
	"imgc/source"
)

func compiled(t *testing.T, text string) *hast.Pipeline {
	t.Helper()
	return sematest.Program(t, text).Pipelines[0]
}

// between are weights of places between pixels that lie four apart.
const between = "const P: f32[4][2] = [[7 / 8.0, 1 / 8.0], [5 / 8.0, 3 / 8.0], [3 / 8.0, 5 / 8.0], [1 / 8.0, 7 / 8.0]];\n"

// chains are programs of several stages.
var chains = map[string]string{
	"blur": `pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {
    image rows: f32[H][W] border clamp = [(src[y][x-1] + src[y][x] + src[y][x+1]) / 3 for y, x];
    dst = [(rows[y-1][x] + rows[y][x] + rows[y+1][x]) / 3 for y, x];
}`,
	"far": `border line(s[M][N]) { s[*][-1] = s[*][0]; s[*][+1] = s[*][N - 1]; } else clamp
pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {
    image rows: f32[H][W] border line = [src[y][x-1] + src[y][x+1] for y, x];
    dst = [rows[y-1][x] + rows[y+1][x] for y, x];
}`,
	"columns": `border line(s[M][N]) { s[-1][*] = 2*s[0][*] - s[M - 1][*]; } else clamp
mask taps: i32[1][5] = [[1, 4, 6, 4, 1]];
pipeline p(in src: u8[H][W] border clamp, out dst: u8[(H + 1)/2][(W + 1)/2]) {
    image rows: u8[H][W] border line = [u8((convolve(taps, src[y][x]) + 8) / 16) for y, x];
    dst = [u8((convolve(transpose(taps), rows[2*y][2*x]) + 8) / 16) for y, x];
}`,
	"mask": `mask bell: f32[11][11] = [(6 - abs(y)) * (6 - abs(x)) / 1296.0 for y in -5:6, x in -5:6];
pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) { dst = [convolve(bell, src[y][x]) for y, x]; }`,
	"long": `mask row: f32[1][15] = [[1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1]] / 64.0;
pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {
    image rows: f32[H][W] border clamp = [convolve(row, src[y][x]) for y, x];
    dst = [sum(rows[y - 7 : 15][x]) / 15 for y, x];
}`,
	"many sums": `pipeline p(in a: f32x3[H][W] border clamp, in b: f32[H][W] border clamp, out dst: f32[H][W]) {
    iterate (y, x) over dst {
        let m = sum(a[y-8:17][x-8:17]) / 289;
        let c = sum(a[y+j][x+i] * b[y+j][x+i] for j in -8:9, i in -8:9);
        let d = sum(a[y+j][x+i] * a[y+j][x+i] for j in -8:9, i in -8:9);
        dst[y][x] = dot(c, m) - dot(d, m);
    }
}`,
	"many means": `pipeline p(in a: f32x4[H][W] border clamp, out dst: f32x4[H][W]) {
    iterate (y, x) over dst {
        let m = sum(a[y-8:17][x-8:17]) / 289;
        let c = sum(a[y+j][x+i] * a[y+j][x+i] for j in -8:9, i in -8:9);
        let d = sum(a[y+j][x+i] * a[y+j][x+i].yzwx for j in -8:9, i in -8:9);
        let e = sum(a[y+j][x+i] * a[y+j][x+i].zwxy for j in -8:9, i in -8:9);
        dst[y][x] = c*m - d + e;
    }
}`,
	"means": `kernel box(in a: f32[h][w] border clamp, out m: f32[h][w]) { m = [sum(a[y-8:17][x-8:17]) / 289 for y, x]; }
pipeline p(in a: f32[H][W] border clamp, in b: f32[H][W] border clamp, out dst: f32[H][W]) {
    image aa: f32[H][W] = [a[y][x]*a[y][x] for y, x];
    image ab: f32[H][W] = [a[y][x]*b[y][x] for y, x];
    image ma: f32[H][W];
    image mb: f32[H][W];
    image maa: f32[H][W];
    image mab: f32[H][W];
    box(a, ma);
    box(b, mb);
    box(aa, maa);
    box(ab, mab);
    dst = [(mab[y][x] - ma[y][x]*mb[y][x]) / (maa[y][x] - ma[y][x]*ma[y][x] + 1) for y, x];
}`,
	"tall": `mask row: f32[1][15] = [[1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1]] / 64.0;
pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {
    image columns: f32[H][W] border clamp = [sum(src[y - 7 : 15][x]) / 15 for y, x];
    dst = [convolve(row, columns[y][x]) for y, x];
}`,
	"siblings": `pipeline p(in src: f32[H][W] border clamp, out dx: f32[H][W], out dst: f32[H][W]) {
    dx = [src[y][x + 1] - src[y][x - 1] for y, x];
    dst = [src[y + 1][x] - src[y - 1][x] for y, x];
}`,
	"enlarged": between + `pipeline p(in src: u8[H][W] border clamp, in down: u8[(H + 3)/4][(W + 3)/4] border clamp, out dst: u8[H][W]) {
    image up: u8[H][W];
    iterate (y in -1 : (H + 3)/4, x in -1 : (W + 3)/4) border(up: skip)
        up[4*y + 2 : 4][4*x + 2 : 4] = u8(P * f32(down[y:2][x:2]) * transpose(P));
    dst = [sat<u8>(2*src[y][x] - up[y][x] + max(src[y-1 : 3][x-1 : 3]) / 4) for y, x];
}`,
	"repeated": `pipeline p(in src: u8[H][W], out dst: u8[4*H][4*W]) { iterate (y, x) over src dst[4*y : 4][4*x : 4] = src[y][x]; }`,
	"extremes": `pipeline p(in src: f32[H][W], out low: f32[H], out dst: f32[H]) {
    low = [min(src[y][x] for x in 0 : W) for y];
    dst = [max(src[y][x] for x in 0 : W) for y];
}`,
	"colours": declarations + `pipeline p(in src: u8x3[H][W] border clamp, out dst: u8x3[H][W]) {
    dst = [sat<u8x3>(convolve(box, src[y][x])) for y, x];
}`,
	"steps": declarations + `pipeline p(inout u: f32[H][W], in n: i32) {
    image next: f32[H][W];
    for (i in 0:n) {
        next = [(u[y-1][x] + u[y+1][x] + u[y][x-1] + u[y][x+1]) / 4 for y, x] border clamp;
        swap(u, next);
    }
}`,
	"halves": `pipeline p(in src: f32[H][W], out half: f32[8][(H + 1)/2][(W + 1)/2], out dst: f32[H][W]) {
    image mid: f32[8][H][W] border clamp = [exp(k*src[y][x]) for k, y, x];
    half = [sum(mid[k][2*y - 1 : 4][2*x - 1 : 4]) for k, y, x];
    dst = [mid[3][y][x] - src[y][x] for y, x];
}`,
	"softer": declarations + `pipeline p(in src: f32x3[H][W] border clamp, out dst: f32x3[H][W]) {
    image a: f32[H][W] border clamp = [sqrt(dot(src[y][x], src[y][x])) for y, x];
    image b: f32[H][W] border clamp = [convolve(box, a[y][x]) for y, x];
    dst = [src[y][x] * (convolve(box, b[y][x]) / b[y][x]) for y, x];
}`,
	"bytes": `pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    dst = [min(src[y-15:31][x-15:31]) for y, x];
}`,
	"few bytes": `pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    dst = [min(src[y-3:7][x-3:7]) for y, x];
}`,
	"coarse bytes": `pipeline p(in src: u8[H][W] border clamp, out dst: i32[H/16][W/16]) {
    dst = [sum(src[16*y:16][16*x:16]) for y, x];
}`,
	"bytes and rest": `pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    dst = [u8(max(src[y-7:15][x-7:15]) - min(src[y-7:15][x-7:15])) for y, x];
}`,
	"curve":          `pipeline p(in src: u8[H][W], in g: f32, out dst: u8[H][W]) { dst = [sat<u8>(255 * pow(src[y][x] / 255.0, g)) for y, x]; }`,
	"quotients":      `pipeline p(in src: u8x3[H][W], out dst: u8x3[H][W]) { dst = [sat<u8x3>(sqrt(f32x3(src[y][x]) * 3) + 100 / (1 + f32x3(src[y][x]))) for y, x]; }`,
	"levels of grey": `pipeline p(in src: u8[H][W], in n: i32, out dst: u8[H][W]) { dst = [u8(src[y][x] / n * n) for y, x]; }`,
	"cheap":          `pipeline p(in src: u8[H][W], out dst: f32[H][W]) { dst = [sqrt(src[y][x] / 3.0) for y, x]; }`,
	"two scales": `pipeline p(in src: u8x3[H][W] border clamp, out luma: u8[H][W], out dst: u8[(H + 1)/2][(W + 1)/2]) {
    luma = [sat<u8>(0.3*f32(src[y][x].r) + 0.7*f32(src[y][x].g)) for y, x];
    dst = [u8(mean(src[2*y : 2][2*x : 2]).b) for y, x];
}`,
	"wanted level": `pipeline p(in src: f32[H][W] border clamp, out smooth: f32[H][W] border clamp, out dst: f32[(H + 1)/2][(W + 1)/2]) {
    smooth = [mean(src[y - 1 : 3][x - 1 : 3]) for y, x];
    dst = [mean(smooth[2*y - 1 : 3][2*x - 1 : 3]) for y, x];
}`,
	"heavy": declarations + `pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {
    image a: f32[H][W] border clamp;
    iterate (y, x) over a {
        var sum: f32;
        for (k in 0 : 40)
            sum += exp(src[y][x] * k);
        a[y][x] = sum;
    }
    dst = [convolve(box, a[y][x]) for y, x];
}`,
}

func TestStagesAreFusedWhereThatPays(t *testing.T) {
	for _, c := range []struct {
		program, model string
		place          schedule.Placement
		want, why      string
	}{
		{"blur", "nvidia-h200", 0, "rows: fuse;", "rows is fused with dst: "},
		{"blur", "nvidia-h200", schedule.Root, "rows: tile(", ""},
		{"blur", "pocl-avx512", 0, "dst: tile(1024, 32) rows(4) lanes(16)", "rows is fused with dst: "},
		{"blur", "pocl-avx512", schedule.Root, "rows: rows(", ""},
		{"tall", "pocl-avx512", 0, "tile(1024, 32) rows(4) lanes(16)", "columns is fused with dst: "},
		{"blur", "pocl-avx512", schedule.Fuse, "rows: fuse;", "rows is fused with dst: "},
		{"mask", "nvidia-h200", 0, "dst: separate ", ""},
		{"many sums", "nvidia-h200", 0, "dst: columns tile(112, 8) item(4, 2) direct", ""},
		{"many means", "nvidia-h200", 0, "dst: columns tile(48, 8) item(2, 2) direct", ""},
		{"means", "nvidia-h200", 0, "maa: inline;", "maa is inlined into dst: its sums are computed with others there"},
		{"means", "nvidia-h200", 0, "dst: columns tile(", "mab is inlined into dst: "},
		{"bytes", "nvidia-h200", 0, "dst_row: root tile(", "dst_row is not fused with dst: "},
		{"bytes", "nvidia-h200", 0, "dst: separate tile(", "dst_row is not fused with dst: "},
		{"bytes and rest", "nvidia-h200", 0, "dst_row: join;", "dst_row is joined with dst_row2: "},
		{"few bytes", "nvidia-h200", 0, "dst: tile(", ""},
		{"coarse bytes", "nvidia-h200", 0, "dst: item(", ""},
		{"steps", "nvidia-h200", 0, "next: rounds(2) ", "2 rounds of next are one: "},
		{"steps", "nvidia-h200", schedule.Root, "next: tile(", ""},
		{"steps", "pocl-avx512", 0, "next: rounds(3) tile(1024, 32) ", "3 rounds of next are one: "},
		{"colours", "pocl-avx512", 0, "dst: rows(4) lanes(16)", ""},
		{"far", "nvidia-h200", 0, "rows: fuse;", "rows is fused with dst: "},
		{"columns", "nvidia-h200", 0, "rows: tile(", "rows is not fused with dst: "}, // the ends of lines would take too long
		{"far", "pocl-avx512", 0, "rows: rows(", "rows is not fused with dst: rows is read under a border rule, formula, that takes what no block of it holds: each instance "},
		{"long", "nvidia-h200", 0, "item(4, 8) direct", "rows is fused with dst: "},
		{"tall", "nvidia-h200", 0, "item(4, 8) sweep", "columns is fused with dst: "},
		{"siblings", "nvidia-h200", 0, "dx: join;", "dx is joined with dst: "},
		{"siblings", "nvidia-h200", schedule.Root, "dx: tile(", ""},
		{"siblings", "nvidia-h200", schedule.Join, "dx: join;", "dx is joined with dst: "},
		{"siblings", "pocl-avx512", 0, "dx: rows(", ""},
		{"two scales", "nvidia-h200", 0, "luma: join;", "luma is joined with dst: "},
		{"two scales", "nvidia-h200", schedule.Root, "luma: tile(", ""},
		{"two scales", "pocl-avx512", 0, "luma: rows(", ""},
		{"wanted level", "nvidia-h200", 0, "smooth: fuse", "smooth is fused with dst: "},
		{"extremes", "nvidia-h200", 0, "low: join;", "low is joined with dst: "},
		{"halves", "nvidia-h200", 0, "mid: split;", "mid is inlined into dst and fused with half"},
		{"halves", "nvidia-h200", schedule.Root, "mid: tile(", ""},
		{"halves", "nvidia-h200", schedule.Split, "mid: split;", "mid is inlined into dst and fused with half"},
		{"heavy", "nvidia-h200", 0, "a: tile(", "a is not fused with dst: "},
		{"curve", "nvidia-h200", 0, "dst_table: root;\n    dst: table tile(", "dst takes what depends on one byte from tables, which dst_table computes: "},
		{"curve", "nvidia-h200", schedule.Root, "dst: tile(", ""},
		{"curve", "pocl-cpu", 0, "dst: table rows(", "of which processors are known to take longer for functions, and less for tables"},
		{"quotients", "nvidia-h200", 0, "dst: table tile(", "dst takes "},
		{"quotients", "pocl-cpu", 0, "dst: rows(1) lanes(", "dst does not take what depends on one byte from tables, "}, // neighbours side by side have these, and no look-ups
		{"levels of grey", "pocl-cpu", 0, "dst: table rows(", "dst takes "},
		{"enlarged", "nvidia-h200", 0, "up: inline gather;", "up is computed pixel by pixel: "},
		{"enlarged", "nvidia-h200", schedule.Root, "dst: tile(", ""},
		{"enlarged", "pocl-cpu", 0, "dst: rows(", "up is not fused with dst: with dst: up does more than"},
		{"repeated", "nvidia-h200", 0, "dst: tile(128, 4) item(4, 1) vector(16)", "dst is not computed pixel by pixel: "},
		{"cheap", "nvidia-h200", 0, "dst: tile(", "dst does not take what depends on one byte from tables, "}, // bound by what is stored
	} {
		to := target(t, c.model, 8192, kir.Contract)
		if c.place != 0 {
			to.Decided = func(*hast.Stage) schedule.Decisions { return schedule.Decisions{Place: c.place} }
		}
		p := plan.For(compiled(t, chains[c.program]), to)
		if text := p.Schedule().String(); !strings.Contains(text, c.want) || !strings.Contains(p.Text(), c.why) {
			t.Errorf("%s on %s: want %s, %s\n%s", c.program, c.model, c.want, c.why, p.Text())
		}
		if c.why == "" && len(p.Groups) > 0 {
			t.Errorf("%s on %s: %s", c.program, c.model, p.Groups[0].Text())
		}
	}
}

// TestStepsAreCutIntoTrapezoids plans scans whose lines share pixels: pieces of long lines and of many, and what one group takes at once.
func TestStepsAreCutIntoTrapezoids(t *testing.T) {
	scan := func(border, before string) string {
		return "pipeline p(in a: i32[H][W], out c: i32[H][W]) { iterate (y, x) over c border " + border + " scan(y) c[y][x] = a[y][x] + (y > 0 ? " + before + " : 0); }"
	}
	for _, c := range []struct {
		program string
		size    int64
		want    string
	}{
		{scan("clamp", "min(c[y-1][x-1 : 3])"), 8192, "c: trapezoid("},
		{scan("clamp", "min(c[y-1][x-1 : 3])"), 100, "c: trapezoid(128, "},
		{scan("clamp", "c[y-1][x-99]"), 8192, "c: steps(1024)"}, // whose frames leave nothing
		{scan("repeat", "c[y-1][x-1]"), 8192, "c: steps(1024)"},
	} {
		if text := plan.For(compiled(t, c.program), target(t, "nvidia-h200", c.size, kir.Contract)).Schedule().String(); !strings.Contains(text, c.want) {
			t.Errorf("want %s\n%s", c.want, text)
		}
	}
}

// TestSmallImagesHaveNoTables plans a curve for images whose tables take longer than they save.
func TestSmallImagesHaveNoTables(t *testing.T) {
	p := plan.For(compiled(t, chains["curve"]), target(t, "nvidia-h200", 512, kir.Contract))
	if text := p.Schedule().String(); strings.Contains(text, "table") {
		t.Errorf("planned\n%s", p.Text())
	}
}

// TestScheduledGathers follows a line for a stage that writes blocks, and one that has it fused as it is.
func TestScheduledGathers(t *testing.T) {
	for _, c := range []struct {
		line schedule.Decisions
		want string
	}{
		{schedule.Decisions{Place: schedule.Root, Gather: 1}, "up: gather tile("},
		{schedule.Decisions{Place: schedule.Inline, Gather: 1}, "up: inline gather;"},
		{schedule.Decisions{Place: schedule.Root}, "dst: tile("},
	} {
		to := target(t, "nvidia-h200", 8192, kir.Contract)
		to.Decided = func(s *hast.Stage) schedule.Decisions {
			if s.Name == "up" {
				return c.line
			}
			return schedule.Decisions{}
		}
		p := plan.For(compiled(t, chains["enlarged"]), to)
		if text := p.Schedule().String(); !strings.Contains(text, c.want) || strings.Contains(text, "gather") != (c.line.Gather != 0) {
			t.Errorf("%s: planned\n%s", c.line, p.Text())
		}
	}
}

// TestScheduledTables follows lines for a stage and for what computes its tables.
func TestScheduledTables(t *testing.T) {
	to := target(t, "nvidia-h200", 512, kir.Contract)
	to.Decided = func(s *hast.Stage) schedule.Decisions {
		if s.Name == "dst" {
			return schedule.Decisions{Place: schedule.Root, Table: 1}
		}
		return schedule.Decisions{}
	}
	p := plan.For(compiled(t, chains["curve"]), to)
	if text := p.Schedule().String(); !strings.Contains(text, "dst_table: root;\n    dst: table tile(") {
		t.Errorf("planned\n%s", p.Text())
	}
}

// TestGroupsGoDownRowsWhereTheLanguageIsUpToIt plans masks of 15 in two steps.
func TestGroupsGoDownRowsWhereTheLanguageIsUpToIt(t *testing.T) {
	for _, name := range []string{"long", "tall"} {
		to := target(t, "nvidia-h200", 8192, kir.Contract)
		to.Descents = kir.AllDescents
		want := "dst: tile(240, 1024) item(4, 1024) stream(4) rolled(1056) local resident(8) unroll(225);"
		if text := plan.For(compiled(t, chains[name]), to).Schedule().String(); !strings.Contains(text, want) {
			t.Errorf("%s: want %s\n%s", name, want, text)
		}
	}
}

// TestLargeMasksGoDownRows plans masks for whose sums items have registers for a column alone: of several components, or in groups so large that less of what they compute lies beside their tiles.
func TestLargeMasksGoDownRows(t *testing.T) {
	for name, want := range map[string]string{
		"colours15": "item(1, 1024) stream(2) rolled(1056) local resident(4) unroll(225);",
		"filter33":  "tile(224, 1024) item(1, 1024) stream(2) rolled(528) local resident(2) unroll(1089);",
	} {
		to := target(t, "nvidia-h200", 8192, kir.Contract)
		to.Descents = kir.AllDescents
		if text := plan.For(compiled(t, programs[name]), to).Schedule().String(); !strings.Contains(text, want) {
			t.Errorf("%s: want %s\n%s", name, want, text)
		}
	}
}

func target(t *testing.T, model string, size int64, mode kir.Mode) plan.Target {
	t.Helper()
	m, err := archmodels.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	return plan.Target{
		Model: m.WithUsual(), Size: func(*hast.Var) int64 { return size }, Fusing: fuse.Options{Unroll: lower.Defaults().Unroll, Floats: mode != kir.Strict},
		Legal: func(s *hast.Stage, d schedule.Decisions) string { return lower.Refuse(s, d, mode) },
	}
}

// TestMatrixUnitsComputeRowsTogether plans one sum in rows below each other, and two, of which registers hold too few of these, in wide items.
func TestMatrixUnitsComputeRowsTogether(t *testing.T) {
	const masks = "mask hill: i32[9][9] = [1 + min(4 - abs(y), 4 - abs(x)) for y in -4:5, x in -4:5];\n" +
		"mask slope: i32[9][9] = [y*abs(y)*7 + x for y in -4:5, x in -4:5];\n"
	for value, want := range map[string]string{
		"sum(src[y-15:31][x-15:31])":                                           "dst: separate", // bytes under 16 results are 46, of which units take 32 at a time
		"convolve(slope, src[y][x]) - src[y][x]":                               "tile(128, 128) item(4, 32) matrix",
		"max(abs(convolve(slope, src[y][x])), abs(convolve(hill, src[y][x])))": "tile(128, 128) item(16, 8) matrix",
	} {
		to := target(t, "nvidia-h200", 8192, kir.Strict)
		to.Matrix = true
		p := plan.For(compiled(t, masks+"pipeline p(in src: u8[H][W] border clamp, out dst: i32[H][W]) { dst = ["+value+" for y, x]; }"), to)
		if got := p.Schedule().String(); !strings.Contains(got, want) {
			t.Errorf("%s: want %s\n%s", value, want, p.Text())
		}
	}
}

// TestBlocksSuitTheWidth plans the same for widths that blocks of different sizes divide, or none: what is left takes a launch of its own.
func TestBlocksSuitTheWidth(t *testing.T) {
	for _, c := range []struct {
		width      int64
		want, ends string
	}{
		{2048, "item(16, ", ""},
		{1000, "item(8, ", ", ends 2.1"},
		{1004, "item(4, ", ", ends 2.1"},
	} {
		to := target(t, "nvidia-h200", c.width, kir.Contract)
		to.EndsApart = func(s *hast.Stage, d schedule.Decisions) bool { return new(lower.Trials).EndsApart(s, d, kir.Contract) }
		p := plan.For(compiled(t, `pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) {
    dst = [median(src[y - 1 : 3][x - 1 : 3]) for y, x];
}`), to)
		if got := p.Schedule().String(); !strings.Contains(got, c.want) {
			t.Errorf("%d columns: want %s\n%s", c.width, c.want, p.Text())
		}
		for _, r := range p.Choices[0].Rejected {
			if r.Item[0] == 16 && r.Illegal == "" && r.Packed16 != 0 && !strings.Contains(r.Cost.Text(), c.ends) {
				t.Errorf("%d columns: blocks of 16 take %s", c.width, r.Cost.Text())
			}
		}
	}
}

func TestTheLastGroupEndsAPipeline(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"n = sum(src);", true},
		{"let m = mean(src); let at = argmax(src); n = i64(at.x) + i64(m);", false}, // its first launch would wait for m
		{"let m = max(src); dst = [src[y][x] - m for y, x]; n = m;", false},
	} {
		to := target(t, "nvidia-h200", 8192, kir.Contract)
		p := compiled(t, "pipeline p(in src: i32[H][W], out dst: i32[H][W], out n: i64) { dst = src; "+c.body+" }")
		p = singles.Join(&hast.Program{Pipelines: []*hast.Pipeline{p}}).Pipelines[0]
		if text := plan.For(p, to).Schedule().String(); strings.Contains(text, "last") {
			t.Errorf("%s: without an order between groups: %s", c.body, text)
		}
		to.Behind = lower.Behind(kir.FullOrder)
		if text := plan.For(p, to).Schedule().String(); strings.Contains(text, "last") != c.want {
			t.Errorf("%s: %s, want last: %v", c.body, text, c.want)
		}
	}
}

// TestTheLastGroupFills has histograms counted in bins where the last group is done with these before a launch would be.
func TestTheLastGroupFills(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"h = 0; m = 0; iterate (y, x) over src { h[src[y][x] % 256] += 1; m[src[y][x] / 256] += 1; }", true},
		{"h = 0; iterate (y, x) over src h[src[y][x] % 256] += 1;", false},        // counting the groups takes as long as a launch
		{"l = [u32(i) for i]; iterate (y, x) over src l[src[y][x]] += 1;", false}, // 16 turns
		{"h = 0; dst = [u32(src[y][x]) + 1u for y, x]; iterate (y, x) over dst h[i32(dst[y][x] % 256)] += 1;", false},
		{"h = 0; l = 0; dst = [u32(src[y][x]) + 1u for y, x]; h[0] = 1;", false},
	} {
		to := target(t, "nvidia-h200", 8192, kir.Contract)
		p := compiled(t, "pipeline p(in src: u16[H][W], out dst: u32[H][W], inout h: u32[256], inout m: u32[256], inout l: u32[8192]) { "+strings.ReplaceAll(c.body, "l[src[y][x]]", "l[src[y][x] % 8192]")+" }")
		if text := plan.For(p, to).Schedule().String(); strings.Contains(text, "last") {
			t.Errorf("%s: without an order between groups: %s", c.body, text)
		}
		to.Behind = lower.Behind(kir.SharedOrder)
		got := plan.For(p, to)
		if text := got.Schedule().String(); strings.Contains(text, ") last") != c.want {
			t.Errorf("%s: %s, want last: %v\n%s", c.body, text, c.want, got.Text())
		}
	}
}

// TestTheLastGroupGoesOn has small stages behind histograms done by their last group where that takes less time than launches do.
func TestTheLastGroupGoesOn(t *testing.T) {
	const count = "image h: u32[256]; iterate (y, x) over src h[src[y][x] % 256] += 1; "
	for _, c := range []struct {
		body, want string
	}{
		{count + "iterate (i) over l l[i] = h[i] * 3;", "l: last;"},
		{count + "iterate (i) over l l[i] = h[i] * 3; dst = [l[src[y][x] % 256] for y, x];", "l: last;"},
		{count + "iterate (i) over l l[i] = sum(h[j] for j in 0:i);", ""},                                                // each reads up to as many
		{count + "iterate (i) over m m[i] = h[i % 256];", ""},                                                            // in 16 turns
		{strings.Replace(count, "iterate", "for (n in 0:2) { iterate", 1) + "iterate (i) over l l[i] = h[i] + 1; }", ""}, // which counts on
	} {
		to := target(t, "nvidia-h200", 8192, kir.Contract)
		p := compiled(t, "pipeline p(in src: u16[H][W], inout dst: u32[H][W], inout l: u32[256], inout m: u32[8192]) { "+c.body+" }")
		for _, ways := range []struct{ behind, graphs bool }{{false, false}, {true, true}, {true, false}} {
			if to.Behind, to.Graphs = nil, ways.graphs; ways.behind {
				to.Behind = lower.Behind(kir.SharedOrder)
			}
			text := plan.For(p, to).Schedule().String()
			if want := ways.behind && !ways.graphs && c.want != ""; strings.Contains(text, "last") != want || want && !strings.Contains(text, c.want) {
				t.Errorf("%s: %s, want %q with %+v", c.body, text, c.want, ways)
			}
		}
	}
}

// TestTheLastGroupJoinsOnProcessors has what parts come to joined by the last of them wherever it is in a pipeline.
func TestTheLastGroupJoinsOnProcessors(t *testing.T) {
	to := target(t, "pocl-avx512", 1024, kir.Contract)
	p := compiled(t, "pipeline p(in src: i32[H][W], out dst: i32[H][W]) { let m = max(src); dst = [src[y][x] - m for y, x]; }")
	for _, order := range []kir.Order{kir.NoOrder, kir.SharedOrder} {
		to.Behind = lower.Behind(order)
		if got := plan.For(p, to); strings.Contains(got.Schedule().String(), "last") != (order == kir.SharedOrder) {
			t.Errorf("order %d: %s", order, got.Text())
		}
	}
}

const declarations = "mask box: f32[3][3] = [[0.1, 0.1, 0.1], [0.1, 0.2, 0.1], [0.1, 0.1, 0.1]];\n"

var programs = map[string]string{
	"fields": `pipeline p(in a: u8[H][W], in b: u8[H][W], out dst: u8[2*H][W]) { dst = [y%2 == 0 ? a[y/2][x] : b[y/2][x] for y, x]; }`,
	"samples": `func byte(v: i32): u8 = u8(clamp((v + 128) >> 8, 0, 255));
pipeline p(in src: u8[H][4*w], out dst: u8x3[H][2*w]) {
    iterate (y, x) over dst {
        let l = 298 * (src[y][2*x] - 16);
        let u = src[y][x/2*4 + 1] - 128;
        let v = src[y][x/2*4 + 3] - 128;
        dst[y][x] = u8x3(byte(l + 409*v), byte(l - 100*u - 208*v), byte(l + 516*u));
    }
}`,
	"levels": `pipeline p(inout a: f32[H][W]) {
    pyramid g: f32[H][W] border clamp levels 5;
    g[0] = a;
    traverse (g) {
        if (!g.top) g[0] = [sum(g[-1][2*y-1 : 3][2*x-1 : 3]) / 9 for y, x];
        descend;
    }
    a = g[0];
}`,
	"point":      "pipeline p(in src: u8[H][W], out dst: u8[H][W]) { iterate (y, x) over dst dst[y][x] = u8(255 - src[y][x]); }",
	"enlarge":    "pipeline p(in src: u8[H][W], out dst: u8[4*H][4*W]) { iterate (y, x) over src dst[4*y : 4][4*x : 4] = src[y][x]; }",
	"runs":       "pipeline p(in src: u8[8*H][8*W], out dst: u8[H][W]) { dst = [u8(mean(src[8*y : 8][8*x : 8])) for y, x]; }",
	"shared":     "pipeline p(in src: u8[2*H][2*W] border clamp, out dst: u8[H][W]) { dst = [max(src[2*y - 1 : 3][2*x - 1 : 3]) for y, x]; }",
	"deviation":  "pipeline p(in src: u8[H][W], in m: f32x3[1], out v: f32) { v = mean((src[y][x] - m[0].x) * (src[y][x] - m[0].y) for y in 0:H, x in 0:W); }",
	"sparse":     "pipeline p(in src: u8[H][W], out dst: u8[4*H][4*W]) { iterate (y, x) over src dst[4*y : 4][4*x : 3] = src[y][x]; }",
	"transposed": "pipeline p(in src: f32[H][W], out dst: f32[W][H]) { iterate (y, x) over dst dst[y][x] = src[x][y]; }",
	"rotated":    "pipeline p(in src: u8x3[H][W], out dst: u8x3[W][H]) { iterate (y, x) over dst dst[y][x] = src[H-1-x][y]; }",
	"turned":     "pipeline p(in src: u8x3[H][W] border clamp, in c: f32, in s: f32, out dst: u8x3[H][W]) { dst = [sat<u8x3>(sample(src, c*y + s*x, c*x - s*y, linear)) for y, x]; }",
	"zoomed":     "pipeline p(in src: u8x3[H][W] border clamp, in c: f32, out dst: u8x3[H][W]) { dst = [sat<u8x3>(sample(src, c*y, c*x, linear)) for y, x]; }",
	"entries":    "pipeline p(in first: i32[M+1], in v: f32[K], out y: f32[M]) { iterate (i) over y y[i] = sum(v[k] for k in max(first[i], 0) : min(first[i+1], K)); }",
	"disc": "domain disc[7][7] = [y*y + x*x <= 10 for y in -3:4, x in -3:4];\n" +
		"pipeline p(in src: u8[H][W], out dst: u8[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = min(src[y+d.y][x+d.x] for d in disc); }",
	"vectors":         "pipeline p(in src: f32x4[H][W], out dst: f32x4[2*H][W]) { iterate (y, x) over src dst[2*y : 2][x] = src[y][x]; }",
	"matching":        "pipeline p(in l: u8[H][W] border clamp, in r: u8[H][W] border clamp, out dst: u8[H][W]) { dst = [u8(argmin(sum(abs(l[y+j][x+i] - r[y+j][x+i-d]) for j in -3:4, i in -3:4) for d in 0:32)) for y, x]; }",
	"matching floats": "pipeline p(in l: f32[H][W] border clamp, in r: f32[H][W] border clamp, in n: i32, out dst: f32[H][W]) { dst = [min(sum(abs(l[y+j][x+i] - r[y+j][x+i-d]) for j in -3:4, i in -3:4) for d in 0:n) for y, x]; }",
	"filter":          declarations + "pipeline p(in src: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = convolve(box, src[y][x]); }",
	"coloured":        "pipeline p(in src: u8x3[H][W], out dst: u8x3[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = u8x3(sum(src[y-1 : 3][x-1 : 3]) / 9); }",
	"filter7": "mask wide: f32[7][7] = [1 + x*y for y in 0:7, x in 0:7];\n" +
		"pipeline p(in src: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = convolve(wide, src[y][x]); }",
	"filter15": "mask wide: f32[15][15] = [1 + x*y for y in 0:15, x in 0:15];\n" +
		"pipeline p(in src: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = convolve(wide, src[y][x]); }",
	"colours9":  masked("f32", 9, "u8x3"),
	"colours15": masked("f32", 15, "u8x3"),
	"bytes15":   masked("f32", 15, "u8"),
	"integers9": masked("i32", 9, "u8x3"),
	"filter33":  masked("f32", 33, "f32"),
	"histogram": "pipeline p(in src: u8[H][W], out h: u32[256]) { iterate (y, x) over src h[src[y][x]] += 1u; }",
	"rows":      "pipeline p(in a: f32[H][W], out r: f32[H]) { iterate (y) over r r[y] = sum(a[y][x] for x in 0:W); }",
	"scan":      "pipeline p(in src: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst scan(x) border constant(0) dst[y][x] = dst[y][x-1] + src[y][x]; }",
}

// masked is a mask of so many rows and columns that is no product, on pixels of a type.
func masked(weights string, n int, pixel string) string {
	return fmt.Sprintf("mask wide: %s[%d][%d] = [(x*3 + y*7 + x*y) %% 11 for y in 0:%[2]d, x in 0:%[2]d];\n"+
		"pipeline p(in src: %[4]s[H][W] border clamp, out dst: %[4]s[H][W]) { dst = [sat<%[4]s>(convolve(wide, src[y][x]) / 100) for y, x]; }", weights, n, n, pixel)
}

func TestChoices(t *testing.T) {
	for _, c := range []struct {
		program, model string
		mode           kir.Mode
		want           string // part of the schedule
	}{
		{"point", "nvidia-h200", kir.Contract, "flat"},
		{"enlarge", "nvidia-h200", kir.Contract, "item(4, 1) vector(16);"}, // rows of 16 bytes
		{"runs", "nvidia-h200", kir.Contract, "dst: tile(32, 4) item(1, 1) vector(16) runs;"},
		{"shared", "nvidia-h200", kir.Contract, "item(8, "},               // what is read by neighbours, too, is loaded for several
		{"deviation", "nvidia-h200", kir.Contract, "item(16, 4) reduce("}, // a pixel that all points read is loaded once
		{"sparse", "nvidia-h200", kir.Contract, "dst: tile(256, 1);"},     // what is stored lies apart
		{"transposed", "nvidia-h200", kir.Contract, "item(1, 8) local;"},  // neighbours along x read other lines
		{"rotated", "nvidia-h200", kir.Contract, "item(4, 4) local;"},
		{"turned", "nvidia-h200", kir.Contract, "dst: tile(32, 32) item(4, 1) vector(16);"}, // neighbours reach other lines, at an angle that nothing says
		{"zoomed", "nvidia-h200", kir.Contract, "dst: tile(256, 1);"},
		{"entries", "nvidia-h200", kir.Contract, "y: item(4, 4) reduce("}, // loops as long as data says
		{"disc", "nvidia-h200", kir.Contract, "packed16;"},
		{"vectors", "nvidia-h200", kir.Contract, "item(1, "}, // a pixel is as wide as an access
		{"filter", "nvidia-h200", kir.Contract, "item(4, "},
		{"filter", "nvidia-a100", kir.Contract, "item("},
		{"filter7", "nvidia-h200", kir.Contract, "item(4, 8) vector(16) stream(2);"},
		{"filter15", "nvidia-h200", kir.Contract, "item(8, 256) vector(16) stream(2) rolled(132) unroll(225);"}, // as wide as the mask reaches
		{"bytes15", "nvidia-h200", kir.Contract, "item(8, 256) vector(16) stream(2) rolled(132) unroll(225);"},  // as many columns as leave room for all sums
		{"colours9", "nvidia-h200", kir.Contract, "item(4, 256) vector(16) stream(2) rolled(132) unroll(81);"},
		{"integers9", "nvidia-h200", kir.Contract, "item(4, 3) vector(16) packed16 unroll(81);"},
		{"fields", "nvidia-h200", kir.Contract, "item(16, 2) vector(16);"}, // no window is held in registers
		{"samples", "nvidia-h200", kir.Contract, "item(4, 2) vector(16);"}, // two rows are loaded at once, which operations hide as far as they are counted
		{"histogram", "nvidia-h200", kir.Contract, "h: item(16, 4) copies(32, 512, 264);"},
		{"rows", "nvidia-h200", kir.Contract, "r: item(4, 4) reduce("},
		{"levels", "nvidia-h200", kir.Contract, "g_2: tile("}, // by its finest level
		{"matching", "nvidia-h200", kir.Strict, "dst: overlap(4, 8)"},
		{"matching floats", "nvidia-h200", kir.Contract, "dst: overlap(2, 8)"},
		{"matching", "pocl-cpu", kir.Contract, "dst: rows("},
		{"point", "pocl-avx512", kir.Contract, "dst: rows(1) lanes("},
		{"filter", "pocl-cpu", kir.Contract, "dst: rows(4) lanes("},
		{"coloured", "pocl-cpu", kir.Strict, "dst: rows(8) lanes(64) rowsums;"}, // components side by side, as single bytes
		{"filter", "generic-cpu", kir.Strict, "dst: rows(4) lanes("},
		{"scan", "nvidia-h200", kir.Contract, "dst: band("},
		{"scan", "arm-mali-g78", kir.Contract, "dst: tile(128) ahead("},
		{"scan", "pocl-cpu", kir.Strict, "{\n}"},
	} {
		p := plan.For(compiled(t, programs[c.program]), target(t, c.model, 8192, c.mode))
		if text := p.Schedule().String(); !strings.Contains(text, c.want) {
			t.Errorf("%s on %s: %s, want %s\n%s", c.program, c.model, text, c.want, p.Text())
		}
	}
	strict := plan.For(compiled(t, programs["rows"]), target(t, "nvidia-h200", 8192, kir.Strict))
	if text := strict.Schedule().String(); strings.Contains(text, "reduce") {
		t.Errorf("strict mode: %s", text)
	}
	strict = plan.For(compiled(t, programs["matching floats"]), target(t, "nvidia-h200", 8192, kir.Strict))
	if text := strict.Schedule().String(); strings.Contains(text, "overlap") {
		t.Errorf("strict mode: %s", text)
	}
}

// TestItemsAreLeftRegistersToLoadAhead plans kernels whose compiler is told how many groups a unit is to have room for, and others of which it is not.
func TestItemsAreLeftRegistersToLoadAhead(t *testing.T) {
	for _, c := range []struct{ program, model, want string }{
		{programs["filter"], "nvidia-h200", "vector(16) resident(5);"}, // 96 registers
		{programs["levels"], "nvidia-h200", "small(67584) coarse(1024, 4096, 5) resident(5);"},
		{programs["filter7"], "nvidia-h200", "stream(2);"}, // rows on their way
		{programs["point"], "nvidia-h200", "flat;"},
		{chains["colours"], "nvidia-h200", "vector(16);"},       // bytes
		{chains["softer"], "nvidia-h200", "local resident(7);"}, // 72
		{programs["filter"], "pocl-cpu", "lanes(16);"},
	} {
		p := plan.For(compiled(t, c.program), target(t, c.model, 8192, kir.Contract))
		if text := p.Schedule().String(); !strings.Contains(text, c.want) {
			t.Errorf("%s on %s: %s, want %s", c.program, c.model, text, c.want)
		}
	}
}

// TestEveryModelPlansEveryProgram also holds a plan to be legal, the same each time, and readable.
func TestEveryModelPlansEveryProgram(t *testing.T) {
	for _, m := range archmodels.Names() {
		for name, text := range programs {
			p := compiled(t, text)
			for _, size := range []int64{1, 37, 1080, 8192} {
				to := target(t, m, size, kir.Contract)
				got := plan.For(p, to)
				if again := plan.For(p, to); again.Text() != got.Text() {
					t.Fatalf("%s on %s: two plans differ", name, m)
				}
				for _, c := range got.Choices {
					if d := c.Picked.Decisions; d != (schedule.Decisions{}) && to.Legal(c.Stage.Of, d) != "" {
						t.Errorf("%s on %s: %s is chosen: %s", name, m, d, to.Legal(c.Stage.Of, d))
					}
				}
			}
		}
	}
}

func TestTextsAreSchedules(t *testing.T) {
	all := maps.Clone(programs)
	maps.Copy(all, chains)
	for name, text := range all {
		p := plan.For(compiled(t, text), target(t, "nvidia-h200", 4096, kir.Contract))
		var diags diag.List
		file := parser.Parse(source.NewFile("s.img", text+"\n"+p.Text()), &diags)
		typed := sema.Check(file, sema.Options{}, &diags)
		list := schedule.Read(file, typed, &diags)
		if diags.HasErrors() {
			t.Fatalf("%s: %s\n%s", name, diags.Sorted()[0].Message, p.Text())
		}
		if got, want := list[0].String(), p.Schedule().String(); got != want {
			t.Errorf("%s: read back as\n%s\nwant\n%s", name, got, want)
		}
	}
}
