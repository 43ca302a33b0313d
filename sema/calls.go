package sema

import (
	"slices"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A special is a built-in that does not simply work on components. It gets the unchecked call.
type special func(e *env, x *syntax.Call) operand

// specials are the built-ins with rules of their own; reductions come from hast's table.
var specials map[string]special

func init() {
	specials = map[string]special{
		"convolve":  (*env).convolve,
		"sample":    (*env).sample,
		"resample":  (*env).misplacedResample,
		"transpose": (*env).transposeCall,
		"select":    (*env).selectCall,
		"dot":       wholeVector(ops.Dot),
		"cross":     wholeVector(ops.Cross),
		"length":    wholeVector(ops.Length),
		"normalize": wholeVector(ops.Normalize),
	}
	for op, name := range hast.ReduceNames {
		specials[name] = reduction(hast.ReduceOp(op))
	}
}

// isBuiltin is true of every built-in function's name.
func isBuiltin(name string) bool {
	_, special := specials[name]
	_, plain := ops.Function(name)
	return special || plain
}

// builtinNames lists the built-in functions.
func builtinNames() []string {
	var names []string
	for _, op := range ops.AllOps() {
		if op.Info().Call {
			names = append(names, op.String())
		}
	}
	for name := range specials {
		names = append(names, name)
	}
	return names
}

// call checks name(args): a built-in, a reduction or a func.
func (e *env) call(x *syntax.Call) operand {
	if ent := e.scope.find(x.Fun.Text); ent != nil {
		if _, isFunc := ent.(*funcEnt); isFunc || !isBuiltin(x.Fun.Text) {
			return e.callEntity(ent, x)
		}
	}
	if s, ok := specials[x.Fun.Text]; ok {
		return s(e, x)
	}
	if op, ok := ops.Function(x.Fun.Text); ok {
		return e.builtin(op, x)
	}
	if m, ok := e.methodImage(x.Fun.Text); ok {
		return e.extentCall(m, x)
	}
	for _, a := range x.Args {
		if e.bareImage(a) == nil { // which a function that does not exist may well take
			e.operand(a)
		}
	}
	if !e.foreignCall(x) {
		e.unknown(x.Fun.Text, x.Fun.At, isCallable)
	}
	return invalid(x.At)
}

func isCallable(ent entity) bool { _, ok := ent.(*funcEnt); return ok }

// callEntity calls what a declaration named.
func (e *env) callEntity(ent entity, x *syntax.Call) operand {
	switch ent := ent.(type) {
	case *funcEnt:
		return e.callFunc(ent, x)
	case *typeEnt:
		base := &syntax.Type{Place: x.Fun.Place, Base: x.Fun}
		return e.conversion(&syntax.Conv{Place: x.Place, Type: base, Args: x.Args, For: x.For})
	case *imageEnt:
		ent.read = true
		e.operands(x.Args)
		d := e.errorf(diag.WrongUse, x.At, "%s is an image; pixels are read with subscripts", x.Fun.Text)
		if len(x.Args) == ent.img.Rank() {
			d.Note("write %s; subscripts go from the slowest axis to the fastest", subscripted(x))
		} else {
			d.Note("write %s", ent.example())
		}
	case *badEnt:
		e.operands(x.Args)
	default:
		e.operands(x.Args)
		d := e.errorf(diag.WrongUse, x.Fun.At, "%s is %s, which cannot be called", x.Fun.Text, ent.noun()).
			NoteAt(ent.place(), "%s is declared here", x.Fun.Text)
		if k, ok := ent.(*pipelineEnt); ok && !k.decl.Pipeline {
			d.Message = x.Fun.Text + " is a kernel, which gives no value"
			d.Note("a call of a kernel is a statement of a pipeline or kernel, and names the images that it writes: %s(src, dst);", x.Fun.Text)
		}
	}
	return invalid(x.At)
}

// subscripted spells src(x, y) as src[y][x]. Systems that write a pixel as a call name the fastest axis first, but for those
// in which y comes first.
func subscripted(x *syntax.Call) string {
	parts := make([]string, len(x.Args))
	for i, a := range x.Args {
		parts[i] = "[" + excerpt(a.Span()) + "]"
	}
	if !strings.HasPrefix(parts[0], "[y") {
		slices.Reverse(parts)
	}
	return x.Fun.Text + strings.Join(parts, "")
}

// operands checks expressions whose values are not needed, for the errors in them.
func (e *env) operands(args []syntax.Expr) []operand {
	out := make([]operand, len(args))
	for i, a := range args {
		out[i] = e.operand(a)
	}
	return out
}

func allValid(args []operand) bool {
	for _, a := range args {
		if !a.valid() {
			return false
		}
	}
	return true
}

// noIteration reports a "for" in a call that takes none.
func (e *env) noIteration(x *syntax.Call) bool {
	if x.For == nil {
		return true
	}
	e.errorf(diag.BadReduction, x.For.At, "%s takes no iteration; only reductions and lists do", x.Fun.Text)
	return false
}

// builtin checks a built-in that works on components: arrays too where it has one argument.
func (e *env) builtin(op ops.Op, x *syntax.Call) operand {
	if !e.noIteration(x) {
		return invalid(x.At)
	}
	args := e.operands(x.Args)
	if !e.arity(x, x.Fun.Text, op.Info().Arity, len(args)) || !allValid(args) {
		return invalid(x.At)
	}
	return e.apply(op, x.Fun.Text, x, args...)
}

// arity reports a wrong number of arguments.
func (e *env) arity(x *syntax.Call, name string, want, got int) bool {
	if want == got {
		return true
	}
	e.errorf(diag.ArgumentCount, x.At, "%s takes %s, not %d", name, plural(want, "argument"), got)
	return false
}

// wholeVector makes the built-in of an op that does not work component by component.
func wholeVector(op ops.Op) special {
	return func(e *env, x *syntax.Call) operand {
		if !e.noIteration(x) {
			return invalid(x.At)
		}
		args := e.operands(x.Args)
		if !e.arity(x, op.String(), op.Info().Arity, len(args)) || !allValid(args) {
			return invalid(x.At)
		}
		return e.applyVector(op, x, args)
	}
}

func (e *env) applyVector(op ops.Op, x syntax.Node, args []operand) operand {
	for _, a := range args {
		if !a.typ.IsVector() || a.typ.Lanes != args[0].typ.Lanes || op == ops.Cross && a.typ.Lanes < 3 {
			e.errorf(diag.ShapeMismatch, x.Span(), "%s takes %s, these are %s", op, vectorsOf(op), typesOf(args))
			return invalid(x.Span())
		}
	}
	kind, ok := e.operandKind(op, op.Info(), op.String(), x, args)
	if !ok {
		return invalid(x.Span())
	}
	t := args[0].typ.WithKind(kind)
	if r := op.Info().Result; r == ops.Scalar || r == ops.Flag {
		t = types.Scalar(kind)
	}
	var constants []*constant
	parts := make([]hast.Expr, len(args))
	for i := range args {
		args[i] = e.meet(args[i], kind)
		if args[i].con != nil {
			constants = append(constants, args[i].con)
		}
	}
	if len(constants) == len(args) {
		return constOperand(foldVector(op, t, constants), x.Span())
	}
	for i, a := range args {
		if parts[i] = e.expr(e.toKind(a, kind)); parts[i] == nil {
			return invalid(x.Span())
		}
	}
	return runtime(&hast.Op{Typed: typed(t, x.Span()), Op: op, Args: parts})
}

func vectorsOf(op ops.Op) string {
	switch {
	case op == ops.Cross:
		return "two vectors of 3 components"
	case op.Info().Operands == ops.Bools:
		return "a vector of bools"
	case op.Info().Arity == 1:
		return "a vector"
	}
	return "two vectors of equal length"
}

func typesOf(args []operand) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.typ.String()
	}
	return listed(names)
}

