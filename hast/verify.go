package hast

import (
	"fmt"

	"imgc/ops"
	"imgc/types"
)

// Verify checks what the comments of this package promise of a program: that nothing is missing, that types fit, and that
// variables are declared before they are used. Its error names the first broken promise. A program that sema returns always
// passes; passes that change a program are tested with it.
func Verify(p *Program) error {
	v := &verifier{}
	funcs := map[*Func]bool{}
	for _, f := range p.Funcs {
		v.funcs = funcs
		v.function(f)
		funcs[f] = true
	}
	for _, pl := range p.Pipelines {
		v.pipeline(pl)
	}
	return v.err
}

type verifier struct {
	err    error
	funcs  map[*Func]bool
	images map[*Image]bool
	vars   map[*Var]bool

	pyramids map[*Pyramid]bool
	within   *Traverse // the innermost around
}

func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

func (v *verifier) check(ok bool, x Expr, format string, args ...any) {
	if !ok && v.err == nil {
		v.err = fmt.Errorf("%s: %s: %s", x.Span(), Text(x), fmt.Sprintf(format, args...))
	}
}

func (v *verifier) function(f *Func) {
	v.vars = map[*Var]bool{}
	for _, p := range f.Params {
		v.vars[p] = true
	}
	v.stmts(f.Body, f.Result)
	if x := f.Extern; x != nil {
		if len(f.Body) > 0 || len(x.Sources) == 0 || x.Place >= len(x.In) {
			v.failf("%s: extern func %s has a body, or no text", f.At, f.Name)
		}
		return
	}
	if len(f.Body) == 0 {
		v.failf("%s: func %s has no body", f.At, f.Name)
	}
}

func (v *verifier) pipeline(p *Pipeline) {
	v.vars, v.images, v.pyramids = map[*Var]bool{}, map[*Image]bool{}, map[*Pyramid]bool{}
	for _, s := range p.Sizes {
		v.vars[s.Var] = true
		if s.Image == nil || s.Mul < 1 {
			v.failf("%s: size %s is not bound", p.At, s.Var.Name)
		}
	}
	for _, q := range p.Params {
		if (q.Image == nil) == (q.Scalar == nil) {
			v.failf("%s: parameter %s is neither image nor scalar", q.At, q.Name)
		} else if q.Scalar != nil && q.Scalar.Class == ScalarIn {
			v.vars[q.Scalar] = true
		}
	}
	defineHost(p, v.vars)
	for _, f := range p.Pyramids {
		v.pyramid(f)
	}
	defineLevels(p, v.vars)
	for _, m := range p.Images {
		v.images[m] = true
		v.image(m)
	}
	for _, c := range p.Checks {
		for _, l := range c.Over {
			v.levels(l)
		}
		v.value(c.Cond, types.Scalar(types.Bool))
	}
	v.vars = map[*Var]bool{}
	for x := range hostVars(p) {
		v.vars[x] = true
	}
	names := map[string]bool{}
	v.steps(p.Steps, names, false)
}

var scalarBool = types.Scalar(types.Bool)

// defineHost enters every host value: extents and checks may use those that are defined later in the steps, since executors
// compute them on entry.
func defineHost(p *Pipeline, vars map[*Var]bool) {
	for _, s := range p.Steps {
		if d, ok := s.(*DefineHost); ok {
			vars[d.Var] = true
		}
	}
}

func hostVars(p *Pipeline) map[*Var]bool {
	vars := map[*Var]bool{}
	for _, s := range p.Sizes {
		vars[s.Var] = true
	}
	for _, q := range p.Params {
		if q.Scalar != nil && q.Scalar.Class == ScalarIn {
			vars[q.Scalar] = true
		}
	}
	return vars
}

func (v *verifier) image(m *Image) {
	if !m.Elem.IsValid() || m.Elem.IsArray() || m.Rank() < 1 || m.Rank() > types.MaxRank {
		v.failf("%s: image %s has type %s with %d axes", m.At, m.Name, m.Elem, m.Rank())
	}
	for _, x := range m.Extent {
		v.value(x, types.Scalar(types.I32))
	}
	if m.Of != nil {
		v.level(m)
	}
}

// defineLevels enters the variables of every traverse, which images inside of it depend on.
func defineLevels(p *Pipeline, vars map[*Var]bool) {
	WalkSteps(p.Steps, func(s Step) {
		if t, ok := s.(*Traverse); ok {
			for _, x := range t.Levels.Vars() {
				vars[x] = true
			}
		}
	})
}

