package kir_test

import (
	"testing"

	"imgc/kir"
	"imgc/types"
)

func TestBytesThatAreSpreadTakeTwice(t *testing.T) {
	local := func(k types.Kind, spread bool) kir.Stmt {
		return &kir.Decl{Var: &kir.Var{Name: "v", Type: types.Scalar(k).Array(100), Space: kir.Local, Spread: spread}}
	}
	for _, c := range []struct {
		kind   types.Kind
		spread bool
		want   int
	}{{types.U8, false, 112}, {types.U8, true, 208}, {types.F32, true, 400}} { // multiples of kir.RunBytes; bytes may have become floats
		if _, got := kir.Locals(&kir.Kernel{Body: []kir.Stmt{local(c.kind, c.spread)}}); got != c.want {
			t.Errorf("100 of %s, spread %t: %d bytes, want %d", c.kind, c.spread, got, c.want)
		}
	}
}
