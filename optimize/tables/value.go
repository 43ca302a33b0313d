package tables

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A source is the byte that a value depends on.
type source struct {
	kind types.Kind
	byte hast.Expr // the pixel, or whatever has the byte
	lane int       // of byte
	at   hast.Expr // an integer of the byte's value, where it is used
}

// A value is a component of an expression as computed from one byte.
type value struct {
	f    hast.Expr // of the hole, with constants and values of the host; nil where it depends on anything else
	from *source   // nil where it depends on no byte
	late bool      // it depends on what steps before compute
}

// asked is what was asked for: moved are values of lets, which are used elsewhere.
type asked struct {
	e     hast.Expr
	lane  int
	moved bool
}

// of is a component of an expression; the one that there is of a scalar.
func (t *tabler) of(e hast.Expr, lane int, moved bool) value {
	if e.Type().IsArray() {
		return value{}
	}
	if e.Type().IsScalar() {
		lane = 0
	}
	key := asked{e, lane, moved}
	v, known := t.known[key]
	if !known {
		if v = t.component(e, lane, moved); v.f == nil && !moved && isByte(e.Type().Kind) {
			v = t.byte(e, lane)
		}
		t.known[key] = v
	}
	return v
}

// isByte reports whether a kind has the values of a byte.
func isByte(k types.Kind) bool { return k == types.U8 || k == types.I8 }

// byte is a component of an expression as the byte that others depend on.
func (t *tabler) byte(e hast.Expr, lane int) value {
	k := e.Type().Kind
	return value{f: hast.RefTo(t.holes[k]), from: &source{kind: k, byte: e, lane: lane, at: componentOf(e, lane)}}
}

// componentOf is a component of an expression as an expression.
func componentOf(e hast.Expr, lane int) hast.Expr {
	if e.Type().IsScalar() {
		return e
	}
	return &hast.Swizzle{Typed: hast.Typed{T: e.Type().WithLanes(1), At: e.Span()}, X: e, Lanes: []int{lane}}
}

func (t *tabler) component(e hast.Expr, lane int, moved bool) value {
	typed := hast.Typed{T: e.Type().WithLanes(1), At: e.Span()}
	switch e := e.(type) {
	case *hast.Const:
		return value{f: &hast.Const{Typed: typed, Words: e.Words[lane : lane+1]}}
	case *hast.Ref:
		return t.ref(e, lane)
	case *hast.Splat:
		return t.of(e.X, 0, moved)
	case *hast.Vec:
		return t.of(e.Parts[lane], 0, moved)
	case *hast.Swizzle:
		return t.of(e.X, e.Lanes[lane], moved)
	case *hast.Convert:
		return t.together(func(x []hast.Expr) hast.Expr { return &hast.Convert{Typed: typed, X: x[0], How: e.How} }, lane, moved, e.X)
	case *hast.Op:
		if e.Op >= ops.Dot { // of whole vectors
			return value{}
		}
		if e.Op.Lazy() && t.byteBehind(e.Args[0], lane, moved, e.Args[1]) {
			return value{}
		}
		return t.together(func(x []hast.Expr) hast.Expr { return &hast.Op{Typed: typed, Op: e.Op, Args: x} }, lane, moved, e.Args...)
	case *hast.Select:
		if t.byteBehind(e.Cond, lane, moved, e.Then, e.Else) {
			return value{}
		}
		return t.together(func(x []hast.Expr) hast.Expr { return &hast.Select{Typed: typed, Cond: x[0], Then: x[1], Else: x[2]} }, lane, moved, e.Cond, e.Then, e.Else)
	case *hast.Call:
		if !isFormula(e) {
			return value{}
		}
		return t.together(func(x []hast.Expr) hast.Expr { return &hast.Call{Typed: typed, Func: e.Func, Args: x} }, 0, moved, e.Args...)
	case *hast.Load:
		return t.load(e, lane, moved)
	}
	return value{}
}

// byteBehind reports whether the byte is read where a condition holds that does not depend on it, and which may be what keeps the read inside of the image.
func (t *tabler) byteBehind(cond hast.Expr, lane int, moved bool, behind ...hast.Expr) bool {
	return t.of(cond, lane, moved).from == nil && slices.ContainsFunc(behind, func(e hast.Expr) bool { return t.of(e, lane, moved).from != nil })
}

// isFormula reports whether a call is that of a func of numbers that ends whatever these are.
func isFormula(e *hast.Call) bool {
	ok := e.T.IsScalar() && e.Func.Extern == nil
	for _, a := range e.Args {
		ok = ok && a.Type().IsScalar()
	}
	hast.WalkBody(e.Func.Body, func(s hast.Stmt) {
		switch s.(type) {
		case *hast.For, *hast.While:
			ok = false
		}
	}, func(e hast.Expr) {
		switch e.(type) {
		case *hast.Load, *hast.Window:
			ok = false
		}
	})
	return ok
}

// most is how many operands a value has at most, those of what is in it included.
const most = 400

