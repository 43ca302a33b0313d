package plan

import (
	"math"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
)

// ops are the operations of one instance: those of the program, and loads, stores, addresses and unpacking.
func (s *shape) ops(w *work) feature.Ops {
	out := s.own(w)
	repeats := w.repeats()
	for p := range out {
		out[p] += w.stage.InOpen[p] * (repeats - 1)
	}
	out[feature.Memory] = 0
	if s.copies && s.blocks {
		s.sharesAlong(w, &out)
	}
	parts := s.partOps(w)
	s.halves(w, &out)
	s.halves(w, &parts)
	switch {
	case s.turns:
		s.inDots(w, &out)
	case s.last != nil:
		s.inWords(w, s.last, &out)
	}
	if n := len(s.taken); n > 0 {
		out[feature.Logic] += s.taken[n-1]
	}
	for p, n := range parts {
		out[p] += n
	}
	if s.blocks && !s.local {
		s.conversions(w, &out)
	}
	if s.rolled { // rows above the first and below the last are added to sums that are not used
		for p := range out {
			out[p] *= (s.iy + s.rows - 1) / s.iy
		}
	}
	if w.stage.Of.Reduced != nil {
		out[feature.Logic] += findingTile / (s.ix * s.iy)
	}
	if s.blocks && w.slanting() {
		s.onceForItem(&out)
	}
	switch {
	case s.local:
		s.localOps(w, &out)
	case !s.interior:
		out[feature.Logic] += s.frameOps(w)
	}
	for _, a := range w.stage.Accesses {
		switch {
		case s.local && (a.Writes || w.windowed(a) || s.turned(w, a)):
		case s.blocks && s.windowed(w, a):
			s.blockAccess(w, a, &out)
		default:
			s.ownAccess(w, a, repeats*s.timesLookedUp(w, a), &out)
			s.patchOps(w, a, &out)
		}
	}
	return out
}

// findingTile is about how many operations an item of a group that takes tiles in turn needs to find its block of the next one: two divisions by what the host knows are most of them.
const findingTile = 40

// halves has neighbours compute floats of 16 bits two at a time, where kernels do, and else as f32; where the language has none, what each comes to is rounded by a conversion. Masks of
// 3 x 3 and 5 x 5 took 28 and 56 us for 4096 x 4096 pixels through OpenCL on an H200, which were predicted at 21 and 26.
func (s *shape) halves(w *work, out *feature.Ops) {
	if s.blocks && !s.local { // once for all instances of a block, where they are taken out of words (blockAccess)
		out[feature.Widen] = 0
	}
	if s.byHalves(w) {
		out[feature.Half] /= 2
		return
	}
	if !w.halves {
		out[feature.ConvertWord] += out[feature.Half]
	}
	out[feature.FMA] += out[feature.Half]
	out[feature.Half] = 0
}

// byHalves reports whether neighbours are computed two at a time. Floats of 16 bits that are only loaded and stored are f32 in between.
func (s *shape) byHalves(w *work) bool {
	return w.halves && s.blocks && int(s.ix)%2 == 0 && w.opsOf(feature.Half) > 0
}

// opsOf is how many operations of a pipe an instance has, with one of each stage that is fused with it.
func (w *work) opsOf(pipe feature.Pipe) float64 {
	n := w.stage.Ops[pipe]
	for _, p := range w.stage.Parts {
		n += p.Ops[pipe]
	}
	return n
}

// inHalves reports whether two components of an image share a register until they are stored.
func (s *shape) inHalves(w *work, a *feature.Access) bool {
	return s.byHalves(w) && small(a) && a.Image.Elem.Kind.IsFloat()
}

// ownAccess adds what instances do to reach an image each by itself, bodies of loops being run so often.
func (s *shape) ownAccess(w *work, a *feature.Access, repeats float64, out *feature.Ops) {
	lanes := float64(a.Image.Elem.Lanes)
	n, near, each := a.Count*repeats, a.Near*repeats, 1.0
	if a.Writes {
		n, near = a.Count, a.Near
	}
	if s.turns && s.ix > 1 && !a.Writes { // vectors, whose components are taken apart
		each = s.ix
		if small(a) {
			out[feature.Logic] += max(0, n-s.readInWords(w, a.Image)) * lanes
		}
	}
	moves := lanes / min(each, max(1, s.vector/float64(a.Image.Elem.Kind.Bytes())))
	if m := a.Image.Base(); m.Dir == hast.Local && kir.OneAccess(m.Elem) { // which is aligned, but for what is exchanged with the caller's
		moves = min(moves, 1)
	}
	out[feature.Memory] += n * moves
	if s.copies && a.Updates { // a cell of local memory
		out[feature.Logic] += n * lanes
		if s.words() { // the place, which is taken out of a word
			out[feature.Logic] += n
		}
		if s.inParts {
			out[feature.Logic] += n * isInPart
		}
		return
	}
	out[feature.Logic] += (n - near) / each * (3 + 2*math.Min(1, float64(len(a.Axes)-1)))
	if a.Outside {
		out[feature.Logic] += 4 * n / each
	}
}

