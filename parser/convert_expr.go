package parser

import (
	"imgc/grammar"
	"imgc/source"
	"imgc/syntax"
)

func (p *parser) span(start, end int) source.Span {
	return source.Span{File: p.file, Start: start, End: end}
}

// token is the span of one token.
func (p *parser) token(t grammar.Token) source.Span {
	return p.span(t.Pos.Offset, t.Pos.Offset+len(t.Value))
}

// place is the span of a node's tokens.
func (p *parser) place(tokens []grammar.Token) syntax.Place {
	return syntax.Place{At: p.token(tokens[0]).To(p.token(tokens[len(tokens)-1]))}
}

func (p *parser) name(t grammar.Token) syntax.Name {
	return syntax.Name{Place: syntax.Place{At: p.token(t)}, Text: t.Value}
}

func (p *parser) names(names []*grammar.Name) []syntax.Name {
	return each(names, func(n *grammar.Name) syntax.Name { return p.name(n.Token) })
}

// each converts the elements of a slice; nil stays nil.
func each[G, N any](in []G, convert func(G) N) []N {
	if in == nil {
		return nil
	}
	out := make([]N, len(in))
	for i, g := range in {
		out[i] = convert(g)
	}
	return out
}

// optional converts what may be absent.
func optional[G, N any](g *G, convert func(*G) *N) *N {
	if g == nil {
		return nil
	}
	return convert(g)
}

func (p *parser) exprs(es []*grammar.Expr) []syntax.Expr { return each(es, p.expr) }

// expr converts an expression; nil stays nil.
func (p *parser) expr(e *grammar.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	x := p.climb(e)
	if e.Then == nil {
		return x
	}
	then, other := p.expr(e.Then), p.expr(e.Else)
	return &syntax.Cond{Place: spanning(x, other), If: x, Then: then, Else: other}
}

func spanning(a, b syntax.Node) syntax.Place { return syntax.Place{At: a.Span().To(b.Span())} }

// precedence is C's; element-wise .* and ./ stand with * and /.
var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5,
	"==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9,
	"*": 10, "/": 10, "%": 10, ".*": 10, "./": 10,
}

// climb makes a tree of operands and the operators between them; all operators group to the left.
func (p *parser) climb(e *grammar.Expr) syntax.Expr {
	operands := []syntax.Expr{p.unary(e.Head)}
	var pending []grammar.Token
	reduce := func() {
		n, op := len(operands), pending[len(pending)-1]
		x, y := operands[n-2], operands[n-1]
		operands[n-2] = &syntax.Binary{Place: spanning(x, y), Op: op.Value, OpAt: p.token(op), X: x, Y: y}
		operands, pending = operands[:n-1], pending[:len(pending)-1]
	}
	for _, t := range e.Tail {
		for len(pending) > 0 && precedence[pending[len(pending)-1].Value] >= precedence[t.Op.Value] {
			reduce()
		}
		pending = append(pending, t.Op)
		operands = append(operands, p.unary(t.Rhs))
	}
	for len(pending) > 0 {
		reduce()
	}
	return operands[0]
}

func (p *parser) unary(u *grammar.Unary) syntax.Expr {
	x := p.suffixes(p.operand(u.X), u.Tail)
	for i := len(u.Signs) - 1; i >= 0; i-- {
		at := p.token(u.Signs[i]).To(x.Span())
		x = &syntax.Unary{Place: syntax.Place{At: at}, Op: u.Signs[i].Value, X: x}
	}
	return x
}

func (p *parser) suffixes(x syntax.Expr, tail []*grammar.Suffix) syntax.Expr {
	for _, s := range tail {
		if s.Field != nil {
			x = p.field(x, s.Field)
			continue
		}
		sub := p.sub(s.Sub)
		x = &syntax.Index{Place: spanning(x, sub), X: x, Sub: sub}
	}
	return x
}

// field is x.name, or the call of what an import has a prefix for.
func (p *parser) field(x syntax.Expr, f *grammar.Field) syntax.Expr {
	name := p.name(f.Name)
	if f.Args == nil {
		return &syntax.Field{Place: spanning(x, name), X: x, Name: name}
	}
	at := syntax.Place{At: x.Span().To(p.place(f.Args.Tokens).At)}
	prefix, ok := x.(*syntax.Ident)
	if !ok {
		p.errorf(codeNoMethod, name.At, "values have no functions of their own").Note("write %s(%s, ...)", name.Text, short(x.Span().Text()))
		return &syntax.Bad{Place: at}
	}
	fun := member(syntax.Name{Place: prefix.Place, Text: prefix.Name}, name)
	return &syntax.Call{Place: at, Fun: fun, Args: p.exprs(f.Args.List), For: p.comp(f.Args.For)}
}

// member joins a prefix and a name to one name.
func member(prefix, name syntax.Name) syntax.Name {
	return syntax.Name{Place: spanning(prefix, name), Text: prefix.Text + "." + name.Text}
}

