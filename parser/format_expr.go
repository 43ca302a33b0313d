package parser

import "imgc/syntax"

func (p *printer) expr(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Lit:
		p.t(x.Text)
	case *syntax.Ident:
		p.t(x.Name)
	case *syntax.Paren:
		p.t("(")
		p.group(func() { p.expr(x.X) })
		p.t(")")
	case *syntax.Unary:
		p.unary(x)
	case *syntax.Binary:
		p.group(func() { p.binary(x, p.tightness(x, false)) })
	case *syntax.Cond:
		p.cond(x)
	case *syntax.Index:
		p.expr(x.X)
		p.sub(x.Sub)
	case *syntax.Field:
		p.expr(x.X)
		if _, ok := x.X.(*syntax.Lit); ok {
			p.blank() // 0.x is no number
		}
		p.t(".")
		p.name(x.Name)
	case *syntax.Call:
		p.name(x.Fun)
		p.callArgs(x.Args, x.For)
	case *syntax.Conv:
		if x.How != "" {
			p.t(x.How)
			p.t("<")
			p.typeRef(x.Type)
			p.t(">")
		} else {
			p.typeRef(x.Type)
		}
		p.callArgs(x.Args, x.For)
	case *syntax.List:
		p.listExpr(x)
	default:
		p.lost = true
	}
}

func (p *printer) unary(x *syntax.Unary) {
	p.t(x.Op)
	if y, ok := x.X.(*syntax.Unary); ok && y.Op == x.Op {
		p.blank() // - -x is no decrement
	}
	p.expr(x.X)
}

func (p *printer) cond(x *syntax.Cond) {
	p.group(func() {
		p.expr(x.If)
		p.brk()
		p.t("?")
		p.blank()
		p.expr(x.Then)
		p.brk()
		p.t(":")
		p.blank()
		p.expr(x.Else)
	})
}

func (p *printer) callArgs(args []syntax.Expr, comp *syntax.Comp) {
	p.args(len(args), func(i int) { p.expr(args[i]) }, comp)
}

func (p *printer) comp(c *syntax.Comp) {
	if c == nil {
		return
	}
	p.brk()
	p.words("for")
	if c.Over == nil {
		p.list(len(c.Vars), func(i int) { p.variable(c.Vars[i]) })
		return
	}
	p.t("(")
	p.list(len(c.Names), func(i int) { p.name(c.Names[i]) })
	p.t(")")
	p.blank()
	p.words("over")
	p.ref(c.Over)
}

// tightness says which operators of a chain are printed without blanks.
type tightness struct {
	products bool // * / %: they are terms of a sum
	all      bool // + - * / %: a short sum or product in a subscript
}

// tightness looks at the operators of a chain that no brackets separate.
func (p *printer) tightness(x *syntax.Binary, subscript bool) tightness {
	var c chain
	c.look(x)
	return tightness{
		products: c.products && c.sums && !c.elementwise,
		all:      subscript && c.products != c.sums && !c.elementwise && !c.odd,
	}
}

type chain struct {
	products, sums bool
	elementwise    bool // .* or ./ is among them, which need blanks
	odd            bool // an operand is not a name or number, or an operator is not arithmetic
}

func (c *chain) look(x *syntax.Binary) {
	switch x.Op {
	case "*", "/", "%":
		c.products = true
	case ".*", "./":
		c.elementwise = true
	case "+", "-":
		c.sums = true
	default:
		c.odd = true
	}
	for _, y := range []syntax.Expr{x.X, x.Y} {
		switch y := y.(type) {
		case *syntax.Binary:
			c.look(y)
		default:
			c.odd = c.odd || !plain(y)
		}
	}
}

// plain reports whether an expression is a name, a number, a property, or stands in parentheses.
func plain(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Lit, *syntax.Ident, *syntax.Paren:
		return true
	case *syntax.Field:
		return plain(x.X)
	}
	return false
}

