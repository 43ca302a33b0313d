package prove

import "slices"

// Limits on what is derived for products.
const (
	maxProductFacts = 120 // inequalities for one conjunction
	maxFixed        = 3   // factors fixed at once in the search for a model
	maxFixings      = 400 // combinations of values tried for one question
	widestFactor    = 4   // variables in a fact that is multiplied with another
)

// fixedValues are tried for the factors of products: sizes of small images, then what else is small.
var fixedValues = []int64{1, 2, 3, 4, 5, 6, 7, 8, 0, -1, -2}

// productFacts multiplies facts with each other: from f >= 0 and g >= 0 follows f*g >= 0, which is linear once every
// product of variables in it has a name. This gives the signs and bounds of products (H*W >= 1, y*W + x < H*W). Only
// those are derived that speak of products that occur already.
func (q *question) productFacts(atoms []Atom) []Atom {
	var out []Atom
	products := q.products()
	if len(products) == 0 {
		return nil
	}
	factor := map[Var]bool{}
	for _, p := range products {
		for _, f := range q.sys.defs.factors(p) {
			factor[f] = true
		}
	}
	var sides []Lin // >= 0, about factors
	for _, a := range atoms {
		relevant := slices.ContainsFunc(a.Lin.terms, func(t Term) bool { return factor[t.Var] })
		if !relevant || len(a.Lin.terms) > widestFactor {
			continue
		}
		sides = append(sides, a.Lin)
		if a.Rel == Zero {
			sides = append(sides, a.Lin.Neg())
		}
	}
	for i, f := range sides {
		for _, g := range sides[i:] {
			p, ok := q.sys.defs.product(f, g, false)
			if !ok || p.unknown || !q.has(p) {
				continue
			}
			if out = append(out, Atom{p, NonNegative}); len(out) >= maxProductFacts {
				return out
			}
		}
	}
	return out
}

// products lists the variables of the question that are products.
func (q *question) products() []Var {
	var out []Var
	for _, v := range q.vars {
		if q.sys.isProduct(v) {
			out = append(out, v)
		}
	}
	return out
}

func (s *System) isProduct(v Var) bool {
	d, defined := s.defs[v]
	return defined && d.Op == Product
}

// has reports whether all variables of an expression occur in the question.
func (q *question) has(e Lin) bool {
	return !slices.ContainsFunc(e.terms, func(t Term) bool { return q.columns[t.Var] == 0 })
}

// fixProducts looks for a model where the linear view of products does not give a true one: it fixes factors at small
// values until every product has at most one factor left and so is linear.
func (q *question) fixProducts(c *cases) (verdict, Model) {
	products := q.products()
	if q.fixing || len(products) == 0 {
		return undecided, Model{}
	}
	q.fixing = true
	defer func() { q.fixing = false }()
	fixed := q.factorsToFix(products)
	if len(fixed) > maxFixed {
		return undecided, Model{}
	}
	tries := 1
	for range fixed {
		tries *= len(fixedValues)
	}
	for n := range tries {
		if q.fixings--; q.fixings < 0 {
			break
		}
		values := map[Var]int64{}
		rest := n
		for _, v := range fixed {
			values[v] = fixedValues[rest%len(fixedValues)]
			rest /= len(fixedValues)
		}
		q.omega.work, q.splits = maxCombinations, maxSplits/4
		if found, m := q.decide(q.linearised(c, products, fixed, values)); found == feasible {
			return feasible, m
		}
	}
	return undecided, Model{}
}

// factorsToFix chooses, parameters first, variables without which no product has more than one factor.
func (q *question) factorsToFix(products []Var) []Var {
	var fixed []Var
	for _, p := range products {
		var free []Var
		for _, f := range q.sys.defs.factors(p) {
			if !slices.Contains(fixed, f) {
				free = append(free, f)
			}
		}
		slices.SortStableFunc(free, func(a, b Var) int { return int(q.sys.scopeOf(b)) - int(q.sys.scopeOf(a)) })
		for i := 0; i+1 < len(free); i++ {
			if !slices.Contains(fixed, free[i]) {
				fixed = append(fixed, free[i])
			}
		}
		if len(free) == 2 && free[0] == free[1] && !slices.Contains(fixed, free[0]) {
			fixed = append(fixed, free[0])
		}
	}
	return fixed
}

// linearised adds the values of factors, and the products as multiples of the one factor that is left.
func (q *question) linearised(c *cases, products, fixed []Var, values map[Var]int64) *cases {
	next := &cases{atoms: append([]Atom(nil), c.atoms...), ors: c.ors}
	for _, v := range fixed {
		next.add(EQ(V(v), K(values[v])))
	}
	for _, p := range products {
		e := K(1)
		for _, f := range q.sys.defs.factors(p) {
			if x, ok := values[f]; ok {
				e = e.Scale(x)
			} else {
				e = V(f).Scale(e.constant)
			}
		}
		next.add(EQ(V(p), e))
	}
	return next
}
