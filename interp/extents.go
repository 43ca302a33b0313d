package interp

import (
	"imgc/arguments"
	"imgc/hast"
	"imgc/pixels"
	"imgc/source"
)

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
		of := b.made(m.Name, m.At, extent, m.Extent)
		if given := b.args.Images[m.Name]; given != nil && m.Dir != hast.Local {
			if err := of.Fit(given.Extent); err != nil {
				return b.refused(err)
			}
		}
		if err := of.Possible(); err != nil {
			return b.refused(err)
		}
	}
	return nil
}

// made is what declared extents come to.
func (b *Binding) made(name string, at source.Span, extent []int, declared []hast.Expr) *arguments.Extents {
	return &arguments.Extents{Name: name, Extent: extent, Of: func(axis int) []arguments.Quantity { return b.quantities(declared[axis]) }, At: at}
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
