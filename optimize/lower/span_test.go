package lower

import (
	"testing"

	"imgc/ops"
)

func TestSpansHoldWhatOperandsComeTo(t *testing.T) {
	given := func(s ...span) []wideValue {
		out := make([]wideValue, len(s))
		for i := range s {
			out[i].span = s[i]
		}
		return out
	}
	for _, c := range []struct {
		op      ops.Op
		args    []span
		in, has span // what the result lies in, and what it has at least
	}{
		{ops.Sub, []span{{0, 255}, {0, 255}}, span{-255.001, 255.001}, span{-255, 255}},
		{ops.Mul, []span{{-2, 3}, {-5, 4}}, span{-15.001, 12.001}, span{-15, 12}},
		{ops.Abs, []span{{-2, 3}}, span{-0.001, 3.001}, span{0, 3}},
		{ops.Abs, []span{{2, 3}}, span{1.999, 3.001}, span{2, 3}},
		{ops.Fma, []span{{1, 2}, {3, 4}, {-1, 1}}, span{1.999, 9.001}, span{2, 9}},
		{ops.Max, []span{{-4, 2}, {1, 1}}, span{0.999, 2.001}, span{1, 2}},
	} {
		if got := spanOf(c.op, given(c.args...)); !got.within(c.in) || !c.has.within(got) {
			t.Errorf("%s of %v lies in %v", c.op, c.args, got)
		}
	}
	for _, args := range [][]span{{{1, 2}, {}}, {{1 << 40, 1 << 41}, {1 << 40, 1 << 41}}} {
		if got := spanOf(ops.Mul, given(args...)); got.known() {
			t.Errorf("the product of %v has the span %v", args, got)
		}
	}
	if got := spanOf(ops.Div, given(span{1, 2}, span{1, 2})); got.known() {
		t.Errorf("a quotient has the span %v", got)
	}
}
