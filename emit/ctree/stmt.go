package ctree

import "imgc/source"

// A Stmt is a C statement.
type Stmt interface {
	place() source.Span
	stmt()
}

// Pos is where a statement comes from; statements embed it. The zero Span is nowhere.
type Pos struct{ At source.Span }

func (p Pos) place() source.Span { return p.At }
func (Pos) stmt()                {}

type (
	// Declare declares a variable. Prefix is a storage class or qualifier, such as "static" or "const".
	Declare struct {
		Pos
		Prefix string
		Type   Type
		Name   string
		Init   Expr
	}
	// Set is Target = Value. The printer writes x += e for x = x + e.
	Set struct {
		Pos
		Target, Value Expr
	}
	// Do evaluates an expression.
	Do struct {
		Pos
		X Expr
	}
	// If has an optional Else; one that is a single If becomes "else if".
	If struct {
		Pos
		Cond       Expr
		Then, Else []Stmt
	}
	// For is for (Init; Cond; Next). Init is a Declare, Set or nil, Next a Set, Do or nil.
	For struct {
		Pos
		Init Stmt
		Cond Expr
		Next Stmt
		Body []Stmt
	}
	While struct {
		Pos
		Cond Expr
		Body []Stmt
	}
	// Until is do Body while (Cond).
	Until struct {
		Pos
		Body []Stmt
		Cond Expr
	}
	// Switch runs the body of the Case that X equals; each body ends with a break of its own unless it ends in a jump.
	Switch struct {
		Pos
		X     Expr
		Cases []Case
	}
	Return struct {
		Pos
		X Expr
	}
	Break    struct{ Pos }
	Continue struct{ Pos }
	Goto     struct {
		Pos
		Label string
	}
	Label struct {
		Pos
		Name string
	}
	Block struct {
		Pos
		Body []Stmt
	}
	// Note is a comment; each line of Text is one.
	Note struct {
		Pos
		Text string
	}
	// Gap is an empty line.
	Gap struct{ Pos }
	// Verbatim is text that stands for itself: a directive, or an embedded statement. Its lines are not indented where they
	// start with #.
	Verbatim struct {
		Pos
		Text string
	}
)

// A Case of a Switch; no Values make it the default.
type Case struct {
	Values []Expr
	Body   []Stmt
}

// A Decl is a declaration at the top level of a file.
type Decl interface{ decl() }

type (
	// Func is a function's definition, or with Prototype its declaration. Head is a line of its own before it: qualifiers,
	// attributes. Prefix stands before the result type: "static".
	Func struct {
		Doc       string
		Head      string
		Prefix    string
		Result    Type
		Name      string
		Params    []Param
		Prototype bool
		Body      []Stmt
		At        source.Span
	}
	// Global is a variable or constant.
	Global struct {
		Doc    string
		Prefix string
		Type   Type
		Name   string
		Init   Expr
		At     source.Span
	}
	// Struct defines struct Name; with Typedef also a type Name.
	Struct struct {
		Doc     string
		Name    string
		Fields  []Field
		Typedef bool
	}
	// Enum defines enum Name; with Typedef also a type Name.
	Enum struct {
		Doc     string
		Name    string
		Values  []EnumValue
		Typedef bool
	}
	// Typedef is typedef Type Name.
	Typedef struct {
		Doc  string
		Type Type
		Name string
	}
	// Directive is a line for the preprocessor, "#" included.
	Directive struct{ Text string }
	// Remark is a comment; each line of Text is one. It belongs to what follows unless Apart.
	Remark struct {
		Text  string
		Apart bool
	}
	// Raw is text that stands for itself.
	Raw struct{ Text string }
)

// A Field of a Struct; Doc stands before it.
type Field struct {
	Doc  string
	Type Type
	Name string
}

// An EnumValue is a constant of an Enum; Value nil is the next number.
type EnumValue struct {
	Doc   string
	Name  string
	Value Expr
}

func (*Func) decl()     {}
func (*Global) decl()   {}
func (*Struct) decl()   {}
func (*Enum) decl()     {}
func (*Typedef) decl()  {}
func (Directive) decl() {}
func (*Remark) decl()   {}
func (*Raw) decl()      {}

// A File is a sequence of declarations.
type File struct{ Decls []Decl }

// Add appends declarations.
func (f *File) Add(d ...Decl) { f.Decls = append(f.Decls, d...) }
