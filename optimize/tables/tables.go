package tables

import (
	"fmt"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
	"imgc/types"
)

// entries is how many values a byte has.
const entries = 256

// least is how many operations a value takes at least that is worth a look-up, which is an address, a load, and the other accesses to the same banks of the
// nearest memory that it waits for.
const least = 12

// Tabled is a stage that takes values from tables.
type Tabled struct {
	Stage  *hast.Stage
	Before *hast.Stage // computes the tables
	Images []*hast.Image
	Early  bool // they depend on parameters alone, so that they may be computed before all other steps
}

// Of is a stage with what depends on one byte taken from tables, called otherwise than names; nil where it has nothing that is worth it.
func Of(s *hast.Stage, names map[string]bool) *Tabled {
	if s.Scan != nil || len(s.Fused) > 0 || !isDear(s) {
		return nil
	}
	t := newTabler(s, names)
	body := hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr { return hast.Map(e, t.lookUp) })
	if len(t.tables) == 0 {
		return nil
	}
	lets := map[*hast.Var]bool{}
	for v := range t.lets {
		lets[v] = true
	}
	out := *s
	out.Body = hast.WithoutUnread(body, lets)
	return t.tabled(&out)
}

// isDear reports whether a stage has an operation that takes several of a device, so that it is worth to look any further.
func isDear(s *hast.Stage) (dear bool) {
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Op:
			dear = dear || ops.Sqrt <= e.Op && e.Op <= ops.Smoothstep
			switch e.Op {
			case ops.Div, ops.Rem, ops.Mod, ops.FloorDiv:
				dear = true
			}
		case *hast.Call:
			dear = true
		}
	})
	return dear
}

// A table is one of the values of an expression.
type table struct {
	of    hast.Expr // of the hole
	kind  types.Kind
	late  bool // it depends on what steps before compute
	image *hast.Image
}

// A tabler finds the tables of one stage.
type tabler struct {
	stage   *hast.Stage
	names   map[string]bool
	written map[*hast.Image]bool
	lets    map[*hast.Var]hast.Expr
	reads   map[*hast.Var]int
	holes   map[types.Kind]*hast.Var // which stand for the byte
	known   map[asked]value
	dear    map[hast.Expr]bool // of values, whether they take as many operations as a look-up is worth
	instead map[hast.Expr]hast.Expr
	tables  []*table
}

func newTabler(s *hast.Stage, names map[string]bool) *tabler {
	t := &tabler{
		stage: s, names: names, written: map[*hast.Image]bool{}, lets: hast.Values(s.Body), reads: map[*hast.Var]int{}, known: map[asked]value{},
		dear: map[hast.Expr]bool{}, instead: map[hast.Expr]hast.Expr{}, holes: map[types.Kind]*hast.Var{},
	}
	for _, k := range []types.Kind{types.U8, types.I8} {
		t.holes[k] = &hast.Var{Name: "byte", Type: types.Scalar(k), Class: hast.Value}
	}
	hast.EachStore(s.Body, func(st *hast.Store) { t.written[st.Image.Base()] = true })
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			t.reads[r.Var]++
		}
	})
	return t
}

// lookUp is what takes the place of an expression, one node wherever that one stands; nil where it stays.
func (t *tabler) lookUp(e hast.Expr) hast.Expr {
	x, known := t.instead[e]
	if !known {
		x = t.vector(e)
		t.instead[e] = x
	}
	return x
}

// vector is lookUp, found out: component by component.
func (t *tabler) vector(e hast.Expr) hast.Expr {
	typ := e.Type()
	if typ.IsArray() {
		return nil
	}
	parts := make([]hast.Expr, typ.Lanes)
	for lane := range parts {
		v := t.of(e, lane, false)
		if v.f == nil || v.from == nil || !t.isWorth(v.f) {
			return nil
		}
		parts[lane] = v.from.entry(t.tableOf(v), e)
	}
	if typ.IsScalar() {
		return parts[0]
	}
	return &hast.Vec{Typed: hast.Typed{T: typ, At: e.Span()}, Parts: parts}
}

// isWorth reports whether a value takes as many operations as a look-up is worth.
func (t *tabler) isWorth(f hast.Expr) bool {
	dear, known := t.dear[f]
	if !known {
		dear = feature.Weigh(f) >= least
		t.dear[f] = dear
	}
	return dear
}

// tableOf is the table of a value, which all that are computed alike have in common.
func (t *tabler) tableOf(v value) *hast.Image {
	for _, have := range t.tables {
		if have.kind == v.from.kind && alike(have.of, v.f) {
			return have.image
		}
	}
	name := newName(schedule.TableName(t.stage.Name), t.names)
	m := &hast.Image{Name: name, Dir: hast.Local, Elem: v.f.Type(), Extent: []hast.Expr{hast.Int(entries)}, At: v.f.Span()}
	t.tables = append(t.tables, &table{of: v.f, kind: v.from.kind, late: v.late, image: m})
	return m
}

// newName is a name that is none of some others, one of them then.
func newName(base string, names map[string]bool) string {
	name := base
	for n := 2; names[name]; n++ {
		name = fmt.Sprintf("%s%d", base, n)
	}
	names[name] = true
	return name
}

// tabled is a stage with the tables that it reads.
func (t *tabler) tabled(s *hast.Stage) *Tabled {
	read := map[*hast.Image]bool{}
	hast.WalkBody(s.Body, nil, func(e hast.Expr) {
		if load, ok := e.(*hast.Load); ok {
			read[load.Image] = true
		}
	})
	at := s.At
	i := &hast.Var{Name: "i", Type: types.Scalar(types.I32), Class: hast.Iterator, At: at}
	out := &Tabled{Stage: s, Early: true}
	out.Before = &hast.Stage{At: at, Space: hast.Space{Vars: []*hast.Var{i}, Ranges: []hast.Range{{Lo: hast.Int(0), Hi: hast.Int(entries), Step: 1}}}}
	for _, b := range t.tables {
		if !read[b.image] { // it was for a let that nothing reads any more
			continue
		}
		if out.Before.Name == "" {
			out.Before.Name = b.image.Name
		}
		out.Early = out.Early && !b.late
		out.Images = append(out.Images, b.image)
		store := &hast.Store{Image: b.image, Index: []hast.Expr{hast.RefTo(i)}, Value: t.at(b, i), At: at}
		out.Before.Body = append(out.Before.Body, store)
	}
	return out
}

// at is the entry of a table at a place.
func (t *tabler) at(b *table, i *hast.Var) hast.Expr {
	n := hast.RefTo(i)
	if b.kind == types.I8 {
		n = hast.Plus(n, -entries/2)
	}
	hole := t.holes[b.kind]
	byte := &hast.Convert{Typed: hast.Typed{T: hole.Type, At: b.of.Span()}, X: n}
	return hast.Map(b.of, func(e hast.Expr) hast.Expr {
		if c, ok := e.(*hast.Convert); ok && c.T == types.Scalar(types.I32) && hast.IsVar(c.X, hole) {
			return n
		}
		if hast.IsVar(e, hole) {
			return byte
		}
		return nil
	})
}
