package feature

import (
	"fmt"
	"maps"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A walker goes through the body of a stage once and counts each part as often as its loops repeat it.
type walker struct {
	out   *Stage
	vars  map[*hast.Var]form // of lets, loop variables and parameters
	fixed map[*hast.Var]bool // of those, constants once loops are written out
	funcs map[*hast.Func]bool
	times float64
	// counted are the operators and conversions of the statement at hand that have been: a node that stands in several places of it, as the coordinate of a sample
	// does in the index of each pixel around it, is computed once.
	counted map[hast.Expr]bool
	fast    bool // functions are the device's own instructions
	inOpen  bool // in a loop of unknown length
	global  bool // a loop runs as often as an image has pixels along an axis
}

func (w *walker) stmts(list []hast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *walker) stmt(s hast.Stmt) {
	w.counted = map[hast.Expr]bool{} // between statements variables may have changed
	switch s := s.(type) {
	case *hast.Define:
		if s.Init == nil {
			return
		}
		w.expr(s.Init)
		if s.Var.Class == hast.Value {
			w.define(s.Var, s.Init)
		}
	case *hast.Set:
		w.exprs(s.Index...)
		w.expr(s.Value)
	case *hast.Store:
		w.exprs(s.Index...)
		w.expr(s.Value)
		coords := make([]form, len(s.Index))
		for i, x := range s.Index {
			coords[i] = w.formOf(x)
		}
		w.access(&Access{Image: s.Image, Writes: true, Updates: s.Updates(), Total: block.Total(w.out.Of, s), Outside: s.Skip}, coords)
		if s.Op != ops.None {
			w.count(pipeOf(s.Value.Type().Kind), components(s.Value.Type()))
		}
		if s.Func != nil {
			w.call(s.Func, nil)
		}
	case *hast.If:
		w.expr(s.Cond)
		w.branch(func() { w.stmts(s.Then) }, func() { w.stmts(s.Else) })
	case *hast.For:
		w.loop(s.Space, func() { w.stmts(s.Body) })
	case *hast.While:
		w.out.Open, w.out.Uneven = true, true
		w.counting(true, func() {
			w.expr(s.Cond)
			w.stmts(s.Body)
		})
	case *hast.Return:
		w.expr(s.Value)
	case *hast.Break, *hast.Continue:
	default:
		panic(fmt.Sprintf("feature: unknown statement %T", s))
	}
}

// define records what a name that stays as it is stands for.
func (w *walker) define(v *hast.Var, e hast.Expr) {
	w.fixed[v] = w.isFixed(nearby(e))
	if v.Type.IsScalar() && v.Type.Kind.IsInt() {
		w.vars[v] = w.formOf(e)
	}
}

// nearby is what an expression is for instances that are near.
func nearby(e hast.Expr) hast.Expr {
	if x, ok := e.(*hast.Select); ok {
		if _, _, near := x.IsNear(); near {
			return x.Then
		}
	}
	return e
}

// isFixed reports whether an expression is a constant once loops are written out, which compilers compute.
func (w *walker) isFixed(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(x hast.Expr) {
		switch x := x.(type) {
		case *hast.Ref:
			ok = ok && w.fixed[x.Var]
		case *hast.Load, *hast.Window, *hast.Reduce:
			ok = false
		}
	})
	return ok
}

// branch counts the dearer side: instances that run in step pay for both only where they part.
func (w *walker) branch(then, els func()) {
	before, counted := w.out.Ops, maps.Clone(w.counted)
	then()
	one := w.out.Ops
	w.out.Ops, w.counted = before, counted
	els()
	if one != w.out.Ops {
		w.out.Branches++
	}
	for p := range w.out.Ops {
		w.out.Ops[p] = max(one[p], w.out.Ops[p])
	}
}

// WrittenOut is up to how many points plans have loops and reductions written out.
const WrittenOut = 1024

// loop counts body as often as the space has points, once where the program does not say how many.
func (w *walker) loop(s hast.Space, body func()) {
	for _, r := range s.Ranges {
		w.exprs(r.Lo, r.Hi)
	}
	n := w.trips(s)
	if n == 0 {
		w.out.Open = true
		for _, r := range s.Ranges {
			f := w.formOf(r.Hi)
			w.global = w.global || f.known && f.host
		}
	}
	w.bind(s)
	for _, v := range s.Vars {
		w.fixed[v] = n > 0 && n <= WrittenOut && w.vars[v].isNumber()
	}
	was := w.times
	w.times *= max(n, 1)
	w.counting(n == 0, body)
	w.times = was
}

