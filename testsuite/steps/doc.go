// Package steps tests what the host does between kernels: if, for, while, var and swap, through the whole compiler. Every program
// is held against a Go function in the interpreter, and the OpenCL device, the generated project and Oclgrind against the
// interpreter.
package steps
