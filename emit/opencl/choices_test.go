package opencl_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// TestChoicesEndConstants has values that follow from each other by conditions: clang looks for the value of a constant wherever it is read,
// so that constants that follow from constants must come to an end.
func TestChoicesEndConstants(t *testing.T) {
	const values = 12
	w := &writer{}
	src, dst := buffer("src", types.F32, kir.Reads), buffer("dst", types.F32, kir.Writes)
	x := w.let("v0", read(f32T, src, num(types.I64, 0)))
	for i := range values {
		y := read(f32T, src, num(types.I64, float64(i+1)))
		x = w.let(fmt.Sprint("v", i+1), &kir.Select{Typed: kir.Typed{T: f32T}, Cond: op(ops.Lt, boolT, x, y), Then: x, Else: y})
	}
	w.add(&kir.Store{Buffer: dst, Offset: num(types.I64, 0), Value: x})
	out, err := opencl.Emit(program("choices", "", kir.Strict, nil, nil, kernel("choices", w, src, dst)), opencl.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	row := 0
	for i := range values + 1 {
		if row++; !strings.Contains(out.Source, fmt.Sprintf("const float v%d =", i)) {
			row = 0
		}
		if row > 6 {
			t.Fatalf("v%d is the %d. constant of a row:\n%s", i, row, out.Source)
		}
	}
}
