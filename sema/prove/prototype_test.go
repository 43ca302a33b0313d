package prove

import (
	"slices"
	"testing"
)

// The obligations that the language's sample programs make, as far as they can go wrong.

var (
	zero = K(0)
	one  = K(1)
)

// sizes returns a system with these parameters, each at least 1.
func sizes(names ...Var) *System {
	s := NewSystem()
	for _, n := range names {
		s.Param(n)
		s.Given(GE(V(n), one))
	}
	return s
}

// during adds ranges 0 <= v < extent.
func (s *System) during(v Var, extent Lin) Lin {
	s.When(In(V(v), zero, extent))
	return V(v)
}

func TestRangeObligations(t *testing.T) {
	cases := []struct {
		name    string
		ask     func() Answer
		want    Verdict
		check   string // the clauses, joined by " && "
		exact   bool
		counter string // "" if any will do
	}{
		{"P1 every other row up to (h+1)/2", func() Answer {
			s := sizes("h")
			y := s.during("y", s.TruncDiv(V("h").Plus(1), 2))
			return s.InRange(y.Scale(2), zero, V("h"))
		}, Proved, "", true, ""},
		{"P1b coarse row y/2", func() Answer {
			s := sizes("h")
			y := s.during("y", V("h"))
			return s.InRange(s.TruncDiv(y, 2), zero, s.TruncDiv(V("h").Plus(1), 2))
		}, Proved, "", true, ""},
		{"P1c coarse row (y+1)/2 is out for even h", func() Answer {
			s := sizes("h")
			y := s.during("y", V("h"))
			return s.InRange(s.Div(y.Plus(1), 2), zero, s.Div(V("h").Plus(1), 2))
		}, Conditional, "mod(h, 2) != 0", true, "h = 2, y = 1"},
		{"P3b a block of 4 rows", func() Answer {
			s := sizes("H")
			y := s.during("y", s.TruncDiv(V("H"), 4).Plus(-1))
			i := s.during("i", K(4))
			return s.InRange(y.Scale(4).Plus(2).Add(i), zero, V("H"))
		}, Proved, "", true, ""},
		{"P8 guarded by a condition", func() Answer {
			s := sizes("N")
			s.When(And{GE(V("n"), zero), LT(V("n"), V("N"))})
			return s.InRange(V("n"), zero, V("N"))
		}, Proved, "", true, ""},
		{"P9 clamped window start", func() Answer {
			s := sizes("n", "taps")
			s.Given(LE(V("taps"), V("n")))
			start := s.Clamp(V("e"), zero, V("n").Sub(V("taps")))
			k := s.during("k", V("taps"))
			return s.InRange(start.Add(k), zero, V("n"))
		}, Proved, "", true, ""},
		{"P10 the last column but one", func() Answer {
			s := sizes("w")
			return s.InRange(V("w").Plus(-2), zero, V("w"))
		}, Conditional, "w >= 2", true, "w = 1"},
		{"P10b the last column but one of two at least", func() Answer {
			s := sizes("w")
			s.Given(GE(V("w"), K(2)))
			return s.InRange(V("w").Plus(-2), zero, V("w"))
		}, Proved, "", true, ""},
		{"P11 figure 7, column 2*x+1 in the last column of an even image", func() Answer {
			s := sizes("N")
			s.When(EQ(s.Rem(V("N"), 2), zero), EQ(V("x"), s.TruncDiv(V("N").Plus(1), 2).Plus(-1)))
			return s.InRange(V("x").Scale(2).Plus(1), zero, V("N"))
		}, Proved, "", true, ""},
		{"P11 figure 7, column 2*x+1 in the other columns", func() Answer {
			s := sizes("N")
			width := s.TruncDiv(V("N").Plus(1), 2)
			x := s.during("x", width)
			s.When(Not(EQ(x, width.Plus(-1))))
			return s.InRange(x.Scale(2).Plus(1), zero, V("N"))
		}, Proved, "", true, ""},
		{"P11 figure 7, line 31 as printed", func() Answer {
			s := sizes("M")
			s.Given(GE(V("M"), K(2)))
			s.When(EQ(s.Rem(V("M"), 2), zero))
			return s.InRange(V("M").Plus(-1), zero, s.TruncDiv(V("M").Plus(1), 2))
		}, Refuted, "", true, "M = 2"},
		{"the row above the first", func() Answer {
			s := sizes("H", "W")
			y := s.during("y", V("H"))
			s.during("x", V("W"))
			return s.InRange(y.Plus(-1), zero, V("H"))
		}, Refuted, "", true, "H = 1, W = 1, x = 0, y = 0"},
		{"the second row before, from the second row on", func() Answer {
			s := sizes("H")
			s.When(In(V("y"), one, V("H")))
			return s.InRange(V("y").Plus(-2), zero, V("H"))
		}, Refuted, "", true, "H = 2, y = 1"},
		{"rows 1 to H-1 and their neighbours", func() Answer {
			s := sizes("H")
			s.When(In(V("y"), one, V("H").Plus(-1)))
			return s.InRange(V("y").Plus(1), zero, V("H"))
		}, Proved, "", true, ""},
		{"two images of different widths", func() Answer {
			s := sizes("W", "N")
			return s.InRange(s.during("x", V("W")), zero, V("N"))
		}, Conditional, "N >= W", true, ""},
		{"two images of different widths, some columns left out", func() Answer {
			s := sizes("W", "N")
			return s.InRange(s.during("x", V("W").Plus(-3)), zero, V("N"))
		}, Conditional, "N + 3 >= W", true, ""},
		{"a host condition is no fact at entry", func() Answer {
			s := sizes("W")
			s.Param("n")
			s.When(GE(V("n"), K(3)))
			return s.InRange(V("n").Plus(-5), zero, V("W").Plus(100))
		}, Conditional, "(n >= 5 || n <= 2) && (W + 104 >= n)", true, ""},
		{"a table of 256 entries", func() Answer {
			s := sizes("W")
			return s.InRange(s.during("x", V("W")), zero, K(256))
		}, Conditional, "W <= 256", true, ""},
		{"a table of 256 entries at an 8-bit pixel", func() Answer {
			s := sizes("W")
			s.When(Between(V("src#1"), 0, 255))
			return s.InRange(V("src#1"), zero, K(256))
		}, Proved, "", true, ""},
		{"a table of 16 entries at the upper bits", func() Answer {
			s := NewSystem()
			s.When(Between(V("p"), 0, 255))
			return s.InRange(s.Shr(V("p"), 4), zero, K(16))
		}, Proved, "", true, ""},
		{"a table of 16 entries at any bits", func() Answer {
			s := NewSystem()
			return s.InRange(s.BitAnd(V("p"), 15), zero, K(16))
		}, Proved, "", true, ""},
		{"a table of 5 entries at two bits", func() Answer {
			s := NewSystem()
			return s.InRange(s.BitAnd(V("p"), 5), zero, K(5))
		}, Refuted, "", true, "p = 5"},
		{"a transposed write", func() Answer {
			s := sizes("H", "W")
			s.during("y", V("H"))
			return s.InRange(s.during("x", V("W")), zero, V("H"))
		}, Conditional, "H >= W", true, ""},
		{"a flat index", func() Answer {
			s := sizes("H", "W")
			y, x := s.during("y", V("H")), s.during("x", V("W"))
			return s.InRange(s.Product(y, V("W")).Add(x), zero, s.Product(V("H"), V("W")))
		}, Proved, "", true, ""},
		{"a flat index one too far", func() Answer {
			s := sizes("H", "W")
			y, x := s.during("y", V("H")), s.during("x", V("W"))
			return s.InRange(s.Product(y, V("W")).Add(x).Plus(1), zero, s.Product(V("H"), V("W")))
		}, Refuted, "", true, "H = 1, W = 1, x = 0, y = 0"},
		{"a number of pixels is positive", func() Answer {
			s := sizes("H", "W")
			return s.Prove(GE(s.Product(V("H"), V("W")), one))
		}, Proved, "", true, ""},
		{"a selected neighbour", func() Answer {
			s := sizes("W")
			x := s.during("x", V("W"))
			left := s.Select(GE(x, one), x.Plus(-1), x)
			return s.InRange(left, zero, V("W"))
		}, Proved, "", true, ""},
		{"a reflected neighbour of an image of one column", func() Answer {
			s := sizes("W")
			x := s.during("x", V("W"))
			return s.InRange(s.Abs(x.Plus(-1)), zero, V("W"))
		}, Conditional, "W >= 2", true, "W = 1, x = 0"},
		{"nothing is known about the index", func() Answer {
			s := sizes("W")
			return s.InRange(Unknown, zero, V("W"))
		}, Unproved, "", false, ""},
		{"under a condition that is never true", func() Answer {
			s := sizes("W")
			s.When(LT(V("W"), zero))
			return s.InRange(V("W").Plus(1), zero, V("W"))
		}, Proved, "", true, ""},
		{"under a condition that cannot be expressed", func() Answer {
			s := sizes("W")
			x := s.during("x", V("W"))
			s.When(Or{Maybe, GE(x, one)})
			return s.InRange(x.Plus(-1), zero, V("W"))
		}, Refuted, "", false, "W = 1, x = 0"},
		{"every third column with a margin", func() Answer {
			s := sizes("N", "W")
			x := s.during("x", s.Div(V("W"), 3))
			return s.InRange(x.Scale(3).Plus(2), zero, V("W"))
		}, Proved, "", true, ""},
		{"only odd widths have a middle column", func() Answer {
			s := sizes("W")
			s.When(EQ(V("x").Scale(2).Plus(1), V("W")))
			return s.InRange(V("x").Plus(1), zero, V("W"))
		}, Conditional, "W >= 2", true, "W = 1, x = 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := c.ask()
			var clauses And
			for _, clause := range got.Check {
				clauses = append(clauses, clause.Formula())
			}
			text := ""
			if len(clauses) > 0 {
				text = clauses.String()
			}
			if got.Verdict != c.want || text != c.check || got.Exact != c.exact {
				t.Errorf("got %v, check %q, exact %v, counter %v; want %v, %q, %v", got.Verdict, text, got.Exact, got.Counter,
					c.want, c.check, c.exact)
			}
			if c.counter != "" && (got.Counter == nil || got.Counter.String() != c.counter) {
				t.Errorf("got the counterexample %v, want %s", got.Counter, c.counter)
			}
		})
	}
}

