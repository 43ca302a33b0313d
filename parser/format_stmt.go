package parser

import "imgc/syntax"

// opening sets the gap in front of a brace or an else: a blank, or a line end if a comment stands between.
func (p *printer) opening() {
	p.blank()
	if p.next < len(p.tokens) && p.hasComment(p.tokens[p.next].Pos.Offset) {
		p.newline(false)
	}
}

func (p *printer) block(b *syntax.Block) { braces(p, b.Stmts, p.stmt) }

// braces prints a block: each item on a line of its own.
func braces[N any](p *printer, items []N, each func(N)) {
	if p.pending.kind != gapNewline {
		p.opening()
	}
	p.t("{")
	p.indent++
	for i, item := range items {
		p.newline(i > 0)
		each(item)
	}
	p.newline(len(items) > 0)
	if p.next >= len(p.tokens) {
		p.lost = true
		return
	}
	end := p.tokens[p.next].Pos.Offset
	bare := len(items) == 0 && !p.hasComment(end)
	p.flushComments(end)
	p.indent--
	p.newline(false)
	if bare {
		p.pending = gap{}
	}
	p.t("}")
}

func (p *printer) stmt(s syntax.Stmt) {
	if s, ok := s.(*syntax.Block); ok {
		p.block(s)
		return
	}
	p.group(func() { p.inner(s) })
}

func (p *printer) inner(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Empty:
		p.t(";")
	case *syntax.If:
		p.ifStmt(s)
	case *syntax.For:
		p.words("for")
		p.t("(")
		p.variable(s.Var)
		p.t(")")
		p.body(s.Body)
	case *syntax.While:
		p.words("while")
		p.condition(s.Cond)
		p.body(s.Body)
	case *syntax.Break:
		p.t("break")
		p.t(";")
	case *syntax.Continue:
		p.t("continue")
		p.t(";")
	case *syntax.Return:
		p.t("return")
		if s.Value != nil {
			p.blank()
			p.expr(s.Value)
		}
		p.t(";")
	case *syntax.Labelled:
		p.name(s.Label)
		p.t(":")
		p.blank()
		p.stmt(s.Stmt)
	case *syntax.CallStmt:
		p.name(s.Name)
		p.parens(len(s.Args), func(i int) { p.expr(s.Args[i]) })
		p.t(";")
	case *syntax.Assign:
		p.assign(s)
	default:
		p.definition(s)
	}
}

func (p *printer) definition(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Let:
		p.t("let", "var")
		p.blank()
		p.name(s.Name)
		p.typeBehind(s.Type)
		p.value(s.Value)
	case *syntax.Image:
		p.words("image")
		p.name(s.Name)
		p.typeBehind(s.Type)
		p.borderRule(s.Border)
		p.value(s.Value)
		p.clauses(s.Clauses)
	case *syntax.Pyramid:
		p.words("pyramid")
		p.name(s.Name)
		p.typeBehind(s.Type)
		p.borderRule(s.Border)
		p.brk()
		p.words("levels")
		p.expr(s.Levels)
		p.scale(s.Scale)
	case *syntax.View:
		p.words("view")
		p.name(s.Name)
		p.typeBehind(s.Type)
		p.borderRule(s.Border)
		p.value(s.Value)
	case *syntax.Iterate:
		p.iterate(s)
		return
	case *syntax.Traverse:
		p.words("traverse")
		p.parens(len(s.Names), func(i int) { p.name(s.Names[i]) })
		p.block(s.Body)
		return
	case *syntax.Descend:
		p.descend(s)
		return
	}
	p.t(";")
}

func (p *printer) scale(factors []string) {
	if len(factors) > 0 {
		p.brk()
		p.words("scale")
		p.parens(len(factors), func(i int) { p.t(factors[i]) })
	}
}

func (p *printer) descend(s *syntax.Descend) {
	p.t("descend")
	if s.Times != nil {
		p.blank()
		p.expr(s.Times)
	}
	if s.Between != nil {
		p.block(s.Between)
		return
	}
	p.t(";")
}

