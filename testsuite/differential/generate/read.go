package generate

import (
	"fmt"
	"strings"

	"imgc/types"
)

// readable lists the images that an expression of the stage may read. On the host there are none.
func (g *generator) readable() []*image {
	var all []*image
	if g.stage == nil {
		return nil
	}
	for _, m := range g.images {
		if m.holds && !g.isBusy(m) {
			all = append(all, m)
		}
	}
	return all
}

// isBusy reports whether the stage writes the memory that an image has.
func (g *generator) isBusy(m *image) bool {
	for _, other := range g.images {
		if g.stage.busy[other.name] && other.root() == m.root() {
			return true
		}
	}
	return g.stage.busy[m.name]
}

// readsBools reports whether a rule for all images would have to serve one of bools.
func (g *generator) readsBools() bool {
	for _, m := range g.readable() {
		if m.elem.Kind == types.Bool {
			return true
		}
	}
	return false
}

// ruled reports whether a border rule covers the reads of m.
func (g *generator) ruled(m *image) bool {
	return m.rule != "" || g.stage.all || g.stage.rules[m.name] != ""
}

// load reads a pixel near the instance's own, across the image, or wherever a value says.
func (g *generator) load(m *image, depth int) string {
	if !g.ruled(m) {
		return g.loadInside(m, depth)
	}
	turned := g.chance(6) && len(m.extent) > 1 && len(g.stage.vars) > 1
	swapped := turned && g.chance(70)
	text := m.name
	for axis := range m.extent {
		if beside := len(m.extent) - axis; turned && beside <= 2 {
			text += "[" + g.turnedCoordinate(m, axis, swapped) + "]"
			continue
		}
		text += "[" + g.coordinate(m, axis, depth) + "]"
	}
	return text
}

// turnedCoordinate is one of a read on one of the last two axes, from the other end or along the other variable.
func (g *generator) turnedCoordinate(m *image, axis int, swapped bool) string {
	beside := len(m.extent) - axis
	if swapped {
		beside = 3 - beside
	}
	at := g.stage.vars[len(g.stage.vars)-beside]
	if g.chance(50) {
		at = fmt.Sprintf("%s - 1 - %s", m.extent[axis], at)
	}
	if g.chance(40) {
		at += fmt.Sprintf(" %c %d", "+-"[g.IntN(2)], 1+g.IntN(3))
	}
	return at
}

// coordinate may be outside.
func (g *generator) coordinate(m *image, axis, depth int) string {
	v := g.along(axis, len(m.extent))
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf("2*%s - %d", v, g.IntN(4))
	case 1:
		return fmt.Sprintf("%s - %s", m.extent[axis], v)
	case 2:
		return fmt.Sprintf("%s/2", v)
	case 3:
		return fmt.Sprint(g.IntN(5) - 2)
	case 4:
		if depth > 0 {
			return g.expr(tI32, depth-1)
		}
	case 5:
		return pick(g, g.stage.vars)
	case 6, 7:
		return v
	}
	return fmt.Sprintf("%s %c %d", v, "+-"[g.IntN(2)], 1+g.IntN(4))
}

// along is the variable that runs along an axis, mostly.
func (g *generator) along(axis, rank int) string {
	vars := g.stage.vars
	if at := axis + len(vars) - rank; at >= 0 && at < len(vars) {
		return vars[at]
	}
	return pick(g, vars)
}

// loadInside reads a pixel that is in the image for sure. An image that may be empty has none: its own extents as conditions.
func (g *generator) loadInside(m *image, depth int) string {
	text, conditions := m.name, []string(nil)
	for axis, extent := range m.extent {
		low := 0
		if m.low != nil {
			low = m.low[axis]
		}
		if v, ok := g.sameRange(m, axis); ok && g.chance(70) {
			text += "[" + v + "]"
			continue
		}
		at := g.coordinate(m, axis, depth)
		switch {
		case isNumber(extent) || isName(extent):
			text += fmt.Sprintf("[clamp(%s, %d, %s - 1)]", at, low, high(low, extent))
		default:
			at = g.along(axis, len(m.extent))
			conditions = append(conditions, fmt.Sprintf("%s >= %d && %s < %s", at, low, at, high(low, extent)))
			text += "[" + at + "]"
		}
	}
	if len(conditions) == 0 {
		return text
	}
	return fmt.Sprintf("(%s ? %s : %s(0))", strings.Join(conditions, " && "), text, m.elem)
}

// high is the end of an index range.
func high(low int, extent string) string {
	if low == 0 {
		return extent
	}
	return fmt.Sprintf("%s + (%d)", extent, low)
}

