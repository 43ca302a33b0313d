package recurrence

import (
	"fmt"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// registers are the variables of states while a chunk runs: the pixels before, the latest first.
type registers map[*state][]*hast.Var

func (w *rewriter) variable(st *state, t types.Type, class hast.VarClass, name string, args ...any) *hast.Var {
	return &hast.Var{Name: st.store.Image.Name + "_" + fmt.Sprintf(name, args...), Type: t, Class: class, At: st.store.At}
}

// newRegisters declares the pixels before each of some states, with values to start from.
func (w *rewriter) newRegisters(list []*carried, start func(c *carried, k int) hast.Expr) (registers, []hast.Stmt) {
	regs := registers{}
	var out []hast.Stmt
	for _, c := range list {
		for k := range c.state.order {
			v := w.variable(c.state, c.state.elem(), hast.Mutable, "before%d", k+1)
			regs[c.state] = append(regs[c.state], v)
			out = append(out, define(v, start(c, k)))
		}
	}
	return regs, out
}

// inVariables puts registers in the place of loads of the pixels before.
func (w *rewriter) inVariables(e hast.Expr, regs registers) hast.Expr {
	return hast.Map(e, func(x hast.Expr) hast.Expr {
		load, ok := x.(*hast.Load)
		if !ok {
			return nil
		}
		if b, ok := w.back[load]; ok && regs[b.state] != nil {
			return ref(regs[b.state][b.distance-1])
		}
		return nil
	})
}

// shift makes the new pixel of a state the one before, in the next instance.
func shift(regs []*hast.Var, now hast.Expr) (out []hast.Stmt) {
	for k := len(regs) - 1; k > 0; k-- {
		out = append(out, set(regs[k], ref(regs[k-1])))
	}
	return append(out, set(regs[0], now))
}

// instance is the body of the stage with registers for the pixels before. Of stores, those of states in regs give the new pixels,
// which keep stores where keep is set; more adds statements behind a let or a store.
func (w *rewriter) instance(regs registers, keep bool, more func(hast.Stmt) []hast.Stmt) []hast.Stmt {
	var out, after []hast.Stmt
	for _, s := range w.body {
		x := hast.MapStmts([]hast.Stmt{s}, func(e hast.Expr) hast.Expr { return w.inVariables(e, regs) })[0]
		store, isStore := s.(*hast.Store)
		switch {
		case !isStore:
			if d, ok := s.(*hast.Define); ok && w.from[d.Var] != 0 && !w.covers(regs, w.from[d.Var]) {
				continue // it reads pixels before that are not at hand, and nothing here needs it
			}
			out = append(out, x)
		case regs[w.of(store)] != nil:
			st := w.of(store)
			now := w.variable(st, st.elem(), hast.Value, "now")
			value := x.(*hast.Store)
			out = append(out, define(now, value.Value))
			if keep {
				out = append(out, &hast.Store{Image: value.Image, Index: value.Index, Value: ref(now), At: value.At})
			}
			after = append(after, shift(regs[st], ref(now))...)
		case keep:
			out = append(out, x)
		}
		if more != nil {
			out = append(out, more(s)...)
		}
	}
	return append(out, after...)
}

// covers reports whether all stores of a set have registers.
func (w *rewriter) covers(regs registers, set set64) bool {
	for _, st := range w.stores {
		if set.has(st.number) && regs[st] == nil {
			return false
		}
	}
	return true
}

// applyStage runs each chunk from the state at its start.
func (w *rewriter) applyStage() *hast.Stage {
	chunks := w.levels[0]
	regs, body := w.newRegisters(chunks.carried, func(c *carried, k int) hast.Expr { return w.load(c.value[k], ref(w.chunk)) })
	body = append(body, w.span(chunks, ref(w.chunk), w.instance(regs, true, nil))...)
	return w.newStage(w.stage.Name, chunks.but(0), body)
}

// A local is one state's variables while the map of a chunk is computed.
type local struct {
	state  []*hast.Var
	units  [][]*hast.Var // units[j] are the pixels before, from unit state j
	growth *hast.Var     // the largest magnitudes that unit states have had on the way; nil unless a linear recurrence rounds
	least  *hast.Var     // the smallest ones
	high   *hast.Var     // of a clamp: what becomes of the greatest pixel,
	sum    *hast.Var     // and what has been added
	safe   *hast.Var     // bool: all maps that went in may be used; nil unless the state rounds
}

// locals declares what the maps of a level are computed in, from the neutral state and the unit states.
func (w *rewriter) locals(l *level) (registers, map[*state]*local, []hast.Stmt) {
	regs, body := w.newRegisters(l.carried, func(c *carried, k int) hast.Expr {
		if c.state.clamps {
			return number(c.state.elem(), c.state.ends().lo)
		}
		if c.state.op != ops.None {
			return neutral(c.state.op, c.state.elem())
		}
		return number(c.state.elem(), 0)
	})
	locals := map[*state]*local{}
	for _, c := range l.carried {
		own, defines := w.local(c, regs)
		locals[c.state] = own
		body = append(body, defines...)
	}
	return regs, locals, body
}

// localStage computes the map of every chunk but the last.
func (w *rewriter) localStage() *hast.Stage {
	chunks := w.levels[0]
	regs, locals, body := w.locals(chunks)
	hs := map[*state][]*homogeneous{}
	for _, c := range chunks.carried {
		for _, unit := range locals[c.state].units {
			hs[c.state] = append(hs[c.state], &homogeneous{w.recurrence, c.state, unit, map[*hast.Var]*hast.Var{}})
		}
	}
	inner := w.instance(regs, false, func(s hast.Stmt) []hast.Stmt { return w.linearPart(s, hs) })
	for _, c := range chunks.carried {
		if c.state.clamps {
			inner = append(inner, w.nextEnds(c.state, locals[c.state])...)
			continue
		}
		inner = append(inner, w.nextUnits(c.state, locals[c.state], hs[c.state])...)
	}
	body = append(body, w.span(chunks, ref(w.chunk), inner)...)
	for _, c := range chunks.carried {
		body = append(body, w.keepMap(c, locals[c.state])...)
	}
	return w.newStage(w.plan.name(w.stage.Name, "local"), chunks.but(1), body)
}

// local declares one state's variables.
func (w *rewriter) local(c *carried, regs registers) (*local, []hast.Stmt) {
	l := &local{state: regs[c.state]}
	var out []hast.Stmt
	t := c.state.elem()
	for j := range c.unit {
		var unit []*hast.Var
		for k := range c.unit[j] {
			v := w.variable(c.state, t, hast.Mutable, "unit%d%d", j+1, k+1)
			one := int64(0)
			if j == k {
				one = 1
			}
			unit = append(unit, v)
			out = append(out, define(v, number(t, one)))
		}
		l.units = append(l.units, unit)
	}
	if c.state.clamps {
		l.high, l.sum = w.variable(c.state, t, hast.Mutable, "high"), w.variable(c.state, c.state.sumType(), hast.Mutable, "sum")
		out = append(out, define(l.high, number(t, c.state.ends().hi)), define(l.sum, number(l.sum.Type, 0)))
	}
	if c.state.checked() {
		l.safe = w.variable(c.state, boolType, hast.Mutable, "is_safe")
		out = append(out, define(l.safe, all(boolType, 1)))
		if len(l.units) > 0 {
			l.growth = w.variable(c.state, t, hast.Mutable, "growth")
			l.least = w.variable(c.state, t, hast.Mutable, "least")
			out = append(out, define(l.growth, number(t, 0)), define(l.least, number(t, 1)))
		}
	}
	return l, out
}

// linearPart adds, behind a let that pixels before go into, its twins without other terms.
func (w *rewriter) linearPart(s hast.Stmt, hs map[*state][]*homogeneous) (out []hast.Stmt) {
	d, ok := s.(*hast.Define)
	if !ok {
		return nil
	}
	for _, st := range w.stores {
		if w.from[d.Var] != 1<<st.number {
			continue
		}
		for j, h := range hs[st] {
			twin := &hast.Var{Name: fmt.Sprintf("%s_unit%d", d.Var.Name, j+1), Type: d.Var.Type, Class: hast.Value, At: d.Var.At}
			if x := h.value(d.Init); x != nil {
				out = append(out, define(twin, x))
				h.twins[d.Var] = twin
			}
		}
	}
	return out
}

// nextUnits takes the unit states of a linear recurrence one instance further.
func (w *rewriter) nextUnits(st *state, l *local, hs []*homogeneous) (out []hast.Stmt) {
	var after []hast.Stmt
	for j, h := range hs {
		now := w.variable(st, st.elem(), hast.Value, "unit%d_now", j+1)
		out = append(out, l.settle(now, h.value(st.store.Value))...)
		after = append(after, shift(l.units[j], ref(now))...)
	}
	return append(out, after...)
}

// keepMap stores what a chunk or group makes of states.
func (w *rewriter) keepMap(c *carried, l *local) (out []hast.Stmt) {
	chunk := ref(w.chunk)
	for k, m := range c.value {
		out = append(out, w.store(m, chunk, ref(l.state[k])))
	}
	for j := range c.unit {
		for k, m := range c.unit[j] {
			out = append(out, w.store(m, chunk, l.kept(l.units[j][k])))
		}
	}
	if c.state.clamps {
		out = append(out, w.store(c.high, chunk, ref(l.high)), w.store(c.sum, chunk, ref(l.sum)))
	}
	if c.safe != nil {
		out = append(out, w.store(c.safe, chunk, &hast.Convert{Typed: typed(i32, c.safe.At), X: l.usable()}))
	}
	return out
}
