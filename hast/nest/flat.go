package nest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

// flattened are stages that take the place of a nest, of which the last has its variables; none where that may not be, and why, as the end of a sentence.
func (k *nester) flattened(n *nest) (out []*hast.Stage, why string) {
	list, ok := n.distances()
	list = slices.DeleteFunc(list, n.own)
	scan := -1
	for i := range slices.Backward(n.order) {
		if ok && n.scans(i, list) && (scan < 0 || n.lines(i, list) && !n.lines(scan, list)) {
			scan = i
		}
	}
	lines := scan >= 0 && n.lines(scan, list)
	var slant int64
	switch {
	case ok && len(list) == 0:
		scan = -1
	case scan >= 0:
	case n.stage.Scan == nil && len(n.order) == 1 && n.carriedInnermost(): // instances touch no pixel together
		scan, lines = 0, true
	case !ok:
		return nil, "it is not known which of its rounds touch a pixel together"
	default:
		if slant = n.slant(list); slant == 0 {
			return nil, "its rounds need others at distances for which there is no order but their own"
		}
	}
	if slant > 0 && (n.stage.Where != nil || n.order[0].r.Step != 1 || n.order[1].r.Step != 1) {
		return nil, "its rounds need the pixel before and lines above, and some are left out"
	}
	if !n.expandable() {
		return nil, "a variable that it sets carries more than one value from round to round"
	}
	before, ok := k.beforehand(n)
	if !ok {
		return nil, "what is computed before it for all of its rounds is no pixel"
	}
	body := n.expanded(k)
	if slant > 0 {
		return append(before, k.slanted(n, body, slant)), ""
	}
	return append(before, n.flat(body, scan, lines)), ""
}

// carriedInnermost reports whether variables carry values along the innermost loop alone.
func (n *nest) carriedInnermost() bool {
	return !slices.ContainsFunc(n.carried, func(c carried) bool { return c.at != len(n.order)-1 })
}

// flat is the stage with all variables, in the order of the axes along which they are places, and a scan along one of the order, unless that is below 0.
func (n *nest) flat(body []hast.Stmt, scan int, lines bool) *hast.Stage {
	out := *n.stage
	out.Scan = nil
	axes := slices.Concat(n.order, n.across)
	var along *hast.Var
	if scan >= 0 {
		along = n.order[scan].v
		out.Scan = &hast.Scan{Down: n.order[scan].down, Lines: lines}
	}
	place := n.places()
	slices.SortStableFunc(axes, func(a, b axis) int { return cmp.Compare(place[a.v].axis, place[b.v].axis) })
	out.Space = hast.Space{}
	by := map[*hast.Var]hast.Expr{}
	for i, a := range axes {
		v := *a.v
		v.Class = hast.Iterator
		p := place[a.v]
		by[a.v] = p.from(&v)
		out.Space.Vars, out.Space.Ranges = append(out.Space.Vars, &v), append(out.Space.Ranges, p.ranged(a.r))
		if a.v == along {
			out.Scan.Axis, out.Scan.Down = i, out.Scan.Down != (p.times < 0)
		}
	}
	out.Body = withoutNames(moved(body, by))
	if out.Where != nil {
		out.Where = hast.Replaced(out.Where, by)
	}
	return &out
}

// A place is how a variable lies along an axis of what a body writes: times + rest of it.
type place struct {
	axis  int
	times int64
	rest  []linear.Part
	k     int64
}

// places are those of the variables in the first image that a body writes. They count as the places do then, where the step is 1 and the host knows the rest.
func (n *nest) places() map[*hast.Var]place {
	out := map[*hast.Var]place{}
	touches, _ := n.touches()
	first := slices.IndexFunc(touches, func(t touch) bool { return t.writes })
	if first < 0 {
		return out
	}
	for axis, e := range touches[first].at {
		for _, a := range slices.Concat(n.order, n.across) {
			if hast.Names(e, []*hast.Var{a.v}) {
				out[a.v] = n.place(axis, e, a)
			}
		}
	}
	return out
}

func (n *nest) place(axis int, e hast.Expr, a axis) place {
	out := place{axis: axis, times: 1}
	parts, k := linear.Parts(e)
	i := slices.IndexFunc(parts, func(p linear.Part) bool { return hast.IsVar(p.X, a.v) })
	if i < 0 || a.r.Step != 1 || parts[i].N != 1 && parts[i].N != -1 {
		return out
	}
	rest := slices.Delete(slices.Clone(parts), i, i+1)
	if slices.ContainsFunc(rest, func(p linear.Part) bool { return !ofHost(p.X) }) {
		return out
	}
	out.times, out.rest, out.k = parts[i].N, rest, k
	return out
}

