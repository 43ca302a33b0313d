package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// Windows whose extents the host gives are loops that instances go through alike (Panels), but what they read there is different for all of them: src[y+j][x+i] moves along its line with the
// steps of the innermost loop as it does with the instances. Of some instances side by side each reads at a step what the one before it reads at the next step, so that an item which computes
// them together loads each pixel of a line once.

// A Slide is what a loop computes of a pixel that it reads so, or the pixel itself.
type Slide struct {
	Of     hast.Expr
	All    []hast.Expr // the places where it stands
	Load   *hast.Load  // of the pixel
	Rows   bool        // rows of instances read it in different lines
	Lazy   bool        // conditions say whether it is read, which its coordinates may rely on
	Slopes []Slopes    // of its coordinates
}

// Slopes are by how much a coordinate grows with each variable of the instances and of the loop.
type Slopes map[*hast.Var]int64

// Slides reports whether some loop reads pixels that slide.
func (p *Panels) Slides() bool {
	return slices.ContainsFunc(p.Loops, func(l *PanelLoop) bool { return len(l.Slides) > 0 })
}

// Plain reports whether a slide's column is that of the instance and the step, and values of the host.
func (s *Slide) Plain(x, inner *hast.Var) bool {
	_, pixel, _ := Axes(s.Load.Image)
	for v, n := range s.Slopes[pixel] {
		if n != 0 && v != x && v != inner {
			return false
		}
	}
	return true
}

// slides finds the pixels of what a reduction takes in that slide.
func (a *panelAnalysis) slides(l *PanelLoop, elem hast.Expr) {
	if !hostRanges(l.Space) || slices.ContainsFunc(l.Space.Ranges, func(r hast.Range) bool { return r.Step != 1 }) {
		return
	}
	slid := map[*hast.Load]bool{}
	hast.MapCertain(elem, func(e hast.Expr) hast.Expr {
		if x := a.ofOnePixel(l, e); x != nil {
			slid[x] = true
			a.slide(l, e, x, false)
			return e
		}
		return nil
	})
	hast.Walk(elem, func(e hast.Expr) {
		x, ok := e.(*hast.Load)
		if ok && !slid[x] {
			a.slide(l, x, x, true)
		}
	})
}

// slide adds what a loop computes of a pixel, if that slides.
func (a *panelAnalysis) slide(l *PanelLoop, e hast.Expr, x *hast.Load, lazy bool) {
	slopes := a.slopes(l, x)
	if slopes == nil {
		return
	}
	i := slices.IndexFunc(l.Slides, func(s *Slide) bool { return hast.Equal(s.Of, e) })
	if i < 0 {
		_, rows := a.along(x)
		i, l.Slides = len(l.Slides), append(l.Slides, &Slide{Of: e, Load: x, Rows: rows, Slopes: slopes})
	}
	s := l.Slides[i]
	s.All, s.Lazy = append(s.All, e), s.Lazy || lazy
}

// ofOnePixel is the pixel of which alone an expression is computed, once for all that read it; nil of one that needs more.
func (a *panelAnalysis) ofOnePixel(l *PanelLoop, e hast.Expr) (pixel *hast.Load) {
	vars, alone := a.variables(l), !e.Type().IsArray()
	var look func(e hast.Expr)
	look = func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			alone, pixel = alone && pixel == nil, e
			return
		case *hast.Window, *hast.Reduce:
			alone = false
		case *hast.Ref:
			alone = alone && !slices.Contains(vars, e.Var)
		}
		hast.EachOperand(e, look)
	}
	if look(e); !alone {
		return nil
	}
	return pixel
}

// variables are those of a loop and of instances with which pixels slide, or may.
func (a *panelAnalysis) variables(l *PanelLoop) []*hast.Var {
	vars := append([]*hast.Var{a.out.X}, l.Space.Vars...)
	if a.out.Y != nil {
		vars = append(vars, a.out.Y)
	}
	return vars
}

// slopes are those of a pixel that slides; nil of any other.
func (a *panelAnalysis) slopes(l *PanelLoop, x *hast.Load) (list []Slopes) {
	m := x.Image
	if m.View != nil || m.Lower != nil || m.Ring || m.Of != nil {
		return nil
	}
	_, pixel, channel := Axes(m)
	if channel >= 0 {
		return nil
	}
	for k, c := range x.Index {
		s, ok := slopesOf(c.X, a.variables(l))
		step := int64(0)
		if k == pixel {
			step = 1
		}
		if !ok || s[a.out.X] != step || s[l.Inner()] != step {
			return nil
		}
		list = append(list, s)
	}
	return list
}

// slopesOf are the slopes of a coordinate, which is a sum of multiples of some variables and of what names none of them and reads no pixels; false of any other.
func slopesOf(e hast.Expr, vars []*hast.Var) (Slopes, bool) {
	if !hast.Names(e, vars) {
		return Slopes{}, !hast.ReadsPixels(e)
	}
	switch e := e.(type) {
	case *hast.Ref:
		return Slopes{e.Var: 1}, true
	case *hast.Op:
		if len(e.Args) != 2 {
			return nil, false
		}
		x, okX := slopesOf(e.Args[0], vars)
		y, okY := slopesOf(e.Args[1], vars)
		if !okX || !okY {
			return nil, false
		}
		switch e.Op {
		case ops.Add:
			return x.plus(y, 1), true
		case ops.Sub:
			return x.plus(y, -1), true
		case ops.Mul:
			if c, known := hast.Number(e.Args[0]); known {
				return Slopes{}.plus(y, c), true
			}
			if c, known := hast.Number(e.Args[1]); known {
				return Slopes{}.plus(x, c), true
			}
		}
	}
	return nil, false
}

// plus adds a multiple.
func (s Slopes) plus(t Slopes, times int64) Slopes {
	for v, n := range t {
		if s[v] += times * n; s[v] == 0 {
			delete(s, v)
		}
	}
	return s
}
