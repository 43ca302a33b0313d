package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/types"
)

// Pixels of two or four components of the library's own images lie at multiples of what they take: their memory starts at a multiple of more,
// and their lines are whole pixels, padded to a power of two of bytes if at all. An access of one pixel is then one of the target. Images of
// the caller's start at any component, and so do those that swaps may exchange with them.

// A storage is what swaps exchange: the memory of an image, or of all levels of a pyramid. One of the two is set.
type storage struct {
	image   *hast.Image
	pyramid *hast.Pyramid
}

func storageOf(m *hast.Image) storage {
	m = m.Base()
	if m.Of != nil {
		return storage{pyramid: m.Of}
	}
	return storage{image: m}
}

// findLent finds the storage that is the caller's or may become that by swaps, in turns until nothing is added.
func (pl *planner) findLent() {
	type pair struct{ a, b storage }
	var swaps []pair
	hast.WalkSteps(pl.src.Steps, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Swap:
			swaps = append(swaps, pair{storageOf(s.A), storageOf(s.B)})
		case *hast.SwapPyramids:
			swaps = append(swaps, pair{storage{pyramid: s.A}, storage{pyramid: s.B}})
		}
	})
	lent := func(s storage) bool { return pl.lent[s] || s.image != nil && s.image.Dir != hast.Local }
	for range swaps {
		for _, s := range swaps {
			if lent(s.a) || lent(s.b) {
				pl.lent[s.a], pl.lent[s.b] = true, true
			}
		}
	}
}

// aligned reports whether one access moves a pixel of an image, which lies in the memory of im.
func (pl *planner) aligned(m *hast.Image, im *kir.Image) bool {
	return pl.laidOut(m, im) && kir.OneAccess(im.Elem)
}

// laidOut reports whether an image lies as the library has laid it out, with lines of whole pixels that are padded to a power of two of bytes, if at all.
func (pl *planner) laidOut(m *hast.Image, im *kir.Image) bool {
	powerOfTwo := pl.opts.Padding&(pl.opts.Padding-1) == 0
	return im.Dir == kir.Temporary && !pl.lent[storageOf(m)] && powerOfTwo
}

// putComponents stores n components of an output, which are whole pixels, at the offsets that at says: pixels that are aligned by one access
// each, all others component by component.
func (t *strip) putComponents(o *output, n int, at, component func(c int) kir.Expr) {
	b := t.body
	lanes := 1
	if o.buf.aligned {
		lanes = int(o.buf.elem.Lanes)
	}
	for c := 0; c < n; c += lanes {
		value := component(c)
		if lanes > 1 {
			parts := []kir.Expr{value}
			for l := 1; l < lanes; l++ {
				parts = append(parts, component(c+l))
			}
			value = &kir.Vec{Typed: kir.Typed{T: o.buf.elem}, Parts: parts}
		}
		b.emit(&kir.Store{Placed: b.placed(), Buffer: o.buf.v, Offset: at(c), Value: value, Aligned: lanes > 1})
	}
}

// run is how many components of pixels along the last axis one access moves, from the first one on; 0 where it moves one. Lines of the library's own images
// start at multiples of what accesses take where a line is whole accesses long.
func (k *kernelBuilder) run(m *hast.Image, along, count int) int {
	pl, bytes := k.plan, m.Elem.Kind.Bytes()
	run := kir.RunBytes / bytes
	length, known := hast.Number(m.Extent[along])
	im := pl.images[m]
	switch {
	case m.View != nil || m.Lower != nil || m.Of != nil || along != m.Rank()-1 || im.LineAxis != along-1 || m.Elem.Lanes != 1 || m.Elem.Kind == types.Bool:
		return 0
	case !known || length*int64(bytes)%kir.RunBytes != 0 || count%run != 0:
		return 0
	case !pl.laidOut(m, im):
		return 0
	}
	im.Runs = true
	return run
}

// inRuns makes accesses of a run of components each, at coordinates but for those along the last axis, which count from 0.
func (k *kernelBuilder) inRuns(m *hast.Image, access kir.Access, coords []hast.Expr, along, count, run int, f func(buf *buffer, at kir.Expr, first int) kir.Stmt) {
	b := k.body
	coords = slices.Clone(coords)
	coords[along] = b.coordinate(i32(0), hast.Coord{X: coords[along]}).X
	buf := k.buffer(m, access)
	start := b.once(buf.v.Name+"_at", b.offset(buf, b.positions(m, coords)))
	for first := 0; first < count; first += run {
		b.emit(f(buf, add(start, i64(int64(first))), first))
	}
}
