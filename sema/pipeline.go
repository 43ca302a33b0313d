package sema

import (
	"fmt"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A pipe is a pipeline while it is being checked.
type pipe struct {
	p        *hast.Pipeline
	images   []*imageEnt // in the order of declaration
	pyramids []*pyramidEnt
	outs     []*outScalar
	stages   []*stage
	labels   map[string]source.Span
	trial    bool                    // a kernel by itself
	calls    int                     // that have been expanded
	unproved bool                    // a kernel by itself with types or masks that only calls know
	lets     map[*hast.Var]hast.Expr // the values of host lets, in terms of sizes and scalars

	resampled []*resampling

	scalars map[*hast.Image]bool // the device scalars, which keep their values
	named   map[*hast.Image]bool // those of them that have the name of a let
	vars    map[*hast.Image]bool // vars that live on the device
}

// An outScalar is a scalar out parameter.
type outScalar struct {
	ent   *varEnt
	set   bool
	image *hast.Image // with the value, where that lives on the device
}

func newPipe(d *syntax.Kernel) *pipe {
	p := &hast.Pipeline{Name: d.Name.Text, At: d.Name.At}
	return &pipe{
		p: p, labels: map[string]source.Span{}, lets: map[*hast.Var]hast.Expr{},
		scalars: map[*hast.Image]bool{}, named: map[*hast.Image]bool{}, vars: map[*hast.Image]bool{},
	}
}

// pipeline checks one pipeline; nil where it has an error, or is a kernel.
func (e *env) pipeline(p *pipelineEnt) *hast.Pipeline {
	if !p.decl.Pipeline {
		return nil
	}
	if len(p.decl.Tvars) > 0 {
		e.errorf(diag.BadParameter, p.decl.Tvars[0].At, "a pipeline has no type variables: it becomes a function of a library, whose types are fixed").
			Note("write a kernel<T>, and a pipeline for each type that calls it")
		return nil
	}
	errors := e.errors
	built := newPipe(p.decl)
	inner := &env{checker: e.checker, scope: newScope(p.home), where: onHost, pipe: built, device: e.deviceNames(p.decl, p.home)}
	inner.params(p.decl.Params)
	inner.steps(p.decl.Body)
	if e.errors > errors {
		return nil
	}
	inner.finish()
	return built.p
}

// finish names the stages and warns of what has no effect.
func (e *env) finish() {
	e.readOuts()
	e.nameStages()
	for _, m := range e.pipe.images {
		if r := m.resampled; r != nil && !r.kept && m.img.Of == nil {
			continue // it has only been copied, and so never computed
		}
		e.pipe.p.Images = append(e.pipe.p.Images, m.img)
	}
	for _, o := range e.pipe.outs {
		if !o.set {
			e.errorf(diag.NeverWritten, o.ent.at, "the out parameter %s never gets a value", o.ent.v.Name)
		}
	}
	if e.errors > 0 || e.partial {
		return
	}
	for _, m := range e.pipe.images {
		switch {
		case m.img.Dir == hast.Out && !m.written:
			e.warnf(diag.NeverWritten, m.at, "nothing writes the out parameter %s; the caller gets zeros", m.img.Name)
		case m.img.Dir == hast.Local && !m.read && m.of == nil:
			e.warnf(diag.Unused, m.at, "nothing reads the image %s", m.img.Name)
		}
	}
	for _, p := range e.pipe.pyramids {
		if !p.read {
			e.warnf(diag.Unused, p.at, "nothing reads the pyramid %s", p.pyr.Name)
		}
	}
	e.unused()
}

// nameStages gives each stage its label, or the name of the first image that it writes, with a number where that is taken. A
// stage of a labelled call has the call's label before its name.
func (e *env) nameStages() {
	taken := map[string]bool{}
	for name := range e.pipe.labels {
		taken[name] = true
	}
	for _, s := range e.pipe.stages {
		in := s.host.in
		switch {
		case s.label != "" && in == nil:
			s.node.Name = s.label
		case s.label != "":
			s.node.Name = unique(in.prefix+s.label, taken)
		default:
			s.node.Name = unique(in.nameOf(s.first), taken)
		}
	}
}

// unique is a name, with a number where it is taken, and takes it.
func unique(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	taken[free] = true
	return free
}

// step checks a statement of a pipeline.
func (e *env) step(s syntax.Stmt, label *syntax.Name) {
	switch s := s.(type) {
	case *syntax.Empty, nil:
	case *syntax.Block:
		inner := e.nested()
		for _, sub := range s.Stmts {
			inner.step(sub, nil)
		}
		inner.unused()
	case *syntax.Labelled:
		e.labelled(s)
	case *syntax.Image:
		e.localImage(s, label)
	case *syntax.View:
		e.viewStmt(s)
	case *syntax.Iterate:
		e.iterate(s, label)
	case *syntax.Let:
		e.hostLet(s)
	case *syntax.Pyramid:
		e.pyramid(s)
	case *syntax.Traverse:
		e.traverse(s)
	case *syntax.Descend:
		e.descend(s)
	case *syntax.Assign:
		e.hostAssign(s, label)
	case *syntax.CallStmt:
		e.callStmt(s, label)
	case *syntax.Return:
		e.errorf(diag.Misplaced, s.At, "return stands outside a func").Note("a pipeline gives its results by its out parameters")
	default:
		e.control(s)
	}
}

func (e *env) labelled(s *syntax.Labelled) {
	labels := e.pipe.labels
	if e.in != nil {
		labels = e.in.labels
	}
	if old, ok := labels[s.Label.Text]; ok {
		e.errorf(diag.HiddenName, s.Label.At, "the label %s stands twice in this pipeline", s.Label.Text).NoteAt(old, "the other one is here")
	}
	labels[s.Label.Text] = s.Label.At
	switch s.Stmt.(type) {
	case *syntax.Iterate, *syntax.Image, *syntax.Assign, *syntax.CallStmt:
	default:
		e.errorf(diag.Misplaced, s.Label.At, "a label names a stage: an iterate, an image with a value, a copy or a fill")
	}
	e.step(s.Stmt, &s.Label)
}

// hostLet is a let of a pipeline.
func (e *env) hostLet(s *syntax.Let) {
	if s.Mutable {
		e.hostVar(s)
		return
	}
	x, t, ok := e.initial(s, "let")
	if ok && computed(x) {
		e.deviceLet(s, x)
		return
	}
	if _, constant := x.(*hast.Const); constant && ok && t.IsArray() { // nothing computes it: it is used where it stands
		e.declare(s.Name, &valueEnt{declared{s.Name.At}, runtime(x)})
		return
	}
	ent := newVar(s.Name, t, hast.HostValue)
	e.declare(s.Name, ent)
	if !ok {
		ent.v.Type = types.Type{}
		return
	}
	x = e.awaited(x)
	e.emit(&hast.DefineHost{Var: ent.v, Value: x, At: s.At})
	if e.knownAtEntry(x) {
		e.pipe.lets[ent.v] = e.withoutLets(x)
	}
}

// hostValue is an operand as a host expression, for which the host waits if the device computes it; nil after an error.
func (e *env) hostValue(o operand) hast.Expr {
	x := e.expr(o)
	if x == nil {
		return nil
	}
	return e.awaited(x)
}

// hostAssign is an assignment in a pipeline: to a scalar out, to a whole image, or to one pixel.
func (e *env) hostAssign(s *syntax.Assign, label *syntax.Name) {
	t, ok := e.targetOf(s)
	if !ok {
		e.operand(s.Value)
		return
	}
	found, subs := e.leveled(e.scope.find(t.name.Name), t.subs, t.at)
	t.subs = subs
	switch ent := found.(type) {
	case nil:
		e.unknown(t.name.Name, t.name.At, isValue)
	case *imageEnt:
		e.imageAssign(ent, t, s, label)
		return
	case *varEnt:
		e.strayClauses(s.Clauses)
		switch ent.v.Class {
		case hast.ScalarOut:
			e.setScalar(ent, t, s)
			return
		case hast.HostMutable:
			e.setHost(ent, t, s)
			return
		}
		e.notMutable(ent, t)
	case *badEnt:
	default:
		e.notAssignable(ent, t)
	}
	e.discard(s.Value)
}

// setScalar gives a scalar out its value.
func (e *env) setScalar(ent *varEnt, t target, s *syntax.Assign) {
	for _, o := range e.pipe.outs {
		o.set = o.set || o.ent == ent
	}
	if len(t.subs) > 0 || s.Op != "=" {
		d := e.errorf(diag.NotAssignable, t.at.To(s.OpAt), "the scalar %s is assigned as a whole, with =", ent.v.Name)
		if len(t.subs) == 0 {
			d.Note("keep what changes in a var, and assign that to %s at the end", ent.v.Name)
		}
		e.operand(s.Value)
		return
	}
	value := e.expr(e.assign(e.operand(s.Value), ent.v.Type, ent.v.Name))
	if value == nil {
		return
	}
	for _, o := range e.pipe.outs {
		if o.ent == ent && o.image != nil {
			e.setOut(o, value, s.At)
			return
		}
	}
	if v := e.awaited(value); v != nil {
		e.emit(&hast.SetScalar{Var: ent.v, Value: v, At: s.At})
	}
}
