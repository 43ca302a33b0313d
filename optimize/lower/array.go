package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Arrays are computed element by element: at lowers one element of an array expression, so that sums, transposes and products
// of arrays need no storage of their own. Only what must exist as a whole (a named array, an argument) becomes a variable.

// at lowers element idx (constants or values known to be in range) of an array expression.
func (b *body) at(e hast.Expr, idx []kir.Expr) kir.Expr {
	t := e.Type().Elem()
	switch e := e.(type) {
	case *hast.Const:
		return b.constElem(e, idx)
	case *hast.Ref:
		return b.elemOf(b.array("", e), idx)
	case *hast.Op:
		args := make([]kir.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = b.part(a, idx)
		}
		return b.applyOp(t, e.Op, args)
	case *hast.Convert:
		return b.convert(t, b.at(e.X, idx), kir.How(e.How))
	case *hast.Splat:
		return b.splat(t, b.once("s", b.expr(e.X)))
	case *hast.Select:
		return b.choose(t, e.Cond, func() kir.Expr { return b.at(e.Then, idx) }, func() kir.Expr { return b.at(e.Else, idx) })
	case *hast.Transpose:
		return b.at(e.X, []kir.Expr{idx[1], idx[0]})
	case *hast.Reshape:
		return b.at(e.X, b.reindex(e.T, e.X.Type(), idx))
	case *hast.MatMul:
		return b.product(e, idx)
	case *hast.Window:
		return b.windowElem(e, idx)
	case *hast.Array:
		if i, ok := flatIndex(e.T, idx); ok {
			return b.expr(e.Elems[i])
		}
		return b.elemOf(b.array("list", e), idx)
	case *hast.Call:
		return b.elemOf(b.array(e.Func.Name, e), idx)
	}
	panic(fmt.Sprintf("lower: %T is no array (%s)", e, e.Span()))
}

// part is an element of an array operand, or a scalar operand as it is (the count of a shift).
func (b *body) part(e hast.Expr, idx []kir.Expr) kir.Expr {
	if e.Type().IsArray() {
		return b.at(e, idx)
	}
	return b.expr(e)
}

func (b *body) elemOf(v *kir.Var, idx []kir.Expr) kir.Expr {
	return &kir.Elem{Typed: kir.Typed{T: v.Type.Elem()}, Var: v, Index: idx}
}

// flatIndex is the position of an element whose indices are all constants.
func flatIndex(t types.Type, idx []kir.Expr) (int, bool) {
	flat := 0
	for k, i := range idx {
		v, ok := constInt(i)
		if !ok {
			return 0, false
		}
		flat = flat*int(t.Dims[k]) + int(v)
	}
	return flat, true
}

// constElem reads a mask: a coefficient where the index is constant, else from a table.
func (b *body) constElem(e *hast.Const, idx []kir.Expr) kir.Expr {
	if i, ok := flatIndex(e.T, idx); ok {
		n := int(e.T.Lanes)
		return constant(e.T.Elem(), e.Words[i*n:(i+1)*n], "")
	}
	return b.elemOf(b.table(e.T, e.Words, e.Name).Var, idx)
}

// table returns the table with these contents, made on first use.
func (l *lowering) table(t types.Type, words []types.Word, name string) *kir.Table {
	if name == "" {
		name = "table"
	}
	k := fmt.Sprint(t, name, words)
	if l.tables[k] == nil {
		l.tables[k] = &kir.Table{Var: &kir.Var{Name: name, Type: t, Space: kir.Constant, Const: true}, Words: words}
		l.out.Tables = append(l.out.Tables, l.tables[k])
	}
	return l.tables[k]
}

