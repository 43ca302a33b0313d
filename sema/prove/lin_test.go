package prove

import (
	"math"
	"testing"
)

func TestExpressionsPrintAsWritten(t *testing.T) {
	s := NewSystem()
	x, y := V("x"), V("y")
	for _, c := range []struct {
		got  interface{ String() string }
		want string
	}{
		{Lin{}, "0"},
		{K(-3), "-3"},
		{y.Scale(2).Sub(x).Plus(1), "2*y - x + 1"},
		{x.Neg().Plus(-1), "-x - 1"},
		{Unknown, "?"},
		{s.Div(x.Plus(1), 2), "floordiv(x + 1, 2)"},
		{s.Div(x.Scale(4).Add(y.Scale(2)).Plus(5), 4), "floordiv(y, 2) + x + 1"},
		{s.TruncDiv(x, 2).Scale(2), "2*(x / 2)"},
		{s.TruncDiv(x.Scale(2), 2), "(2*x) / 2"},
		{s.TruncDiv(s.TruncDiv(x, 2), 3), "(x / 2) / 3"},
		{s.Clamp(x, K(0), y.Plus(-1)), "min(max(0, x), y - 1)"},
		{s.Product(x.Plus(1), y), "x*y + y"},
		{s.Select(GE(x, K(1)), x.Plus(-1), K(0)), "(x >= 1 ? x - 1 : 0)"},
		{GE(x, K(2)), "x >= 2"},
		{LT(x.Plus(1), y), "y >= x + 2"},
		{LE(x, K(255)), "x <= 255"},
		{Not(EQ(x, y)), "x != y"},
		{And{GE(x, K(0)), Or{GE(y, K(1)), Maybe}}, "x >= 0 && (y >= 1 || ?)"},
		{Not(True), "false"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestConstantsFold(t *testing.T) {
	s := NewSystem()
	for _, c := range []struct {
		name string
		got  Lin
		want int64
	}{
		{"floordiv(-7, 2)", s.Div(K(-7), 2), -4},
		{"floordiv(7, -2)", s.Div(K(7), -2), -4},
		{"floordiv(7, 0)", s.Div(K(7), 0), 0},
		{"mod(-7, 4)", s.Mod(K(-7), 4), 1},
		{"mod(7, -4)", s.Mod(K(7), -4), -1},
		{"mod(7, 0)", s.Mod(K(7), 0), 0},
		{"-7 / 2", s.TruncDiv(K(-7), 2), -3},
		{"-7 % 2", s.Rem(K(-7), 2), -1},
		{"7 % -2", s.Rem(K(7), -2), 1},
		{"7 % 0", s.Rem(K(7), 0), 0},
		{"-7 >> 1", s.Shr(K(-7), 1), -4},
		{"-7 & 15", s.BitAnd(K(-7), 15), 9},
		{"-7 & 5", s.BitAnd(K(-7), 5), -7 & 5},
		{"29 & ~3", s.BitAnd(K(29), ^3), 28},
		{"min(2, 3)", s.Min(K(2), K(3)), 2},
		{"max(2, 3)", s.Max(K(2), K(3)), 3},
		{"clamp(9, 0, 7)", s.Clamp(K(9), K(0), K(7)), 7},
		{"abs(-4)", s.Abs(K(-4)), 4},
		{"6 * 7", s.Product(K(6), K(7)), 42},
	} {
		if !c.got.IsConstant() || c.got.Constant() != c.want {
			t.Errorf("%s: got %v, want %d", c.name, c.got, c.want)
		}
	}
}

func TestWhatLeavesInt64IsUnknown(t *testing.T) {
	s := NewSystem()
	large, x := K(math.MaxInt64), V("x")
	for name, e := range map[string]Lin{
		"sum":        large.Add(K(1)),
		"difference": large.Neg().Sub(K(1)),
		"multiple":   x.Scale(math.MaxInt64).Scale(2),
		"least":      K(math.MinInt64),
		"product":    s.Product(x.Scale(math.MaxInt64), V("y").Scale(3)),
		"constants":  s.Product(large, K(2)),
		"quotient":   s.Div(x, math.MinInt64),
		"truncated":  s.TruncDiv(x, math.MinInt64),
		"shift":      s.Shr(x, 63),
		"through":    s.Min(Unknown, x),
		"remainder":  s.Rem(Unknown, 3),
		"absolute":   s.Abs(Unknown),
		"selected":   s.Select(Maybe, x, x.Plus(1)),
	} {
		if !e.IsUnknown() {
			t.Errorf("%s: got %v", name, e)
		}
	}
}

func TestNothingFollowsFromUnknown(t *testing.T) {
	s := NewSystem()
	s.When(GE(Unknown, K(0)), LT(Unknown, K(0)), Maybe, Not(Maybe))
	if s.Infeasible() {
		t.Error("unknown facts contradict each other")
	}
	for _, f := range []Formula{EQ(Unknown, Unknown), NE(Unknown, Unknown), Maybe, Not(Maybe), Or{Maybe, Not(Maybe)}} {
		if got := s.Prove(f); got.Verdict != Unproved {
			t.Errorf("%v: %v", f, got.Verdict)
		}
	}
	if got := s.Prove(Or{Maybe, EQ(V("x"), V("x"))}); got.Verdict != Proved {
		t.Errorf("a tautology beside something unknown: %v", got.Verdict)
	}
}

func TestLargeCoefficientsNeverProveTooMuch(t *testing.T) {
	const big = math.MaxInt64 / 2
	s := NewSystem()
	x, y := V("x"), V("y")
	s.When(GE(x.Scale(big), y.Scale(big-1)), LE(x.Scale(big-2), y.Scale(big-3).Plus(big)), GE(y, K(5)))
	if s.Infeasible() { // x = y = 5 satisfies it
		t.Error("proved infeasible")
	}
	if m, found := s.Model(); found && m.String() == "" {
		t.Error("a model without values")
	}
}

func TestDifferentDefinitionsHaveDifferentNames(t *testing.T) {
	s := NewSystem()
	x, y := V("x"), V("y")
	expressions := []Lin{
		s.TruncDiv(s.TruncDiv(x, 3).Scale(2), 5), s.TruncDiv(s.TruncDiv(x.Scale(2), 3), 5), s.TruncDiv(x.Scale(-1), 3),
		s.TruncDiv(x, 3).Scale(-1), s.Product(s.TruncDiv(x, 3), y), s.TruncDiv(s.Product(x, y), 3),
		s.TruncDiv(x.Plus(1), 3), s.TruncDiv(x, 3).Plus(1), s.Product(x, s.TruncDiv(y, 3)),
		s.TruncDiv(s.Product(x, s.TruncDiv(y, 3)), 3), s.Product(x, s.TruncDiv(s.TruncDiv(y, 3), 3)),
	}
	for i, a := range expressions {
		for j, b := range expressions {
			if i != j && a.String() == b.String() && !a.Equal(b) || i < j && a.Equal(b) {
				t.Errorf("%d and %d: %v and %v", i, j, a, b)
			}
		}
	}
}

func TestManyDisjunctionsEndUndecidedAtWorst(t *testing.T) {
	s := NewSystem()
	sum := K(0)
	for i := range 40 {
		v := V(Var(rune('A'+i%26)) + Var(rune('a'+i/26)))
		s.When(Or{EQ(v, K(0)), EQ(v, K(3))})
		sum = sum.Add(v)
	}
	if s.Prove(NE(sum, K(61))).Verdict == Refuted { // 61 is no multiple of 3
		t.Error("refuted what is true")
	}
	if got := s.Prove(NE(sum, K(60))); got.Verdict == Proved {
		t.Error("proved what is false")
	}
}
