package block

import (
	"fmt"
	"slices"
	"strings"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A Common is an expression of a loop that is written out whose values instances have in common: what one computes for a point of the loop
// its neighbours compute for the same point, or for another one, from the same pixels. So both pixels of a pair compute the weight that a
// bilateral filter gives the other one.
type Common struct {
	Loop   *hast.For
	Lets   []*hast.Define // that the expression is made of
	Expr   *hast.Op       // as it stands in the loop
	Points [][]int64
	Values []Shared // of each point
	Keeps  []*Keep
	Y, X   Span // of the instances of all of these, by their distance from one that takes their values
}

// A Keep is what several points have in common, as an instance computes it for one of them.
type Keep struct {
	Point []int64
	Y, X  Span // of the instances, by their distance from one that takes their values
}

// Shared is the value of a point: that of an instance Y and X away. Keep is nil where no other point has it.
type Shared struct {
	Keep *Keep
	Y, X int
}

// leastCommon is how many operators an expression has that is worth a store and loads.
const leastCommon = 4

// Commons are what the instances of a stage have in common, and what that is computed from.
type Commons struct {
	List  []*Common
	Tiles []*Tile
}

// A Tile is an image all reads of which lie at fixed distances from the instance, converted to one type at once.
type Tile struct {
	*Window
	Type types.Type
	How  hast.How
}

// FindCommons finds the expressions of a stage's loops whose values instances have in common, as large as they can be, where these are computed
// from tiles alone. At least two of three points have a value that another one has, too.
func FindCommons(s *hast.Stage, unroll int) *Commons {
	c := &commons{what: AnalyzeLoops(s, unroll), values: map[*hast.Var]hast.Expr{}}
	if c.what.Alone != "" || c.what.Y == nil || c.what.Once {
		return &c.out
	}
	c.tiles(s)
	if len(c.out.Tiles) == 0 {
		return &c.out
	}
	for _, st := range s.Body {
		c.let(st)
		if l, ok := st.(*hast.For); ok && !Jumps(l.Body) {
			c.loop(l, unroll)
		}
	}
	return &c.out
}

// Tile is that of an image; nil where it has none.
func (c *Commons) Tile(m *hast.Image) *Tile {
	for _, t := range c.Tiles {
		if t.Image == m {
			return t
		}
	}
	return nil
}

// Bytes is how much memory a work-item takes for so many rows of a block of so many columns.
func (c *Commons) Bytes(rows, columns int) (n int) {
	for _, t := range c.Tiles {
		n += t.Area(rows, columns).bytes(t.Type)
	}
	for _, x := range c.List {
		n += len(x.Keeps) * x.Area(rows, columns).bytes(x.Expr.T)
	}
	return n
}

// An Area is how many rows and columns of values there are of a block.
type Area struct{ Rows, Columns int }

func (a Area) bytes(t types.Type) int { return a.Rows * a.Columns * t.Kind.Bytes() }

// area is what instances of a block reach.
func area(rows, columns int, y, x Span) Area { return Area{rows + y.Hi - y.Lo, columns + x.Hi - x.Lo} }

// Area is what a block reads of the image.
func (t *Tile) Area(rows, columns int) Area { return area(rows, columns, t.Y, t.X) }

// Area is the instances of which a block takes a value.
func (k *Keep) Area(rows, columns int) Area { return area(rows, columns, k.Y, k.X) }

// Area is the instances of which a block takes values, as large for all of these.
func (c *Common) Area(rows, columns int) Area { return area(rows, columns, c.Y, c.X) }

type commons struct {
	what   *Stage
	values map[*hast.Var]hast.Expr // of lets
	lets   []*hast.Define          // in order
	points [][]int64
	of     *hast.For
	out    Commons
}

// tiles finds the images that commons may be computed from: those with one window, with one border rule, all of it read pixel by pixel.
func (c *commons) tiles(s *hast.Stage) {
	windows := map[*hast.Image]int{}
	for _, w := range c.what.Windows {
		windows[w.Image]++
	}
	for _, w := range c.what.Windows {
		m := w.Image
		named := m.View == nil && m.Rank() == 2 && m.First(0) == 0 && m.First(1) == 0 && m.Elem.Lanes == 1
		next := func(s Span) bool { return s.Stride == 1 && s.Div == 0 }
		if !named || windows[m] > 1 || slices.Contains(c.what.Direct, m) || !next(w.Y) || !next(w.X) || w.Rule == nil || w.Rule.Kind == hast.Formula {
			continue
		}
		if t := tileOf(s, w); t != nil {
			c.out.Tiles = append(c.out.Tiles, t)
		}
	}
}

// tileOf is a window by what its reads are converted to; nil where some are of several pixels.
func tileOf(s *hast.Stage, w *Window) *Tile {
	loads, windows := 0, false
	var into []*hast.Convert
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Window:
			windows = windows || e.Image.Base() == w.Image
		case *hast.Load:
			windows = windows || e.Image != w.Image && e.Image.Base() == w.Image
			if e.Image == w.Image {
				loads++
			}
		case *hast.Convert:
			if l, ok := e.X.(*hast.Load); ok && l.Image == w.Image {
				into = append(into, e)
			}
		}
	})
	if windows {
		return nil
	}
	t := &Tile{Window: w, Type: w.Image.Elem}
	if len(into) == loads && !slices.ContainsFunc(into, func(e *hast.Convert) bool { return e.T != into[0].T || e.How != into[0].How }) {
		t.Type, t.How = into[0].T, into[0].How
	}
	return t
}

