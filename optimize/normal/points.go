package normal

import (
	"slices"
	"strings"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// A reduction of an image whose points read windows, as
//
//	total = sum(max(src[y-1 : 3][x-1 : 3]) for y in 0:H, x in 0:W);
//
// computes pixels and takes each of them once. It becomes what a program with an image between says:
//
//	image most: u8[H][W] = [max(src[y-1 : 3][x-1 : 3]) for y, x];
//	total = sum(most);
//
// since stages have many forms, in which neighbours share what they load, and are put together with what reduces their pixels (hast.Stage.Reduced). Where that is no gain, plans inline them again.

// apartPoints is a pipeline with stages for such points; exact leaves sums of floats, whose order no stage keeps.
func apartPoints(q *hast.Pipeline, exact bool) *hast.Pipeline {
	out := *q
	names := stageNames(q.Steps)
	inside := inTraverses(q.Steps)
	out.Steps = hast.MapSteps(q.Steps, func(s hast.Step) []hast.Step {
		stage, ok := s.(*hast.Stage)
		if !ok || inside[stage] || !block.IsPart(stage) {
			return nil
		}
		x := &pointsApart{pipeline: &out, part: stage, exact: exact, names: names}
		own := *stage
		own.Body = hast.MapStmts(stage.Body, func(e hast.Expr) hast.Expr { return hast.Map(e, x.reduction) })
		if len(x.steps) == 0 {
			return nil
		}
		return append(x.steps, &own)
	})
	return &out
}

// A pointsApart takes the points out of the reductions of a stage.
type pointsApart struct {
	pipeline *hast.Pipeline
	part     *hast.Stage
	exact    bool
	names    map[string]bool
	steps    []hast.Step
}

// reduction is a reduction of pixels of a new image in the place of one that reads windows; nil where it stays.
func (x *pointsApart) reduction(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok || !block.Joins(r.Op) || r.Where != nil || r.Space.Points != nil || x.exact && r.Op == hast.Sum && r.T.Kind.IsFloat() {
		return nil
	}
	of := x.imageOf(r)
	if of == nil || !readsAround(r) || !dependsOnPoints(r) {
		return nil
	}
	value, again := pointOf(r.Elem)
	m := &hast.Image{Name: newName(strings.TrimSuffix(x.part.Name, "_part")+"_point", x.names), Dir: hast.Local, Elem: value.Type(), Extent: of.Extent, At: r.At}
	images := x.pipeline.Images
	x.pipeline.Images = append(images[:len(images):len(images)], m)
	s := &hast.Stage{Name: m.Name, Within: x.part.Within, At: r.At}
	to := map[*hast.Var]hast.Expr{}
	load, store := &hast.Load{Typed: hast.Typed{T: m.Elem, At: r.At}, Image: m}, &hast.Store{Image: m, At: r.At}
	for k, v := range r.Space.Vars {
		own := &hast.Var{Name: v.Name, Type: v.Type, Class: hast.Iterator, At: v.At}
		to[v] = hast.RefTo(own)
		s.Space.Vars = append(s.Space.Vars, own)
		s.Space.Ranges = append(s.Space.Ranges, hast.Range{Lo: hast.Int(0), Hi: of.Extent[k], Step: 1})
		load.Index, store.Index = append(load.Index, hast.Coord{X: hast.RefTo(v)}), append(store.Index, to[v])
	}
	store.Value = hast.Replaced(value, to)
	s.Body = []hast.Stmt{store}
	x.steps = append(x.steps, s)
	out := *r
	out.Elem = again(load)
	return &out
}

// imageOf is an image of the pipeline whose pixels are the points of a reduction that has been dealt out; nil where there is none, so that there may be no points at all.
func (x *pointsApart) imageOf(r *hast.Reduce) *hast.Image {
	var all *hast.Dealt
	hast.EachStore(x.part.Body, func(st *hast.Store) { all = st.Image.Dealt })
	ranges := append([]hast.Range{all.Range}, r.Space.Ranges[1:]...)
	covered := func(m *hast.Image) bool {
		if m.Of != nil || m.View != nil || m.Lower != nil || len(m.Extent) != len(ranges) {
			return false
		}
		for k, along := range ranges {
			if !along.Covers(m, k) {
				return false
			}
		}
		return true
	}
	if i := slices.IndexFunc(x.pipeline.Images, covered); i >= 0 {
		return x.pipeline.Images[i]
	}
	return nil
}

// readsAround reports whether points read pixels of others, at places that follow from their own.
func readsAround(r *hast.Reduce) (found bool) {
	beside := func(index ...hast.Expr) bool {
		named := slices.ContainsFunc(index, func(e hast.Expr) bool { return hast.Names(e, r.Space.Vars) })
		own := len(index) == len(r.Space.Vars)
		for k, e := range index {
			own = own && hast.IsVar(e, r.Space.Vars[k])
		}
		return named && !own && !slices.ContainsFunc(index, hast.ReadsPixels)
	}
	hast.Walk(r.Elem, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			var index []hast.Expr
			for _, c := range e.Index {
				index = append(index, c.X)
			}
			found = found || beside(index...)
		case *hast.Window:
			var index []hast.Expr
			for _, a := range e.Axes {
				index = append(index, a.Start.X)
			}
			found = found || beside(index...)
		}
	})
	return found
}

// dependsOnPoints reports whether elements depend on nothing of the instance but their points.
func dependsOnPoints(r *hast.Reduce) bool {
	own := slices.Clone(r.Space.Vars)
	hast.Walk(r.Elem, func(e hast.Expr) {
		if inner, ok := e.(*hast.Reduce); ok {
			own = append(own, inner.Space.Vars...)
		}
	})
	ok := true
	hast.Walk(r.Elem, func(e hast.Expr) {
		if x, isRef := e.(*hast.Ref); isRef {
			ok = ok && (x.Var.Class.OfHost() || slices.Contains(own, x.Var))
		}
	})
	return ok
}

// pointOf is the pixel for an element, in the fewest bits that hold it, and what makes the element of the pixel again.
func pointOf(elem hast.Expr) (value hast.Expr, again func(hast.Expr) hast.Expr) {
	var widened []*hast.Convert // from outside in
	for value = elem; ; {
		c, ok := value.(*hast.Convert)
		if !ok || c.How != hast.Wrap || !c.T.Kind.IsInt() {
			break
		}
		if k := c.X.Type().Kind; k != types.Bool && !(k.IsInt() && k.Bits() < c.T.Kind.Bits()) {
			break
		}
		widened, value = append(widened, c), c.X
	}
	truth := value.Type()
	if truth.Kind == types.Bool { // which no image of the caller's has, and words have no form for
		value = &hast.Convert{Typed: hast.Typed{T: truth.WithKind(types.U8), At: elem.Span()}, X: value}
	}
	return value, func(e hast.Expr) hast.Expr {
		if truth.Kind == types.Bool && len(widened) == 0 {
			zero := &hast.Const{Typed: hast.Typed{T: e.Type(), At: elem.Span()}, Words: make([]types.Word, truth.Words())}
			return &hast.Op{Typed: hast.Typed{T: truth, At: elem.Span()}, Op: ops.Ne, Args: []hast.Expr{e, zero}}
		}
		for _, c := range slices.Backward(widened) {
			if c.T == e.Type() {
				continue
			}
			x := *c
			x.X, e = e, &x
		}
		return e
	}
}
