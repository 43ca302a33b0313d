package updates

import (
	"fmt"
	"strings"

	"imgc/types"
)

// kinds are those whose pixels can be updated.
var kinds = []types.Kind{types.I8, types.U8, types.I16, types.U16, types.I32, types.U32, types.I64, types.U64, types.F16, types.BF16, types.F32, types.F64, types.Bool}

// An update is a row of the table: how a pixel and a value are combined.
type update struct {
	name, op string // op is "" for fold
	ints     string // the value of an instance, from the pixel p of src
	floats   string // the same such that the order of additions and products does not matter
	bools    string // the same of pixels that are bools
	text     string // the programs, where they are not those of program
}

var all = []update{
	{name: "add", op: "+=", ints: "$(p) + $(y)", floats: "$(p) - 100"},
	{name: "sub", op: "-=", ints: "$(p) * $(x)", floats: "$(p)"},
	{name: "mul", op: "*=", ints: "$(2 * p + 1)", floats: "select(p > 127, $(2), $(0.5d))"},
	{name: "least", op: "min=", ints: "$(p) - $(x)", floats: "$(p) / 3 - $(x)"},
	{name: "greatest", op: "max=", ints: "$(p) - $(x)", floats: "$(p) / 3 - $(x)"},
	{name: "and", op: "&=", ints: "$(p) | $(192)", bools: "p % 3 != 0"},
	{name: "or", op: "|=", ints: "$(p) & $(x)", bools: "p % 5 == x % 5"},
	{name: "xor", op: "^=", ints: "$(p) << $(y % 8)", bools: "p % 2 == 1"},
	{name: "combine", ints: "$(p) + $(x)", floats: "$(p) - $(x)"},
}

// takes: 16-bit floats are rounded once by operators, but by each call of a func, so that the order would matter.
func (u update) takes(k types.Kind) bool {
	switch {
	case k == types.Bool:
		return u.bools != ""
	case k.IsFloat():
		return u.floats != "" && (u.op != "" || k.Bits() > 16)
	}
	return true
}

func (u update) pipeline(k types.Kind) string { return u.name + "_" + k.String() }

// value is the value of an instance converted to kind k.
func (u update) value(k types.Kind) string {
	text := u.ints
	switch {
	case k == types.Bool:
		text = u.bools
	case k.IsFloat():
		text = u.floats
	}
	computed := k
	if k == types.BF16 { // which has no arithmetic
		computed = types.F32
	}
	return fmt.Sprintf("%s(%s)", k, strings.ReplaceAll(text, "$", computed.String()))
}

// statement updates a pixel by a value.
func (u update) statement(k types.Kind, lanes int, pixel, value string) string {
	if u.op != "" {
		return fmt.Sprintf("%s %s %s;", pixel, u.op, value)
	}
	return fmt.Sprintf("%s = fold(combine_%s_%d, %s, %s);", pixel, k, lanes, pixel, value)
}

// program has a pipeline for each kind that takes the update.
func (u update) program() string {
	var b strings.Builder
	for _, k := range kinds {
		if !u.takes(k) {
			continue
		}
		if u.op == "" {
			fmt.Fprintf(&b, "commutative func combine_%s_1(a: %s, b: %s): %s = %s(a + b);\n", k, k, k, k, k)
			fmt.Fprintf(&b, "commutative func combine_%s_3(a: %sx3, b: %sx3): %sx3 = %sx3(max(a.x, b.x), %s(a.y + b.y), min(a.z, b.z));\n", k, k, k, k, k, k)
		}
		fmt.Fprintf(&b, `pipeline %[1]s(in src: u8[H][W], inout bins: %[2]s[7], inout wide: %[2]sx3[5], inout part: %[2]s[6][9], inout own: %[2]s[H][W]) {
    iterate (y, x) over src border(part: skip, wide: skip) {
        let p = i32(src[y][x]);
        let v = %[3]s;
        %[4]s
        %[5]s
        %[6]s
        %[7]s
    }
}
`, u.pipeline(k), k, u.value(k),
			u.statement(k, 1, "bins[p % 7]", "v"),
			u.statement(k, 3, "wide[p % 9 - 2]", fmt.Sprintf("%[1]sx3(v, %[1]s(1), v)", k)),
			u.statement(k, 1, "part[y - p % 5][x - 3]", "v"),
			u.statement(k, 1, "own[y][x]", "v"))
	}
	return b.String()
}
