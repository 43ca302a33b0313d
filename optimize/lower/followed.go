package lower

import (
	"maps"
	"math"

	"imgc/interval"
	"imgc/kir"
)

// What statements do to the state of a follower.

// run follows statements, as far as anything gets.
func (f *follower) run(list []kir.Stmt) {
	for _, s := range list {
		if f.now == nil || f.lost {
			return
		}
		f.steps++
		f.statement(s)
	}
}

func (f *follower) statement(s kir.Stmt) {
	switch s.(type) {
	case *kir.For, *kir.While, *kir.If, *kir.Break, *kir.Continue, *kir.Return:
		f.flow(s)
		return
	}
	var last interval.Interval // of what is stored
	for _, e := range kir.Exprs(s) {
		last = f.value(e)
	}
	switch s := s.(type) {
	case *kir.Decl:
		f.declare(s, last)
	case *kir.Assign:
		f.put(s.Var, last, len(s.Index) == 0)
	case *kir.Store:
		f.put(s.Buffer, last, false)
	case *kir.LoadRun:
		iv := interval.OfKind(s.Var.Type.Kind)
		if s.Buffer.Type.Kind == s.Var.Type.Kind {
			iv = interval.OfKind(s.Buffer.Type.Kind)
		}
		f.put(s.Var, iv, false)
	case *kir.Atomic:
		f.putAny(s.Buffer)
	case *kir.CallInto:
		f.putAny(s.Out)
	case *kir.MatrixSum:
		f.putAny(s.Acc)
	case *kir.Critical:
		f.run(s.Body)
	case *kir.LastGroup:
		if s.Flag != nil {
			f.putAny(s.Flag)
		}
		f.perhaps(s.Body)
	case *kir.LastSum:
		f.perhaps(s.Body)
	case *kir.Leave:
		f.putAny(s.Places)
	case *kir.LastWaits:
		f.putAny(s.Places)
		f.putAny(s.Parts)
		f.perhaps(s.Body)
	case *kir.StoreRun, *kir.Barrier, *kir.Comment:
	default:
		f.lost = true
	}
}

// declare begins to follow a variable of integers.
func (f *follower) declare(s *kir.Decl, init interval.Interval) {
	v := s.Var
	if s.Init == nil {
		init = nothing
	}
	switch {
	case !v.Type.Kind.IsInt():
	case v.Space == kir.Local:
		f.shared[v] = f.shared.at(v).Join(init)
	case v.Const && s.Init != nil:
		f.fixed[v] = init
	default:
		f.hold(v, was{init, true})
	}
}

// at is what a variable holds; nothing where there was none.
func (s state) at(v *kir.Var) interval.Interval {
	if iv, ok := s[v]; ok {
		return iv
	}
	return nothing
}

// perhaps follows statements that some items run.
func (f *follower) perhaps(body []kir.Stmt) {
	before := maps.Clone(f.now)
	f.run(body)
	f.now = before.join(f.now)
}

// flow follows a statement that decides which others run.
func (f *follower) flow(s kir.Stmt) {
	switch s := s.(type) {
	case *kir.If:
		f.branch(s)
	case *kir.For:
		f.loop(s)
	case *kir.While:
		f.repeat(func() {
			f.value(s.Cond)
			f.run(s.Body)
		})
	case *kir.Break:
		f.exits.broke, f.now = f.exits.broke.join(f.now), nil
	case *kir.Continue:
		f.exits.went, f.now = f.exits.went.join(f.now), nil
	case *kir.Return:
		if s.Value != nil {
			f.value(s.Value)
		}
		f.now = nil
	}
}

// branch follows the sides of a condition that it can take.
func (f *follower) branch(s *kir.If) {
	cond := f.value(s.Cond)
	if straight(s.Then) && straight(s.Else) {
		f.sides(s, cond)
		return
	}
	before := f.now
	var then, otherwise state
	if cond.Hi == 1 {
		f.now = maps.Clone(before)
		f.run(s.Then)
		then = f.now
	}
	if cond.Lo == 0 {
		f.now = before
		f.run(s.Else)
		otherwise = f.now
	}
	f.now = then.join(otherwise)
}

// straight reports whether statements neither leave what they stand in nor repeat anything: all that they do to the state is to change variables of it.
func straight(list []kir.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *kir.If:
			if !straight(s.Then) || !straight(s.Else) {
				return false
			}
		case *kir.Decl, *kir.Assign, *kir.Store, *kir.LoadRun, *kir.StoreRun, *kir.Comment:
		default:
			return false
		}
	}
	return true
}

