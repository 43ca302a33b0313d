package ctree

import (
	"strings"
)

// Precedences of C, the loosest first.
const (
	levelComma = iota
	levelAssign
	levelCond
	levelOr
	levelAnd
	levelBitOr
	levelBitXor
	levelBitAnd
	levelEqual
	levelOrder
	levelShift
	levelSum
	levelProduct
	levelUnary
	levelPostfix
)

var binaryLevels = map[string]int{
	"||": levelOr, "&&": levelAnd, "|": levelBitOr, "^": levelBitXor, "&": levelBitAnd,
	"==": levelEqual, "!=": levelEqual, "<": levelOrder, "<=": levelOrder, ">": levelOrder, ">=": levelOrder,
	"<<": levelShift, ">>": levelShift, "+": levelSum, "-": levelSum, "*": levelProduct, "/": levelProduct, "%": levelProduct,
}

// An inline is text on its way to one statement, with the places where a line may be broken instead of a space.
type inline struct {
	strings.Builder
	breaks []breakPoint
}

// A breakPoint is the offset of a space, and how deep in the expression it lies.
type breakPoint struct{ offset, depth int }

func (b *inline) write(s string) { b.WriteString(s) }

// space writes a space that a line may be broken at.
func (b *inline) space(depth int) {
	b.breaks = append(b.breaks, breakPoint{b.Len(), depth})
	b.WriteByte(' ')
}

// Text is an expression on one line.
func Text(e Expr) string {
	var b inline
	b.expr(e, levelComma, 0)
	return b.String()
}

// level is the precedence with which an expression binds.
func level(e Expr) int {
	switch e := e.(type) {
	case Lit:
		if strings.HasPrefix(string(e), "-") {
			return levelUnary
		}
	case *Unary, *Cast, *Construct, *Compound:
		return levelUnary
	case *Sizeof:
		return levelUnary
	case *Binary:
		return binaryLevels[e.Op]
	case *AssignTo:
		return levelAssign
	case *Cond:
		return levelCond
	}
	return levelPostfix
}

// expr writes e, in parentheses where it binds looser than least.
func (b *inline) expr(e Expr, least, depth int) {
	if level(e) < least {
		b.write("(")
		b.bare(e, depth+1)
		b.write(")")
		return
	}
	b.bare(e, depth)
}

func (b *inline) bare(e Expr, depth int) {
	switch e := e.(type) {
	case Name:
		b.write(string(e))
	case Lit:
		b.write(string(e))
	case *Str:
		b.str(e.Text, depth)
	case *Unary:
		b.unary(e, depth)
	case *Binary:
		b.binary(e, depth)
	case *AssignTo:
		b.expr(e.X, levelUnary, depth)
		b.write(" " + e.Op)
		b.space(depth)
		b.expr(e.Y, levelAssign, depth+1)
	case *Cond:
		b.cond(e, depth)
	case *Call:
		b.expr(e.Fun, levelPostfix, depth)
		b.write("(")
		b.list(e.Args, depth+1)
		b.write(")")
	case *Index:
		b.expr(e.X, levelPostfix, depth)
		b.write("[")
		b.expr(e.I, levelComma, depth+1)
		b.write("]")
	case *Member:
		b.member(e, depth)
	case *Cast:
		b.write("(" + Declarator(e.Type, "") + ")")
		b.expr(e.X, levelUnary, depth)
	case *Construct:
		b.write("(" + Declarator(e.Type, "") + ")(")
		b.list(e.Args, depth+1)
		b.write(")")
	case *Brace:
		b.write(Declarator(e.Type, "") + "{")
		b.list(e.Args, depth+1)
		b.write("}")
	case *Sizeof:
		b.sizeof(e, depth)
	case *List:
		b.initializer(e, depth)
	case *Compound:
		b.write("(" + Declarator(e.Type, "") + ")")
		b.initializer(e.List, depth)
	}
}

// list writes arguments or elements; a line may be broken after each comma.
func (b *inline) list(es []Expr, depth int) {
	for i, e := range es {
		if i > 0 {
			b.write(",")
			b.space(depth)
		}
		b.expr(e, levelAssign, depth+1)
	}
}

func (b *inline) unary(e *Unary, depth int) {
	b.write(e.Op)
	least := levelUnary
	if e.Op == "-" || e.Op == "+" || e.Op == "&" {
		if signed(e.X) { // keeps - and -1 apart, which together are another operator
			least = levelPostfix
		}
	}
	b.expr(e.X, least, depth)
}

// signed reports whether the text of an operand starts with a sign.
func signed(e Expr) bool {
	text := Text(e)
	return text != "" && strings.ContainsRune("-+&", rune(text[0]))
}

// binary writes X op Y. Operators of one level lean left; a chain of them has its places to break at one depth.
func (b *inline) binary(e *Binary, depth int) {
	own := binaryLevels[e.Op]
	b.operand(e, e.X, own, depth)
	b.space(depth)
	b.write(e.Op + " ")
	b.operand(e, e.Y, own+1, depth+1)
}

func (b *inline) operand(parent *Binary, e Expr, least, depth int) {
	child, ok := e.(*Binary)
	if ok && confusing(parent.Op, child.Op) {
		least = levelPostfix
	}
	if ok && binaryLevels[child.Op] > binaryLevels[parent.Op] {
		depth++
	}
	b.expr(e, least, depth)
}

// confusing reports whether readers, and the warnings of compilers, want parentheses around an operator inside another even
// where precedence alone would do: && in ||, anything in a shift or a bit operation, shifts and comparisons in comparisons.
func confusing(outer, inner string) bool {
	o, i := binaryLevels[outer], binaryLevels[inner]
	if outer == inner && o != levelEqual && o != levelOrder && o != levelShift {
		return false
	}
	switch o {
	case levelOr:
		return i == levelAnd
	case levelBitOr, levelBitXor, levelBitAnd, levelShift:
		return true
	case levelEqual, levelOrder:
		return i <= levelShift && i >= levelBitOr
	}
	return false
}

func (b *inline) cond(e *Cond, depth int) {
	b.expr(e.C, levelOr, depth+1)
	b.space(depth)
	b.write("? ")
	b.expr(e.Then, levelOr, depth+1)
	b.space(depth)
	b.write(": ")
	b.expr(e.Else, levelCond, depth)
}

func (b *inline) member(e *Member, depth int) {
	b.expr(e.X, levelPostfix, depth)
	if e.Arrow {
		b.write("->" + e.Field)
		return
	}
	b.write("." + e.Field)
}

func (b *inline) sizeof(e *Sizeof, depth int) {
	if e.X == nil {
		b.write("sizeof(" + Declarator(e.Type, "") + ")")
		return
	}
	b.write("sizeof ")
	b.expr(e.X, levelUnary, depth)
}

func (b *inline) initializer(l *List, depth int) {
	b.write("{")
	for i, e := range l.Elems {
		if i > 0 {
			b.write(",")
			b.space(depth + 1)
		}
		if l.Fields != nil {
			b.write("." + l.Fields[i] + " = ")
		}
		b.expr(e, levelAssign, depth+2)
	}
	b.write("}")
}

// str writes a literal for each line of text.
func (b *inline) str(text string, depth int) {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if i > 0 && line == "" {
			break
		}
		if i > 0 {
			b.space(depth)
		}
		b.write(Quote(line))
	}
}
