package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
)

// A Grouping is what was thought of fusing one stage with those that read what it writes, of inlining it into them, or of joining it with
// one that reads what it reads.
type Grouping struct {
	Stage           *hast.Stage
	Into            []string // the stages that read it, or the one beside which it would run
	With            []string // of a stage that is split those with which it is fused
	Together, Apart float64  // predicted seconds of all of them
	Place           schedule.Placement
	Separate        schedule.Order     // its sums are separated, so that two stages are put where it is
	Tried           schedule.Placement // instead of Root
	Rounds          int                // of a loop that are one, in place of Tried
	Gather          bool               // it may be computed pixel by pixel, in place of Tried
	Gathered        bool               // it is computed pixel by pixel
	Table           string             // the stage that computes its tables, in place of Tried
	Taken           bool               // with Gather or Table: it is so, or has these
	Scarcely        bool               // with Table: they pay whatever is predicted
	Tabled          bool               // what it computes is taken from tables
	Overlap         [2]int             // of a block of instances that share sums, where Root leaves them apart
	Why             string             // it cannot be, as the end of a sentence; "" where it can
}

// decisions are those for the stage.
func (n *Grouping) decisions() schedule.Decisions {
	d := schedule.Decisions{Place: n.Place, Separate: n.Separate}
	if n.Gathered {
		d.Gather = 1
	}
	if n.Tabled {
		d.Table = 1
	}
	return d
}

// A grouper decides which stages are fused, inlined and joined.
type grouper struct {
	target   Target
	eval     func(hast.Expr) int64
	pipeline *hast.Pipeline
	groups   *fuse.Groups
	list     []*Grouping
	manners
	places map[string]schedule.Placement // where pixels of stages are, where that is decided
	parts  map[string]bool               // stages that have come of others, by separating them or by rounds
	own    map[string]bool               // those of them that are rows of bytes by themselves
	tries
	split     map[string]*Grouping      // stages that some of their readers compute themselves, to be fused with the others
	inlined   bool                      // something was, without being decided
	colours   bool                      // sums of vectors are separated
	separated bool                      // the same
	sep       map[string]schedule.Order // how stages are separated that are
	blocks    map[string][2]int         // the instances of stages that are blocks of those that they had
	rounds    map[string]int            // how many rounds of a loop are one kernel, by the name of its stage
	rests     map[string]bool           // the stages for what is left
	gathered  map[string]bool           // stages that are computed pixel by pixel
	tabled    map[string]bool           // stages that have tables
}

// tries are ways to go through a pipeline: what is best for a stage may not be so for those around it.
type tries struct {
	apart  bool // what can be fused is not inlined, unless that is decided
	splits bool // stages are inlined into some of their readers and fused with the others
	alone  bool // what is separated is not fused with its readers, unless that is decided
	whole  bool // nothing is separated, unless that is decided
	keeps  bool // stages that stay in memory are fused with one of those that read them
	merged bool // stages that sum windows are one with those that read them
	anew   bool // products of pixels are inlined where their readers compute them more than once, too
	*Known
}

// surely is the part of the time that splitting a stage must leave: it has readers in steps take tiles in local memory, whose times the model knows less well. On an
// H100, 4096 x 4096, the first level of detail took 124 us split, of which the model took 2 % away, and 115 inlined.
const surely = 0.9

// surelySplit is that part. Where a stage would be stored and reduced at once, splitting it need not leave less: a gradient of bytes took 77 us so, for which 57 are predicted
// (parac/sharpness, 8192 x 8192 on an H200), and the pipeline 0.251 ms, which takes 0.227 split.
func (g *grouper) surelySplit() float64 {
	if slices.ContainsFunc(g.list, func(n *Grouping) bool { return n.Place == schedule.Reduced }) {
		return 1
	}
	return surely
}

