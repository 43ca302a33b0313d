package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Commutative updates that may meet are atomic. Operators on components of 32 bits and more are atomic by themselves. Those of 8
// and 16 bits, which devices lack, are done in a copy of the image with components of 32 bits: one stage fills it, another one
// narrows it, and since only updates lie between them, that wraps as often as it likes, and floats are rounded once. A func combines pixels of any type, so
// each pixel gets a lock, in memory of 32 bits for each component or twice 32, but where it is an operator on each component.

// The updates of a stage: how each image that it updates is.
type updates struct {
	shared map[*hast.Image]bool        // updated under locks, or passed on to the last group
	wide   map[*hast.Image]*hast.Image // updated in copies with wider components
	flags  map[*hast.Image]bool        // of which bools are set (see block.Flag)
	totals map[*hast.Store]bool        // that work-items make in variables of their own first (see block.Total)
}

// prepareUpdates finds the images that a stage updates with more than an operation, and widens what needs it. The function that
// it returns narrows that again, behind the launch.
func (k *kernelBuilder) prepareUpdates(s *hast.Stage) (after func()) {
	k.updates = updates{map[*hast.Image]bool{}, map[*hast.Image]*hast.Image{}, flagsOf(s), totalsOf(s, k.plan.opts.Mode)}
	var narrow []*hast.Image
	hast.EachStore(s.Body, func(st *hast.Store) {
		m := st.Image.Base()
		switch {
		case !block.Meets(s, st) || len(k.fills) > 0 || k.decided.Cells > 0: // bins are wide, and cells of one group alone
			return
		case m.Elem.Kind.Bits() < 32 && k.wide[m] == nil:
			k.wide[m] = k.plan.widened(m)
			k.plan.resize(k.wide[m])
			narrow = append(narrow, m)
		}
		k.shared[m] = k.shared[m] || updateOps(st) == nil
	})
	for _, m := range narrow {
		k.plan.stage(hast.CopyStage(k.wide[m], m, s.Name+"_widen", s.At))
	}
	return func() {
		for _, m := range narrow {
			k.plan.stage(hast.CopyStage(m, k.wide[m], s.Name+"_narrow", s.At))
		}
	}
}

// widened is a local image like m with components of 32 bits.
func (pl *planner) widened(m *hast.Image) *hast.Image {
	if wide := pl.copies[m]; wide != nil {
		return wide
	}
	kind := types.I32
	switch {
	case m.Elem.Kind.IsUnsigned():
		kind = types.U32
	case m.Elem.Kind.IsFloat():
		kind = types.F32
	}
	wide := &hast.Image{Name: identifier(m) + "_wide", Dir: hast.Local, Elem: m.Elem.WithKind(kind), Extent: m.Extent, Lower: m.Lower, At: m.At}
	pl.beside(wide, m)
	pl.image(wide)
	pl.copies[m] = wide
	return wide
}

// lockOf is a local image with the locks of m's pixels.
func (pl *planner) lockOf(m *hast.Image) *hast.Image {
	if lock := pl.locks[m]; lock != nil {
		return lock
	}
	lock := &hast.Image{Name: identifier(m) + "_lock", Dir: hast.Local, Elem: u32T, Extent: m.Extent, Lower: m.Lower, Zero: true, At: m.At}
	pl.beside(lock, m)
	pl.image(lock)
	pl.locks[m] = lock
	return lock
}

// moves reports whether one aligned access moves a value of a buffer: a pixel, of which rows by components take one component.
func (b *buffer) moves(t types.Type) bool { return b.aligned && kir.OneAccess(t) }

// loadPixel reads a pixel. Components that other items change meanwhile are read one by one.
func (b *body) loadPixel(buf *buffer, offset kir.Expr) kir.Expr {
	offset = b.ofComponent(offset)
	load := func(t types.Type, at kir.Expr) *kir.Load {
		return &kir.Load{Typed: kir.Typed{T: t}, Buffer: buf.v, Offset: at, Safe: b.safe}
	}
	whole := load(b.componentOf(buf.memory), offset)
	whole.Aligned = buf.moves(whole.T)
	x := kir.Expr(whole)
	if lanes := int(buf.memory.Lanes); lanes > 1 && buf.v.Access&kir.Shared != 0 {
		parts := make([]kir.Expr, lanes)
		offset = b.once("at", offset)
		for i := range parts {
			parts[i] = load(buf.memory.WithLanes(1), add(offset, i64(int64(i))))
		}
		x = &kir.Vec{Typed: kir.Typed{T: buf.memory}, Parts: parts}
	}
	if buf.memory != buf.elem {
		x = b.convert(b.componentOf(buf.elem), x, kir.Wrap)
	}
	return x
}