// from is the variable as what takes its place says: the place, less the rest, or the rest less the place.
func (p place) from(v *hast.Var) hast.Expr {
	if p.times == 0 || p.times == 1 && len(p.rest) == 0 && p.k == 0 {
		return hast.RefTo(v)
	}
	parts := []linear.Part{{X: hast.RefTo(v), N: p.times}}
	for _, r := range p.rest {
		parts = append(parts, linear.Part{X: r.X, N: -p.times * r.N})
	}
	return linear.Of(parts, -p.times*p.k)
}

// ranged is the range of the places.
func (p place) ranged(r hast.Range) hast.Range {
	if p.times == 0 || p.times == 1 && len(p.rest) == 0 && p.k == 0 {
		return r
	}
	at := func(e hast.Expr) hast.Expr {
		parts, k := linear.Parts(e)
		out := slices.Clone(p.rest)
		total := p.k + p.times*k
		for _, q := range parts {
			out, total = linear.Added(out, total, q.X, p.times*q.N)
		}
		return linear.Of(out, total)
	}
	if p.times > 0 {
		return hast.Range{Lo: at(r.Lo), Hi: at(r.Hi), Step: 1}
	}
	return hast.Range{Lo: linear.Plus(at(r.Hi), 1), Hi: linear.Plus(at(r.Lo), 1), Step: 1}
}

// moved are statements with expressions in the place of variables, and sums of them put together anew.
func moved(body []hast.Stmt, by map[*hast.Var]hast.Expr) []hast.Stmt {
	vars := slices.Collect(maps.Keys(by))
	return hast.MapStmts(body, func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if x, ok := e.(*hast.Op); ok && (x.Op == ops.Add || x.Op == ops.Sub) && x.T == types.Scalar(types.I32) && hast.Names(e, vars) && sumOfNames(e) {
				parts, k := linear.Parts(hast.Replaced(e, by))
				return linear.Of(parts, k)
			}
			if r, ok := e.(*hast.Ref); ok {
				return by[r.Var]
			}
			return nil
		})
	})
}

// withoutNames are statements without lets that are nothing but a variable of the stage.
func withoutNames(body []hast.Stmt) []hast.Stmt {
	same := map[*hast.Var]hast.Expr{}
	for v, e := range hast.Values(body) {
		if r, ok := e.(*hast.Ref); ok && r.Var.Class == hast.Iterator {
			same[v] = r
		}
	}
	return hast.WithoutVars(replaced(body, same), func(v *hast.Var) bool { return same[v] != nil })
}

// sumOfNames reports whether an expression is one of names and numbers alone.
func sumOfNames(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Ref:
		case *hast.Op:
			ok = ok && (e.Op == ops.Add || e.Op == ops.Sub || e.Op == ops.Mul)
		default:
			ok = false
		}
	})
	return ok
}

// replaced are statements with expressions in the place of variables.
func replaced(body []hast.Stmt, by map[*hast.Var]hast.Expr) []hast.Stmt {
	return hast.MapStmts(body, func(e hast.Expr) hast.Expr { return hast.Replaced(e, by) })
}

