package sema

import (
	"strings"

	"imgc/diag"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// scope is where the types and the body of a func are checked: the file's names and, in an instance, its type variables.
func (f *funcEnt) scope() *scope {
	if len(f.decl.Tvars) == 0 {
		return f.home
	}
	return typeScope(f.home, f.decl.Tvars, f.tvars)
}

// typeScope declares type variables; without types, for a declaration by itself, they stand for nothing that is known.
func typeScope(home *scope, tvars []syntax.Name, bound []types.Type) *scope {
	s := newScope(home)
	for i, v := range tvars {
		ent := &typeEnt{declared: declared{v.At}}
		if bound != nil {
			ent.typ = bound[i]
		}
		s.names[v.Text] = ent
	}
	return s
}

// name is what the func is called in the typed program: that of an instance names its types.
func (f *funcEnt) name() string {
	name := f.decl.Name.Text
	for _, t := range f.tvars {
		name += "_" + identifier(t)
	}
	return name
}

// identifier spells a type in letters, digits and _.
func identifier(t types.Type) string {
	return strings.NewReplacer("][", "_", "[", "_", "]", "").Replace(t.String())
}

// typeVariables checks the type variables of a declaration: their names, and that a call can tell what each stands for.
func (e *env) typeVariables(tvars []syntax.Name, params []*syntax.Type) {
	for i, v := range tvars {
		old := e.scope.find(v.Text)
		for _, w := range tvars[:i] {
			if w.Text == v.Text {
				old = &typeEnt{declared: declared{w.At}}
			}
		}
		if old != nil {
			e.reportHidden(v, old)
		}
		if !inferable(v, params) {
			e.errorf(diag.TypeVariable, v.At, "no parameter has the type %s, so no call can say what it stands for", v.Text)
		}
	}
}

func inferable(v syntax.Name, params []*syntax.Type) bool {
	for _, t := range params {
		if t != nil && t.Base.Text == v.Text {
			return true
		}
	}
	return false
}

// An evidence is what an argument says about the type variable that its parameter has for a type.
type evidence struct {
	typ  types.Type // of the elements
	soft bool       // a literal, which takes any type that holds it
	at   source.Span
	name string // of the parameter
}

// infer finds what type variables stand for, from the arguments of the parameters that have them for their type. What names
// the call's target in messages.
func (e *env) infer(tvars []syntax.Name, params []*syntax.Type, args []evidence, what string) ([]types.Type, bool) {
	bound := make([]types.Type, len(tvars))
	ok := true
	for i, v := range tvars {
		var from *evidence
		for k := range args {
			a := &args[k]
			if params[k] == nil || params[k].Base.Text != v.Text || !a.typ.IsValid() {
				continue
			}
			switch {
			case from == nil || from.soft && (!a.soft || a.typ.Kind.IsFloat() && from.typ.Kind.IsInt()):
				from = a
			case !a.soft && a.typ != from.typ:
				e.errorf(diag.TypeVariable, a.at, "%s cannot be %s and %s in one call of %s", v.Text, from.typ, a.typ, what).
					NoteAt(from.at, "%s makes it %s", from.name, from.typ).
					NoteAt(v.At, "%s is declared here", v.Text)
				ok = false
			}
		}
		if from == nil {
			ok = false // its argument has been reported
			continue
		}
		bound[i] = from.typ
	}
	return bound, ok
}

// instance is the func that a call means: the func itself or, of a generic one, its instance for the arguments' types. It is
// nil after an error.
func (e *env) instance(f *funcEnt, args []operand, x *syntax.Call) *funcEnt {
	if len(f.decl.Tvars) == 0 {
		return f
	}
	e.signature(f)
	e.body(f)
	var seen []evidence
	for i, a := range args {
		seen = append(seen, evidence{a.typ.Elem(), a.con != nil && a.con.soft, a.at, f.decl.Params[i].Name.Text})
	}
	bound, ok := e.infer(f.decl.Tvars, paramTypes(f.decl), seen, x.Fun.Text)
	if !ok || f.broken {
		return nil
	}
	return e.instanceOf(f, bound, x.Fun.At)
}

func paramTypes(d *syntax.Func) []*syntax.Type {
	list := make([]*syntax.Type, len(d.Params))
	for i, p := range d.Params {
		list[i] = p.Type
	}
	return list
}

// instanceOf makes, once, the instance of a generic func for types. What is wrong in it depends on the call at the place given.
func (e *env) instanceOf(f *funcEnt, bound []types.Type, at source.Span) *funcEnt {
	g := &funcEnt{declared: f.declared, decl: f.decl, home: f.home, tvars: bound}
	key := g.name()
	if old := f.instances[key]; old != nil {
		return old
	}
	if f.instances == nil {
		f.instances = map[string]*funcEnt{}
	}
	f.instances[key] = g
	e.funcs = append(e.funcs, g)
	before, calls := e.diags.Len(), e.calls
	e.calls++ // the text has been warned of by itself
	e.signature(g)
	e.body(g)
	e.calls = calls
	e.inCall(before, at, f.decl.Name.Text, f.decl.Tvars, bound)
	return g
}

// foldInstance is the instance of a generic func in fold(f, init, e for ...), for the type of the start.
func (e *env) foldInstance(f *funcEnt, init operand, at *syntax.Ident) *funcEnt {
	if len(f.decl.Tvars) == 0 {
		return f
	}
	args := make([]operand, len(f.decl.Params))
	for i := range args {
		args[i] = init
	}
	return e.instance(f, args, &syntax.Call{Place: at.Place, Fun: syntax.Name{Place: at.Place, Text: at.Name}})
}

// inCall adds to what has been reported since a moment that it depends on a call.
func (e *env) inCall(before int, at source.Span, name string, tvars []syntax.Name, bound []types.Type) {
	with := ""
	for i, v := range tvars {
		with += map[bool]string{true: ", with ", false: ", "}[i == 0] + v.Text + " = " + bound[i].String()
	}
	for _, d := range e.diags.Since(before) {
		d.NoteAt(at, "in this call of %s%s", name, with)
	}
}
