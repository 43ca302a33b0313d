package access

import (
	"fmt"
	"slices"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/sema/prove"
)

// checkStores demands that every write is in range, and notes the numbers that its coordinates are.
func (a *analysis) checkStores(stores []*store) {
	for _, st := range stores {
		if st.Skip {
			a.checkSkipping(st)
			continue
		}
		c := confinement{a: a, scope: st.scope, image: st.Image, at: st.At, because: st.text() + " is written"}
		var index []prove.Lin
		for k, e := range st.Index {
			value, failed := c.axis(k, e, 1, 1)
			if failed != nil {
				a.reportStore(st, failed)
				a.faulty[st.Image.Base()] = true
				index = nil
				break
			}
			index = append(index, value)
		}
		if index != nil {
			a.proved[st] = index
		}
	}
}

// checkSkipping notes the coordinates of a write that does nothing outside of its image, and whether it can get there.
func (a *analysis) checkSkipping(st *store) {
	st.Skip = false
	var index []prove.Lin
	for k, e := range st.Index {
		value := a.exact(e, st.scope)
		below, above := a.sides(st.Image, k, value, 1, 1)
		st.Skip = st.Skip || !a.proves(st.scope, below.must) || !a.proves(st.scope, above.must)
		st.inside = append(st.inside, below.must, above.must)
		index = append(index, value)
	}
	a.proved[st] = index
}

func (a *analysis) reportStore(st *store, failed *demand) {
	o := outside{
		a: a, image: st.Image, index: st.Index, scope: st.scope, at: st.At, text: st.text(), failed: failed,
		verb: "writes", certain: diag.WriteOutside, unknown: diag.WriteUnknown,
	}
	d := o.report()
	if d.Code == diag.WriteUnknown {
		d.Note("write under a condition that keeps the index in range, or bring it there: clamp(%s, 0, %s)",
			text(st.Index[failed.axis]), lastIndex(st.Image, failed.axis))
		d.Note("or add border(%s: skip) to the iterate; then a write outside of %s does nothing", declaredAs(st.Image), st.Image.Name)
		return
	}
	d.Note("narrow the ranges of the iterate, or write under a condition; border(%s: skip) drops what is written outside", declaredAs(st.Image))
}

func (st *store) text() string {
	subscripts := make([]string, len(st.Index))
	for k, e := range st.Index {
		subscripts[k] = text(e)
	}
	return st.Image.Name + brackets(subscripts)
}

// checkRaces demands that no two instances of a stage write one pixel. Updates by one commutative operator or func may meet;
// those that cannot are marked.
func (a *analysis) checkRaces(stage *hast.Stage, stores []*store) {
	var images []*hast.Image
	written := map[*hast.Image][]*store{}
	for _, st := range stores {
		st.Alone = st.Updates()
		base := st.Image.Base()
		if written[base] == nil {
			images = append(images, base)
		}
		written[base] = append(written[base], st)
	}
	for _, m := range images {
		if !a.faulty[m] {
			a.checkWrites(stage, m, written[m])
		}
	}
}

// checkWrites demands it of the stores to one image. Places that keep apart whatever the conditions are answer for all of their stores;
// what is left is asked of each two.
func (a *analysis) checkWrites(stage *hast.Stage, image *hast.Image, stores []*store) {
	x := newExcluder(a, stage)
	places := make([]int, len(stores))
	var distinct []int
	for i, st := range stores {
		if places[i] = x.place(a.touch(st)); places[i] == len(distinct) {
			distinct = append(distinct, places[i])
		}
	}
	doubt := x.doubtful(distinct)
	var left []int
	for i := range stores {
		if doubt[places[i]] {
			left = append(left, i)
		}
	}
	apart := map[string]bool{}
	for n, i := range left {
		for _, j := range left[n:] {
			p, q := stores[i], stores[j]
			kept := x.apart(places[i], places[j])
			if p.mayMeet(q) {
				alone := p.Alone && q.Alone && (kept || a.keepApart(stage, p, q))
				p.Alone, q.Alone = p.Alone && alone, q.Alone && alone
				continue
			}
			if kept {
				continue
			}
			pair := a.pairKey(p, q)
			if apart[pair] {
				continue
			}
			apart[pair] = true
			if a.checkApart(a.meetingOf(stage, p, q), p, q); a.faulty[image] {
				return
			}
		}
	}
}

