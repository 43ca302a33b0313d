// Package kir is the device program: typed structured code of kernels with memory spaces, and the host plan that binds sizes,
// checks, allocates and launches. Lowering makes it, passes rewrite it, emitters print it and device/ runs it.
//
// Arithmetic means what the language says (package ops): an integer Add wraps, x/0 is 0. Where an operation is known not to
// reach those cases its node says so (Exact), and a dialect may print the target's plain operator.
//
// It knows positions, types and operators: neither the high-level program it was lowered from nor a target.
package kir
