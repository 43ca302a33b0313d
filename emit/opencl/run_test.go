package opencl_test

import (
	"strings"
	"testing"

	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/types"
)

// TestFourBytesAreLoadedAsOneWord has NVIDIA's compiler see a word of two or four components, as it sees words of more.
func TestFourBytesAreLoadedAsOneWord(t *testing.T) {
	for _, c := range []struct {
		kind  types.Kind
		count int
		want  []string
	}{
		{types.U16, 2, []string{"const uint v = *(const __global uint *)from;", "to[1] = (ushort)(v >> 16);", "*(__global ushort2 *)to = (ushort2)(from[0], from[1]);"}},
		{types.U8, 4, []string{"to[0] = (uchar)v;", "to[3] = (uchar)(v >> 24);"}},
		{types.U16, 4, []string{"const uint2 v = *(const __global uint2 *)from;", "to[3] = (ushort)(v.s1 >> 16);", "(uint)(ushort)from[0] | ((uint)(ushort)from[1] << 16),", "(uint)from[2] | ((uint)from[3] << 16));"}},
		{types.U8, 2, []string{"const uchar2 v = *(const __global uchar2 *)from;"}},
	} {
		src, dst := buffer("src", c.kind, kir.Reads), buffer("dst", c.kind, kir.Writes)
		row := &kir.Var{Name: "row", Type: types.Scalar(c.kind).Array(c.count)}
		sums := &kir.Var{Name: "sums", Type: i32T.Array(c.count)}
		start := []kir.Expr{num(types.I32, 0)}
		w := &writer{}
		w.add(&kir.Decl{Var: row})
		w.add(&kir.LoadRun{Var: row, Index: start, Buffer: src, Offset: num(types.I64, 0), Count: c.count})
		w.add(&kir.StoreRun{Var: row, Index: start, Buffer: dst, Offset: num(types.I64, 0), Count: c.count})
		w.add(&kir.Decl{Var: sums})
		w.add(&kir.StoreRun{Var: sums, Index: start, Buffer: dst, Offset: num(types.I64, 0), Count: c.count})
		out, err := opencl.Emit(program("runs", "", kir.Strict, nil, nil, kernel("runs", w, src, dst)), opencl.Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.Source, want) {
				t.Errorf("%d components of %s go without %q:\n%s", c.count, c.kind, want, out.Source)
			}
		}
	}
}
