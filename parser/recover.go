package parser

type context int

const (
	inFile context = iota
	inBlock
	inBorder
	inSchedule
	inExpr
)

func (p *parser) report(in context, first int, err error) int {
	p.errorf("IMG0110", p.token(p.tokens[first]), "%s", err)
	return first + 1
}

func (p *parser) resume(in context, first, next, end int) {
	p.jump(next)
}
