package lower

import (
	"fmt"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/types"
)

// scan notes what has to be known of images before the first step is lowered: which ones are swapped, and which are declared
// inside of control flow.
func (pl *planner) scan() {
	hast.WalkSteps(pl.src.Steps, func(s hast.Step) {
		switch s := s.(type) {
		case *hast.Swap:
			pl.swapped[s.A], pl.swapped[s.B] = true, true
			for _, m := range []*hast.Image{s.A, s.B} {
				if m.Of != nil {
					pl.turned[m.Of] = true
				}
			}
		case *hast.SwapPyramids:
			pl.turned[s.A], pl.turned[s.B] = true, true
		case *hast.Fresh:
			pl.fresh[s.Image] = true
		}
	})
	pl.findLent()
}

// steps lowers a list of steps.
func (pl *planner) steps(list []hast.Step) []kir.Step {
	pl.findFills(list)
	return pl.inside(func() {
		for i, s := range list {
			if pl.late[s] {
				continue
			}
			if pl.next = nil; i+1 < len(list) {
				pl.next = list[i+1]
			}
			if !pl.inLastRound(s) {
				pl.step(s)
			}
		}
	})
}

// inside are the steps that f emits, as a list of their own.
func (pl *planner) inside(f func()) []kir.Step {
	outer := pl.out.Steps
	pl.out.Steps = nil
	f()
	inner := pl.out.Steps
	pl.out.Steps = outer
	return inner
}

func (pl *planner) emit(s ...kir.Step) { pl.out.Steps = append(pl.out.Steps, s...) }

// define declares a host value. A var of type i32 gets one that fits, or the call fails.
func (pl *planner) define(s *hast.DefineHost) {
	t := s.Var.Type
	bounds := pl.hostInterval(s.Value)
	value := pl.hostExpr(s.Value)
	mutable := s.Var.Class == hast.HostMutable
	if t == types.Scalar(types.I32) {
		t = types.Scalar(types.I64)
		if !mutable {
			pl.bounds[s.Var] = bounds
		}
	}
	v := pl.hostVar(s.Var, t)
	if mutable && t != s.Var.Type && bounds != bounds.Meet(interval.OfKind(types.I32)) {
		pl.emit(&kir.Let{Var: v, Value: i64(0)})
		pl.emit(&kir.SetHost{Var: v, Value: value, Narrow: true})
		return
	}
	pl.emit(&kir.Let{Var: v, Value: value})
}

// control lowers control flow and what acts on images as a whole.
func (pl *planner) control(s hast.Step) {
	switch s := s.(type) {
	case *hast.IfHost:
		cond := pl.hostExpr(s.Cond)
		pl.emit(&kir.IfHost{Cond: cond, Then: pl.steps(s.Then), Else: pl.steps(s.Else)})
	case *hast.ForHost:
		pl.forHost(s)
	case *hast.WhileHost:
		cond := pl.hostExpr(s.Cond)
		pl.emit(&kir.WhileHost{Cond: cond, Body: pl.steps(s.Body)})
	case *hast.BreakHost:
		pl.emit(&kir.BreakHost{})
	case *hast.ContinueHost:
		pl.emit(&kir.ContinueHost{})
	case *hast.SetHost:
		v := pl.host[s.Var]
		pl.emit(&kir.SetHost{Var: v, Value: convert(pl.hostExpr(s.Value), v.Type.Kind), Narrow: s.Var.Type != v.Type, At: s.At})
	case *hast.Fetch:
		pl.emit(&kir.Fetch{Var: pl.hostVar(s.Var, widen(s.Var.Type)), From: pl.images[s.From], At: s.At})
	case *hast.Fresh:
		pl.startAnew(s.Image)
	case *hast.DefineView:
		// what reads or writes it knows where it lies
	case *hast.Swap:
		pl.emit(&kir.Swap{A: pl.images[s.A], B: pl.images[s.B]})
	default:
		if !pl.traversal(s) {
			panic(fmt.Sprintf("lower: unknown step %T", s))
		}
	}
}