// keepApart reports whether two stores are proved not to meet under their conditions. Without conditions that has been asked.
func (a *analysis) keepApart(stage *hast.Stage, p, q *store) bool {
	if !p.scope.conditional() && !q.scope.conditional() {
		return false
	}
	m := a.meetingOf(stage, p, q)
	return m.ask(false).Verdict == prove.Proved
}

func (a *analysis) meetingOf(stage *hast.Stage, p, q *store) meeting {
	return meeting{
		a: a, stage: stage, first: a.touch(p), second: a.touch(q),
		because: fmt.Sprintf("no two instances may write one pixel of %s", p.Image.Name),
	}
}

// mayMeet reports whether the order of two stores of different instances to one pixel does not matter.
func (st *store) mayMeet(q *store) bool {
	return st.Updates() && st.Func == q.Func && (st.Op == q.Op || sums(st.Op) && sums(q.Op))
}

func sums(op ops.Op) bool { return op == ops.Add || op == ops.Sub }

// pairKey names a question about two stores: pairs of one scope whose coordinates differ by the same constants meet alike, so
// that the many pixels of a block are few questions.
func (a *analysis) pairKey(p, q *store) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%p %p", p.scope, q.scope)
	first, second := a.touch(p).index, a.touch(q).index
	for k, l := range first {
		m := second[k]
		fmt.Fprintf(&b, ", %v, %v, %d", l.Plus(-l.Constant()), m.Plus(-m.Constant()), m.Constant()-l.Constant())
	}
	if p.inside != nil { // facts of their own
		fmt.Fprintf(&b, ", %v, %v", first, second)
	}
	return b.String()
}

func (a *analysis) checkApart(m meeting, p, q *store) {
	if m.excluded() {
		return
	}
	a.faulty[p.Image.Base()] = true
	d := a.diags.Errorf(diag.WritesMeet, q.At, "%s", m.describe(func(first, second, pixel string) string {
		return fmt.Sprintf("instances %s and %s both write %s", first, second, pixel)
	}, fmt.Sprintf("cannot prove that no two instances write one pixel of %s", q.Image.Name)))
	if p != q {
		d.NoteAt(p.At, "the other write")
	}
	d.Note("instances%s run in any order, so the result would depend on it", sameStep(m.stage))
	if u := update(q); u != "" {
		d.Note("write an update, of which none is lost: %s", u)
		return
	}
	d.Note("let each instance write pixels of its own: iterate over the pixels of %s and read what each of them needs", q.Image.Name)
	if a.dependsOnData(m.first) || a.dependsOnData(m.second) {
		d.Note("or combine what meets by a commutative update: += -= *= min= max= &= |= ^=, or fold with a commutative func")
		d.Note("or write iterate independent (...) as your promise that no two instances write one pixel")
	}
}

// updating are the operators of commutative updates, as they are written.
var updating = map[ops.Op]string{
	ops.Add: "+=", ops.Mul: "*=", ops.Min: "min=", ops.Max: "max=", ops.And: "&=", ops.Or: "|=", ops.Xor: "^=",
}

// update is how a store is written that computes its pixel's next value from what it is, a[i] = a[i] + 1; "" for others.
func update(st *store) string {
	value := st.Value
	for {
		c, ok := value.(*hast.Convert)
		if !ok {
			break
		}
		value = c.X
	}
	op, ok := value.(*hast.Op)
	if !ok || updating[op.Op] == "" || st.Updates() || len(op.Args) != 2 {
		return ""
	}
	for k, x := range op.Args {
		if l, ok := x.(*hast.Load); ok && l.Image == st.Image && sameIndex(l, st) {
			return text(l) + " " + updating[op.Op] + " " + text(op.Args[1-k]) + ";"
		}
	}
	return ""
}

// sameIndex reports whether a pixel that is read is the one that is written.
func sameIndex(l *hast.Load, st *store) bool {
	for k, c := range l.Index {
		if !hast.Equal(c.X, st.Index[k]) {
			return false
		}
	}
	return true
}

// dependsOnData reports whether a coordinate hangs on something else than iterators and parameters.
func (a *analysis) dependsOnData(t touch) bool {
	return slices.ContainsFunc(t.index, func(l prove.Lin) bool { return a.hiddenIn(l) != nil })
}

