package pass

import (
	"math"
	"slices"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Quotients and remainders of floats have long forms in languages for devices: CUDA's quotient scales divisors that lie near the ends of the kind, and its
// remainder asks how large the quotient is and has a loop for the largest. Where the operands are of ordinary sizes, which is so of most that is made of
// pixels, short forms give the same bits: of 1666 instructions that made hue, saturation and value of 8 pixels, 472 were left.

// A size says of the finite values that a float may have, and of zero, that they lie between lo and hi, and that they are multiples of 2^unit: that none but
// zero is nearer to it. It says nothing of infinities and NaN. Rounding keeps units: what is a multiple of a power of two is one of it still.
type size struct {
	lo, hi float64
	unit   int
}

const (
	leastUnit = -149 // of what is not normal
	mostUnit  = 1000
)

var (
	anySize = size{-math.MaxFloat32, math.MaxFloat32, leastUnit}
	noSize  = size{0, 0, mostUnit} // of what has no value yet
)

// around is the size of what is at most so large.
func around(most float64, unit int) size { return size{-most, most, unit} }

func (s size) join(t size) size { return size{min(s.lo, t.lo), max(s.hi, t.hi), min(s.unit, t.unit)} }

// most is the greatest magnitude.
func (s size) most() float64 { return max(-s.lo, s.hi) }

// rounded has room for what rounding adds, 2.5 ulp of a quotient or 3 of a root included.
func (s size) rounded() size {
	const part, tiny = 1 + 0x1p-20, 0x1p-149
	return size{max(s.lo*part-tiny, -math.MaxFloat32), min(s.hi*part+tiny, math.MaxFloat32), min(max(s.unit, leastUnit), mostUnit)}
}

// normal reports whether finite values are zero or from 2^-126 to 2^126.
func (s size) normal() bool { return s.unit >= -126 && s.most() <= 0x1p126 }

// unitOf is the unit of floats that are at least so large, or zero.
func unitOf(least float64) int {
	return min(max(math.Ilogb(least*(1-0x1p-20))-23, leastUnit), mostUnit)
}

// sizesIn follows sizes through the kernels and funcs of a program, whatever the order in which statements run: of a variable it has the size of all that is
// assigned to it, of a parameter that of all arguments, and of a func that of all it returns.
type sizesIn struct {
	vars    map[*kir.Var]size
	funcs   map[*kir.Func]size
	changed bool
	late    bool // what grows still is given up
}

// rounds is how often statements are looked at before what still grows, as sums in loops do, may have any size.
const rounds = 20

// sizes marks the quotients and remainders of floats that are of ordinary sizes.
func sizes(p *kir.Program) {
	if !divides(p) {
		return
	}
	in := &sizesIn{vars: map[*kir.Var]size{}, funcs: map[*kir.Func]size{}}
	in.begin(p)
	for n := 0; n == 0 || in.changed; n++ {
		in.changed, in.late = false, n >= rounds
		eachBody(p, in.body)
	}
	eachBody(p, func(_ *kir.Func, body []kir.Stmt) {
		kir.WalkStmts(body, nil, func(e kir.Expr) {
			if o, ok := e.(*kir.Op); ok && in.short(o) {
				o.Short = true
			}
		})
	})
}

// eachBody calls f for the bodies of all funcs, and with nil those of kernels.
func eachBody(p *kir.Program, f func(of *kir.Func, body []kir.Stmt)) {
	for _, k := range p.Kernels {
		f(nil, k.Body)
	}
	for _, g := range slices.Backward(p.Funcs) { // callers first
		f(g, g.Body)
	}
}

// divides reports whether a program has quotients or remainders that sizes could mark.
func divides(p *kir.Program) (found bool) {
	eachBody(p, func(_ *kir.Func, body []kir.Stmt) {
		kir.WalkStmts(body, nil, func(e kir.Expr) {
			o, ok := e.(*kir.Op)
			found = found || ok && divided(o)
		})
	})
	return found
}

// divided reports whether an operator is a quotient by what is no constant, which compilers make a product, or a remainder by a constant.
func divided(o *kir.Op) bool {
	if o.T != types.Scalar(types.F32) {
		return false
	}
	c, constant := o.Args[len(o.Args)-1].(*kir.Const)
	switch o.Op {
	case ops.Div:
		return !constant
	case ops.Mod, ops.Rem:
		return constant && kir.ShortDivisor(c.Words[0].Float())
	}
	return false
}

// short reports whether the operands of a quotient or remainder are of ordinary sizes.
func (in *sizesIn) short(o *kir.Op) bool {
	switch {
	case !divided(o):
		return false
	case o.Op == ops.Div:
		return in.of(o.Args[1]).normal()
	}
	return in.of(o.Args[0]).most() <= kir.ShortQuotient*in.of(o.Args[1]).most()
}

// begin gives the variables that are followed no value: floats that statements declare, and what funcs get and compute.
func (in *sizesIn) begin(p *kir.Program) {
	follow := func(v *kir.Var) {
		if v != nil && v.Type.Kind == types.F32 && v.Space == kir.Private && v.Access == 0 {
			in.vars[v] = noSize
		}
	}
	eachBody(p, func(f *kir.Func, body []kir.Stmt) {
		if f != nil && f.Foreign == nil {
			in.funcs[f] = noSize
			for _, v := range append(f.Params, f.Out) {
				follow(v)
			}
		}
		kir.WalkStmts(body, func(s kir.Stmt) {
			if d, ok := s.(*kir.Decl); ok {
				follow(d.Var)
			}
		}, nil)
	})
}

// body looks at the statements of a func, or with nil of a kernel.
func (in *sizesIn) body(f *kir.Func, body []kir.Stmt) {
	kir.WalkStmts(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Decl:
			if s.Init != nil {
				in.gets(s.Var, in.of(s.Init))
			}
		case *kir.Assign:
			in.gets(s.Var, in.of(s.Value))
		case *kir.LoadRun:
			in.gets(s.Var, sizeOfKind(s.Buffer.Type.Kind))
		case *kir.CallInto:
			in.called(s.Func, s.Args)
			in.gets(s.Out, in.variable(s.Func.Out))
		case *kir.Return:
			if f != nil && s.Value != nil && f.Result.Kind == types.F32 {
				if now := in.grown(in.funcs[f], in.of(s.Value)); now != in.funcs[f] {
					in.funcs[f], in.changed = now, true
				}
			}
		}
	}, func(e kir.Expr) {
		if c, ok := e.(*kir.Call); ok {
			in.called(c.Func, c.Args)
		}
	})
}

