package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/coarse"
	"imgc/optimize/schedule"
	"imgc/types"
)

// traverse lowers a traverse: at each level the body, or where that is decided and all stages are small there, one launch of one group for this level and all
// that are coarser.
func (pl *planner) traverse(s *hast.Traverse) {
	t := &kir.Traverse{Levels: pl.levels[s.Levels], At: s.At}
	pl.traverses[s] = t
	if d := pl.coarse(s); d.Coarse[0] == 0 {
		t.Body = pl.steps(s.Body)
	} else {
		launch, cond := pl.coarseLevels(s, d)
		t.Body = []kir.Step{&kir.IfHost{Cond: cond, Then: []kir.Step{launch}, Else: pl.steps(s.Body)}}
		pl.whole = nil
	}
	pl.emit(t)
}

// coarse are the decisions for the last stage of a traverse whose coarse levels one group may compute; none where it may not.
func (pl *planner) coarse(t *hast.Traverse) schedule.Decisions {
	last := coarse.Last(t)
	if last == nil || coarse.Refuse(pl.src, t) != "" {
		return schedule.Decisions{}
	}
	d := pl.decisions(last)
	if d.Coarse[0] > 0 && coarse.RefuseLevels(t, d.Coarse[2]) != "" {
		return schedule.Decisions{}
	}
	return d
}

// coarseLevels is the launch of one group that computes the level at hand and all that are coarser, and when it may, a host value.
func (pl *planner) coarseLevels(t *hast.Traverse, d schedule.Decisions) (launch kir.Step, cond kir.Expr) {
	last, levels := coarse.Last(t), d.Coarse[2]
	u := coarse.Unroll(t, levels)
	for _, l := range u.Levels {
		pl.coarser(t, l)
	}
	l := pl.newLooper(last, d, d.Coarse[0], d.Coarse[1])
	l.place()
	l.inTurn(u.Steps, nil)
	return l.launch(last.Name + "_coarse"), l.few(pl.hostExpr(coarse.Few(t, levels)), l.instanceCounts(coarse.Each(t)))
}

// coarser makes an image of a level beside the one at hand. Where that is not there, the kernel, which does not touch it then, gets the level at hand instead.
func (pl *planner) coarser(t *hast.Traverse, l coarse.Level) {
	pl.image(l.Image)
	im := pl.images[l.Image]
	here := ref(pl.host[t.Levels.Level])
	if key(im.Index, map[*kir.Var]int{}) == key(here, map[*kir.Var]int{}) {
		return
	}
	im.Index = &kir.Select{Typed: kir.Typed{T: types.Scalar(types.I64)}, Cond: pl.hostExpr(l.There), Then: im.Index, Else: here}
}

// inTurn computes stages one after the other where a condition holds, nil for always; of what hast has under conditions each stage has its own. All items meet
// at barriers that are under none: PoCL copies all code behind a barrier under a condition, for each such barrier again.
func (l *looper) inTurn(list []hast.Step, cond kir.Expr) {
	b := l.body
	for _, s := range list {
		switch s := s.(type) {
		case *hast.Stage:
			b.pos = s.At
			l.when(cond, func() { l.instances(s) })
			b.emit(&kir.Barrier{Placed: b.placed(), Buffers: true})
		case *hast.IfHost:
			holds := l.plan.hostExpr(s.Cond)
			l.inTurn(s.Then, both(cond, holds))
			if len(s.Else) > 0 {
				l.inTurn(s.Else, both(cond, opExpr(boolType, ops.Not, []kir.Expr{holds}, true)))
			}
		default:
			panic(fmt.Sprintf("lower: %T among coarse levels", s))
		}
	}
}

// when runs f under a value of the host, nil for always.
func (l *looper) when(cond kir.Expr, f func()) {
	if cond == nil {
		f()
		return
	}
	b := l.body
	flag := l.scalar("when", boolType, cond, interval.Between(0, 1))
	b.emit(&kir.If{Placed: b.placed(), Cond: flag, Then: b.inside(false, f)})
}

// both joins two conditions of the host, of which the first may be nil.
func both(x, y kir.Expr) kir.Expr {
	if x == nil {
		return y
	}
	return opExpr(boolType, ops.LAnd, []kir.Expr{x, y}, true)
}

// refuseCoarse says why a stage cannot be the last one of a traverse whose coarse levels one group computes.
func (r *request) refuseCoarse() string {
	return r.refuseOneGroup("coarse levels are computed", r.d.Coarse[0])
}
