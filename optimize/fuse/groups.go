package fuse

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/block"
)

// Groups are the stages of a pipeline, put together in groups: at first, each stage is one.
type Groups struct {
	pipeline *hast.Pipeline
	opts     Options
	uses     map[*hast.Image]*uses
	stages   []*stage            // in the order of the text
	numbers  map[*hast.Stage]int // in stages
	made     *parts
}

// A stage is one of the pipeline.
type stage struct {
	*hast.Stage
	images
	number int         // in the stages of all groups
	list   []hast.Step // that it is a step of
	index  int         // in list
	levels bool        // list is run again at other levels of a pyramid
	into   []*stage    // the last stages of the groups that compute it; itself alone where it is one
	parts  []*stage    // of the last stage of a group: those fused with it, in the order of the text
	beside []*stage    // of the last stage of a group: those that do the same instances' work beside it, in the order of the text
	stays  bool        // what it writes stays in memory, though it is fused
}

// Of starts with every stage by itself. Reductions of at most unroll points will be written out.
func Of(p *hast.Pipeline, unroll int) *Groups {
	made := newParts(&block.Looks{})
	return groupsOf(p, Options{Unroll: unroll}, &made)
}

func groupsOf(p *hast.Pipeline, opts Options, made *parts) *Groups {
	g := &Groups{pipeline: p, opts: opts, numbers: map[*hast.Stage]int{}, made: made}
	g.enter(p.Steps, false)
	g.uses = g.usesOf()
	return g
}

func (g *Groups) enter(list []hast.Step, levels bool) {
	for i, s := range list {
		if s, ok := s.(*hast.Stage); ok {
			x := &stage{Stage: s, images: g.made.imagesOf(s), number: len(g.stages), list: list, index: i, levels: levels}
			x.into = []*stage{x}
			g.stages = append(g.stages, x)
			g.numbers[s] = x.number
		}
		_, traverse := s.(*hast.Traverse)
		for _, body := range hast.StepBodies(s) {
			g.enter(body, levels || traverse)
		}
	}
}

// of is a stage of the pipeline; nil of another's.
func (g *Groups) of(s *hast.Stage) *stage {
	if i, known := g.numbers[s]; known {
		return g.stages[i]
	}
	return nil
}

// Stages are the stages of the pipeline, in the order of the text.
func (g *Groups) Stages() []*hast.Stage {
	out := make([]*hast.Stage, len(g.stages))
	for i, s := range g.stages {
		out[i] = s.Stage
	}
	return out
}

// Fuse makes a stage a part of all groups that read what it writes. It has to be the last of its own group, and those that read it have
// to be in theirs. Otherwise nothing changes, and Fuse says why, as the end of a sentence.
func (g *Groups) Fuse(s *hast.Stage) (why string) {
	x := g.of(s)
	into, why := g.targets(x)
	if why != "" {
		return why
	}
	return g.fuse(x, into, g.stored(x))
}

// fuse makes a stage a part of the groups with some last stages; stays says that what it writes is in memory then.
func (g *Groups) fuse(x *stage, into []*stage, stays bool) (why string) {
	for _, last := range into {
		if why := g.moves(x, last, stays); why != "" {
			return why
		}
	}
	before := make([][]*stage, len(into))
	for i, last := range into {
		before[i] = last.parts
		last.parts = inOrder(append(append(slices.Clone(last.parts), x.parts...), x))
	}
	for i, last := range into {
		if why := g.made.whyApart(g.together(last), g.opts); why != "" {
			for k := range into {
				into[k].parts = before[k]
			}
			return fmt.Sprintf("with %s: %s", into[i].Name, why)
		}
	}
	for _, part := range append(slices.Clone(x.parts), x) {
		part.into = slices.DeleteFunc(part.into, func(y *stage) bool { return y == x || slices.Contains(into, y) })
		part.into = append(part.into, into...)
	}
	return ""
}

// Into are the stages at the ends of the groups that Fuse would make a stage a part of, as they are now, and the stage itself, with all
// that is fused with it.
func (g *Groups) Into(s *hast.Stage) (self *hast.Stage, into []*hast.Stage) {
	x := g.of(s)
	targets, _ := g.targets(x)
	for _, last := range targets {
		into = append(into, g.together(last))
	}
	return g.together(x), into
}

// Ends are the stages at the ends of the groups that a stage is in, with all that is fused with them.
func (g *Groups) Ends(s *hast.Stage) (ends []*hast.Stage) {
	for _, last := range g.of(s).into {
		ends = append(ends, g.together(last))
	}
	return ends
}

// Clone is a copy, which may be changed by itself.
func (g *Groups) Clone() *Groups {
	out := *g
	copies := make([]stage, len(g.stages))
	out.stages = make([]*stage, len(g.stages))
	for i, s := range g.stages {
		copies[i] = *s
		out.stages[i] = &copies[i]
	}
	for _, s := range out.stages {
		s.into, s.parts, s.beside = out.mine(s.into), out.mine(s.parts), out.mine(s.beside)
	}
	return &out
}

