package arguments

import (
	"testing"

	"imgc/pixels"
	"imgc/types"
)

// signature is of: in src: u8[2*H][W], out dst: u8[H][W], in gain: f32, in k: i32 = 3, out n: i32; H and W are bound by src.
func signature() *Signature {
	u8, three := types.Scalar(types.U8), types.Of(types.I32, 3)
	return &Signature{
		Params: []Param{
			{Name: "src", Type: u8, Extent: []string{"2*H", "W"}},
			{Name: "dst", Dir: Out, Type: u8, Extent: []string{"H", "W"}},
			{Name: "gain", Type: types.Scalar(types.F32)},
			{Name: "k", Type: types.Scalar(types.I32), Default: &three},
			{Name: "n", Dir: Out, Type: types.Scalar(types.I32)},
		},
		Sizes: []Size{{Name: "H", Mul: 2}, {Name: "W", Axis: 1, Mul: 1}},
	}
}

func image(k types.Kind, extent ...int) *pixels.Image {
	m, err := pixels.New(types.Scalar(k), extent...)
	if err != nil {
		panic(err)
	}
	return m
}

func good() Args {
	return Args{
		Images:  map[string]*pixels.Image{"src": image(types.U8, 6, 4)},
		Scalars: map[string]types.Value{"gain": types.Of(types.F32, types.Float(0.5))},
		Sizes:   map[string]int{},
	}
}

func TestArgumentsThatFitAreBound(t *testing.T) {
	b, err := signature().Bind(good())
	if err != nil {
		t.Fatal(err)
	}
	if b.Scalars["gain"].Words[0].Float() != 0.5 || b.Scalars["k"].Words[0].Int() != 3 || len(b.Scalars) != 2 {
		t.Errorf("scalars %v", b.Scalars)
	}
	if b.Sizes[0] != (BoundSize{3, "bound by src"}) || b.Sizes[1] != (BoundSize{4, "bound by src"}) {
		t.Errorf("sizes %v", b.Sizes)
	}
}

func TestArgumentsThatDoNotFitAreRefused(t *testing.T) {
	for _, c := range []struct {
		spoil func(a *Args)
		want  string
	}{
		{func(a *Args) { a.Images["scr"] = a.Images["src"] }, `there is no parameter "scr"; there is src, dst, gain, k, n`},
		{func(a *Args) { a.Images["k"] = a.Images["src"] }, "k is a scalar of type i32, but an image was given"},
		{func(a *Args) { a.Scalars["src"] = types.Of(types.I32, 1) }, "src is an image of type u8[2*H][W], but a scalar was given"},
		{func(a *Args) { a.Scalars["n"] = types.Of(types.I32, 1) }, "n is an out scalar: it is returned and takes no value"},
		{func(a *Args) { a.Sizes["M"] = 1 }, `there is no size "M"; there is H, W`},
		{func(a *Args) { delete(a.Images, "src") }, "missing in image src of type u8[2*H][W]"},
		{func(a *Args) { a.Images["src"] = image(types.I8, 6, 4) }, "src has elements of type i8, but u8[2*H][W] asks for u8"},
		{func(a *Args) { a.Images["src"] = image(types.U8, 6) }, "src is 6, with 1 extent, but u8[2*H][W] has 2"},
		{func(a *Args) { a.Images["src"].Data = nil }, "src is 6 x 4 of u8, which takes 24 bytes, but has 0"},
		{func(a *Args) { a.Images["src"].Extent[0] = types.MaxExtent + 1 }, "src is 1073741825 x 4: an extent is at most 1073741824"},
		{func(a *Args) { delete(a.Scalars, "gain") }, "missing scalar gain of type f32"},
		{func(a *Args) { a.Scalars["k"] = types.Of(types.I64, 1) }, "k is of type i32, but the value given is of type i64"},
		{func(a *Args) { a.Scalars["k"] = types.Of(types.I32, 1<<31) }, "k was given a value that i32 cannot hold"},
		{func(a *Args) { a.Images["dst"] = a.Images["src"] }, "src and dst share memory, but dst is written"},
		{func(a *Args) { a.Images["src"] = image(types.U8, 5, 4) }, "src is 5 x 4, but no whole number H gives 2*H = 5 rows"},
		{func(a *Args) { a.Sizes["W"] = 5 }, "W = 5 was given, but src is 6 x 4, so W = 4"},
	} {
		a := good()
		c.spoil(&a)
		if _, err := signature().Bind(a); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestSizesOfAbsentOutImagesAreGiven(t *testing.T) {
	s := &Signature{
		Params: []Param{{Name: "dst", Dir: Out, Type: types.Scalar(types.U8), Extent: []string{"N"}}},
		Sizes:  []Size{{Name: "N", Mul: 1}},
	}
	if b, err := s.Bind(Args{Sizes: map[string]int{"N": 5}}); err != nil || b.Sizes[0] != (BoundSize{5, "given"}) {
		t.Error(b, err)
	}
	if _, err := s.Bind(Args{}); err == nil || err.Error() != "nothing gives the size N: pass the image dst or the size" {
		t.Error(err)
	}
	if _, err := s.Bind(Args{Sizes: map[string]int{"N": 1 << 31}}); err == nil || err.Error() != "the size N = 2147483648 does not fit an i32" {
		t.Error(err)
	}
}

func TestExtentsAreComparedInTermsOfSizes(t *testing.T) {
	of := [][]Quantity{
		{{"H", types.Of(types.I64, 3), "bound by src"}, {"W", types.Of(types.I64, 4), "bound by src"}}, {}, {{"k", types.Of(types.I32, 0), ""}},
	}
	x := &Extents{Name: "dst", Extent: []int{7, 2, 5}, Of: func(axis int) []Quantity { return of[axis] }}
	for _, c := range []struct {
		given []int
		want  string
	}{
		{[]int{7, 2, 5}, ""},
		{[]int{8, 2, 5}, "dst is 8 x 2 x 5, but H = 3 and W = 4 (bound by src) asks for 7 along axis 0"},
		{[]int{7, 3, 5}, "dst is 7 x 3 x 5, but its declaration asks for 2 along axis 1"},
	} {
		got := ""
		if err := x.Fit(c.given); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	x.Extent[2] = 0
	if err := x.Possible(); err == nil || err.Error() != "dst would be 7 x 2 x 0 for k = 0, but every extent must be at least 1" {
		t.Error(err)
	}
	x.Extent = []int{1, types.MaxExtent + 1, 1}
	if err := x.Possible(); err == nil || err.Error() != "dst would be 1 x 1073741825 x 1, but an extent is at most 1073741824" {
		t.Error(err)
	}
}
