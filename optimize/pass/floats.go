package pass

import (
	"imgc/kir"
	"imgc/types"
)

// floats has variables hold as f32 what they hold as integers of 8 or 16 bits, where runs of components are loaded into them and nothing is
// done with these but that they are converted to f32, on the way through other variables too. Each component is then converted once, where it
// is loaded, from the word that it lies in.
func floats(body []kir.Stmt) []kir.Stmt {
	h := findHeld(body, inRegisters)
	for v, at := range h.vars {
		at.loaded = at.loaded || v.Floats
	}
	return heldAsFloats(body, h)
}

// inRegisters reports whether a variable is one of a work-item that may hold floats.
func inRegisters(v *kir.Var) bool { return v.Space == kir.Private && v.Access == 0 }

// staged has groups hold as f32 what they have in local memory of small integers, where there is room for it and nothing is done with these but that they are
// converted to f32. Each is then converted once, where it is put there.
func staged(body []kir.Stmt) []kir.Stmt {
	h := findHeld(body, func(v *kir.Var) bool { return v.Space == kir.Local && v.Floats || inRegisters(v) && !v.Type.IsArray() })
	for v, at := range h.vars {
		at.loaded = v.Floats
	}
	return heldAsFloats(body, h)
}

// heldAsFloats has variables hold floats, as far as what is known of them allows it.
func heldAsFloats(body []kir.Stmt, h *held) []kir.Stmt {
	for _, s := range h.reads {
		h.drop(s)
	}
	if h.settle(); len(h.vars) == 0 {
		return body
	}
	body = stmts(body, func(s kir.Stmt) []kir.Stmt {
		inStmt(s, func(e kir.Expr) kir.Expr { return rewritten(e, h.unconverted) })
		h.assigned(s)
		return []kir.Stmt{s}
	})
	for v := range h.vars {
		v.Type = v.Type.WithKind(types.F32)
	}
	return body
}

// A held is what is known of the variables of a body that may hold floats instead of small integers.
type held struct {
	vars  map[*kir.Var]*holder
	reads []*kir.Var // read for something else than to be converted or to be held by another variable
}

// A holder is what becomes of one variable, and what it gets.
type holder struct {
	loaded  bool       // runs are loaded into it, or it is in local memory
	reached bool       // it gets what runs have loaded
	others  bool       // it gets values that are no variables' and no constants
	from    []*kir.Var // whose values it gets
	readers []*kir.Var // which get its values
}

// small reports whether f32 holds all values of a kind of integers, of which words hold several.
func small(k types.Kind) bool { return k.IsInt() && k.Bits() <= 16 }

// findHeld looks at those variables of small integers that a body declares which may hold floats.
func findHeld(body []kir.Stmt, may func(*kir.Var) bool) *held {
	h := &held{vars: map[*kir.Var]*holder{}}
	kir.WalkStmts(body, func(s kir.Stmt) {
		if d, ok := s.(*kir.Decl); ok && may(d.Var) && small(d.Var.Type.Kind) && !kir.Wide(d.Var.Type) {
			h.vars[d.Var] = &holder{}
		}
	}, nil)
	kir.WalkStmts(body, h.statement, nil)
	return h
}

// statement notes what a statement does with variables.
func (h *held) statement(s kir.Stmt) {
	switch s := s.(type) {
	case *kir.Decl:
		if h.vars[s.Var] != nil && s.Init != nil {
			h.carried(s.Init, s.Var)
			return
		}
	case *kir.Assign:
		if h.vars[s.Var] != nil {
			h.used(s.Index)
			h.carried(s.Value, s.Var)
			return
		}
	case *kir.LoadRun:
		if to := h.vars[s.Var]; to != nil {
			to.loaded = true
		}
	case *kir.StoreRun:
		h.reads = append(h.reads, s.Var)
	case *kir.CallInto:
		h.reads = append(h.reads, s.Out)
	}
	h.used(kir.Exprs(s))
}

// used notes what is read in expressions.
func (h *held) used(list []kir.Expr) {
	for _, e := range list {
		switch e := e.(type) {
		case *kir.Convert:
			if toFloat(e) {
				h.carried(e.X, nil)
				continue
			}
		case *kir.Ref:
			h.reads = append(h.reads, e.Var)
		case *kir.Elem:
			h.reads = append(h.reads, e.Var)
		case *kir.Load:
			h.reads = append(h.reads, e.Buffer)
		}
		h.used(kir.Operands(e))
	}
}

// toFloat reports whether a conversion is one of small integers to f32.
func toFloat(e *kir.Convert) bool {
	return e.T.Kind == types.F32 && small(e.X.Type().Kind) && e.How != kir.Bitcast
}

