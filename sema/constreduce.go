package sema

import (
	"sort"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/syntax"
	"imgc/types"
)

// constantItems lists the elements of a constant array with their indices.
func constantItems(c *constant) []item {
	list := make([]item, c.typ.Len())
	for i := range list {
		rest := i
		point := make([]int64, c.typ.Rank)
		for d := len(point) - 1; d >= 0; d-- {
			point[d] = int64(rest % int(c.typ.Dims[d]))
			rest /= int(c.typ.Dims[d])
		}
		list[i] = item{point, constOperand(c.element(i), operand{}.at)}
	}
	return list
}

// reduceConstant reduces constants.
func (e *env) reduceConstant(op hast.ReduceOp, x syntax.Node, list []item) operand {
	if len(list) == 0 {
		if op == hast.Sum || op == hast.Count {
			return constOperand(smallInt(0), x.Span())
		}
		e.errorf(diag.ConstantArithmetic, x.Span(), "%s over nothing", op)
		return invalid(x.Span())
	}
	elems := make([]operand, len(list))
	for i, it := range list {
		elems[i] = e.placed(it.value, x)
	}
	kind, ok := e.kindOfAll(elems)
	if !ok || !e.checkElement(op, operand{typ: elems[0].typ.WithKind(kind), at: x.Span()}, x) {
		return invalid(x.Span())
	}
	values := make([]*constant, len(list))
	for i, el := range elems {
		values[i] = e.meet(el, kind).con
	}
	switch op {
	case hast.Any, hast.All, hast.Count:
		return constOperand(countTrue(op, values), x.Span())
	case hast.ArgMin, hast.ArgMax:
		return constOperand(argExtreme(op, list, values), x.Span())
	case hast.Median:
		return constOperand(median(values), x.Span())
	}
	c, err := accumulate(op, kind, values)
	if err != nil {
		e.errorf(diag.ConstantArithmetic, x.Span(), "%s", err)
		return invalid(x.Span())
	}
	return constOperand(c, x.Span())
}

var accumulators = map[hast.ReduceOp]ops.Op{
	hast.Sum: ops.Add, hast.Mean: ops.Add, hast.Product: ops.Mul, hast.Min: ops.Min, hast.Max: ops.Max,
}

// accumulate folds the values from the first to the last.
func accumulate(op hast.ReduceOp, kind types.Kind, values []*constant) (*constant, error) {
	result := reduceKind(op, kind)
	k := result
	if op == hast.Mean && kind.IsInt() {
		k = hast.SumKind(kind) // exact
	}
	for i, v := range values {
		if v.typ.Kind != k {
			values[i] = v.inClass(k)
			values[i].typ.Kind = k
		}
	}
	t := values[0].typ.WithKind(k)
	total := values[0]
	for _, v := range values[1:] {
		var err error
		if total, err = foldOp(accumulators[op], k, t.WithKind(k), []*constant{total, v}); err != nil {
			return nil, err
		}
	}
	if op != hast.Mean {
		return total, nil
	}
	total = total.inClass(result)
	total.typ.Kind = result
	return foldOp(ops.Div, result, t.WithKind(result), []*constant{total, scalarFloat(float64(len(values)))})
}

func countTrue(op hast.ReduceOp, values []*constant) *constant {
	t := values[0].typ
	counts := make([]int64, t.Words())
	for _, v := range values {
		for i, n := range v.nums {
			if !n.isZero() {
				counts[i]++
			}
		}
	}
	out := &constant{typ: t}
	if op == hast.Count {
		out.typ = t.WithKind(types.I32)
	}
	for _, c := range counts {
		switch op {
		case hast.Any:
			out.nums = append(out.nums, boolNum(c > 0))
		case hast.All:
			out.nums = append(out.nums, boolNum(c == int64(len(values))))
		default:
			out.nums = append(out.nums, intNum(c))
		}
	}
	return out
}

// less orders components; NaN comes after every number.
func (n num) less(m num) bool {
	if n.i != nil {
		return n.i.Cmp(m.i) < 0
	}
	return n.f < m.f || n.f == n.f && m.f != m.f
}

func argExtreme(op hast.ReduceOp, list []item, values []*constant) *constant {
	best := 0
	for i, v := range values {
		a, b := v.nums[0], values[best].nums[0]
		if op == hast.ArgMax && v.typ.Kind.IsFloat() && (a.f != a.f || b.f != b.f) {
			if b.f != b.f && a.f == a.f {
				best = i
			}
			continue
		}
		if op == hast.ArgMax {
			a, b = b, a
		}
		if a.less(b) {
			best = i
		}
	}
	point := list[best].point
	out := &constant{typ: types.Vector(types.I32, len(point))}
	for i := len(point) - 1; i >= 0; i-- { // the fastest axis is .x
		out.nums = append(out.nums, intNum(point[i]))
	}
	return out
}

// median is the lower median, component by component.
func median(values []*constant) *constant {
	out := &constant{typ: values[0].typ, soft: values[0].soft}
	for i := range out.typ.Words() {
		column := make([]num, len(values))
		for k, v := range values {
			column[k] = v.nums[i]
		}
		sort.SliceStable(column, func(a, b int) bool { return column[a].less(column[b]) })
		out.nums = append(out.nums, column[(len(column)-1)/2])
	}
	return out
}

// foldConstant is fold over constants.
func (e *env) foldConstant(f *funcEnt, x syntax.Node, init operand, list []item) operand {
	total := init
	for _, it := range list {
		v := e.assign(it.value, f.fn.Params[1].Type, "the parameter "+f.fn.Params[1].Name+" of "+f.fn.Name)
		if !v.valid() || !total.valid() {
			return invalid(x.Span())
		}
		args := []hast.Expr{e.expr(total), e.expr(v)}
		total = e.evaluateCall(f, &hast.Call{Typed: typed(f.fn.Result, x.Span()), Func: f.fn, Args: args})
	}
	return total
}
