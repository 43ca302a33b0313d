package imgc

import (
	"imgc/archmodels"
	"imgc/emit/clike"
	"imgc/emit/cuda"
	"imgc/emit/opencl"
	"imgc/hast"
	"imgc/hast/nest"
	"imgc/kir"
	"imgc/optimize/finest"
	"imgc/optimize/fuse"
	"imgc/optimize/loops"
	"imgc/optimize/lower"
	"imgc/optimize/memo"
	"imgc/optimize/normal"
	"imgc/optimize/plan"
	"imgc/optimize/recurrence"
	"imgc/optimize/relax"
	"imgc/optimize/rotate"
	"imgc/optimize/schedule"
	"imgc/optimize/singles"
	"imgc/optimize/skew"
)

// An OpenCL is a program lowered to kernels and printed as OpenCL C.
type OpenCL struct {
	Program *kir.Program   // kernels, and for each pipeline the plan of its host
	Output  *opencl.Output // the text
}

// A target is the device that kernels are compiled for.
type target struct {
	names []string      // by which schedules may call it; none of a device that is not known
	lang  Target        // what kernels are written in
	model *Architecture // nil of a device that is not known
	known *planning     // by all plans of a program
}

// A planning is what plans of the same stages for the same target find out: each other one has it then.
type planning struct {
	trials lower.Trials
	plan.Known
	ready map[*hast.Pipeline]*hast.Pipeline // what plans are made of: pipelines with their scans in parallel, without what nobody needs
	plans map[*hast.Pipeline]*Plan          // of these, with nothing decided beforehand
}

func newPlanning(dense bool) *planning {
	p := &planning{}
	p.Looks().Dense = dense
	p.trials.Like, p.trials.Looks = p.Like, p.Looks()
	return p
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
	return target{names: []string{p.options.Arch.Name}, lang: TargetOpenCL, model: p.options.Arch}
}

func (p *Program) openCL(opts opencl.Options, to target) (out *OpenCL, err error) {
	defer guard(&err, "compiling %s", p.File())
	lowered, err := p.lowered(to, TargetOpenCL)
	if err != nil {
		return nil, err
	}
	printed, err := opencl.Emit(lowered, opts)
	if err != nil {
		return nil, &InternalError{Doing: "printing the kernels of " + p.File(), Fault: err}
	}
	return &OpenCL{lowered, printed}, nil
}

// A CUDA is a program lowered to kernels and printed as CUDA C++.
type CUDA struct {
	Program *kir.Program // kernels, and for each pipeline the plan of its host
	Output  *cuda.Output // the text
}

// CUDA compiles the program to CUDA C++, for the architecture of the options or for no device in particular. The same program
// gives the same text.
func (p *Program) CUDA() (*CUDA, error) {
	return p.cuda(cuda.Options{Version: Version()}, p.target())
}

func (p *Program) cuda(opts cuda.Options, to target) (out *CUDA, err error) {
	defer guard(&err, "compiling %s", p.File())
	lowered, err := p.lowered(to, TargetCUDA)
	if err != nil {
		return nil, err
	}
	if why := cuda.Refuse(lowered); why != "" {
		return nil, usagef("%s: %s; leave lanes out of the schedule, and plan for a device of CUDA's", p.File(), why)
	}
	printed, err := cuda.Emit(lowered, opts)
	if err != nil {
		return nil, &InternalError{Doing: "printing the kernels of " + p.File(), Fault: err}
	}
	return &CUDA{lowered, printed}, nil
}

// local is how much local memory a group can have, in bytes. CUDA's devices give more than lower.EveryLocal where the host asks for it, and of one
// that is not known the library finds out.
func (t target) local() int {
	switch {
	case t.lang == TargetCUDA && t.model == nil:
		return lower.MostLocal
	case t.lang == TargetCUDA:
		return max(lower.EveryLocal, t.model.Limits.LocalByOptIn.Int(lower.EveryLocal))
	case t.model == nil:
		return lower.EveryLocal
	}
	return max(lower.EveryLocal, t.model.Limits.LocalPerGroup.Int(lower.EveryLocal))
}

