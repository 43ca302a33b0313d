package pass

import (
	"slices"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// fill makes the tables that are spread buffers that the host fills: parameters of the kernels that read them, and of the funcs.
func fill(p *kir.Program) {
	p.Tables = slices.DeleteFunc(p.Tables, func(t *kir.Table) bool {
		if t.Spread {
			p.Filled = append(p.Filled, t)
		}
		return t.Spread
	})
	for _, t := range p.Filled {
		f := filler{table: t, buffers: map[*kir.Func]*kir.Var{}}
		f.program(p)
	}
}

// A filler has kernels and funcs take one table as a buffer.
type filler struct {
	table   *kir.Table
	buffers map[*kir.Func]*kir.Var // of funcs that read it, themselves or by those that they call
}

func (f *filler) program(p *kir.Program) {
	for _, g := range p.Funcs { // callees first
		if v := f.body(&g.Body); v != nil {
			g.Params, f.buffers[g] = append(g.Params, v), v
		}
	}
	taking := map[*kir.Kernel]bool{}
	for _, k := range p.Kernels {
		if v := f.body(&k.Body); v != nil {
			k.Params = append(k.Params, v)
			taking[k] = true
		}
	}
	for _, pl := range p.Pipelines {
		kir.WalkSteps(pl.Steps, func(s kir.Step) {
			if l, ok := s.(*kir.Launch); ok && taking[l.Kernel] {
				l.Args = append(l.Args, kir.Arg{Table: f.table})
			}
		})
	}
}

// body has a body read the buffer, which it returns; nil where it needs none.
func (f *filler) body(body *[]kir.Stmt) *kir.Var {
	t := f.table.Var
	v := &kir.Var{Name: t.Name, Type: types.Scalar(t.Type.Kind), Space: kir.Global, Access: kir.Reads, At: t.At}
	used := false
	*body = exprs(*body, func(e kir.Expr) kir.Expr {
		switch e := e.(type) {
		case *kir.Elem:
			if e.Var == t {
				used = true
				return &kir.Load{Typed: e.Typed, Buffer: v, Offset: component(t.Type, e.Index)}
			}
		case *kir.Call:
			e.Args, used = f.handed(e.Func, e.Args, v, used)
		}
		return e
	})
	kir.WalkStmts(*body, func(s kir.Stmt) {
		if c, ok := s.(*kir.CallInto); ok {
			c.Args, used = f.handed(c.Func, c.Args, v, used)
		}
	}, nil)
	if !used {
		return nil
	}
	return v
}

// handed are the arguments of a call with the buffer, where the func takes it, and whether the buffer is used now.
func (f *filler) handed(g *kir.Func, args []kir.Expr, v *kir.Var, used bool) ([]kir.Expr, bool) {
	if f.buffers[g] == nil {
		return args, used
	}
	return append(slices.Clip(args), &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v}), true
}

// component is the number of the first component of an element of an array that lies in a buffer.
func component(array types.Type, index []kir.Expr) kir.Expr {
	t := kir.Typed{T: types.Scalar(types.I32)}
	number := func(n int) kir.Expr { return &kir.Const{Typed: t, Words: []types.Word{types.Int(int64(n))}} }
	exact := func(op ops.Op, x, y kir.Expr) kir.Expr {
		return &kir.Op{Typed: t, Op: op, Args: []kir.Expr{x, y}, Exact: true}
	}
	shape := array.Shape()
	at := index[0]
	for k := 1; k < len(shape); k++ {
		at = exact(ops.Add, exact(ops.Mul, at, number(shape[k])), index[k])
	}
	if n := int(array.Lanes); n > 1 {
		at = exact(ops.Mul, at, number(n))
	}
	return &kir.Convert{Typed: kir.Typed{T: types.Scalar(types.I64)}, X: at, Exact: true}
}
