package clike

import (
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// wrapper is a function that applies a scalar operator to each lane.
func (s *scope) wrapper(e *kir.Op, t types.Type) string {
	word := opWord(e.Op)
	if e.Short {
		word = "short_" + word
	}
	l := lanewise{name: ctree.HelperPrefix + word + "_" + t.String(), op: e, of: t, scalar: -1}
	s.define(l)
	return l.name
}

// A lanewise is a function that applies a scalar operator to each lane of vectors of a type.
type lanewise struct {
	name   string // "operator+" for one that expressions use as an operator
	op     *kir.Op
	of     types.Type
	exact  bool // its operands are those of exact operators only
	scalar int  // the operand that is the same for all lanes; -1 for none
}

// key tells it from others of the same name.
func (l lanewise) key() string {
	key := l.name
	for i := range l.op.Args {
		key += " " + l.param(i).String()
	}
	return key
}

func (l lanewise) param(i int) types.Type {
	if i == l.scalar {
		return l.of.WithLanes(1)
	}
	return l.of
}

// define writes the function, unless it is there.
func (s *scope) define(l lanewise) {
	if s.wrapped[l.key()] {
		return
	}
	s.wrapped[l.key()] = true
	in := &scope{Unit: s.Unit, names: s.names.Inner(), vars: map[*kir.Var]string{}}
	f := &ctree.Func{Prefix: s.Dialect.FuncPre, Result: s.typeName(l.of), Name: l.name}
	var vars []*kir.Var
	for i := range l.op.Args {
		v := &kir.Var{Name: string("abc"[i]), Type: l.param(i)}
		vars = append(vars, v)
		f.Params = append(f.Params, ctree.Param{Type: s.typeName(v.Type), Name: in.declare(v)})
	}
	lane := l.of.WithLanes(1)
	var parts []kir.Expr
	for n := range int(l.of.Lanes) {
		op := &kir.Op{Typed: kir.Typed{T: lane}, Op: l.op.Op, Exact: l.exact, Short: l.op.Short}
		for i, v := range vars {
			x := kir.Expr(&kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v})
			if i != l.scalar {
				x = &kir.Lanes{Typed: kir.Typed{T: lane}, X: x, Lanes: []int{n}}
			}
			op.Args = append(op.Args, x)
		}
		parts = append(parts, op)
	}
	f.Body = []ctree.Stmt{&ctree.Return{X: in.value(&kir.Vec{Typed: kir.Typed{T: l.of}, Parts: parts})}}
	s.wrappers = append(s.wrappers, f)
}

// What languages without operators of vectors write instead.

// byLanes applies an operator to vectors: by one of the language's that is defined for them on first use, as the language lets one do,
// or by a function.
func (s *scope) byLanes(e *kir.Op, t types.Type, sp Spelling, args []ctree.Expr) ctree.Expr {
	sign := sp.Infix + sp.Prefix
	if sign == "" && sp.Same {
		return args[0]
	}
	if sign == "" || sp.Scalars || e.Short {
		return ctree.CallTo(s.wrapper(e, t), args...)
	}
	// One definition has to do for all operands, unless those that reach what C leaves open go to a function of another name.
	open := s.Dialect.spelling(e.Op, t.Kind, false)
	l := lanewise{name: "operator" + sign, op: e, of: t, exact: open.Infix+open.Prefix == "", scalar: -1}
	if len(args) == 1 {
		s.define(l)
		return &ctree.Unary{Op: sign, X: args[0]}
	}
	if s.Dialect.Broadcast {
		l.scalar = s.broadcast(e.Args, args)
	}
	s.define(l)
	return &ctree.Binary{Op: sign, X: args[0], Y: args[1], Defined: true}
}

// lanes takes lanes of a vector.
func (s *scope) lanes(e *kir.Lanes) ctree.Expr {
	x := s.typed(e.X)
	if s.Dialect.Vectors || len(e.Lanes) == 1 {
		return ctree.Dot(x, laneNames(e.Lanes))
	}
	held := heldOf(e.X.Type())
	pick := func(x ctree.Expr) ctree.Expr {
		var parts []ctree.Expr
		for _, l := range e.Lanes {
			parts = append(parts, ctree.Dot(x, laneNames([]int{l})))
		}
		return s.Dialect.Construct(s.Unit, held, len(e.Lanes), parts)
	}
	if _, plain := e.X.(*kir.Ref); plain {
		return pick(x)
	}
	name := ctree.HelperPrefix + laneNames(e.Lanes) + "_" + e.X.Type().String()
	if !s.wrapped[name] {
		s.wrapped[name] = true
		s.wrappers = append(s.wrappers, &ctree.Func{
			Prefix: s.Dialect.FuncPre, Result: s.typeName(e.T), Name: name, Params: []ctree.Param{{Type: s.typeName(e.X.Type()), Name: "v"}},
			Body: []ctree.Stmt{&ctree.Return{X: pick(ctree.Name("v"))}},
		})
	}
	return ctree.CallTo(name, x)
}
