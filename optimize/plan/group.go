package plan

import (
	"fmt"
	"slices"
	"strings"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
)

// A Grouping is what was thought of fusing one stage with those that read what it writes, or of inlining it into them.
type Grouping struct {
	Stage           *hast.Stage
	Into            []string // the stages that read it
	Together, Apart float64  // predicted seconds of all of them
	Place           schedule.Placement
	Tried           schedule.Placement // instead of Root
	Why             string             // it cannot be, as the end of a sentence; "" where it can
}

// A grouper decides which stages are fused and inlined.
type grouper struct {
	target   Target
	eval     func(hast.Expr) int64
	pipeline *hast.Pipeline
	groups   *fuse.Groups
	costs    map[*hast.Stage]float64 // of stages by themselves
	list     []*Grouping
}

// group puts the stages of a pipeline together where that is decided, or cheaper: from the last one up, each is inlined into its
// readers, or else fused with them, where these, with it, take less time than without.
func group(p *hast.Pipeline, t Target, eval func(hast.Expr) int64) (*hast.Pipeline, []*Grouping) {
	g := &grouper{target: t, eval: eval, pipeline: p, costs: map[*hast.Stage]float64{}}
	places := map[string]schedule.Placement{}
	stages := fuse.Of(p, t.Unroll).Stages()
	for _, s := range slices.Backward(stages) {
		switch places[s.Name] = t.placed(s); {
		case places[s.Name] == schedule.Inline:
			g.inline(s.Name, places, true)
		case places[s.Name] == 0 && t.Model.Class == archmodels.GPU:
			g.inline(s.Name, places, false)
		}
	}
	g.groups = fuse.Of(g.pipeline, t.Unroll)
	for _, s := range slices.Backward(g.groups.Stages()) {
		switch places[s.Name] {
		case schedule.Fuse:
			g.fuse(s, places, true)
		case 0:
			if t.Model.Class == archmodels.GPU {
				g.fuse(s, places, false)
			}
		}
	}
	order := func(n *Grouping) int {
		return slices.IndexFunc(stages, func(s *hast.Stage) bool { return s.Name == n.Stage.Name })
	}
	slices.SortStableFunc(g.list, func(a, b *Grouping) int { return order(a) - order(b) })
	return g.groups.Pipeline(), g.list
}

// placed is where a schedule has what a stage computes.
func (t Target) placed(s *hast.Stage) schedule.Placement {
	if t.Place == nil {
		return 0
	}
	return t.Place(s)
}

// inline tries to have the readers of a stage compute what it writes. It is not thought of where the readers would compute a value
// more than once and can have the stage fused instead.
func (g *grouper) inline(name string, places map[string]schedule.Placement, decided bool) {
	all := fuse.Of(g.pipeline, g.target.Unroll)
	before := all.Stages()
	s := before[slices.IndexFunc(before, func(s *hast.Stage) bool { return s.Name == name })]
	n := &Grouping{Stage: s, Tried: schedule.Inline}
	next, why := fuse.Inline(g.pipeline, s)
	if n.Why = why; n.Why != "" {
		if decided {
			g.list = append(g.list, n)
		}
		return
	}
	after := fuse.Of(next, g.target.Unroll).Stages()
	once := true
	for _, r := range before {
		if slices.Contains(after, r) {
			continue
		}
		if n.Apart += g.cost(r); r != s {
			n.Into = append(n.Into, r.Name)
			again, far := g.repeated(r, s)
			once = once && !again
			if !decided && (far || places[r.Name] == schedule.Root) { // a schedule knows nothing of what would be inlined
				return
			}
		}
	}
	if !decided && (scalar(s) || !once && all.Clone().Fuse(s) == "") {
		return
	}
	for _, r := range after {
		if !slices.Contains(before, r) {
			n.Together += g.cost(r)
		}
	}
	if decided || n.Together < n.Apart {
		n.Place, g.pipeline = schedule.Inline, next
		g.list = append(g.list, n)
	}
}

// repeated says whether a stage that reads what another one writes would, with it inlined, compute pixels of it more than once; far more
// often where loops of unknown length may read them again and again.
func (g *grouper) repeated(r, s *hast.Stage) (again, far bool) {
	reader, writer := feature.OfStage(r), feature.OfStage(s)
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
func (g *grouper) fuse(s *hast.Stage, places map[string]schedule.Placement, decided bool) {
	self, into := g.groups.Into(s)
	if len(into) == 0 || scalar(s) && !decided {
		return // the end of a chain, or a few values, whoever computes them
	}
	n := &Grouping{Stage: s, Tried: schedule.Fuse}
	for _, x := range into {
		n.Into = append(n.Into, x.Name)
		if !decided && places[x.Name] == schedule.Root {
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
	for _, last := range next.Ends(s) {
		n.Together += g.cost(last)
	}
	if decided || n.Together < n.Apart {
		n.Place, g.groups = schedule.Fuse, next
	}
}

// scalar reports whether a stage writes scalars alone.
func scalar(s *hast.Stage) bool {
	all := true
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if st, ok := st.(*hast.Store); ok {
			all = all && st.Image.Scalar
		}
	}, nil)
	return all
}

// cost is the predicted time of a stage.
func (g *grouper) cost(s *hast.Stage) float64 {
	if c, ok := g.costs[s]; ok {
		return c
	}
	c := choose(newWork(feature.OfStage(s), g.target.Model, g.eval), g.target).Picked.Cost.Total()
	g.costs[s] = c
	return c
}

// verbs are what is done to a stage.
var verbs = map[schedule.Placement]string{schedule.Fuse: "fused with", schedule.Inline: "inlined into"}

// Text says what was decided, and why.
func (n *Grouping) Text() string {
	not := "not "
	if n.Place == n.Tried {
		not = ""
	}
	text := fmt.Sprintf("%s is %s%s %s: ", n.Stage.Name, not, verbs[n.Tried], strings.Join(n.Into, ", "))
	if n.Why != "" {
		return text + n.Why
	}
	return text + fmt.Sprintf("%.1f us together, %.1f us apart", n.Together*1e6, n.Apart*1e6)
}
