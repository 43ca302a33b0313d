package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/feature"
	"imgc/optimize/finest"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
)

// A Target is what is planned for.
type Target struct {
	// Model is what is known of the device, with what is usual where it does not know (archmodels.WithUsual).
	Model *archmodels.Model
	// Legal says why a stage cannot be carried out as decided, "" where it can.
	Legal func(s *hast.Stage, d schedule.Decisions) string
	// Local is how much local memory a group can have where the host asks for it, in bytes, if that is more than the device gives unasked.
	Local int
	// Matrix is whether the language of the kernels reaches the device's matrix units.
	Matrix bool
	// Bounds is whether compilers of the language are told how many groups a unit is to have room for, and choose registers by it.
	Bounds bool
	// Copies is whether the device copies to local memory by itself, and the language says so (lower.Options).
	Copies bool
	// Graphs is whether the launches of a pipeline may be one graph, in which small ones cost little.
	Graphs bool
	// Behind says why the last group of the launch of a stage cannot go on with the stage behind it, each as decided, "" where it can; nil where the
	// language of the kernels does not order what groups write, or that takes longer than a launch.
	Behind func(before, s *hast.Stage, first, d schedule.Decisions) string
	// EndsApart reports whether what is left of lines that do not end with a block takes a launch of its own, as decided; nil where none does.
	EndsApart func(s *hast.Stage, d schedule.Decisions) bool
	// Descents are the groups that go down rows (block.Descent) which may pay in the language of the kernels.
	Descents kir.Descents
	// Halves is whether the language of the kernels reaches operations on two f16 at a time that the device may have.
	Halves bool
	// Fast is whether functions are the device's own instructions.
	Fast bool
	// Size is the value of a size name that is planned for; it decides between shapes, never about results.
	Size func(v *hast.Var) int64
	// Fusing is what putting stages together depends on.
	Fusing fuse.Options
	// Known is what other plans for the target have found out of the same stages; nil where there are none.
	Known *Known
	// Decided says what a schedule has of where a stage's pixels are, and of separating it, to which the plan keeps; nil where none does.
	Decided func(s *hast.Stage) schedule.Decisions
}

// A Choice is what was chosen for one stage, and why.
type Choice struct {
	Stage    *feature.Stage
	Late     bool // the last group of a later launch does it, so that it takes none
	Picked   Candidate
	Rejected []Candidate // by predicted cost, then those that are not legal; of a plan that is weighed
	weigh    func()      // finds these; nil where they have been found
}

// A Candidate is one way to carry a stage out.
type Candidate struct {
	schedule.Decisions
	Why     string // what speaks for it
	Cost    Cost
	Illegal string // why it cannot be, "" where it can
}

// A Plan is a schedule for a pipeline with its reasons.
type Plan struct {
	Pipeline *hast.Pipeline // with the stages together that are fused
	Device   string         // the model's name
	Assumed  []string       // figures that the model does not know, with the values that were taken for them
	Groups   []*Grouping    // in the order of the text; of stages that could be asked for
	Choices  []*Choice
	rests    map[string]bool // names of stages for rounds that are left, which follow from what is decided for the others
}

// Schedule is the plan as decisions alone.
func (p *Plan) Schedule() *schedule.Schedule {
	out := &schedule.Schedule{Pipeline: p.Pipeline.Name, Device: p.Device}
	seen := map[string]bool{}
	for _, g := range p.Groups {
		if g.Place != 0 {
			seen[g.Stage.Name] = true
			out.Stages = append(out.Stages, &schedule.Stage{Name: g.Stage.Name, Decisions: g.decisions()})
		}
	}
	for _, c := range p.Choices {
		name := c.Stage.Of.Name
		if !seen[name] && !p.rests[name] && c.Picked.Decisions != (schedule.Decisions{}) {
			out.Stages = append(out.Stages, &schedule.Stage{Name: name, Decisions: c.Picked.Decisions})
		}
		seen[name] = true
	}
	return out
}

