package ctree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc/source"
)

func n(s string) Expr { return Name(s) }

func TestParenthesesAreThoseThatPrecedenceOrReadersNeed(t *testing.T) {
	a, b, c, d := n("a"), n("b"), n("c"), n("d")
	neg := func(x Expr) Expr { return &Unary{"-", x} }
	for _, test := range []struct {
		x    Expr
		want string
	}{
		{Op2("+", Op2("*", a, b), c), "a * b + c"},
		{Op2("*", Op2("+", a, b), c), "(a + b) * c"},
		{Op2("-", a, Op2("-", b, c)), "a - (b - c)"},
		{Op2("-", Op2("-", a, b), c), "a - b - c"},
		{Op2("+", a, Op2("+", b, c)), "a + (b + c)"},
		{Op2("/", a, Op2("*", b, c)), "a / (b * c)"},
		{Op2("||", Op2("&&", a, b), c), "(a && b) || c"},
		{Op2("&&", Op2("||", a, b), c), "(a || b) && c"},
		{Op2("&&", Op2("&&", a, b), c), "a && b && c"},
		{Op2("|", Op2("&", a, b), c), "(a & b) | c"},
		{Op2("|", Op2("|", a, b), c), "a | b | c"},
		{Op2("&", Op2("+", a, b), c), "(a + b) & c"},
		{Op2("<<", a, Op2("+", b, c)), "a << (b + c)"},
		{Op2("<<", Op2("<<", a, b), c), "(a << b) << c"},
		{Op2("<", Op2(">>", a, b), c), "(a >> b) < c"},
		{Op2("<", Op2("+", a, b), c), "a + b < c"},
		{Op2("==", Op2("<", a, b), Op2("<", c, d)), "(a < b) == (c < d)"},
		{Op2("==", Op2("&", a, b), c), "(a & b) == c"},
		{Op2("&&", Op2("<", a, b), Op2("==", c, d)), "a < b && c == d"},
		{neg(neg(a)), "-(-a)"},
		{neg(Lit("-1")), "-(-1)"},
		{Op2("-", a, Lit("-1")), "a - -1"},
		{neg(Op2("+", a, b)), "-(a + b)"},
		{&Unary{"!", Op2("==", a, b)}, "!(a == b)"},
		{&Unary{"&", &Unary{"&", a}}, "&(&a)"},
		{&Unary{"*", &Unary{"&", a}}, "*&a"},
		{&Cond{Op2("<", a, b), c, d}, "a < b ? c : d"},
		{&Cond{a, &Cond{b, c, d}, a}, "a ? (b ? c : d) : a"},
		{&Cond{a, b, &Cond{b, c, d}}, "a ? b : b ? c : d"},
		{&Cond{&Cond{a, b, c}, c, d}, "(a ? b : c) ? c : d"},
		{Op2("+", &Cond{a, b, c}, d), "(a ? b : c) + d"},
		{&Cast{Base("int"), Op2("+", a, b)}, "(int)(a + b)"},
		{&Cast{Base("int"), &Cast{Base("float"), a}}, "(int)(float)a"},
		{&Index{&Cast{PtrTo(Base("int")), a}, b}, "((int *)a)[b]"},
		{Dot(&Construct{Base("float2"), []Expr{a, b}}, "x"), "((float2)(a, b)).x"},
		{Dot(&Brace{Base("float2"), []Expr{a, b}}, "x"), "float2{a, b}.x"},
		{Dot(&Unary{"*", a}, "x"), "(*a).x"},
		{To(a, "x"), "a->x"},
		{At(a, b, Op2("+", c, d)), "a[b][c + d]"},
		{CallTo("f", a, &AssignTo{"=", b, c}), "f(a, b = c)"},
		{Op2("!=", &AssignTo{"=", a, b}, c), "(a = b) != c"},
		{&Sizeof{X: &Unary{"*", a}}, "sizeof *a"},
		{&Sizeof{Type: &Array{Base("int"), Lit("3")}}, "sizeof(int[3])"},
		{&Compound{Base("struct p"), &List{Elems: []Expr{a, b}, Fields: []string{"x", "y"}}}, "(struct p){.x = a, .y = b}"},
		{&Str{"a\n\"b\"??/\x01"}, `"a\n" "\"b\"?\?/\001"`},
	} {
		if got := Text(test.x); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestDeclarators(t *testing.T) {
	for _, test := range []struct {
		t    Type
		name string
		want string
	}{
		{Base("int"), "x", "int x"},
		{PtrTo(Base("const char")), "s", "const char *s"},
		{&Pointer{Base("__global float"), "restrict"}, "p", "__global float *restrict p"},
		{ArrayOf(Base("int"), Lit("3"), Lit("4")), "m", "int m[3][4]"},
		{PtrTo(ArrayOf(Base("int"), Lit("3"))), "p", "int (*p)[3]"},
		{ArrayOf(PtrTo(Base("int")), nil), "a", "int *a[]"},
		{PtrTo(&Callable{Base("void"), []Param{{Base("int"), "x"}}}), "f", "void (*f)(int x)"},
		{PtrTo(PtrTo(Base("void"))), "", "void **"},
	} {
		if got := Declarator(test.t, test.name); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func span(f *source.File, line int) source.Span {
	offset := 0
	for i := 1; i < line; i++ {
		offset += len(f.Line(i)) + 1
	}
	return source.Span{File: f, Start: offset, End: offset + 1}
}

func TestPlacesAndLineMap(t *testing.T) {
	f := source.NewFile("dir/blur.img", "one\ntwo\nthree\nfour\n")
	at := func(line int) Pos { return Pos{span(f, line)} }
	file := &File{}
	file.Add(&Func{Name: "k", Result: Base("void"), At: span(f, 1), Body: []Stmt{
		&Declare{Pos: at(2), Type: Base("int"), Name: "x", Init: Lit("1")},
		&Set{at(2), n("x"), Op2("+", n("x"), Lit("2"))},
		&If{at(3), n("x"), []Stmt{&Set{at(4), n("x"), Lit("0")}}, []Stmt{&If{at(4), n("x"), []Stmt{&Do{at(4), CallTo("f")}}, []Stmt{&Return{}}}}},
	}})
	text, lines := Print(file, Options{Places: true})
	want := `void k(void)
{
    // blur.img:2
    int x = 1;
    x += 2;
    // blur.img:3
    if (x) {
        // blur.img:4
        x = 0;
    } else if (x) {
        f();
    } else {
        return;
    }
}
`
	if text != want {
		t.Errorf("got\n%s", text)
	}
	if got := strings.Count(text, "\n"); got != len(lines) {
		t.Fatalf("%d lines, %d places", got, len(lines))
	}
	for i, line := range []int{1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 4} {
		if got := lines[i].Line(); got != line {
			t.Errorf("line %d comes from line %d, want %d", i+1, got, line)
		}
	}
	text, _ = Print(file, Options{Directives: true})
	if got := strings.Count(text, "#line 2 \"dir/blur.img\"\n"); got != 2 {
		t.Errorf("%d directives for line 2, want one for each statement:\n%s", got, text)
	}
}

func TestLongLinesBreakWhereTheExpressionIsShallow(t *testing.T) {
	var sum Expr = CallTo("first_function_of_several", n("argument_one"), n("argument_two"))
	for range 4 {
		sum = Op2("+", sum, Op2("*", CallTo("another_function", n("argument_one"), n("argument_two")), n("weight")))
	}
	file := &File{}
	file.Add(&Func{Name: "f", Result: Base("int"), Body: []Stmt{&Return{X: sum}}})
	text, _ := Print(file, Options{})
	for _, l := range strings.Split(text, "\n") {
		if len(l) > lineWidth {
			t.Errorf("%d columns: %s", len(l), l)
		}
	}
	if !strings.Contains(text, "\n        + another_function(argument_one, argument_two) * weight") {
		t.Errorf("no line starts with a term of the sum:\n%s", text)
	}
	if got := strings.Join(strings.Fields(text), " "); !strings.Contains(got, "return "+Text(sum)+";") {
		t.Errorf("breaking the line changed the expression:\n%s", got)
	}
}

func TestNamesAreFreeAndNotReserved(t *testing.T) {
	names := NewNamer([]string{"float", "main", "CL_*"})
	for _, test := range []struct{ want, got string }{
		{"x", "x"}, {"x", "x_2"}, {"x_2", "x_2_2"}, {"float", "float_"}, {"float", "float_2"}, {"imgc_f16", "imgc_f16_"}, {"_x", "v_x"},
		{"CL_X", "CL_X_"}, {"CL_X", "CL_X_2"}, {"CL", "CL"},
		{"3d", "n3d"}, {"größe", "gr__e"}, {"", "v"},
	} {
		if got := names.Give(test.want); got != test.got {
			t.Errorf("for %q: %s, want %s", test.want, got, test.got)
		}
	}
	inner := names.Inner()
	if got := inner.Give("x"); got != "x_3" {
		t.Errorf("an inner scope gives %s to x", got)
	}
	if got := inner.Give("y") + names.Inner().Give("y"); got != "yy" {
		t.Errorf("scopes side by side give %s to y", got)
	}
}

// everything is a C99 program with each kind of declaration and statement.
func everything() *File {
	f := &File{}
	i := Name("i")
	set := func(x, v Expr) Stmt { return &Set{Target: x, Value: v} }
	f.Add(&Remark{Text: "Everything.", Apart: true}, Directive{"#include <stddef.h>"}, Directive{"#include <stdint.h>"},
		&Raw{"\nint given(int x);\n"},
		&Struct{Doc: "A pair.", Name: "pair", Typedef: true, Fields: []Field{{"the first", Base("int"), "a"}, {"", PtrTo(Base("const char")), "b"}}},
		&Enum{Name: "kind", Values: []EnumValue{{"", "ONE", Lit("1")}, {"", "TWO", nil}}},
		&Typedef{Type: PtrTo(&Callable{Base("int"), []Param{{Base("int"), "x"}}}), Name: "callback"},
		&Global{Prefix: "static const", Type: ArrayOf(Base("int"), Lit("2"), Lit("2")), Name: "table", Init: &List{Elems: []Expr{
			&List{Elems: []Expr{Lit("1"), Lit("2")}}, &List{Elems: []Expr{Lit("3"), Lit("-4")}}}}},
		&Func{Doc: "Declared first.", Result: Base("int"), Name: "all", Params: []Param{{Base("int"), "x"}, {Base("callback"), "f"}}, Prototype: true})
	f.Add(&Func{Result: Base("int"), Name: "all", Params: []Param{{Base("int"), "x"}, {Base("callback"), "f"}}, Body: []Stmt{
		&Declare{Type: Base("pair"), Name: "p", Init: &List{Elems: []Expr{Lit("1"), &Str{"text\nof \"two\" lines\n"}}, Fields: []string{"a", "b"}}},
		&For{Init: &Declare{Type: Base("int"), Name: "i", Init: Lit("0")}, Cond: Op2("<", i, Lit("2")), Next: set(i, Op2("+", i, Lit("1"))),
			Body: []Stmt{&If{Cond: Op2("==", i, n("x")), Then: []Stmt{&Continue{}}}, set(Dot(n("p"), "a"), Op2("+", Dot(n("p"), "a"), At(n("table"), i, Lit("1"))))}},
		&Until{Body: []Stmt{set(n("x"), Op2("-", n("x"), Lit("1")))}, Cond: Op2(">", n("x"), Lit("9"))},
		&While{Cond: Op2("||", Op2("&&", Op2("<", n("x"), Lit("0")), Op2(">", n("x"), Lit("-5"))), Op2("==", Op2("&", n("x"), Lit("3")), Lit("3"))),
			Body: []Stmt{set(n("x"), Op2("+", n("x"), Lit("1"))), &If{Cond: Op2(">", n("x"), Lit("100")), Then: []Stmt{&Break{}}}}},
		&Switch{X: n("x"), Cases: []Case{
			{[]Expr{n("ONE"), n("TWO")}, []Stmt{&Return{X: CallTo("f", n("x"))}}},
			{[]Expr{Lit("7")}, []Stmt{set(n("x"), Lit("8"))}},
			{nil, []Stmt{&Goto{Label: "end"}}}}},
		&Gap{}, &Note{Text: `a backslash \`},
		&Block{Body: []Stmt{&Declare{Prefix: "const", Type: Base("size_t"), Name: "s", Init: &Sizeof{X: n("p")}}, &Do{X: &Cast{Base("void"), n("s")}}}},
		&Label{Name: "end"},
		&Return{X: &Cond{Op2("!=", Dot(n("p"), "b"), n("NULL")), Dot(n("p"), "a"), CallTo("given", n("x"))}},
	}})
	return f
}

func TestPrintedC99CompilesWithoutWarnings(t *testing.T) {
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	text, _ := Print(everything(), Options{})
	path := filepath.Join(t.TempDir(), "everything.c")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(cc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-c", "-o", os.DevNull, path).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s\n%s", err, out, text)
	}
}
