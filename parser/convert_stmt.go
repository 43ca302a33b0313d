package parser

import (
	"imgc/grammar"
	"imgc/source"
	"imgc/syntax"
)

func (p *parser) block(b *grammar.Block) *syntax.Block {
	last := b.Close
	if p.value(last) != "}" {
		last-- // the brace is missing; within reports it
	}
	out := &syntax.Block{Place: syntax.Place{At: p.token(p.tokens[b.Open]).To(p.token(p.tokens[last]))}}
	out.Stmts = within(p, b.Group, inBlock, p.grammar.Stmt, p.stmt)
	return out
}

func (p *parser) stmt(s *grammar.Stmt) syntax.Stmt {
	at := p.place(s.Tokens)
	switch {
	case s.Named != nil:
		return p.named(s.Named, at)
	case s.Empty:
		return &syntax.Empty{Place: at}
	case s.Block != nil:
		return p.block(s.Block)
	case s.If != nil:
		out := &syntax.If{Place: at, Cond: p.expr(s.If.Cond), Then: p.stmt(s.If.Then)}
		if s.If.Else != nil {
			out.Else = p.stmt(s.If.Else)
		}
		return out
	case s.For != nil:
		return p.forStmt(s.For, at)
	case s.While != nil:
		return &syntax.While{Place: at, Cond: p.expr(s.While.Cond), Body: p.stmt(s.While.Body)}
	case s.Jump != nil:
		if s.Jump.Word.Value == "break" {
			return &syntax.Break{Place: at}
		}
		return &syntax.Continue{Place: at}
	case s.Return != nil:
		return &syntax.Return{Place: at, Value: p.expr(s.Return.Value)}
	}
	return p.definition(s, at)
}

// definition converts the statements that introduce names, and those of pyramids.
func (p *parser) definition(s *grammar.Stmt, at syntax.Place) syntax.Stmt {
	switch {
	case s.Let != nil:
		return &syntax.Let{Place: at, Mutable: s.Let.Word.Value == "var", Name: p.name(s.Let.Name),
			Type: optional(s.Let.Type, p.typeRef), Value: p.expr(s.Let.Value)}
	case s.Image != nil:
		return &syntax.Image{Place: at, Name: p.name(s.Image.Name), Type: p.typeRef(s.Image.Type),
			Border: optional(s.Image.Border, p.rule), Value: p.expr(s.Image.Value), Clauses: each(s.Image.Clauses, p.clause)}
	case s.Pyramid != nil:
		return &syntax.Pyramid{Place: at, Name: p.name(s.Pyramid.Name), Type: p.typeRef(s.Pyramid.Type),
			Border: optional(s.Pyramid.Border, p.rule), Levels: p.expr(s.Pyramid.Levels), Scale: s.Pyramid.Scale}
	case s.View != nil:
		return &syntax.View{Place: at, Name: p.name(s.View.Name), Type: optional(s.View.Type, p.typeRef),
			Border: optional(s.View.Border, p.rule), Value: p.expr(s.View.Value)}
	case s.Iterate != nil:
		return &syntax.Iterate{Place: at, Independent: s.Iterate.Independent, Vars: each(s.Iterate.Vars, p.variable),
			Over: optional(s.Iterate.Over, p.ref), Clauses: each(s.Iterate.Clauses, p.clause), Body: p.stmt(s.Iterate.Body)}
	case s.Traverse != nil:
		return &syntax.Traverse{Place: at, Names: p.names(s.Traverse.Names), Body: p.block(s.Traverse.Body)}
	}
	out := &syntax.Descend{Place: at, Times: p.expr(s.Descend.Times), Between: optional(s.Descend.Between, p.block)}
	p.checkDescend(out, s.Descend.Word)
	return out
}

func (p *parser) forStmt(f *grammar.For, at syntax.Place) syntax.Stmt {
	v := &syntax.Var{Place: p.place(f.Var.Tokens), Name: p.name(f.Var.Name), Range: p.rangeOf(f.Var.Range)}
	return &syntax.For{Place: at, Var: v, Body: p.stmt(f.Body)}
}

func (p *parser) named(n *grammar.Named, at syntax.Place) syntax.Stmt {
	name := p.name(n.Name)
	switch {
	case n.Label != nil:
		return &syntax.Labelled{Place: at, Label: name, Stmt: p.stmt(n.Label)}
	case n.Call != nil:
		return &syntax.CallStmt{Place: at, Name: name, Args: p.exprs(n.Call.List)}
	}
	if n.Value == nil {
		return p.memberCall(n, name, at)
	}
	op, opAt := n.Op.Value, p.token(n.Op)
	if n.MinMax != nil {
		word := p.token(n.MinMax.Token)
		op, opAt = n.MinMax.Token.Value+"=", p.upToEquals(word)
	}
	target := p.suffixes(&syntax.Ident{Place: name.Place, Name: name.Text}, n.Target)
	return &syntax.Assign{Place: at, Target: target, Op: op, OpAt: opAt, Value: p.expr(n.Value), Clauses: each(n.Behind, p.clause)}
}

// memberCall is f.k(a, b); with the prefix of an import. Nothing else ends without an assignment.
func (p *parser) memberCall(n *grammar.Named, name syntax.Name, at syntax.Place) syntax.Stmt {
	if len(n.Target) == 1 && n.Target[0].Field != nil && n.Target[0].Field.Args != nil {
		f := n.Target[0].Field
		if f.Args.For == nil {
			return &syntax.CallStmt{Place: at, Name: member(name, p.name(f.Name)), Args: p.exprs(f.Args.List)}
		}
	}
	p.noEffect(name.At.To(p.token(p.tokens[p.indexOf(n.End.Pos.Offset)-1])))
	return &syntax.Empty{Place: at}
}

// noEffect reports an expression as a statement.
func (p *parser) noEffect(at source.Span) {
	p.errorf(codeNoEffect, at, "this expression is no statement: it has no effect").
		Note("a statement assigns (name = value;), calls a kernel (name(...);) or has a label (name: statement)")
}

// upToEquals extends the min or max of a min= to its second token.
func (p *parser) upToEquals(word source.Span) source.Span {
	return word.To(p.token(p.tokens[p.indexOf(word.End)]))
}

func (p *parser) clause(c *grammar.Clause) *syntax.Clause {
	out := &syntax.Clause{Place: p.place(c.Tokens), Where: p.expr(c.Where)}
	if c.Border != nil {
		out.Border = &syntax.BorderClause{All: optional(c.Border.All, p.rule),
			Named: each(c.Border.Named, func(n *grammar.NamedRule) *syntax.NamedRule {
				return &syntax.NamedRule{Place: p.place(n.Tokens), Image: p.name(n.Image), Rule: p.rule(n.Rule)}
			})}
	}
	if c.Scan != nil {
		out.Scan = &syntax.Scan{Down: c.Scan.Down, Var: p.name(c.Scan.Name)}
	}
	return out
}