func (v *verifier) step(s Step, names map[string]bool, loop bool) {
	switch s := s.(type) {
	case *Stage:
		if s.Name == "" || names[s.Name] {
			v.failf("%s: stage name %q is empty or taken", s.At, s.Name)
		}
		names[s.Name] = true
		if s.Space.Points != nil {
			v.failf("%s: stage %s runs over points", s.At, s.Name)
		}
		v.fused(s)
		v.space(s.Space)
		if s.Scan != nil && (s.Scan.Axis < 0 || s.Scan.Axis >= len(s.Space.Vars)) {
			v.failf("%s: stage %s scans along no variable", s.At, s.Name)
		}
		if s.Where != nil {
			v.value(s.Where, types.Scalar(types.Bool))
		}
		v.stmts(s.Body, types.Type{})
		v.reduced(s)
	case *DefineHost:
		v.value(s.Value, s.Var.Type)
		v.vars[s.Var] = true
	case *SetScalar:
		v.setScalar(s)
	default:
		v.control(s, names, loop)
	}
}

func (v *verifier) setScalar(s *SetScalar) {
	if s.From == nil {
		v.value(s.Value, s.Var.Type)
		return
	}
	t := s.Var.Type
	switch {
	case t == types.Scalar(types.Bool):
		t = t.WithKind(types.I32)
	case t.Kind == types.F16 || t.Kind == types.BF16:
		t = t.WithKind(types.F32)
	}
	if !v.scalarImage(s.From) || s.Value != nil || s.From.Elem != t {
		v.failf("%s: %s gets its value from an image that does not fit", s.At, s.Var.Name)
	}
}

// space checks bounds before it declares the variables, which they cannot use.
func (v *verifier) space(s Space) {
	if (s.Points == nil) != (len(s.Ranges) == len(s.Vars)) {
		v.failf("a space of %d variables has %d ranges and points %v", len(s.Vars), len(s.Ranges), s.Points != nil)
	}
	for _, r := range s.Ranges {
		v.value(r.Lo, types.Scalar(types.I32))
		v.value(r.Hi, types.Scalar(types.I32))
		if r.Step == 0 {
			v.failf("a range has the step 0")
		}
	}
	for _, p := range s.Points {
		if len(p) != len(s.Vars) {
			v.failf("a point has %d coordinates for %d variables", len(p), len(s.Vars))
		}
	}
	for _, x := range s.Vars {
		v.vars[x] = true
	}
}

func (v *verifier) stmts(list []Stmt, result types.Type) {
	for _, s := range list {
		v.stmt(s, result)
	}
}

// writtenOut is for loops that compilers are to write out.
func (v *verifier) writtenOut(s *For) {
	if !s.Out {
		return
	}
	if len(s.Space.Ranges) == 1 {
		_, lo := Number(s.Space.Ranges[0].Lo)
		if _, hi := Number(s.Space.Ranges[0].Hi); lo && hi {
			return
		}
	}
	v.failf("%s: a loop is to be written out whose bounds are no constants, or that has several variables", s.At)
}

func (v *verifier) stmt(s Stmt, result types.Type) {
	switch s := s.(type) {
	case nil:
		v.failf("a statement is missing")
	case *Define:
		switch {
		case !s.Later:
			v.value(s.Init, s.Var.Type)
		case s.Init != nil || !s.Var.Type.IsArray():
			v.failf("%s: %s is no array without an initial value, whose elements would be set later", s.At, s.Var.Name)
		}
		v.vars[s.Var] = true
	case *Set:
		t := s.Var.Type
		if len(s.Index) > 0 {
			v.indices(s.Index, int(t.Rank))
			t = t.Elem()
		}
		v.value(s.Value, t)
		if s.Var.Class != Mutable || !v.vars[s.Var] {
			v.failf("%s: %s is assigned and is no var in scope", s.At, s.Var.Name)
		}
	case *Store:
		v.indices(s.Index, s.Image.Rank())
		v.value(s.Value, s.Image.Elem)
		v.update(s)
		if !v.images[s.Image] || s.Image.Dir == In {
			v.failf("%s: %s is stored to", s.At, s.Image.Name)
		}
	case *If:
		v.value(s.Cond, types.Scalar(types.Bool))
		v.stmts(s.Then, result)
		v.stmts(s.Else, result)
	case *For:
		v.space(s.Space)
		v.writtenOut(s)
		v.stmts(s.Body, result)
	case *While:
		v.value(s.Cond, types.Scalar(types.Bool))
		v.stmts(s.Body, result)
	case *Return:
		v.value(s.Value, result)
	}
}

