// Package reductions tests what pipelines reduce and read to device scalars, through the whole compiler: every reduction, over
// images and comprehensions, of integers, floats and vectors, into pixels and scalar outs. NumPy is held against the interpreter,
// which the OpenCL device, Oclgrind and a generated library are held against.
package reductions
