package pass

import (
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// pairs has sums of neighbouring integers of 16 bits with small weights computed two at a time, out of the words that these were loaded as:
//
//	sum = 1*a[u] + 4*a[u + 1] + 6*a[u + 2] + 4*a[u + 3] + 1*a[u + 4]
//
// is three dot products of words and weights, and no integer is taken out of its word. Which two share a word is a matter of whether u is even, which
// is known where loops are written out: there is a sum for either case.
func pairs(body []kir.Stmt) []kir.Stmt {
	p := pairing{words: loadedByWords(body)}
	if len(p.words) == 0 {
		return body
	}
	return p.list(body)
}

// A pairing knows the arrays of 16-bit integers in which an even element and the next one have been one word.
type pairing struct{ words map[*kir.Var]bool }

// loadedByWords are those arrays.
func loadedByWords(body []kir.Stmt) map[*kir.Var]bool {
	words, odd := map[*kir.Var]bool{}, map[*kir.Var]bool{}
	kir.WalkStmts(body, func(s kir.Stmt) {
		r, ok := s.(*kir.LoadRun)
		if !ok || r.Var.Type.Kind != types.U16 || r.Var.Space != kir.Private || r.Var.Access != 0 {
			return
		}
		at, known := number(r.Index[len(r.Index)-1])
		if last := r.Var.Type.Dims[r.Var.Type.Rank-1]; !known || at%2 != 0 || r.Count%2 != 0 || last%2 != 0 {
			odd[r.Var] = true
		}
		words[r.Var] = true
	}, nil)
	for v := range odd {
		delete(words, v)
	}
	return words
}

// list replaces the sums in a list of statements and in those inside.
func (p *pairing) list(in []kir.Stmt) (out []kir.Stmt) {
	for i := 0; i < len(in); {
		if n, s := p.sum(in[i:]); n > 0 {
			out = append(out, s)
			i += n
			continue
		}
		inBodies(in[i], p.list)
		out = append(out, in[i])
		i++
	}
	return out
}

// fewestPaired is the least number of neighbours for which words pay.
const fewestPaired = 3

// A tap is an element times a weight.
type tap struct {
	elem   *kir.Elem
	base   kir.Expr // of its last index; nil for 0
	at     int64    // beyond that
	weight int64
}

// sum is the statement that does what the first n do, which add the products of neighbours to a variable; n is 0 where they do not.
func (p *pairing) sum(list []kir.Stmt) (n int, s kir.Stmt) {
	var v *kir.Var
	var taps []tap
	for _, s := range list {
		to, value := added(s, v)
		if to == nil {
			break
		}
		t, ok := p.tap(value)
		if !ok || len(taps) > 0 && !t.follows(taps[len(taps)-1]) {
			break
		}
		v, taps = to, append(taps, t)
	}
	if len(taps) < fewestPaired {
		return 0, nil
	}
	if d, ok := list[0].(*kir.Decl); ok {
		return len(taps), &kir.Decl{Placed: d.Placed, Var: v, Init: paired(taps, i32Const(0))}
	}
	before := &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v}
	return len(taps), &kir.Assign{Placed: list[0].(*kir.Assign).Placed, Var: v, Value: paired(taps, before)}
}

// added is what a statement adds to a variable of i32, or what it declares one with that is added to later; v is which, nil for any.
func added(s kir.Stmt, v *kir.Var) (to *kir.Var, value kir.Expr) {
	switch s := s.(type) {
	case *kir.Decl:
		if v == nil && s.Init != nil && !s.Var.Const && s.Var.Type == types.Scalar(types.I32) {
			return s.Var, s.Init
		}
	case *kir.Assign:
		sum, ok := s.Value.(*kir.Op)
		if !ok || sum.Op != ops.Add || len(s.Index) > 0 || sum.T != types.Scalar(types.I32) || v != nil && s.Var != v {
			return nil, nil
		}
		if r, ok := sum.Args[0].(*kir.Ref); ok && r.Var == s.Var {
			return s.Var, sum.Args[1]
		}
	}
	return nil, nil
}

