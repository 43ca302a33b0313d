package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Updates that many items make to few pixels, as of a histogram, are made in copies of the image in local memory first. A fixed
// number of work-groups goes through the instances; neighbouring items use different copies, whose pixels lie side by side, so
// that they seldom meet; at the end each group joins its copies and updates the image once for each pixel.
//
// Integers may be joined in any order. Updates of floats, too, may come in any order, but are rounded one by one: what copies hold are sums, which round otherwise, so that they are not
// for strict mode. Where items share a copy, adding a float to it is a loop that exchanges a word until nobody was faster: OpenCL 1.2 has nothing else, and nvcc makes such a loop of CUDA's atomicAdd
// in local memory (FADD and ATOMS of sm_90). So each item has a copy of its own then, which it changes without asking the others.

// A private is the copies of one image.
type private struct {
	image  *hast.Image
	ops    []ops.Op // by component of a pixel
	cells  int      // components of the image
	part   *part    // of its pixels that a group has; nil for all
	begin  kir.Expr // the pixel of these that the group joins first; nil for the first one
	copies int
	most   int64       // that an instance adds to a component of 64 bits, at most; 0 for fewer bits
	alone  bool        // one work-item has all copies
	own    bool        // nobody else updates what an item does
	local  *kir.Var    // components of the group's part x copies
	tile   *cellTile   // of cells that the group alone updates; nil where it has all pixels, or a part of them
	fill   *hast.Stage // of the image, which the kernel does instead; nil where there is none
	*bins              // nil where groups update the image
}

// at is the place of a component in one of the copies. All copies of a component lie next to each other, so that neighbouring items use
// different banks; where an item is alone, copies lie one behind the other, so that processors need no arithmetic for the place.
func (p *private) at(b *body, cell, which kir.Expr) kir.Expr {
	if p.alone {
		return b.op(i32T, ops.Add, cell, b.op(i32T, ops.Mul, which, i32(int64(p.held()))))
	}
	return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, cell, i32(int64(p.copies))), which)
}

// cellOf is the component whose copy lies at a place.
func (p *private) cellOf(b *body, at kir.Expr) kir.Expr {
	if p.alone {
		return at
	}
	return b.op(i32T, ops.Div, at, i32(int64(p.copies)))
}

// privateLimit bounds the bytes of local memory for the copies of all images of a stage, on devices that are not known to have more: it
// is what OpenCL guarantees.
const privateLimit = 32 << 10

// mostCells is the most components of an image of which there are copies: what all groups have of more lies in no cache, and is joined one by one.
const mostCells = 1 << 20

// privateRefuses says why the updates of a stage cannot be made in copies, as the end of a sentence; "" where they can.
func privateRefuses(s *hast.Stage, copies, parts, most int) string {
	if s.Scan != nil {
		return "it runs step by step"
	}
	images, why := privateImages(s)
	if why != "" {
		return why
	}
	bytes := 0
	for _, p := range images {
		bytes += componentsInPart(p, parts) * copies * 4
	}
	if bytes > most {
		return fmt.Sprintf("its copies take %d bytes of local memory, and %d is the most", bytes, most)
	}
	return ""
}

// privateImages are the images that a stage updates, and why copies of one of them are not possible, as the end of a sentence; "" where all are.
func privateImages(s *hast.Stage) (out []*private, why string) {
	hast.EachStore(s.Body, func(st *hast.Store) {
		m := st.Image.Base()
		if why != "" || !block.Meets(s, st) {
			return
		}
		for _, p := range out {
			if p.image == m {
				if !slices.Equal(p.ops, updateOps(st)) {
					why = "it updates an image by different operators"
				}
				return
			}
		}
		p := &private{image: m, ops: updateOps(st)}
		why = p.refuse(s)
		out = append(out, p)
	})
	if len(out) == 0 {
		why = "it updates no image"
	}
	return out, why
}

// refuse says why copies of an image are not possible.
func (p *private) refuse(s *hast.Stage) string {
	var fixed bool
	p.cells, fixed = constCells(p.image)
	if why := p.refuseUpdates(s); why != "" {
		return why
	}
	if !fixed {
		return fmt.Sprintf("the extents of the image that it updates are no constants, or it has more than %d components", mostCells)
	}
	return ""
}

