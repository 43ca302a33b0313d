// Package deal takes reductions of images apart into parts, which groups of work-items compute side by side, as the language defines them: sums of floats are
// added in the order of the parts. Whoever makes a reduction of an image does it by these.
//
// It knows hast, types and operators.
package deal
