// Package interval bounds integers: an Interval has a least and a greatest number, and for each operator of integers there is a rule, one row of a table,
// that bounds what it makes of operands in intervals.
//
// Rules are of numbers. What a program computes differs from these by what is known of its operands and of where results are cut, so that the same row is
// read in three ways:
//
//   - Of takes all operands for values of 64 bits with a sign, and reports where a result may be none.
//   - InKind has operands of a kind, i32 say, bounds what the operator gives there, cut to the kind as its arithmetic does, and reports where nothing had to be
//     cut. Shifts count modulo the width.
//   - Unbounded is of numbers of any size, as those that a prover speaks of: an end at the least or the greatest value of 64 bits is no bound, and what is added to
//     it leaves it one.
//
// Division by 0 gives 0, as in the language; Plain reports where a processor's own instruction, which may not be asked for that, gives the same.
//
// It does not know what is true of floats (their rounding depends on the mode), of variables, or of expressions: who walks over these has the intervals of what
// an operator is applied to. It knows ops and types only.
package interval
