package feature

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/memo"
)

// Class is what a stage is as a whole. The first that fits, from the last up, is its class.
type Class uint8

const (
	Point   Class = iota // an instance reads the pixels at its own place alone
	Local                // it reads a window around its place
	Gather               // it reads at places that depend on data, or that its place does not determine
	Global               // it reads as many pixels as an image has
	Scatter              // it writes at places that depend on data, or updates pixels that others update
	Scan                 // its instances run in an order
)

var classes = [...]string{"point", "local", "gather", "global", "scatter", "scan"}

// String is the class's name.
func (c Class) String() string { return classes[c] }

// A Stage is what a stage does.
type Stage struct {
	Of       *hast.Stage
	Class    Class
	Accesses []*Access       // in the order of the text, one for each image, direction and border rule
	Ops      Ops             // of one instance; loops whose length the program does not say count once
	InOpen   Ops             // of them those in such loops
	Along    [2]Ops          // of Ops those that follow x alone, and y alone, whatever the pixels are
	Phased   *Phased         // the operations in blocks of some extents; nil where they make no difference
	Floats   float64         // of the conversions of all parts those of integers of 8 and 16 bits to f32
	Open     bool            // there are such loops
	Uneven   bool            // some of them end where data says, at once for one instance and late for another
	Branches int             // conditions on data whose sides differ in cost
	Parts    []*Part         // those that are fused with it, in order; Accesses are those of all, to memory
	Group    *block.Group    // of them all; nil where nothing is fused
	Moving   []*block.Moving // sums that instances of a block share
}

// Phased are the operations of one instance, on average, in blocks of multiples of so many columns and rows: what depends on remainders of coordinates by
// divisors of these alone is a constant for each instance of a block.
type Phased struct {
	Every [2]int
	Ops   Ops
}

// An Access is how the instances of a stage reach an image.
type Access struct {
	Image   *hast.Image
	Writes  bool
	Updates bool // the new pixel depends on the old one
	Total   bool // of an update: all instances update the same pixels, by one operator, so that work-items may do so once for all of theirs
	Rule    *hast.Rule
	Outside bool    // some coordinate can leave the image
	Axes    []Axis  // one for each axis of the image
	Count   float64 // pixels that an instance reaches, each counted as often as it does so; 0 where that hardly ever happens
	Below   float64 // of what is fused: by how many instances of its own for each of the whole, which Count does not say; 0 for one
	Open    bool    // it does so in a loop of unknown length
	Near    float64 // of these, pixels inside of the image that are constants away from others, in loops that are written out whatever is decided
}

// An Axis is where an access is along one axis of an image: floor((Mul*v + o) / Div), where v is the iteration variable Var and o
// runs from Lo to Hi. Without Var the coordinate is Lo to Hi for all instances.
type Axis struct {
	Var    *hast.Var
	Mul    int64
	Div    int64
	Lo, Hi int64
	Known  bool // the coordinate is of this form; else it depends on data, on several variables, or on values of the host
	// Periodic: Div instances, from a multiple of Div on, reach Lo/Div to Hi/Div together, and the next ones Mul farther (block.Span.Periodic).
	Periodic bool
	Slopes   *Slopes // not Known: it follows the coordinates of the instance, as under a rotation, whatever the pixels are; nil where it does not
	Host     bool    // not Known, but the same for all instances, or apart from a value of the host of the form above, with Var and Mul
}

// Span is the number of pixels along the axis that one instance reaches; 0 where that is not known.
func (a Axis) Span() int64 {
	if !a.Known {
		return 0
	}
	return (a.Hi-a.Lo)/max(a.Div, 1) + 1
}

// Window is the number of pixels of the box around all that an instance reads of the image, 0 where that is not known.
func (a *Access) Window() float64 {
	n := 1.0
	for _, x := range a.Axes {
		n *= float64(x.Span())
	}
	return n
}

// PixelBytes is the size of a pixel of the image in memory.
func PixelBytes(m *hast.Image) int64 { return int64(m.Elem.Bytes()) }

// Bytes are the compulsory bytes of the stage where eval gives the values of host expressions: each image read once and written
// once, but never more pixels than the instances reach, where the program says how many that are.
func (s *Stage) Bytes(eval func(hast.Expr) int64) (read, written float64) {
	instances := s.Instances(eval)
	if instances == 0 {
		return 0, 0
	}
	seen := map[*hast.Image][2]float64{} // the most that one access has
	for _, a := range s.Accesses {
		if a.Count == 0 {
			continue
		}
		pixels := 1.0
		for _, e := range a.Image.Extent {
			pixels *= float64(eval(e))
		}
		if !a.Open {
			pixels = min(pixels, instances*max(a.Count*max(a.Below, 1), 1))
		}
		size := pixels * float64(PixelBytes(a.Image))
		done := seen[a.Image]
		if (!a.Writes || a.Updates) && size > done[0] {
			read += size - done[0]
			done[0] = size
		}
		if a.Writes && size > done[1] {
			written += size - done[1]
			done[1] = size
		}
		seen[a.Image] = done
	}
	return read, written
}

