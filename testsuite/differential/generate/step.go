package generate

import (
	"fmt"
	"slices"
	"strings"

	"imgc/types"
)

// step is a statement of a pipeline, or a few that belong together.
func (g *generator) step(depth int) string {
	steps := []weighted[func() string]{
		{20, func() string { return g.with(g.pointwise) }}, {8, func() string { return g.with(g.comprehended) }},
		{8, func() string { return g.with(g.scattered) }}, {5, func() string { return g.with(g.relaxed) }},
		{6, func() string { return g.with(g.scanned) }}, {8, g.updated}, {5, g.binned}, {6, g.deviceScalar}, {4, g.fill}, {4, g.copied}, {6, g.called},
		{5, g.declared}, {3, g.swapped}, {6, g.viewed}, {4, g.changed}, {4, g.counted}, {3, g.levels}, {3, func() string { return g.with(g.folding) }},
		{4, g.visited}, {3, func() string { return g.with(g.offsets) }}, {4, g.gathered}, {4, func() string { return g.with(g.recurrent) }},
	}
	if depth > 0 && g.steps < 2 {
		steps = append(steps, weighted[func() string]{7, func() string { return g.branch(depth - 1) }},
			weighted[func() string]{7, func() string { return g.repeat(depth - 1) }})
	}
	return choose(g, steps)()
}

// with takes an image that may be written.
func (g *generator) with(write func(*image) string) string {
	var able []*image
	for _, m := range g.images {
		if m.writes {
			able = append(able, m)
		}
	}
	return write(pick(g, able))
}

// nested writes steps that may not run, or run more than once: what they write first cannot be counted on behind them.
func (g *generator) nestedSteps(n, depth int) string {
	g.steps++
	defer func() { g.steps-- }()
	return g.local(func() string {
		var unwritten []*image
		for _, m := range g.images {
			if !m.holds {
				unwritten = append(unwritten, m)
			}
		}
		text := ""
		for range n {
			text += g.step(depth)
		}
		for _, m := range unwritten {
			m.holds = false
		}
		return text
	})
}

func (g *generator) branch(depth int) string {
	text := fmt.Sprintf("if (%s) %s", g.condition(), block(g.nestedSteps(1, depth)))
	if g.chance(50) {
		text += "else " + block(g.nestedSteps(1, depth))
	}
	return text
}

func (g *generator) repeat(depth int) string {
	return g.local(func() string {
		v := variable{name: g.name("it"), typ: tI32}
		if g.chance(50) {
			g.add(v)
			jump := ""
			if g.chance(30) {
				jump = fmt.Sprintf("if (%s) %s;\n", g.condition(), pick(g, []string{"break", "continue"}))
			}
			span := pick(g, []string{"0:2", "0:3", "3:0:-1", fmt.Sprintf("0 : min(%s, 3)", pick(g, g.sizes)), fmt.Sprintf("0 : clamp(%s, 0, 2)", g.host(1))})
			return fmt.Sprintf("for (%s in %s) %s", v.name, span, block(jump+g.nestedSteps(1, depth)))
		}
		start := fmt.Sprintf("min(%s, 9)", g.host(1))
		g.add(variable{name: v.name, typ: tI32})
		change := pick(g, []string{" /= 2;\n", " -= 3;\n"})
		return fmt.Sprintf("var %s = %s;\nwhile (%s > 0) %s", v.name, start, v.name, block(v.name+change+g.nestedSteps(1, depth)))
	})
}

