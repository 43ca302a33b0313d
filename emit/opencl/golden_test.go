package opencl_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc/device/cl"
	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// programs are built by hand to show what the emitter can meet.
var programs = []struct {
	name  string
	build func() *kir.Program
}{
	{"box", boxProgram},
	{"arrays", arraysProgram},
	{"names", namesProgram},
	{"halves", halvesProgram},
	{"vectors", vectorsProgram},
	{"integers", integersProgram},
	{"long", longProgram},
}

func TestGolden(t *testing.T) {
	for _, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			out, err := opencl.Emit(c.build(), opencl.Options{Version: "test"})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", c.name+".cl")
			if *update {
				if err := os.WriteFile(path, []byte(out.Source), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if out.Source != string(want) {
				t.Errorf("%s differs from what is emitted now; run go test -update and read the difference", path)
			}
			again, err := opencl.Emit(c.build(), opencl.Options{Version: "test"})
			if err != nil || again.Source != out.Source {
				t.Errorf("emitting the program again gives another text (error %v)", err)
			}
		})
	}
}

func TestGoldenProgramsCompileAndPassTheVerifier(t *testing.T) {
	for _, c := range programs {
		t.Run(c.name, func(t *testing.T) {
			p := c.build()
			if err := kir.Verify(p); err != nil {
				t.Error(err)
			}
			eachMachine(t, p, func(m *machine) {
				for _, k := range m.out.Kernels {
					_, err := m.program.Kernel(k.Name)
					m.must(err)
				}
			})
		})
	}
}

// boxProgram is a 3x3 mean with clamped coordinates.
func boxProgram() *kir.Program {
	file := source.NewFile("box.img", `pipeline box(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border clamp
        dst[y][x] = u8((sum(src[y - 1 : 3][x - 1 : 3]) + 4) / 9);
}
`)
	src, dst := buffer("src", types.U8, kir.Reads), buffer("dst", types.U8, kir.Writes)
	srcPitch, dstPitch := local("src_pitch", i64T), local("dst_pitch", i64T)
	srcOffset := local("src_offset", i64T)
	height, width := local("H", i32T), local("W", i32T)
	w := &writer{file: file}
	w.at(2)
	y, x := w.let("y", gid(1)), w.let("x", gid(0))
	leave := w.nested(func() { w.add(&kir.Return{Placed: w.placed()}) })
	w.add(&kir.If{Placed: w.placed(), Cond: op(ops.Ge, boolT, x, ref(width)), Then: leave})
	w.at(3)
	sum := w.variable("sum", i32T, num(types.I32, 0))
	last := func(n *kir.Var) kir.Expr { return exact(ops.Sub, i32T, ref(n), num(types.I32, 1)) }
	for dy := -1.0; dy <= 1; dy++ {
		row := w.let("y_p", exact(ops.Clamp, i32T, exact(ops.Add, i32T, y, num(types.I32, dy)), num(types.I32, 0), last(height)))
		start := w.let("src_y", exact(ops.Add, i64T, ref(srcOffset), exact(ops.Mul, i64T, wide(row), ref(srcPitch))))
		for dx := -1.0; dx <= 1; dx++ {
			col := exact(ops.Clamp, i32T, exact(ops.Add, i32T, x, num(types.I32, dx)), num(types.I32, 0), last(width))
			pixel := read(types.Scalar(types.U8), src, exact(ops.Add, i64T, start, wide(w.let("x_p", col))))
			w.set(sum, exact(ops.Add, i32T, ref(sum), conv(i32T, kir.Wrap, true, pixel)))
		}
	}
	mean := exact(ops.Div, i32T, exact(ops.Add, i32T, ref(sum), num(types.I32, 4)), num(types.I32, 9))
	offset := exact(ops.Add, i64T, exact(ops.Mul, i64T, wide(y), ref(dstPitch)), wide(x))
	w.store(dst, offset, conv(types.Scalar(types.U8), kir.Wrap, true, mean))
	k := &kir.Kernel{
		Name: "box_dst", Params: []*kir.Var{src, srcOffset, srcPitch, dst, dstPitch, width, height}, Group: [3]int{128, 1, 1}, Body: w.stmts,
	}
	return &kir.Program{Name: "box", File: file, Kernels: []*kir.Kernel{k}}
}

