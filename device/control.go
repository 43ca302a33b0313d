package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"imgc/kir"
	"imgc/source"
	"imgc/types"
)

// A player runs the steps of a plan: it evaluates what the host computes and enqueues the launches as it gets to them. It waits
// for them only where the host needs a value that they compute.
type player struct {
	program  *Program
	ctx      context.Context
	call     *call
	mem      *memory // which storage each image has now
	layout   Layout
	launched int
	whiles   int   // that run, one in the other
	rounds   int64 // of all loops in a while together
}

// An outcome says how a list of steps ended.
type outcome uint8

const (
	ended outcome = iota // with its last step
	broke
	continued
)

// play runs a plan once, from the storage that every image has at first. It returns in which storage each image is then, and
// how many kernels were launched.
func (p *Program) play(ctx context.Context, c *call, mem *memory, l Layout) (*memory, int, error) {
	run := &player{program: p, ctx: ctx, call: c, mem: &memory{maps.Clone(mem.images), mem.cloneLevels()}, layout: l}
	for m, b := range run.mem.images {
		c.place(m, b)
	}
	_, err := run.steps(c.plan.Steps)
	return run.mem, run.launched, err
}

func (p *player) steps(list []kir.Step) (outcome, error) {
	for _, s := range list {
		if out, err := p.step(s); err != nil || out != ended {
			return out, err
		}
	}
	return ended, nil
}

func (p *player) step(s kir.Step) (outcome, error) {
	switch s := s.(type) {
	case *kir.Launch:
		return ended, p.launch(s)
	case *kir.Let:
		if err := p.mem.locate(p.call, s.Value); err != nil {
			return ended, err
		}
		return ended, p.set(s.Var, s.Value, false)
	case *kir.SetScalar:
		if s.From != nil {
			return ended, nil // read at the end
		}
		return ended, p.set(s.Var, s.Value, false)
	case *kir.SetHost:
		return ended, p.setAt(s.Var, s.Value, s.Narrow, cmp.Or(s.At, s.Var.At))
	case *kir.IfHost:
		holds, err := p.holds(s.Cond)
		if err != nil {
			return ended, err
		}
		if holds {
			return p.steps(s.Then)
		}
		return p.steps(s.Else)
	case *kir.ForHost:
		return ended, p.forLoop(s)
	case *kir.WhileHost:
		return ended, p.whileLoop(s)
	case *kir.BreakHost:
		return broke, nil
	case *kir.ContinueHost:
		return continued, nil
	case *kir.Fetch:
		return ended, p.fetch(s)
	case *kir.Clear:
		return ended, p.clear(s.Image)
	case *kir.Swap:
		return ended, p.swap(s.A, s.B)
	case *kir.Traverse:
		return ended, p.traverse(s)
	case *kir.Descend:
		return ended, p.descend(s)
	case *kir.Resize:
		return ended, p.resize(s.Image)
	case *kir.ClearPyramid:
		return ended, p.clearPyramid(s.Pyramid)
	case *kir.SwapPyramids:
		p.swapPyramids(s.A, s.B)
		return ended, nil
	}
	return ended, fmt.Errorf("%w: a step of type %T", ErrInternal, s)
}

func (p *player) launch(s *kir.Launch) error {
	if err := stopped(p.ctx); err != nil {
		return err
	}
	l, err := p.program.launch(p.call, p.mem, s)
	if err != nil || l == nil {
		return err
	}
	if err := p.program.device.context.Launch(l.kernel, l.over, l.args...); err != nil {
		if l.at.IsValid() {
			return fmt.Errorf("%s: %w", l.at, err)
		}
		return err
	}
	p.launched++
	return nil
}

// set gives a host variable its value. One that stands for an i32 has to fit it.
func (p *player) set(v *kir.Var, value kir.Expr, narrow bool) error {
	return p.setAt(v, value, narrow, v.At)
}