// slanted is the stage of a nest of lines and of pixels in them that goes along x = t - s*y, with the signs that their directions have.
func (k *nester) slanted(n *nest, body []hast.Stmt, s int64) *hast.Stage {
	y, x := n.order[0], n.order[1]
	slope := s
	if y.down != x.down {
		slope = -s
	}
	out := *n.stage
	t := &hast.Var{Name: "t", Type: types.Scalar(types.I32), Class: hast.Iterator, At: x.v.At}
	line := *y.v
	line.Class = hast.Iterator
	pixel := *x.v
	pixel.Class = hast.Value
	times := func(lo hast.Expr) hast.Expr { return linear.Of([]linear.Part{{X: lo, N: slope}}, 0) }
	first, last := y.r.Lo, hast.Plus(y.r.Hi, -1)
	if slope < 0 {
		first, last = last, first
	}
	sum := func(a, b hast.Expr) hast.Expr { return hast.Plus(hast.Binary(ops.Add, a, b), 0) }
	out.Space = hast.Space{Vars: []*hast.Var{t, &line}, Ranges: []hast.Range{{Lo: sum(x.r.Lo, times(first)), Hi: sum(x.r.Hi, times(last)), Step: 1}, y.r}}
	out.Scan = &hast.Scan{Axis: 0, Down: x.down}
	for _, end := range []hast.Expr{out.Space.Ranges[0].Lo, out.Space.Ranges[0].Hi} {
		k.bounded(n.stage, end)
	}
	by := map[*hast.Var]hast.Expr{y.v: hast.RefTo(&line), x.v: hast.RefTo(&pixel)}
	at := linear.Of([]linear.Part{{X: hast.RefTo(t), N: 1}, {X: hast.RefTo(&line), N: -slope}}, 0)
	inside := hast.And(hast.Compare(ops.Ge, hast.RefTo(&pixel), x.r.Lo), hast.Compare(ops.Lt, hast.RefTo(&pixel), x.r.Hi))
	out.Body = []hast.Stmt{
		&hast.Define{Var: &pixel, Init: at, At: x.v.At},
		&hast.If{Cond: inside, Then: replaced(body, by), At: n.stage.At},
	}
	return &out
}

// bounded has the entry check that an end of the steps along slanted lines is one of i32.
func (k *nester) bounded(s *hast.Stage, end hast.Expr) {
	if _, known := hast.Number(end); known {
		return
	}
	i64 := types.Scalar(types.I64)
	number := func(n int64) hast.Expr {
		return &hast.Const{Typed: hast.Typed{T: i64}, Words: []types.Word{types.Int(n)}}
	}
	parts, c := linear.Parts(end)
	value := number(c)
	for _, p := range parts {
		wide := &hast.Convert{Typed: hast.Typed{T: i64, At: s.At}, X: p.X}
		value = hast.Binary(ops.Add, value, hast.Binary(ops.Mul, number(p.N), wide))
	}
	cond := hast.And(hast.Compare(ops.Ge, value, number(math.MinInt32)), hast.Compare(ops.Le, value, number(math.MaxInt32)))
	k.out.Checks = append(slices.Clone(k.out.Checks), &hast.Check{Cond: cond, At: s.At,
		Message: fmt.Sprintf("%s goes along slanted lines, of which there are at most %d: %s", s.Name, math.MaxInt32, hast.Text(end))})
}

// expandable reports whether what variables carry goes from each round to the next one.
func (n *nest) expandable() bool {
	return len(n.carried) == 0 || n.carriedInnermost() && n.order[len(n.order)-1].r.Step == 1 && pixels(slices.Concat(n.across, n.order))
}

// pixels reports whether an image can have a pixel for each point of some axes.
func pixels(axes []axis) bool {
	return len(axes) <= types.MaxRank && !slices.ContainsFunc(axes, func(a axis) bool {
		lo, known := hast.Number(a.r.Lo)
		return !known || lo < 0
	})
}

// beforehand are the stages that compute what is computed before a loop for all of its rounds, where that is more than each round may compute again: pixels, which the rounds read.
func (k *nester) beforehand(n *nest) (out []*hast.Stage, ok bool) {
	for i, d := range n.lets {
		if !costly(d.Init) {
			continue
		}
		axes := slices.Concat(n.across, n.order[:d.at])
		if kind := d.Var.Type; kind.IsArray() || kind.Kind == types.Bool || !pixels(axes) || n.stage.Where != nil {
			return nil, false
		}
		m, at := k.imageOf(n.stage.Name, d.Var, axes)
		body := []hast.Stmt{}
		ones := map[*hast.Var]hast.Expr{}
		for _, e := range n.lets[:i] {
			if e.Var.Class == hast.Iterator {
				ones[e.Var] = e.Init
			} else {
				body = append(body, e.Define)
			}
		}
		body = append(body, &hast.Store{Image: m, Index: at, Value: d.Init, At: d.At})
		s := *n.stage
		s.Name, s.Scan, s.Space = k.name(n.stage.Name), nil, hast.Space{}
		by := map[*hast.Var]hast.Expr{}
		for _, a := range axes {
			v := *a.v
			v.Class = hast.Iterator
			by[a.v] = hast.RefTo(&v)
			s.Space.Vars, s.Space.Ranges = append(s.Space.Vars, &v), append(s.Space.Ranges, a.r)
		}
		if len(axes) == 0 {
			v := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Iterator, At: d.At}
			s.Space = hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: hast.Int(0), Hi: hast.Int(1), Step: 1}}}
		}
		s.Body = hast.Renewed(replaced(replaced(body, ones), by))
		out = append(out, &s)
		read := &hast.Load{Typed: hast.Typed{T: m.Elem, At: d.At}, Image: m}
		for _, i := range at {
			read.Index = append(read.Index, hast.Coord{X: i})
		}
		n.lets[i].Define = &hast.Define{Var: d.Var, Init: read, At: d.At}
	}
	return out, true
}

