package grammar

import (
	"fmt"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
)

// root reaches every production. Blocks are groups to participle; their bodies stand here so that String prints them.
type root struct {
	File      *file          `parser:"  @@"`
	Block     *blockBody     `parser:"| @@"`
	Frames    *framesBody    `parser:"| @@"`
	Decisions *decisionsBody `parser:"| @@"`
}

type file struct {
	Decls []*Decl `parser:"@@*"`
}

type blockBody struct {
	Stmts []*Stmt `parser:"'{' @@* '}'"`
}

type framesBody struct {
	Frames []*Frame `parser:"'{' @@* '}'"`
}

type decisionsBody struct {
	Stages []*Decision `parser:"'{' @@* '}'"`
}

// Parsers holds a parser for each production that is parsed on its own. They have no state and may be used concurrently.
type Parsers struct {
	Decl     *participle.Parser[Decl]
	Stmt     *participle.Parser[Stmt]
	Frame    *participle.Parser[Frame]
	Decision *participle.Parser[Decision]
	Expr     *participle.Parser[Expr]
	root     *participle.Parser[root]
}

// Get returns the parsers; they are built at the first call.
var Get = sync.OnceValue(func() *Parsers {
	// With look-ahead 0 an error is reported at the token where it stands, not at the start of the construct.
	r := participle.MustBuild[root](participle.Lexer(definition{}), participle.UseLookahead(0))
	return &Parsers{
		Decl: production[Decl](r), Stmt: production[Stmt](r), Frame: production[Frame](r),
		Decision: production[Decision](r), Expr: production[Expr](r), root: r,
	}
})

func production[P any](r *participle.Parser[root]) *participle.Parser[P] {
	p, err := participle.ParserForProduction[P](r)
	if err != nil {
		panic(err) // root does not reach P
	}
	return p
}

// EBNF returns the grammar, a production on each line: the productions as the parser has them, then the tokens.
// ? is optional, * any number, + at least one; <name> is a token.
func EBNF() string {
	var b strings.Builder
	for _, line := range strings.Split(Get().root.String(), "\n") {
		if strings.HasPrefix(line, "Root = ") {
			continue
		}
		b.WriteString(bodies.Replace(line))
		b.WriteByte('\n')
	}
	for _, t := range terminals() {
		fmt.Fprintf(&b, "<%s> = %s .\n", t.name, t.text)
	}
	return b.String()
}

var bodies = strings.NewReplacer("BlockBody", "Block", "FramesBody", "Frames", "DecisionsBody", "Decisions", "(Numbers | Expr)", "Expr")

type terminal struct{ name, text string }

func terminals() []terminal {
	return []terminal{
		{"ident", "letter (letter | digit)*  -- letters are ASCII and _; not a keyword, not a type"},
		{"type", `("bool" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "f16" | "bf16" | "f32" | "f64") ("x2" | "x3" | "x4")?`},
		{"int", `(digits | "0x" hexdigits) ("u" | "l" | "ul")?  -- no leading zero`},
		{"float", `(digits "." digits exponent? | digits exponent) ("f" | "d" | "h")?`},
		{"string", `'"' any character but '"' and the line end '"'`},
		{"binaryop", quoted(operators[BinaryOp])},
		{"signop", quoted(operators[SignOp])},
		{"notop", quoted(operators[NotOp])},
		{"assignop", quoted(operators[AssignOp])},
		{"keyword", quoted(Keywords())},
	}
}

func quoted(words []string) string { return `"` + strings.Join(words, `" | "`) + `"` }
