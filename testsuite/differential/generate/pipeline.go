package generate

import (
	"fmt"
	"slices"
	"strings"

	"imgc/types"
)

// axes and sizeNames name the variables and sizes of programs by their rank.
var (
	axes      = [][]string{1: {"x"}, 2: {"y", "x"}, 3: {"z", "y", "x"}, 4: {"w", "z", "y", "x"}}
	sizeNames = [][]string{1: {"N"}, 2: {"H", "W"}, 3: {"D", "H", "W"}, 4: {"T", "D", "H", "W"}}
)

// pipeline writes an entry point.
func (g *generator) pipeline(name string) string {
	g.sizes = sizeNames[choose(g, []weighted[int]{{30, 1}, {55, 2}, {12, 3}, {3, 4}})]
	for _, s := range g.sizes {
		g.add(variable{name: s, typ: tI32, host: true})
	}
	var params []string
	add := func(dir string, m *image) {
		g.images = append(g.images, m)
		params = append(params, fmt.Sprintf("%s %s", dir, m.declaration()))
	}
	add("in", g.image("src", g.sizes, true))
	for range g.IntN(3) {
		add("in", g.image("src", g.given(), true))
	}
	for range 1 + g.IntN(2) {
		m := g.image("dst", g.extent(), true)
		m.writes, m.holds = true, false
		add("out", m)
	}
	if g.chance(40) {
		m := g.image("both", g.given(), true)
		m.writes = true
		add("inout", m)
	}
	params = append(params, g.scalars()...)
	body := g.outScalar(&params) + g.locals()
	for range 1 + g.IntN(3) {
		body += g.step(2)
	}
	return fmt.Sprintf("pipeline %s(%s) %s", name, strings.Join(params, ",\n        "), block(body+g.written()))
}

// image makes an image that holds something already.
func (g *generator) image(prefix string, extent []string, param bool) *image {
	m := &image{name: g.name(prefix), elem: g.pixel(), extent: extent, holds: true, param: param, inside: g.steps}
	if g.chance(10) && !slices.ContainsFunc(extent, func(e string) bool { return !isName(e) }) {
		for range extent {
			m.low = append(m.low, g.IntN(4)-2)
		}
	}
	if g.chance(30) {
		m.rule = g.rule(len(extent), m.elem)
	}
	return m
}

// declaration is the image as a parameter or statement declares it.
func (m *image) declaration() string {
	text := fmt.Sprintf("%s: %s", m.name, m.elem)
	for axis, e := range m.extent {
		if m.low != nil && m.low[axis] != 0 {
			e = fmt.Sprintf("%d : %s", m.low[axis], high(m.low[axis], e))
		}
		text += "[" + e + "]"
	}
	if m.rule != "" {
		text += " border " + m.rule
	}
	return text
}

// given is the extents of an image that the caller gives.
func (g *generator) given() []string {
	switch {
	case g.chance(70):
		return g.sizes
	case g.chance(50):
		return []string{pick(g, g.sizes)}
	case g.chance(50):
		return []string{pick(g, []string{"1", "3", "8"}), pick(g, g.sizes)}
	}
	turned := slices.Clone(g.sizes)
	slices.Reverse(turned)
	return turned
}

// extent is the extents of an image whose pixels the program makes.
func (g *generator) extent() []string {
	if g.chance(65) {
		return g.given()
	}
	extent := slices.Clone(g.sizes)
	forms := []string{"%s + 1", "2*%s", "(%s + 1)/2", "3*%s", "%s + 3", "%s/2"}
	for i := range extent {
		if g.chance(60) {
			extent[i] = fmt.Sprintf(pick(g, forms), extent[i])
		}
	}
	if len(extent) < 3 && g.chance(20) {
		extent = append(extent, fmt.Sprint(1+g.IntN(3)))
	}
	return extent
}

// scalars are scalar and vector parameters; an i32 may serve the host.
func (g *generator) scalars() []string {
	var params []string
	for range g.IntN(3) {
		v := variable{name: g.name("k"), typ: g.value()}
		if g.chance(50) {
			v.typ = tI32
		}
		v.host = v.typ == tI32
		text := fmt.Sprintf("in %s: %s", v.name, v.typ)
		if g.chance(20) && v.typ.Lanes == 1 {
			text += " = 3"
		}
		g.add(v)
		params = append(params, text)
	}
	if g.chance(10) {
		kind := pick(g, []types.Kind{types.I32, types.I16, types.U8})
		m := &image{name: g.name("taps"), elem: types.Scalar(kind), extent: []string{"KH", "KW"}, rule: "clamp", holds: true, param: true}
		params = append(params, fmt.Sprintf("in %s: mask %s[KH][KW]", m.name, m.elem))
		g.runtimeMask(m)
		g.taps = m
	}
	return params
}

// runtimeMask makes a func-like value of the offsets of a mask parameter: its entries are read where they are reduced.
func (g *generator) runtimeMask(m *image) {
	g.add(variable{name: fmt.Sprintf("sum(%s[d] ^ (d.y - d.x) for d in %s)", m.name, m.name), typ: tI32})
}

// outScalar declares a scalar that is returned, and writes the statement that gives it its value at the end.
func (g *generator) outScalar(params *[]string) string {
	if !g.chance(25) {
		return ""
	}
	name := g.name("ret")
	*params = append(*params, fmt.Sprintf("out %s: i32", name))
	return fmt.Sprintf("%s = %s;\n", name, g.host(2))
}

// locals are images and values of the host that steps may use.
func (g *generator) locals() string {
	text := ""
	if g.chance(40) {
		m := g.image("tmp", g.extent(), false)
		m.writes, m.holds = true, false
		text += "image " + m.declaration() + ";\n"
		g.images = append(g.images, m)
	}
	if g.chance(30) {
		v := variable{name: g.name("h"), typ: tI32, host: true}
		text += fmt.Sprintf("let %s = %s;\n", v.name, g.host(2))
		g.add(v)
	}
	if g.chance(5) {
		text += fmt.Sprintf("assume(%s < 1000);\n", pick(g, g.sizes))
	}
	return text
}

// written makes sure that something comes out: outputs without a stage get one.
func (g *generator) written() string {
	text := ""
	for _, m := range g.images {
		if m.param && m.writes && !m.holds {
			text += g.pointwise(m)
		}
	}
	return text
}

// host is an i32 that the host computes: small, since what does not fit is refused.
func (g *generator) host(depth int) string {
	var able []string
	for _, v := range g.values {
		if v.host {
			able = append(able, v.name)
		}
	}
	if depth <= 0 || g.chance(20) {
		if g.chance(20) || len(able) == 0 {
			return fmt.Sprint(g.IntN(6))
		}
		if v := pick(g, able); isName(v) {
			return v
		} else {
			return fmt.Sprintf("clamp(%s, -5, 9)", v)
		}
	}
	a, b := g.host(depth-1), g.host(depth-1)
	return fmt.Sprintf(pick(g, []string{"(%s + %s)", "(%s - %s)", "min(%s, %s)", "max(%s, %s)", "((%s) / 2 + %s)", "mod(%s, 3 + abs(%s))"}), a, b)
}

// condition is one that the host decides.
func (g *generator) condition() string {
	return fmt.Sprintf("%s %s %s", g.host(1), pick(g, comparisons), g.host(1))
}
