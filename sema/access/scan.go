package access

import (
	"slices"

	"imgc/hast"
	"imgc/sema/prove"
)

// together are the facts about two instances that may run in any order: all of them, or under a scan those of one step.
func (a *analysis) together(stage *hast.Stage) []prove.Formula {
	if stage.Scan == nil {
		return nil
	}
	n := a.scanned(stage)
	return []prove.Formula{prove.EQ(prove.V(n), prove.V(prove.Prime(n)))}
}

// scanned is the variable in which the prover counts the steps of a scan.
func (a *analysis) scanned(stage *hast.Stage) prove.Var {
	return a.counts[stage.Space.Vars[stage.Scan.Axis]]
}

// findLines decides whether the lines along a scan are independent: instances that differ in another variable touch no pixel
// together that one of them writes.
func (a *analysis) findLines(stage *hast.Stage, reads []*read, stores []*store) {
	if stage.Scan == nil {
		return
	}
	var across []prove.Var
	for _, i := range stage.Across() {
		across = append(across, a.counts[stage.Space.Vars[i]])
	}
	stage.Scan.Lines = true
	if len(across) == 0 {
		return
	}
	separate := func(p, q touch) bool {
		return slices.ContainsFunc([]bool{false, true}, func(exact bool) bool {
			return prove.Distinct(across, a.access(p, exact), a.access(q, exact)).Verdict == prove.Proved
		})
	}
	for i, st := range stores {
		if a.proved[st] == nil {
			return // reported
		}
		for _, q := range stores[i:] {
			if st.Image.Base() == q.Image.Base() && a.proved[q] != nil {
				stage.Scan.Lines = stage.Scan.Lines && separate(a.touch(st), a.touch(q))
			}
		}
		for _, r := range reads {
			if r.image.Base() == st.Image.Base() {
				stage.Scan.Lines = stage.Scan.Lines && separate(a.folded(r), a.touch(st))
			}
		}
	}
}

// readsOwn reports whether a stage may read pixels of an image that it writes before it has written them: any, but under a scan those alone of which it is not proved
// that neither their own step nor a later one writes them.
func (a *analysis) readsOwn(m *hast.Image, stage *hast.Stage, w *walker) bool {
	for _, r := range w.reads {
		if r.image.Base() != m || r.stage != stage {
			continue
		}
		if stage.Scan == nil || stage.Independent {
			return true
		}
		for _, st := range w.stores {
			if st.Image.Base() == m && st.stage == stage && !a.writtenBefore(r, st) {
				return true
			}
		}
	}
	return false
}

// writtenBefore proves that no step from that of a read on writes what it reads, by one of the stores of its stage.
func (a *analysis) writtenBefore(r *read, st *store) bool {
	if a.proved[st] == nil {
		return false // reported
	}
	stage := r.stage
	n := a.scanned(stage)
	later := prove.GE(prove.V(prove.Prime(n)), prove.V(n))
	if stage.Scan.Down == (stage.Space.Ranges[stage.Scan.Axis].Step > 0) {
		later = prove.LE(prove.V(prove.Prime(n)), prove.V(n))
	}
	return slices.ContainsFunc([]bool{false, true}, func(exact bool) bool {
		return prove.Apart(a.access(a.folded(r), exact), a.access(a.touch(st), exact), later).Verdict == prove.Proved
	})
}

// sameStep says for messages which instances run in any order.
func sameStep(stage *hast.Stage) string {
	if stage.Scan == nil {
		return ""
	}
	return " with the same " + stage.Space.Vars[stage.Scan.Axis].Name
}
