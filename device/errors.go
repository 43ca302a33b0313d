package device

import (
	"context"
	"errors"
	"fmt"

	"imgc/source"
)

// An Error says why a call does not fit its pipeline, in the program's terms.
type Error struct {
	Pipeline string
	Message  string      // without full stop: "dst is 100 x 99, but H = 98 (bound by src) asks for 98 rows"
	At       source.Span // of the parameter or check that it is about; may be no place
}

// Error is "file:line:col: pipeline: message", without the place where there is none.
func (e *Error) Error() string {
	text := e.Pipeline + ": " + e.Message
	if e.At.IsValid() {
		text = e.At.String() + ": " + text
	}
	return text
}

// ErrInternal is wrapped by errors that must not happen: a fault of the compiler.
var ErrInternal = errors.New("internal error")

// An internalError is an error of another package that says so itself.
type internalError struct{ error }

func (e internalError) Is(target error) bool { return target == ErrInternal }

func (c *call) failf(at source.Span, format string, args ...any) error {
	return &Error{Pipeline: c.plan.Name, Message: fmt.Sprintf(format, args...), At: at}
}

// stopped is the error of a cancelled context, nil of another.
func stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("stopped: %w", context.Cause(ctx))
}