// denseRGB reports whether pixels of three bytes lie as bytes in local memory: of OpenCL's compilers only NVIDIA's needs them to lie apart, which any device may have that is not of some maker.
func (t target) denseRGB() bool {
	if t.model == nil || capabilities[t.lang].DenseRGB {
		return capabilities[t.lang].DenseRGB
	}
	return t.model.Vendor != "" && !t.model.Features.PTX.Yes()
}

// copies reports whether kernels copy to local memory without waiting: the device does, and the language says so.
func (t target) copies() bool {
	return t.model != nil && capabilities[t.lang].Copies && t.model.Features.AsyncCopy.Yes()
}

// tiles is how much local memory groups can have whose tiles are there, as decided, or the one copy of what they update, or one for each work-item, as floats need it; 0 for others, which
// gain nothing by more than all devices have: histograms of 64 KB of copies took as long on an H200 as those of 32.
func (t target) tiles(d schedule.Decisions) int {
	if d.Matrix != 0 || d.Local != 0 || d.Descends() || d.Copies[1] > 1 && (d.Copies[0] == 1 || d.Copies[0] == d.Copies[1]) {
		return t.local()
	}
	return 0
}

// withinLocal fails for a program that takes more local memory than a target has, as a schedule may say.
func (p *Program) withinLocal(lowered *kir.Program, to target) error {
	for _, k := range lowered.Kernels {
		if _, bytes := kir.Locals(k); bytes > to.local() {
			return usagef("%s: as the schedule has it, work-groups of %s take %d bytes of local memory, and %s has %d for them", p.File(), k.Name, bytes,
				to.title(), to.local())
		}
	}
	return nil
}

// title is what the target is called in messages.
func (t target) title() string {
	if t.model != nil {
		return t.model.Name + " under " + string(t.lang)
	}
	return "the target " + string(t.lang)
}

// capabilities are what the dialects of the targets say of their kernels.
var capabilities = map[Target]clike.Capabilities{TargetOpenCL: opencl.Capabilities, TargetCUDA: cuda.Capabilities}

// lowered is the program as kernels and host plans, by the schedules of the options and the plans for the device.
func (p *Program) lowered(to target, lang Target) (*kir.Program, error) {
	for _, f := range p.typed.Funcs {
		if f.Extern == nil {
			continue
		}
		if _, ok := f.Extern.Text(string(lang)); !ok {
			return nil, usagef("%s: %s comes from no file for the target %s; name one behind from, as in from %s \"f.%s\"", p.File(), f.Name, lang,
				lang, map[Target]string{TargetOpenCL: "cl", TargetCUDA: "cuh"}[lang])
		}
	}
	to.lang = lang
	to.known = newPlanning(to.denseRGB())
	typed, plans := p.planned(p.ready(p.forms(to), to), to)
	choices := lower.Defaults()
	can := capabilities[lang]
	choices.Mode, choices.Lang, choices.Shuffles, choices.LastGroup, choices.Waits = p.options.Mode, string(lang), can.Shuffles, can.LastGroup, can.Waits
	choices.DenseRGB, choices.LeavesSettled = to.denseRGB(), can.LeavesSettled
	if to.model != nil {
		choices.Short, choices.GPU = to.model.Features.Mul24.Yes(), to.model.Class == archmodels.GPU
		choices.FloatsByLogic = to.model.Rates.FloatsByLogic()
		choices.HalvesByDots = to.model.HalvesByDots()
		choices.ChosenSums = to.model.ChosenSums()
		choices.Copies = to.copies()
		choices.TablesFilled = can.FilledTables && choices.GPU
		choices.FloatsByHalves = can.FloatHalves && to.model.FloatsByHalves()
		choices.Padding = to.model.Memory.RowAlignment.Int(kir.RunBytes)
	}
	choices.Decide = func(pipeline string, s *hast.Stage) schedule.Decisions {
		if p.options.Decide != nil {
			if d := p.options.Decide(pipeline, s); lower.Refuse(s, d, p.options.Mode) == "" {
				return d
			}
		}
		if d := p.schedule(pipeline, to).Stage(s.Name); !d.PlaceAlone() || to.model == nil {
			return d
		}
		return plans[pipeline].Decisions(s, p.planTarget(to))
	}
	lowered := lower.Program(typed, choices)
	if err := p.withinLocal(lowered, to); err != nil {
		return nil, err
	}
	if err := p.options.Passes.run(lowered); err != nil {
		return nil, err
	}
	return lowered, nil
}

