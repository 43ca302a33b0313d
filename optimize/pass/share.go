package pass

import (
	"fmt"
	"maps"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Values that several statements compute of the same, or one of them several times, get a variable where the first of them computes it in any case:
// the coordinates of a sample between pixels stand in each of its reads and in each of its weights. What is shared depends on variables that never change
// alone, so that it is the same in every place where these are seen.
//
// Bits are kept: what is shared is an expression as a whole, with the same operators, and a product of floats, which compilers may join with the sum
// around it, gets no variable of its own.

// fewSteps are how many operators are so few that a name for them says less than they do: of integers, most of which are places of pixels, and of
// floats.
const (
	fewSteps      = 3
	fewFloatSteps = 2
)

func share(body []kir.Stmt) []kir.Stmt {
	s := &sharing{numbers: map[string]int{}, byExpr: map[kir.Expr]int{}, vars: map[*kir.Var]int{}, fixed: map[*kir.Var]bool{}}
	kir.WalkStmts(body, s.fix, nil)
	return s.list(body, nil)
}

// A sharing numbers the expressions of a body: those that compute the same have the same number.
type sharing struct {
	numbers map[string]int
	byExpr  map[kir.Expr]int
	vars    map[*kir.Var]int
	known   []computed // by number
	fixed   map[*kir.Var]bool
}

// fix notes the variables that loops and constants alone decide: what is computed of them is a constant where loops are written out.
func (s *sharing) fix(stmt kir.Stmt) {
	switch stmt := stmt.(type) {
	case *kir.For:
		_, s.fixed[stmt.Var] = number(stmt.Lo)
	case *kir.Decl:
		s.fixed[stmt.Var] = stmt.Init != nil && stmt.Var.Const && s.known[s.number(stmt.Init)].fixed
	}
}

// computed is what is known of expressions of one number.
type computed struct {
	stable bool // their values depend on variables that never change alone
	fixed  bool // and on loops and constants alone
	steps  int  // operators in them
}

// number is that of an expression.
func (s *sharing) number(e kir.Expr) int {
	if n, ok := s.byExpr[e]; ok {
		return n
	}
	text, c := s.describe(e)
	for _, x := range kir.Operands(e) {
		n := s.number(x)
		text += fmt.Sprintf(" %d", n)
		c.stable = c.stable && s.known[n].stable
		c.fixed = c.fixed && s.known[n].fixed
		c.steps += s.known[n].steps
	}
	n, seen := s.numbers[text]
	if !seen || !c.stable { // what memory or variables hold is another value each time
		n = len(s.known)
		s.numbers[text] = n
		s.known = append(s.known, c)
	}
	s.byExpr[e] = n
	return n
}

// describe is what tells an expression from others with the same operands, and what is known of it without them.
func (s *sharing) describe(e kir.Expr) (text string, c computed) {
	switch e := e.(type) {
	case *kir.Const:
		return fmt.Sprintf("const %v %x", e.T, e.Words), computed{stable: true, fixed: true}
	case *kir.Ref:
		if _, ok := s.vars[e.Var]; !ok {
			s.vars[e.Var] = len(s.vars)
		}
		return fmt.Sprintf("var %d", s.vars[e.Var]), computed{stable: e.Var.Const && e.Var.Space == kir.Private && !e.Var.Type.IsArray(), fixed: s.fixed[e.Var]}
	case *kir.Op:
		return fmt.Sprintf("op %d %v %t %t", e.Op, e.T, e.Exact, e.Short), computed{true, true, 1}
	case *kir.Convert:
		c := computed{stable: true, fixed: true}
		if e.T.Kind.IsFloat() || e.X.Type().Kind.IsFloat() {
			c.steps = 1
		}
		return fmt.Sprintf("convert %v %d %t", e.T, e.How, e.Exact), c
	case *kir.Select:
		return fmt.Sprintf("select %v %t", e.T, e.Lazy), computed{true, true, 1}
	case *kir.Vec:
		return fmt.Sprintf("vec %v", e.T), computed{true, true, 1}
	case *kir.Lanes:
		return fmt.Sprintf("lanes %v", e.Lanes), computed{stable: true, fixed: true}
	case *kir.GlobalID:
		return fmt.Sprintf("global %d", e.Dim), computed{stable: true}
	case *kir.LocalID:
		return fmt.Sprintf("local %d", e.Dim), computed{stable: true}
	case *kir.GroupID:
		return fmt.Sprintf("group %d", e.Dim), computed{stable: true}
	}
	return fmt.Sprintf("%T", e), computed{}
}

// A place is where an expression stands: an operand of another one, or directly in a statement, of which each has its own number below 0.
type place struct{ of, operand int }

// uses are the places at which a list of statements, with those inside of them, has each expression, and the last of these statements that does.
type uses map[int]map[place]int

// usesIn finds those of a list.
func (s *sharing) usesIn(list []kir.Stmt) uses {
	u, roots := uses{}, 0
	var note func(e kir.Expr, p place, at int)
	note = func(e kir.Expr, p place, at int) {
		n := s.number(e)
		if u[n] == nil {
			u[n] = map[place]int{}
		}
		u[n][p] = at
		for i, x := range kir.Operands(e) {
			note(x, place{n, i}, at)
		}
	}
	for at, stmt := range list {
		kir.WalkStmts([]kir.Stmt{stmt}, func(inner kir.Stmt) {
			inStmt(inner, func(e kir.Expr) kir.Expr {
				roots--
				note(e, place{of: roots}, at)
				return e
			})
		}, nil)
	}
	return u
}

// from counts the places of an expression in the statements from one on.
func (u uses) from(n, at int) (count int) {
	for _, last := range u[n] {
		if last >= at {
			count++
		}
	}
	return count
}

// list shares what a list of statements computes. Have are the variables that hold what is computed before it.
func (s *sharing) list(list []kir.Stmt, have map[int]*kir.Var) []kir.Stmt {
	l := &sharedList{sharing: s, uses: s.usesIn(list), have: maps.Clone(have)}
	if l.have == nil {
		l.have = map[int]*kir.Var{}
	}
	for at, stmt := range list {
		l.at, l.stmt = at, stmt
		l.statement(stmt)
	}
	return l.out
}

// A sharedList is a list of statements while it is gone through.
type sharedList struct {
	*sharing
	uses uses
	have map[int]*kir.Var
	out  []kir.Stmt
	at   int // the statement at hand
	stmt kir.Stmt
}

// statement goes through one statement and those inside of it.
func (l *sharedList) statement(stmt kir.Stmt) {
	_, again := stmt.(*kir.While)
	held := 0
	decl, _ := stmt.(*kir.Decl)
	if decl != nil && decl.Init != nil {
		held = l.number(decl.Init)
	}
	inStmt(stmt, func(e kir.Expr) kir.Expr {
		if decl != nil && decl.Var.Const { // the value has a variable already
			return l.expr(e, false, true)
		}
		return l.expr(e, !again, false)
	})
	inBodies(stmt, func(inner []kir.Stmt) []kir.Stmt { return l.sharing.list(inner, l.have) })
	l.out = append(l.out, stmt)
	if decl != nil && decl.Init != nil && decl.Var.Const && l.have[held] == nil && l.nameable(held, decl.Init) {
		l.have[held] = decl.Var
	}
}

// expr is an expression with what is shared in the place of what computes it. Always says that the statement computes it whatever happens, and root
// that only its operands may get variables.
func (l *sharedList) expr(e kir.Expr, always, root bool) kir.Expr {
	n := l.number(e)
	if v := l.have[n]; v != nil {
		return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v}
	}
	operands := kir.Operands(e)
	if len(operands) == 0 {
		return e
	}
	in, changed := make([]kir.Expr, len(operands)), false
	for i, x := range operands {
		in[i] = l.expr(x, (always || root) && !conditional(e, i), false)
		changed = changed || in[i] != x
	}
	x := e
	if changed {
		x = with(e, in)
	}
	if root || !always || !l.nameable(n, e) || l.uses.from(n, l.at) < 2 {
		return x
	}
	v := &kir.Var{Name: nameOf(e), Type: e.Type(), Const: true, At: l.stmt.Span()}
	l.out = append(l.out, &kir.Decl{Placed: kir.Placed{At: l.stmt.Span()}, Var: v, Init: x})
	l.have[n] = v
	return &kir.Ref{Typed: kir.Typed{T: v.Type}, Var: v}
}