// reindex maps the index of a reshaped array to that of the array itself.
func (b *body) reindex(to, from types.Type, idx []kir.Expr) []kir.Expr {
	flat := i32(0)
	for k, i := range idx {
		flat = b.op(types.Scalar(types.I32), ops.Add, b.op(types.Scalar(types.I32), ops.Mul, flat, i32(int64(to.Dims[k]))), i)
	}
	out := make([]kir.Expr, from.Rank)
	for k := int(from.Rank) - 1; k >= 0; k-- {
		if k == 0 {
			out[k] = flat
			break
		}
		n := i32(int64(from.Dims[k]))
		out[k] = b.op(types.Scalar(types.I32), ops.Rem, flat, n)
		flat = b.op(types.Scalar(types.I32), ops.Div, flat, n)
	}
	return out
}

// product is one element of a matrix product: the sum over the inner extent, from the first product on.
func (b *body) product(e *hast.MatMul, idx []kir.Expr) kir.Expr {
	t := e.T.Elem()
	n := int(e.X.Type().Dims[1])
	var sum kir.Expr
	for k := range n {
		p := b.op(t, ops.Mul, b.at(e.X, []kir.Expr{idx[0], i32(int64(k))}), b.at(e.Y, []kir.Expr{i32(int64(k)), idx[1]}))
		if sum == nil {
			sum = p
		} else {
			sum = b.op(t, ops.Add, sum, p)
		}
	}
	return sum
}

// array returns a variable that holds an array expression.
func (b *body) array(name string, e hast.Expr) *kir.Var {
	if r, ok := e.(*hast.Ref); ok {
		return b.value(r.Var).(*kir.Ref).Var
	}
	v := b.declare(name, e.Type(), true, nil)
	b.fill(v, e)
	return v
}

// fill assigns an array expression, which does not read v, to v.
func (b *body) fill(v *kir.Var, e hast.Expr) {
	if c, ok := e.(*hast.Call); ok {
		b.emit(&kir.CallInto{Placed: b.placed(), Func: b.funcs[c.Func], Args: b.callArgs(c.Args), Out: v})
		return
	}
	if list, ok := e.(*hast.Array); ok { // its elements are different expressions: no loop runs over them
		next := 0
		forEachIndex(v.Type.Shape(), func(p []int64) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: consts(p), Value: b.expr(list.Elems[next])})
			next++
		})
		return
	}
	e = b.prepared(e)
	b.eachElem(v.Type, func(idx []kir.Expr) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: idx, Value: b.at(e, idx)})
	})
}

// prepared computes the operands of matrix products beforehand, since each of their elements is needed as often as the product has
// rows or columns: A * B * C, element by element, would compute A * B again for every element. Small operands are left to the
// target's compiler. Sides of a condition are not looked into, for only one of them is to be computed.
func (b *body) prepared(e hast.Expr) hast.Expr {
	switch x := e.(type) {
	case *hast.Op:
		out := *x
		out.Args = make([]hast.Expr, len(x.Args))
		for i, a := range x.Args {
			out.Args[i] = b.prepared(a)
		}
		return &out
	case *hast.Convert:
		out := *x
		out.X = b.prepared(x.X)
		return &out
	case *hast.Transpose:
		out := *x
		out.X = b.prepared(x.X)
		return &out
	case *hast.Reshape:
		out := *x
		out.X = b.prepared(x.X)
		return &out
	case *hast.MatMul:
		out := *x
		out.X, out.Y = b.operand(x.X), b.operand(x.Y)
		return &out
	}
	return e
}

// smallOperand is the number of elements up to which an operand of a matrix product is computed where it is used.
const smallOperand = 16

// operand is an operand of a matrix product as something whose elements cost nothing.
func (b *body) operand(e hast.Expr) hast.Expr {
	if e.Type().Len() <= smallOperand || stored(e) {
		return b.prepared(e)
	}
	v := &hast.Var{Name: "part", Type: e.Type(), Class: hast.Value, At: e.Span()}
	b.vars[v] = ref(b.array("part", e))
	return &hast.Ref{Typed: hast.Typed{T: v.Type, At: v.At}, Var: v}
}

