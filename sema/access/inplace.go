package access

import (
	"fmt"

	"imgc/diag"
	"imgc/hast"
	"imgc/interval"
	"imgc/sema/prove"
)

// checkInPlace demands that a stage reads an image that it writes only where no other instance writes: then an instance sees
// what was there before the stage, or what it wrote itself. The index counts after the border rule has mapped it.
func (a *analysis) checkInPlace(stage *hast.Stage, reads []*read, stores []*store) {
	written := map[*hast.Image][]*store{}
	for _, st := range stores {
		written[st.Image.Base()] = append(written[st.Image.Base()], st)
	}
	x := newExcluder(a, stage)
	for _, r := range reads {
		base := r.image.Base()
		if len(written[base]) == 0 || a.faulty[base] {
			continue
		}
		pixel := a.folded(r)
		place := x.place(pixel)
		for _, st := range written[base] {
			touch := a.touch(st)
			if x.apart(place, x.place(touch)) {
				continue
			}
			m := meeting{
				a: a, stage: stage, first: pixel, second: touch,
				because: fmt.Sprintf("%s is read and written by one iterate", r.image.Name),
			}
			if m.excluded() {
				continue
			}
			a.faulty[base] = true
			a.reportInPlace(&m, r, st)
			break
		}
	}
}

// order is the variable along which the second instance would come before the first, with the sign of a scan; "" without variables.
func (m *meeting) order() string {
	for _, v := range m.stage.Space.Vars {
		l := m.a.names[v]
		if m.answer.Counter == nil {
			return v.Name
		}
		first, ok1 := m.answer.Counter.Value(l)
		second, ok2 := m.answer.Counter.Value(m.a.primed(l))
		switch {
		case !ok1 || !ok2 || second < first:
			return v.Name
		case second > first:
			return "-" + v.Name
		}
	}
	return ""
}

// Slanted is how pixels wait for neighbours along two axes, in messages.
const Slanted = "scan slanted lines, in which no pixel needs another: iterate (t in 0 : W + H, y in 0:H) scan(t) with x = t - y, or x = t - 2*y of as many more where the row before is read to the right"

func (a *analysis) reportInPlace(m *meeting, r *read, st *store) {
	d := a.diags.Errorf(diag.ReadsWritten, r.at, "%s", m.describe(func(first, second, pixel string) string {
		return fmt.Sprintf("instance %s reads %s, which instance %s writes", first, pixel, second)
	}, fmt.Sprintf("cannot prove that no other instance writes what %s reads", r.text())))
	d.NoteAt(st.At, "the write")
	d.Note("instances%s run in any order, so the read would find the old or the new value", sameStep(m.stage))
	if m.stage.Scan != nil {
		d.Note("where a pixel needs both the row before and the pixel before, %s", Slanted)
		return
	}
	d.Note("write to another image; or split the pixels with where, so that each pass reads only what it does not write")
	if order := m.order(); order != "" {
		d.Note("or order them along a variable, scan(%s), where each needs what those before it have written", order)
	}
}

// folded is the pixel that a read touches: each coordinate after the border rule. A window touches any of its pixels.
func (a *analysis) folded(r *read) touch {
	if *r.rule != nil && (*r.rule).Kind == hast.Formula {
		return a.foldedByFormula(r)
	}
	t := touch{image: r.image, scope: r.scope}
	for k, ax := range r.axes {
		l := a.exact(ax.coord.X, r.scope)
		if ax.count > 1 {
			step := a.local("offset", interval.Between(0, ax.count-1))
			l = l.Add(step.Scale(ax.stride))
		}
		if *r.rule == nil || !ax.coord.Below && !ax.coord.Above {
			t.index = append(t.index, l)
			continue
		}
		lo, hi := a.indexRange(r.image, k)
		pixel := a.local("pixel", interval.All)
		t.index = append(t.index, pixel)
		t.facts = append(t.facts, prove.GE(pixel, lo), prove.LT(pixel, hi), folds(*r.rule, ax.coord, pixel, l, lo, hi))
	}
	return a.onBase(t)
}

// local is a variable of an instance.
func (a *analysis) local(name string, limits interval.Interval) prove.Lin {
	return a.symbol(&symbol{text: name, limits: limits})
}

// folds says which pixel of lo <= pixel < hi a rule makes of a coordinate l. The first fold on either side is exact; farther
// out, where an image is smaller than the offsets, it may be any pixel.
func folds(rule *hast.Rule, c *hast.Coord, pixel, l, lo, hi prove.Lin) prove.Formula {
	f := prove.Or{prove.EQ(pixel, l)}
	fold, ok := foldings[rule.Kind]
	if !ok {
		return f // outside, no pixel is read: constant, or the author's promise
	}
	if c.Below {
		f = append(f, prove.And{prove.LT(l, lo), fold.below(pixel, l, lo, hi)})
	}
	if c.Above {
		f = append(f, prove.And{prove.GE(l, hi), fold.above(pixel, l, lo, hi)})
	}
	return f
}

// A folding is what a rule makes of a coordinate on either side of the image.
type folding struct {
	below, above func(pixel, l, lo, hi prove.Lin) prove.Formula
}

var foldings = map[hast.RuleKind]folding{
	hast.Clamp: {
		below: func(pixel, l, lo, hi prove.Lin) prove.Formula { return prove.EQ(pixel, lo) },
		above: func(pixel, l, lo, hi prove.Lin) prove.Formula { return prove.EQ(pixel, hi.Plus(-1)) },
	},
	hast.Reflect: {
		below: func(pixel, l, lo, hi prove.Lin) prove.Formula {
			return once(pixel, lo.Scale(2).Plus(-1).Sub(l), lo, hi)
		},
		above: func(pixel, l, lo, hi prove.Lin) prove.Formula {
			return once(pixel, hi.Scale(2).Plus(-1).Sub(l), lo, hi)
		},
	},
	hast.Reflect101: {
		below: func(pixel, l, lo, hi prove.Lin) prove.Formula { return once(pixel, lo.Scale(2).Sub(l), lo, hi) },
		above: func(pixel, l, lo, hi prove.Lin) prove.Formula {
			return once(pixel, hi.Scale(2).Plus(-2).Sub(l), lo, hi)
		},
	},
	hast.Repeat: {
		below: func(pixel, l, lo, hi prove.Lin) prove.Formula { return once(pixel, l.Add(hi).Sub(lo), lo, hi) },
		above: func(pixel, l, lo, hi prove.Lin) prove.Formula { return once(pixel, l.Sub(hi).Add(lo), lo, hi) },
	},
}

// once: the pixel is the folded coordinate, or that is outside again.
func once(pixel, folded, lo, hi prove.Lin) prove.Formula {
	return prove.Or{prove.EQ(pixel, folded), prove.LT(folded, lo), prove.GE(folded, hi)}
}
