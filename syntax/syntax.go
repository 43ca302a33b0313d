package syntax

import "imgc/source"

// A Node is anything that stands somewhere in a file.
type Node interface{ Span() source.Span }

// Place is the span of a node; every node embeds it.
type Place struct{ At source.Span }

func (p Place) Span() source.Span { return p.At }

// A Name is an identifier where it stands.
type Name struct {
	Place
	Text string
}

// A File is one parsed text. After errors it holds what could be parsed.
type File struct {
	Source   *source.File
	Decls    []Decl
	Comments []Comment // in the order of the text
}

// A Comment is a // or /* */ comment with its delimiters, without the line end.
type Comment struct {
	Place
	Text string
}

// ---- declarations

// A Decl is a top-level declaration.
type Decl interface {
	Node
	decl()
}

type (
	// Import is import "path" [as Prefix];
	Import struct {
		Place
		Path   string // unquoted
		PathAt source.Span
		As     *Name // nil without a prefix
	}
	// Const is const Name [: Type] = Value;
	Const struct {
		Place
		Name  Name
		Type  *Type // nil where it is inferred
		Value Expr
	}
	// Mask is mask Name : Type = Value;
	Mask struct {
		Place
		Name  Name
		Type  *Type
		Value Expr
	}
	// Domain is domain Name[d]...[d] [= Value]; without a value every entry is set.
	Domain struct {
		Place
		Name  Name
		Dims  []Expr
		Value Expr // nil for a full domain
	}
	// Border is border Name(Image[: Elem][size]...) { Frames } [else Else].
	Border struct {
		Place
		Name   Name
		Image  Name
		Elem   *Type // nil for any element type
		Sizes  []Name
		Frames []*Frame
		Else   *Rule // nil without
	}
	// Func is [commutative] func Name[<Tvars>](Params): Result = Value; or with a Body.
	Func struct {
		Place
		Commutative bool
		Name        Name
		Tvars       []Name
		Params      []*FuncParam
		Result      *Type
		Value       Expr   // nil with a body
		Body        *Block // nil with a value
	}
	// Extern is extern func Name(Params)[: Result] reads(...) writes(...) from lang "file" ...;
	Extern struct {
		Place
		Name    Name
		Params  []*FuncParam
		Result  *Type // nil without
		Access  []*Access
		Sources []*ExternSource
	}
	// Kernel is a kernel or, with Pipeline set, an entry point.
	Kernel struct {
		Place
		Pipeline bool
		Name     Name
		Tvars    []Name
		Params   []*Param
		Body     *Block
	}
	// Schedule is schedule Name [on "device"] { decisions }.
	Schedule struct {
		Place
		Name      Name
		Device    string
		HasDevice bool
		Stages    []*Decision
	}
)

func (*Import) decl()   {}
func (*Const) decl()    {}
func (*Mask) decl()     {}
func (*Domain) decl()   {}
func (*Border) decl()   {}
func (*Func) decl()     {}
func (*Extern) decl()   {}
func (*Kernel) decl()   {}
func (*Schedule) decl() {}

// A Frame is one line of a border by formula: Image[place]...[place] = Value;
type Frame struct {
	Place
	Image  Name
	Places []FramePlace
	Value  Expr
}

// A FramePlace is [*], [-n] or [+n].
type FramePlace struct {
	Place
	Star bool
	Sign byte   // '-' or '+' where Star is false
	N    string // the integer's spelling
}

// A Rule is a border rule: a name and, for constant, its value.
type Rule struct {
	Place
	Name Name
	Arg  Expr // nil without
}

// Dir says which way a parameter's data flows.
type Dir uint8

const (
	NoDir Dir = iota // a func parameter without a direction
	In
	Out
	InOut
)

// String is the keyword, "" for NoDir.
func (d Dir) String() string { return [...]string{"", "in", "out", "inout"}[d] }

// FuncParam is [dir] Name: Type of a func or extern func.
type FuncParam struct {
	Place
	Dir  Dir
	Name Name
	Type *Type
}

// Param is dir Name: [mask] Type [border Rule] [= Default] of a kernel or pipeline.
type Param struct {
	Place
	Dir     Dir
	Name    Name
	Mask    bool
	Type    *Type
	Border  *Rule // nil without
	Default Expr  // nil without
}

