// Package diag holds diagnostics as values: a code, a message, a span, notes and a suggested spelling. Phases collect them in
// a List; text and JSON renderers print them. The table of codes documents each with a failing and a mended example.
//
// It knows source positions only: not who reports, nor why.
package diag
