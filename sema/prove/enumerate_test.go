package prove

import (
	"fmt"
	"math/rand"
	"testing"
)

// Random systems over small boxes, compared with enumeration. The meaning of every expression is computed beside it, so
// that the test does not rest on the package's own evaluation.

type values map[Var]int64

type expression struct {
	lin   Lin
	value func(values) int64
}

type condition struct {
	formula Formula
	truth   func(values) bool
}

// generator makes random expressions and conditions over some variables.
type generator struct {
	*rand.Rand
	sys      *System
	vars     []Var
	products bool
}

func (g *generator) linear(coefficient int64) expression {
	e := expression{K(g.Int63n(9) - 4), nil}
	constant, coefs := e.lin.Constant(), make(values)
	for range 1 + g.Intn(2) {
		v, c := g.vars[g.Intn(len(g.vars))], g.Int63n(2*coefficient+1)-coefficient
		e.lin = e.lin.Add(V(v).Scale(c))
		coefs[v] += c
	}
	e.value = func(at values) int64 {
		sum := constant
		for v, c := range coefs {
			sum += c * at[v]
		}
		return sum
	}
	return e
}

// expression is linear, or a function of linear expressions.
func (g *generator) expression() expression {
	a, b, d := g.linear(3), g.linear(2), 2+g.Int63n(3)
	floor := func(at values) int64 {
		n := a.value(at)
		return (n - ((n%d)+d)%d) / d
	}
	kinds := 16
	if g.products {
		kinds++
	}
	switch g.Intn(kinds) {
	case 0:
		return expression{g.sys.Div(a.lin, d), floor}
	case 1:
		return expression{g.sys.Div(a.lin, -d), func(at values) int64 {
			n := -a.value(at)
			return (n - ((n%d)+d)%d) / d
		}}
	case 2:
		return expression{g.sys.Mod(a.lin, d), func(at values) int64 { return a.value(at) - d*floor(at) }}
	case 3:
		return expression{g.sys.TruncDiv(a.lin, d), func(at values) int64 { return a.value(at) / d }}
	case 4:
		return expression{g.sys.Rem(a.lin, -d), func(at values) int64 { return a.value(at) % -d }}
	case 5:
		return expression{g.sys.Min(a.lin, b.lin), func(at values) int64 { return min(a.value(at), b.value(at)) }}
	case 6:
		return expression{g.sys.Max(a.lin, b.lin), func(at values) int64 { return max(a.value(at), b.value(at)) }}
	case 7:
		return expression{g.sys.Abs(a.lin), func(at values) int64 { return max(a.value(at), -a.value(at)) }}
	case 8:
		mask := g.Int63n(16) - 5
		return expression{g.sys.BitAnd(a.lin, mask), func(at values) int64 { return a.value(at) & mask }}
	case 9:
		c := g.atom(b)
		return expression{g.sys.Select(c.formula, a.lin, b.lin), func(at values) int64 {
			if c.truth(at) {
				return a.value(at)
			}
			return b.value(at)
		}}
	case 16:
		return expression{g.sys.Product(a.lin, b.lin), func(at values) int64 { return a.value(at) * b.value(at) }}
	}
	return a
}

func (g *generator) atom(a expression) condition {
	b := g.linear(2)
	switch g.Intn(5) {
	case 0:
		return condition{EQ(a.lin, b.lin), func(at values) bool { return a.value(at) == b.value(at) }}
	case 1:
		return condition{NE(a.lin, b.lin), func(at values) bool { return a.value(at) != b.value(at) }}
	case 2:
		return condition{LT(a.lin, b.lin), func(at values) bool { return a.value(at) < b.value(at) }}
	}
	return condition{GE(a.lin, b.lin), func(at values) bool { return a.value(at) >= b.value(at) }}
}

func (g *generator) condition(depth int) condition {
	kind := g.Intn(8)
	if depth == 0 || kind > 2 {
		return g.atom(g.expression())
	}
	a, b := g.condition(depth-1), g.condition(depth-1)
	switch kind {
	case 0:
		return condition{And{a.formula, b.formula}, func(at values) bool { return a.truth(at) && b.truth(at) }}
	case 1:
		return condition{Or{a.formula, b.formula}, func(at values) bool { return a.truth(at) || b.truth(at) }}
	}
	return condition{Not(Or{a.formula, b.formula}), func(at values) bool { return !(a.truth(at) || b.truth(at)) }}
}

// box calls yield with every assignment of vars to lo..hi until it returns false.
func box(vars []Var, lo, hi int64, at values, yield func(values) bool) bool {
	if len(vars) == 0 {
		return yield(at)
	}
	for x := lo; x <= hi; x++ {
		at[vars[0]] = x
		if !box(vars[1:], lo, hi, at, yield) {
			return false
		}
	}
	return true
}

func allHold(conditions []condition, at values) bool {
	for _, c := range conditions {
		if !c.truth(at) {
			return false
		}
	}
	return true
}

