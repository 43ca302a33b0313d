package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Groups that update copies of an image join what they have in memory: in the image itself, which a launch before has to fill. With last they do so in bins
// that the library keeps, zeros between launches, and the last group of the launch writes the image: of each pixel what the fill would write, joined with what is in
// the bins, which it sets back to zeros. That saves the launch, and for components of fewer than 32 bits two more, since nothing is widened and narrowed.
//
// A bin holds the bits in which what was found differs from what its operator starts from. So it starts from zeros, whatever the operator is, and is joined
// by operators of whole numbers without sign (binOps).

// bins are those of an image.
type bins struct {
	kept  *hast.Image // u32 or u64
	first int         // bin in it
}

// binOps are what joins bins under the operators that join copies: where these start from the highest number or from all bits, greater ones and further bits
// of a bin stand for smaller numbers and bits that are missing.
var binOps = map[ops.Op]ops.Op{
	ops.Add: ops.Add, ops.Or: ops.Or, ops.Xor: ops.Xor, ops.Max: ops.Max, ops.Min: ops.Max, ops.And: ops.Or,
}

// besideCounter is how many components behind that of the counter the first bin is: in another line of a cache, since all groups count
// themselves and update bins at the same time.
const besideCounter = 32

// findFills notes which stages of a list of steps are fills that the last group of a later one does, or all of its groups.
func (pl *planner) findFills(list []hast.Step) {
	for i, step := range list {
		s, ok := step.(*hast.Stage)
		if !ok {
			continue
		}
		switch d := pl.decisions(s); {
		case d.Filled != 0:
			pl.fills[s], _ = block.FillsOfCells(pl.src.Steps, list[:i], s)
		case d.Last != 0 && d.Copies[0] > 0 && pl.opts.LastGroup != kir.NoOrder:
			pl.fills[s], _ = block.Fills(pl.src.Steps, list[:i], s)
		}
		for _, fill := range pl.fills[s] {
			pl.late[fill] = true
		}
	}
}

// fillOf is the stage that fills an image, which the kernel does instead; nil where there is none. Then nobody clears the image before.
func (k *kernelBuilder) fillOf(m *hast.Image) *hast.Stage {
	for _, fill := range k.fills {
		if fill.Body[0].(*hast.Store).Image == m {
			k.plan.images[m].Zero = false
			return fill
		}
	}
	return nil
}

// filling is what a fill has for the pixel at a place of an image.
func (b *body) filling(fill *hast.Stage, m *hast.Image, coords []kir.Expr) kir.Expr {
	for axis, v := range fill.Space.Vars {
		b.vars[v] = b.op(i32T, ops.Add, coords[axis], i32(m.First(axis)))
	}
	return b.expr(fill.Body[0].(*hast.Store).Value)
}

// inBins joins the copies of a group in bins, and has the last group write the images; what that declares in local memory.
func (k *kernelBuilder) inBins(s *hast.Stage, images []*private, item *kir.Var, size int) []kir.Stmt {
	b, counter := k.body, k.takeBins(s, images)
	b.merge(images, item, size)
	last, shared := k.lastGroup(s, counter)
	last.Body = b.inside(false, func() {
		for _, p := range images {
			b.every(item, p.cells/len(p.ops), size, func(pixel kir.Expr) { b.writeBinned(p, pixel) })
		}
	})
	b.emit(last)
	k.last = last
	return shared
}

// takeBins gives images their bins: those of 32 bits lie behind the counter of the groups, so that there is one image to be cleared where the library keeps none.
func (k *kernelBuilder) takeBins(s *hast.Stage, images []*private) (counter *hast.Image) {
	keep := func(name string, kind types.Kind, components int) *hast.Image {
		m := k.plan.kept(name, kind, components, s.At)
		k.shared[m] = true
		return m
	}
	components := besideCounter
	for _, p := range images {
		if p.bins = (&bins{first: components}); p.joined().Bits() > 32 {
			*p.bins = bins{kept: keep(identifier(p.image)+"_bins", types.U64, p.cells)}
		} else {
			components += p.cells
		}
		p.fill = k.fillOf(p.image)
	}
	counter = keep(s.Name+"_groups", types.U32, components)
	for _, p := range images {
		if p.kept == nil {
			p.kept = counter
		}
	}
	return counter
}

// bin is the buffer of an image's bins, and where in it that of a component is.
func (p *private) bin(b *body, cell kir.Expr) (bin *buffer, offset kir.Expr) {
	return b.kernel.buffer(p.kept, kir.Reads|kir.Writes), convert(b.op(i32T, ops.Add, cell, i32(int64(p.first))), types.I64)
}

// turned are the bits in which a number differs from what the operator of a component of pixels starts from; or the number that has these.
func (p *private) turned(b *body, lane int, x kir.Expr) kir.Expr {
	start := mergers[p.ops[lane]].start(p.joined())
	if start == 0 {
		return x
	}
	return b.op(x.Type(), ops.Xor, x, constant(x.Type(), []types.Word{start}, ""))
}

// updateBin joins what the group has of a component with its bin.
func (b *body) updateBin(p *private, cell kir.Expr, lane int, value kir.Expr) {
	bin, offset := p.bin(b, cell)
	bits := b.convert(bin.elem, p.turned(b, lane, value), kir.Wrap)
	b.emit(&kir.Atomic{Placed: b.placed(), Op: binOps[mergers[p.ops[lane]].merge], Buffer: bin.v, Offset: offset, Value: bits})
}

// writeBinned writes a pixel: what the fill has for it, joined with its bins, which become zeros.
func (b *body) writeBinned(p *private, pixel kir.Expr) {
	m, lanes := p.image, len(p.ops)
	coords := p.coords(b, pixel)
	joined := m.Elem.WithKind(p.joined())
	value := b.once("v", b.convert(joined, b.filling(p.fill, m, coords), kir.Wrap))
	parts := make([]kir.Expr, lanes)
	for lane, op := range p.ops {
		bin, offset := p.bin(b, p.cell(b, pixel, lane))
		offset = b.once("at", offset)
		bits := b.declare("found", bin.elem, false, b.loadPixel(bin, offset))
		b.storePixel(bin, offset, constant(bin.elem, []types.Word{0}, ""))
		found := p.turned(b, lane, b.convert(joined.WithLanes(1), ref(bits), kir.Wrap))
		parts[lane] = b.op(joined.WithLanes(1), mergers[op].merge, b.lane(value, lane), found)
	}
	if value = parts[0]; lanes > 1 {
		value = &kir.Vec{Typed: kir.Typed{T: joined}, Parts: parts}
	}
	out := b.kernel.buffer(m, kir.Writes)
	b.storePixel(out, b.offset(out, coords), b.convert(m.Elem, value, kir.Wrap))
}
