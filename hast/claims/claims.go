// Package claims holds what proofs say of the values of a program, so that tests can compare it with the values that the program computes.
//
// Who proves fills a Table, if it is given one; who runs the program looks up each expression and reports a value that breaks a Claim. Without a table
// neither does any work. It knows hast and intervals: neither the proofs nor how programs are run.
package claims

import (
	"fmt"
	"math"

	"imgc/hast"
	"imgc/interval"
	"imgc/types"
)

// A Claim is what a proof says of the value of one expression, each time that the program computes it.
type Claim struct {
	Within   interval.Interval
	Multiple int64 // a power of 2 that divides the value; 1 says nothing
	Form     *Form // nil: it is not made of variables alone
}

// A Form is a value in terms of variables: what proofs of differences rest on.
type Form struct {
	Text string
	// Of computes the form by the values of variables. It is false where one of them has none, or numbers become too large.
	Of func(value func(*hast.Var) (int64, bool)) (int64, bool)
}

// A Table has the claims by expression. The nil table takes none and has none.
type Table struct{ claims map[hast.Expr][]Claim }

// NewTable returns a table without claims.
func NewTable() *Table { return &Table{claims: map[hast.Expr][]Claim{}} }

// Add notes a claim about an expression of an integer kind.
func (t *Table) Add(e hast.Expr, c Claim) { t.claims[e] = append(t.claims[e], c) }

// Of lists the claims about an expression.
func (t *Table) Of(e hast.Expr) []Claim {
	if t == nil {
		return nil
	}
	return t.claims[e]
}

// Len is how many expressions there are claims about.
func (t *Table) Len() int { return len(t.claims) }

// Broken says which part of a claim a value of kind k breaks; "" if it breaks none. The value of a u64 is that of its bits with a sign.
func (c Claim) Broken(v int64, k types.Kind, value func(*hast.Var) (int64, bool)) string {
	if k == types.U64 && v < 0 {
		if c.Within.Hi == math.MaxInt64 {
			return ""
		}
		return fmt.Sprintf("%d is claimed to be at most %d", uint64(v), c.Within.Hi)
	}
	switch {
	case !c.Within.Holds(v):
		return fmt.Sprintf("%d is claimed to lie from %d to %d", v, c.Within.Lo, c.Within.Hi)
	case c.Multiple > 1 && v%c.Multiple != 0:
		return fmt.Sprintf("%d is claimed to be a multiple of %d", v, c.Multiple)
	case c.Form == nil:
		return ""
	}
	if want, ok := c.Form.Of(value); ok && v != want {
		return fmt.Sprintf("%d is claimed to be %s, which is %d", v, c.Form.Text, want)
	}
	return ""
}
