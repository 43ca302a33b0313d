package hast

import "slices"

// Map is e with the expressions replaced for which f returns another one; in what f replaces it does not look further. What
// nothing changes in is not copied.
func Map(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	if x := f(e); x != nil {
		return x
	}
	switch e := e.(type) {
	case *Op:
		if args, changed := mapAll(e.Args, f); changed {
			return &Op{e.Typed, e.Op, args}
		}
	case *Convert:
		if x := Map(e.X, f); x != e.X {
			return &Convert{e.Typed, x, e.How}
		}
	case *Select:
		if cond, then, els := Map(e.Cond, f), Map(e.Then, f), Map(e.Else, f); cond != e.Cond || then != e.Then || els != e.Else {
			return &Select{e.Typed, cond, then, els}
		}
	case *Elem:
		x := Map(e.X, f)
		if index, changed := mapAll(e.Index, f); changed || x != e.X {
			return &Elem{e.Typed, x, index, e.InRange}
		}
	case *Call:
		if args, changed := mapAll(e.Args, f); changed {
			return &Call{e.Typed, e.Func, args}
		}
	case *Load:
		if index, changed := mapEach(e.Index, func(c *Coord) *Expr { return &c.X }, f); changed {
			x := *e
			x.Index = index
			return &x
		}
	case *Window:
		if axes, changed := mapEach(e.Axes, func(a *WindowAxis) *Expr { return &a.Start.X }, f); changed {
			x := *e
			x.Axes = axes
			return &x
		}
	case *Reduce:
		return mapReduce(e, f)
	default:
		return mapVector(e, f)
	}
	return e
}

// mapVector is Map of what makes vectors, matrices and arrays, or takes them apart.
func mapVector(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Splat:
		if x := Map(e.X, f); x != e.X {
			return &Splat{e.Typed, x}
		}
	case *Vec:
		if parts, changed := mapAll(e.Parts, f); changed {
			return &Vec{e.Typed, parts}
		}
	case *Swizzle:
		if x := Map(e.X, f); x != e.X {
			return &Swizzle{e.Typed, x, e.Lanes}
		}
	case *Array:
		if elems, changed := mapAll(e.Elems, f); changed {
			return &Array{e.Typed, elems}
		}
	case *Transpose:
		if x := Map(e.X, f); x != e.X {
			return &Transpose{e.Typed, x}
		}
	case *MatMul:
		if x, y := Map(e.X, f), Map(e.Y, f); x != e.X || y != e.Y {
			return &MatMul{e.Typed, x, y}
		}
	case *Reshape:
		if x := Map(e.X, f); x != e.X {
			return &Reshape{e.Typed, x}
		}
	}
	return e
}

func mapReduce(e *Reduce, f func(Expr) Expr) Expr {
	changed := false
	one := func(x Expr) Expr {
		y := Map(x, f)
		changed = changed || y != x
		return y
	}
	x := *e
	x.Space = MapSpace(e.Space, one)
	x.Where, x.Elem, x.Init = one(e.Where), one(e.Elem), one(e.Init)
	if !changed {
		return e
	}
	return &x
}

// mapAll is Map of each expression of a list, which is the same list where nothing changes.
func mapAll(list []Expr, f func(Expr) Expr) (out []Expr, changed bool) {
	return mapEach(list, func(x *Expr) *Expr { return x }, f)
}

// mapEach is Map of an expression in each element of a list, which is the same list where nothing changes.
func mapEach[T any](list []T, in func(*T) *Expr, f func(Expr) Expr) (out []T, changed bool) {
	out = list
	for i := range list {
		x := *in(&list[i])
		y := Map(x, f)
		if y == x {
			continue
		}
		if !changed {
			out, changed = slices.Clone(list), true
		}
		*in(&out[i]) = y
	}
	return out, changed
}

// Reading is a Load or Window e of another image, with f applied to its coordinates.
func Reading(e Expr, m *Image, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Load:
		x := *e
		x.Image, x.Index = m, slices.Clone(e.Index)
		for i := range x.Index {
			x.Index[i].X = f(x.Index[i].X)
		}
		return &x
	case *Window:
		x := *e
		x.Image, x.Axes = m, slices.Clone(e.Axes)
		for i := range x.Axes {
			x.Axes[i].Start.X = f(x.Axes[i].Start.X)
		}
		return &x
	}
	panic("hast: what is no read reads no other image")
}

// MapSpace is a space with one applied to the bounds of its ranges.
func MapSpace(s Space, one func(Expr) Expr) Space {
	s.Ranges = append([]Range(nil), s.Ranges...)
	for i, r := range s.Ranges {
		s.Ranges[i].Lo, s.Ranges[i].Hi = one(r.Lo), one(r.Hi)
	}
	return s
}

// MapStage is a copy of a stage with other bounds of its space, other expressions in its condition and its body, and other images in the place of those that it writes.
func MapStage(s *Stage, bound, one func(Expr) Expr, image func(*Image) *Image) *Stage {
	x := *s
	x.Space = MapSpace(s.Space, bound)
	if s.Where != nil {
		x.Where = one(s.Where)
	}
	x.Body = MapStmts(s.Body, one)
	EachStore(x.Body, func(st *Store) { st.Image = image(st.Image) })
	return &x
}

// MapCertain is Map of what is computed whatever conditions in an expression say: it leaves choices and lazy operators as they are.
func MapCertain(e Expr, f func(Expr) Expr) Expr {
	return Map(e, func(e Expr) Expr {
		switch x := e.(type) {
		case *Select:
			return e
		case *Op:
			if x.Op.Lazy() {
				return e
			}
		}
		return f(e)
	})
}

