package access

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/sema/prove"
	"imgc/source"
)

// Accesses of a view are compared with the view's own extents. That the view lies inside of the image that it is a part of is
// demanded once, where it is declared. Whether two accesses meet is decided on the image with the storage.

// define demands that a view lies inside of its image: by proof, or by checks at the entry.
func (a *analysis) define(step *hast.DefineView, s *scope, w *walker) {
	before := a.diags.Len()
	defer func() { a.inCalls(before, step.Within) }()
	m := step.Image
	for _, e := range m.Extent {
		w.expr(e, a.root)
		eachVariable(prove.Atom{Lin: a.hostExtent(&bounded{e, m.Name, spanOr(e.Span(), m.At), a.root})}, a.baseVariables(a.entry))
	}
	own := 0
	for k, ax := range m.View.Axes {
		w.expr(ax.First, s)
		first := a.integer(ax.First, s)
		eachVariable(prove.Atom{Lin: first}, a.baseVariables(a.entry))
		count, at := prove.K(1), ax.First.Span()
		if !within(at, step.At) { // it is the argument of a kernel
			at = step.At
		}
		if ax.Kept {
			count = a.integer(m.Extent[own], a.root)
			own++
			if !a.contain(m, s, prove.GE(count, prove.K(0)), "a number of pixels is not negative", at, count) {
				return
			}
		}
		lo, hi := a.indexRange(m.View.Of, k)
		because := "it is a part of " + m.View.Of.Name
		if !a.contain(m, s, prove.GE(first, lo), because, at, first) || !a.contain(m, s, prove.LE(first.Add(count), hi), because, at, first.Add(count)) {
			return
		}
	}
}

func within(s, whole source.Span) bool {
	return s.File == whole.File && whole.Start <= s.Start && s.End <= whole.End
}

// contain demands one side of what keeps a view inside; it returns false after an error. What sizes and scalar parameters decide is
// the author's wish, however much it limits them.
func (a *analysis) contain(m *hast.Image, s *scope, f prove.Formula, because string, at source.Span, about prove.Lin) bool {
	answer := a.ask(s, f)
	if answer.Verdict == prove.Proved {
		return true
	}
	if c := (confinement{a: a, scope: s, image: m, at: at, because: because}); answer.Verdict == prove.Conditional && c.demandAtEntry(answer) {
		return true
	}
	d := a.diags.Errorf(diag.ViewOutside, at, "cannot prove that %s stays inside %s", m.Name, m.View.Of.Name)
	if model := a.counterexample(s, f, answer); model != nil && a.hiddenIn(about) == nil {
		d.Message = forValues(a.valueList(s, about, f.(prove.Atom).Lin), model) + m.Name + " is not inside of " + m.View.Of.Name
	}
	d.NoteAt(m.View.Of.At, "%s is declared here", m.View.Of.Name)
	d.Note("a view names the first index and the number of pixels of each axis: src[y0 : h][x0 : w]")
	return false
}

// demandPixel demands that a view has pixels where it is read under a border rule: there is none to fold a coordinate to else.
func (a *analysis) demandPixel(r *read) {
	if r.image.View == nil {
		return
	}
	c := confinement{a: a, scope: r.scope, image: r.image, at: r.at, because: r.text() + " is read"}
	for _, e := range r.image.Extent {
		some := prove.GE(a.integer(e, a.root), prove.K(1))
		if answer := a.ask(r.scope, some); answer.Verdict == prove.Proved || answer.Verdict == prove.Conditional && c.demandAtEntry(answer) {
			continue
		}
		a.diags.Errorf(diag.NoPixels, r.at, "%s may have no pixels, and a border rule needs one", r.image.Name).
			Note("read under a condition under which it has some")
		return
	}
}

// onBase is a touch in terms of the image with the storage.
func (a *analysis) onBase(t touch) touch {
	for ; t.image.View != nil; t.image = t.image.View.Of {
		rest, own := t.index, 0
		t.index = nil
		for _, ax := range t.image.View.Axes {
			at := a.integer(ax.First, t.scope)
			if ax.Kept {
				at = at.Add(rest[own]).Plus(-t.image.First(own))
				own++
			}
			t.index = append(t.index, at)
		}
	}
	return t
}
