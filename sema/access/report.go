package access

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/source"
)

// illustrative is the size from which on a counterexample shows more than a corner case.
const illustrative = 8

// counterexample looks for values that violate f, sizes of a usual image where there are any.
func (a *analysis) counterexample(s *scope, f prove.Formula, answer prove.Answer) *prove.Model {
	negated := prove.Not(f)
	sys := a.question(s, a.hasPoints(s), negated)
	sys.When(negated)
	if m := a.usual(sys); m != nil {
		return m
	}
	return answer.Counter
}

// usual is a model with sizes of a usual image, if there is one.
func (a *analysis) usual(sys *prove.System) *prove.Model {
	if a.p == nil || len(a.p.Sizes) == 0 {
		return nil
	}
	sys = sys.Fork()
	for _, s := range a.p.Sizes {
		sys.Given(prove.GE(a.names[s.Var], prove.K(illustrative)))
	}
	if m, ok := sys.Model(); ok {
		return &m
	}
	return nil
}

// reportRead says for which values a read leaves its image, or what is known of an index that is not linear.
func (a *analysis) reportRead(r *read, failed *demand) {
	subscripts := make([]hast.Expr, len(r.axes))
	for k, ax := range r.axes {
		subscripts[k] = ax.coord.X
	}
	o := outside{
		a: a, image: r.image, index: subscripts, scope: r.scope, at: r.at, text: r.text(), failed: failed,
		verb: "reads", certain: diag.ReadOutside, unknown: diag.ReadUnknown,
	}
	d := o.report()
	if r.stage != nil {
		d.Note("add border(%s: clamp) to the iterate, or give %s a border rule", declaredAs(r.image), declaredAs(r.image))
	}
	if d.Code == diag.ReadUnknown {
		if b, ok := subscripts[failed.axis].(*hast.Op); ok && b.Op == ops.Rem {
			d.Note("%% takes the sign of what is divided: write mod(%s, %s), or the index alone with border(%s: repeat)",
				text(b.Args[0]), text(b.Args[1]), declaredAs(r.image))
		}
		d.Note("or bring the index into range: clamp(%s, 0, %s)", text(subscripts[failed.axis]), lastIndex(r.image, failed.axis))
	}
}

// outside is an access without a rule that can leave its image.
type outside struct {
	a                *analysis
	image            *hast.Image
	index            []hast.Expr
	scope            *scope
	at               source.Span
	text             string
	failed           *demand
	verb             string // "reads"
	certain, unknown diag.Code
}

func (o *outside) report() *diag.Diagnostic {
	a, k := o.a, o.failed.axis
	values := a.valueList(o.scope, o.failed.value, o.failed.must.Lin)
	if hidden := a.hiddenIn(o.failed.value); hidden != nil {
		return o.reportUnknown(hidden)
	}
	if hidden := a.hiddenBound(o.scope, o.failed); hidden != nil {
		return o.reportUnknown(hidden)
	}
	m := a.counterexample(o.scope, o.failed.must, o.failed.answer)
	if m == nil {
		return o.reportUnknown(nil)
	}
	at, _ := m.Value(o.failed.value)
	shown := make([]string, len(o.index))
	for i, e := range o.index {
		shown[i] = text(e)
	}
	shown[k] = strconv.FormatInt(at, 10)
	pixel := o.image.Name + brackets(shown)
	d := a.diags.Errorf(o.certain, o.at, "%sthis %s %s", forValues(values, m), o.verb, pixel)
	d.Mark("outside of %s", o.image.Name)
	return d
}

// reportUnknown says what is known of an index.
func (o *outside) reportUnknown(hidden *symbol) *diag.Diagnostic {
	a, k := o.a, o.failed.axis
	d := a.diags.Errorf(o.unknown, o.at, "cannot prove that %s stays inside %s", o.text, o.image.Name)
	iv := a.intervalOf(o.failed.value)
	d.Note("the index %s is %s, and axis %d of %s has the indices %s", text(o.index[k]), shown(iv), k, o.image.Name, indices(o.image, k))
	if hidden != nil && hidden.text != text(o.index[k]) {
		d.Note("nothing but %s is known of %s", shown(hidden.limits), hidden.text)
	}
	return d
}

// shown is how messages show an interval.
func shown(iv interval.Interval) string {
	switch {
	case iv.Lo < told.Lo && iv.Hi > told.Hi:
		return "any number"
	case iv == i32Interval:
		return "any i32"
	case iv.Lo < told.Lo:
		return fmt.Sprintf("at most %d", iv.Hi)
	case iv.Hi > told.Hi:
		return fmt.Sprintf("at least %d", iv.Lo)
	case iv.Lo == iv.Hi:
		return strconv.FormatInt(iv.Lo, 10)
	}
	return fmt.Sprintf("%d to %d", iv.Lo, iv.Hi)
}

