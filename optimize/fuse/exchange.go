package fuse

import (
	"slices"

	"imgc/hast"
)

// Exchange is a program whose loops of the host exchange two images where a round copies one to the other, and what the one held is not read again before it is written anew. That is
// how most programs that go on in rounds are written:
//
//	for (k in 0:n) {                              for (k in 0:n) {
//	    next = [... u ... for y, x];                  next = [... u ... for y, x];
//	    u = next;                                     swap(u, next);
//	}                                             }
//
// or with old = u at the beginning of a round that writes u from old. A copy takes as long as a short round, a swap nothing, and rounds in front of a swap may be done together (Rounds).
// Copies of which may is false stay, as those that a schedule speaks of.
func Exchange(p *hast.Program, may func(pipeline string, copy *hast.Stage) bool) *hast.Program {
	out := *p
	out.Pipelines = make([]*hast.Pipeline, len(p.Pipelines))
	for i, q := range p.Pipelines {
		out.Pipelines[i] = exchanged(q, func(s *hast.Stage) bool { return may(q.Name, s) })
	}
	return &out
}

// exchanged is a pipeline of it, one copy after the other: a swap reads what it exchanges, as far as those behind it can tell.
func exchanged(p *hast.Pipeline, may func(copy *hast.Stage) bool) *hast.Pipeline {
	for {
		x := exchangeIn(p, may)
		if x == nil {
			return p
		}
		out := *p
		out.Steps = hast.MapSteps(p.Steps, x.step)
		p = &out
	}
}

// An exchange is a copy in whose place a swap may stand.
type exchange struct {
	copy     *hast.Stage
	to, from *hast.Image
}

// exchangeIn is one in a loop of a pipeline; nil where there is none.
func exchangeIn(p *hast.Pipeline, may func(copy *hast.Stage) bool) (found *exchange) {
	eachPath(p.Steps, func(way path) {
		s, ok := way.step().(*hast.Stage)
		if !ok || found != nil || !way.inLoop() {
			return
		}
		if x := copied(s); x != nil && !viewed(p, x.to) && !viewed(p, x.from) && !clearedAnew(p, x.from) && may(s) && way.ends(x.from) {
			found = x
		}
	})
	return found
}

// copied is what a stage that does nothing but copy a whole image could exchange; nil for others. Swaps keep images whose pixels have an axis for components as they are declared, pixels of
// which are slower than vectors.
func copied(s *hast.Stage) *exchange {
	if s.Where != nil || s.Scan != nil || len(s.Fused) > 0 || len(s.Body) != 1 {
		return nil
	}
	st, ok := s.Body[0].(*hast.Store)
	if !ok || st.Updates() || st.Skip || !s.Fills(st) {
		return nil
	}
	l, ok := st.Value.(*hast.Load)
	if !ok || l.Image == st.Image || !swappable(l.Image) || !swappable(st.Image) || hasComponents(l.Image) {
		return nil
	}
	for k, c := range l.Index {
		if !hast.IsVar(c.X, s.Space.Vars[k]) {
			return nil
		}
	}
	if l.Image.Elem != st.Image.Elem || !slices.EqualFunc(l.Image.Extent, st.Image.Extent, hast.Equal) {
		return nil
	}
	return &exchange{copy: s, to: st.Image, from: l.Image}
}

// swappable reports whether a program could swap an image with others.
func swappable(m *hast.Image) bool {
	return m.Dir != hast.In && m.View == nil && m.Of == nil && m.Lower == nil && !m.Scalar
}

// hasComponents reports whether the last axis of an image may be that of the components of pixels.
func hasComponents(m *hast.Image) bool {
	n, ok := m.Extent[m.Rank()-1].(*hast.Const)
	return ok && n.Words[0].Int() <= 4
}

// clearedAnew reports whether an image is zeros again in each round.
func clearedAnew(p *hast.Pipeline, m *hast.Image) (found bool) {
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		f, ok := s.(*hast.Fresh)
		found = found || ok && f.Image == m && m.Zero
	})
	return found
}

// viewed reports whether an image has views, which show what it holds.
func viewed(p *hast.Pipeline, m *hast.Image) (found bool) {
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		v, ok := s.(*hast.DefineView)
		found = found || ok && v.Image.Base() == m
	})
	return found
}

// step is what a step becomes by the exchange; nil where it stays but for those inside.
func (x *exchange) step(s hast.Step) []hast.Step {
	switch s := s.(type) {
	case *hast.Stage:
		if s == x.copy {
			return []hast.Step{x.swap()}
		}
	case *hast.ForHost:
		if body := x.atEnd(s.Body); body != nil {
			loop := *s
			loop.Body = body
			return []hast.Step{&loop}
		}
	case *hast.WhileHost:
		if body := x.atEnd(s.Body); body != nil {
			loop := *s
			loop.Body = body
			return []hast.Step{&loop}
		}
	}
	return nil
}

func (x *exchange) swap() hast.Step { return &hast.Swap{A: x.to, B: x.from, At: x.copy.At} }

// atEnd is the body of a loop with the swap behind all else, where rounds that end by one are looked for: what stands behind the copy takes each of the two images for the other. It is nil where
// the copy is not in the body, or more than stages behind it.
func (x *exchange) atEnd(body []hast.Step) []hast.Step {
	k := slices.Index(body, hast.Step(x.copy))
	if k < 0 {
		return nil
	}
	out := slices.Clone(body[:k])
	other := map[*hast.Image]*hast.Image{x.to: x.from, x.from: x.to}
	for _, s := range body[k+1:] {
		s, ok := s.(*hast.Stage)
		if !ok {
			return nil
		}
		out = append(out, writing(reading(s, other), other))
	}
	return append(out, x.swap())
}
