package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Updates of one pixel by all instances (see block.Total) are made in a variable by a work-item that computes several of them, and what that comes to once,
// at its end. Flags (see block.Flag) are stored where they change, so that their pixels need not be widened.

// A total is a component of a pixel that instances update, and what those of the work-item make of it.
type total struct {
	place  string // tells totals apart
	op     ops.Op // of the update at the end
	buf    *buffer
	coords []kir.Expr // constants
	lane   int
	v      *kir.Var
	start  kir.Expr   // what updates leave alone
	wide   []*kir.Var // where instances are computed side by side: what those of each lane come to; bools by the width of conditions
}

// totalsOf are the updates of a stage that work-items may make in totals of their own.
func totalsOf(s *hast.Stage, mode kir.Mode) map[*hast.Store]bool {
	list := map[*hast.Store]bool{}
	hast.EachStore(s.Body, func(st *hast.Store) {
		rounds := st.Image.Elem.Kind.IsFloat() && st.Op != ops.Min && st.Op != ops.Max
		list[st] = block.Total(s, st) && !(rounds && mode == kir.Strict)
	})
	return list
}

// standsFor has an update that stands for another one, of values that are known, be made as that is.
func (u *updates) standsFor(s, of *hast.Store) { u.totals[s] = u.totals[of] }

// flagsOf are the images that a stage does no more to than to set their bools to one value.
func flagsOf(s *hast.Stage) map[*hast.Image]bool {
	list := map[*hast.Image]bool{}
	hast.EachStore(s.Body, func(st *hast.Store) {
		m := st.Image.Base()
		list[m] = block.Flag(s, m)
	})
	return list
}

// inTotals makes an update in the work-item's own variables; false where the pixel may be another one for each instance, or a work-item computes one
// instance.
func (b *body) inTotals(s *hast.Store, buf *buffer, coords []kir.Expr, value kir.Expr) bool {
	k := b.kernel
	if !k.totals[s] || k.blocks == nil && k.rows == nil {
		return false
	}
	if buf.memory != buf.elem {
		value = b.once("v", b.convert(buf.memory, value, kir.Wrap))
	}
	for i := range int(s.Image.Elem.Lanes) {
		t := b.totalOf(s, buf, coords, i)
		sum := b.op(t.v.Type, s.Op, ref(t.v), b.lane(value, i))
		b.emit(&kir.Assign{Placed: b.placed(), Var: t.v, Value: sum})
	}
	return true
}

// totalOf is what the work-item makes of a component of a pixel.
func (b *body) totalOf(s *hast.Store, buf *buffer, coords []kir.Expr, lane int) *total {
	k := b.kernel
	place := fmt.Sprint(buf.v.Name, lane)
	for _, c := range coords {
		place += " " + key(c, k.ids)
	}
	for _, t := range k.own {
		if t.place == place {
			return t
		}
	}
	kind := buf.memory.WithLanes(1)
	m := mergers[s.Op]
	t := &total{place: place, op: m.merge, buf: buf, coords: coords, lane: lane, start: constant(kind, []types.Word{m.start(kind.Kind)}, "")}
	t.v = &kir.Var{Name: s.Image.Base().Name + "_here", Type: kind, At: b.pos}
	k.own = append(k.own, t)
	return t
}

// wideOf is the wide variable of a total for values of a type.
func (t *total) wideOf(wide types.Type) *kir.Var {
	for _, v := range t.wide {
		if v.Type == wide {
			return v
		}
	}
	v := &kir.Var{Name: t.v.Name, Type: wide, At: t.v.At}
	t.wide = append(t.wide, v)
	return v
}

// declared are the declarations of the work-item's variables, at the head of its kernel.
func (k *kernelBuilder) declared() (list []kir.Stmt) {
	declare := func(v *kir.Var, start kir.Expr) {
		list = append(list, &kir.Decl{Placed: kir.Placed{At: v.At}, Var: v, Init: start})
	}
	for _, t := range k.own {
		declare(t.v, t.start)
		for _, v := range t.wide {
			start := convert(t.start, v.Type.Kind)
			if t.flag() {
				start = intConst(v.Type.Kind, -mergers[t.op].start(types.Bool).Int())
			}
			declare(v, &kir.Vec{Typed: kir.Typed{T: v.Type}, Parts: []kir.Expr{start}})
		}
	}
	return list
}

// startTotals has the totals of a step's lanes start anew.
func (w *widener) startTotals() {
	for _, t := range w.kernel.own {
		w.env[t.v] = w.expr(t.start)
	}
}