func (c *commons) let(s hast.Stmt) {
	if d, ok := s.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil {
		c.values[d.Var] = d.Init
		c.lets = append(c.lets, d)
	}
}

func (c *commons) loop(l *hast.For, unroll int) {
	points, ok := Points(l.Space, unroll)
	if !ok || len(points) < 3 {
		return
	}
	c.of, c.points = l, points
	for _, s := range l.Body {
		switch s.(type) {
		case *hast.Define, *hast.Set, *hast.Store:
			c.let(s)
			exprs, _ := hast.Parts(s)
			for _, e := range exprs {
				c.look(e)
			}
		}
	}
}

// look finds expressions in e, which every instance computes.
func (c *commons) look(e hast.Expr) {
	switch e := e.(type) {
	case *hast.Op:
		if e.Op.Lazy() {
			return
		}
		if x := c.common(e); x != nil {
			c.out.List = append(c.out.List, x)
			return
		}
	case *hast.Select:
		c.look(e.Cond)
		return
	}
	hast.EachOperand(e, c.look)
}

// common is an expression by what its points have in common; nil where that is too little.
func (c *commons) common(e *hast.Op) *Common {
	whole := c.withoutLets(e)
	if !e.T.IsScalar() || operators(whole) < leastCommon {
		return nil
	}
	x := &Common{Loop: c.of, Lets: c.letsOf(e), Expr: e, Points: c.points, Values: make([]Shared, len(c.points))}
	type first struct {
		point int
		at    *reading
	}
	seen := map[string]first{}
	for i := range c.points {
		at := &reading{commons: c, scope: c.at(i)}
		text, ok := at.text(whole)
		if !ok {
			return nil
		}
		if f, has := seen[text]; has {
			x.share(f.point, i, at.y-f.at.y, at.x-f.at.x)
		} else {
			seen[text] = first{i, at}
		}
	}
	if alone := len(seen) - len(x.Keeps); 3*alone > len(c.points) {
		return nil
	}
	return x
}

// share notes that a point has the value of the one before, of an instance y and x away.
func (c *Common) share(before, point, y, x int) {
	of := &c.Values[before]
	if of.Keep == nil {
		of.Keep = &Keep{Point: c.Points[before]}
		c.Keeps = append(c.Keeps, of.Keep)
	}
	k := of.Keep
	c.Values[point] = Shared{k, y, x}
	k.Y, k.X = k.Y.join(Span{Lo: y, Hi: y}), k.X.join(Span{Lo: x, Hi: x})
	c.Y, c.X = c.Y.join(k.Y), c.X.join(k.X)
}

// at is the scope of a point of the loop.
func (c *commons) at(point int) *Scope {
	vars, p := c.of.Space.Vars, c.points[point]
	return &Scope{Iterators: c.what.Scope.Iterators, Lets: c.what.Scope.Lets, Range: func(v *hast.Var) (int64, int64, bool) {
		if i := slices.Index(vars, v); i >= 0 {
			return p[i], p[i], true
		}
		return 0, 0, false
	}}
}

// letsOf are the lets that an expression is made of, in order.
func (c *commons) letsOf(e hast.Expr) (list []*hast.Define) {
	uses := map[*hast.Var]bool{}
	look := func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			uses[r.Var] = true
		}
	}
	hast.Walk(e, look)
	for _, d := range slices.Backward(c.lets) {
		if uses[d.Var] {
			hast.Walk(d.Init, look)
			list = append(list, d)
		}
	}
	slices.Reverse(list)
	return list
}

// withoutLets is e with what lets stand for.
func (c *commons) withoutLets(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok && c.values[r.Var] != nil {
			return c.withoutLets(c.values[r.Var])
		}
		return nil
	})
}

// operators is how many operators an expression has, without those that say where it reads.
func operators(e hast.Expr) (n int) {
	switch e.(type) {
	case *hast.Load, *hast.Elem:
		return 0
	case *hast.Op:
		n = 1
	}
	hast.EachOperand(e, func(x hast.Expr) { n += operators(x) })
	return n
}

// A reading writes down an expression so that those that have the same value have the same text, wherever the pixels lie that they are
// computed from: by their distance from the first of these, which is at y and x from the instance.
type reading struct {
	*commons
	scope *Scope
	some  bool
	y, x  int
}

