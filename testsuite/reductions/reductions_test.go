package reductions

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/imagefile"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// A row is one expression of a pipeline over the image src, of the type elem, its own type, and the same in Python.
type row struct {
	name, elem, result, text, python string
	near                             harness.Bound // of Python's result
}

var rounded = harness.Bound{Rel: 1e-5}

var rows = []row{
	{"sum_u8", "u8", "i64", "sum(src)", "src.sum(dtype=np.int64)", harness.Bound{}},
	{"sum_i32", "i32", "i64", "sum(src)", "src.sum(dtype=np.int64)", harness.Bound{}},
	{"sum_u32", "u32", "u64", "sum(src)", "src.sum(dtype=np.uint64)", harness.Bound{}},
	{"sum_f32", "f32", "f32", "sum(src)", "src.astype(float).sum()", harness.Bound{Abs: 0.5}},
	{"sum_f64", "f64", "f64", "sum(src)", "src.sum()", harness.Bound{Abs: 1e-6}},
	{"product_i16", "i16", "i64", "product(src)", "np.multiply.reduce(src.ravel().astype(np.int64))", harness.Bound{}},
	{"mean_u8", "u8", "f32", "mean(src)", "src.mean()", rounded},
	{"mean_i32", "i32", "f64", "mean(src)", "src.astype(float).mean()", harness.Bound{Rel: 1e-9, Abs: 1e-6}},
	{"mean_f32", "f32", "f32", "mean(src)", "src.astype(float).mean()", harness.Bound{Abs: 1e-2}},
	{"mean_vector", "u8x3", "f32x3", "mean(src)", "src.reshape(-1, 3).mean(axis=0)", rounded},
	{"min_i16", "i16", "i16", "min(src)", "src.min()", harness.Bound{}},
	{"max_f16", "f16", "f16", "max(src)", "src.max()", harness.Bound{}},
	{"max_f32", "f32", "f32", "max(src)", "src.max()", harness.Bound{}},
	{"max_vector", "u8x3", "u8x3", "max(src)", "src.reshape(-1, 3).max(axis=0)", harness.Bound{}},
	{"any_white", "u8", "bool", "any(src[y][x] > 250 for (y, x) over src)", "(src > 250).any()", harness.Bound{}},
	{"all_dark", "u8", "bool", "all(src[y][x] < 250 for (y, x) over src)", "(src < 250).all()", harness.Bound{}},
	{"count_dark", "u8", "i64", "count(src[y][x] < 99 for (y, x) over src)", "(src < 99).sum()", harness.Bound{}},
	{"argmin_u8", "u8", "i32x2", "argmin(src)", "np.unravel_index(src.argmin(), src.shape)[::-1]", harness.Bound{}},
	{"argmax_f32", "f32", "i32x2", "argmax(src)", "np.unravel_index(src.argmax(), src.shape)[::-1]", harness.Bound{}},
	{"argmax_column", "u8", "i32", "argmax(src[0][x] for x in 0:W)", "src[0].argmax()", harness.Bound{}},
	{"fold_u8", "u8", "i32", "fold(shift, 7, src[y][x] for (y, x) over src)", "functools.reduce(lambda a, b: (a * 5 + b) % 65537, src.ravel().tolist(), 7)", harness.Bound{}},
	{"inner", "u8", "i64", "sum(src[y][x] for y in 1:H, x in 0:W-1)", "src[1:, :-1].sum(dtype=np.int64)", harness.Bound{}},
	{"every_second", "u8", "i64", "sum(src[y][x] for y in 0:H:2, x in W-1:-1:-3)", "src[::2, ::-3].sum(dtype=np.int64)", harness.Bound{}},
	{"mean_stepped", "u8", "f32", "mean(src[y][x] for y in 0:H:2, x in W-1:-1:-3)", "src[::2, ::-3].mean()", rounded},
	{"mean_cross", "u8", "f32", "mean(src[clamp(H/2 + d.y, 0, H-1)][clamp(W/2 + d.x, 0, W-1)] for d in cross)", "np.pad(src, 1, 'edge')[src.shape[0] // 2:, src.shape[1] // 2:][[0, 1, 1, 1, 2], [1, 0, 1, 2, 1]].mean()", rounded},
	{"argmax_stepped", "u8", "i32x2", "argmax(src[y][x] for y in 0:H:2, x in 0:W:2)", "2 * np.array(np.unravel_index(src[::2, ::2].argmax(), src[::2, ::2].shape))[::-1]", harness.Bound{}},
	{"median_u8", "u8", "u8", "median(src)", "np.sort(src.ravel())[(src.size - 1) // 2]", harness.Bound{}},
	{"median_i16", "i16", "i16", "median(src)", "np.sort(src.ravel())[(src.size - 1) // 2]", harness.Bound{}},
	{"median_u64", "u64", "u64", "median(src)", "np.sort(src.ravel())[(src.size - 1) // 2]", harness.Bound{}},
	{"median_i64", "i64", "i64", "median(src)", "np.sort(src.ravel())[(src.size - 1) // 2]", harness.Bound{}},
	{"median_f32", "f32", "f32", "median(src)", "np.sort(src.ravel())[(src.size - 1) // 2]", harness.Bound{}},
	{"median_f64", "f64", "f64", "median(src)", "np.sort(src.ravel())[(src.size - 1) // 2]", harness.Bound{}},
	{"median_vector", "i8x2", "i8x2", "median(src)", "np.sort(src.reshape(-1, 2), axis=0)[(src.shape[0] * src.shape[1] - 1) // 2]", harness.Bound{}},
	{"median_stepped", "u8", "i32", "median(i32(src[y][x]) - 100 for y in 0:H:2, x in 0:W:3)", "(lambda v: v[(v.size - 1) // 2])(np.sort(src[::2, ::3].ravel().astype(int) - 100))", harness.Bound{}},
	{"median_empty", "u8", "u8", "median(src[y][x] for y in H:H, x in 0:W)", "0", harness.Bound{}},
	{"window", "u8", "i64", "i64(max(src[0:1][0:1])) + sum(src[H/2][W/2:1])", "int(src[0, 0]) + int(src[src.shape[0] // 2, src.shape[1] // 2])", harness.Bound{}},
	{"in_body", "u8", "i64", "image t: i64[1] = [sum(src) + i for i]; t[0]", "src.sum(dtype=np.int64)", harness.Bound{}},
	{"empty", "u8", "i64", "sum(src[y][x] for y in H:H, x in 0:W)", "0", harness.Bound{}},
	{"corner", "u8", "u8", "src[H-1][W/2]", "src[-1, src.shape[1] // 2]", harness.Bound{}},
	{"computed", "u8", "f32", "sqrt(mean(src)) + f32(max(src)) * 2", "np.sqrt(src.mean()) + 2.0 * src.max()", rounded},
	{"several", "u8", "i64", "i64(max(src)) * 1000 - min(src) + sum(src) + count(src[y][x] < 99 for (y, x) over src)", "int(src.max()) * 1000 - int(src.min()) + src.sum(dtype=np.int64) + (src < 99).sum()", harness.Bound{}},
	{"several_f32", "f32", "f32", "sum(src) + max(src) - product(src[y][x] * 0.5 for (y, x) over src)", "src.astype(float).sum() + src.max() - np.prod(src.astype(float) * 0.5)", harness.Bound{Abs: 0.5, Rel: 1e-4}},
	{"twice", "u8", "f32", "let m = mean(src); mean(f32(src[y][x]) - m for (y, x) over src) + f32(H)", "src.shape[0]", harness.Bound{Abs: 1e-2}},
}

