package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Pixels that an instance reads side by side, at a place that only it knows: interpolation between pixels of three bytes reads four, of which each two are neighbours. One by one they
// are as many accesses as components. Where all of them are inside of the image they are loaded line by line, by the words that they lie in, and the border rule has nothing to do; near
// the ends of the image, each instance for itself, they are loaded one by one. So are those of the last pixels in memory, behind which a word would reach.

// A patch is what the statements of a list read so.
type patch struct {
	*block.Patch
	byWords bool
	held    *kir.Var // what has been loaded, line by line; nil before
}

// A spot is the place of one of them: of a load, or of an element of a window.
type spot struct {
	of *patch
	at int
}

// findPatches finds the patches of a list of statements, by what reads their pixels: of a window in the order of its elements.
func (b *body) findPatches(list []hast.Stmt) map[hast.Expr][]spot {
	if b.kernel == nil || !b.opts.GPU || b.kernel.rows != nil || b.kernel.cut != nil {
		return nil
	}
	out := map[hast.Expr][]spot{}
	for _, p := range block.PatchesOf(list) {
		t := &patch{Patch: p}
		for i, at := range p.Spots {
			out[at.Of] = append(out[at.Of], spot{t, i})
		}
	}
	return out
}

// fromPatch is a pixel that is loaded with those beside it, element at of a window; nil where it is not.
func (b *body) fromPatch(e hast.Expr, at int) kir.Expr {
	list := b.patches[e]
	if at >= len(list) {
		return nil
	}
	p := list[at]
	t := p.of
	if t.held == nil || !b.sees(t.held) {
		if !b.loadsTogether(t) {
			return nil
		}
		b.loadPatch(t)
	}
	return b.heldSpot(t, p.at)
}

// loadsTogether reports whether the pixels of a patch are better loaded in one of two ways than each by itself: by words, or, where a border rule is more than the nearest pixel, without it.
func (b *body) loadsTogether(t *patch) bool {
	m := t.Image
	if m.View != nil || m.Lower != nil || b.kernel.computed[m] != nil || b.componentOf(m.Elem) != m.Elem || m.Ring {
		return false
	}
	buf := b.kernel.buffer(m, kir.Reads)
	if !b.readsAlone(buf) || buf.memory != buf.elem || buf.origin != nil || buf.lineAxis != m.Rank()-2 {
		return false
	}
	accesses := int(m.Elem.Lanes)
	if buf.aligned {
		accesses = 1
	}
	t.byWords = t.ByWords(accesses) || b.kernel.decided.Words != 0 && t.HasWords()
	return t.byWords || t.RuleCosts()
}

// refuseWords says why no pixels are loaded by words that would not be in any case.
func refuseWords(s *hast.Stage, d schedule.Decisions) string {
	switch {
	case d.Words == 0:
		return ""
	case d.Local != 0 || d.Rows > 0 || d.Lanes > 0:
		return "words is for work-items of GPUs that load what they read for themselves"
	case !block.HasPatchWords(s):
		return "words is for pixels of components of 8 and 16 bits that lie beside each other in a line, at a place that data or floats decide, and it reads none"
	}
	return ""
}

// element is the place of component c of a pixel in what is held.
func (t *patch) element(i, c int) []kir.Expr {
	at := t.Spots[i].At
	return []kir.Expr{i32(int64(t.Line(i))), i32(at[len(at)-1]*int64(t.Image.Elem.Lanes) + int64(c))}
}

// heldSpot is a pixel of those that have been loaded.
func (b *body) heldSpot(t *patch, i int) kir.Expr {
	elem := t.Image.Elem
	if elem.Lanes == 1 {
		return b.elemOf(t.held, t.element(i, 0))
	}
	parts := make([]kir.Expr, elem.Lanes)
	for c := range parts {
		parts[c] = b.elemOf(t.held, t.element(i, c))
	}
	return &kir.Vec{Typed: kir.Typed{T: elem}, Parts: parts}
}

// hold takes a pixel to what is held.
func (b *body) hold(t *patch, i int, pixel kir.Expr) {
	if !simple(pixel) {
		pixel = ref(b.declare("pixel", pixel.Type(), false, pixel))
	}
	for c := range int(t.Image.Elem.Lanes) {
		b.emit(&kir.Assign{Placed: b.placed(), Var: t.held, Index: t.element(i, c), Value: b.lane(pixel, c)})
	}
}

