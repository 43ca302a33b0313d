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
	heap  []int64 // what medians sort

	// The iterations of an instance's loops: of all of them, of those outside of every while, and in stop when to look whether to go on.
	count, outside, stop int64
	whiles               int   // that run, one in the other
	left                 int64 // count when the last of them ended
}

// A limit bounds the loops that nothing else bounds: of an instance and of the host, those in while and in what a while repeats.
type limit struct {
	ctx    context.Context
	steps  int64 // iterations of an instance
	rounds int64 // of the host
}

// quantum is how many iterations pass between two looks at the context.
const quantum = 4096

// begin starts the count of an instance's iterations.
func (fr *frame) begin() {
	fr.count, fr.outside, fr.left, fr.whiles = 0, 0, 0, 0
	fr.stop = quantum
}

// enter starts a while.
func (fr *frame) enter() {
	if fr.whiles++; fr.whiles == 1 {
		fr.outside += fr.count - fr.left
		fr.stop = fr.next()
	}
}

// leave ends a while.
func (fr *frame) leave() {
	if fr.whiles--; fr.whiles == 0 {
		fr.left = fr.count
	}
}

// next is the count at which to look again.
func (fr *frame) next() int64 {
	at := fr.count + quantum
	if fr.whiles > 0 {
		at = min(at, fr.outside+fr.limit.steps)
	}
	return at
}

// step counts one iteration of the loop at a place.
func (fr *frame) step(at *source.Span) {
	if fr.count++; fr.count > fr.stop {
		fr.look(at)
	}
}

func (fr *frame) look(at *source.Span) {
	if err := stopped(fr.limit.ctx); err != nil {
		panic(failure{cause: err})
	}
	if fr.whiles > 0 && fr.count-fr.outside > fr.limit.steps {
		panic(failure{at: *at, message: fmt.Sprintf(
			"this loop does not seem to end: one instance has made %d iterations, the most that are allowed unless told otherwise", fr.limit.steps)})
	}
	fr.stop = fr.next()
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
