package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

const add = ops.Add

// maxStride is the largest distance between what neighbouring instances read that counts as a block.
const maxStride = 8

// Place is where a read lies for the instances of a stage; false where that is not fixed by a distance from them.
func (s *Stage) Place(scope *Scope, m *hast.Image, index []hast.Coord) (Place, bool) {
	p, ok := s.straight(scope, m, index)
	if !ok && s.Turns {
		return s.turned(scope, m, index)
	}
	return p, ok
}

// straight is Place for what is read in the directions that instances go.
func (s *Stage) straight(scope *Scope, m *hast.Image, index []hast.Coord) (Place, bool) {
	line, pixel, channel := Axes(m)
	p := Place{Image: m}
	if !linesOfBase(m) {
		return p, false
	}
	for k, c := range index {
		l, ok := scope.Linear(c.X)
		n := max(1, l.Div)
		l.Lo, l.Hi = l.Lo-n*m.First(k), l.Hi-n*m.First(k)
		switch {
		case !ok && k == pixel:
			p.X, ok = scope.periodic(c.X, m.First(k), s.X)
			p.Of[0] = hast.Plus(c.X, -m.First(k))
		case !ok && k == line:
			p.Y, ok = scope.periodic(c.X, m.First(k), s.Y)
			p.Of[1] = hast.Plus(c.X, -m.First(k))
		case !ok:
			_, repeats := scope.Repeats(c.X)
			ok = repeats && k == channel && !c.Below && !c.Above
		case k == pixel:
			p.X, ok = span(l), l.Var == s.X && l.Stride >= 1 && l.Stride <= maxStride
		case k == line:
			p.Y, ok = span(l), l.Var == nil || l.Var == s.Y && l.Stride >= 1 && l.Stride <= maxStride
		default:
			ok = p.beside(s, l, k, c)
		}
		if !ok {
			return p, false
		}
	}
	return p, true
}

// beside adds the place on an axis that is neither that of the lines nor along them; false where it is not the same for all of a block.
func (p *Place) beside(s *Stage, l Linear, axis int, c hast.Coord) bool {
	if _, _, channel := Axes(p.Image); axis == channel {
		last, _ := hast.Number(p.Image.Extent[axis])
		return l.Var == nil && l.Lo >= 0 && l.Hi < last
	}
	p.Outer = append(p.Outer, l)
	return !c.Below && !c.Above && l.Single() && l.Div == 0 && (l.Var == nil || l.Stride >= 1 && l.Var != s.X && l.Var != s.Y)
}

// linesOfBase reports whether the lines of a view are lines of the image with its storage, or parts of them, with all channels.
func linesOfBase(m *hast.Image) bool {
	if m.View == nil {
		return true
	}
	of := m.View.Of
	line, _, channel := Axes(m)
	lineOf, pixelOf, channelOf := Axes(of)
	if (line < 0) != (lineOf < 0) || (channel < 0) != (channelOf < 0) || !m.View.Axes[pixelOf].Kept || lineOf >= 0 && !m.View.Axes[lineOf].Kept {
		return false
	}
	if channelOf >= 0 {
		if first, known := hast.Number(m.View.Axes[channelOf].First); !known || first != of.First(channelOf) || Channels(m) != Channels(of) {
			return false
		}
	}
	return linesOfBase(of)
}

func span(l Linear) Span {
	return Span{Stride: int(l.Stride), Lo: int(l.Lo), Hi: int(l.Hi), Div: int(l.Div)}
}

// PlaceOfStore is Place for what a store writes.
func (s *Stage) PlaceOfStore(scope *Scope, st *hast.Store) (Place, bool) {
	return s.Place(scope, st.Image, coords(st.Index))
}

// coords are subscripts that cannot leave the image.
func coords(index []hast.Expr) []hast.Coord {
	out := make([]hast.Coord, len(index))
	for i, x := range index {
		out[i].X = x
	}
	return out
}

// outputs finds the images that each instance writes one whole pixel of, once, in one plane or in several.
func (a *analysis) outputs() {
	for _, m := range a.order {
		planes, ok := a.planes(m)
		if ok = ok && !a.direct.has(m) && (!a.read.has(m) || !a.others.has(m) && len(planes) == 1 && a.out.itself(planes[0].Place)); ok {
			a.out.Outputs = append(a.out.Outputs, planes...)
			continue
		}
		a.out.Once = true
		a.out.Windows = slices.DeleteFunc(a.out.Windows, func(w *Window) bool {
			if w.Image.Base() == m {
				a.other = true
				a.out.Direct = append(a.out.Direct, w.Image)
			}
			return w.Image.Base() == m
		})
	}
}

