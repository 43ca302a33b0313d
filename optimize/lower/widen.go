package lower

import (
	"fmt"
	"slices"
	"strconv"

	"imgc/interval"
	"imgc/kir"
	"imgc/types"
)

// A widener turns the statements that compute one instance into those that compute some neighbours along x side by side, in the
// vector registers of a CPU: lane l stands for instance x + l. What does not depend on x stays as it is, once for all lanes. Integers
// are kept in as few bits as their interval takes, whatever kind the language computes them in, so that a register holds as many
// lanes as can be: sums of bytes take 16 bits, not the 32 of the language's i32, and come out the same.
//
// It takes statements without control flow; others it refuses with a reason.
type widener struct {
	*body
	lanes   int
	env     map[*kir.Var]wideValue
	arrays  map[*kir.Var][]wideValue // of elements that have been given values, in their order in memory; others have no expression
	moved   []kir.Stmt               // what does not depend on x, for before the loop
	out     []kir.Stmt
	seen    map[string]wideValue  // loads of images that are only read, and these in other kinds, by key
	loads   map[*kir.Var]bool     // the variables of seen loads
	carried map[*kir.Var]*kir.Var // the wide variables of those that one step leaves to the next
	here    map[*kir.Var]bool     // variables that are declared in out
	lazy    int                   // conditional expressions around what is being computed, of which one side is
	guard   int                   // conditional expressions whose condition is the same in all lanes
	why     string                // why not; "" so far
	run     kir.Expr              // the place of the first lane in a line of components, behind the pixel at x; nil where lanes are pixels
	each    int64                 // components of a pixel, where lanes are components

	operands []wideValue // of the operators around what is being computed, so far
}

// A wideValue is what a scalar or vector of an instance is for all lanes.
type wideValue struct {
	e    kir.Expr          // a scalar for all lanes alike, or a wide value
	iv   interval.Interval // of an integer
	span span              // of a float
	kind types.Kind
	// grows is by how much the value of each lane is above that of the lane before; e is then that of the first.
	grows int64
	mask  bool        // a wide bool: 0 or -1 in each lane
	base  kir.Expr    // of an offset of 64 bits whose lanes differ: what is added to the wide i32 e, the same for all lanes
	parts []wideValue // the lanes of a vector of the language
}

func (v wideValue) wide() bool { return v.e != nil && kir.Wide(v.e.Type()) }

// varies reports whether lanes differ.
func (v wideValue) varies() bool {
	for _, p := range v.parts {
		if p.varies() {
			return true
		}
	}
	return v.grows != 0 || v.wide()
}

// widen turns statements into moved and out; x is the variable of the first lane's instance.
func (b *body) widen(list []kir.Stmt, x *kir.Var, lanes int) *widener {
	w := b.widening(x, lanes)
	w.all(list)
	return w
}

// widening starts to turn statements.
func (b *body) widening(x *kir.Var, lanes int) *widener {
	w := &widener{body: b, lanes: lanes, env: map[*kir.Var]wideValue{}, arrays: map[*kir.Var][]wideValue{}, seen: map[string]wideValue{}, loads: map[*kir.Var]bool{}, here: map[*kir.Var]bool{}, carried: map[*kir.Var]*kir.Var{}}
	w.env[x] = wideValue{e: ref(x), iv: rangeOf(ref(x), b.bounds), kind: x.Type.Kind, grows: 1}
	return w
}

// carry has a variable of an instance, which one step leaves to the next, stand for a wide one.
func (w *widener) carry(v, wide *kir.Var) {
	w.carried[v] = wide
	w.env[v] = wideValue{e: ref(wide), iv: interval.OfKind(v.Type.Kind), kind: v.Type.Kind}
}

func (w *widener) all(list []kir.Stmt) {
	for _, s := range list {
		if w.why != "" {
			break
		}
		w.stmt(s)
	}
}

func (w *widener) refuse(format string, args ...any) wideValue {
	if w.why == "" {
		w.why = fmt.Sprintf(format, args...)
	}
	return refused()
}

// refused stands for a value that cannot be computed.
func refused() wideValue { return wideValue{e: i32(0), kind: types.I32} }

