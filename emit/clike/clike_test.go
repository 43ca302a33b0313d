package clike

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

var (
	i32T = types.Scalar(types.I32)
	i64T = types.Scalar(types.I64)
)

// toy is a dialect with just what the tests need.
func toy(t *testing.T) *Dialect {
	t.Helper()
	l, err := ReadLibrary(fstest.MapFS{"s/a.c": {Data: []byte("int64_t imgc_add_i64(int64_t a, int64_t b)\n{\n    return a;\n}\n\n" +
		"int64_t imgc_mul_i64(int64_t a, int64_t b) { return imgc_add_i64(a, b); }\n\nint64_t imgc_div_i64(int64_t a, int64_t b) { return a; }\n")}}, "s")
	if err != nil {
		t.Fatal(err)
	}
	rows := func(op, word string) map[Class]Row {
		plain := Spelling{Infix: op}
		return map[Class]Row{Signed: {Exact: plain, Any: Spelling{Support: "imgc_" + word + "_$"}}, Unsigned: {Any: plain}, Floats: {Any: plain}}
	}
	order := map[Class]Row{Signed: {Exact: Spelling{Infix: "<"}}, Floats: {Exact: Spelling{Infix: "<"}}}
	return &Dialect{
		Types: map[types.Kind]string{
			types.Bool: "bool", types.U8: "uint8_t", types.I32: "int32_t", types.I64: "int64_t", types.U32: "uint32_t", types.F32: "float", types.F64: "double",
		},
		Suffix:  map[types.Kind]string{types.I64: "LL", types.U32: "u", types.U64: "uLL", types.F32: "f"},
		Inf:     map[types.Kind]string{types.F32: "INFINITY"},
		NaN:     map[types.Kind]string{types.F32: "NAN"},
		Ops:     Table{ops.Add: rows("+", "add"), ops.Mul: rows("*", "mul"), ops.Div: rows("/", "div"), ops.Lt: order},
		True:    "true",
		False:   "false",
		Support: l, MinInt64: "INT64_MIN",
	}
}

func number(k types.Kind, v float64) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: types.Scalar(k)}, Words: []types.Word{types.Convert(types.Float(v), types.F64, k)}}
}

func read(v *kir.Var) kir.Expr { return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v} }

func apply(o ops.Op, t types.Type, args ...kir.Expr) kir.Expr {
	return &kir.Op{Typed: kir.Typed{T: t}, Op: o, Args: args, Exact: true}
}

func convert(t types.Type, x kir.Expr) kir.Expr {
	return &kir.Convert{Typed: kir.Typed{T: t}, X: x, Exact: true}
}

func TestHostArithmeticIsPlainWhereItIsExact(t *testing.T) {
	h, k := &kir.Var{Name: "h", Type: i64T}, &kir.Var{Name: "k", Type: i32T}
	one, three := number(types.I64, 1), number(types.I64, 3)
	open := func(o ops.Op, args ...kir.Expr) kir.Expr {
		return &kir.Op{Typed: kir.Typed{T: i64T}, Op: o, Args: args}
	}
	for _, c := range []struct {
		e    kir.Expr
		want string
	}{
		{apply(ops.Div, i64T, apply(ops.Add, i64T, read(h), one), three), "(h + 1) / 3"},
		{apply(ops.Mul, i64T, apply(ops.Mul, i64T, read(h), read(h)), three), "h * h * 3"},
		{open(ops.Mul, read(h), open(ops.Add, read(h), one)), "imgc_mul_i64(h, imgc_add_i64(h, 1))"},
		{apply(ops.Add, i64T, convert(i64T, read(k)), one), "k + 1LL"},
		{open(ops.Div, read(h), number(types.I64, 0)), "imgc_div_i64(h, 0)"},
		{apply(ops.Lt, types.Scalar(types.Bool), open(ops.Add, read(h), one), read(h)), "imgc_add_i64(h, 1) < h"},
	} {
		got := ctree.Text(NewUnit(toy(t)).HostExpr(c.e, func(v *kir.Var) ctree.Expr { return ctree.Name(v.Name) }))
		if got != c.want {
			t.Errorf("%s becomes %s, want %s", kir.ExprText(c.e), got, c.want)
		}
	}
}

