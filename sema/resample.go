package sema

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// view v: T[h][w] = resample(src, mode) shows an image in another size, centres of pixels at half-integers. Pixel i of an axis with n
// pixels lies at (i + 0.5)*N/n - 0.5 of src's N, or at (i + 0.5)*step - 0.5 where steps are given. For each axis a table has the first
// pixel of src that takes part and the weights of all that do, so that this is computed once for each row and column, and exactly:
// positions by ratio are quotients of integers. v is then an ordinary local image, which is computed before it is read, and again
// after src may have changed.

// A filter says which pixels take part in one between i and i + 1: taps of them, from i - before on, and with which weights.
type filter struct {
	taps, before int
	weights      func(b *tableBody, t hast.Expr) []hast.Expr // nil: the pixel itself; t is 0 at i, 1 at i + 1
}

var filters = map[string]filter{
	"nearest":  {taps: 1},
	"linear":   {2, 0, (*tableBody).linear},
	"cubic":    {4, 1, (*tableBody).cubic},
	"lanczos3": {lanczosTaps, 2, (*tableBody).lanczos},
}

var filterNames = []string{"nearest", "linear", "cubic", "lanczos3"}

// widePass is the number of taps from which on each axis is filtered in a pass of its own.
const widePass = 4

// A resampling is what a view by resample is computed from.
type resampling struct {
	view, src *imageEnt
	filter    filter
	rule      *hast.Rule   // of src, for what is read outside of it
	axes      []*axisTable // of the axes that change
	steps     []hast.Expr  // one for each axis; nil for the ratio of the extents
	kind      types.Kind   // in which weights and sums are computed
	stale     bool         // src may have changed
	kept      bool         // its pixels are asked for, not only copied
	at        source.Span
}

// An axisTable are the images with the first pixel and the weights for each pixel of an axis: those of a tap side by side, since pixels are
// computed so.
type axisTable struct {
	axis           int
	first, weights *hast.Image
	kind           types.Kind
	at             source.Span
}

// resampleView declares a view by resample.
func (e *env) resampleView(s *syntax.View, call *syntax.Call) {
	r := e.resampling(s, call)
	if r == nil {
		e.declare(s.Name, &badEnt{declared{s.Name.At}})
		return
	}
	for _, a := range r.axes {
		a.table(e, r)
	}
	e.pipe.resampled = append(e.pipe.resampled, r)
	e.declare(s.Name, r.view)
}

// misplacedResample reports resample where no view is declared.
func (e *env) misplacedResample(x *syntax.Call) operand {
	e.errorf(diag.Misplaced, x.At, "resample makes a view and gives no value").Note("write view half: u8[H/2][W/2] = resample(src, linear);")
	return invalid(x.At)
}

// resampling checks view Name: Type = resample(image, mode, steps); nil after an error.
func (e *env) resampling(s *syntax.View, call *syntax.Call) *resampling {
	if !e.noIteration(call) {
		return nil
	}
	if len(call.Args) < 2 {
		e.arguments(call.Args)
		e.errorf(diag.ArgumentCount, call.At, "resample takes an image, a mode, and a step for each axis or none").Note("write resample(src, linear)")
		return nil
	}
	r := &resampling{at: s.At, stale: true}
	if r.src = e.imageOf(call.Args[0]); r.src == nil {
		errors := e.errors
		if o := e.operand(call.Args[0]); e.errors == errors && o.valid() {
			e.errorf(diag.WrongUse, call.Args[0].Span(), "resample takes an image first, this is %s", o.typ)
		}
	}
	ok := e.filterMode(r, call.Args[1])
	steps := e.operands(call.Args[2:])
	if s.Type == nil {
		e.errorf(diag.MissingValue, s.At, "the view %s has no type, which says how large it is", s.Name.Text).
			Note("write view %s: u8[H/2][W/2] = ...", s.Name.Text)
		return nil
	}
	if r.src == nil || !ok || !allValid(steps) || !r.src.img.Elem.IsValid() || !e.holdsSomething(r.src, call.Args[0]) {
		return nil
	}
	r.src.read = true
	if !e.resampledImage(r, s) || !e.resampledAxes(r, call, steps) {
		return nil
	}
	return r
}

func (e *env) filterMode(r *resampling, x syntax.Expr) bool {
	if id, ok := syntax.Unparen(x).(*syntax.Ident); ok {
		if f, known := filters[id.Name]; known {
			r.filter = f
			return true
		}
	}
	e.errorf(diag.WrongUse, x.Span(), "the modes of resample are %s; this is %s", listed(filterNames), excerpt(x.Span()))
	return false
}