// joinTotals joins what the lanes of a step have come to with what those before have.
func (w *widener) joinTotals() {
	for _, t := range w.kernel.own {
		here, kind := w.env[t.v], t.v.Type.Kind
		if w.why != "" || key(here.e, w.ids) == key(t.start, w.ids) {
			continue
		}
		wide := types.Vector(kind, w.lanes)
		if kind == types.Bool {
			wide = kir.Mask(types.Vector(types.I32, w.lanes))
			if here.wide() {
				wide = here.e.Type()
			}
		}
		all, before := t.wideOf(wide), &kir.Var{Name: t.v.Name, Type: t.v.Type}
		w.env[before] = wideValue{e: ref(all), iv: interval.OfKind(kind), kind: kind, mask: kind == types.Bool}
		both := w.expr(&kir.Op{Typed: kir.Typed{T: t.v.Type}, Op: t.op, Args: []kir.Expr{ref(before), ref(t.v)}})
		value := w.maskOrNumber(both, wide)
		w.out = append(w.out, &kir.Assign{Placed: w.placed(), Var: all, Value: value})
	}
}

// maskOrNumber is a value in a wide type.
func (w *widener) maskOrNumber(v wideValue, wide types.Type) kir.Expr {
	if v.kind == types.Bool && w.why == "" {
		return w.maskOf(v, wide.Kind.Bits())
	}
	return w.as(v, wide.Kind)
}

// joinLanes makes one total of those of lanes.
func (b *body) joinLanes(t *total) {
	for _, wide := range t.wide {
		scalar, n := types.Scalar(wide.Type.Kind), int(wide.Type.Lanes)
		lanes := b.declare("lanes", scalar.Array(n), true, nil)
		b.emit(&kir.Store{Placed: b.placed(), Buffer: lanes, Offset: i64(0), Value: ref(wide)})
		i := b.loopVar("lane", interval.Between(0, int64(n-1)))
		body := b.inside(false, func() {
			one := b.elemOf(lanes, []kir.Expr{ref(i)})
			if t.v.Type.Kind == types.Bool {
				one = b.op(boolType, ops.Ne, one, intConst(scalar.Kind, 0))
			}
			b.emit(&kir.Assign{Placed: b.placed(), Var: t.v, Value: b.op(t.v.Type, t.op, ref(t.v), one)})
		})
		b.emit(&kir.For{Placed: b.placed(), Var: i, Lo: i32(0), Hi: i32(int64(n)), Step: 1, Body: body, Exact: true})
	}
}

// updateTotals updates the pixels by what the work-item has made of them, at its end.
func (k *kernelBuilder) updateTotals() {
	b := k.body
	for _, t := range k.own {
		b.joinLanes(t)
		update := b.inside(false, func() {
			offset := add(b.offset(t.buf, t.coords), i64(int64(t.lane)))
			if t.flag() {
				b.turn(t.buf, offset, t.op, true)
				return
			}
			b.emit(&kir.Atomic{Placed: b.placed(), Op: t.op, Buffer: t.buf.v, Offset: offset, Value: ref(t.v)})
		})
		if t.v.Type.Kind.IsFloat() && t.op == ops.Add { // which makes +0 of -0
			b.emitAll(update)
			continue
		}
		b.emit(&kir.If{Placed: b.placed(), Cond: b.differs(t), Then: update})
	}
}

// differs reports whether the work-item has anything to update.
func (b *body) differs(t *total) kir.Expr {
	if t.flag() {
		return b.turns(t.op, ref(t.v))
	}
	return b.op(boolType, ops.Ne, ref(t.v), t.start)
}

// flag reports whether the total is of a flag, as those of all bools are.
func (t *total) flag() bool { return t.v.Type.Kind == types.Bool }

// turns is the condition that an update of a flag by x is one at all.
func (b *body) turns(op ops.Op, x kir.Expr) kir.Expr {
	if op == ops.LAnd {
		return b.op(boolType, ops.Not, x)
	}
	return x
}

// turn stores what updates of a flag make of it: the opposite of what they leave alone. Where all instances share it, those that see that leave it alone.
func (b *body) turn(buf *buffer, offset kir.Expr, op ops.Op, shared bool) {
	value := intConst(types.Bool, 1-mergers[op].start(types.Bool).Int())
	b.emit(&kir.Store{Placed: b.placed(), Buffer: buf.v, Offset: offset, Value: value, Once: shared && buf.v.Space == kir.Global})
}

// turnEach sets the components of a flag that an update changes.
func (b *body) turnEach(s *hast.Store, buf *buffer, offset, value kir.Expr) {
	for i := range int(s.Image.Elem.Lanes) {
		turn := b.inside(false, func() { b.turn(buf, add(offset, i64(int64(i))), s.Op, b.kernel.totals[s]) })
		b.emit(&kir.If{Placed: b.placed(), Cond: b.turns(s.Op, b.lane(value, i)), Then: turn})
	}
}