// surelyDivided is the same for small components that are read at divided coordinates, of which apart words are computed: on an H200 a level of a pyramid in bytes
// (parac/laplacian) took 130 us, and 322 together, of which the model took 2 % away. Of f32 (basics/clarity) it was 163 together, and 226 apart.
const surelyDivided = 0.9

// surelyFar is the same where what a border rule takes from anywhere is computed at the ends of lines, whose items others wait for: with what farEnds adds, the model has the level that this
// was seen with at 12.7 us together and 14.6 apart for 1920 x 1080 bytes, and it took 24.5 and 17.6 on an H100. Floats under a formula took 0.188 ms of 0.359 (8192 x 8192).
const surelyFar = 0.6

// surelyScaled is the same where an item stores images at several scales: it stores more of the finer ones than it computes of the whole, by rows that are kept until all are computed, and nothing
// has been measured yet.
const surelyScaled = 0.9

// storesInSteps reports whether some of what is fused into a stage stores images of which each instance of the whole has several pixels.
func storesInSteps(group *block.Group) bool {
	return group != nil && slices.ContainsFunc(group.Parts, func(p *block.Part) bool { return p.InSteps() && slices.Contains(p.Stores, true) })
}

// surelyCost is the predicted time of a stage, with what is fused with it, to be held against others.
func (g *grouper) surelyCost(last *hast.Stage) float64 {
	f := g.featuresOf(last)
	small := func(a *feature.Access) bool { return a.Image.Elem.Kind.Bytes() < 4 }
	switch {
	case f.Group != nil && slices.ContainsFunc(f.Group.Parts, func(p *block.Part) bool { return p.Far != "" && !p.Straight }):
		return g.cost(last) / surelyFar
	case f.Group != nil && f.Group.Divided() != nil && slices.ContainsFunc(f.Accesses, small):
		return g.cost(last) / surelyDivided
	case storesInSteps(f.Group):
		return g.cost(last) / surelyScaled
	}
	return g.cost(last)
}

// together puts the stages of a pipeline together where that is decided, or cheaper, and tries it in other ways where these may be better. Where stages are inlined, those around them may have
// become too long to be fused, so that it is tried without, too; and where they are separated, without that, or without fusing them with more than their rows.
func together(p *hast.Pipeline, t Target, eval func(hast.Expr) int64) *grouper {
	k := t.known()
	stages := k.made.Stages(p)
	few := len(stages) <= fewStages
	g := grouping(p, t, eval, tries{Known: k})
	try := func(hows ...tries) {
		for _, how := range hows {
			if other := grouping(p, t, eval, how); other.total() < g.total() {
				g = other
			}
		}
	}
	if g.inlined {
		try(tries{Known: k, apart: true})
	}
	if g.separated && (g.colours || few) {
		try(tries{Known: k, apart: g.apart, alone: true}, tries{Known: k, apart: g.apart, whole: true})
	}
	if few && slices.ContainsFunc(stages, isProduct) {
		try(tries{Known: k, apart: g.apart, alone: g.alone, whole: g.whole, anew: true})
	}
	if k.made.Shared(p) {
		if other := grouping(p, t, eval, tries{Known: k, splits: true, alone: g.alone, whole: g.whole}); len(other.split) > 0 && other.total() < g.surelySplit()*g.total() {
			g = other
		}
	}
	if g.manners.sums && k.made.Keeps(p) {
		how := g.tries
		how.keeps = true
		try(how)
	}
	for _, s := range stages {
		if other := separating(p, s, t, eval, g); other != nil && other.total() < g.total() {
			g = other
		}
	}
	if g.manners.sums && len(t.summings(p)) > 0 {
		try(tries{Known: k, merged: true}, tries{Known: k, merged: true, alone: true})
	}
	return g
}

// fewStages are so few that all of them are thought of as wholes, too: of more that would take as long as all other planning, and is done for sums of vectors alone, of which rows take as
// many registers as there are components; nor are products computed again. At 8192 x 8192 on an H100 a window of five read at every second
// pixel (library/levels) was separated, fused and took 0.81 ms, where 0.33 are taken apart.
const fewStages = 6

