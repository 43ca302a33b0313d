// Package parser turns the text of an img file into its syntax tree, reports every independent syntax error in one run, and
// prints a tree back in the canonical layout.
//
// Parsing takes these steps: the scanner splits the text into tokens; checkNesting refuses what would exhaust the stack of
// a recursive phase; participle parses declarations, statements, frames and decisions one at a time, so that an error in one
// costs no other; each is converted at once to the nodes of package syntax, where operators get their precedence; checks on
// the tree follow. Errors are put into the user's words by tables (messages.go) and by the habits of other languages that
// they betray (habits.go).
//
// The package knows the grammar, the syntax tree and diagnostics. It does not know what names and types mean.
package parser
