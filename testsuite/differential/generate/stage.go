package generate

import (
	"fmt"
	"slices"
	"strings"

	"imgc/types"
)

// begin enters a stage whose variables run over the pixels of m. What it declares leaves the scope when done is called.
func (g *generator) begin(m *image, busy ...string) (s *stage, done func()) {
	return g.enter(axes[len(m.extent)], m.extent, m.low, busy...)
}

func (g *generator) enter(vars, over []string, low []int, busy ...string) (s *stage, done func()) {
	outer, values := g.stage, g.values
	s = &stage{vars: vars, over: over, low: make([]int, len(vars)), rules: map[string]string{}, busy: map[string]bool{}}
	copy(s.low, low)
	for _, name := range busy {
		s.busy[name] = true
	}
	g.stage = s
	for _, v := range vars {
		g.add(variable{name: v, typ: tI32})
	}
	return s, func() { g.stage, g.values = outer, values }
}

// rules chooses border rules for the stage and returns its clauses.
func (g *generator) rules() string {
	text := ""
	if g.chance(70) {
		g.stage.all = true
		text += " border " + g.rule(0, types.Type{})
	}
	for _, m := range g.readable() {
		if g.chance(15) && !strings.Contains(m.name, "[") { // levels have the rule of their pyramid
			g.stage.rules[m.name] = g.rule(len(m.extent), m.elem)
		}
	}
	if len(g.stage.rules) > 0 {
		var list []string
		for _, m := range g.images { // in their order, not the map's
			if r := g.stage.rules[m.name]; r != "" {
				list = append(list, m.name+": "+r)
			}
		}
		text += " border(" + strings.Join(list, ", ") + ")"
	}
	return text
}

// where is a condition for the instances, mostly none.
func (g *generator) where() string {
	if !g.chance(20) {
		return ""
	}
	return fmt.Sprintf(" where (%s)", g.truth(2))
}

