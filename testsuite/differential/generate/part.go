package generate

import (
	"fmt"
	"slices"
	"strings"

	"imgc/types"
)

// viewed declares a view of an image and uses it: a part, a plane, or the image in another size.
func (g *generator) viewed() string {
	m := pick(g, g.images)
	v := &image{name: g.name("view"), elem: m.elem, holds: m.holds, writes: m.writes, rule: m.rule, of: m, inside: g.steps}
	if m.low != nil {
		return g.with(g.pointwise)
	}
	if m.holds && m.elem.Kind != types.Bool && m.elem.Kind != types.BF16 && !g.whole && g.chance(40) {
		return g.resampled(m)
	}
	text := m.name
	for i, e := range m.extent {
		switch roll := g.IntN(5); {
		case roll == 0 && isName(e) && len(m.extent) > 1 && len(v.extent)+len(m.extent)-i > 1:
			text += fmt.Sprintf("[%s]", pick(g, []string{"0", e + " - 1", e + "/2"}))
		case roll == 1 && isName(e):
			text += fmt.Sprintf("[0 : %s]", e)
			v.extent = append(v.extent, e)
		case roll < 4 && isName(e):
			count := pick(g, []string{e + "/2", "(" + e + " + 1)/2"})
			first := pick(g, []string{"0", e + "/2"})
			if first != "0" {
				count = e + " - " + first
			}
			text += fmt.Sprintf("[%s : %s]", first, count)
			v.extent = append(v.extent, count)
		default:
			text += fmt.Sprintf("[0 : %s]", e)
			v.extent = append(v.extent, e)
		}
	}
	g.images = append(slices.Clip(g.images), v)
	out := fmt.Sprintf("view %s = %s;\n", v.name, text)
	if v.writes {
		return out + g.pointwise(v)
	}
	return out
}

// root is the image whose memory an image has.
func (m *image) root() *image {
	for m.of != nil {
		m = m.of
	}
	return m
}

// resampled declares a view in another size. Its pixels are weighted sums: exact, as they are rounded in one order.
func (g *generator) resampled(m *image) string {
	v := &image{name: g.name("view"), elem: m.elem, holds: true, of: m, inside: g.steps}
	for _, e := range m.extent {
		if !isName(e) || len(m.extent) > 2 {
			return g.fill()
		}
		v.extent = append(v.extent, pick(g, []string{e, "2*" + e, "(" + e + " + 1)/2", e + " + 1"}))
	}
	mode := pick(g, []string{"nearest", "linear", "linear", "cubic"})
	g.images = append(slices.Clip(g.images), v)
	return fmt.Sprintf("view %s: %s%s = resample(%s, %s);\n", v.name, v.elem, brackets(v.extent), m.name, mode)
}

// changed updates all pixels of an image, a part of one, or one.
func (g *generator) changed() string {
	return g.with(func(m *image) string {
		if !m.holds || m.elem.Kind == types.Bool || m.elem.Kind == types.BF16 || m.low != nil || m.elem.Lanes > 1 {
			return g.pointwise(m)
		}
		value, ok := g.simple(m.elem)
		if !ok {
			value = g.literal(m.elem.Kind)
		}
		op := pick(g, []string{"+=", "-=", "*="})
		if m.elem.Kind.IsInt() {
			op = pick(g, []string{"+=", "-=", "*=", "^=", "|=", "min=", "max="})
		}
		at := ""
		if g.chance(40) {
			for _, e := range m.extent {
				if !isName(e) {
					return fmt.Sprintf("%s %s %s;\n", m.name, op, value)
				}
				at += pick(g, []string{"[0]", "[" + e + " - 1]", "[0 : " + e + "]", "[0 : (" + e + " + 1)/2]"})
			}
		}
		return fmt.Sprintf("%s%s %s %s;\n", m.name, at, op, value)
	})
}

// counted updates a variable of the pipeline from all instances.
func (g *generator) counted() string {
	m := pick(g, g.images)
	if !m.holds {
		return g.fill()
	}
	v := variable{name: g.name("sum"), typ: types.Scalar(pick(g, integers))}
	_, done := g.begin(m)
	rules := g.rules()
	op := pick(g, []string{"+=", "min=", "max=", "^=", "|="})
	body := fmt.Sprintf("%s %s %s;\n", v.name, op, g.expr(v.typ, 2))
	text := fmt.Sprintf("var %s: %s;\niterate (%s) over %s%s%s %s", v.name, v.typ, strings.Join(g.stage.vars, ", "), m.name, rules, g.where(), block(body))
	done()
	g.add(v)
	if g.chance(30) {
		text += fmt.Sprintf("if (%s %s 3) %s", v.name, pick(g, comparisons), block(g.nestedSteps(1, 0)))
	}
	return text
}

// levels declares a pyramid and goes down and up in it.
func (g *generator) levels() string {
	var able []*image
	for _, m := range g.images {
		if m.holds && m.writes && m.low == nil && len(m.extent) == 2 && m.elem.Kind != types.Bool && m.elem.Kind != types.BF16 &&
			!slices.ContainsFunc(m.extent, func(e string) bool { return !isName(e) }) {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return g.fill()
	}
	m := pick(g, able)
	p := g.name("pyr")
	t := m.elem
	down := pick(g, []string{"%[1]s[+1][y][x]", "%[1]s[+1][y - 1][x + 2] + %[1]s[+1][y][x]"})
	rule := pick(g, plainRules)
	reduced := pick(g, []string{"%[1]s[-1][2*y][2*x]", "%[1]s[-1][2*y][2*x + 1] + %[1]s[-1][2*y + 1][2*x]", "max(%[1]s[-1][2*y : 2][2*x : 2] + %[2]s(0))"})
	expanded := pick(g, []string{"%[1]s[0][y][x] + %[1]s[+1][y/2][x/2]", "%[1]s[0][y][x] - " + down})
	between := pick(g, []string{"descend;\n", "descend;\n", "descend 2;\n"})
	count := pick(g, []string{"1", "2", "3", "clamp(H, 1, 4)"})
	if !slices.Contains(g.sizes, "H") {
		count = "3"
	}
	return fmt.Sprintf(`pyramid %[1]s: %[3]s%[4]s border %[5]s levels %[6]s;
%[1]s[0] = %[2]s;
traverse (%[1]s) {
    if (!%[1]s.top) %[1]s[0] = [%[3]s(%[7]s) for y, x];
    %[8]s    if (!%[1]s.bottom) %[1]s[0] = [%[3]s(%[9]s) for y, x];
}
%[2]s = %[1]s[0];
`, p, m.name, t, brackets(m.extent), rule, count, fmt.Sprintf(reduced, p, t.Kind), between, fmt.Sprintf(expanded, p))
}
