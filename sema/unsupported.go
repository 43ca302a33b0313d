package sema

import (
	"imgc/diag"
	"imgc/source"
)

// notYet reports a construct that is part of the language and that this release does not compile.
func (e *env) notYet(at source.Span, construct string) *diag.Diagnostic {
	return e.errorf(diag.NotSupported, at, "%s is not supported yet", construct)
}
