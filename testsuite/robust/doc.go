// Package robust tests that generated C libraries bear whatever happens to them: wrong arguments of every function, alone and in
// random combinations; each call of OpenCL and each allocation failing once, or from some point on as on a device that is lost;
// events that end with errors; kernels that do not compile; use from two threads. Programs with features of all kinds are built
// plainly and as planned for a GPU, under the sanitizers of the C compiler.
//
// CUDA libraries run on a stand-in for CUDA's runtime, which runs their kernels on the host, as late and in as odd an order as streams,
// events and graphs allow, and whose calls fail as those of OpenCL do.
//
// The C programs in testdata know a library by tables, which the tests write for each. IMGC_ROBUST=1 tries everything where
// otherwise a share of it is tried, and adds valgrind and the thread sanitizer.
package robust