// Decisions are those for a stage of the pipeline. A stage that lowering has added is planned by itself.
func (p *Plan) Decisions(s *hast.Stage, t Target) schedule.Decisions {
	for _, c := range p.Choices {
		if c.Stage.Of == s {
			return c.Picked.Decisions
		}
	}
	return Stage(s, t).Picked.Decisions
}

// For plans a pipeline and weighs the plan.
func For(p *hast.Pipeline, t Target) *Plan {
	out := Decide(p, t)
	out.Weigh()
	return out
}

// Weigh finds out what was rejected for each stage. Whether all of that is legal takes longer to find out than what is best, and nobody asks but who explains a plan or
// looks for another.
func (p *Plan) Weigh() {
	for _, c := range p.Choices {
		c.weighed()
	}
}

// Decide plans a pipeline.
func Decide(p *hast.Pipeline, t Target) *Plan {
	eval := evaluator(t.Size, settled(p, 0))
	out := &Plan{Device: t.Model.Name, Assumed: assumed(t.Model)}
	g := group(p, t, eval)
	out.Pipeline, out.Groups, out.rests = g.groups.Pipeline(), g.list, g.rests
	at := g.levels(p, out.Pipeline)
	hast.WalkSteps(out.Pipeline.Steps, func(step hast.Step) {
		s, ok := step.(*hast.Stage)
		if !ok {
			return
		}
		c := choose(atLevels(s, out.Pipeline, at), t)
		c.Picked.Separate = g.sep[s.Name]
		if g.gathered[s.Name] {
			c.Picked.Gather = 1
		}
		if g.tabled[s.Name] {
			c.Picked.Table = 1
		}
		c.Picked.Overlap = g.blocks[s.Name]
		if g.own[s.Name] {
			c.Picked.Place = schedule.Root
		}
		c.Picked.Rounds = g.rounds[s.Name]
		out.Choices = append(out.Choices, c)
	})
	out.inOneGroup(t)
	out.together(t)
	out.byLevels()
	out.inBins(t)
	out.fillCells(t)
	out.goOn(t)
	out.byLastGroup(t)
	return out
}

// byLevels says of the traverses whose finest level is by itself that it is, and of those that are rotated, with the first stage that they have.
func (p *Plan) byLevels() {
	for _, t := range finest.Traverses(p.Pipeline) {
		inside := map[*hast.Stage]bool{}
		hast.WalkSteps(t.Body, func(s hast.Step) {
			if s, ok := s.(*hast.Stage); ok {
				inside[s] = t.Apart > 0 || t.Rotated
			}
		})
		for _, c := range p.Choices {
			if !inside[c.Stage.Of] {
				continue
			}
			c.Picked.Finest = schedule.Levels(t.Apart)
			if t.Rotated {
				c.Picked.Rotated = 1
			}
			break
		}
	}
}

// Time is the predicted time of the pipeline, each step of it once, of alternatives the longest, but for traverses: levels that are halved have a
// quarter of the pixels of the next finer ones, so that all but the finest that a step is carried out at take a third of the time there.
func (p *Plan) Time() float64 {
	costs := map[*hast.Stage]float64{}
	for _, c := range p.Choices {
		if !c.Late {
			costs[c.Stage.Of] = c.Picked.Cost.Total()
		}
	}
	return timeOf(p.Pipeline.Steps, costs)
}

func timeOf(steps []hast.Step, costs map[*hast.Stage]float64) float64 {
	sum := 0.0
	for _, s := range steps {
		switch s := s.(type) {
		case *hast.Stage:
			sum += costs[s]
		case *hast.IfHost:
			sum += max(timeOf(s.Then, costs), timeOf(s.Else, costs))
		case *hast.Traverse:
			sum += timeOf(s.Body, costs) * 4 / 3
		default:
			for _, body := range hast.StepBodies(s) {
				sum += timeOf(body, costs)
			}
		}
	}
	return sum
}