// total is the predicted time of all stages.
func (g *grouper) total() float64 {
	sum := 0.0
	hast.WalkSteps(g.groups.Pipeline().Steps, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			sum += g.cost(s)
		}
	})
	return sum
}

// grouping goes through the stages from the last one up: each is inlined into its readers, or else fused with them, or else joined with
// its sibling, where these, with it, take less time than without.
func grouping(p *hast.Pipeline, t Target, eval func(hast.Expr) int64, how tries) *grouper {
	g := &grouper{
		target: t, manners: mannersOf[t.Model.Class], eval: eval, pipeline: p, tries: how, places: map[string]schedule.Placement{}, parts: map[string]bool{}, own: map[string]bool{},
		sep: map[string]schedule.Order{}, blocks: map[string][2]int{}, rounds: map[string]int{}, rests: map[string]bool{}, split: map[string]*Grouping{},
	}
	for _, s := range g.made.Stages(p) {
		g.severalRounds(s, t.decided(s))
	}
	order := g.made.Stages(g.pipeline)
	if g.merged {
		g.mergeSums()
	}
	stages := g.made.Stages(g.pipeline)
	g.shareSums(stages)
	g.haveReadersCompute(stages)
	g.separateInlined()
	g.groups = g.made.Of(g.pipeline)
	for _, s := range slices.Backward(g.groups.Stages()) {
		g.group(s)
	}
	g.sort(order)
	return g
}

// shareSums separates sums of stages, or has blocks of instances share them, where that is decided or takes less time.
func (g *grouper) shareSums(stages []*hast.Stage) {
	for _, s := range slices.Backward(stages) {
		d := g.target.decided(s)
		g.places[s.Name] = d.Place
		if g.parts[s.Name] || g.rounds[s.Name] > 0 || g.made.ComputesTables(s) {
			continue
		}
		if d.Separate != 0 || g.free(s) && g.sums && !g.whole {
			g.placeParts(g.separate(s, d.Separate), d)
			separated := g.sep[s.Name] != 0
			g.separated = g.separated || separated && d.Separate == 0
			g.colours = g.colours || separated && writesVectors(s)
		}
		if d.Overlap[0] > 0 || g.free(s) && g.sums && g.sep[s.Name] == 0 {
			g.overlap(s, d.Overlap)
		}
	}
}

// haveReadersCompute inlines stages into those that read them, all of these or some.
func (g *grouper) haveReadersCompute(stages []*hast.Stage) {
	for _, s := range slices.Backward(stages) {
		place := g.places[s.Name]
		divides := place == schedule.Split || place == 0 && g.splits
		switch {
		case g.parts[s.Name] || g.made.ComputesTables(s):
		case divides && g.divide(s.Name):
		case divides || place == schedule.Inline || place == 0:
			g.inline(s.Name)
		}
	}
}

// separateInlined separates those stages of which it is decided and that have got their sums from others.
func (g *grouper) separateInlined() {
	for _, s := range slices.Backward(g.made.Stages(g.pipeline)) {
		if d := g.target.decided(s); d.Separate != 0 && g.sep[s.Name] == 0 && g.rounds[s.Name] == 0 && !g.parts[s.Name] {
			g.placeParts(g.separate(s, d.Separate), d)
		}
	}
}

// group puts a stage together with those that read it, and with its sibling.
func (g *grouper) group(s *hast.Stage) {
	place, free := g.places[s.Name], g.free(s)
	switch {
	case g.made.ComputesTables(s): // for all who read them
		g.own[s.Name] = true
		return
	case g.parts[s.Name]:
		g.fusePart(s, place)
	case g.split[s.Name] != nil:
		g.split[s.Name].Why = g.groups.Fuse(s)
	case g.alone && g.sep[s.Name] != 0 && free:
	case free && g.sums && g.handOn(s):
		return
	case (place == schedule.Reduced || free) && g.reduce(s):
	case (place == schedule.Kept || g.keeps && free) && g.keep(s):
	case place == schedule.Fuse || free:
		g.fuse(s)
	}
	if place == schedule.Join || free && g.sums {
		g.join(s)
	}
}

