package access

import (
	"maps"
	"math"
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// findPyramidZeros finds the pyramids of which every level is written as a whole before it can be read; all others start as zeros.
//
// It follows the steps with the set of levels that are full by then, at the finest level and at any other one: what a level finds
// when it is gone down to is what all places of the traverse that go down to it leave, and what it leaves is there behind them. Both are
// found from the best that could be, and made less until nothing changes: a level that is read has been written earlier, so that of all
// that a run does, nothing rests on itself.
func (a *analysis) findPyramidZeros(w *walker) {
	if !slices.ContainsFunc(a.p.Pyramids, func(p *hast.Pyramid) bool { return p.Zero }) {
		return
	}
	f := &filling{deeds: map[*hast.Stage]deed{}, failed: map[*hast.Pyramid]bool{}, bound: map[*hast.Levels]map[*hast.Pyramid]bool{}}
	for _, m := range a.p.Images {
		if m.View == nil && m.Dir != hast.In {
			f.learn(a, w, m)
		}
	}
	s := levelSet{}
	for _, m := range a.p.Images {
		if m.Of == nil && (m.Zero || m.Dir == hast.In || m.Dir == hast.InOut) {
			s[keyOf(m)] = true
		}
	}
	f.judge = true
	f.steps(a.p.Steps, s)
	for _, p := range a.p.Pyramids {
		p.Zero = p.Zero && f.failed[p]
	}
}

// A levelKey is an image, or a level of a pyramid: outside of a traverse of it by its number, inside by its distance from the one at hand.
type levelKey struct {
	image  *hast.Image
	of     *hast.Pyramid
	number int64
}

// everyLevel is the number that stands for all levels.
const everyLevel = math.MaxInt64

// A levelSet has what is full. It only grows while a level is at hand, but where a pyramid starts anew; nil has everything.
type levelSet map[levelKey]bool

func keyOf(m *hast.Image) levelKey {
	if m.Of == nil {
		return levelKey{image: m}
	}
	return levelKey{of: m.Of, number: hast.LevelOf(m.Index).Plus}
}

func (s levelSet) has(k levelKey) bool {
	return s == nil || s[k] || k.of != nil && s[levelKey{of: k.of, number: everyLevel}]
}

// with is s and a further element.
func (s levelSet) with(k levelKey) levelSet {
	if s.has(k) {
		return s
	}
	s = maps.Clone(s)
	s[k] = true
	return s
}

// without is s less what lost is true of.
func (s levelSet) without(lost func(levelKey) bool) levelSet {
	out := maps.Clone(s)
	if out == nil {
		out = levelSet{}
	}
	maps.DeleteFunc(out, func(k levelKey, _ bool) bool { return lost(k) })
	return out
}

// plain is s without the levels of pyramids all of whose levels are in it: there are as many sets of these as there are distances between levels,
// so that who looks for one that does not change any more would not come to an end.
func (s levelSet) plain() levelSet {
	maps.DeleteFunc(s, func(k levelKey, _ bool) bool {
		return k.of != nil && k.number != everyLevel && s[levelKey{of: k.of, number: everyLevel}]
	})
	return s
}

// meet has what both have.
func (s levelSet) meet(t levelSet) levelSet {
	if s == nil || t == nil {
		if s == nil {
			return t
		}
		return s
	}
	out := levelSet{}
	for k := range s {
		if t.has(k) {
			out[k] = true
		}
	}
	for k := range t {
		if s.has(k) {
			out[k] = true
		}
	}
	return out.plain()
}

// shifted is s as a level sees it that is so much coarser, of the pyramids in bound.
func (s levelSet) shifted(by int64, bound map[*hast.Pyramid]bool) levelSet {
	if s == nil {
		return nil
	}
	out := levelSet{}
	for k := range s {
		if bound[k.of] && k.number != everyLevel {
			k.number -= by
		}
		out[k] = true
	}
	return out
}

// A deed is what a stage does to levels: those that it reads, and those that it writes as a whole.
type deed struct{ reads, fills []levelKey }

type filling struct {
	deeds  map[*hast.Stage]deed
	bound  map[*hast.Levels]map[*hast.Pyramid]bool // of which pyramids the body of a traverse names the level at hand, or one near it
	failed map[*hast.Pyramid]bool
	judge  bool // what is known is final, so that what reads a level that is not full fails
	down   *descent
}

// A descent is a traverse that is being followed.
type descent struct {
	step  *hast.Traverse
	bound map[*hast.Pyramid]bool
	top   bool     // the finest level is at hand
	entry levelSet // what any other finds
	left  levelSet // what any other leaves
	below levelSet // what levels gone down to from here find
}

// learn notes what stages do to an image, and in which traverse it is a level that is at hand or near.
func (f *filling) learn(a *analysis, w *walker, m *hast.Image) {
	for _, l := range a.levels {
		if m.Of != nil && hast.Mentions(m.Index, l) {
			if f.bound[l] == nil {
				f.bound[l] = map[*hast.Pyramid]bool{}
			}
			f.bound[l][m.Of] = true
		}
	}
	regions := map[*hast.Stage]*region{}
	for _, t := range w.touches {
		if t.image == m && t.stage != nil {
			regions[t.stage] = t.region
		}
	}
	read := map[*hast.Stage]bool{}
	for _, r := range w.reads {
		if r.image.Base() == m && r.stage != nil && !read[r.stage] {
			read[r.stage] = true
			d := f.deeds[r.stage]
			d.reads = append(d.reads, keyOf(m))
			f.deeds[r.stage] = d
		}
	}
	for stage, home := range regions {
		if !read[stage] && fills(a, w, m, stage, home) {
			d := f.deeds[stage]
			d.fills = append(d.fills, keyOf(m))
			f.deeds[stage] = d
		}
	}
}

// fills proves that a stage writes all of an image whenever it runs.
func fills(a *analysis, w *walker, m *hast.Image, stage *hast.Stage, home *region) bool {
	c := coverage{a: a, image: m, home: home.scope}
	for _, st := range w.stores {
		if st.Image.Base() == m && st.stage == stage {
			c.collect(st)
		}
	}
	return c.complete()
}

func (f *filling) steps(list []hast.Step, s levelSet) levelSet {
	for _, step := range list {
		s = f.step(step, s)
	}
	return s
}

func (f *filling) step(step hast.Step, s levelSet) levelSet {
	switch step := step.(type) {
	case *hast.Stage:
		d := f.deeds[step]
		f.demand(s, d.reads...)
		for _, k := range d.fills {
			s = s.with(k)
		}
	case *hast.IfHost:
		return f.branch(step, s)
	case *hast.ForHost, *hast.WhileHost:
		return f.loop(step, s)
	case *hast.BreakHost, *hast.ContinueHost:
		// What follows in the loop may not run: f.loop has looked for them.
	case *hast.Fresh:
		k := keyOf(step.Image)
		if s = s.without(func(other levelKey) bool { return other == k }); step.Image.Zero {
			s = s.with(k)
		}
	case *hast.FreshPyramid:
		return s.without(func(k levelKey) bool { return k.of == step.Pyramid })
	case *hast.Swap:
		f.exchange(s, keyOf(step.A), keyOf(step.B))
	case *hast.SwapPyramids:
		f.exchange(s, levelKey{of: step.A, number: everyLevel}, levelKey{of: step.B, number: everyLevel})
	case *hast.Traverse:
		return f.traverse(step, s)
	case *hast.Descend:
		return f.descend(step, s)
	}
	return s
}

// demand lets the pyramids fail of which something is used that is not full.
func (f *filling) demand(s levelSet, used ...levelKey) {
	for _, k := range used {
		if f.judge && k.of != nil && !s.has(k) {
			f.failed[k.of] = true
		}
	}
}

// exchange lets the pyramids fail that give away, or get, what is not full.
func (f *filling) exchange(s levelSet, a, b levelKey) {
	if !s.has(a) || !s.has(b) {
		f.demand(levelSet{}, a, b)
	}
}

func (f *filling) branch(step *hast.IfHost, s levelSet) levelSet {
	switch holds, known := f.known(step.Cond); {
	case known && holds:
		return f.steps(step.Then, s)
	case known:
		return f.steps(step.Else, s)
	}
	return f.steps(step.Then, s).meet(f.steps(step.Else, s))
}

// known evaluates what follows from the finest level being at hand, or another one.
func (f *filling) known(cond hast.Expr) (holds, known bool) {
	e, ok := cond.(*hast.Op)
	if !ok || f.down == nil {
		return false, false
	}
	switch e.Op {
	case ops.Not:
		holds, known = f.known(e.Args[0])
		return !holds, known
	case ops.LAnd, ops.LOr:
		decides := e.Op == ops.LOr
		a, knownA := f.known(e.Args[0])
		b, knownB := f.known(e.Args[1])
		if knownA && a == decides || knownB && b == decides {
			return decides, true
		}
		return !decides, knownA && knownB
	case ops.Eq, ops.Ne:
		r, isRef := e.Args[0].(*hast.Ref)
		n, isConst := e.Args[1].(*hast.Const)
		if isRef && isConst && r.Var == f.down.step.Levels.Level && n.Words[0].Int() == 0 {
			return f.down.top == (e.Op == ops.Eq), true
		}
	}
	return false, false
}

// loop follows a body that runs any number of times. One that can be left in its middle fills nothing.
func (f *filling) loop(step hast.Step, s levelSet) levelSet {
	body := hast.StepBodies(step)[0]
	leaves := false
	hast.WalkSteps(body, func(s hast.Step) {
		switch s.(type) {
		case *hast.BreakHost, *hast.ContinueHost:
			leaves = true
		}
	})
	judge := f.judge
	f.judge = false
	for {
		next := s.meet(f.steps(body, s))
		if same(next, s) {
			break
		}
		s = next
	}
	f.judge = judge
	f.steps(body, s)
	if leaves {
		f.lose(body)
	}
	return s
}

// lose lets the pyramids fail that steps touch.
func (f *filling) lose(list []hast.Step) {
	hast.WalkSteps(list, func(s hast.Step) {
		if stage, ok := s.(*hast.Stage); ok {
			d := f.deeds[stage]
			f.demand(levelSet{}, d.reads...)
			f.demand(levelSet{}, d.fills...)
		}
	})
}

// traverse follows the body at the finest level and at any other one, until what others find and leave is known.
func (f *filling) traverse(step *hast.Traverse, s levelSet) levelSet {
	outer, judge := f.down, f.judge
	d := &descent{step: step, bound: f.bound[step.Levels]}
	f.down, f.judge = d, false
	for {
		finest, coarser := f.level(step, s)
		entry, left := d.entry, d.left
		d.entry, d.left = entry.meet(finest.below).meet(coarser.below), left.meet(coarser.after)
		if same(entry, d.entry) && same(left, d.left) {
			break
		}
	}
	f.judge = judge
	finest, coarser := f.level(step, s)
	f.down = outer
	out := levelSet{}
	for k := range finest.after {
		if !d.bound[k.of] || k.number >= 0 {
			out[k] = true
		}
	}
	for p := range d.bound {
		if k := (levelKey{of: p}); visitsAll(step) && finest.after.has(k) && coarser.after.has(k) {
			out[levelKey{of: p, number: everyLevel}] = true
		}
	}
	return out.plain()
}

// A levelRun is what a level leaves, and what it leaves to those below where it goes down to them.
type levelRun struct{ after, below levelSet }

// level follows the body at the finest level, which finds s, and at any other one.
func (f *filling) level(step *hast.Traverse, s levelSet) (finest, coarser levelRun) {
	run := func(top bool, s levelSet) levelRun {
		f.down.top, f.down.below = top, nil
		after := f.steps(step.Body, s)
		return levelRun{after, f.down.below}
	}
	return run(true, s), run(false, f.down.entry)
}

func same(a, b levelSet) bool { return (a == nil) == (b == nil) && maps.Equal(a, b) }

// visitsAll reports whether the body of a traverse goes down whatever happens.
func visitsAll(step *hast.Traverse) bool {
	for _, s := range step.Body {
		if d, ok := s.(*hast.Descend); ok && atLeastOnce(d) {
			return true
		}
	}
	return false
}

func atLeastOnce(d *hast.Descend) bool {
	n, ok := d.Times.(*hast.Const)
	return ok && n.Words[0].Int() >= 1
}

// descend adds what coarser levels leave. At the coarsest there are none, but nor is anything used of them.
func (f *filling) descend(step *hast.Descend, s levelSet) levelSet {
	d := f.down
	d.below = d.below.meet(s.shifted(1, d.bound))
	if atLeastOnce(step) {
		for p := range d.bound {
			for n := range int64(hast.MaxLevels) {
				if d.left.has(levelKey{of: p, number: n}) {
					s = s.with(levelKey{of: p, number: n + 1})
				}
			}
		}
	}
	f.steps(step.Between, s)
	return s
}
