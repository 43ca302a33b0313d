package sema

import (
	"imgc/diag"
	"imgc/syntax"
	"imgc/types"
)

// maxElements bounds the elements of an array or constant: enough for a table over all 16-bit values in four lanes, and
// little enough that a typing mistake in an extent does not exhaust the memory.
const maxElements = 1 << 18

// baseType resolves the scalar or vector type that a name spells.
func (e *env) baseType(name syntax.Name) types.Type {
	if t, ok := types.Parse(name.Text); ok {
		return t
	}
	if t, ok := e.scope.find(name.Text).(*typeEnt); ok {
		return t.typ
	}
	if name.Text == "" || e.partialName(name.Text) {
		return types.Type{}
	}
	d := e.errorf(diag.UnknownType, name.At, "there is no type %s", name.Text)
	if here, ok := foreignType(name.Text); ok {
		d.Note("write %s", here)
		return types.Type{}
	}
	suggest(d, name.Text, typeNames())
	return types.Type{}
}

// typeNames lists the scalar types and their vectors.
func typeNames() []string {
	var names []string
	for _, k := range types.Kinds {
		for lanes := 1; lanes <= 4; lanes++ {
			names = append(names, types.Vector(k, lanes).String())
		}
	}
	return names
}

// valueType resolves the type of a value: its extents are constants.
func (e *env) valueType(t *syntax.Type) types.Type {
	if t == nil {
		return types.Type{}
	}
	base := e.baseType(t.Base)
	if len(t.Dims) == 0 {
		return base
	}
	if len(t.Dims) > types.MaxRank {
		e.errorf(diag.BadExtent, t.At, "an array has at most %d extents, this has %d", types.MaxRank, len(t.Dims))
		return types.Type{}
	}
	dims := make([]int, len(t.Dims))
	ok := base.IsValid()
	for i, d := range t.Dims {
		if d.Lo != nil {
			e.errorf(diag.BadExtent, d.At, "an array starts at index 0; only images have lower bounds")
			ok = false
			continue
		}
		n, valid := e.extent(d.Hi)
		dims[i], ok = n, ok && valid
	}
	if !ok || !e.checkSize(dims, t) {
		return types.Type{}
	}
	return base.Array(dims...)
}

func (e *env) checkSize(dims []int, at syntax.Node) bool {
	n := 1
	for _, d := range dims {
		if d > maxElements/n {
			e.errorf(diag.BadExtent, at.Span(), "an array or constant has at most %d elements", maxElements)
			return false
		}
		n *= d
	}
	return true
}

// extent computes a constant extent: a positive integer.
func (e *env) extent(x syntax.Expr) (int, bool) {
	n, ok := e.constInt(x, "an extent of an array")
	if ok && n < 1 {
		e.errorf(diag.BadExtent, x.Span(), "an extent must be at least 1, this is %d", n)
		return 0, false
	}
	return n, ok
}

// constInt computes an integer that has to be known at compile time; purpose names it in messages.
func (e *env) constInt(x syntax.Expr, purpose string) (int, bool) {
	o := e.operand(x)
	if !o.valid() {
		return 0, false
	}
	if o.con == nil {
		e.notConstant(o, purpose)
		return 0, false
	}
	n, ok := o.con.index()
	if !ok {
		e.errorf(diag.OperandKind, o.at, "%s must be an integer that fits i32, this is %s", purpose, o.typ)
	}
	return n, ok
}

func (e *env) notConstant(o operand, purpose string) {
	d := e.errorf(diag.NotConstant, o.at, "%s must be a constant", purpose).
		Note("what is known at compile time is literals, consts, masks, and what is computed from them")
	if purpose == windowCount {
		d.Note("reductions and loops run over ranges of any length: sum(src[y][x+k] for k in 0:n)")
	}
}
