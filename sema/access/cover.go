package access

import (
	"slices"

	"imgc/hast"
	"imgc/sema/prove"
)

// maxCovering bounds the cases that a proof of coverage may distinguish: remainders of strided writes, rounds of loops.
const maxCovering = 64

// findZeros finds the images of which every pixel is written before it can be read or returned: the stages that touch one first write all of it between
// them, and read nothing of it, or under a scan what steps before have written alone. All others start as zeros.
func (a *analysis) findZeros(w *walker) {
	for _, m := range a.p.Images {
		if m.Dir != hast.Out && m.Dir != hast.Local {
			continue
		}
		home, first, all := a.firstWriters(m, w)
		if m.Dir == hast.Out {
			home = w.region
		}
		m.Zero = true
		if len(first) == 0 {
			continue
		}
		c := coverage{a: a, image: m, home: home.scope, loops: all}
		for _, st := range w.stores {
			if st.Image.Base() == m && slices.Contains(first, st.stage) {
				c.collect(st)
			}
		}
		m.Zero = !c.complete()
	}
}

// firstWriters are the stages that write an image before a stage reads it, or a swap or the host gets at it, and the innermost list of steps with everything that is done to it; all is
// true where nothing else touches it. What a loop's body has left in the image is there when it runs again, so that
// an image that is written whole at the beginning of each round has no pixels that were never written.
func (a *analysis) firstWriters(m *hast.Image, w *walker) (home *region, first []*hast.Stage, all bool) {
	all = true
	for _, t := range w.touches { // in the order of the text
		if t.image != m {
			continue
		}
		home = common(home, t.region)
		switch {
		case slices.Contains(first, t.stage) || !all:
		case t.stage == nil || a.readsOwn(m, t.stage, w):
			all = false
		default:
			first = append(first, t.stage)
		}
	}
	return home, first, all
}

// coverage is the proof that stages write every pixel of an image: each pixel is written by the instance of one of them whose iterators
// follow from its coordinates, for all remainders of strided writes.
type coverage struct {
	a      *analysis
	image  *hast.Image
	home   *scope // every round of it touches the image first with the stages
	loops  bool   // nothing reads the image between the rounds of loops of the host around them
	writes []write
}

// A write is a store in one round of the loops around it.
type write struct {
	axes []lane
	when []prove.Formula
}

// A lane is one coordinate: step times an iterator, plus what does not depend on any; without an iterator step is 0.
type lane struct {
	iterator prove.Var
	step     int64
	offset   prove.Lin
}

// A track is how the pixels along an axis are told apart: step times a variable, base, and a remainder; of an axis on which all writes name their places step is 0, and the remainders are
// these places.
type track struct {
	variable   prove.Var
	step       int64
	base       prove.Lin
	remainders int64
}

// collect adds the rounds of a store that is reached whatever happens, under its conditions. One that skips what lies outside writes all pixels that it names.
func (c *coverage) collect(st *store) {
	if _, ok := c.a.proved[st]; !ok || !st.sure || st.Updates() {
		return
	}
	index := c.a.touch(st).index
	when := c.a.reach(st.scope, c.home)
	loops, rounds, ok := c.a.rounds(st.scope)
	if !ok || len(rounds)+len(c.writes) > maxCovering || len(loops) > 0 && c.a.obscured(loops, when, index) {
		return
	}
	for _, values := range rounds {
		fix := func(l prove.Lin) prove.Lin { return substitute(l, loops, values) }
		w := write{}
		for _, f := range when {
			w.when = append(w.when, mapped(f, fix))
		}
		for _, l := range index {
			ax, ok := c.lane(fix(l), st.stage)
			if !ok || ax.step != 0 && slices.ContainsFunc(w.axes, func(other lane) bool { return other.iterator == ax.iterator }) {
				return
			}
			w.axes = append(w.axes, ax)
		}
		c.writes = append(c.writes, w)
	}
}

// reach lists the conditions under which control gets from a place to another in a stage.
func (a *analysis) reach(s, from *scope) []prove.Formula {
	var out []prove.Formula
	for _, f := range s.fromEntry()[len(from.fromEntry()):] {
		if c, ok := f.frame.(condition); ok && c.sure {
			continue
		}
		a.translate(f)
		out = append(append(out, f.facts...), f.exact...)
	}
	return out
}

