package sema

import (
	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// statements checks the statements of a func or of a stage's body, in the scope at hand.
func (e *env) statements(list []syntax.Stmt) []hast.Stmt {
	var out []hast.Stmt
	for i, s := range list {
		out = append(out, e.statement(s)...)
		if i+1 < len(list) && leaves(s) {
			if _, empty := list[i+1].(*syntax.Empty); !empty {
				e.warnf(diag.Unreachable, list[i+1].Span(), "this statement is never reached").NoteAt(s.Span(), "the statement before it always leaves")
				for _, rest := range list[i+1:] {
					e.statement(rest)
				}
				return out
			}
		}
	}
	return out
}

// leaves is true of a statement that never goes on to the next.
func leaves(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Return, *syntax.Break, *syntax.Continue:
		return true
	case *syntax.Block:
		return len(s.Stmts) > 0 && leaves(s.Stmts[len(s.Stmts)-1])
	case *syntax.If:
		return s.Else != nil && leaves(s.Then) && leaves(s.Else)
	}
	return false
}

// statement checks one statement; a block of statements in the same surroundings becomes several.
func (e *env) statement(s syntax.Stmt) []hast.Stmt {
	var out hast.Stmt
	switch s := s.(type) {
	case *syntax.Block:
		return e.scoped(s)
	case *syntax.If:
		out = e.ifStmt(s)
	case *syntax.For:
		out = e.forStmt(s)
	case *syntax.While:
		out = e.whileStmt(s)
	case *syntax.Break:
		out = e.leaveLoop(s, "break", &hast.Break{At: s.At})
	case *syntax.Continue:
		out = e.leaveLoop(s, "continue", &hast.Continue{At: s.At})
	case *syntax.Return:
		out = e.returnStmt(s)
	case *syntax.Let:
		out = e.letStmt(s)
	case *syntax.Assign:
		return e.assignStmt(s)
	case *syntax.CallStmt:
		if f, ok := e.scope.find(s.Name.Text).(*funcEnt); ok && f.extern != nil {
			return single(e.externStmt(f, s))
		}
		e.misplaced(s)
	case *syntax.Empty:
	case nil:
	default:
		e.misplaced(s)
	}
	return single(out)
}

// single is the list of one statement, or of none.
func single(s hast.Stmt) []hast.Stmt {
	if s == nil {
		return nil
	}
	return []hast.Stmt{s}
}

// scoped checks a statement that has a scope of its own, as blocks and the branches of if do.
func (e *env) scoped(s syntax.Stmt) []hast.Stmt {
	inner := e.nested()
	list := []syntax.Stmt{s}
	if b, ok := s.(*syntax.Block); ok {
		list = b.Stmts
	}
	out := inner.statements(list)
	inner.unused()
	return out
}

// misplaced reports a statement that belongs into a pipeline.
func (e *env) misplaced(s syntax.Stmt) {
	what := map[where]string{inFunc: "a func", inBody: "the body of an iterate"}[e.where]
	switch s := s.(type) {
	case *syntax.View:
		e.declare(s.Name, &badEnt{declared{s.Name.At}})
	case *syntax.Pyramid:
		e.declare(s.Name, &badEnt{declared{s.Name.At}})
	}
	noun := statementNoun(s)
	d := e.errorf(diag.Misplaced, s.Span(), "%s cannot stand in %s", noun, what)
	switch s.(type) {
	case *syntax.Image:
		d.Note("var a: f32[4] is an array of one instance; images are declared in the pipeline")
	case *syntax.Iterate:
		d.Note("for (i in lo:hi) is a loop of one instance")
	default:
		d.Note("it is a statement of a pipeline")
	}
}

func statementNoun(s syntax.Stmt) string {
	switch s.(type) {
	case *syntax.Image:
		return "image"
	case *syntax.View:
		return "view"
	case *syntax.Iterate:
		return "iterate"
	case *syntax.Labelled:
		return "a label"
	case *syntax.Pyramid:
		return "pyramid"
	case *syntax.Traverse:
		return "traverse"
	case *syntax.Descend:
		return "descend"
	case *syntax.CallStmt:
		return "a call"
	}
	return "this statement"
}

func (e *env) ifStmt(s *syntax.If) hast.Stmt {
	cond := e.condition(s.Cond, "if")
	then := e.scoped(s.Then)
	var otherwise []hast.Stmt
	if s.Else != nil {
		otherwise = e.scoped(s.Else)
	}
	c := e.expr(cond)
	if c == nil {
		return nil
	}
	return &hast.If{Cond: c, Then: then, Else: otherwise, At: s.At}
}

