package fuse

import "imgc/hast"

// picks are the rules by which a pixel outside of an image is one inside, the same whatever the pixels hold: what is computed of that pixel alone
// is what would be in the image there.
var picks = map[hast.RuleKind]bool{hast.Undefined: true, hast.Clamp: true, hast.Repeat: true, hast.Reflect: true, hast.Reflect101: true}

// ruled is the value of the pixel that a load reads outside of its image by a rule that picks one inside, where that is computed of pixels at its own
// place of images as large: these are read by the rule themselves. Nil where it is computed of others, or of the place.
func (in *inliner) ruled(e *hast.Load) hast.Expr {
	leaving := map[*hast.Var]int{} // by variable of the stage, which axis it is
	for k, c := range e.Index {
		if c.Below || c.Above {
			leaving[in.vars[k]] = k
		}
	}
	if len(leaving) == 0 || e.Rule == nil || !picks[e.Rule.Kind] {
		return nil
	}
	at := map[*hast.Var]hast.Expr{}
	for k, c := range e.Index {
		at[in.vars[k]] = in.expr(c.X)
	}
	fits := true
	var moved func(x hast.Expr) hast.Expr
	moved = func(x hast.Expr) hast.Expr {
		switch x := x.(type) {
		case *hast.Ref:
			if _, leaves := leaving[x.Var]; leaves {
				fits = false
			}
			return at[x.Var]
		case *hast.Load:
			out := *x
			out.Index = append([]hast.Coord(nil), x.Index...)
			for j := range out.Index {
				axis, leaves := leavingBy(x.Index[j], leaving)
				if !leaves {
					out.Index[j].X = hast.Map(x.Index[j].X, moved)
					continue
				}
				fits = fits && x.Rule == nil && x.Image.First(j) == 0 && hast.Equal(x.Image.Extent[j], e.Image.Extent[axis])
				out.Index[j] = hast.Coord{X: at[in.vars[axis]], Below: e.Index[axis].Below, Above: e.Index[axis].Above}
				out.Rule = e.Rule
			}
			return &out
		}
		return nil
	}
	value := hast.Map(apart(in.values[e.Image], at), moved)
	if !fits {
		return nil
	}
	return value
}

// leavingBy is the axis of the image that is read along which a coordinate leaves it: the variable itself.
func leavingBy(c hast.Coord, leaving map[*hast.Var]int) (axis int, leaves bool) {
	r, ok := c.X.(*hast.Ref)
	if !ok {
		return 0, false
	}
	axis, leaves = leaving[r.Var]
	return axis, leaves
}
