package main

import "math"

// A ray starts at a point; its direction has length 1.
type ray struct{ from, along vec }

func (r ray) at(t float64) vec { return r.from.add(r.along.scale(t)) }

// near keeps a ray from meeting the surface that it starts on.
const near = 1e-4

// A shape meets rays. Both results are in the shape's own coordinates; the normal points outwards.
type shape interface {
	// meet returns the distance to the first meeting farther than near, and the normal there.
	meet(r ray) (t float64, normal vec, ok bool)
	// reach is the distance from the origin that no part of the shape exceeds.
	reach() float64
}

// A ball lies around the origin.
type ball struct{ radius float64 }

func (b ball) meet(r ray) (float64, vec, bool) {
	half := r.from.dot(r.along)
	root := half*half - r.from.dot(r.from) + b.radius*b.radius
	if root < 0 {
		return 0, vec{}, false
	}
	root = math.Sqrt(root)
	t := -half - root
	if t < near {
		t = -half + root
	}
	if t < near {
		return 0, vec{}, false
	}
	return t, r.at(t).scale(1 / b.radius), true
}

// A box lies around the origin and reaches half its size each way.
type box struct{ half vec }

func (b box) meet(r ray) (float64, vec, bool) {
	enter, leave := math.Inf(-1), math.Inf(1)
	var in, out vec
	slab := func(from, along, half float64, axis vec) bool {
		if along == 0 {
			return math.Abs(from) <= half
		}
		t0, t1 := (-half-from)/along, (half-from)/along
		n0, n1 := axis.scale(-1), axis
		if t0 > t1 {
			t0, t1, n0, n1 = t1, t0, n1, n0
		}
		if t0 > enter {
			enter, in = t0, n0
		}
		if t1 < leave {
			leave, out = t1, n1
		}
		return enter <= leave
	}
	switch {
	case !slab(r.from.x, r.along.x, b.half.x, vec{1, 0, 0}),
		!slab(r.from.y, r.along.y, b.half.y, vec{0, 1, 0}),
		!slab(r.from.z, r.along.z, b.half.z, vec{0, 0, 1}),
		leave < near:
		return 0, vec{}, false
	case enter < near:
		return leave, out, true
	}
	return enter, in, true
}

// A floor is the plane y = 0, seen from above.
type floor struct{}

func (floor) meet(r ray) (float64, vec, bool) {
	if r.along.y >= 0 {
		return 0, vec{}, false
	}
	t := -r.from.y / r.along.y
	return t, vec{0, 1, 0}, t > near
}

// A tube stands about the y axis, between two heights, without a floor or a lid.
type tube struct{ radius, low, high float64 }

func (c tube) meet(r ray) (float64, vec, bool) {
	a := r.along.x*r.along.x + r.along.z*r.along.z
	half := r.from.x*r.along.x + r.from.z*r.along.z
	root := half*half - a*(r.from.x*r.from.x+r.from.z*r.from.z-c.radius*c.radius)
	if a == 0 || root < 0 {
		return 0, vec{}, false
	}
	root = math.Sqrt(root)
	for _, t := range [2]float64{(-half - root) / a, (-half + root) / a} {
		if p := r.at(t); t > near && p.y >= c.low && p.y <= c.high {
			return t, vec{p.x / c.radius, 0, p.z / c.radius}, true
		}
	}
	return 0, vec{}, false
}

// A disc lies level at a height above the origin, with a round hole.
type disc struct{ height, hole, radius float64 }

func (d disc) meet(r ray) (float64, vec, bool) {
	if r.along.y == 0 {
		return 0, vec{}, false
	}
	t := (d.height - r.from.y) / r.along.y
	p := r.at(t)
	square := p.x*p.x + p.z*p.z
	return t, vec{0, 1, 0}, t > near && square <= d.radius*d.radius && square >= d.hole*d.hole
}

// A blob is any shape that has a distance function. It lies within bound of the origin.
type blob struct {
	bound    float64
	distance func(vec) float64
}

func (b blob) meet(r ray) (float64, vec, bool) {
	half := r.from.dot(r.along)
	root := half*half - r.from.dot(r.from) + b.bound*b.bound
	if root < 0 {
		return 0, vec{}, false
	}
	root = math.Sqrt(root)
	t, end := max(20*near, -half-root), -half+root
	for range 96 {
		if t > end {
			break
		}
		d := b.distance(r.at(t))
		if d < 3*near {
			return t, b.normal(r.at(t)), true
		}
		t += d
	}
	return 0, vec{}, false
}

func (b blob) normal(p vec) vec {
	const e = 1e-3
	slope := func(by vec) float64 { return b.distance(p.add(by)) - b.distance(p.sub(by)) }
	return vec{slope(vec{e, 0, 0}), slope(vec{0, e, 0}), slope(vec{0, 0, e})}.unit()
}

func (s ball) reach() float64 { return s.radius }
func (s box) reach() float64  { return s.half.length() }
func (floor) reach() float64  { return math.Inf(1) }
func (s tube) reach() float64 { return math.Hypot(s.radius, s.high) }
func (s disc) reach() float64 { return math.Hypot(s.radius, s.height) }
func (s blob) reach() float64 { return s.bound }

// handle is a ring about the z axis.
func handle(p vec) float64 {
	return length(length(p.x, p.y)-0.29, p.z) - 0.075
}

func length(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

// melt is the smaller of two distances, with the seam between the two shapes rounded off.
func melt(a, b, roundness float64) float64 {
	h := max(0, roundness-math.Abs(a-b)) / roundness
	return min(a, b) - h*h*roundness/4
}

// pear is a belly and a neck, 1.17 high, with the origin in the middle.
func pear(p vec) float64 {
	belly := p.sub(vec{0, -0.12, 0}).length() - 0.47
	neck := p.sub(vec{0.04, 0.39, 0}).length() - 0.19
	return 0.9 * melt(belly, neck, 0.42)
}

// stalk is a thin bent rod, 0.34 high, with the origin in the middle.
func stalk(p vec) float64 {
	p.y += 0.17
	p.x -= 0.35 * p.y * p.y
	p.y -= max(0, min(0.34, p.y))
	return 0.7 * (p.length() - 0.03)
}

// The pencil lies along x, its middle at the origin, and points to positive x.
const pencilLength, pencilRadius = 1.75, 0.062

func pencil(p vec) float64 {
	y, z := math.Abs(p.y), math.Abs(p.z)
	rod := max(0.866*y+0.5*z, z) - pencilRadius
	tip := 0.24*(p.x-pencilLength/2) + 0.97*length(y, z)
	return max(rod, tip, math.Abs(p.x)-(pencilLength/2-0.01))
}
