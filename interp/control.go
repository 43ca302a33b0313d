package interp

import (
	"fmt"

	"imgc/hast"
	"imgc/source"
	"imgc/types"
)

// A host runs the steps of a pipeline.
type host struct {
	b       *Binding
	storage *storage
	workers int
	whiles  int   // that run, one in the other
	rounds  int64 // of all loops in a while together
}

// An outcome says how a list of steps ended.
type outcome uint8

const (
	ended outcome = iota // with its last step
	broke
	continued
)

// steps runs a list.
func (h *host) steps(list []hast.Step) (outcome, error) {
	for _, s := range list {
		if out, err := h.step(s); err != nil || out != ended {
			return out, err
		}
	}
	return ended, nil
}

func (h *host) step(s hast.Step) (outcome, error) {
	switch s := s.(type) {
	case *hast.Stage:
		return ended, h.b.runStage(s, h.storage, h.workers)
	case *hast.DefineHost:
		return ended, h.set(s.Var, s.Value, s.At)
	case *hast.SetScalar:
		if s.From != nil {
			return ended, nil // read at the end
		}
		return ended, h.set(s.Var, s.Value, s.At)
	case *hast.SetHost:
		return ended, h.set(s.Var, s.Value, s.At)
	case *hast.IfHost:
		holds, err := h.holds(s.Cond)
		if err != nil {
			return ended, err
		}
		if holds {
			return h.steps(s.Then)
		}
		return h.steps(s.Else)
	case *hast.ForHost:
		return ended, h.forLoop(s)
	case *hast.WhileHost:
		return ended, h.whileLoop(s)
	case *hast.BreakHost:
		return broke, nil
	case *hast.ContinueHost:
		return continued, nil
	case *hast.Fetch:
		return ended, h.fetch(s)
	case *hast.Fresh:
		return ended, h.fresh(s)
	case *hast.DefineView:
		return ended, h.define(s)
	case *hast.Swap:
		return ended, h.swap(s)
	case *hast.Traverse:
		return ended, h.traverse(s)
	case *hast.Descend:
		return ended, h.descend(s)
	case *hast.FreshPyramid:
		h.freshPyramid(s.Pyramid)
		return ended, nil
	case *hast.SwapPyramids:
		h.swapPyramids(s)
		return ended, nil
	}
	return ended, &Error{Pipeline: h.b.pipeline.Name, Message: fmt.Sprintf("the interpreter does not know the step %T", s), At: s.Span(), Internal: true}
}

func (h *host) set(v *hast.Var, value hast.Expr, at source.Span) (err error) {
	defer guard(h.b.pipeline.Name, at, &err)
	h.b.values[v], err = h.b.hostWords(value, v.Name, at)
	return err
}

func (h *host) holds(cond hast.Expr) (holds bool, err error) {
	defer guard(h.b.pipeline.Name, cond.Span(), &err)
	words, err := h.b.hostWords(cond, "a condition", cond.Span())
	if err != nil {
		return false, err
	}
	return words[0].Truth(), nil
}

func (h *host) forLoop(s *hast.ForHost) error {
	t, err := h.bounds(s)
	if err != nil {
		return err
	}
	for i := range t.Count {
		if err := h.round(s.At); err != nil {
			return err
		}
		h.b.values[s.Var] = []types.Word{types.Int(t.From + i*t.Step)}
		if out, err := h.steps(s.Body); err != nil || out == broke {
			return err
		}
	}
	return nil
}

func (h *host) bounds(s *hast.ForHost) (t Trips, err error) {
	defer guard(h.b.pipeline.Name, s.At, &err)
	return h.b.trips(s.Range, s.Var.Name, s.At)
}

func (h *host) whileLoop(s *hast.WhileHost) error {
	h.whiles++
	defer func() { h.whiles-- }()
	for {
		if holds, err := h.holds(s.Cond); err != nil || !holds {
			return err
		}
		if err := h.round(s.At); err != nil {
			return err
		}
		if out, err := h.steps(s.Body); err != nil || out == broke {
			return err
		}
	}
}

// round counts one round of a loop, where a while runs.
func (h *host) round(at source.Span) error {
	if err := stopped(h.b.limit.ctx); err != nil {
		return err
	}
	if h.whiles == 0 {
		return nil
	}
	if h.rounds++; h.rounds > h.b.limit.rounds {
		return h.b.failf(at, "this loop does not seem to end: the pipeline has made %d rounds, the most that are allowed unless told otherwise", h.b.limit.rounds)
	}
	return nil
}

// fresh gives an image that was declared again its first contents.
func (h *host) fresh(s *hast.Fresh) (err error) {
	defer guard(h.b.pipeline.Name, s.At, &err)
	h.storage.set(s.Image, newRaster(s.Image, h.b.extentNow(s.Image)))
	return nil
}

func (h *host) swap(s *hast.Swap) (err error) {
	defer guard(h.b.pipeline.Name, s.At, &err)
	a, b := h.storage.of(s.A), h.storage.of(s.B)
	h.storage.set(s.A, b)
	h.storage.set(s.B, a)
	return nil
}

// knows reports whether every variable of a host expression has its value before the first step.
func (b *Binding) knows(e hast.Expr) bool {
	known := true
	hast.Walk(e, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			_, bound := b.values[r.Var]
			known = known && bound && r.Var.Class != hast.HostMutable
		}
	})
	return known
}

// fetch takes what the one pixel of an image holds.
func (h *host) fetch(s *hast.Fetch) (err error) {
	defer guard(h.b.pipeline.Name, s.At, &err)
	h.b.values[s.Var] = h.b.pixel(h.storage.of(s.From))
	return nil
}
