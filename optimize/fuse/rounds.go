package fuse

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// Rounds is a pipeline in which a loop of the host does n rounds in one: for rounds of stages of which the last one, s, computes one image from
// another, before the two are swapped. Parts are all of these stages but s in the last round, whose images between are new ones; fused with it, they
// need no memory. What is left when n do not divide the rounds is done one by one, by the stages rest in a loop behind. Where the stage is in no such
// loop, why says so, as the end of a sentence. This is temporal blocking: a tile of several rounds reads and writes memory once, and computes a frame
// around itself again.
func Rounds(p *hast.Pipeline, s *hast.Stage, n int) (out *hast.Pipeline, parts, rest []*hast.Stage, why string) {
	r, why := roundsOf(p, s)
	if why != "" {
		return p, nil, nil, why
	}
	q := *p
	q.Images = slices.Clone(p.Images)
	source := r.a
	var body []hast.Step
	single := slices.Clone(r.fresh)
	for k := range n {
		from, to := map[*hast.Image]*hast.Image{r.a: source}, map[*hast.Image]*hast.Image{}
		for _, x := range r.body {
			part := r.copied(&q, x, fmt.Sprintf("_round%d", k+1), from, to, k == n-1)
			if body = append(body, part); part.Name != s.Name {
				parts = append(parts, part)
			}
		}
		source = to[r.b]
	}
	for _, x := range r.body {
		left := *x
		left.Name = x.Name + "_rest"
		rest, single = append(rest, &left), append(single, &left)
	}
	again := *r.swap
	body, single = append(body, r.swap), append(single, &again)
	q.Steps = hast.MapSteps(p.Steps, func(step hast.Step) []hast.Step {
		if step != hast.Step(r.loop) {
			return nil
		}
		return r.split(int64(n), body, single)
	})
	return &q, parts, rest, ""
}

// copied is a stage of a round, which reads and writes images of this round in place of the loop's: from and to have those so far. In the last
// round the loop's last image is what it was.
func (r *roundLoop) copied(q *hast.Pipeline, s *hast.Stage, suffix string, from, to map[*hast.Image]*hast.Image, last bool) *hast.Stage {
	read := reading(s, from)
	for _, x := range written(s) {
		if last && x == r.b {
			return read
		}
		m := *x
		m.Name += suffix
		q.Images = append(q.Images, &m)
		from[x], to[x] = &m, &m
	}
	part := writing(read, to)
	part.Name = s.Name + suffix
	return part
}

// Round is the stages of a round of the loop that a stage is the last one of, in their order; nil where it is that of no loop whose rounds can be
// done together.
func Round(p *hast.Pipeline, s *hast.Stage) []*hast.Stage {
	if r, why := roundsOf(p, s); why == "" {
		return r.body
	}
	return nil
}

// A roundLoop is a loop whose rounds compute an image from another one, by way of others or at once, and swap them.
type roundLoop struct {
	loop *hast.ForHost
	swap *hast.Swap
	a, b *hast.Image   // what a round reads, and what it writes
	body []*hast.Stage // of a round; the last one writes b

	fresh []hast.Step // declarations of images between them, which hold nothing from one round to the next
}

// loopOf is the loop of stages of which the last one is s, before a swap; nil where there is none.
func loopOf(p *hast.Pipeline, s *hast.Stage) (r *roundLoop) {
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		loop, ok := step.(*hast.ForHost)
		if !ok || len(loop.Body) < 2 || loop.Body[len(loop.Body)-2] != hast.Step(s) || loop.Range.Step != 1 {
			return
		}
		swap, ok := loop.Body[len(loop.Body)-1].(*hast.Swap)
		if !ok {
			return
		}
		found := &roundLoop{loop: loop, swap: swap, a: swap.A, b: swap.B}
		for _, x := range loop.Body[:len(loop.Body)-1] {
			switch x := x.(type) {
			case *hast.Stage:
				found.body = append(found.body, x)
			case *hast.Fresh:
				found.fresh = append(found.fresh, x)
			default:
				return
			}
		}
		r = found
	})
	return r
}

// roundsOf finds the loop of a stage; why says why its rounds stay apart.
func roundsOf(p *hast.Pipeline, s *hast.Stage) (r *roundLoop, why string) {
	r = loopOf(p, s)
	if r == nil {
		return nil, "it is not the last stage of a loop of the host, up by one, that is nothing but stages and a swap of what the last one writes with what they read"
	}
	if slices.Contains(written(s), r.a) {
		r.a, r.b = r.b, r.a
	}
	if r.a.Of != nil || r.a.Lower != nil {
		return nil, fmt.Sprintf("%s is more than an image", r.a.Name)
	}
	for i, x := range r.body {
		m, subject := r.b, "it"
		if list := written(x); x != s && len(list) > 0 {
			m, subject = list[0], x.Name
		}
		switch {
		case replaces(x, m) == nil || len(written(x)) != 1 || m == r.a || x != s && m == r.b:
			return nil, fmt.Sprintf("%s does more than to write each pixel of %s once", subject, m.Name)
		case mentionsIn(x, r.loop.Var):
			return nil, fmt.Sprintf("%s computes with %s, which counts the rounds", subject, r.loop.Var.Name)
		case m.Dir != hast.Local || m.Of != nil || m.Zero || m.Lower != nil:
			return nil, fmt.Sprintf("%s is more than a local image", m.Name)
		}
		if why := r.needed(p, m, i); why != "" {
			return nil, why
		}
	}
	return r, ""
}

// needed says what looks at an image that a stage of the round writes, other than the stages behind it: it holds something else when rounds are done
// together.
func (r *roundLoop) needed(p *hast.Pipeline, m *hast.Image, writer int) (why string) {
	list := []*hast.Image{m}
	hast.WalkSteps(p.Steps, func(step hast.Step) {
		used := false
		switch x := step.(type) {
		case *hast.Stage:
			used = touches(read(x), list) && !slices.Contains(r.body[writer+1:], x) || x != r.body[writer] && touches(written(x), list)
		case *hast.Swap:
			used = x != r.swap && touches([]*hast.Image{x.A, x.B}, list)
		case *hast.SetScalar:
			used = x.From == m
		case *hast.Fetch:
			used = x.From == m
		case *hast.DefineView:
			used = x.Image.Base() == m
		}
		if used && why == "" {
			why = fmt.Sprintf("%s is needed elsewhere, too", m.Name)
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
	rounds := binary(i32, ops.Max, binary(i32, ops.Sub, hi, lo), hast.Int(0))
	done := binary(i32, ops.Mul, binary(i32, ops.Div, rounds, hast.Int(n)), hast.Int(n))
	first, rest := *r.loop, *r.loop
	i, j := *r.loop.Var, *r.loop.Var
	first.Var, rest.Var = &i, &j
	first.Range = hast.Range{Lo: lo, Hi: binary(i32, ops.Add, lo, done), Step: n}
	rest.Range = hast.Range{Lo: first.Range.Hi, Hi: hi, Step: 1}
	first.Body, rest.Body = several, single
	return []hast.Step{&first, &rest}
}
