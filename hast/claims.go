package hast

// Claims are what the proofs take for true of integers where these are computed, so that a test can hold it against what they are. Proofs record
// claims only where they are asked to.
type Claims map[Expr]Claim

// A Claim is of one expression of one component, an integer: what it is lies between Lo and Hi, and is what each of Equal is, in 64
// bits. The ends of 64 bits are no bounds.
type Claim struct {
	Lo, Hi int64
	Equal  []Expr // an expression that is looked at in several places has one for each of them that could be written
}
