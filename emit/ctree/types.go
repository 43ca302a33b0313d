package ctree

import "strings"

// A Type is a C type. In a declaration pointers and extents stand around the name.
type Type interface{ typ() }

type (
	// Base is a type that one spelling stands for, qualifiers included: "int", "__global const uchar", "struct image".
	Base string
	// Pointer is *Qual to To, as in "int *restrict p".
	Pointer struct {
		To   Type
		Qual string
	}
	// Array has Len elements; Len nil leaves the extent open.
	Array struct {
		Of  Type
		Len Expr
	}
	// Callable is a function's type, behind a Pointer.
	Callable struct {
		Result Type
		Params []Param
	}
)

func (Base) typ()      {}
func (*Pointer) typ()  {}
func (*Array) typ()    {}
func (*Callable) typ() {}

// A Param is a parameter of a function.
type Param struct {
	Type Type
	Name string
}

// PtrTo is a plain pointer.
func PtrTo(t Type) *Pointer { return &Pointer{To: t} }

// ArrayOf is an array with several extents, the outermost first.
func ArrayOf(t Type, extents ...Expr) Type {
	for i := len(extents) - 1; i >= 0; i-- {
		t = &Array{t, extents[i]}
	}
	return t
}

// Declarator is the declaration of name as t, or with name "" the type alone: "int (*p)[3]", "const char *".
func Declarator(t Type, name string) string {
	var b inline
	b.declarator(t, name)
	return b.String()
}

// declarator writes a declaration; extents may hold expressions.
func (b *inline) declarator(t Type, name string) {
	head, tail := "", name
	for {
		switch u := t.(type) {
		case Base:
			head = string(u)
			b.write(head)
			if tail != "" && !strings.HasPrefix(tail, "[") {
				b.write(" ")
			}
			b.write(tail)
			return
		case *Pointer:
			tail = pointerTo(u, tail)
			t = u.To
			switch t.(type) {
			case *Array, *Callable:
				tail = "(" + tail + ")"
			}
		case *Array:
			extent := ""
			if u.Len != nil {
				extent = Text(u.Len)
			}
			tail += "[" + extent + "]"
			t = u.Of
		case *Callable:
			tail += "(" + paramText(u.Params) + ")"
			t = u.Result
		}
	}
}

func pointerTo(p *Pointer, name string) string {
	switch {
	case p.Qual == "":
		return "*" + name
	case name == "":
		return "*" + p.Qual
	}
	return "*" + p.Qual + " " + name
}

func paramText(params []Param) string {
	if len(params) == 0 {
		return "void"
	}
	texts := make([]string, len(params))
	for i, p := range params {
		texts[i] = Declarator(p.Type, p.Name)
	}
	return strings.Join(texts, ", ")
}
