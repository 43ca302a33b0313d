package grammar

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// An Expr is operands with operators between them, flat: precedence is resolved after the parse. It may end in ? : .
type Expr struct {
	Head *Unary    `parser:"@@"`
	Tail []*OpTerm `parser:"@@*"`
	Then *Expr     `parser:"( '?' @@ ':'"`
	Else *Expr     `parser:"  @@ )?"`
}

// An OpTerm is an operator and its right operand.
type OpTerm struct {
	Op  Token  `parser:"@( BinaryOp | SignOp )"`
	Rhs *Unary `parser:"@@"`
}

// A Unary is signs, an operand, and subscripts or fields. Signs bind less than subscripts.
type Unary struct {
	Signs []Token   `parser:"@( ( SignOp | NotOp )* )"`
	X     *Operand  `parser:"@@"`
	Tail  []*Suffix `parser:"@@*"`
}

// A Suffix is a subscript or a field.
type Suffix struct {
	Sub   *Subscript `parser:"  @@"`
	Field *Field     `parser:"| @@"`
}

// A Field is .name: a component, a property of an image, a coordinate, or what an import has a prefix for; the last may be
// called.
type Field struct {
	Name Token `parser:"'.' @Ident"`
	Args *Args `parser:"@@?"`
}

// A Subscript is [*], [start], [start : count] or [start : count : stride].
type Subscript struct {
	Tokens []Token
	Star   bool  `parser:"'[' ( @'*'"`
	Start  *Expr `parser:"| @@"`
	Count  *Expr `parser:"  ( ':' @@"`
	Stride *Expr `parser:"    ( ':' @@ )? )? ) ']'"`
}

// An Operand is a literal, a name, a call, a conversion, a list or an expression in parentheses.
type Operand struct {
	Literal Token     `parser:"  @( Int | Float | 'true' | 'false' )"`
	Name    *NameCall `parser:"| @@"`
	Generic *Generic  `parser:"| @@"`
	Conv    *Conv     `parser:"| @@"`
	List    *List     `parser:"| @@"`
	Paren   *Paren    `parser:"| @@"`
}

// A NameCall is a name, or a call.
type NameCall struct {
	Name Token `parser:"@Ident"`
	Args *Args `parser:"@@?"`
}

// A Generic is sat<T>(e) or bitcast<T>(e). The words are reserved, so that < is no comparison.
type Generic struct {
	Word Token    `parser:"@( 'sat' | 'bitcast' ) '<'"`
	Type *TypeRef `parser:"@@ '>'"`
	Args *Args    `parser:"@@"`
}

// A Conv is T(e).
type Conv struct {
	Type Token `parser:"@Type"`
	Args *Args `parser:"@@"`
}

// Args is (e, ...) or (e for ...).
type Args struct {
	Tokens []Token
	List   []*Expr `parser:"'(' ( @@ ( ',' @@ )*"`
	For    *Comp   `parser:"  ( 'for' @@ )? )? ')'"`
}

// A List is [e, ...] or [e for ...]. Numbers holds its first elements where they are numbers, List the others.
type List struct {
	Tokens  []Token
	Numbers *Numbers `parser:"'[' ( ( @@"`
	List    []*Expr  `parser:"    | @@ ) ( ',' @@ )*"`
	For     *Comp    `parser:"  ( 'for' @@ )? )? ']'"`
}

// Numbers are elements of a list, up to the last that is a mere number. Tables of many thousands are common, and participle
// takes some dozens of allocations for an Expr; this takes them in one step. It is no production of its own: EBNF leaves it out.
type Numbers struct {
	Tokens []Token // numbers with a '-' or none in front, and the commas between them
}

// Parse implements participle.Parseable.
func (n *Numbers) Parse(lex *lexer.PeekingLexer) error {
	start := lex.RawCursor()
	taken := lex.MakeCheckpoint()
	for more := true; more; {
		if lex.Peek().Value == "-" {
			lex.Next()
		}
		if kind := lex.Peek().Type; kind != Int && kind != Float {
			break
		}
		lex.Next()
		switch lex.Peek().Value {
		case "]":
			more = false
			taken = lex.MakeCheckpoint()
		case ",":
			taken = lex.MakeCheckpoint()
			lex.Next()
		default:
			more = false
		}
	}
	lex.LoadCheckpoint(taken)
	if taken.RawCursor() == start {
		return participle.NextMatch
	}
	n.Tokens = lex.Range(start, taken.RawCursor())
	return nil
}

// A Paren is (e).
type Paren struct {
	Tokens []Token
	X      *Expr `parser:"'(' @@ ')'"`
}

// A Comp is the iteration of a comprehension.
type Comp struct {
	Tokens []Token
	Names  []*Name `parser:"  '(' @@ ( ',' @@ )* ')'"`
	Over   *Ref    `parser:"  'over' @@"`
	Vars   []*Var  `parser:"| @@ ( ',' @@ )*"`
}
