package sema

import (
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// A kernel is checked twice. By itself, once, as if it were a pipeline with sizes and scalars of its own: what is wrong there is
// wrong in every call and is reported without one; the types behind its type variables are not known then. And where it is
// called: its statements become the caller's, with the parameters standing for the arguments. What is wrong only then is
// reported in the kernel's text, with a note that leads to the call.

// A kernelCall is a call on the way from one kernel that is checked by itself to the next.
type kernelCall struct {
	to *pipelineEnt
	at source.Span // no place for the first
}

// An expansion is the text of a kernel at one of its calls.
type expansion struct {
	prefix string                 // of the names of its stages: "label."
	labels map[string]source.Span // that stand in its text
	names  map[*hast.Image]string // of images in the text of the last call with a label; nil without one
	calls  []source.Span          // that led here, the innermost first
}

// nameOf is the name of a stage that writes an image and has no label.
func (x *expansion) nameOf(m *hast.Image) string {
	if x == nil {
		return stageName(m)
	}
	if name, ok := x.names[m]; ok {
		return x.prefix + name
	}
	return x.prefix + stageName(m)
}

// stageName is an image's own name; levels have that of their pyramid.
func stageName(m *hast.Image) string {
	name, _, _ := strings.Cut(m.Name, "[")
	return name
}

// neverCalled checks the kernels of the main file by themselves, and returns those that no call has expanded: there is no
// pipeline in which their accesses would be proved.
func (e *env) neverCalled(main *unit) []*hast.Pipeline {
	var alone []*hast.Pipeline
	for _, k := range main.pipelines {
		if k.decl.Pipeline {
			continue
		}
		if e.sound(k, source.Span{}) && !k.expanded && k.alone != nil {
			alone = append(alone, k.alone)
		}
	}
	return alone
}

// sound checks a kernel by itself, when it is first needed, and reports whether calls of it can be expanded.
func (e *env) sound(k *pipelineEnt, at source.Span) bool {
	call := &kernelCall{k, at}
	switch k.state {
	case done:
		return k.valid
	case running:
		e.kernelRecursion(call)
		return false
	}
	k.state = running
	e.trials = append(e.trials, call)
	calls, errors := e.calls, e.errors
	e.calls = 0
	e.trial(k)
	e.calls = calls
	e.trials = e.trials[:len(e.trials)-1]
	k.state, k.valid = done, e.errors == errors
	return k.valid
}

func (e *env) kernelRecursion(call *kernelCall) {
	from := len(e.trials) - 1
	for from > 0 && e.trials[from].to != call.to {
		from--
	}
	name := call.to.decl.Name.Text
	d := e.errorf(diag.Recursion, call.to.at, "%s calls itself; there is no recursion", name)
	caller := name
	for _, c := range append(e.trials[from+1:len(e.trials):len(e.trials)], call) {
		d.NoteAt(c.at, "%s calls %s here", caller, c.to.decl.Name.Text)
		caller = c.to.decl.Name.Text
	}
	d.Note("a kernel is expanded where it is called, so that a call of itself would have no end")
}

// trial checks a kernel by itself.
func (e *env) trial(k *pipelineEnt) {
	var params []*syntax.Type
	for _, p := range k.decl.Params {
		params = append(params, p.Type)
	}
	known := len(k.decl.Tvars) == 0
	for _, p := range k.decl.Params {
		known = known && !p.Mask
	}
	file := &env{checker: e.checker, scope: k.home}
	file.typeVariables(k.decl.Tvars, params)
	built := newPipe(k.decl)
	built.trial, built.unproved = true, !known
	scope := k.home
	if len(k.decl.Tvars) > 0 {
		scope = typeScope(k.home, k.decl.Tvars, nil)
	}
	errors := e.errors
	inner := &env{checker: e.checker, scope: newScope(scope), where: onHost, pipe: built, device: e.deviceNames(k.decl, k.home)}
	inner.params(k.decl.Params)
	k.sizes = sizesOf(built.p)
	inner.steps(k.decl.Body)
	if e.errors > errors {
		return
	}
	inner.finish()
	if known {
		k.alone = built.p
	}
}

// steps checks the statements of a pipeline or kernel.
func (e *env) steps(b *syntax.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		e.step(s, nil)
	}
}

// sizeOf says where a kernel's size comes from: the extent of the argument param on an axis is mul*size + add.
type sizeOf struct {
	name        syntax.Name
	param, axis int
	mul, add    int64
}

