package parser

import (
	"sort"

	"github.com/alecthomas/participle/v2/lexer"

	"imgc/diag"
	"imgc/grammar"
	"imgc/source"
	"imgc/syntax"
)

// Parse returns the syntax tree of a file and reports to diags what is wrong with its syntax. After errors the tree holds
// the declarations and statements that could be parsed. It takes time linear in the text and may be called concurrently.
func Parse(file *source.File, diags *diag.List) *syntax.File {
	p := newParser(file, diags)
	out := &syntax.File{Source: file}
	for _, c := range p.text.Comments {
		at := source.Span{File: file, Start: c.Start, End: c.End}
		out.Comments = append(out.Comments, syntax.Comment{Place: syntax.Place{At: at}, Text: at.Text()})
	}
	if p.checkTokens() {
		out.Decls = p.decls()
	}
	if p.tooManyErrors() {
		diags.Infof("", p.span(0, 0), "only the first %d syntax errors are reported", maxErrors)
	}
	return out
}

// ParseExpr parses a text that is one expression, such as the value of -D NAME=VALUE. It returns nil after an error.
func ParseExpr(file *source.File, diags *diag.List) syntax.Expr {
	p := newParser(file, diags)
	if !p.checkTokens() {
		return nil
	}
	e, err := p.grammar.Expr.ParseAll(p.lex)
	if err != nil {
		p.report(inExpr, 0, err)
		return nil
	}
	if x := p.expr(e); !p.failed {
		return x
	}
	return nil
}

// parser is the state of one parse.
type parser struct {
	file    *source.File
	diags   *diag.List
	text    *grammar.Text
	tokens  []grammar.Token
	lex     *lexer.PeekingLexer
	grammar *grammar.Parsers
	errors  int  // reported so far
	open    int  // index of the token before which a '}' was last reported missing, plus 1
	failed  bool // an error was reported
}

func newParser(file *source.File, diags *diag.List) *parser {
	text := grammar.Scan(file.Text)
	return &parser{file: file, diags: diags, text: text, tokens: text.Tokens, lex: text.Lexer, grammar: grammar.Get()}
}

// at is the index of the next token.
func (p *parser) at() int { return int(p.lex.RawCursor()) }

// jump goes forward to the token with index i.
func (p *parser) jump(i int) {
	for p.at() < i {
		p.lex.Next()
	}
}

// indexOf finds the token at, or the first behind, a byte offset.
func (p *parser) indexOf(offset int) int {
	return sort.Search(len(p.tokens), func(i int) bool { return p.tokens[i].Pos.Offset >= offset })
}

// decls parses the declarations up to the end of the file.
func (p *parser) decls() []syntax.Decl {
	return parseAll(p, inFile, len(p.tokens), p.grammar.Decl, p.decl)
}

// within parses what stands in a brace group and goes on behind it.
func within[G, N any](p *parser, g grammar.Group, in context, prod *grammar.Production[G], convert func(*G) N) []N {
	back := p.lex.MakeCheckpoint()
	defer p.lex.LoadCheckpoint(back)
	p.lex.LoadCheckpoint(g.Inside)
	p.checkClosed(g)
	return parseAll(p, in, g.Close, prod, convert)
}

// parseAll parses one item after the other up to the token with index end. An item with an error is reported and left out.
func parseAll[G, N any](p *parser, in context, end int, prod *grammar.Production[G], convert func(*G) N) []N {
	var out []N
	for p.at() < end && !p.tooManyErrors() {
		start := p.lex.MakeCheckpoint()
		g, err := prod.Parse(p.lex)
		if err == nil {
			out = append(out, convert(g))
			continue
		}
		first := int(start.RawCursor())
		at, next := p.report(in, first, err)
		p.lex.LoadCheckpoint(start)
		p.resume(in, first, at, next, end)
	}
	return out
}

// maxErrors bounds the messages about a text that is no img program.
const maxErrors = 200

func (p *parser) tooManyErrors() bool { return p.errors >= maxErrors }

// errorf reports a syntax error.
func (p *parser) errorf(code diag.Code, at source.Span, format string, args ...any) *diag.Diagnostic {
	p.errors++
	p.failed = true
	return p.diags.Errorf(code, at, format, args...)
}
