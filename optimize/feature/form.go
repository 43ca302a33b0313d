package feature

import (
	"maps"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/memo"
	"imgc/types"
)

// A form is what is known of an integer: floor((sum of coef*iterator + offset + host) / div), where offset lies in lo..hi and host
// is a value that is the same for all instances. Unknown forms depend on data, or on iterators in another way.
type form struct {
	coef   map[*hast.Var]int64
	lo, hi int64
	host   bool
	div    int64 // at least 1
	known  bool
	// periodic: it is as an Axis is then, and nothing is computed with it
	periodic bool
	slopes   *Slopes // it is as an Axis is then
}

func offsets(lo, hi int64) form { return form{lo: lo, hi: hi, div: 1, known: true} }

var (
	unknown = form{div: 1}
	hosts   = form{host: true, div: 1, known: true}
)

// limit bounds offsets, so that sums and products of them stay far from the ends of i64.
const limit = 1 << 31

func (f form) checked() form {
	if f.lo < -limit || f.hi > limit {
		return unknown
	}
	for _, c := range f.coef {
		if c < -limit || c > limit {
			return unknown
		}
	}
	return f
}

// isNumber reports whether neither coordinates nor the host have a part in a form.
func (f form) isNumber() bool { return f.known && !f.host && len(f.coef) == 0 }

// constant reports the value of a form that is one number.
func (f form) constant() (int64, bool) {
	return f.lo, f.isNumber() && f.lo == f.hi && f.div == 1
}

// scaled is k*f + g.
func (f form) plus(g form, k int64) form {
	if !f.known || !g.known || g.div != 1 {
		return unknown
	}
	if f.div != 1 { // a number beside a quotient is so many times that below the line
		if len(g.coef) > 0 || g.host {
			return unknown
		}
		f.lo, f.hi = f.lo+f.div*min(k*g.lo, k*g.hi), f.hi+f.div*max(k*g.lo, k*g.hi)
		return f.checked()
	}
	out := form{coef: f.added(g, k), host: f.host || g.host, div: 1, known: true}
	lo, hi := k*g.lo, k*g.hi
	out.lo, out.hi = f.lo+min(lo, hi), f.hi+max(lo, hi)
	return out.checked()
}

// added are the coefficients of f + k*g, none of them 0. Nobody changes those of a form, so that forms share them.
func (f form) added(g form, k int64) map[*hast.Var]int64 {
	switch {
	case len(g.coef) == 0:
		return f.coef
	case len(f.coef) == 0 && k == 1:
		return g.coef
	}
	out := make(map[*hast.Var]int64, len(f.coef)+len(g.coef))
	maps.Copy(out, f.coef)
	for v, c := range g.coef {
		if out[v] += k * c; out[v] == 0 {
			delete(out, v)
		}
	}
	return out
}

func (f form) times(k int64) form { return offsets(0, 0).plus(f, k) }

// over is floor(f / k), k above 0.
func (f form) over(k int64) form {
	switch {
	case !f.known || f.div != 1:
		return unknown
	case len(f.coef) == 0:
		return form{lo: ops.FloorQuotient(f.lo, k), hi: ops.FloorQuotient(f.hi, k), host: f.host, div: 1, known: true}
	}
	f.div = k
	return f
}

// formOf follows an integer expression.
func (w *walker) formOf(e hast.Expr) form {
	switch e := e.(type) {
	case *hast.Const:
		if e.T.IsScalar() && e.T.Kind.IsInt() && e.T.Kind != types.U64 {
			v := e.Words[0].Int()
			return offsets(v, v).checked()
		}
	case *hast.Ref:
		return w.formOfVar(e.Var)
	case *hast.Convert:
		if e.How == hast.Wrap && e.X.Type().Kind.IsInt() && e.T.Kind.Bits() >= 32 && e.T.IsScalar() {
			return w.formOf(e.X)
		}
	case *hast.Op:
		return w.formOfOp(e)
	case *hast.Select:
		if x := nearby(e); x != e {
			return w.formOf(x)
		}
	}
	return unknown
}