// Stage plans one stage.
func Stage(s *hast.Stage, t Target) *Choice {
	return choose(newWork(feature.OfStage(s, t.Fast), t.Model, evaluator(t.Size, nil)), t)
}

// choose takes the legal candidate of the least cost; among equals the first. Candidates are looked at from the shortest one on, without what the coarser levels
// and the ends of lines take, until the next can be no better.
func choose(w *work, t Target) *Choice {
	list := w.considered(t)
	own := *w // with these coarser levels
	best, picked := Candidate{}, -1
	for _, i := range byTime(list) {
		if picked >= 0 && list[i].Cost.Total() > best.Cost.ranked() {
			break
		}
		c := own.judgedAtAll(i, t)
		if c.Illegal != "" {
			continue
		}
		if order := c.Cost.compare(best.Cost); picked < 0 || order < 0 || order == 0 && i < picked {
			best, picked = c, i
		}
	}
	if picked < 0 { // stages that a schedule has fused, however long that is
		picked = 0
		best = own.judgedAtAll(picked, t)
		best.Illegal = ""
	}
	c := &Choice{Stage: own.stage, Picked: best}
	c.weigh = func() { c.Rejected = own.rejected(picked, t) }
	return c
}

// judgedAtAll is a candidate of which it is known whether it is legal, with what it takes at the coarser levels.
func (w *work) judgedAtAll(i int, t Target) Candidate {
	w.judge(i, t)
	c := w.list[i]
	c.Cost.Coarser = w.atCoarser(c.Decisions)
	return c
}

// rejected are all candidates but one, by predicted cost, and then those that are not legal.
func (w *work) rejected(picked int, t Target) []Candidate {
	order, costs := make([]int, 0, len(w.list)), make([]Cost, len(w.list))
	for i := range w.list {
		if i != picked {
			c := w.judgedAtAll(i, t)
			order, costs[i] = append(order, i), c.Cost
		}
	}
	slices.SortStableFunc(order, func(x, y int) int {
		if legal := w.list[x].Illegal == ""; legal != (w.list[y].Illegal == "") {
			if legal {
				return -1
			}
			return 1
		}
		return costs[x].compare(costs[y])
	})
	sorted := make([]Candidate, len(order))
	for k, i := range order {
		sorted[k] = w.list[i]
		sorted[k].Cost = costs[i]
	}
	return sorted
}

// weighed finds out what was rejected, once.
func (c *Choice) weighed() {
	if c.weigh != nil {
		c.weigh()
		c.weigh = nil
	}
}

// byTime are the numbers of candidates in the order of their times.
func byTime(list []Candidate) []int {
	times, order := make([]float64, len(list)), make([]int, len(list))
	for i := range list {
		times[i], order[i] = list[i].Cost.Total(), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(times[i], times[j]) })
	return order
}

// least is the predicted time of what choose picks. Whether a candidate is legal takes much longer to find out than what it costs, so that this is asked of
// those alone that may be it. Most stages that are asked for are in no group in the end: their candidates are not kept.
func least(w *work, t Target) float64 {
	if w.list == nil {
		w.list = w.costed(t)
		w.judged = make([]bool, len(w.list))
		defer func() { w.list, w.judged = nil, nil }()
	}
	list := w.list
	best := math.Inf(1)
	for _, i := range byTime(list) {
		if list[i].Cost.Total() >= best {
			break
		}
		if w.judge(i, t); list[i].Illegal == "" {
			best = min(best, list[i].Cost.Total())
		}
	}
	return best
}

// considered are the candidates with what they cost by themselves, which are found once.
func (w *work) considered(t Target) []Candidate {
	if w.list == nil {
		w.list = slices.Clone(w.costed(t))
		w.judged = make([]bool, len(w.list))
	}
	return w.list
}

