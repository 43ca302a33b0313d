package feature

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Pipe is a part of a compute unit that takes operations at a rate of its own.
type Pipe uint8

const (
	FMA         Pipe = iota // f32 additions, multiplications and both at once
	Integer                 // 32-bit multiplications
	Logic                   // 32-bit additions, logic, shifts, comparisons, minima, selections
	Convert                 // between floats and integers
	ConvertWord             // of 32-bit integers to f32, and of f32 to bytes, saturating
	Special                 // exponentials, roots, divisions, angles
	Double                  // f64, and 64-bit integers
	Half                    // additions and multiplications of floats of 16 bits
	Widen                   // of pixels that are floats of 16 bits to f32, which takes them out of words as well
	LookUp                  // reads of constant arrays at places that data decides: times that the banks of the nearest memory are asked
	Memory                  // reads and writes of pixels
	Pipes       = iota
)

var pipeNames = [Pipes]string{"fma", "integer", "logic", "convert", "convert_word", "special", "double", "half", "widen", "look_up", "memory"}

// String is the pipe's name as architecture models use it.
func (p Pipe) String() string { return pipeNames[p] }

// Ops counts operations of components by pipe. Reading and writing a pixel counts its components.
type Ops [Pipes]float64

// Total is the number of all operations.
func (o Ops) Total() float64 {
	n := 0.0
	for _, v := range o {
		n += v
	}
	return n
}

// costs are operations of floats that are no single addition or multiplication: how many of which pipe they take, about. Divisions
// and functions differ among devices; these are what their usual forms need.
var costs = map[ops.Op]Ops{
	ops.Div:   {FMA: 6, Special: 1},
	ops.Rem:   {FMA: 12, Special: 1, Logic: 6},
	ops.Mod:   {FMA: 14, Special: 1, Logic: 8},
	ops.Sqrt:  {FMA: 4, Special: 1},
	ops.Rsqrt: {FMA: 1, Special: 1},
	ops.Cbrt:  {FMA: 12, Special: 2},
	ops.Exp:   {FMA: 6, Special: 1}, ops.Exp2: {FMA: 2, Special: 1},
	ops.Log: {FMA: 10, Special: 1}, ops.Log2: {FMA: 8, Special: 1}, ops.Log10: {FMA: 10, Special: 1},
	ops.Sin: {FMA: 14, Logic: 6}, ops.Cos: {FMA: 14, Logic: 6}, ops.Tan: {FMA: 20, Logic: 6, Special: 1},
	ops.Asin: {FMA: 14, Special: 1}, ops.Acos: {FMA: 14, Special: 1}, ops.Atan: {FMA: 12, Special: 1}, ops.Atan2: {FMA: 18, Special: 1, Logic: 4},
	ops.Sinh: {FMA: 12, Special: 2}, ops.Cosh: {FMA: 12, Special: 2}, ops.Tanh: {FMA: 12, Special: 2},
	ops.Pow: {FMA: 30, Special: 2, Logic: 10}, ops.Hypot: {FMA: 6, Special: 1, Logic: 4},
	ops.Mix: {FMA: 2}, ops.Step: {Logic: 1}, ops.Smoothstep: {FMA: 10, Special: 1},
	ops.Floor: {Logic: 1}, ops.Ceil: {Logic: 1}, ops.Round: {Logic: 2}, ops.Trunc: {Logic: 1}, ops.Fract: {FMA: 1, Logic: 1},
	ops.Length: {FMA: 5, Special: 1}, ops.Normalize: {FMA: 8, Special: 2}, ops.Cross: {FMA: 6}, ops.Dot: {FMA: 1},
}

// fastCosts are those of functions that are instructions of the device in fast mode, with what brings their operands into form.
var fastCosts = map[ops.Op]Ops{
	ops.Div: {FMA: 1, Special: 1}, ops.Sqrt: {FMA: 1, Special: 1}, ops.Rsqrt: {Special: 1},
	ops.Exp: {FMA: 1, Special: 1}, ops.Exp2: {Special: 1},
	ops.Log: {FMA: 1, Special: 1}, ops.Log2: {Special: 1}, ops.Log10: {FMA: 1, Special: 1},
	ops.Sin: {FMA: 1, Special: 1}, ops.Cos: {FMA: 1, Special: 1},
}