// Access is reads(...) or writes(...) of an extern func; its windows are start : count.
type Access struct {
	Place
	Writes bool
	Refs   []Expr
}

// ExternSource is a language and a file: opencl "f.cl".
type ExternSource struct {
	Place
	Lang Name
	File string
}

// A Type is a base name and extents. An extent may have a lower bound: [lo : hi].
type Type struct {
	Place
	Base Name
	Dims []*Dim
}

// A Dim is [Hi], Lo nil, or [Lo : Hi].
type Dim struct {
	Place
	Lo, Hi Expr
}

// A Decision is label: items; of a schedule.
type Decision struct {
	Place
	Label Name
	Items []*Item
}

// An Item is name or name(args).
type Item struct {
	Place
	Name  Name
	Paren bool // written with parentheses
	Args  []*ItemArg
}

// An ItemArg is an integer, a name, or name: value.
type ItemArg struct {
	Place
	Name  *Name  // nil for an integer
	Value Expr   // the value after ':'; nil without
	Int   string // the integer's spelling where Name is nil
}

// ---- statements

// A Stmt is a statement of a pipeline, kernel, func or iterate body.
type Stmt interface {
	Node
	stmt()
}

type (
	// Empty is a lone semicolon.
	Empty struct{ Place }
	// Block is { statements }.
	Block struct {
		Place
		Stmts []Stmt
	}
	// If is if (Cond) Then [else Else].
	If struct {
		Place
		Cond Expr
		Then Stmt
		Else Stmt // nil without
	}
	// For is for (Var in Range) Body.
	For struct {
		Place
		Var  *Var
		Body Stmt
	}
	// While is while (Cond) Body.
	While struct {
		Place
		Cond Expr
		Body Stmt
	}
	// Break and Continue act on the innermost loop.
	Break    struct{ Place }
	Continue struct{ Place }
	// Return is return [Value];
	Return struct {
		Place
		Value Expr // nil without
	}
	// Let is let or var Name [: Type] [= Value];
	Let struct {
		Place
		Mutable bool // var
		Name    Name
		Type    *Type // nil where it is inferred
		Value   Expr  // nil without
	}
	// Image is image Name: Type [border Rule] [= Value clauses];
	Image struct {
		Place
		Name    Name
		Type    *Type
		Border  *Rule
		Value   Expr // nil without
		Clauses []*Clause
	}
	// Pyramid is pyramid Name: Type [border Rule] levels Levels [scale (n, ...)];
	Pyramid struct {
		Place
		Name   Name
		Type   *Type
		Border *Rule
		Levels Expr
		Scale  []string // nil without
	}
	// View is view Name [: Type] [border Rule] = Value;
	View struct {
		Place
		Name   Name
		Type   *Type
		Border *Rule
		Value  Expr
	}
	// Iterate is iterate [independent] (Vars) [over Over] clauses Body.
	Iterate struct {
		Place
		Independent bool
		Vars        []*Var
		Over        *Ref // nil without
		Clauses     []*Clause
		Body        Stmt
	}
	// Traverse is traverse (Names) Body.
	Traverse struct {
		Place
		Names []Name
		Body  *Block
	}
	// Descend is descend [Times] { Between } or descend [Times];
	Descend struct {
		Place
		Times   Expr   // nil without
		Between *Block // nil without
	}
	// Labelled is Label: Stmt.
	Labelled struct {
		Place
		Label Name
		Stmt  Stmt
	}
	// CallStmt is Name(Args); a kernel call, swap or assume.
	CallStmt struct {
		Place
		Name Name
		Args []Expr
	}
	// Assign is Target Op Value Clauses; Op is "=", "+=", "min=" and so on. Clauses stand behind the comprehension of an image.
	Assign struct {
		Place
		Target  Expr // an Ident with Index and Field around it
		Op      string
		OpAt    source.Span
		Value   Expr
		Clauses []*Clause
	}
)

