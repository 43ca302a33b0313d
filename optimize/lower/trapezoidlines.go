package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// What groups that compute trapezoids have in local memory: of each state the lines of the steps that are computed together, and of those before them.

// at is what the lines have of a pixel of a state; nil of other images.
func (t *trapezoid) at(m *hast.Image, coords []kir.Expr) kir.Expr {
	if t == nil || t.lines[m] == nil {
		return nil
	}
	x := t.state(m)
	row := exactly(ops.Add, t.behind(coords[x.Along]), i32(int64(t.Depth)))
	parts := t.inLines(x, row, t.column(coords[x.Line]))
	if len(parts) == 1 {
		return parts[0]
	}
	return &kir.Vec{Typed: kir.Typed{T: m.Elem}, Parts: parts}
}

func (t *trapezoid) state(m *hast.Image) *block.State {
	for _, x := range t.States {
		if x.Image == m {
			return x
		}
	}
	return nil
}

// behind is by how many steps a place along the scan comes behind the first of those that are computed together.
func (t *trapezoid) behind(at kir.Expr) kir.Expr {
	first := t.value(t.Along, t.step)
	if t.stage.Scan.Down {
		return exactly(ops.Sub, first, at)
	}
	return exactly(ops.Sub, at, first)
}

// value is that of the variable along the scan in a step, or of the one across it at an index.
func (t *trapezoid) value(axis int, index kir.Expr) kir.Expr {
	if axis == t.Along && t.stage.Scan.Down {
		index = exactly(ops.Sub, exactly(ops.Sub, t.count, i32(1)), index)
	}
	return exactly(ops.Add, t.bound(t.stage.Space.Vars[axis].Name+"_from", t.stage.Space.Ranges[axis].Lo), index)
}

// column is which of the lines' columns a place along them is.
func (t *trapezoid) column(at kir.Expr) kir.Expr {
	return exactly(ops.Add, exactly(ops.Sub, at, t.value(t.Line, t.index)), t.item)
}

// inLines are the components of a pixel of the lines.
func (t *trapezoid) inLines(x *block.State, row, column kir.Expr) (parts []kir.Expr) {
	for _, index := range t.places(x, row, column) {
		parts = append(parts, t.body.elemOf(t.lines[x.Image], index))
	}
	return parts
}

// places is where they are.
func (t *trapezoid) places(x *block.State, row, column kir.Expr) (list [][]kir.Expr) {
	lanes := int64(x.Image.Elem.Lanes)
	for l := range lanes {
		list = append(list, []kir.Expr{row, exactly(ops.Add, exactly(ops.Mul, column, i32(lanes)), i32(l))})
	}
	return list
}

// put writes a pixel of the lines.
func (t *trapezoid) put(x *block.State, row, column kir.Expr, parts []kir.Expr) {
	for l, index := range t.places(x, row, column) {
		t.body.emit(&kir.Assign{Placed: t.body.placed(), Var: t.lines[x.Image], Index: index, Value: parts[l]})
	}
}

// lanesOf are the components of a value.
func (b *body) lanesOf(value kir.Expr) (parts []kir.Expr) {
	if value.Type().Lanes > 1 {
		value = b.once("pixel", value)
	}
	for l := range int(value.Type().Lanes) {
		parts = append(parts, b.lane(value, l))
	}
	return parts
}
