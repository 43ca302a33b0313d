package loops

import (
	"imgc/hast"
	"imgc/ops"
)

// Unswitch is the program with loops whose rounds are one decision as decisions between two loops, where each round decides alike. The bounds of the loop
// are evaluated after the condition then, which cannot fail.
func Unswitch(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = make([]*hast.Pipeline, len(p.Pipelines))
	for i, q := range p.Pipelines {
		one := *q
		one.Steps = unswitched(q.Steps)
		out.Pipelines[i] = &one
	}
	return &out
}

func unswitched(list []hast.Step) []hast.Step {
	return hast.MapSteps(list, func(s hast.Step) []hast.Step {
		loop, ok := s.(*hast.ForHost)
		if !ok {
			return nil
		}
		inner := unswitched(loop.Body)
		choice := onlyChoice(inner)
		if choice == nil || !alike(choice, loop) {
			return []hast.Step{with(loop, inner)}
		}
		out := *choice
		out.Then, out.Else = loopOf(loop, choice.Then), loopOf(loop, choice.Else)
		return []hast.Step{&out}
	})
}

// onlyChoice is the decision that is all that a list of steps does; nil where there is none.
func onlyChoice(list []hast.Step) *hast.IfHost {
	if len(list) != 1 {
		return nil
	}
	choice, _ := list[0].(*hast.IfHost)
	return choice
}

func with(loop *hast.ForHost, body []hast.Step) *hast.ForHost {
	out := *loop
	out.Body = body
	return &out
}

// loopOf is the loop with another body; a loop that does nothing is none.
func loopOf(loop *hast.ForHost, body []hast.Step) []hast.Step {
	if len(body) == 0 {
		return nil
	}
	return []hast.Step{with(loop, body)}
}

// alike reports whether each round of a loop decides alike, and the decision cannot fail where no round does.
func alike(choice *hast.IfHost, loop *hast.ForHost) bool {
	changed := append(variables(loop.Body), loop.Var)
	safe := !hast.Names(choice.Cond, changed)
	hast.Walk(choice.Cond, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Ref, *hast.Convert:
		case *hast.Op:
			safe = safe && e.Op != ops.Div && e.Op != ops.Rem && e.Op != ops.Shl && e.Op != ops.Shr
		default:
			safe = false
		}
	})
	return safe
}

// variables are those of the host that steps give values.
func variables(list []hast.Step) (out []*hast.Var) {
	hast.WalkSteps(list, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.ForHost:
			out = append(out, s.Var)
		case *hast.DefineHost:
			out = append(out, s.Var)
		case *hast.SetHost:
			out = append(out, s.Var)
		case *hast.SetScalar:
			out = append(out, s.Var)
		case *hast.Fetch:
			out = append(out, s.Var)
		}
	})
	return out
}
