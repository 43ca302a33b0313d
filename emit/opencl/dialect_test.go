package opencl

import (
	"strings"
	"testing"

	"imgc/emit/clike"
	"imgc/kir"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

func TestEveryOperatorHasASpellingOnTheKindsThatItIsDefinedOn(t *testing.T) {
	for _, op := range ops.AllOps() {
		r := op.Info().Result
		whole := r == ops.Scalar || r == ops.Flag || op == ops.Cross || op == ops.Normalize
		for _, k := range types.Kinds {
			if want := ops.Defined(op, k) && !whole; dialect.Spelled(op, k) != want {
				t.Errorf("%s of %s is spelled: %v, but kernels may use it: %v", op, k, !want, want)
			}
		}
	}
}

func TestSupportFunctionsThatTablesNameExist(t *testing.T) {
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
	for _, op := range ops.AllOps() {
		for class, row := range dialect.Ops[op] {
			check(op.String(), row.Exact.Support, kinds[class]...)
			check(op.String(), row.Any.Support, kinds[class]...)
		}
	}
	for _, from := range types.Kinds {
		for _, to := range types.Kinds {
			for how := kir.Wrap; how <= kir.Bitcast; how++ {
				if from != to && (how != kir.Bitcast || from.Bits() == to.Bits()) {
					for _, exact := range []bool{false, true} {
						s := conversions.Spell(from, to, how, exact)
						check("a conversion", strings.ReplaceAll(s.Support, "@", from.String()), to)
					}
				}
			}
		}
	}
}

// TestBytesWithinTheirRangeAreNoCasts: of what needs no check bytes alone have an instruction that is shorter than a cast.
func TestBytesWithinTheirRangeAreNoCasts(t *testing.T) {
	for _, k := range types.Kinds {
		if !k.IsInt() {
			continue
		}
		if s, want := conversions.Spell(types.F32, k, kir.Wrap, true), k != types.U8; s.Cast != want {
			t.Errorf("f32 to %s within its range is a cast: %v, want %v", k, s.Cast, want)
		}
	}
}

// TestShortFormsAreExactEnough: quotients round as they like in contract mode alone, with the options of fast mode nothing holds what remainders add and take away apart, and a
// maximum is exact in any form.
func TestShortFormsAreExactEnough(t *testing.T) {
	for mode, want := range map[kir.Mode][]ops.Op{kir.Contract: {ops.Div, ops.Max, ops.Mod, ops.Rem}, kir.Strict: {ops.Max, ops.Mod, ops.Rem}, kir.Fast: {ops.Max}} {
		short := dialects[mode].ShortFloats
		if len(short) != len(want) {
			t.Errorf("mode %v has %d short forms, want %d", mode, len(short), len(want))
		}
		for _, op := range want {
			if name := short[op]; !dialect.Support.Has(name) {
				t.Errorf("mode %v: %v needs %q, which no support file defines", mode, op, name)
			}
		}
	}
}

func TestNoReservedWordIsListedTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range reserved() {
		if seen[w] {
			t.Errorf("%s is listed twice", w)
		}
		seen[w] = true
	}
}

// TestGroupsWithoutLocalMemorySayHowManyAreToFit has one kernel that uses some, and one that leaves the number open.
func TestGroupsWithoutLocalMemorySayHowManyAreToFit(t *testing.T) {
	tile := &kir.Decl{Var: &kir.Var{Name: "tile", Type: types.Scalar(types.F32).Array(64), Space: kir.Local}}
	for _, c := range []struct {
		k    *kir.Kernel
		want bool
	}{
		{&kir.Kernel{Name: "k", Group: [3]int{64, 2, 1}, Resident: 5}, true},
		{&kir.Kernel{Name: "k", Group: [3]int{64, 2, 1}}, false},
		{&kir.Kernel{Name: "k", Group: [3]int{64, 2, 1}, Resident: 5, Body: []kir.Stmt{tile}}, false},
	} {
		text, err := Emit(&kir.Program{Name: "p", Kernels: []*kir.Kernel{c.k}}, Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.Source, "{\n    imgc_room(5);") != c.want || (text.Capability != "") != c.want {
			t.Errorf("%+v: want a call of imgc_room: %v; asks for the capability by %q\n%s", c.k, c.want, text.Capability, text.Source)
		}
	}
}

// TestBuffersThatItemsMeetInHaveOtherPointers: a compiler that hears of a pointer that nothing else is accessed by keeps what it has read behind a barrier, too.
func TestBuffersThatItemsMeetInHaveOtherPointers(t *testing.T) {
	for _, meet := range []bool{false, true} {
		dst := &kir.Var{Name: "dst", Type: types.Scalar(types.I32), Space: kir.Global, Access: kir.Reads | kir.Writes}
		k := &kir.Kernel{Name: "k", Group: [3]int{64, 1, 1}, Params: []*kir.Var{dst}, Body: []kir.Stmt{&kir.Barrier{Buffers: meet}}}
		text, err := Emit(&kir.Program{Name: "p", Kernels: []*kir.Kernel{k}}, Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.Source, "int *restrict dst") == meet {
			t.Errorf("items meet in buffers: %v\n%s", meet, text.Source)
		}
	}
}