// updated adds, or otherwise combines, into pixels that instances share.
func (g *generator) updated() string {
	var able []*image
	for _, m := range g.images {
		if m.writes && m.elem.Kind != types.Bool && !m.elem.Kind.IsFloat() && m.low == nil {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return g.with(g.pointwise)
	}
	return g.updates(pick(g, able))
}

// binned is a small image, filled first more often than not, whose pixels instances update where values decide.
func (g *generator) binned() string {
	m := g.image("hist", pick(g, [][]string{{"8"}, {"1"}, {"300"}, {"3", "8"}, {"5", "2", "3"}}), false)
	for m.elem.Kind == types.Bool || m.elem.Kind.IsFloat() {
		m.elem = g.pixel()
	}
	m.writes, m.rule, m.low = true, "", nil
	filled := ""
	switch {
	case g.chance(60):
		filled = fmt.Sprintf("%s = %s;\n", m.name, g.filling(m))
	case g.chance(60):
		_, done := g.begin(m)
		filled = fmt.Sprintf("%s = [%s for %s];\n", m.name, g.expr(m.elem, 2), strings.Join(g.stage.vars, ", "))
		done()
	}
	g.images = append(g.images[:len(g.images):len(g.images)], m)
	return fmt.Sprintf("image %s;\n", m.declaration()) + filled + g.updates(m)
}

// updates are those of an image's pixels where values decide.
func (g *generator) updates(m *image) string {
	from := pick(g, g.images)
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
	ops := []string{"+=", "-=", "*=", "&=", "|=", "^=", "min=", "max="}
	return fmt.Sprintf("iterate %s%s%s %s", list, rules, g.where(), block(fmt.Sprintf("%s %s %s;\n", at, pick(g, ops), g.expr(m.elem, 2))))
}

// place is a pixel of m that a value decides; skip says that it may be outside.
func (g *generator) place(m *image) (at string, skip bool) {
	skip = g.chance(50) || slices.ContainsFunc(m.extent, func(e string) bool { return !isName(e) && !isNumber(e) })
	at = m.name
	for axis, e := range m.extent {
		index := g.expr(tI32, 1)
		switch {
		case skip && g.chance(50):
			index = fmt.Sprintf("%s + %d", g.along(axis, len(m.extent)), g.IntN(5)-2)
		case skip:
		case e == "8" && g.chance(50):
			index = fmt.Sprintf("i32(%s) / 32", g.expr(types.Scalar(types.U8), 1))
		case isNumber(e) && g.chance(50):
			index = fmt.Sprintf("mod(%s, %s)", index, e)
		default:
			index = fmt.Sprintf("clamp(%s, 0, %s - 1)", index, e)
		}
		at += "[" + index + "]"
	}
	return at, skip
}

// folding updates pixels with a commutative func.
func (g *generator) folding(m *image) string {
	if m.elem.Kind == types.Bool || m.elem.Kind.IsFloat() || m.low != nil {
		return g.updated()
	}
	name := g.name("join")
	g.apart(func() string {
		value := pick(g, []string{"%[1]s(a + b)", "%[1]s(a ^ b)", "min(a, b)", "max(a, b)", "%[1]s(a * b)", "%[1]s(a - b)"})
		if strings.Contains(value, "%") {
			value = fmt.Sprintf(value, m.elem)
		}
		return fmt.Sprintf("commutative func %[1]s(a: %[2]s, b: %[2]s): %[2]s = %[3]s;\n", name, m.elem, value)
	})
	from := pick(g, g.images)
	_, done := g.begin(from, m.name)
	defer done()
	defer func() { m.holds = true }()
	rules := g.rules()
	at, skip := g.place(m)
	if skip {
		rules += fmt.Sprintf(" border(%s: skip)", m.name)
	}
	index := g.name("at")
	lets := ""
	inner := strings.TrimSuffix(strings.TrimPrefix(at, m.name+"["), "]")
	if len(m.extent) == 1 { // the same pixel twice: by a name
		lets, at = fmt.Sprintf("let %s = %s;\n", index, inner), fmt.Sprintf("%s[%s]", m.name, index)
	} else {
		at = m.name + brackets(g.stage.vars[:min(len(g.stage.vars), len(m.extent))]) + strings.Repeat("[0]", max(0, len(m.extent)-len(g.stage.vars)))
		if !skip {
			rules += fmt.Sprintf(" border(%s: skip)", m.name)
		}
	}
	return fmt.Sprintf("iterate (%s) over %s%s %s", strings.Join(g.stage.vars, ", "), from.name, rules,
		block(lets+fmt.Sprintf("%s = fold(%s, %s, %s);\n", at, name, at, g.expr(m.elem, 2))))
}

// deviceScalar reduces an image, or reads a pixel, to a value that stays on the device.
func (g *generator) deviceScalar() string {
	var able []*image
	for _, m := range g.images {
		if m.holds && m.elem.Kind != types.BF16 && m.elem.Kind != types.Bool && m.elem.Lanes == 1 {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return g.fill()
	}
	m := pick(g, able)
	v := variable{name: g.name("s"), typ: types.Scalar(g.number())}
	text := ""
	switch g.IntN(4) {
	case 0:
		index := make([]string, len(m.extent))
		for i, e := range m.extent {
			index[i] = "0"
			if isName(e) && g.chance(50) {
				index[i] = e + " - 1"
			}
			if m.low != nil || !isName(e) && !isNumber(e) {
				return g.fill()
			}
		}
		text = m.name + brackets(index)
	case 1:
		if m.elem.Kind.IsFloat() {
			return g.fill()
		}
		text = fmt.Sprintf("%s(%s)", pick(g, []string{"sum", "product", "min", "max"}), m.name)
	default:
		s, done := g.begin(m)
		of, element := pick(g, []string{"sum", "product", "min", "max"}), g.expr(types.Scalar(pick(g, integers)), 2)
		if m.low == nil {
			s.all = false
		}
		if g.chance(20) {
			of, element = "count", g.truth(2)
		}
		done()
		text = fmt.Sprintf("%s(%s for (%s) over %s)", of, element, strings.Join(axes[len(m.extent)], ", "), m.name)
	}
	g.add(v)
	return fmt.Sprintf("let %s = %s(%s);\n", v.name, v.typ, text)
}

// fill gives every pixel, or a single one, a value.
func (g *generator) fill() string {
	return g.with(func(m *image) string {
		value := g.filling(m)
		if g.chance(30) && m.low == nil && !slices.ContainsFunc(m.extent, func(e string) bool { return !isName(e) && !isNumber(e) }) {
			text := m.name
			for _, e := range m.extent {
				text += "[" + pick(g, []string{"0", e + " - 1"}) + "]"
			}
			return fmt.Sprintf("%s = %s;\n", text, value)
		}
		m.holds = true
		return fmt.Sprintf("%s = %s;\n", m.name, value)
	})
}

// filling is a value for all pixels of an image.
func (g *generator) filling(m *image) string {
	value := "0"
	if m.elem.Kind == types.Bool {
		value = "false"
	}
	if g.chance(50) && m.elem.Kind != types.BF16 {
		if text, ok := g.simple(m.elem); ok {
			value = text
		}
	}
	return value
}

// simple is a value of the host or of the device scalars, of type t.
func (g *generator) simple(t types.Type) (string, bool) {
	var able []string
	for _, v := range g.values {
		if v.typ.Rank == 0 && v.typ.Lanes == 1 && !strings.Contains(v.name, "(") {
			able = append(able, v.name)
		}
	}
	if len(able) == 0 || t.Lanes > 1 {
		return "", false
	}
	return fmt.Sprintf("%s(%s)", t, pick(g, able)), true
}

// copied copies one image to another of the same extents.
func (g *generator) copied() string {
	for range 4 {
		a, b := pick(g, g.images), pick(g, g.images)
		if a != b && a.holds && b.writes && slices.Equal(a.extent, b.extent) && a.elem.Lanes == b.elem.Lanes &&
			(a.elem.Kind == b.elem.Kind || types.Holds(a.elem.Kind, b.elem.Kind)) {
			b.holds = true
			return fmt.Sprintf("%s = %s;\n", b.name, a.name)
		}
	}
	return g.with(g.comprehended)
}

// swapped exchanges two images.
func (g *generator) swapped() string {
	for range 6 {
		a, b := pick(g, g.images), pick(g, g.images)
		if a != b && a.holds && b.holds && a.writes && b.writes && a.of == nil && b.of == nil && a.elem == b.elem && slices.Equal(a.extent, b.extent) && slices.Equal(a.low, b.low) {
			return fmt.Sprintf("swap(%s, %s);\n", a.name, b.name)
		}
	}
	var able []*image
	for _, m := range g.images {
		if m.writes && m.holds && m.of == nil {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return g.with(g.pointwise)
	}
	m := pick(g, able)
	other := &image{name: g.name("twin"), elem: m.elem, extent: m.extent, low: m.low, writes: true, inside: g.steps}
	text := "image " + other.declaration() + ";\n" + g.pointwise(other) + fmt.Sprintf("swap(%s, %s);\n", m.name, other.name)
	g.images = append(g.images[:len(g.images):len(g.images)], other)
	return text
}

// declared makes a new image, computed where it is declared.
func (g *generator) declared() string {
	m := g.image("tmp", g.extent(), false)
	m.writes = true
	_, done := g.begin(m)
	clauses := g.rules()
	value := g.expr(m.elem, 3)
	vars := strings.Join(g.stage.vars, ", ")
	done()
	g.images = append(g.images[:len(g.images):len(g.images)], m)
	return fmt.Sprintf("image %s = [%s for %s]%s;\n", m.declaration(), value, vars, clauses)
}