// refuseUpdates says why what a stage does to an image cannot be done in copies.
func (p *private) refuseUpdates(s *hast.Stage) string {
	kind, small := p.image.Elem.Kind, true
	wide := kind.Bits() > 32
	if wide {
		p.most, small = largestTerm(s, p.image)
	}
	switch {
	case p.ops == nil || slices.Contains(p.ops, ops.Mul):
		return "it updates pixels by something else than + - min max & | ^"
	case !kind.IsInt() && kind != types.F32:
		return "the pixels that it updates are neither integers nor floats of 32 bits"
	case wide && slices.ContainsFunc(p.ops, func(op ops.Op) bool { return op != ops.Add && op != ops.Sub }):
		return "it updates pixels of 64 bits by something else than + and -"
	case !small:
		return "the pixels that it updates have 64 bits, and what it adds is not known to be small"
	case s.Loads(p.image):
		return "it reads the image that it updates"
	}
	return ""
}

// refuseFloats says why the updates of floats of a stage cannot be made in copies; "" where they can, or there are none.
func refuseFloats(s *hast.Stage, copies, size int, mode kir.Mode) (why string) {
	hast.EachStore(s.Body, func(st *hast.Store) {
		switch rounds := st.Op == ops.Add || st.Op == ops.Sub; {
		case !block.Meets(s, st) || !st.Image.Elem.Kind.IsFloat():
		case rounds && mode == kir.Strict:
			why = "it adds to floats, which strict mode rounds after each update"
		case size > 1 && copies != size:
			why = "it updates floats, of which each work-item needs a copy of its own"
		}
	})
	return why
}

// constCells is the number of components of an image whose extents are constants.
func constCells(m *hast.Image) (int, bool) {
	n := int64(m.Elem.Lanes)
	for _, e := range m.Extent {
		v, ok := hast.Number(e)
		if !ok || v < 1 || v > mostCells || n*v > mostCells {
			return 0, false
		}
		n *= v
	}
	return int(n), true
}

// mergers say what an operator's copies and totals start from, which its updates leave alone, and what joins them.
var mergers = map[ops.Op]struct {
	merge ops.Op
	start func(k types.Kind) types.Word
}{
	ops.Add: {ops.Add, zeroWord}, ops.Sub: {ops.Add, zeroWord}, ops.Or: {ops.Or, zeroWord}, ops.Xor: {ops.Xor, zeroWord},
	ops.Min: {ops.Min, types.Highest}, ops.Max: {ops.Max, types.Lowest},
	ops.And: {ops.And, func(k types.Kind) types.Word { return types.Convert(types.Int(-1), types.I64, k) }},
	ops.LOr: {ops.LOr, zeroWord}, ops.LAnd: {ops.LAnd, func(types.Kind) types.Word { return 1 }},
}

func zeroWord(types.Kind) types.Word { return 0 }

// privately lowers a stage whose updates go to copies: groups of size items, a number of groups in all, so many of which go through the same instances, each for
// its part of what is updated. through has the groups that share the instances do so, of which share is the number of this one.
func (k *kernelBuilder) privately(s *hast.Stage, through func(s *hast.Stage, item, share *kir.Var, size, groups int)) shape {
	var decls []kir.Stmt
	copies, size, groups, parts := k.decided.Copies[0], k.decided.Copies[1], k.decided.Copies[2], max(1, k.decided.Parts)
	b := k.body
	images, _ := privateImages(s)
	k.private = map[*hast.Image]*private{}
	item := b.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[item] = interval.Between(0, int64(size)-1)
	k.copyOf = i32(0)
	if size > 1 { // one item alone takes its copies in turn
		k.copyOf = ref(b.declare("copy", i32T, false, b.op(i32T, ops.Rem, ref(item), i32(int64(copies)))))
	}
	share, which := k.whichPart(groups, parts)
	for _, p := range images {
		p.copies, p.alone, p.own = copies, size == 1, size == 1 || copies == size
		p.takePart(b, which, parts)
		p.joinInTurn(b, share, size, groups/parts)
		p.local = &kir.Var{Name: p.image.Name + "_copies", Type: types.Scalar(copyKind(p.image)).Array(p.held() * copies), Space: kir.Local}
		k.private[p.image] = p
		decls = append(decls, &kir.Decl{Var: p.local})
		b.startCopies(p, item, size)
	}
	b.together(size)
	through(s, item, share, size, groups/parts)
	b.together(size)
	if len(k.fills) > 0 {
		decls = append(decls, k.inBins(s, images, item, size)...)
	} else {
		b.merge(images, item, size)
	}
	return shape{items: [3]kir.Expr{i64(int64(size * groups)), i64(1), i64(1)}, group: [3]int{size, 1, 1}, shared: decls}
}