// block is a write of n x n pixels at (step*y + start, step*x + start).
func block(s *System, step, start, n int64) Access {
	i, j := s.during("i", K(n)), s.during("j", K(n))
	return Access{s, []Lin{V("y").Scale(step).Plus(start).Add(i), V("x").Scale(step).Plus(start).Add(j)}}
}

func TestDistinctPixels(t *testing.T) {
	iterators := []Var{"y", "x"}
	cases := []struct {
		name  string
		ask   func() Answer
		want  Verdict
		check string
	}{
		{"P2 even and odd columns", func() Answer {
			s := NewSystem()
			return Apart(Access{s, []Lin{V("x").Scale(2)}}, Access{s, []Lin{V("x").Scale(2).Plus(1)}})
		}, Proved, ""},
		{"P3 blocks side by side", func() Answer {
			b := block(NewSystem(), 4, 2, 4)
			return Distinct(iterators, b, b)
		}, Proved, ""},
		{"P4 a plane written, the plane before read", func() Answer {
			s := NewSystem()
			s.Shared("t")
			return Apart(Access{s, []Lin{V("t")}}, Access{s, []Lin{V("t").Plus(-1)}})
		}, Proved, ""},
		{"P4b rows below k written, row k read", func() Answer {
			s := NewSystem()
			s.Shared("k")
			s.When(GT(V("i"), V("k")))
			return Apart(Access{s, []Lin{V("i"), V("j")}}, Access{s, []Lin{V("k"), V("j")}})
		}, Proved, ""},
		{"P6 a plane chosen by data", func() Answer {
			s := NewSystem()
			a := Access{s, []Lin{V("z"), V("y"), V("x")}}
			return Distinct(iterators, a, a)
		}, Proved, ""},
		{"P7 2 x 2 blocks by loops", func() Answer {
			b := block(NewSystem(), 2, 0, 2)
			return Distinct(iterators, b, b)
		}, Proved, ""},
		{"P12 overlapping blocks", func() Answer {
			b := block(NewSystem(), 8, 0, 16)
			return Distinct(iterators, b, b)
		}, Refuted, ""},
		{"P12b overlapping blocks of one parity", func() Answer {
			s := NewSystem()
			s.Param("cy", "cx")
			s.When(EQ(s.Mod(V("y"), 2), V("cy")), EQ(s.Mod(V("x"), 2), V("cx")))
			b := block(s, 8, 0, 16)
			return Distinct(iterators, b, b)
		}, Proved, ""},
		{"a histogram", func() Answer {
			s := sizes("H", "W")
			s.during("y", V("H"))
			s.during("x", V("W"))
			s.When(Between(V("p"), 0, 255))
			a := Access{s, []Lin{V("p")}}
			return Distinct(iterators, a, a)
		}, Refuted, ""},
		{"a flat image", func() Answer {
			s := sizes("H", "W")
			y, x := s.during("y", V("H")), s.during("x", V("W"))
			a := Access{s, []Lin{s.Product(y, V("W")).Add(x)}}
			return Distinct(iterators, a, a)
		}, Proved, ""},
		{"a flat image with too narrow rows", func() Answer {
			s := sizes("H", "W", "P")
			y, x := s.during("y", V("H")), s.during("x", V("W"))
			a := Access{s, []Lin{s.Product(y, V("P")).Add(x)}}
			return Distinct(iterators, a, a)
		}, Conditional, "H <= 1 || P >= W"},
		{"all in one pixel", func() Answer {
			s := sizes("H", "W")
			s.during("y", V("H"))
			s.during("x", V("W"))
			a := Access{s, []Lin{zero, V("x")}}
			return Distinct(iterators, a, a)
		}, Conditional, "H <= 1"},
		{"the first and the last row", func() Answer {
			s := sizes("H")
			s.during("y", V("H"))
			first, last := s.Fork(), s.Fork()
			first.When(EQ(V("y"), zero))
			return Distinct([]Var{"y"}, Access{first, []Lin{zero}}, Access{last, []Lin{V("H").Plus(-1).Sub(V("y"))}})
		}, Refuted, ""},
		{"steps of a scan", func() Answer {
			s := sizes("W")
			s.during("x", V("W"))
			a := Access{s, []Lin{V("x"), V("y")}}
			return Distinct(iterators, a, Access{s, []Lin{V("x").Plus(-1), V("y")}}, EQ(V("x"), V(Prime("x"))))
		}, Proved, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := c.ask()
			var text string
			for _, clause := range got.Check {
				text += clause.String()
			}
			if got.Verdict != c.want || text != c.check {
				t.Errorf("got %v, check %q, counter %v, pinned %v; want %v, %q", got.Verdict, text, got.Counter, got.Pinned, c.want, c.check)
			}
		})
	}
}

