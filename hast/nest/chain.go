package nest

import (
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
)

// A nest is loops, each the only statement of the one around it but for definitions, with the body of the innermost one. The instances of the stage are around them.
type nest struct {
	stage   *hast.Stage
	across  []axis    // variables of the stage whose values come in any order
	order   []axis    // those of a scan, and of the loops, the outermost first
	lets    []carried // in the place of which each round may compute them again
	carried []carried
	body    []hast.Stmt
	written map[*hast.Image]bool
}

// An axis is a variable with its range, whose step is above 0; down where its values come from the last to the first.
type axis struct {
	v    *hast.Var
	r    hast.Range
	down bool
}

// A carried is what is defined before loop at of the order; a variable is set in the body.
type carried struct {
	*hast.Define
	at int
}

// nestOf is the nest of a stage whose body is one; nil of others.
func nestOf(s *hast.Stage) *nest {
	n := &nest{stage: s, written: writes(s.Body)}
	for i, v := range s.Space.Vars {
		if one := alone(s, i); one != nil {
			n.lets = append(n.lets, carried{&hast.Define{Var: v, Init: one, At: v.At}, 0})
			continue
		}
		a, ok := axisOf(v, s.Space.Ranges[i])
		if !ok {
			return nil
		}
		if s.Scan != nil && s.Scan.Axis == i {
			a.down = s.Scan.Down != a.down
			n.order = append(n.order, a)
		} else {
			n.across = append(n.across, a)
		}
	}
	loops := 0
	for n.body = s.Body; ; loops++ {
		f, defs := only(n.body)
		if f == nil || !isLong(f) || leaves(f.Body) || !n.defines(defs) || !n.loop(f) {
			break
		}
		n.body = f.Body
	}
	if loops == 0 {
		return nil
	}
	return n
}

// alone is the one value of a variable of a stage that has one, which no loop needs; nil of others.
func alone(s *hast.Stage, i int) hast.Expr {
	lo, known := hast.Number(s.Space.Ranges[i].Lo)
	hi, too := hast.Number(s.Space.Ranges[i].Hi)
	if !known || !too || hi != lo+1 || s.Scan != nil || s.Where != nil {
		return nil
	}
	return hast.Int(lo)
}

// axisOf is a variable of a stage or loop that counts upwards as an axis; of one that counts down, where the step is 1, too.
func axisOf(v *hast.Var, r hast.Range) (axis, bool) {
	if r.Step == -1 {
		return axis{v, hast.Range{Lo: linear.Plus(r.Hi, 1), Hi: linear.Plus(r.Lo, 1), Step: 1}, true}, true
	}
	return axis{v, r, false}, r.Step > 0
}

// only is the loop that a body is with definitions before it; nil where it is something else.
func only(body []hast.Stmt) (*hast.For, []*hast.Define) {
	var defs []*hast.Define
	for i, st := range body {
		switch st := st.(type) {
		case *hast.Define:
			defs = append(defs, st)
		case *hast.For:
			if i == len(body)-1 {
				return st, defs
			}
			return nil, nil
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// leaves reports whether statements leave the loop around them, or go on with its next round.
func leaves(list []hast.Stmt) (found bool) {
	for _, st := range list {
		switch st := st.(type) {
		case *hast.Break, *hast.Continue, *hast.Return:
			return true
		case *hast.For, *hast.While:
		default:
			_, bodies := hast.Parts(st)
			found = found || slices.ContainsFunc(bodies, leaves)
		}
	}
	return found
}

// defines adds definitions that stand before the next loop; false where they are none that can stand in it.
func (n *nest) defines(defs []*hast.Define) bool {
	for _, d := range defs {
		switch {
		case d.Var.Class == hast.Value && d.Init != nil && !readsAny(d.Init, n.written) && !n.namesCarried(d.Init):
			n.lets = append(n.lets, carried{d, len(n.order)})
		case d.Var.Class == hast.Mutable && d.Init != nil && !d.Later && !d.Var.Type.IsArray() && !readsAny(d.Init, n.written) && !n.namesCarried(d.Init):
			n.carried = append(n.carried, carried{d, len(n.order)})
		default:
			return false
		}
	}
	return true
}

func (n *nest) namesCarried(e hast.Expr) bool {
	return slices.ContainsFunc(n.carried, func(c carried) bool { return hast.Names(e, []*hast.Var{c.Var}) })
}

// loop adds the variables of a loop; false where the host does not know how far they go.
func (n *nest) loop(f *hast.For) bool {
	lets := map[*hast.Var]hast.Expr{}
	for _, d := range n.lets {
		lets[d.Var] = d.Init
	}
	var list []axis
	for i, r := range f.Space.Ranges {
		r.Lo, r.Hi = spelled(r.Lo, lets), spelled(r.Hi, lets)
		a, ok := axisOf(f.Space.Vars[i], r)
		if !ok || !ofHost(r.Lo) || !ofHost(r.Hi) {
			return false
		}
		list = append(list, a)
	}
	n.order = append(n.order, list...)
	return true
}

// ofHost reports whether an expression is made of sizes and other values of the host, and operators.
func ofHost(e hast.Expr) bool {
	ok := true
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Const, *hast.Op:
		case *hast.Ref:
			ok = ok && e.Var.Class.OfHost()
		default:
			ok = false
		}
	})
	return ok
}

// spelled is an expression with what names stand for in their places.
func spelled(e hast.Expr, lets map[*hast.Var]hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		if r, ok := e.(*hast.Ref); ok && lets[r.Var] != nil {
			return spelled(lets[r.Var], lets)
		}
		return nil
	})
}
