package pass

import (
	"math"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// halves has neighbours compute floats of 16 bits two at a time, by operations on both halves of a word (kir.Halves), where loops over neighbours are written
// out:
//
//	for u of 0 to 8:     dst[u] = src[u]*0.5 + src[u + 1]*0.25
//	for u of 0 to 8 by 2: w = (src[u], src[u + 1])*(0.5, 0.5) + (src[u + 1], src[u + 2])*(0.25, 0.25);  dst[u], dst[u + 1] = w
//
// Arrays that such loops read or write hold the bits of floats. Two that were loaded as one word are one again once loops are written out, and two others
// are put together by one instruction.
//
// Results are the same: a float of 16 bits is computed in f32 and rounded, and f32 has more than twice its bits, with which rounding twice comes to what
// rounding once gives (Figueroa, 1995).
func halves(body []kir.Stmt) []kir.Stmt {
	h := &halving{arrays: floatArrays(body), held: map[*kir.Var]bool{}, loops: map[*kir.Var][2]int64{}}
	if body = h.list(body); len(h.held) == 0 {
		return body
	}
	body = stmts(body, func(s kir.Stmt) []kir.Stmt {
		inStmt(s, func(e kir.Expr) kir.Expr { return rewritten(e, h.read) })
		if a, ok := s.(*kir.Assign); ok && h.held[a.Var] && narrowFloat(a.Value.Type()) {
			a.Value = bitsOf(a.Value)
		}
		return []kir.Stmt{s}
	})
	for v := range h.held {
		v.Type = v.Type.WithKind(types.U16)
	}
	return body
}

// A halving knows the arrays of a body.
type halving struct {
	arrays map[*kir.Var]bool     // that may hold bits
	held   map[*kir.Var]bool     // that do
	loops  map[*kir.Var][2]int64 // the least and the greatest value of variables of loops around the statements at hand
}

// narrowFloat reports whether t is a scalar float of 16 bits.
func narrowFloat(t types.Type) bool {
	return t.IsScalar() && (t.Kind == types.F16 || t.Kind == types.BF16)
}

// floatArrays are the private arrays of floats of 16 bits of which elements and runs are read and written, and nothing else.
func floatArrays(body []kir.Stmt) map[*kir.Var]bool {
	arrays := map[*kir.Var]bool{}
	kir.WalkStmts(body, func(s kir.Stmt) {
		d, ok := s.(*kir.Decl)
		if ok && d.Init == nil && d.Var.Type.IsArray() && d.Var.Space == kir.Private && d.Var.Access == 0 && narrowFloat(d.Var.Type.Elem()) {
			arrays[d.Var] = true
		}
	}, nil)
	kir.WalkStmts(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Assign:
			if len(s.Index) == 0 {
				delete(arrays, s.Var)
			}
		case *kir.CallInto:
			delete(arrays, s.Out)
		}
	}, func(e kir.Expr) {
		if _, element := e.(*kir.Elem); !element {
			delete(arrays, array(e))
		}
	})
	return arrays
}

// list makes loops of a list of statements, and of those inside, go over two neighbours at a time.
func (h *halving) list(in []kir.Stmt) []kir.Stmt {
	for _, s := range in {
		f, loop := s.(*kir.For)
		if loop {
			if made := h.loop(f); made != nil {
				f.Step, f.Body = 2, made
				continue
			}
			if lo, hi, ok := rangeOf(f); ok {
				h.loops[f.Var] = [2]int64{lo, hi - 1}
			}
		}
		inBodies(s, h.list)
	}
	return in
}

// rangeOf is from where to where a loop goes one by one; not ok for others.
func rangeOf(f *kir.For) (lo, hi int64, ok bool) {
	lo, known := number(f.Lo)
	hi, ends := number(f.Hi)
	return lo, hi, known && ends && f.Step == 1
}

// loop is the body of a loop as one for two neighbours; nil where that would not pay or not be the same.
func (h *halving) loop(f *kir.For) []kir.Stmt {
	lo, hi, ok := rangeOf(f)
	if !ok || f.Rounds != kir.WrittenOut || hi <= lo || (hi-lo)%2 != 0 || !separate(f) {
		return nil
	}
	h.loops[f.Var] = [2]int64{lo, hi - 1}
	t := &two{halving: h, u: f.Var, words: map[*kir.Var]*kir.Var{}, lanes: map[*kir.Var][]*kir.Var{}, each: map[*kir.Var][2]*kir.Var{}, used: map[*kir.Var]bool{}}
	for _, s := range f.Body {
		if !t.statement(s) {
			return nil
		}
	}
	if t.paired == 0 || t.paired < t.single {
		return nil
	}
	for v := range t.used {
		h.held[v] = true
	}
	return t.out
}