// program has a pipeline for each row.
func program() string { return programOf(rows) }

// programOf has a pipeline for each of some rows. A bool goes to the image as 0 or 1.
func programOf(rows []row) string {
	var b strings.Builder
	b.WriteString("domain cross[3][3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]];\n")
	b.WriteString("func shift(a: i32, b: u8): i32 = (a * 5 + b) % 65537;\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "pipeline %s(in src: %s[H][W], out pixel: %s[3], out value: %s) {\n", r.name, r.elem, r.imageType(), r.result)
		before, text, found := strings.Cut(r.text, "; ")
		if !found {
			before, text = "", r.text
		}
		fmt.Fprintf(&b, "    %s;\n    let v = %s;\n    value = v;\n    pixel = %s(v);\n}\n", before, text, r.imageType())
	}
	return b.String()
}

func (r row) imageType() string {
	if r.result == "bool" {
		return "u8"
	}
	return r.result
}

var sizes = [][]int{{1, 1}, {1, 9}, {5, 1}, {5, 7}, {37, 53}, {2100, 3}}

const few = 4 // sizes that Oclgrind runs

type call struct {
	row
	name string
	args imgc.Args
	want imgc.Results
}

func calls(t *testing.T, most int) (*imgc.Program, []*call) {
	t.Helper()
	return callsWith(t, most, imgc.Options{Mode: imgc.Strict})
}

func callsWith(t *testing.T, most int, opts imgc.Options) (*imgc.Program, []*call) {
	t.Helper()
	p := harness.CompileWith(t, "reductions.img", program(), opts)
	var list []*call
	for _, r := range rows {
		pipeline, err := p.Pipeline(r.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sizes[:min(most, len(sizes))] {
			src := harness.Input("src", harness.Random, pipeline.Param("src").Type, s...)
			c := &call{row: r, name: fmt.Sprintf("%s/%dx%d", r.name, s[0], s[1]), args: imgc.Args{Images: map[string]*pixels.Image{"src": src}}}
			c.want = harness.Interpret(t, p, r.name, c.args)
			list = append(list, c)
		}
	}
	return p, list
}

func runAll(t *testing.T, p *imgc.Program, list []*call) {
	runWithin(t, harness.Build(t, p), list, harness.Bound{})
}

func runWithin(t *testing.T, built *device.Program, list []*call, floats harness.Bound) {
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			r, err := built.Run(context.Background(), c.row.name, device.Args(c.args), device.Layout{Pad: 1, Offset: 7})
			if err != nil {
				t.Fatal(err)
			}
			bound := harness.Bound{}
			if v := c.want.Scalars["value"]; v.Type.Kind.IsFloat() {
				bound = floats
			}
			harness.CompareAll(t, r.Images, r.Scalars, c.want, bound)
		})
	}
}

