package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Updates of one pixel by all instances, as of a flag that says whether anything has changed or of a residual's largest term, would all meet
// in memory. A work-item that computes several instances makes them in a variable, and what that comes to once, at its end.
//
// A bool that only |= changes, or only &=, needs no atomic update at all: whoever changes it stores the same. So nothing is stored where nothing
// changes, and the pixel need not be widened.

// A total is a component of a pixel that instances update, and what those of the work-item make of it.
type total struct {
	place  string // tells totals apart
	op     ops.Op // of the update at the end
	buf    *buffer
	coords []kir.Expr // constants
	lane   int
	v      *kir.Var
	start  kir.Expr // what updates leave alone
}

// sets maps the operators by which bools can only become one value to what they leave alone.
var sets = map[ops.Op]int64{ops.LOr: 0, ops.LAnd: 1}

// onlySets reports whether all that a stage does to an image of bools is to set pixels to one value.
func onlySets(s *hast.Stage, m *hast.Image) bool {
	op, ok := s.OnlyUpdate(m)
	_, set := sets[op]
	return ok && set
}

// totalsOf are the images that work-items may update by totals of their own.
func totalsOf(s *hast.Stage, mode kir.Mode) map[*hast.Image]bool {
	list := map[*hast.Image]bool{}
	eachStore(s.Body, func(st *hast.Store) {
		m := st.Image.Base()
		if !st.Updates() || st.Alone || s.Scan != nil {
			return
		}
		op, ok := s.OnlyUpdate(m)
		rounds := m.Elem.Kind.IsFloat() && op != ops.Min && op != ops.Max
		list[m] = ok && (onlySets(s, m) || mergers[op].start != nil && !(rounds && mode == kir.Strict))
	})
	return list
}

// inTotals makes an update in the work-item's own variables; false where the pixel may be another one for each instance, or a work-item computes one
// instance.
func (b *body) inTotals(s *hast.Store, buf *buffer, coords []kir.Expr, value kir.Expr) bool {
	k := b.kernel
	if !k.totals[s.Image.Base()] || k.blocks == nil && k.rows == nil {
		return false
	}
	for _, c := range coords {
		if _, ok := constInt(c); !ok {
			return false
		}
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
	for _, t := range k.sums {
		if t.place == place {
			return t
		}
	}
	kind := buf.memory.WithLanes(1)
	t := &total{place: place, op: s.Op, buf: buf, coords: coords, lane: lane}
	start, isSet := sets[s.Op]
	t.start = constant(kind, []types.Word{types.Int(start)}, "")
	if !isSet {
		t.op, t.start = mergers[s.Op].merge, constant(kind, []types.Word{mergers[s.Op].start(kind.Kind)}, "")
	}
	t.v = &kir.Var{Name: s.Image.Base().Name + "_here", Type: kind, At: b.pos}
	k.sums = append(k.sums, t)
	return t
}

// declared are the declarations of the work-item's variables, at the head of its kernel.
func (k *kernelBuilder) declared() (list []kir.Stmt) {
	for _, t := range k.sums {
		list = append(list, &kir.Decl{Placed: kir.Placed{At: t.v.At}, Var: t.v, Init: t.start})
	}
	return list
}

// updateTotals updates the pixels by what the work-item has made of them, at its end.
func (k *kernelBuilder) updateTotals() {
	b := k.body
	for _, t := range k.sums {
		update := b.inside(false, func() {
			offset := add(b.offset(t.buf, t.coords), i64(int64(t.lane)))
			if start, ok := sets[t.op]; ok {
				b.turn(t.buf, offset, start)
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
	switch start, ok := sets[t.op]; {
	case ok && start == 0:
		return ref(t.v)
	case ok:
		return b.op(boolType, ops.Not, ref(t.v))
	}
	return b.op(boolType, ops.Ne, ref(t.v), t.start)
}

// turn stores what updates of bools make of a pixel: the opposite of what they leave alone.
func (b *body) turn(buf *buffer, offset kir.Expr, start int64) {
	b.emit(&kir.Store{Placed: b.placed(), Buffer: buf.v, Offset: offset, Value: intConst(types.Bool, 1-start)})
}

// turnEach sets the components of a pixel that an update changes.
func (b *body) turnEach(s *hast.Store, buf *buffer, offset, value kir.Expr) {
	for i := range int(s.Image.Elem.Lanes) {
		cond := b.lane(value, i)
		if sets[s.Op] == 1 {
			cond = b.op(boolType, ops.Not, cond)
		}
		b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: b.inside(false, func() { b.turn(buf, add(offset, i64(int64(i))), sets[s.Op]) })})
	}
}
