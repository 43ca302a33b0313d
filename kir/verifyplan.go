package kir

import "imgc/types"

// pipeline checks a host plan. Host variables are the sizes, the scalar parameters, the offsets and pitches of images, and what
// Let steps define, from there on.
func (v *verifier) pipeline(p *Program, pl *Pipeline) {
	v.enter("pipeline", pl.Name, pl.At)
	v.host = true
	images := map[*Image]bool{}
	add := func(m *Image, isParam bool) {
		images[m] = true
		v.imageVars(m, isParam)
	}
	for _, q := range pl.Params {
		if (q.Image == nil) == (q.Scalar == nil) {
			v.fail("parameter %s is not just one of image and scalar", q.Name)
		} else if q.Image != nil {
			add(q.Image, true)
		} else {
			v.hostVar(q.Scalar)
			if q.Default != nil && q.Default.Type != q.Scalar.Type {
				v.fail("the default of %s is of type %s, not %s", q.Name, q.Default.Type, q.Scalar.Type)
			}
		}
	}
	for _, m := range pl.Locals {
		add(m, false)
	}
	for _, m := range pl.Leveled {
		add(m, false)
	}
	v.sizes(pl)
	in := planScope{images: images, kernels: map[*Kernel]bool{}, levels: map[*Levels]bool{}, pyramids: map[*Pyramid]bool{}}
	v.pyramids(pl, in)
	for _, q := range pl.Params {
		if q.Image != nil {
			v.extents(q.Image)
		}
	}
	for _, c := range pl.Checks {
		v.at = c.At
		if v.cond(c.Cond); c.Message == "" {
			v.fail("the check of %s has no message", ExprText(c.Cond))
		}
	}
	for _, m := range pl.Locals {
		v.extents(m)
	}
	for _, m := range pl.Leveled {
		v.level(m, in)
	}
	for _, k := range p.Kernels {
		in.kernels[k] = true
	}
	v.steps(pl.Steps, in)
}

func (v *verifier) hostVar(x *Var) {
	if v.declare(x); x.Space != Private || x.Type.IsArray() {
		v.fail("%s is no host value", x.Name)
	}
}

func (v *verifier) imageVars(m *Image, isParam bool) {
	v.typ(m.Name, m.Elem)
	if m.Elem.IsArray() || len(m.Extent) < 1 || len(m.Extent) > types.MaxRank {
		v.fail("image %s has %d extents of %s", m.Name, len(m.Extent), m.Elem)
	}
	if m.Offset == nil && isParam {
		v.fail("image %s is a parameter and has no offset", m.Name)
	}
	if m.LineAxis < -1 || m.LineAxis >= len(m.Extent)-1 || (m.Pitch != nil) != (m.LineAxis >= 0) {
		v.fail("image %s of %d extents has lines along axis %d, and its pitch is %v", m.Name, len(m.Extent), m.LineAxis, m.Pitch != nil)
	}
	for _, x := range []*Var{m.Offset, m.Pitch} {
		if x != nil {
			if v.hostVar(x); x.Type != types.Scalar(types.I64) {
				v.fail("%s is of type %s", x.Name, x.Type)
			}
		}
	}
}

func (v *verifier) sizes(pl *Pipeline) {
	params := map[*Image]bool{}
	for _, q := range pl.Params {
		params[q.Image] = q.Image != nil
	}
	for _, s := range pl.Sizes {
		if v.hostVar(s.Var); s.Var.Type != types.Scalar(types.I64) {
			v.fail("size %s is of type %s", s.Var.Name, s.Var.Type)
		}
		if !params[s.Image] || s.Axis < 0 || s.Axis >= len(s.Image.Extent) || s.Mul == 0 {
			v.fail("size %s is bound by no extent of a parameter", s.Var.Name)
		}
	}
}

func (v *verifier) extents(m *Image) {
	v.at = m.At
	for _, e := range m.Extent {
		v.expect(e, types.Scalar(types.I64), "an extent of "+m.Name)
	}
}

