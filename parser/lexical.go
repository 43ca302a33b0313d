package parser

import "imgc/grammar"

func (p *parser) lexical(problem grammar.Problem) {
	at := p.span(problem.Start, problem.End)
	p.errorf(codeBadChar, at, "bad %d", problem.Kind)
}