// MapStmts is a list of statements with f applied to each expression that stands in them.
func MapStmts(list []Stmt, f func(Expr) Expr) []Stmt {
	out := make([]Stmt, len(list))
	one := func(x Expr) Expr {
		if x == nil {
			return nil
		}
		return f(x)
	}
	all := func(xs []Expr) []Expr {
		ys := make([]Expr, len(xs))
		for i, x := range xs {
			ys[i] = one(x)
		}
		return ys
	}
	for i, s := range list {
		switch s := s.(type) {
		case *Define:
			x := *s
			x.Init = one(s.Init)
			out[i] = &x
		case *Set:
			x := *s
			x.Index, x.Value = all(s.Index), one(s.Value)
			out[i] = &x
		case *Store:
			x := *s
			x.Index, x.Value = all(s.Index), one(s.Value)
			out[i] = &x
		case *If:
			x := *s
			x.Cond, x.Then, x.Else = one(s.Cond), MapStmts(s.Then, f), MapStmts(s.Else, f)
			out[i] = &x
		case *For:
			x := *s
			x.Space, x.Body = MapSpace(s.Space, one), MapStmts(s.Body, f)
			out[i] = &x
		case *While:
			out[i] = &While{one(s.Cond), MapStmts(s.Body, f), s.At}
		case *Return:
			out[i] = &Return{one(s.Value), s.At}
		default:
			out[i] = s
		}
	}
	return out
}

// Renewed is a list of statements with variables of its own.
func Renewed(body []Stmt) []Stmt {
	vars := map[*Var]*Var{}
	own := func(v *Var) *Var {
		w := *v
		vars[v] = &w
		return &w
	}
	WalkBody(body, func(st Stmt) {
		switch st := st.(type) {
		case *Define:
			own(st.Var)
		case *For:
			for _, v := range st.Space.Vars {
				own(v)
			}
		}
	}, nil)
	out := MapStmts(body, func(e Expr) Expr {
		return Map(e, func(e Expr) Expr {
			if r, ok := e.(*Ref); ok && vars[r.Var] != nil {
				return &Ref{Typed: r.Typed, Var: vars[r.Var]}
			}
			return nil
		})
	})
	WalkBody(out, func(st Stmt) {
		switch st := st.(type) {
		case *Define:
			st.Var = vars[st.Var]
		case *Set:
			if v := vars[st.Var]; v != nil {
				st.Var = v
			}
		case *For:
			st.Space.Vars = slices.Clone(st.Space.Vars)
			for k, v := range st.Space.Vars {
				st.Space.Vars[k] = vars[v]
			}
		}
	}, nil)
	return out
}

// MapBodies is a statement with f applied to each list of statements directly in it; one that has none is not copied.
func MapBodies(s Stmt, f func([]Stmt) []Stmt) Stmt {
	switch s := s.(type) {
	case *If:
		x := *s
		x.Then, x.Else = f(s.Then), f(s.Else)
		return &x
	case *For:
		x := *s
		x.Body = f(s.Body)
		return &x
	case *While:
		return &While{s.Cond, f(s.Body), s.At}
	}
	return s
}

// MapStages is a list of steps with f applied to each stage, those inside of other steps included.
func MapStages(list []Step, f func(*Stage) *Stage) []Step {
	return MapSteps(list, func(s Step) []Step {
		if s, ok := s.(*Stage); ok {
			return []Step{f(s)}
		}
		return nil
	})
}

// MapSteps is a list of steps with each replaced by what f makes of it; where that is nil, by itself with the steps inside of it replaced.
func MapSteps(list []Step, f func(Step) []Step) []Step {
	var out []Step
	for _, s := range list {
		if to := f(s); to != nil {
			out = append(out, to...)
			continue
		}
		switch x := s.(type) {
		case *IfHost:
			y := *x
			y.Then, y.Else = MapSteps(x.Then, f), MapSteps(x.Else, f)
			s = &y
		case *ForHost:
			y := *x
			y.Body = MapSteps(x.Body, f)
			s = &y
		case *WhileHost:
			y := *x
			y.Body = MapSteps(x.Body, f)
			s = &y
		case *Traverse:
			y := *x
			y.Body = Into(MapSteps(x.Body, f), x, &y)
			s = &y
		case *Descend:
			y := *x
			y.Between = MapSteps(x.Between, f)
			s = &y
		}
		out = append(out, s)
	}
	return out
}

// Into is a list of steps in which what descends into one traverse goes down into another one.
func Into(list []Step, from, to *Traverse) []Step {
	out := slices.Clone(list)
	for i, s := range out {
		switch s := s.(type) {
		case *Descend:
			x := *s
			if x.Between = Into(s.Between, from, to); s.Of == from {
				x.Of = to
			}
			out[i] = &x
		case *IfHost:
			x := *s
			x.Then, x.Else = Into(s.Then, from, to), Into(s.Else, from, to)
			out[i] = &x
		case *ForHost:
			x := *s
			x.Body = Into(s.Body, from, to)
			out[i] = &x
		case *WhileHost:
			x := *s
			x.Body = Into(s.Body, from, to)
			out[i] = &x
		}
	}
	return out
}

// Replaced is a value with what takes the place of some variables.
func Replaced(e Expr, by map[*Var]Expr) Expr {
	return Map(e, func(e Expr) Expr {
		if r, ok := e.(*Ref); ok {
			return by[r.Var]
		}
		return nil
	})
}
