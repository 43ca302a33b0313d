package plan

import (
	"math"

	"imgc/optimize/block"
	"imgc/optimize/feature"
)

// What fused stages cost: what each of them computes for the block and its frame, and what it keeps.

// share is how many instances of a part a block computes for each of its own.
func (s shape) share(w *work, p *feature.Part) float64 {
	if s.local {
		return s.inTile(w, p.Of, p.X, p.Y)
	}
	return along(p.X, s.ix) * along(p.Y, s.iy)
}

// along is how many places of a span n neighbours take, for each of them.
func along(span block.Span, n float64) float64 {
	if span.Stride == 0 {
		return float64(span.Hi-span.Lo+1) / n
	}
	return (float64(span.Stride)*(n-1) + float64(span.Hi-span.Lo) + 1) / n
}

// partOps are the operations of all fused stages for one instance of the whole.
func (s shape) partOps(w *work) (out feature.Ops) {
	for _, p := range w.stage.Parts {
		n := s.share(w, p)
		for pipe, ops := range p.Ops {
			if feature.Pipe(pipe) != feature.Memory {
				out[pipe] += ops * n
			}
		}
	}
	return out
}

// frameOps is what an instance has in choosing between pixels around the block and those that a border rule takes for them, of all that
// fused stages keep in registers.
func (s shape) frameOps(w *work) float64 {
	n := 0.0
	for _, p := range w.stage.Parts {
		if !p.Framed || s.shared(w, p.Of) != nil {
			continue
		}
		n += (along(p.X, s.ix)*s.ix - s.ix) * along(p.Y, s.iy) * p.Kept / s.ix
	}
	return n
}

// partRegisters are the registers for the rows that fused stages keep for each other.
func (s shape) partRegisters(w *work) float64 {
	n := 0.0
	if s.local {
		return n
	}
	for _, p := range w.stage.Parts {
		cols := float64(p.X.Stride)*(s.ix-1) + float64(p.X.Hi-p.X.Lo) + 1
		n += p.Rows * math.Ceil(cols*p.Kept)
	}
	return n
}