// sides follows the sides of a condition that are straight. What they change is noted and taken back: a copy of the state for each side would take as long as there
// are variables, and bodies with thousands of both are written out.
func (f *follower) sides(s *kir.If, cond interval.Interval) {
	outer := f.before
	f.before = map[*kir.Var]was{}
	var then, otherwise map[*kir.Var]was
	if cond.Hi == 1 {
		f.run(s.Then)
		then = f.undo()
	}
	if cond.Lo == 0 {
		f.run(s.Else)
		otherwise = f.undo()
	}
	changed := f.before
	f.before = outer
	for v, before := range changed {
		f.hold(v, either(then, otherwise, v, before))
	}
}

// either is what a variable holds behind one of two sides, of which nil is never taken; what they do not name is as before.
func either(then, otherwise map[*kir.Var]was, v *kir.Var, before was) was {
	behind := func(side map[*kir.Var]was) was {
		if w, ok := side[v]; ok {
			return w
		}
		return before
	}
	switch a, b := behind(then), behind(otherwise); {
	case otherwise == nil:
		return a
	case then == nil:
		return b
	default:
		return was{a.iv.Join(b.iv), a.followed && b.followed}
	}
}

// hold has a variable hold something from now on, and notes what it has held before.
func (f *follower) hold(v *kir.Var, w was) {
	if _, noted := f.before[v]; f.before != nil && !noted {
		iv, followed := f.now[v]
		f.before[v] = was{iv, followed}
	}
	if !w.followed {
		delete(f.now, v)
		return
	}
	f.now[v] = w.iv
}

// undo takes back what a side has changed, and returns what the variables of it held at its end.
func (f *follower) undo() map[*kir.Var]was {
	side := map[*kir.Var]was{}
	for v, before := range f.before {
		iv, followed := f.now[v]
		side[v] = was{iv, followed}
		f.hold(v, before)
	}
	return side
}

// loop follows a loop: round by round where its rounds are few and known.
func (f *follower) loop(s *kir.For) {
	lo, hi := f.value(s.Lo), f.value(s.Hi)
	if !stable(s.Hi) { // it may grow with the rounds
		hi = interval.OfKind(s.Var.Type.Kind)
	}
	if rounds := roundsOf(lo, hi, s.Step); rounds <= roundsFollowed && f.steps < stepsFollowed {
		f.each(rounds, func(i int64) {
			f.fixed[s.Var] = interval.Point(lo.Lo + i*s.Step)
			f.run(s.Body)
		})
		return
	}
	within := loopInterval(lo, hi, s.Step)
	f.repeat(func() {
		f.value(s.Hi)
		f.fixed[s.Var] = within
		f.run(s.Body)
	})
}

// roundsOf is the number of rounds of a loop between known ends, and very many of any other.
func roundsOf(lo, hi interval.Interval, step int64) int64 {
	if lo.Lo != lo.Hi || hi.Lo != hi.Hi {
		return math.MaxInt64
	}
	if step < 0 {
		lo, hi, step = hi, lo, -step
	}
	return max(0, (hi.Lo-lo.Lo+step-1)/step)
}

// each follows rounds one after the other.
func (f *follower) each(rounds int64, round func(i int64)) {
	outer := f.exits
	var broke state
	for i := range rounds {
		if f.now == nil {
			break
		}
		f.exits = &exits{}
		round(i)
		if f.exits.went != nil {
			f.now = f.now.join(f.exits.went)
		}
		if f.exits.broke != nil {
			broke = broke.join(f.exits.broke)
		}
	}
	if f.exits = outer; broke != nil {
		f.now = f.now.join(broke)
	}
}

// repeat follows any number of rounds, none among them.
func (f *follower) repeat(round func()) {
	outer, start := f.exits, f.now
	for n := 0; ; n++ {
		f.exits, f.now = &exits{}, maps.Clone(start)
		round()
		grown := start.join(f.now.join(f.exits.went))
		if f.lost || maps.Equal(grown, start) {
			break
		}
		if n >= roundsJoined {
			grown = start.widened(grown)
		}
		start = grown
	}
	f.now = start.join(f.exits.broke)
	f.exits = outer
}
