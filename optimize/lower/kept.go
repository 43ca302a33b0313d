package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Instances that add to pixels of a line of their own (block.Kept) keep so many of these in local memory: the line is read, the body runs, and what it has
// come to is written. Lines that are longer take several turns, in each of which the body runs again and makes those of its updates that fall to the pixels
// at hand, so that each pixel sees its updates in their order. Items reach their own pixels alone, and need not wait for each other.

// A keeper is what an item keeps.
type keeper struct {
	*block.Kept
	local  *kir.Var   // pixels x components x items of the group: neighbouring items use different banks
	item   kir.Expr   // which of these the item is
	size   int        // items of a group
	count  int        // pixels that are kept at a time
	from   kir.Expr   // the first of them
	extent kir.Expr   // of the line
	coords []kir.Expr // of the line along other axes
	there  kir.Expr   // whether the image has the line; nil where it has for certain
}

// refuseKept says why items of groups of so many cannot keep so many pixels each, as the end of a sentence; "" where they can.
func refuseKept(s *hast.Stage, d schedule.Decisions, size, most int) string {
	alone := d
	alone.Place, alone.Keep, alone.Tile, alone.Unroll, alone.Resident = 0, 0, [2]int{}, 0, 0
	if alone != (schedule.Decisions{}) {
		return "keep stands with tile, unroll and resident alone"
	}
	k, why := block.AnalyzeKept(s)
	if why != "" {
		return why
	}
	kind := k.Image.Elem.Kind
	bytes := d.Keep * k.Image.Elem.Bytes() * size
	switch {
	case size > maxGroup:
		return fmt.Sprintf("its tile takes %d work-items, and a group has at most %d", size, maxGroup)
	case kind == types.Bool || kind == types.F16 || kind == types.BF16:
		return fmt.Sprintf("pixels of %s are not kept", kind)
	case bytes > most:
		return fmt.Sprintf("its groups keep %d bytes in local memory, and %d is the most", bytes, most)
	}
	return ""
}

// keeping lowers a stage whose items keep so many pixels.
func (k *kernelBuilder) keeping(s *hast.Stage, count int) shape {
	b := k.body
	items, group := k.grid(s), k.group(len(s.Space.Vars))
	what, _ := block.AnalyzeKept(s)
	starts := k.plan.overwrites(s, what)
	t := k.keep(what, count, group)
	if starts {
		t.there = nil
		k.plan.images[what.Image].Zero = false
	}
	if n, ok := constInt(t.extent); ok && n <= int64(count) {
		t.count, t.from = int(n), i32(0)
		b.turnOfKept(t, starts, func() { k.instance(s) })
	} else {
		from := b.loopVar("from", interval.Between(0, hast.MaxExtent-1))
		t.from = ref(from)
		turn := b.inside(false, func() { b.turnOfKept(t, starts, func() { k.instance(s) }) })
		b.emit(&kir.For{Placed: b.placed(), Var: from, Lo: i32(0), Hi: t.extent, Step: int64(count), Body: turn, Exact: true})
	}
	return shape{items: items, group: group, shared: []kir.Stmt{&kir.Decl{Var: t.local}}}
}

// keep declares what the items of groups of a shape keep.
func (k *kernelBuilder) keep(what *block.Kept, count int, group [3]int) *keeper {
	b, m := k.body, what.Image
	buf := k.buffer(m, kir.Reads|kir.Writes)
	t := &keeper{Kept: what, size: group[0] * group[1] * group[2], count: count, coords: make([]kir.Expr, m.Rank())}
	length := count * int(m.Elem.Lanes) * t.size
	t.local = &kir.Var{Name: identifier(m) + "_kept", Type: types.Scalar(m.Elem.Kind).Array(length), Space: kir.Local, Spread: !k.plan.opts.DenseRGB && block.Channels(m) == 3}
	t.item = i32(0)
	for dim := 2; dim >= 0; dim-- {
		if group[dim] > 1 {
			id := &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: dim}
			t.item = b.op(i32T, ops.Add, b.op(i32T, ops.Mul, t.item, i32(int64(group[dim]))), id)
		}
	}
	item := b.declare("item", i32T, false, t.item)
	b.bounds[item] = interval.Between(0, int64(t.size)-1)
	t.item, t.extent = ref(item), buf.extent[what.Axis]
	for axis, at := range what.At {
		if at == nil {
			continue
		}
		c := b.position(b.expr(at), m, axis)
		i, test := b.fold(hast.Coord{X: at, Below: true, Above: true}, c, buf.extent[axis], hast.Constant)
		t.coords[axis], t.there = b.once(coordName(i), i), b.and(t.there, test)
	}
	k.keeper = t
	return t
}

// turnOfKept runs inner for the pixels from one on. They start as zeros where nothing has been in the image before.
func (b *body) turnOfKept(t *keeper, zeros bool, inner func()) {
	buf := b.kernel.buffer(t.Image, kir.Writes)
	start := func(pixel kir.Expr) { b.setKept(t, b.slot(t, pixel), zero(buf.elem)) }
	b.eachKept(t, func(pixel kir.Expr) {
		if zeros {
			start(pixel)
			return
		}
		b.ifThere(t, pixel, func(coords []kir.Expr) { b.setKept(t, b.slot(t, pixel), b.loadPixel(buf, b.offset(buf, coords))) })
	})
	inner()
	b.eachKept(t, func(pixel kir.Expr) {
		b.ifThere(t, pixel, func(coords []kir.Expr) { b.storePixel(buf, b.offset(buf, coords), b.keptPixel(t, b.slot(t, pixel))) })
	})
}