// resampledImage makes the image that shows src, and finds the rules.
func (e *env) resampledImage(r *resampling, s *syntax.View) bool {
	m, src := e.newImage(s.Name, s.Type, hast.Local), r.src.img
	r.view = m
	m.dir, m.resampled = hast.In, r
	m.read, m.written = true, true
	switch t := m.img.Elem; {
	case !t.IsValid():
		return false
	case m.img.Rank() != src.Rank():
		e.errorf(diag.CopyMismatch, s.Type.At, "%s has %s, this has %d", src.Name, plural(src.Rank(), "axis", "axes"), m.img.Rank())
		return false
	case t.Lanes != src.Elem.Lanes:
		e.errorf(diag.CopyMismatch, s.Type.At, "%s has pixels of %s, this is %s", src.Name, src.Elem, t)
		return false
	case r.filter.weights != nil && (t.Kind == types.Bool || src.Elem.Kind == types.Bool):
		e.errorf(diag.WrongUse, s.Type.At, "pixels of %s have no value between two of them; the mode nearest has none either", src.Elem)
		return false
	}
	r.kind = types.F32
	if src.Elem.Kind == types.F64 {
		r.kind = types.F64
	}
	m.inherit(r.src)
	e.ownRule(m, s.Border)
	r.rule = r.src.rule
	if r.rule == nil {
		r.rule = &hast.Rule{Kind: hast.Clamp}
	}
	return !m.badRule && !r.src.badRule
}

// resampledAxes finds the axes that change: those of another extent, or with a step.
func (e *env) resampledAxes(r *resampling, call *syntax.Call, steps []operand) bool {
	src := r.src.img
	if len(steps) != 0 && len(steps) != src.Rank() {
		e.errorf(diag.ArgumentCount, call.At, "%s has %s, this names %s", src.Name, plural(src.Rank(), "axis", "axes"), plural(len(steps), "step")).
			Note("a step of 1 leaves an axis as it is")
		return false
	}
	for _, o := range steps {
		if o.con == nil && o.typ.Kind == types.F64 {
			r.kind = types.F64
		}
	}
	for k := range src.Extent {
		name := r.view.img.Name + "_" + axisNames[len(axisNames)-src.Rank()+k]
		a := &axisTable{axis: k, kind: r.kind, at: call.At}
		if len(steps) == 0 && hast.Equal(src.Extent[k], r.view.img.Extent[k]) {
			continue
		}
		a.first = e.tableImage(name, types.Scalar(types.I32), r.view.img.Extent[k:k+1], nil, call.At)
		if r.filter.weights != nil {
			a.weights = e.tableImage(name+"_weight", types.Scalar(r.kind), []hast.Expr{intConst(int64(r.filter.taps), call.At), r.view.img.Extent[k]}, nil, call.At)
		}
		r.axes = append(r.axes, a)
	}
	return e.stepValues(r, steps)
}

// stepValues keeps the steps as host values of the kind that positions are computed in.
func (e *env) stepValues(r *resampling, steps []operand) bool {
	for _, o := range steps {
		x := e.hostValue(e.assign(o, types.Scalar(r.kind), "a step of resample"))
		if x == nil {
			return false
		}
		r.steps = append(r.steps, e.now(r.view.img.Name+"_step", x, o.at))
	}
	return true
}

// tableImage makes a local image that the text does not name.
func (e *env) tableImage(name string, elem types.Type, extent []hast.Expr, lower []int64, at source.Span) *hast.Image {
	m := &hast.Image{Name: name, Dir: hast.Local, Elem: elem, Extent: slices.Clone(extent), Lower: lower, At: at}
	e.inLevels(m)
	e.pipe.images = append(e.pipe.images, &imageEnt{declared: declared{at}, img: m, dir: hast.Local, usage: &usage{read: true, written: true}})
	return m
}

// refresh computes a resampled view again, where it is about to be read and its image may have changed.
func (e *env) refresh(m *imageEnt) {
	r := m.resampled
	if r == nil || !r.stale {
		return
	}
	e.refresh(r.src)
	r.stale, r.kept = false, true
	r.compute(e, r.view.img, nil)
}

// resampleInto computes a view where it is copied to another image of the same pixels, which spares the copy. It is false where an
// image has to be copied.
func (e *env) resampleInto(w whole, src *imageEnt, label *syntax.Name) bool {
	r, m := src.resampled, w.m
	switch {
	case r == nil || !r.stale || src.img != r.view.img || w.update != nil || m.img.Elem != src.img.Elem || m.img.Rank() != src.img.Rank():
		return false
	case together(m.img.Base(), r.src.img.Base()):
		return false
	}
	m.written = true
	if e.sameExtent(m.img, src.img, w.at) {
		e.refresh(r.src)
		r.compute(e, m.img, label)
	}
	return true
}

// changed notes that a step has written an image: what is resampled from it is old. nil stands for any image.
func (p *pipe) changed(m *hast.Image) {
	for _, r := range p.resampled {
		if m == nil || together(r.src.img.Base(), m.Base()) {
			r.stale = true
		}
	}
}

// together reports whether two images may be one: levels of a pyramid have several names.
func together(m, n *hast.Image) bool { return m == n || m.Of != nil && m.Of == n.Of }