// costly reports whether an expression is more than some operators and reads of pixels.
func costly(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		switch e.(type) {
		case *hast.Reduce, *hast.Call:
			found = true
		}
	})
	return found
}

// expanded is the body with the definitions before it, and pixels of the round before in the place of what variables carry: of an image that has the last value of each round, the program's own where it
// stores that and nothing else there, or a new one.
func (n *nest) expanded(k *nester) (out []hast.Stmt) {
	ones := map[*hast.Var]hast.Expr{}
	for _, d := range n.lets {
		if d.Var.Class == hast.Iterator {
			ones[d.Var] = d.Init
		} else {
			out = append(out, d.Define)
		}
	}
	body := n.body
	var tail []hast.Stmt
	for _, c := range n.carried {
		m, at := n.stored(c.Var)
		if m == nil {
			m, at = k.image(n, c.Var)
			tail = append(tail, &hast.Store{Image: m, Index: at, Value: hast.RefTo(c.Var), At: c.At})
		}
		out = append(out, &hast.Define{Var: c.Var, Init: n.before(c, m, at), At: c.At})
	}
	return n.named(replaced(slices.Concat(out, body, tail), ones))
}

// before is what a variable has at the beginning of a round.
func (n *nest) before(c carried, m *hast.Image, at []hast.Expr) hast.Expr {
	x := n.order[len(n.order)-1]
	step, first := int64(-1), x.r.Lo
	if x.down {
		step, first = 1, hast.Plus(x.r.Hi, -1)
	}
	l := &hast.Load{Typed: hast.Typed{T: m.Elem, At: c.At}, Image: m}
	by := map[*hast.Var]hast.Expr{x.v: hast.Plus(hast.RefTo(x.v), step)}
	outside := false
	for axis, e := range at {
		moved := hast.Replaced(e, by)
		own := moved != e
		coord := hast.Coord{X: moved}
		if own && hast.IsVar(e, x.v) {
			coord.X = by[x.v]
			lo, known := hast.Number(x.r.Lo)
			outside = step < 0 && known && lo == 0 || step > 0 && hast.Equal(x.r.Hi, m.Extent[axis])
			coord.Below, coord.Above = outside && step < 0, outside && step > 0
		}
		l.Index = append(l.Index, coord)
	}
	if _, constant := c.Init.(*hast.Const); constant && outside {
		l.Rule = &hast.Rule{Kind: hast.Constant, Value: c.Init}
		return l
	}
	for i := range l.Index {
		l.Index[i].Below, l.Index[i].Above = false, false
	}
	return &hast.Select{Typed: hast.Typed{T: m.Elem, At: c.At}, Cond: hast.Compare(ops.Eq, hast.RefTo(x.v), first), Then: c.Init, Else: l}
}

// stored is an image to which each round stores what a variable has at its end, and where; nil where there is none.
func (n *nest) stored(v *hast.Var) (*hast.Image, []hast.Expr) {
	if len(n.body) == 0 {
		return nil, nil
	}
	st, ok := n.body[len(n.body)-1].(*hast.Store)
	if !ok || !hast.IsVar(st.Value, v) || st.Image.Elem != v.Type || st.Image.View != nil || st.Image.Of != nil {
		return nil, nil
	}
	count := 0
	hast.EachStore(n.body, func(s *hast.Store) {
		if s.Image.Base() == st.Image.Base() {
			count++
		}
	})
	lets := hast.Values(n.body)
	for _, d := range n.lets {
		lets[d.Var] = d.Init
	}
	var at []hast.Expr
	x := n.order[len(n.order)-1]
	along := 0
	for _, i := range st.Index {
		e := spelled(i, lets)
		if hast.IsVar(e, x.v) {
			along++
		} else if hast.Names(e, []*hast.Var{x.v}) {
			return nil, nil
		}
		at = append(at, e)
	}
	if count != 1 || along != 1 {
		return nil, nil
	}
	return st.Image, at
}

