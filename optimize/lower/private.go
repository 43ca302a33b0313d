package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Updates that many items make to few pixels, as of a histogram, are made in copies of the image in local memory first. A fixed
// number of work-groups goes through the instances; neighbouring items use different copies, whose pixels lie side by side, so
// that they seldom meet; at the end each group joins its copies and updates the image once for each pixel.
//
// This is for operators on integers, whose order does not matter.

// A private is the copies of one image.
type private struct {
	image  *hast.Image
	op     ops.Op
	cells  int // components of the image
	copies int
	local  *kir.Var // cells x copies, all copies of a component next to each other
}

// privateLimit bounds the bytes of local memory for the copies of all images of a stage: what OpenCL guarantees.
const privateLimit = 32 << 10

// privateRefuses says why the updates of a stage cannot be made in copies, as the end of a sentence; "" where they can.
func privateRefuses(s *hast.Stage, copies int) string {
	if s.Scan != nil {
		return "it runs step by step"
	}
	images, why := privateImages(s)
	if why != "" {
		return why
	}
	bytes := 0
	for _, p := range images {
		bytes += p.cells * copies * 4
	}
	if bytes > privateLimit {
		return "its copies take more than 32 KB of local memory"
	}
	return ""
}

// privateImages are the images that a stage updates and whose copies are possible.
func privateImages(s *hast.Stage) ([]*private, string) {
	var out []*private
	why := "it updates no image"
	eachStore(s.Body, func(st *hast.Store) {
		if !st.Updates() || st.Alone {
			return
		}
		m := st.Image.Base()
		for _, p := range out {
			if p.image == m {
				if p.op != st.Op {
					why = "it updates an image by different operators"
				}
				return
			}
		}
		cells, fixed := constCells(m)
		switch {
		case st.Func != nil || st.Op == ops.Mul:
			why = "it updates pixels by something else than + - min max & | ^"
		case !st.Image.Elem.Kind.IsInt() || st.Image.Elem.Kind.Bits() > 32:
			why = "the pixels that it updates are no integers of 32 bits or less"
		case !fixed:
			why = "the extents of the image that it updates are no constants"
		case len(out) == 0:
			why = ""
			fallthrough
		default:
			out = append(out, &private{image: m, op: st.Op, cells: cells})
		}
	})
	for _, p := range out {
		if why == "" && loadsOf(s, p.image) {
			why = "it reads the image that it updates"
		}
	}
	return out, why
}

// constCells is the number of components of an image whose extents are constants.
func constCells(m *hast.Image) (int, bool) {
	n := int64(m.Elem.Lanes)
	for _, e := range m.Extent {
		v, ok := block.Constant(e)
		if !ok || v < 1 || v > privateLimit || n*v > privateLimit {
			return 0, false
		}
		n *= v
	}
	return int(n), true
}

// loadsOf reports whether a stage reads an image.
func loadsOf(s *hast.Stage, m *hast.Image) bool {
	found := false
	look := func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			found = found || e.Image.Base() == m
		case *hast.Window:
			found = found || e.Image.Base() == m
		}
	}
	if s.Where != nil {
		hast.Walk(s.Where, look)
	}
	hast.WalkBody(s.Body, nil, look)
	return found
}

// mergers say what an operator's copies start from and are joined by.
var mergers = map[ops.Op]struct {
	merge ops.Op
	start func(k types.Kind) types.Word
}{
	ops.Add: {ops.Add, zeroWord}, ops.Sub: {ops.Add, zeroWord}, ops.Or: {ops.Or, zeroWord}, ops.Xor: {ops.Xor, zeroWord},
	ops.Min: {ops.Min, types.Highest}, ops.Max: {ops.Max, types.Lowest},
	ops.And: {ops.And, func(k types.Kind) types.Word { return types.Convert(types.Int(-1), types.I64, k) }},
}

func zeroWord(types.Kind) types.Word { return 0 }

