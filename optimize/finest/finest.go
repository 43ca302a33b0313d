package finest

import (
	"fmt"
	"slices"
	"sync"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// Program is p with the finest level of those traverses by itself of which apart, asked where Refuse has nothing to say, says so. It is asked again of what
// is left of these (Traverse.Apart): the second level is by itself then, too. It does not change p.
func Program(p *hast.Program, apart Choice) *hast.Program {
	again := func(q *hast.Pipeline, t *hast.Traverse, would func() *hast.Pipeline) bool {
		return t.Apart > 0 && apart(q, t, would)
	}
	return Rewritten(Rewritten(p, Refuse, Apart, apart), Refuse, Apart, again)
}

// A Choice says whether a traverse of a pipeline is to have another form; it may look at what the pipeline would be.
type Choice = func(p *hast.Pipeline, t *hast.Traverse, would func() *hast.Pipeline) bool

// Rewritten is p with those traverses in another form of which chosen, asked where refuse has nothing to say, says so. It does not change p.
func Rewritten(p *hast.Program, refuse func(*hast.Pipeline, *hast.Traverse) string, form func(*hast.Pipeline, *hast.Traverse) *hast.Pipeline, chosen Choice) *hast.Program {
	out := *p
	out.Pipelines = nil
	for _, q := range p.Pipelines {
		for _, t := range Traverses(q) {
			from := q
			would := sync.OnceValue(func() *hast.Pipeline { return form(from, t) })
			if refuse(q, t) == "" && chosen(q, t, would) {
				q = would()
			}
		}
		out.Pipelines = append(out.Pipelines, q)
	}
	return &out
}

// Traverses are those of a pipeline that are in no other one, in the order of the text.
func Traverses(p *hast.Pipeline) (list []*hast.Traverse) {
	var look func(steps []hast.Step)
	look = func(steps []hast.Step) {
		for _, s := range steps {
			if t, ok := s.(*hast.Traverse); ok {
				list = append(list, t)
				continue
			}
			for _, body := range hast.StepBodies(s) {
				look(body)
			}
		}
	}
	look(p.Steps)
	return list
}

// Apart is a pipeline with the finest level of a traverse by itself, for which Refuse has nothing to say.
func Apart(p *hast.Pipeline, t *hast.Traverse) *hast.Pipeline {
	a := newApart(p, t)
	a.out.Steps = a.cloner(outside, 0).steps(p.Steps)
	if t.Apart == 0 {
		a.out.Counted = append(slices.Clone(p.Counted), &hast.Counted{Name: t.Names[0], Levels: t.Levels})
	}
	a.out.Images, a.out.Pyramids = a.images(p.Images), nil
	for _, f := range p.Pyramids {
		if f.Own() == t.Levels {
			f = a.coarser[f]
		}
		a.out.Pyramids = append(a.out.Pyramids, f)
	}
	return a.out
}

// An apart is a traverse whose finest level is taken apart.
type apart struct {
	out      *hast.Pipeline
	traverse *hast.Traverse
	levels   *hast.Levels                    // from the second one on, which is its finest
	coarser  map[*hast.Pyramid]*hast.Pyramid // the pyramids without their finest level
	finest   map[*hast.Pyramid]*hast.Image   // which is an image,
	alone    map[*hast.Pyramid]*hast.Image   // and another one where there are no other levels, so that each is written in one place
	twins    map[*hast.Image]*hast.Image     // of other images that are written where there are no other levels, for the same reason
	named    map[named]*hast.Image
	order    []*hast.Image   // the new images
	names    map[string]bool // of stages
	stays    map[string]bool // of stages of the traverse that is left
}

// named is a level of a pyramid as steps name it: by its number, or by its distance from the level at hand.
type named struct {
	family *hast.Pyramid
	level  int64
	atHand bool
}

// A place is where a step is carried out, which says what the level at hand is there.
type place int

const (
	outside place = iota // of the traverse: no level is at hand
	first                // at the finest level
	second               // one level coarser, for what only looks down there
	rest                 // in the traverse that is left, at all other levels
)

func newApart(p *hast.Pipeline, t *hast.Traverse) *apart {
	out := *p
	a := &apart{
		out: &out, traverse: t, levels: coarserLevels(t.Levels), coarser: map[*hast.Pyramid]*hast.Pyramid{}, finest: map[*hast.Pyramid]*hast.Image{},
		alone: map[*hast.Pyramid]*hast.Image{},
		named: map[named]*hast.Image{}, names: map[string]bool{}, stays: map[string]bool{},
	}
	for _, f := range p.Pyramids {
		if f.Own() == t.Levels {
			a.split(f)
		}
	}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			a.names[s.Name] = true
		}
	})
	return a
}

// free is a name for a stage that none has.
func (a *apart) free(name string) string {
	for k := 2; a.names[name]; k++ {
		name = fmt.Sprintf("%s_%d", name, k)
	}
	a.names[name] = true
	return name
}

// coarserLevels counts the levels of l but the finest: one where l has no other, which nobody goes to then.
func coarserLevels(l *hast.Levels) *hast.Levels {
	out := &hast.Levels{Level: again(l.Level), Count: Folded(hast.Binary(ops.Max, hast.Binary(ops.Sub, l.Count, hast.Int(1)), hast.Int(1))), At: l.At}
	for _, s := range l.Scaled {
		x := &hast.Scaled{Var: again(s.Var), Finest: halved(s), Factor: s.Factor}
		for _, v := range s.Finer {
			x.Finer = append(x.Finer, again(v))
		}
		out.Scaled = append(out.Scaled, x)
	}
	return out
}

