// Package types holds the element kinds and value types of the img language, the canonical form of a value (Word) and the
// conversions between kinds. It is the one place for ranges, widths, rounding and saturation: constant folding, the
// interpreter and the kernel passes all convert through it.
//
// It is a leaf and knows no other package of the project.
package types
