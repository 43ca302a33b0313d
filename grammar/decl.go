package grammar

// A Decl is one top-level declaration; exactly one field besides Tokens is set.
type Decl struct {
	Tokens   []Token
	Import   *Import   `parser:"  @@"`
	Const    *Const    `parser:"| @@"`
	Mask     *Mask     `parser:"| @@"`
	Domain   *Domain   `parser:"| @@"`
	Border   *Border   `parser:"| @@"`
	Func     *Func     `parser:"| @@"`
	Extern   *Extern   `parser:"| @@"`
	Kernel   *Kernel   `parser:"| @@"`
	Schedule *Schedule `parser:"| @@"`
}

// Import is import "path.img" as f;
type Import struct {
	Path Token `parser:"'import' @String"`
	As   *Name `parser:"( 'as' @@ )? ';'"`
}

// A Name is an identifier where there may be none or several.
type Name struct {
	Token Token `parser:"@Ident"`
}

// Const is const N: i32 = 3;
type Const struct {
	Name  Token    `parser:"'const' @Ident"`
	Type  *TypeRef `parser:"( ':' @@ )? '='"`
	Value *Expr    `parser:"@@ ';'"`
}

// Mask is mask g: f32[3][3] = [...];
type Mask struct {
	Name  Token    `parser:"'mask' @Ident ':'"`
	Type  *TypeRef `parser:"@@ '='"`
	Value *Expr    `parser:"@@ ';'"`
}

// Domain is domain d[3][3] = [...];
type Domain struct {
	Name  Token   `parser:"'domain' @Ident"`
	Dims  []*Expr `parser:"( '[' @@ ']' )+"`
	Value *Expr   `parser:"( '=' @@ )? ';'"`
}

// Border is border name(s: u8[M][N]) { frames } else rule
type Border struct {
	Name   Token   `parser:"'border' @Ident '('"`
	Image  Token   `parser:"@Ident"`
	Elem   *Elem   `parser:"( ':' @@ )?"`
	Sizes  []*Name `parser:"( '[' @@ ']' )+ ')'"`
	Frames *Frames `parser:"@@"`
	Else   *Rule   `parser:"( 'else' @@ ';'? )?"`
}

// Elem is the element type that a border by formula is for.
type Elem struct {
	Token Token `parser:"@Type"`
}

// A Frame is one line of a border by formula: s[*][-1] = e;
type Frame struct {
	Tokens []Token
	Image  Token    `parser:"@Ident"`
	Places []*Place `parser:"@@+ '='"`
	Value  *Expr    `parser:"@@ ';'"`
}

// A Place is [*], [-n] or [+n].
type Place struct {
	Tokens []Token
	Star   bool  `parser:"'[' ( @'*'"`
	Sign   Token `parser:"| @( '-' | '+' )"`
	N      Token `parser:"  @Int ) ']'"`
}

// A Rule is a border rule: clamp, constant(0), or that of an import with a prefix, f.name.
type Rule struct {
	Tokens []Token
	Name   Token `parser:"@Ident"`
	Member *Name `parser:"( '.' @@ )?"`
	Arg    *Expr `parser:"( '(' @@ ')' )?"`
}

// Func is func f<T>(a: T): T = e; or with a block.
type Func struct {
	Commutative bool         `parser:"@'commutative'?"`
	Name        Token        `parser:"'func' @Ident"`
	Tvars       []*Name      `parser:"( '<' @@ ( ',' @@ )* '>' )?"`
	Params      []*FuncParam `parser:"'(' ( @@ ( ',' @@ )* )? ')' ':'"`
	Result      *TypeRef     `parser:"@@"`
	Value       *Expr        `parser:"( '=' @@ ';'"`
	Body        *Block       `parser:"| @@ )"`
}

// A FuncParam is a: T, with a direction in an extern func.
type FuncParam struct {
	Tokens []Token
	Dir    *Dir     `parser:"@@?"`
	Name   Token    `parser:"@Ident ':'"`
	Type   *TypeRef `parser:"@@"`
}

// A Dir is in, out or inout.
type Dir struct {
	Token Token `parser:"@( 'in' | 'out' | 'inout' )"`
}

// Extern is extern func f(inout v: f32[32]) reads(v[0:32]) writes(v[0:32]) from opencl "f.cl" cuda "f.cuh";
type Extern struct {
	Name   Token        `parser:"'extern' 'func' @Ident"`
	Params []*FuncParam `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
	Result *TypeRef     `parser:"( ':' @@ )?"`
	Access []*Access    `parser:"@@*"`
	From   []*Source    `parser:"'from' @@+ ';'"`
}

// An Access is reads(...) or writes(...).
type Access struct {
	Tokens []Token
	Kind   Token   `parser:"@( 'reads' | 'writes' )"`
	Refs   []*Expr `parser:"'(' @@ ( ',' @@ )* ')'"`
}

// A Source is a language and the file that has the function in it.
type Source struct {
	Tokens []Token
	Lang   Token `parser:"@Ident"`
	File   Token `parser:"@String"`
}

// Kernel is a kernel or a pipeline.
type Kernel struct {
	Word   Token    `parser:"@( 'kernel' | 'pipeline' )"`
	Name   Token    `parser:"@Ident"`
	Tvars  []*Name  `parser:"( '<' @@ ( ',' @@ )* '>' )?"`
	Params []*Param `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
	Body   *Block   `parser:"@@"`
}

// A Param is in src: u8[H][W] border clamp, or in gain: f32 = 1.5.
type Param struct {
	Tokens  []Token
	Dir     *Dir     `parser:"@@"`
	Name    Token    `parser:"@Ident ':'"`
	Mask    bool     `parser:"@'mask'?"`
	Type    *TypeRef `parser:"@@"`
	Border  *Rule    `parser:"( 'border' @@ )?"`
	Default *Expr    `parser:"( '=' @@ )?"`
}

// A TypeRef is an element type or a type variable, and extents.
type TypeRef struct {
	Tokens []Token
	Base   Token  `parser:"@( Type | Ident )"`
	Dims   []*Dim `parser:"@@*"`
}

// A Dim is [extent] or [lo : hi].
type Dim struct {
	Tokens []Token
	Lo     *Expr `parser:"'[' @@"`
	Hi     *Expr `parser:"( ':' @@ )? ']'"`
}

// Schedule is schedule p on "device" { decisions }
type Schedule struct {
	Name   Token      `parser:"'schedule' @Ident"`
	Device *Device    `parser:"( 'on' @@ )?"`
	Stages *Decisions `parser:"@@"`
}

// Device is the name of the device that a schedule is for.
type Device struct {
	Token Token `parser:"@String"`
}

// A Decision is stage: items; where a stage of a labelled call is label.stage.
type Decision struct {
	Tokens []Token
	Label  []*Name `parser:"@@ ( '.' @@ )* ':'"`
	Items  []*Item `parser:"@@+ ';'"`
}

// An Item is inline, or tile(32, 8).
type Item struct {
	Tokens []Token
	Name   Token      `parser:"@Ident"`
	Paren  bool       `parser:"( @'('"`
	Args   []*ItemArg `parser:"( @@ ( ',' @@ )* )? ')' )?"`
}

// An ItemArg is 32, src, or group: 256.
type ItemArg struct {
	Tokens []Token
	Name   *Name `parser:"( @@"`
	Value  *Expr `parser:"  ( ':' @@ )?"`
	Int    Token `parser:") | @Int"`
}