func (e *env) whileStmt(s *syntax.While) hast.Stmt {
	cond := e.expr(e.condition(s.Cond, "while"))
	inner := *e
	inner.loop = true
	body := inner.scoped(s.Body)
	if cond == nil {
		return nil
	}
	return &hast.While{Cond: cond, Body: body, At: s.At}
}

func (e *env) forStmt(s *syntax.For) hast.Stmt {
	vars := []*syntax.Var{s.Var}
	spans, ok := e.iteration(vars, nil)
	inner := e.nested()
	inner.loop = true
	if !ok {
		inner = e.unbound(vars)
		inner.loop = true
		inner.scoped(s.Body)
		return nil
	}
	space, ok := inner.declareSpans(spans, hast.Loop, s.Var.At)
	body := inner.scoped(s.Body)
	if !ok {
		return nil
	}
	return &hast.For{Space: space, Body: body, At: s.At}
}

func (e *env) leaveLoop(s syntax.Stmt, word string, out hast.Stmt) hast.Stmt {
	if e.loop {
		return out
	}
	d := e.errorf(diag.Misplaced, s.Span(), "%s stands outside a loop", word)
	if e.where == inBody {
		d.Note("iterate is no loop: its instances run in any order; put the rest of the body under an if")
	}
	return nil
}

func (e *env) returnStmt(s *syntax.Return) hast.Stmt {
	if e.where != inFunc {
		if s.Value != nil {
			e.operand(s.Value)
		}
		e.errorf(diag.Misplaced, s.At, "return stands outside a func").
			Note("an iterate gives its result by assigning to a pixel, as in dst[y][x] = e")
		return nil
	}
	if s.Value == nil {
		e.errorf(diag.MissingReturn, s.At, "%s returns a value of type %s", e.fn.decl.Name.Text, e.fn.fn.Result)
		return nil
	}
	v := e.expr(e.assign(e.operand(s.Value), e.fn.fn.Result, "the result of "+e.fn.decl.Name.Text))
	if v == nil {
		return nil
	}
	return &hast.Return{Value: v, At: s.At}
}

// letStmt declares a let or var of a body or func.
func (e *env) letStmt(s *syntax.Let) hast.Stmt {
	class, word := hast.Value, "let"
	if s.Mutable {
		class, word = hast.Mutable, "var"
	}
	init, t, ok := e.initial(s, word)
	ent := newVar(s.Name, t, class)
	e.declare(s.Name, ent)
	if !ok {
		ent.v.Type = types.Type{}
		return nil
	}
	return &hast.Define{Var: ent.v, Init: init, At: s.At}
}

// initial checks the declared type and the initial value of a let or var. A var without one starts at 0.
func (e *env) initial(s *syntax.Let, word string) (hast.Expr, types.Type, bool) {
	t := e.valueType(s.Type)
	if s.Type != nil && !t.IsValid() {
		if s.Value != nil {
			e.operand(s.Value)
		}
		return nil, t, false
	}
	if s.Value == nil {
		switch {
		case !s.Mutable:
			e.errorf(diag.MissingValue, s.At, "let %s has no value", s.Name.Text).Note("a let has one value; declare a var to assign it later")
			return nil, t, false
		case s.Type == nil:
			e.errorf(diag.MissingValue, s.At, "var %s has neither a type nor a value", s.Name.Text).
				Note("write var %s: f32; for a var that starts at 0", s.Name.Text)
			return nil, t, false
		}
		return &hast.Const{Typed: typed(t, s.At), Words: make([]types.Word, t.Words())}, t, true
	}
	o := e.operand(s.Value)
	if o.valid() && s.Type != nil {
		o = e.assign(o, t, word+" "+s.Name.Text)
	}
	x := e.expr(o)
	if x == nil {
		return nil, t, false
	}
	return x, x.Type(), true
}

// unused warns of lets and vars of a block that nothing reads.
func (e *env) unused() {
	if e.errors > 0 || e.partial {
		return // what was not checked may have used them
	}
	for _, name := range e.scope.visibleHere() {
		v, ok := e.scope.names[name].(*varEnt)
		if !ok || v.used {
			continue
		}
		switch v.v.Class {
		case hast.Value, hast.HostValue:
			e.warnf(diag.Unused, v.at, "let %s is never used", name)
		case hast.Mutable, hast.HostMutable:
			e.warnf(diag.Unused, v.at, "var %s is never read", name)
		}
	}
}

// place is where an assignment goes: a name and the subscripts after it.
type target struct {
	name *syntax.Ident
	subs []syntax.Sub
	at   source.Span
}

