package types

import (
	"reflect"
	"testing"
)

func TestEveryVectorTypeIsParsedFromItsSpelling(t *testing.T) {
	for _, k := range Kinds {
		for lanes := 1; lanes <= 4; lanes++ {
			want := Vector(k, lanes)
			if got, ok := Parse(want.String()); !ok || got != want {
				t.Errorf("Parse(%q) = %v, %v", want.String(), got, ok)
			}
		}
	}
	for _, s := range []string{"", "x2", "u8x", "u8x1", "u8x5", "u8x22", "int", "U8", "i32[3]", "invalid", "f32 x4"} {
		if got, ok := Parse(s); ok {
			t.Errorf("Parse(%q) = %v", s, got)
		}
	}
}

func TestShapesOfTypes(t *testing.T) {
	for _, c := range []struct {
		typ          Type
		name         string
		shape        []int
		words, bytes int
		form         string
	}{
		{Scalar(U8), "u8", nil, 1, 1, "scalar"},
		{Vector(F16, 3), "f16x3", nil, 3, 6, "vector"},
		{Scalar(I32).Array(3, 5), "i32[3][5]", []int{3, 5}, 15, 4, "array"},
		{Vector(F64, 2).Array(7), "f64x2[7]", []int{7}, 14, 16, "array"},
		{Scalar(I32).Array(3, 5).Elem(), "i32", nil, 1, 4, "scalar"},
		{Vector(I32, 4).WithKind(Bool), "boolx4", nil, 4, 4, "vector"},
	} {
		if c.typ.String() != c.name || !reflect.DeepEqual(c.typ.Shape(), c.shape) || c.typ.Words() != c.words || c.typ.Bytes() != c.bytes {
			t.Errorf("%s: shape %v, %d words, %d bytes; want %s, %v, %d, %d",
				c.typ, c.typ.Shape(), c.typ.Words(), c.typ.Bytes(), c.name, c.shape, c.words, c.bytes)
		}
		forms := map[string]bool{"scalar": c.typ.IsScalar(), "vector": c.typ.IsVector(), "array": c.typ.IsArray()}
		for form, is := range forms {
			if is != (form == c.form) {
				t.Errorf("%s is %s: %v", c.typ, form, is)
			}
		}
	}
	if (Type{}).IsValid() || !Scalar(Bool).IsValid() {
		t.Error("only the zero type is invalid")
	}
	if Kind(200).String() != "invalid" || Invalid.String() != "invalid" {
		t.Error("what is no kind has a name")
	}
}

func TestEveryKindIsOfOneClass(t *testing.T) {
	for _, k := range Kinds {
		classes := 0
		for _, is := range []bool{k == Bool, k.IsSigned(), k.IsUnsigned(), k.IsFloat()} {
			if is {
				classes++
			}
		}
		if classes != 1 || k.IsNumeric() == (k == Bool) || k.IsInt() != (k.IsSigned() || k.IsUnsigned()) {
			t.Errorf("%s is of %d classes", k, classes)
		}
		if k.Bits() != 8*k.Bytes() || (k.Precision() > 0) != k.IsFloat() {
			t.Errorf("%s has %d bits in %d bytes and precision %d", k, k.Bits(), k.Bytes(), k.Precision())
		}
	}
}
