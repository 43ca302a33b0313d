package main

import "math"

// A vec is a point, a direction or a colour in linear light.
type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec       { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec       { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) mul(b vec) vec       { return vec{a.x * b.x, a.y * b.y, a.z * b.z} }
func (a vec) scale(f float64) vec { return vec{a.x * f, a.y * f, a.z * f} }
func (a vec) dot(b vec) float64   { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec) length() float64     { return math.Sqrt(a.dot(a)) }
func (a vec) unit() vec           { return a.scale(1 / a.length()) }
func (a vec) cross(b vec) vec {
	return vec{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}
}

// mix goes from a to b as f goes from 0 to 1.
func mix(a, b vec, f float64) vec { return a.add(b.sub(a).scale(f)) }

// basis returns two directions square to n and to each other.
func (a vec) basis() (u, v vec) {
	u = vec{0, 1, 0}
	if math.Abs(a.y) > 0.9 {
		u = vec{1, 0, 0}
	}
	u = u.cross(a).unit()
	return u, a.cross(u)
}

// linear holds the light of each 8-bit sRGB value.
var linear = func() (table [256]float64) {
	for i := range table {
		f := float64(i) / 255
		if f <= 0.04045 {
			table[i] = f / 12.92
		} else {
			table[i] = math.Pow((f+0.055)/1.055, 2.4)
		}
	}
	return table
}()

// rgb is an sRGB colour, 0xRRGGBB, in linear light.
func rgb(hex uint32) vec { return vec{linear[hex>>16&255], linear[hex>>8&255], linear[hex&255]} }

// step goes smoothly from 0 to 1 as v goes from lo to hi.
func step(lo, hi, v float64) float64 {
	t := max(0, min(1, (v-lo)/(hi-lo)))
	return t * t * (3 - 2*t)
}

func fract(v float64) float64 { return v - math.Floor(v) }

// A frame is a place with an orientation: local axes in world coordinates.
type frame struct{ origin, x, y, z vec }

// place turns a thing by yaw about the vertical axis, after leaning it back by tilt, and puts it at origin.
func place(origin vec, yaw, tilt float64) frame {
	sy, cy := math.Sincos(yaw * math.Pi / 180)
	st, ct := math.Sincos(tilt * math.Pi / 180)
	turn := func(v vec) vec { return vec{v.x*cy - v.z*sy, v.y, v.x*sy + v.z*cy} }
	return frame{origin, turn(vec{1, 0, 0}), turn(vec{0, ct, st}), turn(vec{0, -st, ct})}
}

func (f *frame) toLocal(v vec) vec { return vec{v.dot(f.x), v.dot(f.y), v.dot(f.z)} }
func (f *frame) toWorld(v vec) vec { return f.x.scale(v.x).add(f.y.scale(v.y)).add(f.z.scale(v.z)) }
func (f *frame) pointIn(p vec) vec { return f.toLocal(p.sub(f.origin)) }