// setAt is set by what stands somewhere in the program.
func (p *player) setAt(v *kir.Var, value kir.Expr, narrow bool, at source.Span) error {
	x, err := p.call.eval(value, at)
	if err != nil {
		return err
	}
	if narrow {
		if err := p.call.fits32(v.Name, value, x.Words[0].Int(), at); err != nil {
			return err
		}
	}
	p.call.values[v] = x
	return nil
}

// fits32 refuses a host value that an i32 cannot hold.
func (c *call) fits32(what string, e kir.Expr, n int64, at source.Span) error {
	if n < math.MinInt32 || n > math.MaxInt32 {
		return c.failf(at, "%s is %s = %d%s, which does not fit an i32", what, kir.HostText(e, nil), n, c.because(e))
	}
	return nil
}

// fetch waits for a value that the device computes.
func (p *player) fetch(s *kir.Fetch) error {
	if err := stopped(p.ctx); err != nil {
		return err
	}
	v, err := p.mem.pixel(p.call, s.From)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Var.Name, err)
	}
	v.Type = s.Var.Type // an i32 is held as an i64
	p.call.values[s.Var] = v
	return nil
}

func (p *player) holds(cond kir.Expr) (bool, error) {
	if err := p.mem.locate(p.call, cond); err != nil {
		return false, err
	}
	v, err := p.call.eval(cond, p.call.plan.At)
	if err != nil {
		return false, err
	}
	return v.Words[0].Truth(), nil
}

func (p *player) forLoop(s *kir.ForHost) error {
	lo, err := p.bound("the start of ", s.Lo, s.Var)
	if err != nil {
		return err
	}
	hi, err := p.bound("the end of ", s.Hi, s.Var)
	if err != nil {
		return err
	}
	for i := lo; s.Step > 0 && i < hi || s.Step < 0 && i > hi; i += s.Step {
		if err := p.round(s.Var.At); err != nil {
			return err
		}
		p.call.values[s.Var] = types.Of(types.I64, types.Int(i))
		if out, err := p.steps(s.Body); err != nil || out == broke {
			return err
		}
	}
	return nil
}

func (p *player) bound(what string, e kir.Expr, v *kir.Var) (int64, error) {
	n, err := p.call.integer(e, v.At)
	if err != nil {
		return 0, err
	}
	return n, p.call.fits32(what+v.Name, e, n, v.At)
}

func (p *player) whileLoop(s *kir.WhileHost) error {
	p.whiles++
	defer func() { p.whiles-- }()
	for {
		if holds, err := p.holds(s.Cond); err != nil || !holds {
			return err
		}
		if err := p.round(p.call.plan.At); err != nil {
			return err
		}
		if out, err := p.steps(s.Body); err != nil || out == broke {
			return err
		}
	}
}

// round counts one round of a loop, where a while runs.
func (p *player) round(at source.Span) error {
	if err := stopped(p.ctx); err != nil {
		return err
	}
	if p.whiles == 0 {
		return nil
	}
	limit := p.program.device.rounds
	if limit == 0 {
		limit = DefaultRounds
	}
	if p.rounds++; p.rounds > limit {
		return p.call.failf(at, "this loop does not seem to end: the pipeline has made %d rounds, the most that are allowed unless told otherwise", limit)
	}
	return nil
}

// swap exchanges the storage of two images.
func (p *player) swap(a, b *kir.Image) error {
	x, err := p.mem.of(p.call, a)
	if err != nil {
		return err
	}
	y, err := p.mem.of(p.call, b)
	if err != nil {
		return err
	}
	return errors.Join(p.mem.set(p.call, a, y), p.mem.set(p.call, b, x))
}

func (p *player) clear(m *kir.Image) error {
	b, err := p.mem.of(p.call, m)
	if err != nil {
		return err
	}
	return b.clear()
}

// knows reports whether every variable of a host expression has its value before the first step.
func (c *call) knows(e kir.Expr) bool {
	known := true
	kir.Walk(e, func(e kir.Expr) {
		if r, ok := e.(*kir.Ref); ok {
			_, has := c.values[r.Var]
			known = known && has
		}
	})
	return known
}
