// Package clike translates device programs and host expressions (kir) to C trees. What differs between targets is a Dialect:
// tables of type names, operator spellings and reserved words, and a few functions for what has no common form, such as
// loads from half-precision memory.
//
// It knows kir, operators and C: no target's name occurs in it.
package clike
