package rotate

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/finest"
)

// Program is p with those traverses rotated of which rotated, asked where Refuse has nothing to say, says so; it may look at what the pipeline would be. It does not change p.
func Program(p *hast.Program, rotated finest.Choice) *hast.Program {
	return finest.Rewritten(p, Refuse, Rotated, rotated)
}

// Rotated is a pipeline with a traverse rotated, for which Refuse has nothing to say.
func Rotated(p *hast.Pipeline, t *hast.Traverse) *hast.Pipeline {
	out := *p
	out.Images = slices.Clone(p.Images)
	n := &nexter{traverse: t, pipeline: &out}
	f := partsOf(t)
	next := &hast.IfHost{Cond: isBelow(t.Levels), Then: slices.Clone(f.beside), Else: n.coarsest(f.beside), At: t.At}
	if f.own != nil {
		next.Cond, next.Then = f.own.Cond, append(next.Then, f.own.Then...)
	}
	for _, look := range f.looks {
		for _, s := range look.Then {
			next.Then = append(next.Then, n.stage(s.(*hast.Stage)))
		}
	}
	to := *t
	to.Rotated = true
	to.Body = hast.Into(slices.Concat(f.declared, f.before, []hast.Step{next}, f.rest), t, &to)
	out.Steps = hast.MapSteps(p.Steps, func(s hast.Step) []hast.Step {
		if s == hast.Step(t) {
			return []hast.Step{&to}
		}
		return nil
	})
	return &out
}

// isBelow is the condition that there is a level below the one at hand.
func isBelow(l *hast.Levels) hast.Expr {
	return hast.Compare(ops.Lt, hast.Plus(hast.RefTo(l.Level), 1), l.Count)
}

// The parts of a traverse's body, in order.
type parts struct {
	declared []hast.Step    // values, and images that start anew
	looks    []*hast.IfHost // of stages that all levels but the finest begin with
	own      *hast.IfHost   // of stages right before the descent, in a body that begins with no looks: what it does of the next level itself
	before   []hast.Step
	beside   []hast.Step // stages right before the descent, and before such a condition, from the first on that has to do with what the looks or these read
	rest     []hast.Step // from the descent on
}

// partsOf takes a traverse's body apart, which descends once, in its own list.
func partsOf(t *hast.Traverse) (f parts) {
	list := t.Body
	for len(list) > 0 {
		look, isLook := list[0].(*hast.IfHost)
		if isLook = isLook && finest.Skipped(look, t.Levels); isLook {
			f.looks = append(f.looks, look)
		} else if declares(list[0]) {
			f.declared = append(f.declared, list[0])
		} else {
			break
		}
		list = list[1:]
	}
	down := slices.IndexFunc(list, descends)
	if down < 0 {
		return f
	}
	end := down
	if own, ok := last(list[:down]).(*hast.IfHost); ok && len(f.looks) == 0 && len(own.Else) == 0 && !slices.ContainsFunc(own.Then, func(s hast.Step) bool { return !isStage(s) }) {
		f.own, end = own, down-1
	}
	from := end
	for k := end - 1; k >= 0 && isStage(list[k]); k-- {
		if f.concerns(list[k].(*hast.Stage)) {
			from = k
		}
	}
	f.before, f.beside, f.rest = list[:from], list[from:end], list[down:]
	return f
}

