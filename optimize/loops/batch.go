package loops

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A loop that runs until nothing changes, as hysteresis, labels that spread and reconstruction do, has the host wait for the device in each round, which
// takes as long as a round of a small image. A round in which nothing has changed leaves everything as it was, and so do all behind it. So the host can ask
// after one round, two more, four more and so on: rounds behind the last one do nothing, and are less than half of all.

// mostBatch bounds the rounds between two questions: as many may be in vain.
const mostBatch = 8

// Batched is the program with loops that run until nothing changes asking every few rounds, in the pipelines that are chosen.
func Batched(p *hast.Program, chosen func(pipeline string) bool) *hast.Program {
	out := *p
	out.Pipelines = make([]*hast.Pipeline, len(p.Pipelines))
	for i, q := range p.Pipelines {
		out.Pipelines[i] = q
		if chosen(q.Name) {
			one := *q
			one.Steps = batched(q.Steps, func(m *hast.Image) { one.Images = append(slices.Clone(one.Images), m) })
			out.Pipelines[i] = &one
		}
	}
	return &out
}

// batched are steps with such loops in batches, for which add takes images that are new.
func batched(list []hast.Step, add func(*hast.Image)) []hast.Step {
	return hast.MapSteps(list, func(s hast.Step) []hast.Step {
		loop, ok := s.(*hast.WhileHost)
		if !ok {
			return nil
		}
		x := settlingOf(loop)
		if x == nil {
			return nil
		}
		steps, flags := x.inBatches()
		add(flags)
		return steps
	})
}

// A settling loop asks for a flag, and in each round computes an image anew from another one, raises the flag where a pixel changes, and exchanges the two.
type settling struct {
	loop  *hast.WhileHost
	fetch *hast.Fetch
	leave *hast.IfHost // the loop unless the flag is up
	reset *hast.Stage  // of the flag
	stage *hast.Stage
	swap  *hast.Swap
}

// settlingOf is what a loop is that settles; nil of others.
func settlingOf(loop *hast.WhileHost) *settling {
	if len(loop.Body) != 5 {
		return nil
	}
	x := &settling{loop: loop}
	var is [5]bool
	x.fetch, is[0] = loop.Body[0].(*hast.Fetch)
	x.leave, is[1] = loop.Body[1].(*hast.IfHost)
	x.reset, is[2] = loop.Body[2].(*hast.Stage)
	x.stage, is[3] = loop.Body[3].(*hast.Stage)
	x.swap, is[4] = loop.Body[4].(*hast.Swap)
	if slices.Contains(is[:], false) || !x.asks() || !x.resets(x.reset) || !x.keeps() {
		return nil
	}
	return x
}

// asks reports whether the loop ends where the flag, and nothing else, says so.
func (x *settling) asks() bool {
	if !always(x.loop.Cond, true) || !hast.IsVar(x.leave.Cond, x.fetch.Var) || len(x.leave.Then) > 0 || len(x.leave.Else) != 1 {
		return false
	}
	_, ok := x.leave.Else[0].(*hast.BreakHost)
	return ok
}

// resets reports whether a stage lowers the flag, and does no more.
func (x *settling) resets(s *hast.Stage) bool {
	if len(s.Body) != 1 || s.Where != nil {
		return false
	}
	st, ok := s.Body[0].(*hast.Store)
	if !ok || st.Image != x.fetch.From || st.Updates() {
		return false
	}
	return always(st.Value, false)
}

// always reports whether a condition is a constant one.
func always(e hast.Expr, value bool) bool {
	c, ok := e.(*hast.Const)
	return ok && c.T == types.Scalar(types.Bool) && (c.Words[0] != 0) == value
}

// keeps reports whether a round that leaves the flag down computes an image of the pixels of the one that it is exchanged with.
func (x *settling) keeps() bool {
	s := x.stage
	if s.Where != nil || s.Scan != nil || len(s.Fused) > 0 || s.Loads(x.fetch.From) {
		return false
	}
	var pixel, flag *hast.Store
	count := 0
	hast.EachStore(s.Body, func(st *hast.Store) {
		count++
		if st.Image == x.fetch.From {
			flag = st
		} else {
			pixel = st
		}
	})
	if count != 2 || pixel == nil || flag == nil || pixel.Updates() || pixel.Skip || flag.Op != ops.LOr || !s.Fills(pixel) ||
		!slices.Contains(s.Body, hast.Stmt(pixel)) || !slices.Contains(s.Body, hast.Stmt(flag)) {
		return false
	}
	from := x.partner(pixel.Image)
	if from == nil || s.Loads(pixel.Image) {
		return false
	}
	if !unchangedBetween(s.Body, pixel, flag) {
		return false
	}
	lets := lasting(s.Body)
	own := func(e hast.Expr) bool { return ownPixel(whatIs(e, lets), from, pixel) }
	same := func(a, b hast.Expr) bool { return hast.Equal(a, b) || hast.Equal(whatIs(a, lets), whatIs(b, lets)) }
	if c, ok := whatIs(pixel.Value, lets).(*hast.Select); ok && same(c.Cond, flag.Value) {
		return own(c.Else)
	}
	c, ok := whatIs(flag.Value, lets).(*hast.Op)
	if !ok || c.Op != ops.Ne || !c.Args[0].Type().Kind.IsInt() { // floats that are equal may differ by a sign
		return false
	}
	return own(c.Args[0]) && same(c.Args[1], pixel.Value) || own(c.Args[1]) && same(c.Args[0], pixel.Value)
}