// nameable reports whether an expression of some number may have a variable, and is worth one.
func (l *sharedList) nameable(n int, e kir.Expr) bool {
	c, few := l.known[n], fewSteps
	if e.Type().Kind.IsFloat() {
		few = fewFloatSteps
	}
	return c.stable && !c.fixed && c.steps >= few && !kir.Wide(e.Type()) && e.Type().Rank == 0 && !joins(e)
}

// joins reports whether compilers may join an expression with the sum around it.
func joins(e kir.Expr) bool {
	op, ok := e.(*kir.Op)
	return ok && e.Type().Kind.IsFloat() && (op.Op == ops.Mul || op.Op == ops.Neg && joins(op.Args[0]))
}

// conditional reports whether an operand is computed only where others say so.
func conditional(e kir.Expr, operand int) bool {
	switch e := e.(type) {
	case *kir.Select:
		return operand > 0 && e.Lazy
	case *kir.Op:
		return operand > 0 && e.Op.Lazy()
	}
	return false
}

// nameOf is a name for what an expression computes.
func nameOf(e kir.Expr) string {
	switch e := e.(type) {
	case *kir.Convert:
		if e.X.Type().Kind.IsFloat() && e.T.Kind.IsInt() {
			return "whole"
		}
	case *kir.Op:
		switch {
		case e.T.Kind == types.Bool:
			return "holds"
		case e.Op == ops.Floor:
			return "floored"
		}
	}
	return "common"
}
