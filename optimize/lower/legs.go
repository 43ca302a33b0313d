package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
)

// inLegs computes a block leg by leg (block.Leg). What instances take from one leg to the next lies in arrays, an element for each instance, which become
// registers like those of the windows. Windows of planes are loaded in each round of the loop over these, all others first.
func (t *strip) inLegs(load func(*window)) {
	t.declareOutputs()
	kept := t.keptByInstances()
	fetched := func(windows []*window) {
		fetch(windows, t.declareWindow)
		fetch(windows, load)
	}
	fetched(t.inPlane(nil))
	for _, p := range t.what.Legs {
		instances := func() {
			for _, x := range p.Parts {
				t.eachInstance(func() { t.leg(x, kept) }, func() {})
			}
		}
		if p.Loop == nil {
			instances()
			continue
		}
		t.body.loop(p.Loop.Space, func() {
			fetched(t.inPlane(p.Loop.Space.Vars))
			instances()
		})
	}
}

// keptByInstances declares the arrays of what instances take from one leg to another.
func (t *strip) keptByInstances() map[*hast.Var]*kir.Var {
	kept := map[*hast.Var]*kir.Var{}
	for _, p := range t.what.Legs {
		for _, x := range p.Parts {
			for _, v := range x.Leaves {
				if kept[v] == nil {
					kept[v] = t.body.declare(v.Name+"_kept", v.Type.Array(t.item[1], t.item[0]), true, nil)
				}
			}
		}
	}
	return kept
}

// leg is what an instance does in a part of a leg.
func (t *strip) leg(p *block.LegPart, kept map[*hast.Var]*kir.Var) {
	b := t.body
	own := []kir.Expr{t.at[1], t.column()}
	for _, v := range p.Takes {
		b.vars[v] = ref(b.declare(v.Name, v.Type, v.Class == hast.Mutable, b.elemOf(kept[v], own)))
	}
	b.stmts(p.Body)
	for _, v := range p.Leaves {
		b.emit(&kir.Assign{Placed: b.placed(), Var: kept[v], Index: own, Value: b.value(v)})
	}
}

// inPlane are the windows of planes that one of some variables says; without variables those of no such plane.
func (t *strip) inPlane(vars []*hast.Var) []*window {
	if vars == nil {
		return t.some(func(w *block.Window) bool { return w.Plane(t.what.Scope.Planes) == nil })
	}
	return t.some(func(w *block.Window) bool { return w.Plane(vars) != nil })
}

// some are the windows that pick takes.
func (t *strip) some(pick func(*block.Window) bool) (list []*window) {
	for i, w := range t.what.Windows {
		if pick(w) {
			list = append(list, t.windows[i])
		}
	}
	return slices.DeleteFunc(list, func(w *window) bool { return w == nil })
}
