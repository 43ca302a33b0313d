package reductions

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// Sums of bytes in dot products, and of what two bytes make together: what each point adds, and whether blocks of points can be added up that way. Where rows begin so that vectors
// cannot be loaded, and at the end of lines, their points are taken one by one.
var dotted = []struct {
	name, result, value string
	dots                bool
}{
	{"bytes", "i64", "sum(src)", true},
	{"bytes_u64", "u64", "sum(u64(src[y][x]) for (y, x) over src)", true},
	{"bytes_32", "i32", "i32(sum(i32(src[y][x]) for (y, x) over src))", true},
	{"bytes_u32", "u64", "sum(u32(src[y][x]) for (y, x) over src)", true},
	{"weighted", "i64", "sum(100 * i32(src[y][x]) - 7 for (y, x) over src)", true},
	{"differences", "i64", "sum(i32(src[y][x]) - src[y][x + 1] for y in 0:H, x in 0:W - 1)", true},
	{"laplacian", "i64", "sum(src[y - 1][x] + src[y + 1][x] + src[y][x - 1] + src[y][x + 1] - 4 * i32(src[y][x]) for y in 1:H - 1, x in 1:W - 1)", true},
	{"two", "i64", "sum(src) * 1000 + sum(i32(src[y][x]) * 3 for (y, x) over src)", true},
	{"mixed", "i64", "sum(src) * 1000 + max(src)", true},
	{"third_columns", "i64", "sum(src[y][3 * x] for y in 0:H, x in 0:W / 3)", false},
	{"far", "i64", "sum(1000 * i32(src[y][x]) for (y, x) over src)", false},
	{"squares", "i64", "sum(i32(src[y][x]) * src[y][x] for (y, x) over src)", true},
	{"products", "i64", "sum(i32(src[y][x]) * src[y][x + 1] for y in 0:H, x in 0:W - 1)", true},
	{"products_u64", "u64", "sum(u64(src[y][x]) * src[y][0] for (y, x) over src)", false},
	{"apart", "i64", "sum(abs(i32(src[y][x]) - src[y][x + 1]) for y in 0:H, x in 0:W - 1)", true},
	{"apart_u32", "u64", "sum(u32(abs(i32(src[y][x + 1]) - src[y][x])) for y in 0:H, x in 0:W - 1)", true},
	{"apart_downwards", "i64", "sum(abs(i16(i32(src[y][x]) - src[y + 1][x])) for y in 0:H - 1, x in 0:W)", true},
	{"squared", "i64", "sum(sq(i32(src[y][x]) - src[y][x + 1]) for y in 0:H, x in 0:W - 1)", true},
	{"squared_narrow", "i64", "sum(sq16(i16(i32(src[y][x]) - src[y][x + 1])) for y in 0:H, x in 0:W - 1)", false},
	{"mean_squared", "f64", "mean(sq(i32(src[y][x]) - src[y][W - 1 - x]) for y in 0:H, x in 0:W)", false},
	{"mean_apart", "f64", "mean(abs(i32(src[y][x]) - src[y][x + 1]) for y in 0:H, x in 0:W - 1)", true},
	{"product_of_differences", "i64", "sum((i32(src[y][x]) - src[y][x + 1]) * (i32(src[y][x + 1]) - src[y][x]) for y in 0:H, x in 0:W - 1)", false},
	{"doubled", "i64", "sum(abs(2 * i32(src[y][x]) - src[y][x + 1]) for y in 0:H, x in 0:W - 1)", false},
	{"off_by_one", "i64", "sum(abs(i32(src[y][x]) - src[y][x + 1] + 1) for y in 0:H, x in 0:W - 1)", false},
}

func dottedProgram() string {
	var b strings.Builder
	b.WriteString("func sq(a: i32): i32 = a * a;\nfunc sq16(a: i16): i16 = i16(a * a);\n")
	for _, r := range dotted {
		fmt.Fprintf(&b, "pipeline %s(in src: u8[H][W], out value: %s) {\n    value = %s;\n}\n", r.name, r.result, r.value)
	}
	return b.String()
}

// byDots has groups share sums in blocks of so many points, in dot products wherever a stage has such.
func byDots(size, width, lines int, seen map[string]bool) func(string, *hast.Stage) schedule.Decisions {
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := schedule.Decisions{Place: schedule.Join, Reduce: size, Item: [2]int{width, lines}, Vector: 16, Dot4: 1}
		if d.Abreast = 2; lower.Refuse(s, d, imgc.Strict) != "" {
			d.Abreast = 0
		}
		if lower.Refuse(s, d, imgc.Strict) == "" {
			seen[pipeline] = true
			return d
		}
		d.Dot4 = 0
		if lower.Refuse(s, d, imgc.Strict) != "" {
			d.Item = [2]int{}
		}
		return d
	}
}

func TestSumsInDotProducts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ size, width, lines int }{{2, 4, 1}, {4, 16, 2}, {64, 32, 3}} {
		t.Run(fmt.Sprint(c.size, "/", c.width, "/", c.lines), func(t *testing.T) { runDotted(t, c.size, c.width, c.lines, 99) })
	}
}

func runDotted(t *testing.T, size, width, lines, most int) {
	seen := map[string]bool{}
	p := harness.CompileWith(t, "dots.img", dottedProgram(), imgc.Options{Mode: imgc.Strict, Decide: byDots(size, width, lines, seen)})
	built := harness.BuildPlain(t, p)
	for _, r := range dotted {
		if seen[r.name] != r.dots {
			t.Errorf("%s: in dot products %v, want %v", r.name, seen[r.name], r.dots)
		}
		pipeline, err := p.Pipeline(r.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range [][]int{{3, 67}, {1, 1}, {9, 128}, {37, 300}, {2100, 16}}[:min(most, 5)] {
			for _, l := range []device.Layout{{}, {Pad: 1, Offset: 7}} {
				src := harness.Input("src", harness.Random, pipeline.Param("src").Type, s...)
				args := imgc.Args{Images: map[string]*pixels.Image{"src": src}}
				got, err := built.Run(context.Background(), r.name, device.Args(args), l)
				if err != nil {
					t.Fatalf("%s, %v: %v", r.name, s, err)
				}
				t.Run(fmt.Sprintf("%s/%dx%d/%d", r.name, s[0], s[1], l.Pad), func(t *testing.T) {
					harness.CompareAll(t, got.Images, got.Scalars, harness.Interpret(t, p, r.name, args), harness.Bound{})
				})
			}
		}
	}
}
