package types

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

func TestLoadAndStoreAreLittleEndian(t *testing.T) {
	for _, c := range []struct {
		k     Kind
		w     Word
		bytes []byte
	}{
		{Bool, 1, []byte{1}},
		{I8, Int(-2), []byte{0xfe}},
		{U8, 200, []byte{200}},
		{I16, Int(-2), []byte{0xfe, 0xff}},
		{U16, 0x1234, []byte{0x34, 0x12}},
		{I32, Int(-0x12345678), []byte{0x88, 0xa9, 0xcb, 0xed}},
		{U32, 0xfedcba98, []byte{0x98, 0xba, 0xdc, 0xfe}},
		{I64, Int(math.MinInt64), []byte{0, 0, 0, 0, 0, 0, 0, 0x80}},
		{U64, Uint(math.MaxUint64 - 1), []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{F16, Float(-1.5), []byte{0x00, 0xbe}},
		{BF16, Float(-1.5), []byte{0xc0, 0xbf}},
		{F32, Float(-1.5), []byte{0, 0, 0xc0, 0xbf}},
		{F64, Float(-1.5), []byte{0, 0, 0, 0, 0, 0, 0xf8, 0xbf}},
	} {
		if got := Load(c.k, c.bytes); got != c.w {
			t.Errorf("Load(%s, % x) = %#x, want %#x", c.k, c.bytes, got, c.w)
		}
		b := bytes.Repeat([]byte{0xaa}, 10)
		Store(c.k, b, c.w)
		if !bytes.Equal(b[:c.k.Bytes()], c.bytes) {
			t.Errorf("Store(%s, %#x) wrote % x, want % x", c.k, c.w, b[:c.k.Bytes()], c.bytes)
		}
		if rest := b[c.k.Bytes():]; !bytes.Equal(rest, bytes.Repeat([]byte{0xaa}, len(rest))) {
			t.Errorf("Store(%s) wrote past its %d bytes: % x", c.k, c.k.Bytes(), b)
		}
	}
}

// Copying an image must not change it, whatever NaNs it contains.
func TestLoadThenStoreKeepsEveryBitPattern(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	patterns := []uint64{0x7f800001, 0xff800001, 0x7fc00000, 0xffffffff, 0x7ff0000000000001, 0xfff8000000000000}
	for range 1000 {
		patterns = append(patterns, random.Uint64())
	}
	for _, k := range Kinds {
		for _, p := range patterns {
			if k == Bool {
				p &= 1
			}
			var before, after [8]byte
			binary.LittleEndian.PutUint64(before[:], p)
			Store(k, after[:], Load(k, before[:]))
			if n := k.Bytes(); !bytes.Equal(before[:n], after[:n]) {
				t.Fatalf("%s: % x became % x", k, before[:n], after[:n])
			}
			if got := FromBits(k, p); got != Load(k, before[:]) {
				t.Fatalf("FromBits(%s, %#x) = %#x and Load = %#x", k, p, got, Load(k, before[:]))
			}
			if got, want := Bits(k, FromBits(k, p)), p<<(64-k.Bits())>>(64-k.Bits()); got != want {
				t.Fatalf("Bits(%s, FromBits(%#x)) = %#x, want %#x", k, p, got, want)
			}
		}
	}
}

func TestStoreBringsTheWordIntoTheKind(t *testing.T) {
	for _, c := range []struct {
		k    Kind
		w    Word
		want Word
	}{
		{U8, 300, 44}, {I8, 200, Int(-56)}, {Bool, 2, 1}, {U32, Int(-1), math.MaxUint32},
		{F32, Float(0.1), Float(float64(float32(0.1)))}, {F16, Float(1e6), Float(math.Inf(1))}, {F16, Float(0.1), Float(0.0999755859375)},
	} {
		var b [8]byte
		Store(c.k, b[:], c.w)
		if got := Load(c.k, b[:]); got != c.want {
			t.Errorf("%#x stored as %s reads %#x, want %#x", c.w, c.k, got, c.want)
		}
	}
	if got := Load(Bool, []byte{2}); got != 1 {
		t.Errorf("a bool byte of 2 reads %d, want 1", got)
	}
}

func TestNarrowingANaNKeepsItANaN(t *testing.T) {
	faint := Word(0x7ff0000000000001) // its payload lies below what the narrower kinds have
	for _, k := range []Kind{F16, BF16, F32} {
		if got := FromBits(k, Bits(k, faint)).Float(); got == got {
			t.Errorf("a NaN stored as %s reads %g", k, got)
		}
	}
}

func TestBitcast(t *testing.T) {
	for _, c := range []struct {
		w        Word
		from, to Kind
		want     Word
	}{
		{Float(1), F32, U32, 0x3f800000},
		{Float(math.Copysign(0, -1)), F32, I32, Int(math.MinInt32)},
		{Int(-1), I8, U8, 255},
		{255, U8, I8, Int(-1)},
		{0x3c00, U16, F16, Float(1)},
		{Float(1), F16, BF16, Float(0.0078125)},
		{0x3ff0000000000000, I64, F64, Float(1)},
		{Float(2), BF16, I16, 0x4000},
	} {
		if got := Bitcast(c.w, c.from, c.to); got != c.want {
			t.Errorf("bitcast of %#x from %s to %s = %#x, want %#x", c.w, c.from, c.to, got, c.want)
		}
	}
}
