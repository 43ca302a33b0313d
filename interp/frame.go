package interp

import (
	"context"
	"fmt"

	"imgc/source"
	"imgc/types"
)

// A frame is the memory of one worker: the words of all variables, temporaries and constants of a stage, at places that
// the compiler has fixed. Funcs do not recurse, so their variables have places in it too.
type frame struct {
	w     []types.Word
	limit *limit
	fuel  int64   // iterations until the limit and the context are looked at again
	used  int64   // iterations that this instance has been granted
	heap  []int64 // what medians sort
}

// A limit bounds the loops of an instance.
type limit struct {
	ctx   context.Context
	steps int64
}

// quantum is how many iterations pass between two looks at the context.
const quantum = 4096

// begin starts the count of an instance's iterations.
func (fr *frame) begin() {
	fr.fuel = min(quantum, fr.limit.steps)
	fr.used = fr.fuel
}

// step counts one iteration of the loop at a place.
func (fr *frame) step(at *source.Span) {
	if fr.fuel--; fr.fuel < 0 {
		fr.refuel(at)
	}
}

func (fr *frame) refuel(at *source.Span) {
	if err := stopped(fr.limit.ctx); err != nil {
		panic(failure{cause: err})
	}
	grant := min(quantum, fr.limit.steps-fr.used)
	if grant <= 0 {
		panic(failure{at: *at, message: fmt.Sprintf(
			"this loop does not seem to end: one instance has made %d iterations, the most that are allowed", fr.limit.steps)})
	}
	fr.used += grant
	fr.fuel = grant - 1
}

// Closures that compute a scalar: integers and bools as words of their kind read as int64, floats of any kind as float64.
type (
	intFn   = func(*frame) int64
	floatFn = func(*frame) float64
	action  = func(*frame)
)

// An intExpr is a compiled integer or bool. Where it is affine, it is the i32 sum of the word at slot and the constant add;
// slot 0 always holds 0, so that a constant is affine with slot 0.
type intExpr struct {
	eval   intFn
	affine bool
	slot   int
	add    int64
}

func (x intExpr) constant() bool { return x.affine && x.slot == 0 }

// A floatExpr is a compiled float.
type floatExpr struct {
	eval     floatFn
	constant bool
	value    float64
}

// A block is a compiled value of several words: eval, unless nil, puts them at w[at:at+n].
type block struct {
	eval  action
	at, n int
}

func (b block) run(fr *frame) {
	if b.eval != nil {
		b.eval(fr)
	}
}

func intConst(v int64) intExpr {
	return intExpr{eval: func(*frame) int64 { return v }, affine: true, add: v}
}

func intSlot(slot int) intExpr {
	return intExpr{eval: func(fr *frame) int64 { return int64(fr.w[slot]) }, affine: true, slot: slot}
}

func intCode(eval intFn) intExpr { return intExpr{eval: eval} }

func floatConst(v float64) floatExpr {
	return floatExpr{eval: func(*frame) float64 { return v }, constant: true, value: v}
}

func floatSlot(slot int) floatExpr {
	return floatExpr{eval: func(fr *frame) float64 { return fr.w[slot].Float() }}
}

func floatCode(eval floatFn) floatExpr { return floatExpr{eval: eval} }
