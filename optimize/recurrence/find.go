package recurrence

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
	"slices"
)

// maxOrder is the largest order of a linear recurrence that is made parallel: one of order k makes a chunk's map of k*k numbers.
const maxOrder = 4

// A state is the pixels of one store along a line, each of which follows from those before it.
type state struct {
	store  *hast.Store
	number int
	forms  []form
	axis   int    // of the image, along which the line lies
	step   int64  // along it, from an instance to the next
	order  int    // how many pixels back the store reads; 0 of a store that no pixel of its own goes into
	op     ops.Op // x[i] = op(x[i-1], a[i]); None of a linear recurrence, and of a clamp
	clamps bool   // x[i] is x[i-1] with something added, within bounds
	// places is a host value: how many states from 0 on tables have of one that says where steps read another image; nil of others.
	places hast.Expr
}

func (st *state) elem() types.Type { return st.store.Image.Elem }

// A recurrence is a stage under a scan as pixels that follow from the pixels before.
type recurrence struct {
	stage  *hast.Stage
	mode   kir.Mode
	body   []hast.Stmt // of the stage, with updates written out as stores
	stores []*state    // of the body, in order
	back   map[*hast.Load]behind
	lets   map[*hast.Var]hast.Expr
	from   map[*hast.Var]set64 // of lets: the states whose pixels before go into them
	stride int64               // of the scanned variable, from an instance to the next
}

// behind says that a load reads the pixel that a store of the same line wrote so many instances before.
type behind struct {
	state    *state
	distance int
}

// A set64 is a set of stores by their numbers.
type set64 uint64

func (s set64) has(n int) bool { return s>>n&1 != 0 }

// find is the recurrence of a stage, nil where it has none that can run in parallel under the mode.
func find(s *hast.Stage, mode kir.Mode) *recurrence {
	r := pixelsBefore(s, mode)
	if r == nil {
		return nil
	}
	for _, st := range r.states() {
		if !r.classify(st) {
			return nil
		}
	}
	return r
}

// pixelsBefore is how the pixels of a stage follow from those before, whether chunks can run in parallel with that or not; nil where it cannot be said.
func pixelsBefore(s *hast.Stage, mode kir.Mode) *recurrence {
	if s.Scan == nil || !s.Scan.Lines {
		return nil
	}
	r := &recurrence{
		stage: s, mode: mode, body: writtenOut(s.Body), back: map[*hast.Load]behind{}, lets: map[*hast.Var]hast.Expr{},
		from: map[*hast.Var]set64{}, stride: s.Space.Ranges[s.Scan.Axis].Step,
	}
	if s.Scan.Down == (r.stride > 0) {
		r.stride = -r.stride
	}
	if !r.findStores() || !r.choosesLines() || !r.findReads() || !r.findStates() {
		return nil
	}
	return r
}

// states are the stores that pixels of their own go into.
func (r *recurrence) states() (list []*state) {
	for _, st := range r.stores {
		if st.order > 0 {
			list = append(list, st)
		}
	}
	return list
}

// order is the largest one of all states.
func (r *recurrence) order() (most int) {
	for _, st := range r.stores {
		most = max(most, st.order)
	}
	return most
}

// writtenOut makes a[i] op= e an assignment, as it is under a scan where no other instance of the step reaches the pixel.
func writtenOut(body []hast.Stmt) []hast.Stmt {
	out := make([]hast.Stmt, len(body))
	for i, s := range body {
		out[i] = s
		st, ok := s.(*hast.Store)
		if !ok || st.Op == ops.None || st.Skip || !st.Alone || !numeric(st.Image.Elem.Kind) {
			continue
		}
		old := &hast.Load{Typed: typed(st.Image.Elem, st.At), Image: st.Image}
		for _, x := range st.Index {
			old.Index = append(old.Index, hast.Coord{X: x})
		}
		out[i] = &hast.Store{Image: st.Image, Index: st.Index, Value: inPixels(st.Op, old, st.Value), At: st.At}
	}
	return out
}

