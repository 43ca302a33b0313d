// Package bounds says in which intervals integers of expressions lie, by what they are made of: operators, conversions and choices of constants, and of what the
// caller knows of variables and pixels. What is cut to the bits of a kind is known as far as package interval knows it.
//
// It knows hast, and the rules of package interval.
package bounds
