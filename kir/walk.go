package kir

import (
	"fmt"
	"slices"
)

// Walk calls f for e and every expression in it, outside in.
func Walk(e Expr, f func(Expr)) {
	f(e)
	for _, x := range Operands(e) {
		Walk(x, f)
	}
}

// Operands lists the expressions directly inside e, in the order of evaluation.
func Operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Const, *Ref, *GlobalID, *LocalID, *GroupID:
		return nil
	case *Op:
		return e.Args
	case *Convert:
		return []Expr{e.X}
	case *Select:
		return []Expr{e.Cond, e.Then, e.Else}
	case *Vec:
		return e.Parts
	case *Lanes:
		return []Expr{e.X}
	case *Elem:
		return e.Index
	case *Load:
		return []Expr{e.Offset}
	case *Gather:
		return []Expr{e.Offset, e.Places}
	case *Interleaved:
		return e.Parts
	case *Alternate:
		return e.Parts
	case *FourBytes:
		return append(append([]Expr(nil), e.Index...), e.At)
	case *Dot4:
		return []Expr{e.Bytes, e.Weights, e.Acc}
	case *Pairs:
		return []Expr{e.X, e.Y, e.Acc}
	case *Dot2:
		return []Expr{e.Halves, e.Acc}
	case *Permute:
		return []Expr{e.Low, e.High}
	case *Halves:
		return e.Args
	case *Shuffle:
		return []Expr{e.X}
	case *Joined:
		return []Expr{e.X}
	case *Call:
		return e.Args
	}
	panic(fmt.Sprintf("kir: unknown expression %T", e))
}

// WalkStmts calls stmt for every statement of a list, nested ones included, outside in, and expr for every expression in them.
// Either function may be nil.
func WalkStmts(list []Stmt, stmt func(Stmt), expr func(Expr)) {
	for _, s := range list {
		if stmt != nil {
			stmt(s)
		}
		if expr != nil {
			for _, e := range Exprs(s) {
				Walk(e, expr)
			}
		}
		for _, b := range Bodies(s) {
			WalkStmts(b, stmt, expr)
		}
	}
}

// Exprs lists the expressions directly in a statement.
func Exprs(s Stmt) []Expr {
	some := func(es ...Expr) []Expr {
		out := es[:0]
		for _, e := range es {
			if e != nil {
				out = append(out, e)
			}
		}
		return out
	}
	switch s := s.(type) {
	case *Decl:
		return some(s.Init)
	case *Assign:
		return append(append([]Expr(nil), s.Index...), s.Value)
	case *Store:
		return some(s.Offset, s.Value)
	case *LoadRun:
		return append(some(s.Offset), s.Index...)
	case *StoreRun:
		return append(some(s.Offset), s.Index...)
	case *Atomic:
		return some(s.Offset, s.Value)
	case *Critical:
		return some(s.Offset)
	case *If:
		return some(s.Cond)
	case *For:
		return some(s.Lo, s.Hi)
	case *While:
		return some(s.Cond)
	case *Return:
		return some(s.Value)
	case *LastSum:
		return some(s.Part)
	case *Leave:
		return some(s.At, s.Round, s.Value)
	case *LastWaits:
		return some(s.Round)
	case *MatrixSum:
		return some(s.Row, s.Word, s.Lane)
	case *CallInto:
		return s.Args
	case *Break, *Continue, *Barrier, *LastGroup, *Comment:
		return nil
	}
	panic(fmt.Sprintf("kir: unknown statement %T", s))
}

// Bodies lists the statement lists inside a statement.
func Bodies(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case *If:
		return [][]Stmt{s.Then, s.Else}
	case *For:
		return [][]Stmt{s.Body}
	case *While:
		return [][]Stmt{s.Body}
	case *Critical:
		return [][]Stmt{s.Body}
	case *LastGroup:
		return [][]Stmt{s.Body}
	case *LastSum:
		return [][]Stmt{s.Body}
	case *LastWaits:
		return [][]Stmt{s.Body}
	}
	return nil
}

