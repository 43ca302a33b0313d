package normal

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/types"
)

// ofParts is a stage that reads and writes the caller's images at its own place and so many pixels further, src[y + y0][x + x0], as one that reads and writes parts of them
// there, and the declarations of these: the distance is then where the part lies, and instances keep to their own pixels, which vectors move.
func ofParts(s *hast.Stage) []hast.Step {
	if s.Scan != nil || s.Where != nil || slices.ContainsFunc(s.Space.Ranges, func(r hast.Range) bool { return !r.Counts() }) {
		return []hast.Step{s}
	}
	look := &lookout{stage: s, parts: map[*hast.Image]*part{}}
	look.body(s.Body, true)
	out, list := *s, []hast.Step(nil)
	for _, p := range look.order {
		if p.taken() {
			p.define(s)
			list = append(list, &hast.DefineView{Image: p.view, At: s.At})
		}
	}
	if len(list) == 0 {
		return []hast.Step{s}
	}
	out.Body = hast.MapStmts(s.Body, look.expr)
	hast.EachStore(out.Body, func(st *hast.Store) {
		if p := look.parts[st.Image]; p != nil && p.view != nil {
			st.Index = p.index(st.Index)
			st.Image = p.view
		}
	})
	return append(list, &out)
}

// A lookout collects how a stage reaches images.
type lookout struct {
	stage *hast.Stage
	parts map[*hast.Image]*part
	order []*part
}

// A part is what a stage reaches of an image: along each axis some pixels from a value of the host on, moving with a variable.
type part struct {
	of            *hast.Image
	axes          []reach
	reads, writes bool
	other         bool // it is reached in other ways, too, or not by all instances
	view          *hast.Image
}

// A reach is along one axis: the variable plus what it is away, from lo to hi beside. Without a variable it is the axis as it is.
type reach struct {
	along  *hast.Var
	away   []linear.Term
	lo, hi int64
}

// body looks at statements, which all instances come to if sure.
func (l *lookout) body(list []hast.Stmt, sure bool) {
	for _, s := range list {
		exprs, bodies := hast.Parts(s)
		for _, e := range exprs {
			l.look(e, sure)
		}
		if st, ok := s.(*hast.Store); ok {
			p := l.part(st.Image)
			p.writes = true
			p.add(l.stage, st.Index, sure && !st.Skip)
		}
		for _, b := range bodies {
			l.body(b, false)
		}
		sure = sure && len(bodies) == 0 // which may end an instance
	}
}

func (l *lookout) look(e hast.Expr, sure bool) {
	switch e := e.(type) {
	case *hast.Load:
		p := l.part(e.Image)
		p.reads = true
		index, inside := e.Coordinates()
		p.add(l.stage, index, sure && inside)
	case *hast.Window:
		l.part(e.Image).other = true
	case *hast.Op:
		sure = sure && !e.Op.Lazy()
	case *hast.Select, *hast.Reduce:
		sure = false
	}
	hast.EachOperand(e, func(e hast.Expr) { l.look(e, sure) })
}

func (l *lookout) part(m *hast.Image) *part {
	p := l.parts[m]
	if p == nil {
		p = &part{of: m}
		l.parts[m] = p
		l.order = append(l.order, p)
	}
	return p
}

// add notes an access.
func (p *part) add(s *hast.Stage, index []hast.Expr, sure bool) {
	if p.other = p.other || !sure; p.other {
		return
	}
	axes := make([]reach, len(index))
	for k, i := range index {
		r, ok := reachOf(s, i)
		if !ok {
			p.other = true
			return
		}
		axes[k] = r
	}
	if p.axes == nil {
		p.axes = axes
		return
	}
	for k, r := range axes {
		q := &p.axes[k]
		if q.along != r.along || !slices.EqualFunc(q.away, r.away, func(x, y linear.Term) bool { return x.Minus == y.Minus && hast.Equal(x.X, y.X) }) {
			p.other = true
			return
		}
		q.lo, q.hi = min(q.lo, r.lo), max(q.hi, r.hi)
	}
}

// reachOf is how a coordinate moves with an instance; false where it does so in another way.
func reachOf(s *hast.Stage, e hast.Expr) (r reach, ok bool) {
	terms, sum := linear.Terms(e)
	for _, t := range terms {
		v, isRef := t.X.(*hast.Ref)
		switch {
		case isRef && slices.Contains(s.Space.Vars, v.Var):
			if r.along != nil || t.Minus {
				return r, false
			}
			r.along = v.Var
		case hast.SameForAll(t.X):
			r.away = append(r.away, t)
		default:
			return r, false
		}
	}
	r.lo, r.hi = sum, sum
	return r, sum >= -hast.MaxExtent && sum <= hast.MaxExtent
}

// taken reports whether the stage is to reach a part instead: of an image of the caller's that it does not read and write both, some variable plus a value of the host away.
func (p *part) taken() bool {
	m := p.of
	if p.other || p.reads && p.writes || m.Dir == hast.Local || m.View != nil || m.Lower != nil || len(p.axes) == 0 {
		return false
	}
	return slices.ContainsFunc(p.axes, reach.moves)
}

// define makes the part an image. Axes along which nothing is away are taken whole.
func (p *part) define(s *hast.Stage) {
	m := p.of
	p.view = &hast.Image{Name: m.Name, Dir: m.Dir, Elem: m.Elem, View: &hast.View{Of: m}, At: m.At}
	for k, r := range p.axes {
		first, extent := hast.Int(0), m.Extent[k]
		if r.moves() {
			first = linear.Sum(r.away, r.lo)
			extent = linear.Plus(s.Space.Ranges[slices.Index(s.Space.Vars, r.along)].Hi, r.hi-r.lo)
		}
		p.view.View.Axes = append(p.view.View.Axes, hast.ViewAxis{First: first, Kept: true})
		p.view.Extent = append(p.view.Extent, extent)
	}
}

// moves reports whether the part begins where a value of the host says.
func (r reach) moves() bool { return r.along != nil && len(r.away) > 0 }

// index are coordinates in the part.
func (p *part) index(index []hast.Expr) []hast.Expr {
	out := slices.Clone(index)
	for k, r := range p.axes {
		if r.moves() {
			_, n := linear.Terms(index[k])
			ref := &hast.Ref{Typed: hast.Typed{T: types.Scalar(types.I32), At: index[k].Span()}, Var: r.along}
			out[k] = linear.Plus(ref, n-r.lo)
		}
	}
	return out
}

// expr is an expression of the stage as it reads parts.
func (l *lookout) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		x, ok := e.(*hast.Load)
		if !ok || l.parts[x.Image] == nil || l.parts[x.Image].view == nil {
			return nil
		}
		p := l.parts[x.Image]
		index, _ := x.Coordinates()
		to := &hast.Load{Typed: x.Typed, Image: p.view}
		for _, i := range p.index(index) {
			to.Index = append(to.Index, hast.Coord{X: i})
		}
		return to
	})
}
