package sema

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// size makes a size name of the kernel stand for what the argument's extent gives: (extent - add) / mul.
func (b *binder) size(s sizeOf) {
	p, a := b.k.decl.Params[s.param], b.args[s.param]
	x := a.image.img.Extent[s.axis]
	if x == nil || !b.ok {
		b.ok = false
		return
	}
	if n, ok := constInt(x); ok && (n-s.add)%s.mul != 0 {
		b.fail(diag.BadArgument, a.at, "%s has the extent %d on axis %d, which is not %s of %s", a.image.img.Name, n, s.axis,
			excerpt(p.Type.Dims[s.axis].Hi.Span()), b.call.Name.Text)
		return
	}
	if s.mul > 1 {
		rest := binaryInt(ops.Rem, plus(x, -s.add, a.at), intConst(s.mul, a.at), a.at)
		b.demand(p, a, s.axis, ops.Eq, rest, intConst(0, a.at))
	}
	b.inner.scope.names[s.name.Text] = &valueEnt{declared{s.name.At}, b.hostOperand(quotient(plusOrSame(x, -s.add, a.at), s.mul, a.at), s.name)}
}

func plusOrSame(x hast.Expr, k int64, at source.Span) hast.Expr {
	if k == 0 {
		return x
	}
	return plus(x, k, at)
}

// quotient is x / k of a multiple of k.
func quotient(x hast.Expr, k int64, at source.Span) hast.Expr {
	if v, ok := constInt(x); ok {
		return intConst(v/k, at)
	}
	if k == 1 {
		return x
	}
	return binaryInt(ops.Div, x, intConst(k, at), at)
}

// demand adds a check at entry on an argument's extent, unless both sides are constant.
func (b *binder) demand(p *syntax.Param, a argument, axis int, op ops.Op, x, y hast.Expr) {
	_, okx := constInt(x)
	_, oky := constInt(y)
	if okx && oky {
		return // has been looked at
	}
	b.entryCheck(&hast.Op{Typed: typed(types.Scalar(types.Bool), a.at), Op: op, Args: []hast.Expr{x, y}}, a.at,
		"%s does not have the extent %s of %s on axis %d, as %s asks for", a.image.img.Name,
		excerpt(p.Type.Dims[axis].Hi.Span()), p.Name.Text, axis, b.call.Name.Text)
}

// image makes a parameter stand for an image: its extents are compared, and border rules of the parameter come before those of
// the argument.
func (b *binder) image(i int) {
	p, a := b.k.decl.Params[i], b.args[i]
	m := a.image
	for axis, d := range p.Type.Dims {
		want, lower := b.inner.imageAxis(d)
		got := m.img.Extent[axis]
		if want == nil || got == nil {
			b.ok = false
			return
		}
		if lower != m.lower(axis) {
			b.fail(diag.BadArgument, a.at, "%s starts at index %d on axis %d, and %s of %s at %d", m.img.Name, m.lower(axis), axis, p.Name.Text,
				b.call.Name.Text, lower).NoteAt(p.At, "%s is declared here", p.Name.Text)
			return
		}
		if hast.Equal(want, got) || b.bindsSize(i, axis) {
			continue
		}
		n, okn := constInt(want)
		c, okc := constInt(got)
		if okn && okc && n != c {
			d := b.fail(diag.BadArgument, a.at, "%s has the extent %d on axis %d, and %s of %s needs %s = %d", m.img.Name, c, axis, p.Name.Text,
				b.call.Name.Text, excerpt(d.Hi.Span()), n)
			d.NoteAt(p.At, "%s is declared here", p.Name.Text)
			return
		}
		b.demand(p, a, axis, ops.Eq, want, got)
	}
	inner := &imageEnt{declared: declared{p.Name.At}, img: m.img, dir: directions[p.Dir], rule: m.rule, badRule: m.badRule, usage: m.usage}
	inner.resampled = m.resampled
	inner.declaredRule, inner.ruleHome = m.declaredRule, m.ruleHome
	b.inner.declare(p.Name, inner)
	b.inner.ownRule(inner, p.Border)
}

// bindsSize reports whether a size comes from the extent of a parameter.
func (b *binder) bindsSize(param, axis int) bool {
	return slices.ContainsFunc(b.k.sizes, func(s sizeOf) bool { return s.param == param && s.axis == axis })
}

// assume is assume(c): the entry point tests the condition, and the proofs may rest on it.
func (e *env) assume(s *syntax.CallStmt) {
	if len(s.Args) != 1 {
		for _, a := range s.Args {
			e.operand(a)
		}
		e.errorf(diag.ArgumentCount, s.At, "assume takes a condition, not %s", plural(len(s.Args), "argument"))
		return
	}
	o := e.condition(s.Args[0], "assume")
	switch {
	case !o.valid():
	case o.con != nil && o.con.nums[0].isZero():
		e.errorf(diag.BadAssume, s.At, "this never holds: %s is false", excerpt(o.at))
	case o.con == nil:
		x := e.expr(o)
		if x == nil {
			return
		}
		if x = e.atEntry(x, "an assumption"); x != nil {
			e.entryCheck(x, s.At, "%s was assumed, and does not hold", excerpt(o.at))
		}
	}
}
