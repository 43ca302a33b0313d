package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// signatures resolves the types of every func's parameters and result, so that bodies may call them in any order.
func (e *env) signatures() {
	for _, f := range e.funcs {
		e.signature(f)
	}
}

// signature resolves one func's types, when they are first needed: an extent in one may be computed by another func.
func (e *env) signature(f *funcEnt) {
	switch f.signed {
	case running:
		e.errorf(diag.ConstantCycle, f.at, "the types of %s depend on a value that %s computes", f.decl.Name.Text, f.decl.Name.Text)
		fallthrough
	case done:
		return
	}
	f.signed = running
	errors := e.errors
	if len(f.decl.Tvars) > 0 && f.tvars == nil {
		file := &env{checker: e.checker, scope: f.home}
		file.typeVariables(f.decl.Tvars, paramTypes(f.decl))
	}
	inner := &env{checker: e.checker, scope: f.scope(), where: inConst}
	inner.resolveSignature(f)
	f.signed, f.broken = done, e.errors > errors
}

func (e *env) resolveSignature(f *funcEnt) {
	if f.extern != nil {
		e.externSignature(f)
		return
	}
	d := f.decl
	f.fn = &hast.Func{Name: f.name(), Commutative: d.Commutative, At: d.Name.At}
	f.valid = true
	for _, p := range d.Params {
		t := e.paramType(p.Type)
		if p.Dir == syntax.Out || p.Dir == syntax.InOut {
			e.errorf(diag.BadParameter, p.At, "the parameter %s of a func is %s; funcs take values only and return one", p.Name.Text, p.Dir).
				Note("return a vector or an array to return several values")
		}
		f.valid = f.valid && t.IsValid()
		f.fn.Params = append(f.fn.Params, &hast.Var{Name: p.Name.Text, Type: t, Class: hast.FuncParam, At: p.Name.At})
	}
	f.fn.Result = e.valueType(d.Result)
	f.valid = f.valid && f.fn.Result.IsValid()
	if d.Commutative && f.valid && (len(f.fn.Params) != 2 || f.fn.Params[0].Type != f.fn.Params[1].Type || f.fn.Result != f.fn.Params[0].Type) {
		e.errorf(diag.BadParameter, f.at, "a commutative func takes two values of the type that it returns")
	}
}

// paramType is the type of a func's parameter. One with a size name is an image to those who write it.
func (e *env) paramType(t *syntax.Type) types.Type {
	if t != nil {
		for _, d := range t.Dims {
			id, ok := syntax.Unparen(d.Hi).(*syntax.Ident)
			if ok && e.scope.find(id.Name) == nil && !e.partialName(id.Name) {
				e.errorf(diag.UnknownName, id.At, "%s is not declared; a func takes values, whose extents are constants", id.Name).
					Note("images are parameters of kernels and pipelines; a func gets their pixels, or a window of constant extents")
				return types.Type{}
			}
		}
	}
	return e.valueType(t)
}

// body checks what a func computes, once.
func (e *env) body(f *funcEnt) {
	if f.state != untouched {
		return
	}
	if f.extern != nil {
		f.state = done
		return
	}
	f.state = running
	inner := &env{checker: e.checker, scope: newScope(f.scope()), where: inFunc, fn: f}
	errors := e.errors
	for i, p := range f.decl.Params {
		v := f.fn.Params[i]
		inner.declare(p.Name, &varEnt{declared: declared{p.Name.At}, v: v, used: true})
	}
	switch {
	case f.decl.Value != nil:
		v := inner.expr(inner.assign(inner.operand(f.decl.Value), f.fn.Result, "the result of "+f.decl.Name.Text))
		if v != nil {
			f.fn.Body = []hast.Stmt{&hast.Return{Value: v, At: v.Span()}}
		}
	case f.decl.Body != nil:
		f.fn.Body = inner.statements(f.decl.Body.Stmts)
		if !returns(f.decl.Body.Stmts) && !e.partial {
			e.errorf(diag.MissingReturn, f.at, "%s can reach its end without a return", f.decl.Name.Text)
		}
	}
	if e.errors > errors {
		f.broken = true
		f.valid = false // a second call must not evaluate half a body
	}
	f.state = done
}

// returns is true where no path reaches the end of the statements.
func returns(list []syntax.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Return:
			return true
		case *syntax.Block:
			if returns(s.Stmts) {
				return true
			}
		case *syntax.If:
			if s.Else != nil && returns([]syntax.Stmt{s.Then}) && returns([]syntax.Stmt{s.Else}) {
				return true
			}
		case *syntax.While:
			if c, ok := syntax.Unparen(s.Cond).(*syntax.Lit); ok && c.Text == "true" && !breaks(s.Body) {
				return true
			}
		}
	}
	return false
}

// breaks is true where a break leaves the loop that the statement is the body of.
func breaks(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Break:
		return true
	case *syntax.If:
		return breaks(s.Then) || s.Else != nil && breaks(s.Else)
	case *syntax.Block:
		for _, sub := range s.Stmts {
			if breaks(sub) {
				return true
			}
		}
	}
	return false
}

// recursion reports funcs that call themselves, directly or through others: a device has no stack.
func (e *env) recursion() {
	state := map[*funcEnt]progress{}
	var path []*callSite
	var follow func(f *funcEnt)
	follow = func(f *funcEnt) {
		state[f] = running
		for _, c := range f.calls {
			path = append(path, c)
			switch state[c.to] {
			case untouched:
				follow(c.to)
			case running:
				e.reportRecursion(c.to, path)
			}
			path = path[:len(path)-1]
		}
		state[f] = done
	}
	for _, f := range e.funcs {
		if state[f] == untouched {
			follow(f)
		}
	}
}

func (e *env) reportRecursion(f *funcEnt, path []*callSite) {
	from := len(path) - 1
	for from > 0 && path[from-1].to != f {
		from--
	}
	d := e.errorf(diag.Recursion, f.at, "%s calls itself; there is no recursion", f.decl.Name.Text)
	caller := f
	for _, c := range path[from:] {
		d.NoteAt(c.at, "%s calls %s here", caller.decl.Name.Text, c.to.decl.Name.Text)
		caller = c.to
	}
	d.NoteAt(source.Span{}, "write a loop")
}

// called lists the funcs that pipelines call, directly or not, callees before callers.
func (c *checker) called() []*hast.Func {
	var order []*hast.Func
	seen := map[*funcEnt]bool{}
	names := map[string]bool{}
	for _, f := range c.between {
		if f.used {
			f.fn.Name = unique(f.fn.Name, names)
			order = append(order, f.fn)
		}
	}
	var follow func(f *funcEnt)
	follow = func(f *funcEnt) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, s := range f.calls {
			follow(s.to)
		}
		f.fn.Name = unique(f.fn.Name, names) // files may have funcs of one name
		order = append(order, f.fn)
	}
	for _, f := range c.funcs {
		if f.used {
			follow(f)
		}
	}
	return order
}