// privately lowers a stage whose updates go to copies: groups of size items, a number of groups in all.
func (k *kernelBuilder) privately(s *hast.Stage, copies, size, groups int) shape {
	var decls []kir.Stmt
	b := k.body
	images, _ := privateImages(s)
	k.private = map[*hast.Image]*private{}
	item := b.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[item] = interval{0, int64(size) - 1}
	k.copyOf = i32(0)
	if size > 1 { // one item alone takes its copies in turn
		k.copyOf = ref(b.declare("copy", i32T, false, b.op(i32T, ops.Rem, ref(item), i32(int64(copies)))))
	}
	for _, p := range images {
		kind := types.I32
		if p.image.Elem.Kind.IsUnsigned() {
			kind = types.U32
		}
		p.copies = copies
		p.local = &kir.Var{Name: p.image.Name + "_copies", Type: types.Scalar(kind).Array(p.cells * copies), Space: kir.Local}
		k.private[p.image] = p
		decls = append(decls, &kir.Decl{Var: p.local})
		start := constant(types.Scalar(kind), []types.Word{mergers[p.op].start(kind)}, "")
		b.every(item, p.cells*copies, size, func(i kir.Expr) {
			b.emit(&kir.Assign{Placed: b.placed(), Var: p.local, Index: []kir.Expr{i}, Value: start})
		})
	}
	b.together(size)
	k.turns(s, item, size, groups, func() { k.instance(s) })
	b.together(size)
	for _, p := range images {
		b.merge(p, item, size)
	}
	return shape{items: [3]kir.Expr{i64(int64(size * groups)), i64(1), i64(1)}, group: [3]int{size, 1, 1}, shared: decls}
}

// together makes the items of a group wait for each other; one alone has nobody to wait for.
func (b *body) together(size int) {
	if size > 1 {
		b.emit(&kir.Barrier{Placed: b.placed()})
	}
}

// every runs f for the numbers below n that are the item's: its own index and every size-th from there.
func (b *body) every(item *kir.Var, n, size int, f func(i kir.Expr)) {
	v := b.loopVar("i", interval{0, int64(n) - 1})
	body := b.inside(false, func() { f(ref(v)) })
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: ref(item), Hi: i32(int64(n)), Step: int64(size), Body: body, Exact: true})
}

// turns runs inner for the instances that fall to this item: groups take lines of the last variable in turn, their items the
// places in a line.
func (k *kernelBuilder) turns(s *hast.Stage, item *kir.Var, size, groups int, inner func()) {
	b := k.body
	last := len(s.Space.Vars) - 1
	counts := make([]kir.Expr, last+1)
	rows := kir.Expr(i64(1))
	for i, r := range s.Space.Ranges {
		count := k.count(r)
		counts[i] = k.scalar(s.Space.Vars[i].Name+"_count", i32T, count, interval{0, hast.MaxExtent})
		if i < last {
			rows = mul(rows, count)
		}
	}
	group := kir.Expr(&kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 0})
	place := func(lo kir.Expr, step int) {
		v := b.loopVar("place", interval{0, hast.MaxExtent - 1})
		body := b.inside(false, func() {
			k.iterator(s.Space.Vars[last], s.Space.Ranges[last], ref(v))
			inner()
		})
		b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: lo, Hi: counts[last], Step: int64(step), Body: body, Exact: true})
	}
	if size == 1 && last > 0 {
		place = func(kir.Expr, int) { k.inTurn(s, counts[last], inner) }
	}
	if last == 0 {
		place(b.op(i32T, ops.Add, b.op(i32T, ops.Mul, group, i32(int64(size))), ref(item)), size*groups)
		return
	}
	line := b.loopVar("line", interval{0, hast.MaxExtent - 1})
	body := b.inside(false, func() {
		rest := kir.Expr(ref(line))
		for i := last - 1; i >= 0; i-- {
			index := rest
			if i > 0 {
				index = b.op(i32T, ops.Rem, rest, counts[i])
				rest = b.once("rest", b.op(i32T, ops.Div, rest, counts[i]))
			}
			k.iterator(s.Space.Vars[i], s.Space.Ranges[i], index)
		}
		place(ref(item), size)
	})
	all := k.scalar("lines", i32T, rows, interval{0, hast.MaxExtent})
	b.emit(&kir.For{Placed: b.placed(), Var: line, Lo: group, Hi: all, Step: int64(groups), Body: body, Exact: true})
}

// inTurn runs inner for a line of instances, neighbours with different copies.
func (k *kernelBuilder) inTurn(s *hast.Stage, count kir.Expr, inner func()) {
	b := k.body
	last, copies := len(s.Space.Vars)-1, int64(k.decided.Copies[0])
	one := func(at kir.Expr, which int64) {
		k.iterator(s.Space.Vars[last], s.Space.Ranges[last], at)
		k.copyOf = i32(which)
		inner()
	}
	whole := b.once("whole", b.op(i32T, ops.Mul, b.op(i32T, ops.Div, count, i32(copies)), i32(copies)))
	v := b.loopVar("place", interval{0, hast.MaxExtent - 1})
	round := b.inside(false, func() {
		for c := range copies {
			one(b.op(i32T, ops.Add, ref(v), i32(c)), c)
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: i32(0), Hi: whole, Step: copies, Body: round, Exact: true})
	if copies > 1 {
		rest := b.inside(false, func() { one(ref(v), 0) })
		b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: whole, Hi: count, Step: 1, Body: rest})
	}
}

