package externs

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// texts are files in memory.
type texts map[string]string

func (t texts) ReadFile(name string) ([]byte, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

var files = texts{
	"parts/f.cl": `
// Sums neighbours in place. The names v, i and result are taken in this text.
static int step_of(int i) { return i + 1; }
void pairs(float *v, int n)
{
    for (int i = 0; step_of(i) < 8; i++)
        v[i] += n * v[step_of(i)];
}
float3 tint(uchar v, int3 k) { return (float3)(v, v * k.y, k.z); }
void split(int v, int2 *result) { *result = (int2)(v / 10, v % 10); }
`,
	"parts/g.cl": `
void turn(int a[2][3], int b[3][2]) { for (int y = 0; y < 2; y++) for (int x = 0; x < 3; x++) b[x][y] = a[y][x]; }
int even(bool odd, int v) { return odd ? v - 1 : v; }
`,
	"parts/tools.img": `
extern func even(odd: bool, v: i32): i32 from opencl "g.cl" cuda "g.cu";
func floor2(v: i32): i32 = even(v % 2 != 0, v);
`,
	"parts/g.cu": "__device__ int even(bool odd, int v) { return odd ? v - 1 : v; }",
}

const program = `
import "parts/tools.img";
extern func pairs(inout v: f32[8], n: i32) reads(v[0:8]) writes(v[0:7]) from opencl "parts/f.cl";
extern func tint(v: u8, k: i32x3): f32x3 from opencl "parts/f.cl";
extern func split(v: i32, out parts: i32x2) reads(v) writes(parts) from opencl "parts/f.cl";
extern func turn(a: i32[2][3], out b: i32[3][2]) reads(a) writes(b[0:3][0:2]) from opencl "parts/g.cl";
func both(v: u8): f32x3 = tint(v, i32x3(1, 2, 3)) * 2;

pipeline everything(in src: u8[8*N], out sums: f32[8*N], out tints: f32x3[8*N], out halves: i32x2[8*N], out turned: i32[6*N],
        out rest: i32) {
    iterate (b in 0:N) {
        var v: f32[8] = f32(src[8*b : 8]);
        pairs(v, 2);
        sums[8*b : 8] = v;
        var r: i32[3][2] = 7;
        turn([[src[8*b], 1, 2], [3, 4, src[8*b + 1]]], r);
        for (k in 0:6) turned[6*b + k] = r[k / 2][k % 2];
    }
    tints = [both(src[x]) for x];
    iterate (x) over halves {
        var t: i32x2;
        split(floor2(src[x]), t);
        halves[x] = t;
    }
    let top = floor2(max(src));
    rest = top;
}`

// functions are the externs in Go.
var functions = map[string]imgc.Extern{
	"pairs": func(a []types.Value) types.Value {
		v, n := a[0].Words, float64(a[1].Words[0].Int())
		for i := range 7 {
			v[i] = types.Float(v[i].Float() + n*v[i+1].Float()) // small integers: exact
		}
		return types.Value{Type: types.Scalar(types.F32).Array(8), Words: v}
	},
	"tint": func(a []types.Value) types.Value {
		v, k := a[0].Words[0].Int(), a[1].Words
		return vector(types.F32, types.Float(float64(v)), types.Float(float64(v*k[1].Int())), types.Float(float64(k[2].Int())))
	},
	"split": func(a []types.Value) types.Value {
		v := a[0].Words[0].Int()
		return vector(types.I32, types.Int(v/10), types.Int(v%10))
	},
	"turn": func(a []types.Value) types.Value {
		out := types.Value{Type: types.Scalar(types.I32).Array(3, 2), Words: make([]types.Word, 6)}
		for i, w := range a[0].Words {
			out.Words[i%3*2+i/3] = w
		}
		return out
	},
	"even": func(a []types.Value) types.Value {
		v := a[1].Words[0].Int()
		if a[0].Words[0].Truth() {
			v--
		}
		return types.Of(types.I32, types.Int(v))
	},
}

func vector(k types.Kind, w ...types.Word) types.Value {
	return types.Value{Type: types.Vector(k, len(w)), Words: w}
}

func compiled(t *testing.T, externs map[string]imgc.Extern) *imgc.Program {
	t.Helper()
	return harness.CompileWith(t, "externs.img", program, imgc.Options{Mode: imgc.Strict, Files: files, Externs: externs})
}

func arguments() imgc.Args {
	return imgc.Args{Images: map[string]*pixels.Image{"src": harness.Input("src", harness.Random, types.Scalar(types.U8), 80)}}
}

func TestExternFuncsRunOnDevices(t *testing.T) {
	p := compiled(t, functions)
	want := harness.Interpret(t, p, "everything", arguments())
	if got := want.Images["turned"]; got.Word(2).Int() != 1 || got.Word(1).Int() != 3 {
		t.Errorf("turned begins with %d, %d, %d", got.Word(0).Int(), got.Word(1).Int(), got.Word(2).Int())
	}
	r, err := harness.Build(t, p).Run(context.Background(), "everything", device.Args(arguments()), device.Layout{Pad: 3, Offset: 1})
	if err != nil {
		t.Fatal(err)
	}
	harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
}

func TestGeneratedLibrariesContainTheTexts(t *testing.T) {
	harness.Device(t)
	p := compiled(t, functions)
	project := harness.WriteProject(t, p, imgc.ProjectOptions{})
	want := harness.Interpret(t, p, "everything", arguments())
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "src.npy")}
	if err := imagefile.Write(paths[0], arguments().Images["src"], imagefile.Want{}); err != nil {
		t.Fatal(err)
	}
	names := []string{"sums", "tints", "halves", "turned"}
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name+".npy"))
	}
	demo := project.Demo(t)
	harness.Command(t, dir, demo, paths...)
	for i, name := range names {
		got, err := harness.ReadArray(paths[i+1], want.Images[name])
		if err == nil {
			err = harness.Compare(got, want.Images[name], harness.Bound{})
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	files, err := p.Project(context.Background(), imgc.ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"README.md", "include/externs.h"} {
		if !strings.Contains(string(files[file]), "parts/f.cl") {
			t.Errorf("%s does not say that the text of parts/f.cl is in the kernels", file)
		}
	}
}

// TestProjectsFindWhatProgramsInFoldersName: a project is made without the folder, but from the files in it.
func TestProjectsFindWhatProgramsInFoldersName(t *testing.T) {
	inFolder := texts{"inc/more.img": "func more(a: i32): i32 = a + 1;"}
	for name, text := range files {
		inFolder["deep/folder/"+name] = text
	}
	text := strings.Replace(program, "rest = top;", "rest = more(top);", 1)
	p := harness.CompileWith(t, "deep/folder/externs.img", `import "more.img";`+text, imgc.Options{Files: inFolder, IncludeDirs: []string{"inc"}})
	project, err := p.Project(context.Background(), imgc.ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range project {
		if strings.Contains(string(text), "deep/") || strings.Contains(string(text), "inc/") {
			t.Errorf("%s names the folder", path)
		}
	}
}

func TestInterpreterSaysWhatItCannotCompute(t *testing.T) {
	p := compiled(t, map[string]imgc.Extern{"pairs": functions["pairs"]})
	ref, err := imgc.OpenDevice("ref")
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(context.Background(), ref, "everything", arguments())
	if err == nil || !strings.Contains(err.Error(), "turn is an extern func, which runs on devices") {
		t.Errorf("the interpreter reports %v", err)
	}
}

func TestWrongExternFuncsAreReported(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no file":        {`extern func f(a: f32): f32 from opencl "none.cl";`, "there is no file none.cl"},
		"absolute":       {`extern func f(a: f32): f32 from opencl "/parts/f.cl";`, "/parts/f.cl starts at the root"},
		"no function":    {`extern func blur(a: f32): f32 from opencl "parts/f.cl";`, "parts/f.cl has no function blur"},
		"includes":       {`extern func f(a: f32): f32 from opencl "i.cl";`, "i.cl includes another file"},
		"target":         {`extern func even(odd: bool, v: i32): i32 from metal "parts/g.cl";`, "there is no target metal"},
		"nothing":        {`extern func pairs(v: f32[8], n: i32) from opencl "parts/f.cl";`, "pairs gives nothing"},
		"two values":     {`extern func pairs(inout v: f32[8], out n: i32) from opencl "parts/f.cl";`, "gives one value"},
		"array result":   {`extern func pairs(n: i32): f32[8] from opencl "parts/f.cl";`, "returns a scalar or a vector"},
		"half":           {`extern func tint(v: u8, k: i32x3): f16x3 from opencl "parts/f.cl";`, "computes in f32 or f64, not in f16"},
		"writes in":      {`extern func pairs(inout v: f32[8], n: i32) writes(n) from opencl "parts/f.cl";`, "n is written, and is neither out nor inout"},
		"reads out":      {`extern func split(v: i32, out parts: i32x2) reads(parts) from opencl "parts/f.cl";`, "parts is read, and is out"},
		"window":         {`extern func pairs(inout v: f32[8], n: i32) writes(v[2:7]) from opencl "parts/f.cl";`, "v has the elements 0 to 7 here, this reaches from 2 to 8"},
		"no parameter":   {`extern func pairs(inout v: f32[8], n: i32) writes(w) from opencl "parts/f.cl";`, "writes names parameters of pairs"},
		"in a const":     {`const C = even(true, 3); pipeline p(out n: i32) { n = C; }`, "even is an extern func, which runs on the device only"},
		"no var":         {`pipeline p(out d: i32x2[N]) { iterate (i) over d { let t = i32x2(0); split(i, t); d[i] = t; } }`, "it takes a var of type i32x2"},
		"as a value":     {`pipeline p(out d: i32x2[N]) { iterate (i) over d { var t: i32x2; d[i] = split(i, t); } }`, "is called as a statement"},
		"as a statement": {`pipeline p(out d: i32[N]) { iterate (i) over d { even(true, 1); d[i] = 0; } }`, "gives a value and is no statement"},
		"arguments":      {`pipeline p(out d: i32x2[N]) { iterate (i) over d { var t: i32x2; split(t); d[i] = t; } }`, "takes 2 arguments, not 1"},
		"types":          {`pipeline p(out d: i32[N]) { d = [even(1.5, i) for i]; }`, "the parameter odd of even is bool"},
	} {
		t.Run(name, func(t *testing.T) {
			text := c.text
			if !strings.HasPrefix(text, "extern") {
				text = `import "parts/tools.img"; extern func split(v: i32, out parts: i32x2) from opencl "parts/f.cl"; ` + text
			}
			all := texts{"i.cl": "#include \"other.h\"\nfloat f(float a) { return a; }"}
			for name, text := range files {
				all[name] = text
			}
			result, err := imgc.Check(context.Background(), "x.img", text, imgc.Options{Files: all})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range result.Diagnostics.Sorted() {
				got = append(got, d.Message)
				for _, n := range d.Notes {
					got = append(got, n.Message)
				}
			}
			if !strings.Contains(strings.Join(got, "\n"), c.want) {
				t.Errorf("reports %q, wanted %q", got, c.want)
			}
		})
	}
}
