package pass

import (
	"fmt"

	"imgc/kir"
)

// exprs rewrites every expression of a body, inside out.
func exprs(body []kir.Stmt, f func(kir.Expr) kir.Expr) []kir.Stmt {
	return stmts(body, func(s kir.Stmt) []kir.Stmt {
		inStmt(s, func(e kir.Expr) kir.Expr { return rewritten(e, f) })
		return []kir.Stmt{s}
	})
}

// stmts rewrites every list of statements of a body, inside out: each statement becomes those that f makes of it.
func stmts(body []kir.Stmt, f func(kir.Stmt) []kir.Stmt) []kir.Stmt {
	var out []kir.Stmt
	for _, s := range body {
		inBodies(s, func(inner []kir.Stmt) []kir.Stmt { return stmts(inner, f) })
		out = append(out, f(s)...)
	}
	return out
}

// behindNames is a statement with the expressions directly in it as f makes them, behind what f gives names. Conditions of loops are computed each time, and stay as they are.
func behindNames(s kir.Stmt, called string, f func(root kir.Expr, name func(kir.Expr) kir.Expr) kir.Expr) []kir.Stmt {
	if _, again := s.(*kir.While); again {
		return []kir.Stmt{s}
	}
	var before []kir.Stmt
	inStmt(s, func(root kir.Expr) kir.Expr {
		return f(root, func(x kir.Expr) kir.Expr {
			v := &kir.Var{Name: called, Type: x.Type(), Const: true, At: s.Span()}
			before = append(before, &kir.Decl{Placed: kir.Placed{At: s.Span()}, Var: v, Init: x})
			return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v}
		})
	})
	return append(before, s)
}

// inBodies replaces the lists of statements in a statement.
func inBodies(s kir.Stmt, f func([]kir.Stmt) []kir.Stmt) {
	switch s := s.(type) {
	case *kir.If:
		s.Then, s.Else = f(s.Then), f(s.Else)
	case *kir.For:
		s.Body = f(s.Body)
	case *kir.While:
		s.Body = f(s.Body)
	case *kir.Critical:
		s.Body = f(s.Body)
	case *kir.LastGroup:
		s.Body = f(s.Body)
	case *kir.LastSum:
		s.Body = f(s.Body)
	case *kir.LastWaits:
		s.Body = f(s.Body)
	}
}

// inStmt replaces the expressions directly in a statement.
func inStmt(s kir.Stmt, f func(kir.Expr) kir.Expr) {
	one := func(e *kir.Expr) {
		if *e != nil {
			*e = f(*e)
		}
	}
	list := func(es []kir.Expr) {
		for i := range es {
			one(&es[i])
		}
	}
	switch s := s.(type) {
	case *kir.Decl:
		one(&s.Init)
	case *kir.Assign:
		list(s.Index)
		one(&s.Value)
	case *kir.Store:
		one(&s.Offset)
		one(&s.Value)
	case *kir.LoadRun:
		one(&s.Offset)
		list(s.Index)
	case *kir.StoreRun:
		one(&s.Offset)
		list(s.Index)
	case *kir.Atomic:
		one(&s.Offset)
		one(&s.Value)
	case *kir.Critical:
		one(&s.Offset)
	case *kir.If:
		one(&s.Cond)
	case *kir.For:
		one(&s.Lo)
		one(&s.Hi)
	case *kir.While:
		one(&s.Cond)
	case *kir.Return:
		one(&s.Value)
	case *kir.LastSum:
		one(&s.Part)
	case *kir.Leave:
		one(&s.At)
		one(&s.Round)
		one(&s.Value)
	case *kir.LastWaits:
		one(&s.Round)
	case *kir.CallInto:
		list(s.Args)
	case *kir.MatrixSum:
		one(&s.Row)
		one(&s.Word)
		one(&s.Lane)
	case *kir.Break, *kir.Continue, *kir.Barrier, *kir.LastGroup, *kir.Comment:
	default:
		panic(fmt.Sprintf("pass: unknown statement %T", s))
	}
}

// rewritten is f of e with its operands rewritten. Expressions are shared among statements, so that none is changed in place.
func rewritten(e kir.Expr, f func(kir.Expr) kir.Expr) kir.Expr {
	operands := kir.Operands(e)
	if len(operands) == 0 {
		return f(e)
	}
	changed := false
	in := make([]kir.Expr, len(operands))
	for i, x := range operands {
		in[i] = rewritten(x, f)
		changed = changed || in[i] != x
	}
	if changed {
		e = with(e, in)
	}
	return f(e)
}

// with is a copy of e with other operands, in the order of kir.Operands.
func with(e kir.Expr, in []kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Op:
		c := *e
		c.Args = in
		return &c
	case *kir.Convert:
		c := *e
		c.X = in[0]
		return &c
	case *kir.Select:
		c := *e
		c.Cond, c.Then, c.Else = in[0], in[1], in[2]
		return &c
	case *kir.Vec:
		c := *e
		c.Parts = in
		return &c
	case *kir.Lanes:
		c := *e
		c.X = in[0]
		return &c
	case *kir.Elem:
		c := *e
		c.Index = in
		return &c
	case *kir.Load:
		c := *e
		c.Offset = in[0]
		return &c
	case *kir.Gather:
		c := *e
		c.Offset, c.Places = in[0], in[1]
		return &c
	case *kir.Interleaved:
		c := *e
		c.Parts = in
		return &c
	case *kir.Alternate:
		c := *e
		c.Parts = in
		return &c
	case *kir.Call:
		c := *e
		c.Args = in
		return &c
	}
	return packedWith(e, in)
}

// packedWith is with for bytes and halves in words.
func packedWith(e kir.Expr, in []kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.FourBytes:
		c := *e
		c.Index, c.At = in[:len(in)-1], in[len(in)-1]
		return &c
	case *kir.Dot4:
		c := *e
		c.Bytes, c.Weights, c.Acc = in[0], in[1], in[2]
		return &c
	case *kir.Pairs:
		c := *e
		c.X, c.Y, c.Acc = in[0], in[1], in[2]
		return &c
	case *kir.Dot2:
		c := *e
		c.Halves, c.Acc = in[0], in[1]
		return &c
	case *kir.Permute:
		c := *e
		c.Low, c.High = in[0], in[1]
		return &c
	case *kir.Halves:
		c := *e
		c.Args = in
		return &c
	case *kir.Shuffle:
		c := *e
		c.X = in[0]
		return &c
	case *kir.Joined:
		c := *e
		c.X = in[0]
		return &c
	}
	panic(fmt.Sprintf("pass: unknown expression %T", e))
}
