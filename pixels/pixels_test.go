package pixels

import (
	"testing"

	"imgc/types"
)

func TestOverlap(t *testing.T) {
	m, err := New(types.Scalar(types.U8), 4, 5)
	if err != nil {
		t.Fatal(err)
	}
	part := func(lo, hi int) *Image { return &Image{Elem: m.Elem, Extent: []int{hi - lo}, Data: m.Data[lo:hi]} }
	for _, c := range []struct {
		a, b *Image
		want bool
	}{
		{m, m, true}, {m, m.Clone(), false}, {m, nil, false}, {nil, nil, false},
		{part(0, 10), part(10, 20), false}, {part(0, 11), part(10, 20), true}, {part(5, 6), m, true},
	} {
		if got := Overlap(c.a, c.b); got != c.want {
			t.Errorf("%v and %v overlap: %t", c.a, c.b, got)
		}
	}
}

func TestSizeRefusesWhatNoImageHas(t *testing.T) {
	u8 := types.Scalar(types.U8)
	for _, extent := range [][]int{nil, {0}, {-1, 3}, {1, 1, 1, 1, 1}, {1 << 40, 1 << 40}} {
		if n, err := Size(u8, extent...); err == nil {
			t.Errorf("extents %v have %d bytes", extent, n)
		}
	}
	if n, err := Size(types.Vector(types.F32, 3), 2, 5); err != nil || n != 120 {
		t.Errorf("f32x3[2][5] has %d bytes, %v", n, err)
	}
}
