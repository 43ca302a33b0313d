package sema

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/sema/access"
	"imgc/syntax"
)

// scan checks scan(x) or scan(-x) of a stage: x is one of its variables.
func (e *env) scan(st *stage, c *syntax.Clause) {
	st.scanned = true
	if st.node.Scan != nil {
		e.errorf(diag.BadScan, c.At, "a second scan; instances are ordered along one variable").
			Note("write one iterate for each direction; where a pixel needs both the row before and the pixel before, %s", access.Slanted)
		return
	}
	name := c.Scan.Var
	ent := e.scope.find(name.Text)
	if _, bad := ent.(*badEnt); bad {
		return
	}
	if v, ok := ent.(*varEnt); ok {
		if axis := slices.Index(st.node.Space.Vars, v.v); axis >= 0 {
			st.node.Scan = &hast.Scan{Axis: axis, Down: c.Scan.Down}
			return
		}
	}
	var own []string
	for _, v := range st.node.Space.Vars {
		own = append(own, v.Name)
	}
	if len(own) > 0 {
		e.errorf(diag.BadScan, name.At, "scan names a variable of the iterate, %s is none", name.Text).Note("its variables are %s", listed(own))
	}
}

// An earlyRead is a read, under a scan or in a loop of a body, of an image that nothing before the iterate has written.
type earlyRead struct {
	image *imageEnt
	at    syntax.Node
}

// earlyReads reports the early reads of images that the stage does not write either.
func (e *env) earlyReads(st *stage) {
	if st.scanned && st.node.Scan == nil {
		return // which was reported
	}
	for _, r := range st.early {
		e.holdsSomething(r.image, r.at)
	}
}
