package access

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/interval"
	"imgc/ops"
	"imgc/sema/prove"
	"imgc/source"
)

// checks collects what the entry is to test.
type checks struct {
	a     *analysis
	base  *prove.System // what held before the first of them
	found []*found
}

type found struct {
	check  *hast.Check
	clause prove.Formula
}

// add makes a clause a check: "dst needs W >= 2, because dst[y][W-2] is written (blur.img:7)". It holds from now on. It returns
// false if the host cannot test it.
func (c *checks) add(clause prove.Formula, subject, because string, at source.Span) bool {
	if c.a.sysHolds(clause) {
		return true
	}
	x := &exporter{a: c.a}
	cond := x.condition(clause)
	if x.failed {
		return false
	}
	c.append(cond, written(cond), clause, subject, because, at)
	return true
}

// append adds a condition that messages show as the text needs.
func (c *checks) append(cond hast.Expr, needs string, clause prove.Formula, subject, because string, at source.Span) {
	if c.base == nil {
		c.base = c.a.sys.Fork()
	}
	needs = strings.ReplaceAll(needs, " || ", " or ")
	over := c.a.over(cond)
	if len(over) > 0 {
		needs += " at every level"
	}
	message := fmt.Sprintf("%s needs %s, because %s%s", subject, needs, because, place(at))
	c.found = append(c.found, &found{&hast.Check{Cond: cond, Over: over, Message: message, At: at}, clause})
	c.a.given(clause)
}

// fits adds the check that a host expression, which the prover knows as l, stays within its type when computed without
// wrapping.
func (c *checks) fits(e hast.Expr, s *scope, l prove.Lin, what string, at source.Span) {
	full := interval.OfKind(e.Type().Kind).Limit(interval.Between(-beyond, beyond))
	because := "indices are of type " + e.Type().String()
	c.compare(e, s, ops.Ge, full.Lo, prove.GE(l, prove.K(full.Lo)), what, because, at)
	c.compare(e, s, ops.Le, full.Hi, prove.LE(l, prove.K(full.Hi)), what, because, at)
}

// compare adds the check that a host expression of a scope keeps to a bound, which the prover knows as clause. What is not
// known at entry is left to the executors, which refuse what does not fit.
func (c *checks) compare(e hast.Expr, s *scope, op ops.Op, bound int64, clause prove.Formula, what, because string, at source.Span) {
	if c.a.sysHolds(clause) {
		return
	}
	shown := written(truthOp(op, e, number(bound)))
	form := c.a.hostForm(e, s)
	if form == nil {
		return
	}
	c.append(truthOp(op, widened(form), number(bound)), shown, clause, what, because, at)
}

// place is where the reason for a check stands, in parentheses.
func place(at source.Span) string {
	if !at.IsValid() {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", path.Base(at.File.Name), at.Line())
}

// finish appends to the pipeline what does not follow from the rest, the simplest first.
func (c *checks) finish() {
	slices.SortStableFunc(c.found, func(p, q *found) int { return len(written(p.check.Cond)) - len(written(q.check.Cond)) })
	for i := len(c.found) - 1; i >= 0; i-- {
		others := c.base.Fork()
		for j, f := range c.found {
			if j != i {
				others.Given(f.clause)
			}
		}
		others.Given(prove.Not(c.found[i].clause))
		if others.Infeasible() {
			c.found = slices.Delete(c.found, i, i+1)
		}
	}
	for _, f := range c.found {
		c.a.p.Checks = append(c.a.p.Checks, f.check)
	}
	c.warnSquare()
}

// warnSquare reports sizes that the checks together make equal, which the program names apart: most likely two axes have changed places.
// Who means it writes one name for both, or assumes it.
func (c *checks) warnSquare() {
	if c.base == nil {
		return
	}
	for i, s := range c.a.p.Sizes {
		for _, t := range c.a.p.Sizes[i+1:] {
			p, q := c.a.names[s.Var], c.a.names[t.Var]
			less, more := prove.LT(p, q), prove.GT(p, q)
			if possible(c.a.sys, less) || possible(c.a.sys, more) || !possible(c.base, less) || !possible(c.base, more) {
				continue
			}
			c.reportSquare(s.Var.Name, t.Var.Name, p, q)
		}
	}
}

// reportSquare names the checks in which one of the two sizes occurs.
func (c *checks) reportSquare(s, t string, p, q prove.Lin) {
	var d *diag.Diagnostic
	for _, f := range c.found {
		seen := map[prove.Var]bool{}
		eachVariable(f.clause, c.a.baseVariables(seen))
		if !seen[p.Terms()[0].Var] && !seen[q.Terms()[0].Var] {
			continue
		}
		if d == nil {
			d = c.a.diags.Warnf(diag.OnlySquare, f.check.At, "%s takes images only where %s == %s", c.a.p.Name, s, t)
		}
		d.Note("%s", f.check.Message)
	}
	if d != nil {
		d.Note("the slowest axis comes first: iterate (y, x) over an image of rows, and dst[y][x]").
			Note("if it is meant, write assume(%s == %s); in the pipeline, or one name for both", s, t)
	}
}