// text is an expression by its reading; false where instances may not have it in common.
func (r *reading) text(e hast.Expr) (string, bool) {
	hast.Walk(e, func(e hast.Expr) {
		if l, ok := e.(*hast.Load); ok {
			if p, ok := r.place(l); ok && (!r.some || p.Y.Lo < r.y || p.Y.Lo == r.y && p.X.Lo < r.x) {
				r.some, r.y, r.x = true, p.Y.Lo, p.X.Lo
			}
		}
	})
	f, ok := r.form(e)
	return f.text + "/" + strings.Join(f.turned, " "), ok && r.some
}

// place is where a read of a tile lies.
func (r *reading) place(l *hast.Load) (Place, bool) {
	p, ok := r.what.Place(r.scope, l.Image, l.Index)
	return p, ok && r.out.Tile(l.Image) != nil && p.Y.Lo == p.Y.Hi && p.X.Lo == p.X.Hi
}

// A form is what an expression computes. Turned are the differences that it takes the other way around: a value of
// which a factor is turned is the negative one, and that of which the same factor is turned twice is the same, to the bit.
type form struct {
	text   string
	turned []string
}

// form is what an expression computes; false of what depends on more than the pixels at fixed places and numbers.
func (r *reading) form(e hast.Expr) (form, bool) {
	switch e := e.(type) {
	case *hast.Const:
		return form{text: fmt.Sprint(e.T, e.Words)}, true
	case *hast.Ref:
		if lo, hi, ok := r.scope.Range(e.Var); ok && lo == hi {
			return form{text: fmt.Sprint(lo)}, true
		}
		return form{text: fmt.Sprintf("%s %p", e.Var.Name, e.Var)}, e.Var.Class.OfHost()
	case *hast.Load:
		p, ok := r.place(e)
		return form{text: fmt.Sprintf("%p[%d][%d]", e.Image, p.Y.Lo-r.y, p.X.Lo-r.x)}, ok
	case *hast.Elem:
		return r.entry(e)
	case *hast.Convert:
		f, ok := r.form(e.X)
		g := form{turned: f.turned}
		if from := e.X.Type().Kind; e.How != hast.Wrap || !e.T.Kind.IsFloat() || from.IsUnsigned() {
			f, g.turned = form{text: f.plain()}, nil
		}
		g.text = fmt.Sprintf("%s:%d(%s)", e.T, e.How, f.text)
		return g, ok
	case *hast.Op:
		return r.op(e)
	}
	return form{}, false
}

// entry is an entry of a mask.
func (r *reading) entry(e *hast.Elem) (form, bool) {
	c, ok := e.X.(*hast.Const)
	if !ok || !e.T.IsScalar() || len(e.Index) != int(c.T.Rank) {
		return form{}, false
	}
	at := int64(0)
	for k, x := range e.Index {
		l, ok := r.scope.Linear(x)
		n := int64(c.T.Dims[k])
		if !ok || l.Var != nil || !l.Single() || l.Lo < 0 || l.Lo >= n {
			return form{}, false
		}
		at = at*n + l.Lo
	}
	return form{text: fmt.Sprint(e.T, c.Words[at:at+1])}, true
}

func (r *reading) op(e *hast.Op) (form, bool) {
	args := make([]form, len(e.Args))
	for i, a := range e.Args {
		f, ok := r.form(a)
		if !ok {
			return form{}, false
		}
		args[i] = f
	}
	var turned []string
	switch {
	case e.Op == ops.Mul, e.Op == ops.Div && e.T.Kind.IsFloat():
		turned = odd(args[0].turned, args[1].turned)
		args[0].turned, args[1].turned = nil, nil
	case e.Op == ops.Neg:
		turned, args[0].turned = args[0].turned, nil
	case e.Op == ops.Abs && !e.T.Kind.IsUnsigned():
		args[0].turned = nil
	}
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.plain()
	}
	switch {
	case e.Op.Info().Commutes:
		slices.Sort(texts)
	case e.Op == ops.Sub && texts[1] < texts[0]:
		slices.Reverse(texts)
		turned = []string{strings.Join(texts, "-")}
	}
	return form{fmt.Sprintf("%s:%d(%s)", e.T, e.Op, strings.Join(texts, ", ")), turned}, true
}

// plain is a form with nothing said of it to what it is part of.
func (f form) plain() string {
	if len(f.turned) == 0 {
		return f.text
	}
	return fmt.Sprintf("turned(%s)(%s)", f.text, strings.Join(f.turned, " "))
}

// odd are those of two sorted lists that the other one has not.
func odd(x, y []string) (out []string) {
	for _, s := range x {
		if !slices.Contains(y, s) {
			out = append(out, s)
		}
	}
	for _, s := range y {
		if !slices.Contains(x, s) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}
