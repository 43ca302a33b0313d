// Package ctree is a small tree of C code and the one printer for all C-like targets: kernels in OpenCL C and CUDA C++, host
// code in C99. Emitters build nodes; the printer alone sets parentheses, breaks long lines, indents, and keeps the map from
// generated lines to source places. A Namer gives names that clash neither with a dialect's words nor with each other.
//
// It knows C's syntax and source places: no target, and nothing of what the code is for.
package ctree
