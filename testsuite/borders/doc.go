// Package borders tests the six border rules through the whole compiler: stencils of one to three dimensions and radius one to
// five, of integers, floats and vectors, with the rule at each place that a program may give it, at sizes down to one pixel. The
// interpreter is held against NumPy and SciPy, the OpenCL device and Oclgrind against the interpreter.
package borders
