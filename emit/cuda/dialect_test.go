package cuda

import (
	"strings"
	"testing"

	"imgc/emit/clike"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

func TestEveryOperatorHasASpellingOnTheKindsThatItIsDefinedOn(t *testing.T) {
	for mode, dialect := range dialects {
		for _, op := range ops.AllOps() {
			r := op.Info().Result
			whole := r == ops.Scalar || r == ops.Flag || op == ops.Cross || op == ops.Normalize
			for _, k := range types.Kinds {
				if want := ops.Defined(op, k) && !whole; dialect.Spelled(op, k) != want {
					t.Errorf("%s of %s is spelled: %v, but kernels may use it: %v, in mode %s", op, k, !want, want, kir.Mode(mode))
				}
			}
		}
	}
}

func TestSupportFunctionsThatTablesNameExist(t *testing.T) {
	dialect := dialects[kir.Strict]
	check := func(what, pattern string, kinds ...types.Kind) {
		for _, k := range kinds {
			if name := strings.ReplaceAll(pattern, "$", k.String()); pattern != "" && !dialect.Support.Has(name) {
				t.Errorf("%s needs %s, which no support file defines", what, name)
			}
		}
	}
	kinds := map[clike.Class][]types.Kind{
		clike.Signed: {types.I32, types.I64}, clike.Unsigned: {types.U32, types.U64}, clike.Floats: {types.F32, types.F64},
	}
	for _, table := range []clike.Table{operators(false), operators(true)} {
		for _, op := range ops.AllOps() {
			for class, row := range table[op] {
				check(op.String(), row.Exact.Support, kinds[class]...)
				check(op.String(), row.Any.Support, kinds[class]...)
			}
		}
	}
	for _, from := range types.Kinds {
		for _, to := range types.Kinds {
			for how := kir.Wrap; how <= kir.Bitcast; how++ {
				sameOrWider := from.IsInt() && to.IsInt() && how != kir.Bitcast && (types.Holds(from, to) || how == kir.Wrap) // clike does those
				if from != to && (how != kir.Bitcast || from.Bits() == to.Bits()) && !sameOrWider {
					s := conversions.Spell(from, to, how, false)
					check("a conversion", strings.ReplaceAll(s.Support, "@", from.String()), to)
				}
			}
		}
	}
	for _, k := range []types.Kind{types.I32, types.U32, types.I64, types.U64, types.F32, types.F64} {
		for op, word := range supportWords {
			if k.IsInt() || op != ops.And && op != ops.Or && op != ops.Xor {
				if !hasAtomic[k][op] || k == types.F32 && op == ops.Add {
					check("an update", "imgc_atomic_"+word+"_$", k)
				}
			}
		}
	}
	for _, d := range dialects {
		for k, byOp := range d.Halves {
			for _, op := range ops.AllOps() {
				if check("halves", byOp[op], k); kir.HaveHalves(op, k) != (byOp[op] != "") {
					t.Errorf("%s of halves of %s is spelled %q", op, k, byOp[op])
				}
			}
		}
		for _, name := range d.ShortFloats {
			check("a short operator", name, types.F32)
		}
	}
	for _, name := range []string{dialect.FourBytes, dialect.Dot4, dialect.Permute, dialect.Signs, dialect.Once, dialect.TryLock, dialect.Unlock, dialect.Start, dialect.Shuffle, dialect.LastGroup, dialect.Pool, "imgc_shared_load", "imgc_shared_store"} {
		check("the dialect", name, types.F32)
	}
	for _, n := range []string{"2", "3", "4"} {
		for _, name := range []string{"load", "store", "load_boolx", "load_f16x", "load_bf16x", "store_f16x", "store_bf16x", "from_f16x", "from_bf16x", "splat", "choose"} {
			check("a vector", "imgc_"+name+n, types.F32)
		}
	}
	for _, name := range []string{"to_f16x2", "to_f16x4", "to_bf16x2", "to_bf16x4"} {
		check("an aligned vector", "imgc_"+name, types.F32)
	}
}

func TestVectorsGetOperatorsOfTheirOwn(t *testing.T) {
	f32x2 := types.Vector(types.F32, 2)
	out := &kir.Var{Name: "out", Type: types.Scalar(types.F32), Space: kir.Global, Access: kir.Writes, Const: true}
	zero := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{0}}
	half := &kir.Const{Typed: kir.Typed{T: f32x2}, Words: []types.Word{types.Float(0.5), types.Float(0.5)}}
	v := &kir.Var{Name: "v", Type: f32x2}
	sum := &kir.Op{Typed: kir.Typed{T: f32x2}, Op: ops.Add, Args: []kir.Expr{&kir.Ref{Typed: kir.Typed{T: f32x2}, Var: v}, half}}
	p := &kir.Program{Name: "p", Kernels: []*kir.Kernel{{Name: "k", Params: []*kir.Var{out}, Group: [3]int{1, 1, 1}, Body: []kir.Stmt{
		&kir.Decl{Var: v, Init: half}, &kir.Assign{Var: v, Value: sum}, &kir.Store{Buffer: out, Offset: zero, Value: &kir.Ref{Typed: kir.Typed{T: f32x2}, Var: v}},
	}}}}
	text, err := Emit(p, Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"static __device__ float2 operator+(float2 a, float b)\n", "float2 v = float2{0.5f, 0.5f};", "v = v + 0.5f;", "imgc_store2(out + 0, v);",
		"__launch_bounds__(1)\nstatic __global__ void k(float *__restrict__ out)\n", "    imgc_start();\n",
	} {
		if !strings.Contains(text.Source, want) {
			t.Errorf("no %q in\n%s", want, text.Source)
		}
	}
}