// rounds lists the loops in a scope below the stage's own ranges, and the values that they take, all together.
func (a *analysis) rounds(s *scope) (loops []prove.Var, values [][]int64, ok bool) {
	values = [][]int64{nil}
	for ; s != nil && s.up != nil; s = s.up {
		f, isSpace := s.frame.(ranging)
		if !isSpace || s.up.host {
			continue
		}
		points := f.space.Points
		if points == nil {
			if points, ok = a.constantPoints(f.space); !ok {
				return nil, nil, false
			}
		}
		for _, v := range f.space.Vars {
			loops = append(loops, a.counts[v])
		}
		var next [][]int64
		for _, prefix := range values {
			for _, p := range points {
				next = append(next, slices.Concat(prefix, p))
			}
		}
		if values = next; len(values) > maxCovering {
			return nil, nil, false
		}
	}
	return loops, values, true
}

// constantPoints lists a product of ranges with constant bounds, in terms of the variables that the prover counts them in.
func (a *analysis) constantPoints(sp *hast.Space) (points [][]int64, ok bool) {
	points = [][]int64{nil}
	for i := range sp.Vars {
		r := sp.Ranges[i]
		lo, okLo := r.Lo.(*hast.Const)
		hi, okHi := r.Hi.(*hast.Const)
		if !okLo || !okHi || r.Step != 1 || hi.Words[0].Int()-lo.Words[0].Int() > maxCovering {
			return nil, false
		}
		var next [][]int64
		for _, prefix := range points {
			for x := lo.Words[0].Int(); x < hi.Words[0].Int(); x++ {
				next = append(next, slices.Concat(prefix, []int64{x}))
			}
		}
		if points = next; len(points) > maxCovering {
			return nil, false
		}
	}
	return points, true
}

// obscured reports whether a loop variable cannot be replaced by its value everywhere: where it stands inside a definition,
// or where a hidden value may be another one in each round.
func (a *analysis) obscured(loops []prove.Var, when []prove.Formula, index []prove.Lin) bool {
	obscured := false
	visit := func(v prove.Var) {
		if s := a.symbols[v]; s != nil && s.v == nil && s.origin == nil {
			obscured = true
		}
		if d, ok := a.sys.Def(v); ok {
			inner := map[prove.Var]bool{}
			eachDefVariable(d, a.baseVariables(inner))
			for u := range inner {
				s := a.symbols[u]
				obscured = obscured || slices.Contains(loops, u) || s != nil && s.v == nil && s.origin == nil
			}
		}
	}
	for _, f := range when {
		eachVariable(f, visit)
	}
	for _, l := range index {
		eachVariable(prove.Atom{Lin: l}, visit)
	}
	return obscured
}

func substitute(l prove.Lin, vars []prove.Var, values []int64) prove.Lin {
	for i, v := range vars {
		if k := l.Coef(v); k != 0 {
			l = l.Sub(prove.V(v).Scale(k)).Plus(k * values[i])
		}
	}
	return l
}

// mapped applies f to every expression of a formula.
func mapped(g prove.Formula, f func(prove.Lin) prove.Lin) prove.Formula {
	switch g := g.(type) {
	case prove.Atom:
		return prove.Atom{Lin: f(g.Lin), Rel: g.Rel}
	case prove.And:
		out := make(prove.And, len(g))
		for i, part := range g {
			out[i] = mapped(part, f)
		}
		return out
	case prove.Or:
		out := make(prove.Or, len(g))
		for i, part := range g {
			out[i] = mapped(part, f)
		}
		return out
	}
	return g
}

// lane takes a coordinate of a stage's write apart; ok is false if it depends on iterators in another way.
func (c *coverage) lane(l prove.Lin, stage *hast.Stage) (ax lane, ok bool) {
	ax.offset = l
	for _, v := range c.iterators(stage) {
		n := c.a.counts[v]
		if k := l.Coef(n); k != 0 {
			if ax.step != 0 {
				return ax, false
			}
			ax.iterator, ax.step = n, k
			ax.offset = l.Sub(prove.V(n).Scale(k))
		}
	}
	onlyParameters := true
	seen := map[prove.Var]bool{}
	eachVariable(prove.Atom{Lin: ax.offset}, c.a.baseVariables(seen))
	for v := range seen {
		if s := c.a.symbols[v]; s != nil && s.origin == nil {
			onlyParameters = false
		}
	}
	return ax, onlyParameters
}

// iterators are variables that take all of their values before anything reads what is written: those of a stage, and those of loops around it.
func (c *coverage) iterators(stage *hast.Stage) []*hast.Var {
	if !c.loops {
		return stage.Space.Vars
	}
	return slices.Concat(stage.Space.Vars, c.a.rounding)
}

