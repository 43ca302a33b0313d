package imgc

import (
	"imgc/emit/opencl"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/fuse"
	"imgc/optimize/lower"
	"imgc/optimize/plan"
	"imgc/optimize/recurrence"
	"imgc/optimize/schedule"
)

// An OpenCL is a program lowered to kernels and printed as OpenCL C.
type OpenCL struct {
	Program *kir.Program   // kernels, and for each pipeline the plan of its host
	Output  *opencl.Output // the text
}

// A target is the device that kernels are compiled for.
type target struct {
	names []string      // by which schedules may call it; none of a device that is not known
	model *Architecture // nil of a device that is not known
}

// OpenCL compiles the program to OpenCL C, for the architecture of the options or for no device in particular. The same program
// gives the same text.
func (p *Program) OpenCL() (*OpenCL, error) {
	return p.openCL(opencl.Options{Version: Version()}, p.target())
}

// target is what the options say of the device.
func (p *Program) target() target {
	if p.options.Arch == nil {
		return target{}
	}
	return target{names: []string{p.options.Arch.Name}, model: p.options.Arch}
}

func (p *Program) openCL(opts opencl.Options, to target) (out *OpenCL, err error) {
	defer guard(&err, "compiling %s", p.File())
	typed := p.fused(p.parallel(), to)
	planned := p.planner(typed, to.model)
	choices := lower.Defaults()
	choices.Mode = p.options.Mode
	choices.Decide = func(pipeline string, s *hast.Stage) schedule.Decisions {
		if p.options.Decide != nil {
			if d := p.options.Decide(pipeline, s); lower.Refuse(s, d, p.options.Mode) == "" {
				return d
			}
		}
		if d := p.schedule(pipeline, to).Stage(s.Name); d != (schedule.Decisions{}) || to.model == nil {
			return d
		}
		return planned(pipeline, s)
	}
	lowered := lower.Program(typed, choices)
	if err := p.options.Passes.run(lowered); err != nil {
		return nil, err
	}
	printed, err := opencl.Emit(lowered, opts)
	if err != nil {
		return nil, &InternalError{Doing: "printing the kernels of " + p.File(), Fault: err}
	}
	return &OpenCL{lowered, printed}, nil
}

// planner gives the decisions of the plans that Explain shows, each pipeline planned when it is first asked for.
func (p *Program) planner(typed *hast.Program, model *Architecture) func(pipeline string, s *hast.Stage) schedule.Decisions {
	plans := map[string]*Plan{}
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		to := p.planTarget(model, nil)
		if plans[pipeline] == nil {
			for _, q := range typed.Pipelines {
				if q.Name == pipeline {
					plans[pipeline] = plan.For(q, to)
				}
			}
		}
		return plans[pipeline].Decisions(s, to)
	}
}

// fused is a program with the stages put together that are decided to be.
func (p *Program) fused(typed *hast.Program, to target) *hast.Program {
	out := *typed
	out.Pipelines = nil
	for _, q := range typed.Pipelines {
		fused, _ := fuse.Apply(q, lower.Defaults().Unroll, func(s *hast.Stage) schedule.Placement { return p.place(q, s, to) })
		out.Pipelines = append(out.Pipelines, fused)
	}
	return &out
}

// place is where the pixels of a stage are decided to be.
func (p *Program) place(q *hast.Pipeline, s *hast.Stage, to target) schedule.Placement {
	if p.options.Decide != nil {
		if d := p.options.Decide(q.Name, s); d.Place != 0 {
			return d.Place
		}
	}
	return p.schedule(q.Name, to).Stage(s.Name).Place
}

// parallel is the program with its scans in parallel.
func (p *Program) parallel() *hast.Program {
	scans := recurrence.Defaults()
	scans.Mode = p.options.Mode
	return recurrence.Parallel(p.typed, scans)
}
