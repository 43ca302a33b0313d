package device

import (
	"fmt"
	"slices"

	"imgc/arguments"
	"imgc/kir"
	"imgc/source"
	"imgc/types"
)

// bindPyramids checks the numbers of levels and the extents of all levels.
func (c *call) bindPyramids() error {
	for _, l := range c.plan.Levels {
		if err := c.checkLevels(l); err != nil {
			return err
		}
	}
	for _, p := range c.plan.Pyramids {
		err := c.eachLevel(p.Over, func() error {
			extent, err := c.levelExtent(p)
			if extent == nil || err != nil {
				return err
			}
			return c.checkExtents(&kir.Image{Name: p.Name, Elem: p.Elem, Extent: p.Extent, At: p.At}, extent)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLevels refuses a number of levels that a pyramid cannot have, and a finest level that is too large.
func (c *call) checkLevels(l *kir.Levels) error {
	n, err := c.integer(l.Count, l.At)
	if err != nil {
		return err
	}
	if err := arguments.Levels(l.Name, l.At, n, kir.MaxLevels, c.quantities(l.Count)); err != nil {
		return c.refused(err)
	}
	for _, s := range l.Scaled {
		most := int64(types.MaxExtent)
		for range s.Finer {
			most /= s.Factor
		}
		n, err := c.integer(s.Finest, l.At)
		if err != nil {
			return err
		}
		if err := arguments.Finest(l.Name, l.At, n, most, c.quantities(s.Finest)); err != nil {
			return c.refused(err)
		}
	}
	return nil
}

// levelExtent is the extents of a pyramid's image at the level at hand; nil where it has none there.
func (c *call) levelExtent(p *kir.Pyramid) ([]int, error) {
	if p.Used != nil {
		if v, err := c.eval(p.Used, p.At); err != nil || !v.Words[0].Truth() {
			return nil, err
		}
	}
	return c.extentsOf(p.Extent, p.At)
}

func (c *call) extentsOf(list []kir.Expr, at source.Span) ([]int, error) {
	extent := make([]int, len(list))
	for axis, e := range list {
		n, err := c.integer(e, at)
		if err != nil {
			return nil, err
		}
		extent[axis] = int(n)
	}
	return extent, nil
}

// eachLevel calls f at every level, or for several counts at every combination of levels, with the values of their variables.
func (c *call) eachLevel(over []*kir.Levels, f func() error) error {
	if len(over) == 0 {
		return f()
	}
	l := over[0]
	defer c.leaveLevels(l)
	if err := c.enterLevels(l); err != nil {
		return err
	}
	for {
		if err := c.eachLevel(over[1:], f); err != nil {
			return err
		}
		if more, err := c.hasCoarser(l); err != nil || !more {
			return err
		}
		c.coarser(l)
	}
}

func (c *call) setInt(v *kir.Var, n int64) { c.values[v] = types.Of(types.I64, types.Int(n)) }
func (c *call) intOf(v *kir.Var) int64     { return c.values[v].Words[0].Int() }

// enterLevels goes to the finest level.
func (c *call) enterLevels(l *kir.Levels) error {
	c.setInt(l.Level, 0)
	for _, s := range l.Scaled {
		finest, err := c.integer(s.Finest, l.At)
		if err != nil {
			return err
		}
		c.setInt(s.Var, finest)
		for _, v := range s.Finer {
			finest *= s.Factor
			c.setInt(v, finest)
		}
	}
	return nil
}

func (c *call) hasCoarser(l *kir.Levels) (bool, error) {
	count, err := c.integer(l.Count, l.At)
	return c.intOf(l.Level)+1 < count, err
}

// coarser goes one level on.
func (c *call) coarser(l *kir.Levels) {
	c.setInt(l.Level, c.intOf(l.Level)+1)
	for _, s := range l.Scaled {
		for i := len(s.Finer) - 1; i > 0; i-- {
			c.values[s.Finer[i]] = c.values[s.Finer[i-1]]
		}
		now := c.intOf(s.Var)
		if len(s.Finer) > 0 {
			c.setInt(s.Finer[0], now)
		}
		c.setInt(s.Var, (now-1)/s.Factor+1)
	}
}

func (c *call) leaveLevels(l *kir.Levels) {
	for _, v := range l.Vars() {
		delete(c.values, v)
	}
}

// traverse runs the body at the finest level.
func (p *player) traverse(s *kir.Traverse) error {
	defer p.call.leaveLevels(s.Levels)
	if err := p.call.enterLevels(s.Levels); err != nil {
		return err
	}
	_, err := p.steps(s.Body)
	return err
}

// descend runs the body of the traverse around it one level coarser.
func (p *player) descend(s *kir.Descend) error {
	c, l := p.call, s.Of.Levels
	times, err := c.integer(s.Times, l.At)
	if err != nil {
		return err
	}
	if err := c.fits32("how often to descend", s.Times, times, l.At); err != nil {
		return err
	}
	if more, err := c.hasCoarser(l); err != nil || !more {
		return err
	}
	own := append(l.Vars(), kir.Declared(s.Of.Body)...)
	for i := range times {
		if i > 0 {
			if _, err := p.steps(s.Between); err != nil {
				return err
			}
		}
		if err := p.round(s.Of.At); err != nil {
			return err
		}
		kept := map[*kir.Var]types.Value{}
		for _, v := range own {
			if x, ok := c.values[v]; ok {
				kept[v] = x
			}
		}
		c.coarser(l)
		if _, err := p.steps(s.Of.Body); err != nil {
			return err
		}
		for v, x := range kept {
			c.values[v] = x
		}
	}
	return nil
}

// allocateLevels takes device memory for the images of all pyramids: where extents depend on outer levels, for the largest.
func (d *Device) allocateLevels(c *call, l Layout, padding int, mem *memory) error {
	for _, m := range c.plan.Leveled {
		if mem.levels[m.Of] != nil {
			continue
		}
		blocks := make([]*block, kir.MaxLevels)
		mem.levels[m.Of] = blocks
		largest := map[int64]*block{}
		err := c.eachLevel(m.Of.Over, func() error {
			extent, err := c.levelExtent(m.Of)
			if extent == nil || err != nil {
				return err
			}
			b, err := newBlock(levelLike(m), extent, l, padding)
			k := c.intOf(m.Of.Own().Level)
			if err == nil && (largest[k] == nil || largest[k].size() < b.size()) {
				largest[k] = b
			}
			return err
		})
		for k, b := range largest {
			if err == nil {
				b.buffer, err = d.context.Buffer(b.size())
				blocks[k] = b
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Of.Name, err)
		}
	}
	return nil
}

// levelLike is the image that the blocks of a pyramid show.
func levelLike(m *kir.Image) *kir.Image {
	like := *m
	like.Name, like.Zero = m.Of.Name, m.Of.Zero
	return &like
}

// of is the block that an image has now. That of a level tells the plan's expressions where it lies.
func (mem *memory) of(c *call, m *kir.Image) (*block, error) {
	if m.Of == nil {
		return mem.images[m], nil
	}
	b, err := mem.place(c, m)
	if err != nil {
		return nil, err
	}
	if *b == nil {
		return nil, fmt.Errorf("%w: %s has no memory at this level", ErrInternal, m.Name)
	}
	c.place(m, *b)
	return *b, nil
}

// locate tells a host value where the levels lie that it speaks of.
func (mem *memory) locate(c *call, e kir.Expr) error {
	var err error
	kir.Walk(e, func(e kir.Expr) {
		r, ok := e.(*kir.Ref)
		if !ok || err != nil {
			return
		}
		for _, m := range c.plan.Leveled {
			if r.Var == m.Pitch || r.Var == m.Offset {
				_, err = mem.of(c, m)
			}
		}
	})
	return err
}

// place is where the block of an image is kept.
func (mem *memory) place(c *call, m *kir.Image) (**block, error) {
	k, err := c.integer(m.Index, m.At)
	if err != nil {
		return nil, err
	}
	if k < 0 || k >= kir.MaxLevels {
		return nil, fmt.Errorf("%w: %s is level %d of %s", ErrInternal, m.Name, k, m.Of.Name)
	}
	return &mem.levels[m.Of][k], nil
}

func (mem *memory) set(c *call, m *kir.Image, b *block) error {
	if m.Of == nil {
		mem.images[m] = b
		c.place(m, b)
		return nil
	}
	place, err := mem.place(c, m)
	if err == nil {
		*place = b
	}
	return err
}

// resize lays the image of a pyramid out by its extents now.
func (p *player) resize(m *kir.Image) error {
	place, err := p.mem.place(p.call, m)
	if err != nil {
		return err
	}
	extent, err := p.call.extentsOf(m.Extent, m.At)
	if err != nil {
		return err
	}
	b, err := newBlock(levelLike(m), extent, p.layout, p.program.source.Padding)
	if err != nil {
		return err
	}
	b.buffer = (*place).buffer
	*place = b
	return nil
}

// clearPyramid fills all levels with zeros.
func (p *player) clearPyramid(f *kir.Pyramid) error {
	for _, b := range p.mem.levels[f] {
		if b != nil {
			if err := b.clear(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *player) swapPyramids(a, b *kir.Pyramid) {
	levels := p.mem.levels
	levels[a], levels[b] = levels[b], levels[a]
}

// clone copies what swaps change.
func (mem *memory) cloneLevels() map[*kir.Pyramid][]*block {
	levels := map[*kir.Pyramid][]*block{}
	for f, blocks := range mem.levels {
		levels[f] = slices.Clone(blocks)
	}
	return levels
}
