package kir_test

import (
	"slices"
	"testing"

	"imgc/kir"
	"imgc/types"
)

func TestImagesShareMemoryOneAfterTheOther(t *testing.T) {
	n := func(v int64) kir.Expr {
		return &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{types.Int(v)}}
	}
	image := func(size int64) *kir.Image {
		return &kir.Image{Dir: kir.Temporary, Elem: types.Scalar(types.F32), Extent: []kir.Expr{n(size)}, LineAxis: -1}
	}
	uses := func(list ...*kir.Image) kir.Step {
		l := &kir.Launch{}
		for _, m := range list {
			l.Args = append(l.Args, kir.Arg{Image: m})
		}
		return l
	}
	a, b, c, d := image(5), image(6), image(5), image(5)
	loop := func(body ...kir.Step) kir.Step { return &kir.ForHost{Body: body} }
	zeros, moved := image(5), image(5)
	zeros.Zero = true
	moved.Offset = &kir.Var{}
	locals := []*kir.Image{a, b, c, d}
	for _, x := range []struct {
		name   string
		locals []*kir.Image
		steps  []kir.Step
		want   []int
	}{
		{"a chain", locals, []kir.Step{uses(a), uses(a, b), uses(b, c), uses(c, d)}, []int{0, 1, 0, 1}},
		{"the same size first", locals, []kir.Step{uses(b), uses(a), uses(c)}, []int{0, 0, 0, 3}},
		{"of two that are free", locals, []kir.Step{uses(b, a), uses(c)}, []int{0, 1, 0, 3}},
		{"all at once", locals, []kir.Step{uses(a, b, c, d)}, []int{0, 1, 2, 3}},
		{"used later again", locals, []kir.Step{uses(a), uses(b), uses(a), uses(c)}, []int{0, 1, 0, 3}},
		{"in a loop", locals, []kir.Step{loop(uses(a), uses(b)), uses(c)}, []int{0, 1, 0, 3}},
		{"out of order", locals, []kir.Step{uses(d), uses(c), uses(b), uses(a)}, []int{0, 0, 0, 0}},
		{"returned", locals, []kir.Step{uses(a), &kir.SetScalar{From: a}, uses(b), uses(c)}, []int{0, 1, 1, 3}},
		{"cleared and fetched", locals, []kir.Step{&kir.Clear{Image: a}, uses(b), &kir.Fetch{From: a}, uses(c)}, []int{0, 1, 0, 3}},
		{"zeros and swaps", []*kir.Image{a, zeros, moved, c}, []kir.Step{uses(a), uses(zeros), uses(moved), uses(c)}, []int{0, 1, 2, 0}},
	} {
		if got := kir.Owners(&kir.Pipeline{Locals: x.locals, Steps: x.steps}); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}
