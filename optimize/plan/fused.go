package plan

import (
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
)

// What fused stages cost: what each of them computes for the block and its frame, and what it keeps.

// share is how many instances of a part a block computes for each of its own.
func (s *shape) share(w *work, p *feature.Part) float64 {
	if s.local {
		return s.inTile(w, p.Of, p.X, p.Y)
	}
	return computed(p.X, s.ix) * computed(p.Y, s.iy)
}

// computed is how many places of a span items compute for n neighbours, for each of them.
func computed(span block.Span, n float64) float64 { return needed(span, n) / n }

// needed is how many they are: none that lie between those that the neighbours read.
func needed(span block.Span, n float64) float64 {
	if span.Sparse() {
		return n * float64(span.Each())
	}
	return places(span, n)
}

// along is how many places of a span n neighbours take, for each of them.
func along(span block.Span, n float64) float64 {
	if span.Stride == 0 {
		return float64(span.Hi-span.Lo+1) / n
	}
	return places(span, n) / n
}

// places is how many places of a span n neighbours take, on average where these do not begin with a pixel that is read at divided coordinates.
func places(span block.Span, n float64) float64 {
	return (float64(span.Stride)*(n-1)+float64(span.Hi-span.Lo))/float64(span.By()) + 1
}

// divided is an image between parts of the stage that is read at divided coordinates; nil where there is none.
func (w *work) divided() *hast.Image {
	if len(w.stage.Parts) == 0 {
		return nil
	}
	return w.group.Divided()
}

// byPixels is the part of the time that is taken to be lost where items compute what is read at divided coordinates for themselves: part by part, each
// pixel loaded alone. It has not been measured, but no plan should have it that can do anything else.
const byPixels = 9

// partOps are the operations of all fused stages for one instance of the whole.
func (s *shape) partOps(w *work) (out feature.Ops) {
	for i, p := range w.stage.Parts {
		n, each := s.share(w, p), p.Ops
		if each[feature.Memory] = 0; s.parts != nil && s.parts[i] != nil {
			s.inWords(w, s.parts[i], &each)
			n *= s.parts[i].computed
		}
		s.sharesIn(w, i, &each)
		if s.taken != nil {
			each[feature.Logic] += s.taken[i]
		}
		for pipe, ops := range each {
			out[pipe] += ops * n
		}
	}
	return out
}

// frameOps is what an instance has in choosing between pixels around the block and those that a border rule takes for them, of all that
// fused stages keep in registers.
func (s *shape) frameOps(w *work) float64 {
	n := 0.0
	for _, p := range w.stage.Parts {
		if !p.Framed || s.shared(w, p.Of) != nil {
			continue
		}
		n += (needed(p.X, s.ix) - s.ix) * computed(p.Y, s.iy) * p.Kept / s.ix
	}
	return n
}

// farEnds is how long the last items at the ends of lines take more than others where these compute, place by place, what a border rule takes from
// anywhere (block.Part.Far): the rest of the device waits for them. One level of a pyramid (parac/laplacian, 8192 x 8192 bytes under a border by formula) took 0.175, 0.182, 0.183 and
// 0.214 ms on an H100 where items have 121, 209, 209 and 361 places, and 0.164 with the stage apart. Of 1920 x 1080 bytes it took 0.0245 ms, all in one kernel whose groups share 11 places
// for each item, and 0.0176 with the stage apart.
func (s *shape) farEnds(w *work) float64 {
	if w.group == nil || w.model.Class != archmodels.GPU {
		return 0
	}
	across, down, each := s.ix, s.iy, farPlace
	if s.local {
		size := w.group.Items(s.tiling)
		across, down, each = s.tx, s.ty, farShared/float64(size[0]*size[1])
	}
	n := 0.0
	for _, p := range w.group.Parts {
		if p.Far != "" && (s.local || !p.Straight) {
			n += places(p.X, across) * places(p.Y, down)
		}
	}
	return n * each
}

// farPlace is the time of one such place of an item by itself, farShared of one of each item of a group, which waits at barriers and calls device functions.
const (
	farPlace  = 0.16e-6
	farShared = 0.8e-6
)

// inBytes reports whether all that a part keeps is bytes, which are four to a register.
func inBytes(p *block.Part) bool {
	return !slices.ContainsFunc(p.Keeps, func(t *block.Window) bool { return !block.HoldsWords(t) })
}

// partRegisters are the registers for the rows that fused stages keep for each other.
func (s *shape) partRegisters(w *work) float64 {
	n := 0.0
	if s.local {
		return n
	}
	for i, p := range w.stage.Parts {
		if s.words() && w.columnsInWords(s)[i] != nil && inBytes(w.group.Parts[i]) {
			n += p.Rows * float64(block.InFours(p.X, int(s.ix))/block.PerWord)
			continue
		}
		n += s.keptBy(p)
	}
	return n
}

// keptBy are those for the rows of one stage that are not words of bytes.
func (s *shape) keptBy(p *feature.Part) float64 { return p.Rows * math.Ceil(needed(p.X, s.ix)*p.Kept) }
