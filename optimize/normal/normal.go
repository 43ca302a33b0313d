package normal

import (
	"slices"

	"imgc/hast"
)

// Program is p in these forms. It does not change p.
func Program(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = nil
	weights := newWeigher()
	for _, q := range p.Pipelines {
		x := *q
		x.Images = slices.Clone(q.Images)
		borders := newBorders(q)
		inside, names := inTraverses(q.Steps), map[string]bool{}
		hast.WalkStages(q.Steps, func(_ []hast.Step, s *hast.Stage) { names[s.Name] = true })
		x.Steps = hast.MapSteps(q.Steps, func(s hast.Step) []hast.Step {
			switch s := s.(type) {
			case *hast.Stage:
				return weights.byStage(borders.under(s), inside[s], &x.Images, names)
			case *hast.DefineHost:
				weights.know(s.Var, s.Value)
			}
			return nil
		})
		out.Pipelines = append(out.Pipelines, fromZero(inVectors(&x)))
	}
	return &out
}

// forms are what is tried on the expressions of a body, one after the other; known are those that loops may add up, which are then a part of the sums that they become.
var (
	forms = []func(hast.Expr) hast.Expr{mean, entry, apart, ofIntegers}
	known = forms[:2]
)

func stage(s *hast.Stage, weights *weigher) *hast.Stage {
	x := *s
	x.Body = weights.stmts(summed(formed(joined(s), known)))
	x.Body = formed(x.Body, forms)
	return inOrder(byPixel(writtenOut(&x)))
}

// formed has the expressions of statements in some forms.
func formed(list []hast.Stmt, forms []func(hast.Expr) hast.Expr) []hast.Stmt {
	for _, form := range forms {
		list = hast.MapStmts(list, func(e hast.Expr) hast.Expr { return hast.Map(e, form) })
	}
	return list
}