func (w *widener) stmt(s kir.Stmt) {
	switch s := s.(type) {
	case *kir.Decl:
		w.decl(s)
	case *kir.Assign:
		if len(s.Index) > 0 || s.Var.Type.IsArray() {
			w.assignElement(s)
			return
		}
		if v := w.carried[s.Var]; v != nil {
			value := w.as(w.expr(s.Value), v.Type.Kind)
			w.out = append(w.out, &kir.Assign{Placed: s.Placed, Var: v, Value: value})
			return
		}
		w.env[s.Var] = w.kept(s.Var, w.expr(s.Value), s.Placed)
	case *kir.Store:
		w.store(s)
	case *kir.If:
		w.choose(s)
	case *kir.Comment:
		w.out = append(w.out, s)
	default:
		w.refuse("it has loops or branches")
	}
}

func (w *widener) decl(s *kir.Decl) {
	switch {
	case s.Var.Type.IsArray():
		if s.Init != nil {
			w.refuse("it has arrays")
			return
		}
		w.arrays[s.Var] = make([]wideValue, elements(s.Var.Type))
	case s.Init == nil:
		// Given a value on each side of a branch.
	default:
		v := w.expr(s.Init)
		if s.Var.Const && !v.wide() && v.parts == nil && v.grows == 0 && v.base == nil && w.movable(v.e) {
			before := *s.Var // of its own: the body of a func is here as often as it is called
			w.bounds[&before] = v.iv
			w.moved = append(w.moved, &kir.Decl{Placed: s.Placed, Var: &before, Init: v.e})
			w.env[s.Var] = wideValue{e: ref(&before), iv: v.iv, kind: v.kind}
			return
		}
		w.env[s.Var] = w.kept(s.Var, v, s.Placed)
	}
}

// movable reports whether a value that is the same for all lanes can be computed before the loop: from what is there, and from images that the
// kernel does not write.
func (w *widener) movable(e kir.Expr) bool {
	ok := true
	rest := e
	if l, isLoad := e.(*kir.Load); isLoad && w.lazy+w.guard == 0 && l.Buffer.Access == kir.Reads {
		rest = l.Offset
	}
	kir.Walk(rest, func(x kir.Expr) {
		if r, isRef := x.(*kir.Ref); isRef && w.here[r.Var] {
			ok = false
		}
	})
	return ok && stable(rest)
}

// kept gives a value a variable of its own, named after one of the instance, unless it costs nothing to repeat.
func (w *widener) kept(v *kir.Var, x wideValue, at kir.Placed) wideValue {
	if x.parts != nil {
		parts := make([]wideValue, len(x.parts))
		for i, p := range x.parts {
			parts[i] = w.kept(v, p, at)
		}
		x.parts = parts
		return x
	}
	if w.why != "" || simple(x.e) {
		return x
	}
	name := &kir.Var{Name: v.Name, Type: x.e.Type(), Const: true, At: v.At}
	w.bounds[name], w.here[name] = x.iv, true
	w.out = append(w.out, &kir.Decl{Placed: at, Var: name, Init: x.e})
	x.e = ref(name)
	return x
}

// once names a value that is needed more than once.
func (w *widener) name(x wideValue) wideValue {
	if simple(x.e) {
		return x
	}
	if w.lazy > 0 {
		return w.refuse("what one side of a condition computes takes more than an expression")
	}
	return w.kept(&kir.Var{Name: "v"}, x, w.placed())
}

// store writes one pixel of each lane, side by side; vectors with their components in turn.
func (w *widener) store(s *kir.Store) {
	at, v := w.along(w.expr(s.Offset)), w.expr(s.Value)
	k := s.Buffer.Type.Kind
	switch {
	case w.why != "":
		return
	case at.wide() || at.grows != int64(max(1, len(v.parts))) || s.Buffer.Space == kir.Local || s.Buffer.Access&kir.Shared != 0:
		w.refuse("it does not write one component next to the other")
		return
	case !wideMemory(k):
		w.refuse("it writes pixels of %s", k)
		return
	}
	if v.parts == nil {
		w.out = append(w.out, &kir.Store{Placed: s.Placed, Buffer: s.Buffer, Offset: at.e, Value: w.as(v, k)})
		return
	}
	parts := make([]kir.Expr, len(v.parts))
	for i, p := range v.parts {
		parts[i] = w.name(wideValue{e: w.as(p, k), iv: p.iv, kind: k}).e
	}
	for i := range parts {
		x := &kir.Interleaved{Typed: kir.Typed{T: types.Vector(k, w.lanes)}, Parts: parts, Piece: i}
		w.out = append(w.out, &kir.Store{Placed: s.Placed, Buffer: s.Buffer, Offset: add(at.e, i64(int64(i*w.lanes))), Value: x})
	}
}

