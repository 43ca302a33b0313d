package main

import (
	"math"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goregular"
)

// A surface is what light meets at a point.
type surface struct {
	color  vec
	normal vec
	gloss  float64 // the part of light reflected head-on; more is at grazing angles, none at 0
	rough  float64 // how far reflections spread
	metal  bool    // reflects in its colour, and does nothing else
	glass  bool    // refracts
}

// An object is a shape somewhere, with a look: its surface at a point with a normal, all in the object's coordinates.
type object struct {
	frame
	shape
	look         func(p, normal vec) surface
	reachSquared float64
}

// missedBy tells, cheaply, that a ray passes the object by. False says nothing.
func (o *object) missedBy(r *ray) bool {
	x, y, z := o.origin.x-r.from.x, o.origin.y-r.from.y, o.origin.z-r.from.z
	along, square := x*r.along.x+y*r.along.y+z*r.along.z, x*x+y*y+z*z
	return square-along*along > o.reachSquared || along < 0 && square > o.reachSquared
}

// A scene is a still life beside a window.
type scene struct {
	objects []object
}

// The room. Its window is in the plane x = windowX, to the left of the table.
const (
	wallZ   = 2.6
	windowX = -6
)

var (
	camera     = vec{0.25, 3.0, -8.6}
	cameraAims = vec{0.12, 1.12, 0}
	toSun      = vec{-0.80, 0.60, -0.52}.unit()
	sunlight   = rgb(0xfff0d0).scale(3.1)
	skylight   = rgb(0xcfe0ff).scale(2.6)
	roomlight  = rgb(0xe9e2d8).scale(0.34)
)

const (
	viewHeight = 0.535 // of the picture, one unit before the camera
	aperture   = 0.028
	focus      = 9.7
	sunSpread  = 0.016
)

func newScene() (*scene, error) {
	prints, err := newPrints()
	if err != nil {
		return nil, err
	}
	// Where things lie; what they look like is in textures.go.
	s := &scene{objects: []object{
		{place(vec{}, 0, 0), floor{}, table, 0},
		{place(vec{0, 2, wallZ + 0.5}, 0, 0), box{vec{9, 4, 0.5}}, wall, 0},

		// The picture on the wall and the test card that leans against it.
		{place(vec{-1.45, 2.66, wallZ - 0.04}, 0, 0), box{vec{1.02, 0.74, 0.05}}, framedLandscape, 0},
		{place(vec{1.98, 0.99, 1.95}, -8, 12), box{vec{1.25, 1.0, 0.03}}, prints.testCard, 0},

		// Two books with a pear on them.
		{place(vec{-1.75, 0.2, 0.95}, 7, 0), box{vec{1.18, 0.2, 0.8}}, prints.lowerBook, 0},
		{place(vec{-1.78, 0.57, 0.95}, -5, 0), box{vec{1.02, 0.17, 0.7}}, prints.upperBook, 0},
		{place(vec{-2.25, 1.32, 0.95}, 25, 0), blob{0.7, pear}, pearSkin, 0},
		{place(vec{-2.21, 2.03, 0.97}, 25, 0), blob{0.25, stalk}, bark, 0},

		// A mug of coffee.
		{place(vec{-0.3, 0, 0.25}, 0, 0), tube{0.53, 0, 1.12}, prints.mug, 0},
		{place(vec{-0.3, 0, 0.25}, 0, 0), tube{0.47, 0.05, 1.12}, glaze, 0},
		{place(vec{-0.3, 0, 0.25}, 0, 0), disc{1.12, 0.47, 0.53}, glaze, 0},
		{place(vec{-0.3, 0, 0.25}, 0, 0), disc{0.94, 0, 0.47}, coffee, 0},
		{place(vec{0.29, 0.58, 0.12}, -18, 0), blob{0.37, handle}, glaze, 0},

		// Fruit, balls and a marble in front.
		{place(vec{-1.2, 0.43, -1.65}, 20, -35), ball{0.43}, orangePeel, 0},
		{place(vec{0.82, 0.45, -0.75}, 0, 0), ball{0.45}, chrome, 0},
		{place(vec{0.08, 0.3, -1.95}, 0, 0), ball{0.3}, marble, 0},
		{place(vec{-0.47, 0.22, -1.35}, 30, 20), ball{0.22}, dottedBall, 0},
		{place(vec{1.8, 0.062, -1.84}, 24, 0), blob{0.9, pencil}, pencilPaint, 0},
	}}
	for i := range s.objects {
		reach := s.objects[i].reach()
		s.objects[i].reachSquared = reach * reach
	}
	return s, nil
}

// prints are the looks that carry text.
type prints struct {
	title, lower, upper, name, tag label
}

