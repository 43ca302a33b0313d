package generate

import (
	"fmt"
	"slices"
	"strings"

	"imgc/types"
)

// called calls a kernel that is written for the images of the call.
func (g *generator) called() string {
	var ins, outs []*image
	for _, m := range g.images {
		if m.elem.Kind == types.Bool || m.elem.Kind == types.BF16 {
			continue
		}
		if m.holds {
			ins = append(ins, m)
		}
		if m.writes {
			outs = append(outs, m)
		}
	}
	if len(ins) == 0 || len(outs) == 0 {
		return g.fill()
	}
	in, out := pick(g, ins), pick(g, outs)
	if in.root() == out.root() {
		return g.with(g.pointwise)
	}
	if slices.Equal(in.extent, out.extent) && in.elem == out.elem && in.low == nil && out.low == nil && g.chance(50) {
		out.holds = true
		return fmt.Sprintf("%s(%s, %s);\n", g.generic(len(in.extent)), in.name, out.name)
	}
	dir := "out"
	if out.holds && g.chance(50) {
		dir = "inout"
	}
	name := g.kernel(in, out, dir)
	out.holds = true
	return fmt.Sprintf("%s(%s, %s, %s);\n", name, in.name, out.name, g.host(1))
}

// kernel declares a kernel for an image to read and one to write.
func (g *generator) kernel(in, out *image, dir string) string {
	name := g.name("kern")
	sizes, images, steps, ranked := g.sizes, g.images, g.steps, g.name("")
	defer func() { g.sizes, g.images, g.steps = sizes, images, steps }()
	g.apart(func() string {
		g.steps, g.inKernel = 0, true
		defer func() { g.inKernel = false }()
		a := &image{name: "a" + ranked, elem: in.elem, extent: kernelSizes("A", len(in.extent)), low: in.low, holds: true, param: true}
		b := &image{name: "b" + ranked, elem: out.elem, extent: kernelSizes("B", len(out.extent)), low: out.low, holds: dir == "inout", writes: true, param: true}
		if slices.Equal(in.extent, out.extent) {
			b.extent = a.extent
		}
		if g.chance(30) {
			a.rule = g.rule(len(a.extent), a.elem)
		}
		g.images, g.sizes = []*image{a, b}, a.extent
		for _, s := range a.extent {
			g.add(variable{name: s, typ: tI32, host: true})
		}
		g.add(variable{name: "k" + ranked, typ: tI32, host: true})
		body := ""
		if g.chance(30) {
			body += g.declared()
		}
		body += g.pointwise(b)
		if g.chance(30) {
			body += g.step(0)
		}
		return fmt.Sprintf("kernel %s(in %s, %s %s, in k%s: i32) %s", name, a.declaration(), dir, b.declaration(), ranked, block(body))
	})
	return name
}

func kernelSizes(prefix string, rank int) []string {
	var all []string
	for i := range rank {
		all = append(all, prefix+string(rune('P'+i)))
	}
	return all
}

// generic declares a kernel for images of any type.
func (g *generator) generic(rank int) string {
	name := g.name("gen")
	g.apart(func() string {
		sizes := kernelSizes("G", rank)
		at := brackets(axes[rank])
		moved := slices.Clone(axes[rank])
		moved[rank-1] += pick(g, []string{" - 1", " + 2", " + 1"})
		next := brackets(moved)
		value := pick(g, []string{
			"a" + next, "T(a" + next + " + a" + at + ")", "sat<T>(a" + at + " - a" + next + ")", "mid(a" + at + ", a" + next + ")",
		})
		text := ""
		if strings.HasPrefix(value, "mid") {
			value = name + "_" + value
			text = fmt.Sprintf("func %s_mid<T>(p: T, q: T): T = T(p * q);\n", name)
		}
		return text + fmt.Sprintf("kernel %s<T>(in a: T%s border %s, out b: T%s) {\n    b = [%s for %s];\n}\n", name, brackets(sizes),
			pick(g, plainRules), brackets(sizes), value, strings.Join(axes[rank], ", "))
	})
	return name
}
