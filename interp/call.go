package interp

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/types"
)

// A function is a compiled func. It is compiled once for a stage: its variables have their own places, since no func is
// active twice.
type function struct {
	params []int
	result int
	body   action
}

// function compiles f where it is called first.
func (c *compiler) function(f *hast.Func) *function {
	if done := c.funcs[f]; done != nil {
		return done
	}
	code := &function{result: c.temp(f.Result)}
	c.funcs[f] = code
	for _, p := range f.Params {
		code.params = append(code.params, c.slot(p))
	}
	if f.Extern != nil {
		code.body = c.extern(f, code)
		return code
	}
	outer := c.returning
	c.returning = code
	body := c.stmts(f.Body)
	c.returning = outer
	code.body = func(fr *frame) {
		if body(fr) != back {
			throw(f.At, "func %s ended without a value", f.Name)
		}
	}
	return code
}

// extern compiles a func in the language of a device: the caller of Run says what it computes.
func (c *compiler) extern(f *hast.Func, code *function) action {
	compute := c.b.externs[f.Extern.Name]
	if compute == nil {
		panic(failure{message: fmt.Sprintf("%s is an extern func, which runs on devices; the reference interpreter has nothing to compute it with", f.Extern.Name), at: f.At})
	}
	return func(fr *frame) {
		args := make([]types.Value, len(f.Params))
		for i, p := range f.Params {
			at := code.params[i]
			args[i] = types.Value{Type: p.Type, Words: slices.Clone(fr.w[at : at+p.Type.Words()])}
		}
		v := compute(args)
		if v.Type != f.Result || len(v.Words) != f.Result.Words() {
			panic(failure{message: fmt.Sprintf("%s returned %s where %s is expected", f.Extern.Name, v.Type, f.Result), at: f.At})
		}
		copy(fr.w[code.result:], v.Words)
	}
}

// call compiles a call. All arguments are computed before the first is passed, since computing one may call the same func.
func (c *compiler) call(e *hast.Call) block {
	f := c.function(e.Func)
	if len(e.Args) != len(f.params) {
		throw(e.At, "%d arguments for func %s, which has %d parameters", len(e.Args), e.Func.Name, len(f.params))
	}
	args := make([]block, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.block(a)
	}
	n := e.T.Words()
	to := c.reserve(n)
	return block{at: to, n: n, eval: func(fr *frame) {
		for i := range args {
			args[i].run(fr)
		}
		for i := range args {
			copy(fr.w[f.params[i]:f.params[i]+args[i].n], fr.w[args[i].at:])
		}
		f.body(fr)
		copy(fr.w[to:to+n], fr.w[f.result:])
	}}
}
