package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
)

// Kernels know images with storage only. A pixel of a view is found by its position in the view, which border rules fold, and from
// there by the positions in the images that the view is a part of.

// extents are those of an image in a kernel: of a view its own.
func (k *kernelBuilder) extents(m *hast.Image, buf *buffer) []kir.Expr {
	if m.View == nil {
		return buf.extent
	}
	out := make([]kir.Expr, len(m.Extent))
	for i, e := range m.Extent {
		out[i] = k.extent(m, i, e)
	}
	return out
}

// onBase turns positions in an image into positions in the image with its storage.
func (b *body) onBase(m *hast.Image, positions []kir.Expr) []kir.Expr {
	if m.View == nil {
		return positions
	}
	of := m.View.Of
	out := make([]kir.Expr, len(m.View.Axes))
	for k, ax := range m.View.Axes {
		first := b.kernel.first(m, k)
		if !ax.Kept {
			out[k] = first
			continue
		}
		at := opExpr(i32T, ops.Add, []kir.Expr{positions[0], first}, true) // inside of an image, so that it cannot wrap
		out[k] = b.once(coordName(positions[0]), at)
		positions = positions[1:]
	}
	return b.onBase(of, out)
}

// first is the position of a view's first pixel along an axis of the image that it is a part of: a host value.
func (k *kernelBuilder) first(m *hast.Image, axis int) kir.Expr {
	of := m.View.Of
	host := sub(k.plan.hostExpr(m.View.Axes[axis].First), i64(of.First(axis)))
	if c, ok := constInt(host); ok {
		return i32(c)
	}
	name := fmt.Sprintf("%s_first%d", m.Name, axis)
	if fromEnd := of.Rank() - axis; fromEnd <= 2 {
		name = m.Name + map[int]string{1: "_left", 2: "_top"}[fromEnd]
	}
	return k.scalar(name, i32T, host, interval{0, hast.MaxExtent})
}
