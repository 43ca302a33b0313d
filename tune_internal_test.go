package imgc

import (
	"math"
	"testing"
	"time"

	"imgc/pixels"
	"imgc/types"
)

func TestBudgetBeginsNothingThatIsLikelyToEndBehindIt(t *testing.T) {
	b := newBudget(time.Hour)
	if b.over() {
		t.Error("an hour is over at once")
	}
	b.longest = 2 * time.Hour
	if !b.over() {
		t.Error("a step of two hours is begun in an hour")
	}
	if none := newBudget(0); none.over() {
		t.Error("no budget is over")
	}
}

func TestDiffers(t *testing.T) {
	floats := func(v ...float64) *pixels.Image {
		m, _ := pixels.New(types.Scalar(types.F32), len(v))
		for i, x := range v {
			m.SetWord(i, types.Float(x))
		}
		return m
	}
	bytes := func(v ...byte) *pixels.Image {
		return &pixels.Image{Elem: types.Scalar(types.U8), Extent: []int{len(v)}, Data: v}
	}
	for _, c := range []struct {
		a, b *pixels.Image
		want int
	}{
		{bytes(1, 2), bytes(1, 2), -1},
		{bytes(1, 2), bytes(1, 3), 1},
		{floats(1, 100), floats(1.01, 100), -1}, // sums in another order
		{floats(1, 100), floats(2, 100), 0},
		{floats(math.NaN(), 1), floats(math.NaN(), 1.0001), -1},
		{floats(math.NaN(), 1), floats(5, 1), 0},
		{floats(math.Inf(1), 1), floats(5, 1), 0},
	} {
		if got := differs(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %d, want %d", c.a.Data, c.b.Data, got, c.want)
		}
	}
}
