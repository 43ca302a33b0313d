package kir

import (
	"fmt"

	"imgc/ops"
	"imgc/types"
)

// SubgroupItems is how many items of a group, in the order of their first index, pass values to each other on devices that have Shuffle.
const SubgroupItems = 32

// Shuffle is what X is in the item of the subgroup whose number differs by By, a power of two: two items get what the other one has. All items of a subgroup
// reach it, and groups are whole subgroups. It stands alone, as what a variable is declared with, so that nothing moves it to where
// not all items come.
type Shuffle struct {
	Typed
	X  Expr // a scalar
	By int
}

func (v *verifier) shuffle(e *Shuffle) {
	v.expect(e.X, e.T, "what is passed to another item")
	if e.T.Lanes != 1 || e.By < 1 || e.By >= SubgroupItems || e.By&(e.By-1) != 0 {
		v.fail("%s takes %s from %d places away", ExprText(e), e.T, e.By)
	}
	if v.inside != nil {
		v.fail("a func takes values of other items")
	}
}

// Joined is what Op makes of X in all items of the subgroup, which all of them have: integers, whose order does not matter (Joins). It stands alone as Shuffle does.
type Joined struct {
	Typed
	X  Expr // a scalar
	Op ops.Op
}

// Joins reports whether values of a type are joined by an operator in one step on devices that have Shuffle.
func Joins(op ops.Op, t types.Type) bool {
	return t.IsScalar() && t.Kind.IsInt() && (op == ops.Add && t.Kind.Bits() >= 32 || (op == ops.Min || op == ops.Max) && t.Kind.Bits() == 32)
}

func (v *verifier) joined(e *Joined) {
	v.expect(e.X, e.T, "what the items of a subgroup join")
	if !Joins(e.Op, e.T) {
		v.fail("%s joins %s", ExprText(e), e.T)
	}
	if v.inside != nil {
		v.fail("a func takes values of other items")
	}
}

func (e *Joined) text() string { return fmt.Sprintf("joined(%s, %s)", e.Op, ExprText(e.X)) }

func (e *Shuffle) text() string { return fmt.Sprintf("shuffle(%s, %d)", ExprText(e.X), e.By) }
