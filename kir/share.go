package kir

import "slices"

// Owners says of each of a plan's local images whose memory it takes: an index in Locals, its own where it has memory to itself, else that
// of an earlier one. Images share memory where the last step that uses the one comes before the first that uses the other. Steps
// inside of others count as those around them, since they may run again. What starts as zeros or keeps them, is exchanged with another image or is
// returned at the end shares nothing.
func Owners(pl *Pipeline) []int {
	lives := lifetimes(pl)
	order := make([]int, len(pl.Locals))
	out := make([]int, len(pl.Locals))
	for i := range pl.Locals {
		order[i], out[i] = i, i
	}
	slices.SortStableFunc(order, func(i, j int) int { return lives[i].first - lives[j].first })
	var rooms []*room
	for _, i := range order {
		m, life := pl.Locals[i], lives[i]
		if m.Zero || m.Kept || m.Offset != nil || life.last < life.first {
			continue
		}
		r := vacant(rooms, m, life)
		if r == nil {
			r = &room{owner: i}
			rooms = append(rooms, r)
		}
		r.owner, r.until, r.like = min(r.owner, i), life.last, m
		r.images = append(r.images, i)
	}
	for _, r := range rooms {
		for _, i := range r.images {
			out[i] = r.owner
		}
	}
	return out
}

// A life is from the first step at the top of a plan that uses an image to the last one; empty where none does.
type life struct{ first, last int }

// A room is memory that images take one after the other.
type room struct {
	owner  int // the first of images in Locals
	until  int // the last step that uses it so far
	like   *Image
	images []int
}

// vacant is memory that nobody uses any more, best of an image of the same extents; nil where there is none.
func vacant(rooms []*room, m *Image, l life) *room {
	var other *room
	for _, r := range rooms {
		switch {
		case r.until >= l.first:
		case r.like.Elem == m.Elem && slices.EqualFunc(r.like.Extent, m.Extent, sameText):
			return r
		case other == nil:
			other = r
		}
	}
	return other
}

func sameText(x, y Expr) bool { return ExprText(x) == ExprText(y) }

// lifetimes are those of the local images of a plan.
func lifetimes(pl *Pipeline) []life {
	out := make([]life, len(pl.Locals))
	index := map[*Image]int{}
	for i, m := range pl.Locals {
		index[m] = i
		out[i] = life{len(pl.Steps), -1}
	}
	for at, s := range pl.Steps {
		WalkSteps([]Step{s}, func(s Step) {
			for _, m := range imagesOf(s) {
				i, local := index[m]
				if !local {
					continue
				}
				out[i] = life{min(out[i].first, at), max(out[i].last, at)}
				if _, returned := s.(*SetScalar); returned {
					out[i].last = len(pl.Steps)
				}
			}
		})
	}
	return out
}

// imagesOf are the images whose pixels a step uses, without those of the steps in it.
func imagesOf(s Step) (list []*Image) {
	switch s := s.(type) {
	case *Launch:
		for _, a := range s.Args {
			if a.Image != nil {
				list = append(list, a.Image)
			}
		}
	case *SetScalar:
		if s.From != nil {
			list = append(list, s.From)
		}
	case *Fetch:
		list = append(list, s.From)
	case *Clear:
		list = append(list, s.Image)
	case *Swap:
		list = append(list, s.A, s.B)
	}
	return list
}
