package gather

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/source"
)

// mostPixels is how many pixels a block may have: no block of instances has more rows or columns in which phases are known.
const mostPixels = 32 * 32

// blocks are what the instances of a stage write of an image: blocks that lie side by side.
type blocks struct {
	stage  *hast.Stage
	image  *hast.Image
	axes   []axis
	values []hast.Expr // of the pixels of a block, row by row
	lets   []hast.Stmt
	arrays map[*hast.Var]hast.Expr // those of the lets that are arrays
	at     source.Span
}

// An axis is where blocks lie along one of the image's.
type axis struct {
	iterator *hast.Var
	step     int64      // from a block to the next
	first    int64      // where block 0 begins
	from     int64      // the first pixel that is written
	pixels   hast.Range // those from this one on
}

// blocksOf are those of a stage that does nothing else than to write the pixels of one image once; else why it does not.
func blocksOf(s *hast.Stage) (*blocks, string) {
	if s.Scan != nil || s.Where != nil || s.Independent || len(s.Fused) > 0 {
		return nil, "its instances are not known to be independent of each other, or do not all run"
	}
	b := &blocks{stage: s, arrays: map[*hast.Var]hast.Expr{}}
	stores, why := b.body()
	if why != "" {
		return nil, why
	}
	b.image, b.at = stores[0].Image, stores[0].At
	skips := slices.ContainsFunc(stores, func(st *hast.Store) bool { return st.Skip })
	if why := b.place(stores); why != "" {
		return nil, why
	}
	for k := range b.axes {
		if !b.extend(k, skips) {
			return nil, fmt.Sprintf("it is not known which pixels of %s its blocks are", b.image.Name)
		}
	}
	return b, ""
}

// body takes the statements of the stage apart: lets, and the stores behind them.
func (b *blocks) body() (stores []*hast.Store, why string) {
	for _, st := range b.stage.Body {
		if let, ok := st.(*hast.Define); ok && let.Var.Class == hast.Value && let.Init != nil {
			if b.lets = append(b.lets, st); let.Var.Type.IsArray() {
				b.arrays[let.Var] = let.Init
			}
			continue
		}
		if stores = written(stores, st); stores == nil || len(stores) > mostPixels {
			return nil, "it computes in more than one step"
		}
	}
	if len(stores) < 2 {
		return nil, "its instances write single pixels"
	}
	m := stores[0].Image
	if m.View != nil || slices.ContainsFunc(stores, func(st *hast.Store) bool { return st.Updates() || st.Image != m }) {
		return nil, "it does more than to write pixels of one image"
	}
	reads := false
	b.stage.EachRead(func(n *hast.Image) { reads = reads || n.Base() == m })
	if reads {
		return nil, "it reads what it writes"
	}
	return stores, ""
}

// written adds the stores of a statement to a list, those of all rounds of loops that do nothing else; nil where it does something else.
func written(list []*hast.Store, st hast.Stmt) []*hast.Store {
	switch st := st.(type) {
	case *hast.Store:
		return append(list, st)
	case *hast.For:
		points, known := block.Points(st.Space, mostPixels)
		if !known || len(st.Body) != 1 {
			return nil
		}
		for _, p := range points {
			at := map[*hast.Var]hast.Expr{}
			for k, v := range st.Space.Vars {
				at[v] = hast.Int(p[k])
			}
			round := hast.MapStmts(st.Body, func(e hast.Expr) hast.Expr { return hast.Replaced(e, at) })
			if list = written(list, round[0]); list == nil || len(list) > mostPixels {
				return nil
			}
		}
		return list
	}
	return nil
}