func indices(image *hast.Image, k int) string {
	lo := int64(0)
	if image.Lower != nil {
		lo = image.Lower[k]
	}
	return fmt.Sprintf("%d to %s", lo, lastIndex(image, k))
}

func lastIndex(image *hast.Image, k int) string {
	extent := image.Extent[k]
	lo := int64(-1)
	if image.Lower != nil {
		lo += image.Lower[k]
	}
	if c, ok := extent.(*hast.Const); ok {
		return strconv.FormatInt(c.Words[0].Int()+lo, 10)
	}
	if lo < 0 {
		return fmt.Sprintf("%s - %d", text(extent), -lo)
	}
	return fmt.Sprintf("%s + %d", text(extent), lo)
}

// hiddenIn finds a value in an expression that was not computed from iterators and parameters.
func (a *analysis) hiddenIn(l prove.Lin) *symbol {
	seen := map[prove.Var]bool{}
	eachVariable(prove.Atom{Lin: l}, a.baseVariables(seen))
	var names []prove.Var
	for v := range seen {
		if s := a.symbols[v]; s != nil && s.v == nil && s.origin == nil {
			names = append(names, v)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return a.symbols[slices.Min(names)]
}

// hiddenBound finds such a value in a bound of a range whose variable may fail a demand for it: the first of the range where smaller
// values fail, else the last.
func (a *analysis) hiddenBound(s *scope, d *demand) *symbol {
	seen := map[prove.Var]bool{}
	visit := a.baseVariables(seen)
	eachVariable(d.must, visit)
	for ; s != nil; s = s.up {
		f, ok := s.frame.(ranging)
		if !ok || f.space.Points != nil {
			continue
		}
		for i, v := range f.space.Vars {
			if !seen[a.counts[v]] {
				continue
			}
			bounds := []hast.Expr{f.space.Ranges[i].Lo, f.space.Ranges[i].Hi}
			switch coef := d.must.Lin.Coef(a.counts[v]); {
			case coef > 0:
				bounds = bounds[:1]
			case coef < 0:
				bounds = bounds[1:]
			}
			for _, x := range bounds {
				l := a.exact(x, s.up)
				if hidden := a.hiddenIn(l); hidden != nil {
					return hidden
				}
				eachVariable(prove.Atom{Lin: l}, visit)
			}
		}
	}
	return nil
}

// A listed variable is one whose value a counterexample shows.
type listed struct {
	name  string
	value prove.Lin
}

// valueList lists the variables that expressions depend on: parameters, host values, then iterators from the outside in.
func (a *analysis) valueList(s *scope, on ...prove.Lin) []listed {
	seen := map[prove.Var]bool{}
	for _, l := range on {
		eachVariable(prove.Atom{Lin: l}, a.baseVariables(seen))
	}
	var out []listed
	add := func(v *hast.Var, counter prove.Var) {
		if seen[counter] {
			out = append(out, listed{v.Name, a.names[v]})
		}
	}
	for _, v := range a.parameters() {
		add(v, a.names[v].Terms()[0].Var)
	}
	out = append(out, a.hostValues(seen)...)
	for _, v := range iterators(s) {
		add(v, a.counts[v])
	}
	return out
}

// hostValues lists what the host computes in another way than linear.
func (a *analysis) hostValues(seen map[prove.Var]bool) []listed {
	var out []listed
	for v := range seen {
		if s := a.symbols[v]; s != nil && s.v == nil && s.origin != nil {
			out = append(out, listed{s.text, prove.V(v)})
		}
	}
	slices.SortFunc(out, func(p, q listed) int { return strings.Compare(p.name, q.name) })
	return out
}

// parameters lists the sizes and scalars that the prover knows.
func (a *analysis) parameters() []*hast.Var {
	var out []*hast.Var
	if a.p == nil {
		return nil
	}
	for _, s := range a.p.Sizes {
		out = append(out, s.Var)
	}
	for _, q := range a.p.Params {
		if q.Scalar != nil && len(a.names[q.Scalar].Terms()) > 0 {
			out = append(out, q.Scalar)
		}
	}
	return out
}

// iterators lists the iterators and loop variables of a scope from the outside in.
func iterators(s *scope) []*hast.Var {
	var out []*hast.Var
	for ; s != nil; s = s.up {
		if f, ok := s.frame.(ranging); ok {
			out = append(slices.Clone(f.space.Vars), out...)
		}
	}
	return out
}

// forValues is "for W = 8, x = 7 ", empty if there is nothing to list.
func forValues(list []listed, m *prove.Model) string {
	var shown []string
	for _, l := range list {
		if x, ok := m.Value(l.value); ok {
			shown = append(shown, fmt.Sprintf("%s = %d", l.name, x))
		}
	}
	if len(shown) == 0 {
		return ""
	}
	return "for " + strings.Join(shown, ", ") + " "
}
