package device_test

import (
	"context"
	"errors"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/types"
)

// compile checks and lowers a program.
func compile(t *testing.T, text string, mode imgc.Mode) (*imgc.Program, *imgc.OpenCL) {
	t.Helper()
	r, err := imgc.Check(context.Background(), "p.img", text, imgc.Options{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	if r.Program == nil {
		for _, d := range r.Diagnostics.Sorted() {
			t.Errorf("%v: %s", d.Span, d.Message)
		}
		t.FailNow()
	}
	kernels, err := r.Program.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	return r.Program, kernels
}

// zeros makes an image of zeros.
func zeros(t *testing.T, elem string, extent ...int) *pixels.Image {
	t.Helper()
	e, ok := types.Parse(elem)
	if !ok {
		t.Fatalf("%s is no type", elem)
	}
	m, err := pixels.New(e, extent...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type images = map[string]*pixels.Image
type scalars = map[string]types.Value

const many = `
pipeline p(in src: u8[H][W], in half: u8[(H + 1) / 2][2*N], in table: f32[256], in k: i32 = 3, in on: bool, out dst: u8[H][W - 2], out n: i32) {
    iterate (y, x) over dst
        dst[y][x] = u8(table[k]);
    n = H * k;
}`

// TestCallsAreRefusedAsByTheInterpreter holds each refusal against the reference interpreter's, word by word.
func TestCallsAreRefusedAsByTheInterpreter(t *testing.T) {
	good := func() device.Args {
		return device.Args{
			Images:  images{"src": zeros(t, "u8", 5, 7), "half": zeros(t, "u8", 3, 8), "table": zeros(t, "f32", 256)},
			Scalars: scalars{"on": types.Of(types.Bool, 1)},
			Sizes:   map[string]int{},
		}
	}
	program, kernels := compile(t, many, imgc.Strict)
	plan := kernels.Program.Pipelines[0]
	if err := device.Bind(plan, good()); err != nil {
		t.Fatalf("a good call: %v", err)
	}
	for name, spoil := range map[string]func(*device.Args){
		"unknown image":      func(a *device.Args) { a.Images["scr"] = a.Images["src"] },
		"image for scalar":   func(a *device.Args) { a.Images["k"] = a.Images["src"] },
		"unknown scalar":     func(a *device.Args) { a.Scalars["kk"] = types.Of(types.I32, 1) },
		"scalar for image":   func(a *device.Args) { a.Scalars["src"] = types.Of(types.I32, 1) },
		"value for out":      func(a *device.Args) { a.Scalars["n"] = types.Of(types.I32, 1) },
		"unknown size":       func(a *device.Args) { a.Sizes["M"] = 1 },
		"missing image":      func(a *device.Args) { delete(a.Images, "src") },
		"missing scalar":     func(a *device.Args) { delete(a.Scalars, "on") },
		"element type":       func(a *device.Args) { a.Images["src"] = zeros(t, "i8", 5, 7) },
		"rank":               func(a *device.Args) { a.Images["src"] = zeros(t, "u8", 35) },
		"too few bytes":      func(a *device.Args) { a.Images["src"].Data = a.Images["src"].Data[1:] },
		"no extent":          func(a *device.Args) { a.Images["src"].Extent[0] = 0 },
		"scalar type":        func(a *device.Args) { a.Scalars["k"] = types.Of(types.I64, 1) },
		"scalar words":       func(a *device.Args) { a.Scalars["k"] = types.Value{Type: types.Scalar(types.I32)} },
		"value out of range": func(a *device.Args) { a.Scalars["k"] = types.Of(types.I32, 1<<31) },
		"shared memory": func(a *device.Args) {
			a.Images["dst"] = &pixels.Image{Elem: types.Scalar(types.U8), Extent: []int{5, 5}, Data: a.Images["src"].Data[:25]}
		},
		"odd extent":      func(a *device.Args) { a.Images["half"] = zeros(t, "u8", 3, 7) },
		"extent compared": func(a *device.Args) { a.Images["half"] = zeros(t, "u8", 4, 8) },
		"constant extent": func(a *device.Args) { a.Images["table"] = zeros(t, "f32", 255) },
		"size disagrees":  func(a *device.Args) { a.Sizes["H"] = 6 },
		"extent below 1":  func(a *device.Args) { a.Images["src"] = zeros(t, "u8", 5, 2) },
		"check":           func(a *device.Args) { a.Scalars["k"] = types.Of(types.I32, 256) },
		"nothing wrong":   func(a *device.Args) { a.Scalars["k"] = types.Of(types.I32, 255) },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := good(), good()
			spoil(&a)
			spoil(&b)
			ref, err := imgc.OpenDevice("ref")
			if err != nil {
				t.Fatal(err)
			}
			_, err = program.Run(context.Background(), ref, "p", imgc.Args(a))
			var want *imgc.CallError
			if err != nil && !errors.As(err, &want) {
				t.Fatal(err)
			}
			err = device.Bind(plan, b)
			var got *device.Error
			if err != nil && !errors.As(err, &got) {
				t.Fatalf("%T: %v", err, err)
			}
			switch {
			case want == nil && got == nil:
			case want == nil || got == nil || got.Message != want.Message || got.At != want.At || got.Pipeline != want.Pipeline:
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

func TestSizesComeFromTheCallerWhereNoImageGivesThem(t *testing.T) {
	_, kernels := compile(t, `
pipeline p(out dst: u8[2*H][W]) {
    dst = 7;
}`, imgc.Strict)
	plan := kernels.Program.Pipelines[0]
	for _, c := range []struct {
		args device.Args
		want string
	}{
		{device.Args{Sizes: map[string]int{"H": 2, "W": 3}}, ""},
		{device.Args{Images: images{"dst": zeros(t, "u8", 4, 3)}}, ""},
		{device.Args{Sizes: map[string]int{"H": 2}}, "nothing gives the size W: pass the image dst or the size"},
		{device.Args{Images: images{"dst": zeros(t, "u8", 5, 3)}}, "dst is 5 x 3, but no whole number H gives 2*H = 5 rows"},
		{device.Args{Sizes: map[string]int{"H": 1 << 30, "W": 1}}, "an extent of dst is 2*H = 2147483648 for H = 1073741824 (given), which does not fit an i32"},
		{device.Args{Sizes: map[string]int{"H": 1 << 29, "W": 1<<30 + 1}}, "dst would be 1073741824 x 1073741825 for W = 1073741825 (given), but an extent is at most 1073741824"},
	} {
		err := device.Bind(plan, c.args)
		var got *device.Error
		switch {
		case err == nil && c.want == "":
		case !errors.As(err, &got) || got.Message != c.want:
			t.Errorf("%v: %v, want %q", c.args.Sizes, err, c.want)
		}
	}
}
