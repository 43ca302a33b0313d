package fuse

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/schedule"
	"imgc/optimize/separable"
	"imgc/types"
)

// Separate is a pipeline in which sums over windows of a stage, weighted by a mask that is the product of a column and a row, are sums
// along columns of what a stage before it sums along rows. It is the same for integers; for floats, where they may be
// added in another order, within the mode's bound. The least and the greatest pixels of windows are those of columns of what they are in rows, which is the same in any case.
// Parts are the new stages, none where the stage has no such reduction.
//
// Rows come first where work-items compute their blocks row by row: what they keep of the rows before are sums as wide as their block,
// not pixels as wide as their window; and blocks are at least as high as they are wide, so that fewer sums are computed beside them. Columns may come first
// where groups put these sums into local memory, of which tiles are wider than high: 17 rows of 13 sums lie above and below a tile of 8 otherwise, and are three quarters of all that it computes.
func Separate(p *hast.Pipeline, s *hast.Stage, first schedule.Order, floats bool) (out *hast.Pipeline, parts []*hast.Stage) {
	return Of(p, 0).separate(s, first, floats)
}

func (g *Groups) separate(s *hast.Stage, first schedule.Order, floats bool) (out *hast.Pipeline, parts []*hast.Stage) {
	p := g.pipeline
	if s.Scan != nil || len(s.Space.Vars) < 2 || len(s.Fused) > 0 || g.of(s).levels {
		return p, nil
	}
	for k, r := range s.Space.Ranges {
		if s.Space.Vars[k] == nil || r.Step != 1 || k < len(s.Space.Vars)-2 && !g.whole(r) {
			return p, nil
		}
	}
	z := g.made.apart(s, first, floats, g.names, g.extent)
	if len(z.parts) == 0 {
		return p, nil
	}
	steps, _ := g.rewritten(p.Steps, nil, func(y *hast.Stage) []hast.Step {
		if y != s {
			return []hast.Step{y}
		}
		var out []hast.Step
		for _, part := range z.parts {
			out = append(out, part)
		}
		return append(out, z.rest)
	})
	q := *p
	q.Steps = steps
	q.Images = append(slices.Clone(p.Images), z.images...)
	return &q, z.parts
}

// whole reports whether a range has the indices of an axis of an image that has storage.
func (g *Groups) whole(r hast.Range) bool { return r.Counts() && g.extent(r.Hi) }

// extent reports whether a number is the extent of an image that has storage, and so one that an image may have, which the entry knows. Ranges and views may have others, 0 among them.
func (g *Groups) extent(n hast.Expr) bool {
	if n, ok := hast.Number(n); ok {
		return n >= 1 && n <= hast.MaxExtent
	}
	has := func(m *hast.Image) bool {
		return m != nil && m.View == nil && m.Of == nil && slices.ContainsFunc(m.Extent, func(e hast.Expr) bool { return hast.Equal(e, n) })
	}
	return slices.ContainsFunc(g.pipeline.Params, func(p *hast.Param) bool { return has(p.Image) }) || slices.ContainsFunc(g.pipeline.Images, has)
}

// names are those of the stages and images of the pipeline.
func (g *Groups) names() map[string]bool {
	names := map[string]bool{}
	for _, s := range g.stages {
		names[s.Name] = true
	}
	for _, m := range g.pipeline.Images {
		names[m.Name] = true
	}
	return names
}

// A separator takes the sums, and the least and greatest values, of one stage apart.
type separator struct {
	of          *hast.Stage
	first       schedule.Order
	floats      bool
	names       map[string]bool
	extent      func(n hast.Expr) bool // Groups.extent
	conditional bool                   // some instances may not read what others do, and their parts read it all the same: what lies outside of the image, too
	across      hast.Expr              // as many places as the stage has instances along the axis that is summed first, or as the images that it writes; nil where that is not known
	wider       bool                   // these are more than the stage has instances for
	bytes       bool                   // nothing but single bytes is reduced
	rest        *hast.Stage            // what the stage becomes
	parts       []*hast.Stage
	rules       []*hast.Rule // under which what they write is read
	images      []*hast.Image
	terms       map[*hast.Reduce][]restSum // sums of columns of floats, and what they are the sum of
}

