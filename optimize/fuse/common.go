package fuse

import (
	"reflect"

	"imgc/hast"
	"imgc/source"
)

// common is the pipeline with one stage instead of two that compute the same of the same pixels, the first such pair.
func common(p *hast.Pipeline) *hast.Pipeline {
	g := Of(p, 0)
	for i, x := range g.stages {
		for _, y := range g.stages[i+1:] {
			if images := g.twins(x, y); images != nil {
				return g.once(y, images)
			}
		}
	}
	return p
}

// twins says which image that x writes holds the same as each that y writes, wherever these are read; nil where they are no twins.
func (g *Groups) twins(x, y *stage) map[*hast.Image]*hast.Image {
	if !same(x.list, y.list) || y.index < x.index || x.Scan != nil || y.Scan != nil {
		return nil
	}
	mine, its := x.written, y.written
	if len(mine) != len(its) || len(mine) == 0 || touches(mine, x.read) {
		return nil
	}
	t := &twin{vars: map[*hast.Var]*hast.Var{}, images: map[*hast.Image]*hast.Image{}}
	for k, m := range its {
		if !g.alone(mine[k]) || !g.alone(m) || !t.equal(reflect.ValueOf(mine[k].Extent), reflect.ValueOf(m.Extent)) || mine[k].Elem != m.Elem ||
			mine[k].Scalar != m.Scalar || !reflect.DeepEqual(mine[k].Lower, m.Lower) {
			return nil
		}
		t.images[mine[k]] = m
	}
	if !t.stages(x.Stage, y.Stage) || !g.unchanged(x, y) {
		return nil
	}
	out := map[*hast.Image]*hast.Image{}
	for a, b := range t.images {
		out[b] = a
	}
	return out
}

// alone reports whether an image is a local one that one stage writes before all that read it.
func (g *Groups) alone(m *hast.Image) bool {
	if m.Dir != hast.Local || m.View != nil || !g.own(m) || m.Zero || g.uses[m].other || len(g.uses[m].writers) != 1 {
		return false
	}
	w := g.of(g.uses[m].writers[0])
	if w.levels && m.Of == nil {
		return false
	}
	for _, r := range g.uses[m].readers {
		if y := g.of(r); !same(y.list, w.list) || y.index <= w.index {
			return false
		}
	}
	return true
}

// unchanged reports whether nothing between two stages writes what they read.
func (g *Groups) unchanged(x, y *stage) bool {
	for _, s := range x.list[x.index+1 : y.index] {
		switch s := s.(type) {
		case *hast.DefineHost:
		case *hast.Fresh:
			if touches([]*hast.Image{s.Image}, append(x.read, x.written...)) {
				return false
			}
		case *hast.Stage:
			if touches(written(s), x.read) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// once is the pipeline without a stage, whose images are read from others.
func (g *Groups) once(s *stage, from map[*hast.Image]*hast.Image) *hast.Pipeline {
	gone := map[*hast.Image]bool{}
	for m := range from {
		gone[m] = true
	}
	return g.replacing(gone, func(r *hast.Stage) []hast.Step {
		if r == s.Stage {
			return nil
		}
		if !touches(read(r), s.written) {
			return []hast.Step{r}
		}
		return []hast.Step{reading(r, from)}
	})
}

// reading is a stage that reads other images in the place of some.
func reading(s *hast.Stage, from map[*hast.Image]*hast.Image) *hast.Stage {
	r := &reader{from: from, borders: map[*hast.Border]*hast.Rule{}}
	out := *s
	if s.Where != nil {
		out.Where = r.expr(s.Where)
	}
	out.Body = hast.MapStmts(s.Body, r.expr)
	return &out
}

// A reader replaces what is read, and what its borders by formula look at.
type reader struct {
	from    map[*hast.Image]*hast.Image
	borders map[*hast.Border]*hast.Rule // by what they were
}

func (r *reader) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			if m := r.from[e.Image]; m != nil {
				x := hast.Reading(e, m, r.expr).(*hast.Load)
				x.Rule = r.rule(e.Rule)
				return x
			}
		case *hast.Window:
			if m := r.from[e.Image]; m != nil {
				x := hast.Reading(e, m, r.expr).(*hast.Window)
				x.Rule = r.rule(e.Rule)
				return x
			}
		}
		return nil
	})
}

