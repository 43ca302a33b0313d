package overlap

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// A part is a part of a body that a block does as a whole.
type part struct {
	each    []hast.Stmt  // what each instance does by itself, one after the other
	windows []*window    // the sums in it that are shared
	let     *hast.Define // else: a value that is the same for all
	loop    *hast.For    // else: a loop whose rounds are the same for all, and
	rounds  []*part      // what they do
}

// parts takes statements apart. Why they cannot be is not asked: what is not shared stays with the instances.
func (b *blocking) parts(list []hast.Stmt) (out []*part) {
	var open *part
	for _, s := range b.looped(b.summed(list)) {
		if d, ok := s.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil && !d.Var.Type.IsArray() && b.sameFor(d.Init) {
			b.uniform[d.Var] = true
			out, open = append(out, &part{let: d}), nil
			continue
		}
		if loop, ok := s.(*hast.For); ok {
			if p := b.loopPart(loop); p != nil {
				out, open = append(out, p), nil
				continue
			}
		}
		if open == nil {
			open = &part{}
			out = append(out, open)
		}
		open.each = append(open.each, s)
		open.windows = append(open.windows, b.windowsIn(s)...)
	}
	return out
}

// loopPart is a loop whose rounds the block does as wholes; nil where that shares nothing, or cannot be.
func (b *blocking) loopPart(loop *hast.For) *part {
	if block.Jumps(loop.Body) || !b.sameSpace(loop.Space) {
		return nil
	}
	for _, v := range loop.Space.Vars {
		b.uniform[v] = true
	}
	if p := (&part{loop: loop, rounds: b.parts(loop.Body)}); p.shares() {
		return p
	}
	for _, v := range loop.Space.Vars {
		delete(b.uniform, v)
	}
	return nil
}

// sameSpace reports whether a space has the same points for all instances of a block.
func (b *blocking) sameSpace(s hast.Space) bool {
	return !slices.ContainsFunc(s.Ranges, func(r hast.Range) bool { return !b.sameFor(r.Lo) || !b.sameFor(r.Hi) })
}

// shares reports whether there are sums in a part that instances share.
func (p *part) shares() bool {
	return len(p.windows) > 0 || slices.ContainsFunc(p.rounds, (*part).shares)
}

// windowsIn are the shared sums that a statement computes in any case.
func (b *blocking) windowsIn(s hast.Stmt) (list []*window) {
	exprs, _ := hast.Parts(s)
	if _, loop := s.(*hast.For); loop {
		return nil
	}
	if _, loop := s.(*hast.While); loop {
		return nil
	}
	for _, e := range exprs {
		eachCertain(e, func(e hast.Expr) bool {
			w := b.windowOf(e)
			if w != nil && !slices.ContainsFunc(list, func(x *window) bool { return x.of == w.of }) {
				list = append(list, w)
			}
			return w == nil
		})
	}
	return list
}

// eachCertain calls f for an expression, and for those in it that are computed whenever it is, as long as f wants to know of these.
func eachCertain(e hast.Expr, f func(hast.Expr) bool) {
	if !f(e) {
		return
	}
	switch e := e.(type) {
	case *hast.Reduce:
		return
	case *hast.Select:
		eachCertain(e.Cond, f)
		return
	case *hast.Op:
		if e.Op.Lazy() {
			eachCertain(e.Args[0], f)
			return
		}
	}
	hast.EachOperand(e, func(x hast.Expr) { eachCertain(x, f) })
}
