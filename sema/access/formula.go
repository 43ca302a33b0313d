package access

import (
	"fmt"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/interval"
	"imgc/sema/prove"
)

// checkFormulas looks at the borders by formula that reads need: their values read inside, and their lines serve whatever is
// read outside.
func (a *analysis) checkFormulas(reads []*read, w *walker) {
	for _, r := range reads {
		rule := *r.rule
		if rule == nil || rule.Kind != hast.Formula {
			continue
		}
		a.checkBorder(rule.Border, w)
		if rule.Border.Else == nil {
			a.checkServed(r, rule.Border)
		}
	}
}

// checkBorder proves once for each border that its values read inside, or adds the checks of extents that make them. The
// coordinates at [*] are any inside.
func (a *analysis) checkBorder(b *hast.Border, w *walker) {
	if a.borders[b] {
		return
	}
	a.borders[b] = true
	outer, stage := w.reads, w.stage
	w.stage = nil
	for _, f := range b.Frames {
		inside := hast.Space{}
		for k, place := range f.Places {
			if place == 0 {
				lo, hi := b.Range(k)
				inside.Vars = append(inside.Vars, b.Coords[k])
				inside.Ranges = append(inside.Ranges, hast.Range{Lo: lo, Hi: hi, Step: 1})
			}
		}
		s := a.root.instance(&inside, map[*hast.Image]bool{b.Image.Base(): true})
		w.reads = nil
		w.expr(f.Value, s)
		for _, r := range w.reads {
			r.own = true
		}
		a.checkReads(w.reads)
	}
	w.reads, w.stage = outer, stage
}

// maxOutside bounds how far outside a read is followed to tell which lines are missing.
const maxOutside = 16

// checkServed demands that the lines of a border without else serve whatever a read can be.
func (a *analysis) checkServed(r *read, b *hast.Border) {
	axes := make([]outsides, len(r.axes))
	for k := range r.axes {
		axes[k] = a.outsidesOf(r, k)
	}
	var served prove.Or
	for _, f := range b.Frames {
		served = append(served, placed(axes, f.Places))
	}
	served = append(served, placed(axes, make([]int64, len(axes))))
	if a.proves(r.scope, served) {
		return
	}
	missing, far := a.missingLines(r, b, axes)
	d := a.diags.Errorf(diag.MissingLine, r.at, "the border %s does not say what all pixels outside are that this reads", b.Name)
	switch {
	case len(missing) > 0 && !far:
		d.Note("add %s: %s", map[bool]string{true: "a line for", false: "lines for"}[len(missing) == 1], strings.Join(missing, ", "))
	case !far:
		d.Note("it cannot be proved that lines serve them all")
	}
	if far {
		d.Note("the coordinates lie more than %d outside, or nothing is known of them", maxOutside)
	}
	d.Note("or end the border with else clamp, which serves what no line does")
}

// outsides is a coordinate of a read in terms of its axis: l from lo to below hi is inside.
type outsides struct {
	l, lo, hi prove.Lin
	coord     *hast.Coord
}

func (a *analysis) outsidesOf(r *read, k int) outsides {
	ax := r.axes[k]
	o := outsides{l: a.exact(ax.coord.X, r.scope), coord: ax.coord}
	o.lo, o.hi = a.indexRange(r.image, k)
	if ax.count > 1 {
		o.l = o.l.Add(a.local("offset", interval.Between(0, ax.count-1)).Scale(ax.stride))
	}
	return o
}

// at is the formula for a place, as in hast.Frame.
func (o outsides) at(place int64) prove.Formula {
	switch {
	case place == 0:
		return prove.In(o.l, o.lo, o.hi)
	case place < 0:
		return prove.EQ(o.l, o.lo.Plus(place))
	}
	return prove.EQ(o.l, o.hi.Plus(place-1))
}

func placed(axes []outsides, places []int64) prove.And {
	var all prove.And
	for k, o := range axes {
		all = append(all, o.at(places[k]))
	}
	return all
}

// missingLines lists the left sides that a read needs and a border lacks, as the program would write them with s for the image;
// far is set where some lie farther out than is followed.
func (a *analysis) missingLines(r *read, b *hast.Border, axes []outsides) (missing []string, far bool) {
	listed := map[string]bool{}
	for _, f := range b.Frames {
		listed[placesText(f.Places)] = true
	}
	choices := make([][]int64, len(axes))
	for k, o := range axes {
		for n := int64(-maxOutside); n <= maxOutside; n++ {
			reachable := n == 0 || n < 0 && o.coord.Below || n > 0 && o.coord.Above
			if reachable && (n == 0 || !a.proves(r.scope, prove.Not(o.at(n)))) {
				choices[k] = append(choices[k], n)
			}
		}
		far = far || o.coord.Below && !a.proves(r.scope, prove.GE(o.l, o.lo.Plus(-maxOutside)))
		far = far || o.coord.Above && !a.proves(r.scope, prove.LT(o.l, o.hi.Plus(maxOutside)))
	}
	eachPlace(choices, func(places []int64) {
		t := placesText(places)
		outside := strings.Trim(t, "[]*") != ""
		if outside && !listed[t] && len(missing) < maxOutside && !a.proves(r.scope, prove.Not(placed(axes, places))) {
			missing = append(missing, "s"+t)
		}
	})
	return missing, far
}

// eachPlace visits every combination of choices, the first axis slowest.
func eachPlace(choices [][]int64, visit func([]int64)) {
	places := make([]int64, len(choices))
	var next func(k int)
	next = func(k int) {
		if k == len(choices) {
			visit(places)
			return
		}
		for _, p := range choices[k] {
			places[k] = p
			next(k + 1)
		}
	}
	next(0)
}

func placesText(places []int64) string {
	var b strings.Builder
	for _, p := range places {
		if p == 0 {
			b.WriteString("[*]")
			continue
		}
		fmt.Fprintf(&b, "[%+d]", p)
	}
	return b.String()
}

// foldedByFormula is the pixel that a read touches under a border by formula: the pixel itself, or any of the image where a
// coordinate is outside.
func (a *analysis) foldedByFormula(r *read) touch {
	t := touch{image: r.image, scope: r.scope}
	var itself prove.And
	var outside prove.Or
	for k := range r.axes {
		o := a.outsidesOf(r, k)
		pixel := a.local("pixel", interval.All)
		t.index = append(t.index, pixel)
		t.facts = append(t.facts, prove.In(pixel, o.lo, o.hi))
		itself = append(itself, prove.EQ(pixel, o.l))
		if o.coord.Below {
			outside = append(outside, prove.LT(o.l, o.lo))
		}
		if o.coord.Above {
			outside = append(outside, prove.GE(o.l, o.hi))
		}
	}
	t.facts = append(t.facts, append(outside, itself))
	return a.onBase(t)
}