func (w *walker) formOfVar(v *hast.Var) form {
	switch v.Class {
	case hast.Iterator:
		return memo.Of(&w.iterators, v, func() form { return form{coef: map[*hast.Var]int64{v: 1}, div: 1, known: true} })
	case hast.SizeVar, hast.ScalarIn, hast.HostValue, hast.HostMutable, hast.HostLoop:
		return hosts
	}
	if f, ok := w.vars[v]; ok {
		return f
	}
	return unknown
}

func (w *walker) formOfOp(e *hast.Op) form {
	if !e.T.IsScalar() || !e.T.Kind.IsInt() {
		return unknown
	}
	args := make([]form, len(e.Args))
	for i, a := range e.Args {
		args[i] = w.formOf(a)
	}
	switch e.Op {
	case ops.Neg:
		return args[0].times(-1)
	case ops.Add:
		return args[0].plus(args[1], 1)
	case ops.Sub:
		return args[0].plus(args[1], -1)
	case ops.Mul:
		if k, ok := args[1].constant(); ok {
			return args[0].times(k)
		}
		if k, ok := args[0].constant(); ok {
			return args[1].times(k)
		}
	case ops.Div, ops.FloorDiv:
		// A division truncates, which differs from the floor only below 0, where the border decides anyhow.
		if k, ok := args[1].constant(); ok && k > 0 {
			return args[0].over(k)
		}
	case ops.Shr:
		if k, ok := args[1].constant(); ok && k >= 0 && k < 31 {
			return args[0].over(1 << k)
		}
	}
	if all(args, func(f form) bool { return f.known && len(f.coef) == 0 }) {
		return hosts
	}
	return unknown
}

func all(list []form, ok func(form) bool) bool {
	for _, f := range list {
		if !ok(f) {
			return false
		}
	}
	return true
}

// bind records what a loop variable runs over.
func (w *walker) bind(s hast.Space) {
	for i, v := range s.Vars {
		if s.Points != nil {
			w.vars[v] = pointsForm(s.Points, i)
			continue
		}
		r := s.Ranges[i]
		lo, hi := w.formOf(r.Lo), w.formOf(r.Hi)
		if r.Step < 0 {
			lo, hi = hi.plus(offsets(1, 1), 1), lo.plus(offsets(1, 1), 1)
		}
		w.vars[v] = between(lo, hi)
	}
}

func pointsForm(points [][]int64, i int) form {
	if len(points) == 0 {
		return unknown
	}
	lo, hi := points[0][i], points[0][i]
	for _, p := range points {
		lo, hi = min(lo, p[i]), max(hi, p[i])
	}
	return offsets(lo, hi).checked()
}

// between is a value from lo up to below hi, where the two differ by numbers only.
func between(lo, hi form) form {
	d := hi.plus(lo, -1)
	if !d.known || d.host || len(d.coef) > 0 || lo.host || d.hi < 1 {
		if lo.known && hi.known && len(lo.coef) == 0 && len(hi.coef) == 0 {
			return hosts // the same values in all instances
		}
		return unknown
	}
	out := lo
	out.hi = lo.lo + d.hi - 1
	out.hi = max(out.hi, lo.hi)
	return out.checked()
}

// trips is how often the body of a loop runs; 0 where the program does not say.
func (w *walker) trips(s hast.Space) float64 {
	if s.Points != nil {
		return float64(len(s.Points))
	}
	n := 1.0
	for _, r := range s.Ranges {
		count, ok := w.apart(r.Lo, r.Hi)
		if !ok {
			return 0
		}
		n *= float64(max((count+r.Step-sign(r.Step))/r.Step, 0))
	}
	return n
}

// apart is how far a bound lies from another one, where that is a number.
func (w *walker) apart(lo, hi hast.Expr) (int64, bool) {
	if sum, ok := hi.(*hast.Op); ok && sum.Op == ops.Add && hast.Equal(sum.Args[0], lo) {
		return w.formOf(sum.Args[1]).constant() // whatever lo is
	}
	return w.formOf(hi).plus(w.formOf(lo), -1).constant()
}

func sign(v int64) int64 {
	if v < 0 {
		return -1
	}
	return 1
}
