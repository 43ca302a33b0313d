package kir

import (
	"imgc/source"
	"imgc/types"
)

// MaxLevels is the most levels that a pyramid has.
const MaxLevels = 31

// A Levels counts levels, from 0, the finest, up to Count - 1, as hast.Levels does: Level is the one at hand.
type Levels struct {
	Name   string // of a pyramid, for messages
	Level  *Var   // i64
	Count  Expr   // i64; the entry fails unless it is 1 to MaxLevels
	Scaled []*Scaled
	At     source.Span
}

// Scaled is an extent that is divided by Factor, rounded up, from level to level. The entry fails where Finest is less than 1 or more
// than 2^30 over Factor^len(Finer).
type Scaled struct {
	Var    *Var   // i64, at the level at hand
	Finer  []*Var // i64, one level finer, two levels finer, ...; above the finest level as if each were Factor times that below
	Finest Expr   // i64
	Factor int64
}

// Vars are the variables that have a value while a level is at hand.
func (l *Levels) Vars() []*Var {
	vars := []*Var{l.Level}
	for _, s := range l.Scaled {
		vars = append(append(vars, s.Var), s.Finer...)
	}
	return vars
}

// A Pyramid is a family of temporaries, one for each level of the last of Over. Each has memory of its own that holds the largest
// image of its level, whatever the levels of the others of Over are.
type Pyramid struct {
	Name     string
	Elem     types.Type
	LineAxis int
	Over     []*Levels
	Extent   []Expr // i64, at the levels at hand
	Used     Expr   // bool; images of levels where it does not hold have no memory; nil for all
	Zero     bool   // filled with zeros before the first step
	At       source.Span
}

// Own is what counts the images of the family.
func (p *Pyramid) Own() *Levels { return p.Over[len(p.Over)-1] }

// Moves reports whether the extents of an image of the family depend on more than its own level.
func (p *Pyramid) Moves() bool { return len(p.Over) > 1 }

type (
	// Traverse runs Body at the finest level. At every level the variables of Levels, and those that Body declares outside of
	// another Traverse, have values of their own.
	Traverse struct {
		Levels *Levels
		Body   []Step
		At     source.Span
	}
	// Descend runs the body of the innermost Traverse around it Times times one level coarser, with Between, at this level, between
	// two of them; at the coarsest level it does nothing.
	Descend struct {
		Of      *Traverse
		Times   Expr // i64
		Between []Step
	}
	// Resize lays out the image of a pyramid that moves, by the extents that it has now. What it held is lost.
	Resize struct{ Image *Image }
	// ClearPyramid fills all levels with zeros.
	ClearPyramid struct{ Pyramid *Pyramid }
	// SwapPyramids exchanges the storage of two pyramids of one type and equal levels, level by level.
	SwapPyramids struct{ A, B *Pyramid }
)

func (*Traverse) step()     {}
func (*Descend) step()      {}
func (*Resize) step()       {}
func (*ClearPyramid) step() {}
func (*SwapPyramids) step() {}