// TestNaturalDivisionsAreShiftsOrUnsigned writes divisions of what is not negative.
func TestNaturalDivisionsAreShiftsOrUnsigned(t *testing.T) {
	h := &kir.Var{Name: "h", Type: i32T}
	d := toy(t)
	plain := func(op string) map[Class]Row {
		return map[Class]Row{Signed: {Exact: Spelling{Infix: op}}, Unsigned: {Exact: Spelling{Infix: op}}}
	}
	d.Ops[ops.Shr], d.Ops[ops.And], d.Ops[ops.Rem], d.Ops[ops.Div] = plain(">>"), plain("&"), plain("%"), plain("/")
	for _, c := range []struct {
		op   ops.Op
		by   kir.Expr
		want string
	}{
		{ops.Div, number(types.I32, 256), "h >> 8"}, {ops.Rem, number(types.I32, 8), "h & 7"}, {ops.Div, number(types.I32, 9), "(int32_t)((uint32_t)h / 9u)"},
		{ops.Rem, read(h), "(int32_t)((uint32_t)h % (uint32_t)h)"},
	} {
		e := apply(c.op, i32T, read(h), c.by).(*kir.Op)
		e.Natural = true
		got := ctree.Text(NewUnit(d).HostExpr(e, func(v *kir.Var) ctree.Expr { return ctree.Name(v.Name) }))
		if got != c.want {
			t.Errorf("%s becomes %s, want %s", kir.ExprText(e), got, c.want)
		}
	}
}

func TestLiteralsAreExact(t *testing.T) {
	d := toy(t)
	for _, c := range []struct {
		k    types.Kind
		w    types.Word
		want string
	}{
		{types.Bool, 1, "true"}, {types.I32, types.Int(-5), "-5"}, {types.I32, types.Int(math.MinInt32), "-2147483647 - 1"},
		{types.I64, types.Int(5), "5"}, {types.I64, types.Int(1 << 40), "1099511627776LL"}, {types.I64, types.Int(math.MinInt64), "INT64_MIN"},
		{types.U8, 200, "200"}, {types.U32, 7, "7u"}, {types.U64, 7, "7u"}, {types.U64, math.MaxUint64, "18446744073709551615uLL"},
		{types.F32, types.Float(1), "1.0f"}, {types.F32, types.Float(float64(float32(0.1))), "0.1f"}, {types.F64, types.Float(0.1), "0.1"},
		{types.F32, types.Float(math.Copysign(0, -1)), "-0.0f"}, {types.F32, types.Float(0x1p-149), "1e-45f"},
		{types.F32, types.Float(math.Inf(-1)), "-INFINITY"}, {types.F32, types.Float(math.NaN()), "NAN"}, {types.F16, types.Float(65504), "65504.0f"},
	} {
		if got := ctree.Text(d.literal(c.k, c.w).X); got != c.want {
			t.Errorf("%s %#x is written %s, want %s", c.k, c.w, got, c.want)
		}
	}
}

func TestSupportComesWithWhatItNeedsAndOnce(t *testing.T) {
	u := NewUnit(toy(t))
	u.Use("imgc_mul_i64")
	u.Use("imgc_mul_i64")
	file := &ctree.File{Decls: u.Support()}
	text, _ := ctree.Print(file, ctree.Options{})
	if strings.Count(text, "int64_t imgc_add_i64(") != 1 || strings.Contains(text, "div") || strings.Index(text, "imgc_add_i64(int64_t") > strings.Index(text, "imgc_mul_i64(int64_t") {
		t.Errorf("got\n%s", text)
	}
}

func TestLibrariesThatAreWrongAreRefused(t *testing.T) {
	for want, text := range map[string]string{
		"defines imgc_a again":  "int imgc_a(void) { return 1; }\n\nint imgc_a(void) { return 1; }\n",
		"which no file defines": "// imgc_c is only talked about.\nint imgc_a(void) { return imgc_b(); }\n",
	} {
		_, err := ReadLibrary(fstest.MapFS{"s/a.c": {Data: []byte(text)}}, "s")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
