package kir

import (
	"testing"

	"imgc/types"
)

// TestUntilMemory has the statements that a kernel may run before the launch in front of it has ended, and one that it may not.
func TestUntilMemory(t *testing.T) {
	i32 := types.Scalar(types.I32)
	seven := &Const{Typed: Typed{T: i32}, Words: []types.Word{7}}
	v, own := &Var{Name: "i", Type: i32}, &Var{Name: "own", Type: i32}
	tile := &Var{Name: "tile", Type: i32.Array(64), Space: Local}
	src := &Var{Name: "src", Type: i32, Space: Global, Access: Reads}
	at := &Ref{Typed: Typed{T: i32}, Var: v}
	load := &Load{Typed: Typed{T: i32}, Buffer: src, Offset: seven}
	fill := &For{Var: v, Lo: seven, Hi: seven, Step: 1, Body: []Stmt{&Assign{Var: tile, Index: []Expr{at}, Value: seven}}}
	copied := &For{Var: v, Lo: seven, Hi: seven, Step: 1, Body: []Stmt{&Assign{Var: tile, Index: []Expr{at}, Value: load}}}
	none := &If{Cond: seven, Then: []Stmt{&Return{}}}
	place := &Decl{Var: own, Init: seven}
	for name, c := range map[string]struct {
		body []Stmt
		want int
	}{
		"a place, and whether there is one":   {[]Stmt{place, none, &Decl{Var: own, Init: load}}, 2},
		"local memory that is filled":         {[]Stmt{place, fill, &Barrier{}, place, &Assign{Var: own, Value: load}}, 4},
		"local memory that is loaded":         {[]Stmt{place, copied, &Barrier{}}, 1},
		"a barrier behind what is in buffers": {[]Stmt{place, &Barrier{Buffers: true}, place}, 1},
		"a store":                             {[]Stmt{&Store{Buffer: src, Offset: seven, Value: seven}}, 0},
		"a condition with more than an end":   {[]Stmt{&If{Cond: seven, Then: []Stmt{place}}}, 0},
	} {
		if got := UntilMemory(c.body); got != c.want {
			t.Errorf("%s: %d statements before memory, want %d", name, got, c.want)
		}
	}
}