func (e *env) transposeCall(x *syntax.Call) operand {
	if !e.noIteration(x) {
		return invalid(x.At)
	}
	args := e.operands(x.Args)
	if !e.arity(x, "transpose", 1, len(args)) || !allValid(args) {
		return invalid(x.At)
	}
	return e.transpose(x, args[0])
}

// selectCall is select(c, a, b), which chooses component by component.
func (e *env) selectCall(x *syntax.Call) operand {
	if !e.noIteration(x) {
		return invalid(x.At)
	}
	args := e.operands(x.Args)
	if !e.arity(x, "select", 3, len(args)) || !allValid(args) {
		return invalid(x.At)
	}
	cond := args[0]
	if cond.typ.Kind != types.Bool || cond.typ.IsArray() {
		e.errorf(diag.NotBool, cond.at, "select(c, a, b) takes a bool or a vector of bools first, this is %s", cond.typ).
			Note("select(c, a, b) is c ? a : b for each component; OpenCL has the operands the other way round")
		return invalid(x.At)
	}
	a, b, k, ok := e.alike(args[1], args[2], x)
	if !ok {
		return invalid(x.At)
	}
	shape, ok := joinShapes(a.typ, cond.typ)
	if !ok || cond.typ.IsVector() && a.typ.IsArray() {
		e.shapeMismatch("select", x, args)
		return invalid(x.At)
	}
	if cond.typ.IsVector() {
		a, b = e.splat(a, shape), e.splat(b, shape)
	}
	return e.chooseLanes(x, k, cond, a, b)
}

