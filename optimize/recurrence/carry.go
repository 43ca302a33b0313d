package recurrence

import (
	"imgc/hast"
	"imgc/ops"
)

// member is the variable that runs over the chunks that states are taken through, or over those of a group.
func (w *rewriter) member() *hast.Var {
	return &hast.Var{Name: w.scanned.Name + "_member", Type: i32, Class: hast.Loop, At: w.scanned.At}
}

// through runs statements for chunks or groups in order.
func (w *rewriter) through(v *hast.Var, r hast.Range, body []hast.Stmt) hast.Stmt {
	return &hast.For{Space: hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{r}}, Body: body, At: w.stage.At}
}

// carryStage runs the first instances of each line as they are written, and takes the states through the highest level.
func (w *rewriter) carryStage() *hast.Stage {
	l := w.levels[len(w.levels)-1]
	body := []hast.Stmt{w.head()}
	regs, then := w.newRegisters(l.carried, w.written)
	v := w.member()
	then = append(then, w.through(v, *l.but(1), w.steps(l, regs, ref(v))))
	then = append(then, w.keepStates(l, regs, minus(l.count, number(i32, 1)))...)
	body = append(body, &hast.If{Cond: hast.Compare(ops.Gt, l.count, number(i32, 0)), Then: then, At: w.stage.At})
	return w.newStage(w.plan.name(w.stage.Name, "carry"), nil, body)
}

// head runs the first instances of a line, of which there may be fewer. That these are few can be seen of the loop.
func (w *rewriter) head() hast.Stmt {
	before := ops.Lt
	if w.stride < 0 {
		before = ops.Gt
	}
	some := &hast.If{Cond: hast.Compare(before, ref(w.scanned), w.at(w.count)), Then: w.body, At: w.stage.At}
	return w.loop(w.first, w.at(number(i32, int64(w.order))), []hast.Stmt{some})
}

// written is the pixel of a state that the first instances have written, k before the first chunk's.
func (w *rewriter) written(c *carried, k int) hast.Expr {
	at := w.at(number(i32, int64(w.order-1-k)))
	load := &hast.Load{Typed: typed(c.state.elem(), c.state.store.At), Image: c.state.store.Image}
	for _, x := range c.state.store.Index {
		load.Index = append(load.Index, hast.Coord{X: w.resolved(x, at)})
	}
	return load
}

// resolved is an index with the values of lets in their place and another value of the scanned variable.
func (w *rewriter) resolved(x, at hast.Expr) hast.Expr {
	return hast.Map(x, func(y hast.Expr) hast.Expr {
		v, ok := y.(*hast.Ref)
		switch {
		case !ok:
			return nil
		case v.Var == w.scanned:
			return at
		case w.lets[v.Var] != nil:
			return w.resolved(w.lets[v.Var], at)
		}
		return nil
	})
}

// members is the range of what level n has in a group of the level above, the last of all left out if but is set: it has no map.
func (w *rewriter) members(n int, group hast.Expr, but bool) ([]hast.Stmt, hast.Range) {
	l, size := w.levels[n], number(i64, int64(w.plan.opts.Group))
	last := l.count
	if but {
		last = minus(last, number(i32, 1))
	}
	first, from := w.let("begin", convert(op(ops.Min, op(ops.Mul, convert(group, i64), size), convert(last, i64)), i32))
	end, to := w.let("end", convert(op(ops.Min, op(ops.Add, convert(from, i64), size), convert(last, i64)), i32))
	return []hast.Stmt{first, end}, hast.Range{Lo: from, Hi: to, Step: 1}
}

// groupStage computes the map of every group of level n but the last, of those of its members.
func (w *rewriter) groupStage(n int) *hast.Stage {
	l, below := w.levels[n], w.levels[n-1]
	regs, locals, body := w.locals(l)
	bounds, members := w.members(n-1, ref(w.chunk), true)
	v := w.member()
	var inner []hast.Stmt
	for i, c := range l.carried {
		inner = append(inner, w.compose(below.carried[i], regs, locals[c.state], ref(v))...)
	}
	body = append(append(body, bounds...), w.through(v, members, inner))
	for _, c := range l.carried {
		body = append(body, w.keepMap(c, locals[c.state])...)
	}
	return w.newStage(w.plan.name(w.stage.Name, "group"), l.but(1), body)
}

// compose takes what a group's members so far make of states through the map of the next.
func (w *rewriter) compose(c *carried, regs registers, l *local, member hast.Expr) []hast.Stmt {
	if c.state.clamps {
		return w.composeClamps(c, regs[c.state][0], l, member)
	}
	out := w.mapped(c, regs[c.state], member, nil)
	for _, unit := range l.units {
		out = append(out, w.mapped(c, unit, member, l)...)
	}
	if c.safe != nil {
		safe := hast.Compare(ops.Ne, w.load(c.safe, member), number(i32, 0))
		out = append(out, set(l.safe, hast.Compare(ops.LAnd, ref(l.safe), safe)))
	}
	return out
}