func newSeparator(s *hast.Stage, first schedule.Order, floats bool, names map[string]bool, extent func(n hast.Expr) bool) *separator {
	z := &separator{of: s, first: first, floats: floats, names: names, extent: extent, conditional: conditional(s), bytes: reducesBytes(s)}
	z.across, z.wider = z.placesOf(s)
	rest := *s
	rest.Body = z.join(hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr { return hast.Map(e, z.sum) }))
	z.rest = &rest
	return z
}

// axis is that which is summed first, of rows and columns: along columns, which is 0, or along rows. The other one is left for the stage.
func (z *separator) axis() int {
	if z.first == schedule.ColumnsFirst {
		return 0
	}
	return 1
}

// conditional reports whether a stage does some of its work where a condition holds alone, which may be what keeps its reads inside of images.
func conditional(s *hast.Stage) bool {
	found := s.Where != nil
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		switch st.(type) {
		case *hast.If, *hast.While, *hast.For:
			found = true
		}
	}, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Select:
			found = true
		case *hast.Op:
			found = found || e.Op.Lazy()
		case *hast.Reduce:
			found = found || e.Where != nil
		}
	})
	return found
}

// reducesBytes reports whether each reduction of a stage is one of pixels of a single image of bytes.
func reducesBytes(s *hast.Stage) bool {
	bytes := true
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			reads := 0
			hast.Walk(r.Elem, func(e hast.Expr) {
				if load, ok := e.(*hast.Load); ok {
					reads++
					bytes = bytes && load.Image.Elem.Kind == types.U8
				}
			})
			bytes = bytes && reads == 1
		}
	})
	return bytes
}

// placesOf is how many places the sums that come first have for a stage: as many as it has instances along their axis, where an image has as many, or as the images that it writes, where each
// instance writes its own place.
func (z *separator) placesOf(s *hast.Stage) (n hast.Expr, wider bool) {
	behind := 1 - z.axis() // axes that follow
	own := len(s.Space.Vars) - 1 - behind
	if r := s.Space.Ranges[own]; r.Counts() && z.extent(r.Hi) {
		return r.Hi, false
	}
	known := true
	hast.EachStore(s.Body, func(st *hast.Store) {
		k := len(st.Index) - 1 - behind
		if known = known && k >= 0; !known {
			return
		}
		places := st.Image.Extent[k]
		known = hast.IsVar(st.Index[k], s.Space.Vars[own]) && st.Image.Lower == nil && !st.Skip && z.extent(places) && (n == nil || hast.Equal(n, places))
		n = places
	})
	if !known {
		return nil, false
	}
	return n, true
}

// fits reports whether the parts would be called the same in a pipeline with other names.
func (z *separator) fits(names map[string]bool) bool {
	for _, m := range z.images { // the first one of a part is called as that is
		if m.Name != z.name(names) {
			return false
		}
	}
	return true
}

// name is a name for a part of the stage, or for an image of one, which is one of the names then.
func (z *separator) name(names map[string]bool) string {
	first := z.first.Name(z.of.Name)
	name := first
	for n := 2; names[name]; n++ {
		name = fmt.Sprintf("%s%d", first, n)
	}
	names[name] = true
	return name
}

// sum is what takes the place of an expression; nil where it stays.
func (z *separator) sum(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok || z.across == nil {
		return nil
	}
	m := z.product(r)
	if m == nil {
		return nil
	}
	column, row := z.factors(m)
	if len(column) < 2 || len(row) < 2 || m.terms(column)+m.terms(row) >= len(m.of.Space.Points) {
		return nil
	}
	axis, weights := z.axis(), [2][]types.Word{column, row}
	t, rule := z.part(m, weights[axis])
	if t == nil {
		return nil
	}
	left := 1 - axis
	sum := restSum{z, m, weights[left], m.base[left], m.lo[left], hast.Load{Typed: hast.Typed{T: t.Elem, At: r.At}, Image: t, Rule: rule}}
	out := sum.along(&hast.Var{Name: r.Space.Vars[left].Name, Type: i32, Class: hast.Loop, At: r.At})
	z.note(out, sum)
	return out
}

// converted is a value as another type that holds it.
func converted(x hast.Expr, t types.Type) hast.Expr {
	if x.Type() == t {
		return x
	}
	return &hast.Convert{Typed: hast.Typed{T: t, At: x.Span()}, X: x}
}

