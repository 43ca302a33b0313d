package interp

import (
	"fmt"
	"math"
	"sort"

	"imgc/hast"
	"imgc/ops"
	"imgc/pixels"
	"imgc/types"
)

// A naive evaluator walks the tree and computes every component with ops.Eval and package types: slow, and meant to be seen
// to be right. The compiled closures are held against it.
type naive struct {
	env    map[*hast.Var][]types.Word
	images map[*hast.Image]*pixels.Image
	result []types.Word // of the func that is returning
}

func (n *naive) int(e hast.Expr) int64  { return n.eval(e)[0].Int() }
func (n *naive) truth(e hast.Expr) bool { return n.eval(e)[0].Truth() }

func (n *naive) eval(e hast.Expr) []types.Word {
	switch e := e.(type) {
	case *hast.Const:
		return e.Words
	case *hast.Ref:
		return n.env[e.Var]
	case *hast.Op:
		return n.op(e)
	case *hast.Convert:
		return n.convert(e)
	case *hast.Splat:
		x := n.eval(e.X)
		var words []types.Word
		for len(words) < e.T.Words() {
			words = append(words, x...)
		}
		return words
	case *hast.Select:
		return n.choose(e)
	case *hast.Vec:
		return n.join(e.Parts)
	case *hast.Array:
		return n.join(e.Elems)
	case *hast.Swizzle:
		x := n.eval(e.X)
		var words []types.Word
		for _, lane := range e.Lanes {
			words = append(words, x[lane])
		}
		return words
	case *hast.Elem:
		x, size := n.eval(e.X), e.T.Words()
		if i, ok := n.element(e.Index, e.X.Type().Shape()); ok {
			return x[i*size : (i+1)*size]
		}
		return make([]types.Word, size)
	case *hast.Transpose:
		return n.transpose(e)
	case *hast.MatMul:
		return n.matMul(e)
	case *hast.Reshape:
		return n.eval(e.X)
	case *hast.Load:
		var at []int64
		for _, c := range e.Index {
			at = append(at, n.int(c.X))
		}
		return n.pixel(e.Image, at, e.Rule)
	case *hast.Window:
		return n.window(e)
	case *hast.Call:
		var args [][]types.Word
		for _, a := range e.Args {
			args = append(args, n.eval(a))
		}
		return n.call(e.Func, args)
	case *hast.Reduce:
		return n.reduce(e)
	}
	panic(fmt.Sprintf("%T", e))
}

func (n *naive) op(e *hast.Op) []types.Word {
	var args [][]types.Word
	for _, a := range e.Args {
		args = append(args, n.eval(a))
	}
	k, result := e.Args[0].Type().Kind, []types.Word(nil)
	if isWhole(e.Op) {
		lanes := int(e.Args[0].Type().Lanes)
		for i := 0; i < len(args[0]); i += lanes {
			second := []types.Word(nil)
			if len(args) == 2 {
				second = args[1][i : i+lanes]
			}
			result = append(result, ops.EvalVector(e.Op, k, args[0][i:i+lanes], second)...)
		}
		return result
	}
	for i := range args[0] {
		var words []types.Word
		for _, a := range args {
			words = append(words, a[i%len(a)])
		}
		result = append(result, ops.Eval(e.Op, k, words...))
	}
	return result
}

func (n *naive) convert(e *hast.Convert) []types.Word {
	from, to := e.X.Type().Kind, e.T.Kind
	var words []types.Word
	for _, w := range n.eval(e.X) {
		switch e.How {
		case hast.Wrap:
			w = types.Convert(w, from, to)
		case hast.Saturate:
			w = types.Saturate(w, from, to)
		case hast.Bitcast:
			w = types.Bitcast(w, from, to)
		}
		words = append(words, w)
	}
	return words
}