// tap takes a product apart.
func (p *pairing) tap(e kir.Expr) (t tap, ok bool) {
	t.weight = 1
	if o, product := e.(*kir.Op); product && o.Op == ops.Mul {
		for i, x := range o.Args {
			if n, constant := number(x); constant {
				t.weight, e = n, o.Args[1-i]
			}
		}
	}
	c, ok := e.(*kir.Convert)
	if !ok || c.T != types.Scalar(types.I32) || t.weight < -128 || t.weight > 127 {
		return t, false
	}
	if t.elem, ok = c.X.(*kir.Elem); !ok || !p.words[t.elem.Var] {
		return t, false
	}
	t.base, t.at = apart(t.elem.Index[len(t.elem.Index)-1])
	return t, true
}

// apart is an index as a sum with a constant.
func apart(e kir.Expr) (base kir.Expr, at int64) {
	if n, ok := number(e); ok {
		return nil, n
	}
	if o, ok := e.(*kir.Op); ok && (o.Op == ops.Add || o.Op == ops.Sub) {
		if n, ok := number(o.Args[1]); ok && o.Op == ops.Add {
			return o.Args[0], n
		} else if ok {
			return o.Args[0], -n
		}
	}
	return e, 0
}

// plus is the index that apart takes apart.
func plus(base kir.Expr, n int64) kir.Expr {
	switch {
	case base == nil:
		return i32Const(n)
	case n == 0:
		return base
	}
	return &kir.Op{Typed: kir.Typed{T: types.Scalar(types.I32)}, Op: ops.Add, Args: []kir.Expr{base, i32Const(n)}, Exact: true}
}

// follows reports whether a tap is of the element next to another one's.
func (t tap) follows(before tap) bool {
	a, b := t.elem, before.elem
	if a.Var != b.Var || t.at != before.at+1 || kir.ExprText(t.base) != kir.ExprText(before.base) {
		return false
	}
	for i := range len(a.Index) - 1 {
		if kir.ExprText(a.Index[i]) != kir.ExprText(b.Index[i]) {
			return false
		}
	}
	return true
}

// paired adds the products of neighbours to a sum.
func paired(taps []tap, sum kir.Expr) kir.Expr {
	first := taps[0]
	if first.base == nil {
		return inWords(taps, first.at%2 != 0, sum)
	}
	at := first.elem.Index[len(first.elem.Index)-1]
	low := &kir.Op{Typed: kir.Typed{T: types.Scalar(types.I32)}, Op: ops.And, Args: []kir.Expr{at, i32Const(1)}, Exact: true}
	even := &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Eq, Args: []kir.Expr{low, i32Const(0)}, Exact: true}
	return &kir.Select{Typed: kir.Typed{T: types.Scalar(types.I32)}, Cond: even, Then: inWords(taps, false, sum), Else: inWords(taps, true, sum), Lazy: true}
}

// inWords is paired where the first one is the upper half of its word, or where it is not.
func inWords(taps []tap, upper bool, sum kir.Expr) kir.Expr {
	first := 0
	if upper {
		first = -1
	}
	weight := func(i int) int8 {
		if i < 0 || i >= len(taps) {
			return 0
		}
		return int8(taps[i].weight)
	}
	for i := first; i < len(taps); i += 2 {
		word := joined(taps[0].beside(i), taps[0].beside(i+1))
		sum = &kir.Dot2{Typed: kir.Typed{T: types.Scalar(types.I32)}, Halves: word, Weights: [2]int8{weight(i), weight(i + 1)}, Acc: sum}
	}
	return sum
}

// beside is the element so many places from a tap's.
func (t tap) beside(by int) kir.Expr {
	index := append([]kir.Expr(nil), t.elem.Index...)
	index[len(index)-1] = plus(t.base, t.at+int64(by))
	return &kir.Elem{Typed: t.elem.Typed, Var: t.elem.Var, Index: index}
}

// joined is the word of two integers of 16 bits.
func joined(low, high kir.Expr) kir.Expr {
	word := func(e kir.Expr) kir.Expr { return &kir.Convert{Typed: kir.Typed{T: u32Type}, X: e, Exact: true} }
	return u32Op(ops.Or, word(low), u32Op(ops.Shl, word(high), i32Const(16)))
}

var u32Type = types.Scalar(types.U32)

func u32Op(op ops.Op, args ...kir.Expr) kir.Expr {
	return &kir.Op{Typed: kir.Typed{T: u32Type}, Op: op, Args: args, Exact: true}
}

func i32Const(n int64) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I32)}, Words: []types.Word{types.Int(n)}}
}
