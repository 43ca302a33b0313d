package interp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"imgc/hast"
	"imgc/pixels"
	"imgc/types"
)

// checkNames reports arguments that no parameter or size has asked for.
func (b *Binding) checkNames() error {
	var names []string
	params := map[string]*hast.Param{}
	for _, p := range b.pipeline.Params {
		names = append(names, p.Name)
		params[p.Name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(b.args.Images)) {
		switch p := params[name]; {
		case p == nil:
			return b.unknown("parameter", name, names)
		case p.Image == nil:
			return b.failf(p.At, "%s is a scalar of type %s, but an image was given", name, p.Scalar.Type)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.args.Scalars)) {
		switch p := params[name]; {
		case p == nil:
			return b.unknown("parameter", name, names)
		case p.Scalar == nil:
			return b.failf(p.At, "%s is an image of type %s, but a scalar was given", name, b.declared(p.Image))
		case p.Dir != hast.In:
			return b.failf(p.At, "%s is an out scalar: it is returned and takes no value", name)
		}
	}
	return b.checkSizeNames()
}

func (b *Binding) checkSizeNames() error {
	var names []string
	for _, s := range b.pipeline.Sizes {
		names = append(names, s.Var.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(b.args.Sizes)) {
		if !slices.Contains(names, name) {
			return b.unknown("size", name, names)
		}
	}
	return nil
}

func (b *Binding) unknown(what, name string, known []string) error {
	if len(known) == 0 {
		return b.failf(b.pipeline.At, "there is no %s %q; the pipeline has none", what, name)
	}
	return b.failf(b.pipeline.At, "there is no %s %q; there is %s", what, name, strings.Join(known, ", "))
}

// bindParams holds each argument against its parameter's type. Extents are compared once the sizes are bound.
func (b *Binding) bindParams() error {
	for _, p := range b.pipeline.Params {
		var err error
		switch {
		case p.Image != nil:
			err = b.checkImage(p, b.args.Images[p.Name])
		case p.Dir == hast.In:
			err = b.bindScalar(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Binding) checkImage(p *hast.Param, m *pixels.Image) error {
	want := p.Image
	if m == nil {
		if p.Dir == hast.Out {
			return nil
		}
		return b.failf(p.At, "missing %s image %s of type %s", p.Dir, p.Name, b.declared(want))
	}
	if m.Elem != want.Elem {
		return b.failf(p.At, "%s has elements of type %s, but %s asks for %s", p.Name, m.Elem, b.declared(want), want.Elem)
	}
	if len(m.Extent) != want.Rank() {
		return b.failf(p.At, "%s is %s, with %s, but %s has %d",
			p.Name, pixels.Dimensions(m.Extent), plural(len(m.Extent), "extent"), b.declared(want), want.Rank())
	}
	n, err := pixels.Size(m.Elem, m.Extent...)
	if err != nil {
		return b.failf(p.At, "%s is %s: %v", p.Name, pixels.Dimensions(m.Extent), err)
	}
	for _, e := range m.Extent {
		if e > hast.MaxExtent {
			return b.failf(p.At, "%s is %s: an extent is at most %d", p.Name, pixels.Dimensions(m.Extent), hast.MaxExtent)
		}
	}
	if len(m.Data) != n {
		return b.failf(p.At, "%s is %s of %s, which takes %d bytes, but has %d",
			p.Name, pixels.Dimensions(m.Extent), m.Elem, n, len(m.Data))
	}
	return nil
}

func (b *Binding) bindScalar(p *hast.Param) error {
	v, ok := b.args.Scalars[p.Name]
	switch {
	case !ok && p.Default == nil:
		return b.failf(p.At, "missing scalar %s of type %s", p.Name, p.Scalar.Type)
	case !ok:
		v = *p.Default
	}
	if v.Type != p.Scalar.Type {
		return b.failf(p.At, "%s is of type %s, but the value given is of type %s", p.Name, p.Scalar.Type, v.Type)
	}
	if len(v.Words) != v.Type.Words() {
		return b.failf(p.At, "%s of type %s has %s, but %d given", p.Name, v.Type, plural(v.Type.Words(), "component"), len(v.Words))
	}
	for _, w := range v.Words {
		if !canonical(v.Type.Kind, w) {
			return b.failf(p.At, "%s was given a value that %s cannot hold", p.Name, v.Type)
		}
	}
	b.values[p.Scalar] = v.Words
	return nil
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

// checkOverlap refuses an image that is written and shares memory with another argument, as every entry point does.
func (b *Binding) checkOverlap() error {
	for i, p := range b.pipeline.Params {
		for _, q := range b.pipeline.Params[:i] {
			if p.Dir == hast.In && q.Dir == hast.In || p.Image == nil || q.Image == nil {
				continue
			}
			if pixels.Overlap(b.args.Images[p.Name], b.args.Images[q.Name]) {
				written := p
				if p.Dir == hast.In {
					written = q
				}
				return b.failf(p.At, "%s and %s share memory, but %s is written", q.Name, p.Name, written.Name)
			}
		}
	}
	return nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
