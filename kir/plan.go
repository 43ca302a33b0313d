package kir

import (
	"imgc/source"
	"imgc/types"
)

// A Pipeline is the host plan of one entry point: what the generated function does, and what device/ does.
//
// Host integers are computed in 64 bits. The entry fails where an extent, a launch bound or an i32 kernel argument does not fit
// 31 bits, so kernels compute with i32 coordinates.
type Pipeline struct {
	Name   string
	Params []*Param // in the order of the text
	Sizes  []*Size  // in the order of binding
	Locals []*Image // temporaries in device memory

	// Extents are the images of parameters and Locals in the order in which their extents are tested, with those between them that the
	// program declares and no step uses any more.
	Extents []*Image

	Levels   []*Levels  // of pyramids and traverses
	Pyramids []*Pyramid // families of temporaries
	Leveled  []*Image   // the images of pyramids that steps use

	Checks []*Check // in order, after sizes are bound and extents compared
	Steps  []Step
	At     source.Span
}

// A Param is an image or a scalar; exactly one of Image and Scalar is set.
type Param struct {
	Name    string
	Dir     Dir
	Image   *Image
	Scalar  *Var
	Default *types.Value // of an in scalar; nil without
}

// Dir says which way a parameter's data flows.
type Dir uint8

const (
	In Dir = iota
	Out
	InOut
	Temporary
)

// A Size is bound by extent Axis of Image, which equals Mul*n + Add.
type Size struct {
	Var   *Var // i64
	Image *Image
	Axis  int
	Mul   int64
	Add   int64
}

// An Image is a block of device memory. Component c of the element at (i0, ..., ik) is at
//
//	Offset + line*Pitch + (position in the line)*lanes + c
//
// where a line is the elements of the axes from LineAxis+1 on, and lines are numbered row by row over the axes up to LineAxis.
// Offset and Pitch are in components; a 1-D image (LineAxis -1) has one line.
type Image struct {
	Name     string
	Dir      Dir
	Elem     types.Type
	Extent   []Expr   // i64, slowest axis first
	Written  []string // the extents as the program has them, for messages; nil where it has none
	LineAxis int
	Offset   *Var     // i64; nil of a temporary that is not swapped, which starts at 0
	Pitch    *Var     // i64; nil where LineAxis is -1
	Zero     bool     // filled with zeros before the first step
	Kept     bool     // of a temporary of one axis, whose extent is a constant: it is zeros before the first step, and again behind the last one
	Runs     bool     // of a temporary whose lines are a multiple of RunBytes long: kernels take for granted that they start at multiples of it
	Of       *Pyramid // of an image of a family: the one at Index, which is proved to be one
	Index    Expr     // i64
	At       source.Span
}

// LineAxis is the axis between whose steps the pitch lies: the last but one, or the last but two where the last extent is a
// constant of at most 4, the interleaved channels of a pixel; -1 where there is no such axis.
func LineAxis(rank int, lastExtent int64) int {
	if rank >= 3 && lastExtent >= 1 && lastExtent <= 4 {
		return rank - 3
	}
	return rank - 2
}

// A Check is a condition that must hold on entry.
type Check struct {
	Cond    Expr
	Over    []*Levels // it must hold at all of their levels
	Message string
	At      source.Span
}

// A Step is one action of the host.
type Step interface{ step() }

type (
	// Launch runs a kernel over at least Items work-items in each dimension, x first. Args match the kernel's parameters.
	Launch struct {
		Kernel *Kernel
		Args   []Arg
		Items  [3]Expr // i64; a launch with any value below 1 does nothing
		At     source.Span
	}
	// Let gives a host variable its value.
	Let struct {
		Var   *Var
		Value Expr
	}
	// SetScalar gives an out scalar its value: one of the host's, or, with From, what the first pixel of a temporary image holds at
	// the end of the pipeline: components of the variable's kind, for a bool an i32 that is not 0, for 16-bit
	// floats an f32.
	SetScalar struct {
		Var   *Var
		Value Expr
		From  *Image
	}
)

func (*Launch) step()    {}
func (*Let) step()       {}
func (*SetScalar) step() {}

// An Arg is the memory of an image, a host value of the parameter's type, or one of the program's Filled.
type Arg struct {
	Image *Image
	Value Expr
	Table *Table
}