// mine are the stages of these groups that are some of others, of which these are a copy.
func (g *Groups) mine(list []*stage) []*stage {
	out := slices.Clone(list)
	for i, x := range out {
		out[i] = g.stages[x.number]
	}
	return out
}

// inOrder sorts stages of one list of steps as they stand in it, each once.
func inOrder(list []*stage) []*stage {
	slices.SortFunc(list, func(a, b *stage) int { return a.index - b.index })
	return slices.Compact(list)
}

// targets are the last stages of the groups that read what a stage writes.
func (g *Groups) targets(x *stage) (into []*stage, why string) {
	switch {
	case x.Scan != nil || len(x.into) != 1 || x.into[0] != x || len(x.beside) > 0:
		return nil, "it runs step by step, or is fused already"
	case len(x.written) == 0:
		return nil, "it writes nothing"
	}
	for _, m := range x.written {
		more, why := g.targetsOf(x, m)
		if why != "" {
			return nil, why
		}
		for _, last := range more {
			if !slices.Contains(into, last) {
				into = append(into, last)
			}
		}
	}
	if len(into) == 0 {
		return nil, "nothing behind it reads what it writes"
	}
	for _, m := range x.written {
		if len(into) > 1 && !g.inner(m) {
			return nil, fmt.Sprintf("%s has to be stored, and several stages would", m.Name)
		}
	}
	if len(into) > 1 && len(x.parts) > 0 {
		return nil, "it has stages fused with it, and several that it would be fused with"
	}
	return into, ""
}

// targetsOf are those that read one of the images that it writes.
func (g *Groups) targetsOf(x *stage, m *hast.Image) (into []*stage, why string) {
	u := g.uses[m.Base()]
	switch {
	case m.View != nil || !g.own(m) || u.other || len(u.writers) != 1:
		return nil, fmt.Sprintf("%s is more than an image that it alone writes", m.Name)
	case x.levels && m.Of == nil:
		return nil, fmt.Sprintf("it runs at several levels of a pyramid, and %s is one image for all of them", m.Name)
	}
	for _, r := range u.readers {
		switch y := g.of(r); {
		case y == x:
			return nil, fmt.Sprintf("it reads %s itself", m.Name)
		case same(y.list, x.list) && y.index > x.index:
			into = append(into, y.into...)
		case g.inner(m):
			return nil, fmt.Sprintf("%s reads %s in another round or branch", r.Name, m.Name)
		}
	}
	return into, ""
}

// same reports whether two lists of steps are one.
func same(a, b []hast.Step) bool { return &a[0] == &b[0] }

// own reports whether an image is no level of a pyramid, or the only one that is named of it, so that nothing is known of the others, and
// need not start as zeros; and others have its extents, which are tested.
func (g *Groups) own(m *hast.Image) bool {
	if m.Of == nil {
		return true
	}
	tested := false
	for _, n := range g.pipeline.Images {
		if n.Of == m.Of && n != m {
			return false
		}
		tested = tested || n.Of != nil && n != m && n.Of.Used == nil && slices.EqualFunc(n.Extent, m.Extent, hast.Equal)
	}
	return tested && !m.Of.Zero && !m.Zero
}

// inner reports whether an image needs no storage once all that read it are fused with the stage that writes it.
func (g *Groups) inner(m *hast.Image) bool { return m.Dir == hast.Local && !m.Scalar }

// moves says why a stage cannot run where a later one does; stays says that what it writes is in memory then.
func (g *Groups) moves(x, last *stage, stays bool) string {
	for i := x.index + 1; i < last.index; i++ {
		if why := g.passes(x, x.list[i], last, stays); why != "" {
			return why
		}
	}
	return ""
}

// passes says why a stage cannot run behind a step, with all that is inside of that, and where a later stage does.
func (g *Groups) passes(x *stage, step hast.Step, last *stage, stays bool) string {
	switch s := step.(type) {
	case *hast.DefineHost, *hast.DefineView:
	case *hast.Fresh:
		if touches([]*hast.Image{s.Image}, append(x.read, x.written...)) {
			return fmt.Sprintf("%s starts anew before %s runs", s.Image.Name, last.Name)
		}
	case *hast.Stage:
		y := g.of(s)
		if touches(y.written, x.read) {
			return fmt.Sprintf("%s writes what it reads before %s runs", s.Name, last.Name)
		}
		before := slices.ContainsFunc(y.into, func(z *stage) bool { return z.index < last.index })
		if before && stays && touches(x.written, y.read) {
			return fmt.Sprintf("%s needs what it writes before %s runs", s.Name, last.Name)
		}
		if stays && touches(x.written, y.written) {
			return fmt.Sprintf("%s writes what it writes before %s runs", s.Name, last.Name)
		}
	case *hast.Traverse, *hast.Descend, *hast.IfHost, *hast.ForHost, *hast.WhileHost:
		for _, body := range hast.StepBodies(s) {
			for _, inner := range body {
				if why := g.passes(x, inner, last, stays); why != "" {
					return why
				}
			}
		}
		if down, descends := step.(*hast.Descend); descends {
			return g.descends(x, down, last, stays)
		}
	default:
		return fmt.Sprintf("there are other steps between it and %s", last.Name)
	}
	return ""
}

