// Package sema gives an img program its meaning: it resolves names, computes constants, checks and converts types, and turns
// the syntax tree into hast, with a message for everything that does not hold. All independent errors of a file come in one
// run: what has been reported has the invalid type, which silences whatever depends on it.
//
// The files follow the language: constants (constant.go, fold.go, consteval.go), names (scope.go, foreign.go), types and
// conversions (operand.go, convert.go), expressions (exprs.go, binary.go, calls.go, index.go), reductions (reduce.go,
// convolve.go), functions and statements (funcs.go, stmts.go), pipelines (params.go, images.go, stages.go).
//
// It knows the syntax tree, types, operators and hast: not devices, schedules or how text was parsed. Whether an access can
// leave its image is decided afterwards, on hast, by sema/access.
package sema
