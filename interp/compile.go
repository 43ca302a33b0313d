package interp

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// A compiler turns the expressions and statements of one stage, or one host expression, into closures over a frame. Every
// variable, temporary and array constant gets its own place in the frame. It throws on what sema does not let through.
type compiler struct {
	b         *Binding
	storage   *storage
	slots     map[*hast.Var]int
	constants map[*hast.Var]int64 // loop variables of reductions that are being unrolled
	funcs     map[*hast.Func]*function
	init      []types.Word // what a frame starts as
	unrolled  int          // nodes that unrolling has made
	returning *function    // whose body is being compiled
	written   []*hast.Image
	undefined []*hast.Image // read under the rule undefined
	formulas  map[*hast.Border]*formula
	rounded   []*raster // of 16-bit floats, which updates leave in 32 bits until the stage has ended
	updates   bool      // whether a pixel is read and written in one statement
}

// newCompiler starts with slot 0, which is always 0.
func newCompiler(b *Binding, rasters *storage) *compiler {
	return &compiler{
		b:         b,
		storage:   rasters,
		slots:     map[*hast.Var]int{},
		constants: map[*hast.Var]int64{},
		funcs:     map[*hast.Func]*function{},
		formulas:  map[*hast.Border]*formula{},
		init:      make([]types.Word, 1),
	}
}

// newFrame makes the memory of a worker.
func (c *compiler) newFrame() *frame {
	return &frame{w: append([]types.Word(nil), c.init...), limit: &c.b.limit}
}

// reserve makes place for n words.
func (c *compiler) reserve(n int) (at int) {
	at = len(c.init)
	c.init = append(c.init, make([]types.Word, n)...)
	return at
}

// temp makes place for a value of type t.
func (c *compiler) temp(t types.Type) (at int) { return c.reserve(t.Words()) }

// slot is the place of a variable.
func (c *compiler) slot(v *hast.Var) int {
	at, ok := c.slots[v]
	if !ok {
		if onHost := v.Class >= hast.SizeVar; onHost || v.Class == hast.Iterator && c.storage == nil {
			throw(v.At, "%s is used where it has no value", v.Name)
		}
		at = c.temp(v.Type)
		c.slots[v] = at
	}
	return at
}

// known is the value of a variable that the compiler knows: a size, a host value, an unrolled loop's variable.
func (c *compiler) known(v *hast.Var) ([]types.Word, bool) {
	if n, ok := c.constants[v]; ok {
		return []types.Word{types.Int(n)}, true
	}
	words, ok := c.b.values[v]
	return words, ok
}

// placed puts constant words into every frame.
func (c *compiler) placed(words []types.Word) block {
	at := c.reserve(len(words))
	copy(c.init[at:], words)
	return block{at: at, n: len(words)}
}

// store compiles e with its value going to w[at:].
func (c *compiler) store(e hast.Expr, at int) action {
	t := e.Type()
	if t.Words() > 1 {
		b := c.block(e)
		return func(fr *frame) {
			b.run(fr)
			copy(fr.w[at:at+b.n], fr.w[b.at:])
		}
	}
	if t.Kind.IsFloat() {
		f := c.float(e).eval
		return func(fr *frame) { fr.w[at] = types.Float(f(fr)) }
	}
	f := c.int(e).eval
	return func(fr *frame) { fr.w[at] = types.Int(f(fr)) }
}

// word compiles an expression of one component of any kind.
func (c *compiler) word(e hast.Expr) func(*frame) types.Word {
	if e.Type().Kind.IsFloat() {
		f := c.float(e).eval
		return func(fr *frame) types.Word { return types.Float(f(fr)) }
	}
	f := c.int(e).eval
	return func(fr *frame) types.Word { return types.Int(f(fr)) }
}

// truth compiles a condition.
func (c *compiler) truth(e hast.Expr) intFn {
	if e.Type() != types.Scalar(types.Bool) {
		throw(e.Span(), "a condition of type %s", e.Type())
	}
	return c.int(e).eval
}

// int compiles an expression of one component, an integer or a bool.
func (c *compiler) int(e hast.Expr) intExpr { return c.claimed(e, c.unclaimed(e)) }

