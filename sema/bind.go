package sema

import (
	"fmt"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// An argument is what a call gives for one parameter of a kernel; which field is set depends on the parameter.
type argument struct {
	at    source.Span
	image *imageEnt
	value operand
	out   *varEnt
}

// A binder gives the parameters of a kernel their meaning at one call.
type binder struct {
	*env  // of the call
	k     *pipelineEnt
	call  *syntax.CallStmt
	args  []argument
	inner *env // of the kernel's text
	ok    bool
}

// bind checks the arguments of a call and returns the surroundings for the kernel's text; nil where something is wrong with the
// call, or with the kernel.
func (e *env) bind(k *pipelineEnt, s *syntax.CallStmt, sound bool) *env {
	b := &binder{env: e, k: k, call: s, ok: true}
	if !b.count() {
		e.arguments(s.Args)
		return nil
	}
	for i, p := range k.decl.Params {
		b.args = append(b.args, b.argument(i, p))
	}
	if b.ok && sound {
		b.sharing()
		b.bindAll()
	}
	b.touched()
	if !b.ok || !sound {
		return nil
	}
	return b.inner
}

// arguments checks arguments of a call that has been reported, for the errors in them.
func (e *env) arguments(args []syntax.Expr) {
	for _, a := range args {
		if m := e.bareImage(a); m != nil {
			m.read, m.written = true, true
			continue
		}
		e.operand(a)
	}
}

func (b *binder) fail(code diag.Code, at source.Span, format string, args ...any) *diag.Diagnostic {
	b.ok = false
	return b.errorf(code, at, format, args...).NoteAt(b.k.at, "%s is declared here", b.k.decl.Name.Text)
}

// count reports a wrong number of arguments. Those at the end may be missing where their parameters have a default.
func (b *binder) count() bool {
	params, got := b.k.decl.Params, len(b.call.Args)
	least := len(params)
	for least > 0 && params[least-1].Default != nil {
		least--
	}
	if got >= least && got <= len(params) {
		return true
	}
	want := plural(len(params), "argument")
	if least < len(params) {
		want = fmt.Sprintf("%d to %s", least, want)
	}
	b.fail(diag.ArgumentCount, b.call.At, "%s takes %s, not %d", b.k.example(), want, got)
	return false
}

// example is the kernel's head without types: "blur(src, dst)".
func (p *pipelineEnt) example() string {
	var names []string
	for _, q := range p.decl.Params {
		names = append(names, q.Name.Text)
	}
	return p.decl.Name.Text + "(" + strings.Join(names, ", ") + ")"
}

func (b *binder) argument(i int, p *syntax.Param) argument {
	if i >= len(b.call.Args) {
		return argument{at: b.call.At}
	}
	x := b.call.Args[i]
	a := argument{at: x.Span()}
	switch {
	case p.Type == nil:
		b.ok = false
	case p.Mask && b.bareImage(x) != nil:
		a.image = b.imageArgument(x, p)
	case p.Mask:
		a.value = b.operand(x)
		b.ok = b.ok && a.value.valid()
	case len(p.Type.Dims) > 0:
		a.image = b.imageArgument(x, p)
	case p.Dir == syntax.Out:
		a.out = b.outArgument(x, p)
	default:
		a.value = b.operand(x)
		b.ok = b.ok && a.value.valid()
	}
	return a
}

// imageArgument is the image that an argument names.
func (b *binder) imageArgument(x syntax.Expr, p *syntax.Param) *imageEnt {
	m := b.imageOf(x)
	if m == nil {
		if id, ok := b.qualified(x); ok && b.scope.find(id.Name) == nil {
			b.unknown(id.Name, id.At, func(ent entity) bool { _, ok := ent.(*imageEnt); return ok })
			b.ok = false
			return nil
		}
		errors := b.errors
		if o := b.operand(x); b.errors == errors && o.valid() {
			b.fail(diag.BadArgument, x.Span(), "the parameter %s of %s takes an image, this is %s", p.Name.Text, b.call.Name.Text, o.typ)
		}
		b.ok = false
		return nil
	}
	b.ok = b.ok && m.img.Elem.IsValid()
	if p.Dir != syntax.Out && !b.holdsSomething(m, x) {
		b.ok = false
	}
	if p.Dir != syntax.In && m.dir == hast.In {
		what := "an in parameter"
		if m.resampled != nil {
			what = "resampled"
		}
		b.fail(diag.WriteToIn, x.Span(), "%s is %s, and %s writes its %s", excerpt(x.Span()), what, b.call.Name.Text, p.Name.Text)
	}
	return m
}

// outArgument is the scalar that an argument for an out scalar names.
func (b *binder) outArgument(x syntax.Expr, p *syntax.Param) *varEnt {
	id, ok := syntax.Unparen(x).(*syntax.Ident)
	if ok {
		ent := b.scope.find(id.Name)
		if v, isVar := ent.(*varEnt); isVar && (v.v.Class == hast.ScalarOut || v.v.Class == hast.HostMutable) {
			for _, o := range b.pipe.outs {
				o.set = o.set || o.ent == v
			}
			return v
		}
		if _, bad := ent.(*badEnt); bad {
			b.ok = false
			return nil
		}
		if ent == nil {
			b.unknown(id.Name, id.At, isValue)
			b.ok = false
			return nil
		}
	}
	b.fail(diag.BadArgument, x.Span(), "the parameter %s of %s is out: it takes an out scalar or a var of the caller", p.Name.Text, b.call.Name.Text)
	return nil
}

// touched notes what the call does with its images.
func (b *binder) touched() {
	for i, p := range b.k.decl.Params {
		if m := b.args[i].image; m != nil {
			m.read = m.read || p.Dir != syntax.Out
			m.written = m.written || p.Dir != syntax.In
		}
	}
}

// sharing reports an image that reaches the call twice and is written by it.
func (b *binder) sharing() {
	params := b.k.decl.Params
	for i, p := range params {
		for j, q := range params[:i] {
			m, n := b.args[i].image, b.args[j].image
			if m == nil || n == nil || m.img.Base() != n.img.Base() || p.Dir == syntax.In && q.Dir == syntax.In || apart(m.img, n.img) {
				continue
			}
			writer := p
			if p.Dir == syntax.In {
				writer = q
			}
			b.fail(diag.SharedImage, b.args[i].at, "%s reaches %s twice, as %s and as %s, and is written as %s", excerpt(b.args[i].at), b.call.Name.Text,
				q.Name.Text, p.Name.Text, writer.Name.Text).
				Note("keep a copy: image before: %s = %s;", typeText(m.img), m.img.Name)
		}
	}
}

// typeText is the type of an image with its sizes where they are names.
func typeText(m *hast.Image) string {
	s := m.Elem.String()
	for _, x := range m.Extent {
		switch x := x.(type) {
		case *hast.Ref:
			s += "[" + x.Var.Name + "]"
		case *hast.Const:
			s += fmt.Sprintf("[%d]", x.Words[0].Int())
		default:
			s += "[...]"
		}
	}
	return s
}

// bindAll declares the parameters and sizes, in the order in which they may use each other.
func (b *binder) bindAll() {
	bound, ok := b.types()
	if !ok || !b.ok {
		b.ok = false
		return
	}
	home := b.k.home
	if bound != nil {
		home = typeScope(home, b.k.decl.Tvars, bound)
	}
	b.inner = &env{
		checker: b.checker, scope: newScope(home), where: onHost, pipe: b.pipe, nests: b.nests, again: b.again, guards: b.guards, trav: b.trav,
		device: b.deviceNames(b.k.decl, b.k.home),
	}
	for i, p := range b.k.decl.Params {
		switch {
		case p.Mask:
			b.mask(p, b.args[i])
		case b.args[i].out != nil:
			b.outScalar(p, b.args[i])
		case b.args[i].image == nil:
			b.scalar(p, b.args[i])
		default:
			b.ok = b.shape(p, b.args[i]) && b.ok
		}
	}
	if !b.ok {
		return
	}
	for _, s := range b.k.sizes {
		b.size(s)
	}
	for i := range b.args {
		if b.args[i].image != nil && !b.k.decl.Params[i].Mask && b.ok {
			b.image(i)
		}
	}
}

// types finds what the kernel's type variables stand for; nil for a kernel without.
func (b *binder) types() ([]types.Type, bool) {
	if len(b.k.decl.Tvars) == 0 {
		return nil, true
	}
	var params []*syntax.Type
	var seen []evidence
	for i, p := range b.k.decl.Params {
		a := b.args[i]
		known := evidence{typ: a.value.typ.Elem(), soft: a.value.con != nil && a.value.con.soft, at: a.at, name: p.Name.Text}
		switch {
		case a.image != nil:
			known.typ = a.image.img.Elem
		case a.out != nil:
			known.typ = a.out.v.Type
		}
		params, seen = append(params, p.Type), append(seen, known)
	}
	return b.infer(b.k.decl.Tvars, params, seen, b.call.Name.Text)
}

// scalar makes a parameter stand for the value of its argument, or for its default.
func (b *binder) scalar(p *syntax.Param, a argument) {
	t := b.inner.baseType(p.Type.Base)
	o, from := a.value, b.env
	if !o.valid() {
		from = &env{checker: b.checker, scope: b.inner.scope.parent, where: inConst}
		o = from.operand(p.Default)
	}
	o = from.assign(o, t, "the parameter "+p.Name.Text+" of "+b.call.Name.Text)
	switch {
	case !o.valid():
		b.ok = false
		return
	case o.con != nil:
		b.inner.declare(p.Name, &valueEnt{declared{p.Name.At}, o})
		return
	}
	x := b.expr(o)
	switch {
	case x == nil || !b.onePixel(x):
		b.ok = false
		return
	case computed(x): // stays on the device, as a let does
		value := b.onDevice(p.Name.Text, x, a.at)
		b.inner.declare(p.Name, &valueEnt{declared{p.Name.At}, runtime(value)})
		return
	}
	if r, ok := x.(*hast.Ref); ok && fixed[r.Var.Class] {
		b.inner.declare(p.Name, &valueEnt{declared{p.Name.At}, o})
		return
	}
	x = b.awaited(x)
	v := newVar(p.Name, t, hast.HostValue)
	v.used = true
	b.inner.declare(p.Name, v)
	b.pipe.p.Steps = append(b.pipe.p.Steps, &hast.DefineHost{Var: v.v, Value: x, At: a.at})
	if b.knownAtEntry(x) {
		b.pipe.lets[v.v] = b.withoutLets(x)
	}
}

// fixed are the variables of the host that keep their value, so that a parameter may stand for one.
var fixed = map[hast.VarClass]bool{hast.SizeVar: true, hast.ScalarIn: true, hast.HostValue: true, hast.HostLoop: true, hast.HostLevel: true}

// outScalar makes a parameter stand for an out scalar of the caller.
func (b *binder) outScalar(p *syntax.Param, a argument) {
	if t := b.inner.baseType(p.Type.Base); t != a.out.v.Type {
		b.fail(diag.BadArgument, a.at, "the parameter %s of %s is %s, %s is %s", p.Name.Text, b.call.Name.Text, t, a.out.v.Name, a.out.v.Type)
		return
	}
	b.inner.declare(p.Name, a.out)
}

// mask makes a parameter stand for a constant mask, and its sizes for the mask's.
func (b *binder) mask(p *syntax.Param, a argument) {
	t := b.inner.baseType(p.Type.Base)
	o := a.value
	switch {
	case a.image != nil:
		b.imageMask(p, a)
		return
	case o.con == nil:
		b.fail(diag.BadArgument, a.at, "the mask %s of %s is given as a mask, or as a mask parameter", p.Name.Text, b.call.Name.Text)
		return
	case int(o.typ.Rank) != len(p.Type.Dims):
		b.fail(diag.BadArgument, a.at, "the mask %s of %s has %s, this is %s", p.Name.Text, b.call.Name.Text,
			plural(len(p.Type.Dims), "extent"), o.typ)
		return
	}
	for i, d := range p.Type.Dims {
		id, ok := d.Hi.(*syntax.Ident)
		if ok && b.inner.scope.find(id.Name) == nil {
			size := constOperand(smallInt(int64(o.typ.Dims[i])), id.At)
			b.inner.declare(syntax.Name{Place: id.Place, Text: id.Name}, &valueEnt{declared{id.At}, size})
			continue
		}
		if n, ok := b.inner.constInt(d.Hi, "an extent of a mask"); !ok || n != int(o.typ.Dims[i]) {
			b.fail(diag.BadArgument, a.at, "the mask %s of %s has the extent %s, this is %s", p.Name.Text, b.call.Name.Text, excerpt(d.At), o.typ)
			return
		}
	}
	o = b.assign(o, o.typ.WithKind(t.Kind), "the mask "+p.Name.Text+" of "+b.call.Name.Text)
	b.ok = b.ok && o.valid()
	b.inner.declare(p.Name, &valueEnt{declared{p.Name.At}, o})
}

// imageMask binds a mask parameter to a mask that is given at run time.
func (b *binder) imageMask(p *syntax.Param, a argument) {
	m := a.image
	if !m.mask {
		b.fail(diag.BadArgument, a.at, "the parameter %s of %s takes a mask, %s is an image", p.Name.Text, b.call.Name.Text, m.img.Name).
			NoteAt(m.at, "%s is declared here", m.img.Name).Note("declare it as a mask: in %s: mask %s", m.img.Name, typeText(m.img))
		return
	}
	if !b.ok || !b.shape(p, a) {
		b.ok = false
		return
	}
	for i, d := range p.Type.Dims {
		id, ok := d.Hi.(*syntax.Ident)
		if ok && b.inner.scope.find(id.Name) == nil {
			b.inner.declare(syntax.Name{Place: id.Place, Text: id.Name}, &valueEnt{declared{id.At}, b.hostOperand(m.img.Extent[i], id)})
			continue
		}
		n := b.inner.imageExtent(d.Hi)
		if n == nil {
			b.ok = false
			return
		}
		want, okn := constInt(n)
		got, okc := constInt(m.img.Extent[i])
		switch {
		case okn && okc && want != got:
			b.fail(diag.BadArgument, a.at, "the mask %s of %s has the extent %s, %s has %d", p.Name.Text, b.call.Name.Text, excerpt(d.At), m.img.Name, got)
			return
		case !hast.Equal(n, m.img.Extent[i]):
			b.demand(p, a, i, ops.Eq, n, m.img.Extent[i])
		}
	}
	b.inner.declare(p.Name, &imageEnt{declared: declared{p.Name.At}, img: m.img, dir: hast.In, usage: m.usage, mask: true})
}

// shape reports an image of another element type or number of axes than its parameter's.
func (b *binder) shape(p *syntax.Param, a argument) bool {
	m, want := a.image.img, b.inner.baseType(p.Type.Base)
	if m.Rank() != len(p.Type.Dims) {
		b.fail(diag.BadArgument, a.at, "the parameter %s of %s has %s, %s has %d", p.Name.Text, b.call.Name.Text,
			plural(len(p.Type.Dims), "axis", "axes"), m.Name, m.Rank())
		return false
	}
	if want == m.Elem || !want.IsValid() {
		return want.IsValid()
	}
	d := b.fail(diag.BadArgument, a.at, "the parameter %s of %s has pixels of %s, %s of %s", p.Name.Text, b.call.Name.Text, want, m.Name, m.Elem)
	if p.Dir == syntax.In {
		d.Note("convert it before: image a: %s = [%s(%s) for %s];", strings.Replace(typeText(m), m.Elem.String(), want.String(), 1), want,
			a.image.example(), listedVars(m.Rank()))
	}
	if len(b.k.decl.Tvars) == 0 {
		d.Note("or let the kernel take any type: kernel %s<T>(... %s: T%s ...)", b.k.decl.Name.Text, p.Name.Text, strings.Repeat("[...]", m.Rank()))
	}
	return false
}