// kept is the type of the pixels that have the sums that come first: that of the sums, or where these are of bytes alone, so that rows may be by themselves and in memory, one of 16 bits that
// holds them. In one kernel with others they would be widened for each use.
func (z *separator) kept(m *product, weights []types.Word) types.Type {
	t := m.of.T
	c, ok := m.value.(*hast.Convert)
	if !z.bytes || !ok || extreme(m.of) || t.Kind != types.I32 || c.X != hast.Expr(m.loads[0]) {
		return t
	}
	most := int64(0)
	for _, w := range weights {
		if w.Int() < 0 {
			return t
		}
		most += 255 * w.Int()
	}
	if most > 1<<16-1 {
		return t
	}
	t.Kind = types.U16
	return t
}

// axes are the variables of the stage: those of planes, whose windows are apart, of rows and of columns.
func (z *separator) axes() (lead []*hast.Var, y, x *hast.Var) {
	vars := z.of.Space.Vars
	n := len(vars) - 2
	return vars[:n], vars[n], vars[n+1]
}

// along is the coordinate of a read of a row, with 0, or in it, with 1, behind those of planes.
func along(load *hast.Load, axis int) hast.Coord { return load.Index[len(load.Index)-2+axis] }

// extentOf is the number of rows of an image, or of its columns.
func extentOf(m *hast.Image, axis int) hast.Expr { return m.Extent[m.Rank()-2+axis] }

// one is the number 1.
func one(k types.Kind) types.Word { return types.Convert(types.Int(1), types.I32, k) }

// entryOf is the entry of a mask that a factor is, for all components where it has several.
func entryOf(factor hast.Expr) (*hast.Elem, bool) {
	if all, ok := factor.(*hast.Splat); ok {
		factor = all.X
	}
	e, ok := factor.(*hast.Elem)
	if !ok {
		return nil, false
	}
	_, ok = e.X.(*hast.Const)
	return e, ok
}

// factors are the column and the row whose product the weights are; nil where they are none.
func (z *separator) factors(m *product) (column, row []types.Word) {
	if extreme(m.of) {
		return m.ones(len(m.weights)), m.ones(len(m.weights[0]))
	}
	if m.of.T.Kind == types.I32 {
		return factors(m.weights, separable.Integers, types.Word.Int, types.Int)
	}
	round := func(v float64) float64 { return float64(float32(v)) }
	tolerance := separable.Tolerance(len(m.weights), len(m.weights[0]))
	return factors(m.weights, func(w [][]float64) (c, r []float64, ok bool) { return separable.Floats(w, round, tolerance) }, types.Word.Float, types.Float)
}

func factors[T any](weights [][]types.Word, split func([][]T) (c, r []T, ok bool), number func(types.Word) T, word func(T) types.Word) (column, row []types.Word) {
	all := make([][]T, len(weights))
	for i, line := range weights {
		all[i] = make([]T, len(line))
		for k, w := range line {
			all[i][k] = number(w)
		}
	}
	c, r, ok := split(all)
	if !ok {
		return nil, nil
	}
	for _, v := range c {
		column = append(column, word(v))
	}
	for _, v := range r {
		row = append(row, word(v))
	}
	return column, row
}

// part adds what sums along the axis that comes first, and says under which rule what it writes is to be read. Rows are stages of their own, since these may be apart in memory; columns are one
// stage for all sums of as many, which loads the pixels for all of them once.
func (z *separator) part(m *product, weights []types.Word) (*hast.Image, *hast.Rule) {
	rule := m.loads[0].Rule
	if rule != nil {
		switch rule.Kind {
		case hast.Formula:
			return nil, nil
		case hast.Constant:
			rule = outside(m, weights)
			rule.Value = converted(rule.Value, z.kept(m, weights))
		default:
			rule = &hast.Rule{Kind: rule.Kind}
		}
	}
	stage := z.stageFor(m, rule)
	t := &hast.Image{Name: stage.Name, Dir: hast.Local, Elem: z.kept(m, weights), At: m.of.At}
	if len(stage.Body) > 0 {
		t.Name = z.name(z.names)
	}
	var own []hast.Expr
	for k, v := range stage.Space.Vars {
		t.Extent, own = append(t.Extent, stage.Space.Ranges[k].Hi), append(own, hast.RefTo(v))
	}
	place := &hast.Var{Name: m.of.Space.Vars[z.axis()].Name, Type: i32, Class: hast.Loop, At: m.of.At}
	pixel := hast.Map(m.value, func(e hast.Expr) hast.Expr {
		if load, ok := e.(*hast.Load); ok {
			return z.atPlace(load, m, stage, place)
		}
		return nil
	})
	stage.Body = append(stage.Body, &hast.Store{Image: t, Index: own, Value: converted(m.weighted(place, weights, m.lo[z.axis()], pixel), t.Elem), At: m.of.At})
	z.images = append(z.images, t)
	return t, rule
}

