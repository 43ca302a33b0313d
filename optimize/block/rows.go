package block

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// Rows is what of a stage can be computed row by row: sums whose points come in the order of the rows that they read, so that
// each row of the windows, once it is loaded, can be added to the sums of all instances that it belongs to, in the order of the
// program.
type Rows struct {
	Sums    []*Sum
	Windows []*Window // what they read; of the Stage's windows, only what other parts of the body read is left
	Lo, Hi  int       // the first and the last row that an instance needs, from its own on
}

// A Sum is a reduction by rows.
type Sum struct {
	Of    *hast.Reduce
	First int         // row of the first points
	Rows  [][][]int64 // the points by rows, from row First on
	Terms int         // rows, or more where some of the points of a row are at one place, as of several sums that have become one
}

// AnalyzeRows is Analyze for a stage whose sums are computed row by row. Why says why none can be, as the end of a sentence.
func AnalyzeRows(s *hast.Stage, unroll int) (out *Stage, why string) {
	a, why := newAnalysis(s, unroll)
	if why != "" {
		return a.out, why
	}
	if a.out.Y == nil {
		return a.out, "its instances are one row"
	}
	a.stores(s.Body, s.Where == nil)
	for _, st := range s.Body {
		a.let(st)
	}
	rows := &Rows{}
	for _, e := range alwaysReduced(s) {
		if sum := a.rowSum(e); sum != nil {
			if len(rows.Sums) == 0 {
				rows.Lo, rows.Hi = sum.First, sum.Last()
			}
			rows.Lo, rows.Hi = min(rows.Lo, sum.First), max(rows.Hi, sum.Last())
			rows.Sums = append(rows.Sums, sum)
		}
	}
	if len(rows.Sums) == 0 {
		return a.out, "it has no sum whose points come row by row"
	}
	a.out.Rows = rows
	a.run()
	return a.out, ""
}

// of is what is known of a reduction; nil where it is not computed by rows.
func (r *Rows) of(e *hast.Reduce) *Sum {
	if r == nil {
		return nil
	}
	for _, s := range r.Sums {
		if s.Of == e {
			return s
		}
	}
	return nil
}

// Last is the row of the last points.
func (s *Sum) Last() int { return s.First + len(s.Rows) - 1 }

// alwaysReduced are the reductions of which every instance computes the value once, at the top of its body.
func alwaysReduced(s *hast.Stage) (out []*hast.Reduce) {
	var find func(e hast.Expr)
	find = func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Reduce:
			out = append(out, e)
		case *hast.Op:
			if !e.Op.Lazy() {
				for _, x := range e.Args {
					find(x)
				}
			}
		case *hast.Convert, *hast.Splat, *hast.Vec, *hast.Swizzle:
			hast.EachOperand(e, find)
		}
	}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Init != nil && !st.Var.Type.IsArray() {
				find(st.Init)
			}
		case *hast.Store:
			if !st.Updates() && !st.Skip {
				find(st.Value)
			}
		}
	}
	return out
}

// rowReduced are the reductions that need no more than their value so far.
var rowReduced = map[hast.ReduceOp]bool{
	hast.Sum: true, hast.Product: true, hast.Min: true, hast.Max: true, hast.Any: true, hast.All: true,
}

// rowSum sorts the points of a reduction by rows; nil where they do not come row by row.
func (a *analysis) rowSum(e *hast.Reduce) *Sum {
	points, ok := Points(e.Space, a.unroll)
	if !ok || len(points) == 0 || !rowReduced[e.Op] || e.T.IsArray() || e.Ways > 0 {
		return nil
	}
	sum, column := &Sum{Of: e}, 0
	for _, v := range e.Space.Vars {
		defer delete(a.ranges, v)
	}
	apart := len(e.Space.Vars) == 2 && e.Space.Points == nil && e.Where == nil && AxesApart(e.Elem, [2]*hast.Var(e.Space.Vars))
	for n, p := range points {
		if last := len(sum.Rows) - 1; apart && n > 0 && p[0] != points[0][0] && p[0] == points[n-1][0] { // as the first of its line and the one of the first line say together
			sum.Rows[last] = sum.Rows[last][:len(sum.Rows[last])+1]
			continue
		}
		for i, v := range e.Space.Vars {
			a.ranges[v] = [2]int64{p[i], p[i]}
		}
		r := rowReader{analysis: a, own: e.Space.Vars}
		if e.Where != nil {
			r.read(e.Where)
		}
		if r.read(e.Elem); r.other || !r.seen {
			return nil
		}
		if sum.Rows == nil {
			sum.First = r.row
		}
		apart = apart && (p[0] != points[0][0] || r.row == sum.First)
		switch r.row - sum.First - len(sum.Rows) {
		case 0:
			sum.Rows = append(sum.Rows, points[n:n])
			sum.Terms++
		case -1:
			if r.column == column {
				sum.Terms++
			}
		default:
			return nil
		}
		column = r.column
		row := &sum.Rows[len(sum.Rows)-1]
		*row = (*row)[:len(*row)+1] // of points that come one after the other
	}
	return sum
}