// together is what is made of operands that depend on the same byte.
func (t *tabler) together(make func([]hast.Expr) hast.Expr, lane int, moved bool, operands ...hast.Expr) value {
	var out value
	var x []hast.Expr
	for _, o := range operands {
		v := t.of(o, lane, moved)
		if v.f == nil || v.from != nil && out.from != nil && !v.from.same(out.from) {
			return value{}
		}
		if out.from == nil {
			out.from = v.from
		}
		out.late = out.late || v.late
		x = append(x, v.f)
	}
	n := 0
	for _, f := range x {
		hast.Walk(f, func(hast.Expr) { n++ })
	}
	if n <= most {
		out.f = make(x)
	}
	return out
}

func (s *source) same(o *source) bool {
	return s.kind == o.kind && s.lane == o.lane && (s.byte == o.byte || hast.Equal(s.byte, o.byte))
}

// ref is a component of a variable: what a let has, where that is not worth a table by itself for all that read it, or a value of the host.
func (t *tabler) ref(e *hast.Ref, lane int) value {
	if e.Var.Class.OfHost() && e.Var.Class != hast.HostLevel {
		return value{f: componentOf(e, lane), late: e.Var.Class != hast.SizeVar && e.Var.Class != hast.ScalarIn}
	}
	init := t.lets[e.Var]
	if init == nil {
		return value{}
	}
	v := t.of(init, lane, true)
	switch {
	case v.f == nil && isByte(e.T.Kind):
		return t.byte(e, lane)
	case v.f == nil || v.from != nil && t.reads[e.Var] > 1 && t.isWorth(v.f):
		return value{}
	case v.from != nil && holds(v.f):
		from := *v.from
		from.at = componentOf(e, lane)
		v.from = &from
	}
	return v
}

// holds reports whether an integer has the value of the byte.
func holds(f hast.Expr) bool {
	if c, ok := f.(*hast.Convert); ok && c.T.Kind.IsInt() && c.How != hast.Bitcast {
		k := c.X.Type().Kind
		if c.T.Kind.Bits() <= 8 || c.T.Kind.Bits() > 32 || k == types.I8 && !c.T.Kind.IsSigned() {
			return false
		}
		f = c.X
	}
	r, ok := f.(*hast.Ref)
	return ok && isByte(r.T.Kind)
}

// load is a component of a pixel: one of bytes, the only one of a scalar that a stage before computes, or the entry of a table that the program has for the byte.
func (t *tabler) load(e *hast.Load, lane int, moved bool) value {
	if t.written[e.Image.Base()] || moved && !isFixed(e) {
		return value{}
	}
	if entry := t.entry(e, lane, moved); entry.f != nil {
		return entry
	}
	if isByte(e.T.Kind) && t.readsNoneWritten(e) {
		return t.byte(e, lane)
	}
	return value{}
}

// entry is a component of a pixel of a line as long as a byte has values, at one of a byte, or of a scalar.
func (t *tabler) entry(e *hast.Load, lane int, moved bool) value {
	if len(e.Index) != 1 || e.Index[0].Below || e.Index[0].Above || e.Image.Lower != nil || e.Image.View != nil || e.Image.Of != nil {
		return value{}
	}
	x := e.Index[0].X
	if n, number := hast.Number(x); number && n == 0 && e.Image.Scalar {
		return value{f: componentOf(e, lane), late: true}
	}
	v := t.of(x, 0, moved)
	if n, known := hast.Number(e.Image.Extent[0]); v.f == nil || v.from == nil || v.from.kind != types.U8 || !holds(v.f) || !known || n < entries {
		return value{}
	}
	load := *e
	load.Index = []hast.Coord{{X: v.f}}
	return value{f: componentOf(&load, lane), from: v.from, late: true}
}

// isFixed reports whether a pixel is the same wherever it is read in a body that does not write the images that it depends on.
func isFixed(e *hast.Load) bool {
	fixed := true
	hast.Walk(e, func(e hast.Expr) {
		r, ok := e.(*hast.Ref)
		fixed = fixed && !(ok && r.Var.Class == hast.Mutable)
	})
	return fixed
}

// readsNoneWritten reports whether no image in an expression is one that the stage writes.
func (t *tabler) readsNoneWritten(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			ok = ok && !t.written[e.Image.Base()]
		case *hast.Window:
			ok = ok && !t.written[e.Image.Base()]
		}
	})
	return ok
}

// entry is that of a table for the byte, in the place of an expression.
func (s *source) entry(m *hast.Image, of hast.Expr) hast.Expr {
	i32 := types.Scalar(types.I32)
	at := s.at
	if at.Type() != i32 {
		at = &hast.Convert{Typed: hast.Typed{T: i32, At: of.Span()}, X: at}
	}
	if s.kind == types.I8 {
		at = hast.Plus(at, entries/2)
	}
	return &hast.Load{Typed: hast.Typed{T: m.Elem, At: of.Span()}, Image: m, Index: []hast.Coord{{X: at}}}
}

// alike reports whether two values are computed alike.
func alike(x, y hast.Expr) bool {
	if hast.Equal(x, y) {
		return true
	}
	a, ok := x.(*hast.Call)
	b, too := y.(*hast.Call)
	return ok && too && a.Func == b.Func && slices.EqualFunc(a.Args, b.Args, alike)
}
