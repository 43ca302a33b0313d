// Package host writes the C99 library around the kernels: header, host code with every entry check, CMake and pkg-config files,
// a README and a demo program. Fixed parts are real C files under support/; the parts that follow from the program are
// templates filled from a view of the plan.
//
// It knows kir, the printed kernels and C: neither the language nor how the plan was decided.
package host
