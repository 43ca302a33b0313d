package normal

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/block"
)

// decimated is a pipeline in which images have the columns, rows and planes alone that somebody reads: where all readers of an image read it at multiples of n along
// an axis, as those that halve one step of a pyramid after the other do, the image has every n-th of its pixels, which its readers find side by side. So the
// stage that writes it computes no others.
func decimated(p *hast.Pipeline) *hast.Pipeline {
	d := &decimator{every: map[*hast.Image][]int64{}, writer: map[*hast.Image]*hast.Stage{}, to: map[*hast.Image]*hast.Image{}, borders: map[*hast.Border]*hast.Border{}}
	for _, m := range p.Images {
		if m.Dir == hast.Local && m.View == nil && m.Of == nil && m.Lower == nil && !m.Zero && !m.Scalar && m.Dealt == nil {
			d.to[m] = m
		}
	}
	for _, m := range p.Images {
		if m.View != nil {
			delete(d.to, m.Base())
		}
	}
	leaveOut(p, d.to, d.look)
	out := *p
	out.Images = nil
	changed := false
	for _, m := range p.Images {
		if d.thins(m) {
			d.to[m], changed = d.thinner(m), true
		} else {
			delete(d.to, m)
		}
		out.Images = append(out.Images, d.now(m))
	}
	if !changed {
		return p
	}
	if out.Declared == nil {
		out.Declared = p.Images
	}
	out.Steps = hast.MapSteps(p.Steps, d.step)
	return &out
}

// A decimator is what is known of the images of a pipeline: of what its readers' coordinates are multiples, along each axis (0 where nobody reads it, or at 0 alone), and
// the one stage that writes it.
type decimator struct {
	every   map[*hast.Image][]int64
	writer  map[*hast.Image]*hast.Stage
	to      map[*hast.Image]*hast.Image   // what images that may be decimated become
	borders map[*hast.Border]*hast.Border // what formulas under which they are read become
}

// look notes what a stage reads and writes.
func (d *decimator) look(s *hast.Stage) {
	hast.EachStore(s.Body, func(st *hast.Store) {
		m := st.Image
		if d.to[m] == nil {
			return
		}
		if w := d.writer[m]; w != nil && w != s || st.Updates() || st.Skip || s.Scan != nil || s.Where != nil || !s.Fills(st) {
			delete(d.to, m)
		}
		d.writer[m] = s
	})
	scope := scopeOf(s)
	see := func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			d.read(scope, e)
		case *hast.Window:
			delete(d.to, e.Image)
		}
	}
	if s.Where != nil {
		hast.Walk(s.Where, see)
	}
	hast.WalkBody(s.Body, nil, see)
}

// scopeOf knows the variables of a stage: what lets stand for, and what loops and reductions of known lengths count.
func scopeOf(s *hast.Stage) *block.Scope {
	scope, spans := block.ScopeOf(s), map[*hast.Var][2]int64{}
	note := func(of hast.Space) {
		for k, v := range of.Vars {
			if lo, hi, ok := spanOf(of, k); ok {
				spans[v] = [2]int64{lo, hi}
			}
		}
	}
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		switch st := st.(type) {
		case *hast.For:
			note(st.Space)
		case *hast.Define:
			if st.Var.Class == hast.Value && st.Init != nil {
				scope.Lets[st.Var] = st.Init
			}
		}
	}, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			note(r.Space)
		}
	})
	scope.Range = func(v *hast.Var) (lo, hi int64, ok bool) {
		span, ok := spans[v]
		return span[0], span[1], ok
	}
	return scope
}

// spanOf has the least and the greatest value of the k-th variable of a space whose program says them.
func spanOf(of hast.Space, k int) (lo, hi int64, ok bool) {
	for i, p := range of.Points {
		if i == 0 {
			lo, hi = p[k], p[k]
		}
		lo, hi = min(lo, p[k]), max(hi, p[k])
	}
	if len(of.Ranges) == 0 {
		return lo, hi, len(of.Points) > 0
	}
	r := of.Ranges[k]
	first, known := hast.Number(r.Lo)
	end, number := hast.Number(r.Hi)
	return first, end - 1, known && number && r.Step > 0 && first < end
}

// read notes one read of a pixel.
func (d *decimator) read(scope *block.Scope, e *hast.Load) {
	m := e.Image
	if d.to[m] == nil {
		return
	}
	if d.every[m] == nil {
		d.every[m] = make([]int64, m.Rank())
	}
	for k, c := range e.Index {
		n := int64(1)
		if l, ok := scope.Linear(c.X); ok && l.Single() && l.Div == 0 && l.Lo >= 0 && !c.Below && !c.Above && staysAt(e.Rule, k) {
			n = gcd(l.Stride, l.Lo)
		}
		d.every[m][k] = gcd(d.every[m][k], n)
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// staysAt reports whether what a rule takes for pixels that are outside on other axes has the coordinate of these on axis k: a formula may say anything.
func staysAt(r *hast.Rule, k int) bool {
	if r == nil || r.Kind != hast.Formula {
		return true
	}
	stays := true
	for _, f := range r.Border.Frames {
		if f.Places[k] != 0 {
			continue // which nobody asks for
		}
		named, own := 0, 0
		hast.Walk(f.Value, func(e hast.Expr) {
			switch e := e.(type) {
			case *hast.Ref:
				if e.Var == r.Border.Coords[k] {
					named++
				}
			case *hast.Load:
				if e.Image == r.Border.Image {
					stays = stays && hast.IsVar(e.Index[k].X, r.Border.Coords[k])
					own++
				}
			case *hast.Window:
				stays = false
			}
		})
		stays = stays && named == own
	}
	return stays
}

// mostApart is the largest distance between pixels that are read which makes an image smaller; beyond, who writes it would read as if at random.
const mostApart = 8

// thins reports whether an image has pixels that nobody reads between those that are read, and a stage that computes each by itself, and no other image.
func (d *decimator) thins(m *hast.Image) bool {
	s := d.writer[m]
	if d.to[m] == nil || d.every[m] == nil || s == nil || !slices.ContainsFunc(d.every[m], leavesOut) {
		return false
	}
	alone := true
	hast.EachStore(s.Body, func(st *hast.Store) { alone = alone && st.Image == m })
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if x, ok := e.(*hast.Select); ok {
			_, _, near := x.IsNear() // of the variables that become others
			alone = alone && !near
		}
	})
	return alone && !s.Loads(m)
}

