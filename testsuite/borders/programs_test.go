package borders

import (
	"fmt"
	"strings"

	"imgc/types"
)

// A rule is a total border rule as a program spells it; Value stands outside under constant.
type rule struct {
	name, text string
	value      int
}

var rules = []rule{
	{"clamp", "clamp", 0}, {"reflect", "reflect", 0}, {"reflect101", "reflect101", 0}, {"repeat", "repeat", 0},
	{"constant", "constant(0)", 0}, {"constant", "constant(7)", 7}, {"formula", "formula", 0},
}

// formulas are the borders of the rule formula: one for each rank.
const formulas = `border formula1(s[N]) {
    s[-1] = s[0] + 3;
    s[+2] = 2*s[N - 1];
} else reflect101

border formula2(s[M][N]) {
    s[*][-1] = s[*][0] + 3;
    s[-2][*] = 2*s[M - 1][*];
    s[+1][+1] = 7;
    s[*][+2] = s[M - 1][0] + s[*][N - 1];
} else reflect101

border formula3(s[L][M][N]) {
    s[*][*][-1] = s[*][*][0] + 3;
    s[-1][*][*] = 2*s[L - 1][*][*];
    s[*][+1][+1] = s[*][0][N - 1] + s[0][M - 1][0];
    s[+1][-1][-1] = 7;
} else repeat

border formula4(s[K][L][M][N]) {
    s[*][*][*][-1] = s[*][*][*][0] + 3;
    s[-1][*][*][*] = 2*s[K - 1][*][*][*];
    s[*][+1][*][+1] = s[*][0][*][N - 1] + s[0][L - 1][*][0];
    s[*][*][-1][+2] = s[K - 1][*][0][0];
    s[+1][-1][+1][-1] = 7;
} else reflect101

`

// spelled is the rule as a program writes it for images of this rank.
func (r rule) spelled(rank int) string {
	if r.name == "formula" {
		return fmt.Sprintf("formula%d", rank)
	}
	return r.text
}

// A shape is one pipeline of the programs: out dst from in src.
type shape struct {
	name      string
	elem      types.Type
	result    string // type of dst
	rank      int
	radius    int
	place     place
	reference string // function of borders.py
	kind      string // NumPy's name for the arithmetic
	offset    []int  // of shift
}

// A place is where a program gives the rule.
type place int

const (
	onIterate     place = iota // iterate ... border rule
	onImage                    // iterate ... border(src: rule)
	onParameter                // in src: T[..] border rule
	overParameter              // the iterate's clause where the parameter has another rule
	onLocal                    // of a local image, which is a copy
)

var shapes = []shape{
	{name: "u8_5x5", elem: types.Scalar(types.U8), result: "i64", rank: 2, radius: 2, reference: "stencil", kind: "int64"},
	{name: "u8_9x9", elem: types.Scalar(types.U8), result: "i32", rank: 2, radius: 4, place: onImage, reference: "stencil", kind: "int32"},
	{name: "i32_7", elem: types.Scalar(types.I32), result: "i32", rank: 1, radius: 3, place: onParameter, reference: "stencil", kind: "int32"},
	{name: "i16_3x3x3", elem: types.Scalar(types.I16), result: "i64", rank: 3, radius: 1, place: overParameter, reference: "stencil", kind: "int64"},
	{name: "i64_9", elem: types.Scalar(types.I64), result: "i64", rank: 1, radius: 4, reference: "stencil", kind: "int64"},
	{name: "u32_3x3", elem: types.Scalar(types.U32), result: "u32", rank: 2, radius: 1, place: onLocal, reference: "stencil", kind: "uint32"},
	{name: "f32_5x5", elem: types.Scalar(types.F32), result: "f32", rank: 2, radius: 2, place: onLocal, reference: "stencil", kind: "float32"},
	{name: "f32_3x3x3", elem: types.Scalar(types.F32), result: "f32", rank: 3, radius: 1, reference: "stencil", kind: "float32"},
	{name: "f64_3x3", elem: types.Scalar(types.F64), result: "f64", rank: 2, radius: 1, place: onParameter, reference: "stencil", kind: "float64"},
	{name: "f32x4_3x3", elem: types.Vector(types.F32, 4), result: "f32x4", rank: 2, radius: 1, place: onImage, reference: "stencil", kind: "float32"},
	{name: "u8x3_median", elem: types.Vector(types.U8, 3), result: "u8x3", rank: 2, place: onParameter, reference: "median"},
	{name: "u16_shift", elem: types.Scalar(types.U16), result: "u16", rank: 2, reference: "shift", offset: []int{-5, 8}},
	{name: "f16_shift", elem: types.Scalar(types.F16), result: "f16", rank: 3, reference: "shift", offset: []int{3, -2, 6}},
	{name: "i16_3x3x3x3", elem: types.Scalar(types.I16), result: "i64", rank: 4, radius: 1, place: onImage, reference: "stencil", kind: "int64"},
	{name: "u8_shift", elem: types.Scalar(types.U8), result: "u8", rank: 4, place: onParameter, reference: "shift", offset: []int{-1, 1, -1, 2}},
	{name: "i8_gather", elem: types.Scalar(types.I8), result: "i8", rank: 1, reference: "gather"},
	{name: "f32_gather", elem: types.Scalar(types.F32), result: "f32", rank: 1, place: onParameter, reference: "gather"},
}