// withFiner is the number of levels with the next finer one, of what coarserLevels made of it.
func withFiner(count hast.Expr) hast.Expr {
	if number, ok := hast.Number(count); ok {
		return hast.Int(number + 1)
	}
	return count.(*hast.Op).Args[0].(*hast.Op).Args[0]
}

// halved is what an extent is at the second level, as sema writes it.
func halved(s *hast.Scaled) hast.Expr {
	return Folded(hast.Binary(ops.Div, hast.Binary(ops.Add, s.Finest, hast.Int(s.Factor-1)), hast.Int(s.Factor)))
}

// split makes an image of the finest level of a pyramid, and a pyramid of the others.
func (a *apart) split(f *hast.Pyramid) {
	one := a.cloner(first, 0)
	m := &hast.Image{Name: f.Name, Dir: hast.Local, Elem: f.Elem, Lower: f.Lower, Zero: f.Zero, At: f.At}
	if slices.Contains(a.traverse.Names, f.Name) {
		m.Name += "[0]" // other pyramids are images that are declared at each level
	}
	if named := a.namedFinest(f); named != nil { // what extents of finer levels are is known to it alone
		m.Extent = named.Extent
	} else {
		for _, x := range f.Extent {
			m.Extent = append(m.Extent, one.host(x))
		}
	}
	single := *m
	a.finest[f], a.alone[f] = m, &single
	others := *f
	others.Over, others.Extent = []*hast.Levels{a.levels}, nil
	two := a.cloner(rest, 0)
	for _, x := range f.Extent {
		others.Extent = append(others.Extent, two.host(x))
	}
	if f.Used != nil {
		others.Used = two.host(f.Used)
	}
	a.coarser[f] = &others
}

// namedFinest is an image that names the finest level of a pyramid by its number; nil where there is none. Nothing else names a finest level whose
// extents are those of a finer one: that of a pyramid whose own finest level is by itself already.
func (a *apart) namedFinest(f *hast.Pyramid) *hast.Image {
	for _, m := range a.out.Images {
		if m.Of == f && m.View == nil && hast.LevelOf(m.Index) == (hast.LevelNumber{}) {
			return m
		}
	}
	return nil
}

// values are what the variables of the traverse's levels are at a place.
func (a *apart) values(at place) map[*hast.Var]hast.Expr {
	l, to := a.traverse.Levels, map[*hast.Var]hast.Expr{}
	switch at {
	case first:
		to[l.Level] = hast.Int(0)
		for _, s := range l.Scaled {
			to[s.Var] = s.Finest
		}
	case second:
		to[l.Level] = hast.Int(1)
		for _, s := range l.Scaled {
			to[s.Var] = halved(s)
			if len(s.Finer) > 0 {
				to[s.Finer[0]] = s.Finest
			}
		}
	case rest:
		to[l.Level] = hast.Binary(ops.Add, hast.RefTo(a.levels.Level), hast.Int(1))
		for i, s := range l.Scaled {
			to[s.Var] = hast.RefTo(a.levels.Scaled[i].Var)
			for k, v := range s.Finer {
				to[v] = hast.RefTo(a.levels.Scaled[i].Finer[k])
			}
		}
	}
	return to
}

// image is what an image is at the place: levels of the traverse's pyramids are others there.
func (c *cloner) image(m *hast.Image) *hast.Image {
	if twin := c.twins[m]; twin != nil && c.levels == 1 {
		return c.ordered(twin)
	}
	if m.Of == nil || m.Of.Own() != c.traverse.Levels {
		return m
	}
	n := hast.LevelOf(m.Index)
	key := named{family: m.Of, level: n.Plus, atHand: c.at == rest && n.At != nil}
	if c.at == second && n.At != nil {
		key.level++
	}
	switch {
	case key.atHand || key.level != 0:
	case c.levels == 1:
		return c.ordered(c.alone[m.Of])
	default:
		return c.ordered(c.finest[m.Of])
	}
	if c.named[key] == nil {
		c.named[key] = c.level(m, key)
	}
	return c.ordered(c.named[key])
}

// level is an image of a pyramid without its finest level. One is less than what it was there; the level at hand counts from the second one on, too.
func (c *cloner) level(m *hast.Image, key named) *hast.Image {
	out := *m
	out.Of, out.Extent = c.coarser[m.Of], nil
	for _, x := range m.Extent {
		out.Extent = append(out.Extent, c.host(x))
	}
	switch {
	case !key.atHand:
		out.Index = hast.Int(key.level - 1)
		if slices.Contains(c.traverse.Names, m.Of.Name) {
			out.Name = fmt.Sprintf("%s[%d]", m.Of.Name, key.level)
		}
	default:
		out.Index = hast.Plus(hast.RefTo(c.apart.levels.Level), key.level)
	}
	return &out
}

// ordered is an image, which is one of the pipeline's since it is named.
func (a *apart) ordered(m *hast.Image) *hast.Image {
	if !slices.Contains(a.order, m) {
		a.order = append(a.order, m)
	}
	return m
}

// images are those of the pipeline, the levels of the traverse's pyramids replaced by what they became.
func (a *apart) images(list []*hast.Image) (out []*hast.Image) {
	placed := false
	for _, m := range list {
		if m.Of == nil || m.Of.Own() != a.traverse.Levels {
			out = append(out, m)
		} else if !placed {
			out, placed = append(out, a.order...), true
		}
	}
	return out
}

func above(x, y hast.Expr) hast.Expr {
	return &hast.Op{Typed: hast.Typed{T: types.Scalar(types.Bool), At: x.Span()}, Op: ops.Gt, Args: []hast.Expr{x, y}}
}

// again is a variable of the same kind.
func again(v *hast.Var) *hast.Var {
	w := *v
	return &w
}