// rule is a rule for the image that is read now: a border by formula is made for one image.
func (r *reader) rule(of *hast.Rule) *hast.Rule {
	if of == nil || of.Border == nil || r.from[of.Border.Image] == nil {
		return of
	}
	if made := r.borders[of.Border]; made != nil {
		return made
	}
	b := *of.Border
	made := &hast.Rule{Kind: of.Kind, Value: of.Value, Border: &b}
	r.borders[of.Border] = made
	b.Image, b.Frames, b.Else = r.from[b.Image], nil, r.rule(b.Else)
	for _, f := range of.Border.Frames {
		b.Frames = append(b.Frames, &hast.Frame{Places: f.Places, Value: r.expr(f.Value)})
	}
	return made
}

// A twin compares what stages do, whatever they call their variables, and the images that they write.
type twin struct {
	vars   map[*hast.Var]*hast.Var
	images map[*hast.Image]*hast.Image
	own    map[*hast.Var]bool // those that the first one declares, where it is an expression: all others are the same for both; nil for a stage, which declares all that are not the host's
}

// sameValues reports whether expressions of one body have the same values, whatever they call the variables of their reductions.
func sameValues(x, y any, declares ...hast.Expr) bool {
	t := &twin{vars: map[*hast.Var]*hast.Var{}, own: map[*hast.Var]bool{}}
	for _, e := range declares {
		hast.Walk(e, func(e hast.Expr) {
			if r, ok := e.(*hast.Reduce); ok {
				for _, v := range r.Space.Vars {
					t.own[v] = true
				}
			}
		})
	}
	return t.equal(reflect.ValueOf(x), reflect.ValueOf(y))
}

// stages reports whether two stages do the same.
func (t *twin) stages(x, y *hast.Stage) bool {
	for _, part := range [][2]any{{x.Space, y.Space}, {x.Body, y.Body}} {
		if !t.equal(reflect.ValueOf(part[0]), reflect.ValueOf(part[1])) {
			return false
		}
	}
	return (x.Where == nil) == (y.Where == nil) && (x.Where == nil || t.equal(reflect.ValueOf(x.Where), reflect.ValueOf(y.Where)))
}

var position = reflect.TypeFor[source.Span]()

// equal compares two values of any type of hast. Structures are equal where their parts are, but for places in the text; what has a
// name is equal to itself alone, unless it is a variable of the body or an image that the stages write.
func (t *twin) equal(x, y reflect.Value) bool {
	if x.Type() != y.Type() {
		return false
	}
	if x.Type() == position {
		return true
	}
	switch x.Kind() {
	case reflect.Pointer:
		return t.pointers(x, y)
	case reflect.Interface:
		return x.IsNil() == y.IsNil() && (x.IsNil() || t.equal(x.Elem(), y.Elem()))
	case reflect.Struct:
		for i := range x.NumField() {
			if !t.equal(x.Field(i), y.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if x.Len() != y.Len() {
			return false
		}
		for i := range x.Len() {
			if !t.equal(x.Index(i), y.Index(i)) {
				return false
			}
		}
		return true
	}
	return x.Equal(y)
}

func (t *twin) pointers(x, y reflect.Value) bool {
	if x.Pointer() == y.Pointer() || x.IsNil() || y.IsNil() {
		return x.Pointer() == y.Pointer()
	}
	switch a := x.Interface().(type) {
	case *hast.Var:
		b := y.Interface().(*hast.Var)
		if known, ok := t.vars[a]; ok {
			return known == b
		}
		if t.own != nil && !t.own[a] {
			return false
		}
		switch a.Class {
		case hast.Iterator, hast.Loop, hast.Value, hast.Mutable:
			t.vars[a] = b
			return a.Class == b.Class && a.Type == b.Type
		}
		return false
	case *hast.Image:
		return t.images[a] == y.Interface().(*hast.Image)
	case *hast.Func, *hast.Border, *hast.Levels, *hast.Pyramid:
		return false
	}
	return t.equal(x.Elem(), y.Elem())
}
