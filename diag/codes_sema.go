package diag

import "slices"

// The codes of the checker: names and types.
const (
	UnknownName        Code = "IMG0201"
	HiddenName         Code = "IMG0202"
	UnknownType        Code = "IMG0203"
	NoCommonType       Code = "IMG0204"
	ImplicitConversion Code = "IMG0205"
	OperandKind        Code = "IMG0206"
	ArgumentCount      Code = "IMG0207"
	WrongUse           Code = "IMG0208"
	UnknownField       Code = "IMG0209"
	BadSubscript       Code = "IMG0210"
	ShapeMismatch      Code = "IMG0211"
	NotAssignable      Code = "IMG0212"
	NotBool            Code = "IMG0213"
	MissingReturn      Code = "IMG0214"
	Recursion          Code = "IMG0215"
	VectorParts        Code = "IMG0216"
	Misplaced          Code = "IMG0217"
	BadReduction       Code = "IMG0218"
	MissingValue       Code = "IMG0219"
	BadIteration       Code = "IMG0220"
	BadParameter       Code = "IMG0221"
	SummedProduct      Code = "IMG0222"
	TooNarrow          Code = "IMG0223"
	Unused             Code = "IMG0230"
	Unreachable        Code = "IMG0231"
	PixelByPixel       Code = "IMG0232"
)

// The codes of the checker: constants.
const (
	NotConstant        Code = "IMG0301"
	ConstantRange      Code = "IMG0302"
	ConstantCycle      Code = "IMG0303"
	ConstantArithmetic Code = "IMG0304"
	IndexRange         Code = "IMG0305"
	BadExtent          Code = "IMG0306"
)

// The codes of the checker: images, stages, borders.
const (
	UnknownRule  Code = "IMG0401"
	RuleValue    Code = "IMG0402"
	UnboundSize  Code = "IMG0403"
	WriteToIn    Code = "IMG0404"
	OutRead      Code = "IMG0405"
	BadConvolve  Code = "IMG0406"
	CopyMismatch Code = "IMG0407"
	NeverWritten Code = "IMG0408"
	MaskAxes     Code = "IMG0409"
	BadBorder    Code = "IMG0420"
	BadScan      Code = "IMG0421"
)

// The codes of the checker: files, calls of kernels, generics, assumptions, and where the host waits.
const (
	BadArgument  Code = "IMG0601"
	SharedImage  Code = "IMG0602"
	TypeVariable Code = "IMG0603"
	BadAssume    Code = "IMG0604"
	TooManyCalls Code = "IMG0605"
	HostWaits    Code = "IMG0606"
	BadImport    Code = "IMG0610"
)

// The codes of schedules.
const (
	BadSchedule     Code = "IMG0701"
	IllegalDecision Code = "IMG0702"
)

// NotSupported is of what belongs to the language and is not compiled yet.
const NotSupported Code = "IMG0901"

// semaEntries documents what the checker reports; the files codes_names.go and codes_images.go hold the texts.
var semaEntries = slices.Concat(nameEntries, constantEntries, imageEntries, callEntries, scheduleEntries)
