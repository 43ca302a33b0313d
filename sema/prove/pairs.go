package prove

import "maps"

// Access is a pixel that an instance of an iteration touches: the facts under which it does so, and the coordinates.
// Coordinates may contain local variables beside the iterators, such as the offsets within a block that is written.
type Access struct {
	Facts *System
	Index []Lin
}

// Distinct asks whether a and b are different pixels for any two instances that differ in an iterator. The variables of
// the second instance are primed (see Prime); parameters and shared variables have one value in both. More facts about
// the two may be given, such as EQ(V("x"), V(Prime("x"))) for instances of one step of a scan along x.
func Distinct(iterators []Var, a, b Access, facts ...Formula) Answer {
	// Which iterator is the first to differ, and in which direction, are the cases of the proof.
	var orders Or
	for i, v := range iterators {
		for _, differs := range []Formula{LT(V(v), V(Prime(v))), GT(V(v), V(Prime(v)))} {
			order := And{}
			for _, u := range iterators[:i] {
				order = append(order, EQ(V(u), V(Prime(u))))
			}
			orders = append(orders, append(order, differs))
		}
	}
	return apart(a, b, append([]Formula{orders}, facts...))
}

// Apart asks whether a and b are different pixels for any two instances, equal ones included.
func Apart(a, b Access, facts ...Formula) Answer { return apart(a, b, facts) }

func apart(a, b Access, facts []Formula) Answer {
	both := a.Facts.Fork()
	maps.Copy(both.defs, b.Facts.defs) // of the same table mostly; names are canonical, so nothing changes its meaning
	for v, as := range b.Facts.scopes {
		both.scopes[v] = max(both.scopes[v], as)
	}
	second := func(e Lin) Lin { return both.primed(e) }
	for _, f := range b.Facts.given {
		both.Given(f.mapped(second))
	}
	for _, f := range b.Facts.when {
		both.When(f.mapped(second))
	}
	both.When(facts...)
	var same And
	for i := range min(len(a.Index), len(b.Index)) {
		same = append(same, EQ(a.Index[i], second(b.Index[i])))
	}
	return both.Prove(Not(same))
}

// primed returns the expression for the second instance.
func (s *System) primed(e Lin) Lin {
	if e.unknown {
		return e
	}
	sum := K(e.constant)
	for _, t := range e.terms {
		sum = sum.addScaled(s.primedVar(t.Var), t.Coef)
	}
	return sum
}

func (s *System) primedVar(v Var) Lin {
	if s.scopeOf(v) != local {
		return V(v)
	}
	d, defined := s.defs[v]
	if !defined {
		return V(Prime(v))
	}
	args := make([]Lin, len(d.Args))
	for i, a := range d.Args {
		args[i] = s.primed(a)
	}
	if d.Cond != nil {
		d.Cond = d.Cond.mapped(s.primed)
	}
	return s.apply(d, args)
}
