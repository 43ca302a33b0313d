package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// What a step of a scan has stored and the next one reads (block.Carried) stays in variables of the work-item.

// A carrier is what an item keeps of an image.
type carrier struct {
	*block.Carried
	stage        *hast.Stage
	before, next *kir.Var // what the step before has stored, and what this one stores
	run          int      // components that are stored together once the step has computed them all; 0 where each is by itself
}

// carry declares what steps keep for the next one, and reads what the first step finds before itself.
func (k *kernelBuilder) carry(s *hast.Stage) {
	var list []*carrier
	for _, c := range block.CarriedBy(s) {
		t := c.Image.Elem
		if c.Along >= 0 {
			t = t.Array(c.Count)
		}
		x := &carrier{Carried: c, stage: s}
		x.before, x.next = k.keeps(identifier(c.Image)+"_before", t), k.keeps(identifier(c.Image)+"_now", t)
		if c.Along >= 0 && c.OnlyBefore(s) {
			x.run = k.run(c.Image, c.Along, c.Count)
		}
		list = append(list, x)
	}
	if len(list) == 0 {
		return
	}
	b, v, r := k.body, s.Space.Vars[s.Scan.Axis], s.Space.Ranges[s.Scan.Axis]
	count := k.scalar(v.Name+"_count", i32T, k.rounds(r), interval.Between(0, hast.MaxExtent))
	first := b.inside(false, func() {
		at := kir.Expr(i32(0))
		if backwards(s) {
			at = sub(count, i32(1))
		}
		k.iterator(v, r, at)
		for _, c := range list {
			k.readBefore(c)
		}
	})
	b.emit(&kir.If{Placed: b.placed(), Cond: b.op(boolType, ops.Gt, count, i32(0)), Then: first})
	k.carriers = list
}

// keeps declares what an item keeps.
func (k *kernelBuilder) keeps(name string, t types.Type) *kir.Var {
	if t.IsArray() {
		return k.body.declare(name, t, true, nil)
	}
	return k.body.declare(name, t, true, zero(t))
}

// backwards reports whether a scan counts the values of its range from the last one down.
func backwards(s *hast.Stage) bool { return s.Scan.Down == (s.Space.Ranges[s.Scan.Axis].Step > 0) }

// readBefore reads what stands before the first pixel of a line, which a border rule may say. Where none does and steps read it under a condition, nothing may stand there.
func (k *kernelBuilder) readBefore(c *carrier) {
	b := k.body
	b.when(k.thereBefore(c), func() { k.readThere(c) })
}

// thereBefore is the condition that a pixel stands before the first one of a line, nil for always.
func (k *kernelBuilder) thereBefore(c *carrier) kir.Expr {
	b, at := k.body, c.Before[c.Axis]
	if at.Below || at.Above {
		return nil
	}
	i := b.position(b.expr(at.X), c.Image, c.Axis)
	if c.stage.Scan.Down {
		return b.op(boolType, ops.Lt, i, k.buffer(c.Image, kir.Reads).extent[c.Axis])
	}
	if rangeOf(i, b.bounds).Lo >= 0 {
		return nil
	}
	return b.op(boolType, ops.Ge, i, i32(0))
}

func (k *kernelBuilder) readThere(c *carrier) {
	b := k.body
	pixel := func(idx []kir.Expr) {
		coords := slices.Clone(c.Before)
		if len(idx) > 0 {
			coords[c.Along] = b.coordinate(idx[0], c.Before[c.Along])
		}
		b.emit(&kir.Assign{Placed: b.placed(), Var: c.before, Index: idx, Value: b.load(c.Image, coords, c.Rule)})
	}
	b.perElem(c.before.Type, pixel)
}

// perElem does something for each element of an array, or once for what is none.
func (b *body) perElem(t types.Type, f func(idx []kir.Expr)) {
	if t.IsArray() {
		b.eachElem(t, f)
		return
	}
	f(nil)
}

// fromBefore is what a step reads of what the one before has stored; nil where it reads something else.
func (k *kernelBuilder) fromBefore(m *hast.Image, index []hast.Coord, rule *hast.Rule) kir.Expr {
	for _, c := range k.carriers {
		if !c.Reads(c.stage, m, index, rule) {
			continue
		}
		if c.Along < 0 {
			return ref(c.before)
		}
		i := k.body.expr(index[c.Along].X)
		if rangeOf(i, k.body.bounds).Within(interval.Between(0, int64(c.Count)-1)) {
			return k.body.elemOf(c.before, []kir.Expr{i})
		}
	}
	return nil
}

// forNext notes what a step stores for the next one, and returns it; nil where the step stores it later.
func (k *kernelBuilder) forNext(s *hast.Store, value kir.Expr) kir.Expr {
	b := k.body
	for _, c := range k.carriers {
		if c.Store != s {
			continue
		}
		value = b.once("now", value)
		var idx []kir.Expr
		if c.Along >= 0 {
			idx = []kir.Expr{b.expr(s.Index[c.Along])}
		}
		b.emit(&kir.Assign{Placed: b.placed(), Var: c.next, Index: idx, Value: value})
		if c.run > 0 {
			return nil
		}
	}
	return value
}

// passOnStep has what a step has stored be what the next one finds before itself.
func (k *kernelBuilder) passOnStep() {
	b := k.body
	for _, c := range k.carriers {
		if c.run > 0 {
			k.inRuns(c.Image, kir.Writes, c.Store.Index, c.Along, c.Count, c.run, func(buf *buffer, at kir.Expr, first int) kir.Stmt {
				return &kir.StoreRun{Placed: b.placed(), Buffer: buf.v, Offset: at, Var: c.next, Index: []kir.Expr{i32(int64(first))}, Count: c.run, First: first == 0}
			})
		}
		b.perElem(c.before.Type, func(idx []kir.Expr) {
			var now kir.Expr = ref(c.next)
			if len(idx) > 0 {
				now = b.elemOf(c.next, idx)
			}
			b.emit(&kir.Assign{Placed: b.placed(), Var: c.before, Index: idx, Value: now})
		})
	}
}
