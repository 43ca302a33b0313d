package interp

import (
	"imgc/hast"
	"imgc/types"
)

// stmts compiles a sequence.
func (c *compiler) stmts(list []hast.Stmt) stmtFn {
	code := make([]stmtFn, len(list))
	for i, s := range list {
		code[i] = c.stmt(s)
	}
	if len(code) == 1 {
		return code[0]
	}
	return func(fr *frame) control {
		for _, f := range code {
			if how := f(fr); how != next {
				return how
			}
		}
		return next
	}
}

func (c *compiler) stmt(s hast.Stmt) stmtFn {
	switch s := s.(type) {
	case *hast.Define:
		slot := c.slot(s.Var)
		if s.Later {
			return func(*frame) control { return next }
		}
		return always(next, c.store(s.Init, slot))
	case *hast.Set:
		return always(next, c.set(s))
	case *hast.Store:
		return always(next, c.storePixel(s))
	case *hast.If:
		return c.ifStmt(s)
	case *hast.For:
		return swallow(c.over(s.Space, s.At, c.stmts(s.Body)))
	case *hast.While:
		return c.whileStmt(s)
	case *hast.Break:
		return func(*frame) control { return leave }
	case *hast.Continue:
		return func(*frame) control { return again }
	case *hast.Return:
		if c.returning == nil {
			throw(s.At, "return outside of a func")
		}
		return always(back, c.store(s.Value, c.returning.result))
	}
	throw(s.Span(), "the interpreter does not know the statement %T", s)
	return nil
}

func always(how control, do action) stmtFn {
	return func(fr *frame) control {
		do(fr)
		return how
	}
}

// swallow ends a break at its loop.
func swallow(loop stmtFn) stmtFn {
	return func(fr *frame) control {
		if how := loop(fr); how != leave {
			return how
		}
		return next
	}
}

func (c *compiler) ifStmt(s *hast.If) stmtFn {
	cond, then, other := c.truth(s.Cond), c.stmts(s.Then), c.stmts(s.Else)
	return func(fr *frame) control {
		if cond(fr) != 0 {
			return then(fr)
		}
		return other(fr)
	}
}

func (c *compiler) whileStmt(s *hast.While) stmtFn {
	cond, body, where := c.truth(s.Cond), c.stmts(s.Body), at(s.At)
	return func(fr *frame) control {
		fr.enter()
		for how := next; how < leave && cond(fr) != 0; {
			fr.step(where)
			if how = body(fr); how == back {
				fr.leave()
				return back
			}
		}
		fr.leave()
		return next
	}
}

// set compiles an assignment to a variable or to an element of one.
func (c *compiler) set(s *hast.Set) action {
	to := c.slot(s.Var)
	if len(s.Index) == 0 {
		return c.store(s.Value, to)
	}
	shape := s.Var.Type.Shape()
	if len(s.Index) != len(shape) {
		throw(s.At, "%d indices for %s of type %s", len(s.Index), s.Var.Name, s.Var.Type)
	}
	find, x := c.elementIndex(s.Index, shape), c.block(s.Value)
	return func(fr *frame) {
		i := find(fr)
		if i < 0 {
			return
		}
		x.run(fr)
		copy(fr.w[to+int(i)*x.n:][:x.n], fr.w[x.at:])
	}
}

// storePixel compiles a write to an image.
func (c *compiler) storePixel(s *hast.Store) action {
	index := make([]hast.Coord, len(s.Index))
	for i, x := range s.Index {
		index[i] = hast.Coord{X: x}
	}
	if s.Value.Type() != s.Image.Elem {
		throw(s.At, "a %s is stored in %s, an image of %s", s.Value.Type(), s.Image.Name, s.Image.Elem)
	}
	a := c.access(s.Image, index, nil, s.At)
	c.written = append(c.written, s.Image.Base())
	if !s.Skip {
		return c.storeAt(s, a)
	}
	a.skips()
	find, store := a.finder(), c.storeAt(s, a)
	return func(fr *frame) {
		if find(fr) >= 0 {
			store(fr)
		}
	}
}

// storeAt compiles what a store does with its pixel.
func (c *compiler) storeAt(s *hast.Store, a *access) action {
	switch {
	case s.Updates():
		return c.update(s, a)
	case s.Image.Elem.Lanes > 1:
		return c.storeLanes(s.Value, a)
	case s.Image.Elem.Kind.IsFloat():
		return storeFloat(a, c.float(s.Value).eval)
	}
	return storeIntCells(a, c.int(s.Value).eval)
}

func storeFloat(a *access, f floatFn) action {
	find := a.finder()
	if d, ok := a.r.cells.(singles); ok {
		return func(fr *frame) {
			i := find(fr)
			if v := f(fr); v == v {
				d[i] = float32(v)
			} else {
				d.set(int(i), types.Float(v))
			}
		}
	}
	d := a.r.cells
	return func(fr *frame) { d.set(int(find(fr)), types.Float(f(fr))) }
}

func storeIntCells(a *access, f intFn) action {
	switch d := a.r.cells.(type) {
	case ints[uint8]:
		return storeInt(d, a, f)
	case ints[uint16]:
		return storeInt(d, a, f)
	case ints[int16]:
		return storeInt(d, a, f)
	case ints[int32]:
		return storeInt(d, a, f)
	}
	find, d := a.finder(), a.r.cells
	return func(fr *frame) { d.set(int(find(fr)), types.Int(f(fr))) }
}

func storeInt[T integer](d ints[T], a *access, f intFn) action {
	find := a.finder()
	return func(fr *frame) { d[find(fr)] = T(f(fr)) }
}

func (c *compiler) storeLanes(value hast.Expr, a *access) action {
	x, find, d := c.block(value), a.finder(), a.r.cells
	return func(fr *frame) {
		x.run(fr)
		first := int(find(fr))
		for lane := range x.n {
			d.set(first+lane, fr.w[x.at+lane])
		}
	}
}

// update compiles pixel = pixel op value, component by component, or pixel = f(pixel, value).
func (c *compiler) update(s *hast.Store, a *access) action {
	c.updates = c.updates || !s.Alone
	if s.Func != nil {
		return c.updateByFunc(s, a)
	}
	x, find, d := c.block(s.Value), a.finder(), a.r.cells
	kind := s.Image.Elem.Kind
	if !s.Alone && kind.IsFloat() && kind.Bits() == 16 {
		kind = types.F32
		c.rounded = append(c.rounded, a.r)
	}
	take := wordBinary(s.Op, kind)
	return func(fr *frame) {
		x.run(fr)
		first := int(find(fr))
		for lane := range x.n {
			d.set(first+lane, take(d.get(first+lane), fr.w[x.at+lane]))
		}
	}
}

func (c *compiler) updateByFunc(s *hast.Store, a *access) action {
	f := c.function(s.Func)
	x, find, d := c.block(s.Value), a.finder(), a.r.cells
	return func(fr *frame) {
		x.run(fr)
		first := int(find(fr))
		for lane := range x.n {
			fr.w[f.params[0]+lane] = d.get(first + lane)
		}
		copy(fr.w[f.params[1]:f.params[1]+x.n], fr.w[x.at:])
		f.body(fr)
		for lane := range x.n {
			d.set(first+lane, fr.w[f.result+lane])
		}
	}
}
