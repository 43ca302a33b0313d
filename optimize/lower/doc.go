// Package lower turns a typed program (hast) into kernels and a host plan (kir). It carries decisions out and takes none: the
// shape of each kernel comes from Options.
//
// A stage is one kernel, and a work-item computes one instance or, as its schedule says, a block of them (strip.go). Coordinates are remapped only on the axes
// where an access can leave the image, each remapped coordinate and each line's start is computed once per scope, and
// reductions of up to Options.Unroll points are written out with their coefficients as constants.
//
// Integer arithmetic is followed by intervals, so that an operation that cannot wrap, divide by zero or shift too far is marked
// Exact and printed plainly; what kernels store into arrays is followed once they are complete (follow.go).
//
// It knows hast, kir, types, operators, schedules and what optimize/block finds: not syntax, nor targets.
package lower
