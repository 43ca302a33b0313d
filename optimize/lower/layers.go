package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
)

// layers are the groups of a tile, one for each place along the axes but x and y, where they come one after the other: they are counted in x, faster than
// the tiles. What all of them read is then read from memory once, and by the others from the last cache.
type layers struct {
	count        kir.Expr // of the groups of a tile, a host value
	column, item kir.Expr // the number of the group, and of the work-item, in x
	number       kir.Expr // of the layer
	size         int      // work-items of a group in x
}

// layer declares the place of the work-item among the layers of its tile, where that is decided.
func (k *kernelBuilder) layer(s *hast.Stage) {
	if k.decided.Layers == 0 {
		return
	}
	b, n := k.body, len(s.Space.Vars)
	l := &layers{count: i64(1), size: k.group(n)[0]}
	for _, r := range s.Space.Ranges[:n-2] {
		l.count = mul(l.count, k.count(r))
	}
	count := k.scalarOrConst("layers", l.count, interval.Between(1, hast.MaxExtent))
	group := &kir.GroupID{Typed: kir.Typed{T: i32T}}
	l.number = b.once("layer", b.op(i32T, ops.Rem, group, count))
	l.column = b.once("column", b.op(i32T, ops.Div, group, count))
	k.layers, l.item = l, l.column
	if l.size > 1 {
		first := opExpr(i32T, ops.Mul, []kir.Expr{l.column, i32(int64(l.size))}, true)
		l.item = opExpr(i32T, ops.Add, []kir.Expr{first, &kir.LocalID{Typed: kir.Typed{T: i32T}}}, true)
	}
}

// itemID is the number of the work-item in a dimension of the space: x is 0, and all but x and y are 2.
func (k *kernelBuilder) itemID(dim int) kir.Expr {
	switch {
	case k.tiles != nil:
		return k.tiles.itemID(dim, k.group(len(k.blocks.stage.Space.Vars)))
	case k.layers != nil && dim == 0:
		return k.layers.item
	case k.folds != nil && dim < 2:
		return k.folds.items[dim]
	case k.layers != nil && dim == 2:
		return k.layers.number
	}
	return &kir.GlobalID{Typed: kir.Typed{T: i32T}, Dim: dim}
}

// groupID is the number of the group in x or y.
func (k *kernelBuilder) groupID(dim int) kir.Expr {
	if k.layers != nil && dim == 0 {
		return k.layers.column
	}
	return &kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: dim}
}

// inLayers are the work-items of a launch, given those of each dimension of the space.
func (k *kernelBuilder) inLayers(items [3]kir.Expr) [3]kir.Expr {
	if k.layers == nil {
		return items
	}
	if k.blocks == nil || k.blocks.shared == nil { // all groups are whole where they share a tile
		size := int64(k.layers.size)
		items[0] = mul(div(add(items[0], i64(size-1)), i64(size)), i64(size))
	}
	return [3]kir.Expr{mul(items[0], k.layers.count), items[1], i64(1)}
}

// inLayers says why the groups of a tile cannot come one after the other.
func (r *request) inLayers() string {
	d := r.d
	switch {
	case d.Layers == 0:
		return ""
	case len(workVars(r.stage)) < 3:
		return "layers are the places along a third axis and others, and its work-items stand for fewer than three"
	case d.Flat != 0:
		return "flat makes one line of the space, which has no layers"
	case !d.Tiles():
		return "layers is for work-groups that compute tiles"
	}
	return ""
}
