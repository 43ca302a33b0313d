package lower

import (
	"maps"
	"math"

	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// While a body is lowered, intervals are known of what is computed in one expression and of variables that never change. What arrays hold is
// known once all that is stored into them is: a follower then runs each kernel on intervals, statement by statement, and marks what turns out
// to be Exact or Natural.
//
// A variable that changes has an interval from each assignment on, an array one of all its elements, which only grows. What branches make of
// these is joined. Loops of few rounds run round by round, others until nothing grows any more; an end of an interval that grows with each
// round is given up. Arrays in local memory hold what any item stores at any time. What nothing has been stored into has no value that matters.
//
// An expression may stand in several places, and gets a mark where it deserves that in all of them.

// A state is what variables that change hold, and all elements of arrays; those that it lacks may hold anything. Nil where nothing gets.
type state map[*kir.Var]interval.Interval

// nothing is the interval of what has not been stored yet.
var nothing = interval.Between(math.MaxInt64, math.MinInt64)

// join holds what either state allows, of the variables of both.
func (s state) join(t state) state {
	if s == nil || t == nil {
		return maps.Clone(state(firstOf(s, t)))
	}
	out := state{}
	for v, a := range s {
		if b, ok := t[v]; ok {
			out[v] = a.Join(b)
		}
	}
	return out
}

func firstOf(s, t state) state {
	if s != nil {
		return s
	}
	return t
}

// widened gives up those ends of intervals that have grown to those of t.
func (s state) widened(t state) state {
	out := state{}
	for v, b := range t {
		a, all := s[v], interval.OfKind(v.Type.Kind)
		if b.Lo < a.Lo {
			b.Lo = all.Lo
		}
		if b.Hi > a.Hi {
			b.Hi = all.Hi
		}
		out[v] = b
	}
	return out
}

// A follower runs the statements of one kernel or func.
type follower struct {
	fixed  map[*kir.Var]interval.Interval // of variables that never change, and of tables
	shared state                          // of arrays in local memory
	now    state
	before map[*kir.Var]was // what variables held that have changed since the straight side of a condition began; nil where none is followed
	exits  *exits
	steps  int
	lost   bool // there is a statement that it does not know
	marks  map[kir.Expr]mark
}

// A was is what a variable held, if it was followed.
type was struct {
	iv       interval.Interval
	followed bool
}

// exits are the states in which a loop is left, and in which a round of it is.
type exits struct{ broke, went state }

// A mark is what an expression deserves.
type mark struct{ exact, natural bool }

const (
	// roundsFollowed is how many rounds of a loop are followed one by one, stepsFollowed up to how many statements so.
	roundsFollowed = 128
	stepsFollowed  = 1 << 16
	// roundsJoined is after how many rounds that are joined ends of intervals are given up, phasesJoined the same of what groups share.
	roundsJoined = 2
	phasesJoined = 4
)

// follow marks what kernels and funcs compute.
func (l *lowering) follow() {
	tables := map[*kir.Var]interval.Interval{}
	for _, t := range l.out.Tables {
		if k := t.Var.Type.Kind; k.IsInt() {
			tables[t.Var] = rangeOfWords(k, t.Words)
		}
	}
	verdict := map[kir.Expr]mark{}
	for _, k := range l.out.Kernels {
		join(verdict, l.followed(k.Body, tables, k.Params))
	}
	for _, f := range l.out.Funcs {
		join(verdict, l.followed(f.Body, tables, nil))
	}
	for e, m := range verdict {
		m.put(e)
	}
}

func rangeOfWords(k types.Kind, words []types.Word) interval.Interval {
	iv := nothing
	for _, w := range words {
		iv = iv.Join(interval.OfWord(k, w))
	}
	return iv
}

// join has all have the marks that they deserve in some, too.
func join(all, some map[kir.Expr]mark) {
	for e, m := range some {
		before, there := all[e]
		all[e] = m.and(before, there)
	}
}

// and is what an expression deserves that has had another mark before, if it is there.
func (m mark) and(before mark, there bool) mark {
	if !there {
		return m
	}
	return mark{m.exact && before.exact, m.natural && before.natural}
}

// put marks an expression.
func (m mark) put(e kir.Expr) {
	switch e := e.(type) {
	case *kir.Convert:
		e.Exact = e.Exact || m.exact
	case *kir.Op:
		e.Exact = e.Exact || m.exact
		if m.natural && e.Exact {
			e.Op, e.Natural = natural[e.Op], true
		}
	}
}

// natural are the divisions, and what they are where no operand is negative.
var natural = map[ops.Op]ops.Op{ops.Div: ops.Div, ops.FloorDiv: ops.Div, ops.Rem: ops.Rem, ops.Mod: ops.Rem}

// followed are the marks of one body. What a group shares is followed until no store adds to it.
func (l *lowering) followed(body []kir.Stmt, tables map[*kir.Var]interval.Interval, params []*kir.Var) map[kir.Expr]mark {
	fixed := map[*kir.Var]interval.Interval{}
	maps.Copy(fixed, tables)
	for _, p := range params {
		if iv, ok := l.scalars[p]; ok {
			fixed[p] = iv
		}
	}
	shared := state{}
	for phase := 0; ; phase++ {
		f := &follower{fixed: fixed, shared: maps.Clone(shared), now: state{}, exits: &exits{}, marks: map[kir.Expr]mark{}}
		f.run(body)
		switch {
		case f.lost:
			return nil
		case maps.Equal(shared, f.shared):
			return f.marks
		case phase >= phasesJoined:
			f.shared = shared.widened(f.shared)
		}
		shared = f.shared
	}
}

func (f *follower) known(v *kir.Var) (interval.Interval, bool) {
	for _, where := range []map[*kir.Var]interval.Interval{f.fixed, f.now, f.shared} {
		if iv, ok := where[v]; ok {
			return iv, iv != nothing
		}
	}
	return interval.All, false
}

// value bounds what an expression computes here, and marks it and all in it.
func (f *follower) value(e kir.Expr) interval.Interval {
	operands := kir.Operands(e)
	in := make([]interval.Interval, len(operands))
	for i, x := range operands {
		in[i] = f.value(x)
	}
	of := func(x kir.Expr) interval.Interval {
		for i, y := range operands {
			if x == y {
				return in[i]
			}
		}
		return interval.OfKind(x.Type().Kind)
	}
	iv := rangeFrom(e, f.known, of)
	switch e := e.(type) {
	case *kir.Op:
		return f.op(e, in, iv)
	case *kir.Convert:
		if e.T.IsScalar() && e.How != kir.Bitcast {
			f.mark(e, mark{exact: fits(e.X.Type().Kind, e.T.Kind, in[0])})
		}
	}
	return iv
}

// op marks an operator, and bounds what it gives by what is known beforehand of such as are Exact, and of conditions.
func (f *follower) op(e *kir.Op, in []interval.Interval, iv interval.Interval) interval.Interval {
	k := e.Args[0].Type().Kind
	switch {
	case !e.Args[0].Type().IsScalar():
		return iv
	case k == types.Bool:
		iv, _ = interval.InKind(e.Op, k, in...)
		return iv
	case !k.IsInt() || e.Op.Info().Result == ops.Truth:
		return iv
	}
	exact := e.Exact || interval.Plain(e.Op, k, in...) && undivided(e)
	f.mark(e, mark{exact: exact, natural: exact && k.IsSigned() && natural[e.Op] != ops.None && in[0].Lo >= 0 && in[1].Lo >= 1})
	if whole, ok := interval.Of(e.Op, in...); ok && exact && k.IsSigned() && e.T.Kind == k {
		if kept := whole.Meet(interval.OfKind(k)); kept.Within(whole) && kept.Within(interval.OfKind(k)) {
			return kept
		}
	}
	return iv
}

// undivided reports whether an operator is no division, or one by a constant. By others, processors stop where these turn out to be zero, and what items
// compute of elements that nothing has been stored into, and never use, may be divided by anything.
func undivided(e *kir.Op) bool {
	_, constant := e.Args[len(e.Args)-1].(*kir.Const)
	return natural[e.Op] == ops.None || constant
}

func (f *follower) mark(e kir.Expr, m mark) {
	before, there := f.marks[e]
	f.marks[e] = m.and(before, there)
}

// put stores a value: into all of a variable, or somewhere in it.
func (f *follower) put(v *kir.Var, iv interval.Interval, whole bool) {
	if v.Space == kir.Local {
		if before, ok := f.shared[v]; ok {
			f.shared[v] = before.Join(iv)
		}
		return
	}
	before, ok := f.now[v]
	if !ok {
		return
	}
	if !whole {
		iv = before.Join(iv)
	}
	f.hold(v, was{iv, true})
}

// putAny stores anything.
func (f *follower) putAny(v *kir.Var) { f.put(v, interval.OfKind(v.Type.Kind), false) }
