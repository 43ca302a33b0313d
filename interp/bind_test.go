package interp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/ops"
	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// halving is a pipeline with everything that a call can get wrong: src u8[2*H][W], dst u8[H][W], a scalar with and one
// without default, a local of H - margin rows, a check.
func halving() *hast.Pipeline {
	p := newProgram()
	p.Name = "halve"
	h := newVar("H", tI32, hast.SizeVar)
	p.sizes["H"] = h
	src := p.image("src", hast.In, tU8, mul(i32(2), ref(h)), "W")
	p.Sizes = append([]*hast.Size{{Var: h, Image: src, Axis: 0, Mul: 2}}, p.Sizes...)
	p.image("dst", hast.Out, tU8, "H", "W")
	gain, margin := p.scalar("gain", hast.In, tF32), p.scalar("margin", hast.In, tI32)
	p.Params[3].Default = &types.Value{Type: tI32, Words: []types.Word{types.Int(1)}}
	rows := newVar("rows", tI32, hast.HostValue)
	p.Steps = append(p.Steps, &hast.DefineHost{Var: rows, Value: op(ops.Sub, ref(h), ref(margin))})
	p.image("tmp", hast.Local, tF32, ref(rows), "W")
	p.image("plane", hast.Local, tU8, i32(4), ref(h), ref(p.sizes["W"]))
	area := p.scalar("area", hast.Out, tI32)
	p.Steps = append(p.Steps, &hast.SetScalar{Var: area, Value: mul(ref(h), ref(p.sizes["W"]))})
	p.Checks = append(p.Checks, &hast.Check{Cond: op(ops.Gt, ref(gain), f32(0)), Message: "gain must be above 0"},
		&hast.Check{Cond: op(ops.Ge, ref(p.sizes["W"]), i32(2)), Message: "dst needs W >= 2, because dst[y][W-2] is written"})
	return p.Pipeline
}

func scalarF32(v float64) types.Value { return types.Of(types.F32, types.Float(v)) }

func goodArgs() Args {
	return Args{
		Images:  map[string]*pixels.Image{"src": picture(tU8, []int{6, 4})},
		Scalars: map[string]types.Value{"gain": scalarF32(1.5)},
	}
}

