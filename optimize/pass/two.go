package pass

import (
	"slices"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// A two makes of the statements of a round of a loop those of two rounds, u and u + 1. What they compute of floats of 16 bits, and of bools, is a word: the
// lower half is that of the first round, bools are halves of ones or of zeros. All else is computed twice.
type two struct {
	*halving
	u     *kir.Var
	words map[*kir.Var]*kir.Var    // of floats and bools that the body declares
	lanes map[*kir.Var][]*kir.Var  // of the lanes of vectors of floats
	each  map[*kir.Var][2]*kir.Var // of all else that it declares
	used  map[*kir.Var]bool        // arrays that hold bits then

	out            []kir.Stmt
	placed         kir.Placed // of the statement at hand
	lazy           int        // expressions around the one at hand that may not evaluate it
	paired, single int        // operators that both rounds have in one, and floats that are put together from what each of them computes
}

// inWord reports whether values of a type are halves of words.
func inWord(t types.Type) bool { return narrowFloat(t) || t == types.Scalar(types.Bool) }

// wordIn is the word that a variable holds.
func wordIn(v *kir.Var) kir.Expr { return &kir.Ref{Typed: kir.Typed{T: u32Type}, Var: v} }

// vectorOfFloats reports whether t is a vector of floats of 16 bits.
func vectorOfFloats(t types.Type) bool {
	return t.Rank == 0 && t.Lanes > 1 && !kir.Wide(t) && narrowFloat(t.WithLanes(1))
}

// statement adds what a statement does in two rounds.
func (t *two) statement(s kir.Stmt) bool {
	t.placed = kir.Placed{At: s.Span()}
	switch s := s.(type) {
	case *kir.Decl:
		if vectorOfFloats(s.Var.Type) {
			return t.declareLanes(s)
		}
		t.declare(s)
		return true
	case *kir.Assign:
		if len(s.Index) > 0 {
			t.element(s)
		} else if word := t.words[s.Var]; word != nil {
			t.out = append(t.out, &kir.Assign{Placed: s.Placed, Var: word, Value: t.word(s.Value)})
		} else if t.lanes[s.Var] != nil {
			return t.assignLanes(s)
		} else {
			for i, value := range t.split(s.Value) {
				t.out = append(t.out, &kir.Assign{Placed: s.Placed, Var: t.each[s.Var][i], Value: value})
			}
		}
		return true
	}
	return false
}

// declareLanes declares words for the lanes of a vector.
func (t *two) declareLanes(s *kir.Decl) bool {
	inits, ok := make([]kir.Expr, s.Var.Type.Lanes), true
	if s.Init != nil {
		inits, ok = t.laneWords(s.Init)
	}
	for i := 0; ok && i < len(inits); i++ {
		word := *s.Var
		word.Type = u32Type
		t.lanes[s.Var], t.out = append(t.lanes[s.Var], &word), append(t.out, &kir.Decl{Placed: s.Placed, Var: &word, Init: inits[i]})
	}
	return ok
}

// assignLanes assigns words to the lanes of a vector, all of which are computed before.
func (t *two) assignLanes(s *kir.Assign) bool {
	values, ok := t.laneWords(s.Value)
	if !ok {
		return false
	}
	for i, value := range values {
		values[i] = t.copied(value)
	}
	for i, word := range t.lanes[s.Var] {
		t.out = append(t.out, &kir.Assign{Placed: s.Placed, Var: word, Value: values[i]})
	}
	return true
}

// laneWords are the words of all lanes of a vector; not ok where it takes the whole vector to compute them.
func (t *two) laneWords(e kir.Expr) (words []kir.Expr, ok bool) {
	for i := range int(e.Type().Lanes) {
		lane := laneOf(e, i)
		if lane == nil {
			return nil, false
		}
		words = append(words, t.word(lane))
	}
	return words, true
}

// laneOf is a lane of a vector by itself; nil where it takes the whole vector to compute it.
func laneOf(e kir.Expr, lane int) kir.Expr {
	typed := kir.Typed{T: e.Type().WithLanes(1)}
	switch e := e.(type) {
	case *kir.Vec:
		return e.Parts[min(lane, len(e.Parts)-1)]
	case *kir.Const:
		return &kir.Const{Typed: typed, Words: e.Words[lane : lane+1], Name: e.Name}
	case *kir.Ref:
		return &kir.Lanes{Typed: typed, X: e, Lanes: []int{lane}}
	case *kir.Lanes:
		return laneOf(e.X, e.Lanes[lane])
	case *kir.Select:
		then, els := laneOf(e.Then, lane), laneOf(e.Else, lane)
		if then == nil || els == nil || !e.Cond.Type().IsScalar() {
			return nil
		}
		return &kir.Select{Typed: typed, Cond: e.Cond, Then: then, Else: els, Lazy: e.Lazy}
	}
	return nil
}

// lane is the word of a lane of a vector; nil of what is none.
func (t *two) lane(e *kir.Lanes) kir.Expr {
	r, ok := e.X.(*kir.Ref)
	if !ok || len(e.Lanes) != 1 || t.lanes[r.Var] == nil {
		return nil
	}
	return wordIn(t.lanes[r.Var][e.Lanes[0]])
}

// vector is one in both rounds.
func (t *two) vector(e *kir.Ref) (out [2]kir.Expr) {
	var parts [2][]kir.Expr
	for _, word := range t.lanes[e.Var] {
		each := t.values(wordIn(word), e.T.Kind)
		parts[0], parts[1] = append(parts[0], each[0]), append(parts[1], each[1])
	}
	for i := range out {
		out[i] = &kir.Vec{Typed: e.Typed, Parts: parts[i]}
	}
	return out
}

// declare declares the word, or the two variables, for one.
func (t *two) declare(s *kir.Decl) {
	if inWord(s.Var.Type) {
		word := *s.Var
		word.Type = u32Type
		d := &kir.Decl{Placed: s.Placed, Var: &word}
		if s.Init != nil {
			d.Init = t.word(s.Init)
		}
		t.words[s.Var], t.out = &word, append(t.out, d)
		return
	}
	var inits [2]kir.Expr
	if s.Init != nil {
		inits = t.split(s.Init)
	}
	var each [2]*kir.Var
	for i := range each {
		v := *s.Var
		each[i] = &v
		t.out = append(t.out, &kir.Decl{Placed: s.Placed, Var: &v, Init: inits[i]})
	}
	t.each[s.Var] = each
}

// element assigns two elements, those of a word where that is what they are.
func (t *two) element(s *kir.Assign) {
	var values [2]kir.Expr
	if t.arrays[s.Var] && narrowFloat(s.Value.Type()) {
		t.used[s.Var] = true
		values = halvesOf(t.named(t.word(s.Value)))
	} else {
		values = t.split(s.Value)
	}
	for i, value := range values {
		t.out = append(t.out, &kir.Assign{Placed: s.Placed, Var: s.Var, Index: t.index(s.Index, i), Value: value})
	}
}

// named is a word as a variable, which it may be already.
func (t *two) named(word kir.Expr) kir.Expr {
	if _, ok := word.(*kir.Ref); ok {
		return word
	}
	return t.copied(word)
}

// copied is a word as a variable of its own.
func (t *two) copied(word kir.Expr) kir.Expr {
	v := &kir.Var{Name: "two", Type: u32Type, Const: true}
	t.out = append(t.out, &kir.Decl{Placed: t.placed, Var: v, Init: word})
	return wordIn(v)
}

// halvesOf are the halves of a word as u16.
func halvesOf(word kir.Expr) [2]kir.Expr {
	low := func(e kir.Expr) kir.Expr {
		return &kir.Convert{Typed: kir.Typed{T: types.Scalar(types.U16)}, X: e, How: kir.Wrap}
	}
	return [2]kir.Expr{low(word), low(u32Op(ops.Shr, word, i32Const(16)))}
}

func u32Const(n uint32) kir.Expr {
	return &kir.Const{Typed: kir.Typed{T: u32Type}, Words: []types.Word{types.Word(n)}}
}

// alike reports whether an expression has the same value in both rounds.
func (t *two) alike(e kir.Expr) bool {
	same := true
	kir.Walk(e, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok {
			_, each := t.each[r.Var]
			same = same && r.Var != t.u && t.words[r.Var] == nil && t.lanes[r.Var] == nil && !each
		}
	})
	return same
}

