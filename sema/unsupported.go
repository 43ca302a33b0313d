package sema

import (
	"imgc/diag"
	"imgc/source"
	"imgc/syntax"
)

// notYet reports a construct that is part of the language and that this release does not compile.
func (e *env) notYet(at source.Span, construct string) *diag.Diagnostic {
	return e.errorf(diag.NotSupported, at, "%s is not supported yet", construct)
}

// unsupportedDecl reports a declaration of a later release, and keeps its name from being reported as unknown.
func (e *env) unsupportedDecl(d syntax.Decl) {
	if d, ok := d.(*syntax.Extern); ok {
		e.notYet(d.Name.At, "an extern func")
		e.declare(d.Name, &badEnt{declared{d.Name.At}})
	}
}
