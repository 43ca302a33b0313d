package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// An operand is a checked expression: a constant, or an expression of run time. After an error it is neither and its type is
// invalid, and whatever is made of it is invalid without another word.
type operand struct {
	typ types.Type
	at  source.Span
	con *constant // nil at run time
	x   hast.Expr // nil for a constant
	of  *choice   // of ?: with a constant side; nil for all else
}

// A choice remembers the sides of c ? a : b, so that constants among them still take the kind that the surroundings ask for:
// u8 pixels can be assigned c ? 255 : 0.
type choice struct {
	cond hast.Expr
	a, b operand
}

func (o operand) valid() bool { return o.typ.IsValid() }

// invalid is what is left of an expression that has been reported.
func invalid(at source.Span) operand { return operand{at: at} }

func constOperand(c *constant, at source.Span) operand {
	return operand{typ: c.typ, at: at, con: c}
}

func runtime(x hast.Expr) operand {
	return operand{typ: x.Type(), at: x.Span(), x: x}
}

func typed(t types.Type, at source.Span) hast.Typed { return hast.Typed{T: t, At: at} }

// ref reads a variable.
func ref(v *hast.Var, at source.Span) hast.Expr {
	return &hast.Ref{Typed: typed(v.Type, at), Var: v}
}

// intConst is an i32 constant of the typed program.
func intConst(v int64, at source.Span) hast.Expr {
	return &hast.Const{Typed: typed(types.Scalar(types.I32), at), Words: []types.Word{types.Int(v)}}
}

// constInt reads a scalar i32 constant of the typed program.
func constInt(x hast.Expr) (int64, bool) {
	c, ok := x.(*hast.Const)
	if !ok || c.T != types.Scalar(types.I32) {
		return 0, false
	}
	return c.Words[0].Int(), true
}

// plus is x + k in i32, with the constant merged into one that x ends in already.
func plus(x hast.Expr, k int64, at source.Span) hast.Expr {
	if v, ok := constInt(x); ok {
		return intConst(v+k, at)
	}
	if o, ok := x.(*hast.Op); ok && (o.Op == ops.Add || o.Op == ops.Sub) {
		if v, ok := constInt(o.Args[1]); ok {
			if o.Op == ops.Sub {
				v = -v
			}
			return plus(o.Args[0], k+v, at)
		}
	}
	return offsetBy(x, k, at)
}

func binaryInt(op ops.Op, x, y hast.Expr, at source.Span) hast.Expr {
	return &hast.Op{Typed: typed(types.Scalar(types.I32), at), Op: op, Args: []hast.Expr{x, y}}
}

// times is x * k in i32.
func times(x hast.Expr, k int64, at source.Span) hast.Expr {
	if v, ok := constInt(x); ok {
		return intConst(v*k, at)
	}
	if k == 1 {
		return x
	}
	return binaryInt(ops.Mul, x, intConst(k, at), at)
}

// expr is the operand as an expression of the typed program; a constant gets the kind that it has on its own. It is nil
// after an error.
func (e *env) expr(o operand) hast.Expr {
	if !o.valid() || o.con == nil {
		return o.x
	}
	if !o.con.fits(o.con.typ.Kind) {
		e.doesNotFit(o.con, o.con.typ.Kind, o.at)
		return nil
	}
	return &hast.Const{Typed: typed(o.con.typ, o.at), Words: o.con.words(), Name: o.con.name}
}

// doesNotFit reports a constant that its kind does not hold.
func (e *env) doesNotFit(c *constant, k types.Kind, at source.Span) {
	n := c.nums[0]
	for _, n = range c.nums {
		if !n.fits(k) {
			break
		}
	}
	d := e.errorf(diag.ConstantRange, at, "the constant %s does not fit %s", n.text(), k)
	if k.IsInt() {
		d.Note("%s holds %s to %s; %s(...) wraps modulo 2^%d, sat<%s>(...) takes the nearest value", k,
			fromWord(k, types.Lowest(k)).text(), fromWord(k, types.Highest(k)).text(), k, k.Bits(), k)
	}
}