// startCopies has the items of a group set what it has of an image to what updates leave alone.
func (b *body) startCopies(p *private, item *kir.Var, size int) {
	b.every(item, p.held()*p.copies, size, func(i kir.Expr) {
		lane := b.op(i32T, ops.Rem, p.cellOf(b, i), i32(int64(len(p.ops))))
		b.emit(&kir.Assign{Placed: b.placed(), Var: p.local, Index: []kir.Expr{i}, Value: b.startOf(p, lane)})
	})
}

// together makes the items of a group wait for each other; one alone has nobody to wait for.
func (b *body) together(size int) {
	if size > 1 {
		b.emit(&kir.Barrier{Placed: b.placed()})
	}
}

// every runs f for the numbers below n that are the item's: its own index and every size-th from there.
func (b *body) every(item *kir.Var, n, size int, f func(i kir.Expr)) {
	v := b.loopVar("i", interval.Between(0, int64(n)-1))
	body := b.inside(false, func() { f(ref(v)) })
	b.emit(&kir.For{Placed: b.placed(), Var: v, Lo: ref(item), Hi: i32(int64(n)), Step: int64(size), Body: body, Exact: true})
}

// updatePrivate makes an update in the item's copy.
func (b *body) updatePrivate(p *private, s *hast.Store, coords []kir.Expr) {
	kind := p.local.Type.Kind
	value := b.once("v", b.convert(types.Scalar(kind).WithLanes(int(s.Image.Elem.Lanes)), b.expr(s.Value), kir.Wrap))
	number := p.number(b, coords)
	b.inPart(p, number, func(number kir.Expr) { b.updateCopy(p, updateOps(s), number, value) })
}

// number is that of a pixel among those that the group has.
func (p *private) number(b *body, coords []kir.Expr) (number kir.Expr) {
	if p.tile != nil {
		return p.tile.number(b, p, coords)
	}
	number = i32(0)
	for k, c := range coords {
		n, _ := hast.Number(p.image.Extent[k])
		number = b.op(i32T, ops.Add, b.op(i32T, ops.Mul, number, i32(n)), c)
	}
	return number
}

// updateCopy makes an update of a pixel, by its number in the group's part, in the item's copy.
func (b *body) updateCopy(p *private, by []ops.Op, number, value kir.Expr) {
	kind, lanes := p.local.Type.Kind, len(p.ops)
	for i, op := range by {
		cell := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, number, i32(int64(lanes))), i32(int64(i)))
		at := p.at(b, cell, b.kernel.copyOf)
		if p.own {
			at := []kir.Expr{ref(b.declare("cell", i32T, false, at))}
			sum := b.op(types.Scalar(kind), op, b.elemOf(p.local, at), b.lane(value, i))
			b.emit(&kir.Assign{Placed: b.placed(), Var: p.local, Index: at, Value: sum})
			continue
		}
		b.emit(&kir.Atomic{Placed: b.placed(), Op: op, Buffer: p.local, Offset: convert(at, types.I64), Value: b.lane(value, i)})
	}
}

// startOf is what the copies of a component of a pixel start from: what its updates leave alone.
func (b *body) startOf(p *private, lane kir.Expr) kir.Expr {
	kind := types.Scalar(p.local.Type.Kind)
	value := func(op ops.Op) kir.Expr { return constant(kind, []types.Word{mergers[op].start(kind.Kind)}, "") }
	if c, ok := constInt(lane); ok {
		return value(p.ops[c])
	}
	start := value(p.ops[0])
	for i, op := range p.ops[1:] {
		if mergers[op].start(kind.Kind) == mergers[p.ops[0]].start(kind.Kind) {
			continue
		}
		here := b.op(boolType, ops.Eq, lane, i32(int64(i+1)))
		start = &kir.Select{Typed: kir.Typed{T: kind}, Cond: here, Then: value(op), Else: start}
	}
	return start
}