// spreadStage takes the state at the start of each group of level n+1 through its members.
func (w *rewriter) spreadStage(n int) *hast.Stage {
	l, above := w.levels[n], w.levels[n+1]
	regs, body := w.newRegisters(above.carried, func(c *carried, k int) hast.Expr { return w.load(c.value[k], ref(w.chunk)) })
	bounds, members := w.members(n, ref(w.chunk), true)
	v := w.member()
	body = append(append(body, bounds...), w.through(v, members, w.steps(l, regs, ref(v))))
	last := hast.Compare(ops.Eq, ref(w.chunk), minus(above.count, number(i32, 1)))
	body = append(body, &hast.If{Cond: last, Then: w.keepStates(l, regs, minus(l.count, number(i32, 1))), At: w.stage.At})
	return w.newStage(w.plan.name(w.stage.Name, "spread"), above.but(0), body)
}

// keepStates stores the states at the start of a chunk.
func (w *rewriter) keepStates(l *level, regs registers, chunk hast.Expr) (out []hast.Stmt) {
	for _, c := range l.carried {
		for k, m := range c.value {
			out = append(out, w.store(m, chunk, ref(regs[c.state][k])))
		}
	}
	return out
}

// steps takes the states through a chunk and keeps, in place of what the chunk makes of the neutral state, what they were before.
func (w *rewriter) steps(l *level, regs registers, chunk hast.Expr) (out []hast.Stmt) {
	for _, c := range l.carried {
		out = append(out, w.step(l, c, regs[c.state], chunk)...)
	}
	return out
}

func (w *rewriter) step(l *level, c *carried, state []*hast.Var, chunk hast.Expr) []hast.Stmt {
	var before, keep []hast.Stmt
	for k, m := range c.value {
		v := w.variable(c.state, c.state.elem(), hast.Value, "old%d", k+1)
		before = append(before, define(v, ref(state[k])))
		keep = append(keep, w.store(m, chunk, ref(v)))
	}
	mapped := w.mapped(c, state, chunk, nil)
	var conds []hast.Expr
	switch {
	case c.table != nil:
		conds = c.inTable(ref(state[0]))
	case c.safe == nil:
		return append(append(before, mapped...), keep...)
	default:
		conds = append(conds, hast.Compare(ops.Ne, w.load(c.safe, chunk), number(i32, 0)))
	}
	if c.state.clamps {
		conds = append(conds, w.inside(ref(state[0]), ref(state[0]), c.state.ends())...)
	}
	if c.state.linear() {
		for _, v := range state {
			conds = append(conds, within(ref(v), limitsOf(v.Type.Kind).largest))
		}
	}
	again := w.span(l, chunk, w.instance(registers{c.state: state}, false, nil))
	return append(append(before, &hast.If{Cond: every(conds), Then: mapped, Else: again, Rare: true, At: c.state.store.At}), keep...)
}

// mapped makes of a state what a chunk makes of it: all of it where l is nil, else, of a unit state of l, without what the chunk
// makes of the neutral state.
func (w *rewriter) mapped(c *carried, state []*hast.Var, chunk hast.Expr, l *local) (out []hast.Stmt) {
	if c.table != nil {
		return []hast.Stmt{set(state[0], w.looked(c, ref(state[0]), chunk))}
	}
	if c.state.clamps {
		return []hast.Stmt{set(state[0], w.clamped(c, ref(state[0]), chunk))}
	}
	if c.state.op != ops.None {
		return []hast.Stmt{set(state[0], inPixels(c.state.op, ref(state[0]), w.load(c.value[0], chunk)))}
	}
	var reached []*hast.Var
	for k := range state {
		var sum hast.Expr
		if l == nil {
			sum = w.load(c.value[k], chunk)
		}
		for j, v := range state {
			term := inPixels(ops.Mul, w.load(c.unit[j][k], chunk), ref(v))
			if sum == nil {
				sum = term
			} else {
				sum = inPixels(ops.Add, sum, term)
			}
		}
		v := w.variable(c.state, c.state.elem(), hast.Value, "reached%d", k+1)
		if reached = append(reached, v); l == nil {
			out = append(out, define(v, sum))
		} else {
			out = append(out, l.settle(v, sum)...)
		}
	}
	for k, v := range reached {
		out = append(out, set(state[k], ref(v)))
	}
	return out
}