// AxesApart reports whether no coordinate that an expression reads at depends on two of some variables, those of a sum over lines of points or of a mask: each coordinate is the same then at all
// points with the same value of its own, so that points of the first line, and the first of each line, say where all of them read.
func AxesApart(e hast.Expr, vars [2]*hast.Var) bool {
	both := func(x hast.Expr) bool { return hast.Names(x, vars[:1]) && hast.Names(x, vars[1:]) }
	apart := true
	hast.Walk(e, func(x hast.Expr) {
		switch x := x.(type) {
		case *hast.Load:
			apart = apart && !slices.ContainsFunc(x.Index, func(c hast.Coord) bool { return both(c.X) })
		case *hast.Window: // to which each subscript of an element adds one of them
			apart = apart && !slices.ContainsFunc(x.Axes, func(a hast.WindowAxis) bool { return hast.Names(a.Start.X, vars[:]) })
		case *hast.Elem:
			apart = apart && !slices.ContainsFunc(x.Index, both)
		}
	})
	return apart
}

// AddsAlone reports whether some variables, those of a sum, are only added to other coordinates where an expression reads, or multiples of them, so that of what it reads all lies between what it
// reads at their least and greatest values.
func AddsAlone(e hast.Expr, vars []*hast.Var) bool {
	adds := true
	hast.Walk(e, func(x hast.Expr) {
		switch x := x.(type) {
		case *hast.Load:
			adds = adds && !slices.ContainsFunc(x.Index, func(c hast.Coord) bool { return !addsUp(c.X, vars) })
		case *hast.Window:
			adds = false
		}
	})
	return adds
}

// addsUp reports whether an integer depends on variables as a sum of multiples of them and of something else.
func addsUp(e hast.Expr, vars []*hast.Var) bool {
	if x, ok := e.(*hast.Op); ok {
		_, number := hast.Number(x.Args[len(x.Args)-1])
		if x.Op == ops.Add || x.Op == ops.Sub || x.Op == ops.Mul && number {
			return !slices.ContainsFunc(x.Args, func(a hast.Expr) bool { return !addsUp(a, vars) })
		}
		return !hast.Names(e, vars)
	}
	_, ref := e.(*hast.Ref)
	return ref || !hast.Names(e, vars)
}

// A rowReader finds the one row that an element of a sum reads.
type rowReader struct {
	*analysis
	own    []*hast.Var // the variables of the sum
	row    int
	column int // of the last pixel that it reads
	seen   bool
	other  bool // it reads something else, too
}

func (r *rowReader) read(e hast.Expr) {
	switch e := e.(type) {
	case *hast.Ref:
		r.other = r.other || !r.known(e.Var)
		return
	case *hast.Load:
		r.place(e.Image, e.Index)
		return
	case *hast.Elem:
		w, ok := e.X.(*hast.Window)
		if !ok {
			_, ok = e.X.(*hast.Const)
			r.other = r.other || !ok
			break
		}
		index, ok := r.element(w, e.Index)
		if !ok {
			r.other = true
			return
		}
		r.place(w.Image, index)
		return
	case *hast.Const, *hast.Op, *hast.Convert, *hast.Splat, *hast.Select, *hast.Vec, *hast.Swizzle:
	default:
		r.other = true
		return
	}
	hast.EachOperand(e, func(x hast.Expr) {
		if _, ok := x.(*hast.Const); !ok {
			r.read(x)
		}
	})
}

// known reports whether a variable has the same value for all instances at the point at hand.
func (r *rowReader) known(v *hast.Var) bool {
	for _, w := range r.own {
		if v == w {
			return true
		}
	}
	return v.Class == hast.SizeVar || v.Class == hast.ScalarIn || v.Class == hast.HostValue
}

// element is where an element of a window lies.
func (a *analysis) element(w *hast.Window, index []hast.Expr) ([]hast.Coord, bool) {
	out := make([]hast.Coord, len(w.Axes))
	next := 0
	for k, x := range w.Axes {
		if out[k] = x.Start; !x.Colon {
			continue
		}
		i, ok := a.out.Scope.Linear(index[next])
		if next++; !ok || i.Var != nil || !i.Single() {
			return nil, false
		}
		out[k].X = hast.Plus(x.Start.X, i.Lo*int64(x.Stride))
	}
	return out, true
}

func (r *rowReader) place(m *hast.Image, index []hast.Coord) {
	p, ok := r.out.Place(r.out.Scope, m, index)
	if !ok || r.stored[m.Base()] != nil || p.X.Lo != p.X.Hi || p.Y.Lo != p.Y.Hi || p.Y.Stride != 1 || p.Y.Div+p.X.Div != 0 || r.seen && p.Y.Lo != r.row {
		r.other = true
		return
	}
	r.row, r.column, r.seen = p.Y.Lo, p.X.Lo, true
}
