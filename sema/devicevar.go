package sema

import (
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
)

// A var or out scalar of a pipeline lives on the device, in an image of one pixel, where it gets values that the device computes:
// so nobody waits for them. Which these are is decided by the text, before it is checked. No declaration hides a visible name, so
// that a name is enough.

// A locator finds the names in the text of one pipeline or kernel whose values the device computes.
type locator struct {
	home    *scope
	device  map[string]bool // images, and values that depend on them
	values  map[string]bool // of device those that are no images
	changed bool

	pyramids map[string]bool
	found    map[*syntax.Kernel]map[string]bool // what kernels have on the device, each looked at once
}

// deviceNames lists the vars and outs of a pipeline or kernel that live on the device. Of one that calls itself, directly or through others, which is an error, it may lack some.
func (c *checker) deviceNames(d *syntax.Kernel, home *scope) map[string]bool {
	return locate(d, home, c.onDevice)
}

func locate(d *syntax.Kernel, home *scope, found map[*syntax.Kernel]map[string]bool) map[string]bool {
	if known := found[d]; known != nil {
		return known
	}
	l := &locator{home: home, device: map[string]bool{}, values: map[string]bool{}, pyramids: map[string]bool{}, found: found}
	found[d] = l.values
	if d.Body == nil {
		return l.values
	}
	for _, p := range d.Params {
		if p.Type != nil && len(p.Type.Dims) > 0 {
			l.device[p.Name.Text] = true
		}
	}
	for again := true; again; again = l.changed {
		l.changed = false
		l.stmt(d.Body, false)
	}
	return l.values
}

// value notes that the device computes what a name stands for.
func (l *locator) value(name string) {
	if !l.device[name] {
		l.device[name], l.values[name], l.changed = true, true, true
	}
}

// image notes the name of an image.
func (l *locator) image(name string) {
	if !l.device[name] {
		l.device[name], l.changed = true, true
	}
}

// stmt looks at a statement, of the body of an iterate where body is set.
func (l *locator) stmt(s syntax.Stmt, body bool) {
	switch s := s.(type) {
	case *syntax.Block:
		for _, sub := range s.Stmts {
			l.stmt(sub, body)
		}
	case *syntax.Labelled:
		l.stmt(s.Stmt, body)
	case *syntax.If:
		l.stmt(s.Then, body)
		if s.Else != nil {
			l.stmt(s.Else, body)
		}
	case *syntax.For:
		l.stmt(s.Body, body)
	case *syntax.While:
		l.stmt(s.Body, body)
	case *syntax.Iterate:
		l.stmt(s.Body, true)
	case *syntax.Image:
		l.image(s.Name.Text)
	case *syntax.View:
		l.image(s.Name.Text)
	case *syntax.Pyramid:
		l.image(s.Name.Text)
		l.pyramids[s.Name.Text] = true
	case *syntax.Traverse:
		l.stmt(s.Body, body)
	case *syntax.Descend:
		if s.Between != nil {
			l.stmt(s.Between, body)
		}
	case *syntax.Let:
		if !body && s.Value != nil && l.depends(s.Value) {
			l.value(s.Name.Text)
		}
	case *syntax.Assign:
		base, _ := unchain(s.Target)
		if id, ok := base.(*syntax.Ident); ok && (body || l.depends(s.Value)) {
			l.value(id.Name)
		}
	case *syntax.CallStmt:
		l.call(s)
	}
}

// call looks at the out scalars of a kernel: arguments for those that it has on the device are there too.
func (l *locator) call(s *syntax.CallStmt) {
	k, ok := l.home.find(s.Name.Text).(*pipelineEnt)
	if !ok || k.decl == nil {
		return
	}
	inner := locate(k.decl, k.home, l.found)
	given := false // a value of the device reaches the kernel, so that what it computes from scalars may need the device
	for i, p := range k.decl.Params {
		given = given || i < len(s.Args) && p.Dir != syntax.Out && p.Type != nil && len(p.Type.Dims) == 0 && l.depends(s.Args[i])
	}
	for i, p := range k.decl.Params {
		if i >= len(s.Args) || p.Dir != syntax.Out || !given && !inner[p.Name.Text] {
			continue
		}
		if id, ok := syntax.Unparen(s.Args[i]).(*syntax.Ident); ok && p.Type != nil && len(p.Type.Dims) == 0 {
			l.value(id.Name)
		}
	}
}

