package sema

import (
	"regexp"
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/syntax"
	"imgc/types"
)

// An extern func is a function of the user's in the language of the device. It gives a value: a result, or what it makes of the one
// parameter that is out or inout; a call of such a one is a statement, which assigns the argument. Calls may be repeated or left out as
// those of any func: a user's function has no effect but its value.

// addExtern enters an extern func.
func (e *env) addExtern(d *syntax.Extern) {
	e.refuseBuiltin(d.Name)
	decl := &syntax.Func{Place: d.Place, Name: d.Name, Params: d.Params, Result: d.Result}
	f := &funcEnt{declared: declared{d.Name.At}, decl: decl, home: e.scope, extern: d}
	e.declare(d.Name, f)
	e.funcs = append(e.funcs, f)
}

// externSignature resolves the types of an extern func. Its fn takes all parameters but an out one, and returns the value.
func (e *env) externSignature(f *funcEnt) {
	d := f.extern
	x := &hast.Extern{Name: d.Name.Text, Place: -1}
	f.fn = &hast.Func{Name: d.Name.Text, Extern: x, At: d.Name.At}
	f.valid = e.externSources(d, x)
	var written *syntax.FuncParam
	for i, p := range d.Params {
		t := e.valueType(p.Type)
		f.valid = f.valid && t.IsValid() && e.externType(t, p.Type)
		if p.Dir == syntax.Out || p.Dir == syntax.InOut {
			if written != nil || d.Result != nil {
				e.errorf(diag.BadParameter, p.At, "an extern func gives one value: a result, or what it makes of one parameter").
					Note("return a vector, or pass one array for all that it writes")
				f.valid = false
				return
			}
			written, x.Place, f.fn.Result = p, i, t
		}
		if p.Dir != syntax.Out {
			f.fn.Params = append(f.fn.Params, &hast.Var{Name: p.Name.Text, Type: t, Class: hast.FuncParam, At: p.Name.At})
		}
		x.In = append(x.In, p.Dir != syntax.Out)
	}
	switch {
	case d.Result != nil:
		f.fn.Result = e.valueType(d.Result)
		f.valid = f.valid && f.fn.Result.IsValid() && e.externType(f.fn.Result, d.Result)
		if f.valid && f.fn.Result.IsArray() {
			e.errorf(diag.BadParameter, d.Result.At, "an extern func returns a scalar or a vector").Note("write an array through an out parameter")
			f.valid = false
		}
	case written == nil:
		e.errorf(diag.BadParameter, d.Name.At, "%s gives nothing: it has no result and no parameter that is out or inout", d.Name.Text)
		f.valid = false
	}
	if f.valid {
		e.accesses(f)
	}
}

// externType reports types that functions of a device cannot take as they are held here.
func (e *env) externType(t types.Type, at *syntax.Type) bool {
	switch {
	case t.Kind == types.F16 || t.Kind == types.BF16:
		e.errorf(diag.BadParameter, at.At, "an extern func computes in f32 or f64, not in %s", t.Kind).Note("convert where it is called: f32(v)")
		return false
	case t.Kind == types.Bool && !t.IsScalar():
		e.errorf(diag.BadParameter, at.At, "an extern func takes single bools only; pass u8 for several")
		return false
	}
	return true
}

// externSources takes the texts behind from.
func (e *env) externSources(d *syntax.Extern, x *hast.Extern) bool {
	ok := true
	for _, s := range d.Sources {
		if !slices.Contains(hast.ExternLangs, s.Lang.Text) {
			e.errorf(diag.BadImport, s.Lang.At, "there is no target %s", s.Lang.Text).Note("extern funcs come from opencl or cuda files")
			ok = false
			continue
		}
		text, found := e.externs[s]
		if !found {
			if !e.partial { // else reading it has been reported
				e.errorf(diag.BadImport, s.At, "%s has not been read", s.File)
			}
			ok = false
			continue
		}
		ok = e.externText(d, s, text) && ok
		x.Sources = append(x.Sources, hast.ExternSource{Lang: s.Lang.Text, File: s.File, Text: text})
	}
	return ok
}

