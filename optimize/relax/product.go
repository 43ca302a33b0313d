package relax

import (
	"math"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A rewriter goes through the body of a stage.
type rewriter struct {
	parts map[*hast.Var]*product // lets that are products
	lets  []hast.Stmt            // of what is computed once
}

// stmts are statements with their products rewritten. A let that is a product with factors that are known beforehand is split: the others
// get a let of their own.
func (r *rewriter) stmts(list []hast.Stmt) (out []hast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Define:
			out = append(out, r.define(s)...)
		case *hast.If:
			out = append(out, &hast.If{Cond: r.products(s.Cond), Then: r.stmts(s.Then), Else: r.stmts(s.Else), At: s.At})
		case *hast.For:
			out = append(out, hast.MapBodies(s, r.stmts))
		case *hast.While:
			out = append(out, &hast.While{Cond: r.products(s.Cond), Body: r.stmts(s.Body), At: s.At})
		default:
			out = append(out, hast.MapStmts([]hast.Stmt{s}, r.products)...)
		}
	}
	return out
}

func (r *rewriter) define(d *hast.Define) []hast.Stmt {
	o, ok := d.Init.(*hast.Op)
	if !ok || !isProduct(o) || d.Var.Class != hast.Value {
		return hast.MapStmts([]hast.Stmt{d}, r.products)
	}
	p := r.factors(o)
	if len(p.rest) == 0 || !p.known() || !finite(p.number) {
		return hast.MapStmts([]hast.Stmt{d}, r.products)
	}
	typed := hast.Typed{T: d.Var.Type, At: d.At}
	v := &hast.Var{Name: d.Var.Name + "_unscaled", Type: d.Var.Type, Class: hast.Value, At: d.Var.At}
	rest := &hast.Define{Var: v, Init: chain(typed, p.rest), At: d.At}
	p.rest = []hast.Expr{&hast.Ref{Typed: typed, Var: v}}
	r.parts[d.Var] = p
	return []hast.Stmt{rest, &hast.Define{Var: d.Var, Init: r.whole(typed, p), At: d.At}}
}

// withoutUnread leaves out lets that were split where nothing reads them any more.
func (r *rewriter) withoutUnread(list []hast.Stmt) []hast.Stmt {
	read := map[*hast.Var]bool{}
	hast.WalkBody(list, func(hast.Stmt) {}, func(e hast.Expr) {
		if ref, ok := e.(*hast.Ref); ok {
			read[ref.Var] = true
		}
	})
	return r.without(list, read)
}

func (r *rewriter) without(list []hast.Stmt, read map[*hast.Var]bool) (out []hast.Stmt) {
	for _, s := range list {
		if d, ok := s.(*hast.Define); ok && r.parts[d.Var] != nil && !read[d.Var] {
			continue
		}
		out = append(out, hast.MapBodies(s, func(list []hast.Stmt) []hast.Stmt { return r.without(list, read) }))
	}
	return out
}

// products is e with its products rewritten.
func (r *rewriter) products(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		o, ok := e.(*hast.Op)
		if !ok || !isProduct(o) {
			return nil
		}
		p := r.factors(o)
		p.intoPower()
		if len(p.rest) == 0 || !finite(p.number) {
			return e
		}
		return r.whole(o.Typed, p)
	})
}

func isProduct(o *hast.Op) bool { return o.Op == ops.Mul && o.T.Kind == types.F32 && !o.T.IsArray() }

// A product is the factors of a multiplication: a number, what is the same for all instances, and the rest, each in their order.
type product struct {
	number       float64
	shared, rest []hast.Expr
}

// known reports whether there are factors that are known before the instances are.
func (p *product) known() bool { return p.number != 1 || len(p.shared) > 0 }

// factors takes a product apart; lets stand for what they are.
func (r *rewriter) factors(o *hast.Op) *product {
	p := &product{number: 1}
	r.collect(o, p)
	return p
}