// planned is a program with the stages put together that are decided to be, and the plans of its pipelines, by their names: those that
// Explain shows, but for what schedules say. Without an architecture there are no plans.
func (p *Program) planned(typed *hast.Program, to target) (*hast.Program, map[string]*Plan) {
	out := *typed
	out.Pipelines = nil
	plans := map[string]*Plan{}
	for _, q := range typed.Pipelines {
		decide := func(s *hast.Stage) schedule.Decisions { return p.placed(q, s, to) }
		var fused *hast.Pipeline
		if to.model == nil {
			fused, _ = fuse.Apply(q, fusing(p.options.Mode), decide)
		} else {
			t := p.planTarget(to)
			t.Decided = decide
			plans[q.Name] = plan.Decide(q, t)
			fused = plans[q.Name].Pipeline
		}
		out.Pipelines = append(out.Pipelines, fused)
	}
	return &out, plans
}

// placed are the decisions for a stage as far as they say where its pixels are, and whether it is separated. What has other decisions
// is a stage of its own.
func (p *Program) placed(q *hast.Pipeline, s *hast.Stage, to target) schedule.Decisions {
	var d schedule.Decisions
	if p.options.Decide != nil {
		d = p.options.Decide(q.Name, s).Putting()
	}
	if d == (schedule.Decisions{}) {
		d = p.schedule(q.Name, to).Stage(s.Name)
		d.Finest, d.Rotated = 0, 0 // which are other things
		if d == (schedule.Decisions{}) {
			return d
		}
	}
	d = d.Putting()
	d.Place = max(d.Place, schedule.Root)
	return d
}

// needed is the program without stages that nobody needs or that are there twice.
func needed(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = nil
	for _, q := range p.Pipelines {
		out.Pipelines = append(out.Pipelines, fuse.Needed(q))
	}
	return &out
}

// fusing are the options of fusing in a mode.
func fusing(mode Mode) fuse.Options {
	return fuse.Options{Unroll: lower.Defaults().Unroll, Floats: mode != Strict}
}

// A lineChoice says of a scan whose lines can be cut into chunks whether groups or work-items take them as wholes.
type lineChoice func(pipeline string, s *hast.Stage) bool

// takesLines is what is decided for a target.
func (p *Program) takesLines(to target) lineChoice {
	blocks := p.inBlocks(to)
	return func(pipeline string, s *hast.Stage) bool {
		if s.Scan.Tables && !blocks(pipeline) {
			return true // for all that is known, the device is a processor
		}
		if p.options.Decide != nil {
			if d := p.options.Decide(pipeline, s); d.Whole() {
				return lower.Refuse(s, d, p.options.Mode) == ""
			}
		}
		if d := p.schedule(pipeline, to).Stage(s.Name); !d.PlaceAlone() || to.model == nil {
			return d.Whole()
		}
		return plan.Whole(s, p.planTarget(to))
	}
}

// forms say what becomes of stages before a plan: which scans whose lines can be cut into chunks are taken as wholes, and which traverses have
// their finest level by itself; none where it is nil. In which pipelines updates become reductions is said by gather; nil for all.
type forms struct {
	whole  lineChoice
	apart  levelChoice
	gather func(pipeline string) bool
	blocks func(pipeline string) bool // of which pipelines neighbouring instances are computed in blocks; none where it is nil
	swaps  copyChoice
	turns  levelChoice // which traverses are rotated; none where it is nil
}

// A copyChoice says of a copy in a loop that a swap may stand for whether it does; none where it is nil.
type copyChoice func(pipeline string, copy *hast.Stage) bool

// A levelChoice says whether the finest level of a traverse, which can be, is by itself, or whether a traverse is rotated; would is what the pipeline is then.
type levelChoice func(q *hast.Pipeline, t *hast.Traverse, would func() *hast.Pipeline) bool

