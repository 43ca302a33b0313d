package device

import (
	"strings"
	"testing"

	"imgc/kir"
	"imgc/types"
)

func constant(k types.Kind, v int64) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: types.Scalar(k)}, Words: []types.Word{types.Int(v)}}
}

func newCall() *call {
	return &call{plan: &kir.Pipeline{Name: "p"}, values: map[*kir.Var]types.Value{}}
}

func TestLaunchRoundsUpToGroups(t *testing.T) {
	kernel := &kir.Kernel{Name: "k", Group: [3]int{128, 2, 1}}
	for _, c := range []struct {
		items  [3]int64
		global []int // nil: nothing to run
		err    string
	}{
		{[3]int64{1, 1, 1}, []int{128, 2, 1}, ""},
		{[3]int64{128, 4, 7}, []int{128, 4, 7}, ""},
		{[3]int64{129, 5, 7}, []int{256, 6, 7}, ""},
		{[3]int64{129, 0, 7}, nil, ""},
		{[3]int64{-5, 1, 1}, nil, ""},
		{[3]int64{1, 1, 4900000000}, nil, "p: an iteration of 4900000000 instances in one dimension is too large"},
		{[3]int64{1<<31 - 1, 1, 1}, nil, "too large"},
	} {
		step := &kir.Launch{Kernel: kernel}
		for i, n := range c.items {
			step.Items[i] = constant(types.I64, n)
		}
		l, err := (&Program{}).launch(newCall(), nil, step)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v: %v, want %q", c.items, err, c.err)
			}
		case err != nil:
			t.Errorf("%v: %v", c.items, err)
		case c.global == nil:
			if l != nil {
				t.Errorf("%v: runs over %v, want nothing", c.items, l.over.Global)
			}
		case l == nil || [3]int(l.over.Global) != [3]int(c.global):
			t.Errorf("%v: %+v, want %v", c.items, l, c.global)
		}
	}
}

func TestArgumentsFit32Bits(t *testing.T) {
	narrow := func(v int64) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: types.Scalar(types.I32)}, X: constant(types.I64, v), Exact: true}
	}
	param := &kir.Var{Name: "H", Type: types.Scalar(types.I32)}
	for v, want := range map[int64]string{1<<31 - 1: "", -1 << 31: "", 1 << 31: "p: 2147483648 is 2147483648, which does not fit 32 bits"} {
		_, err := newCall().argument(nil, kir.Arg{Value: narrow(v)}, param, param.At)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%d: %v, want %q", v, err, want)
		}
	}
	if _, err := newCall().argument(nil, kir.Arg{Value: constant(types.F32, 1)}, param, param.At); err == nil {
		t.Error("an f32 passed for an i32")
	}
}
