// Package samples tests the programs under samples/: each pipeline by the reference interpreter, an independent NumPy, SciPy or
// OpenCV version, the OpenCL device, Oclgrind, and the generated C project, at sizes from one pixel to a photo's.
//
// rows_test.go is the table; everything else runs it. A pipeline of a sample without a row fails the test.
package samples
