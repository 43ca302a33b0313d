package plan

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
)

// A Cost is the predicted time of one launch, in seconds, by its terms.
type Cost struct {
	Fixed   float64 // of the launch
	Last    float64 // what its last group does when all others have ended
	Ends    float64 // of the launch for what is left of lines that do not end with a block
	Coarser float64 // of the same stage at coarser levels of a pyramid, for the choice between decisions: no part of the total
	Skewed  float64 // of updates of memory, if a part of them meet at one place; for that choice, too
	Memory  float64 // compulsory bytes over the bandwidth that the accesses reach
	Fabric  float64 // bytes between cache and compute units
	Issue   float64 // instructions
	Pipe    float64 // operations of the busiest pipe
	Local   float64 // bytes that go to and from local memory
	Atomics float64 // updates that meet
	Groups  float64 // groups that start one after the other
	Steps   float64 // steps of a scan that wait for each other
	Loops   float64 // steps of loops in which every instance loads what it shares with others
	Slants  float64 // by how much the time is more on average over the angles by which an image may be turned than that of what is so on average
	Busiest feature.Pipe
	// Apart is the part of the time that is lost where moving and computing take equally long, and Crowded what is lost because items
	// with many registers leave room for few.
	Apart, Crowded float64
	// Relative says that bandwidth or clock are not known: the numbers tell candidates apart and are no times.
	Relative bool
}

// Total is the predicted time: the terms overlap, but the less perfectly the nearer the two largest are to each other.
func (c Cost) Total() float64 {
	most := max(c.Memory, c.Fabric, c.Issue, c.Pipe, c.Local, c.Atomics, c.Groups)
	if most = max(most, c.Steps); most == 0 {
		return c.Fixed + c.Last + c.Ends + c.Loops
	}
	moved, computed := max(c.Memory, c.Fabric), max(c.Issue, c.Pipe, c.Local)
	near := min(moved, computed) / most
	return c.Fixed + c.Last + c.Ends + c.Slants + c.Loops + most*(1+c.Apart*near*near*near+c.Crowded)
}

// ranked is what decisions are compared by.
func (c Cost) ranked() float64 { return c.Total() + c.Coarser + c.Skewed }

// compare says which of two costs decisions are taken for: less than 0 where it is the first.
func (c Cost) compare(d Cost) int {
	if n := cmp.Compare(c.ranked(), d.ranked()); n != 0 {
		return n
	}
	if n := cmp.Compare(c.busiest(), d.busiest()); n != 0 {
		return n
	}
	if n := cmp.Compare(c.Memory, d.Memory); n != 0 { // hidden by what is equal, as far as operations are as many as are counted
		return n
	}
	if n := cmp.Compare(c.Steps, d.Steps); n != 0 { // as well
		return n
	}
	return cmp.Compare(c.starting(), d.starting())
}

// busiest is the time of the term of computing that is closest to being the bound, which decides where what moves the bytes is equal.
func (c Cost) busiest() float64 { return max(c.Issue, c.Pipe) }

// starting is the time in which groups start where that is two thirds of all and more, which decides where all else is equal: OpenCL on an H200 took 34.6 ms for
// nl_means of 8192 x 8192 pixels with rows in 33 million groups, and 33.1 in half as many (CUDA 31.7 and 31.9). Where it was half, rows of bytes took longer in a third of the groups.
func (c Cost) starting() float64 {
	if 3*c.Groups < 2*c.Total() {
		return 0
	}
	return c.Groups
}

// Text is the cost with its terms in microseconds.
func (c Cost) Text() string {
	parts := []string{fmt.Sprintf("%.1f us", c.Total()*1e6)}
	if c.Relative {
		parts[0] = "relative costs"
	}
	add := func(name string, t float64) {
		if t > 0 {
			parts = append(parts, fmt.Sprintf("%s %.1f", name, t*1e6))
		}
	}
	add("memory", c.Memory)
	add("fabric", c.Fabric)
	add("issue", c.Issue)
	add(c.Busiest.String(), c.Pipe)
	add("local", c.Local)
	add("atomics", c.Atomics)
	add("groups", c.Groups)
	add("steps", c.Steps)
	add("loops", c.Loops)
	add("launch", c.Fixed)
	add("last group", c.Last)
	add("ends", c.Ends)
	add("by angle", c.Slants)
	add("coarser levels", c.Coarser)
	add("more if skewed", c.Skewed)
	return strings.Join(parts, ", ")
}

