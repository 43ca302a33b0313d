package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
)

// Groups that update copies of an image go through tiles in turn where their items compute instances in blocks: what neighbours read in common, rows of a window
// or what is fused with the stage, is loaded and computed once for a block, as by a launch of a group for each tile, and the copies are cleared and joined once for all tiles of a group.
// Blocks at the ends of lines, which a launch of tiles has a kernel of its own for, are taken in the same one: a second launch would have copies of its own.

// tiles are those that a group goes through in turn.
type tiles struct {
	number *kir.Var // of the one at hand
	local  [2]kir.Expr
	item   [3]kir.Expr // the number of the work-item in each dimension of the space
	all    kir.Expr    // a host value
}

// inTurn says why groups cannot go through tiles in turn to update copies.
func (r *request) inTurn() string {
	d, full := r.d, r.full
	items := full.Tile[0] * max(1, full.Tile[1]) / (full.Item[0] * max(1, full.Item[1]))
	switch {
	case items != d.Copies[1]:
		return fmt.Sprintf("the groups that copies says have %d work-items, and its tile takes %d", d.Copies[1], items)
	case len(r.stage.Fused) == 0 && !d.Blocks():
		return "groups go through tiles for work-items of several instances; without tile they take single ones in turn"
	case d.Flat != 0:
		return "flat makes one line of the space, which has no tiles"
	}
	return refusePrivate(r.stage, d, r.local, r.mode)
}

// tileByTile lowers a stage whose groups go through tiles in turn.
func (k *kernelBuilder) tileByTile(s *hast.Stage) []kir.Step {
	pl := k.plan
	pl.inCommon = map[string]*hast.Image{}
	defer func() { pl.inCommon = nil }()
	return k.byAlignment(s, func(k *kernelBuilder, s *hast.Stage) *kir.Launch {
		return k.finish(s.Name, k.privately(s, k.eachTile))
	})
}

// eachTile lowers the tiles that fall to one of so many groups.
func (k *kernelBuilder) eachTile(s *hast.Stage, item, share *kir.Var, _, groups int) {
	b, row := k.body, i32(int64(k.group(len(s.Space.Vars))[0]))
	k.tiles = &tiles{number: b.loopVar("tile", interval.Between(0, hast.MaxExtent-1))}
	k.tiles.local = [2]kir.Expr{b.once("column", b.op(i32T, ops.Rem, ref(item), row)), b.once("row", b.op(i32T, ops.Div, ref(item), row))}
	body := b.inside(false, func() {
		if len(s.Fused) > 0 {
			k.fusedBlock(s)
		} else {
			t, _ := k.newStrip(s, k.inStrips(s), false)
			t.byPlace(t.placing())
		}
	})
	count := k.scalar("tiles", i32T, k.tiles.all, interval.Between(0, hast.MaxExtent))
	b.emit(&kir.For{Placed: b.placed(), Var: k.tiles.number, Lo: ref(share), Hi: count, Step: int64(groups), Rounds: kir.Looped, Body: body, Exact: true})
}

// tile declares the place of the work-item in the tile at hand, where its group goes through some.
func (k *kernelBuilder) tile(s *hast.Stage) {
	t, n := k.tiles, len(s.Space.Vars)
	if t == nil {
		return
	}
	b, group := k.body, k.group(n)
	counts := [3]kir.Expr{i64(1), i64(1), i64(1)}
	for i, r := range s.Space.Ranges {
		if dim := min(n-1-i, 2); dim == 2 {
			counts[2] = mul(counts[2], atLeast0(k.count(r)))
		} else {
			counts[dim] = k.tilesAlong(r, dim)
		}
	}
	t.all = mul(mul(counts[0], counts[1]), counts[2])
	rest := kir.Expr(ref(t.number))
	for dim, name := range []string{"tile_x", "tile_y"} {
		at := rest
		if dim < n-1 {
			along := k.scalarOrConst(name+"_count", opExpr(i64T, ops.Max, []kir.Expr{counts[dim], i64(1)}, true), interval.Between(1, hast.MaxExtent))
			at = b.once(name, b.op(i32T, ops.Rem, rest, along))
			rest = b.once(name+"_rest", b.op(i32T, ops.Div, rest, along))
		} else {
			rest = i32(0)
		}
		item := b.declare(name+"_item", i32T, false, opExpr(i32T, ops.Add, []kir.Expr{opExpr(i32T, ops.Mul, []kir.Expr{at, i32(int64(group[dim]))}, true), t.local[dim]}, true))
		b.bounds[item] = interval.Between(0, hast.MaxExtent)
		t.item[dim] = ref(item)
	}
	t.item[2] = rest
}

// tilesAlong is how many tiles there are along x or, as dimension 1, y, a host value. Blocks begin where those of a strip do.
func (k *kernelBuilder) tilesAlong(r hast.Range, dim int) kir.Expr {
	per := int64(k.blocks.item[dim])
	base, _ := k.blocks.base(dim, r)
	tile := per * int64(k.group(len(k.blocks.stage.Space.Vars))[dim])
	return atLeast0(div(add(sub(k.plan.hostExpr(r.Hi), base), i64(tile-1)), i64(tile)))
}

// localID is the number of the work-item in its group, in x or y.
func (k *kernelBuilder) localID(dim int) kir.Expr {
	if k.tiles != nil {
		return k.tiles.local[dim]
	}
	return &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: dim}
}

// leave ends what a work-item does of its tile.
func (k *kernelBuilder) leave() kir.Stmt {
	if k.tiles != nil {
		return &kir.Continue{Placed: k.body.placed()}
	}
	return &kir.Return{Placed: k.body.placed()}
}

// perGroup bounds how many instances one of so many groups takes, a host value.
func (k *kernelBuilder) perGroup(s *hast.Stage, groups int64) kir.Expr {
	d := k.decided
	if d.InTurn() {
		n := len(s.Space.Vars)
		tile := kir.Expr(i64(int64(d.Tile[0] * max(1, d.Tile[1]))))
		all := i64(1)
		for i, r := range s.Space.Ranges {
			per := []int64{int64(d.Tile[0]), int64(max(1, d.Tile[1])), 1}[min(n-1-i, 2)]
			all = mul(all, add(div(add(atLeast0(k.count(r)), i64(per-1)), i64(per)), i64(1)))
		}
		return mul(tile, add(div(all, i64(groups)), i64(1)))
	}
	// A group takes whole lines in turn, or blocks of lines.
	block := int64(max(1, d.Item[0]) * d.Copies[1])
	count, lines := atLeast0(k.count(s.Space.Ranges[len(s.Space.Ranges)-1])), k.lines(s)
	all := mul(lines, add(count, i64(int64(max(1, d.Item[0])))))
	return add(div(all, i64(groups)), add(count, i64(block)))
}
