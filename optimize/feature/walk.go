package feature

import (
	"fmt"
	"maps"
	"slices"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// A walker goes through the body of a stage once and counts each part as often as its loops repeat it.
type walker struct {
	out       *Stage
	vars      map[*hast.Var]form // of lets, loop variables and parameters
	iterators map[*hast.Var]form // that were asked for
	fixed     map[*hast.Var]bool // of those, constants once loops are written out
	funcs     map[*hast.Func]bool
	times     float64
	// counted are the operators and conversions of the statement at hand that have been: a node that stands in several places of it, as the coordinate of a sample
	// does in the index of each pixel around it, is computed once.
	counted map[hast.Expr]bool
	scope   *block.Scope // of what is known of coordinates; nil where there is no stage
	every   *[2]int      // of what extents blocks are whose instances know their phases; nil where they know none
	fast    bool         // functions are the device's own instructions
	inOpen  bool         // in a loop of unknown length
	global  bool         // a loop runs as often as an image has pixels along an axis
	near    bool         // in a loop that is written out whatever is decided
	follows map[hast.Expr]follows
	slopes  map[hast.Expr]Slopes
	along   bool // what is counted follows one axis alone
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
		if !w.near || !w.offset(s) {
			w.expr(s.Init)
		}
		if s.Var.Class == hast.Value {
			w.define(s.Var, s.Init)
		}
	case *hast.Set:
		w.exprs(s.Index...)
		w.expr(s.Value)
	case *hast.Store:
		w.exprs(s.Index...)
		w.expr(s.Value)
		total := block.Total(w.out.Of, s)
		coords := make([]form, len(s.Index))
		for i, x := range s.Index {
			if coords[i] = w.formOf(x); total && coords[i].host { // whichever it is, all instances have the same
				coords[i] = offsets(0, 0)
			}
		}
		w.access(&Access{Image: s.Image, Writes: true, Updates: s.Updates(), Total: total, Outside: s.Skip}, coords)
		if s.Op != ops.None {
			w.count(pipeOf(s.Value.Type().Kind), components(s.Value.Type()))
		}
		if s.Func != nil {
			w.call(s.Func, nil)
		}
	case *hast.If:
		w.expr(s.Cond)
		if s.Rare {
			w.stmts(s.Then)
			w.never(func() { w.stmts(s.Else) })
			return
		}
		w.either(s.Cond, func() { w.stmts(s.Then) }, func() { w.stmts(s.Else) })
	case *hast.For:
		was := w.near
		w.near = was || s.Out
		w.loop(s.Space, func() { w.stmts(s.Body) })
		w.near = was
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
	if w.scope != nil {
		w.scope.Lets[v] = e
	}
}

// offset reports whether a definition is of a coordinate that is a constant away from one outside of the loops at hand, once these are written out: accesses have such constants in them.
func (w *walker) offset(s *hast.Define) bool {
	return s.Var.Class == hast.Value && s.Var.Type == types.Scalar(types.I32) && w.formOf(s.Init).known
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
	switch x := e.(type) {
	case *hast.Ref:
		return w.fixed[x.Var]
	case *hast.Load, *hast.Window, *hast.Reduce:
		return false
	case *hast.Op:
		if w.isPhase(x) {
			return true
		}
	}
	ok := true
	hast.EachOperand(e, func(x hast.Expr) { ok = ok && w.isFixed(x) })
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
const WrittenOut = schedule.MaxUnroll

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

// never has body counted for nothing: what it accesses is known, 0 times.
func (w *walker) never(body func()) {
	times, open, uneven, global, branches := w.times, w.out.Open, w.out.Uneven, w.global, w.out.Branches
	w.times = 0
	body()
	w.times, w.out.Open, w.out.Uneven, w.global, w.out.Branches = times, open, uneven, global, branches
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

// once counts what body has as outside of all loops of known length.
func (w *walker) once(body func()) {
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
	if w.isFixed(e) || w.counted[e] || w.alongOne(e) {
		return
	}
	switch e := e.(type) {
	case *hast.Ref:
	case *hast.Op:
		if w.times > 1 && hast.SameForAll(e) {
			w.once(func() { w.expr(e) }) // before the loop
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
		if !w.either(e.Cond, func() { w.expr(e.Then) }, func() { w.expr(e.Else) }) {
			w.count(Logic, components(e.T))
		}
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
	if t, ok := e.X.(*hast.Const); ok {
		w.lookUp(t.T, e)
	}
	was := w.times
	w.times /= max(components(e.X.Type())/components(e.T), 1)
	if p := productOf(e.X); p != nil {
		w.ofProduct(p, was)
	} else {
		w.expr(e.X)
	}
	w.times = was
}

// lookUp counts the read of an element of a constant array, if data decides which.
func (w *walker) lookUp(array types.Type, e *hast.Elem) {
	if slices.ContainsFunc(e.Index, func(i hast.Expr) bool { return !w.formOf(i).known }) {
		w.count(LookUp, components(e.T)*Passes(float64(array.Words()*array.Kind.Bytes())))
	}
}

// bankConflicts is how many times as long as one by neighbours a look-up by 32 items at places that data decides takes, where the table has more words than there are
// banks. A filter of 81 look-ups in 1024 floats took 2495 us of 8192 x 8192 on an H200, which is 3.4 times what one word for each item takes; chance has most of 32 items meet in
// a bank so often.
const bankConflicts = 3.4

// The nearest memory gives a word to each item of a warp that is alone at its bank.
const (
	banks = 32
	// BankBytes is what such a word takes.
	BankBytes = 4
)

// Passes is how often 32 items ask the banks of the nearest memory for a component each of an array of so many bytes, where data decides which.
func Passes(bytes float64) float64 { return max(1, min(bankConflicts, bytes/BankBytes/banks)) }

// productOf is the matrix product that an array is, in whatever form; nil where it is something else.
func productOf(e hast.Expr) *hast.MatMul {
	p, _ := hast.Unshaped(e).(*hast.MatMul)
	return p
}

// ofProduct counts a part of a matrix product, which takes a row of one operand and a column of the other for each of its elements: of these are as many as times say, of which whole is the
// product.
func (w *walker) ofProduct(p *hast.MatMul, whole float64) {
	part, dims := w.times, p.T.Dims
	for i, x := range []hast.Expr{p.X, p.Y} {
		w.times = min(whole, part*float64(dims[1-i]))
		w.expr(x)
	}
	w.times = part
	w.count(pipeOf(p.T.Kind), components(p.T)*float64(p.X.Type().Dims[1]))
}

// load records the read of a pixel.
func (w *walker) load(e *hast.Load) {
	coords := make([]form, len(e.Index))
	outside := false
	for i, c := range e.Index {
		coords[i] = w.placeOf(c.X, e.Image, i)
		if f := coords[i]; w.scope != nil && (!f.known || len(f.coef) > 1) && w.followsOf(c.X) != followsOther {
			s := w.slopesOf(c.X)
			coords[i].slopes = &s
		}
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
	case from.Bits() == 16 && to == types.F32 && ofPixel(e.X):
		w.count(Widen, n)
	default:
		w.count(Logic, n)
	}
}

// ofPixel reports whether an expression is pixels as they are read.
func ofPixel(e hast.Expr) bool {
	if x, ok := e.(*hast.Elem); ok {
		e = x.X
	}
	switch e.(type) {
	case *hast.Load, *hast.Window:
		return true
	}
	return false
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
	w.loop(e.Space, func() {
		all := w.times
		w.byPoints(e, e.Elem, e.Space.Points)
		w.times = all
	})
}

// byPoints counts what a reduction does with an element at some of its points, which are listed: where a condition on their coordinates chooses what it is, each half at those it is for.
func (w *walker) byPoints(e *hast.Reduce, elem hast.Expr, points [][]int64) {
	if s, ok := elem.(*hast.Select); ok && e.Where == nil && len(points) > 0 {
		if holds, ok := evaluate.Over(s.Cond, e.Space.Vars, points); ok {
			then, els := halves(points, holds)
			all := w.times
			for _, half := range []struct {
				elem hast.Expr
				at   [][]int64
			}{{s.Then, then}, {s.Else, els}} {
				w.times = all * float64(len(half.at)) / float64(len(points))
				w.byPoints(e, half.elem, half.at)
			}
			return
		}
	}
	at := *e
	at.Elem = elem
	w.reducePoint(&at)
}

// halves are the points at which a condition holds, and the others.
func halves(points [][]int64, holds []types.Word) (then, els [][]int64) {
	for i, p := range points {
		if holds[i].Int() != 0 {
			then = append(then, p)
		} else {
			els = append(els, p)
		}
	}
	return then, els
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
	case hast.Min, hast.Max:
		w.count(Logic, PerExtreme*n)
	default:
		w.count(Logic, perChoice*n)
	}
}

// PerExtreme is how many operations a reduction has for a point that it holds against the best one so far, which is one instruction. perChoice is the same of conditions, which are numbers before they
// are counted, and of extremes of which the place is kept as well.
const (
	PerExtreme = 1
	perChoice  = 2
)

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
	a.Open = w.inOpen && n > 0
	w.count(Memory, float64(a.Image.Elem.Lanes))
	if w.near && !a.Outside {
		a.Near = n
	}
	a.Axes = make([]Axis, len(coords))
	for i, f := range coords {
		a.Axes[i] = axisOf(f)
	}
	for _, have := range w.out.Accesses {
		if have.Image == a.Image && have.Writes == a.Writes && have.Updates == a.Updates && sameRule(have.Rule, a.Rule) && have.merge(a) {
			have.Count, have.Near = have.Count+n, have.Near+a.Near
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
		return Axis{Slopes: f.slopes}
	case f.host && len(f.coef) == 0:
		return Axis{Host: true}
	}
	out := Axis{Known: true, Lo: f.lo, Hi: f.hi, Div: f.div, Periodic: f.periodic}
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
	joined := make([][2]Axis, 0, len(a.Axes))
	for i, x := range a.Axes {
		y := b.Axes[i]
		if u, v, ok := x.meet(y); ok {
			joined = append(joined, [2]Axis{u, v})
			continue
		}
		joined = append(joined, [2]Axis{x, y})
		if x.Known != y.Known || x.Host != y.Host || x.Var != y.Var || x.Mul != y.Mul || x.Div != y.Div {
			return false
		}
	}
	for i, x := range joined {
		a.Axes[i] = x[0]
		a.Axes[i].Lo, a.Axes[i].Hi = min(x[0].Lo, x[1].Lo), max(x[0].Hi, x[1].Hi)
	}
	a.Outside, a.Open = a.Outside || b.Outside, a.Open || b.Open
	if a.Rule == nil {
		a.Rule = b.Rule
	}
	return true
}
