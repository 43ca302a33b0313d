package clike

import (
	"fmt"
	"strings"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// convert translates a conversion.
func (s *scope) convert(e *kir.Convert) Form {
	from, to := e.X.Type(), e.T
	if to.Lanes > 1 {
		return Form{X: s.vectorConvert(from, to, e.How, e.Exact, s.typed(e.X)), Kind: heldOf(to)}
	}
	if f := s.loadedBits(e); f.X != nil {
		return f
	}
	x := s.expr(e.X)
	if from.Kind == to.Kind {
		return x
	}
	if from.Kind.IsInt() && to.Kind.IsInt() && e.How != kir.Bitcast {
		if types.Holds(from.Kind, to.Kind) {
			return x // the value is the same, and C converts it where it is used
		}
		if e.Exact || e.How == kir.Wrap {
			return s.cut(e, x)
		}
		return s.saturate(e)
	}
	return s.convertScalar(s.Dialect.Conversion(from.Kind, to.Kind, e.How, e.Exact), from.Kind, to.Kind, x)
}

// loadedBits are the bits of a float of 16 bits as memory holds them, where the language can take these; no X for all else.
func (s *scope) loadedBits(e *kir.Convert) Form {
	l, ok := e.X.(*kir.Load)
	if !ok || e.How != kir.Bitcast || e.T.Kind != types.U16 || !storedAsFloat16(l.Buffer, l.T) || l.Aligned {
		return Form{}
	}
	if bits := s.Dialect.ToBits[l.T.Kind]; bits != "" {
		return Form{X: ctree.CallTo(bits, ctree.At(s.variable(l.Buffer), s.value(l.Offset))), Kind: types.U16}
	}
	return Form{}
}

// storedBits is what memory gets where the value is the bits of a float of 16 bits; nil for all else.
func (s *scope) storedBits(st *kir.Store) ctree.Expr {
	c, ok := st.Value.(*kir.Convert)
	if !ok || c.How != kir.Bitcast || c.X.Type() != types.Scalar(types.U16) || !storedAsFloat16(st.Buffer, c.T) || st.Aligned {
		return nil
	}
	if float := s.Dialect.FromBits[c.T.Kind]; float != "" {
		return ctree.CallTo(float, s.value(c.X))
	}
	return nil
}

// storedAsFloat16 reports whether memory holds a component as the language's own type of 16 bits.
func storedAsFloat16(buffer *kir.Var, t types.Type) bool {
	return buffer.Space == kir.Global && buffer.Access&kir.Shared == 0 && t.IsScalar() && Narrow(t.Kind)
}

// cut drops the upper bits of an integer, or takes those of as many for another kind.
func (s *scope) cut(e *kir.Convert, x Form) Form {
	from, to := e.X.Type().Kind, e.T.Kind
	if !e.Exact && s.Dialect.Cut != nil {
		if sp := s.Dialect.Cut(from, to); sp.isSet() {
			return s.convertScalar(sp, from, to, x)
		}
	}
	return s.cast(x, to)
}

// OpaqueCut is the cut of languages that NVIDIA's compilers translate: to 16 bits by a function that hides it from them. Its file says why.
func OpaqueCut(from, to types.Kind) Spelling {
	if to == types.I16 && from.Bits() > 16 {
		return Spelling{Support: "imgc_cut_$"}
	}
	return Spelling{}
}

// convertScalar applies a spelling. In its names "$" is the target kind and "@" the source kind, "$T" and "@T" their C types.
func (s *scope) convertScalar(sp Spelling, from, to types.Kind, x Form) Form {
	gives := sp.Gives
	if gives == types.Invalid {
		gives = Held(to)
	}
	in := Held(from)
	switch {
	case sp.Same:
		return x
	case sp.Cast:
		return s.cast(x, gives)
	case sp.Support != "":
		return Form{X: ctree.CallTo(s.Use(s.fill(sp.Support, from, to)), s.cast(x, in).X), Kind: gives}
	case sp.Call != "":
		return Form{X: ctree.CallTo(s.fill(sp.Call, from, to), s.cast(x, in).X), Kind: gives}
	case sp.Infix != "": // a comparison with zero
		zero := s.Dialect.literal(from, 0)
		if from == types.Bool {
			zero = s.Dialect.integer(types.I32, 0)
		}
		return Form{X: ctree.Op2(sp.Infix, x.X, zero.X), Kind: gives}
	}
	panic(fmt.Sprintf("internal error: conversion of %s to %s has no spelling", from, to))
}

func (s *scope) fill(pattern string, from, to types.Kind) string {
	return strings.NewReplacer(
		"$T", s.Dialect.Types[Held(to)], "@T", s.Dialect.Types[Held(from)], "$", to.String(), "@", from.String(),
	).Replace(pattern)
}

// vectorConvert converts each lane, by a conversion of whole vectors or by a function made for it.
func (s *scope) vectorConvert(from, to types.Type, how kir.How, exact bool, x ctree.Expr) ctree.Expr {
	if from == to {
		return x
	}
	if sp := s.Dialect.VectorConvert(from, to, how, exact); sp.isSet() {
		if sp.Same {
			return x
		}
		return ctree.CallTo(sp.Call, x)
	}
	return ctree.CallTo(s.convertWrapper(from, to, how, exact), x)
}

var howWords = [...]string{kir.Wrap: "convert", kir.Saturate: "sat", kir.Bitcast: "bitcast"}

func (s *scope) convertWrapper(from, to types.Type, how kir.How, exact bool) string {
	name := ctree.HelperPrefix + howWords[how] + "_" + from.String() + "_" + to.String()
	if s.wrapped[name] {
		return name
	}
	s.wrapped[name] = true
	v := &kir.Var{Name: "v", Type: from}
	in := &scope{Unit: s.Unit, names: s.names.Inner(), vars: map[*kir.Var]string{v: "v"}}
	var parts []kir.Expr
	for l := range int(to.Lanes) {
		lane := &kir.Lanes{Typed: kir.Typed{T: from.WithLanes(1)}, X: &kir.Ref{Typed: kir.Typed{T: from}, Var: v}, Lanes: []int{l}}
		parts = append(parts, &kir.Convert{Typed: kir.Typed{T: to.WithLanes(1)}, X: lane, How: how})
	}
	s.wrappers = append(s.wrappers, &ctree.Func{
		Prefix: s.Dialect.FuncPre, Result: s.typeName(to), Name: name, Params: []ctree.Param{{Type: s.typeName(from), Name: "v"}},
		Body: []ctree.Stmt{&ctree.Return{X: in.value(&kir.Vec{Typed: kir.Typed{T: to}, Parts: parts})}},
	})
	return name
}
