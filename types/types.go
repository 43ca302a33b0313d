package types

import (
	"fmt"
	"strings"
)

// A Kind is the numeric kind of one component.
type Kind uint8

const (
	Invalid Kind = iota
	Bool
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F16
	BF16
	F32
	F64
)

// Kinds lists every valid kind in declaration order.
var Kinds = []Kind{Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64}

type class uint8

const (
	boolean class = iota + 1
	signed
	unsigned
	float
)

// facts has one row for each kind; precision counts the bits of a float's significand, the hidden one included.
var facts = [...]struct {
	name      string
	bits      int
	class     class
	precision int
}{
	Bool: {"bool", 8, boolean, 0},
	I8:   {"i8", 8, signed, 0}, I16: {"i16", 16, signed, 0}, I32: {"i32", 32, signed, 0}, I64: {"i64", 64, signed, 0},
	U8: {"u8", 8, unsigned, 0}, U16: {"u16", 16, unsigned, 0}, U32: {"u32", 32, unsigned, 0}, U64: {"u64", 64, unsigned, 0},
	F16: {"f16", 16, float, 11}, BF16: {"bf16", 16, float, 8}, F32: {"f32", 32, float, 24}, F64: {"f64", 64, float, 53},
}

// String is the kind's spelling in the language.
func (k Kind) String() string {
	if k == Invalid || int(k) >= len(facts) {
		return "invalid"
	}
	return facts[k].name
}

// Bits is the storage width; a bool is stored as one byte, 0 or 1.
func (k Kind) Bits() int { return facts[k].bits }

// Bytes is the storage width in bytes.
func (k Kind) Bytes() int { return facts[k].bits / 8 }

// Precision is the number of significand bits of a float kind, the hidden one included, and 0 for others.
func (k Kind) Precision() int { return facts[k].precision }

// IsInt is true of the signed and unsigned integer kinds.
func (k Kind) IsInt() bool { return facts[k].class == signed || facts[k].class == unsigned }

// IsSigned is true of the signed integer kinds.
func (k Kind) IsSigned() bool { return facts[k].class == signed }

// IsUnsigned is true of the unsigned integer kinds.
func (k Kind) IsUnsigned() bool { return facts[k].class == unsigned }

// IsFloat is true of the floating-point kinds.
func (k Kind) IsFloat() bool { return facts[k].class == float }

// IsNumeric is true of integers and floats.
func (k Kind) IsNumeric() bool { return k.IsInt() || k.IsFloat() }

// ParseKind finds the kind spelled s.
func ParseKind(s string) (Kind, bool) {
	for _, k := range Kinds {
		if facts[k].name == s {
			return k, true
		}
	}
	return Invalid, false
}

// MaxRank is the largest number of extents of an image or array.
const MaxRank = 4

// MaxExtent is the largest extent of an image; entry checks refuse more. Index arithmetic is i32, and the proofs that it does
// not wrap rest on this bound: offsets, sums of two coordinates and 2*x+1 stay below 2^31.
const MaxExtent = 1 << 30

// A Type is the type of a value: a scalar, a vector of 2 to 4 lanes, or an array of one of these with constant extents.
// Types are comparable with ==.
type Type struct {
	Kind  Kind
	Lanes uint8 // 1 for a scalar
	Rank  uint8 // number of array extents, 0 for a scalar or vector
	Dims  [MaxRank]int32
}

// Scalar returns the type of a single component.
func Scalar(k Kind) Type { return Type{Kind: k, Lanes: 1} }

// Vector returns the type of n components, n from 1 to 4.
func Vector(k Kind, n int) Type { return Type{Kind: k, Lanes: uint8(n)} }

// Array returns the array type of elements t (a scalar or vector) with the given extents, slowest first.
func (t Type) Array(dims ...int) Type {
	t.Rank = uint8(len(dims))
	t.Dims = [MaxRank]int32{}
	for i, d := range dims {
		t.Dims[i] = int32(d)
	}
	return t
}

// Elem drops the array extents.
func (t Type) Elem() Type { return Type{Kind: t.Kind, Lanes: t.Lanes} }

// WithKind replaces the component kind and keeps lanes and extents.
func (t Type) WithKind(k Kind) Type { t.Kind = k; return t }

// WithLanes replaces the number of lanes and keeps kind and extents.
func (t Type) WithLanes(n int) Type { t.Lanes = uint8(n); return t }

// Shape returns the array extents, slowest first; nil for a scalar or vector.
func (t Type) Shape() []int {
	if t.Rank == 0 {
		return nil
	}
	s := make([]int, t.Rank)
	for i := range s {
		s[i] = int(t.Dims[i])
	}
	return s
}

// Len is the number of array elements, 1 for a scalar or vector.
func (t Type) Len() int {
	n := 1
	for _, d := range t.Dims[:t.Rank] {
		n *= int(d)
	}
	return n
}

// Words is the number of components of a value: Len times Lanes.
func (t Type) Words() int { return t.Len() * int(t.Lanes) }

// Bytes is the packed size of one element (without array extents): a u8x3 has 3.
func (t Type) Bytes() int { return t.Kind.Bytes() * int(t.Lanes) }

// IsScalar, IsVector and IsArray tell the three shapes apart.
func (t Type) IsScalar() bool { return t.Rank == 0 && t.Lanes == 1 }
func (t Type) IsVector() bool { return t.Rank == 0 && t.Lanes > 1 }
func (t Type) IsArray() bool  { return t.Rank > 0 }

// IsValid is false for the zero Type, the type of an expression that has been reported already.
func (t Type) IsValid() bool { return t.Kind != Invalid }

// String is the type's spelling in the language: "u8", "f32x4", "i32[3][3]".
func (t Type) String() string {
	var b strings.Builder
	b.WriteString(t.Kind.String())
	if t.Lanes > 1 {
		fmt.Fprintf(&b, "x%d", t.Lanes)
	}
	for _, d := range t.Dims[:t.Rank] {
		fmt.Fprintf(&b, "[%d]", d)
	}
	return b.String()
}

// Parse reads the spelling of a scalar or vector type: "u8", "f32x4".
func Parse(s string) (Type, bool) {
	lanes := 1
	if i := len(s) - 2; i > 0 && s[i] == 'x' && s[i+1] >= '2' && s[i+1] <= '4' {
		lanes, s = int(s[i+1]-'0'), s[:i]
	}
	k, ok := ParseKind(s)
	return Vector(k, lanes), ok
}