// leavesOut reports whether of an axis every n-th place alone is read, and these are near enough.
func leavesOut(n int64) bool { return n > 1 && n <= mostApart }

// thinner is the image with these pixels alone.
func (d *decimator) thinner(m *hast.Image) *hast.Image {
	x := *m
	x.Extent = slices.Clone(m.Extent)
	for k, n := range d.every[m] {
		if leavesOut(n) {
			x.Extent[k] = hast.Binary(ops.Div, linear.Plus(m.Extent[k], n-1), hast.Int(n))
		}
	}
	return &x
}

func (d *decimator) now(m *hast.Image) *hast.Image {
	if to := d.to[m]; to != nil {
		return to
	}
	return m
}

// step is a step that reads and writes the images as they are then.
func (d *decimator) step(s hast.Step) []hast.Step {
	switch s := s.(type) {
	case *hast.Fresh:
		if to := d.to[s.Image]; to != nil {
			return []hast.Step{&hast.Fresh{Image: to, At: s.At}}
		}
	case *hast.Stage:
		return []hast.Step{d.writing(d.reading(s))}
	}
	return nil
}

// reading is a stage that reads them.
func (d *decimator) reading(s *hast.Stage) *hast.Stage {
	scope, out := scopeOf(s), *s
	var one func(e hast.Expr) hast.Expr
	one = func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			load, ok := e.(*hast.Load)
			if !ok || d.to[load.Image] == nil {
				return nil
			}
			x := *load
			x.Image, x.Rule, x.Index = d.to[load.Image], d.rule(load.Rule), slices.Clone(load.Index)
			for k, n := range d.every[load.Image] {
				if leavesOut(n) {
					x.Index[k].X = quotient(scope, x.Index[k].X, n)
				} else {
					x.Index[k].X = one(x.Index[k].X)
				}
			}
			return &x
		})
	}
	out.Where = one(s.Where)
	out.Body = hast.MapStmts(s.Body, one)
	return &out
}

// quotient is a coordinate that is a multiple of n, divided by it.
func quotient(scope *block.Scope, e hast.Expr, n int64) hast.Expr {
	l, _ := scope.Linear(e)
	switch l.Stride / n {
	case 0:
		return hast.Int(l.Lo / n)
	case 1:
		return linear.Plus(hast.RefTo(l.Var), l.Lo/n)
	}
	return linear.Plus(hast.Binary(ops.Mul, hast.RefTo(l.Var), hast.Int(l.Stride/n)), l.Lo/n)
}

// rule is a rule under which a decimated image is read.
func (d *decimator) rule(r *hast.Rule) *hast.Rule {
	if r == nil || r.Kind != hast.Formula {
		return r
	}
	if d.borders[r.Border] == nil {
		d.borders[r.Border] = d.border(r.Border)
	}
	return &hast.Rule{Kind: hast.Formula, Border: d.borders[r.Border]}
}

// border is a border by formula of a decimated image: without the lines for places beside it on an axis that has become shorter, which serve nobody. All others
// name the coordinate that is asked for, and no other one, on such an axis.
func (d *decimator) border(b *hast.Border) *hast.Border {
	out := *b
	out.Image, out.Frames = d.to[b.Image], nil
	for _, f := range b.Frames {
		beside := false
		for k, n := range d.every[b.Image] {
			beside = beside || leavesOut(n) && f.Places[k] != 0
		}
		if beside {
			continue
		}
		value := hast.Map(f.Value, func(e hast.Expr) hast.Expr {
			if load, ok := e.(*hast.Load); ok && load.Image == b.Image {
				return hast.Reading(load, out.Image, func(x hast.Expr) hast.Expr { return x })
			}
			return nil
		})
		out.Frames = append(out.Frames, &hast.Frame{Places: f.Places, Value: value})
	}
	return &out
}

// writing is a stage that writes them: each instance stands for the one that wrote its pixel before.
func (d *decimator) writing(s *hast.Stage) *hast.Stage {
	var of *hast.Image
	hast.EachStore(s.Body, func(st *hast.Store) { of = st.Image })
	if of == nil || d.to[of] == nil {
		return s
	}
	out, times := *s, map[*hast.Var]hast.Expr{}
	out.Space.Ranges = slices.Clone(s.Space.Ranges)
	for k, n := range d.every[of] {
		if leavesOut(n) {
			times[s.Space.Vars[k]] = hast.Binary(ops.Mul, hast.RefTo(s.Space.Vars[k]), hast.Int(n))
			out.Space.Ranges[k].Hi = d.to[of].Extent[k]
		}
	}
	out.Body = hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr { return hast.Replaced(e, times) })
	hast.WalkBody(out.Body, func(st hast.Stmt) {
		if st, ok := st.(*hast.Store); ok {
			st.Image = d.to[of]
			for k := range st.Index {
				st.Index[k] = hast.RefTo(s.Space.Vars[k])
			}
		}
	}, nil)
	return &out
}
