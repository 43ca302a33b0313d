package grammar

import (
	"io"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// A Token is a lexical element. Its Value is its text as written; Pos.Offset counts bytes from 0, Pos.Line and Pos.Column
// count lines and bytes from 1.
type Token = lexer.Token

// The kinds of tokens. Literals in productions match by text, whatever the kind.
const (
	EOF                      = lexer.EOF
	Ident    lexer.TokenType = iota // a name, contextual words included
	Keyword                         // a reserved word
	Type                            // an element type: u8, f32x4
	Int                             // 12, 0xff, 3u
	Float                           // 1.5, 2e-3, 0.5f
	String                          // "text", with its quotes
	BinaryOp                        // an operator between two operands, + and - aside
	SignOp                          // + and -, between two operands or in front of one
	NotOp                           // ! and ~
	AssignOp                        // = += and so on
	Punct                           // brackets ? : ; , .
)

var kindNames = map[string]lexer.TokenType{
	"EOF": EOF, "Ident": Ident, "Keyword": Keyword, "Type": Type, "Int": Int, "Float": Float, "String": String,
	"BinaryOp": BinaryOp, "SignOp": SignOp, "NotOp": NotOp,
	"AssignOp": AssignOp, "Punct": Punct,
}

// operators lists the tokens without letters and digits by kind; the scanner takes the longest that fits.
var operators = map[lexer.TokenType][]string{
	BinaryOp: {"||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "*", "/", "%", ".*", "./"},
	SignOp:   {"+", "-"},
	NotOp:    {"!", "~"},
	AssignOp: {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="},
	Punct:    {"(", ")", "[", "]", "{", "}", "?", ":", ";", ",", "."},
}

// keywords are the reserved words; all other words of the grammar are names where they mean nothing else.
var keywords = setOf(`import const mask domain border func extern kernel pipeline schedule in out inout image pyramid view let
	var if else for while break continue return iterate over where scan traverse descend sat bitcast true false`)

// Keywords returns the reserved words in alphabetical order.
func Keywords() []string { return sorted(keywords) }

// isType reports whether a word is an element type: a scalar kind, alone or with x2, x3 or x4.
func isType(word string) bool {
	base := word
	if n := len(word); n > 2 && word[n-2] == 'x' && strings.IndexByte("234", word[n-1]) >= 0 {
		base = word[:n-2]
	}
	return scalars[base]
}

var scalars = setOf("bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64")

// definition gives participle the kinds; texts are scanned by Scan alone, which also reports what is wrong with them.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return kindNames }

func (definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(string(text)), nil
}
