package fuse

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/tables"
)

// Tabulate is a pipeline in which a stage takes what depends on one byte alone from tables, which another stage computes before it; nil where it has nothing that is
// worth that. Tables that depend on parameters alone are computed before all other steps, so that no loop computes them again. The levels of a pyramid would each have their own.
func Tabulate(p *hast.Pipeline, s *hast.Stage) (out *hast.Pipeline, table *hast.Stage) {
	return Of(p, 0).tabulate(s)
}

func (g *Groups) tabulate(s *hast.Stage) (out *hast.Pipeline, table *hast.Stage) {
	p := g.pipeline
	if g.of(s).levels {
		return p, nil
	}
	t := tables.Of(s, g.names())
	if t == nil {
		return p, nil
	}
	steps, _ := g.rewritten(p.Steps, nil, func(y *hast.Stage) []hast.Step {
		switch {
		case y != s:
			return []hast.Step{y}
		case t.Early:
			return []hast.Step{t.Stage}
		}
		return []hast.Step{t.Before, t.Stage}
	})
	if t.Early {
		steps = slices.Concat([]hast.Step{t.Before}, steps)
	}
	q := *p
	q.Steps = steps
	q.Images = slices.Concat(p.Images, t.Images)
	return &q, t.Before
}