func (n *naive) choose(e *hast.Select) []types.Word {
	cond := n.eval(e.Cond)
	if len(cond) == 1 {
		if cond[0].Truth() {
			return n.eval(e.Then)
		}
		return n.eval(e.Else)
	}
	then, other := n.eval(e.Then), n.eval(e.Else)
	words := append([]types.Word(nil), other...)
	for i := range words {
		if cond[i].Truth() {
			words[i] = then[i]
		}
	}
	return words
}

func (n *naive) join(parts []hast.Expr) (words []types.Word) {
	for _, p := range parts {
		words = append(words, n.eval(p)...)
	}
	return words
}

func (n *naive) element(index []hast.Expr, shape []int) (int, bool) {
	at, inside := 0, true
	for k, e := range index {
		i := n.int(e)
		inside = inside && i >= 0 && i < int64(shape[k])
		at = at*shape[k] + int(i)
	}
	return at, inside
}

func (n *naive) transpose(e *hast.Transpose) []types.Word {
	x, shape, lanes := n.eval(e.X), e.X.Type().Shape(), int(e.T.Lanes)
	var words []types.Word
	for j := range shape[1] {
		for i := range shape[0] {
			at := (i*shape[1] + j) * lanes
			words = append(words, x[at:at+lanes]...)
		}
	}
	return words
}

func (n *naive) matMul(e *hast.MatMul) []types.Word {
	x, y, xs, ys := n.eval(e.X), n.eval(e.Y), e.X.Type().Shape(), e.Y.Type().Shape()
	var words []types.Word
	for i := range xs[0] {
		for j := range ys[1] {
			sum := ops.Eval(ops.Mul, e.T.Kind, x[i*xs[1]], y[j])
			for l := 1; l < xs[1]; l++ {
				sum = ops.Eval(ops.Add, e.T.Kind, sum, ops.Eval(ops.Mul, e.T.Kind, x[i*xs[1]+l], y[l*ys[1]+j]))
			}
			words = append(words, sum)
		}
	}
	return words
}

// pixel reads a pixel under a rule, which is applied step by step.
func (n *naive) pixel(m *hast.Image, at []int64, rule *hast.Rule) []types.Word {
	image := n.images[m]
	index, lanes := 0, int(m.Elem.Lanes)
	for axis, i := range at {
		if m.Lower != nil {
			i -= m.Lower[axis]
		}
		size := int64(image.Extent[axis])
		if i < 0 || i >= size {
			if rule.Kind == hast.Constant {
				return n.eval(rule.Value)
			}
			i = naiveFold(rule.Kind, i, size)
		}
		index = index*int(size) + int(i)
	}
	var words []types.Word
	for lane := range lanes {
		words = append(words, image.Word(index*lanes+lane))
	}
	return words
}

// naiveFold mirrors or shifts once at each edge until the index is inside.
func naiveFold(rule hast.RuleKind, i, n int64) int64 {
	for i < 0 || i >= n {
		switch {
		case rule == hast.Clamp || rule == hast.Undefined:
			i = min(max(i, 0), n-1)
		case rule == hast.Repeat && i < 0:
			i += n
		case rule == hast.Repeat:
			i -= n
		case rule == hast.Reflect && i < 0:
			i = -1 - i
		case rule == hast.Reflect:
			i = 2*n - 1 - i
		case n == 1:
			i = 0
		case i < 0:
			i = -i
		default:
			i = 2*n - 2 - i
		}
	}
	return i
}

func (n *naive) window(e *hast.Window) (words []types.Word) {
	at := make([]int64, len(e.Axes))
	var walk func(axis int)
	walk = func(axis int) {
		if axis == len(at) {
			words = append(words, n.pixel(e.Image, at, e.Rule)...)
			return
		}
		start := n.int(e.Axes[axis].Start.X)
		for i := range e.Axes[axis].Count {
			at[axis] = int64(int32(start + int64(i*e.Axes[axis].Stride)))
			walk(axis + 1)
		}
	}
	walk(0)
	return words
}

