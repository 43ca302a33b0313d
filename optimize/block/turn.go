package block

import (
	"imgc/hast"
	"imgc/ops"
)

// A Turn is how an image lies before the instances that read it: turned by a quarter or half of a turn, mirrored, or moved. Places in it are as if that had been done
// first, in steps of one from its first pixel on.
type Turn struct {
	Swapped bool         // x runs over its lines, and y along them
	Back    [2]bool      // coordinates count from its end: along its lines, and over them
	From    [2]hast.Expr // or from a value of the host on; nil where it lies at its own place
}

// same reports whether two images lie in the same way.
func (t Turn) same(u Turn) bool {
	from := func(x, y hast.Expr) bool { return x == y || x != nil && y != nil && hast.Equal(x, y) }
	return t.Swapped == u.Swapped && t.Back == u.Back && from(t.From[0], u.From[0]) && from(t.From[1], u.From[1])
}

// moved reports whether it lies where a value of the host says.
func (t Turn) moved() bool { return t.From != [2]hast.Expr{} }

// turned is Place for what is read by steps of one in other directions than the instances go, or elsewhere; lines of what is mirrored are seen backwards.
func (s *Stage) turned(scope *Scope, m *hast.Image, index []hast.Coord) (p Place, ok bool) {
	line, pixel, _ := Axes(m)
	if line < 0 || s.Y == nil || !linesOfBase(m) {
		return p, false
	}
	p.Image = m
	axis := map[*hast.Var]Span{}
	for dim, k := range []int{pixel, line} {
		l, ok := p.Turn.along(scope, m, k, dim, index[k].X)
		if !ok || l.Stride != 1 || l.Div != 0 {
			return p, false
		}
		axis[l.Var] = span(l)
		if dim == 0 {
			p.Turn.Swapped = l.Var == s.Y
		}
	}
	x, okX := axis[s.X]
	y, okY := axis[s.Y]
	if p.X, p.Y = x, y; !okX || !okY || p.Turn == (Turn{}) {
		return p, false
	}
	for k, c := range index {
		if k == pixel || k == line {
			continue
		}
		l, ok := scope.Linear(c.X)
		if !ok || !p.beside(s, l, k, c) {
			return p, false
		}
	}
	return p, true
}

// along is a coordinate on an axis of an image as it lies then, and notes how that is: as the distance from its first pixel, from its last one, or from where a value of the
// host says.
func (t *Turn) along(scope *Scope, m *hast.Image, axis, dim int, x hast.Expr) (l Linear, ok bool) {
	first := m.First(axis)
	if l, ok = scope.Linear(x); ok && l.Var != nil && l.Stride > 0 {
		l.Lo, l.Hi = l.Lo-first, l.Hi-first
		return l, true
	}
	if l, ok = scope.fromLast(x, m.Extent[axis]); ok {
		t.Back[dim] = true
		return Linear{Var: l.Var, Stride: -l.Stride, Lo: first - l.Hi, Hi: first - l.Lo}, true
	}
	own, from := scope.apart(x)
	if own == nil || from == nil {
		return l, false
	}
	t.From[dim] = from
	l, ok = scope.Linear(own)
	l.Lo, l.Hi = l.Lo-first, l.Hi-first
	return l, ok && l.Var != nil && l.Stride > 0
}

// fromLast is a coordinate that falls as instances go on less that of the last of so many pixels; false where that is not known.
func (s *Scope) fromLast(x, extent hast.Expr) (l Linear, ok bool) {
	less := int64(-1)
	if n, known := hast.Number(extent); known {
		less = n - 1
	} else if x = s.behind(x, extent); x == nil {
		return l, false
	}
	l, ok = s.Linear(x)
	l.Lo, l.Hi = l.Lo-less, l.Hi-less
	return l, ok && l.Var != nil && l.Stride < 0 && l.Div == 0
}

// apart takes a sum of 32-bit integers apart into values of the host and the rest; either is nil where there is none.
func (s *Scope) apart(e hast.Expr) (own, host hast.Expr) {
	if let, ok := e.(*hast.Ref); ok && s.Lets[let.Var] != nil {
		return s.apart(s.Lets[let.Var])
	}
	if hast.SameForAll(e) {
		return nil, e
	}
	sum, ok := e.(*hast.Op)
	if !ok || sum.Op != ops.Add && sum.Op != ops.Sub || len(sum.Args) != 2 || sum.T != i32 {
		return e, nil
	}
	own, host = s.apart(sum.Args[0])
	own2, host2 := s.apart(sum.Args[1])
	return added(sum.Op, own, own2), added(sum.Op, host, host2)
}

// added is a sum or difference of which a nil operand is 0.
func added(op ops.Op, x, y hast.Expr) hast.Expr {
	switch {
	case y == nil:
		return x
	case x == nil && op == ops.Add:
		return y
	case x == nil:
		x = hast.Int(0)
	}
	return hast.Binary(op, x, y)
}

// behind is what is added to a value in an expression; nil where it is no such sum.
func (s *Scope) behind(e, value hast.Expr) hast.Expr {
	if hast.Equal(e, value) {
		return hast.Int(0)
	}
	switch e := e.(type) {
	case *hast.Ref:
		if let := s.Lets[e.Var]; let != nil {
			return s.behind(let, value)
		}
	case *hast.Op:
		if e.Op != ops.Add && e.Op != ops.Sub || len(e.Args) != 2 {
			return nil
		}
		if x := s.behind(e.Args[0], value); x != nil {
			return &hast.Op{Typed: e.Typed, Op: e.Op, Args: []hast.Expr{x, e.Args[1]}}
		}
		if x := s.behind(e.Args[1], value); x != nil && e.Op == ops.Add {
			return &hast.Op{Typed: e.Typed, Op: e.Op, Args: []hast.Expr{e.Args[0], x}}
		}
	}
	return nil
}

// Together is how many pixels beside each other make up whole words, along the lines of a turned image and over them: as a block of so many of both they are loaded and
// put into local memory by words. It is 1 where that is one pixel, and where components are no integers.
func (p Place) Together() int {
	k := p.Image.Elem.Kind
	if !p.Turn.Swapped || p.Turn.moved() || !k.IsInt() || k.Bytes() >= BankBytes {
		return 1
	}
	words := BankBytes / k.Bytes()
	return words / gcd(words, Channels(p.Image))
}
