package access

import (
	"slices"
	"strconv"

	"imgc/diag"
	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/types"
)

// An analysis turns the scopes and expressions of one pipeline into questions to the prover.
type analysis struct {
	p     *hast.Pipeline
	diags *diag.List
	root  *scope        // before the first step
	sys   *prove.System // what holds at entry

	// linear is sys without what it says of products of sizes. That is costly to reason with, so that a question gets only
	// what it speaks of, from products.
	linear   *prove.System
	products []prove.Formula

	symbols  map[prove.Var]*symbol
	names    map[*hast.Var]prove.Lin         // values of parameters, iterators and loop variables
	counts   map[*hast.Var]prove.Var         // the variable in which the prover counts an iterator
	keyed    map[string]prove.Lin            // hidden values by what they are computed from
	limits   map[prove.Var]interval.Interval // of defined variables
	said     map[string]bool                 // what holds at entry, as text
	proofs   map[asked]int                   // what was asked of scopes that range
	entry    map[prove.Var]bool              // what extents, bounds of stages and assumptions speak of
	checks   *checks                         // what the entry is to test
	bound    *bounded                        // the host expression that is being evaluated, if what may leave i32 is to get a check
	proved   map[*store][]prove.Lin          // coordinates that are proved to be in range
	faulty   map[*hast.Image]bool            // images with writes that were reported of the stage at hand
	borders  map[*hast.Border]bool           // by formula, whose values have been looked at
	stores   map[*hast.Image]int             // how many write a device scalar
	device   map[*hast.Image]*computed
	levels   []*hast.Levels // of the traverses
	claims   hast.Claims    // nil where nobody asks
	rounding []*hast.Var    // of loops of the host that go through all of their rounds
}

// A symbol is what is known about a variable of the prover's that has no definition.
type symbol struct {
	v      *hast.Var // nil for a hidden value
	text   string    // what it is called in messages
	limits interval.Interval
	facts  []prove.Formula // of a hidden value, beside the limits
	origin hast.Expr       // how the host computes it at entry; nil in a body, and of what is not known then
	shared bool            // one value for all instances of a stage, not known at entry
}

// newAnalysis declares the parameters of p; nil stands for no pipeline, as for funcs.
func newAnalysis(p *hast.Pipeline, diags *diag.List) *analysis {
	a := &analysis{
		p: p, diags: diags, root: &scope{host: p != nil}, sys: prove.NewSystem(),
		symbols: map[prove.Var]*symbol{}, names: map[*hast.Var]prove.Lin{}, counts: map[*hast.Var]prove.Var{},
		keyed: map[string]prove.Lin{}, limits: map[prove.Var]interval.Interval{}, entry: map[prove.Var]bool{},
		said: map[string]bool{}, proofs: map[asked]int{}, proved: map[*store][]prove.Lin{}, faulty: map[*hast.Image]bool{}, borders: map[*hast.Border]bool{},
	}
	a.checks = &checks{a: a}
	a.linear = a.sys.Fork()
	if p == nil {
		return a
	}
	a.stores, a.device = countStores(p), map[*hast.Image]*computed{}
	for _, s := range p.Sizes {
		limits := interval.Between(ops.FloorQuotient(s.Mul-s.Add, s.Mul), ops.FloorQuotient(hast.MaxExtent-s.Add, s.Mul))
		a.parameter(s.Var, limits)
	}
	for _, q := range p.Params {
		if q.Scalar != nil && q.Dir == hast.In && tracked(q.Scalar) {
			a.parameter(q.Scalar, interval.OfKind(q.Scalar.Type.Kind))
		}
	}
	return a
}

// tracked reports whether the prover can speak of the values of v.
func tracked(v *hast.Var) bool {
	return v.Type.IsScalar() && (v.Type.Kind.IsInt() || v.Type.Kind == types.Bool)
}

// parameter declares a variable that is known at entry.
func (a *analysis) parameter(v *hast.Var, limits interval.Interval) {
	l := a.symbol(&symbol{v: v, text: v.Name, limits: limits, origin: &hast.Ref{Typed: hast.Typed{T: v.Type, At: v.At}, Var: v}})
	a.names[v] = l
	a.atEntry(l)
}

