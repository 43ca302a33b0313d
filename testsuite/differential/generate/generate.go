package generate

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"imgc/archmodels"
	"imgc/types"
)

// A generator holds what is visible where the next piece of text stands.
type generator struct {
	*rand.Rand
	decls  []string   // written so far, besides the pipeline
	values []variable // scalars, vectors and arrays that an expression may name
	images []*image   // of the pipeline or kernel
	stage  *stage     // around the expression; nil on the host
	loops  int        // depth of loops in the body
	names  int        // given so far
	whole  bool       // every kind is an integer: exact in every floating-point mode
	sizes  []string   // size names, slowest first
	taps   *image     // a mask parameter; nil without one
	steps  int        // depth of control flow in the pipeline
	funcs  int        // declared so far

	inKernel  bool     // stages have no schedule there
	scheduled []string // decisions, by stage
}

// A variable is a value with a name.
type variable struct {
	name    string
	typ     types.Type
	mutable bool
	fixed   bool // a let: the compiler may know its value
	host    bool // an i32 of the pipeline whose value the host knows when it is called
}

// An image is an image of the pipeline or kernel.
type image struct {
	name   string
	elem   types.Type
	extent []string // an expression for each axis, in terms of size names
	low    []int    // first index of each axis
	rule   string   // its own border rule, "" without
	holds  bool     // it has been written or is given
	writes bool     // it may be written
	param  bool
	of     *image // of a view: the image behind it
	inside int    // depth of control flow where it is declared
}

// A stage is the iterate or comprehension around an expression.
type stage struct {
	vars  []string
	over  []string          // extent of each variable's range, which starts at low
	low   []int             //
	all   bool              // a rule for every image
	rules map[string]string // by image
	busy  map[string]bool   // images that the stage writes: not to be read but by a template that knows how
}

// mostFuncs is how many funcs a program declares.
const mostFuncs = 3

// Program returns the program of a seed. Its first line is a comment of directives for package trial where the program needs some.
func Program(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x696d6763))}
	mode, text := "strict", ""
	switch {
	case IsChain(seed):
		mode, text = g.chainProgram()
	default:
		mode, text = g.anyProgram()
	}
	head := fmt.Sprintf("// differential: %s, schedule %d, arch %s\n", mode, 1+g.IntN(1e6), pick(g, archmodels.Names()))
	return head + strings.Join(append(g.decls, text), "\n")
}

// IsChain reports whether a seed's program is a chain: one of four.
func IsChain(seed uint64) bool { return rand.New(rand.NewPCG(seed, 1)).IntN(4) == 0 }

// anyProgram has all that the language has; in the modes that leave freedom to floats it has none, or errors stay small.
func (g *generator) anyProgram() (mode, text string) {
	mode = "strict"
	switch g.whole = g.chance(15); {
	case g.whole:
		mode, text = pick(g, []string{"contract", "fast"}), g.pipeline("run")+g.schedule("run")
	case g.chance(8):
		mode, text = g.smoothProgram()
		mode += ", bound " + smoothBounds[mode]
	default:
		text = g.pipeline("run") + g.schedule("run")
	}
	return mode, text
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// weighted is a choice among things that are more or less common.
type weighted[T any] struct {
	weight int
	what   T
}

func choose[T any](g *generator, list []weighted[T]) T {
	total := 0
	for _, w := range list {
		total += w.weight
	}
	at := g.IntN(total)
	for _, w := range list {
		if at -= w.weight; at < 0 {
			return w.what
		}
	}
	panic("weights that are not positive")
}

var (
	integers = []types.Kind{types.I8, types.I16, types.I32, types.I64, types.U8, types.U16, types.U32, types.U64}
	floats   = []types.Kind{types.F32, types.F32, types.F64, types.F16}
	tI32     = types.Scalar(types.I32)
	tBool    = types.Scalar(types.Bool)
)

// number is a kind to compute in.
func (g *generator) number() types.Kind {
	if g.whole || g.chance(60) {
		return pick(g, integers)
	}
	return pick(g, floats)
}

// float is a kind of floats; ok is false where the program has none.
func (g *generator) float() (k types.Kind, ok bool) { return pick(g, floats), !g.whole }

func (g *generator) value() types.Type {
	if g.chance(20) {
		return types.Vector(g.number(), 2+g.IntN(3))
	}
	return types.Scalar(g.number())
}

// pixel is the type of an image's elements: those to compute in, and the two kinds that are stored only.
func (g *generator) pixel() types.Type {
	switch t := g.value(); {
	case g.chance(4) && !g.whole:
		return t.WithKind(types.BF16)
	case g.chance(4):
		return t.WithKind(types.Bool)
	case g.chance(40):
		return types.Scalar(pick(g, []types.Kind{types.U8, types.I32, types.I16}))
	default:
		return t
	}
}

// local runs write in a scope of its own.
func (g *generator) local(write func() string) string {
	values, images := g.values, g.images
	defer func() { g.values, g.images = values, images }()
	return write()
}

// indent shifts lines to the right.
func indent(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if l != "" && l != "\n" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "")
}

// block encloses statements.
func block(stmts string) string { return "{\n" + indent(stmts) + "}\n" }

func (g *generator) add(v variable) { g.values = append(g.values[:len(g.values):len(g.values)], v) }

func brackets(list []string) string { return "[" + strings.Join(list, "][") + "]" }
