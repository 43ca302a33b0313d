package generate

import (
	"fmt"
	"slices"

	"imgc/types"
)

// visited declares a pyramid and traverses it with stages of all sorts on the way down, between two descents, and up.
func (g *generator) visited() string {
	var able []*image
	for _, m := range g.images {
		if m.holds && m.writes && m.low == nil && m.of == nil && len(m.extent) == 2 && m.elem.Kind != types.Bool && m.elem.Kind != types.BF16 &&
			!slices.ContainsFunc(m.extent, func(e string) bool { return !isName(e) }) {
			able = append(able, m)
		}
	}
	if len(able) == 0 || g.inKernel {
		return g.fill()
	}
	m, p := pick(g, able), g.name("pyr")
	rule := pick(g, plainRules)
	level := func(k string) *image {
		name := p + "[" + k + "]"
		return &image{name: name, elem: m.elem, extent: []string{name + ".height", name + ".width"}, rule: rule, holds: true, writes: true, inside: g.steps}
	}
	images := g.images
	here, finer, coarser := level("0"), level("-1"), level("+1")
	stages := func(seen ...*image) string {
		return g.local(func() string {
			g.images = append([]*image{here}, seen...)
			text := g.pointwise(here)
			if g.chance(30) {
				text += g.comprehended(here)
			}
			return block(text)
		})
	}
	down, up := stages(finer), stages(coarser)
	descend := "descend;\n"
	switch g.IntN(4) {
	case 0:
		descend = "descend 2;\n"
	case 1:
		descend = "descend 2 " + stages()
	}
	first := ""
	if g.chance(40) {
		first = stages()
	}
	g.images = images
	count := pick(g, []string{"1", "2", "3", "clamp(" + m.extent[0] + ", 1, 4)"})
	body := fmt.Sprintf("%[1]sif (!%[2]s.top) %[3]s%[4]sif (!%[2]s.bottom) %[5]s", first, p, down, descend, up)
	return fmt.Sprintf("pyramid %[1]s: %[2]s%[3]s border %[4]s levels %[5]s;\n%[1]s[0] = %[6]s;\ntraverse (%[1]s) %[7]s%[6]s = %[1]s[0];\n", p, m.elem,
		brackets(m.extent), rule, count, m.name, block(body))
}
