package sema

import (
	"fmt"

	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// sample with more than two pixels along an axis reads a window, which a func weighs: one for each mode, type of values and number of
// coordinates, made where it is asked for first. The weights are those of resample.

// weighed is the value between the pixels of a window.
func (s *sampling) weighed(e *env, mode string) hast.Expr {
	f := filters[mode]
	var axes []hast.WindowAxis
	for _, lead := range s.leads {
		axes = append(axes, hast.WindowAxis{Start: hast.Coord{X: lead, Below: true, Above: true}, Count: 1, Stride: 1})
	}
	dims := make([]int, len(s.coords))
	parts := make([]hast.Expr, len(s.coords))
	for k, c := range s.coords {
		whole := s.scalar(ops.Floor, c)
		dims[k], parts[k] = f.taps, s.scalar(ops.Sub, c, whole)
		start := plusOrSame(s.pixel(whole), -int64(f.before), s.at)
		axes = append(axes, hast.WindowAxis{Start: hast.Coord{X: start, Below: true, Above: true}, Count: f.taps, Stride: 1, Colon: true})
	}
	var window hast.Expr = &hast.Window{Typed: typed(s.image.Elem.Array(dims...), s.at), Image: s.image, Axes: axes, Rule: s.rule}
	elem := s.image.Elem.WithKind(s.kind)
	if elem != s.image.Elem {
		window = &hast.Convert{Typed: typed(elem.Array(dims...), s.at), X: window}
	}
	return &hast.Call{Typed: typed(elem, s.at), Func: e.interpolator(mode, elem, dims, s.at), Args: append([]hast.Expr{window}, parts...)}
}

// interpolator is the func that weighs the values of a window, given where between them the value is along each axis.
func (c *checker) interpolator(mode string, elem types.Type, dims []int, at source.Span) *hast.Func {
	key := fmt.Sprint(mode, elem, len(dims))
	for _, f := range c.between {
		if f.key == key {
			f.used = f.used || len(c.trials) == 0
			return f.fn
		}
	}
	values := &hast.Var{Name: "values", Type: elem.Array(dims...), Class: hast.FuncParam, At: at}
	fn := &hast.Func{Name: mode, Params: []*hast.Var{values}, Result: elem, At: at}
	b := &tableBody{axisTable: &axisTable{kind: elem.Kind, at: at}}
	sum := &weighing{b: b, values: values, elem: elem}
	for k := range dims {
		t := &hast.Var{Name: "t" + axisNames[len(axisNames)-len(dims)+k], Type: types.Scalar(elem.Kind), Class: hast.FuncParam, At: at}
		fn.Params = append(fn.Params, t)
		var weights []hast.Expr
		for _, w := range filters[mode].weights(b, ref(t, at)) {
			weights = append(weights, b.let("w", w))
		}
		sum.weights = append(sum.weights, weights)
	}
	fn.Body = append(b.stmts, &hast.Return{Value: sum.over(nil), At: at})
	c.between = append(c.between, &interpolation{key, fn, len(c.trials) == 0})
	return fn
}

// An interpolation is such a func with what it is for.
type interpolation struct {
	key  string
	fn   *hast.Func
	used bool // not only where a kernel is checked by itself
}

// A weighing is its sum.
type weighing struct {
	b       *tableBody
	values  *hast.Var
	elem    types.Type
	weights [][]hast.Expr // of each axis
}

// over is the sum over the axes that index does not name yet.
func (w *weighing) over(index []hast.Expr) hast.Expr {
	k, at := len(index), w.b.at
	if k == len(w.weights) {
		return &hast.Elem{Typed: typed(w.elem, at), X: ref(w.values, at), Index: index, InRange: true}
	}
	var sum hast.Expr
	for i, weight := range w.weights[k] {
		if w.elem.IsVector() {
			weight = &hast.Splat{Typed: typed(w.elem, at), X: weight}
		}
		inner := w.over(append(index[:k:k], intConst(int64(i), at)))
		var term hast.Expr = &hast.Op{Typed: typed(w.elem, at), Op: ops.Mul, Args: []hast.Expr{weight, inner}}
		if sum != nil {
			term = &hast.Op{Typed: typed(w.elem, at), Op: ops.Add, Args: []hast.Expr{sum, term}}
		}
		sum = term
	}
	return sum
}
