package interp

import (
	"imgc/arguments"
	"imgc/hast"
	"imgc/pixels"
	"imgc/types"
)

// A storage is the rasters of a run: of each image its own, of the levels of a pyramid those of the pyramid.
type storage struct {
	b      *Binding
	images map[*hast.Image]*raster
	levels map[*hast.Pyramid][]*raster // by level; nil where it has not been touched
}

func newStorage(b *Binding) *storage {
	return &storage{b: b, images: map[*hast.Image]*raster{}, levels: map[*hast.Pyramid][]*raster{}}
}

// of is the raster that an image has now; nil if it is none of the pipeline's.
func (s *storage) of(m *hast.Image) *raster {
	if s == nil || m.Of == nil {
		if s == nil {
			return nil
		}
		return s.images[m]
	}
	place := s.place(m)
	if *place == nil {
		*place = newRaster(m, s.b.extentNow(m))
	}
	return *place
}

// place is where the raster of a level is kept.
func (s *storage) place(m *hast.Image) **raster {
	if s.levels[m.Of] == nil {
		s.levels[m.Of] = make([]*raster, hast.MaxLevels)
	}
	k := s.b.words(m.Index)[0].Int()
	if k < 0 || k >= hast.MaxLevels {
		throw(m.At, "%s is level %d of %s", m.Name, k, m.Of.Name)
	}
	return &s.levels[m.Of][k]
}

func (s *storage) set(m *hast.Image, r *raster) {
	if m.Of == nil {
		s.images[m] = r
		return
	}
	*s.place(m) = r
}

// extentNow is the extents of an image where the run is now.
func (b *Binding) extentNow(m *hast.Image) []int {
	if m.Of == nil {
		return b.extents[m]
	}
	extent := make([]int, m.Rank())
	for axis, e := range m.Extent {
		extent[axis] = int(b.words(widened(e))[0].Int())
	}
	return extent
}

// bindPyramids checks the numbers of levels and the extents of all levels, and adds up what the pyramids take.
func (b *Binding) bindPyramids() error {
	for _, c := range b.pipeline.Counted {
		if err := b.checkLevels(c.Levels, c.Name); err != nil {
			return err
		}
	}
	var err error
	hast.WalkSteps(b.pipeline.Steps, func(s hast.Step) {
		if t, ok := s.(*hast.Traverse); ok && err == nil {
			err = b.checkLevels(t.Levels, t.Names[0])
		}
	})
	if err != nil {
		return err
	}
	for _, p := range b.pipeline.Pyramids {
		if err := b.checkLevels(p.Own(), p.Name); err != nil {
			return err
		}
		var bytes [hast.MaxLevels]int64
		err := b.eachLevel(p.Over, func() error { return b.bindLevel(p, &bytes) })
		if err != nil {
			return err
		}
		for _, n := range bytes {
			b.levelBytes += n
		}
	}
	return nil
}

// bindLevel checks the extents of a pyramid's image at the level at hand, and notes its size if it is the largest so far.
func (b *Binding) bindLevel(p *hast.Pyramid, bytes *[hast.MaxLevels]int64) error {
	if p.Used != nil && !b.words(widened(p.Used))[0].Truth() {
		return nil
	}
	extent := make([]int, len(p.Extent))
	for axis, e := range p.Extent {
		words, err := b.hostWords(e, "an extent of "+p.Name, p.At)
		if err != nil {
			return err
		}
		extent[axis] = int(words[0].Int())
	}
	if err := b.made(p.Name, p.At, extent, p.Extent).Possible(); err != nil {
		return b.refused(err)
	}
	n, err := pixels.Size(p.Elem, extent...)
	if err != nil {
		return b.failf(p.At, "%s is %s: %v", p.Name, pixels.Dimensions(extent), err)
	}
	k := b.values[p.Own().Level][0].Int()
	bytes[k] = max(bytes[k], int64(n))
	return nil
}

// checkLevels refuses a number of levels that a pyramid cannot have, and a finest level that is too large.
func (b *Binding) checkLevels(l *hast.Levels, name string) error {
	count, err := b.hostWords(l.Count, "the number of levels of "+name, l.At)
	if err != nil {
		return err
	}
	if err := arguments.Levels(name, l.At, count[0].Int(), hast.MaxLevels, b.quantities(l.Count)); err != nil {
		return b.refused(err)
	}
	for _, s := range l.Scaled {
		most := int64(hast.MaxExtent)
		for range s.Finer {
			most /= s.Factor
		}
		finest, err := b.hostWords(s.Finest, "an extent of "+name, l.At)
		if err != nil {
			return err
		}
		if err := arguments.Finest(name, l.At, finest[0].Int(), most, b.quantities(s.Finest)); err != nil {
			return b.refused(err)
		}
	}
	return nil
}

