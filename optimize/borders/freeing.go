package borders

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/types"
)

// How reads are taken out of the condition that they are done under, and what they have where it does not hold.

// A freeing takes reads out of the condition that they are done under.
type freeing struct {
	*bordering
	cond   condition
	around func(t types.Type) []types.Word // what pixels outside are, by their type
	found  []*hast.Image                   // of reads for which the condition is that they are inside
	failed bool                            // there are others that may be outside where it does not hold
	lets   map[*hast.Var]hast.Expr         // what those under the condition are where it does not hold
	values map[*hast.Load]*hast.Const      // what the new reads are there
}

// expr is an expression whose reads need no condition.
func (f *freeing) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			return f.load(e)
		case *hast.Window:
			f.failed = true
		case *hast.Elem:
			f.failed = f.failed || e.InRange && !f.inRange(e)
		}
		return nil
	})
}

// inRange reports whether the indices of an element are in range everywhere, and not where the condition holds alone.
func (f *freeing) inRange(e *hast.Elem) bool {
	shape := e.X.Type().Shape()
	for k, x := range e.Index {
		value := f.bordering.values.value(x)
		if value == nil {
			return false
		}
		if at, exact := f.ranges.of(value); !exact || at.Lo < 0 || at.Hi >= int64(shape[k]) {
			return false
		}
	}
	return true
}

// load is a read that needs no condition: under the rule constant, where the condition is that it is inside.
func (f *freeing) load(l *hast.Load) hast.Expr {
	index, ok := f.outside(l)
	switch {
	case ok && l.Image.View == nil && !f.left[l.Image]: // views may have no pixels
		words := f.around(l.Image.Elem)
		out := *l
		out.Index, out.Rule = index, f.known.constant(l.Image.Elem, words)
		f.found = append(f.found, l.Image)
		f.values[&out] = out.Rule.Value.(*hast.Const)
		return &out
	case !f.within(l):
		f.failed = true
	}
	return l
}

// outside are the coordinates of a read, with where they may be outside; false where the condition does not hold just if they are inside.
func (f *freeing) outside(l *hast.Load) ([]hast.Coord, bool) {
	if _, inside := l.Coordinates(); !inside {
		return nil, false
	}
	index, met := slices.Clone(l.Index), make([]bool, len(f.cond))
	for k := range index {
		x := f.bordering.values.value(index[k].X)
		if x == nil || !f.ranges.exact(x) {
			return nil, false
		}
		a := f.axis(l.Image, k)
		at := termsOf(x)
		below := f.meets(a.firstly().minus(at), met)
		above := f.meets(at.minus(a.lastly()), met)
		index[k] = hast.Coord{X: x, Below: below || !a.notBelow(x), Above: above || !a.notAbove(x)}
	}
	return index, !slices.Contains(met, false)
}

// meets reports whether that a sum is at most 0 is a part of the condition, and notes it.
func (f *freeing) meets(at terms, met []bool) (found bool) {
	for k, c := range f.cond {
		if d, constant := c.minus(at).constant(); constant && d == 0 {
			met[k], found = true, true
		}
	}
	return found
}

// within reports whether a read is allowed everywhere.
func (f *freeing) within(l *hast.Load) bool {
	for k, c := range l.Index {
		x := f.bordering.values.value(c.X)
		if x == nil || !f.ranges.exact(x) {
			return false
		}
		a := f.axis(l.Image, k)
		if !c.Below && !a.notBelow(x) || !c.Above && !a.notAbove(x) {
			return false
		}
	}
	return true
}

// constant is the rule constant with a pixel, the same for all that have it.
func (p *Borders) constant(t types.Type, words []types.Word) *hast.Rule {
	key := fmt.Sprint(t, words)
	if p.constants[key] == nil {
		p.constants[key] = &hast.Rule{Kind: hast.Constant, Value: &hast.Const{Typed: hast.Typed{T: t}, Words: words}}
	}
	return p.constants[key]
}

// beyond is what a freed expression is where the condition does not hold.
func (f *freeing) beyond(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			if c := f.values[e]; c != nil {
				return c
			}
		case *hast.Ref:
			if by := f.lets[e.Var]; by != nil {
				return by
			}
			if by := f.bordering.values.of[e.Var]; by != nil {
				return by
			}
		}
		return nil
	})
}

// free takes reads out of a condition, where pixels outside are of some words.
func (b *bordering) free(under condition, around func(types.Type) []types.Word) *freeing {
	return &freeing{bordering: b, cond: under, around: around, lets: map[*hast.Var]hast.Expr{}, values: map[*hast.Load]*hast.Const{}}
}

// take notes that reads are done without their condition.
func (f *freeing) take() {
	for _, m := range f.found {
		f.ruled[m] = true
	}
}
