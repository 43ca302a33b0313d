package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/syntax"
	"imgc/types"
)

// updateOps are the operators of commutative updates.
var updateOps = map[string]ops.Op{
	"+=": ops.Add, "-=": ops.Sub, "*=": ops.Mul, "&=": ops.And, "|=": ops.Or, "^=": ops.Xor, "min=": ops.Min, "max=": ops.Max,
}

// boolUpdates are those of bools, which stay bools.
var boolUpdates = map[string]ops.Op{"&=": ops.LAnd, "|=": ops.LOr, "^=": ops.Ne}

// stored fills in what a store does with its pixel: an assignment, an update by an operator, or by fold. It is false after an
// error.
func (e *env) stored(st *hast.Store, m *imageEnt, t target, s *syntax.Assign) bool {
	if call := pixelFold(s); call != nil {
		return e.foldUpdate(st, m, call)
	}
	if s.Op == "=" {
		st.Value = e.expr(e.assign(e.operand(s.Value), m.img.Elem, m.img.Name))
		return st.Value != nil
	}
	op, ok := e.updateOp(m, t, s)
	if !ok {
		e.operand(s.Value)
		return false
	}
	st.Op = op
	value := e.operand(s.Value)
	if !value.valid() {
		return false
	}
	if value, ok = e.updates(m, value, t, s); ok {
		st.Value = e.expr(e.assign(value, m.img.Elem, "the value that updates "+m.img.Name))
	}
	return st.Value != nil
}

// updateOp is the operator of a commutative update of m; false if it is another.
func (e *env) updateOp(m *imageEnt, t target, s *syntax.Assign) (ops.Op, bool) {
	if m.img.Elem.Kind == types.Bool {
		op, ok := boolUpdates[s.Op]
		if !ok {
			e.errorf(diag.NotAssignable, t.at.To(s.OpAt), "%s does not update a bool", s.Op).Note("the operators that do are |= &= ^=")
		}
		return op, ok
	}
	op, ok := updateOps[s.Op]
	if !ok {
		e.errorf(diag.NotAssignable, t.at.To(s.OpAt), "%s does not commute, so it cannot update a pixel", s.Op).
			Note("the operators that update pixels are += -= *= min= max= &= |= ^=").
			Note("where each instance has its own pixel, write %s = %s %s ...", excerpt(t.at), excerpt(t.at), s.Op[:len(s.Op)-1])
	}
	return op, ok
}

// updates checks the value v of a[i] op= v against the operator. Integers that are added, multiplied or combined bit by bit wrap to
// the image's kind, as the result would; min and max need a value that it holds.
func (e *env) updates(m *imageEnt, value operand, t target, s *syntax.Assign) (operand, bool) {
	elem := m.img.Elem
	if elem.Kind == types.Bool {
		return value, true
	}
	pixel := runtime(&hast.Load{Typed: typed(elem, t.at), Image: m.img}) // stands in for its type
	name := s.Op[:len(s.Op)-1]
	var result operand
	if op := updateOps[s.Op]; op == ops.Min || op == ops.Max {
		result = e.apply(op, name, s, pixel, value)
	} else {
		result = e.binaryOp(name, s, pixel, value)
		if result.valid() && elem.Kind.IsInt() && value.typ.Kind.IsInt() {
			value = e.convert(value, elem.Kind, hast.Wrap)
		}
	}
	return value, result.valid()
}

// pixelFold is the call of a[i] = fold(f, a[i], v); nil where the statement is another.
func pixelFold(s *syntax.Assign) *syntax.Call {
	call, ok := syntax.Unparen(s.Value).(*syntax.Call)
	if !ok || s.Op != "=" || call.For != nil || len(call.Args) != 3 {
		return nil
	}
	if call.Fun.Text != hast.Fold.String() {
		return nil
	}
	return call
}

// foldUpdate is a[i] = fold(f, a[i], v) with a commutative func f.
func (e *env) foldUpdate(st *hast.Store, m *imageEnt, x *syntax.Call) bool {
	f, ok := e.foldFunc(x, runtime(&hast.Load{Typed: typed(m.img.Elem, x.Args[1].Span()), Image: m.img}))
	same := e.samePixel(st, m, x.Args[1])
	value := e.operand(x.Args[2])
	if !ok {
		return false
	}
	name := f.fn.Name
	switch {
	case !same:
		e.errorf(diag.BadReduction, x.Args[1].Span(), "fold updates the pixel that it is assigned to, and this is another").
			Note("write %s = fold(%s, %s, v)", m.example(), name, m.example())
		return false
	case !f.fn.Commutative:
		e.errorf(diag.BadReduction, x.Args[0].Span(), "%s is not declared commutative, so the result would depend on the order of the instances", name).
			NoteAt(f.at, "write commutative func %s(...) if f(f(p, a), b) is f(f(p, b), a)", name)
		return false
	case f.fn.Result != m.img.Elem:
		e.errorf(diag.BadReduction, x.At, "%s combines values of %s, the pixels of %s are %s", name, f.fn.Result, m.img.Name, m.img.Elem)
		return false
	}
	st.Func = f.fn
	st.Value = e.expr(e.assign(value, m.img.Elem, "the parameter "+f.fn.Params[1].Name+" of "+name))
	return st.Value != nil
}

// foldFunc is the func that a fold names first; start is what it starts with.
func (e *env) foldFunc(x *syntax.Call, start operand) (*funcEnt, bool) {
	id, ok := e.qualified(x.Args[0])
	if !ok {
		e.errorf(diag.BadReduction, x.Args[0].Span(), "fold takes the name of a func first")
		return nil, false
	}
	f, ok := e.scope.find(id.Name).(*funcEnt)
	if !ok {
		if ent := e.scope.find(id.Name); ent == nil {
			e.unknown(id.Name, id.At, isCallable)
		} else if _, bad := ent.(*badEnt); !bad {
			e.errorf(diag.BadReduction, id.At, "fold takes the name of a func first, %s is %s", id.Name, ent.noun())
		}
		return nil, false
	}
	if f = e.foldInstance(f, start, id); f == nil {
		return nil, false
	}
	e.signature(f)
	e.uses(f, id.At)
	return f, f.valid
}

// samePixel reports whether x names the pixel that a store writes.
func (e *env) samePixel(st *hast.Store, m *imageEnt, x syntax.Expr) bool {
	base, subs := unchain(syntax.Unparen(x))
	id, ok := base.(*syntax.Ident)
	if v, isVar := e.entity(id).(*varEnt); isVar {
		return v.img == m.img && len(subs) == 0
	}
	if !ok {
		return false
	}
	ent, subs := e.leveled(e.scope.find(id.Name), subs, x.Span())
	if ent != entity(m) || len(subs) != len(st.Index) {
		return false
	}
	for i, sub := range subs {
		if sub.Count != nil || st.Index[i] == nil {
			return false
		}
		index := e.expr(e.toIndex(e.operand(sub.Start)))
		if index == nil || !hast.Equal(index, st.Index[i]) {
			return false
		}
	}
	return true
}

// skips reports whether writes to an image that leave it do nothing in the stage at hand: border(a: skip).
func (e *env) skips(m *imageEnt) bool {
	clause := e.stage.skips[m]
	if clause == nil && m.of != nil {
		clause = e.stage.skips[m.of.whole]
	}
	if clause != nil {
		clause.used = true
	}
	return clause != nil
}