func (c *compiler) unclaimed(e hast.Expr) intExpr {
	switch e := e.(type) {
	case *hast.Const:
		return intConst(e.Words[0].Int())
	case *hast.Ref:
		if words, ok := c.known(e.Var); ok {
			return intConst(words[0].Int())
		}
		return intSlot(c.slot(e.Var))
	case *hast.Op:
		return c.intOp(e)
	case *hast.Convert:
		return c.intConvert(e)
	case *hast.Select:
		cond, then, other := c.truth(e.Cond), c.int(e.Then).eval, c.int(e.Else).eval
		return intCode(func(fr *frame) int64 {
			if cond(fr) != 0 {
				return then(fr)
			}
			return other(fr)
		})
	case *hast.Load:
		return c.intLoad(e, 0)
	case *hast.Swizzle:
		if pixel, ok := e.X.(*hast.Load); ok {
			return c.intLoad(pixel, e.Lanes[0])
		}
	case *hast.Reduce:
		return c.intReduce(e)
	}
	if inner := c.alias(e); inner != nil {
		return c.int(inner)
	}
	b := c.component(e)
	run, at := b.eval, b.at
	if run == nil {
		return intCode(func(fr *frame) int64 { return int64(fr.w[at]) })
	}
	return intCode(func(fr *frame) int64 {
		run(fr)
		return int64(fr.w[at])
	})
}

// float compiles an expression of one float.
func (c *compiler) float(e hast.Expr) floatExpr {
	switch e := e.(type) {
	case *hast.Const:
		return floatConst(e.Words[0].Float())
	case *hast.Ref:
		if words, ok := c.known(e.Var); ok {
			return floatConst(words[0].Float())
		}
		return floatSlot(c.slot(e.Var))
	case *hast.Op:
		return c.floatOp(e)
	case *hast.Convert:
		return c.floatConvert(e)
	case *hast.Select:
		cond, then, other := c.truth(e.Cond), c.float(e.Then).eval, c.float(e.Else).eval
		return floatCode(func(fr *frame) float64 {
			if cond(fr) != 0 {
				return then(fr)
			}
			return other(fr)
		})
	case *hast.Load:
		return c.floatLoad(e, 0)
	case *hast.Swizzle:
		if pixel, ok := e.X.(*hast.Load); ok {
			return c.floatLoad(pixel, e.Lanes[0])
		}
	case *hast.Reduce:
		return c.floatReduce(e)
	}
	if inner := c.alias(e); inner != nil {
		return c.float(inner)
	}
	b := c.component(e)
	run, at := b.eval, b.at
	if run == nil {
		return floatCode(func(fr *frame) float64 { return fr.w[at].Float() })
	}
	return floatCode(func(fr *frame) float64 {
		run(fr)
		return fr.w[at].Float()
	})
}

// alias is the expression that e, of one component, is another way to write; nil where there is none.
func (c *compiler) alias(e hast.Expr) hast.Expr {
	switch e := e.(type) {
	case *hast.Splat:
		return e.X
	case *hast.Vec:
		return e.Parts[0]
	case *hast.Array:
		return e.Elems[0]
	case *hast.Reshape:
		return e.X
	case *hast.Transpose:
		return e.X
	case *hast.Elem:
		return c.elementOf(e)
	}
	return nil
}

// component compiles an expression of one component that takes code for blocks: it is at the block's first word.
func (c *compiler) component(e hast.Expr) block {
	switch e := e.(type) {
	case *hast.Elem:
		return c.elem(e)
	case *hast.Swizzle:
		return c.lane(e)
	case *hast.Call:
		return c.call(e)
	case *hast.Window:
		return c.window(e)
	case *hast.MatMul:
		return c.matMul(e)
	}
	throw(e.Span(), "the interpreter does not know the expression %T", e)
	return block{}
}

// intOp compiles an Op whose result is an integer or bool.
func (c *compiler) intOp(e *hast.Op) intExpr {
	if isWhole(e.Op) {
		return c.intOfWhole(e)
	}
	k := e.Args[0].Type().Kind
	if k.IsFloat() {
		args := make([]floatExpr, len(e.Args))
		for i, a := range e.Args {
			args[i] = c.float(a)
		}
		return floatTest(e.Op, k, args)
	}
	args := make([]intExpr, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.int(a)
	}
	switch len(args) {
	case 1:
		return intUnary(e.Op, k, args[0])
	case 2:
		return intBinary(e.Op, k, args[0], args[1])
	}
	return intTernary(e.Op, k, args[0], args[1], args[2])
}

func (c *compiler) floatOp(e *hast.Op) floatExpr {
	if isWhole(e.Op) {
		return c.floatOfWhole(e)
	}
	k := e.T.Kind
	args := make([]floatExpr, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.float(a)
	}
	switch len(args) {
	case 1:
		return floatUnary(e.Op, k, args[0])
	case 2:
		return floatBinary(e.Op, k, args[0], args[1])
	}
	return floatTernary(e.Op, k, args[0], args[1], args[2])
}

// isWhole is true of the ops on whole vectors.
func isWhole(op ops.Op) bool {
	switch op {
	case ops.Dot, ops.Cross, ops.Length, ops.Normalize, ops.Any, ops.All:
		return true
	}
	return false
}

// at is a place of the program that closures can keep.
func at(s source.Span) *source.Span { return &s }
