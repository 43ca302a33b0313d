package interp

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// block compiles an expression of any type to words in the frame. What is there stays until the block is run again.
func (c *compiler) block(e hast.Expr) block {
	if b, ok := c.variable(e); ok {
		return b
	}
	if e.Type().Words() == 1 {
		at := c.reserve(1)
		return block{eval: c.store(e, at), at: at, n: 1}
	}
	switch e := e.(type) {
	case *hast.Const:
		return c.placed(e.Words)
	case *hast.Op:
		return c.opBlock(e)
	case *hast.Convert:
		return c.convertBlock(e)
	case *hast.Splat:
		return c.splat(e)
	case *hast.Select:
		return c.selectBlock(e)
	case *hast.Vec:
		return c.gather(e.T, e.Parts)
	case *hast.Array:
		return c.gather(e.T, e.Elems)
	case *hast.Transpose:
		return c.transpose(e)
	case *hast.Reshape:
		return c.block(e.X)
	case *hast.Load:
		return c.loadBlock(e)
	case *hast.Reduce:
		return c.reduceBlock(e)
	case *hast.Swizzle:
		return c.swizzle(e)
	case *hast.Elem:
		if inner := c.elementOf(e); inner != nil {
			return c.block(inner)
		}
	}
	return c.component(e)
}

// variable is where e already is, if it is a variable.
func (c *compiler) variable(e hast.Expr) (block, bool) {
	ref, ok := e.(*hast.Ref)
	if !ok {
		return block{}, false
	}
	if words, ok := c.known(ref.Var); ok {
		return c.placed(words), true
	}
	return block{at: c.slot(ref.Var), n: ref.T.Words()}, true
}

// opBlock applies an operator component by component. An operand of one component serves all.
func (c *compiler) opBlock(e *hast.Op) block {
	if isWhole(e.Op) {
		return c.wholeBlock(e)
	}
	n := e.T.Words()
	to := c.reserve(n)
	args := make([]block, len(e.Args))
	steps := make([]int, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.block(a)
		if args[i].n > 1 {
			steps[i] = 1
		}
	}
	op, k := e.Op, e.Args[0].Type().Kind
	x, dx := args[0], steps[0]
	switch len(args) {
	case 1:
		return block{at: to, n: n, eval: func(fr *frame) {
			x.run(fr)
			for i := range n {
				fr.w[to+i] = ops.Eval(op, k, fr.w[x.at+i*dx])
			}
		}}
	case 2:
		y, dy := args[1], steps[1]
		f := wordBinary(op, k)
		return block{at: to, n: n, eval: func(fr *frame) {
			x.run(fr)
			y.run(fr)
			for i := range n {
				fr.w[to+i] = f(fr.w[x.at+i*dx], fr.w[y.at+i*dy])
			}
		}}
	}
	y, z, dy, dz := args[1], args[2], steps[1], steps[2]
	return block{at: to, n: n, eval: func(fr *frame) {
		x.run(fr)
		y.run(fr)
		z.run(fr)
		for i := range n {
			fr.w[to+i] = ops.Eval(op, k, fr.w[x.at+i*dx], fr.w[y.at+i*dy], fr.w[z.at+i*dz])
		}
	}}
}

// wordBinaries spare the way through the table for the operators of small matrices and colours.
var wordBinaries = map[types.Kind]map[ops.Op]func(a, b types.Word) types.Word{
	types.I32: {
		ops.Add: func(a, b types.Word) types.Word { return types.Int(int64(int32(a) + int32(b))) },
		ops.Sub: func(a, b types.Word) types.Word { return types.Int(int64(int32(a) - int32(b))) },
		ops.Mul: func(a, b types.Word) types.Word { return types.Int(int64(int32(a) * int32(b))) },
	},
	types.F32: {
		ops.Add: func(a, b types.Word) types.Word { return types.Float(float64(float32(a.Float() + b.Float()))) },
		ops.Sub: func(a, b types.Word) types.Word { return types.Float(float64(float32(a.Float() - b.Float()))) },
		ops.Mul: func(a, b types.Word) types.Word { return types.Float(float64(float32(a.Float() * b.Float()))) },
	},
}

// wordBinary is the meaning of op on two words of kind k.
func wordBinary(op ops.Op, k types.Kind) func(a, b types.Word) types.Word {
	if f := wordBinaries[k][op]; f != nil {
		return f
	}
	return func(a, b types.Word) types.Word { return ops.Eval(op, k, a, b) }
}

