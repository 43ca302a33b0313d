package block

import (
	"math/bits"
	"slices"

	"imgc/hast"
	"imgc/types"
)

// Groups that sum integers find a part each, which the stage behind them sums up. Where the sum is small enough, it and the number of groups that have
// added their parts fit into one component of 64 bits: one update says who comes last and what the sum is, and no part has to be written, waited for,
// read and summed by a group.

// maxPixels is more than any image has: at a byte each they would fill 16 TiB.
const maxPixels = 1 << 44

// A Tally is an integer sum by which groups can count themselves.
type Tally struct {
	Parts *hast.Image  // what the groups would pass on
	Total *hast.Reduce // the sum of these, in the stage behind, which reads nothing else of them
	Shift int          // how many bits of the component the sum has, with its sign; the others count groups
}

// TallyOf takes a stage whose groups find parts of a sum, and the one behind it, for a Tally. Parts of at most 32 bits wrap as the sum does, so
// that nothing else bounds it.
func TallyOf(before, s *hast.Stage) (Tally, bool) {
	var t Tally
	before = Ended(before)
	store, part := onlySum(before)
	if part == nil || s.Where != nil || s.Scan != nil {
		return t, false
	}
	groups, known := TripCount(before.Space.Ranges[0])
	t.Parts, t.Shift = store.Image, 64-bits.Len64(uint64(groups))
	reads := 0
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load, *hast.Window:
			reads++
		case *hast.Reduce:
			if t.Total = e; e.Op != hast.Sum || e.Where != nil || e.T != part.T || !over(e.Space, groups) || loaded(e) != t.Parts {
				reads += 2
			}
		}
	})
	most := uint64(groups) << t.Parts.Elem.Kind.Bits()
	if t.Parts.Elem.Kind.Bits() > 32 {
		most = highest(before, part)
	}
	return t, known && reads == 1 && t.Total != nil && most <= 1<<(t.Shift-1)
}

// over reports whether a space has so many points along one axis.
func over(s hast.Space, n int64) bool {
	if len(s.Ranges) != 1 {
		return false
	}
	trips, known := TripCount(s.Ranges[0])
	return known && trips == n
}

// onlyStore is the one store of a stage, of a component for each instance along one axis, behind what it defines; nil where it does anything else.
func onlyStore(s *hast.Stage) *hast.Store {
	if store := onlyPixel(s); store != nil && store.Image.Elem.IsScalar() {
		return store
	}
	return nil
}

// onlyPixel is onlyStore of a pixel of any number of components.
func onlyPixel(s *hast.Stage) *hast.Store {
	last := len(s.Body) - 1
	if last < 0 || len(s.Space.Ranges) != 1 || s.Where != nil || s.Scan != nil {
		return nil
	}
	for _, d := range s.Body[:last] {
		if _, ok := d.(*hast.Define); !ok {
			return nil
		}
	}
	store, ok := s.Body[last].(*hast.Store)
	if !ok || store.Updates() || store.Image.View != nil {
		return nil
	}
	return store
}

// onlySum is what a stage stores, if that is a sum of integers for each instance along one axis.
func onlySum(s *hast.Stage) (*hast.Store, *hast.Reduce) {
	store := onlyStore(s)
	if store == nil {
		return nil, nil
	}
	sum, ok := unconverted(store.Value).(*hast.Reduce)
	if !ok || sum.Op != hast.Sum && sum.Op != hast.Count || !sum.T.IsScalar() || !sum.T.Kind.IsInt() || sum.Space.Points != nil {
		return nil, nil
	}
	return store, sum
}

// PartsOf is the image of which each instance of a stage stores the one component of 32 or 64 bits that has its number, and no other one, and how many there
// are; nil where it is otherwise.
func PartsOf(s *hast.Stage) (parts *hast.Image, count int) {
	s = Ended(s)
	store := onlyStore(s)
	if store == nil || store.Image.Dir != hast.Local || store.Image.Elem.Kind.Bits() < 32 {
		return nil, 0
	}
	r := s.Space.Ranges[0]
	n, known := TripCount(r)
	if lo, constant := hast.Number(r.Lo); !known || !constant || lo != 0 || r.Step != 1 {
		return nil, 0
	}
	if len(store.Index) != 1 || !hast.Equal(store.Index[0], hast.RefTo(s.Space.Vars[0])) {
		return nil, 0
	}
	return store.Image, int(n)
}

// unconverted is an expression without the conversions of integers around it that leave it the value, but for its sign.
func unconverted(e hast.Expr) hast.Expr {
	for {
		c, ok := e.(*hast.Convert)
		if !ok || !c.T.Kind.IsInt() {
			return e
		}
		from := c.X.Type().Kind
		if from != types.Bool && !(from.IsInt() && from.Bits() < c.T.Kind.Bits()) {
			return e
		}
		e = c.X
	}
}

// loaded is the image whose pixels a reduction takes as they are, if each point has another one; else nil.
func loaded(e *hast.Reduce) *hast.Image {
	if load, ok := unconverted(e.Elem).(*hast.Load); ok && ofItsOwn(load, e.Space) {
		return load.Image.Base()
	}
	return nil
}

// ofItsOwn reports whether each point of a space reads another pixel.
func ofItsOwn(load *hast.Load, s hast.Space) bool {
	if len(load.Index) != len(s.Vars) {
		return false
	}
	seen := map[*hast.Var]bool{}
	for _, c := range load.Index {
		r, ok := c.X.(*hast.Ref)
		if !ok {
			return false
		}
		seen[r.Var] = true
	}
	return !slices.ContainsFunc(s.Vars, func(v *hast.Var) bool { return !seen[v] })
}

// loadsApart reports whether each point of a reduction reads a pixel of an image that no other one reads at that place, by what it computes.
func loadsApart(e *hast.Reduce) bool {
	found := false
	hast.Walk(e.Elem, func(x hast.Expr) {
		load, ok := x.(*hast.Load)
		found = found || ok && load.Rule == nil && ofItsOwn(load, e.Space)
	})
	return found
}

// ofBytes bounds what each point adds where that is of two bytes.
func ofBytes(s *hast.Stage, sum *hast.Reduce) (most uint64, known bool) {
	what := Analyze(PointStage(s, sum.Space, []*hast.Reduce{sum}), pairTaps)
	if what.Alone != "" {
		return 0, false
	}
	k := &Combiner{Stage: what, Unroll: pairTaps}
	if p := k.pair(sum.Elem); p != nil {
		return uint64(p.most()), true
	}
	return 0, false
}

// highest bounds the amount of a sum over all groups of a stage; more than any Tally has room for where nothing is known.
func highest(s *hast.Stage, sum *hast.Reduce) uint64 {
	const unknown = 1 << 63
	kind := unconverted(sum.Elem).Type().Kind
	term := uint64(1) // of what is counted, and of bools
	if sum.Op == hast.Sum && kind != types.Bool {
		term = 1 << min(kind.Bits(), 63)
		if n, known := ofBytes(s, sum); known {
			term = min(term, n)
		}
	}
	points := uint64(1)
	for range sum.Space.Ranges { // each group takes a part of the first
		points = min(points, 1<<32) * hast.MaxExtent
	}
	if loaded(sum) != nil || loadsApart(sum) {
		points = min(points, maxPixels)
	}
	if carry, product := bits.Mul64(points, term); carry == 0 {
		return product
	}
	return unknown
}
