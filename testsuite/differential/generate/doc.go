// Package generate writes random valid programs for the tests that run one program in several ways. The same seed gives the same
// text. What it writes has one result to the last bit under strict floating point; so it leaves out functions that devices
// approximate, zeros of either sign where the language leaves the choice, bits of NaN, and sums of floats in no order, unless each
// of these is made harmless where it stands.
//
// It knows types, the names of architectures and what the language reference says: nothing of the compiler, so that a mistake there
// is not repeated here.
package generate