// sort puts what was thought of in the order of the stages.
func (g *grouper) sort(stages []*hast.Stage) {
	order := func(n *Grouping) int {
		return slices.IndexFunc(stages, func(s *hast.Stage) bool { return s.Name == n.Stage.Name })
	}
	slices.SortStableFunc(g.list, func(a, b *Grouping) int { return order(a) - order(b) })
	for _, n := range g.list {
		n.Separate = g.sep[n.Stage.Name]
	}
}

// free reports whether it is not decided where the pixels of a stage are.
func (g *grouper) free(s *hast.Stage) bool { return g.places[s.Name] == 0 }

// isRoot reports whether it is decided that a stage is by itself.
func (g *grouper) isRoot(s *hast.Stage) bool { return g.places[s.Name] == schedule.Root }

// manners are what is thought of on a class of devices.
type manners struct {
	sums   bool    // sums are separated in stages of their own, or merged with those that read several, and siblings joined; processors' rows sum along rows by themselves, and have no room for siblings
	again  bool    // readers compute again what they inline; processors find it in their caches instead
	share  float64 // of the time that stages take by themselves, below which they are put together
	rounds int     // of a loop as one, at most
	longer bool    // rounds of several stages as well
	far    bool    // stages are fused that compute what a border rule takes from anywhere (block.Part.Far); no tile by rows of processors does
}

// mannersOf have figures that were measured. Of processors instructions alone are counted where images stay in the caches, and what is equal by
// these took up to 6 % longer together; a level of a pyramid under a border by formula (parac/laplacian, 1920 x 1080) took 5.3 ms through PoCL, and 2.6 apart. Of more than two rounds, and of rounds of several stages, nothing has been measured on GPUs, and each is computed again by neighbours.
var mannersOf = map[archmodels.Class]manners{
	archmodels.GPU: {sums: true, again: true, share: 1, rounds: 2, far: true},
	archmodels.CPU: {share: 0.98, rounds: 4, longer: true},
}

// replace goes on with another pipeline, in which parts have come of a stage.
func (g *grouper) replace(next *hast.Pipeline, parts []*hast.Stage) {
	g.pipeline = next
	for _, p := range parts {
		g.parts[p.Name] = true
	}
}

// fused is the predicted time of what parts of a pipeline are fused into; infinite where one of them cannot be.
func (g *grouper) fused(p *hast.Pipeline, parts []*hast.Stage) float64 {
	groups := g.made.Of(p)
	for _, part := range slices.Backward(parts) {
		if groups.Fuse(part) != "" {
			return math.Inf(1)
		}
	}
	return g.cost(groups.Ends(parts[0])[0])
}

// decided is what a schedule says of a stage.
func (t Target) decided(s *hast.Stage) schedule.Decisions {
	if t.Decided == nil {
		return schedule.Decisions{}
	}
	return t.Decided(s)
}

