// Package arithmetic tests what programs compute on numbers: every conversion against exact arithmetic, and random programs of
// every operator, interpreted and on the OpenCL device, where strict programs must agree to the last bit.
package arithmetic
