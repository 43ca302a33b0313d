package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
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

// onBase turns positions in an image, or those on its first axes, into positions in the image with its storage. The axes that are left
// out are kept by all views.
func (b *body) onBase(m *hast.Image, positions []kir.Expr) []kir.Expr {
	if m.View == nil {
		return positions
	}
	of := m.View.Of
	out := make([]kir.Expr, len(m.View.Axes)-(m.Rank()-len(positions)))
	for k, ax := range m.View.Axes[:len(out)] {
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

// left is the position of an image's lines in those of the image with its storage, and the same as a host value.
func (k *kernelBuilder) left(m *hast.Image) (at, host kir.Expr) {
	at, host = i32(0), i64(0)
	for ; m.View != nil; m = m.View.Of {
		_, pixel, _ := block.Axes(m.View.Of)
		at = k.body.op(i32T, ops.Add, at, k.first(m, pixel))
		host = add(host, sub(k.plan.hostExpr(m.View.Axes[pixel].First), i64(m.View.Of.First(pixel))))
	}
	return at, host
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
	return k.scalar(name, i32T, host, interval.Between(0, hast.MaxExtent))
}
