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

// Updates that fall to cells of instances (block.Cells) are those of one group where its tile is made of whole cells: it counts in local memory, and updates each pixel of the image once, without
// atomic operations, since nobody else does. A group has some copies of its cells' pixels, which items share by atomic operations, or one of a cell's pixels for each item that
// computes instances of the cell. Then no item asks another one, and copies lie so that those of neighbouring items are in different banks, whatever pixels they update.

// A cellTile is the tile of a group that is made of cells.
type cellTile struct {
	*block.Cells
	size  [2]int      // instances of the tile along x and y
	cells [2]int      // of the tile
	items [2]int      // of a cell
	row   int         // items of a row of the tile
	own   bool        // items update copies of their own
	place [2]kir.Expr // of the tile among all of them
	first [2]kir.Expr // cells before it
	stage *hast.Stage
}

// cellTileOf is the tile of a stage's groups, as decided.
func cellTileOf(s *hast.Stage, c *block.Cells, d schedule.Decisions) *cellTile {
	t := &cellTile{Cells: c, stage: s, size: [2]int{d.Tile[0], max(1, d.Tile[1])}, row: d.Tile[0] / d.Item[0]}
	each := [2]int{d.Item[0], max(1, d.Item[1])}
	whole := true
	for dim := range t.size {
		t.cells[dim], t.items[dim] = t.size[dim]/c.Size[dim], c.Size[dim]/each[dim]
		whole = whole && c.Size[dim]%each[dim] == 0
	}
	t.own = whole && t.items[0]*t.items[1] == d.Cells
	return t
}

// all is how many cells the tile has.
func (t *cellTile) all() int { return t.cells[0] * t.cells[1] }

const onlyCells = "cells is for tiles that are made of whole cells, whose work-items compute blocks by themselves"

// refuseCells says why the groups of a stage cannot count in cells, as decided.
func (r *request) refuseCells() string {
	s, d, full := r.stage, r.d, r.full
	ways := d.Stream > 0 || d.Rolled > 0 || d.Small > 0 || d.Layers != 0 || d.Flat != 0 || d.Copies[0] > 0 || d.Last != 0
	if hasOtherForm(d) || ways || s.Reduced != nil || d.Tile[0] == 0 || len(s.Fused) == 0 && !d.Blocks() {
		return onlyCells
	}
	cells, why := block.CellsOf(s)
	if why != "" {
		return why
	}
	size := full.Tile[0] * max(1, full.Tile[1]) / (full.Item[0] * max(1, full.Item[1]))
	t := cellTileOf(s, cells, full)
	switch {
	case size > maxGroup:
		return fmt.Sprintf("its tile takes %d work-items, and a group has at most %d", size, maxGroup)
	case t.size[0]%cells.Size[0]+t.size[1]%cells.Size[1] > 0:
		return fmt.Sprintf("its tile of %d x %d is not made of cells of %d x %d", t.size[0], t.size[1], cells.Size[0], cells.Size[1])
	case d.Cells > size:
		return fmt.Sprintf("a group of %d work-items has no use for %d copies", size, d.Cells)
	}
	return t.refuse(s, d.Cells, size, r.mode, max(r.local, privateLimit))
}

// refuse says why so many copies of a tile's cells cannot be had by groups of so many items.
func (t *cellTile) refuse(s *hast.Stage, copies, size int, mode kir.Mode, most int) string {
	images, why := t.images(s)
	if why != "" {
		return why
	}
	shares := copies // of which floats need one for each item
	if t.own {
		shares = size
	}
	if why := refuseFloats(s, shares, size, mode); why != "" {
		return why
	}
	bytes := 0
	for _, p := range images {
		each := p.cells * t.all() * 4
		if bytes += each * copies; t.own {
			bytes += each
		}
		if p.most > 0 && int64(t.size[0]*t.size[1]) > maxInt32/p.most {
			return "what the instances of a tile add to pixels of 64 bits may take more than 32"
		}
	}
	if bytes > most {
		return fmt.Sprintf("its cells take %d bytes of local memory, and %d is the most", bytes, most)
	}
	return ""
}

const maxInt32 = 1<<31 - 1

// images are those that the cells' instances update, and why one of them cannot be updated in copies.
func (t *cellTile) images(s *hast.Stage) (list []*private, why string) {
	for _, im := range t.Images {
		p := &private{image: im.Image, tile: t}
		hast.EachStore(s.Body, func(st *hast.Store) {
			if st.Image != im.Image || !block.Meets(s, st) {
				return
			}
			if by := updateOps(st); p.ops == nil {
				p.ops = by
			} else if fmt.Sprint(by) != fmt.Sprint(p.ops) {
				why = "it updates an image by different operators"
			}
		})
		if refused := p.refuseUpdates(s); refused != "" {
			why = refused
		}
		p.cells = im.Bins * len(p.ops)
		list = append(list, p)
	}
	return list, why
}

