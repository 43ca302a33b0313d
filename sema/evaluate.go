package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/hast/evaluate"
)

// evaluateCall computes the call of a func whose arguments are constants.
func (e *env) evaluateCall(f *funcEnt, call *hast.Call) operand {
	e.body(f)
	if !f.valid || f.state != done {
		return invalid(call.At) // reported, or a recursion that will be
	}
	words, ok := evaluate.Value(call)
	if !ok {
		e.errorf(diag.ConstantArithmetic, call.At, "this constant takes more than %d steps to compute", evaluate.MaxSteps)
		return invalid(call.At)
	}
	return constOperand(fromWords(call.T, words), call.At)
}
