package block

import (
	"slices"

	"imgc/hast"
	"imgc/types"
)

// Instances that go through the same loop, as those of a product of matrices do, have in common what they read there: c[i][j] = sum(a[i][p]*b[p][j] for p in 0:K)
// reads a row of a for all columns, and a column of b for all rows. A work-item that takes a block of instances through the loop together reads each value once for
// all that share it, and a group may have panels of what it shares in local memory. Every result takes in its terms in the order of the loop, so that its bits stay.

// Panels are the reductions of a stage whose loops the instances of a block go through together.
type Panels struct {
	X, Y  *hast.Var // Y is nil in a stage of one variable
	Loops []*PanelLoop
}

// A PanelLoop is a loop that some reductions over the same ranges go through together.
type PanelLoop struct {
	Space    hast.Space
	Sums     []*PanelSum
	Operands []*Operand
	Slides   []*Slide
}

// A PanelSum is one of these reductions, and what it takes in, by the variables of the loop.
type PanelSum struct {
	Of   *hast.Reduce
	Elem hast.Expr
}

// An Operand is a part of what reductions take in that reads images, and is the same for all instances of a row, of a column, or for all.
type Operand struct {
	Of    hast.Expr
	All   []hast.Expr // the places where it stands
	Along int         // 0 of what differs along x, 1 along y, -1 of what all instances share
	Steps bool        // it differs from step to step of the innermost loop
	Runs  bool        // what the next step reads lies beside it in memory; else what the next instance does may
}

// Alike is the choice that all instances of a block make alike between two values that a sum takes in; nil where there is none.
func (l *PanelLoop) Alike(s *PanelSum) *hast.Select {
	choice, ok := s.Elem.(*hast.Select)
	if !ok || l.SharedBy(choice.Cond) == nil {
		return nil
	}
	return choice
}

// SharedBy is the operand that all instances share which an expression is; nil of any other.
func (l *PanelLoop) SharedBy(e hast.Expr) *Operand {
	for _, o := range l.Operands {
		if o.Along < 0 && slices.Contains(o.All, e) {
			return o
		}
	}
	return nil
}

// Inner is the variable of the innermost loop.
func (l *PanelLoop) Inner() *hast.Var { return l.Space.Vars[len(l.Space.Vars)-1] }

// Shared reports whether rows of instances share operands, and columns do.
func (l *PanelLoop) Shared() (rows, columns bool) {
	for _, o := range l.Operands {
		rows, columns = rows || o.Steps && o.Along == 1, columns || o.Steps && o.Along == 0
	}
	return rows, columns
}

// Staged reports whether panels of an operand may be in local memory: single numbers, those of 16 bits that are floats excepted.
func (o *Operand) Staged() bool {
	t := o.Of.Type()
	return o.Along >= 0 && o.Steps && t.IsScalar() && t.Kind != types.Bool && t.Kind != types.F16 && t.Kind != types.BF16
}

// Copied reports whether an operand is pixels of 32 or 64 bits as they are in an image, which a device may copy to local memory by itself.
func (o *Operand) Copied() bool {
	l, pixel := o.Of.(*hast.Load)
	if !o.Staged() || !pixel || l.T != types.Scalar(l.Image.Elem.Kind) || l.T.Kind.Bytes() < 4 {
		return false
	}
	return l.Rule == nil || l.Rule.Kind != hast.Constant && l.Rule.Kind != hast.Formula // behind which there are no pixels
}

// AnalyzePanels finds the reductions of a stage that blocks of instances go through together, where those of up to unroll points are written out; why is the end of a sentence, "" where there is one.
func AnalyzePanels(s *hast.Stage, unroll int) (out *Panels, why string) {
	n := len(s.Space.Vars)
	switch {
	case s.Scan != nil || n == 0:
		return nil, "its instances run one after the other"
	case s.Space.Points != nil || s.Where != nil || len(s.Fused) > 0 || s.Reduced != nil:
		return nil, "panels are for stages that stand alone and compute all instances of ranges"
	case s.Space.Ranges[n-1].Step != 1 || n > 1 && s.Space.Ranges[n-2].Step != 1:
		return nil, "it leaves out instances"
	}
	a := &panelAnalysis{stage: s, unroll: unroll, out: &Panels{X: s.Space.Vars[n-1]}, written: map[*hast.Image]bool{}}
	if n > 1 {
		a.out.Y = s.Space.Vars[n-2]
	}
	hast.EachStore(s.Body, func(st *hast.Store) {
		a.written[st.Image.Base()] = true
		if st.Updates() && !st.Alone {
			why = "it updates pixels that instances share"
		}
	})
	if why != "" {
		return nil, why
	}
	a.body()
	if len(a.out.Loops) == 0 {
		return nil, "it has no reduction in a loop that all of its instances go through alike, and that reads what some of them share"
	}
	return a.out, ""
}

// Rolled reports whether a stage has reductions that are left loops.
func Rolled(s *hast.Stage, unroll int) (found bool) {
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok && !found {
			_, known := Points(r.Space, unroll)
			found = !known
		}
	})
	return found
}

type panelAnalysis struct {
	stage   *hast.Stage
	unroll  int
	out     *Panels
	written map[*hast.Image]bool
}

// body finds the reductions that every instance computes.
func (a *panelAnalysis) body() {
	for _, s := range a.stage.Body {
		exprs, _ := hast.Parts(s)
		if _, loop := s.(*hast.While); loop {
			continue
		}
		for _, e := range exprs {
			hast.MapCertain(e, func(e hast.Expr) hast.Expr {
				r, ok := e.(*hast.Reduce)
				if !ok {
					return nil
				}
				a.reduce(r)
				return e
			})
		}
	}
}