// inline tries to have the readers of a stage compute what it writes. It is not thought of where the readers would compute a value
// more than once and can have the stage fused instead, unless they read it in steps, where what is shorter is done.
func (g *grouper) inline(name string) {
	before := g.made.Stages(g.pipeline)
	s := before[slices.IndexFunc(before, func(s *hast.Stage) bool { return s.Name == name })]
	n, decided := &Grouping{Stage: s, Tried: schedule.Inline}, !g.free(s)
	next, why := g.made.Inline(g.pipeline, s)
	if n.Why = why; n.Why != "" {
		if decided {
			g.list = append(g.list, n)
		}
		return
	}
	after := g.made.Stages(next)
	once := true
	for _, r := range before {
		if slices.Contains(after, r) {
			continue
		}
		if n.Apart += g.cost(r); r != s {
			n.Into = append(n.Into, r.Name)
			again, far := g.repeated(r, s)
			once = once && (!again || fuse.OnceEach(r, s) || g.anew && isProduct(s))
			if !decided && (far || g.isRoot(r)) { // a schedule knows nothing of what would be inlined
				return
			}
		}
	}
	fusing := math.Inf(1)
	if !decided && (g.apart || !once) {
		fusing = g.fusing(s, !g.apart && g.inSteps(s, n.Into))
	}
	if !decided && (scalar(s) || !once && !g.again || fusing == 0) {
		return
	}
	for _, r := range after {
		if !slices.Contains(before, r) {
			n.Together += g.cost(r)
		}
	}
	if decided || n.Together < min(n.Apart*g.share, fusing) {
		n.Place, g.pipeline = schedule.Inline, next
		g.inlined = g.inlined || !decided
		g.list = append(g.list, n)
	}
}

// isProduct reports whether a stage writes products of two pixels of its own place and no more, which sums of products may compute from these as well: means of squares of 11 x 11 read two
// images of bytes and not five, three of which are of floats.
func isProduct(s *hast.Stage) bool {
	if len(s.Body) != 1 || s.Where != nil || s.Scan != nil {
		return false
	}
	st, ok := s.Body[0].(*hast.Store)
	if !ok {
		return false
	}
	x, ok := st.Value.(*hast.Op)
	return ok && x.Op == ops.Mul && len(x.Args) == 2 && ownPixel(s, x.Args[0]) && ownPixel(s, x.Args[1])
}

// ownPixel reports whether a value is the pixel of an image at the coordinates of the instance, of any kind.
func ownPixel(s *hast.Stage, e hast.Expr) bool {
	for {
		c, ok := e.(*hast.Convert)
		if !ok {
			break
		}
		e = c.X
	}
	load, ok := e.(*hast.Load)
	return ok && slices.EqualFunc(load.Index, s.Space.Vars, func(c hast.Coord, v *hast.Var) bool {
		r, ok := c.X.(*hast.Ref)
		return ok && r.Var == v
	})
}

// fusing is the predicted time of the readers of a stage with it fused; infinite where it cannot be, and 0, which nothing is shorter than, where it
// is not to be compared.
func (g *grouper) fusing(s *hast.Stage, compared bool) float64 {
	groups := g.made.Of(g.pipeline)
	if groups.Fuse(s) != "" {
		return math.Inf(1)
	}
	sum := 0.0
	for _, last := range groups.Ends(s) {
		if compared {
			sum += g.surelyCost(last)
		}
	}
	return sum
}

// inSteps reports whether some readers of a stage have other numbers of instances than it: those that read it in steps use each of its pixels in fewer
// of their own, so that computing them again may take less than sharing them.
func (g *grouper) inSteps(s *hast.Stage, readers []string) bool {
	n := g.featuresOf(s).Instances(g.eval)
	return slices.ContainsFunc(g.made.Stages(g.pipeline), func(r *hast.Stage) bool {
		return slices.Contains(readers, r.Name) && g.featuresOf(r).Instances(g.eval) != n
	})
}

