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

// Tiles by rows are how CPUs compute stages together. A work-item, which is a group by itself, computes a tile of the last stage, and of
// each stage that is fused with it, one after the other, what later ones need of it: the tile and a frame around it, as far as the image
// reaches. It keeps that in arrays of its own, which stay in the caches, and each stage is computed as by rows alone (rows): in wide values,
// with border rules at the ends of the image's own rows alone, since a tile has the pixels that a rule takes for those outside.
// Stages are computed twice in frames, so that tiles are large.
type rowTiles struct {
	*kernelBuilder
	group      *block.Group
	first, end [2]kir.Expr // the tile's instances of the last stage, in x and y: from first to below end
}

// mostTile is how many bytes the tiles of a work-item take at most: they lie on the stack of one of the host's threads.
const mostTile = 1 << 20

// refuseRowTiles says why a stage and those fused with it cannot be computed by tiles of rows, as the end of a sentence; "" where they can.
func (t *Trials) refuseRowTiles(s *hast.Stage, d schedule.Decisions, mode kir.Mode) string {
	others := d
	others.Rows, others.Lanes, others.Unroll, others.RowSums, others.Tile = 0, 0, 0, 0, [2]int{}
	g := t.tiledRows(s, d)
	switch {
	case others != (schedule.Decisions{}):
		return "rows of fused stages leave nothing to other decisions than tile, lanes, rowsums and unroll"
	case d.Lanes == 0 || d.Tile[0] < d.Lanes || d.Tile[1] < d.Rows:
		return "fused stages are computed by rows in tiles of at least so many lanes and rows"
	case !slices.Contains(kir.WideLanes, d.Lanes):
		return fmt.Sprintf("wide values have %v lanes, not %d", kir.WideLanes, d.Lanes)
	case d.Rows > maxBlock:
		return fmt.Sprintf("its work-items compute %d rows at once, and the code for more than %d is not written out", d.Rows, maxBlock)
	case g.Apart != "":
		return g.Apart
	case g.Last().Stage.Y == nil:
		return "it has one row"
	}
	for _, p := range g.Parts {
		if p.Y.Stride == 0 || p.X.Stride == 0 {
			return fmt.Sprintf("%s is the same for rows or columns of the tile", p.Of.Name)
		}
		if p.Far != "" {
			return p.Far
		}
		if slices.Contains(p.Stores, true) {
			return fmt.Sprintf("%s writes an image in memory, which tiles by rows do for the last stage alone", p.Of.Name)
		}
	}
	if m := g.Unsized(); m != nil {
		return fmt.Sprintf("nothing says how large %s is for %s", m.Name, s.Name)
	}
	if bytes := g.RowTileBytes(d.Tile); bytes > mostTile {
		return fmt.Sprintf("its tiles take %d bytes of a thread's stack, and %d is the most", bytes, mostTile)
	}
	return t.rowsOfParts(g, d, mode)
}

// rowsOfParts says which of the parts is not computed by rows.
func (t *Trials) rowsOfParts(g *block.Group, d schedule.Decisions, mode kir.Mode) string {
	own, separates := d, d.RowSums == 0
	own.Tile = [2]int{}
	for _, p := range g.Parts {
		own.RowSums = d.RowSums
		separates = separates || t.rows(p.Of, own, mode) == ""
		own.RowSums = 0
		if why := t.rows(p.Of, own, mode); why != "" {
			return why
		}
	}
	if !separates {
		return "no stage of them has a sum over a mask that is the product of a column and a row"
	}
	return ""
}

// inRowTiles lowers a stage with those that are fused with it.
func (k *kernelBuilder) inRowTiles(s *hast.Stage) *kir.Launch {
	t := &rowTiles{kernelBuilder: k, group: block.ByRows(s, k.decided.Unroll)}
	items := t.grid(s)
	var arrays []kir.Stmt
	for _, p := range t.group.Parts {
		for _, w := range p.Keeps {
			arrays = append(arrays, &kir.Decl{Var: t.hold(p, w)})
		}
		t.part(p)
		for _, w := range p.Keeps {
			k.byImage[w.Image].v.Access = kir.Reads // from now on
		}
	}
	return k.finish(s.Name, shape{items: items, group: [3]int{1, 1, 1}, shared: arrays})
}

