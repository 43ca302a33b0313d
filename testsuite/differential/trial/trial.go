package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"imgc"
	"imgc/device"
	"imgc/diag"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// A Kind says how a trial ended.
type Kind string

const (
	Agrees    Kind = "agrees"
	Rejected  Kind = "rejected"  // by the compiler, with a message
	Internal  Kind = "internal"  // an error of imgc itself
	Formatted Kind = "formatted" // imgc fmt gives another program, or does not keep its own layout
	Unbuilt   Kind = "unbuilt"   // the driver or the C compiler refuses what imgc printed
	Mismatch  Kind = "mismatch"  // results differ
	Refusal   Kind = "refusal"   // one refuses a call that the other takes, or with other words
	Failed    Kind = "failed"    // the device or the built program fails otherwise
	Reported  Kind = "reported"  // Oclgrind reports something
	Crashed   Kind = "crashed"   // the process ended
	Hung      Kind = "hung"      // it took longer than any program may
	Slow      Kind = "slow"      // the interpreter would take too long; nothing is compared
)

// Bad reports whether the trial found a fault.
func (k Kind) Bad() bool { return k != Agrees && k != Rejected && k != Slow }

// An Outcome is what a trial says.
type Outcome struct {
	Kind    Kind
	Detail  string
	Call    uint64 // the first that failed
	Calls   int    // made
	Refused int    // of them, by both sides in the same words
}

func (o Outcome) String() string {
	return fmt.Sprintf("%s at call %d: %s", o.Kind, o.Call, o.Detail)
}

// Options say what is run.
type Options struct {
	First, Last uint64         // numbers of the calls
	Device      *device.Device // nil leaves it out
	Projects    []*Target      // builds the generated projects and runs their demo programs, on the device that these find first
	AllWays     bool           // projects are built in all ways, too: under random decisions, and planned
	Small       bool           // small images only, for simulators
	Unoptimized bool           // the device's compiler leaves kernels as they are, which takes it a quarter of the time
}

// longest is how much time a call may take in the interpreter, and after that on a device and as a project, which compile first: more than
// any call takes on a machine that others keep busy. What hangs is told by the processor's time that it does not take.
const (
	longest         = 20 * time.Second
	longestCompiled = 30 * time.Minute
)

// fileName is what diagnostics call a program.
const fileName = "random.img"

// Run tries every pipeline of a text.
func Run(text string, opts Options) Outcome {
	directives, err := parseDirectives(text)
	if err != nil {
		return Outcome{Kind: Internal, Detail: err.Error()}
	}
	result, err := imgc.Check(context.Background(), fileName, text, directives.options())
	if err != nil {
		return Outcome{Kind: Internal, Detail: err.Error()}
	}
	if result.Program == nil {
		return Outcome{Kind: Rejected, Detail: firstError(result.Diagnostics)}
	}
	if err := checkFormat(text); err != nil {
		return Outcome{Kind: Formatted, Detail: err.Error()}
	}
	r := &run{Options: opts, directives: directives, program: result.Program}
	defer r.close()
	if bad := r.build(text); bad != nil {
		return *bad
	}
	return r.calls()
}

// firstError is the message that refuses a program.
func firstError(all *diag.List) string {
	for _, d := range all.Sorted() {
		if d.Severity == diag.Error {
			return fmt.Sprintf("%s: %s (%s)", d.Code, d.Message, d.Span.Text())
		}
	}
	return "an error without a message"
}

// checkFormat: what imgc fmt writes is left as it is by imgc fmt.
func checkFormat(text string) error {
	once, _, err := imgc.Format(fileName, text)
	if err != nil {
		return err
	}
	twice, _, err := imgc.Format(fileName, once)
	if err != nil || twice != once {
		return fmt.Errorf("formatting twice differs from once: %v", err)
	}
	return nil
}

// run is one trial under way.
type run struct {
	Options
	directives directives
	program    *imgc.Program
	ways       []way
	projects   []*project
	out        Outcome
}

func (r *run) close() {
	for _, w := range r.ways {
		w.built.Close()
	}
	for _, p := range r.projects {
		p.remove()
	}
}

// build compiles the program for the device, and as projects.
func (r *run) build(text string) *Outcome {
	if r.Device != nil {
		if bad := r.buildWays(text); bad != nil {
			return bad
		}
	}
	return r.buildProjects(text)
}

// calls makes the calls one by one, up to the first that fails.
func (r *run) calls() Outcome {
	r.out = Outcome{Kind: Agrees}
	for number := r.First; number <= r.Last; number++ {
		for _, p := range r.program.Pipelines {
			r.out.Calls++
			if kind, err := r.call(p, number); err != nil {
				r.out.Kind, r.out.Detail, r.out.Call = kind, fmt.Sprintf("%s: %v", p.Name, err), number
				return r.out
			}
		}
	}
	return r.out
}