// reduce adds a reduction that the instances of a block can go through together.
func (a *panelAnalysis) reduce(r *hast.Reduce) {
	if _, known := Points(r.Space, a.unroll); known || r.Where != nil || r.Ways > 0 || r.Op == hast.Median || r.Space.Points != nil || r.T.IsArray() || !a.alike(r) || a.has(r) {
		return
	}
	ok := true
	hast.Walk(r.Elem, func(e hast.Expr) { ok = ok && a.readable(e, r) })
	if !ok {
		return
	}
	for _, l := range a.out.Loops {
		if slices.EqualFunc(l.Space.Ranges, r.Space.Ranges, sameRange) && hostRanges(r.Space) {
			a.join(l, r)
			return
		}
	}
	l := &PanelLoop{Space: r.Space}
	a.join(l, r)
	if len(l.Slides) > 0 || slices.ContainsFunc(l.Operands, func(o *Operand) bool { return o.Steps }) {
		a.out.Loops = append(a.out.Loops, l)
	}
}

// join has a reduction go through a loop.
func (a *panelAnalysis) join(l *PanelLoop, r *hast.Reduce) {
	elem := hast.Map(r.Elem, func(e hast.Expr) hast.Expr {
		if v, ok := e.(*hast.Ref); ok {
			if i := slices.Index(r.Space.Vars, v.Var); i >= 0 {
				return hast.RefTo(l.Space.Vars[i])
			}
		}
		return nil
	})
	l.Sums = append(l.Sums, &PanelSum{Of: r, Elem: elem})
	a.operands(l, elem)
	a.slides(l, elem)
}

// hostRanges reports whether no range of a space depends on another variable of it.
func hostRanges(s hast.Space) (ok bool) {
	ok = true
	for _, r := range s.Ranges {
		ok = ok && !hast.Names(r.Lo, s.Vars) && !hast.Names(r.Hi, s.Vars)
	}
	return ok
}

func (a *panelAnalysis) has(r *hast.Reduce) bool {
	return slices.ContainsFunc(a.out.Loops, func(l *PanelLoop) bool {
		return slices.ContainsFunc(l.Sums, func(s *PanelSum) bool { return s.Of == r })
	})
}

// alike reports whether the ranges of a reduction are the same for all instances of a block: of values of the host, of other places of the instances than x and y, and of
// variables of its own. The innermost counts by ones.
func (a *panelAnalysis) alike(r *hast.Reduce) (ok bool) {
	ok = r.Space.Ranges[len(r.Space.Ranges)-1].Step == 1
	check := func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load, *hast.Window, *hast.Reduce:
			ok = false
		case *hast.Ref:
			other := slices.Contains(a.stage.Space.Vars, e.Var) && e.Var != a.out.X && e.Var != a.out.Y
			ok = ok && (e.Var.Class.OfHost() || other || slices.Contains(r.Space.Vars, e.Var))
		}
	}
	for _, x := range r.Space.Ranges {
		hast.Walk(x.Lo, check)
		hast.Walk(x.Hi, check)
	}
	return ok
}

// readable reports whether an expression of what a reduction takes in can be computed before the body: no names of the body, no pixels that the stage writes.
func (a *panelAnalysis) readable(e hast.Expr, r *hast.Reduce) bool {
	switch e := e.(type) {
	case *hast.Reduce:
		return false
	case *hast.Load:
		return !a.written[e.Image.Base()]
	case *hast.Window:
		return !a.written[e.Image.Base()]
	case *hast.Ref:
		return e.Var.Class.OfHost() || slices.Contains(a.stage.Space.Vars, e.Var) || slices.Contains(r.Space.Vars, e.Var)
	}
	return true
}

// operands finds the largest parts that read images for a row or a column of instances.
func (a *panelAnalysis) operands(l *PanelLoop, elem hast.Expr) {
	hast.MapCertain(elem, func(e hast.Expr) hast.Expr {
		x, y := a.along(e)
		if x && y || e.Type().IsArray() {
			return nil
		}
		load := FirstLoad(e)
		if load == nil {
			return e
		}
		i := slices.IndexFunc(l.Operands, func(o *Operand) bool { return hast.Equal(o.Of, e) })
		if i < 0 {
			i, l.Operands = len(l.Operands), append(l.Operands, newOperand(l, e, load, x, y))
		}
		l.Operands[i].All = append(l.Operands[i].All, e)
		return e
	})
	hast.Map(elem, func(e hast.Expr) hast.Expr { // what a choice asks is always computed, too
		if s, ok := e.(*hast.Select); ok {
			a.operands(l, s.Cond)
			return e
		}
		return nil
	})
}

// along reports whether an expression names x and y.
func (a *panelAnalysis) along(e hast.Expr) (x, y bool) {
	return hast.Names(e, []*hast.Var{a.out.X}), a.out.Y != nil && hast.Names(e, []*hast.Var{a.out.Y})
}

// FirstLoad is the first pixel that an expression reads; nil where it reads none.
func FirstLoad(e hast.Expr) (first *hast.Load) {
	hast.Walk(e, func(e hast.Expr) {
		if l, ok := e.(*hast.Load); ok && first == nil {
			first = l
		}
	})
	return first
}

func newOperand(l *PanelLoop, e hast.Expr, load *hast.Load, x, y bool) *Operand {
	o := &Operand{Of: e, Along: -1}
	switch {
	case x:
		o.Along = 0
	case y:
		o.Along = 1
	}
	inner := []*hast.Var{l.Inner()}
	o.Steps = hast.Names(e, inner)
	_, pixel, _ := Axes(load.Image)
	o.Runs = hast.Names(load.Index[max(0, pixel)].X, inner)
	return o
}