// targetOf takes the left side of an assignment apart. A component of a vector is no place.
func (e *env) targetOf(s *syntax.Assign) (target, bool) {
	x := s.Target
	if f, ok := x.(*syntax.Field); ok {
		base, _ := unchain(f.X)
		whole := excerpt(f.X.Span())
		if id, ok := base.(*syntax.Ident); ok {
			if _, bad := e.scope.find(id.Name).(*badEnt); !bad {
				e.componentAssigned(f.At, whole)
			}
		}
		return target{}, false
	}
	base, subs := unchain(x)
	id, ok := base.(*syntax.Ident)
	if !ok {
		if _, bad := base.(*syntax.Bad); !bad {
			e.errorf(diag.NotAssignable, x.Span(), "this cannot be assigned to")
		}
		return target{}, false
	}
	return target{id, subs, x.Span()}, true
}

// componentAssigned reports an assignment to a component of a vector.
func (e *env) componentAssigned(at source.Span, whole string) {
	e.errorf(diag.NotAssignable, at, "a component cannot be assigned by itself").
		Note("assign the whole vector; %s.y and the like are the components that stay", whole)
}

// assignStmt assigns to a pixel, a var or an element of one.
func (e *env) assignStmt(s *syntax.Assign) []hast.Stmt {
	e.strayClauses(s.Clauses)
	t, ok := e.targetOf(s)
	if !ok {
		e.operand(s.Value)
		return nil
	}
	found, subs := e.leveled(e.scope.find(t.name.Name), t.subs, t.at)
	t.subs = subs
	switch ent := found.(type) {
	case nil:
		e.unknown(t.name.Name, t.name.At, isValue)
	case *imageEnt:
		return e.store(ent, t, s)
	case *varEnt:
		return single(e.set(ent, t, s))
	case *badEnt:
	default:
		e.notAssignable(ent, t)
	}
	e.operand(s.Value)
	return nil
}

func (e *env) notAssignable(ent entity, t target) *diag.Diagnostic {
	return e.errorf(diag.NotAssignable, t.at, "%s is %s, which cannot be assigned to", t.name.Name, ent.noun()).
		NoteAt(ent.place(), "%s is declared here", t.name.Name)
}

// set assigns to a var, or to one element of an array.
func (e *env) set(ent *varEnt, t target, s *syntax.Assign) hast.Stmt {
	if ent.img != nil {
		return e.updateVar(ent, t, s)
	}
	if ent.v.Class != hast.Mutable {
		e.operand(s.Value)
		e.notMutable(ent, t)
		return nil
	}
	if !ent.v.Type.IsValid() {
		e.subscriptErrors(t.subs)
		e.operand(s.Value)
		return nil
	}
	current := operand{typ: ent.v.Type, at: t.at, x: ref(ent.v, t.name.At)}
	var index []hast.Expr
	if len(t.subs) > 0 && current.typ.IsVector() {
		e.subscriptErrors(t.subs)
		e.operand(s.Value)
		e.componentAssigned(t.at, t.name.Name)
		return nil
	}
	if len(t.subs) > 0 {
		current = e.element(current, s.Target, t.subs)
		el, ok := current.x.(*hast.Elem)
		if !ok {
			e.operand(s.Value)
			return nil
		}
		index = el.Index
	}
	value := e.updated(current, s)
	x := e.expr(e.assign(value, current.typ, excerpt(t.at)))
	if x == nil {
		return nil
	}
	return &hast.Set{Var: ent.v, Index: index, Value: x, At: s.At}
}

func (e *env) notMutable(ent *varEnt, t target) {
	name := t.name.Name
	d := e.notAssignable(ent, t)
	switch ent.v.Class {
	case hast.Value:
		d.Note("declare it with var to change it")
	case hast.FuncParam, hast.ScalarIn:
		d.Note("copy it into a var to change it: var v = %s", name)
	case hast.HostMutable:
		d.Note("a var of the pipeline gets its values there; declare a var in the body for each instance")
	case hast.ScalarOut:
		d.Note("an out parameter gets its value in the pipeline, outside iterate").
			Note("update a var of the pipeline here, var sum: %s, and write %s = sum behind the iterate", ent.v.Type, name)
	}
}

// updated is the value of x = e, or of x op e for x op= e. An integer takes the result of op by wrapping, as in C, so that
// a u8 can be counted up although u8 + 1 is an i32; a bool takes that of | & ^ with a bool.
func (e *env) updated(current operand, s *syntax.Assign) operand {
	return e.updatedBy(current, e.operand(s.Value), s)
}