// complete reports whether the writes are proved to reach every pixel.
func (c *coverage) complete() bool {
	if len(c.writes) == 0 {
		return false
	}
	var tracks []track
	remainders := [][]int64{nil}
	for k := range c.writes[0].axes {
		t, ok := c.track(k)
		if !ok || t.remainders > maxCovering {
			return false
		}
		tracks = append(tracks, t)
		var next [][]int64
		for _, prefix := range remainders {
			for r := range t.remainders {
				next = append(next, slices.Concat(prefix, []int64{r}))
			}
		}
		if remainders = next; len(remainders) > maxCovering {
			return false
		}
	}
	for _, r := range remainders {
		if !c.reached(tracks, r) {
			return false
		}
	}
	return true
}

// track tells the pixels along an axis apart, and leaves out writes that are not a constant from the others. The variable is the iterator of a write where that has the longest
// step, so that what is known of it by other names stays known.
func (c *coverage) track(k int) (t track, ok bool) {
	for _, w := range c.writes {
		if ax := w.axes[k]; ax.step != 0 && (t.step == 0 || longer(ax.step, t.step)) {
			t.variable, t.step, t.base = ax.iterator, ax.step, ax.offset
		}
	}
	if t.step == 0 {
		return c.places(k)
	}
	c.writes = slices.DeleteFunc(c.writes, func(w write) bool {
		ax := w.axes[k]
		return ax.step != 0 && (t.step%ax.step != 0 || !ax.offset.Sub(t.base).IsConstant())
	})
	for _, w := range c.writes {
		if ax := w.axes[k]; ax.step == t.step && ax.offset.Sub(t.base).Constant() < 0 {
			t.base = ax.offset
		}
	}
	t.remainders = max(t.step, -t.step)
	return t, true
}

// longer reports whether a step is longer than another one, in either direction.
func longer(step, than int64) bool { return max(step, -step) > max(than, -than) }

// places is the track of an axis on which all writes name their places: it has to have no others.
func (c *coverage) places(k int) (t track, ok bool) {
	t.base = c.writes[0].axes[k].offset
	apart := func(w write) prove.Lin { return w.axes[k].offset.Sub(t.base) }
	c.writes = slices.DeleteFunc(c.writes, func(w write) bool { return !apart(w).IsConstant() })
	for _, w := range c.writes {
		if apart(w).Constant() < 0 {
			t.base = w.axes[k].offset
		}
	}
	for _, w := range c.writes {
		t.remainders = max(t.remainders, apart(w).Constant()+1)
	}
	lo, hi := c.a.indexRange(c.image, k)
	return t, c.a.sysHolds(prove.And{prove.EQ(t.base, lo), prove.EQ(hi, lo.Plus(t.remainders))})
}

// pixel is a coordinate with a remainder.
func (t *track) pixel(remainder int64) prove.Lin {
	out := t.base.Plus(remainder)
	if t.step != 0 {
		out = out.Add(prove.V(t.variable).Scale(t.step))
	}
	return out
}

// reached proves that every pixel with the given remainders is written by one of the writes.
func (c *coverage) reached(tracks []track, remainders []int64) bool {
	var facts []prove.Formula
	for k, t := range tracks {
		lo, hi := c.a.indexRange(c.image, k)
		if t.step != 0 {
			facts = append(facts, prove.In(t.pixel(remainders[k]), lo, hi))
		}
	}
	var some prove.Or
	for _, w := range c.writes {
		if when, ok := w.at(tracks, remainders); ok {
			some = append(some, prove.And(when))
		}
	}
	if len(some) == 0 {
		return false
	}
	missed := prove.Not(some)
	sys := c.a.sys.Fork()
	facts = append(facts, c.a.path(c.home, false)...)
	sys.When(facts...)
	sys.When(missed)
	sys.When(c.a.hiddenFacts(append(facts, missed))...)
	return sys.Infeasible()
}

// at is when a write reaches the pixels with the given remainders; ok is false where it reaches none.
func (w write) at(tracks []track, remainders []int64) (when []prove.Formula, ok bool) {
	when = slices.Clone(w.when)
	for k, ax := range w.axes {
		t := &tracks[k]
		rest := t.base.Plus(remainders[k]).Sub(ax.offset)
		switch {
		case ax.step == 0 && t.step == 0:
			if rest.Constant() != 0 {
				return nil, false
			}
		case ax.step == 0:
			when = append(when, prove.EQ(t.pixel(remainders[k]), ax.offset))
		case rest.Constant()%ax.step != 0:
			return nil, false
		default:
			iterator := prove.V(t.variable).Scale(t.step / ax.step).Plus(rest.Constant() / ax.step)
			for i, f := range when {
				when[i] = mapped(f, func(l prove.Lin) prove.Lin {
					n := l.Coef(ax.iterator)
					return l.Sub(prove.V(ax.iterator).Scale(n)).Add(iterator.Scale(n))
				})
			}
		}
	}
	return when, true
}
