package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
)

// Exit statuses.
const (
	statusFine   = 0
	statusInput  = 1 // errors in the input: a program, an image, arguments that do not fit
	statusUse    = 2 // wrong use: an unknown flag, a name that the program has not
	statusFailed = 3 // a device or tool failed: no such device, a driver's error, a file that cannot be written, a fault of imgc
)

// A statusError is an error with the exit status that it leads to.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

func wrongUse(format string, args ...any) error {
	return &statusError{statusUse, fmt.Errorf(format, args...)}
}
func badInput(err error) error { return &statusError{statusInput, err} }
func failed(err error) error   { return &statusError{statusFailed, err} }

// errReported stands for errors that diagnostics have shown.
var errReported = badInput(errors.New("the program has errors"))

// statusOf is the exit status for an error.
func statusOf(err error) int {
	var with *statusError
	var use *imgc.UsageError
	var call *imgc.CallError
	switch {
	case errors.As(err, &with):
		return with.status
	case errors.As(err, &use):
		return statusUse
	case errors.As(err, &call):
		return statusInput
	case isCobraUse(err):
		return statusUse
	}
	return statusFailed
}

// isCobraUse recognises cobra's own complaints about the command line, which have no type.
func isCobraUse(err error) bool {
	for _, start := range []string{"unknown command", "required flag", "accepts ", "requires at least"} {
		if strings.HasPrefix(err.Error(), start) {
			return true
		}
	}
	return false
}

// report prints an error for people.
func report(w io.Writer, cmd *cobra.Command, err error) {
	if errors.Is(err, errReported) {
		return
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(w, "imgc: interrupted")
		return
	}
	fmt.Fprintf(w, "imgc: %v\n", err)
	if statusOf(err) == statusUse {
		fmt.Fprintf(w, "See '%s --help'.\n", cmd.CommandPath())
	}
}
