package normal

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// mostPixels is how many pixels that an instance writes in a loop are written one by one.
const mostPixels = 16

// writtenOut is a stage whose instances write blocks of pixels, and reduce a few windows, one by one where the program has loops for that: of for (i in 0:4) dst[y][4*x + i] = ... each store is one at a known
// distance from the instance, as vectors need it, and of for (c in 0:3) dst[c][y][x] = ... one in a known plane: three planes with one that masks them took 0.464 ms on an H200 for 8192 x 8192 bytes in
// a loop, and 0.112 one by one.
func writtenOut(s *hast.Stage) *hast.Stage {
	body, changed := oneByOne(s.Body, s.Space.Vars, mostPixels)
	if !changed {
		return s
	}
	out := *s
	out.Body = body
	return &out
}

// oneByOne is a list of statements without loops over pixels, of at most so many points, that instances with some variables write.
func oneByOne(list []hast.Stmt, vars []*hast.Var, most int) (out []hast.Stmt, changed bool) {
	for _, st := range list {
		points, ok := pixels(st, vars, most)
		if !ok {
			out = append(out, st)
			continue
		}
		all := st.(*hast.For)
		changed = true
		for _, p := range points {
			body, _ := oneByOne(round(all.Body, all.Space.Vars, p), vars, most/len(points))
			out = append(out, body...)
		}
	}
	return out, changed
}

// pixels are the points of a statement that is such a loop.
func pixels(s hast.Stmt, vars []*hast.Var, most int) ([][]int64, bool) {
	all, ok := s.(*hast.For)
	if !ok || slices.ContainsFunc(all.Body, leaves) {
		return nil, false
	}
	if !writesBlocks(all, vars) {
		if !movesWindows(all) {
			return nil, false
		}
		most = min(most, mostWindows)
	}
	points, known := block.Points(all.Space, most)
	return points, known && len(points) > 0
}

// round is a loop's body for one point.
func round(body []hast.Stmt, vars []*hast.Var, at []int64) []hast.Stmt {
	return hast.MapStmts(hast.Renewed(body), func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if r, ok := e.(*hast.Ref); ok {
				if k := slices.Index(vars, r.Var); k >= 0 {
					return hast.Int(at[k])
				}
			}
			if x, ok := e.(*hast.Elem); ok {
				return takenIn(x, vars, at)
			}
			return nil
		})
	})
}

// takenIn is the component that an element of an array of all components of a vector is in a round; nil where it is something else.
func takenIn(e *hast.Elem, vars []*hast.Var, at []int64) hast.Expr {
	x := componentsOf(e.X)
	if x == nil || hast.Names(x, vars) {
		return nil
	}
	c := &block.Combiner{}
	c.Bind(vars, at)
	k, known := c.Constant(e.Index[0])
	if !known || k < 0 || k >= int64(x.Type().Lanes) {
		return nil
	}
	return component(x, hast.Int(k))
}

// writesBlocks reports whether a loop counts pixels that lie beside each other from where the instance says on, or planes that it has a pixel of. Components of pixels are left to inVectors.
func writesBlocks(all *hast.For, vars []*hast.Var) (found bool) {
	counted, own := withLets(all.Space.Vars, all.Body), withLets(vars, all.Body)
	hast.EachStore(all.Body, func(st *hast.Store) {
		line, pixel, _ := block.Axes(st.Image)
		for k, i := range st.Index[:pixel+1] {
			found = found || hast.Names(i, counted) && (hast.Names(i, own) || k < line)
		}
	})
	return found
}

// mostWindows is how many rounds of a loop are written one by one whose windows each lie elsewhere.
const mostWindows = 8

// movesWindows reports whether a loop reduces pixels in windows whose places its variables say, as the four corners of a neighbourhood, or weighs them by numbers that these choose. It does not where pixels around the instance are held
// against these, as in block matching, whose blocks share what they compute in each round (overlap).
func movesWindows(all *hast.For) bool {
	counted := withLets(all.Space.Vars, all.Body)
	var moved, stays, weighed bool
	hast.WalkBody(all.Body, nil, func(e hast.Expr) {
		r, ok := e.(*hast.Reduce)
		if !ok {
			return
		}
		hast.Walk(r.Elem, func(e hast.Expr) {
			switch e := e.(type) {
			case *hast.Load:
				around, moves := false, false
				for _, c := range e.Index {
					of := hast.Names(c.X, r.Space.Vars)
					around, moves = around || of, moves || of && hast.Names(c.X, counted)
				}
				moved, stays = moved || moves, stays || around && !moves
			case *hast.Elem:
				_, known := e.X.(*hast.Const)
				names := func(vars []*hast.Var) bool {
					return slices.ContainsFunc(e.Index, func(x hast.Expr) bool { return hast.Names(x, vars) })
				}
				weighed = weighed || known && names(counted) && names(r.Space.Vars)
			}
		})
	})
	return weighed || moved && !stays
}

// withLets are variables and those lets of a body that are computed from them, as let o = 4*x + k is, where a program writes dst[y][o].
func withLets(vars []*hast.Var, body []hast.Stmt) []*hast.Var {
	vars = slices.Clone(vars)
	hast.WalkBody(body, func(st hast.Stmt) {
		if d, ok := st.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil && hast.Names(d.Init, vars) {
			vars = append(vars, d.Var)
		}
	}, nil)
	return vars
}
