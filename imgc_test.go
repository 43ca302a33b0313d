package imgc_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/pixels"
	"imgc/types"
)

var ctx = context.Background()

// program checks a text that must be right.
func program(t *testing.T, name, text string, opts imgc.Options) *imgc.Program {
	t.Helper()
	r, err := imgc.Check(ctx, name, text, opts)
	if err != nil {
		t.Fatal(err)
	}
	if r.Program == nil {
		t.Fatalf("%s has errors: %s", name, messages(r))
	}
	return r.Program
}

func messages(r *imgc.Result) string {
	var all []string
	for _, d := range r.Diagnostics.Sorted() {
		all = append(all, d.Span.String()+": "+d.Message)
	}
	return strings.Join(all, "\n")
}

func reference(t *testing.T) *imgc.Device {
	t.Helper()
	d, err := imgc.OpenDevice("ref")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const two = `
const R = 1;
pipeline fill(out dst: u8[H][W]) {
    dst = u8(R);
}
pipeline add(in src: u8x3[2*H][W] border clamp, in k: f32 = 0.5, in n: i32, inout acc: f32[H][7], out sum: i32) {
    sum = n + H;
}`

// inMemory reads files from texts by their names.
type inMemory map[string]string

func (m inMemory) ReadFile(name string) ([]byte, error) {
	if text, ok := m[name]; ok {
		return []byte(text), nil
	}
	return nil, os.ErrNotExist
}

func TestProgramsImportFilesOfTheCaller(t *testing.T) {
	files := inMemory{"lib/k.img": "import \"c.img\"; kernel twice(in a: i32[n], out b: i32[n]) { b = [C * a[x] for x]; }", "lib/c.img": "const C = 2;"}
	p := program(t, "main.img", `import "k.img" as k; const C = 5; pipeline p(in a: i32[N], out b: i32[N]) { run: k.twice(a, b); }`,
		imgc.Options{Files: files, IncludeDirs: []string{"lib"}, Defines: map[string]string{"C": "7"}})
	a, _ := pixels.New(types.Scalar(types.I32), 1)
	a.SetWord(0, types.Int(21))
	r, err := p.Run(ctx, reference(t), "p", imgc.Args{Images: map[string]*pixels.Image{"a": a}})
	if err != nil || r.Images["b"].Word(0).Int() != 42 {
		t.Errorf("got %v, %v", r.Images["b"], err)
	}
	opencl, err := p.OpenCL()
	if err != nil || !strings.Contains(opencl.Output.Source, "p_run_b") {
		t.Errorf("no kernel named after the label and the parameter: %v", err)
	}
	for _, want := range []string{"// source: main.img, sha256 ", "// import: c.img, sha256 " + sum(files["lib/c.img"]), "// import: k.img, sha256 " + sum(files["lib/k.img"])} {
		if !strings.Contains(opencl.Output.Source, want) {
			t.Errorf("no %q in\n%s", want, opencl.Output.Source)
		}
	}
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func TestPipelinesDescribeTheirParameters(t *testing.T) {
	p := program(t, "dir/two.img", two, imgc.Options{})
	if p.Name != "two" || p.File() != "dir/two.img" || len(p.Pipelines) != 2 {
		t.Errorf("%+v", p)
	}
	add, err := p.Pipeline("add")
	if err != nil {
		t.Fatal(err)
	}
	want := "add(in src: u8x3[2*H][W], in k: f32, in n: i32, inout acc: f32[H][7], out sum: i32)"
	if add.String() != want {
		t.Errorf("got  %s\nwant %s", add, want)
	}
	if src := add.Param("src"); !src.IsImage || !src.Takes() || src.Returns() || !slices.Equal(src.Fixed, []int{-1, -1}) {
		t.Errorf("src: %+v", src)
	}
	if acc := add.Param("acc"); !acc.Takes() || !acc.Returns() || !slices.Equal(acc.Fixed, []int{-1, 7}) {
		t.Errorf("acc: %+v", acc)
	}
	if k, n := add.Param("k"), add.Param("n"); k.IsImage || k.Default == nil || k.Default.Words[0].Float() != 0.5 || n.Default != nil {
		t.Errorf("k: %+v, n: %+v", k, n)
	}
	if h := add.Size("H"); h == nil || h.Param != "src" || add.Size("Q") != nil || add.Param("q") != nil {
		t.Errorf("H: %+v", h)
	}
}

func TestOptionsChooseAndDefine(t *testing.T) {
	p := program(t, "two.img", two, imgc.Options{Pipelines: []string{"fill"}, Defines: map[string]string{"R": "40 + 2"}})
	if len(p.Pipelines) != 1 || p.Pipelines[0].Name != "fill" {
		t.Fatalf("%v", p.Pipelines)
	}
	r, err := p.Run(ctx, reference(t), "", imgc.Args{Sizes: map[string]int{"H": 1, "W": 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Images["dst"].Data; !bytes.Equal(got, []byte{42, 42}) {
		t.Errorf("dst is %v", got)
	}
	var use *imgc.UsageError
	if _, err := imgc.Check(ctx, "two.img", two, imgc.Options{Pipelines: []string{"full"}}); !errors.As(err, &use) ||
		use.Message != "two.img has no pipeline full; did you mean fill?" {
		t.Errorf("%v", err)
	}
	for value, want := range map[string]string{"1 +": "-D R:1:", "\"": "-D R:1:", "src": "-D R:1:1: "} {
		res, err := imgc.Check(ctx, "two.img", two, imgc.Options{Defines: map[string]string{"R": value}})
		if err != nil || res.Program != nil || !strings.Contains(messages(res), want) {
			t.Errorf("R = %s: %v, %s", value, err, messages(res))
		}
	}
}

func TestErrorsSayWhoCanHelp(t *testing.T) {
	p := program(t, "two.img", two, imgc.Options{})
	ref := reference(t)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	one := imgc.Args{Sizes: map[string]int{"H": 1, "W": 1}}
	use, call := new(*imgc.UsageError), new(*imgc.CallError)
	for name, c := range map[string]struct {
		err  func() error
		as   any
		want string
	}{
		"no name":        {func() error { _, err := p.Run(ctx, ref, "", one); return err }, use, "two.img has 2 pipelines: fill, add; say which"},
		"wrong name":     {func() error { _, err := p.Run(ctx, ref, "sum", one); return err }, use, "two.img has no pipeline sum; there is fill, add"},
		"missing size":   {func() error { _, err := p.Run(ctx, ref, "fill", imgc.Args{}); return err }, call, "two.img:3:19: fill: nothing gives the size H: pass the image dst or the size"},
		"no runs":        {func() error { _, err := p.Time(ctx, ref, "fill", one, 0); return err }, use, "0 runs cannot be timed; one at least"},
		"unknown mode":   {func() error { _, err := imgc.ParseMode("loose"); return err }, use, `there is no floating-point mode "loose"; there are contract, strict and fast`},
		"cancelled":      {func() error { _, err := p.Run(cancelled, ref, "fill", one); return err }, nil, "stopped: context canceled"},
		"check":          {func() error { _, err := imgc.Check(cancelled, "two.img", two, imgc.Options{}); return err }, nil, "stopped: context canceled"},
		"bad identifier": {func() error { _, err := p.Project(ctx, imgc.ProjectOptions{Name: "for"}); return err }, use, `"for" cannot name a C library: letters, digits and _ only, a letter first, and no word of C, of its library or of CMake`},
	} {
		err := c.err()
		if err == nil || err.Error() != c.want || c.as != nil && !errors.As(err, c.as) || c.as == nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %T %v, want %s", name, err, err, c.want)
		}
	}
}

func TestTimeCountsRunsAndWritesNothing(t *testing.T) {
	p := program(t, "p.img", `
pipeline p(inout a: u8[W]) {
    iterate (x) over a
        a[x] = u8(a[x] + 1);
}`, imgc.Options{})
	a := &pixels.Image{Elem: types.Scalar(types.U8), Extent: []int{2}, Data: []byte{1, 2}}
	times, err := p.Time(ctx, reference(t), "p", imgc.Args{Images: map[string]*pixels.Image{"a": a}}, 4)
	if err != nil || times.Runs != 4 || times.Minimum <= 0 || times.Median < times.Minimum {
		t.Errorf("%+v, %v", times, err)
	}
	if !bytes.Equal(a.Data, []byte{1, 2}) {
		t.Errorf("a is %v", a.Data)
	}
}

// TestOutputIsTheSameEverywhere builds each sample twice, under different folders: not a byte may differ.
func TestOutputIsTheSameEverywhere(t *testing.T) {
	files, err := filepath.Glob("samples/basics/*.img")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d samples, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		opts := imgc.Options{Mode: imgc.Strict}
		first, err := program(t, file, string(text), opts).Project(ctx, imgc.ProjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := program(t, "elsewhere/"+filepath.Base(file), string(text), opts).Project(ctx, imgc.ProjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !maps.EqualFunc(first, again, bytes.Equal) {
			t.Errorf("%s: the projects differ", file)
		}
		for path, contents := range first {
			if bytes.Contains(contents, []byte("samples/basics")) {
				t.Errorf("%s: %s tells the folder", file, path)
			}
		}
	}
}

// TestProjectsTellNoFolder builds a program in two folders that imports a file beside it, one below, one above, one of a folder of -I and one of the library: lines are told by the same names.
func TestProjectsTellNoFolder(t *testing.T) {
	text := `import "beside.img"; import "below/b.img"; import "../above.img"; import "i.img"; import "std/filters.img";
pipeline p(in a: f32[H][W] border clamp, out r: f32[H][W]) { iterate (y, x) over r r[y][x] = one(a[y][x]) + two(a[y][x]) + three(a[y][x]) + four(a[y][x]); }`
	project := func(folder, lib string) map[string][]byte {
		files := inMemory{
			folder + "beside.img":             "func one(x: f32): f32 = x < 2 ? x : 1;",
			folder + "below/b.img":            "func two(x: f32): f32 = x < 3 ? x : 2;",
			path.Join(folder, "../above.img"): "func three(x: f32): f32 = x < 4 ? x : 3;",
			lib + "/i.img":                    "func four(x: f32): f32 = x < 5 ? x : 4;",
		}
		opts := imgc.Options{Files: files, IncludeDirs: []string{lib}}
		out, err := program(t, folder+"main.img", text, opts).Project(ctx, imgc.ProjectOptions{LineDirectives: true})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := project("some/where/", "lib")
	if !maps.EqualFunc(first, project("else/", "other/lib"), bytes.Equal) {
		t.Error("the projects differ")
	}
	all := ""
	for _, contents := range first {
		all += string(contents)
	}
	for _, name := range []string{`"main.img"`, `"beside.img"`, `"below/b.img"`, `"../above.img"`, `"-I1/i.img"`} {
		if !strings.Contains(all, "#line") || !strings.Contains(all, name) {
			t.Errorf("no line is of %s", name)
		}
	}
	if strings.Contains(all, "some/where") {
		t.Error("a file tells the folder")
	}
}

// TestProjectsArePlannedForSizes builds a program for large and for small images, by itself and in a folder: the folder makes no difference, and
// the size does.
func TestProjectsArePlannedForSizes(t *testing.T) {
	text, err := os.ReadFile("testsuite/gpu/kernels.img")
	if err != nil {
		t.Fatal(err)
	}
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	project := func(name string, size int64) map[string][]byte {
		p := program(t, name, string(text), imgc.Options{Arch: arch, Pipelines: []string{"u8_3x3"}}).PlannedFor(map[string]int64{"H": size, "W": size})
		files, err := p.Project(ctx, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	large, small := project("kernels.img", 8192), project("kernels.img", 512)
	if maps.EqualFunc(large, small, bytes.Equal) {
		t.Error("the size decides nothing")
	}
	for size, want := range map[int64]map[string][]byte{8192: large, 512: small} {
		if !maps.EqualFunc(project("samples/kernels.img", size), want, bytes.Equal) {
			t.Errorf("planned for %d, the project of a file in a folder differs", size)
		}
	}
}

// TestPlansAreTakenBack builds programs as they are planned, and with the texts of these plans as their schedules: nothing differs.
func TestPlansAreTakenBack(t *testing.T) {
	arch, err := imgc.OpenArchitecture("nvidia-h200")
	if err != nil {
		t.Fatal(err)
	}
	targets := []imgc.Target{imgc.TargetCUDA}
	for _, file := range []string{
		"basics/clarity", "basics/guided", "basics/statistics", "halide/camera", "halide/equalize", "halide/level_set", "halide/stencil_chain", "hipacc/detail", "hipacc/harris", "pencil/srad",
		"../testsuite/differential/testdata/cuda/rows_of_bytes",
	} {
		file = "samples/" + file + ".img"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := program(t, file, string(text), imgc.Options{Arch: arch})
		plans, err := p.ExplainFor(targets[0], arch, nil)
		if err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		for _, x := range plans {
			said.WriteString(x.Text())
		}
		q := program(t, file, string(text), imgc.Options{Arch: arch, Schedule: &imgc.Text{Name: "plan.sched", Text: said.String()}})
		planned, err := p.Project(ctx, imgc.ProjectOptions{Targets: targets})
		if err != nil {
			t.Fatal(err)
		}
		again, err := q.Project(ctx, imgc.ProjectOptions{Targets: targets})
		if err != nil {
			t.Fatal(err)
		}
		if !maps.EqualFunc(planned, again, bytes.Equal) {
			t.Errorf("%s: its plan as a schedule makes another program of it\n%s", file, said.String())
		}
	}
}

// TestRowsThatAreNotThereHaveNoLines reports lines for rows that separating a stage does not give.
func TestRowsThatAreNotThereHaveNoLines(t *testing.T) {
	const text = "pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) { dst = [min(src[y-3:7][x-3:7]) for y, x]; }\n"
	for lines, want := range map[string]string{
		"dst_row: root; dst: separate;":                    "",
		"dst_row: tile(128, 4) item(4, 1); dst: separate;": "",
		"dst: table;":                                              "dst cannot be computed with tables: it computes nothing that depends on one byte alone",
		"dst_row2: root; dst: separate;":                           "nothing that is decided of stages of p makes one that is called dst_row2",
		"dst_column: root; dst: columns;":                          "",
		"dst_row: root; dst: columns;":                             "p has no stage dst_row",
		"dst_row: root; dst: separate tile(128, 4) item(4, 1);":    "",
		"dst: separate tile(128, 4) item(4, 1) packed16;":          "",
		"dst: separate tile(128, 4) item(4, 1) flat;":              "flat, stream and rolled are for stages that stand alone",
		"dst_row: fuse; dst: separate item(4, 1) flat;":            "flat, stream and rolled are for stages that stand alone",
		"dst_row: root; dst: separate tile(128) item(4) packed16;": "",
	} {
		r, err := imgc.Check(ctx, "p.img", text+"schedule p { "+lines+" }", imgc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := messages(r); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", lines, got, want)
		}
	}
}

// TestTheLastGroupIsPlannedWhereItPays holds what is planned for the end of a sum against the languages and devices.
func TestTheLastGroupIsPlannedWhereItPays(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.yaml")
	const like = `name: other
title: "A device like that, without PTX"
inherit: nvidia-h200
sources:
  X: "made up"
features:
  ptx: {value: 0, source: X, how: inferred}
`
	if err := os.WriteFile(other, []byte(like), 0o600); err != nil {
		t.Fatal(err)
	}
	p := program(t, "sum.img", "pipeline p(in src: u8[H][W], out total: i64) { total = sum(src); }", imgc.Options{})
	for _, c := range []struct {
		target imgc.Target
		arch   string
		want   bool
	}{
		{imgc.TargetCUDA, "nvidia-h200", true}, {imgc.TargetOpenCL, "nvidia-h200", true}, {imgc.TargetOpenCL, other, false}, {imgc.TargetOpenCL, "pocl-cpu", true},
	} {
		arch, err := imgc.OpenArchitecture(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		plans, err := p.ExplainFor(c.target, arch, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := plans[0].Schedule().String(); strings.Contains(text, " last;") != c.want {
			t.Errorf("%s for %s: want last: %v\n%s", c.target, c.arch, c.want, text)
		}
	}
}

func TestProjectNamesAreIdentifiers(t *testing.T) {
	for name, want := range map[string]string{
		"blur.img": "blur", "gaussian-5x5.img": "gaussian_5x5", "3x3.img": "program_3x3", "a b.c.img": "a_b_c", "-.img": "program", "Größe.img": "Gr__e",
	} {
		files, err := program(t, name, two, imgc.Options{}).Project(ctx, imgc.ProjectOptions{})
		if err != nil || files["include/"+want+".h"] == nil {
			t.Errorf("%s: %v, %v", name, slices.Sorted(maps.Keys(files)), err)
		}
	}
}

func TestFormatLeavesWrongTextsAlone(t *testing.T) {
	const wild = "const  N=1 ;"
	text, diags, err := imgc.Format("a.img", wild)
	if err != nil || diags.Len() > 0 || text != "const N = 1;\n" {
		t.Errorf("%q, %v", text, err)
	}
	text, diags, err = imgc.Format("a.img", wild+" pipeline")
	if err != nil || !diags.HasErrors() || text != wild+" pipeline" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestDeviceKeepsCompiledPrograms(t *testing.T) {
	d, err := imgc.OpenDevice("")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.IsReference() != (d.Fallback() != nil) {
		t.Errorf("the device is %s, the reason %v", d, d.Fallback())
	}
	p := program(t, "two.img", two, imgc.Options{})
	for range 3 {
		r, err := p.Run(ctx, d, "fill", imgc.Args{Sizes: map[string]int{"H": 2, "W": 2}})
		if err != nil || !bytes.Equal(r.Images["dst"].Data, []byte{1, 1, 1, 1}) {
			t.Errorf("%v, %v", r, err)
		}
	}
	times, err := p.Time(ctx, d, "fill", imgc.Args{Sizes: map[string]int{"H": 2, "W": 2}}, 2)
	if err != nil || times.Runs != 2 {
		t.Errorf("%+v, %v", times, err)
	}
	var call *imgc.CallError
	if _, err := p.Run(ctx, d, "fill", imgc.Args{}); !errors.As(err, &call) || !strings.Contains(call.Message, "nothing gives the size H") {
		t.Errorf("%v", err)
	}
	if !d.IsReference() {
		var use *imgc.UsageError
		if _, err := imgc.OpenDevice("no such device"); !errors.As(err, &use) || !strings.HasSuffix(err.Error(), "ref is the reference interpreter") {
			t.Errorf("%v", err)
		}
	}
}

// A schedule says by the names of its stages whether it is for updates that have become reductions. Processors have them as they are.
func TestSchedulesAreForOneFormOfUpdates(t *testing.T) {
	const text = "pipeline p(in src: u8[H][W], out n: i32) { var c = 0; iterate (y, x) over src if (src[y][x] > 9) c += 1; n = c; }\n"
	for _, c := range []struct{ arch, schedule, has, not string }{
		{"nvidia-h200", "", "p_c_part", "p_c_2"},
		{"pocl-cpu", "", "p_c_2", "p_c_part"},
		{"nvidia-h200", "schedule p { c_2: tile(64, 4); }", "p_c_2", "p_c_part"},
		{"pocl-cpu", "schedule p { c_part: tile(4); }", "p_c_part", "p_c_2"},
		{"pocl-cpu", "schedule p { n: tile(1); }", "p_c_2", "p_c_part"},
	} {
		arch, err := imgc.OpenArchitecture(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		p := program(t, "updates.img", text+c.schedule, imgc.Options{Arch: arch})
		kernels, err := p.OpenCL()
		if err != nil {
			t.Fatal(err)
		}
		if got := kernels.Output.Source; !strings.Contains(got, c.has) || strings.Contains(got, c.not) {
			t.Errorf("%s, %q: want %s and no %s in\n%s", c.arch, c.schedule, c.has, c.not, got)
		}
	}
}

// TestPixelsOfThreeBytesLieApartForOneCompiler has them be bytes in local memory for all devices but NVIDIA's under OpenCL, and those that nobody knows.
func TestPixelsOfThreeBytesLieApartForOneCompiler(t *testing.T) {
	const text = "pipeline p(in src: u8x3[H][W] border clamp, out dst: u8x3[H][W]) { dst = [max(src[y-1][x], src[y][x+1]) for y, x]; }"
	const schedules = "schedule p { dst: tile(32, 8) item(1, 1) local; }"
	for _, c := range []struct {
		arch string
		cuda bool
		want string
	}{
		{"nvidia-h200", false, "ushort src_tile["}, {"generic-gpu", false, "ushort src_tile["}, {"", false, "ushort src_tile["}, {"amd-mi210", false, "uchar src_tile["},
		{"nvidia-h200", true, "uint8_t src_tile["}, {"", true, "uint8_t src_tile["},
	} {
		opts := imgc.Options{}
		if c.arch != "" {
			arch, err := imgc.OpenArchitecture(c.arch)
			if err != nil {
				t.Fatal(err)
			}
			opts.Arch = arch
		}
		p := program(t, "p.img", text+schedules, opts)
		got := ""
		if out, err := p.CUDA(); c.cuda && err == nil {
			got = out.Output.Source
		} else if out, err := p.OpenCL(); !c.cuda && err == nil {
			got = out.Output.Source
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q, CUDA %t: no %s in\n%s", c.arch, c.cuda, c.want, got)
		}
	}
}

// A copy in a loop is a swap but where a schedule speaks of it, as one does that was written for the copy.
func TestSchedulesKeepCopies(t *testing.T) {
	const text = "pipeline p(inout u: f32[H][W], in n: i32) { image next: f32[H][W]; " +
		"for (k in 0:n) { next = [u[y][x-1] / 2 for y, x] border clamp; u = next; } }\n"
	for _, c := range []struct {
		schedule string
		copies   bool
	}{
		{"", false},
		{"schedule p { next: tile(64, 4); }", false},
		{"schedule p { u: tile(64, 4); }", true},
	} {
		p := program(t, "copies.img", text+c.schedule, imgc.Options{})
		out, err := p.OpenCL()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.Output.Source, "p_u("); got != c.copies {
			t.Errorf("%q: a kernel copies: %t", c.schedule, got)
		}
	}
}