// unchangedBetween reports whether nothing changes between two statements of a body that an expression in both could read.
func unchangedBetween(body []hast.Stmt, a, b hast.Stmt) bool {
	i, k := slices.Index(body, a), slices.Index(body, b)
	return !slices.ContainsFunc(body[min(i, k)+1:max(i, k)], func(st hast.Stmt) bool {
		_, ok := st.(*hast.Define)
		return !ok
	})
}

// lasting are the lets of a body whose values are the same wherever they are computed.
func lasting(body []hast.Stmt) map[*hast.Var]hast.Expr {
	lets := map[*hast.Var]hast.Expr{}
	for _, st := range body {
		d, ok := st.(*hast.Define)
		if !ok || d.Var.Class != hast.Value || d.Init == nil {
			continue
		}
		varies := false
		hast.Walk(d.Init, func(e hast.Expr) {
			r, ok := e.(*hast.Ref)
			varies = varies || ok && r.Var.Class == hast.Mutable
		})
		if !varies {
			lets[d.Var] = d.Init
		}
	}
	return lets
}

// partner is the image that one is exchanged with; nil where it is none of the two.
func (x *settling) partner(m *hast.Image) *hast.Image {
	switch m {
	case x.swap.A:
		return x.swap.B
	case x.swap.B:
		return x.swap.A
	}
	return nil
}

// whatIs is what a let stands for, without conversions that keep all values.
func whatIs(e hast.Expr, lets map[*hast.Var]hast.Expr) hast.Expr {
	for {
		switch x := e.(type) {
		case *hast.Ref:
			if lets[x.Var] == nil {
				return e
			}
			e = lets[x.Var]
		case *hast.Convert:
			if !widens(x) {
				return e
			}
			e = x.X
		default:
			return e
		}
	}
}

// widens reports whether a conversion of integers keeps all values.
func widens(c *hast.Convert) bool {
	from, to := c.X.Type(), c.T
	return c.How == hast.Wrap && from.IsScalar() && from.Kind.IsInt() && to.Kind.IsInt() && to.Kind.Bits() > from.Kind.Bits() && (to.Kind.IsSigned() || !from.Kind.IsSigned())
}

// ownPixel reports whether an expression reads the pixel that a store writes, in another image.
func ownPixel(e hast.Expr, m *hast.Image, st *hast.Store) bool {
	l, ok := e.(*hast.Load)
	if !ok || l.Image != m {
		return false
	}
	for axis, c := range l.Index {
		if !hast.Equal(c.X, st.Index[axis]) {
			return false
		}
	}
	return true
}

// inBatches are the steps that take the loop's place, with an image of a flag for each round, which those behind it look at: what the host asks for is that of the last one.
func (x *settling) inBatches() (list []hast.Step, flags *hast.Image) {
	i32, at := types.Scalar(types.I32), x.loop.At
	flags = &hast.Image{Name: x.fetch.From.Name + "_rounds", Dir: hast.Local, Elem: x.fetch.From.Elem, Extent: []hast.Expr{hast.Int(mostBatch)}, Zero: true, At: at}
	several := &hast.Var{Name: "rounds", Type: i32, Class: hast.HostMutable, At: at}
	round := &hast.Var{Name: "round", Type: i32, Class: hast.HostLoop, At: at}
	all := &hast.ForHost{Var: round, Range: hast.Range{Lo: hast.Int(0), Hi: hast.RefTo(several), Step: 1}, Body: []hast.Step{x.flagging(flags, round), x.swap}, Settles: flags, At: at}
	double := hast.Binary(ops.Min, hast.Binary(ops.Add, hast.RefTo(several), hast.RefTo(several)), hast.Int(mostBatch))
	loop := *x.loop
	loop.Body = []hast.Step{x.fetch, x.leave, all, x.lowering(flags, several), &hast.SetHost{Var: several, Value: double, At: at}}
	return []hast.Step{&hast.DefineHost{Var: several, Value: hast.Int(1), At: at}, &loop}, flags
}

// flagging is the stage as it raises the flag of its round.
func (x *settling) flagging(flags *hast.Image, round *hast.Var) *hast.Stage {
	out := *x.stage
	out.Body = nil
	for _, st := range x.stage.Body {
		if s, ok := st.(*hast.Store); ok && s.Image == x.fetch.From {
			own := *s
			own.Image, own.Index = flags, []hast.Expr{hast.RefTo(round)}
			st = &own
		}
		out.Body = append(out.Body, st)
	}
	return &out
}

// lowering is the stage that hands on the flag of the last round, and lowers all of them.
func (x *settling) lowering(flags *hast.Image, rounds *hast.Var) *hast.Stage {
	out := *x.reset
	st := *x.reset.Body[0].(*hast.Store)
	last := hast.Plus(hast.RefTo(rounds), -1)
	st.Value = &hast.Load{Typed: hast.Typed{T: flags.Elem, At: st.At}, Image: flags, Index: []hast.Coord{{X: last}}}
	out.Body = []hast.Stmt{&st}
	for k := range int64(mostBatch) {
		out.Body = append(out.Body, &hast.Store{Image: flags, Index: []hast.Expr{hast.Int(k)}, Value: x.reset.Body[0].(*hast.Store).Value, At: st.At})
	}
	return &out
}
