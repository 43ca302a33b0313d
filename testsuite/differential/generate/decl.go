package generate

import (
	"fmt"
	"strings"

	"imgc/types"
)

// apart writes a declaration: it sees nothing of what is around the place that asked for it.
func (g *generator) apart(write func() string) {
	values, images, stage, loops := g.values, g.images, g.stage, g.loops
	g.values, g.images, g.stage, g.loops = nil, nil, nil, 0
	text := write()
	g.values, g.images, g.stage, g.loops = values, images, stage, loops
	g.decls = append(g.decls, text)
}

// mask declares a mask of coefficients that are not the compiler's favourites: some zero, of both signs where the kind has them.
func (g *generator) mask(k types.Kind, rank int) string {
	name := g.name("m")
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = 1 + g.IntN(4)
	}
	t := types.Scalar(k).Array(dims...)
	g.apart(func() string {
		if g.chance(20) {
			v := g.name("c")
			vars := []string{v + " in 0:" + fmt.Sprint(dims[0])}
			for _, n := range dims[1:] {
				vars = append(vars, g.name("c")+" in 0:"+fmt.Sprint(n))
			}
			return fmt.Sprintf("mask %s: %s = [%s(%s + 1) for %s];\n", name, t, k, v, strings.Join(vars, ", "))
		}
		return fmt.Sprintf("mask %s: %s = %s;\n", name, t, g.nested(dims, func() string { return g.coefficient(k) }))
	})
	return name
}

func (g *generator) coefficient(k types.Kind) string {
	switch {
	case g.chance(30):
		return "0"
	case k.IsFloat():
		return pick(g, []string{"0.5", "-1.25", "3", "1 / 3.0", "-0.1", "2"})
	case k.IsSigned():
		return pick(g, []string{"1", "-1", "2", "5", "-7", "100"})
	}
	return pick(g, []string{"1", "2", "5", "100"})
}

// nested is a list of lists.
func (g *generator) nested(dims []int, element func() string) string {
	if len(dims) == 0 {
		return element()
	}
	parts := make([]string, dims[0])
	for i := range parts {
		parts[i] = g.nested(dims[1:], element)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// domain declares a set of offsets, or gives a mask for one.
func (g *generator) domain(rank int) string {
	if g.chance(20) {
		return g.mask(types.I32, rank)
	}
	name := g.name("dom")
	dims := make([]int, rank)
	shape := ""
	for i := range dims {
		dims[i] = 1 + g.IntN(4)
		shape += fmt.Sprintf("[%d]", dims[i])
	}
	g.apart(func() string {
		if g.chance(25) {
			return fmt.Sprintf("domain %s%s;\n", name, shape)
		}
		return fmt.Sprintf("domain %s%s = %s;\n", name, shape, g.nested(dims, func() string { return pick(g, []string{"0", "1", "1"}) }))
	})
	return name
}

// function declares a func of the given types.
func (g *generator) function(result types.Type, params []types.Type) string {
	name := g.name("fun")
	g.funcs++
	g.apart(func() string {
		list := make([]string, len(params))
		for i, p := range params {
			v := g.name("a")
			g.add(variable{name: v, typ: p})
			list[i] = fmt.Sprintf("%s: %s", v, p)
		}
		head := fmt.Sprintf("func %s(%s): %s", name, strings.Join(list, ", "), result)
		if g.chance(50) {
			return fmt.Sprintf("%s = %s;\n", head, g.expr(result, 2))
		}
		body := g.statements(1+g.IntN(2), 1)
		if g.chance(40) {
			body += fmt.Sprintf("if (%s) return %s;\n", g.truth(1), g.expr(result, 1))
		}
		return head + " " + block(body+fmt.Sprintf("return %s;\n", g.seen(result, g.expr(result, 2))))
	})
	return name
}

// border declares a border by formula for images of any type of this rank.
func (g *generator) border(rank int) string {
	name := g.name("edge")
	g.apart(func() string {
		var sizes []string
		for range rank {
			sizes = append(sizes, strings.ToUpper(g.name("s")))
		}
		lines := ""
		used := map[string]bool{}
		for range 1 + g.IntN(3) {
			place, inside := "", ""
			out := false
			for i := range rank {
				switch g.IntN(3) {
				case 0:
					place += "[*]"
					inside += "[*]"
				case 1:
					out = true
					place += fmt.Sprintf("[-%d]", 1+g.IntN(2))
					inside += "[0]"
				case 2:
					out = true
					place += fmt.Sprintf("[+%d]", 1+g.IntN(2))
					inside += fmt.Sprintf("[%s - 1]", sizes[i])
				}
			}
			if !out || used[place] {
				continue
			}
			used[place] = true
			value := pick(g, []string{"s%s", "s%s + 3", "2 * s%s", "7"})
			if strings.Contains(value, "%s") {
				value = fmt.Sprintf(value, inside)
			}
			lines += fmt.Sprintf("s%s = %s;\n", place, value)
		}
		if lines == "" {
			lines = "s" + strings.Repeat("[-1]", rank) + " = s" + strings.Repeat("[0]", rank) + ";\n"
		}
		return fmt.Sprintf("border %s(s%s) {\n%s} else %s\n", name, brackets(sizes), indent(lines), pick(g, plainRules))
	})
	return name
}

var plainRules = []string{"clamp", "reflect", "reflect101", "repeat"}

// rule is a border rule for images of this rank and type; rank 0 stands for several.
func (g *generator) rule(rank int, t types.Type) string {
	switch {
	case g.chance(15) && rank > 0 && t.Kind != types.Bool || rank == 0 && g.chance(15) && !g.readsBools():
		return "constant(0)"
	case rank > 0 && g.chance(15) && t.Kind != types.Bool && t.Kind != types.BF16:
		return g.border(rank)
	case rank > 0 && g.chance(15) && t.Lanes == 1 && t.Kind != types.Bool:
		return fmt.Sprintf("constant(%s)", pick(g, []string{"1", "7", "100"}))
	}
	return pick(g, plainRules)
}
