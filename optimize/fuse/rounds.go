package fuse

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// Rounds is a pipeline in which a loop of the host does n rounds of a stage in one: for rounds that compute one image from another and swap the two.
// Parts are the stages of all rounds but the last, whose images between are new ones; fused with it, they need no memory. What is left when n do not
// divide the rounds is done one by one, by the stage rest in a loop behind. Where the stage is in no such loop, why says so, as the end of a
// sentence. This is temporal blocking: a tile of several rounds reads and writes memory once, and computes a frame around itself again.
func Rounds(p *hast.Pipeline, s *hast.Stage, n int) (out *hast.Pipeline, parts []*hast.Stage, rest *hast.Stage, why string) {
	r, why := roundsOf(p, s)
	if why != "" {
		return p, nil, nil, why
	}
	q := *p
	q.Images = slices.Clone(p.Images)
	source := r.a
	var body []hast.Step
	for k := range n - 1 {
		m := *r.b
		m.Name = fmt.Sprintf("%s_round%d", r.b.Name, k+1)
		q.Images = append(q.Images, &m)
		part := *writing(reading(s, map[*hast.Image]*hast.Image{r.a: source}), map[*hast.Image]*hast.Image{r.b: &m})
		part.Name = fmt.Sprintf("%s_round%d", s.Name, k+1)
		parts, body, source = append(parts, &part), append(body, &part), &m
	}
	last := reading(s, map[*hast.Image]*hast.Image{r.a: source})
	body = append(body, last, r.swap)
	single, swap := *s, *r.swap
	single.Name = s.Name + "_rest"
	q.Steps = hast.MapSteps(p.Steps, func(step hast.Step) []hast.Step {
		if step != hast.Step(r.loop) {
			return nil
		}
		return r.split(int64(n), body, []hast.Step{&single, &swap})
	})
	return &q, parts, &single, ""
}

// A roundLoop is a loop whose rounds compute an image from another one, and swap them.
type roundLoop struct {
	loop *hast.ForHost
	swap *hast.Swap
	a, b *hast.Image // what a round reads, and what it writes
}

// roundsOf finds the loop of a stage; why says why its rounds stay apart.
func roundsOf(p *hast.Pipeline, s *hast.Stage) (r *roundLoop, why string) {
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		loop, ok := step.(*hast.ForHost)
		if !ok || len(loop.Body) != 2 || loop.Body[0] != hast.Step(s) || loop.Range.Step != 1 {
			return
		}
		if swap, ok := loop.Body[1].(*hast.Swap); ok {
			r = &roundLoop{loop: loop, swap: swap, a: swap.A, b: swap.B}
		}
	})
	if r == nil {
		return nil, "it is not all that a loop of the host does, up by one, before it swaps what the stage writes with what it reads"
	}
	if slices.Contains(written(s), r.a) {
		r.a, r.b = r.b, r.a
	}
	switch {
	case replaces(s, r.b) == nil || len(written(s)) != 1:
		return nil, fmt.Sprintf("it does more than to write each pixel of %s once", r.b.Name)
	case mentionsIn(s, r.loop.Var):
		return nil, fmt.Sprintf("it computes with %s, which counts the rounds", r.loop.Var.Name)
	case r.b.Dir != hast.Local || r.b.Of != nil || r.b.Zero || r.a.Of != nil || r.a.Lower != nil:
		return nil, fmt.Sprintf("%s and %s are more than an image and a local one beside it", r.a.Name, r.b.Name)
	}
	return r, r.needed(p, s)
}

// needed says what looks at the image that the stage writes, which holds something else when rounds are done together.
func (r *roundLoop) needed(p *hast.Pipeline, s *hast.Stage) (why string) {
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		used := false
		switch x := step.(type) {
		case *hast.Stage:
			used = touches(read(x), []*hast.Image{r.b}) || x != s && touches(written(x), []*hast.Image{r.b})
		case *hast.Swap:
			used = x != r.swap && touches([]*hast.Image{x.A, x.B}, []*hast.Image{r.b})
		case *hast.SetScalar:
			used = x.From == r.b
		case *hast.Fetch:
			used = x.From == r.b
		case *hast.DefineView:
			used = x.Image.Base() == r.b
		}
		if used && why == "" {
			why = fmt.Sprintf("%s is needed elsewhere, too", r.b.Name)
		}
	})
	return why
}

// mentionsIn reports whether a stage computes with a variable.
func mentionsIn(s *hast.Stage, v *hast.Var) (found bool) {
	look := func(e hast.Expr) {
		r, ok := e.(*hast.Ref)
		found = found || ok && r.Var == v
	}
	hast.WalkBody(s.Body, nil, look)
	for _, g := range s.Space.Ranges {
		hast.Walk(g.Lo, look)
		hast.Walk(g.Hi, look)
	}
	return found
}

// split is the loop as two: one of n rounds at a time, and behind it one of those that are left.
func (r *roundLoop) split(n int64, several, single []hast.Step) []hast.Step {
	lo, hi := r.loop.Range.Lo, r.loop.Range.Hi
	rounds := binary(i32, ops.Max, binary(i32, ops.Sub, hi, lo), number(0))
	done := binary(i32, ops.Mul, binary(i32, ops.Div, rounds, number(n)), number(n))
	first, rest := *r.loop, *r.loop
	i, j := *r.loop.Var, *r.loop.Var
	first.Var, rest.Var = &i, &j
	first.Range = hast.Range{Lo: lo, Hi: binary(i32, ops.Add, lo, done), Step: n}
	rest.Range = hast.Range{Lo: first.Range.Hi, Hi: hi, Step: 1}
	first.Body, rest.Body = several, single
	return []hast.Step{&first, &rest}
}
