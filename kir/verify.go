package kir

import (
	"errors"
	"fmt"
	"slices"

	"imgc/source"
	"imgc/types"
)

// Verify checks that a program keeps the rules of this package: types agree, variables are declared where they are used and
// changed only where they may be, buffers are loaded and stored as their access says, launches pass what kernels take. Lowering
// and passes are wrong where it finds anything; tests run it behind each. The error joins all violations.
func Verify(p *Program) error {
	v := &verifier{known: map[*Func]bool{}, tables: map[*Var]bool{}, held: map[*Table]bool{}}
	for _, t := range p.Tables {
		v.table(t)
	}
	for _, t := range p.Filled {
		v.table(t)
		delete(v.tables, t.Var) // no kernel names it
		v.held[t] = true
	}
	for _, f := range p.Funcs {
		v.fun(f)
		v.known[f] = true
	}
	for _, k := range p.Kernels {
		v.kernel(k)
	}
	for _, pl := range p.Pipelines {
		v.pipeline(p, pl)
	}
	return errors.Join(v.errs...)
}

type verifier struct {
	errs   []error
	in     string // the kernel, func or pipeline
	at     source.Span
	known  map[*Func]bool // funcs that may be called: defined before
	tables map[*Var]bool
	held   map[*Table]bool // by the host
	scope  *frame
	inside *Func // whose body is being checked; nil in a kernel
	loops  int
	host   bool
}

// A frame has the variables of one block.
type frame struct {
	parent *frame
	vars   map[*Var]bool
	fixed  map[*Var]bool // loop variables
}

func (f *frame) has(v *Var) bool {
	for ; f != nil; f = f.parent {
		if f.vars[v] {
			return true
		}
	}
	return false
}

func (f *frame) isFixed(v *Var) bool {
	for ; f != nil; f = f.parent {
		if f.fixed[v] {
			return true
		}
	}
	return false
}

func (v *verifier) fail(format string, args ...any) {
	where := v.in
	if v.at.IsValid() {
		where += " (" + v.at.String() + ")"
	}
	v.errs = append(v.errs, fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
}

// enter starts the body of a kernel, func or pipeline.
func (v *verifier) enter(kind, name string, at source.Span) {
	v.in, v.at = kind+" "+name, at
	v.scope, v.loops, v.inside, v.host = nil, 0, nil, false
	v.push()
}

func (v *verifier) push() {
	v.scope = &frame{parent: v.scope, vars: map[*Var]bool{}, fixed: map[*Var]bool{}}
}

func (v *verifier) pop() { v.scope = v.scope.parent }

func (v *verifier) declare(x *Var) {
	if v.scope.has(x) {
		v.fail("%s is declared twice", x.Name)
	}
	v.scope.vars[x] = true
	v.typ(x.Name, x.Type)
}

// typ checks that a type is a proper one.
func (v *verifier) typ(what string, t types.Type) {
	if !proper(t) {
		v.fail("%s has the type %+v, which is none", what, t)
	}
}

func proper(t types.Type) bool {
	ok := t.IsValid() && int(t.Kind) <= len(types.Kinds) && t.Lanes >= 1 && (t.Lanes <= 4 || Wide(t) && slices.Contains(WideLanes, int(t.Lanes))) && t.Rank <= types.MaxRank
	for k := 0; ok && k < int(t.Rank); k++ {
		ok = t.Dims[k] >= 1
	}
	return ok
}

func (v *verifier) table(t *Table) {
	v.in, v.at = "table "+t.Var.Name, t.Var.At
	v.typ(t.Var.Name, t.Var.Type)
	if t.Var.Space != Constant || !t.Var.Type.IsArray() {
		v.fail("a table is an array in constant memory")
	}
	if len(t.Words) != t.Var.Type.Words() {
		v.fail("%d words do not fill %s", len(t.Words), t.Var.Type)
	}
	v.tables[t.Var] = true
}

func (v *verifier) fun(f *Func) {
	v.enter("func", f.Name, f.At)
	v.inside = f
	for _, p := range f.Params {
		if p.Space == Global {
			v.kernelParam(p)
		} else if v.declare(p); p.Space != Private {
			v.fail("parameter %s of a func is neither private nor a buffer", p.Name)
		}
	}
	if f.Out != nil {
		if v.declare(f.Out); !f.Out.Type.IsArray() || f.Result.IsValid() || f.Out.Space != Private {
			v.fail("a func with an out variable computes a private array and returns no value")
		}
	} else if v.typ("the result", f.Result); f.Result.IsArray() {
		v.fail("a func returns arrays by way of its out variable")
	}
	v.stmts(f.Body)
	if x := f.Foreign; x != nil {
		if len(f.Body) > 0 || x.Name == "" || x.Place >= len(x.In) {
			v.fail("a foreign func has a body, or no name")
		}
		return
	}
	if f.Out == nil && !returns(f.Body) {
		v.fail("the end can be reached without a value")
	}
}

// returns reports whether every way through a list of statements ends in a return.
func returns(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Return:
			return true
		case *If:
			if returns(s.Then) && returns(s.Else) {
				return true
			}
		case *While:
			if c, ok := s.Cond.(*Const); ok && c.Words[0] != 0 && !leaves(s.Body) {
				return true
			}
		}
	}
	return false
}

// leaves reports whether a loop's body has a break of that loop.
func leaves(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Break:
			return true
		case *If:
			if leaves(s.Then) || leaves(s.Else) {
				return true
			}
		}
	}
	return false
}

func (v *verifier) kernel(k *Kernel) {
	v.enter("kernel", k.Name, k.At)
	for _, p := range k.Params {
		v.kernelParam(p)
	}
	for _, n := range k.Group {
		if n < 1 {
			v.fail("a work-group has at least one item in each dimension, not %v", k.Group)
			break
		}
	}
	v.stmts(k.Body)
}

func (v *verifier) kernelParam(p *Var) {
	v.declare(p)
	switch p.Space {
	case Global:
		if !p.Type.IsScalar() {
			v.fail("buffer %s holds components, not %s", p.Name, p.Type)
		}
		if p.Access&(Reads|Writes) == 0 {
			v.fail("buffer %s is neither read nor written", p.Name)
		}
	case Private:
		if p.Type.IsArray() {
			v.fail("parameter %s is an array", p.Name)
		}
	default:
		v.fail("parameter %s is neither a buffer nor a scalar", p.Name)
	}
}
