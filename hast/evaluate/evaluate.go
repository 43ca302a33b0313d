package evaluate

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// MaxSteps bounds the statements and points that are computed at one time, so that a loop without end is an error of the
// program and no hang of the compiler.
const MaxSteps = 1 << 20

// Value is what an expression of constants is; false where that takes too many steps.
func Value(x hast.Expr) ([]types.Word, bool) { return Over(x, nil, [][]int64{nil}) }

// Over is what an expression is where variables have the values of points, one point after the other; false where that takes too many steps, or the expression has other variables, or pixels.
func Over(x hast.Expr, vars []*hast.Var, points [][]int64) (all []types.Word, ok bool) {
	v := &evaluator{vars: map[*hast.Var][]types.Word{}}
	for _, p := range points {
		for i, c := range p {
			v.vars[vars[i]] = []types.Word{types.Int(c)}
		}
		all = append(all, v.expr(x)...)
		if v.steps++; v.stopped() || v.open {
			return nil, false
		}
	}
	return all, true
}

// maxDepth bounds nested calls; a recursion is reported elsewhere, but may be met here first.
const maxDepth = 200

// An evaluator runs funcs on constants: the typed program by its definition, one value at a time.
type evaluator struct {
	vars   map[*hast.Var][]types.Word
	steps  int
	depth  int
	open   bool         // something has no value here
	result []types.Word // of the func that is returning
}

// flow says how a statement ended.
type flow uint8

const (
	next flow = iota
	broke
	continued
	returned
)

func (v *evaluator) stopped() bool { return v.steps > MaxSteps || v.depth > maxDepth }

func (v *evaluator) block(stmts []hast.Stmt) flow {
	for _, s := range stmts {
		if v.steps++; v.stopped() {
			return returned
		}
		if f := v.stmt(s); f != next {
			return f
		}
	}
	return next
}

func (v *evaluator) stmt(s hast.Stmt) flow {
	switch s := s.(type) {
	case *hast.Define:
		v.vars[s.Var] = make([]types.Word, s.Var.Type.Words())
		if s.Init != nil {
			copy(v.vars[s.Var], v.expr(s.Init))
		}
	case *hast.Set:
		v.set(s)
	case *hast.If:
		if v.expr(s.Cond)[0].Truth() {
			return v.block(s.Then)
		}
		return v.block(s.Else)
	case *hast.For:
		out := next
		v.space(s.Space, func() bool {
			f := v.block(s.Body)
			if f == returned {
				out = returned
			}
			return f == next || f == continued
		})
		return out
	case *hast.While:
		for !v.stopped() && v.expr(s.Cond)[0].Truth() {
			v.steps++
			if f := v.block(s.Body); f == returned {
				return returned
			} else if f == broke {
				break
			}
		}
	case *hast.Break:
		return broke
	case *hast.Continue:
		return continued
	case *hast.Return:
		v.result = v.expr(s.Value)
		return returned
	}
	return next
}

func (v *evaluator) set(s *hast.Set) {
	value := v.expr(s.Value)
	if len(s.Index) == 0 {
		v.vars[s.Var] = append([]types.Word(nil), value...)
		return
	}
	if at, ok := v.flat(s.Var.Type, s.Index); ok {
		copy(v.vars[s.Var][at:], value)
	}
}

// flat is the place of an element's first word; false outside the array.
func (v *evaluator) flat(t types.Type, index []hast.Expr) (int, bool) {
	at := 0
	for d, x := range index {
		n := v.expr(x)[0].Int()
		if n < 0 || n >= int64(t.Dims[d]) {
			return 0, false
		}
		at = at*int(t.Dims[d]) + int(n)
	}
	return at * int(t.Lanes), true
}

// space runs f at every point until it returns false.
func (v *evaluator) space(s hast.Space, f func() bool) {
	if s.Points != nil {
		for _, p := range s.Points {
			for i, c := range p {
				v.vars[s.Vars[i]] = []types.Word{types.Int(c)}
			}
			if v.steps++; v.stopped() || !f() {
				return
			}
		}
		return
	}
	v.ranges(s, 0, f)
}

func (v *evaluator) ranges(s hast.Space, axis int, f func() bool) bool {
	if axis == len(s.Ranges) {
		v.steps++
		return !v.stopped() && f()
	}
	r := s.Ranges[axis]
	lo, hi := v.expr(r.Lo)[0].Int(), v.expr(r.Hi)[0].Int()
	for i := lo; (r.Step > 0 && i < hi) || (r.Step < 0 && i > hi); i += r.Step {
		v.vars[s.Vars[axis]] = []types.Word{types.Int(i)}
		if !v.ranges(s, axis+1, f) {
			return false
		}
	}
	return true
}

