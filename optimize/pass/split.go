package pass

import (
	"fmt"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// split makes several wide values of each that has more lanes than vectors of target languages (kir.VectorLanes): the first lanes, those behind them and so on.
func split(body []kir.Stmt) []kir.Stmt {
	wide := false
	note := func(t types.Type) { wide = wide || kir.Wide(t) && t.Lanes > kir.VectorLanes }
	kir.WalkStmts(body, func(s kir.Stmt) {
		if d, ok := s.(*kir.Decl); ok {
			note(d.Var.Type)
		}
	}, func(e kir.Expr) { note(e.Type()) })
	if !wide {
		return body
	}
	s := &splitter{vars: map[*kir.Var][]*kir.Var{}}
	return s.list(body)
}

// A splitter knows what variables have been split into.
type splitter struct {
	vars   map[*kir.Var][]*kir.Var
	before []kir.Stmt // what stands before the statement at hand
	at     kir.Placed // of which this is the place
	lazy   int        // choices around the expression at hand of which one side is computed
}

func (s *splitter) list(body []kir.Stmt) []kir.Stmt {
	var out []kir.Stmt
	for _, st := range body {
		inBodies(st, s.list)
		s.at = kir.Placed{At: st.Span()}
		parts := s.stmt(st)
		out = append(append(out, s.before...), parts...)
		s.before = nil
	}
	return out
}

// narrowed is a type of as many lanes as a vector has at most, and how many of them a type is.
func narrowed(t types.Type) (each types.Type, n int) {
	if !kir.Wide(t) || t.Lanes <= kir.VectorLanes {
		return t, 1
	}
	return t.WithLanes(kir.VectorLanes), int(t.Lanes) / kir.VectorLanes
}

// of are the variables of one.
func (s *splitter) of(v *kir.Var) []*kir.Var {
	if parts, ok := s.vars[v]; ok {
		return parts
	}
	parts := []*kir.Var{v}
	if each, n := narrowed(v.Type); n > 1 {
		parts = nil
		for i := range n {
			part := *v
			part.Type, part.Name = each, fmt.Sprintf("%s_%d", v.Name, i)
			parts = append(parts, &part)
		}
	}
	s.vars[v] = parts
	return parts
}

func (s *splitter) stmt(st kir.Stmt) (out []kir.Stmt) {
	switch st := st.(type) {
	case *kir.Decl:
		values := s.optional(st.Init)
		for i, v := range s.of(st.Var) {
			d := &kir.Decl{Placed: st.Placed, Var: v}
			if values != nil {
				d.Init = values[i]
			}
			out = append(out, d)
		}
		return out
	case *kir.Assign:
		if !kir.Wide(st.Value.Type()) {
			break
		}
		values := s.expr(st.Value)
		if len(values) > 1 && acrossLanes(st.Value) {
			values = s.named(values)
		}
		for i, v := range s.of(st.Var) {
			c := *st
			c.Var, c.Value = v, values[i]
			out = append(out, &c)
		}
		return out
	case *kir.Store:
		if !kir.Wide(st.Value.Type()) {
			break
		}
		values := s.expr(st.Value)
		if len(values) > 1 && loadsChanging(st.Value) {
			values = s.named(values)
		}
		place := s.shared(st.Offset, len(values))
		for i, v := range values {
			c := *st
			c.Offset, c.Value = further(place, int64(i*kir.VectorLanes)), v
			out = append(out, &c)
		}
		return out
	}
	inStmt(st, func(e kir.Expr) kir.Expr { return s.expr(e)[0] })
	return []kir.Stmt{st}
}

// optional is expr of what may be nil.
func (s *splitter) optional(e kir.Expr) []kir.Expr {
	if e == nil {
		return nil
	}
	return s.expr(e)
}

// acrossLanes reports whether the lanes of an expression are made of other lanes of its parts.
func acrossLanes(e kir.Expr) (found bool) {
	kir.Walk(e, func(x kir.Expr) {
		switch x.(type) {
		case *kir.Interleaved, *kir.Alternate:
			found = true
		}
	})
	return found
}

// loadsChanging reports whether an expression reads memory that its kernel writes.
func loadsChanging(e kir.Expr) (found bool) {
	kir.Walk(e, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Load:
			found = found || x.Buffer.Access != kir.Reads
		case *kir.Gather:
			found = found || x.Buffer.Access != kir.Reads
		}
	})
	return found
}

// named gives values names before the statement at hand.
func (s *splitter) named(values []kir.Expr) []kir.Expr {
	out := make([]kir.Expr, len(values))
	for i, x := range values {
		out[i] = s.name(fmt.Sprintf("part_%d", i), x)
	}
	return out
}

func (s *splitter) name(called string, x kir.Expr) kir.Expr {
	v := &kir.Var{Name: called, Type: x.Type(), Const: true, At: s.at.At}
	s.before = append(s.before, &kir.Decl{Placed: s.at, Var: v, Init: x})
	return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v}
}

// shared is a scalar that n parts want, by a name where it takes more than an addition and may be computed in any case.
func (s *splitter) shared(e kir.Expr, n int) kir.Expr {
	e = s.expr(e)[0]
	steps := 0
	kir.Walk(e, func(x kir.Expr) {
		switch x.(type) {
		case *kir.Ref, *kir.Const, *kir.Convert:
		default:
			steps++
		}
	})
	if n == 1 || steps < 2 || s.lazy > 0 {
		return e
	}
	return s.name(nameOf(e), e)
}

