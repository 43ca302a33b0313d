package prove

import (
	"slices"
	"strings"
)

// Formula is a condition over linear expressions: an Atom, And, Or, or Maybe. Not is a function, not a node, because it
// is carried through to the atoms at once.
type Formula interface {
	String() string
	negated() Formula
	// mapped applies f to every expression.
	mapped(f func(Lin) Lin) Formula
	// variables calls yield for every variable, in order, repeats included.
	variables(yield func(Var))
	// holds evaluates the condition; known is false where it does not say.
	holds(value func(Lin) (int64, bool)) (truth, known bool)
}

// Rel relates an expression to zero.
type Rel uint8

// The relations of an Atom.
const (
	NonNegative Rel = iota // >= 0
	Zero                   // == 0
	NonZero                // != 0
)

// Atom is the condition "Lin Rel 0".
type Atom struct {
	Lin Lin
	Rel Rel
}

// And holds if all its parts do; the empty one always holds.
type And []Formula

// Or holds if one of its parts does; the empty one never holds.
type Or []Formula

type maybe struct{}

// True, False and Maybe are the constant conditions. Maybe is what a caller writes for a condition that linear
// arithmetic cannot express: as a fact it says nothing, as an obligation it is never proved, and so is its negation.
var (
	True  Formula = And{}
	False Formula = Or{}
	Maybe Formula = maybe{}
)

// GE is a >= b.
func GE(a, b Lin) Formula { return Atom{a.Sub(b), NonNegative} }

// GT is a > b.
func GT(a, b Lin) Formula { return GE(a, b.Plus(1)) }

// LE is a <= b.
func LE(a, b Lin) Formula { return GE(b, a) }

// LT is a < b.
func LT(a, b Lin) Formula { return GT(b, a) }

// EQ is a == b.
func EQ(a, b Lin) Formula { return Atom{a.Sub(b), Zero} }

// NE is a != b.
func NE(a, b Lin) Formula { return Atom{a.Sub(b), NonZero} }

// In is lo <= e < hi, the half-open range of the language.
func In(e, lo, hi Lin) Formula { return And{GE(e, lo), LT(e, hi)} }

// Between is lo <= e <= hi for constants, such as the interval of a type.
func Between(e Lin, lo, hi int64) Formula { return And{GE(e, K(lo)), LE(e, K(hi))} }

// Not is the negation.
func Not(f Formula) Formula { return f.negated() }

func (a Atom) negated() Formula {
	switch a.Rel {
	case NonNegative:
		return Atom{a.Lin.Neg().Plus(-1), NonNegative}
	case Zero:
		return Atom{a.Lin, NonZero}
	}
	return Atom{a.Lin, Zero}
}

func (f And) negated() Formula {
	or := make(Or, len(f))
	for i, part := range f {
		or[i] = part.negated()
	}
	return or
}

func (f Or) negated() Formula {
	and := make(And, len(f))
	for i, part := range f {
		and[i] = part.negated()
	}
	return and
}

func (maybe) negated() Formula { return Maybe }

func (a Atom) mapped(f func(Lin) Lin) Formula { return Atom{f(a.Lin), a.Rel} }
func (f And) mapped(g func(Lin) Lin) Formula  { return And(mapAll(f, g)) }
func (f Or) mapped(g func(Lin) Lin) Formula   { return Or(mapAll(f, g)) }
func (maybe) mapped(func(Lin) Lin) Formula    { return Maybe }

func mapAll(parts []Formula, f func(Lin) Lin) []Formula {
	out := make([]Formula, len(parts))
	for i, part := range parts {
		out[i] = part.mapped(f)
	}
	return out
}

func (a Atom) variables(yield func(Var)) {
	for _, t := range a.Lin.terms {
		yield(t.Var)
	}
}
func (f And) variables(yield func(Var)) { eachVariable(f, yield) }
func (f Or) variables(yield func(Var))  { eachVariable(f, yield) }
func (maybe) variables(func(Var))       {}

func eachVariable(parts []Formula, yield func(Var)) {
	for _, part := range parts {
		part.variables(yield)
	}
}

func (a Atom) holds(value func(Lin) (int64, bool)) (truth, known bool) {
	v, ok := value(a.Lin)
	switch a.Rel {
	case NonNegative:
		return v >= 0, ok
	case Zero:
		return v == 0, ok
	}
	return v != 0, ok
}

func (f And) holds(value func(Lin) (int64, bool)) (truth, known bool) {
	return decideAll(f, value, true)
}

func (f Or) holds(value func(Lin) (int64, bool)) (truth, known bool) {
	return decideAll(f, value, false)
}

func (maybe) holds(func(Lin) (int64, bool)) (truth, known bool) { return false, false }

// vague reports whether a condition contains something that linear arithmetic cannot express.
func vague(f Formula) bool {
	switch f := f.(type) {
	case Atom:
		return f.Lin.unknown
	case And:
		return slices.ContainsFunc(f, vague)
	case Or:
		return slices.ContainsFunc(f, vague)
	}
	return true
}

// decideAll evaluates a conjunction (all is true) or a disjunction: one part that differs from all decides, whatever is
// unknown elsewhere.
func decideAll(parts []Formula, value func(Lin) (int64, bool), all bool) (truth, known bool) {
	everyKnown := true
	for _, part := range parts {
		t, ok := part.holds(value)
		if ok && t != all {
			return t, true
		}
		everyKnown = everyKnown && ok
	}
	return all, everyKnown
}

// String prints the condition with all products on the side where they are positive: "W >= 2", "y + 1 <= 2*H".
func (a Atom) String() string {
	if a.Lin.unknown {
		return "?"
	}
	left, right := Lin{}, Lin{}
	for _, t := range a.Lin.terms {
		if t.Coef > 0 {
			left.terms = append(left.terms, t)
		} else {
			right.terms = append(right.terms, Term{-t.Coef, t.Var})
		}
	}
	relation, mirrored := " == ", " == "
	switch a.Rel {
	case NonNegative:
		relation, mirrored = " >= ", " <= "
	case NonZero:
		relation, mirrored = " != ", " != "
	}
	// The constant stands on the side that keeps it positive, alone if it can.
	switch k := a.Lin.constant; {
	case len(left.terms) == 0 && len(right.terms) > 0:
		left.constant = k
		return right.String() + mirrored + left.String()
	case len(right.terms) == 0 || k < 0:
		right.constant = -k
	default:
		left.constant = k
	}
	return left.String() + relation + right.String()
}

func (f And) String() string { return joined(f, " && ", "true") }
func (f Or) String() string  { return joined(f, " || ", "false") }
func (maybe) String() string { return "?" }

func joined(parts []Formula, operator, empty string) string {
	if len(parts) == 0 {
		return empty
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.String()
		switch part.(type) {
		case And, Or:
			if len(parts) > 1 {
				texts[i] = "(" + texts[i] + ")"
			}
		}
	}
	return strings.Join(texts, operator)
}
