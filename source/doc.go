// Package source names places in program text: a File, a byte offset in it, and the Span between two offsets.
//
// It is a leaf: every phase may know it, so that a diagnostic, a generated comment and a line directive all mean the same
// place, and it knows no other package of the project.
package source