// symbol makes a variable of the prover's. Its name is the text made unique, so that the prover's own output can be read.
func (a *analysis) symbol(s *symbol) prove.Lin {
	base := s.text
	if s.v == nil {
		base = "value" // texts of expressions may look like the prover's definitions
	}
	name := prove.Var(base)
	for n := 2; a.symbols[name] != nil || s.v == nil && n == 2; n++ {
		name = prove.Var(base + "#" + strconv.Itoa(n))
	}
	a.symbols[name] = s
	a.limits[name] = s.limits
	return prove.V(name)
}

// atEntry declares a symbol to be known at entry, and what is known about it.
func (a *analysis) atEntry(l prove.Lin) {
	name := l.Terms()[0].Var
	s := a.symbols[name]
	a.sys.Param(name)
	a.linear.Param(name)
	a.given(factsOf(s.limits, l)...)
	a.given(s.facts...)
}

// given adds facts that hold at entry, each once: images share their extents.
func (a *analysis) given(facts ...prove.Formula) {
	for _, f := range facts {
		said := f.String()
		if a.said[said] {
			continue
		}
		a.said[said] = true
		a.sys.Given(f)
		if len(a.productsIn(f)) > 0 {
			a.products = append(a.products, f)
		} else {
			a.linear.Given(f)
		}
	}
}

// productsIn lists the products that a formula speaks of, definitions included.
func (a *analysis) productsIn(f prove.Formula) []prove.Var {
	seen := map[prove.Var]bool{}
	eachVariable(f, a.baseVariables(seen))
	var out []prove.Var
	for v := range seen {
		if d, ok := a.sys.Def(v); ok && d.Op == prove.Product {
			out = append(out, v)
		}
	}
	return out
}

// aboutProducts selects what is known at entry about products in a question: what speaks of one that occurs, or equates one
// with a number that occurs. Leaving facts out is safe; it can only lose a proof.
func (a *analysis) aboutProducts(formulas []prove.Formula) []prove.Formula {
	if len(a.products) == 0 {
		return nil
	}
	seen := map[prove.Var]bool{}
	visit := a.baseVariables(seen)
	for _, f := range formulas {
		eachVariable(f, visit)
	}
	var out []prove.Formula
	left := slices.Clone(a.products)
	for found := true; found; {
		found = false
		left = slices.DeleteFunc(left, func(f prove.Formula) bool {
			touches := false
			eachVariable(f, func(v prove.Var) { touches = touches || seen[v] })
			if touches {
				found = true
				out = append(out, f)
				eachVariable(f, visit)
			}
			return touches
		})
	}
	return out
}

// question is a system of everything that holds in a scope and about the formulas that are to be asked about. With exact
// set, point lists are taken point by point instead of by their bounding boxes.
func (a *analysis) question(s *scope, exact bool, about ...prove.Formula) *prove.System {
	path := a.path(s, exact)
	hidden := a.hiddenFacts(slices.Concat(about, path))
	sys := a.linear.Fork()
	sys.Given(a.aboutProducts(slices.Concat(about, path, hidden))...)
	sys.When(path...)
	sys.When(hidden...)
	return sys
}

// What was asked: whether a formula holds in a scope that ranges, or at the entry.
type asked struct {
	scope   *scope
	formula string
}

// established is the entry in analysis.proofs of what is proved. Of others it is how much was known at entry then: what is proved stays so,
// what is not may be proved once more is known.
const established = -1

// holds reports whether f is proved in a scope. What holds wherever the variables of the ranges around it are holds under every condition
// in there, too: that is asked first and remembered, so that many places under many conditions are one short question.
func (a *analysis) holds(s *scope, f prove.Formula) bool {
	return a.holdsAround(s, f) || s.conditional() && a.excludes(s, false, prove.Not(f))
}

// holdsAround is holds without the conditions in the innermost range.
func (a *analysis) holdsAround(s *scope, f prove.Formula) bool {
	q := asked{s.around(), f.String()}
	known, before := a.proofs[q]
	if before && (known == established || known == len(a.said)) {
		return known == established
	}
	known = len(a.said)
	if a.excludes(q.scope, false, prove.Not(f)) {
		known = established
	}
	a.proofs[q] = known
	return known == established
}

// excludes reports whether f is proved to be false in a scope.
func (a *analysis) excludes(s *scope, exact bool, f prove.Formula) bool {
	sys := a.question(s, exact, f)
	sys.When(f)
	return sys.Infeasible()
}

