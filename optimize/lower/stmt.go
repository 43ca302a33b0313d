package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

func (b *body) stmts(list []hast.Stmt) {
	defer func(was map[hast.Expr][]spot) { b.patches = was }(b.patches)
	b.patches = b.findPatches(list)
	for _, s := range list {
		b.pos = s.Span()
		b.statement(s)
	}
}

// block lowers statements into a scope of their own.
func (b *body) block(list []hast.Stmt) []kir.Stmt {
	return b.inside(false, func() { b.stmts(list) })
}

func (b *body) stmt(s hast.Stmt) {
	switch s := s.(type) {
	case *hast.Define:
		b.define(s)
	case *hast.Set:
		b.set(s)
	case *hast.Store:
		b.store(s)
	case *hast.If:
		cond := b.expr(s.Cond)
		b.emit(&kir.If{Placed: kir.Placed{At: s.At}, Cond: cond, Then: b.block(s.Then), Else: b.block(s.Else)})
	case *hast.For:
		if s.Chunk && b.kernel != nil && b.kernel.decided.Fetch > 0 {
			b.kernel.chunkInAdvance(s)
		} else if !b.writtenOut(s) {
			inside := func(visit func(hast.Expr)) { hast.WalkBody(s.Body, nil, visit) }
			rounds := kir.WrittenOut
			if !s.Out {
				rounds = b.sliding(s.Space, inside)
			}
			b.loopIn(s.Space, rounds, func() { b.stmts(s.Body) })
		}
	case *hast.While:
		b.while(s)
	case *hast.Break:
		b.emit(&kir.Break{Placed: b.placed()})
	case *hast.Continue:
		b.emit(&kir.Continue{Placed: b.placed()})
	case *hast.Return:
		b.ret(s)
	default:
		panic(fmt.Sprintf("lower: unknown statement %T", s))
	}
}

func (b *body) define(s *hast.Define) {
	t, mutable := s.Var.Type, s.Var.Class == hast.Mutable
	if t.IsArray() {
		v := b.declare(s.Var.Name, t, true, nil)
		switch {
		case s.Init != nil:
			b.fill(v, s.Init)
		case !s.Later:
			b.eachElem(t, func(idx []kir.Expr) {
				b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: idx, Value: zero(t.Elem())})
			})
		}
		b.vars[s.Var] = ref(v)
		return
	}
	init := zero(t)
	if s.Init != nil {
		init = b.expr(s.Init)
	}
	b.vars[s.Var] = ref(b.declare(s.Var.Name, t, mutable, init))
}

func (b *body) set(s *hast.Set) {
	v := b.value(s.Var).(*kir.Ref).Var
	if len(s.Index) > 0 {
		b.setElem(s, v)
		return
	}
	if v.Type.IsArray() {
		// The value may read the variable itself: it is computed aside first.
		tmp := b.array(v.Name+"_new", s.Value)
		b.eachElem(v.Type, func(idx []kir.Expr) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: idx, Value: b.elemOf(tmp, idx)})
		})
		return
	}
	b.emit(&kir.Assign{Placed: b.placed(), Var: v, Value: b.expr(s.Value)})
}

// setElem changes one element; an index outside changes nothing.
func (b *body) setElem(s *hast.Set, v *kir.Var) {
	idx := b.exprs(s.Index)
	inside, never := b.insideArray(v.Type, idx, false)
	if never {
		return
	}
	assign := func() { b.emit(&kir.Assign{Placed: b.placed(), Var: v, Index: idx, Value: b.expr(s.Value)}) }
	if inside == nil {
		assign()
		return
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, assign)})
}

func (b *body) store(s *hast.Store) {
	if b.kernel.cut != nil && b.kernel.cut.stores(s) {
		return
	}
	b.storeAlways(s)
}

// storeAlways is store where the instance is not one that another group computes, too.
func (b *body) storeAlways(s *hast.Store) {
	if !s.Skip {
		if !b.kept(s) {
			b.storeAt(s, b.positions(s.Image, s.Index))
		}
		return
	}
	extent := b.kernel.extents(s.Image, b.kernel.buffer(s.Image.Base(), kir.Writes))
	coords := b.positions(s.Image, s.Index)
	var inside kir.Expr
	for k, x := range s.Index {
		i, test := b.fold(hast.Coord{X: x, Below: true, Above: true}, coords[k], extent[k], hast.Constant)
		coords[k] = b.once(coordName(i), i)
		inside = b.and(inside, test)
	}
	if inside == nil {
		b.storeAt(s, coords)
		return
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: inside, Then: b.inside(false, func() { b.storeAt(s, coords) })})
}

// storeAt writes or updates the pixel at positions that are in range.
func (b *body) storeAt(s *hast.Store, coords []kir.Expr) {
	coords = b.onBase(s.Image, coords)
	if s.Updates() {
		b.update(s, coords)
		return
	}
	buf := b.kernel.buffer(s.Image.Base(), kir.Writes)
	value := b.kernel.forNext(s, b.expr(s.Value))
	if value == nil {
		return
	}
	b.storePixel(buf, b.offset(buf, coords), value)
}

