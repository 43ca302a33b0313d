package normal

import (
	"maps"
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/types"
)

// A stage of few instances, of which each reduces whole images, as
//
//	iterate (c in 0:3) m[c] = mean(src[y][x][c] for y in 0:H, x in 0:W);
//
// has work for as few groups, which read the image one beside the other. Its reductions are dealt out instead, as those of a pipeline are: all groups of a device compute parts of them, and stages
// that read the same image can do so together. What is left is one instance that joins the parts.

// mostDealt bounds the reductions that a stage of few instances has in all.
const mostDealt = 32

// few is what a stage of few instances becomes that reduces large ranges; nil where it stays. Instances are taken a statement at a time, so that reductions that read the same come one after the other.
func (g *gatherer) few(s *hast.Stage) []hast.Step {
	points, ok := block.Points(s.Space, fewPlaces)
	if !ok || len(points) == 0 || s.Where != nil || s.Scan != nil || len(s.Fused) > 0 || len(s.Body) == 0 {
		return nil
	}
	body := elements(joined(s))
	body = summed(formed(body, known(body)))
	if !slices.ContainsFunc(body, reducesIn) {
		return nil
	}
	d := &dealer{gatherer: &gatherer{exact: g.exact, images: g.images, names: maps.Clone(g.names)}, stage: s, written: stored(s.Body)}
	all := make([]*instance, len(points))
	for i, p := range points {
		all[i] = &instance{dealer: d, body: round(body, s.Space.Vars, p), values: map[*hast.Var]hast.Expr{}}
	}
	for k := range body {
		for _, x := range all {
			if !x.stmt(x.body[k]) {
				return nil
			}
		}
	}
	total := instances(s, d.name(d.written[0].Name), 1)
	total.Body = d.total
	g.images, g.names = d.images, d.names
	return append(d.steps, total)
}

// A dealer takes the large reductions out of the instances of a stage.
type dealer struct {
	*gatherer
	stage   *hast.Stage
	written []*hast.Image
	parts   int
	steps   []hast.Step // what computes parts of reductions, and lets that need them
	total   []hast.Stmt // of all instances, where their reductions are joined
}

// An instance is one of them.
type instance struct {
	*dealer
	body   []hast.Stmt
	lets   []*hast.Define          // those so far that need no large reduction
	values map[*hast.Var]hast.Expr // of the others: pixels of images that hold them
}

// stmt takes the large reductions out of a statement; false where one has to stay, or the statement does more than to define or store a value.
func (x *instance) stmt(st hast.Stmt) bool {
	before := x.parts
	switch st := st.(type) {
	case *hast.Define:
		if st.Init == nil || st.Var.Type.IsArray() {
			return false
		}
		init, ok := x.value(st.Init)
		if !ok || x.parts > mostDealt {
			return false
		}
		if x.parts > before {
			return x.keep(st.Var, init)
		}
		own := *st
		own.Init = init
		x.lets, x.total = append(x.lets, &own), append(x.total, &own)
		return true
	case *hast.Store:
		own := *st
		var ok bool
		own.Value, ok = x.value(st.Value)
		x.total = append(x.total, &own)
		return ok && x.parts <= mostDealt && !st.Updates() && !st.Skip
	}
	return false
}

// keep has a stage compute a let that others may need to reduce; singles joins such stages again.
func (x *instance) keep(v *hast.Var, init hast.Expr) bool {
	if x.reads(init) {
		return false
	}
	at := x.stage.At
	m := &hast.Image{Name: x.name(v.Name), Dir: hast.Local, Elem: v.Type, Extent: []hast.Expr{hast.Int(1)}, Scalar: true, At: at}
	x.images = append(x.images[:len(x.images):len(x.images)], m)
	s := instances(x.stage, m.Name, 1)
	s.Body = x.with(&hast.Store{Image: m, Index: []hast.Expr{hast.Int(0)}, Value: init, At: at})
	x.steps = append(x.steps, s)
	x.values[v] = &hast.Load{Typed: hast.Typed{T: v.Type, At: at}, Image: m, Index: []hast.Coord{{X: hast.Int(0)}}}
	return true
}