func (v *verifier) update(s *Store) {
	switch {
	case s.Op != ops.None && (!Commutes(s.Op, s.Image.Elem.Kind) || !ops.Defined(s.Op, s.Image.Elem.Kind) || s.Func != nil):
		v.failf("%s: %s is updated by %s", s.At, s.Image.Name, s.Op)
	case s.Alone && !s.Updates():
		v.failf("%s: %s is written alone but not updated", s.At, s.Image.Name)
	case s.Func != nil:
		f, t := s.Func, s.Image.Elem
		if !v.funcs[f] || !f.Commutative || len(f.Params) != 2 || f.Result != t || f.Params[0].Type != t || f.Params[1].Type != t {
			v.failf("%s: %s is updated by %s", s.At, s.Image.Name, f.Name)
		}
	}
}

func (v *verifier) indices(list []Expr, rank int) {
	if len(list) != rank {
		v.failf("%d indices for %d axes", len(list), rank)
	}
	for _, x := range list {
		v.value(x, types.Scalar(types.I32))
	}
}

// value checks an expression that has to be of type t.
func (v *verifier) value(x Expr, t types.Type) {
	if v.err != nil {
		return
	}
	v.expr(x)
	if v.err == nil && x.Type() != t {
		v.check(false, x, "is %s where %s is expected", x.Type(), t)
	}
}

func (v *verifier) all(list []Expr) {
	for _, x := range list {
		v.expr(x)
	}
}

// expr checks an expression and what it is made of.
func (v *verifier) expr(x Expr) {
	if x == nil {
		v.failf("an expression is missing")
	}
	if v.err != nil {
		return
	}
	t := x.Type()
	v.check(t.IsValid(), x, "has no type")
	switch x := x.(type) {
	case *Const:
		v.check(len(x.Words) == t.Words(), x, "has %d words for %s", len(x.Words), t)
	case *Ref:
		v.check(v.vars[x.Var] && x.Var.Type == t, x, "is not in scope, or %s and not %s", x.Var.Type, t)
	case *Op:
		v.all(x.Args)
		v.op(x)
	case *Select:
		v.expr(x.Cond)
		v.value(x.Then, t)
		v.value(x.Else, t)
		c := x.Cond.Type()
		v.check(c == types.Scalar(types.Bool) || c == t.WithKind(types.Bool), x, "chooses by %s", c)
	case *Call:
		v.check(v.funcs[x.Func], x, "calls a func that does not come before")
		v.arguments(x, x.Func, x.Args)
	case *Load, *Window:
		v.read(x)
	case *Reduce:
		v.reduce(x)
	default:
		v.shape(x)
	}
}

func (v *verifier) arguments(x Expr, f *Func, args []Expr) {
	v.check(len(args) == len(f.Params) && x.Type() == f.Result, x, "does not fit the parameters")
	for i := 0; v.err == nil && i < len(args); i++ {
		v.value(args[i], f.Params[i].Type)
	}
}

// op checks that operands have one type, but for what the table of ops excepts, and that the op is defined on it.
func (v *verifier) op(x *Op) {
	if v.err != nil {
		return
	}
	info := x.Op.Info()
	v.check(len(x.Args) == info.Arity, x, "has %d operands", len(x.Args))
	if v.err != nil {
		return
	}
	first := x.Args[0].Type()
	for _, a := range x.Args[1:] {
		same := a.Type()
		if x.Op == ops.Shl || x.Op == ops.Shr {
			same = same.WithKind(first.Kind)
		}
		v.check(same == first, x, "has operands of %s and %s", first, a.Type())
	}
	v.check(ops.Defined(x.Op, first.Kind), x, "is not defined on %s", first)
	want := first
	switch info.Result {
	case ops.Truth:
		want = first.WithKind(types.Bool)
	case ops.Index:
		want = first.WithKind(types.I32)
	case ops.Scalar, ops.Flag:
		want = types.Scalar(first.Kind)
	}
	v.check(x.T == want, x, "is %s and should be %s", x.T, want)
}

// shape checks the expressions that rearrange or convert.
func (v *verifier) shape(x Expr) {
	t := x.Type()
	switch x := x.(type) {
	case *Convert:
		v.expr(x.X)
		v.check(v.err != nil || x.X.Type() == t.WithKind(x.X.Type().Kind), x, "changes more than the kind")
	case *Splat:
		v.expr(x.X)
		v.check(v.err != nil || x.X.Type().Rank == 0 && x.X.Type().Kind == t.Kind && (x.X.Type().Lanes == 1 || x.X.Type() == t.Elem()), x, "repeats %s", Text(x.X))
	case *Vec:
		v.check(len(x.Parts) == int(t.Lanes), x, "has %d parts", len(x.Parts))
		v.each(x.Parts, types.Scalar(t.Kind))
	case *Array:
		v.check(len(x.Elems) == t.Len(), x, "has %d elements", len(x.Elems))
		v.each(x.Elems, t.Elem())
	case *Swizzle:
		v.expr(x.X)
		v.check(v.err != nil || len(x.Lanes) == int(t.Lanes) && x.X.Type().Kind == t.Kind, x, "does not fit")
	case *Elem:
		v.expr(x.X)
		v.check(v.err != nil || x.X.Type().Elem() == t && x.X.Type().IsArray(), x, "is no element")
		if v.err == nil {
			v.indices(x.Index, int(x.X.Type().Rank))
		}
	case *Transpose:
		v.expr(x.X)
		v.check(v.err != nil || t == x.X.Type().Elem().Array(int(x.X.Type().Dims[1]), int(x.X.Type().Dims[0])), x, "does not fit")
	case *MatMul:
		v.expr(x.X)
		v.expr(x.Y)
		v.check(v.err != nil || matMulFits(x.X.Type(), x.Y.Type(), t), x, "does not fit")
	case *Reshape:
		v.expr(x.X)
		v.check(v.err != nil || x.X.Type().Elem() == t.Elem() && x.X.Type().Len() == t.Len(), x, "does not fit")
	default:
		v.check(false, x, "is no expression")
	}
}

