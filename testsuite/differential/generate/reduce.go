package generate

import (
	"fmt"
	"strings"

	"imgc/types"
)

// reduction is a reduction of a window, an array or a comprehension, converted to kind k.
func (g *generator) reduction(k types.Kind, depth int) string {
	t := types.Scalar(k)
	switch g.IntN(6) {
	case 0:
		if text, ok := g.convolution(depth); ok {
			return g.cast(t, text)
		}
	case 1, 2:
		element := g.value().WithLanes(1)
		if text, ok := g.window(element, 0); ok {
			return g.cast(t, g.reduced(element, text))
		}
	case 3:
		if text, ok := g.overOffsets(depth); ok {
			return g.cast(t, text)
		}
	case 4:
		return g.cast(t, g.folded(depth))
	}
	return g.cast(t, g.overRange(depth))
}

// reduced takes an array of elements of type t. The least and greatest of floats may be zeros of either sign: adding 0 leaves one.
func (g *generator) reduced(t types.Type, text string) string {
	if t.Kind.IsFloat() {
		of := pick(g, []string{"sum", "product", "mean", "min", "max", "median"})
		if of != "sum" && of != "mean" && of != "product" {
			text = fmt.Sprintf("(%s) + %s(0.0)", text, t.Kind)
		}
		return fmt.Sprintf("%s(%s)", of, text)
	}
	of := []string{"sum", "product", "min", "max", "median"}
	if !g.whole {
		of = append(of, "mean")
	}
	return fmt.Sprintf("%s(%s)", pick(g, of), text)
}

// convolution is of a mask of the program or of a parameter.
func (g *generator) convolution(depth int) (string, bool) {
	var able []*image
	for _, m := range g.readable() {
		if g.ruled(m) && m.elem.Lanes == 1 && m.elem.Kind != types.Bool && m.elem.Kind != types.BF16 {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return "", false
	}
	m := pick(g, able)
	rank := 1 + g.IntN(min(2, len(m.extent)))
	coefficient := g.meeting(types.Promote(m.elem.Kind))
	mask := ""
	if _, ok := types.Common(types.Promote(m.elem.Kind), types.I32); ok && g.taps != nil && len(m.extent) > 1 && !g.inKernel && g.chance(50) {
		mask = g.taps.name
	} else {
		mask = g.mask(coefficient, rank)
	}
	at := m.name
	for axis := range m.extent {
		at += "[" + g.coordinate(m, axis, depth-1) + "]"
	}
	return fmt.Sprintf("convolve(%s, %s)", mask, at), true
}

// overOffsets reduces over the offsets of a domain.
func (g *generator) overOffsets(depth int) (string, bool) {
	rank := 1 + g.IntN(2)
	domain := g.domain(rank)
	d := g.name("d")
	return g.local(func() string {
		g.add(variable{name: d + ".x", typ: tI32})
		if rank == 2 {
			g.add(variable{name: d + ".y", typ: tI32})
		}
		of := pick(g, []string{"sum", "product", "min", "max", "median", "count", "any"})
		element := g.expr(types.Scalar(pick(g, integers)), depth)
		if of == "count" || of == "any" {
			element = g.truth(depth)
		}
		return fmt.Sprintf("%s(%s for %s in %s)", of, element, d, domain)
	}), true
}

var ranges = []string{"0:4", "-1:2", "0:17", "3:-2:-1", "0:9:4", "2:2"}

// overRange reduces over ranges, or over the pixels of an image.
func (g *generator) overRange(depth int) string {
	if m := g.spread(); m != nil && g.chance(20) {
		return g.local(func() string { return g.overPixels(m, depth) })
	}
	return g.local(func() string {
		vars := []string{g.name("n"), g.name("n")}[:1+g.IntN(2)]
		list := ""
		for i, v := range vars {
			if i > 0 {
				list += ", "
			}
			list += v + " in " + g.span(ranges[:4+g.IntN(3)])
		}
		for _, v := range vars {
			g.add(variable{name: v, typ: tI32})
		}
		of := pick(g, []string{"sum", "min", "max", "product", "argmin", "argmax", "median", "count", "all"})
		if of == "median" && strings.Contains(list, "clamp") {
			of = "max"
		}
		switch of {
		case "count", "all":
			return fmt.Sprintf("%s(%s for %s)", of, g.truth(depth), list)
		case "argmin", "argmax":
			text := fmt.Sprintf("%s(%s for %s)", of, g.expr(types.Scalar(pick(g, integers)), depth), list)
			if len(vars) > 1 {
				text = fmt.Sprintf("(%s).%s", text, pick(g, []string{"x", "y"}))
			}
			return text
		}
		k := pick(g, integers)
		if f, ok := g.float(); ok && g.chance(30) && (of == "sum" || of == "product") {
			k = f
		}
		return fmt.Sprintf("%s(%s for %s)", of, g.expr(types.Scalar(k), depth), list)
	})
}

// span is a range, also one that is known at run time only.
func (g *generator) span(constant []string) string {
	if by := g.moving(types.I32); by != "" && g.chance(25) {
		return fmt.Sprintf("%d : clamp(%s, 0, 6)", g.IntN(3)-1, by)
	}
	return pick(g, constant)
}

// spread is an image of few axes whose pixels may all be read.
func (g *generator) spread() *image {
	for _, m := range g.readable() {
		if m.elem.Lanes == 1 && m.elem.Kind.IsInt() && len(m.extent) <= 2 && m.low == nil {
			return m
		}
	}
	return nil
}

// overPixels reduces over the pixels of m.
func (g *generator) overPixels(m *image, depth int) string {
	vars := make([]string, len(m.extent))
	for i := range vars {
		vars[i] = g.name("q")
		g.add(variable{name: vars[i], typ: tI32})
	}
	element := fmt.Sprintf("(%s%s) ^ i32(%s)", m.name, brackets(vars), g.expr(types.Scalar(types.U8), depth-1))
	if _, ok := types.Common(m.elem.Kind, types.I32); !ok {
		element = fmt.Sprintf("i32(%s%s)", m.name, brackets(vars))
	}
	return fmt.Sprintf("%s(%s for (%s) over %s)", pick(g, []string{"sum", "min", "max"}), element, strings.Join(vars, ", "), m.name)
}

// folded folds a comprehension with a func.
func (g *generator) folded(depth int) string {
	if g.funcs == mostFuncs {
		return g.leaf(tI32)
	}
	t := types.Scalar(g.number())
	name := g.function(t, []types.Type{t, tI32})
	return g.local(func() string {
		v := g.name("n")
		init, span := g.expr(t, depth-1), g.span(ranges)
		g.add(variable{name: v, typ: tI32})
		return fmt.Sprintf("fold(%s, %s, %s for %s in %s)", name, init, g.expr(tI32, depth-1), v, span)
	})
}

// call is the value of a func. There are few: kernels stay small that way.
func (g *generator) call(depth int) string {
	if g.chance(25) {
		return g.external(depth)
	}
	if g.funcs == mostFuncs {
		return g.leaf(g.value().WithLanes(1))
	}
	result := g.value()
	var params []types.Type
	for range 1 + g.IntN(3) {
		switch p := g.value(); {
		case g.chance(20):
			params = append(params, types.Scalar(p.Kind).Array(pick(g, []int{2, 3})))
		default:
			params = append(params, p)
		}
	}
	name := g.function(result, params)
	args := make([]string, len(params))
	for i, p := range params {
		args[i] = g.expr(p, depth-1)
	}
	text := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	if result.Lanes > 1 {
		text += "." + string(pick(g, lanes(int(result.Lanes))))
	}
	return text
}