func (in *sizesIn) called(f *kir.Func, args []kir.Expr) {
	for i, a := range args {
		in.gets(f.Params[i], in.of(a))
	}
}

// gets notes a value of a variable.
func (in *sizesIn) gets(v *kir.Var, s size) {
	if had, followed := in.vars[v]; followed {
		if now := in.grown(had, s); now != had {
			in.vars[v], in.changed = now, true
		}
	}
}

// grown is the size of what had one and gets values of another.
func (in *sizesIn) grown(had, s size) size {
	now := had.join(s)
	if now != had && in.late {
		return anySize
	}
	return now
}

func (in *sizesIn) variable(v *kir.Var) size {
	if s, followed := in.vars[v]; followed {
		return s
	}
	return anySize
}

// sizeOfKind is that of the values that memory holds of a kind.
func sizeOfKind(k types.Kind) size {
	switch {
	case k == types.Bool:
		return size{0, 1, 0}
	case k == types.F16:
		return around(65504, -24)
	case k.IsInt() && k.IsSigned():
		return around(math.Ldexp(1, k.Bits()-1), 0)
	case k.IsInt():
		return size{0, math.Ldexp(1, k.Bits()) - 1, 0}
	}
	return anySize
}

// of is the size of what an expression computes as f32, or as an integer.
func (in *sizesIn) of(e kir.Expr) size {
	k := e.Type().Kind
	switch e := e.(type) {
	case *kir.Const:
		return sizeOfWords(e)
	case *kir.Convert:
		return in.converted(e)
	case *kir.Select:
		return in.of(e.Then).join(in.of(e.Else))
	}
	if k != types.F32 {
		return sizeOfKind(k)
	}
	switch e := e.(type) {
	case *kir.Ref:
		return in.variable(e.Var)
	case *kir.Elem:
		return in.variable(e.Var)
	case *kir.Vec:
		return in.all(e.Parts)
	case *kir.Lanes:
		return in.of(e.X)
	case *kir.Call:
		if s, followed := in.funcs[e.Func]; followed {
			return s
		}
	case *kir.Op:
		return in.op(e)
	}
	return anySize
}

func (in *sizesIn) all(list []kir.Expr) size {
	s := noSize
	for _, e := range list {
		s = s.join(in.of(e))
	}
	return s
}

func sizeOfWords(c *kir.Const) size {
	s := noSize
	for _, w := range c.Words {
		x := float64(w.Int())
		if c.T.Kind.IsFloat() {
			x = w.Float()
		}
		switch {
		case c.T.Kind == types.U64 || math.IsInf(x, 0) || math.IsNaN(x):
			return anySize
		case x != 0:
			s = s.join(size{min(x, 0), max(x, 0), unitOfNumber(x)})
		}
	}
	return s
}

// unitOfNumber is the greatest power of two that a float is a multiple of.
func unitOfNumber(x float64) int {
	part, power := math.Frexp(x)
	unit := power - 53
	for n := int64(math.Ldexp(part, 53)); n&1 == 0; n /= 2 {
		unit++
	}
	return max(unit, leastUnit)
}