// convert changes the component kind of a valid operand without a question: T(e), sat<T>(e) or an implicit conversion that
// has been found legal.
func (e *env) convert(o operand, k types.Kind, how hast.How) operand {
	switch {
	case !o.valid():
		return o
	case o.con != nil && how == hast.Saturate:
		return constOperand(o.con.saturate(k), o.at)
	case o.con != nil:
		return constOperand(o.con.wrap(k), o.at)
	case o.typ.Kind == k:
		return o
	}
	e.warnWrapped(o, k)
	return runtime(&hast.Convert{Typed: typed(o.typ.WithKind(k), o.at), X: o.x, How: how})
}

// toKind brings an operand to kind k, which holds it: a constant takes the kind, all else is converted.
func (e *env) toKind(o operand, k types.Kind) operand {
	switch {
	case o.valid() && o.con != nil && o.con.takes(k):
		return constOperand(o.con.as(k), o.at)
	case o.of != nil && o.typ.Kind != k && becomes(o.of.a, k) && becomes(o.of.b, k):
		then, otherwise := e.expr(e.toKind(o.of.a, k)), e.expr(e.toKind(o.of.b, k))
		return runtime(&hast.Select{Typed: typed(o.typ.WithKind(k), o.at), Cond: o.of.cond, Then: then, Else: otherwise})
	}
	return e.convert(o, k, hast.Wrap)
}

// becomes is true where the operand becomes kind k without a written conversion.
func becomes(o operand, k types.Kind) bool {
	switch {
	case o.con != nil:
		return o.con.takes(k)
	case types.Holds(o.typ.Kind, k):
		return true
	}
	return o.of != nil && becomes(o.of.a, k) && becomes(o.of.b, k)
}

// splat repeats a valid operand over the lanes and extents of shape; its own shape is known to allow it.
func (e *env) splat(o operand, shape types.Type) operand {
	t := shape.WithKind(o.typ.Kind)
	switch {
	case !o.valid() || o.typ == t:
		return o
	case o.con != nil && (o.typ.Words() < t.Words() || !o.typ.IsArray()):
		return constOperand(o.con.splat(t), o.at)
	case o.typ.IsArray() && o.typ.Words() == t.Words():
		return e.reshape(o, t)
	}
	return runtime(&hast.Splat{Typed: typed(t, o.at), X: o.x})
}

// reshape gives the elements other extents.
func (e *env) reshape(o operand, t types.Type) operand {
	t = t.WithKind(o.typ.Kind)
	switch {
	case o.typ == t:
		return o
	case o.con != nil:
		return constOperand(o.con.reshaped(t), o.at)
	}
	return runtime(&hast.Reshape{Typed: typed(t, o.at), X: o.x})
}

// joinShapes is the shape of an elementwise operation on a and b: equal shapes, or one that the other is repeated over. The
// result's kind is a's.
func joinShapes(a, b types.Type) (types.Type, bool) {
	b = b.WithKind(a.Kind)
	switch {
	case a == b || b.IsScalar():
		return a, true
	case a.IsScalar():
		return b, true
	case a.IsArray() && b == a.Elem():
		return a, true
	case b.IsArray() && a == b.Elem():
		return b, true
	case a.IsArray() && b.IsArray() && a.Lanes == b.Lanes && sameExtents(a, b):
		return a, true
	}
	return types.Type{}, false
}

// sameExtents is true where the arrays have the same extents, or one is 1-D and the other a single row or column of the same
// length.
func sameExtents(a, b types.Type) bool {
	if a.Rank == b.Rank {
		return a.Dims == b.Dims
	}
	if a.Len() != b.Len() {
		return false
	}
	if a.Rank > b.Rank {
		a, b = b, a
	}
	return a.Rank == 1 && b.Rank == 2 && (b.Dims[0] == 1 || b.Dims[1] == 1)
}