// stageFor is the stage that a sum is computed by first, which has an instance for each place of the axis that is left. What a stage writes is read under rules of one kind, as groups in local
// memory have it.
func (z *separator) stageFor(m *product, rule *hast.Rule) *hast.Stage {
	axis := z.axis()
	left := extentOf(m.loads[0].Image, 1-axis)
	lead, y, x := z.axes()
	n := len(lead) + 1 - axis // the axis that is left
	for k, part := range z.parts {
		if axis == 0 && hast.Equal(part.Space.Ranges[n].Hi, left) && sameKind(rule, z.rules[k]) {
			return part
		}
	}
	vars := append(slices.Clone(lead), y, x)
	vars[n] = &hast.Var{Name: vars[n].Name, Type: i32, Class: hast.Iterator, At: m.of.At}
	space := hast.Space{Vars: vars, Ranges: slices.Clone(z.of.Space.Ranges)}
	space.Ranges[n] = hast.Range{Lo: hast.Int(0), Hi: left, Step: 1}
	space.Ranges[len(lead)+axis] = hast.Range{Lo: hast.Int(0), Hi: z.across, Step: 1}
	part := &hast.Stage{Name: z.name(z.names), Within: z.of.Within, At: m.of.At, Space: space}
	z.parts, z.rules = append(z.parts, part), append(z.rules, rule)
	return part
}

// sameKind reports whether two rules, of which either may be none, are of one kind.
func sameKind(a, b *hast.Rule) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Kind == b.Kind)
}

// atPlace is a read of a sum as the stage has it that comes first: at the instance along the axis that is left, and at a place along the other one.
func (z *separator) atPlace(load *hast.Load, m *product, stage *hast.Stage, place *hast.Var) *hast.Load {
	axis, at := z.axis(), *load
	at.Index = slices.Clone(load.Index)
	n, lead := len(at.Index)-2, len(stage.Space.Vars)-2
	summed := at.Index[n+axis]
	summed.X = binary(i32, ops.Add, without(summed.X, m.of.Space.Vars[axis]), hast.RefTo(place))
	if z.conditional || z.wider {
		summed.Below, summed.Above = true, true
		if at.Rule == nil {
			at.Rule = &hast.Rule{Kind: hast.Undefined}
		}
	}
	at.Index[n+axis], at.Index[n+1-axis] = summed, hast.Coord{X: hast.RefTo(stage.Space.Vars[lead+1-axis])}
	return &at
}

// outside is the rule of the sums that come first of images that are constant outside: what is made of the constants times the sum of the weights, and of
// least and greatest values what is made of them.
func outside(m *product, weights []types.Word) *hast.Rule {
	value := hast.Map(m.value, func(e hast.Expr) hast.Expr {
		if load, ok := e.(*hast.Load); ok {
			return load.Rule.Value
		}
		return nil
	})
	if !extreme(m.of) {
		one := m.of.T.WithLanes(1)
		sum := types.Word(0)
		for _, w := range weights {
			sum = ops.Eval(ops.Add, one.Kind, sum, w)
		}
		value = binary(m.of.T, ops.Mul, splat(m.of.T, &hast.Const{Typed: hast.Typed{T: one, At: m.of.At}, Words: []types.Word{sum}}), value)
	}
	return &hast.Rule{Kind: hast.Constant, Value: value}
}

// splat is a number for each component of a type.
func splat(t types.Type, x hast.Expr) hast.Expr {
	if t.Lanes == 1 {
		return x
	}
	return &hast.Splat{Typed: hast.Typed{T: t}, X: x}
}