// Instances is the number of points of the stage's space.
func (s *Stage) Instances(eval func(hast.Expr) int64) float64 {
	n := 1.0
	for _, r := range s.Of.Space.Ranges {
		n *= float64(max((eval(r.Hi)-eval(r.Lo)+r.Step-sign(r.Step))/r.Step, 0))
	}
	return n
}

// Of computes the features of every stage of a pipeline, in the order of the text; nested ones too. In fast mode functions are counted as
// the device's own instructions.
func Of(p *hast.Pipeline, fast bool) []*Stage {
	var out []*Stage
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			out = append(out, OfStage(s, fast))
		}
	})
	return out
}

// unrolled is up to how many points reductions of fused stages are written out.
const unrolled = 64

// OfStage is Of for one stage, with those that are fused with it.
func OfStage(s *hast.Stage, fast bool) *Stage {
	return (&Finder{Looks: &block.Looks{}, Fast: fast}).Of(s)
}

// A Finder finds the features of stages, each once: groups have most of their parts in common with others. It is not for several goroutines at a time.
type Finder struct {
	Looks *block.Looks // what others find of groups, too
	Fast  bool
	all   map[*hast.Stage]*Stage
	ones  map[*hast.Stage]*Stage // without those fused with them
}

// Of is OfStage, of which nobody may change anything.
func (f *Finder) Of(s *hast.Stage) *Stage {
	if len(s.Fused) == 0 {
		return f.one(s)
	}
	return memo.Of(&f.all, s, func() *Stage { return f.group(s, f.Looks.Together(s, unrolled)) })
}

func (f *Finder) one(s *hast.Stage) *Stage {
	return memo.Of(&f.ones, s, func() *Stage { return ofOne(s, f.Fast) })
}

func ofOne(s *hast.Stage, fast bool) *Stage {
	w := newWalker(s, fast)
	w.stage(s)
	if s.Reduced != nil {
		w.reduced(s)
	}
	w.out.Class = w.class()
	w.out.Phased = phasedOf(s, fast)
	w.out.Moving = block.MovingSums(s)
	return w.out
}

func (w *walker) stage(s *hast.Stage) {
	if s.Where != nil {
		w.expr(s.Where)
	}
	w.stmts(s.Body)
}

// InCommon counts the operations of what instances have in common, once.
func InCommon(c *block.Common, fast bool) Ops {
	w := newWalker(nil, fast)
	for _, v := range c.Loop.Space.Vars {
		w.fixed[v] = true
	}
	for _, d := range c.Lets {
		w.stmt(d)
	}
	w.expr(c.Expr)
	return w.out.Ops
}

// reduced counts what instances do to reduce what they write, which is not in memory where nothing else reads it.
func (w *walker) reduced(s *hast.Stage) {
	w.out.Accesses = slices.DeleteFunc(w.out.Accesses, func(a *Access) bool { return a.Writes && slices.Contains(s.Inner, a.Image) })
	for _, r := range block.Reductions(s.Reduced) {
		for p, n := range OfPoint(r, w.fast) {
			if Pipe(p) != Memory {
				w.out.Ops[p] += n
			}
		}
	}
}

// OfPoint counts the operations of one point of a reduction.
func OfPoint(r *hast.Reduce, fast bool) Ops {
	w := newWalker(nil, fast)
	w.bind(r.Space)
	w.reducePoint(r)
	return w.out.Ops
}

// OfExpr counts the operations of a value, beside those that reach pixels.
func OfExpr(e hast.Expr, fast bool) Ops {
	w := newWalker(nil, fast)
	w.expr(e)
	w.out.Ops[Memory] = 0
	return w.out.Ops
}

// Weigh is how many operations a value takes beside those that reach pixels.
func Weigh(e hast.Expr) float64 {
	return OfExpr(e, false).Total()
}

func newWalker(of *hast.Stage, fast bool) *walker {
	w := &walker{fast: fast, out: &Stage{Of: of}, vars: map[*hast.Var]form{}, fixed: map[*hast.Var]bool{}, funcs: map[*hast.Func]bool{}, times: 1, counted: map[hast.Expr]bool{}}
	if of != nil {
		w.scope = block.ScopeOf(of)
	}
	return w
}

func (w *walker) class() Class {
	if w.out.Of.Scan != nil {
		return Scan
	}
	c := Point
	for _, a := range w.out.Accesses {
		c = max(c, a.class())
	}
	if c < Global && w.out.Open && w.global {
		c = Global
	}
	return c
}

// many is how many pixels along one axis all instances read for the stage to count as global.
const many = 64

func (a *Access) class() Class {
	follows := map[*hast.Var]bool{}
	for _, x := range a.Axes {
		switch {
		case !x.Known && a.Writes && !x.Host:
			return Scatter
		case !x.Known && !x.Host:
			return Gather
		}
		if x.Var != nil {
			follows[x.Var] = true
		}
	}
	if a.Updates && len(follows) == 0 && !a.Total {
		return Scatter
	}
	for _, x := range a.Axes {
		if x.Known && !a.Writes && x.Var == nil && x.Span() >= many {
			return Global
		}
	}
	for _, x := range a.Axes {
		if x.Known && !a.Writes && (x.Span() > 1 || x.Lo != 0 || x.Var != nil && (x.Mul != 1 || x.Div != 1)) && x.Var != nil {
			return Local
		}
	}
	return Point
}