// split is an expression in both rounds.
func (t *two) split(e kir.Expr) [2]kir.Expr {
	if t.alike(e) {
		return [2]kir.Expr{e, e}
	}
	switch e := e.(type) {
	case *kir.Ref:
		return t.variable(e)
	case *kir.Lanes:
		if word := t.lane(e); word != nil {
			return t.values(word, e.T.Kind)
		}
	case *kir.Op:
		if e.Op == ops.Add && isRef(e.Args[0], t.u) {
			if n, ok := number(e.Args[1]); ok { // the element beside another one
				return [2]kir.Expr{e, plus(e.Args[0], n+1)}
			}
		}
	}
	if t.pays(e) && (t.lazy == 0 || t.free(e)) {
		return t.values(t.named(t.word(e)), e.Type().Kind)
	}
	return t.operands(e)
}

// operands is an expression in both rounds, each of which computes it.
func (t *two) operands(e kir.Expr) [2]kir.Expr {
	in := kir.Operands(e)
	var each [2][]kir.Expr
	for i, x := range in {
		before := t.lazy
		if conditional(e, i) {
			t.lazy++
		}
		s := t.split(x)
		t.lazy = before
		each[0], each[1] = append(each[0], s[0]), append(each[1], s[1])
	}
	return [2]kir.Expr{with(e, each[0]), with(e, each[1])}
}

