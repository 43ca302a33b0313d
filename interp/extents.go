package interp

import (
	"fmt"
	"math"
	"strings"

	"imgc/hast"
	"imgc/ops"
	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// bindSizes gives every size name its value: (extent - Add) / Mul of the image that binds it, or the one in Args.Sizes where
// that image is an out image that was not given.
func (b *Binding) bindSizes() error {
	for _, s := range b.pipeline.Sizes {
		if err := b.bindSize(s); err != nil {
			return err
		}
	}
	return nil
}

func (b *Binding) bindSize(s *hast.Size) error {
	name := s.Var.Name
	given, isGiven := b.args.Sizes[name]
	m := b.args.Images[s.Image.Name]
	if m == nil {
		if !isGiven {
			return b.failf(s.Image.At, "nothing gives the size %s: pass the image %s or the size", name, s.Image.Name)
		}
		if given < math.MinInt32 || given > math.MaxInt32 {
			return b.failf(s.Image.At, "the size %s = %d does not fit an i32", name, given)
		}
		b.setSize(s.Var, int64(given), "given")
		return nil
	}
	extent := int64(m.Extent[s.Axis])
	n := (extent - s.Add) / s.Mul
	if n*s.Mul+s.Add != extent {
		return b.failf(s.Image.At, "%s is %s, but no whole number %s gives %s = %d %s", s.Image.Name,
			pixels.Dimensions(m.Extent), name, text(s.Image.Extent[s.Axis]), extent, axisName(s.Image.Rank(), s.Axis))
	}
	if isGiven && int64(given) != n {
		return b.failf(s.Image.At, "%s = %d was given, but %s is %s, so %s = %d", name, given, s.Image.Name,
			pixels.Dimensions(m.Extent), name, n)
	}
	b.setSize(s.Var, n, "bound by "+s.Image.Name)
	return nil
}

func (b *Binding) setSize(v *hast.Var, n int64, origin string) {
	b.values[v] = []types.Word{types.Int(n)}
	b.origin[v] = origin
}

// bindExtents evaluates every image's extents, and compares those of the arguments with them.
func (b *Binding) bindExtents() error {
	for _, m := range b.pipeline.Images {
		if m.Of != nil {
			continue // a level: bindPyramids
		}
		extent := make([]int, m.Rank())
		for axis, e := range m.Extent {
			words, err := b.hostWords(e, "an extent of "+m.Name, m.At)
			if err != nil {
				return err
			}
			extent[axis] = int(words[0].Int())
		}
		b.extents[m] = extent
		if given := b.args.Images[m.Name]; given != nil && m.Dir != hast.Local {
			if err := b.compare(m, given.Extent); err != nil {
				return err
			}
		}
		if err := b.checkExtent(m.Name, m.At, extent, m.Extent); err != nil {
			return err
		}
	}
	return nil
}

// checkExtent refuses extents that no image has.
func (b *Binding) checkExtent(name string, at source.Span, extent []int, declared []hast.Expr) error {
	for axis, e := range extent {
		if e < 1 {
			return b.failf(at, "%s would be %s%s, but every extent must be at least 1",
				name, pixels.Dimensions(extent), b.because(declared[axis]))
		}
		if e > hast.MaxExtent {
			return b.failf(at, "%s would be %s%s, but an extent is at most %d",
				name, pixels.Dimensions(extent), b.because(declared[axis]), hast.MaxExtent)
		}
	}
	return nil
}

func (b *Binding) compare(m *hast.Image, given []int) error {
	for axis, want := range b.extents[m] {
		if given[axis] == want {
			continue
		}
		reason := "its declaration"
		if known := b.known(m.Extent[axis]); known != "" {
			reason = known
		}
		return b.failf(m.At, "%s is %s, but %s asks for %d %s",
			m.Name, pixels.Dimensions(given), reason, want, axisName(m.Rank(), axis))
	}
	return nil
}

// checkMemory holds what the interpreter will allocate against the limit.
func (b *Binding) checkMemory(budget int64) error {
	left := budget - b.levelBytes
	if left < 0 {
		return b.failf(b.pipeline.At, "the levels of pyramids take %d bytes, more than the limit of %d bytes for local and out images", b.levelBytes, budget)
	}
	for _, m := range b.pipeline.Images {
		if m.Dir == hast.In || m.Dir == hast.InOut || m.Of != nil {
			continue
		}
		n, err := pixels.Size(m.Elem, b.extents[m]...)
		if err != nil {
			return b.failf(m.At, "%s is %s: %v", m.Name, pixels.Dimensions(b.extents[m]), err)
		}
		if left -= int64(n); left < 0 {
			return b.failf(m.At, "%s, %s of %s, takes %d bytes, which brings local and out images over the limit of %d bytes",
				m.Name, pixels.Dimensions(b.extents[m]), m.Elem, n, budget)
		}
	}
	return nil
}

// axisName is what users call the extent of an axis.
func axisName(rank, axis int) string {
	switch {
	case rank == 1:
		return "elements"
	case rank == 2 && axis == 0:
		return "rows"
	case rank == 2:
		return "columns"
	}
	return fmt.Sprintf("along axis %d", axis)
}

// because is " for H = 98 (bound by src)", or nothing where e is a constant.
func (b *Binding) because(e hast.Expr) string {
	if known := b.known(e); known != "" {
		return " for " + known
	}
	return ""
}

// known lists the values that a host expression is made of: "H = 98 and W = 5 (bound by src)".
func (b *Binding) known(e hast.Expr) string {
	var parts []string
	vars := variables(e, nil)
	for i, v := range vars {
		part := fmt.Sprintf("%s = %s", v.Name, valueText(v.Type, b.values[v]))
		origin := b.origin[v]
		if origin != "" && (i+1 == len(vars) || b.origin[vars[i+1]] != origin) {
			part += " (" + origin + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " and ")
}

// variables lists the variables of an arithmetic expression, each once, in the order of the text.
func variables(e hast.Expr, seen []*hast.Var) []*hast.Var {
	switch e := e.(type) {
	case *hast.Ref:
		for _, v := range seen {
			if v == e.Var {
				return seen
			}
		}
		return append(seen, e.Var)
	case *hast.Op:
		for _, a := range e.Args {
			seen = variables(a, seen)
		}
	case *hast.Convert:
		return variables(e.X, seen)
	}
	return seen
}

// declared is an image's type as its declaration has it: "u8[H][W]".
func (b *Binding) declared(m *hast.Image) string {
	s := m.Elem.String()
	for _, e := range m.Extent {
		s += "[" + text(e) + "]"
	}
	return s
}

// text is a host expression as the program has it.
func text(e hast.Expr) string {
	if s := e.Span().Text(); s != "" {
		return s
	}
	switch e := e.(type) {
	case *hast.Const:
		return valueText(e.T, e.Words)
	case *hast.Ref:
		return e.Var.Name
	case *hast.Op:
		return opText(e)
	}
	return "..."
}

func opText(e *hast.Op) string {
	info := e.Op.Info()
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = text(a)
		if inner, ok := a.(*hast.Op); ok && !info.Call && !inner.Op.Info().Call && !a.Span().IsValid() {
			args[i] = "(" + args[i] + ")"
		}
	}
	switch {
	case info.Call:
		return info.Name + "(" + strings.Join(args, ", ") + ")"
	case len(args) == 1:
		return info.Name + args[0]
	case e.Op == ops.Mul:
		return strings.Join(args, "*")
	}
	return strings.Join(args, " "+info.Name+" ")
}

func valueText(t types.Type, words []types.Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		switch {
		case t.Kind == types.Bool:
			parts[i] = fmt.Sprint(w.Truth())
		case t.Kind.IsFloat():
			parts[i] = fmt.Sprint(w.Float())
		case t.Kind.IsSigned():
			parts[i] = fmt.Sprint(w.Int())
		default:
			parts[i] = fmt.Sprint(w.Uint())
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
