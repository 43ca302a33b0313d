package fuse

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
)

// Made remembers what was made of pipelines and stages, for those who try several ways to put the stages of one together: these make much of the same,
// which is the same pointer then, so that more can be known of it. It is not for several goroutines at a time.
type Made struct {
	opts      Options
	groups    map[*hast.Pipeline]*Groups
	inlined   map[stepOf]change
	separated map[separatedOf]change
	split     map[stepOf]change
	tabled    map[stepOf]change
	gathering map[stepOf]change
	tables    map[*hast.Stage]bool // stages that compute those of others
	parts

	overlapping map[sizedOf]change
	sizes       map[*hast.Stage][2]int
}

// parts are what groups of stages have in common with others that have come of the same pipeline.
type parts struct {
	together   map[*hast.Stage][]*group // by the last stage of a group
	renamed    map[*hast.Stage][]*hast.Stage
	like       map[*hast.Stage]*hast.Stage // of renamed stages, and of those that others are fused with
	images     map[*hast.Stage]images
	inliners   map[*hast.Stage]*inliner
	separators map[orderOf]*separator
	overlaps   map[blocksOf]overlapping
	gathers    map[*hast.Stage]gathered
	looks      *block.Looks
}

// images are those that a stage reads and writes.
type images struct{ read, written []*hast.Image }

// A group is a last stage with those fused with it and beside it.
type group struct {
	parts, beside []*hast.Stage
	stored        []*hast.Stage // of the parts those that write images which stay in memory
	together      *hast.Stage
}

// A stepOf is a stage of a pipeline.
type stepOf struct {
	pipeline *hast.Pipeline
	stage    *hast.Stage
}

// An orderOf is an order in which the sums of a stage are separated.
type orderOf struct {
	stage *hast.Stage
	first schedule.Order
}

// A separatedOf is one of a stage of a pipeline.
type separatedOf struct {
	pipeline *hast.Pipeline
	orderOf
}

// A change is what has become of a pipeline.
type change struct {
	pipeline *hast.Pipeline
	inlined  []string
	stages   []*hast.Stage // parts, or those that are left
	why      string
}

// NewMade remembers nothing yet but what is found of groups, which others may have found already.
func NewMade(opts Options, looks *block.Looks) *Made {
	return &Made{opts: opts, parts: newParts(looks)}
}

func newParts(looks *block.Looks) parts {
	return parts{together: map[*hast.Stage][]*group{}, renamed: map[*hast.Stage][]*hast.Stage{}, like: map[*hast.Stage]*hast.Stage{}, looks: looks}
}

// Of starts with every stage of a pipeline by itself.
func (m *Made) Of(p *hast.Pipeline) *Groups { return m.of(p).Clone() }

// of is Of for those who put nothing together.
func (m *Made) of(p *hast.Pipeline) *Groups {
	return memo.Of(&m.groups, p, func() *Groups { return groupsOf(p, m.opts, &m.parts) })
}

// Stages are the stages of a pipeline, in the order of the text.
func (m *Made) Stages(p *hast.Pipeline) []*hast.Stage { return m.of(p).Stages() }

// Shared is Groups.Shared.
func (m *Made) Shared(p *hast.Pipeline) bool { return m.of(p).Shared() }

// Keeps reports whether some stage of a pipeline may be a part of one that reads what it writes, which stays in memory for others.
func (m *Made) Keeps(p *hast.Pipeline) bool {
	g := m.of(p)
	return slices.ContainsFunc(g.stages, func(x *stage) bool {
		into, _ := g.keeping(x)
		return len(into) > 0
	})
}

// Inline is Inline.
func (m *Made) Inline(p *hast.Pipeline, s *hast.Stage) (out *hast.Pipeline, why string) {
	c := memo.Of(&m.inlined, stepOf{p, s}, func() (c change) {
		c.pipeline, c.why = m.of(p).inline(s)
		return c
	})
	return c.pipeline, c.why
}

// Separate is Separate.
func (m *Made) Separate(p *hast.Pipeline, s *hast.Stage, first schedule.Order) (out *hast.Pipeline, parts []*hast.Stage) {
	c := memo.Of(&m.separated, separatedOf{p, orderOf{s, first}}, func() (c change) {
		c.pipeline, c.stages = m.of(p).separate(s, first, m.opts.Floats)
		return c
	})
	return c.pipeline, c.stages
}

