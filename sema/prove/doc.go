// Package prove decides questions about integers: does this index stay in range, do these two writes meet, and if not
// always, for which sizes. It is the arithmetic behind the static checks and knows nothing of the language: its caller
// translates its own expressions and conditions and words the messages.
//
// Numbers are mathematical integers. A caller whose arithmetic wraps has to prove, by the same means, that it does not.
//
// # Building a system
//
// A System holds facts about named variables. [System.Param] declares what is known at entry (sizes, scalar parameters),
// [System.Shared] what is one value for all instances of an iteration but not known at entry; everything else is local
// to an instance. [System.Given] adds facts that hold at entry (extents >= 1, assumptions), [System.When] facts that
// hold where the access is made (ranges, where clauses, conditions, intervals of values that were read). The difference
// matters for checks at entry: an access under if (n > 3) must not make a call with n == 2 fail. [System.Fork] enters a
// nested condition.
//
// Expressions ([Lin]) are linear: V("y").Scale(2).Plus(1). What is not linear is asked of the system, which makes a
// variable for it and knows what follows: [System.Div], [System.Mod], [System.TruncDiv], [System.Rem], [System.Shr],
// [System.BitAnd], [System.Min], [System.Max], [System.Clamp], [System.Abs], [System.Select], [System.Product]. A value
// about which nothing is known is a variable of its own, once for each value, or [Unknown]; a condition that cannot be
// expressed is [Maybe].
//
// # Answers
//
// [System.Prove], [System.InRange], [Distinct] and [Apart] give an [Answer]: proved; conditional, with clauses over
// parameters that are sufficient and, if exact, needed; or refuted, with a counterexample that was checked against every
// fact. [System.Infeasible] tells dead code, [System.Model] finds values.
//
// # Method
//
// A conjunction of linear equalities and inequalities is decided by the omega test (omega.go). Disjunctions, including
// those in the definitions of min, max, abs and truncating division, are split only where a solution of the rest
// violates them (cases.go). Facts are multiplied with each other for products of two variables (products.go). Checks at
// entry are what is left when all but the parameters is eliminated, negated and simplified (project.go).
//
// Every answer is bounded in work and the same each time. Beyond the limits, and where int64 is left, an answer is
// "unproved", a check stricter than need be (Exact is false), never wrong. Linear questions of the size of image
// programs stay far within them; products of three variables, such as (c*H + y)*W + x, are beyond them.
package prove
