package block

import (
	"fmt"
	"testing"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// phaseCases are values of x, from 0 on, written with shorthands.
func phaseCases() (x *hast.Var, cases map[string]hast.Expr) {
	x = &hast.Var{Name: "x", Type: i32, Class: hast.Iterator}
	at := hast.Expr(&hast.Ref{Typed: hast.Typed{T: i32}, Var: x})
	bin := func(op ops.Op, a hast.Expr, c int64) hast.Expr { return hast.Binary(op, a, hast.Int(c)) }
	half := bin(ops.Div, at, 2)
	return x, map[string]hast.Expr{
		"x/2*2 + 1":        bin(ops.Add, bin(ops.Mul, half, 2), 1),
		"x & ~1":           bin(ops.And, at, ^1),
		"x & 6":            bin(ops.And, at, 6),
		"3*x & 5":          bin(ops.And, bin(ops.Mul, at, 3), 5),
		"x - x%2":          hast.Binary(ops.Sub, at, bin(ops.Rem, at, 2)),
		"x >> 1 << 1":      bin(ops.Shl, bin(ops.Shr, at, 1), 1),
		"x/4*5 + x%4":      hast.Binary(ops.Add, bin(ops.Mul, bin(ops.Div, at, 4), 5), bin(ops.Rem, at, 4)),
		"x/2 + (x & 1)":    hast.Binary(ops.Add, half, bin(ops.And, at, 1)),
		"(x/2)%3":          bin(ops.Rem, half, 3),
		"7 - x%8":          hast.Binary(ops.Sub, hast.Int(7), bin(ops.Rem, at, 8)),
		"(5 - x) mod 4":    bin(ops.Mod, hast.Binary(ops.Sub, hast.Int(5), at), 4),
		"floor((x - 7)/3)": bin(ops.FloorDiv, bin(ops.Sub, at, 7), 3),
		"x/2 - x/3":        hast.Binary(ops.Sub, half, bin(ops.Div, at, 3)),
	}
}

// TestPhases holds what is found of values against the values.
func TestPhases(t *testing.T) {
	x, cases := phaseCases()
	stage := &hast.Stage{Space: hast.Space{Vars: []*hast.Var{x}, Ranges: []hast.Range{{Lo: hast.Int(0), Hi: hast.Int(99), Step: 1}}}}
	scope := ScopeOf(stage)
	for name, e := range cases {
		p, ok := scope.Phases(e)
		if !ok || !p.InPeriods() || p.Var != x {
			t.Errorf("%s: %v, %v", name, p, ok)
			continue
		}
		n := int64(len(p.At))
		for v := range int64(100) {
			got, want := p.At[v%n], valueAt(e, v)
			got.Lo, got.Hi = got.Lo+v/n*p.Step, got.Hi+v/n*p.Step
			if got != (Bounds{want, want}) {
				t.Errorf("%s of %d is %d, not in %v", name, v, want, got)
			}
		}
	}
}

func valueAt(e hast.Expr, x int64) int64 {
	switch e := e.(type) {
	case *hast.Const:
		return e.Words[0].Int()
	case *hast.Ref:
		return x
	case *hast.Op:
		return ops.Eval(e.Op, types.I32, types.Int(valueAt(e.Args[0], x)), types.Int(valueAt(e.Args[1], x))).Int()
	}
	panic(fmt.Sprintf("%T", e))
}

// TestNoPhases: below 0 quotients that are cut off are no floors; periods may be too long; and variables that begin elsewhere have blocks that do, too.
func TestNoPhases(t *testing.T) {
	x := &hast.Var{Name: "x", Type: i32, Class: hast.Iterator}
	at := hast.Expr(&hast.Ref{Typed: hast.Typed{T: i32}, Var: x})
	bin := func(op ops.Op, a hast.Expr, c int64) hast.Expr { return hast.Binary(op, a, hast.Int(c)) }
	of := func(first int64) *Scope {
		return ScopeOf(&hast.Stage{Space: hast.Space{Vars: []*hast.Var{x}, Ranges: []hast.Range{{Lo: hast.Int(first), Hi: hast.Int(99), Step: 1}}}})
	}
	for name, e := range map[string]hast.Expr{
		"(x - 1)/2": bin(ops.Div, bin(ops.Sub, at, 1), 2), "(x - 1)%2": bin(ops.Rem, bin(ops.Sub, at, 1), 2), "(5 - x)%4": bin(ops.Rem, hast.Binary(ops.Sub, hast.Int(5), at), 4),
		"x/64": bin(ops.Div, at, 64), "x%0": bin(ops.Rem, at, 0), "x/-2": bin(ops.Div, at, -2), "x*x": hast.Binary(ops.Mul, at, at),
	} {
		if p, ok := of(0).Phases(e); ok {
			t.Errorf("%s: %v", name, p)
		}
	}
	if p, ok := of(1).Phases(bin(ops.Rem, at, 2)); ok {
		t.Errorf("x%%2 from 1 on: %v", p)
	}
}

// TestRepeats: sums of several variables repeat where all of them do.
func TestRepeats(t *testing.T) {
	y, x := &hast.Var{Name: "y", Type: i32, Class: hast.Iterator}, &hast.Var{Name: "x", Type: i32, Class: hast.Iterator}
	ref := func(v *hast.Var) hast.Expr { return &hast.Ref{Typed: hast.Typed{T: i32}, Var: v} }
	r := hast.Range{Lo: hast.Int(0), Hi: hast.Int(99), Step: 1}
	scope := ScopeOf(&hast.Stage{Space: hast.Space{Vars: []*hast.Var{y, x}, Ranges: []hast.Range{r, r}}})
	sum := hast.Binary(ops.Add, hast.Binary(ops.Mul, ref(y), hast.Int(2)), ref(x))
	less := hast.Binary(ops.Sub, ref(y), ref(x))
	for name, c := range map[string]struct {
		of   hast.Expr
		want string
	}{
		"(2*y + x)%4":  {hast.Binary(ops.Rem, sum, hast.Int(4)), "y 2 x 4 "},
		"(y - x) & 1":  {hast.Binary(ops.And, less, hast.Int(1)), "y 2 x 2 "},
		"(y - x)%2":    {hast.Binary(ops.Rem, less, hast.Int(2)), "no"}, // its sign is that of the difference
		"2*y + x":      {sum, "no"},
		"(y - x) & ~1": {hast.Binary(ops.And, less, hast.Int(^1)), "no"},
		"(y - x) & 0":  {hast.Binary(ops.And, less, hast.Int(0)), "no"},
		"y%2*2 + x%3":  {hast.Binary(ops.Add, hast.Binary(ops.Mul, hast.Binary(ops.Rem, ref(y), hast.Int(2)), hast.Int(2)), hast.Binary(ops.Rem, ref(x), hast.Int(3))), "y 2 x 3 "},
	} {
		got := ""
		list, ok := scope.Repeats(c.of)
		for _, p := range list {
			if p.Var != nil {
				got += fmt.Sprintf("%s %d ", p.Var.Name, p.N)
			}
		}
		if !ok {
			got = "no"
		}
		if got != c.want {
			t.Errorf("%s repeats every %s, not %s", name, got, c.want)
		}
	}
}

// TestPeriodicSpans: the places of instances of any block are in the span of their coordinates and, joined with others, in that of both.
func TestPeriodicSpans(t *testing.T) {
	x, cases := phaseCases()
	scope := ScopeOf(&hast.Stage{Space: hast.Space{Vars: []*hast.Var{x}, Ranges: []hast.Range{{Lo: hast.Int(0), Hi: hast.Int(99), Step: 1}}}})
	plain := Span{Stride: 1, Lo: -1, Hi: 1}
	found := 0
	for name, e := range cases {
		s, ok := scope.periodic(e, 3, x)
		if !ok {
			continue
		}
		found++
		joined, met := s.joined(plain)
		if same := s.Stride == s.Div; met != same || met && (!joined.holds(s) || !joined.holds(plain) || plain.holds(s)) {
			t.Errorf("%s: %v and %v are %v, %v", name, s, plain, joined, met)
		}
		const n = 24
		for v := range int64(96) {
			at := valueAt(e, v) - 3
			base := v / n * int64(s.Covers(n))
			if !s.Divides(n) || at < base+int64(s.First()) || at > base+int64(s.Last(n)) {
				t.Errorf("%s of %d is at %d, and the block from %d to %d", name, v, at, base+int64(s.First()), base+int64(s.Last(n)))
			}
		}
	}
	if found < 6 {
		t.Errorf("%d of the values are places of windows", found)
	}
}