// divide tries to have some readers of a stage compute what it writes, those for which that is once for each of their own instances or that cannot have it fused,
// and to fuse it with the others.
func (g *grouper) divide(name string) bool {
	all := g.made.Of(g.pipeline)
	s := all.Named(name)
	decided := !g.free(s)
	next, inlined, left, why := g.made.Split(g.pipeline, s)
	if why != "" {
		if decided {
			g.list = append(g.list, &Grouping{Stage: s, Tried: schedule.Split, Why: why})
		}
		return decided
	}
	n := &Grouping{Stage: s, Tried: schedule.Split, Into: inlined, Apart: g.cost(s)}
	for _, r := range all.Stages() {
		if slices.Contains(inlined, r.Name) {
			_, far := g.repeated(r, s)
			n.Apart += g.cost(r)
			n.Together += g.cost(g.made.Of(next).Named(r.Name))
			if !decided && (far || g.isRoot(r)) {
				return false
			}
		}
	}
	groups := g.made.Of(next)
	if n.Why = groups.Fuse(groups.Named(name)); n.Why != "" {
		return false
	}
	for _, r := range left {
		n.Apart += g.cost(r)
		n.With = append(n.With, r.Name)
	}
	for _, last := range groups.Ends(groups.Named(name)) {
		n.Together += g.cost(last)
	}
	if !decided && (scalar(s) || n.Together >= n.Apart*g.share) {
		return false
	}
	n.Place, g.pipeline = schedule.Split, next
	g.list, g.split[name] = append(g.list, n), n
	return true
}

// repeated says whether a stage that reads what another one writes would, with it inlined, compute pixels of it more than once; far more
// often where loops of unknown length may read them again and again.
func (g *grouper) repeated(r, s *hast.Stage) (again, far bool) {
	reader, writer := g.featuresOf(r), g.featuresOf(s)
	instances := reader.Instances(g.eval)
	for _, w := range writer.Accesses {
		reads := 0.0
		for _, a := range reader.Accesses {
			if w.Writes && a.Image == w.Image && !a.Writes {
				reads += a.Count
			}
		}
		again = again || reads > 1
		far = far || reads > 0 && (writer.Open || reader.Open && instances > writer.Instances(g.eval)/16)
	}
	return again, far
}

// fuse tries to make a stage a part of its readers.
func (g *grouper) fuse(s *hast.Stage) {
	self, into := g.groups.Into(s)
	decided := !g.free(s)
	if len(into) == 0 || scalar(s) && !decided {
		return // the end of a chain, or a few values, whoever computes them
	}
	n := &Grouping{Stage: s, Tried: schedule.Fuse}
	for _, x := range into {
		n.Into = append(n.Into, x.Name)
		if !decided && g.isRoot(x) {
			return
		}
	}
	next := g.groups.Clone()
	n.Why = next.Fuse(s)
	g.list = append(g.list, n)
	if n.Why != "" {
		return
	}
	n.Apart = g.cost(self)
	for _, x := range into {
		n.Apart += g.cost(x)
	}
	surely := 0.0
	for _, last := range next.Ends(s) {
		if far := g.far(last); far != "" && !g.manners.far && !decided {
			n.Why = far + ": each instance would compute by itself what it reads"
			return
		}
		n.Together += g.cost(last)
		surely += g.surelyCost(last)
	}
	if decided || surely < n.Apart*g.share {
		n.Place, g.groups = schedule.Fuse, next
	} else {
		n.Why = g.tooMuch(next.Ends(s))
	}
}

// tooMuch says for which limit of the device some stages cannot be carried out at all with what is fused with them, "" where they can.
func (g *grouper) tooMuch(ends []*hast.Stage) string {
	for _, last := range ends {
		if math.IsInf(g.cost(last), 1) {
			return g.work(last).tooMuch(schedule.Decisions{})
		}
	}
	return ""
}

// far is why what is fused into a stage computes what a border rule takes from anywhere (block.Part.Far); "" where it does not.
func (g *grouper) far(last *hast.Stage) string {
	group := g.featuresOf(last).Group
	if group == nil {
		return ""
	}
	for _, p := range group.Parts {
		if p.Far != "" {
			return p.Far
		}
	}
	return ""
}