// assign converts an operand to the type of the place that receives it, by the implicit conversions only. purpose names the
// place in the message: "dst", "the argument a of f".
func (e *env) assign(o operand, t types.Type, purpose string) operand {
	if !o.valid() || !t.IsValid() {
		return invalid(o.at)
	}
	shape, ok := joinShapes(t, o.typ)
	if !ok || shape != t {
		d := e.errorf(diag.ShapeMismatch, o.at, "%s is %s, but this is %s", purpose, t, o.typ)
		partOf(d, o, t)
		return invalid(o.at)
	}
	if !e.mayBecome(o, t.Kind, purpose) {
		return invalid(o.at)
	}
	return e.splat(e.toKind(o, t.Kind), t)
}

// partOf says what to write for as much of a value as a place of type t takes.
func partOf(d *diag.Diagnostic, o operand, t types.Type) {
	text := parenthesised(excerpt(o.at))
	switch {
	case o.typ.IsArray() && t.IsScalar() && !o.typ.Elem().IsVector():
		d.Note("one value of an array is an element of it, or a reduction: sum, mean, median, min, max")
	case o.typ.IsVector() && t.IsScalar():
		d.Note("write %s.x for one component; they are .x .y .z .w, or .r .g .b .a", text)
	case o.typ.IsVector() && t.IsVector() && o.typ.Lanes > t.Lanes:
		d.Note("write %s.%s for the first %d components", text, "xyzw"[:t.Lanes], t.Lanes)
	}
}

// mayBecome reports whether the operand becomes kind k without a written conversion, and says what to write if not.
func (e *env) mayBecome(o operand, k types.Kind, purpose string) bool {
	own := o.typ.Kind
	switch {
	case becomes(o, k):
		return true
	case o.con == nil || own == types.Bool || k == types.Bool || own.IsFloat() && k.IsFloat() && !o.con.soft:
		e.cannotConvert(o, k, purpose)
	default:
		e.constantMisfit(o, k, purpose)
	}
	return false
}

func (e *env) constantMisfit(o operand, k types.Kind, purpose string) {
	d := e.errorf(diag.ConstantRange, o.at, "%s is %s, which does not hold the constant %s", purpose, k, o.con.misfit(k).text())
	switch text := excerpt(o.at); {
	case k.IsInt() && o.typ.Kind.IsFloat():
		d.Note("write %s(%s) to truncate or sat<%s>(%s) to round", k, text, k, text)
	case k.IsInt():
		d.Note("%s holds %s to %s", k, fromWord(k, types.Lowest(k)).text(), fromWord(k, types.Highest(k)).text())
	}
}

// misfit is the first component that kind k does not hold.
func (c *constant) misfit(k types.Kind) num {
	for i := range c.nums {
		one := &constant{typ: types.Scalar(c.typ.Kind), soft: c.soft, nums: c.nums[i : i+1]}
		if !one.takes(k) {
			return c.nums[i]
		}
	}
	return c.nums[0]
}

func (e *env) cannotConvert(o operand, k types.Kind, purpose string) {
	d := e.errorf(diag.ImplicitConversion, o.at, "%s is %s; a value of kind %s does not become %s by itself", purpose, k, o.typ.Kind, k)
	text := excerpt(o.at)
	switch {
	case k == types.Bool:
		d.Note("write %s != 0", parenthesised(text))
	case k.IsInt() && o.typ.Kind.IsFloat():
		d.Note("write %s(%s), which truncates, or sat<%s>(%s), which rounds and saturates", k, text, k, text)
		if purpose == subscript {
			d.Note("between the pixels of an image values are interpolated by sample, as in sample(src, y, x, linear)")
		}
	case k.IsInt():
		d.Note("write %s(%s), which wraps, or sat<%s>(%s), which saturates", k, text, k, text)
	default:
		d.Note("write %s(%s)", k, text)
	}
	if _, computed := o.x.(*hast.Op); computed && o.typ.Kind == types.I32 && k.IsInt() && k.Bits() < 32 {
		d.Note("integers under 32 bits are computed in i32, as in C")
	}
}
