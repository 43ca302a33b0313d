package device

import (
	"maps"
	"slices"
	"strings"

	"imgc/kir"
	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// Args are the arguments of a call, by the name of the parameter.
type Args struct {
	// Images holds every in and inout image, and such out images as the caller wants filled rather than allocated.
	Images map[string]*pixels.Image
	// Scalars holds every in scalar without default, in the parameter's type.
	Scalars map[string]types.Value
	// Sizes gives the size names that only absent out images would bind. One that an image binds too has to agree with it.
	Sizes map[string]int
}

// A call is what is known of a call before anything is allocated.
type call struct {
	plan    *kir.Pipeline
	args    Args
	images  []*kir.Image // parameters first, then locals
	values  map[*kir.Var]types.Value
	origin  map[*kir.Var]string // what bound a size: "bound by src"
	extents map[*kir.Image][]int
}

// bind does what every entry point does before it writes anything.
func bind(plan *kir.Pipeline, args Args) (*call, error) {
	c := &call{
		plan: plan, args: args,
		values: map[*kir.Var]types.Value{}, origin: map[*kir.Var]string{}, extents: map[*kir.Image][]int{},
	}
	for _, p := range plan.Params {
		if p.Image != nil {
			c.images = append(c.images, p.Image)
		}
	}
	c.images = append(c.images, plan.Locals...)
	for _, phase := range []func() error{
		c.checkNames, c.bindParams, c.checkOverlap, c.bindSizes, c.computeHostValues, c.bindExtents, c.bindPyramids, c.test,
	} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// at is where a parameter is declared.
func at(p *kir.Param) source.Span {
	if p.Image != nil {
		return p.Image.At
	}
	return p.Scalar.At
}

// checkNames reports arguments that no parameter or size has asked for.
func (c *call) checkNames() error {
	var names []string
	params := map[string]*kir.Param{}
	for _, p := range c.plan.Params {
		names = append(names, p.Name)
		params[p.Name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(c.args.Images)) {
		switch p := params[name]; {
		case p == nil:
			return c.unknown("parameter", name, names)
		case p.Image == nil:
			return c.failf(at(p), "%s is a scalar of type %s, but an image was given", name, p.Scalar.Type)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.args.Scalars)) {
		switch p := params[name]; {
		case p == nil:
			return c.unknown("parameter", name, names)
		case p.Scalar == nil:
			return c.failf(at(p), "%s is an image of type %s, but a scalar was given", name, declared(p.Image))
		case p.Dir != kir.In:
			return c.failf(at(p), "%s is an out scalar: it is returned and takes no value", name)
		}
	}
	return c.checkSizeNames()
}

func (c *call) checkSizeNames() error {
	var names []string
	for _, s := range c.plan.Sizes {
		names = append(names, s.Var.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.args.Sizes)) {
		if !slices.Contains(names, name) {
			return c.unknown("size", name, names)
		}
	}
	return nil
}

func (c *call) unknown(what, name string, known []string) error {
	if len(known) == 0 {
		return c.failf(c.plan.At, "there is no %s %q; the pipeline has none", what, name)
	}
	return c.failf(c.plan.At, "there is no %s %q; there is %s", what, name, strings.Join(known, ", "))
}

// bindParams holds each argument against its parameter's type. Extents are compared once the sizes are bound.
func (c *call) bindParams() error {
	for _, p := range c.plan.Params {
		var err error
		switch {
		case p.Image != nil:
			err = c.checkImage(p, c.args.Images[p.Name])
		case p.Dir == kir.In:
			err = c.bindScalar(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var dirNames = map[kir.Dir]string{kir.In: "in", kir.Out: "out", kir.InOut: "inout", kir.Temporary: "local"}

func (c *call) checkImage(p *kir.Param, m *pixels.Image) error {
	want := p.Image
	if m == nil {
		if p.Dir == kir.Out {
			return nil
		}
		return c.failf(at(p), "missing %s image %s of type %s", dirNames[p.Dir], p.Name, declared(want))
	}
	if m.Elem != want.Elem {
		return c.failf(at(p), "%s has elements of type %s, but %s asks for %s", p.Name, m.Elem, declared(want), want.Elem)
	}
	if len(m.Extent) != len(want.Extent) {
		return c.failf(at(p), "%s is %s, with %s, but %s has %d",
			p.Name, pixels.Dimensions(m.Extent), plural(len(m.Extent), "extent"), declared(want), len(want.Extent))
	}
	n, err := pixels.Size(m.Elem, m.Extent...)
	if err != nil {
		return c.failf(at(p), "%s is %s: %v", p.Name, pixels.Dimensions(m.Extent), err)
	}
	for _, e := range m.Extent {
		if e > maxExtent {
			return c.failf(at(p), "%s is %s: an extent is at most %d", p.Name, pixels.Dimensions(m.Extent), maxExtent)
		}
	}
	if len(m.Data) != n {
		return c.failf(at(p), "%s is %s of %s, which takes %d bytes, but has %d",
			p.Name, pixels.Dimensions(m.Extent), m.Elem, n, len(m.Data))
	}
	return nil
}

func (c *call) bindScalar(p *kir.Param) error {
	v, ok := c.args.Scalars[p.Name]
	switch {
	case !ok && p.Default == nil:
		return c.failf(at(p), "missing scalar %s of type %s", p.Name, p.Scalar.Type)
	case !ok:
		v = *p.Default
	}
	if v.Type != p.Scalar.Type {
		return c.failf(at(p), "%s is of type %s, but the value given is of type %s", p.Name, p.Scalar.Type, v.Type)
	}
	if len(v.Words) != v.Type.Words() {
		return c.failf(at(p), "%s of type %s has %s, but %d given", p.Name, v.Type, plural(v.Type.Words(), "component"), len(v.Words))
	}
	for _, w := range v.Words {
		if !canonical(v.Type.Kind, w) {
			return c.failf(at(p), "%s was given a value that %s cannot hold", p.Name, v.Type)
		}
	}
	c.values[p.Scalar] = v
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

// checkOverlap refuses an image that is written and shares memory with another argument. Here each has memory of its own on
// the device, but the same call of the generated library fails.
func (c *call) checkOverlap() error {
	for i, p := range c.plan.Params {
		for _, q := range c.plan.Params[:i] {
			if p.Dir == kir.In && q.Dir == kir.In || p.Image == nil || q.Image == nil {
				continue
			}
			if pixels.Overlap(c.args.Images[p.Name], c.args.Images[q.Name]) {
				written := p
				if p.Dir == kir.In {
					written = q
				}
				return c.failf(at(p), "%s and %s share memory, but %s is written", q.Name, p.Name, written.Name)
			}
		}
	}
	return nil
}
