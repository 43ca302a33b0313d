package normal_test

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/pixels"
	"imgc/sema/sematest"
)

// roundeds are bodies of dst[y][x], of a type, and what is in the form that they take where neighbours are computed in blocks, and where they are not.
var roundeds = []struct{ name, to, body, blocks, apart string }{
	{"by 256", "u8", "sat<u8>(f32(s) * (1 / 256.0))", "+ 127) + ((", ">> 8) & 1)) >> 8)"},
	{"by 16 of a byte", "u8", "sat<u8>(f32(src[y][x]) * (1 / 16.0))", "* 16) + 127)", "+ 7) + (("},
	{"as it is", "u8", "sat<u8>(f32(i32(src[y][x]) - src[y][x+1]))", "sat u8((i32(src", ""},
	{"below zero", "i8", "sat<i8>(f32(i32(src[y][x]) - 2*src[y][x+1]) * 0.5)", "& 1)) >> 1", ""},
	{"16 bits", "u16", "sat<u16>(f32(i32(wide[y][x]) + wide[y][x+1]) * 0.25)", "& 1)) >> 2", ""},
	{"by 9", "u8", "sat<u8>(f32(i32(src[y][x]) + src[y][x+1]) * (1 / 9.0))", "+ 4) / 9)", "0.11111111"},
	{"by 10, where halves are as f32 has them", "u8", "sat<u8>(f32(i32(src[y][x]) + src[y][x+1]) * 0.1)", "* 0.1", ""},
	{"cut off", "u8", "u8(f32(src[y][x]) * 0.25)", "* 0.25", ""},
	{"by what is no power of two", "u8", "sat<u8>(f32(src[y][x]) * 0.3)", "* 0.3", ""},
}

func roundedProgram(t *testing.T, to, body string) *hast.Program {
	body = strings.ReplaceAll(body, "f32(s)", "f32(256 * i32(src[y][x]) - 128 * src[y][x+1] + src[y-1][x])")
	return sematest.Program(t, "pipeline p(in src: u8[H][W] border clamp, in wide: u16[H][W] border clamp, out dst: "+to+"[H][W]) { iterate (y, x) over dst dst[y][x] = "+body+"; }")
}

func TestRoundedProductsAreOfIntegers(t *testing.T) {
	for _, c := range roundeds {
		p, all := roundedProgram(t, c.to, c.body), wholeImages(t)
		checkBlocks(t, c.name, p, c.blocks, c.apart)
		checkBits(t, c.name, p, map[string]*pixels.Image{"src": all["src"], "wide": all["wide"]})
	}
}