func (n *naive) call(f *hast.Func, args [][]types.Word) []types.Word {
	for i, p := range f.Params {
		n.env[p] = args[i]
	}
	n.exec(f.Body)
	return n.result
}

// each runs f at the points of s until it says stop.
func (n *naive) each(s hast.Space, f func() (stop bool)) {
	points := s.Points
	if points == nil {
		points = [][]int64{{}}
		for _, r := range s.Ranges {
			var longer [][]int64
			lo, hi := n.int(r.Lo), n.int(r.Hi)
			for _, p := range points {
				for v := lo; r.Step > 0 && v < hi || r.Step < 0 && v > hi; v += r.Step {
					longer = append(longer, append(p[:len(p):len(p)], v))
				}
			}
			points = longer
		}
	}
	for _, p := range points {
		for i, v := range s.Vars {
			n.env[v] = []types.Word{types.Int(p[i])}
		}
		if f() {
			return
		}
	}
}

func (n *naive) reduce(e *hast.Reduce) []types.Word {
	var elements, places [][]types.Word
	n.each(e.Space, func() bool {
		if e.Where == nil || n.truth(e.Where) {
			elements = append(elements, append([]types.Word(nil), n.eval(e.Elem)...))
			var place []types.Word
			for i := len(e.Space.Vars) - 1; i >= 0; i-- {
				place = append(place, n.env[e.Space.Vars[i]][0])
			}
			places = append(places, place)
		}
		return false
	})
	switch e.Op {
	case hast.Fold:
		acc := n.eval(e.Init)
		for _, x := range elements {
			acc = n.call(e.Func, [][]types.Word{acc, x})
		}
		return acc
	case hast.ArgMin, hast.ArgMax:
		return n.argReduce(e, elements, places)
	}
	result := make([]types.Word, e.T.Words())
	for i := range result {
		var column []types.Word
		for _, x := range elements {
			column = append(column, x[i])
		}
		if e.Ways > 0 {
			result[i] = n.inWays(e, column, places)
			continue
		}
		result[i] = reduceColumn(e.Op, e.Elem.Type().Kind, column)
	}
	return result
}

// inWays joins e.Ways partial results in the order that hast says.
func (n *naive) inWays(e *hast.Reduce, column []types.Word, places [][]types.Word) types.Word {
	along := e.Space.Ranges[len(e.Space.Ranges)-1]
	lo, k := n.int(along.Lo), e.Elem.Type().Kind
	nth := func(i int) int64 { return (places[i][0].Int() - lo) / along.Step }
	order := make([]int, len(column))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return nth(order[i]) < nth(order[j]) })
	parts := make([][]types.Word, e.Ways)
	for _, i := range order {
		way := nth(i) % int64(e.Ways)
		parts[way] = append(parts[way], column[i])
	}
	sums := make([]types.Word, e.Ways)
	for i, p := range parts {
		sums[i] = reduceColumn(e.Op, k, p)
	}
	for half := e.Ways / 2; half > 0; half /= 2 {
		for i := range half {
			sums[i] = reduceColumn(e.Op, k, []types.Word{sums[i], sums[i+half]})
		}
	}
	return sums[0]
}

func (n *naive) argReduce(e *hast.Reduce, elements, places [][]types.Word) []types.Word {
	k, better := e.Elem.Type().Kind, ops.Lt
	if e.Op == hast.ArgMax {
		better = ops.Gt
	}
	best := -1
	for i, x := range elements {
		if k.IsFloat() && math.IsNaN(x[0].Float()) {
			continue
		}
		if best < 0 || ops.Eval(better, k, x[0], elements[best][0]).Truth() {
			best = i
		}
	}
	if best < 0 {
		return make([]types.Word, e.T.Words())
	}
	return places[best]
}