// separate reports whether rounds of a loop have nothing to do with each other: its body declares what it changes, or they change elements of their own.
func separate(f *kir.For) bool {
	own, places := map[*kir.Var]bool{}, map[*kir.Var]pixel{}
	for _, s := range f.Body {
		switch s := s.(type) {
		case *kir.Decl:
			if own[s.Var] = true; s.Var.Type.IsArray() || s.Var.Space != kir.Private || s.Var.Access != 0 {
				return false
			}
		case *kir.Assign:
			if len(s.Index) == 0 && !own[s.Var] {
				return false
			}
			if len(s.Index) > 0 {
				places[s.Var] = pixelOf(s.Index, f.Var)
			}
		default:
			return false
		}
	}
	ok := true
	check := func(v *kir.Var, index []kir.Expr) {
		if at, written := places[v]; written && (at.step == 0 || pixelOf(index, f.Var) != at) {
			ok = false
		}
	}
	kir.WalkStmts(f.Body, func(s kir.Stmt) {
		if a, assigned := s.(*kir.Assign); assigned {
			check(a.Var, a.Index)
		}
	}, func(e kir.Expr) {
		if x, element := e.(*kir.Elem); element {
			check(x.Var, x.Index)
		} else if v := array(e); v != nil {
			check(v, nil)
		}
	})
	return ok
}

// A pixel is which of the pixels along the last axis of an array, of step elements each, a round has to do with: that so far behind its own.
type pixel struct{ step, behind int64 }

// pixelOf is that of an element; its step is 0 where it is another one.
func pixelOf(index []kir.Expr, u *kir.Var) pixel {
	if len(index) == 0 {
		return pixel{}
	}
	base, at := apart(index[len(index)-1])
	if isRef(base, u) {
		return pixel{1, at}
	}
	if p, ok := base.(*kir.Op); ok && p.Op == ops.Mul && isRef(p.Args[0], u) {
		if step, ok := number(p.Args[1]); ok && step > 0 && at >= 0 {
			return pixel{step, at / step}
		}
	}
	return pixel{}
}

func isRef(e kir.Expr, v *kir.Var) bool {
	r, ok := e.(*kir.Ref)
	return ok && r.Var == v
}

// read is an element of an array that holds bits as what it was, and the bits of what was made of bits as these.
func (h *halving) read(e kir.Expr) kir.Expr {
	switch e := e.(type) {
	case *kir.Elem:
		if h.held[e.Var] && narrowFloat(e.T) {
			bits := &kir.Elem{Typed: kir.Typed{T: types.Scalar(types.U16)}, Var: e.Var, Index: e.Index}
			return &kir.Convert{Typed: e.Typed, X: bits, How: kir.Bitcast}
		}
	case *kir.Convert:
		if e.How == kir.Bitcast && e.T == types.Scalar(types.U16) && narrowFloat(e.X.Type()) {
			return bitsOf(e.X)
		}
	}
	return e
}

// bitsOf are the bits of a float: those that it was made of, where it was.
func bitsOf(e kir.Expr) kir.Expr {
	u16 := kir.Typed{T: types.Scalar(types.U16)}
	switch e := e.(type) {
	case *kir.Convert:
		if e.How == kir.Bitcast && e.X.Type() == u16.T {
			return e.X
		}
	case *kir.Const:
		return &kir.Const{Typed: u16, Words: []types.Word{types.Word(types.Bits(e.T.Kind, e.Words[0]))}}
	case *kir.Select:
		return &kir.Select{Typed: u16, Cond: e.Cond, Then: bitsOf(e.Then), Else: bitsOf(e.Else), Lazy: e.Lazy}
	}
	return &kir.Convert{Typed: u16, X: e, How: kir.Bitcast}
}

// floatOf is the float that has some bits.
func floatOf(bits kir.Expr, k types.Kind) kir.Expr {
	return &kir.Convert{Typed: kir.Typed{T: types.Scalar(k)}, X: bits, How: kir.Bitcast}
}

// within reports whether the elements that an index names exist in any case, whatever conditions stand around it.
func (h *halving) within(v *kir.Var, index []kir.Expr) bool {
	shape := v.Type.Shape()
	if len(shape) != len(index) {
		return false
	}
	for i, e := range index {
		base, at := apart(e)
		lo, hi := at, at
		if base != nil {
			r, ok := base.(*kir.Ref)
			if !ok {
				return false
			}
			loop, known := h.loops[r.Var]
			if !known {
				return false
			}
			lo, hi = at+loop[0], at+loop[1]
		}
		if lo < 0 || hi >= int64(shape[i]) {
			return false
		}
	}
	return true
}

// free reports whether an expression may be computed where its value is not needed: it reads what exists, and what it computes is defined.
func (h *halving) free(e kir.Expr) bool {
	switch e := e.(type) {
	case *kir.Const, *kir.Ref:
		return true
	case *kir.Elem:
		return h.within(e.Var, e.Index)
	case *kir.Op:
		t := e.Args[0].Type()
		if !t.IsScalar() || !t.Kind.IsFloat() && t.Kind != types.Bool {
			return false
		}
	case *kir.Select:
	case *kir.Convert:
		if !e.X.Type().Kind.IsFloat() || !e.T.Kind.IsFloat() {
			return false
		}
	default:
		return false
	}
	for _, x := range kir.Operands(e) {
		if !h.free(x) {
			return false
		}
	}
	return true
}

// exactInverse is the reciprocal of a constant float that is a power of two, where its kind has it; nil for all else.
func exactInverse(e kir.Expr) kir.Expr {
	c, ok := e.(*kir.Const)
	if !ok {
		return nil
	}
	part, _ := math.Frexp(c.Words[0].Float())
	inverse := 1 / c.Words[0].Float()
	if math.Abs(part) != 0.5 || types.Round(c.T.Kind, inverse) != inverse {
		return nil
	}
	return &kir.Const{Typed: c.Typed, Words: []types.Word{types.Float(inverse)}}
}
