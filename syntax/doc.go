// Package syntax is the syntax tree of an img file: plain nodes with spans, comments kept aside, no meaning attached. The
// parser makes it, the formatter prints it, sema reads it.
//
// It knows source positions only: not how text becomes a tree, nor what a tree means.
package syntax
