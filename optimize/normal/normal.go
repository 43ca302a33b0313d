package normal

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/borders"
	"imgc/optimize/ratios"
)

// Options say what may become of updates that reductions can stand for.
type Options struct {
	Exact  bool                       // sums of floats by updates stay: reductions add them in another order, as the language allows
	Gather func(pipeline string) bool // whether the updates of a pipeline become reductions; nil for all
	// Blocks says of which pipelines blocks of neighbouring instances are computed together, which share pixels at positions a constant ratio apart; none where it is nil.
	Blocks func(pipeline string) bool
}

// Program is p in these forms. It does not change p.
func Program(p *hast.Program, opts Options) *hast.Program {
	out := *p
	out.Pipelines = nil
	weights := newWeigher()
	for _, q := range p.Pipelines {
		blocks := opts.Blocks != nil && opts.Blocks(q.Name)
		weights.whole = wholer{exact: opts.Exact, blocks: blocks}
		if opts.Gather == nil || opts.Gather(q.Name) {
			q = gathered(q, opts.Exact)
		}
		if blocks {
			q = apartPoints(q, opts.Exact)
		}
		x := *q
		x.Images = slices.Clone(q.Images)
		under, places := borders.Of(q), ratios.Of(q, opts.Exact)
		inside, names := inTraverses(q.Steps), stageNames(q.Steps)
		x.Steps = hast.MapSteps(q.Steps, func(s hast.Step) []hast.Step {
			switch s := s.(type) {
			case *hast.Stage:
				to := under.Under(s)
				if blocks {
					to = places.Stage(to)
					places.Past(s)
				}
				return weights.byStage(to, inside[s], &x.Images, names)
			case *hast.DefineHost:
				weights.know(s.Var, s.Value)
				places.Know(s.Var, s.Value)
			}
			return nil
		})
		out.Pipelines = append(out.Pipelines, decimated(fromZero(inVectors(&x))))
	}
	return &out
}

// A form is what takes the place of an expression; nil where it stays.
type form = func(hast.Expr) hast.Expr

func stage(s *hast.Stage, weights *weigher) *hast.Stage {
	x := *forth(s)
	x.Body = invariant(elements(bilinear(scalars(joined(&x)), weights.whole.exact)))
	known := known(x.Body)
	x.Body = weights.stmts(chained(summed(formed(x.Body, known))))
	x.Body = formed(weights.whole.stmts(&x, formed(x.Body, known)), []form{apart, ofIntegers})
	return inOrder(byPixel(writtenOut(byOutputs(&x))))
}

// known are the forms of what loops of a body may add up, which are then a part of the sums that these become.
func known(list []hast.Stmt) []form {
	if inFloats(list) {
		return []form{meanInFloats, entry}
	}
	return []form{mean, entry}
}

// formed has the expressions of statements in some forms, one after the other.
func formed(list []hast.Stmt, forms []form) []hast.Stmt {
	for _, form := range forms {
		list = hast.MapStmts(list, func(e hast.Expr) hast.Expr { return hast.Map(e, form) })
	}
	return list
}