// inCells lowers a stage whose groups count in cells: a kernel for images whose lines start where vectors may, and one for all others.
func (k *kernelBuilder) inCells(s *hast.Stage) []kir.Step {
	k.evenOnly = true
	even := k.finish(s.Name, k.cellwise(s))
	if c, known := constInt(k.even); k.even == nil || known && c != 0 {
		return []kir.Step{even}
	}
	other := k.anywhere(s)
	return []kir.Step{&kir.IfHost{Cond: k.even, Then: []kir.Step{even}, Else: []kir.Step{other.finish(s.Name, other.cellwise(s))}}}
}

// cellwise lowers what a group does.
func (k *kernelBuilder) cellwise(s *hast.Stage) shape {
	cells, _ := block.CellsOf(s)
	b, size := k.body, k.decided.GroupItems()
	t := cellTileOf(s, cells, k.decided)
	k.cells, k.private = t, map[*hast.Image]*private{}
	item := b.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	group := b.declare("group", i32T, false, &kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[item], b.bounds[group] = interval.Between(0, int64(size)-1), interval.Between(0, hast.MaxExtent-1)
	groups := t.start(k, ref(group))
	if k.copyOf = ref(item); !t.own {
		k.copyOf = b.once("copy", b.op(i32T, ops.Rem, ref(item), i32(int64(k.decided.Cells))))
	}
	var decls []kir.Stmt
	images, _ := t.images(s)
	for _, p := range images {
		if p.copies, p.own = k.decided.Cells, t.own || size == 1; t.own {
			p.copies = size
		} else {
			p.cells *= t.all()
		}
		p.local = &kir.Var{Name: p.image.Name + "_cells", Type: types.Scalar(copyKind(p.image)).Array(p.cells * p.copies), Space: kir.Local}
		k.private[p.image], p.fill = p, k.fillOf(p.image)
		decls = append(decls, &kir.Decl{Var: p.local})
		b.startCopies(p, item, size)
	}
	b.together(size)
	k.inTile(s, ref(item), ref(group))
	b.together(size)
	for _, p := range images {
		decls = append(decls, t.joinItems(b, p, item, size)...)
	}
	for _, p := range images {
		t.store(b, p, item, size)
	}
	return shape{items: [3]kir.Expr{mul(groups, i64(int64(size))), i64(1), i64(1)}, group: [3]int{size, 1, 1}, shared: decls}
}

// start declares where the tile of a group lies, and is how many groups there are, a host value.
func (t *cellTile) start(k *kernelBuilder, group kir.Expr) (groups kir.Expr) {
	b := k.body
	groups = i64(1)
	for dim := range len(t.stage.Space.Vars) {
		groups = mul(groups, t.along(k, dim))
	}
	across := k.scalarOrConst("tiles_x", opExpr(i64T, ops.Max, []kir.Expr{t.along(k, 0), i64(1)}, true), interval.Between(1, hast.MaxExtent))
	t.place = [2]kir.Expr{b.once("tile_x", b.op(i32T, ops.Rem, group, across)), b.once("tile_y", b.op(i32T, ops.Div, group, across))}
	for dim, name := range []string{"cell_x", "cell_y"} {
		v := b.declare(name, i32T, false, opExpr(i32T, ops.Mul, []kir.Expr{t.place[dim], i32(int64(t.cells[dim]))}, true))
		b.bounds[v] = interval.Between(0, hast.MaxExtent-1)
		t.first[dim] = ref(v)
	}
	return groups
}

// along is how many tiles there are along x or y, a host value.
func (t *cellTile) along(k *kernelBuilder, dim int) kir.Expr {
	vars := len(t.stage.Space.Vars)
	tile, cells := int64(t.size[dim]), int64(t.cells[dim])
	n := atLeast0(div(add(k.count(t.stage.Space.Ranges[vars-1-dim]), i64(tile-1)), i64(tile)))
	if len(k.fills) == 0 {
		return n
	}
	for _, im := range t.Images { // which may have pixels that no instance updates
		for axis, of := range im.Along {
			if of == dim {
				extent := k.plan.hostExpr(im.Image.Extent[axis])
				n = opExpr(i64T, ops.Max, []kir.Expr{n, div(add(extent, i64(cells-1)), i64(cells))}, true)
			}
		}
	}
	return n
}

// axes are those of an image's pixels in a tile: how many there are along each.
func (t *cellTile) axes(p *private) (along, extent []int) {
	for _, im := range t.Images {
		if im.Image == p.image {
			along = im.Along
		}
	}
	for axis, dim := range along {
		n, _ := hast.Number(p.image.Extent[axis])
		if dim >= 0 {
			n = int64(t.cells[dim])
		}
		extent = append(extent, int(n))
	}
	return along, extent
}

// number is that of a pixel in a copy: of those of the tile's cells, or of one cell's where each item has its own.
func (t *cellTile) number(b *body, p *private, coords []kir.Expr) kir.Expr {
	along, _ := t.axes(p)
	local := make([]kir.Expr, len(coords))
	for axis, dim := range along {
		if local[axis] = coords[axis]; dim >= 0 {
			local[axis] = b.op(i32T, ops.Sub, coords[axis], t.first[dim])
		}
	}
	if t.own {
		return t.bin(b, p, local)
	}
	return t.inTile(b, p, local)
}

// inTile is the number of a pixel among those of the tile's cells, by its place in the tile.
func (t *cellTile) inTile(b *body, p *private, local []kir.Expr) kir.Expr {
	return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, t.cell(b, p, local), i32(int64(t.bins(p)))), t.bin(b, p, local))
}

