package clike

import (
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// A Unit is the C code of one program in the making.
type Unit struct {
	Dialect  *Dialect
	names    *ctree.Namer // of the whole file
	globals  map[any]string
	support  map[string]bool
	wrappers []ctree.Decl // support functions made for this program: an operator on each lane of a vector
	wrapped  map[string]bool
	double   bool
	beyond   map[*kir.Table]bool     // tables for which there is no room with the others
	heldAs   map[*kir.Var]types.Kind // as what arrays in local memory are declared that hold another kind (Dialect.LocalRGB)
}

// NewUnit starts a file. Names that taken lists are not given to anything in it.
func NewUnit(d *Dialect, taken ...string) *Unit {
	u := &Unit{
		Dialect: d, names: ctree.NewNamer(d.Reserved), globals: map[any]string{}, support: map[string]bool{}, wrapped: map[string]bool{}, heldAs: map[*kir.Var]types.Kind{},
	}
	for _, name := range taken {
		u.names.Take(name)
	}
	return u
}

// Name names a kernel, func or table of the program; the first to ask keeps its own name.
func (u *Unit) Name(key any, want string) string {
	if name, ok := u.globals[key]; ok {
		return name
	}
	name := u.names.Give(want)
	u.globals[key] = name
	return name
}

// UsesFP64 reports whether what has been translated so far computes in f64.
func (u *Unit) UsesFP64() bool { return u.double }

// Support returns the declarations that what has been translated so far needs to stand before it.
func (u *Unit) Support() []ctree.Decl {
	text := u.Dialect.Support.Text(u.support)
	if text == "" {
		return u.wrappers
	}
	return append([]ctree.Decl{&ctree.Raw{Text: text}}, u.wrappers...)
}

// Use asks for a support function and returns its name.
func (u *Unit) Use(name string) string {
	u.support[name] = true
	if u.Dialect.Support.usesWord(name, u.Dialect.Types[types.F64]) {
		u.double = true
	}
	return name
}

// typeName is the C type of a variable of a scalar or vector type.
func (u *Unit) typeName(t types.Type) ctree.Type {
	k := heldOf(t)
	if k == types.F64 {
		u.double = true
	}
	if t.Lanes > 1 {
		return ctree.Base(u.Dialect.VectorType(k, int(t.Lanes)))
	}
	return ctree.Base(u.Dialect.Types[k])
}

// varType is the C type of a variable, arrays included.
func (u *Unit) varType(t types.Type) ctree.Type { return u.arrayType(u.typeName(t.Elem()), t) }

// arrayType is an array of elem with the extents of t.
func (u *Unit) arrayType(elem ctree.Type, t types.Type) ctree.Type {
	var extents []ctree.Expr
	for _, n := range t.Shape() {
		extents = append(extents, u.Dialect.integer(types.I32, types.Int(int64(n))).X)
	}
	return ctree.ArrayOf(elem, extents...)
}

// Table translates a constant array.
func (u *Unit) Table(t *kir.Table) ctree.Decl {
	elem := t.Var.Type.Elem()
	typ := u.varType(t.Var.Type)
	if elem == types.Scalar(types.Bool) { // constant memory holds bytes
		typ = u.varType(t.Var.Type.WithKind(types.U8))
	}
	prefix := u.Dialect.TablePre
	if t.Spread || u.beyond[t] {
		prefix = u.Dialect.SpreadPre
	}
	return &ctree.Global{
		Prefix: prefix, Type: typ, Name: u.Name(t.Var, t.Var.Name), Init: u.tableRows(elem, t.Var.Type.Shape(), t.Words),
		At: t.Var.At,
	}
}

func (u *Unit) tableRows(elem types.Type, shape []int, words []types.Word) ctree.Expr {
	if len(shape) == 0 {
		return u.constant(elem, words).X
	}
	step := len(words) / shape[0]
	list := &ctree.List{}
	for i := range shape[0] {
		list.Elems = append(list.Elems, u.tableRows(elem, shape[1:], words[i*step:(i+1)*step]))
	}
	return list
}

// constant writes a scalar or vector constant.
func (u *Unit) constant(t types.Type, words []types.Word) Form {
	d := u.Dialect
	if t.Kind == types.F64 {
		u.double = true
	}
	if t.Lanes == 1 {
		return d.literal(t.Kind, words[0])
	}
	k, parts := t.Kind, make([]ctree.Expr, len(words))
	if k == types.Bool {
		k = types.U8
	}
	same := true
	for i, w := range words {
		parts[i] = u.as(d.literal(k, w), heldOf(t))
		same = same && w == words[0]
	}
	if same {
		parts = parts[:1]
	}
	return Form{X: d.Construct(u, heldOf(t), int(t.Lanes), parts), Kind: heldOf(t)}
}

// as gives a scalar form the C type of kind k by a cast, unless it has it already. Lanes of vectors and elements of brace
// lists convert by themselves; literals of the small kinds are left as they are there.
func (u *Unit) as(f Form, k types.Kind) ctree.Expr {
	if f.Kind == k {
		return f.X
	}
	if _, lit := f.X.(ctree.Lit); lit && k.IsInt() && k.Bits() < 32 {
		return f.X
	}
	if f.Kind == types.Bool && k == types.U8 {
		return u.truth(f)
	}
	return u.cast(f, k).X
}

// truth is a bool as a lane, 0 or 1.
func (u *Unit) truth(f Form) ctree.Expr {
	switch f.X {
	case ctree.Name(u.Dialect.True):
		return ctree.Lit("1")
	case ctree.Name(u.Dialect.False):
		return ctree.Lit("0")
	}
	return f.X
}

// cast gives a scalar form the C type of kind k.
func (u *Unit) cast(f Form, k types.Kind) Form {
	if f.Kind == k {
		return f
	}
	if r, ok := u.Dialect.recast(f, k); ok {
		return r
	}
	if k == types.F64 {
		u.double = true
	}
	x := f.X
	if f.twin != nil && k == unsignedOf(f.Kind) {
		return Form{X: f.twin, Kind: k}
	}
	return Form{X: &ctree.Cast{Type: ctree.Base(u.Dialect.Types[k]), X: x}, Kind: k}
}

// unsignedOf is the unsigned kind of a signed kind's width.
func unsignedOf(k types.Kind) types.Kind {
	return map[types.Kind]types.Kind{types.I8: types.U8, types.I16: types.U16, types.I32: types.U32, types.I64: types.U64}[k]
}