// depends reports whether a value is computed from pixels, or by a func that the host has no means to compute. The extents of an
// image are none.
func (l *locator) depends(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Ident:
		return l.device[x.Name]
	case *syntax.Field:
		if base, subs := unchain(syntax.Unparen(x.X)); len(subs) < 2 && l.isPyramid(base) {
			return false // level, levels, an extent
		}
		if id, ok := syntax.Unparen(x.X).(*syntax.Ident); ok && (x.Name.Text == "width" || x.Name.Text == "height") && l.device[id.Name] {
			return l.values[id.Name]
		}
		return l.depends(x.X)
	case *syntax.Paren:
		return l.depends(x.X)
	case *syntax.Unary:
		return l.depends(x.X)
	case *syntax.Binary:
		return l.depends(x.X) || l.depends(x.Y)
	case *syntax.Cond:
		return l.any(x.If, x.Then, x.Else)
	case *syntax.Index:
		return l.depends(x.X) || l.any(x.Sub.Start)
	case *syntax.Conv:
		return l.any(x.Args...)
	case *syntax.List:
		return l.any(x.Elems...)
	case *syntax.Call:
		f, isFunc := l.home.find(x.Fun.Text).(*funcEnt)
		return isFunc && loops(f.decl.Body) || l.any(x.Args...) || x.For != nil && l.anyOf(x.For)
	}
	return false
}

// isPyramid reports whether an expression is the name of a pyramid.
func (l *locator) isPyramid(x syntax.Expr) bool {
	id, ok := x.(*syntax.Ident)
	return ok && l.pyramids[id.Name]
}

func (l *locator) any(list ...syntax.Expr) bool { return slices.ContainsFunc(list, l.depends) }

// anyOf is any of the ranges of a comprehension.
func (l *locator) anyOf(c *syntax.Comp) bool {
	if c.Over != nil {
		return true
	}
	for _, v := range c.Vars {
		if v.Range != nil && l.any(v.Range.Lo, v.Range.Hi) {
			return true
		}
	}
	return false
}

// loops reports whether a func assigns or loops, which the host has no means to do.
func loops(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Block:
		return s != nil && slices.ContainsFunc(s.Stmts, loops)
	case *syntax.If:
		return loops(s.Then) || s.Else != nil && loops(s.Else)
	case *syntax.For, *syntax.While, *syntax.Assign:
		return true
	}
	return false
}

// deviceVar makes the image of a var that lives on the device.
func (e *env) deviceVar(ent *varEnt, at source.Span) {
	ent.img = e.deviceImage(ent.v.Name, ent.v.Type, 1, at)
	e.pipe.vars[ent.img] = true
}

// loadVar reads a var that lives on the device.
func loadVar(ent *varEnt, at source.Span) hast.Expr { return loadAt(ent.img, intConst(0, at), at) }

// updateVar is v += e in a body, where v is a var of the pipeline: every instance adds to it.
func (e *env) updateVar(ent *varEnt, t target, s *syntax.Assign) hast.Stmt {
	ent.used = true
	m := &imageEnt{declared: ent.declared, img: ent.img, usage: &usage{}}
	st := &hast.Store{Image: m.img, Index: []hast.Expr{intConst(0, t.at)}, At: s.At}
	switch {
	case len(t.subs) > 0:
		e.subscriptErrors(t.subs)
		e.operand(s.Value)
		e.errorf(diag.BadSubscript, t.at, "%s is %s and has no elements", ent.v.Name, ent.v.Type)
		return nil
	case s.Op == "=" && pixelFold(s) == nil:
		e.operand(s.Value)
		e.errorf(diag.NotAssignable, t.at.To(s.OpAt), "%s is a var of the pipeline; all instances would assign it", ent.v.Name).
			NoteAt(ent.at, "%s is declared here", ent.v.Name).
			Note("they may update it together by += -= *= min= max= &= |= ^=, or by fold with a commutative func").
			Note("a var in the body belongs to one instance")
		return nil
	}
	e.stage.writes(m.img)
	if !e.stored(st, m, t, s) {
		return nil
	}
	return st
}

// entity is what an identifier stands for; nil for none.
func (e *env) entity(id *syntax.Ident) entity {
	if id == nil {
		return nil
	}
	return e.scope.find(id.Name)
}
