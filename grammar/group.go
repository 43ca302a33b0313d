package grammar

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// A Group is the tokens between braces, passed over whole. Whoever parses goes back to Inside and takes them one by one, so
// that an error in one statement costs no other, and nothing about errors has to be kept in the grammar.
type Group struct {
	Open   int              // index of '{' among the text's tokens
	Close  int              // index of the '}', or of the token before which it is missing
	Inside lexer.Checkpoint // stands behind the '{'
}

// Parse implements participle.Parseable.
func (g *Group) Parse(lex *lexer.PeekingLexer) error {
	if lex.Peek().Value != "{" {
		return participle.NextMatch
	}
	g.Open = int(lex.RawCursor())
	lex.Next()
	g.Inside = lex.MakeCheckpoint()
	for depth := 1; ; lex.Next() {
		t := lex.Peek()
		switch {
		case t.EOF() || StartsDecl(*t):
			g.Close = int(lex.RawCursor())
			return nil
		case t.Value == "{":
			depth++
		case t.Value == "}":
			if depth--; depth == 0 {
				g.Close = int(lex.RawCursor())
				lex.Next()
				return nil
			}
		}
	}
}

// StartsDecl reports whether a token in the first column starts a declaration, so that braces before it must be closed.
func StartsDecl(t Token) bool {
	return t.Pos.Column == 1 && t.Type == Keyword && declWords[t.Value]
}

var declWords = setOf("import const mask domain func extern kernel pipeline schedule")

// Block is { statements }.
type Block struct{ Group }

// Frames are the { lines } of a border by formula.
type Frames struct{ Group }

// Decisions are the { decisions } of a schedule.
type Decisions struct{ Group }
