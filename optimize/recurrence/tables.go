package recurrence

import (
	"imgc/hast"
	"imgc/ops"
)

// A line whose pixels say where the next step reads another image, as the way back through what dynamic programming has computed, waits for memory in
// each step, and nothing can be read ahead. What a chunk makes of a state is no operator then, but it can be a table: many instances run the chunk from all
// states that are places in the image, side by side, and the line goes from table to table. States that no table has go through the chunk step by step.

// mostStates is how many states a table has at most: so many more steps a GPU takes in about half the time in which one item waits for a step.
const mostStates = 1 << 14

// tableChunks bounds the chunks of a line, of which one after the other is looked up; and tableChunk is how long they are at least, since each is run step by step twice.
const (
	tableChunks = 1 << 12
	tableChunk  = 64
)

// findTable is the recurrence of a stage of one line whose state says where it reads; nil of others.
func findTable(s *hast.Stage, r *recurrence) *recurrence {
	if r == nil || len(s.Space.Vars) != 1 || s.Where != nil || len(r.stores) != 1 {
		return nil
	}
	st := r.stores[0]
	kind := st.elem().Kind
	if st.order != 1 || st.elem().Lanes != 1 || !kind.IsInt() || kind.Bits() > 32 || kind.Bits() == 32 && !kind.IsSigned() {
		return nil
	}
	for _, x := range r.body {
		switch x.(type) {
		case *hast.Define, *hast.Store:
		default:
			return nil
		}
	}
	if st.places = r.readBy(); st.places == nil {
		return nil
	}
	return r
}

// readBy is the extent of an axis along which the state says where an image is read; nil where it says so nowhere.
func (r *recurrence) readBy() (extent hast.Expr) {
	look := func(m *hast.Image, axis int, at hast.Expr) {
		if extent == nil && !r.writes(m) && m.Base().Of == nil && r.sources(at) != 0 {
			extent = op(ops.Min, extentOf(m, axis), number(i32, mostStates))
		}
	}
	hast.WalkBody(r.body, nil, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			for axis, c := range e.Index {
				look(e.Image, axis, c.X)
			}
		case *hast.Window:
			for axis, a := range e.Axes {
				look(e.Image, axis, a.Start.X)
			}
		}
	})
	return extent
}

// wholeOf is the stage as it is shown to who decides whether it stays whole.
func wholeOf(s *hast.Stage) *hast.Stage {
	out, scan := *s, *s.Scan
	scan.Chunks, scan.Tables = true, true
	out.Scan = &scan
	return &out
}

// tables are the stages that take the place of a line.
func (pl *planner) tables(r *recurrence) []hast.Step {
	with := *pl
	with.opts.Items, with.opts.Carry = min(tableChunks, pl.opts.Items), max(tableChunks, pl.opts.Carry)
	with.opts.Chunk = max(pl.opts.Chunk, min(tableChunk, 2*pl.opts.Chunk))
	return with.rewrite(r)
}

// tableStage runs every chunk but the last from all states that its table has.
func (w *rewriter) tableStage() *hast.Stage {
	chunks := w.levels[0]
	c := chunks.carried[0]
	v := &hast.Var{Name: "state", Type: i32, Class: hast.Iterator, At: w.stage.At}
	regs, body := w.newRegisters(chunks.carried, func(c *carried, _ int) hast.Expr { return convert(ref(v), c.state.elem()) })
	body = append(body, w.span(chunks, ref(w.chunk), w.instance(regs, false, nil))...)
	index := append(w.lineIndex(ref(w.chunk)), ref(v))
	body = append(body, &hast.Store{Image: c.table, Index: index, Value: ref(regs[c.state][0]), At: w.stage.At})
	s := w.newStage(w.plan.name(w.stage.Name, "table"), chunks.but(1), body)
	s.Space.Vars = append(s.Space.Vars, v)
	s.Space.Ranges = append(s.Space.Ranges, hast.Range{Lo: number(i32, 0), Hi: c.state.places, Step: 1})
	return s
}

// looked is what the table of a chunk has for a state.
func (w *rewriter) looked(c *carried, state, chunk hast.Expr) hast.Expr {
	load := &hast.Load{Typed: typed(c.table.Elem, c.table.At), Image: c.table}
	for _, x := range append(w.lineIndex(chunk), convert(state, i32)) {
		load.Index = append(load.Index, hast.Coord{X: x})
	}
	return load
}

// inTable are the conditions that a table has a state.
func (c *carried) inTable(state hast.Expr) []hast.Expr {
	at := convert(state, i32)
	return []hast.Expr{hast.Compare(ops.Ge, at, number(i32, 0)), hast.Compare(ops.Lt, at, c.state.places)}
}
