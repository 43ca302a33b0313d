package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/optimize/block"
)

// Where a step of a loop reads most of what the step before has read, as for the differences of a window and one that is moved by the loop's
// variable, several steps written out by the target's compiler load that once: a window of 5 x 5 is 25 loads, and 8 of them, each a column further on, are 60.
// Stereo matching of 16 displacements, 8192 x 8192, took 8.14 ms in CUDA on an H100, and 5.27 with four steps at once.

// mostSliding is how many points of a window are so few that several of them may be written out.
const mostSliding = 64

// sliding says what form a loop over a space takes, by the expressions in its body.
func (b *body) sliding(s hast.Space, inside func(visit func(hast.Expr))) kir.Rounds {
	if !b.opts.GPU || s.Points != nil || len(s.Vars) == 0 {
		return kir.AnyForm
	}
	last := len(s.Vars) - 1
	windows, few := b.windows(inside)
	scope := &block.Scope{Iterators: s.Vars[last:], Range: func(v *hast.Var) (int64, int64, bool) {
		r := windows[v] // what is neither the loop's nor a window's stands still
		return r.Lo, r.Hi, true
	}}
	slides := false
	inside(func(e hast.Expr) {
		l, ok := e.(*hast.Load)
		if !ok {
			return
		}
		for _, c := range l.Index {
			at, known := scope.Linear(c.X)
			slides = slides || known && at.Var != nil && at.Hi-at.Lo >= max(at.Stride*s.Ranges[last].Step, -at.Stride*s.Ranges[last].Step)
		}
	})
	if !slides || !few {
		return kir.AnyForm
	}
	return kir.Several
}

// windows are the values of the variables of reductions, and whether all of these are written out and have few points.
func (b *body) windows(inside func(visit func(hast.Expr))) (ranges map[*hast.Var]interval.Interval, few bool) {
	ranges, few = map[*hast.Var]interval.Interval{}, true
	total := 1
	inside(func(e hast.Expr) {
		r, ok := e.(*hast.Reduce)
		if !ok {
			return
		}
		points, written := b.points(r.Space)
		few = few && written
		total *= max(1, len(points))
		for _, p := range points {
			for k, v := range r.Space.Vars {
				at, seen := ranges[v]
				if !seen {
					at = nothing
				}
				ranges[v] = at.Join(interval.Point(p[k]))
			}
		}
	})
	return ranges, few && total <= mostSliding
}
