package borders

import (
	"maps"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/optimize/block"
)

// What a program makes of coordinates so that they stay inside of an image is a border rule where that says the same:
//
//	src[clamp(y-1, 0, H-1)][min(x+1, W-1)]
//
// is src[y-1][x+1] under clamp. So later phases see how far a pixel is from the instance, and where the rule has to be thought of: groups load rows for all of their instances, and
// registers hold what neighbours share. In the form that the program has each instance would compute where each of its pixels is, and load it by itself.

// A bordering brings the reads of a stage under such rules.
type bordering struct {
	stage  *hast.Stage
	left   map[*hast.Image]bool // that are left as they are: what the stage writes may be read at some pixels only
	values *symbolic
	ranges *ranges
	done   map[hast.Expr]hast.Expr // reductions of the statement at hand, which may stand in it several times as one node
	known  *Borders
	ruled  map[*hast.Image]bool // of which there are reads under such rules
	apart  map[*hast.Image]bool // that are read elsewhere than beside the instance: that nothing is gained by rules for others of their pixels
}

// Borders are what is known of all stages of a pipeline, and the rules that they have then.
type Borders struct {
	host  map[*hast.Var]hast.Expr // what lets of the host stand for
	sizes map[*hast.Var]interval.Interval
	// Rules that reads have then, by what they are: reads are known for the same by these.
	rules     map[hast.RuleKind]*hast.Rule
	constants map[string]*hast.Rule
}

// Of knows a pipeline.
func Of(p *hast.Pipeline) *Borders {
	return &Borders{host: ofHost(p.Steps), sizes: ofSizes(p), rules: map[hast.RuleKind]*hast.Rule{}, constants: map[string]*hast.Rule{}}
}

// Under is a stage with such rules.
func (p *Borders) Under(s *hast.Stage) *hast.Stage {
	left := map[*hast.Image]bool{}
	hast.EachStore(s.Body, func(st *hast.Store) { left[st.Image.Base()] = true })
	for {
		b := &bordering{stage: s, left: left, values: newSymbolic(p.host), ranges: newRanges(s, p.sizes), known: p, ruled: map[*hast.Image]bool{}, apart: map[*hast.Image]bool{}}
		body := b.stmts(s.Body)
		if len(b.ruled) == 0 {
			return s
		}
		again := false
		for m := range b.ruled {
			again = again || b.apart[m]
			left[m] = left[m] || b.apart[m]
		}
		if !again {
			out := *s
			out.Body = hast.WithoutUnread(body, b.values.named)
			return &out
		}
	}
}

// stmts is a list of statements with such rules.
func (b *bordering) stmts(list []hast.Stmt) []hast.Stmt { return b.behind(nil, list) }

// behind is a list of statements with such rules behind those that have them.
func (b *bordering) behind(out, list []hast.Stmt) []hast.Stmt {
	for i, s := range list {
		if before, now := b.counted(out, list[i:]); now != nil {
			return b.behind(before, now)
		}
		if x, ok := s.(*hast.If); ok {
			if free := b.unconditional(x); free != nil {
				out = b.behind(out, free)
				continue
			}
		}
		b.done = map[hast.Expr]hast.Expr{}
		out = append(out, b.stmt(s))
		b.values.pass(s)
	}
	return out
}

// stmt is one of them.
func (b *bordering) stmt(s hast.Stmt) hast.Stmt {
	switch s := s.(type) {
	case *hast.If:
		return &hast.If{Cond: b.expr(s.Cond), Then: b.inner(s.Then), Else: b.inner(s.Else), At: s.At}
	case *hast.For:
		return b.loop(s)
	case *hast.While:
		b.values.forget(s.Body)
		return &hast.While{Cond: b.expr(s.Cond), Body: b.inner(s.Body), At: s.At}
	case *hast.Set:
		b.added(addendOf(s), b.onlyAdds(s.Var))
	}
	return hast.MapStmts([]hast.Stmt{s}, b.expr)[0]
}

// loop is one with such rules. Conditions go into the loops inside of it, and what is left out of a round under one, where that leaves none.
func (b *bordering) loop(s *hast.For) hast.Stmt {
	b.values.forget(s.Body)
	b.ranges.bind(s.Space)
	space := hast.MapSpace(s.Space, b.expr)
	if body, changed := straight(s.Body, true); changed {
		ruled, apart := maps.Clone(b.ruled), maps.Clone(b.apart)
		if body = b.inner(body); !hasConditions(body) {
			return &hast.For{Space: space, Body: body, At: s.At}
		}
		b.ruled, b.apart = ruled, apart
	}
	return &hast.For{Space: space, Body: b.inner(s.Body), At: s.At}
}

