package trial

import (
	"fmt"
	"strconv"

	"imgc/diag"
	"imgc/parser"
	"imgc/source"
	"imgc/syntax"
)

// evaluate computes an extent as the text of a parameter has it, by itself: the compiler's own way is what is tested.
func evaluate(text string, known map[string]int64) (int64, error) {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return n, nil
	}
	var diags diag.List
	x := parser.ParseExpr(source.NewFile("extent", text), &diags)
	if x == nil {
		return 0, fmt.Errorf("the extent %q does not parse", text)
	}
	return value(x, known)
}

func value(x syntax.Expr, known map[string]int64) (int64, error) {
	switch x := x.(type) {
	case *syntax.Paren:
		return value(x.X, known)
	case *syntax.Lit:
		return strconv.ParseInt(x.Text, 0, 64)
	case *syntax.Ident:
		if n, ok := known[x.Name]; ok {
			return n, nil
		}
		return 0, fmt.Errorf("%s is not known", x.Name)
	case *syntax.Unary:
		n, err := value(x.X, known)
		if x.Op == "-" {
			n = -n
		}
		return n, err
	case *syntax.Binary:
		return operation(x, known)
	}
	return 0, fmt.Errorf("%T is no extent that tests know", x)
}

func operation(x *syntax.Binary, known map[string]int64) (int64, error) {
	a, err := value(x.X, known)
	if err != nil {
		return 0, err
	}
	b, err := value(x.Y, known)
	switch {
	case err != nil:
		return 0, err
	case x.Op == "+":
		return a + b, nil
	case x.Op == "-":
		return a - b, nil
	case x.Op == "*":
		return a * b, nil
	case x.Op == "/" && b != 0:
		return a / b, nil
	case x.Op == "%" && b != 0:
		return a % b, nil
	}
	return 0, fmt.Errorf("the operator %s is none of extents that tests know", x.Op)
}
