package ops

// An Op is an operator or built-in function on components. The typed programs (hast, kir) carry ops after promotion: all
// operands have one kind unless the row says otherwise.
type Op uint8

const (
	None Op = iota

	// operators
	Neg
	Not    // !a, of a bool
	BitNot // ~a
	Add
	Sub
	Mul
	Div // truncates on integers; x/0 is 0, MIN/-1 wraps
	Rem // sign of the dividend; x%0 is 0 on integers; C's fmod on floats
	And
	Or
	Xor
	Shl // each operand is promoted alone, the result has the left one's kind; the count is taken modulo that kind's width
	Shr // the same; arithmetic on signed kinds
	LAnd
	LOr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge

	// of numbers of any kind
	Abs      // of the smallest integer it wraps to itself
	Sign     // -1, 0 or 1; keeps the sign of zero, is 0 of NaN
	Min      // NaN loses against a number; -0 is less than +0, though a device may return either
	Max      // the same
	Clamp    // clamp(x, lo, hi) = min(max(x, lo), hi)
	Mod      // floored: the sign of the divisor; x mod 0 is 0 on integers; on floats fmod(x, y), plus y where signs differ
	FloorDiv // integers only; x/0 is 0

	// of floats
	Floor
	Ceil
	Round // half away from zero, as in C
	Trunc
	Fract // x - floor(x)
	Sqrt
	Rsqrt
	Cbrt
	Exp
	Exp2
	Log
	Log2
	Log10
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	Pow
	Atan2
	Hypot
	Fma
	Mix        // mix(a, b, t) = a + (b - a) * t
	Step       // step(edge, x) = x < edge ? 0 : 1
	Smoothstep // t = clamp((x - a) / (b - a), 0, 1); t * t * (3 - 2 * t)
	IsNan
	IsInf

	// of integers
	Popcount // of a promoted negative number it counts the 32 bits
	Clz      // within the promoted width; of 0 it is that width

	// of whole vectors
	Dot       // sum of the products from left to right
	Cross     // of 3 components, or of the first 3 of 4, the last being 0
	Length    // sqrt(dot(a, a))
	Normalize // a / length(a); a itself where that is 0
	Any
	All

	count
)

// Operands says which kinds an op takes.
type Operands uint8

const (
	Numbers  Operands = iota + 1 // integers and floats; small integers are promoted to i32
	Integers                     // integers; small ones are promoted to i32
	Floats                       // floats; integers are converted to f32, 64-bit ones and with f64 to f64
	Bools
	Anything // numbers or bools
)

// Result says what an op returns.
type Result uint8

const (
	Same   Result = iota + 1 // the operands' kind, lane by lane
	Truth                    // bool, lane by lane
	Scalar                   // one component of the operands' kind
	Flag                     // one bool
	Index                    // i32, lane by lane
)

// Info is what is known of an op apart from its meaning.
type Info struct {
	Name     string // the spelling in the language: "+", "sqrt"
	Arity    int
	Operands Operands
	Result   Result
	Call     bool    // written name(args), not as an operator
	ULP      float64 // the bound that OpenCL 1.2 (table 7.1) gives for f32, full profile; 0 is exact or correctly rounded
	Steps    bool    // a formula of several roundings, for which OpenCL has no bound: each step is rounded
	Commutes bool    // a op b equals b op a
	Lazy     bool    // b is computed only where a leaves the result open
}