// merge joins the copies of a group and updates the images, or their bins.
func (b *body) merge(images []*private, item *kir.Var, size int) {
	for _, p := range images {
		b.every(item, p.held()/len(p.ops), size, func(pixel kir.Expr) {
			pixel = p.inTurn(b, pixel)
			inImage := p.inImage(b, pixel)
			for lane := range p.ops {
				b.mergeCell(p, item, p.cell(b, pixel, lane), p.cell(b, inImage, lane), lane)
			}
		})
	}
}

// cell is the number of a component of a pixel.
func (p *private) cell(b *body, pixel kir.Expr, lane int) kir.Expr {
	return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, pixel, i32(int64(len(p.ops)))), i32(int64(lane)))
}

// mergeCell joins the copies of one component, which has a number in the group's part and one in the image, and updates it, if they have changed.
func (b *body) mergeCell(p *private, item *kir.Var, cell, inImage kir.Expr, lane int) {
	op, start := mergers[p.ops[lane]].merge, b.startOf(p, i32(int64(lane)))
	sum := b.joinCopies(p, item, cell, lane)
	changed := b.op(boolType, ops.Ne, ref(sum), start)
	b.emit(&kir.If{Placed: b.placed(), Cond: changed, Then: b.inside(false, func() {
		value := b.convert(types.Scalar(p.joined()), ref(sum), kir.Wrap)
		if p.bins != nil {
			b.updateBin(p, inImage, lane, value)
			return
		}
		buf := b.kernel.buffer(p.image, kir.Reads|kir.Writes)
		b.emit(&kir.Atomic{Placed: b.placed(), Op: op, Buffer: buf.v, Offset: b.cellOffset(p, buf, inImage), Value: value})
	})})
}

// joinCopies joins the copies of one component.
func (b *body) joinCopies(p *private, item *kir.Var, cell kir.Expr, lane int) *kir.Var {
	kind, op := types.Scalar(p.local.Type.Kind), mergers[p.ops[lane]].merge
	sum := b.declare("joined", kind, true, b.startOf(p, i32(int64(lane))))
	c := b.loopVar("c", interval.Between(0, int64(p.copies)-1))
	loop := b.inside(false, func() {
		which := kir.Expr(ref(c))
		if !p.alone { // each item starts with another copy, so that they use different banks
			which = b.op(i32T, ops.Rem, b.op(i32T, ops.Add, which, ref(item)), i32(int64(p.copies)))
		}
		at := p.at(b, cell, which)
		b.emit(&kir.Assign{Placed: b.placed(), Var: sum, Value: b.op(kind, op, ref(sum), b.elemOf(p.local, []kir.Expr{at}))})
	})
	b.emit(&kir.For{Placed: b.placed(), Var: c, Lo: i32(0), Hi: i32(int64(p.copies)), Step: 1, Body: loop})
	return sum
}

// joined is the kind in which what groups have found is joined.
func (p *private) joined() types.Kind {
	if p.most > 0 {
		return p.image.Elem.Kind
	}
	return p.local.Type.Kind
}

// cellOffset is the component offset of a cell of the image.
func (b *body) cellOffset(p *private, buf *buffer, cell kir.Expr) kir.Expr {
	lanes := int64(p.image.Elem.Lanes)
	lane := b.op(i32T, ops.Rem, cell, i32(lanes))
	offset := b.offset(buf, p.coords(b, b.op(i32T, ops.Div, cell, i32(lanes))))
	if lanes == 1 {
		return offset
	}
	return add(offset, convert(lane, types.I64))
}

// coords are the positions of a pixel in the image.
func (p *private) coords(b *body, pixel kir.Expr) []kir.Expr {
	rest := b.once("pixel", pixel)
	coords := make([]kir.Expr, len(p.image.Extent))
	for k := len(coords) - 1; k >= 0; k-- {
		n, _ := hast.Number(p.image.Extent[k])
		coords[k] = rest
		if k > 0 {
			coords[k] = b.once("i", b.op(i32T, ops.Rem, rest, i32(n)))
			rest = b.once("rest", b.op(i32T, ops.Div, rest, i32(n)))
		}
	}
	return coords
}