// expr computes an expression.
func (v *evaluator) expr(x hast.Expr) []types.Word {
	t := x.Type()
	switch x := x.(type) {
	case *hast.Const:
		return x.Words
	case *hast.Ref:
		if words, ok := v.vars[x.Var]; ok {
			return words
		}
	case *hast.Op:
		return v.op(x)
	case *hast.Convert:
		return convertWords(v.expr(x.X), x.X.Type().Kind, t.Kind, x.How)
	case *hast.Splat:
		return repeat(v.expr(x.X), t.Words())
	case *hast.Select:
		return v.choose(x)
	case *hast.Vec:
		return v.concat(x.Parts)
	case *hast.Array:
		return v.concat(x.Elems)
	case *hast.Swizzle:
		from := v.expr(x.X)
		out := make([]types.Word, len(x.Lanes))
		for i, l := range x.Lanes {
			out[i] = from[l]
		}
		return out
	case *hast.Elem:
		from := v.expr(x.X)
		if at, ok := v.flat(x.X.Type(), x.Index); ok {
			return from[at : at+int(t.Lanes)]
		}
		return make([]types.Word, t.Words())
	case *hast.Transpose:
		return transposeWords(v.expr(x.X), x.X.Type())
	case *hast.MatMul:
		return multiplyWords(v.expr(x.X), v.expr(x.Y), x.X.Type(), t)
	case *hast.Reshape:
		return v.expr(x.X)
	case *hast.Call:
		return v.call(x)
	case *hast.Reduce:
		return v.reduce(x)
	}
	v.open = true
	return make([]types.Word, t.Words())
}

func (v *evaluator) concat(parts []hast.Expr) []types.Word {
	var out []types.Word
	for _, p := range parts {
		out = append(out, v.expr(p)...)
	}
	return out
}

func (v *evaluator) op(x *hast.Op) []types.Word {
	args := make([][]types.Word, len(x.Args))
	for i, a := range x.Args {
		args[i] = v.expr(a)
	}
	kind := x.Args[0].Type().Kind
	if isVectorOp(x.Op) {
		var second []types.Word
		if len(args) > 1 {
			second = args[1]
		}
		return ops.EvalVector(x.Op, kind, args[0], second)
	}
	out := make([]types.Word, x.T.Words())
	component := make([]types.Word, len(args))
	for i := range out {
		for k := range args {
			component[k] = args[k][i]
		}
		out[i] = ops.Eval(x.Op, kind, component...)
	}
	return out
}

func isVectorOp(op ops.Op) bool {
	switch op {
	case ops.Dot, ops.Cross, ops.Length, ops.Normalize, ops.Any, ops.All:
		return true
	}
	return false
}

func convertWords(words []types.Word, from, to types.Kind, how hast.How) []types.Word {
	out := make([]types.Word, len(words))
	var bytes [8]byte
	for i, w := range words {
		switch how {
		case hast.Wrap:
			out[i] = types.Convert(w, from, to)
		case hast.Saturate:
			out[i] = types.Saturate(w, from, to)
		default:
			types.Store(from, bytes[:], w)
			out[i] = types.Load(to, bytes[:])
		}
	}
	return out
}

func repeat(words []types.Word, n int) []types.Word {
	out := make([]types.Word, n)
	for i := range out {
		out[i] = words[i%len(words)]
	}
	return out
}

func (v *evaluator) choose(x *hast.Select) []types.Word {
	cond := v.expr(x.Cond)
	if len(cond) == 1 {
		if cond[0].Truth() {
			return v.expr(x.Then)
		}
		return v.expr(x.Else)
	}
	out := append([]types.Word(nil), v.expr(x.Else)...)
	for i, w := range v.expr(x.Then) {
		if cond[i].Truth() {
			out[i] = w
		}
	}
	return out
}

func transposeWords(words []types.Word, t types.Type) []types.Word {
	rows, columns, lanes := int(t.Dims[0]), int(t.Dims[1]), int(t.Lanes)
	out := make([]types.Word, 0, len(words))
	for c := range columns {
		for r := range rows {
			out = append(out, words[(r*columns+c)*lanes:(r*columns+c+1)*lanes]...)
		}
	}
	return out
}

func multiplyWords(a, b []types.Word, left, t types.Type) []types.Word {
	inner, columns, lanes := int(left.Dims[1]), int(t.Dims[1]), int(t.Lanes)
	out := make([]types.Word, t.Words())
	for i := range out {
		l := i % lanes
		r, c := i/lanes/columns, i/lanes%columns
		for k := range inner {
			p := ops.Eval(ops.Mul, t.Kind, a[(r*inner+k)*lanes+l], b[(k*columns+c)*lanes+l])
			if k > 0 {
				p = ops.Eval(ops.Add, t.Kind, out[i], p)
			}
			out[i] = p
		}
	}
	return out
}

func (v *evaluator) call(x *hast.Call) []types.Word {
	if v.depth++; v.stopped() {
		return make([]types.Word, x.T.Words())
	}
	args := make([][]types.Word, len(x.Args))
	for i, a := range x.Args {
		args[i] = v.expr(a)
	}
	return v.invoke(x.Func, args)
}

func (v *evaluator) invoke(f *hast.Func, args [][]types.Word) []types.Word {
	for i, p := range f.Params {
		v.vars[p] = args[i]
	}
	v.result = make([]types.Word, f.Result.Words())
	v.block(f.Body)
	v.depth--
	return v.result
}
