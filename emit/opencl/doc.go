// Package opencl emits device programs as OpenCL C 1.2, one .cl file for each program.
//
// The support functions in support/ are real OpenCL C; a program carries those that it uses. Devices need no extension but
// cl_khr_fp64 where a program computes in f64: half precision is a storage format that vload_half and vstore_half read and write.
//
// It knows kir and the C-like translation: neither the language, nor how kernels are launched.
package opencl
