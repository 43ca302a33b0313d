package recurrence

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// A stage whose body is one prefix operator along the last variable can be left to groups of work-items, each of which takes a line:
// it reads and writes each pixel once, where chunks are read twice.

// line is the stage with its lines as wholes.
func (r *recurrence) line() *hast.Stage {
	out, scan := *r.stage, *r.stage.Scan
	scan.Chunks, scan.Prefix = true, r.prefix()
	scan.Twofold = slices.ContainsFunc(r.states(), func(st *state) bool { return st.clamps })
	out.Scan, out.Body = &scan, r.body
	return &out
}

// prefix is what it takes to run each of its lines as a prefix; nil where it is not of that form.
func (r *recurrence) prefix() *hast.Prefix {
	s := r.stage
	last := len(s.Space.Vars) - 1
	if s.Where != nil || s.Scan.Axis != last || r.stride != 1 || s.Space.Ranges[last].Step != 1 || len(r.stores) != 1 || len(r.back) != 1 {
		return nil
	}
	st := r.stores[0]
	if st.op == ops.None || st.order != 1 || st.step != 1 || st.store.Image.View != nil || st.elem().Lanes != 1 || st.axis != st.store.Image.Rank()-1 {
		return nil
	}
	prefix := &hast.Prefix{Neutral: neutral(st.op, st.elem()), Op: st.op}
	for load := range r.back {
		prefix.Before = load
	}
	if rule := prefix.Before.Rule; rule != nil && rule.Kind != hast.Constant {
		return nil // all items of the group would read a pixel of the line that one of them writes
	}
	for _, x := range prefix.Before.Index { // which has to have a value before the first instance
		simple := true
		hast.Walk(x.X, func(e hast.Expr) {
			if v, ok := e.(*hast.Ref); ok && (v.Var.Class == hast.Value || v.Var.Class == hast.Loop || v.Var.Class == hast.Mutable) {
				simple = false
			}
		})
		if !simple {
			return nil
		}
	}
	for _, x := range r.body {
		switch x := x.(type) {
		case *hast.Define:
			if x.Var.Class != hast.Value || x.Var.Type.IsArray() {
				return nil
			}
		case *hast.Store:
		default:
			return nil
		}
	}
	return prefix
}