// loadPatch loads all of them, in the way that suits where they are.
func (b *body) loadPatch(t *patch) {
	first := make([]kir.Expr, len(t.Reach))
	for k := range first {
		x := b.expr(t.First(k))
		first[k] = b.once(coordName(x), x)
	}
	t.held = b.declare("patch", types.Scalar(t.Image.Elem.Kind).Array(len(t.Lines), t.Count()), true, nil)
	t.held.Floats = true
	inside := b.loadPatchInside
	if t.byWords {
		inside = b.loadPatchLines
	}
	b.either(b.wholeInside(t, first), func() { inside(t, first) }, func() { b.loadEachSpot(t) })
}

// fewCells is how many pixels a line has at most of which the last but one is no rare place to read at.
const fewCells = 256

// wholeInside is the condition that all pixels between the first of a patch and the last are inside of their image, and the words that these lie in.
func (b *body) wholeInside(t *patch, first []kir.Expr) kir.Expr {
	last := len(first) - 1
	extent := b.kernel.buffer(t.Image, kir.Reads).extent
	reach := append([]int64(nil), t.Reach...)
	var cond, words kir.Expr
	for k, i := range first {
		below, above := t.Leaves(k)
		overhang := int64(1)
		if k == last {
			overhang = int64(t.Overhang())
		}
		if t.byWords { // in front of the last place of any axis no word ends behind the image
			words = b.or(words, b.spotInside(i, extent[k], reach[k]+overhang, false, true))
		}
		if t.byWords && k == last && above && rangeOf(extent[k], b.bounds).Hi > fewCells { // one comparison sees to both
			reach[k], words = reach[k]+overhang, nil
		}
		if !b.foldsLines(t, k, i) {
			cond = b.and(cond, b.spotInside(i, extent[k], reach[k], below && rangeOf(i, b.bounds).Lo < 0, above))
		}
	}
	return b.and(cond, words)
}

// foldsLines reports whether lines that leave the image along an axis are brought into it as they are loaded, which takes no more than to ask whether they do: where they leave it
// at the end alone, and the rule takes the last one. Cells of tables are such, of which the last ones are those of white.
func (b *body) foldsLines(t *patch, axis int, first kir.Expr) bool {
	below, above := t.Leaves(axis)
	at := rangeOf(first, b.bounds)
	return above && axis < len(t.Reach)-1 && !t.RuleCosts() && (!below || at.Lo >= 0) && at.Hi <= hast.MaxExtent
}

// spotInside is the condition that a coordinate and another one so far behind it are inside; nil where that is known. Both ends are one comparison, in which what is below is far above.
func (b *body) spotInside(i, extent kir.Expr, reach int64, below, above bool) kir.Expr {
	room := b.op(i32T, ops.Sub, extent, i32(reach))
	switch {
	case below && above:
		some := b.op(i32T, ops.Max, room, i32(0))
		return b.op(boolType, ops.Lt, narrow.toUnsigned(i), narrow.toUnsigned(some))
	case below:
		return b.op(boolType, ops.Ge, i, i32(0))
	case above:
		return b.op(boolType, ops.Lt, i, room)
	}
	return nil
}

// spotAt are the coordinates of a place that is inside of the image, or whose line is brought into it, where sums cannot wrap.
func (b *body) spotAt(t *patch, first []kir.Expr, at []int64) []kir.Expr {
	extent := b.kernel.buffer(t.Image, kir.Reads).extent
	coords := append([]kir.Expr(nil), first...)
	for k, n := range at {
		if n != 0 {
			coords[k] = opExpr(i32T, ops.Add, []kir.Expr{first[k], i32(n)}, true)
		}
		if b.foldsLines(t, k, first[k]) {
			coords[k], _ = b.fold(hast.Coord{Above: true}, coords[k], extent[k], hast.Clamp)
		}
		coords[k] = b.once(coordName(coords[k]), coords[k])
	}
	return coords
}

// loadPatchLines loads them by words.
func (b *body) loadPatchLines(t *patch, first []kir.Expr) {
	buf := b.kernel.buffer(t.Image, kir.Reads)
	for line, at := range t.Lines {
		b.emit(&kir.LoadRun{Placed: b.placed(), Var: t.held, Index: []kir.Expr{i32(int64(line)), i32(0)}, Buffer: buf.v, Offset: b.offset(buf, b.spotAt(t, first, at)),
			Count: t.Count(), Anywhere: true, Beyond: true})
	}
}

// loadPatchInside loads them one by one where none needs a rule.
func (b *body) loadPatchInside(t *patch, first []kir.Expr) {
	buf := b.kernel.buffer(t.Image, kir.Reads)
	for i, p := range t.Spots {
		b.hold(t, i, b.loadAt(buf, b.spotAt(t, first, p.At)))
	}
}

// loadEachSpot loads them one by one, as the border rule wants it.
func (b *body) loadEachSpot(t *patch) {
	for i, p := range t.Spots {
		b.hold(t, i, b.load(t.Image, p.Index, t.Rule))
	}
}