func (p *parser) sub(s *grammar.Subscript) syntax.Sub {
	sub := syntax.Sub{Place: p.place(s.Tokens), Star: s.Star,
		Start: p.expr(s.Start), Count: p.expr(s.Count), Stride: p.expr(s.Stride)}
	p.checkColons(sub.Start, sub.Count, sub.Stride)
	return sub
}

func (p *parser) operand(o *grammar.Operand) syntax.Expr {
	switch {
	case o.Literal.Value != "":
		return p.literal(o.Literal)
	case o.Name != nil:
		return p.nameOrCall(o.Name)
	case o.Generic != nil:
		g := o.Generic
		at := p.token(g.Word).To(p.place(g.Args.Tokens).At)
		return &syntax.Conv{Place: syntax.Place{At: at}, How: g.Word.Value, Type: p.typeRef(g.Type),
			Args: p.exprs(g.Args.List), For: p.comp(g.Args.For)}
	case o.Conv != nil:
		c := o.Conv
		base := p.name(c.Type)
		return &syntax.Conv{Place: syntax.Place{At: base.At.To(p.place(c.Args.Tokens).At)},
			Type: &syntax.Type{Place: base.Place, Base: base}, Args: p.exprs(c.Args.List), For: p.comp(c.Args.For)}
	case o.List != nil:
		return p.list(o.List)
	}
	return &syntax.Paren{Place: p.place(o.Paren.Tokens), X: p.expr(o.Paren.X)}
}

func (p *parser) list(l *grammar.List) syntax.Expr {
	out := &syntax.List{Place: p.place(l.Tokens), Elems: p.exprs(l.List), For: p.comp(l.For)}
	if l.Numbers != nil {
		out.Elems = append(p.numbers(l.Numbers.Tokens), out.Elems...)
	}
	p.checkList(out)
	return out
}

// numbers converts numbers with commas between.
func (p *parser) numbers(tokens []grammar.Token) []syntax.Expr {
	out := make([]syntax.Expr, 0, len(tokens)/2+1)
	for i := 0; i < len(tokens); i += 2 {
		minus := tokens[i].Value == "-"
		if minus {
			i++
		}
		x := p.literal(tokens[i])
		if minus {
			x = &syntax.Unary{Place: p.place(tokens[i-1 : i+1]), Op: "-", X: x}
		}
		out = append(out, x)
	}
	return out
}

func (p *parser) literal(t grammar.Token) syntax.Expr {
	kind := syntax.BoolLit
	switch t.Type {
	case grammar.Int:
		kind = syntax.IntLit
	case grammar.Float:
		kind = syntax.FloatLit
	}
	return &syntax.Lit{Place: syntax.Place{At: p.token(t)}, Kind: kind, Text: t.Value}
}

func (p *parser) nameOrCall(n *grammar.NameCall) syntax.Expr {
	name := p.name(n.Name)
	if n.Args == nil {
		return &syntax.Ident{Place: name.Place, Name: name.Text}
	}
	at := name.At.To(p.place(n.Args.Tokens).At)
	return &syntax.Call{Place: syntax.Place{At: at}, Fun: name, Args: p.exprs(n.Args.List), For: p.comp(n.Args.For)}
}

func (p *parser) comp(c *grammar.Comp) *syntax.Comp {
	if c == nil {
		return nil
	}
	return &syntax.Comp{Place: p.place(c.Tokens), Names: p.names(c.Names), Over: optional(c.Over, p.ref),
		Vars: each(c.Vars, p.variable)}
}

func (p *parser) ref(r *grammar.Ref) *syntax.Ref {
	return &syntax.Ref{Place: p.place(r.Tokens), Name: p.name(r.Name), Subs: p.exprs(r.Subs)}
}

func (p *parser) variable(v *grammar.Var) *syntax.Var {
	return &syntax.Var{Place: p.place(v.Tokens), Name: p.name(v.Name), Range: optional(v.Range, p.rangeOf)}
}

func (p *parser) rangeOf(r *grammar.Range) *syntax.Range {
	out := &syntax.Range{Lo: p.expr(r.Lo), Hi: p.expr(r.Hi), Step: p.expr(r.Step)}
	out.At = out.Lo.Span()
	for _, e := range []syntax.Expr{out.Hi, out.Step} {
		if e != nil {
			out.At = out.At.To(e.Span())
		}
	}
	p.checkColons(out.Lo, out.Hi, out.Step)
	return out
}

func (p *parser) typeRef(t *grammar.TypeRef) *syntax.Type {
	return &syntax.Type{Place: p.place(t.Tokens), Base: p.name(t.Base), Dims: each(t.Dims, p.dim)}
}

func (p *parser) dim(d *grammar.Dim) *syntax.Dim {
	out := &syntax.Dim{Place: p.place(d.Tokens), Hi: p.expr(d.Lo)}
	if d.Hi != nil {
		out.Lo, out.Hi = out.Hi, p.expr(d.Hi)
		p.checkColons(out.Lo, out.Hi, nil)
	}
	return out
}