// A touch is one access whose coordinates are proved to be in range.
type touch struct {
	image *hast.Image
	scope *scope
	index []prove.Lin
	facts []prove.Formula // beside those of the scope
}

func (a *analysis) touch(st *store) touch {
	return a.onBase(touch{image: st.Image, scope: st.scope, index: a.proved[st], facts: st.inside})
}

// A meeting asks whether two different instances can touch one pixel.
type meeting struct {
	a             *analysis
	stage         *hast.Stage
	first, second touch
	because       string // for checks
	answer        prove.Answer
}

// excluded reports whether they cannot, by proof or by checks, which it adds.
func (m *meeting) excluded() bool {
	m.answer = m.ask(false)
	if m.answer.Verdict != prove.Proved && (m.a.hasPoints(m.first.scope) || m.a.hasPoints(m.second.scope)) {
		m.answer = m.ask(true)
	}
	if m.answer.Verdict == prove.Proved {
		return true
	}
	if !m.a.acceptable(m.answer, append(slices.Clone(m.first.index), m.second.index...)...) {
		return false
	}
	for _, clause := range m.answer.Check {
		if !m.a.checks.add(clause.Formula(), m.first.image.Name, m.because, m.stage.At) {
			return false
		}
	}
	return true
}

func (m *meeting) ask(exact bool) prove.Answer {
	return prove.Distinct(m.iterators(), m.a.access(m.first, exact), m.a.access(m.second, exact), m.a.together(m.stage)...)
}

func (m *meeting) iterators() []prove.Var {
	var out []prove.Var
	for _, v := range m.stage.Space.Vars {
		out = append(out, m.a.counts[v])
	}
	return out
}

// access is the prover's form of a touch.
func (a *analysis) access(t touch, exact bool) prove.Access {
	about := slices.Clone(t.facts)
	for _, l := range t.index {
		about = append(about, prove.Atom{Lin: l})
	}
	sys := a.question(t.scope, exact, about...)
	sys.When(t.facts...)
	return prove.Access{Facts: sys, Index: t.index}
}

// describe says which instances meet where, or unknown if there is no counterexample.
func (m *meeting) describe(say func(first, second, pixel string) string, unknown string) string {
	model := m.answer.Counter
	if model == nil {
		return unknown
	}
	first, ok1 := m.instance(model, false)
	second, ok2 := m.instance(model, true)
	pixel := make([]string, len(m.first.index))
	for k, l := range m.first.index {
		at, ok := model.Value(l)
		if !ok {
			return unknown
		}
		pixel[k] = fmt.Sprint(at)
	}
	if !ok1 || !ok2 {
		return unknown
	}
	text := say(first, second, m.first.image.Name+brackets(pixel))
	if sizes := m.sizes(model); sizes != "" {
		return sizes + text
	}
	return text
}

// sizes lists the parameters that the coordinates depend on.
func (m *meeting) sizes(model *prove.Model) string {
	var known []listed
	params := map[string]bool{}
	for _, v := range m.a.parameters() {
		params[v.Name] = true
	}
	about := append(slices.Clone(m.first.index), m.second.index...)
	for _, f := range m.first.facts {
		eachVariable(f, func(v prove.Var) { about = append(about, prove.V(v)) })
	}
	for _, l := range m.a.valueList(nil, about...) {
		if params[l.name] {
			known = append(known, l)
		}
	}
	return forValues(known, model)
}

// instance is "(y = 0, x = 1)".
func (m *meeting) instance(model *prove.Model, second bool) (text string, ok bool) {
	var parts []string
	for _, v := range m.stage.Space.Vars {
		l := m.a.names[v]
		if second {
			l = m.a.primed(l)
		}
		x, known := model.Value(l)
		if !known {
			return "", false
		}
		parts = append(parts, fmt.Sprintf("%s = %d", v.Name, x))
	}
	return "(" + strings.Join(parts, ", ") + ")", true
}

// primed is the value of an iterator in the second instance. Its terms are the variable in which the prover counts it and
// parameters, which are the same in both.
func (a *analysis) primed(l prove.Lin) prove.Lin {
	sum := prove.K(l.Constant())
	for _, t := range l.Terms() {
		v := t.Var
		if s := a.symbols[v]; s != nil && s.origin == nil && !s.shared {
			v = prove.Prime(v)
		}
		sum = sum.Add(prove.V(v).Scale(t.Coef))
	}
	return sum
}