// choose computes both sides of a branch that only changes variables, and takes from each what its lanes want.
func (w *widener) choose(s *kir.If) {
	cond := w.expr(s.Cond)
	if w.why != "" {
		return
	}
	cond = w.name(cond)
	before := w.copied()
	side := func(list []kir.Stmt) map[*kir.Var]wideValue {
		w.env = before
		w.env = w.copied()
		for _, st := range list {
			if a, ok := st.(*kir.Assign); ok && len(a.Index) > 0 {
				w.refuse("it has branches that change arrays")
			}
			if !pure(st) {
				w.refuse("it has branches that read or write pixels")
			}
			if w.why == "" {
				w.stmt(st)
			}
		}
		return w.env
	}
	then, els := side(s.Then), side(s.Else)
	w.env = before
	for _, v := range assigned(slices.Concat(s.Then, s.Else)) {
		x, okX := then[v]
		y, okY := els[v]
		if _, inner := before[v]; w.why != "" || !inner && (!okX || !okY) {
			continue // a variable of one side
		}
		both := w.lanewise(v.Type, []wideValue{cond, x, y}, func(_ int, p []wideValue) wideValue { return w.selected(p[0], p[1], p[2], v.Type.Kind) })
		w.env[v] = w.kept(v, both, s.Placed)
	}
}

// assigned are the variables that a list of statements assigns to, those in branches included.
func assigned(list []kir.Stmt) (vars []*kir.Var) {
	kir.WalkStmts(list, func(s kir.Stmt) {
		if a, ok := s.(*kir.Assign); ok && !slices.Contains(vars, a.Var) {
			vars = append(vars, a.Var)
		}
	}, func(kir.Expr) {})
	return vars
}

func (w *widener) copied() map[*kir.Var]wideValue {
	out := make(map[*kir.Var]wideValue, len(w.env))
	for v, x := range w.env {
		out[v] = x
	}
	return out
}

// pure reports whether a statement only changes variables by what it computes from others, and from pixels that are there in any case.
func pure(s kir.Stmt) bool {
	impure := func(s kir.Stmt) bool { return !pure(s) }
	switch s := s.(type) {
	case *kir.Decl, *kir.Assign, *kir.Comment:
	case *kir.If:
		return !loads(s.Cond) && !slices.ContainsFunc(s.Then, impure) && !slices.ContainsFunc(s.Else, impure)
	default:
		return false
	}
	ok := true
	for _, e := range kir.Exprs(s) {
		ok = ok && !loads(e)
	}
	return ok
}

// loads reports whether an expression reads memory that may not be there where a condition around it does not hold.
func loads(e kir.Expr) bool {
	found := false
	kir.Walk(e, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Load:
			found = found || !x.Safe
		case *kir.Gather, *kir.Call:
			found = true
		}
	})
	return found
}

// expr computes an expression for all lanes.
func (w *widener) expr(e kir.Expr) wideValue {
	if w.why != "" {
		return refused()
	}
	switch e := e.(type) {
	case *kir.Const:
		return w.constant(e)
	case *kir.Ref:
		if v, ok := w.env[e.Var]; ok {
			return v
		}
		if e.Var.Type.IsArray() || !e.Var.Const {
			return w.refuse("it has arrays")
		}
		return w.vector(e.T, wideValue{e: e, iv: rangeOf(e, w.bounds), kind: e.T.Kind})
	case *kir.Op:
		return w.op(e)
	case *kir.Convert:
		x := w.expr(e.X)
		return w.lanewise(e.T, []wideValue{x}, func(_ int, p []wideValue) wideValue {
			return w.convert(p[0], e.T.Kind, e.How, e.Exact)
		})
	case *kir.Select:
		return w.selection(e)
	case *kir.Vec:
		return w.parts(e)
	case *kir.Lanes:
		return w.taken(e)
	case *kir.Load:
		return w.load(e)
	case *kir.Elem:
		return w.element(e)
	case *kir.Call:
		return w.call(e)
	}
	return w.refuse("it has what wide values have not")
}

// vector takes a vector of the language that is alike in all lanes apart.
func (w *widener) vector(t types.Type, v wideValue) wideValue {
	if t.Lanes == 1 {
		return v
	}
	out := wideValue{kind: t.Kind, parts: make([]wideValue, t.Lanes)}
	for i := range out.parts {
		lane := &kir.Lanes{Typed: kir.Typed{T: t.WithLanes(1)}, X: v.e, Lanes: []int{i}}
		out.parts[i] = wideValue{e: lane, iv: v.iv, kind: t.Kind}
	}
	return out
}

