package pass

import (
	"fmt"
	"slices"
	"strings"

	"imgc/kir"
)

// A Pass rewrites the kernels and funcs of a program in place.
type Pass struct {
	Name  string
	What  string                           // what it does, as a sentence without its subject
	After []string                         // passes whose results it wants
	run   func(body []kir.Stmt) []kir.Stmt // of one kernel or func; nil for nothing
	end   func(p *kir.Program)             // what it does to the program then; nil for nothing
	pays  func(p *kir.Program) bool        // whether it is for a program; nil for all
}

// table are all passes, in the order in which they run.
var table = []Pass{
	{"fold", "computes what is constant, with conditions that are so of any unsigned integers, and drops operands that change nothing", nil, fold, nil, nil},
	{"saturate", "makes one conversion of a clamp to the range of the kind that follows it", []string{"fold"}, saturate, nil, nil},
	{"hoist", "moves what both branches of a condition start with before it", []string{"fold"}, hoist, nil, nil},
	{"early", "computes quotients of small integers before the choices that they are for, so that those by the same share a reciprocal", []string{"fold"}, early, nil, nil},
	{"staged", "holds small integers in local memory as floats that are then only converted", []string{"fold"}, staged, nil, nil},
	{"floats", "holds small integers as floats that are loaded by vectors and then only converted", []string{"fold", "staged"}, floats, nil, byLogic},
	{"results", "holds integers of 8 and 16 bits as the i32 that they are computed as, where runs of them are stored", []string{"fold", "saturate"}, results, nil, byLogic},
	{"share", "gives a variable to what statements compute several times of values that never change", []string{"fold", "saturate", "hoist", "early", "staged", "floats"}, share, nil, nil},
	{"sizes", "marks quotients and remainders of floats that are neither very large nor very small, for which targets may have shorter forms", []string{"floats", "share"}, nil, sizes, nil},
	{"clamps", "marks the greater of 0 and what is 1 of NaN, which some compilers make one instruction that gives 0 then", []string{"share"}, nil, clamps, nil},
	{"pairs", "computes sums of neighbouring integers of 16 bits by dot products of the words that these were loaded as", []string{"fold", "floats", "share"}, pairs, nil, byDots},
	{"halves", "computes floats of 16 bits of neighbours two at a time, where they are halves of words", []string{"fold", "floats", "share"}, halves, nil, byHalves},
	{"weigh", "adds multiples of conditions by choosing between sums, where an addition may have a condition", []string{"fold", "share"}, weigh, nil, byChoice},
	{"negated", "marks the operands of min and max that may be negations, of which some compilers lose the sign", []string{"share"}, negated, nil, nil},
	{"spread", "marks tables of which work-items read different elements at a time", []string{"fold", "share"}, nil, spread, nil},
	{"filled", "makes tables that are spread buffers that the host fills, where tables lie in memory for what all read alike", []string{"spread"}, nil, fill, byHost},
	{"dead", "removes variables that nothing reads, branches without statements, and funcs that nothing calls", []string{"fold", "saturate", "hoist", "early", "staged", "floats", "results", "share", "pairs", "halves", "weigh", "negated", "spread", "filled"}, dead, uncalled, nil},
}

// byLogic reports whether integers become floats sooner by logic and an addition, as on devices whose registers of 32 bits take bytes of words apart, and put
// them together, by one instruction.
func byLogic(p *kir.Program) bool { return p.FloatsByLogic }

func (pass *Pass) apply(p *kir.Program) {
	if pass.run != nil {
		for _, k := range p.Kernels {
			k.Body = pass.run(k.Body)
		}
		for _, f := range p.Funcs {
			f.Body = pass.run(f.Body)
		}
	}
	if pass.end != nil {
		pass.end(p)
	}
}

// byHost reports whether the host fills buffers with tables of which items read different elements.
func byHost(p *kir.Program) bool { return p.TablesFilled }

// byDots reports whether sums of halves of words are sooner made by dot products.
func byDots(p *kir.Program) bool { return p.HalvesByDots }

// byChoice reports whether a choice between a sum and what it adds to takes one instruction.
func byChoice(p *kir.Program) bool { return p.ChosenSums }

// byHalves reports whether operations on two floats of 16 bits take no longer than one on a float.
func byHalves(p *kir.Program) bool { return p.FloatsByHalves }

// Passes lists the passes in the order in which they run.
func Passes() []Pass { return slices.Clone(table) }

// Names are those of all passes, in that order.
func Names() []string {
	out := make([]string, len(table))
	for i, p := range table {
		out[i] = p.Name
	}
	return out
}

// Options say which passes run and what happens between them.
type Options struct {
	Without []string                                // passes that are left out
	After   func(pass string, p *kir.Program) error // called after each pass that ran; nil for nothing
}

// Run applies the passes to a program. It fails for a name that no pass has, and where After does.
func Run(p *kir.Program, o Options) error {
	for _, name := range o.Without {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("there is no pass %s; there are %s", name, strings.Join(Names(), ", "))
		}
	}
	for _, pass := range table {
		if slices.Contains(o.Without, pass.Name) || pass.pays != nil && !pass.pays(p) {
			continue
		}
		pass.apply(p)
		if o.After == nil {
			continue
		}
		if err := o.After(pass.Name, p); err != nil {
			return fmt.Errorf("after the pass %s: %w", pass.Name, err)
		}
	}
	return nil
}