func newPrints() (*prints, error) {
	p := new(prints)
	for _, l := range []struct {
		to   *label
		font []byte
		text string
	}{
		{&p.title, gobold.TTF, "imgc test card"},
		{&p.lower, gobold.TTF, "STENCILS & MASKS"},
		{&p.upper, gobolditalic.TTF, "Image Programs"},
		{&p.name, gobold.TTF, "imgc"},
		{&p.tag, goregular.TTF, "text to pixels"},
	} {
		var err error
		if *l.to, err = newLabel(l.font, l.text); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// pixel is the light that reaches a pixel of the picture.
func (s *scene) pixel(x, y int) vec {
	forward := cameraAims.sub(camera).unit()
	right := vec{0, 1, 0}.cross(forward).unit()
	up := forward.cross(right)
	var sum vec
	smp := &sampler{pixel: hash(uint64(x), uint64(y))}
	for sample := range samples {
		smp.next(sample)
		jx, jy := smp.pair()
		px := (float64(x) + jx - width/2.0) / height * viewHeight
		py := (height/2.0 - float64(y) - jy) / height * viewHeight
		direction := forward.add(right.scale(px)).add(up.scale(py))
		// All rays through a point of the lens to one point at the focal distance: what lies there is sharp.
		lx, ly := smp.onDisc()
		from := camera.add(right.scale(aperture * lx)).add(up.scale(aperture * ly))
		aim := camera.add(direction.scale(focus))
		light := s.trace(ray{from, aim.sub(from).unit()}, smp, 0)
		sum = sum.add(vec{min(light.x, 5), min(light.y, 5), min(light.z, 5)})
	}
	return sum.scale(1.0 / samples)
}

// onDisc is a point of the unit disc.
func (s *sampler) onDisc() (x, y float64) {
	u, v := s.pair()
	sin, cos := math.Sincos(2 * math.Pi * v)
	return math.Sqrt(u) * cos, math.Sqrt(u) * sin
}

// around is a direction about n, spread as the cosine to it.
func (s *sampler) around(n vec) vec {
	x, y := s.onDisc()
	u, v := n.basis()
	return u.scale(x).add(v.scale(y)).add(n.scale(math.Sqrt(max(0, 1-x*x-y*y))))
}

// meet finds the nearest object on a ray's way, and what its surface is like there, in world coordinates.
func (s *scene) meet(r ray) (p vec, surf surface, ok bool) {
	nearest := math.Inf(1)
	var hit *object
	var normal vec
	for i := range s.objects {
		o := &s.objects[i]
		if o.missedBy(&r) {
			continue
		}
		if t, n, met := o.meet(ray{o.pointIn(r.from), o.toLocal(r.along)}); met && t < nearest {
			nearest, normal, hit = t, n, o
		}
	}
	if hit == nil {
		return vec{}, surface{}, false
	}
	p = r.at(nearest)
	surf = hit.look(hit.pointIn(p), normal)
	if surf.normal == (vec{}) {
		surf.normal = normal
	}
	surf.normal = hit.toWorld(surf.normal).unit()
	return p, surf, true
}

// clear is how much light passes from p along a direction, up to a distance. Glass dims it.
func (s *scene) clear(p, along vec, distance float64) float64 {
	through := 1.0
	r := ray{p, along}
	for i := range s.objects {
		o := &s.objects[i]
		if o.missedBy(&r) {
			continue
		}
		if t, _, met := o.meet(ray{o.pointIn(p), o.toLocal(along)}); met && t < distance {
			if _, glassy := o.shape.(ball); !glassy || !o.look(vec{}, vec{0, 1, 0}).glass {
				return 0
			}
			through *= 0.62
		}
	}
	return through
}

// trace follows a ray and returns the light that comes back along it.
func (s *scene) trace(r ray, smp *sampler, depth int) vec {
	p, surf, ok := s.meet(r)
	if !ok {
		return room(r.along, r.from)
	}
	if surf.glass {
		return s.refract(r, p, surf, smp, depth)
	}
	cos := -r.along.dot(surf.normal)
	if cos < 0 { // the inside of a mug
		surf.normal, cos = surf.normal.scale(-1), -cos
	}
	if surf.metal {
		if depth > 3 {
			return surf.color.mul(roomlight)
		}
		return surf.color.mul(s.reflect(r, p, surf, smp, depth))
	}
	light := surf.color.mul(s.lit(p, surf.normal, smp, depth))
	if surf.gloss > 0 && depth < 2 {
		fresnel := surf.gloss + (1-surf.gloss)*fifth(1-cos)*(1-surf.rough)
		light = mix(light, s.reflect(r, p, surf, smp, depth), fresnel)
		light = light.add(s.glint(r, p, surf).scale(fresnel))
	}
	return light
}

// fifth is the fifth power, of Schlick's formula for reflections.
func fifth(v float64) float64 { return v * v * v * v * v }

// reflect is the light that a surface mirrors.
func (s *scene) reflect(r ray, p vec, surf surface, smp *sampler, depth int) vec {
	mirrored := r.along.sub(surf.normal.scale(2 * r.along.dot(surf.normal)))
	if surf.rough > 0 {
		x, y := smp.onDisc()
		u, v := mirrored.basis()
		mirrored = mirrored.add(u.scale(surf.rough * x)).add(v.scale(surf.rough * y)).unit()
	}
	if mirrored.dot(surf.normal) <= 0 {
		return vec{}
	}
	return s.trace(ray{p.add(surf.normal.scale(near)), mirrored}, smp, depth+1)
}

// glint is the sun's own highlight on a glossy surface, where the sun shines.
func (s *scene) glint(r ray, p vec, surf surface) vec {
	mirrored := r.along.sub(surf.normal.scale(2 * r.along.dot(surf.normal)))
	toward := mirrored.dot(toSun)
	if toward < 0.8 {
		return vec{}
	}
	strength := math.Pow(toward, 900*math.Pow(1-surf.rough, 12))
	start := p.add(surf.normal.scale(near))
	return sunlight.scale(strength * 30 * panes(start, toSun) * s.clear(start, toSun, math.Inf(1)))
}

// refract is the light that comes through, and back from, glass.
func (s *scene) refract(r ray, p vec, surf surface, smp *sampler, depth int) vec {
	if depth > 5 {
		return roomlight
	}
	const index = 1.5
	n, ratio := surf.normal, 1/index
	cos := -r.along.dot(n)
	if cos < 0 {
		n, cos, ratio = n.scale(-1), -cos, index
	}
	fresnel, bent := 1.0, 1-ratio*ratio*(1-cos*cos)
	if bent > 0 {
		inner := cos
		if ratio > 1 {
			inner = math.Sqrt(bent)
		}
		fresnel = 0.04 + 0.96*fifth(1-inner)
	}
	var light vec
	if fresnel > 0.02 && (depth == 0 || fresnel == 1) {
		surf.normal = n
		light = s.reflect(r, p, surf, smp, depth).scale(fresnel)
		light = light.add(s.glint(r, p, surf).scale(fresnel))
	}
	if bent > 0 {
		through := r.along.scale(ratio).add(n.scale(ratio*cos - math.Sqrt(bent)))
		inside := s.trace(ray{p.sub(n.scale(near)), through.unit()}, smp, depth+1)
		light = light.add(inside.mul(surf.color).scale(1 - fresnel))
	}
	return light
}

// lit is the light that a matte white surface at p would send back: sun, sky and what the room bounces.
func (s *scene) lit(p, normal vec, smp *sampler, depth int) vec {
	start := p.add(normal.scale(near))
	light := s.sun(start, normal, smp).add(s.sky(start, normal, smp))
	around := smp.around(normal)
	q, surf, ok := s.meet(ray{start, around})
	if !ok {
		return light.add(roomlight)
	}
	bounced := roomlight
	if depth == 0 && around.dot(surf.normal) < 0 {
		bounced = bounced.scale(0.9).add(s.sun(q.add(surf.normal.scale(near)), surf.normal, smp))
	}
	return light.add(surf.color.mul(bounced))
}

// sun is sunlight that falls through the window on a surface.
func (s *scene) sun(p, normal vec, smp *sampler) vec {
	x, y := smp.onDisc()
	u, v := toSun.basis()
	along := toSun.add(u.scale(sunSpread * x)).add(v.scale(sunSpread * y)).unit()
	cos := along.dot(normal)
	if cos <= 0 {
		return vec{}
	}
	open := panes(p, along)
	if open > 0 {
		open *= s.clear(p, along, math.Inf(1))
	}
	return sunlight.scale(cos * open)
}

// sky is the light of the sky in the window: from one of its points, picked at random.
func (s *scene) sky(p, normal vec, smp *sampler) vec {
	u, v := smp.pair()
	const low, high, front, back = 1.2, 6.5, -7.0, 1.5
	to := vec{windowX, low + (high-low)*u, front + (back-front)*v}.sub(p)
	distance := to.length()
	along := to.scale(1 / distance)
	cos := along.dot(normal)
	if cos <= 0 {
		return vec{}
	}
	const area = (high - low) * (back - front)
	weight := cos * math.Abs(along.x) * area / (math.Pi * distance * distance)
	return skylight.scale(weight * s.clear(p, along, distance))
}

// panes is 1 where the way from p along a direction leaves through glass of the window, 0 at its bars and the wall.
func panes(p, along vec) float64 {
	if along.x >= 0 {
		return 0
	}
	out := ray{p, along}.at((windowX - p.x) / along.x)
	const pane, bar = 1.55, 0.085
	y, z := (out.y-1.62)/pane, (out.z+7.35)/pane
	if y < 0 || y > 4 || z < 0 || z > 5 {
		return 0
	}
	if edge := func(v float64) float64 { return math.Abs(v - math.Round(v)) }; edge(y) < bar || edge(z) < bar {
		return 0
	}
	return 1
}

// room is what a mirror sees where nothing of the scene is: the room behind the camera, its ceiling and the window.
func room(along, from vec) vec {
	if panes(from, along) > 0 {
		return skylight.scale(1.5)
	}
	return mix(rgb(0x6a5a4c), rgb(0xd9d2c6), step(-0.2, 0.9, along.y)).scale(0.55)
}
