package borders

import (
	"slices"

	"imgc/hast"
	"imgc/hast/accumulate"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/types"
)

// What a program computes with pixels under the condition that they are inside of their image is done everywhere, with pixels under the border rule constant, where that says the same:
//
//	if (y+j >= 0 && y+j < H && x+i >= 0 && x+i < W) s += mask[j][i] * src[y+j][x+i];
//
// adds mask[j][i] * 0 where the pixel is outside. So the sum has the same terms for all instances, and is computed as sums are.

// allOfWord are pixels whose components are made of a kind.
func allOfWord(word func(types.Kind) types.Word) func(types.Type) []types.Word {
	return func(t types.Type) []types.Word { return slices.Repeat([]types.Word{word(t.Kind)}, int(t.Lanes)) }
}

// arounds are the pixels outside that are tried: nothing, what is less than all others, and what is more.
var arounds = []func(types.Type) []types.Word{allOfWord(func(types.Kind) types.Word { return 0 }), allOfWord(types.Lowest), allOfWord(types.Highest)}

// chosen is a value that a condition chooses, as one with reads under constant; nil where it stays. Where it is added to a sum, a 0 may have either sign.
func (b *bordering) chosen(x *hast.Select, added bool) hast.Expr {
	for _, not := range []bool{false, true} {
		value, other := x.Then, x.Else
		if not {
			value, other = other, value
		}
		if out := b.chosenOf(x.Cond, not, value, other, added); out != nil {
			return out
		}
	}
	return nil
}

// chosenOf is that of a value where a condition, or its contrary, holds and another one where not, which is the same everywhere.
func (b *bordering) chosenOf(cond hast.Expr, not bool, value, other hast.Expr, added bool) hast.Expr {
	if !evaluate.Closed(other, func(*hast.Var) bool { return false }) {
		return nil
	}
	under := b.conditionOf(cond, not)
	words, ok := evaluate.Value(other)
	if under == nil || !ok {
		return nil
	}
	around := arounds[0]
	if pixel := pixelOf(value); pixel != nil {
		around = func(t types.Type) []types.Word { return converted(words, other.Type().Kind, t) }
	}
	f := b.free(under, around)
	out := f.expr(value)
	if f.failed || len(f.found) == 0 {
		return nil
	}
	there := f.beyond(out)
	if b.always(there, func(w []types.Word) bool { return slices.Equal(w, words) }) || (added || out.Type().Kind.IsInt()) && b.isZero(other) && b.isZero(there) {
		f.take()
		return out
	}
	return nil
}

// pixelOf is the read that a value is but for conversions; nil where it is none.
func pixelOf(e hast.Expr) *hast.Load {
	switch x := e.(type) {
	case *hast.Load:
		return x
	case *hast.Convert:
		return pixelOf(x.X)
	case *hast.Splat:
		return pixelOf(x.X)
	}
	return nil
}

// converted are words as those of a pixel.
func converted(words []types.Word, from types.Kind, to types.Type) []types.Word {
	out := make([]types.Word, to.Lanes)
	for k := range out {
		out[k] = types.Convert(words[min(k, len(words)-1)], from, to.Kind)
	}
	return out
}

// unconditional are statements without the condition that all pixels which they take in are inside; nil where it stays.
func (b *bordering) unconditional(s *hast.If) []hast.Stmt {
	if len(s.Else) > 0 {
		return nil
	}
	under := b.conditionOf(s.Cond, false)
	if under == nil {
		return nil
	}
	for _, around := range arounds {
		if out := b.freed(s.Then, b.free(under, around)); out != nil {
			return out
		}
	}
	return nil
}

// freed is a list of statements that need no condition: they change nothing where it does not hold.
func (b *bordering) freed(list []hast.Stmt, f *freeing) (out []hast.Stmt) {
	outer := b.values
	defer func() { b.values = outer }()
	b.values = outer.branch()
	for _, st := range list {
		switch x := st.(type) {
		case *hast.Define:
			if x.Var.Class != hast.Value || x.Init == nil {
				return nil
			}
			d := *x
			d.Init = f.expr(x.Init)
			f.lets[x.Var] = f.beyond(d.Init)
			out = append(out, &d)
		case *hast.Set:
			d := *x
			d.Value = f.expr(x.Value)
			if !b.staysAs(&d, f) {
				return nil
			}
			out = append(out, &d)
		default:
			return nil
		}
		if f.failed {
			return nil
		}
		b.values.pass(st)
	}
	if len(f.found) == 0 {
		return nil
	}
	f.take()
	return out
}

// staysAs reports whether a variable keeps its value by a statement where the condition does not hold.
func (b *bordering) staysAs(s *hast.Set, f *freeing) bool {
	if term := addendOf(s); term != nil {
		return (term.Type().Kind.IsInt() || b.onlyAdds(s.Var)) && b.isZero(f.beyond(term))
	}
	x, ok := s.Value.(*hast.Op)
	if !ok || len(s.Index) > 0 || x.Op != ops.Max && x.Op != ops.Min || !x.T.IsScalar() || !x.T.Kind.IsInt() {
		return false
	}
	k := slices.IndexFunc(x.Args, func(e hast.Expr) bool { return hast.IsVar(e, s.Var) })
	if k < 0 {
		return false
	}
	bound := b.bound(s.Var, x.Op)
	return b.always(f.beyond(x.Args[1-k]), func(w []types.Word) bool { return ops.Eval(x.Op, x.T.Kind, w[0], bound) == bound })
}

// bound is what an integer variable is never less than, where nothing but maxima are put into it, or never more than: what it begins with, or what no integer goes beyond.
func (b *bordering) bound(v *hast.Var, op ops.Op) types.Word {
	bound := types.Lowest(v.Type.Kind)
	if op == ops.Min {
		bound = types.Highest(v.Type.Kind)
	}
	only := true
	begins := bound
	hast.WalkBody(b.stage.Body, func(s hast.Stmt) {
		switch s := s.(type) {
		case *hast.Define:
			if c, ok := s.Init.(*hast.Const); ok && s.Var == v {
				begins = c.Words[0]
			}
		case *hast.Set:
			x, ok := s.Value.(*hast.Op)
			only = only && (s.Var != v || ok && x.Op == op && slices.ContainsFunc(x.Args, func(e hast.Expr) bool { return hast.IsVar(e, v) }))
		}
	}, nil)
	if only {
		return begins
	}
	return bound
}

// addendOf is what a statement adds to the variable that it changes, or takes from it; nil where it does anything else.
func addendOf(s *hast.Set) hast.Expr {
	if x, ok := s.Value.(*hast.Op); ok && x.Op == ops.Sub && hast.IsVar(x.Args[0], s.Var) {
		added := *s
		added.Value = &hast.Op{Typed: x.Typed, Op: ops.Add, Args: x.Args}
		return accumulate.Summand(&added)
	}
	return accumulate.Summand(s)
}

// onlyAdds reports whether a variable begins with 0 and is only added to, so that it is never the 0 to which adding 0 makes a difference: -0.
func (b *bordering) onlyAdds(v *hast.Var) bool {
	only := true
	hast.WalkBody(b.stage.Body, func(s hast.Stmt) {
		switch s := s.(type) {
		case *hast.Define:
			only = only && (s.Var != v || accumulate.IsZero(s.Init))
		case *hast.Set:
			only = only && (s.Var != v || addendOf(s) != nil)
		}
	}, nil)
	return only
}