// join tries to have a stage run beside its sibling.
func (g *grouper) join(s *hast.Stage) {
	self, sibling := g.groups.Sibling(s)
	decided := !g.free(s)
	if self == nil || !decided && g.isRoot(sibling) {
		return
	}
	n := &Grouping{Stage: s, Tried: schedule.Join, Into: []string{sibling.Name}}
	next := g.groups.Clone()
	n.Why = next.Join(s)
	g.list = append(g.list, n)
	if n.Why != "" {
		return
	}
	end, share := next.Ends(s)[0], siblings
	if storesInSteps(g.featuresOf(end).Group) {
		share = surelyScaled
	}
	n.Apart, n.Together = g.cost(self)+g.cost(sibling), g.cost(end)
	if decided || n.Together < n.Apart*share {
		n.Place, g.groups = schedule.Join, next
	} else {
		n.Why = g.tooMuch([]*hast.Stage{end})
	}
}

// handOn has a stage run beside the one that reads its pixels, each instance its own alone, if that is less than both by themselves and than the stage as a part of the other.
func (g *grouper) handOn(s *hast.Stage) bool {
	if !g.groups.HandsOn(s) {
		return false
	}
	self, sibling := g.groups.Sibling(s)
	next, fused := g.groups.Clone(), g.groups.Clone()
	if g.isRoot(sibling) || next.Join(s) != "" {
		return false
	}
	n := &Grouping{Stage: s, Tried: schedule.Join, Place: schedule.Join, Into: []string{sibling.Name}}
	n.Apart, n.Together = g.cost(self)+g.cost(sibling), g.cost(next.Ends(s)[0])
	_, readers := g.groups.Into(s)
	others := g.of(slices.DeleteFunc(slices.Clone(readers), func(x *hast.Stage) bool { return x == sibling }))
	if n.Together >= n.Apart || fused.Fuse(s) == "" && g.of(fused.Ends(s)) <= siblings*n.Together+others {
		return false
	}
	g.groups, g.list = next, append(g.list, n)
	return true
}

// of is the predicted time of some stages.
func (g *grouper) of(stages []*hast.Stage) (sum float64) {
	for _, s := range stages {
		sum += g.cost(s)
	}
	return sum
}

// siblings is by how much less siblings are known to take together than is predicted, which counts what both do alike for each of them: std's expand2 and repeat2, at every second pixel, took
// 0.328 ms together on an H100 and 0.377 apart (library/levels, 8192 x 8192), which the model has as equal.
const siblings = 1.02

// scalar reports whether a stage writes scalars alone.
func scalar(s *hast.Stage) bool {
	all := true
	hast.EachStore(s.Body, func(st *hast.Store) { all = all && st.Image.Scalar })
	return all
}

// verbs are what is done to a stage.
var verbs = map[schedule.Placement]string{
	schedule.Fuse: "fused with", schedule.Inline: "inlined into", schedule.Join: "joined with", schedule.Split: "inlined into", schedule.Reduced: "stored and reduced by", schedule.Kept: "stored and fused with",
}

// Text says what was decided, and why.
func (n *Grouping) Text() string {
	if n.Gather {
		return n.gatherText()
	}
	if n.Table != "" {
		return n.tableText()
	}
	if n.Rounds > 0 {
		return fmt.Sprintf("%d rounds of %s are one: %.1f us a round, %.1f us by itself", n.Rounds, n.Stage.Name, n.Together*1e6, n.Apart*1e6)
	}
	if n.Overlap[0] > 0 {
		return fmt.Sprintf("blocks of %d x %d instances of %s share the sums of their loops: %.1f us together, %.1f us apart", n.Overlap[0], n.Overlap[1], n.Stage.Name, n.Together*1e6, n.Apart*1e6)
	}
	not := "not "
	if n.Place == n.Tried {
		not = ""
	}
	text := fmt.Sprintf("%s is %s%s %s: ", n.Stage.Name, not, verbs[n.Tried], strings.Join(n.Into, ", "))
	if len(n.With) > 0 {
		text = strings.TrimSuffix(text, ": ") + " and fused with " + strings.Join(n.With, ", ") + ": "
	}
	if n.Why != "" {
		return text + n.Why
	}
	return text + fmt.Sprintf("%.1f us together, %.1f us apart", n.Together*1e6, n.Apart*1e6)
}
