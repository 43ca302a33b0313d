package grammar

// A Stmt is one statement; exactly one field besides Tokens is set.
type Stmt struct {
	Tokens   []Token
	Named    *Named    `parser:"  @@"`
	Empty    bool      `parser:"| @';'"`
	Block    *Block    `parser:"| @@"`
	If       *If       `parser:"| @@"`
	For      *For      `parser:"| @@"`
	While    *While    `parser:"| @@"`
	Jump     *Jump     `parser:"| @@"`
	Return   *Return   `parser:"| @@"`
	Let      *Let      `parser:"| @@"`
	Image    *Image    `parser:"| @@"`
	Pyramid  *Pyramid  `parser:"| @@"`
	View     *View     `parser:"| @@"`
	Iterate  *Iterate  `parser:"| @@"`
	Traverse *Traverse `parser:"| @@"`
	Descend  *Descend  `parser:"| @@"`
}

// Named is what starts with a name: a label, a call, or an assignment. Which one, the token after the name decides; the call of
// what an import has a prefix for, f.k(a, b);, is told from an assignment by its end.
type Named struct {
	Name   Token     `parser:"@Ident"`
	Label  *Stmt     `parser:"( ':' @@"`
	Call   *CallArgs `parser:"| @@ ';'"`
	Target []*Suffix `parser:"| @@*"`
	MinMax *MinMax   `parser:"  ( ( @@ '='"`
	Op     Token     `parser:"    | @AssignOp )"`
	Value  *Expr     `parser:"    @@"`
	Behind []*Clause `parser:"    @@* ';'"`
	End    Token     `parser:"  | @';' ) )"`
}

// MinMax is the first word of the operators min= and max=, which are two tokens: let min=3 is legal.
type MinMax struct {
	Token Token `parser:"@( 'min' | 'max' )"`
}

// CallArgs are the arguments of a kernel call, swap or assume.
type CallArgs struct {
	List []*Expr `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
}

// If is if (e) stmt else stmt; an else belongs to the nearest if.
type If struct {
	Cond *Expr `parser:"'if' '(' @@ ')'"`
	Then *Stmt `parser:"@@"`
	Else *Stmt `parser:"( 'else' @@ )?"`
}

// For is for (i in 0:n) stmt
type For struct {
	Var  *ForVar `parser:"'for' '(' @@ ')'"`
	Body *Stmt   `parser:"@@"`
}

// ForVar is the variable of a for and its range.
type ForVar struct {
	Tokens []Token
	Name   Token  `parser:"@Ident 'in'"`
	Range  *Range `parser:"@@"`
}

// While is while (e) stmt
type While struct {
	Cond *Expr `parser:"'while' '(' @@ ')'"`
	Body *Stmt `parser:"@@"`
}

// Jump is break; or continue;
type Jump struct {
	Word Token `parser:"@( 'break' | 'continue' ) ';'"`
}

// Return is return e; or return;
type Return struct {
	Word  Token `parser:"@'return'"`
	Value *Expr `parser:"@@? ';'"`
}

// Let is let x: f32 = e; or var x: f32;
type Let struct {
	Word  Token    `parser:"@( 'let' | 'var' )"`
	Name  Token    `parser:"@Ident"`
	Type  *TypeRef `parser:"( ':' @@ )?"`
	Value *Expr    `parser:"( '=' @@ )? ';'"`
}

// Image is image a: T[H][W] border rule = e clauses;
type Image struct {
	Name    Token     `parser:"'image' @Ident ':'"`
	Type    *TypeRef  `parser:"@@"`
	Border  *Rule     `parser:"( 'border' @@ )?"`
	Value   *Expr     `parser:"( '=' @@"`
	Clauses []*Clause `parser:"  @@* )? ';'"`
}

// Pyramid is pyramid p: T[H][W] border rule levels n scale (1, 2, 2);
type Pyramid struct {
	Name   Token    `parser:"'pyramid' @Ident ':'"`
	Type   *TypeRef `parser:"@@"`
	Border *Rule    `parser:"( 'border' @@ )?"`
	Levels *Expr    `parser:"'levels' @@"`
	Scale  []string `parser:"( 'scale' '(' @Int ( ',' @Int )* ')' )? ';'"`
}

// View is view v: T[H][W] border rule = e;
type View struct {
	Name   Token    `parser:"'view' @Ident"`
	Type   *TypeRef `parser:"( ':' @@ )?"`
	Border *Rule    `parser:"( 'border' @@ )? '='"`
	Value  *Expr    `parser:"@@ ';'"`
}

// Iterate is iterate independent (y, x) over a clauses stmt
type Iterate struct {
	Independent bool      `parser:"'iterate' @'independent'?"`
	Vars        []*Var    `parser:"'(' @@ ( ',' @@ )* ')'"`
	Over        *Ref      `parser:"( 'over' @@ )?"`
	Clauses     []*Clause `parser:"@@*"`
	Body        *Stmt     `parser:"@@"`
}

// A Var is an iteration variable, with in lo:hi:step or in domain.
type Var struct {
	Tokens []Token
	Name   Token  `parser:"@Ident"`
	Range  *Range `parser:"( 'in' @@ )?"`
}

// A Range is lo, lo:hi or lo:hi:step.
type Range struct {
	Lo   *Expr `parser:"@@"`
	Hi   *Expr `parser:"( ':' @@"`
	Step *Expr `parser:"  ( ':' @@ )? )?"`
}

// A Ref is the image after over, with leading subscripts.
type Ref struct {
	Tokens []Token
	Name   Token   `parser:"@Ident"`
	Subs   []*Expr `parser:"( '[' @@ ']' )*"`
}

// A Clause is border, where or scan.
type Clause struct {
	Tokens []Token
	Border *BorderClause `parser:"  'border' @@"`
	Where  *Expr         `parser:"| 'where' '(' @@ ')'"`
	Scan   *ScanVar      `parser:"| 'scan' '(' @@ ')'"`
}

// BorderClause is rule, or (image: rule, ...).
type BorderClause struct {
	Named []*NamedRule `parser:"  '(' @@ ( ',' @@ )* ')'"`
	All   *Rule        `parser:"| @@"`
}

// A NamedRule is image: rule.
type NamedRule struct {
	Tokens []Token
	Image  Token `parser:"@Ident ':'"`
	Rule   *Rule `parser:"@@"`
}

// ScanVar is x or -x.
type ScanVar struct {
	Down bool  `parser:"@'-'?"`
	Name Token `parser:"@Ident"`
}

// Traverse is traverse (p, q) { ... }
type Traverse struct {
	Names []*Name `parser:"'traverse' '(' @@ ( ',' @@ )* ')'"`
	Body  *Block  `parser:"@@"`
}

// Descend is descend; or descend n { between }
type Descend struct {
	Word    Token  `parser:"@'descend'"`
	Times   *Expr  `parser:"@@?"`
	Between *Block `parser:"( @@ | ';' )"`
}
