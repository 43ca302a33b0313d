package interp

import (
	"imgc/hast"
	"imgc/source"
	"imgc/types"
)

// An access is how an expression or statement finds a pixel of a raster.
type access struct {
	r       *raster
	axes    []axis
	rule    *hast.Rule
	outside []types.Word // what the constant rule reads
	formula *formula     // what a border by formula reads; nil under other rules
	lane    int          // the component of the pixel that is wanted
	at      source.Span
}

// An axis is one coordinate of an access, with what the fast paths want to know.
type axis struct {
	x            intExpr
	lower        int64 // index of the first pixel
	n            int64 // number of pixels
	stride       int64 // in components
	below, above bool  // whether sema has allowed the coordinate to leave
}

// access compiles coordinates. Without rule, no coordinate may leave.
func (c *compiler) access(m *hast.Image, index []hast.Coord, rule *hast.Rule, at source.Span) *access {
	r := c.raster(m, len(index), at)
	a := &access{r: r, rule: rule, at: at}
	for i, coord := range index {
		a.axes = append(a.axes, axis{
			x:      c.int(coord.X),
			lower:  r.lower(i),
			n:      int64(r.extent[i]),
			stride: int64(r.stride[i]),
			below:  coord.Below && rule != nil,
			above:  coord.Above && rule != nil,
		})
	}
	if rule != nil && rule.Kind == hast.Constant {
		a.outside = c.b.words(rule.Value)
		if len(a.outside) != int(m.Elem.Lanes) {
			throw(at, "a border value of type %s for %s", rule.Value.Type(), m.Elem)
		}
	}
	if rule != nil && rule.Kind == hast.Undefined {
		c.undefined = append(c.undefined, m.Base())
	}
	if rule != nil && rule.Kind == hast.Formula {
		a.formula = c.formula(rule.Border, at)
	}
	return a
}

// skips lets every coordinate leave the image; find is -1 there.
func (a *access) skips() {
	a.rule = &hast.Rule{Kind: hast.Constant}
	for i := range a.axes {
		a.axes[i].below, a.axes[i].above = true, true
	}
}

func (c *compiler) raster(m *hast.Image, rank int, at source.Span) *raster {
	r := c.storage.of(m)
	if m.View != nil {
		r = c.part(m, at)
	}
	if r == nil {
		throw(at, "%s is not an image of this pipeline", m.Name)
	}
	if rank != len(r.extent) {
		throw(at, "%d coordinates for %s, which has %d", rank, m.Name, len(r.extent))
	}
	return r
}

// find is the component of the raster that the access is at, or -1 where the constant rule's value or a formula stands in.
func (a *access) find(fr *frame) int64 {
	i, outside := int64(a.lane), false
	var coords [types.MaxRank]int64 // kept here, since a later index may read under the same formula
	for k := range a.axes {
		ax := &a.axes[k]
		p := ax.x.eval(fr) - ax.lower
		coords[k] = p + ax.lower
		if uint64(p) >= uint64(ax.n) {
			var inside bool
			p, inside = a.fold(ax, p)
			outside = outside || !inside
		}
		i += p * ax.stride
	}
	if outside {
		a.formula.expect(fr, coords[:len(a.axes)])
		return -1
	}
	return i
}

// fold brings the position p, which is outside, into the axis. A proof says where it can be outside.
func (a *access) fold(ax *axis, p int64) (int64, bool) {
	if p < 0 && !ax.below || p >= ax.n && !ax.above {
		throw(a.at, "index %d of %s is outside its %d pixels, which was taken to be proved impossible",
			p+ax.lower, a.r.image.Name, ax.n)
	}
	if ax.n == 0 && a.rule.Kind == hast.Constant {
		return 0, false // nothing is inside, which a constant and a write that may be dropped allow
	}
	if ax.n == 0 {
		throw(a.at, "%s has no pixels, and a read of it was taken to be proved impossible", a.r.image.Name)
	}
	if a.formula != nil {
		return 0, false
	}
	j, inside := Fold(a.rule.Kind, int(p), int(ax.n))
	return int64(j), inside
}

// affine is true where every coordinate is a variable plus a constant, or a constant.
func (a *access) affine() bool {
	for i := range a.axes {
		if !a.axes[i].x.affine {
			return false
		}
	}
	return true
}

// position is the coordinate of an affine axis, from the first pixel on. Coordinates wrap in i32.
func (ax *axis) position(fr *frame) int64 {
	return int64(int32(int64(fr.w[ax.x.slot])+ax.x.add)) - ax.lower
}

// finder is find, with the loops and calls gone where all coordinates are affine and the rank is common.
func (a *access) finder() func(*frame) int64 {
	if !a.affine() {
		return a.find
	}
	lane := int64(a.lane)
	switch len(a.axes) {
	case 1:
		x := a.axes[0]
		return func(fr *frame) int64 {
			if p := x.position(fr); uint64(p) < uint64(x.n) {
				return p*x.stride + lane
			}
			return a.find(fr)
		}
	case 2:
		y, x := a.axes[0], a.axes[1]
		return func(fr *frame) int64 {
			q, p := y.position(fr), x.position(fr)
			if uint64(q) < uint64(y.n) && uint64(p) < uint64(x.n) {
				return q*y.stride + p*x.stride + lane
			}
			return a.find(fr)
		}
	case 3:
		z, y, x := a.axes[0], a.axes[1], a.axes[2]
		return func(fr *frame) int64 {
			r, q, p := z.position(fr), y.position(fr), x.position(fr)
			if uint64(r) < uint64(z.n) && uint64(q) < uint64(y.n) && uint64(p) < uint64(x.n) {
				return r*z.stride + q*y.stride + p*x.stride + lane
			}
			return a.find(fr)
		}
	}
	return a.find
}
