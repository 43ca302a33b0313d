package prove_test

import (
	"fmt"

	"imgc/sema/prove"
)

// iterate (y in 1:H, x in 0:W) dst[y][W-2] = src[y-1][x] + src[y-2][x], with images of H x W.
func Example() {
	H, W, x, y := prove.V("H"), prove.V("W"), prove.V("x"), prove.V("y")
	zero, one := prove.K(0), prove.K(1)

	s := prove.NewSystem()
	s.Param("H", "W")
	s.Given(prove.GE(H, one), prove.GE(W, one))
	body := s.Fork()
	body.When(prove.In(y, one, H), prove.In(x, zero, W))

	fmt.Println("src[y-1]:", body.InRange(y.Plus(-1), zero, H).Verdict)

	answer := body.InRange(y.Plus(-2), zero, H)
	row, _ := answer.Counter.Value(y.Plus(-2))
	fmt.Printf("src[y-2]: %v: for %v it reads row %d\n", answer.Verdict, answer.Counter, row)

	answer = body.InRange(W.Plus(-2), zero, W)
	fmt.Printf("dst[y][W-2]: %v: %v\n", answer.Verdict, answer.Check)

	write := prove.Access{Facts: body, Index: []prove.Lin{y, W.Plus(-2)}}
	answer = prove.Distinct([]prove.Var{"y", "x"}, write, write)
	fmt.Printf("two instances: %v: %v, which leaves one value of %v\n", answer.Verdict, answer.Check, answer.Pinned)

	// Output:
	// src[y-1]: proved
	// src[y-2]: refuted: for H = 2, W = 1, x = 0, y = 1 it reads row -1
	// dst[y][W-2]: conditional: [H <= 1 || W >= 2]
	// two instances: conditional: [H <= 1 || W <= 1], which leaves one value of [W]
}

// Conditions that lead to an access are facts; in the else branch their negation is.
func ExampleSystem_Fork() {
	H, y := prove.V("H"), prove.V("y")
	s := prove.NewSystem()
	s.Param("H")
	s.When(prove.In(y, prove.K(0), H))
	interior := prove.And{prove.GT(y, prove.K(0)), prove.LT(y, H.Plus(-1))}

	then, otherwise := s.Fork(), s.Fork()
	then.When(interior)
	otherwise.When(prove.Not(interior))
	fmt.Println(then.InRange(y.Plus(1), prove.K(0), H).Verdict)
	fmt.Println(otherwise.Prove(prove.Or{prove.EQ(y, prove.K(0)), prove.EQ(y, H.Plus(-1))}).Verdict)
	// Output:
	// proved
	// proved
}
