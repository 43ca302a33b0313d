package generate

import (
	"fmt"
	"strings"

	"imgc/types"
)

// offsets iterates over the offsets of a domain, alone or beside other variables.
func (g *generator) offsets(m *image) string {
	rank := len(m.extent)
	if rank > 2 || m.low != nil {
		return g.pointwise(m)
	}
	domain, d := g.domain(rank), g.name("d")
	vars := []string{d + ".y", d + ".x"}[2-rank:]
	_, done := g.enter(vars, make([]string, rank), nil, m.name)
	defer done()
	defer func() { m.holds = true }()
	rules := g.rules() + fmt.Sprintf(" border(%s: skip)", m.name)
	at := m.name
	for _, v := range vars {
		at += fmt.Sprintf("[%s + %d]", v, g.IntN(4))
	}
	return fmt.Sprintf("iterate (%s in %s)%s%s %s", d, domain, rules, g.where(), block(fmt.Sprintf("%s = %s;\n", at, g.expr(m.elem, 2))))
}

// gathered updates pixels of floats from all instances: with values whose sums and products are exact in any order.
func (g *generator) gathered() string {
	var able []*image
	for _, m := range g.images {
		if m.writes && m.elem.Kind.IsFloat() && m.low == nil && m.of == nil {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return g.updated()
	}
	m, from := pick(g, able), pick(g, g.images)
	_, done := g.begin(from, m.name)
	defer done()
	defer func() { m.holds = true }()
	list := fmt.Sprintf("(%s) over %s", strings.Join(g.stage.vars, ", "), from.name)
	if from == m || !from.holds {
		list = g.list(from)
	}
	rules := g.rules()
	at, skip := g.place(m)
	if skip {
		rules += fmt.Sprintf(" border(%s: skip)", m.name)
	}
	bit := m.elem.WithKind(types.U8)
	up := pick(g, []struct{ start, op, value string }{
		{"0", "+=", "(%s & %s(1))"}, {"0", "-=", "(%s & %s(1))"}, {"1", "*=", "(1 - 2 * (%s & %s(1)))"},
		{"300", "min=", "(%s | %s(1))"}, {"0.5", "max=", "(%s | %s(1))"},
	})
	value := fmt.Sprintf("%s%s", m.elem, fmt.Sprintf(up.value, g.expr(bit, 2), bit))
	start := up.start
	if m.elem.Lanes > 1 {
		start = fmt.Sprintf("%s(%s)", m.elem, start)
	}
	return fmt.Sprintf("%s = %s;\niterate %s%s%s %s", m.name, start, list, rules, g.where(), block(fmt.Sprintf("%s %s %s;\n", at, up.op, value)))
}

// recurrent is a scan whose pixels follow from several before by a linear recurrence.
func (g *generator) recurrent(m *image) string {
	if m.low != nil || !m.elem.Kind.IsInt() {
		return g.scanned(m)
	}
	_, done := g.begin(m, m.name)
	defer done()
	defer func() { m.holds = true }()
	vars := g.stage.vars
	i := g.IntN(len(vars))
	sign, back := pick(g, [][2]string{{"", "-"}, {"-", "+"}}), ""
	back = sign[1]
	g.stage.rules[m.name] = pick(g, append([]string{"constant(0)"}, plainRules...))
	rules := fmt.Sprintf(" border(%s: %s)", m.name, g.stage.rules[m.name])
	value := g.expr(m.elem, 2)
	for k := range 1 + g.IntN(4) {
		before := m.name
		for j, v := range vars {
			if j == i {
				v = fmt.Sprintf("%s %s %d", v, back, k+1)
			}
			before += "[" + v + "]"
		}
		factor := pick(g, []string{"1", "2", "3", "7", fmt.Sprintf("(%s)", g.expr(m.elem, 1))})
		value += fmt.Sprintf(" %s %s(%s) * %s", pick(g, []string{"+", "-"}), m.elem, factor, before)
	}
	return fmt.Sprintf("iterate (%s) over %s%s scan(%s%s)\n    %s = %s(%s);\n", strings.Join(vars, ", "), m.name, rules, sign[0], vars[i],
		g.own(m), m.elem, value)
}
