package interp

import (
	"context"
	"fmt"
	"strings"

	"imgc/source"
)

// An Error says why a run failed, in the terms of the program.
type Error struct {
	Pipeline string
	Message  string      // without full stop: "dst is 100 x 99, but H = 98 (bound by src) asks for 98 rows"
	At       source.Span // of the parameter, check or loop that it is about; may be no place
	Internal bool        // a fault of this package or of the phases before it, not of the program or its arguments
}

// Error is "file:line:col: pipeline: message", without the place where there is none.
func (e *Error) Error() string {
	text := e.Pipeline + ": " + e.Message
	if e.Internal {
		text = "internal error: " + text + "; please report this"
	}
	if e.At.IsValid() {
		text = e.At.String() + ": " + text
	}
	return text
}

// A failure is thrown where a closure cannot go on, and caught by guard.
type failure struct {
	cause    error // why the run was stopped from outside; nil where the rest is set
	message  string
	at       source.Span
	internal bool
}

// throw reports a fault of the phases before: what a proof excluded has happened.
func throw(at source.Span, format string, args ...any) {
	panic(failure{message: fmt.Sprintf(format, args...), at: at, internal: true})
}

// guard turns whatever a function panics with into its error. where is the place to name for a fault that has none.
func guard(pipeline string, where source.Span, err *error) {
	switch fault := recover().(type) {
	case nil:
	case failure:
		*err = fault.cause
		if fault.cause == nil {
			*err = &Error{Pipeline: pipeline, Message: fault.message, At: orElse(fault.at, where), Internal: fault.internal}
		}
	default:
		*err = &Error{Pipeline: pipeline, Message: strings.TrimPrefix(fmt.Sprint(fault), "internal error: "), At: where, Internal: true}
	}
}

func orElse(at, otherwise source.Span) source.Span {
	if at.IsValid() {
		return at
	}
	return otherwise
}

// stopped is the error of a cancelled context, nil of another.
func stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("stopped: %w", context.Cause(ctx))
}
