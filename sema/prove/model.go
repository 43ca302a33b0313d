package prove

import (
	"fmt"
	"slices"
	"strings"
)

// Model gives values to variables. The zero Model has none.
type Model struct {
	values map[Var]int64
	defs   table
}

// Vars lists the variables that have a value of their own, sorted; defined ones follow from these.
func (m Model) Vars() []Var {
	var out []Var
	for v := range m.values {
		if _, defined := m.defs[v]; !defined {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// Value evaluates an expression; ok is false if a variable in it has no value or the result leaves int64.
func (m Model) Value(e Lin) (value int64, ok bool) {
	if e.unknown {
		return 0, false
	}
	sum := e.constant
	for _, t := range e.terms {
		v, ok := m.value(t.Var)
		if !ok {
			return 0, false
		}
		if sum, ok = mulAdd(sum, v, t.Coef); !ok {
			return 0, false
		}
	}
	return sum, true
}

func (m Model) value(v Var) (int64, bool) {
	d, defined := m.defs[v]
	if !defined {
		x, ok := m.values[v]
		return x, ok
	}
	args := make([]int64, len(d.Args))
	for i, a := range d.Args {
		x, ok := m.Value(a)
		if !ok {
			return 0, false
		}
		args[i] = x
	}
	if d.Op == Select {
		truth, known := d.Cond.holds(m.Value)
		if !known {
			return 0, false
		}
		if !truth {
			args[0] = args[1]
		}
	}
	return definitions[d.Op].value(d, args)
}

// satisfies reports whether the formula holds, taking what nothing is known about as satisfied.
func (m Model) satisfies(f Formula) bool {
	switch f := f.(type) {
	case And:
		return !slices.ContainsFunc(f, func(part Formula) bool { return !m.satisfies(part) })
	case Or:
		return slices.ContainsFunc(f, m.satisfies)
	case Atom:
		truth, known := f.holds(m.Value)
		return f.Lin.unknown || known && truth
	}
	return true
}

// String lists the values of the variables that are not defined by others: "H = 1, y = 0".
func (m Model) String() string {
	var parts []string
	for _, v := range m.Vars() {
		parts = append(parts, fmt.Sprintf("%s = %d", v, m.values[v]))
	}
	return strings.Join(parts, ", ")
}
