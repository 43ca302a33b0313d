package lower

import (
	"fmt"
	"slices"
	"strconv"

	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// constant makes a constant; a vector or scalar type.
func constant(t types.Type, words []types.Word, name string) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: t}, Words: words, Name: name}
}

func intConst(k types.Kind, v int64) kir.Expr {
	x := &struct { // both at once: there are many
		kir.Const
		word [1]types.Word
	}{kir.Const{Typed: kir.Typed{T: types.Scalar(k)}}, [1]types.Word{types.Int(v)}}
	x.Words = x.word[:]
	return &x.Const
}

func i32(v int64) kir.Expr { return intConst(types.I32, v) }
func i64(v int64) kir.Expr { return intConst(types.I64, v) }

func ref(v *kir.Var) kir.Expr { return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v} }

// constInt is the value of a scalar integer constant.
func constInt(e kir.Expr) (int64, bool) {
	if c, ok := e.(*kir.Const); ok && c.T.IsScalar() && (c.T.Kind.IsInt() || c.T.Kind == types.Bool) {
		return c.Words[0].Int(), true
	}
	return 0, false
}

// convert changes the kind of an integer whose value the target is known to hold, or of any value to a float; the same kind is
// left alone and a constant is converted now.
func convert(e kir.Expr, to types.Kind) kir.Expr {
	t := e.Type()
	if t.Kind == to {
		return e
	}
	if c, ok := e.(*kir.Const); ok {
		words := make([]types.Word, len(c.Words))
		for i, w := range c.Words {
			words[i] = types.Convert(w, t.Kind, to)
		}
		return constant(t.WithKind(to), words, c.Name)
	}
	return &kir.Convert{Typed: kir.Typed{T: t.WithKind(to)}, X: e, Exact: true}
}

// opExpr applies op and folds what is constant or neutral, so that written-out reductions read well: y + -2 becomes y - 2, 1 * p
// becomes p. Only rewrites that keep every bit are made.
func opExpr(t types.Type, op ops.Op, args []kir.Expr, exact bool) kir.Expr {
	if e := foldConst(t, op, args); e != nil {
		return e
	}
	if e := foldNeutral(t, op, args); e != nil {
		return e
	}
	if e := foldOffsets(t, op, args, exact); e != nil {
		return e
	}
	if e := foldCompared(t, op, args); e != nil {
		return e
	}
	if e := foldDecided(op, args); e != nil {
		return e
	}
	if op == ops.Add && t.IsScalar() && t.Kind.IsSigned() {
		if c, ok := constInt(args[1]); ok && c < 0 && exact {
			return &kir.Op{Typed: kir.Typed{T: t}, Op: ops.Sub, Args: []kir.Expr{args[0], intConst(t.Kind, -c)}, Exact: exact}
		}
	}
	return &kir.Op{Typed: kir.Typed{T: t}, Op: op, Args: args, Exact: exact}
}

// foldConst computes an op on constants; nil where an argument is none. Vector operations are left alone.
func foldConst(t types.Type, op ops.Op, args []kir.Expr) kir.Expr {
	if op.Info().Result == ops.Scalar || op.Info().Result == ops.Flag || op == ops.Cross || op == ops.Normalize {
		return nil
	}
	for _, a := range args {
		if _, ok := a.(*kir.Const); !ok {
			return nil
		}
	}
	first := args[0].(*kir.Const)
	words, in := make([]types.Word, len(first.Words)), make([]types.Word, len(args))
	for i := range words {
		for j, a := range args {
			in[j] = a.(*kir.Const).Words[i]
		}
		words[i] = ops.Eval(op, first.T.Kind, in...)
	}
	return constant(t, words, "")
}

// foldNeutral drops an operand that changes nothing. Zero is not neutral to a float sum: -0 + 0 is +0.
func foldNeutral(t types.Type, op ops.Op, args []kir.Expr) kir.Expr {
	n, some := neutral[op]
	if !some || len(args) != 2 {
		return nil
	}
	for i, other := range []kir.Expr{args[1], args[0]} {
		if (n.left && i == 0 || n.right && i == 1) && isAll(args[i], n.value) && (n.floats || t.Kind.IsInt()) && other.Type() == t {
			return other
		}
	}
	return nil
}

var neutral = map[ops.Op]struct {
	value       int64
	left, right bool
	floats      bool
}{
	ops.Add: {0, true, true, false},
	ops.Sub: {0, false, true, false},
	ops.Mul: {1, true, true, true},
	ops.Div: {1, false, true, true},
	ops.Shl: {0, false, true, false},
	ops.Shr: {0, false, true, false},
}