func TestBindComputesSizesExtentsAndHostValues(t *testing.T) {
	p := halving()
	b, err := Bind(context.Background(), p, goodArgs(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int{{6, 4}, {3, 4}, {2, 4}, {4, 3, 4}} {
		if got := b.Extent(p.Images[i]); !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", p.Images[i].Name, got, want)
		}
	}
	for _, s := range p.Sizes {
		if v, ok := b.Value(s.Var); !ok || v.Words[0].Int() != map[string]int64{"H": 3, "W": 4}[s.Var.Name] {
			t.Errorf("%s is %v, %v", s.Var.Name, v, ok)
		}
	}
	if v, err := b.Eval(add(ref(p.Sizes[0].Var), i32(10))); err != nil || v.Words[0].Int() != 13 {
		t.Errorf("H + 10 is %v, %v", v, err)
	}
	if _, err := b.Eval(ref(iterator("y"))); err == nil || !strings.Contains(err.Error(), "y is used where it has no value") {
		t.Errorf("an iterator on the host gives %v", err)
	}
	trips, err := b.Trips(hast.Range{Lo: i32(9), Hi: ref(p.Sizes[0].Var), Step: -4})
	if want := (Trips{From: 9, Step: -4, Count: 2}); err != nil || trips != want {
		t.Errorf("9 : H : -4 is %v, %v, want %v", trips, err, want)
	}
	res, err := Run(context.Background(), p, goodArgs(), Options{})
	if err != nil || res.Scalars["area"].Words[0].Int() != 12 || res.Images["dst"].String() != "u8[3][4]" {
		t.Errorf("run gives %v, %v", res, err)
	}
}

func TestRangesCountTheirPoints(t *testing.T) {
	for _, c := range []struct{ lo, hi, step, count int64 }{
		{0, 5, 1, 5}, {0, 5, 2, 3}, {0, 6, 2, 3}, {0, 1, 100, 1}, {3, 3, 1, 0}, {4, 3, 1, 0}, {3, 0, -1, 3}, {3, 0, -2, 2}, {0, 3, -1, 0},
		{-1 << 31, 1<<31 - 1, 1, 1<<32 - 1}, {1<<31 - 1, -1 << 31, -1 << 63, 1}, {-1 << 31, 1<<31 - 1, 1<<63 - 1, 1},
	} {
		if got := tripsOf(c.lo, c.hi, c.step).Count; got != c.count {
			t.Errorf("%d : %d : %d has %d points, want %d", c.lo, c.hi, c.step, got, c.count)
		}
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	image := func(t types.Type, extent ...int) *pixels.Image { return picture(t, extent) }
	for _, c := range []struct {
		name   string
		change func(*Args, *Options)
		want   string
	}{
		{"no image", func(a *Args, _ *Options) { delete(a.Images, "src") }, "missing in image src of type u8[2*H][W]"},
		{"nil image", func(a *Args, _ *Options) { a.Images["src"] = nil }, "missing in image src of type u8[2*H][W]"},
		{"no scalar", func(a *Args, _ *Options) { delete(a.Scalars, "gain") }, "missing scalar gain of type f32"},
		{"wrong element", func(a *Args, _ *Options) { a.Images["src"] = image(tF32, 6, 4) },
			"src has elements of type f32, but u8[2*H][W] asks for u8"},
		{"wrong rank", func(a *Args, _ *Options) { a.Images["src"] = image(tU8, 6, 4, 3) },
			"src is 6 x 4 x 3, with 3 extents, but u8[2*H][W] has 2"},
		{"rank 1", func(a *Args, _ *Options) { a.Images["src"] = image(tU8, 6) }, "src is 6, with 1 extent, but u8[2*H][W] has 2"},
		{"odd rows", func(a *Args, _ *Options) { a.Images["src"] = image(tU8, 7, 4) },
			"src is 7 x 4, but no whole number H gives 2*H = 7 rows"},
		{"short data", func(a *Args, _ *Options) { a.Images["src"].Data = a.Images["src"].Data[:23] },
			"src is 6 x 4 of u8, which takes 24 bytes, but has 23"},
		{"zero extent", func(a *Args, _ *Options) { a.Images["src"].Extent[1] = 0 },
			"src is 6 x 0: extent 1 is 0; every extent must be at least 1"},
		{"huge extent", func(a *Args, _ *Options) { a.Images["src"].Extent = []int{1, 1<<30 + 1} },
			"src is 1 x 1073741825: an extent is at most 1073741824"},
		{"overflow", func(a *Args, _ *Options) { a.Images["src"].Extent = []int{1 << 40, 1 << 40} },
			"src is 1099511627776 x 1099511627776: an image of u8 with extents [1099511627776 1099511627776] is too large"},
		{"out rows", func(a *Args, _ *Options) { a.Images["dst"] = image(tU8, 6, 4) },
			"dst is 6 x 4, but H = 3 (bound by src) asks for 3 rows"},
		{"out columns", func(a *Args, _ *Options) { a.Images["dst"] = image(tU8, 3, 5) },
			"dst is 3 x 5, but W = 4 (bound by src) asks for 4 columns"},
		{"shared memory", func(a *Args, _ *Options) {
			a.Images["dst"] = &pixels.Image{Elem: tU8, Extent: []int{3, 4}, Data: a.Images["src"].Data[6:18]}
		}, "src and dst share memory, but dst is written"},
		{"scalar type", func(a *Args, _ *Options) { a.Scalars["gain"] = types.Of(types.I32, 1) }, "gain is of type f32, but the value given is of type i32"},
		{"scalar words", func(a *Args, _ *Options) { a.Scalars["gain"] = types.Value{Type: tF32} },
			"gain of type f32 has 1 component, but 0 given"},
		{"scalar value", func(a *Args, _ *Options) { a.Scalars["gain"] = scalarF32(0.1) }, "gain was given a value that f32 cannot hold"},
		{"unknown image", func(a *Args, _ *Options) { a.Images["sorce"] = image(tU8, 1) },
			`there is no parameter "sorce"; there is src, dst, gain, margin, area`},
		{"unknown scalar", func(a *Args, _ *Options) { a.Scalars["k"] = scalarF32(1) },
			`there is no parameter "k"; there is src, dst, gain, margin, area`},
		{"unknown size", func(a *Args, _ *Options) { a.Sizes = map[string]int{"N": 1} }, `there is no size "N"; there is H, W`},
		{"image for scalar", func(a *Args, _ *Options) { a.Images["gain"] = image(tU8, 1) },
			"gain is a scalar of type f32, but an image was given"},
		{"scalar for image", func(a *Args, _ *Options) { a.Scalars["src"] = scalarF32(1) },
			"src is an image of type u8[2*H][W], but a scalar was given"},
		{"out scalar", func(a *Args, _ *Options) { a.Scalars["area"] = types.Of(types.I32, 1) },
			"area is an out scalar: it is returned and takes no value"},
		{"size disagrees", func(a *Args, _ *Options) { a.Sizes = map[string]int{"H": 4} },
			"H = 4 was given, but src is 6 x 4, so H = 3"},
		{"local extent", func(a *Args, _ *Options) { a.Scalars["margin"] = types.Of(types.I32, 3) },
			"tmp would be 0 x 4 for rows = 0, but every extent must be at least 1"},
		{"memory", func(_ *Args, o *Options) { o.MaxLocalBytes = 50 },
			"plane, 4 x 3 x 4 of u8, takes 48 bytes, which brings local and out images over the limit of 50 bytes"},
		{"check", func(a *Args, _ *Options) { a.Scalars["gain"] = scalarF32(-1) }, "gain must be above 0"},
		{"second check", func(a *Args, _ *Options) { a.Images["src"] = image(tU8, 6, 1) },
			"dst needs W >= 2, because dst[y][W-2] is written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args, opts := goodArgs(), Options{}
			c.change(&args, &opts)
			_, err := Run(context.Background(), halving(), args, opts)
			var e *Error
			if !errors.As(err, &e) || e.Message != c.want || e.Internal || e.Pipeline != "halve" {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestSizesOfAbsentOutImagesAreGivenOrAskedFor(t *testing.T) {
	p := newProgram()
	dst := p.image("dst", hast.Out, tI32, "H", "W")
	y, x := iterator("y"), iterator("x")
	p.stage(dst, []*hast.Var{y, x}, store(dst, add(mul(i32(10), ref(y)), ref(x)), ref(y), ref(x)))
	run := func(args Args) (Results, error) { return Run(context.Background(), p.Pipeline, args, Options{}) }

	if _, err := run(Args{}); err == nil || err.Error() != "test: nothing gives the size H: pass the image dst or the size" {
		t.Errorf("without sizes: %v", err)
	}
	for _, sizes := range []map[string]int{{"H": 0, "W": 3}, {"H": 1 << 31, "W": 3}, {"H": -2, "W": 3}} {
		if _, err := run(Args{Sizes: sizes}); err == nil {
			t.Errorf("sizes %v are accepted", sizes)
		}
	}
	_, err := run(Args{Sizes: map[string]int{"H": 0, "W": 3}})
	if want := "test: dst would be 0 x 3 for H = 0 (given), but every extent must be at least 1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	res, err := run(Args{Sizes: map[string]int{"H": 2, "W": 3}})
	if err != nil || !slices.Equal(valuesOf(res.Images["dst"]), []float64{0, 1, 2, 10, 11, 12}) {
		t.Errorf("with sizes: %v, %v", res, err)
	}
	own := picture(tI32, []int{1, 2}, 7, 7)
	res, err = run(Args{Images: map[string]*pixels.Image{"dst": own}})
	if err != nil || res.Images["dst"] != own || !slices.Equal(valuesOf(own), []float64{0, 1}) {
		t.Errorf("with the caller's image: %v, %v", res, err)
	}
}

func TestErrorsSayWhereTheyStand(t *testing.T) {
	p := halving()
	file := source.NewFile("halve.img", "pipeline halve(\n  in src: u8[2*H][W])")
	p.Params[0].At = source.Span{File: file, Start: 18, End: 24}
	args := goodArgs()
	args.Images["src"] = picture(tF32, []int{6, 4})
	_, err := Run(context.Background(), p, args, Options{})
	want := "halve.img:2:3: halve: src has elements of type f32, but u8[2*H][W] asks for u8"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestHostArithmeticThatLeavesI32IsRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *program, h hast.Expr)
		want   string
	}{
		{"extent", func(p *program, h hast.Expr) { p.image("tmp", hast.Local, tU8, mul(h, i32(1<<30))) },
			"an extent of tmp is H*1073741824 = 4294967296 for H = 4 (bound by src), which does not fit an i32"},
		{"host value", func(p *program, h hast.Expr) {
			p.Steps = append(p.Steps, &hast.DefineHost{Var: newVar("n", tI32, hast.HostValue), Value: add(h, i32(1<<31-1))})
		}, "n is H + 2147483647 = 2147483651 for H = 4 (bound by src), which does not fit an i32"},
		{"bound", func(p *program, h hast.Expr) {
			p.Steps = append(p.Steps, &hast.Stage{Name: "loop", Space: over([]*hast.Var{iterator("y")}, mul(h, mul(h, i32(1<<28))))})
		}, "the end of y in loop is H*(H*268435456) = 4294967296 for H = 4 (bound by src), which does not fit an i32"},
		{"product beyond 64 bits", func(p *program, h hast.Expr) {
			big := mul(mul(h, i32(1<<30)), mul(h, i32(1<<30)))
			p.Steps = append(p.Steps, &hast.DefineHost{Var: newVar("n", tI32, hast.HostValue), Value: mul(big, h)})
		}, "n is ((H*1073741824)*(H*1073741824))*H for H = 4 (bound by src), which does not fit 64 bits"},
		{"check that would hold in i32", func(p *program, h hast.Expr) {
			p.Checks = append(p.Checks, &hast.Check{Cond: op(ops.Lt, mul(h, i32(1<<30)), i32(1)), Message: "H is too large"})
		}, "H is too large"},
		{"a result that fits again", func(p *program, h hast.Expr) {
			p.image("tmp", hast.Local, tU8, op(ops.Div, mul(h, i32(1<<30)), i32(1<<30)))
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram()
			src := p.image("src", hast.In, tI32, "H")
			c.change(p, src.Extent[0])
			_, err := Run(context.Background(), p.Pipeline, images(picture(tI32, []int{4})), Options{})
			var e *Error
			if c.want == "" && err == nil {
				return
			}
			if !errors.As(err, &e) || e.Message != c.want || e.Internal {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
