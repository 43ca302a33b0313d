package device_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/types"
)

// open opens the first OpenCL device, or skips the test where there is none.
func open(t *testing.T) *device.Device {
	t.Helper()
	d, err := device.Open("")
	if err != nil {
		t.Skipf("no OpenCL device: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func build(t *testing.T, d *device.Device, text string) (*imgc.Program, *device.Program) {
	t.Helper()
	program, kernels := compile(t, text, imgc.Strict)
	p, err := d.Build(kernels.Program, kernels.Output)
	if err != nil {
		t.Fatal(err)
	}
	return program, p
}

// random fills an image with bytes that differ; bools stay bools, floats finite.
func random(t *testing.T, elem string, extent ...int) *pixels.Image {
	m := zeros(t, elem, extent...)
	for i := range m.Words() {
		m.SetWord(i, types.Convert(types.Int(int64(i*i%251)), types.I64, m.Elem.Kind))
	}
	return m
}

func clone(a device.Args) device.Args {
	out := device.Args{Images: images{}, Scalars: a.Scalars, Sizes: a.Sizes}
	for name, m := range a.Images {
		out.Images[name] = m.Clone()
	}
	return out
}

// TestDeviceReturnsWhatTheInterpreterReturns runs programs that need what the host has to do: every kind of argument, inout images,
// zeros, temporaries, several stages, out scalars; in every layout.
func TestDeviceReturnsWhatTheInterpreterReturns(t *testing.T) {
	d := open(t)
	for name, c := range map[string]struct {
		text string
		args func(t *testing.T) device.Args
	}{
		"scalars of every kind": {`
pipeline p(in b: bool, in i8_: i8, in u16_: u16, in i64_: i64, in h: f16, in bf: bf16, in f: f32, in k: u32 = 5, out dst: f32[8], out n: i64, out twice: f32) {
    iterate (i) over dst
        dst[i] = (b ? 1.0 : 2.0) + f32(i8_) + f32(u16_) + f32(i64_) + f32(h) + f32(bf) + f + f32(k) + f32(i);
    n = i64_ + 1;
    twice = 2 * f;
}`, func(t *testing.T) device.Args {
			return device.Args{Scalars: scalars{
				"b": types.Of(types.Bool, 1), "i8_": types.Of(types.I8, types.Int(-7)), "u16_": types.Of(types.U16, 65535),
				"i64_": types.Of(types.I64, types.Int(1<<40)), "h": types.Of(types.F16, types.Float(0.5)),
				"bf": types.Of(types.BF16, types.Float(-3)), "f": types.Of(types.F32, types.Float(0.25)),
			}}
		}},
		"inout keeps what is not written": {`
pipeline p(inout a: u8[H][W], in k: u8) {
    iterate (y, x) over a where (x % 2 == 0)
        a[y][x] = u8(a[y][x] + k);
}`, func(t *testing.T) device.Args {
			return device.Args{Images: images{"a": random(t, "u8", 7, 9)}, Scalars: scalars{"k": types.Of(types.U8, 3)}}
		}},
		"pixels that nothing writes are 0": {`
pipeline p(in src: u8[H][W], out dst: u16x3[H][W]) {
    iterate (y in 0:H-1, x in 0:W) where (src[y][x] > 100)
        dst[y][x] = u16x3(u16(src[y][x]));
}`, nil},
		"stages and temporaries": {`
pipeline p(in src: u8[H][W], out dst: i32[H][W], out flags: bool[H][W]) {
    image wide: i32[H][W + 2] = [src[y][x - 1] for y, x] border constant(9);
    let bias = H - W;
    iterate (y, x) over dst
        dst[y][x] = wide[y][x] + wide[y][x + 2] + bias;
    iterate (y, x) over flags
        flags[y][x] = dst[y][x] > 50;
}`, nil},
		"channels and planes": {`
pipeline p(in src: u8[H][W][3], out dst: u8[3][H][W]) {
    iterate (c, y, x) over dst
        dst[c][y][x] = src[y][x][c];
}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			program, built := build(t, d, c.text)
			args := device.Args{Images: images{}}
			switch {
			case c.args != nil:
				args = c.args(t)
			default:
				src := program.Pipelines[0].Param("src")
				args.Images["src"] = random(t, src.Type.String(), []int{7, 9, 3}[:len(src.Extent)]...)
			}
			ref, err := imgc.OpenDevice("ref")
			if err != nil {
				t.Fatal(err)
			}
			want, err := program.Run(context.Background(), ref, "p", imgc.Args(clone(args)))
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range []device.Layout{{}, {Pad: 1}, {Offset: 3}, {Pad: 5, Offset: 1}} {
				got, err := built.Run(context.Background(), "p", clone(args), l)
				if err != nil {
					t.Fatalf("%+v: %v", l, err)
				}
				equal(t, imgc.Results(got), want)
			}
		})
	}
}

func equal(t *testing.T, got, want imgc.Results) {
	t.Helper()
	for name, w := range want.Images {
		if g := got.Images[name]; g == nil || !bytes.Equal(g.Data, w.Data) {
			t.Errorf("%s: got %v, want %v", name, g, w)
		}
	}
	for name, w := range want.Scalars {
		if g := got.Scalars[name]; g.Type != w.Type || g.Words[0] != w.Words[0] {
			t.Errorf("%s = %v, want %v", name, g, w)
		}
	}
	if len(got.Images) != len(want.Images) || len(got.Scalars) != len(want.Scalars) {
		t.Errorf("%d images and %d scalars, want %d and %d", len(got.Images), len(got.Scalars), len(want.Images), len(want.Scalars))
	}
}

const copyText = `
pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    dst = src;
}`

func TestRunFillsTheCallersImages(t *testing.T) {
	_, p := build(t, open(t), copyText)
	src, dst := random(t, "u8", 4, 5), zeros(t, "u8", 4, 5)
	r, err := p.Run(context.Background(), "p", device.Args{Images: images{"src": src, "dst": dst}}, device.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Images["dst"] != dst || !bytes.Equal(dst.Data, src.Data) {
		t.Errorf("dst is %v", dst.Data)
	}
}

func TestTimeReturnsATimeForEachRunAndWritesNothing(t *testing.T) {
	_, p := build(t, open(t), copyText)
	src, dst := random(t, "u8", 4, 5), zeros(t, "u8", 4, 5)
	all, err := p.Time(context.Background(), "p", device.Args{Images: images{"src": src, "dst": dst}}, 3)
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, d := range all {
		if d <= 0 {
			t.Errorf("a run took %v", d)
		}
	}
	if !bytes.Equal(dst.Data, make([]byte, 20)) {
		t.Error("Time wrote to the caller's image")
	}
}

func TestRunStopsWhenCancelled(t *testing.T) {
	_, p := build(t, open(t), copyText)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := p.Run(ctx, "p", device.Args{Images: images{"src": random(t, "u8", 4, 5)}}, device.Layout{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestFailuresOfTheCallAndTheDevice(t *testing.T) {
	d := open(t)
	_, p := build(t, d, copyText)
	_, closed := build(t, d, copyText)
	closed.Close()
	closed.Close()
	args := device.Args{Images: images{"src": random(t, "u8", 4, 5)}}
	for name, c := range map[string]struct {
		program  *device.Program
		pipeline string
		layout   device.Layout
		want     string
	}{
		"no such pipeline": {p, "q", device.Layout{}, "has no pipeline q"},
		"negative padding": {p, "p", device.Layout{Pad: -1}, "the layout {Pad:-1 Offset:0 Multiple:0} is not possible"},
		"closed program":   {closed, "p", device.Layout{}, "closed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.program.Run(context.Background(), c.pipeline, args, c.layout)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
