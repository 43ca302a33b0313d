package sema

import "imgc/syntax"

// visit calls f for every identifier in the expressions.
func visit(f func(*syntax.Ident), exprs ...syntax.Expr) {
	for _, x := range exprs {
		switch x := x.(type) {
		case *syntax.Ident:
			f(x)
		case *syntax.Paren:
			visit(f, x.X)
		case *syntax.Unary:
			visit(f, x.X)
		case *syntax.Binary:
			visit(f, x.X, x.Y)
		case *syntax.Cond:
			visit(f, x.If, x.Then, x.Else)
		case *syntax.Index:
			visit(f, x.X, x.Sub.Start, x.Sub.Count, x.Sub.Stride)
		case *syntax.Field:
			visit(f, x.X)
		case *syntax.Call:
			visit(f, x.Args...)
		case *syntax.Conv:
			visit(f, x.Args...)
		case *syntax.List:
			visit(f, x.Elems...)
		}
	}
}
