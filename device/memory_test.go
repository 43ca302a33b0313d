package device

import (
	"bytes"
	"errors"
	"testing"

	"imgc/kir"
	"imgc/types"
)

func variable(name string) *kir.Var { return &kir.Var{Name: name, Type: types.Scalar(types.I64)} }

// eachOf gives images layouts of their own.
func eachOf(by map[string]Layout) Layout {
	return Layout{Each: func(name string) Layout { return by[name] }}
}

func TestBlockLaysLinesOut(t *testing.T) {
	parameter := func(elem types.Type, lineAxis int) *kir.Image {
		m := &kir.Image{Name: "m", Elem: elem, LineAxis: lineAxis, Offset: variable("o")}
		if lineAxis >= 0 {
			m.Pitch = variable("p")
		}
		return m
	}
	temporary := &kir.Image{Name: "t", Dir: kir.Temporary, Elem: types.Scalar(types.U16), LineAxis: 0, Pitch: variable("p")}
	swapped := &kir.Image{Name: "s", Dir: kir.Temporary, Elem: types.Vector(types.F32, 2), LineAxis: 0, Offset: variable("o"), Pitch: variable("p")}
	for _, c := range []struct {
		image  *kir.Image
		extent []int
		layout Layout
		want   block
		size   int
	}{
		{parameter(types.Scalar(types.U8), 0), []int{3, 5}, Layout{}, block{pitch: 5, line: 5, lines: 3}, 15},
		{parameter(types.Scalar(types.U8), 0), []int{3, 5}, Layout{Pad: 2, Offset: 7}, block{offset: 7, pitch: 7, line: 5, lines: 3}, 28},
		{parameter(types.Vector(types.F32, 3), 0), []int{2, 4}, Layout{Pad: 1, Offset: 1}, block{offset: 4, pitch: 52, line: 48, lines: 2}, 108},
		{parameter(types.Scalar(types.U16), 0), []int{4, 5, 3}, Layout{Pad: 1}, block{pitch: 32, line: 30, lines: 4}, 128},
		{parameter(types.Scalar(types.U16), 1), []int{4, 5, 9}, Layout{Pad: 1}, block{pitch: 20, line: 18, lines: 20}, 400},
		{parameter(types.Scalar(types.I32), -1), []int{9}, Layout{Pad: 5, Offset: 2}, block{offset: 8, pitch: 36, line: 36, lines: 1}, 44},
		{temporary, []int{2, 3}, Layout{Pad: 1, Offset: 9}, block{pitch: 8, line: 6, lines: 2}, 16},
		{parameter(types.Vector(types.F32, 2), 0), []int{2, 3}, Layout{Pad: 1, Offset: 3}, block{offset: 12, pitch: 28, line: 24, lines: 2}, 68},
		{swapped, []int{2, 3}, Layout{Pad: 1, Offset: 3}, block{offset: 24, pitch: 32, line: 24, lines: 2}, 88},
		{parameter(types.Scalar(types.U16), 0), []int{2, 16}, Layout{Offset: 8, Multiple: 8}, block{offset: 16, pitch: 32, line: 32, lines: 2}, 80},
		{parameter(types.Scalar(types.U16), 0), []int{2, 16}, Layout{Pad: 1, Multiple: 8}, block{pitch: 48, line: 32, lines: 2}, 96},
		{parameter(types.Scalar(types.U8), 0), []int{3, 5}, eachOf(map[string]Layout{"m": {Pad: 3}}), block{pitch: 8, line: 5, lines: 3}, 24},
		{temporary, []int{2, 3}, eachOf(map[string]Layout{"m": {Pad: 3}}), block{pitch: 6, line: 6, lines: 2}, 12},
	} {
		got, err := newBlock(c.image, c.extent, c.layout, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.want.image, c.want.own = c.image, c.layout.of(c.image).isNone()
		if *got != c.want || got.size() != c.size {
			t.Errorf("%v %v %v: got %+v of %d bytes, want %+v of %d", c.image.Elem, c.extent, c.layout, *got, got.size(), c.want, c.size)
		}
	}
}

func TestBlockFindsWritesBetweenLines(t *testing.T) {
	b := &block{image: &kir.Image{Name: "dst"}, offset: 2, pitch: 5, line: 3, lines: 2}
	intact := bytes.Repeat([]byte{guard}, b.size())
	for i := range intact {
		all := bytes.Clone(intact)
		all[i] ^= 1
		inside := i >= 2 && i < 5 || i >= 7 && i < 10
		if err := b.intact(all); (err == nil) != inside || err != nil && !errors.Is(err, ErrInternal) {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
}

func TestEncodeWritesWhatMemoryHolds(t *testing.T) {
	for _, c := range []struct {
		v    types.Value
		want []byte
	}{
		{types.Of(types.Bool, types.Truth(true)), []byte{1}},
		{types.Of(types.I16, types.Int(-2)), []byte{0xfe, 0xff}},
		{types.Of(types.F16, types.Float(1.5)), []byte{0x00, 0x3e}},
		{types.Of(types.BF16, types.Float(1.5)), []byte{0xc0, 0x3f}},
		{types.Of(types.F64, types.Float(1)), []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
		{types.Value{Type: types.Vector(types.U8, 3), Words: []types.Word{1, 2, 3}}, []byte{1, 2, 3, 0}},
		{types.Value{Type: types.Vector(types.U16, 2), Words: []types.Word{1, 2}}, []byte{1, 0, 2, 0}},
	} {
		if got := encode(c.v); !bytes.Equal(got, c.want) {
			t.Errorf("%v: % x, want % x", c.v, got, c.want)
		}
	}
}

func TestPadded(t *testing.T) {
	for _, c := range []struct{ line, multiple, want int }{
		{8191 * 4, 256, 8192 * 4},
		{8192, 256, 8192},
		{1920 * 3, 256, 5888},
		{100, 256, 112}, // 256, 128, 64 and 32 would leave gaps of more than an eighth
		{3, 256, 16},
		{3, 0, 3},
		{17, 1, 17},
	} {
		if got := padded(c.line, c.multiple); got != c.want {
			t.Errorf("padded(%d, %d) = %d, want %d", c.line, c.multiple, got, c.want)
		}
	}
}