// Written is the variable that a statement does nothing but declare or write, nil where it does anything else.
func Written(s Stmt) *Var {
	switch s := s.(type) {
	case *Decl:
		return s.Var
	case *Assign:
		return s.Var
	case *LoadRun:
		return s.Var
	case *Store:
		return s.Buffer
	}
	return nil
}

// ReadVars is the set of variables that a list of statements reads or loads from, or reaches in another way than Written says.
func ReadVars(list []Stmt) map[*Var]bool {
	read := map[*Var]bool{}
	WalkStmts(list, func(s Stmt) {
		written := Written(s)
		for _, v := range named(s) {
			if v != written {
				read[v] = true
			}
		}
	}, func(e Expr) { note(read, e) })
	return read
}

// Uses is the set of variables that a list of statements reads, writes, loads from or stores to; declarations do not count.
func Uses(list []Stmt) map[*Var]bool {
	used := map[*Var]bool{}
	WalkStmts(list, func(s Stmt) {
		for _, v := range named(s) {
			used[v] = true
		}
	}, func(e Expr) { note(used, e) })
	return used
}

// named lists the variables directly in a statement, but for that of a declaration.
func named(s Stmt) []*Var {
	switch s := s.(type) {
	case *Assign:
		return []*Var{s.Var}
	case *Store:
		return []*Var{s.Buffer}
	case *LoadRun:
		return []*Var{s.Buffer, s.Var}
	case *StoreRun:
		return []*Var{s.Buffer, s.Var}
	case *Atomic:
		return []*Var{s.Buffer}
	case *Critical:
		return []*Var{s.Lock}
	case *LastGroup:
		if s.Flag != nil {
			return []*Var{s.Counter, s.Flag}
		}
		return []*Var{s.Counter}
	case *LastSum:
		return []*Var{s.Tally}
	case *Leave:
		return []*Var{s.Places}
	case *LastWaits:
		return []*Var{s.Places, s.Parts}
	case *CallInto:
		return []*Var{s.Out}
	case *MatrixSum:
		return []*Var{s.Acc, s.Bytes, s.Weights}
	}
	return nil
}

// note notes the variable directly in an expression.
func note(used map[*Var]bool, e Expr) {
	switch e := e.(type) {
	case *Ref:
		used[e.Var] = true
	case *Elem:
		used[e.Var] = true
	case *FourBytes:
		used[e.Var] = true
	case *Load:
		used[e.Buffer] = true
	case *Gather:
		used[e.Buffer] = true
	}
}

// ValueOf is the variable, or the array or buffer, that an expression is a value of; nil for all other expressions.
func ValueOf(e Expr) *Var {
	switch e := e.(type) {
	case *Ref:
		return e.Var
	case *Elem:
		return e.Var
	case *Load:
		return e.Buffer
	}
	return nil
}

// UntilMemory is how many statements at the start of a kernel find out what the item's place is, and whether it has any, or fill local memory, without memory
// that others see. The first item of a launch always has a place, so that no launch ends before the one that it waits for.
func UntilMemory(body []Stmt) int {
	for i, st := range body {
		if !beforeMemory(st) {
			return i
		}
	}
	return len(body)
}

func beforeMemory(st Stmt) bool {
	switch st := st.(type) {
	case *Decl:
		return st.Init == nil || withoutMemory(st.Init)
	case *Assign:
		return withoutMemory(st.Value) && !slices.ContainsFunc(st.Index, func(e Expr) bool { return !withoutMemory(e) })
	case *If:
		if !withoutMemory(st.Cond) || len(st.Then) != 1 || len(st.Else) > 0 {
			return false
		}
		_, leaves := st.Then[0].(*Return)
		return leaves
	case *For:
		return withoutMemory(st.Lo) && withoutMemory(st.Hi) && UntilMemory(st.Body) == len(st.Body)
	case *Comment:
		return true
	case *Barrier:
		return !st.Buffers
	}
	return false
}

// withoutMemory reports whether an expression has no part that may be in memory, its own or in a function.
func withoutMemory(e Expr) bool {
	found := false
	Walk(e, func(x Expr) {
		switch x.(type) {
		case *Const, *Ref, *Op, *Convert, *Select, *Vec, *Lanes, *GlobalID, *LocalID, *GroupID:
		default:
			found = true
		}
	})
	return !found
}
