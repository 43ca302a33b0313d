package recurrence

import (
	"fmt"

	"imgc/hast"
	"imgc/kir"
)

// Options are the decisions that this package carries out.
type Options struct {
	Mode  kir.Mode
	Chunk int // steps of the shortest chunk; 0 leaves every scan as it is
	Items int // as many chunks, of all lines together, are enough
	Carry int // a line is cut into at most as many, unless the program says that there are few lines; at least 1
	Group int // chunks that are taken together, and such groups again, where a line has more than Carry; at least 2
	// Whole says whether lines, which may be prefixes (hast.Prefix), are left for groups to take as wholes; nil for never.
	Whole func(pipeline string, s *hast.Stage) bool
}

// Defaults suits GPUs: enough chunks to fill a large one, none shorter than what pays for carrying a state.
func Defaults() Options { return Options{Chunk: 32, Items: 1 << 17, Carry: 512, Group: 32} }

// Parallel is p with the stages replaced that can run in parallel along their scan. It does not change p.
func Parallel(p *hast.Program, opts Options) *hast.Program {
	if opts.Chunk < 1 {
		return p
	}
	out := *p
	out.Pipelines = nil
	for _, pl := range p.Pipelines {
		out.Pipelines = append(out.Pipelines, pipeline(pl, opts))
	}
	return &out
}

// A planner replaces the stages of one pipeline.
type planner struct {
	opts  Options
	out   *hast.Pipeline
	names map[string]bool // of stages
}

func pipeline(p *hast.Pipeline, opts Options) *hast.Pipeline {
	out := *p
	out.Images = append([]*hast.Image(nil), p.Images...)
	pl := &planner{opts, &out, map[string]bool{}}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			pl.names[s.Name] = true
		}
	})
	out.Steps = pl.steps(p.Steps)
	return &out
}

func (pl *planner) steps(list []hast.Step) (out []hast.Step) {
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Stage:
			out = append(out, pl.stage(s)...)
		case *hast.IfHost:
			x := *s
			x.Then, x.Else = pl.steps(s.Then), pl.steps(s.Else)
			out = append(out, &x)
		case *hast.ForHost:
			x := *s
			x.Body = pl.steps(s.Body)
			out = append(out, &x)
		case *hast.WhileHost:
			x := *s
			x.Body = pl.steps(s.Body)
			out = append(out, &x)
		default: // in a traverse the images beside a level would have to be one for each level
			out = append(out, s)
		}
	}
	return out
}

func (pl *planner) stage(s *hast.Stage) []hast.Step {
	if first, rest := pl.peeled(s); first != nil {
		return append([]hast.Step{first}, pl.stage(rest)...)
	}
	r := find(s, pl.opts.Mode)
	if r != nil {
		if line := r.line(); pl.opts.Whole != nil && pl.opts.Whole(pl.out.Name, line) {
			return []hast.Step{line}
		}
		if steps := pl.rewrite(r); steps != nil {
			return steps
		}
	}
	if r == nil {
		if r := findTable(s, pixelsBefore(s, pl.opts.Mode)); r != nil && (pl.opts.Whole == nil || !pl.opts.Whole(pl.out.Name, wholeOf(s))) {
			if steps := pl.tables(r); steps != nil {
				return steps
			}
		}
	}
	if s.Scan.Meet() || s.Scan == nil {
		return []hast.Step{s}
	}
	out := *s
	out.Body = writtenOut(s.Body) // so that a work-item can have what it updates at hand
	return []hast.Step{&out}
}

// name is a stage's name with a suffix, made unique.
func (pl *planner) name(stage, suffix string) string {
	name := stage + "_" + suffix
	for n := 2; pl.names[name]; n++ {
		name = fmt.Sprintf("%s_%s%d", stage, suffix, n)
	}
	pl.names[name] = true
	return name
}
