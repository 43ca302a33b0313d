package block

import (
	"slices"

	"imgc/hast"
	"imgc/types"
)

// A scan whose lines are work-items' own reads what its step before has written. The item can keep that in variables: what it has stored needs not come back
// from memory, which takes longer than all that a step computes, and nothing keeps a compiler from reading other images for several steps at a time.

// Carried is an image whose pixels before a step has stored and the next one reads.
type Carried struct {
	Store  *hast.Store
	Image  *hast.Image
	Before []hast.Coord // of the pixel before
	Rule   *hast.Rule
	Axis   int // of the image, along the scan
	Along  int // axis of which the step stores the pixels from 0 to Count-1, in a loop; -1 where it stores one
	Count  int
	scope  Scope
}

// mostCarried is how many components an item keeps of an image at most: they are registers.
const mostCarried = 32

// CarriedBy are the images of which the steps of a stage can keep what they store for the next one.
func CarriedBy(s *hast.Stage) (list []*Carried) {
	if s.Scan == nil || s.Scan.Meet() || s.Where != nil || len(s.Fused) > 0 {
		return nil
	}
	if step := s.Space.Ranges[s.Scan.Axis].Step; step != 1 && step != -1 {
		return nil
	}
	stores := map[*hast.Image]int{}
	hast.EachStore(s.Body, func(st *hast.Store) { stores[st.Image.Base()]++ })
	for _, st := range s.Body {
		if c := carriedBy(s, st); c != nil && stores[c.Image] == 1 {
			if c.scope = withLets(s.Space.Vars, s.Body); c.findBefore(s) && !c.foldsBehind(s, st) {
				list = append(list, c)
			}
		}
	}
	return list
}

// carriedBy takes a statement for one that stores a pixel in each step, or all of a short axis in a loop; nil where it is none.
func carriedBy(s *hast.Stage, st hast.Stmt) *Carried {
	c := &Carried{Along: -1, Axis: -1, Count: 1}
	var counter *hast.Var
	if loop, ok := st.(*hast.For); ok {
		if counter, c.Count = counted(loop); counter == nil {
			return nil
		}
		i := slices.IndexFunc(loop.Body, func(st hast.Stmt) bool { _, ok := st.(*hast.Store); return ok })
		if i < 0 || slices.ContainsFunc(loop.Body, leaves) {
			return nil
		}
		st = loop.Body[i]
	}
	var ok bool
	if c.Store, ok = st.(*hast.Store); !ok || c.Store.Updates() || c.Store.Skip || c.Store.Image.View != nil {
		return nil
	}
	c.Image = c.Store.Image
	kind := c.Image.Elem.Kind
	if c.Count*c.Image.Elem.Words() > mostCarried || kind == types.F16 || kind == types.BF16 {
		return nil
	}
	for k, x := range c.Store.Index {
		r, ok := x.(*hast.Ref)
		switch {
		case !ok:
			return nil
		case r.Var == s.Space.Vars[s.Scan.Axis] && c.Axis < 0:
			c.Axis = k
		case r.Var == counter && c.Along < 0:
			c.Along = k
		case !slices.Contains(s.Space.Vars, r.Var) || r.Var == s.Space.Vars[s.Scan.Axis]:
			return nil
		}
	}
	if c.Axis < 0 || (counter != nil) != (c.Along >= 0) {
		return nil
	}
	return c
}

// counted is the variable of a loop that counts from 0 up by ones, and how far.
func counted(loop *hast.For) (*hast.Var, int) {
	if len(loop.Space.Ranges) != 1 || loop.Space.Points != nil {
		return nil, 0
	}
	r := loop.Space.Ranges[0]
	n, known := TripCount(r)
	if lo, ok := hast.Number(r.Lo); !known || !ok || lo != 0 || r.Step != 1 || n > mostCarried {
		return nil, 0
	}
	return loop.Space.Vars[0], int(n)
}

// leaves reports whether a statement may end the round of a loop that it is in.
func leaves(st hast.Stmt) bool {
	found := false
	hast.WalkBody([]hast.Stmt{st}, func(st hast.Stmt) {
		switch st.(type) {
		case *hast.Continue, *hast.Break, *hast.Return:
			found = true
		}
	}, func(hast.Expr) {})
	return found
}

// findBefore finds a pixel that a step reads and the one before has stored.
func (c *Carried) findBefore(s *hast.Stage) bool {
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if c.Before != nil {
			return
		}
		switch e := e.(type) {
		case *hast.Load:
			c.take(s, e.Image, e.Index, e.Rule)
		case *hast.Window:
			starts := make([]hast.Coord, len(e.Axes))
			for k, a := range e.Axes {
				starts[k] = a.Start
				if k != c.Along && a.Colon {
					return
				}
			}
			c.take(s, e.Image, starts, e.Rule)
		}
	})
	return c.Before != nil
}

func (c *Carried) take(s *hast.Stage, m *hast.Image, index []hast.Coord, rule *hast.Rule) {
	if m != c.Image || !c.isBefore(s, index) {
		return
	}
	c.Before, c.Rule = c.scope.withoutLets(index), rule
}