// stored reports whether an array is in memory, in whatever order.
func stored(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Const, *hast.Ref:
		return true
	case *hast.Transpose:
		return stored(e.X)
	case *hast.Reshape:
		return stored(e.X)
	}
	return false
}

// eachElem runs f for every index of an array: written out where the array is small, else in loops.
func (b *body) eachElem(t types.Type, f func(idx []kir.Expr)) {
	if t.Len() <= b.unroll {
		forEachIndex(t.Shape(), func(p []int64) { f(consts(p)) })
		return
	}
	b.nest(t, nil, f)
}

func (b *body) nest(t types.Type, idx []kir.Expr, f func(idx []kir.Expr)) {
	k := len(idx)
	if k == int(t.Rank) {
		f(idx)
		return
	}
	v := b.loopVar("i"+fmt.Sprint(k), interval.Between(0, int64(t.Dims[k])-1))
	stmts := b.inside(false, func() { b.nest(t, append(idx[:k:k], ref(v)), f) })
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: i32(int64(t.Dims[k])), Step: 1, Body: stmts})
}

// loopVar makes the variable of a For.
func (b *body) loopVar(name string, iv interval.Interval) *kir.Var {
	v := &kir.Var{Name: name, Type: types.Scalar(types.I32), Const: true, At: b.pos}
	b.bounds[v] = iv
	return v
}

func consts(p []int64) []kir.Expr {
	out := make([]kir.Expr, len(p))
	for i, v := range p {
		out[i] = i32(v)
	}
	return out
}

// forEachIndex visits every index of a shape, the last axis fastest.
func forEachIndex(shape []int, f func([]int64)) {
	p := make([]int64, len(shape))
	for {
		f(p)
		k := len(p) - 1
		for ; k >= 0; k-- {
			if p[k]++; p[k] < int64(shape[k]) {
				break
			}
			p[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// element lowers an index into an array: outside reads 0 where the index is not known to be inside.
func (b *body) element(e *hast.Elem) kir.Expr {
	idx := b.exprs(e.Index)
	inside, never := b.insideArray(e.X.Type(), idx, e.InRange)
	switch {
	case never:
		return zero(e.T)
	case inside == nil:
		return b.at(e.X, idx)
	}
	v := b.elemOf(b.arrayOrTable(e.X), idx)
	return &kir.Select{Typed: kir.Typed{T: e.T}, Cond: inside, Then: v, Else: zero(e.T), Lazy: true}
}

// insideArray says under which condition indices are inside an array of type t: nil for always. Never is true of constants outside,
// which the points of a loop that is written out can be, also where indices are proved to be inside because nothing gets there.
// Indices that are needed twice get names.
func (b *body) insideArray(t types.Type, idx []kir.Expr, proved bool) (inside kir.Expr, never bool) {
	for k := range idx {
		last := int64(t.Dims[k]) - 1
		if rangeOf(idx[k], b.bounds).Within(interval.Between(0, last)) {
			continue
		}
		if _, ok := constInt(idx[k]); ok {
			return nil, true
		}
		if proved {
			continue
		}
		idx[k] = b.once("i", idx[k])
		inside = b.and(inside, b.between(idx[k], i32(0), i32(last)))
	}
	return inside, false
}

func (b *body) arrayOrTable(e hast.Expr) *kir.Var {
	if c, ok := e.(*hast.Const); ok {
		return b.table(c.T, c.Words, c.Name).Var
	}
	return b.array("a", e)
}

// zero is the constant 0 or false of a scalar or vector type.
func zero(t types.Type) kir.Expr { return constant(t, make([]types.Word, t.Words()), "") }

var boolType = types.Scalar(types.Bool)

// between is lo <= x && x <= hi.
func (b *body) between(x, lo, hi kir.Expr) kir.Expr {
	return b.and(b.op(boolType, ops.Ge, x, lo), b.op(boolType, ops.Le, x, hi))
}

// and joins two conditions; nil is true.
func (b *body) and(x, y kir.Expr) kir.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return b.op(boolType, ops.LAnd, x, y)
}
