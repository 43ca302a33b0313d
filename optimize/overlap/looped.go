package overlap

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/source"
	"imgc/types"
)

// Reductions of what windows add up are loops, in which the sums can be shared.

// folds are the operators by which loops do what reductions do.
var folds = map[hast.ReduceOp]ops.Op{hast.Sum: ops.Add, hast.Min: ops.Min, hast.Max: ops.Max, hast.ArgMin: ops.Lt, hast.ArgMax: ops.Gt}

// looped is a list of statements in which reductions of shared sums are loops before the statement that they stand in.
func (b *blocking) looped(list []hast.Stmt) (out []hast.Stmt) {
	for _, s := range list {
		var before []hast.Stmt
		switch s.(type) {
		case *hast.Define, *hast.Set, *hast.Store:
			certain := map[hast.Expr]bool{}
			exprs, _ := hast.Parts(s)
			for _, e := range exprs {
				eachCertain(e, func(e hast.Expr) bool {
					certain[e] = true
					return true
				})
			}
			s = hast.MapStmts([]hast.Stmt{s}, func(e hast.Expr) hast.Expr {
				return hast.Map(e, func(e hast.Expr) hast.Expr {
					r, ok := e.(*hast.Reduce)
					if !ok || !certain[e] || !b.reducesSums(r) {
						return nil
					}
					loop, result := b.asLoop(r)
					before = append(before, loop...)
					return result
				})
			})[0]
		}
		out = append(append(out, before...), s)
	}
	return out
}

// reducesSums reports whether a reduction is one of shared sums, by an operator that a loop has.
func (b *blocking) reducesSums(r *hast.Reduce) bool {
	if _, known := folds[r.Op]; !known || r.Where != nil || r.Ways != 0 || !r.Elem.Type().IsScalar() || !b.sameSpace(r.Space) {
		return false
	}
	for _, v := range r.Space.Vars {
		b.uniform[v] = true
	}
	shares := len(b.windowsIn(&hast.Define{Init: r.Elem})) > 0
	for _, v := range r.Space.Vars {
		delete(b.uniform, v)
	}
	return shares
}

// asLoop is a reduction as statements, and what its result is then.
func (b *blocking) asLoop(r *hast.Reduce) ([]hast.Stmt, hast.Expr) {
	if r.Op == hast.ArgMin || r.Op == hast.ArgMax {
		return asSearch(r)
	}
	v := &hast.Var{Name: r.Op.String(), Type: r.T, Class: hast.Mutable, At: r.At}
	start := &hast.Const{Typed: r.Typed, Words: []types.Word{r.Op.Identity(r.T.Kind)}}
	next := &hast.Op{Typed: r.Typed, Op: folds[r.Op], Args: []hast.Expr{hast.RefTo(v), r.Elem}}
	return []hast.Stmt{
		&hast.Define{Var: v, Init: start, At: r.At},
		&hast.For{Space: r.Space, Body: []hast.Stmt{&hast.Set{Var: v, Value: next, At: r.At}}, At: r.At},
	}, hast.RefTo(v)
}

// asSearch is a search for the place of an extreme: what is better than the best so far, or the first number, takes its place. Of integers
// the search begins at the first point with the worst value that there is, where that is known.
func asSearch(r *hast.Reduce) ([]hast.Stmt, hast.Expr) {
	at, t := r.At, r.Elem.Type()
	define := func(name string, t types.Type) *hast.Define {
		return &hast.Define{Var: &hast.Var{Name: name, Type: t, Class: hast.Mutable, At: at}, Init: zeros(t, at), At: at}
	}
	first := firstPoint(r.Space)
	if !t.Kind.IsInt() {
		first = nil
	}
	set := func(d *hast.Define, x hast.Expr) hast.Stmt { return &hast.Set{Var: d.Var, Value: x, At: at} }
	boolean := types.Scalar(types.Bool)
	op := func(op ops.Op, args ...hast.Expr) hast.Expr {
		return &hast.Op{Typed: hast.Typed{T: boolean, At: at}, Op: op, Args: args}
	}
	best, e := define("best", t), &hast.Var{Name: "e", Type: t, Class: hast.Value, At: at}
	list, then := []hast.Stmt{best}, []hast.Stmt{set(best, hast.RefTo(e))}
	better := op(folds[r.Op], hast.RefTo(e), hast.RefTo(best.Var))
	if first != nil {
		best.Init = &hast.Const{Typed: hast.Typed{T: t, At: at}, Words: []types.Word{map[hast.ReduceOp]hast.ReduceOp{hast.ArgMin: hast.Min, hast.ArgMax: hast.Max}[r.Op].Identity(t.Kind)}}
	} else {
		found := define("found", boolean)
		list, then = append(list, found), append(then, set(found, &hast.Const{Typed: hast.Typed{T: boolean, At: at}, Words: []types.Word{1}}))
		better = op(ops.LOr, op(ops.Not, hast.RefTo(found.Var)), better)
	}
	if t.Kind.IsFloat() {
		better = op(ops.LAnd, op(ops.Not, op(ops.IsNan, hast.RefTo(e))), better)
	}
	var places []hast.Expr
	for k, v := range r.Space.Vars {
		d := define("best_"+v.Name, i32)
		if first != nil {
			d.Init = first[k]
		}
		list, then, places = append(list, d), append(then, set(d, hast.RefTo(v))), append(places, hast.RefTo(d.Var))
	}
	body := []hast.Stmt{&hast.Define{Var: e, Init: r.Elem, At: at}, &hast.If{Cond: better, Then: then, At: at}}
	list = append(list, &hast.For{Space: r.Space, Body: body, At: at})
	if len(places) == 1 {
		return list, places[0]
	}
	slices.Reverse(places) // the fastest axis is the first component
	return list, &hast.Vec{Typed: r.Typed, Parts: places}
}

// zeros are what a var starts with.
func zeros(t types.Type, at source.Span) hast.Expr {
	return &hast.Const{Typed: hast.Typed{T: t, At: at}, Words: make([]types.Word, t.Words())}
}

// firstPoint is that of a space; nil where there may be none, unless it would be at zeros, which searches of nothing come to as well.
func firstPoint(s hast.Space) (at []hast.Expr) {
	if s.Points != nil {
		if len(s.Points) == 0 {
			return nil
		}
		for _, c := range s.Points[0] {
			at = append(at, hast.Int(c))
		}
		return at
	}
	some, zeros := true, true
	for _, r := range s.Ranges {
		n, known := block.TripCount(r)
		lo, number := hast.Number(r.Lo)
		some, zeros = some && known && n > 0, zeros && number && lo == 0
		at = append(at, r.Lo)
	}
	if !some && !zeros {
		return nil
	}
	return at
}
