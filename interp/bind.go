package interp

import (
	"context"
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// Args are the arguments of a call, by the name of the parameter.
type Args struct {
	// Images holds every in and inout image, and such out images as the caller wants filled rather than allocated.
	Images map[string]*pixels.Image
	// Scalars holds every in scalar without default, in the parameter's type.
	Scalars map[string]types.Value
	// Sizes gives the size names that only absent out images would bind. One that an image binds too has to agree with it.
	Sizes map[string]int
}

// Options bound what a run may use. The zero value is the default.
type Options struct {
	Workers       int   // goroutines that run instances, GOMAXPROCS by default; does not change results
	MaxLocalBytes int64 // of local images and of the out images that the caller did not give; 4 GiB by default
	MaxSteps      int64 // loop iterations of one instance, all its loops together; 2^30 by default
}

const (
	defaultLocalBytes = 4 << 30
	defaultSteps      = 1 << 30
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
	values   map[*hast.Var][]types.Word
	origin   map[*hast.Var]string // what bound a size: "bound by src"
	extents  map[*hast.Image][]int
}

// Bind does what an entry point does before it writes anything, in this order: arguments against parameters, sizes, host
// values and out scalars, extents of parameters and locals, memory, the pipeline's checks. Where the arguments do not fit,
// the error is an *Error.
func Bind(ctx context.Context, p *hast.Pipeline, args Args, opts Options) (b *Binding, err error) {
	defer guard(p.Name, p.At, &err)
	b = &Binding{
		pipeline: p,
		args:     args,
		limit:    limit{ctx, orDefault(opts.MaxSteps, defaultSteps)},
		values:   map[*hast.Var][]types.Word{},
		origin:   map[*hast.Var]string{},
		extents:  map[*hast.Image][]int{},
	}
	budget := orDefault(opts.MaxLocalBytes, defaultLocalBytes)
	for _, phase := range []func() error{
		b.checkNames, b.bindParams, b.checkOverlap, b.bindSizes, b.computeHostValues, b.bindExtents,
		func() error { return b.checkMemory(budget) },
		b.test,
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
	return types.Value{Type: e.Type(), Words: b.words(e)}, nil
}

// Trips says how the variable of a range runs: Count values From, From+Step, ...
type Trips struct{ From, Step, Count int64 }

// Trips evaluates a range whose bounds are host expressions, as those of a stage are.
func (b *Binding) Trips(r hast.Range) (t Trips, err error) {
	defer guard(b.pipeline.Name, r.Lo.Span(), &err)
	return tripsOf(b.words(r.Lo)[0].Int(), b.words(r.Hi)[0].Int(), r.Step), nil
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

// words computes a host expression; it throws where that takes too long.
func (b *Binding) words(e hast.Expr) []types.Word {
	c := newCompiler(b, nil)
	at := c.temp(e.Type())
	code := c.store(e, at)
	fr := c.newFrame()
	fr.begin()
	code(fr)
	return slices.Clone(fr.w[at : at+e.Type().Words()])
}

// computeHostValues runs the steps that are no stages. They depend on no pixel, and checks and extents may depend on them.
func (b *Binding) computeHostValues() error {
	for _, step := range b.pipeline.Steps {
		switch s := step.(type) {
		case *hast.DefineHost:
			b.values[s.Var] = b.words(s.Value)
		case *hast.SetScalar:
			b.values[s.Var] = b.words(s.Value)
		}
	}
	return nil
}

// test reports the first check that does not hold.
func (b *Binding) test() error {
	for _, check := range b.pipeline.Checks {
		if !b.words(check.Cond)[0].Truth() {
			return b.failf(check.At, "%s", check.Message)
		}
	}
	return nil
}

func (b *Binding) failf(at source.Span, format string, args ...any) error {
	return &Error{Pipeline: b.pipeline.Name, Message: fmt.Sprintf(format, args...), At: at}
}