// A work is what candidates of one stage have in common.
type work struct {
	stage     *feature.Stage
	group     *block.Group // of the stage and those that are fused with it; nil where nothing is, until it is asked for in local memory
	model     *archmodels.Model
	instances float64
	read      float64 // compulsory bytes
	written   float64
	vars      int
	x, y      *hast.Var // the last two variables; y nil without
	local     int       // bytes of local memory that a group can have
	matrix    bool      // kernels may use matrix units
	copies    bool      // the device copies to local memory by itself
	bounds    bool      // compilers choose registers by the groups that a unit is to have room for
	eval      func(hast.Expr) int64
	alone     map[*hast.Stage]*work    // the stages of a group, each by itself
	what      *block.Stage             // of blocks; nil until it is asked for
	sums      map[int][]*byteSum       // of bytes, by how much is written out
	fours     map[int][]*block.Columns // of stages that are fused, by the columns of an item
	dots      map[int][]block.Dotted   // sums over many points, by the points of a block
	masks     map[int]int              // how many sums over masks, by how much is written out
	extreme   map[int][]extreme        // least and greatest values, by how much is written out
	product   map[int]feature.Ops      // in sums of products, by the same
	singles   map[int]feature.Ops      // of what halves of words have no form for, by the same
	commons   *block.Commons           // nil until it is asked for
	down      *block.Descent           // nil where groups cannot go down rows, and until descended is set
	descended bool
	descends  kir.Descents // those that are thought of
	fast      bool         // functions are the device's own instructions
	halves    bool         // two f16 are computed at a time
	anyOrder  bool         // floats may be added in any order
	graphs    bool         // launches may be a graph, whose kernels start while the ones before end
	reduces   *ofLines     // what its reductions take; nil until it is asked for
	coarser   []*work      // the same at coarser levels of a pyramid
	list      []Candidate  // those that are considered; nil until they are
	judged    []bool       // of these, whether it is known that they are legal
	counts    [2]float64   // of the values of the last two variables, x first
	sizes     map[*hast.Image]float64
	lookedUp  map[*hast.Image][]*feature.Part // by which parts small images are read
	looks     *block.Looks                    // what is known of stages and groups
	cells     *block.Cells                    // nil where the stage has none, and until celled is set
	celled    bool
	cut       *block.Trapezoid // nil where the stage has none, and until cutUp is set
	cutUp     bool
	slanted   map[*feature.Access][]slant // see slants
	reached   map[reach][]float64         // see slantedCycles
	patches   map[*hast.Image][]*block.Patch
	paneled   *block.Panels // nil where there are none, and until paneledUp is set
	paneledUp bool
	slid      *block.Panels // the same of windows that slide
	slidUp    bool
}

func newWork(s *feature.Stage, m *archmodels.Model, eval func(hast.Expr) int64) *work {
	w := &work{stage: s, group: s.Group, model: m, eval: eval, local: m.Limits.LocalPerGroup.Int(0), looks: &block.Looks{}, instances: s.Instances(eval), vars: len(s.Of.Space.Vars)}
	w.read, w.written = s.Bytes(eval)
	for before := range min(w.vars, len(w.counts)) {
		w.counts[before] = w.valuesOf(before)
	}
	if w.vars > 0 {
		w.x = s.Of.Space.Vars[w.vars-1]
	}
	if w.vars > 1 {
		w.y = s.Of.Space.Vars[w.vars-2]
	}
	return w
}

// lines is the number of lines along the last variable.
func (w *work) lines() float64 {
	n := 1.0
	for _, r := range w.stage.Of.Space.Ranges[:w.vars-1] {
		n *= float64(max(w.eval(r.Hi)-w.eval(r.Lo), 0))
	}
	return n
}

// chunked reports whether lines are cut into chunks, which is done before stages are planned.
func (w *work) chunked(d schedule.Decisions) bool {
	return !d.Whole() && w.stage.Of.Scan != nil && w.stage.Of.Scan.Chunks
}

// readTwice is the work with all pixels read twice.
func (w *work) readTwice() *work {
	out := *w
	out.read *= 2
	return &out
}

// repeats is how often the body of a loop runs whose length only the sizes tell, at least once.
func (w *work) repeats() float64 {
	if !w.stage.Open || w.instances == 0 {
		return 1
	}
	pixels, block := 0.0, 1.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && a.Open {
			pixels = max(pixels, w.places(a)/float64(a.Image.Elem.Lanes))
		} else if a.Near > 0 { // an instance is a block of those that there would be
			block = max(block, a.Near)
		}
	}
	return max(1, pixels/(w.instances*block))
}

