package parser

import (
	"errors"
	"sort"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"imgc/grammar"
	"imgc/source"
)

// context is what a parsed item stands in.
type context int

const (
	inFile     context = iota // declarations
	inBlock                   // statements
	inBorder                  // frames of a border by formula
	inSchedule                // decisions
	inExpr                    // an expression is the whole text
)

// A failure is what is known where the grammar could not go on.
type failure struct {
	*parser
	in     context
	first  int    // index of the item's first token
	at     int    // index of the token that does not fit; the number of tokens at the end of the file
	stmt   int    // index of the first token of the innermost statement around it
	opener int    // index of the innermost ( or [ that is open before it; -1 if there is none
	expect string // the symbol of the grammar that was expected; "" where an item should start
}

func (p *parser) newFailure(in context, first int, err error) *failure {
	f := &failure{parser: p, in: in, first: first, at: first, stmt: first, opener: -1}
	var unexpected *participle.UnexpectedTokenError
	var perr participle.Error
	switch {
	case errors.As(err, &unexpected):
		f.at = p.indexOf(unexpected.Unexpected.Pos.Offset)
		f.expect = firstSymbol(unexpected.Message())
	case errors.As(err, &perr):
		f.at = p.indexOf(perr.Position().Offset)
	}
	if f.at == first && in != inExpr {
		f.expect = "" // not what some item may start with, but an item
	}
	f.findOpener()
	f.findStatement()
	return f
}

// firstSymbol takes the first symbol of the production that participle names in a message: `";"`, `Operand`, `<ident>`.
func firstSymbol(message string) string {
	_, production, found := strings.Cut(message, "(expected ")
	if !found {
		return ""
	}
	production = strings.TrimLeft(production, "(")
	if strings.HasPrefix(production, `"`) {
		if end := strings.Index(production[1:], `"`); end >= 0 {
			return production[:end+2]
		}
	}
	return strings.TrimRight(strings.Fields(production + " ")[0], ")?*+")
}

// findOpener looks for the bracket that is open where the failure is.
func (f *failure) findOpener() {
	var open []int
	for i := f.first; i < f.at; i++ {
		switch f.value(i) {
		case "(", "[":
			open = append(open, i)
		case ")", "]":
			if n := len(open); n > 0 {
				open = open[:n-1]
			}
		case "{":
			i = f.closing(i, f.at)
		}
	}
	if n := len(open); n > 0 {
		f.opener = open[n-1]
	}
}

// closing returns the index of the bracket that closes the one at open, or end.
func (p *parser) closing(open, end int) int {
	opening := p.value(open)
	closer := closers[opening]
	depth := 0
	for i := open; i < end; i++ {
		switch p.value(i) {
		case opening:
			depth++
		case closer:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return end
}

var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// findStatement goes from the item's first token through the heads of if, for, while, iterate and labels to the statement
// around the failure.
func (f *failure) findStatement() {
	if f.in != inBlock {
		return
	}
	for next := f.first; next >= 0 && next < len(f.tokens) && (next < f.at || next == f.at && f.expect != "Stmt"); {
		f.stmt = next
		next = f.body(next)
	}
}

// body returns the index behind the head of the statement at i, where its body starts; -1 if it has no body before the failure.
func (f *failure) body(i int) int {
	end := -1
	switch v := f.value(i); {
	case v == "else":
		return i + 1
	case (v == "if" || v == "for" || v == "while") && f.value(i+1) == "(":
		end = f.closing(i+1, f.at) + 1
	case v == "iterate":
		return f.behindClauses(i)
	case v == "{":
		end = f.closing(i, f.at) + 1
	case f.tokens[i].Type == grammar.Ident && f.value(i+1) == ":":
		return i + 2
	}
	if end < 0 || end > f.at {
		return -1
	}
	return end
}

// behindClauses returns the index of the statement that an iterate runs.
func (f *failure) behindClauses(i int) int {
	i++
	if f.value(i) == "independent" {
		i++
	}
	for i < f.at {
		switch v := f.value(i); {
		case v == "(" || v == "[":
			i = f.closing(i, f.at) + 1
		case v == "over", v == "where", v == "scan", v == "border":
			if i++; f.value(i) != "(" {
				i++
			}
		default:
			return i
		}
	}
	return -1
}

// head is the first word of the innermost statement or of the declaration.
func (f *failure) head() string {
	if f.in == inFile && (f.value(f.first) == "commutative" || f.value(f.first) == "extern") {
		return f.value(f.first + 1)
	}
	return f.value(f.stmt)
}

// got is the text n tokens behind the one that does not fit.
func (f *failure) got(n int) string { return f.value(f.at + n) }

// kind is the kind of the token n behind the one that does not fit.
func (f *failure) kind(n int) lexer.TokenType {
	if i := f.at + n; i >= 0 && i < len(f.tokens) {
		return f.tokens[i].Type
	}
	return grammar.EOF
}

func (f *failure) is(n int, kinds ...lexer.TokenType) bool {
	for _, k := range kinds {
		if f.kind(n) == k {
			return true
		}
	}
	return false
}

// touching reports whether token n and the one behind it stand without a blank between them.
func (f *failure) touching(n int) bool {
	i := f.at + n
	return i >= 0 && i+1 < len(f.tokens) && f.token(f.tokens[i]).End == f.tokens[i+1].Pos.Offset
}

// newLine reports whether the token that does not fit stands on another line than the one before, or is the end of the file.
func (f *failure) newLine() bool {
	return f.at >= len(f.tokens) || f.at > 0 && f.tokens[f.at].Pos.Line > f.tokens[f.at-1].Pos.Line
}

// here is the token that does not fit.
func (f *failure) here() source.Span { return f.from(0, 0) }

// from is the span of the tokens m to n behind the one that does not fit.
func (f *failure) from(m, n int) source.Span {
	last := len(f.tokens) - 1
	if last < 0 || f.at+m > last {
		return f.behind(last)
	}
	return f.token(f.tokens[max(0, f.at+m)]).To(f.token(f.tokens[min(last, f.at+n)]))
}

// behind is the place where a token is missing: the end of token i.
func (f *failure) behind(i int) source.Span {
	if i < 0 || len(f.tokens) == 0 {
		return f.span(0, 0)
	}
	end := f.token(f.tokens[min(i, len(f.tokens)-1)]).End
	return f.span(end, end)
}

// missing is where something was expected: behind the token before if the next stands on another line, else that.
func (f *failure) missing() source.Span {
	if f.newLine() && f.at > f.first {
		return f.behind(f.at - 1)
	}
	return f.here()
}

// spoilt reports whether the scanner has already complained about what stands at or before the failure.
func (f *failure) spoilt() bool {
	from := f.from(-1, 0)
	problems := f.text.Problems
	i := sort.Search(len(problems), func(i int) bool { return problems[i].End > from.Start })
	return i < len(problems) && problems[i].Start < from.End
}

// found names the token that does not fit.
func (f *failure) found() string { return f.describe(f.at) }

func (p *parser) describe(i int) string {
	if i >= len(p.tokens) {
		return "the end of the file"
	}
	t := p.tokens[i]
	switch t.Type {
	case grammar.Keyword:
		return "the keyword '" + t.Value + "'"
	case grammar.Int, grammar.Float, grammar.String:
		return short(t.Value)
	}
	return "'" + short(t.Value) + "'"
}

// short keeps a text readable inside a sentence.
func short(text string) string {
	const most = 40
	if r := []rune(oneLine(text)); len(r) > most {
		return string(r[:most]) + "..."
	} else {
		return string(r)
	}
}
