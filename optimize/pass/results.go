package pass

import (
	"maps"

	"imgc/kir"
	"imgc/types"
)

// results has arrays hold as i32 the unsigned integers of 8 and 16 bits that are computed as i32, where these are stored in runs: the compilers of devices
// clear the upper bits of each before they make words of several, though they are zeros where the conversion is Exact.
func results(body []kir.Stmt) []kir.Stmt {
	held := computedWide(body)
	if len(held) == 0 {
		return body
	}
	body = stmts(body, func(s kir.Stmt) []kir.Stmt {
		inStmt(s, func(e kir.Expr) kir.Expr {
			return rewritten(e, func(e kir.Expr) kir.Expr { return readNarrow(e, held) })
		})
		if a, ok := s.(*kir.Assign); ok && held[a.Var] {
			a.Value = beforeNarrowing(a.Value)
		}
		return []kir.Stmt{s}
	})
	for v := range held {
		v.Type = v.Type.WithKind(types.I32)
	}
	return body
}

// computedWide are the arrays that hold what is computed as i32, which is stored in runs, and nothing else.
func computedWide(body []kir.Stmt) map[*kir.Var]bool {
	held, stored := map[*kir.Var]bool{}, map[*kir.Var]bool{}
	kir.WalkStmts(body, func(s kir.Stmt) {
		if d, ok := s.(*kir.Decl); ok && d.Init == nil && narrow(d.Var) {
			held[d.Var] = true
		}
	}, nil)
	kir.WalkStmts(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Assign:
			if len(s.Index) == 0 || beforeNarrowing(s.Value) == nil {
				delete(held, s.Var)
			}
		case *kir.StoreRun:
			stored[s.Var] = true
		case *kir.LoadRun:
			delete(held, s.Var)
		case *kir.Store:
			delete(held, s.Buffer)
		case *kir.CallInto:
			delete(held, s.Out)
		}
	}, func(e kir.Expr) {
		if _, element := e.(*kir.Elem); !element {
			delete(held, array(e))
		}
	})
	maps.DeleteFunc(held, func(v *kir.Var, _ bool) bool { return !stored[v] })
	return held
}

// narrow reports whether a variable is an array of unsigned integers of 8 or 16 bits of one item.
func narrow(v *kir.Var) bool {
	t := v.Type
	return v.Space == kir.Private && v.Access == 0 && t.IsArray() && t.Lanes == 1 && (t.Kind == types.U8 || t.Kind == types.U16)
}

// array is the variable that an expression reads directly, several values of one at once included; nil where it reads none.
func array(e kir.Expr) *kir.Var {
	switch e := e.(type) {
	case *kir.Gather:
		return e.Buffer
	case *kir.FourBytes:
		return e.Var
	}
	return kir.ValueOf(e)
}

// beforeNarrowing is a value as i32 that has been converted from that and is the same, or is a constant; nil for all others.
func beforeNarrowing(e kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Convert:
		if e.Exact && e.How != kir.Bitcast && e.X.Type() == types.Scalar(types.I32) {
			return e.X
		}
	case *kir.Const:
		return folded(&kir.Convert{Typed: kir.Typed{T: types.Scalar(types.I32)}, X: e})
	}
	return nil
}

// readNarrow is an element of a held array as it was.
func readNarrow(e kir.Expr, held map[*kir.Var]bool) kir.Expr {
	if x, ok := e.(*kir.Elem); ok && held[x.Var] {
		wide := &kir.Elem{Typed: kir.Typed{T: x.T.WithKind(types.I32)}, Var: x.Var, Index: x.Index}
		return &kir.Convert{Typed: x.Typed, X: wide, Exact: true}
	}
	return e
}
