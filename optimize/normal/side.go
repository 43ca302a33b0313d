package normal

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// side is the body that does side by side what a loop does for one component of pixels after the other; nil where that is more than operators on what differs from one to the next, or writes
// images that have no such pixels.
func (x *vectoring) side(each *loop) (out []hast.Stmt) {
	w := &beside{vectoring: x, loop: each, lets: map[*hast.Var]*hast.Var{}}
	for _, s := range each.body {
		switch s := s.(type) {
		case *hast.Define:
			if s.Var.Class != hast.Value || s.Init == nil {
				return nil
			}
			now := &hast.Define{Var: s.Var, Init: w.expr(s.Init), At: s.At}
			if w.differs(s.Init) {
				own := *s.Var
				own.Type = w.wide(s.Var.Type)
				w.lets[s.Var], now.Var = &own, &own
			}
			out = append(out, now)
		case *hast.Store:
			if x.to[s.Image] == nil {
				return nil
			}
			now, last := *s, len(s.Index)-1
			now.Image, now.Index, now.Value = x.to[s.Image], nil, w.vector(s.Value)
			for _, i := range s.Index[:last] {
				now.Index = append(now.Index, w.same(i))
			}
			out = append(out, &now)
		default:
			return nil
		}
		if w.failed {
			return nil
		}
	}
	return out
}

// Beside is the components of pixels side by side.
type beside struct {
	*vectoring
	*loop
	lets   map[*hast.Var]*hast.Var // those that differ from component to component, as vectors
	failed bool
}

func (w *beside) wide(t types.Type) types.Type {
	if t.Lanes != 1 {
		w.failed = true
	}
	return t.WithLanes(w.n)
}

// differs reports whether a value may be another one for another component.
func (w *beside) differs(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			found = found || r.Var == w.v || w.lets[r.Var] != nil
		}
	})
	return found
}

// same is a value that does not differ.
func (w *beside) same(e hast.Expr) hast.Expr {
	w.failed = w.failed || w.differs(e)
	return w.vectoring.expr(e)
}

// vector is a value for all components.
func (w *beside) vector(e hast.Expr) hast.Expr {
	if w.differs(e) {
		return w.expr(e)
	}
	return splat(w.vectoring.expr(e), w.wide(e.Type()))
}

// splat is a vector of equal components.
func splat(e hast.Expr, t types.Type) hast.Expr {
	if c, ok := e.(*hast.Const); ok {
		return &hast.Const{Typed: hast.Typed{T: t, At: c.At}, Words: slices.Repeat(c.Words, int(t.Lanes)), Name: c.Name}
	}
	return &hast.Splat{Typed: hast.Typed{T: t, At: e.Span()}, X: e}
}

// expr is a value, a vector where it differs.
func (w *beside) expr(e hast.Expr) hast.Expr {
	if w.failed || !w.differs(e) {
		return w.vectoring.expr(e)
	}
	typed := hast.Typed{T: w.wide(e.Type()), At: e.Span()}
	switch e := e.(type) {
	case *hast.Ref:
		if own := w.lets[e.Var]; own != nil {
			return hast.RefTo(own)
		}
		return w.counted(typed)
	case *hast.Convert:
		return &hast.Convert{Typed: typed, X: w.expr(e.X), How: e.How}
	case *hast.Op:
		return w.op(e, typed)
	case *hast.Select:
		return w.choice(e, typed)
	case *hast.Reduce:
		return w.reduce(e, typed)
	case *hast.Load:
		if last := e.Index[len(e.Index)-1].X; w.to[e.Image] != nil {
			return w.taken(w.load(e, w.same), numbers(last, e.Image, w.loop))
		}
	case *hast.Elem:
		return w.element(e, typed)
	}
	return w.fail(e)
}

// fail says that there is no form for an expression, which it returns.
func (w *beside) fail(e hast.Expr) hast.Expr {
	w.failed = true
	return e
}

// taken are components of a pixel, by their numbers.
func (w *beside) taken(pixel hast.Expr, numbers []int) hast.Expr {
	t := pixel.Type()
	if numbers == nil {
		return w.fail(pixel)
	}
	for k, n := range numbers {
		if k != n || w.n != int(t.Lanes) {
			return &hast.Swizzle{Typed: hast.Typed{T: t.WithLanes(w.n), At: pixel.Span()}, X: pixel, Lanes: numbers}
		}
	}
	return pixel
}

// counted are the numbers of the components.
func (w *beside) counted(typed hast.Typed) hast.Expr {
	out := &hast.Const{Typed: typed}
	for k := range w.n {
		out.Words = append(out.Words, types.Int(int64(k)))
	}
	return out
}

// op is an operator that acts on each component by itself.
func (w *beside) op(e *hast.Op, typed hast.Typed) hast.Expr {
	info := e.Op.Info()
	if info.Result == ops.Scalar || info.Result == ops.Flag || e.Op.Lazy() {
		return w.fail(e)
	}
	out := &hast.Op{Typed: typed, Op: e.Op}
	for _, a := range e.Args {
		out.Args = append(out.Args, w.vector(a))
	}
	return out
}

// choice is one of two values, for all components alike or for each by itself; the latter has both, which must not read.
func (w *beside) choice(e *hast.Select, typed hast.Typed) hast.Expr {
	if w.differs(e.Cond) && (fetches(e.Then) || fetches(e.Else)) {
		return w.fail(e)
	}
	return &hast.Select{Typed: typed, Cond: w.expr(e.Cond), Then: w.vector(e.Then), Else: w.vector(e.Else)}
}

// fetches reports whether an expression reads an image.
func fetches(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		switch e.(type) {
		case *hast.Load, *hast.Window:
			found = true
		}
	})
	return found
}

// componentwise are the reductions that take each component of vectors by itself.
var componentwise = []hast.ReduceOp{hast.Sum, hast.Product, hast.Mean, hast.Min, hast.Max, hast.Median}

func (w *beside) reduce(e *hast.Reduce, typed hast.Typed) hast.Expr {
	if !slices.Contains(componentwise, e.Op) {
		return w.fail(e)
	}
	out := *e
	out.Typed, out.Space, out.Elem = typed, hast.MapSpace(e.Space, w.same), w.vector(e.Elem)
	if e.Where != nil {
		out.Where = w.same(e.Where)
	}
	return &out
}

// element is one of a block of pixels, or of a table that has one for each component.
func (w *beside) element(e *hast.Elem, typed hast.Typed) hast.Expr {
	switch array := e.X.(type) {
	case *hast.Window:
		if last := array.Axes[len(array.Axes)-1].Start.X; w.to[array.Image] != nil {
			return w.taken(w.elem(e, w.same), numbers(last, array.Image, w.loop))
		}
	case *hast.Array:
		if x := componentsOf(array); x != nil && !w.differs(x) {
			return w.taken(w.vectoring.expr(x), w.numbered(e.Index[0], int64(x.Type().Lanes)))
		}
	case *hast.Const:
		out := &hast.Const{Typed: typed}
		for k := range w.n {
			at, dims := int64(0), array.T.Shape()
			for i, x := range e.Index {
				c, known := hast.Number(x)
				if hast.IsVar(x, w.v) {
					c, known = int64(k), true
				}
				if !known || c < 0 || c >= int64(dims[i]) {
					return w.fail(e)
				}
				at = at*int64(dims[i]) + c
			}
			out.Words = append(out.Words, array.Words[at])
		}
		return out
	}
	return w.fail(e)
}
