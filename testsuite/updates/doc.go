// Package updates tests commutative updates through the whole compiler: every operator and a commutative func, on every kind of
// component, as scalars and vectors, at indices that hang on data, with border(a: skip), and where each instance has a pixel of
// its own. NumPy is held against the interpreter, which the OpenCL device and Oclgrind are held against.
package updates
