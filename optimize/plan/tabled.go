package plan

import (
	"fmt"
	"slices"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/feature"
)

// Whether what depends on one byte is taken from tables, which a stage before computes.

// surelyTabled is the part of the time that tables must leave. On an H200 stretch (basics/statistics) of 8192 x 8192 bytes took 78 us in CUDA and 61 with a table (82 and 71 predicted), 113 and 69 through
// OpenCL, equalize (basics/histogram) 71 and 65 (86 and 73).
const surelyTabled = 0.87

// scarcelyTabled is the same for processors, where hardly anything but a function is computed and tables take all of it. By rows, pixel after pixel, a look-up took a third of what is
// predicted, and functions of neighbours side by side take several times that: gamma of 1920 x 1080 bytes took 2.90 ms on two cores with AVX2 through PoCL and 0.60 with a table, where 0.97 and
// 1.63 are predicted; the exponential of a byte 1.17 and 0.32 (0.36 and 1.63), its logarithm 2.85 and 0.57 (0.34 and 1.62), of three neighbours 27.4 and 1.33 (0.76 and 3.0).
const scarcelyTabled = 5

// hardly is how many operations may be left of such a stage: they are done pixel after pixel, too.
const hardly = 4

// withTables puts the stages of a pipeline together where that is decided, or cheaper, with tables for those of which that is so.
func withTables(p *hast.Pipeline, t Target, eval func(hast.Expr) int64) *grouper {
	k := t.known()
	tabled, stages := map[string]bool{}, k.made.Stages(p)
	for _, s := range stages {
		if t.decided(s).Table == 0 {
			continue
		}
		next, table := k.made.Tabulate(p, s)
		p, tabled[s.Name] = next, table != nil
	}
	g := together(p, t, eval)
	var list []*Grouping
	for _, s := range stages {
		if d := t.decided(s); d.Place != 0 || d.Table != 0 {
			continue
		}
		next, table := k.made.Tabulate(p, s)
		if table == nil {
			continue
		}
		other := together(next, t, eval)
		n := &Grouping{Stage: s, Table: table.Name, Together: other.total(), Apart: g.total()}
		if n.tabulated(g, other, table) {
			p, g, tabled[s.Name], n.Taken = next, other, true, true
		}
		list = append(list, n)
	}
	g.tabled = tabled
	for _, n := range g.list {
		n.Tabled = tabled[n.Stage.Name]
	}
	g.list = slices.Concat(list, g.list)
	return g
}

// tabulated reports whether tables of a stage pay, which another grouper has. On processors they do for what these have no instruction for: other quotients and roots are computed for
// neighbours side by side, with everything around them, and look-ups are not. (Through PoCL, stretch of basics/statistics took 0.53 ms and 0.85 with a table, and equalize of halide 2.8 and 9.6.)
func (n *Grouping) tabulated(without, with *grouper, table *hast.Stage) bool {
	pays := n.Together < surelyTabled*n.Apart
	if without.target.Model.Class != archmodels.CPU {
		return pays
	}
	n.Scarcely = !pays && with.scarcely(without, n.Stage)
	return (pays || n.Scarcely) && isLong(table)
}

// scarcely reports whether hardly anything is left of a stage with tables, and it takes hardly more than was predicted before.
func (g *grouper) scarcely(without *grouper, s *hast.Stage) bool {
	left := g.made.Of(g.pipeline).Named(s.Name)
	if left == nil {
		return false
	}
	n := g.featuresOf(left).Ops
	n[feature.Memory] = 0
	return n[feature.Special]+n[feature.Convert]+n[feature.ConvertWord] == 0 && n.Total() <= hardly && g.cost(left) < scarcelyTabled*without.cost(s)
}

// isLong reports whether a stage computes functions, or quotients of integers that nothing bounds, for which processors have no instruction on vectors: by a parameter one took 3.9 ms of
// 1920 x 1080 bytes, and 0.56 with a table, while pixels divided by pixels are short.
func isLong(s *hast.Stage) (long bool) {
	var look func(e hast.Expr)
	look = func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Op:
			long = long || ops.Cbrt <= e.Op && e.Op <= ops.Atan2 || isUnboundedQuotient(e)
		case *hast.Call:
			hast.WalkBody(e.Func.Body, nil, look)
		}
	}
	hast.WalkBody(s.Body, nil, look)
	return long
}

// isUnboundedQuotient reports whether integers are divided that depend on values of the host.
func isUnboundedQuotient(e *hast.Op) (found bool) {
	switch e.Op {
	case ops.Div, ops.Rem, ops.Mod, ops.FloorDiv:
		if _, number := e.Args[1].(*hast.Const); number || !e.T.Kind.IsInt() {
			return false
		}
		hast.Walk(e, func(e hast.Expr) {
			r, ok := e.(*hast.Ref)
			found = found || ok && r.Var.Class.OfHost()
		})
	}
	return found
}

// tableText says whether a stage has tables, and why.
func (n *Grouping) tableText() string {
	verb := "does not take"
	if n.Taken {
		verb = "takes"
	}
	text := fmt.Sprintf("%s %s what depends on one byte from tables, which %s computes: %.1f us with them, %.1f us without", n.Stage.Name, verb, n.Table, n.Together*1e6, n.Apart*1e6)
	if n.Taken && n.Scarcely {
		text += ", of which processors are known to take longer for functions, and less for tables"
	}
	return text
}