// eachLevel calls f at every level, or for several counts at every combination of levels, with the values of their variables.
func (b *Binding) eachLevel(over []*hast.Levels, f func() error) error {
	if len(over) == 0 {
		return f()
	}
	l := over[0]
	defer b.leaveLevels(l, nil)
	count := b.words(widened(l.Count))[0].Int()
	for b.enterLevels(l); b.values[l.Level][0].Int() < count; b.coarser(l) {
		if err := b.eachLevel(over[1:], f); err != nil {
			return err
		}
	}
	return nil
}

// enterLevels goes to the finest level.
func (b *Binding) enterLevels(l *hast.Levels) {
	b.values[l.Level] = []types.Word{types.Int(0)}
	for _, s := range l.Scaled {
		n := b.words(widened(s.Finest))[0].Int()
		b.values[s.Var] = []types.Word{types.Int(n)}
		for _, v := range s.Finer {
			n *= s.Factor
			b.values[v] = []types.Word{types.Int(n)}
		}
	}
}

// coarser goes one level on.
func (b *Binding) coarser(l *hast.Levels) {
	b.values[l.Level] = []types.Word{types.Int(b.values[l.Level][0].Int() + 1)}
	for _, s := range l.Scaled {
		for i := len(s.Finer) - 1; i > 0; i-- {
			b.values[s.Finer[i]] = b.values[s.Finer[i-1]]
		}
		now := b.values[s.Var]
		if len(s.Finer) > 0 {
			b.values[s.Finer[0]] = now
		}
		b.values[s.Var] = []types.Word{types.Int((now[0].Int()-1)/s.Factor + 1)}
	}
}

// leaveLevels brings back what the variables of levels were; kept is nil where there was no level at hand.
func (b *Binding) leaveLevels(l *hast.Levels, kept map[*hast.Var][]types.Word) {
	for _, v := range l.Vars() {
		if words, ok := kept[v]; ok {
			b.values[v] = words
		} else {
			delete(b.values, v)
		}
	}
}

// keep copies the values of variables.
func (b *Binding) keep(vars []*hast.Var) map[*hast.Var][]types.Word {
	kept := map[*hast.Var][]types.Word{}
	for _, v := range vars {
		if words, ok := b.values[v]; ok {
			kept[v] = words
		}
	}
	return kept
}

// traverse runs the body at the finest level.
func (h *host) traverse(s *hast.Traverse) (err error) {
	defer guard(h.b.pipeline.Name, s.At, &err)
	h.b.enterLevels(s.Levels)
	defer h.b.leaveLevels(s.Levels, nil)
	_, err = h.steps(s.Body)
	return err
}

// descend runs the body of the traverse around it one level coarser.
func (h *host) descend(s *hast.Descend) (err error) {
	defer guard(h.b.pipeline.Name, s.At, &err)
	b, l := h.b, s.Of.Levels
	times, err := b.hostWords(s.Times, "how often to descend", s.At)
	if err != nil || b.values[l.Level][0].Int()+1 >= b.words(widened(l.Count))[0].Int() {
		return err
	}
	own := append(l.Vars(), hast.Declared(s.Of.Body)...)
	for i := range times[0].Int() {
		if i > 0 {
			if _, err := h.steps(s.Between); err != nil {
				return err
			}
		}
		if err := h.round(s.At); err != nil {
			return err
		}
		kept := b.keep(own)
		b.coarser(l)
		if _, err := h.steps(s.Of.Body); err != nil {
			return err
		}
		for v, words := range kept {
			b.values[v] = words
		}
	}
	return nil
}

// freshPyramid gives a pyramid that was declared again its first contents.
func (h *host) freshPyramid(p *hast.Pyramid) { delete(h.storage.levels, p) }

func (h *host) swapPyramids(s *hast.SwapPyramids) {
	levels := h.storage.levels
	levels[s.A], levels[s.B] = levels[s.B], levels[s.A]
}
