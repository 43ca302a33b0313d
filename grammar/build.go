package grammar

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
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
	Decl     *Production[Decl]
	Stmt     *Production[Stmt]
	Frame    *Production[Frame]
	Decision *Production[Decision]
	Expr     *Production[Expr]
	root     *participle.Parser[root]
}

// A Production parses one production: by prediction, and where that fails by participle, whose errors say what was expected.
type Production[P any] struct {
	rule       *rule
	participle *participle.Parser[P]
}

// Parse parses what stands next. The tokens behind it are left alone.
func (p *Production[P]) Parse(lex *lexer.PeekingLexer) (*P, error) {
	start := lex.MakeCheckpoint()
	node := new(P)
	if p.rule.fill(lex, reflect.ValueOf(node)) == matched {
		return node, nil
	}
	lex.LoadCheckpoint(start)
	return p.participle.ParseFromLexer(lex, participle.AllowTrailing(true))
}

// ParseAll parses all that there is.
func (p *Production[P]) ParseAll(lex *lexer.PeekingLexer) (*P, error) {
	return p.participle.ParseFromLexer(lex)
}

// Get returns the parsers; they are built at the first call.
var Get = sync.OnceValue(func() *Parsers {
	// With look-ahead 0 an error is reported at the token where it stands, not at the start of the construct.
	r := participle.MustBuild[root](participle.Lexer(definition{}), participle.UseLookahead(0))
	known := map[reflect.Type]*rule{}
	return &Parsers{
		Decl: production[Decl](r, known), Stmt: production[Stmt](r, known), Frame: production[Frame](r, known),
		Decision: production[Decision](r, known), Expr: production[Expr](r, known), root: r,
	}
})

func production[P any](r *participle.Parser[root], known map[reflect.Type]*rule) *Production[P] {
	p, err := participle.ParserForProduction[P](r)
	if err != nil {
		panic(err) // root does not reach P
	}
	made := ruleOf(reflect.TypeFor[P](), known)
	made.prepare(map[*rule]bool{})
	return &Production[P]{made, p}
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