// costed are the candidates with their costs, until the next stage's are asked for.
func (w *work) costed(t Target) []Candidate {
	w.local = max(t.Local, w.local)
	w.matrix, w.bounds, w.copies, w.descends, w.fast, w.halves = t.Matrix, t.Bounds, t.Copies, t.Descents, t.Fast, t.Halves && t.Model.FloatsByHalves()
	w.anyOrder, w.graphs = t.Fusing.Floats, t.Graphs
	room := t.room()
	budgeted, s := 0, new(shape)
	*room, budgeted = candidates(w, (*room)[:0])
	for i := range *room {
		c := &(*room)[i]
		if i >= budgeted || c.Descends() || c.Panels > 0 {
			c.Cost = w.cost(c.Decisions)
			continue
		}
		s.become(w, c.Decisions)
		w.budget(c, s)
		c.Cost = w.costOf(s, c.Decisions)
	}
	return *room
}

// judge finds out once whether a candidate is legal, and adds to its cost what is left of lines.
func (w *work) judge(i int, t Target) {
	if w.judged[i] {
		return
	}
	w.judged[i] = true
	c := &w.list[i]
	if c.Decisions != (schedule.Decisions{}) { // what there always is
		c.Illegal = t.Legal(w.stage.Of, c.Decisions)
	}
	if c.Illegal == "" && (c.Decisions != (schedule.Decisions{}) || len(w.stage.Parts) > 0) { // where nothing is fused, whatever a model says
		c.Illegal = w.tooMuch(c.Decisions)
	}
	if c.Illegal == "" && t.EndsApart != nil && w.cutsLines(c.Decisions) && t.EndsApart(w.stage.Of, c.Decisions) {
		c.Cost.Ends = w.endsLaunch()
	}
}

// mostSums is how many sums of bytes an item computes in halves that first computes what rows come to. Items of more take longer, through OpenCL above all: on an H200, 8192 x 8192, in CUDA and through OpenCL,
// binomials of 5 x 5 took 0.0376 and 0.0451 ms in items of 8 x 8 bytes, 0.0391 and 0.0576 of 16 x 8; 0.1281 and 0.1255 of 4 x 8 pixels of three, 0.1323 and 0.1406 of 8 x 8; 0.1594 and 0.1518 of 4 x 4 of four,
// 0.1575 and 0.1774 of 4 x 8.
const mostSums = 96

// maxRegisters is how many registers an estimate may reach: beyond, the compiler of the device may have to spill.
const maxRegisters = 200

// maxWordRegisters is the same for bytes in words, which instructions bound as much as memory does: beyond, there are too few
// work-items for both to overlap. Measured on an H200 with items of 4 and 8 rows: 3x3 36.5 and 39.3 us, Sobel 42.3 and 48.3 us, 5x5 44.7 and 51.8
// (CUDA) or 47.1 and 49.3 (OpenCL).
const maxWordRegisters = 96

// mostlyComputing is how many times as long as the bytes take instructions do where they need not overlap with them, mostlySums the same of sums, of which none was measured.
const (
	mostlyComputing = 1.5
	mostlySums      = 3.
)

// computes reports whether items of decisions compute for so much longer than they wait for memory that more registers are worth fewer items, which is known
// of extremes: the least of a disc of 37 bytes took 51.5 us of 8192 x 8192 on an H200 in items of 16 x 8, and 60 to 64 of 8 x 8.
// Of sums of components of pixels, which narrow items have many registers for, too, and of sums for which bytes are taken apart it is taken for granted where instructions take mostlySums times as long.
func (w *work) computes(d schedule.Decisions, s *shape) bool {
	times := mostlySums
	switch {
	case s.last != nil && len(s.last.extremes) > 0:
		times = mostlyComputing
	case w.perComponent().N == 1 && !s.sumsProducts(w):
		return false
	}
	c := w.cost(d)
	return c.busiest() > times*max(c.Memory, c.Fabric)
}

// coloursRoom is by how much what is estimated of groups of stages that read pixels of several bytes may pass what others may: each byte is converted once for all of them, and is a float
// then. Sharpening (basics/sharpen), a mask of five columns and rows, took 219 us in CUDA and 214 through OpenCL on an H100 in items of 4 x 8, of which 2304 instructions and 204
// registers are estimated, and 278 and 248 of 4 x 4.
const coloursRoom = 1.2

