package parser

import (
	"imgc/diag"
	"imgc/grammar"
	"imgc/syntax"
	"strings"
)

// Codes of what is wrong with a text before and beside its grammar.
const (
	codeBadChar     diag.Code = "IMG0101"
	codeBadUTF8     diag.Code = "IMG0102"
	codeOpenComment diag.Code = "IMG0103"
	codeOpenString  diag.Code = "IMG0104"
	codeBadNumber   diag.Code = "IMG0105"
	codeCharLiteral diag.Code = "IMG0106"
	codeDirective   diag.Code = "IMG0107"
	codeTooDeep     diag.Code = "IMG0108"
	codeTooLong     diag.Code = "IMG0109"
	codeColonCond   diag.Code = "IMG0118"
	codeDescend     diag.Code = "IMG0119"
	codeListComp    diag.Code = "IMG0120"
)

// checkTokens reports what is wrong with the tokens and whether they can be parsed at all.
func (p *parser) checkTokens() bool {
	for _, problem := range p.text.Problems {
		if p.tooManyErrors() {
			return false
		}
		p.lexical(problem)
	}
	return p.checkNesting()
}

const (
	maxNesting = 200  // of brackets, statements and conditionals: the depth of recursion of every later phase
	maxChain   = 2000 // operators and subscripts in one expression: they nest to the left in the tree
)

// level is what is open inside one bracket.
type level struct {
	open   string // the bracket; "" for the file
	nested int    // statements and conditionals that nest without brackets
	conds  int    // ? without their :
	chain  int    // operators and subscripts since the last separator
}

// checkNesting refuses what would recurse too deep. It follows brackets only as far as that needs: whether they match is
// the grammar's business.
func (p *parser) checkNesting() bool {
	stack := []level{{}}
	nested, signs := 0, 0
	for i, t := range p.tokens {
		top := &stack[len(stack)-1]
		before := top.nested
		signs = p.signRun(i, signs)
		switch {
		case grammar.StartsDecl(t):
			stack, nested, before = stack[:1], 0, 0
			stack[0] = level{}
			top = &stack[0]
		case t.Value == "(" || t.Value == "[" || t.Value == "{":
			stack = append(stack, level{open: t.Value})
		case t.Value == ")" || t.Value == "]" || t.Value == "}" || t.Value == ";":
			stack, nested = closed(stack, t.Value, p.value(i+1) == "else", nested)
			continue
		default:
			top.count(t, p.value(i-1))
		}
		nested += top.nested - before
		switch {
		case len(stack)+nested+signs > maxNesting:
			p.errorf(codeTooDeep, p.token(t), "nested more than %d levels deep", maxNesting).
				Note("split the expression with let, or move an inner part into a func or kernel")
			return false
		case top.chain > maxChain:
			p.errorf(codeTooLong, p.token(t), "more than %d operators in one expression", maxChain).
				Note("split the expression with let, or sum over a mask or an array")
			return false
		}
	}
	return true
}

// value is the text of a token, "" outside the file.
func (p *parser) value(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].Value
}

// signRun counts the signs that stand one behind the other up to token i.
func (p *parser) signRun(i, run int) int {
	if v := p.tokens[i].Value; v == "-" || v == "+" || v == "!" || v == "~" {
		return run + 1
	}
	return 0
}

// count brings a level up to date with a token that is no bracket and no semicolon.
func (l *level) count(t grammar.Token, previous string) {
	switch t.Value {
	case "?":
		l.nested++
		l.conds++
	case ":":
		if l.conds > 0 {
			l.conds--
		} else {
			l.nested++ // perhaps a label
		}
	case "if":
		if previous != "else" {
			l.nested++
		}
	case "for", "while", "iterate", "else":
		l.nested++
	case ",":
		l.nested, l.conds, l.chain = 0, 0, 0
	case ".":
		l.chain++
	default:
		if t.Type == grammar.BinaryOp || t.Type == grammar.SignOp {
			l.chain++
		}
	}
}

// closed pops the levels that a closing bracket or a semicolon ends; no semicolon stands inside parentheses.
func closed(stack []level, by string, elseFollows bool, nested int) ([]level, int) {
	opening := map[string]string{")": "(", "]": "[", "}": "{"}[by]
	n := len(stack)
	if opening == "{" || by == ";" {
		for n > 1 && stack[n-1].open != "{" {
			n--
			nested -= stack[n].nested
		}
	}
	if opening != "" && n > 1 && stack[n-1].open == opening {
		n--
		nested -= stack[n].nested
	}
	stack = stack[:n]
	top := &stack[n-1]
	switch {
	case by == "]":
		top.chain++
	case by != ")":
		if !elseFollows {
			nested -= top.nested
			top.nested = 0
		}
		top.conds, top.chain = 0, 0
	}
	return stack, nested
}

// checkColons wants parentheses around a conditional beside the colon of a range or window: c ? 0 : 1 : H does not show
// which colon belongs to the question mark.
func (p *parser) checkColons(parts ...syntax.Expr) {
	if len(parts) < 2 || parts[1] == nil {
		return
	}
	for _, x := range parts {
		if c, ok := x.(*syntax.Cond); ok {
			p.errorf(codeColonCond, c.At, "a conditional beside ':' needs parentheses").
				Note("write (%s)", oneLine(c.At.Text()))
		}
	}
}

// checkDescend wants a count where there is a block: descend { } would look like a block that runs once.
func (p *parser) checkDescend(d *syntax.Descend, word grammar.Token) {
	if d.Between != nil && d.Times == nil {
		p.errorf(codeDescend, p.token(word), "descend with a block needs a count").
			Note("descend n { ... } descends n times and runs the block between two descents; descend; descends once")
	}
}

// checkList wants one element in front of the for of a comprehension.
func (p *parser) checkList(l *syntax.List) {
	if l.For == nil || len(l.Elems) == 1 {
		return
	}
	p.errorf(codeListComp, l.Elems[1].Span(), "a comprehension has one element expression, this one has %d", len(l.Elems)).
		Note("for rows of several values write a comprehension of lists: [[a, b] for ...]")
}

// oneLine shortens a text for a message.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
