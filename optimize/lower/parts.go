package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Copies of an image that is too large for the local memory of a group are of a part of its pixels: neighbouring groups go through the same instances, at about the same time, so that
// all but the first find them in a cache, and each makes the updates of its own part. Parts are runs of pixels, which a group joins with the image
// in lines.

// A part is what a group has of an image's pixels.
type part struct {
	pixels int
	first  *kir.Var // number of the first pixel in the image
}

const onlyParts = "parts is for groups that update copies"

// refuseParts says why the groups of a stage cannot have parts of what it updates, as decided; "" where they can, or have all.
func refuseParts(s *hast.Stage, d schedule.Decisions) (why string) {
	if d.Parts < 2 {
		return ""
	}
	if d.Copies[2]%d.Parts != 0 {
		return fmt.Sprintf("its %d groups are no multiple of the %d parts", d.Copies[2], d.Parts)
	}
	hast.EachStore(s.Body, func(st *hast.Store) {
		if !block.Meets(s, st) {
			why = "it writes other pixels beside those that it updates, which groups of each part would do"
		}
	})
	return why
}

// pixelsInPart is how many pixels of an image the largest of so many parts has.
func pixelsInPart(p *private, parts int) int {
	pixels := p.cells / len(p.ops)
	n := (pixels + parts - 1) / parts
	if parts > 1 && n >= longPart {
		n = (n + ofLine - 1) / ofLine * ofLine
	}
	return n
}

// Parts of longPart pixels and more begin with a line of a cache, if the image does, which has ofLine pixels of 32 bits: subgroups join them line by line.
const (
	longPart = 1 << 10
	ofLine   = 32
)

// componentsInPart is the number of their components.
func componentsInPart(p *private, parts int) int { return pixelsInPart(p, parts) * len(p.ops) }

// held is how many components of the image a group has.
func (p *private) held() int {
	if p.part == nil {
		return p.cells
	}
	return p.part.pixels * len(p.ops)
}

// whichPart is the number of the group among those of its part, and that of the part; which is nil where there is one.
func (k *kernelBuilder) whichPart(groups, parts int) (share *kir.Var, which kir.Expr) {
	b := k.body
	group := b.declare("group", i32T, false, &kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[group] = interval.Between(0, int64(groups)-1)
	if parts == 1 {
		return group, nil
	}
	share = b.declare("share", i32T, false, b.op(i32T, ops.Div, ref(group), i32(int64(parts))))
	part := b.declare("part", i32T, false, b.op(i32T, ops.Rem, ref(group), i32(int64(parts))))
	b.bounds[share], b.bounds[part] = interval.Between(0, int64(groups/parts)-1), interval.Between(0, int64(parts)-1)
	return share, ref(part)
}

// takePart notes that the group has so much of the image.
func (p *private) takePart(b *body, which kir.Expr, parts int) {
	if which == nil {
		return
	}
	n := pixelsInPart(p, parts)
	first := b.declare(p.image.Name+"_first", i32T, false, b.op(i32T, ops.Mul, which, i32(int64(n))))
	b.bounds[first] = interval.Between(0, int64(n*(parts-1)))
	p.part = &part{pixels: n, first: first}
}

// inPart does update for a pixel of the image, if the group has it, with its number there.
func (b *body) inPart(p *private, number kir.Expr, update func(number kir.Expr)) {
	if p.part == nil {
		update(number)
		return
	}
	from := b.once("from_first", b.op(i32T, ops.Sub, number, ref(p.part.first)))
	there := b.op(boolType, ops.Lt, b.convert(types.Scalar(types.U32), from, kir.Wrap), intConst(types.U32, int64(p.part.pixels)))
	b.emit(&kir.If{Placed: b.placed(), Cond: there, Then: b.inside(false, func() { update(from) })})
}

// inImage is the number of a pixel in the image, by its number in the group's part. The last part may go on behind the image, where copies never change.
func (p *private) inImage(b *body, pixel kir.Expr) kir.Expr {
	if p.part == nil {
		return pixel
	}
	return b.once("in_image", b.op(i32T, ops.Add, ref(p.part.first), pixel))
}

// manyRounds is how many pixels an item joins at least where groups begin at different ones.
const manyRounds = 8

// joinInTurn has each of so many groups that join the same pixels, where these are many, begin with others: all end at about the same time, and updates of one line of a cache wait for each other.
func (p *private) joinInTurn(b *body, share *kir.Var, size, shares int) {
	pixels := p.held() / len(p.ops)
	apart := pixels / shares / ofLine * ofLine
	if pixels < manyRounds*size || shares == 1 || apart == 0 {
		return
	}
	begin := b.declare(p.image.Name+"_begin", i32T, false, b.op(i32T, ops.Mul, ref(share), i32(int64(apart))))
	b.bounds[begin] = interval.Between(0, int64(apart*(shares-1)))
	p.begin = ref(begin)
}

// inTurn is the pixel of the group's part that it joins at a place of its order.
func (p *private) inTurn(b *body, place kir.Expr) kir.Expr {
	if p.begin == nil {
		return place
	}
	pixels := i32(int64(p.held() / len(p.ops)))
	behind := b.once("place", b.op(i32T, ops.Add, p.begin, place))
	around := b.op(i32T, ops.Sub, behind, pixels)
	return b.once("pixel", &kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Lt, behind, pixels), Then: behind, Else: around})
}
