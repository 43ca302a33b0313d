// Package shrink makes a program that fails smaller, as long as it fails: it leaves out declarations, statements, parameters and
// clauses, and puts parts of statements and expressions in their place. It works on the syntax tree, by the places of its nodes, so
// that every attempt is a text to be parsed again.
//
// It knows the syntax tree, not what fails.
package shrink