// Reads reports whether a read with a rule is of what the step before has stored; where that is several pixels, its coordinate along them says which.
func (c *Carried) Reads(s *hast.Stage, m *hast.Image, index []hast.Coord, rule *hast.Rule) bool {
	at := func(index []hast.Coord) hast.Coord { return index[c.Axis] }
	return m == c.Image && rule == c.Rule && c.isBefore(s, index) && at(index).Below == at(c.Before).Below && at(index).Above == at(c.Before).Above
}

// foldsBehind reports whether a border rule may make the pixel that a step stores, in a statement of the body, the one before it, and the step reads that when it has stored it, as the first one of
// a line may under clamp: then it is what this step has stored.
func (c *Carried) foldsBehind(s *hast.Stage, store hast.Stmt) (found bool) {
	behind := s.Body[slices.Index(s.Body, store):]
	hast.WalkBody(behind, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			found = found || c.folds(e.Image, e.Index, e.Rule) && !c.ownBefore(store, e, e.Index)
		case *hast.Window:
			starts := make([]hast.Coord, len(e.Axes))
			for k, a := range e.Axes {
				starts[k] = a.Start
			}
			found = found || c.folds(e.Image, starts, e.Rule) && (c.Along >= 0 || !c.ownBefore(store, e, starts))
		}
	})
	return found
}

// folds reports whether a read of the image may be outside along the scan, under a rule that takes pixels from inside.
func (c *Carried) folds(m *hast.Image, index []hast.Coord, rule *hast.Rule) bool {
	return m.Base() == c.Image && (index[c.Axis].Below || index[c.Axis].Above) && (rule == nil || rule.Kind != hast.Constant)
}

// ownBefore reports whether what a store takes is computed with a read, which is then behind no other store of that pixel: one of the same place on the axis of which a loop stores the pixels.
func (c *Carried) ownBefore(store hast.Stmt, read hast.Expr, index []hast.Coord) (own bool) {
	if c.Along >= 0 && !isRef(index[c.Along].X, c.Store.Index[c.Along].(*hast.Ref).Var) {
		return false
	}
	look := func(e hast.Expr) { own = own || e == read }
	if loop, ok := store.(*hast.For); ok {
		at := slices.Index(loop.Body, hast.Stmt(c.Store))
		hast.WalkBody(loop.Body[:at], nil, look)
	}
	hast.Walk(c.Store.Value, look)
	return own
}

// OnlyBefore reports whether all that a stage reads of the image is what the step before has stored, or what was there before any step.
func (c *Carried) OnlyBefore(s *hast.Stage) bool {
	only := true
	old := slices.DeleteFunc(AheadOf(s), func(a *Ahead) bool { return a.Image != c.Image })
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			has := func(a *Ahead) bool { return a.Has(e.Image, e.Index, e.Rule) }
			only = only && (e.Image.Base() != c.Image || c.Reads(s, e.Image, e.Index, e.Rule) && c.within(e.Index) || slices.ContainsFunc(old, has))
		case *hast.Window:
			has := func(a *Ahead) bool { return a.hasWindow(e) }
			only = only && (e.Image.Base() != c.Image || e.Image == c.Image && c.whole(s, e) || slices.ContainsFunc(old, has))
		}
	})
	return only
}

// within reports whether a coordinate along the pixels of a step is for certain one of them: a constant, or the counter of the loop that stores them.
func (c *Carried) within(index []hast.Coord) bool {
	if c.Along < 0 {
		return true
	}
	if extent, known := hast.Number(c.Image.Extent[c.Along]); known && extent == int64(c.Count) {
		return true // reads leave the image nowhere
	}
	x := index[c.Along].X
	if n, known := hast.Number(x); known {
		return n >= 0 && n < int64(c.Count)
	}
	r, ok := x.(*hast.Ref)
	return ok && r.Var == c.Store.Index[c.Along].(*hast.Ref).Var
}

// whole reports whether a window is of pixels that the step before has stored.
func (c *Carried) whole(s *hast.Stage, w *hast.Window) bool {
	starts := make([]hast.Coord, len(w.Axes))
	for k, a := range w.Axes {
		starts[k] = a.Start
		first, known := hast.Number(a.Start.X)
		if a.Colon && (k != c.Along || !known || first < 0 || first+int64(a.Count-1)*int64(a.Stride) >= int64(c.Count)) {
			return false
		}
	}
	return c.Reads(s, w.Image, starts, w.Rule)
}

// isBefore reports whether coordinates are those of the store, one step before.
func (c *Carried) isBefore(s *hast.Stage, index []hast.Coord) bool {
	for k, i := range index {
		want := int64(0)
		switch {
		case k == c.Along:
			if i.Below || i.Above {
				return false
			}
			continue
		case k == c.Axis && s.Scan.Down:
			want = 1
		case k == c.Axis:
			want = -1
		}
		l, ok := c.scope.Linear(i.X)
		if !ok || l.Var != c.Store.Index[k].(*hast.Ref).Var || l.Stride != 1 || l.Div != 0 || !l.Single() || l.Lo != want {
			return false
		}
	}
	return true
}