func sizesOf(p *hast.Pipeline) []sizeOf {
	var list []sizeOf
	for _, s := range p.Sizes {
		for i, param := range p.Params {
			if s.Image != nil && param.Image == s.Image {
				name := syntax.Name{Place: syntax.Place{At: s.Var.At}, Text: s.Var.Name}
				list = append(list, sizeOf{name, i, s.Axis, s.Mul, s.Add})
			}
		}
	}
	return list
}

// callStmt checks a call as a statement: of a kernel, or of one of the built-in statements that look like one.
func (e *env) callStmt(s *syntax.CallStmt, label *syntax.Name) {
	switch s.Name.Text {
	case "assume":
		e.assume(s)
		return
	case "swap":
		e.swap(s)
		return
	}
	switch ent := e.scope.find(s.Name.Text).(type) {
	case *badEnt:
		e.arguments(s.Args)
	case nil:
		e.arguments(s.Args)
		if isBuiltin(s.Name.Text) {
			e.errorf(diag.Misplaced, s.At, "%s gives a value and is no statement", s.Name.Text)
			return
		}
		e.unknown(s.Name.Text, s.Name.At, func(ent entity) bool { p, ok := ent.(*pipelineEnt); return ok && p.decl != nil && !p.decl.Pipeline })
	case *funcEnt:
		e.errorf(diag.Misplaced, s.At, "%s is a func, which gives a value and is no statement", s.Name.Text).
			Note("use its value: dst = [%s for y, x];", ent.example())
	case *pipelineEnt:
		e.callKernel(ent, s, label)
	default:
		e.errorf(diag.WrongUse, s.Name.At, "%s is %s, which cannot be called", s.Name.Text, ent.noun())
	}
}

// callKernel expands the call of a kernel.
func (e *env) callKernel(k *pipelineEnt, s *syntax.CallStmt, label *syntax.Name) {
	if k.decl.Pipeline {
		e.errorf(diag.WrongUse, s.Name.At, "%s is a pipeline, which is called from outside", s.Name.Text).
			NoteAt(k.at, "%s is declared here", s.Name.Text).
			Note("what pipelines share is a kernel")
		return
	}
	inner := e.bind(k, s, e.sound(k, s.Name.At))
	if inner == nil || !e.affordable(s) {
		return
	}
	k.expanded = k.expanded || !e.pipe.unproved
	inner.in = e.expand(k, s, label, inner.scope)
	before := e.diags.Len()
	e.calls++
	inner.steps(k.decl.Body)
	e.calls--
	e.inCall(before, s.At, s.Name.Text, k.decl.Tvars, boundTypes(k, inner.scope))
}

// maxCalls bounds the calls that one pipeline expands to, so that kernels that each call the next one twice are an error of the
// program and do not exhaust the compiler.
const maxCalls = 1000

// affordable counts the calls of a pipeline, and reports the statement of it that leads to too many.
func (e *env) affordable(s *syntax.CallStmt) bool {
	e.pipe.calls++
	if e.pipe.calls != maxCalls+1 {
		return e.pipe.calls <= maxCalls
	}
	at := s.At
	if e.in != nil {
		at = e.in.calls[len(e.in.calls)-1]
	}
	e.errorf(diag.TooManyCalls, at, "%s expands to more than %d calls of kernels", e.pipe.p.Name, maxCalls).
		Note("a loop on the host repeats a call without expanding it again")
	return false
}

// expand makes the surroundings of a kernel's text at a call.
func (e *env) expand(k *pipelineEnt, s *syntax.CallStmt, label *syntax.Name, params *scope) *expansion {
	x := &expansion{labels: map[string]source.Span{}, calls: []source.Span{s.At}}
	if e.in != nil {
		x.prefix, x.names = e.in.prefix, e.in.names
		x.calls = append(x.calls, e.in.calls...)
	}
	if label == nil {
		return x
	}
	x.prefix += label.Text + "."
	x.names = map[*hast.Image]string{}
	for name, ent := range params.names {
		if m, ok := ent.(*imageEnt); ok {
			x.names[m.img] = name
		}
	}
	return x
}

// boundTypes are the types that a call gives to a kernel's type variables.
func boundTypes(k *pipelineEnt, s *scope) []types.Type {
	var list []types.Type
	for _, v := range k.decl.Tvars {
		t, _ := s.find(v.Text).(*typeEnt)
		list = append(list, t.typ)
	}
	return list
}
