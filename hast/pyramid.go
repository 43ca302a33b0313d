package hast

import (
	"fmt"
	"slices"

	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// MaxLevels bounds the levels of a pyramid: halving MaxExtent that often leaves one pixel.
const MaxLevels = 31

// A Levels counts levels, from 0, the finest, up to Count - 1. Level is the one at hand. Its extents are kept beside it: whoever
// goes one level coarser divides each by its factor, rounded up.
type Levels struct {
	Level  *Var // i32, HostLevel
	Count  Expr // i32, known on entry; 1 to MaxLevels (checked there)
	Scaled []*Scaled
	At     source.Span
}

// Scaled is an extent that shrinks from level to level. The finest is at most MaxExtent over Factor^len(Finer) (checked on entry),
// so that it might itself be that much coarser than another.
type Scaled struct {
	Var    *Var   // i32, HostLevel: at the level at hand
	Finer  []*Var // one level finer, two levels finer, ...; above the finest level as if each were Factor times that below
	Finest Expr   // i32, known on entry
	Factor int64  // >= 1
}

// Counted are levels, and the name of the pyramid that messages speak of.
type Counted struct {
	Name   string
	Levels *Levels
}

// A Pyramid is a family of local images of one type, one for each level. What its expressions say of the level at hand is in terms
// of the variables of Over, outermost first; the last of them says which image of the family it is. Where an image was declared
// inside of traverses, the extents may depend on the levels of all of them, and what an image of the family holds is lost when a
// variable of an outer one changes.
type Pyramid struct {
	Name   string
	Elem   types.Type
	Over   []*Levels
	Extent []Expr // i32
	Lower  []int64
	Used   Expr // bool; the images of levels where it does not hold are never touched; nil for all
	Zero   bool // starts as zeros
	At     source.Span
}

// Own is what counts the images of the family.
func (p *Pyramid) Own() *Levels { return p.Over[len(p.Over)-1] }

// A LevelNumber is which level of its pyramid an image is: Plus, or the one at hand with Plus added where At is set.
type LevelNumber struct {
	At   *Var // HostLevel
	Plus int64
}

// LevelOf takes Index of an image of a pyramid apart.
func LevelOf(index Expr) LevelNumber {
	switch e := index.(type) {
	case *Const:
		return LevelNumber{Plus: e.Words[0].Int()}
	case *Ref:
		return LevelNumber{At: e.Var}
	case *Op:
		x, y := LevelOf(e.Args[0]), LevelOf(e.Args[1])
		if e.Op == ops.Sub {
			y.Plus = -y.Plus
		}
		return LevelNumber{x.At, x.Plus + y.Plus}
	}
	panic("hast: a level is a number, or the one at hand and a number")
}

// Apart reports whether two images of a pyramid, while one level is at hand, are two of its levels.
func Apart(m, n *Image) bool {
	x, y := LevelOf(m.Index), LevelOf(n.Index)
	return x.At == y.At && x.Plus != y.Plus
}

// Vars are the variables that have a value while a level is at hand.
func (l *Levels) Vars() []*Var {
	vars := []*Var{l.Level}
	for _, s := range l.Scaled {
		vars = append(append(vars, s.Var), s.Finer...)
	}
	return vars
}

type (
	// Traverse runs Body at the finest level. In it, every level has its own values of the variables of Levels and of those that
	// Body declares.
	Traverse struct {
		Levels *Levels
		Names  []string // of the pyramids
		Body   []Step
		Apart  int // how many finer levels there were, each of which is by itself before and behind this
		// Rotated: what a level begins with is done by the one above, before it descends.
		Rotated bool
		At      source.Span
	}
	// Descend stands in the body of a Traverse, of which it is the innermost. It runs the body Times times one level coarser, with
	// Between, at this level, between two of them; at the coarsest level it does nothing.
	Descend struct {
		Of      *Traverse
		Times   Expr // i32
		Between []Step
		At      source.Span
	}
	// FreshPyramid is the declaration of a pyramid inside of control flow: it starts anew, as zeros where Zero is set.
	FreshPyramid struct {
		Pyramid *Pyramid
		At      source.Span
	}
	// SwapPyramids exchanges the contents of two pyramids of one type, levels and extents, level by level.
	SwapPyramids struct {
		A, B *Pyramid
		At   source.Span
	}
)

func (s *Traverse) Span() source.Span     { return s.At }
func (s *Descend) Span() source.Span      { return s.At }
func (s *FreshPyramid) Span() source.Span { return s.At }
func (s *SwapPyramids) Span() source.Span { return s.At }

func (*Traverse) step()     {}
func (*Descend) step()      {}
func (*FreshPyramid) step() {}
func (*SwapPyramids) step() {}

// Declared lists the variables that a list of steps declares, but for what a Traverse inside declares.
func Declared(list []Step) []*Var {
	var vars []*Var
	for _, s := range list {
		switch s := s.(type) {
		case *DefineHost:
			vars = append(vars, s.Var)
		case *ForHost:
			vars = append(vars, s.Var)
		case *Fetch:
			vars = append(vars, s.Var)
		case *Traverse:
			continue
		}
		for _, body := range StepBodies(s) {
			vars = append(vars, Declared(body)...)
		}
	}
	return vars
}

// traversal checks the steps of pyramids. The innermost Traverse around is v.within.
func (v *verifier) traversal(s Step, names map[string]bool) {
	switch s := s.(type) {
	case *Traverse:
		v.levels(s.Levels)
		outer := v.within
		v.within = s
		v.steps(s.Body, names, false)
		v.within = outer
	case *Descend:
		if s.Of == nil || s.Of != v.within {
			v.failf("%s: descend goes into a traverse that is not the innermost around it", s.At)
		}
		v.value(s.Times, i32)
		v.steps(s.Between, names, false)
	case *FreshPyramid:
		if !v.pyramids[s.Pyramid] {
			v.failf("%s: %s starts anew and is no pyramid of the pipeline", s.At, s.Pyramid.Name)
		}
	case *SwapPyramids:
		if a, b := s.A, s.B; !v.pyramids[a] || !v.pyramids[b] || a == b || a.Elem != b.Elem || len(a.Extent) != len(b.Extent) {
			v.failf("%s: %s and %s cannot be swapped", s.At, a.Name, b.Name)
		}
	}
}

// levels checks what counts levels, and declares its variables.
func (v *verifier) levels(l *Levels) {
	v.value(l.Count, i32)
	for _, s := range l.Scaled {
		if v.value(s.Finest, i32); s.Factor < 1 {
			v.failf("%s: %s is divided by %d", l.At, s.Var.Name, s.Factor)
		}
	}
	for _, x := range l.Vars() {
		if v.vars[x] = true; x.Class != HostLevel || x.Type != i32 {
			v.failf("%s: %s is no variable of a level", l.At, x.Name)
		}
	}
}

// pyramid checks a family of images.
func (v *verifier) pyramid(p *Pyramid) {
	if !p.Elem.IsValid() || p.Elem.IsArray() || len(p.Extent) < 1 || len(p.Extent) > types.MaxRank || len(p.Over) == 0 {
		v.failf("%s: pyramid %s has type %s with %d axes", p.At, p.Name, p.Elem, len(p.Extent))
		return
	}
	for _, l := range p.Over {
		v.levels(l)
	}
	for _, x := range p.Extent {
		v.value(x, i32)
	}
	if p.Used != nil {
		v.value(p.Used, scalarBool)
	}
	v.pyramids[p] = true
}

// level checks an image that is one of a pyramid.
func (v *verifier) level(m *Image) {
	if !v.pyramids[m.Of] || m.Dir != Local || m.Elem != m.Of.Elem || m.Rank() != len(m.Of.Extent) {
		v.failf("%s: %s is no level of %s", m.At, m.Name, m.Of.Name)
		return
	}
	v.value(m.Index, i32)
}

// traversal dumps the steps of pyramids.
func (d *dumper) traversal(s Step) {
	switch s := s.(type) {
	case *Traverse:
		apart := ""
		if s.Apart > 0 {
			apart = fmt.Sprintf(" below %d finer", s.Apart)
		}
		if s.Rotated {
			apart += " rotated"
		}
		d.line("traverse %v %s%s", s.Names, levelsText(s.Levels), apart)
		d.nest(func() { d.steps(s.Body) })
	case *Descend:
		d.line("descend %s", Text(s.Times))
		d.nest(func() { d.steps(s.Between) })
	case *FreshPyramid:
		d.line("fresh pyramid %s", s.Pyramid.Name)
	case *SwapPyramids:
		d.line("swap pyramids %s, %s", s.A.Name, s.B.Name)
	}
}

func levelsText(l *Levels) string {
	text := l.Level.Name + " in 0:" + Text(l.Count)
	for _, s := range l.Scaled {
		text += ", " + s.Var.Name + " from " + Text(s.Finest) + " by " + Text(Int(s.Factor))
	}
	return text
}

func (d *dumper) pyramid(p *Pyramid) {
	text := ""
	for _, x := range p.Extent {
		text += "[" + Text(x) + "]"
	}
	text += overText(p.Over)
	if p.Used != nil {
		text += " if " + Text(p.Used)
	}
	if p.Zero {
		text += " zero"
	}
	d.line("pyramid %s: %s%s", p.Name, p.Elem, text)
}

func overText(over []*Levels) string {
	text := ""
	for _, l := range over {
		text += " over " + levelsText(l)
	}
	return text
}

// Mentions reports whether a host expression speaks of the level at hand.
func Mentions(x Expr, l *Levels) bool { return Names(x, l.Vars()) }

// ReadsPixels reports whether an expression reads any.
func ReadsPixels(x Expr) (found bool) {
	Walk(x, func(e Expr) {
		switch e.(type) {
		case *Load, *Window:
			found = true
		}
	})
	return found
}

// Names reports whether one of some variables stands in an expression.
func Names(x Expr, vars []*Var) bool {
	found := false
	Walk(x, func(x Expr) {
		r, ok := x.(*Ref)
		found = found || ok && slices.Contains(vars, r.Var)
	})
	return found
}
