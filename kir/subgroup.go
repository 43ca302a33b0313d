package kir

import "fmt"

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

func (e *Shuffle) text() string { return fmt.Sprintf("shuffle(%s, %d)", ExprText(e.X), e.By) }
