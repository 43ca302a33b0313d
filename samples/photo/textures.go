package main

import "math"

// The looks of things. Points and normals are in the coordinates of the thing that is looked at.

// table is planks of oak, with a gingham cloth on the left.
func table(p, _ vec) surface {
	if s, ok := cloth(p); ok {
		return s
	}
	const plank = 0.93
	row := math.Floor(p.z/plank + 0.3)
	across := fract(p.z/plank+0.3) * plank
	x := p.x + 3.7*row
	grain := cloud(x*0.55, p.z*9+31*row, 4)
	rings := 0.5 + 0.5*math.Sin(38*(p.z+0.16*cloud(x*0.5, p.z*1.3+7*row, 3)))
	pores := step(0.25, 0.6, noise(x*7, p.z*95))
	color := mix(rgb(0x8f5c30), rgb(0x4c2a14), 0.42*rings+0.45*grain+0.2*noise(row*5.1, 0))
	color = color.scale(1 - 0.28*pores)
	gap := min(across, plank-across)
	color = color.scale(0.18 + 0.82*step(0.003, 0.014, gap))
	return surface{color: color, gloss: 0.045, rough: 0.10}
}

// cloth is woven of red and white threads: where both cross, the colour is between.
func cloth(p vec) (surface, bool) {
	f := place(vec{-1.55, 0, -1.25}, 14, 0)
	q := f.pointIn(p)
	const halfWide, halfDeep, check, thread = 1.75, 1.15, 0.2, 0.021
	fray := 0.012 * noise(60*q.x, 60*q.z)
	if math.Abs(q.x)+fray > halfWide || math.Abs(q.z)+fray > halfDeep {
		return surface{}, false
	}
	red := 0.0
	for _, v := range [2]float64{q.x, q.z} {
		if fract(v/(2*check)) < 0.5 {
			red += 0.5
		}
	}
	color := mix(rgb(0xf1ece0), rgb(0xb3202a), red)
	// Threads go over and under each other.
	over := math.Sin(math.Pi*q.x/thread) * math.Sin(math.Pi*q.z/thread)
	color = color.scale(0.86 + 0.2*over + 0.05*noise(40*q.x, 40*q.z))
	hem := min(halfWide-math.Abs(q.x), halfDeep-math.Abs(q.z))
	color = color.scale(0.8 + 0.2*step(0.05, 0.06, hem))
	return surface{color: color}, true
}

// wall is painted plaster: bumps that only show where light grazes it.
func wall(p, n vec) surface {
	const e = 0.02
	bump := func(x, y float64) float64 { return cloud(9*x, 9*y, 3) }
	h := bump(p.x, p.y)
	n.x -= 0.055 * (bump(p.x+e, p.y) - h) / (9 * e)
	n.y -= 0.055 * (bump(p.x, p.y+e) - h) / (9 * e)
	color := mix(rgb(0x7f9a94), rgb(0x9fb3a8), 0.5+0.5*cloud(0.4*p.x, 0.4*p.y, 2))
	return surface{color: color.scale(1 + 0.03*h), normal: n}
}

// framedLandscape is a picture behind a mat in a dark frame.
func framedLandscape(p, n vec) surface {
	x, y := math.Abs(p.x), math.Abs(p.y)
	switch {
	case n.z > -0.5 || x > 0.95 || y > 0.67:
		grain := noise(4*p.x+9*p.y, 40*(p.x-p.y))
		return surface{color: rgb(0x3a2415).scale(1 + 0.25*grain), gloss: 0.05, rough: 0.2}
	case x > 0.79 || y > 0.51:
		return surface{color: rgb(0xefe9da)}
	}
	return surface{color: landscape(p.x/0.79, p.y/0.51)}
}

// landscape is hills before a low sun; x and y go from -1 to 1.
func landscape(x, y float64) vec {
	color := mix(rgb(0xf7c070), rgb(0x3d6fb0), step(-0.3, 1.1, y))
	sun := math.Hypot(x-0.35, (y-0.2)*0.65)
	color = mix(color, rgb(0xffe9a0), 0.6*math.Exp(-9*sun*sun))
	if sun < 0.11 {
		color = rgb(0xfff7d8)
	}
	streaks := step(0.05, 0.45, cloud(2*x, 9*y, 4)) * step(0.2, 0.8, y)
	color = mix(color, rgb(0xfff3e4), 0.7*streaks)
	for i, hill := range [4]vec{rgb(0x9a8fb0), rgb(0x6d789c), rgb(0x3f6a66), rgb(0x20412f)} {
		k := float64(i)
		crest := 0.12 - 0.3*k + 0.42*cloud((1.1+0.5*k)*x+13*k, 3*k, 4+i)
		if y < crest {
			color = mix(hill, color, 0.25*step(0, -0.9, y-crest))
		}
	}
	return color
}