// intCosts are the same of integers.
var intCosts = map[ops.Op]Ops{
	ops.Mul: {Integer: 1}, ops.Div: {Integer: 6, Logic: 10}, ops.Rem: {Integer: 7, Logic: 10}, ops.Mod: {Integer: 7, Logic: 12}, ops.FloorDiv: {Integer: 7, Logic: 12},
	ops.Dot: {Integer: 1}, ops.Clamp: {Logic: 2}, ops.Popcount: {Special: 1},
}

// op counts one operator on its operands' components. A sum of a float product is one operation, unless it was counted as fused.
func (w *walker) op(e *hast.Op) {
	t := e.Args[0].Type()
	n := components(t)
	if !t.Kind.IsFloat() {
		if t.Kind.Bits() == 64 {
			n *= 2 // in two halves
		}
		w.add(intCosts, e, n)
		return
	}
	if t.Kind.Bits() == 64 {
		w.count(Double, n)
		return
	}
	switch e.Op {
	case ops.Add, ops.Sub:
		for _, a := range e.Args {
			if p, ok := a.(*hast.Op); ok && p.Op == ops.Mul {
				return // counted with the product
			}
		}
		w.count(pipeOf(t.Kind), n)
	case ops.Mul, ops.Fma:
		w.count(pipeOf(t.Kind), n)
	case ops.Div:
		if isPowerOfTwo(e.Args[1]) {
			w.count(pipeOf(t.Kind), n)
			return
		}
		w.add(costs, e, n)
	case ops.Pow:
		if !w.products(e, n) {
			w.add(costs, e, n)
		}
	default:
		w.add(costs, e, n)
	}
}

// products counts a power that is made of products, and reports whether it is.
func (w *walker) products(e *hast.Op, n float64) bool {
	y := e.Args[1]
	if s, ok := y.(*hast.Splat); ok {
		y = s.X
	}
	c, ok := y.(*hast.Const)
	if !ok || !ops.IsProduct(c.Words[0].Float()) {
		return false
	}
	count := func(p Pipe) func(int, int) int { return func(int, int) int { w.count(p, n); return 0 } }
	quotient := func(int, int) int { w.count(FMA, 8*n); w.count(Special, n); return 0 }
	ops.Product(int(c.Words[0].Float()), 0, 0, count(FMA), quotient)
	return true
}

func (w *walker) add(table map[ops.Op]Ops, e *hast.Op, n float64) {
	if c, ok := byConstant(e); ok {
		for p, v := range c {
			w.count(Pipe(p), v*n)
		}
		return
	}
	c, ok := table[e.Op]
	if f, native := fastCosts[e.Op]; w.fast && native && e.T.Kind == types.F32 {
		c = f
	}
	if !ok {
		w.count(Logic, n)
		return
	}
	for p, v := range c {
		w.count(Pipe(p), v*n)
	}
}

// byConstant are the operations of a division of integers by a constant, or of what it leaves: a shift or a mask, or a product, a shift and what is left, another product; false of
// anything else.
func byConstant(e *hast.Op) (c Ops, ok bool) {
	rest := e.Op == ops.Rem || e.Op == ops.Mod
	if !rest && e.Op != ops.Div && e.Op != ops.FloorDiv || !e.T.Kind.IsInt() {
		return c, false
	}
	if isPowerOfTwo(e.Args[1]) {
		return Ops{Logic: 2}, true
	}
	if _, number := e.Args[1].(*hast.Const); !number {
		return c, false
	}
	if rest {
		return Ops{Integer: 2, Logic: 2}, true
	}
	return Ops{Integer: 1, Logic: 2}, true
}

// isPowerOfTwo reports whether e is a constant by which dividing is shifting or multiplying.
func isPowerOfTwo(e hast.Expr) bool {
	if s, ok := e.(*hast.Splat); ok {
		e = s.X
	}
	c, ok := e.(*hast.Const)
	if !ok || len(c.Words) == 0 {
		return false
	}
	for _, word := range c.Words {
		v := float64(0)
		if c.T.Kind.IsFloat() {
			v = word.Float()
		} else {
			v = float64(word.Int())
		}
		if v != float64(int64(v)) || v < 1 || int64(v)&(int64(v)-1) != 0 {
			return false
		}
	}
	return true
}

func (w *walker) count(p Pipe, n float64) { w.out.Ops[p] += n * w.times }

// components of a value: lanes times elements.
func components(t types.Type) float64 { return float64(t.Words()) }