// with is a statement behind the lets that it needs, in variables of its own.
func (x *instance) with(last hast.Stmt) []hast.Stmt {
	list := []hast.Stmt{last}
	for _, let := range slices.Backward(x.lets) {
		named := false
		hast.WalkBody(list, nil, func(e hast.Expr) { named = named || hast.IsVar(e, let.Var) })
		if named {
			list = slices.Insert(list, 0, hast.Stmt(let))
		}
	}
	return hast.Renewed(list)
}

// reads reports whether an expression reads pixels that the stage writes.
func (d *dealer) reads(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			found = found || slices.Contains(d.written, e.Image.Base())
		case *hast.Window:
			found = found || slices.Contains(d.written, e.Image.Base())
		}
	})
	return found
}

// value is an expression with what joins parts in the place of its large reductions.
func (x *instance) value(e hast.Expr) (out hast.Expr, ok bool) {
	ok = true
	out = hast.Map(hast.Replaced(e, x.values), func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Reduce:
			if isSmall(e.Space) {
				return e
			}
			if sum := x.reduction(e); sum != nil {
				return sum
			}
			ok = false
			return e
		case *hast.Select: // what is computed for one of its sides may be where the other one is taken alone
			ok = ok && !reduces(e)
			return e
		case *hast.Op:
			if e.Op.Lazy() {
				ok = ok && !reduces(e)
				return e
			}
		}
		return nil
	})
	return out, ok
}

// reduction is what joins the parts of a large reduction; nil where they cannot be computed by themselves.
func (x *instance) reduction(r *hast.Reduce) hast.Expr {
	if r.Where != nil || len(r.Space.Ranges) < 2 || x.exact && r.Op == hast.Sum && r.T.Kind.IsFloat() || x.reads(r.Elem) || !ofHost(r.Space) {
		return nil
	}
	all := *r
	switch r.Op {
	case hast.Sum, hast.Min, hast.Max:
	case hast.Count:
		all.T = types.Scalar(types.I32)
		all.Op, all.Elem = hast.Sum, inKind(all.Elem, types.I32)
	default:
		return nil
	}
	part, sum := x.dealt(x.stage, x.written[0].Name, &all)
	last := len(part.Body) - 1
	part.Body = append(part.Body[:last:last], x.with(part.Body[last])...)
	x.steps = append(x.steps, part)
	x.parts++
	return sum
}

// ofHost reports whether ranges need nothing but values of the host.
func ofHost(space hast.Space) bool { return rangesOf(space, hast.VarClass.OfHost) }

// ofSizes reports whether ranges go through whole lines, or what constants leave of them: their bounds are computed from the sizes of images.
func ofSizes(space hast.Space) bool {
	return rangesOf(space, func(c hast.VarClass) bool { return c == hast.SizeVar })
}

// rangesOf reports whether the bounds of ranges are computed from constants and variables of some classes alone.
func rangesOf(space hast.Space, class func(hast.VarClass) bool) bool {
	ok := true
	for _, span := range space.Ranges {
		for _, x := range []hast.Expr{span.Lo, span.Hi} {
			hast.Walk(x, func(x hast.Expr) {
				switch x := x.(type) {
				case *hast.Ref:
					ok = ok && class(x.Var.Class)
				case *hast.Load, *hast.Window, *hast.Reduce:
					ok = false
				}
			})
		}
	}
	return ok
}

// reduces reports whether an expression has a large reduction.
func reduces(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		r, ok := e.(*hast.Reduce)
		found = found || ok && !isSmall(r.Space)
	})
	return found
}

// reducesIn reports whether a statement has one.
func reducesIn(st hast.Stmt) (found bool) {
	hast.WalkBody([]hast.Stmt{st}, nil, func(e hast.Expr) { found = found || reduces(e) })
	return found
}
