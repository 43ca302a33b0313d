package interp

import (
	"imgc/hast"
	"imgc/types"
)

// intLoad compiles the load of one component, an integer or bool.
func (c *compiler) intLoad(e *hast.Load, lane int) intExpr {
	a := c.access(e.Image, e.Index, e.Rule, e.At)
	a.lane = lane
	switch d := a.r.cells.(type) {
	case ints[uint8]:
		return intCode(loadInt(d, a))
	case ints[int8]:
		return intCode(loadInt(d, a))
	case ints[uint16]:
		return intCode(loadInt(d, a))
	case ints[int16]:
		return intCode(loadInt(d, a))
	case ints[uint32]:
		return intCode(loadInt(d, a))
	case ints[int32]:
		return intCode(loadInt(d, a))
	case ints[uint64]:
		return intCode(loadInt(d, a))
	case ints[int64]:
		return intCode(loadInt(d, a))
	}
	throw(e.At, "an integer is loaded from %s, an image of %s", e.Image.Name, e.Image.Elem)
	return intExpr{}
}

func loadInt[T integer](d ints[T], a *access) intFn {
	outside := int64(0)
	if a.outside != nil {
		outside = a.outside[a.lane].Int()
	}
	find := a.finder()
	slow := func(fr *frame) int64 {
		if i := find(fr); i >= 0 {
			return int64(d[i])
		}
		if a.formula != nil {
			return a.formula.word(fr, a.lane).Int()
		}
		return outside
	}
	if len(a.axes) != 2 || !a.affine() || a.axes[1].stride != 1 {
		return slow
	}
	y, x := a.axes[0], a.axes[1]
	return func(fr *frame) int64 {
		q, p := y.position(fr), x.position(fr)
		if uint64(q) < uint64(y.n) && uint64(p) < uint64(x.n) {
			return int64(d[q*y.stride+p])
		}
		return slow(fr)
	}
}

// floatLoad compiles the load of one component, a float.
func (c *compiler) floatLoad(e *hast.Load, lane int) floatExpr {
	a := c.access(e.Image, e.Index, e.Rule, e.At)
	a.lane = lane
	switch d := a.r.cells.(type) {
	case singles:
		return floatCode(loadSingle(d, a))
	case doubles:
		return floatCode(loadDouble(d, a))
	}
	throw(e.At, "a float is loaded from %s, an image of %s", e.Image.Name, e.Image.Elem)
	return floatExpr{}
}

func loadSingle(d singles, a *access) floatFn {
	slow := loadFloat(d, a)
	if len(a.axes) != 2 || !a.affine() || a.axes[1].stride != 1 {
		return slow
	}
	y, x := a.axes[0], a.axes[1]
	return func(fr *frame) float64 {
		q, p := y.position(fr), x.position(fr)
		if uint64(q) < uint64(y.n) && uint64(p) < uint64(x.n) {
			if v := d[q*y.stride+p]; v == v {
				return float64(v)
			}
		}
		return slow(fr)
	}
}

func loadDouble(d doubles, a *access) floatFn { return loadFloat(d, a) }

func loadFloat(d cells, a *access) floatFn {
	outside := 0.0
	if a.outside != nil {
		outside = a.outside[a.lane].Float()
	}
	find := a.finder()
	return func(fr *frame) float64 {
		if i := find(fr); i >= 0 {
			return d.get(int(i)).Float()
		}
		if a.formula != nil {
			return a.formula.word(fr, a.lane).Float()
		}
		return outside
	}
}

// loadBlock compiles the load of a pixel of several components.
func (c *compiler) loadBlock(e *hast.Load) block {
	a := c.access(e.Image, e.Index, e.Rule, e.At)
	n := int(e.T.Lanes)
	to := c.reserve(n)
	find, d, outside := a.finder(), a.r.cells, a.outside
	return block{at: to, n: n, eval: func(fr *frame) {
		first := int(find(fr))
		if first < 0 && a.formula != nil {
			a.formula.run(fr)
			copy(fr.w[to:to+n], fr.w[a.formula.value:])
			return
		}
		if first < 0 {
			copy(fr.w[to:to+n], outside)
			return
		}
		for lane := range n {
			fr.w[to+lane] = d.get(first + lane)
		}
	}}
}

// window compiles the load of a block of pixels. The coordinates of each axis are folded once, into the frame.
func (c *compiler) window(e *hast.Window) block {
	if e.Rule != nil && e.Rule.Kind == hast.Formula {
		return c.block(hast.Pixels(e))
	}
	index := make([]hast.Coord, len(e.Axes))
	for i, ax := range e.Axes {
		index[i] = ax.Start
	}
	a := c.access(e.Image, index, e.Rule, e.At)
	lanes := int(e.T.Lanes)
	first := make([]int, len(e.Axes)) // where the folded positions of an axis are
	total := lanes
	for i, ax := range e.Axes {
		first[i] = c.reserve(ax.Count)
		total *= ax.Count
	}
	if total != e.T.Words() {
		throw(e.At, "a window of %d components has the type %s", total, e.T)
	}
	to := c.reserve(total)
	return block{at: to, n: total, eval: func(fr *frame) {
		for i, ax := range e.Axes {
			a.foldRun(fr, i, ax, first[i])
		}
		a.copyWindow(fr, e.Axes, first, 0, 0, to, lanes)
	}}
}

// absent marks a position of a window at which the constant rule's value stands in.
const absent = ^types.Word(0)

// foldRun writes the positions of one axis of a window, in components, to w[at:].
func (a *access) foldRun(fr *frame, k int, run hast.WindowAxis, at int) {
	ax := &a.axes[k]
	start := ax.x.eval(fr)
	for i := range run.Count {
		p, inside := int64(int32(start+int64(i)*int64(run.Stride)))-ax.lower, true
		if uint64(p) >= uint64(ax.n) {
			p, inside = a.fold(ax, p)
		}
		fr.w[at+i] = types.Int(p * ax.stride)
		if !inside {
			fr.w[at+i] = absent
		}
	}
}

// copyWindow copies what axis k and those after it select, from the component base on, to w[to:]. It returns where it has
// come to. A negative base says that an axis before is outside.
func (a *access) copyWindow(fr *frame, axes []hast.WindowAxis, first []int, k int, base int64, to, lanes int) int {
	if k == len(axes) {
		for lane := range lanes {
			if base < 0 {
				fr.w[to+lane] = a.outside[lane]
			} else {
				fr.w[to+lane] = a.r.cells.get(int(base) + lane)
			}
		}
		return to + lanes
	}
	for i := range axes[k].Count {
		next := base
		if offset := fr.w[first[k]+i]; offset == absent || base < 0 {
			next = -1
		} else {
			next += offset.Int()
		}
		to = a.copyWindow(fr, axes, first, k+1, next, to, lanes)
	}
	return to
}