func (v *verifier) step(s Step, in planScope) {
	switch s := s.(type) {
	case *Let:
		v.expect(s.Value, s.Var.Type, "the value of "+s.Var.Name)
		v.hostVar(s.Var)
	case *SetScalar:
		if s.From != nil {
			v.fromImage(s, in.images)
			return
		}
		v.writable(s.Var)
		v.expect(s.Value, s.Var.Type, "the value of "+s.Var.Name)
	case *Launch:
		v.launch(s, in.images, in.kernels)
	default:
		v.control(s, in)
	}
}

// fromImage checks a scalar that the device computes.
func (v *verifier) fromImage(s *SetScalar, images map[*Image]bool) {
	v.writable(s.Var)
	t := s.Var.Type
	switch {
	case t == types.Scalar(types.Bool):
		t = t.WithKind(types.I32)
	case t.Kind == types.F16 || t.Kind == types.BF16:
		t = t.WithKind(types.F32)
	}
	if s.Value != nil || !images[s.From] || s.From.Dir != Temporary || s.From.Elem != t {
		v.fail("%s gets its value from an image that does not fit", s.Var.Name)
	}
}

func (v *verifier) launch(s *Launch, images map[*Image]bool, kernels map[*Kernel]bool) {
	v.at = s.At
	if !kernels[s.Kernel] {
		v.fail("a kernel is launched that the program does not have: %s", s.Kernel.Name)
	}
	for _, n := range s.Items {
		v.expect(n, types.Scalar(types.I64), "a number of items of "+s.Kernel.Name)
	}
	if len(s.Args) != len(s.Kernel.Params) {
		v.fail("%s takes %d arguments, not %d", s.Kernel.Name, len(s.Kernel.Params), len(s.Args))
		return
	}
	written := map[*Image]*Var{}
	for i, a := range s.Args {
		v.arg(s.Kernel, s.Kernel.Params[i], a, images)
		if a.Image != nil {
			if q := written[a.Image]; q != nil && (q.Access|s.Kernel.Params[i].Access)&Writes != 0 {
				v.fail("%s gets image %s twice and writes it", s.Kernel.Name, a.Image.Name)
			}
			written[a.Image] = s.Kernel.Params[i]
		}
	}
}

func (v *verifier) arg(k *Kernel, p *Var, a Arg, images map[*Image]bool) {
	switch {
	case given(a) != 1:
		v.fail("argument %s of %s is not just one of image, value and table", p.Name, k.Name)
	case a.Table != nil:
		v.filled(k, p, a.Table)
	case a.Image == nil && p.Space == Global:
		v.fail("buffer %s of %s gets a value", p.Name, k.Name)
	case a.Image == nil:
		v.expect(a.Value, p.Type, "argument "+p.Name+" of "+k.Name)
	case p.Space != Global || a.Image.Elem.Kind != p.Type.Kind:
		v.fail("argument %s of %s is an image of %s", p.Name, k.Name, a.Image.Elem)
	case !images[a.Image]:
		v.fail("argument %s of %s is no image of the pipeline", p.Name, k.Name)
	case p.Access&Writes != 0 && a.Image.Dir == In:
		v.fail("%s writes the in image %s", k.Name, a.Image.Name)
	}
}

// given is how many of what an argument may be it is.
func given(a Arg) (n int) {
	for _, is := range []bool{a.Image != nil, a.Value != nil, a.Table != nil} {
		if is {
			n++
		}
	}
	return n
}

func (v *verifier) filled(k *Kernel, p *Var, t *Table) {
	switch {
	case p.Space != Global || p.Type.Kind != t.Var.Type.Kind || p.Access != Reads:
		v.fail("argument %s of %s is a table of %s", p.Name, k.Name, t.Var.Type.Elem())
	case !v.held[t]:
		v.fail("argument %s of %s is no table that the host fills", p.Name, k.Name)
	}
}
