package sema

import (
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// reduction makes the built-in of a reduction's name. Several of the names are built-ins of another kind too: min and max of
// two or more values, any and all of a vector.
func reduction(op hast.ReduceOp) special {
	return func(e *env, x *syntax.Call) operand {
		switch {
		case op == hast.Fold:
			return e.fold(x)
		case x.For != nil:
			return e.reduceComp(op, x)
		case len(x.Args) > 1 && (op == hast.Min || op == hast.Max):
			return e.extremum(op, x)
		}
		return e.reduceValue(op, x)
	}
}

var extrema = map[hast.ReduceOp]ops.Op{hast.Min: ops.Min, hast.Max: ops.Max}

// extremum is min(a, b, ...) or max(a, b, ...) of single values.
func (e *env) extremum(op hast.ReduceOp, x *syntax.Call) operand {
	args := e.operands(x.Args)
	if !allValid(args) {
		return invalid(x.At)
	}
	result := args[0]
	for _, a := range args[1:] {
		result = e.apply(extrema[op], op.String(), x, result, a)
	}
	return result
}

// reduceValue is a reduction of a window or another array, or of the components of a vector of bools.
func (e *env) reduceValue(op hast.ReduceOp, x *syntax.Call) operand {
	if len(x.Args) != 1 {
		e.operands(x.Args)
		d := e.errorf(diag.BadReduction, x.At, "%s takes a window, an array or (e for ...), not %s", op, plural(len(x.Args), "argument"))
		if len(x.Args) > 1 {
			d.Note("write %s([a, b]) for values", op)
		}
		return invalid(x.At)
	}
	if m := e.reduceable(x.Args[0]); m != nil {
		m.read = true
		if e.where == onHost {
			return e.reduceImage(op, m, x)
		}
		e.stage.reduced = append(e.stage.reduced, imageUse{m, x})
		return e.stage.host.reduceImage(op, m, x) // before the stage, once for all instances
	}
	o := e.operand(x.Args[0])
	switch {
	case !o.valid():
		return invalid(x.At)
	case o.typ.IsVector() && o.typ.Kind == types.Bool && (op == hast.Any || op == hast.All):
		vectorOp := ops.Any
		if op == hast.All {
			vectorOp = ops.All
		}
		return e.applyVector(vectorOp, x, []operand{o})
	case !o.typ.IsArray():
		e.notReducible(op, o, x)
		return invalid(x.At)
	case o.con != nil:
		return e.reduceConstant(op, x, constantItems(o.con))
	}
	e.warnProduct(op, o.x)
	space, index := arraySpace(o.typ, x.At)
	return e.reduce(op, x, space, runtime(elementAt(o.x, index, x.At)))
}

// warnProduct reports a reduction of what the program has not asked for by a name: a matrix product of two arrays, of which neither is constant, as those of
// transforms are.
func (e *env) warnProduct(op hast.ReduceOp, x hast.Expr) {
	p, ok := x.(*hast.MatMul)
	if !ok || isConstant(p.X) || isConstant(p.Y) {
		return
	}
	e.warnf(diag.SummedProduct, p.At, "%s takes all elements of a matrix product", op).Note("write .* to multiply element by element")
}

func isConstant(x hast.Expr) bool {
	switch x := x.(type) {
	case *hast.Const:
		return true
	case *hast.Convert:
		return isConstant(x.X)
	case *hast.Transpose:
		return isConstant(x.X)
	}
	return false
}

// reduceable is the image, or the part of one, that a reduction names; nil for windows with a stride and all else.
func (e *env) reduceable(x syntax.Expr) *imageEnt {
	_, subs := unchain(syntax.Unparen(x))
	for _, s := range subs {
		if s.Stride != nil {
			return nil
		}
	}
	return e.imageOf(x)
}

// componentsOf lists the components of a vector as a program names them.
func componentsOf(o operand) string {
	text := parenthesised(excerpt(o.at))
	if len(text) > len("src[y][x]") {
		text = "v"
	}
	parts := make([]string, o.typ.Lanes)
	for i := range parts {
		parts[i] = text + "." + "xyzw"[i:i+1]
	}
	return strings.Join(parts, ", ")
}

func (e *env) notReducible(op hast.ReduceOp, o operand, x syntax.Node) {
	d := e.errorf(diag.BadReduction, x.Span(), "%s is of a window, an array or (e for ...), this is %s", op, o.typ)
	switch {
	case op == hast.Any || op == hast.All:
		d.Note("%s of several bools is written with && or ||", op)
	case o.typ.IsVector() && (op == hast.Min || op == hast.Max):
		d.Note("name the components: %s(%s)", op, componentsOf(o))
	case o.typ.IsVector():
		d.Note("name the components: %s([%s])", op, componentsOf(o))
	case op == hast.Min || op == hast.Max:
		d.Note("%s takes two or more values: %s(a, b)", op, op)
	}
}

// bareImage is the image that an expression names without subscripts, or the level of a pyramid; nil if it does not.
func (e *env) bareImage(x syntax.Expr) *imageEnt {
	base, subs := unchain(syntax.Unparen(x))
	id, ok := base.(*syntax.Ident)
	if !ok {
		return nil
	}
	switch ent := e.scope.find(id.Name).(type) {
	case *imageEnt:
		if len(subs) == 0 {
			return ent
		}
	case *pyramidEnt:
		if len(subs) == 1 {
			return e.level(ent, subs[0])
		}
	}
	return nil
}

// arraySpace runs over the elements of an array.
func arraySpace(t types.Type, at source.Span) (hast.Space, []hast.Expr) {
	var space hast.Space
	index := make([]hast.Expr, t.Rank)
	names := [...]string{"i", "j", "k", "l"}
	for d := range index {
		v := &hast.Var{Name: names[d], Type: types.Scalar(types.I32), Class: hast.Loop, At: at}
		space.Vars = append(space.Vars, v)
		space.Ranges = append(space.Ranges, hast.Range{Lo: intConst(0, at), Hi: intConst(int64(t.Dims[d]), at), Step: 1})
		index[d] = ref(v, at)
	}
	return space, index
}

// reduceComp is a reduction of (e for ...).
func (e *env) reduceComp(op hast.ReduceOp, x *syntax.Call) operand {
	if len(x.Args) != 1 {
		e.errorf(diag.BadReduction, x.At, "%s takes one expression before for, not %d", op, len(x.Args))
		return invalid(x.At)
	}
	return e.overComp(x, x.Args[0],
		func(items []item) operand { return e.reduceConstant(op, x, items) },
		func(space hast.Space, elem operand) operand {
			return e.reduce(op, x, space, elem)
		})
}

// overComp checks a comprehension: in a constant point by point, else once with iteration variables.
func (e *env) overComp(x *syntax.Call, elem syntax.Expr, constant func([]item) operand, run func(hast.Space, operand) operand) operand {
	spans, vars, ok := e.compSpans(x.For)
	if !ok {
		e.unbound(vars).operand(elem)
		return invalid(x.At)
	}
	if e.where == inConst {
		items, ok := e.items(spans, elem, x.For.At)
		if !ok {
			return invalid(x.At)
		}
		return constant(items)
	}
	inner, result := e.nested(), func(o operand) operand { return o }
	if e.where == onHost {
		_, inner = e.newStage(nil, x.At)
		result = e.reduceOnDevice
	}
	space, ok := inner.declareSpans(spans, hast.Loop, x.For.At)
	o := inner.operand(elem)
	if !ok || !o.valid() {
		return invalid(x.At)
	}
	return result(run(space, o))
}

// compSpans checks the iteration of a comprehension.
func (e *env) compSpans(c *syntax.Comp) ([]*span1, []*syntax.Var, bool) {
	vars := c.Vars
	var over *imageEnt
	if c.Over != nil {
		for i := range c.Names {
			vars = append(vars, &syntax.Var{Place: c.Names[i].Place, Name: c.Names[i]})
		}
		if over = e.over(c.Over, len(vars)); over == nil {
			return nil, vars, false
		}
	}
	spans, ok := e.iteration(vars, over)
	return spans, vars, ok
}

// kindOf is the kind in which a reduction computes elements of kind k.
func reduceKind(op hast.ReduceOp, k types.Kind) types.Kind {
	switch op {
	case hast.Sum, hast.Product:
		return types.Promote(k)
	case hast.Mean:
		if k == types.F64 || k.IsInt() && k.Bits() >= 32 {
			return types.F64
		}
		return types.F32
	case hast.Any, hast.All, hast.Count:
		return types.Bool
	}
	return k
}

// checkElement reports elements that a reduction is not defined on.
func (e *env) checkElement(op hast.ReduceOp, o operand, x syntax.Node) bool {
	k := o.typ.Kind
	switch {
	case o.typ.IsArray():
		e.errorf(diag.BadReduction, x.Span(), "%s is of scalars or vectors, each element here is %s", op, o.typ)
		return false
	case reduceKind(op, k) == types.Bool && k != types.Bool:
		e.errorf(diag.BadReduction, o.at, "%s is of bools, each element here is %s", op, o.typ).
			Note("compare it: %s != 0", parenthesised(excerpt(o.at)))
		return false
	case k == types.Bool && reduceKind(op, k) == types.Bool && op != hast.Any && op != hast.All && op != hast.Count:
		e.errorf(diag.BadReduction, o.at, "%s is of numbers, each element here is %s", op, o.typ).
			Note("count, any and all are of bools")
		return false
	case (op == hast.ArgMin || op == hast.ArgMax) && !o.typ.IsScalar():
		e.errorf(diag.BadReduction, o.at, "%s compares scalars, each element here is %s", op, o.typ)
		return false
	}
	return true
}

// reduce makes a reduction of run time.
func (e *env) reduce(op hast.ReduceOp, x syntax.Node, space hast.Space, elem operand) operand {
	if !e.checkElement(op, elem, x) {
		return invalid(x.Span())
	}
	kind := reduceKind(op, elem.typ.Kind)
	t := elem.typ.WithKind(kind)
	switch op {
	case hast.Count:
		t = t.WithKind(types.I32)
	case hast.ArgMin, hast.ArgMax:
		if len(space.Vars) > 4 {
			e.errorf(diag.BadReduction, x.Span(), "%s gives up to 4 variables, this has %d", op, len(space.Vars))
			return invalid(x.Span())
		}
		t = types.Vector(types.I32, len(space.Vars))
	}
	of := kind
	if op == hast.Mean && elem.typ.Kind.IsInt() {
		of = elem.typ.Kind // whose sum is exact
	}
	value := e.expr(e.toKind(elem, of))
	if value == nil {
		return invalid(x.Span())
	}
	return runtime(&hast.Reduce{Typed: typed(t, x.Span()), Op: op, Space: space, Elem: value})
}

// fold is fold(f, init, e for ...).
func (e *env) fold(x *syntax.Call) operand {
	if x.For == nil || len(x.Args) != 3 {
		e.errorf(diag.BadReduction, x.At, "fold is written fold(f, init, e for ...)")
		return invalid(x.At)
	}
	init := e.operand(x.Args[1])
	f, ok := e.foldFunc(x, init)
	if !ok {
		return invalid(x.At)
	}
	id := x.Args[0].Span()
	if len(f.fn.Params) != 2 || f.fn.Params[0].Type != f.fn.Result {
		e.errorf(diag.BadReduction, id, "fold(f, init, e for ...) needs a func f(a: T, b: U): T, and %s is another", f.example()).
			NoteAt(f.at, "%s is declared here", f.fn.Name)
		return invalid(x.At)
	}
	init = e.assign(init, f.fn.Result, "the start of the fold")
	return e.overComp(x, x.Args[2],
		func(items []item) operand { return e.foldConstant(f, x, init, items) },
		func(space hast.Space, elem operand) operand {
			elem = e.assign(elem, f.fn.Params[1].Type, "the parameter "+f.fn.Params[1].Name+" of "+f.fn.Name)
			start, value := e.expr(init), e.expr(elem)
			if start == nil || value == nil {
				return invalid(x.At)
			}
			return runtime(&hast.Reduce{Typed: typed(f.fn.Result, x.At), Op: hast.Fold, Space: space, Elem: value, Init: start, Func: f.fn})
		})
}