// further is a place in memory so many components behind another one.
func further(place kir.Expr, by int64) kir.Expr {
	if by == 0 {
		return place
	}
	t := place.Type()
	return &kir.Op{Typed: kir.Typed{T: t}, Op: ops.Add, Args: []kir.Expr{place, &kir.Const{Typed: kir.Typed{T: t}, Words: []types.Word{types.Int(by)}}}, Exact: true}
}

// expr are the parts of an expression: one of all that is no wide value of more lanes than vectors have.
func (s *splitter) expr(e kir.Expr) []kir.Expr {
	each, n := narrowed(e.Type())
	out := make([]kir.Expr, n)
	typed := kir.Typed{T: each}
	switch e := e.(type) {
	case *kir.Const:
		if n == 1 {
			return []kir.Expr{e}
		}
		for i := range out {
			out[i] = &kir.Const{Typed: typed, Words: e.Words[i*kir.VectorLanes : (i+1)*kir.VectorLanes], Name: e.Name}
		}
		return out
	case *kir.Ref:
		if n == 1 {
			return []kir.Expr{e}
		}
		for i, v := range s.of(e.Var) {
			out[i] = &kir.Ref{Typed: typed, Var: v}
		}
		return out
	case *kir.Load:
		place := s.shared(e.Offset, n)
		for i := range out {
			c := *e
			c.T, c.Offset = each, further(place, int64(i*kir.VectorLanes*max(1, e.Stride)))
			out[i] = &c
		}
		return out
	case *kir.Gather:
		place, places := s.shared(e.Offset, n), s.expr(e.Places)
		for i := range out {
			c := *e
			c.T, c.Offset, c.Places = each, place, places[i]
			out[i] = &c
		}
		return out
	case *kir.Interleaved:
		return s.interleaved(e, each, out)
	case *kir.Alternate:
		return s.alternate(e, each, out)
	case *kir.Select:
		return s.choice(e, each, out)
	}
	return s.lanewise(e, each, out)
}

// lanewise are the parts of what computes each lane of those of its operands; scalars are for all lanes.
func (s *splitter) lanewise(e kir.Expr, each types.Type, out []kir.Expr) []kir.Expr {
	_, isOp := e.(*kir.Op)
	operands := kir.Operands(e)
	parts := make([][]kir.Expr, len(operands))
	for i, x := range operands {
		conditional := isOp && conditional(e, i)
		if conditional {
			s.lazy++
		}
		if kir.Wide(x.Type()) {
			parts[i] = s.expr(x)
		} else {
			parts[i] = []kir.Expr{s.shared(x, len(out))}
		}
		if conditional {
			s.lazy--
		}
	}
	for i := range out {
		in := make([]kir.Expr, len(operands))
		for k, p := range parts {
			in[k] = p[min(i, len(p)-1)]
		}
		if len(in) == 0 {
			out[i] = e
		} else {
			out[i] = typedAs(with(e, in), each)
		}
	}
	return out
}

// choice is lanewise of a choice, of which one side may be computed alone.
func (s *splitter) choice(e *kir.Select, each types.Type, out []kir.Expr) []kir.Expr {
	cond := []kir.Expr{nil}
	if kir.Wide(e.Cond.Type()) {
		cond = s.expr(e.Cond)
	} else {
		cond[0] = s.shared(e.Cond, len(out))
	}
	if e.Lazy {
		s.lazy++
		defer func() { s.lazy-- }()
	}
	then, els := s.expr(e.Then), s.expr(e.Else)
	for i := range out {
		c := *e
		c.T, c.Cond, c.Then, c.Else = each, cond[min(i, len(cond)-1)], then[i], els[i]
		out[i] = &c
	}
	return out
}

// interleaved: of the pixels that the first parts hold come as many runs as there are components, then those of the second parts.
func (s *splitter) interleaved(e *kir.Interleaved, each types.Type, out []kir.Expr) []kir.Expr {
	parts := make([][]kir.Expr, len(e.Parts))
	for i, x := range e.Parts {
		parts[i] = s.expr(x)
	}
	for i := range out {
		run := e.Piece*len(out) + i
		c := &kir.Interleaved{Typed: kir.Typed{T: each}, Piece: run % len(parts)}
		for _, p := range parts {
			c.Parts = append(c.Parts, p[run/len(parts)])
		}
		out[i] = c
	}
	return out
}

// alternate takes each part from two, or from the one that there is of twice as many lanes.
func (s *splitter) alternate(e *kir.Alternate, each types.Type, out []kir.Expr) []kir.Expr {
	var all []kir.Expr
	for _, x := range e.Parts {
		all = append(all, s.expr(x)...)
	}
	for i := range out {
		c := &kir.Alternate{Typed: kir.Typed{T: each}, Parts: all, First: e.First}
		if len(out) > 1 {
			c.Parts = all[2*i : 2*i+2]
		}
		out[i] = c
	}
	return out
}

// typedAs is an expression, which nothing else has, with another type.
func typedAs(e kir.Expr, t types.Type) kir.Expr {
	if e.Type() == t {
		return e
	}
	switch e := e.(type) {
	case *kir.Op:
		e.T = t
	case *kir.Convert:
		e.T = t
	case *kir.Vec:
		e.T = t
	default:
		panic(fmt.Sprintf("pass: %T has too many lanes", e))
	}
	return e
}