// coloursTogether reports whether stages are such a group.
func (w *work) coloursTogether() bool {
	return len(w.stage.Parts) > 0 && slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool {
		return !a.Writes && a.Image.Elem.Lanes > 1 && a.Image.Elem.Kind.Bits() == 8
	})
}

// itemsBeside is how many items a unit has to have room for where groups take more local memory than they get unasked: 384 of a blur of a grid, in tiles of 128 x 32, took
// 54 us longer on an H200 than 768.
const itemsBeside = 512

// mostLocal is how much local memory a group of so many items may take for its tile.
func (w *work) mostLocal(items int) int {
	unasked := w.model.Limits.LocalPerGroup.Int(0)
	groups := (itemsBeside + items - 1) / items
	return max(unasked, min(w.local, w.model.Limits.LocalPerUnit.Int(unasked)/groups))
}

// groupItems is how many items a group has, with those for what lies beside its tile.
func (w *work) groupItems(d schedule.Decisions) int {
	if d.Local == 0 || w.group == nil {
		return max(1, d.GroupItems())
	}
	size := w.group.Items(tilingOf(d))
	return size[0] * size[1]
}

// tooMuch says which limit of the device a candidate passes, "" for none.
func (w *work) tooMuch(d schedule.Decisions) string {
	switch {
	case w.bySlides(d):
		return w.windowsTooMuch(d)
	case d.Panels > 0:
		return w.panelsTooMuch(d)
	case d.Descends():
		return w.descentTooMuch(d)
	}
	s := w.shapeOf(d)
	m := w.model
	group := w.groupItems(d)
	if most := m.Limits.GroupSize.Int(group); group > most {
		return fmt.Sprintf("groups of %d, the device has %d at most", group, most)
	}
	if most := w.mostLocal(group); w.localBytes(d) > most {
		return fmt.Sprintf("tiles of %d bytes in local memory, a group has %d at most", w.localBytes(d), most)
	}
	switch fused := len(w.stage.Parts) > 0; {
	case !s.blocks && !fused || d.Rows > 0:
		return ""
	case m.Class == archmodels.CPU && w.instances >= fewInstances:
		return pixelByPixel
	case m.Class == archmodels.CPU:
		return ""
	}
	return w.tooLong(s, d)
}

// pixelByPixel is why processors do not have stages fused that rows have no form for: what an instance computes by itself, borders chosen at each pixel that it needs, took 38 ms for a round of
// pencil/srad (1920 x 1080) through PoCL, and 4 as two launches by rows, of which the costs know nothing.
const pixelByPixel = "each instance would compute by itself what it reads"

// tooLong says for which limit the code of a shape is too long, or holds too many values, "" for none.
func (w *work) tooLong(s *shape, d schedule.Decisions) string {
	m, room := w.model, 1.0
	if w.coloursTogether() {
		room = coloursRoom
	}
	if body, most := s.body(w), room*s.longest(w, d, m.Limits.Body.Or(1000)); body > most {
		return fmt.Sprintf("a body of about %.0f instructions, more than %.0f", body, most)
	}
	if n := s.ix * s.iy * float64(w.perComponent().N); n > mostSums && s.rowSums(w) > 0 {
		return fmt.Sprintf("%.0f sums of bytes in halves, more than %d", n, mostSums)
	}
	if n := s.held; s.words() && n > maxWordRegisters && !(n <= maxRegisters && w.computes(d, s)) {
		return fmt.Sprintf("about %.0f registers, more than the %d that leave enough work-items to load while others compute", n, maxWordRegisters)
	}
	if most := min(room*maxRegisters, m.Limits.RegistersPerItem.Or(64)); s.held > most {
		return fmt.Sprintf("about %.0f registers, more than %.0f", s.held, most)
	}
	return ""
}