// counting counts what body has, as in a loop of unknown length if it is open and not inside of one already.
func (w *walker) counting(open bool, body func()) {
	if !open || w.inOpen {
		body()
		return
	}
	before := w.out.Ops
	w.inOpen = true
	body()
	w.inOpen = false
	for p, n := range w.out.Ops {
		w.out.InOpen[p] += n - before[p]
	}
}

// apart counts what body has as outside of all loops of known length.
func (w *walker) apart(body func()) {
	was := w.times
	w.times = 1
	body()
	w.times = was
}

func (w *walker) exprs(list ...hast.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

func (w *walker) expr(e hast.Expr) {
	if w.isFixed(e) || w.counted[e] {
		return
	}
	switch e := e.(type) {
	case *hast.Ref:
	case *hast.Op:
		if w.times > 1 && hast.SameForAll(e) {
			w.apart(func() { w.expr(e) }) // before the loop
			return
		}
		w.counted[e] = true
		w.exprs(e.Args...)
		w.op(e)
	case *hast.Convert:
		w.counted[e] = true
		w.expr(e.X)
		w.convert(e)
	case *hast.Splat:
		w.expr(e.X)
	case *hast.Select:
		if x := nearby(e); x != e {
			w.expr(x) // as nearly all instances have it, and blocks without asking
			return
		}
		w.expr(e.Cond)
		w.branch(func() { w.expr(e.Then) }, func() { w.expr(e.Else) })
		w.count(Logic, components(e.T))
	case *hast.Vec:
		w.exprs(e.Parts...)
	case *hast.Swizzle:
		w.expr(e.X)
	case *hast.Array:
		w.exprs(e.Elems...)
	case *hast.Elem:
		w.elem(e)
	case *hast.Transpose:
		w.expr(e.X)
	case *hast.MatMul:
		w.exprs(e.X, e.Y)
		w.count(pipeOf(e.T.Kind), components(e.T)*float64(e.X.Type().Dims[1]))
	case *hast.Reshape:
		w.expr(e.X)
	case *hast.Load:
		w.load(e)
	case *hast.Window:
		w.window(e)
	case *hast.Call:
		w.exprs(e.Args...)
		w.call(e.Func, e.Args)
	case *hast.Reduce:
		w.reduce(e)
	default:
		panic(fmt.Sprintf("feature: unknown expression %T", e))
	}
}

// elem counts one element of an array: of a window or of arithmetic on windows only that part is computed.
func (w *walker) elem(e *hast.Elem) {
	for _, i := range e.Index {
		if !w.formOf(i).known {
			w.expr(i) // others are known once loops are written out, or follow the coordinates
		}
	}
	was := w.times
	w.times /= max(components(e.X.Type())/components(e.T), 1)
	w.expr(e.X)
	w.times = was
}

// load records the read of a pixel.
func (w *walker) load(e *hast.Load) {
	coords := make([]form, len(e.Index))
	outside := false
	for i, c := range e.Index {
		coords[i] = w.formOf(c.X)
		if !coords[i].known {
			w.expr(c.X)
		}
		outside = outside || c.Below || c.Above
	}
	w.access(&Access{Image: e.Image, Rule: e.Rule, Outside: outside}, coords)
}

func (w *walker) window(e *hast.Window) {
	coords := make([]form, len(e.Axes))
	outside := false
	n := 1.0
	for i, a := range e.Axes {
		coords[i] = w.formOf(a.Start.X).plus(offsets(0, int64((a.Count-1)*a.Stride)), 1)
		outside = outside || a.Start.Below || a.Start.Above
		n *= float64(a.Count)
	}
	was := w.times
	w.times *= n
	w.access(&Access{Image: e.Image, Rule: e.Rule, Outside: outside}, coords)
	w.times = was
}

// convert counts a change of kind. Between integers it costs a logic operation at most.
func (w *walker) convert(e *hast.Convert) {
	from, to := e.X.Type().Kind, e.T.Kind
	n := components(e.T)
	switch {
	case from == to || e.How == hast.Bitcast || constant(e.X):
	case (from.Bits() == 64 || to.Bits() == 64) && (from.IsFloat() || to.IsFloat()):
		w.count(Double, n)
	case from.IsFloat() != to.IsFloat() && (to == types.F32 && from.Bits() == 32 || from == types.F32 && to == types.U8 && e.How == hast.Saturate):
		w.count(ConvertWord, n)
	case from.IsFloat() != to.IsFloat():
		w.count(Convert, n)
		if from.IsInt() && from.Bits() <= 16 && to == types.F32 {
			w.out.Floats += n * w.times
		}
	case from.IsInt() && to.IsInt() && from.Bits() < to.Bits():
	default:
		w.count(Logic, n)
	}
}

// constant reports whether an expression is a constant or an entry of a mask, which the compiler converts.
func constant(e hast.Expr) bool {
	if x, ok := e.(*hast.Elem); ok {
		e = x.X
	}
	_, ok := e.(*hast.Const)
	return ok
}

func (w *walker) reduce(e *hast.Reduce) {
	w.loop(e.Space, func() { w.reducePoint(e) })
}

func (w *walker) reducePoint(e *hast.Reduce) {
	if e.Where != nil {
		w.expr(e.Where)
	}
	w.expr(e.Elem)
	n := components(e.Elem.Type())
	switch e.Op {
	case hast.Sum, hast.Mean, hast.Product:
		if !fuses(e) {
			w.count(pipeOf(e.Elem.Type().Kind), n)
		}
	case hast.Fold:
		w.call(e.Func, nil)
	case hast.Median:
		w.count(Logic, 0.375*max(w.trips(e.Space), 16)*n) // a selection network of 3/16 n^2 exchanges
	default:
		w.count(Logic, 2*n)
	}
}

// fuses reports whether a sum is of float products, which are counted already.
func fuses(e *hast.Reduce) bool {
	x := e.Elem
	if c, ok := x.(*hast.Convert); ok {
		x = c.X
	}
	p, ok := x.(*hast.Op)
	return ok && p.Op == ops.Mul && e.Op == hast.Sum
}

// call counts the body of a func. What calls itself through itself does not exist in the language; the set guards all the same.
func (w *walker) call(f *hast.Func, args []hast.Expr) {
	if w.funcs[f] {
		return
	}
	w.funcs[f] = true
	defer func(was map[hast.Expr]bool) { w.counted = was }(w.counted)
	w.counted = map[hast.Expr]bool{} // each call computes all of the body
	for i, p := range f.Params {
		if i < len(args) {
			w.define(p, args[i])
		}
	}
	w.stmts(f.Body)
	delete(w.funcs, f)
}

func pipeOf(k types.Kind) Pipe {
	switch {
	case k.IsFloat() && k.Bits() == 64:
		return Double
	case k.IsFloat() && k.Bits() == 16:
		return Half
	case k.IsFloat():
		return FMA
	}
	return Logic
}

// access adds a read or write of pixels to that of the same image, direction and rule.
func (w *walker) access(a *Access, coords []form) {
	n := w.times
	w.count(Memory, float64(a.Image.Elem.Lanes))
	a.Axes = make([]Axis, len(coords))
	for i, f := range coords {
		a.Axes[i] = axisOf(f)
	}
	for _, have := range w.out.Accesses {
		if have.Image == a.Image && have.Writes == a.Writes && have.Updates == a.Updates && sameRule(have.Rule, a.Rule) && have.merge(a) {
			have.Count += n
			return
		}
	}
	a.Count = n
	w.out.Accesses = append(w.out.Accesses, a)
}

func sameRule(a, b *hast.Rule) bool {
	return a == b || a == nil || b == nil || a.Kind == b.Kind && a.Border == b.Border
}

func axisOf(f form) Axis {
	switch {
	case !f.known || len(f.coef) > 1:
		return Axis{}
	case f.host && len(f.coef) == 0:
		return Axis{Host: true}
	}
	out := Axis{Known: true, Lo: f.lo, Hi: f.hi, Div: f.div}
	if f.host {
		out = Axis{Host: true, Div: f.div}
	}
	for v, c := range f.coef {
		out.Var, out.Mul = v, c
	}
	return out
}

// merge widens an access to another one that follows the same variables at the same scale.
func (a *Access) merge(b *Access) bool {
	for i, x := range a.Axes {
		y := b.Axes[i]
		if x.Known != y.Known || x.Host != y.Host || x.Var != y.Var || x.Mul != y.Mul || x.Div != y.Div {
			return false
		}
	}
	for i := range a.Axes {
		a.Axes[i].Lo, a.Axes[i].Hi = min(a.Axes[i].Lo, b.Axes[i].Lo), max(a.Axes[i].Hi, b.Axes[i].Hi)
	}
	a.Outside = a.Outside || b.Outside
	if a.Rule == nil {
		a.Rule = b.Rule
	}
	return true
}