var includes = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include\b`)

// externText looks for what the compiler of the device would report only when the program runs.
func (e *env) externText(d *syntax.Extern, s *syntax.ExternSource, text string) bool {
	switch {
	case !regexp.MustCompile(`\b` + regexp.QuoteMeta(d.Name.Text) + `\s*\(`).MatchString(text):
		e.errorf(diag.BadImport, s.At, "%s has no function %s", s.File, d.Name.Text).NoteAt(d.Name.At, "it is declared here")
		return false
	case includes.MatchString(text):
		e.errorf(diag.BadImport, s.At, "%s includes another file, which is not there when the kernels are compiled", s.File).
			Note("the text becomes a part of the kernels; copy what it includes into it")
		return false
	}
	return true
}

// accesses checks the summary of what an extern func reads and writes of its parameters: windows inside of them.
func (e *env) accesses(f *funcEnt) {
	for _, a := range f.extern.Access {
		for _, x := range a.Refs {
			e.access1(f, a, x)
		}
	}
}

func (e *env) access1(f *funcEnt, a *syntax.Access, x syntax.Expr) {
	verb := map[bool]string{true: "writes", false: "reads"}[a.Writes]
	base, subs := unchain(syntax.Unparen(x))
	id, _ := base.(*syntax.Ident)
	var p *syntax.FuncParam
	for _, q := range f.decl.Params {
		if id != nil && q.Name.Text == id.Name {
			p = q
		}
	}
	switch {
	case p == nil:
		e.errorf(diag.BadParameter, x.Span(), "%s names parameters of %s", verb, f.decl.Name.Text)
		return
	case a.Writes && p.Dir != syntax.Out && p.Dir != syntax.InOut:
		e.errorf(diag.BadParameter, x.Span(), "%s is written, and is neither out nor inout", p.Name.Text).NoteAt(p.At, "it is declared here")
		return
	case !a.Writes && p.Dir == syntax.Out:
		e.errorf(diag.BadParameter, x.Span(), "%s is read, and is out: it holds nothing before", p.Name.Text).NoteAt(p.At, "it is declared here")
		return
	}
	shape := e.valueType(p.Type).Shape()
	if len(subs) > 0 && len(subs) != len(shape) {
		e.errorf(diag.BadSubscript, x.Span(), "%s has %s, this has %s", p.Name.Text, plural(len(shape), "axis", "axes"), plural(len(subs), "subscript"))
		return
	}
	for i, s := range subs {
		e.accessed(p, s, shape[i])
	}
}

// accessed checks one subscript of a summary, start : count or a single index.
func (e *env) accessed(p *syntax.FuncParam, s syntax.Sub, extent int) {
	start, ok := e.constInt(s.Start, "the start of a window")
	count := 1
	if ok && s.Count != nil {
		count, ok = e.positive(s.Count, windowCount)
	}
	if ok && (start < 0 || start+count > extent) {
		e.errorf(diag.IndexRange, s.At, "%s has the elements 0 to %d here, this reaches from %d to %d", p.Name.Text, extent-1, start, start+count-1)
	}
}

// externStmt is the call of an extern func that writes a parameter: an assignment to the variable that is its argument.
func (e *env) externStmt(f *funcEnt, s *syntax.CallStmt) hast.Stmt {
	e.signature(f)
	if !f.valid {
		e.operands(s.Args)
		return nil
	}
	x := f.fn.Extern
	if x.Place < 0 {
		e.operands(s.Args)
		e.errorf(diag.Misplaced, s.At, "%s gives a value and is no statement", f.example())
		return nil
	}
	if len(s.Args) != len(x.In) {
		e.operands(s.Args)
		e.errorf(diag.ArgumentCount, s.At, "%s takes %s, not %d", f.example(), plural(len(x.In), "argument"), len(s.Args)).
			NoteAt(f.at, "%s is declared here", s.Name.Text)
		return nil
	}
	id, _ := syntax.Unparen(s.Args[x.Place]).(*syntax.Ident)
	v, ok := e.entity(id).(*varEnt)
	if !ok || v.v.Class != hast.Mutable || v.v.Type != f.fn.Result {
		e.operands(s.Args)
		e.errorf(diag.BadArgument, s.Args[x.Place].Span(), "%s writes its %s: it takes a var of type %s", s.Name.Text,
			f.decl.Params[x.Place].Name.Text, f.fn.Result).Note("declare it in the body: var v: %s;", f.fn.Result)
		return nil
	}
	v.used = true
	call := &syntax.Call{Place: s.Place, Fun: s.Name} // of the values that it takes
	for i, a := range s.Args {
		if x.In[i] {
			call.Args = append(call.Args, a)
		}
	}
	value := e.expr(e.callFunc(f, call))
	if value == nil {
		return nil
	}
	return &hast.Set{Var: v.v, Value: value, At: s.At}
}

// refuseExtern reports an extern func where the compiler would have to compute it, or that is no value.
func (e *env) refuseExtern(f *funcEnt, x *syntax.Call, args int) bool {
	if f.extern == nil {
		return false
	}
	e.signature(f)
	if e.where == inConst {
		e.errorf(diag.NotConstant, x.At, "%s is an extern func, which runs on the device only", f.decl.Name.Text)
		return true
	}
	if f.valid && f.fn.Extern.Place >= 0 && args == len(f.decl.Params) && args != len(f.fn.Params) {
		e.errorf(diag.Misplaced, x.At, "%s writes its parameter %s, and is called as a statement", f.decl.Name.Text,
			f.decl.Params[f.fn.Extern.Place].Name.Text)
		return true
	}
	return false
}
