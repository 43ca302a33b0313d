package kir

import (
	"strings"

	"imgc/ops"
	"imgc/types"
)

// HostText is a host expression as a program would have it, for messages and remarks: without the widening that lowering adds. name
// gives the names of variables; nil stands for their own.
func HostText(e Expr, name func(*Var) string) string {
	if name == nil {
		name = func(v *Var) string { return v.Name }
	}
	text, _ := (&hostPrinter{name: name}).expr(e)
	return text
}

// ValueText is HostText with the values of constants in the place of their names, for readers who do not have the program.
func ValueText(e Expr, name func(*Var) string) string {
	text, _ := (&hostPrinter{name, true}).expr(e)
	return text
}

// ExtentText is an extent of an image as the program has it.
func (m *Image) ExtentText(axis int) string {
	if m.Written == nil {
		return HostText(m.Extent[axis], nil)
	}
	return m.Written[axis]
}

type hostPrinter struct {
	name   func(*Var) string
	values bool // of constants, not their names
}

// strength is how strongly an operator binds, as in C; what is no operator binds most.
var strength = map[ops.Op]int{
	ops.Mul: 10, ops.Div: 10, ops.Rem: 10, ops.Add: 9, ops.Sub: 9, ops.Shl: 8, ops.Shr: 8, ops.Lt: 7, ops.Le: 7, ops.Gt: 7, ops.Ge: 7,
	ops.Eq: 6, ops.Ne: 6, ops.And: 5, ops.Xor: 4, ops.Or: 3, ops.LAnd: 2, ops.LOr: 1,
}

const (
	unary     = 11
	primary   = 12
	condition = 0
)

// expr is the text of an expression and how strongly it binds.
func (p *hostPrinter) expr(e Expr) (string, int) {
	switch e := e.(type) {
	case *Const:
		return p.constant(e)
	case *Ref:
		return p.name(e.Var), primary
	case *Convert:
		if e.Exact {
			return p.expr(e.X)
		}
		how := [...]string{Wrap: "", Saturate: "sat ", Bitcast: "bitcast "}[min(e.How, Bitcast)]
		return how + e.T.String() + p.list(e.X), primary
	case *Op:
		return p.op(e)
	case *Select:
		return p.above(e.Cond, condition) + " ? " + p.above(e.Then, condition) + " : " + p.above(e.Else, condition), condition
	case *Vec:
		return e.T.String() + p.list(e.Parts...), primary
	case *Lanes:
		return p.above(e.X, unary) + "." + lanesText(e.Lanes), primary
	}
	return ExprText(e), primary
}

func (p *hostPrinter) constant(c *Const) (string, int) {
	if c.Name != "" && !p.values {
		return c.Name, primary
	}
	parts := make([]string, len(c.Words))
	for i, w := range c.Words {
		parts[i] = wordText(c.T.Kind, w)
	}
	if len(parts) > 1 {
		return c.T.String() + "(" + strings.Join(parts, ", ") + ")", primary
	}
	if c.T.Kind != types.Bool && strings.HasPrefix(parts[0], "-") {
		return parts[0], unary
	}
	return parts[0], primary
}

func (p *hostPrinter) op(e *Op) (string, int) {
	info := e.Op.Info()
	binds, infix := strength[e.Op]
	switch {
	case infix && len(e.Args) == 2:
		between := " " + info.Name + " "
		if e.Op == ops.Mul || e.Op == ops.Div {
			between = info.Name
		}
		return p.above(e.Args[0], binds-1) + between + p.above(e.Args[1], binds), binds
	case !info.Call && len(e.Args) == 1:
		return info.Name + p.above(e.Args[0], unary), unary
	}
	return info.Name + p.list(e.Args...), primary
}

// above is the text of an operand, in parentheses unless it binds more strongly than the limit.
func (p *hostPrinter) above(e Expr, limit int) string {
	text, binds := p.expr(e)
	if binds <= limit {
		return "(" + text + ")"
	}
	return text
}

func (p *hostPrinter) list(args ...Expr) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i], _ = p.expr(a)
	}
	return "(" + strings.Join(texts, ", ") + ")"
}
