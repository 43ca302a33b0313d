package block

import (
	"imgc/hast"
	"imgc/ops"
)

// A Turn is how an image lies before the instances that read it: by a quarter or half of a turn, or mirrored. Places in it are as if it had been
// turned first, in steps of one from its first pixel on.
type Turn struct {
	Swapped bool    // x runs over its lines, and y along them
	Back    [2]bool // coordinates count from its end: along its lines, and over them
}

// turned is Place for what is read by steps of one in other directions than the instances go; lines of what is mirrored are seen backwards.
func (s *Stage) turned(scope *Scope, m *hast.Image, index []hast.Coord) (p Place, ok bool) {
	line, pixel, _ := Axes(m)
	if line < 0 || s.Y == nil || !linesOfBase(m) {
		return p, false
	}
	p.Image = m
	axis := map[*hast.Var]Span{}
	for dim, k := range []int{pixel, line} {
		l, back, ok := scope.fromEnd(m, k, index[k].X)
		if !ok || l.Stride != 1 || l.Div != 0 {
			return p, false
		}
		axis[l.Var] = span(l)
		p.Turn.Back[dim] = back
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

// fromEnd is a coordinate on an axis of an image as the distance from its first pixel or, back, from its last one.
func (s *Scope) fromEnd(m *hast.Image, axis int, x hast.Expr) (l Linear, back, ok bool) {
	first, size := int64(m.First(axis)), int64(0)
	l, ok = s.Linear(x)
	if ok && l.Var != nil && l.Stride > 0 {
		l.Lo, l.Hi = l.Lo-first, l.Hi-first
		return l, false, true
	}
	if n, known := hast.Number(m.Extent[axis]); known {
		size = n
	} else if rest := s.behind(x, m.Extent[axis]); rest != nil {
		l, ok = s.Linear(rest)
	} else {
		return l, false, false
	}
	if !ok || l.Var == nil || l.Stride >= 0 || l.Div != 0 {
		return l, false, false
	}
	last := size - 1 + first
	return Linear{Var: l.Var, Stride: -l.Stride, Lo: last - l.Hi, Hi: last - l.Lo}, true, true
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
func (w *Window) Together() int {
	k := w.Image.Elem.Kind
	if !w.Turn.Swapped || !k.IsInt() || k.Bytes() >= BankBytes {
		return 1
	}
	words := BankBytes / k.Bytes()
	return words / gcd(words, Channels(w.Image))
}
