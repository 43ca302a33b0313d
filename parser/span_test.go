package parser

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/source"
	"imgc/syntax"
)

// checkSpans wants the span of every node inside that of the node around it, and on what the node says.
func checkSpans(t *testing.T, f *syntax.File) {
	t.Helper()
	whole := source.Span{File: f.Source, Start: 0, End: len(f.Source.Text)}
	for _, d := range f.Decls {
		walkSpans(t, reflect.ValueOf(d), whole)
	}
	for _, c := range f.Comments {
		if c.At.Text() != c.Text {
			t.Errorf("comment %q is at %q", c.Text, c.At.Text())
		}
	}
}

func walkSpans(t *testing.T, v reflect.Value, around source.Span) {
	t.Helper()
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			walkSpans(t, v.Elem(), around)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkSpans(t, v.Index(i), around)
		}
	case reflect.Struct:
		if v.Type() == spanType {
			return
		}
		if place := v.FieldByName("Place"); place.IsValid() && place.Type() == placeType {
			at := place.Interface().(syntax.Place).At
			absent := v.Type() == reflect.TypeOf(syntax.Sub{}) && !at.IsValid()
			if !absent && (at.File != around.File || at.Start < around.Start || at.End > around.End || at.Start >= at.End) {
				t.Errorf("%s at %d..%d lies outside of %d..%d", v.Type().Name(), at.Start, at.End, around.Start, around.End)
			}
			around = at
		}
		checkText(t, v.Interface())
		for i := range v.NumField() {
			walkSpans(t, v.Field(i), around)
		}
	}
}

// checkText wants the span of a leaf to cover its text.
func checkText(t *testing.T, n any) {
	t.Helper()
	want, got := "", ""
	switch n := n.(type) {
	case syntax.Name:
		want, got = n.Text, strings.Join(strings.Fields(n.At.Text()), "")
		if strings.Contains(want, ".") {
			return // blanks and comments may stand around the point of a label
		}
	case syntax.Ident:
		want, got = n.Name, n.At.Text()
	case syntax.Lit:
		want, got = n.Text, n.At.Text()
	case syntax.Binary:
		want, got = n.Op, n.OpAt.Text()
	case syntax.Assign:
		if n.Op == "min=" || n.Op == "max=" {
			return // two tokens
		}
		want, got = n.Op, n.OpAt.Text()
	}
	if want != got {
		t.Errorf("%T %q is at %q", n, want, got)
	}
}

func TestSpansOfValidProgramsNest(t *testing.T) {
	for name, text := range validFiles(t) {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			checkSpans(t, Parse(source.NewFile(name, text), &diags))
		})
	}
}

func TestSpansAreExact(t *testing.T) {
	const text = "pipeline p(in a: u8[H][W]) {\n  x = -a[1 + 2*3][y : 4].r + f(b ? 1 : (2));  // c\n}\n"
	var diags diag.List
	f := Parse(source.NewFile("a.img", text), &diags)
	k := f.Decls[0].(*syntax.Kernel)
	assign := k.Body.Stmts[0].(*syntax.Assign)
	sum := assign.Value.(*syntax.Binary)
	minus := sum.X.(*syntax.Unary)
	red := minus.X.(*syntax.Field)
	window := red.X.(*syntax.Index)
	index := window.X.(*syntax.Index)
	call := sum.Y.(*syntax.Call)
	cond := call.Args[0].(*syntax.Cond)
	tests := []struct {
		node syntax.Node
		want string
	}{
		{k, strings.TrimSuffix(text, "\n")},
		{k.Params[0], "in a: u8[H][W]"},
		{k.Params[0].Type, "u8[H][W]"},
		{k.Params[0].Type.Dims[1], "[W]"},
		{k.Body, text[strings.Index(text, "{") : len(text)-1]},
		{assign, "x = -a[1 + 2*3][y : 4].r + f(b ? 1 : (2));"},
		{assign.Target, "x"},
		{sum, "-a[1 + 2*3][y : 4].r + f(b ? 1 : (2))"},
		{minus, "-a[1 + 2*3][y : 4].r"},
		{red, "a[1 + 2*3][y : 4].r"},
		{red.Name, "r"},
		{window, "a[1 + 2*3][y : 4]"},
		{window.Sub, "[y : 4]"},
		{index.Sub, "[1 + 2*3]"},
		{index.Sub.Start, "1 + 2*3"},
		{index.Sub.Start.(*syntax.Binary).Y, "2*3"},
		{call, "f(b ? 1 : (2))"},
		{call.Fun, "f"},
		{cond, "b ? 1 : (2)"},
		{cond.Else, "(2)"},
	}
	for _, test := range tests {
		if got := test.node.Span().Text(); got != test.want {
			t.Errorf("%T is at %q, want %q", test.node, got, test.want)
		}
	}
	if got := sum.OpAt.String(); got != "a.img:2:28" {
		t.Errorf("+ is at %s", got)
	}
	if len(f.Comments) != 1 || f.Comments[0].Text != "// c" {
		t.Errorf("comments: %v", f.Comments)
	}
}

func TestPrecedenceIsThatOfC(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a + b * c", "(a + (b * c))"},
		{"a * b + c", "((a * b) + c)"},
		{"a - b - c", "((a - b) - c)"},
		{"a .* b / c ./ d", "(((a .* b) / c) ./ d)"},
		{"a || b && c | d ^ e & f == g < h << i + j * k", "(a || (b && (c | (d ^ (e & (f == (g < (h << (i + (j * k))))))))))"},
		{"a * b + c << d < e == f & g ^ h | i && j || k", "((((((((((a * b) + c) << d) < e) == f) & g) ^ h) | i) && j) || k)"},
		{"-a * !b", "(-a * !b)"},
		{"- -a[1].x", "--a[1].x"},
		{"a < b == c > d", "((a < b) == (c > d))"},
		{"a ? b : c ? d : e", "{a ? b : {c ? d : e}}"},
		{"a || b ? c + d : e", "{(a || b) ? (c + d) : e}"},
		{"a % b >> c", "((a % b) >> c)"},
	}
	for _, test := range tests {
		var diags diag.List
		x := ParseExpr(source.NewFile("e", test.text), &diags)
		if got := grouped(x); got != test.want {
			t.Errorf("%s is %s, want %s", test.text, got, test.want)
		}
	}
}

// grouped writes an expression with parentheses around every operation.
func grouped(x syntax.Expr) string {
	switch x := x.(type) {
	case nil:
		return "nothing"
	case *syntax.Binary:
		return fmt.Sprintf("(%s %s %s)", grouped(x.X), x.Op, grouped(x.Y))
	case *syntax.Unary:
		return x.Op + grouped(x.X)
	case *syntax.Cond:
		return fmt.Sprintf("{%s ? %s : %s}", grouped(x.If), grouped(x.Then), grouped(x.Else))
	}
	return x.Span().Text()
}
