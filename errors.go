package imgc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"imgc/source"
)

// A UsageError is a wrong call: a name that nothing has, an option that does not fit.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

func usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// A CallError says why a pipeline cannot run with the arguments that it was given, or that it did not end.
type CallError struct {
	Pipeline string
	Message  string      // "dst is 100 x 99, but H = 98 (bound by src) asks for 98 rows"
	At       source.Span // of the parameter or check that it is about; may be no place
}

func (e *CallError) Error() string {
	text := e.Pipeline + ": " + e.Message
	if e.At.IsValid() {
		text = e.At.String() + ": " + text
	}
	return text
}

// A DeviceError says what failed on a device: none is there, it lacks something, its compiler or its driver reports an error.
type DeviceError struct{ Err error }

func (e *DeviceError) Error() string { return e.Err.Error() }
func (e *DeviceError) Unwrap() error { return e.Err }

// An InternalError is a fault of imgc. Its text asks to report it, with the stack if the environment variable IMGC_DEBUG is set.
type InternalError struct {
	Doing string // "checking blur.img"
	Fault any    // what was panicked with, or an error that must not happen
	Stack []byte // where that was
}

func (e *InternalError) Error() string {
	text := fmt.Sprintf("internal error: %s: %v; this is a fault of imgc, please report it with the program", e.Doing, e.Fault)
	switch {
	case os.Getenv(debugVariable) == "":
		text += " (" + debugVariable + "=1 shows where it happened)"
	case len(e.Stack) > 0:
		text += "\n" + string(e.Stack)
	}
	return text
}

// debugVariable names the environment variable that makes internal errors show their stack.
const debugVariable = "IMGC_DEBUG"

// guard is deferred by every function that others call: it turns a panic below into an InternalError.
func guard(err *error, format string, args ...any) {
	if fault := recover(); fault != nil {
		*err = &InternalError{fmt.Sprintf(format, args...), fault, debug.Stack()}
	}
}

// stopped is the error of a context that is done, nil of another.
func stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("stopped: %w", context.Cause(ctx))
}

// isStop reports whether an error comes from a context that is done.
func isStop(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
