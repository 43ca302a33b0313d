package hast

import (
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// An Expr computes a value of a known type. Nothing that an expression does can fail or be observed, so parts may be computed
// in any order, twice or not at all; only a Load under a condition must not be done where the condition is false, since the
// proof that it is in range may rest on it.
type Expr interface {
	Type() types.Type
	Span() source.Span
	expr()
}

// Typed carries what every expression has; nodes embed it.
type Typed struct {
	T  types.Type
	At source.Span
}

func (t Typed) Type() types.Type  { return t.T }
func (t Typed) Span() source.Span { return t.At }
func (Typed) expr()               {}

type (
	// Const is a constant of any type, arrays included. Name is the const or mask it came from, "" for literals and folded
	// values.
	Const struct {
		Typed
		Words []types.Word
		Name  string
	}
	// Ref reads a variable.
	Ref struct {
		Typed
		Var *Var
	}
	// Op applies an operator or built-in function. Operands have been promoted: all have one type, but for the count of a
	// shift (any integer kind) and where the table of ops says otherwise. On arrays it acts per element; a scalar operand
	// beside an array or vector has been broadcast by a Splat. Sums of arrays are Ops, the matrix product is MatMul.
	Op struct {
		Typed
		Op   ops.Op
		Args []Expr
	}
	// Convert changes the component kind and keeps lanes and extents.
	Convert struct {
		Typed
		X   Expr
		How How
	}
	// Splat repeats a scalar (or, for an array of vectors, an element) over the lanes and extents of T.
	Splat struct {
		Typed
		X Expr
	}
	// Select is Cond ? Then : Else; Cond is a scalar bool, or, with Lanes set, a vector of bools that chooses per component.
	// A scalar condition evaluates one side only.
	Select struct {
		Typed
		Cond, Then, Else Expr
	}
	// Vec makes a vector from scalars, one for each lane.
	Vec struct {
		Typed
		Parts []Expr
	}
	// Swizzle takes lanes of a vector, one (a scalar) or several: v.zyx has Lanes 2, 1, 0.
	Swizzle struct {
		Typed
		X     Expr
		Lanes []int
	}
	// Array makes an array from elements, row by row.
	Array struct {
		Typed
		Elems []Expr
	}
	// Elem takes one element of an array: one index of kind i32 for each extent. An index outside reads 0, so indexing never
	// traps; InRange says that this is proved not to happen.
	Elem struct {
		Typed
		X       Expr
		Index   []Expr
		InRange bool
	}
	// Transpose exchanges the two extents of an array.
	Transpose struct {
		Typed
		X Expr
	}
	// MatMul is the matrix product of two arrays of two extents (a 1-D operand has been given a second): sums run over the
	// inner extent from 0, starting with the first product.
	MatMul struct {
		Typed
		X, Y Expr
	}
	// Reshape gives the same elements other extents, or drops or adds extents of 1.
	Reshape struct {
		Typed
		X Expr
	}
	// Load reads one pixel.
	Load struct {
		Typed
		Image *Image
		Index []Coord // one for each axis
		Rule  *Rule   // what happens outside; nil where no coordinate can leave the image
	}
	// Window reads a block of pixels: an array whose extents are the counts of the axes that have a colon.
	Window struct {
		Typed
		Image *Image
		Axes  []WindowAxis // one for each axis of the image
		Rule  *Rule
	}
	// Call calls a func.
	Call struct {
		Typed
		Func *Func
		Args []Expr
	}
	// Reduce reduces Elem over the points of Space, in order.
	Reduce struct {
		Typed
		Op    ReduceOp
		Space Space
		Where Expr // nil, or a bool: points where it does not hold do not take part
		Elem  Expr // converted to the kind in which the reduction computes: T's kind, but for means of integers, argmin, argmax, count
		Init  Expr // of fold
		Func  *Func
		// Ways, of a Sum or Product of floats over ranges, is a power of two if it is not 0: so many partial results are kept. The k-th
		// value of the last variable goes into number k modulo Ways; all points of one value, in order, come before those of the
		// next. Then each partial result of the first half takes in the one as far behind it as the half is long, and so on with
		// halves of that half, until one is left. Neither vectors nor work-groups of up to Ways lanes change what comes out.
		Ways int
	}
)

// How says how a Convert treats values that the target kind lacks (package types).
type How uint8

const (
	Wrap     How = iota // T(e): integers wrap, floats truncate, saturate out of range
	Saturate            // sat<T>(e): rounds to nearest even, saturates
	Bitcast             // bitcast<T>(e): kinds of equal width
)

// A Coord is one coordinate of a Load: an i32 and whether it can be below the first or above the last index.
type Coord struct {
	X            Expr
	Below, Above bool
}

// A WindowAxis is one subscript of a Window: Count coordinates from Start.X, Stride apart, and an extent of the result where
// Colon is set; else the single coordinate Start.X (Count is 1).
type WindowAxis struct {
	Start  Coord // Below and Above speak of the whole run of coordinates
	Count  int
	Stride int
	Colon  bool
}

// RuleKind names a border rule.
type RuleKind uint8

const (
	Clamp      RuleKind = iota // aaa|abcd|ddd
	Reflect                    // cba|abcd|dcb
	Reflect101                 // dcb|abcd|cba
	Repeat                     // bcd|abcd|abc
	Constant                   // vvv|abcd|vvv
	Undefined                  // the author's promise that it does not happen; the interpreter and the kernels read 0 or any pixel of the image, never outside
	Formula                    // a border by formula
)

// RuleNames are the spellings of the named rules in the language.
var RuleNames = [...]string{"clamp", "reflect", "reflect101", "repeat", "constant", "undefined"}

// String is the rule's spelling in the language; "formula" for Formula.
func (k RuleKind) String() string {
	if k == Formula {
		return "formula"
	}
	return RuleNames[k]
}

// A Rule is a border rule. Each axis folds its coordinate by itself as often as needed; under Constant a pixel with any
// coordinate outside is Value, under Formula what the border computes.
type Rule struct {
	Kind   RuleKind
	Value  Expr    // of Constant: of the image's element type, a constant or a host expression
	Border *Border // of Formula: made for the image that is read
}

// ReduceOp names a reduction.
type ReduceOp uint8

const (
	Sum     ReduceOp = iota // promoted kind; over nothing 0
	Product                 // over nothing 1
	Mean                    // the sum of Elem divided by the count, as f32 or f64; integers are summed exactly (SumKind); over nothing 0
	Min                     // NaN loses; over nothing the highest value of the kind
	Max                     // NaN loses; over nothing the lowest
	Median                  // lower median: element (n-1)/2 of the sorted values, NaN last; over nothing 0
	Any
	All
	Count  // i32
	ArgMin // i32, or for k > 1 variables i32xk with the fastest axis first (.x); the first wins; over nothing 0
	ArgMax
	Fold // acc = Func(acc, Elem), from Init
)

// ReduceNames are the spellings in the language.
var ReduceNames = [...]string{"sum", "product", "mean", "min", "max", "median", "any", "all", "count", "argmin", "argmax", "fold"}

// String is the reduction's spelling in the language.
func (op ReduceOp) String() string { return ReduceNames[op] }

// Identity is what a Sum, Product, Min, Max, Any, All or Count of nothing comes to, of components of kind k.
func (op ReduceOp) Identity(k types.Kind) types.Word {
	switch op {
	case Product:
		return types.Convert(1, types.I32, k)
	case Min:
		return types.Highest(k)
	case Max:
		return types.Lowest(k)
	case All:
		return 1
	}
	return 0
}

// SumKind is the kind in which a mean adds up elements of a kind: floats as they are, integers exactly, modulo 2^64.
func SumKind(k types.Kind) types.Kind {
	switch {
	case k.IsFloat():
		return k
	case k.IsUnsigned() && k.Bits() >= 32:
		return types.U64
	}
	return types.I64
}
