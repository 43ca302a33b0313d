package ratios

import (
	"math"
	"math/bits"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Ratios are the positions in the stages of a pipeline.
type Ratios struct {
	exact  bool
	host   map[*hast.Var]hast.Expr // lets of the host that are constants
	tables map[*hast.Image]*table
	shared map[*hast.Image]bool // that are reached in other ways than by stages, or written by several
	first  map[*hast.Stage]bool // stages that run before all behind them in the text
}

// Of goes through the steps of a pipeline, which have to be told in their order. Where results are to be exact, only positions are that floats are exactly.
func Of(p *hast.Pipeline, exact bool) *Ratios {
	r := &Ratios{exact: exact, host: map[*hast.Var]hast.Expr{}, tables: map[*hast.Image]*table{}, shared: map[*hast.Image]bool{}, first: map[*hast.Stage]bool{}}
	for _, s := range p.Steps {
		if s, ok := s.(*hast.Stage); ok {
			r.first[s] = true
		}
	}
	r.share(p)
	return r
}

// Know notes what a let of the host stands for.
func (r *Ratios) Know(v *hast.Var, value hast.Expr) {
	if c, ok := value.(*hast.Const); ok && v.Class == hast.HostValue {
		r.host[v] = c
	}
}

// Stage is a stage with its positions as quotients and what repeats along an axis as entries of arrays, if it then reads pixels where neighbours can share them; else
// the stage as it is.
func (r *Ratios) Stage(s *hast.Stage) *hast.Stage {
	if s.Scan != nil || len(s.Space.Vars) == 0 {
		return s
	}
	f := &finder{exact: r.exact, known: map[*hast.Var]position{}, lets: map[*hast.Var]hast.Expr{}, whole: map[*hast.Var]hast.Expr{}, ofLets: map[*hast.Var]found{}, bounds: map[*hast.Var]*bound{}, phases: map[string]*hast.Var{}, periods: map[*hast.Var]int64{},
		made: map[hast.Expr]hast.Expr{}, places: map[hast.Expr]place{}, repeats: map[hast.Expr]found{}}
	for v, c := range r.host {
		if p, ok := f.position(c); ok {
			f.known[v] = p
		}
	}
	f.variables(s)
	body := f.stmts(r.withTables(s))
	if !f.changed || !f.bounded() {
		return s
	}
	out := *s
	out.Body = hast.WithoutUnread(slices.Concat(f.defines, body), f.ofOwn())
	if !gains(s, &out) {
		return s
	}
	return &out
}

// gains reports whether blocks of instances have more of what they read beforehand in another form, or have so already, at divided coordinates.
func gains(s, other *hast.Stage) bool {
	before, after := block.AnalyzeBlocks(s, block.MostPoints), block.AnalyzeBlocks(other, block.MostPoints)
	return len(after.Direct) < len(before.Direct) ||
		slices.ContainsFunc(before.Windows, func(w *block.Window) bool { return w.X.By()*w.Y.By() > 1 })
}

// A finder finds positions in the body of a stage.
type finder struct {
	exact   bool
	known   map[*hast.Var]position  // variables of the stage and of its loops, and lets
	lets    map[*hast.Var]hast.Expr // what these lets stand for, by the others
	whole   map[*hast.Var]hast.Expr // those that are quotients now, which stand where they are named, since nothing is computed where pixels are
	ofLets  map[*hast.Var]found     // what lets repeat that are none
	bounds  map[*hast.Var]*bound
	phases  map[string]*hast.Var // by the variable and the period
	periods map[*hast.Var]int64  // of these
	defines []hast.Stmt          // of these
	changed bool
	made    map[hast.Expr]hast.Expr // what has been found of expressions
	places  map[hast.Expr]place
	repeats map[hast.Expr]found
}

// A bound is below which number a variable of the stage has to be for what takes the place of floats.
type bound struct {
	below int64
	at    *hast.Const // where it stands in the body
}

// variables notes those of a stage and its loops.
func (f *finder) variables(s *hast.Stage) {
	for k, r := range s.Space.Ranges {
		if r.Counts() && k >= len(s.Space.Ranges)-2 { // blocks are of the last two
			f.known[s.Space.Vars[k]] = ofStage(s.Space.Vars[k])
		}
	}
	loop := func(s hast.Space) {
		for k, reach := range block.Reaches(s, block.MostPoints) {
			if v := s.Vars[k]; v != nil && v.Type == i32 && max(-reach[0], reach[1]) <= farOff {
				f.known[v] = ofLoop(v)
			}
		}
	}
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if l, ok := st.(*hast.For); ok {
			loop(l.Space)
		}
	}, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			loop(r.Space)
		}
	})
}

// ofOwn are the lets that stand for positions or phases.
func (f *finder) ofOwn() map[*hast.Var]bool {
	out := map[*hast.Var]bool{}
	for _, v := range f.phases {
		out[v] = true
	}
	for v := range f.lets {
		out[v] = true
	}
	return out
}

// bounded gives all bounds their number, powers of two; false where one is too small.
func (f *finder) bounded() bool {
	for _, b := range f.bounds {
		if b.below < hast.LeastFar {
			return false
		}
		b.at.Words[0] = types.Int(1 << (bits.Len64(uint64(b.below)) - 1))
	}
	return true
}