// testCard has a zone plate, a star, bars, checks, greys and colours.
func (t *prints) testCard(p, n vec) surface {
	x, y := p.x, p.y
	paper := surface{color: rgb(0xe6e4dd)}
	if n.z > -0.5 {
		return paper
	}
	ink := func(amount float64) surface { return surface{color: mix(rgb(0xe6e4dd), rgb(0x0c0c10), amount)} }
	inside := func(cx, cy, halfX, halfY float64) bool {
		return math.Abs(x-cx) < halfX && math.Abs(y-cy) < halfY
	}
	switch {
	case !inside(0, 0, 1.19, 0.94):
		return paper
	case !inside(0, 0, 1.17, 0.92):
		return ink(1)
	case inside(-0.55, 0.12, 0.5, 0.5):
		// Rings ever closer together: 0.3 cycles per pixel of the photo at the square's sides.
		dx, dy := x+0.55, y-0.12
		return ink(0.5 + 0.5*math.Cos(160*(dx*dx+dy*dy)))
	case inside(0.55, 0.12, 0.5, 0.5):
		dx, dy := x-0.55, y-0.12
		r, angle := math.Hypot(dx, dy), math.Atan2(dy, dx)
		return ink(step(-0.08, 0.08, math.Sin(18*angle)*min(1, 3*r)) * step(0.49, 0.485, r))
	case inside(0, -0.52, 1.06, 0.07):
		return ink(math.Floor((x+1.06)/2.12*12) / 11)
	case inside(0, -0.645, 1.06, 0.045):
		return ink((x + 1.06) / 2.12)
	case inside(-0.72, -0.79, 0.34, 0.085):
		cell := [3]float64{0.0567, 0.0283, 0.0142}[int(min(2, max(0, (x+1.06)/0.2267)))]
		return ink(math.Mod(math.Floor(x/cell)+math.Floor((y+0.79)/cell)+100, 2))
	case inside(0, -0.79, 0.34, 0.085):
		patches := [6]uint32{0xc8312f, 0x2f9e4f, 0x2a4fb0, 0x21a6b5, 0xb53a94, 0xe5c01e}
		return surface{color: rgb(patches[int((x+0.34)/0.68*6)])}
	case inside(0.72, -0.79, 0.34, 0.085):
		u := (x - 0.38) / 0.68
		return ink(0.5 + 0.5*math.Sin(12*u+62*u*u))
	}
	return ink(t.title.line(x, y, 0, 0.75, 0.22))
}

// cover is a book seen from anywhere: its cloth, and its pages where they show.
func cover(p, n, half vec, color vec) surface {
	const board = 0.035
	if n.y > -0.5 && n.y < 0.5 && n.z > -0.5 && math.Abs(p.y) < half.y-board {
		leaves := 0.84 + 0.16*noise(3*(p.x+p.z), 140*p.y)
		return surface{color: rgb(0xe9dfc4).scale(leaves)}
	}
	weave := 1 + 0.10*math.Sin(260*p.x)*math.Sin(260*(p.y+p.z)) + 0.06*noise(25*p.x, 25*(p.y+p.z))
	return surface{color: color.scale(weave), gloss: 0.02, rough: 0.3}
}

func (t *prints) lowerBook(p, n vec) surface {
	s := cover(p, n, vec{1.18, 0.2, 0.8}, rgb(0x1f3f6b))
	if n.z < -0.5 {
		s.color = mix(s.color, rgb(0xe8c766), t.lower.line(p.x, p.y, 0.08, 0, 0.2))
		if bar := math.Abs(math.Abs(p.x-0.04) - 1.02); bar < 0.045 && bar > 0.02 {
			s.color = rgb(0xe8c766)
		}
	}
	return s
}

func (t *prints) upperBook(p, n vec) surface {
	s := cover(p, n, vec{1.02, 0.17, 0.7}, rgb(0x8c2f24))
	if n.z < -0.5 {
		s.color = mix(s.color, rgb(0xf4ead2), t.upper.line(p.x, p.y, -0.16, 0, 0.23))
		if math.Abs(p.x-0.83) < 0.07 {
			s.color = rgb(0xf4ead2)
		}
	}
	return s
}

