package plan

import (
	"slices"

	"imgc/optimize/feature"
)

// own are the operations of one instance that the program has, without those of phases where blocks know these.
func (s *shape) own(w *work) feature.Ops {
	p := w.stage.Phased
	if s.local && !s.tiling.Sweep && s.stream == 0 {
		out := w.stage.Ops
		s.shareSums(w, w.stage.Moving, [2]int{int(s.ix), int(s.iy)}, &out)
		return out
	}
	if p == nil || len(w.stage.Parts) > 0 || !s.blocks || s.local || int(s.ix)%p.Every[0] != 0 || int(s.iy)%p.Every[1] != 0 {
		return w.stage.Ops
	}
	return p.Ops
}

// windowed is that of the work, and whether an access is a window that moves from block to block: at quotients of coordinates by numbers that divide these. With what each instance does to
// reach such pixels by itself counted in their place, a level of a pyramid that is enlarged from bytes (parac/laplacian) was at 222 us for 8192 x 8192 on an H200, where it takes 53.
func (s *shape) windowed(w *work, a *feature.Access) bool {
	if w.windowed(a) || !s.blocks || s.local || s.dots || a.Writes {
		return w.windowed(a)
	}
	return !slices.ContainsFunc(a.Axes, func(x feature.Axis) bool {
		n := int64(s.ix)
		if x.Var == w.y {
			n = int64(s.iy)
		}
		return !x.Known || x.Div > 1 && (x.Var != w.x && x.Var != w.y || !x.Divides(n)) || x.Var == w.x && x.Mul < 1
	})
}

// inPhases reports whether instances of the stage differ by where they are in periods of their coordinates.
func (w *work) inPhases() bool {
	return w.stage.Phased != nil || slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool {
		return slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return x.Periodic })
	})
}

// usedOnce reports whether blocks of periods load what no two instances or periods share, so that no window is held: what is small stays in the words that it was loaded as until its instance
// is computed, and is put into words again at once. Two fields of bytes, 16 x 2 for an item, have 20 registers on an H200, where 88 are counted, and samples of video that
// become pixels of three bytes, 4 x 2 for an item, 30 of 94.
func (s *shape) usedOnce(w *work) bool {
	if w.stage.Class != feature.Local || len(w.stage.Parts) > 0 || !w.inPhases() || s.local || s.stream > 0 || s.legs {
		return false
	}
	return !slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool {
		return !a.Writes && s.windowed(w, a) && slices.ContainsFunc(a.Axes, func(x feature.Axis) bool {
			return x.Var != nil && (x.Var == w.x || x.Var == w.y) && !x.Apart()
		})
	})
}

// oddPeriod is the odd part of how many columns blocks have to be multiples of for their instances to know where they are in periods.
func (w *work) oddPeriod() int {
	n := 1
	longer := func(period int) {
		for period%2 == 0 {
			period /= 2
		}
		if n%period != 0 {
			n *= period
		}
	}
	if p := w.stage.Phased; p != nil {
		longer(p.Every[0])
	}
	if len(w.stage.Parts) == 0 {
		for _, x := range w.blocked().Windows {
			longer(x.X.By())
		}
	}
	return n
}