// byTeams lets groups of a size share reductions wherever a stage allows it, of so many instances at once and with items that take so many neighbouring points where it allows
// that, and the last group of a launch join what all have found, where the target has that. Those over the same points are one stage.
func byTeams(size, abreast, width int, mode imgc.Mode) func(string, *hast.Stage) schedule.Decisions {
	ways := [][2]int{{abreast, width}, {abreast, 0}, {0, width}, {0, width / max(1, abreast)}, {0, 0}}
	return func(_ string, s *hast.Stage) (d schedule.Decisions) {
		for _, way := range ways {
			d = schedule.Decisions{Place: schedule.Join, Reduce: size, Abreast: way[0], Item: [2]int{way[1]}, Resident: 2}
			if lower.Refuse(s, d, mode) == "" {
				break
			}
		}
		last := d
		if last.Last = 1; lower.Refuse(s, last, mode) == "" {
			return last
		}
		return d
	}
}

// TestReductionsByTeams has groups share the reductions: exactly what is exact in any order, and in strict mode everything.
func TestReductionsByTeams(t *testing.T) {
	for _, c := range []struct {
		mode                 imgc.Mode
		size, abreast, width int
	}{{imgc.Strict, 2, 0, 4}, {imgc.Contract, 64, 4, 16}} {
		t.Run(fmt.Sprintf("%s/%d/%d/%d", c.mode, c.size, c.abreast, c.width), func(t *testing.T) {
			p, list := callsWith(t, 99, imgc.Options{Mode: c.mode, Decide: byTeams(c.size, c.abreast, c.width, c.mode)})
			floats := harness.Bound{}
			if c.mode != imgc.Strict {
				floats = harness.Bound{Rel: 1e-5, Abs: 1e-2}
			}
			runWithin(t, harness.BuildPlain(t, p), list, floats)
		})
	}
}

func TestReductions(t *testing.T) {
	t.Parallel()
	p, list := calls(t, 99)
	t.Run("device", func(t *testing.T) { runAll(t, p, list) })
	t.Run("reference", func(t *testing.T) { compareReferences(t, list) })
}