// TestPixelsOfThreeBytesLieApartInLocalMemory has those of other pixels lie side by side.
func TestPixelsOfThreeBytesLieApartInLocalMemory(t *testing.T) {
	for channels, want := range map[int]string{1: "__local __attribute__((aligned(2))) uchar row", 3: "__local __attribute__((aligned(16))) ushort row", 4: "__local __attribute__((aligned(2))) uchar row"} {
		row := &kir.Decl{Var: &kir.Var{Name: "row", Type: types.Scalar(types.U8).Array(64), Space: kir.Local, Spread: channels == 3}}
		text, err := Emit(&kir.Program{Name: "p", Kernels: []*kir.Kernel{{Name: "k", Group: [3]int{64, 1, 1}, Body: []kir.Stmt{row}}}}, Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.Source, want) {
			t.Errorf("a row of pixels of %d bytes in local memory goes without %q:\n%s", channels, want, text.Source)
		}
	}
}

// TestBytesInLocalMemoryAreLoadedByTwos has rows of other components lie so that more can be loaded at once.
func TestBytesInLocalMemoryAreLoadedByTwos(t *testing.T) {
	for kind, want := range map[types.Kind]string{types.U8: "aligned(2))) uchar", types.I8: "aligned(2))) char", types.Bool: "aligned(2))) uchar", types.U16: "aligned(16))) ushort"} {
		row := &kir.Decl{Var: &kir.Var{Name: "row", Type: types.Scalar(kind).Array(64), Space: kir.Local}}
		text, err := Emit(&kir.Program{Name: "p", Kernels: []*kir.Kernel{{Name: "k", Group: [3]int{64, 1, 1}, Body: []kir.Stmt{row}}}}, Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.Source, want) {
			t.Errorf("a row of %s in local memory goes without %q:\n%s", kind, want, text.Source)
		}
	}
}

// TestTheLastGroupIsOrderedByFences has what groups pass on ordered by instructions of NVIDIA's devices and by fences of processors, and elsewhere be accessed by atomic functions.
func TestTheLastGroupIsOrderedByFences(t *testing.T) {
	u32, i64 := types.Scalar(types.U32), types.Scalar(types.I64)
	buffer := func(name string, access kir.Access) *kir.Var {
		return &kir.Var{Name: name, Type: u32, Space: kir.Global, Access: access, Const: true}
	}
	at := &kir.Const{Typed: kir.Typed{T: i64}, Words: []types.Word{0}}
	counter, flag := buffer("counter", kir.Reads|kir.Writes), &kir.Var{Name: "is_last", Type: u32.Array(1), Space: kir.Local}
	passed, out := buffer("passed", kir.Reads|kir.Writes|kir.Shared), buffer("out", kir.Writes)
	k := &kir.Kernel{Name: "k", Group: [3]int{1, 1, 1}, Params: []*kir.Var{counter, passed, out}, Body: []kir.Stmt{
		&kir.Decl{Var: flag},
		&kir.Store{Buffer: passed, Offset: at, Value: &kir.Const{Typed: kir.Typed{T: u32}, Words: []types.Word{7}}},
		&kir.Atomic{Op: ops.Max, Buffer: passed, Offset: at, Value: &kir.Const{Typed: kir.Typed{T: u32}, Words: []types.Word{9}}},
		&kir.LastGroup{Counter: counter, Flag: flag, Body: []kir.Stmt{
			&kir.Store{Buffer: out, Offset: at, Value: &kir.Load{Typed: kir.Typed{T: u32}, Buffer: passed, Offset: at}},
		}},
	}}
	got, err := Emit(&kir.Program{Name: "p", File: source.NewFile("p.img", ""), Kernels: []*kir.Kernel{k}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Capability == "" {
		t.Error("the host does not say which device it is")
	}
	for _, want := range []string{
		"#if IMGC_COMPUTE_CAPABILITY >= 70\n#define imgc_ordered() asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\")\n#elif (defined(__x86_64__) || defined(__aarch64__)) && defined(__ATOMIC_ACQ_REL)\n",
		"#ifdef imgc_ordered\n    imgc_ordered();\n#else\n    mem_fence(CLK_GLOBAL_MEM_FENCE);\n#endif",
		"#ifdef imgc_ordered\n    *p = x;\n#else", "    return *p;\n#else\n    return atomic_or(p, 0u);\n#endif",
		"#ifdef imgc_ordered\n    atomic_max(p, x);\n#else",
		"imgc_shared_store_u32(passed + 0, 7u);\n    imgc_shared_max_u32(passed + 0, 9u);\n    if (imgc_last_group(counter, is_last)) {\n        out[0] = imgc_shared_load_u32(passed + 0);",
	} {
		if !strings.Contains(got.Source, want) {
			t.Errorf("no %q in\n%s", want, got.Source)
		}
	}
}
