package interp

import (
	"imgc/hast"
	"imgc/source"
	"imgc/types"
)

// A control says how a statement ended.
type control uint8

const (
	next  control = iota // went on to the next statement
	again                // continue
	leave                // break
	back                 // return
)

type stmtFn = func(*frame) control

// over compiles a loop that runs body for each point of s in order. It ends early where body ends in leave or back, and with
// that control.
func (c *compiler) over(s hast.Space, where source.Span, body stmtFn) stmtFn {
	if s.Points != nil {
		return c.overPoints(s, body)
	}
	if len(s.Vars) != len(s.Ranges) {
		throw(where, "%d variables over %d ranges", len(s.Vars), len(s.Ranges))
	}
	bounds := make([]action, 0, 2*len(s.Ranges))
	run := body
	for k := len(s.Ranges) - 1; k >= 0; k-- {
		lo, hi := c.reserve(1), c.reserve(1)
		bounds = append(bounds, c.store(s.Ranges[k].Lo, lo), c.store(s.Ranges[k].Hi, hi))
		run = loop(c.slot(s.Vars[k]), lo, hi, s.Ranges[k].Step, at(where), run)
	}
	return func(fr *frame) control {
		for _, f := range bounds {
			f(fr)
		}
		return run(fr)
	}
}

// loop runs a variable from w[lo] to w[hi]. The variable is counted in 64 bits, so that it never meets a bound at the end
// of i32.
func loop(slot, lo, hi int, step int64, where *source.Span, body stmtFn) stmtFn {
	return func(fr *frame) control {
		t := tripsOf(fr.w[lo].Int(), fr.w[hi].Int(), step)
		v := t.From
		for range t.Count {
			fr.step(where)
			fr.w[slot] = types.Int(v)
			if how := body(fr); how >= leave {
				return how
			}
			v += step
		}
		return next
	}
}

func (c *compiler) overPoints(s hast.Space, body stmtFn) stmtFn {
	slots := make([]int, len(s.Vars))
	for i, v := range s.Vars {
		slots[i] = c.slot(v)
	}
	return func(fr *frame) control {
		for _, point := range s.Points {
			for i, slot := range slots {
				fr.w[slot] = types.Int(point[i])
			}
			if how := body(fr); how >= leave {
				return how
			}
		}
		return next
	}
}

// The unrolling of reductions: a point's coordinates become constants, so that coefficients and neighbours are found when
// the code is made. Larger spaces are loops.
const (
	maxPoints   = 1024
	maxUnrolled = 1 << 16 // nodes of one stage
)

// unroll lists the points of s, if these are few and known and the code per point has the given number of nodes.
func (c *compiler) unroll(s hast.Space, nodes int) ([][]int64, bool) {
	points, ok := s.Points, true
	if points == nil {
		points, ok = c.constantPoints(s)
	}
	if !ok || len(points) > maxPoints || c.unrolled+len(points)*nodes > maxUnrolled {
		return nil, false
	}
	c.unrolled += len(points) * nodes
	return points, true
}

// constantPoints lists the points of ranges with constant bounds, unless these are many.
func (c *compiler) constantPoints(s hast.Space) ([][]int64, bool) {
	points := [][]int64{{}}
	for _, r := range s.Ranges {
		lo, okLo := c.constantIndex(r.Lo)
		hi, okHi := c.constantIndex(r.Hi)
		if !okLo || !okHi {
			return nil, false
		}
		t := tripsOf(lo, hi, r.Step)
		if t.Count > maxPoints || int64(len(points))*t.Count > maxPoints {
			return nil, false
		}
		var longer [][]int64
		for _, p := range points {
			for i := range t.Count {
				longer = append(longer, append(p[:len(p):len(p)], t.From+i*t.Step))
			}
		}
		points = longer
	}
	return points, true
}

// atPoint compiles something with the variables of s as constants.
func (c *compiler) atPoint(s hast.Space, point []int64, compile func()) {
	for i, v := range s.Vars {
		c.constants[v] = point[i]
	}
	compile()
	for _, v := range s.Vars {
		delete(c.constants, v)
	}
}
