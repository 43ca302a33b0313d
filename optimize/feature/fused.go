package feature

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
)

// A Part is one of the stages that run as one with another.
type Part struct {
	Of       *hast.Stage
	Ops      Ops // of one of its instances
	Branches int
	Y, X     block.Span // its instances for one of the whole
	Kept     float64    // components that it keeps for each instance, in registers of 32 bits
	Rows     float64    // of these in use at a time
	Framed   bool       // later parts read it outside of its images
	Moving   []*block.Moving
}

// group computes the features of a stage with others fused with it, which are a group: what all of them reach in memory, and of each part what its
// instances compute. Ops of the whole are those of the last part.
func (f *Finder) group(s *hast.Stage, g *block.Group) *Stage {
	last := f.one(s)
	out := *last
	out.Accesses, out.Group = nil, g
	writes := []*Access{}
	for i, p := range g.Parts {
		one := last
		if p.Of != s {
			one = f.one(p.Of)
			part := &Part{Of: p.Of, Ops: one.Ops, Branches: one.Branches, Y: p.Y, X: p.X, Moving: one.Moving}
			for _, t := range p.Keeps {
				part.Kept += float64(block.Channels(t.Image)) * max(1, float64(t.Image.Elem.Kind.Bits())/32)
			}
			part.Rows = rowsInUse(g, i)
			part.Framed = slices.ContainsFunc(p.Keeps, func(t *block.Window) bool { return t.Rule != nil })
			out.Parts = append(out.Parts, part)
			out.Floats += one.Floats
			out.Open, out.Uneven = out.Open || one.Open, out.Uneven || one.Uneven
		}
		for _, a := range one.Accesses {
			switch {
			case slices.Contains(s.Inner, a.Image):
			case a.Writes && p.X.Div+p.Y.Div > 0:
				writes = append(writes, a.through(p, p.Y, p.X))
			case a.Writes: // what lies around the block is its neighbours' to write
				y, x := p.Within()
				writes = append(writes, a.through(p, y, x))
			case kept(g, a.Image):
			default:
				out.reach(p, a)
			}
		}
	}
	out.Accesses = append(out.Accesses, writes...)
	out.Class = Point
	for _, a := range out.Accesses {
		out.Class = max(out.Class, a.class())
	}
	return &out
}

// kept reports whether an image is one that an earlier part keeps, though it is stored as well.
func kept(g *block.Group, m *hast.Image) bool {
	return slices.ContainsFunc(g.Tiles, func(t *block.Window) bool { return t.Image == m })
}

// rowsInUse is how many rows of what part i keeps a later one needs at once; 0 of what is stored alone.
func rowsInUse(g *block.Group, i int) float64 {
	most := 0
	for _, later := range g.Parts[i+1:] {
		for k, w := range later.Windows {
			if slices.Contains(g.Parts[i].Keeps, later.Sources[k]) {
				most = max(most, 1, w.Y.Count(1))
			}
		}
	}
	return float64(most)
}

// reach adds what the instances of a part read of memory, for those of the whole.
func (s *Stage) reach(p *block.Part, a *Access) {
	x := a.through(p, p.Y, p.X)
	for _, y := range s.Accesses {
		if y.Image == x.Image && slices.EqualFunc(y.Axes, x.Axes, alike) {
			for k := range y.Axes {
				y.Axes[k].Lo, y.Axes[k].Hi = min(y.Axes[k].Lo, x.Axes[k].Lo), max(y.Axes[k].Hi, x.Axes[k].Hi)
			}
			y.Outside, y.Open = y.Outside || x.Outside, y.Open || x.Open
			y.Count, y.Below = y.Count+x.Count, max(y.Below, x.Below)
			return
		}
	}
	s.Accesses = append(s.Accesses, x)
}

// through is an access by the instances of a part in some places, for those of the whole, of which each has several where the part stores in steps.
func (a *Access) through(p *block.Part, down, across block.Span) *Access {
	x := *a
	if slices.Contains(p.Stores, true) && p.InSteps() {
		x.Count *= float64(max(1, p.X.Stride) * max(1, p.Y.Stride))
	} else {
		x.Below = below(p.X) * below(p.Y)
	}
	x.Axes = slices.Clone(a.Axes)
	for k := range x.Axes {
		ax := &x.Axes[k]
		for v, span := range map[*hast.Var]block.Span{p.Stage.X: across, p.Stage.Y: down} {
			if ax.Known && v != nil && ax.Var == v && ax.Mul > 0 {
				ax.through(span)
			}
		}
	}
	return &x
}

// below is how many instances of a part, on average, are needed for one of the whole along an axis, where what it keeps is read in steps: neighbours share what lies around theirs.
func below(s block.Span) float64 {
	return float64(max(1, min(s.Stride, s.Hi-s.Lo+1)))
}

// through has an axis be for the instances whose places are a span. Where these are divided, a pixel is read by as many neighbours as that leaves of it.
func (x *Axis) through(span block.Span) {
	by, mul := int64(span.By()), x.Mul*int64(span.Stride)
	lo, hi := x.Mul*int64(span.Lo), x.Mul*int64(span.Hi)
	if mul%by == 0 {
		lo, hi, mul, by = ops.FloorQuotient(lo, by), -ops.FloorQuotient(-hi, by), mul/by, 1
	}
	n := max(x.Div, 1)
	if x.Lo, x.Hi, x.Mul = by*x.Lo+lo, by*x.Hi+hi, mul; by > 1 {
		x.Div = n * by
	}
}

// alike reports whether two axes differ by the run of their offsets alone.
func alike(x, y Axis) bool {
	x.Lo, x.Hi = y.Lo, y.Hi
	return x == y
}