// Declared lists the variables that a list of steps declares, but for what a Traverse inside declares.
func Declared(list []Step) []*Var {
	var vars []*Var
	for _, s := range list {
		switch s := s.(type) {
		case *Let:
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

// levels checks what counts levels, and declares its variables.
func (v *verifier) levels(l *Levels) {
	v.at = l.At
	v.expect(l.Count, types.Scalar(types.I64), "the number of levels")
	for _, s := range l.Scaled {
		if v.expect(s.Finest, types.Scalar(types.I64), "an extent"); s.Factor < 1 {
			v.fail("%s is divided by %d", s.Var.Name, s.Factor)
		}
	}
	for _, x := range l.Vars() {
		if v.hostVar(x); x.Type != types.Scalar(types.I64) {
			v.fail("%s is of type %s", x.Name, x.Type)
		}
	}
}

// pyramids checks the families of temporaries, and what counts levels.
func (v *verifier) pyramids(pl *Pipeline, in planScope) {
	for _, l := range pl.Levels {
		v.levels(l)
		in.levels[l] = true
	}
	for _, p := range pl.Pyramids {
		in.pyramids[p] = true
		v.typ(p.Name, p.Elem)
		if p.Elem.IsArray() || len(p.Extent) < 1 || len(p.Extent) > types.MaxRank || len(p.Over) == 0 {
			v.fail("pyramid %s has %d extents of %s", p.Name, len(p.Extent), p.Elem)
			continue
		}
		v.at = p.At
		for _, l := range p.Over {
			if !in.levels[l] {
				v.fail("the levels of %s are counted by none of the pipeline", p.Name)
			}
		}
		for _, e := range p.Extent {
			v.expect(e, types.Scalar(types.I64), "an extent of "+p.Name)
		}
		if p.Used != nil {
			v.cond(p.Used)
		}
	}
}

// level checks an image of a pyramid.
func (v *verifier) level(m *Image, in planScope) {
	p := m.Of
	if !in.pyramids[p] || m.Dir != Temporary || m.Elem != p.Elem || len(m.Extent) != len(p.Extent) || m.LineAxis != p.LineAxis {
		v.fail("%s is no level of a pyramid of the pipeline", m.Name)
		return
	}
	v.extents(m)
	v.expect(m.Index, types.Scalar(types.I64), "the level of "+m.Name)
}

// traversal checks the steps of pyramids.
func (v *verifier) traversal(s Step, in planScope) {
	switch s := s.(type) {
	case *Traverse:
		if !in.levels[s.Levels] {
			v.fail("a traverse goes through levels that the pipeline does not have")
		}
		in.within, in.loop = s, false
		v.steps(s.Body, in)
	case *Descend:
		if s.Of == nil || s.Of != in.within {
			v.fail("descend goes into a traverse that is not the innermost around it")
		}
		v.expect(s.Times, types.Scalar(types.I64), "how often to descend")
		in.loop = false
		v.steps(s.Between, in)
	case *Resize:
		if v.changes(s.Image, in); s.Image.Of == nil || !s.Image.Of.Moves() {
			v.fail("%s is laid out again and does not move", s.Image.Name)
		}
	case *ClearPyramid:
		if !in.pyramids[s.Pyramid] {
			v.fail("%s is no pyramid of the pipeline", s.Pyramid.Name)
		}
	case *SwapPyramids:
		if !in.pyramids[s.A] || !in.pyramids[s.B] || s.A == s.B || s.A.Elem != s.B.Elem || s.A.LineAxis != s.B.LineAxis {
			v.fail("%s and %s cannot be swapped", s.A.Name, s.B.Name)
		}
	default:
		v.fail("unknown step %T", s)
	}
}

// traversal dumps the steps of pyramids.
func (d *dumper) traversal(s Step) {
	switch s := s.(type) {
	case *Traverse:
		d.line("traverse %s", levelsText(s.Levels))
		d.steps(s.Body)
	case *Descend:
		d.line("descend %s", ExprText(s.Times))
		d.steps(s.Between)
	case *Resize:
		d.line("resize %s", s.Image.Name)
	case *ClearPyramid:
		d.line("clear pyramid %s", s.Pyramid.Name)
	case *SwapPyramids:
		d.line("swap pyramids %s, %s", s.A.Name, s.B.Name)
	default:
		d.line("?%T", s)
	}
}

func levelsText(l *Levels) string {
	text := nameOf(l.Level) + " in 0:" + ExprText(l.Count)
	for _, s := range l.Scaled {
		text += ", " + nameOf(s.Var) + " from " + ExprText(s.Finest)
	}
	return text
}

func overText(over []*Levels) string {
	text := ""
	for _, l := range over {
		text += " over " + levelsText(l)
	}
	return text
}

func (d *dumper) pyramid(p *Pyramid) {
	text := indexText(p.Extent) + overText(p.Over)
	if p.Used != nil {
		text += " if " + ExprText(p.Used)
	}
	if p.Zero {
		text += " zero"
	}
	d.line("pyramid %s: %s%s", p.Name, p.Elem, text)
}