// list is the iteration list of a stage over m: its extents, or ranges within them.
func (g *generator) list(m *image) string {
	vars := g.stage.vars
	if g.chance(75) || m.low != nil {
		return fmt.Sprintf("(%s) over %s", strings.Join(vars, ", "), m.name)
	}
	parts := make([]string, len(vars))
	for i, v := range vars {
		e := m.extent[i]
		parts[i] = fmt.Sprintf("%s in ", v) + fmt.Sprintf(pick(g, []string{"0 : %s", "0 : %s", "1 : %s - 1", "0 : %s : 2", "%s - 1 : -1 : -1", "1 : %s : 3"}), e)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// own is the pixel of m that an instance is for.
func (g *generator) own(m *image) string { return m.name + brackets(g.stage.vars) }

// pointwise computes each pixel of m, or some of them, from those of other images, and its own where it holds one.
func (g *generator) pointwise(m *image) string {
	_, done := g.begin(m, m.name)
	defer done()
	defer func() { m.holds = true }()
	list, rules := g.list(m), g.rules()
	own := variable{name: g.own(m), typ: m.elem}
	if m.holds {
		g.add(own)
	}
	where := g.where()
	body := ""
	if g.chance(50) {
		body = g.statements(1+g.IntN(2), 2)
	}
	value := g.seen(m.elem, g.expr(m.elem, 3))
	store := fmt.Sprintf("%s = %s;\n", own.name, value)
	other := fmt.Sprintf("%s = %s;\n", own.name, g.expr(m.elem, 1))
	switch {
	case g.chance(10):
		store = fmt.Sprintf("if (%s)\n%s", g.truth(1), indent(store))
	case g.chance(8):
		store = fmt.Sprintf("if (%s)\n%selse\n%s", g.truth(1), indent(store), indent(other))
	case g.chance(5) && !m.holds:
		store = other + fmt.Sprintf("if (%s)\n%s", g.truth(1), indent(store))
	}
	before, behind := "", ""
	if g.chance(12) && m.elem.Kind != types.Bool {
		var update string
		before, update, behind = g.total(m)
		store += update
	}
	return fmt.Sprintf("%s%siterate %s%s%s %s%s", before, g.label(len(m.extent), where), list, rules, where, block(body+store), behind)
}

// total is a var of the pipeline that all instances of the stage at hand update, the update, and what adds it to m.
func (g *generator) total(m *image) (declared, update, added string) {
	name, kind := g.name("total"), types.Scalar(types.Bool)
	first, ops := pick(g, []string{"false", "true"}), []string{"|=", "&=", "^="}
	if g.chance(50) {
		kind = types.Scalar(pick(g, integers))
		first, ops = fmt.Sprintf("%s(%d)", kind, g.IntN(100)), []string{"+=", "-=", "&=", "|=", "^=", "min=", "max="}
	}
	value := g.truth(2)
	if kind.Kind != types.Bool {
		value = g.expr(kind, 2)
	}
	update = fmt.Sprintf("%s %s %s;\n", name, pick(g, ops), value)
	if g.chance(20) {
		update = fmt.Sprintf("if (%s)\n%s", g.truth(1), indent(update))
	}
	return fmt.Sprintf("var %s: %s = %s;\n", name, kind, first), update, fmt.Sprintf("%s += %s(%s);\n", m.name, m.elem, name)
}

// comprehended computes every pixel of m.
func (g *generator) comprehended(m *image) string {
	_, done := g.begin(m, m.name)
	defer done()
	defer func() { m.holds = true }()
	rules := g.rules()
	return fmt.Sprintf("%s = [%s for %s]%s;\n", m.name, g.expr(m.elem, 3), strings.Join(g.stage.vars, ", "), rules)
}

// scattered writes pixels elsewhere than at the variables: turned, mirrored, in blocks, several by each instance.
func (g *generator) scattered(m *image) string {
	rank := len(m.extent)
	vars := axes[rank]
	over, index := slices.Clone(m.extent), slices.Clone(vars)
	block2 := []int{}
	for i, e := range m.extent {
		if m.low != nil {
			return g.pointwise(m)
		}
		switch {
		case strings.HasPrefix(e, "2*") || strings.HasPrefix(e, "3*"):
			n := int(e[0] - '0')
			over[i] = e[2:]
			index[i] = fmt.Sprintf("%d*%s : %d", n, vars[i], n)
			block2 = append(block2, n)
		case isName(e) && g.chance(30):
			index[i] = fmt.Sprintf("%s - 1 - %s", e, vars[i])
		}
	}
	if rank == 2 && len(block2) == 0 && g.chance(50) {
		over[0], over[1] = over[1], over[0]
		index = []string{vars[1], vars[0]}
	}
	_, done := g.enter(vars, over, nil, m.name)
	defer done()
	defer func() { m.holds = true }()
	var ranges []string
	for i, v := range vars {
		ranges = append(ranges, fmt.Sprintf("%s in 0 : %s", v, over[i]))
	}
	rules := g.rules()
	body := ""
	if g.chance(40) {
		body = g.statements(1, 2)
	}
	value := g.expr(m.elem, 2)
	if len(block2) > 0 && g.chance(60) {
		t := m.elem.Array(block2...)
		switch {
		case m.elem.Kind == types.Bool || m.elem.Kind == types.BF16:
		case g.chance(50):
			value = g.array(t, 2)
		default:
			value = g.nested(block2, func() string { return g.expr(m.elem, 1) })
		}
	}
	return fmt.Sprintf("iterate (%s)%s %s", strings.Join(ranges, ", "), rules, block(body+fmt.Sprintf("%s%s = %s;\n", m.name, brackets(index), value)))
}

// relaxed is one colour of an update in place that reads the neighbours.
func (g *generator) relaxed(m *image) string {
	if !m.holds || len(m.extent) > 2 || m.low != nil || m.elem.Kind == types.Bool || m.elem.Kind == types.BF16 {
		return g.pointwise(m)
	}
	_, done := g.begin(m, m.name)
	defer done()
	vars := g.stage.vars
	rule := pick(g, []string{"reflect101", "clamp", "reflect", "constant(0)"})
	g.stage.rules[m.name] = rule
	colour := pick(g, []string{"0", "1"})
	for _, v := range g.values {
		if v.host && g.chance(20) && v.name != vars[0] {
			colour = v.name
		}
	}
	for i := range vars {
		for _, by := range []string{"-1", "+1"} {
			at := slices.Clone(vars)
			at[i] += by
			g.add(variable{name: m.name + brackets(at), typ: m.elem})
		}
	}
	return fmt.Sprintf("iterate (%s) over %s border(%s: %s) where ((%s) %% 2 == %s)\n    %s = %s;\n", strings.Join(vars, ", "), m.name, m.name,
		rule, strings.Join(vars, " + "), colour, g.own(m), g.expr(m.elem, 2))
}

// scanned orders instances along one variable, and reads what those before have written.
func (g *generator) scanned(m *image) string {
	if m.low != nil || m.elem.Kind == types.Bool || m.elem.Kind == types.BF16 {
		return g.pointwise(m)
	}
	_, done := g.begin(m, m.name)
	defer done()
	defer func() { m.holds = true }()
	vars := g.stage.vars
	i := g.IntN(len(vars))
	sign, back := "", "-"
	if g.chance(40) {
		sign, back = "-", "+"
	}
	g.stage.rules[m.name] = pick(g, []string{"constant(0)", "clamp", "reflect", "reflect101", "repeat"})
	for range 2 {
		at := slices.Clone(vars)
		at[i] += fmt.Sprintf(" %s %d", back, 1+g.IntN(2))
		if len(vars) > 1 && g.chance(20) {
			j := (i + 1) % len(vars)
			at[j] += pick(g, []string{" - 1", " + 1"})
			at[i] = vars[i] + " " + back + " 1"
			g.stage.rules[m.name] = "constant(0)"
		}
		g.add(variable{name: m.name + brackets(at), typ: m.elem})
	}
	g.add(variable{name: g.own(m), typ: m.elem})
	body := ""
	if g.chance(40) {
		body = g.statements(1, 2)
	}
	before := g.values[len(g.values)-1].name
	if body != "" {
		before = g.own(m)
	}
	form := pick(g, []string{"(%s) + (%s)", "(%s) + (%s)", "(%s) * (%s)", "(%s) - (%s)"})
	if m.elem.Kind.IsInt() {
		form = pick(g, []string{"(%s) + (%s)", "max(%s, %s)", "min(%s, %s)", "(%s) ^ (%s)", "(%s) & (%s)", "2 * (%s) + (%s)"})
	}
	value := fmt.Sprintf("%s(%s)", m.elem, fmt.Sprintf(form, before, g.expr(m.elem, 2)))
	return fmt.Sprintf("iterate (%s) over %s border(%s: %s) scan(%s%s) %s", strings.Join(vars, ", "), m.name, m.name, g.stage.rules[m.name], sign, vars[i],
		block(body+fmt.Sprintf("%s = %s;\n", g.own(m), value)))
}
