package fuse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/memo"
	"imgc/types"
)

// maxTerms bounds what a stage may grow to by inlining, in nodes of expressions.
const maxTerms = 2000

// Inline is a pipeline in which the stages that read what s writes compute it themselves, wherever they read it. It says why that cannot
// be, as the end of a sentence, and then returns the pipeline as it is.
func Inline(p *hast.Pipeline, s *hast.Stage) (out *hast.Pipeline, why string) {
	return Of(p, 0).inline(s)
}

func (g *Groups) inline(s *hast.Stage) (out *hast.Pipeline, why string) {
	x, in := g.of(s), g.made.inliner(s)
	if in.long != "" && !straight(s) {
		return g.pipeline, in.long
	}
	readers, why := g.computing(x)
	if why != "" {
		return g.pipeline, why
	}
	replaced, why := g.instead(x, in, readers)
	if why != "" {
		return g.pipeline, why
	}
	return g.without(x, replaced), ""
}

// computing are the stages that may compute themselves what another one writes, which nobody else needs, in the order of the text.
func (g *Groups) computing(x *stage) (readers []*hast.Stage, why string) {
	if _, why := g.targets(x); why != "" {
		return nil, why
	}
	for _, m := range x.written {
		if !g.inner(m) {
			return nil, fmt.Sprintf("%s has to be stored", m.Name)
		}
		for _, r := range g.uses[m].readers {
			if !slices.Contains(readers, r) {
				readers = append(readers, r)
			}
		}
	}
	slices.SortFunc(readers, func(a, b *hast.Stage) int { return g.of(a).index - g.of(b).index })
	return readers, ""
}

// instead is what becomes of readers that compute themselves what a stage writes.
func (g *Groups) instead(x *stage, in *inliner, readers []*hast.Stage) (replaced map[*hast.Stage]*hast.Stage, why string) {
	replaced = map[*hast.Stage]*hast.Stage{}
	for _, r := range readers {
		y := g.of(r)
		if why := g.moves(x, y, g.stored(x)); why != "" {
			return nil, why
		}
		if touches(y.written, x.read) && !inPlace(r, x.Stage) {
			return nil, fmt.Sprintf("%s writes what it reads", r.Name)
		}
		c := in.into(r)
		if c.why != "" {
			return nil, c.why
		}
		replaced[r] = c.stage
	}
	return replaced, ""
}

// OnceEach reports whether the instances of r, which may read several times what s writes, read their own pixels of it alone, so that with s
// inlined each computes one.
func OnceEach(r, s *hast.Stage) bool { return straight(s) && before(s, r) != nil }

// straight reports whether a stage writes a pixel of one image last of all that it does.
func straight(s *hast.Stage) bool {
	list := written(s)
	return len(list) == 1 && replaces(s, list[0]) != nil
}

// before is a stage whose instances first do what those of a straight one do, whose pixel they then have; nil where they read others too.
func before(s, r *hast.Stage) *hast.Stage {
	m := written(s)[0]
	if r.Scan != nil || len(r.Space.Vars) != len(s.Space.Vars) || !ownPixel(r, func(n *hast.Image) bool { return n.Base() == m }) {
		return nil
	}
	if r.Where != nil && reads(r.Where, m) {
		return nil
	}
	body := hast.Renewed(renamed(s, r.Space.Vars).Body)
	last := body[len(body)-1].(*hast.Store)
	v := valueOf(last)
	out := *r
	out.Body = slices.Concat(body[:len(body)-1], []hast.Stmt{&hast.Define{Var: v, Init: last.Value, At: last.At}}, having(r.Body, map[*hast.Image]*hast.Var{m: v}))
	return &out
}

// valueOf is a variable for what a store writes.
func valueOf(s *hast.Store) *hast.Var {
	return &hast.Var{Name: strings.TrimRight(s.Image.Name, "[]0123456789+-"), Type: s.Image.Elem, Class: hast.Value, At: s.At}
}

// reads reports whether an expression reads an image.
func reads(e hast.Expr, m *hast.Image) bool {
	found := false
	hast.Walk(e, func(e hast.Expr) {
		l, ok := e.(*hast.Load)
		found = found || ok && l.Image == m
	})
	return found
}

// inPlace reports whether a stage may compute what s writes though it writes what s reads: each instance reads its own pixels alone, and
// writes one last of all.
func inPlace(r, s *hast.Stage) bool {
	for _, m := range written(r) {
		if !touches([]*hast.Image{m}, read(s)) {
			continue
		}
		if replaces(r, m) == nil || !ownPixel(s, func(n *hast.Image) bool { return touches([]*hast.Image{m}, []*hast.Image{n}) }) {
			return false
		}
	}
	mine := written(s)
	return ownPixel(r, func(n *hast.Image) bool { return slices.Contains(mine, n) })
}

// ownPixel reports whether the instances of a stage read some images at their own pixels alone.
func ownPixel(s *hast.Stage, some func(*hast.Image) bool) bool {
	own := true
	look := func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			own = own && (!some(e.Image) || isPixel(e, s.Space.Vars))
		case *hast.Window:
			own = own && !some(e.Image)
		}
	}
	if s.Where != nil {
		hast.Walk(s.Where, look)
	}
	hast.WalkBody(s.Body, nil, look)
	return own
}

