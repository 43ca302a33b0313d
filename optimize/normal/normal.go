package normal

import "imgc/hast"

// Program is p in these forms. It does not change p.
func Program(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = nil
	for _, q := range p.Pipelines {
		x := *q
		x.Steps = hast.MapSteps(q.Steps, func(s hast.Step) []hast.Step {
			if s, ok := s.(*hast.Stage); ok {
				return ofParts(stage(s))
			}
			return nil
		})
		out.Pipelines = append(out.Pipelines, fromZero(inVectors(&x)))
	}
	return &out
}

func stage(s *hast.Stage) *hast.Stage {
	x := *s
	x.Body = known(summed(known(joined(s)))) // loops add up entries, and what they define of these is a part of the sums that they become
	return inOrder(byPixel(writtenOut(&x)))
}

// known has means and entries of constant arrays in their forms.
func known(list []hast.Stmt) []hast.Stmt {
	return hast.MapStmts(list, func(e hast.Expr) hast.Expr { return hast.Map(hast.Map(e, mean), entry) })
}