// image declares one for what a variable has at the end of each round.
func (k *nester) image(n *nest, v *hast.Var) (*hast.Image, []hast.Expr) {
	return k.imageOf(n.stage.Name, v, slices.Concat(n.across, n.order))
}

// imageOf declares an image for what a variable has at each point of some axes.
func (k *nester) imageOf(of string, v *hast.Var, axes []axis) (*hast.Image, []hast.Expr) {
	m := &hast.Image{Name: of + "_" + v.Name, Dir: hast.Local, Elem: v.Type, At: v.At}
	for i := 2; slices.ContainsFunc(k.out.Images, func(o *hast.Image) bool { return o.Name == m.Name }); i++ {
		m.Name = fmt.Sprintf("%s_%s_%d", of, v.Name, i)
	}
	var at []hast.Expr
	for _, a := range axes {
		m.Extent = append(m.Extent, extent(a.r))
		at = append(at, hast.RefTo(a.v))
	}
	if len(axes) == 0 {
		m.Extent, at = []hast.Expr{hast.Int(1)}, []hast.Expr{hast.Int(0)}
	}
	k.out.Images = append(k.out.Images, m)
	return m, at
}

// extent is that of an axis that has the values of a range, which may be none.
func extent(r hast.Range) hast.Expr {
	if ref, ok := r.Hi.(*hast.Ref); ok && ref.Var.Class == hast.SizeVar {
		return r.Hi
	}
	return hast.Binary(ops.Max, r.Hi, hast.Int(1))
}

// named is a body in which a variable that is set in a row of statements has a new name for each value.
func (n *nest) named(body []hast.Stmt) (out []hast.Stmt) {
	now := map[*hast.Var]hast.Expr{}
	for _, c := range n.carried {
		if !setInTurn(body, c.Var) {
			continue
		}
		now[c.Var] = nil
	}
	let := func(v *hast.Var, e hast.Expr) {
		w := *v
		w.Class = hast.Value
		out = append(out, &hast.Define{Var: &w, Init: e, At: e.Span()})
		now[v] = hast.RefTo(&w)
	}
	for _, st := range body {
		st := replaced([]hast.Stmt{st}, now)[0]
		switch st := st.(type) {
		case *hast.Define:
			if _, ok := now[st.Var]; ok {
				let(st.Var, st.Init)
				continue
			}
		case *hast.Set:
			if _, ok := now[st.Var]; ok {
				let(st.Var, st.Value)
				continue
			}
		case *hast.If:
			if set := conditional(st); set != nil {
				if was, ok := now[set.Var]; ok {
					let(set.Var, &hast.Select{Typed: hast.Typed{T: set.Var.Type, At: st.At}, Cond: st.Cond, Then: set.Value, Else: elseOf(st, was)})
					continue
				}
			}
		}
		out = append(out, st)
	}
	return out
}

// conditional is what sets a variable where a condition holds, and may set it where it does not, and does nothing else; nil for other statements.
func conditional(st *hast.If) *hast.Set {
	if len(st.Then) != 1 || len(st.Else) > 1 {
		return nil
	}
	set, ok := st.Then[0].(*hast.Set)
	if !ok || len(set.Index) > 0 {
		return nil
	}
	if len(st.Else) == 1 {
		if other, ok := st.Else[0].(*hast.Set); !ok || other.Var != set.Var || len(other.Index) > 0 {
			return nil
		}
	}
	return set
}

func elseOf(st *hast.If, was hast.Expr) hast.Expr {
	if len(st.Else) == 1 {
		return st.Else[0].(*hast.Set).Value
	}
	return was
}

// setInTurn reports whether a variable is set in a row of statements alone, or by one under a condition that does nothing else.
func setInTurn(body []hast.Stmt, v *hast.Var) bool {
	return !slices.ContainsFunc(body, func(st hast.Stmt) bool {
		switch st := st.(type) {
		case *hast.Set:
			return st.Var == v && len(st.Index) > 0
		case *hast.If:
			if set := conditional(st); set != nil && set.Var == v {
				return false
			}
		}
		return sets([]hast.Stmt{st}, v)
	})
}