// compute adds the stages that compute the view into an image: one, or one for each axis with many taps. The rules that fold each coordinate by
// itself do so in each pass; the others see all coordinates at once.
func (r *resampling) compute(e *env, to *hast.Image, label *syntax.Name) {
	from, rule := r.src.img, r.rule
	if folds := rule.Kind != hast.Constant && rule.Kind != hast.Formula; r.filter.taps >= widePass && folds {
		for i := len(r.axes) - 1; i > 0; i-- {
			k := r.axes[i].axis
			extent, lower := slices.Clone(from.Extent), slices.Clone(from.Lower)
			if extent[k] = r.view.img.Extent[k]; lower != nil {
				lower[k] = 0
			}
			part := e.tableImage(r.view.img.Name+"_pass", from.Elem.WithKind(r.kind), extent, lower, r.at)
			r.pass(e, from, part, rule, r.axes[i:i+1], nil)
			from = part
		}
		r.pass(e, from, to, rule, r.axes[:min(1, len(r.axes))], label)
		return
	}
	r.pass(e, from, to, rule, r.axes, label)
}

// pass adds a stage that filters some axes. Along the others pixels keep their place, the first going to the first.
func (r *resampling) pass(e *env, from, to *hast.Image, rule *hast.Rule, axes []*axisTable, label *syntax.Name) {
	st, _ := e.newStage(label, r.at)
	m := &imageEnt{img: to}
	st.node.Space = e.wholeSpace(m, r.at)
	p := &pass{r: r, from: from, rule: rule, tables: map[int]*axisTable{}, vars: st.node.Space.Vars, to: to}
	for _, a := range axes {
		p.tables[a.axis] = a
		p.define(a)
	}
	value := p.value(nil)
	if value.Type() != to.Elem {
		how := hast.Wrap
		if to.Elem.Kind.IsInt() {
			how = hast.Saturate
		}
		value = &hast.Convert{Typed: typed(to.Elem, r.at), X: value, How: how}
	}
	store := &hast.Store{Image: to, Value: value, At: r.at}
	for _, v := range p.vars {
		store.Index = append(store.Index, ref(v, r.at))
	}
	st.node.Body = append(p.body, store)
	st.writes(to)
	e.addStage(st)
}

// A pass is one of these stages while it is being made.
type pass struct {
	r        *resampling
	from, to *hast.Image
	rule     *hast.Rule
	tables   map[int]*axisTable // by the axis
	vars     []*hast.Var
	body     []hast.Stmt
	first    [types.MaxRank]hast.Expr
	weights  [types.MaxRank][]hast.Expr
}

// define loads what the tables have for an instance.
func (p *pass) define(a *axisTable) {
	v, at := p.vars[a.axis], p.r.at
	load := func(m *hast.Image, index ...hast.Expr) hast.Expr {
		x := &hast.Load{Typed: typed(m.Elem, at), Image: m}
		for _, i := range index {
			x.Index = append(x.Index, hast.Coord{X: i, Below: true, Above: true})
		}
		kept := &hast.Var{Name: m.Name, Type: m.Elem, Class: hast.Value, At: at}
		p.body = append(p.body, &hast.Define{Var: kept, Init: x, At: at})
		return ref(kept, at)
	}
	i := plusOrSame(ref(v, at), -p.to.First(a.axis), at)
	p.first[a.axis] = load(a.first, i)
	for k := range p.r.filter.taps {
		if a.weights != nil {
			p.weights[a.axis] = append(p.weights[a.axis], load(a.weights, intConst(int64(k), at), i))
		}
	}
}

// value is the weighted sum over the axes that index does not name yet.
func (p *pass) value(index []hast.Coord) hast.Expr {
	k, at := len(index), p.r.at
	with := func(x hast.Expr) hast.Expr {
		return p.value(append(index[:k:k], hast.Coord{X: x, Below: true, Above: true}))
	}
	switch {
	case k == p.from.Rank():
		return p.load(index)
	case p.tables[k] == nil:
		return with(plusOrSame(ref(p.vars[k], at), p.from.First(k)-p.to.First(k), at))
	case p.r.filter.weights == nil:
		return with(plusOrSame(p.first[k], p.from.First(k), at))
	}
	var sum hast.Expr
	for i, w := range p.weights[k] {
		x := with(plusOrSame(p.first[k], p.from.First(k)+int64(i), at))
		if x.Type().IsVector() {
			w = &hast.Splat{Typed: typed(x.Type(), at), X: w}
		}
		var term hast.Expr = &hast.Op{Typed: typed(x.Type(), at), Op: ops.Mul, Args: []hast.Expr{w, x}}
		if sum != nil {
			term = &hast.Op{Typed: typed(x.Type(), at), Op: ops.Add, Args: []hast.Expr{sum, term}}
		}
		sum = term
	}
	return sum
}

// load is a pixel of the source, in the kind of the sums where there are any.
func (p *pass) load(index []hast.Coord) hast.Expr {
	x := &hast.Load{Typed: typed(p.from.Elem, p.r.at), Image: p.from, Index: index, Rule: p.rule}
	if p.r.filter.weights == nil || len(p.tables) == 0 || p.from.Elem.Kind == p.r.kind {
		return x
	}
	return &hast.Convert{Typed: typed(p.from.Elem.WithKind(p.r.kind), p.r.at), X: x}
}