// converted is the size of what a conversion gives: integers of few bits are what they are in more.
func (in *sizesIn) converted(e *kir.Convert) size {
	from, to := e.X.Type().Kind, e.T.Kind
	kept := to == types.F32 && (from.IsInt() || from == types.F16 || from == types.F32) || from.IsInt() && to.IsInt() && e.Exact
	if e.How == kir.Bitcast || !kept {
		return sizeOfKind(to)
	}
	if s := in.of(e.X).rounded(); to == types.F32 || s.most() < sizeOfKind(to).most() {
		return s
	}
	return sizeOfKind(to)
}

// op is the size of what an operator gives.
func (in *sizesIn) op(e *kir.Op) size {
	f := opSizes[e.Op]
	if f.of == nil || e.Args[0].Type().Kind != types.F32 {
		return anySize
	}
	for _, a := range e.Args[1:] {
		if _, constant := a.(*kir.Const); !constant && f.constants {
			return in.all(e.Args)
		}
	}
	args := make([]size, len(e.Args))
	for i, a := range e.Args {
		args[i] = in.of(a)
	}
	s := f.of(args)
	if f.exact {
		return s
	}
	return s.rounded()
}

// opSizes are those of what operators of floats give: exact, or before it is rounded. Where operands behind the first have to be constants, as others may
// be infinite or NaN, it is otherwise one of the operands' sizes.
var opSizes = map[ops.Op]struct {
	of               func(a []size) size
	exact, constants bool
}{
	ops.Neg:   {of: func(a []size) size { return a[0].negated() }, exact: true},
	ops.Abs:   {of: func(a []size) size { return size{0, a[0].most(), a[0].unit} }, exact: true},
	ops.Add:   {of: func(a []size) size { return sum(a[0], a[1]) }},
	ops.Sub:   {of: func(a []size) size { return sum(a[0], a[1].negated()) }},
	ops.Mul:   {of: func(a []size) size { return product(a[0], a[1]) }},
	ops.Fma:   {of: func(a []size) size { return sum(product(a[0], a[1]), a[2]) }},
	ops.Div:   {of: quotient},
	ops.Sqrt:  {of: root},
	ops.Min:   {of: func(a []size) size { return least(a[0], a[1]) }, exact: true, constants: true},
	ops.Max:   {of: func(a []size) size { return greatest(a[0], a[1]) }, exact: true, constants: true},
	ops.Clamp: {of: func(a []size) size { return least(greatest(a[0], a[1]), a[2]) }, exact: true, constants: true},
	ops.Mod:   {of: func(a []size) size { return around(a[1].most(), min(a[0].unit, a[1].unit)) }, exact: true, constants: true},
	ops.Rem:   {of: func(a []size) size { return around(a[1].most(), min(a[0].unit, a[1].unit)) }, exact: true, constants: true},
	ops.Floor: {of: whole},
	ops.Ceil:  {of: whole},
	ops.Round: {of: whole},
	ops.Trunc: {of: whole},
	ops.Fract: {of: fraction},
	ops.Sign:  {of: func([]size) size { return around(1, 0) }, exact: true},
	ops.Step:  {of: func([]size) size { return size{0, 1, 0} }, exact: true},
}

func (s size) negated() size { return size{-s.hi, -s.lo, s.unit} }

func sum(a, b size) size { return size{a.lo + b.lo, a.hi + b.hi, min(a.unit, b.unit)} }

func product(a, b size) size {
	return size{min(a.lo*b.hi, a.hi*b.lo), max(a.lo*b.lo, a.hi*b.hi), a.unit + b.unit}
}

// least is the size of the lesser of a float and a constant, which is the constant where the float is NaN.
func least(x, c size) size { return size{min(x.lo, c.lo), c.hi, min(x.unit, c.unit)} }

func greatest(x, c size) size { return least(x.negated(), c.negated()).negated() }

func whole(a []size) size { return size{a[0].lo - 1, a[0].hi + 1, max(a[0].unit, 0)} }

// fraction allows for a product that is fused with the difference, after its whole part has been taken of what it is rounded to.
func fraction(a []size) size { return around(1+a[0].most()*0x1p-22, min(a[0].unit, 0)) }

// quotient has zero divisors give infinities and NaN, of which sizes say nothing, and infinite ones zeros. Its unit is that of a product by a reciprocal,
// which compilers may fuse with a sum.
func quotient(a []size) size {
	x, y := a[0], a[1]
	return around(x.most()/math.Ldexp(1, y.unit), x.unit+unitOf(1/y.most()))
}

// root allows for a root as the product of a number and the reciprocal of its root.
func root(a []size) size {
	x := a[0]
	return size{0, math.Sqrt(x.most()), min(unitOf(math.Sqrt(math.Ldexp(1, x.unit))), x.unit+unitOf(1/math.Sqrt(x.most())))}
}