// last is the last step of a list; nil where there is none.
func last(list []hast.Step) hast.Step {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

func descends(s hast.Step) bool {
	_, is := s.(*hast.Descend)
	return is
}

func isStage(s hast.Step) bool {
	_, is := s.(*hast.Stage)
	return is
}

// declares reports whether a step declares a value or an image of the level at hand.
func declares(s hast.Step) bool {
	switch s.(type) {
	case *hast.DefineHost, *hast.Fresh:
		return true
	}
	return false
}

// concerns reports whether a stage reads or writes an image of its level that looks of the next one read there, or what the body itself does of that.
func (f *parts) concerns(s *hast.Stage) bool {
	if f.own != nil {
		return concerned(s, f.own.Then, 0)
	}
	return slices.ContainsFunc(f.looks, func(look *hast.IfHost) bool { return concerned(s, look.Then, 1) })
}

// concerned reports whether a stage reads or writes an image that others read, so many levels coarser.
func concerned(s *hast.Stage, others []hast.Step, down int64) (found bool) {
	hast.WalkStages(others, func(_ []hast.Step, x *hast.Stage) {
		x.EachRead(func(m *hast.Image) {
			found = found || touches(s, func(n *hast.Image) bool {
				return m == n && m.Of == nil || m.Of != nil && m.Of == n.Of && hast.LevelOf(m.Index).Plus+down == hast.LevelOf(n.Index).Plus
			})
		})
	})
	return found
}

// touches reports whether a stage reads or writes an image of which is holds.
func touches(s *hast.Stage, is func(*hast.Image) bool) (found bool) {
	look := func(m *hast.Image) { found = found || is(m) }
	s.EachRead(look)
	hast.EachStore(s.Body, func(st *hast.Store) { look(st.Image) })
	return found
}

// A nexter writes stages as they are one level coarser than the one at hand, seen from there.
type nexter struct {
	traverse *hast.Traverse
	pipeline *hast.Pipeline // which gets the images that it does not have
}

// stage is a stage of the next level.
func (n *nexter) stage(s *hast.Stage) *hast.Stage { return hast.MapStage(s, n.expr, n.expr, n.image) }

// expr is an expression of the next level.
func (n *nexter) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Ref:
			return n.variable(e.Var)
		case *hast.Load:
			if e.Image.Of != nil {
				return hast.Reading(e, n.image(e.Image), n.expr)
			}
		case *hast.Window:
			if e.Image.Of != nil {
				return hast.Reading(e, n.image(e.Image), n.expr)
			}
		}
		return nil
	})
}

// variable is what a variable of the levels is at the next one; nil for others.
func (n *nexter) variable(v *hast.Var) hast.Expr {
	l := n.traverse.Levels
	if v == l.Level {
		return hast.Plus(hast.RefTo(v), 1)
	}
	for _, s := range l.Scaled {
		switch k := slices.Index(s.Finer, v); {
		case v == s.Var:
			return finest.Folded(hast.Binary(ops.Div, hast.Binary(ops.Add, hast.RefTo(v), hast.Int(s.Factor-1)), hast.Int(s.Factor)))
		case k == 0:
			return hast.RefTo(s.Var)
		case k > 0:
			return hast.RefTo(s.Finer[k-1])
		}
	}
	return nil
}

// image is what an image of a level is at the next one, which the pipeline has already where it is named.
func (n *nexter) image(m *hast.Image) *hast.Image {
	if m.Of == nil {
		return m
	}
	level := hast.LevelOf(m.Index)
	for _, x := range n.pipeline.Images {
		if x.Of == m.Of && x.View == nil && hast.LevelOf(x.Index) == (hast.LevelNumber{At: level.At, Plus: level.Plus + 1}) {
			return x
		}
	}
	out := *m
	out.Name = fmt.Sprintf("%s[%+d]", m.Of.Name, level.Plus+1)
	out.Index, out.Extent = hast.Plus(hast.RefTo(level.At), level.Plus+1), nil
	for _, e := range m.Extent {
		out.Extent = append(out.Extent, n.expr(e))
	}
	n.pipeline.Images = append(n.pipeline.Images, &out)
	return &out
}

// coarsest are stages of the coarsest level, with names of their own.
func (n *nexter) coarsest(list []hast.Step) (out []hast.Step) {
	names := map[string]bool{}
	hast.WalkStages(n.pipeline.Steps, func(_ []hast.Step, s *hast.Stage) { names[s.Name] = true })
	for _, s := range list {
		x := *s.(*hast.Stage)
		x.Body = hast.MapStmts(x.Body, func(e hast.Expr) hast.Expr { return e })
		base := x.Name + "_coarsest"
		x.Name = base
		for k := 2; names[x.Name]; k++ {
			x.Name = fmt.Sprintf("%s_%d", base, k)
		}
		names[x.Name] = true
		out = append(out, &x)
	}
	return out
}
