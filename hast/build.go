package hast

import (
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// Int is a constant of kind i32.
func Int(v int64) Expr { return &Const{Typed: Typed{T: i32}, Words: []types.Word{types.Int(v)}} }

// Binary is an operator whose result has the type of its first operand.
func Binary(op ops.Op, x, y Expr) Expr {
	return &Op{Typed: Typed{x.Type(), x.Span()}, Op: op, Args: []Expr{x, y}}
}

// Plus is an i32 that is k more.
func Plus(x Expr, k int64) Expr {
	switch {
	case k == 0:
		return x
	case k < 0:
		return Binary(ops.Sub, x, Int(-k))
	}
	return Binary(ops.Add, x, Int(k))
}

// Compare is an operator on scalars whose result is a bool.
func Compare(op ops.Op, x, y Expr) Expr {
	return &Op{Typed: Typed{types.Scalar(types.Bool), x.Span()}, Op: op, Args: []Expr{x, y}}
}

// And joins two conditions, of which nil is true.
func And(x, y Expr) Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return Compare(ops.LAnd, x, y)
}

// Trips is how many values a range has, an i64.
func Trips(r Range, at source.Span) Expr {
	i64 := types.Scalar(types.I64)
	number := func(v int64) Expr { return &Const{Typed: Typed{i64, at}, Words: []types.Word{types.Int(v)}} }
	op := func(o ops.Op, x, y Expr) Expr { return &Op{Typed: Typed{i64, at}, Op: o, Args: []Expr{x, y}} }
	wide := func(x Expr) Expr {
		if x.Type() == i64 {
			return x
		}
		return &Convert{Typed: Typed{i64, at}, X: x}
	}
	lo, hi, step := r.Lo, r.Hi, r.Step
	if step < 0 {
		lo, hi, step = hi, lo, -step
	}
	n := op(ops.Max, op(ops.Sub, wide(hi), wide(lo)), number(0))
	if step == 1 {
		return n
	}
	return op(ops.Div, op(ops.Add, n, number(step-1)), number(step))
}

// PointCount is how many points a space has, an i64.
func PointCount(s Space, at source.Span) Expr {
	if s.Points != nil {
		return &Const{Typed: Typed{types.Scalar(types.I64), at}, Words: []types.Word{types.Int(int64(len(s.Points)))}}
	}
	var n Expr
	for _, r := range s.Ranges {
		if n == nil {
			n = Trips(r, at)
		} else {
			n = &Op{Typed: Typed{n.Type(), at}, Op: ops.Mul, Args: []Expr{n, Trips(r, at)}}
		}
	}
	return n
}

// Coordinates are those of a read, and whether none of them can leave the image.
func (l *Load) Coordinates() (index []Expr, inside bool) {
	inside = true
	for _, c := range l.Index {
		index = append(index, c.X)
		inside = inside && !c.Below && !c.Above
	}
	return index, inside
}

// CopyStage is a stage that converts every pixel of an image to one of another, of the same extents.
func CopyStage(to, from *Image, name string, at source.Span) *Stage {
	s := &Stage{Name: name, At: at}
	load := &Load{Typed: Typed{from.Elem, at}, Image: from}
	store := &Store{Image: to, Value: load, At: at}
	if to.Elem != from.Elem {
		store.Value = &Convert{Typed: Typed{to.Elem, at}, X: load}
	}
	names := []string{"w", "z", "y", "x"}[types.MaxRank-from.Rank():]
	for i, n := range from.Extent {
		v := &Var{Name: names[i], Type: i32, Class: Iterator, At: at}
		s.Space.Vars = append(s.Space.Vars, v)
		s.Space.Ranges = append(s.Space.Ranges, Range{Lo: Int(0), Hi: n, Step: 1})
		index := Plus(RefTo(v), from.First(i))
		load.Index = append(load.Index, Coord{X: index})
		store.Index = append(store.Index, index)
	}
	s.Body = []Stmt{store}
	return s
}
