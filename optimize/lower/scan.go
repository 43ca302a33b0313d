package lower

import (
	"imgc/hast"
	"imgc/kir"
)

// A scan runs its steps in loops of work-items. Where the lines along the scan are independent, each is one item; else one item
// runs all instances, step by step.

// across is the stage with the variables that work-items stand for.
func (k *kernelBuilder) across(s *hast.Stage) *hast.Stage {
	if s.Scan == nil {
		return s
	}
	out := *s
	out.Space = hast.Space{}
	for i := range s.Space.Vars {
		if s.Scan.Lines && i != s.Scan.Axis {
			out.Space.Vars = append(out.Space.Vars, s.Space.Vars[i])
			out.Space.Ranges = append(out.Space.Ranges, s.Space.Ranges[i])
		}
	}
	return &out
}

// steps runs inner for the variables that no work-item stands for: that of the scan outermost.
func (k *kernelBuilder) steps(s, across *hast.Stage, inner func()) {
	if s.Scan == nil {
		inner()
		return
	}
	order := []int{s.Scan.Axis}
	for i := range s.Space.Vars {
		if i != s.Scan.Axis && len(across.Space.Vars) == 0 {
			order = append(order, i)
		}
	}
	k.loops(s, order, inner)
}

// loops runs inner in loops over variables of a stage, the first outermost.
func (k *kernelBuilder) loops(s *hast.Stage, order []int, inner func()) {
	if len(order) == 0 {
		inner()
		return
	}
	b, v, r := k.body, s.Space.Vars[order[0]], s.Space.Ranges[order[0]]
	count := k.scalar(v.Name+"_count", i32T, k.count(r), interval{0, hast.MaxExtent})
	step := b.loopVar(v.Name+"_step", interval{0, hast.MaxExtent - 1})
	loop := &kir.For{Placed: b.placed(), Var: step, Lo: i32(0), Hi: count, Step: 1}
	if down := order[0] == s.Scan.Axis && s.Scan.Down; down == (r.Step > 0) && order[0] == s.Scan.Axis {
		loop.Lo, loop.Hi, loop.Step = sub(count, i32(1)), i32(-1), -1
	}
	loop.Body = b.inside(false, func() {
		k.iterator(v, r, ref(step))
		k.loops(s, order[1:], inner)
	})
	b.emit(loop)
}