// findStores takes the stores of the body, all of which run in each instance. It also takes the values of lets that indices may be
// made of.
func (r *recurrence) findStores() bool {
	for _, s := range r.body {
		switch s := s.(type) {
		case *hast.Define:
			if s.Var.Class == hast.Value && s.Init != nil {
				r.lets[s.Var] = s.Init
			}
		case *hast.Store:
			st := &state{store: s, number: len(r.stores)}
			for _, other := range r.stores {
				if m := other.store.Image; m != s.Image && m.Base() == s.Image.Base() {
					return false
				}
			}
			if s.Updates() || s.Skip || s.Image.Base().Of != nil || st.number == 64 || !r.place(st) {
				return false // of a level of a pyramid, the extents are not known on entry
			}
			if slices.ContainsFunc(r.stores, st.overwrites) {
				return false
			}
			r.stores = append(r.stores, st)
		default:
			if storesIn(s) {
				return false
			}
		}
	}
	return len(r.stores) > 0
}

// overwrites reports whether a store may write a pixel that another one writes, in whatever steps: chunks that run side by side would have no order of the two, and what is read of it is not known to be
// of one of them.
func (st *state) overwrites(other *state) bool {
	if st.store.Image != other.store.Image {
		return false
	}
	_, meets, known := other.distance(st.forms)
	return meets || !known
}

// choosesLines reports whether a where clause leaves out whole lines and nothing else.
func (r *recurrence) choosesLines() bool {
	ok := true
	look := func(x hast.Expr) {
		switch x := x.(type) {
		case *hast.Ref:
			ok = ok && x.Var != r.stage.Space.Vars[r.stage.Scan.Axis]
		case *hast.Load:
			ok = ok && !r.writes(x.Image)
		case *hast.Window:
			ok = ok && !r.writes(x.Image)
		}
	}
	if r.stage.Where != nil {
		hast.Walk(r.stage.Where, look)
	}
	return ok
}

func storesIn(s hast.Stmt) bool {
	for _, body := range bodies(s) {
		for _, inner := range body {
			if _, ok := inner.(*hast.Store); ok || storesIn(inner) {
				return true
			}
		}
	}
	return false
}

func bodies(s hast.Stmt) [][]hast.Stmt {
	switch s := s.(type) {
	case *hast.If:
		return [][]hast.Stmt{s.Then, s.Else}
	case *hast.For:
		return [][]hast.Stmt{s.Body}
	case *hast.While:
		return [][]hast.Stmt{s.Body}
	}
	return nil
}

// place finds the axis of a store's image for each variable of the stage: an axis of its own for each, so that there are no more
// lines than the image has pixels along its other axes.
func (r *recurrence) place(st *state) (ok bool) {
	if st.forms, ok = formsOf(st.store.Index, r.lets); !ok {
		return false
	}
	for i := range r.stage.Space.Vars {
		axis := r.axisOf(st, i)
		if axis < 0 {
			return false
		}
		if i == r.stage.Scan.Axis {
			st.axis, st.step = axis, r.stride*st.forms[axis].terms[r.stage.Space.Vars[i]]
		}
	}
	return numeric(st.elem().Kind)
}

// axisOf is the only axis of a store's image along which variable i of the stage moves, and no other variable; -1 without one.
func (r *recurrence) axisOf(st *state, i int) int {
	axis := -1
	for k, f := range st.forms {
		if f.terms[r.stage.Space.Vars[i]] == 0 {
			continue
		}
		for j, other := range r.stage.Space.Vars {
			if j != i && f.terms[other] != 0 {
				return -1
			}
		}
		if axis >= 0 {
			return -1
		}
		axis = k
	}
	return axis
}

// findReads looks at every read of an image that the stage writes.
func (r *recurrence) findReads() bool {
	ok := true
	stored := set64(0)
	for _, s := range r.body {
		hast.WalkBody([]hast.Stmt{s}, nil, func(x hast.Expr) { ok = ok && r.read(x, stored) })
		if st, isStore := s.(*hast.Store); isStore {
			stored |= 1 << r.of(st).number
		}
	}
	return ok
}

// of is the state of a store of the body.
func (r *recurrence) of(s *hast.Store) *state {
	for _, st := range r.stores {
		if st.store == s {
			return st
		}
	}
	return nil
}