func (c *compiler) convertBlock(e *hast.Convert) block {
	x := c.block(e.X)
	from, to := e.X.Type().Kind, e.T.Kind
	if from == to || e.How != hast.Bitcast && types.Holds(from, to) && from.IsFloat() == to.IsFloat() {
		return x // the words of these values are the same in both kinds
	}
	f := convertWord(e.How, from, to)
	out := c.reserve(x.n)
	return block{at: out, n: x.n, eval: func(fr *frame) {
		x.run(fr)
		for i := range x.n {
			fr.w[out+i] = f(fr.w[x.at+i])
		}
	}}
}

func (c *compiler) splat(e *hast.Splat) block {
	n := e.T.Words()
	if e.X.Type().Words() == 1 {
		return c.splatWord(e)
	}
	x := c.block(e.X)
	to := c.reserve(n)
	return block{at: to, n: n, eval: func(fr *frame) {
		x.run(fr)
		for i := 0; i < n; i += x.n {
			copy(fr.w[to+i:to+i+x.n], fr.w[x.at:])
		}
	}}
}

// splatWord repeats a word.
func (c *compiler) splatWord(e *hast.Splat) block {
	n := e.T.Words()
	var f func(*frame) types.Word
	if e.T.Kind.IsFloat() {
		x := c.float(e.X)
		if x.constant {
			return c.placed(slices.Repeat([]types.Word{types.Float(x.value)}, n))
		}
		f = func(fr *frame) types.Word { return types.Float(x.eval(fr)) }
	} else {
		x := c.int(e.X)
		if x.constant() {
			return c.placed(slices.Repeat([]types.Word{types.Int(x.add)}, n))
		}
		f = func(fr *frame) types.Word { return types.Int(x.eval(fr)) }
	}
	to := c.reserve(n)
	return block{at: to, n: n, eval: func(fr *frame) {
		w := f(fr)
		for i := range n {
			fr.w[to+i] = w
		}
	}}
}

func (c *compiler) selectBlock(e *hast.Select) block {
	n := e.T.Words()
	to := c.reserve(n)
	then, other := c.block(e.Then), c.block(e.Else)
	if e.Cond.Type().Words() == 1 {
		cond := c.truth(e.Cond)
		return block{at: to, n: n, eval: func(fr *frame) {
			chosen := &then
			if cond(fr) == 0 {
				chosen = &other
			}
			chosen.run(fr)
			copy(fr.w[to:to+n], fr.w[chosen.at:])
		}}
	}
	cond := c.block(e.Cond)
	return block{at: to, n: n, eval: func(fr *frame) {
		cond.run(fr)
		then.run(fr)
		other.run(fr)
		for i := range n {
			from := other.at
			if fr.w[cond.at+i%cond.n] != 0 {
				from = then.at
			}
			fr.w[to+i] = fr.w[from+i]
		}
	}}
}

// gather puts parts side by side.
func (c *compiler) gather(t types.Type, parts []hast.Expr) block {
	to := c.temp(t)
	var code []action
	at := to
	for _, p := range parts {
		code = append(code, c.store(p, at))
		at += p.Type().Words()
	}
	return block{at: to, n: at - to, eval: func(fr *frame) {
		for _, f := range code {
			f(fr)
		}
	}}
}

// swizzle picks several lanes of a vector.
func (c *compiler) swizzle(e *hast.Swizzle) block {
	x := c.block(e.X)
	n, lanes := len(e.Lanes), e.Lanes
	to := c.reserve(n)
	return block{at: to, n: n, eval: func(fr *frame) {
		x.run(fr)
		for i, lane := range lanes {
			fr.w[to+i] = fr.w[x.at+lane]
		}
	}}
}

// lane picks one lane of a vector.
func (c *compiler) lane(e *hast.Swizzle) block {
	x := c.block(e.X)
	return block{eval: x.eval, at: x.at + e.Lanes[0], n: 1}
}

func (c *compiler) transpose(e *hast.Transpose) block {
	x := c.block(e.X)
	shape, lanes := e.X.Type().Shape(), int(e.T.Lanes)
	if len(shape) != 2 {
		throw(e.At, "transpose of %s", e.X.Type())
	}
	rows, cols := shape[0], shape[1]
	to := c.reserve(x.n)
	return block{at: to, n: x.n, eval: func(fr *frame) {
		x.run(fr)
		for i := range rows {
			for j := range cols {
				copy(fr.w[to+(j*rows+i)*lanes:][:lanes], fr.w[x.at+(i*cols+j)*lanes:])
			}
		}
	}}
}
