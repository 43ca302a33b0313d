package types

import (
	"math"
)

// A Word is one component in canonical form: an integer sign- or zero-extended to 64 bits, a bool 0 or 1, a float of any
// kind as the bits of the float64 that equals it. Two equal values of one kind have equal words, NaN aside.
type Word uint64

// Int, Uint, Float and Truth make words; the caller has brought v into the kind's range.
func Int(v int64) Word     { return Word(v) }
func Uint(v uint64) Word   { return Word(v) }
func Float(v float64) Word { return Word(math.Float64bits(v)) }
func Truth(v bool) Word {
	if v {
		return 1
	}
	return 0
}

// Int, Uint, Float and Truth read a word back; the caller knows its kind.
func (w Word) Int() int64     { return int64(w) }
func (w Word) Uint() uint64   { return uint64(w) }
func (w Word) Float() float64 { return math.Float64frombits(uint64(w)) }
func (w Word) Truth() bool    { return w != 0 }

// A Value is a constant: Type.Words() words, elements row by row, the lanes of an element side by side.
type Value struct {
	Type  Type
	Words []Word
}

// Of makes a scalar value.
func Of(k Kind, w Word) Value { return Value{Scalar(k), []Word{w}} }