// bins is how many pixels of an image a cell has.
func (t *cellTile) bins(p *private) (n int) {
	n = 1
	along, extent := t.axes(p)
	for axis, dim := range along {
		if dim < 0 {
			n *= extent[axis]
		}
	}
	return n
}

// bin is the number of a pixel in its cell, by its place in the tile.
func (t *cellTile) bin(b *body, p *private, local []kir.Expr) (number kir.Expr) {
	number = i32(0)
	along, extent := t.axes(p)
	for axis, dim := range along {
		if dim < 0 {
			number = b.op(i32T, ops.Add, b.op(i32T, ops.Mul, number, i32(int64(extent[axis]))), local[axis])
		}
	}
	return number
}

// cell is the number of a pixel's cell in the tile.
func (t *cellTile) cell(b *body, p *private, local []kir.Expr) kir.Expr {
	var at [2]kir.Expr
	along, _ := t.axes(p)
	for axis, dim := range along {
		if dim >= 0 {
			at[dim] = local[axis]
		}
	}
	if at[1] == nil {
		return at[0]
	}
	return b.op(i32T, ops.Add, b.op(i32T, ops.Mul, at[1], i32(int64(t.cells[0]))), at[0])
}

// joinItems joins what the items of each cell have into totals, in the order in which neighbouring work-items take neighbouring cells: what they read lies in different banks then, which it
// does not in the order in which the image has its pixels. What it declares in local memory; nothing where items share copies.
func (t *cellTile) joinItems(b *body, p *private, item *kir.Var, size int) []kir.Stmt {
	if !t.own {
		return nil
	}
	kind := types.Scalar(p.local.Type.Kind)
	totals := &kir.Var{Name: p.image.Name + "_totals", Type: kind.Array(p.cells * t.all()), Space: kir.Local}
	for lane := range p.ops {
		b.every(item, t.bins(p)*t.all(), size, func(i kir.Expr) {
			i = b.once("i", i)
			cell := b.once("cell", b.op(i32T, ops.Rem, i, i32(int64(t.all()))))
			part := p.cell(b, b.op(i32T, ops.Div, i, i32(int64(t.all()))), lane)
			sum := t.joinCell(b, p, cell, part, lane)
			at := b.op(i32T, ops.Add, b.op(i32T, ops.Mul, cell, i32(int64(p.cells))), part)
			b.emit(&kir.Assign{Placed: b.placed(), Var: totals, Index: []kir.Expr{at}, Value: ref(sum)})
		})
	}
	b.together(size)
	p.local, p.copies = totals, 1
	p.cells *= t.all()
	return []kir.Stmt{&kir.Decl{Var: totals}}
}