// itself reports whether a place is the pixel that has the coordinates of the instance.
func (s *Stage) itself(p Place) bool {
	vars := s.Scope.Iterators
	own := p.Turn == Turn{} && p.X == Span{Stride: 1} && (s.Y == nil || p.Y == Span{Stride: 1}) && p.Image.Lower == nil
	_, pixel, _ := Axes(p.Image)
	own = own && pixel+1 == len(vars)
	for k, l := range p.Outer {
		own = own && l == Linear{Var: vars[k], Stride: 1}
	}
	return own
}

// A spot is what a store writes of the pixels that an instance writes in a plane.
type spot struct {
	row, col int
	channel  int64
}

// planes are what each instance writes of an image.
func (a *analysis) planes(m *hast.Image) (list []*Output, ok bool) {
	_, _, channel := Axes(m)
	seen := map[*Output]map[spot]bool{}
	for _, s := range a.stored[m] {
		p, ok := a.out.PlaceOfStore(a.out.Scope, s)
		if !ok || p.Turn != (Turn{}) || !a.single(p) {
			return nil, false
		}
		var o *Output
		for _, x := range list {
			switch {
			case x.sameBut(p):
				o = x
			case !x.otherPlane(p):
				return nil, false
			}
		}
		if o == nil {
			o = &Output{p}
			list, seen[o] = append(list, o), map[spot]bool{}
		}
		o.X, o.Y = o.X.join(p.X), o.Y.join(p.Y)
		c, known := Linear{}, true
		if channel >= 0 {
			c, known = a.out.Scope.Linear(s.Index[channel])
		}
		if !known || !c.Single() {
			return nil, false
		}
		seen[o][spot{p.Y.Lo, p.X.Lo, c.Lo}] = true
		a.own += a.ownPixel(p, coords(s.Index))
	}
	for o, spots := range seen {
		if !o.leavesNone() || len(spots)*int(m.Elem.Lanes) != o.X.Apart()*o.Y.Apart()*Channels(m) {
			return nil, false
		}
	}
	return list, true
}

// single reports whether a store writes one pixel, at a distance from those of other instances.
func (a *analysis) single(p Place) bool {
	rows := p.Y.Stride >= 1 || a.out.Y == nil || p.Image.Rank() == 1
	near := a.several || p.X.Stride == 1 && p.Y.Stride <= 1
	return p.X.Div == 0 && p.Y.Div == 0 && p.X.Lo == p.X.Hi && p.Y.Lo == p.Y.Hi && rows && near
}

// leavesNone reports whether an instance writes as far as to the pixels of the next ones.
func (o *Output) leavesNone() bool {
	return o.X.Hi-o.X.Lo+1 == o.X.Apart() && o.Y.Hi-o.Y.Lo+1 == o.Y.Apart()
}

// otherPlane reports whether two places are in planes of one image that are told apart by constants, and those of all instances with them.
func (p Place) otherPlane(q Place) bool {
	for k, l := range p.Outer {
		if p.Image == q.Image && l.besides(q.Outer[k]) {
			return true
		}
	}
	return false
}

// Takes reports whether a store writes to a plane of an image that a place is in.
func (p Place) Takes(scope *Scope, s *hast.Store) bool {
	if p.Image != s.Image {
		return false
	}
	for k, own := range p.Outer {
		l, ok := scope.Linear(s.Index[k])
		l.Lo, l.Hi = l.Lo-s.Image.First(k), l.Hi-s.Image.First(k)
		if !ok || l != own {
			return false
		}
	}
	return true
}

// ownPixel counts the iteration variables in subscripts that are just them, in order: those of the instance's own pixel.
func (a *analysis) ownPixel(p Place, index []hast.Coord) int {
	vars := a.stage.Space.Vars
	if len(index) < len(vars) {
		return 0
	}
	for k, v := range vars {
		l, ok := a.out.Scope.Linear(index[k].X)
		if r, isRef := index[k].X.(*hast.Ref); !ok || !isRef || r.Var != v || l != (Linear{Var: v, Stride: 1}) {
			return 0
		}
	}
	return len(vars)
}

// flat reports whether all instances keep to their own pixels of images that have the extents of the space.
func (a *analysis) flat() bool {
	if a.out.Once || a.other || a.stage.Where != nil || a.out.Y == nil || a.uses != a.own {
		return false
	}
	for _, w := range a.out.Windows {
		if !a.ownExtents(w.Place) {
			return false
		}
	}
	for _, o := range a.out.Outputs {
		if !a.ownExtents(o.Place) {
			return false
		}
	}
	return true
}

func (a *analysis) ownExtents(p Place) bool {
	_, pixel, _ := Axes(p.Image)
	if pixel+1 != len(a.stage.Space.Vars) || p.Image.View != nil {
		return false
	}
	for k, r := range a.stage.Space.Ranges {
		if !r.Covers(p.Image, k) {
			return false
		}
	}
	return true
}
