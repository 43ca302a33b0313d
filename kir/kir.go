package kir

import (
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// A Program is what one .img file becomes for one device.
type Program struct {
	Name    string // the stem of the source file's name
	File    *source.File
	Imports []*source.File // what the file imports, directly or not
	Mode    Mode
	Padding int // bytes: lines of images that the host allocates start at multiples of it, or of a part of it; 0 for no gaps
	// FloatsByLogic says that an integer of 8 or 16 bits of a word takes its device less as f32 by logic and an addition than by a conversion: put
	// below the bits of 2^23, it is what that is less 2^23.
	FloatsByLogic bool
	// HalvesByDots says that a Dot2 takes its device about as much as a multiply-add.
	HalvesByDots bool
	// ChosenSums says that an addition that a condition leaves out takes its device one instruction.
	ChosenSums bool
	// FloatsByHalves says that Halves of f16 take its device no longer than one operator on f32.
	FloatsByHalves bool
	Kernels        []*Kernel // in the order of first launch
	Funcs          []*Func   // called by kernels, callees first
	Tables         []*Table  // constant arrays in device memory
	// TablesFilled says that tables of which work-items read different elements at a time are to be Filled.
	TablesFilled bool
	Filled       []*Table // constant arrays that the host puts into buffers, once, for kernels that take them as arguments
	Foreign      []*ForeignText
	Pipelines    []*Pipeline
}

// Mode is the floating-point mode.
type Mode uint8

const (
	Contract Mode = iota // a*b+c may be fused
	Strict               // + - * / sqrt fma exactly as written
	Fast                 // native and reciprocal approximations allowed
)

// ModeNames are the spellings on the command line.
var ModeNames = [...]string{"contract", "strict", "fast"}

// String is the mode's spelling on the command line.
func (m Mode) String() string { return ModeNames[m] }

// Space is where a variable lives.
type Space uint8

const (
	Private  Space = iota // a variable of one work-item, or of the host plan
	Global                // a buffer of components: a kernel parameter
	Constant              // a Table
	Local                 // shared by a work-group: an array of scalars that a kernel declares outside of all control flow
)

// Access says what a kernel does with a buffer.
type Access uint8

const (
	Reads Access = 1 << iota
	Writes
	// Shared: other work-items of the launch change under a lock, or have written for a LastGroup, what this one reads: components, of 32 or 64
	// bits, are accessed one by one.
	Shared
)

// A Var is a variable, a parameter or a buffer. Identity is the pointer; emitters make names unique.
type Var struct {
	Name   string // as in the source where there is one
	Type   types.Type
	Space  Space
	Access Access // of Global, and of Private arrays that are loaded from as buffers are: components of Type.Kind; loads and stores give the lanes
	Const  bool   // assigned once, at its Decl
	// Floats is set of Local arrays of small integers that there is room for as floats, as which they are held where nothing but conversions to f32 reads them; of
	// private ones, that this pays whether runs are loaded into them or single components.
	Floats bool
	// Spread is whether the bytes of a Local array have 16 bits each, each of which is read and written by itself: those of pixels of three components, where a language's compilers need it.
	Spread bool
	At     source.Span
}

// A Table is a constant array of the program.
type Table struct {
	Var   *Var // Space Constant, an array type
	Words []types.Word
	// Spread is set where work-items read different elements at a time, which is slow where a device has a memory for what all read alike:
	// one element after the other.
	Spread bool
}

// A Func is a device function. It does not change its parameters, so arrays may be passed by reference; a buffer (Global) among
// them is passed as a Ref to a buffer of the caller's. A func that computes an array writes it to Out, an array variable of the caller's, and returns no value (Result is the zero Type).
type Func struct {
	Name   string
	Params []*Var
	Result types.Type
	Out    *Var // nil unless the result is an array
	Body   []Stmt
	// Foreign is set of a func that one of the program's ForeignTexts defines, which has no Body.
	Foreign *Foreign
	// Rare: few pixels need it, so that those who call it should have no registers for what it does.
	Rare bool
	At   source.Span
}

// A Foreign is a function in the language of the target. In says of each of its parameters whether it is one of the Func's. It returns
// the Func's result, or with Place, where that is not -1, leaves it where this parameter points to. Private memory is all that it sees.
type Foreign struct {
	Name  string
	In    []bool
	Place int
}

// Before is the Func's parameter with the first value of what Place points to; -1 where that is zeros, or there is no Place.
func (f *Foreign) Before() int {
	if f.Place < 0 || !f.In[f.Place] {
		return -1
	}
	n := 0
	for _, in := range f.In[:f.Place] {
		if in {
			n++
		}
	}
	return n
}

// A ForeignText is a text in the language of the target, which goes into the program as it is.
type ForeignText struct {
	File string // as the program names it
	Text string
}

// A Kernel runs once for each work-item of a grid of up to three dimensions, in groups of Group items; the grid may overhang the
// iteration space, and the body guards itself.
type Kernel struct {
	Name   string
	Params []*Var // buffers (Global) and scalars (Private)
	Group  [3]int // items of a work-group, x (fastest) first; 1 in unused dimensions
	// Resident is how many groups a unit of the device is to have room for at a time, where compilers can be told; 0 for any number.
	Resident int
	Body     []Stmt
	At       source.Span
}

// RunBytes is the most that a LoadRun or StoreRun moves, AnywhereBytes the most of one of components that lie anywhere.
const (
	RunBytes      = 16
	AnywhereBytes = 256
)

// OneAccess reports whether an aligned vector of type t can be read or written by one access of the target: two or four components that take
// RunBytes at most. Bools can not, since their bytes are tested one by one.
func OneAccess(t types.Type) bool {
	return t.Rank == 0 && (t.Lanes == 2 || t.Lanes == 4) && t.Kind != types.Bool && t.Bytes() <= RunBytes
}

// ---- statements

// A Stmt is a statement of a kernel or func.
type Stmt interface {
	Span() source.Span
	stmt()
}

// Placed carries the source place of a statement; statements embed it.
type Placed struct{ At source.Span }

func (p Placed) Span() source.Span { return p.At }
func (Placed) stmt()               {}

type (
	// Decl declares a private variable; without Init its value is undefined until assigned.
	Decl struct {
		Placed
		Var  *Var
		Init Expr
	}
	// Assign changes a variable, or with Index one element of an array variable; indices are in range. Copied says of an element of a Local array, and
	// of a Value that a Global buffer holds as it is, that nobody reads the element before the next Barrier with Copied: a device may copy it without waiting. The Value may then be
	// a vector, as that of Elem.
	Assign struct {
		Placed
		Var    *Var
		Index  []Expr
		Value  Expr
		Copied bool
	}
	// Store writes Value (scalar or vector) to a Global or Local buffer at component Offset (i64). Aligned says of a vector that it goes to a
	// multiple of what it takes, so that one access of the target writes it. First is that of a StoreRun. Once says of a bool
	// that it may be left alone where memory is seen to have it: nothing else is stored there meanwhile.
	Store struct {
		Placed
		Buffer  *Var
		Offset  Expr
		Value   Expr
		Aligned bool
		First   bool
		Once    bool
	}
	// LoadRun reads Count components of a Global buffer, from Offset (i64) on, into Count elements of an array variable, along its
	// last extent from Index on. Count is a power of two from 2 to 16 that takes RunBytes at most, and the components lie at a
	// multiple of what they take, so that one access of the target does. An array of u32 takes the components of a buffer of u8 four
	// to an element, the first one lowest; Index counts elements. An array of f32 takes those of integers of 8 and 16 bits converted, by logic and
	// an addition where the device has bytes of words at hand, one of u16 those of floats of 16 bits as their bits. Components of integers of 8 and 16 bits may lie Anywhere; they take
	// whole words and AnywhereBytes at most then, and are moved by words that lie where these may, as far as they do. Beyond says of such a run that
	// the word in which it ends is memory of the buffer as a whole: it may end anywhere then, too, and be of floats of 16 bits.
	LoadRun struct {
		Placed
		Var      *Var
		Index    []Expr
		Buffer   *Var
		Offset   Expr
		Count    int
		Anywhere bool
		Beyond   bool
	}
	// StoreRun is the opposite of LoadRun, of bytes in words too; an array of i32 gives components of u8 and u16, which hold its elements, one of u16 the bits of floats. First is the first of several that store what lies side by side, which are to follow
	// each other without anything between, once all of it is computed: memory is written by sectors, of which each of them has parts.
	StoreRun struct {
		Placed
		Buffer   *Var
		Offset   Expr
		Var      *Var
		Index    []Expr
		Count    int
		Anywhere bool
		First    bool
	}
	// Atomic makes the component at Offset of a Global buffer Op of itself and Value, in one step that no other work-item divides.
	// The kind is i32, u32, f32, or one of 64 bits, for which the device needs an extension. Op is one of Add Sub Mul Min Max, and of
	// integers And Or Xor. Buffer may be a Local array of i32 or u32; Op is then not Mul.
	Atomic struct {
		Placed
		Op     ops.Op
		Buffer *Var
		Offset Expr
		Value  Expr
	}
	// Critical runs Body in one work-item at a time of those that have the same Lock: the u32 at Offset of a Global buffer that is 0
	// whenever nobody runs there. Body has no break, continue or return that leaves it, and reaches what the lock guards by single
	// components of buffers with the access Shared.
	Critical struct {
		Placed
		Lock   *Var
		Offset Expr
		Body   []Stmt
	}
	// If has an optional Else.
	If struct {
		Placed
		Cond       Expr
		Then, Else []Stmt
	}
	// For runs Body with Var = Lo, Lo+Step, ... while Var < Hi (> Hi where Step is negative). Body does not change Var.
	For struct {
		Placed
		Var    *Var // i32, declared here
		Lo, Hi Expr
		Step   int64
		Rounds Rounds
		Body   []Stmt
		Exact  bool // Var stays in its kind's range when it steps past Hi
	}
	// While runs Body as long as Cond holds.
	While struct {
		Placed
		Cond Expr
		Body []Stmt
	}
	Break    struct{ Placed }
	Continue struct{ Placed }
	// Return leaves a func with Value, or a kernel with Value nil.
	Return struct {
		Placed
		Value Expr
	}
	// CallInto calls a func whose result is an array; Out is an array variable.
	CallInto struct {
		Placed
		Func *Func
		Args []Expr
		Out  *Var
	}
	// Barrier makes all work-items of a group wait for each other; behind it they see what they wrote to Local variables, and with
	// Buffers to buffers. Either all items of a group reach it or none does. With Copied it waits for what an Assign with Copied may have left on its way.
	Barrier struct {
		Placed
		Buffers bool
		Copied  bool
	}
	// MatrixSum adds to Acc, an i32[Down*n][2][4] of each item, sums of products of bytes, which a subgroup of 32 items computes together with
	// the matrix units that a device has. Bytes is a Local u32[][], whose elements hold four bytes each, the first one lowest;
	// Weights a Local u32[rows][128*steps]. With g = Lane/4 and t = Lane%4, and byte b of a row counted from its first element on,
	//
	//	Acc[d*N + n][q][2*h + i] += sum over r < rows, s < steps, k < 32 of
	//		byte 4*Word + 16*(n + g%Across) + 32*s + k of Bytes[Row + r + Down*(g/Across + 8/Across*h) + d]
	//		times byte k%4 of Weights[r][128*s + 4*(4*(2*t + i) + k%16/4) + 2*q + k/16],
	//
	// where N is how many windows there are, and d < Down. With an Across of 2, which is for one window, neighbouring groups of four items have windows
	// side by side in a row; and with a Down of up to 4 an item has so many rows below each other, and what it loads of a row is for all of
	// them, with the weights of as many rows.
	//
	// That is how PTX's mma.m16n8k32 lays out its operands: the items have eight rows each of the columns 2*t and 2*t + 1 of two products. Bytes are
	// unsigned, and so are weights with Unsigned; else these are signed. Sums wrap. All items of a group reach it, with the same Row and
	// Word in a subgroup, and Lane, of 0 to 31, counts its items in the order of their first index.
	MatrixSum struct {
		Placed
		Acc, Bytes, Weights *Var
		Row, Word, Lane     Expr
		Down, Across        int
		Unsigned            bool
	}
	// LastGroup has the group that comes to it last of a launch run Body, in which it sees what the others wrote to buffers before they
	// came, as far as Order says. Counter is a u32 in a Global buffer, which is 0 before the launch and again behind it. Flag, a Local u32[1], is
	// for the group to tell its items; nil where the target's barriers do. All items of all groups reach it.
	LastGroup struct {
		Placed
		Counter, Flag *Var
		Body          []Stmt
	}
	// LastSum has one work-item of each group add a Part, an i64, to a sum; the one that comes last of a launch runs Body, in which Sum, an i64
	// that it declares, is what all of them come to, of an amount of at most 2^(Shift-1). It sees nothing else of what others wrote.
	// Tally is a u64 in a Global buffer, which is 0 before the launch and again behind it: the sum, and from the bit Shift on how many have
	// added. There are fewer than 2^(64-Shift) groups.
	LastSum struct {
		Placed
		Tally *Var
		Part  Expr
		Sum   *Var
		Shift int
		Body  []Stmt
	}
	// Leave has one work-item of each group put a Value, of 32 or 64 bits, to a place of its group's alone, value At of Places, for the group that
	// waits for all of them (LastWaits), with the number of the launch, Round, a u32. Places are u64 in a Global buffer, which no other statement
	// changes: they hold what was left last.
	Leave struct {
		Placed
		Places           *Var
		At, Round, Value Expr
	}
	// LastWaits has the group with the highest number wait until all Count values of the launch have been left, store them to Parts, a Global buffer, and run Body.
	// A value has a component of Places for each 32 bits of it; behind them all is the number of the launch, which it counts on. It sees nothing else of what others wrote. All items of all groups reach it,
	// behind what is left; groups run beside each other, so that none has to end for another one to begin.
	LastWaits struct {
		Placed
		Places, Parts *Var
		Round         Expr
		Count         int
		Body          []Stmt
	}
	// Comment is a line for the reader.
	Comment struct {
		Placed
		Text string
	}
)

// An Order is what the last group of a launch sees in a language of what other groups have written to buffers before they came to LastGroup.
type Order uint8

const (
	NoOrder     Order = iota // nothing: there are no last groups
	SharedOrder              // what they stored to buffers with the access Shared
	FullOrder                // everything
)

// Descents are the groups that go down the rows of their tiles which may pay in a language.
type Descents uint8

const (
	NoDescents       Descents = iota
	DescentsOfLoaded          // those whose items read of each other only what these have loaded
	AllDescents
)

// Rounds says what form a For asks of the target's compiler.
type Rounds uint8

const (
	AnyForm    Rounds = iota // what that finds best
	WrittenOut               // one after the other; there is a constant number of them
	Looped                   // in a loop, for code that runs seldom and should cost the rest no registers
	Several                  // eight at a time, since they have much in common
)

// ---- expressions

// An Expr computes a value without effect. Host plans use the same expressions over host variables.
type Expr interface {
	Type() types.Type
	expr()
}

// Typed carries the type of an expression; nodes embed it.
type Typed struct{ T types.Type }

func (t Typed) Type() types.Type { return t.T }
func (Typed) expr()              {}

type (
	// Const is a scalar or vector constant. Name is the source's const it came from, or "".
	Const struct {
		Typed
		Words []types.Word
		Name  string
	}
	// Ref reads a private variable, array variables included.
	Ref struct {
		Typed
		Var *Var
	}
	// Op applies an operator or built-in to scalars or, lane by lane, to vectors; all operands have one type but for the
	// count of a shift. LAnd and LOr evaluate their right side only where the left does not decide. Vectors meet only the
	// operators Neg Add Sub Mul Div And Or Xor BitNot and the built-ins on floats of 32 and 64 bits; lowering takes all else
	// apart into lanes, so there are no ops on vectors of bool, f16 or bf16. Exact says that no operand or result reaches a case where the language defines what C leaves open:
	// a signed result that wraps, a divisor that is zero or MIN / -1, a shift count outside the width. Short says of an Exact product of i32
	// that 24 bits hold both operands, of one of i64 that 32 bits hold both and neither is negative, for targets that have such products, and of the Exp of wide floats that their magnitudes are ShortPower at
	// most. Of a Div, Rem, FloorDiv or Mod of i32, by what is no constant and may be zero, it says that their magnitudes are ShortDividend
	// and ShortInteger at most. Of a Div of f32 it says that the divisor is zero, not finite, or of a magnitude from 2^-126 to 2^126; of a Mod or Rem of f32 that the divisor
	// is a constant, a ShortDivisor, and the dividend not finite or of a magnitude of at most ShortQuotient of it. Of an Abs of i32 it says that
	// it and the Exact Sub that it is of, where it still is, are to be one operation, which vectors of processors have not.
	// Of a Max of floats it says that one is 0 and the other one is not NaN, and that the target's compiler may take both for a clamp of what may be (ByBits).
	// Natural says of an Exact Div or Rem of signed scalars that no operand is negative, for unsigned divisions, which take less.
	Op struct {
		Typed
		Op    ops.Op
		Args  []Expr
		Exact bool
		Short bool

		Natural bool
		// Negated has a bit for each operand of a Min or Max that the target's compiler may take for a negation.
		Negated uint8
	}
	// Convert changes the component kind. Exact says that the value is known to be one that the target kind holds (after
	// truncation of floats), so that a plain conversion of the target language does.
	Convert struct {
		Typed
		X     Expr
		How   How
		Exact bool
	}
	// Select is Cond ? Then : Else on scalars or vectors; a vector of bools chooses per lane. Both sides may be evaluated,
	// unless Lazy says that only the chosen one may.
	Select struct {
		Typed
		Cond, Then, Else Expr
		Lazy             bool
	}
	// Vec makes a vector from scalars; a single part is repeated.
	Vec struct {
		Typed
		Parts []Expr
	}
	// Lanes takes lanes of a vector, one or several.
	Lanes struct {
		Typed
		X     Expr
		Lanes []int
	}
	// Elem takes one element of an array variable or table; indices are in range. Of a Local array of scalars of 32 or 64 bits it may be a vector, of OneAccess, for as many elements as that
	// has lanes, along the last extent from a multiple of them on.
	Elem struct {
		Typed
		Var   *Var
		Index []Expr
	}
	// Load reads a scalar or vector from a Global or Local buffer, or from a Private array of one axis, at component Offset (i64). The lanes of a wide value lie Stride
	// components apart; 0 stands for 1. Safe says that the place is in the buffer where conditions around the load do not hold, too. Aligned says of a
	// vector that it lies at a multiple of what it takes, so that one access of the target reads it.
	Load struct {
		Typed
		Buffer  *Var
		Offset  Expr
		Stride  int
		Safe    bool
		Aligned bool
	}
	// Gather reads a wide value from a Global buffer: each lane the component at Offset (i64) plus the lane of Places, which is a wide i32 of
	// as many lanes.
	Gather struct {
		Typed
		Buffer *Var
		Offset Expr
		Places Expr
	}
	// Interleaved is what lies in memory where the lanes of two to four wide values are the components of pixels: as many components as they
	// have lanes, the Piece-th such run.
	Interleaved struct {
		Typed
		Parts []Expr
		Piece int
	}
	// Alternate is every second lane of a wide value of twice as many, the first one (0) or the second one (1) of each two.
	Alternate struct {
		Typed
		X     Expr
		First int
	}
	// FourBytes is the u32 whose bytes are four in a row of an array of u32, seen as bytes with the least of each element first:
	// along the last extent from byte At (i32) on, which is not the last index.
	FourBytes struct {
		Typed
		Var   *Var
		Index []Expr // of all extents but the last
		At    Expr
	}
	// Dot4 is Acc (i32) plus the sum of the products of the bytes of two u32, those of Bytes unsigned and those of Weights signed. It
	// wraps.
	Dot4 struct {
		Typed
		Bytes, Weights, Acc Expr
	}
	// Call calls a func; an array argument is a Ref.
	Call struct {
		Typed
		Func *Func
		Args []Expr
	}
	// GlobalID is the work-item's global index in dimension Dim (0 is x), i32.
	GlobalID struct {
		Typed
		Dim int
	}
	// LocalID is the work-item's index in its group, GroupID that of its group, i32.
	LocalID struct {
		Typed
		Dim int
	}
	GroupID struct {
		Typed
		Dim int
	}
)

// How says how a Convert treats values that the target kind lacks, as package types does.
type How uint8

const (
	Wrap How = iota
	Saturate
	Bitcast
)