// updatePrivate makes an update in the item's copy.
func (b *body) updatePrivate(p *private, s *hast.Store, coords []kir.Expr) {
	kind := p.local.Type.Kind
	value := b.once("v", b.convert(types.Scalar(kind).WithLanes(int(s.Image.Elem.Lanes)), b.expr(s.Value), kir.Wrap))
	var number kir.Expr = i32(0)
	for k, c := range coords {
		n, _ := block.Constant(p.image.Extent[k])
		number = b.op(i32T, ops.Add, b.op(i32T, ops.Mul, number, i32(n)), c)
	}
	lanes := int(s.Image.Elem.Lanes)
	for i := range lanes {
		cell := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, number, i32(int64(lanes))), i32(int64(i)))
		at := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, cell, i32(int64(p.copies))), b.kernel.copyOf)
		if b.kernel.decided.Copies[1] == 1 {
			at := []kir.Expr{ref(b.declare("cell", i32T, false, at))}
			sum := b.op(types.Scalar(kind), s.Op, b.elemOf(p.local, at), b.lane(value, i))
			b.emit(&kir.Assign{Placed: b.placed(), Var: p.local, Index: at, Value: sum})
			continue
		}
		b.emit(&kir.Atomic{Placed: b.placed(), Op: s.Op, Buffer: p.local, Offset: convert(at, types.I64), Value: b.lane(value, i)})
	}
}

// merge joins the copies of a group and updates the image.
func (b *body) merge(p *private, item *kir.Var, size int) {
	buf := b.kernel.buffer(p.image, kir.Reads|kir.Writes)
	kind := types.Scalar(p.local.Type.Kind)
	op := mergers[p.op].merge
	start := constant(kind, []types.Word{mergers[p.op].start(kind.Kind)}, "")
	b.every(item, p.cells, size, func(cell kir.Expr) {
		sum := b.declare("joined", kind, true, start)
		c := b.loopVar("c", interval{0, int64(p.copies) - 1})
		loop := b.inside(false, func() {
			// Each item starts with another copy, so that they use different banks.
			which := b.op(i32T, ops.Rem, b.op(i32T, ops.Add, ref(c), ref(item)), i32(int64(p.copies)))
			at := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, cell, i32(int64(p.copies))), which)
			b.emit(&kir.Assign{Placed: b.placed(), Var: sum, Value: b.op(kind, op, ref(sum), b.elemOf(p.local, []kir.Expr{at}))})
		})
		b.emit(&kir.For{Placed: b.placed(), Var: c, Lo: i32(0), Hi: i32(int64(p.copies)), Step: 1, Body: loop})
		changed := b.op(boolType, ops.Ne, ref(sum), start)
		b.emit(&kir.If{Placed: b.placed(), Cond: changed, Then: b.inside(false, func() {
			offset := b.cellOffset(p, buf, cell)
			b.emit(&kir.Atomic{Placed: b.placed(), Op: op, Buffer: buf.v, Offset: offset, Value: ref(sum)})
		})})
	})
}

// cellOffset is the component offset of a cell of the image.
func (b *body) cellOffset(p *private, buf *buffer, cell kir.Expr) kir.Expr {
	lanes := int64(p.image.Elem.Lanes)
	lane := b.op(i32T, ops.Rem, cell, i32(lanes))
	rest := b.once("pixel", b.op(i32T, ops.Div, cell, i32(lanes)))
	coords := make([]kir.Expr, len(p.image.Extent))
	for k := len(coords) - 1; k >= 0; k-- {
		n, _ := block.Constant(p.image.Extent[k])
		coords[k] = rest
		if k > 0 {
			coords[k] = b.once("i", b.op(i32T, ops.Rem, rest, i32(n)))
			rest = b.once("rest", b.op(i32T, ops.Div, rest, i32(n)))
		}
	}
	offset := b.offset(buf, coords)
	if lanes == 1 {
		return offset
	}
	return add(offset, convert(lane, types.I64))
}
