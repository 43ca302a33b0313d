package block

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/types"
)

// A reduction of an image has stages of its own, the first of which reads what others have written. Where it takes each pixel once, by itself, work-items that
// compute pixels can reduce them as well (hast.Stage.Reduced): none of them is read again, and where nothing else reads the image, none is written.
// Pixels are then computed as those of any stage are, in blocks whose windows are loaded once.
//
// Groups take other pixels then than the language deals out to each part. Results are the same wherever they do not depend on the order.

// joins are the reductions that work-items carry out block by block.
var joins = map[hast.ReduceOp]bool{hast.Sum: true, hast.Min: true, hast.Max: true, hast.Any: true, hast.All: true}

// Joins reports whether a reduction is one of these.
func Joins(op hast.ReduceOp) bool { return joins[op] }

// IsPart reports whether a stage reduces parts of an image that any of them may have any points of.
func IsPart(s *hast.Stage) bool {
	if s.Scan != nil || s.Where != nil || len(s.Space.Vars) != 1 || len(s.Fused) > 0 {
		return false
	}
	_, ok := TripCount(s.Space.Ranges[0])
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
		case *hast.Store:
			ok = ok && st.Image.Dealt != nil && !st.Updates() && hast.IsVar(st.Index[0], s.Space.Vars[0])
		default:
			ok = false
		}
	}
	return ok && len(Reductions(s)) > 0
}

// Ended is what the groups of a stage do at last: the stage that reduces what it writes, or itself.
func Ended(s *hast.Stage) *hast.Stage {
	if s.Reduced != nil {
		return s.Reduced
	}
	return s
}

// Parts is how many parts a stage leaves of what it reduces.
func Parts(s *hast.Stage) int64 {
	n, _ := TripCount(s.Reduced.Space.Ranges[0])
	return n
}

// Reductions are those of the parts that a stage stores.
func Reductions(s *hast.Stage) (list []*hast.Reduce) {
	hast.EachStore(s.Body, func(st *hast.Store) {
		x := st.Value
		for {
			c, ok := x.(*hast.Convert)
			if !ok {
				break
			}
			x = c.X
		}
		if r, ok := x.(*hast.Reduce); ok {
			list = append(list, r)
		}
	})
	return list
}

// RefuseReduced says why work-items that compute the pixels of a stage cannot reduce them as another stage does, as the end of a sentence; "" where they can. Sums of
// floats are added in another order than the language's, which is for anyOrder.
func RefuseReduced(of, by *hast.Stage, anyOrder bool) string {
	stores := 0
	hast.EachStore(by.Body, func(*hast.Store) { stores++ })
	list := Reductions(by)
	switch {
	case !IsPart(by) || len(list) != stores:
		return fmt.Sprintf("%s does more than to reduce parts of an image", by.Name)
	case of.Scan != nil || of.Where != nil || slices.ContainsFunc(of.Space.Ranges, func(r hast.Range) bool { return !r.Counts() }):
		return "it does not compute each pixel once, in any order"
	}
	for k, r := range list {
		if why := refuseReduction(of, r, stored(by)[k].Dealt, anyOrder); why != "" {
			return fmt.Sprintf("%s %s", by.Name, why)
		}
	}
	return ""
}

// stored are the images that a stage stores parts in, one after the other.
func stored(s *hast.Stage) (list []*hast.Image) {
	hast.EachStore(s.Body, func(st *hast.Store) { list = append(list, st.Image) })
	return list
}

// refuseReduction is RefuseReduced of one reduction, which has been dealt out.
func refuseReduction(of *hast.Stage, r *hast.Reduce, all *hast.Dealt, anyOrder bool) string {
	switch {
	case !joins[r.Op] || r.Where != nil || r.Space.Points != nil:
		return "is no sum, least or greatest value of all points"
	case r.Op == hast.Sum && r.T.Kind.IsFloat() && !anyOrder:
		return "adds floats, in the order of the language"
	case len(r.Space.Vars) != len(of.Space.Vars):
		return "takes other points"
	}
	ranges := append([]hast.Range{all.Range}, r.Space.Ranges[1:]...)
	if !slices.EqualFunc(ranges, of.Space.Ranges, sameRange) {
		return "takes other points"
	}
	why, reads := "", false
	rest := hast.Map(r.Elem, func(e hast.Expr) hast.Expr {
		load, ok := e.(*hast.Load)
		if !ok {
			return nil
		}
		reads = true
		if !computedAt(of, load, r.Space.Vars) {
			why = fmt.Sprintf("reads a pixel of %s that is not the one which is computed for its point", load.Image.Name)
		}
		return &hast.Const{Typed: load.Typed, Words: make([]types.Word, load.T.Words())}
	})
	hast.Walk(rest, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Window, *hast.Reduce:
			why = "reads more than the pixel of its own point"
		case *hast.Ref:
			if !e.Var.Class.OfHost() {
				why = "depends on more than pixels"
			}
		}
	})
	if why == "" && !reads {
		why = "reads no pixel"
	}
	return why
}

// computedAt reports whether a pixel that is read is the one at some variables, which the instance of a stage at these always writes.
func computedAt(of *hast.Stage, e *hast.Load, vars []*hast.Var) bool {
	own := len(e.Index) == len(vars)
	for k, c := range e.Index {
		own = own && hast.IsVar(c.X, vars[k])
	}
	written := slices.IndexFunc(of.Body, func(s hast.Stmt) bool {
		st, ok := s.(*hast.Store)
		return ok && st.Image == e.Image && !st.Updates() && !st.Skip && of.Fills(st)
	})
	return own && written >= 0
}
