package normal

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/hast/evaluate"
	"imgc/optimize/block"
	"imgc/types"
)

// Weights that depend on values of the host as well, as those of a Gaussian whose width is a parameter, are pixels of an image that a stage of its own computes before the one that uses them:
//
//	sum(exp(-(j*j + i*i) / (2*sigma*sigma)) * src[y+j][x+i] for j in -3:4, i in -3:4)
//
// So they are computed once, and not by each instance. It is what the program could have said with a local image of them. The levels of a traverse compute them as before: each would
// have to have an image of its own.

// A before is what is computed before a stage.
type before struct {
	stage  *hast.Stage
	steps  []hast.Step
	images map[string]*hast.Image // by what they hold
	all    *[]*hast.Image         // of the pipeline
	names  map[string]bool        // of its stages
}

// leastPoints is how many points a reduction has that is worth a stage.
const leastPoints = 8

// byStage is stage with what is computed before it, in a pipeline whose images and names of stages are known.
func (w *weigher) byStage(s *hast.Stage, inTraverse bool, images *[]*hast.Image, names map[string]bool) []hast.Step {
	w.before, w.uniform, w.reduced = nil, &hast.Lets{}, map[*hast.Reduce]hast.Expr{}
	if !inTraverse {
		w.before = &before{stage: s, images: map[string]*hast.Image{}, all: images, names: names}
	}
	out := stage(s, w)
	if w.before == nil || len(w.before.steps) == 0 {
		return ofParts(out)
	}
	return append(w.before.steps, ofParts(out)...)
}

// inTraverses are the stages of a pipeline that run at several levels.
func inTraverses(list []hast.Step) map[*hast.Stage]bool {
	inside := map[*hast.Stage]bool{}
	hast.WalkSteps(list, func(s hast.Step) {
		if t, ok := s.(*hast.Traverse); ok {
			hast.WalkStages(t.Body, func(_ []hast.Step, s *hast.Stage) { inside[s] = true })
		}
	})
	return inside
}

// sameForAll reports whether a value is computed with constants, variables whose range is known and values of the host alone.
func (w *weigher) sameForAll(e hast.Expr) bool {
	return evaluate.Closed(e, func(v *hast.Var) bool {
		_, bound := w.ranges[v]
		return bound || w.lets.Of(v) != nil || w.uniform.Of(v) != nil || v.Class.OfHost() && v.Class != hast.HostLevel
	})
}

// pixel is the pixel of an image of weights that a value is; nil where it stays.
func (w *weigher) pixel(e hast.Expr, ofProduct bool) hast.Expr {
	t := e.Type()
	if w.before == nil || t.Kind != types.F32 && t.Kind != types.F64 || !w.sameForAll(e) {
		return nil
	}
	x := w.uniform.Expanded(w.expanded(e))
	vars := slices.DeleteFunc(w.named(x), func(v *hast.Var) bool { _, bound := w.ranges[v]; return !bound })
	if w.limit(x, ofProduct) < most || len(vars) > types.MaxRank || len(vars) == 0 && !isLong(x) || w.box(vars, few) == nil {
		return nil
	}
	m := w.image(x, vars)
	load := &hast.Load{Typed: hast.Typed{T: t, At: e.Span()}, Image: m}
	for _, v := range vars {
		load.Index = append(load.Index, hast.Coord{X: hast.Plus(hast.RefTo(v), -w.ranges[v].lo)})
	}
	if len(vars) == 0 {
		load.Index = []hast.Coord{{X: hast.Int(0)}}
	}
	return load
}

// isLong reports whether a value is a reduction that takes longer than a pixel.
func isLong(e hast.Expr) bool {
	r, ok := e.(*hast.Reduce)
	if !ok {
		return false
	}
	_, short := block.Count(r.Space, leastPoints-1)
	return !short
}

// image is that of a value which variables name; a stage before the one at hand computes it, once for all that use it there.
func (w *weigher) image(x hast.Expr, vars []*hast.Var) *hast.Image {
	b := w.before
	key := hast.Text(x)
	for _, v := range vars { // names need not be unique
		key += fmt.Sprintf(" %p", v)
	}
	if b.images[key] != nil {
		return b.images[key]
	}
	at := x.Span()
	out := &hast.Stage{Name: b.name(), At: at}
	m := &hast.Image{Name: out.Name, Dir: hast.Local, Elem: x.Type(), At: at}
	store := &hast.Store{Image: m, At: at}
	here := map[*hast.Var]hast.Expr{}
	axis := func(name string, n int64) hast.Expr {
		v := &hast.Var{Name: name, Type: types.Scalar(types.I32), Class: hast.Iterator, At: at}
		m.Extent = append(m.Extent, hast.Int(n))
		out.Space.Vars = append(out.Space.Vars, v)
		out.Space.Ranges = append(out.Space.Ranges, hast.Range{Lo: hast.Int(0), Hi: hast.Int(n), Step: 1})
		store.Index = append(store.Index, hast.RefTo(v))
		return hast.RefTo(v)
	}
	for _, v := range vars {
		r := w.ranges[v]
		here[v] = hast.Plus(axis(v.Name, r.hi-r.lo+1), r.lo)
	}
	if len(vars) == 0 {
		axis("i", 1)
		m.Scalar = true
	}
	store.Value = hast.Replaced(x, here)
	out.Body = []hast.Stmt{store}
	b.images[key], b.steps = m, append(b.steps, out)
	*b.all = append(*b.all, m)
	return m
}

// name is one for a stage of weights that no other one has.
func (b *before) name() string { return newName(b.stage.Name+"_weights", b.names) }

// newName is a name for a stage that none of some others has.
func newName(base string, names map[string]bool) string {
	name := base
	for n := 2; names[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	names[name] = true
	return name
}