func (e *env) chooseLanes(x syntax.Node, k types.Kind, cond, a, b operand) operand {
	if cond.con != nil && a.con != nil && b.con != nil {
		out := &constant{typ: a.typ.WithKind(k), soft: a.con.soft && b.con.soft}
		for i := range a.con.nums {
			from := a.con
			if cond.con.nums[i%len(cond.con.nums)].isZero() {
				from = b.con
			}
			out.nums = append(out.nums, from.nums[i])
		}
		return constOperand(out.settle(), x.Span())
	}
	parts := [...]hast.Expr{e.expr(cond), e.expr(e.toKind(a, k)), e.expr(e.toKind(b, k))}
	for _, p := range parts {
		if p == nil {
			return invalid(x.Span())
		}
	}
	return runtime(&hast.Select{Typed: typed(parts[1].Type(), x.Span()), Cond: parts[0], Then: parts[1], Else: parts[2]})
}

// callFunc calls a user's func.
func (e *env) callFunc(f *funcEnt, x *syntax.Call) operand {
	if !e.noIteration(x) {
		return invalid(x.At)
	}
	args := e.operands(x.Args)
	if e.refuseExtern(f, x, len(args)) {
		return invalid(x.At)
	}
	if n := f.arity(); len(args) != n {
		e.errorf(diag.ArgumentCount, x.At, "%s takes %s, not %d", f.example(), plural(n, "argument"), len(args)).
			NoteAt(f.at, "%s is declared here", x.Fun.Text)
		return invalid(x.At)
	}
	f = e.instance(f, args, x)
	if f == nil {
		return invalid(x.At)
	}
	e.signature(f)
	e.uses(f, x.Fun.At)
	if !f.valid {
		return invalid(x.At)
	}
	parts := make([]hast.Expr, len(args))
	folds := true
	for i, a := range args {
		p := f.fn.Params[i]
		args[i] = e.assign(a, p.Type, "the parameter "+p.Name+" of "+x.Fun.Text)
		folds = folds && args[i].con != nil
		parts[i] = e.expr(args[i])
	}
	if !allValid(args) {
		return invalid(x.At)
	}
	call := &hast.Call{Typed: typed(f.fn.Result, x.At), Func: f.fn, Args: parts}
	if e.where == inConst && folds {
		return e.evaluateCall(f, call)
	}
	return runtime(call)
}

// arity is how many values a call passes; to an extern func, all but what it writes alone.
func (f *funcEnt) arity() int {
	if f.extern != nil && f.valid {
		return len(f.fn.Params)
	}
	return len(f.decl.Params)
}

// uses notes that the text at hand calls f: for recursion in funcs, and for what a program has to contain.
func (e *env) uses(f *funcEnt, at source.Span) {
	switch {
	case e.fn != nil:
		e.fn.calls = append(e.fn.calls, &callSite{f, at})
	case e.where != inConst && !e.pipe.trial:
		f.used = true
	}
}