var table = [count]Info{
	Neg:    {Name: "-", Arity: 1, Operands: Numbers, Result: Same},
	Not:    {Name: "!", Arity: 1, Operands: Bools, Result: Truth},
	BitNot: {Name: "~", Arity: 1, Operands: Integers, Result: Same},
	Add:    {Name: "+", Arity: 2, Operands: Numbers, Result: Same, Commutes: true},
	Sub:    {Name: "-", Arity: 2, Operands: Numbers, Result: Same},
	Mul:    {Name: "*", Arity: 2, Operands: Numbers, Result: Same, Commutes: true},
	Div:    {Name: "/", Arity: 2, Operands: Numbers, Result: Same, ULP: 2.5},
	Rem:    {Name: "%", Arity: 2, Operands: Numbers, Result: Same},
	And:    {Name: "&", Arity: 2, Operands: Integers, Result: Same, Commutes: true},
	Or:     {Name: "|", Arity: 2, Operands: Integers, Result: Same, Commutes: true},
	Xor:    {Name: "^", Arity: 2, Operands: Integers, Result: Same, Commutes: true},
	Shl:    {Name: "<<", Arity: 2, Operands: Integers, Result: Same},
	Shr:    {Name: ">>", Arity: 2, Operands: Integers, Result: Same},
	LAnd:   {Name: "&&", Arity: 2, Operands: Bools, Result: Truth, Commutes: true, Lazy: true},
	LOr:    {Name: "||", Arity: 2, Operands: Bools, Result: Truth, Commutes: true, Lazy: true},
	Eq:     {Name: "==", Arity: 2, Operands: Anything, Result: Truth, Commutes: true},
	Ne:     {Name: "!=", Arity: 2, Operands: Anything, Result: Truth, Commutes: true},
	Lt:     {Name: "<", Arity: 2, Operands: Numbers, Result: Truth},
	Le:     {Name: "<=", Arity: 2, Operands: Numbers, Result: Truth},
	Gt:     {Name: ">", Arity: 2, Operands: Numbers, Result: Truth},
	Ge:     {Name: ">=", Arity: 2, Operands: Numbers, Result: Truth},

	Abs:      {Name: "abs", Arity: 1, Operands: Numbers, Result: Same, Call: true},
	Sign:     {Name: "sign", Arity: 1, Operands: Numbers, Result: Same, Call: true},
	Min:      {Name: "min", Arity: 2, Operands: Numbers, Result: Same, Call: true, Commutes: true},
	Max:      {Name: "max", Arity: 2, Operands: Numbers, Result: Same, Call: true, Commutes: true},
	Clamp:    {Name: "clamp", Arity: 3, Operands: Numbers, Result: Same, Call: true},
	Mod:      {Name: "mod", Arity: 2, Operands: Numbers, Result: Same, Call: true},
	FloorDiv: {Name: "floordiv", Arity: 2, Operands: Integers, Result: Same, Call: true},

	Floor:      {Name: "floor", Arity: 1, Operands: Floats, Result: Same, Call: true},
	Ceil:       {Name: "ceil", Arity: 1, Operands: Floats, Result: Same, Call: true},
	Round:      {Name: "round", Arity: 1, Operands: Floats, Result: Same, Call: true},
	Trunc:      {Name: "trunc", Arity: 1, Operands: Floats, Result: Same, Call: true},
	Fract:      {Name: "fract", Arity: 1, Operands: Floats, Result: Same, Call: true},
	Sqrt:       {Name: "sqrt", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 3},
	Rsqrt:      {Name: "rsqrt", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 2},
	Cbrt:       {Name: "cbrt", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 2},
	Exp:        {Name: "exp", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 3},
	Exp2:       {Name: "exp2", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 3},
	Log:        {Name: "log", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 3},
	Log2:       {Name: "log2", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 3},
	Log10:      {Name: "log10", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 3},
	Sin:        {Name: "sin", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 4},
	Cos:        {Name: "cos", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 4},
	Tan:        {Name: "tan", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 5},
	Asin:       {Name: "asin", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 4},
	Acos:       {Name: "acos", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 4},
	Atan:       {Name: "atan", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 5},
	Sinh:       {Name: "sinh", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 4},
	Cosh:       {Name: "cosh", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 4},
	Tanh:       {Name: "tanh", Arity: 1, Operands: Floats, Result: Same, Call: true, ULP: 5},
	Pow:        {Name: "pow", Arity: 2, Operands: Floats, Result: Same, Call: true, ULP: 16},
	Atan2:      {Name: "atan2", Arity: 2, Operands: Floats, Result: Same, Call: true, ULP: 6},
	Hypot:      {Name: "hypot", Arity: 2, Operands: Floats, Result: Same, Call: true, Commutes: true, ULP: 4},
	Fma:        {Name: "fma", Arity: 3, Operands: Floats, Result: Same, Call: true},
	Mix:        {Name: "mix", Arity: 3, Operands: Floats, Result: Same, Call: true, Steps: true},
	Step:       {Name: "step", Arity: 2, Operands: Floats, Result: Same, Call: true},
	Smoothstep: {Name: "smoothstep", Arity: 3, Operands: Floats, Result: Same, Call: true, Steps: true},
	IsNan:      {Name: "isnan", Arity: 1, Operands: Floats, Result: Truth, Call: true},
	IsInf:      {Name: "isinf", Arity: 1, Operands: Floats, Result: Truth, Call: true},

	Popcount: {Name: "popcount", Arity: 1, Operands: Integers, Result: Index, Call: true},
	Clz:      {Name: "clz", Arity: 1, Operands: Integers, Result: Index, Call: true},

	Dot:       {Name: "dot", Arity: 2, Operands: Floats, Result: Scalar, Call: true, Commutes: true, Steps: true},
	Cross:     {Name: "cross", Arity: 2, Operands: Floats, Result: Same, Call: true, Steps: true},
	Length:    {Name: "length", Arity: 1, Operands: Floats, Result: Scalar, Call: true, Steps: true},
	Normalize: {Name: "normalize", Arity: 1, Operands: Floats, Result: Same, Call: true, Steps: true},
	Any:       {Name: "any", Arity: 1, Operands: Bools, Result: Flag, Call: true},
	All:       {Name: "all", Arity: 1, Operands: Bools, Result: Flag, Call: true},
}

// Info returns the row of op.
func (op Op) Info() Info { return table[op] }

// Lazy reports whether an operator computes its second operand only where the first one leaves the result open.
func (op Op) Lazy() bool { return table[op].Lazy }

// String is the op's spelling in the language.
func (op Op) String() string {
	if op == None || op >= count {
		return "none"
	}
	return table[op].Name
}

// AllOps lists every op in declaration order.
func AllOps() []Op {
	all := make([]Op, 0, count)
	for op := None + 1; op < count; op++ {
		all = append(all, op)
	}
	return all
}

// Function finds the built-in function spelled name; operators are not functions.
func Function(name string) (Op, bool) {
	for op := None + 1; op < count; op++ {
		if table[op].Call && table[op].Name == name {
			return op, true
		}
	}
	return None, false
}

// Operator finds the operator spelled name with the given number of operands.
func Operator(name string, arity int) (Op, bool) {
	for op := None + 1; op < count; op++ {
		if !table[op].Call && table[op].Name == name && table[op].Arity == arity {
			return op, true
		}
	}
	return None, false
}