// variable is one in both rounds.
func (t *two) variable(e *kir.Ref) [2]kir.Expr {
	if e.Var == t.u {
		return [2]kir.Expr{e, plus(e, 1)}
	}
	if word := t.words[e.Var]; word != nil {
		return t.values(wordIn(word), e.T.Kind)
	}
	if t.lanes[e.Var] != nil {
		return t.vector(e)
	}
	each := t.each[e.Var]
	return [2]kir.Expr{&kir.Ref{Typed: e.Typed, Var: each[0]}, &kir.Ref{Typed: e.Typed, Var: each[1]}}
}

// values are the halves of a word as floats, or as bools.
func (t *two) values(word kir.Expr, k types.Kind) (out [2]kir.Expr) {
	for i, half := range halvesOf(word) {
		if out[i] = floatOf(half, k); k == types.Bool {
			zero := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.U16)}, Words: []types.Word{0}}
			out[i] = &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Ne, Args: []kir.Expr{half, zero}}
		}
	}
	return out
}

// pays reports whether an expression is an operator that both rounds have in one.
func (t *two) pays(e kir.Expr) bool {
	switch e := e.(type) {
	case *kir.Op:
		return t.inOne(e) != nil
	case *kir.Select:
		return inWord(e.T) && inWord(e.Cond.Type()) && (!e.Lazy || t.free(e.Then) && t.free(e.Else))
	}
	return false
}

// word is a float or a bool of both rounds.
func (t *two) word(e kir.Expr) kir.Expr {
	if t.alike(e) {
		return t.repeated(e)
	}
	switch e := e.(type) {
	case *kir.Ref:
		return wordIn(t.words[e.Var])
	case *kir.Elem:
		if x := t.elements(e); x != nil {
			return x
		}
	case *kir.Lanes:
		if word := t.lane(e); word != nil {
			return word
		}
	case *kir.Op:
		if f := t.inOne(e); f != nil {
			return f(t, e)
		}
	case *kir.Select:
		if t.pays(e) {
			return t.choice(e)
		}
	}
	t.single++
	return together(t.operands(e))
}

// inverted is a quotient by a power of two as a product; nil for others.
func inverted(e *kir.Op) kir.Expr {
	if inverse := exactInverse(e.Args[1]); inverse != nil {
		return &kir.Op{Typed: e.Typed, Op: ops.Mul, Args: []kir.Expr{e.Args[0], inverse}}
	}
	return nil
}

// repeated is the word of what both rounds have alike.
func (t *two) repeated(e kir.Expr) kir.Expr {
	if c, ok := e.(*kir.Const); ok && narrowFloat(c.T) {
		bits := uint32(types.Bits(c.T.Kind, c.Words[0]))
		return u32Const(bits | bits<<16)
	}
	if narrowFloat(e.Type()) {
		return joined(bitsOf(e), bitsOf(e))
	}
	return &kir.Select{Typed: kir.Typed{T: u32Type}, Cond: e, Then: u32Const(0xffffffff), Else: u32Const(0)}
}

// together is the word of two floats or bools.
func together(each [2]kir.Expr) kir.Expr {
	if narrowFloat(each[0].Type()) {
		return joined(bitsOf(each[0]), bitsOf(each[1]))
	}
	ones := func(e kir.Expr, half uint32) kir.Expr {
		return &kir.Select{Typed: kir.Typed{T: u32Type}, Cond: e, Then: u32Const(half), Else: u32Const(0)}
	}
	return u32Op(ops.Or, ones(each[0], 0xffff), ones(each[1], 0xffff0000))
}

// elements is the word of an element in both rounds, of an array that may hold bits; nil for all others. Where they are neighbours that were loaded as a word
// they are one again.
func (t *two) elements(e *kir.Elem) kir.Expr {
	if !t.arrays[e.Var] {
		return nil
	}
	t.used[e.Var] = true
	var bits [2]kir.Expr
	for i := range bits {
		bits[i] = &kir.Elem{Typed: kir.Typed{T: types.Scalar(types.U16)}, Var: e.Var, Index: t.index(e.Index, i)}
	}
	return joined(bits[0], bits[1])
}

// index is an index in the first round (0) or the second one (1).
func (t *two) index(list []kir.Expr, round int) []kir.Expr {
	out := make([]kir.Expr, len(list))
	for i, x := range list {
		out[i] = t.split(x)[round]
	}
	return out
}