// sameRange finds the variable that runs over an axis of m, no more.
func (g *generator) sameRange(m *image, axis int) (string, bool) {
	for i, over := range g.stage.over {
		low := 0
		if m.low != nil {
			low = m.low[axis]
		}
		if over == m.extent[axis] && g.stage.low[i] == low {
			return g.stage.vars[i], true
		}
	}
	return "", false
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isName(s string) bool { return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" }

// window reads a few pixels at once, as an array of one or two extents whose elements are of the kind and lanes of t, or converted
// to them. Images without a rule have no windows here.
func (g *generator) window(t types.Type, rank int) (string, bool) {
	var able []*image
	for _, m := range g.readable() {
		if g.ruled(m) && m.elem.Lanes == t.Lanes && len(m.extent) >= max(rank, 1) && m.elem.Kind != types.Bool {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return "", false
	}
	m := pick(g, able)
	if rank == 0 {
		rank = 1 + g.IntN(min(2, len(m.extent)))
	}
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = 1 + g.IntN(3)
	}
	text := g.windowOf(m, dims)
	if m.elem != t {
		text = g.cast(t, text)
	}
	return text, true
}

// windowOf has the given extents along the last axes.
func (g *generator) windowOf(m *image, dims []int) string {
	text := m.name
	for axis := range m.extent {
		at := axis - (len(m.extent) - len(dims))
		if at < 0 {
			text += "[" + g.coordinate(m, axis, 0) + "]"
			continue
		}
		text += fmt.Sprintf("[%s : %d", g.coordinate(m, axis, 0), dims[at])
		if g.chance(15) {
			text += fmt.Sprintf(" : %d", 1+g.IntN(3))
		}
		text += "]"
	}
	return text
}

// array is an array of type t: its elements are scalars or vectors.
func (g *generator) array(t types.Type, depth int) string {
	for range 3 {
		switch g.IntN(7) {
		case 0:
			if text, ok := g.named(t); ok {
				return text
			}
		case 1, 2:
			if text, ok := g.windowAs(t); ok {
				return text
			}
		case 3:
			if depth > 0 {
				op := pick(g, []string{"+", "-", ".*"})
				return fmt.Sprintf("%s((%s) %s (%s))", t.Elem(), g.array(t, depth-1), op, g.array(t, depth-1))
			}
		case 4:
			if depth > 0 {
				return fmt.Sprintf("%s(%s * (%s))", t.Elem(), g.expr(types.Scalar(t.Kind), 0), g.array(t, depth-1))
			}
		case 5:
			if depth > 0 && t.Rank == 2 {
				turned := t.Elem().Array(int(t.Dims[1]), int(t.Dims[0]))
				return fmt.Sprintf("transpose(%s)", g.array(turned, depth-1))
			}
		case 6:
			if depth > 0 && t.Rank == 2 && t.Lanes == 1 && g.stage != nil {
				inner := 1 + g.IntN(3)
				return fmt.Sprintf("%s((%s) * (%s))", t.Elem(), g.array(t.Elem().Array(int(t.Dims[0]), inner), depth-1),
					g.array(t.Elem().Array(inner, int(t.Dims[1])), depth-1))
			}
		}
	}
	return g.comprehension(t, depth)
}

// windowAs is a window of just the type t.
func (g *generator) windowAs(t types.Type) (string, bool) {
	var able []*image
	for _, m := range g.readable() {
		if g.ruled(m) && m.elem.Lanes == t.Lanes && len(m.extent) >= int(t.Rank) {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return "", false
	}
	m := pick(g, able)
	text := g.windowOf(m, t.Shape())
	if m.elem != t.Elem() {
		text = g.cast(t.Elem(), text)
	}
	return text, true
}

// comprehension makes each element by itself.
func (g *generator) comprehension(t types.Type, depth int) string {
	return g.local(func() string {
		var vars []string
		for _, n := range t.Shape() {
			v := g.name("c")
			low := g.IntN(3) - 1
			vars = append(vars, fmt.Sprintf("%s in %d:%d", v, low, low+n))
			g.add(variable{name: v, typ: tI32})
		}
		return fmt.Sprintf("[%s for %s]", g.expr(t.Elem(), depth-1), strings.Join(vars, ", "))
	})
}

// element is an element of an array, at an index that may be out of range.
func (g *generator) element(t types.Type, depth int) (string, bool) {
	var able []variable
	for _, v := range g.values {
		if v.typ.IsArray() && v.typ.Lanes == t.Lanes {
			able = append(able, v)
		}
	}
	if len(able) == 0 {
		return "", false
	}
	v := pick(g, able)
	text := v.name
	for range v.typ.Rank {
		text += "[" + g.moved(depth) + "]"
	}
	return g.cast(t, text), true
}

// moved is an index that is not known to the compiler: a constant one out of range would be an error.
func (g *generator) moved(depth int) string {
	if by := g.moving(types.I32); by != "" {
		if g.chance(50) {
			return fmt.Sprintf("(%s) & 3", g.expr(tI32, depth-1)+" ^ "+by)
		}
		return by
	}
	return "0"
}

// sampled is a float: an image between its pixels.
func (g *generator) sampled(depth int) (string, bool) {
	if g.whole {
		return "", false
	}
	var able []*image
	for _, m := range g.readable() {
		if g.ruled(m) && m.elem.Lanes == 1 && m.elem.Kind != types.Bool {
			able = append(able, m)
		}
	}
	if len(able) == 0 {
		return "", false
	}
	m := pick(g, able)
	text := "sample(" + m.name
	for axis := range m.extent {
		at := fmt.Sprintf("f32(%s) * %s", g.along(axis, len(m.extent)), pick(g, []string{"0.5", "1.25", "0.75"}))
		if g.chance(25) {
			at = g.expr(types.Scalar(types.F32), depth)
		}
		text += ", " + at
	}
	return fmt.Sprintf("%s, %s)", text, pick(g, []string{"nearest", "linear"})), true
}
