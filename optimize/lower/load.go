package lower

import (
	"fmt"
	"math"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// load reads one pixel. Coordinates that can leave the image are folded by the rule, each once per scope; under constant and
// formulas the load stands behind the test that all coordinates are inside.
func (b *body) load(m *hast.Image, index []hast.Coord, rule *hast.Rule) kir.Expr {
	return b.loadOf(nil, 0, m, index, rule)
}

// loadOf is load for an expression that reads the pixel, element at of a window, or that alone; nil where there is none.
func (b *body) loadOf(e hast.Expr, at int, m *hast.Image, index []hast.Coord, rule *hast.Rule) kir.Expr {
	if x := b.fetched(m, index, rule); x != nil {
		return x
	}
	if b.kernel != nil {
		if x := b.kernel.fromBefore(m, index, rule); x != nil {
			return x
		}
		if x := b.kernel.fromAhead(m, index, rule); x != nil {
			return x
		}
	}
	if x := b.fromPatch(e, at); x != nil {
		return x
	}
	as := index
	if b.kernel != nil && b.kernel.rows != nil {
		index = b.kernel.rows.within(m, index, rule)
	}
	positions := make([]kir.Expr, len(index))
	index = slices.Clone(index)
	for k := range index {
		positions[k] = b.readPosition(&index[k], m, k, rule)
	}
	if b.kernel != nil && b.kernel.rows != nil {
		defer func(was bool) { b.safe = was }(b.safe)
		b.safe = b.kernel.rows.safe(m, as, rule) || b.kernel.rows.inRange(m, as, positions)
	}
	return b.pixel(m, positions, index, rule)
}

// readPosition is the position of a coordinate that a rule will fold. The distance from the first index may not fit 32 bits where the
// coordinate is at the end of them. Far outside is then as good as a little further outside for the rules that take the nearest pixel
// or none; those that fold again and again need the true distance; a formula gets the coordinate itself, which is the position that
// has wrapped and the first index, and the position is on the other side of the image, but as far outside.
func (b *body) readPosition(c *hast.Coord, m *hast.Image, axis int, rule *hast.Rule) kir.Expr {
	i := b.expr(c.X)
	end, may := b.wraps(c, i, m, axis)
	if !may {
		return b.position(i, m, axis)
	}
	kind := hast.Undefined
	if rule != nil {
		kind = rule.Kind
	}
	switch {
	case kind == hast.Formula:
		c.Below, c.Above = true, true
	case foldFuncs[kind] != nil:
		return b.op(i64T, ops.Sub, convert(i, types.I64), i64(m.Lower[axis]))
	case m.Lower[axis] > 0:
		i = b.op(i32T, ops.Max, i, i32(end))
	default:
		i = b.op(i32T, ops.Min, i, i32(end))
	}
	return b.position(i, m, axis)
}

// wraps reports whether the distance of a coordinate from the first index may not fit 32 bits, and for which coordinate it just does.
func (b *body) wraps(c *hast.Coord, i kir.Expr, m *hast.Image, axis int) (end int64, may bool) {
	if m.Lower == nil {
		return 0, false
	}
	lower, at := m.Lower[axis], rangeOf(i, b.bounds)
	if lower > 0 {
		end = math.MinInt32 + lower
		return end, c.Below && at.Lo < end
	}
	end = math.MaxInt32 + lower
	return end, c.Above && at.Hi > end
}

// pixel reads the pixel at positions, which leave the image as index says.
func (b *body) pixel(m *hast.Image, positions []kir.Expr, index []hast.Coord, rule *hast.Rule) kir.Expr {
	access := kir.Reads
	if b.kernel.computed[m] != nil {
		access = 0
	}
	buf := b.kernel.buffer(m.Base(), access)
	extent := b.kernel.extents(m, buf)
	kind := hast.Undefined
	if rule != nil {
		kind = rule.Kind
	}
	coords := make([]kir.Expr, len(index))
	var inside kir.Expr
	for k, c := range index {
		i, test := b.fold(c, positions[k], extent[k], kind)
		coords[k] = b.once(coordName(i), i)
		inside = b.and(inside, test)
	}
	if inside == nil {
		if last := len(coords) - 1; m == m.Base() && b.foldedColumn(buf, index[last], coords[last]) {
			coords[last] = convert(coords[last], types.U32)
		}
		return b.loadOrCompute(m, buf, coords)
	}
	// The offset is declared inside the arm's own scope only where it reads no memory; it is plain arithmetic and harmless.
	inside = b.once("inside", inside)
	if kind == hast.Formula {
		return &kir.Select{Typed: kir.Typed{T: m.Elem}, Cond: inside, Then: b.loadOrCompute(m, buf, coords), Else: b.outside(rule.Border, b.indices(coords, m)), Lazy: true}
	}
	there, other := b.loadOrCompute(m, buf, coords), b.expr(rule.Value)
	if b.componentOf(m.Elem) != m.Elem {
		other = b.lane(other, 0)
	}
	return &kir.Select{Typed: kir.Typed{T: there.Type()}, Cond: inside, Then: there, Else: other, Lazy: true}
}

// position is the distance of a coordinate from the first one of its axis.
func (b *body) position(i kir.Expr, m *hast.Image, axis int) kir.Expr {
	if m.Lower == nil || m.Lower[axis] == 0 {
		return i
	}
	return b.op(i32T, ops.Sub, i, i32(m.Lower[axis]))
}

// indices are the coordinates of positions.
func (b *body) indices(positions []kir.Expr, m *hast.Image) []kir.Expr {
	if m.Lower == nil {
		return positions
	}
	out := make([]kir.Expr, len(positions))
	for k, p := range positions {
		out[k] = b.op(i32T, ops.Add, p, i32(m.Lower[k]))
	}
	return out
}

func (b *body) loadAt(buf *buffer, coords []kir.Expr) kir.Expr {
	return b.loadPixel(buf, b.offset(buf, coords))
}

// offset is the component offset of an element: the start of its line, declared once per scope, plus its place in the line.
func (b *body) offset(buf *buffer, coords []kir.Expr) kir.Expr {
	if buf.origin != nil {
		coords = buf.held(coords)
	}
	coords = buf.inRing(coords)
	var place kir.Expr
	for k := buf.lineAxis + 1; k < len(coords); k++ {
		place = b.append(mul, place, convert(coords[k], types.I64), convert(buf.extent[k], types.I64))
	}
	place = mul(place, i64(int64(buf.elem.Lanes)))
	start := buf.start
	switch {
	case buf.origin != nil:
		start = b.once(buf.v.Name+"_"+coordName(coords[buf.lineAxis]), b.lineProduct(buf)(convert(coords[buf.lineAxis], types.I64), buf.pitch))
	case buf.lineAxis >= 0:
		start = b.lineStart(b.lineProduct(buf), buf, coords[:buf.lineAxis+1])
	}
	if start == nil {
		return place
	}
	return add(start, place)
}

// inRing are the coordinates at which pixels of a ring of lines lie.
func (buf *buffer) inRing(coords []kir.Expr) []kir.Expr {
	if buf.of == nil || !buf.of.Ring {
		return coords
	}
	lines, _ := hast.Number(buf.of.Extent[0])
	coords = slices.Clone(coords)
	coords[0] = exactly(ops.And, coords[0], i32(lines-1))
	return coords
}

// A multiplier multiplies the number of a part of an image by how many smaller ones there are in each.
type multiplier func(number, each kir.Expr) kir.Expr

// lineStart is the component offset of a line.
func (b *body) lineStart(by multiplier, buf *buffer, coords []kir.Expr) kir.Expr {
	var number kir.Expr
	for k, c := range coords {
		number = b.append(by, number, convert(c, types.I64), convert(buf.extent[k], types.I64))
	}
	start := by(number, buf.pitch)
	if buf.start != nil {
		start = add(buf.start, start)
	}
	name := buf.v.Name
	for _, c := range coords {
		name += "_" + coordName(c)
	}
	return b.once(name, start)
}

// lineProduct is the product for pixels that instances read one by one: the number of a line, or of a plane, times how many of the next smaller there are in
// it, or the distance of lines. A number that is a coordinate by itself is one of 32 bits; it may be negative only where nothing is read at the place.
//
// Of images that are written, and of rows that items load by vectors (but for manyRows of words), or groups into local memory, products stay those of 64 bits. Items have few of these, and with fewer instructions ptxas predicates
// stores and moves loads behind them: on an H100, 8192 x 8192, a mask of 3 x 3 floats took 0.206 ms instead of 0.183, corners of Harris 0.208 instead of 0.198.
func (b *body) lineProduct(buf *buffer) multiplier {
	if !b.readsAlone(buf) {
		return mul
	}
	return shortLines
}

// shortLines makes the product of a number that is a coordinate by itself one of 32 bits.
func shortLines(number, each kir.Expr) kir.Expr {
	out := mul(number, each)
	_, constant := constInt(each)
	c, ok := number.(*kir.Convert)
	if p, isOp := out.(*kir.Op); isOp && p.Op == ops.Mul && ok && c.X.Type() == i32T && !constant {
		p.Short = true
	}
	return out
}

// readsAlone reports whether instances read pixels of a buffer one by one, or items do for panels, on a device with short products of lines. Those of panels are kept for all rounds of a loop, in fewer registers
// (of products of matrices 112 bytes were spilled, and none).
func (b *body) readsAlone(buf *buffer) bool {
	return b.opts.GPU && buf.v.Access&kir.Writes == 0 && b.kernel != nil && (b.kernel.decided.Local == 0 || b.kernel.decided.Panels > 0)
}

// foldedColumn reports whether a rule has brought a coordinate along a line into the image, so that it is at least 0, in a loop, which does it again and again: as
// an unsigned number it is one of 64 bits by a register that is 0, as a signed one by its sign. The 25 absolute differences of a stereo match took 8.44 ms on an
// H100, and 8.10 with it. Of pixels of several components, whose columns are multiplied, a scan took 5.3 ms instead of 4.7.
func (b *body) foldedColumn(buf *buffer, c hast.Coord, at kir.Expr) bool {
	return b.loops > 0 && (c.Below || c.Above) && buf.elem.Lanes == 1 && b.readsAlone(buf) && buf.origin == nil && at.Type() == i32T && rangeOf(at, b.bounds).Lo >= 0
}

// append is the next step of a row-by-row number: number*extent + c; number nil is 0. The sum cannot wrap: it numbers parts of
// an image that exists.
func (b *body) append(by multiplier, number, c, extent kir.Expr) kir.Expr {
	if number == nil {
		return c
	}
	return add(by(number, extent), c)
}

// coordName suggests a name for a coordinate: y, y_m2 for y - 2, x_p1 for x + 1, "i" where nothing better is known.
func coordName(e kir.Expr) string {
	switch e := e.(type) {
	case *kir.Ref:
		return e.Var.Name
	case *kir.Const:
		return fmt.Sprintf("at%d", e.Words[0].Int())
	case *kir.Convert:
		return coordName(e.X)
	case *kir.Call:
		return coordName(e.Args[0])
	case *kir.Op:
		suffix := map[ops.Op]string{ops.Add: "_p", ops.Sub: "_m"}[e.Op]
		if suffix != "" {
			if c, ok := constInt(e.Args[1]); ok && c >= 0 {
				return fmt.Sprintf("%s%s%d", coordName(e.Args[0]), suffix, c)
			}
		}
		if e.Op == ops.Max || e.Op == ops.Min || e.Op == ops.Clamp {
			return coordName(e.Args[0])
		}
	}
	return "i"
}

// windowElem reads one pixel of a window.
func (b *body) windowElem(w *hast.Window, idx []kir.Expr) kir.Expr {
	coords := b.windowCoords(w, idx)
	if at, ok := flatIndex(w.T, idx); ok {
		return b.loadOf(w, at, w.Image, coords, w.Rule)
	}
	return b.load(w.Image, coords, w.Rule)
}

// windowCoords are the coordinates of that pixel.
func (b *body) windowCoords(w *hast.Window, idx []kir.Expr) []hast.Coord {
	coords := make([]hast.Coord, len(w.Axes))
	next := 0
	for k, a := range w.Axes {
		coords[k] = a.Start
		if !a.Colon {
			continue
		}
		step := b.op(i32T, ops.Mul, idx[next], i32(int64(a.Stride)))
		next++
		coords[k].X = b.shifted(a.Start.X, step)
	}
	return coords
}

// shifted is the expression x + step, with step lowered already: a hast expression over a variable of its own.
func (b *body) shifted(x hast.Expr, step kir.Expr) hast.Expr {
	v := &hast.Var{Name: "step", Type: i32T, Class: hast.Value}
	b.vars[v] = step
	typed := hast.Typed{T: i32T, At: x.Span()}
	return &hast.Op{Typed: typed, Op: ops.Add, Args: []hast.Expr{x, &hast.Ref{Typed: typed, Var: v}}}
}