// positions are the coordinates of a store, from the first pixel of each axis on.
func (b *body) positions(m *hast.Image, index []hast.Expr) []kir.Expr {
	coords := b.exprs(index)
	for k, i := range coords {
		coords[k] = b.position(i, m, k)
	}
	return coords
}

func (b *body) while(s *hast.While) {
	var cond kir.Expr
	before := b.inside(false, func() { cond = b.expr(s.Cond) })
	if len(before) == 0 {
		b.emit(&kir.While{Placed: kir.Placed{At: s.At}, Cond: cond, Body: b.block(s.Body)})
		return
	}
	// The condition needs statements: they run at the head of an endless loop that the condition leaves.
	stop := &kir.If{Placed: kir.Placed{At: s.At}, Cond: b.op(boolType, ops.Not, cond), Then: []kir.Stmt{&kir.Break{}}}
	body := append(append(before, stop), b.block(s.Body)...)
	b.emit(&kir.While{Placed: kir.Placed{At: s.At}, Cond: intConst(boolType.Kind, 1), Body: body})
}

func (b *body) ret(s *hast.Return) {
	if b.out == nil {
		b.emit(&kir.Return{Placed: b.placed(), Value: b.expr(s.Value)})
		return
	}
	v := b.array("value", s.Value)
	b.eachElem(b.out.Type, func(idx []kir.Expr) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: b.out, Index: idx, Value: b.elemOf(v, idx)})
	})
	b.emit(&kir.Return{Placed: b.placed()})
}

// loop runs f for each point of a space, in order. f must work inside a scope that a loop repeats.
func (b *body) loop(s hast.Space, f func()) { b.loopIn(s, kir.AnyForm, f) }

// loopIn is loop in a form of the innermost one.
func (b *body) loopIn(s hast.Space, rounds kir.Rounds, f func()) {
	switch {
	case s.Points != nil:
		b.pointLoop(s, f)
	default:
		b.rangeLoop(s, 0, rounds, f)
	}
}

func (b *body) rangeLoop(s hast.Space, k int, rounds kir.Rounds, f func()) {
	if k == len(s.Vars) {
		f()
		return
	}
	r := s.Ranges[k]
	lo, hi := b.expr(r.Lo), b.expr(r.Hi)
	v := b.loopVar(s.Vars[k].Name, loopInterval(rangeOf(lo, b.bounds), rangeOf(hi, b.bounds), r.Step))
	if r.Step > 0 && stable(hi) {
		b.limits[v] = hi
	}
	b.vars[s.Vars[k]] = ref(v)
	b.loops++
	stmts := b.inside(false, func() { b.rangeLoop(s, k+1, rounds, f) })
	b.loops--
	past := interval.Between(rangeOf(lo, b.bounds).Lo, rangeOf(hi, b.bounds).Hi)
	past.Lo, past.Hi = past.Lo+min(r.Step, 0), past.Hi+max(r.Step, 0)
	exact := r.Step != 1 && r.Step != -1 && past.Within(interval.OfKind(types.I32))
	if k < len(s.Vars)-1 {
		rounds = kir.AnyForm
	}
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: lo, Hi: hi, Step: r.Step, Rounds: rounds, Body: stmts, Exact: exact})
}

// loopInterval bounds the variable of a loop while its body runs.
func loopInterval(lo, hi interval.Interval, step int64) interval.Interval {
	if iv, runs := interval.Counting(lo, hi, step); runs {
		return iv
	}
	return interval.OfKind(i32T.Kind) // no matter what
}

// pointLoop loops over a table of points.
func (b *body) pointLoop(s hast.Space, f func()) {
	n, k := len(s.Points), len(s.Vars)
	if n == 0 {
		return // a table has an element at least
	}
	words := make([]types.Word, 0, n*k)
	lo, hi := make([]int64, k), make([]int64, k)
	for i, p := range s.Points {
		for j, c := range p {
			if i == 0 || c < lo[j] {
				lo[j] = c
			}
			if i == 0 || c > hi[j] {
				hi[j] = c
			}
			words = append(words, types.Word(c))
		}
	}
	table := b.table(i32T.Array(n, k), words, "offsets")
	v := b.loopVar("p", interval.Between(0, int64(n)-1))
	stmts := b.inside(false, func() {
		for j, hv := range s.Vars {
			c := b.declare(hv.Name, i32T, false, b.elemOf(table.Var, []kir.Expr{ref(v), i32(int64(j))}))
			b.bounds[c] = interval.Between(lo[j], hi[j])
			b.vars[hv] = ref(c)
		}
		f()
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: i32(int64(n)), Step: 1, Body: stmts})
}