func pearSkin(p, _ vec) surface {
	around := math.Atan2(p.z, p.x)
	color := mix(rgb(0xb9b83a), rgb(0x86a032), 0.5+0.8*cloud(1.5*around, 1.5*p.y, 2))
	color = mix(color, rgb(0xb5562e), 0.65*step(0.1, 0.9, 0.5-0.6*math.Cos(around-0.7)+0.3*noise(3*around, 2*p.y)))
	freckles := step(0.55, 0.8, noise(14*around, 26*p.y))
	return surface{color: mix(color, rgb(0x6b5a24), 0.5*freckles), gloss: 0.035, rough: 0.18}
}

func bark(p, _ vec) surface {
	return surface{color: rgb(0x4a3420).scale(1 + 0.4*noise(30*p.x, 60*p.y))}
}

var porcelain = surface{color: rgb(0xf3efe6), gloss: 0.05}

func glaze(_, _ vec) surface { return porcelain }

func coffee(p, _ vec) surface {
	foam := step(0.39, 0.46, math.Hypot(p.x, p.z)+0.03*noise(20*p.x, 20*p.z))
	return surface{color: mix(rgb(0x1e0f07), rgb(0x8a5a32), foam), gloss: 0.04}
}

// mug is the outside of the mug: a name, a line below it, and two bands.
func (t *prints) mug(p, _ vec) surface {
	s := porcelain
	along := 0.53 * math.Atan2(p.x-0.02, -p.z) // the way around, from the side that faces the camera
	blue := rgb(0x17508f)
	s.color = mix(s.color, blue, t.name.line(along, p.y, 0, 0.72, 0.46))
	s.color = mix(s.color, rgb(0x30343c), t.tag.line(along, p.y, 0, 0.39, 0.15))
	if p.y < 0.2 && p.y > 0.13 || p.y < 0.11 && p.y > 0.09 {
		s.color = blue
	}
	return s
}

// orangePeel is dimpled.
func orangePeel(p, n vec) surface {
	dimple := func(p vec) float64 {
		p = p.scale(38)
		return noise(p.x+0.3*p.z, p.y) + noise(p.y+0.3*p.x, p.z) + noise(p.z+0.3*p.y, p.x)
	}
	const e, depth = 0.004, 0.6
	east, north := n.basis()
	h := dimple(p)
	n = n.sub(east.scale(depth * (dimple(p.add(east.scale(e))) - h))).
		sub(north.scale(depth * (dimple(p.add(north.scale(e))) - h)))
	color := mix(rgb(0xee8a12), rgb(0xd9650c), 0.5+0.5*noise(4*p.x, 4*p.y))
	navel := math.Hypot(p.x, p.z)
	if p.y > 0 {
		color = mix(rgb(0x55682a), color, step(0.03, 0.06, navel))
	}
	return surface{color: color, normal: n, gloss: 0.04, rough: 0.16}
}

func chrome(_, _ vec) surface { return surface{color: rgb(0xe6e8ea), metal: true} }

func marble(_, _ vec) surface { return surface{color: rgb(0xe3f3ee), glass: true} }

// dottedBall is blue with white dots in rows.
func dottedBall(p, n vec) surface {
	const rows = 5
	v := (math.Asin(max(-1, min(1, n.y)))/math.Pi + 0.5) * rows
	row := math.Floor(v)
	around := max(1, math.Round(2*rows*math.Sin(math.Pi*(row+0.5)/rows)))
	u := (math.Atan2(p.z, p.x)/(2*math.Pi) + 0.5) * around
	if math.Hypot(fract(u)-0.5, fract(v)-0.5) < 0.25 {
		return surface{color: rgb(0xf5f5f0), gloss: 0.05}
	}
	return surface{color: rgb(0x1d5fae), gloss: 0.05}
}

// pencilPaint is rubber, a ferrule, paint, wood and lead, from one end to the other.
func pencilPaint(p, _ vec) surface {
	fromEnd, fromTip := pencilLength/2+p.x, pencilLength/2-p.x
	ragged := 0.012 * math.Cos(6*math.Atan2(p.y, p.z))
	switch {
	case fromTip < 0.07:
		return surface{color: rgb(0x26262a)}
	case fromTip < 0.25+ragged:
		return surface{color: rgb(0xe3b981).scale(1 + 0.08*noise(4*p.x, 90*p.y))}
	case fromEnd < 0.12:
		return surface{color: rgb(0xd98a86)}
	case fromEnd < 0.26:
		ridge := 0.8 + 0.3*math.Abs(math.Sin(120*p.x))
		return surface{color: rgb(0xb9bcc0).scale(ridge), gloss: 0.4, rough: 0.15}
	}
	return surface{color: rgb(0xe8a812), gloss: 0.045, rough: 0.05}
}