// TestNamesOfTheLanguageAreFree compiles kernels whose variables, parameters and functions are called as what OpenCL defines.
func TestNamesOfTheLanguageAreFree(t *testing.T) {
	var names []string
	for _, op := range ops.AllOps() {
		if op.Info().Call {
			names = append(names, op.String())
		}
	}
	names = append(names, "float", "float4", "uchar16", "kernel", "__global", "global", "half", "quad", "size_t", "image2d_t", "NAN", "M_PI",
		"INT_MAX", "get_global_id", "barrier", "vload3", "vstore_half", "convert_int", "convert_uchar3_sat_rte", "as_int", "as_float4", "select",
		"imgc_f16", "main", "true", "printf", "event_t", "CLK_ADDRESS_NONE", "linux", "bool", "while", "unix", "vload_half_rte", "private")
	out := buffer("dst", types.I32, kir.Writes)
	p := &kir.Program{Name: "names"}
	w := &writer{}
	sum := kir.Expr(gid(0))
	for _, name := range names {
		f := &kir.Func{Name: name, Params: []*kir.Var{local(name, i32T)}, Result: i32T}
		f.Body = []kir.Stmt{&kir.Return{Value: op(ops.Add, i32T, ref(f.Params[0]), i32c(1))}}
		p.Funcs = append(p.Funcs, f)
		sum = w.let(name, op(ops.Add, i32T, sum, call(f, gid(0))))
	}
	w.store(out, wide(gid(0)), sum)
	p.Kernels = []*kir.Kernel{kernel("atan2", w, out)}
	eachMachine(t, p, func(m *machine) {
		got := &array{types.I32, make([]types.Word, 64)}
		m.run(0, 64, got)
		for i, w := range got.words {
			if want := i + (i+1)*len(names); w.Int() != int64(want) {
				t.Fatalf("item %d gives %d, want %d", i, w.Int(), want)
			}
		}
	})
}

// TestScalarArgumentsOfEveryKindArrive passes what no kernel can take as it is computed: bools, and floats of 16 bits.
func TestScalarArgumentsOfEveryKindArrive(t *testing.T) {
	w := &writer{}
	var params []*kir.Var
	out := buffer("out", types.F64, kir.Writes)
	for j, k := range types.Kinds {
		v := local("arg_"+k.String(), types.Vector(k, 1+j%4))
		params = append(params, v)
		x := ref(v)
		if v.Type.Lanes > 1 {
			x = lanes(x, int(v.Type.Lanes)-1)
		}
		w.store(out, num(types.I64, float64(j)), conv(types.Scalar(types.F64), kir.Wrap, false, x))
	}
	p := &kir.Program{Name: "arguments", Kernels: []*kir.Kernel{kernel("arguments", w, append(params, out)...)}}
	eachMachine(t, p, func(m *machine) {
		got := &array{types.F64, make([]types.Word, len(types.Kinds))}
		var args []any
		for j, v := range params {
			b := make(cl.Bytes, v.Type.Kind.Bytes()*[]int{1, 1, 2, 4, 4}[v.Type.Lanes])
			last := (int(v.Type.Lanes) - 1) * v.Type.Kind.Bytes()
			types.Store(v.Type.Kind, b[last:], types.Convert(types.Float(float64(j+1)), types.F64, v.Type.Kind))
			args = append(args, b)
		}
		m.run(0, 64, append(args, got)...)
		for j, k := range types.Kinds {
			want := float64(j + 1)
			if k == types.Bool {
				want = 1
			}
			if got.words[j].Float() != want {
				t.Errorf("argument of type %s arrives as %v, want %v", params[j].Type, got.words[j].Float(), want)
			}
		}
	})
}

func TestLineDirectivesNameTheSource(t *testing.T) {
	out, err := opencl.Emit(boxProgram(), opencl.Options{Version: "test", Directives: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.Source, "\n"), "\n")
	if len(lines) != len(out.Lines) {
		t.Fatalf("%d lines, but places for %d", len(lines), len(out.Lines))
	}
	for i, l := range lines {
		if strings.Contains(l, "sum +=") && (out.Lines[i].Line() != 3 || lines[i-1] != `#line 3 "box.img"`) {
			t.Errorf("line %d, %q, comes from line %d, behind %q", i+1, l, out.Lines[i].Line(), lines[i-1])
		}
	}
	devices, err := cl.Devices()
	if err != nil {
		t.Skipf("no OpenCL device to test with: %v", err)
	}
	c, err := cl.Open(devices[0])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	build(t, c, out)
}
