package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/schedule"
)

// Persistent groups: so many groups as a launch has take the tiles of a space in a grid-stride loop, each those whose numbers are its own and every so-manieth from there.
// In a tile an item computes its block as by a launch of a group for each tile: windows by vectors, what is fused with the stage row by row, bytes two or four at a time. What an item
// accumulates it keeps from tile to tile, and its group joins it once, behind the last one. There are two kinds of accumulators: copies in local memory of images that the stage updates
// (private.go), and variables for reductions of what it computes (hast.Stage.Reduced, reduced.go).
//
// Blocks at the ends of lines, which a launch of tiles has a kernel of its own for, are taken in the same one: a second launch would have accumulators of its own.

// tiles are those that a persistent group goes through.
type tiles struct {
	number *kir.Var    // of the one at hand
	at     [3]kir.Expr // its place among all of them, by dimension of the space
	lane   [2]kir.Expr // of the work-item in its group, in x and y
	all    kir.Expr    // how many there are, a host value
}

// isPersistent reports whether groups that compute a stage as decided are persistent.
func isPersistent(s *hast.Stage, d schedule.Decisions) bool {
	return s.Reduced != nil || d.Persistent()
}

// hasOtherForm reports whether work-items are to do something else than to compute blocks of tiles by themselves.
func hasOtherForm(d schedule.Decisions) bool {
	return d.Local != 0 || d.Matrix != 0 || d.Reduce > 0 || d.Rows > 0 || d.Lanes > 0 || d.Lines() || d.Steps > 0 || d.Trapezoid[0] > 0 || d.Ahead > 0 || d.Fetch > 0 || d.Keep > 0
}

// refusePersistent says why the groups of a stage cannot be persistent.
func (r *request) refusePersistent() string {
	s, d, full := r.stage, r.d, r.full
	size := full.Tile[0] * max(1, full.Tile[1]) / (full.Item[0] * max(1, full.Item[1]))
	ways := d.Stream > 0 || d.Rolled > 0 || d.Small > 0 || d.Layers != 0
	switch {
	case hasOtherForm(d) || ways || s.Reduced != nil && d.Copies[0] > 0:
		return "its groups go through tiles, whose work-items compute blocks by themselves"
	case d.Flat != 0:
		return "flat makes one line of the space, which has no tiles"
	case s.Reduced != nil && size&(size-1) != 0:
		return fmt.Sprintf("what it computes is reduced, and %d work-items are no power of two", size)
	case s.Reduced != nil:
		return ""
	case size != d.Copies[1]:
		return fmt.Sprintf("the groups that copies says have %d work-items, and its tile takes %d", d.Copies[1], size)
	case len(s.Fused) == 0 && !d.Blocks():
		return "groups go through tiles for work-items of several instances; without tile they take single ones in turn"
	}
	return refusePrivate(s, d, r.local, r.mode)
}

// persistent lowers a stage whose groups are: a kernel for images whose lines start where vectors may, and one for all others. Where nothing has to come between, the last group goes on
// with the stage behind in either.
func (k *kernelBuilder) persistent(s *hast.Stage, goesOn bool) []kir.Step {
	pl := k.plan
	var behind *hast.Stage
	if goesOn {
		behind = pl.lastBehind()
	}
	pl.inCommon = map[string]*hast.Image{}
	defer func() { pl.whole, pl.inCommon = nil, nil }()
	launched := func(k *kernelBuilder) []kir.Step {
		return pl.inside(func() {
			pl.emit(k.finish(s.Name, k.accumulating(s)))
			if pl.noteWhole(k, s); behind != nil {
				pl.stage(behind)
			}
		})
	}
	k.evenOnly = true
	even := launched(k)
	if c, known := constInt(k.even); k.even == nil || known && c != 0 {
		return even
	}
	return []kir.Step{&kir.IfHost{Cond: k.even, Then: even, Else: launched(k.anywhere(s))}}
}

// accumulating lowers what the groups do.
func (k *kernelBuilder) accumulating(s *hast.Stage) shape {
	if s.Reduced != nil {
		return k.reduced(s)
	}
	return k.privately(s, func(s *hast.Stage, item, share *kir.Var, _, groups int) {
		k.throughTiles(s, ref(item), ref(share), int64(groups))
	})
}

// inTile lowers one tile of a group, of that number.
func (k *kernelBuilder) inTile(s *hast.Stage, item, group kir.Expr) {
	next := opExpr(i32T, ops.Add, []kir.Expr{group, i32(1)}, true)
	k.throughTilesTo(s, item, group, func() kir.Expr { return next }, 1)
}