// place finds where the blocks lie, and what the pixels of one are computed by: all of those from its first one to that of the next.
func (b *blocks) place(stores []*hast.Store) (why string) {
	scope := block.ScopeOf(b.stage)
	for _, let := range b.lets {
		let := let.(*hast.Define)
		scope.Lets[let.Var] = let.Init
	}
	offsets := make([][]int64, len(stores))
	for i, st := range stores {
		if len(st.Index) != len(b.stage.Space.Vars) || !b.offsets(scope, st, &offsets[i]) {
			return "its instances write no blocks"
		}
	}
	total := int64(1)
	for _, a := range b.axes {
		if total *= a.step; total > mostPixels {
			return "its blocks have too many pixels"
		}
	}
	b.values = make([]hast.Expr, total)
	for i, st := range stores {
		at := int64(0)
		for k, a := range b.axes {
			if offsets[i][k]-a.first >= a.step {
				return "its instances write no blocks"
			}
			at = at*a.step + offsets[i][k] - a.first
		}
		if b.values[at] = b.plain(st.Value); b.values[at] == nil {
			return "the pixels of a block are not computed one by one"
		}
	}
	if slices.Contains(b.values, nil) {
		return "there are gaps between its blocks"
	}
	return ""
}

// offsets are the coordinates of a store, from the first pixel of the image's axes, less the multiples of the variables that they have; false where some is another thing
// than that, or others than those of the stores before.
func (b *blocks) offsets(scope *block.Scope, st *hast.Store, to *[]int64) bool {
	for k, e := range st.Index {
		l, ok := scope.Linear(e)
		if !ok || l.Var == nil || l.Stride < 1 || !l.Single() || l.Div != 0 {
			return false
		}
		if k == len(b.axes) {
			if slices.ContainsFunc(b.axes, func(a axis) bool { return a.iterator == l.Var }) {
				return false
			}
			b.axes = append(b.axes, axis{iterator: l.Var, step: l.Stride, first: l.Lo})
		}
		a := &b.axes[k]
		if a.iterator != l.Var || a.step != l.Stride {
			return false
		}
		a.first = min(a.first, l.Lo)
		*to = append(*to, l.Lo)
	}
	return true
}

// extend finds which pixels the blocks are along an axis: all that there are, or those of whole blocks, of which none is skipped.
func (b *blocks) extend(k int, skips bool) bool {
	a := &b.axes[k]
	r := b.stage.Space.Ranges[slices.Index(b.stage.Space.Vars, a.iterator)]
	lo, known := hast.Number(r.Lo)
	if !known || r.Step != 1 {
		return false
	}
	first, extent := b.image.First(k), b.image.Extent[k]
	a.from = a.step*lo + a.first
	if a.from <= first && reaches(r.Hi, a.step, a.first-first, extent) {
		a.from = first
		a.pixels = hast.Range{Lo: hast.Int(0), Hi: extent, Step: 1}
		return true
	}
	a.pixels = hast.Range{Lo: hast.Int(0), Hi: hast.Binary(ops.Mul, linear.Plus(r.Hi, -lo), hast.Int(a.step)), Step: 1}
	return !skips
}

// reaches reports whether step*hi + n is known to be no less than an extent: of a quotient that is rounded up, step times as much is no less than what is divided less the greatest
// rest.
func reaches(hi hast.Expr, step, n int64, extent hast.Expr) bool {
	terms, sum := linear.Terms(hi)
	all := []linear.Term{}
	n += step * sum
	for _, t := range terms {
		if q, ok := t.X.(*hast.Op); ok && !t.Minus && (q.Op == ops.Div || q.Op == ops.FloorDiv) {
			if by, known := hast.Number(q.Args[1]); known && by == step {
				divided, more := linear.Terms(q.Args[0])
				all, n = append(all, divided...), n+more-(step-1)
				continue
			}
		}
		all = append(all, linear.Term{X: times(t.X, step), Minus: t.Minus})
	}
	left, rest := linear.Terms(extent)
	for _, t := range left {
		same := slices.IndexFunc(all, func(u linear.Term) bool { return u.Minus == t.Minus && hast.Equal(factored(u.X), factored(t.X)) })
		if same < 0 {
			return false
		}
		all = slices.Delete(all, same, same+1)
	}
	return len(all) == 0 && n >= rest
}

// times is n*x.
func times(x hast.Expr, n int64) hast.Expr {
	if n == 1 {
		return x
	}
	return hast.Binary(ops.Mul, hast.Int(n), x)
}

// factored is a product with its number first.
func factored(e hast.Expr) hast.Expr {
	if p, ok := e.(*hast.Op); ok && p.Op == ops.Mul {
		if n, known := hast.Number(p.Args[1]); known {
			return times(p.Args[0], n)
		}
	}
	return e
}