// joinCell joins what the items of a cell have of a component of its pixels.
func (t *cellTile) joinCell(b *body, p *private, cell, part kir.Expr, lane int) *kir.Var {
	kind, op := types.Scalar(p.local.Type.Kind), mergers[p.ops[lane]].merge
	across := b.op(i32T, ops.Mul, b.op(i32T, ops.Rem, cell, i32(int64(t.cells[0]))), i32(int64(t.items[0])))
	down := b.op(i32T, ops.Mul, b.op(i32T, ops.Div, cell, i32(int64(t.cells[0]))), i32(int64(t.items[1])))
	first := b.once("first", b.op(i32T, ops.Add, b.op(i32T, ops.Mul, down, i32(int64(t.row))), across))
	sum := b.declare("joined", kind, true, b.startOf(p, i32(int64(lane))))
	c := b.loopVar("c", interval.Between(0, int64(t.items[0]*t.items[1])-1))
	loop := b.inside(false, func() {
		behind := b.op(i32T, ops.Mul, b.op(i32T, ops.Div, ref(c), i32(int64(t.items[0]))), i32(int64(t.row)))
		which := b.op(i32T, ops.Add, first, b.op(i32T, ops.Add, behind, b.op(i32T, ops.Rem, ref(c), i32(int64(t.items[0])))))
		found := b.elemOf(p.local, []kir.Expr{p.at(b, part, which)})
		b.emit(&kir.Assign{Placed: b.placed(), Var: sum, Value: b.op(kind, op, ref(sum), found)})
	})
	b.emit(&kir.For{Placed: b.placed(), Var: c, Lo: i32(0), Hi: i32(int64(t.items[0] * t.items[1])), Step: 1, Body: loop})
	return sum
}

// store updates the pixels of the group's cells, as far as the image has them, in the order in which they lie in it.
func (t *cellTile) store(b *body, p *private, item *kir.Var, size int) {
	along, extent := t.axes(p)
	buf := b.kernel.buffer(p.image, kir.Reads|kir.Writes)
	b.every(item, p.cells/len(p.ops), size, func(i kir.Expr) {
		local, coords := make([]kir.Expr, len(extent)), make([]kir.Expr, len(extent))
		var there kir.Expr
		rest := b.once("pixel", i)
		for axis := len(extent) - 1; axis >= 0; axis-- {
			local[axis] = rest
			if axis > 0 {
				local[axis] = b.once("i", b.op(i32T, ops.Rem, rest, i32(int64(extent[axis]))))
				rest = b.once("rest", b.op(i32T, ops.Div, rest, i32(int64(extent[axis]))))
			}
			if coords[axis] = local[axis]; along[axis] >= 0 {
				coords[axis] = b.once("i", b.op(i32T, ops.Add, t.first[along[axis]], local[axis]))
				there = b.and(there, b.op(boolType, ops.Lt, coords[axis], buf.extent[axis]))
			}
		}
		number := b.once("number", t.inTile(b, p, local))
		b.emit(&kir.If{Placed: b.placed(), Cond: orTrue(there), Then: b.inside(false, func() { b.updateFound(p, buf, item, number, coords) })})
	})
}

// updateFound updates a pixel by what copies have of it, if they have changed; where a fill would write it before, it is written in any case.
func (b *body) updateFound(p *private, buf *buffer, item *kir.Var, number kir.Expr, coords []kir.Expr) {
	var changed kir.Expr
	found := make([]*kir.Var, len(p.ops))
	for lane := range p.ops {
		found[lane] = b.joinCopies(p, item, p.cell(b, number, lane), lane)
		changed = b.or(changed, b.op(boolType, ops.Ne, ref(found[lane]), b.startOf(p, i32(int64(lane)))))
	}
	offset := b.once("at", b.offset(buf, coords))
	if p.fill == nil {
		b.emit(&kir.If{Placed: b.placed(), Cond: changed, Then: b.inside(false, func() {
			b.storePixel(buf, offset, b.joinPixel(p, b.once("was", b.loadPixel(buf, offset)), found))
		})})
		return
	}
	pixel := b.declare("filled", p.image.Elem, true, b.filling(p.fill, p.image, coords))
	b.emit(&kir.If{Placed: b.placed(), Cond: changed, Then: b.inside(false, func() {
		b.emit(&kir.Assign{Placed: b.placed(), Var: pixel, Value: b.joinPixel(p, ref(pixel), found)})
	})})
	b.storePixel(buf, offset, ref(pixel))
}

// joinPixel joins a pixel with what was found for its components.
func (b *body) joinPixel(p *private, pixel kir.Expr, found []*kir.Var) kir.Expr {
	parts := make([]kir.Expr, len(p.ops))
	for lane, op := range p.ops {
		parts[lane] = b.joinFound(p, op, b.lane(pixel, lane), ref(found[lane]))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: p.image.Elem}, Parts: parts}
}

// joinFound joins a component with what was found for it, in the kind in which groups join what they have.
func (b *body) joinFound(p *private, op ops.Op, was, found kir.Expr) kir.Expr {
	wide := types.Scalar(p.joined())
	return b.convert(p.image.Elem.WithLanes(1), b.op(wide, mergers[op].merge, b.convert(wide, was, kir.Wrap), b.convert(wide, found, kir.Wrap)), kir.Wrap)
}