// cost predicts one launch under decisions.
func (w *work) cost(d schedule.Decisions) Cost {
	if w.model.Class == archmodels.CPU {
		return w.costOnCPU(d)
	}
	switch {
	case w.bySlides(d):
		return w.costOfWindows(d)
	case d.Panels > 0:
		return w.costOfPanels(d)
	case w.sharesSteps() && (d == schedule.Decisions{} || d.Steps > 0):
		return w.costOfSharedSteps(d.Steps)
	case d.Descends():
		return w.costOfDescent(d)
	case d.Keep > 0:
		return w.costOfKept(d)
	case d.Band[0] > 0:
		return w.costOfBand(d)
	case d.Trapezoid[0] > 0:
		return w.costOfTrapezoid(d)
	}
	return w.costOf(w.shapeOf(d), d)
}

// costOf is cost of what work-items compute by themselves or in groups, from its shape.
func (w *work) costOf(s *shape, d schedule.Decisions) Cost {
	c := Cost{Fixed: w.model.Launch.Fixed.Or(0), Apart: s.apartOf(w, d), Crowded: s.crowded(w)}
	bw, r := &w.model.Bandwidth, &w.model.Rates
	busy := min(1, s.inFlight(w, d))
	if w.chunked(d) { // chunks are read for what they come to, and read again
		c.Fixed *= 3
		w = w.readTwice()
	}
	rate := w.bandwidth(&c)
	written := w.written * s.apartStored(w)
	apart := w.onLines(d)
	read := w.read
	if d.Layers == 0 {
		read += w.readAgain()
	}
	times := float64(max(1, d.Parts)) // that instances are gone through, from the second on out of a cache
	if !bw.Fabric.Known {
		read *= times
	}
	c.Memory = apart * (read + written) / (rate * s.width(w) * busy)
	c.Fabric = apart * s.fabric(w, written, busy)
	c.Steps = max(w.inSteps(d), w.alongLines(d), s.entries(w, d))
	chip := r.Units.Or(0) * r.Clock.Or(0) * min(s.balance(w, d), s.items*w.repeatsIn(d)/(r.Units.Or(1)*max(r.Issue.Or(1), 1)))
	if chip == 0 {
		return c
	}
	if d.Matrix != 0 {
		w.costOfMatrix(d, r, chip, &c)
		return c
	}
	if r.Requests.Known {
		c.Fabric = max(c.Fabric, s.requests(w)/(r.Requests.Value*chip))
	}
	c.Fabric = max(c.Fabric, s.crossing(w, d, chip))
	ops, instances := s.ops(w), w.instances*s.uneven(w)*times
	if r.Issue.Known {
		c.Issue = s.fetched(w)*ops.Total()*instances/(r.Issue.Value*r.IssueShare.Or(1)*chip) + w.inTurn(d)
	}
	c.pipes(ops, instances, r, chip)
	c.Local = times * (s.localTime(w, r, chip) + s.lookUps(w, r, chip))
	c.Fabric *= times
	c.Atomics, c.Skewed = w.atomics(d, chip), w.skewed(d)
	w.countCells(d, chip, &c)
	filling := w.starts(s, d, &c)
	if s.interior && s.words() {
		c.Fixed += twoCodes
	}
	c.Loops = w.unshared() + w.byThemselves()
	c.Fixed += w.setUp(d, chip) + w.byLines(d) + s.lastDone(w) + s.inRounds(w) + s.byRow(w) + s.farEnds(w) + filling
	if w.slanting() {
		c.bySlant(s, w, w.instances*times, chip)
	}
	return c
}

// twoCodes is what kernels that have their code twice take longer than with either: basics/padded, which memory bounds, took 0.0376 ms on an H200, and 0.0399 with code for inside of the image.
const twoCodes = 0.9e-6

// bandwidth is that of main memory, of which a cost says if it is none that somebody has found out.
func (w *work) bandwidth(c *Cost) float64 {
	b := w.model.Bandwidth.Copy
	if !b.Known {
		b = w.model.Bandwidth.Peak
	}
	c.Relative = b.How == archmodels.Assumed
	return b.Value
}

// fabric is the time of what goes between cache and compute units, so many bytes of it written, where the loads under way fill a part of the time.
func (s *shape) fabric(w *work, written, busy float64) float64 {
	rate := w.model.Bandwidth.Fabric
	if !rate.Known {
		return 0
	}
	t := (w.read*s.amplified(w) + written) / (rate.Value * busy)
	if s.tiling.Sweep {
		t /= sweepFabric
	}
	return t
}

// pipes finds the busiest pipe for the operations of so many instances.
func (c *Cost) pipes(ops feature.Ops, instances float64, r *archmodels.Rates, chip float64) {
	ops = byUnit(ops, r)
	for p, rate := range rates(r) {
		if !rate.Known || rate.Value == 0 {
			continue
		}
		if t := ops[p] * instances / (rate.Value * r.PipeShare.Or(1) * chip); t > c.Pipe {
			c.Pipe, c.Busiest = t, feature.Pipe(p)
		}
	}
	if c.Busiest == feature.Special {
		near := min(c.Issue, c.Pipe) / max(c.Issue, c.Pipe)
		c.Pipe *= 1 + specialApart*near*near*near
	}
}

