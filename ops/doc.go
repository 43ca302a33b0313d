// Package ops is the table of the language's operators and built-in functions: spelling, number of operands, the rule for the
// result type, accuracy, and the reference meaning (Eval). A new operator is one row here, one function beside it and one
// spelling in each dialect; tests fail where one of them is missing.
//
// It knows types only.
package ops
