// Package accumulate says what loops make of variables step by step: sums, least and greatest values, where they begin, and whether anything else changes them.
//
// It knows hast alone.
package accumulate
