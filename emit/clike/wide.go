package clike

import (
	"fmt"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// Wide is how a dialect writes wide values. Their types are VectorType's; operators are those of scalars.
type Wide struct {
	// Type is the declaration of the C types of so many lanes: that of values, and that of values in memory, which start at any component.
	Type    func(k types.Kind, lanes int) string
	Convert func(k types.Kind, lanes int, x ctree.Expr) ctree.Expr                   // lane by lane, of values that kind k holds
	Load    func(in kir.Space, k types.Kind, lanes int, place ctree.Expr) ctree.Expr // place is buffer + offset, in global or private memory
	Store   func(in kir.Space, k types.Kind, lanes int, place, value ctree.Expr) ctree.Expr
	// Every is the text of a function name(place) that reads components so many apart, and nothing behind the last of them.
	Every func(in kir.Space, name string, k types.Kind, lanes, stride int) string
	// Interleave is the text of a function name(v0, v1, ...) of so many parts: components of pixels, each part one of all pixels, as they lie in memory, the
	// piece-th run of as many as a part has lanes.
	Interleave func(name string, k types.Kind, lanes, parts, piece int) string
	// Alternate is the text of a function name(v) of a vector of twice so many lanes, or name(v, w) of two of as many, one behind the other: every second
	// lane, from lane first on.
	Alternate func(name string, k types.Kind, lanes, first, parts int) string
	// Gather is the text of a function name(place, places) that reads the components that lie so many behind a place, each lane its own.
	Gather func(name string, k types.Kind, lanes int) string
}

// WideTypes declares the types of the wide values that kernels use.
func (u *Unit) WideTypes(kernels []*kir.Kernel) []ctree.Decl {
	used := map[types.Type]bool{}
	note := func(t types.Type) {
		if kir.Wide(t) {
			used[t] = true
		}
	}
	for _, k := range kernels {
		kir.WalkStmts(k.Body, func(s kir.Stmt) {
			if d, ok := s.(*kir.Decl); ok {
				note(d.Var.Type.Elem())
			}
		}, func(e kir.Expr) { note(e.Type()) })
	}
	var out []ctree.Decl
	for _, k := range types.Kinds {
		for _, n := range kir.WideLanes {
			if used[types.Vector(k, n)] {
				out = append(out, &ctree.Raw{Text: u.Dialect.Wide.Type(k, n)})
			}
		}
	}
	return out
}

// wide translates what is particular to wide values; no X for all else.
func (s *scope) wide(e kir.Expr) Form {
	t := e.Type()
	if !kir.Wide(t) {
		return Form{}
	}
	w := s.Dialect.Wide
	switch e := e.(type) {
	case *kir.Op:
		return s.wideOp(e)
	case *kir.Convert:
		if e.How == kir.Saturate && e.X.Type().Kind == types.F32 && t.Kind == types.I32 {
			return Form{X: ctree.CallTo(s.Use(fmt.Sprintf("%snearest_%s", ctree.HelperPrefix, t)), s.typed(e.X)), Kind: t.Kind}
		}
		return Form{X: w.Convert(t.Kind, int(t.Lanes), s.typed(e.X)), Kind: t.Kind}
	case *kir.Select:
		return Form{X: &ctree.Cond{C: s.value(e.Cond), Then: s.typed(e.Then), Else: s.typed(e.Else)}, Kind: t.Kind}
	case *kir.Vec:
		x := s.cast(s.expr(e.Parts[0]), t.Kind).X
		if isLit(x) && t.Kind.Bits() < 32 { // literals have no suffix for small kinds
			x = &ctree.Cast{Type: ctree.Base(s.Dialect.Types[t.Kind]), X: x}
		}
		return Form{X: s.Dialect.Construct(s.Unit, t.Kind, int(t.Lanes), []ctree.Expr{x}), Kind: t.Kind}
	case *kir.Load:
		place := Address(s.variable(e.Buffer), s.value(e.Offset))
		if e.Stride > 1 {
			return Form{X: ctree.CallTo(s.every(e.Buffer.Space, t, e.Stride), place), Kind: t.Kind}
		}
		return Form{X: w.Load(e.Buffer.Space, t.Kind, int(t.Lanes), place), Kind: t.Kind}
	case *kir.Interleaved:
		return Form{X: ctree.CallTo(s.interleave(t, len(e.Parts), e.Piece), s.args(e.Parts)...), Kind: t.Kind}
	case *kir.Alternate:
		return Form{X: ctree.CallTo(s.alternate(t, e.First, len(e.Parts)), s.args(e.Parts)...), Kind: t.Kind}
	case *kir.Gather:
		place := Address(s.variable(e.Buffer), s.value(e.Offset))
		return Form{X: ctree.CallTo(s.gather(t), place, s.typed(e.Places)), Kind: t.Kind}
	}
	return Form{}
}

// every is a function that reads components so many apart, made on first use.
func (s *scope) every(in kir.Space, t types.Type, stride int) string {
	name := fmt.Sprintf("%severy%d_%s", ctree.HelperPrefix, stride, t)
	if in == kir.Private {
		name += "_of_item"
	}
	if !s.wrapped[name] {
		s.wrapped[name] = true
		s.wrappers = append(s.wrappers, &ctree.Raw{Text: s.Dialect.Wide.Every(in, name, t.Kind, int(t.Lanes), stride)})
	}
	return name
}

// interleave is a function that makes one run of the components of several values, made on first use.
func (s *scope) interleave(t types.Type, parts, piece int) string {
	name := fmt.Sprintf("%sinterleave%d_%d_%s", ctree.HelperPrefix, parts, piece, t)
	if !s.wrapped[name] {
		s.wrapped[name] = true
		s.wrappers = append(s.wrappers, &ctree.Raw{Text: s.Dialect.Wide.Interleave(name, t.Kind, int(t.Lanes), parts, piece)})
	}
	return name
}

// alternate is a function that takes every second lane, made on first use.
func (s *scope) alternate(t types.Type, first, parts int) string {
	name := fmt.Sprintf("%salternate%d_%d_%s", ctree.HelperPrefix, first, parts, t)
	if !s.wrapped[name] {
		s.wrapped[name] = true
		s.wrappers = append(s.wrappers, &ctree.Raw{Text: s.Dialect.Wide.Alternate(name, t.Kind, int(t.Lanes), first, parts)})
	}
	return name
}

// gather is a function that reads components at places of their own, made on first use.
func (s *scope) gather(t types.Type) string {
	name := fmt.Sprintf("%sgather_%s", ctree.HelperPrefix, t)
	if !s.wrapped[name] {
		s.wrapped[name] = true
		s.wrappers = append(s.wrappers, &ctree.Raw{Text: s.Dialect.Wide.Gather(name, t.Kind, int(t.Lanes))})
	}
	return name
}

// wideOp writes an operator, whose operands are all wide: one that is the same in all lanes as a scalar. A support function of so many lanes
// is taken before what the language has.
func (s *scope) wideOp(e *kir.Op) Form {
	t := e.Args[0].Type()
	name := ctree.HelperPrefix + opWord(e.Op) + "_" + t.String()
	if e.Short {
		name = ctree.HelperPrefix + opWord(e.Op) + "_short_" + t.String()
	}
	if s.Dialect.Support.Has(name) {
		return Form{X: ctree.CallTo(s.Use(name), s.args(e.Args)...), Kind: e.T.Kind}
	}
	sp := s.Dialect.wideSpelling(e.Op, t.Kind)
	args := make([]ctree.Expr, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.wideOperand(a, sp.Infix != "" && uniform(e.Args[1-i]) == nil)
	}
	var x ctree.Expr
	switch {
	case sp.Infix != "":
		x = ctree.Op2(sp.Infix, args[0], args[1])
	case sp.Prefix != "":
		x = &ctree.Unary{Op: sp.Prefix, X: args[0]}
	case sp.Call != "":
		x = ctree.CallTo(sp.Call, args...)
	default:
		panic(fmt.Sprintf("internal error: operator %s of %s has no spelling", e.Op, t))
	}
	return Form{X: x, Kind: e.T.Kind}
}

// wideOperand is an operand of an operator; where scalar may be set, one whose lanes are equal is written once.
func (s *scope) wideOperand(e kir.Expr, scalar bool) ctree.Expr {
	x := uniform(e)
	if x == nil || !scalar {
		return s.typed(e)
	}
	k := e.Type().Kind
	f := s.cast(s.expr(x), k)
	if isLit(f.X) && k.Bits() < 32 {
		return &ctree.Cast{Type: ctree.Base(s.Dialect.Types[k]), X: f.X}
	}
	return f.X
}