func (*Empty) stmt()    {}
func (*Block) stmt()    {}
func (*If) stmt()       {}
func (*For) stmt()      {}
func (*While) stmt()    {}
func (*Break) stmt()    {}
func (*Continue) stmt() {}
func (*Return) stmt()   {}
func (*Let) stmt()      {}
func (*Image) stmt()    {}
func (*Pyramid) stmt()  {}
func (*View) stmt()     {}
func (*Iterate) stmt()  {}
func (*Traverse) stmt() {}
func (*Descend) stmt()  {}
func (*Labelled) stmt() {}
func (*CallStmt) stmt() {}
func (*Assign) stmt()   {}

// A Var is an iteration variable: Name, Name in lo:hi:step, or Name in domain (a Range with Lo alone).
type Var struct {
	Place
	Name  Name
	Range *Range // nil without
}

// A Range is Lo [: Hi [: Step]].
type Range struct {
	Place
	Lo, Hi, Step Expr
}

// A Ref is the image after over, with leading subscripts.
type Ref struct {
	Place
	Name Name
	Subs []Expr
}

// A Clause is one of the clauses of an iterate or comprehension; exactly one field is set.
type Clause struct {
	Place
	Border *BorderClause
	Where  Expr
	Scan   *Scan
}

// BorderClause is border Rule or border(image: rule, ...).
type BorderClause struct {
	All   *Rule
	Named []*NamedRule
}

// NamedRule is image: rule.
type NamedRule struct {
	Place
	Image Name
	Rule  *Rule
}

// Scan is scan(Var) or scan(-Var).
type Scan struct {
	Down bool
	Var  Name
}

// ---- expressions

// An Expr is an expression.
type Expr interface {
	Node
	expr()
}

// LitKind tells literals apart.
type LitKind uint8

const (
	IntLit LitKind = iota
	FloatLit
	BoolLit
)

type (
	// Lit is a literal as it was spelled: "0xff", "1.5", "2u", "true".
	Lit struct {
		Place
		Kind LitKind
		Text string
	}
	// Ident is a name in an expression.
	Ident struct {
		Place
		Name string
	}
	// Paren is (X); it is kept so that the formatter prints what was written.
	Paren struct {
		Place
		X Expr
	}
	// Unary is Op X; Op is one of - + ! ~.
	Unary struct {
		Place
		Op string
		X  Expr
	}
	// Binary is X Op Y.
	Binary struct {
		Place
		Op   string
		OpAt source.Span
		X, Y Expr
	}
	// Cond is If ? Then : Else.
	Cond struct {
		Place
		If, Then, Else Expr
	}
	// Index is X[Sub]; one node for each subscript.
	Index struct {
		Place
		X   Expr
		Sub Sub
	}
	// Field is X.Name.
	Field struct {
		Place
		X    Expr
		Name Name
	}
	// Call is Fun(args) or Fun(e for comp): a built-in, a func, a reduction.
	Call struct {
		Place
		Fun  Name
		Args []Expr
		For  *Comp // nil without
	}
	// Conv is Type(args), sat<Type>(args) or bitcast<Type>(args); How is "", "sat" or "bitcast".
	Conv struct {
		Place
		How  string
		Type *Type
		Args []Expr
		For  *Comp
	}
	// List is [elems] or [e for comp].
	List struct {
		Place
		Elems []Expr
		For   *Comp
	}
	// Bad stands where an expression could not be parsed; it has been reported.
	Bad struct{ Place }
)

func (*Lit) expr()    {}
func (*Ident) expr()  {}
func (*Paren) expr()  {}
func (*Unary) expr()  {}
func (*Binary) expr() {}
func (*Cond) expr()   {}
func (*Index) expr()  {}
func (*Field) expr()  {}
func (*Call) expr()   {}
func (*Conv) expr()   {}
func (*List) expr()   {}
func (*Bad) expr()    {}

// A Sub is one subscript: [*], [Start], [Start : Count] or [Start : Count : Stride].
type Sub struct {
	Place
	Star                 bool
	Start, Count, Stride Expr
}

// A Comp is the iteration of a comprehension: (Names) over Over, or Vars.
type Comp struct {
	Place
	Names []Name // with Over
	Over  *Ref
	Vars  []*Var // without
}

// Unparen strips parentheses.
func Unparen(x Expr) Expr {
	for {
		p, ok := x.(*Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}