// Tabulate is Tabulate.
func (m *Made) Tabulate(p *hast.Pipeline, s *hast.Stage) (out *hast.Pipeline, table *hast.Stage) {
	c := memo.Of(&m.tabled, stepOf{p, s}, func() (c change) {
		c.pipeline, table = m.of(p).tabulate(s)
		if table != nil {
			c.stages = []*hast.Stage{table}
		}
		return c
	})
	if len(c.stages) == 0 {
		return p, nil
	}
	if m.tables == nil {
		m.tables = map[*hast.Stage]bool{}
	}
	m.tables[c.stages[0]] = true
	return c.pipeline, c.stages[0]
}

// ComputesTables reports whether a stage is one that Tabulate has made.
func (m *Made) ComputesTables(s *hast.Stage) bool { return m.tables[s] }

// Split is Split.
func (m *Made) Split(p *hast.Pipeline, s *hast.Stage) (out *hast.Pipeline, inlined []string, left []*hast.Stage, why string) {
	c := memo.Of(&m.split, stepOf{p, s}, func() (c change) {
		c.pipeline, c.inlined, c.stages, c.why = m.of(p).splitOff(s)
		return c
	})
	return c.pipeline, c.inlined, c.stages, c.why
}

// Like is the stage that one of a group is, but for what its variables are called and for what is fused with it; nil where that is itself.
func (m *Made) Like(s *hast.Stage) *hast.Stage { return m.like[s] }

// of is a last stage with others, made where there is none yet.
func (p *parts) of(last *hast.Stage, fused, beside []*stage, make func() *hast.Stage) *hast.Stage {
	plain := func(list []*stage) (out []*hast.Stage) {
		for _, s := range list {
			out = append(out, s.Stage)
		}
		return out
	}
	g := &group{parts: plain(fused), beside: plain(beside)}
	for _, part := range fused {
		if part.stays {
			g.stored = append(g.stored, part.Stage)
		}
	}
	for _, have := range p.together[last] {
		if slices.Equal(have.parts, g.parts) && slices.Equal(have.beside, g.beside) && slices.Equal(have.stored, g.stored) {
			return have.together
		}
	}
	switch g.together = make(); {
	case g.together.Reduced != nil:
		p.like[g.together] = fused[len(fused)-1].Stage
	case len(beside) == 0 && len(g.together.Body) > 0: // else it is around the last one
		p.like[g.together] = last
	}
	p.together[last] = append(p.together[last], g)
	return g.together
}

// over is a stage over other variables.
func (p *parts) over(s *hast.Stage, vars []*hast.Var) *hast.Stage {
	for _, have := range p.renamed[s] {
		if slices.Equal(have.Space.Vars, vars) {
			return have
		}
	}
	x := renamed(s, vars)
	p.renamed[s] = append(p.renamed[s], x)
	if x != s {
		p.like[x] = s
	}
	return x
}

// imagesOf are the images of a stage, in lists that others may append to.
func (p *parts) imagesOf(s *hast.Stage) images {
	return memo.Of(&p.images, s, func() images { return images{slices.Clip(read(s)), slices.Clip(written(s))} })
}

// inliner is what puts a stage into those that read it.
func (p *parts) inliner(s *hast.Stage) *inliner {
	return memo.Of(&p.inliners, s, func() *inliner { return newInliner(s) })
}

// apart is a stage with its sums taken apart in a pipeline with some names. Its parts are the same stages wherever they are called the same.
func (p *parts) apart(s *hast.Stage, first schedule.Order, floats bool, names func() map[string]bool, extent func(n hast.Expr) bool) *separator {
	of := orderOf{s, first}
	if z := p.separators[of]; z != nil && z.floats == floats && z.fits(names()) {
		return z
	}
	z := newSeparator(s, first, floats, names(), extent)
	if p.separators == nil {
		p.separators = map[orderOf]*separator{}
	}
	p.separators[of] = z
	return z
}

// whyApart says why a stage cannot be computed with those that are fused with it, and reduced by one.
func (p *parts) whyApart(s *hast.Stage, opts Options) string {
	if s.Reduced != nil {
		if opts.Rows {
			return "work-items that compute rows do not reduce them"
		}
		if why := block.RefuseReduced(s, s.Reduced, opts.Floats); why != "" {
			return why
		}
	}
	return p.looks.Together(s, opts.Unroll).Apart
}
