package lower

import (
	"imgc/hast"
	"imgc/kir"
)

// A helper is the device function that computes the pixels outside of an image under a border by formula, and how a kernel calls
// it: the buffer, then what the function needs to find pixels in it, then the coordinates.
type helper struct {
	f       *kir.Func
	needs   map[*kir.Var]bool
	buffer  *buffer // of the function
	scalars []param // host values
	limits  map[*kir.Var]interval
}

// outside calls the helper of a border for the pixel at coords.
func (b *body) outside(border *hast.Border, coords []kir.Expr) kir.Expr {
	buf := b.kernel.buffer(border.Image.Base(), kir.Reads)
	h := b.kernel.helper(border, buf)
	args := []kir.Expr{ref(buf.v)}
	for i, p := range h.buffer.params {
		if h.needs[p.v] {
			args = append(args, ref(buf.params[i].v))
		}
	}
	for _, p := range h.scalars {
		if h.needs[p.v] {
			args = append(args, b.kernel.scalar(p.v.Name, p.v.Type, p.host, h.limits[p.v]))
		}
	}
	return &kir.Call{Typed: kir.Typed{T: h.f.Result}, Func: h.f, Args: append(args, coords...)}
}

// A borderKey tells helpers of a border apart: an image that a kernel updates may lie in another place, or change under locks.
type borderKey struct {
	border *hast.Border
	image  *kir.Image
	shared bool
}

// helper returns the device function of a border for a buffer of the kernel's, made on first use.
func (caller *kernelBuilder) helper(border *hast.Border, seen *buffer) *helper {
	pl, id := caller.plan, borderKey{border, seen.image, caller.shared[border.Image.Base()]}
	if h := pl.borders[id]; h != nil {
		return h
	}
	// A function sees images as a kernel does; what a kernel would take as parameters, its callers pass.
	k := &kernelBuilder{
		plan: pl, body: pl.newBody(), byImage: map[*hast.Image]*buffer{}, byKey: map[string]*kir.Var{}, ids: map[*kir.Var]int{},
		updates: caller.updates,
	}
	b := k.body
	b.kernel, b.pos = k, border.At
	buf := k.buffer(border.Image.Base(), kir.Reads)
	var coords []*kir.Var
	for _, c := range border.Coords {
		v := &kir.Var{Name: c.Name, Type: i32T, Const: true, At: c.At}
		b.vars[c] = ref(v)
		coords = append(coords, v)
	}
	for _, f := range border.Frames {
		b.pos = f.Value.Span()
		cond := b.expr(border.Serves(f))
		stmts := b.inside(false, func() {
			value := b.expr(f.Value)
			b.emit(&kir.Return{Placed: b.placed(), Value: value})
		})
		b.emit(&kir.If{Placed: b.placed(), Cond: cond, Then: stmts})
	}
	b.pos = border.At
	b.emit(&kir.Return{Placed: b.placed(), Value: b.expr(border.Unserved())})
	f := &kir.Func{
		Name: "border_" + border.Name + "_" + border.Image.Name, Params: []*kir.Var{buf.v}, Result: border.Image.Elem,
		Body: dropUnused(b.scope.stmts), At: border.At,
	}
	h := &helper{f: f, needs: kir.Uses(f.Body), buffer: buf, scalars: k.scalars, limits: b.bounds}
	for _, p := range append(append([]param(nil), buf.params...), k.scalars...) {
		if h.needs[p.v] {
			f.Params = append(f.Params, p.v)
		}
	}
	f.Params = append(f.Params, coords...)
	pl.lowering.out.Funcs = append(pl.lowering.out.Funcs, f)
	pl.borders[id] = h
	return h
}
