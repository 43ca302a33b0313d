package plan

import (
	"math"

	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
	"imgc/types"
)

// registers estimates what an item holds at once (shape.held), in registers of 32 bits.
func (s *shape) registers(w *work) float64 {
	n := 24.0 + s.partRegisters(w) + s.localRegisters(w) + s.severalWindows(w)
	apart := s.sumsProducts(w)
	for _, a := range w.stage.Accesses {
		if !s.blocks || !s.windowed(w, a) || s.local {
			continue
		}
		if !a.Writes && s.stream > 0 {
			n += s.begunSums(w, a)
		}
		rows, cols := s.windowInUse(w, a)
		rows, share := s.inRegisters(w, a, rows, apart)
		if s.legs {
			cols = s.inUse(w, a, cols)
		}
		n += rows * math.Ceil(cols*share*float64(a.Image.Elem.Lanes)*math.Max(1, float64(a.Image.Elem.Kind.Bits())/32))
	}
	return n + s.keptForPlanes(w)
}

// begunSums are the registers of sums that rows of an access add to and that others go on with.
func (s *shape) begunSums(w *work, a *feature.Access) float64 {
	sums := s.rows * s.ix * float64(a.Image.Elem.Lanes)
	if s.inHalves(w, a) {
		sums /= 2
	}
	return sums
}

// windowInUse is how much of the window of an access is held at once.
func (s *shape) windowInUse(w *work, a *feature.Access) (rows, cols float64) {
	rows, cols = s.window(w, a)
	switch {
	case s.stream > 0 && a.Writes:
		return 1, cols
	case s.stream > 0:
		return s.stream, cols
	case a.Writes:
		return rows, cols
	}
	// Rows are loaded ahead, and the compiler keeps those that are still needed.
	if n := s.rowSums(w); n > 0 { // in halves, of as many columns as are computed
		return n * rowsInUse, 2 * s.across(w, a)
	}
	if rows = min(rows, s.iy+8); len(w.stage.Parts) > 0 { // what comes of a row is computed as soon as it is there
		rows = min(rows, rows-float64(s.iy)+2)
	}
	return rows, cols
}

// inRegisters is how many rows a window comes to, and which share of a register a component takes: bytes that are not kept in words take one each once they are used. Apart says of products that
// their bytes are taken out.
func (s *shape) inRegisters(w *work, a *feature.Access, rows float64, apart bool) (left, share float64) {
	stored := float64(a.Image.Elem.Kind.Bits()) / 32
	switch {
	case s.words() && a.Image.Elem.Kind == types.U8 && w.windowed(a):
		if a.Writes || !apart {
			return rows, 1. / block.PerWord
		}
	case a.Writes && s.inHalves(w, a): // what is read is in words as it was loaded, and in others an element apart
		return rows, 1. / 2
	case !small(a):
	case !a.Writes && s.stream > 0: // the row in use taken apart, those on their way as they are loaded
		return 1 + (rows-1)*stored, 1
	case w.stage.Class == feature.Scatter && w.stage.Floats == 0 && w.usesOnce(a): // in words as it was loaded
		return rows, stored
	case w.stage.Class == feature.Point: // taken apart, and put together, pixel by pixel
		return rows, stored
	case len(w.stage.Parts) > 0 || w.several(a) != nil: // rows on their way are in words, and what is computed of a row, or by one instance, soon is again
		return rows, 1. / 2
	}
	return rows, 1
}

// rowsInUse is by how much more registers items hold than what the rows come to that they compute once (rowSums): they load these one after the other. Of binomials of 5 x 5 pixels of three bytes items of
// 4 x 4 and 4 x 8 take 64 and 72 registers in CUDA, of 8 x 4 and 8 x 8 118 and 130; of four bytes items of 4 x 4 and 4 x 8 80 and 98; of single bytes items of 16 x 4 and 16 x 8 78 and 100, and of Sobel's two
// masks, whose rows have two sums, 84 and 115.
const rowsInUse = 1.15

// rowSums is how many sums of rows instances add up that items compute once for all of their instances: as many for each kind as there are rows from the first one to the last; 0 where they compute none.
func (s *shape) rowSums(w *work) (n float64) {
	if !s.packed || s.dots || s.iy == 1 || len(w.stage.Parts) > 0 || w.byteStride() != 1 {
		return 0
	}
	for _, c := range w.byteSums(schedule.Decisions{Unroll: w.unroll()}) {
		for _, k := range c.kinds {
			if !c.again && k.count > 1 && k.taps > 1 {
				n += k.span
			}
		}
	}
	return n
}

// Straight-line code that is longer than the model says runs slower, since instructions have to be fetched: on an H200, where up to 2000
// run at full speed, 3000 took 14 % longer and 7200 some two times as long. It is thought of only where instances compute so much that
// blocks of few of them are as long, and then up to maxLonger times that length: a bilateral filter, of 1700 instructions, takes 7.7 ms for
// 8192 x 8192 pixels one by one and 3.9 ms in blocks of four.
const (
	fetchShare = 0.28
	maxLonger  = 4
	fewInBlock = 4
	// fewThatShare is the same of those that share moving sums, of which single instances have three times the additions.
	fewThatShare = 8
)

// longest is how many instructions a body may have where so many run at full speed.
func (s *shape) longest(w *work, d schedule.Decisions, fast float64) float64 {
	switch {
	case d.Local == schedule.Direct && s.written() <= fewThatShare && w.shares():
	case s.written() > fewInBlock || d.Local != 0:
		return fast
	}
	return maxLonger * fast
}

// written is how many instances a body is written out for: those of one row where the loop over rows is left a loop.
func (s *shape) written() float64 {
	if s.rolled {
		return s.ix
	}
	return s.ix * s.iy
}

// fetched is by how much the length of the body makes its instructions slower.
func (s *shape) fetched(w *work) float64 {
	if !s.blocks {
		return 1
	}
	return fetched(s.body(w), w.model.Limits.Body.Or(1000))
}

// fetched is by how much a body of so many instructions takes longer where so many run at full speed.
func fetched(body, fast float64) float64 { return 1 + fetchShare*max(0, body/fast-1) }

// body estimates the instructions of a block: what it loads, once, and what each instance computes.
func (s *shape) body(w *work) float64 {
	ops := s.own(w)
	if s.copies && s.blocks {
		s.sharesAlong(w, &ops)
	}
	if ops[feature.Memory] = 0; s.last != nil {
		s.inWords(w, s.last, &ops)
	}
	parts := s.partOps(w)
	s.halves(w, &ops)
	s.halves(w, &parts)
	switch {
	case s.local:
		s.convertedInLocal(w, &ops)
	case s.stream > 0:
		s.conversions(w, &ops)
	}
	return (ops.Total() + parts.Total()) * s.written() / s.planes
}
