package finest

import (
	"slices"

	"imgc/hast"
)

// around is the list that the traverse stands in, at i, with its finest level in it. What comes before and behind is put together with that level
// where it uses its images; where nobody knows whether there is another one, all of that is there twice.
func (c *cloner) around(list []hast.Step, i int) (out []hast.Step) {
	t := c.traverse
	one := &hast.Traverse{Levels: c.apart.levels, Names: t.Names, Apart: t.Apart + 1, At: t.At}
	one.Body = hast.Into(c.left(), t, one)
	_, constant := hast.Number(t.Levels.Count)
	if constant {
		return slices.Concat(c.each(list[:i]), c.peeled(2, one), c.each(list[i+1:]))
	}
	from, to := c.touching(list, i)
	if c.usersOf(c.out.Steps) != c.usersOf(list[from:i])+c.usersOf(list[i+1:to]) {
		c.apart.alone = c.apart.finest // it is used elsewhere, too
	}
	c.apart.twins = twinsOf(c.out, list[from:to])
	several, alone := c.cloner(outside, 2), c.cloner(outside, 1)
	return append(append(c.each(list[:from]), &hast.IfHost{
		Cond: above(t.Levels.Count, hast.Int(1)),
		Then: slices.Concat(several.each(list[from:i]), c.peeled(2, one), several.each(list[i+1:to])),
		Else: slices.Concat(alone.each(list[from:i]), c.peeled(1, nil), alone.each(list[i+1:to])),
		At:   t.At,
	}), c.each(list[to:])...)
}

// each are steps of a list that the traverse does not stand in.
func (c *cloner) each(list []hast.Step) (out []hast.Step) {
	for _, s := range list {
		out = append(out, c.step(s)...)
	}
	return out
}

// touching says from where to where stages next to the traverse, at i, lie that use images of its finest level; behind a level that is by itself all that
// stand there with it, since these are what it is put together with.
func (c *cloner) touching(list []hast.Step, i int) (from, to int) {
	from, to = i, i+1
	for k := i - 1; k >= 0 && isStage(list[k]); k-- {
		if c.uses(list[k]) || c.traverse.Apart > 0 {
			from = k
		}
	}
	for k := i + 1; k < len(list) && isStage(list[k]); k++ {
		if c.uses(list[k]) || c.traverse.Apart > 0 {
			to = k + 1
		}
	}
	return from, to
}

// twinsOf are images to take the place of those that belong to a pipeline's steps and nobody else: local ones, all of whose users stand in the
// list. The map leads from each to the one that takes its place.
func twinsOf(p *hast.Pipeline, list []hast.Step) map[*hast.Image]*hast.Image {
	inside, all := map[*hast.Image]int{}, map[*hast.Image]int{}
	count := func(list []hast.Step, users map[*hast.Image]int) {
		hast.WalkSteps(list, func(s hast.Step) { images(s, func(m *hast.Image) { users[m.Base()]++ }) })
	}
	count(list, inside)
	count(p.Steps, all)
	for _, m := range p.Images {
		if m.View != nil {
			delete(inside, m.Base())
		}
	}
	twins := map[*hast.Image]*hast.Image{}
	for m, users := range inside {
		if m.Dir == hast.Local && m.Of == nil && !m.Zero && users == all[m] {
			twin := *m
			twins[m] = &twin
		}
	}
	return twins
}

func isStage(s hast.Step) bool {
	_, ok := s.(*hast.Stage)
	return ok
}

// usersOf counts the stages of a list, and of the steps in it, that use the finest level of one of the pyramids and are not the traverse's.
func (c *cloner) usersOf(list []hast.Step) (n int) {
	for _, s := range list {
		if s == hast.Step(c.traverse) {
			continue
		}
		if c.uses(s) {
			n++
		}
		for _, body := range hast.StepBodies(s) {
			n += c.usersOf(body)
		}
	}
	return n
}

// uses reports whether a step outside of the traverse touches the finest level of one of its pyramids.
func (c *cloner) uses(s hast.Step) bool { return usesFinest(s, c.traverse.Levels) }

// peeled is the finest level, with the traverse that is left in it; nil where it has no others.
func (c *cloner) peeled(levels int, left *hast.Traverse) (out []hast.Step) {
	own, down := c.cloner(first, levels), descent(c.traverse)
	out = own.steps(c.traverse.Body[:down])
	if left != nil {
		out = append(append(out, c.cloner(second, levels).steps(c.traverse.Body[:looking(c.traverse)])...), left)
	}
	return append(out, own.steps(c.traverse.Body[down+1:])...)
}

// left is the body of the traverse that is left. What looks at the level below has been done for its finest level when it starts.
func (c *cloner) left() (out []hast.Step) {
	own, looks := c.cloner(rest, 2), looking(c.traverse)
	for i, s := range c.traverse.Body {
		steps := own.step(s)
		if _, defines := s.(*hast.DefineHost); i < looks && !defines && len(steps) > 0 {
			top := above(hast.RefTo(c.apart.levels.Level), hast.Int(0))
			steps = []hast.Step{&hast.IfHost{Cond: top, Then: steps, At: s.Span()}}
		}
		out = append(out, steps...)
	}
	hast.WalkSteps(out, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			c.stays[s.Name] = true
		}
	})
	return out
}

// descent is where a traverse goes one level coarser, in its body; -1 where that is not said there.
func descent(t *hast.Traverse) int {
	return slices.IndexFunc(t.Body, func(s hast.Step) bool {
		_, ok := s.(*hast.Descend)
		return ok
	})
}

// looking is where, in the body of a traverse, the steps end that may look at the next finer level: values, and conditions that ask whether there
// is one.
func looking(t *hast.Traverse) int {
	for i, s := range t.Body {
		switch s := s.(type) {
		case *hast.DefineHost:
		case *hast.IfHost:
			if !asks(s.Cond, t.Levels, 0) || !asks(s.Cond, t.Levels, 1) {
				return i
			}
		default:
			return i
		}
	}
	return len(t.Body)
}

// asks reports whether a condition is known once the level is.
func asks(cond hast.Expr, l *hast.Levels, level int64) bool {
	_, known := Truth(atLevel(cond, l, level))
	return known
}

// Skipped reports whether a step is not carried out at the finest level.
func Skipped(s hast.Step, l *hast.Levels) bool {
	x, ok := s.(*hast.IfHost)
	if !ok || len(x.Else) > 0 {
		return false
	}
	holds, known := Truth(atLevel(x.Cond, l, 0))
	return known && !holds
}

func atLevel(cond hast.Expr, l *hast.Levels, level int64) hast.Expr {
	return Folded(hast.Map(cond, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok && r.Var == l.Level {
			return hast.Int(level)
		}
		return nil
	}))
}
