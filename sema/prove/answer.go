package prove

import (
	"slices"
	"strings"
)

// Verdict is the outcome of an obligation.
type Verdict uint8

// The verdicts.
const (
	// Unproved: neither a proof nor a counterexample was found.
	Unproved Verdict = iota
	// Proved: the obligation follows from the facts.
	Proved
	// Conditional: it follows if Check holds, which speaks of parameters only, and there are parameters for which it
	// does and the access is made.
	Conditional
	// Refuted: Counter satisfies the facts and violates the obligation, and no check at entry was found that would exclude
	// that and still let the access be made.
	Refuted
)

var verdictNames = [...]string{Unproved: "unproved", Proved: "proved", Conditional: "conditional", Refuted: "refuted"}

func (v Verdict) String() string { return verdictNames[v] }

// Clause is a condition on parameters of which one part must hold. Variables in it that have a Def are computed from
// parameters.
type Clause []Atom

// Formula returns the clause as a formula.
func (c Clause) Formula() Formula {
	or := make(Or, len(c))
	for i, a := range c {
		or[i] = a
	}
	return or
}

// String prints the clause: "W >= 2", "W <= 3 || N >= W + 1".
func (c Clause) String() string {
	texts := make([]string, len(c))
	for i, a := range c {
		texts[i] = a.String()
	}
	return strings.Join(texts, " || ")
}

// Answer is the outcome of an obligation with its grounds.
type Answer struct {
	Verdict Verdict

	// Check must hold at entry, every clause of it, if the verdict is Conditional. It is sufficient always.
	Check []Clause

	// Exact says that nothing was lost on the way. For Conditional: parameters that fail the check do lead to a violation,
	// so that the check is needed, not merely sufficient. For Refuted: Counter is a true counterexample; without Exact it
	// satisfies what could be expressed of the facts.
	Exact bool

	// Counter is an instance that violates the obligation: of Refuted always, of Conditional one that fails the check, nil
	// where none was found.
	Counter *Model

	// Pinned lists parameters for which Check leaves one value only wherever the access is made, such as H in H <= 1 where
	// H >= 1 is given: formally a check at entry, most likely a mistake.
	Pinned []Var
}

// Prove asks whether a condition follows from the facts.
func (s *System) Prove(obligation Formula) Answer {
	negation := Not(obligation)
	facts := s.facts(negation)
	found, counter := s.decide(facts)
	if found == infeasible {
		return Answer{Verdict: Proved, Exact: true}
	}
	if vague(obligation) {
		return Answer{Verdict: Unproved}
	}
	answer := Answer{Verdict: Unproved}
	if found == feasible {
		answer = Answer{Verdict: Refuted, Counter: &counter, Exact: !slices.ContainsFunc(facts, vague)}
	}
	check, exact, ok := s.residual(negation)
	if !ok || len(check) == 0 {
		return answer
	}
	if conditions := formulas(check); s.impossible(s.facts(conditions...)) {
		return answer // the check would forbid the access altogether
	}
	answer.Verdict, answer.Check = Conditional, check
	answer.Exact = exact && found == feasible
	answer.Pinned = s.pinned(check)
	return answer
}

func formulas(check []Clause) []Formula {
	var out []Formula
	for _, c := range check {
		out = append(out, c.Formula())
	}
	return out
}

// pinned lists the parameters in the check that have one value only under the facts and the check.
func (s *System) pinned(check []Clause) []Var {
	conditions := s.facts(formulas(check)...)
	found, m := s.decide(conditions)
	if found != feasible {
		return nil
	}
	var out []Var
	for _, v := range m.Vars() {
		value, _ := m.Value(V(v))
		mentioned := false
		And(formulas(check)).variables(func(u Var) { mentioned = mentioned || u == v })
		if mentioned && s.scopeOf(v) == param && s.impossible(append(slices.Clip(conditions), NE(V(v), K(value)))) {
			out = append(out, v)
		}
	}
	return out
}

// InRange asks whether lo <= e < hi.
func (s *System) InRange(e, lo, hi Lin) Answer { return s.Prove(In(e, lo, hi)) }
