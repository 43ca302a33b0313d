package nest

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
)

// How far apart points of a nest are that touch a pixel together.

// A distance is from the point that touches a pixel in some other way to one that writes it, by the axes of the order and then those across: the number of values, where it is known.
type distance []component

type component struct {
	n     int64
	known bool
}

// A touch is a place that a body reads or writes.
type touch struct {
	image  *hast.Image
	at     []hast.Expr // names spelled out
	loose  []bool      // by axis: the pixel may be another one
	writes bool
}

// distances are those of all pairs of a store and something else that may touch its pixels at other points; false where the body does what has none.
func (n *nest) distances() (list []distance, ok bool) {
	touches, ok := n.touches()
	if !ok {
		return nil, false
	}
	for i, s := range touches {
		for j, t := range touches {
			if !s.writes || s.image.Base() != t.image.Base() || t.writes && j < i {
				continue
			}
			if s.image != t.image {
				return nil, false
			}
			if d := n.between(s, t); d != nil {
				list = append(list, d)
			}
		}
	}
	return append(list, n.throughVariables()...), true
}

// touches are the places at which a body reads or writes what it writes.
func (n *nest) touches() (list []touch, ok bool) {
	lets := hast.Values(n.body)
	for _, d := range n.lets {
		lets[d.Var] = d.Init
	}
	ok = true
	hast.EachStore(n.body, func(st *hast.Store) {
		ok = ok && !st.Updates() && !st.Skip && st.Image.Of == nil && st.Image.Lower == nil
		t := touch{image: st.Image, writes: true, loose: make([]bool, len(st.Index))}
		for _, i := range st.Index {
			t.at = append(t.at, spelled(i, lets))
		}
		list = append(list, t)
	})
	hast.WalkBody(n.body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			if n.written[e.Image.Base()] {
				t := touch{image: e.Image}
				for _, c := range e.Index {
					t.at = append(t.at, spelled(c.X, lets))
					t.loose = append(t.loose, (c.Below || c.Above) && e.Rule != nil && e.Rule.Kind != hast.Constant)
				}
				list = append(list, t)
			}
		case *hast.Window:
			ok = ok && !n.written[e.Image.Base()]
		}
	})
	return list, ok
}

// between is the distance from what touches a pixel to what writes it; nil where they never meet. What lies along several axes has the one that any of them says.
func (n *nest) between(s, t touch) distance {
	axes := slices.Concat(n.order, n.across)
	out := make(distance, len(axes))
	for i, at := range s.at {
		if t.loose[i] {
			continue
		}
		apart, known := linear.Difference(t.at[i], at)
		parts, _ := linear.Parts(at)
		var of []int
		var times int64
		for _, p := range parts {
			r, ok := p.X.(*hast.Ref)
			switch {
			case !ok && !ofHost(p.X):
				known = false
			case ok:
				if k := slices.IndexFunc(axes, func(a axis) bool { return a.v == r.Var }); k >= 0 {
					of, times = append(of, k), p.N
				} else if !r.Var.Class.OfHost() {
					known = false
				}
			}
		}
		switch {
		case !known:
		case len(of) == 0 && apart != 0:
			return nil
		case len(of) == 1 && (times == 1 || times == -1):
			a := axes[of[0]]
			d := apart * times
			if d%a.r.Step != 0 {
				return nil
			}
			d /= a.r.Step
			if a.down {
				d = -d
			}
			if c := out[of[0]]; c.known && c.n != d {
				return nil
			}
			out[of[0]] = component{d, true}
		}
	}
	return out
}

// throughVariables are the distances over which variables carry values: to the round before of the loop behind their definition, where that is the innermost one.
func (n *nest) throughVariables() (list []distance) {
	for _, c := range n.carried {
		d := make(distance, len(n.order)+len(n.across))
		for i := range d {
			d[i].known = i <= c.at || i >= len(n.order)
		}
		if d[c.at].n = -1; c.at < len(n.order)-1 {
			d[c.at].known = false
		}
		list = append(list, d)
	}
	return list
}

// own reports whether both are the same point, as far as instances may touch a pixel together: those across a stage that is no scan do not.
func (n *nest) own(d distance) bool {
	if n.stage.Scan == nil {
		d = d[:len(n.order)]
	}
	return !slices.ContainsFunc(d, func(c component) bool { return !c.known || c.n != 0 })
}

// first is the place of the outermost axis of the order along which there is a distance, and whether what is written was so before (-1) or is later (1); 0 where that is not known, or there is none.
func (n *nest) first(d distance) (at, sign int) {
	for i, c := range d[:len(n.order)] {
		switch {
		case !c.known:
			return i, 0
		case c.n < 0:
			return i, -1
		case c.n > 0:
			return i, 1
		}
	}
	return -1, 0
}

// scans reports whether a scan along an axis of the order has what it needs in steps before: for each distance the order of the program is that of the axis.
func (n *nest) scans(along int, list []distance) bool {
	return !slices.ContainsFunc(list, func(d distance) bool {
		if n.own(d) {
			return false
		}
		_, sign := n.first(d)
		c := d[along]
		return sign == 0 || !c.known || c.n*int64(sign) <= 0
	})
}

// lines reports whether lines along an axis touch no pixel together.
func (n *nest) lines(along int, list []distance) bool {
	return !slices.ContainsFunc(list, func(d distance) bool {
		for i, c := range d {
			if i != along && (i < len(n.order) || n.stage.Scan != nil) && (!c.known || c.n != 0) {
				return true
			}
		}
		return false
	})
}

// mostSlant is by how many steps at most the pixels of a line come behind those of the line before.
const mostSlant = 8

// slant is by how many they have to, so that all that a point needs has been computed in steps before; 0 where that is none. The order is of lines and of pixels in them.
func (n *nest) slant(list []distance) int64 {
	if len(n.order) != 2 || len(n.across) > 0 {
		return 0
	}
	for s := int64(1); s <= mostSlant; s++ {
		if !slices.ContainsFunc(list, func(d distance) bool {
			if n.own(d) {
				return false
			}
			_, sign := n.first(d)
			return sign == 0 || !d[0].known || !d[1].known || (s*d[0].n+d[1].n)*int64(sign) <= 0
		}) {
			return s
		}
	}
	return 0
}