func (r *rewriter) collect(e hast.Expr, out *product) {
	if c, ok := number(e); ok {
		out.number *= c
		return
	}
	if hast.SameForAll(e) {
		out.shared = append(out.shared, e)
		return
	}
	switch x := e.(type) {
	case *hast.Op:
		switch {
		case isProduct(x):
			r.collect(x.Args[0], out)
			r.collect(x.Args[1], out)
			return
		case x.Op == ops.Neg:
			out.number = -out.number
			r.collect(x.Args[0], out)
			return
		}
	case *hast.Ref:
		if p := r.parts[x.Var]; p != nil {
			out.number *= p.number
			out.shared, out.rest = append(out.shared, p.shared...), append(out.rest, p.rest...)
			return
		}
	}
	out.rest = append(out.rest, r.products(e))
}

// whole is the product with what is known beforehand as one factor.
func (r *rewriter) whole(t hast.Typed, p *product) hast.Expr {
	switch {
	case !p.known():
		return chain(t, p.rest)
	case len(p.shared) == 0:
		return chain(t, append(p.rest[:len(p.rest):len(p.rest)], number32(t, p.number)))
	}
	all := p.shared
	if p.number != 1 {
		all = append(all[:len(all):len(all)], number32(t, p.number))
	}
	return chain(t, append(p.rest[:len(p.rest):len(p.rest)], r.once(chain(t, all))))
}

// once is a value that is the same for all instances, as a let of the whole body.
func (r *rewriter) once(e hast.Expr) hast.Expr {
	typed := hast.Typed{T: e.Type(), At: e.Span()}
	for _, s := range r.lets {
		if d := s.(*hast.Define); hast.Equal(d.Init, e) {
			return &hast.Ref{Typed: typed, Var: d.Var}
		}
	}
	v := &hast.Var{Name: "scale", Type: typed.T, Class: hast.Value, At: typed.At}
	r.lets = append(r.lets, &hast.Define{Var: v, Init: e, At: typed.At})
	return &hast.Ref{Typed: typed, Var: v}
}

// chain is the product of a list.
func chain(t hast.Typed, list []hast.Expr) hast.Expr {
	e := list[0]
	for _, x := range list[1:] {
		e = &hast.Op{Typed: t, Op: ops.Mul, Args: []hast.Expr{e, x}}
	}
	return e
}

// intoPower takes a positive weight into the exponent of a power of two beside it: k * exp2(x) is exp2(x + log2(k)), where the sum often is
// one operation with a product in x.
func (p *product) intoPower() {
	for i, e := range p.rest {
		o, ok := e.(*hast.Op)
		if !ok || o.Op != ops.Exp2 {
			continue
		}
		for j, w := range p.rest {
			if l := logarithm(w); l != nil && i != j {
				sum := &hast.Op{Typed: o.Typed, Op: ops.Add, Args: []hast.Expr{o.Args[0], l}}
				p.rest[i] = &hast.Op{Typed: o.Typed, Op: ops.Exp2, Args: []hast.Expr{sum}}
				p.rest = append(p.rest[:j:j], p.rest[j+1:]...)
				return
			}
		}
		return
	}
}

// logarithm is log2 of an element of an array of positive constants; nil of all else.
func logarithm(e hast.Expr) hast.Expr {
	el, ok := e.(*hast.Elem)
	if !ok || !el.InRange {
		return nil
	}
	c, ok := el.X.(*hast.Const)
	if !ok || c.T.Kind != types.F32 {
		return nil
	}
	logs := make([]types.Word, len(c.Words))
	for i, w := range c.Words {
		v := w.Float()
		if !(v > 0) || math.IsInf(v, 0) {
			return nil
		}
		logs[i] = types.Float(float64(float32(math.Log2(v))))
	}
	name := ""
	if c.Name != "" {
		name = c.Name + "_log2"
	}
	return &hast.Elem{Typed: el.Typed, X: &hast.Const{Typed: c.Typed, Words: logs, Name: name}, Index: el.Index, InRange: el.InRange}
}