func reduceColumn(op hast.ReduceOp, k types.Kind, column []types.Word) types.Word {
	acc, with := types.Word(0), ops.Add
	switch op {
	case hast.Product:
		acc, with = types.Convert(1, types.I32, k), ops.Mul
	case hast.Min:
		acc, with = types.Highest(k), ops.Min
	case hast.Max:
		acc, with = types.Lowest(k), ops.Max
	case hast.Any:
		with = ops.LOr
	case hast.All:
		acc, with = 1, ops.LAnd
	case hast.Count:
		k = types.I32
	case hast.Median:
		if len(column) == 0 {
			return 0
		}
		sort.SliceStable(column, func(i, j int) bool { return comesBefore(k, column[i], column[j]) })
		return column[(len(column)-1)/2]
	}
	for _, x := range column {
		acc = ops.Eval(with, k, acc, x)
	}
	if op == hast.Mean && len(column) > 0 {
		acc = ops.Eval(ops.Div, k, acc, types.Convert(types.Int(int64(len(column))), types.I64, k))
	}
	return acc
}

// comesBefore is < with NaN last and -0 before 0.
func comesBefore(k types.Kind, a, b types.Word) bool {
	if !k.IsFloat() {
		return ops.Eval(ops.Lt, k, a, b).Truth()
	}
	x, y := a.Float(), b.Float()
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return !math.IsNaN(x)
	case x == y:
		return math.Signbit(x) && !math.Signbit(y)
	}
	return x < y
}

func (n *naive) exec(list []hast.Stmt) control {
	for _, s := range list {
		if how := n.stmt(s); how != next {
			return how
		}
	}
	return next
}

func (n *naive) stmt(s hast.Stmt) control {
	switch s := s.(type) {
	case *hast.Define:
		n.env[s.Var] = append([]types.Word(nil), n.eval(s.Init)...)
	case *hast.Set:
		value := append([]types.Word(nil), n.eval(s.Value)...)
		if len(s.Index) == 0 {
			n.env[s.Var] = value
		} else if i, ok := n.element(s.Index, s.Var.Type.Shape()); ok {
			copy(n.env[s.Var][i*len(value):], value)
		}
	case *hast.Store:
		n.store(s)
	case *hast.If:
		if n.truth(s.Cond) {
			return n.exec(s.Then)
		}
		return n.exec(s.Else)
	case *hast.For:
		end := next
		n.each(s.Space, func() bool {
			end = n.exec(s.Body)
			return end >= leave
		})
		if end == back {
			return back
		}
	case *hast.While:
		for n.truth(s.Cond) {
			if how := n.exec(s.Body); how == back {
				return back
			} else if how == leave {
				break
			}
		}
	case *hast.Break:
		return leave
	case *hast.Continue:
		return again
	case *hast.Return:
		n.result = append([]types.Word(nil), n.eval(s.Value)...)
		return back
	}
	return next
}

func (n *naive) store(s *hast.Store) {
	image, index := n.images[s.Image], 0
	for axis, e := range s.Index {
		i := n.int(e)
		if s.Image.Lower != nil {
			i -= s.Image.Lower[axis]
		}
		index = index*image.Extent[axis] + int(i)
	}
	value := n.eval(s.Value)
	for lane, w := range value {
		image.SetWord(index*len(value)+lane, w)
	}
}

// runNaively runs a pipeline whose sizes and extents are known.
func runNaively(b *Binding) *naive {
	n := &naive{env: map[*hast.Var][]types.Word{}, images: map[*hast.Image]*pixels.Image{}}
	for v, words := range b.values {
		n.env[v] = words
	}
	for _, m := range b.pipeline.Images {
		if given := b.args.Images[m.Name]; given != nil && m.Dir != hast.Out {
			n.images[m] = given.Clone()
		} else {
			n.images[m], _ = pixels.New(m.Elem, b.extents[m]...)
		}
	}
	for _, step := range b.pipeline.Steps {
		if s, ok := step.(*hast.Stage); ok {
			n.each(s.Space, func() bool {
				if s.Where == nil || n.truth(s.Where) {
					n.exec(s.Body)
				}
				return false
			})
		}
	}
	return n
}