// choice is Cond ? Then : Else in both rounds.
func (t *two) choice(e *kir.Select) kir.Expr {
	t.paired++
	then, els := t.word(e.Then), t.word(e.Else)
	if t.alike(e.Cond) {
		return &kir.Select{Typed: kir.Typed{T: u32Type}, Cond: e.Cond, Then: then, Else: els}
	}
	mask := t.named(t.word(e.Cond))
	return u32Op(ops.Or, u32Op(ops.And, then, mask), u32Op(ops.And, els, u32Op(ops.BitNot, mask)))
}

// ofFloats and ofBools are the operators that both rounds have in one.
var ofFloats, ofBools map[ops.Op]func(t *two, e *kir.Op) kir.Expr

func init() { // they compute their operands by way of the tables
	ofFloats = map[ops.Op]func(t *two, e *kir.Op) kir.Expr{
		ops.Clamp: (*two).clamp, ops.Mix: (*two).mix, ops.Step: (*two).step, ops.Div: (*two).quotient, ops.IsNan: (*two).isNaN,
	}
	for _, op := range kir.OfFloats {
		ofFloats[op] = (*two).floats
	}
	ofBools = map[ops.Op]func(t *two, e *kir.Op) kir.Expr{
		ops.Not: (*two).not, ops.LAnd: bools(ops.And), ops.LOr: bools(ops.Or), ops.And: bools(ops.And), ops.Or: bools(ops.Or), ops.Xor: bools(ops.Xor),
		ops.Ne: bools(ops.Xor),
	}
}

// inOne is the function of an operator that both rounds have in one; nil for all others.
func (t *two) inOne(e *kir.Op) func(t *two, e *kir.Op) kir.Expr {
	switch {
	case !inWord(e.T) || t.alike(e):
		return nil
	case e.Args[0].Type() == types.Scalar(types.Bool):
		if conditional(e, 1) && !t.free(e.Args[1]) {
			return nil
		}
		return ofBools[e.Op]
	case !narrowFloat(e.Args[0].Type()) || e.Op == ops.Div && inverted(e) == nil:
		return nil
	}
	if slices.Contains(kir.OfFloats, e.Op) && !kir.HaveHalves(e.Op, e.Args[0].Type().Kind) {
		return nil
	}
	return ofFloats[e.Op]
}

func (t *two) floats(e *kir.Op) kir.Expr {
	args := make([]kir.Expr, len(e.Args))
	for i, x := range e.Args {
		args[i] = t.word(x)
	}
	return t.halves(e.Op, e.Args[0].Type().Kind, args...)
}

func (t *two) halves(op ops.Op, k types.Kind, args ...kir.Expr) kir.Expr {
	t.paired++
	return &kir.Halves{Typed: kir.Typed{T: u32Type}, Op: op, Kind: k, Args: args}
}

// quotient is one by a power of two.
func (t *two) quotient(e *kir.Op) kir.Expr { return t.word(inverted(e)) }

// clamp is min(max(x, lo), hi).
func (t *two) clamp(e *kir.Op) kir.Expr {
	inner := &kir.Op{Typed: e.Typed, Op: ops.Max, Args: e.Args[:2]}
	return t.word(&kir.Op{Typed: e.Typed, Op: ops.Min, Args: []kir.Expr{inner, e.Args[2]}})
}

// mix is a + (b - a)*t.
func (t *two) mix(e *kir.Op) kir.Expr {
	a, k := t.named(t.word(e.Args[0])), e.T.Kind
	far := t.halves(ops.Sub, k, t.word(e.Args[1]), a)
	return t.halves(ops.Add, k, a, t.halves(ops.Mul, k, far, t.word(e.Args[2])))
}

// isNaN is x != x.
func (t *two) isNaN(e *kir.Op) kir.Expr {
	x := t.named(t.word(e.Args[0]))
	return t.halves(ops.Ne, e.Args[0].Type().Kind, x, x)
}

// step is x < edge ? 0 : 1.
func (t *two) step(e *kir.Op) kir.Expr {
	below := &kir.Op{Typed: kir.Typed{T: types.Scalar(types.Bool)}, Op: ops.Lt, Args: []kir.Expr{e.Args[1], e.Args[0]}}
	number := func(x float64) kir.Expr { return &kir.Const{Typed: e.Typed, Words: []types.Word{types.Float(x)}} }
	return t.word(&kir.Select{Typed: e.Typed, Cond: below, Then: number(0), Else: number(1)})
}

func (t *two) not(e *kir.Op) kir.Expr { return u32Op(ops.BitNot, t.word(e.Args[0])) }

// bools are an operator on bools as one on bits.
func bools(op ops.Op) func(t *two, e *kir.Op) kir.Expr {
	return func(t *two, e *kir.Op) kir.Expr { return u32Op(op, t.word(e.Args[0]), t.word(e.Args[1])) }
}
