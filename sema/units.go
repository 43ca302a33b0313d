package sema

import (
	"sort"

	"imgc/diag"
	"imgc/source"
	"imgc/syntax"
)

// A unit is one file, the main one or an import, with the names that are visible in it.
type unit struct {
	scope     *scope
	own       []string       // what it declares and files that import it see, sorted
	pipelines []*pipelineEnt // and kernels, in the order of the text
}

// unit enters the declarations of a file and, before them, those of its imports. An import's own imports stay its own.
func (c *checker) unit(file *syntax.File) *unit {
	if u := c.units[file]; u != nil {
		return u
	}
	u := &unit{scope: newScope(nil)}
	c.units[file] = u
	e := &env{checker: c, scope: u.scope}
	for _, d := range file.Decls {
		if d, ok := d.(*syntax.Import); ok {
			e.importDecl(d)
		}
	}
	imported := map[string]bool{}
	for name := range u.scope.names {
		imported[name] = true
	}
	e.collect(u, file.Decls)
	for name, ent := range u.scope.names {
		if p, ok := ent.(*pipelineEnt); !imported[name] && !(ok && p.decl.Pipeline) {
			u.own = append(u.own, name)
		}
	}
	sort.Strings(u.own)
	if file.Source != c.program.File {
		c.program.Imports = append(c.program.Imports, file.Source)
	}
	return u
}

// importDecl makes what another file declares visible, with its prefix where it has one.
func (e *env) importDecl(d *syntax.Import) {
	file := e.imports[d]
	if file == nil {
		e.partial = true // any name may come from there
		if d.As != nil {
			e.declare(*d.As, &badEnt{declared{d.As.At}})
		}
		return
	}
	from, prefix := e.unit(file), ""
	if d.As != nil {
		e.declare(*d.As, &prefixEnt{declared{d.As.At}})
		prefix = d.As.Text + "."
	}
	for _, name := range from.own {
		ent, old := from.scope.names[name], e.scope.names[prefix+name]
		switch {
		case old == nil:
			e.scope.names[prefix+name] = ent
		case old != ent:
			e.errorf(diag.HiddenName, d.PathAt, "%s declares %s, which is visible here already", file.Source.Name, name).
				NoteAt(ent.place(), "its %s is here", name).
				NoteAt(old.place(), "the other one is here").
				Note(`a prefix keeps them apart: import "%s" as p; and p.%s`, d.Path, name)
		}
	}
}

// qualified is the name that an expression is: an identifier, or the prefix of an import and a name behind it.
func (e *env) qualified(x syntax.Expr) (*syntax.Ident, bool) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Ident:
		return x, true
	case *syntax.Field:
		if id, ok := x.X.(*syntax.Ident); ok {
			if _, ok := e.scope.find(id.Name).(*prefixEnt); ok {
				return &syntax.Ident{Place: x.Place, Name: id.Name + "." + x.Name.Text}, true
			}
		}
	}
	return nil, false
}

// imported reports whether a declaration stands in another file than a place.
func imported(ent entity, at source.Span) bool {
	return ent.place().IsValid() && ent.place().File != at.File
}