var (
	axes    = [][]string{1: {"x"}, 2: {"y", "x"}, 3: {"z", "y", "x"}, 4: {"w", "z", "y", "x"}}
	extents = [][]string{1: {"W"}, 2: {"H", "W"}, 3: {"D", "H", "W"}, 4: {"T", "D", "H", "W"}}
)

// program writes every shape under one rule.
func program(r rule) string {
	var b strings.Builder
	if r.name == "formula" {
		b.WriteString(formulas)
	}
	for _, s := range shapes {
		b.WriteString(s.text(r))
	}
	return b.String()
}

func (s shape) text(r rule) string {
	extent := "[" + strings.Join(extents[s.rank], "][") + "]"
	pixel := "[" + strings.Join(axes[s.rank], "][") + "]"
	iterate := "iterate (" + strings.Join(axes[s.rank], ", ") + ") over dst"
	source, param, clause, local := "src", "", "", ""
	switch s.place {
	case onIterate:
		clause = " border " + r.spelled(s.rank)
	case onImage:
		clause = " border(src: " + r.spelled(s.rank) + ")"
	case onParameter:
		param = " border " + r.spelled(s.rank)
	case overParameter:
		param, clause = " border clamp", " border "+r.spelled(s.rank)
	case onLocal:
		source = "own"
		local = fmt.Sprintf("    image own: %s%s = src;\n", s.elem, extent)
		clause = " border(own: " + r.spelled(s.rank) + ")"
	}
	var b strings.Builder
	more := ""
	if s.reference == "gather" {
		more = ", in at: i32[N]"
		extent, pixel = "[N]", "[x]"
	}
	if s.reference == "stencil" {
		fmt.Fprintf(&b, "mask m_%s: %s%s = %s;\n", s.name, s.coefficient(), s.maskExtent(), s.maskText(s.mask(), s.rank))
	}
	fmt.Fprintf(&b, "pipeline %s(in src: %s[%s]%s%s, out dst: %s%s) {\n%s    %s%s\n        dst%s = %s;\n}\n\n", s.name, s.elem,
		strings.Join(extents[s.rank], "]["), param, more, s.result, extent, local, iterate, clause, pixel, s.value(source))
	return b.String()
}

// value is what a pixel of dst becomes.
func (s shape) value(source string) string {
	v := axes[s.rank]
	switch s.reference {
	case "stencil":
		return fmt.Sprintf("convolve(m_%s, %s[%s])", s.name, source, strings.Join(v, "]["))
	case "median":
		return fmt.Sprintf("median(%s[y-1 : 3][x-1 : 3])", source)
	case "gather":
		return source + "[at[x]]"
	}
	text := source
	for i, o := range s.offset {
		text += fmt.Sprintf("[%s + (%d)]", v[i], o)
	}
	return text
}

func (s shape) coefficient() string { return types.Scalar(s.arithmetic()).String() }

func (s shape) arithmetic() types.Kind {
	t, ok := types.Parse(s.result)
	if !ok {
		panic(s.result)
	}
	return t.Kind
}

func (s shape) maskExtent() string {
	return strings.Repeat(fmt.Sprintf("[%d]", 2*s.radius+1), s.rank)
}

// mask is the coefficients in row-major order: of both signs, some zero, no symmetry; halves and quarters where they are floats.
func (s shape) mask() []float64 {
	n := 1
	for range s.rank {
		n *= 2*s.radius + 1
	}
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(i*i%11 + i%3)
		if k := s.arithmetic(); k.IsSigned() || k.IsFloat() {
			all[i] -= 3
		}
		if s.arithmetic().IsFloat() {
			all[i] /= 7
		}
	}
	return all
}

// maskText and nested write coefficients as the language and as JSON nest them.
func (s shape) maskText(values []float64, rank int) string {
	if rank == 0 {
		if s.arithmetic().IsFloat() {
			return fmt.Sprintf("%d / 7.0", int(values[0]*7+0.5*sign(values[0])))
		}
		return fmt.Sprint(int(values[0]))
	}
	parts := make([]string, 2*s.radius+1)
	step := len(values) / len(parts)
	for i := range parts {
		parts[i] = s.maskText(values[i*step:(i+1)*step], rank-1)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func sign(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}

func (s shape) nested(values []float64, rank int) any {
	if rank == 0 {
		return values[0]
	}
	parts := make([]any, 2*s.radius+1)
	step := len(values) / len(parts)
	for i := range parts {
		parts[i] = s.nested(values[i*step:(i+1)*step], rank-1)
	}
	return parts
}
