package normal

import (
	"slices"

	"imgc/hast"
	"imgc/hast/deal"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Updates that many instances make to the same pixels meet in memory, one after the other. Where the place of an update names some variables of its stage alone, as n[0] and c[x] of
//
//	iterate (y, x) over src where (src[y][x] > limit) {
//	    n += 1;
//	    c[x] += src[y][x];
//	}
//
// do, it is known beforehand which instances meet at a pixel, and what they make of it is a reduction over the other variables:
//
//	n += sum(src[y][x] > limit ? 1 : 0 for (y, x) over src);
//	c[x] += sum(src[y][x] > limit ? src[y][x] : 0 for y in 0:H);
//
// for which work-groups have trees and vectors. Instances that a condition leaves out add what changes nothing. Sums of integers, which wrap, and extremes are the same in any order. Updates of
// floats are rounded one by one, in any order: what reductions join are sums, so that those stay where results are exact. So does a stage that does anything else, since its pixels would be
// read twice.

// A gatherer makes reductions of the updates of a pipeline.
type gatherer struct {
	exact  bool            // sums of floats stay
	images []*hast.Image   // of the pipeline, with those of parts
	names  map[string]bool // of its stages
}

// Gathers reports whether reductions can stand for updates of a program.
func Gathers(p *hast.Program, opts Options) bool {
	return slices.ContainsFunc(p.Pipelines, func(q *hast.Pipeline) bool { return gathered(q, opts.Exact) != q })
}

// gathered is a pipeline in which updates are reductions where they can be. Levels of traverses stay: each would need images of its own.
func gathered(q *hast.Pipeline, exact bool) *hast.Pipeline {
	g := &gatherer{exact: exact, images: q.Images, names: stageNames(q.Steps)}
	inside, changed := inTraverses(q.Steps), false
	steps := hast.MapSteps(q.Steps, func(s hast.Step) []hast.Step {
		stage, ok := s.(*hast.Stage)
		if !ok || inside[stage] {
			return nil
		}
		list := g.stage(stage)
		if list == nil {
			list = g.few(stage)
		}
		changed = changed || list != nil
		return list
	})
	if !changed {
		return q
	}
	out := *q
	out.Steps, out.Images = steps, g.images
	return &out
}

// stageNames are the names of the stages in a list of steps.
func stageNames(list []hast.Step) map[string]bool {
	names := map[string]bool{}
	hast.WalkStages(list, func(_ []hast.Step, s *hast.Stage) { names[s.Name] = true })
	return names
}

// An update is what all instances of a stage do to the pixels at one place.
type update struct {
	store *hast.Store // the first of them
	op    hast.ReduceOp
	value hast.Expr // of an instance: of the neutral value of op where it updates nothing
}

// reducers are the reductions that updates by operators are.
var reducers = map[ops.Op]hast.ReduceOp{ops.Add: hast.Sum, ops.Sub: hast.Sum, ops.Min: hast.Min, ops.Max: hast.Max}

// stage is what a stage becomes that does nothing but to update pixels of which others know, too; nil where it stays.
func (g *gatherer) stage(s *hast.Stage) []hast.Step {
	if s.Scan != nil || s.Independent || !g.gathers(s) {
		return nil
	}
	r := &reader{env: map[*hast.Var]hast.Expr{}}
	body := elements(joined(s))
	if !r.list(summed(formed(body, known(body))), s.Where) {
		return nil
	}
	var parts, totals []hast.Step
	for _, u := range r.updates {
		kept, along := parted(s.Space, u.store.Index)
		points, few := block.Points(kept, fewPlaces)
		switch {
		case len(along.Vars) == 0:
			return nil
		case few:
			for _, p := range points {
				part, total := g.total(s, along, u.at(kept.Vars, p))
				parts, totals = append(parts, part), append(totals, total)
			}
		case !ownPixels(kept, u.store.Index) || isSmall(kept):
			return nil
		default:
			totals = append(totals, g.lines(s, kept, along, u))
		}
	}
	if len(totals) == 0 {
		return nil
	}
	return append(parts, totals...) // none with the name of s: schedules say which they are for by names
}

// Up to fewPlaces pixels that each have many instances, as those for components of colours, are updated by reductions of their own, whose groups share all instances. For more,
// up to leastLines, there would be too few groups, or too many reductions.
const (
	fewPlaces  = 16
	leastLines = 1024
)

// isSmall reports whether a space is known to have fewer than leastLines points.
func isSmall(space hast.Space) bool {
	_, small := block.Points(space, leastLines-1)
	return small
}

// at is the update of the pixel for which some variables have some values.
func (u *update) at(vars []*hast.Var, values []int64) *update {
	to := map[*hast.Var]hast.Expr{}
	for k, v := range vars {
		to[v] = hast.Int(values[k])
	}
	out, st := *u, *u.store
	out.store, out.value, st.Index = &st, hast.Replaced(u.value, to), nil
	for _, x := range u.store.Index {
		st.Index = append(st.Index, hast.Replaced(x, to))
	}
	return &out
}

// gathers reports whether all that a stage does to memory are updates, of pixels that instances share, that reductions can stand for.
func (g *gatherer) gathers(s *hast.Stage) bool {
	ok, some := true, false
	hast.EachStore(s.Body, func(st *hast.Store) {
		_, reduces := reducers[st.Op]
		_, only := s.OnlyUpdate(st.Image.Base())
		rounds := st.Image.Elem.Kind.IsFloat() && (st.Op == ops.Add || st.Op == ops.Sub)
		ok = ok && reduces && only && !(rounds && g.exact) && !st.Alone && !st.Skip && st.Image.Of == nil
		some = true
	})
	return ok && some
}

// parted divides a space into the variables that an index names, and those along which instances meet.
func parted(space hast.Space, index []hast.Expr) (kept, along hast.Space) {
	for k, v := range space.Vars {
		to := &along
		for _, x := range index {
			if hast.Names(x, []*hast.Var{v}) {
				to = &kept
			}
		}
		to.Vars, to.Ranges = append(to.Vars, v), append(to.Ranges, space.Ranges[k])
	}
	return kept, along
}

// ownPixels reports whether the instances of a space have pixels of their own: each variable alone says where a pixel lies along some axis.
func ownPixels(space hast.Space, index []hast.Expr) bool {
	for _, v := range space.Vars {
		alone := false
		for _, x := range index {
			alone = alone || hast.IsVar(x, v)
		}
		if !alone {
			return false
		}
	}
	return true
}

// lines is the stage whose instances have the pixels of an update to themselves.
func (g *gatherer) lines(s *hast.Stage, kept, along hast.Space, u *update) hast.Step {
	own := over(kept, u, u.value.Type()) // for variables of its own
	to := map[*hast.Var]hast.Expr{}
	for k, v := range kept.Vars {
		own.Space.Vars[k].Class = hast.Iterator
		to[v] = hast.RefTo(own.Space.Vars[k])
	}
	mine := *u
	mine.value = own.Elem
	return &hast.Stage{
		Name: g.name(u.store.Image.Name), Space: own.Space, Within: s.Within, At: s.At,
		Body: []hast.Stmt{u.stored(over(along, &mine, u.value.Type()), func(e hast.Expr) hast.Expr { return hast.Replaced(e, to) })},
	}
}

// total are the stages of an update of one pixel by all instances: parts of it, and what all come to.
func (g *gatherer) total(s *hast.Stage, along hast.Space, u *update) (part, total *hast.Stage) {
	m := u.store.Image
	part, sum := g.dealt(s, m.Name, over(along, u, u.value.Type()))
	total = instances(s, g.name(m.Name), 1)
	total.Body = []hast.Stmt{u.stored(sum, func(e hast.Expr) hast.Expr { return e })}
	return part, total
}

// dealt is a reduction over ranges as that of parts of it, which a stage computes that is called after an image.
func (g *gatherer) dealt(s *hast.Stage, image string, all *hast.Reduce) (part *hast.Stage, sum *hast.Reduce) {
	at := all.At
	part = instances(s, g.name(image+"_part"), deal.Groups)
	of := deal.Of(all, hast.RefTo(part.Space.Vars[0]), at)
	parts := &hast.Image{Name: part.Name, Dir: hast.Local, Elem: deal.PassedOn(all.T), Extent: []hast.Expr{hast.Int(deal.Groups)}, Dealt: of.Dealt, At: at}
	g.images = append(g.images[:len(g.images):len(g.images)], parts)
	mine := *all
	mine.Space.Ranges = append([]hast.Range{of.Range}, all.Space.Ranges[1:]...)
	part.Body = append(of.Defines, &hast.Store{Image: parts, Index: []hast.Expr{hast.RefTo(part.Space.Vars[0])}, Value: inKind(&mine, parts.Elem.Kind), At: at})
	space, i := deal.All(at)
	load := &hast.Load{Typed: hast.Typed{T: parts.Elem, At: at}, Image: parts, Index: []hast.Coord{{X: i}}}
	return part, &hast.Reduce{Typed: all.Typed, Op: all.Op, Space: space, Elem: inKind(load, all.T.Kind)}
}

// stored is the statement that joins what an update comes to with its pixel, whose place is given in the variables of the instance.
func (u *update) stored(x hast.Expr, place func(hast.Expr) hast.Expr) hast.Stmt {
	st := &hast.Store{Image: u.store.Image, At: u.store.At}
	pixel := &hast.Load{Typed: hast.Typed{T: st.Image.Elem, At: st.At}, Image: st.Image}
	for _, i := range u.store.Index {
		i = place(i)
		st.Index, pixel.Index = append(st.Index, i), append(pixel.Index, hast.Coord{X: i})
	}
	before := *u
	before.value = inKind(pixel, x.Type().Kind)
	st.Value = inKind(before.with(x), st.Image.Elem.Kind)
	return st
}

// instances is a stage of so many instances.
func instances(of *hast.Stage, name string, n int64) *hast.Stage {
	v := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Iterator, At: of.At}
	space := hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: hast.Int(0), Hi: hast.Int(n), Step: 1}}}
	return &hast.Stage{Name: name, Space: space, Within: of.Within, At: of.At}
}

// name is one for a stage that no other one has.
func (g *gatherer) name(base string) string { return newName(base, g.names) }
