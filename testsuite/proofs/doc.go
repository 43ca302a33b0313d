// Package proofs holds what the compiler proves of a program against what the program computes. For every operator, function,
// conversion and reduction the reference interpreter finds values that pixels really give; a condition that such a value
// satisfies stands before an access outside of an image, before a write that two instances make of one place, and before the same
// accesses inside. The first three must be refused, the last must be accepted.
//
// It knows the compiler's façade, the tables of operators and kinds, and the support code of the tests.
package proofs
