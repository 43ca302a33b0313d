package prove

import (
	"maps"
	"slices"
)

// scope says how far the value of a variable reaches.
type scope uint8

const (
	local  scope = iota // of one instance of an iteration
	shared              // the same in all instances, not known at entry
	param               // the same in all instances and known at entry
)

// System is a set of facts about integer variables. Facts only ever grow; Fork gives a copy that grows by itself, which
// is how nested conditions are entered. Variables that are not declared are local: each instance of an iteration has
// its own. A System is not safe for use by several goroutines, nor are its forks together.
type System struct {
	defs   table
	scopes map[Var]scope
	given  []Formula
	when   []Formula
}

// NewSystem returns a system without facts.
func NewSystem() *System {
	return &System{defs: table{}, scopes: map[Var]scope{}}
}

// Fork returns a copy. Definitions (Div, Min, ...) may be made on either and mean the same in both.
func (s *System) Fork() *System {
	return &System{
		defs:   s.defs,
		scopes: maps.Clone(s.scopes),
		given:  slices.Clip(slices.Clone(s.given)),
		when:   slices.Clip(slices.Clone(s.when)),
	}
}

// Param declares variables that are known when the program is entered: sizes and scalar parameters. What an obligation
// needs of them becomes the Check of its Answer.
func (s *System) Param(vs ...Var) { s.declare(param, vs) }

// Shared declares variables that have one value in all instances of an iteration but are not known at entry, such as
// the variable of a loop around it.
func (s *System) Shared(vs ...Var) { s.declare(shared, vs) }

func (s *System) declare(as scope, vs []Var) {
	for _, v := range vs {
		s.scopes[v] = as
	}
}

// Given adds facts that hold, or are checked, before anything runs: extents of at least 1, assumptions, the intervals
// of parameters' types.
func (s *System) Given(facts ...Formula) { s.given = append(s.given, facts...) }

// When adds facts that hold where the access in question is made, and only there: the ranges of iterators, where
// clauses, enclosing conditions, their negations in the else branch, intervals of values that were read.
func (s *System) When(facts ...Formula) { s.when = append(s.when, facts...) }

// scopeOf is local if anything that v is computed from is local, else shared if anything is.
func (s *System) scopeOf(v Var) scope {
	d, defined := s.defs[v]
	if !defined {
		return s.scopes[v]
	}
	widest := param
	d.variables(func(u Var) { widest = min(widest, s.scopeOf(u)) })
	return widest
}

// isParam reports whether everything in the formula is known at entry.
func (s *System) isParam(f Formula) bool {
	all := true
	f.variables(func(v Var) { all = all && s.scopeOf(v) == param })
	return all
}

func (d Def) variables(yield func(Var)) {
	for _, a := range d.Args {
		Atom{Lin: a}.variables(yield)
	}
	if d.Cond != nil {
		d.Cond.variables(yield)
	}
}

// facts lists all facts, and the conditions asked about.
func (s *System) facts(asked ...Formula) []Formula { return slices.Concat(s.given, s.when, asked) }

// givenParams lists the facts that hold at entry and speak of parameters only.
func (s *System) givenParams(asked ...Formula) []Formula {
	var out []Formula
	for _, f := range s.given {
		if s.isParam(f) {
			out = append(out, f)
		}
	}
	return append(out, asked...)
}

// closure adds to the formulas what follows from the definitions of the variables in them, and in these in turn.
func (t table) closure(formulas []Formula) (facts []Formula, vars []Var) {
	seen := map[Var]bool{}
	note := func(v Var) {
		if !seen[v] {
			seen[v] = true
			vars = append(vars, v)
		}
	}
	facts = slices.Clip(formulas)
	for _, f := range formulas {
		f.variables(note)
	}
	for i := 0; i < len(vars); i++ { // vars grows meanwhile
		if d, ok := t[vars[i]]; ok {
			fact := definitions[d.Op].facts(V(vars[i]), d)
			facts = append(facts, fact)
			fact.variables(note)
			d.variables(note)
		}
	}
	slices.Sort(vars)
	return facts, vars
}

// Infeasible reports whether the facts are proved to contradict each other: what stands under them never runs. False
// says that there is no proof, not that there is none to be had.
func (s *System) Infeasible() bool {
	verdict, _ := s.decide(s.facts())
	return verdict == infeasible
}

// Model returns values that satisfy all facts, small ones where there is a choice. They are checked against every fact
// before they are returned.
func (s *System) Model() (Model, bool) {
	verdict, m := s.decide(s.facts())
	return m, verdict == feasible
}
