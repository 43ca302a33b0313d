package lower

import (
	"math"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Copies of an image whose components have 64 bits count in 32: what a group adds to one of them fits, where there are not too many
// instances for that. The host looks, and has the image updated without copies where there are.

// largestTerm bounds the absolute values that a stage adds to a component of an image of 64 bits: those of all its stores together.
// False where they are not known to be small, or made in
// a loop.
func largestTerm(s *hast.Stage, m *hast.Image) (most int64, ok bool) {
	ok = true
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		switch st := st.(type) {
		case *hast.Store:
			if st.Image.Base() == m {
				n, small := smallValue(st.Value)
				most, ok = most+n, ok && small
			}
		case *hast.For, *hast.While:
			ok = ok && !updatesIn(st, m)
		}
	}, nil)
	return most, ok
}

// updatesIn reports whether a statement has updates of an image inside.
func updatesIn(s hast.Stmt, m *hast.Image) bool {
	found := false
	_, bodies := hast.Parts(s)
	for _, body := range bodies {
		hast.EachStore(body, func(x *hast.Store) { found = found || x.Image.Base() == m })
	}
	return found
}

// smallValue bounds the absolute values of an expression's components: of a constant, or of what was 16 bits or less before.
func smallValue(e hast.Expr) (most int64, ok bool) {
	if v, isVec := e.(*hast.Vec); isVec {
		for _, part := range v.Parts {
			n, small := smallValue(part)
			if most = max(most, n); !small {
				return 0, false
			}
		}
		return most, true
	}
	if n, known := hast.Number(e); known && n > math.MinInt32 && n <= math.MaxInt32 {
		return max(n, -n), true
	}
	t := e.Type()
	if c, isConvert := e.(*hast.Convert); isConvert && c.X.Type().Kind.IsInt() && t.Kind.IsInt() && t.Kind.Bits() > c.X.Type().Kind.Bits() {
		return smallValue(c.X)
	}
	if t.IsScalar() && t.Kind.IsInt() && t.Kind.Bits() <= 16 {
		return 1 << t.Kind.Bits(), true
	}
	return 0, false
}

// fewEnough is the condition, a host value, that no component of a copy leaves 32 bits; nil where that is so for all sizes.
func (k *kernelBuilder) fewEnough(s *hast.Stage) kir.Expr {
	images, _ := privateImages(s)
	most := int64(0)
	for _, p := range images {
		most = max(most, p.most)
	}
	if most == 0 {
		return nil
	}
	group := k.perGroup(s, int64(k.decided.Copies[2]/max(1, k.decided.Parts)))
	return opExpr(boolType, ops.Le, []kir.Expr{group, i64(math.MaxInt32 / most)}, true)
}

// inCopies lowers a stage whose updates go to copies, and without them for sizes that these are not for.
func (k *kernelBuilder) inCopies(s *hast.Stage) (steps []kir.Step) {
	few := k.fewEnough(s)
	if k.decided.Persistent() {
		steps = k.persistent(s, few == nil && len(k.wide) == 0)
	} else {
		steps = []kir.Step{k.finish(s.Name, k.shape(s))}
	}
	if few == nil {
		return steps
	}
	return []kir.Step{&kir.IfHost{Cond: few, Then: steps, Else: k.plan.inside(func() { k.oneByOne(s) })}}
}

// oneByOne lowers a stage without copies, behind the fills that the last group would do of those.
func (k *kernelBuilder) oneByOne(s *hast.Stage) {
	pl := k.plan
	for _, fill := range k.fills {
		pl.stage(fill)
	}
	d := pl.opts.fallback(s, schedule.Decisions{})
	if len(s.Fused) > 0 {
		d = schedule.Decisions{Tile: k.decided.Tile, Item: k.decided.Item}.Over(d)
	}
	one, after := pl.newKernel(s, d), func() {}
	if one.updates = k.updates; len(k.fills) > 0 {
		after = one.prepareUpdates(s)
	}
	if len(s.Fused) > 0 {
		pl.emit(one.byAlignment(s, (*kernelBuilder).fused)...)
	} else {
		pl.emit(one.finish(s.Name+"_one_by_one", one.shape(s)))
	}
	after()
}

// copyKind is the kind of the components of copies of an image.
func copyKind(m *hast.Image) types.Kind {
	if m.Elem.Kind.IsFloat() {
		return m.Elem.Kind
	}
	if k := m.Elem.Kind; k.IsUnsigned() && k.Bits() <= 32 {
		return types.U32
	}
	return types.I32
}
