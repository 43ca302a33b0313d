package ctree

import "strings"

// body writes statements one step further in.
func (p *printer) body(list []Stmt) {
	p.indent++
	for _, s := range list {
		p.stmt(s)
	}
	p.indent--
}

func (p *printer) stmt(s Stmt) {
	p.enter(s.place())
	switch s := s.(type) {
	case *Declare:
		p.declare(s.Prefix, s.Type, s.Name, s.Init)
	case *Set:
		p.end(setText(s))
	case *Do:
		var b inline
		b.expr(s.X, levelComma, 0)
		p.end(&b)
	case *Return:
		p.ret(s)
	case *Break:
		p.put("break;")
	case *Continue:
		p.put("continue;")
	case *Goto:
		p.put("goto " + s.Label + ";")
	case *Note:
		p.comment(s.Text)
	case *Gap:
		p.blank()
	case *Verbatim:
		p.verbatim(s.Text)
	default:
		p.compound(s)
	}
}

// compound writes the statements that hold others.
func (p *printer) compound(s Stmt) {
	switch s := s.(type) {
	case *If:
		p.ifElse("if (", s)
	case *For:
		p.forLoop(s)
	case *While:
		p.head("while (", s.Cond)
		p.body(s.Body)
		p.put("}")
	case *Until:
		p.put("do {")
		p.body(s.Body)
		p.put("} while (" + Text(s.Cond) + ");")
	case *Switch:
		p.switchOn(s)
	case *Block:
		p.put("{")
		p.body(s.Body)
		p.put("}")
	case *Label:
		p.indent--
		p.put(s.Name + ":")
		p.indent++
	}
}

// end writes a statement's text and its semicolon.
func (p *printer) end(b *inline) {
	b.write(";")
	p.text(b, 1)
}

func (p *printer) ret(s *Return) {
	if s.X == nil {
		p.put("return;")
		return
	}
	var b inline
	b.write("return ")
	b.expr(s.X, levelComma, 0)
	p.end(&b)
}

func (p *printer) verbatim(text string) {
	for _, l := range strings.Split(strings.Trim(text, "\n"), "\n") {
		if strings.HasPrefix(l, "#") {
			p.line(l)
		} else {
			p.put(l)
		}
	}
}

var compoundOps = map[string]bool{
	"+": true, "-": true, "*": true, "/": true, "%": true, "&": true, "|": true, "^": true, "<<": true, ">>": true,
}

// setText is an assignment: x += e where it is x = x + e, ++x where e is 1.
func setText(s *Set) *inline {
	var b inline
	op, value := "=", s.Value
	if v, ok := s.Value.(*Binary); ok && compoundOps[v.Op] && !v.Defined && Same(s.Target, v.X) {
		op, value = v.Op+"=", v.Y
	}
	if (op == "+=" || op == "-=") && Text(value) == "1" {
		b.write(op[:1] + op[:1])
		b.expr(s.Target, levelUnary, 0)
		return &b
	}
	b.expr(s.Target, levelUnary, 1)
	b.write(" " + op)
	b.space(0)
	b.expr(value, levelAssign, 1)
	return &b
}

// declare writes a declaration. An initializer that is too long for the line, or has rows, stands on lines of its own.
func (p *printer) declare(prefix string, t Type, name string, init Expr) {
	b := declareText(prefix, t, name)
	list, isList := init.(*List)
	if isList && (rows(list) || p.indent*indentStep+b.Len()+len(Text(list))+4 > lineWidth) {
		b.write(" = {")
		p.text(b, 1)
		p.listLines(list)
		p.put("};")
		return
	}
	p.end(withInit(b, init))
}

func declareText(prefix string, t Type, name string) *inline {
	var b inline
	if prefix != "" {
		b.write(prefix + " ")
	}
	b.declarator(t, name)
	return &b
}

func withInit(b *inline, init Expr) *inline {
	if init != nil {
		b.write(" =")
		b.space(0)
		b.expr(init, levelAssign, 1)
	}
	return b
}

// rows reports whether a list holds lists.
func rows(l *List) bool {
	for _, e := range l.Elems {
		if _, ok := e.(*List); ok {
			return true
		}
	}
	return false
}

// manySmallRows reports whether a list reads better with several of its rows on a line, as a list of points does.
func manySmallRows(l *List) bool {
	for _, e := range l.Elems {
		row, ok := e.(*List)
		if !ok || rows(row) || len(row.Elems) > 4 {
			return false
		}
	}
	return len(l.Elems) > 8
}

// listLines writes the elements of a list: each row on its own line, others side by side.
func (p *printer) listLines(l *List) {
	p.indent++
	defer func() { p.indent-- }()
	if !rows(l) || manySmallRows(l) {
		var b inline
		b.list(l.Elems, 0)
		p.text(&b, 0)
		return
	}
	for i, e := range l.Elems {
		comma := ","
		if i == len(l.Elems)-1 {
			comma = ""
		}
		if inner, ok := e.(*List); ok && (rows(inner) || p.indent*indentStep+len(Text(e))+1 > lineWidth) {
			p.put("{")
			p.listLines(inner)
			p.put("}" + comma)
			continue
		}
		p.put(Text(e) + comma)
	}
}

// head writes the first line of a compound statement.
func (p *printer) head(start string, cond Expr) {
	var b inline
	b.write(start)
	b.expr(cond, levelComma, 0)
	b.write(") {")
	p.text(&b, 2)
}

func (p *printer) ifElse(start string, s *If) {
	p.head(start, s.Cond)
	p.body(s.Then)
	switch {
	case len(s.Else) == 0:
		p.put("}")
		return
	case len(s.Else) == 1:
		if next, ok := s.Else[0].(*If); ok {
			p.at = next.At
			p.ifElse("} else if (", next)
			return
		}
	}
	p.put("} else {")
	p.body(s.Else)
	p.put("}")
}

func (p *printer) forLoop(s *For) {
	var b inline
	b.write("for (")
	b.part(s.Init)
	b.write(";")
	if s.Cond != nil {
		b.space(0)
		b.expr(s.Cond, levelComma, 1)
	}
	b.write(";")
	if s.Next != nil {
		b.space(0)
		b.part(s.Next)
	}
	b.write(") {")
	p.text(&b, 2)
	p.body(s.Body)
	p.put("}")
}

// part writes a statement inside the head of a for.
func (b *inline) part(s Stmt) {
	switch s := s.(type) {
	case *Declare:
		text := withInit(declareText(s.Prefix, s.Type, s.Name), s.Init)
		b.write(text.String())
	case *Set:
		b.write(setText(s).String())
	case *Do:
		b.expr(s.X, levelComma, 1)
	}
}

func (p *printer) switchOn(s *Switch) {
	p.head("switch (", s.X)
	for _, c := range s.Cases {
		for _, v := range c.Values {
			p.put("case " + Text(v) + ":")
		}
		if len(c.Values) == 0 {
			p.put("default:")
		}
		p.body(c.Body)
		if !jumps(c.Body) {
			p.indent++
			p.put("break;")
			p.indent--
		}
	}
	p.put("}")
}

// jumps reports whether a list of statements ends by leaving it.
func jumps(list []Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *Return, *Break, *Continue, *Goto:
		return true
	}
	return false
}
