package access

import (
	"slices"

	"imgc/hast"
	"imgc/sema/prove"
)

// A scope is what is known at a place: one frame, and all that is known above it. Scopes are immutable but for what they
// remember; the walk makes one for each condition, space and assignment that it passes.
type scope struct {
	up    *scope
	frame frame
	// written are the images that the stage around writes: what is read from them may change between two reads.
	written map[*hast.Image]bool
	host    bool // what the host computes, known at entry
	once    bool // a device scalar, of one instance
	// The nearest scopes, this one or above, that range, that say something, and that give variables values. Chains of conditions are long.
	ranges, says, gives *scope

	facts     []prove.Formula // of this frame alone, once translated
	exact     []prove.Formula // the same with point lists taken point by point
	hasFacts  bool
	values    map[hast.Expr]prove.Lin     // of expressions that were evaluated here
	exacts    map[hast.Expr]prove.Lin     // the same brought into the range of their types
	truths    map[hast.Expr]prove.Formula // the same for conditions
	variables map[*hast.Var]prove.Lin     // values that variables have got here
	flags     map[*hast.Var]prove.Formula // the same for bools
}

// A frame is one thing that the walk passed.
type frame interface{ frame() }

type (
	// ranging: the variables of a space take any of its points.
	ranging struct{ space *hast.Space }
	// condition: cond holds, or is false where holds is not set.
	condition struct {
		cond  hast.Expr
		holds bool
		sure  bool // it holds whenever control gets here; it decides nothing
	}
	// assigned: a variable has got a value, which was computed in the scope above.
	assigned struct {
		v     *hast.Var
		value hast.Expr // nil: zeros
	}
	// changed: a loop, or the device, may have given the variables any value of their types.
	changed struct{ vars map[*hast.Var]bool }
	// merged: two branches meet; the variables have the value of the branch that was taken.
	merged struct {
		cond      hast.Expr
		then, els *scope
		vars      map[*hast.Var]bool
	}
	// bound: the parameters of a func have got their arguments, which were computed in the scope from.
	bound struct {
		params []*hast.Var
		args   []hast.Expr
		from   *scope
	}
)

func (ranging) frame()   {}
func (condition) frame() {}
func (assigned) frame()  {}
func (changed) frame()   {}
func (merged) frame()    {}
func (bound) frame()     {}

// enter returns the scope below s that f opens.
func (s *scope) enter(f frame) *scope {
	inner := &scope{up: s, frame: f, written: s.written, host: s.host, once: s.once, ranges: s.ranges, says: s.says, gives: s.gives}
	switch f.(type) {
	case ranging:
		inner.ranges, inner.says = inner, inner
	case condition:
		inner.says = inner
	default:
		inner.gives = inner
	}
	return inner
}

// instance opens the scope of one instance of a space, which the device computes.
func (s *scope) instance(space *hast.Space, written map[*hast.Image]bool) *scope {
	inner := s.enter(ranging{space})
	inner.written, inner.host, inner.once = written, false, false
	return inner
}

// around is the nearest scope above that ranges, without the conditions below; nil stands for the entry.
func (s *scope) around() *scope {
	if s == nil {
		return nil
	}
	return s.ranges
}

// conditional reports whether a scope says more than the one around it.
func (s *scope) conditional() bool { return s != nil && s.says != s.ranges }

// maxConditions is how many conditions a question takes, the innermost. Leaving facts out is safe; it can only lose a proof.
const maxConditions = 200

// saying lists the scopes from the entry down to s that say something.
func (s *scope) saying() []*scope {
	var out []*scope
	for conditions := 0; s != nil && s.says != nil; s = s.up {
		s = s.says
		if s != s.ranges {
			if conditions++; conditions > maxConditions {
				if s = s.ranges; s == nil {
					break
				}
			}
		}
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// fromEntry lists the scopes from the entry down to s.
func (s *scope) fromEntry() []*scope {
	var out []*scope
	for ; s != nil; s = s.up {
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// given is s with a condition, or its negation.
func (s *scope) given(cond hast.Expr, holds bool) *scope {
	return s.enter(condition{cond: cond, holds: holds})
}

// within is the scope of a reduction's elements.
func (s *scope) within(e *hast.Reduce) *scope {
	inner := s.enter(ranging{&e.Space})
	if e.Where != nil {
		inner = inner.given(e.Where, true)
	}
	return inner
}

// assignedIn adds to vars the variables that a list of statements changes.
func assignedIn(body []hast.Stmt, vars map[*hast.Var]bool) map[*hast.Var]bool {
	for _, st := range body {
		switch st := st.(type) {
		case *hast.Set:
			vars[st.Var] = true
		case *hast.If:
			assignedIn(st.Then, vars)
			assignedIn(st.Else, vars)
		case *hast.For:
			assignedIn(st.Body, vars)
		case *hast.While:
			assignedIn(st.Body, vars)
		}
	}
	return vars
}

// hasBreak reports whether a loop body has a break of its own.
func hasBreak(body []hast.Stmt) bool {
	for _, st := range body {
		switch st := st.(type) {
		case *hast.Break:
			return true
		case *hast.If:
			if hasBreak(st.Then) || hasBreak(st.Else) {
				return true
			}
		}
	}
	return false
}

// storedIn adds to images those that a list of statements writes.
func storedIn(body []hast.Stmt, images map[*hast.Image]bool) map[*hast.Image]bool {
	for _, st := range body {
		switch st := st.(type) {
		case *hast.Store:
			images[st.Image.Base()] = true
		case *hast.If:
			storedIn(st.Then, images)
			storedIn(st.Else, images)
		case *hast.For:
			storedIn(st.Body, images)
		case *hast.While:
			storedIn(st.Body, images)
		}
	}
	return images
}
