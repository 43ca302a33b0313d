package access

import (
	"slices"

	"imgc/hast"
	"imgc/sema/prove"
)

// maxCovering bounds the cases that a proof of coverage may distinguish: remainders of strided writes, rounds of loops.
const maxCovering = 64

// findZeros finds the images of which every pixel is written before it can be read or returned: the first stage that touches
// one writes all of it and reads nothing of it, or under a scan what steps before have written alone, wherever else it is touched. All others start as zeros.
func (a *analysis) findZeros(w *walker) {
	for _, m := range a.p.Images {
		if m.Dir != hast.Out && m.Dir != hast.Local {
			continue
		}
		m.Zero = true
		home, stage := w.home(m)
		if m.Dir == hast.Out {
			home = w.region
		}
		if stage == nil || a.readsOwn(m, stage, w) {
			continue
		}
		c := coverage{a: a, image: m, stage: stage, home: home.scope}
		for _, st := range w.stores {
			if st.Image.Base() == m && st.stage == stage {
				c.collect(st)
			}
		}
		m.Zero = !c.complete()
	}
}

// coverage is the proof that a stage writes every pixel of an image: each pixel is written by the instance whose iterators
// follow from its coordinates, for all remainders of strided writes.
type coverage struct {
	a      *analysis
	image  *hast.Image
	stage  *hast.Stage
	home   *scope // every round of it touches the image first with the stage
	writes []write
}

// A write is a store in one round of the loops around it.
type write struct {
	axes []lane
	when []prove.Formula
}

// A lane is one coordinate: step times an iterator, plus what does not depend on any; without an iterator step is 0, and the writes name
// all places that there are.
type lane struct {
	iterator prove.Var
	step     int64
	offset   prove.Lin
	places   int64 // from the first one that a write names to the last, where step is 0
}

// remainders is how many places an instance has to write, from offset on.
func (l lane) remainders() int64 { return max(l.step, -l.step, l.places) }

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
			ax, ok := c.lane(fix(l))
			if !ok {
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

// lane takes a coordinate apart; ok is false if it depends on iterators in another way.
func (c *coverage) lane(l prove.Lin) (ax lane, ok bool) {
	ax.offset = l
	for _, v := range c.stage.Space.Vars {
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

// complete reports whether the writes are proved to reach every pixel.
func (c *coverage) complete() bool {
	if len(c.writes) == 0 {
		return false
	}
	first, ok := c.aligned()
	if !ok {
		return false
	}
	remainders := [][]int64{nil}
	for _, ax := range first {
		if ax.remainders() > maxCovering {
			return false
		}
		var next [][]int64
		for _, prefix := range remainders {
			for r := range ax.remainders() {
				next = append(next, slices.Concat(prefix, []int64{r}))
			}
		}
		if remainders = next; len(remainders) > maxCovering {
			return false
		}
	}
	for _, r := range remainders {
		if !c.reached(first, r) {
			return false
		}
	}
	return true
}

// aligned keeps the writes that are like the first one but for constant offsets, and returns their lanes with the least
// offsets. Each axis needs an iterator of its own.
func (c *coverage) aligned() (least []lane, ok bool) {
	seen := map[prove.Var]bool{}
	least = slices.Clone(c.writes[0].axes)
	for _, ax := range least {
		if ax.step != 0 && seen[ax.iterator] {
			return nil, false
		}
		seen[ax.iterator] = true
	}
	c.writes = slices.DeleteFunc(c.writes, func(w write) bool {
		for k, ax := range w.axes {
			if ax.iterator != least[k].iterator || ax.step != least[k].step || !ax.offset.Sub(least[k].offset).IsConstant() {
				return true
			}
		}
		return false
	})
	for _, w := range c.writes {
		for k, ax := range w.axes {
			if ax.offset.Sub(least[k].offset).Constant() < 0 {
				least[k].offset = ax.offset
			}
		}
	}
	for _, w := range c.writes {
		for k, ax := range w.axes {
			if least[k].step == 0 {
				least[k].places = max(least[k].places, ax.offset.Sub(least[k].offset).Constant()+1)
			}
		}
	}
	return least, true
}

// reached proves that every pixel with the given remainders is written by one of the writes with these offsets.
func (c *coverage) reached(first []lane, remainders []int64) bool {
	var facts []prove.Formula
	var some prove.Or
	for k, ax := range first {
		lo, hi := c.a.indexRange(c.image, k)
		pixel := ax.offset.Plus(remainders[k])
		if ax.step == 0 {
			// The same coordinates for all instances: the axis has to have no others.
			if !c.a.sysHolds(prove.And{prove.EQ(ax.offset, lo), prove.EQ(hi, lo.Plus(ax.places))}) {
				return false
			}
			continue
		}
		pixel = pixel.Add(prove.V(ax.iterator).Scale(ax.step))
		facts = append(facts, prove.In(pixel, lo, hi))
	}
	for _, w := range c.writes {
		if w.at(first, remainders) {
			some = append(some, prove.And(w.when))
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

// at reports whether a write has the given offsets from the first.
func (w write) at(first []lane, remainders []int64) bool {
	for k, ax := range w.axes {
		if d := ax.offset.Sub(first[k].offset); d.Constant() != remainders[k] {
			return false
		}
	}
	return true
}
