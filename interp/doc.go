// Package interp runs the typed high-level program (hast) on the CPU: the definition of every result. Whatever a generated
// project or a device computes is right if it equals what Run computes (bit for bit under strict floating point).
//
// Bind does what every entry point does first: it checks arguments against parameters, binds size names, evaluates host
// values and extents, and tests the checks, all before anything is written. Run then takes the stages one by one: it
// compiles a stage's body to closures over a flat frame of words, with sizes and scalars as constants, and runs the
// instances row by row on several goroutines. Results do not depend on how many.
//
// Where hast leaves a freedom, this package settles it:
//   - A sum starts from 0 and a product from 1, then takes the elements in order. (So the sum of minus zeros is 0.)
//   - A minimum starts from the kind's highest value, a maximum from the lowest; NaN never replaces it, so that the minimum
//     of nothing but NaN is plus infinity. An argmin or argmax of nothing but NaN is 0.
//   - A median takes -0 for less than 0.
//   - && and || of scalars evaluate their second operand only where it decides.
//   - The bounds of a For or Reduce are evaluated once, before its first point.
//   - The coordinates of a window wrap in i32, like those of a Load.
//   - Instances of a stage whose independence is the author's promise, or that updates pixels in place (Store.Op), run one
//     after the other, the last variable fastest, so that even a broken promise gives one result.
//
// It knows hast, operators, types, images and positions: not the syntax, nor devices.
package interp
