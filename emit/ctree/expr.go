package ctree

// An Expr is a C expression.
type Expr interface{ expr() }

type (
	// Name is an identifier or another word that stands for itself.
	Name string
	// Lit is a literal as it is written: 1, -2.5f, 0x1p-3. A leading minus binds like the operator.
	Lit string
	// Str is a string literal; the printer escapes it. Each line of Text becomes a literal of its own.
	Str struct{ Text string }
	// Unary is Op X.
	Unary struct {
		Op string
		X  Expr
	}
	// Binary is X Op Y for every operator of two operands but assignments. Defined is one that the program defines, which the
	// language knows no assignment for.
	Binary struct {
		Op      string
		X, Y    Expr
		Defined bool
	}
	// AssignTo is X Op Y as an expression, Op "=" or "+=".
	AssignTo struct {
		Op   string
		X, Y Expr
	}
	// Cond is C ? Then : Else.
	Cond struct{ C, Then, Else Expr }
	// Call is Fun(Args).
	Call struct {
		Fun  Expr
		Args []Expr
	}
	// Index is X[I].
	Index struct{ X, I Expr }
	// Member is X.Field, or X->Field with Arrow.
	Member struct {
		X     Expr
		Field string
		Arrow bool
	}
	// Cast is (Type)X.
	Cast struct {
		Type Type
		X    Expr
	}
	// Construct is (Type)(Args), OpenCL's way to write a vector.
	Construct struct {
		Type Type
		Args []Expr
	}
	// Brace is Type{Args}, C++'s way to make a value of a structure.
	Brace struct {
		Type Type
		Args []Expr
	}
	// Sizeof is sizeof X, or sizeof(Type) where X is nil.
	Sizeof struct {
		Type Type
		X    Expr
	}
	// List is an initializer {Elems}; with Fields, one for each element, {.a = x, .b = y}.
	List struct {
		Elems  []Expr
		Fields []string
	}
	// Compound is C99's (Type){Elems}.
	Compound struct {
		Type Type
		List *List
	}
)

func (Name) expr()       {}
func (Lit) expr()        {}
func (*Str) expr()       {}
func (*Unary) expr()     {}
func (*Binary) expr()    {}
func (*AssignTo) expr()  {}
func (*Cond) expr()      {}
func (*Call) expr()      {}
func (*Index) expr()     {}
func (*Member) expr()    {}
func (*Cast) expr()      {}
func (*Construct) expr() {}
func (*Brace) expr()     {}
func (*Sizeof) expr()    {}
func (*List) expr()      {}
func (*Compound) expr()  {}

// CallTo is a call of a function by its name.
func CallTo(name string, args ...Expr) *Call { return &Call{Name(name), args} }

// Op2 is x op y.
func Op2(op string, x, y Expr) *Binary { return &Binary{Op: op, X: x, Y: y} }

// Dot is x.field, To is x->field.
func Dot(x Expr, field string) *Member { return &Member{X: x, Field: field} }
func To(x Expr, field string) *Member  { return &Member{X: x, Field: field, Arrow: true} }

// At is x[i][j]...
func At(x Expr, index ...Expr) Expr {
	for _, i := range index {
		x = &Index{x, i}
	}
	return x
}

// Same reports whether two expressions are written alike.
func Same(a, b Expr) bool { return Text(a) == Text(b) }
