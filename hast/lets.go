package hast

// Lets are what lets are computed from, without other lets, as far as that stays short: where each of some lets names the one before twice, it is twice as long with each of them.
// The zero Lets has none.
type Lets struct {
	values map[*Var]Expr
	size   map[*Var]int // of values, in nodes
}

// maxExpanded is how many nodes an expression has at most with what lets stand for.
const maxExpanded = 1 << 12

// Define notes what a let is computed from, if that is short enough with what the lets in it stand for, and reports whether it is.
func (l *Lets) Define(v *Var, e Expr) bool {
	n := l.sizeOf(e)
	if n > maxExpanded {
		return false
	}
	if l.values == nil {
		l.values, l.size = map[*Var]Expr{}, map[*Var]int{}
	}
	l.values[v], l.size[v] = Replaced(e, l.values), n
	return true
}

// Of is what a let stands for; nil of any other variable.
func (l *Lets) Of(v *Var) Expr { return l.values[v] }

// Expanded is an expression with what lets stand for, or as it is where that would be too long.
func (l *Lets) Expanded(e Expr) Expr {
	if l.sizeOf(e) > maxExpanded {
		return e
	}
	return Replaced(e, l.values)
}

// sizeOf is how many nodes an expression has with what lets stand for.
func (l *Lets) sizeOf(e Expr) (n int) {
	Walk(e, func(e Expr) {
		n++
		if r, ok := e.(*Ref); ok {
			n += l.size[r.Var]
		}
	})
	return n
}