func (e *env) updatedBy(current, value operand, s *syntax.Assign) operand {
	if s.Op == "=" {
		return value
	}
	if !current.valid() || !value.valid() {
		return invalid(s.At)
	}
	var result operand
	switch op := s.Op[:len(s.Op)-1]; op {
	case "min", "max":
		opcode := extrema[hast.Min]
		if op == "max" {
			opcode = extrema[hast.Max]
		}
		result = e.apply(opcode, op, s, current, value)
	default:
		result = e.binaryOp(op, s, current, value)
	}
	switch {
	case !result.valid():
	case current.typ.Kind == types.Bool && value.typ.Kind == types.Bool && boolUpdates[s.Op] != ops.None:
		result = e.convert(result, types.Bool, hast.Wrap)
	case result.typ.Kind.IsInt() && current.typ.Kind.IsInt():
		result = e.convert(result, current.typ.Kind, hast.Wrap)
	case !becomes(result, current.typ.Kind):
		name, op := excerpt(current.at), s.Op[:len(s.Op)-1]
		d := e.errorf(diag.ImplicitConversion, s.At, "%s is %s, and %s %s %s is %s", name, current.typ, name, op, excerpt(value.at), result.typ)
		d.Note("write %s = %s(%s %s %s)", name, current.typ.Kind, name, op, excerpt(value.at))
		if v, ok := e.scope.find(name).(*varEnt); ok && v != nil {
			d.Note("or begin with var %s = %s(0), so that it is %s", name, result.typ, result.typ)
		}
		return invalid(s.At)
	}
	return result
}

// store writes one pixel of an image, or a block of pixels.
func (e *env) store(m *imageEnt, t target, s *syntax.Assign) []hast.Stmt {
	writable := e.writable(m, t)
	if !writable || !m.img.Elem.IsValid() {
		m.written = m.written || writable
		e.subscriptErrors(t.subs)
		e.operand(s.Value)
		return nil
	}
	rank := m.img.Rank()
	if len(t.subs) != rank {
		e.wrongStore(m, t)
		e.subscriptErrors(t.subs)
		e.operand(s.Value)
		return nil
	}
	if isBlock(t.subs) {
		return e.storeBlock(m, t, s)
	}
	index := make([]hast.Expr, rank)
	ok := true
	for i, sub := range t.subs {
		index[i] = e.expr(e.toIndex(e.operand(sub.Start)))
		ok = ok && index[i] != nil
	}
	st := &hast.Store{Image: m.img, Index: index, Skip: e.skips(m), At: s.At}
	ok = e.stored(st, m, t, s) && ok
	m.written = true
	e.stage.writes(m.img)
	if !ok {
		return nil
	}
	return []hast.Stmt{st}
}

// writable reports a write to an image that is read only.
func (e *env) writable(m *imageEnt, t target) bool {
	if m.dir != hast.In {
		return true
	}
	if m.resampled != nil {
		e.errorf(diag.WriteToIn, t.at, "%s is resampled from %s, and is only read", m.img.Name, m.resampled.src.img.Name).
			NoteAt(m.at, "%s is declared here", m.img.Name).
			Note("copy it to write to it: image a: %s = %s", typeText(m.img), m.img.Name)
		return false
	}
	e.errorf(diag.WriteToIn, t.at, "%s is an in parameter and cannot be written", m.img.Name).
		NoteAt(m.at, "%s is declared here", m.img.Name).
		Note("declare it out, or inout to read it too")
	return false
}

func (e *env) wrongStore(m *imageEnt, t target) {
	rank := m.img.Rank()
	if len(t.subs) == 0 {
		e.errorf(diag.BadSubscript, t.at, "%s is an image; a body writes one pixel of it", m.img.Name).Note("write %s = ...", m.example())
		return
	}
	if len(t.subs) < rank {
		d := e.errorf(diag.BadSubscript, t.at, "this is a plane of %s, and a body writes pixels", m.img.Name).Note("write %s = ...", m.example())
		if all := m.allFrom(len(t.subs)); all != "" {
			d.Note("or write the whole plane as a block: %s%s = ...", excerpt(t.at), all)
		}
		return
	}
	d := e.errorf(diag.BadSubscript, t.at, "%s has %s, this has %s", m.img.Name, plural(rank, "axis", "axes"), plural(len(t.subs), "subscript"))
	if m.img.Elem.IsVector() {
		d.Note("a pixel is written whole: %s = %s(...)", m.example(), m.img.Elem)
	}
}
