package deal

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// Groups is into how many parts, along the first variable, a reduction is split.
const Groups = 1024

// maxStep is the largest step of a range whose values are dealt out: groups of them must not lead beyond 31 bits.
const maxStep = 64

// ways is how many partial results each part of a reduction keeps whose operator rounds: as many as a work-group has items times what
// one of them loads at once, and some vectors of a CPU.
const ways = 256

var i32, i64 = types.Scalar(types.I32), types.Scalar(types.I64)

// A Part is what one of the Groups reduces, where i says which of them.
type Part struct {
	Defines []hast.Stmt // of values that its range names
	Range   hast.Range  // of the first variable
	Dealt   *hast.Dealt // of the image of the parts; nil where these have values that follow each other
}

// Of is a part of a reduction.
func Of(r *hast.Reduce, i hast.Expr, at source.Span) Part {
	along := r.Space.Ranges[0]
	if r.Op == hast.ArgMin || r.Op == hast.ArgMax || len(r.Space.Ranges) == 1 || max(along.Step, -along.Step) > maxStep {
		return following(along, i, at)
	}
	return dealt(along, i, at)
}

// Ways is in how many ways a reduction is done; 0 where the order of its values does not matter, or where they are so far apart
// that reading those of neighbouring ways together would gain nothing.
func Ways(r *hast.Reduce) int {
	along := r.Space.Ranges[len(r.Space.Ranges)-1]
	if r.Op != hast.Sum && r.Op != hast.Product || !r.T.Kind.IsFloat() || max(along.Step, -along.Step) > maxStep {
		return 0
	}
	return ways
}

// PassedOn is the type in which groups pass values of a type on to each other: one that has them all, of at least 32 bits, which every device can
// (kir.Shared).
func PassedOn(t types.Type) types.Type {
	switch k := t.Kind; {
	case k.Bits() >= 32:
		return t
	case k.IsFloat():
		return t.WithKind(types.F32)
	}
	return t.WithKind(types.I32)
}

// All runs over the parts.
func All(at source.Span) (hast.Space, hast.Expr) {
	v := &hast.Var{Name: "i", Type: i32, Class: hast.Loop, At: at}
	return hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: number(i32, 0, at), Hi: number(i32, Groups, at), Step: 1}}}, ref(v, at)
}

// dealt is part i of a range that is dealt out: every value whose number is i modulo Groups. Groups of work-items that run side by
// side then read lines that lie side by side, which spreads them over all channels of the memory.
func dealt(r hast.Range, i hast.Expr, at source.Span) Part {
	v := &hast.Var{Name: "first", Type: i32, Class: hast.Value, At: at}
	lo, hi := wide(r.Lo, at), wide(r.Hi, at)
	away, span, step := ops.Add, op(ops.Sub, at, hi, lo), r.Step
	if step < 0 {
		away, span, step = ops.Sub, op(ops.Sub, at, lo, hi), -step
	}
	passed := op(ops.Mul, at, wide(i, at), number(i64, step, at))
	passed = op(ops.Clamp, at, passed, number(i64, 0, at), op(ops.Max, at, span, number(i64, 0, at)))
	first := short(op(away, at, lo, passed), at)
	return Part{
		Defines: []hast.Stmt{&hast.Define{Var: v, Init: first, At: at}},
		Range:   hast.Range{Lo: ref(v, at), Hi: r.Hi, Step: r.Step * Groups},
		Dealt:   &hast.Dealt{Range: r, First: first},
	}
}

// following is part i of a range, which has as many values as each of the others, but for the last ones: the number of values over
// Groups, rounded up.
func following(r hast.Range, i hast.Expr, at source.Span) Part {
	var p Part
	define := func(name string, t types.Type, x hast.Expr) hast.Expr {
		v := &hast.Var{Name: name, Type: t, Class: hast.Value, At: at}
		p.Defines = append(p.Defines, &hast.Define{Var: v, Init: x, At: at})
		return ref(v, at)
	}
	length := define("length", i64, hast.Trips(r, at))
	each := define("each", i64, op(ops.Div, at, op(ops.Add, at, length, number(i64, Groups-1, at)), number(i64, Groups, at)))
	end := func(name string, i hast.Expr) hast.Expr {
		passed := op(ops.Mul, at, wide(i, at), each)
		offset := op(ops.Clamp, at, passed, number(i64, 0, at), length)
		if r.Step != 1 {
			offset = op(ops.Mul, at, offset, number(i64, r.Step, at))
		}
		bound := op(ops.Add, at, wide(r.Lo, at), offset)
		switch { // a step may lead beyond the end
		case r.Step > 1:
			bound = op(ops.Min, at, bound, wide(r.Hi, at))
		case r.Step < -1:
			bound = op(ops.Max, at, bound, wide(r.Hi, at))
		}
		return define(name, i32, short(bound, at))
	}
	from := end("first", i)
	next := &hast.Op{Typed: hast.Typed{T: i32, At: at}, Op: ops.Add, Args: []hast.Expr{i, number(i32, 1, at)}}
	p.Range = hast.Range{Lo: from, Hi: end("end", next), Step: r.Step}
	return p
}

func ref(v *hast.Var, at source.Span) hast.Expr {
	return &hast.Ref{Typed: hast.Typed{T: v.Type, At: at}, Var: v}
}

func number(t types.Type, v int64, at source.Span) hast.Expr {
	return &hast.Const{Typed: hast.Typed{T: t, At: at}, Words: []types.Word{types.Int(v)}}
}

// op is an operator on numbers of 64 bits.
func op(o ops.Op, at source.Span, args ...hast.Expr) hast.Expr {
	return &hast.Op{Typed: hast.Typed{T: i64, At: at}, Op: o, Args: args}
}

func wide(x hast.Expr, at source.Span) hast.Expr {
	return &hast.Convert{Typed: hast.Typed{T: i64, At: at}, X: x}
}

func short(x hast.Expr, at source.Span) hast.Expr {
	return &hast.Convert{Typed: hast.Typed{T: i32, At: at}, X: x}
}
