package lower

import (
	"fmt"
	"strings"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Options are the decisions that lowering carries out.
type Options struct {
	Mode    kir.Mode
	Lang    string // of extern funcs, one of hast.ExternLangs in which all of them have a text
	Group   [3]int // items of a work-group where no tile is decided, x first; a stage of one variable has all of them in x, z is always 1
	Padding int    // kir.Program.Padding
	// FloatsByLogic is kir.Program.FloatsByLogic.
	FloatsByLogic bool
	// HalvesByDots is kir.Program.HalvesByDots.
	HalvesByDots bool
	// ChosenSums is kir.Program.ChosenSums.
	ChosenSums bool
	// FloatsByHalves is kir.Program.FloatsByHalves.
	FloatsByHalves bool
	// TablesFilled is kir.Program.TablesFilled.
	TablesFilled bool
	// DenseRGB says that pixels of three bytes lie as bytes in local memory, and not as 16 bits for each (kir.Var.Spread).
	DenseRGB bool
	// Copies says that a device copies to local memory without waiting (kir.Assign).
	Copies bool
	// Shuffles says that items of a subgroup may pass values to each other by kir.Shuffle.
	Shuffles bool
	// Short says that products of integers of 24 bits are to be marked.
	Short bool
	// GPU says that items compute on scalars of their own. Products of the number of a line and the distance of lines are marked then, which 32 bits hold each, though
	// not their product, and absolute values of differences: GPUs have one instruction for these, and four for products of 64 bits. Loops whose steps read much in
	// common take several at once; compilers of processors put steps side by side instead: eight at once took PoCL 44 ms for what takes 34.
	GPU bool
	// LastGroup is what kir.LastGroup sees.
	LastGroup kir.Order
	// LeavesSettled says that work-items look whether the round before of a loop has left anything to do, and leave at once where it has not.
	LeavesSettled bool
	// Waits says that a group may wait for others (kir.LastWaits).
	Waits  bool
	Unroll int // where nothing else is decided, reductions and loops of arrays of at most this many points are written out
	// Decide gives the decisions for a stage of a pipeline, which Refuse accepts; nil for none.
	Decide func(pipeline string, s *hast.Stage) schedule.Decisions
}

// Defaults suits every device: groups of 128 x 1, unrolling up to 64 points.
func Defaults() Options { return Options{Lang: "opencl", Group: [3]int{128, 1, 1}, Unroll: 64} }

// Program lowers every pipeline of p.
func Program(p *hast.Program, opts Options) *kir.Program {
	l := newLowering(p, opts)
	for _, f := range p.Funcs {
		l.funcs[f] = l.lowerFunc(f)
		l.out.Funcs = append(l.out.Funcs, l.funcs[f])
	}
	for _, pipeline := range p.Pipelines {
		l.out.Pipelines = append(l.out.Pipelines, l.pipeline(pipeline))
	}
	l.out.Funcs = called(l.out)
	l.follow()
	return l.out
}

func newLowering(p *hast.Program, opts Options) *lowering {
	return &lowering{
		opts: opts,
		out: &kir.Program{
			Name: p.Name, File: p.File, Imports: p.Imports, Mode: opts.Mode, Padding: opts.Padding, FloatsByLogic: opts.FloatsByLogic,
			HalvesByDots: opts.HalvesByDots, ChosenSums: opts.ChosenSums, FloatsByHalves: opts.FloatsByHalves, TablesFilled: opts.TablesFilled,
		},
		help: map[folding]*kir.Func{}, funcs: map[*hast.Func]*kir.Func{}, tables: map[string]*kir.Table{}, median: map[string]*kir.Func{},
		scalars: map[*kir.Var]interval.Interval{},
	}
}

type lowering struct {
	opts   Options
	out    *kir.Program
	help   map[folding]*kir.Func // index folding of the border rules in use
	funcs  map[*hast.Func]*kir.Func
	tables map[string]*kir.Table // by type, name and contents
	median map[string]*kir.Func  // by type and number of values
	// scalars are the intervals of parameters of kernels, which they have whatever an instance is.
	scalars map[*kir.Var]interval.Interval
}

// A planner lowers one pipeline.
type planner struct {
	*lowering
	src     *hast.Pipeline
	out     *kir.Pipeline
	images  map[*hast.Image]*kir.Image
	host    map[*hast.Var]*kir.Var
	bounds  map[*hast.Var]interval.Interval // of host integers
	assumed map[*hast.Var]interval.Interval // of those that the entry point tests, for kernels
	kernels map[string]int                  // names given so far
	locks   map[*hast.Image]*hast.Image     // of images whose pixels are updated under locks
	copies  map[*hast.Image]*hast.Image     // with wider components
	helpers map[helperKey]*helper           // device functions that look at images
	swapped map[*hast.Image]bool
	lent    map[storage]bool     // memory that swaps may exchange with the caller's
	fresh   map[*hast.Image]bool // declared inside of control flow

	levels    map[*hast.Levels]*kir.Levels
	families  map[*hast.Pyramid]*kir.Pyramid
	turned    map[*hast.Pyramid]bool // swapped, as a whole or a level of it
	traverses map[*hast.Traverse]*kir.Traverse

	fills map[*hast.Stage][]*hast.Stage // that the last groups of stages do
	late  map[hast.Step]bool            // these

	lasting map[hast.Step]hast.Expr // stages that only the last round of their loop runs, and when that is
	settles *hast.ForHost           // the loop on the host that is being lowered; nil outside

	contents *contents
	whole    *ended                 // the last launch of whole groups; nil where there is none
	inLoop   bool                   // what is lowered is in a loop that one group may run
	next     hast.Step              // behind the step at hand; nil where there is none
	inCommon map[string]*hast.Image // that are kept between launches for the kernels of a stage of which one is launched, by name; nil for others
}

func (l *lowering) newPlanner(p *hast.Pipeline) *planner {
	return &planner{
		lowering: l, src: p, out: &kir.Pipeline{Name: p.Name, At: p.At},
		images: map[*hast.Image]*kir.Image{}, host: map[*hast.Var]*kir.Var{}, bounds: map[*hast.Var]interval.Interval{}, assumed: map[*hast.Var]interval.Interval{},
		kernels: map[string]int{}, locks: map[*hast.Image]*hast.Image{}, copies: map[*hast.Image]*hast.Image{},
		helpers: map[helperKey]*helper{},
		swapped: map[*hast.Image]bool{}, lent: map[storage]bool{}, fresh: map[*hast.Image]bool{},
		levels: map[*hast.Levels]*kir.Levels{}, families: map[*hast.Pyramid]*kir.Pyramid{},
		turned: map[*hast.Pyramid]bool{}, traverses: map[*hast.Traverse]*kir.Traverse{},
		fills: map[*hast.Stage][]*hast.Stage{}, late: map[hast.Step]bool{}, lasting: map[hast.Step]hast.Expr{}, contents: contentsOf(p),
	}
}

func (l *lowering) pipeline(p *hast.Pipeline) *kir.Pipeline {
	pl := l.newPlanner(p)
	pl.scan()
	for _, s := range p.Sizes {
		pl.hostVar(s.Var, types.Scalar(types.I64))
		pl.bounds[s.Var] = interval.Between(ops.FloorQuotient(1-s.Add+s.Mul-1, s.Mul), ops.FloorQuotient(hast.MaxExtent-s.Add, s.Mul))
	}
	for _, param := range p.Params {
		if param.Scalar != nil {
			pl.hostVar(param.Scalar, param.Scalar.Type)
		}
	}
	pl.pyramids()
	for _, m := range p.Images {
		pl.image(m)
	}
	for _, param := range p.Params {
		pl.param(param)
	}
	for _, s := range p.Sizes {
		pl.out.Sizes = append(pl.out.Sizes, &kir.Size{Var: pl.host[s.Var], Image: pl.images[s.Image], Axis: s.Axis, Mul: s.Mul, Add: s.Add})
	}
	for _, c := range p.Checks {
		pl.assume(c.Cond)
		pl.out.Checks = append(pl.out.Checks, &kir.Check{Cond: pl.hostExpr(c.Cond), Over: pl.over(c.Over), Message: c.Message, At: c.At})
	}
	pl.out.Steps = pl.steps(p.Steps)
	pl.extents(p)
	return pl.out
}

// hostVar declares the host variable that stands for v.
func (pl *planner) hostVar(v *hast.Var, t types.Type) *kir.Var {
	kv := &kir.Var{Name: v.Name, Type: t, Const: v.Class != hast.ScalarOut && v.Class != hast.HostMutable, At: v.At}
	pl.host[v] = kv
	return kv
}

func (pl *planner) param(p *hast.Param) {
	out := &kir.Param{Name: p.Name, Dir: kir.Dir(p.Dir), Default: p.Default}
	if p.Image != nil {
		out.Image = pl.images[p.Image]
	} else {
		out.Scalar = pl.host[p.Scalar]
	}
	pl.out.Params = append(pl.out.Params, out)
}

func (pl *planner) image(m *hast.Image) {
	im := pl.describe(m)
	switch {
	case m.Of != nil:
		im.Of, im.Index, im.Zero = pl.families[m.Of], pl.hostExpr(m.Index), false
		im.LineAxis = im.Of.LineAxis
		pl.out.Leveled = append(pl.out.Leveled, im)
	case m.Dir == hast.Local:
		pl.out.Locals = append(pl.out.Locals, im)
	}
	if m.Dir != hast.Local || pl.swapped[m] || pl.turned[m.Of] {
		im.Offset = &kir.Var{Name: identifier(m) + "_offset", Type: types.Scalar(types.I64), Const: true, At: m.At}
	}
	pl.images[m] = im
}

// extents lists the images whose extents are tested: those that the program declares, then those that lowering needs besides.
func (pl *planner) extents(p *hast.Pipeline) {
	listed := map[*kir.Image]bool{}
	add := func(m *kir.Image) {
		if !listed[m] && m.Of == nil {
			listed[m] = true
			pl.out.Extents = append(pl.out.Extents, m)
		}
	}
	declared := p.Declared
	if declared == nil {
		declared = p.Images
	}
	for _, m := range declared {
		if m.Of != nil {
			continue // a level, which may have no storage; the family is tested
		}
		if im := pl.images[m]; im != nil {
			add(im)
		} else {
			add(pl.describe(m))
		}
	}
	for _, m := range pl.out.Locals {
		add(m)
	}
}

// describe is an image without its storage.
func (pl *planner) describe(m *hast.Image) *kir.Image {
	im := &kir.Image{Name: m.Name, Dir: kir.Dir(m.Dir), Elem: m.Elem, Zero: m.Zero && !pl.fresh[m], At: m.At}
	for _, e := range m.Extent {
		im.Extent = append(im.Extent, pl.hostExpr(e))
		im.Written = append(im.Written, hast.Written(e))
	}
	if m.Spread {
		n := hast.Int(int64(m.Elem.Lanes))
		im.Elem, im.Extent, im.Written = m.Elem.WithLanes(1), append(im.Extent, pl.hostExpr(n)), append(im.Written, hast.Written(n))
	}
	last, _ := constInt(im.Extent[len(im.Extent)-1])
	im.LineAxis = kir.LineAxis(len(im.Extent), last)
	if im.LineAxis >= 0 {
		im.Pitch = &kir.Var{Name: identifier(m) + "_pitch", Type: types.Scalar(types.I64), Const: true, At: m.At}
	}
	return im
}

func (pl *planner) step(s hast.Step) {
	switch s := s.(type) {
	case *hast.Stage:
		pl.stage(s)
	case *hast.DefineHost:
		pl.define(s)
	case *hast.SetScalar:
		v := pl.host[s.Var]
		if s.From != nil {
			pl.out.Steps = append(pl.out.Steps, &kir.SetScalar{Var: v, From: pl.images[s.From]})
			return
		}
		pl.out.Steps = append(pl.out.Steps, &kir.SetScalar{Var: v, Value: convert(pl.hostExpr(s.Value), v.Type.Kind)})
	default:
		pl.control(s)
	}
}

// kernelName is pipeline_stage, made unique in the pipeline.
func (pl *planner) kernelName(stage string) string {
	name := pl.src.Name + "_" + strings.ReplaceAll(stage, ".", "_")
	pl.kernels[name]++
	if n := pl.kernels[name]; n > 1 {
		return fmt.Sprintf("%s_%d", name, n)
	}
	return name
}