// inner is a list of statements inside of another one, which goes on with what it knew.
func (b *bordering) inner(list []hast.Stmt) []hast.Stmt {
	outer := b.values
	defer func() { b.values = outer }()
	b.values = outer.branch()
	return b.stmts(list)
}

// expr is an expression whose reads have such rules.
func (b *bordering) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			return b.load(e)
		case *hast.Select:
			if b.done[e] != nil {
				return b.done[e]
			}
			if x := b.chosen(e, false); x != nil {
				return b.expr(x)
			}
		case *hast.Reduce:
			if b.done[e] == nil {
				b.ranges.bind(e.Space)
				b.added(e.Elem, e.Op == hast.Sum)
				b.done[e] = hast.Map(e, func(x hast.Expr) hast.Expr {
					if x == hast.Expr(e) {
						return nil
					}
					return b.expr(x)
				})
			}
			return b.done[e]
		}
		return nil
	})
}

// added is for a value that a condition chooses and that is added to what is never -0.
func (b *bordering) added(e hast.Expr, never bool) {
	if x, ok := e.(*hast.Select); ok && never {
		if out := b.chosen(x, true); out != nil {
			b.done[x] = b.expr(out)
		}
	}
}

// load is a read with a rule in the place of what keeps its coordinates inside; nil where it stays.
func (b *bordering) load(l *hast.Load) hast.Expr {
	m := l.Image.Base()
	if b.left[m] {
		return nil
	}
	for _, f := range foldings {
		if x := b.under(l, f); x != nil {
			b.ruled[m] = true
			b.apart[m] = b.apart[m] || !b.beside(x)
			return x
		}
	}
	b.apart[m] = b.apart[m] || !b.beside(l)
	return nil
}

// beside reports whether a read is of a pixel at some distance from the instance, as far as can be seen.
func (b *bordering) beside(l *hast.Load) bool {
	return !slices.ContainsFunc(l.Index, func(c hast.Coord) bool {
		value := b.values.value(c.X)
		return value == nil || !plain(value)
	})
}

// A folding finds what a border rule is applied to, on one axis, in a coordinate that does so: of clamp(x - 1, 0, W - 1) that is x - 1, below and above; of other coordinates it is the
// coordinate, neither below nor above.
type folding struct {
	rule hast.RuleKind
	of   func(a axis, e hast.Expr) folded
}

// A folded is a coordinate that a rule is applied to, and whether that brings it inside without the program's word that it is.
type folded struct {
	hast.Coord
	inside bool
}

var foldings = []folding{{hast.Clamp, axis.clamped}, {hast.Repeat, axis.repeated}}

// under is a read by a rule that does what its coordinates do; nil where they do something else, or it needs the rule that it has.
func (b *bordering) under(l *hast.Load, f folding) *hast.Load {
	out := *l
	out.Index = slices.Clone(l.Index)
	folds := false
	for k, c := range l.Index {
		under := b.coord(b.axis(l.Image, k), c.X, f)
		switch needs := (c.Below || c.Above) && !under.inside; {
		case needs && (l.Rule == nil || l.Rule.Kind != f.rule):
			return nil
		case under.X == nil:
			out.Index[k].X = b.expr(c.X)
		default:
			out.Index[k] = hast.Coord{X: under.X, Below: under.Below || c.Below, Above: under.Above || c.Above}
			folds = true
		}
	}
	if !folds {
		return nil
	}
	if out.Rule == nil || out.Rule.Kind != f.rule {
		out.Rule = b.known.rule(f.rule)
	}
	return &out
}

// rule is one without a value, the same for all that have it.
func (p *Borders) rule(kind hast.RuleKind) *hast.Rule {
	if p.rules[kind] == nil {
		p.rules[kind] = &hast.Rule{Kind: kind}
	}
	return p.rules[kind]
}

// coord is what a rule is applied to in a coordinate; without an expression where there is none, or none of a place beside the instance.
func (b *bordering) coord(a axis, e hast.Expr, f folding) folded {
	value := b.values.value(e)
	if n, known := hast.Number(a.size); value == nil || known && n <= block.FewPixels {
		return folded{}
	}
	c := f.of(a, value)
	if !c.Below && !c.Above || !plain(c.X) || !hast.Names(c.X, b.stage.Space.Vars) {
		return folded{}
	}
	return c
}