func TestVerdictsAgreeWithEnumeration(t *testing.T) {
	const lo, hi = -3, 4
	for _, products := range []bool{false, true} {
		undecided, total := 0, 0
		for seed := range int64(1000) {
			g := &generator{rand.New(rand.NewSource(seed)), NewSystem(), []Var{"a", "b", "c"}, products}
			var facts []condition
			for _, v := range g.vars {
				g.sys.Given(Between(V(v), lo, hi))
			}
			for range 1 + g.Intn(4) {
				facts = append(facts, g.condition(2))
				g.sys.When(facts[len(facts)-1].formula)
			}
			solvable := !box(g.vars, lo, hi, values{}, func(at values) bool { return !allHold(facts, at) })
			proved := g.sys.Infeasible()
			model, found := g.sys.Model()
			if proved && solvable {
				t.Fatalf("seed %d: proved infeasible, but is not: %v", seed, g.sys.when)
			}
			if found {
				at := values{}
				for _, v := range g.vars {
					at[v], _ = model.Value(V(v))
				}
				if !allHold(facts, at) {
					t.Fatalf("seed %d: %v is no model of %v", seed, model, g.sys.when)
				}
			}
			total++
			if !proved && !found {
				undecided++
				if !products {
					t.Errorf("seed %d: undecided (solvable: %v): %v", seed, solvable, g.sys.when)
				}
			}
		}
		// Products of variables are not decidable in general; most must be, though.
		if undecided > total/20 {
			t.Errorf("products %v: %d of %d undecided", products, undecided, total)
		}
	}
}

func TestAnswersAgreeWithEnumeration(t *testing.T) {
	const lo, hi = 0, 5
	params, locals := []Var{"N", "M"}, []Var{"x", "y"}
	verdicts := map[Verdict]int{}
	inexact := 0
	for seed := range int64(1000) {
		g := &generator{rand.New(rand.NewSource(seed)), NewSystem(), []Var{"N", "M", "x", "y"}, seed%5 == 0}
		g.sys.Param(params...)
		for _, v := range params {
			g.sys.Given(Between(V(v), lo+1, hi))
		}
		for _, v := range locals {
			g.sys.When(Between(V(v), lo, hi))
		}
		var facts []condition
		for range g.Intn(3) {
			facts = append(facts, g.condition(1))
			g.sys.When(facts[len(facts)-1].formula)
		}
		goal := g.condition(1)
		answer := g.sys.Prove(goal.formula)
		verdicts[answer.Verdict]++
		if answer.Verdict == Conditional && !answer.Exact {
			inexact++
		}
		if err := checkAnswer(answer, g.sys, facts, goal, params, locals, lo, hi); err != nil {
			t.Fatalf("seed %d: facts %v, goal %v: %v: %v", seed, g.sys.when, goal.formula, answer, err)
		}
	}
	if verdicts[Proved] < 50 || verdicts[Conditional] < 50 || verdicts[Refuted] < 50 || verdicts[Unproved] > 50 ||
		inexact > verdicts[Conditional]/4 {
		t.Errorf("an unlikely distribution: %v, inexact %d", verdicts, inexact)
	}
}

// checkAnswer compares an answer with all values of the parameters.
func checkAnswer(a Answer, s *System, facts []condition, goal condition, params, locals []Var, lo, hi int64) error {
	if a.Verdict == Refuted || a.Verdict == Conditional && a.Counter != nil {
		at := values{}
		for _, v := range append(append([]Var(nil), params...), locals...) {
			at[v], _ = a.Counter.Value(V(v))
		}
		if !allHold(facts, at) || goal.truth(at) {
			return fmt.Errorf("%v is no counterexample", a.Counter)
		}
	}
	var err error
	box(params, lo+1, hi, values{}, func(at values) bool {
		violated := !box(locals, lo, hi, at, func(at values) bool { return !allHold(facts, at) || goal.truth(at) })
		passes := true
		m := Model{values: at, defs: s.defs}
		for _, c := range a.Check {
			passes = passes && m.satisfies(c.Formula())
		}
		switch {
		case a.Verdict == Proved && violated:
			err = fmt.Errorf("violated for %v", at)
		case a.Verdict == Conditional && passes && violated:
			err = fmt.Errorf("the check admits %v", at)
		case a.Verdict == Conditional && a.Exact && !passes && !violated:
			err = fmt.Errorf("the check rejects %v without need", at)
		}
		return err == nil
	})
	return err
}

func TestAnswersAreDeterministic(t *testing.T) {
	text := func(seed int64) string {
		g := &generator{rand.New(rand.NewSource(seed)), NewSystem(), []Var{"N", "x", "y"}, true}
		g.sys.Param("N")
		for range 3 {
			g.sys.When(g.condition(2).formula)
		}
		a := g.sys.Prove(g.condition(1).formula)
		return fmt.Sprint(a.Verdict, a.Check, a.Exact, a.Counter, a.Pinned)
	}
	for seed := range int64(60) {
		if first, second := text(seed), text(seed); first != second {
			t.Errorf("seed %d: %s, then %s", seed, first, second)
		}
	}
}