// TestStoresTogether has what several stores write computed before the first of them.
func TestStoresTogether(t *testing.T) {
	out := &kir.Var{Name: "out", Type: types.Scalar(types.F32), Space: kir.Global, Access: kir.Writes, Const: true}
	row := &kir.Var{Name: "row", Type: types.Scalar(types.F32).Array(8)}
	at := func(t types.Type, n int64) kir.Expr {
		return &kir.Const{Typed: kir.Typed{T: t}, Words: []types.Word{types.Int(n)}}
	}
	i32, i64 := types.Scalar(types.I32), types.Scalar(types.I64)
	store := func(n int64, first bool) kir.Stmt {
		return &kir.StoreRun{Buffer: out, Offset: at(i64, n), Var: row, Index: []kir.Expr{at(i32, n)}, Count: 4, First: first}
	}
	single := func(n int64, first bool) kir.Stmt {
		element := &kir.Elem{Typed: kir.Typed{T: types.Scalar(types.F32)}, Var: row, Index: []kir.Expr{at(i32, n)}}
		return &kir.Store{Buffer: out, Offset: at(i64, n), Value: element, First: first}
	}
	p := &kir.Program{Name: "p", Kernels: []*kir.Kernel{{Name: "k", Params: []*kir.Var{out}, Group: [3]int{1, 1, 1}, Body: []kir.Stmt{
		&kir.Decl{Var: row}, store(0, true), store(4, false), single(0, true), single(1, false),
	}}}}
	text, err := Emit(p, Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "    imgc_together();\n    imgc_store_f32x4(out + 0, row);\n    imgc_store_f32x4(out + 4, row + 4);\n" +
		"    imgc_together();\n    out[0] = row[0];\n    out[1] = row[1];\n"; !strings.Contains(text.Source, want) {
		t.Errorf("no %q in\n%s", want, text.Source)
	}
}

// alignedCopy copies vectors in so many columns of a line.
func alignedCopy(elem types.Type, columns int) *kir.Program {
	i64 := kir.Typed{T: types.Scalar(types.I64)}
	from := &kir.Var{Name: "from", Type: types.Scalar(elem.Kind), Space: kir.Global, Access: kir.Reads, Const: true}
	to := &kir.Var{Name: "to", Type: types.Scalar(elem.Kind), Space: kir.Global, Access: kir.Writes, Const: true}
	line := &kir.Var{Name: "line", Type: i64.T, Const: true}
	k := &kir.Kernel{Name: "k", Params: []*kir.Var{from, to, line}, Group: [3]int{1, 1, 1}}
	lanes := &kir.Const{Typed: i64, Words: []types.Word{types.Int(int64(elem.Lanes))}}
	for _, name := range []string{"x", "z"}[:columns] {
		x := &kir.Var{Name: name, Type: i64.T, Const: true}
		place := &kir.Op{Typed: i64, Op: ops.Mul, Args: []kir.Expr{&kir.Ref{Typed: i64, Var: x}, lanes}, Exact: true}
		offset := &kir.Op{Typed: i64, Op: ops.Add, Args: []kir.Expr{&kir.Ref{Typed: i64, Var: line}, place}, Exact: true}
		load := &kir.Load{Typed: kir.Typed{T: elem}, Buffer: from, Offset: offset, Aligned: true}
		k.Params = append(k.Params, x)
		k.Body = append(k.Body, &kir.Store{Buffer: to, Offset: offset, Value: load, Aligned: true})
	}
	return &kir.Program{Name: "p", Kernels: []*kir.Kernel{k}}
}

func TestAlignedVectorsAreMovedAtOnce(t *testing.T) {
	for _, c := range []struct {
		elem    types.Type
		columns int
		want    string
	}{
		{types.Vector(types.F32, 2), 1, "((float2 *)(to + line))[x] = *(const float2 *)(from + line + x * 2);"},
		{types.Vector(types.F32, 2), 2, "((float2 *)(to + line))[z] = ((const float2 *)(from + line))[z];"},
		{types.Vector(types.I8, 4), 2, "((char4 *)(to + line))[x] = ((const char4 *)(from + line))[x];"},
		{types.Vector(types.F16, 4), 1, "((ushort4 *)(to + line))[x] = imgc_to_f16x4(imgc_from_f16x4(*(const ushort4 *)(from + line + x * 4)));"},
		{types.Vector(types.BF16, 2), 2, "((ushort2 *)(to + line))[x] = imgc_to_bf16x2(imgc_from_bf16x2(((const ushort2 *)(from + line))[x]));"},
	} {
		text, err := Emit(alignedCopy(c.elem, c.columns), Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(text.Source), " "); !strings.Contains(strings.ReplaceAll(got, "LL", ""), c.want) {
			t.Errorf("no %q in\n%s", c.want, text.Source)
		}
	}
}

func TestKernelsSayHowManyGroupsAreToFit(t *testing.T) {
	p := &kir.Program{Name: "p", Kernels: []*kir.Kernel{{Name: "k", Group: [3]int{64, 4, 1}, Resident: 8}}}
	text, err := Emit(p, Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"int imgc_resident(int threads, int wanted)\n", "__launch_bounds__(256, imgc_resident(256, 8))\nstatic __global__ void k(void)\n"} {
		if !strings.Contains(text.Source, want) {
			t.Errorf("no %q in\n%s", want, text.Source)
		}
	}
}

// The memory for constants holds 64 KB: the largest tables lie elsewhere where all do not fit.
func TestTablesFitTheMemoryForConstants(t *testing.T) {
	p := &kir.Program{Name: "p", Kernels: []*kir.Kernel{{Name: "k", Group: [3]int{1, 1, 1}}}}
	for _, c := range []struct {
		name string
		n    int
	}{{"large", 20000}, {"small", 9}, {"medium", 12000}, {"another", 12000}} {
		typ := types.Scalar(types.F32).Array(c.n)
		p.Tables = append(p.Tables, &kir.Table{Var: &kir.Var{Name: c.name, Type: typ, Space: kir.Constant, Const: true}, Words: make([]types.Word, c.n)})
	}
	text, err := Emit(p, Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"__device__ const float large[", "__constant__ const float small[", "__constant__ const float medium[", "__device__ const float another["} {
		if !strings.Contains(text.Source, "static "+want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestNoReservedWordIsListedTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range strings.Fields(keywords + device + functions + macros) {
		if seen[w] {
			t.Errorf("%s is listed twice", w)
		}
		seen[w] = true
	}
}