func compareReferences(t *testing.T, list []*call) {
	var cases []harness.ReferenceCase
	for _, c := range list {
		kind, _, _ := strings.Cut(c.imageType(), "x")
		cases = append(cases, harness.ReferenceCase{
			Function: "reductions.value", Images: []*pixels.Image{c.args.Images["src"]},
			Scalars: map[string]any{"text": c.python, "kind": kind}, Want: []*pixels.Image{c.want.Images["pixel"]},
		})
	}
	for i, r := range harness.References(t, cases) {
		t.Run(list[i].name, func(t *testing.T) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if err := harness.Compare(list[i].want.Images["pixel"], r.Images[0], list[i].near); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReductionsUnderOclgrind has the simulator watch the kernels.
func TestReductionsUnderOclgrind(t *testing.T) {
	t.Parallel()
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedReductions there")
	}
	harness.SimulateTest(t, "TestSimulatedReductions")
}

// TestSimulatedReductions runs in the process that TestReductionsUnderOclgrind starts.
func TestSimulatedReductions(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestReductionsUnderOclgrind runs it in a process of its own")
	}
	p, list := calls(t, 2)
	runAll(t, p, quick(list))
	p, list = callsWith(t, 2, imgc.Options{Mode: imgc.Strict, Decide: byTeams(16, 2, 4, imgc.Strict)})
	runAll(t, p, quickest(list))
	runDotted(t, 4, 16, 2, 2)
}

// quick leaves out the medians of 64 bits: those of fewer run the same kernels, a few for each bit.
func quick(list []*call) []*call {
	return slices.DeleteFunc(list, func(c *call) bool {
		_, bits, _ := strings.Cut(c.row.name, "median_")
		return strings.HasSuffix(bits, "64")
	})
}

// bytewise are the medians of 8 bits.
var bytewise = []string{"median_u8", "median_vector", "median_empty"}

// quickest leaves all medians but those of 8 bits, and these at one size: to simulate groups that share them takes ten times as long
// as items alone.
func quickest(list []*call) []*call {
	return slices.DeleteFunc(list, func(c *call) bool {
		if !strings.HasPrefix(c.row.name, "median_") {
			return false
		}
		return !slices.Contains(bytewise, c.row.name) || strings.HasSuffix(c.name, "/1x1")
	})
}

// isLine is true of calls with images of one line or column.
func isLine(c *call) bool {
	extent := c.args.Images["src"].Extent
	return min(extent[0], extent[1]) == 1 && max(extent[0], extent[1]) > 1
}

// TestGeneratedLibrariesReduce runs the demo program of a generated project, which prints the scalars.
func TestGeneratedLibrariesReduce(t *testing.T) {
	t.Parallel()
	harness.Device(t)
	p, list := calls(t, few)
	list = slices.DeleteFunc(list, isLine) // with the kernels that TestReductions runs
	onDemo(t, harness.WriteProject(t, p, imgc.ProjectOptions{}).Demo(t), list)
}

// TestCUDALibrariesReduce runs CUDA's kernels, in which groups take two instances, for each of which two subgroups join what their items have through local memory, and a
// subgroup the rest without waiting; the last group goes on with what all have found. Medians have no groups.
func TestCUDALibrariesReduce(t *testing.T) {
	host := harness.CUDAOnHost(t)
	p, list := callsWith(t, 99, imgc.Options{Mode: imgc.Strict, Decide: byTeams(128, 2, 4, imgc.Strict)})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	text, err := os.ReadFile(project.Path("kernels/" + project.Name + ".cu"))
	for _, part := range []string{"imgc_shuffle(", "imgc_last_block(", "imgc_last_sum("} {
		if err != nil || !bytes.Contains(text, []byte(part)) {
			t.Errorf("no kernel has %s (%v)", part, err)
		}
	}
	list = slices.DeleteFunc(list, func(c *call) bool {
		return strings.HasPrefix(c.row.name, "median") || !strings.HasSuffix(c.name, "/37x53")
	})
	onDemo(t, host.Build(t, project, nil, "src/"+project.Name+".c", "demo/main.c", "demo/image.c"), list)
}

// onDemo runs a demo program and compares the images, and the integers that it prints.
func onDemo(t *testing.T, demo string, list []*call) {
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			src, pixel := filepath.Join(dir, "src.npy"), filepath.Join(dir, "pixel.npy")
			if err := imagefile.Write(src, c.args.Images["src"], imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			out := harness.Command(t, dir, demo, c.row.name, src, pixel)
			got, err := harness.ReadArray(pixel, c.want.Images["pixel"])
			if err != nil {
				t.Fatal(err)
			}
			if err := harness.Compare(got, c.want.Images["pixel"], harness.Bound{}); err != nil {
				t.Error(err)
			}
			if v := c.want.Scalars["value"]; v.Type.IsScalar() && !v.Type.Kind.IsFloat() {
				want := fmt.Sprintf("value = %d", v.Words[0].Int())
				if v.Type == types.Scalar(types.U64) {
					want = fmt.Sprintf("value = %d", v.Words[0].Uint())
				}
				if !strings.Contains(out, want) {
					t.Errorf("the demo prints %q, wanted %s", out, want)
				}
			}
		})
	}
}