// blockAccess adds an instance's share of what its item does to reach what a block needs of an image.
func (s *shape) blockAccess(w *work, a *feature.Access, out *feature.Ops) {
	if s.legs && w.alike(a) { // weights, each loaded once for the block
		out[feature.Memory] += a.Window() * float64(a.Image.Elem.Lanes) / (s.ix * s.iy)
		return
	}
	rows, cols := s.window(w, a)
	rows *= s.planesOf(w, a)
	bytes := cols * float64(feature.PixelBytes(a.Image))
	across := s.across(w, a)
	ends := 2 * math.Min(1, cols-across)
	if o := w.several(a); o != nil {
		ends = narrowEnds(o, s.vector)
	}
	loads := rows * (math.Ceil(across*float64(feature.PixelBytes(a.Image))/s.vector) + ends)
	if s.words() && w.perComponent().N > 1 {
		loads = rows * s.wordLoads(a, across, cols)
	}
	per := s.ix * s.iy
	out[feature.Memory] += loads / per
	out[feature.Logic] += rows * 4 / per
	if s.words() && cols > across {
		out[feature.Logic] += rows * s.endsOfRow(a, bytes) / per
	}
	if beside := cols - across; !s.interior {
		if s.words() && w.perComponent().N > 1 && (a.Rule == nil || a.Rule.Kind != hast.Constant) { // a word of pixels at a time
			beside *= float64(feature.PixelBytes(a.Image)) / block.PerWord
		}
		out[feature.Logic] += 2 * rows * beside / per
	}
	if small(a) && !s.words() && !s.inHalves(w, a) {
		out[feature.Logic] += rows * bytes / float64(a.Image.Elem.Kind.Bytes()) / per
	}
}

// wordLoads are the accesses to a row of a block of pixels of several bytes, and beside it, which are as wide as the block's own allow.
func (s *shape) wordLoads(a *feature.Access, across, cols float64) float64 {
	pixel := float64(feature.PixelBytes(a.Image))
	own := int64(across * pixel)
	access := min(float64(own&-own), s.vector)
	return float64(own)/access + 2*math.Ceil((cols-across)/2*pixel/access)
}

// endsOfRow is what a row of so many bytes that a block reads as words takes for the border: addresses of the words beside it, which lie elsewhere where the image begins or ends, and under a constant whether
// the row is one of the image, by which each word is chosen. The mean of those of 5 x 5 bytes that are inside of the image has 24.7 operations of logic for a pixel in items of 4 x 8 and 21.5 of 8 x 4, of which 19.3
// and 18.8 were counted without; it took 0.1105 and 0.1001 ms on an H200 for 8192 x 8192, 96 and 87 % of what these take.
func (s *shape) endsOfRow(a *feature.Access, bytes float64) float64 {
	n := 5.0
	if !s.interior && a.Rule != nil && a.Rule.Kind == hast.Constant {
		n += 4 + bytes/4
	}
	return n
}

// small reports whether components have fewer bits than registers, so that vectors of them are taken apart.
func small(a *feature.Access) bool { return a.Image.Elem.Kind.Bits() < 32 }

// conversions leaves an instance those that its neighbours in the block have not made already, of which out has as many as if there were none,
// where all that it reads is converted; of these loads take those to f32 by logic and an addition, where the model says that it is less. Taking
// components out of words is counted with their loads. Parts make as many for each of their instances as the whole reads.
func (s *shape) conversions(w *work, out *feature.Ops) {
	loaded, read := 0.0, 0.0
	for _, a := range w.stage.Accesses {
		if a.Writes || !s.windowed(w, a) || !small(a) {
			continue
		}
		rows, cols := s.window(w, a)
		read += a.Count * float64(a.Image.Elem.Lanes)
		loaded += min(a.Count, rows*cols/(s.ix*s.iy)) * float64(a.Image.Elem.Lanes)
	}
	each := w.stage.Ops[feature.Convert]
	for _, p := range w.stage.Parts {
		each += p.Ops[feature.Convert]
	}
	switch {
	case each == 0:
		return
	case read > each: // the others are used as they are
		out[feature.Convert] -= max(0, w.stage.Floats-loaded)
		return
	}
	out[feature.Convert] -= max(0, read*out[feature.Convert]/each-loaded)
	if w.model.Rates.FloatsByLogic() && w.stage.Floats >= read && !s.words() {
		added := min(loaded, out[feature.Convert])
		out[feature.Convert] -= added
		out[feature.FMA] += added
	}
}