// eachKept runs f for the numbers of all pixels that are kept at a time.
func (b *body) eachKept(t *keeper, f func(pixel kir.Expr)) {
	v := b.loopVar("pixel", interval.Between(0, int64(t.count)-1))
	body := b.inside(false, func() { f(ref(v)) })
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: i32(int64(t.count)), Step: 1, Body: body, Exact: true})
}

// ifThere runs f for the coordinates of a pixel of the turn, if the image has it.
func (b *body) ifThere(t *keeper, pixel kir.Expr, f func(coords []kir.Expr)) {
	coords, there := slices.Clone(t.coords), t.there
	at := b.once("at", b.op(i32T, ops.Add, t.from, pixel))
	if coords[t.Axis] = at; !isConst(t.from) {
		there = b.and(b.op(boolType, ops.Lt, at, t.extent), there)
	}
	if there == nil {
		f(coords)
		return
	}
	b.emit(&kir.If{Placed: b.placed(), Cond: there, Then: b.inside(false, func() { f(coords) })})
}

// slot is where the first component of a kept pixel is.
func (b *body) slot(t *keeper, pixel kir.Expr) kir.Expr {
	lanes := int64(t.Image.Elem.Lanes)
	return b.once("slot", b.op(i32T, ops.Add, b.op(i32T, ops.Mul, pixel, i32(lanes*int64(t.size))), t.item))
}

// keptAt is the index of a component of the pixel in a slot.
func (b *body) keptAt(t *keeper, slot kir.Expr, lane int) []kir.Expr {
	return []kir.Expr{b.op(i32T, ops.Add, slot, i32(int64(lane*t.size)))}
}

func (b *body) keptPixel(t *keeper, slot kir.Expr) kir.Expr {
	parts := make([]kir.Expr, t.Image.Elem.Lanes)
	for i := range parts {
		parts[i] = b.elemOf(t.local, b.keptAt(t, slot, i))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: t.Image.Elem}, Parts: parts}
}

func (b *body) setKept(t *keeper, slot, value kir.Expr) {
	if t.Image.Elem.Lanes > 1 {
		value = b.once("v", value)
	}
	for i := range int(t.Image.Elem.Lanes) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: t.local, Index: b.keptAt(t, slot, i), Value: b.lane(value, i)})
	}
}

// updateKept makes an update of a pixel if it is one of the turn's.
func (b *body) updateKept(s *hast.Store, coords []kir.Expr) {
	t, at := b.kernel.keeper, coords[b.kernel.keeper.Axis]
	change := func(pixel kir.Expr) {
		slot := b.slot(t, pixel)
		value := b.once("v", b.expr(s.Value))
		b.setKept(t, slot, b.changed(s, b.keptPixel(t, slot), value))
	}
	if isConst(t.from) {
		change(at)
		return
	}
	pixel := b.once("pixel", b.op(i32T, ops.Sub, at, t.from))
	inTurn := b.and(b.op(boolType, ops.Ge, pixel, i32(0)), b.op(boolType, ops.Lt, pixel, i32(int64(t.count))))
	b.emit(&kir.If{Placed: b.placed(), Cond: inTurn, Then: b.inside(false, func() {
		v := b.declare("here", i32T, false, pixel)
		b.bounds[v] = interval.Between(0, int64(t.count)-1)
		change(ref(v))
	})})
}

func isConst(e kir.Expr) bool {
	_, known := constInt(e)
	return known
}

// overwrites reports whether a stage that keeps lines of an image writes all of it as if it had been zeros, so that nobody has to clear it: nothing has
// touched it before, and the instances have all lines between them.
func (pl *planner) overwrites(s *hast.Stage, what *block.Kept) bool {
	m := what.Image
	if !pl.images[m].Zero || m.Of != nil || pl.swapped[m] {
		return false
	}
	lets, ids := map[*hast.Var]hast.Expr{}, map[*kir.Var]int{}
	same := func(a, b hast.Expr) bool {
		return key(pl.hostExpr(spelledOut(a, lets)), ids) == key(pl.hostExpr(spelledOut(b, lets)), ids)
	}
	for _, step := range pl.src.Steps {
		if step == hast.Step(s) {
			return what.Covers(s, same)
		}
		if block.Touches(step, m) {
			return false
		}
		if d, ok := step.(*hast.DefineHost); ok && d.Var.Class != hast.HostMutable {
			lets[d.Var] = d.Value
		}
	}
	return false // it is in a loop or under a condition
}

// spelledOut is a value of the host with the values of lets in their places, as extents of images have them.
func spelledOut(e hast.Expr, lets map[*hast.Var]hast.Expr) hast.Expr {
	return hast.Map(e, func(x hast.Expr) hast.Expr {
		if r, ok := x.(*hast.Ref); ok && lets[r.Var] != nil {
			return spelledOut(lets[r.Var], lets)
		}
		return nil
	})
}