// read notes what a load reads; false where chunks cannot run side by side with it.
func (r *recurrence) read(x hast.Expr, stored set64) bool {
	if w, ok := x.(*hast.Window); ok {
		return !r.writes(w.Image)
	}
	load, ok := x.(*hast.Load)
	if !ok || !r.writes(load.Image) {
		return true
	}
	index, inside := load.Coordinates()
	forms, ok := formsOf(index, r.lets)
	if !ok {
		return false
	}
	for _, st := range r.stores {
		switch m := st.store.Image; {
		case m.Base() != load.Image.Base():
			continue
		case m != load.Image:
			return false // another view of the same pixels
		}
		d, meets, known := st.distance(forms)
		switch {
		case !known || meets && d < 0:
			return false // it might read what another chunk is writing
		case meets && d == 0:
			if stored.has(st.number) {
				return false
			}
		case meets:
			if d > maxOrder {
				return false
			}
			r.back[load] = behind{st, int(d)}
			return true
		}
	}
	return inside
}

// writes reports whether the stage writes pixels of an image, be it by way of a view.
func (r *recurrence) writes(m *hast.Image) bool {
	for _, st := range r.stores {
		if st.store.Image.Base() == m.Base() {
			return true
		}
	}
	return false
}

// distance is how many instances before the store, on the same line, has written a pixel: negative for those after. meets is false
// where no instance of the line writes it, known where that can be said.
func (st *state) distance(forms []form) (d int64, meets, known bool) {
	meets = true
	for k, f := range st.forms {
		apart, ok := f.apart(forms[k])
		if !ok {
			return 0, false, false
		}
		switch {
		case k != st.axis:
			meets = meets && apart == 0
		case apart%st.step != 0:
			meets = false
		default:
			d = -apart / st.step
		}
	}
	return d, meets, true
}

// findStates decides which stores are states: those that pixels of their own, and only those, go into. What else is stored may read
// states, but nothing reads it.
func (r *recurrence) findStates() bool {
	var into []set64
	all := set64(0)
	for _, s := range r.body {
		from := set64(0)
		hast.WalkBody([]hast.Stmt{s}, nil, func(x hast.Expr) { from |= r.source(x) })
		all |= from
		switch s := s.(type) {
		case *hast.Store:
			for _, x := range s.Index {
				if r.sources(x) != 0 {
					return false
				}
			}
			into = append(into, from)
		case *hast.Define:
			if from != 0 && s.Var.Class != hast.Value {
				return false
			}
			r.from[s.Var] = from
		default:
			if from != 0 {
				return false
			}
		}
	}
	some := false
	for i, st := range r.stores {
		own := into[i].has(i)
		if own && into[i] != 1<<i || !own && all.has(i) {
			return false
		}
		some = some || own
		if own {
			for _, b := range r.back {
				if b.state == st {
					st.order = max(st.order, b.distance)
				}
			}
		}
	}
	return some
}

// sources are the stores whose pixels before go into a value.
func (r *recurrence) sources(e hast.Expr) set64 {
	from := set64(0)
	hast.Walk(e, func(x hast.Expr) { from |= r.source(x) })
	return from
}

// source is the part in it of an expression by itself, without those inside.
func (r *recurrence) source(e hast.Expr) set64 {
	switch e := e.(type) {
	case *hast.Load:
		if b, ok := r.back[e]; ok {
			return 1 << b.state.number
		}
	case *hast.Ref:
		return r.from[e.Var]
	}
	return 0
}

// classify decides how the state's chunks are combined; false where it is not known.
func (r *recurrence) classify(st *state) bool {
	float := st.elem().Kind.IsFloat()
	for _, o := range prefixOps {
		rounds := float && o != ops.Min && o != ops.Max
		if rounds && (o != ops.Add || r.mode == kir.Strict) || !ops.Defined(o, st.elem().Kind) {
			continue
		}
		if st.order == 1 && r.chain(st.store.Value, st, o) {
			st.op = o
			return true
		}
	}
	if float && r.mode == kir.Strict {
		return false
	}
	h := &homogeneous{r: r, state: st, twins: map[*hast.Var]*hast.Var{}}
	for range st.order {
		h.units = append(h.units, &hast.Var{Type: st.elem(), Class: hast.Mutable})
	}
	if h.value(st.store.Value) != nil {
		return true
	}
	st.clamps = r.isClamp(st)
	return st.clamps
}