// descends says why a stage cannot run behind what coarser levels of a traverse do, and where a later stage does.
func (g *Groups) descends(x *stage, down *hast.Descend, last *stage, stays bool) (why string) {
	hast.WalkStages(down.Of.Body, func(_ []hast.Step, s *hast.Stage) {
		y := g.of(s)
		switch {
		case meetBelow(x.read, y.written):
			why = fmt.Sprintf("%s writes at coarser levels what it reads, before %s runs", s.Name, last.Name)
		case stays && (meetBelow(x.written, y.read) || meetBelow(x.written, y.written)):
			why = fmt.Sprintf("%s needs at coarser levels what it writes, before %s runs", s.Name, last.Name)
		}
	})
	return why
}

// meetBelow reports whether some images of the level at hand may be those that others are while a coarser one is at hand.
func meetBelow(here, below []*hast.Image) bool {
	return slices.ContainsFunc(here, func(m *hast.Image) bool {
		m = m.Base()
		return slices.ContainsFunc(below, func(n *hast.Image) bool {
			n = n.Base()
			if m.Of == nil || m.Of != n.Of {
				return m == n
			}
			x, y := hast.LevelOf(m.Index), hast.LevelOf(n.Index)
			return x.At != y.At || x.Plus > y.Plus
		})
	})
}

// stored reports whether a stage writes an image that stays in memory.
func (g *Groups) stored(x *stage) bool {
	return slices.ContainsFunc(x.written, func(m *hast.Image) bool { return !g.inner(m) })
}

// together is the last stage of a group with those that are fused with it, and the work of those beside it.
func (g *Groups) together(last *stage) *hast.Stage {
	if len(last.parts) == 0 && len(last.beside) == 0 {
		return last.Stage
	}
	return g.made.of(last.Stage, last.parts, last.beside, func() *hast.Stage { return g.joined(last) })
}

// joined makes what together is of a group of several stages.
func (g *Groups) joined(last *stage) *hast.Stage {
	if block.IsPart(last.Stage) && len(last.parts) > 0 {
		return g.reduced(last)
	}
	coarsest, beside, finer := g.atScales(last)
	out := *coarsest.Stage
	out.Name = last.Name
	if len(beside) > 0 {
		out.Body = merged(coarsest, beside)
	}
	for _, s := range beside {
		out.Independent = out.Independent || s.Independent
	}
	parts := inOrder(append(slices.Clone(last.parts), finer...))
	if space, wider := g.around(coarsest.Space, parts); wider {
		part := out
		part.Name = coarsest.Name
		out = hast.Stage{Name: last.Name, Space: space, At: last.At, Fused: []*hast.Stage{&part}}
	}
	for i, p := range parts {
		out.Fused = slices.Insert(out.Fused, i, g.made.over(p.Stage, coarsest.Space.Vars))
		if !slices.Contains(finer, p) {
			out.Inner = append(out.Inner, g.innerOf(p)...)
		}
	}
	return &out
}

// around is the space of a stage with one more instance along the axes on which parts that stay in memory have some that belong to none of its own: of an odd number of rows, the last one is not
// below any of half as many, rounded down. Wider is whether there is such an axis.
func (g *Groups) around(space hast.Space, parts []*stage) (out hast.Space, wider bool) {
	out = space
	out.Ranges = slices.Clone(space.Ranges)
	for _, p := range parts {
		if !g.stored(p) && !p.stays || len(p.Space.Ranges) != len(space.Ranges) {
			continue
		}
		for k, r := range p.Space.Ranges {
			if n, all := block.Scale(r, space.Ranges[k]); n > 0 && !all {
				out.Ranges[k].Hi, wider = hast.Binary(ops.Div, linear.Plus(r.Hi, int64(n-1)), hast.Int(int64(n))), true
			}
		}
	}
	return out, wider
}

// innerOf are the images that a part of a group writes which need no storage.
func (g *Groups) innerOf(p *stage) (list []*hast.Image) {
	for _, m := range p.written {
		if g.inner(m) && !p.stays {
			list = append(list, m)
		}
	}
	return list
}

// renamed is a stage over other variables, as many as it has; where it has not as many, the stage as it is.
func renamed(s *hast.Stage, vars []*hast.Var) *hast.Stage {
	if len(vars) != len(s.Space.Vars) {
		return s
	}
	out := *s
	out.Space.Vars = vars
	out.Body = hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			r, ok := e.(*hast.Ref)
			if !ok {
				return nil
			}
			if i := slices.Index(s.Space.Vars, r.Var); i >= 0 {
				return &hast.Ref{Typed: r.Typed, Var: vars[i]}
			}
			return nil
		})
	})
	return &out
}