// forms are what is decided for a target.
func (p *Program) forms(to target) forms {
	whole := p.takesLines(to)
	return forms{whole, p.takesApart(to, whole), p.gathers(to), p.inBlocks(to), p.swaps(to), p.rotates(to, whole)}
}

// swaps is what is decided of copies for a target: they are swaps unless a schedule speaks of them.
func (p *Program) swaps(to target) copyChoice {
	return func(pipeline string, copy *hast.Stage) bool {
		by := p.schedule(pipeline, to)
		return by == nil || p.options.Decide != nil || by.Named(copy.Name) == nil
	}
}

// gathers is what is decided of updates for a target: by a schedule, or by the class of the device. Processors update pixels by rows, once for each row, for which reductions
// of long integers or of columns are no match.
func (p *Program) gathers(to target) func(pipeline string) bool {
	return func(pipeline string) bool {
		if by := p.schedule(pipeline, to); by != nil && p.options.Decide == nil {
			if gathered, said := p.gatheredBy(by); said {
				return gathered
			}
		}
		return to.gathers()
	}
}

// gathers reports whether updates become reductions on a target of which no schedule says so.
func (t target) gathers() bool { return t.model == nil || t.model.Class != archmodels.CPU }

// inBlocks is whether neighbouring instances of pipelines are computed in blocks for a target: by a schedule, or by the class of the device.
func (p *Program) inBlocks(to target) func(pipeline string) bool {
	return func(pipeline string) bool {
		if s := p.schedule(pipeline, to); s != nil && p.options.Decide == nil {
			return !s.ByRows()
		}
		return to.inBlocks() || to.model == nil && p.options.Decide != nil
	}
}

// inBlocks reports whether plans for a target compute neighbouring instances in blocks. Processors compute rows, and without a plan each instance is by itself.
func (t target) inBlocks() bool { return t.model != nil && t.model.Class != archmodels.CPU }

// takesApart is what is decided of traverses for a target: by random decisions, by a schedule, or by a plan.
func (p *Program) takesApart(to target, whole lineChoice) levelChoice {
	pays := p.paysApart(to, whole)
	return func(q *hast.Pipeline, t *hast.Traverse, would func() *hast.Pipeline) bool {
		if p.options.Decide != nil {
			if said := levelsSaid(t, func(s *hast.Stage) schedule.Decisions { return p.options.Decide(q.Name, s) }); said != 0 {
				return hasApart(said, t)
			}
		}
		by := p.schedule(q.Name, to)
		if said := levelsSaid(t, func(s *hast.Stage) schedule.Decisions { return by.Stage(s.Name) }); said != 0 {
			return hasApart(said, t)
		}
		return to.model != nil && pays(q, t, would)
	}
}

// hasApart reports whether the finest of the levels that are left in a traverse is to be by itself.
func hasApart(said schedule.Levels, t *hast.Traverse) bool {
	return said == schedule.Second || said == schedule.Finest && t.Apart == 0
}

// levelsSaid is what decisions for its stages say of the levels of a traverse. Those that say how one of them is computed, and nothing of
// levels, were made for all of these.
func levelsSaid(t *hast.Traverse, decided func(s *hast.Stage) schedule.Decisions) (said schedule.Levels) {
	computed := false
	hast.WalkSteps(t.Body, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			d := decided(s)
			if said == 0 {
				said = d.Finest
			}
			computed = computed || !d.PlaceAlone()
		}
	})
	if said == 0 && computed {
		return schedule.Alike
	}
	return said
}

// paysApart is what a plan says of traverses: whether what stages outside of one have to do with its finest level saves time with that.
func (p *Program) paysApart(to target, whole lineChoice) levelChoice {
	time := func(q *hast.Pipeline) float64 { return p.plan(p.readyOf(q, whole, to), to).Time() }
	return func(q *hast.Pipeline, t *hast.Traverse, would func() *hast.Pipeline) bool {
		return finest.Uses(q, t) && time(would()) < time(q)*worthApart
	}
}

