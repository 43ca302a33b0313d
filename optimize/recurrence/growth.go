package recurrence

import (
	"math"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A chunk's map is applied to a state that came out of rounding, and is rounded itself. Where it makes much of a unit state, be it
// only on the way through the chunk, small errors become large ones: x[i] = 2 x[i-1] - 1 stays at 1, but 2^32 - (2^32 - 1) need not
// be 1 in f32. Where numbers leave the kind, infinity less infinity or 0 times infinity is NaN, and what has become 0 does not grow
// again. Such chunks are run step by step from their state. So a float of a parallel scan lies no farther from the sequential one than
// growthLimit times what the sequential one's own roundings may add up to.
//
// What a unit state has shrunk to is held at the limit tiny, since numbers below the normal ones are slow on many devices, and is
// forgotten in the end: it is less than any rounding of what it would be added to, seen from the largest pixel of the line.

// growthLimit bounds each component that a unit state may grow to within a chunk.
const growthLimit = 64

// limits of a float kind.
type limits struct {
	largest  float64 // finite number
	tiny     float64 // what unit states do not fall below
	nothing  float64 // what counts as 0 in the end
	regained float64 // where a unit state that has been tiny must not be in the end
}

func limitsOf(k types.Kind) limits {
	if k == types.F64 {
		return limits{math.MaxFloat64, 0x1p-900, 0x1p-890, 0x1p-800}
	}
	return limits{math.MaxFloat32, 0x1p-100, 0x1p-90, 0x1p-60}
}

// rounds reports whether the state's chunks have to be looked at before their maps are used.
func (st *state) rounds() bool {
	return st.elem().Kind.IsFloat() && st.op != ops.Min && st.op != ops.Max
}

// linear reports whether the state's chunks are maps by products and sums.
func (st *state) linear() bool { return st.op == ops.None && !st.clamps && st.places == nil }

// checked reports whether a chunk's map may turn out not to be one.
func (st *state) checked() bool { return st.rounds() || st.clamps && st.elem().Kind == types.I32 }

// within is true where the magnitude of each component of x is at most limit.
func within(x hast.Expr, limit float64) hast.Expr {
	return everywhere(compareAll(ops.Le, op(ops.Abs, x), float(x.Type(), limit)))
}

func float(t types.Type, v float64) hast.Expr { return all(t, types.Float(v)) }

// compareAll compares component by component.
func compareAll(o ops.Op, x, y hast.Expr) hast.Expr {
	return &hast.Op{Typed: typed(x.Type().WithKind(types.Bool), x.Span()), Op: o, Args: []hast.Expr{x, y}}
}

// everywhere is true where a condition on components holds of each.
func everywhere(x hast.Expr) hast.Expr {
	if x.Type().IsScalar() {
		return x
	}
	return &hast.Op{Typed: typed(boolType, x.Span()), Op: ops.All, Args: []hast.Expr{x}}
}

// choose is then where a condition on components holds, else els.
func choose(cond, then, els hast.Expr) hast.Expr {
	return &hast.Select{Typed: typed(then.Type(), then.Span()), Cond: cond, Then: then, Else: els}
}

// every joins conditions.
func every(list []hast.Expr) hast.Expr {
	cond := list[0]
	for _, c := range list[1:] {
		cond = hast.Compare(ops.LAnd, cond, c)
	}
	return cond
}

// settle gives v what a unit state has become, and takes note of how large and how small that is.
func (l *local) settle(v *hast.Var, become hast.Expr) []hast.Stmt {
	if l.growth == nil {
		return []hast.Stmt{define(v, become)}
	}
	tiny := float(v.Type, limitsOf(v.Type.Kind).tiny)
	exact := &hast.Var{Name: v.Name + "_exact", Type: v.Type, Class: hast.Value, At: v.At}
	size := &hast.Var{Name: v.Name + "_size", Type: v.Type, Class: hast.Value, At: v.At}
	return []hast.Stmt{
		define(exact, become),
		define(size, op(ops.Abs, ref(exact))),
		set(l.growth, op(ops.Max, ref(l.growth), ref(size))),
		set(l.least, op(ops.Min, ref(l.least), ref(size))),
		define(v, choose(compareAll(ops.Lt, ref(size), tiny), tiny, ref(exact))),
	}
}

// usable is the condition under which a chunk's map may be used.
func (l *local) usable() hast.Expr {
	if l.sum != nil {
		return ref(l.safe)
	}
	conds := []hast.Expr{ref(l.safe)}
	for _, v := range l.state {
		conds = append(conds, within(ref(v), limitsOf(v.Type.Kind).largest))
	}
	if l.growth == nil {
		return every(conds)
	}
	limits := limitsOf(l.growth.Type.Kind)
	conds = append(conds, within(ref(l.growth), growthLimit))
	neverTiny := compareAll(ops.Ge, ref(l.least), float(l.least.Type, limits.tiny))
	for _, unit := range l.units {
		for _, v := range unit {
			small := compareAll(ops.Le, op(ops.Abs, ref(v)), float(v.Type, limits.regained))
			either := &hast.Op{Typed: typed(small.Type(), v.At), Op: ops.LOr, Args: []hast.Expr{neverTiny, small}}
			conds = append(conds, within(ref(v), growthLimit), everywhere(either))
		}
	}
	return every(conds)
}

// kept is a component of a unit state as it goes into the map.
func (l *local) kept(v *hast.Var) hast.Expr {
	if l.growth == nil {
		return ref(v)
	}
	nothing := float(v.Type, limitsOf(v.Type.Kind).nothing)
	return choose(compareAll(ops.Lt, op(ops.Abs, ref(v)), nothing), number(v.Type, 0), ref(v))
}
