package block

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/memo"
)

// Looks remembers what was found of stages, and of groups of them, for those who ask of the same again: groups have most of their parts in common with others. The
// zero Looks has found nothing yet. It is not for several goroutines at a time.
type Looks struct {
	Dense bool // pixels of three bytes lie as bytes in local memory; else each has 16 bits, as there is a compiler for which they have to lie apart

	groups, swept, shared map[lookAt]*Group
	parts, down           map[lookAt]*Stage
	descents              map[lookAt]descends
	rows                  map[lookAt]byRows
	components            map[*hast.Stage]Component
	lanes                 map[lookAt]Component
}

// A descends is what Down says.
type descends struct {
	down *Descent
	why  string
}

// A byRows is what AnalyzeRows says.
type byRows struct {
	stage *Stage
	why   string
}

// A lookAt is a stage whose reductions of at most so many points are written out.
type lookAt struct {
	stage  *hast.Stage
	unroll int
}

// Together is Together.
func (l *Looks) Together(s *hast.Stage, unroll int) *Group {
	return memo.Of(&l.groups, lookAt{s, unroll}, func() *Group {
		kept := writtenBefore(s)
		return l.lie(together(s, false, func(of *hast.Stage) *Stage { return l.part(of, unroll, kept) }))
	})
}

// ByComponents is ByComponents.
func (l *Looks) ByComponents(s *hast.Stage) Component {
	return memo.Of(&l.components, s, func() Component { return ByComponents(s) })
}

// InLanes is Component.InLanes of a stage.
func (l *Looks) InLanes(s *hast.Stage, unroll int) Component {
	return memo.Of(&l.lanes, lookAt{s, unroll}, func() Component {
		c := l.ByComponents(s)
		if c.N == 1 {
			return c
		}
		return c.InLanes(s, AnalyzeLoops(s, unroll))
	})
}

// writtenBefore are the images that the stages fused with one write.
func writtenBefore(s *hast.Stage) map[*hast.Image]bool {
	kept := map[*hast.Image]bool{}
	for _, of := range s.Fused {
		hast.EachStore(of.Body, func(st *hast.Store) { kept[st.Image] = true })
	}
	return kept
}

// Shared is Together for work-groups that move what they read to local memory, by which images may be turned.
func (l *Looks) Shared(s *hast.Stage, unroll int) *Group {
	straight := l.Together(s, unroll)
	direct := func(p *Part) bool { return len(p.Direct) > 0 }
	if !slices.ContainsFunc(straight.Parts, direct) { // nothing is read in any other way
		return straight
	}
	return memo.Of(&l.shared, lookAt{s, unroll}, func() *Group {
		kept := writtenBefore(s)
		g := together(s, false, func(of *hast.Stage) *Stage {
			part, _ := analyzePart(of, unroll, kept, true)
			return part
		})
		if len(g.Turned()) == 0 {
			return straight
		}
		return l.lie(g)
	})
}

// lie says how the windows of a group lie in local memory.
func (l *Looks) lie(g *Group) *Group {
	for _, w := range slices.Concat(g.Windows, g.Tiles) {
		w.dense = l.Dense
	}
	return g
}

// Turned are the windows of a group of images that are turned.
func (g *Group) Turned() []*Window { return g.turned }

// part is analyzePart, which is the same for all groups where nothing is read at divided coordinates.
func (l *Looks) part(s *hast.Stage, unroll int, kept map[*hast.Image]bool) *Stage {
	at := lookAt{s, unroll}
	if known := l.parts[at]; known != nil {
		return known
	}
	out, divided := analyzePart(s, unroll, kept, false)
	if !divided {
		memo.Of(&l.parts, at, func() *Stage { return out })
	}
	return out
}

// Swept is Group.Swept of the group that ends with a stage.
func (l *Looks) Swept(g *Group, unroll int) *Group {
	return memo.Of(&l.swept, lookAt{g.Last().Of, unroll}, func() *Group { return l.lie(g.Swept(unroll)) })
}

// Down is Down.
func (l *Looks) Down(s *hast.Stage, unroll int) (d *Descent, why string) {
	found := memo.Of(&l.descents, lookAt{s, unroll}, func() (d descends) {
		d.down, d.why = down(s, func(of *hast.Stage) *Stage {
			return memo.Of(&l.down, lookAt{of, unroll}, func() *Stage { return l.analyzeDown(of, unroll) })
		})
		if d.down.Group != nil {
			l.lie(d.down.Group)
		}
		return d
	})
	return found.down, found.why
}

// analyzeDown looks at a part: its sums are computed row by row, where they span rows.
func (l *Looks) analyzeDown(s *hast.Stage, unroll int) *Stage {
	if rows, why := l.Rows(s, unroll); why == "" && rows.Rows.Hi > rows.Rows.Lo {
		return rows
	}
	return Analyze(s, unroll)
}

// Rows is AnalyzeRows.
func (l *Looks) Rows(s *hast.Stage, unroll int) (out *Stage, why string) {
	found := memo.Of(&l.rows, lookAt{s, unroll}, func() (r byRows) {
		r.stage, r.why = AnalyzeRows(s, unroll)
		return r
	})
	return found.stage, found.why
}