// rotates is what is decided of traverses for a target: whether they do at each level what the next one begins with.
func (p *Program) rotates(to target, whole lineChoice) levelChoice {
	pays := p.paysRotated(to, whole)
	return func(q *hast.Pipeline, t *hast.Traverse, would func() *hast.Pipeline) bool {
		if p.options.Decide != nil {
			if rotated, said := rotationSaid(t, func(s *hast.Stage) schedule.Decisions { return p.options.Decide(q.Name, s) }); said {
				return rotated
			}
		}
		by := p.schedule(q.Name, to)
		if rotated, said := rotationSaid(t, func(s *hast.Stage) schedule.Decisions { return by.Stage(s.Name) }); said {
			return rotated
		}
		return to.model != nil && pays(q, t, would)
	}
}

// rotationSaid is whether decisions for its stages have a traverse rotated; not said where none of them has decisions.
func rotationSaid(t *hast.Traverse, decided func(s *hast.Stage) schedule.Decisions) (rotated, said bool) {
	hast.WalkStages(t.Body, func(_ []hast.Step, s *hast.Stage) {
		d := decided(s)
		rotated, said = rotated || d.Rotated != 0, said || d != schedule.Decisions{}
	})
	return rotated, said
}

// paysRotated is what a plan says of traverses: whether stages are put together then that save time. Processors have no room for siblings.
func (p *Program) paysRotated(to target, whole lineChoice) levelChoice {
	time := func(q *hast.Pipeline) float64 { return p.plan(p.readyOf(q, whole, to), to).Time() }
	return func(q *hast.Pipeline, t *hast.Traverse, would func() *hast.Pipeline) bool {
		return to.inBlocks() && time(would()) < time(q)*worthApart
	}
}

// worthApart is the share of the time of levels that are alike below which the finest is by itself: there is more code then.
const worthApart = 0.97

// ready is the program in the forms that are decided, as plans are made of it.
func (p *Program) ready(f forms, to target) *hast.Program {
	out := *p.leveled(f)
	for i, q := range out.Pipelines {
		out.Pipelines[i] = p.readyOf(q, f.whole, to)
	}
	return &out
}

// readyOf is a pipeline of it, whose levels are decided.
func (p *Program) readyOf(q *hast.Pipeline, whole lineChoice, to target) *hast.Pipeline {
	return memo.Of(&to.known.ready, q, func() *hast.Pipeline {
		one := *p.typed
		one.Pipelines = []*hast.Pipeline{q}
		return fuse.Needed(p.joined(&one, whole).Pipelines[0])
	})
}

// plan is the plan of a pipeline that is ready.
func (p *Program) plan(q *hast.Pipeline, to target) *Plan {
	return memo.Of(&to.known.plans, q, func() *Plan { return plan.Decide(q, p.planTarget(to)) })
}

// parallel is the program in the forms that are decided, with its scans in parallel but for lines that are taken as wholes.
func (p *Program) parallel(f forms) *hast.Program { return p.joined(p.leveled(f), f.whole) }

// leveled is the program in the forms that are decided, but for its scans.
func (p *Program) leveled(f forms) *hast.Program {
	typed := p.typed
	if f.swaps != nil {
		typed = fuse.Exchange(typed, f.swaps)
	}
	typed = normal.Program(nest.Program(typed), normal.Options{Exact: p.options.Mode == Strict, Gather: f.gather, Blocks: f.blocks})
	if p.options.Mode == Fast {
		typed = relax.Program(typed)
	}
	typed = skew.Program(typed)
	if f.blocks != nil {
		typed = loops.Batched(typed, f.blocks)
	}
	if f.apart != nil {
		typed = finest.Program(typed, f.apart)
	}
	if f.turns != nil {
		typed = rotate.Program(typed, f.turns)
	}
	return typed
}

// joined is a program with its scans in parallel, but for lines that are taken as wholes, and what has one instance joined.
func (p *Program) joined(typed *hast.Program, whole lineChoice) *hast.Program {
	scans := recurrence.Defaults()
	scans.Mode, scans.Whole = p.options.Mode, whole
	return singles.Join(recurrence.Parallel(loops.Unswitch(typed), scans))
}
