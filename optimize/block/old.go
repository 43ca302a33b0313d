package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// A scan may read, or update, its own pixel of what it writes. Where several groups compute an instance, one of them may have written the pixel before
// another reads it: such reads are of copies that are made before the scan.

// An Old is a copy of an image as it was before a scan.
type Old struct{ Image, Copy *hast.Image }

// withOld is the body of a stage in which reads of its own pixels, before it writes them, are of copies.
func withOld(s *hast.Stage) (body []hast.Stmt, list []*Old) {
	own := map[*hast.Image]*hast.Store{}
	for _, st := range s.Body {
		if st, ok := st.(*hast.Store); ok && ownPixel(s, st) {
			own[st.Image] = st
		}
	}
	old := func(m *hast.Image) *hast.Image {
		for _, o := range list {
			if o.Image == m {
				return o.Copy
			}
		}
		m2 := *m
		m2.Name, m2.Dir, m2.Zero, m2.Scalar, m2.Spread = m.Name+"_old", hast.Local, false, false, false
		list = append(list, &Old{m, &m2})
		return &m2
	}
	stored := map[*hast.Image]bool{}
	for _, st := range s.Body {
		x := hast.MapStmts([]hast.Stmt{st}, func(e hast.Expr) hast.Expr {
			return hast.Map(e, func(e hast.Expr) hast.Expr {
				load, ok := e.(*hast.Load)
				if !ok || own[load.Image] == nil || stored[load.Image] || !samePlace(load, own[load.Image]) {
					return nil
				}
				y := *load
				y.Image = old(load.Image)
				return &y
			})
		})[0]
		if st, ok := st.(*hast.Store); ok && own[st.Image] == st {
			x = assigned(x.(*hast.Store), old)
			stored[st.Image] = true
		}
		body = append(body, x)
	}
	return body, list
}

// ownPixel reports whether a store is of the pixel that the variables of a stage say, in an image with storage of its own, and no other instance's.
func ownPixel(s *hast.Stage, st *hast.Store) bool {
	if st.Skip || st.Func != nil || st.Op != ops.None && !st.Alone || st.Image.View != nil || st.Image.Of != nil || st.Image.Lower != nil || len(st.Index) != len(s.Space.Vars) {
		return false
	}
	for _, v := range s.Space.Vars {
		if !slices.ContainsFunc(st.Index, func(e hast.Expr) bool { return isRef(e, v) }) {
			return false
		}
	}
	k := st.Image.Elem.Kind
	return st.Op == ops.None || k.IsInt() || k == types.F32 || k == types.F64
}

// samePlace reports whether a load is of the pixel of a store.
func samePlace(load *hast.Load, st *hast.Store) bool {
	for axis, c := range load.Index {
		if c.Below || c.Above || !hast.Equal(c.X, st.Index[axis]) {
			return false
		}
	}
	return true
}

// assigned is an update as the assignment of what it makes of the copy's pixel; small integers are computed in i32, as the language does.
func assigned(st *hast.Store, old func(*hast.Image) *hast.Image) *hast.Store {
	if st.Op == ops.None {
		return st
	}
	t := st.Image.Elem
	load := &hast.Load{Typed: hast.Typed{T: t, At: st.At}, Image: old(st.Image)}
	for _, x := range st.Index {
		load.Index = append(load.Index, hast.Coord{X: x})
	}
	wide := hast.Typed{T: t.WithKind(types.Promote(t.Kind)), At: st.At}
	in := func(t hast.Typed, x hast.Expr) hast.Expr {
		if x.Type() == t.T {
			return x
		}
		return &hast.Convert{Typed: t, X: x}
	}
	out := *st
	out.Op = ops.None
	out.Value = in(hast.Typed{T: t, At: st.At}, &hast.Op{Typed: wide, Op: st.Op, Args: []hast.Expr{in(wide, load), in(wide, st.Value)}})
	return &out
}