// storePixel is the opposite of loadPixel.
func (b *body) storePixel(buf *buffer, offset, value kir.Expr) {
	if buf.memory != buf.elem {
		value = b.convert(b.componentOf(buf.memory), value, kir.Wrap)
	}
	lanes := int(buf.memory.Lanes)
	if lanes == 1 || buf.v.Access&kir.Shared == 0 {
		b.emit(&kir.Store{Placed: b.placed(), Buffer: buf.v, Offset: offset, Value: value, Aligned: buf.moves(value.Type())})
		return
	}
	offset, value = b.once("at", offset), b.once("v", value)
	for i := range lanes {
		b.emit(&kir.Store{Placed: b.placed(), Buffer: buf.v, Offset: add(offset, i64(int64(i))), Value: b.lane(value, i)})
	}
}

// update changes a pixel, at positions in the image with its storage, by an operator or a func.
func (b *body) update(s *hast.Store, coords []kir.Expr) {
	for k, c := range coords {
		coords[k] = b.once(coordName(c), c)
	}
	if p := b.kernel.private[s.Image.Base()]; p != nil {
		b.updatePrivate(p, s, coords)
		return
	}
	if b.kernel.keeper != nil {
		b.updateKept(s, coords)
		return
	}
	buf := b.kernel.buffer(s.Image.Base(), kir.Reads|kir.Writes)
	value := b.once("v", b.expr(s.Value))
	if b.inTotals(s, buf, coords, value) {
		return
	}
	offset := b.once("at", b.offset(buf, coords))
	change := func() { b.storePixel(buf, offset, b.changed(s, b.loadPixel(buf, offset), value)) }
	switch {
	case s.Alone:
		change()
	case updateOps(s) == nil:
		locks := b.kernel.plan.lockOf(s.Image.Base())
		b.kernel.plan.resize(locks)
		lock := b.kernel.buffer(locks, kir.Reads|kir.Writes)
		at := b.once("lock", b.offset(lock, coords))
		b.emit(&kir.Critical{Placed: b.placed(), Lock: lock.v, Offset: at, Body: b.inside(false, change)})
	case b.kernel.flags[s.Image.Base()]:
		b.turnEach(s, buf, offset, value)
	default:
		if buf.memory != buf.elem {
			value = b.once("v", b.convert(buf.memory, value, kir.Wrap))
		}
		for i, op := range updateOps(s) {
			if bits, ok := onBits[op]; ok && s.Image.Elem.Kind == types.Bool {
				op = bits
			}
			b.emit(&kir.Atomic{Placed: b.placed(), Op: op, Buffer: buf.v, Offset: add(offset, i64(int64(i))), Value: b.lane(value, i)})
		}
	}
}

// onBits are the operators of bools on 0 and 1 in integers.
var onBits = map[ops.Op]ops.Op{ops.LAnd: ops.And, ops.LOr: ops.Or, ops.Ne: ops.Xor}

// changed is what an update makes of a pixel. Operators on small integers compute in i32 and wrap, as everywhere.
func (b *body) changed(s *hast.Store, pixel, value kir.Expr) kir.Expr {
	t := s.Image.Elem
	if s.Func != nil {
		return &kir.Call{Typed: kir.Typed{T: t}, Func: b.funcs[s.Func], Args: []kir.Expr{pixel, value}}
	}
	if t.Kind == types.Bool {
		return b.op(t, s.Op, pixel, value)
	}
	wide := t.WithKind(types.Promote(t.Kind))
	result := b.op(wide, s.Op, b.convert(wide, pixel, kir.Wrap), b.convert(wide, value, kir.Wrap))
	return b.convert(t, result, kir.Wrap)
}
