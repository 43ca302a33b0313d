package lower

import (
	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
)

// A helper is a device function that looks at images, and how a kernel calls it: for each image the buffer and what the function needs to find pixels
// in it, then host values, then coordinates. One computes the pixels outside of an image under a border by formula. Where the image is one that
// a stage keeps for others that are fused with it, the pixels inside that the formula takes are in no memory: another one computes them, each as the
// stage does.
type helper struct {
	f       *kir.Func
	needs   map[*kir.Var]bool
	looks   []*buffer // as the function sees them
	scalars []param   // host values
	limits  map[*kir.Var]interval.Interval
}

// outside calls the helper of a border for the pixel at coords.
func (b *body) outside(border *hast.Border, coords []kir.Expr) kir.Expr {
	return b.call(b.kernel.borderOf(border), coords)
}

// call calls a helper for coordinates.
func (b *body) call(h *helper, coords []kir.Expr) kir.Expr {
	var args []kir.Expr
	for _, l := range h.looks {
		buf := b.kernel.buffer(l.of, kir.Reads)
		args = append(args, ref(buf.v))
		for i, p := range l.params {
			if h.needs[p.v] {
				args = append(args, ref(buf.params[i].v))
			}
		}
	}
	for _, p := range h.scalars {
		if h.needs[p.v] {
			args = append(args, b.kernel.scalar(p.v.Name, p.v.Type, p.host, h.limits[p.v]))
		}
	}
	return &kir.Call{Typed: kir.Typed{T: h.f.Result}, Func: h.f, Args: append(args, coords...)}
}

// A helperKey tells helpers apart: an image that a kernel updates may lie in another place, or change under locks.
type helperKey struct {
	border *hast.Border // nil of a function of pixels inside
	image  *kir.Image
	shared bool
	stage  *hast.Stage // that computes the pixels inside; nil where they are in memory
}

// helper is the device function of a key for coordinates of an image, made on first use: fill lowers its body.
func (caller *kernelBuilder) helper(id helperKey, m *hast.Image, name string, coords []*kir.Var, fill func(k *kernelBuilder)) *helper {
	pl := caller.plan
	if h := pl.helpers[id]; h != nil {
		return h
	}
	// A function sees images as a kernel does; what a kernel would take as parameters, its callers pass.
	k := &kernelBuilder{
		plan: pl, body: pl.newBody(), byImage: map[*hast.Image]*buffer{}, byKey: map[string]*kir.Var{}, ids: map[*kir.Var]int{},
		updates: caller.updates, computed: caller.computed,
	}
	k.body.kernel = k
	fill(k)
	f := &kir.Func{Name: name + "_" + identifier(m), Result: m.Elem, Body: dropUnused(k.body.scope.stmts), At: k.body.pos}
	h := &helper{f: f, needs: kir.Uses(f.Body), scalars: k.scalars, limits: k.body.bounds}
	params := func(list []param) {
		for _, p := range list {
			if h.needs[p.v] {
				f.Params = append(f.Params, p.v)
			}
		}
	}
	for _, l := range k.buffers {
		if h.needs[l.v] {
			h.looks = append(h.looks, l)
			f.Params = append(f.Params, l.v)
			params(l.params)
		}
	}
	params(k.scalars)
	f.Params = append(f.Params, coords...)
	pl.lowering.out.Funcs = append(pl.lowering.out.Funcs, f)
	pl.helpers[id] = h
	return h
}

// rare has compilers keep the function apart: inlined into each place of a formula, pixels of a level of a pyramid took kernels from 72 registers to 119.
func (h *helper) rare() *helper {
	h.f.Rare = true
	return h
}

