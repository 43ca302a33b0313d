package hast

import (
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// A Program is everything that one .img file defines.
type Program struct {
	Name      string         // the stem of the file's name: "blur" of "dir/blur.img"
	File      *source.File   // the file that was compiled
	Imports   []*source.File // what it imports, directly or not, each after what it imports itself
	Pipelines []*Pipeline    // in the order of the text
	Funcs     []*Func        // those that are called, monomorphic, callees before callers
}

// A Pipeline is an entry point of the generated library.
type Pipeline struct {
	Name   string
	Params []*Param // in the order of the text
	Sizes  []*Size  // in the order of binding
	Images []*Image // parameters first, then locals in the order of declaration
	// Declared are the images whose extents are tested, in order, where stages were put together: others than Images, too, which no step
	// uses any more. Nil where these are the same.
	Declared []*Image
	// Pyramids are the families that local images with Of belong to, in the order of declaration.
	Pyramids []*Pyramid
	// Counted are levels that no traverse goes through any more, whose number and extents are tested on entry all the same.
	Counted []*Counted
	Checks  []*Check // tested on entry, in order, before anything is written
	Steps   []Step
	At      source.Span
}

// A Param is an image or a scalar; exactly one of Image and Scalar is set.
type Param struct {
	Name    string
	Dir     Dir
	Image   *Image
	Scalar  *Var
	Default *types.Value // of an in scalar; nil without
	At      source.Span
}

// Dir says which way a parameter's data flows.
type Dir uint8

const (
	In    Dir = iota // read only
	Out              // dead on entry; pixels that nothing writes are 0 on return
	InOut            // keeps what is not written
	Local            // of an image that is no parameter
)

// String is the keyword; "local" for Local.
func (d Dir) String() string { return [...]string{"in", "out", "inout", "local"}[d] }

// A Size is a size name. It is bound by the first extent that is linear in it: extent Axis of Image equals Mul*n + Add, so
// n = (extent - Add) / Mul. The entry fails where that does not divide. The extent is at least 1; n may be less, as in [n + 1].
type Size struct {
	Var   *Var // i32, Class SizeVar
	Image *Image
	Axis  int
	Mul   int64 // >= 1
	Add   int64
}

// MaxExtent is the largest extent of an image.
const MaxExtent = types.MaxExtent

// An Image is a parameter or a local image.
type Image struct {
	Name   string
	Dir    Dir
	Elem   types.Type // scalar or vector
	Extent []Expr     // host expressions of kind i32, slowest axis first; the value of each is 1 to MaxExtent, of a view from 0 on (checked on entry)
	Lower  []int64    // lower index bounds, nil where all are 0
	Scalar bool       // of one axis and one pixel: a scalar that the device computes
	Spread bool       // of a parameter: the components of its pixels, which are vectors, are an axis of the caller's, behind those of Extent
	Zero   bool       // some pixel may be read or returned without having been written: starts as zeros
	View   *View      // of which image it is a part; nil where it has storage of its own
	Of     *Pyramid   // of a local image that is a level of a family; Extent says what it has where the image is used
	Index  Expr       // with Of: i32, which level it is; proved to be one
	Ring   bool       // of a local image that a scan alone reads and writes, line by line: indices along the first axis go on beyond its extent, a power of two, modulo which pixels lie
	Dealt  *Dealt     // of a local image: the reduction that its pixels are parts of, which has been dealt out; nil for others
	At     source.Span
}

// Dealt is a reduction of which each pixel of an image has a part: that of the points whose first variable has every so-manieth value of its range. Nothing
// reads them but the reduction of all of them by the same operator. Where its result does not depend on the order, any part may have any of the points.
type Dealt struct {
	Range Range // of the first variable
	First Expr  // its first value in the part of an instance, as the stage that stores them defines it
}

// Rank is the number of axes.
func (m *Image) Rank() int { return len(m.Extent) }

// A Check is a condition on sizes and scalar parameters that the entry point tests.
type Check struct {
	Cond    Expr      // host expression of kind bool; must hold
	Over    []*Levels // whose variables stand in it: it must hold at all of their levels
	Message string    // a sentence without full stop, in the user's terms: "dst needs W >= 2, because dst[y][W-2] is written"
	At      source.Span
}

// VarClass says what a variable is.
type VarClass uint8

const (
	Iterator    VarClass = iota // of a stage
	Loop                        // of a For or Reduce
	Value                       // let: assigned once, at its Define
	Mutable                     // var: changed by Set
	FuncParam                   // of a func
	SizeVar                     // a size name
	ScalarIn                    // a scalar parameter in
	ScalarOut                   // a scalar parameter out, set by SetScalar
	HostValue                   // let on the host
	HostMutable                 // var on the host, changed by SetHost
	HostLoop                    // of a ForHost
	HostLevel                   // of a Levels
)

// OfHost reports whether variables of the class are values of the host, the same for all instances of a stage.
func (c VarClass) OfHost() bool { return c >= SizeVar && c != ScalarOut }

// A Var is a variable. Identity is the pointer; names need not be unique.
type Var struct {
	Name  string
	Type  types.Type
	Class VarClass
	At    source.Span
}

// A Func is a function on values. It returns on every path.
type Func struct {
	Name        string // unique in the program
	Params      []*Var // FuncParam
	Result      types.Type
	Body        []Stmt
	Commutative bool
	Extern      *Extern // of a func in the language of the device, which has no Body; nil of all others
	At          source.Span
}

// An Extern is a function of the user's in the language of a device. What it returns depends on its arguments alone.
type Extern struct {
	Name    string // in the texts
	Sources []ExternSource
	// In says of each parameter that the function has, in its order, whether it is one of the Func's; the one that is not, is out.
	// Place is the parameter whose pointed-to value is the Func's result; -1 of a function that returns its result.
	In    []bool
	Place int
}

// ExternLangs are the languages that extern funcs may be in.
var ExternLangs = []string{"opencl", "cuda"}

// Text is the source in a language; false where there is none.
func (x *Extern) Text(lang string) (ExternSource, bool) {
	for _, s := range x.Sources {
		if s.Lang == lang {
			return s, true
		}
	}
	return ExternSource{}, false
}

// An ExternSource is a file with the function in one language.
type ExternSource struct {
	Lang string // "opencl" or "cuda"
	File string // as the program names it
	Text string
}

// A Range is Lo, Lo+Step, ... below Hi (above, where Step is negative). Lo and Hi are of kind i32; host expressions in a stage.
type Range struct {
	Lo, Hi Expr
	Step   int64 // never 0
}

// Counts reports whether a range is 0, 1, 2 and so on.
func (r Range) Counts() bool {
	lo, known := Number(r.Lo)
	return known && lo == 0 && r.Step == 1
}

// Covers reports whether a range has the indices of an axis of an image, which start at 0.
func (r Range) Covers(m *Image, axis int) bool {
	return r.Counts() && m.First(axis) == 0 && Equal(r.Hi, m.Extent[axis])
}

// A Space is what a reduction or loop runs over, in order, the last variable fastest: a product of Ranges, one for each
// variable, or a list of Points, a coordinate for each variable. Exactly one of the two is set. The bounds of one range do not
// depend on the other variables of the same space.
type Space struct {
	Vars   []*Var // i32
	Ranges []Range
	Points [][]int64
}

// ---- steps: what the host does

// A Step is a statement of a pipeline.
type Step interface {
	Span() source.Span
	step()
}

type (
	// A Stage runs Body once for every point of Space for which Where holds. Instances may run in any order and at once: an
	// image that a stage writes is read by it only at the instance's own pixel or at pixels that no instance writes. Under a
	// Scan this holds of the instances of one step, and the steps run one after the other.
	Stage struct {
		Name        string // its label, else the name of the first image that it writes; unique in the pipeline
		Space       Space  // Ranges only
		Where       Expr   // bool; nil for all
		Body        []Stmt
		Independent bool  // the author's promise stands in for the proof
		Scan        *Scan // nil without
		// Fused are stages that run before this one, in order and as a part of it: neither they nor it scan. Inner are local images that
		// nothing else touches, and that are written as a whole: they need no storage. They are none of the pipeline's Images.
		Fused []*Stage
		Inner []*Image
		// Reduced is a stage that runs behind this one and as a part of it: each of its instances reduces a part of the pixels that this one writes
		// (Image.Dealt), its own at each point; nil for none.
		Reduced *Stage
		Within  []source.Span // the calls that it was expanded from, the innermost first; for messages
		At      source.Span
	}
	// DefineHost gives a host value its value; in a loop, once in each round.
	DefineHost struct {
		Var   *Var // HostValue or HostMutable
		Value Expr // host expression
		At    source.Span
	}
	// SetScalar gives an out scalar its value: one that the host computes, or that the one pixel of a local image has at the end of
	// the pipeline, without the host waiting for it. No other SetScalar of the variable follows with another image or a Value.
	SetScalar struct {
		Var   *Var   // ScalarOut
		Value Expr   // host expression; nil with From
		From  *Image // of one axis and one pixel; of Var's type, for a bool of i32, where all but 0 is true, for 16-bit floats of f32
		At    source.Span
	}
)

// A Scan orders the instances of a stage: those with smaller values of one variable run first, with Down set those with larger.
type Scan struct {
	Axis int // of the variable in Space
	Down bool
	// Lines: instances that differ in another variable touch no pixel together that one of them writes, so that each line along
	// the axis may run by itself.
	Lines bool
	// Chunks: lines can be cut into chunks that run side by side, which takes three launches, unless somebody takes them as wholes.
	Chunks bool
	// Twofold: the first of these launches runs its chunks from two states, so that chunks pay where lines leave a device idle alone.
	Twofold bool
	// Tables: the first of them runs its chunks from all states that may come up, which pays where a device has nothing else to do.
	Tables bool
	// Prefix is what lines are beside that, where somebody has found out and wants to run them so; nil else.
	Prefix *Prefix
}

// Meet reports whether the lines along a scan touch pixels together, so that all instances of a step come before those of the next one. Without a scan there
// are no lines.
func (s *Scan) Meet() bool { return s != nil && !s.Lines }

// A Prefix says that pixel i of a line, along the last variable, is Op of pixel i-1 and what the body makes of Neutral in the place of
// that pixel, which the load Before reads; Op is associative. The body is definitions and one store.
type Prefix struct {
	Op      ops.Op
	Before  *Load
	Neutral Expr // of the type of the pixels
}

// Across are the variables of a stage that its scan does not run along, by their places in its space and in their order; without a scan they are all.
func (s *Stage) Across() (list []int) {
	for i := range s.Space.Vars {
		if s.Scan == nil || i != s.Scan.Axis {
			list = append(list, i)
		}
	}
	return list
}

func (s *Stage) Span() source.Span      { return s.At }
func (s *DefineHost) Span() source.Span { return s.At }
func (s *SetScalar) Span() source.Span  { return s.At }
func (*Stage) step()                    {}
func (*DefineHost) step()               {}
func (*SetScalar) step()                {}