// isPixel reports whether the coordinates of a read are these variables, which never lie outside of the image.
func isPixel(e *hast.Load, vars []*hast.Var) bool {
	return slices.EqualFunc(e.Index, vars, func(c hast.Coord, v *hast.Var) bool {
		r, ok := c.X.(*hast.Ref)
		return ok && r.Var == v && !c.Below && !c.Above
	})
}

// An inliner puts the values of a stage's pixels in the place of reads of them.
type inliner struct {
	of      *hast.Stage
	vars    []*hast.Var               // of the stage
	values  map[*hast.Image]hast.Expr // of the pixel at vars
	long    string                    // why these cannot take the places of reads; "" where they can
	readers map[*hast.Stage]inlined   // what has been made of readers, which other pipelines have as well
	terms   int
	why     string
}

// An inlined is a stage that reads what another one writes with that in it, or why it cannot be.
type inlined struct {
	stage *hast.Stage
	why   string
}

func newInliner(s *hast.Stage) *inliner {
	in := &inliner{of: s, values: map[*hast.Image]hast.Expr{}, vars: s.Space.Vars}
	in.long = in.take(s)
	return in
}

// into is a stage that computes itself what it reads of the inliner's.
func (in *inliner) into(r *hast.Stage) inlined {
	return memo.Of(&in.readers, r, func() inlined {
		if in.long != "" || straight(in.of) {
			if first := before(in.of, r); first != nil {
				return inlined{stage: first}
			}
		}
		if in.long != "" {
			return inlined{why: in.long}
		}
		in.why = ""
		out := in.reader(r)
		return inlined{out, in.why}
	})
}

// take enters the values of a stage's images.
func (in *inliner) take(s *hast.Stage) string {
	if s.Scan != nil || s.Where != nil || len(s.Fused) > 0 {
		return "its instances are not independent of each other, or not all run"
	}
	lets := map[*hast.Var]hast.Expr{}
	resolved := func(e hast.Expr) hast.Expr {
		return hast.Map(e, func(e hast.Expr) hast.Expr {
			if r, ok := e.(*hast.Ref); ok {
				return lets[r.Var]
			}
			return nil
		})
	}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class != hast.Value || st.Init == nil || st.Var.Type.IsArray() {
				return "it computes in more than one step"
			}
			lets[st.Var] = resolved(st.Init)
		case *hast.Store:
			if st.Updates() || st.Skip || in.values[st.Image] != nil || !s.Fills(st) {
				return fmt.Sprintf("it does more than to write each pixel of %s once", st.Image.Name)
			}
			in.values[st.Image] = resolved(st.Value)
		default:
			return "it computes in more than one step"
		}
		if size(lets, in.values) > maxTerms {
			return "it is too long to be repeated"
		}
	}
	return ""
}

// size is the number of nodes of the longest expression.
func size(lets map[*hast.Var]hast.Expr, values map[*hast.Image]hast.Expr) int {
	most := 0
	for _, e := range lets {
		most = max(most, terms(e))
	}
	for _, e := range values {
		most = max(most, terms(e))
	}
	return most
}

// terms is the number of nodes of an expression, as far as it matters here.
func terms(e hast.Expr) int {
	n := 0
	hast.Walk(e, func(hast.Expr) { n++ })
	return n
}

// reader is a stage with its reads replaced.
func (in *inliner) reader(s *hast.Stage) *hast.Stage {
	out := *s
	in.terms = 0
	if s.Where != nil {
		out.Where = in.expr(s.Where)
	}
	out.Body = hast.MapStmts(s.Body, in.expr)
	for m := range in.values {
		if slices.Contains(read(&out), m) {
			in.fail("%s reads %s by a border's formula", s.Name, m.Name)
		}
	}
	if in.terms > maxTerms {
		in.fail("%s would repeat it too often", s.Name)
	}
	return &out
}

func (in *inliner) fail(format string, args ...any) {
	if in.why == "" {
		in.why = fmt.Sprintf(format, args...)
	}
}

// expr replaces the reads in an expression.
func (in *inliner) expr(e hast.Expr) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Load:
			if in.values[e.Image] != nil {
				return in.pixel(e)
			}
		case *hast.Window:
			if in.values[e.Image] == nil {
				return nil
			}
			if e.T.Len() > 64 {
				in.fail("%s is read by blocks of %d pixels", e.Image.Name, e.T.Len())
				return nil
			}
			return in.expr(hast.Pixels(e))
		}
		return nil
	})
}

