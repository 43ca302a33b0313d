// Package pyramids tests programs with pyramids: what the interpreter computes against values by hand, and devices and the
// generated C project against the interpreter.
package pyramids