// hiddenFacts lists what is known about the hidden values in the formulas, and in these facts in turn.
func (a *analysis) hiddenFacts(formulas []prove.Formula) []prove.Formula {
	var out []prove.Formula
	seen := map[prove.Var]bool{}
	var visit func(v prove.Var)
	visit = func(v prove.Var) {
		if seen[v] {
			return
		}
		seen[v] = true
		if d, ok := a.sys.Def(v); ok {
			eachDefVariable(d, visit)
			return
		}
		s := a.symbols[v]
		if s == nil || s.v != nil || s.origin != nil {
			return
		}
		facts := append(factsOf(s.limits, prove.V(v)), s.facts...)
		out = append(out, facts...)
		for _, f := range s.facts {
			eachVariable(f, visit)
		}
	}
	for _, f := range formulas {
		eachVariable(f, visit)
	}
	return out
}

// eachVariable calls visit for every variable of a formula.
func eachVariable(f prove.Formula, visit func(prove.Var)) {
	switch f := f.(type) {
	case prove.And:
		for _, g := range f {
			eachVariable(g, visit)
		}
	case prove.Or:
		for _, g := range f {
			eachVariable(g, visit)
		}
	case prove.Atom:
		for _, t := range f.Lin.Terms() {
			visit(t.Var)
		}
	}
}

func eachDefVariable(d prove.Def, visit func(prove.Var)) {
	for _, arg := range d.Args {
		for _, t := range arg.Terms() {
			visit(t.Var)
		}
	}
	if d.Cond != nil {
		eachVariable(d.Cond, visit)
	}
}

// path lists the facts of a scope from the entry down, of conditions those of the innermost.
func (a *analysis) path(s *scope, exact bool) []prove.Formula {
	var out []prove.Formula
	for _, f := range s.saying() {
		a.translate(f)
		out = append(out, f.facts...)
		if exact {
			out = append(out, f.exact...)
		}
	}
	return out
}

// translate fills in the facts of a frame.
func (a *analysis) translate(s *scope) {
	if !s.hasFacts {
		s.facts, s.exact = a.frameFacts(s)
		s.hasFacts = true
	}
}

// frameFacts is what one frame adds, and what it adds when point lists are to be exact.
func (a *analysis) frameFacts(s *scope) (facts, exact []prove.Formula) {
	switch f := s.frame.(type) {
	case condition:
		t := a.truth(f.cond, s.up)
		if !f.holds {
			t = prove.Not(t)
		}
		return []prove.Formula{t}, nil
	case ranging:
		if f.space.Points != nil {
			return a.pointFacts(f.space)
		}
		for i, v := range f.space.Vars {
			facts = append(facts, a.rangeFacts(v, f.space.Ranges[i], s.up)...)
		}
	}
	return facts, nil
}

// rangeFacts makes v known as an iterator and says where it runs.
func (a *analysis) rangeFacts(v *hast.Var, r hast.Range, s *scope) []prove.Formula {
	lo, hi := a.exact(r.Lo, s), a.exact(r.Hi, s)
	value := a.iterator(v, r, lo, hi)
	if s.host && v.Class == hast.HostLoop {
		a.constantly(prove.V(a.counts[v]))
	}
	if r.Step == 1 {
		return []prove.Formula{prove.GE(value, lo), prove.LT(value, hi)}
	}
	count := prove.GE(prove.V(a.counts[v]), prove.K(0))
	if r.Step < 0 {
		return []prove.Formula{count, prove.GT(value, hi)}
	}
	return []prove.Formula{count, prove.LT(value, hi)}
}

// iterator is the value of v, which runs over a range: a variable of its own, or for another step than 1 the first value and
// a count of steps.
func (a *analysis) iterator(v *hast.Var, r hast.Range, lo, hi prove.Lin) prove.Lin {
	if value, ok := a.names[v]; ok {
		return value
	}
	first, last := a.intervalOf(lo), a.intervalOf(hi)
	var value prove.Lin
	switch {
	case r.Step == 1:
		limits, _ := interval.Counting(first, last, 1)
		value = a.symbol(&symbol{v: v, text: v.Name, limits: limits})
		a.counts[v] = value.Terms()[0].Var
	default:
		span := last.Minus(first)
		if r.Step < 0 {
			span = first.Minus(last)
		}
		longest := interval.Between(0, max(span.Minus(interval.Point(1)).Hi, 0))
		steps := a.symbol(&symbol{v: v, text: v.Name, limits: interval.Unbounded(ops.Div, longest, interval.Point(max(r.Step, -r.Step)))})
		a.counts[v] = steps.Terms()[0].Var
		value = lo.Add(steps.Scale(r.Step))
	}
	a.names[v] = value
	return value
}