// foldOffsets joins two constant offsets: (y + 2) - 3 becomes y - 1. Both sums are known not to wrap, so neither does theirs.
func foldOffsets(t types.Type, op ops.Op, args []kir.Expr, exact bool) kir.Expr {
	if !exact || !t.IsScalar() || !t.Kind.IsSigned() {
		return nil
	}
	outer := added(op, args)
	if outer == 0 {
		return nil
	}
	base, inner := offset(args[0])
	if inner == 0 {
		return nil
	}
	c := inner + outer
	if !interval.Point(c).Within(interval.OfKind(t.Kind)) || c == interval.OfKind(t.Kind).Lo {
		return nil
	}
	return opExpr(t, ops.Add, []kir.Expr{base, intConst(t.Kind, c)}, true)
}

// foldCompared decides comparisons of an integer with itself, such as that of 2*w columns with an extent of w*2: compilers of C warn of them.
func foldCompared(t types.Type, op ops.Op, args []kir.Expr) kir.Expr {
	holds, compares := ofEqual[op]
	if !compares || !t.IsScalar() || !args[0].Type().Kind.IsInt() || !sameInteger(args[0], args[1]) {
		return nil
	}
	return intConst(types.Bool, holds)
}

// ofEqual is what comparisons of equal integers are.
var ofEqual = map[ops.Op]int64{ops.Eq: 1, ops.Le: 1, ops.Ge: 1, ops.Ne: 0, ops.Lt: 0, ops.Gt: 0}

// foldDecided drops an operand of a condition that is known, or the condition.
func foldDecided(op ops.Op, args []kir.Expr) kir.Expr {
	decides, joins := map[ops.Op]bool{ops.LOr: true, ops.LAnd: false}[op], op == ops.LOr || op == ops.LAnd
	if !joins {
		return nil
	}
	for i, other := range []kir.Expr{args[1], args[0]} {
		if c, ok := args[i].(*kir.Const); ok && c.T.IsScalar() && c.Words[0].Truth() == decides {
			return args[i]
		} else if ok && c.T.IsScalar() {
			return other
		}
	}
	return nil
}

// sameInteger reports whether two expressions are one variable, one number or the same operators of these, sums and products in any order.
func sameInteger(x, y kir.Expr) bool {
	if a, ok := x.(*kir.Ref); ok {
		b, ok := y.(*kir.Ref)
		return ok && a.Var == b.Var
	}
	if a, ok := constInt(x); ok {
		b, ok := constInt(y)
		return ok && a == b
	}
	a, isOp := x.(*kir.Op)
	b, both := y.(*kir.Op)
	if !isOp || !both || a.Op != b.Op || a.T != b.T || !slices.Contains(integral, a.Op) {
		return false
	}
	return sameInteger(a.Args[0], b.Args[0]) && sameInteger(a.Args[1], b.Args[1]) ||
		(a.Op == ops.Add || a.Op == ops.Mul) && sameInteger(a.Args[0], b.Args[1]) && sameInteger(a.Args[1], b.Args[0])
}

// integral are the operators that sizes are made of.
var integral = []ops.Op{ops.Add, ops.Sub, ops.Mul, ops.Div, ops.Rem}

// offset splits an exact sum with a constant on its right; 0 where e is no such sum.
func offset(e kir.Expr) (base kir.Expr, c int64) {
	op, ok := e.(*kir.Op)
	if !ok || !op.Exact {
		return e, 0
	}
	if c = added(op.Op, op.Args); c == 0 {
		return e, 0
	}
	return op.Args[0], c
}

// added is the constant that an operator adds to its first operand; 0 where it is no such sum.
func added(op ops.Op, args []kir.Expr) int64 {
	if op != ops.Add && op != ops.Sub {
		return 0
	}
	c, ok := constInt(args[1])
	if !ok || !interval.Point(c).Within(interval.OfKind(types.I32)) {
		return 0
	}
	if op == ops.Sub {
		return -c
	}
	return c
}

// isAll reports whether e is a constant with every component equal to v.
func isAll(e kir.Expr, v int64) bool {
	c, ok := e.(*kir.Const)
	if !ok {
		return false
	}
	want := types.Int(v)
	if c.T.Kind.IsFloat() {
		want = types.Float(float64(v))
	}
	for _, w := range c.Words {
		if w != want {
			return false
		}
	}
	return true
}

// key identifies an expression over variables that do not change: equal keys, equal values. Variables are numbered by ids.
func key(e kir.Expr, ids map[*kir.Var]int) string {
	return string((&keyWriter{make([]byte, 0, 96), ids}).expr(e).text)
}