func (w *widener) constant(e *kir.Const) wideValue {
	one := func(i int) wideValue {
		c := constant(e.T.WithLanes(1), e.Words[i:i+1], e.Name)
		v := wideValue{e: c, iv: rangeOf(c, w.bounds), kind: e.T.Kind}
		if e.T.Kind == types.F32 {
			v.span = bounded(e.Words[i].Float(), e.Words[i].Float())
		}
		return v
	}
	if e.T.Lanes == 1 {
		return one(0)
	}
	out := wideValue{kind: e.T.Kind, parts: make([]wideValue, e.T.Lanes)}
	for i := range out.parts {
		out.parts[i] = one(i)
	}
	return out
}

// lanewise applies f to each lane of vectors of the language; a scalar stands for all of them.
func (w *widener) lanewise(t types.Type, args []wideValue, f func(lane int, p []wideValue) wideValue) wideValue {
	if t.Lanes == 1 {
		return f(0, args)
	}
	out := wideValue{kind: t.Kind, parts: make([]wideValue, t.Lanes)}
	for j, a := range args { // what all lanes share is computed once: compilers repeat functions
		if a.parts == nil && w.lazy == 0 {
			args[j] = w.name(a)
		}
	}
	for i := range out.parts {
		p := make([]wideValue, len(args))
		for j, a := range args {
			if p[j] = a; a.parts != nil {
				p[j] = a.parts[i]
			}
		}
		out.parts[i] = f(i, p)
	}
	return out
}

func (w *widener) parts(e *kir.Vec) wideValue {
	out := wideValue{kind: e.T.Kind, parts: make([]wideValue, e.T.Lanes)}
	for i := range out.parts {
		if i > 0 && i >= len(e.Parts) || i > 0 && e.Parts[i] == e.Parts[i-1] {
			out.parts[i] = out.parts[i-1]
			continue
		}
		out.parts[i] = w.expr(e.Parts[i])
		if len(e.Parts) == 1 && w.lazy == 0 { // compilers repeat functions
			out.parts[i] = w.name(out.parts[i])
		}
	}
	return out
}

func (w *widener) taken(e *kir.Lanes) wideValue {
	x := w.expr(e.X)
	if w.why != "" || x.parts == nil {
		return w.refuse("it has what wide values have not")
	}
	if len(e.Lanes) == 1 {
		return x.parts[e.Lanes[0]]
	}
	out := wideValue{kind: e.T.Kind}
	for _, l := range e.Lanes {
		out.parts = append(out.parts, x.parts[l])
	}
	return out
}

// wideMemory reports whether components of a kind are read and written as they are held.
func wideMemory(k types.Kind) bool { return k == types.F32 || k.IsInt() && k.Bits() <= 32 }

// load reads pixels that lie side by side, or at a small distance from each other.
func (w *widener) load(e *kir.Load) wideValue {
	at := w.along(w.expr(e.Offset))
	k := e.T.Kind
	if w.why == "" && at.wide() && at.iv.Within(interval.OfKind(types.I32)) {
		return w.gather(e, at)
	}
	switch {
	case w.why != "":
		return at
	case at.wide() || at.grows < 0 || at.grows > kir.MaxStride:
		return w.refuse("it reads pixels that do not lie side by side")
	case !wideMemory(k) || e.Buffer.Space == kir.Local || e.Buffer.Access&kir.Shared != 0:
		return w.refuse("it reads pixels of %s", k)
	case w.lazy > 0 && !e.Safe && e.Buffer.Space == kir.Global:
		return w.refuse("it reads pixels under a condition")
	}
	if e.T.Lanes == 1 {
		return w.component(e, at, 0)
	}
	out := wideValue{kind: k, parts: make([]wideValue, e.T.Lanes)}
	for l := range out.parts {
		out.parts[l] = w.component(e, at, l)
	}
	return out
}

// component reads a component of pixels that lie side by side.
func (w *widener) component(e *kir.Load, at wideValue, l int) wideValue {
	k := e.T.Kind
	t := types.Scalar(k)
	if at.grows > 0 {
		t = t.WithLanes(w.lanes)
	}
	x := &kir.Load{Typed: kir.Typed{T: t}, Buffer: e.Buffer, Offset: add(at.e, i64(int64(l)))}
	if at.grows > 1 {
		x.Stride = int(at.grows)
	}
	return w.loaded(x, wideValue{e: x, iv: rangeOf(e, w.bounds), span: w.spans[e.Buffer], kind: k})
}