func (p *printer) binary(x *syntax.Binary, tight tightness) {
	p.side(x, x.X, tight)
	product := x.Op == "*" || x.Op == "/" || x.Op == "%"
	if _, sign := x.Y.(*syntax.Unary); (tight.all || tight.products && product) && !sign {
		p.t(x.Op)
	} else {
		p.blank()
		p.t(x.Op)
		p.brk()
	}
	p.side(x, x.Y, tight)
}

// side prints an operand; operators that bind more than x form a group of their own.
func (p *printer) side(x *syntax.Binary, y syntax.Expr, tight tightness) {
	b, ok := y.(*syntax.Binary)
	switch {
	case !ok:
		p.expr(y)
	case precedence[b.Op] == precedence[x.Op]:
		p.binary(b, tight)
	default:
		p.group(func() { p.binary(b, tight) })
	}
}

func (p *printer) sub(s syntax.Sub) {
	p.t("[")
	switch {
	case s.Star:
		p.t("*")
	case s.Count == nil:
		p.subscript(s.Start)
	default:
		p.colons(s.Start, s.Count, s.Stride)
	}
	p.t("]")
}

// subscript prints an index or bound: y-1 without blanks.
func (p *printer) subscript(x syntax.Expr) {
	if b, ok := x.(*syntax.Binary); ok {
		p.group(func() { p.binary(b, p.tightness(b, true)) })
		return
	}
	p.expr(x)
}

// colons prints the parts of a range or window; blanks stand around the colons unless all parts are short.
func (p *printer) colons(parts ...syntax.Expr) {
	short := true
	for _, x := range parts {
		if u, ok := x.(*syntax.Unary); ok {
			x = u.X
		}
		_, paren := x.(*syntax.Paren)
		short = short && (x == nil || plain(x) && !paren)
	}
	for i, x := range parts {
		if x == nil {
			continue
		}
		if i > 0 {
			if !short {
				p.blank()
			}
			p.t(":")
			if !short {
				p.blank()
			}
		}
		p.subscript(x)
	}
}

// maxFlatList is the most columns of a list of values that stands on one line in the source and stays there.
const maxFlatList = 80

// listExpr prints a list of values on one line, or line by line as it stands in the source; a long matrix gets a line for
// each row.
func (p *printer) listExpr(x *syntax.List) {
	switch {
	case x.For != nil:
		p.t("[")
		p.group(func() {
			p.list(len(x.Elems), func(i int) { p.expr(x.Elems[i]) })
			p.comp(x.For)
		})
		p.t("]")
	case p.line(x.At.Start) == p.line(x.At.End) && p.flatWidth(x) <= maxFlatList:
		p.t("[")
		p.solid++
		p.list(len(x.Elems), func(i int) { p.expr(x.Elems[i]) })
		p.solid--
		p.t("]")
	default:
		p.rows(x)
	}
}

// flatWidth is about the columns of a list on one line: its tokens, and a blank behind each comma.
func (p *printer) flatWidth(x *syntax.List) int {
	width := 0
	for i := p.next; i < len(p.tokens) && p.tokens[i].Pos.Offset < x.At.End; i++ {
		width += len(p.tokens[i].Value)
		if p.tokens[i].Value == "," {
			width++
		}
	}
	return width
}

// rows prints a list with its brackets at the ends of lines.
func (p *printer) rows(x *syntax.List) {
	oneLine := p.line(x.At.Start) == p.line(x.At.End)
	solid := p.solid
	p.solid = 0
	p.t("[")
	p.indent++
	p.level++
	p.newline(false)
	for i, e := range x.Elems {
		if i > 0 {
			_, row := e.(*syntax.List)
			p.t(",")
			if oneLine && row || !oneLine && p.line(x.Elems[i-1].Span().End) != p.line(e.Span().Start) {
				p.newline(true)
			} else {
				p.addBreak(blankPiece, p.indent*tabColumns)
			}
		}
		p.expr(e)
	}
	p.newline(false)
	p.flushComments(x.At.End - 1)
	p.indent--
	p.level--
	p.newline(false)
	p.t("]")
	p.solid = solid
}