// A keyWriter writes keys: a letter for each form, what it has of its own, and its operands.
type keyWriter struct {
	text []byte
	ids  map[*kir.Var]int
}

func (w *keyWriter) expr(e kir.Expr) *keyWriter {
	switch e := e.(type) {
	case *kir.Const:
		w.typed('c', e.T)
		for _, x := range e.Words {
			w.text = append(strconv.AppendUint(w.text, uint64(x), 16), ',')
		}
	case *kir.Ref:
		w.variable('v', e.Var)
	case *kir.GlobalID:
		w.number('g', e.Dim)
	case *kir.Op:
		w.number('o', int(e.Op)).list(e.Args)
	case *kir.Convert:
		w.typed('t', e.T).number('.', int(e.How)).list([]kir.Expr{e.X})
	case *kir.Select:
		w.number('s', 0).list([]kir.Expr{e.Cond, e.Then, e.Else})
	case *kir.Vec:
		w.typed('w', e.T).list(e.Parts)
	case *kir.Lanes:
		w.number('l', len(e.Lanes))
		for _, l := range e.Lanes {
			w.number('.', l)
		}
		w.list([]kir.Expr{e.X})
	case *kir.Elem:
		w.variable('e', e.Var).typed('.', e.T).list(e.Index)
	case *kir.Load:
		w.variable('m', e.Buffer).typed('.', e.T).list([]kir.Expr{e.Offset})
	case *kir.Gather:
		w.variable('a', e.Buffer).typed('.', e.T).list(kir.Operands(e))
	case *kir.Interleaved:
		w.number('i', e.Piece).list(e.Parts)
	case *kir.Alternate:
		w.number('n', e.First).list(kir.Operands(e))
	case *kir.FourBytes:
		w.variable('b', e.Var).list(kir.Operands(e))
	case *kir.Dot4:
		w.number('d', 0).list(kir.Operands(e))
	case *kir.Pairs:
		w.number('q', int(e.Op)).list(kir.Operands(e))
	case *kir.Permute:
		n := int(e.Selector())
		if e.Signs {
			n |= 0x8888
		}
		w.number('p', n).list(kir.Operands(e))
	case *kir.Halves:
		w.number('h', int(e.Op)).list(kir.Operands(e))
	case *kir.Call:
		w.text = append(append(w.text, 'f'), e.Func.Name...)
		w.list(e.Args)
	default:
		panic(fmt.Sprintf("lower: no key for %T", e))
	}
	return w
}

func (w *keyWriter) number(letter byte, n int) *keyWriter {
	w.text = strconv.AppendInt(append(w.text, letter), int64(n), 10)
	return w
}

func (w *keyWriter) typed(letter byte, t types.Type) *keyWriter {
	w.number(letter, int(t.Kind)).number('x', int(t.Lanes))
	for _, d := range t.Dims[:t.Rank] {
		w.number('[', int(d))
	}
	return w
}

func (w *keyWriter) variable(letter byte, v *kir.Var) *keyWriter {
	n, ok := w.ids[v]
	if !ok {
		n = len(w.ids)
		w.ids[v] = n
	}
	return w.number(letter, n)
}

func (w *keyWriter) list(es []kir.Expr) {
	w.text = append(w.text, '(')
	for _, x := range es {
		w.text = append(w.expr(x).text, ' ')
	}
	w.text = append(w.text, ')')
}

// stable reports whether e reads only variables that never change and no memory, so that it may be computed once and reused.
func stable(e kir.Expr) bool {
	all := func(es ...kir.Expr) bool {
		for _, x := range es {
			if !stable(x) {
				return false
			}
		}
		return true
	}
	switch e := e.(type) {
	case *kir.Const, *kir.GlobalID:
		return true
	case *kir.Ref:
		return e.Var.Const && !e.Var.Type.IsArray() && e.Var.Space != kir.Global
	case *kir.Op:
		return all(e.Args...)
	case *kir.Convert:
		return all(e.X)
	case *kir.Select:
		return all(e.Cond, e.Then, e.Else)
	case *kir.Vec:
		return all(e.Parts...)
	case *kir.Lanes:
		return all(e.X)
	case *kir.Call:
		return all(e.Args...)
	}
	return false
}

// simple reports whether e is a variable or a constant, which costs nothing to repeat.
func simple(e kir.Expr) bool {
	switch e := e.(type) {
	case *kir.Const:
		return true
	case *kir.Ref:
		return !e.Var.Type.IsArray()
	case *kir.Convert:
		return e.Exact && simple(e.X) && !(e.X.Type().Kind.IsFloat() && e.T.Kind.IsInt())
	}
	return false
}