// carried notes a value that is converted, or that a variable gets.
func (h *held) carried(e kir.Expr, to *kir.Var) {
	switch e := e.(type) {
	case *kir.Ref:
		h.passed(e.Var, to)
	case *kir.Elem:
		h.used(e.Index)
		h.passed(e.Var, to)
	case *kir.Select:
		h.used([]kir.Expr{e.Cond})
		h.carried(e.Then, to)
		h.carried(e.Else, to)
	case *kir.Vec:
		for _, x := range e.Parts {
			h.carried(x, to)
		}
	case *kir.Lanes:
		h.carried(e.X, to)
	case *kir.Const:
	default:
		if h.used([]kir.Expr{e}); to != nil {
			h.vars[to].others = true
		}
	}
}

// passed notes that a variable's value is converted, or that another one gets it.
func (h *held) passed(v, to *kir.Var) {
	switch from := h.vars[v]; {
	case to == nil:
	case from == nil:
		h.vars[to].others = true
	default:
		from.readers = append(from.readers, to)
		h.vars[to].from = append(h.vars[to].from, v)
	}
}

// drop leaves a variable as it is, with all whose values it would need as integers.
func (h *held) drop(v *kir.Var) {
	at := h.vars[v]
	if at == nil {
		return
	}
	delete(h.vars, v)
	for _, x := range at.from {
		h.drop(x)
	}
	for _, x := range at.readers {
		if to := h.vars[x]; to != nil {
			to.others = true
		}
	}
}

// reach notes that a variable gets what runs have loaded, and so do those that get its values.
func (h *held) reach(v *kir.Var) {
	if at := h.vars[v]; at != nil && !at.reached {
		at.reached = true
		for _, x := range at.readers {
			h.reach(x)
		}
	}
}

// settle drops the variables that would not spare conversions: those without runs that get other values too, or nothing that runs have loaded.
func (h *held) settle() {
	for v, at := range h.vars {
		if at.loaded {
			h.reach(v)
		}
	}
	for dropped := true; dropped; {
		dropped = false
		for v, at := range h.vars {
			if !at.loaded && (at.others || !at.reached) {
				h.drop(v)
				dropped = true
			}
		}
	}
}

// unconverted is what a conversion of held values converts.
func (h *held) unconverted(e kir.Expr) kir.Expr {
	if c, ok := e.(*kir.Convert); ok && toFloat(c) && h.holds(c.X) {
		return h.float(c.X)
	}
	return e
}

// assigned has variables get floats.
func (h *held) assigned(s kir.Stmt) {
	switch s := s.(type) {
	case *kir.Decl:
		if h.vars[s.Var] != nil && s.Init != nil {
			s.Init = h.float(s.Init)
		}
	case *kir.Assign:
		if h.vars[s.Var] != nil {
			s.Value = h.float(s.Value)
		}
	}
}

// float is a value of small integers as f32: as variables hold it, or converted.
func (h *held) float(e kir.Expr) kir.Expr {
	typed := kir.Typed{T: e.Type().WithKind(types.F32)}
	switch e := e.(type) {
	case *kir.Const:
		return folded(&kir.Convert{Typed: typed, X: e})
	case *kir.Ref:
		if h.vars[e.Var] != nil {
			return &kir.Ref{Typed: typed, Var: e.Var}
		}
	case *kir.Elem:
		if h.vars[e.Var] != nil {
			return &kir.Elem{Typed: typed, Var: e.Var, Index: e.Index}
		}
	case *kir.Select:
		if h.holds(e) {
			return &kir.Select{Typed: typed, Cond: e.Cond, Then: h.float(e.Then), Else: h.float(e.Else), Lazy: e.Lazy}
		}
	case *kir.Vec:
		if h.holds(e) {
			parts := make([]kir.Expr, len(e.Parts))
			for i, x := range e.Parts {
				parts[i] = h.float(x)
			}
			return &kir.Vec{Typed: typed, Parts: parts}
		}
	case *kir.Lanes:
		if h.holds(e) {
			return &kir.Lanes{Typed: typed, X: h.float(e.X), Lanes: e.Lanes}
		}
	}
	return &kir.Convert{Typed: typed, X: e}
}

// holds reports whether any of a value is held as a float.
func (h *held) holds(e kir.Expr) (found bool) {
	kir.Walk(e, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref:
			found = found || h.vars[x.Var] != nil
		case *kir.Elem:
			found = found || h.vars[x.Var] != nil
		}
	})
	return found
}
