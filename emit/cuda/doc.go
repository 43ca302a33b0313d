// Package cuda writes device programs (kir) as CUDA C++, for nvcc and clang: the dialect that package clike translates with, and the
// support functions, real CUDA files in support/ of which a program gets what it uses.
//
// The text is for every compute capability from 3.5 on: what newer ones do better stands behind a test of __CUDA_ARCH__ in a support
// function. Kernels have internal linkage, so that programs with kernels of the same names may be linked together.
package cuda