// redBlack is an access of one colour of a checkerboard.
func redBlack() *System {
	s := sizes("H", "W")
	s.Param("c")
	y, x := s.during("y", V("H")), s.during("x", V("W"))
	s.When(EQ(s.Mod(y.Add(x), 2), V("c")))
	return s
}

func TestRedBlackOrderings(t *testing.T) {
	s := redBlack()
	y, x := V("y"), V("x")
	written := Access{s, []Lin{y, x}}
	for _, d := range [][2]int64{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		if got := Apart(Access{s, []Lin{y.Plus(d[0]), x.Plus(d[1])}}, written); got.Verdict != Proved {
			t.Errorf("P5 neighbour %v inside: %v, %v", d, got.Verdict, got.Counter)
		}
	}
	top := s.Fork()
	top.When(LT(y.Plus(-1), zero))
	for _, c := range []struct {
		border string
		row    Lin
		want   Verdict
	}{
		{"clamp", zero, Proved}, // it reads its own pixel, but no other instance's
		{"reflect101", y.Plus(-1).Neg(), Proved},
		{"repeat", y.Plus(-1).Add(V("H")), Conditional}, // rows 0 and H-1 have one colour where H is odd
	} {
		read := Access{top, []Lin{c.row, x}}
		if got := Distinct([]Var{"y", "x"}, read, written); got.Verdict != c.want {
			t.Errorf("P5 %s: got %v, check %v, counter %v; want %v", c.border, got.Verdict, got.Check, got.Counter, c.want)
		}
	}
}