func (v *verifier) each(list []Expr, t types.Type) {
	for _, x := range list {
		v.value(x, t)
	}
}

func matMulFits(a, b, t types.Type) bool {
	return a.Rank == 2 && b.Rank == 2 && a.Dims[1] == b.Dims[0] && a.Elem() == b.Elem() && t == a.Elem().Array(int(a.Dims[0]), int(b.Dims[1]))
}

// read checks a Load or Window.
func (v *verifier) read(x Expr) {
	switch x := x.(type) {
	case *Load:
		v.check(v.images[x.Image] && x.T == x.Image.Elem && len(x.Index) == x.Image.Rank(), x, "does not fit the image")
		for _, c := range x.Index {
			v.value(c.X, types.Scalar(types.I32))
		}
		v.rule(x, x.Rule, x.Image)
	case *Window:
		var dims []int
		for _, a := range x.Axes {
			v.value(a.Start.X, types.Scalar(types.I32))
			if a.Colon {
				dims = append(dims, a.Count)
			}
		}
		v.check(v.images[x.Image] && len(x.Axes) == x.Image.Rank() && x.T == x.Image.Elem.Array(dims...), x, "does not fit the image")
		v.rule(x, x.Rule, x.Image)
	}
}

func (v *verifier) rule(x Expr, r *Rule, m *Image) {
	switch {
	case r == nil:
	case r.Kind == Constant:
		v.value(r.Value, m.Elem)
	case r.Kind == Formula:
		v.border(x, r.Border, m)
	default:
		v.check(r.Value == nil, x, "has a rule with a value")
	}
}

// border checks a border by formula where it is applied.
func (v *verifier) border(x Expr, b *Border, m *Image) {
	v.check(b != nil && b.Image == m && len(b.Coords) == m.Rank(), x, "has a border of another image")
	if v.err != nil {
		return
	}
	for _, c := range b.Coords {
		v.vars[c] = true
	}
	for _, f := range b.Frames {
		v.check(len(f.Places) == m.Rank(), x, "has a border with %d places for %d axes", len(f.Places), m.Rank())
		v.value(f.Value, m.Elem)
	}
	v.check(b.Else == nil || b.Else.Kind != Formula, x, "has a border with another one behind else")
	v.rule(x, b.Else, m)
}

func (v *verifier) reduce(x *Reduce) {
	v.space(x.Space)
	if x.Where != nil {
		v.value(x.Where, types.Scalar(types.Bool))
	}
	v.expr(x.Elem)
	if v.err != nil {
		return
	}
	elem := x.Elem.Type()
	v.check(x.Ways == 0 || x.Ways > 1 && x.Ways&(x.Ways-1) == 0 && (x.Op == Sum || x.Op == Product) && elem.Kind.IsFloat() && x.Space.Points == nil && len(x.Space.Vars) > 0,
		x, "cannot be done in %d ways", x.Ways)
	switch x.Op {
	case Mean:
		v.check(x.T.Kind.IsFloat() && (x.T == elem || elem.Kind.IsInt() && x.T == elem.WithKind(x.T.Kind)), x, "is %s of %s", x.T, elem)
	case Any, All:
		v.check(elem.Kind == types.Bool && x.T == elem, x, "does not fit")
	case Count:
		v.check(elem.Kind == types.Bool && x.T == elem.WithKind(types.I32), x, "does not fit")
	case ArgMin, ArgMax:
		v.check(elem.IsScalar() && x.T == types.Vector(types.I32, len(x.Space.Vars)), x, "does not fit")
	case Fold:
		v.arguments(x, x.Func, []Expr{x.Init, x.Elem})
	default:
		v.check(x.T == elem, x, "is %s of %s", x.T, elem)
	}
}