// specialApart is the share of the time of the special functions' unit that is lost where the other instructions take as long: it is fed at
// one point. A bilateral filter of 81 exponentials took 1.72 ms for 8192 x 8192 pixels of an H200 where loads were shared by two pixels, and
// 1.55 and 1.59 ms where they were by four, with the same exponentials.
const specialApart = 0.15

// starts sets the time that groups take to start, one after the other, and is what is lost until units have as many as they have room for: half of that
// time. For 1920 x 1080 bytes, in the last cache, a point operator took 3.2, 2.0, 1.4, 1.2 and 1.2 us on an H200 with groups of 32, 64, 128, 256 and 512.
func (w *work) starts(s *shape, d schedule.Decisions, c *Cost) float64 {
	m := w.model
	items := d.GroupItems()
	if items == 0 && !s.turns {
		items = ownGroup
	}
	if !m.Launch.Group.Known || !m.Rates.Units.Known || items <= 0 {
		return 0
	}
	groups := math.Ceil(s.items / float64(items))
	switch {
	case d.Copies[0] > 0:
		groups = float64(d.Copies[2])
	case d.Reduce > 0:
		groups = math.Ceil(w.instances / float64(max(1, d.Abreast)))
	case w.stage.Of.Reduced != nil:
		groups = min(groups, float64(block.Parts(w.stage.Of)))
	}
	room := min(m.Limits.ItemsPerUnit.Or(2048)/float64(items), m.Limits.GroupsPerUnit.Or(32))
	c.Groups = groups * m.Launch.Group.Value
	return min(groups, m.Rates.Units.Value*max(1, room)) * m.Launch.Group.Value / 2
}

// turn is the time of a load, what is computed from it, and a store, which the next instance or the rest of a group waits for. Of the 2.1 us that each of
// the coarse levels of a pyramid takes on an H200 this is what the launch leaves; it is not measured for scans and last groups.
const turn = 1e-6

// inSteps is the time of a scan whose lines are not apart: of all instances one after the other, or of the turns of a group.
func (w *work) inSteps(d schedule.Decisions) float64 {
	s := w.stage.Of
	switch {
	case !s.Scan.Meet():
		return 0
	case d.Steps == 0:
		return turn * w.instances
	}
	across := s.Across()
	along := w.count(w.vars - 1 - across[len(across)-1])
	return turn * w.instances / along * math.Ceil(along/float64(d.Steps))
}

// places is the number of components of an image.
func (w *work) places(a *feature.Access) float64 {
	return memo.Of(&w.sizes, a.Image, func() float64 {
		n := float64(a.Image.Elem.Lanes)
		for _, e := range a.Image.Extent {
			n *= float64(w.eval(e))
		}
		return n
	})
}

// repeatsIn is by how much more items work than there are instances of which each is one item: those that share one, as far as its lines have a block for each.
func (w *work) repeatsIn(d schedule.Decisions) float64 {
	switch {
	case d.Reduce == 0:
		return 1
	case d.Flat != 0 || w.reduced().across:
		return float64(d.Sharing())
	}
	return min(float64(d.Sharing()), w.blocksOf(d))
}

// byUnit are operations where their units count them: conversions of words with logic, as so much more of it as they take longer, where the model
// has a rate for them, and else with other conversions; those of floats of 16 bits as logic.
func byUnit(ops feature.Ops, r *archmodels.Rates) feature.Ops {
	if n := ops[feature.ConvertWord]; r.ConvertWord.Known && r.Logic.Known {
		ops[feature.Logic] += n * r.Logic.Value / r.ConvertWord.Value
	} else {
		ops[feature.Convert] += n
	}
	ops[feature.Logic] += ops[feature.Widen]
	ops[feature.ConvertWord], ops[feature.Widen] = 0, 0
	return ops
}

// rates are the model's rates by pipe. Where two f16 at once have no rate of their own, each is computed as f32.
func rates(r *archmodels.Rates) [feature.Pipes]archmodels.Figure {
	half := r.Half2
	if !half.Known {
		half = r.FMA
	}
	return [feature.Pipes]archmodels.Figure{
		feature.FMA: r.FMA, feature.Integer: r.Integer, feature.Logic: r.Logic, feature.Convert: r.Convert, feature.Special: r.Special,
		feature.Double: r.Double, feature.Half: half,
	}
}
