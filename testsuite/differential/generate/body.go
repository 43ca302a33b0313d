package generate

import (
	"fmt"

	"imgc/types"
)

// statements are the statements of an iterate or func. What they declare stays in scope until the caller's own ends.
func (g *generator) statements(n, depth int) string {
	text := ""
	for range n {
		text += g.statement(depth)
	}
	return text
}

func (g *generator) statement(depth int) string {
	switch roll := g.IntN(12); {
	case roll < 3 || depth == 0:
		return g.assign()
	case roll < 6:
		return g.declare()
	case roll < 8:
		text := fmt.Sprintf("if (%s) %s", g.truth(2), g.nest(depth-1))
		if g.chance(50) {
			text += fmt.Sprintf("else %s", g.nest(depth-1))
		}
		return text
	case roll < 9:
		if g.chance(20) && g.stage != nil {
			return g.externStep()
		}
		return g.assignElement()
	case g.loops < 2:
		return g.loop(depth)
	}
	return g.assign()
}

// nest is a block in a scope of its own.
func (g *generator) nest(depth int) string {
	return g.local(func() string { return block(g.statements(1+g.IntN(2), depth)) })
}

func (g *generator) declare() string {
	t := g.value()
	if g.chance(15) && g.stage != nil {
		t = types.Scalar(g.number()).Array(pick(g, [][]int{{2}, {3}, {4}, {2, 2}, {2, 3}})...)
	}
	v := variable{name: g.name("v"), typ: t, mutable: g.chance(60)}
	v.fixed = !v.mutable
	word := map[bool]string{true: "var", false: "let"}[v.mutable]
	text := fmt.Sprintf("%s %s: %s = %s;\n", word, v.name, t, g.expr(t, 2))
	if g.chance(20) && t.Rank == 0 && t.Kind != types.BF16 { // without a type: that of the value
		text = fmt.Sprintf("%s %s = %s(%s);\n", word, v.name, t, g.expr(t, 2))
	}
	g.add(v)
	return text
}

func (g *generator) mutable(array bool) (variable, bool) {
	var able []variable
	for _, v := range g.values {
		if v.mutable && !v.host && v.typ.IsArray() == array {
			able = append(able, v)
		}
	}
	if len(able) == 0 {
		return variable{}, false
	}
	return pick(g, able), true
}

// assign changes a variable; where there is none it makes one.
func (g *generator) assign() string {
	v, ok := g.mutable(false)
	if !ok {
		return g.declare()
	}
	return fmt.Sprintf("%s %s;\n", v.name, g.assignment(v.typ))
}

// assignment is an operator and a value for a place of type t. Zeros of floats have signs: no min= and max= for them.
func (g *generator) assignment(t types.Type) string {
	op := "="
	switch {
	case t.Kind == types.Bool || g.chance(40):
	case t.Kind.IsFloat():
		op = pick(g, []string{"+=", "-=", "*=", "/="})
	default:
		op = pick(g, []string{"+=", "-=", "*=", "&=", "|=", "^=", "min=", "max=", "<<=", ">>="})
	}
	return op + " " + g.expr(t, 3)
}

func (g *generator) assignElement() string {
	v, ok := g.mutable(true)
	if !ok {
		return g.assign()
	}
	text := v.name
	for range v.typ.Rank {
		text += "[" + g.moved(1) + "]"
	}
	return fmt.Sprintf("%s %s;\n", text, g.assignment(v.typ.Elem()))
}

func (g *generator) loop(depth int) string {
	g.loops++
	defer func() { g.loops-- }()
	return g.local(func() string {
		jump := ""
		if g.chance(40) {
			jump = fmt.Sprintf("if (%s) %s;\n", g.truth(1), pick(g, []string{"break", "continue"}))
		}
		v := variable{name: g.name("n"), typ: tI32}
		switch g.IntN(4) {
		case 0:
			domain := g.domain(1)
			g.add(variable{name: v.name + ".x", typ: tI32})
			return fmt.Sprintf("for (%s in %s) %s", v.name, domain, block(jump+g.statements(1+g.IntN(2), depth-1)))
		case 1:
			g.add(v)
			condition := g.truth(1)
			body := jump + g.statements(1+g.IntN(2), depth-1)
			return fmt.Sprintf("var %s: i32 = 0;\nwhile (%s < 4 && %s) %s", v.name, v.name, condition, block(v.name+" += 1;\n"+body))
		}
		span := g.span([]string{"0:3", "-2:3:2", "4:0:-1", "0:0"})
		g.add(v)
		return fmt.Sprintf("for (%s in %s) %s", v.name, span, block(jump+g.statements(1+g.IntN(2), depth-1)))
	})
}

// seen mixes an expression of type t with what variables hold, so that a wrong value of one is seen.
func (g *generator) seen(t types.Type, text string) string {
	if t.Kind == types.Bool || t.Kind == types.BF16 {
		return text
	}
	mixed := 0
	for _, v := range g.values {
		if !v.mutable || v.host || v.typ.Rank > 0 || mixed == 3 {
			continue
		}
		value := v.name
		if v.typ.Lanes > 1 {
			value += "." + string(pick(g, lanes(int(v.typ.Lanes))))
		}
		text = fmt.Sprintf("%s((%s) + %s(%s))", t, text, t.Kind, value)
		mixed++
	}
	return text
}