// pixel is the value of the pixel that a load reads.
func (in *inliner) pixel(e *hast.Load) hast.Expr {
	if value := in.ruled(e); value != nil {
		return in.counted(value, e)
	}
	kind := hast.Undefined
	if e.Rule != nil {
		kind = e.Rule.Kind
	}
	at := map[*hast.Var]hast.Expr{}
	var inside hast.Expr
	for k, c := range e.Index {
		i := in.expr(c.X)
		var test hast.Expr
		at[in.vars[k]], test = in.fold(i, e.Image.Extent[k], kind, c.Below || c.Above)
		inside = hast.And(inside, test)
	}
	value := hast.Map(apart(in.values[e.Image], at), func(x hast.Expr) hast.Expr {
		if r, ok := x.(*hast.Ref); ok {
			return at[r.Var]
		}
		return nil
	})
	in.counted(value, e)
	if inside != nil {
		value = &hast.Select{Typed: e.Typed, Cond: inside, Then: value, Else: e.Rule.Value}
	}
	return value
}

// counted is the value of a load, as one more that the reader computes.
func (in *inliner) counted(value hast.Expr, e *hast.Load) hast.Expr {
	if in.terms += terms(value); in.terms > maxTerms {
		in.fail("what reads %s would repeat it too often", e.Image.Name)
	}
	return value
}

// apart is a value whose reductions have variables of their own where the places that it goes to have the same ones: a place that the stage
// itself computes, or one in a sum of another round of the stage.
func apart(value hast.Expr, places map[*hast.Var]hast.Expr) hast.Expr {
	own := map[*hast.Var]bool{}
	hast.Walk(value, func(e hast.Expr) {
		if r, ok := e.(*hast.Reduce); ok {
			for _, v := range r.Space.Vars {
				own[v] = true
			}
		}
	})
	shared := false
	for _, at := range places {
		hast.Walk(at, func(e hast.Expr) {
			switch e := e.(type) {
			case *hast.Ref:
				shared = shared || own[e.Var]
			case *hast.Reduce:
				shared = shared || slices.ContainsFunc(e.Space.Vars, func(v *hast.Var) bool { return own[v] })
			}
		})
	}
	if !shared {
		return value
	}
	return withOwnReductions(value, map[*hast.Var]*hast.Var{})
}

// withOwnReductions is an expression whose reductions have new variables; vars are those that others have been given.
func withOwnReductions(e hast.Expr, vars map[*hast.Var]*hast.Var) hast.Expr {
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Ref:
			if v := vars[e.Var]; v != nil {
				return &hast.Ref{Typed: e.Typed, Var: v}
			}
		case *hast.Reduce:
			return withOwnVars(e, maps.Clone(vars))
		}
		return nil
	})
}

func withOwnVars(e *hast.Reduce, vars map[*hast.Var]*hast.Var) *hast.Reduce {
	x := *e
	x.Space.Vars = make([]*hast.Var, len(e.Space.Vars))
	for k, v := range e.Space.Vars {
		w := *v
		x.Space.Vars[k], vars[v] = &w, &w
	}
	operand := func(x hast.Expr) hast.Expr { return withOwnReductions(x, vars) }
	x.Space.Ranges = slices.Clone(e.Space.Ranges)
	for k, r := range e.Space.Ranges {
		x.Space.Ranges[k].Lo, x.Space.Ranges[k].Hi = operand(r.Lo), operand(r.Hi)
	}
	x.Elem, x.Where, x.Init = operand(e.Elem), operand(e.Where), operand(e.Init)
	return &x
}

// fold is a coordinate inside of the image, and under a constant border the test for one that is.
func (in *inliner) fold(i, n hast.Expr, kind hast.RuleKind, leaves bool) (at, inside hast.Expr) {
	if !leaves {
		return i, nil
	}
	zero, last := hast.Int(0), binary(i32, ops.Sub, n, hast.Int(1))
	clamped := &hast.Op{Typed: hast.Typed{T: i32, At: i.Span()}, Op: ops.Clamp, Args: []hast.Expr{i, zero, last}}
	switch kind {
	case hast.Clamp, hast.Undefined:
		return clamped, nil
	case hast.Constant:
		return clamped, hast.And(hast.Compare(ops.Ge, i, zero), hast.Compare(ops.Lt, i, n))
	case hast.Repeat:
		return binary(i32, ops.Mod, i, n), nil
	}
	in.fail("it is read outside under %s", kind)
	return i, nil
}

var i32 = types.Scalar(types.I32)

func binary(t types.Type, op ops.Op, x, y hast.Expr) hast.Expr {
	return &hast.Op{Typed: hast.Typed{T: t, At: x.Span()}, Op: op, Args: []hast.Expr{x, y}}
}

// without is the pipeline without a stage and the images that it writes, and with others replaced.
func (g *Groups) without(x *stage, replaced map[*hast.Stage]*hast.Stage) *hast.Pipeline {
	gone := map[*hast.Image]bool{}
	for _, m := range x.written {
		gone[m] = true
	}
	replaced[x.Stage] = nil
	return g.replace(replaced, gone)
}

// replace is the pipeline with other stages in the places of some, nil for none, and without the images that are gone then.
func (g *Groups) replace(replaced map[*hast.Stage]*hast.Stage, gone map[*hast.Image]bool) *hast.Pipeline {
	return g.replacing(gone, func(s *hast.Stage) []hast.Step {
		r, other := replaced[s]
		switch {
		case !other:
			return []hast.Step{s}
		case r == nil:
			return nil
		}
		return []hast.Step{r}
	})
}