// throughTiles lowers the loop of a group over its tiles, given the number of the item in it, and its own among so many groups.
func (k *kernelBuilder) throughTiles(s *hast.Stage, item, group kir.Expr, groups int64) {
	k.throughTilesTo(s, item, group, func() kir.Expr { return k.scalarOrConst("tiles", k.tiles.all, interval.Between(0, hast.MaxExtent)) }, groups)
}

// throughTilesTo is throughTiles up to a number, which is asked for when tiles are known.
func (k *kernelBuilder) throughTilesTo(s *hast.Stage, item, group kir.Expr, end func() kir.Expr, groups int64) {
	b, row := k.body, i32(int64(k.group(len(s.Space.Vars))[0]))
	t := &tiles{number: b.loopVar("tile", interval.Between(0, hast.MaxExtent-1))}
	t.lane = [2]kir.Expr{b.once("lane_x", b.op(i32T, ops.Rem, item, row)), b.once("lane_y", b.op(i32T, ops.Div, item, row))}
	k.tiles = t
	body := b.inside(false, func() {
		if len(s.Fused) > 0 {
			k.fusedBlock(s)
		} else {
			block, _ := k.newStrip(s, k.inStrips(s), false)
			block.byPlace(block.placing())
		}
	})
	b.emit(&kir.For{Placed: b.placed(), Var: t.number, Lo: group, Hi: end(), Step: groups, Rounds: kir.Looped, Body: body, Exact: true})
	k.blocks, k.tiles = nil, nil
}

// tile declares where the tile at hand of a persistent group lies.
func (k *kernelBuilder) tile(s *hast.Stage) {
	t, n := k.tiles, len(s.Space.Vars)
	if t == nil {
		return
	}
	b := k.body
	counts := [3]kir.Expr{i64(1), i64(1), i64(1)}
	for i, r := range s.Space.Ranges {
		if dim := min(n-1-i, 2); dim == 2 {
			counts[2] = mul(counts[2], atLeast0(k.count(r)))
		} else {
			counts[dim] = k.tilesAlong(r, dim)
			if k.cells != nil {
				counts[dim] = k.cells.along(k, dim)
			}
		}
	}
	t.all = mul(mul(counts[0], counts[1]), counts[2])
	rest := kir.Expr(ref(t.number))
	for dim, axis := range []string{"x", "y"} {
		if dim >= n-1 {
			t.at[dim], rest = rest, i32(0)
			continue
		}
		along := k.scalarOrConst("tiles_"+axis, opExpr(i64T, ops.Max, []kir.Expr{counts[dim], i64(1)}, true), interval.Between(1, hast.MaxExtent))
		t.at[dim] = b.once("tile_"+axis, b.op(i32T, ops.Rem, rest, along))
		rest = b.once("rest", b.op(i32T, ops.Div, rest, along))
	}
	t.at[2] = rest
}

// tilesAlong is how many tiles there are along x or, as dimension 1, y, a host value. Blocks begin where those of a strip do.
func (k *kernelBuilder) tilesAlong(r hast.Range, dim int) kir.Expr {
	per := int64(k.blocks.item[dim])
	base, _ := k.blocks.base(dim, r)
	tile := per * int64(k.group(len(k.blocks.stage.Space.Vars))[dim])
	return atLeast0(div(add(sub(k.plan.hostExpr(r.Hi), base), i64(tile-1)), i64(tile)))
}

// itemID is the number of the work-item in a dimension of the space, of groups of a shape.
func (t *tiles) itemID(dim int, group [3]int) kir.Expr {
	if dim == 2 || group[dim] == 1 {
		return t.at[dim]
	}
	first := opExpr(i32T, ops.Mul, []kir.Expr{t.at[dim], i32(int64(group[dim]))}, true)
	return opExpr(i32T, ops.Add, []kir.Expr{first, t.lane[dim]}, true)
}

// localID is the number of the work-item in its group, in x or y.
func (k *kernelBuilder) localID(dim int) kir.Expr {
	if k.tiles != nil {
		return k.tiles.lane[dim]
	}
	return &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: dim}
}

// leave ends what a work-item does, of its tile where there are some.
func (k *kernelBuilder) leave() kir.Stmt {
	if k.tiles != nil {
		return &kir.Continue{Placed: k.body.placed()}
	}
	return &kir.Return{Placed: k.body.placed()}
}

// perGroup bounds how many instances one of so many groups takes that update copies, a host value.
func (k *kernelBuilder) perGroup(s *hast.Stage, groups int64) kir.Expr {
	d := k.decided
	if d.Persistent() {
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
