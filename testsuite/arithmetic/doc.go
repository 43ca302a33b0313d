// Package arithmetic tests what programs compute on numbers: every conversion against exact arithmetic, and programs at the corners
// of the language, interpreted and on the OpenCL device. Random programs are in testsuite/differential.
package arithmetic