// grid declares the tile's instances. Tiles are as many as there are at most so large, and all of a size, so that none is narrower than its
// vectors where others are full.
func (t *rowTiles) grid(s *hast.Stage) [3]kir.Expr {
	b, last := t.body, len(s.Space.Vars)-1
	items := [3]kir.Expr{nil, nil, t.outer(s, 2)}
	for dim, most := range t.decided.Tile {
		v, g := s.Space.Vars[last-dim], s.Space.Ranges[last-dim]
		count, n := t.count(g), i64(int64(most))
		items[dim] = div(add(count, i64(int64(most)-1)), n)
		each := div(sub(add(count, items[dim]), i64(1)), opExpr(i64T, ops.Max, []kir.Expr{items[dim], i64(1)}, true))
		size := t.scalar(v.Name+"_size", i32T, each, interval.Between(1, int64(most)))
		index := exactly(ops.Mul, &kir.GlobalID{Typed: kir.Typed{T: i32T}, Dim: dim}, size)
		first := b.declare(v.Name+"0", i32T, false, exactly(ops.Add, t.bound(v.Name+"_from", g.Lo), index))
		b.bounds[first] = t.spanOf(g)
		t.first[dim] = ref(first)
		t.end[dim] = b.once(v.Name+"_end", b.op(i32T, ops.Min, exactly(ops.Add, ref(first), size), t.bound(v.Name+"_to", g.Hi)))
	}
	return items
}

// hold makes the array of an image that a part keeps.
func (t *rowTiles) hold(p *block.Part, w *block.Window) *kir.Var {
	m := w.Image
	elem := t.plan.images[m].Elem
	rows, pitch := p.RowTile(w, t.decided.Tile)
	v := &kir.Var{Name: identifier(m) + "_tile", Type: types.Scalar(elem.Kind).Array(rows * pitch), Access: kir.Writes}
	buf := &buffer{image: t.plan.images[m], v: v, elem: m.Elem, memory: elem, lineAxis: t.plan.images[m].LineAxis, pitch: i64(int64(pitch))}
	for i, e := range m.Extent {
		buf.extent = append(buf.extent, t.extent(m, i, e))
	}
	buf.origin = &[2]kir.Expr{}
	for dim, s := range []block.Span{p.X, p.Y} {
		buf.origin[dim], _ = t.region(p, dim, s)
	}
	t.byImage[m] = buf
	return v
}

// region is the instances of a part on an axis that the tile takes: from first to below end.
func (t *rowTiles) region(p *block.Part, dim int, s block.Span) (first, end kir.Expr) {
	b := t.body
	if p.Keeps == nil {
		return t.first[dim], t.end[dim]
	}
	vars := p.Of.Space.Vars
	g, name := p.Of.Space.Ranges[len(vars)-1-dim], vars[len(vars)-1-dim].Name
	at := func(x kir.Expr, d int) kir.Expr {
		return exactly(ops.Add, exactly(ops.Mul, x, i32(int64(s.Stride))), i32(int64(d)))
	}
	first = b.once(name+"_first", b.op(i32T, ops.Max, at(t.first[dim], s.Lo), i32(0)))
	end = b.once(name+"_behind", b.op(i32T, ops.Min, at(exactly(ops.Sub, t.end[dim], i32(1)), s.Hi+1), t.bound(name+"_to", g.Hi)))
	return first, end
}

// part computes what the tile takes of a part, some rows at a time.
func (t *rowTiles) part(p *block.Part) {
	b, n := t.body, int64(t.decided.Rows)
	from, to := t.region(p, 0, p.X)
	first, end := t.region(p, 1, p.Y)
	y := b.loopVar("rows", interval.Between(-hast.MaxExtent, hast.MaxExtent))
	body := b.inside(false, func() {
		r := t.rowsOf(p.Of, block.AnalyzeLoops(p.Of, t.decided.Unroll))
		r.from, r.to = from, to
		y0 := b.declare("y0", i32T, false, ref(y))
		b.bounds[y0] = r.spanOf(p.Of.Space.Ranges[len(p.Of.Space.Ranges)-2])
		r.y0, r.end = ref(y0), b.once("end", b.op(i32T, ops.Min, exactly(ops.Add, ref(y0), i32(n)), end))
		r.compute()
	})
	b.emit(&kir.For{Placed: b.placed(), Var: y, Lo: first, Hi: end, Step: n, Body: body, Exact: true})
}

// held are the coordinates of a pixel in the array that holds it.
func (b *buffer) held(coords []kir.Expr) []kir.Expr {
	out := slices.Clone(coords)
	for dim, axis := range []int{b.lineAxis + 1, b.lineAxis} {
		out[axis] = exactly(ops.Sub, coords[axis], b.origin[dim])
	}
	return out
}