// stmts is a list of statements in the form.
func (f *finder) stmts(list []hast.Stmt) []hast.Stmt {
	out := make([]hast.Stmt, len(list))
	for i, s := range list {
		out[i] = f.inside(f.stmt(s), s)
	}
	return out
}

// stmt is a statement in the form, but for the bodies in it.
func (f *finder) stmt(s hast.Stmt) hast.Stmt {
	if d, ok := s.(*hast.Define); ok && d.Init != nil && d.Var.Class == hast.Value {
		return f.let(d)
	}
	without := hast.MapBodies(s, func([]hast.Stmt) []hast.Stmt { return nil })
	return hast.MapStmts([]hast.Stmt{without}, f.expr)[0]
}

// let is a let in the form, of which is noted what it stands for.
func (f *finder) let(d *hast.Define) *hast.Define {
	out := &hast.Define{Var: d.Var, Init: f.expr(d.Init), At: d.At}
	p, ok := f.position(d.Init)
	if !ok {
		if x := f.tabled(f.repeated(d.Init)); x.near != nil {
			f.ofLets[d.Var] = x
		}
		return out
	}
	f.known[d.Var], f.lets[d.Var] = p, f.expanded(d.Init)
	if d.Var.Type == i32 && out.Init != d.Init {
		f.whole[d.Var] = out.Init
	}
	return out
}

// inside gives a statement the bodies of another one in the form.
func (f *finder) inside(to, from hast.Stmt) hast.Stmt {
	_, bodies := hast.Parts(from)
	n := 0
	return hast.MapBodies(to, func([]hast.Stmt) []hast.Stmt {
		n++
		return f.stmts(bodies[n-1])
	})
}

// expr is an expression in the form. What stands in several places is one node, and stays so.
func (f *finder) expr(e hast.Expr) hast.Expr {
	if f.made[e] == nil {
		f.made[e] = hast.Map(e, func(x hast.Expr) hast.Expr {
			if x == e {
				return f.form(e)
			}
			return f.expr(x)
		})
	}
	return f.made[e]
}

// form is what takes the place of an expression; nil where it stays but for its parts.
func (f *finder) form(e hast.Expr) hast.Expr {
	if r, ok := e.(*hast.Ref); ok {
		return f.whole[r.Var]
	}
	if !e.Type().IsScalar() {
		return nil
	}
	var x found
	switch k := e.Type().Kind; {
	case k == types.I32:
		x = f.quotient(e)
	case isFloat(k):
		x = f.tabled(f.repeated(e))
	}
	if x.near == nil {
		return nil
	}
	if f.changed = true; x.below >= hast.MaxExtent {
		return x.near
	}
	return hast.Near(x.of, f.bound(x.of, x.below), x.near, f.expanded(e))
}

// A found is what takes the place of an expression, and below which number the variable on which it depends has to be; near is nil where it stays.
type found struct {
	near  hast.Expr
	of    *hast.Var
	below int64
}

// bound is that of a variable, which is at most below.
func (f *finder) bound(v *hast.Var, below int64) *hast.Const {
	if f.bounds[v] == nil {
		at := &hast.Const{Typed: hast.Typed{T: i32}, Words: []types.Word{types.Int(hast.LeastFar)}}
		f.bounds[v] = &bound{hast.MaxExtent, at}
	}
	b := f.bounds[v]
	b.below = min(b.below, below)
	return b.at
}

// expanded is an expression without lets that stand for positions, which nothing else may read then.
func (f *finder) expanded(e hast.Expr) hast.Expr { return hast.Replaced(e, f.lets) }

var i32 = types.Scalar(types.I32)

// quotient is an integer that floats or longer integers were computed for, as a quotient of integers.
func (f *finder) quotient(e hast.Expr) found {
	c, ok := e.(*hast.Convert)
	if !ok || c.X.Type().Kind == types.I32 {
		return found{}
	}
	p, ok := f.position(e)
	if !ok || p.x == nil || f.exact && p.thirds > 0 {
		return found{}
	}
	num, k, den, ok := p.quotient()
	if !ok {
		return found{}
	}
	out, below := hast.Int(k), p.exact
	if num != 0 {
		down := max(0, -ops.FloorQuotient(k, den)) // so that the quotient is of what is not negative, if num is not
		k += down * den
		below = min(below, p.below(math.MaxInt32-abs(k)))
		out = hast.Plus(product(num, hast.RefTo(p.x)), k)
		if den != 1 {
			out = hast.Binary(ops.FloorDiv, out, hast.Int(den))
		}
		out = hast.Plus(out, -down)
	}
	return found{plusTerms(out, p.terms), p.x, below}
}

// product is num*x.
func product(num int64, x hast.Expr) hast.Expr {
	if num == 1 {
		return x
	}
	return hast.Binary(ops.Mul, hast.Int(num), x)
}

// plusTerms is an integer and so many times variables of loops.
func plusTerms(x hast.Expr, terms []term) hast.Expr {
	for _, t := range terms {
		op := ops.Add
		if t.coef < 0 {
			op = ops.Sub
		}
		x = hast.Binary(op, x, product(abs(t.coef), hast.RefTo(t.v)))
	}
	return x
}