// call makes one call in each way.
func (r *run) call(p *imgc.Pipeline, number uint64) (Kind, error) {
	args, err := arguments(p, number, r.bounds())
	if err != nil {
		return Internal, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	ref, err := imgc.OpenDevice("ref")
	if err != nil {
		return Internal, err
	}
	want, refusal := r.program.Run(ctx, ref, p.Name, args.Copied())
	var call *imgc.CallError
	switch {
	case refusal == nil:
	case ctx.Err() != nil:
		return Slow, fmt.Errorf("the interpreter: %w", refusal)
	case !errors.As(refusal, &call):
		return Internal, fmt.Errorf("the interpreter: %w", refusal)
	default:
		r.out.Refused++
	}
	ctx, cancelCompiled := context.WithTimeout(context.Background(), longestCompiled)
	defer cancelCompiled()
	for _, w := range r.ways {
		if kind, err := r.onDevice(ctx, w, p, number, args, want, call); err != nil {
			return kind, fmt.Errorf("%s: %w", w.name, err)
		}
	}
	for _, q := range r.projects {
		if refusal != nil || number%filesEvery == 0 {
			if kind, err := q.call(ctx, p, args, want, call); err != nil {
				return kind, fmt.Errorf("the project, %s: %w", q.name, err)
			}
		}
		if refusal != nil {
			continue // to the command line
		}
		if kind, err := q.callPlaced(ctx, p, slices.Index(r.program.Pipelines, p), number, args, want); err != nil {
			return kind, fmt.Errorf("the project, %s, in device memory: %w", q.name, err)
		}
	}
	return Agrees, nil
}

// filesEvery is how many calls there are for one that reads and writes files: the same kernels run on memory for each, and in ten calls all patterns of pixels are files once.
const filesEvery = 2

// bounds are how large images are.
func (r *run) bounds() bounds {
	b := bounds{most: mostPixels, large: r.directives.large > 0}
	switch {
	case r.Small && b.large:
		b.most = mostPixelsSmallLarge
	case r.Small:
		b.most = mostPixelsSmall
	case b.large:
		b.most = r.directives.large
	case r.directives.pixels > 0:
		b.most = r.directives.pixels
	}
	return b
}

// onDevice holds the device against the interpreter, in all layouts.
func (r *run) onDevice(ctx context.Context, w way, p *imgc.Pipeline, number uint64, args imgc.Args, want imgc.Results,
	refusal *imgc.CallError) (Kind, error) {
	for _, l := range layouts(number) {
		if kind, err := r.inLayout(ctx, w, p, l, args, want, refusal); err != nil {
			return kind, fmt.Errorf("layout %v: %w", l, err)
		}
	}
	return Agrees, nil
}

func (r *run) inLayout(ctx context.Context, w way, p *imgc.Pipeline, l device.Layout, args imgc.Args, want imgc.Results,
	refusal *imgc.CallError) (Kind, error) {
	got, err := w.built.Run(ctx, p.Name, device.Args(args.Copied()), l)
	var call *device.Error
	switch {
	case err == nil && refusal == nil:
		return Mismatch, compare(imgc.Results(got), want, r.directives.bound)
	case err == nil:
		return Refusal, fmt.Errorf("takes the call; the interpreter: %w", refusal)
	case ctx.Err() != nil:
		return Hung, err
	case !errors.As(err, &call):
		return Failed, err
	case refusal == nil:
		return Refusal, err
	case refusal.Message != call.Message:
		return Refusal, fmt.Errorf("%q; the interpreter: %q", call.Message, refusal.Message)
	}
	return Agrees, nil
}

// compare holds all results against the wanted ones.
func compare(got, want imgc.Results, bound harness.Bound) error {
	for name, m := range want.Images {
		if err := harness.Compare(got.Images[name], m, bound); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, v := range want.Scalars {
		if g, ok := got.Scalars[name]; !ok || len(g.Words) != len(v.Words) {
			return fmt.Errorf("%s: no value, wanted %v", name, v)
		}
		if err := harness.Compare(single(got.Scalars[name]), single(v), bound); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// single is an image of one pixel.
func single(v types.Value) *pixels.Image {
	m, err := pixels.New(v.Type, 1)
	if err != nil {
		panic(err) // no scalar has a type that images have not
	}
	for i, w := range v.Words {
		m.SetWord(i, w)
	}
	return m
}
