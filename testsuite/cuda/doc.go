// Package cuda tests generated CUDA projects as far as a machine without a device can: the kernels of every sample compiled by nvcc for
// the oldest and the newest architecture that it knows and by clang for one older than both, the host code by a C compiler, all with
// warnings as errors; and that no kernel touches memory before those that it follows have ended. What the projects compute is checked on
// a GPU machine, by testsuite/gpu.
package cuda