func TestFigure7WritesEveryPixelOnce(t *testing.T) {
	base := sizes("M", "N")
	y := base.during("y", base.TruncDiv(V("M").Plus(1), 2))
	x := base.during("x", base.TruncDiv(V("N").Plus(1), 2))
	var writes []Access
	for _, row := range []struct {
		when  Formula
		index Lin
	}{
		{EQ(y, zero), zero},
		{And{EQ(base.Rem(V("M"), 2), zero), EQ(y, base.TruncDiv(V("M").Plus(1), 2).Plus(-1))}, V("M").Plus(-1)},
		{NE(y, zero), y.Scale(2).Plus(-1)},
		{NE(y, zero), y.Scale(2)},
	} {
		for _, column := range []Lin{x.Scale(2), x.Scale(2).Plus(1)} {
			s := base.Fork()
			s.When(row.when)
			writes = append(writes, Access{s, []Lin{row.index, column}})
		}
	}
	for i, a := range writes {
		for j, b := range writes {
			if got := Distinct([]Var{"y", "x"}, a, b); got.Verdict != Proved {
				t.Errorf("writes %d and %d: %v, %v", i, j, got.Verdict, got.Counter)
			}
		}
	}
}

func TestCounterexampleOfOverlappingBlocksIsAPairThatMeets(t *testing.T) {
	b := block(sizes("H", "W"), 8, 0, 16)
	got := Distinct([]Var{"y", "x"}, b, b)
	if got.Verdict != Refuted {
		t.Fatal(got.Verdict)
	}
	for _, index := range b.Index {
		first, _ := got.Counter.Value(index)
		second, _ := got.Counter.Value(b.Facts.primed(index))
		if first != second {
			t.Errorf("%v: %d and %d in %v", index, first, second, got.Counter)
		}
	}
	if !slices.Contains(got.Counter.Vars(), "y'") {
		t.Errorf("no y' in %v", got.Counter)
	}
}
