package interp

import (
	"context"
	"fmt"
	"slices"

	"imgc/arguments"
	"imgc/hast"
	"imgc/source"
	"imgc/types"
)

// Args are the arguments of a call, by the name of the parameter.
type Args = arguments.Args

// Options bound what a run may use. The zero value is the default.
type Options struct {
	Workers       int   // goroutines that run instances, GOMAXPROCS by default; does not change results
	MaxLocalBytes int64 // of local and out images together; 4 GiB by default
	// Loops that nothing bounds: those in a while, it and what it repeats together. MaxSteps are the iterations of one instance,
	// MaxRounds those of the host. A default is reached within a second or so, where bodies are small.
	MaxSteps, MaxRounds int64
	Externs             map[string]Extern // what extern funcs compute, by their names
	// Claims are held against each value that they are of. One that does not hold is an internal error that names it. Runs take several times as long.
	Claims hast.Claims
}

// An Extern computes an extern func: of the values of its parameters, an out one aside, what it returns or leaves in the parameter that
// it writes.
type Extern func(args []types.Value) types.Value

// The defaults of Options.
const (
	defaultLocalBytes = 4 << 30
	DefaultSteps      = 1 << 24
	DefaultRounds     = 1 << 16
)

func orDefault(v, otherwise int64) int64 {
	if v <= 0 {
		return otherwise
	}
	return v
}

// A Binding is what a call knows before its first stage: arguments that fit their parameters, and the value of every size,
// scalar, host value and extent.
type Binding struct {
	pipeline *hast.Pipeline
	args     Args
	limit    limit
	externs  map[string]Extern
	claims   hast.Claims
	values   map[*hast.Var][]types.Word
	origin   map[*hast.Var]string // what bound a size: "bound by src"
	extents  map[*hast.Image][]int

	levelBytes int64 // that the levels of pyramids take
}

// Bind does what an entry point does before it writes anything, in this order: arguments against parameters, sizes, host
// values and out scalars, extents of parameters and locals, memory, the pipeline's checks, the bounds of stages. Where the arguments do not fit,
// the error is an *Error.
func Bind(ctx context.Context, p *hast.Pipeline, args Args, opts Options) (b *Binding, err error) {
	defer guard(p.Name, p.At, &err)
	b = &Binding{
		pipeline: p,
		args:     args,
		externs:  opts.Externs,
		claims:   opts.Claims,
		limit:    limit{ctx, orDefault(opts.MaxSteps, DefaultSteps), orDefault(opts.MaxRounds, DefaultRounds)},
		values:   map[*hast.Var][]types.Word{},
		origin:   map[*hast.Var]string{},
		extents:  map[*hast.Image][]int{},
	}
	budget := orDefault(opts.MaxLocalBytes, defaultLocalBytes)
	for _, phase := range []func() error{
		b.bindArguments, b.computeHostValues, b.bindExtents, b.bindPyramids,
		func() error { return b.checkMemory(budget) },
		b.test, b.checkRanges,
	} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Extent is the extents of an image of the pipeline, slowest axis first.
func (b *Binding) Extent(m *hast.Image) []int { return slices.Clone(b.extents[m]) }

// Value is the value of a size, a scalar or a host value.
func (b *Binding) Value(v *hast.Var) (types.Value, bool) {
	words, ok := b.values[v]
	return types.Value{Type: v.Type, Words: slices.Clone(words)}, ok
}

// Eval computes a host expression.
func (b *Binding) Eval(e hast.Expr) (v types.Value, err error) {
	defer guard(b.pipeline.Name, e.Span(), &err)
	words, err := b.hostWords(e, "the value", e.Span())
	return types.Value{Type: e.Type(), Words: words}, err
}

// Trips says how the variable of a range runs: Count values From, From+Step, ...
type Trips struct{ From, Step, Count int64 }

// Trips evaluates a range whose bounds are host expressions, as those of a stage are.
func (b *Binding) Trips(r hast.Range) (t Trips, err error) {
	defer guard(b.pipeline.Name, r.Lo.Span(), &err)
	return b.trips(r, "a range", r.Lo.Span())
}

func (b *Binding) trips(r hast.Range, of string, at source.Span) (Trips, error) {
	lo, err := b.hostWords(r.Lo, "the start of "+of, at)
	if err != nil {
		return Trips{}, err
	}
	hi, err := b.hostWords(r.Hi, "the end of "+of, at)
	if err != nil {
		return Trips{}, err
	}
	return tripsOf(lo[0].Int(), hi[0].Int(), r.Step), nil
}

// checkRanges computes the bounds of all stages outside of control flow, so that one that does not fit is known before
// anything runs.
func (b *Binding) checkRanges() error {
	for _, step := range b.pipeline.Steps {
		if s, ok := step.(*hast.Stage); ok && b.knowsRanges(s) {
			if _, err := b.space(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *Binding) knowsRanges(s *hast.Stage) bool {
	for _, r := range s.Space.Ranges {
		if !b.knows(r.Lo) || !b.knows(r.Hi) {
			return false
		}
	}
	return true
}

// space is how the variables of a stage run.
func (b *Binding) space(s *hast.Stage) ([]Trips, error) {
	if len(s.Space.Ranges) == 0 || len(s.Space.Ranges) != len(s.Space.Vars) {
		throw(s.At, "a stage with %d variables over %d ranges", len(s.Space.Vars), len(s.Space.Ranges))
	}
	var list []Trips
	for i, r := range s.Space.Ranges {
		t, err := b.trips(r, s.Space.Vars[i].Name+" in "+s.Name, s.At)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// tripsOf counts from lo to hi, which are i32, so that nothing here overflows.
func tripsOf(lo, hi, step int64) Trips {
	distance, size := hi-lo, step
	if step < 0 {
		distance, size = -distance, -step
	}
	t := Trips{From: lo, Step: step}
	if distance > 0 {
		t.Count = (distance-1)/size + 1
	}
	return t
}

// computeHostValues runs the definitions outside of control flow that depend on nothing inside of it: checks and extents may
// depend on them.
func (b *Binding) computeHostValues() error {
	for _, p := range b.pipeline.Params {
		if p.Scalar != nil && p.Dir == hast.Out {
			b.values[p.Scalar] = make([]types.Word, p.Scalar.Type.Words()) // where no step gets to set it
		}
	}
	for _, step := range b.pipeline.Steps {
		var err error
		switch s := step.(type) {
		case *hast.DefineHost:
			if b.knows(s.Value) && s.Var.Class != hast.HostMutable {
				b.values[s.Var], err = b.hostWords(s.Value, s.Var.Name, s.At)
			}
		case *hast.SetScalar:
			if s.From != nil || !b.knows(s.Value) {
				continue
			}
			b.values[s.Var], err = b.hostWords(s.Value, s.Var.Name, s.At)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// test reports the first check that does not hold.
func (b *Binding) test() error {
	for _, check := range b.pipeline.Checks {
		err := b.eachLevel(check.Over, func() error {
			if !b.words(widened(check.Cond))[0].Truth() {
				return b.failf(check.At, "%s", check.Message)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Binding) failf(at source.Span, format string, args ...any) error {
	return &Error{Pipeline: b.pipeline.Name, Message: fmt.Sprintf(format, args...), At: at}
}
