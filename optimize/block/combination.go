package block

import (
	"fmt"
	"maps"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A Combination is an integer that is a sum of bytes of windows times weights, and a number: convolutions, differences of pixels, a
// pixel. None of its parts wraps in the kinds in which the program computes them, so that it may be computed in any order.
type Combination struct {
	Taps map[Tap]int64
	Plus int64
}

// A Tap is a byte of a window, by its distance from the instance, along lines in bytes.
type Tap struct{ Window, Y, X int }

// Number is a combination without taps.
func Number(c int64) *Combination { return &Combination{Plus: c} }

// Bounds are the least and the greatest value that it can have.
func (c *Combination) Bounds() (lo, hi int64) {
	lo, hi = c.Plus, c.Plus
	for _, w := range c.Taps {
		lo, hi = lo+min(0, 255*w), hi+max(0, 255*w)
	}
	return lo, hi
}

// Plain reports whether no tap is multiplied by anything.
func (c *Combination) Plain() bool {
	for _, w := range c.Taps {
		if w != 1 {
			return false
		}
	}
	return true
}

// Places are those of the taps, row by row.
func (c *Combination) Places() []Tap {
	return slices.SortedFunc(maps.Keys(c.Taps), func(p, q Tap) int {
		switch {
		case p.Window != q.Window:
			return p.Window - q.Window
		case p.Y != q.Y:
			return p.Y - q.Y
		}
		return p.X - q.X
	})
}

// PlusTimes is the combination plus factor times another; nil where a number gets so large that nothing is gained by it.
func (c *Combination) PlusTimes(d *Combination, factor int64) *Combination {
	out := &Combination{Taps: maps.Clone(c.Taps), Plus: c.Plus}
	if !out.add(d, factor) {
		return nil
	}
	return out
}

// add adds factor times another combination to this one; false where a number gets so large that nothing is gained by it.
func (c *Combination) add(d *Combination, factor int64) bool {
	const most = 1 << 20
	if abs(factor) > most || abs(d.Plus) > most<<20 {
		return false
	}
	if c.Taps == nil {
		c.Taps = make(map[Tap]int64, len(d.Taps))
	}
	c.Plus += factor * d.Plus
	for p, w := range d.Taps {
		w = c.Taps[p] + factor*w
		if c.Taps[p] = w; w == 0 {
			delete(c.Taps, p)
		}
		if abs(w) > most {
			return false
		}
	}
	return true
}

func abs(x int64) int64 { return max(x, -x) }

// Rows are the taps by the rows of windows, in order.
func (c *Combination) Rows() []*Row {
	var out []*Row
	for _, p := range c.Places() {
		if n := len(out); n == 0 || out[n-1].Window != p.Window || out[n-1].Y != p.Y {
			out = append(out, &Row{p.Window, p.Y, map[int]int64{}})
		}
		out[len(out)-1].Taps[p.X] = c.Taps[p]
	}
	return out
}

// A Row is the taps of one row of a window, by X.
type Row struct {
	Window, Y int
	Taps      map[int]int64
}

// Alone is the row as a combination.
func (r *Row) Alone() *Combination {
	out := &Combination{Taps: make(map[Tap]int64, len(r.Taps))}
	for x, w := range r.Taps {
		out.Taps[Tap{Window: r.Window, Y: r.Y, X: x}] = w
	}
	return out
}

// Factor divides all taps of the row; its sign is that of the last one.
func (r *Row) Factor() int64 {
	f, last := int64(0), -1<<30
	for x, w := range r.Taps {
		for a, b := f, abs(w); ; a, b = b, a%b {
			if b == 0 {
				f = a
				break
			}
		}
		last = max(last, x)
	}
	if r.Taps[last] < 0 {
		return -f
	}
	return f
}

// Width is from the first to the last tap.
func (r *Row) Width() int {
	x := slices.Sorted(maps.Keys(r.Taps))
	return x[len(x)-1] - x[0] + 1
}

// Kind is the same for rows that are multiples of each other.
func (r *Row) Kind() string {
	f, kind := r.Factor(), fmt.Sprint(r.Window)
	for _, x := range slices.Sorted(maps.Keys(r.Taps)) {
		kind += fmt.Sprint(" ", x, r.Taps[x]/f)
	}
	return kind
}

// EightBits reports whether all weights have 8 bits, with their sign.
func (c *Combination) EightBits() bool {
	for _, w := range c.Taps {
		if w < -128 || w > 127 {
			return false
		}
	}
	return true
}

// A Combiner takes expressions of a stage's body apart.
type Combiner struct {
	Stage  *Stage
	Unroll int                  // reductions of at most this many points are written out
	Holds  func(w *Window) bool // which windows count; nil for all that hold single bytes
	Lets   map[*hast.Var]*Combination
	Known  func(v *hast.Var) (int64, bool) // values of variables besides those that are bound; nil for none
	values map[*hast.Var]int64
}

// Bind gives the variables of a space the values of a point.
func (k *Combiner) Bind(vars []*hast.Var, p []int64) {
	if k.values == nil {
		k.values = map[*hast.Var]int64{}
	}
	for i, v := range vars {
		k.values[v] = p[i]
	}
}

// Of takes an expression apart; nil where it is of another form.
func (k *Combiner) Of(e hast.Expr) *Combination {
	t := e.Type()
	if !t.IsScalar() || !t.Kind.IsInt() || t.Kind == types.U64 {
		return nil
	}
	if c, ok := k.Constant(e); ok {
		return Number(c)
	}
	c := k.form(e)
	if c == nil || len(c.Taps) > k.Unroll {
		return nil
	}
	lo, hi := c.Bounds()
	if lo < types.Lowest(t.Kind).Int() || hi > types.Highest(t.Kind).Int() {
		return nil
	}
	return c
}

// AtHand reports whether an expression is made of such combinations, variables and numbers, by operators, choices and reductions that are written out: it reads nothing but what lies in registers, and
// may be computed where the language would not.
func (k *Combiner) AtHand(e hast.Expr) bool {
	inside := *k
	inside.values = maps.Clone(k.values)
	return inside.atHand(e)
}

func (k *Combiner) atHand(e hast.Expr) bool {
	if k.Of(e) != nil {
		return true
	}
	switch e := e.(type) {
	case *hast.Const, *hast.Ref:
		return true
	case *hast.Op, *hast.Convert, *hast.Select:
	case *hast.Reduce:
		points, known := Points(e.Space, k.Unroll)
		if !known || len(points) == 0 {
			return false
		}
		k.Bind(e.Space.Vars, points[0])
		return e.Where == nil && k.atHand(e.Elem)
	default:
		return false
	}
	all := true
	hast.EachOperand(e, func(x hast.Expr) { all = all && k.atHand(x) })
	return all
}

func (k *Combiner) form(e hast.Expr) *Combination {
	switch e := e.(type) {
	case *hast.Ref:
		return k.Lets[e.Var]
	case *hast.Convert:
		if e.How != hast.Bitcast && e.X.Type().Kind.IsInt() {
			return k.Of(e.X)
		}
	case *hast.Load:
		return k.tap(e.Image, e.Index, e.Rule)
	case *hast.Elem:
		if w, ok := e.X.(*hast.Window); ok {
			return k.windowTap(w, e)
		}
	case *hast.Reduce:
		return k.total(e)
	case *hast.Op:
		return k.op(e)
	}
	return nil
}

func (k *Combiner) op(e *hast.Op) *Combination {
	x := k.Of(e.Args[0])
	if x == nil {
		return nil
	}
	if e.Op == ops.Neg {
		return Number(0).PlusTimes(x, -1)
	}
	if len(e.Args) != 2 {
		return nil
	}
	y := k.Of(e.Args[1])
	if y == nil {
		return nil
	}
	switch {
	case e.Op == ops.Add:
		return x.PlusTimes(y, 1)
	case e.Op == ops.Sub:
		return x.PlusTimes(y, -1)
	case e.Op == ops.Mul && len(y.Taps) == 0:
		return Number(0).PlusTimes(x, y.Plus)
	case e.Op == ops.Mul && len(x.Taps) == 0:
		return Number(0).PlusTimes(y, x.Plus)
	case e.Op == ops.Shl && len(y.Taps) == 0 && y.Plus >= 0 && y.Plus < 20:
		return Number(0).PlusTimes(x, 1<<y.Plus)
	}
	return nil
}

// total is a sum whose points are written out.
func (k *Combiner) total(e *hast.Reduce) *Combination {
	if e.Op != hast.Sum || e.Where != nil || e.Elem.Type() != e.T {
		return nil
	}
	points, ok := Points(e.Space, k.Unroll)
	if !ok {
		return nil
	}
	sum := Number(0)
	for _, p := range points {
		k.Bind(e.Space.Vars, p)
		if elem := k.Of(e.Elem); elem == nil || !sum.add(elem, 1) {
			return nil
		}
	}
	return sum
}

func (k *Combiner) scope() *Scope {
	return &Scope{Iterators: k.Stage.Scope.Iterators, Lets: k.Stage.Scope.Lets, Range: func(v *hast.Var) (int64, int64, bool) {
		c, ok := k.value(v)
		return c, c, ok
	}}
}

// value is that of a variable which is bound or known.
func (k *Combiner) value(v *hast.Var) (int64, bool) {
	if c, ok := k.values[v]; ok || k.Known == nil {
		return c, ok
	}
	return k.Known(v)
}

// tap is the read of one byte of a window; of pixels of several bytes of that which is computed.
func (k *Combiner) tap(m *hast.Image, index []hast.Coord, rule *hast.Rule) *Combination {
	found, p := k.Stage.Find(k.scope(), m, index, rule)
	n := int(m.Elem.Lanes)
	if found == nil || m.Elem.Kind != types.U8 || Channels(m) != n || p.X.Lo != p.X.Hi || p.Y.Lo != p.Y.Hi || k.Holds != nil && !k.Holds(found) {
		return nil
	}
	for i, w := range k.Stage.Windows {
		if w == found {
			return &Combination{Taps: map[Tap]int64{{i, p.Y.Lo, n * p.X.Lo}: 1}}
		}
	}
	return nil
}

// windowTap is an element of a block that is read as an array.
func (k *Combiner) windowTap(w *hast.Window, e *hast.Elem) *Combination {
	index := make([]hast.Coord, len(w.Axes))
	next := 0
	for i, a := range w.Axes {
		index[i] = a.Start
		if !a.Colon {
			continue
		}
		c, ok := k.Constant(e.Index[next])
		if !ok || c < 0 || c >= int64(a.Count) {
			return nil
		}
		next++
		step := &hast.Const{Typed: hast.Typed{T: i32}, Words: []types.Word{types.Int(c * int64(a.Stride))}}
		index[i].X = &hast.Op{Typed: hast.Typed{T: i32}, Op: add, Args: []hast.Expr{a.Start.X, step}}
	}
	return k.tap(w.Image, index, w.Rule)
}

// Constant is the value of an integer that reads no pixel and depends on nothing but variables that are bound.
func (k *Combiner) Constant(e hast.Expr) (int64, bool) {
	t := e.Type()
	if !t.IsScalar() || !t.Kind.IsInt() || t.Kind == types.U64 {
		return 0, false
	}
	switch e := e.(type) {
	case *hast.Const:
		return e.Words[0].Int(), true
	case *hast.Ref:
		return k.value(e.Var)
	case *hast.Convert:
		c, ok := k.Constant(e.X)
		if !ok || e.How == hast.Bitcast {
			return 0, false
		}
		word := types.Int(c)
		if e.How == hast.Saturate {
			return types.Saturate(word, e.X.Type().Kind, t.Kind).Int(), true
		}
		return types.Convert(word, e.X.Type().Kind, t.Kind).Int(), true
	case *hast.Op:
		return k.constantOp(e)
	case *hast.Elem:
		return k.constantElem(e)
	}
	return 0, false
}

func (k *Combiner) constantOp(e *hast.Op) (int64, bool) {
	in := make([]types.Word, len(e.Args))
	for i, a := range e.Args {
		c, ok := k.Constant(a)
		if !ok {
			return 0, false
		}
		in[i] = types.Int(c)
	}
	if e.Op.Info().Result != ops.Same {
		return 0, false
	}
	return ops.Eval(e.Op, e.T.Kind, in...).Int(), true
}

// constantElem is an element of a constant array; outside of it is 0.
func (k *Combiner) constantElem(e *hast.Elem) (int64, bool) {
	array, ok := e.X.(*hast.Const)
	if !ok {
		return 0, false
	}
	at := int64(0)
	for i, x := range e.Index {
		c, ok := k.Constant(x)
		if !ok {
			return 0, false
		}
		if c < 0 || c >= int64(array.T.Dims[i]) {
			return 0, true
		}
		at = at*int64(array.T.Dims[i]) + c
	}
	return array.Words[at].Int(), true
}

// EntryAt is the number of the entry of an array of some shape, line by line, that an index names where variables have the values of a point; false where it is
// not known, or outside.
func EntryAt(index []hast.Expr, shape []int, vars []*hast.Var, p []int64) (at int64, known bool) {
	if len(index) != len(shape) {
		return 0, false
	}
	c := &Combiner{}
	c.Bind(vars, p)
	for k, x := range index {
		i, ok := c.Constant(x)
		if !ok || i < 0 || i >= int64(shape[k]) {
			return 0, false
		}
		at = at*int64(shape[k]) + i
	}
	return at, true
}
