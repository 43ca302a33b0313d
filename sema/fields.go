package sema

import (
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// field checks x.name: a swizzle, a part of an offset, an extent of an image.
func (e *env) field(x *syntax.Field) operand {
	if id, ok := syntax.Unparen(x.X).(*syntax.Ident); ok {
		switch ent := e.scope.find(id.Name).(type) {
		case *pyramidEnt:
			return e.pyramidField(ent, x)
		case *imageEnt:
			return e.imageField(ent, x)
		case *borderedEnt:
			return e.imageField(&imageEnt{img: ent.img}, x)
		case *offsetEnt:
			return e.offsetPart(ent, id.Name, x)
		case *prefixEnt:
			return e.name(&syntax.Ident{Place: x.Place, Name: id.Name + "." + x.Name.Text})
		}
	}
	if base, subs := unchain(syntax.Unparen(x.X)); len(subs) == 1 && e.barePyramid(base) != nil {
		if m := e.bareImage(x.X); m != nil {
			return e.imageField(m, x)
		}
		return invalid(x.At)
	}
	o := e.operand(x.X)
	if !o.valid() {
		return invalid(x.At)
	}
	return e.swizzle(o, x)
}

// laneNames are the two ways to name components; one swizzle uses one of them.
var laneNames = []string{"xyzw", "rgba"}

// swizzle takes components of a vector.
func (e *env) swizzle(o operand, x *syntax.Field) operand {
	name := x.Name.Text
	if !o.typ.IsVector() {
		d := e.errorf(diag.UnknownField, x.Name.At, "a value of type %s has no .%s", o.typ, name)
		if o.typ.IsArray() {
			d.Note("elements of an array are read with subscripts")
		} else if _, ok := laneIndices(name, 4); ok {
			d.Note("only vectors have components")
		}
		return invalid(x.At)
	}
	lanes, ok := laneIndices(name, int(o.typ.Lanes))
	if !ok {
		d := e.errorf(diag.UnknownField, x.Name.At, "%s has no .%s", o.typ, name)
		n := int(o.typ.Lanes)
		d.Note("its components are %s, or %s; up to four may be named together, as in .%s", dotted(laneNames[0][:n]), dotted(laneNames[1][:n]), laneNames[0][:n])
		return invalid(x.At)
	}
	return e.swizzled(o, lanes, x.At)
}

// swizzled takes components of a vector by their numbers.
func (e *env) swizzled(o operand, lanes []int, at source.Span) operand {
	t := types.Vector(o.typ.Kind, len(lanes))
	if o.con != nil {
		c := &constant{typ: t, soft: o.con.soft}
		for _, l := range lanes {
			c.nums = append(c.nums, o.con.nums[l])
		}
		return constOperand(c, at)
	}
	return runtime(&hast.Swizzle{Typed: typed(t, at), X: o.x, Lanes: lanes})
}

// laneIndices reads a swizzle of a vector of n components; false if it is none.
func laneIndices(name string, n int) ([]int, bool) {
	if name == "" || len(name) > 4 {
		return nil, false
	}
	for _, names := range laneNames {
		var lanes []int
		for _, r := range name {
			if i := strings.IndexRune(names[:n], r); i >= 0 {
				lanes = append(lanes, i)
			}
		}
		if len(lanes) == len(name) {
			return lanes, true
		}
	}
	return nil, false
}

func dotted(letters string) string {
	return "." + strings.Join(strings.Split(letters, ""), " .")
}

// imageField is src.height, src.width and what other systems call them.
func (e *env) imageField(m *imageEnt, x *syntax.Field) operand {
	rank := m.img.Rank()
	fromEnd := map[string]int{"width": 1, "height": 2}
	back, ok := fromEnd[x.Name.Text]
	switch {
	case !m.img.Elem.IsValid():
		return invalid(x.At)
	case !ok:
		d := e.errorf(diag.UnknownField, x.Name.At, "an image has no .%s", x.Name.Text)
		if here, found := foreignFields[x.Name.Text]; found {
			d.Note("write .%s, or the name of the size", here)
		} else {
			suggest(d, x.Name.Text, []string{"height", "width", "extent"})
		}
		return invalid(x.At)
	case rank > 2 && m.of == nil: // those of a level have no names
		e.errorf(diag.UnknownField, x.Name.At, "%s has %d extents, so .%s could mean two of them", m.img.Name, rank, x.Name.Text).
			Note("use the name of the size, or %s.extent(k)", m.img.Name)
		return invalid(x.At)
	case back > rank:
		e.errorf(diag.UnknownField, x.Name.At, "%s has one extent and no height", m.img.Name).Note("its extent is .width")
		return invalid(x.At)
	}
	return e.hostOperand(m.img.Extent[rank-back], x)
}

// extentMethod is what a.extent(k) ends in.
const extentMethod = ".extent"

// methodImage is the image of a.extent(k).
func (e *env) methodImage(name string) (*hast.Image, bool) {
	name, ok := strings.CutSuffix(name, extentMethod)
	if !ok {
		return nil, false
	}
	switch ent := e.scope.find(name).(type) {
	case *imageEnt:
		return ent.img, true
	case *borderedEnt:
		return ent.img, true
	}
	return nil, false
}

// extentCall is a.extent(k), the extent of axis k.
func (e *env) extentCall(m *hast.Image, x *syntax.Call) operand {
	if !e.noIteration(x) || !m.Elem.IsValid() {
		return invalid(x.At)
	}
	if len(x.Args) != 1 {
		e.operands(x.Args)
		e.errorf(diag.ArgumentCount, x.At, "extent takes the number of an axis, not %s", plural(len(x.Args), "argument"))
		return invalid(x.At)
	}
	k, ok := e.constInt(x.Args[0], "the number of an axis")
	switch {
	case !ok:
		return invalid(x.At)
	case k < 0 || k >= m.Rank():
		e.errorf(diag.IndexRange, x.Args[0].Span(), "%s has %s; they are numbered from 0, and this is %d", m.Name, plural(m.Rank(), "axis", "axes"), k)
		return invalid(x.At)
	}
	return e.hostOperand(m.Extent[k], x)
}

// hostOperand makes an operand of a host expression, which may be a constant.
func (e *env) hostOperand(x hast.Expr, at syntax.Node) operand {
	switch c := x.(type) {
	case nil:
		return invalid(at.Span())
	case *hast.Const:
		return constOperand(fromWords(c.T, c.Words), at.Span())
	}
	return operand{typ: x.Type(), at: at.Span(), x: x}
}

// offsetPart is d.y of "d in dom".
func (e *env) offsetPart(d *offsetEnt, name string, x *syntax.Field) operand {
	parts := axisNames[len(axisNames)-len(d.dims):]
	for i, p := range parts {
		if p == x.Name.Text {
			return e.placed(d.axes[i], x)
		}
	}
	e.errorf(diag.UnknownField, x.Name.At, "an offset of %s has no .%s", plural(len(parts), "part"), x.Name.Text).
		Note("write %s", d.example(name))
	return invalid(x.At)
}