// gather reads pixels at places that differ from lane to lane in any way.
func (w *widener) gather(e *kir.Load, at wideValue) wideValue {
	k := e.T.Kind
	switch {
	case !wideMemory(k) || e.Buffer.Space != kir.Global || e.Buffer.Access&kir.Shared != 0:
		return w.refuse("it reads pixels of %s", k)
	case w.lazy+w.guard > 0:
		return w.refuse("it reads pixels under a condition")
	}
	places := w.name(wideValue{e: w.as(wideValue{e: at.e, iv: at.iv, kind: types.I32}, types.I32), iv: at.iv, kind: types.I32})
	base := at.base
	if base == nil {
		base = i64(0)
	}
	out := wideValue{kind: k, parts: make([]wideValue, e.T.Lanes)}
	for l := range out.parts {
		x := &kir.Gather{Typed: kir.Typed{T: types.Vector(k, w.lanes)}, Buffer: e.Buffer, Offset: add(base, i64(int64(l))), Places: places.e}
		out.parts[l] = w.kept(e.Buffer, wideValue{e: x, iv: rangeOf(e, w.bounds), kind: k}, w.placed())
	}
	if e.T.Lanes == 1 {
		return out.parts[0]
	}
	return out
}

// loaded gives what is read of an image that the kernel does not write a name, once for all that use it.
func (w *widener) loaded(x *kir.Load, v wideValue) wideValue {
	if !v.wide() || w.lazy+w.guard > 0 || x.Buffer.Access != kir.Reads {
		return v
	}
	id := strconv.Itoa(x.Stride) + key(x, w.ids)
	if have, ok := w.seen[id]; ok {
		return have
	}
	v = w.kept(x.Buffer, v, w.placed())
	w.seen[id], w.loads[v.e.(*kir.Ref).Var] = v, true
	return v
}

// elements is how many elements an array has.
func elements(t types.Type) int {
	n := 1
	for _, d := range t.Dims[:t.Rank] {
		n *= int(d)
	}
	return n
}

// elementAt is the place of an element of an array at an index of constants; nil for all else. An array is as many values as it has elements.
func (w *widener) elementAt(v *kir.Var, index []kir.Expr) *wideValue {
	list := w.arrays[v]
	if list == nil || len(index) != int(v.Type.Rank) {
		return nil
	}
	at := int64(0)
	for i, x := range index {
		c, ok := constInt(x)
		if d := int64(v.Type.Dims[i]); !ok || c < 0 || c >= d {
			return nil
		} else {
			at = at*d + c
		}
	}
	return &list[at]
}

func (w *widener) assignElement(s *kir.Assign) {
	at := w.elementAt(s.Var, s.Index)
	if at == nil {
		w.refuse("it has arrays")
		return
	}
	*at = w.kept(&kir.Var{Name: s.Var.Name, At: s.Var.At}, w.expr(s.Value), s.Placed)
}

// element reads a table at a place that is the same for all lanes, or an element of an array of the instance.
func (w *widener) element(e *kir.Elem) wideValue {
	if v := w.elementAt(e.Var, e.Index); v != nil && (v.e != nil || v.parts != nil) {
		return *v
	}
	index := make([]kir.Expr, len(e.Index))
	for i, x := range e.Index {
		v := w.expr(x)
		if v.varies() || e.Var.Space != kir.Constant {
			return w.refuse("it looks up elements of arrays")
		}
		index[i] = v.e
	}
	return w.vector(e.T, wideValue{e: &kir.Elem{Typed: e.Typed, Var: e.Var, Index: index}, iv: interval.OfKind(e.T.Kind), kind: e.T.Kind})
}

