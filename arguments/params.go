package arguments

import (
	"maps"
	"slices"
	"strings"

	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// names reports arguments that no parameter or size has asked for.
func (s *Signature) names(args Args, _ *Bound) error {
	var names, sizes []string
	params := map[string]*Param{}
	for i := range s.Params {
		p := &s.Params[i]
		names = append(names, p.Name)
		params[p.Name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(args.Images)) {
		switch p := params[name]; {
		case p == nil:
			return unknown(s.At, "parameter", name, names)
		case !p.IsImage():
			return failf(p.At, "%s is a scalar of type %s, but an image was given", name, p.Type)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args.Scalars)) {
		switch p := params[name]; {
		case p == nil:
			return unknown(s.At, "parameter", name, names)
		case p.IsImage():
			return failf(p.At, "%s is an image of type %s, but a scalar was given", name, p.declared())
		case p.Dir != In:
			return failf(p.At, "%s is an out scalar: it is returned and takes no value", name)
		}
	}
	for _, size := range s.Sizes {
		sizes = append(sizes, size.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(args.Sizes)) {
		if !slices.Contains(sizes, name) {
			return unknown(s.At, "size", name, sizes)
		}
	}
	return nil
}

func unknown(at source.Span, what, name string, known []string) error {
	if len(known) == 0 {
		return failf(at, "there is no %s %q; the pipeline has none", what, name)
	}
	return failf(at, "there is no %s %q; there is %s", what, name, strings.Join(known, ", "))
}

// params holds each argument against its parameter's type. Extents are compared once the sizes are bound.
func (s *Signature) params(args Args, b *Bound) error {
	for i := range s.Params {
		p := &s.Params[i]
		var err error
		switch {
		case p.IsImage():
			err = p.image(args.Images[p.Name])
		case p.Dir == In:
			b.Scalars[p.Name], err = p.scalar(args)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Param) image(m *pixels.Image) error {
	if m == nil {
		if p.Dir == Out {
			return nil
		}
		return failf(p.At, "missing %s image %s of type %s", p.Dir, p.Name, p.declared())
	}
	if m.Elem != p.Type {
		return failf(p.At, "%s has elements of type %s, but %s asks for %s", p.Name, m.Elem, p.declared(), p.Type)
	}
	if len(m.Extent) != len(p.Extent) {
		return failf(p.At, "%s is %s, with %s, but %s has %d",
			p.Name, pixels.Dimensions(m.Extent), plural(len(m.Extent), "extent"), p.declared(), len(p.Extent))
	}
	n, err := pixels.Size(m.Elem, m.Extent...)
	if err != nil {
		return failf(p.At, "%s is %s: %v", p.Name, pixels.Dimensions(m.Extent), err)
	}
	for _, e := range m.Extent {
		if e > types.MaxExtent {
			return failf(p.At, "%s is %s: an extent is at most %d", p.Name, pixels.Dimensions(m.Extent), types.MaxExtent)
		}
	}
	if len(m.Data) != n {
		return failf(p.At, "%s is %s of %s, which takes %d bytes, but has %d",
			p.Name, pixels.Dimensions(m.Extent), m.Elem, n, len(m.Data))
	}
	return nil
}

func (p *Param) scalar(args Args) (v types.Value, err error) {
	v, ok := args.Scalars[p.Name]
	switch {
	case !ok && p.Default == nil:
		return v, failf(p.At, "missing scalar %s of type %s", p.Name, p.Type)
	case !ok:
		v = *p.Default
	}
	if v.Type != p.Type {
		return v, failf(p.At, "%s is of type %s, but the value given is of type %s", p.Name, p.Type, v.Type)
	}
	if len(v.Words) != v.Type.Words() {
		return v, failf(p.At, "%s of type %s has %s, but %d given", p.Name, v.Type, plural(v.Type.Words(), "component"), len(v.Words))
	}
	for _, w := range v.Words {
		if !canonical(v.Type.Kind, w) {
			return v, failf(p.At, "%s was given a value that %s cannot hold", p.Name, v.Type)
		}
	}
	return v, nil
}

// canonical is true of the words that values of kind k have.
func canonical(k types.Kind, w types.Word) bool {
	switch {
	case k == types.Bool:
		return w <= 1
	case k.IsFloat():
		v := w.Float()
		return v != v || types.Round(k, v) == v
	}
	return types.Wrap(k, w) == w
}

// overlap refuses an image that is written and shares memory with another argument. The interpreter and devices give each memory
// of its own, but the same call of a generated library fails.
func (s *Signature) overlap(args Args, _ *Bound) error {
	for i := range s.Params {
		p := &s.Params[i]
		for _, q := range s.Params[:i] {
			if p.Dir == In && q.Dir == In || !p.IsImage() || !q.IsImage() {
				continue
			}
			if pixels.Overlap(args.Images[p.Name], args.Images[q.Name]) {
				written := p.Name
				if p.Dir == In {
					written = q.Name
				}
				return failf(p.At, "%s and %s share memory, but %s is written", q.Name, p.Name, written)
			}
		}
	}
	return nil
}