// borderOf is the device function of a border.
func (caller *kernelBuilder) borderOf(border *hast.Border) *helper {
	m := border.Image.Base()
	id := helperKey{border: border, shared: caller.shared[m], stage: caller.computed[m]}
	id.image = caller.buffer(m, 0).image
	coords := make([]*kir.Var, len(border.Coords))
	for i, c := range border.Coords {
		coords[i] = &kir.Var{Name: c.Name, Type: i32T, Const: true, At: c.At}
	}
	return caller.helper(id, border.Image, "border_"+border.Name, coords, func(k *kernelBuilder) {
		b := k.body
		k.buffer(m, 0)
		for i, c := range border.Coords {
			b.vars[c] = ref(coords[i])
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
	})
}

// computes has pixels of what the parts of a group keep be computed from memory where they are looked at under borders by formula.
func (k *kernelBuilder) computes(g *block.Group) {
	for _, p := range g.Parts {
		if p.ByFormula() {
			for _, w := range p.Keeps {
				if k.computed == nil {
					k.computed = map[*hast.Image]*hast.Stage{}
				}
				k.computed[w.Image] = p.Of
			}
		}
	}
}

// loadOrCompute is the pixel of an image at positions inside of it: of memory, or as the stage computes it that keeps the image for others.
func (b *body) loadOrCompute(m *hast.Image, buf *buffer, coords []kir.Expr) kir.Expr {
	if s := b.kernel.computed[m]; s != nil {
		return b.call(b.kernel.pixelOf(m, s), coords)
	}
	if x := b.kernel.cut.at(m, coords); x != nil {
		return x
	}
	return b.loadAt(buf, b.onBase(m, coords))
}

// pixelOf is the device function that computes a pixel of an image as the instance of a stage does that writes it.
func (caller *kernelBuilder) pixelOf(m *hast.Image, s *hast.Stage) *helper {
	coords := make([]*kir.Var, m.Rank())
	for i := range coords {
		coords[i] = &kir.Var{Name: "channel", Type: i32T, Const: true, At: s.At}
		if i < len(s.Space.Vars) {
			coords[i].Name = s.Space.Vars[i].Name
		}
	}
	return caller.helper(helperKey{image: caller.buffer(m, 0).image, stage: s}, m, "pixel", coords, func(k *kernelBuilder) {
		b := k.body
		b.pos = s.At
		for i, v := range s.Space.Vars {
			r := s.Space.Ranges[i]
			b.vars[v] = ref(coords[i])
			b.bounds[coords[i]] = loopInterval(interval.Point(0), k.plan.hostInterval(r.Hi).Meet(interval.Between(0, hast.MaxExtent)), 1)
			b.limits[coords[i]] = k.bound(v.Name+"_to", r.Hi)
		}
		pixel := &hast.Var{Name: "pixel", Type: m.Elem, Class: hast.Mutable, At: s.At}
		channel := &hast.Var{Name: "channel", Type: i32T, Class: hast.Value, At: s.At}
		b.vars[channel] = ref(coords[len(coords)-1])
		b.stmts(writing(s, m, pixel, channel))
		b.emit(&kir.Return{Placed: b.placed(), Value: b.value(pixel)})
	}).rare()
}

// writing is what an instance of a stage does for its pixel of one image, which goes to a variable. Of an image with an axis more than the stage has, it
// is the channel that another variable says.
func writing(s *hast.Stage, m *hast.Image, pixel, channel *hast.Var) []hast.Stmt {
	body := []hast.Stmt{&hast.Define{Var: pixel, At: s.At}}
	for _, st := range s.Body {
		store, ok := st.(*hast.Store)
		switch {
		case !ok:
			body = append(body, st)
		case store.Image == m:
			set := &hast.Set{Var: pixel, Value: store.Value, At: store.At}
			if m.Rank() == len(s.Space.Vars) {
				body = append(body, set)
				continue
			}
			own := hast.Compare(ops.Eq, hast.RefTo(channel), store.Index[m.Rank()-1])
			body = append(body, &hast.If{Cond: own, Then: []hast.Stmt{set}, At: store.At})
		}
	}
	return body
}
