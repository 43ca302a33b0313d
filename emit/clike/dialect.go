package clike

import (
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Capabilities are what kernels of one target can do, or do fast enough to be planned, and those of others do not.
type Capabilities struct {
	Shuffles    bool      // all devices have kir.Shuffle
	LastGroup   kir.Order // what kir.LastGroup sees
	Waits       bool      // there are kir.Leave and kir.LastWaits
	LastByFence bool      // it takes less than another launch on devices alone whose groups fences order: processors, and those for which PTX can be written
	MatrixUnits bool      // kernels reach the matrix units that a device may have
	Bounds      bool      // compilers are told how many groups a unit is to have room for, and choose registers by it
	Graphs      bool      // the launches of a pipeline may be one graph, in which small ones cost little
	FloatHalves bool      // kernels reach operations on two f16 at a time that a device may have
	Copies      bool      // devices that can copy to local memory without waiting do
	// LeavesSettled: kernels ask whether the round before of a loop has left anything to do. canny, 8192 x 8192 on an H200, took 2.29 ms through OpenCL so, of 2.40, and 2.41 in CUDA, of 2.32, where a vain round costs less
	// and the first load of each group as much; at 1920 x 1080 it took 0.281 in CUDA, of 0.310.
	LeavesSettled bool
	FilledTables  bool         // a device reads what a Table holds for all work-items alike, wherever it lies: it is no place for those that are Spread
	DenseRGB      bool         // pixels of three bytes lie as bytes in local memory, whatever the device
	Descents      kir.Descents // groups that go down the rows of their tiles, of those that may pay
}

// A Dialect is a C-like language as the translation needs to know it.
//
// A value of a kind is held in a variable of the C type of Held(kind): f16 and bf16 in f32, with every result rounded; bools of
// a vector in u8 lanes that are 0 or 1; all others as themselves.
type Dialect struct {
	Reserved []string              // words that no name may be: keywords, and built-in functions and types
	Types    map[types.Kind]string // of scalar values and parameters: "int"
	Memory   map[types.Kind]string // of components in buffers and shared memory: "uchar" for bool

	// Suffixes of literals by kind, "f", "u"; Inf and NaN spell the values that have no literal. MinInt64 is the least i64.
	Suffix     map[types.Kind]string
	Inf, NaN   map[types.Kind]string
	MinInt64   string
	CallSuffix map[types.Kind]string // of the library's functions by kind, "f" for sqrtf; nil where they are overloaded
	Ops        Table
	// ShortProduct and ShortSum are functions for Short products, and for these and one more added; "" where the language has none.
	ShortProduct, ShortSum string
	LineProduct            string                                                      // a support function for Short products of i64; "" where they are like others
	AbsDifference          string                                                      // a support function for a Short Abs, of what its difference is of
	ShortFloats            map[ops.Op]string                                           // support functions for operators on f32 that are Short; others are as those that are not
	FusesProducts          bool                                                        // products of floats by 2, and squares in differences, are fused with sums in the text, rather than by the compiler
	Contracts              bool                                                        // products of f16 and bf16, which are held in f32, are rounded with the sums that they are of
	Conversion             func(from, to types.Kind, how kir.How, exact bool) Spelling // of scalars; the operand has its exact C type
	Cut                    func(from, to types.Kind) Spelling                          // of integers to fewer bits, which may be lost; the zero Spelling, and nil, for a cast
	VectorConvert          func(from, to types.Type, how kir.How, exact bool) Spelling // of whole vectors; the zero Spelling where there is none

	// Vectors says that the language has operators and functions of whole vectors, and takes several lanes of one at once; where
	// it has not, those of each lane are put together, and operators defined for the types that need them.
	Vectors    bool
	Broadcast  bool                                                                     // operators take a vector and a scalar
	Promotes   bool                                                                     // built-in functions of integers under 32 bits give an int
	VectorType func(k types.Kind, lanes int) string                                     // of the held kind
	Construct  func(u *Unit, k types.Kind, lanes int, parts []ctree.Expr) ctree.Expr    // parts are one, or as many as lanes
	Mask       func(u *Unit, t types.Type, cond, then, els ctree.Expr) ctree.Expr       // chooses by lanes
	Load       func(u *Unit, t types.Type, buffer, offset ctree.Expr) Form              // no X for buffer[offset]
	Store      func(u *Unit, t types.Type, buffer, offset, value ctree.Expr) ctree.Expr // nil for buffer[offset] = value
	// AlignedLoad and AlignedStore are those of vectors by one access; place is buffer + offset, and the vector the pixel-th one from there on, or with
	// nil the first.
	AlignedLoad  func(u *Unit, t types.Type, place, pixel ctree.Expr) Form
	AlignedStore func(u *Unit, t types.Type, place, pixel, value ctree.Expr) ctree.Expr
	// LocalVector is the vector of a type from a place in local memory on, a multiple of what it takes.
	LocalVector func(t types.Type, place ctree.Expr) ctree.Expr
	Atomic      func(u *Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr // place is buffer + offset; the value has the C type of k
	SharedLoad  func(u *Unit, k types.Kind, place ctree.Expr) ctree.Expr                   // of buffers with the access kir.Shared
	SharedStore func(u *Unit, k types.Kind, place, value ctree.Expr) ctree.Expr
	// SharedAtomic is Atomic of these, for u32 and u64 and the operators that join bins: Add, and of u32 Max Or Xor.
	SharedAtomic func(u *Unit, op ops.Op, k types.Kind, place, value ctree.Expr) ctree.Expr
	// Run is the text of a function that moves components between memory and private memory, as name(memory, private).
	FourBytes string              // a support function for kir.FourBytes: of the row and the place
	Dot4      string              // a support function for kir.Dot4
	Dot2      string              // a support function for kir.Dot2: of the halves, the weights as bytes of a word, and what is added
	Pairs     [kir.PairOps]string // support functions for kir.Pairs: of the two words, and what is added
	Permute   string              // a support function for kir.Permute: of the two words and the selector
	Signs     string              // the same for one with Signs
	// Halves are support functions for kir.Halves, by the kind of the halves and the operator.
	Halves map[types.Kind]map[ops.Op]string
	// ToBits and FromBits are functions between the floats of 16 bits of memory and their bits, for copies that need not become f32 on the way. Kinds that
	// have none are converted.
	ToBits, FromBits map[types.Kind]string
	// Copy is a support function that copies four, eight or sixteen bytes to local memory, of their place there and in a buffer, without waiting, and Copied
	// one that waits for all that the item has copied so. "" where values go through registers.
	Copy, Copied string
	Shuffle      string            // a support function for kir.Shuffle: of the value and by how many places; "" where the language has none
	Joined       map[ops.Op]string // stems of support functions for kir.Joined, by kind, of the value
	// Opaque is the stem of support functions of I32 and U32 that give what they get, so that a compiler cannot look through them; "" for none.
	Opaque string
	// LastGroup is a support function for kir.LastGroup: of the counter and the flag, if there is one, whether the group is the last.
	LastGroup string
	// LastSum is a support function for kir.LastSum: of the tally, the part, the shift and the place of the sum, whether the part is the last.
	LastSum string
	// Leave is a support function for kir.Leave: of the places, which one, the number of the launch and the value; LastWaits one for kir.LastWaits: of the
	// places, the number, the parts and how many they are, whether the group is the last. "" where groups do not wait for each other.
	Leave, LastWaits string
	// MatrixSum is a support function for kir.MatrixSum: of the sums and how many pairs there are, the first word of bytes that the subgroup
	// reads and how many words a row has, the weights, how many rows and steps they have and whether they are unsigned, and the lane.
	MatrixSum string
	Run       func(u *Unit, r Run) string
	Wide      *Wide                                            // nil where the target has no wide values
	Rounds    map[kir.Rounds]string                            // a line before a loop, where one is needed
	TryLock   string                                           // a support function: takes a lock and says whether it got it
	Unlock    string                                           // a support function
	ArgType   func(t types.Type) string                        // of a kernel argument that cannot be passed as it is held; else ""
	ArgDecode func(u *Unit, t types.Type, arg ctree.Expr) Form // its value

	GlobalID func(k *kir.Kernel, dim int) ctree.Expr
	LocalID  func(dim int) ctree.Expr
	GroupID  func(k *kir.Kernel, dim int) ctree.Expr
	Barrier  ctree.Expr // a call that makes a work-group wait for all of it
	// BufferBarrier is a Barrier behind which the group sees what it wrote to buffers too.
	BufferBarrier ctree.Expr
	// SubgroupBarrier is a Barrier of groups of at most Subgroup items, which run together; none where Subgroup is 0.
	SubgroupBarrier ctree.Expr
	Subgroup        int

	BufferType  func(v *kir.Var, alone bool) ctree.Type
	KernelHead  func(u *Unit, k *kir.Kernel) string       // a line before the kernel
	Grid        func(k *kir.Kernel) Grid                  // nil where a launch may have any number of groups
	First       ctree.Param                               // behind the parameters of kernels that are launched InParts: where a part begins
	Enter       func(u *Unit, k *kir.Kernel) []ctree.Stmt // what a kernel begins with; nil for nothing
	Start       string                                    // a support function that kernels call before they touch memory; "" for none
	Once        string                                    // one for a kir.Store of Once: of the place and the value; "" where it is like others
	Together    string                                    // one that they call before stores that are to follow each other (kir.StoreRun); "" for none
	KernelPre   string                                    // before its result type
	FuncPre     string                                    // before the result type of a func
	RareFuncPre string                                    // the same of one that is not to be inlined (kir.Func.Rare)
	TablePre    string                                    // before the type of a table
	TableBytes  int                                       // that all such tables may take; 0 where nothing is known. The largest of more are spread
	SpreadPre   string                                    // before that of a table of which work-items read different elements at a time
	LocalPre    string                                    // before the type of a variable that a work-group shares
	LocalBytes  string                                    // the same of components of one byte, where it is another
	LocalRGB    map[types.Kind]types.Kind                 // as what such components are held there that are kir.Var.Spread
	// Pool is a support function: local memory whose size the host says, for kernels whose variables there take more than Declared bytes. ""
	// where the language has none.
	Pool     string
	Declared int

	True, False string
	Support     *Library // support functions by name
}

// A Form is an expression in the making: the C expression, and the kind of its C type as the compiler sees it.
type Form struct {
	X    ctree.Expr
	Kind types.Kind
	twin ctree.Expr // the same modulo 2^n in the unsigned kind of Kind's width; nil unless X is a conversion of it
}

// A Class groups the kinds that an operator is spelled alike for.
type Class uint8

const (
	Bools Class = iota
	Signed
	Unsigned
	Floats
	classes
)

// classOf is the class of a kind.
func classOf(k types.Kind) Class {
	switch {
	case k.IsFloat():
		return Floats
	case k.IsSigned():
		return Signed
	case k.IsUnsigned():
		return Unsigned
	}
	return Bools
}

// A Spelling is how an operator or conversion is written; one of the strings is set.
type Spelling struct {
	Infix  string // x + y
	Prefix string // -x
	Call   string // a built-in function, chosen by its operands' types
	// Support is a support function; "$" in its name stands for the kind: imgc_div_$.
	Support string
	Cast    bool // (T)x
	Same    bool // x as it is

	Scalars bool       // not for whole vectors: a wrapper applies it to each lane
	Wraps   bool       // computed in the unsigned kind of the same width and converted back
	Masked  bool       // the second operand is a count, taken modulo the width
	Gives   types.Kind // the C kind of the result where it is not that of the operands
}

func (s Spelling) isSet() bool {
	return s.Infix != "" || s.Prefix != "" || s.Call != "" || s.Support != "" || s.Cast || s.Same
}

// A Row has the spellings of one operator on one class of kinds: where kir says that it is exact, and for all operands; and of f32 where that
// has one of its own.
type Row struct{ Exact, Any, Single Spelling }

// A Table spells operators. Operators that clike composes from others have no row.
type Table map[ops.Op]map[Class]Row

// composed operators are translated by way of others: clamp(x, lo, hi) is min(max(x, lo), hi).
var composed = map[ops.Op]bool{ops.Clamp: true}

// wideSpelling finds how op is written on wide values of a kind, of which functions on single lanes are not made.
func (d *Dialect) wideSpelling(op ops.Op, k types.Kind) Spelling {
	sp := d.spelling(op, k, true)
	if sp.Scalars {
		return d.Ops[op][classOf(k)].Exact
	}
	return sp
}

// spelling finds how op is written on a kind, whose class decides.
func (d *Dialect) spelling(op ops.Op, k types.Kind, exact bool) Spelling {
	row := d.Ops[op][classOf(k)]
	if k == types.F32 && row.Single.isSet() {
		return row.Single
	}
	if exact && row.Exact.isSet() || !row.Any.isSet() {
		return row.Exact
	}
	return row.Any
}

// Spelled reports whether op can be written on kind k, both where it is exact and in general.
func (d *Dialect) Spelled(op ops.Op, k types.Kind) bool {
	if composed[op] {
		return d.Spelled(ops.Min, k) && d.Spelled(ops.Max, k)
	}
	return d.spelling(op, computed(k), true).isSet() && d.spelling(op, computed(k), false).isSet()
}

// Held is the kind of the C variable that holds a value of kind k.
func Held(k types.Kind) types.Kind {
	if k == types.F16 || k == types.BF16 {
		return types.F32
	}
	return k
}

// heldOf is the same for a type: the lanes of a vector of bools are bytes.
func heldOf(t types.Type) types.Kind {
	if t.Kind == types.Bool && t.Lanes > 1 {
		return types.U8
	}
	return Held(t.Kind)
}

// computed is the kind in which an operator on kind k is computed: integers under 32 bits are promoted, as C does.
func computed(k types.Kind) types.Kind {
	if k.IsInt() && k.Bits() < 32 {
		return types.I32
	}
	return Held(k)
}