// call computes what a func of definitions and one result computes.
func (w *widener) call(e *kir.Call) wideValue {
	args := make([]wideValue, len(e.Args))
	varies := false
	for i, a := range e.Args {
		r, ok := a.(*kir.Ref)
		switch {
		case ok && w.arrays[r.Var] != nil && e.Func.Params[i].Const:
			w.arrays[e.Func.Params[i]] = slices.Clone(w.arrays[r.Var])
			varies = true
			continue
		case a.Type().IsArray() || ok && r.Var.Space != kir.Private:
			return w.refuse("it calls a func with an array")
		}
		args[i] = w.expr(a)
		varies = varies || args[i].varies() || args[i].parts != nil
	}
	switch {
	case w.why != "":
		return refused()
	case !varies:
		plain := make([]kir.Expr, len(args))
		for i, a := range args {
			plain[i] = a.e
		}
		c := &kir.Call{Typed: e.Typed, Func: e.Func, Args: plain}
		return w.vector(e.T, wideValue{e: c, iv: interval.OfKind(e.T.Kind), kind: e.T.Kind})
	case e.Func.Out != nil || e.Func.Foreign != nil || w.lazy > 0:
		return w.refuse("it calls %s", e.Func.Name)
	}
	for i, p := range e.Func.Params {
		if p.Type.IsArray() {
			continue
		}
		w.env[p] = w.kept(p, args[i], w.placed())
	}
	for _, s := range e.Func.Body {
		if r, ok := s.(*kir.Return); ok && r.Value != nil {
			return w.expr(r.Value)
		}
		w.stmt(s)
	}
	return w.refuse("it calls %s", e.Func.Name)
}

// selection is a conditional expression. One whose condition is the same in all lanes computes one side only.
func (w *widener) selection(e *kir.Select) wideValue {
	cond := w.expr(e.Cond)
	if e.Lazy {
		if !cond.varies() && cond.parts == nil {
			return w.uniformChoice(e, cond)
		}
		w.lazy++
	}
	x, y := w.expr(e.Then), w.expr(e.Else)
	if e.Lazy {
		w.lazy--
	}
	return w.lanewise(e.T, []wideValue{cond, x, y}, func(_ int, p []wideValue) wideValue {
		if w.why != "" {
			return p[0]
		}
		return w.selected(p[0], p[1], p[2], e.T.Kind)
	})
}

// uniformChoice takes one side for all lanes: a border that hides whole rows. Its loads must stay behind the condition.
func (w *widener) uniformChoice(e *kir.Select, cond wideValue) wideValue {
	mark := len(w.out)
	w.guard++
	x, y := w.expr(e.Then), w.expr(e.Else)
	w.guard--
	if len(w.out) != mark {
		return w.refuse("what one side of a condition computes takes more than an expression")
	}
	return w.lanewise(e.T, []wideValue{x, y}, func(_ int, p []wideValue) wideValue {
		if w.why != "" {
			return p[0]
		}
		return w.selected(cond, p[0], p[1], e.T.Kind)
	})
}

// selected is cond ? x : y of scalars.
func (w *widener) selected(cond, x, y wideValue, k types.Kind) wideValue {
	if w.why != "" {
		return x
	}
	if x.parts != nil || y.parts != nil {
		return w.refuse("it chooses between vectors")
	}
	iv := x.iv.Join(y.iv)
	if !cond.varies() {
		if !x.varies() && !y.varies() && !x.mask && !y.mask {
			return wideValue{e: &kir.Select{Typed: kir.Typed{T: types.Scalar(k)}, Cond: cond.e, Then: w.scalar(x, k), Else: w.scalar(y, k), Lazy: true}, iv: iv, kind: k}
		}
		x, y, t := w.meet(x, y, k, 8)
		return wideValue{e: &kir.Select{Typed: kir.Typed{T: t}, Cond: cond.e, Then: x, Else: y, Lazy: true}, iv: iv, kind: k, mask: k == types.Bool}
	}
	bits := 8
	if k != types.Bool && k.IsFloat() {
		bits = k.Bits()
	}
	a, b, t := w.meet(x, y, k, bits)
	return wideValue{e: &kir.Select{Typed: kir.Typed{T: t}, Cond: w.maskOf(cond, t.Kind.Bits()), Then: a, Else: b}, iv: iv, kind: k, mask: k == types.Bool}
}

// scalar is a value that is the same for all lanes, in its own kind.
func (w *widener) scalar(v wideValue, k types.Kind) kir.Expr {
	if v.e.Type().Kind == k {
		return v.e
	}
	return convert(v.e, k)
}

// maskOf is a condition of lanes in so many bits.
func (w *widener) maskOf(cond wideValue, bits int) kir.Expr {
	t := kir.Mask(types.Vector(kindOf(bits, true), w.lanes))
	if cond.e.Type() == t {
		return cond.e
	}
	return &kir.Convert{Typed: kir.Typed{T: t}, X: cond.e, Exact: true}
}
