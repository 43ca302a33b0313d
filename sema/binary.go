package sema

import (
	"fmt"
	"math"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// commonKind is the kind in which two operands meet. A constant takes the other's kind if that holds it; all else follows
// types.Common. Without promote, operands of one kind, or of two kinds of which one holds the other, stay as they are.
func (e *env) commonKind(a, b operand, promote bool) (types.Kind, bool) {
	switch {
	case a.con != nil && b.con != nil:
		return constantKind(a.con, b.con, promote)
	case a.con != nil:
		a, b = b, a
		fallthrough
	case b.con != nil:
		k := a.typ.Kind
		if promote {
			k = types.Promote(k)
		}
		if adapts(b.con, k) {
			return k, true
		}
	case a.of != nil || b.of != nil:
		for _, k := range []types.Kind{a.typ.Kind, b.typ.Kind} {
			if promote {
				k = types.Promote(k)
			}
			if becomes(a, k) && becomes(b, k) {
				return k, true
			}
		}
	}
	return join(a.typ.Kind, b.typ.Kind, promote)
}

// adapts is true where a constant takes the kind of the operand beside it. A float literal does not become an integer
// there, and a float with a kind of its own keeps it, so that x * 0.5 and x * 0.1d have kinds that do not depend on values.
func adapts(c *constant, k types.Kind) bool {
	own := c.typ.Kind
	if own == types.Bool || k == types.Bool || own.IsFloat() && (k.IsInt() || !c.soft) {
		return own == k
	}
	return c.takes(k)
}

// constantKind is the kind of an operation on two constants: a soft one yields to one with a kind of its own.
func constantKind(a, b *constant, promote bool) (types.Kind, bool) {
	ka, kb := a.typ.Kind, b.typ.Kind
	switch {
	case a.soft && !b.soft && adapts(a, kb):
		return join(kb, kb, promote)
	case b.soft && !a.soft && adapts(b, ka):
		return join(ka, ka, promote)
	case a.soft && b.soft && ka.IsFloat() == kb.IsFloat():
		return wider(ka, kb), true
	}
	if k, ok := join(ka, kb, promote); ok {
		return k, true
	}
	for _, k := range []types.Kind{types.Promote(ka), types.Promote(kb)} {
		if adapts(a, k) && adapts(b, k) {
			return k, true
		}
	}
	return types.Invalid, false
}

// wider is the later of two kinds of softInts or softFloats.
func wider(a, b types.Kind) types.Kind {
	for _, kinds := range [][]types.Kind{softInts, softFloats} {
		for i := len(kinds) - 1; i >= 0; i-- {
			if kinds[i] == a || kinds[i] == b {
				return kinds[i]
			}
		}
	}
	return a
}

func join(a, b types.Kind, promote bool) (types.Kind, bool) {
	if !promote {
		for _, k := range []types.Kind{a, b} {
			if types.Holds(a, k) && types.Holds(b, k) {
				return k, true
			}
		}
	}
	return types.Common(a, b)
}

// noCommonKind reports operands that do not meet in one kind.
func (e *env) noCommonKind(at source.Span, what string, a, b operand) {
	ka, kb := a.typ.Kind, b.typ.Kind
	if a.con != nil {
		a, b, ka, kb = b, a, kb, ka
	}
	d := e.errorf(diag.NoCommonType, at, "%s have the kinds %s and %s, and neither becomes the other by itself", what, ka, kb)
	switch {
	case b.con != nil && a.con == nil && ka.IsInt() && kb.IsInt():
		d.Note("%s does not hold the constant %s; write %s(%s) or %s(%s)", types.Promote(ka), b.con.misfit(types.Promote(ka)).text(),
			kb, excerpt(a.at), ka, excerpt(b.at))
	case ka == types.Bool || kb == types.Bool:
		d.Note("write x != 0 for a bool, c ? 1 : 0 for a number")
	default:
		d.Note("write %s(%s) or %s(%s)", types.Promote(kb), excerpt(a.at), types.Promote(ka), excerpt(b.at))
	}
}

// unary checks -x, +x, !x and ~x.
func (e *env) unary(x *syntax.Unary) operand {
	o := e.operand(x.X)
	if !o.valid() {
		return invalid(x.At)
	}
	if x.Op == "+" {
		return e.apply(ops.None, "+", x, o)
	}
	op, ok := ops.Operator(x.Op, 1)
	if !ok {
		e.errorf(diag.OperandKind, x.At, "there is no operator %s", x.Op)
		return invalid(x.At)
	}
	return e.apply(op, x.Op, x, o)
}

// binary checks an operator of two operands.
func (e *env) binary(x *syntax.Binary) operand {
	a, b := e.operand(x.X), e.operand(x.Y)
	e.warnQuotient(x, a, b)
	return e.binaryOp(x.Op, x, a, b)
}

// binaryOp applies the operator spelled op.
func (e *env) binaryOp(spelling string, x syntax.Node, a, b operand) operand {
	if !a.valid() || !b.valid() {
		return invalid(x.Span())
	}
	arrays := a.typ.IsArray() && b.typ.IsArray()
	plain := spelling
	switch spelling {
	case "*":
		if arrays {
			return e.matrixProduct(x, a, b)
		}
	case "/":
		if arrays {
			e.errorf(diag.ShapeMismatch, x.Span(), "there is no quotient of two arrays").Note("write ./ to divide element by element")
			return invalid(x.Span())
		}
	case ".*", "./":
		plain = spelling[1:]
		if !a.typ.IsArray() && !b.typ.IsArray() {
			e.errorf(diag.ShapeMismatch, x.Span(), "%s is of arrays, these are %s and %s", spelling, a.typ, b.typ).Note("write %s", plain)
			return invalid(x.Span())
		}
	}
	op, ok := ops.Operator(plain, 2)
	if !ok {
		e.errorf(diag.OperandKind, x.Span(), "there is no operator %s", spelling)
		return invalid(x.Span())
	}
	return e.apply(op, spelling, x, a, b)
}

// apply types an operator's or elementwise built-in's operands by its row in the table of ops, and applies it. ops.None is
// unary plus, which promotes and does nothing else.
func (e *env) apply(op ops.Op, spelling string, x syntax.Node, args ...operand) operand {
	for _, a := range args {
		if !a.valid() {
			return invalid(x.Span())
		}
	}
	info := op.Info()
	if op == ops.None {
		info = ops.Neg.Info()
	}
	kind, ok := e.operandKind(op, info, spelling, x, args)
	if !ok || !e.shapesAllowed(op, info, spelling, x, args) {
		return invalid(x.Span())
	}
	shape := args[0].typ
	for _, a := range args[1:] {
		if shape, ok = joinShapes(shape, a.typ); !ok {
			e.shapeMismatch(spelling, x, args)
			return invalid(x.Span())
		}
	}
	shift := op == ops.Shl || op == ops.Shr
	for i, a := range args {
		if shift && i == 1 {
			args[i] = e.splat(e.meet(a, shiftKind(a, kind)), shape)
			continue
		}
		args[i] = e.splat(e.meet(a, kind), shape)
	}
	if op == ops.None {
		return e.placed(args[0], x)
	}
	return e.build(op, info, kind, shape, x, args)
}

// meet brings an operand to the kind of an operation. A soft constant stays soft among constants: build sees to it.
func (e *env) meet(a operand, kind types.Kind) operand {
	if a.con != nil && a.con.soft {
		return constOperand(a.con.inClass(kind), a.at)
	}
	return e.toKind(a, kind)
}

// inClass makes a constant's components integers or floats, whichever the kind is, exactly.
func (c *constant) inClass(k types.Kind) *constant {
	if c.typ.Kind.IsFloat() == k.IsFloat() && c.typ.Kind != types.Bool {
		return c
	}
	out := &constant{typ: c.typ.WithKind(k), soft: c.soft, nums: make([]num, len(c.nums))}
	for i, n := range c.nums {
		if k.IsFloat() {
			n = num{f: n.float()}
		}
		out.nums[i] = n
	}
	return out
}

// build folds an operation on constants and makes a node of any other.
func (e *env) build(op ops.Op, info ops.Info, kind types.Kind, shape types.Type, x syntax.Node, args []operand) operand {
	t := shape.WithKind(resultKind(info, kind))
	constants := make([]*constant, len(args))
	folds := true
	for i, a := range args {
		constants[i] = a.con
		folds = folds && a.con != nil
	}
	if folds {
		c, err := foldOp(op, kind, t, constants)
		if err != nil {
			e.errorf(diag.ConstantArithmetic, x.Span(), "%s", err)
			return invalid(x.Span())
		}
		return constOperand(c, x.Span())
	}
	parts := make([]hast.Expr, len(args))
	for i, a := range args {
		k := kind
		if i == 1 && (op == ops.Shl || op == ops.Shr) {
			k = shiftKind(a, kind)
		}
		if parts[i] = e.expr(e.toKind(a, k)); parts[i] == nil {
			return invalid(x.Span())
		}
	}
	if len(parts) == 2 && t == types.Scalar(types.I32) && (op == ops.Add || op == ops.Sub) {
		if v, ok := constInt(parts[1]); ok && v <= 0 && v > math.MinInt32 {
			if op == ops.Sub {
				v = -v
			}
			return runtime(offsetBy(parts[0], v, x.Span()))
		}
	}
	return runtime(&hast.Op{Typed: typed(t, x.Span()), Op: op, Args: parts})
}

// offsetBy is x + v in i32, written with a positive constant: x + -1 is x - 1, as coordinates with a constant offset are.
func offsetBy(x hast.Expr, v int64, at source.Span) hast.Expr {
	switch {
	case v > 0:
		return binaryInt(ops.Add, x, intConst(v, at), at)
	case v < 0:
		return binaryInt(ops.Sub, x, intConst(-v, at), at)
	}
	return x
}

func resultKind(info ops.Info, kind types.Kind) types.Kind {
	switch info.Result {
	case ops.Truth, ops.Flag:
		return types.Bool
	case ops.Index:
		return types.I32
	}
	return kind
}

// shiftKind is the kind of a shift's count: its own, and i32 for a small constant.
func shiftKind(count operand, kind types.Kind) types.Kind {
	if count.con != nil && count.con.soft {
		return kind
	}
	return types.Promote(count.typ.Kind)
}

// keepsSmall are the built-ins that choose one of their operands, so that small integers stay what they are: max(a, b) of
// two u8 is a u8.
var keepsSmall = map[ops.Op]bool{ops.Min: true, ops.Max: true, ops.Clamp: true}

// operandKind is the kind in which an op computes.
func (e *env) operandKind(op ops.Op, info ops.Info, spelling string, x syntax.Node, args []operand) (types.Kind, bool) {
	for _, a := range args {
		if !e.takesKind(info, spelling, a) {
			return types.Invalid, false
		}
	}
	if op == ops.Shl || op == ops.Shr {
		return types.Promote(args[0].typ.Kind), true
	}
	if info.Operands == ops.Bools {
		return types.Bool, true
	}
	if info.Operands == ops.Floats {
		e.floated(args)
	}
	k, ok := e.joinedKind(spelling, x, args, !keepsSmall[op])
	if !ok {
		return types.Invalid, false
	}
	if info.Operands == ops.Anything && allBools(args) {
		return types.Bool, true
	}
	if k == types.Bool || !keepsSmall[op] {
		k = types.Promote(k)
	}
	return k, true
}

// joinedKind is the kind in which all operands meet.
func (e *env) joinedKind(spelling string, x syntax.Node, args []operand, promote bool) (types.Kind, bool) {
	whole := args[0]
	for _, a := range args[1:] {
		k, ok := e.commonKind(whole, a, promote)
		if !ok {
			e.noCommonKind(x.Span(), "the operands of "+spelling, whole, a)
			return types.Invalid, false
		}
		whole = joined(whole, a, k)
	}
	return whole.typ.Kind, true
}

func allBools(args []operand) bool {
	for _, a := range args {
		if a.typ.Kind != types.Bool {
			return false
		}
	}
	return true
}

// floated makes floats of the operands of a function of floats: integers count as f32, and as f64 where an operand is an f64
// or an integer of 64 bits.
func (e *env) floated(args []operand) {
	kind := types.F32
	for _, a := range args {
		if k := a.typ.Kind; (k == types.F64 || k.IsInt() && k.Bits() == 64) && (a.con == nil || !a.con.soft) {
			kind = types.F64
		}
	}
	for i, a := range args {
		if !a.typ.Kind.IsFloat() {
			args[i] = e.meet(a, kind)
		}
	}
}

var kindNames = map[ops.Operands]string{
	ops.Numbers:  "numbers",
	ops.Integers: "integers",
	ops.Floats:   "numbers",
	ops.Bools:    "bools",
	ops.Anything: "numbers or bools",
}

// takesKind reports an operand whose kind the op is not defined on.
func (e *env) takesKind(info ops.Info, spelling string, a operand) bool {
	k := a.typ.Kind
	switch info.Operands {
	case ops.Bools:
		if k == types.Bool {
			return true
		}
	case ops.Integers:
		if k.IsInt() || k == types.Bool {
			return true
		}
	default:
		return true
	}
	d := e.errorf(diag.OperandKind, a.at, "%s takes %s, this is %s", spelling, kindNames[info.Operands], a.typ)
	text := parenthesised(excerpt(a.at))
	switch {
	case info.Operands == ops.Bools:
		d.Note("write %s != 0", text)
	case spelling == "^":
		d.Note("it is exclusive or of bits; powers are written pow(a, b)")
	case k.IsFloat():
		d.Note("write i32(%s)", excerpt(a.at))
	}
	return false
}

// onArrays are the operators that work element by element on arrays; of the built-ins, those of one argument do.
var onArrays = map[ops.Op]bool{
	ops.None: true, ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Div: true,
	ops.Eq: true, ops.Ne: true, ops.Lt: true, ops.Le: true, ops.Gt: true, ops.Ge: true,
}

func (e *env) shapesAllowed(op ops.Op, info ops.Info, spelling string, x syntax.Node, args []operand) bool {
	if info.Arity == 1 || onArrays[op] {
		return true
	}
	for _, a := range args {
		if a.typ.IsArray() {
			e.errorf(diag.ShapeMismatch, x.Span(), "%s does not work on arrays", spelling).
				Note("arrays have + - .* ./ *, comparisons and built-ins of one argument; write [%s for i in 0:n] for the rest",
					fmt.Sprintf("... a[i] %s ...", spelling))
			return false
		}
	}
	return true
}

func (e *env) shapeMismatch(spelling string, x syntax.Node, args []operand) {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.typ.String()
	}
	e.errorf(diag.ShapeMismatch, x.Span(), "the operands of %s have the types %s, which do not fit", spelling, listed(names)).
		Note("a scalar is repeated; vectors need as many components, arrays the same extents")
}
