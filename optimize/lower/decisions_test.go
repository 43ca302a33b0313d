package lower_test

import (
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

func TestDecisionsAreRefusedWithAReason(t *testing.T) {
	team := schedule.Decisions{Reduce: 64}
	rows, wide := schedule.Decisions{Rows: 4}, schedule.Decisions{Rows: 4, Lanes: 16}
	separate := schedule.Decisions{Rows: 4, Lanes: 16, RowSums: 1}
	line := schedule.Decisions{Rows: 2, Lanes: 16, Line: 64}
	blocks := schedule.Decisions{Rows: 3, Lanes: 16, Block: 32}
	blur := "iterate (y, x) over b border clamp b[y][x] = u8(convolve([[1, 2, 1], [2, 4, 2], [1, 2, 1]], a[y][x]) / 16);"
	copies := schedule.Decisions{Copies: [3]int{8, 64, 4}}
	inTurn := schedule.Decisions{Copies: [3]int{8, 64, 4}, Tile: [2]int{64, 8}, Item: [2]int{4, 2}}
	ownCopies := schedule.Decisions{Copies: [3]int{64, 64, 4}}
	parts := schedule.Decisions{Copies: [3]int{1, 64, 16}, Parts: 8}
	stream := schedule.Decisions{Tile: [2]int{16, 8}, Item: [2]int{4, 4}, Stream: 2}
	halves := schedule.Decisions{Tile: [2]int{32, 8}, Item: [2]int{4, 2}, Packed16: 1}
	with := func(d schedule.Decisions, change func(*schedule.Decisions)) schedule.Decisions { change(&d); return d }
	const clamped = "in a: i32[H][W], out b: i32[H][W]"
	matrix := schedule.Decisions{Tile: [2]int{32, 32}, Item: [2]int{8, 4}, Matrix: 1}
	down := schedule.Decisions{Tile: [2]int{64, 100}, Item: [2]int{4, 100}, Stream: 2, Rolled: 9, Local: schedule.Shared}
	shared := schedule.Decisions{Tile: [2]int{32, 16}, Item: [2]int{1, 4}, Local: schedule.Shared}
	panels := schedule.Decisions{Tile: [2]int{32, 32}, Item: [2]int{4, 4}, Panels: 8, Local: schedule.Shared}
	const products, product = "in a: f32[H][W], in b: f32[W][N], out c: f32[H][N]", "iterate (y, x) over c c[y][x] = sum(a[y][k]*b[k][x] for k in 0:W);"
	for _, c := range []struct {
		name, params, body string
		d                  schedule.Decisions
		mode               kir.Mode
		want               string
	}{
		{"loops in common", products, product, panels, kir.Strict, ""},
		{"loops in common from memory", products, product, with(panels, func(d *schedule.Decisions) { d.Local = 0 }), kir.Strict, ""},
		{"loops in common and words", products, product, with(panels, func(d *schedule.Decisions) { d.Dot4 = 1 }), kir.Strict, "leaves nothing to other decisions"},
		{"loops in common directly", products, product, with(panels, func(d *schedule.Decisions) { d.Local = schedule.Direct }), kir.Strict, "leaves nothing to other decisions"},
		{"loops in common without tiles", products, product, schedule.Decisions{Panels: 8}, kir.Strict, "stands with tile and item"},
		{"loops in common of many", products, product, with(panels, func(d *schedule.Decisions) { d.Tile, d.Item = [2]int{320, 32}, [2]int{32, 16} }), kir.Strict, "not written out"},
		{"panels for too many items", products, product, with(panels, func(d *schedule.Decisions) { d.Panels = 3 }), kir.Strict, "not shared out equally"},
		{"panels without room", products, product, with(panels, func(d *schedule.Decisions) { d.Tile, d.Item, d.Panels = [2]int{512, 512}, [2]int{16, 16}, 64 }), kir.Strict, "bytes of local memory"},
		{"panels of points", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b b[y][x] = a[y][x];", panels, kir.Strict, "no reduction in a loop"},
		{"panels of sums of what all read", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b b[y][x] = sum(a[0][k] for k in 0:W);", panels, kir.Strict, "nothing that panels"},
		{"steps that share reductions", "in a: f32[N][N], inout r: f32[N]", "iterate (i) over r scan(i) r[i] = max(a[i][k]*r[k] for k in 0:i);", schedule.Decisions{Steps: 64}, kir.Strict, ""},
		{"steps that add floats", "in a: f32[N][N], inout r: f32[N]", "iterate (i) over r scan(i) r[i] = sum(a[i][k]*r[k] for k in 0:i);", schedule.Decisions{Steps: 64}, kir.Strict, "strict mode fixes the order"},
		{"steps of odd groups", "in a: f32[N][N], inout r: f32[N]", "iterate (i) over r scan(i) r[i] = max(a[i][k]*r[k] for k in 0:i);", schedule.Decisions{Steps: 48}, kir.Strict, "no power of two"},
		{"steps without reductions", "inout r: f32[N]", "iterate (i) over r scan(i) r[i] = i > 0 ? r[i-1] : 0;", schedule.Decisions{Steps: 64}, kir.Strict, "no reduction whose points"},
		{"small images", "in a: u8[H][W], out b: u8[H][W]", blur, with(halves, func(d *schedule.Decisions) { d.Small = 100 }), kir.Strict, ""},
		{"small images of single instances", "in a: u8[H][W], out b: u8[H][W]", blur, schedule.Decisions{Small: 100}, kir.Strict, "of several instances"},
		{"small images in local memory", "in a: u8[H][W], out b: u8[H][W]", blur, with(shared, func(d *schedule.Decisions) { d.Small = 100 }), kir.Strict, "compute blocks by themselves"},
		{"matrix units", "in a: u8[H][W], out b: u8[H][W]", blur, matrix, kir.Strict, ""},
		{"matrix units and room for groups", "in a: u8[H][W], out b: u8[H][W]", blur, with(matrix, func(d *schedule.Decisions) { d.Resident = 8 }), kir.Strict, ""},
		{"matrix units and words", "in a: u8[H][W], out b: u8[H][W]", blur, with(matrix, func(d *schedule.Decisions) { d.Dot4 = 1 }), kir.Strict, "leaves nothing to other decisions"},
		{"matrix units and groups", "in a: u8[H][W], out b: u8[H][W]", blur, with(matrix, func(d *schedule.Decisions) { d.Tile, d.Reduce = [2]int{}, 64 }), kir.Strict, "leaves nothing to other decisions"},
		{"matrix units and rows", "in a: u8[H][W], out b: u8[H][W]", blur, with(matrix, func(d *schedule.Decisions) { d.Rows = 2 }), kir.Strict, "leaves nothing to other decisions"},
		{"matrix units for few columns", "in a: u8[H][W], out b: u8[H][W]", blur, with(matrix, func(d *schedule.Decisions) { d.Item[0] = 2 }), kir.Strict, "items of 4 n columns and 2 m rows"},
		{"matrix units for a part of a subgroup", "in a: u8[H][W], out b: u8[H][W]", blur, with(matrix, func(d *schedule.Decisions) { d.Tile[0] = 16 }), kir.Strict, "items of 4 n columns and 2 m rows"},
		{"matrix units for u16", "in a: u16[H][W], out b: u8[H][W]", blur, matrix, kir.Strict, "single bytes"},
		{"matrix units for large weights", "in a: u8[H][W], out b: i32[H][W]", "iterate (y, x) over b border clamp b[y][x] = convolve([[300, 1], [1, 1]], a[y][x]);", matrix, kir.Strict, "constants of 8 bits"},
		{"matrix units for points", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over b b[y][x] = a[y][x];", matrix, kir.Strict, "constants of 8 bits"},
		{"matrix units for large tiles", "in a: u8[H][W], out b: u8[H][W]", blur, with(matrix, func(d *schedule.Decisions) { d.Tile, d.Item = [2]int{256, 256}, [2]int{16, 8} }), kir.Strict, "local memory"},
		{"row sums", "in a: f32[H][W], out r: f32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", team, kir.Contract, ""},
		{"order of floats", "in a: f32[H][W], out r: f32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", team, kir.Strict, "strict mode fixes the order"},
		{"order of integers", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", team, kir.Strict, ""},
		{"greatest float", "in a: f32[H][W], out r: f32[H]", "iterate (y) over r r[y] = max(a[y][x] for x in 0:W);", team, kir.Strict, ""},
		{"no power of two", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Reduce: 48}, kir.Strict, "no power of two"},
		{"the last group", "in a: i32[H][W], out r: i32[1]", "iterate (i) over r r[i] = sum(a[y][x] for y in 0:H, x in 0:W);", schedule.Decisions{Reduce: 64, Last: 1}, kir.Strict, ""},
		{"the last of several groups", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Reduce: 64, Last: 1}, kir.Strict, "more than one instance"},
		{"the last of copies", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a h[a[y][x]] += 1u;", schedule.Decisions{Copies: [3]int{8, 64, 4}, Last: 1}, kir.Strict, ""},
		{"the last in turn", "in a: i32[H][W], out r: i32[300]", "iterate (i) over r r[i] = a[0][i % W];", schedule.Decisions{Last: 1}, kir.Strict, ""},
		{"the last of many", "in a: i32[H][W], out r: i32[H][W]", "iterate (y, x) over r r[y][x] = a[y][x];", schedule.Decisions{Last: 1}, kir.Strict, "not known to have at most"},
		{"the last of blocks", "in a: i32[H][W], out r: i32[300]", "iterate (i) over r r[i] = a[0][i % W];", schedule.Decisions{Item: [2]int{4}, Last: 1}, kir.Strict, "whose reductions a group shares"},
		{"the last with updates", "in a: i32[H][W], inout r: i32[300]", "iterate (i) over r r[i] += a[0][i % W];", schedule.Decisions{Last: 1}, kir.Strict, "it updates pixels"},
		{"the last of lines", "inout r: i32[H][300]", "iterate (y, i) over r scan(i) border constant(0) r[y][i] = r[y][i-1] + r[y][i];", schedule.Decisions{Prefix: 64, Last: 1}, kir.Strict, "more than one line"},
		{"the last of steps", "inout r: i32[300]", "iterate (i) over r scan(i) border constant(0) r[i] = r[i-1] / 2 + r[i];", schedule.Decisions{Last: 1}, kir.Strict, "step by step"},
		{"few points", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r border clamp r[y] = sum(a[y][x] for x in 0:5);", team, kir.Strict, "no reduction whose points"},
		{"place of the greatest", "in a: i32[H][W], out r: i32[H], out at: i32[H]", "iterate (y) over r { r[y] = max(a[y][x] for x in 0:W); at[y] = argmax(a[y][x] for x in 0:W); }", team, kir.Strict, ""},
		{"median beside", "in a: i32[H][W], out r: i32[H], out at: i32[H]", "iterate (y) over r { r[y] = max(a[y][x] for x in 0:W); at[y] = median(a[y][x] for x in 0:100); }", team, kir.Strict, "another long reduction"},
		{"neighbours", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Reduce: 64, Item: [2]int{8}}, kir.Strict, ""},
		{"odd neighbours", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Reduce: 64, Item: [2]int{6}}, kir.Strict, "a power of two of them"},
		{"every second", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W:2);", schedule.Decisions{Reduce: 64, Item: [2]int{8}}, kir.Strict, "leaves out instances"},
		{"few columns", "in a: i32[H][W], out r: i32[1]", "iterate (i) over r border clamp r[i] = sum(a[y][x] for y in 0:H, x in 0:7);", schedule.Decisions{Reduce: 64, Item: [2]int{8}}, kir.Strict, "the last variable of a reduction has few values"},
		{"neighbouring pixels of a histogram", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a h[a[y][x]] += 1u;", schedule.Decisions{Copies: [3]int{8, 64, 4}, Item: [2]int{16}}, kir.Strict, ""},
		{"under a condition", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = y > 3 ? sum(a[y][x] for x in 0:W) : 0;", team, kir.Strict, "no reduction whose points"},
		{"with a var", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r { var s = sum(a[y][x] for x in 0:W); s += 1; r[y] = s; }", team, kir.Strict, "changes variables"},
		{"crowded", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Reduce: 256, Resident: 9}, kir.Strict, "no unit of a device has room for 9 groups of 256 work-items"},
		{"both", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = 0;", schedule.Decisions{Reduce: 64, Tile: [2]int{64, 1}}, kir.Strict, "exclude each other"},
		{"histogram", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a h[a[y][x]] += 1u;", copies, kir.Strict, ""},
		{"tiles in turn", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a border clamp h[max(a[y-1:3][x])] += 1u;", inTurn, kir.Strict, ""},
		{"tiles of fewer items", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a h[a[y][x]] += 1u;", with(inTurn, func(d *schedule.Decisions) { d.Tile[1] = 4 }), kir.Strict, "have 64 work-items, and its tile takes 32"},
		{"tiles of single instances", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a h[a[y][x]] += 1u;", with(inTurn, func(d *schedule.Decisions) { d.Tile, d.Item = [2]int{16, 4}, [2]int{} }), kir.Strict, "work-items of several instances"},
		{"tiles in turn in words", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a border clamp h[max(a[y-1:3][x])] += 1u;", with(inTurn, func(d *schedule.Decisions) { d.Packed16 = 1 }), kir.Strict, ""},
		{"what is at hand under a condition", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a border clamp { let m = max(a[y-1:3][x]); if (m > 9) h[m] += 1u; }", with(inTurn, func(d *schedule.Decisions) { d.Packed16 = 1 }), kir.Strict, ""},
		{"what is computed under a condition", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a border clamp { let m = max(a[y-1:3][x]); if (m > 9) h[100 / m] += 1u; }", with(inTurn, func(d *schedule.Decisions) { d.Packed16 = 1 }), kir.Strict, "packed16 is for bodies"},
		{"small bins", "in a: u8[H][W], out h: u8[256]", "iterate (y, x) over a h[a[y][x]] += u8(1);", copies, kir.Strict, ""},
		{"too many bins", "in a: u16[H][W], out h: u32[65536]", "iterate (y, x) over a h[a[y][x]] += 1u;", copies, kir.Strict, "32768 is the most"},
		{"parts of bins", "in a: u16[H][W], out h: u32[65536]", "iterate (y, x) over a h[a[y][x]] += 1u;", parts, kir.Strict, ""},
		{"large parts of bins", "in a: u16[H][W], out h: u32[65536]", "iterate (y, x) over a h[a[y][x]] += 1u;", with(parts, func(d *schedule.Decisions) { d.Parts = 4 }), kir.Strict, "its copies take 65536 bytes"},
		{"parts for some groups", "in a: u16[H][W], out h: u32[65536]", "iterate (y, x) over a h[a[y][x]] += 1u;", with(parts, func(d *schedule.Decisions) { d.Parts = 9 }), kir.Strict, "its 16 groups are no multiple of the 9 parts"},
		{"parts without copies", "in a: u16[H][W], out h: u32[65536]", "iterate (y, x) over a h[a[y][x]] += 1u;", schedule.Decisions{Parts: 8}, kir.Strict, "for groups that update copies"},
		{"parts beside what is stored", "in a: u16[H][W], out h: u32[65536], out b: u16[H][W]", "iterate (y, x) over a { h[a[y][x]] += 1u; b[y][x] = a[y][x]; }", parts, kir.Strict, "writes other pixels"},
		{"bins of the caller's number", "in a: u8[H][W], in n: i32, inout h: u32[n]", "iterate (y, x) over a border(h: skip) h[a[y][x]] += 1u;", copies, kir.Strict, "no constants"},
		{"too many copies", "in a: u8[H][W], out h: u32[4096]", "iterate (y, x) over a h[a[y][x]] += 1u;", copies, kir.Strict, "32768 is the most"},
		{"64 bits", "in a: u8[H][W], out h: i64[256]", "iterate (y, x) over a h[a[y][x]] -= i64(a[y][x]);", copies, kir.Strict, ""},
		{"much in 64 bits", "in a: u8[H][W], in b: i64[H][W], out h: i64[256]", "iterate (y, x) over a h[a[y][x]] += b[y][x];", copies, kir.Strict, "not known to be small"},
		{"64 bits in a loop", "in a: u8[H][W], in n: i32, out h: i64[256]", "iterate (y, x) over a for (k in 0:n) h[a[y][x]] += 1;", copies, kir.Strict, "not known to be small"},
		{"least of 64 bits", "in a: u8[H][W], out h: i64[256]", "iterate (y, x) over a h[a[y][x]] max= i64(a[y][x]);", copies, kir.Strict, "something else than + and -"},
		{"floats where results are exact", "in a: u8[H][W], out h: f32[36]", "iterate (y, x) over a h[a[y][x] % 36] += 1.0;", ownCopies, kir.Strict, "strict mode"},
		{"floats", "in a: u8[H][W], out h: f32[36]", "iterate (y, x) over a h[a[y][x] % 36] += 1.0;", ownCopies, kir.Contract, ""},
		{"extremes of floats", "in a: u8[H][W], out h: f32[36]", "iterate (y, x) over a h[a[y][x] % 36] max= f32(x);", ownCopies, kir.Strict, ""},
		{"floats in copies of several items", "in a: u8[H][W], out h: f32[36]", "iterate (y, x) over a h[a[y][x] % 36] += 1.0;", copies, kir.Contract, "a copy of its own"},
		{"long floats", "in a: u8[H][W], out h: f64[36]", "iterate (y, x) over a h[a[y][x] % 36] += 1.0;", ownCopies, kir.Contract, "neither integers nor floats of 32 bits"},
		{"products", "in a: u8[H][W], inout h: u32[256]", "iterate (y, x) over a h[a[y][x]] *= 3u;", copies, kir.Strict, "something else than"},
		{"no update", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over a b[y][x] = a[y][x];", copies, kir.Strict, "it updates no image"},
		{"large group", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a h[a[y][x]] += 1u;", schedule.Decisions{Copies: [3]int{1, 2048, 1}}, kir.Strict, "at most 1024"},
		{"rows", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over a b[y][x] = a[y][x];", rows, kir.Strict, ""},
		{"rows of blocks", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over a b[y][x] = a[y][x];", schedule.Decisions{Rows: 4, Item: [2]int{4, 1}}, kir.Strict, "leave nothing to other decisions"},
		{"rows of a line", "in a: u8[W], out b: u8[W]", "iterate (x) over a b[x] = a[x];", rows, kir.Strict, "it has one row"},
		{"rows of a scan", "in a: u8[H][W], inout b: i32[H][W]", "iterate (y, x) over a scan(x) border constant(0) b[y][x] = b[y][x-1] + a[y][x];", rows, kir.Strict, "one after the other"},
		{"neighbours", "in a: u8[H][W], out b: u8[H][W]", blur, wide, kir.Strict, ""},
		{"steps of lines that are apart", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border clamp scan(x) c[y][x] = a[y][x] * c[y][x-1] / 2;", schedule.Decisions{Steps: 64}, kir.Strict, "touch no pixel together"},
		{"steps of no scan", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c c[y][x] = a[y][x];", schedule.Decisions{Steps: 64}, kir.Strict, "it is no scan"},
		{"steps in tiles", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-1][x-1] / 2;", schedule.Decisions{Steps: 64, Tile: [2]int{8}}, kir.Strict, "unroll and resident alone"},
		{"steps", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-1][x-1] / 2;", schedule.Decisions{Steps: 64}, kir.Strict, ""},
		{"trapezoid", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-1][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, ""},
		{"trapezoid of lines that are apart", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border clamp scan(x) c[y][x] = a[y][x] * c[y][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "touch no pixel together"},
		{"trapezoid of no scan", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c  c[y][x] = a[y][x];", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "it is no scan"},
		{"trapezoid in tiles", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-1][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}, Tile: [2]int{8}}, kir.Strict, "unroll and resident alone"},
		{"trapezoid of frames alone", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-1][x-8] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "which leaves none of a group of 64"},
		{"trapezoid of few steps at a time", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-4][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "more than that are to be computed together"},
		{"trapezoid of many components", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-1][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 65}}, kir.Strict, "64 is the most"},
		{"trapezoid of long lines", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = x - c[y-1][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{1024, 8, 64}}, kir.Strict, "bytes of local memory"},
		{"trapezoid around", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border repeat scan(y) c[y][x] = y > 0 ? c[y-1][x-1] : 3;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "may take pixels from anywhere"},
		{"trapezoid with its own pixel", "inout c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = c[y][x] - c[y-1][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, ""},
		{"trapezoid with what it has written", "inout c: i32[H][W], inout d: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) { c[y][x] = c[y-1][x-1] / 2; d[y][x] = c[y][x]; }", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "no step before has written"},
		{"trapezoid with an update", "inout c: i32[H][W], inout n: i32[1]", "iterate (y, x) over c border constant(0) scan(y) { c[y][x] = c[y-1][x-1] / 2; n[0] += 1; }", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "it updates pixels"},
		{"trapezoid of two axes", "out c: i32[D][H][W]", "iterate (z, y, x) over c border constant(0) scan(z) c[z][y][x] = c[z-1][y][x-1] - c[z-1][y-1][x];", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "neighbours along two axes"},
		{"trapezoid of some columns", "inout c: i32[H][W]", "iterate (y in 1:H, x in 1:W) over c scan(y) c[y][x] = c[y-1][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, ""},
		{"trapezoid of every second row", "inout c: i32[H][W]", "iterate (y in 2:H:2, x) over c border constant(0) scan(y) c[y][x] = c[y-2][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "leaves out pixels"},
		{"trapezoid by data", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) c[y][x] = a[y][x] - c[y-1][x - abs(a[y][x])%2];", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "no constant distances"},
		{"trapezoid under a condition", "in a: i32[H][W], out c: i32[H][W]", "iterate (y, x) over c border constant(0) scan(y) if (a[y][x] > 0) c[y][x] = a[y][x] - c[y-1][x-1] / 2;", schedule.Decisions{Trapezoid: [3]int{64, 8, 4}}, kir.Strict, "under a condition"},
		{"neighbours that look up", "in a: u8[H][W], in t: u8[256], out b: u8[H][W]", "iterate (y, x) over a b[y][x] = t[a[y][x]];", wide, kir.Strict, ""},
		{"neighbours in loops", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over a { var n = 0; while (n < a[y][x]) n += 3; b[y][x] = u8(n); }", wide, kir.Strict, "loops or branches"},
		{"the greatest, side by side", "in a: i32[H][W], inout most: i32[2]", "iterate (y, x) over a most[1] max= a[y][x];", wide, kir.Strict, ""},
		{"floats that are added, side by side", "in a: f32[H][W], inout s: f32[2]", "iterate (y, x) over a s[1] += a[y][x];", wide, kir.Contract, ""},
		{"floats that are added in order", "in a: f32[H][W], inout s: f32[2]", "iterate (y, x) over a s[1] += a[y][x];", wide, kir.Strict, "updates pixels"},
		{"a flag, side by side", "in a: i32[H][W], inout m: bool[2]", "iterate (y, x) over a m[1] |= a[y][x] > 9;", wide, kir.Strict, ""},
		{"copies beside a sum of floats", "in a: u8[H][W], inout h: u32[256], inout s: f32[1]", "iterate (y, x) over a { h[a[y][x]] += 1u; s[0] += f32(a[y][x]); }", copies, kir.Contract, "a copy of its own"},
		{"copies behind a sum of floats", "in a: u8[H][W], inout h: u32[256], inout s: f32[1]", "iterate (y, x) over a { s[0] += f32(a[y][x]); h[a[y][x]] += 1u; }", copies, kir.Contract, "a copy of its own"},
		{"copies of a flag", "in a: i32[H][W], inout m: bool[2]", "iterate (y, x) over a m[1] |= a[y][x] > 9;", copies, kir.Strict, "it updates no image"},
		{"neighbours that count", "in a: u8[H][W], out h: u32[256]", "iterate (y, x) over a h[a[y][x]] += 1u;", wide, kir.Strict, "updates pixels"},
		{"lanes without rows", "in a: u8[H][W], out b: u8[H][W]", blur, schedule.Decisions{Lanes: 16}, kir.Strict, "reductions over many neighbours"},
		{"sums side by side", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Tile: [2]int{1}, Lanes: 16}, kir.Strict, ""},
		{"sums of floats side by side", "in a: f32[H][W], out r: f32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Lanes: 16}, kir.Contract, ""},
		{"sums of floats in order", "in a: f32[H][W], out r: f32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Lanes: 16}, kir.Strict, "one after the other"},
		{"sums along columns", "in a: i32[H][W], out r: i32[W]", "iterate (x) over r r[x] = sum(a[y][x] for y in 0:H);", schedule.Decisions{Lanes: 16}, kir.Strict, "more than 32 bits"},
		{"sums of few", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r border clamp r[y] = sum(a[y][x] for x in 0:63);", schedule.Decisions{Lanes: 16}, kir.Strict, "many neighbours"},
		{"sums side by side by a group", "in a: i32[H][W], out r: i32[H]", "iterate (y) over r r[y] = sum(a[y][x] for x in 0:W);", schedule.Decisions{Reduce: 64, Lanes: 16}, kir.Strict, "tile, unroll and last"},
		{"seven lanes", "in a: u8[H][W], out b: u8[H][W]", blur, schedule.Decisions{Rows: 1, Lanes: 7}, kir.Strict, "not 7"},
		{"separable", "in a: u8[H][W], out b: u8[H][W]", blur, separate, kir.Strict, ""},
		{"separable floats", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b border clamp b[y][x] = convolve([[0.1, 0.2], [0.2, 0.4]], a[y][x]);", separate, kir.Contract, "no sum over a mask"},
		{"separable floats in order", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b border clamp b[y][x] = convolve([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]], a[y][x]);", separate, kir.Strict, "no sum over a mask"},
		{"not separable", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over b border clamp b[y][x] = median(a[y-1 : 3][x-1 : 3]);", separate, kir.Strict, "no sum over a mask"},
		{"greatest of a rectangle", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over b border clamp b[y][x] = max(a[y-1 : 3][x-1 : 3]);", separate, kir.Strict, ""},
		{"lines", "in a: u8[H][W], out b: u8[H][W]", blur, line, kir.Strict, ""},
		{"lines of the greatest", "in a: u8[2*H][2*W], out b: u8[H][W]", "iterate (y, x) over b border clamp b[y][x] = max(a[2*y-1 : 3][2*x-1 : 3]);", line, kir.Strict, ""},
		{"lines of a mask that is no product", "in a: u8[H][W], out b: i32[H][W]", "iterate (y, x) over b border clamp b[y][x] = convolve([[1, 2], [3, 5]], a[y][x]);", line, kir.Strict, "a column and a row"},
		{"lines of what depends on the column", "in a: u8[H][W], out b: i32[H][W]", "iterate (y, x) over b border clamp b[y][x] = sum([[1, 2], [2, 4]][j][i] * (x * a[y + j][x + i]) for j in 0:2, i in 0:2);", line, kir.Strict, "for every instance"},
		{"lines under a condition", "in a: u8[H][W], out b: i32[H][W]", "iterate (y, x) over b border clamp b[y][x] = x > 5 ? convolve([[1, 2], [2, 4]], a[y][x]) : 0;", line, kir.Strict, "for every instance"},
		{"lines and sums along rows", "in a: u8[H][W], out b: u8[H][W]", blur, with(line, func(d *schedule.Decisions) { d.RowSums = 1 }), kir.Strict, "not by both"},
		{"blocks", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b border clamp b[y][x] = convolve([[0.1, 0.0], [0.3, 0.4]], a[y][x]);", blocks, kir.Strict, ""},
		{"blocks of the greatest", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over b border clamp b[y][x] = max(a[y-1 : 3][x-1 : 3]);", blocks, kir.Strict, ""},
		{"blocks of every second", "in a: f32[2*H][2*W], out b: f32[H][W]", "iterate (y, x) over b border clamp b[y][x] = convolve([[0.1, 0.2], [0.3, 0.4]], a[2*y][2*x]);", blocks, kir.Strict, "around the pixels"},
		{"blocks of what depends on the row", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b border clamp b[y][x] = sum(f32(y) * a[y + j][x + i] for j in 0:2, i in 0:2);", blocks, kir.Strict, "around the pixels"},
		{"blocks of parts of lanes", "in a: u8[H][W], out b: u8[H][W]", blur, with(blocks, func(d *schedule.Decisions) { d.Block = 24 }), kir.Strict, "no multiple of 16"},
		{"blocks of many columns", "in a: u8[H][W], out b: u8[H][W]", blur, with(blocks, func(d *schedule.Decisions) { d.Rows, d.Block = 8, 256 }), kir.Strict, "is the most"},
		{"blocks and lines", "in a: u8[H][W], out b: u8[H][W]", blur, with(blocks, func(d *schedule.Decisions) { d.Line = 64 }), kir.Strict, "do not take apart"},
		{"lines without lanes", "in a: u8[H][W], out b: u8[H][W]", blur, schedule.Decisions{Rows: 1, Line: 64}, kir.Strict, "where lanes are decided"},
		{"lines of parts of lanes", "in a: u8[H][W], out b: u8[H][W]", blur, schedule.Decisions{Rows: 1, Lanes: 16, Line: 24}, kir.Strict, "no multiple of 16"},
		{"bytes in halves", "in a: u8[H][W], out b: u8[H][W]", blur, halves, kir.Strict, ""},
		{"integers in halves", clamped, "iterate (y, x) over b border clamp b[y][x] = a[y][x-1] + a[y][x+1];", halves, kir.Strict, "read single bytes"},
		{"colours in halves", "in a: u8x3[H][W], out b: u8x3[H][W]", "iterate (y, x) over b border clamp b[y][x] = u8x3(max(a[y][x-1], a[y][x+1]));", halves, kir.Strict, ""},
		{"colours exchanged in halves", "in a: u8x3[H][W], out b: u8x3[H][W]", "iterate (y, x) over b border clamp b[y][x] = u8x3(max(a[y][x-1], a[y][x+1].zyx));", halves, kir.Strict, "packed16 is for"},
		{"colours by columns in halves", "in a: u8x3[H][W], out b: u8x3[H][W]", "iterate (y, x) over b border clamp b[y][x] = u8x3(max(i32x3(a[y][x-1]), i32x3(x)));", halves, kir.Strict, "packed16 is for"},
		{"a var in halves", "in a: u8[H][W], out b: u8[H][W]", "iterate (y, x) over b border clamp { var n = i32(a[y][x-1]); n += a[y][x+1]; b[y][x] = u8(n / 2); }", halves, kir.Strict, "nothing else"},
		{"one instance in halves", "in a: u8[H][W], out b: u8[H][W]", blur, schedule.Decisions{Packed16: 1}, kir.Strict, "of several instances"},
		{"rows", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);", stream, kir.Strict, ""},
		{"local memory", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);", shared, kir.Strict, ""},
		{"a look-up in local memory", "in a: u8[H][W], in t: u8[256], out b: u8[H][W]", "iterate (y, x) over a b[y][x] = t[a[y][x]];", shared, kir.Strict, "reads nothing that others around an instance"},
		{"nothing for local memory", "in a: i32[H][W], out b: i32[H][W]", "iterate (y, x) over b b[y][x] = x - y;", shared, kir.Strict, "reads nothing that others around an instance"},
		{"much local memory", "in a: f64[4*H][4*W], out b: f64[H][W]", "iterate (y, x) over b border clamp b[y][x] = a[4*y - 9][4*x + 9];", shared, kir.Strict, "bytes of local memory"},
		{"local memory by rows", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(shared, func(d *schedule.Decisions) { d.Stream = 2 }), kir.Strict, "go down all rows of its tile"},
		{"down the rows", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);", down, kir.Strict, ""},
		{"down the rows, an odd number ahead", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(down, func(d *schedule.Decisions) { d.Stream = 3 }), kir.Strict, "an even number"},
		{"down the rows, directly", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(down, func(d *schedule.Decisions) { d.Local = schedule.Direct }), kir.Strict, "direct and sweep exclude stream"},
		{"down the rows of one", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y][x + d] for d in -2:3);", down, kir.Strict, "nothing in it reads several rows"},
		{"down the rows of a window", clamped, "iterate (y, x) over b border clamp b[y][x] = a[y - 1][x] + a[y + 1][x];", down, kir.Strict, "other than in sums row by row"},
		{"down the rows, and some of those that have been", clamped, "iterate (y, x) over b border clamp b[y][x] = a[y][x + 1] - sum(a[y + d][x] for d in -2:3);", down, kir.Strict, "left them behind"},
		{"local memory for a team", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			schedule.Decisions{Reduce: 64, Local: schedule.Shared}, kir.Strict, "in blocks, that is by tile and item"},
		{"a stage alone, directly", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(shared, func(d *schedule.Decisions) { d.Local = schedule.Direct }), kir.Strict, "no stage that is fused with it"},
		{"inside of images", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			schedule.Decisions{Tile: [2]int{16, 8}, Item: [2]int{4, 4}, Interior: 1}, kir.Strict, ""},
		{"runs of one", "in a: i32[4*H][4*W], out b: i32[H][W]", "iterate (y, x) over b b[y][x] = sum(a[4*y : 4][4*x : 4]);",
			schedule.Decisions{Tile: [2]int{16, 8}, Vector: 16, Runs: 1}, kir.Strict, ""},
		{"runs of several", "in a: i32[4*H][4*W], out b: i32[H][W]", "iterate (y, x) over b b[y][x] = sum(a[4*y : 4][4*x : 4]);",
			schedule.Decisions{Tile: [2]int{16, 8}, Item: [2]int{2, 1}, Runs: 1}, kir.Strict, "runs is for work-items of one instance"},
		{"runs for a team", "in a: i32[4*H][4*W], out b: i32[H][W]", "iterate (y, x) over b b[y][x] = sum(a[4*y : 4][4*x : 4]);",
			schedule.Decisions{Reduce: 64, Runs: 1}, kir.Strict, "runs is for work-items of one instance"},
		{"runs inside of images", "in a: i32[4*H][4*W], out b: i32[H][W]", "iterate (y, x) over b b[y][x] = sum(a[4*y : 4][4*x : 4]);",
			schedule.Decisions{Tile: [2]int{16, 8}, Runs: 1, Interior: 1}, kir.Strict, "runs is for work-items of one instance"},
		{"neighbours by words", "in a: u8[H][W] border clamp, in f: f32, out b: f32[H][W]", "iterate (y, x) over b b[y][x] = sample(a, f32(y)*f, f32(x)*f, linear);",
			schedule.Decisions{Tile: [2]int{16, 8}, Words: 1}, kir.Strict, ""},
		{"neighbours by words, in a condition", "in a: u16x3[H][W] border clamp, in at: i32[H][W], out b: u16x3[H][W]", "iterate (y, x) over b if (at[y][x] > 5) { let u = at[y][x]; b[y][x] = u16x3((a[y][u] + a[y][u+1]) / 2); }",
			schedule.Decisions{Tile: [2]int{16, 8}, Words: 1}, kir.Strict, ""},
		{"neighbours by words, of floats", "in a: f32[H][W] border clamp, in f: f32, out b: f32[H][W]", "iterate (y, x) over b b[y][x] = sample(a, f32(y)*f, f32(x)*f, linear);",
			schedule.Decisions{Tile: [2]int{16, 8}, Words: 1}, kir.Strict, "and it reads none"},
		{"neighbours by words, at known places", "in a: u8[H][W] border clamp, out b: u8[H][W]", "iterate (y, x) over b b[y][x] = max(a[y][x], a[y][x+1]);",
			schedule.Decisions{Tile: [2]int{16, 8}, Words: 1}, kir.Strict, "and it reads none"},
		{"neighbours by words, by rows", "in a: u8[H][W] border clamp, in f: f32, out b: f32[H][W]", "iterate (y, x) over b b[y][x] = sample(a, f32(y)*f, f32(x)*f, linear);",
			schedule.Decisions{Rows: 2, Words: 1}, kir.Strict, "load what they read for themselves"},
		{"layers of planes", "in a: i32[3][H][W], out b: i32[3][H][W]", "iterate (z, y, x) over b b[z][y][x] = a[z][y][x];",
			schedule.Decisions{Tile: [2]int{16, 8}, Item: [2]int{4, 4}, Layers: 1}, kir.Strict, ""},
		{"layers of one plane", clamped, "iterate (y, x) over b border clamp b[y][x] = a[y][x];", schedule.Decisions{Layers: 1}, kir.Strict, "fewer than three"},
		{"layers of one line", "in a: i32[3][H][W], out b: i32[3][H][W]", "iterate (z, y, x) over b b[z][y][x] = a[z][y][x];",
			schedule.Decisions{Tile: [2]int{16, 1}, Item: [2]int{4, 1}, Flat: 1, Layers: 1}, kir.Strict, "has no layers"},
		{"inside of images, row by row", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(stream, func(d *schedule.Decisions) { d.Interior = 1 }), kir.Strict, "interior is for"},
		{"a loop over rows", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(stream, func(d *schedule.Decisions) { d.Rolled = 9 }), kir.Strict, ""},
		{"a window", clamped, "iterate (y, x) over b border clamp b[y][x] = a[y][x] - max(a[y - 1 : 3][x - 1 : 3]);", stream, kir.Strict, ""},
		{"columns first", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + e][x + d] for d in -2:3, e in 0:3);", stream, kir.Strict, "no sum whose points come row by row"},
		{"other pixels in a sum", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] - a[y][x] for d in -2:3);", stream, kir.Strict, "no sum whose"},
		{"a sum that is not always there", clamped, "iterate (y, x) over b border clamp b[y][x] = y > 3 ? sum(a[y + d][x] for d in -2:3) : 0;", stream, kir.Strict, "no sum whose"},
		{"every other row", "in a: i32[2*H][W], out b: i32[H][W]", "iterate (y, x) over b border clamp b[y][x] = sum(a[2*y + d][x] for d in -2:3);", stream, kir.Strict, "no sum whose"},
		{"one line", "in a: i32[N], out b: i32[N]", "iterate (x) over b border clamp b[x] = sum(a[x + d] for d in -2:3);", schedule.Decisions{Tile: [2]int{16}, Item: [2]int{4}, Stream: 2}, kir.Strict, "one row"},
		{"rolled alone", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(stream, func(d *schedule.Decisions) { d.Stream, d.Rolled = 0, 1 }), kir.Strict, "rolled is for"},
		{"as one line", clamped, "iterate (y, x) over b border clamp b[y][x] = sum(a[y + d][x] for d in -2:3);",
			with(stream, func(d *schedule.Decisions) { d.Flat = 1 }), kir.Strict, "excludes flat"},
	} {
		var diags diag.List
		p := sema.Check(parser.Parse(source.NewFile("t.img", "pipeline p("+c.params+") { "+c.body+" }"), &diags), sema.Options{}, &diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		why := lower.Refuse(p.Pipelines[0].Steps[0].(*hast.Stage), c.d, c.mode)
		if c.want == "" && why != "" || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", c.name, why, c.want)
		}
	}
}

func TestLastGroupsAreRefusedWithAReason(t *testing.T) {
	before, team := &hast.Stage{Name: "part", Space: hast.Space{Vars: []*hast.Var{{}}, Ranges: []hast.Range{{Lo: hast.Int(0), Hi: hast.Int(1000), Step: 1}}}}, schedule.Decisions{Reduce: 64}
	last, copies := schedule.Decisions{Reduce: 64, Last: 1}, schedule.Decisions{Copies: [3]int{8, 64, 4}}
	for _, c := range []struct {
		before   *hast.Stage
		first, d schedule.Decisions
		want     string
	}{
		{nil, team, team, ""},
		{before, team, last, ""},
		{before, copies, last, ""},
		{nil, team, last, "no stage comes directly before"},
		{before, schedule.Decisions{}, last, "part, which comes before it, is not decided"},
		{before, schedule.Decisions{Reduce: 128}, last, "have 128 work-items, not 64"},
		{before, last, last, "by a last group itself"},
		{before, schedule.Decisions{Lanes: 16, Tile: [2]int{8}}, schedule.Decisions{Last: 1}, ""},
		{before, schedule.Decisions{Lanes: 16, Tile: [2]int{16}}, schedule.Decisions{Last: 1}, "not decided"}, // the last items leave early
		{before, schedule.Decisions{Copies: [3]int{8, 64, 4}, Last: 1}, schedule.Decisions{Last: 1}, ""},
		{before, copies, schedule.Decisions{Prefix: 128, Last: 1}, "have 64 work-items, not 128"},
	} {
		if why := lower.RefuseBehind(c.before, &hast.Stage{}, c.first, c.d); (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%+v behind %+v: %q, want %q", c.d, c.first, why, c.want)
		}
	}
}

func TestFillsByLastGroupsAreRefusedWithAReason(t *testing.T) {
	const params = "in a: u8[H][W], inout h: u32[256], inout l: u8x2[16], inout f: f32[16], inout b: u8[H][W]"
	const count = " iterate (y, x) over a h[a[y][x]] += 1u;"
	for _, c := range []struct{ body, want string }{
		{"h = 3;" + count, ""},
		{"h = [u32(i) for i];" + count, ""},
		{"h = 0; b = 1; l = [u8x2(u8(i), 1) for i];" + count, ""},
		{"h = 0; l = 0; iterate (y, x) over a { h[a[y][x]] += 1u; l[a[y][x] / 16] max= u8x2(a[y][x]); b[y][x] = 0; }", ""},
		{count, "no stage directly before it fills h"},
		{"h = 0; iterate (y, x) over a { h[a[y][x]] += 1u; l[a[y][x] / 16] max= u8x2(a[y][x]); }", "fills l"},
		{"h = 0; h[3] = 1;" + count, "fills h"},
		{"h[0 : 255] = 0;" + count, "fills h"},
		{"h = [u32(a[0][i % W]) for i];" + count, "computed without memory"},
		{"h = 0; b = a;" + count, "fills h"},
		{"h = 0; let n = max(a);" + count, "fills h"},
		{"h = 0; for (n in 0:3) {" + count + " }", "fills h"},
		{"for (n in 0:3) { h = 0;" + count + " }", ""},
		{"h = 0; iterate (i) over h h[i] += 1u;", "it updates no image"},
		{"f = 0; iterate (y, x) over a f[a[y][x] / 16] += 1.0;", "not joined as whole numbers"},
	} {
		var diags diag.List
		p := sema.Check(parser.Parse(source.NewFile("t.img", "pipeline p("+params+") { "+c.body+" }"), &diags), sema.Options{}, &diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.body, diags.Sorted()[0].Message)
		}
		why := "no stage"
		hast.WalkStages(p.Pipelines[0].Steps, func(before []hast.Step, s *hast.Stage) {
			why = lower.RefuseLast(p.Pipelines[0].Steps, before, s, func(string) schedule.Decisions { return schedule.Decisions{Copies: [3]int{1, 64, 4}, Last: 1} })
		})
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", c.body, why, c.want)
		}
	}
}

// TestLastGroupsSeeWhatIsPassedOn has languages in which groups see only some of what others have written.
func TestLastGroupsSeeWhatIsPassedOn(t *testing.T) {
	team := schedule.Decisions{Reduce: 64}
	last := schedule.Decisions{Reduce: 64, Last: 1}
	const sums = "iterate (i) over p p[i] = sum(a[y][x] + i for y in 0:H, x in 0:W); iterate (i) over r r[i] = "
	for _, c := range []struct{ params, body, want string }{
		{"in a: i32[H][W], inout p: f64[8], out r: f64[1]", sums + "max(p[j] for j in 0:8);", ""},
		{"in a: i32[H][W], inout p: i16[8], out r: i16[1]", strings.Replace(sums, "sum(a[y][x] + i ", "max(i16(a[y][x]) ", 1) + "max(p[j] for j in 0:8);", "writes pixels of i16"},
		{"in a: i32[H][W], inout p: f32x2[8], out r: f32[1]", strings.Replace(sums, "a[y][x] + i", "f32x2(a[y][x], i)", 1) + "max(p[j].x for j in 0:8);", ""},
		{"inout a: i32[H][W], inout p: i32[8], out r: i32[1]", sums + "max(p[j] for j in 0:8); iterate (i) over r a[i][i] = max(p[j] for j in 0:8);", "reads a, which is written"},
		{"in a: i32[H][W], inout p: i32[8], out r: i32[1]", strings.Replace(sums, "p[i] =", "p[i] = p[i] +", 1) + "max(p[j] for j in 0:8);", "reads p, which is written"},
		{"in a: i32[H][W], inout p: i32[8], out r: i32[1]", strings.Replace(sums, "p[i] =", "p[i] +=", 1) + "max(p[j] for j in 0:8);", "updates p"},
	} {
		var diags diag.List
		p := sema.Check(parser.Parse(source.NewFile("t.img", "pipeline test("+c.params+") { "+c.body+" }"), &diags), sema.Options{}, &diags)
		if p == nil || diags.HasErrors() {
			t.Fatalf("%s: %s", c.body, diags.Sorted()[0].Message)
		}
		steps := p.Pipelines[0].Steps
		before, s := steps[0].(*hast.Stage), steps[len(steps)-1].(*hast.Stage)
		if why := lower.Behind(kir.SharedOrder)(before, s, team, last); (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s; %s: %q, want %q", c.params, c.body, why, c.want)
		}
		if why := lower.Behind(kir.FullOrder)(before, s, team, last); why != "" {
			t.Errorf("%s: %s", c.body, why)
		}
	}
	if lower.Behind(kir.NoOrder) != nil {
		t.Error("there is a last group where there is no order")
	}
}

// TestEndsOfLinesAreToldBeforehand holds what is said of a stage against how many launches it becomes.
func TestEndsOfLinesAreToldBeforehand(t *testing.T) {
	blocks := func(x, y int) schedule.Decisions {
		return schedule.Decisions{Tile: [2]int{16 * x, 4 * y}, Item: [2]int{x, y}, Vector: 16}
	}
	with := func(d schedule.Decisions, change func(*schedule.Decisions)) schedule.Decisions { change(&d); return d }
	const bytes = "in a: u8[H][W], inout b: u8[H][W]"
	mask := "iterate (y, x) over b border RULE b[y][x] = u8(convolve([[1, 2, 1], [2, 4, 2], [1, 2, 1]], a[y][x]) / 16);"
	clamped := strings.ReplaceAll(mask, "RULE", "clamp")
	mosaic := "iterate (y, x) over b border reflect101 b[y][x] = (x + y)%2 == 0 ? u8((a[y - 1][x] + a[y + 1][x])/2) : a[y][x + 1];"
	for _, c := range []struct {
		name, params, body string
		d                  schedule.Decisions
		want               bool
	}{
		{"mask", bytes, clamped, blocks(8, 2), true},
		{"mask by words", bytes, clamped, with(blocks(8, 2), func(d *schedule.Decisions) { d.Dot4 = 1 }), true},
		{"row by row", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b border clamp b[y][x] = convolve([[1, 2, 1], [2, 4, 2], [1, 2, 1]], a[y][x]);",
			with(blocks(4, 4), func(d *schedule.Decisions) { d.Stream = 2 }), true},
		{"one column", bytes, clamped, blocks(1, 4), false},
		{"farther than the block", bytes, "iterate (y, x) over b border reflect101 b[y][x] = max(a[y][x - 9], a[y][x + 9]);", blocks(4, 2), false},
		{"every second pixel", "in a: u8[H][W], out b: u8[(H + 1)/2][(W + 1)/2]", "iterate (y, x) over b border reflect101 b[y][x] = max(a[2*y][2*x - 1], a[2*y + 1][2*x + 1]);", blocks(8, 1), true},
		{"twice as many", "in a: u8[H][W], out b: u8[2*H][2*W]", "iterate (y, x) over b border clamp b[y][x] = max(a[y/2][x/2], a[y/2][x/2 + 1]);", blocks(8, 2), true},
		{"a mosaic by words", bytes, mosaic, with(blocks(8, 2), func(d *schedule.Decisions) { d.Dot4 = 1 }), true},
		{"an array by the row", "in a: u8[3][W], out b: u8[3][W]", "iterate (y, x) over b b[y][x] = u8(a[y][x] * few[y%4] + x%2);", blocks(8, 4), false},
		{"a pixel by the row", bytes + ", in t: u8[4]", "iterate (y, x) over b b[y][x] = u8(a[y][x] * t[y%4]);", blocks(8, 4), false},
		{"in place", bytes, "iterate (y, x) over b border(a: clamp) b[y][x] = u8(b[y][x] + a[y][x - 1]);", blocks(8, 2), true},
		{"pixels of floats", "in a: f32[H][W], out b: f32[H][W]", "iterate (y, x) over b b[y][x] = 2*a[y][x];", blocks(4, 2), false},
		{"pixels of bytes", bytes, "iterate (y, x) over b b[y][x] = u8(a[y][x] ^ 255);", blocks(8, 1), true},
		{"local memory", bytes, clamped, with(blocks(8, 2), func(d *schedule.Decisions) { d.Local = schedule.Shared }), false},
		{"formula", bytes, "iterate (y, x) over b border f b[y][x] = max(a[y][x - 1], a[y][x + 1]);", blocks(8, 2), true},
		{"formula of other lines", bytes, "iterate (y, x) over b border g b[y][x] = max(a[y][x - 1], a[y][x + 1]);", blocks(8, 2), false},
	} {
		text := "border f(s[M][N]) { s[*][-1] = s[*][0]; s[*][+1] = s[*][N - 1]; } else clamp\nborder g(s[M][N]) { s[*][-1] = s[0][0]; s[*][+1] = s[*][N - 1]; } else clamp\nconst few: i32[3] = [5, 7, 9];\npipeline p(" + c.params + ") {\n" + c.body + "\n}"
		diags := &diag.List{}
		p := sema.Check(parser.Parse(source.NewFile("t.img", text), diags), sema.Options{}, diags)
		if p == nil {
			t.Fatalf("%s: %s", c.name, diags.Sorted()[0].Message)
		}
		s := p.Pipelines[0].Steps[len(p.Pipelines[0].Steps)-1].(*hast.Stage)
		if why := lower.Refuse(s, c.d, kir.Strict); why != "" {
			t.Fatalf("%s: %s", c.name, why)
		}
		opts := lower.Defaults()
		opts.Mode, opts.Decide = kir.Strict, func(string, *hast.Stage) schedule.Decisions { return c.d }
		launches := 0
		kir.WalkSteps(lower.Program(p, opts).Pipelines[0].Steps, func(s kir.Step) {
			if l, ok := s.(*kir.Let); ok && strings.HasSuffix(l.Var.Name, "_columns") {
				launches++
			}
		})
		if got := new(lower.Trials).EndsApart(s, c.d, kir.Strict); got != c.want || (launches > 0) != c.want {
			t.Errorf("%s: EndsApart says %t, and columns are shared out %d times; want %t", c.name, got, launches, c.want)
		}
	}
}
