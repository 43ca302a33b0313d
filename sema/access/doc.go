// Package access decides where each access of a pipeline can go, and proves the promises that a stage rests on: every read
// and write is in range or has a rule, no two instances of a stage write one pixel, a stage reads an image that it writes only
// where no other instance writes, every extent is at least 1. What depends on sizes and scalar parameters only becomes a check
// at the pipeline's entry; what does not hold becomes an error with the values for which it fails.
//
// A walk over the pipeline collects the accesses, each with its scope: the chain of ranges, conditions and definitions that
// hold there. A scope is turned into formulas over integers on demand, and package prove decides. Arithmetic is modelled as it
// is computed: i32 wraps modulo 2^32. Extents are at most hast.MaxExtent, which the executors check, so that the offsets and
// sums that index arithmetic is made of do not come near that bound; a host expression that may leave i32 gets a check of its
// own.
//
// It knows hast and the prover: not the syntax, nor how accesses are carried out.
package access