func (p *printer) assign(s *syntax.Assign) {
	p.expr(s.Target)
	p.blank()
	if s.Op == "min=" || s.Op == "max=" {
		p.t(s.Op[:len(s.Op)-1])
		p.t("=")
	} else {
		p.t(s.Op)
	}
	p.blank()
	p.expr(s.Value)
	p.clauses(s.Clauses)
	p.t(";")
}

func (p *printer) condition(x syntax.Expr) {
	p.t("(")
	p.expr(x)
	p.t(")")
}

func (p *printer) ifStmt(s *syntax.If) {
	p.words("if")
	p.condition(s.Cond)
	p.body(s.Then)
	if s.Else == nil {
		return
	}
	if _, block := s.Then.(*syntax.Block); block {
		p.opening()
	} else {
		p.newline(false)
	}
	p.t("else")
	if next, ok := s.Else.(*syntax.If); ok {
		p.blank()
		p.ifStmt(next)
		return
	}
	p.body(s.Else)
}

// body prints the statement that another governs: a block, on the same line if it is simple, stands there in the source and
// fits, else on the next.
func (p *printer) body(s syntax.Stmt) {
	if b, ok := s.(*syntax.Block); ok {
		p.block(b)
		return
	}
	if _, ok := s.(*syntax.Empty); ok && p.sameLine() {
		p.blank()
		p.stmt(s)
		return
	}
	p.indent++
	if simple(s) && p.sameLine() {
		p.addBreak(blankPiece, p.indent*tabColumns)
	} else {
		p.newline(false)
	}
	p.stmt(s)
	p.indent--
}

// sameLine reports whether the next token and the one before stand on one line in the source.
func (p *printer) sameLine() bool {
	return p.next > 0 && p.next < len(p.tokens) && p.tokens[p.next-1].Pos.Line == p.tokens[p.next].Pos.Line
}

func simple(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Assign, *syntax.CallStmt, *syntax.Return, *syntax.Break, *syntax.Continue, *syntax.Let:
		return true
	case *syntax.Descend:
		return s.Between == nil
	case *syntax.Labelled:
		return simple(s.Stmt)
	}
	return false
}

func (p *printer) iterate(s *syntax.Iterate) {
	p.words("iterate")
	if s.Independent {
		p.words("independent")
	}
	p.parens(len(s.Vars), func(i int) { p.variable(s.Vars[i]) })
	if s.Over != nil {
		p.brk()
		p.words("over")
		p.ref(s.Over)
	}
	p.clauses(s.Clauses)
	p.body(s.Body)
}

func (p *printer) variable(v *syntax.Var) {
	p.name(v.Name)
	if v.Range != nil {
		p.blank()
		p.words("in")
		p.colons(v.Range.Lo, v.Range.Hi, v.Range.Step)
	}
}

func (p *printer) ref(r *syntax.Ref) {
	p.name(r.Name)
	for _, x := range r.Subs {
		p.t("[")
		p.subscript(x)
		p.t("]")
	}
}

func (p *printer) clauses(clauses []*syntax.Clause) {
	for _, c := range clauses {
		p.brk()
		switch {
		case c.Border != nil:
			p.borderClause(c.Border)
		case c.Where != nil:
			p.words("where")
			p.condition(c.Where)
		case c.Scan != nil:
			p.t("scan")
			p.t("(")
			if c.Scan.Down {
				p.t("-")
			}
			p.name(c.Scan.Var)
			p.t(")")
		}
	}
}

func (p *printer) borderClause(b *syntax.BorderClause) {
	p.t("border")
	if b.All != nil {
		p.blank()
		p.rule(b.All)
		return
	}
	p.parens(len(b.Named), func(i int) {
		p.name(b.Named[i].Image)
		p.t(":")
		p.blank()
		p.rule(b.Named[i].Rule)
	})
}
